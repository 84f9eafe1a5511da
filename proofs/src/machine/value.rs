//! Symbolic values and the state of one generic thread.

use crate::terms::array_key::ArrayKey;
use crate::terms::term::{Sort, TermId, Terms};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::types::ScalarType;

/// One thing a pointer may point to: under `guard`, element `offset` (64 bits) of `array`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub guard: TermId,
    pub array: ArrayKey,
    pub offset: TermId,
}

/// The guards of a pointer's targets exclude each other, and one of them holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymValue {
    Scalar(TermId),
    Pointer(Vec<Target>),
}

/// Private variables of one procedure's activation; `None`: never written.
#[derive(Clone, Debug)]
pub struct Frame {
    pub proc: ProcId,
    pub vars: Vec<Option<SymValue>>,
}

/// One iteration of a loop, which may stand for all, or one call of a procedure: what is declared there begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    pub of: Repeated,
    /// No other round has it.
    pub number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// The `While`.
    Loop(OpId),
    Procedure(ProcId),
}

/// What a generic thread knows at a point of its run.
#[derive(Clone, Debug)]
pub struct State {
    pub frames: Vec<Frame>,
    /// The path condition: all of these hold.
    pub path: Vec<TermId>,
    /// The thread has ended on every way here.
    pub ended: bool,
    /// The iterations and calls that it is in, outermost first.
    pub rounds: Vec<Round>,
}

impl State {
    /// Leaves the innermost iteration or call for which `is_over` holds, and what is in it.
    pub fn end_round(&mut self, is_over: impl Fn(Repeated) -> bool) {
        if let Some(last) = self.rounds.iter().rposition(|round| is_over(round.of)) {
            self.rounds.truncate(last);
        }
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running thread has a frame")
    }

    pub fn get(&self, var: VarId) -> Option<&SymValue> {
        self.frame().vars[var.0 as usize].as_ref()
    }

    pub fn set(&mut self, var: VarId, value: Option<SymValue>) {
        let frame = self.frames.last_mut();
        frame.expect("a running thread has a frame").vars[var.0 as usize] = value;
    }
}

pub fn sort_of(ty: ScalarType) -> Sort {
    match ty {
        ScalarType::Bool => Sort::Bool,
        other => Sort::Bits(other.bits()),
    }
}

/// `if cond then a else b`, for values of one type.
pub fn select(terms: &mut Terms, cond: TermId, a: &SymValue, b: &SymValue) -> Option<SymValue> {
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (SymValue::Scalar(a), SymValue::Scalar(b)) => {
            Some(SymValue::Scalar(terms.ite(cond, *a, *b)))
        }
        (SymValue::Pointer(a), SymValue::Pointer(b)) => {
            if let ([x], [y]) = (a.as_slice(), b.as_slice())
                && x.array == y.array
            {
                let offset = terms.ite(cond, x.offset, y.offset);
                return Some(SymValue::Pointer(vec![Target {
                    offset,
                    ..x.clone()
                }]));
            }
            let otherwise = terms.not(cond);
            let mut targets = Vec::new();
            for (guard, from) in [(cond, a), (otherwise, b)] {
                for target in from {
                    let guard = terms.and(guard, target.guard);
                    targets.push(Target {
                        guard,
                        ..target.clone()
                    });
                }
            }
            Some(SymValue::Pointer(targets))
        }
        _ => None,
    }
}
