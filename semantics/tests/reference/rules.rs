//! Each rule fires with its label, and each premise is failed by some test.

use crate::building::*;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};

/// Runs one thread under `cuda` to its end; the rules that fired, and the fault.
fn rules_of(build: &Build) -> (Vec<Rule>, Option<FaultKind>) {
    let system = build.system("cuda");
    let mut state = system.initial().remove(0);
    let mut rules = Vec::new();
    loop {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        let Some((label, next)) = found.pop() else {
            return (rules, state.fault().map(|fault| fault.kind.clone()));
        };
        assert!(found.is_empty(), "one thread is deterministic");
        rules.push(label.rule);
        state = next;
    }
}

#[test]
fn r1_assigns_loads_and_stores() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[5, 7]);
    let x = k.int("x");
    k.body(seq([
        assign(x, add(at(&a, int(0)), int(1))),
        store(&a, int(1), v(x)),
    ]));
    let system = k.system("cuda");
    let (labels, last) = replay(&system, &[t(0), t(0), t(0)]);
    // The load is an operator of its own in atomic form.
    assert_eq!(
        labels.iter().map(|l| l.rule).collect::<Vec<_>>(),
        [Rule::R1; 3]
    );
    assert_eq!(labels[0].accesses[0].mode, AccessMode::Read);
    assert!(labels[1].accesses.is_empty() && !labels[1].is_visible());
    assert_eq!(labels[2].accesses[0].mode, AccessMode::Write);
    assert_eq!(labels[2].accesses[0].array, ArrayRef::Global(0));
    assert!(system.is_final(&last));
    assert_eq!(
        system.observe(&last).arrays[0].cells,
        [Value::i32(5), Value::i32(6)]
    );
    // The surface operator does both accesses in one step.
    let (labels, _) = replay(&k.system("paper"), &[t(0), t(0)]);
    assert_eq!(labels[0].accesses.len(), 1);
    assert_eq!(labels[0].rule, Rule::R1);
}

/// A thread that sleeps has taken a step of its own, and only evaluated for how long.
#[test]
fn r1_sleeps() {
    let sleep = |value| basic(Basic::Nanosleep { nanoseconds: value });
    let mut k = Build::kernel(1, 1);
    let ns = k.var("ns", Type::U32);
    k.body(seq([
        assign(ns, Expr::int(ScalarType::U32, 100)),
        sleep(v_of(ns)),
    ]));
    let system = k.system("cuda");
    let (_, before) = replay(&system, &[t(0)]);
    let (label, after) = fire(&system, &before, &[t(0)]);
    assert_eq!(label.rule, Rule::R1);
    assert!(label.accesses.is_empty() && !label.is_visible());
    assert!(system.is_final(&after));
    assert_eq!(system.observe(&before), system.observe(&after));

    let mut k = Build::kernel(1, 1);
    let ns = k.var("ns", Type::U32);
    k.body(sleep(v_of(ns)));
    let (_, fault) = rules_of(&k);
    assert!(matches!(fault, Some(FaultKind::UnsetVariable { .. })));
}

fn v_of(var: VarId) -> Expr {
    Expr::var(var, Type::U32)
}

#[test]
fn r2_takes_the_branch_the_condition_says() {
    for (n, expected) in [(0, 10), (1, 20)] {
        let mut k = Build::kernel(1, 1);
        let a = k.array("a", &[0]);
        let (then, otherwise) = (store(&a, int(0), int(10)), store(&a, int(0), int(20)));
        k.body(if_else(eq(int(n), int(0)), then, otherwise));
        let system = k.system("cuda");
        let (labels, last) = replay(&system, &[t(0), t(0)]);
        assert_eq!(labels[0].rule, Rule::R2);
        assert_eq!(
            system.observe(&last).arrays[0].cells,
            [Value::i32(expected)]
        );
    }
}

