//! Findings replayed on the reference, made into defects, written to files and followed again.

use crate::kernels::*;
use gridlock_checker::explore::{ExploreOptions, Strategy, explore_program};
use gridlock_checker::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{NotShown, ReplayError, confirm, defect, defect_in_time, replay};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::Witness;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::{MemoryModel, Profile, SameValueWrites};
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::transition::Actor;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn findings(program: &Program, setup: &Setup, profile: &Profile, depth: bool) -> Vec<Finding> {
    let options = ExploreOptions {
        strategy: if depth {
            Strategy::Depth
        } else {
            Strategy::Breadth
        },
        reduction: !depth,
        ..ExploreOptions::default()
    };
    explore_program(program, setup, profile, &Limits::default(), &options)
        .unwrap()
        .findings
}

/// The only defect, from the search by breadth and reduced and from the one by depth and in full.
fn only_defect(program: &Program, setup: &Setup, profile: &str) -> Defect {
    let profile = Profile::named(profile).unwrap();
    let mut defects = Vec::new();
    for depth in [false, true] {
        let findings = findings(program, setup, &profile, depth);
        assert_eq!(findings.len(), 1, "{findings:?}");
        let made = defect(program, setup, &profile, &findings[0], 0).expect("confirmed");
        assert!(made.confirmed);
        let witness = made.witness.clone().unwrap();
        let read = Witness::from_json(&witness.to_json()).unwrap();
        assert_eq!(read, witness);
        let again = replay(&read, program).unwrap();
        assert!(again.reproduced, "{}", again.conclusion);
        assert_eq!(again.conclusion, made.message);
        assert!(!again.steps.is_empty());
        defects.push(made);
    }
    assert_eq!(defects[0].kind, defects[1].kind);
    defects.swap_remove(0)
}

fn zeros(extent: u64) -> (u64, Contents) {
    (extent, Contents::Zero)
}

fn single(actor: Actor, steps: u32) -> ScheduleStep {
    ScheduleStep {
        actors: vec![actor],
        steps,
        choice: 0,
    }
}

fn thread(block: u32, thread: u32) -> Actor {
    Actor::Thread { block, thread }
}

/// A run that is too long to follow in time shows nothing, and refutes nothing either.
#[test]
fn a_replay_ends_in_time() {
    let shifted = store(4, ptr(0), tid(), load(ptr(0), add(tid(), n(1))));
    let program = kernel(1, 0, &[], vec![shifted]);
    let profile = Profile::named("cuda").unwrap();
    let setup = launch(1, 400, &[zeros(401)]);
    let (first, second) = (thread(0, 0), thread(0, 1));
    let found = findings(&program, &launch(1, 2, &[zeros(3)]), &profile, false);
    // All the others first, so that the way is a long one.
    let others = (2..400).map(|n| single(thread(0, n), 2));
    let schedule = others
        .chain([single(second, 2), single(first, 1)])
        .collect();
    let long = Finding {
        schedule,
        ..found[0].clone()
    };
    let by = |until| defect_in_time(&program, &setup, &profile, &long, until);
    let past = Instant::now();
    assert_eq!(by(past).unwrap_err(), NotShown::Late);
    let later = past + Duration::from_secs(3_600);
    assert_eq!(by(later).unwrap().kind, DefectKind::DataRace);
    // A schedule that does not show it is no matter of time.
    let wrong = Finding {
        schedule: vec![single(first, 7)],
        ..found[0].clone()
    };
    let shown = defect_in_time(&program, &setup, &profile, &wrong, later);
    assert_eq!(shown.unwrap_err(), NotShown::Refuted);
}

#[test]
fn a_race_names_both_sides() {
    let shifted = store(4, ptr(0), tid(), load(ptr(0), add(tid(), n(1))));
    let program = kernel(1, 0, &[], vec![shifted]);
    let found = only_defect(&program, &launch(1, 2, &[zeros(3)]), "cuda");
    assert_eq!(found.kind, DefectKind::DataRace);
    assert_eq!((found.array.as_deref(), found.index), (Some("a"), Some(1)));
    let mut threads: Vec<_> = found
        .accesses
        .iter()
        .map(|site| site.thread.unwrap()[0])
        .collect();
    threads.sort_unstable();
    assert_eq!(threads, [0, 1]);
    assert!(
        found
            .accesses
            .iter()
            .all(|site| site.line == 4 && site.file == "k.cu")
    );
    assert!(
        found.message.contains("nothing orders them"),
        "{}",
        found.message
    );
    assert!(found.message.contains("`a[1]`") && found.message.contains("k.cu:4"));
}

