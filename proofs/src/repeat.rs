//! Loops. One generic iteration stands for all: the variables the body assigns take values that
//! are exact where the course of the variable is recognised (added to, shifted, unchanged) and
//! arbitrary otherwise.
//!
//! A loop without barriers is summarised: each thread is in an iteration of its own. In a loop
//! with barriers the iteration count is the same for all threads of a block in one interval,
//! which holds as long as the loop's condition is uniform; [`crate::interval`] has that proved.

use crate::induction::{ShiftKind, Step, step_of};
use crate::machine::{Counter, Followed, Item, LoopEnd, Machine, Rest, before, unfollowed};
use crate::simplify::{as_signed, mask};
use crate::term::{BitOp, Node, Order, Scope, Sort, TermId};
use crate::value::{State, SymValue, Target};
use gridlock_semantics::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::loops::reads;
use gridlock_semantics::operator::{Basic, Op, OpKind};
use gridlock_semantics::program::VarId;
use gridlock_semantics::types::Type;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Most attempts at recognising the courses of a loop's variables.
const MAX_ROUNDS: usize = 12;

#[derive(Clone, Debug)]
enum Course {
    /// Not recognised; `uniform` as far as is known.
    Arbitrary {
        uniform: bool,
    },
    Regular(Step),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

struct Assigned {
    var: VarId,
    start: Option<SymValue>,
    course: Course,
    /// The loop's condition reads it.
    tested: bool,
    /// The condition bounds it on this side: going there, its own step is taken not to overflow.
    bounded: Option<Side>,
    signed: bool,
    /// Its course is to be added to, by a constant other than 0.
    constant_step: bool,
    /// That constant is negative.
    goes_down: bool,
}

impl Assigned {
    /// Whether the condition bounds it on the side `step` goes to.
    fn is_bounded_by(&self, step: Step) -> bool {
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
        self.bounded == Some(side)
    }
}

/// A loop whose variables' courses are known as well as they will be.
pub(crate) struct Courses {
    assigned: Vec<Assigned>,
    /// The condition is uniform and nobody leaves the loop by `return`, provided the loop is
    /// entered together.
    uniform: bool,
}

/// Which iteration the variables are to be set for.
#[derive(Clone, Copy)]
struct Iteration {
    /// 64 bits.
    number: TermId,
    /// Who shares values that are not recognised.
    scope: Scope,
}

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

