//! What became of a program whose loops were to be offloaded.

use crate::pipeline::report::{PipelineReport, StepReport};
use serde::Serialize;

/// What became of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It became a kernel, or several.
    Offloaded,
    /// It stays on the host; loops inside it became kernels.
    Around,
    /// It stays on the host.
    LeftAlone,
}

/// A loop of the source. Loops inside of one that was offloaded are not told.
#[derive(Clone, Debug, Serialize)]
pub struct LoopReport {
    /// The function it stands in.
    pub procedure: String,
    /// Where it begins.
    pub line: u32,
    /// The variable that counts, where one does.
    pub counter: Option<String>,
    /// Of the steps of the runs that were counted, how many were its own; 0 to 1.
    pub share: f64,
    /// What became of it.
    pub outcome: Outcome,
    /// Names of the steps that did it.
    pub steps: Vec<String>,
    /// Why it is no kernel as a whole.
    pub why: Option<String>,
}

/// What became of a program.
#[derive(Clone, Debug, Serialize)]
pub struct OffloadReport {
    /// The source, as the user named it.
    pub file: String,
    /// The function that is judged.
    pub entry: String,
    /// Sizes it was judged at, in words.
    pub cases: Vec<String>,
    /// Sizes that were left out, with the reason.
    pub cases_left_out: Vec<String>,
    /// Steps of the runs that were counted.
    pub steps_counted: u64,
    /// The loops, in the order of the text.
    pub loops: Vec<LoopReport>,
    /// The steps with blocks of so few threads that the sizes have several.
    pub in_small_blocks: Vec<StepReport>,
    /// The steps with blocks as they are written, what was lowered and what was run; `None` where no loop was
    /// offloaded.
    pub pipeline: Option<PipelineReport>,
}

impl OffloadReport {
    /// Loops that became kernels.
    pub fn n_offloaded(&self) -> usize {
        let is_offloaded = |one: &&LoopReport| one.outcome == Outcome::Offloaded;
        self.loops.iter().filter(is_offloaded).count()
    }
}
