//! What one step of a run is: how much it does, who moves in it, and which of several stores in it count.

use super::axis::axis;

axis! {
    /// How much one step does.
    pub enum Granularity {
        /// (The paper's.)
        Operator = "operator", "a basic operator, with all its accesses, is one step";
        Access = "access", "a step touches memory that others could reach at most once";
    }
}

axis! {
    /// Who moves in one step.
    pub enum Firing {
        One = "one", "one thread moves in a step (under lockstep: one path of one warp)";
        Set = "set", "any set of threads with the same next operator moves in a step";
    }
}

axis! {
    /// Which threads `merge` sees as writers of a location.
    pub enum Merge {
        ByValue = "by-value", "of threads that move together, those that changed a value wrote it";
        ByWrite = "by-write", "of threads that move together, every store counts";
    }
}
