//! Evaluation of expressions: left to right, faults as data, total on well-formed expressions.

use crate::algebra::expr::{BinaryOp, Builtin, Expr, ExprKind};
use crate::algebra::ids::{ArrayId, VarId};
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::evaluation::arithmetic;
use crate::transition::fault::FaultKind;

/// The environment in which an expression is evaluated.
pub trait Env {
    /// Value of a private variable; `Undef` when it was never assigned.
    fn var(&self, var: VarId) -> Value;

    /// Who the thread is, or the shape of its launch.
    fn builtin(&self, builtin: Builtin) -> Value;

    /// The run-time identity of a declared array.
    fn array(&self, array: ArrayId) -> ArrayRef;

    /// Reads the cell at `pointer` of an array whose elements have type `elem`. Only called for
    /// surface expressions. A cell never written is an [`FaultKind::UninitialisedRead`].
    fn load(&mut self, pointer: Pointer, elem: ScalarType) -> Result<Value, FaultKind>;
}

/// The value of `expr` where it is only copied: assigned to a variable, stored to private or shared memory, or handed
/// to other lanes by a shuffle (the result of the entry counts as used). If the variable has no value, the copy has
/// none either; a later use of it is the fault.
pub fn copied<E: Env + ?Sized>(expr: &Expr, env: &mut E) -> Result<Value, FaultKind> {
    match expr.copied_var().map(|var| env.var(var)) {
        Some(Value::Undef) => Ok(Value::Undef),
        _ => eval(expr, env),
    }
}

/// The value of `expr`, to be used: computed with, branched on, addressed by, stored to global memory or
/// handed to an atomic. Reading a variable that has no value is a fault, so no operand is ever `Undef`; only
/// [`Expr::no_value`], which is never an operand, gives it.
pub fn eval<E: Env + ?Sized>(expr: &Expr, env: &mut E) -> Result<Value, FaultKind> {
    match &expr.kind {
        ExprKind::Const(value) => Ok(*value),
        ExprKind::Var(var) => {
            let value = env.var(*var);
            if value.is_undef() {
                return Err(FaultKind::UnsetVariable { var: *var });
            }
            Ok(value)
        }
        ExprKind::Builtin(builtin) => Ok(env.builtin(*builtin)),
        ExprKind::Unary(op, a) => arithmetic::unary(*op, eval(a, env)?),
        ExprKind::Binary(op, a, b) => {
            let left = eval(a, env)?;
            match (op, left) {
                (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => Ok(left),
                _ => arithmetic::binary(*op, left, eval(b, env)?),
            }
        }
        ExprKind::Cast(a) => arithmetic::cast(eval(a, env)?, expr.ty),
        ExprKind::Select(cond, then, otherwise) => match eval(cond, env)? {
            Value::Bool(true) => eval(then, env),
            _ => eval(otherwise, env),
        },
        ExprKind::Math(function, args) => {
            let mut values = Vec::with_capacity(args.len());
            for arg in args {
                values.push(eval(arg, env)?);
            }
            arithmetic::math(*function, &values)
        }
        ExprKind::ArrayBase(array) => Ok(Value::Pointer(Pointer {
            array: env.array(*array),
            offset: 0,
        })),
        ExprKind::Offset(pointer, elements) => {
            let pointer = eval(pointer, env)?;
            let elements = eval(elements, env)?;
            Ok(match (pointer, elements.as_integer()) {
                (Value::Pointer(p), Some(n)) => Value::Pointer(Pointer {
                    array: p.array,
                    offset: p.offset.wrapping_add(n as i64),
                }),
                _ => Value::Undef,
            })
        }
        ExprKind::Load(pointer) => {
            let elem = pointer.pointee();
            match eval(pointer, env)? {
                Value::Pointer(p) => env.load(p, elem),
                _ => Ok(Value::Undef),
            }
        }
    }
}
