//! Each reason for which a program is refused, and its neighbour that is accepted.

use crate::building::*;
use crate::refusals;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, Basic, Met, Op, OpId, OpKind, Orders, Scope, WarpFn,
};
use gridlock_semantics::algebra::program::{Form, ProcKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::arithmetic;
use gridlock_semantics::well_formed::check_well_formed;
use std::sync::Arc;

/// Refused with a message that contains `expected`; accepted when that is empty.
#[track_caller]
fn check(build: &Build, expected: &str) {
    let program = build.finished();
    match check_well_formed(&program) {
        Ok(()) => assert_eq!(expected, "", "accepted"),
        Err(reasons) => {
            reasons.iter().for_each(|r| refusals::note(&r.message));
            assert_ne!(expected, "", "refused: {reasons:?}");
            assert!(
                reasons
                    .iter()
                    .any(|reason| reason.message.contains(expected)),
                "{expected:?} is not among {reasons:?}"
            );
        }
    }
}

#[track_caller]
fn check_kernel(body: impl FnOnce(&mut Build) -> Y, expected: &str) {
    let mut k = Build::kernel(1, 1);
    let body = body(&mut k);
    k.body(body);
    check(&k, expected);
}

#[track_caller]
fn check_host(body: impl FnOnce(&mut Build) -> Y, expected: &str) {
    let mut h = Build::host();
    let body = body(&mut h);
    h.body(body);
    check(&h, expected);
}

/// Assigns an expression of its own type to a fresh variable.
#[track_caller]
fn check_expr(expr: Expr, expected: &str) {
    check_kernel(
        |k| {
            let x = k.var("x", expr.ty);
            assign(x, expr)
        },
        expected,
    );
}

#[test]
fn operands_have_the_types_the_operator_wants() {
    let float = || Expr::constant(Value::f32(1.0));
    let truth = || Expr::bool(true);
    check_expr(add(int(1), int(2)), "");
    check_expr(add(int(1), float()), "`+` on operands");
    check_expr(add(truth(), truth()), "`+` on operands");
    check_expr(op(BinaryOp::BitXor, truth(), truth()), "");
    check_expr(op(BinaryOp::BitXor, float(), float()), "`^` on operands");
    check_expr(op(BinaryOp::Rem, float(), float()), "`%` on operands");
    check_expr(op(BinaryOp::Shl, int(1), Expr::int(ScalarType::U8, 1)), "");
    check_expr(op(BinaryOp::Shl, int(1), float()), "`<<` on operands");
    check_expr(op(BinaryOp::And, truth(), truth()), "");
    check_expr(op(BinaryOp::And, int(1), truth()), "`&&` on operands");
    check_expr(Expr::unary(UnaryOp::Not, int(1)), "an operator");
    check_expr(Expr::unary(UnaryOp::BitNot, float()), "an operator");
    check_expr(Expr::unary(UnaryOp::Neg, truth()), "an operator");
    check_expr(Expr::select(truth(), int(1), int(2)), "");
    check_expr(Expr::select(truth(), int(1), float()), "`?:`");
    check_expr(Expr::select(int(1), int(1), int(2)), "`?:`");
    check_expr(
        Expr::new(Type::F32, ExprKind::Const(Value::i32(1))),
        "is said to have type",
    );
    // No value is what a variable may be assigned, but no operand.
    check_expr(Expr::no_value(Type::I32), "");
    check_expr(add(int(1), Expr::no_value(Type::I32)), "without value");
    check_expr(Expr::no_value(Type::I32).cast(Type::F32), "without value");
    let out_of_range = Value::Int(ScalarType::I8, 300);
    check_expr(
        Expr::new(Type::Scalar(ScalarType::I8), ExprKind::Const(out_of_range)),
        "out of its type's range",
    );
    let math = |function, args| Expr::new(Type::I32, ExprKind::Math(function, args));
    check_expr(math(MathFn::Min, vec![int(1), int(2)]), "");
    check_expr(math(MathFn::Min, vec![int(1)]), "mathematical function");
    check_expr(math(MathFn::Sqrt, vec![int(1)]), "mathematical function");
    let aligned = ExprKind::Math(MathFn::Aligned(4), vec![int(1)]);
    check_expr(Expr::new(Type::BOOL, aligned), "test of alignment");
    check_expr(Expr::var(VarId(9), Type::I32), "not declared");
    check_expr(
        Expr::array_base(ArrayId(0), PointerType::to(ScalarType::I32)),
        "not declared",
    );
    check_expr(tid(), "");
}

#[test]
fn pointers_are_made_from_arrays_and_null_only() {
    let ty = Type::pointer_to(ScalarType::I32);
    check_expr(int(0).cast(ty), "");
    check_expr(int(1).cast(ty), "a conversion from");
    check_kernel(
        |k| {
            let s = k.shared("s", 4);
            let p = k.var("p", ty);
            assign(p, Expr::offset(s, int(1)))
        },
        "",
    );
    check_kernel(
        |k| {
            let s = k.shared("s", 4);
            let other = Type::pointer_to(ScalarType::F32);
            let p = k.var("p", other);
            assign(p, s.cast(other))
        },
        "a conversion from",
    );
    check_kernel(
        |k| {
            let s = k.shared("s", 4);
            let p = k.var("p", ty);
            let by_int = ExprKind::Offset(Arc::new(s), Arc::new(int(1)));
            assign(p, Expr::new(ty, by_int))
        },
        "pointer arithmetic",
    );
}

#[test]
fn assignments_and_accesses_are_typed() {
    check_kernel(
        |k| {
            let x = k.var("x", Type::F32);
            assign(x, int(1))
        },
        "`x` is assigned",
    );
    check_kernel(|_| assign(VarId(3), int(1)), "not declared");
    check_kernel(
        |k| {
            let s = k.shared("s", 1);
            store(&s, int(0), Expr::constant(Value::f32(0.0)))
        },
        "a store of another type",
    );
    check_kernel(
        |_| {
            basic(Basic::Store {
                pointer: int(0),
                value: int(0),
            })
        },
        "no pointer",
    );
    check_kernel(|_| when(int(1), seq([])), "Scalar(Bool) is needed here");
    check_kernel(|_| while_do(int(1), seq([])), "Scalar(Bool) is needed here");
    check_kernel(
        |_| basic(Basic::SyncWarp { mask: int(1) }),
        "Scalar(U32) is needed here",
    );
    check_kernel(
        |_| {
            basic(Basic::Barrier {
                orders: Orders::All,
                met: Met::AtOnePlace,
                agreed: vec![int(1)],
            })
        },
        "more than variables",
    );
    check_kernel(
        |_| basic(Basic::Assert { cond: int(1) }),
        "Scalar(Bool) is needed here",
    );
    let with = |function, operands: Vec<Expr>| {
        move |k: &mut Build| {
            let s = k.shared("s", 1);
            basic(Basic::Atomic {
                function,
                scope: Scope::Block,
                pointer: s,
                operands,
                result: None,
            })
        }
    };
    check_kernel(with(AtomicFn::Add, vec![int(1)]), "");
    check_kernel(with(AtomicFn::Cas, vec![int(1)]), "wrong operands");
    check_kernel(
        with(AtomicFn::Add, vec![Expr::bool(true)]),
        "wrong operands",
    );
}

#[test]
fn the_atomic_form_loads_by_operators() {
    let mut k = Build::kernel(1, 1);
    let s = k.shared("s", 1);
    let x = k.int("x");
    k.body(assign(x, at(&s, int(0))));
    check(&k, "");
    k.program.form = Form::Atomic;
    check(&k, "reads memory");
    k.body(basic(Basic::Load { var: x, pointer: s }));
    check(&k, "");
}

#[test]
fn operators_stand_where_they_belong() {
    let on_host = |body: Y, expected: &str| {
        let mut h = Build::host();
        h.body(body);
        check(&h, expected);
    };
    on_host(barrier(), "the host does not have");
    on_host(basic(Basic::DeviceSync), "");
    on_host(exit(), "the host does not have");
    on_host(
        basic(Basic::Assert {
            cond: eq(tid(), int(0)),
        }),
        "index on the host",
    );
    check_kernel(|_| basic(Basic::DeviceSync), "the device does not have");
    check_kernel(|_| exit(), "");
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Device);
            k.body_of(f, exit());
            call(f, vec![], None)
        },
        "only a kernel ends its thread",
    );
    let par = |a: Y, b: Y| Op::new(OpKind::Par(a, b), Span::NONE);
    check_kernel(
        |_| par(Op::skip(), Op::skip()),
        "parallel operators outside host code",
    );
    check_host(
        |h| {
            let x = h.int("x");
            par(assign(x, int(1)), assign(x, int(2)))
        },
        "`x` is assigned in one branch",
    );
    check_host(
        |h| {
            let (x, y) = (h.int("x"), h.int("y"));
            par(assign(x, int(1)), assign(y, v(x)))
        },
        "`x` is assigned in one branch",
    );
    check_host(
        |h| {
            h.declared("own", Space::Private, 2, Some(0));
            par(Op::skip(), Op::skip())
        },
        "`own` is the private array",
    );
    let mut nested = Op::skip();
    for _ in 0..17 {
        nested = par(nested, Op::skip());
    }
    check_host(|_| nested, "more than 16 parallel operators");
}

