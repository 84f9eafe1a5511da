//! Read-modify-write operators.

use crate::print::dialect::Dialect;
use crate::print::expression::{Printer, Unprintable, pointer_type};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AtomicFn, Scope};
use gridlock_semantics::algebra::types::{PointerType, ScalarType};

/// The call, its value the old contents.
pub(crate) fn call(
    printer: &Printer<'_>,
    function: AtomicFn,
    scope: Scope,
    pointer: &Expr,
    operands: &[Expr],
) -> Result<String, Unprintable> {
    let Some(to) = pointer.ty.pointer() else {
        panic!("an atomic operation works on a cell");
    };
    match printer.dialect {
        Dialect::Cuda => cuda(printer, function, scope, pointer, to, operands),
        Dialect::OpenCl => opencl(printer, function, scope, pointer, to, operands),
        Dialect::C | Dialect::CSharp => {
            Err(Unprintable("an atomic operation in host code".to_owned()))
        }
    }
}

fn unsupported(function: AtomicFn, to: PointerType) -> Unprintable {
    Unprintable(format!(
        "atomic {function:?} on elements of type {}",
        to.elem.c_name()
    ))
}

fn cuda(
    printer: &Printer<'_>,
    function: AtomicFn,
    scope: Scope,
    pointer: &Expr,
    to: PointerType,
    operands: &[Expr],
) -> Result<String, Unprintable> {
    use AtomicFn::*;
    use ScalarType::*;
    // Subtraction exists for 32-bit integers only; elsewhere it is the addition of the negative.
    let negate = function == Sub && !matches!(to.elem, I32 | U32);
    let function = if negate { Add } else { function };
    // The declared overloads: CUDA C++ Programming Guide, "Atomic Functions".
    let elem = match (function, to.elem) {
        (Add, I32 | U32 | U64 | F32 | F64) => to.elem,
        (Sub, I32 | U32) => to.elem,
        (Min | Max, I32 | U32 | I64 | U64) => to.elem,
        (And | Or | Xor | Cas, I32 | U32 | U64) => to.elem,
        (Cas, U16) => to.elem,
        (Exch, I32 | U32 | U64 | F32) => to.elem,
        (Inc | Dec, U32) => to.elem,
        // Two's complement: the same on the unsigned type.
        (Add | And | Or | Xor | Cas | Exch, I64) => U64,
        (AddHalf, U16) => return narrow_sum(printer, "half", pointer, operands),
        (AddBfloat, U16) => return narrow_sum(printer, "bfloat16", pointer, operands),
        _ => return Err(unsupported(function, to)),
    };
    let name = match function {
        Add | AddHalf | AddBfloat => "atomicAdd",
        Sub => "atomicSub",
        Min => "atomicMin",
        Max => "atomicMax",
        And => "atomicAnd",
        Or => "atomicOr",
        Xor => "atomicXor",
        Exch => "atomicExch",
        Cas => "atomicCAS",
        Inc => "atomicInc",
        Dec => "atomicDec",
    };
    let suffix = match scope {
        Scope::Block => "_block",
        Scope::Device => "",
        Scope::System => "_system",
    };
    let mut args = Vec::new();
    let place = printer.exact(pointer)?;
    args.push(if elem != to.elem || to.is_volatile {
        let name = pointer_type(Dialect::Cuda, PointerType::to(elem), None);
        format!("({name}){}", place.as_operand_of_cast())
    } else {
        place.text
    });
    for operand in operands {
        args.push(if negate {
            printer.negative(operand)?
        } else {
            printer.converted(operand)?.text
        });
    }
    Ok(format!("{name}{suffix}({})", args.join(", ")))
}

/// An addition of floats of 16 bits, of which cells of the program hold the bits.
fn narrow_sum(
    printer: &Printer<'_>,
    kind: &str,
    pointer: &Expr,
    operands: &[Expr],
) -> Result<String, Unprintable> {
    let ty = match kind {
        "half" => "__half",
        _ => "__nv_bfloat16",
    };
    let place = printer.exact(pointer)?;
    let mut bits = String::new();
    for operand in operands {
        bits += &printer.converted(operand)?.text;
    }
    Ok(format!(
        "__{kind}_as_ushort(atomicAdd(({ty} *){}, __ushort_as_{kind}({bits})))",
        place.as_operand_of_cast()
    ))
}

fn opencl(
    printer: &Printer<'_>,
    function: AtomicFn,
    scope: Scope,
    pointer: &Expr,
    to: PointerType,
    operands: &[Expr],
) -> Result<String, Unprintable> {
    use AtomicFn::*;
    use ScalarType::*;
    if scope == Scope::System {
        let message = "an atomic operation ordered with the whole system".to_owned();
        return Err(Unprintable(message));
    }
    let base = match function {
        Add => "add",
        Sub => "sub",
        Min => "min",
        Max => "max",
        And => "and",
        Or => "or",
        Xor => "xor",
        Exch => "xchg",
        Cas => "cmpxchg",
        // OpenCL C's atomic_inc and atomic_dec know no limit.
        Inc | Dec | AddHalf | AddBfloat => return Err(unsupported(function, to)),
    };
    let name = match (function, to.elem) {
        (_, I32 | U32) | (Exch, F32) => format!("atomic_{base}"),
        (_, I64 | U64) => format!("atom_{base}"),
        (Add | Sub, F32) => {
            let space = match printer.space_of(pointer) {
                Some(Space::Shared) => "local",
                _ => "global",
            };
            format!("{FLOAT_ADD}_{space}")
        }
        _ => return Err(unsupported(function, to)),
    };
    let mut args = vec![printer.exact(pointer)?.text];
    for operand in operands {
        args.push(if function == Sub && to.elem == F32 {
            printer.negative(operand)?
        } else {
            printer.converted(operand)?.text
        });
    }
    Ok(format!("{name}({})", args.join(", ")))
}

/// Name, without the space, of the function [`float_add`] defines.
const FLOAT_ADD: &str = "add_float_atomically";

/// OpenCL C 1.2 has no atomic addition of floats: a loop of compare-and-swap.
pub(crate) fn float_add(space: &str) -> String {
    format!(
        "static float {FLOAT_ADD}_{space}(volatile {space} float *p, float x)
{{
    float old = *p;
    float seen;
    while ((seen = as_float(atomic_cmpxchg((volatile {space} uint *)p, as_uint(old),
                                           as_uint(old + x)))),
           as_uint(seen) != as_uint(old))
        old = seen;
    return old;
}}
"
    )
}
