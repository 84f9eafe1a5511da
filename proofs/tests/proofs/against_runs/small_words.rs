//! Random pairs of kernels whose inputs are two words of four bits, at a launch: what is proved is so for all 256 inputs, what
//! the solver suspects is so for the inputs that it names. Most kernels are free of defects; one of a pair is the other,
//! changed in steps that keep what it does and, in two of three pairs, in some that seldom do.

use super::Rng;
use super::host_code::is_clean;
use crate::cuda::support::parse;
use gridlock_checker::canonical::{self, CanonicalResult};
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest, is_safe};
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, FloatLaws, Inputs, Observed, Side, Unknowns, equivalent,
};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::fmt::Write;
use std::time::Duration;

/// Threads of the block, elements of shared memory, and half the cells of what is left.
const N: u64 = 4;
/// Values of a word.
const WORD: u64 = 16;
/// Pairs that are read together.
const TOGETHER: u64 = 25;

#[derive(Clone)]
enum Expr {
    Leaf(String),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Shared(Box<Expr>),
}

#[derive(Clone)]
enum Step {
    Set(&'static str, Expr),
    Out(Expr, Expr),
    Put(Expr, Expr),
    Sum(Expr),
    Barrier,
    If(Expr, Vec<Step>, Vec<Step>),
    Repeat(u64, Vec<Step>),
    Leave(Expr),
}

use Expr::{Binary, Choice, Leaf, Not, Shared};

const OPERATORS: [&str; 17] = [
    "+", "+", "-", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||", "/", "%", ">>",
];

fn leaf(text: impl ToString) -> Expr {
    Leaf(text.to_string())
}

fn boxed(op: &'static str, a: Expr, b: Expr) -> Expr {
    Binary(op, Box::new(a), Box::new(b))
}

fn expr(rng: &mut Rng, depth: u32) -> Expr {
    if depth == 0 || rng.roll(5) == 0 {
        return match rng.roll(24) {
            0..=5 => leaf("x"),
            6..=10 => leaf("y"),
            11..=13 => leaf("t"),
            14..=16 => leaf("u"),
            17..=18 => leaf("v"),
            19 => match rng.roll(12) {
                0 => leaf("w"),
                _ => leaf("i"),
            },
            _ => leaf(rng.roll(WORD)),
        };
    }
    match rng.roll(12) {
        0 => Not(Box::new(expr(rng, depth - 1))),
        1 => Choice(
            Box::new(expr(rng, depth - 1)),
            Box::new(expr(rng, depth - 1)),
            Box::new(expr(rng, depth - 1)),
        ),
        2 => Shared(Box::new(place(rng))),
        _ => {
            let op = *rng.pick(&OPERATORS);
            let (a, b) = (expr(rng, depth - 1), expr(rng, depth - 1));
            match op {
                // Seldom by what may be 0, or so far that nothing is left.
                "/" | "%" if rng.roll(30) > 0 => {
                    boxed(op, a, boxed("+", boxed("&", b, leaf(7)), leaf(1)))
                }
                ">>" if rng.roll(30) > 0 => boxed(op, a, boxed("&", b, leaf(3))),
                _ => boxed(op, a, b),
            }
        }
    }
}

/// A place among four, now and then outside.
fn place(rng: &mut Rng) -> Expr {
    match rng.roll(16) {
        0..=6 => leaf("t"),
        7..=9 => boxed("&", boxed("+", leaf("t"), leaf(1 + rng.roll(3))), leaf(3)),
        10..=11 => boxed("^", leaf("t"), leaf(1 + rng.roll(3))),
        12 => boxed("&", expr(rng, 1), leaf(3)),
        13 => leaf(rng.roll(N)),
        14 => boxed(">>", expr(rng, 0), leaf(2)),
        _ => match rng.roll(4) {
            0 => expr(rng, 1),
            _ => leaf("t"),
        },
    }
}

/// Where a thread writes, mostly its own.
fn own(rng: &mut Rng) -> Expr {
    match rng.roll(12) {
        0 => place(rng),
        1 => boxed("-", leaf(N - 1), leaf("t")),
        _ => leaf("t"),
    }
}

fn steps(rng: &mut Rng, count: u64, depth: u32) -> Vec<Step> {
    let mut all = Vec::new();
    for _ in 0..count {
        match rng.roll(16) {
            0..=4 => {
                let name = *rng.pick(&["u", "v", "u", "v", "w"]);
                all.push(Step::Set(name, expr(rng, 2)));
            }
            5..=6 => all.push(Step::Out(own(rng), expr(rng, 3))),
            7..=8 if depth == 2 || rng.roll(4) == 0 => {
                // What others read is mostly put between two barriers.
                let fences = if depth == 2 { rng.roll(24) } else { 24 };
                if fences > 0 && depth == 2 {
                    all.push(Step::Barrier);
                }
                all.push(Step::Put(own(rng), expr(rng, 2)));
                if fences > 1 && depth == 2 {
                    all.push(Step::Barrier);
                }
            }
            9 => all.push(Step::Sum(expr(rng, 2))),
            10..=12 if depth > 0 => {
                let cond = expr(rng, 2);
                let then = {
                    let n = 1 + rng.roll(2);
                    steps(rng, n, depth - 1)
                };
                let otherwise = {
                    let n = rng.roll(2);
                    steps(rng, n, depth - 1)
                };
                all.push(Step::If(cond, then, otherwise));
            }
            13 if depth > 0 => {
                let n = 1 + rng.roll(3);
                all.push(Step::Repeat(n, steps(rng, 2, depth - 1)));
            }
            14 if rng.roll(4) == 0 => all.push(Step::Leave(expr(rng, 2))),
            15 if rng.roll(4) == 0 => all.push(Step::Barrier),
            _ => all.push(Step::Set("u", expr(rng, 2))),
        }
    }
    all
}

fn print_expr(e: &Expr, text: &mut String) {
    let mut all = |parts: &[(&str, Option<&Expr>)]| {
        for (plain, inner) in parts {
            text.push_str(plain);
            if let Some(inner) = inner {
                print_expr(inner, text);
            }
        }
    };
    match e {
        Leaf(name) => all(&[(name, None)]),
        Not(a) => all(&[("!(", Some(a)), (")", None)]),
        Binary(op, a, b) => all(&[
            ("(", Some(a)),
            (" ", None),
            (op, None),
            (" ", Some(b)),
            (")", None),
        ]),
        Choice(c, a, b) => all(&[
            ("(", Some(c)),
            (" ? ", Some(a)),
            (" : ", Some(b)),
            (")", None),
        ]),
        Shared(at) => all(&[("s[", Some(at)), ("]", None)]),
    }
}

fn shown(e: &Expr) -> String {
    let mut text = String::new();
    print_expr(e, &mut text);
    text
}

fn print_steps(all: &[Step], indent: usize, text: &mut String) {
    for step in all {
        let pad = " ".repeat(4 * indent);
        let _ = match step {
            Step::Set(name, e) => writeln!(text, "{pad}{name} = {};", shown(e)),
            Step::Out(at, e) => writeln!(text, "{pad}out[{}] = {};", shown(at), shown(e)),
            Step::Put(at, e) => writeln!(text, "{pad}s[{}] = {};", shown(at), shown(e)),
            Step::Sum(e) => writeln!(text, "{pad}atomicAdd(&out[{N}], (int)({}));", shown(e)),
            Step::Barrier => writeln!(text, "{pad}__syncthreads();"),
            Step::Leave(e) => writeln!(text, "{pad}if ({}) return;", shown(e)),
            Step::If(cond, then, otherwise) => {
                let _ = writeln!(text, "{pad}if ({}) {{", shown(cond));
                print_steps(then, indent + 1, text);
                let _ = writeln!(text, "{pad}}} else {{");
                print_steps(otherwise, indent + 1, text);
                writeln!(text, "{pad}}}")
            }
            Step::Repeat(n, body) => {
                let _ = writeln!(text, "{pad}for (int i = 0; i < {n}; i++) {{");
                print_steps(body, indent + 1, text);
                writeln!(text, "{pad}}}")
            }
        };
    }
}

/// The kernel; its variables are of types drawn for the pair.
fn kernel(name: &str, types: [&str; 2], all: &[Step]) -> String {
    let [wide, shared] = types;
    let mut text = format!(
        "__global__ void {name}(int *out, const int *in)\n{{\n    int t = threadIdx.x, i = 0;\n    \
         {wide} x = in[0] & 15, y = in[1] & 15, u = 0, v = 1, w;\n    \
         __shared__ {shared} s[{N}];\n    s[t] = x + t;\n    __syncthreads();\n"
    );
    print_steps(all, 1, &mut text);
    text.push_str("    out[t] += u + v;\n}\n");
    text
}

/// Every expression, in some order.
fn each(all: &mut [Step], see: &mut dyn FnMut(&mut Expr)) {
    fn inside(e: &mut Expr, see: &mut dyn FnMut(&mut Expr)) {
        see(e);
        match e {
            Leaf(_) => {}
            Not(a) | Shared(a) => inside(a, see),
            Binary(_, a, b) => [a, b].into_iter().for_each(|e| inside(e, see)),
            Choice(c, a, b) => [c, a, b].into_iter().for_each(|e| inside(e, see)),
        }
    }
    for step in all {
        match step {
            Step::Set(_, e) | Step::Sum(e) | Step::Leave(e) => inside(e, see),
            Step::Out(at, e) | Step::Put(at, e) => {
                inside(at, see);
                inside(e, see);
            }
            Step::Barrier => {}
            Step::If(cond, then, otherwise) => {
                inside(cond, see);
                each(then, see);
                each(otherwise, see);
            }
            Step::Repeat(_, body) => each(body, see),
        }
    }
}

/// One expression by lot.
fn somewhere(all: &mut [Step], rng: &mut Rng, change: impl FnOnce(&mut Rng, &mut Expr)) {
    let mut n = 0;
    each(all, &mut |_| n += 1);
    if n == 0 {
        return;
    }
    let (chosen, mut at) = (rng.roll(n), 0);
    let mut change = Some(change);
    each(all, &mut |e| {
        if at == chosen
            && let Some(change) = change.take()
        {
            change(rng, e);
        }
        at += 1;
    });
}

/// Another way to write the same, of whole numbers.
fn same(rng: &mut Rng, e: &mut Expr) {
    let old = e.clone();
    *e = match old {
        Binary(op @ ("+" | "*" | "&" | "|" | "^" | "==" | "!="), a, b) => Binary(op, b, a),
        Binary("-", a, b) => boxed("+", *a, boxed("-", leaf(0), *b)),
        Binary("<", a, b) => Not(Box::new(Binary("<=", b, a))),
        Choice(c, a, b) => Choice(Box::new(Not(c)), b, a),
        other => match rng.roll(3) {
            0 => boxed("^", boxed("^", other, leaf(5)), leaf(5)),
            1 => boxed("-", boxed("+", other, leaf("y")), leaf("y")),
            _ => boxed("+", leaf(0), other),
        },
    };
}

/// Something else, perhaps at one input alone.
fn other(rng: &mut Rng, e: &mut Expr) {
    let old = e.clone();
    *e = match (old, rng.roll(3)) {
        (Leaf(_), 0) => leaf(rng.roll(WORD)),
        (Binary(_, a, b), 0) => Binary(OPERATORS[rng.roll(8) as usize], a, b),
        (Choice(c, a, b), 0) => Choice(c, b, a),
        (old, 1) => boxed("+", old, leaf(1)),
        (old, _) => {
            let (x, y) = (rng.roll(WORD), rng.roll(WORD));
            let at = boxed(
                "&&",
                boxed("==", leaf("x"), leaf(x)),
                boxed("==", leaf("y"), leaf(y)),
            );
            Choice(
                Box::new(at),
                Box::new(boxed("-", old.clone(), leaf(1))),
                Box::new(old),
            )
        }
    };
}

/// Steps left out, doubled or exchanged.
fn rearrange(all: &mut Vec<Step>, rng: &mut Rng) {
    if all.is_empty() {
        return;
    }
    let at = rng.roll(all.len() as u64) as usize;
    match rng.roll(4) {
        0 => drop(all.remove(at)),
        1 => all.insert(at, all[at].clone()),
        _ => {
            let other = (at + 1) % all.len();
            all.swap(at, other);
        }
    }
}

fn setup(program: &Program, name: &str, cells: [Vec<u64>; 2]) -> Setup {
    let array = |(name, cells): (&str, Vec<u64>)| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(cells.len() as u64),
        contents: Contents::Values(
            cells
                .iter()
                .map(|bits| Value::Int(ScalarType::I32, *bits))
                .collect(),
        ),
        observed: name == "out",
    };
    Setup {
        entry: program.find_proc(name).expect("the kernel"),
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [N as u32, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0), Arg::Array(1)],
        arrays: ["out", "in"].into_iter().zip(cells).map(array).collect(),
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
    }
}