#[test]
fn calls_fit_their_procedures() {
    check_kernel(|_| call(ProcId(4), vec![], None), "does not exist");
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Host);
            call(f, vec![], None)
        },
        "cannot be called from here",
    );
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Device);
            k.param_of(f, "n", Type::I32);
            call(f, vec![], None)
        },
        "is called with 0 arguments",
    );
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Device);
            k.param_of(f, "n", Type::F32);
            call(f, vec![int(1)], None)
        },
        "an argument of `f` has the wrong type",
    );
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Device);
            let x = k.int("x");
            call(f, vec![], Some(x))
        },
        "has no result",
    );
    let launch = |kernel, extent: Expr| {
        basic(Basic::CallGpu {
            kernel,
            grid: [extent.clone(), extent.clone(), extent.clone()],
            block: [extent.clone(), extent.clone(), extent.clone()],
            shared_bytes: extent,
            args: vec![],
            stream: None,
            cooperative: false,
        })
    };
    for (kind, expected) in [
        (ProcKind::Kernel, ""),
        (ProcKind::Host, "is launched but no kernel"),
    ] {
        let mut h = Build::host();
        let g = h.procedure("g", kind);
        h.body(launch(g, Expr::int(ScalarType::U32, 1)));
        check(&h, expected);
    }
    let mut h = Build::host();
    let g = h.procedure("g", ProcKind::Kernel);
    h.body(launch(g, int(1)));
    check(&h, "Scalar(U32) is needed here");
}

