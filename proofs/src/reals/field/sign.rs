//! What follows of the sign of a number from its form alone.

use super::{Atom, Field};
use crate::reals::polynomial::{AtomId, Monomial, Number, Poly, PolyId};
use num_traits::{One, Signed};

/// What is known of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Positive,
    NotNegative,
    Unknown,
}

impl Field {
    /// What follows of the sign from the form alone.
    pub fn sign(&self, poly: &Poly) -> Sign {
        match self.sign_of_sum(poly) {
            Sign::Unknown => self.sign_of_largest(poly),
            sign => sign,
        }
    }

    /// The largest of several is at least each of them, and at least half of the sum of two.
    fn sign_of_largest(&self, poly: &Poly) -> Sign {
        let members = self.members(poly);
        let mut best = Sign::Unknown;
        let mut meet = |sign: Sign| match sign {
            Sign::Positive => best = Sign::Positive,
            Sign::NotNegative if best == Sign::Unknown => best = Sign::NotNegative,
            _ => {}
        };
        match members.as_slice() {
            [_] => {}
            [a, b] => {
                let mut sum = a.clone();
                sum.add_scaled(b, &Number::one());
                meet(self.sign_of_sum(&sum));
                members
                    .iter()
                    .for_each(|member| meet(self.sign_of_sum(member)));
            }
            _ => members
                .iter()
                .for_each(|member| meet(self.sign_of_sum(member))),
        }
        best
    }

    fn sign_of_sum(&self, poly: &Poly) -> Sign {
        let mut sign = Sign::NotNegative;
        for (monomial, factor) in poly.terms() {
            if factor.is_negative() {
                return Sign::Unknown;
            }
            match self.sign_of_product(monomial) {
                Sign::Unknown => return Sign::Unknown,
                Sign::Positive => sign = Sign::Positive,
                Sign::NotNegative => {}
            }
        }
        sign
    }

    fn sign_of_product(&self, monomial: &Monomial) -> Sign {
        let mut sign = Sign::Positive;
        for (atom, power) in &monomial.powers {
            match self.sign_of_atom(*atom) {
                Sign::Positive => {}
                Sign::Unknown if power % 2 != 0 => return Sign::Unknown,
                // Forms divide by what a program does not divide by: `x * x / (x * x + y * y)` is one over `1 + y * y / (x * x)`.
                _ if *power < 0 => return Sign::Unknown,
                _ => sign = Sign::NotNegative,
            }
        }
        sign
    }

    pub(super) fn sign_of_atom(&self, atom: AtomId) -> Sign {
        let of = |id: &PolyId| self.sign(&self.polys[id.0 as usize]);
        match &self.atoms[atom.0 as usize] {
            Atom::Sum(inner) => of(inner),
            Atom::Root(inner) => match of(inner) {
                Sign::Positive => Sign::Positive,
                _ => Sign::NotNegative,
            },
            Atom::Largest(members) => match members.iter().any(|id| of(id) == Sign::Positive) {
                true => Sign::Positive,
                // One of them is 0.
                false => Sign::NotNegative,
            },
            Atom::Choice(_, a, b) => match (of(a), of(b)) {
                (Sign::Unknown, _) | (_, Sign::Unknown) => Sign::Unknown,
                (Sign::Positive, Sign::Positive) => Sign::Positive,
                _ => Sign::NotNegative,
            },
            Atom::Term(_) | Atom::Log(_) | Atom::Function(..) => Sign::Unknown,
        }
    }
}
