//! Subscripts as linear forms `c·i + d` over the loop variable.
//!
//! Conversions between wide integers are looked through, so two forms that differ may still wrap
//! to one value; the independence test says where that matters.

use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use std::collections::HashMap;

/// `coefficient · i + Σ atoms + constant`; atoms do not change within an iteration space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    pub coefficient: i128,
    pub atoms: HashMap<Term, i128>,
    pub constant: i128,
}

impl Linear {
    fn constant(value: i128) -> Linear {
        Linear {
            constant: value,
            ..Linear::default()
        }
    }

    fn plus(mut self, other: &Linear, sign: i128) -> Linear {
        self.coefficient += sign * other.coefficient;
        self.constant += sign * other.constant;
        for (atom, n) in &other.atoms {
            *self.atoms.entry(atom.clone()).or_default() += sign * n;
        }
        self.atoms.retain(|_, n| *n != 0);
        self
    }

    fn times(mut self, factor: i128) -> Linear {
        self.coefficient *= factor;
        self.constant *= factor;
        self.atoms.values_mut().for_each(|n| *n *= factor);
        self.atoms.retain(|_, n| *n != 0);
        self
    }

    fn as_constant(&self) -> Option<i128> {
        (self.coefficient == 0 && self.atoms.is_empty()).then_some(self.constant)
    }
}

/// The linear form of `term` over variable `i`; `is_invariant` says which other terms are fixed.
/// `None` when it is not linear.
pub fn linear(term: &Term, i: &Term, is_invariant: &dyn Fn(&Term) -> bool) -> Option<Linear> {
    let term = peel(term);
    if term == i {
        return Some(Linear {
            coefficient: 1,
            ..Linear::default()
        });
    }
    if let Some(value) = term.as_integer() {
        return (value.unsigned_abs() < 1 << 40).then(|| Linear::constant(value));
    }
    if !term.contains(i) && is_invariant(term) {
        let atoms = HashMap::from([(term.clone(), 1)]);
        return Some(Linear {
            atoms,
            ..Linear::default()
        });
    }
    let (Functor::Binary(op), [a, b]) = term.as_app()? else {
        return None;
    };
    let (a, b) = (linear(a, i, is_invariant)?, linear(b, i, is_invariant)?);
    match op {
        BinaryOp::Add => Some(a.plus(&b, 1)),
        BinaryOp::Sub => Some(a.plus(&b, -1)),
        BinaryOp::Mul => match (a.as_constant(), b.as_constant()) {
            (Some(factor), _) if factor.unsigned_abs() < 1 << 40 => Some(b.times(factor)),
            (_, Some(factor)) if factor.unsigned_abs() < 1 << 40 => Some(a.times(factor)),
            _ => None,
        },
        _ => None,
    }
}
