//! Which integer variables hold addresses and nothing else: variables with an address for their first value, and
//! parameters of functions read in place that every call gives one. `__cvta_generic_to_shared` gives an address, which
//! 32 bits are enough for.

use crate::syntax::expression::{CallForm, Expression};
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::unit::Unit;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::BinaryOp;
use std::collections::HashSet;

/// The variables of a unit that hold addresses and nothing else.
pub(crate) fn address_variables(unit: &Unit<'_>) -> HashSet<Id> {
    let mut holds = HashSet::new();
    // An address may be handed on from function to function.
    let mut n_before = usize::MAX;
    while n_before != holds.len() {
        n_before = holds.len();
        for function in &unit.functions {
            candidates(unit, function.body, &mut holds);
        }
    }
    loop {
        let mut spoilt = HashSet::new();
        for function in &unit.functions {
            misused(unit, function.body, false, &holds, &mut spoilt);
        }
        let n_before = holds.len();
        holds.retain(|id| !spoilt.contains(id));
        if holds.len() == n_before {
            return holds;
        }
    }
}

/// The parameters of a function that is read in place, beside the arguments of a call of it.
fn passed<'n, 'u>(unit: &'u Unit<'_>, node: &'n Node) -> Vec<(&'u Node, &'n Node)> {
    let Expression::Call(call) = node.expression() else {
        return Vec::new();
    };
    let function = call.declaration().and_then(|id| unit.function_of.get(&id));
    match function.map(|function| &unit.functions[*function]) {
        Some(function) if function.is_in_place && call.form == CallForm::Function => {
            let params = function.params.iter().copied();
            params.zip(call.arguments).collect()
        }
        _ => Vec::new(),
    }
}

/// The variables that are declared with an address.
pub(crate) fn candidates(unit: &Unit<'_>, node: &Node, found: &mut HashSet<Id>) {
    if let (Kind::VarDecl, Some(_), Some(init)) = (node.kind(), &node.kind.init, node.last())
        && has_room(unit, node)
        && is_address(unit, init, found)
    {
        found.insert(node.id);
    }
    for (param, argument) in passed(unit, node) {
        if has_room(unit, param) && is_address(unit, argument, found) {
            found.insert(param.id);
        }
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
    let params = passed(unit, node);
    if params.iter().any(|(param, _)| holds.contains(&param.id)) {
        for (param, argument) in params {
            let is_held = holds.contains(&param.id);
            if is_held && !is_address(unit, argument, holds) {
                spoilt.insert(param.id);
            }
            misused(unit, argument, is_held, holds, spoilt);
        }
        return;
    }
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
        Expression::Assembly(_) => true,
        Expression::Other if node.is(Kind::VarDecl) => holds.contains(&node.id),
        Expression::Cast { how, .. } => match how {
            // The number of an address in shared memory is no pointer.
            CastKind::IntegralToPointer => node.last().is_some_and(|inner| is_wide(unit, inner)),
            CastKind::LValueToRValue | CastKind::NoOp => as_address,
            CastKind::IntegralCast => as_address && has_room(unit, node),
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
        Expression::Binary { op, left, right } if has_room(unit, node) => match op {
            BinaryOp::Add => is(left) != is(right),
            BinaryOp::Sub => is(left) && !is(right),
            _ => false,
        },
        Expression::Cast { how, inner } if has_room(unit, node) => match how {
            CastKind::PointerToIntegral => is_wide(unit, node),
            CastKind::IntegralCast if !is_wide(unit, node) => {
                is_in_shared(inner) || !is_wide(unit, inner) && is(inner)
            }
            CastKind::LValueToRValue | CastKind::IntegralCast | CastKind::NoOp => is(inner),
            _ => false,
        },
        Expression::Call(_) => is_in_shared(node),
        _ => false,
    }
}

pub(crate) fn named(node: &Node) -> Option<Id> {
    let node = node.without_casts();
    let decl = node.kind.referenced_decl.as_ref();
    decl.filter(|_| node.is(Kind::DeclRefExpr))
        .map(|decl| decl.id)
}

/// Whether it is the address of shared memory that a pointer leads to.
fn is_in_shared(node: &Node) -> bool {
    match node.without_casts().expression() {
        Expression::Call(call) => is_window(call.name()),
        _ => false,
    }
}

/// The functions that give the address that a pointer has in one of the memories.
pub(crate) fn is_window(name: &str) -> bool {
    matches!(
        name,
        "__cvta_generic_to_shared" | "__cvta_generic_to_global"
    )
}

/// Whether it is an integer of 32 or 64 bits.
fn has_room(unit: &Unit<'_>, node: &Node) -> bool {
    let scalar = unit.type_of(node).scalar();
    scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() >= 32)
}

/// Whether a value is an integer that has room for an address.
pub(crate) fn is_wide(unit: &Unit<'_>, node: &Node) -> bool {
    let scalar = unit.type_of(node).scalar();
    scalar.is_some_and(|scalar| scalar.is_integer() && scalar.bits() == 64)
}
