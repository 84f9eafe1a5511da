//! Operations for which lanes of a warp exchange values, and `__activemask()`.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::warp::exchange::{check, results, source};
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Rule, TransitionSystem};
use std::collections::BTreeSet;

const MODES: [ShuffleMode; 4] = [
    ShuffleMode::Index,
    ShuffleMode::Up,
    ShuffleMode::Down,
    ShuffleMode::Xor,
];

fn exchange(function: WarpFn, mask: Expr, operands: Vec<Expr>, result: Option<VarId>) -> Y {
    basic(Basic::Warp {
        function,
        mask,
        operands,
        result,
    })
}

fn mask(bits: u32) -> Expr {
    Expr::int(ScalarType::U32, bits as i64)
}

/// `result := shuffle(bits, value, lane)` over the whole warp.
fn shuffle(mode: ShuffleMode, bits: u32, value: Expr, lane: i32, result: VarId) -> Y {
    let operands = vec![value, int(lane), int(32)];
    exchange(WarpFn::Shuffle(mode), mask(bits), operands, Some(result))
}

fn lockstep() -> Profile {
    Profile::named("lockstep-warp").expect("a named profile")
}

fn small(size: u32) -> Profile {
    let mut profile = Profile::default();
    profile.axes.warps = Warps::Independent(size);
    profile
}

