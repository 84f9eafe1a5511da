//! Choices by conditions: where it can be, one form that is right on both sides.

use super::{Atom, Cond, CondId, Field, Formed};
use crate::reals::polynomial::{AtomId, Number, Poly, PolyId};
use num_traits::{One, Signed};

impl Field {
    /// The first where the condition holds, else the second.
    pub fn choice(&mut self, cond: CondId, a: &Poly, b: &Poly) -> Formed<Poly> {
        if let Cond::Not(inner) = *self.cond_of(cond) {
            return self.choice(inner, b, a);
        }
        let (a, b) = (&self.under(a, cond, true)?, &self.under(b, cond, false)?);
        if a == b {
            return Ok(a.clone());
        }
        if let Cond::Positive(p) = *self.cond_of(cond)
            && let Some(chosen) = self.choice_by_sign(p, a, b)?
        {
            return Ok(chosen);
        }
        let (a, b) = (self.named(a.clone()), self.named(b.clone()));
        Ok(self.atom(Atom::Choice(cond, a, b)))
    }

    /// With what earlier choices by the same condition come to.
    fn under(&mut self, poly: &Poly, cond: CondId, holds: bool) -> Formed<Poly> {
        let mut poly = poly.clone();
        while let Some((atom, chosen)) = self.chosen_by(&poly, cond, holds) {
            let chosen = self.poly(chosen);
            poly = self.replaced(&poly, atom, &chosen)?;
        }
        Ok(poly)
    }

    /// A choice by a condition in a polynomial or its exponents that [can be replaced](Self::replaced), and what it comes to.
    fn chosen_by(&self, poly: &Poly, cond: CondId, holds: bool) -> Option<(AtomId, PolyId)> {
        poly.terms().find_map(|(monomial, _)| {
            let powers = monomial.powers.iter().filter(|(_, power)| *power > 0);
            let own = powers.filter_map(|(atom, _)| match self.atom_of(*atom) {
                Atom::Choice(by, a, b) if *by == cond => Some((*atom, if holds { *a } else { *b })),
                _ => None,
            });
            own.into_iter().next().or_else(|| match monomial.exponent {
                PolyId::ZERO => None,
                exponent => self.chosen_by(&self.poly(exponent), cond, holds),
            })
        })
    }

    /// The first where a polynomial is larger than 0, else the second: as one form that is both there.
    fn choice_by_sign(&mut self, p: PolyId, a: &Poly, b: &Poly) -> Formed<Option<Poly>> {
        let p = self.poly(p);
        // Where `p > 0` the first is larger, by a multiple of `p`.
        if let Some(ratio) = a.minus(b).ratio(&p) {
            let both = [a.clone(), b.clone()];
            return Ok(Some(match ratio.is_positive() {
                true => self.largest(&both)?,
                false => self.smallest(&both)?,
            }));
        }
        let more = self.largest(&[Poly::clone(&p), Poly::zero()])?;
        // By how much `p` is more than 0 is `p` on one side, and nothing on the other.
        let newest = more.terms().filter_map(|(monomial, factor)| {
            Poly::single(monomial.clone(), factor.clone()).as_atom()
        });
        let newest = newest.filter(|atom| matches!(self.atom_of(*atom), Atom::Largest(_)));
        if let Some(atom) = newest.max() {
            let rest = more.minus(&Poly::atom(atom));
            let (above, below) = (p.minus(&rest), rest.negated());
            let (a_above, b_above) = (
                self.replaced(a, atom, &above)?,
                self.replaced(b, atom, &above)?,
            );
            if a_above == b_above {
                return Ok(Some(b.clone()));
            }
            let (a_below, b_below) = (
                self.replaced(a, atom, &below)?,
                self.replaced(b, atom, &below)?,
            );
            if a_below == b_below {
                return Ok(Some(a.clone()));
            }
            return self.choice_of_powers(&p, &more, &a_above, &b_below);
        }
        self.choice_of_powers(&p, &more, a, b)
    }

    /// `p > 0 ? exp(k * p) * b : b` is `exp(k * max(p, 0)) * b`: a sum that is corrected when a maximum grows.
    fn choice_of_powers(
        &mut self,
        p: &Poly,
        more: &Poly,
        a: &Poly,
        b: &Poly,
    ) -> Formed<Option<Poly>> {
        let (Some((x, m)), Some((y, n))) = (self.lead(a), self.lead(b)) else {
            return Ok(None);
        };
        let apart = self.poly(x.exponent).minus(&self.poly(y.exponent));
        let Some(times) = apart.ratio(p).filter(|_| x.powers == y.powers && m == n) else {
            return Ok(None);
        };
        let factor = self.exp(&p.scaled(&times))?;
        if self.times(b, &factor)? != *a {
            return Ok(None);
        }
        let factor = self.exp(&more.scaled(&times))?;
        self.times(b, &factor).map(Some)
    }

    /// With an atom replaced where it stands by itself, in exponents too; not under a line or a function.
    fn replaced(&mut self, poly: &Poly, atom: AtomId, by: &Poly) -> Formed<Poly> {
        let mut result = Poly::zero();
        for (monomial, factor) in poly.terms() {
            let exponent = self.poly(monomial.exponent);
            let exponent = match exponent.is_zero() {
                true => Poly::one(),
                false => {
                    let exponent = self.replaced(&exponent, atom, by)?;
                    self.exp(&exponent)?
                }
            };
            let mut rest = monomial.clone();
            rest.exponent = PolyId::ZERO;
            let power = rest.powers.iter().find(|(other, _)| *other == atom);
            let power = power.map_or(0, |(_, power)| *power);
            let mut product = exponent;
            if power > 0 {
                rest.powers.retain(|(other, _)| *other != atom);
                let power = self.power(by, power)?;
                product = self.times(&product, &power)?;
            }
            let rest = Poly::single(rest, factor.clone());
            let product = self.times(&product, &rest)?;
            result.add_scaled(&product, &Number::one());
        }
        Ok(result)
    }
}