/// The schedule of the tree sum's race keeps the threads the barrier needs and no others' steps.
#[test]
fn schedules_are_minimised() {
    let program = tree_sum(8, Separation::Nothing);
    let setup = launch(1, 8, &[(8, ints(1..=8))]);
    let profile = Profile::default();
    let options = ExploreOptions {
        stop_at_first: true,
        ..ExploreOptions::default()
    };
    let found = explore_program(&program, &setup, &profile, &Limits::default(), &options).unwrap();
    let confirmed = confirm(&program, &setup, &profile, &found.findings[0]).unwrap();
    // Eight threads come to the barrier, which is left; two race.
    assert!(
        confirmed.schedule.len() <= 8 + 1 + 2,
        "{:?}",
        confirmed.schedule
    );
    // Barriers are left by blocks.
    let is_left = |step: &&ScheduleStep| matches!(step.actors[..], [Actor::Block(_)]);
    let barriers = confirmed.schedule.iter().filter(is_left);
    assert_eq!(barriers.map(|step| step.steps).sum::<u32>(), 1);
}

#[test]
fn divergence_says_who_waits_and_who_never_comes() {
    let program = kernel(0, 0, &[], vec![when(3, lt(tid(), n(2)), vec![barrier(4)])]);
    let found = only_defect(&program, &launch(1, 4, &[]), "cuda");
    assert_eq!(found.kind, DefectKind::BarrierDivergence);
    assert_eq!(
        found.message,
        "the threads of block (0,0,0) do not meet at one barrier: threads (0,0,0) to (1,0,0) wait \
         at k.cu:4; threads (2,0,0) to (3,0,0) have reached the end without it and will never come"
    );
    let states: Vec<_> = found
        .threads
        .iter()
        .map(|site| (site.line, site.state.as_str()))
        .collect();
    assert_eq!(states[0], (4, "waits here"));
    assert_eq!(states[3], (0, "has reached the end"));
    // Two different barriers.
    let branches = vec![
        when(3, lt(tid(), n(1)), vec![barrier(4)]),
        when(5, lt(n(0), tid()), vec![barrier(6)]),
    ];
    let program = kernel(0, 0, &[], branches);
    let found = only_defect(&program, &launch(1, 2, &[]), "cuda");
    assert!(
        found
            .message
            .ends_with("thread (0,0,0) waits at k.cu:4; thread (1,0,0) waits at k.cu:6")
    );
}

#[test]
fn a_deadlock_says_where_everybody_stands() {
    let program = kernel(0, 0, &[], vec![when(3, lt(tid(), n(1)), vec![barrier(4)])]);
    let found = only_defect(&program, &launch(1, 2, &[]), "paper");
    assert_eq!(found.kind, DefectKind::Deadlock);
    assert!(
        found
            .message
            .starts_with("no thread can take a step: thread (0,0,0) waits at k.cu:4")
    );
    assert_eq!(found.threads.len(), 2);
}

#[test]
fn faults_name_the_access() {
    let program = kernel(1, 0, &[], vec![store(3, ptr(0), add(tid(), n(1)), n(7))]);
    let found = only_defect(&program, &launch(2, 1, &[zeros(1)]), "cuda-hw");
    assert_eq!(found.kind, DefectKind::OutOfBounds);
    assert_eq!(
        found.message,
        "thread (0,0,0) of block (0,0,0) writes `a[1]` at k.cu:3, but `a` has 1 element"
    );
    let half = bin(BinaryOp::Div, n(1), tid());
    let program = kernel(1, 1, &[], vec![set(5, 1, half)]);
    let found = only_defect(&program, &launch(1, 2, &[zeros(1)]), "cuda");
    assert_eq!(
        found.message,
        "thread (0,0,0) divides by zero at k.cu:5: `1 / 0`"
    );
    let program = kernel(
        1,
        0,
        &[1],
        vec![store(3, ptr(0), n(0), load(base(0), n(0)))],
    );
    let found = only_defect(&program, &launch(1, 1, &[zeros(1)]), "cuda");
    assert_eq!(
        found.message,
        "thread (0,0,0) reads `s0[0]` at k.cu:3, which was never written"
    );
}

