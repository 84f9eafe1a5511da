//! The steps of counters: a loop's condition bounds its counter, and what is known of the counter
//! in an iteration holds as long as no step of it wraps around. Each loop notes what that asks.

use crate::machine::courses::{Assigned, Bound, Course, Courses, Side};
use crate::machine::iterate::order_of;
use crate::machine::state::{CounterStep, Followed, Machine};
use crate::machine::value::{State, SymValue};
use crate::terms::induction::{ShiftKind, Step};
use crate::terms::term::{BitOp, Order, Sort, TermId};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::analysis::loops::reads;
use gridlock_semantics::print;
use std::sync::Arc;

impl<'p> Machine<'p> {
    /// Notes the steps of the counters of a loop that stands in `inside`, where the condition holds.
    pub(crate) fn note_steps(
        &mut self,
        courses: &Courses<'p>,
        op: &'p Arc<Op>,
        inside: &State,
        held_before: Option<TermId>,
    ) -> Followed<()> {
        if self.trials > 0 {
            return Ok(());
        }
        let OpKind::While { body, .. } = &op.kind else {
            return Ok(());
        };
        let mut path = self.path(inside);
        if let Some(held) = held_before {
            path = self.terms.and(path, held);
        }
        for one in &courses.assigned {
            let (Course::Regular(step), Some(bound)) = (&one.course, one.bound) else {
                continue;
            };
            if !one.is_bounded_by(*step) {
                continue;
            }
            let value = match inside.get(one.var) {
                Some(SymValue::Scalar(value)) => *value,
                Some(SymValue::Pointer(targets)) => targets[0].offset,
                None => continue,
            };
            let Some(wraps) = self.wraps(value, *step, one.signed) else {
                continue;
            };
            let (program, proc) = (self.program, inside.frame().proc);
            let decl = &program.proc(proc).vars[one.var.0 as usize];
            let small_limit = self.small_limit(one, bound, op, inside)?;
            let noted = CounterStep {
                op: op.id,
                var: one.var,
                span: op.span,
                path,
                wraps,
                signed_throughout: is_signed_and_wide(body, one.var, decl.ty),
                room: self.room(one, *step, bound, op, inside)?,
                small_limit,
                width: self.terms.width(value),
                signed: one.signed,
                counter: program.source_name(&decl.name).to_owned(),
                limit: program.in_source_names(&print::expr(program, proc, bound.limit)),
            };
            self.log.counted.push(noted);
        }
        Ok(())
    }

    /// Under which a counter of value `value` wraps around in its step; `None` for steps of which
    /// nothing is assumed.
    fn wraps(&mut self, value: TermId, step: Step, signed: bool) -> Option<TermId> {
        let order = order_of(signed);
        let width = self.terms.width(value);
        match step {
            Step::Add { step, subtracts } => {
                let zero = self.terms.bits(width, 0);
                let next = self.terms.bit(BitOp::Add, value, step);
                let constant = self.terms.as_bits(step);
                let down = match constant {
                    Some(constant) => crate::terms::simplify::as_signed(constant, width) < 0,
                    None => subtracts,
                };
                let (low, high) = if down { (next, value) } else { (value, next) };
                let ordered = self.terms.less(order, low, high);
                let wraps = self.terms.not(ordered);
                if constant.is_some() {
                    return Some(wraps);
                }
                let magnitude = if subtracts {
                    self.terms.bit(BitOp::Sub, zero, step)
                } else {
                    step
                };
                let positive = self.terms.less(order, zero, magnitude);
                Some(self.terms.and(positive, wraps))
            }
            Step::Shift {
                kind: ShiftKind::Left,
                by,
            } => {
                let by = self.terms.bits(width, by);
                let next = self.terms.bit(BitOp::Shl, value, by);
                let back = if signed { BitOp::AShr } else { BitOp::LShr };
                let back = self.terms.bit(back, next, by);
                let exact = self.terms.eq(back, value);
                Some(self.terms.not(exact))
            }
            _ => None,
        }
    }

    /// What a counter is compared with, in the counter's width.
    fn limit(
        &mut self,
        one: &Assigned<'_>,
        bound: Bound<'_>,
        op: &Op,
        inside: &State,
    ) -> Followed<Option<(TermId, u32)>> {
        let width = match inside.get(one.var) {
            Some(SymValue::Scalar(value)) => self.terms.width(*value),
            _ => return Ok(None),
        };
        let Type::Scalar(ty) = bound.limit.ty else {
            return Ok(None);
        };
        self.trials += 1;
        let limit = self.scalar(bound.limit, op, &mut inside.clone());
        self.trials -= 1;
        let limit = limit?;
        let Sort::Bits(_) = self.terms.sort(limit) else {
            return Ok(None);
        };
        Ok(Some((self.resize(limit, ty, width), width)))
    }