#[test]
fn recursion_is_refused() {
    let mut k = Build::kernel(1, 1);
    let f = k.procedure("f", ProcKind::Device);
    let g = k.procedure("g", ProcKind::Device);
    k.body(call(f, vec![], None));
    k.body_of(f, call(g, vec![], None));
    check(&k, "");
    k.body_of(g, call(f, vec![], None));
    check(&k, "recursive");
}

#[test]
fn arrays_are_declared_consistently() {
    type Change = fn(&mut gridlock_semantics::algebra::declaration::ArrayDecl);
    let cases: [(Change, &str); 8] = [
        (|_| {}, ""),
        (|a| a.extent = Extent::LaunchShared, ""),
        (
            |a| {
                a.extent = Extent::LaunchShared;
                a.space = Space::Global;
            },
            "is not in shared memory",
        ),
        (|a| a.dims = vec![2, 3], "do not make its extent"),
        (|a| a.init = Some(vec![]), "and has an initial value"),
        (
            |a| {
                a.space = Space::Constant;
                a.init = Some(vec![Value::i32(0); 5]);
            },
            "initial values for",
        ),
        (
            |a| {
                a.space = Space::Constant;
                a.init = Some(vec![Value::f32(0.0)]);
            },
            "another type than its elements",
        ),
        (
            |a| {
                a.space = Space::Private;
                a.owner = None;
            },
            "belongs to no procedure",
        ),
    ];
    for (change, expected) in cases {
        let mut k = Build::kernel(1, 1);
        k.shared("s", 4);
        change(&mut k.program.arrays[0]);
        check(&k, expected);
    }
    // Where an array may be named.
    check_kernel(
        |k| {
            let a = k.declared("a", Space::Host, 1, None);
            store(&a, int(0), int(0))
        },
        "is on the host",
    );
    let mut h = Build::host();
    let s = h.declared("s", Space::Shared, 1, None);
    h.body(store(&s, int(0), int(0)));
    check(&h, "is in shared memory");
    check_kernel(
        |k| {
            let f = k.procedure("f", ProcKind::Device);
            let p = k.declared("p", Space::Private, 1, Some(f.0));
            store(&p, int(0), int(0))
        },
        "belongs to another procedure",
    );
}

