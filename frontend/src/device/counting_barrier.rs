//! `__syncthreads_count`, `_and` and `_or`: a barrier that tells every thread for how many threads a condition holds
//! (CUDA C++ Programming Guide, "Synchronization Functions"). It is read as three barriers around a counter in shared
//! memory that no other code can access: the first thread clears the counter, each thread for which the condition
//! holds increments it, and all read it. No code of the program stands between these barriers, so together they order
//! what a single barrier orders.

use crate::body::{Body, sequence};
use crate::constant;
use crate::device::groups::rank_in_block;
use crate::refusal::Result;
use crate::syntax::Node;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, Orders, Scope};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

impl Body<'_, '_> {
    /// `None`: none of these.
    pub(crate) fn counting_barrier(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let ("__syncthreads_count" | "__syncthreads_and" | "__syncthreads_or", [cond]) =
            (name, arguments)
        else {
            return Ok(None);
        };
        let span = self.span(node);
        let cond = self.condition(cond)?;
        let counts = match name {
            "__syncthreads_and" => constant::not(cond),
            _ => cond,
        };
        let counts = self.keep(counts, span);
        let array_name = self.fresh_name("counted");
        let owner = self.proc;
        let array = self.builder.add_array(ArrayDecl {
            name: array_name.into(),
            elem: ScalarType::I32,
            extent: Extent::Fixed(1),
            dims: vec![],
            space: Space::Shared,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: Some(owner),
            symbol: None,
            span,
        });
        let counter = Expr::array_base(array, PointerType::to(ScalarType::I32));
        let barrier = || Op::basic(Basic::barrier(Orders::All), span);
        let clear = Basic::Store {
            pointer: counter.clone(),
            value: Expr::i32(0),
        };
        let count = Basic::Atomic {
            function: AtomicFn::Add,
            scope: Scope::Block,
            pointer: counter.clone(),
            operands: vec![Expr::i32(1)],
            result: None,
        };
        let is_first = Expr::binary(
            BinaryOp::Eq,
            rank_in_block(Type::U32),
            Expr::int(ScalarType::U32, 0),
        );
        self.ops.push(barrier());
        self.emit_if(is_first, Op::basic(clear, span), sequence(vec![]), span);
        self.ops.push(barrier());
        self.emit_if(counts, Op::basic(count, span), sequence(vec![]), span);
        self.ops.push(barrier());
        let Some(counted) = Expr::load(counter) else {
            return self.refuse(node, "this barrier");
        };
        let counted = self.keep(counted, span);
        let none = |op| {
            let holds = Expr::binary(op, counted.clone(), Expr::i32(0));
            constant::convert(holds, Type::I32)
        };
        Ok(Some(match name {
            "__syncthreads_and" => none(BinaryOp::Eq),
            "__syncthreads_or" => none(BinaryOp::Ne),
            _ => counted,
        }))
    }
}