#[test]
fn r3_repeats_while_the_condition_holds() {
    let mut k = Build::kernel(1, 1);
    let i = k.int("i");
    k.body(seq([
        assign(i, int(0)),
        while_do(lt(v(i), int(2)), assign(i, add(v(i), int(1)))),
    ]));
    let (rules, fault) = rules_of(&k);
    use Rule::{R1, R3};
    assert_eq!(rules, [R1, R3, R1, R3, R1, R3]);
    assert_eq!(fault, None);
}

#[test]
fn r4_and_r5_call_and_return() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    let x = k.int("x");
    let f = k.procedure("f", ProcKind::Device);
    let n = k.param_of(f, "n", Type::I32);
    let r = k.var_of(f, "r", Type::I32);
    k.program.procs[1].result = Some(r);
    k.body_of(f, assign(r, add(v(n), int(1))));
    k.body(seq([
        call(f, vec![int(41)], Some(x)),
        store(&a, int(0), v(x)),
    ]));
    let (rules, fault) = rules_of(&k);
    assert_eq!(rules, [Rule::R4, Rule::R1, Rule::R5, Rule::R1]);
    assert_eq!(fault, None);
    let system = k.system("cuda");
    let (_, last) = replay(&system, &[t(0); 4]);
    assert_eq!(system.observe(&last).arrays[0].cells, [Value::i32(42)]);
}

#[test]
fn a_function_that_gives_no_result_leaves_its_caller_without_a_value() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    let x = k.int("x");
    let f = k.procedure("f", ProcKind::Device);
    let r = k.var_of(f, "r", Type::I32);
    k.program.procs[1].result = Some(r);
    k.body(seq([call(f, vec![], Some(x)), store(&a, int(0), v(x))]));
    let (_, fault) = rules_of(&k);
    let is_unset = matches!(fault, Some(FaultKind::UnsetVariable { .. }));
    assert!(is_unset, "{fault:?}");
}

#[test]
fn r10_ends_the_thread() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    k.body(seq([
        when(eq(tid(), int(0)), exit()),
        store(&a, int(0), int(1)),
    ]));
    let (rules, _) = rules_of(&k);
    assert_eq!(rules, [Rule::R2, Rule::R10]);
    let system = k.system("cuda");
    let (labels, last) = replay(&system, &[t(0), t(0)]);
    assert!(labels[1].is_visible());
    let position = &system.positions(&last)[0];
    assert!(position.op.is_none() && position.returned);
}

#[test]
fn a_closing_return_is_the_end_of_the_body() {
    let mut k = Build::kernel(1, 1);
    k.body(seq([seq([exit()])]));
    let system = k.system("cuda");
    let (_, last) = replay(&system, &[t(0)]);
    assert!(!system.positions(&last)[0].returned);
}

#[test]
fn r6_counts_and_waits_and_r7_needs_everyone() {
    let mut k = Build::kernel(1, 2);
    k.body(seq([barrier(), barrier()]));
    let system = k.system("paper-literal");
    let start = system.initial().remove(0);
    let (label, one) = fire(&system, &start, &[t(0)]);
    assert_eq!(label.rule, Rule::R6);
    // bc = 1 of 2: R7 is not enabled.
    assert!(system.fire(&one, &[t(0)]).is_empty());
    let (_, both) = fire(&system, &one, &[t(1)]);
    let (label, left) = fire(&system, &both, &[t(0), t(1)]);
    assert_eq!(label.rule, Rule::Merge);
    let (label, _) = fire(&system, &left, &[t(1)]);
    assert_eq!(label.rule, Rule::R6);
    // Leaving alone is R7, and it clears the count.
    let (label, alone) = fire(&system, &both, &[t(0)]);
    assert_eq!(label.rule, Rule::R7);
    assert!(system.fire(&alone, &[t(1)]).is_empty());
}

