//! The report all commands give: text and JSON are renderings of it. The JSON field names are a
//! contract: extend, never break.

pub mod assumption;
pub mod defect;
pub mod explanation;
pub mod grade;
pub mod not_judged;
pub mod remark;
pub mod site;
pub mod statements;
pub mod witness;

use crate::finding::Statistics;
use crate::report::assumption::Assumption;
use crate::report::defect::Defect;
use crate::report::not_judged::NotJudged;
use crate::report::remark::Remark;
use crate::report::statements::Statements;
use crate::verdict::{Assurance, PropertyResult, Reason, Verdict};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Dim3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The launch of a subject; all absent when it was judged for every launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectLaunch {
    pub grid: Option<Dim3>,
    pub block: Option<Dim3>,
    /// Dynamic shared memory in bytes.
    pub shared: Option<u32>,
    pub args: BTreeMap<String, String>,
}

/// What was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub file: String,
    /// Kernel or host entry.
    pub kernel: String,
    pub launch: SubjectLaunch,
    /// `all`, or how the inputs were sampled, in words.
    pub inputs: String,
}

/// A defect found at another launch than the one judged: the verdict holds as long as that launch
/// is not made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    pub subject: usize,
    /// The launch, in words: `with block (48, 1, 1) and n = 100`.
    pub launch: String,
    pub defect: Defect,
}

/// What one judgement (check, equiv, prove) says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub profile: Profile,
    pub subjects: Vec<Subject>,
    pub verdict: Verdict,
    pub reason: Option<Reason>,
    pub assurance: Option<Assurance>,
    /// The theory floats were compared modulo, if any.
    pub modulo: Option<String>,
    pub properties: Vec<PropertyResult>,
    pub defects: Vec<Defect>,
    /// What the verdict takes for granted.
    pub assumptions: Statements<Assumption>,
    /// Defects at launches that were not asked about; they do not weaken the verdict.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// What does not weaken the verdict and is worth saying (`volatile`, say).
    pub remarks: Statements<Remark>,
    pub not_judged: Statements<NotJudged>,
    pub limits_hit: Vec<String>,
    pub statistics: Statistics,
}
