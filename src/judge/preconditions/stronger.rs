//! A condition of launches as one makes them that turned out to be too weak, strengthened by what excludes the launch at
//! which that showed.
//!
//! What is not needed of a guess is found out by runs, which are of small sizes: that a matrix without rows may be as wide
//! as it likes, until an index wraps around, shows only in a proof.

use super::condition::{Atom, Relation, all};
use super::guesses::{covered, products, products_with_blocks};
use super::other_launches::Ordinary;
use super::space::{Point, Space};
use super::term::Term;
use super::under::point_of;
use super::variable::Variable;
use gridlock_semantics::setup::Setup;
use std::cmp::Reverse;

/// What is known of the launches of a kernel.
pub(super) struct Known {
    pub space: Space,
    /// At which nothing went wrong.
    pub safe: Vec<Point>,
    /// At which something did.
    pub failing: Vec<Point>,
}

/// What else may be asked of launches and arguments.
pub(crate) struct Stronger {
    known: Known,
    /// The condition, the strongest known.
    atoms: Vec<Atom>,
    /// Those of its parts that hold for bounds on products: what shows that these are needed is in no run.
    bounds: Vec<Atom>,
    /// What it may be strengthened by, the likeliest first.
    more: Vec<Atom>,
}

impl Stronger {
    /// `atoms`: the condition, `needed` with bounds on products; `held`: the guess that it is what is needed of; `numbers`:
    /// those of the code.
    pub(super) fn new(
        known: Known,
        needed: &[Atom],
        atoms: &[Atom],
        held: &[Atom],
        numbers: &[i64],
    ) -> Stronger {
        let space = &known.space;
        let grids = space.dimensions.iter().enumerate();
        let grids = grids.filter_map(|(d, dimension)| match dimension.variable {
            Variable::GridDim(axis) if !dimension.is_fixed() => Some((d, axis)),
            _ => None,
        });
        let grids: Vec<_> = grids.filter(|(d, _)| !atoms.contains(&one(*d))).collect();
        // A size bounds the blocks along one axis, and the blocks along an axis have one bound.
        let is_taken = |atom: &Atom| {
            let of_grids = atoms.iter().filter(|other| is_of_grid(other, space));
            let mut taken = of_grids.flat_map(variables);
            taken.any(|d| variables(atom).contains(&d) && !is_of_block(d, space))
        };
        let of_grids = grids.iter();
        let of_grids = of_grids.flat_map(|&(d, axis)| covered(space, numbers, d, axis));
        let (taken, mut more): (Vec<Atom>, Vec<Atom>) = of_grids.partition(is_taken);
        // Those that say least first.
        let admits = |atom: &Atom| {
            let admitted = known.safe.iter();
            let admitted = admitted.filter(|point| all(atoms, point) && atom.at(point));
            admitted.count()
        };
        more.sort_by_cached_key(|atom| Reverse(admits(atom)));
        let one_block = grids.iter().map(|(d, _)| one(*d));
        let not_needed = held.iter().filter(|atom| !is_of_grid(atom, space));
        more.extend(not_needed.cloned());
        more.extend(products(space));
        more.extend(products_with_blocks(space));
        more.extend(taken);
        more.extend(one_block);
        let bounds = atoms.iter().filter(|atom| !needed.contains(atom));
        Stronger {
            atoms: atoms.to_vec(),
            bounds: bounds.cloned().collect(),
            more,
            known,
        }
    }

    /// The condition with what excludes each of these, where a defect shows though they meet it; `None` where nothing known
    /// does.
    pub fn excluding<'s>(
        &mut self,
        setups: impl IntoIterator<Item = &'s Setup>,
    ) -> Option<Ordinary> {
        let mut is_stronger = false;
        for setup in setups {
            let point = point_of(&self.known.space, setup)?;
            if all(&self.atoms, &point) {
                let excludes = self.more.iter().position(|atom| !atom.at(&point));
                let stronger = self.more.remove(excludes?);
                self.atoms.push(stronger);
                is_stronger = true;
            }
            self.known.failing.push(point);
        }
        if !is_stronger {
            return None;
        }
        self.leave_out_what_is_needless();
        Ordinary::new(&self.known.space, &self.known.safe, &self.atoms)
    }

    /// Without what excludes no launch that fails and that the rest does not exclude: what was added may say more than what
    /// was there.
    fn leave_out_what_is_needless(&mut self) {
        for atom in self.atoms.clone() {
            let rest: Vec<Atom> = self.atoms.iter().filter(|a| **a != atom).cloned().collect();
            let excludes = |point: &Point| all(&rest, point) && !atom.at(point);
            let Known { safe, failing, .. } = &self.known;
            let is_needed = failing.iter().any(excludes)
                || self.bounds.contains(&atom) && (keeps_small(&atom) || safe.iter().any(excludes));
            if !is_needed {
                self.atoms = rest;
            }
        }
    }
}

/// That a number of blocks is 1.
fn one(d: usize) -> Atom {
    Atom::Compare(Term::Var(d), Relation::Eq, Term::Number(1))
}

fn variables(atom: &Atom) -> Vec<usize> {
    atom.terms().into_iter().flat_map(Term::variables).collect()
}

fn is_of_grid(atom: &Atom, space: &Space) -> bool {
    let is_grid = |d: usize| matches!(space.dimensions[d].variable, Variable::GridDim(_));
    variables(atom).into_iter().any(is_grid)
}

fn is_of_block(d: usize, space: &Space) -> bool {
    matches!(space.dimensions[d].variable, Variable::BlockDim(_))
}

/// Whether it bounds something from above, strictly: a product.
fn keeps_small(atom: &Atom) -> bool {
    matches!(atom, Atom::Compare(_, Relation::Lt, _))
}
