//! Asynchronous copies into shared memory that a thread begins for itself: `cp.async`, `__pipeline_memcpy_async`, and
//! what the headers `cuda/pipeline`, `cuda/barrier` and `cooperative_groups/memcpy_async.h` compose of them (PTX ISA,
//! "Asynchronous copy"). Such a copy reads its source and writes its target at some time between its beginning and the
//! wait that covers it, unordered with all else.
//!
//! Here the cells of the target lose their value at the beginning, and get that of the source at the wait. Before each
//! operator between the two that could order what this thread does with what others do (barriers, fences, atomics, the
//! end of the kernel), the thread reads the source once more and writes the target back as it is. **Lemma.** An access
//! by another thread that happens neither before the beginning nor after the wait is unordered with one of these
//! accesses. For let `p` be the last operator of this thread before which all happens before that access, and `q` the
//! first after which all happens after it; then `p` comes before `q`, and the accesses in front of the first such
//! operator behind `p` come before `q` as well. So whoever uses or changes cells too early races, or reads a cell that
//! has no value. What this misses, accesses of the copying thread itself, is assumed
//! ([`Assumed::OwnCopies`]). docs/decisions/asynchronous-copies.md says more.

use crate::assumed::Assumed;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::thread_copies::{Amount, Beginning, ThreadCopy};
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::storage::pointers::divided;
use crate::syntax::Node;
use crate::types::layout::unsigned;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Copies of one place in a loop that may be under way at a time.
const MAX_UNDER_WAY: usize = 16;

/// More units than this are copied by a loop.
const MAX_UNROLLED: u64 = 16;

/// A copy, with its operands evaluated.
pub(crate) struct Begun {
    pub to: Expr,
    pub from: Expr,
    pub bytes: Expr,
    /// Bytes of the target that come from the source; `None`: all.
    pub valid: Option<Expr>,
    /// The barrier it belongs to; `None`: the group that is open.
    pub tag: Option<Expr>,
}

fn number(n: u64) -> Expr {
    Expr::int(ScalarType::I64, n as i64)
}

fn word(n: u32) -> Expr {
    Expr::int(ScalarType::U32, i64::from(n))
}

fn assign(var: VarId, value: Expr, span: Span) -> Arc<Op> {
    Op::basic(Basic::Assign { var, value }, span)
}

/// The variable or array from which a pointer is an offset.
fn root(pointer: &Expr) -> &ExprKind {
    match &pointer.kind {
        ExprKind::Offset(base, _) => root(base),
        ExprKind::Cast(inner) if inner.ty.pointer().is_some() => root(inner),
        kind => kind,
    }
}

/// Whether an operator may put accesses of its thread in order with those of others, or ends the thread.
fn may_order(basic: &Basic) -> bool {
    matches!(
        basic,
        Basic::Barrier { .. }
            | Basic::NamedBarrier { .. }
            | Basic::GridBarrier
            | Basic::SyncWarp { .. }
            | Basic::Fence { .. }
            | Basic::Atomic { .. }
            | Basic::Exit
    )
}

/// What takes the place of marks, and what stands in front of operators that may order accesses.
struct Woven {
    marks: HashMap<VarId, Arc<Op>>,
    meanwhile: Arc<Op>,
}

impl Woven {
    fn of(&self, op: &Arc<Op>) -> Arc<Op> {
        let kind = match &op.kind {
            OpKind::Basic(Basic::Assign { var, .. }) if self.marks.contains_key(var) => {
                return self.marks[var].clone();
            }
            OpKind::Basic(basic) if may_order(basic) => {
                OpKind::Seq(vec![self.meanwhile.clone(), op.clone()])
            }
            OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|op| self.of(op)).collect()),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => OpKind::If {
                cond: cond.clone(),
                then: self.of(then),
                otherwise: self.of(otherwise),
            },
            OpKind::While { cond, body } => OpKind::While {
                cond: cond.clone(),
                body: self.of(body),
            },
            _ => return op.clone(),
        };
        Op::new(kind, op.span)
    }
}

