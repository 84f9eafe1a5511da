//! What a worker has established so far, as it leaves it for the supervisor.

use gridlock_checker::finding::Statistics;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_semantics::profile::Profile;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Established {
    #[default]
    Nothing,
    /// Of `check`, `prove`, `equiv`. A property that is `unknown` without a reason is still being judged.
    Judgement(Box<Judgement>),
    /// The judgement is whole; only what was asked for beside it is not there.
    Whole(Box<Judgement>),
    Exploration(Box<ExploredSoFar>),
    /// The report so far of a command that prints as it goes, as it is in JSON.
    Report(Value),
}

/// Of a state space: what is explored, and the defects that were replayed.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExploredSoFar {
    pub profile: Profile,
    pub subject: Subject,
    pub assumptions: Statements<Assumption>,
    pub defects: Vec<Defect>,
    pub statistics: Statistics,
}
