//! Host code on unknown inputs against runs. Random programs with mistakes in them, whose inputs are all given: what is safe has
//! no defect, and leaves what a run leaves. Pairs of programs that differ somewhere, of which the inputs are unknown: what is
//! proved to be the same is the same on inputs that are drawn.

use super::Rng;
use crate::cuda::support::parse;
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_generation::random::{Sizes, unrestricted_host};
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest};
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, Observed, Side, Unknowns, equivalent,
};
use gridlock_proofs::left::{Left, left};
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Setup};
use std::fmt::Write;
use std::time::Duration;

pub fn run(program: &Program, setup: &Setup) -> CanonicalResult {
    let profile = Profile::default();
    let limits = Limits {
        depth: 100_000,
        ..Limits::default()
    };
    canonical::run(&compile(program), setup, &profile, &limits)
}

/// Whether every schedule leaves the same, without a defect.
pub fn is_clean(run: &CanonicalResult) -> bool {
    run.findings.is_empty() && run.leaks.is_empty() && run.status == CanonicalStatus::Decides
}

/// Arrays of the host at file scope, filled by lot.
fn fill(program: &mut Program, rng: &mut Rng) -> Vec<ArrayId> {
    let mut filled = Vec::new();
    for (number, array) in program.arrays.iter_mut().enumerate() {
        let Some(values) = array.init.as_mut().filter(|_| array.space == Space::Host) else {
            continue;
        };
        filled.push(ArrayId(number as u32));
        values.extend((0..16).map(|_| drawn(array.elem, rng)));
        if let Extent::Fixed(extent) = array.extent {
            values.truncate(extent as usize);
        }
    }
    filled
}

fn drawn(ty: ScalarType, rng: &mut Rng) -> Value {
    let number = rng.roll(13) as i64 - 5;
    match ty {
        ScalarType::Bool => Value::Bool(number > 0),
        ScalarType::F32 => Value::f32(number as f32 / 2.0),
        ScalarType::F64 => Value::f64(number as f64 / 2.0),
        int => Value::int(int, i128::from(number)),
    }
}

#[test]
fn what_is_safe_leaves_what_a_run_leaves() {
    let (first, count) = (effort::first(1), effort::cases(8_000, 300_000));
    let (mut n_safe, mut n_cells, mut n_defective) = (0u64, 0u64, 0u64);
    let profile = Profile::default();
    for seed in first..first + count {
        let sizes = Sizes {
            statements: 1 + (seed % 3) as u32,
            beyond_core: seed % 4 == 0,
            ..Sizes::default()
        };
        let generated = unrestricted_host(seed, &sizes);
        let (mut program, mut setup) = (generated.program, generated.setup);
        let mut rng = Rng(seed ^ 0x4057);
        setup.observed = fill(&mut program, &mut rng);
        let unknowns = Unknowns::default();
        let side = Side {
            program: &program,
            setup: &setup,
            unknowns: &unknowns,
        };
        let question = SafetyRequest {
            profile: &profile,
            budget: Budget::of_seconds(1.0),
            timeout: Duration::from_secs(2),
            steps: 100_000,
        };
        let found = left(side, &question);
        let run = run(&program, &setup);
        n_defective += u64::from(!is_clean(&run));
        let Ok(Left {
            terms,
            arrays,
            safety: Safety::Safe,
            ..
        }) = found
        else {
            continue;
        };
        // Of one thread, too: not every order of functions on a cell is decided by one run.
        if matches!(run.status, CanonicalStatus::NotCanonical { .. }) && run.findings.is_empty() {
            continue;
        }
        let text = || gridlock_semantics::print::program(&program, Default::default());
        assert!(
            is_clean(&run),
            "seed {seed}: {:?} {:#?}\n{}",
            run.status,
            run.findings,
            text()
        );
        n_safe += 1;
        let seen = run.observation.expect("it came to its end");
        for (observed, cells) in arrays {
            let Observed::OfFile(id) = observed else {
                continue;
            };
            let position = setup.observed.iter().position(|of| *of == id);
            let seen = &seen.arrays[position.expect("of the host")].cells;
            for (cell, term) in cells {
                let expected = seen.get(cell as usize).copied().unwrap_or(Value::Undef);
                let bits = term.map(|term| match terms.as_bool(term) {
                    Some(holds) => u64::from(holds),
                    None => terms.as_bits(term).expect("all inputs are given"),
                });
                let expected = match expected {
                    Value::Bool(holds) => Some(u64::from(holds)),
                    Value::Int(_, bits) | Value::F64(bits) => Some(bits),
                    Value::F32(bits) => Some(u64::from(bits)),
                    _ => None,
                };
                assert_eq!(bits, expected, "seed {seed}: cell {cell}\n{}", text());
                n_cells += 1;
            }
        }
    }
    println!("{n_safe} of {count} safe, {n_cells} cells; {n_defective} with defects");
    assert!(
        60 * n_safe > count && n_cells > n_safe,
        "{n_safe} of {count}, {n_cells} cells"
    );
    assert!(4 * n_defective > count, "{n_defective}");
}

