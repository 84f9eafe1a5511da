//! Assignments: plain, compound, `++` and `--`.

use super::operands::is_disturbed;
use super::place::Place;
use super::{Body, Result};
use crate::constant;
use crate::ctype::CType;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::{BinaryOp, Expr};
use gridlock_semantics::operator::Op;
use gridlock_semantics::span::Span;
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;
use std::sync::Arc;

impl Body<'_, '_> {
    /// `left = right` as a statement.
    pub(super) fn assignment(&mut self, node: &Node, keep: bool) -> Result<()> {
        self.assign(node, keep).map(|_| ())
    }

    /// `left = right` as an expression: the value is what was assigned.
    pub(super) fn assignment_value(&mut self, node: &Node) -> Result<Expr> {
        match self.assign(node, true)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this assignment"),
        }
    }

    fn assign(&mut self, node: &Node, keep: bool) -> Result<Option<Expr>> {
        let [left, right] = node.inner.as_slice() else {
            return self.refuse(node, "this assignment");
        };
        if let Some(address) = self.assigned_address(node)? {
            return Ok(Some(address));
        }
        let span = self.span(node);
        match self.type_of(left).ty {
            CType::Status => {
                self.place(left)?;
                self.effect(right)?;
                return Ok(Some(Expr::int(ScalarType::U32, 0)));
            }
            _ if !self.type_of(left).is_single() => {
                let place = self.place(left)?;
                let (ops, values) = self.apart(|b| b.parts(right))?;
                let place = self.undisturbed(place, &ops, span);
                self.ops.extend(ops);
                self.assign_parts(&place, values, span, node)?;
                return Ok(None);
            }
            _ => {}
        }
        let place = self.place(left)?;
        let (ops, value) = self.apart(|b| b.value(right))?;
        let place = self.undisturbed(place, &ops, span);
        self.ops.extend(ops);
        self.finish(place, value, keep, span, node)
    }

    /// A place whose address later operators do not change.
    pub(super) fn undisturbed(&mut self, place: Place, ops: &[Arc<Op>], span: Span) -> Place {
        match place {
            Place::Cell(pointer, ty) if is_disturbed(&pointer, ops) => {
                Place::Cell(self.steady_pointer(pointer, span), ty)
            }
            Place::Cells(pointers, ty) if pointers.iter().any(|p| is_disturbed(p, ops)) => {
                let steady = |pointer| self.steady_pointer(pointer, span);
                Place::Cells(pointers.into_iter().map(steady).collect(), ty)
            }
            place => place,
        }
    }

    /// Writes, and gives back what was written.
    fn finish(
        &mut self,
        place: Place,
        value: Expr,
        keep: bool,
        span: Span,
        node: &Node,
    ) -> Result<Option<Expr>> {
        if !keep {
            self.write(&place, value, span, node)?;
            return Ok(None);
        }
        match &place {
            Place::Cell(_, ty) => {
                let value = match ty.ty {
                    CType::Scalar(scalar) => constant::convert(value, Type::Scalar(scalar)),
                    _ => value,
                };
                let kept = self.keep(value, span);
                self.write(&place, kept.clone(), span, node)?;
                Ok(Some(kept))
            }
            Place::Var(var, ty) => {
                let (var, ty) = (*var, *ty);
                self.write(&place, value, span, node)?;
                Ok(Some(Expr::var(var, ty)))
            }
            _ => self.refuse(node, "an assignment to this"),
        }
    }

    pub(super) fn compound_assignment(&mut self, node: &Node, keep: bool) -> Result<()> {
        self.compound(node, keep).map(|_| ())
    }

    pub(super) fn compound_assignment_value(&mut self, node: &Node) -> Result<Expr> {
        match self.compound(node, true)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this assignment"),
        }
    }

    /// `left op= right`. The place is evaluated first, once; it is read after the right operand.
    fn compound(&mut self, node: &Node, keep: bool) -> Result<Option<Expr>> {
        let [left, right] = node.inner.as_slice() else {
            return self.refuse(node, "this assignment");
        };
        if let Some(address) = self.assigned_address(node)? {
            return Ok(Some(address));
        }
        let symbol = node.opcode().trim_end_matches('=');
        let Some(op) = super::expression::operator(symbol) else {
            return self.refuse(node, format!("the operator `{}`", node.opcode()));
        };
        let span = self.span(node);
        if !self.type_of(left).is_single() {
            self.parts(node)?;
            return Ok(None);
        }
        let place = self.place(left)?;
        let (ops, right_value) = self.apart(|b| b.value(right))?;
        let place = self.undisturbed(place, &ops, span);
        let place = self.steady(place, span);
        self.ops.extend(ops);
        let old = self.read(&place, left)?;
        let value = match old.ty {
            Type::Pointer(_) => self.combine(op, old, right_value, left)?,
            Type::Scalar(_) => {
                let computed = match &node.kind.compute_result_type {
                    Some(ty) => self.unit.names.parse(ty.text()).variable_type(),
                    None => Ok(old.ty),
                };
                let computed = computed.or_else(|message| self.refuse(node, message))?;
                let old = constant::convert(old, computed);
                self.combine(op, old, right_value, node)?
            }
        };
        self.finish(place, value, keep, span, node)
    }

    /// `++x`, `x--` and the like, as a statement.
    pub(super) fn step(&mut self, node: &Node) -> Result<()> {
        if !self.type_of(node).is_single() {
            return self.parts(node).map(|_| ());
        }
        let (place, span) = self.stepped_place(node)?;
        let old = self.read(&place, node)?;
        let new = self.next(old, node)?;
        self.write(&place, new, span, node)
    }

    /// The value of `x++` (the old one) or `++x` (the new one).
    pub(super) fn step_value(&mut self, node: &Node) -> Result<Expr> {
        let (place, span) = self.stepped_place(node)?;
        let old = self.read(&place, node)?;
        if node.kind.is_postfix {
            let old = self.keep(old, span);
            let new = self.next(old.clone(), node)?;
            self.write(&place, new, span, node)?;
            return Ok(old);
        }
        let new = self.next(old, node)?;
        match self.finish(place, new, true, span, node)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this operator"),
        }
    }

    fn stepped_place(&mut self, node: &Node) -> Result<(Place, Span)> {
        let Some(operand) = node.child(0) else {
            return self.refuse(node, "this operator");
        };
        let span = self.span(node);
        let place = self.place(operand)?;
        Ok((self.steady(place, span), span))
    }

    fn next(&mut self, old: Expr, node: &Node) -> Result<Expr> {
        let is_up = node.opcode() == "++";
        let op = if is_up { BinaryOp::Add } else { BinaryOp::Sub };
        match old.ty {
            Type::Scalar(ScalarType::Bool) => self.refuse(node, "arithmetic on booleans"),
            Type::Scalar(ScalarType::F32) => {
                Ok(Expr::binary(op, old, Expr::constant(Value::f32(1.0))))
            }
            Type::Scalar(ScalarType::F64) => {
                Ok(Expr::binary(op, old, Expr::constant(Value::f64(1.0))))
            }
            Type::Scalar(scalar) => Ok(Expr::binary(op, old, Expr::int(scalar, 1))),
            Type::Pointer(_) => {
                let by = Expr::int(ScalarType::I64, if is_up { 1 } else { -1 });
                self.moved_pointer(old, by, node)
            }
        }
    }
}
