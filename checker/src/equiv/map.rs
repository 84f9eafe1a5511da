//! Observation maps: how the observables of two programs correspond.

use serde::{Deserialize, Serialize};

/// Relates what is seen of the new program to what is seen of the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservationMap {
    /// Arrays are paired by name, or by position where the names are all different; every
    /// element, and the results, must be the same.
    #[default]
    Identity,
}

/// Text that is no observation map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at column {column} of `{text}`")]
pub struct MapError {
    pub text: String,
    /// From 1.
    pub column: usize,
    pub message: String,
}
