//! Loops. One generic iteration stands for all: the variables the body assigns take values that
//! are exact where the course of the variable is recognised (added to, shifted, unchanged) and
//! arbitrary otherwise.
//!
//! A loop without barriers is summarised: each thread is in an iteration of its own. In a loop
//! with barriers the iteration count is the same for all threads of a block in one interval,
//! which holds as long as the loop's condition is uniform; [`crate::kernel::interval`] has that proved.

use crate::machine::courses::{Assigned, Course, Courses, Iteration, is_counter};
use crate::machine::state::{Followed, Item, LoopEnd, Machine, Rest, before, unfollowed};
use crate::machine::value::{Repeated, State, SymValue};
use crate::terms::induction::Step;
use crate::terms::simplify::as_signed;
use crate::terms::term::{BitOp, Scope, Sort, TermId};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::analysis::loops::reads;
use std::sync::Arc;

impl<'p> Machine<'p> {
    /// Runs a `While`.
    pub fn repeat(&mut self, op: &'p Arc<Op>, state: &mut State, rest: &Rest<'p>) -> Followed<()> {
        let OpKind::While { cond, body } = &op.kind else {
            return unfollowed("a loop expected", op.span);
        };
        let aligned = self.has_barrier(body);
        if aligned && self.summarised > 0 {
            return unfollowed("a barrier in a loop that was taken to have none", op.span);
        }
        let mark = self.terms.mark();
        let first_access = self.log.accesses.len();
        let filled = std::mem::take(&mut self.fills_private);
        let courses = self.courses(op, state, aligned || self.summarised == 0)?;
        let fills = self.fills_private;
        self.fills_private |= filled;
        if !aligned && self.unroll(op, &courses, fills, state)? {
            return Ok(());
        }

        // One iteration.
        let mut inside = state.clone();
        let scope = if aligned {
            Scope::Interval
        } else {
            Scope::Thread
        };
        let number = self.terms.fresh("iteration", Sort::Bits(64), scope);
        let iteration = Iteration { number, scope };
        let ends = self.set_variables(&courses, iteration, &mut inside);
        let holds = self.scalar(cond, op, &mut inside)?;
        self.assume(&mut inside, holds);
        if self.trials == 0 {
            let held = self.held_one_step_before(&courses, cond, op, number, &inside)?;
            self.note_steps(&courses, op, &inside, held)?;
            let path = self.path(&inside);
            let ends = match ends {
                None => self.last_iteration(&courses, cond, op, number, state)?,
                known => known,
            };
            let endless_if = ends.map(|ends| {
                let with_path = |end| self.terms.and(path, end);
                ends.into_iter().map(with_path).collect()
            });
            let span = op.span;
            self.log.loops.push(LoopEnd { span, endless_if });
        }
        let watched = self.is_watched(op);
        if watched {
            self.watch(&inside, mark, &|var| courses.steps(var))?;
        }
        if !aligned {
            self.summarised += 1;
        }
        let counters = courses.counters(&inside);
        let back = before(Item::LoopBack(op, counters), rest.clone());
        self.begin_round(&mut inside, Repeated::Loop(op.id));
        let ran = self.execute(body, &mut inside, &back);
        if !aligned {
            self.summarised -= 1;
        }
        ran?;
        if watched
            && let Some(watched) = &mut self.watched
            && let Some(seen) = &mut watched.seen
        {
            seen.accesses = self.log.accesses[first_access..].to_vec();
        }

        // The end: the number of iterations is the same for all who count together.
        let scope = if courses.uniform && self.summarised == 0 {
            Scope::Interval
        } else {
            Scope::Thread
        };
        let number = self.terms.fresh("iterations", Sort::Bits(64), scope);
        self.set_variables(&courses, Iteration { number, scope }, state);
        let holds = self.scalar(cond, op, state)?;
        let fails = self.terms.not(holds);
        self.assume(state, fails);
        if let Some(held) = self.held_before(&courses, cond, op, number, state)? {
            self.assume(state, held);
        }
        if self.has_exit(body) {
            let stayed = self.unknown("did not return in the loop", Sort::Bool);
            self.assume(state, stayed);
        }
        Ok(())
    }

    /// That the condition held in the iteration before number `number`, if there was one; `None`
    /// where too little is known of what it reads.
    fn held_before(
        &mut self,
        courses: &Courses<'p>,
        cond: &Expr,
        op: &Op,
        number: TermId,
        state: &State,
    ) -> Followed<Option<TermId>> {
        let known = |a: &Assigned| match a.course {
            Course::Arbitrary { .. } => false,
            Course::Regular(Step::Add { step, .. }) => self.terms.as_bits(step).is_some(),
            Course::Regular(_) => true,
        };
        if cond.has_load() || courses.assigned.iter().any(|a| a.tested && !known(a)) {
            return Ok(None);
        }
        let minus_one = self.terms.bits(64, u64::MAX);
        let number_before = self.terms.bit(BitOp::Add, number, minus_one);
        let held = self.holds_in(number_before, courses, cond, op, state)?;
        let zero = self.terms.bits(64, 0);
        let first = self.terms.eq(number, zero);
        Ok(Some(self.terms.or(first, held)))
    }