/// The ways a program ends: contents of its first array, a fault, or `deadlock`.
fn ends(build: &Build, profile: Profile) -> BTreeSet<String> {
    let found = explore(&build.system_with(profile), 200_000);
    assert!(found.complete);
    let name = |outcome: &Outcome| match outcome {
        Outcome::Final(seen) => {
            let cells = seen.arrays.first().map_or(&[][..], |array| &array.cells);
            let cells: Vec<String> = cells.iter().map(|value| value.to_string()).collect();
            cells.join(" ")
        }
        Outcome::Fault(name) => name.split([' ', '{']).next().unwrap_or_default().to_owned(),
        Outcome::Deadlock => "deadlock".to_owned(),
    };
    found.outcomes.iter().map(name).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// The one fault of a program of which every run ends in it.
fn only_fault(system: &ProgramSystem) -> FaultKind {
    let mut state = system.initial().remove(0);
    loop {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        match found.pop() {
            Some((label, next)) => match label.fault {
                Some(fault) => return fault.kind,
                None => state = next,
            },
            None => panic!("no fault"),
        }
    }
}

/// The lane PTX `shfl.sync` reads from, written with its bit masks: CUDA passes the segment mask
/// `32 - width` and the clamp 0 for `up`, 31 for the others (PTX ISA, `shfl.sync`).
fn ptx(mode: ShuffleMode, lane: i32, b: i32, width: i32) -> i32 {
    let segment = 32 - width;
    let clamp = if mode == ShuffleMode::Up { 0 } else { 31 };
    let b = b & 31;
    let highest = (lane & segment) | (clamp & !segment & 31);
    let lowest = lane & segment;
    let (from, holds) = match mode {
        ShuffleMode::Up => (lane - b, lane - b >= highest),
        ShuffleMode::Down => (lane + b, lane + b <= highest),
        ShuffleMode::Xor => (lane ^ b, lane ^ b <= highest),
        ShuffleMode::Index => {
            let from = lowest | (b & !segment & 31);
            (from, from <= highest)
        }
    };
    if holds { from } else { lane }
}

/// Lemma: shuffles of a warp of 32 read from the lane that `shfl.sync` reads from, whatever the
/// mode, the width, the lane and the operand.
#[test]
fn shuffles_are_those_of_ptx() {
    for mode in MODES {
        for width in [1, 2, 4, 8, 16, 32] {
            for lane in 0..32 {
                for b in (-40..80).chain([i32::MIN, i32::MAX]) {
                    let operands = [Value::i32(7), Value::i32(b), Value::i32(width)];
                    assert_eq!(check(WarpFn::Shuffle(mode), 32, &operands), Ok(()));
                    let from = source(mode, lane, 32, &operands).unwrap_or(lane);
                    let expected = ptx(mode, lane as i32, b, width);
                    assert_eq!(from as i32, expected, "{mode:?} {lane} {b} {width}");
                }
            }
        }
    }
}

#[test]
fn widths() {
    let shuffle = WarpFn::Shuffle(ShuffleMode::Down);
    let with = |width| [Value::i32(0), Value::i32(1), Value::i32(width)];
    for (size, width, fits) in [
        (32, 1, true),
        (32, 16, true),
        (32, 32, true),
        (32, 0, false),
        (32, 3, false),
        (32, 33, false),
        (32, 64, false),
        (32, -2, false),
        (4, 4, true),
        (4, 8, false),
        // A warp of three: all of it, or two.
        (3, 3, true),
        (3, 2, true),
    ] {
        let expected = match fits {
            true => Ok(()),
            false => Err(FaultKind::BadWarpWidth {
                width: width as i64,
            }),
        };
        assert_eq!(
            check(shuffle, size, &with(width)),
            expected,
            "{size} {width}"
        );
    }
}

#[test]
fn votes_matches_and_reductions() {
    use WarpFn::*;
    let u = |n: u32| Value::int(ScalarType::U32, n as i128);
    let i = Value::i32;
    // Lane 1 takes no part.
    let given = |values: [Value; 3]| {
        let [a, b, c] = values;
        vec![Some(vec![a]), None, Some(vec![b]), Some(vec![c])]
    };
    let check = |function, values, expected: [Value; 3]| {
        let [a, b, c] = expected;
        let got = results(function, &given(values));
        assert_eq!(got, [a, Value::Undef, b, c], "{function:?}");
    };
    let truths = [Value::Bool(true), Value::Bool(false), Value::Bool(true)];
    check(Ballot, truths, [u(0b1001); 3]);
    check(All, truths, [i(0); 3]);
    check(Any, truths, [i(1); 3]);
    check(All, [Value::Bool(true); 3], [i(1); 3]);
    check(Any, [Value::Bool(false); 3], [i(0); 3]);
    check(
        MatchAny,
        [i(5), i(6), i(5)],
        [u(0b1001), u(0b100), u(0b1001)],
    );
    // By bits: the two zeros differ, NaN is NaN.
    let (zero, minus) = (Value::f32(0.0), Value::f32(-0.0));
    check(
        MatchAny,
        [zero, minus, zero],
        [u(0b1001), u(0b100), u(0b1001)],
    );
    check(MatchAny, [Value::f32(f32::NAN); 3], [u(0b1101); 3]);
    check(ReduceAdd, [i(i32::MAX), i(1), i(1)], [i(i32::MIN + 1); 3]);
    check(ReduceMin, [i(3), i(-4), i(5)], [i(-4); 3]);
    check(ReduceMax, [u(3), u(u32::MAX), u(5)], [u(u32::MAX); 3]);
    check(ReduceAnd, [u(0b110), u(0b011), u(0b111)], [u(0b010); 3]);
    check(ReduceOr, [u(0b100), u(0b001), u(0b100)], [u(0b101); 3]);
    check(ReduceXor, [u(0b100), u(0b001), u(0b100)], [u(0b001); 3]);
}

#[test]
fn lanes_wait_for_one_another_and_exchange() {
    let mut k = Build::kernel(1, 3);
    let out = k.array("out", &[0, 0, 0]);
    let x = k.int("x");
    k.body(seq([
        shuffle(ShuffleMode::Index, 0b111, tid_plus(10), 1, x),
        store(&out, tid(), v(x)),
    ]));
    for profile in [Profile::default(), small(4), lockstep()] {
        if profile.axes.warps == Warps::Independent(4) {
            // The width of 32 is no width of a warp of four.
            assert_eq!(ends(&k, profile), set(&["BadWarpWidth"]));
        } else {
            assert_eq!(ends(&k, profile), set(&["11 11 11"]));
        }
    }
    let system = k.system("cuda");
    let (label, after) = fire(&system, &system.initial()[0], &[t(1)]);
    assert_eq!(label.rule, Rule::WarpExchange);
    assert_eq!(label.actors, [t(0), t(1), t(2)]);
    assert!(label.is_visible() && label.accesses.is_empty());
    assert_eq!(fire(&system, &system.initial()[0], &[t(2)]).1, after);
}

fn tid_plus(n: i32) -> Expr {
    add(tid(), int(n))
}

/// `if (tid == lane) then`
fn on_lane(lane: i32, then: Y) -> Y {
    when(eq(tid(), int(lane)), then)
}

#[test]
fn a_lane_that_has_ended_takes_no_part() {
    let with_use = |used: bool| {
        let mut k = Build::kernel(1, 3);
        let out = k.array("out", &[0, 0, 0]);
        let x = k.int("x");
        let mut ops = vec![
            on_lane(2, exit()),
            shuffle(ShuffleMode::Index, 0b111, tid_plus(10), 2, x),
        ];
        if used {
            ops.push(store(&out, tid(), v(x)));
        }
        k.body(seq(ops));
        k
    };
    for profile in [Profile::default(), lockstep()] {
        // Nobody waits for it; what is read from it is no value.
        assert_eq!(ends(&with_use(false), profile.clone()), set(&["0 0 0"]));
        assert_eq!(ends(&with_use(true), profile), set(&["UnsetVariable"]));
    }
}

#[test]
fn lanes_outside_the_mask_read_as_no_value() {
    let mut k = Build::kernel(1, 3);
    let out = k.array("out", &[0, 0, 0]);
    let x = k.int("x");
    k.body(when(
        lt(tid(), int(2)),
        seq([
            shuffle(ShuffleMode::Down, 0b011, tid_plus(10), 1, x),
            on_lane(0, store(&out, int(0), v(x))),
        ]),
    ));
    // Lane 1 reads from lane 2, and uses nothing of it.
    assert_eq!(ends(&k, Profile::default()), set(&["11 0 0"]));
    assert_eq!(ends(&k, lockstep()), set(&["11 0 0"]));
}

#[test]
fn bad_masks() {
    let bad = |mask, lane, missing, other| FaultKind::BadWarpMask {
        mask,
        lane,
        missing,
        other,
    };
    let vote = |bits: u32, x| exchange(WarpFn::Any, mask(bits), vec![Expr::bool(true)], Some(x));
    // The caller is not in its mask.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(vote(0b01, x));
    for profile in ["cuda", "lockstep-warp"] {
        assert_eq!(only_fault(&k.system(profile)), bad(0b01, 1, 0, None));
    }
    // Masks that differ.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(seq([
        assign(x, int(0)),
        exchange(
            WarpFn::Any,
            Expr::select(eq(tid(), int(0)), mask(0b11), mask(0b111)),
            vec![Expr::bool(true)],
            Some(x),
        ),
    ]));
    assert_eq!(ends(&k, Profile::default()), set(&["BadWarpMask"]));
    assert_eq!(
        only_fault(&k.system("lockstep-warp")),
        bad(0b11, 0, 0b10, Some(0b111))
    );
    // Two occurrences are two exchanges.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(if_else(eq(tid(), int(0)), vote(0b11, x), vote(0b11, x)));
    assert_eq!(ends(&k, Profile::default()), set(&["BadWarpMask"]));
    assert_eq!(ends(&k, lockstep()), set(&["BadWarpMask"]));
    assert_eq!(only_fault(&k.system("cuda")), bad(0b11, 1, 0b01, None));
    // A vote and `__syncwarp` do not meet either.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(if_else(eq(tid(), int(0)), vote(0b11, x), sync_warp(0b11)));
    assert_eq!(ends(&k, Profile::default()), set(&["BadWarpMask"]));
    // A lane that waits at the block's barrier may be a matter of the block: a deadlock.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(seq([on_lane(1, vote(0b11, x)), barrier()]));
    assert_eq!(ends(&k, Profile::default()), set(&["deadlock"]));
    assert_eq!(ends(&k, lockstep()), set(&["BadWarpMask"]));
}

