//! Numbers that hold addresses: `size_t at = (size_t)p;`. The semantics gives no array an address, so that such
//! a number is kept as the pointer it was made of, seen as a `char *`. That is enough where it only comes back:
//! numbers are added to it, and it is cast to a pointer again. Whatever else an address is used for as a number
//! (an index, a hash, a part of it) is refused, but for tests of alignment ([`super::alignment_test`]).

use super::{Body, Result};
use crate::ctype::{CType, QualifiedType};
use crate::syntax::{Node, NodeExt};
use crate::unit::Unit;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::HashSet;

/// The variables of a unit that hold addresses and nothing else.
pub(crate) fn address_variables(unit: &Unit<'_>) -> HashSet<Id> {
    let mut holds = HashSet::new();
    for function in &unit.functions {
        candidates(unit, function.body, &mut holds);
    }
    if holds.is_empty() {
        return holds;
    }
    let mut spoilt = HashSet::new();
    for function in &unit.functions {
        misused(unit, function.body, false, &holds, &mut spoilt);
    }
    &holds - &spoilt
}

/// The variables that are declared with an address.
fn candidates(unit: &Unit<'_>, node: &Node, found: &mut HashSet<Id>) {
    if let ("VarDecl", Some(_), Some(init)) = (node.kind_name(), &node.kind.init, node.last())
        && is_wide(unit, node)
        && is_address(unit, init, found)
    {
        found.insert(node.id);
    }
    for child in &node.inner {
        candidates(unit, child, found);
    }
}

/// Finds the variables among `holds` that are used as numbers, or given some; `as_address`: the node stands
/// where an address may.
fn misused(
    unit: &Unit<'_>,
    node: &Node,
    as_address: bool,
    holds: &HashSet<Id>,
    spoilt: &mut HashSet<Id>,
) {
    let is_held = |node: &Node| named(node).is_some_and(|id| holds.contains(&id));
    let allowed = match (node.kind_name(), node.inner.as_slice()) {
        ("DeclRefExpr", _) => {
            spoilt.extend(named(node).filter(|id| !as_address && holds.contains(id)));
            false
        }
        ("CompoundAssignOperator", [left, right]) if is_held(left) => {
            let moves = matches!(node.opcode(), "+=" | "-=");
            if !moves || is_address(unit, right, holds) {
                spoilt.extend(named(left));
            }
            return misused(unit, right, false, holds, spoilt);
        }
        ("BinaryOperator", [left, right]) if node.opcode() == "=" && is_held(left) => {
            if !is_address(unit, right, holds) {
                spoilt.extend(named(left));
            }
            return misused(unit, right, true, holds, spoilt);
        }
        ("BinaryOperator", [left, right]) => match node.opcode() {
            "+" | "-" => as_address,
            "==" | "!=" | "<" | "<=" | ">" | ">=" => {
                is_address(unit, left, holds) && is_address(unit, right, holds)
            }
            _ => false,
        },
        ("ParenExpr", _) => as_address,
        ("VarDecl", _) => holds.contains(&node.id),
        ("ImplicitCastExpr" | "CStyleCastExpr" | "CXXStaticCastExpr", _)
        | ("CXXReinterpretCastExpr" | "CXXFunctionalCastExpr", _) => {
            match node.kind.cast_kind.as_deref() {
                Some("IntegralToPointer") => true,
                Some("LValueToRValue" | "NoOp") => as_address,
                Some("IntegralCast") => as_address && is_wide(unit, node),
                _ => false,
            }
        }
        _ => false,
    };
    for child in &node.inner {
        misused(unit, child, allowed, holds, spoilt);
    }
}

