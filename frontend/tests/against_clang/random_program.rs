//! Random programs of C++17 and C in which the order of evaluation shows: assignments, steps and calls as
//! expressions, in subscripts, conditions and the heads of loops, under all jumps. Programs are trees, so that one
//! that fails can be made smaller.
//!
//! What the language leaves open is avoided while a program is made: operands without an order touch different
//! variables and arrays. Loops are bounded by a store of fuel; subscripts and shifts are masked; divisors are odd.

use std::fmt::Write;

/// Which variables and arrays: a bit each.
type Names = u32;

#[derive(Clone, Debug)]
pub enum Value {
    Number(i64),
    Var(usize),
    /// An element, at any index.
    Element(usize, Box<Value>),
    Unary(&'static str, Box<Value>),
    Binary(&'static str, Box<Value>, Box<Value>),
    /// `++x`, `x++`, and down; what is stepped is a place.
    Step(bool, &'static str, Box<Value>),
    Assign(&'static str, Box<Value>, Box<Value>),
    Choice(Box<Value>, Box<Value>, Box<Value>),
    Call(&'static str, Vec<Value>),
    Cast(&'static str, Box<Value>),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Effect(Value),
    If(Value, Vec<Statement>, Vec<Statement>),
    /// The variable it declares, if it does; what it is first; the condition; the step; the body.
    For(
        Option<usize>,
        Value,
        Option<Value>,
        Option<Value>,
        Vec<Statement>,
    ),
    While(Value, Vec<Statement>),
    Do(Vec<Statement>, Value),
    /// Cases: their label (`None`: `default`), their statements, whether they end in `break`.
    Switch(Value, Vec<(Option<i64>, Vec<Statement>, bool)>),
    Break,
    Continue,
    Return(Value),
    /// A block with a label at its end, to which `Goto`s inside go.
    Forward(usize, Vec<Statement>),
    /// A block that is repeated while the condition holds, by a `goto`.
    Backward(usize, Vec<Statement>, Value),
    Goto(usize),
}

/// The names of variables, in the order of their numbers; behind them come counters of loops.
const VARS: &[(&str, &str)] = &[
    ("int", "x"),
    ("int", "y"),
    ("unsigned", "u"),
    ("unsigned char", "c"),
    ("signed char", "d"),
    ("short", "h"),
    ("unsigned short", "k"),
    ("long long", "w"),
    ("unsigned long long", "v"),
    ("int", "z"),
];
const N_VARS: usize = VARS.len();
const N_COUNTERS: usize = 12;
const COUNTER_TYPES: &[&str] = &["int", "unsigned", "signed char", "long long", "short"];
const ARRAYS: &[(&str, usize)] = &[("a", 16), ("q", 8), ("t", 4)];
const FIRST_ARRAY: usize = N_VARS + N_COUNTERS;

/// What programs call: `poke` changes the array `a`, `bump` the variable `z`.
pub const PRELUDE: &str = "
static int pure(int p, int q) { if (p < q) return q - p; return p ^ q; }
static int poke(int *p, int i) { if (p[i & 15] > 90) { p[i & 15] = 0; return i; } return p[i & 15]++; }
static long long wide(long long p, unsigned char q) { for (int i = 0; i < 3; i++) { if (p > q) break; p += q + 1; } return p; }
";

/// What stands in front of every body.
fn locals(is_cpp: bool) -> String {
    let mut text = String::from("int fuel = 40; ");
    for (number, (ty, name)) in VARS.iter().enumerate() {
        let _ = write!(text, "{ty} {name} = n + {number}; ");
    }
    text += "short q[8] = {3, -1, 4, 1}; unsigned char t[4] = {250, 2}; ";
    if is_cpp {
        // A reference and a closure: other ways to the same variables.
        text += "int &r = y; auto bump = [&](int by) { z += by; return z; }; ";
    }
    text
}

/// What a program gives: a little of everything.
fn result() -> String {
    let mut text = String::from("return ");
    for (number, (_, name)) in VARS.iter().enumerate() {
        let _ = write!(text, "(long long){name} * {} + ", 2 * number + 1);
    }
    text + "q[0] + q[3] * 5 + q[7] * 7 + t[0] * 11 + t[1] * 13 + t[3] * 17 + fuel;"
}

/// The text of a function's body.
pub fn text(body: &[Statement], is_cpp: bool) -> String {
    let mut text = locals(is_cpp);
    print(body, &mut text);
    text + &result()
}

fn name(var: usize) -> String {
    match VARS.get(var) {
        Some((_, name)) => (*name).to_string(),
        None => format!("i{}", var - N_VARS),
    }
}

fn print(list: &[Statement], text: &mut String) {
    for statement in list {
        match statement {
            Statement::Effect(value) => *text += &format!("{}; ", value.text()),
            Statement::If(cond, then, otherwise) => {
                *text += &format!("if ({}) {{ ", cond.text());
                print(then, text);
                *text += "} ";
                if !otherwise.is_empty() {
                    *text += "else { ";
                    print(otherwise, text);
                    *text += "} ";
                }
            }
            Statement::For(declared, init, cond, step, body) => {
                let init = match declared {
                    Some(var) => {
                        let ty = COUNTER_TYPES[var % COUNTER_TYPES.len()];
                        format!("{ty} {} = {}", name(*var), init.text())
                    }
                    None => init.text(),
                };
                let cond = cond
                    .as_ref()
                    .map(|c| format!("({}) && fuel-- > 0", c.text()));
                let step = step.as_ref().map(Value::text).unwrap_or_default();
                *text += &format!(
                    "for ({init}; {}; {step}) {{ ",
                    cond.clone().unwrap_or_default()
                );
                if cond.is_none() {
                    *text += "if (fuel-- <= 0) break; ";
                }
                print(body, text);
                *text += "} ";
            }
            Statement::While(cond, body) => {
                *text += &format!("while (fuel-- > 0 && {}) {{ ", cond.text());
                print(body, text);
                *text += "} ";
            }
            Statement::Do(body, cond) => {
                *text += "do { ";
                print(body, text);
                *text += &format!("}} while ({} && fuel-- > 0); ", cond.text());
            }
            Statement::Switch(value, cases) => {
                *text += &format!("switch ({}) {{ ", value.text());
                for (label, body, breaks) in cases {
                    match label {
                        Some(label) => *text += &format!("case {label}: "),
                        None => *text += "default: ",
                    }
                    print(body, text);
                    *text += if *breaks { "break; " } else { "; " };
                }
                *text += "} ";
            }
            Statement::Break => *text += "break; ",
            Statement::Continue => *text += "continue; ",
            Statement::Return(value) => *text += &format!("return {}; ", value.text()),
            Statement::Forward(label, body) => {
                *text += "{ ";
                print(body, text);
                *text += &format!("l{label}: ; }} ");
            }
            Statement::Backward(label, body, cond) => {
                *text += &format!("{{ l{label}: ; ");
                print(body, text);
                *text += &format!("if (fuel-- > 0 && {}) goto l{label}; }} ", cond.text());
            }
            Statement::Goto(label) => *text += &format!("goto l{label}; "),
        }
    }
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Number(n) => n.to_string(),
            Value::Var(var) => name(*var),
            Value::Element(array, index) => {
                let (array, len) = ARRAYS[*array];
                format!("{array}[({}) & {}]", index.text(), len - 1)
            }
            Value::Unary(op, a) => format!("({op} {})", a.text()),
            Value::Binary(op @ ("<<" | ">>"), a, b) => {
                format!("({} {op} ({} & 7))", a.text(), b.text())
            }
            Value::Binary(op @ ("/" | "%"), a, b) => {
                format!("({} {op} (int)(({} & 6) | 1))", a.text(), b.text())
            }
            Value::Binary(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Value::Step(true, op, place) => format!("({}{op})", place.text()),
            Value::Step(false, op, place) => format!("({op}{})", place.text()),
            Value::Assign(op, place, value) => format!("({} {op} {})", place.text(), value.text()),
            Value::Choice(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
            Value::Call(function, args) => {
                let args: Vec<String> = args.iter().map(Value::text).collect();
                let array = if *function == "poke" { "a, " } else { "" };
                format!("{function}({array}{})", args.join(", "))
            }
            Value::Cast(ty, a) => format!("(({ty}){})", a.text()),
        }
    }

    fn children(&self) -> Vec<&Value> {
        match self {
            Value::Number(_) | Value::Var(_) => vec![],
            Value::Element(_, a) | Value::Unary(_, a) | Value::Cast(_, a) => vec![a],
            Value::Step(_, _, a) => vec![a],
            Value::Binary(_, a, b) | Value::Assign(_, a, b) => vec![a, b],
            Value::Choice(a, b, c) => vec![a, b, c],
            Value::Call(_, args) => args.iter().collect(),
        }
    }

    /// The bit of what a place is.
    fn target(&self) -> Names {
        match self {
            Value::Var(var) => 1 << var,
            Value::Element(array, _) => 1 << (FIRST_ARRAY + array),
            // An assignment, or a step, as a place.
            Value::Assign(_, place, _) | Value::Step(_, _, place) => place.target(),
            _ => 0,
        }
    }

    /// What evaluating it may change.
    fn changes(&self) -> Names {
        let own = match self {
            Value::Step(_, _, place) | Value::Assign(_, place, _) => place.target(),
            Value::Call("poke", _) => 1 << FIRST_ARRAY,
            Value::Call("bump", _) => 1 << 9,
            _ => 0,
        };
        self.children()
            .iter()
            .fold(own, |all, child| all | child.changes())
    }

    /// What it mentions.
    fn touches(&self) -> Names {
        let own = match self {
            Value::Call(..) => self.changes(),
            _ => self.target(),
        };
        self.children()
            .iter()
            .fold(own, |all, child| all | child.touches())
    }

    /// Smaller values to try instead.
    fn smaller(&self) -> Vec<Value> {
        let mut all: Vec<Value> = self.children().into_iter().cloned().collect();
        if !matches!(self, Value::Number(_)) {
            all.push(Value::Number(1));
        }
        let n = self.children().len();
        for at in 0..n {
            let is_place = matches!(self, Value::Step(..) | Value::Assign(..)) && at == 0;
            for child in self.children()[at].smaller() {
                let fits = !is_place || matches!(child, Value::Var(_) | Value::Element(..));
                if fits {
                    all.push(self.with_child(at, child));
                }
            }
        }
        all
    }

    fn with_child(&self, at: usize, child: Value) -> Value {
        let mut copy = self.clone();
        let slot: &mut Value = match (&mut copy, at) {
            (Value::Element(_, a) | Value::Unary(_, a) | Value::Cast(_, a), _) => a,
            (Value::Step(_, _, a), _) => a,
            (Value::Binary(_, a, _) | Value::Assign(_, a, _) | Value::Choice(a, _, _), 0) => a,
            (Value::Binary(_, _, b) | Value::Assign(_, _, b) | Value::Choice(_, b, _), 1) => b,
            (Value::Choice(_, _, c), _) => c,
            (Value::Call(_, args), at) => &mut args[at],
            _ => return copy,
        };
        *slot = child;
        copy
    }
}

/// Programs that are a little smaller.
pub fn smaller(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for at in 0..body.len() {
        let with = |new: Vec<Statement>| {
            let mut list = body[..at].to_vec();
            list.extend(new);
            list.extend_from_slice(&body[at + 1..]);
            list
        };
        all.push(with(vec![]));
        for new in smaller_statement(&body[at]) {
            all.push(with(new));
        }
    }
    all
}

fn smaller_statement(statement: &Statement) -> Vec<Vec<Statement>> {
    use Statement as S;
    let one = |s: Statement| vec![s];
    match statement {
        S::Effect(v) => v.smaller().into_iter().map(|v| one(S::Effect(v))).collect(),
        S::Return(v) => v.smaller().into_iter().map(|v| one(S::Return(v))).collect(),
        S::If(c, a, b) => {
            let mut all = vec![a.clone(), b.clone(), one(S::Effect(c.clone()))];
            all.extend(
                c.smaller()
                    .into_iter()
                    .map(|c| one(S::If(c, a.clone(), b.clone()))),
            );
            all.extend(
                smaller(a)
                    .into_iter()
                    .map(|a| one(S::If(c.clone(), a, b.clone()))),
            );
            all.extend(
                smaller(b)
                    .into_iter()
                    .map(|b| one(S::If(c.clone(), a.clone(), b))),
            );
            all
        }
        S::For(var, init, cond, step, body) => {
            let make = |init: &Value, cond: &Option<Value>, step: &Option<Value>, body: &[S]| {
                one(S::For(
                    *var,
                    init.clone(),
                    cond.clone(),
                    step.clone(),
                    body.to_vec(),
                ))
            };
            let mut all = Vec::new();
            all.extend(
                smaller(body)
                    .iter()
                    .map(|body| make(init, cond, step, body)),
            );
            all.extend(
                init.smaller()
                    .iter()
                    .map(|init| make(init, cond, step, body)),
            );
            for c in cond.iter().flat_map(Value::smaller) {
                all.push(make(init, &Some(c), step, body));
            }
            for s in step.iter().flat_map(Value::smaller) {
                all.push(make(init, cond, &Some(s), body));
            }
            if step.is_some() {
                all.push(make(init, cond, &None, body));
            }
            all
        }
        S::While(c, body) => {
            let mut all = vec![one(S::Effect(c.clone()))];
            all.extend(
                c.smaller()
                    .into_iter()
                    .map(|c| one(S::While(c, body.clone()))),
            );
            all.extend(
                smaller(body)
                    .into_iter()
                    .map(|b| one(S::While(c.clone(), b))),
            );
            all
        }
        S::Do(body, c) => {
            let mut all = vec![one(S::Effect(c.clone()))];
            all.extend(c.smaller().into_iter().map(|c| one(S::Do(body.clone(), c))));
            all.extend(smaller(body).into_iter().map(|b| one(S::Do(b, c.clone()))));
            all
        }
        S::Switch(v, cases) => {
            let mut all = vec![one(S::Effect(v.clone()))];
            all.extend(
                v.smaller()
                    .into_iter()
                    .map(|v| one(S::Switch(v, cases.clone()))),
            );
            for at in 0..cases.len() {
                let mut fewer = cases.clone();
                fewer.remove(at);
                all.push(one(S::Switch(v.clone(), fewer)));
                for body in smaller(&cases[at].1) {
                    let mut changed = cases.clone();
                    changed[at].1 = body;
                    all.push(one(S::Switch(v.clone(), changed)));
                }
            }
            all
        }
        S::Forward(label, body) => {
            let shorter = smaller(body).into_iter();
            shorter.map(|b| one(S::Forward(*label, b))).collect()
        }
        S::Backward(label, body, c) => {
            let mut all: Vec<Vec<S>> = Vec::new();
            all.extend(
                smaller(body)
                    .into_iter()
                    .map(|b| one(S::Backward(*label, b, c.clone()))),
            );
            all.extend(
                c.smaller()
                    .into_iter()
                    .map(|c| one(S::Backward(*label, body.clone(), c))),
            );
            all
        }
        S::Break | S::Continue | S::Goto(_) => vec![],
    }
}

/// Makes programs.
struct Maker {
    seed: u64,
    is_cpp: bool,
    /// Counters in scope.
    counters: Vec<usize>,
    n_counters: usize,
    n_labels: usize,
    /// Labels that a `goto` may name here.
    labels: Vec<usize>,
    in_loop: bool,
    in_switch: bool,
    depth: usize,
    budget: usize,
}

/// Program number `seed`.
pub fn program(seed: u64, is_cpp: bool) -> Vec<Statement> {
    let mut maker = Maker {
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        is_cpp,
        counters: Vec::new(),
        n_counters: 0,
        n_labels: 0,
        labels: Vec::new(),
        in_loop: false,
        in_switch: false,
        depth: 0,
        budget: 12,
    };
    for _ in 0..20 {
        maker.below(2);
    }
    maker.list(5)
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn list(&mut self, at_most: usize) -> Vec<Statement> {
        let mut list = Vec::new();
        for _ in 0..=self.below(at_most) {
            if self.budget > 0 {
                self.budget -= 1;
                list.push(self.statement());
            }
        }
        list
    }

    fn inside(&mut self, is_loop: bool) -> Vec<Statement> {
        let before = (self.in_loop, self.in_switch);
        if is_loop {
            (self.in_loop, self.in_switch) = (true, false);
        }
        self.depth += 1;
        let list = self.list(3);
        self.depth -= 1;
        (self.in_loop, self.in_switch) = before;
        list
    }

    fn statement(&mut self) -> Statement {
        let nests = self.depth < 3;
        match self.below(16) {
            0 | 1 => {
                let cond = self.value(2);
                let then = self.inside(false);
                let otherwise = match self.below(2) {
                    0 => self.inside(false),
                    _ => vec![],
                };
                Statement::If(cond, then, otherwise)
            }
            2 | 3 if nests => self.for_loop(),
            4 if nests => {
                let cond = self.value(2);
                Statement::While(cond, self.inside(true))
            }
            5 if nests => {
                let body = self.inside(true);
                Statement::Do(body, self.value(2))
            }
            6 if nests => self.switch(),
            7 if nests => {
                let label = self.n_labels;
                self.n_labels += 1;
                // Back without fuel nobody goes.
                if self.below(3) == 0 {
                    let body = self.inside(false);
                    return Statement::Backward(label, body, self.value(1));
                }
                self.labels.push(label);
                let body = self.inside(false);
                self.labels.pop();
                Statement::Forward(label, body)
            }
            8 | 9 if self.in_loop || self.in_switch => self.jump(Statement::Break),
            10 if self.in_loop => self.jump(Statement::Continue),
            11 => {
                let value = self.value(2);
                self.jump(Statement::Return(value))
            }
            12 if !self.labels.is_empty() => {
                let at = self.below(self.labels.len());
                let label = self.labels[at];
                self.jump(Statement::Goto(label))
            }
            _ => Statement::Effect(self.effect(3)),
        }
    }

    fn jump(&mut self, jump: Statement) -> Statement {
        Statement::If(self.value(2), vec![jump], vec![])
    }

    fn for_loop(&mut self) -> Statement {
        let declares = self.n_counters < N_COUNTERS && self.below(4) > 0;
        let init = match declares {
            true => Value::Number(self.below(3) as i64),
            false => self.effect(1),
        };
        let var = declares.then(|| {
            let var = N_VARS + self.n_counters;
            self.n_counters += 1;
            self.counters.push(var);
            var
        });
        let cond = match (var, self.below(5)) {
            (_, 0) => None,
            (Some(var), 1 | 2) => {
                let bound = Value::Number(3 + self.below(5) as i64);
                Some(Value::Binary(
                    "<",
                    Box::new(Value::Var(var)),
                    Box::new(bound),
                ))
            }
            _ => Some(self.value(2)),
        };
        let step = match (var, self.below(5)) {
            (_, 0) => None,
            (Some(var), 1) => Some(Value::Step(
                self.below(2) == 0,
                "++",
                Box::new(Value::Var(var)),
            )),
            // Steps of several, joined by commas.
            (Some(var), 2 | 3) => {
                let own = Value::Step(true, "++", Box::new(Value::Var(var)));
                let other = self.effect(1);
                Some(Value::Binary(",", Box::new(own), Box::new(other)))
            }
            _ => Some(self.effect(2)),
        };
        let body = self.inside(true);
        if var.is_some() {
            self.counters.pop();
        }
        Statement::For(var, init, cond, step, body)
    }

    fn switch(&mut self) -> Statement {
        let value = Value::Binary("&", Box::new(self.value(2)), Box::new(Value::Number(3)));
        let before = self.in_switch;
        self.in_switch = true;
        let mut labels: Vec<Option<i64>> = vec![Some(0), Some(1), Some(2), Some(3), None];
        let mut cases = Vec::new();
        for _ in 0..=self.below(4) {
            let label = labels.remove(self.below(labels.len()));
            self.depth += 1;
            let body = self.list(2);
            self.depth -= 1;
            cases.push((label, body, self.below(3) > 0));
        }
        self.in_switch = before;
        Statement::Switch(Value::Cast("int", Box::new(value)), cases)
    }

    fn place(&mut self, depth: usize) -> Value {
        match self.below(3) {
            0 => {
                let array = self.below(ARRAYS.len());
                self.element(array, depth.saturating_sub(1))
            }
            _ => self.variable(),
        }
    }

    /// An element; what its index changes is not the array, which could be the element itself.
    fn element(&mut self, array: usize, depth: usize) -> Value {
        let index = self.value(depth);
        let index = match index.changes() & 1 << (FIRST_ARRAY + array) {
            0 => index,
            _ => self.leaf(),
        };
        Value::Element(array, Box::new(index))
    }

    fn variable(&mut self) -> Value {
        match self.counters.last().copied() {
            Some(counter) if self.below(4) == 0 => Value::Var(counter),
            _ => Value::Var(self.below(N_VARS)),
        }
    }

    /// An expression that changes something.
    fn effect(&mut self, depth: usize) -> Value {
        let d = depth.saturating_sub(1);
        match self.below(6) {
            0 => Value::Step(
                self.below(2) == 0,
                self.pick(&["++", "--"]),
                Box::new(self.place(d)),
            ),
            1 if self.is_cpp && self.below(2) == 0 => Value::Call("bump", vec![self.value(d)]),
            1 => Value::Call("poke", vec![self.value(d)]),
            // An assignment as a place.
            2 if self.is_cpp && self.below(3) == 0 => {
                let inner = Value::Assign("=", Box::new(self.place(d)), Box::new(self.value(d)));
                let value = self.value(d);
                self.assigned("+=", inner, value)
            }
            _ => {
                let op = self.pick(&["=", "=", "=", "+=", "-=", "*=", "^=", "|=", "&="]);
                let (place, value) = (self.place(d), self.value(d));
                self.assigned(op, place, value)
            }
        }
    }

    /// An assignment, or something simpler where C gives its sides no order.
    fn assigned(&mut self, op: &'static str, place: Value, value: Value) -> Value {
        let both = Value::Assign(op, Box::new(place), Box::new(value));
        if self.is_cpp {
            return both;
        }
        let Value::Assign(_, place, value) = &both else {
            return both;
        };
        let inner: Names = place.children().iter().fold(0, |all, c| all | c.changes());
        let meets = inner & value.touches() != 0 || value.changes() & place.touches() != 0;
        match meets || inner & place.target() != 0 {
            true => Value::Assign(op, Box::new(Value::Var(0)), Box::new(Value::Number(5))),
            false => both,
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        if depth == 0 || self.below(5) == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.below(12) {
            0 | 1 => self.effect(d),
            2 => Value::Choice(
                Box::new(self.value(d)),
                Box::new(self.value(d)),
                Box::new(self.value(d)),
            ),
            3 => {
                let op = self.pick(&["&&", "||", ","]);
                Value::Binary(op, Box::new(self.value(d)), Box::new(self.value(d)))
            }
            4 => {
                let op = self.pick(&["<<", ">>"]);
                let (a, b) = (self.value(d), self.value(d));
                match self.is_cpp {
                    true => Value::Binary(op, Box::new(a), Box::new(b)),
                    false => self.apart(op, a, b),
                }
            }
            5 => Value::Unary(self.pick(&["-", "~", "!"]), Box::new(self.value(d))),
            6 => {
                let (a, b) = (self.value(d), self.value(d));
                match Self::meet(&a, &b) {
                    true => Value::Call("pure", vec![a, Value::Number(4)]),
                    false => Value::Call(self.pick(&["pure", "wide"]), vec![a, b]),
                }
            }
            7 => {
                let types = [
                    "int",
                    "unsigned char",
                    "short",
                    "long long",
                    "unsigned",
                    "bool",
                ];
                let ty = self.pick(if self.is_cpp { &types } else { &types[..5] });
                Value::Cast(ty, Box::new(self.value(d)))
            }
            8 => {
                let array = self.below(ARRAYS.len());
                self.element(array, d)
            }
            _ => {
                let all = [
                    "+", "-", "*", "&", "|", "^", "/", "%", "<", "<=", "==", "!=", ">", ">=",
                ];
                let op = self.pick(&all);
                let (a, b) = (self.value(d), self.value(d));
                self.apart(op, a, b)
            }
        }
    }

    fn meet(a: &Value, b: &Value) -> bool {
        a.changes() & b.touches() != 0 || b.changes() & a.touches() != 0
    }

    /// An operator without an order: where its operands meet, one is left out.
    fn apart(&mut self, op: &'static str, a: Value, b: Value) -> Value {
        match Self::meet(&a, &b) {
            true => Value::Binary(op, Box::new(a), Box::new(Value::Number(3))),
            false => Value::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    fn leaf(&mut self) -> Value {
        match self.below(6) {
            0 => Value::Number(self.below(40) as i64),
            1 => Value::Element(
                self.below(3),
                Box::new(Value::Number(self.below(16) as i64)),
            ),
            _ => self.variable(),
        }
    }
}
