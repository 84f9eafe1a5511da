//! Programs on their way through a pipeline.

use super::format::Scalar;
use crate::input::request::LaunchSpec;
use crate::subject::prepared::Prepared;
use gridlock_checker::report::not_judged::NotJudged;
use std::collections::BTreeMap;

/// A program on its way through the pipeline.
pub(super) struct Stage {
    pub name: String,
    /// Index of the stage it was made from.
    pub from: Option<usize>,
    pub entry: String,
    pub prepared: Prepared,
    pub launch: Option<LaunchSpec>,
    /// Relations to the stage it was made from.
    pub observe: Vec<String>,
    /// The cases it was judged on, by name; all where `None`.
    pub cases: Option<Vec<String>>,
    /// What of it is not judged.
    pub not_judged: Option<NotJudged>,
    /// Profiles under which it was accepted; the source is accepted under all.
    pub accepted: Vec<String>,
}

impl Stage {
    pub fn is_accepted_under(&self, profile: &str) -> bool {
        self.from.is_none() || self.accepted.iter().any(|p| p == profile)
    }
}

/// Arguments of a case as the request wants them.
pub(super) fn texts(values: &BTreeMap<String, Scalar>) -> BTreeMap<String, String> {
    values
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect()
}
