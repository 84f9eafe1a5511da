//! Removes declarations from conditions: each becomes a declaration of its own in a block around the statement,
//! repeated each time the condition is evaluated ([stmt.if], [stmt.while], [stmt.for], [stmt.switch] of C++17). After
//! this no statement has a condition that declares something.
//!
//! | written | read as |
//! |---|---|
//! | `if (init; T x = v) a else b` | `{ init; T x = v; if (x) a else b }` |
//! | `switch (init; T x = v) a` | `{ init; T x = v; switch (x) a }` |
//! | `while (T x = v) a` | `while (true) { T x = v; if (x) a else break; }` |
//! | `for (init; T x = v; step) a` | `for (init; ; step) { T x = v; if (x) a else break; }` |
//!
//! `continue` in `a` jumps to the end of the block, where the loop continues; a `break` in `a` leaves the same loop.
//! Names cannot be confused, because uses refer to declarations by their number.

use crate::syntax::kind::Kind;
use crate::syntax::{Clang, Node, NodeExt};

/// Takes the declarations out of all conditions.
pub(crate) fn unfold(node: &mut Node) {
    node.inner.iter_mut().for_each(unfold);
    let is_declared = node.kind.has_init || node.kind.has_var;
    match node.kind() {
        Kind::IfStmt | Kind::SwitchStmt if is_declared => around(node),
        Kind::WhileStmt if node.kind.has_var => inside(node, 0),
        // init, declaration, condition, step, body
        Kind::ForStmt if node.inner.get(1).is_some_and(|var| !var.is_absent()) => inside(node, 1),
        _ => {}
    }
}

/// `{ declarations; statement }` in place of the statement.
fn around(node: &mut Node) {
    let n_declared = usize::from(node.kind.has_init) + usize::from(node.kind.has_var);
    let mut statements: Vec<Node> = node
        .inner
        .drain(..n_declared.min(node.inner.len()))
        .collect();
    (node.kind.has_init, node.kind.has_var) = (false, false);
    let block = made(Kind::CompoundStmt, node, vec![]);
    let statement = std::mem::replace(node, block);
    statements.push(statement);
    node.inner = statements;
}

/// The declaration at `at`, the condition and the body of a loop become its body.
fn inside(node: &mut Node, at: usize) {
    if node.inner.len() < at + 3 {
        return;
    }
    let Some(body) = node.inner.pop() else { return };
    let mut always = made(Kind::CXXBoolLiteralExpr, node, vec![]);
    always.kind.value = Some(serde_json::Value::Bool(true));
    always.kind.ty = node.inner[at + 1].kind.ty.clone();
    let is_for = at > 0;
    let absent = made(Kind::Absent, node, vec![]);
    let (no_declaration, no_condition) = match is_for {
        true => (Some(absent.clone()), absent),
        false => (None, always),
    };
    let leave = made(Kind::BreakStmt, node, vec![]);
    let replaced = node
        .inner
        .splice(at..at + 2, no_declaration.into_iter().chain([no_condition]));
    let mut taken: Vec<Node> = replaced.collect();
    let Some(cond) = taken.pop() else { return };
    let mut branch = made(Kind::IfStmt, &cond, vec![cond.clone(), body, leave]);
    branch.kind.has_else = true;
    branch.kind.range.clone_from(&node.kind.range);
    taken.push(branch);
    node.kind.has_var = false;
    let whole = made(Kind::CompoundStmt, node, taken);
    node.inner.push(whole);
}

/// A node that is nowhere in the source, at the place of another.
fn made(kind: Kind, at: &Node, inner: Vec<Node>) -> Node {
    let kind = Clang {
        kind,
        loc: at.kind.loc.clone(),
        range: at.kind.range.clone(),
        ..Clang::default()
    };
    Node {
        id: at.id,
        kind,
        inner,
    }
}