/// Whether an expression gives an address as a number: `holds` are the variables that do.
fn is_address(unit: &Unit<'_>, node: &Node, holds: &HashSet<Id>) -> bool {
    let node = node.unwrapped();
    let is = |node: &Node| is_address(unit, node, holds);
    match (node.kind_name(), node.inner.as_slice()) {
        ("DeclRefExpr", _) => named(node).is_some_and(|id| holds.contains(&id)),
        ("BinaryOperator", [left, right]) if is_wide(unit, node) => match node.opcode() {
            "+" => is(left) != is(right),
            "-" => is(left) && !is(right),
            _ => false,
        },
        (_, [.., inner]) if is_wide(unit, node) => match node.kind.cast_kind.as_deref() {
            Some("PointerToIntegral") => true,
            Some("LValueToRValue" | "IntegralCast" | "NoOp") => is(inner),
            _ => false,
        },
        _ => false,
    }
}

fn named(node: &Node) -> Option<Id> {
    let node = node.without_casts();
    let decl = node.kind.referenced_decl.as_ref();
    decl.filter(|_| node.is("DeclRefExpr")).map(|decl| decl.id)
}

/// Whether a value is an integer that has room for an address.
fn is_wide(unit: &Unit<'_>, node: &Node) -> bool {
    let scalar = unit.type_of(node).scalar();
    scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() == 64)
}

/// What an address as a number points to.
fn bytes() -> QualifiedType {
    QualifiedType::plain(CType::Scalar(ScalarType::I8))
}

impl Body<'_, '_> {
    /// Whether an expression gives an address as a number.
    pub(super) fn is_address(&self, node: &Node) -> bool {
        !self.on_host() && is_address(self.unit, node, &self.unit.addresses)
    }

    /// Such an expression's value, as the pointer.
    pub(super) fn address_number(&mut self, node: &Node) -> Result<Expr> {
        let node = node.unwrapped();
        match (node.kind_name(), node.inner.as_slice()) {
            ("DeclRefExpr", _) => {
                let place = self.place(node)?;
                self.read(&place, node)
            }
            ("BinaryOperator", [left, right]) => {
                let (base, by) = match self.is_address(left) {
                    true => (left, right),
                    false => (right, left),
                };
                let mut base = vec![self.address_number(base)?];
                let by = self.after(&mut base, |b| b.value(by))?;
                let Some(base) = base.pop() else {
                    return self.refuse(node, "a pointer cast to a number");
                };
                self.address_moved(base, by, node.opcode() == "-", node)
            }
            (_, [.., inner]) => match node.kind.cast_kind.as_deref() {
                Some("PointerToIntegral") => {
                    let mut found = self.pointers(inner)?;
                    match (found.pop(), found.is_empty()) {
                        (Some(pointer), true) => Ok(pointer),
                        _ => self.refuse(node, "a pointer to several arrays cast to a number"),
                    }
                }
                _ => self.address_number(inner),
            },
            _ => self.refuse(node, "a pointer cast to a number"),
        }
    }

    /// An address so many bytes further, or back.
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

    /// `at += n` and `at = …` of a variable that holds an address.
    pub(super) fn assigned_address(&mut self, node: &Node) -> Result<Option<Expr>> {
        let [left, right] = node.inner.as_slice() else {
            return Ok(None);
        };
        if !left.unwrapped().is("DeclRefExpr") || !self.is_address(left) {
            return Ok(None);
        }
        let span = self.span(node);
        let place = self.place(left)?;
        let value = match node.opcode() {
            "=" => self.address_number(right)?,
            compound => {
                let by = self.value(right)?;
                let old = self.read(&place, left)?;
                self.address_moved(old, by, compound == "-=", node)?
            }
        };
        self.write(&place, value, span, node)?;
        self.read(&place, left).map(Some)
    }

    /// A number cast to a pointer, where it is an address.
    pub(super) fn address_as_pointer(&mut self, node: &Node, inner: &Node) -> Result<Option<Expr>> {
        let CType::Pointer(to) = self.type_of(node).ty else {
            return Ok(None);
        };
        if !self.is_address(inner) {
            return Ok(None);
        }
        self.cast_next = super::conversion::result_of(inner);
        let pointer = self.address_number(inner)?;
        self.seen_as(pointer, &bytes(), &to, node).map(Some)
    }

    /// Two addresses compared as numbers.
    pub(super) fn compared_addresses(
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
