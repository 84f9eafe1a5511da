//! Writes that many threads make to one place: subscripts without the thread in them, atomics in
//! two steps.

use super::index::of_subscripts;
use super::variant::{variants, with_expression};
use super::{Mutation, Nursery, with_kind};
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind};
use std::sync::Arc;

const MUTATION: Mutation = Mutation::WriteMadeRacy;

pub(super) fn made_racy(nursery: &mut Nursery) {
    for (proc, op) in nursery.operators() {
        match &op.kind {
            OpKind::Basic(Basic::Store { pointer, .. }) => {
                for variant in of_subscripts(pointer, &without_thread) {
                    let description = format!(
                        "`{}` becomes `{}`",
                        nursery.text(proc, &variant.was),
                        nursery.text(proc, &variant.is)
                    );
                    let with = with_expression(op, 0, variant.whole);
                    nursery.replace(MUTATION, (proc, op.span), op.id, &with, description);
                }
            }
            OpKind::Basic(Basic::Atomic { .. }) => in_two_steps(nursery, proc, op),
            _ => {}
        }
    }
}

/// The block's number for the thread's, 0 for a variable, 0 for all of it.
fn without_thread(index: &Expr) -> Vec<Expr> {
    let parts = variants(index, &|part| match &part.kind {
        ExprKind::Builtin(Builtin::ThreadIdx(axis)) => {
            vec![Expr::builtin(Builtin::BlockIdx(*axis))]
        }
        ExprKind::Var(_) => match part.ty.scalar().filter(|ty| ty.is_integer()) {
            Some(ty) => vec![Expr::int(ty, 0)],
            None => Vec::new(),
        },
        _ => Vec::new(),
    });
    let mut found: Vec<Expr> = parts.into_iter().map(|v| v.whole).collect();
    let zero = Expr::int(gridlock_semantics::algebra::types::ScalarType::I64, 0);
    if !matches!(index.kind, ExprKind::Const(_)) && index.ty == zero.ty {
        found.push(zero);
    }
    found
}

/// What an atomic becomes that is one no more. Where threads learn something from another atomic (a
/// lock, a ticket), they may take turns at this place, and then what is missing is the order of these
/// turns, not the turns.
fn without_atomicity(nursery: &Nursery, atomic: &Arc<Op>) -> Mutation {
    let speaks = |(_, op): &(ProcId, &Arc<Op>)| {
        let used = matches!(
            &op.kind,
            OpKind::Basic(Basic::Atomic {
                result: Some(_),
                ..
            })
        );
        used && op.id != atomic.id
    };
    match nursery.operators().iter().any(speaks) {
        true => Mutation::OrderWeakened,
        false => Mutation::WriteMadeRacy,
    }
}

/// `old = *p; *p = f(old, x);` for an atomic operator.
fn in_two_steps(nursery: &mut Nursery, proc: ProcId, op: &Arc<Op>) {
    let OpKind::Basic(Basic::Atomic {
        function,
        pointer,
        operands,
        result,
        ..
    }) = &op.kind
    else {
        return;
    };
    let Some(load) = Expr::load(pointer.clone()) else {
        return;
    };
    let mut program = nursery.program.clone();
    let vars = &mut program.procs[proc.0 as usize].vars;
    let old = VarId(vars.len() as u32);
    vars.push(VarDecl {
        name: "old".into(),
        ty: load.ty,
        span: op.span,
    });
    let read = Expr::var(old, load.ty);
    let Some(value) = applied(*function, &read, operands) else {
        return;
    };
    let basic = |basic| Op::basic(basic, op.span);
    let mut parts = vec![
        basic(Basic::Assign {
            var: old,
            value: load,
        }),
        basic(Basic::Store {
            pointer: pointer.clone(),
            value,
        }),
    ];
    if let Some(result) = result {
        parts.push(basic(Basic::Assign {
            var: *result,
            value: read,
        }));
    }
    let with = with_kind(op, OpKind::Seq(parts));
    let body = &mut program.procs[proc.0 as usize].body;
    *body = super::substitute(body, op.id, &with);
    let description = format!(
        "the atomic on `{}` becomes a read and a write",
        nursery.text(proc, pointer)
    );
    let mutation = without_atomicity(nursery, op);
    nursery.keep(mutation, (proc, op.span), program, description);
}

/// What the function makes of the old value; `None` for those that depend on the type's width.
fn applied(function: AtomicFn, old: &Expr, operands: &[Expr]) -> Option<Expr> {
    let operand = operands.first()?.clone();
    let binary = |op| Some(Expr::binary(op, old.clone(), operand.clone()));
    let math = |function| {
        let args = vec![old.clone(), operand.clone()];
        Some(Expr::new(old.ty, ExprKind::Math(function, args)))
    };
    match function {
        AtomicFn::Add => binary(BinaryOp::Add),
        AtomicFn::Sub => binary(BinaryOp::Sub),
        AtomicFn::And => binary(BinaryOp::BitAnd),
        AtomicFn::Or => binary(BinaryOp::BitOr),
        AtomicFn::Xor => binary(BinaryOp::BitXor),
        AtomicFn::Min => math(MathFn::Min),
        AtomicFn::Max => math(MathFn::Max),
        AtomicFn::Exch => Some(operand),
        AtomicFn::Cas => {
            let equal = Expr::binary(BinaryOp::Eq, old.clone(), operand);
            Some(Expr::select(equal, operands.get(1)?.clone(), old.clone()))
        }
        AtomicFn::Inc | AtomicFn::Dec | AtomicFn::AddHalf | AtomicFn::AddBfloat => None,
    }
}
