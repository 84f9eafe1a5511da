//! Limits every search obeys. Reaching one gives `unknown`, reason `limit`; what was found before
//! is kept.

pub mod interruption;

use gridlock_semantics::setup::Setup;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Threads of a launch whose states can be looked at one by one: each state tells of every thread.
pub const MOST_THREADS: u64 = 1 << 20;

/// What to say of a launch of more threads than states can tell of.
pub fn too_many_threads(setup: &Setup) -> Option<String> {
    let extents = |dims: [u32; 3]| {
        dims.iter()
            .fold(1u64, |n, &d| n.saturating_mul(u64::from(d)))
    };
    let launch = setup.launch?;
    let threads = extents(launch.grid).saturating_mul(extents(launch.block));
    (threads > MOST_THREADS).then(|| {
        format!("a launch of {threads} threads, of which states can tell of {MOST_THREADS}")
    })
}

/// What engines may use for one subject.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// States the explorer may keep.
    pub states: u64,
    /// Bytes a search may hold.
    pub bytes: u64,
    /// Seconds for one subject, all engines together.
    pub seconds: f64,
    /// Transitions of one run: the longest schedule, and the canonical run's steps a thread.
    pub depth: u64,
}

/// The limit on seconds was reached. Without a number: what is left of it differs from run to run.
pub const TIME: &str = "the time for one kernel (--limit-seconds)";
/// An array whose length was not given was reached into farther than it is kept.
pub const LENGTH: &str = "an array whose extent is not given, beyond its first elements (--extent)";
/// A thread went on and on without a step that another could notice.
pub const ALONE: &str = "steps of one thread in a row that touch nothing another thread sees";
/// A run that shows a defect is too long to keep.
pub const RECORD: &str =
    "steps of a run that shows a defect, to be kept (a smaller launch has fewer)";

/// What was cut, and the option that raises it, in a report's words.
impl Limits {
    /// In a report's words: the explorer kept as many states as it may.
    pub fn cut_by_states(&self) -> String {
        format!("{} states kept by one search (--limit-states)", self.states)
    }

    /// In a report's words: the stateless search took as many steps as it may.
    pub fn cut_by_steps(&self) -> String {
        format!(
            "{} steps of a search that keeps no states (--limit-states)",
            self.states
        )
    }

    /// In a report's words: a search held as much memory as it may.
    pub fn cut_by_bytes(&self) -> String {
        format!("{} bytes held by one search (--limit-bytes)", self.bytes)
    }

    /// In a report's words: one run was as long as it may be.
    pub fn cut_by_depth(&self) -> String {
        format!("{} steps of one run (--limit-depth)", self.depth)
    }
}

impl Limits {
    /// In a report's words: the limit reached by a search that keeps so many states and holds so
    /// many bytes; or that it was asked to end, or has taken the seconds it may (`is_late`).
    pub fn reached(
        &self,
        states: u64,
        bytes: u64,
        is_late: impl FnOnce() -> bool,
    ) -> Option<String> {
        if states > self.states {
            Some(self.cut_by_states())
        } else if bytes > self.bytes {
            Some(self.cut_by_bytes())
        } else if interruption::is_asked() {
            Some(interruption::INTERRUPTED.to_owned())
        } else {
            is_late().then(|| TIME.to_owned())
        }
    }

    /// Whether a search that began then has taken the seconds it may.
    pub fn are_over_since(&self, started: Instant) -> bool {
        started.elapsed().as_secs_f64() > self.seconds
    }
}

/// Steps, or iterations, of one thread ([`Limits::depth`]).
pub const DEPTH: &str = "steps of one thread (--limit-depth)";
/// Memory of one run ([`Limits::bytes`]).
pub const BYTES: &str = "memory for one run (--limit-bytes)";

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            states: 5_000_000,
            bytes: 8 << 30,
            seconds: 60.0,
            depth: 10_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::ids::ProcId;
    use gridlock_semantics::setup::Launch;
    use std::collections::BTreeMap;

    fn check(grid: [u32; 3], block: [u32; 3], expected: bool) {
        let launch = Some(Launch {
            grid,
            block,
            shared_bytes: 0,
        });
        let setup = Setup {
            entry: ProcId(0),
            launch,
            args: Vec::new(),
            arrays: Vec::new(),
            declared: BTreeMap::new(),
            observed: Default::default(),
            device: Default::default(),
        };
        assert_eq!(
            too_many_threads(&setup).is_some(),
            expected,
            "{grid:?} {block:?}"
        );
    }

    #[test]
    fn launches_that_states_cannot_tell_of() {
        check([1024, 1, 1], [1024, 1, 1], false);
        check([1025, 1, 1], [1024, 1, 1], true);
        check([u32::MAX; 3], [u32::MAX; 3], true);
    }
}
