//! Loops that are run iteration by iteration: short ones, of a constant number of iterations, that fill private
//! memory. A generic iteration does not tell that all elements are written.

use crate::machine::courses::{Course, Courses};
use crate::machine::state::{Followed, LoopEnd, Machine, unfollowed};
use crate::machine::value::{Repeated, State};
use gridlock_semantics::algebra::operator::{Op, OpKind};
use std::sync::Arc;

/// Most iterations of a loop that is unrolled, and most of a nest of them.
const MOST_ITERATIONS: u32 = 16;
const MOST_OF_A_NEST: u32 = 64;

impl<'p> Machine<'p> {
    /// Runs a `While` without barriers iteration by iteration, if it is such a loop. `fills`: its body writes elements of
    /// private memory whose index changes from iteration to iteration.
    ///
    /// The run is exact: the condition is a constant whenever it is asked.
    pub(crate) fn unroll(
        &mut self,
        op: &'p Arc<Op>,
        courses: &Courses<'p>,
        fills: bool,
        state: &mut State,
    ) -> Followed<bool> {
        let OpKind::While { cond, body } = &op.kind else {
            return Ok(false);
        };
        if !fills || self.is_watched(op) || self.has_exit(body) {
            return Ok(false);
        }
        let Some(iterations) = self.constant_iterations(op, courses, state)? else {
            return Ok(false);
        };
        let nest = self.unrolled.saturating_mul(iterations.max(1));
        if nest > MOST_OF_A_NEST {
            return Ok(false);
        }
        let outside = std::mem::replace(&mut self.unrolled, nest);
        for _ in 0..iterations {
            let holds = self.scalar(cond, op, state)?;
            if self.terms.as_bool(holds) != Some(true) {
                return unfollowed("a loop that ends sooner than its counter says", op.span);
            }
            self.begin_round(state, Repeated::Loop(op.id));
            self.execute(body, state, &None)?;
            if state.ended {
                break;
            }
        }
        state.end_round(|round| round == Repeated::Loop(op.id));
        self.unrolled = outside;
        if !state.ended {
            let holds = self.scalar(cond, op, state)?;
            if self.terms.as_bool(holds) != Some(false) {
                return unfollowed("a loop that goes on after its counter's end", op.span);
            }
        }
        if self.trials == 0 {
            let span = op.span;
            let endless_if = Some(Vec::new());
            self.log.loops.push(LoopEnd { span, endless_if });
        }
        Ok(true)
    }

    /// How many iterations there are, if that is a small constant.
    fn constant_iterations(
        &mut self,
        op: &Op,
        courses: &Courses<'p>,
        state: &State,
    ) -> Followed<Option<u32>> {
        let OpKind::While { cond, .. } = &op.kind else {
            return Ok(None);
        };
        let is_regular = |course: &Course| matches!(course, Course::Regular(_));
        let mut tested = courses.assigned.iter().filter(|a| a.tested);
        if cond.has_load() || tested.any(|a| a.start.is_none() || !is_regular(&a.course)) {
            return Ok(None);
        }
        for number in 0..=MOST_ITERATIONS {
            let at = self.terms.bits(64, u64::from(number));
            let holds = self.holds_in(at, courses, cond, op, state)?;
            match self.terms.as_bool(holds) {
                Some(true) => {}
                Some(false) => return Ok(Some(number)),
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
