//! What a search took.

use serde::{Deserialize, Serialize};

/// What a search took, and how much it saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// States stored by the explorer.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Complete runs.
    pub executions: u64,
    /// Solver queries.
    pub queries: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Most memory held at one time, as the search counts what it keeps.
    pub peak_bytes: u64,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.executions += other.executions;
        self.queries += other.queries;
        self.seconds += other.seconds;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }
}
