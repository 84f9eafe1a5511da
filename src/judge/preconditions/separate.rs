//! The simplest conditions that hold at every safe point and at no failing one.
//!
//! Atoms are sets of points here. A conjunction of the simplest kind consists of atoms that hold
//! at every safe point, a disjunction of atoms that hold at no failing one; of the others
//! `(a or b) and c` and `a and b or c` are tried, `c` of the one kind and the rest of what is
//! then left to separate of the other.

use super::condition::Condition;
use super::grammar::{AND, OR, Priced};
use fixedbitset::FixedBitSet;
use std::collections::{HashMap, HashSet};

/// An atom as the set of points where it holds.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub priced: Priced,
    pub holds: FixedBitSet,
}

/// A condition, its cost and the set of points where it holds.
#[derive(Clone, Debug)]
pub struct Separating {
    pub condition: Condition,
    pub cost: u32,
    pub holds: FixedBitSet,
}

/// Conditions kept.
const KEPT: usize = 48;
/// Atoms in conjunctions and disjunctions of two, of three, and in mixed ones.
const PAIRS: usize = 400;
const TRIPLES: usize = 60;
const MIXED: usize = 70;

/// Atoms with the points where they hold, points added as they come up.
pub fn candidates(atoms: Vec<Priced>, points: &[Vec<i64>]) -> Vec<Candidate> {
    let empty = |priced| Candidate {
        priced,
        holds: FixedBitSet::new(),
    };
    let mut candidates: Vec<Candidate> = atoms.into_iter().map(empty).collect();
    extend(&mut candidates, points);
    candidates
}

/// Evaluates the atoms at the points that are new.
pub fn extend(candidates: &mut [Candidate], points: &[Vec<i64>]) {
    for candidate in candidates {
        let known = candidate.holds.len();
        candidate.holds.grow(points.len());
        for (index, point) in points.iter().enumerate().skip(known) {
            candidate.holds.set(index, candidate.priced.atom.at(point));
        }
    }
}

/// The atoms that tell points apart; of several that agree at every point the simplest.
fn unique(candidates: &[Candidate]) -> Vec<&Candidate> {
    let mut known: HashSet<&FixedBitSet> = HashSet::new();
    let mut kept = Vec::new();
    for candidate in candidates {
        let holds = &candidate.holds;
        let n = holds.count_ones(..);
        if n > 0 && n < holds.len() && known.insert(holds) {
            kept.push(candidate);
        }
    }
    kept
}

/// Conditions that separate, the simplest first; empty when the grammar has none.
pub fn separating(
    atoms: &[Candidate],
    safe: &FixedBitSet,
    failing: &FixedBitSet,
) -> Vec<Separating> {
    let atoms = &unique(atoms);
    let mut found = Found::default();
    for atom in atoms {
        if safe.is_subset(&atom.holds) && failing.is_disjoint(&atom.holds) {
            found.add(leaf(atom), atom.priced.cost, atom.holds.clone());
        }
    }
    let atoms_where = |kept: &dyn Fn(&Candidate) -> bool| -> Vec<&Candidate> {
        atoms.iter().filter(|a| kept(a)).copied().collect()
    };
    let necessary = atoms_where(&|a| safe.is_subset(&a.holds));
    let sufficient = atoms_where(&|a| failing.is_disjoint(&a.holds) && !safe.is_disjoint(&a.holds));
    conjunctions(&necessary, failing, &mut found);
    disjunctions(&sufficient, safe, &mut found);
    if found.list.is_empty() {
        mixed(atoms, &necessary, &sufficient, safe, failing, &mut found);
    }
    found.list.sort_by_key(|s| s.cost);
    found.list.truncate(KEPT);
    found.list
}

fn leaf(candidate: &Candidate) -> Condition {
    Condition::Atom(candidate.priced.atom.clone())
}

#[derive(Default)]
struct Found {
    list: Vec<Separating>,
}

