//! Subscripts in a nest of counted loops as polynomials over its counters and what does not change: how far
//! they reach, and whether those of different iterations of the outermost loop meet.
//!
//! In exact integers: whoever asks takes for granted that no subscript and no bound overflows. A counter lies between
//! its loop's bounds wherever the loop's body runs, so an unknown that bounds it from above is positive there. Subscripts
//! `S·i + r` of which all remainders `r` differ by less than `S` lie in rows of length `S`, a row for each `i`
//! (row-major order), so those of different `i` never meet. Nor do `i + S·x`, where `i` is less than `S`, whatever `x` is.

use super::nest_reader::{Counter, Place, Reader};
use super::polynomial::Polynomial;
use super::usage::{accesses_with_atomics, are_in_no_order};
use crate::terms::term::{BinaryOp, Term};
use crate::terms::typing::{binary, convert, select};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The accesses in the body of a loop over `i` from 0 below `n`, where that is at least 1.
pub struct Nest {
    /// What the unknowns of polynomials stand for, by their numbers: first `i`.
    unknowns: Vec<Term>,
    outermost: Counter,
    /// `Err` has the array of an access that is not understood.
    places: Vec<Result<Place, Term>>,
    /// The loops of which the body consists, outer ones first, as long as there is nothing beside them.
    perfect: Vec<Counter>,
}

/// How many cells of an array accesses need, from the first on.
#[derive(Clone, Debug)]
struct Reach {
    cells: Polynomial,
    /// Bounds, the second of each pair greater than the first where the accesses happen.
    needs: Vec<(Polynomial, Polynomial)>,
    /// Whether the last of the cells is touched for certain then.
    is_certain: bool,
}

/// What unknowns are at least, by their numbers.
type Least = BTreeMap<usize, i128>;

impl Nest {
    /// `None` where something in the body is not seen through, or a bound of `i` may change in it.
    pub fn of(root: &Term, body: &Term, i: &Term, n: &Term) -> Option<Nest> {
        let found = accesses_with_atomics(root, body)?;
        let mut reader = Reader::of(body, i)?;
        let outermost = reader.outermost(n)?;
        let places = found.iter().map(|access| reader.place(access)).collect();
        let perfect = reader.perfect(body);
        Some(Nest {
            unknowns: reader.into_unknowns(),
            outermost,
            places,
            perfect,
        })
    }

    /// The accesses of an array; `None` where one is not understood.
    fn of_array(&self, base: &Term) -> Option<Vec<&Place>> {
        let here = self.places.iter().filter(|place| match place {
            Ok(place) => place.base == *base,
            Err(other) => other == base,
        });
        here.map(|place| place.as_ref().ok()).collect()
    }

    /// Whether accesses of an array in different iterations of the outermost loop never meet where one of them writes.
    pub fn is_apart(&self, base: &Term) -> bool {
        let Some(here) = self.of_array(base) else {
            return false;
        };
        here.iter().enumerate().all(|(number, p)| {
            let others = here[number..].iter();
            let mut in_conflict = others.filter(|q| p.is_write || q.is_write);
            in_conflict.all(|q| {
                are_in_no_order(p.atomic, q.atomic)
                    || self.are_in_rows(p, q) == Some(true)
                    || self.are_in_columns(p, q)
            })
        })
    }

    /// Whether two places are in rows of one length, a row for each iteration.
    fn are_in_rows(&self, p: &Place, q: &Place) -> Option<bool> {
        let [p_rest, row]: [Polynomial; 2] = p.index.by_powers_of(0).try_into().ok()?;
        let [q_rest, q_row]: [Polynomial; 2] = q.index.by_powers_of(0).try_into().ok()?;
        let mut counters = p.counters.iter().chain(&q.counters);
        if row != q_row || counters.any(|counter| row.has(counter.number)) {
            return Some(false);
        }
        let least = self.least(&[p, q]);
        let fits = |p: &Place, p_rest: &Polynomial, q: &Place, q_rest: &Polynomial| {
            let greatest = self.extreme(p_rest, p, &least, true)?;
            let smallest = self.extreme(q_rest, q, &least, false)?;
            let left = row.plus(&greatest, -1)?.plus(&smallest, 1)?;
            Some(is_positive(&left, &least))
        };
        Some(fits(p, &p_rest, q, &q_rest)? && fits(q, &q_rest, p, &p_rest)?)
    }

