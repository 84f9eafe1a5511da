//! The translation into atomic form: the same outcomes for one thread, a superset for several.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind, Provenance};
use gridlock_semantics::algebra::program::{Form, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::analysis::loops::counted_loop;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::{Granularity, Profile};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::well_formed::check_well_formed;
use std::collections::BTreeSet;
use std::sync::Arc;

fn outcomes(g: &Generated, granularity: Granularity) -> Option<BTreeSet<Outcome>> {
    let mut profile = Profile::default();
    profile.axes.granularity = granularity;
    let program = Arc::new(g.program.clone());
    let system = ProgramSystem::new(program, g.setup.clone(), profile).expect("well-formed");
    let found = explore(&system, 4_000);
    // Variables the translation adds do not change which variable a fault names, and
    // divergence names operators, which are new.
    found.complete.then_some(found.outcomes)
}

#[test]
fn one_thread_has_the_same_outcomes() {
    let sizes = Sizes {
        threads: 1,
        blocks: 1,
        statements: 10,
        expression_depth: 3,
        ..Sizes::default()
    };
    for seed in 0..1500 {
        let g = unrestricted(seed, &sizes);
        let surface = outcomes(&g, Granularity::Operator).expect("one thread is small");
        let atomic = outcomes(&g, Granularity::Access).expect("one thread is small");
        assert_eq!(surface, atomic, "seed {seed}");
    }
}

#[test]
fn several_threads_have_a_superset() {
    let sizes = Sizes {
        threads: 2,
        blocks: 1,
        all_types: false,
        ..Sizes::default()
    };
    let (mut n_compared, mut n_larger) = (0, 0);
    for seed in 0..250 {
        let g = unrestricted(seed, &sizes);
        let (Some(surface), Some(atomic)) = (
            outcomes(&g, Granularity::Operator),
            outcomes(&g, Granularity::Access),
        ) else {
            continue;
        };
        assert!(surface.is_subset(&atomic), "seed {seed}");
        n_compared += 1;
        n_larger += (surface.len() < atomic.len()) as u32;
    }
    assert!(n_compared > 200, "{n_compared} compared");
    assert!(n_larger > 0, "no program shows the difference");
}

#[test]
fn the_increment_is_not_atomic() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    k.body(store(&a, int(0), add(at(&a, int(0)), int(1))));
    let mut operator = Profile::default();
    operator.axes.granularity = Granularity::Operator;
    assert_eq!(explore(&k.system_with(operator), 100).outcomes.len(), 1);
    assert_eq!(explore(&k.system("cuda"), 100).outcomes.len(), 2);
}

fn operators(program: &Program) -> Vec<&Arc<Op>> {
    program.operators().into_iter().map(|(_, op)| op).collect()
}

#[test]
fn the_form_is_what_it_says() {
    for seed in 0..300 {
        let g = unrestricted(seed, &Sizes::default());
        let atomic = atomic_form(&g.program);
        assert_eq!(atomic.form, Form::Atomic);
        assert_eq!(check_well_formed(&atomic), Ok(()), "seed {seed}");
        let surface = operators(&g.program);
        for op in operators(&atomic) {
            let Provenance::AtomicForm { from } = op.provenance else {
                panic!("{:?}", op.provenance);
            };
            let origin = surface
                .iter()
                .find(|o| o.id == from)
                .expect("a surface operator");
            assert_eq!(op.span, origin.span, "seed {seed}");
        }
        assert_eq!(atomic_form(&atomic), atomic);
    }
}

/// The basic operators of a kernel body in atomic form, by name.
fn shape(k: &Build) -> Vec<&'static str> {
    let atomic = atomic_form(&k.finished());
    let name = |op: &Arc<Op>| match &op.kind {
        OpKind::Basic(Basic::Load { .. }) => Some("load"),
        OpKind::Basic(Basic::Store { .. }) => Some("store"),
        OpKind::Basic(Basic::Assign { .. }) => Some("assign"),
        OpKind::Basic(_) => Some("other"),
        OpKind::If { .. } => Some("if"),
        OpKind::While { .. } => Some("while"),
        _ => None,
    };
    atomic
        .operators()
        .into_iter()
        .filter_map(|(_, op)| name(op))
        .collect()
}