/// One file of many kernels.
struct File {
    program: Program,
    compiled: Compiled,
}

impl File {
    fn run(&self, name: &str, cells: [Vec<u64>; 2]) -> CanonicalResult {
        let limits = Limits {
            depth: 100_000,
            ..Limits::default()
        };
        let setup = setup(&self.program, name, cells);
        canonical::run(&self.compiled, &setup, &Profile::default(), &limits)
    }

    /// Whether both kernels are free of defects, and leave the same.
    fn are_alike(&self, names: &[String; 2], cells: &[Vec<u64>; 2]) -> ([bool; 2], bool) {
        let runs = names.each_ref().map(|name| self.run(name, cells.clone()));
        let clean = runs.each_ref().map(is_clean);
        let [one, other] = runs.map(|run| run.observation.map(|seen| seen.arrays));
        (clean, one.is_some() && one == other)
    }
}

/// What arrays hold: what is said of cells, and else 0.
fn cells_of(inputs: &Inputs) -> [Vec<u64>; 2] {
    let mut cells = [vec![0; 2 * N as usize], vec![0; 2]];
    for (array, cell, bits) in &inputs.cells {
        let of = &mut cells[usize::from(array == "in")];
        if let Some(held) = of.get_mut(*cell as usize) {
            *held = *bits;
        }
    }
    cells
}

