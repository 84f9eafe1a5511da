//! Pairs of kernels whose inputs are two words of four bits, at a launch: what is proved is so for all 256 inputs, what the
//! solver suspects is so for the inputs that it names.

use super::{
    Expr::{self, Binary, Choice, Leaf, Not, Shared},
    Kind, N, Step, TOGETHER, boxed, leaf, pair, print_steps,
};
use crate::against_runs::Rng;
use crate::against_runs::host_code::is_clean;
use crate::cuda::support::parse;
use gridlock_checker::canonical::{self, CanonicalResult};
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest, is_safe};
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, Inputs, Observed, Side, Unknowns, equivalent,
};
use gridlock_proofs::left::left;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::time::Duration;

/// Values of a word.
const WORD: u64 = 16;

const WORDS: Kind = Kind {
    expr,
    place,
    cond: |rng| expr(rng, 2),
    has_sums: true,
    same,
    other,
    changes_places: true,
};

const OPERATORS: [&str; 17] = [
    "+", "+", "-", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||", "/", "%", ">>",
];

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
    cells: u64,
}

impl Tally {
    /// What a run on unknown inputs leaves is, for some, what a run leaves.
    fn is_left(&mut self, file: &File, name: &str, side: Side<'_>, text: &dyn Fn() -> String) {
        let question = SafetyRequest {
            profile: &Profile::default(),
            budget: Budget::of_seconds(1.0),
            timeout: Duration::from_secs(2),
            steps: 100_000,
        };
        let Ok(mut found) = left(side, &question) else {
            return;
        };
        for word in (0..WORD * WORD).step_by(23) {
            let cells = [vec![5; 2 * N as usize], vec![word % WORD, word / WORD]];
            let number = |(array, cells): (&str, &Vec<u64>)| -> Vec<(String, i64, u64)> {
                let cells = (0..).zip(cells);
                cells
                    .map(|(cell, bits)| (array.to_owned(), cell, *bits))
                    .collect()
            };
            let inputs = Inputs {
                cells: ["out", "in"]
                    .into_iter()
                    .zip(&cells)
                    .flat_map(number)
                    .collect(),
                scalars: Vec::new(),
            };
            let run = file.run(name, cells).observation.expect("no defect");
            for (observed, cells) in found.at(&inputs) {
                assert_eq!(observed, Observed::Argument(0));
                for (cell, bits) in cells {
                    let seen = run.arrays[0].cells[cell as usize];
                    let expected = match seen {
                        Value::Int(_, bits) => Some(bits),
                        _ => None,
                    };
                    assert_eq!(bits, expected, "{inputs:?} {cell}\n{}", text());
                    self.cells += 1;
                }
            }
        }
    }

    fn add(
        &mut self,
        file: &File,
        names: &[String; 2],
        is_changed: bool,
        text: &dyn Fn() -> String,
    ) {
        let profile = Profile::default();
        let none = || [vec![0; 2 * N as usize], vec![0; 2]];
        let setups = names
            .each_ref()
            .map(|name| setup(&file.program, name, none()));
        let unknowns = Unknowns::of_arrays(&setups[0]);
        let [old, new] = setups.each_ref().map(|setup| Side {
            program: &file.program,
            setup,
            unknowns: &unknowns,
        });
        let question = EquivalenceRequest::of_arrays(&profile, [0], 2.0, 100_000);
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
                self.is_left(file, &names[1], new, text);
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
            let ([old, new], is_changed) = pair(&mut rng, &WORDS);
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
        "{} of {count} proved, {} of them changed, {} suspected, {} open ({} are the same); {} have a defect at some input, {} none at theirs; {} cells are as they were left",
        tally.proved,
        tally.changed,
        tally.suspected,
        tally.open,
        tally.missed,
        tally.defective,
        tally.unshown,
        tally.cells
    );
    assert!(5 * tally.proved > count, "{}", tally.proved);
    assert!(8 * tally.suspected > count, "{}", tally.suspected);
    assert!(20 * tally.changed > count && 20 * tally.defective > count);
    assert!(tally.cells > 5 * count, "{}", tally.cells);
    assert!(20 * tally.unshown < count, "{}", tally.unshown);
    assert!(20 * tally.missed < count, "{}", tally.missed);
}
