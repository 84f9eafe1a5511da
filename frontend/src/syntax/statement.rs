//! A statement of C, its parts by name.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;

/// What a statement is. A node without the parts that its construct has is an `Expression`, which says so in a
/// message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Statement<'n> {
    /// `{ … }`
    Block(&'n [Node]),
    /// `int x, y;`
    Declarations(&'n [Node]),
    /// `if (condition) then else otherwise`
    If {
        condition: &'n Node,
        then: &'n Node,
        otherwise: Option<&'n Node>,
    },
    /// `for (init; condition; step) body`
    For(For<'n>),
    /// `while (condition) body`
    While { condition: &'n Node, body: &'n Node },
    /// `do body while (condition);`
    Do { body: &'n Node, condition: &'n Node },
    /// `switch (value) body`
    Switch { value: &'n Node, body: &'n Node },
    /// `case value: inner`, of which a range has another value; and `default: inner`.
    Case { values: &'n [Node], inner: &'n Node },
    /// `break`, `continue`, `goto`, `return`
    Jump(Jump<'n>),
    /// `label: inner`
    Label { id: Id, inner: &'n [Node] },
    /// `for (T x : range) …`
    RangeFor,
    /// `[[attribute]] inner`
    Attributed(&'n Node),
    /// `;`
    Empty,
    /// An expression, or a construct that is not read.
    Expression,
}

/// The parts of a `for`; what is not written is `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct For<'n> {
    pub init: Option<&'n Node>,
    pub condition: Option<&'n Node>,
    pub step: Option<&'n Node>,
    pub body: &'n Node,
}

/// A jump.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Jump<'n> {
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `goto label;`
    Goto(Option<Id>),
    /// `return value;`
    Return(Option<&'n Node>),
}

/// The construct that a node is.
pub(crate) fn of(node: &Node) -> Statement<'_> {
    match (node.kind(), node.inner.as_slice()) {
        (Kind::CompoundStmt, statements) => Statement::Block(statements),
        (Kind::DeclStmt, declarations) => Statement::Declarations(declarations),
        (Kind::IfStmt, [condition, then, rest @ ..]) => Statement::If {
            condition,
            then,
            otherwise: rest.first(),
        },
        // The second is the declaration in the condition, which `condition_declarations` has moved.
        (Kind::ForStmt, [init, _, condition, step, body]) => {
            let written = |part: &'_ &Node| !part.is_absent();
            Statement::For(For {
                init: Some(init).filter(written),
                condition: Some(condition).filter(written),
                step: Some(step).filter(written),
                body,
            })
        }
        (Kind::WhileStmt, [condition, body]) => Statement::While { condition, body },
        (Kind::DoStmt, [body, condition]) => Statement::Do { body, condition },
        (Kind::SwitchStmt, [value, body]) => Statement::Switch { value, body },
        (Kind::CaseStmt, [values @ .., inner]) if !values.is_empty() => {
            Statement::Case { values, inner }
        }
        (Kind::DefaultStmt, [inner]) => Statement::Case { values: &[], inner },
        (Kind::BreakStmt, _) => Statement::Jump(Jump::Break),
        (Kind::ContinueStmt, _) => Statement::Jump(Jump::Continue),
        (Kind::GotoStmt, _) => Statement::Jump(Jump::Goto(node.kind.target_label_decl_id)),
        (Kind::ReturnStmt, parts) => Statement::Jump(Jump::Return(parts.first())),
        (Kind::LabelStmt, inner) => match node.kind.decl_id {
            Some(id) => Statement::Label { id, inner },
            None => Statement::Expression,
        },
        (Kind::CXXForRangeStmt, _) => Statement::RangeFor,
        (Kind::AttributedStmt, [.., inner]) => Statement::Attributed(inner),
        (Kind::NullStmt, _) => Statement::Empty,
        _ => Statement::Expression,
    }
}
