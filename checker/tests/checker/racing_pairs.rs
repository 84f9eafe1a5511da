//! Which operators race is said of all that do: several by one thread in one interval, more readers
//! than two, across blocks and after a thread's end. On random kernels the canonical run names
//! exactly the pairs that comparing all accesses of its schedule gives, on the reference semantics.

use crate::algebra::*;
use crate::running::{counting, run, run_under, sides, zeros};
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus};
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::explore::explore_program;
use gridlock_checker::finding::{Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay;
use gridlock_checker::system::footprint::{MemoryPlace, place_of};
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::{Profile, SameValueWrites};
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::{Access, Actor, Rule, TransitionSystem};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Lines of each race, counted from `line`.
fn lines(result: &CanonicalResult, program: &Program, line: u32) -> BTreeSet<(u32, u32)> {
    let pair = |index| {
        let [a, b] = sides(result, program, index).map(|side| side.1 - line);
        (a.min(b), a.max(b))
    };
    (0..result.findings.len()).map(pair).collect()
}

#[test]
fn two_writes_by_one_thread_each_race_with_a_reader() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let line = line!();
    let first = put(&a, 0, 1);
    let second = put(&a, 0, 2);
    let read = set(&v, a.at(0));
    let body = vec![branch(tid().equals(0), vec![first, second], vec![read])];
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
    for profile in ["cuda", "portable", "lockstep-warp"] {
        let result = run_under(profile, &program, &setup);
        let expected = BTreeSet::from([(1, 3), (2, 3)]);
        assert_eq!(lines(&result, &program, line), expected, "{profile}");
        assert_eq!(result.status, CanonicalStatus::Decides);
    }
}

/// The same where threads meet at a named barrier, and happens-before is followed otherwise.
#[test]
fn beside_a_named_barrier() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let line = line!();
    let first = put(&a, 0, 1);
    let second = put(&a, 0, 2);
    let read = set(&v, a.at(0));
    let late = put(&a, 0, 3);
    let meet = basic(Basic::NamedBarrier {
        id: c(1).to(ScalarType::U32).0,
        threads: None,
        arrive_only: false,
    });
    let body = vec![
        branch(tid().equals(0), vec![first, second], vec![read]),
        meet,
        when(tid().equals(0), vec![late]),
    ];
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
    let profile = Profile::default();
    let result = canonical::run(&compile(&program), &setup, &profile, &Limits::default());
    let expected = BTreeSet::from([(1, 3), (2, 3)]);
    assert_eq!(lines(&result, &program, line), expected);
    assert_eq!(result.status, CanonicalStatus::Decides);
    for finding in &result.findings {
        assert!(replay::shows(&program, &setup, &profile, finding));
    }
}

/// Readers at four places, of which the detector itself remembers two, and one that writes.
#[test]
fn every_reader_races_with_one_that_writes() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let line = line!();
    let reads = vec![
        when(tid().lt(2), vec![set(&v, a.at(0))]),
        when(tid().equals(2), vec![set(&v, a.at(0))]),
        when(tid().equals(3), vec![set(&v, a.at(0))]),
        when(tid().equals(3), vec![set(&v, a.at(0))]),
    ];
    let write = when(tid().equals(4), vec![put(&a, 0, 7)]);
    let program = draft.kernel(reads.into_iter().chain([write]).collect());
    let setup = kernel_setup(&program, 1, 5, vec![zeros("a", 1)]);
    let result = run(&program, &setup);
    let expected: BTreeSet<_> = (2..=5).map(|read| (read, 7)).collect();
    assert_eq!(lines(&result, &program, line), expected);
}

/// Both writes of one block beside an atomic and a read of another, and those among themselves.
#[test]
fn across_blocks() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let v = draft.local("v");
    let line = line!();
    let first = put(&a, 0, 1);
    let second = put(&a, 0, 2);
    let add = atomic(AtomicFn::Add, a.plus(0), 1, None);
    let read = set(&v, a.at(0));
    let (writes, looks) = (vec![first, second], vec![add, read]);
    let program = draft.kernel(vec![branch(bid().equals(0), writes, looks)]);
    let setup = kernel_setup(&program, 3, 1, vec![zeros("a", 1)]);
    let result = run(&program, &setup);
    let expected = BTreeSet::from([(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]);
    assert_eq!(lines(&result, &program, line), expected);
}

