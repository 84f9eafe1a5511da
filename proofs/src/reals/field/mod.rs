//! Arithmetic of real numbers on normal forms: two polynomials with one form have one value wherever both are defined.
//!
//! - Sums, products, quotients: rational functions of atoms.
//! - `exp a · exp b = exp (a + b)`, `exp (log a) = a`, `log (exp a · b) = a + log b`, `√a · √a = a`; where `a` is certain to be
//!   positive, `log (a · b) = log a + log b`.
//! - The largest of several is that of a set, without those that are smaller than another by a number; `max(a + c, b + c)` is
//!   `max(a, b) + c`, and `p > 0 ? exp(k * p) * a : a` is `exp(k * max(p, 0)) * a`.
//!
//! Where a quotient, a root or a logarithm is defined is not asked here but in [`super::domain`].

mod choice;
mod elementary;
mod largest;
pub mod sign;

use super::polynomial::{AtomId, Monomial, Number, Poly, PolyId, compared};
use crate::terms::term::TermId;
use num_traits::One;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Instant;

/// Products of monomials, of all polynomials together.
const MOST_PRODUCTS: u64 = 30_000_000;
/// Products between two looks at the clock.
const BETWEEN_LOOKS: u64 = 65_536;
/// The largest power that is multiplied out.
const MOST_POWER: i32 = 16;

/// A condition, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CondId(pub u32);

/// What is not looked into any further. Different ones may be equal for all that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A term in its exact normal form: an input, or what is no arithmetic of floats.
    Term(TermId),
    /// A sum of several products, one of which is 1; with negative powers only.
    Sum(PolyId),
    /// The root that is not negative; to the power 1 only.
    Root(PolyId),
    /// The natural logarithm.
    Log(PolyId),
    /// The largest of two or more, in order, one of which is 0.
    Largest(Vec<PolyId>),
    /// The first where the condition holds, else the second.
    Choice(CondId, PolyId, PolyId),
    /// Another function of real numbers.
    Function(String, Vec<PolyId>),
}

/// A condition on real numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// The polynomial is larger than 0.
    Positive(PolyId),
    /// The polynomial is 0.
    Zero(PolyId),
    /// A term in its exact normal form.
    Term(TermId),
    Not(CondId),
    And(CondId, CondId),
    Or(CondId, CondId),
}

/// Why there is no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It would be too large.
    TooLarge,
    /// Something is no real number, or may be none.
    NoNumber,
}

pub type Formed<T> = Result<T, Stop>;

/// All polynomials and atoms of a comparison.
pub struct Field {
    polys: Vec<Rc<Poly>>,
    poly_ids: FxHashMap<Rc<Poly>, PolyId>,
    atoms: Vec<Atom>,
    atom_ids: FxHashMap<Atom, AtomId>,
    conds: Vec<Cond>,
    cond_ids: FxHashMap<Cond, CondId>,
    /// Of exponents.
    sums: FxHashMap<(PolyId, PolyId), PolyId>,
    products: u64,
    until: Instant,
}

impl Field {
    /// No form is made after `until`.
    pub fn new(until: Instant) -> Field {
        let mut field = Field {
            polys: Vec::new(),
            poly_ids: FxHashMap::default(),
            atoms: Vec::new(),
            atom_ids: FxHashMap::default(),
            conds: Vec::new(),
            cond_ids: FxHashMap::default(),
            sums: FxHashMap::default(),
            products: 0,
            until,
        };
        field.named(Poly::zero());
        field
    }

    /// The number of a polynomial.
    pub fn named(&mut self, poly: Poly) -> PolyId {
        if let Some(id) = self.poly_ids.get(&poly) {
            return *id;
        }
        let id = PolyId(self.polys.len() as u32);
        let poly = Rc::new(poly);
        self.polys.push(poly.clone());
        self.poly_ids.insert(poly, id);
        id
    }

    pub fn poly(&self, id: PolyId) -> Rc<Poly> {
        self.polys[id.0 as usize].clone()
    }

    fn atom_id(&mut self, atom: Atom) -> AtomId {
        if let Some(id) = self.atom_ids.get(&atom) {
            return *id;
        }
        let id = AtomId(self.atoms.len() as u32);
        self.atoms.push(atom.clone());
        self.atom_ids.insert(atom, id);
        id
    }

    pub fn atom(&mut self, atom: Atom) -> Poly {
        Poly::atom(self.atom_id(atom))
    }