#[test]
fn bad_operands_are_faults_at_once() {
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    let value = vec![int(1), int(0), int(5)];
    k.body(exchange(
        WarpFn::Shuffle(ShuffleMode::Xor),
        mask(0b11),
        value,
        Some(x),
    ));
    for profile in [Profile::default(), lockstep()] {
        assert_eq!(ends(&k, profile), set(&["BadWarpWidth"]));
    }
    let mut k = Build::kernel(1, 2);
    let (x, y) = (k.int("x"), k.int("y"));
    let sum = exchange(WarpFn::ReduceAdd, mask(0b11), vec![v(y)], Some(x));
    k.body(sum);
    for profile in [Profile::default(), lockstep()] {
        assert_eq!(ends(&k, profile), set(&["UnsetVariable"]));
    }
}

/// A shuffle hands on what a lane never set, and a copy copies it; who uses it meets the fault.
#[test]
fn what_is_no_value_is_handed_on_and_faults_where_it_is_used() {
    for (used, expected) in [(false, ""), (true, "UnsetVariable")] {
        let mut k = Build::kernel(1, 2);
        let (x, y, z) = (k.int("x"), k.int("y"), k.int("z"));
        let mut body = vec![shuffle(ShuffleMode::Xor, 0b11, v(y), 1, x), assign(z, v(x))];
        if used {
            body.push(assign(z, add(v(z), int(1))));
        }
        k.body(seq(body));
        for profile in [Profile::default(), lockstep()] {
            assert_eq!(ends(&k, profile), set(&[expected]));
        }
    }
}

