//! `for (T x : range)`: the loop over pointers that C++ defines it to be.

use crate::body::Body;
use crate::body::flow::{Last, Taken};
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::statement::For;
use crate::syntax::{Clang, Node, NodeExt};
use clang_ast::Id;

impl Body<'_, '_> {
    pub(crate) fn range_loop(&mut self, node: &Node) -> Result<Taken> {
        let [init, range, begin, end, cond, step, variable, body] = node.inner.as_slice() else {
            return self.refuse(node, "this range-based `for`");
        };
        for declaration in [init, range, begin, end] {
            if !declaration.is_absent() {
                self.statement(declaration, Last::default())?;
            }
        }
        let made = |kind: Kind, inner: Vec<Node>| Node {
            id: Id::NULL,
            kind: Clang {
                kind,
                loc: node.kind.loc.clone(),
                range: node.kind.range.clone(),
                ..Clang::default()
            },
            inner,
        };
        let body = made(Kind::CompoundStmt, vec![variable.clone(), body.clone()]);
        let parts = For {
            init: None,
            condition: Some(cond),
            step: Some(step),
            body: &body,
        };
        self.for_loop(node, &parts)
    }
}