    pub fn cond(&mut self, cond: Cond) -> CondId {
        if let Cond::Not(inner) = cond
            && let Cond::Not(twice) = self.conds[inner.0 as usize]
        {
            return twice;
        }
        if let Some(id) = self.cond_ids.get(&cond) {
            return *id;
        }
        let id = CondId(self.conds.len() as u32);
        self.conds.push(cond.clone());
        self.cond_ids.insert(cond, id);
        id
    }

    pub fn atom_of(&self, id: AtomId) -> &Atom {
        &self.atoms[id.0 as usize]
    }

    pub fn cond_of(&self, id: CondId) -> &Cond {
        &self.conds[id.0 as usize]
    }

    fn count(&mut self, products: usize) -> Formed<()> {
        let before = self.products;
        self.products += products as u64;
        let looks = before / BETWEEN_LOOKS != self.products / BETWEEN_LOOKS;
        match self.products > MOST_PRODUCTS || looks && Instant::now() > self.until {
            true => Err(Stop::TooLarge),
            false => Ok(()),
        }
    }

    pub fn plus(&mut self, a: &Poly, b: &Poly) -> Formed<Poly> {
        self.count(a.len() + b.len())?;
        let (more, less) = match a.len() >= b.len() {
            true => (a, b),
            false => (b, a),
        };
        let mut sum = more.clone();
        sum.add_scaled(less, &Number::one());
        Ok(sum)
    }

    fn sum_of_exponents(&mut self, a: PolyId, b: PolyId) -> PolyId {
        match (a, b) {
            (PolyId::ZERO, only) | (only, PolyId::ZERO) => only,
            _ => {
                let key = (a.min(b), a.max(b));
                if let Some(sum) = self.sums.get(&key) {
                    return *sum;
                }
                let mut sum = Poly::clone(&self.poly(a));
                sum.add_scaled(&self.poly(b), &Number::one());
                let sum = self.named(sum);
                self.sums.insert(key, sum);
                sum
            }
        }
    }

    pub fn times(&mut self, a: &Poly, b: &Poly) -> Formed<Poly> {
        self.count(a.len().saturating_mul(b.len()))?;
        let mut product = Poly::zero();
        for (x, m) in a.terms() {
            for (y, n) in b.terms() {
                let factor = m * n;
                let exponent = self.sum_of_exponents(x.exponent, y.exponent);
                let powers = match (x.powers.as_slice(), y.powers.as_slice()) {
                    ([], only) | (only, []) => only.to_vec(),
                    (x, y) => added(x, y),
                };
                if powers.iter().all(|power| self.is_plain(*power)) {
                    product.add(Monomial { powers, exponent }, factor);
                } else {
                    let whole = self.product_of(&powers, exponent)?;
                    product.add_scaled(&whole, &factor);
                }
            }
        }
        Ok(product)
    }

    /// Whether a power stays as it is.
    fn is_plain(&self, (atom, power): (AtomId, i32)) -> bool {
        match self.atoms[atom.0 as usize] {
            Atom::Sum(_) => power < 0,
            Atom::Root(_) => power == 1,
            _ => true,
        }
    }

    /// A product of powers of atoms, whichever they are.
    fn product_of(&mut self, powers: &[(AtomId, i32)], exponent: PolyId) -> Formed<Poly> {
        let (mut plain, mut others) = (Vec::new(), Vec::new());
        for &(atom, power) in powers {
            if self.is_plain((atom, power)) {
                plain.push((atom, power));
                continue;
            }
            match self.atoms[atom.0 as usize] {
                Atom::Sum(of) => others.push((of, power)),
                Atom::Root(of) => {
                    let odd = power.rem_euclid(2);
                    if odd == 1 {
                        plain.push((atom, 1));
                    }
                    others.push((of, (power - odd) / 2));
                }
                _ => plain.push((atom, power)),
            }
        }
        let monomial = Monomial {
            powers: plain,
            exponent,
        };
        let mut product = Poly::single(monomial, Number::one());
        for (of, power) in others {
            let of = self.poly(of);
            let factor = self.power(&of, power)?;
            product = self.times(&product, &factor)?;
        }
        Ok(product)
    }

    /// A whole power.
    pub fn power(&mut self, poly: &Poly, power: i32) -> Formed<Poly> {
        if power.abs() > MOST_POWER {
            return Err(Stop::TooLarge);
        }
        let base = match power < 0 {
            true => self.inverse(poly)?,
            false => poly.clone(),
        };
        let mut result = Poly::one();
        for _ in 0..power.abs() {
            result = self.times(&result, &base)?;
        }
        Ok(result)
    }

