//! Random programs of C++17 and C whose functions call one another in the midst of expressions: with values, with
//! pointers that walk through a ring, and with a reference (in C a pointer) through which they change what the
//! caller owns. They leave early, and loops in them end by `break`. Expressions are in `random_values`.
//!
//! What the language leaves open is avoided while a program is made, as in `random_program`. No call is recursive and
//! loops have little fuel, so that all of it ends.

use crate::against_clang::compared::{Source, Where};
use crate::against_clang::random_values::{A, Callee, Names, P, R, RING, Scope};

/// A change of the text that the compilers alone are given: what they come to must differ then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A `for` takes its step when it is left by `break`, too.
    StepAfterBreak,
    /// The place is evaluated before the value that it is given.
    LeftFirst,
    /// The first number passed to a function is evaluated twice.
    ArgumentTwice,
    /// What is passed by reference is passed by value.
    ReferenceByValue,
}

/// A part of a program that can be left out.
#[derive(Clone, Debug)]
pub enum Piece {
    Line(String),
    /// What opens it, what is inside, what closes it.
    Block(String, Vec<Piece>, String),
}

/// Functions, of which each calls those before it; the last is the body that is run, without its signature.
pub type Program = Vec<Piece>;

const RETURNED: &[&str] = &["int", "long long", "unsigned", "short"];
const PASSED: &[&str] = &["int", "unsigned char", "long long", "unsigned", "short"];
const COUNTERS: &[&str] = &["int", "unsigned", "signed char", "short"];
const BODY_VARS: &[(&str, &str)] = &[
    ("int", "x"),
    ("int", "y"),
    ("unsigned", "u"),
    ("unsigned char", "c"),
    ("short", "h"),
    ("long long", "w"),
];
const LOCALS: &str = "int ring[48] = {3, -7, 40, 1, 0, 9, -2, 77, 6, 5, 13, -30, 8, 2, 21, 4, 90, -1}; \
     int *p = ring + 20, *q = ring + 23; int fuel = 8; ";
const RESULT: &str = "long long sum = (long long)x + y * 3LL + u * 5LL + c * 7 + h * 11 + w * 13 + (p - ring) * 17 + \
     (q - p) * 19; for (int i = 0; i < 48; i++) sum = sum * 3 + ring[i]; return sum;";

/// Program number `seed`. The same draws are made with a fault as without.
pub fn program(seed: u64, is_cpp: bool, fault: Option<Fault>) -> Program {
    let mut maker = Maker {
        scope: Scope::new(seed, is_cpp, fault),
        depth: 0,
        budget: 0,
        in_loop: false,
        steps: Vec::new(),
        n_labels: 0,
        labels: Vec::new(),
        is_function: true,
    };
    let mut program = Vec::new();
    for number in 0..2 + maker.scope.below(2) {
        let name = format!("g{number}_@");
        program.push(maker.function(name));
    }
    maker.is_function = false;
    maker.scope.enter(A | RING, None, "p");
    let mut locals = LOCALS.to_string();
    for (number, (ty, name)) in BODY_VARS.iter().enumerate() {
        maker.scope.add_var(ty, name.to_string());
        locals += &format!("{ty} {name} = n + {number}; ");
    }
    maker.scope.calls_left = 7;
    maker.budget = 9;
    let mut pieces = maker.list(4);
    // None without a call.
    let call = maker.scope.call(3);
    pieces.push(Piece::Line(format!("x += {}; ", maker.scope.whole(call))));
    program.push(Piece::Block(locals, pieces, RESULT.into()));
    program
}

/// The text of a program, whose last piece is the body that stands there.
pub fn source(program: &[Piece], place: Where) -> Source {
    let mut texts: Vec<String> = program.iter().map(Piece::text).collect();
    let body = texts.pop().unwrap_or_default();
    let before = texts.join("\n") + "\n";
    Source {
        place,
        before,
        body,
    }
}

/// Programs that are a little smaller: without a piece.
pub fn smaller(program: &[Piece]) -> Vec<Program> {
    let mut all = Vec::new();
    for (at, piece) in program.iter().enumerate() {
        for new in piece.smaller() {
            let mut changed = program.to_vec();
            changed[at] = new;
            all.push(changed);
        }
    }
    all
}

impl Piece {
    fn text(&self) -> String {
        match self {
            Piece::Line(text) => text.clone(),
            Piece::Block(opening, inside, closing) => {
                let inside: String = inside.iter().map(Piece::text).collect();
                format!("{opening}{inside}{closing}")
            }
        }
    }