pub const KERNELS: &str = "
__global__ void fill(int *x, int v) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 8) x[i] = v + i; }
__global__ void add(int *x, const int *y, int v)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 8) x[i] += y[i] * v; }
__global__ void turn(int *x)
{ __shared__ int s[8]; int i = threadIdx.x; if (i < 8) s[i] = x[i]; __syncthreads(); if (i < 8) x[i] = s[7 - i]; }
__device__ int kept[8];
__global__ void keep(int *x)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 8) { kept[i] += x[i]; x[i] = kept[i] - 3; } }
";

fn step(rng: &mut Rng, depth: u32) -> String {
    let (device, other) = *rng.pick(&[("d", "e"), ("e", "d")]);
    let host = *rng.pick(&["a", "b"]);
    let bytes = *rng.pick(&["8 * sizeof(int)", "n * sizeof(int)", "4 * sizeof(int)"]);
    let shift = rng.roll(3);
    let number = rng.roll(4);
    match rng.roll(if depth == 0 { 10 } else { 13 }) {
        0 => format!("cudaMemcpy({device}, {host}, {bytes}, cudaMemcpyHostToDevice);"),
        1 => format!("cudaMemcpy({host}, {device}, {bytes}, cudaMemcpyDeviceToHost);"),
        2 => format!(
            "cudaMemcpy({device} + {shift}, {device} + {number}, 4 * sizeof(int), cudaMemcpyDeviceToDevice);"
        ),
        3 => format!("fill<<<2, 4>>>({device}, n + {number});"),
        4 => format!("{host}[{number}] = {host}[n - 1] * 2 - {shift};"),
        5 => format!("total = total + {host}[{number}] * {shift};"),
        6 => format!("add<<<2, 4>>>({device}, {other}, total);"),
        7 => format!("add<<<1, 8>>>({device}, {other}, {number});"),
        8 => format!("turn<<<1, 8>>>({device});"),
        9 => format!("keep<<<2, 4>>>({device});"),
        10 => format!("if (total > {number}) {{ {} }}", step(rng, depth - 1)),
        11 => format!("if ({host}[{number}] == 3) {{ {} }}", step(rng, depth - 1)),
        _ => format!(
            "for (int i = 0; i < {}; i++) {{ {} }}",
            1 + rng.roll(3),
            step(rng, depth - 1)
        ),
    }
}

fn function(steps: &[String]) -> String {
    let mut text =
        format!("{KERNELS}int f(int *a, int *b, int n)\n{{\n    int *d, *e;\n    int total = 1;\n");
    text.push_str("    cudaMalloc(&d, 8 * sizeof(int));\n    cudaMalloc(&e, 8 * sizeof(int));\n");
    for (to, from) in [("d", "a"), ("e", "b")] {
        let _ = writeln!(
            text,
            "    cudaMemcpy({to}, {from}, 8 * sizeof(int), cudaMemcpyHostToDevice);"
        );
    }
    for step in steps {
        let _ = writeln!(text, "    {step}");
    }
    text.push_str("    cudaMemcpy(a, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);\n");
    text.push_str("    cudaFree(d);\n    cudaFree(e);\n    return total;\n}\n");
    text
}

