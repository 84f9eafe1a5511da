//! The atoms a condition is made of, the simplest first.
//!
//! The cost of an atom says how much it takes to say and to remember; ties are decided by the
//! order in which atoms are listed here, so that the answer is the same on every machine.

use super::condition::{Atom, Relation};
use super::space::Space;
use super::term::Term;
use super::variable::Variable;
use gridlock_semantics::algebra::expr::Axis;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::HashSet;

/// An atom and its cost.
#[derive(Clone, Debug)]
pub struct Priced {
    pub atom: Atom,
    pub cost: u32,
}

/// What a conjunction costs beyond its parts, for each part but the first; and a disjunction.
pub const AND: u32 = 6;
pub const OR: u32 = 8;

/// Every atom over the space, by cost. `seen` are values that variables took, by dimension:
/// thresholds to try.
pub fn atoms(space: &Space, seen: &[Vec<i64>]) -> Vec<Priced> {
    let mut list = List {
        space,
        atoms: Vec::new(),
        known: HashSet::new(),
    };
    let terms = terms(space);
    for (term, cost) in &terms {
        list.with_numbers(term, *cost, seen);
    }
    for (i, (a, a_cost)) in terms.iter().enumerate() {
        for (j, (b, b_cost)) in terms.iter().enumerate() {
            if i != j && apart(a, b) {
                list.pair(a, b, a_cost + b_cost, i < j);
            }
        }
    }
    list.triples(&terms);
    list.atoms.sort_by_key(|priced| priced.cost);
    list.atoms
}

/// Variables, and the products that mean something: threads in a dimension, threads in a block,
/// products of two arguments.
fn terms(space: &Space) -> Vec<(Term, u32)> {
    // A condition is said about the argument rather than about the launch: `n <= blockDim.x`.
    let is_scalar = |v: &usize| !space.dimensions[*v].variable.is_of_launch();
    let (scalars, launch): (Vec<usize>, Vec<usize>) =
        (0..space.dimensions.len()).partition(is_scalar);
    let mut terms: Vec<(Term, u32)> = scalars
        .iter()
        .chain(&launch)
        .map(|&v| (Term::Var(v), 0))
        .collect();
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        let block = space.find(Variable::BlockDim(axis));
        if let (Some(grid), Some(block)) = (space.find(Variable::GridDim(axis)), block) {
            terms.push((Term::Times(grid, block), 8));
        }
    }
    let blocks: Vec<usize> = launch
        .iter()
        .copied()
        .filter(|&v| matches!(space.dimensions[v].variable, Variable::BlockDim(_)))
        .collect();
    if let [x, y, ..] = blocks.as_slice() {
        terms.push((Term::Times(*x, *y), 8));
    }
    for (i, &v) in scalars.iter().enumerate() {
        for &w in &scalars[i + 1..] {
            if space.dimensions[v].ty != ScalarType::Bool
                && space.dimensions[w].ty != ScalarType::Bool
            {
                terms.push((Term::Times(v, w), 12));
            }
        }
    }
    terms
}

/// Whether two terms share no variable.
fn apart(a: &Term, b: &Term) -> bool {
    let theirs = b.variables();
    a.variables().iter().all(|v| !theirs.contains(v))
}

struct List<'a> {
    space: &'a Space,
    atoms: Vec<Priced>,
    known: HashSet<Atom>,
}