/// Of threads that end, what all of them did stays unordered with what comes after the barrier.
#[test]
fn after_a_thread_has_ended() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let line = line!();
    let first = put(&a, 0, 1);
    let second = put(&a, 0, 2);
    let late = put(&a, 0, 3);
    let program = draft.kernel(vec![
        when(tid().equals(1), vec![first, second, exit()]),
        barrier(),
        when(tid().equals(0), vec![late]),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
    let result = run_under("cuda-hw", &program, &setup);
    let expected = BTreeSet::from([(1, 3), (2, 3)]);
    assert_eq!(lines(&result, &program, line), expected);
}

/// More operators at one place than are remembered there: it races all the same, and many pairs
/// are named. (These have no lines: each counts as a place of its own.)
#[test]
fn beyond_what_is_remembered() {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let write = |n| {
        let mut op = (*put(&a, 0, n)).clone();
        op.span = Span::NONE;
        Arc::new(op)
    };
    let writes: Vec<Stmt> = (0..60).map(write).collect();
    let reader = put(&a, 1, a.at(0));
    let program = draft.kernel(vec![branch(tid().equals(0), writes, vec![reader])]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 2)]);
    let result = run(&program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    assert!(
        (2..60).contains(&result.findings.len()),
        "{}",
        result.findings.len()
    );
}

/// The first thread's atomic comes before the second's, which tells of what came before it: that the
/// threads race all the same shows where the first stops before its atomic.
#[test]
fn a_later_race_replays_with_atomics_between() {
    let mut draft = Draft::new();
    let (a, n) = (draft.ints("a"), draft.ints("n"));
    let v = draft.local("v");
    let program = draft.kernel(vec![
        put(&a, 0, 7),
        set(&v, a.at(tid() + 1)),
        atomic(AtomicFn::Add, n.plus(0), 1, None),
        put(&a, tid() + 2, 1),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 4), zeros("n", 1)]);
    let result = run(&program, &setup);
    assert_eq!(result.findings.len(), 2);
    let profile = Profile::default();
    for finding in &result.findings {
        assert!(replay::shows(&program, &setup, &profile, finding));
    }
}

/// Where lanes wait for one another the first thread goes on to its atomic, and in that order nothing
/// races: the finding does not replay, and the race is the explorer's to show.
#[test]
fn lanes_that_wait_for_each_other_with_atomics_between() {
    let mut draft = Draft::new();
    let (a, n) = (draft.ints("a"), draft.ints("n"));
    let v = draft.local("v");
    let add = || atomic(AtomicFn::Add, n.plus(0), 1, None);
    let program = draft.kernel(vec![
        branch(
            tid().equals(0),
            vec![put(&a, 0, 7), add()],
            vec![add(), set(&v, a.at(0))],
        ),
        sync_warp(0b11),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1), zeros("n", 1)]);
    let result = run(&program, &setup);
    assert_eq!(result.findings.len(), 1);
    let (profile, limits) = (Profile::default(), Limits::default());
    assert!(!replay::shows(
        &program,
        &setup,
        &profile,
        &result.findings[0]
    ));
    let explored = explore_program(&program, &setup, &profile, &limits, &Default::default());
    let findings = explored.expect("it fits").findings;
    let shown = |finding| replay::shows(&program, &setup, &profile, finding);
    assert!(findings.iter().any(shown));
}

/// The accesses of the canonical schedule, thread after thread and block after block, on the
/// reference semantics: each with the barrier interval it is in.
struct Reference<'a> {
    system: &'a ProgramSystem,
    state: State,
    accesses: Vec<(Access, u32)>,
    /// By thread: the interval it is in, at last the one it ended in.
    intervals: BTreeMap<Actor, u32>,
    halted: bool,
}

impl Reference<'_> {
    /// All steps of an actor until it waits; whether it moved.
    fn alone(&mut self, actor: Actor) -> bool {
        let mut moved = false;
        while !self.halted {
            let mut next = self.system.fire(&self.state, &[actor]);
            if next.is_empty() {
                break;
            }
            let (label, state) = next.swap_remove(0);
            let interval = self.intervals.get(&actor).copied().unwrap_or(0);
            self.accesses
                .extend(label.accesses.iter().map(|access| (*access, interval)));
            self.halted = label.fault.is_some() || self.system.is_discarded(&state);
            let before = std::mem::replace(&mut self.state, state);
            moved = true;
            if label.rule == Rule::CollectiveBarrier {
                self.next_interval(&before);
                break;
            }
        }
        moved
    }

    /// Those who had not ended before the barrier go on to the next interval; it may be the last that some of them do.
    fn next_interval(&mut self, before: &State) {
        let Some(grid) = &before.device else {
            return;
        };
        for (block, threads) in (0..).zip(&grid.blocks) {
            for (thread, own) in (0..).zip(&threads.threads) {
                if own.is_running() {
                    let actor = Actor::Thread { block, thread };
                    *self.intervals.entry(actor).or_default() += 1;
                }
            }
        }
    }
}

