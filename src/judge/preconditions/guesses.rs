//! Guesses of which launches a kernel is written for: blocks of the extents that the code or its host code names, or whole
//! warps; sizes that are positive, and multiples of a tile.

use super::blocks::block_dimensions;
use super::condition::{Atom, Relation};
use super::constants;
use super::space::Space;
use super::term::Term;
use super::variable::Variable;
use gridlock_semantics::algebra::expr::Axis;
use gridlock_semantics::algebra::types::ScalarType;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Pairs of numbers of the code that a block of two dimensions is tried with.
const PAIRS: usize = 48;
/// The largest extent of a tile.
const MOST_OF_TILE: i64 = 128;
/// Bounds tried on the number of blocks.
const BOUNDS: usize = 48;
/// Products bounded at most.
const MOST_PRODUCTS: usize = 6;
/// Elements of the largest array of which `int` still counts all.
const MOST_ELEMENTS: i64 = 1 << 31;
/// Sides that blocks of two dimensions have most often, named or not.
const SIDES: [i64; 3] = [8, 16, 32];

pub(super) fn compare(d: usize, relation: Relation, number: i64) -> Atom {
    Atom::Compare(Term::Var(d), relation, Term::Number(number))
}

pub(super) fn equal(d: usize, other: usize) -> Atom {
    Atom::Compare(Term::Var(d), Relation::Eq, Term::Var(other))
}

pub(super) fn multiple(d: usize, number: i64) -> Atom {
    Atom::Multiple(Term::Var(d), Term::Number(number))
}

/// What guesses are made from.
pub(super) struct Guesses<'a> {
    pub space: &'a Space,
    /// Of the code.
    pub numbers: &'a [i64],
    /// The blocks of the launches of host code that say one.
    pub of_host: &'a BTreeSet<[u32; 3]>,
}

impl Guesses<'_> {
    /// Of blocks the most general first, with sizes and grids as they are most often.
    pub fn all(&self) -> Vec<Vec<Atom>> {
        let sizes = self.usual_sizes();
        let one_block: Vec<Atom> = self
            .space
            .varying(|v| matches!(v, Variable::GridDim(_)))
            .map(|d| compare(d, Relation::Eq, 1))
            .collect();
        // A row is as long as it is wide, say, and what is read as large as what is written.
        let counts = self.space.counts();
        let equal: Vec<Atom> = counts
            .iter()
            .skip(1)
            .map(|&d| equal(d, counts[0]))
            .collect();
        let mut found = Vec::new();
        for block in self.of_blocks() {
            let own = [block, sizes.clone()].concat();
            found.push(own.clone());
            found.push([&own[..], &one_block].concat());
            if !equal.is_empty() {
                found.push([&own[..], &equal].concat());
                found.push([own, equal.clone(), one_block.clone()].concat());
            }
        }
        found.dedup();
        found
    }

    /// Positive sizes, which the largest number of the code divides that is a power of two.
    fn usual_sizes(&self) -> Vec<Atom> {
        let is_power = |n: &i64| (2..=128).contains(n) && n & (n - 1) == 0;
        let tile = self.numbers.iter().copied().filter(is_power).max();
        let scalars = self.space.varying(|v| matches!(v, Variable::Scalar(_)));
        let numbers = scalars.filter(|&d| self.space.dimensions[d].ty != ScalarType::Bool);
        let both = numbers.flat_map(|d| {
            let least = compare(d, Relation::Ge, 1);
            [Some(least), tile.map(|tile| multiple(d, tile))]
        });
        both.flatten().collect()
    }

    /// Conditions on blocks, the most general first.
    fn of_blocks(&self) -> Vec<Vec<Atom>> {
        let [x, y, z] = block_dimensions(self.space);
        let flat: Vec<Atom> = [y, z]
            .into_iter()
            .flatten()
            .map(|d| compare(d, Relation::Eq, 1))
            .collect();
        let Some(x) = x else {
            return vec![vec![]];
        };
        let shared = constants::of_shared_arrays(&self.space.program, self.space.kernel);
        // A thread for each element of an array of the block, then whole warps, the largest first.
        let is_less_likely = |n: i64| (!shared.contains(&n), n % 32 != 0, Reverse(n));
        let mut found: Vec<Vec<Atom>> = vec![vec![]];
        let own = self.of_host.first().filter(|_| self.of_host.len() == 1);
        if let Some(block) = own {
            let extents = [Some(x), y, z].into_iter().zip(*block);
            let own = extents.filter_map(|(d, n)| Some(compare(d?, Relation::Eq, i64::from(n))));
            found.push(own.collect());
        }
        if let Some(y) = y {
            let depth: Vec<Atom> = z.map(|d| compare(d, Relation::Eq, 1)).into_iter().collect();
            let with = |own: &[Atom]| [own, &depth[..]].concat();
            let threads = Atom::Multiple(Term::Times(x, y), Term::Number(32));
            found.push(with(&[threads]));
            let named = self.numbers.iter().copied().filter(|n| *n <= 512);
            let numbers: BTreeSet<i64> = named.chain(SIDES).collect();
            let pairs = numbers
                .iter()
                .flat_map(|&a| numbers.iter().map(move |&b| (a, b)));
            let mut pairs: Vec<(i64, i64)> = pairs.filter(|(a, b)| a * b <= 1024).collect();
            pairs.sort_unstable_by_key(|(a, b)| (a != b, is_less_likely(a * b)));
            let sides = |(a, b)| [compare(x, Relation::Eq, a), compare(y, Relation::Eq, b)];
            found.extend(pairs.into_iter().take(PAIRS).map(|pair| with(&sides(pair))));
        }
        let with = |more: &[Atom]| [&flat[..], more].concat();
        found.push(flat.clone());
        found.push(with(&[multiple(x, 32)]));
        let warps = self.numbers.iter().map(|n| n.saturating_mul(32));
        let mut extents: Vec<i64> = self.numbers.iter().copied().chain(warps).collect();
        extents.retain(|n| (2..=1024).contains(n));
        extents.sort_unstable_by_key(|n| is_less_likely(*n));
        extents.dedup();
        let alone = |n: &i64| with(&[compare(x, Relation::Eq, *n)]);
        found.extend(extents.iter().map(alone));
        found.dedup();
        found
    }
}

