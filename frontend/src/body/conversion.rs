//! Casts, written or implied. clang's tree has every conversion as a node of its own.

use super::place::{Place, without_lvalue_casts};
use super::{Body, Result};
use crate::constant;
use crate::ctype::CType;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::Expr;
use gridlock_semantics::types::Type;

impl Body<'_, '_> {
    pub(super) fn conversion(&mut self, node: &Node) -> Result<Expr> {
        let Some(inner) = node.last() else {
            return self.refuse(node, "this cast");
        };
        match node.kind.cast_kind.as_deref().unwrap_or("") {
            "LValueToRValue" => {
                let place = self.place(inner)?;
                self.read(&place, inner)
            }
            "NoOp" => {
                let value = self.value(inner)?;
                self.requalified(value, node)
            }
            "IntegralCast"
            | "IntegralToFloating"
            | "FloatingToIntegral"
            | "FloatingCast"
            | "BooleanToSignedIntegral" => {
                let ty = self.value_type(node)?;
                let value = self.value(inner)?;
                Ok(constant::convert(value, ty))
            }
            "IntegralToBoolean" | "FloatingToBoolean" | "PointerToBoolean" => self.condition(inner),
            "ArrayToPointerDecay" => {
                if without_lvalue_casts(inner).is("StringLiteral") {
                    return self.refuse(inner, "a string");
                }
                match self.place(inner)? {
                    Place::Cell(pointer, _) => Ok(pointer),
                    _ => self.refuse(inner, "the address of this"),
                }
            }
            "NullToPointer" => {
                let ty = self.value_type(node)?;
                Ok(Expr::i32(0).cast(ty))
            }
            "BitCast" => self.pointer_cast(node, inner),
            "FunctionToPointerDecay" | "BuiltinFnToFnPtr" => {
                self.refuse(node, "a function pointer")
            }
            "ConstructorConversion" | "UserDefinedConversion" => {
                self.refuse(node, "a struct or class value")
            }
            "IntegralToPointer" | "PointerToIntegral" => {
                self.refuse(node, "a cast between pointer and integer")
            }
            "ToVoid" => self.refuse(node, "the value of a void expression"),
            other => self.refuse(node, format!("the conversion {other}")),
        }
    }

    fn pointer_cast(&mut self, node: &Node, inner: &Node) -> Result<Expr> {
        let target = self.type_of(node);
        if let CType::Pointer(to) = &target.ty {
            if let (Some((pointer, _)), Some(call)) = (to.cells(), self.allocation(inner)) {
                return self.allocate(call, pointer.elem);
            }
        }
        let value = self.value(inner)?;
        self.requalified(value, node)
    }

    /// A pointer with the qualifiers the node's type says; never another element type.
    fn requalified(&mut self, value: Expr, node: &Node) -> Result<Expr> {
        let ty = self.type_of(node);
        match (value.ty, ty.variable_type()) {
            (Type::Pointer(from), Ok(Type::Pointer(to))) if from.elem == to.elem => {
                Ok(value.cast(Type::Pointer(to)))
            }
            (Type::Scalar(from), Ok(Type::Scalar(to))) if from == to => Ok(value),
            (Type::Pointer(from), Ok(Type::Pointer(to))) => self.refuse(
                node,
                format!(
                    "a cast from `{} *` to `{} *`",
                    from.elem.c_name(),
                    to.elem.c_name()
                ),
            ),
            (_, Err(message)) => self.refuse(node, message),
            _ => self.refuse(node, "this cast"),
        }
    }
}
