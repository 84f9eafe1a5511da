//! Floats that differ, as a comparison meets them.

use crate::report::tolerance::{Distance, LargestDifference, Tolerance, is_larger, numbers};
use gridlock_semantics::algebra::value::Value;
use std::cell::{Cell, RefCell};

/// Floats that differed, as they are met, and how many values were compared at all.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    pub tolerance: Option<Tolerance>,
    largest: RefCell<Option<LargestDifference>>,
    n_compared: Cell<u64>,
}

/// What a comparison has met.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub largest: Option<LargestDifference>,
    pub n_compared: u64,
}

fn is_nan(value: Value) -> bool {
    match value {
        Value::F32(bits) => f32::from_bits(bits).is_nan(),
        Value::F64(bits) => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

impl Seen {
    /// Two ends that are alike.
    pub fn one() -> Seen {
        Seen {
            largest: None,
            n_compared: 1,
        }
    }
}

impl Differences {
    pub fn new(tolerance: Option<Tolerance>) -> Differences {
        Differences {
            tolerance,
            ..Differences::default()
        }
    }

    /// Whether the new value may stand for the old one; takes note of floats that differ.
    pub fn admits(&self, new: Value, old: Value, relation: impl FnOnce() -> String) -> bool {
        self.n_compared.set(self.n_compared.get() + 1);
        if new == old || is_nan(new) && is_nan(old) && new.scalar_type() == old.scalar_type() {
            return true;
        }
        if numbers(new, old).is_some() {
            let found = LargestDifference {
                relation: String::new(),
                new_value: new,
                old_value: old,
                distance: Distance::between(new, old),
            };
            let mut largest = self.largest.borrow_mut();
            if is_larger(&found, largest.as_ref(), self.tolerance.as_ref()) {
                *largest = Some(LargestDifference {
                    relation: relation(),
                    ..found
                });
            }
        }
        self.tolerance.is_some_and(|t| t.admits(new, old))
    }

    pub fn into_seen(self) -> Seen {
        Seen {
            largest: self.largest.into_inner(),
            n_compared: self.n_compared.get(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_kept() {
        let seen = Differences::new(Some(Tolerance {
            relative: 0.1,
            ..Tolerance::default()
        }));
        let name = |text: &'static str| move || text.to_owned();
        assert!(seen.admits(Value::f32(1.0), Value::f32(1.0), name("same")));
        assert!(seen.admits(Value::f32(101.0), Value::f32(100.0), name("one")));
        assert!(seen.admits(Value::f32(1.05), Value::f32(1.0), name("two")));
        assert!(!seen.admits(Value::i32(1), Value::i32(2), name("three")));
        let seen = seen.into_seen();
        assert_eq!(seen.n_compared, 4);
        assert_eq!(seen.largest.map(|l| l.relation), Some("two".to_owned()));
    }
}