    fn smaller(&self) -> Vec<Piece> {
        let Piece::Block(opening, inside, closing) = self else {
            return vec![];
        };
        let with = |inside| Piece::Block(opening.clone(), inside, closing.clone());
        let mut all = Vec::new();
        for at in 0..inside.len() {
            let mut fewer = inside.clone();
            fewer.remove(at);
            all.push(with(fewer));
            for new in inside[at].smaller() {
                let mut changed = inside.clone();
                changed[at] = new;
                all.push(with(changed));
            }
        }
        all
    }
}

/// Makes statements.
struct Maker {
    scope: Scope,
    depth: usize,
    /// Statements that may still be made.
    budget: usize,
    in_loop: bool,
    /// The steps of the loops around, and `None` for a loop or `switch` without one.
    steps: Vec<Option<String>>,
    n_labels: usize,
    /// Labels that a `goto` may name here.
    labels: Vec<usize>,
    is_function: bool,
}

impl Maker {
    fn function(&mut self, name: String) -> Piece {
        let scope = &mut self.scope;
        let uses: Names = scope.pick(&[A | R, RING | R, R, RING, A | RING | R, R, RING | R]);
        let other = scope.pick(&["short", "long long", "unsigned char", "unsigned"]);
        let referred = scope.pick(&["int", "int", other]);
        let by_reference = scope.is_cpp && scope.below(4) > 0;
        // The pointer of the caller may walk, too.
        let walks_outside = uses & RING != 0 && scope.below(2) == 0;
        let pointer = match (walks_outside, scope.is_cpp) {
            (true, true) => "int *&p",
            (true, false) => "int **p",
            (false, _) => "int *p",
        };
        let is_behind = walks_outside && !scope.is_cpp;
        scope.enter(
            uses,
            Some((referred, by_reference)),
            if is_behind { "(*p)" } else { "p" },
        );
        let (first, second) = (scope.pick(PASSED), scope.pick(PASSED));
        // What is only read may stand for its argument, until something changes that.
        let reads_first = scope.below(2) == 0;
        let vars = [(first, "s"), (second, "m"), ("int", "x"), (other, "z")];
        for (ty, name) in vars.into_iter().skip(usize::from(reads_first)) {
            scope.add_var(ty, name.into());
        }
        scope.calls_left = 2;
        let result = scope.pick(RETURNED);
        let sign = match (by_reference, scope.fault) {
            (true, Some(Fault::ReferenceByValue)) => " ",
            (true, _) => " &",
            (false, _) => " *",
        };
        let mut opening = format!(
            "static {result} {name}(int *a, int *ring, {pointer}, {first} s, {second} m, {referred}{sign}r) \
             {{ int fuel = 3, x = {}; {other} z = m; ",
            if reads_first { "1" } else { "s" }
        );
        if uses & RING != 0 {
            opening += "int *q = ring + 22; ";
        }
        self.budget = 5;
        let inside = self.list(4);
        let value = self.scope.value(2);
        let value = self.scope.whole(value);
        let closing = match reads_first {
            true => format!("x = {value}; return x * 5 + s; }}"),
            false => format!("return {value}; }}"),
        };
        let (reads, writes) = self.scope.effects;
        let outside = A | RING | R | if walks_outside { P } else { 0 };
        self.scope.callees.push(Callee {
            name,
            referred,
            by_reference,
            uses_ring: uses & RING != 0,
            walks_outside,
            reads: reads & outside,
            writes: writes & outside,
        });
        Piece::Block(opening, inside, closing)
    }

    fn list(&mut self, at_most: usize) -> Vec<Piece> {
        let mut list = Vec::new();
        for _ in 0..=self.scope.below(at_most) {
            if self.budget > 0 {
                self.budget -= 1;
                list.push(self.statement());
            }
        }
        list
    }

    fn inside(&mut self) -> Vec<Piece> {
        self.depth += 1;
        let list = self.list(3);
        self.depth -= 1;
        list
    }

    fn body_of_loop(&mut self, step: Option<String>) -> Vec<Piece> {
        let before = std::mem::replace(&mut self.in_loop, true);
        self.steps.push(step);
        let list = self.inside();
        self.steps.pop();
        self.in_loop = before;
        list
    }

    fn condition(&mut self, depth: usize) -> String {
        let value = self.scope.value(depth);
        self.scope.whole(value)
    }

    fn effect(&mut self, depth: usize) -> String {
        let value = self.scope.effect(depth);
        self.scope.whole(value)
    }

