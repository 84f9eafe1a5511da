//! The stateless search against the full stateful one, on random kernels; and the number of runs
//! it follows, where theory says how many there are.

use crate::kernels as k;
use gridlock_checker::automaton::{Automaton, Touch};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::stateless::dependence::{ByAccess, Dependence};
use gridlock_checker::explore::stateless::explore_automaton;
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::system::footprint::AccessClass;
use gridlock_generation::effort;
use gridlock_generation::random::enumerate::Grammar;
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AtomicFn, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{ExitedThreads, Profile};
use gridlock_semantics::setup::{Contents, Setup};
use std::collections::BTreeSet;
use std::sync::Arc;

/// States of the full search before a program is left out.
const MOST_STATES: u64 = 3_000;

fn limits() -> Limits {
    Limits {
        states: MOST_STATES,
        ..Limits::default()
    }
}

/// Steps of the stateless search.
fn steps() -> Limits {
    Limits {
        states: 1_000_000,
        depth: 5_000,
        ..Limits::default()
    }
}

fn full() -> ExploreOptions {
    ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    }
}

fn races(found: &Exploration) -> BTreeSet<(u32, u32)> {
    let ops = found.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Race { first, second } => {
            Some((first.op.0.min(second.op.0), first.op.0.max(second.op.0)))
        }
        _ => None,
    });
    ops.collect()
}

/// The launch on the reference semantics, and as an automaton if it is one.
fn both(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
) -> (Arc<ExploredProgram>, Option<Automaton>) {
    let reference = ExploredProgram::new(program, setup, profile).expect("well-formed");
    let reference = Arc::new(reference);
    let compiled = compile(reference.program());
    let automaton = Automaton::of(reference.clone(), &compiled, setup).ok();
    (reference, automaton)
}

/// What two searches say differently; `None` where they agree.
fn difference(wanted: &Exploration, found: &Exploration) -> Option<String> {
    let outcomes = |e: &Exploration| e.outcomes.keys().cloned().collect::<Vec<_>>();
    let stuck = |e: &Exploration| {
        let mut all: Vec<_> = e
            .deadlocks
            .iter()
            .map(|d| format!("{:?}", d.positions))
            .collect();
        all.sort();
        all
    };
    let (a, b) = (outcomes(wanted), outcomes(found));
    if a != b {
        return Some(format!("outcomes {a:?}, not {b:?}"));
    }
    let (a, b) = (races(wanted), races(found));
    if a != b {
        return Some(format!("races {a:?}, not {b:?}"));
    }
    let (a, b) = (stuck(wanted), stuck(found));
    if a != b {
        return Some(format!("deadlocks {a:?}, not {b:?}"));
    }
    (wanted.cycle != found.cycle).then(|| format!("cycle {} {}", wanted.cycle, found.cycle))
}

