//! Exchanges among the lanes of a warp in the canonical run, the explorer and the replay: values,
//! races across them, and each defect planted and caught with its kind, place and words.

use crate::algebra::*;
use crate::running::*;
use gridlock_checker::canonical::CanonicalStatus;
use gridlock_checker::explore::{Exploration, ExploreOptions, explore_program};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::defect;
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::expr::{Builtin, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::profile::{Profile, SameValueWrites};
use gridlock_semantics::setup::Setup;

fn mask(bits: u32) -> E {
    E(Expr::int(ScalarType::U32, bits as i64))
}

#[track_caller]
fn exchange(function: WarpFn, mask: E, operands: Vec<E>, result: &E) -> Stmt {
    basic(Basic::Warp {
        function,
        mask: mask.0,
        operands: operands.into_iter().map(|o| o.0).collect(),
        result: Some(result.var()),
    })
}

#[track_caller]
fn shuffle(mode: ShuffleMode, bits: u32, value: E, which: impl Into<E>, result: &E) -> Stmt {
    let width = E(Expr::builtin(Builtin::WarpSize));
    let operands = vec![value, which.into(), width];
    exchange(WarpFn::Shuffle(mode), mask(bits), operands, result)
}

fn explored(program: &Program, setup: &Setup, reduction: bool) -> Exploration {
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    let profile = Profile::default();
    explore_program(program, setup, &profile, &Limits::default(), &options).expect("fits")
}

fn explored_kinds(found: &Exploration) -> Vec<DefectKind> {
    found.findings.iter().map(|f| f.kind).collect()
}

/// The only defect of a canonical run, in words.
fn only_defect(profile: &str, program: &Program, setup: &Setup) -> Defect {
    let result = run_under(profile, program, setup);
    assert_eq!(result.findings.len(), 1, "{:?}", result.findings);
    let profile = Profile::named(profile).expect("a named profile");
    defect(program, setup, &profile, &result.findings[0], 0).expect("confirmed")
}

/// The sum of a block of whole warps: shuffles in each warp, then over the warps' sums.
fn block_sum(barrier_between: bool) -> Program {
    let mut draft = Draft::new();
    let (input, output) = (draft.ints("in"), draft.ints("out"));
    let part = draft.shared("part", 32);
    let (v, got, d) = (draft.local("v"), draft.local("got"), draft.local("d"));
    let warp_sum = |v: &E, got: &E, d: &E| {
        let step = vec![
            shuffle(ShuffleMode::Down, u32::MAX, v.clone(), d.clone(), got),
            set(v, v.clone() + got.clone()),
        ];
        counted(d, 16, d.clone().gt(0), d.clone() / 2, step)
    };
    let mut body = vec![
        set(&v, input.at(gid())),
        warp_sum(&v, &got, &d),
        when(
            (tid() % 32).equals(0),
            vec![put(&part, tid() / 32, v.clone())],
        ),
    ];
    if barrier_between {
        body.push(barrier());
    }
    let value = select((tid()).lt(bdim() / 32), part.at(tid()), 0);
    body.push(when(
        tid().lt(32),
        vec![
            set(&v, value),
            warp_sum(&v, &got, &d),
            when(tid().equals(0), vec![put(&output, bid(), v.clone())]),
        ],
    ));
    draft.kernel(body)
}

#[test]
fn a_block_sum_by_shuffles_decides_with_its_sums() {
    let program = block_sum(true);
    let setup = kernel_setup(&program, 2, 256, vec![counting("in", 512), zeros("out", 2)]);
    let sum = |block: i64| (block * 256..(block + 1) * 256).sum::<i64>();
    for profile in ["cuda", "cuda-hw", "lockstep-warp"] {
        let result = run_under(profile, &program, &setup);
        assert_eq!(result.status, CanonicalStatus::Decides, "{profile}");
        assert_eq!(kinds(&result), vec![], "{profile}");
        assert_eq!(cells(&result, 1), vec![sum(0), sum(1)], "{profile}");
    }
    let result = run_under("portable", &program, &setup);
    assert_eq!(kinds(&result), [DefectKind::NoWarps]);
    // Without the barrier the warps' sums are read as they are written.
    let program = block_sum(false);
    let result = run(&program, &setup);
    assert!(kinds(&result).contains(&DefectKind::DataRace) || !kinds(&result).is_empty());
}

/// Each lane writes its cell and reads its neighbour's, with `between` in between.
fn turn(between: impl Fn(&E) -> Stmt) -> Program {
    let mut draft = Draft::new();
    let out = draft.ints("out");
    let cell = draft.shared("cell", 4);
    let x = draft.local("x");
    draft.kernel(vec![
        put(&cell, tid(), tid()),
        between(&x),
        put(&out, tid(), cell.at((tid() + 1) % bdim())),
    ])
}

#[test]
fn an_exchange_orders_no_memory() {
    let vote = |x: &E| {
        let always = E(Expr::bool(true));
        exchange(WarpFn::All, mask(u32::MAX), vec![always], x)
    };
    let races = turn(vote);
    let ordered = turn(|_| sync_warp(u32::MAX));
    let setup = kernel_setup(&races, 1, 3, vec![zeros("out", 3)]);
    let result = run(&races, &setup);
    assert_eq!(kinds(&result), [DefectKind::DataRace]);
    let result = run(&ordered, &setup);
    assert_eq!(kinds(&result), []);
    assert_eq!(result.status, CanonicalStatus::Decides);
    for reduction in [false, true] {
        // One outcome only, since the lanes wait for one another; and the race is seen.
        let found = explored(&races, &setup, reduction);
        assert!(found.complete);
        assert_eq!(found.outcomes.len(), 1, "{reduction}");
        assert_eq!(
            explored_kinds(&found),
            [DefectKind::DataRace],
            "{reduction}"
        );
        let found = explored(&ordered, &setup, reduction);
        assert!(found.complete && found.findings.is_empty(), "{reduction}");
    }
    // Lockstep orders different instructions.
    let result = run_under("lockstep-warp", &races, &setup);
    assert_eq!(kinds(&result), []);
}

/// A race across an exchange on a way that only some schedules take, to the same end.
#[test]
fn races_across_exchanges_are_seen_on_every_way() {
    let mut draft = Draft::new();
    let (out, ticket) = (draft.ints("out"), draft.ints("ticket"));
    let cell = draft.shared("cell", 2);
    let (mine, x) = (draft.local("mine"), draft.local("x"));
    let always = || E(Expr::bool(true));
    let program = draft.kernel(vec![
        atomic(AtomicFn::Add, ticket.plus(0), 1, Some(&mine)),
        put(&cell, tid(), 1),
        exchange(WarpFn::All, mask(u32::MAX), vec![always()], &x),
        // Only the thread with the second ticket reads the other's cell, if that is thread 0.
        when(
            mine.clone().equals(1).and(tid().equals(0)),
            vec![set(&x, cell.at(1))],
        ),
        put(&out, tid(), 1),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("out", 2), zeros("ticket", 1)]);
    for reduction in [false, true] {
        let found = explored(&program, &setup, reduction);
        assert!(found.complete);
        let known =
            explored_kinds(&found).contains(&DefectKind::DataRace) || !found.weak_memory.is_empty();
        assert!(known, "{reduction} {:?}", found.findings);
    }
}

#[test]
fn which_lanes_are_active_is_not_decided_by_one_run() {
    let mut draft = Draft::new();
    let out = draft.ints("out");
    let m = draft.local_of("m", Type::U32);
    let program = draft.kernel(vec![
        basic(Basic::ActiveMask { result: m.var() }),
        put(&out, tid(), m.clone().to(ScalarType::I32)),
    ]);
    let setup = kernel_setup(&program, 1, 3, vec![zeros("out", 3)]);
    let result = run(&program, &setup);
    let CanonicalStatus::NotCanonical { why } = &result.status else {
        panic!("{:?}", result.status);
    };
    assert!(why.contains("__activemask"), "{why}");
    assert_eq!(cells(&result, 0), [7, 7, 7]);
    // Every partition of three lanes: five.
    for reduction in [false, true] {
        let found = explored(&program, &setup, reduction);
        assert!(found.complete && found.findings.is_empty());
        assert_eq!(found.outcomes.len(), 5, "{reduction}");
    }
    // A path of a lockstep warp is what it is.
    let result = run_under("lockstep-warp", &program, &setup);
    assert_eq!(result.status, CanonicalStatus::Decides);
    // Too many sets to list are a limit, not a pass.
    let wide = kernel_setup(&program, 1, 20, vec![zeros("out", 20)]);
    let found = explored(&program, &wide, true);
    assert!(!found.complete);
    assert!(
        found.limits_hit[0].contains("20 lanes"),
        "{:?}",
        found.limits_hit
    );
}

/// Masks and widths that do not fit, with the words of their defects.
#[test]
fn bad_masks_and_widths_in_words() {
    let vote = |bits: u32, x: &E| {
        let always = E(Expr::bool(true));
        exchange(WarpFn::Any, mask(bits), vec![always], x)
    };
    let check = |profile: &str, body: &dyn Fn(&E) -> Vec<Stmt>, kind, words: &str| {
        let mut draft = Draft::new();
        let x = draft.local("x");
        let body = body(&x);
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 4, vec![]);
        let found = only_defect(profile, &program, &setup);
        assert_eq!(found.kind, kind);
        assert!(found.message.contains(words), "{}", found.message);
        assert!(found.accesses[0].line > 0 && found.accesses[0].thread.is_some());
    };
    let mask_kind = DefectKind::BadWarpMask;
    check(
        "cuda",
        &|x| vec![vote(0b1011, x)],
        mask_kind,
        "does not name lane 2, which is thread (2,0,0) itself",
    );
    check(
        "cuda",
        &|x| vec![branch(tid().lt(2), vec![vote(15, x)], vec![vote(15, x)])],
        mask_kind,
        "for the lanes of the mask 0x0000000f, but lanes 2 to 3 are elsewhere",
    );
    check(
        "cuda",
        &|x| vec![branch(tid().lt(3), vec![vote(15, x)], vec![vote(13, x)])],
        mask_kind,
        "but lane 3 waits with the mask 0x0000000d",
    );
    check(
        "lockstep-warp",
        &|x| vec![when(tid().lt(2), vec![vote(15, x)]), set(x, 1), vote(15, x)],
        mask_kind,
        "but lanes 2 to 3 are elsewhere",
    );
    let odd_width = |x: &E| {
        let operands = vec![tid(), c(0), c(5)];
        vec![exchange(
            WarpFn::Shuffle(ShuffleMode::Index),
            mask(15),
            operands,
            x,
        )]
    };
    for profile in ["cuda", "lockstep-warp"] {
        check(
            profile,
            &odd_width,
            DefectKind::BadWarpWidth,
            "with width 5",
        );
    }
    check(
        "portable",
        &|x| vec![vote(15, x)],
        DefectKind::NoWarps,
        "the profile portable knows no warps",
    );
    check(
        "cuda",
        &|x| {
            vec![
                when(tid().equals(3), vec![exit()]),
                shuffle(ShuffleMode::Index, 15, tid(), 3, x),
                set(x, x.clone() + 1),
            ]
        },
        DefectKind::UninitialisedRead,
        "which takes no part in it",
    );
}

