//! Numbers that hold addresses: `size_t at = (size_t)p;`. Arrays have no addresses in the semantics, so such a number
//! is represented by the pointer it was made from, as a `char *`. This is enough where numbers are added to it and it
//! is cast to a pointer again. Every other use of an address as a number (an index, a hash, a part of it) is refused,
//! except tests of alignment ([`crate::expressions::alignment_test`]).

use crate::body::Body;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::refusal::Result;
use crate::syntax::casts::{behind_void, result_of};
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::address_variables::{is_address, is_window};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::ScalarType;

/// The target of an address that is held as a number.
fn bytes() -> QualifiedType {
    QualifiedType::plain(CType::Scalar(ScalarType::I8))
}

impl Source<'_, '_> {
    /// Whether the value of an expression is an address as a number.
    pub(crate) fn is_address(&self, node: &Node) -> bool {
        !self.on_host() && is_address(self.unit, node, &self.unit.addresses)
    }
}

impl Code<'_, '_> {
    /// An address plus or minus a number of bytes.
    fn address_moved(&mut self, base: Expr, by: Expr, is_back: bool, node: &Node) -> Result<Expr> {
        use gridlock_semantics::algebra::types::Type;
        let by = match is_back {
            true => crate::constant::negate(crate::constant::convert(by, Type::I64)),
            false => by,
        };
        let mut moved = self.stepped(vec![base], by, &bytes(), node)?;
        match moved.pop() {
            Some(pointer) => Ok(pointer),
            None => self.refuse(node, "a pointer cast to a number"),
        }
    }
}

impl Body<'_, '_> {
    /// Such an expression's value, as the pointer.
    pub(crate) fn address_number(&mut self, node: &Node) -> Result<Expr> {
        let node = node.unwrapped();
        match node.expression() {
            Expression::Name(_) => {
                let place = self.place(node)?;
                self.read(&place, node)
            }
            Expression::Binary { op, left, right } => {
                let (base, by) = match self.is_address(left) {
                    true => (left, right),
                    false => (right, left),
                };
                let mut base = vec![self.address_number(base)?];
                let by = self.after(&mut base, |b| b.value(by))?;
                let Some(base) = base.pop() else {
                    return self.refuse(node, "a pointer cast to a number");
                };
                self.address_moved(base, by, op == BinaryOp::Sub, node)
            }
            Expression::Cast {
                how: CastKind::PointerToIntegral,
                inner,
            } => {
                let mut found = self.pointers(inner)?;
                match (found.pop(), found.is_empty()) {
                    (Some(pointer), true) => Ok(pointer),
                    _ => self.refuse(node, "a pointer to several arrays cast to a number"),
                }
            }
            Expression::Cast { inner, .. } => self.address_number(inner),
            Expression::Call(call) if is_window(call.name()) && call.arguments.len() == 1 => {
                let mut found = self.pointers(behind_void(&call.arguments[0]))?;
                match (found.pop(), found.is_empty()) {
                    (Some(pointer), true) => Ok(pointer),
                    _ => self.refuse(node, "a pointer to several arrays cast to a number"),
                }
            }
            _ => self.refuse(node, "a pointer cast to a number"),
        }
    }

    /// `at op= right`, or `at = right` without an operator, of a variable that holds an address.
    pub(crate) fn assigned_address(
        &mut self,
        node: &Node,
        op: Option<BinaryOp>,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Expr>> {
        if !left.unwrapped().is(Kind::DeclRefExpr) || !self.is_address(left) {
            return Ok(None);
        }
        let span = self.span(node);
        let place = self.place(left)?;
        let value = match op {
            None => self.address_number(right)?,
            Some(op) => {
                let by = self.value(right)?;
                let old = self.read(&place, left)?;
                self.address_moved(old, by, op == BinaryOp::Sub, node)?
            }
        };
        self.write(&place, value, span, node)?;
        self.read(&place, left).map(Some)
    }

    /// A number cast to a pointer, where it is an address.
    pub(crate) fn address_as_pointer(&mut self, node: &Node, inner: &Node) -> Result<Option<Expr>> {
        let CType::Pointer(to) = self.type_of(node).ty else {
            return Ok(None);
        };
        if !self.is_address(inner) {
            return Ok(None);
        }
        let outer = self.cast_next;
        self.cast_next = result_of(inner);
        let pointer = self.address_number(inner)?;
        self.cast_next = outer;
        self.seen_as(pointer, &bytes(), &to, node).map(Some)
    }

    /// Two addresses compared as numbers.
    pub(crate) fn compared_addresses(
        &mut self,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Expr>> {
        if !op.is_comparison() || !self.is_address(left) || !self.is_address(right) {
            return Ok(None);
        }
        let mut a = vec![self.address_number(left)?];
        let b = self.after(&mut a, |body| body.address_number(right))?;
        Ok(match (a.pop(), b.ty) {
            (Some(a), ty) if a.ty.same_shape(ty) => Some(Expr::binary(op, a, b)),
            _ => None,
        })
    }
}