#[test]
fn loads_become_operators() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0, 1]);
    let x = k.int("x");
    // A load is the whole value: no temporary.
    k.body(assign(x, at(&a, int(0))));
    assert_eq!(shape(&k), ["load"]);
    // An index that is loaded comes first.
    k.body(assign(x, at(&a, at(&a, int(0)))));
    assert_eq!(shape(&k), ["load", "load"]);
    k.body(store(&a, int(0), add(at(&a, int(0)), at(&a, int(1)))));
    assert_eq!(shape(&k), ["load", "load", "store"]);
}

#[test]
fn what_may_fail_before_a_load_is_computed_before_it() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    let x = k.int("x");
    let quotient = op(BinaryOp::Div, int(1), tid());
    k.body(assign(x, add(quotient, at(&a, int(5)))));
    assert_eq!(shape(&k), ["assign", "load", "assign"]);
    // A variable that has a value does not fail, one that may have none does.
    let y = k.int("y");
    k.body(seq([
        assign(y, int(1)),
        assign(x, add(v(y), at(&a, int(0)))),
    ]));
    assert_eq!(shape(&k), ["assign", "load", "assign"]);
    k.body(assign(x, add(v(y), at(&a, int(0)))));
    assert_eq!(shape(&k), ["assign", "load", "assign"]);
    k.body(seq([
        when(eq(tid(), int(0)), assign(y, int(1))),
        assign(x, add(v(y), at(&a, int(0)))),
    ]));
    assert_eq!(shape(&k), ["if", "assign", "assign", "load", "assign"]);
}

#[test]
fn conditional_loads_become_branches() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    let x = k.int("x");
    let guarded = op(BinaryOp::And, eq(tid(), int(1)), eq(at(&a, int(9)), int(0)));
    k.body(when(guarded, assign(x, int(1))));
    assert_eq!(
        shape(&k),
        ["if", "load", "assign", "assign", "if", "assign"]
    );
    // The load behind the false guard is not done.
    let found = explore(&k.system("cuda"), 100);
    assert!(matches!(found.outcomes.first(), Some(Outcome::Final(_))));
    // Without loads they stay expressions.
    let plain = op(BinaryOp::Or, eq(tid(), int(1)), eq(tid(), int(0)));
    k.body(when(plain, assign(x, int(1))));
    assert_eq!(shape(&k), ["if", "assign"]);
}

#[test]
fn loads_of_a_loop_condition_are_repeated() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[3]);
    let cell = at(&a, int(0));
    let decrement = store(&a, int(0), op(BinaryOp::Sub, cell.clone(), int(1)));
    k.body(while_do(lt(int(0), cell), decrement));
    assert_eq!(shape(&k), ["load", "while", "load", "store", "load"]);
    let found = explore(&k.system("cuda"), 100);
    let Some(Outcome::Final(seen)) = found.outcomes.first() else {
        panic!("{found:?}");
    };
    assert_eq!(seen.arrays[0].cells[0].as_integer(), Some(0));
}

#[test]
fn counted_loops_stay_counted() {
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[1, 2, 3]);
    let i = k.int("i");
    let step = assign(i, add(v(i), int(1)));
    let body = store(&a, v(i), add(at(&a, v(i)), int(1)));
    let looped = seq([
        assign(i, add(at(&a, int(0)), int(0))),
        while_do(lt(v(i), int(3)), seq([seq([body]), step])),
    ]);
    assert!(counted_loop(&looped).is_some());
    k.body(seq([looped]));
    let atomic = atomic_form(&k.finished());
    let n_counted = operators(&atomic)
        .iter()
        .filter(|op| counted_loop(op).is_some())
        .count();
    assert_eq!(n_counted, 1);
}

#[test]
fn pointers_may_be_chosen_by_loads() {
    let mut k = Build::kernel(1, 1);
    let (a, b) = (k.array("a", &[0]), k.array("b", &[7]));
    let x = k.int("x");
    let ty = Type::pointer_to(ScalarType::I32);
    let chosen = Expr::new(
        ty,
        ExprKind::Select(
            Arc::new(eq(at(&a, int(0)), int(1))),
            Arc::new(a.clone()),
            Arc::new(b.clone()),
        ),
    );
    k.body(seq([
        assign(x, at(&chosen, int(0))),
        store(&a, int(0), v(x)),
    ]));
    assert_eq!(shape(&k), ["load", "load", "store"]);
    let found = explore(&k.system("cuda"), 100);
    let Some(Outcome::Final(seen)) = found.outcomes.first() else {
        panic!("{found:?}");
    };
    assert_eq!(seen.arrays[0].cells[0].as_integer(), Some(7));
}