impl Code<'_, '_> {
    /// The number of groups that the thread has closed.
    fn closed_groups(&mut self, span: Span) -> VarId {
        match self.thread_copies.closed {
            Some(var) => var,
            None => {
                let var = self.declare("groups", Type::U32, span);
                self.thread_copies.closed = Some(var);
                var
            }
        }
    }

    /// No thread has begun a copy when a kernel begins.
    pub(crate) fn no_thread_copies_yet(&self) -> Vec<Arc<Op>> {
        let mut ops = Vec::new();
        for &(_, turns, n) in &self.thread_copies.turns {
            let span = self.builder.array(turns).span;
            let base = Expr::array_base(turns, PointerType::to(ScalarType::U32));
            for cell in 0..n {
                let pointer = moved(base.clone(), number(cell), 1);
                let value = word(0);
                ops.push(Op::basic(Basic::Store { pointer, value }, span));
            }
        }
        for copy in &self.thread_copies.slots {
            let span = copy.span;
            ops.push(assign(copy.pending, Expr::bool(false), span));
            ops.push(assign(copy.group, word(0), span));
            for (var, ty) in [copy.to, copy.from] {
                ops.push(assign(var, Expr::i32(0).cast(ty), span));
            }
            let held = match copy.units {
                Amount::Held(var) => Some(var),
                Amount::Known(_) => None,
            };
            for var in held.into_iter().chain(copy.valid) {
                ops.push(assign(var, number(0), span));
            }
        }
        if let Some(var) = self.thread_copies.closed {
            let span = self.thread_copies.slots.first().map(|copy| copy.span);
            let span = span.unwrap_or(self.vars[var.0 as usize].span);
            ops.push(assign(var, word(0), span));
        }
        ops
    }

    /// `each` for every unit of a copy, one after another.
    fn each_unit(
        &mut self,
        units: Amount,
        span: Span,
        mut each: impl FnMut(&mut Self, Expr) -> Result<()>,
    ) -> Result<()> {
        let count = match units {
            Amount::Known(count) if count <= MAX_UNROLLED => {
                for index in 0..count {
                    each(self, number(index))?;
                }
                return Ok(());
            }
            Amount::Known(count) => number(count),
            Amount::Held(var) => Expr::var(var, Type::I64),
        };
        let counter = self.declare("i", Type::I64, span);
        let i = Expr::var(counter, Type::I64);
        let before = self.begin_apart();
        let made = each(self, i.clone());
        let next = Expr::binary(BinaryOp::Add, i.clone(), number(1));
        self.emit(
            Basic::Assign {
                var: counter,
                value: next,
            },
            span,
        );
        let body = self.end_apart(before);
        made?;
        let round = OpKind::While {
            cond: Expr::binary(BinaryOp::Lt, i, count),
            body: sequence(body),
        };
        let whole = vec![assign(counter, number(0), span), Op::new(round, span)];
        self.ops.push(Op::new(OpKind::Seq(whole), span));
        Ok(())
    }

    /// The operators that `make` emits.
    fn made_apart(&mut self, make: impl FnOnce(&mut Self) -> Result<()>) -> Result<Arc<Op>> {
        let before = self.begin_apart();
        let made = make(self);
        let ops = self.end_apart(before);
        made.map(|()| sequence(ops))
    }

    /// Bytes of the wider cell of a copy.
    fn unit_of(&self, to: Type, from: Type, node: &Node) -> Result<u64> {
        let (Some(to), Some(from)) = (to.pointer(), from.pointer()) else {
            return self.refuse(node, "an asynchronous copy of this");
        };
        let is_bool = [to, from].iter().any(|p| p.elem == ScalarType::Bool);
        if is_bool && to.elem != from.elem {
            return self.refuse(node, "an asynchronous copy between memories of two types");
        }
        Ok(to.elem.size().max(from.elem.size()))
    }

