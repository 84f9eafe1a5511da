//! Questions whether a stream or an event has done its work. The answer is any: where it is that the work is done, the
//! host has waited for it, and where it is not, nothing is ordered. A question whose answer nobody looks at does
//! nothing.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::expression::Expression;
use crate::syntax::{Node, NodeExt};
use crate::unit::known_functions::is_query;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::types::ScalarType;

/// `cudaErrorNotReady`.
const NOT_READY: i64 = 600;

impl Body<'_, '_> {
    /// Whether a statement is such a question and nothing else: what it asks about has been evaluated then.
    pub(crate) fn is_unheard_query(&mut self, node: &Node) -> Result<bool> {
        match query(node).filter(|_| self.on_host()) {
            Some((_, asked)) => self.effect(asked).map(|()| true),
            None => Ok(false),
        }
    }

    /// `query == code` or `query != code`, either way round; `None` where neither side is such a question.
    pub(crate) fn compared_query(
        &mut self,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Expr>> {
        let (asking, code) = match (query(left), query(right)) {
            (Some(_), None) => (left, right),
            (None, Some(_)) => (right, left),
            _ => return Ok(None),
        };
        let Some((name, asked)) = query(asking) else {
            return Ok(None);
        };
        let code = self.value(code)?;
        let Some(code) = constant::evaluate(&code).and_then(|value| value.as_integer()) else {
            let what = format!("the answer of `{name}` compared with what is not constant");
            return self.refuse(asking, what);
        };
        let handle = self.handle(asked)?;
        let span = self.span(asking);
        let handle = self.keep(handle, span);
        self.assume(Assumed::AnyValue(name.to_owned()));
        let bits = self.arbitrary_value(asking, name, ScalarType::U32)?;
        let one = || Expr::int(ScalarType::U32, 1);
        let low = Expr::binary(BinaryOp::BitAnd, bits, one());
        let is_done = self.keep(Expr::binary(BinaryOp::Eq, low, one()), span);
        let wait = match name {
            "cudaStreamQuery" => Basic::StreamSync { stream: handle },
            _ => Basic::EventSync { event: handle },
        };
        self.emit_if(is_done.clone(), Op::basic(wait, span), Op::skip(), span);
        let is = |answer: i64| Expr::bool((code == i128::from(answer)) == (op == BinaryOp::Eq));
        let truth = Expr::select(is_done, is(0), is(NOT_READY));
        Ok(Some(truth))
    }
}

/// The function and what it is asked about.
fn query(node: &Node) -> Option<(&str, &Node)> {
    let node = node.without_casts();
    let Expression::Call(call) = node.expression() else {
        return None;
    };
    let name = call.named()?.name.as_str();
    let asked = call.arguments.first()?;
    is_query(name).then_some((name, asked))
}
