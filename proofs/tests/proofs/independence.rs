//! Independence of the iterations of sequential loops, each beside loops that are not.

use crate::algebra::*;
use gridlock_proofs::{Independence, independent_iterations};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::analysis::loops::counted_loop;

/// Judges the innermost counted loop, by either of its operators.
fn judge(program: &Program) -> Independence {
    let mut ids = None;
    program.procs[0].body.walk(&mut |op| {
        if let Some(counted) = counted_loop(op) {
            ids = Some((op.id, counted.while_op.id));
        }
    });
    let (seq, inner) = ids.expect("a counted loop");
    let limit = 5.0;
    let result = independent_iterations(program, ProcId(0), seq, limit);
    assert_eq!(
        result,
        independent_iterations(program, ProcId(0), inner, limit)
    );
    result
}

#[track_caller]
fn yes(program: &Program) {
    let result = judge(program);
    assert!(matches!(result, Independence::Yes { .. }), "{result:?}");
}

#[track_caller]
fn no(program: &Program, part: &str) {
    match judge(program) {
        Independence::No { why } => assert!(why.contains(part), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// Bitonic sort; `strict`: the order of the pair is tested.
fn bitonic(strict: bool) -> Program {
    let mut d = Draft::new();
    let (a, n) = (d.ints("a"), d.int("n"));
    let (i, j, k) = (d.local("i"), d.local("j"), d.local("k"));
    let (ixj, t) = (d.local("ixj"), d.local("t"));
    let swap = if_(
        &gt(&at(&a, &i), &at(&a, &ixj)),
        vec![
            set(&t, &at(&a, &i)),
            store(&a, &i, &at(&a, &ixj)),
            store(&a, &ixj, &t),
        ],
    );
    let mut body = vec![set(&ixj, &xor(&i, &j))];
    if strict {
        body.push(if_(&gt(&ixj, &i), vec![swap]));
    } else {
        body.push(swap);
    }
    let inner = for_(&i, &c(0), &lt(&i, &n), &add(&i, &c(1)), body);
    let middle = for_(
        &j,
        &div(&k, &c(2)),
        &gt(&j, &c(0)),
        &div(&j, &c(2)),
        vec![inner],
    );
    let outer = for_(&k, &c(2), &le(&k, &n), &mul(&k, &c(2)), vec![middle]);
    d.finish(ProcKind::Host, vec![outer])
}

#[test]
fn innermost_loop_of_bitonic_sort() {
    yes(&bitonic(true));
    no(&bitonic(false), "same element");
}

/// `for (i = 0; i < n; i += step) body`, with `t` declared outside.
fn simple(
    step: i32,
    body: impl Fn(
        &gridlock_semantics::algebra::expr::Expr,
        &gridlock_semantics::algebra::expr::Expr,
        &gridlock_semantics::algebra::expr::Expr,
        &gridlock_semantics::algebra::expr::Expr,
    ) -> Vec<Stmt>,
    use_after: bool,
) -> Program {
    let mut d = Draft::new();
    let (a, b, n) = (d.ints("a"), d.ints("b"), d.int("n"));
    let (i, t) = (d.local("i"), d.local("t"));
    let looped = for_(
        &i,
        &c(0),
        &lt(&i, &n),
        &add(&i, &c(step)),
        body(&a, &b, &i, &t),
    );
    let mut all = vec![looped];
    if use_after {
        all.push(store(&a, &c(0), &t));
    }
    d.finish(ProcKind::Host, all)
}

#[test]
fn elementwise() {
    yes(&simple(1, |a, b, i, _| vec![store(a, i, &at(b, i))], false));
    yes(&simple(
        2,
        |a, _, i, _| vec![store(a, i, &at(a, &add(i, &c(1))))],
        false,
    ));
    no(
        &simple(
            1,
            |a, _, i, _| vec![store(a, i, &at(a, &add(i, &c(1))))],
            false,
        ),
        "same element",
    );
    no(
        &simple(1, |a, _, _, _| vec![store(a, &c(0), &c(1))], false),
        "same element",
    );
}

#[test]
fn scalars() {
    let through_t = |a: &_, b: &_, i: &_, t: &_| vec![set(t, &at(b, i)), store(a, i, t)];
    yes(&simple(1, through_t, false));
    no(&simple(1, through_t, true), "after the loop");
    let sum = |_: &_, b: &_, i: &_, t: &_| vec![set(t, &add(t, &at(b, i)))];
    no(&simple(1, sum, false), "carry");
    let late = |a: &_, b: &_, i: &_, t: &_| vec![store(a, i, t), set(t, &at(b, i))];
    no(&simple(1, late, false), "carry");
    let sometimes = |a: &_, b: &_, i: &_, t: &_| {
        vec![
            if_(&gt(&at(b, i), &c(0)), vec![set(t, &at(b, i))]),
            store(a, i, t),
        ]
    };
    no(&simple(1, sometimes, false), "carry");
}

#[test]
fn inner_loop_hides_nothing() {
    // t survives from one iteration to the next through an inner loop that may run zero times.
    let mut d = Draft::new();
    let (a, n) = (d.ints("a"), d.int("n"));
    let (i, j, t) = (d.local("i"), d.local("j"), d.local("t"));
    let inner = while_(
        &lt(&j, &i),
        vec![set(&t, &add(&t, &c(1))), set(&j, &add(&j, &c(1)))],
    );
    let body = vec![set(&j, &c(0)), inner, store(&a, &i, &t)];
    let program = d.finish(
        ProcKind::Host,
        vec![for_(&i, &c(0), &lt(&i, &n), &add(&i, &c(1)), body)],
    );
    no(&program, "carry");
}
