//! Each condition of M1 is needed: the smallest kernel, found by the enumerator, whose canonical
//! run meets no race, divergence or fault and yet does not speak for all schedules, because that
//! condition alone fails.

use super::schedules::{self, End};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::random::Generated;
use gridlock_generation::random::enumerate::Grammar;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Scope};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::{BarrierRule, Profile, Warps};
use gridlock_semantics::setup::Contents;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why the canonical run of a kernel in which it met nothing wrong does not decide, without the
/// line.
fn undecided(g: &Generated, profile: &Profile) -> Option<String> {
    let compiled = compile(&atomic_form(&g.program));
    let run = canonical::run(&compiled, &g.setup, profile, &Limits::default());
    match run.status {
        CanonicalStatus::NotCanonical { why } if run.findings.is_empty() => {
            let end = why
                .find(" (line")
                .or(why.find(" on g["))
                .unwrap_or(why.len());
            Some(why[..end].to_owned())
        }
        _ => None,
    }
}

/// By condition: the smallest kernel it alone lets down, how many kernels of up to three operators
/// fail it, and how many of these other schedules contradict. (The rest would have been safe: the
/// conditions are sufficient.)
#[test]
fn without_a_condition_another_schedule_may_differ() {
    let profile = Profile::default();
    let mut failing: BTreeMap<String, (String, u32, u32)> = BTreeMap::new();
    for (number, kernel) in Grammar::full().up_to(3).iter().enumerate() {
        let g = kernel.generated(1, 2, number as u64);
        let Some(why) = undecided(&g, &profile) else {
            continue;
        };
        let all = schedules::all(&g, &profile, 20_000).expect("few states");
        let (smallest, n, n_differing) = failing.entry(why).or_default();
        *n += 1;
        if all.ends.len() > 1 || !all.races.is_empty() {
            *n_differing += 1;
            if smallest.is_empty() {
                *smallest = kernel.to_string();
            }
        }
    }
    let expected = [
        (
            "different atomic functions meet",
            "atomicAdd(&g[0], t + 1); atomicExch(&g[0], t + 1);",
            (420, 326),
        ),
        (
            "the order of atomic exchanges shows in the result",
            "atomicExch(&g[0], t + 1); __syncthreads(); x = g[0];",
            (21, 5),
        ),
        (
            "the result of an atomic operation is used",
            "for (i = 0; i < 2 && x == 0; i++) { x = atomicAdd(&g[0], t + 1); }",
            (259, 98),
        ),
    ];
    let expected = expected.map(|(why, kernel, (n, n_differing))| {
        (why.to_owned(), (kernel.to_owned(), n, n_differing))
    });
    assert_eq!(failing, BTreeMap::from(expected));
}

/// Addition of floats is commutative but not associative: three of them in another order differ.
#[test]
fn float_additions_show_their_order() {
    let profile = Profile::default();
    let kernels = Grammar::full().of_size(1);
    let add = kernels
        .iter()
        .find(|k| k.to_string().starts_with("atomicAdd"));
    let mut g = add.expect("a kernel").generated(1, 2, 0);
    // `atomicAdd(&g[0], t ? 1 : 1e8f)` where `g[0]` is -1e8f.
    let float = Type::Scalar(ScalarType::F32);
    let constant = |value| Expr::constant(Value::f32(value));
    let g_ty = Type::pointer_to(ScalarType::F32);
    g.program.procs[0].vars[0].ty = g_ty;
    let thread = Expr::builtin(Builtin::ThreadIdx(Axis::X));
    let is_second = Expr::binary(BinaryOp::Ne, thread, Expr::int(ScalarType::U32, 0));
    let operand = Expr::select(is_second, constant(1.0), constant(1e8));
    assert_eq!(operand.ty, float);
    let cell = || Expr::offset(Expr::var(VarId(0), g_ty), Expr::i32(0));
    let add = Op::basic(
        Basic::Atomic {
            function: AtomicFn::Add,
            scope: Scope::Device,
            pointer: cell(),
            operands: vec![operand],
            result: None,
        },
        Span::NONE,
    );
    g.program.procs[0].body = add.clone();
    g.program.number_operators();
    g.setup.arrays[0].elem = ScalarType::F32;
    g.setup.arrays[0].contents = Contents::Values(vec![Value::f32(-1e8)]);
    let compiled = compile(&atomic_form(&g.program));
    let run = canonical::run(&compiled, &g.setup, &profile, &Limits::default());
    let expected = "the order of atomic operations on floats shows in the result";
    let CanonicalStatus::DecidesDefects { why } = run.status else {
        panic!("{:?}", run.status);
    };
    assert!(why.starts_with(expected), "{why}");
    let all = schedules::all(&g, &profile, 100).expect("few states");
    assert_eq!(all.ends.len(), 2, "{:?}", all.ends);
    // Once a thread reads the sum, all that follows hangs on it.
    let kernels = Grammar::full().of_size(1);
    let barrier = kernels.iter().find(|k| k.to_string() == "__syncthreads();");
    let barrier = barrier.expect("a kernel").generated(1, 2, 0).program.procs[0]
        .body
        .clone();
    let sum = VarId(g.program.procs[0].vars.len() as u32);
    let (name, ty, span) = (Arc::from("sum"), float, Span::NONE);
    g.program.procs[0].vars.push(VarDecl { name, ty, span });
    let read = Basic::Load {
        var: sum,
        pointer: cell(),
    };
    let body = vec![add, barrier, Op::basic(read, Span::NONE)];
    g.program.procs[0].body = Op::new(OpKind::Seq(body), Span::NONE);
    g.program.number_operators();
    assert_eq!(undecided(&g, &profile).as_deref(), Some(expected));
}