    /// Reads the source and writes the target back, where the copy is under way.
    fn meanwhile(&mut self, copy: &ThreadCopy, node: &Node) -> Result<Arc<Op>> {
        let (to, from) = (
            Expr::var(copy.to.0, copy.to.1),
            Expr::var(copy.from.0, copy.from.1),
        );
        let unit = self.unit_of(copy.to.1, copy.from.1, node)?;
        let ops = self.made_apart(|code| {
            code.each_unit(copy.units, copy.span, |code, at| {
                code.source_read(copy, &from, unit, at.clone())?;
                let cells = code.cells_in(unit, &to);
                for cell in 0..cells {
                    let pointer = nth(&to, &at, cells, cell);
                    let value = Expr::no_value(elem_of(&to));
                    code.emit(Basic::Store { pointer, value }, copy.span);
                }
                Ok(())
            })
        })?;
        let pending = Expr::var(copy.pending, Type::BOOL);
        let kind = OpKind::If {
            cond: pending,
            then: ops,
            otherwise: Op::skip(),
        };
        Ok(Op::new(kind, copy.span))
    }

    fn cells_in(&self, unit: u64, pointer: &Expr) -> u64 {
        unit / pointer.ty.pointer().map_or(unit, |p| p.elem.size())
    }

    fn source_read(&mut self, copy: &ThreadCopy, from: &Expr, unit: u64, at: Expr) -> Result<()> {
        let cells = self.cells_in(unit, from);
        let reads = self.made_apart(|code| {
            for cell in 0..cells {
                if let Some(value) = Expr::load(nth(from, &at, cells, cell)) {
                    code.keep(value, copy.span);
                }
            }
            Ok(())
        })?;
        match copy.valid {
            None => self.ops.push(reads),
            Some(valid) => {
                let cond = Expr::binary(BinaryOp::Lt, at, Expr::var(valid, Type::I64));
                self.emit_if(cond, reads, Op::skip(), copy.span);
            }
        }
        Ok(())
    }

    /// Stores what is copied.
    fn arrived(&mut self, copy: &ThreadCopy, node: &Node) -> Result<Arc<Op>> {
        let (to, from) = (
            Expr::var(copy.to.0, copy.to.1),
            Expr::var(copy.from.0, copy.from.1),
        );
        let size = self.unit_of(copy.to.1, copy.from.1, node)?;
        let unit = unsigned(size);
        let span = copy.span;
        self.made_apart(|code| {
            code.each_unit(copy.units, span, |code, at| {
                let target = nth(&to, &at, code.cells_in(size, &to), 0);
                let source = nth(&from, &at, code.cells_in(size, &from), 0);
                let value = match (to.ty.pointer(), from.ty.pointer()) {
                    (Some(to), Some(from)) if to.elem == from.elem => Expr::load(source),
                    _ => Some(code.read_view(&source, unit, node)?),
                };
                let Some(value) = value else {
                    return code.refuse(node, "an asynchronous copy of this");
                };
                let scalar = value.ty.scalar().unwrap_or(unit);
                let value = match copy.valid {
                    None => value,
                    Some(valid) => {
                        let is_there = Expr::binary(BinaryOp::Lt, at, Expr::var(valid, Type::I64));
                        Expr::select(is_there, value, Expr::constant(Value::zero(scalar)))
                    }
                };
                code.write_view(&target, scalar, value, span, node)
            })?;
            code.ops.push(assign(copy.pending, Expr::bool(false), span));
            Ok(())
        })
    }
}

fn elem_of(pointer: &Expr) -> Type {
    Type::Scalar(pointer.ty.pointer().map_or(ScalarType::U8, |p| p.elem))
}

/// Cell `cell` of unit `at`, each of `cells` cells.
fn nth(pointer: &Expr, at: &Expr, cells: u64, cell: u64) -> Expr {
    let first = moved(pointer.clone(), at.clone(), cells);
    match cell {
        0 => first,
        _ => moved(first, number(cell), 1),
    }
}

