//! Launches at which a condition is judged again: others than those it was made from, larger ones and ones with
//! extreme arguments among them, around the bounds that it names and on both sides of it.
//!
//! They are spread over the ways in which the condition can hold: of `a || b` those where only `a` does, those where
//! only `b` does, and those where both do. Drawn by a fixed generator, so that they are the same on every machine.

use super::condition::{Atom, Condition};
use super::offer;
use super::rng::Rng;
use super::space::{Point, Space};
use super::term::Term;
use super::variable::Variable;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::{BTreeMap, HashSet};

/// Launches that meet the condition and are otherwise like one that fails, at most.
const CROSSINGS: usize = 24;
/// Launches that meet it with an extreme value of one argument, at most.
const FAR: usize = 40;
/// Others with few threads and with many that meet the condition, and such as do not, at most.
const FEW: usize = 30;
const MANY: usize = 10;
const OUTSIDE: usize = 24;
/// Threads in all of a launch with few, and of one with many.
const FEW_THREADS: i64 = 600;
const MANY_THREADS: i64 = 1 << 13;
/// Threads of one with an extreme argument.
const MANY_OF_FAR: i64 = 128;
/// Launches drawn, of which these are chosen.
const DRAWN: usize = 4_000;
/// Kept of one sort.
const OF_ONE_SORT: usize = 40;
/// Extents, counts of elements that are memory of ours, and threads of a block, at most.
const MOST_BLOCKS: i64 = 1 << 13;
const MOST_COUNTED: i64 = 1 << 14;
const MOST_OF_BLOCK: i64 = 1_024;

const BLOCKS: &[i64] = &[
    1, 2, 3, 5, 8, 16, 20, 31, 32, 33, 40, 48, 64, 65, 100, 128, 192, 250, 255, 256, 257, 384, 511,
    512, 513, 600, 768, 1000, 1023, 1024,
];
const GRIDS: &[i64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 20, 32, 33, 64];
const SIZES: &[i64] = &[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 17, 30, 31, 32, 33, 50, 63, 64, 65, 100, 127, 128, 200,
    255, 256, 257, 300, 500, 512, 600, 1000, 1023, 1024, 1025, 1500, 2000, 2047, 2048, 2049, 3000,
    4000, 4095, 4096, 4097, 5000, 8192, 10_000,
];
/// Beyond them, and below 0.
const EXTREMES: &[i64] = &[
    -1, -2, -3, -4, -5, -8, -17, -31, -32, -33, -64, -100, -255, -256, -1000, -1024, -4096, 16_384,
    32_767, 32_768, 46_340, 46_341, 65_535, 65_536, 65_537, 1_000_000,
];

/// What launches have in common that say the same of a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort {
    pub holds: bool,
    /// Many threads.
    pub is_large: bool,
    /// Which of its atoms hold.
    pub atoms: Vec<bool>,
}

/// The sort of a point.
pub fn sort(space: &Space, condition: &Condition, point: &Point) -> Sort {
    let atoms = condition.atoms().into_iter();
    Sort {
        holds: condition.at(point),
        is_large: space.n_threads(point) > FEW_THREADS,
        atoms: atoms.map(|atom| atom.at(point)).collect(),
    }
}