/// What has no defined value is told with the values it had, and a value that is none with where it
/// came from.
#[test]
fn what_is_undefined_is_named() {
    use gridlock_semantics::algebra::types::{ScalarType, Type};
    let message = |value: Expr| {
        let program = kernel(1, 1, &[], vec![set(5, 1, value)]);
        only_defect(&program, &launch(1, 1, &[zeros(1)]), "cuda").message
    };
    let by = add(tid(), n(33));
    assert_eq!(
        message(bin(BinaryOp::Shl, n(1), by)),
        "thread (0,0,0) computes at k.cu:5 what has no defined value: `1 << 33`, a shift by 33 of a \
         32-bit value"
    );
    let least = add(tid(), n(i32::MIN));
    assert_eq!(
        message(bin(BinaryOp::Div, least, n(-1))),
        "thread (0,0,0) computes at k.cu:5 what has no defined value: `-2147483648 / -1`, whose \
         quotient is not in -2147483648 to 2147483647"
    );
    let large = Expr::constant(Value::f32(1e30)).cast(Type::Scalar(ScalarType::I32));
    assert_eq!(
        message(large),
        "thread (0,0,0) computes at k.cu:5 what has no defined value: the conversion of 1e30 to int, \
         which has -2147483648 to 2147483647"
    );
    let pointer = Expr::offset(ptr(0), n(1));
    let aligned = ExprKind::Math(MathFn::Aligned(4), vec![pointer]);
    let cond = Expr::new(Type::BOOL, aligned);
    let program = kernel(1, 0, &[], vec![op(5, Basic::Assert { cond })]);
    assert_eq!(
        only_defect(&program, &launch(1, 1, &[zeros(8)]), "cuda").message,
        "thread (0,0,0) has at k.cu:5 a pointer that is no multiple of 4 elements from the \
         start of its array"
    );
    let unset = |at: Arc<Op>| {
        let program = kernel(1, 2, &[], vec![set(4, 2, int(1)), at]);
        only_defect(&program, &launch(1, 1, &[zeros(1)]), "cuda").message
    };
    assert_eq!(
        unset(store(6, ptr(0), n(0), int(2))),
        "thread (0,0,0) stores `j` at k.cu:6, which has no value, copied from `i` at k.cu:4"
    );
    assert_eq!(
        unset(when(6, eq(int(1), n(0)), vec![])),
        "thread (0,0,0) branches on `i` at k.cu:6, which was never written"
    );
}

/// Flag and fences, in every combination: without one of the fences nothing but an atomic orders
/// the two accesses to the data. Under `sc-if-synchronised` that is weak memory, with the fence
/// that is missing; under plain interleaving happens-before makes it a race.
#[test]
fn fences_order() {
    let flag = |k: i32| cell(ptr(0), n(k));
    let program = |release: bool, acquire: bool| {
        let mut writer = vec![store(3, ptr(1), n(0), n(5))];
        writer.extend(release.then(|| fence(4)));
        writer.push(atomic(5, AtomicFn::Exch, flag(0), vec![n(1)], None));
        let mut reader = vec![atomic(6, AtomicFn::Add, flag(0), vec![n(0)], Some(2))];
        reader.extend(acquire.then(|| fence(7)));
        reader.push(when(
            8,
            eq(int(2), n(1)),
            vec![store(9, ptr(1), n(1), load(ptr(1), n(0)))],
        ));
        let mut body = vec![when(2, eq(tid(), n(0)), writer)];
        body.push(when(2, eq(tid(), n(1)), reader));
        kernel(2, 1, &[], body)
    };
    let setup = launch(1, 2, &[zeros(1), zeros(2)]);
    let mut interleaving = Profile::default();
    interleaving.axes.memory = MemoryModel::Sc;
    for (release, acquire) in [(true, true), (true, false), (false, true), (false, false)] {
        let program = program(release, acquire);
        for depth in [false, true] {
            let found = findings(&program, &setup, &Profile::default(), depth);
            assert!(found.is_empty(), "{found:?}");
        }
        let found = findings(&program, &setup, &interleaving, false);
        if release && acquire {
            assert!(found.is_empty(), "{found:?}");
        } else {
            let [found] = found.as_slice() else {
                panic!("{found:?}");
            };
            let defect = defect(&program, &setup, &interleaving, found, 0);
            let defect = defect.expect("the race replays");
            assert_eq!((defect.accesses[0].line, defect.accesses[1].line), (3, 9));
        }
    }
}