/// A lane waits for one that waits at the block's barrier; other blocks have ended or are stuck
/// alike.
#[test]
fn lanes_that_wait_for_a_barrier_are_a_deadlock() {
    let mut draft = Draft::new();
    let x = draft.local("x");
    let always = E(Expr::bool(true));
    let lonely = exchange(WarpFn::Any, mask(u32::MAX), vec![always], &x);
    let program = draft.kernel(vec![when(tid().equals(0), vec![lonely]), barrier()]);
    for blocks in [1, 2] {
        let setup = kernel_setup(&program, blocks, 3, vec![]);
        let found = only_defect("cuda", &program, &setup);
        assert_eq!(found.kind, DefectKind::Deadlock);
        assert!(
            found.message.contains("no thread can take a step"),
            "{}",
            found.message
        );
    }
}

/// Values that may be none are checked where they are read, also when a loop comes round.
#[test]
fn no_value_is_noticed_at_the_head_of_a_loop() {
    let mut draft = Draft::new();
    let out = draft.ints("out");
    let (x, i) = (draft.local("x"), draft.local("i"));
    let body = vec![
        put(&out, tid(), x.clone()),
        shuffle(ShuffleMode::Index, u32::MAX, x.clone(), 7, &x),
    ];
    let program = draft.kernel(vec![
        set(&x, tid()),
        counted(&i, 0, i.clone().lt(2), i.clone() + 1, body),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![zeros("out", 2)]);
    assert_eq!(
        kinds(&run(&program, &setup)),
        [DefectKind::UninitialisedRead]
    );
    let wide = kernel_setup(&program, 1, 8, vec![zeros("out", 8)]);
    assert_eq!(kinds(&run(&program, &wide)), []);
}

/// Where parts of a block meet, runs go on the reference: `__activemask()` leaves them open too.
#[test]
fn active_lanes_leave_stepwise_runs_open() {
    let mut draft = Draft::new();
    let m = draft.local_of("m", Type::U32);
    let program = draft.kernel(vec![
        basic(Basic::ActiveMask { result: m.var() }),
        basic(Basic::NamedBarrier {
            id: mask(1).0,
            threads: None,
            arrive_only: false,
        }),
    ]);
    let setup = kernel_setup(&program, 1, 2, vec![]);
    let result = run(&program, &setup);
    let CanonicalStatus::NotCanonical { why } = &result.status else {
        panic!("{:?}", result.status);
    };
    assert!(why.contains("__activemask"), "{why}");
}

/// Where writes of one value are benign, what a lane wrote before an exchange is compared with what
/// another writes after it: the value it left, not the one that its operator would leave next.
#[test]
fn what_was_written_before_an_exchange_is_compared_by_its_value() {
    let mut profile = Profile::default();
    profile.axes.same_value_writes = SameValueWrites::Benign;
    let racy_kinds = |first: i32, step: i32, other: i32| {
        let mut draft = Draft::new();
        let a = draft.ints("a");
        let (x, i) = (draft.local("x"), draft.local("i"));
        let write = when(tid().equals(0), vec![put(&a, 0, i.clone() * step + first)]);
        let turn = counted(
            &i,
            0,
            i.clone().lt(2),
            i.clone() + 1,
            vec![write, shuffle(ShuffleMode::Xor, 3, tid(), 1, &x)],
        );
        let program = draft.kernel(vec![turn, when(tid().equals(1), vec![put(&a, 0, other)])]);
        let setup = kernel_setup(&program, 1, 2, vec![zeros("a", 1)]);
        [true, false].map(|reduction| {
            let options = ExploreOptions {
                reduction,
                ..ExploreOptions::default()
            };
            let limits = Limits::default();
            let found = explore_program(&program, &setup, &profile, &limits, &options);
            let found = found.expect("fits");
            assert!(found.complete);
            explored_kinds(&found)
        })
    };
    // 7, 7, and 7 of the other lane.
    assert_eq!(racy_kinds(7, 0, 7), [vec![], vec![]]);
    // 7, then 8, and 8 of the other lane, which is not ordered after the 7.
    for kinds in racy_kinds(7, 1, 8) {
        assert_eq!(kinds, [DefectKind::DataRace]);
    }
}
