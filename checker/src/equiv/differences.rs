//! Floats that differ, as a comparison meets them.

use crate::report::tolerance::{Distance, LargestDifference, Tolerance, is_larger, numbers};
use gridlock_semantics::algebra::value::Value;
use std::cell::RefCell;

/// Floats that differed, as they are met.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    pub tolerance: Option<Tolerance>,
    largest: RefCell<Option<LargestDifference>>,
}

impl Differences {
    pub fn new(tolerance: Option<Tolerance>) -> Differences {
        Differences {
            tolerance,
            largest: RefCell::default(),
        }
    }

    /// Whether the new value may stand for the old one; takes note of floats that differ.
    pub fn admits(&self, new: Value, old: Value, relation: impl FnOnce() -> String) -> bool {
        if new == old {
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

    pub fn into_largest(self) -> Option<LargestDifference> {
        self.largest.into_inner()
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
        assert_eq!(
            seen.into_largest().map(|l| l.relation),
            Some("two".to_owned())
        );
    }
}