/// An exit is no arrival: what a thread wrote before it returned is unordered with what others
/// read after a barrier.
#[test]
fn an_exit_orders_nothing() {
    let early = vec![store(3, ptr(0), n(0), n(1)), op(4, Basic::Exit)];
    let program = kernel(
        1,
        1,
        &[],
        vec![
            when(2, eq(tid(), n(0)), early),
            barrier(5),
            set(6, 1, load(ptr(0), n(0))),
        ],
    );
    let found = only_defect(&program, &launch(1, 2, &[zeros(1)]), "cuda");
    assert_eq!(found.kind, DefectKind::DataRace);
    assert_eq!((found.accesses[0].line, found.accesses[1].line), (3, 6));
}

#[test]
fn the_same_value_may_be_benign() {
    let store_all = |value: Expr| kernel(1, 0, &[], vec![store(3, ptr(0), n(0), value)]);
    let setup = launch(1, 2, &[zeros(1)]);
    let strict = Profile::default();
    let mut benign = strict.clone();
    benign.axes.same_value_writes = SameValueWrites::Benign;
    assert_eq!(findings(&store_all(n(5)), &setup, &strict, false).len(), 1);
    assert_eq!(findings(&store_all(n(5)), &setup, &benign, false), []);
    assert_eq!(findings(&store_all(tid()), &setup, &benign, false).len(), 1);
}

/// Nothing that is not so is confirmed: planted lies about ops, threads, kinds and schedules.
#[test]
fn lies_are_not_confirmed() {
    let body = vec![
        store(3, ptr(0), tid(), n(1)),
        barrier(4),
        store(5, ptr(0), n(0), tid()),
    ];
    let program = kernel(1, 0, &[], body);
    let setup = launch(1, 2, &[zeros(2)]);
    let profile = Profile::default();
    let truth = findings(&program, &setup, &profile, false).remove(0);
    assert!(confirm(&program, &setup, &profile, &truth).is_some());
    let Evidence::Race { first, second } = truth.evidence.clone() else {
        panic!("a race");
    };
    // The first store of thread 0 is ordered before the second store of thread 1.
    let mut earlier = first;
    earlier.op = gridlock_semantics::algebra::operator::OpId(first.op.0 - 2);
    let lies = [
        Finding {
            evidence: Evidence::Race {
                first: earlier,
                second,
            },
            ..truth.clone()
        },
        Finding {
            kind: DefectKind::Deadlock,
            evidence: Evidence::Stuck { positions: vec![] },
            ..truth.clone()
        },
        Finding {
            schedule: vec![single(thread(0, 0), 1), single(thread(0, 1), 1)],
            ..truth.clone()
        },
        Finding {
            schedule: vec![single(thread(0, 7), 1)],
            ..truth.clone()
        },
        Finding {
            schedule: vec![],
            ..truth
        },
    ];
    for (n, lie) in lies.iter().enumerate() {
        assert!(
            confirm(&program, &setup, &profile, lie).is_none(),
            "lie {n}"
        );
    }
}

#[test]
fn witnesses_that_do_not_fit_are_refused() {
    let program = kernel(1, 0, &[], vec![store(3, ptr(0), n(0), tid())]);
    let setup = launch(1, 2, &[zeros(1)]);
    let witness = only_defect(&program, &setup, "cuda").witness.unwrap();
    let mut changed = program.clone();
    changed.files[0].text = "another text".into();
    assert!(matches!(
        replay(&witness, &changed),
        Err(ReplayError::ProgramChanged { .. })
    ));
    let mut other_entry = witness.clone();
    other_entry.entry = "j".to_owned();
    assert!(matches!(
        replay(&other_entry, &program),
        Err(ReplayError::NoEntry { .. })
    ));
    let mut other_setup = witness.clone();
    other_setup.setup.args.clear();
    assert!(matches!(
        replay(&other_setup, &program),
        Err(ReplayError::Setup(_))
    ));
    let newer = witness.to_json().replace("\"schema\": 1", "\"schema\": 99");
    assert!(matches!(
        Witness::from_json(&newer),
        Err(ReplayError::Schema { found: 99, .. })
    ));
    assert!(matches!(
        Witness::from_json("{"),
        Err(ReplayError::Unreadable(_))
    ));
    let mut too_short = witness;
    too_short.schedule.pop();
    let replayed = replay(&too_short, &program).unwrap();
    assert!(!replayed.reproduced);
}

