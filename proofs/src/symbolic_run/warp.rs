//! What lanes of a warp compute together. All of them take part.

use super::accesses::WARP;
use super::run::{At, Run};
use super::value::{Held, Known};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::term::{BitOp, TermId};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, MathFn};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::WarpFn;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value as Constant;
use gridlock_semantics::block::warp::exchange;

impl Run<'_> {
    /// The exchange of one warp.
    pub fn exchange(
        &mut self,
        function: WarpFn,
        operands: &[Expr],
        result: Option<VarId>,
        warp: u32,
        there: &[At],
    ) -> Followed<()> {
        let lanes: Vec<At> = there
            .iter()
            .copied()
            .filter(|at| at.thread as u32 / WARP == warp)
            .collect();
        let Some(first) = lanes.first().copied() else {
            return Ok(());
        };
        if lanes.len() != WARP as usize {
            return unfollowed("an operation of a warp that is not whole", first.span);
        }
        let results = match (function, operands) {
            (WarpFn::Shuffle(mode), [value, which, width]) => {
                let mut given = Vec::new();
                let mut sources = Vec::new();
                for (lane, at) in (0..).zip(&lanes) {
                    given.push(self.copied(value, *at)?);
                    let which = self.number(which, *at)?;
                    let width = self.number(width, *at)?;
                    let operands = [Constant::Undef, which, width];
                    if exchange::check(function, WARP, &operands).is_err() {
                        return unfollowed("a shuffle of a width that is none", at.span);
                    }
                    sources.push(exchange::source(mode, lane, WARP, &operands).unwrap_or(lane));
                }
                let from = |source: &u32| given[*source as usize].clone();
                sources.iter().map(from).collect()
            }
            (WarpFn::Ballot, [cond]) => {
                let bits = self.set(&lanes, cond)?;
                self.for_all(bits)
            }
            (WarpFn::All | WarpFn::Any, [cond]) => {
                let mut holds = Vec::new();
                for at in &lanes {
                    holds.push(self.scalar(cond, *at)?);
                }
                let all = match function {
                    WarpFn::All => self.terms.all(&holds),
                    _ => {
                        let none = self.terms.bool(false);
                        holds
                            .iter()
                            .fold(none, |any, cond| self.terms.or(any, *cond))
                    }
                };
                let (one, zero) = (self.terms.bits(32, 1), self.terms.bits(32, 0));
                let number = self.terms.ite(all, one, zero);
                self.for_all(number)
            }
            (WarpFn::MatchAny, _) => {
                return unfollowed("`__match_any_sync`", first.span);
            }
            (_, [value]) => {
                let ty = value.scalar_type();
                let mut total = None;
                for at in &lanes {
                    let value = self.scalar(value, *at)?;
                    total = Some(match total {
                        None => value,
                        Some(total) => self.reduced(function, ty, [total, value], *at)?,
                    });
                }
                let Some(total) = total else { return Ok(()) };
                self.for_all(total)
            }
            _ => return unfollowed("an operation of a warp with other operands", first.span),
        };
        if let Some(var) = result {
            for (at, value) in lanes.iter().zip(&results) {
                self.assign(var, value, *at)?;
            }
        }
        Ok(())
    }

    /// A constant operand.
    fn number(&mut self, expr: &Expr, at: At) -> Followed<Constant> {
        let term = self.scalar(expr, at)?;
        let ty = expr.scalar_type();
        match self.constant(term, ty) {
            Some(constant) => Ok(constant),
            None => unfollowed("a shuffle from a lane that depends on inputs", at.span),
        }
    }

    /// The lanes on which a condition holds, a bit each.
    fn set(&mut self, lanes: &[At], cond: &Expr) -> Followed<TermId> {
        let zero = self.terms.bits(32, 0);
        let mut bits = zero;
        for (lane, at) in lanes.iter().enumerate() {
            let cond = self.scalar(cond, *at)?;
            let one = self.terms.bits(32, 1 << lane);
            let bit = self.terms.ite(cond, one, zero);
            bits = self.terms.bit(BitOp::Or, bits, bit);
        }
        Ok(bits)
    }

    fn for_all(&mut self, term: TermId) -> Vec<Held> {
        let value = self.certain(Known::Scalar(term));
        vec![Some(value); WARP as usize]
    }

    fn reduced(
        &mut self,
        function: WarpFn,
        ty: ScalarType,
        values: [TermId; 2],
        at: At,
    ) -> Followed<TermId> {
        let op = match function {
            WarpFn::ReduceAdd => BinaryOp::Add,
            WarpFn::ReduceAnd => BinaryOp::BitAnd,
            WarpFn::ReduceOr => BinaryOp::BitOr,
            WarpFn::ReduceXor => BinaryOp::BitXor,
            WarpFn::ReduceMin => return Ok(self.math(MathFn::Min, ty, &values)),
            WarpFn::ReduceMax => return Ok(self.math(MathFn::Max, ty, &values)),
            _ => return unfollowed("an operation of a warp", at.span),
        };
        self.binary(op, ty, None, values, at)
    }
}
