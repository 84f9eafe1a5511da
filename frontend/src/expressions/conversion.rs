//! Casts, explicit and implicit. clang's tree has a node for every conversion.

use crate::body::Body;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::storage::pointers::requalify;
use crate::syntax::casts::{result_of, stepped_cast, without_lvalue_casts};
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::contents::is_dense;
use crate::types::ctype::{CType, QualifiedType, describe};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::types::{PointerType, Type};

impl Source<'_, '_> {
    /// Whether both sides of a cast between a pointer and an integer are represented by numbers.
    fn is_handle(&self, node: &Node, inner: &Node) -> bool {
        let is_scalar = |node: &Node| matches!(self.type_of(node).ty, CType::Scalar(_));
        is_scalar(node) && is_scalar(inner)
    }

    /// A pointer with the qualifiers of the node's type, to the same cells.
    fn requalified(&mut self, value: Expr, node: &Node) -> Result<Expr> {
        let ty = self.type_of(node);
        match (value.ty, ty.variable_type()) {
            (Type::Pointer(from), Ok(Type::Pointer(to))) => {
                let elem = from.elem;
                Ok(requalify(value, Type::Pointer(PointerType { elem, ..to })))
            }
            // Several groups seen through one pointer, or `void *`.
            (Type::Pointer(from), Err(message)) => match &ty.ty {
                CType::Pointer(to) => {
                    let seen = PointerType {
                        elem: from.elem,
                        is_const: to.is_const,
                        is_volatile: to.is_volatile,
                    };
                    Ok(requalify(value, Type::Pointer(seen)))
                }
                _ => self.refuse(node, message),
            },
            (Type::Scalar(from), Ok(Type::Scalar(to))) if from == to => Ok(value),
            (_, Err(message)) => self.refuse(node, message),
            _ => self.refuse(node, "this cast"),
        }
    }
}

impl Body<'_, '_> {
    pub(crate) fn conversion(&mut self, node: &Node) -> Result<Expr> {
        let Some(inner) = node.last() else {
            return self.refuse(node, "this cast");
        };
        match node.cast() {
            // The value of an assignment is the assigned value: the place is not read again.
            CastKind::LValueToRValue if is_computed(inner) => self.value(inner),
            CastKind::LValueToRValue => {
                let place = self.place(inner)?;
                self.read(&place, inner)
            }
            CastKind::NoOp => {
                let value = self.value(inner)?;
                self.requalified(value, node)
            }
            // An event that denotes none.
            CastKind::ZeroToOCLOpaqueType => Ok(Expr::i32(0)),
            CastKind::IntegralCast
            | CastKind::IntegralToFloating
            | CastKind::FloatingToIntegral
            | CastKind::FloatingCast
            | CastKind::BooleanToSignedIntegral => {
                let ty = self.value_type(node)?;
                let value = self.value(inner)?;
                Ok(constant::convert(value, ty))
            }
            CastKind::IntegralToBoolean
            | CastKind::FloatingToBoolean
            | CastKind::PointerToBoolean => self.condition(inner),
            CastKind::ArrayToPointerDecay => {
                if without_lvalue_casts(inner).is(Kind::StringLiteral) {
                    return self.refuse(inner, "a string");
                }
                match self.place(inner)? {
                    Place::Cell(pointer, _) => Ok(pointer),
                    _ => self.refuse(inner, "the address of this"),
                }
            }
            CastKind::NullToPointer => {
                let ty = self.value_type(node)?;
                match ty {
                    // A stream or an event.
                    Type::Scalar(_) => Ok(constant::convert(Expr::i32(0), ty)),
                    Type::Pointer(_) => Ok(Expr::i32(0).cast(ty)),
                }
            }
            CastKind::DerivedToBase | CastKind::UncheckedDerivedToBase => {
                self.base_pointer(node, inner)
            }
            CastKind::BitCast | CastKind::AddressSpaceConversion => self.pointer_cast(node, inner),
            CastKind::FunctionToPointerDecay => self.function_number(inner),
            CastKind::BuiltinFnToFnPtr => self.refuse(node, "a function pointer"),
            CastKind::IntegralToPointer if self.type_of(node).is_function_pointer() => {
                let value = self.value(inner)?;
                Ok(constant::convert(value, Type::U32))
            }
            CastKind::UserDefinedConversion => self.value(inner),
            CastKind::ConstructorConversion => self.refuse(node, "a struct or class value"),
            // A number as the stream or event that it denotes, and back.
            CastKind::IntegralToPointer | CastKind::PointerToIntegral
                if self.is_handle(node, inner) =>
            {
                let ty = self.value_type(node)?;
                let value = self.value(inner)?;
                Ok(constant::convert(value, ty))
            }
            CastKind::IntegralToPointer if self.is_address(inner) => {
                match self.address_as_pointer(node, inner)? {
                    Some(pointer) => Ok(pointer),
                    None => self.refuse(node, "a cast between pointer and integer"),
                }
            }
            CastKind::IntegralToPointer | CastKind::PointerToIntegral => {
                self.refuse(node, "a cast between pointer and integer")
            }
            CastKind::ToVoid => self.refuse(node, "the value of a void expression"),
            other => self.refuse(node, format!("the conversion {}", other.name())),
        }
    }

    fn pointer_cast(&mut self, node: &Node, inner: &Node) -> Result<Expr> {
        let target = self.type_of(node);
        if let CType::Pointer(to) = &target.ty
            && let (Some((pointer, _)), Some(call)) = (to.cells(), self.allocation(inner))
        {
            if is_dense(to) {
                return self.allocate(call, pointer.elem);
            }
            let mut pointers = self.allocate_groups(call, to)?;
            return match pointers.pop() {
                Some(pointer) => Ok(pointer),
                None => self.refuse(call, "this allocation"),
            };
        }
        let from = self.type_of(inner);
        if let (CType::Pointer(from), CType::Pointer(to)) = (&from.ty, &target.ty)
            && from.ty != to.ty
        {
            let outer = (self.cast_next, self.steps_next);
            self.steps_next = stepped_cast(inner);
            self.cast_next = result_of(inner).filter(|_| to.ty != CType::Void);
            let mut pointers = self.pointers(inner)?;
            (self.cast_next, self.steps_next) = outer;
            return match (pointers.pop(), pointers.is_empty()) {
                (Some(pointer), true) => self.seen_as(pointer, from, to, node),
                _ => self.refuse(node, different(from, to)),
            };
        }
        let value = self.value(inner)?;
        self.requalified(value, node)
    }
}

fn different(from: &QualifiedType, to: &QualifiedType) -> String {
    format!(
        "a cast from a pointer to {} to a pointer to {}",
        describe(&from.ty),
        describe(&to.ty)
    )
}

/// An lvalue that is the result of an operator rather than a name or an address.
fn is_computed(node: &Node) -> bool {
    matches!(
        node.unwrapped().expression(),
        Expression::Binary { .. }
            | Expression::Logical { .. }
            | Expression::Comma { .. }
            | Expression::Assign { .. }
            | Expression::CompoundAssign { .. }
            | Expression::Conditional { .. }
            | Expression::Step(_)
    )
}
