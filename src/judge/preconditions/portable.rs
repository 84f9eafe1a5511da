//! A condition found for one kernel, as a guess for the next: kernels of one file are often made for the same launches.

use super::condition::Atom;
use super::space::Space;
use super::term::Term;

/// Atoms over variables that have names instead of places in a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Portable {
    atoms: Vec<Atom>,
    /// By index in the atoms.
    names: Vec<String>,
}

impl Portable {
    pub(super) fn new(atoms: &[Atom], space: &Space) -> Portable {
        Portable {
            atoms: atoms.to_vec(),
            names: space.dimensions.iter().map(|d| d.name.clone()).collect(),
        }
    }

    /// Both, if they are of one kernel.
    pub fn and(mut self, other: Portable) -> Portable {
        if self.names == other.names {
            self.atoms.extend(other.atoms);
        }
        self
    }

    /// The atoms all of whose variables another kernel has, too, and nobody fixed.
    pub(super) fn in_space(&self, space: &Space) -> Vec<Atom> {
        let place = |v: usize| {
            let name = self.names.get(v)?;
            let mut dimensions = space.dimensions.iter();
            dimensions.position(|d| d.name == *name && !d.is_fixed())
        };
        let atoms = self.atoms.iter();
        atoms.filter_map(|atom| moved(atom, &place)).collect()
    }
}

type Place<'p> = &'p dyn Fn(usize) -> Option<usize>;

fn moved(atom: &Atom, place: Place<'_>) -> Option<Atom> {
    let term = |term: &Term| moved_term(term, place);
    Some(match atom {
        Atom::Compare(a, relation, b) => Atom::Compare(term(a)?, *relation, term(b)?),
        Atom::Multiple(a, b) => Atom::Multiple(term(a)?, term(b)?),
        Atom::PowerOfTwo(a) => Atom::PowerOfTwo(term(a)?),
    })
}

fn moved_term(term: &Term, place: Place<'_>) -> Option<Term> {
    let boxed = |term: &Term| Some(Box::new(moved_term(term, place)?));
    Some(match term {
        Term::Number(number) => Term::Number(*number),
        Term::Var(v) => Term::Var(place(*v)?),
        Term::Times(v, w) => Term::Times(place(*v)?, place(*w)?),
        Term::Scaled(factor, term) => Term::Scaled(*factor, boxed(term)?),
        Term::Plus(a, b) => Term::Plus(boxed(a)?, boxed(b)?),
    })
}