    /// That the step a loop just took did not overflow its counters.
    pub fn assume_steps(&mut self, counters: &[Counter], state: &mut State) {
        for counter in counters {
            let Some(SymValue::Scalar(next)) = state.get(counter.var) else {
                continue;
            };
            let (last, next) = (counter.value, *next);
            let width = self.terms.width(next);
            let order = if counter.signed {
                Order::SignedLessEq
            } else {
                Order::UnsignedLessEq
            };
            let fact = match counter.step {
                Step::Add { step, subtracts } => match self.terms.as_bits(step) {
                    Some(constant) if as_signed(constant, width) < 0 => {
                        self.terms.less(order, next, last)
                    }
                    Some(_) => self.terms.less(order, last, next),
                    None if subtracts => continue,
                    None => {
                        let zero = self.terms.bits(width, 0);
                        let positive = self.terms.less(order, zero, step);
                        let ordered = self.terms.less(order, last, next);
                        self.terms.implies(positive, ordered)
                    }
                },
                Step::Shift {
                    kind: ShiftKind::Left,
                    by,
                } => {
                    let back = if counter.signed {
                        BitOp::AShr
                    } else {
                        BitOp::LShr
                    };
                    let by = self.terms.bits(width, by);
                    let back = self.terms.bit(back, next, by);
                    self.terms.eq(back, last)
                }
                _ => continue,
            };
            self.assume(state, fact);
        }
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

    /// Recognises the courses of the variables the loop assigns. What a round finds holds for
    /// arbitrary values of the others, so later rounds may build on it.
    fn courses(&mut self, op: &'p Arc<Op>, state: &State, together: bool) -> Followed<Courses> {
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
                bounded: bounded_side(cond, var),
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
        courses: &mut Courses,
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

    /// Gives the loop's variables their values at the beginning of an iteration, and adds the
    /// facts that go with them to the path condition. Returns the conditions under which the loop
    /// might not end, when its counters are recognised.
    fn set_variables(
        &mut self,
        courses: &Courses,
        iteration: Iteration,
        state: &mut State,
    ) -> Option<Vec<TermId>> {
        let mut ends: Option<Vec<TermId>> = None;
        for one in &courses.assigned {
            let name = {
                let frame = state.frame();
                let decl = &self.program.proc(frame.proc).vars[one.var.0 as usize];
                decl.name.clone()
            };
            let value = match (&one.start, &one.course) {
                (None, _) => {
                    let frame = state.frame();
                    match self.program.proc(frame.proc).vars[one.var.0 as usize].ty {
                        Type::Scalar(ty) => {
                            let uniform = matches!(one.course, Course::Arbitrary { uniform: true });
                            let scope = if uniform {
                                iteration.scope
                            } else {
                                Scope::Thread
                            };
                            let sort = crate::value::sort_of(ty);
                            Some(SymValue::Scalar(self.terms.fresh(&*name, sort, scope)))
                        }
                        Type::Pointer(_) => None,
                    }
                }
                (Some(start), Course::Arbitrary { uniform }) => {
                    let scope = if *uniform {
                        iteration.scope
                    } else {
                        Scope::Thread
                    };
                    self.havoc(&name, start, scope)
                }
                (Some(SymValue::Scalar(start)), Course::Regular(step)) => {
                    let value = self.advance(*start, *step, one, iteration, state, &mut ends);
                    Some(SymValue::Scalar(value))
                }
                (Some(SymValue::Pointer(targets)), Course::Regular(step)) => {
                    let target = &targets[0];
                    let offset =
                        self.advance(target.offset, *step, one, iteration, state, &mut ends);
                    Some(SymValue::Pointer(vec![Target {
                        offset,
                        ..target.clone()
                    }]))
                }
            };
            state.set(one.var, value);
        }
        ends
    }

    /// The value of a variable of regular course after `iteration.number` iterations.
    fn advance(
        &mut self,
        start: TermId,
        step: Step,
        one: &Assigned,
        iteration: Iteration,
        state: &mut State,
        ends: &mut Option<Vec<TermId>>,
    ) -> TermId {
        if self.terms.sort(start) == Sort::Bool && !matches!(step, Step::Unchanged) {
            if let Step::Replaced(value) = step {
                let zero = self.terms.bits(64, 0);
                let first = self.terms.eq(iteration.number, zero);
                return self.terms.ite(first, start, value);
            }
            return self.terms.fresh("flag", Sort::Bool, Scope::Thread);
        }
        match step {
            Step::Unchanged => start,
            Step::Replaced(value) => {
                let zero = self.terms.bits(64, 0);
                let first = self.terms.eq(iteration.number, zero);
                self.terms.ite(first, start, value)
            }
            Step::Add { step, subtracts } => {
                self.advance_sum(start, step, subtracts, one, iteration, state, ends)
            }
            Step::Shift { kind, by } => {
                self.advance_shift(start, kind, by, one, iteration, state, ends)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn advance_sum(
        &mut self,
        start: TermId,
        step: TermId,
        subtracts: bool,
        one: &Assigned,
        iteration: Iteration,
        state: &mut State,
        ends: &mut Option<Vec<TermId>>,
    ) -> TermId {
        let width = self.terms.width(start);
        let zero = self.terms.bits(width, 0);
        let order = if one.signed {
            Order::SignedLessEq
        } else {
            Order::UnsignedLessEq
        };
        let value = match self.terms.as_bits(step) {
            Some(constant) => {
                let count = self.terms.low(width, iteration.number);
                let signed = as_signed(constant, width);
                let distance = self.terms.bit(BitOp::Mul, count, step);
                let value = self.terms.bit(BitOp::Add, start, distance);
                let towards = if signed > 0 { Side::Above } else { Side::Below };
                if one.bounded == Some(towards) && signed != 0 {
                    self.assumed_counters = true;
                    // The counter does not overflow.
                    let magnitude = signed.unsigned_abs();
                    let most = self.terms.bits(64, mask(width) / magnitude);
                    let bounded = self
                        .terms
                        .less(Order::UnsignedLessEq, iteration.number, most);
                    self.assume(state, bounded);
                    let (low, high) = if signed > 0 {
                        (start, value)
                    } else {
                        (value, start)
                    };
                    let ordered = self.terms.less(order, low, high);
                    self.assume(state, ordered);
                    ends.get_or_insert_default();
                }
                value
            }
            None => {
                // A multiple of the step: the factor is left out (it would ask the solver to
                // multiply), what is kept is the residue and the direction.
                let scope = iteration.scope.max(self.terms.scope(step));
                let sort = Sort::Bits(width);
                let distance = self.terms.fresh("distance", sort, scope);
                let value = self.terms.bit(BitOp::Add, start, distance);
                let towards = if subtracts { Side::Below } else { Side::Above };
                if one.bounded == Some(towards) {
                    self.assumed_counters = true;
                    let magnitude = if subtracts {
                        self.terms.bit(BitOp::Sub, zero, step)
                    } else {
                        step
                    };
                    let none = self.terms.eq(distance, zero);
                    let positive = self.terms.less(order, zero, magnitude);
                    let (low, high) = if subtracts {
                        (value, start)
                    } else {
                        (start, value)
                    };
                    let ordered = self.terms.less(order, low, high);
                    let ordered = self.terms.implies(positive, ordered);
                    self.assume(state, ordered);
                    if !subtracts {
                        let next = self.terms.bit(BitOp::Add, start, step);
                        let beyond = self.terms.less(order, next, value);
                        let no_wrap = self.terms.less(order, start, next);
                        let beyond = self.terms.and(beyond, no_wrap);
                        let beyond = self.terms.or(none, beyond);
                        let beyond = self.terms.implies(positive, beyond);
                        self.assume(state, beyond);
                        // For 0 ≤ start < step the residue of the value is the start.
                        let from_zero = self.terms.less(order, zero, start);
                        let strict = self.terms.less(order, step, start);
                        let below = self.terms.not(strict);
                        let small = self.terms.and(from_zero, below);
                        let residue = self.terms.intern(Node::Apply {
                            function: format!("residue{width}"),
                            result: sort,
                            args: vec![value, step],
                        });
                        let known = self.terms.eq(residue, start);
                        let known = self.terms.implies(small, known);
                        self.assume(state, known);
                    }
                    let still = self.terms.eq(step, zero);
                    ends.get_or_insert_default().push(still);
                }
                value
            }
        };
        value
    }

    #[allow(clippy::too_many_arguments)]
    fn advance_shift(
        &mut self,
        start: TermId,
        kind: ShiftKind,
        by: u64,
        one: &Assigned,
        iteration: Iteration,
        state: &mut State,
        ends: &mut Option<Vec<TermId>>,
    ) -> TermId {
        let width = self.terms.width(start);
        let number = iteration.number;
        let limit = self.terms.bits(64, (width as u64).div_ceil(by));
        let within = self.terms.less(Order::UnsignedLess, number, limit);
        let count = self.terms.low(width, number);
        let factor = self.terms.bits(width, by);
        let amount = self.terms.bit(BitOp::Mul, count, factor);
        let all = self.terms.bits(width, width as u64);
        let capped = self.terms.ite(within, amount, all);
        let zero = self.terms.bits(width, 0);
        let outside = self.terms.not(within);
        match kind {
            ShiftKind::Left if one.is_bounded_by(Step::Shift { kind, by }) => {
                self.assumed_counters = true;
                self.assume(state, within);
                let value = self.terms.bit(BitOp::Shl, start, amount);
                let back = if one.signed { BitOp::AShr } else { BitOp::LShr };
                let back = self.terms.bit(back, value, amount);
                let exact = self.terms.eq(back, start);
                self.assume(state, exact);
                let stuck = self.terms.eq(start, zero);
                ends.get_or_insert_default().push(stuck);
                value
            }
            ShiftKind::Left => self.terms.bit(BitOp::Shl, start, capped),
            ShiftKind::Right | ShiftKind::Arithmetic | ShiftKind::Quotient => {
                if one.tested {
                    ends.get_or_insert_default().push(outside);
                }
                let shifted = self.terms.bit(
                    if kind == ShiftKind::Arithmetic {
                        BitOp::AShr
                    } else {
                        BitOp::LShr
                    },
                    start,
                    capped,
                );
                if kind != ShiftKind::Quotient || self.terms.is_not_negative(start) {
                    return shifted;
                }
                let scope = iteration.scope.max(self.terms.scope(start));
                let other = self.terms.fresh("quotient", Sort::Bits(width), scope);
                let negative = self.terms.less(Order::SignedLess, start, zero);
                self.terms.ite(negative, other, shifted)
            }
        }
    }
}

impl Courses {
    /// The variables whose own step is taken not to overflow, as they are in `state`.
    fn counters(&self, state: &State) -> Rc<[Counter]> {
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
    fn steps(&self, var: VarId) -> bool {
        let regular = |a: &Assigned| a.var == var && a.constant_step;
        self.assigned.iter().any(regular)
    }
}

/// The variables of the running procedure that `op` assigns.
pub(crate) fn assigned_in(op: &Arc<Op>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    op.walk(&mut |o| match &o.kind {
        OpKind::Basic(
            Basic::Assign { var, .. } | Basic::Load { var, .. } | Basic::Alloc { var, .. },
        ) => {
            found.insert(*var);
        }
        OpKind::Basic(Basic::Atomic { result, .. }) | OpKind::Call { result, .. } => {
            found.extend(*result);
        }
        _ => {}
    });
    found
}

/// On which side a comparison that must hold for the loop to go on bounds `var`.
fn bounded_side(cond: &Expr, var: VarId) -> Option<Side> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return None;
    };
    let (less, more) = match op {
        BinaryOp::And => return bounded_side(a, var).or_else(|| bounded_side(b, var)),
        BinaryOp::Lt | BinaryOp::Le => (a, b),
        BinaryOp::Gt | BinaryOp::Ge => (b, a),
        _ => return None,
    };
    if is_counter(less, var) && !reads(more, var) {
        Some(Side::Above)
    } else if is_counter(more, var) && !reads(less, var) {
        Some(Side::Below)
    } else {
        None
    }
}

/// `var`, converted or with something else added.
fn is_counter(expr: &Expr, var: VarId) -> bool {
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
