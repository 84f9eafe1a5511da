//! Which integer variables hold addresses and nothing else.

use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::unit::Unit;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::BinaryOp;
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
pub(crate) fn candidates(unit: &Unit<'_>, node: &Node, found: &mut HashSet<Id>) {
    if let (Kind::VarDecl, Some(_), Some(init)) = (node.kind(), &node.kind.init, node.last())
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
pub(crate) fn misused(
    unit: &Unit<'_>,
    node: &Node,
    as_address: bool,
    holds: &HashSet<Id>,
    spoilt: &mut HashSet<Id>,
) {
    let is_held = |node: &Node| named(node).is_some_and(|id| holds.contains(&id));
    let allowed = match node.expression() {
        Expression::Name(decl) => {
            spoilt.extend(Some(decl.id).filter(|id| !as_address && holds.contains(id)));
            false
        }
        Expression::CompoundAssign { op, left, right } if is_held(left) => {
            let moves = matches!(op, BinaryOp::Add | BinaryOp::Sub);
            if !moves || is_address(unit, right, holds) {
                spoilt.extend(named(left));
            }
            return misused(unit, right, false, holds, spoilt);
        }
        Expression::Assign { left, right } if is_held(left) => {
            if !is_address(unit, right, holds) {
                spoilt.extend(named(left));
            }
            return misused(unit, right, true, holds, spoilt);
        }
        Expression::Binary { op, left, right } => match op {
            BinaryOp::Add | BinaryOp::Sub => as_address,
            _ => {
                op.is_comparison()
                    && is_address(unit, left, holds)
                    && is_address(unit, right, holds)
            }
        },
        Expression::Parentheses => as_address,
        Expression::Other if node.is(Kind::VarDecl) => holds.contains(&node.id),
        Expression::Cast { how, .. } => match how {
            CastKind::IntegralToPointer => true,
            CastKind::LValueToRValue | CastKind::NoOp => as_address,
            CastKind::IntegralCast => as_address && is_wide(unit, node),
            _ => false,
        },
        _ => false,
    };
    for child in &node.inner {
        misused(unit, child, allowed, holds, spoilt);
    }
}

/// Whether an expression gives an address as a number: `holds` are the variables that do.
pub(crate) fn is_address(unit: &Unit<'_>, node: &Node, holds: &HashSet<Id>) -> bool {
    let node = node.unwrapped();
    let is = |node: &Node| is_address(unit, node, holds);
    match node.expression() {
        Expression::Name(decl) => holds.contains(&decl.id),
        Expression::Binary { op, left, right } if is_wide(unit, node) => match op {
            BinaryOp::Add => is(left) != is(right),
            BinaryOp::Sub => is(left) && !is(right),
            _ => false,
        },
        Expression::Cast { how, inner } if is_wide(unit, node) => match how {
            CastKind::PointerToIntegral => true,
            CastKind::LValueToRValue | CastKind::IntegralCast | CastKind::NoOp => is(inner),
            _ => false,
        },
        _ => false,
    }
}

pub(crate) fn named(node: &Node) -> Option<Id> {
    let node = node.without_casts();
    let decl = node.kind.referenced_decl.as_ref();
    decl.filter(|_| node.is(Kind::DeclRefExpr))
        .map(|decl| decl.id)
}

/// Whether a value is an integer that has room for an address.
pub(crate) fn is_wide(unit: &Unit<'_>, node: &Node) -> bool {
    let scalar = unit.type_of(node).scalar();
    scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() == 64)
}
