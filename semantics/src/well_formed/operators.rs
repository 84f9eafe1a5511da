//! Operators: each where it may stand, with operands of the right types.

use super::refusal::{IllFormed, Place, Refusal, because};
use super::types;
use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{AtomicFn, Basic, Expects, Op, OpId, OpKind, Part, Side, WarpFn};
use crate::algebra::program::{Form, ProcKind, Procedure, Program};
use crate::algebra::types::{ScalarType, Type};
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn check(program: &Program, reasons: &mut Vec<IllFormed>) {
    let mut seen: HashSet<OpId> = HashSet::new();
    for (id, op) in program.operators() {
        let place = Place {
            program,
            id,
            proc: program.proc(id),
        };
        let mut refuse = |message: String| {
            reasons.push(IllFormed {
                span: op.span,
                message,
            });
        };
        if !seen.insert(op.id) {
            refuse(format!("two operators have number {}", op.id.0));
        }
        let waits = matches!(op.kind, OpKind::Basic(Basic::Wait { .. }));
        let loads_allowed = program.form == Form::Surface || waits;
        let unassigns = matches!(&op.kind,
            OpKind::Basic(Basic::Assign { value, .. }) if value.is_no_value());
        let expressions = match &op.kind {
            _ if unassigns => vec![],
            OpKind::Basic(basic @ Basic::Store { pointer, .. }) if basic.writes_back() => {
                vec![pointer]
            }
            _ => op.expressions(),
        };
        for expr in expressions {
            if let Err(Refusal(message)) = types::check(expr, &place, loads_allowed) {
                refuse(message);
            }
        }
        if let Err(Refusal(message)) = operator(op, &place) {
            refuse(message);
        }
    }
}

fn operator(op: &Arc<Op>, place: &Place<'_>) -> Result<(), Refusal> {
    match &op.kind {
        OpKind::Skip | OpKind::Seq(_) => Ok(()),
        OpKind::If { cond, .. } | OpKind::While { cond, .. } => boolean(cond),
        OpKind::Par(a, b) => super::parallel::check(op, a, b, place),
        OpKind::Call { proc, args, result } => {
            let callee = procedure(place, *proc)?;
            let expected = match place.proc.kind {
                ProcKind::Host => ProcKind::Host,
                _ => ProcKind::Device,
            };
            if callee.kind != expected {
                return because(format!("`{}` cannot be called from here", callee.name));
            }
            arguments(callee, args)?;
            if let Some(var) = result {
                let Some(given) = callee.result else {
                    return because(format!("`{}` has no result", callee.name));
                };
                assignable(place, *var, callee.vars[given.0 as usize].ty)?;
            }
            Ok(())
        }
        OpKind::Basic(b) => {
            let on_host = place.proc.kind == ProcKind::Host;
            if b.head().side() == if on_host { Side::Device } else { Side::Host } {
                let side = if on_host { "host" } else { "device" };
                return because(format!("an operator that the {side} does not have"));
            }
            operands(b, place)?;
            own(b, place)
        }
    }
}

/// What the table of operators says of its operands.
fn operands(basic: &Basic, place: &Place<'_>) -> Result<(), Refusal> {
    for (slot, part) in basic.head().slots().iter().zip(basic.parts()) {
        if let (Expects::Is(ty), Part::Result(var) | Part::OptionalResult(Some(var))) =
            (slot.expects, &part)
        {
            assignable(place, *var, ty)?;
        }
        for operand in part.expressions() {
            match slot.expects {
                Expects::Is(ty) => typed(operand, ty)?,
                Expects::Bytes => integer(operand)?,
                Expects::Pointer => element(operand).map(|_| ())?,
                Expects::Variable if !matches!(operand.kind, ExprKind::Var(_)) => {
                    return because(
                        "a barrier to which more than variables are brought".to_owned(),
                    );
                }
                Expects::Variable | Expects::Own => {}
            }
        }
    }
    Ok(())
}

