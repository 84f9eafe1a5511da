//! What the two sides of a map speak of.

use gridlock_semantics::system::observation::Observation;
use std::collections::BTreeMap;

/// The two observations and the constants the map may name.
pub struct Sides<'a> {
    pub new: &'a Observation,
    pub old: &'a Observation,
    pub constants: &'a BTreeMap<String, i64>,
}
