//! The explorer on the reference semantics: counts, planted defects of every kind, the reduction.

use crate::kernels::*;
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};
use std::collections::BTreeSet;
use std::time::Instant;

fn explore(program: &Program, setup: &Setup, profile: &str, reduction: bool) -> Exploration {
    let profile = Profile::named(profile).unwrap();
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    explore_program(program, setup, &profile, &Limits::default(), &options).unwrap()
}

fn kinds(found: &Exploration) -> BTreeSet<&'static str> {
    found.findings.iter().map(|f| f.kind.name()).collect()
}

/// Cell 0 of the first array in each outcome.
fn first_cells(found: &Exploration) -> BTreeSet<Value> {
    let cells = found.outcomes.keys().filter_map(|outcome| match outcome {
        Outcome::Observation(seen) => Some(seen.arrays[0].cells[0]),
        _ => None,
    });
    cells.collect()
}

/// Two threads of `k` stores to their own cells: `(k+1)²` states, reduced 2.
#[test]
fn two_threads_of_k_stores() {
    for k in [1, 2, 5] {
        let body = (0..k)
            .map(|j| store(3 + j, ptr(0), tid(), n(j as i32)))
            .collect();
        let program = kernel(1, 0, &[], body);
        let setup = launch(1, 2, &[(2, Contents::Zero)]);
        let full = explore(&program, &setup, "cuda", false);
        assert!(full.complete && full.findings.is_empty());
        assert_eq!(full.statistics.states, ((k + 1) * (k + 1)) as u64);
        assert_eq!(full.statistics.transitions, (2 * k * (k + 1)) as u64);
        let reduced = explore(&program, &setup, "cuda", true);
        assert_eq!(reduced.statistics.states, 2);
        assert!(reduced.outcomes.keys().eq(full.outcomes.keys()));
    }
}

/// Tree sums of 2 to 32 threads: the sum, no defect, three states, within seconds; and of two
/// threads in full.
#[test]
fn tree_sums() {
    for n_threads in [2u32, 4, 8, 32] {
        let started = Instant::now();
        let program = tree_sum(n_threads as i32, Separation::Barrier);
        let inputs = ints(1..=2 * n_threads as i32);
        let setup = launch(2, n_threads, &[(2 * n_threads as u64, inputs)]);
        let found = explore(&program, &setup, "cuda", true);
        assert!(found.complete && found.findings.is_empty());
        let sum = (n_threads * (n_threads + 1) / 2) as i32;
        assert_eq!(first_cells(&found), BTreeSet::from([Value::i32(sum)]));
        // Blocks one after another, each in one stretch.
        assert_eq!(found.statistics.states, 3);
        assert!(started.elapsed().as_secs_f64() < 5.0);
        if n_threads == 2 {
            let setup = launch(1, 2, &[(2, ints([1, 2]))]);
            let full = explore(&program, &setup, "cuda", false);
            assert!(full.complete && full.findings.is_empty());
            assert!(first_cells(&full).contains(&Value::i32(3)));
            // Visible steps only. Before the barrier 3·3; then one thread's three accesses; then
            // its load and store of the result.
            assert_eq!(full.statistics.states, 9 + 4 + 3);
        }
    }
}

/// Without a barrier between its steps the sum races; `__syncwarp` orders one warp.
#[test]
fn tree_sum_separations() {
    for n_threads in [2, 4] {
        let setup = launch(
            1,
            n_threads,
            &[(n_threads as u64, ints(1..=n_threads as i32))],
        );
        let repaired = tree_sum(n_threads as i32, Separation::SyncWarp);
        let found = explore(&repaired, &setup, "cuda", true);
        assert!(
            found.complete && found.findings.is_empty(),
            "{:?}",
            found.findings
        );
        assert_eq!(found.statistics.states, 2);
    }
    let setup = launch(1, 4, &[(4, ints([1, 2, 3, 4]))]);
    let broken = tree_sum(4, Separation::Nothing);
    let found = explore(&broken, &setup, "cuda", true);
    assert!(found.complete);
    assert_eq!(kinds(&found), BTreeSet::from(["data-race"]));
    assert_eq!(first_cells(&found).len(), 2);
    // Lockstep orders different instructions of one warp.
    let lockstep = explore(&broken, &setup, "lockstep-warp", true);
    assert!(
        lockstep.complete && lockstep.findings.is_empty(),
        "{:?}",
        lockstep.findings
    );
    assert_eq!(first_cells(&lockstep), BTreeSet::from([Value::i32(10)]));
}