/// The profile's conditions: with the barrier as printed in the paper, a barrier alone ends or
/// deadlocks as the schedule goes; the canonical run claims nothing there.
#[test]
fn a_literal_barrier_is_not_canonical() {
    let mut profile = Profile::default();
    profile.axes.barrier = BarrierRule::Literal;
    let kernels = Grammar::full().of_size(1);
    let barrier = kernels.iter().find(|k| k.to_string() == "__syncthreads();");
    let g = barrier.expect("a kernel").generated(1, 2, 0);
    assert!(!profile.admits_canonical_run() && undecided(&g, &profile).is_some());
    let all = schedules::all(&g, &profile, 100).expect("few states");
    assert!(all.ends.contains(&End::Deadlock), "{:?}", all.ends);
}

/// A kernel `k(int *g, int x)` of two threads whose body is `body`.
fn kernel_of(body: Vec<Arc<Op>>, threads: u32) -> Generated {
    let mut g = Grammar::full().of_size(1)[0].generated(1, threads, 0);
    g.program.procs[0].body = Op::new(OpKind::Seq(body), Span::NONE);
    g.program.number_operators();
    g
}

fn word(value: u32) -> Expr {
    Expr::int(ScalarType::U32, value as i64)
}

fn thread() -> Expr {
    Expr::builtin(Builtin::ThreadIdx(Axis::X))
}

fn g_at(index: Expr) -> Expr {
    Expr::offset(
        Expr::var(VarId(0), Type::pointer_to(ScalarType::I32)),
        index,
    )
}

/// A nondeterministic operator: `m = __activemask(); g[t] = m;` in two threads.
#[test]
fn a_nondeterministic_operator_is_not_canonical() {
    let mask = VarId(2);
    let mut g = kernel_of(
        vec![
            Op::basic(Basic::ActiveMask { result: mask }, Span::NONE),
            Op::basic(
                Basic::Store {
                    pointer: g_at(thread()),
                    value: Expr::var(mask, Type::U32).cast(Type::I32),
                },
                Span::NONE,
            ),
        ],
        2,
    );
    let name = "m".into();
    let (ty, span) = (Type::U32, Span::NONE);
    g.program.procs[0].vars.truncate(2);
    g.program.procs[0].vars.push(VarDecl { name, ty, span });
    let profile = Profile::default();
    let why = undecided(&g, &profile).expect("not canonical");
    assert_eq!(why, "which lanes __activemask() names is not determined");
    let all = schedules::all(&g, &profile, 1_000).expect("few states");
    assert!(all.ends.len() > 1 && all.races.is_empty(), "{:?}", all.ends);
}

/// Who takes part in a join does not follow from program order: a barrier for two, met by thread 0
/// once, thread 1 twice and thread 2 once. In the canonical order 0 meets 1, then 1 meets 2; where
/// 0 meets 2 first, 1 waits forever.
#[test]
fn a_join_that_the_schedule_makes_is_not_canonical() {
    let barrier = || {
        let kind = Basic::NamedBarrier {
            id: word(1),
            threads: Some(word(2)),
            arrive_only: false,
        };
        Op::basic(kind, Span::NONE)
    };
    let again = OpKind::If {
        cond: Expr::binary(BinaryOp::Eq, thread(), word(1)),
        then: barrier(),
        otherwise: Op::skip(),
    };
    let g = kernel_of(vec![barrier(), Op::new(again, Span::NONE)], 3);
    let mut profile = Profile::default();
    // Counts are whole warps.
    profile.axes.warps = Warps::Independent(1);
    let all = schedules::all(&g, &profile, 1_000).expect("few states");
    assert!(
        all.ends.contains(&End::Deadlock) && all.ends.len() == 2,
        "{:?}",
        all.ends
    );
    let why = undecided(&g, &profile);
    let expected = "which threads meet at barrier 1 may depend on the schedule";
    assert_eq!(why.as_deref(), Some(expected));
}
