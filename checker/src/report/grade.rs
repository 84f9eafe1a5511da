//! What is known of a defect beyond that it is one: when it shows, and what it does. None of it changes a
//! verdict.

use crate::report::host_launch::Caller;
use crate::report::subject_launch::SubjectLaunch;
use serde::{Deserialize, Serialize};

/// Grades of one defect. What is absent was not established, which says nothing either way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grade {
    /// The launch and the scalar arguments of the run that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<SubjectLaunch>,
    /// Who makes such a launch; absent where that cannot be told, or where a launch was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// The simplest condition on scalar arguments and the launch that excludes defects of this kind wherever one was
    /// seen, at launches too that it was not made from, and as little else as can be; absent where they hang on
    /// something else, or on nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// At how many launches that meet `only_if` runs showed no such defect; at none of those tried they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if_held_at: Option<u64>,
    /// Whether it is proved that `only_if` excludes them, for every launch and every input. Otherwise it is only tested.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_if_proved: bool,
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
