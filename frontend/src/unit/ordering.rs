//! Which functions may put accesses of their thread in order with those of others.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::unit::known_functions::{copies_asynchronously, may_order};
use crate::unit::{ASYNCHRONOUS, Function, Side, Unit};

impl Unit<'_> {
    /// Where a kernel copies asynchronously, functions that order accesses, or call one that does, are read in place.
    pub(super) fn settle_ordering(&mut self) {
        // What a kernel does with its copies at barriers is put in where they stand, so they stand in the kernel.
        let copies = |function: &Function<'_>| {
            let asks = function.asks.as_deref();
            function.side == Side::Kernel
                && asks.is_some_and(|name| name == ASYNCHRONOUS || copies_asynchronously(name))
        };
        if !self.functions.iter().any(copies) {
            return;
        }
        let bodies = self.functions.iter().map(|function| function.body);
        let mut orders: Vec<bool> = bodies.map(|body| self.orders(body)).collect();
        let mut settled = false;
        while !settled {
            settled = true;
            for index in 0..orders.len() {
                let mut callees = self.functions[index].mentions.iter();
                if !orders[index] && callees.any(|(f, _)| orders[*f]) {
                    orders[index] = true;
                    settled = false;
                }
            }
        }
        for (function, orders) in self.functions.iter_mut().zip(orders) {
            function.is_in_place |= orders && matches!(function.side, Side::Device | Side::Both);
        }
    }

    /// Whether a body orders accesses itself.
    fn orders(&self, node: &Node) -> bool {
        let named = node
            .kind
            .referenced_decl
            .as_ref()
            .map(|decl| decl.name.as_str());
        let member = Some(node.name()).filter(|_| node.is(Kind::MemberExpr));
        named.or(member).is_some_and(may_order)
            || node.is(Kind::GCCAsmStmt)
            || node.inner.iter().any(|child| self.orders(child))
    }
}
