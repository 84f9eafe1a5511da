//! Arithmetic of real numbers on normal forms: two polynomials with one form have one value wherever both are defined.
//!
//! - Sums, products, quotients: rational functions of atoms.
//! - `exp a · exp b = exp (a + b)`, `exp (log a) = a`, `log (exp a · b) = a + log b`, `√a · √a = a`; where `a` is certain to be
//!   positive, `log (a · b) = log a + log b`.
//! - The largest of several is that of a set, without those that are smaller than another by a number; `max(a + c, b + c)` is
//!   `max(a, b) + c`, and `p > 0 ? exp(k * p) * a : a` is `exp(k * max(p, 0)) * a`.
//!
//! Where a quotient, a root or a logarithm is defined is not asked here but in [`super::domain`].

use super::polynomial::{AtomId, Monomial, Number, Poly, PolyId, compared};
use crate::terms::term::TermId;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
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

/// What is known of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Positive,
    NotNegative,
    Unknown,
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
    fn without(&mut self, poly: &Poly, divisor: &Monomial) -> Formed<Poly> {
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
    fn members(&self, poly: &Poly) -> Vec<Poly> {
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

    /// The first where the condition holds, else the second.
    pub fn choice(&mut self, cond: CondId, a: &Poly, b: &Poly) -> Formed<Poly> {
        if let Cond::Not(inner) = *self.cond_of(cond) {
            return self.choice(inner, b, a);
        }
        let (a, b) = (&self.under(a, cond, true)?, &self.under(b, cond, false)?);
        if a == b {
            return Ok(a.clone());
        }
        match *self.cond_of(cond) {
            // Where `p > 0` the first is larger, by a multiple of `p`.
            Cond::Positive(p) => match a.minus(b).ratio(&self.poly(p)) {
                Some(ratio) if ratio.is_positive() => {
                    return self.largest(&[a.clone(), b.clone()]);
                }
                Some(_) => return self.smallest(&[a.clone(), b.clone()]),
                None => {}
            },
            _ => {}
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
                // A negative power is one of what is not 0.
                _ if *power < 0 => {}
                _ => sign = Sign::NotNegative,
            }
        }
        sign
    }

    fn sign_of_atom(&self, atom: AtomId) -> Sign {
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
