//! Pairs of kernels of floats, as real numbers and modulo the order of sums: what is proved is so for whole numbers so small
//! that nothing is rounded, and what lies apart over the real numbers does so in a run.

use super::{
    Expr::{self, Binary, Choice, Shared},
    Kind, N, Step, TOGETHER, boxed, leaf, pair, print_steps,
};
use crate::against_runs::Rng;
use crate::against_runs::host_code::is_clean;
use crate::cuda::support::parse;
use gridlock_checker::canonical;
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, FloatLaws, Side, Unknowns, equivalent,
};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};

const REALS: Kind = Kind {
    expr,
    place,
    cond,
    has_sums: false,
    same,
    other,
    changes_places: false,
};

/// Inputs of a kernel, each one of these, and what its cells hold before.
type Given = ([f64; INPUTS], [f64; N as usize]);

const INPUTS: usize = 3;
const VALUES: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 3.0];

/// Beyond, products may be rounded.
const EXACT: f64 = 1e12;

fn number(rng: &mut Rng) -> Expr {
    leaf(*rng.pick(&["1.0", "2.0", "3.0", "0.5", "-1.0", "0.0"]))
}

fn expr(rng: &mut Rng, depth: u32) -> Expr {
    if depth == 0 || rng.roll(5) == 0 {
        return match rng.roll(16) {
            0..=9 => leaf(*rng.pick(&["x", "y", "z"])),
            10..=12 => leaf(*rng.pick(&["u", "u", "v"])),
            13 => leaf("t"),
            _ => number(rng),
        };
    }
    match rng.roll(10) {
        0 => Choice(
            Box::new(cond(rng)),
            Box::new(expr(rng, depth - 1)),
            Box::new(expr(rng, depth - 1)),
        ),
        1 => Shared(Box::new(place(rng))),
        _ => {
            let op = *rng.pick(&["+", "+", "-", "*", "*"]);
            boxed(op, expr(rng, depth - 1), expr(rng, depth - 1))
        }
    }
}

fn cond(rng: &mut Rng) -> Expr {
    let op = ["<", "<="][rng.roll(2) as usize];
    boxed(op, expr(rng, 1), expr(rng, 1))
}

fn place(rng: &mut Rng) -> Expr {
    match rng.roll(3) {
        0 => leaf("t"),
        1 => boxed("&", boxed("+", leaf("t"), leaf(1 + rng.roll(3))), leaf(3)),
        _ => boxed("^", leaf("t"), leaf(1 + rng.roll(3))),
    }
}

/// Another way to write the same, of real numbers.
fn same(rng: &mut Rng, e: &mut Expr) {
    let old = e.clone();
    *e = match (old, rng.roll(2)) {
        (Binary(op @ ("+" | "*"), a, b), 0) => Binary(op, b, a),
        (Binary(op @ ("+" | "*"), a, b), _) => match (*a, *b) {
            (Binary(inner, p, q), b) if inner == op => {
                Binary(op, p, Box::new(Binary(op, q, Box::new(b))))
            }
            (a, Binary("+", p, q)) if op == "*" => {
                boxed("+", boxed("*", a.clone(), *p), boxed("*", a, *q))
            }
            (a, b) => boxed(op, b, a),
        },
        (Binary("-", a, b), _) => boxed("+", *a, boxed("*", leaf("-1.0"), *b)),
        (Binary("<", a, b), _) => Expr::Not(Box::new(Binary("<=", b, a))),
        (conditional @ Binary("<=", ..), _) => conditional,
        (Expr::Not(a), _) => Expr::Not(a),
        (other, 0) => boxed("-", boxed("+", other, leaf("y")), leaf("y")),
        (other, _) => boxed("*", boxed("*", leaf("0.5"), other), leaf("2.0")),
    };
}

/// Something else, mostly.
fn other(rng: &mut Rng, e: &mut Expr) {
    let old = e.clone();
    *e = match (old, rng.roll(3)) {
        (Binary(op @ ("<" | "<="), a, b), _) => Binary(op, b, a),
        (Expr::Not(a), _) => *a,
        (Binary(_, a, b), 0) => Binary(["+", "-", "*"][rng.roll(3) as usize], a, b),
        (Choice(c, a, b), 0) => Choice(c, b, a),
        (old, 1) => boxed("+", old, number(rng)),
        (old, _) => boxed("*", old, number(rng)),
    };
}

fn kernel(name: &str, all: &[Step]) -> String {
    let mut text = format!(
        "__global__ void {name}(double *out, const double *in)\n{{\n    int t = threadIdx.x;\n    \
         double x = in[0], y = in[1], z = in[2], u = 0, v = 1, w;\n    \
         __shared__ double s[{N}];\n    s[t] = x + t;\n    __syncthreads();\n"
    );
    print_steps(all, 1, &mut text);
    text.push_str("    out[t] = out[t] + u * v;\n}\n");
    text
}

fn setup(program: &Program, name: &str, given: Given) -> Setup {
    let array = |(name, cells): (&str, Vec<f64>)| ArrayArg {
        name: name.into(),
        elem: ScalarType::F64,
        extent: Some(cells.len() as u64),
        contents: Contents::Values(cells.into_iter().map(Value::f64).collect()),
        observed: name == "out",
    };
    let arrays = [("out", given.1.to_vec()), ("in", given.0.to_vec())];
    Setup {
        entry: program.find_proc(name).expect("the kernel"),
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [N as u32, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0), Arg::Array(1)],
        arrays: arrays.into_iter().map(array).collect(),
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
    }
}