#[test]
fn atomics_read_and_write_in_one_step() {
    use AtomicFn::*;
    for (function, operands, after) in [
        (Add, &[3][..], 8),
        (Sub, &[3], 2),
        (Min, &[3], 3),
        (Max, &[3], 5),
        (And, &[3], 1),
        (Or, &[3], 7),
        (Xor, &[3], 6),
        (Exch, &[3], 3),
        (Cas, &[5, 9], 9),
        (Cas, &[4, 9], 5),
    ] {
        let mut k = Build::kernel(1, 1);
        let a = k.array("a", &[5, 0]);
        let x = k.int("x");
        k.body(seq([
            atomic(function, &a, int(0), operands, Some(x)),
            store(&a, int(1), v(x)),
        ]));
        let system = k.system("cuda");
        let (labels, last) = replay(&system, &[t(0), t(0)]);
        assert_eq!(labels[0].accesses.len(), 1);
        // A compare-and-swap that fails writes nothing.
        let mode = match operands {
            [4, _] => AccessMode::AtomicRead,
            _ => AccessMode::Atomic,
        };
        assert_eq!(labels[0].accesses[0].mode, mode);
        let cells = &system.observe(&last).arrays[0].cells;
        assert_eq!(
            cells[..],
            [Value::i32(after), Value::i32(5)],
            "{function:?}"
        );
    }
}

fn fault_of(make: impl FnOnce(&mut Build) -> Y) -> Option<FaultKind> {
    let mut k = Build::kernel(1, 1);
    let body = make(&mut k);
    k.body(body);
    rules_of(&k).1
}

#[test]
fn accesses_out_of_bounds_end_the_run() {
    for index in [-1, 2, i32::MAX] {
        let fault = fault_of(|k| {
            let a = k.array("a", &[0, 0]);
            store(&a, int(index), int(1))
        });
        let Some(FaultKind::OutOfBounds {
            array,
            index: found,
            extent: 2,
            mode: AccessMode::Write,
            space: Space::Global,
        }) = fault
        else {
            panic!("{fault:?}");
        };
        assert_eq!((&*array, found), ("a", index as i64));
    }
    // The last element is inside.
    let fine = fault_of(|k| {
        let a = k.array("a", &[0, 0]);
        store(&a, int(1), int(1))
    });
    assert_eq!(fine, None);
}

#[test]
fn an_array_without_extent_reaches_as_far_as_it_is_used() {
    use gridlock_semantics::setup::Contents;
    let mut k = Build::kernel(1, 1);
    let a = k.array_with("a", None, Contents::Random { seed: 1 });
    k.body(store(&a, int(3), int(1)));
    let system = k.system("cuda");
    let (_, last) = replay(&system, &[t(0)]);
    let cells = &system.observe(&last).arrays[0].cells;
    assert_eq!(cells.len(), 4);
    assert_eq!(cells[3], Value::i32(1));
    let below = fault_of(|k| {
        let a = k.array_with("a", None, Contents::Zero);
        store(&a, int(-1), int(1))
    });
    assert!(
        matches!(below, Some(FaultKind::OutOfBounds { index: -1, .. })),
        "{below:?}"
    );
}

#[test]
fn reading_what_nobody_wrote_ends_the_run() {
    let shared = fault_of(|k| {
        let s = k.shared("s", 1);
        let x = k.int("x");
        assign(x, at(&s, int(0)))
    });
    let expected = FaultKind::UninitialisedRead {
        array: "s".into(),
        space: Space::Shared,
        index: 0,
    };
    assert_eq!(shared, Some(expected));
    let written = fault_of(|k| {
        let s = k.shared("s", 1);
        let x = k.int("x");
        seq([store(&s, int(0), int(1)), assign(x, at(&s, int(0)))])
    });
    assert_eq!(written, None);
    let private = fault_of(|k| {
        let p = k.declared("p", Space::Private, 1, Some(0));
        let x = k.int("x");
        assign(x, at(&p, int(0)))
    });
    assert!(
        matches!(&private, Some(FaultKind::UninitialisedRead { array, .. }) if &**array == "p"),
        "{private:?}"
    );
    let atomically = fault_of(|k| {
        let s = k.shared("s", 1);
        atomic(AtomicFn::Add, &s, int(0), &[1], None)
    });
    assert!(
        matches!(atomically, Some(FaultKind::UninitialisedRead { .. })),
        "{atomically:?}"
    );
    // An exchange whose old value nobody wants only writes.
    let exchanged = fault_of(|k| {
        let s = k.shared("s", 1);
        atomic(AtomicFn::Exch, &s, int(0), &[1], None)
    });
    assert_eq!(exchanged, None);
}