impl Found {
    fn add(&mut self, condition: Condition, cost: u32, holds: FixedBitSet) {
        self.list.push(Separating {
            condition,
            cost,
            holds,
        });
        // Room for better ones, without keeping everything.
        if self.list.len() > 40 * KEPT {
            self.list.sort_by_key(|s| s.cost);
            self.list.truncate(KEPT);
        }
    }
}

/// The atoms that say most for their cost: of those with the same points in `of` the simplest.
fn distinct<'a>(atoms: &[&'a Candidate], of: &FixedBitSet, most: usize) -> Vec<&'a Candidate> {
    let mut known: HashMap<FixedBitSet, usize> = HashMap::new();
    let mut kept = Vec::new();
    for atom in atoms {
        let mut points = atom.holds.clone();
        points.intersect_with(of);
        // A few of each kind: they agree here and differ elsewhere.
        let n = known.entry(points).or_insert(0);
        *n += 1;
        if *n <= 2 {
            kept.push(*atom);
        }
        if kept.len() == most {
            break;
        }
    }
    kept
}

fn and(parts: &[&Candidate]) -> (Condition, u32, FixedBitSet) {
    let mut holds = parts[0].holds.clone();
    parts[1..]
        .iter()
        .for_each(|p| holds.intersect_with(&p.holds));
    let cost = parts.iter().map(|p| p.priced.cost).sum::<u32>() + AND * (parts.len() as u32 - 1);
    let leaves = parts.iter().map(|p| leaf(p)).collect();
    (Condition::And(leaves), cost, holds)
}

fn or(parts: &[&Candidate]) -> (Condition, u32, FixedBitSet) {
    let mut holds = parts[0].holds.clone();
    parts[1..].iter().for_each(|p| holds.union_with(&p.holds));
    let cost = parts.iter().map(|p| p.priced.cost).sum::<u32>() + OR * (parts.len() as u32 - 1);
    let leaves = parts.iter().map(|p| leaf(p)).collect();
    (Condition::Or(leaves), cost, holds)
}

fn conjunctions(necessary: &[&Candidate], failing: &FixedBitSet, found: &mut Found) {
    // What an atom that holds at every safe point leaves of the failing ones.
    let left = |a: &Candidate| {
        let mut left = a.holds.clone();
        left.intersect_with(failing);
        left
    };
    let excludes = |a: &&&Candidate| !failing.is_subset(&a.holds);
    let useful: Vec<&Candidate> = necessary.iter().filter(excludes).copied().collect();
    let pairs = distinct(&useful, failing, PAIRS);
    for (i, a) in pairs.iter().enumerate() {
        let left_by_a = left(a);
        if left_by_a.is_clear() {
            continue;
        }
        for b in &pairs[i + 1..] {
            if left_by_a.is_disjoint(&b.holds) && !left(b).is_clear() {
                let (condition, cost, holds) = and(&[a, b]);
                found.add(condition, cost, holds);
            }
        }
    }
    if !found.list.is_empty() {
        return;
    }
    let triples = &pairs[..pairs.len().min(TRIPLES)];
    for (i, a) in triples.iter().enumerate() {
        for (j, b) in triples.iter().enumerate().skip(i + 1) {
            let mut left_by_both = left(a);
            left_by_both.intersect_with(&b.holds);
            for c in &triples[j + 1..] {
                if left_by_both.is_disjoint(&c.holds) {
                    let (condition, cost, holds) = and(&[a, b, c]);
                    found.add(condition, cost, holds);
                }
            }
        }
    }
}

