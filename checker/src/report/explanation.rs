//! How a defect came about, in the program's own names: what each side did and with which values,
//! the barrier interval it lies in, who waits for whom. Made by a replay on the reference
//! ([`crate::replay`]); for people and for JSON, never judged on.

use crate::report::site::Site;
use crate::report::witness::Whose;
use gridlock_semantics::setup::Launch;
use serde::{Deserialize, Serialize};

/// How one defect came about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What was done, by whom, with which values: both sides of a race, the guilty step of a
    /// fault, what was never given back.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub moments: Vec<Moment>,
    /// Who waits, and for whom (barriers, deadlock, livelock).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waits: Vec<Wait>,
    /// The condition that sent those who wait and those who do not come different ways.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parting: Option<Parting>,
    /// What each of two compared programs left, and what wrote it: the old one first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub compared: Vec<ComparedSide>,
    /// Of a race: both sides write, and in this run the same value. Whether they always do is another matter, of which
    /// the grades of a defect speak.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub same_value: bool,
    /// Further sentences.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Visible steps of the schedule.
    pub steps: u64,
    /// How often the schedule goes from one actor to another.
    pub switches: u64,
}

/// What one actor did at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// `thread (3,0,0) of block (1,0,0)`, `stream 1`.
    pub who: String,
    /// Where, and which thread.
    pub site: Site,
    /// `reads s[4] = 7`, `writes s[4] := 5 (was 7)`; empty where the site says it all.
    pub does: String,
    /// What a plain write left in the cell, printed.
    #[serde(skip)]
    pub wrote: Option<String>,
    /// The cell as the source has it, `s[t + d]`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cell: Option<String>,
    /// What led there: variables of the index first, then of the value and of the conditions of
    /// the loops and branches around it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub values: Vec<Named>,
    /// The loops it stands in, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rounds: Vec<Round>,
    /// The calls it stands in, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<SourcePlace>,
    /// Device threads only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interval: Option<Interval>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePlace {
    /// As the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A value by the name the program has for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// A variable or an expression of the program.
    pub name: String,
    /// Printed.
    pub value: String,
}

/// Which time a loop's body runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Where the loop stands.
    #[serde(rename = "loop")]
    pub of: SourcePlace,
    /// From 1.
    pub number: u32,
}

/// One of two programs that were compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedSide {
    /// Which of the two.
    pub side: Whose,
    /// As the user named it.
    pub file: String,
    /// Kernel or host procedure that ran.
    pub entry: String,
    /// Kernels only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub launch: Option<Launch>,
    /// The parameters of the entry with what they began with; of arrays the first elements.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<Named>,
    /// What of this side the relation that fails speaks of.
    pub cells: Vec<CellLeft>,
}

/// A cell as a run has left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellLeft {
    /// `out[3]`; `result` for what a function returns.
    pub cell: String,
    /// Absent where the array has no such element.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<String>,
    /// What wrote it last; where that was a copy, what wrote the cell that was copied, and so on.
    /// Empty where nothing wrote it.
    pub wrote: Vec<Moment>,
}

/// Between which barriers a thread is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Barriers the thread has left before.
    pub number: u32,
    /// The last of them, with the rounds in which it was left; `None`: the start of the kernel.
    pub from: Option<Mark>,
    /// The barrier the thread comes to next, if it goes on alone; `None`: the end of the kernel,
    /// or not known.
    pub to: Option<Mark>,
    /// `from the barrier at k.cu:12 (round 2 of the loop at line 10) to the one at k.cu:16`.
    pub text: String,
}

/// A barrier, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Where the barrier stands.
    pub at: SourcePlace,
    /// The loops it stands in, with their rounds, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rounds: Vec<Round>,
}

/// A group that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// `threads (0,0,0) to (7,0,0)`.
    pub who: String,
    /// How many.
    pub number: usize,
    /// Where the first of them stands.
    pub site: Site,
    /// `__syncthreads()`, as the source has it.
    pub at: String,
    /// The calls it stands in, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub calls: Vec<SourcePlace>,
    /// What would let them go on: `all threads of the block at this barrier`.
    pub needs: String,
    /// Who does not come, or would have to do something.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub for_whom: Vec<Missing>,
}

/// A group others wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// `threads (8,0,0) to (15,0,0)`.
    pub who: String,
    /// How many.
    pub number: usize,
    /// `have ended`, `wait at k.cu:16`.
    pub stands: String,
    /// Where; absent where it has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<Site>,
}

/// Where two threads went different ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parting {
    /// Where the condition stands.
    pub at: SourcePlace,
    /// `t < blockDim.x / 2`; empty where it has no words but the front end's.
    pub condition: String,
    /// Two: one who waits first, then one who does not come.
    pub sides: Vec<Side>,
}

/// One side of a parting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// `thread (3,0,0) of block (1,0,0)`.
    pub who: String,
    /// What the condition was.
    pub holds: bool,
    /// The variables of the condition.
    pub values: Vec<Named>,
}