    /// Whether two places are in columns, one for each iteration: `i + S·x`, where `S` is the number of iterations, whatever
    /// `x` is, and perhaps the same constant more.
    fn are_in_columns(&self, p: &Place, q: &Place) -> bool {
        let column = |place: &Place| {
            let [rest, one]: [Polynomial; 2] = place.index.by_powers_of(0).try_into().ok()?;
            let shift = rest.modulo(&self.outermost.below)?;
            let mut counters = place.counters.iter();
            let is_fixed = !counters.any(|counter| shift.has(counter.number));
            (one.as_constant() == Some(1) && is_fixed && place.data_below.is_none())
                .then_some(shift)
        };
        column(p).is_some_and(|shift| column(q) == Some(shift))
    }

    /// What unknowns are at least where the accesses at all these places happen.
    fn least(&self, places: &[&Place]) -> Least {
        let inner = places.iter().flat_map(|place| &place.counters);
        let counters: Vec<&Counter> = [&self.outermost].into_iter().chain(inner).collect();
        let mut least = Least::new();
        for counter in &counters {
            self.grant(&mut least, &counter.from, &counter.below);
        }
        // Loops inside may begin at what those outside count. A variable may count two loops.
        for counter in &counters {
            let of_one_variable = counters.iter().filter(|c| c.number == counter.number);
            let from = of_one_variable.map(|counter| {
                let from = counter.from.as_constant();
                from.or_else(|| is_natural(&counter.from, &least).then_some(0))
            });
            if let Some(from) = from.min().flatten() {
                least.insert(counter.number, from);
            }
        }
        least
    }

    /// Learns that `below` is greater than `from`, if that says something of what does not change.
    fn grant(&self, least: &mut Least, from: &Polynomial, below: &Polynomial) {
        if let (Some(from), Some((unknown, more))) =
            (from.as_constant(), below.as_unknown_and_more())
            && !self.is_counter(unknown)
        {
            let own = least.entry(unknown).or_insert(i128::MIN);
            *own = (*own).max(from + 1 - more);
        }
    }

    fn is_counter(&self, number: usize) -> bool {
        let inner = self
            .places
            .iter()
            .flatten()
            .flat_map(|place| &place.counters);
        let mut all = inner.chain(&self.perfect).chain([&self.outermost]);
        all.any(|counter| counter.number == number)
    }

    /// The greatest or smallest value of a polynomial over the counters around a place.
    fn extreme(
        &self,
        p: &Polynomial,
        place: &Place,
        least: &Least,
        is_greatest: bool,
    ) -> Option<Polynomial> {
        let mut p = p.clone();
        let outwards = place.counters.iter().rev().chain([&self.outermost]);
        for counter in outwards {
            let powers = p.by_powers_of(counter.number);
            let factors = powers.get(1..).unwrap_or_default();
            let rises = factors.iter().all(|q| is_natural(q, least));
            let falls = factors.iter().all(|q| {
                let negative = Polynomial::default().plus(q, -1);
                negative.is_some_and(|q| is_natural(&q, least))
            });
            // Squares of negative numbers fall.
            let is_straight = factors.len() <= 1 || is_natural(&counter.from, least);
            if !is_straight || !rises && !falls {
                return None;
            }
            p = match rises == is_greatest {
                true => p.with(counter.number, &counter.last()?)?,
                false => p.with(counter.number, &counter.from)?,
            };
        }
        Some(p)
    }

    /// What is given wherever the nest is to run.
    fn granted(&self) -> Least {
        let mut least = Least::new();
        for counter in [&self.outermost].into_iter().chain(&self.perfect) {
            self.grant(&mut least, &counter.from, &counter.below);
        }
        least
    }

    /// What the access at a place needs of its array.
    fn needed(&self, place: &Place) -> Option<Reach> {
        if let Some(below) = &place.data_below {
            let is_fixed = below.as_constant().is_some();
            let counts = (!is_fixed).then(|| (Polynomial::default(), below.clone()));
            return Some(Reach {
                cells: below.clone(),
                needs: counts.into_iter().collect(),
                is_certain: false,
            });
        }
        let least = self.least(&[place]);
        let greatest = self.extreme(&place.index, place, &least, true)?;
        let smallest = self.extreme(&place.index, place, &least, false)?;
        let granted = self.granted();
        let mut cells = greatest.plus(&Polynomial::constant(1), 1)?;
        for limit in &place.limits[1] {
            if is_natural(&cells.plus(limit, -1)?, &least) && is_natural(limit, &granted) {
                cells = limit.clone();
            }
        }
        let mut reach = Reach {
            cells,
            needs: Vec::new(),
            is_certain: place.is_certain,
        };
        for Counter {
            from,
            below,
            is_dense,
            ..
        } in &place.counters
        {
            // Whether a loop runs whose bounds depend on counters is not known.
            let mut around = place.counters.iter().map(|counter| counter.number);
            let is_fixed = from.as_constant().is_some()
                && !below.has(0)
                && !around.any(|number| below.has(number));
            reach.is_certain &= is_dense & is_fixed;
            let runs = below.plus(from, -1)?;
            if is_fixed && !is_positive(&runs, &granted) {
                if runs.as_constant().is_some() {
                    reach.is_certain = false;
                } else {
                    reach.needs.push((from.clone(), below.clone()));
                }
            }
        }
        let mut known = granted;
        for (from, below) in &reach.needs {
            self.grant(&mut known, from, below);
        }
        let mut floors = place.limits[0].iter().chain([&smallest]);
        let is_behind = floors.any(|floor| is_natural(floor, &least));
        let is_within = is_behind && is_natural(&reach.cells, &known);
        is_within.then_some(reach)
    }

