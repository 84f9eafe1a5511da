//! The compiled search: what merging alike threads, taking blocks one after another, and the number
//! of processors must not change.

use crate::kernels as k;
use gridlock_checker::automaton::Automaton;
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{
    Checkpoint, CheckpointError, Exploration, ExploreOptions, Outcome, Strategy, explore_flat,
    explore_system_on,
};
use gridlock_checker::finding::{Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_semantics::algebra::operator::{AtomicFn, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::{ExitedThreads, MemoryModel, Profile};
use gridlock_semantics::setup::{Contents, Setup};
use std::collections::BTreeSet;
use std::sync::Arc;

fn limits() -> Limits {
    Limits {
        states: 60_000,
        ..Limits::default()
    }
}

fn with(reduction: bool) -> ExploreOptions {
    ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    }
}

fn automaton(program: &Program, setup: &Setup) -> (Arc<ExploredProgram>, Automaton) {
    automaton_under(&Profile::default(), program, setup)
}

fn automaton_under(
    profile: &Profile,
    program: &Program,
    setup: &Setup,
) -> (Arc<ExploredProgram>, Automaton) {
    let reference = ExploredProgram::new(program, setup, profile);
    let reference = Arc::new(reference.expect("it fits"));
    let code = compile(reference.program());
    let automaton = Automaton::of(reference.clone(), &code, setup).expect("an automaton");
    (reference, automaton)
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

/// Where the threads stand when no actor can move, whoever they are.
fn deadlocks(found: &Exploration, n_threads: usize) -> BTreeSet<Vec<Vec<(u32, bool)>>> {
    let of = |positions: &[gridlock_semantics::transition::fault::ThreadPosition]| {
        let blocks = positions.chunks(n_threads).map(|block| {
            let threads = block
                .iter()
                .map(|p| (p.op.map_or(0, |op| op.0 + 1), p.returned));
            let mut threads: Vec<(u32, bool)> = threads.collect();
            threads.sort_unstable();
            threads
        });
        let mut blocks: Vec<Vec<(u32, bool)>> = blocks.collect();
        blocks.sort_unstable();
        blocks
    };
    found.deadlocks.iter().map(|d| of(&d.positions)).collect()
}

/// Numbers that look random.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A kernel most of whose threads do the same, on cells 0 to 3 and, in some, a cell of each block
/// or thread.
fn alike(seed: u64) -> (Program, Setup, usize) {
    let mut rng = Rng(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) + 1);
    let (n_blocks, n_threads) = [(1, 2), (1, 3), (2, 1), (3, 1), (2, 2)][rng.below(5) as usize];
    let own_cells = rng.below(3) == 0;
    let n_statements = 1 + rng.below(3);
    let mut body = vec![k::set(1, 1, k::n(0))];
    for _ in 0..n_statements {
        body.extend(statement(&mut rng, own_cells));
    }
    let program = k::kernel(1, 1, &[], body);
    let setup = k::launch(n_blocks, n_threads, &[(8, Contents::Zero)]);
    (program, setup, n_threads as usize)
}

fn statement(rng: &mut Rng, own_cells: bool) -> Vec<Arc<Op>> {
    let index = match own_cells {
        true if rng.below(2) == 0 => k::add(k::n(4), k::bid()),
        true => k::add(k::n(4), k::add(k::bid(), k::tid())),
        false => k::n(rng.below(2) as i32),
    };
    let at = || k::cell(k::ptr(0), index.clone());
    let read = || k::load(k::ptr(0), index.clone());
    let small = |rng: &mut Rng| k::n(rng.below(3) as i32);
    match rng.below(11) {
        0 => vec![k::store(2, k::ptr(0), index.clone(), small(rng))],
        1 => vec![k::store(
            2,
            k::ptr(0),
            index.clone(),
            k::add(k::int(1), k::n(1)),
        )],
        2 | 3 => vec![k::set(3, 1, read())],
        4 | 5 => vec![k::atomic(4, AtomicFn::Add, at(), vec![k::n(1)], Some(1))],
        6 => vec![k::atomic(5, AtomicFn::Add, at(), vec![k::n(1)], None)],
        7 => vec![k::repeat(6, k::lt(read(), small(rng)), vec![])],
        8 => vec![k::barrier(7)],
        9 => vec![k::when(8, k::eq(read(), small(rng)), vec![k::barrier(8)])],
        _ => {
            let swap = vec![k::n(0), k::n(1)];
            vec![k::atomic(9, AtomicFn::Cas, at(), swap, Some(1))]
        }
    }
}

/// Ways runs end, races, faults and deadlocks are those of the search of every state, by whomever;
/// and what is found replays on the reference.
#[test]
fn the_reduced_search_finds_what_there_is() {
    let n = effort::cases(600, 20_000);
    let (mut judged, mut fewer, mut racy, mut stuck, mut faulty) = (0, 0, 0, 0, 0);
    // Under the one a barrier waits for ever for those who have ended.
    let plain = Profile::default();
    let mut waits = plain.clone();
    waits.axes.exited_threads = ExitedThreads::BlockForever;
    for seed in 0..n {
        let (program, setup, n_threads) = alike(seed);
        let profile = [&plain, &waits][(seed / 5 % 2) as usize];
        let (reference, automaton) = automaton_under(profile, &program, &setup);
        let full = explore_flat(&automaton, &limits(), &with(false));
        if !full.complete {
            continue;
        }
        let reduced = explore_flat(&automaton, &limits(), &with(true));
        assert!(reduced.complete, "{seed}");
        let outcomes = |found: &Exploration| found.outcomes.keys().cloned().collect::<Vec<_>>();
        assert_eq!(outcomes(&reduced), outcomes(&full), "{seed}");
        assert_eq!(races(&reduced), races(&full), "{seed}");
        if full.deadlocks.len() < 16 {
            let (a, b) = (deadlocks(&reduced, n_threads), deadlocks(&full, n_threads));
            assert_eq!(a, b, "{seed}");
        }
        assert!(
            reduced.statistics.states <= full.statistics.states,
            "{seed}"
        );
        for finding in &reduced.findings {
            assert!(
                confirm_in(&reference, finding).is_some(),
                "{seed} {finding:?}"
            );
        }
        for (outcome, schedule) in &reduced.outcomes {
            let seen = observation_after(&reference, schedule);
            match outcome {
                Outcome::Observation(wanted) => assert_eq!(seen.as_ref(), Some(wanted), "{seed}"),
                Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{seed}"),
            }
        }
        judged += 1;
        fewer += (reduced.statistics.states * 3 < full.statistics.states * 2) as u64;
        racy += !races(&full).is_empty() as u64;
        stuck += !full.deadlocks.is_empty() as u64;
        let fault = |f: &Finding| matches!(f.evidence, Evidence::Fault(_));
        faulty += full.findings.iter().any(fault) as u64;
    }
    assert!(judged > n / 2, "{judged}");
    assert!(fewer > n / 6 && racy > n / 10, "{fewer} {racy}");
    assert!(stuck > n / 200 && faulty > n / 100, "{stuck} {faulty}");
}

/// Numbers, schedules, everything: the same on one processor and on several.
#[test]
fn processors_do_not_show() {
    let body = vec![
        k::atomic(
            2,
            AtomicFn::Add,
            k::cell(k::ptr(0), k::n(0)),
            vec![k::n(1)],
            Some(1),
        ),
        k::repeat(3, k::lt(k::load(k::ptr(0), k::n(1)), k::int(1)), vec![]),
        k::set(4, 2, k::load(k::ptr(0), k::n(2))),
        k::store(
            5,
            k::ptr(0),
            k::n(2),
            k::add(k::int(2), k::add(k::int(2), k::tid())),
        ),
        k::store(6, k::ptr(0), k::n(1), k::add(k::int(1), k::n(1))),
    ];
    let program = k::kernel(1, 2, &[], [body.clone(), body].concat());
    let setup = k::launch(1, 4, &[(3, Contents::Zero)]);
    let (_, automaton) = automaton(&program, &setup);
    for reduction in [false, true] {
        let on = |n_processors| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_processors);
            let pool = pool.build().expect("a pool");
            pool.install(|| explore_flat(&automaton, &Limits::default(), &with(reduction)))
        };
        let one = on(1);
        assert!(one.complete && one.statistics.states > 1_000);
        assert!(!one.findings.is_empty() && one.outcomes.len() > 1);
        for n_processors in [2, 3] {
            let several = on(n_processors);
            assert_eq!(several.statistics.states, one.statistics.states);
            assert_eq!(several.statistics.transitions, one.statistics.transitions);
            assert_eq!(several.outcomes, one.outcomes);
            assert_eq!(several.findings, one.findings);
        }
    }
}