/// What the table leaves to the operator: operands whose type depends on others, or on a function or procedure.
fn own(basic: &Basic, place: &Place<'_>) -> Result<(), Refusal> {
    match basic {
        Basic::Assign { var, value } => assignable(place, *var, value.ty),
        Basic::Load { var, pointer } => assignable(place, *var, Type::Scalar(element(pointer)?)),
        Basic::Store { pointer, value } => {
            if value.ty != Type::Scalar(element(pointer)?) {
                return because("a store of another type than the element's".to_owned());
            }
            Ok(())
        }
        Basic::Atomic {
            function,
            pointer,
            operands,
            result,
            ..
        } => {
            let elem = element(pointer)?;
            let arity = 1 + (*function == AtomicFn::Cas) as usize;
            if operands.len() != arity || operands.iter().any(|o| o.ty != Type::Scalar(elem)) {
                return because("an atomic operation with wrong operands".to_owned());
            }
            let bitwise = matches!(function, AtomicFn::And | AtomicFn::Or | AtomicFn::Xor);
            let counts = matches!(function, AtomicFn::Inc | AtomicFn::Dec);
            if elem == ScalarType::Bool
                || (bitwise && elem.is_float())
                || (counts && elem != ScalarType::U32)
                || (function.adds_narrow_floats() && elem != ScalarType::U16)
            {
                return because("an atomic operation its element type does not have".to_owned());
            }
            received(place, *result, elem)
        }
        Basic::Exit if place.proc.kind != ProcKind::Kernel => {
            because("only a kernel ends its thread".to_owned())
        }
        Basic::Warp {
            function,
            operands,
            result,
            ..
        } => received(place, *result, exchanged(*function, operands)?),
        Basic::Alloc { var, elem, .. } => assignable(place, *var, Type::pointer_to(*elem)),
        Basic::CallGpu { kernel, args, .. } => {
            let callee = procedure(place, *kernel)?;
            if callee.kind != ProcKind::Kernel {
                return because(format!("`{}` is launched but no kernel", callee.name));
            }
            arguments(callee, args)
        }
        _ => Ok(()),
    }
}

/// A result of this type, where it is kept.
fn received(place: &Place<'_>, var: Option<VarId>, ty: ScalarType) -> Result<(), Refusal> {
    var.map_or(Ok(()), |var| assignable(place, var, Type::Scalar(ty)))
}

/// The type of an exchange's result.
fn exchanged(function: WarpFn, operands: &[Expr]) -> Result<ScalarType, Refusal> {
    use ScalarType::{Bool, I32, U32};
    let types: Vec<Option<ScalarType>> = operands.iter().map(|o| o.ty.scalar()).collect();
    let given = match (function, types.as_slice()) {
        (WarpFn::Shuffle(_), [Some(value), Some(I32 | U32), Some(I32)]) => Some(*value),
        (WarpFn::Ballot, [Some(Bool)]) => Some(U32),
        (WarpFn::All | WarpFn::Any, [Some(Bool)]) => Some(I32),
        (WarpFn::MatchAny, [Some(_)]) => Some(U32),
        (WarpFn::ReduceAdd | WarpFn::ReduceMin | WarpFn::ReduceMax, [Some(ty @ (I32 | U32))]) => {
            Some(*ty)
        }
        (WarpFn::ReduceAnd | WarpFn::ReduceOr | WarpFn::ReduceXor, [Some(U32)]) => Some(U32),
        _ => None,
    };
    given.ok_or_else(|| Refusal("a warp operation with wrong operands".to_owned()))
}

fn procedure<'a>(place: &Place<'a>, id: ProcId) -> Result<&'a Procedure, Refusal> {
    let found = place.program.procs.get(id.0 as usize);
    found.ok_or_else(|| Refusal("a procedure that does not exist".to_owned()))
}

fn arguments(callee: &Procedure, args: &[Expr]) -> Result<(), Refusal> {
    let name = &callee.name;
    if args.len() != callee.params.len() {
        return because(format!("`{name}` is called with {} arguments", args.len()));
    }
    for (arg, param) in args.iter().zip(&callee.params) {
        let fits = callee
            .vars
            .get(param.0 as usize)
            .is_some_and(|decl| decl.ty.same_shape(arg.ty));
        if !fits {
            return because(format!("an argument of `{name}` has the wrong type"));
        }
    }
    Ok(())
}

fn assignable(place: &Place<'_>, var: VarId, ty: Type) -> Result<(), Refusal> {
    match place.proc.vars.get(var.0 as usize) {
        None => because("an assignment to a variable that is not declared".to_owned()),
        Some(decl) if decl.ty.same_shape(ty) => Ok(()),
        Some(decl) => because(format!(
            "`{}` is assigned a value of type {ty:?}",
            decl.name
        )),
    }
}

fn element(pointer: &Expr) -> Result<ScalarType, Refusal> {
    match pointer.ty {
        Type::Pointer(pointer) => Ok(pointer.elem),
        Type::Scalar(_) => because("an access through something that is no pointer".to_owned()),
    }
}

fn boolean(cond: &Expr) -> Result<(), Refusal> {
    typed(cond, Type::BOOL)
}

fn typed(expr: &Expr, ty: Type) -> Result<(), Refusal> {
    if expr.ty == ty {
        Ok(())
    } else {
        because(format!("{ty:?} is needed here, not {:?}", expr.ty))
    }
}

fn integer(expr: &Expr) -> Result<(), Refusal> {
    match expr.ty {
        Type::Scalar(scalar) if scalar.is_integer() => Ok(()),
        other => because(format!("a number of bytes is needed here, not {other:?}")),
    }
}