/// Launches that are not `known`: first such as fail but for what the condition speaks of, then others that meet it and
/// such as do not, drawn around `bases`.
pub fn points(
    space: &Space,
    condition: &Condition,
    known: &dyn Fn(&Point) -> bool,
    (failing, bases): (&[Point], &[Point]),
    round: u64,
) -> Vec<Point> {
    let mut drawing = Drawing {
        space,
        atoms: condition.atoms(),
        free: (0..space.dimensions.len())
            .filter(|&d| !space.dimensions[d].is_fixed())
            .collect(),
        rng: Rng::new(100 + round),
    };
    let mut seen: HashSet<Point> = HashSet::new();
    let is_new = |point: &Point, seen: &mut HashSet<Point>| {
        space.n_threads(point) <= MANY_THREADS && !known(point) && seen.insert(point.clone())
    };
    let mut sorts: BTreeMap<Sort, Vec<Point>> = BTreeMap::new();
    for _ in 0..DRAWN / 4 {
        let crossing = drawing.crossing(failing);
        if let Some(point) = crossing.filter(|point| condition.at(point))
            && is_new(&point, &mut seen)
        {
            let alike = sorts.entry(sort(space, condition, &point)).or_default();
            if alike.len() < OF_ONE_SORT {
                alike.push(point);
            }
        }
    }
    let crossings = in_turn(&sorts.values().collect::<Vec<_>>(), CROSSINGS);
    let far = drawing.far(bases).into_iter();
    let far: Vec<Point> = far
        .filter(|point| condition.at(point) && is_new(point, &mut seen))
        .collect();
    let n_far = far.len().min(FAR);
    let far = drawing.rng.keep(far, n_far);
    sorts.clear();
    for _ in 0..DRAWN {
        let Some(point) = drawing.point(bases) else {
            continue;
        };
        if !is_new(&point, &mut seen) {
            continue;
        }
        let alike = sorts.entry(sort(space, condition, &point)).or_default();
        if alike.len() < OF_ONE_SORT {
            alike.push(point);
        }
    }
    let of = |holds: bool, is_large: Option<bool>, most: usize| {
        let is_own = |s: &Sort| s.holds == holds && is_large.is_none_or(|l| l == s.is_large);
        let alike: Vec<&Vec<Point>> = sorts.iter().filter(|s| is_own(s.0)).map(|s| s.1).collect();
        in_turn(&alike, most)
    };
    let mut chosen = crossings;
    chosen.extend(far);
    chosen.extend(of(true, Some(false), FEW));
    chosen.extend(of(true, Some(true), MANY));
    chosen.extend(of(false, None, OUTSIDE));
    chosen
}

/// The first of each list, then the second of each, and so on.
fn in_turn(lists: &[&Vec<Point>], most: usize) -> Vec<Point> {
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|turn| lists.iter().filter_map(move |list| list.get(turn)));
    turns.take(most).cloned().collect()
}

/// Which extents of a launch are made larger.
#[derive(Clone, Copy)]
enum Larger {
    Nowhere,
    Grid,
    Block,
}

struct Drawing<'a> {
    space: &'a Space,
    atoms: Vec<&'a Atom>,
    /// The dimensions that vary.
    free: Vec<usize>,
    rng: Rng,
}