    /// What all accesses of an array need together: the first of which the needs hold counts.
    fn reaches(&self, base: &Term) -> Option<Vec<Reach>> {
        let here = self.of_array(base)?;
        let mut all = here
            .into_iter()
            .map(|place| self.needed(place))
            .collect::<Option<Vec<Reach>>>()?;
        let mut chosen = Vec::new();
        while !all.is_empty() {
            let covers = |reach: &&Reach| all.iter().all(|other| self.covers(reach, other));
            let furthest = all.iter().filter(covers);
            let first = |reach: &&Reach| (reach.is_certain, Reverse(reach.needs.len()));
            let mut furthest = furthest.max_by_key(first)?.clone();
            let is_as_far = |other: &Reach| {
                other.is_certain
                    && self.covers(other, &furthest)
                    && is_part(&other.needs, &furthest.needs)
            };
            furthest.is_certain = all.iter().any(is_as_far);
            all.retain(|other| !is_part(&furthest.needs, &other.needs));
            chosen.push(furthest);
        }
        Some(chosen)
    }

    /// Whether one access reaches as far as another wherever both happen.
    fn covers(&self, reach: &Reach, other: &Reach) -> bool {
        let mut known = self.granted();
        for (from, below) in reach.needs.iter().chain(&other.needs) {
            self.grant(&mut known, from, below);
        }
        let more = reach.cells.plus(&other.cells, -1);
        more.is_some_and(|more| is_natural(&more, &known))
    }

    /// Of each access in the order of the text whether its subscript is a polynomial, or data with a bound.
    pub fn are_understood(&self) -> impl Iterator<Item = bool> {
        self.places.iter().map(|place| place.is_ok())
    }

    /// Whether the last of the cells that [`Nest::cells`] counts is touched for certain, and no subscript can overflow
    /// on the way there. `None` where that number is not known.
    pub fn is_certain(&self, base: &Term) -> Option<bool> {
        let reaches = self.reaches(base)?;
        let is_small = |cells: &Polynomial| {
            cells.as_constant().is_some() || cells.as_unknown_and_more().is_some()
        };
        let mut certain = reaches.iter();
        Some(certain.all(|reach| reach.is_certain && is_small(&reach.cells)))
    }

    /// Whether the loop, where [`Nest::runs`] holds, writes each of the [`Nest::cells`] of an array, and reads none that it
    /// did not write before in the same iteration.
    pub fn overwrites(&self, base: &Term) -> bool {
        let (Some(here), Some(reaches)) = (self.of_array(base), self.reaches(base)) else {
            return false;
        };
        let [all] = reaches.as_slice() else {
            return false;
        };
        let is_certain = |place: &&&Place| place.is_write && place.atomic.is_none();
        let fills = |place: &&Place| self.filled(place).as_ref() == Some(&all.cells);
        let is_new = |(number, place): (usize, &&Place)| {
            let is_plain_write = place.is_write && place.atomic.is_none();
            let mut before = here[..number].iter().filter(is_certain);
            is_plain_write || before.any(|written| is_written_at(written, place))
        };
        let mut writes = here.iter().filter(is_certain);
        writes.any(fills) && here.iter().enumerate().all(is_new)
    }

    /// How many cells, from the first on, the access at a place fills without a gap: its subscript counts through them in
    /// row-major order, whatever the order of the loops. `None` where it does not for certain.
    fn filled(&self, place: &Place) -> Option<Polynomial> {
        let needed = self.needed(place)?;
        if place.data_below.is_some() || !needed.is_certain || !needed.needs.is_empty() {
            return None;
        }
        let mut counters: Vec<&Counter> = [&self.outermost]
            .into_iter()
            .chain(&place.counters)
            .collect();
        let mut rest = place.index.clone();
        let mut stride = Polynomial::constant(1);
        while rest != Polynomial::default() {
            let is_next = |counter: &&Counter| {
                let powers = rest.by_powers_of(counter.number);
                powers.len() == 2 && powers[1] == stride && counter.from == Polynomial::default()
            };
            let next = counters.remove(counters.iter().position(is_next)?);
            rest = rest.with(next.number, &Polynomial::default())?;
            stride = stride.times(&next.below)?;
        }
        Some(stride)
    }

