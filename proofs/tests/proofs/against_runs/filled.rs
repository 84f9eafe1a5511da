//! Private arrays that loops fill, against runs: random kernels, most of which read an element that was never written or
//! go beyond the end. Short loops of this kind are run iteration by iteration, others are not.

use super::Rng;
use crate::cuda::support::parse;
use gridlock_checker::canonical;
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::verdict::Property;
use gridlock_generation::effort;
use gridlock_proofs::{Budget, ProofRequest, ProofStatus, prove_kernel};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::fmt::Write;
use std::time::Duration;

/// Kernels of one source.
const BATCH: u64 = 20;

#[test]
fn what_is_proved_is_written_and_inside() {
    let (first, count) = (effort::first(1), effort::cases(2, 60));
    let (mut n_proved, mut n_inside, mut n_unwritten, mut n_outside) = (0u64, 0u64, 0u64, 0u64);
    for batch in first..first + count {
        let mut source = String::new();
        for number in 0..BATCH {
            let mut rng = Rng((batch * BATCH + number) ^ 0xf111);
            kernel(&mut rng, number, &mut source);
        }
        let program = atomic_form(&parse(&source));
        let profile = Profile::named("cuda").expect("a profile");
        let mut request = ProofRequest::all_sizes(profile.clone());
        request.properties = vec![Property::Bounds, Property::UninitialisedReads];
        request.budget = Budget::of_seconds(3.2);
        request.total_timeout = Duration::from_secs(20);
        let compiled = compile(&program);
        for (number, kernel) in program.procs_of_kind(ProcKind::Kernel).enumerate() {
            let outcome = prove_kernel(&program, kernel, &request);
            let is_proved = |property| {
                let status = outcome.of(property).expect("asked for").status;
                matches!(status, ProofStatus::Proved { .. })
            };
            let (inside, written) = (
                is_proved(Property::Bounds),
                is_proved(Property::UninitialisedReads),
            );
            n_inside += u64::from(inside);
            n_proved += u64::from(written);
            let (mut is_unwritten, mut is_outside) = (false, false);
            for (threads, n) in [
                (1, 0),
                (2, 1),
                (3, 2),
                (4, 3),
                (5, 4),
                (7, 6),
                (8, 9),
                (4, -1),
            ] {
                let run = canonical::run(
                    &compiled,
                    &setup(kernel, threads, n),
                    &profile,
                    &Limits::default(),
                );
                for finding in &run.findings {
                    is_unwritten |= finding.kind == DefectKind::UninitialisedRead;
                    is_outside |= finding.kind == DefectKind::OutOfBounds;
                }
                let at = format!("batch {batch}, k{number}, {threads} threads, n = {n}\n{source}");
                assert!(!(written && is_unwritten), "{at}");
                assert!(!(inside && is_outside), "{at}");
            }
            n_unwritten += u64::from(is_unwritten);
            n_outside += u64::from(is_outside);
        }
    }
    let kernels = count * BATCH;
    println!(
        "of {kernels}: {n_proved} proved to read what was written, {n_inside} to stay inside; {n_unwritten} \
         that do not, {n_outside} that do not"
    );
    assert!(
        8 * n_proved > kernels && 8 * n_inside > kernels,
        "{n_proved}, {n_inside}"
    );
    assert!(
        8 * n_unwritten > kernels && n_outside > 0,
        "{n_unwritten}, {n_outside}"
    );
}

/// `k0(const int *x, int *y, int n)` and so on: an array, one to three loops that write it, a read.
fn kernel(rng: &mut Rng, number: u64, into: &mut String) {
    let length = 2 + rng.roll(7);
    let head = format!("__global__ void k{number}(const int *x, int *y, int n)");
    let _ = writeln!(into, "{head} {{ int t = threadIdx.x; int v[{length}];");
    for _ in 0..1 + rng.roll(3) {
        let body = fill(rng, length, "a");
        match rng.roll(6) {
            // In a nest.
            0 => {
                let times = 1 + rng.roll(4);
                let inner = fill(rng, length, "b");
                let head = counted(rng, "b", times);
                let _ = writeln!(
                    into,
                    "  for (int a = 0; a < {times}; a++) {{ {head} {{ {inner} }} }}"
                );
            }
            // In one that is not unrolled.
            1 => {
                let head = counted(rng, "a", length);
                let _ = writeln!(
                    into,
                    "  for (int r = 0; r < n; r++) {{ {head} {{ {body} }} }}"
                );
            }
            2 => {
                let cond = cond(rng);
                let head = counted(rng, "a", length);
                let _ = writeln!(into, "  if ({cond}) {{ {head} {{ {body} }} }}");
            }
            _ => {
                let head = counted(rng, "a", length);
                let _ = writeln!(into, "  {head} {{ {body} }}");
            }
        }
    }
    let read = match rng.roll(4) {
        0 => format!("s = v[{}];", rng.roll(length)),
        1 => format!("s = v[t % {length}];"),
        2 => format!("s = v[0] + v[{}];", length - 1),
        _ => format!("for (int j = 0; j < {length}; j++) s += v[j];"),
    };
    let _ = writeln!(into, "  int s = 0; {read} y[t] = s; }}");
}

/// The head of a loop over about so many elements, up or down, in steps of some size.
fn counted(rng: &mut Rng, counter: &str, length: u64) -> String {
    let last = match rng.roll(5) {
        0 => (length - 1).max(1),
        _ => length,
    };
    match rng.roll(6) {
        0 => format!(
            "for (int {counter} = {}; {counter} >= 0; {counter}--)",
            last - 1
        ),
        1 => format!("for (int {counter} = 0; {counter} < {last}; {counter} += 2)"),
        2 => format!("for (int {counter} = 1; {counter} <= {last}; {counter} *= 2)"),
        3 => format!("for (int {counter} = 0; {counter} < n && {counter} < {last}; {counter}++)"),
        _ => format!("for (unsigned {counter} = 0; {counter} != {last}; ++{counter})"),
    }
}

fn cond(rng: &mut Rng) -> String {
    let constant = rng.roll(5);
    match rng.roll(4) {
        0 => format!("t < {constant}"),
        1 => format!("n > {constant}"),
        2 => format!("x[t] > {constant}"),
        _ => format!("t >= 0 && {constant} < 5"),
    }
}

/// What writes an element in an iteration.
fn fill(rng: &mut Rng, length: u64, counter: &str) -> String {
    let index = match rng.roll(8) {
        0 => format!("({counter} + 1) % {length}"),
        1 => format!("{} - {counter}", length - 1),
        2 => format!("{counter} / 2"),
        3 => format!("({counter} + t) % {length}"),
        _ => counter.to_owned(),
    };
    let write = format!("v[{index}] = x[t] + {counter};");
    match rng.roll(8) {
        0 => format!("if ({}) {write}", cond(rng)),
        1 => format!("{write} if ({counter} + 1 < {length}) v[{counter} + 1] = v[{counter}];"),
        2 => format!("if ({}) continue; {write}", cond(rng)),
        3 => format!("if ({}) break; {write}", cond(rng)),
        4 => format!("if ({}) return; {write}", cond(rng)),
        _ => write,
    }
}

fn setup(kernel: ProcId, threads: u32, n: i32) -> Setup {
    let array = |name: &str, seed| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(64),
        contents: Contents::Random { seed },
        observed: true,
    };
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: kernel,
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [threads, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0), Arg::Array(1), Arg::Scalar(Value::i32(n))],
        arrays: vec![array("x", 3), array("y", 4)],
    }
}
