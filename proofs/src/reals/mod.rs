//! Floats as real numbers (`--modulo reals`): no rounding, no overflow, nothing that is no number. Terms of two programs are
//! brought into a normal form of the field of real numbers with `exp`, `log`, roots and maxima ([`field`]), in which softmax in
//! one pass is softmax in three, and Welford's variance is the one by two passes.
//!
//! It decides equality of rational functions of atoms; of atoms it knows the laws that are listed in [`field`]. So two that are
//! not shown to be the same may be so. Different are those whose values at some inputs lie apart by more than the errors of
//! their computation ([`ball`]).
//!
//! What is claimed is claimed where the old program is defined ([`domain`]).

mod ball;
mod domain;
mod field;
pub(crate) mod folding;
mod forms;
mod operation;
mod polynomial;

use crate::terms::function::Function;
use crate::terms::term::{Node, TermId, Terms};
use ball::Balls;
use domain::{Need, Needs};
use field::Stop;
use forms::{Forms, Real};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::time::Instant;

/// Inputs at which values are looked at.
const LOOKS: u64 = 4;
/// Apart by this part of the larger one, or of 1: much more than rounding explains.
const APART: f64 = 0.01;

/// A float of an input: its name, the cell if it is an array's, and its bits.
pub(crate) type InputFloat = (String, Option<i64>, u64);

/// What came of comparing two terms.
pub(crate) enum Compared {
    /// The same real number, wherever the old program is defined.
    Same,
    /// At these inputs they lie far apart.
    Apart(Vec<InputFloat>),
    /// In words, what stands in the way.
    Open(&'static str),
}

/// A comparison of two programs over the real numbers.
pub(crate) struct Reals {
    forms: Forms,
    of_old: Needs,
    /// The needs of the old program are not known.
    is_cut: bool,
}

impl Reals {
    /// Nothing is compared after `until`.
    pub fn new(until: Instant) -> Reals {
        Reals {
            forms: Forms::new(until),
            of_old: Needs::default(),
            is_cut: false,
        }
    }

    /// Takes for granted that a value of the old program is defined. Of all of them, before anything is compared.
    pub fn take_for_granted(&mut self, terms: &mut Terms, old: TermId) {
        self.is_cut |= self.of_old.add(&mut self.forms, terms, old).is_err();
    }

    /// Whether two floats are the same.
    pub fn compared(&mut self, terms: &mut Terms, old: TermId, new: TermId) -> Compared {
        match self.attempt(terms, old, new) {
            Ok(Compared::Open(why)) => match apart(terms, old, new) {
                Some(inputs) => Compared::Apart(inputs),
                None => Compared::Open(why),
            },
            Ok(compared) => compared,
            Err(stop) => match apart(terms, old, new) {
                Some(inputs) => Compared::Apart(inputs),
                None => Compared::Open(match stop {
                    Stop::TooLarge => "a sum of too many products",
                    Stop::NoNumber => "something may be no real number",
                }),
            },
        }
    }

    fn attempt(&mut self, terms: &mut Terms, old: TermId, new: TermId) -> Result<Compared, Stop> {
        let (a, b) = (self.forms.real(terms, old)?, self.forms.real(terms, new)?);
        let is_same = match (&a, &b) {
            (Real::Finite(a), Real::Finite(b)) => self.forms.field.is_same(a, b)?,
            (a, b) => a == b,
        };
        if !is_same {
            return Ok(Compared::Open(
                "they are not shown to be the same real number",
            ));
        }
        let mut of_new = Needs::default();
        of_new.add(&mut self.forms, terms, new)?;
        let nothing = Needs::default();
        let of_old = match self.is_cut {
            true => &nothing,
            false => &self.of_old,
        };
        Ok(match of_new.not_in(of_old, &self.forms.field) {
            None => Compared::Same,
            Some(Need::NotZero(_)) => Compared::Open("the new program may divide by 0"),
            Some(Need::NotNegative(_)) => {
                Compared::Open("the new program may take the root of a negative number")
            }
            Some(Need::Positive(_)) => Compared::Open(
                "the new program may take the logarithm of a number that is not positive",
            ),
            Some(Need::Defined(_)) => {
                Compared::Open("the new program may take a function where it has no value")
            }
        })
    }
}

/// Inputs at which two terms lie far apart.
pub(crate) fn apart(terms: &Terms, old: TermId, new: TermId) -> Option<Vec<InputFloat>> {
    for look in 0..LOOKS {
        let given = |name: &str, cell: Option<i64>, _: u32| chosen(name, cell, look);
        let mut balls = Balls::new(&given);
        let (Some(a), Some(b)) = (balls.of(terms, old), balls.of(terms, new)) else {
            continue;
        };
        if a.middle.is_finite() && b.middle.is_finite() && a.apart(b) > APART {
            return Some(inputs(terms, &[old, new], look));
        }
    }
    None
}

/// Small multiples of a quarter, which floats of any type hold. One look has no negative ones.
fn chosen(name: &str, cell: Option<i64>, look: u64) -> f64 {
    let mut hasher = rustc_hash::FxHasher::default();
    (name, cell, look).hash(&mut hasher);
    let drawn = (hasher.finish() >> 16) % 17;
    match look {
        0 => (drawn as f64 + 1.0) / 4.0,
        _ => (drawn as f64 - 8.0) / 4.0,
    }
}

/// The inputs that terms read, with what they hold.
fn inputs(terms: &Terms, of: &[TermId], look: u64) -> Vec<InputFloat> {
    let mut found: BTreeMap<(String, Option<i64>), u64> = BTreeMap::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open = of.to_vec();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        open.extend(terms.children(term));
        let Node::Apply { function, args, .. } = terms.node(term) else {
            continue;
        };
        let key = match (function, args.as_slice()) {
            (Function::Input(name), [cell]) => match terms.as_bits(*cell) {
                Some(cell) => (name.to_string(), Some(cell as i64)),
                None => continue,
            },
            (Function::Argument(name), []) => (name.to_string(), None),
            _ => continue,
        };
        let number = chosen(&key.0, key.1, look);
        let bits = match terms.width(term) {
            32 => u64::from((number as f32).to_bits()),
            64 => number.to_bits(),
            _ => continue,
        };
        found.insert(key, bits);
    }
    let found = found.into_iter();
    found
        .map(|((name, cell), bits)| (name, cell, bits))
        .collect()
}

#[cfg(test)]
mod tests;
