//! Polynomials with integer coefficients over unknowns that are numbered: what a subscript is as a
//! function of counters and extents, in exact integers.

use std::collections::BTreeMap;

/// The largest number of terms; more is not followed.
const MOST_TERMS: usize = 64;
/// Coefficients from here on are not followed.
const LARGEST: u128 = 1 << 40;

/// `Σ coefficient · Π unknowns`: each product as the sorted numbers of its unknowns, with repetitions. No
/// coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial(BTreeMap<Vec<usize>, i128>);

impl Polynomial {
    /// A number.
    pub fn constant(value: i128) -> Polynomial {
        Polynomial(BTreeMap::from_iter((value != 0).then_some((vec![], value))))
    }

    /// An unknown.
    pub fn unknown(number: usize) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![number], 1)]))
    }

    /// Products and their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&[usize], i128)> {
        self.0.iter().map(|(product, n)| (product.as_slice(), *n))
    }

    /// `self + factor · other`; `None` when it grows too large.
    pub fn plus(&self, other: &Polynomial, factor: i128) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (product, n) in &other.0 {
            sum.add(product.clone(), n.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    /// The product; `None` when it grows too large.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (a, n) in &self.0 {
            for (b, m) in &other.0 {
                let mut product = [a.as_slice(), b].concat();
                product.sort_unstable();
                all.add(product, n.checked_mul(*m)?)?;
            }
        }
        Some(all)
    }

    fn add(&mut self, product: Vec<usize>, n: i128) -> Option<()> {
        let sum = self.0.get(&product).copied().unwrap_or(0).checked_add(n)?;
        if sum == 0 {
            self.0.remove(&product);
        } else {
            self.0.insert(product, sum);
        }
        (sum.unsigned_abs() < LARGEST && self.0.len() <= MOST_TERMS).then_some(())
    }

    /// With `value` in place of an unknown; `None` when it grows too large.
    pub fn with(&self, number: usize, value: &Polynomial) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (power, factor) in self.by_powers_of(number).iter().enumerate() {
            let mut term = factor.clone();
            for _ in 0..power {
                term = term.times(value)?;
            }
            all = all.plus(&term, 1)?;
        }
        Some(all)
    }

    /// What stands with each power of an unknown, from the power 0 on.
    pub fn by_powers_of(&self, number: usize) -> Vec<Polynomial> {
        let mut all = vec![Polynomial::default()];
        for (product, n) in &self.0 {
            let power = product.iter().filter(|&&own| own == number).count();
            let rest = product.iter().copied().filter(|&own| own != number);
            all.resize(all.len().max(power + 1), Polynomial::default());
            all[power].0.insert(rest.collect(), *n);
        }
        all
    }

    /// Whether no coefficient is negative: then it is not negative wherever no unknown is.
    pub fn has_no_negative(&self) -> bool {
        self.0.values().all(|&n| n > 0)
    }

    /// It, less a multiple of an unknown or of a positive number; `None` for any other `divisor`.
    pub fn modulo(&self, divisor: &Polynomial) -> Option<Polynomial> {
        if let Some((unknown, 0)) = divisor.as_unknown_and_more() {
            return self.by_powers_of(unknown).into_iter().next();
        }
        let divisor = divisor.as_constant().filter(|&number| number > 0)?;
        let left = self
            .0
            .iter()
            .map(|(product, n)| (product.clone(), n.rem_euclid(divisor)));
        Some(Polynomial(left.filter(|(_, n)| *n != 0).collect()))
    }

    /// Its value, if it is a number.
    pub fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// An unknown and a number that are added; `None` for anything else.
    pub fn as_unknown_and_more(&self) -> Option<(usize, i128)> {
        let more = self.0.get(&vec![]).copied().unwrap_or(0);
        let mut others = self.0.iter().filter(|(product, _)| !product.is_empty());
        match (others.next(), others.next()) {
            (Some((product, 1)), None) if product.len() == 1 => Some((product[0], more)),
            _ => None,
        }
    }

    /// Whether an unknown is in it.
    pub fn has(&self, number: usize) -> bool {
        self.unknowns().any(|own| own == number)
    }

    /// The numbers of the unknowns in it.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> {
        self.0.keys().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// A polynomial over two unknowns from small numbers: coefficients of `1, x, y, x², xy, y²`.
    fn polynomial(numbers: &[i8]) -> Polynomial {
        let products: [&[usize]; 6] = [&[], &[0], &[1], &[0, 0], &[0, 1], &[1, 1]];
        let mut all = Polynomial::default();
        for (product, n) in products.iter().zip(numbers) {
            all.add(product.to_vec(), (*n).into()).unwrap();
        }
        all
    }

    fn value(p: &Polynomial, x: i128, y: i128) -> i128 {
        let of = |number: &usize| if *number == 0 { x } else { y };
        p.terms()
            .map(|(product, n)| n * product.iter().map(of).product::<i128>())
            .sum()
    }

    quickcheck! {
        fn operations_are_those_of_numbers(p: Vec<i8>, q: Vec<i8>, at: (i8, i8)) -> bool {
            let (p, q) = (polynomial(&p), polynomial(&q));
            let (x, y) = (at.0.into(), at.1.into());
            let (a, b) = (value(&p, x, y), value(&q, x, y));
            let sum = p.plus(&q, -3).unwrap();
            let product = p.times(&q).unwrap();
            let inside = p.with(0, &q).unwrap();
            let powers = p.by_powers_of(1);
            let by_powers = powers.iter().zip([1, y, y * y]);
            value(&sum, x, y) == a - 3 * b
                && value(&product, x, y) == a * b
                && value(&inside, x, y) == value(&p, b, y)
                && by_powers.map(|(p, power)| value(p, x, 0) * power).sum::<i128>() == a
        }

        fn what_is_left_differs_by_a_multiple(p: Vec<i8>, at: (i8, i8), number: u8) -> bool {
            let p = polynomial(&p);
            let (x, y) = (at.0.into(), at.1.into());
            let number = i128::from(number) + 1;
            let by_number = p.modulo(&Polynomial::constant(number)).unwrap();
            let by_unknown = p.modulo(&Polynomial::unknown(0)).unwrap();
            let more = |left: &Polynomial| value(&p, x, y) - value(left, x, y);
            more(&by_number) % number == 0 && !by_unknown.has(0) && (x == 0 || more(&by_unknown) % x == 0)
        }

        fn without_negative_coefficients_nothing_is_negative(p: Vec<i8>, at: (u8, u8)) -> bool {
            let p = polynomial(&p);
            !p.has_no_negative() || value(&p, at.0.into(), at.1.into()) >= 0
        }
    }

    #[test]
    fn too_large_is_given_up() {
        let large = Polynomial::constant(1 << 39);
        assert_eq!(large.plus(&large, 1), None);
        assert_eq!(large.times(&large), None);
    }
}