#[derive(Default)]
struct Tally {
    proved: u64,
    changed: u64,
    suspected: u64,
    defective: u64,
    unshown: u64,
    open: u64,
    missed: u64,
}

impl Tally {
    fn add(
        &mut self,
        file: &File,
        names: &[String; 2],
        is_changed: bool,
        text: &dyn Fn() -> String,
    ) {
        let profile = Profile::default();
        let unknowns = Unknowns {
            arrays: ["out", "in"].map(|name| Some(name.to_owned())).to_vec(),
            scalars: vec![None; 2],
            ..Unknowns::default()
        };
        let none = || [vec![0; 2 * N as usize], vec![0; 2]];
        let setups = names
            .each_ref()
            .map(|name| setup(&file.program, name, none()));
        let [old, new] = setups.each_ref().map(|setup| Side {
            program: &file.program,
            setup,
            unknowns: &unknowns,
        });
        let question = EquivalenceRequest {
            profile: &profile,
            observed: vec![(Observed::Argument(0), Observed::Argument(0))],
            related: Vec::new(),
            left_out: Vec::new(),
            floats: FloatLaws::Exact,
            budget: Budget::of_seconds(2.0),
            timeout: Duration::from_secs(4),
            steps: 100_000,
        };
        let all_inputs = |see: &mut dyn FnMut([Vec<u64>; 2])| {
            for word in 0..WORD * WORD {
                // What the cells held before matters no less.
                let out = (0..2 * N).map(|cell| word.wrapping_mul(2 * cell + 1) % 23);
                see([out.collect(), vec![word % WORD, word / WORD]]);
            }
        };
        match equivalent(old, new, &question) {
            Equivalence::Proved => {
                self.proved += 1;
                self.changed += u64::from(is_changed);
                all_inputs(&mut |cells| {
                    let found = file.are_alike(names, &cells);
                    assert_eq!(found, ([true, true], true), "{cells:?}\n{}", text());
                });
                return;
            }
            Equivalence::Suspected { inputs, .. } => {
                self.suspected += 1;
                let found = file.are_alike(names, &cells_of(&inputs));
                assert_eq!(found, ([true, true], false), "{inputs:?}\n{}", text());
            }
            Equivalence::Open { .. } => {
                self.open += 1;
                let (mut are_clean, mut same) = (true, true);
                all_inputs(&mut |cells| {
                    if are_clean && same {
                        let found = file.are_alike(names, &cells);
                        (are_clean, same) = (found.0 == [true, true], found.1);
                    }
                });
                self.missed += u64::from(are_clean && same);
            }
        }
        // One of them by itself: a defect at some input, and none at all.
        let question = SafetyRequest {
            profile: &profile,
            budget: Budget::of_seconds(1.0),
            timeout: Duration::from_secs(2),
            steps: 100_000,
        };
        match is_safe(new, &question) {
            Safety::Safe => all_inputs(&mut |cells| {
                let run = file.run(&names[1], cells.clone());
                assert!(is_clean(&run), "{cells:?} {:?}\n{}", run.findings, text());
            }),
            Safety::Suspected { inputs, .. } => {
                // A barrier that inputs decide about orders nothing in a run on unknown inputs.
                let run = file.run(&names[1], cells_of(&inputs));
                match is_clean(&run) {
                    true => self.unshown += 1,
                    false => self.defective += 1,
                }
            }
            Safety::Open { .. } => {}
        }
    }
}

