//! Operators: each where it may stand, with operands of the right types.

use super::refusal::{IllFormed, Place, Refusal, because};
use super::types;
use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{AtomicFn, Basic, Op, OpId, OpKind, WarpFn};
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
            let anywhere = matches!(
                b,
                Basic::Assign { .. }
                    | Basic::Load { .. }
                    | Basic::Store { .. }
                    | Basic::Assert { .. }
                    | Basic::Assume { .. }
                    | Basic::Beyond
                    | Basic::Atomic { .. }
            );
            if !anywhere && b.is_host_only() != on_host {
                let side = if on_host { "host" } else { "device" };
                return because(format!("an operator that the {side} does not have"));
            }
            basic(b, place)
        }
    }
}

fn basic(basic: &Basic, place: &Place<'_>) -> Result<(), Refusal> {
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
            {
                return because("an atomic operation its element type does not have".to_owned());
            }
            match result {
                Some(var) => assignable(place, *var, Type::Scalar(elem)),
                None => Ok(()),
            }
        }
        Basic::Exit if place.proc.kind != ProcKind::Kernel => {
            because("only a kernel ends its thread".to_owned())
        }
        Basic::Barrier { agreed, .. }
            if agreed.iter().any(|e| !matches!(e.kind, ExprKind::Var(_))) =>
        {
            because("a barrier to which more than variables are brought".to_owned())
        }
        Basic::Barrier { .. }
        | Basic::Fence { .. }
        | Basic::Exit
        | Basic::Beyond
        | Basic::InitGpu
        | Basic::DeviceSync => Ok(()),
        Basic::SyncWarp { mask } => typed(mask, Type::U32),
        Basic::Warp {
            function,
            mask,
            operands,
            result,
        } => {
            typed(mask, Type::U32)?;
            let given = exchanged(*function, operands)?;
            match result {
                Some(var) => assignable(place, *var, Type::Scalar(given)),
                None => Ok(()),
            }
        }
        Basic::ActiveMask { result } => assignable(place, *result, Type::U32),
        Basic::Assert { cond } | Basic::Assume { cond } => boolean(cond),
        Basic::Alloc {
            var, elem, bytes, ..
        } => {
            integer(bytes)?;
            assignable(place, *var, Type::pointer_to(*elem))
        }
        Basic::Free {
            pointer, stream, ..
        } => {
            stream.as_ref().map_or(Ok(()), handle)?;
            element(pointer).map(|_| ())
        }
        Basic::Copy {
            dst,
            src,
            bytes,
            stream,
            ..
        } => {
            integer(bytes)?;
            stream.as_ref().map_or(Ok(()), handle)?;
            element(src)?;
            element(dst).map(|_| ())
        }
        Basic::CallGpu {
            kernel,
            grid,
            block,
            shared_bytes,
            args,
            stream,
            ..
        } => {
            stream.as_ref().map_or(Ok(()), handle)?;
            let callee = procedure(place, *kernel)?;
            if callee.kind != ProcKind::Kernel {
                return because(format!("`{}` is launched but no kernel", callee.name));
            }
            for extent in grid.iter().chain(block).chain([shared_bytes]) {
                typed(extent, Type::U32)?;
            }
            arguments(callee, args)
        }
        Basic::NamedBarrier { id, threads, .. } => {
            typed(id, Type::U32)?;
            threads.as_ref().map_or(Ok(()), |n| typed(n, Type::U32))
        }
        Basic::GridBarrier => Ok(()),
        Basic::SetDevice { device } => typed(device, Type::Scalar(ScalarType::I32)),
        Basic::StreamCreate { var, .. } | Basic::EventCreate { var } => {
            assignable(place, *var, Type::Scalar(ScalarType::U64))
        }
        Basic::StreamDestroy { stream } | Basic::StreamSync { stream } => handle(stream),
        Basic::EventDestroy { event } | Basic::EventSync { event } => handle(event),
        Basic::EventRecord { event, stream } | Basic::StreamWait { stream, event } => {
            handle(event)?;
            handle(stream)
        }
        Basic::Wait { cond } => boolean(cond),
    }
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

/// Streams and events are named by numbers.
fn handle(expr: &Expr) -> Result<(), Refusal> {
    typed(expr, Type::Scalar(ScalarType::U64))
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