/// As many blocks as an argument has room for: a thread, or a tile of the code, for each.
pub(super) fn covered(space: &Space, numbers: &[i64], grid: usize, axis: Axis) -> Vec<Atom> {
    let block = space.find(Variable::BlockDim(axis));
    let threads = block.map(|block| Term::Times(grid, block));
    let is_tile = |n: &&i64| (2..=MOST_OF_TILE).contains(*n);
    let tiles = numbers.iter().filter(is_tile);
    let tiles = tiles.map(|&n| Term::Var(grid).scaled(n));
    let terms: Vec<Term> = threads.into_iter().chain(tiles).collect();
    let counts = space.counts();
    let all = terms
        .iter()
        .flat_map(|term| counts.iter().map(move |&d| (term, d)));
    all.map(|(term, d)| Atom::Compare(term.clone(), Relation::Le, Term::Var(d)))
        .take(BOUNDS)
        .collect()
}

/// Bounds on the products of two sizes.
pub(super) fn products(space: &Space) -> Vec<Atom> {
    let scalars = space.counts();
    let pairs = scalars.iter().enumerate();
    let pairs = pairs.flat_map(|(i, &d)| scalars[i + 1..].iter().map(move |&e| (d, e)));
    pairs
        .take(MOST_PRODUCTS)
        .map(|(d, e)| less_than_counted(d, e))
        .collect()
}

/// Bounds on the products of an extent of blocks and a size: a stride, say.
pub(super) fn products_with_blocks(space: &Space) -> Vec<Atom> {
    let blocks = block_dimensions(space).into_iter().flatten();
    let pairs = blocks.flat_map(|block| space.counts().into_iter().map(move |d| (block, d)));
    pairs
        .take(MOST_PRODUCTS)
        .map(|(block, d)| less_than_counted(block, d))
        .collect()
}

/// An array of so many elements is one whose elements an `int` counts.
fn less_than_counted(d: usize, e: usize) -> Atom {
    Atom::Compare(Term::Times(d, e), Relation::Lt, Term::Number(MOST_ELEMENTS))
}

/// With bounds on products of sizes, which are not negative then.
pub(super) fn with_bounds(atoms: &[Atom], products: &[Atom]) -> Vec<Atom> {
    let mut both = atoms.to_vec();
    for product in products {
        for d in product.terms().into_iter().flat_map(Term::variables) {
            let least = |atom: &Atom| matches!(atom, Atom::Compare(Term::Var(v), Relation::Ge, Term::Number(0 | 1)) if *v == d);
            if !both.iter().any(least) {
                both.push(compare(d, Relation::Ge, 0));
            }
        }
        if !both.contains(product) {
            both.push(product.clone());
        }
    }
    both
}

/// What says less of a number than that it is `n`.
pub(super) fn less_than_equal(d: usize, n: i64) -> Vec<Vec<Atom>> {
    let bounds = [Relation::Le, Relation::Ge].map(|relation| compare(d, relation, n));
    let mut less: Vec<Vec<Atom>> = bounds.iter().map(|bound| vec![bound.clone()]).collect();
    less.push(vec![multiple(d, n)]);
    if n > 32 && n % 32 == 0 {
        less.extend(bounds.map(|bound| vec![multiple(d, 32), bound]));
    }
    less
}