    fn statement(&mut self) -> Piece {
        let nests = self.depth < 3;
        match self.scope.below(18) {
            0 | 1 if nests => {
                let cond = self.condition(2);
                let head = format!("if ({cond}) {{ ");
                let then = self.inside();
                if self.scope.below(2) == 0 {
                    return Piece::Block(head, then, "} ".into());
                }
                let then = Piece::Block(String::new(), then, "} else { ".into());
                let otherwise = Piece::Block(String::new(), self.inside(), String::new());
                Piece::Block(head, vec![then, otherwise], "} ".into())
            }
            2 | 3 if nests => self.for_loop(),
            4 if nests => {
                let head = format!("while (fuel-- > 0 && {}) {{ ", self.condition(2));
                Piece::Block(head, self.body_of_loop(None), "} ".into())
            }
            5 if nests => {
                let body = self.body_of_loop(None);
                let tail = format!("}} while ({} && fuel-- > 0); ", self.condition(1));
                Piece::Block("do { ".into(), body, tail)
            }
            6 if nests => self.switch(),
            7 if nests => {
                let label = self.n_labels;
                self.n_labels += 1;
                self.labels.push(label);
                let inside = self.inside();
                self.labels.pop();
                Piece::Block("{ ".into(), inside, format!("l{label}: ; }} "))
            }
            8 | 9 if !self.steps.is_empty() => {
                let step = self.steps.last().cloned().flatten();
                match (step, self.scope.fault) {
                    (Some(step), Some(Fault::StepAfterBreak)) => {
                        self.jump(&format!("{{ {step}; break; }} "))
                    }
                    _ => self.jump("break; "),
                }
            }
            14 | 15 if nests => self.named_results(),
            10 if self.in_loop => self.jump("continue; "),
            11 | 12 if self.is_function => {
                let value = self.condition(2);
                self.jump(&format!("return {value}; "))
            }
            13 if !self.labels.is_empty() => {
                let at = self.scope.below(self.labels.len());
                let label = self.labels[at];
                self.jump(&format!("goto l{label}; "))
            }
            _ => Piece::Line(format!("{}; ", self.effect(3))),
        }
    }

    /// The result of a call gets a name, and what has that name gets another one.
    fn named_results(&mut self) -> Piece {
        let number = self.scope.n_vars();
        let (first, second) = (format!("v{number}"), format!("v{}", number + 1));
        let ty = self.scope.pick(RETURNED);
        let call = self.scope.call(2);
        let call = self.scope.whole(call);
        let head = match self.scope.below(5) {
            0 => format!("{{ {ty} {first} = {call}; {ty} {second} = {first}; "),
            1 => format!("{{ {ty} {first} = {call}; {ty} {second}; {second} = {first}; "),
            2 => format!("{{ {ty} {second}, {first}; {first} = {call}; {second} = {first}; "),
            3 => format!("{{ {ty} {second}, {first}; {second} = {first} = {call}; "),
            _ => format!("{{ {ty} {first} = {call}; (void){first}; {ty} {second} = 7; "),
        };
        self.scope.add_var(ty, first.clone());
        self.scope.add_var(ty, second.clone());
        let inside = self.inside();
        self.scope.remove_var();
        self.scope.remove_var();
        let tail = format!("x += {first} * 3 + {second}; }} ");
        Piece::Block(head, inside, tail)
    }

    fn jump(&mut self, jump: &str) -> Piece {
        Piece::Line(format!("if ({}) {jump}", self.condition(2)))
    }

    fn for_loop(&mut self) -> Piece {
        let number = self.scope.n_vars();
        let name = format!("i{number}");
        let ty = self.scope.pick(COUNTERS);
        let first = self.scope.below(3);
        self.scope.add_var(ty, name.clone());
        let bound = 3 + self.scope.below(4);
        let cond = match self.scope.below(3) {
            0 => self.condition(2),
            _ => format!("{name} < {bound}"),
        };
        let step = match self.scope.below(5) {
            0 => format!("{name}++"),
            1 | 2 => format!("{name}++, {}", self.effect(1)),
            _ => self.effect(2),
        };
        let head = format!("for ({ty} {name} = {first}; ({cond}) && fuel-- > 0; {step}) {{ ");
        let body = self.body_of_loop(Some(step));
        self.scope.remove_var();
        Piece::Block(head, body, "} ".into())
    }

    fn switch(&mut self) -> Piece {
        let head = format!("switch ((int)({} & 3)) {{ ", self.condition(2));
        let mut labels = vec!["case 0: ", "case 1: ", "case 2: ", "default: "];
        let mut cases = Vec::new();
        self.steps.push(None);
        for _ in 0..=self.scope.below(4) {
            let label = labels.remove(self.scope.below(labels.len()));
            let inside = self.inside();
            let ends = self.scope.below(3) > 0;
            let tail = if ends { "break; " } else { "; " };
            cases.push(Piece::Block(label.into(), inside, tail.into()));
        }
        self.steps.pop();
        Piece::Block(head, cases, "} ".into())
    }
}