/// One kernel for each kind of defect, and its repaired twin.
#[test]
fn planted_defects() {
    let zeros = |extent| (extent, Contents::Zero);
    let half = || lt(tid(), n(1));
    let atomic_add =
        |line, result| atomic(line, AtomicFn::Add, cell(ptr(0), n(0)), vec![n(1)], result);
    let assert = |cond| op(9, Basic::Assert { cond });
    let cases: Vec<(&str, Program, Program, Setup)> = vec![
        (
            "data-race",
            kernel(1, 0, &[], vec![store(3, ptr(0), n(0), tid())]),
            kernel(1, 0, &[], vec![store(3, ptr(0), tid(), tid())]),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "data-race",
            kernel(1, 0, &[], vec![store(3, ptr(0), n(0), n(1))]),
            kernel(1, 0, &[], vec![atomic_add(3, None)]),
            launch(2, 1, &[zeros(2)]),
        ),
        (
            "barrier-divergence",
            kernel(1, 0, &[], vec![when(3, half(), vec![barrier(4)])]),
            kernel(
                1,
                0,
                &[],
                vec![when(3, half(), vec![op(4, Basic::Exit)]), barrier(5)],
            ),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "out-of-bounds",
            kernel(1, 0, &[], vec![store(3, ptr(0), add(tid(), n(1)), n(7))]),
            kernel(1, 0, &[], vec![store(3, ptr(0), tid(), n(7))]),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "uninitialised-read",
            kernel(
                1,
                0,
                &[2],
                vec![store(3, ptr(0), tid(), load(base(0), tid()))],
            ),
            kernel(
                1,
                0,
                &[2],
                vec![
                    store(3, base(0), tid(), n(1)),
                    store(4, ptr(0), tid(), load(base(0), tid())),
                ],
            ),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "division-by-zero",
            kernel(1, 1, &[], vec![set(3, 1, bin(BinaryOp::Div, n(1), tid()))]),
            kernel(
                1,
                1,
                &[],
                vec![set(3, 1, bin(BinaryOp::Div, n(1), add(tid(), n(1))))],
            ),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "assertion",
            kernel(
                1,
                1,
                &[],
                vec![atomic_add(3, Some(1)), assert(eq(int(1), n(0)))],
            ),
            kernel(
                1,
                1,
                &[],
                vec![atomic_add(3, Some(1)), assert(lt(int(1), n(2)))],
            ),
            launch(1, 2, &[zeros(2)]),
        ),
        (
            "bad-warp-mask",
            kernel(1, 0, &[], vec![syncwarp(3, 1)]),
            kernel(1, 0, &[], vec![syncwarp(3, 3)]),
            launch(1, 2, &[zeros(2)]),
        ),
    ];
    for (kind, broken, repaired, setup) in &cases {
        for reduction in [false, true] {
            let found = explore(broken, setup, "cuda", reduction);
            assert!(found.complete);
            assert_eq!(
                kinds(&found),
                BTreeSet::from([*kind]),
                "reduction: {reduction}"
            );
            let found = explore(repaired, setup, "cuda", reduction);
            assert!(found.complete);
            assert!(found.findings.is_empty(), "{kind}: {:?}", found.findings);
        }
    }
}

/// The paper's barrier, at which a thread that has ended still counts: a deadlock.
#[test]
fn the_paper_deadlocks_where_cuda_diverges() {
    let program = kernel(0, 0, &[], vec![when(3, lt(tid(), n(1)), vec![barrier(4)])]);
    for profile in ["paper", "paper-literal"] {
        let found = explore(&program, &launch(1, 2, &[]), profile, true);
        assert!(found.complete);
        assert_eq!(kinds(&found), BTreeSet::from(["deadlock"]), "{profile}");
        assert!(found.unreduced_because.is_some());
    }
    let found = explore(&program, &launch(1, 2, &[]), "cuda-hw", true);
    assert!(found.complete && found.findings.is_empty());
}

/// A failing assumption takes its run out; the others count.
#[test]
fn assumptions() {
    let ticket = atomic(3, AtomicFn::Add, cell(ptr(0), n(0)), vec![n(1)], Some(1));
    let assume = op(
        4,
        Basic::Assume {
            cond: eq(int(1), tid()),
        },
    );
    let write = store(5, ptr(0), add(tid(), n(1)), int(1));
    let program = kernel(1, 1, &[], vec![ticket, assume, write]);
    let setup = launch(1, 2, &[(3, Contents::Zero)]);
    for reduction in [false, true] {
        let found = explore(&program, &setup, "cuda", reduction);
        assert!(found.complete && found.findings.is_empty());
        assert_eq!(found.outcomes.len(), 1, "reduction: {reduction}");
    }
}

/// Reads of an array that no thread writes are no scheduling points, nor are private steps, even
/// where other accesses interfere.
#[test]
fn harmless_steps_do_not_branch() {
    let ticket = atomic(5, AtomicFn::Add, cell(ptr(0), n(0)), vec![n(1)], Some(2));
    let prologue = vec![
        set(3, 2, load(ptr(1), tid())),
        set(4, 2, load(ptr(1), n(0))),
    ];
    let with = kernel(2, 1, &[], [prologue, vec![ticket.clone()]].concat());
    let without = kernel(2, 1, &[], vec![ticket]);
    let setup = launch(1, 2, &[(1, Contents::Zero), (2, Contents::Zero)]);
    let states = |program, reduction| {
        explore(program, &setup, "cuda", reduction)
            .statistics
            .states
    };
    // Who has taken a ticket; before that the four reads one after the other.
    assert_eq!(states(&without, false), 4);
    assert_eq!(states(&without, true), 4);
    assert_eq!(states(&with, true), 4 + 4);
    assert_eq!(states(&with, false), 16);
}

/// A private endless loop: the search comes to its end and says that there is a cycle.
#[test]
fn endless_loops_end_the_search() {
    let forever = repeat(3, Expr::bool(true), vec![set(4, 1, n(0))]);
    let program = kernel(
        1,
        1,
        &[],
        vec![when(2, eq(tid(), n(0)), vec![forever]), set(5, 1, tid())],
    );
    for reduction in [false, true] {
        let found = explore(
            &program,
            &launch(1, 2, &[(1, Contents::Zero)]),
            "cuda",
            reduction,
        );
        assert!(found.complete && found.cycle && found.outcomes.is_empty());
    }
    let counting = repeat(3, Expr::bool(true), vec![set(4, 1, add(int(1), n(1)))]);
    let program = kernel(1, 1, &[], vec![set(2, 1, n(0)), counting]);
    let limits = Limits {
        states: 20,
        ..Limits::default()
    };
    let found = explore_program(
        &program,
        &launch(1, 1, &[(1, Contents::Zero)]),
        &Profile::default(),
        &limits,
        &ExploreOptions::default(),
    )
    .unwrap();
    assert!(!found.complete && !found.limits_hit.is_empty());
    assert_eq!(found.findings.len(), 0);
}
