//! What is known of a defect beyond that it is one: when it shows, and what it does. None of it changes a
//! verdict.

use serde::{Deserialize, Serialize};

/// Grades of one defect. What is absent was not established, which says nothing either way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grade {
    /// The simplest condition on scalar arguments and the launch that held wherever the defect did not
    /// show, and nowhere it did; absent where it hangs on something else, or on nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// The same as a statement of the kernel: `__requires(num != 0);`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<String>,
    /// Whether, at the launch of the witness, every choice tried of the arguments that were not given shows
    /// the defect. False: the values that the tool chose make it. Absent where nothing was left to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_choice: Option<bool>,
    /// All inputs and schedules explored show that it is harmless in this way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub benign: Option<Benign>,
    /// False: in all inputs and schedules explored, what the kernel leaves in memory is the same with and
    /// without it. Never true: that something was not seen is no proof that it is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaches_output: Option<bool>,
}

/// How a race is harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Benign {
    /// All who write unordered write the same value.
    SameValue,
}
