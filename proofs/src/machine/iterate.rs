//! The values of a loop's variables in an iteration, from their courses.

use crate::machine::courses::{Assigned, Course, Courses, Iteration};
use crate::machine::state::{Counter, Machine};
use crate::machine::value::{State, SymValue, Target};
use crate::terms::function::Function;
use crate::terms::induction::{ShiftKind, Step};
use crate::terms::simplify::{as_signed, mask};
use crate::terms::term::{BitOp, Node, Order, Scope, Sort, TermId};
use gridlock_semantics::algebra::types::Type;
use smallvec::smallvec;

/// How a counter's values are compared.
pub(crate) fn order_of(signed: bool) -> Order {
    if signed {
        Order::SignedLessEq
    } else {
        Order::UnsignedLessEq
    }
}

impl Machine<'_> {
    /// That the step a loop just took did not overflow its counters.
    pub fn assume_steps(&mut self, counters: &[Counter], state: &mut State) {
        for counter in counters {
            let Some(SymValue::Scalar(next)) = state.get(counter.var) else {
                continue;
            };
            let (last, next) = (counter.value, *next);
            let width = self.terms.width(next);
            let order = order_of(counter.signed);
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

    /// Gives the loop's variables their values at the beginning of an iteration, and adds the
    /// facts that go with them to the path condition. Returns the conditions under which the loop
    /// might not end, when its counters are recognised.
    pub(crate) fn set_variables(
        &mut self,
        courses: &Courses<'_>,
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
                            let sort = crate::machine::value::sort_of(ty);
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
        one: &Assigned<'_>,
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
        one: &Assigned<'_>,
        iteration: Iteration,
        state: &mut State,
        ends: &mut Option<Vec<TermId>>,
    ) -> TermId {
        let width = self.terms.width(start);
        let zero = self.terms.bits(width, 0);
        let order = order_of(one.signed);
        match self.terms.as_bits(step) {
            Some(constant) => {
                let count = self.terms.low(width, iteration.number);
                let signed = as_signed(constant, width);
                let distance = self.terms.bit(BitOp::Mul, count, step);
                let value = self.terms.bit(BitOp::Add, start, distance);
                if signed != 0 && one.is_bounded_by(Step::Add { step, subtracts }) {
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
                if one.is_bounded_by(Step::Add { step, subtracts }) {
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
                            function: Function::Residue(width),
                            result: sort,
                            args: smallvec![value, step],
                        });
                        let known = self.terms.eq(residue, start);
                        let known = self.terms.implies(small, known);
                        self.assume(state, known);
                    }
                    // A step of 0, or away from the bound.
                    let still = self.terms.less(order, magnitude, zero);
                    ends.get_or_insert_default().push(still);
                }
                value
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn advance_shift(
        &mut self,
        start: TermId,
        kind: ShiftKind,
        by: u64,
        one: &Assigned<'_>,
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
                // From 0 it stays 0, in any iteration.
                let still = self.terms.eq(start, zero);
                let known = self.terms.or(within, still);
                self.assume(state, known);
                let value = self.terms.bit(BitOp::Shl, start, amount);
                let back = if one.signed { BitOp::AShr } else { BitOp::LShr };
                let back = self.terms.bit(back, value, amount);
                let exact = self.terms.eq(back, start);
                self.assume(state, exact);
                let order = order_of(one.signed);
                // It never grows.
                let stuck = self.terms.less(order, start, zero);
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