#[test]
fn steps_can_be_read() {
    let program = kernel(1, 0, &[], vec![store(3, ptr(0), n(0), tid())]);
    let witness = only_defect(&program, &launch(1, 2, &[zeros(1)]), "cuda")
        .witness
        .unwrap();
    let steps = replay(&witness, &program).unwrap().steps;
    let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "thread (0,0,0) (k.cu:3) a[0] = (int)threadIdx.x: writes a[0] := 0 (was 0)",
            "thread (1,0,0) (k.cu:3) a[0] = (int)threadIdx.x: writes a[0] := 1 (was 0)",
        ]
    );
}

/// What the canonical run finds at launches too large to explore is confirmed and minimised.
#[test]
fn findings_of_the_canonical_run() {
    use gridlock_checker::{canonical, compiled};
    let divergent = kernel(
        0,
        0,
        &[],
        vec![when(3, lt(tid(), n(200)), vec![barrier(4)])],
    );
    let racy = tree_sum(64, Separation::Nothing);
    let sums = launch(2, 64, &[(128, ints(1..=128))]);
    let cases = [
        (
            divergent,
            launch(3, 256, &[]),
            DefectKind::BarrierDivergence,
        ),
        (racy, sums, DefectKind::DataRace),
    ];
    for (program, setup, kind) in cases {
        let profile = Profile::default();
        let atomic = gridlock_semantics::atomic_form::atomic_form(&program);
        let compiled = compiled::compile(&atomic);
        let result = canonical::run(&compiled, &setup, &profile, &Limits::default());
        assert!(!result.findings.is_empty());
        for finding in &result.findings {
            let found = defect(&program, &setup, &profile, finding, 0).expect("confirmed");
            assert_eq!(found.kind, kind);
            let schedule = found.witness.expect("a witness").schedule;
            assert!(schedule.len() <= 64 + 1 + 2);
        }
    }
}

/// The printed barrier rules order as the collective barrier does: a literal barrier between a
/// write and a read is no race, and without it there is one.
#[test]
fn literal_barriers_order() {
    let program = |separated: bool| {
        let mut body = vec![store(3, ptr(0), tid(), n(5))];
        body.extend(separated.then(|| barrier(4)));
        body.push(store(
            5,
            ptr(1),
            tid(),
            load(ptr(0), bin(BinaryOp::Sub, n(1), tid())),
        ));
        kernel(2, 0, &[], body)
    };
    let setup = launch(1, 2, &[zeros(2), zeros(2)]);
    let profile = Profile::named("paper-literal").unwrap();
    let kinds = |separated| -> Vec<_> {
        let found = findings(&program(separated), &setup, &profile, false);
        found.iter().map(|finding| finding.kind).collect()
    };
    // Arriving together counts once, hence the deadlock of the printed rules.
    assert_eq!(kinds(true), [DefectKind::Deadlock]);
    assert_eq!(kinds(false), [DefectKind::DataRace]);
}

/// Of a large array that is given element by element, a witness has the elements that its run touches.
#[test]
fn a_witness_has_what_its_run_touches() {
    let body = vec![store(
        3,
        ptr(0),
        n(0),
        load(ptr(1), add(n(3000), add(tid(), tid()))),
    )];
    let setup = launch(1, 2, &[zeros(1), (4000, ints(0..4000))]);
    let found = only_defect(&kernel(2, 0, &[], body), &setup, "cuda");
    assert_eq!(found.kind, DefectKind::DataRace);
    let witness = found.witness.expect("a witness");
    let Contents::Cells(cells) = &witness.setup.arrays[1].contents else {
        panic!("{:?}", witness.setup.arrays[1].contents);
    };
    let cells: Vec<(u64, Value)> = cells.iter().map(|(at, value)| (*at, *value)).collect();
    assert_eq!(cells, [3000, 3002].map(|n| (n as u64, Value::i32(n))));
}