fn disjunctions(sufficient: &[&Candidate], safe: &FixedBitSet, found: &mut Found) {
    // What of the safe points an atom does not cover.
    let missing = |a: &Candidate| {
        let mut missing = safe.clone();
        missing.difference_with(&a.holds);
        missing
    };
    let pairs = distinct(sufficient, safe, PAIRS);
    for (i, a) in pairs.iter().enumerate() {
        let missed_by_a = missing(a);
        if missed_by_a.is_clear() {
            continue;
        }
        for b in &pairs[i + 1..] {
            if missed_by_a.is_subset(&b.holds) && !safe.is_subset(&b.holds) {
                let (condition, cost, holds) = or(&[a, b]);
                found.add(condition, cost, holds);
            }
        }
    }
    if !found.list.is_empty() {
        return;
    }
    let triples = &pairs[..pairs.len().min(TRIPLES)];
    for (i, a) in triples.iter().enumerate() {
        for (j, b) in triples.iter().enumerate().skip(i + 1) {
            let mut missed_by_both = missing(a);
            missed_by_both.difference_with(&b.holds);
            for c in &triples[j + 1..] {
                if missed_by_both.is_subset(&c.holds) {
                    let (condition, cost, holds) = or(&[a, b, c]);
                    found.add(condition, cost, holds);
                }
            }
        }
    }
}

/// A condition that holds at no failing point and at most of the safe ones: an atom or two joined
/// by *and*, for where nothing separates. Of those that hold at as many the simplest.
pub fn sufficient(
    atoms: &[Candidate],
    safe: &FixedBitSet,
    failing: &FixedBitSet,
) -> Option<Separating> {
    let atoms = unique(atoms);
    let covers = |holds: &FixedBitSet| safe.intersection_count(holds);
    let mut best: Option<(usize, Separating)> = None;
    let mut consider = |condition: Condition, cost: u32, holds: FixedBitSet| {
        let n = covers(&holds);
        let better = best
            .as_ref()
            .is_none_or(|(most, known)| n > *most || n == *most && cost < known.cost);
        if n > 0 && better {
            let separating = Separating {
                condition,
                cost,
                holds,
            };
            best = Some((n, separating));
        }
    };
    for atom in &atoms {
        if failing.is_disjoint(&atom.holds) {
            consider(leaf(atom), atom.priced.cost, atom.holds.clone());
        }
    }
    let all = atoms.len().min(PAIRS);
    for (i, a) in atoms[..all].iter().enumerate() {
        for b in &atoms[i + 1..all] {
            let (condition, cost, holds) = and(&[a, b]);
            if failing.is_disjoint(&holds) {
                consider(condition, cost, holds);
            }
        }
    }
    best.map(|(_, separating)| separating)
}