/// Every order visits the same states, with fingerprints and with whole states.
#[test]
fn orders_visit_the_same_states() {
    for seed in 0..40 {
        let (program, setup, _) = alike(seed);
        let (_, automaton) = automaton(&program, &setup);
        let of = |strategy, exact| {
            let options = ExploreOptions {
                strategy,
                exact,
                ..with(false)
            };
            explore_flat(&automaton, &limits(), &options)
        };
        let breadth = of(Strategy::Breadth, false);
        if !breadth.complete {
            continue;
        }
        let others = [
            of(Strategy::Breadth, true),
            of(Strategy::Depth, false),
            of(Strategy::Random { seed }, false),
            of(Strategy::Guided, true),
        ];
        for other in others {
            assert_eq!(other.statistics.states, breadth.statistics.states, "{seed}");
            assert!(other.outcomes.keys().eq(breadth.outcomes.keys()), "{seed}");
            assert_eq!(races(&other), races(&breadth), "{seed}");
        }
    }
}

/// Blocks are taken one after another only as long as none touches what another does.
#[test]
fn blocks_that_meet_are_not_taken_one_after_another() {
    let first_cells = |program: &Program| {
        let setup = k::launch(2, 1, &[(4, Contents::Zero)]);
        let (_, automaton) = automaton(program, &setup);
        let found = explore_flat(&automaton, &limits(), &with(true));
        let cells = found.outcomes.keys().filter_map(|outcome| match outcome {
            Outcome::Observation(seen) => Some(seen.arrays[0].cells[3]),
            _ => None,
        });
        (cells.collect::<BTreeSet<Value>>(), found.statistics.states)
    };
    let zero = |at| k::eq(k::bid(), k::n(at));
    let swap = |at: i32| {
        let cell = k::cell(k::ptr(0), k::n(at));
        k::atomic(2, AtomicFn::Exch, cell, vec![k::n(1)], Some(1))
    };
    // Each block looks at a cell of its own: one result, a state for each block.
    let apart = vec![
        k::when(1, zero(0), vec![swap(0)]),
        k::when(1, zero(1), vec![swap(1)]),
    ];
    let (cells, n_states) = first_cells(&k::kernel(1, 1, &[], apart));
    assert_eq!((cells.len(), n_states), (1, 3));
    // The planted meeting: the second block's result says whether it came first.
    let note = k::store(4, k::ptr(0), k::n(3), k::add(k::int(1), k::n(1)));
    let together = vec![
        k::when(1, zero(0), vec![swap(0)]),
        k::when(1, zero(1), vec![swap(0), note]),
    ];
    let (cells, _) = first_cells(&k::kernel(1, 1, &[], together));
    assert_eq!(cells, BTreeSet::from([Value::i32(1), Value::i32(2)]));
}