    /// That the bound above an unsigned counter lies in the lower half of its range.
    fn small_limit(
        &mut self,
        one: &Assigned<'_>,
        bound: Bound<'_>,
        op: &Op,
        inside: &State,
    ) -> Followed<Option<(TermId, String)>> {
        if one.signed || bound.side != Side::Above {
            return Ok(None);
        }
        let Some((limit, width)) = self.limit(one, bound, op, inside)? else {
            return Ok(None);
        };
        let proc = inside.frame().proc;
        let procedure = self.program.proc(proc);
        // What a condition at the beginning of the kernel can speak of: parameters as they were given.
        let is_given =
            |var: &VarId| !gridlock_semantics::analysis::loops::assigns(&procedure.body, *var);
        let params: Vec<VarId> = procedure.own_params().filter(is_given).collect();
        let mut is_of_parameters = procedure.kind == ProcKind::Kernel;
        bound.limit.walk(&mut |e| match &e.kind {
            ExprKind::Var(var) => is_of_parameters &= params.contains(var),
            ExprKind::Load(_) => is_of_parameters = false,
            _ => {}
        });
        if !is_of_parameters {
            return Ok(None);
        }
        let greatest = crate::terms::simplify::mask(width) >> 1;
        let half = self.terms.bits(width, greatest);
        let is_small = self.terms.less(Order::UnsignedLessEq, limit, half);
        let print = |e: &Expr| gridlock_semantics::print::expr(self.program, proc, e);
        // A signed number that is converted is small where it is not negative.
        let text = match &bound.limit.kind {
            ExprKind::Cast(from)
                if from
                    .ty
                    .scalar()
                    .is_some_and(|ty| ty.is_signed() && ty.bits() <= width) =>
            {
                format!("{} >= 0", print(from))
            }
            _ => format!("{} <= {greatest}", print(bound.limit)),
        };
        Ok(Some((is_small, text)))
    }

    /// That the last value the bound admits may take the step without wrapping around.
    fn room(
        &mut self,
        one: &Assigned<'_>,
        step: Step,
        bound: Bound<'_>,
        op: &Op,
        inside: &State,
    ) -> Followed<Vec<TermId>> {
        let Some((limit, width)) = self.limit(one, bound, op, inside)? else {
            return Ok(vec![]);
        };
        let (order, strictly) = (order_of(one.signed), strict(one.signed));
        let mut last = limit;
        let mut empty = self.terms.bool(false);
        if bound.strict {
            let one_more = self.terms.bits(width, 1);
            let least = if one.signed { 1 << (width - 1) } else { 0 };
            let greatest = least ^ crate::terms::simplify::mask(width);
            if bound.side == Side::Above {
                last = self.terms.bit(BitOp::Sub, limit, one_more);
                let least = self.terms.bits(width, least);
                empty = self.terms.less(order, limit, least);
            } else {
                last = self.terms.bit(BitOp::Add, limit, one_more);
                let greatest = self.terms.bits(width, greatest);
                empty = self.terms.less(order, greatest, limit);
            }
        }
        let Some(wraps) = self.wraps(last, step, one.signed) else {
            return Ok(vec![]);
        };
        let fits = self.terms.not(wraps);
        let room = self.terms.or(empty, fits);
        let zero = self.terms.bits(width, 0);
        let negative = self.terms.less(strictly, limit, zero);
        let not_negative = self.terms.not(negative);
        let both = self.terms.and(room, not_negative);
        Ok(if one.signed {
            vec![room, both]
        } else {
            vec![room]
        })
    }
}

fn strict(signed: bool) -> Order {
    if signed {
        Order::SignedLess
    } else {
        Order::UnsignedLess
    }
}

/// Whether the body computes `var`, a signed number of 32 bits or more, in such numbers of bits only: then
/// it overflows where C++ leaves that undefined, or where an unsigned sum is converted to it.
fn is_signed_and_wide(body: &Arc<Op>, var: VarId, ty: Type) -> bool {
    let Type::Scalar(scalar) = ty else {
        return true;
    };
    let mut wide = scalar.is_signed() && scalar.bits() >= 32;
    body.walk(&mut |op| match &op.kind {
        OpKind::Basic(Basic::Assign { var: to, value }) if *to == var => {
            wide &= is_wide_throughout(value, var);
        }
        OpKind::Basic(basic) => wide &= basic.assigned() != Some(var),
        OpKind::Call { result, .. } => wide &= *result != Some(var),
        _ => {}
    });
    wide
}

/// Whether what becomes of `var` in `expr` is computed by additions and multiplications in 32 bits
/// or more.
fn is_wide_throughout(expr: &Expr, var: VarId) -> bool {
    let is_wide = |e: &Expr| {
        let ty = e.ty.scalar();
        ty.is_some_and(|ty| ty.is_integer() && ty.bits() >= 32)
    };
    if !reads(expr, var) {
        return true;
    }
    match &expr.kind {
        ExprKind::Var(_) => is_wide(expr),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            is_wide(expr) && is_wide_throughout(a, var) && is_wide_throughout(b, var)
        }
        ExprKind::Cast(a) => is_wide(expr) && is_wide_throughout(a, var),
        _ => false,
    }
}