pub fn setup(program: &Program, name: &str, contents: [Contents; 2]) -> Setup {
    let array = |(name, contents): (&str, Contents)| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(8),
        contents,
        observed: true,
    };
    Setup {
        entry: program.find_proc(name).expect("the function"),
        launch: None,
        args: vec![Arg::Array(0), Arg::Array(1), Arg::Scalar(Value::i32(8))],
        arrays: ["a", "b"].into_iter().zip(contents).map(array).collect(),
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
    }
}

/// What came of pairs of functions.
#[derive(Default)]
pub struct Tally {
    pub proved: u64,
    suspected: u64,
    pub differ: u64,
}

impl Tally {
    /// Judges a pair for all contents of `a` and `b`, and runs it on some of them: what is proved is so.
    pub fn add(
        &mut self,
        [old, new]: [&Program; 2],
        name: &str,
        rng: &mut Rng,
        text: &dyn Fn() -> String,
    ) {
        const INPUTS: u32 = 6;
        let profile = Profile::default();
        let setups =
            [old, new].map(|program| setup(program, name, [Contents::Zero, Contents::Zero]));
        let unknowns = Unknowns::of_arrays(&setups[0]);
        let question = EquivalenceRequest::of_arrays(&profile, [0, 1], 2.0, 100_000);
        let side = |program, setup| Side {
            program,
            setup,
            unknowns: &unknowns,
        };
        let found = equivalent(side(old, &setups[0]), side(new, &setups[1]), &question);
        let mut differ = false;
        for _ in 0..INPUTS {
            let contents = contents(rng);
            let runs =
                [old, new].map(|program| run(program, &setup(program, name, contents.clone())));
            let clean = runs.each_ref().map(is_clean);
            let same = match runs.map(|run| run.observation) {
                [Some(one), Some(other)] => {
                    one.arrays == other.arrays && one.result == other.result
                }
                _ => false,
            };
            differ |= !same;
            if matches!(found, Equivalence::Proved) {
                assert!(clean == [true, true] && same, "{contents:?}\n{}", text());
            }
        }
        self.differ += u64::from(differ);
        self.proved += u64::from(matches!(found, Equivalence::Proved));
        self.suspected += u64::from(matches!(found, Equivalence::Suspected { .. }));
    }

    pub fn print(&self, count: u64) {
        println!(
            "{} of {count} proved, {} suspected; {} differ",
            self.proved, self.suspected, self.differ
        );
    }
}

/// Of `a` and of `b`.
pub fn contents(rng: &mut Rng) -> [Contents; 2] {
    let seeds = [rng.roll(1 << 40), rng.roll(1 << 40)];
    let below = |seed| Contents::Below { seed, bound: 6 };
    match rng.roll(2) {
        0 => seeds.map(below),
        _ => seeds.map(|seed| Contents::Random { seed }),
    }
}

/// One step left out, made twice, or another, or two exchanged; or none.
pub fn change(steps: &mut Vec<String>, rng: &mut Rng, another: impl FnOnce(&mut Rng) -> String) {
    let at = rng.roll(steps.len() as u64) as usize;
    match rng.roll(6) {
        0 => drop(steps.remove(at)),
        1 => steps.insert(at, steps[at].clone()),
        2 => steps[at] = another(rng),
        3 | 4 => {
            let other = (at + 1) % steps.len();
            steps.swap(at, other);
        }
        _ => {}
    }
}

#[test]
fn what_is_proved_of_a_pair_is_so() {
    let (first, count) = (effort::first(1), effort::cases(20, 3_000));
    let mut tally = Tally::default();
    for seed in first..first + count {
        let mut rng = Rng(seed);
        let mut steps: Vec<String> = Vec::new();
        for _ in 0..3 + rng.roll(5) {
            steps.push(step(&mut rng, 2));
        }
        let old = parse(&function(&steps));
        change(&mut steps, &mut rng, |rng| step(rng, 2));
        let text = || format!("seed {seed}: {}", function(&steps));
        let new = parse(&function(&steps));
        tally.add([&old, &new], "f", &mut rng, &text);
    }
    tally.print(count);
    assert!(
        6 * tally.proved > count,
        "{} proved of {count}",
        tally.proved
    );
    assert!(
        12 * tally.differ > count,
        "{} differ of {count}",
        tally.differ
    );
}