/// `(a or b) and c`, and `(a and b) or c`.
fn mixed(
    atoms: &[&Candidate],
    necessary: &[&Candidate],
    sufficient: &[&Candidate],
    safe: &FixedBitSet,
    failing: &FixedBitSet,
    found: &mut Found,
) {
    for c in distinct(necessary, failing, MIXED) {
        let mut left = c.holds.clone();
        left.intersect_with(failing);
        if left.count_ones(..) == failing.count_ones(..) {
            continue;
        }
        let mut rest = Found::default();
        let enough: Vec<&Candidate> = atoms
            .iter()
            .filter(|a| left.is_disjoint(&a.holds) && !safe.is_disjoint(&a.holds))
            .copied()
            .collect();
        disjunctions(&enough[..enough.len().min(2 * MIXED)], safe, &mut rest);
        for s in rest.list {
            let mut holds = s.holds;
            holds.intersect_with(&c.holds);
            let condition = Condition::And(vec![leaf(c), s.condition]);
            found.add(condition, s.cost + c.priced.cost + AND, holds);
        }
    }
    for c in distinct(sufficient, safe, MIXED) {
        let mut left = safe.clone();
        left.difference_with(&c.holds);
        let mut rest = Found::default();
        let needed: Vec<&Candidate> = atoms
            .iter()
            .filter(|a| left.is_subset(&a.holds))
            .copied()
            .collect();
        conjunctions(&needed[..needed.len().min(2 * MIXED)], failing, &mut rest);
        for s in rest.list {
            let mut holds = s.holds;
            holds.union_with(&c.holds);
            let condition = Condition::Or(vec![leaf(c), s.condition]);
            found.add(condition, s.cost + c.priced.cost + OR, holds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::preconditions::grammar;
    use crate::judge::preconditions::pool::Pool;
    use crate::judge::preconditions::space::Space;
    use gridlock_frontend::{Language, ParseOptions, parse_source};
    use std::sync::Arc;

    const KERNEL: &str = "__global__ void k(int *a, int n, int k) { a[n + 32] = k + 40; }";

    fn space() -> Space {
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", KERNEL, Language::Cuda, &options).unwrap();
        let program = Arc::new(parsed.program);
        let kernel = program.find_proc("k").unwrap();
        Space::new(&program, kernel, &Default::default(), &[], None).unwrap()
    }

    /// Points labelled by a condition give that condition back, or one that agrees with it at
    /// every point and costs no more.
    fn check(holds: impl Fn(i64, i64, i64, i64) -> bool, expected: &str) {
        let space = space();
        let points = Pool::new(&space, 400).points;
        let names: Vec<&str> = space.dimensions.iter().map(|d| &*d.name).collect();
        assert_eq!(names, ["blockDim.x", "gridDim.x", "n", "k"]);
        let mut safe = FixedBitSet::with_capacity(points.len());
        for (index, p) in points.iter().enumerate() {
            safe.set(index, holds(p[0], p[1], p[2], p[3]));
        }
        let mut failing = safe.clone();
        failing.toggle_range(..);
        let blocks: Vec<i64> = points.iter().map(|p| p[0]).collect();
        let atoms = candidates(grammar::atoms(&space, &[blocks]), &points);
        let found = separating(&atoms, &safe, &failing);
        let best = found.first().map(|s| s.condition.text(&space));
        assert_eq!(best.as_deref(), Some(expected));
        // A single point that says otherwise, and it is not the answer.
        let index = safe.ones().next().unwrap();
        safe.set(index, false);
        failing.insert(index);
        let found = separating(&atoms, &safe, &failing);
        assert!(found.iter().all(|s| s.condition.text(&space) != expected));
    }

    #[test]
    fn labels_give_their_condition_back() {
        check(|b, _, _, _| b <= 64, "blockDim.x <= 64");
        check(|b, _, _, _| b % 32 == 0, "blockDim.x is a multiple of 32");
        check(
            |b, _, _, _| b & (b - 1) == 0,
            "blockDim.x is a power of two",
        );
        check(|b, g, n, _| n >= g * b, "n >= gridDim.x * blockDim.x");
        check(|b, g, n, _| n <= g * b, "n <= gridDim.x * blockDim.x");
        check(|b, _, n, _| n == b, "n == blockDim.x");
        check(|_, _, _, k| k != 0, "k != 0");
        check(|_, _, n, k| k < n, "k < n");
        check(|b, _, n, _| n % b == 0, "n is a multiple of blockDim.x");
        check(|b, _, n, _| n <= b + 1, "n <= blockDim.x + 1");
        check(|b, _, n, _| n <= 2 * b, "n <= 2 * blockDim.x");
        check(|b, _, n, k| k + b <= n, "k + blockDim.x <= n");
        check(|_, _, n, k| 0 <= k && k < n, "k >= 0 and k < n");
        check(
            |b, g, n, _| g == 1 || n <= b,
            "gridDim.x == 1 or n <= blockDim.x",
        );
        check(
            |b, g, n, _| b <= 64 && (g == 1 || n <= b),
            "blockDim.x <= 64 and (gridDim.x == 1 or n <= blockDim.x)",
        );
    }

    #[test]
    fn the_most_that_is_sufficient() {
        let space = space();
        let points = Pool::new(&space, 400).points;
        let mut safe = FixedBitSet::with_capacity(points.len());
        for (index, p) in points.iter().enumerate() {
            // No condition of the grammar, but half of it is.
            safe.set(index, p[0] <= 32 || p[2] % 7 == 3);
        }
        let mut failing = safe.clone();
        failing.toggle_range(..);
        let atoms = candidates(grammar::atoms(&space, &[]), &points);
        let found = sufficient(&atoms, &safe, &failing).unwrap();
        assert_eq!(found.condition.text(&space), "blockDim.x <= 32");
    }
}
