//! Loops. One generic iteration stands for all: the variables the body assigns take values that
//! are exact where the course of the variable is recognised (added to, shifted, unchanged) and
//! arbitrary otherwise.
//!
//! A loop without barriers is summarised: each thread is in an iteration of its own. In a loop
//! with barriers the iteration count is the same for all threads of a block in one interval,
//! which holds as long as the loop's condition is uniform; [`crate::interval`] has that proved.

use crate::courses::{Assigned, Course, Courses, Iteration};
use crate::induction::Step;
use crate::machine::{Followed, Item, LoopEnd, Machine, Rest, before, unfollowed};
use crate::term::{BitOp, Scope, Sort, TermId};
use crate::value::State;
use gridlock_semantics::expr::Expr;
use gridlock_semantics::operator::{Op, OpKind};
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
        let courses = self.courses(op, state, aligned || self.summarised == 0)?;

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
            let path = self.path(&inside);
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
        self.assume_previous(&courses, cond, op, number, state)?;
        if self.has_exit(body) {
            let stayed = self.unknown("did not return in the loop", Sort::Bool);
            self.assume(state, stayed);
        }
        Ok(())
    }

    /// If there was an iteration before number `number`, the condition held there.
    fn assume_previous(
        &mut self,
        courses: &Courses,
        cond: &Expr,
        op: &Op,
        number: TermId,
        state: &mut State,
    ) -> Followed<()> {
        let known = |a: &Assigned| match a.course {
            Course::Arbitrary { .. } => false,
            Course::Regular(Step::Add { step, .. }) => self.terms.as_bits(step).is_some(),
            Course::Regular(_) => true,
        };
        if cond.has_load() || courses.assigned.iter().any(|a| a.tested && !known(a)) {
            return Ok(());
        }
        let minus_one = self.terms.bits(64, u64::MAX);
        let number_before = self.terms.bit(BitOp::Add, number, minus_one);
        let iteration = Iteration {
            number: number_before,
            scope: Scope::Thread,
        };
        let mut earlier = state.clone();
        self.set_variables(courses, iteration, &mut earlier);
        self.trials += 1;
        let held = self.scalar(cond, op, &mut earlier);
        self.trials -= 1;
        let held = held?;
        let zero = self.terms.bits(64, 0);
        let first = self.terms.eq(number, zero);
        let fact = self.terms.or(first, held);
        self.assume(state, fact);
        Ok(())
    }
}
