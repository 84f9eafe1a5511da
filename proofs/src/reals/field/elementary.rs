//! Exponentials, logarithms and roots.

use super::sign::Sign;
use super::{Atom, Field, Formed, MOST_POWER, Stop};
use crate::reals::polynomial::{AtomId, Monomial, Number, Poly};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

impl Field {
    /// `e` to the power of a polynomial.
    pub fn exp(&mut self, poly: &Poly) -> Formed<Poly> {
        let (mut exponent, mut result) = (Poly::zero(), Poly::one());
        for (monomial, factor) in poly.terms() {
            let single = Poly::single(monomial.clone(), Number::one());
            let log = single.as_atom().map(|atom| &self.atoms[atom.0 as usize]);
            let times = factor.is_integer().then(|| factor.to_integer().to_i32());
            match (log, times.flatten()) {
                (Some(Atom::Log(of)), Some(times)) if times.abs() <= MOST_POWER => {
                    let of = self.poly(*of);
                    let power = self.power(&of, times)?;
                    result = self.times(&result, &power)?;
                }
                _ => exponent.add(monomial.clone(), factor.clone()),
            }
        }
        let exponent = self.named(exponent);
        let monomial = Monomial {
            exponent,
            ..Monomial::one()
        };
        self.times(&result, &Poly::single(monomial, Number::one()))
    }

    /// The natural logarithm: of a product with a power of e and with atoms that are certain to be positive, a sum.
    pub fn log(&mut self, poly: &Poly) -> Formed<Poly> {
        let (lead, _) = self.lead(poly).ok_or(Stop::NoNumber)?;
        let mut sum = Poly::clone(&self.poly(lead.exponent));
        let mut taken = Monomial {
            powers: Vec::new(),
            exponent: lead.exponent,
        };
        for (atom, power) in lead.powers {
            if self.sign_of_atom(atom) == Sign::Positive {
                let of = match self.atoms[atom.0 as usize] {
                    Atom::Sum(of) => of,
                    _ => self.named(Poly::atom(atom)),
                };
                let log = self.atom(Atom::Log(of));
                sum.add_scaled(&log, &Number::from_integer(power.into()));
                taken.powers.push((atom, power));
            }
        }
        let rest = self.without(poly, &taken)?;
        match rest.as_constant() {
            Some(number) if number.is_one() => return Ok(sum),
            Some(number) if !number.is_positive() => return Err(Stop::NoNumber),
            _ => {}
        }
        let rest = self.named(rest);
        let log = self.atom(Atom::Log(rest));
        self.plus(&sum, &log)
    }

    /// The root that is not negative.
    pub fn root(&mut self, poly: &Poly) -> Formed<Poly> {
        if let Some(number) = poly.as_constant() {
            if number.is_negative() {
                return Err(Stop::NoNumber);
            }
            if let Some(root) = root_of(&number) {
                return Ok(Poly::constant(root));
            }
        }
        let Some((lead, factor)) = self.lead(poly) else {
            return Ok(Poly::zero());
        };
        let is_square = lead.powers.iter().all(|(_, power)| power % 2 == 0);
        if poly.len() == 1
            && is_square
            && let Some(root) = root_of(&factor)
        {
            let powers = lead.powers.iter().map(|(atom, power)| (*atom, power / 2));
            let half = Number::new(1.into(), 2.into());
            let exponent = self.poly(lead.exponent).scaled(&half);
            let exponent = self.named(exponent);
            let of_powers: Vec<(AtomId, i32)> = powers.collect();
            let inner = self.product_of(&of_powers, exponent)?.scaled(&root);
            return self.largest(&[inner.clone(), inner.negated()]);
        }
        let (rest, outside) = match root_of(&factor.abs()) {
            Some(root) => (poly.scaled(&factor.abs().recip()), root),
            None => (poly.clone(), Number::one()),
        };
        let rest = self.named(rest);
        Ok(self.atom(Atom::Root(rest)).scaled(&outside))
    }
}

/// The root of a number that is a square.
fn root_of(number: &Number) -> Option<Number> {
    if number.is_negative() {
        return None;
    }
    let root = |whole: &BigInt| {
        let root = whole.sqrt();
        (&root * &root == *whole).then_some(root)
    };
    Some(Number::new(root(number.numer())?, root(number.denom())?))
}