#[test]
fn null_pointers_constants_and_host_memory_are_refused() {
    use gridlock_semantics::setup::Arg;
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    k.setup.args[0] = Arg::Null;
    k.body(store(&a, int(0), int(1)));
    let mode = AccessMode::Write;
    assert_eq!(rules_of(&k).1, Some(FaultKind::NullPointer { mode }));

    let constant = fault_of(|k| {
        let c = k.declared("c", Space::Constant, 2, None);
        store(&c, int(1), int(1))
    });
    let expected = FaultKind::ConstantWrite {
        array: "c".into(),
        index: 1,
    };
    assert_eq!(constant, Some(expected));
}

#[test]
fn assertions_fail_and_assumptions_discard() {
    use gridlock_semantics::algebra::operator::Basic;
    let failed = fault_of(|_| {
        basic(Basic::Assert {
            cond: Expr::bool(false),
        })
    });
    assert_eq!(failed, Some(FaultKind::AssertionFailed));
    let held = fault_of(|_| {
        basic(Basic::Assert {
            cond: Expr::bool(true),
        })
    });
    assert_eq!(held, None);

    for (cond, discarded) in [(false, true), (true, false)] {
        let mut k = Build::kernel(1, 1);
        k.body(basic(Basic::Assume {
            cond: Expr::bool(cond),
        }));
        let system = k.system("cuda");
        let (_, last) = replay(&system, &[t(0)]);
        assert_eq!(system.is_discarded(&last), discarded);
        assert_eq!(system.is_final(&last), !discarded);
    }
}

#[test]
fn private_arrays_belong_to_their_thread_and_are_not_seen_by_others() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    let p = k.declared("p", Space::Private, 1, Some(0));
    k.body(seq([
        store(&p, int(0), tid()),
        store(&a, tid(), at(&p, int(0))),
    ]));
    let system = k.system("cuda");
    let (labels, last) = replay(&system, &[t(0), t(1), t(0), t(1), t(0), t(1)]);
    assert!(labels[0].accesses.is_empty());
    assert_eq!(
        system.observe(&last).arrays[0].cells,
        [Value::i32(0), Value::i32(1)]
    );
}

#[test]
fn coordinates_run_fastest_in_x() {
    use gridlock_semantics::algebra::expr::{Axis, Builtin};
    let mut k = Build::kernel(1, 4);
    if let Some(launch) = &mut k.setup.launch {
        launch.block = [2, 2, 1];
    }
    let a = k.array("a", &[0; 4]);
    let y = Expr::builtin(Builtin::ThreadIdx(Axis::Y)).cast(Type::I32);
    let index = add(add(y.clone(), y.clone()), tid());
    k.body(store(&a, index, add(add(y.clone(), y), int(10))));
    let system = k.system("cuda");
    let (_, last) = replay(&system, &[t(0), t(1), t(2), t(3)]);
    let cells = system.observe(&last).arrays[0].cells.clone();
    assert_eq!(cells, [10, 10, 12, 12].map(Value::i32));
}

#[test]
fn nobody_moves_after_a_fault() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    k.body(store(&a, int(5), int(1)));
    let system = k.system("cuda");
    let (labels, last) = replay(&system, &[t(1)]);
    let fault = labels[0].fault.as_ref().expect("a fault");
    assert_eq!(fault.actor, t(1));
    assert!(labels[0].is_visible());
    let mut found = Vec::new();
    system.successors(&last, &mut found);
    assert!(found.is_empty() && !system.is_final(&last));
    assert!(system.fire(&last, &[t(0)]).is_empty());
    assert!(system.fire(&last, &[Actor::Device]).is_empty());
}