/// What a kernel without defects leaves.
fn left(program: &Program, compiled: &Compiled, name: &str, given: Given) -> Option<Vec<f64>> {
    let limits = Limits {
        depth: 100_000,
        ..Limits::default()
    };
    let setup = setup(program, name, given);
    let run = canonical::run(compiled, &setup, &Profile::default(), &limits);
    if !is_clean(&run) {
        return None;
    }
    let cells = run.observation?.arrays[0].cells.clone();
    let numbers = cells.iter().map(|value| match value {
        Value::F64(bits) => Some(f64::from_bits(*bits)),
        _ => None,
    });
    numbers.collect()
}

fn all_inputs() -> impl Iterator<Item = Given> {
    let n = VALUES.len();
    let inputs = (0..n * n * n).map(move |at| [at % n, at / n % n, at / n / n].map(|i| VALUES[i]));
    inputs.map(|inputs| (inputs, [0.0, 1.0, 2.0, 3.0].map(|cell| cell - inputs[0])))
}

#[derive(Default)]
struct Tally {
    proved: u64,
    changed: u64,
    apart: u64,
    /// And a run shows it.
    shown: u64,
    /// Proved, but some number is too large for it to be seen.
    large: u64,
}

#[test]
fn floats_as_real_numbers() {
    let (first, count) = (effort::first(1), effort::cases(50, 5_000));
    let mut tally = Tally::default();
    let mut begin = first;
    while begin < first + count {
        let end = (begin + TOGETHER).min(first + count);
        let (mut text, mut pairs) = (String::new(), Vec::new());
        for seed in begin..end {
            let mut rng = Rng(seed ^ 0x4ea1);
            let ([old, new], is_changed) = pair(&mut rng, &REALS);
            let names = ["a", "b"].map(|side| format!("k{seed}{side}"));
            let kernels = [kernel(&names[0], &old), kernel(&names[1], &new)].concat();
            text.push_str(&kernels);
            let laws = *rng.pick(&[FloatLaws::Reals, FloatLaws::Reals, FloatLaws::Reassociated]);
            pairs.push((names, is_changed, laws, kernels));
        }
        let program = parse(&text);
        let compiled = compile(&program);
        for (names, is_changed, laws, kernels) in pairs {
            let sides = names.each_ref().map(|name| (name, kernels.as_str()));
            tally.add(&program, &compiled, sides, is_changed, laws);
        }
        begin = end;
    }
    println!(
        "{} of {count} proved, {} of them changed, {} with numbers that are large; {} lie apart, {} of them in a run",
        tally.proved, tally.changed, tally.large, tally.apart, tally.shown
    );
    assert!(5 * tally.proved > count, "{}", tally.proved);
    assert!(20 * tally.changed > count, "{}", tally.changed);
    assert!(10 * tally.shown > count, "{}", tally.shown);
    assert!(10 * tally.large < count, "{}", tally.large);
}

impl Tally {
    fn add(
        &mut self,
        program: &Program,
        compiled: &Compiled,
        sides: [(&String, &str); 2],
        is_changed: bool,
        floats: FloatLaws,
    ) {
        let (names, text) = (sides.map(|side| side.0.as_str()), sides[0].1);
        let profile = Profile::default();
        let setups = names.map(|name| setup(program, name, Given::default()));
        let unknowns = Unknowns::of_arrays(&setups[0]);
        let [old, new] = setups.each_ref().map(|setup| Side {
            program,
            setup,
            unknowns: &unknowns,
        });
        let question = EquivalenceRequest {
            floats,
            ..EquivalenceRequest::of_arrays(&profile, [0], 2.0, 100_000)
        };
        let are_close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0);
        match equivalent(old, new, &question) {
            Equivalence::Proved => {
                self.proved += 1;
                self.changed += u64::from(is_changed);
                let mut is_large = false;
                for inputs in all_inputs() {
                    let [one, other] = names.map(|name| left(program, compiled, name, inputs));
                    let (Some(one), Some(other)) = (&one, &other) else {
                        panic!("a defect at {inputs:?}\n{text}");
                    };
                    if one.iter().chain(other).any(|number| number.abs() > EXACT) {
                        is_large = true;
                        continue;
                    }
                    let alike = one.iter().zip(other).all(|(a, b)| are_close(*a, *b));
                    assert!(alike, "{inputs:?} {floats:?} {one:?} {other:?}\n{text}");
                }
                self.large += u64::from(is_large);
            }
            Equivalence::Suspected {
                inputs,
                cell,
                over_reals: true,
                ..
            } => {
                self.apart += 1;
                let mut given = Given::default();
                for (array, at, bits) in &inputs.cells {
                    let cells = match array.as_str() {
                        "in" => &mut given.0[..],
                        _ => &mut given.1[..],
                    };
                    cells[*at as usize] = f64::from_bits(*bits);
                }
                // Of defects nobody has asked yet.
                let [one, other] = names.map(|name| left(program, compiled, name, given));
                if let (Some(one), Some(other)) = (one, other) {
                    let (a, b) = (one[cell as usize], other[cell as usize]);
                    assert!(!are_close(a, b), "{given:?} {a} {b}\n{text}");
                    self.shown += 1;
                }
            }
            _ => {}
        }
    }
}
