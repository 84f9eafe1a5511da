//! Literals.

use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Source<'_, '_> {
    pub(crate) fn integer_literal(&self, node: &Node) -> Result<Expr> {
        let value = match &node.kind.value {
            Some(serde_json::Value::String(text)) => text.parse::<i128>().ok(),
            Some(serde_json::Value::Number(number)) => number.as_i64().map(i128::from),
            _ => None,
        };
        let ty = self.value_type(node)?;
        match (value, ty.scalar()) {
            (Some(value), Some(scalar)) if scalar.is_integer() => {
                Ok(Expr::constant(Value::int(scalar, value)))
            }
            _ => self.refuse(node, "this literal"),
        }
    }

    pub(crate) fn boolean_literal(&self, node: &Node) -> Result<Expr> {
        match &node.kind.value {
            Some(serde_json::Value::Bool(value)) => Ok(Expr::bool(*value)),
            _ => self.refuse(node, "this literal"),
        }
    }

    pub(crate) fn floating_literal(&self, node: &Node) -> Result<Expr> {
        let text = match &node.kind.value {
            Some(serde_json::Value::String(text)) => text.as_str(),
            _ => "",
        };
        // clang writes enough digits to get the same value back.
        match self.value_type(node)? {
            Type::F32 => text.parse().ok().map(Value::f32),
            Type::F64 => text.parse().ok().map(Value::f64),
            _ => None,
        }
        .map(Expr::constant)
        .map_or_else(|| self.refuse(node, "this literal"), Ok)
    }

    /// The zero a type's value initialisation gives.
    pub(crate) fn zero(&self, node: &Node) -> Result<Expr> {
        match self.value_type(node)? {
            Type::Scalar(scalar) => Ok(Expr::constant(Value::zero(scalar))),
            pointer => Ok(Expr::i32(0).cast(pointer)),
        }
    }

    /// `sizeof`, in bytes.
    pub(crate) fn size_of(&self, node: &Node) -> Result<Expr> {
        if node.name() != "sizeof" {
            return self.refuse(node, format!("`{}`", node.name()));
        }
        let of = match (&node.kind.arg_type, node.child(0)) {
            (Some(ty), _) => self.unit.names.parse(ty.text()),
            (None, Some(operand)) => self.type_of(operand),
            (None, None) => return self.refuse(node, "this `sizeof`"),
        };
        match of.size() {
            Some(bytes) => Ok(constant::convert(
                Expr::int(ScalarType::U64, bytes as i64),
                Type::U64,
            )),
            None => self.refuse(node, "`sizeof` of this type"),
        }
    }
}
