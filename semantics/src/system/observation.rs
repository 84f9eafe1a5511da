//! The observables of a finished run.

use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Final contents of one observed array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObservedArray {
    /// The argument's or the declaration's.
    pub name: Arc<str>,
    /// Type of the cells.
    pub elem: ScalarType,
    /// All cells in order; for an array without extent, up to the last one written.
    pub cells: Vec<Value>,
}

/// The observables of a finished run: the observed arrays in the order of the entry's arguments, those that the file
/// declares, and the result of a host function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Observation {
    /// In the order of the entry's arguments, then those that the file declares.
    pub arrays: Vec<ObservedArray>,
    /// The result of an entry of host code, if it has one.
    pub result: Option<Value>,
}
