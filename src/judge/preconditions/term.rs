//! Terms over the variables of a launch, with their meaning at a point.

/// A number that depends on the launch. Variables are indices into `Space::dimensions`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Number(i64),
    Var(usize),
    Times(usize, usize),
    Scaled(i64, Box<Term>),
    Plus(Box<Term>, Box<Term>),
}

impl Term {
    pub fn plus(self, number: i64) -> Term {
        Term::Plus(Box::new(self), Box::new(Term::Number(number)))
    }

    pub fn scaled(self, factor: i64) -> Term {
        Term::Scaled(factor, Box::new(self))
    }

    /// The mathematical value: nothing overflows.
    pub fn at(&self, point: &[i64]) -> i128 {
        match self {
            Term::Number(number) => *number as i128,
            Term::Var(v) => point[*v] as i128,
            Term::Times(v, w) => point[*v] as i128 * point[*w] as i128,
            Term::Scaled(factor, term) => *factor as i128 * term.at(point),
            Term::Plus(a, b) => a.at(point) + b.at(point),
        }
    }

    /// The variables, each once for each occurrence.
    pub fn variables(&self) -> Vec<usize> {
        match self {
            Term::Number(_) => vec![],
            Term::Var(v) => vec![*v],
            Term::Times(v, w) => vec![*v, *w],
            Term::Scaled(_, term) => term.variables(),
            Term::Plus(a, b) => [a.variables(), b.variables()].concat(),
        }
    }
}
