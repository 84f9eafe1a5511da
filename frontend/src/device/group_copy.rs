//! `async_work_group_copy` and `wait_group_events` (OpenCL C 3.0, 6.15.11). A copy happens at some time between its
//! call and the wait for its event; which work-item carries it out is left open.
//!
//! The copy is therefore carried out several times: at its call, before each barrier between the call and the wait,
//! and at the wait (or at the end of the kernel, if there is no wait). One work-item does this, and an input chooses
//! which. Another work-item that accesses the same cells in the meantime races with one of these copies; the chosen
//! work-item itself does not, but another input chooses another one. A barrier must know the copies that follow it in
//! the text (in a loop), so such a kernel is read twice, like one with arbitrary values
//! ([`crate::device::arbitrary`]). The wait is assumed to be a barrier, so the whole group sees what was copied;
//! reports name this assumption. All work-items must reach both calls with the same arguments, which orders no
//! memory.

use crate::assumed::Assumed;
use crate::body::code::Code;
use crate::body::group_copies::{GroupCopy, Shape};
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::casts::callee;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{AddressSpace, CType, QualifiedType};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Met, Op, OpKind, Orders};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

/// Most events that one wait may name.
const MAX_EVENTS: i128 = 16;
/// The same, if their number is not constant.
const MAX_OPEN_EVENTS: i128 = 8;

/// Copies of one call in a loop that may be in flight at a time.
const MAX_UNDER_WAY: usize = 4;

/// The input that says which work-item carries out which copy.
const CHOICE: &str = "copier";

/// An argument without its implicit conversions.
fn as_written(mut node: &Node) -> &Node {
    while let (Kind::ImplicitCastExpr | Kind::ParenExpr, Some(inner)) = (node.kind(), node.last()) {
        node = inner;
    }
    node
}

fn number(n: i64) -> Expr {
    Expr::int(ScalarType::I64, n)
}

fn assign(var: VarId, value: Expr, span: Span) -> Arc<Op> {
    Op::basic(Basic::Assign { var, value }, span)
}

impl Source<'_, '_> {
    /// Whether the file reads indices of other dimensions than the first. Axes that no code reads are assumed to have
    /// extent 1.
    fn asks_beyond_x(&self) -> bool {
        self.unit.functions.iter().any(|f| asks_beyond_x(f.body))
    }
}

impl Code<'_, '_> {
    /// Makes the variables of calls that are known from the first reading.
    pub(crate) fn declare_copies(&mut self, shapes: &[Shape]) {
        for &Shape { to, from, span } in shapes {
            let copy = GroupCopy {
                event: self.declare("event", Type::I32, span),
                pending: self.declare("pending", Type::BOOL, span),
                to: (self.declare("to", to, span), to),
                from: (self.declare("from", from, span), from),
                count: self.declare("count", Type::I64, span),
                steps: (
                    self.declare("step", Type::I64, span),
                    self.declare("step", Type::I64, span),
                ),
                span,
            };
            self.group_copies.known.push(copy);
        }
    }

    /// No copy is begun when a kernel is.
    pub(crate) fn no_copies_yet(&self) -> Vec<Arc<Op>> {
        let mut ops = Vec::new();
        for copy in &self.group_copies.known {
            let span = copy.span;
            ops.push(assign(copy.pending, Expr::bool(false), span));
            ops.push(assign(copy.event, Expr::i32(0), span));
            for var in [copy.count, copy.steps.0, copy.steps.1] {
                ops.push(assign(var, number(0), span));
            }
            for (var, ty) in [copy.to, copy.from] {
                ops.push(assign(var, Expr::i32(0).cast(ty), span));
            }
        }
        ops
    }
}