    /// The product that a polynomial is divided by so that what is left does not depend on such a product. Not of 0.
    pub fn lead(&self, poly: &Poly) -> Option<(Monomial, Number)> {
        let of = |id: PolyId| &*self.polys[id.0 as usize];
        let least = poly.terms().min_by(|(a, _), (b, _)| compared(a, b, of));
        least.map(|(monomial, factor)| (monomial.clone(), factor.clone()))
    }

    /// `1 / poly`
    pub fn inverse(&mut self, poly: &Poly) -> Formed<Poly> {
        let (lead, factor) = self.lead(poly).ok_or(Stop::NoNumber)?;
        let of_lead = self.inverse_of_product(&lead)?;
        let inverse = of_lead.scaled(&factor.recip());
        if poly.len() == 1 {
            return Ok(inverse);
        }
        let rest = self.times(poly, &inverse)?;
        let rest = self.named(rest);
        let sum = self.atom_id(Atom::Sum(rest));
        let under = Monomial {
            powers: vec![(sum, -1)],
            exponent: PolyId::ZERO,
        };
        self.times(&inverse, &Poly::single(under, Number::one()))
    }

    fn inverse_of_product(&mut self, monomial: &Monomial) -> Formed<Poly> {
        let powers = monomial.powers.iter();
        let powers: Vec<(AtomId, i32)> = powers.map(|(atom, power)| (*atom, -power)).collect();
        let exponent = self.poly(monomial.exponent).negated();
        let exponent = self.named(exponent);
        self.product_of(&powers, exponent)
    }

    /// Divided by a product, power by power: a sum with a negative power cancels against another.
    pub fn without(&mut self, poly: &Poly, divisor: &Monomial) -> Formed<Poly> {
        let powers = divisor.powers.iter();
        let under: Vec<(AtomId, i32)> = powers.map(|(atom, power)| (*atom, -power)).collect();
        let exponent = self.poly(divisor.exponent).negated();
        let exponent = self.named(exponent);
        let mut quotient = Poly::zero();
        for (monomial, factor) in poly.terms() {
            let powers = added(&monomial.powers, &under);
            let exponent = self.sum_of_exponents(monomial.exponent, exponent);
            let product = self.product_of(&powers, exponent)?;
            quotient.add_scaled(&product, factor);
        }
        Ok(quotient)
    }

    /// Whether two are the same wherever both are defined. `false`: not for all that is known.
    pub fn is_same(&mut self, a: &Poly, b: &Poly) -> Formed<bool> {
        if a == b {
            return Ok(true);
        }
        let mut apart = a.minus(b);
        // What is divided by is multiplied with, the newest sum first: the others are no part of it.
        loop {
            let powers = apart.terms().flat_map(|(monomial, _)| &monomial.powers);
            let is_sum = |atom: AtomId| matches!(self.atoms[atom.0 as usize], Atom::Sum(_));
            let sums = powers.filter(|(atom, _)| is_sum(*atom));
            let Some(&(newest, power)) = sums.max_by_key(|(atom, power)| (*atom, -power)) else {
                return Ok(apart.is_zero());
            };
            let most = -power;
            let Atom::Sum(of) = self.atoms[newest.0 as usize] else {
                return Ok(false);
            };
            let of = self.poly(of);
            let powers: Vec<Poly> = (0..=most)
                .map(|power| self.power(&of, power))
                .collect::<Formed<_>>()?;
            let mut cleared = Poly::zero();
            for (monomial, factor) in apart.terms() {
                let mut rest = monomial.clone();
                let power = rest.powers.iter().find(|(atom, _)| *atom == newest);
                let under = power.map_or(0, |(_, power)| -power);
                rest.powers.retain(|(atom, _)| *atom != newest);
                let rest = Poly::single(rest, factor.clone());
                let product = self.times(&rest, &powers[(most - under) as usize])?;
                cleared.add_scaled(&product, &Number::one());
            }
            apart = cleared;
        }
    }
}

/// The powers of a product of two.
fn added(a: &[(AtomId, i32)], b: &[(AtomId, i32)]) -> Vec<(AtomId, i32)> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some((x, m)), Some((y, n))) if x == y => {
                if m + n != 0 {
                    sum.push((*x, m + n));
                }
                a.next();
                b.next();
            }
            (Some((x, _)), Some((y, _))) => {
                let next = if x < y { a.next() } else { b.next() };
                sum.extend(next);
            }
            (Some(_), None) => sum.extend(a.next()),
            (None, Some(_)) => sum.extend(b.next()),
            (None, None) => return sum,
        }
    }
}
