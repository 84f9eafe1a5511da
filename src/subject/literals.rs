//! The constants that a program computes and compares with: values near which it may do something else.

use crate::subject::compared_contents::{Constant, Constants};
use crate::subject::premises;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// Constants at most, the first in the program: a table in code may have thousands.
const MOST: usize = 64;

/// The constants in the code that `entry` may run, but for those in indices.
pub fn literals(program: &Program, entry: ProcId) -> Constants {
    let mut found = Constants::new();
    for proc in premises::features(program, entry).reachable {
        program.proc(proc).body.walk(&mut |op| {
            for expr in op.expressions() {
                collect(expr, &mut found);
            }
        });
    }
    found
}

fn collect(expr: &Expr, found: &mut Constants) {
    match &expr.kind {
        ExprKind::Offset(pointer, _) => collect(pointer, found),
        ExprKind::Const(value) if found.len() < MOST => {
            found.extend(match value {
                Value::F32(bits) => Some(float(f32::from_bits(*bits).into())),
                Value::F64(bits) => Some(float(f64::from_bits(*bits))),
                value if value.scalar_type() != Some(ScalarType::Bool) => {
                    value.as_integer().map(Constant::Integer)
                }
                _ => None,
            });
        }
        _ => expr
            .operands()
            .into_iter()
            .for_each(|part| collect(part, found)),
    }
}

fn float(value: f64) -> Constant {
    Constant::Float(value.to_bits())
}