    /// How many cells of an array the loop needs, where [`Nest::runs`] holds.
    pub fn cells(&self, base: &Term) -> Option<Term> {
        let reaches = self.reaches(base)?;
        let nothing = Term::int(ScalarType::I32, 0);
        let all = reaches.iter().rev();
        Some(all.fold(nothing, |rest, reach| {
            let cells = self.term(&reach.cells);
            match self.all_hold(&reach.needs) {
                None => cells,
                Some(condition) => select(condition, cells, rest),
            }
        }))
    }

    /// Whether the loop, and those inside it as long as there is nothing beside them, have an iteration.
    pub fn runs(&self) -> Term {
        let mut granted = Least::new();
        let mut bounds = Vec::new();
        for Counter { from, below, .. } in [&self.outermost].into_iter().chain(&self.perfect) {
            let runs = below.plus(from, -1);
            let is_given = runs.is_some_and(|runs| is_positive(&runs, &granted));
            if !is_given {
                bounds.push((from.clone(), below.clone()));
                self.grant(&mut granted, from, below);
            }
        }
        let always = Term::int(ScalarType::I32, 1);
        self.all_hold(&bounds).unwrap_or(always)
    }

    fn all_hold(&self, bounds: &[(Polynomial, Polynomial)]) -> Option<Term> {
        let all = bounds
            .iter()
            .map(|(from, below)| binary(BinaryOp::Gt, self.term(below), self.term(from)));
        all.reduce(|a, b| binary(BinaryOp::And, a, b))
    }

    /// An expression for a polynomial. Products are computed in 64 bits.
    fn term(&self, p: &Polynomial) -> Term {
        let mut sum: Option<Term> = None;
        let terms: Vec<_> = p.terms().collect();
        for (product, factor) in terms.into_iter().rev() {
            let number = Term::int(ScalarType::I32, factor.abs());
            let unknowns = product.iter().map(|&number| self.unknowns[number].clone());
            let factors =
                unknowns.chain((factor.abs() != 1 || product.is_empty()).then_some(number));
            let mut factors: Vec<Term> = factors.collect();
            if let [first, _, ..] = factors.as_mut_slice() {
                *first = convert(first.clone(), Type::Scalar(ScalarType::U64));
            }
            let all = factors
                .into_iter()
                .reduce(|a, b| binary(BinaryOp::Mul, a, b));
            sum = match (sum, all, factor < 0) {
                (None, all, false) => all,
                (None, Some(all), true) => {
                    Some(binary(BinaryOp::Sub, Term::int(ScalarType::I32, 0), all))
                }
                (Some(sum), Some(all), false) => Some(binary(BinaryOp::Add, sum, all)),
                (Some(sum), Some(all), true) => Some(binary(BinaryOp::Sub, sum, all)),
                (sum, None, _) => sum,
            };
        }
        sum.unwrap_or_else(|| Term::int(ScalarType::I32, 0))
    }
}

/// Whether a write that stands before another access has gone to its cell whenever that happens.
fn is_written_at(written: &Place, access: &Place) -> bool {
    let around = access.counters.get(..written.counters.len());
    written.is_certain
        && written.data_below.is_none()
        && written.index == access.index
        && around == Some(written.counters.as_slice())
}

/// Whether it is at least 0 for certain.
fn is_natural(p: &Polynomial, least: &Least) -> bool {
    let unknowns: Vec<usize> = p.unknowns().collect();
    let mut moved = Some(p.clone());
    for unknown in unknowns {
        let Some(&smallest) = least.get(&unknown) else {
            return false;
        };
        let above = Polynomial::unknown(unknown).plus(&Polynomial::constant(smallest), 1);
        moved = moved
            .zip(above)
            .and_then(|(p, above)| p.with(unknown, &above));
    }
    moved.is_some_and(|p| p.has_no_negative())
}

/// Whether it is at least 1 for certain.
fn is_positive(p: &Polynomial, least: &Least) -> bool {
    let less = p.plus(&Polynomial::constant(1), -1);
    less.is_some_and(|less| is_natural(&less, least))
}

fn is_part<T: PartialEq>(some: &[T], all: &[T]) -> bool {
    some.iter().all(|one| all.contains(one))
}
