//! Courses: how the variables a loop assigns go from iteration to iteration. What is recognised is
//! exact; the rest is arbitrary, as one value for all threads where the body keeps it uniform.

use crate::machine::state::{Counter, Followed, Machine, unfollowed};
use crate::machine::value::{State, SymValue};
use crate::terms::induction::{ShiftKind, Step, step_of};
use crate::terms::simplify::as_signed;
use crate::terms::term::{Scope, Sort, TermId};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::analysis::loops::reads;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Most attempts at recognising the courses of a loop's variables.
const MAX_ROUNDS: usize = 12;

#[derive(Clone, Debug)]
pub(crate) enum Course {
    /// Not recognised; `uniform` as far as is known.
    Arbitrary {
        uniform: bool,
    },
    Regular(Step),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    Below,
}

/// What a comparison that must hold for the loop to go on says of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'p> {
    pub side: Side,
    /// What the variable, converted or with something else added, is compared
    /// with; it does not read the variable.
    pub limit: &'p Expr,
    /// The variable is not equal to it.
    pub strict: bool,
}

pub(crate) struct Assigned<'p> {
    pub var: VarId,
    pub start: Option<SymValue>,
    pub course: Course,
    /// The loop's condition reads it.
    pub tested: bool,
    /// The condition bounds it: going there, its own step is taken not to wrap around, which
    /// [`crate::counters`] sees to.
    pub bound: Option<Bound<'p>>,
    pub signed: bool,
    /// Its course is to be added to, by a constant other than 0.
    pub constant_step: bool,
    /// That constant is negative.
    pub goes_down: bool,
}

impl Assigned<'_> {
    /// Whether the condition bounds it on the side `step` goes to.
    pub fn is_bounded_by(&self, step: Step) -> bool {
        let side = match step {
            Step::Add { subtracts, .. } if !self.constant_step => {
                if subtracts {
                    Side::Below
                } else {
                    Side::Above
                }
            }
            Step::Add { .. } if self.goes_down => Side::Below,
            Step::Add { .. }
            | Step::Shift {
                kind: ShiftKind::Left,
                ..
            } => Side::Above,
            _ => return false,
        };
        self.bound.is_some_and(|bound| bound.side == side)
    }
}

/// A loop whose variables' courses are known as well as they will be.
pub(crate) struct Courses<'p> {
    pub assigned: Vec<Assigned<'p>>,
    /// The condition is uniform and no thread leaves the loop by `return`, provided the loop is
    /// entered together.
    pub uniform: bool,
}

/// Which iteration the variables are to be set for.
#[derive(Clone, Copy)]
pub(crate) struct Iteration {
    /// 64 bits.
    pub number: TermId,
    /// Who shares values that are not recognised.
    pub scope: Scope,
}

