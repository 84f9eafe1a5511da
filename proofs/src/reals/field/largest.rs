//! The largest of several.

use super::{Atom, Field, Formed, Stop};
use crate::reals::polynomial::{AtomId, Monomial, Number, Poly, PolyId};
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

impl Field {
    /// The largest of one or more: the least of them, in an order that sums keep, and by how much the largest is more.
    pub fn largest(&mut self, of: &[Poly]) -> Formed<Poly> {
        // `max(a - max(b, c), 0)` is `max(a, b, c) - max(b, c)`.
        if let Some(subtracted) = of.iter().find_map(|poly| self.subtracted_largest(poly)) {
            let largest = Poly::atom(subtracted);
            let more: Vec<Poly> = of
                .iter()
                .map(|poly| self.plus(poly, &largest))
                .collect::<Formed<_>>()?;
            return Ok(self.largest(&more)?.minus(&largest));
        }
        // By what is left without a number: of these the one with the largest number stays.
        let mut kept: FxHashMap<Poly, Number> = FxHashMap::default();
        let members: Vec<Poly> = of.iter().flat_map(|poly| self.members(poly)).collect();
        for member in members {
            self.count(member.len())?;
            let number = member
                .terms()
                .find(|(monomial, _)| monomial.is_one())
                .map_or_else(Number::zero, |(_, factor)| factor.clone());
            let rest = member.minus(&Poly::constant(number.clone()));
            let entry = kept.entry(rest).or_insert_with(|| number.clone());
            if *entry < number {
                *entry = number;
            }
        }
        let with_number = |(mut rest, number): (Poly, Number)| {
            rest.add(Monomial::one(), number);
            rest
        };
        let members: Vec<Poly> = kept.into_iter().map(with_number).collect();
        let Some(least) = members.iter().min_by(|a, b| a.compared(b)).cloned() else {
            return Err(Stop::NoNumber);
        };
        if members.len() == 1 {
            return Ok(least);
        }
        let mut more: Vec<PolyId> = Vec::with_capacity(members.len());
        for member in members {
            self.count(member.len() + least.len())?;
            more.push(self.named(member.minus(&least)));
        }
        more.sort_unstable();
        let more = self.atom(Atom::Largest(more));
        self.plus(&least, &more)
    }

    /// The newest atom of this kind that is subtracted.
    fn subtracted_largest(&self, poly: &Poly) -> Option<AtomId> {
        let subtracted = poly.terms().filter_map(|(monomial, factor)| {
            let single = Poly::single(monomial.clone(), Number::one());
            let atom = single.as_atom().filter(|_| (-factor).is_one())?;
            matches!(self.atom_of(atom), Atom::Largest(_)).then_some(atom)
        });
        subtracted.max()
    }

    /// Of what a polynomial is the largest.
    pub(super) fn members(&self, poly: &Poly) -> Vec<Poly> {
        let largest = poly.terms().filter_map(|(monomial, factor)| {
            let single = Poly::single(monomial.clone(), factor.clone());
            let atom = single.as_atom()?;
            match self.atom_of(atom) {
                Atom::Largest(members) => Some((atom, members)),
                _ => None,
            }
        });
        let Some((atom, members)) = largest.max_by_key(|(atom, _)| *atom) else {
            return vec![poly.clone()];
        };
        let rest = poly.minus(&Poly::atom(atom));
        let with_rest = |member: &PolyId| {
            let mut whole = rest.clone();
            whole.add_scaled(&self.poly(*member), &Number::one());
            whole
        };
        members.iter().map(with_rest).collect()
    }

    /// The smallest of one or more.
    pub fn smallest(&mut self, of: &[Poly]) -> Formed<Poly> {
        let negated: Vec<Poly> = of.iter().map(Poly::negated).collect();
        Ok(self.largest(&negated)?.negated())
    }
}