impl Drawing<'_> {
    /// One of the bases, with other values of some dimensions.
    fn point(&mut self, bases: &[Point]) -> Option<Point> {
        let mut point = self.rng.pick(bases)?.clone();
        let free = self.free.clone();
        for _ in 0..=self.rng.below(free.len().max(1) + 1) {
            let d = *self.rng.pick(&free)?;
            if let Some(value) = self.value(d, &point).filter(|value| self.fits(d, *value)) {
                point[d] = value;
            }
        }
        self.admissible(point)
    }

    /// One that fails, with another value of something that the condition speaks of.
    fn crossing(&mut self, failing: &[Point]) -> Option<Point> {
        let mut point = self.rng.pick(failing)?.clone();
        let atom = *self.rng.pick(&self.atoms)?;
        let terms = atom.terms().into_iter();
        let named = terms.flat_map(Term::variables);
        let named: Vec<usize> = named.filter(|d| self.free.contains(d)).collect();
        let d = *self.rng.pick(&named)?;
        let value = match self.rng.below(3) {
            0 => self.value(d, &point)?,
            _ => self
                .edge(d, &point)?
                .checked_add(self.rng.below(5) as i64 - 2)?,
        };
        point[d] = value;
        if !self.fits(d, value) {
            return None;
        }
        self.admissible(point)
    }

    /// Launches that were tried, each with an extreme value of one argument.
    fn far(&mut self, bases: &[Point]) -> Vec<Point> {
        let is_usual = |point: &&Point| (2..=MANY_OF_FAR).contains(&self.space.n_threads(point));
        let bases: Vec<Point> = bases.iter().filter(is_usual).cloned().collect();
        let mut found = Vec::new();
        for d in self.free.clone() {
            if self.space.dimensions[d].variable.is_of_launch() {
                continue;
            }
            let mut values = self.extremes(d);
            values.retain(|value| self.fits(d, *value));
            for value in values {
                // As it is, with more blocks, and with more threads: one of few may show nothing.
                for larger in [Larger::Nowhere, Larger::Grid, Larger::Block] {
                    let Some(base) = self.rng.pick(&bases) else {
                        return found;
                    };
                    let mut point = base.clone();
                    point[d] = value;
                    self.enlarge(&mut point, larger);
                    found.extend(self.admissible(point));
                }
            }
        }
        found
    }

    /// Makes one extent of a launch larger, if there is one that varies.
    fn enlarge(&mut self, point: &mut Point, larger: Larger) {
        let (is_own, extents): (fn(Variable) -> bool, &[i64]) = match larger {
            Larger::Nowhere => return,
            Larger::Grid => (|v| matches!(v, Variable::GridDim(_)), &[5, 8, 9, 17]),
            Larger::Block => (|v| matches!(v, Variable::BlockDim(_)), &[17, 20, 33, 65]),
        };
        let own = self.free.iter().copied();
        let own: Vec<usize> = own
            .filter(|&d| is_own(self.space.dimensions[d].variable))
            .collect();
        if let (Some(&d), Some(&extent)) = (self.rng.pick(&own), self.rng.pick(extents)) {
            point[d] = extent;
        }
    }

    /// The ends of the range of a type, and where sums and products of two such numbers, or of one with a number of the
    /// code, leave it.
    fn extremes(&self, d: usize) -> Vec<i64> {
        let ty = self.space.dimensions[d].ty;
        let bits = 8 * ty.size() as u32;
        let half = 1i64.checked_shl(bits / 2).unwrap_or(0);
        let last = 1i64 << (bits - 1).min(62);
        let mut values = vec![
            last,
            last - 1,
            last / 2,
            last / 2 + 1,
            last / 4,
            last / 4 * 3,
            last / 8,
            last / 64,
            half,
            half / 2,
            half + 1,
        ];
        for &constant in self.space.constants.iter().take(4) {
            values.extend([
                last / constant,
                last / constant + 1,
                last / constant * 3 / 2,
            ]);
        }
        let negative: Vec<i64> = values.iter().map(|value| -value).collect();
        values.extend(negative);
        values.extend([-1, -2, -3, -33]);
        values
    }

    fn admissible(&self, point: Point) -> Option<Point> {
        let blocks = self.space.dimensions.iter().zip(&point);
        let of_block = blocks.filter(|(d, _)| matches!(d.variable, Variable::BlockDim(_)));
        let threads = of_block.fold(1i64, |n, (_, &extent)| n.saturating_mul(extent));
        (threads <= MOST_OF_BLOCK).then_some(point)
    }

    fn fits(&self, d: usize, value: i64) -> bool {
        let dimension = &self.space.dimensions[d];
        let in_range = match dimension.variable {
            Variable::BlockDim(axis) => {
                let most = if axis as usize == 2 {
                    64
                } else {
                    MOST_OF_BLOCK
                };
                (1..=most).contains(&value)
            }
            Variable::GridDim(_) => (1..=MOST_BLOCKS).contains(&value),
            Variable::Scalar(_) if self.space.counts_elements(d) => {
                (0..=MOST_COUNTED).contains(&value)
            }
            Variable::Scalar(_) => true,
            Variable::Extent(_) => false,
        };
        in_range && offer::fits(value, dimension.ty)
    }

    fn value(&mut self, d: usize, point: &[i64]) -> Option<i64> {
        let ty = self.space.dimensions[d].ty;
        if ty == ScalarType::Bool {
            return Some(self.rng.below(2) as i64);
        }
        let beside = self.rng.below(5) as i64 - 2;
        match self.rng.below(10) {
            0..=2 => self.usual(d),
            // Where one of the atoms changes its mind.
            3..=5 => {
                let at = self.edge(d, point);
                at.and_then(|at| at.checked_add(beside))
                    .or_else(|| self.usual(d))
            }
            6 | 7 => self.beside_others(point)?.checked_add(beside),
            8 => self.of_constants().or_else(|| self.extreme(d)),
            _ => self.extreme(d),
        }
    }

    fn usual(&mut self, d: usize) -> Option<i64> {
        let values = match self.space.dimensions[d].variable {
            Variable::BlockDim(_) => BLOCKS,
            Variable::GridDim(_) => GRIDS,
            _ => SIZES,
        };
        self.rng.pick(values).copied()
    }

    /// Near the least and the greatest of the type, powers of two, and anything.
    fn extreme(&mut self, d: usize) -> Option<i64> {
        if self.space.dimensions[d].variable.is_of_launch() {
            return self.usual(d);
        }
        let ty = self.space.dimensions[d].ty;
        let bits = 8 * ty.size() as usize;
        let beside = self.rng.below(3) as i64 - 1;
        match self.rng.below(4) {
            0 => self.rng.pick(EXTREMES).copied(),
            1 => {
                let power = 1i64 << self.rng.below(bits.min(63));
                let value = if self.rng.below(3) == 0 {
                    -power
                } else {
                    power
                };
                value.checked_add(beside)
            }
            2 => {
                let greatest = match (bits, ty.is_signed()) {
                    (64, _) => i64::MAX,
                    (bits, true) => (1 << (bits - 1)) - 1,
                    (bits, false) => (1 << bits) - 1,
                };
                let least = if ty.is_signed() { -greatest - 1 } else { 0 };
                let few = self.rng.below(3) as i64;
                Some(if self.rng.below(2) == 0 {
                    least + few
                } else {
                    greatest - few
                })
            }
            _ => {
                let all = 1usize << (bits - 1).min(62);
                let value = self.rng.below(all) as i64;
                Some(if self.rng.below(2) == 0 {
                    value
                } else {
                    -value
                })
            }
        }
    }

    /// Around a number of the code, and where its product leaves 31 or 32 bits.
    fn of_constants(&mut self) -> Option<i64> {
        let constant = *self.rng.pick(&self.space.constants)?;
        let whole = match self.rng.below(5) {
            0 | 1 => constant,
            2 => 2 * constant,
            3 => (1i64 << 31) / constant,
            _ => (1i64 << 32) / constant,
        };
        let many = [1, 1, 1, 3].get(self.rng.below(4)).copied().unwrap_or(1);
        Some(whole * many / if many > 1 { 2 } else { 1 } + self.rng.below(3) as i64 - 1)
    }

    /// The value of another dimension, or the product of two.
    fn beside_others(&mut self, point: &[i64]) -> Option<i64> {
        let one = *self.rng.pick(point)?;
        match self.rng.below(4) {
            0 => one.checked_mul(*self.rng.pick(point)?),
            1 => one.checked_mul(2),
            _ => Some(one),
        }
    }

    /// A value at which both sides of one of the comparisons are about the same, everything else as it is.
    fn edge(&mut self, d: usize, point: &[i64]) -> Option<i64> {
        let names = |atom: &&&Atom| {
            atom.terms()
                .iter()
                .any(|term| term.variables().contains(&d))
        };
        let own: Vec<&Atom> = self.atoms.iter().filter(names).copied().collect();
        let (a, b) = match self.rng.pick(&own)? {
            Atom::Compare(a, _, b) => (a, b),
            // A multiple, by a small factor.
            Atom::Multiple(a, b) => {
                let times = 1 + self.rng.below(4) as i64;
                let many = b.clone().scaled(times);
                return equal(a, &many, d, point);
            }
            Atom::PowerOfTwo(_) => return Some(1 << self.rng.below(11)),
        };
        equal(a, b, d, point)
    }
}

/// The value of a dimension at which two terms, of which at most one is not constant in it, are about equal.
fn equal(a: &Term, b: &Term, d: usize, point: &[i64]) -> Option<i64> {
    let mut at = point.to_vec();
    let mut difference = |value: i64| {
        at[d] = value;
        a.at(&at).checked_sub(b.at(&at))
    };
    let (none, one) = (difference(0)?, difference(1)?);
    let slope = one.checked_sub(none)?;
    let value = none.checked_neg()?.checked_div(slope)?;
    i64::try_from(value).ok()
}