#[test]
fn procedures_are_declared_consistently() {
    let mut k = Build::kernel(1, 1);
    k.program.procs[0].params = vec![VarId(0)];
    check(&k, "more parameters than variables");
    let mut k = Build::kernel(1, 1);
    k.int("x");
    k.int("y");
    k.program.procs[0].params = vec![VarId(1)];
    check(&k, "not its first variables");
    let mut k = Build::kernel(1, 1);
    let x = k.int("x");
    k.program.procs[0].result = Some(x);
    check(&k, "the kernel `entry` has a result");
    let mut h = Build::host();
    h.program.procs[0].result = Some(VarId(0));
    check(&h, "no variable for its result");
}

#[test]
fn operators_have_numbers_of_their_own() {
    let mut program = Build::kernel(1, 1)
        .body(seq([barrier(), barrier()]))
        .finished();
    assert_eq!(check_well_formed(&program), Ok(()));
    let same = Arc::new(Op {
        id: OpId(0),
        ..(*barrier()).clone()
    });
    program.procs[0].body = seq([same.clone(), same]);
    let reasons = check_well_formed(&program).expect_err("numbers that clash");
    reasons.iter().for_each(|r| refusals::note(&r.message));
    assert!(
        reasons
            .iter()
            .any(|reason| reason.message.contains("two operators have number 0"))
    );
}

#[test]
fn builtins_have_their_types() {
    let narrow = Expr::new(Type::I32, ExprKind::Builtin(Builtin::ThreadIdx(Axis::X)));
    check_expr(narrow, "is said to have type");
}

#[test]
fn constants_and_loads_are_typed() {
    let constant = |ty, value| Expr::new(ty, ExprKind::Const(value));
    let pointer = Type::pointer_to(ScalarType::I32);
    check_expr(constant(pointer, arithmetic::NULL), "");
    check_expr(
        constant(Type::I32, arithmetic::NULL),
        "a null pointer of scalar type",
    );
    let to_an_array = Value::Pointer(Pointer {
        array: ArrayRef::Global(0),
        offset: 0,
    });
    check_expr(constant(pointer, to_an_array), "a constant pointer");
    let load = ExprKind::Load(Arc::new(int(0)));
    check_expr(Expr::new(Type::I32, load), "a load on operands");
}

#[test]
fn operands_fit_their_operators() {
    check_kernel(
        |k| {
            let s = k.shared("s", 1);
            basic(Basic::Atomic {
                function: AtomicFn::Inc,
                scope: Scope::Block,
                pointer: s,
                operands: vec![int(1)],
                result: None,
            })
        },
        "its element type does not have",
    );
    check_kernel(
        |_| {
            basic(Basic::Warp {
                function: WarpFn::Ballot,
                mask: Expr::int(ScalarType::U32, 1),
                operands: vec![],
                result: None,
            })
        },
        "a warp operation with wrong operands",
    );
    let mut h = Build::host();
    let a = h.var("a", Type::pointer_to(ScalarType::I32));
    h.body(basic(Basic::Alloc {
        var: a,
        elem: ScalarType::I32,
        bytes: Expr::constant(Value::f32(4.0)),
        space: AllocSpace::Global,
    }));
    check(&h, "a number of bytes is needed here");
}

#[test]
fn arrays_have_a_size_and_an_owner() {
    let mut k = Build::kernel(1, 1);
    k.shared("s", 4);
    k.program.arrays[0].owner = Some(ProcId(7));
    check(&k, "belongs to a procedure that does not exist");
    let mut k = Build::kernel(1, 1);
    k.shared("s", u64::MAX);
    check(&k, "is too large");
}

/// Provokes on this thread every refusal that the tests of this file provoke.
pub fn provoke_all() {
    constants_and_loads_are_typed();
    operands_fit_their_operators();
    arrays_have_a_size_and_an_owner();
    operands_have_the_types_the_operator_wants();
    pointers_are_made_from_arrays_and_null_only();
    assignments_and_accesses_are_typed();
    the_atomic_form_loads_by_operators();
    operators_stand_where_they_belong();
    calls_fit_their_procedures();
    recursion_is_refused();
    arrays_are_declared_consistently();
    procedures_are_declared_consistently();
    operators_have_numbers_of_their_own();
    builtins_have_their_types();
}
