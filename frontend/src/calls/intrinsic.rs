//! Calls of intrinsics that a stand-in header composes of other operators (`stand-ins/gridlock_integer.h`). Such a
//! function is one expression, and a call of it is that expression at the place of the call: nothing of the header
//! shows in messages, spans or names of variables.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::flow::Returned;
use crate::body::operands::Operand;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};

impl Body<'_, '_> {
    /// The value of a call of such a function, `index` of the unit.
    pub(crate) fn intrinsic(
        &mut self,
        node: &Node,
        index: usize,
        arguments: &[&Node],
    ) -> Result<Returned> {
        let unit = self.unit;
        let function = &unit.functions[index];
        let statement = function
            .body
            .inner
            .first()
            .filter(|s| s.is(Kind::ReturnStmt));
        let (Some(value), true) = (
            statement.and_then(|s| s.last()),
            arguments.len() == function.params.len(),
        ) else {
            let name = function.node.name();
            return self.refuse(node, format!("this call of `{name}`"));
        };
        let span = self.span(node);
        let outer = self.intrinsic_at;
        if outer.is_none() {
            self.arguments_in_any_order(arguments)?;
        }
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let mut given = self.operands(&operands)?;
        // The expression may name a parameter more than once.
        let is_simple = |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Const(_));
        for argument in &mut given {
            if outer.is_none() && !is_simple(argument) {
                *argument = self.keep(argument.clone(), span);
            }
        }
        let mut replaced = Vec::new();
        for (param, argument) in function.params.iter().zip(given) {
            let before = self.bindings.insert(param.id, Binding::Constant(argument));
            replaced.push((param.id, before));
        }
        self.intrinsic_at = Some(span);
        let value = self.value(value);
        self.intrinsic_at = outer;
        for (id, before) in replaced {
            match before {
                Some(before) => self.bindings.insert(id, before),
                None => self.bindings.remove(&id),
            };
        }
        Ok(Returned::Values(vec![value?]))
    }
}