    /// [`Machine::held_before`], also where the step of what the condition reads is no constant: the
    /// value before is the value less the step, if it is not the first.
    fn held_one_step_before(
        &mut self,
        courses: &Courses<'p>,
        cond: &Expr,
        op: &Op,
        number: TermId,
        inside: &State,
    ) -> Followed<Option<TermId>> {
        let known = self.held_before(courses, cond, op, number, inside)?;
        let mut tested = courses.assigned.iter().filter(|a| a.tested);
        let (Some(one), None) = (tested.next(), tested.next()) else {
            return Ok(known);
        };
        let (
            Course::Regular(Step::Add { step, .. }),
            Some(SymValue::Scalar(start)),
            Some(SymValue::Scalar(value)),
        ) = (&one.course, &one.start, inside.get(one.var))
        else {
            return Ok(known);
        };
        if known.is_some() || cond.has_load() {
            return Ok(known);
        }
        let first = self.terms.eq(*start, *value);
        let earlier = self.terms.bit(BitOp::Sub, *value, *step);
        let mut there = inside.clone();
        there.set(one.var, Some(SymValue::Scalar(earlier)));
        self.trials += 1;
        let held = self.scalar(cond, op, &mut there);
        self.trials -= 1;
        let held = held?;
        Ok(Some(self.terms.or(first, held)))
    }

    /// Whether the condition holds at the beginning of an iteration.
    pub(crate) fn holds_in(
        &mut self,
        number: TermId,
        courses: &Courses<'p>,
        cond: &Expr,
        op: &Op,
        state: &State,
    ) -> Followed<TermId> {
        let iteration = Iteration {
            number,
            scope: Scope::Thread,
        };
        let mut there = state.clone();
        self.set_variables(courses, iteration, &mut there);
        self.trials += 1;
        let held = self.scalar(cond, op, &mut there);
        self.trials -= 1;
        held
    }

    /// The condition under which an iteration is reached that should be the last, for a counter that
    /// may wrap around: a loop that never ends comes to every number of iterations, so one number
    /// that no thread comes to is enough. It is the number after which a counter of constant step
    /// has come to what it is compared with, if that can be.
    fn last_iteration(
        &mut self,
        courses: &Courses<'p>,
        cond: &'p Expr,
        op: &Op,
        number: TermId,
        state: &State,
    ) -> Followed<Option<Vec<TermId>>> {
        let changed: Vec<VarId> = courses.assigned.iter().map(|a| a.var).collect();
        if cond.has_load() {
            return Ok(None);
        }
        let zero = self.terms.bits(64, 0);
        for one in &courses.assigned {
            let (Course::Regular(Step::Add { step, .. }), Some(SymValue::Scalar(_))) =
                (&one.course, &one.start)
            else {
                continue;
            };
            let Some(constant) = self.terms.as_bits(*step).filter(|&c| c != 0) else {
                continue;
            };
            let by = as_signed(constant, self.terms.width(*step));
            let Some(goal) = Goal::of(cond, one.var, &changed) else {
                continue;
            };
            // What is compared, at the beginning of the loop.
            let mut first = state.clone();
            self.trials += 1;
            let from = self.scalar(goal.counter, op, &mut first);
            let to = self.scalar(goal.limit, op, &mut first);
            self.trials -= 1;
            let (from, to) = (from?, to?);
            let (low, high) = if by > 0 { (from, to) } else { (to, from) };
            let distance = self.terms.bit(BitOp::Sub, high, low);
            let distance = self.terms.zero_ext(64, distance);
            let size = self.terms.bits(64, by.unsigned_abs());
            let count = if goal.exactly || !goal.strict {
                self.terms.bit(BitOp::UDiv, distance, size)
            } else {
                let more = self.terms.bits(64, by.unsigned_abs() - 1);
                let sum = self.terms.bit(BitOp::Add, distance, more);
                self.terms.bit(BitOp::UDiv, sum, size)
            };
            let count = if goal.exactly || goal.strict {
                count
            } else {
                let more = self.terms.bits(64, 1);
                self.terms.bit(BitOp::Add, count, more)
            };
            let reached = self.terms.eq(number, count);
            let entered = self.holds_in(zero, courses, cond, op, state)?;
            return Ok(Some(vec![self.terms.and(reached, entered)]));
        }
        Ok(None)
    }
}

/// A comparison that ends a loop when its counter comes to something.
struct Goal<'p> {
    counter: &'p Expr,
    limit: &'p Expr,
    /// The loop ends where they are equal, for an order too.
    strict: bool,
    /// It ends only where they are equal.
    exactly: bool,
}

impl<'p> Goal<'p> {
    /// One in `cond`, of `var`, with something that none of `changed` is read in.
    fn of(cond: &'p Expr, var: VarId, changed: &[VarId]) -> Option<Goal<'p>> {
        let ExprKind::Binary(op, a, b) = &cond.kind else {
            return None;
        };
        let (strict, exactly) = match op {
            BinaryOp::And => {
                return Goal::of(a, var, changed).or_else(|| Goal::of(b, var, changed));
            }
            BinaryOp::Lt | BinaryOp::Gt => (true, false),
            BinaryOp::Le | BinaryOp::Ge => (false, false),
            BinaryOp::Ne => (true, true),
            _ => return None,
        };
        let fixed = |e: &Expr| !changed.iter().any(|&v| reads(e, v));
        let integers = a.ty.scalar().is_some_and(|ty| ty.is_integer());
        let (counter, limit) = if is_counter(a, var) && fixed(b) {
            (a, b)
        } else if is_counter(b, var) && fixed(a) {
            (b, a)
        } else {
            return None;
        };
        integers.then_some(Goal {
            counter,
            limit,
            strict,
            exactly,
        })
    }
}