/// A limit is said and kept to, and what was found before it stays.
#[test]
fn limits_are_kept() {
    let add = k::store(
        2,
        k::ptr(0),
        k::n(0),
        k::add(k::load(k::ptr(0), k::n(0)), k::n(1)),
    );
    let endless = k::repeat(1, k::lt(k::n(0), k::n(1)), vec![add]);
    let program = k::kernel(1, 0, &[], vec![endless]);
    let setup = k::launch(1, 3, &[(1, Contents::Zero)]);
    let (_, automaton) = automaton(&program, &setup);
    let base = Limits {
        states: 50_000,
        ..Limits::default()
    };
    let few_bytes = Limits {
        bytes: 300_000,
        ..base
    };
    let shallow = Limits { depth: 30, ..base };
    let cases = [
        (base, base.cut_by_states()),
        (few_bytes, few_bytes.cut_by_bytes()),
        (shallow, shallow.cut_by_depth()),
    ];
    for (limits, said) in cases {
        let found = explore_flat(&automaton, &limits, &with(false));
        assert!(!found.complete);
        assert_eq!(found.limits_hit, [said]);
        assert!(!races(&found).is_empty());
        assert!(found.statistics.states < 2 * limits.states);
    }
}

/// A search cut again and again, and gone on with, comes to what one search comes to: with memory
/// alone in its states, and with the order of accesses.
#[test]
fn a_search_that_was_cut_goes_on() {
    let add = |at: i32, result| {
        let cell = k::cell(k::ptr(0), k::n(at));
        k::atomic(2, AtomicFn::Add, cell, vec![k::n(1)], result)
    };
    let body = vec![
        add(0, Some(1)),
        k::fence(3),
        k::set(4, 2, k::load(k::ptr(0), k::n(2))),
        k::store(5, k::ptr(0), k::n(2), k::add(k::int(1), k::tid())),
        add(1, None),
    ];
    let program = k::kernel(1, 2, &[], [body.clone(), body].concat());
    let setup = k::launch(1, 3, &[(3, Contents::Zero)]);
    let mut sequential = Profile::default();
    sequential.axes.memory = MemoryModel::Sc;
    for profile in [sequential, Profile::default()] {
        let system = ExploredProgram::new(&program, &setup, &profile).expect("it fits");
        for reduction in [false, true] {
            let options = with(reduction);
            let at_once = explore_system_on(&system, &Limits::default(), &options, None);
            let (at_once, none) = at_once.expect("it keeps checkpoints");
            assert!(at_once.complete && none.is_none());
            let mut from: Option<Checkpoint> = None;
            let mut n_cuts = 0;
            let found = loop {
                let limits = Limits {
                    states: 20 << (3 * n_cuts),
                    ..Limits::default()
                };
                let searched = explore_system_on(&system, &limits, &options, from.as_ref());
                let (found, next) = searched.expect("a checkpoint of this search");
                let Some(next) = next else { break found };
                assert!(!found.complete);
                let bytes = next.as_bytes().to_vec();
                from = Some(Checkpoint::of_bytes(bytes).expect("whole"));
                n_cuts += 1;
            };
            assert!(n_cuts > 1, "{n_cuts}");
            assert!(found.complete, "{:?}", found.limits_hit);
            assert_eq!(found.statistics.states, at_once.statistics.states);
            assert_eq!(found.statistics.transitions, at_once.statistics.transitions);
            assert_eq!(found.outcomes, at_once.outcomes);
            assert_eq!(found.findings, at_once.findings);
            assert_eq!(found.weak_memory, at_once.weak_memory);
        }
    }
}