#[test]
fn pairs_at_all_their_inputs() {
    let (first, count) = (effort::first(1), effort::cases(300, 10_000));
    let mut tally = Tally::default();
    let mut begin = first;
    while begin < first + count {
        let end = (begin + TOGETHER).min(first + count);
        let (mut text, mut pairs) = (String::new(), Vec::new());
        for seed in begin..end {
            let mut rng = Rng(seed);
            let types = [
                *rng.pick(&[
                    "int",
                    "int",
                    "unsigned",
                    "short",
                    "unsigned char",
                    "long long",
                ]),
                *rng.pick(&["int", "int", "unsigned char", "long long"]),
            ];
            let old = {
                let n = 2 + rng.roll(5);
                steps(&mut rng, n, 2)
            };
            let mut new = old.clone();
            for _ in 0..1 + rng.roll(4) {
                somewhere(&mut new, &mut rng, same);
            }
            let is_changed = rng.roll(3) > 0;
            match rng.roll(4) {
                _ if !is_changed => {}
                0 => rearrange(&mut new, &mut rng),
                n => (0..n).for_each(|_| somewhere(&mut new, &mut rng, other)),
            }
            let names = ["a", "b"].map(|side| format!("k{seed}{side}"));
            let kernels = [
                kernel(&names[0], types, &old),
                kernel(&names[1], types, &new),
            ]
            .concat();
            text.push_str(&kernels);
            pairs.push((seed, names, is_changed, kernels));
        }
        let program = parse(&text);
        let file = File {
            compiled: compile(&program),
            program,
        };
        for (seed, names, is_changed, kernels) in pairs {
            let text = || format!("seed {seed}:\n{kernels}");
            tally.add(&file, &names, is_changed, &text);
        }
        begin = end;
    }
    println!(
        "{} of {count} proved, {} of them changed, {} suspected, {} open ({} are the same); {} have a defect at some input, {} none at theirs",
        tally.proved,
        tally.changed,
        tally.suspected,
        tally.open,
        tally.missed,
        tally.defective,
        tally.unshown
    );
    assert!(5 * tally.proved > count, "{}", tally.proved);
    assert!(8 * tally.suspected > count, "{}", tally.suspected);
    assert!(20 * tally.changed > count && 20 * tally.defective > count);
    assert!(20 * tally.unshown < count, "{}", tally.unshown);
    assert!(20 * tally.missed < count, "{}", tally.missed);
}