/// Storing what is no value leaves a cell of the launch without one, also where it had one; other memory
/// is output.
#[test]
fn what_is_no_value_is_stored_in_memory_of_the_launch_and_faults_where_it_is_read() {
    for (space, read, expected) in [
        (Space::Shared, false, ""),
        (Space::Shared, true, "UninitialisedRead"),
        (Space::Private, false, ""),
        (Space::Private, true, "UninitialisedRead"),
        (Space::Global, false, "UnsetVariable"),
    ] {
        let mut k = Build::kernel(1, 1);
        let cells = match space {
            Space::Global => k.array("cells", &[0]),
            space => k.declared("cells", space, 1, (space == Space::Private).then_some(0)),
        };
        let (x, y) = (k.int("x"), k.int("y"));
        let mut body = vec![store(&cells, int(0), int(5)), store(&cells, int(0), v(x))];
        if read {
            body.push(basic(Basic::Assign {
                var: y,
                value: at(&cells, int(0)),
            }));
        }
        k.body(seq(body));
        let found = ends(&k, Profile::default());
        let faults = found.iter().filter(|end| end.starts_with("Un"));
        assert_eq!(
            faults.count(),
            !expected.is_empty() as usize,
            "{space:?} {read}: {found:?}"
        );
    }
}

#[test]
fn profiles_without_warps_know_no_exchange() {
    let mut k = Build::kernel(1, 1);
    let x = k.int("x");
    k.body(exchange(
        WarpFn::All,
        mask(1),
        vec![Expr::bool(true)],
        Some(x),
    ));
    let mut active = Build::kernel(1, 1);
    let m = active.var("m", Type::U32);
    active.body(basic(Basic::ActiveMask { result: m }));
    for name in ["portable", "opencl", "paper", "paper-literal"] {
        let profile = || Profile::named(name).expect("a named profile");
        assert_eq!(ends(&k, profile()), set(&["NoWarps"]), "{name}");
        assert_eq!(ends(&active, profile()), set(&["NoWarps"]), "{name}");
    }
}

/// Both threads write what `__activemask()` tells them.
fn active_lanes(n: u32) -> Build {
    let mut k = Build::kernel(1, n);
    let out = k.array("out", &vec![0; n as usize]);
    let m = k.var("m", Type::U32);
    k.body(seq([
        basic(Basic::ActiveMask { result: m }),
        store(&out, tid(), Expr::var(m, Type::U32).cast(Type::I32)),
    ]));
    k
}

#[test]
fn any_lanes_that_stand_there_may_be_active_together() {
    // Together, or one after the other; those told of one another are told the same.
    assert_eq!(
        ends(&active_lanes(2), Profile::default()),
        set(&["1 2", "3 3"])
    );
    assert_eq!(
        ends(&active_lanes(3), Profile::default()),
        set(&["1 2 4", "3 3 4", "5 2 5", "1 6 6", "7 7 7"])
    );
    // Lanes of different warps never are.
    assert_eq!(ends(&active_lanes(2), small(1)), set(&["1 1"]));
    // In lockstep it is the path.
    assert_eq!(ends(&active_lanes(3), lockstep()), set(&["7 7 7"]));
    let system = active_lanes(2).system("cuda");
    let start = &system.initial()[0];
    let (label, _) = fire(&system, start, &[t(0), t(1)]);
    assert_eq!(
        (label.rule, label.actors),
        (Rule::WarpExchange, vec![t(0), t(1)])
    );
    // Those named fire, no others.
    assert_eq!(fire(&system, start, &[t(1)]).0.actors, [t(1)]);
    let mut all = Vec::new();
    system.successors(start, &mut all);
    assert_eq!(all.len(), 3);
}

#[test]
fn a_diverged_path_is_all_that_is_active_in_lockstep() {
    let mut k = Build::kernel(1, 3);
    let out = k.array("out", &[0, 0, 0]);
    let m = k.var("m", Type::U32);
    k.body(seq([
        if_else(
            eq(tid(), int(1)),
            basic(Basic::ActiveMask { result: m }),
            basic(Basic::ActiveMask { result: m }),
        ),
        store(&out, tid(), Expr::var(m, Type::U32).cast(Type::I32)),
    ]));
    assert_eq!(ends(&k, lockstep()), set(&["5 2 5"]));
    // Two occurrences: lanes 0 and 2 may or may not be together, lane 1 is alone.
    assert_eq!(ends(&k, Profile::default()), set(&["1 2 4", "5 2 5"]));
}

#[test]
fn what_an_exchange_reads_on_its_way_is_recorded() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[4, 5]);
    let x = k.int("x");
    k.body(shuffle(ShuffleMode::Xor, 0b11, at(&a, tid()), 1, x));
    let mut profile = Profile::default();
    profile.axes.granularity = gridlock_semantics::profile::Granularity::Operator;
    let system = k.system_with(profile);
    let (label, _) = fire(&system, &system.initial()[0], &[t(0)]);
    let read: Vec<(i64, _)> = label.accesses.iter().map(|a| (a.index, a.actor)).collect();
    assert_eq!(read, [(0, t(0)), (1, t(1))]);
}
