//! Cells that an observation map relates.

use super::observed::{Observed, Which};
use crate::machine::value::sort_of;
use crate::terms::function::Function;
use crate::terms::term::{BitOp, Node, TermId, Terms};
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value as Constant;
use gridlock_semantics::evaluation::arithmetic;
use smallvec::smallvec;

/// What one side of a relation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Related {
    /// An integer, of the type of what it stands beside.
    Number(i128),
    /// What a program leaves in a cell.
    Cell {
        /// Which program.
        which: Which,
        /// Which memory.
        of: Observed,
        /// The cell's number.
        cell: i64,
    },
    /// `+`, `-` or `*`
    Binary(BinaryOp, Box<Related>, Box<Related>),
}

impl Related {
    /// The memory that it speaks of.
    pub(super) fn memory(&self, found: &mut Vec<(Which, Observed)>) {
        match self {
            Related::Number(_) => {}
            Related::Cell { which, of, .. } => found.push((*which, *of)),
            Related::Binary(_, a, b) => {
                a.memory(found);
                b.memory(found);
            }
        }
    }

    /// Whether it speaks of what the old program leaves, and of nothing else.
    pub(super) fn is_of_old(&self) -> bool {
        let mut found = Vec::new();
        self.memory(&mut found);
        !found.is_empty() && found.iter().all(|(which, _)| *which == Which::Old)
    }
}

/// What a program leaves in a cell, with its type.
type Left<'l> = dyn FnMut(&mut Terms, Which, Observed, i64) -> Option<(ScalarType, TermId)> + 'l;

/// A term of a type; a number has none of its own.
enum Typed {
    Number(i128),
    Term(ScalarType, TermId),
}

/// Both sides of a relation as terms of one type, by what cells hold. `None`: they are not of one type, or an operation is not
/// known.
pub(super) fn sides(
    terms: &mut Terms,
    [one, other]: [&Related; 2],
    left: &mut Left<'_>,
) -> Option<(ScalarType, [TermId; 2])> {
    let (one, other) = (of(terms, one, left)?, of(terms, other, left)?);
    alike(terms, one, other)
}

fn of(terms: &mut Terms, related: &Related, left: &mut Left<'_>) -> Option<Typed> {
    Some(match related {
        Related::Number(number) => Typed::Number(*number),
        Related::Cell { which, of, cell } => {
            let (ty, term) = left(terms, *which, *of, *cell)?;
            Typed::Term(ty, term)
        }
        Related::Binary(op, a, b) => {
            let (a, b) = (of(terms, a, left)?, of(terms, b, left)?);
            let (ty, [a, b]) = alike(terms, a, b)?;
            Typed::Term(ty, binary(terms, *op, ty, [a, b])?)
        }
    })
}

fn alike(terms: &mut Terms, a: Typed, b: Typed) -> Option<(ScalarType, [TermId; 2])> {
    use Typed::{Number, Term};
    Some(match (a, b) {
        (Term(ty, a), Term(other, b)) => (ty == other).then_some((ty, [a, b]))?,
        (Term(ty, a), Number(b)) => (ty, [a, number(terms, b, ty)?]),
        (Number(a), Term(ty, b)) => (ty, [number(terms, a, ty)?, b]),
        (Number(_), Number(_)) => return None,
    })
}

fn number(terms: &mut Terms, number: i128, ty: ScalarType) -> Option<TermId> {
    let plain = Constant::int(ScalarType::I64, number);
    Some(match arithmetic::cast(plain, Type::Scalar(ty)).ok()? {
        Constant::Bool(b) => terms.bool(b),
        Constant::Int(ty, bits) => terms.bits(ty.bits(), bits),
        Constant::F32(bits) => terms.bits(32, u64::from(bits)),
        Constant::F64(bits) => terms.bits(64, bits),
        Constant::Undef | Constant::Pointer(_) => return None,
    })
}

/// As a run on unknown inputs has it.
fn binary(terms: &mut Terms, op: BinaryOp, ty: ScalarType, [a, b]: [TermId; 2]) -> Option<TermId> {
    if ty == ScalarType::Bool {
        return None;
    }
    if ty.is_float() {
        return Some(terms.intern(Node::Apply {
            function: Function::Operation(format!("{op:?} {ty:?}").into()),
            result: sort_of(ty),
            args: smallvec![a, b],
        }));
    }
    let op = match op {
        BinaryOp::Add => BitOp::Add,
        BinaryOp::Sub => BitOp::Sub,
        BinaryOp::Mul => BitOp::Mul,
        _ => return None,
    };
    Some(terms.bit(op, a, b))
}
