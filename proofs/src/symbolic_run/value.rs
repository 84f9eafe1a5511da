//! Values of a run on unknown inputs: terms, with the condition under which there is a value at all.

use crate::terms::term::{TermId, Terms};
use gridlock_semantics::algebra::ids::ArrayId;

/// An array, as far as it is one for all threads; which instance of a shared or private one is meant follows from
/// who uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Null,
    /// The array of this number among those of the setup.
    Argument(usize),
    /// At file scope, in a device's memory.
    Global(ArrayId),
    Shared(ArrayId),
    Private(ArrayId),
    /// The array of this number among those that the host has asked for.
    Allocated(u32),
}

/// One thing a pointer may point to: under `guard`, element `offset` (64 bits) of `place`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub guard: TermId,
    pub place: Place,
    pub offset: TermId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    Scalar(TermId),
    /// The guards exclude each other, and one of them holds.
    Pointer(Vec<Target>),
}

/// A value, which is one where `defined` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub known: Known,
    pub defined: TermId,
}

/// What a variable or a cell holds; `None`: certainly no value.
pub type Held = Option<Value>;

/// `if cond then a else b`; `None` where the two are not of one kind.
pub fn merged(terms: &mut Terms, cond: TermId, a: &Held, b: &Held) -> Option<Held> {
    if a == b || terms.as_bool(cond) == Some(true) {
        return Some(a.clone());
    }
    if terms.as_bool(cond) == Some(false) {
        return Some(b.clone());
    }
    let not_cond = terms.not(cond);
    Some(match (a, b) {
        (None, None) => None,
        (Some(one), None) => Some(Value {
            defined: terms.and(one.defined, cond),
            ..one.clone()
        }),
        (None, Some(one)) => Some(Value {
            defined: terms.and(one.defined, not_cond),
            ..one.clone()
        }),
        (Some(a), Some(b)) => {
            let known = match (&a.known, &b.known) {
                (Known::Scalar(a), Known::Scalar(b)) => Known::Scalar(terms.ite(cond, *a, *b)),
                (Known::Pointer(a), Known::Pointer(b)) => {
                    Known::Pointer(either(terms, (cond, a), (not_cond, b)))
                }
                _ => return None,
            };
            let defined = terms.ite(cond, a.defined, b.defined);
            Some(Value { known, defined })
        }
    })
}

/// What is pointed to where one of two conditions that exclude each other holds.
fn either(
    terms: &mut Terms,
    (cond, a): (TermId, &[Target]),
    (not_cond, b): (TermId, &[Target]),
) -> Vec<Target> {
    if let ([x], [y]) = (a, b)
        && x.place == y.place
        && x.guard == y.guard
    {
        let offset = terms.ite(cond, x.offset, y.offset);
        return vec![Target {
            offset,
            ..x.clone()
        }];
    }
    let mut targets = Vec::new();
    for (condition, from) in [(cond, a), (not_cond, b)] {
        for target in from {
            targets.push(Target {
                guard: terms.and(condition, target.guard),
                ..target.clone()
            });
        }
    }
    targets
}