/// The lines two accesses stand on.
fn lines_of(compiled: &Compiled, first: &Access, second: &Access) -> (u32, u32) {
    let [a, b] = [first, second].map(|access| compiled.span(access.op).line);
    (a.min(b), a.max(b))
}

/// Pairs of lines that race in the canonical schedule: all pairs of accesses compared.
fn all_pairs(compiled: &Compiled, setup: &Setup, profile: &Profile) -> BTreeSet<(u32, u32)> {
    let program = compiled.program().clone();
    let system = ProgramSystem::new(program, setup.clone(), profile.clone()).expect("it fits");
    let mut run = Reference {
        state: system.initial().remove(0),
        system: &system,
        accesses: Vec::new(),
        intervals: BTreeMap::new(),
        halted: false,
    };
    let launch = setup.launch.expect("a kernel");
    for block in 0..launch.n_blocks() as u32 {
        let mut moved = true;
        while moved {
            moved = false;
            for thread in 0..launch.n_threads() as u32 {
                moved |= run.alone(Actor::Thread { block, thread });
            }
            moved |= run.alone(Actor::Block(block));
        }
    }
    let block_of = |actor: Actor| match actor {
        Actor::Thread { block, .. } => block,
        other => panic!("{other:?} accesses nothing"),
    };
    let mut by_place: BTreeMap<MemoryPlace, Vec<(Access, u32)>> = BTreeMap::new();
    for (access, interval) in &run.accesses {
        if !matches!(access.array, ArrayRef::Private(_)) {
            let at = by_place.entry(place_of(access)).or_default();
            at.push((*access, *interval));
        }
    }
    let mut pairs = BTreeSet::new();
    for accesses in by_place.values() {
        for (n, (second, later)) in accesses.iter().enumerate() {
            for (first, earlier) in &accesses[..n] {
                let looks = first.mode.reads_only() && second.mode.reads_only();
                let atomics = first.mode.is_atomic() && second.mode.is_atomic();
                let ended = run.intervals.get(&first.actor).copied().unwrap_or(0) == *earlier;
                let ordered = block_of(first.actor) == block_of(second.actor)
                    && (first.actor == second.actor || earlier != later && !ended);
                if !ordered && !looks && !atomics {
                    pairs.insert(lines_of(compiled, first, second));
                }
            }
        }
    }
    pairs
}

