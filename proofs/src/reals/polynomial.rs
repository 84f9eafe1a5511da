//! Sums of products of atoms and of one power of e each, with rational factors. Powers may be negative: where they are not
//! those of sums, such a sum is a rational function and its form is the only one of it.

use num_rational::BigRational;
use num_traits::{One, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A rational number.
pub type Number = BigRational;

/// What a polynomial is made of, by its number among the atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// A polynomial that others speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PolyId(pub u32);

impl PolyId {
    /// The polynomial without terms.
    pub const ZERO: PolyId = PolyId(0);
}

/// A product of powers of atoms and of `exp` of a polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Monomial {
    /// In order; no power is 0.
    pub powers: Vec<(AtomId, i32)>,
    /// Of e.
    pub exponent: PolyId,
}

impl Monomial {
    /// The product of nothing.
    pub fn one() -> Monomial {
        Monomial {
            powers: Vec::new(),
            exponent: PolyId::ZERO,
        }
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        self.powers.is_empty() && self.exponent == PolyId::ZERO
    }
}

/// A sum of monomials with factors other than 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Poly(BTreeMap<Monomial, Number>);

impl Poly {
    /// 0
    pub fn zero() -> Poly {
        Poly::default()
    }

    /// A number.
    pub fn constant(number: Number) -> Poly {
        Poly::single(Monomial::one(), number)
    }

    /// 1
    pub fn one() -> Poly {
        Poly::constant(Number::one())
    }

    /// One product.
    pub fn single(monomial: Monomial, factor: Number) -> Poly {
        let mut poly = Poly::zero();
        poly.add(monomial, factor);
        poly
    }

    /// An atom.
    pub fn atom(atom: AtomId) -> Poly {
        let monomial = Monomial {
            powers: vec![(atom, 1)],
            ..Monomial::one()
        };
        Poly::single(monomial, Number::one())
    }

    /// Adds one product.
    pub fn add(&mut self, monomial: Monomial, factor: Number) {
        if factor.is_zero() {
            return;
        }
        match self.0.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(factor);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                *entry.get_mut() += factor;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// Adds another, so many times.
    pub fn add_scaled(&mut self, other: &Poly, times: &Number) {
        for (monomial, factor) in &other.0 {
            self.add(monomial.clone(), factor * times);
        }
    }

    /// This one so many times.
    pub fn scaled(&self, times: &Number) -> Poly {
        let mut poly = Poly::zero();
        poly.add_scaled(self, times);
        poly
    }

    /// `-self`
    pub fn negated(&self) -> Poly {
        self.scaled(&-Number::one())
    }

    /// `self - other`
    pub fn minus(&self, other: &Poly) -> Poly {
        let mut poly = self.clone();
        poly.add_scaled(other, &-Number::one());
        poly
    }

    /// The products with their factors.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (&Monomial, &Number)> {
        self.0.iter()
    }

    /// How many products it is the sum of.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The number that it is.
    pub fn as_constant(&self) -> Option<Number> {
        match self.as_single() {
            Some((monomial, factor)) => monomial.is_one().then(|| factor.clone()),
            None => self.is_zero().then(Number::zero),
        }
    }

    /// The one product that it is.
    pub fn as_single(&self) -> Option<(&Monomial, &Number)> {
        match self.len() {
            1 => self.0.iter().next(),
            _ => None,
        }
    }

    /// The atom that it is.
    pub fn as_atom(&self) -> Option<AtomId> {
        match self.as_single() {
            Some((monomial, factor)) if factor.is_one() && monomial.exponent == PolyId::ZERO => {
                match monomial.powers.as_slice() {
                    &[(atom, 1)] => Some(atom),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An order that stays when the same is added to both.
    pub fn compared(&self, other: &Poly) -> Ordering {
        first_difference(self.terms(), other.terms(), |factor| {
            factor.cmp(&&Number::zero())
        })
    }

    /// So many times what the other is, if it is that.
    pub fn ratio(&self, other: &Poly) -> Option<Number> {
        let (mine, theirs) = (self.0.iter().next()?, other.0.iter().next()?);
        let ratio = mine.1 / theirs.1;
        (self.len() == other.len() && *self == other.scaled(&ratio)).then_some(ratio)
    }
}

/// An order of exponents that stays when both are multiplied by the same: the first power in which they differ decides. `of`
/// gives the polynomials that exponents are.
pub fn compared<'p>(a: &Monomial, b: &Monomial, of: impl Fn(PolyId) -> &'p Poly) -> Ordering {
    let powers = first_difference(
        a.powers.iter().map(|(atom, power)| (*atom, *power)),
        b.powers.iter().map(|(atom, power)| (*atom, *power)),
        |power| power.cmp(&0),
    );
    powers.then_with(|| {
        if a.exponent == b.exponent {
            return Ordering::Equal;
        }
        let (a, b) = (of(a.exponent), of(b.exponent));
        a.compared(b)
    })
}

/// The order of the first values of one key that differ; a key that is not there has 0, of which `sign` gives the order of a value.
fn first_difference<K: Ord, V: Ord>(
    mut a: impl Iterator<Item = (K, V)>,
    mut b: impl Iterator<Item = (K, V)>,
    sign: impl Fn(&V) -> Ordering,
) -> Ordering {
    let (mut x, mut y) = (a.next(), b.next());
    loop {
        let order = match (&x, &y) {
            (None, None) => return Ordering::Equal,
            (Some((_, v)), None) => return sign(v),
            (None, Some((_, w))) => return sign(w).reverse(),
            (Some((k, v)), Some((l, w))) => match k.cmp(l) {
                Ordering::Less => return sign(v),
                Ordering::Greater => return sign(w).reverse(),
                Ordering::Equal => v.cmp(w),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
        (x, y) = (a.next(), b.next());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn of(factors: &[i8]) -> Poly {
        let mut poly = Poly::zero();
        for (number, factor) in factors.iter().enumerate() {
            let atom = Poly::atom(AtomId(number as u32));
            poly.add_scaled(&atom, &Number::from_integer((*factor % 3).into()));
        }
        poly
    }

    quickcheck! {
        /// What is added to both changes no order, and of two that differ one is less.
        fn the_order_is_one_of_differences(a: Vec<i8>, b: Vec<i8>, c: Vec<i8>) -> bool {
            let (a, b, c) = (of(&a), of(&b), of(&c));
            let with = |poly: &Poly| {
                let mut sum = poly.clone();
                sum.add_scaled(&c, &Number::one());
                sum
            };
            a.compared(&b) == with(&a).compared(&with(&b))
                && a.compared(&b) == b.compared(&a).reverse()
                && (a.compared(&b) == Ordering::Equal) == (a == b)
                && a.compared(&b) == a.minus(&b).compared(&Poly::zero())
        }
    }
}