impl<'p> Machine<'p> {
    /// Recognises the courses of the variables the loop assigns. What a round finds holds for
    /// arbitrary values of the others, so later rounds may build on it.
    pub(crate) fn courses(
        &mut self,
        op: &'p Arc<Op>,
        state: &State,
        together: bool,
    ) -> Followed<Courses<'p>> {
        let OpKind::While { cond, body } = &op.kind else {
            return unfollowed("a loop expected", op.span);
        };
        let mark = self.terms.mark();
        let program = self.program;
        let vars = &program.proc(state.frame().proc).vars;
        let mut assigned = Vec::new();
        for var in assigned_in(body) {
            let start = state.get(var).cloned();
            let uniform = together
                && start.as_ref().is_none_or(|value| match value {
                    SymValue::Scalar(term) => self.terms.is_uniform(*term),
                    SymValue::Pointer(targets) => targets
                        .iter()
                        .all(|t| self.terms.is_uniform(t.guard) && self.terms.is_uniform(t.offset)),
                });
            if let Some(SymValue::Pointer(targets)) = &start
                && targets.len() != 1
            {
                return unfollowed("a pointer to several arrays, moved in a loop", op.span);
            }
            let ty = vars[var.0 as usize].ty;
            assigned.push(Assigned {
                var,
                start,
                course: Course::Arbitrary { uniform },
                tested: reads(cond, var),
                bound: if self.wrapping.contains(&(op.id, var)) {
                    None
                } else {
                    bound_of(cond, var)
                },
                signed: ty.scalar().is_none_or(|s| s.is_signed()),
                constant_step: false,
                goes_down: false,
            });
        }
        let mut courses = Courses {
            assigned,
            uniform: false,
        };
        for _ in 0..MAX_ROUNDS {
            let number = self.terms.fresh("trial", Sort::Bits(64), Scope::Interval);
            let iteration = Iteration {
                number,
                scope: Scope::Interval,
            };
            let mut run = state.clone();
            self.set_variables(&courses, iteration, &mut run);
            let begin = run.clone();
            self.trials += 1;
            let tried = (|| {
                let holds = self.scalar(cond, op, &mut run)?;
                self.assume(&mut run, holds);
                self.execute(body, &mut run, &None)?;
                Ok(holds)
            })();
            self.trials -= 1;
            let holds: TermId = tried?;
            courses.uniform = together && self.terms.is_uniform(holds) && !self.has_exit(body);
            if run.ended {
                // No iteration has a next one.
                return Ok(courses);
            }
            if !self.learn(&mut courses, &begin, &run, mark, op)? {
                return Ok(courses);
            }
        }
        for one in &mut courses.assigned {
            if let Course::Arbitrary { uniform } = &mut one.course {
                *uniform = false;
            }
        }
        courses.uniform = false;
        Ok(courses)
    }

    /// Compares the state after one iteration with the state before; whether anything was learnt.
    fn learn(
        &mut self,
        courses: &mut Courses<'p>,
        begin: &State,
        end: &State,
        mark: u32,
        op: &Op,
    ) -> Followed<bool> {
        let mut learnt = false;
        for one in &mut courses.assigned {
            let Course::Arbitrary { uniform } = one.course else {
                continue;
            };
            let (before, after) = match (begin.get(one.var), end.get(one.var)) {
                (Some(SymValue::Scalar(a)), Some(SymValue::Scalar(b))) => (*a, *b),
                (Some(SymValue::Pointer(a)), Some(SymValue::Pointer(b))) => {
                    let (a, [b]) = (&a[0], b.as_slice()) else {
                        return unfollowed("a pointer to several arrays, moved in a loop", op.span);
                    };
                    if a.array != b.array {
                        return unfollowed("a pointer that changes its array in a loop", op.span);
                    }
                    (a.offset, b.offset)
                }
                // Not set before the loop: what the body sets, it sets anew.
                (None, _) => continue,
                _ => {
                    one.start = None;
                    learnt = true;
                    continue;
                }
            };
            // Without a start value there is nothing to count from.
            if one.start.is_some()
                && self.terms.as_symbol(before).is_some()
                && let Some(step) = step_of(&mut self.terms, before, after, mark)
            {
                if let Step::Add { step, .. } = step
                    && let Some(constant) = self.terms.as_bits(step)
                {
                    one.constant_step = constant != 0;
                    one.goes_down = as_signed(constant, self.terms.width(step)) < 0;
                }
                one.course = Course::Regular(step);
                learnt = true;
            } else if uniform && !self.terms.is_uniform(after) {
                one.course = Course::Arbitrary { uniform: false };
                learnt = true;
            }
        }
        Ok(learnt)
    }
}

impl Courses<'_> {
    /// The variables whose own step is taken not to overflow, as they are in `state`.
    pub fn counters(&self, state: &State) -> Rc<[Counter]> {
        let counter = |a: &Assigned| {
            let (Course::Regular(step), Some(SymValue::Scalar(value))) =
                (&a.course, state.get(a.var))
            else {
                return None;
            };
            a.is_bounded_by(*step).then_some(Counter {
                var: a.var,
                value: *value,
                step: *step,
                signed: a.signed,
            })
        };
        self.assigned.iter().filter_map(counter).collect()
    }

    /// Whether `var` goes in steps of one known size.
    pub fn steps(&self, var: VarId) -> bool {
        let regular = |a: &Assigned| a.var == var && a.constant_step;
        self.assigned.iter().any(regular)
    }
}

/// The variables of the running procedure that `op` assigns.
pub(crate) fn assigned_in(op: &Arc<Op>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    op.walk(&mut |o| match &o.kind {
        OpKind::Basic(basic) => found.extend(basic.assigned()),
        OpKind::Call { result, .. } => found.extend(*result),
        _ => {}
    });
    found
}

/// How a comparison that must hold for the loop to go on bounds `var`.
fn bound_of(cond: &Expr, var: VarId) -> Option<Bound<'_>> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return None;
    };
    let (less, more) = match op {
        BinaryOp::And => return bound_of(a, var).or_else(|| bound_of(b, var)),
        BinaryOp::Lt | BinaryOp::Le => (a, b),
        BinaryOp::Gt | BinaryOp::Ge => (b, a),
        _ => return None,
    };
    let strict = matches!(op, BinaryOp::Lt | BinaryOp::Gt);
    let bound = |side, limit| {
        Some(Bound {
            side,
            limit,
            strict,
        })
    };
    if is_counter(less, var) && !reads(more, var) {
        bound(Side::Above, more)
    } else if is_counter(more, var) && !reads(less, var) {
        bound(Side::Below, less)
    } else {
        None
    }
}

/// `var`, converted or with something else added.
pub(crate) fn is_counter(expr: &Expr, var: VarId) -> bool {
    match &expr.kind {
        ExprKind::Var(v) => *v == var,
        ExprKind::Cast(a) => is_counter(a, var),
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            is_counter(a, var) && !reads(b, var) || is_counter(b, var) && !reads(a, var)
        }
        ExprKind::Binary(BinaryOp::Sub, a, b) => is_counter(a, var) && !reads(b, var),
        _ => false,
    }
}
