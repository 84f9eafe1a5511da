//! Operators, taken by all threads of a block together, each under its own condition.

use super::accesses::{Mode, WARP};
use super::run::{At, Frame, Run};
use super::value::{Held, Known, Place, Target};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::term::TermId;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, MathFn};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

/// Iterations of a loop of which it hangs on inputs whether there is a next one.
const MOST_OPEN_ITERATIONS: u32 = 64;

/// Calls one inside the other.
const MOST_NESTED: usize = 100;

impl Run<'_> {
    /// The threads of the block take the operator, where `active` holds for them and they have not returned.
    pub fn execute(&mut self, op: &Arc<Op>, active: &[TermId]) -> Followed<()> {
        match &op.kind {
            OpKind::Skip => Ok(()),
            OpKind::Seq(ops) => ops.iter().try_for_each(|op| self.execute(op, active)),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                if self.generic.is_some() {
                    return self.branch_generic(cond, then, otherwise, op.span);
                }
                let holds = self.conditions(cond, active, op.span)?;
                let mut sides = [Vec::new(), Vec::new()];
                for (thread, active) in active.iter().enumerate() {
                    let not = self.terms.not(holds[thread]);
                    sides[0].push(self.terms.and(*active, holds[thread]));
                    sides[1].push(self.terms.and(*active, not));
                }
                for (side, branch) in sides.iter().zip([then, otherwise]) {
                    if self.is_taken(side) {
                        self.execute(branch, side)?;
                    }
                }
                Ok(())
            }
            OpKind::While { cond, body } => self.repeat(cond, body, active, op.span),
            OpKind::Call { proc, args, result } => self.call(*proc, args, *result, active, op.span),
            OpKind::Par(..) => unfollowed("branches of the host", op.span),
            OpKind::Basic(basic) => self.basic(basic, active, op.span),
        }
    }

    /// Whether some thread may be there.
    fn is_taken(&mut self, active: &[TermId]) -> bool {
        (0..active.len()).any(|thread| {
            let guard = self.guard(active, thread);
            self.terms.as_bool(guard) != Some(false)
        })
    }

    /// When a thread is there.
    fn guard(&mut self, active: &[TermId], thread: usize) -> TermId {
        match self.generic {
            // That it has not returned is part of what holds where it is.
            Some(_) => active[thread],
            None => self.terms.and(active[thread], self.block.alive[thread]),
        }
    }

    /// The threads that may be there, and when.
    fn there(&mut self, active: &[TermId], span: Span) -> Vec<At> {
        let mut found = Vec::new();
        for thread in 0..active.len() {
            let guard = self.guard(active, thread);
            if self.terms.as_bool(guard) != Some(false) {
                found.push(At {
                    thread,
                    guard,
                    span,
                });
            }
        }
        found
    }

    /// Of each thread, whether the condition holds; false where it is not there.
    fn conditions(&mut self, cond: &Expr, active: &[TermId], span: Span) -> Followed<Vec<TermId>> {
        let mut holds = vec![self.terms.bool(false); active.len()];
        for at in self.there(active, span) {
            self.spend(1, span)?;
            holds[at.thread] = self.scalar(cond, at)?;
        }
        Ok(holds)
    }

    fn repeat(
        &mut self,
        cond: &Expr,
        body: &Arc<Op>,
        active: &[TermId],
        span: Span,
    ) -> Followed<()> {
        if self.generic.is_some() {
            return self.repeat_generic(cond, body, active[0], span);
        }
        let mut active = active.to_vec();
        let mut n_open = 0;
        loop {
            let holds = self.conditions(cond, &active, span)?;
            for (active, holds) in active.iter_mut().zip(&holds) {
                *active = self.terms.and(*active, *holds);
            }
            let there = self.there(&active, span);
            if there.is_empty() {
                return Ok(());
            }
            // Inputs may decide who comes here; how often it is repeated, they do not, where the condition is known.
            let is_certain = |at: &At| self.terms.as_bool(holds[at.thread]) == Some(true);
            if !there.iter().any(is_certain) {
                n_open += 1;
                if n_open > MOST_OPEN_ITERATIONS {
                    let why = "a loop of which inputs say how often it is repeated";
                    return unfollowed(why, span);
                }
            }
            self.execute(body, &active)?;
        }
    }

    fn call(
        &mut self,
        proc: ProcId,
        args: &[Expr],
        result: Option<VarId>,
        active: &[TermId],
        span: Span,
    ) -> Followed<()> {
        let callee = self.program.proc(proc);
        let n = active.len();
        let mut vars: Vec<Vec<Held>> = vec![vec![None; n]; callee.vars.len()];
        let there = self.there(active, span);
        for at in &there {
            for (var, arg) in callee.params.iter().zip(args) {
                vars[var.0 as usize][at.thread] = Some(self.value(arg, *at)?);
            }
        }
        if self.block.frames.len() > MOST_NESTED {
            return unfollowed("calls nested deeply", span);
        }
        self.block.frames.push(Frame { proc, vars });
        self.execute(&callee.body, active)?;
        let frame = self.block.frames.pop().expect("the one pushed above");
        if let (Some(var), Some(from)) = (result, callee.result) {
            for at in &there {
                let value = frame.vars[from.0 as usize][at.thread].clone();
                self.assign(var, &value, *at)?;
            }
        }
        Ok(())
    }

    pub fn assign(&mut self, var: VarId, value: &Held, at: At) -> Followed<()> {
        let old = self.frame().vars[var.0 as usize][at.thread].clone();
        let new = self.chosen(at.guard, value, &old, at.span)?;
        self.frame_mut().vars[var.0 as usize][at.thread] = new;
        Ok(())
    }

    fn basic(&mut self, basic: &Basic, active: &[TermId], span: Span) -> Followed<()> {
        let there = self.there(active, span);
        if there.is_empty() {
            return Ok(());
        }
        self.spend(there.len() as u64, span)?;
        match basic {
            Basic::Assign { var, value } => {
                for at in there {
                    let value = self.copied(value, at)?;
                    self.assign(*var, &value, at)?;
                }
            }
            Basic::Load { var, pointer } => {
                for at in there {
                    let targets = self.pointer(pointer, at)?;
                    let known = self.load(&targets, at)?;
                    let value = self.certain(known);
                    self.assign(*var, &Some(value), at)?;
                }
            }
            Basic::Store { pointer, value } => {
                for at in there {
                    let targets = self.pointer(pointer, at)?;
                    let written = match basic.writes_back() {
                        true => None,
                        false => Some(self.stored(value, &targets, at)?),
                    };
                    self.store(&targets, written.as_ref(), at)?;
                }
            }
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                if result.is_some() {
                    return unfollowed("the result of an atomic operation", span);
                }
                for at in there {
                    self.atomic(*function, *scope, pointer, operands, at)?;
                }
            }
            Basic::Barrier { orders, agreed, .. } => {
                if !agreed.is_empty() {
                    return unfollowed("a barrier that is brought values", span);
                }
                self.meet(active, *orders, span)?;
            }
            Basic::SyncWarp { mask } => {
                let warps = self.warps_together(mask, active, &there, span)?;
                for warp in warps {
                    let first = (warp * WARP) as usize;
                    if self.is_certainly_met(active, first..first + WARP as usize) {
                        self.block.of_warps[warp as usize] += 1;
                    }
                }
            }
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => {
                let warps = self.warps_together(mask, active, &there, span)?;
                for warp in warps {
                    self.exchange(*function, operands, *result, warp, &there)?;
                }
            }
            // Nothing is concluded from their order: what would need it is a race here.
            Basic::Fence { .. } => {}
            Basic::Nanosleep { nanoseconds } => {
                for at in there {
                    self.scalar(nanoseconds, at)?;
                }
            }
            Basic::Exit => {
                if let Some(generic) = &mut self.generic {
                    generic.n_returns += 1;
                }
                for at in there {
                    self.leave(at);
                    let stays = self.terms.not(at.guard);
                    let alive = self.block.alive[at.thread];
                    self.block.alive[at.thread] = self.terms.and(alive, stays);
                    if self.generic.is_some() {
                        let context = self.context();
                        let context = self.terms.and(context, stays);
                        self.set_context(context);
                    }
                }
            }
            Basic::Assert { cond } => {
                for at in there {
                    let cond = self.scalar(cond, at)?;
                    let what = |_: &Run<'_>| "an assertion that fails".to_owned();
                    self.oblige(at.guard, cond, what, span)?;
                }
            }
            Basic::Assume { cond } => {
                let is_first = self.is_at_first();
                let from = self.assumed.len();
                for at in there {
                    let cond = self.scalar(cond, at)?;
                    let guard = self.in_context(at.guard);
                    let assumed = self.terms.implies(guard, cond);
                    self.assumed.push(assumed);
                }
                let own = &self.assumed[from..];
                let is_by_all = own.len() == self.block.threads.len()
                    && own.windows(2).all(|pair| pair[0] == pair[1]);
                if is_first && is_by_all {
                    let blocks = self.granted.entry(own[0]).or_default();
                    blocks.insert(self.block.number);
                }
            }
            Basic::NamedBarrier { .. } => return unfollowed("a named barrier", span),
            Basic::GridBarrier => return unfollowed("a barrier of the grid", span),
            Basic::ActiveMask { .. } => return unfollowed("`__activemask()`", span),
            Basic::Beyond => return unfollowed("what was left out", span),
            _ if self.host.is_running => {
                for at in there {
                    self.of_host(basic, at)?;
                }
            }
            _ => return unfollowed("an operator of the host", span),
        }
        Ok(())
    }

    /// The value that is stored; to private and shared memory one may be copied that is none.
    fn stored(&mut self, value: &Expr, targets: &[Target], at: At) -> Followed<Held> {
        let mut spaces = targets.iter().map(|target| self.space(target.place));
        match spaces.all(|space| matches!(space, Space::Private | Space::Shared)) {
            true => self.copied(value, at),
            false => Ok(Some(self.value(value, at)?)),
        }
    }

    /// `None`: the cell is written back as it is.
    fn store(&mut self, targets: &[Target], value: Option<&Held>, at: At) -> Followed<()> {
        for target in targets {
            let guard = self.terms.and(at.guard, target.guard);
            if self.terms.as_bool(guard) == Some(false) {
                continue;
            }
            self.reach(target, guard, Mode::Write, at)?;
            if let Some(value) = value {
                let instance = self.instance(target.place, at.thread);
                self.write(instance, target.offset, guard, value, at.span)?;
            }
        }
        Ok(())
    }

    /// An access that changes a cell.
    fn reach(&mut self, target: &Target, guard: TermId, mode: Mode, at: At) -> Followed<()> {
        let span = at.span;
        if target.place == Place::Null {
            let never = self.terms.bool(false);
            return self.oblige(guard, never, |_| "a null pointer".to_owned(), span);
        }
        match self.space(target.place) {
            Space::Constant => return unfollowed("a write to constant memory", span),
            _ if self.generic.is_some() && matches!(target.place, Place::Global(_)) => {
                return unfollowed("a write to memory at file scope", span);
            }
            _ => {}
        }
        self.inside(target.place, target.offset, guard, span)?;
        self.note(target.place, target.offset, at.thread, mode, guard, span)
    }

    fn atomic(
        &mut self,
        function: AtomicFn,
        scope: Scope,
        pointer: &Expr,
        operands: &[Expr],
        at: At,
    ) -> Followed<()> {
        if self.generic.is_some() {
            return unfollowed("an atomic operation, which other threads make too", at.span);
        }
        let elem = pointer.ty.pointer().map(|p| p.elem);
        let (Some(elem), [operand], true) = (elem, operands, function.is_commutative()) else {
            return unfollowed("an atomic operation whose order matters", at.span);
        };
        if elem.is_float() && !(self.floats.commute() && function == AtomicFn::Add) {
            return unfollowed(
                "an atomic operation on floats, whose order matters",
                at.span,
            );
        }
        let targets = self.pointer(pointer, at)?;
        let operand = self.scalar(operand, at)?;
        for target in &targets {
            let guard = self.terms.and(at.guard, target.guard);
            if self.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let is_shared = self.space(target.place) == Space::Shared;
            if scope == Scope::Block && !is_shared {
                return unfollowed(
                    "an atomic operation among the threads of a block alone",
                    at.span,
                );
            }
            self.reach(target, guard, Mode::Atomic(function), at)?;
            let instance = self.instance(target.place, at.thread);
            let held = self.read(instance, target.offset, guard, at.span)?;
            let what = |run: &Run<'_>| {
                format!(
                    "a cell of `{}` that was not written",
                    run.name(target.place)
                )
            };
            let Known::Scalar(old) =
                self.used(&held, Type::Scalar(elem), At { guard, ..at }, what)?
            else {
                return unfollowed("an atomic operation on a pointer", at.span);
            };
            let new = self.applied(function, elem, [old, operand], at)?;
            let new = self.certain(Known::Scalar(new));
            self.write(instance, target.offset, guard, &Some(new), at.span)?;
        }
        Ok(())
    }

    fn applied(
        &mut self,
        function: AtomicFn,
        ty: ScalarType,
        [old, operand]: [TermId; 2],
        at: At,
    ) -> Followed<TermId> {
        let op = match function {
            AtomicFn::Add => BinaryOp::Add,
            AtomicFn::Sub => BinaryOp::Sub,
            AtomicFn::And => BinaryOp::BitAnd,
            AtomicFn::Or => BinaryOp::BitOr,
            AtomicFn::Xor => BinaryOp::BitXor,
            AtomicFn::Min => return Ok(self.math(MathFn::Min, ty, &[old, operand])),
            AtomicFn::Max => return Ok(self.math(MathFn::Max, ty, &[old, operand])),
            AtomicFn::Exch
            | AtomicFn::Cas
            | AtomicFn::Inc
            | AtomicFn::Dec
            | AtomicFn::AddHalf
            | AtomicFn::AddBfloat => {
                return unfollowed("an atomic operation whose order matters", at.span);
            }
        };
        self.binary(op, ty, None, [old, operand], at)
    }

    /// Threads that have not returned meet at a barrier of the block, all of them or none.
    fn meet(&mut self, active: &[TermId], orders: Orders, span: Span) -> Followed<()> {
        self.all_or_none(active, 0..active.len(), span)?;
        if !self.profile.axes.exited_threads.excuses(true) {
            for (thread, active) in active.iter().enumerate() {
                let alive = self.block.alive[thread];
                let what = |_: &Run<'_>| "a barrier after a thread has returned".to_owned();
                self.oblige(*active, alive, what, span)?;
                if self.terms.as_bool(alive) != Some(true) {
                    return unfollowed(what(self), span);
                }
            }
        }
        // Where it hangs on inputs whether it is met, it orders nothing for certain. The generic thread reads what others
        // wrote, and there it counts as one that may have been met.
        if self.generic.is_none() && !self.is_certainly_met(active, 0..active.len()) {
            return Ok(());
        }
        if orders.includes(Space::Shared) {
            self.block.intervals[0] += 1;
        }
        if orders.includes(Space::Global) {
            self.block.intervals[1] += 1;
        }
        Ok(())
    }

    /// Whether those of the threads that have not returned are there for all inputs.
    fn is_certainly_met(&self, active: &[TermId], threads: std::ops::Range<usize>) -> bool {
        threads.into_iter().all(|thread| {
            let has_returned = self.terms.as_bool(self.block.alive[thread]) == Some(false);
            has_returned || self.terms.as_bool(active[thread]) == Some(true)
        })
    }

    /// Requires that of some threads those that have not returned are all there, or none.
    fn all_or_none(
        &mut self,
        active: &[TermId],
        threads: std::ops::Range<usize>,
        span: Span,
    ) -> Followed<()> {
        let what = |_: &Run<'_>| "threads that part before a barrier".to_owned();
        let mut distinct: Vec<(TermId, Vec<usize>)> = Vec::new();
        for thread in threads {
            if self.terms.as_bool(self.block.alive[thread]) == Some(false) {
                continue;
            }
            match distinct
                .iter_mut()
                .find(|(term, _)| *term == active[thread])
            {
                Some((_, threads)) => threads.push(thread),
                None => distinct.push((active[thread], vec![thread])),
            }
        }
        for (n, (one, theirs)) in distinct.iter().enumerate() {
            for (other, others) in &distinct[..n] {
                let alike = self.terms.eq(*one, *other);
                for a in theirs {
                    for b in others {
                        self.spend(1, span)?;
                        let alive = self.terms.and(self.block.alive[*a], self.block.alive[*b]);
                        self.oblige(alive, alike, what, span)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The warps that are at an operation of a warp, each of which is there whole.
    fn warps_together(
        &mut self,
        mask: &Expr,
        active: &[TermId],
        there: &[At],
        span: Span,
    ) -> Followed<Vec<u32>> {
        if self.profile.axes.warps.known_size() != Some(WARP) {
            return unfollowed(
                "an operation of a warp where nothing is known of warps",
                span,
            );
        }
        let n = active.len();
        if !n.is_multiple_of(WARP as usize) {
            return unfollowed("an operation of a warp that is not whole", span);
        }
        let mut warps: Vec<u32> = there.iter().map(|at| at.thread as u32 / WARP).collect();
        warps.dedup();
        for at in there {
            let mask = self.scalar(mask, *at)?;
            if self.terms.as_bits(mask) != Some(u64::from(u32::MAX)) {
                return unfollowed("an operation of a part of a warp", span);
            }
        }
        for warp in &warps {
            let first = (warp * WARP) as usize;
            let lanes = first..first + WARP as usize;
            let has_returned =
                |thread: usize| self.terms.as_bool(self.block.alive[thread]) != Some(true);
            if lanes.clone().any(has_returned) {
                return unfollowed(
                    "an operation of a warp after a lane may have returned",
                    span,
                );
            }
            self.all_or_none(active, lanes, span)?;
        }
        Ok(warps)
    }
}