impl List<'_> {
    fn add(&mut self, atom: Atom, cost: u32) {
        let variables = match &atom {
            Atom::Compare(a, _, b) | Atom::Multiple(a, b) => {
                [a.variables(), b.variables()].concat()
            }
            Atom::PowerOfTwo(a) => a.variables(),
        };
        let fixed = |v: &usize| self.space.dimensions[*v].is_fixed();
        if !variables.iter().all(fixed) && self.known.insert(atom.clone()) {
            self.atoms.push(Priced { atom, cost });
        }
    }

    fn is_of_launch(&self, term: &Term) -> bool {
        let of_launch = |v: &usize| self.space.dimensions[*v].variable.is_of_launch();
        term.variables().iter().all(of_launch)
    }

    fn is_bool(&self, term: &Term) -> bool {
        let bools = |v: &usize| self.space.dimensions[*v].ty == ScalarType::Bool;
        term.variables().iter().any(bools)
    }

    /// A term against numbers.
    fn with_numbers(&mut self, term: &Term, cost: u32, seen: &[Vec<i64>]) {
        let number = |n: i64| Term::Number(n);
        if self.is_bool(term) {
            for value in [1, 0] {
                let atom = Atom::Compare(term.clone(), Relation::Eq, number(value));
                self.add(atom, 20 + cost);
            }
            return;
        }
        self.add(Atom::PowerOfTwo(term.clone()), 22 + cost);
        let constants = self.space.constants.clone();
        let mut divisors: Vec<i64> = vec![2, 4, 8, 16, 32, 64, 128];
        divisors.extend(constants.iter().filter(|c| (3..=1024).contains(*c)));
        for divisor in divisors {
            let extra = if constants.contains(&divisor) { 0 } else { 2 };
            let atom = Atom::Multiple(term.clone(), number(divisor));
            self.add(atom, 21 + cost + extra);
        }
        let mut numbers: Vec<i64> = vec![0, 1, 2];
        numbers.extend(
            constants
                .iter()
                .flat_map(|c| [*c, c - 1, c + 1, c / 2, 2 * c]),
        );
        if let Term::Var(v) = term {
            numbers.extend(seen.get(*v).into_iter().flatten());
        }
        numbers.sort_unstable();
        numbers.dedup();
        let least = if self.is_of_launch(term) { 1 } else { i64::MIN };
        for &n in &numbers {
            let named = constants.contains(&n);
            let extra = match n {
                _ if named => 0,
                0 | 1 => 0,
                2 => 1,
                _ if n > 0 && (n & (n - 1) == 0 || n % 32 == 0) => 2,
                _ if constants.iter().any(|c| c.abs_diff(n) == 1) => 4,
                _ => 8,
            };
            let mut compare = |relation, more: u32| {
                let atom = Atom::Compare(term.clone(), relation, number(n));
                self.add(atom, 20 + cost + extra + more);
            };
            if n >= least {
                compare(Relation::Eq, 1);
                compare(Relation::Le, if n == least { 6 } else { 0 });
            }
            if n > least {
                compare(Relation::Ge, 0);
                compare(Relation::Ne, 3);
                if named {
                    compare(Relation::Lt, 1);
                    compare(Relation::Gt, 1);
                }
            }
        }
    }

    /// Two terms without a common variable. Each pair comes in both orders; `first` once.
    fn pair(&mut self, a: &Term, b: &Term, cost: u32, first: bool) {
        if self.is_bool(a) || self.is_bool(b) {
            return;
        }
        self.add(Atom::Multiple(a.clone(), b.clone()), 23 + cost);
        // Between arguments the smaller stands first (`k < n`), else the argument does
        // (`n >= blockDim.x`).
        let alike = self.is_of_launch(a) == self.is_of_launch(b);
        for (relation, more, both_ways) in [
            (Relation::Le, 0, true),
            (Relation::Lt, 1, true),
            (Relation::Eq, 0, false),
            (Relation::Ne, 3, false),
            (Relation::Ge, 0, true),
            (Relation::Gt, 1, true),
        ] {
            let greater = matches!(relation, Relation::Ge | Relation::Gt);
            let said = match alike {
                true if both_ways => !greater,
                _ => first,
            };
            if said {
                let atom = Atom::Compare(a.clone(), relation, b.clone());
                self.add(atom, 22 + cost + more);
            }
        }
        let constants: Vec<i64> = self.space.constants.clone();
        let small = constants.iter().copied().filter(|c| (2..=64).contains(c));
        for n in [1].into_iter().chain(small.take(4)) {
            let more = 12 + u32::from(n > 1);
            // `a <= b + 1` and `a + 2 <= b`; a + 1 <= b is a < b.
            for relation in [Relation::Le, Relation::Ge, Relation::Eq] {
                let atom = Atom::Compare(a.clone(), relation, b.clone().plus(n));
                self.add(atom, 22 + cost + more);
            }
        }
        let small = constants.iter().copied().filter(|c| (3..=64).contains(c));
        for factor in [2, 4].into_iter().chain(small.take(4)) {
            for relation in [
                Relation::Le,
                Relation::Ge,
                Relation::Eq,
                Relation::Lt,
                Relation::Gt,
            ] {
                let strict = matches!(relation, Relation::Lt | Relation::Gt);
                let atom = Atom::Compare(a.clone(), relation, b.clone().scaled(factor));
                self.add(
                    atom,
                    22 + cost + 12 + u32::from(factor > 2) + u32::from(strict),
                );
            }
        }
    }

    /// `a + b <= c`, an argument among them.
    fn triples(&mut self, terms: &[(Term, u32)]) {
        let usable: Vec<(Term, u32)> = terms
            .iter()
            .filter(|(term, _)| !self.is_bool(term))
            .cloned()
            .collect();
        let has_scalar = |space: &Space, term: &Term| {
            let scalar = |v: &usize| !space.dimensions[*v].variable.is_of_launch();
            term.variables().iter().any(scalar)
        };
        for (i, (a, a_cost)) in usable.iter().enumerate() {
            for (b, b_cost) in &usable[i + 1..] {
                for (c, c_cost) in &usable {
                    let about_scalar = [a, b, c].into_iter().any(|t| has_scalar(self.space, t));
                    if !about_scalar || !apart(a, b) || !apart(a, c) || !apart(b, c) {
                        continue;
                    }
                    let sum = Term::Plus(Box::new(a.clone()), Box::new(b.clone()));
                    let cost = 40 + a_cost + b_cost + c_cost;
                    for (relation, more) in [
                        (Relation::Le, 0),
                        (Relation::Lt, 1),
                        (Relation::Ge, 0),
                        (Relation::Gt, 1),
                    ] {
                        let atom = Atom::Compare(sum.clone(), relation, c.clone());
                        self.add(atom, cost + more);
                    }
                }
            }
        }
    }
}