/// What is no checkpoint of the search is refused.
#[test]
fn checkpoints_of_other_searches_are_refused() {
    let add = |by| {
        k::store(
            2,
            k::ptr(0),
            k::n(0),
            k::add(k::load(k::ptr(0), k::n(0)), k::n(by)),
        )
    };
    let system = |by| {
        let program = k::kernel(1, 0, &[], vec![add(by), add(by)]);
        let setup = k::launch(1, 3, &[(1, Contents::Zero)]);
        ExploredProgram::new(&program, &setup, &Profile::default()).expect("it fits")
    };
    let few = Limits {
        states: 5,
        ..Limits::default()
    };
    let cut = explore_system_on(&system(1), &few, &with(false), None);
    let checkpoint = cut.expect("it keeps checkpoints").1.expect("it was cut");
    let on = |by, reduction| {
        explore_system_on(&system(by), &few, &with(reduction), Some(&checkpoint)).map(|_| ())
    };
    assert_eq!(on(1, false), Ok(()));
    assert_eq!(on(2, false), Err(CheckpointError::OtherSearch));
    assert_eq!(on(1, true), Err(CheckpointError::OtherSearch));
    let read = |bytes: Vec<u8>| Checkpoint::of_bytes(bytes).map(|_| ());
    let mut damaged = checkpoint.as_bytes().to_vec();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert_eq!(read(damaged), Err(CheckpointError::Damaged));
    let short = checkpoint.as_bytes()[..40].to_vec();
    assert_eq!(read(short), Err(CheckpointError::Damaged));
    assert_eq!(read(b"kernel".to_vec()), Err(CheckpointError::NotOne));
}
