//! The report all commands give: text and JSON are renderings of it. The JSON field names are a
//! contract: extend, never break.

pub mod assumption;
pub mod defect;
pub mod explanation;
pub mod grade;
pub mod host_launch;
pub mod not_judged;
pub mod remark;
pub mod site;
pub mod statements;
pub mod subject_launch;
pub mod tolerance;
pub mod witness;
mod written_schedule;

use crate::finding::Statistics;
use crate::report::assumption::Assumption;
use crate::report::defect::Defect;
use crate::report::host_launch::{HostLaunch, HostTried};
use crate::report::not_judged::NotJudged;
use crate::report::remark::Remark;
use crate::report::statements::Statements;
pub use crate::report::subject_launch::SubjectLaunch;
use crate::report::tolerance::{LargestDifference, Tolerance};
use crate::verdict::{Assurance, PropertyResult, Reason, Verdict};
use gridlock_semantics::profile::Profile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// As the user named it.
    pub file: String,
    /// Kernel or host entry.
    pub kernel: String,
    /// The launch it was judged at.
    pub launch: SubjectLaunch,
    /// `all`, or how the inputs were sampled, in words.
    pub inputs: String,
    /// The launches of the kernel that host code of the file makes, as far as they can be read off, where no launch
    /// was given. They choose what is tried, and narrow no claim.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub host_launches: Vec<HostLaunch>,
    /// What was seen at launches of host code; absent where none was run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub host_tried: Option<HostTried>,
}

/// A defect found at another launch than the one judged: the verdict holds as long as that launch
/// is not made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// Index into [`Judgement::subjects`].
    pub subject: usize,
    /// The launch, in words: `with block (48, 1, 1) and n = 100`.
    pub launch: String,
    /// What excludes it, in the words of the source, where the verdict holds under that condition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// The same as a statement of the kernel: `__requires(blockDim.x == 32);`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub requires: Option<String>,
    /// Whether it is proved that nothing of this kind happens where the condition holds, or only tried.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<Established>,
    /// What happens at that launch.
    pub defect: Defect,
}

/// How well something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Established {
    /// For every input.
    Proved,
    /// At the launches tried.
    Tried,
}

/// What one judgement (check, equiv, prove) says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// What the hardware was taken to guarantee.
    pub profile: Profile,
    /// What was judged; defects and properties name them by index.
    pub subjects: Vec<Subject>,
    /// The least of the verdicts of the properties.
    pub verdict: Verdict,
    /// Why the verdict is `unknown`; `None` for other verdicts.
    pub reason: Option<Reason>,
    /// What the verdict covers; `None` where it claims nothing.
    pub assurance: Option<Assurance>,
    /// The theory floats were compared modulo, if any.
    pub modulo: Option<String>,
    /// How far floats were allowed to lie apart, if at all.
    #[serde(default)]
    pub tolerance: Option<Tolerance>,
    /// Of the floats that two programs leave, where a tolerance was asked for or they differ.
    #[serde(default)]
    pub largest_difference: Option<LargestDifference>,
    /// One for each property of each subject that was judged.
    pub properties: Vec<PropertyResult>,
    /// What refutes, each replayed.
    pub defects: Vec<Defect>,
    /// What the verdict takes for granted.
    pub assumptions: Statements<Assumption>,
    /// Defects at launches that were not asked about; they do not weaken the verdict.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// What does not weaken the verdict and is worth saying (`volatile`, say).
    pub remarks: Statements<Remark>,
    /// What the verdict does not speak of.
    pub not_judged: Statements<NotJudged>,
    /// Limits that cut something short, in words; see [`crate::limits`].
    pub limits_hit: Vec<String>,
    /// What all engines took together.
    pub statistics: Statistics,
}

impl Judgement {
    /// The conditions under which the verdict holds, each once, in the words of the source.
    pub fn holds_where(&self) -> Vec<String> {
        each_once(self.conditions.iter())
    }

    /// The kernels that are right under a condition, where not all of them are so under the same: as many as these are.
    pub fn n_with_own_conditions(&self) -> Option<usize> {
        let subjects: BTreeSet<usize> = self.conditions.iter().map(|c| c.subject).collect();
        let own = |subject: &usize| {
            let conditions = self.conditions.iter();
            each_once(conditions.filter(|c| c.subject == *subject))
        };
        let all: Vec<Vec<String>> = subjects.iter().map(own).filter(|c| !c.is_empty()).collect();
        let differ = all.iter().any(|own| *own != all[0]);
        differ.then_some(all.len())
    }
}

fn each_once<'c>(conditions: impl Iterator<Item = &'c Condition>) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let sources = conditions.filter_map(|c| c.source.as_ref());
    for part in sources.flat_map(|source| conjuncts(source)) {
        if !known.iter().any(|before| before == part) {
            known.push(part.to_owned());
        }
    }
    known
}

/// The conditions that one in the words of the source is made of: `n <= 0 or n >= 4` and `blockDim.x == 32` of
/// `(n <= 0 or n >= 4) and blockDim.x == 32`.
pub fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 && text[at..].starts_with(" or ") => return vec![text],
            ' ' if depth == 0 && text[at..].starts_with(" and ") => {
                parts.push(&text[begin..at]);
                begin = at + " and ".len();
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    for part in &mut parts {
        let inside = part.strip_prefix('(').and_then(|p| p.strip_suffix(')'));
        let alternatives = inside.filter(|p| p.contains(" or ") && !p.contains(')'));
        *part = alternatives.unwrap_or(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::conjuncts;

    #[test]
    fn conditions_come_apart_where_they_were_joined() {
        for (text, parts) in [
            ("n <= 64", &["n <= 64"][..]),
            ("n <= 0 or n >= 4", &["n <= 0 or n >= 4"]),
            (
                "(n <= 0 or n >= 4) and m == 1",
                &["n <= 0 or n >= 4", "m == 1"],
            ),
            ("a == f(b and c) and d", &["a == f(b and c)", "d"]),
            ("(a or (b and c)) and d", &["(a or (b and c))", "d"]),
            ("a and b or c", &["a and b or c"]),
        ] {
            assert_eq!(conjuncts(text), parts, "{text}");
        }
    }
}
