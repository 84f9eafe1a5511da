//! The node below casts, parentheses and clean-ups, found from the tree alone.

use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::BinaryOp;

/// A node without brackets and without casts that change the qualifiers of an lvalue.
pub(crate) fn without_lvalue_casts(node: &Node) -> &Node {
    let mut node = node.unwrapped();
    while node.is(Kind::ImplicitCastExpr)
        && matches!(
            node.cast(),
            CastKind::NoOp | CastKind::AddressSpaceConversion
        )
    {
        match node.last() {
            Some(inner) => node = inner.unwrapped(),
            None => break,
        }
    }
    node
}

/// A cast of an object to a base class.
pub(crate) fn is_to_base(node: &Node) -> bool {
    let kind = node.cast();
    matches!(
        kind,
        CastKind::DerivedToBase | CastKind::UncheckedDerivedToBase
    )
}

pub(crate) fn strip_cleanups(node: &Node) -> &Node {
    let mut node = node;
    while matches!(node.kind(), Kind::ExprWithCleanups | Kind::ParenExpr) {
        match node.last() {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// A pointer argument before its conversion to `void *`.
pub(crate) fn behind_void(node: &Node) -> &Node {
    let mut node = node.unwrapped();
    while matches!(
        node.kind(),
        Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
    ) && *node.cast() == CastKind::BitCast
        && node.type_text().contains("void")
    {
        match node.last() {
            Some(inner) => node = inner.unwrapped(),
            None => break,
        }
    }
    node
}

/// `x` of `&x`, under casts.
pub(crate) fn behind_address(node: &Node) -> Option<&Node> {
    match node.without_casts().expression() {
        Expression::AddressOf(place) => Some(place),
        _ => None,
    }
}

pub(crate) fn is_null(node: &Node) -> bool {
    let node = node.unwrapped();
    *node.cast() == CastKind::NullToPointer
        || (*node.cast() == CastKind::BitCast && node.last().is_some_and(is_null))
}

pub(crate) fn is_prvalue(node: &Node) -> bool {
    let mut bare = node;
    while matches!(bare.kind(), Kind::ExprWithCleanups | Kind::ParenExpr) {
        match bare.last() {
            Some(inner) => bare = inner,
            None => break,
        }
    }
    bare.is(Kind::MaterializeTemporaryExpr)
        || node.unwrapped().kind.value_category.as_deref() == Some("prvalue")
}

/// The pointer arithmetic whose result an expression is, if it is one.
pub(crate) fn result_of(node: &Node) -> Option<clang_ast::Id> {
    let arithmetic = node.unwrapped();
    let node = match arithmetic.expression() {
        Expression::AddressOf(element) => element.unwrapped(),
        _ => arithmetic,
    };
    matches!(node.kind(), Kind::BinaryOperator | Kind::ArraySubscriptExpr).then_some(node.id)
}

/// The cast of the pointer that the arithmetic whose result an expression is moves.
pub(crate) fn stepped_cast(node: &Node) -> Option<clang_ast::Id> {
    let Expression::Binary {
        op: BinaryOp::Add | BinaryOp::Sub,
        left,
        right,
    } = node.unwrapped().expression()
    else {
        return None;
    };
    let mut sides = [left, right].into_iter().map(|side| side.unwrapped());
    sides
        .find(|side| *side.cast() == CastKind::BitCast)
        .map(|side| side.id)
}

/// The initialiser of a variable, if it has one.
pub(crate) fn initialiser(node: &Node) -> Option<&Node> {
    node.kind.init.as_ref()?;
    node.inner.iter().rfind(|n| !n.kind().is_attribute())
}

/// Whether a body only reads a parameter.
pub(crate) fn only_read(node: &Node, id: Id, reads: bool) -> bool {
    let decl = node.kind.referenced_decl.as_ref();
    if node.is(Kind::DeclRefExpr) && decl.is_some_and(|d| d.id == id) {
        return reads;
    }
    let reads = match node.kind() {
        Kind::ImplicitCastExpr if *node.cast() == CastKind::LValueToRValue => true,
        Kind::MemberExpr if !node.kind.is_arrow => reads,
        Kind::ParenExpr => reads,
        _ => false,
    };
    node.inner.iter().all(|child| only_read(child, id, reads))
}

/// The callee of a call.
pub(crate) struct Callee {
    pub id: Option<Id>,
    pub name: String,
}

pub(crate) fn callee(node: &Node) -> Option<Callee> {
    let decl = node
        .child(0)?
        .without_casts()
        .kind
        .referenced_decl
        .as_ref()?;
    Some(Callee {
        id: decl.kind.is_function().then_some(decl.id),
        name: decl.name.clone(),
    })
}