/// Every finding replays on the reference, and every schedule leads to its outcome.
fn replays(reference: &ExploredProgram, found: &Exploration, what: &dyn std::fmt::Debug) {
    for finding in &found.findings {
        assert!(
            confirm_in(reference, finding).is_some(),
            "{what:?} {finding:?}"
        );
    }
    for (outcome, schedule) in &found.outcomes {
        let seen = observation_after(reference, schedule);
        match outcome {
            Outcome::Observation(wanted) => assert_eq!(seen.as_ref(), Some(wanted), "{what:?}"),
            Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{what:?}"),
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    judged: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    fewer_steps: u32,
    cycles: u32,
    cut: u32,
}

fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let what = (generated.seed, &profile.name);
    let (reference, automaton) = both(&generated.program, &generated.setup, profile);
    let Some(automaton) = automaton else {
        return;
    };
    let wanted = explore(&automaton, &limits(), &full());
    if !wanted.complete {
        return;
    }
    let Ok(found) = explore_automaton(&automaton, &ByAccess, &steps(), &full()) else {
        return;
    };
    if !found.complete {
        tally.cut += 1;
        return;
    }
    let difference = difference(&wanted, &found);
    assert_eq!(difference, None, "{what:?}");
    replays(&reference, &found, &what);
    let has = |kind: &str| found.findings.iter().any(|f| f.kind.name() == kind) as u32;
    let faults = found
        .findings
        .iter()
        .filter(|f| matches!(f.evidence, Evidence::Fault(_)));
    tally.judged += 1;
    tally.racy += has("data-race");
    tally.cycles += found.cycle as u32;
    tally.deadlocked += has("deadlock");
    tally.faulty += (faults.count() > 0) as u32;
    tally.fewer_steps += (found.statistics.transitions < wanted.statistics.transitions) as u32;
}

fn profiles() -> Vec<Profile> {
    let named = ["cuda", "cuda-hw", "portable"].iter();
    let mut all: Vec<Profile> = named.filter_map(|name| Profile::named(name)).collect();
    // Where threads that have ended still count, others wait for ever.
    let mut forever = Profile::default();
    forever.axes.exited_threads = ExitedThreads::BlockForever;
    all.push(forever);
    all
}

/// How many programs.
fn n_programs() -> u64 {
    effort::cases(125, 20_000)
}

/// Their seeds, from `GRIDLOCK_FIRST_PROGRAM` on.
fn seeds() -> std::ops::Range<u64> {
    let first = effort::first(0);
    first..first + n_programs()
}

/// Lemma: outcomes, faults, deadlocks and racing operators are those of the full search.
#[test]
fn the_stateless_search_loses_nothing() {
    let profiles = profiles();
    let mut tally = Tally::default();
    for seed in seeds() {
        let generated = unrestricted(seed, &Sizes::default());
        judge(&generated, &profiles[(seed % 4) as usize], &mut tally);
    }
    let n = n_programs() as u32;
    assert!(tally.judged > n / 2 && tally.cut <= n / 50, "{tally:?}");
    assert!(tally.racy > n / 10 && tally.faulty > n / 10, "{tally:?}");
    assert!(
        tally.deadlocked > 0 && tally.fewer_steps > n / 4,
        "{tally:?}"
    );
    eprintln!("{tally:?}");
}

/// The seed of a long run at which it lost something: where nothing is known of warps, a lane hands on a variable
/// without a value.
#[test]
fn it_loses_nothing_where_it_once_did() {
    let mut tally = Tally::default();
    let seed = 10_834;
    let generated = unrestricted(seed, &Sizes::default());
    judge(&generated, &profiles()[(seed % 4) as usize], &mut tally);
    assert_eq!((tally.judged, tally.faulty), (1, 1));
}

/// The same with loops that wait for others, of threads that lock, count and meet at barriers.
#[test]
fn it_loses_nothing_of_kernels_that_wait() {
    let profiles = profiles();
    let mut tally = Tally::default();
    for seed in seeds() {
        let generated = waiting(seed);
        judge(&generated, &profiles[(seed % 4) as usize], &mut tally);
    }
    let n = n_programs() as u32;
    assert!(tally.judged > n / 2 && tally.cut < n / 20, "{tally:?}");
    assert!(tally.cycles > n / 4 && tally.racy > n / 4, "{tally:?}");
    eprintln!("{tally:?}");
}

/// Every small kernel of the grammar.
#[test]
fn it_loses_nothing_of_small_kernels() {
    let small = Grammar::full().up_to(2);
    let mut tally = Tally::default();
    for (number, kernel) in small.iter().enumerate() {
        for (n_blocks, n_threads) in [(1, 2), (2, 1)] {
            let generated = kernel.generated(n_blocks, n_threads, number as u64);
            judge(&generated, &Profile::default(), &mut tally);
        }
    }
    assert_eq!((tally.judged, tally.cut), (JUDGED_SMALL, 0), "{tally:?}");
}

/// Kernels without `__syncwarp`, at two launches.
const JUDGED_SMALL: u32 = 2 * 564;

/// A dependence with something left out: these accesses are taken to be independent.
struct Without(fn(AccessClass, AccessClass) -> bool);

impl Dependence for Without {
    fn interferes(&self, one: &Touch, other: &Touch) -> bool {
        let left_out = (self.0)(one.class, other.class) || (self.0)(other.class, one.class);
        !left_out && ByAccess.interferes(one, other)
    }

    fn interferes_with_all(&self, _: &Touch) -> bool {
        false
    }
}

/// Programs of which a search by another dependence says something else than the full search.
fn caught(by: &dyn Fn() -> Without) -> u32 {
    let mut n = 0;
    for seed in 0..80 {
        let kinds = [unrestricted(seed, &Sizes::default()), waiting(seed)];
        for generated in kinds {
            let profile = Profile::default();
            let (_, automaton) = both(&generated.program, &generated.setup, &profile);
            let Some(automaton) = automaton else {
                continue;
            };
            let wanted = explore(&automaton, &limits(), &full());
            let few = Limits {
                states: 20_000,
                ..Limits::default()
            };
            let Ok(found) = explore_automaton(&automaton, &by(), &few, &full()) else {
                continue;
            };
            let judged = wanted.complete && found.complete;
            n += (judged && difference(&wanted, &found).is_some()) as u32;
        }
    }
    n
}

/// Planted faults: a dependence that leaves out one kind of interference is noticed.
#[test]
fn a_dependence_left_out_is_noticed() {
    use AccessClass::{Atomic, Commuting, Read, Write};
    type LeftOut = (&'static str, fn(AccessClass, AccessClass) -> bool);
    let left_out: [LeftOut; 6] = [
        ("all", |_, _| true),
        ("read, write", |a, b| (a, b) == (Read, Write)),
        ("write, write", |a, b| (a, b) == (Write, Write)),
        ("atomic, atomic", |a, b| (a, b) == (Atomic, Atomic)),
        ("atomic, plain", |a, b| {
            a == Atomic && matches!(b, Read | Write)
        }),
        ("counting, others", |a, b| {
            matches!(a, Commuting(_)) && !matches!(b, Commuting(_))
        }),
    ];
    for (what, left_out) in left_out {
        let n = caught(&|| Without(left_out));
        assert!(n > 0, "{what} left out: not noticed");
    }
    assert_eq!(caught(&|| Without(|_, _| false)), 0);
}

/// Random numbers, for kernels that wait.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }

    fn small(&mut self, n: u64) -> Expr {
        k::n(self.below(n) as i32)
    }
}

/// Two or three threads, each with a few operators of its own on two cells; now and then all meet
/// at a barrier.
fn waiting(seed: u64) -> Generated {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let n_threads = 2 + (rng.below(3) == 0) as u32;
    let blocks = rng.below(4) == 0;
    let me = if blocks { k::bid } else { k::tid };
    let mut body = vec![k::set(1, 1, k::n(0)), k::set(1, 2, k::n(0))];
    for _ in 0..1 + rng.below(2) {
        for thread in 0..n_threads {
            let n_statements = 1 + rng.below(3);
            let own = (0..n_statements)
                .flat_map(|_| statement(&mut rng))
                .collect();
            body.push(k::when(2, k::eq(me(), k::n(thread as i32)), own));
        }
        match rng.below(6) {
            0..=2 => body.push(k::barrier(3)),
            3 => body.push(k::syncwarp(3, mask(&mut rng))),
            _ => {}
        }
    }
    let program = k::kernel(1, 2, &[], body);
    let launch = if blocks {
        (n_threads, 1)
    } else {
        (1, n_threads)
    };
    Generated {
        program,
        kernel: ProcId(0),
        setup: k::launch(launch.0, launch.1, &[(2, Contents::Zero)]),
        seed,
    }
}

/// Mostly one of the two threads or of all.
fn mask(rng: &mut Rng) -> u32 {
    [3, 3, u32::MAX, u32::MAX, u32::MAX, 1, 2, 5][rng.below(8) as usize]
}

fn statement(rng: &mut Rng) -> Vec<Arc<Op>> {
    let cell = rng.small(2);
    let at = k::cell(k::ptr(0), cell.clone());
    let read = || k::load(k::ptr(0), cell.clone());
    let var = 1 + rng.below(2) as u32;
    match rng.below(13) {
        0..=2 => vec![k::store(4, k::ptr(0), cell, rng.small(3))],
        3 => vec![k::store(4, k::ptr(0), cell, k::int(var))],
        4 => vec![k::set(5, var, read())],
        5 | 6 => vec![k::repeat(6, k::eq(read(), rng.small(2)), vec![])],
        7 => {
            let other = k::load(k::ptr(0), rng.small(2));
            let cond = k::eq(k::add(read(), other), rng.small(2));
            vec![k::repeat(7, cond, vec![])]
        }
        8 => {
            let operands = vec![k::n(0), k::n(1)];
            let swap = k::atomic(8, AtomicFn::Cas, at, operands, Some(var));
            let again = k::repeat(8, k::lt(k::n(0), k::int(var)), vec![swap]);
            vec![k::set(8, var, k::n(1)), again]
        }
        9 => vec![k::atomic(
            9,
            AtomicFn::Exch,
            at,
            vec![rng.small(2)],
            Some(var),
        )],
        10 => vec![k::atomic(
            9,
            AtomicFn::Add,
            at,
            vec![rng.small(3)],
            Some(var),
        )],
        _ => {
            let function = [AtomicFn::Add, AtomicFn::Max][rng.below(2) as usize];
            vec![k::atomic(9, function, at, vec![rng.small(3)], None)]
        }
    }
}

/// Runs to their end, runs left as seen before, runs in which a thread waits.
fn counts(program: &Program, setup: &Setup) -> (u64, u64, u64) {
    let (reference, automaton) = both(program, setup, &Profile::default());
    let automaton = automaton.expect("an automaton");
    let found = explore_automaton(&automaton, &ByAccess, &steps(), &full()).expect("known steps");
    assert!(found.complete, "{:?}", found.limits_hit);
    let (executions, stateless) = (found.statistics.executions, found.stateless);
    let wanted = explore(&automaton, &Limits::default(), &full());
    assert!(wanted.complete && difference(&wanted, &found).is_none());
    replays(&reference, &found, &"");
    let stateless = stateless.expect("stateless");
    (executions, stateless.redundant, stateless.waiting)
}

fn zeros(n_threads: u32, extent: u64) -> Setup {
    k::launch(1, n_threads, &[(extent, Contents::Zero)])
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// `n` threads that write a cell each: nothing to reverse.
#[test]
fn writers_of_different_cells_have_one_run() {
    let program = k::kernel(1, 0, &[], vec![k::store(2, k::ptr(0), k::tid(), k::tid())]);
    for n in 1..=8 {
        assert_eq!(counts(&program, &zeros(n, n as u64)), (1, 0, 0));
    }
}

/// `n` threads that write one cell, or fetch and add to it, or exchange it: every order; if nobody
/// uses what an addition fetches: one. A barrier between multiplies.
#[test]
fn writers_of_one_cell_have_every_order() {
    let write = |at| k::store(at, k::ptr(0), k::n(0), k::tid());
    let fetch = |result| {
        let cell = k::cell(k::ptr(0), k::n(0));
        k::atomic(2, AtomicFn::Add, cell, vec![k::n(1)], result)
    };
    for n in 1..=5 {
        let orders = factorial(n);
        let setup = zeros(n as u32, 1);
        let runs = |body| counts(&k::kernel(1, 1, &[], body), &setup);
        assert_eq!(runs(vec![write(2)]), (orders, 0, 0));
        assert_eq!(runs(vec![fetch(Some(1))]), (orders, 0, 0));
        assert_eq!(runs(vec![fetch(None)]), (1, 0, 0));
        if n <= 4 {
            let twice = vec![write(2), k::barrier(3), write(4)];
            assert_eq!(runs(twice), (orders * orders, 0, 0));
        }
    }
}

/// `readers(n)` of POPL 2014: one writes, `n` read. Each reads before or after: 2^n.
#[test]
fn readers_have_two_to_the_n_runs() {
    let first = || k::eq(k::tid(), k::n(0));
    let program = k::kernel(
        1,
        1,
        &[],
        vec![
            k::when(2, first(), vec![k::store(2, k::ptr(0), k::n(0), k::n(1))]),
            k::when(
                3,
                k::lt(k::n(0), k::tid()),
                vec![k::set(3, 1, k::load(k::ptr(0), k::n(0)))],
            ),
        ],
    );
    for n in 1..=8 {
        assert_eq!(counts(&program, &zeros(n + 1, 1)), (1 << n, 0, 0));
    }
}

/// `lastzero(n)` of POPL 2014 (table 1): 64 runs for 5 threads, 3328 for 10, 147456 for 15, which
/// is (n + 3)·2^(n-2).
#[test]
fn lastzero_has_the_runs_of_the_literature() {
    let cell = |index: Expr| k::load(k::ptr(0), index);
    let not_zero = |value: Expr| k::bin(BinaryOp::Ne, value, k::n(0));
    let down = k::set(5, 1, k::add(k::int(1), k::n(-1)));
    let program = |n: i32| {
        let search = vec![
            k::set(3, 1, k::n(n)),
            k::repeat(4, not_zero(cell(k::int(1))), vec![down.clone()]),
        ];
        let mine = k::add(cell(k::add(k::tid(), k::n(-1))), k::n(1));
        k::kernel(
            1,
            1,
            &[],
            vec![
                k::when(2, k::eq(k::tid(), k::n(0)), search),
                k::when(
                    6,
                    k::lt(k::n(0), k::tid()),
                    vec![k::store(7, k::ptr(0), k::tid(), mine)],
                ),
            ],
        )
    };
    for n in 2..=6 {
        let setup = zeros(n as u32 + 1, n as u64 + 1);
        let (executions, _, waiting) = counts(&program(n), &setup);
        assert_eq!((executions, waiting), ((n as u64 + 3) << (n - 2), 0));
    }
}

/// One waits for a flag that the other sets. Its first look is a step of its own, before the loop;
/// so the flag is set before that one, between that and the next, or later.
#[test]
fn who_waits_looks_before_or_after() {
    let first = || k::eq(k::tid(), k::n(0));
    let flag = || k::load(k::ptr(0), k::n(0));
    let set = k::store(2, k::ptr(0), k::n(0), k::n(1));
    let wait = k::repeat(3, k::eq(flag(), k::n(0)), vec![]);
    let rest = || k::when(3, k::lt(k::n(0), k::tid()), vec![wait.clone()]);
    let program = k::kernel(1, 0, &[], vec![k::when(2, first(), vec![set]), rest()]);
    assert_eq!(counts(&program, &zeros(2, 1)), (2, 0, 1));
    // Nobody sets it.
    let program = k::kernel(1, 0, &[], vec![rest()]);
    assert_eq!(counts(&program, &zeros(2, 1)), (0, 0, 1));
}