/// The prefix sum of Blelloch without the barriers on the way down, where threads write cells by
/// several operators in one interval: `benches/oclgrind/kernels/prefix-racy.cu`, for 16 cells a block.
#[test]
fn a_prefix_sum_without_barriers() {
    let n = 16;
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let s = draft.shared("s", n as u64);
    let [step, d, left, right, value] =
        ["step", "d", "left", "right", "value"].map(|name| draft.local(name));
    let cell = |k: i32| tid() * 2 + k;
    let of_pair = |k: i32| step.clone() * (tid() * 2 + k) - 1;
    let line = line!();
    let load = put(&s, cell(0), a.at(bid() * n + cell(0)));
    let load_next = put(&s, cell(1), a.at(bid() * n + cell(1)));
    let sum = put(&s, of_pair(2), s.at(of_pair(2)) + s.at(of_pair(1)));
    let clear = put(&s, n - 1, 0);
    let keep = set(&value, s.at(left.clone()));
    let swap = put(&s, left.clone(), s.at(right.clone()));
    let add = put(&s, right.clone(), s.at(right.clone()) + value.clone());
    let store = put(&a, bid() * n + cell(0), s.at(cell(0)));
    let store_next = put(&a, bid() * n + cell(1), s.at(cell(1)));
    let program = draft.kernel(vec![
        set(&step, 1),
        load,
        load_next,
        counted(
            &d,
            n / 2,
            d.clone().gt(0),
            d.clone() / 2,
            vec![
                barrier(),
                when(tid().lt(d.clone()), vec![sum]),
                set(&step, step.clone() * 2),
            ],
        ),
        when(tid().equals(0), vec![clear]),
        counted(
            &d,
            1,
            d.clone().lt(n),
            d.clone() * 2,
            vec![
                set(&step, step.clone() / 2),
                when(
                    tid().lt(d.clone()),
                    vec![
                        set(&left, of_pair(1)),
                        set(&right, of_pair(2)),
                        keep,
                        swap,
                        add,
                    ],
                ),
            ],
        ),
        barrier(),
        store,
        store_next,
    ]);
    let arrays = vec![counting("a", 2 * n as u64)];
    let setup = kernel_setup(&program, 2, n as u32 / 2, arrays);
    let profile = Profile::default();
    let program = atomic_form(&program);
    let compiled = compile(&program);
    let result = canonical::run(&compiled, &setup, &profile, &Limits::default());
    let named = lines(&result, &program, line);
    let all = all_pairs(&compiled, &setup, &profile);
    let expected: BTreeSet<_> = all.iter().map(|(a, b)| (a - line, b - line)).collect();
    assert_eq!(named, expected);
    // The last sum on the way up (3) and what clears the last cell (4) beside what is written on the way
    // down (6, 7), and the three operators of that among themselves.
    let expected = [
        (3, 6),
        (3, 7),
        (4, 6),
        (4, 7),
        (5, 7),
        (6, 6),
        (6, 7),
        (7, 7),
    ];
    assert_eq!(named, BTreeSet::from(expected));
    for finding in &result.findings {
        assert!(replay::shows(&program, &setup, &profile, finding));
    }
}

#[derive(Debug, Default)]
struct Tally {
    kernels: u32,
    pairs: usize,
    findings: usize,
    shown: usize,
    together: usize,
}

fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let program = atomic_form(&generated.program);
    let limits = Limits::default();
    let compiled = compile(&program);
    let result = canonical::run(&compiled, &generated.setup, profile, &limits);
    if matches!(
        result.status,
        CanonicalStatus::AssumptionFailed | CanonicalStatus::Limit { .. }
    ) {
        return;
    }
    let races = result.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Race { first, second } => Some(lines_of(&compiled, first, second)),
        _ => None,
    });
    let named: BTreeSet<(u32, u32)> = races.collect();
    let expected = all_pairs(&compiled, &generated.setup, profile);
    assert_eq!(named, expected, "seed {}, {}", generated.seed, profile.name);
    tally.kernels += 1;
    tally.pairs += named.len();
    tally.findings += result.findings.len();
    let shown = |f: &&_| replay::shows(&program, &generated.setup, profile, f);
    tally.shown += result.findings.iter().filter(shown).count();
    tally.together += shown_together(&program, &generated.setup, profile, &result.findings);
}

/// What several findings are replayed to together is what each is by itself; how many of them are defects, where there
/// are several.
fn shown_together(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    findings: &[Finding],
) -> usize {
    if findings.len() < 2 {
        return 0;
    }
    let until = Instant::now() + Duration::from_secs(600);
    let together = replay::defects_in_time(program, setup, profile, findings, until);
    let alone = |f: &Finding| replay::defect_in_time(program, setup, profile, f, until);
    let alone: Vec<_> = findings.iter().map(alone).collect();
    assert_eq!(together, alone);
    together.iter().filter(|shown| shown.is_ok()).count()
}

#[test]
fn random_kernels() {
    let sizes = Sizes {
        threads: 4,
        blocks: 2,
        all_threads: 6,
        statements: 8,
        expression_depth: 1,
        early_return: true,
        ..Sizes::default()
    };
    // Without warps: the oracle knows nothing of what orders lanes.
    let profile = Profile::named("portable").expect("a named profile");
    assert_ne!(profile.axes.same_value_writes, SameValueWrites::Benign);
    let mut tally = Tally::default();
    let n = effort::cases(700, 20_000) as usize;
    for seed in 0..n as u64 {
        judge(&unrestricted(seed, &sizes), &profile, &mut tally);
    }
    assert!(
        20 * tally.kernels as usize > 19 * n && 2 * tally.pairs > 3 * n,
        "{tally:?}"
    );
    // A race may come of an earlier one, in an order of that one which its schedule leaves out.
    assert!(100 * tally.shown > 99 * tally.findings, "{tally:?}");
    assert!(tally.together > n, "{tally:?}");
}