impl Body<'_, '_> {
    /// `None`: no function of copies. `Some(None)`: done, and it gives no value.
    pub(crate) fn group_copy_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        match (name, arguments) {
            ("async_work_group_copy", [to, from, count, event]) => {
                let event = self.begin_copy(node, [to, from, count, event], None)?;
                Ok(Some(Some(event)))
            }
            ("async_work_group_strided_copy", [to, from, count, step, event]) => {
                let event = self.begin_copy(node, [to, from, count, event], Some(step))?;
                Ok(Some(Some(event)))
            }
            ("wait_group_events", [count, events]) => {
                self.wait_for_copies(node, count, events)?;
                Ok(Some(None))
            }
            // A hint.
            ("prefetch", [from, count]) => {
                self.effect(from)?;
                self.effect(count)?;
                Ok(Some(None))
            }
            _ => Ok(None),
        }
    }

    fn begin_copy(
        &mut self,
        node: &Node,
        [to, from, count, event]: [&Node; 4],
        step: Option<&Node>,
    ) -> Result<Expr> {
        let span = self.span(node);
        // The type of an argument converted to the parameter's type lacks the length of vectors in clang's tree.
        let pointee = |b: &Self, node: &Node| match b.type_of(as_written(node)).decayed().ty {
            CType::Pointer(to) => Some(*to),
            _ => None,
        };
        let (Some(target), Some(source)) = (pointee(self, to), pointee(self, from)) else {
            return self.refuse(node, "an asynchronous copy of this");
        };
        let mut given = vec![
            Operand::Value(to),
            Operand::Value(from),
            Operand::Value(count),
            Operand::Value(event),
        ];
        given.extend(step.map(Operand::Value));
        let mut given = self.operands(&given)?.into_iter();
        let (Some(to), Some(from), Some(count), Some(event)) =
            (given.next(), given.next(), given.next(), given.next())
        else {
            return self.refuse(node, "an asynchronous copy of this");
        };
        let cells = cells_of(&target, &to).filter(|n| Some(*n) == cells_of(&source, &from));
        let elem = |pointer: &Expr| pointer.ty.pointer().map(|p| p.elem);
        let (Some(cells), true) = (cells, elem(&to) == elem(&from)) else {
            return self.refuse(node, "an asynchronous copy between memories of two types");
        };
        let step = given.next().map(|step| constant::convert(step, Type::I64));
        if step.is_some() && cells != 1 {
            return self.refuse(node, "an asynchronous copy of vectors that lie apart");
        }
        let count = constant::scale(constant::convert(count, Type::I64), cells);
        let steps = match step {
            None => (number(1), number(1)),
            // It is the global side whose elements lie apart.
            Some(step) if target.space == AddressSpace::Local => (number(1), step),
            Some(step) => (step, number(1)),
        };
        // Every operand is evaluated once, so that all work-items can compare it.
        let mut given = Vec::new();
        for value in [to, from, count, steps.0, steps.1] {
            given.push(self.keep(value, span));
        }
        let event = self.keep(constant::convert(event, Type::I32), span);
        let shape = Shape {
            to: given[0].ty,
            from: given[1].ty,
            span,
        };
        let n_slots = if self.in_loop() { MAX_UNDER_WAY } else { 1 };
        let first = self.group_copies.begun;
        self.group_copies.begun += n_slots;
        while self.group_copies.known.len() < first + n_slots {
            self.declare_copies(&[shape]);
        }
        let agreed = given.iter().chain([&event]).cloned().collect();
        self.emit(
            Basic::Barrier {
                orders: Orders::Nothing,
                met: Met::AtOnePlace,
                agreed,
            },
            span,
        );
        let result = self.declare("event", Type::I32, span);
        // More copies of one call in a loop are not modelled.
        let mut begun = Op::basic(Basic::Beyond, span);
        for at in (first..first + n_slots).rev() {
            let copy = self.group_copies.known[at].clone();
            let (mut ops, ()) = self.apart(|b| {
                let own = Expr::int(ScalarType::I32, at as i64 + 1);
                // An event that is given is the copy's own from then on.
                let is_new = Expr::binary(BinaryOp::Eq, event.clone(), Expr::i32(0));
                let own = Expr::select(is_new, own, event.clone());
                let vars = [
                    copy.to.0,
                    copy.from.0,
                    copy.count,
                    copy.steps.0,
                    copy.steps.1,
                ];
                for (var, value) in vars.into_iter().zip(&given) {
                    b.ops.push(assign(var, value.clone(), span));
                }
                b.ops.push(assign(copy.event, own.clone(), span));
                b.ops.push(assign(result, own, span));
                b.ops.push(assign(copy.pending, Expr::bool(true), span));
                Ok(())
            })?;
            ops.extend(self.carried_out(&copy, at, node)?);
            if n_slots == 1 {
                self.ops.extend(ops);
                return Ok(Expr::var(result, Type::I32));
            }
            let pending = Expr::var(copy.pending, Type::BOOL);
            let (chosen, ()) = self.apart(|b| {
                b.emit_if(pending, begun.clone(), sequence(ops), span);
                Ok(())
            })?;
            begun = sequence(chosen);
        }
        self.ops.push(begun);
        Ok(Expr::var(result, Type::I32))
    }

    /// Copies without a wait so far are still under way at a barrier, and after it.
    pub(crate) fn copies_meanwhile(&mut self, node: &Node) -> Result<()> {
        for (at, copy) in self.group_copies.known.clone().into_iter().enumerate() {
            let ops = self.carried_out(&copy, at, node)?;
            let pending = Expr::var(copy.pending, Type::BOOL);
            self.emit_if(pending, sequence(ops), Op::skip(), copy.span);
        }
        Ok(())
    }

    /// The copy, done by the work-item that the input names.
    fn carried_out(&mut self, copy: &GroupCopy, at: usize, node: &Node) -> Result<Vec<Arc<Op>>> {
        let span = copy.span;
        let choice = self.held_array(node, CHOICE, ScalarType::U32)?;
        let Some(chosen) = Expr::load(moved(choice, number(at as i64), 1)) else {
            return self.refuse(node, "an asynchronous copy");
        };
        let all = [Axis::X, Axis::Y, Axis::Z];
        let axes = match self.asks_beyond_x() {
            true => &all[..],
            false => &all[..1],
        };
        let id = |axis| Expr::builtin(Builtin::ThreadIdx(axis));
        let size = |axis| Expr::builtin(Builtin::BlockDim(axis));
        let mut linear = id(Axis::X);
        let mut total = size(Axis::X);
        for axis in axes.iter().skip(1) {
            let before = Expr::binary(BinaryOp::Mul, id(*axis), total.clone());
            linear = Expr::binary(BinaryOp::Add, before, linear);
            total = Expr::binary(BinaryOp::Mul, total, size(*axis));
        }
        let (ops, ()) = self.apart(|b| {
            let chosen = b.keep(chosen, span);
            let cond = Expr::binary(
                BinaryOp::Eq,
                linear,
                Expr::binary(BinaryOp::Rem, chosen, total),
            );
            let counter = b.declare("i", Type::I64, span);
            let i = Expr::var(counter, Type::I64);
            let at = |(var, ty): (VarId, Type), step: VarId| {
                let step = Expr::var(step, Type::I64);
                let elements = Expr::binary(BinaryOp::Mul, i.clone(), step);
                moved(Expr::var(var, ty), elements, 1)
            };
            let Some(value) = Expr::load(at(copy.from, copy.steps.1)) else {
                return b.refuse(node, "an asynchronous copy");
            };
            let pointer = at(copy.to, copy.steps.0);
            let body = vec![
                Op::basic(Basic::Store { pointer, value }, span),
                assign(
                    counter,
                    Expr::binary(BinaryOp::Add, i.clone(), number(1)),
                    span,
                ),
            ];
            let round = OpKind::While {
                cond: Expr::binary(BinaryOp::Lt, i.clone(), Expr::var(copy.count, Type::I64)),
                body: Op::new(OpKind::Seq(body), span),
            };
            let whole = vec![assign(counter, number(0), span), Op::new(round, span)];
            b.emit_if(cond, sequence(whole), Op::skip(), span);
            Ok(())
        })?;
        Ok(ops)
    }

    fn wait_for_copies(&mut self, node: &Node, count: &Node, events: &Node) -> Result<()> {
        let span = self.span(node);
        let count = constant::convert(self.value(count)?, Type::I64);
        let known = constant::evaluate(&count).and_then(Value::as_integer);
        let most = known.unwrap_or(MAX_OPEN_EVENTS);
        if !(0..=MAX_EVENTS).contains(&most) {
            return self.refuse(node, "a wait for so many events");
        }
        let count = self.keep(count, span);
        let events = self.value(events)?;
        let events = self.steady_pointer(events, span);
        if known.is_none() {
            let more = Expr::binary(BinaryOp::Gt, count.clone(), number(most as i64));
            self.emit_if(more, Op::basic(Basic::Beyond, span), Op::skip(), span);
        }
        let mut waited = Vec::new();
        for index in 0..most {
            let at = number(index as i64);
            let Some(event) = Expr::load(moved(events.clone(), at.clone(), 1)) else {
                return self.refuse(node, "these events");
            };
            let var = self.declare("event", Type::I32, span);
            let (ops, ()) = self.apart(|b| {
                let event = b.keep(constant::convert(event, Type::I32), span);
                // The event of no copy.
                let cond = Expr::binary(BinaryOp::Ne, event.clone(), Expr::i32(0));
                b.emit(Basic::Assert { cond }, span);
                b.ops.push(assign(var, event, span));
                Ok(())
            })?;
            match known {
                Some(_) => self.ops.extend(ops),
                None => {
                    self.ops.push(assign(var, Expr::i32(0), span));
                    let asked = Expr::binary(BinaryOp::Lt, at, count.clone());
                    self.emit_if(asked, sequence(ops), Op::skip(), span);
                }
            }
            waited.push(Expr::var(var, Type::I32));
        }
        let agreed = waited.iter().chain([&count]).cloned().collect();
        self.emit(
            Basic::Barrier {
                orders: Orders::Nothing,
                met: Met::AtOnePlace,
                agreed,
            },
            span,
        );
        for (at, copy) in self.group_copies.known.clone().into_iter().enumerate() {
            let own = || Expr::var(copy.event, Type::I32);
            let is_one = waited
                .iter()
                .map(|event| Expr::binary(BinaryOp::Eq, own(), event.clone()))
                .reduce(|a, b| Expr::binary(BinaryOp::Or, a, b));
            if let Some(is_one) = is_one {
                self.finish_copy(&copy, at, Some(is_one), node)?;
            }
        }
        self.copies_meanwhile(node)?;
        self.assume(Assumed::GroupEventsBarrier);
        self.emit(Basic::barrier(Orders::All), span);
        Ok(())
    }

    /// Carries out a copy that is not waited for yet, where a condition holds.
    fn finish_copy(
        &mut self,
        copy: &GroupCopy,
        at: usize,
        cond: Option<Expr>,
        node: &Node,
    ) -> Result<()> {
        let span = copy.span;
        let mut ops = self.carried_out(copy, at, node)?;
        ops.push(assign(copy.pending, Expr::bool(false), span));
        let pending = Expr::var(copy.pending, Type::BOOL);
        let cond = match cond {
            Some(cond) => Expr::binary(BinaryOp::And, pending, cond),
            None => pending,
        };
        self.emit_if(cond, sequence(ops), Op::skip(), span);
        Ok(())
    }

    /// What is still to be copied when a kernel ends.
    pub(crate) fn finish_copies(&mut self, node: &Node) -> Result<()> {
        if self.group_copies.known.is_empty() {
            return Ok(());
        }
        if self.ops.iter().any(ends_early) {
            return self.refuse(
                node,
                "`return` before the end of a kernel with asynchronous copies",
            );
        }
        for (at, copy) in self.group_copies.known.clone().into_iter().enumerate() {
            self.finish_copy(&copy, at, None, node)?;
        }
        Ok(())
    }
}

/// How many cells an element has that a pointer points to.
fn cells_of(ty: &QualifiedType, pointer: &Expr) -> Option<u64> {
    let cell = pointer.ty.pointer()?.elem.size();
    let size = ty.size()?;
    size.is_multiple_of(cell).then_some(size / cell)
}

fn ends_early(op: &Arc<Op>) -> bool {
    let mut found = false;
    op.walk(&mut |op| found |= matches!(op.kind, OpKind::Basic(Basic::Exit)));
    found
}

fn asks_beyond_x(node: &Node) -> bool {
    if node.is(Kind::CallExpr)
        && let Some(callee) = callee(node)
        && callee.name.starts_with("get_")
    {
        let dimension = node.child(1).map(|n| n.without_casts());
        let is_first = dimension.is_some_and(|n| {
            n.is(Kind::IntegerLiteral)
                && n.kind
                    .value
                    .as_ref()
                    .is_some_and(|v| v.as_str() == Some("0"))
        });
        if !is_first && callee.name != "get_work_dim" {
            return true;
        }
    }
    node.inner.iter().any(asks_beyond_x)
}