impl Body<'_, '_> {
    /// `None`: no function of such copies. `Some(None)`: done, and it gives no value.
    pub(crate) fn thread_copy_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        match (name, arguments) {
            ("gridlock_copy_begin", [to, from, bytes, valid, tag]) => {
                let mut to = self.pointers(to)?;
                let mut from = self.after(&mut to, |b| b.pointers(from))?;
                let (Some(to), Some(from), true, true) =
                    (to.pop(), from.pop(), to.is_empty(), from.is_empty())
                else {
                    return self.refuse(node, "an asynchronous copy of structs in several arrays");
                };
                let known = self.unit.known_number(bytes);
                let operands = [bytes, valid, tag].map(|n| Operand::Value(n));
                let Ok([bytes, valid, tag]) = <[Expr; 3]>::try_from(self.operands(&operands)?)
                else {
                    return self.refuse(node, "an asynchronous copy");
                };
                let bytes = match known {
                    Some(known) => Expr::int(ScalarType::I64, known as i64),
                    None => bytes,
                };
                let is_all = constant::evaluate(&valid).and_then(Value::as_integer);
                let is_own = constant::evaluate(&tag).and_then(Value::as_integer) == Some(0);
                let begun = Begun {
                    to,
                    from,
                    bytes,
                    // All ones: everything.
                    valid: Some(valid).filter(|_| is_all != Some(i128::from(u32::MAX))),
                    tag: Some(tag).filter(|_| !is_own),
                };
                self.begin_thread_copy(node, begun)?;
            }
            ("gridlock_copies_commit", []) => self.close_group(node)?,
            ("gridlock_copies_wait", [prior]) => {
                let prior = self.value(prior)?;
                self.wait_for_groups(node, prior)?;
            }
            ("gridlock_copies_arrive", [tag]) => {
                let tag = self.value(tag)?;
                let tag = constant::convert(tag, Type::U32);
                self.finish_thread_copies(node, |group| {
                    Expr::binary(BinaryOp::Eq, group, tag.clone())
                })?;
            }
            _ => return Ok(None),
        }
        Ok(Some(None))
    }

    /// `cp.async.commit_group`
    pub(crate) fn close_group(&mut self, node: &Node) -> Result<()> {
        self.copies_are_here(node)?;
        let span = self.span(node);
        let closed = self.closed_groups(span);
        let value = Expr::binary(BinaryOp::Add, Expr::var(closed, Type::U32), word(1));
        self.emit(Basic::Assign { var: closed, value }, span);
        Ok(())
    }

    /// `cp.async.wait_group prior`
    pub(crate) fn wait_for_groups(&mut self, node: &Node, prior: Expr) -> Result<()> {
        self.copies_are_here(node)?;
        let span = self.span(node);
        let prior = self.keep(constant::convert(prior, Type::U32), span);
        let closed = Expr::var(self.closed_groups(span), Type::U32);
        self.finish_thread_copies(node, |group| {
            let last = Expr::binary(BinaryOp::Add, group, prior.clone());
            Expr::binary(BinaryOp::Lt, last, closed.clone())
        })
    }

    /// Copies are noted while a kernel is read.
    fn copies_are_here(&self, node: &Node) -> Result<()> {
        match self.kind {
            ProcKind::Kernel => Ok(()),
            _ => self.refuse(node, "an asynchronous copy outside of kernels"),
        }
    }

    /// Ends those copies whose group the wait covers. The places that begin copies further down, which a loop may have
    /// reached before, are put in where the whole kernel is known.
    fn finish_thread_copies(&mut self, node: &Node, covers: impl Fn(Expr) -> Expr) -> Result<()> {
        let span = self.span(node);
        // A mark that no program has: the condition on the group in front of an operator without effect.
        let var = self.declare("group", Type::U32, span);
        let group = Expr::var(var, Type::U32);
        self.thread_copies.waits.push((var, covers(group)));
        let mark = Basic::Assign {
            var,
            value: word(0),
        };
        self.emit(mark, span);
        Ok(())
    }

    /// A copy begins.
    pub(crate) fn begin_thread_copy(&mut self, node: &Node, begun: Begun) -> Result<()> {
        self.copies_are_here(node)?;
        let span = self.span(node);
        self.assume(Assumed::OwnCopies);
        let Begun {
            to,
            from,
            bytes,
            valid,
            tag,
        } = begun;
        let n_params = self.thread_copies.n_params;
        let is_param = |var: VarId| (var.0 as usize) < n_params;
        let array = match root(&to) {
            ExprKind::ArrayBase(array) => {
                if self.builder.array(*array).space != Space::Shared {
                    return self.refuse(node, "an asynchronous copy to other than shared memory");
                }
                Some(*array)
            }
            ExprKind::Var(var) if is_param(*var) => {
                return self.refuse(node, "an asynchronous copy to other than shared memory");
            }
            _ => None,
        };
        let size = self.unit_of(to.ty, from.ty, node)?;
        let units = |b: &mut Self, bytes: Expr| -> Result<Expr> {
            let known = constant::evaluate(&bytes).and_then(Value::as_integer);
            if let Some(known) = known {
                return match u64::try_from(known) {
                    Ok(known) if known.is_multiple_of(size) => Ok(number(known / size)),
                    _ => b.refuse(node, "a number of bytes that is no number of elements"),
                };
            }
            let bytes = constant::convert(bytes, Type::I64);
            if let Some(cells) = divided(&bytes, size as i64) {
                return Ok(constant::convert(cells, Type::I64));
            }
            let bytes = b.keep(bytes, span);
            let kind = ExprKind::Math(MathFn::Aligned(size as u32), vec![bytes.clone()]);
            let cond = Expr::new(Type::BOOL, kind);
            b.emit(Basic::Assert { cond }, span);
            Ok(Expr::binary(BinaryOp::Div, bytes, number(size)))
        };
        let count = units(self, bytes)?;
        let valid = match valid {
            Some(valid) => {
                let valid = units(self, valid)?;
                Some(self.keep(valid, span))
            }
            None => None,
        };
        let known = constant::evaluate(&count).and_then(Value::as_integer);
        let known = known.and_then(|n| u64::try_from(n).ok());
        let count = self.keep(count, span);
        let (to, from) = (self.keep(to, span), self.keep(from, span));
        let group = match tag {
            Some(tag) => constant::convert(tag, Type::U32),
            None => Expr::var(self.closed_groups(span), Type::U32),
        };
        let group = self.keep(group, span);
        let cells_each = number(self.cells_in(size, &to));
        let mark = self.declare("apart", Type::BOOL, span);
        self.thread_copies.beginnings.push(Beginning {
            mark,
            to: to.clone(),
            cells: Expr::binary(BinaryOp::Mul, count.clone(), cells_each),
            array,
            span,
        });
        self.ops.push(assign(mark, Expr::bool(true), span));
        let n_slots = if self.in_loop() { MAX_UNDER_WAY } else { 1 };
        let mut begun = Op::basic(Basic::Beyond, span);
        let mut slots = Vec::new();
        for _ in 0..n_slots {
            let held = |code: &mut Self, name: &str, ty: Type| code.declare(name, ty, span);
            slots.push(ThreadCopy {
                pending: held(self, "pending", Type::BOOL),
                group: held(self, "group", Type::U32),
                to: (held(self, "to", to.ty), to.ty),
                from: (held(self, "from", from.ty), from.ty),
                units: match known {
                    Some(known) => Amount::Known(known),
                    None => Amount::Held(held(self, "count", Type::I64)),
                },
                valid: valid.as_ref().map(|_| held(self, "valid", Type::I64)),
                array,
                span,
            });
        }
        for copy in slots.iter().rev() {
            let mut ops = vec![
                assign(copy.group, group.clone(), span),
                assign(copy.to.0, to.clone(), span),
                assign(copy.from.0, from.clone(), span),
                assign(copy.pending, Expr::bool(true), span),
            ];
            if let Amount::Held(var) = copy.units {
                ops.push(assign(var, count.clone(), span));
            }
            if let (Some(var), Some(valid)) = (copy.valid, &valid) {
                ops.push(assign(var, valid.clone(), span));
            }
            let kind = OpKind::If {
                cond: Expr::var(copy.pending, Type::BOOL),
                then: begun,
                otherwise: sequence(ops),
            };
            begun = match n_slots {
                // Twice without a wait is for a loop.
                1 => match kind {
                    OpKind::If { otherwise, .. } => otherwise,
                    _ => Op::skip(),
                },
                _ => Op::new(kind, span),
            };
        }
        self.ops.push(begun);
        let nothing = self.declare("nothing", elem_of(&to), span);
        let value = Expr::no_value(elem_of(&to));
        self.emit(
            Basic::Assign {
                var: nothing,
                value,
            },
            span,
        );
        let units = match (known, &count.kind) {
            (Some(known), _) => Amount::Known(known),
            (None, ExprKind::Var(var)) => Amount::Held(*var),
            _ => return self.refuse(node, "an asynchronous copy of this many bytes"),
        };
        self.each_unit(units, span, |code, at| {
            let cells = code.cells_in(size, &to);
            for cell in 0..cells {
                let pointer = nth(&to, &at, cells, cell);
                let value = Expr::var(nothing, elem_of(&to));
                code.emit(Basic::Store { pointer, value }, span);
            }
            Ok(())
        })?;
        self.thread_copies.slots.extend(slots);
        Ok(())
    }

    /// The operators of a kernel, with what its copies do at waits and meanwhile.
    pub(crate) fn with_thread_copies(
        &mut self,
        ops: Vec<Arc<Op>>,
        node: &Node,
    ) -> Result<Vec<Arc<Op>>> {
        let copies = self.thread_copies.clone();
        if copies.closed.is_none() && copies.slots.is_empty() && copies.waits.is_empty() {
            return Ok(ops);
        }
        let mut marks = HashMap::new();
        for (mark, covers) in &copies.waits {
            let mut done = Vec::new();
            for copy in &copies.slots {
                let pending = Expr::var(copy.pending, Type::BOOL);
                let own = covers.map(&mut |e| match e.kind {
                    ExprKind::Var(var) if var == *mark => Expr::var(copy.group, Type::U32),
                    _ => e,
                });
                let arrived = self.arrived(copy, node)?;
                let cond = Expr::binary(BinaryOp::And, pending, own);
                let kind = OpKind::If {
                    cond,
                    then: arrived,
                    otherwise: Op::skip(),
                };
                done.push(Op::new(kind, copy.span));
            }
            marks.insert(*mark, sequence(done));
        }
        for beginning in &copies.beginnings {
            let asserted = copies.slots.iter().filter_map(|copy| {
                let overlaps = self.overlap(beginning, copy)?;
                let pending = Expr::var(copy.pending, Type::BOOL);
                let cond = constant::not(Expr::binary(BinaryOp::And, pending, overlaps));
                Some(Op::basic(Basic::Assert { cond }, beginning.span))
            });
            marks.insert(beginning.mark, sequence(asserted.collect()));
        }
        let meanwhile: Vec<Arc<Op>> = copies
            .slots
            .iter()
            .map(|copy| self.meanwhile(copy, node))
            .collect::<Result<_>>()?;
        let woven = Woven {
            marks,
            meanwhile: sequence(meanwhile),
        };
        let mut all = vec![woven.of(&sequence(ops))];
        all.push(woven.meanwhile);
        Ok(all)
    }

    /// Whether a copy that begins is to cells of one that is under way; `None` where it cannot be.
    fn overlap(&self, beginning: &Beginning, copy: &ThreadCopy) -> Option<Expr> {
        let other = Expr::var(copy.to.0, copy.to.1);
        match (beginning.array, copy.array) {
            (Some(one), Some(other)) if one != other => return None,
            (Some(_), Some(_)) if beginning.to.ty.same_shape(copy.to.1) => {}
            _ => {
                let is_same = Expr::binary(BinaryOp::Eq, beginning.to.clone(), other);
                return beginning.to.ty.same_shape(copy.to.1).then_some(is_same);
            }
        }
        let size = self
            .unit_of(copy.to.1, copy.from.1, self.unit.functions.first()?.node)
            .ok()?;
        let units = match copy.units {
            Amount::Known(units) => number(units),
            Amount::Held(var) => Expr::var(var, Type::I64),
        };
        let cells = Expr::binary(BinaryOp::Mul, units, number(self.cells_in(size, &other)));
        let ahead = Expr::binary(BinaryOp::PtrDiff, beginning.to.clone(), other.clone());
        let behind = Expr::binary(BinaryOp::PtrDiff, other, beginning.to.clone());
        let starts_inside = Expr::binary(BinaryOp::Lt, ahead, cells);
        let ends_inside = Expr::binary(BinaryOp::Lt, behind, beginning.cells.clone());
        Some(Expr::binary(BinaryOp::And, starts_inside, ends_inside))
    }
}
