//! How blocks are scheduled: which may run together, which starts next, and which threads are promised a turn.

use super::axis::axis;

axis! {
    /// Which blocks may be started together.
    pub enum Residency with numbers {
        StartRule = "start-rule",
            "no block starts while a started, unfinished one is left out of a step";
        RunToCompletion = "run-to-completion", "one block after another";
        Resident(n) = "resident", "at most {n} blocks run at a time";
        EveryResident = "every-resident", "any number of blocks from 1 runs at a time";
        AllResident = "all-resident", "all blocks run from the start";
    }
}

axis! {
    /// Which block starts next.
    pub enum NextBlock {
        Any = "any", "in any order";
        InOrder = "in-order", "in order of their number";
    }
}

axis! {
    /// Which threads are promised a turn.
    pub enum Progress {
        Unfair = "unfair", "no thread is promised a turn";
        OccupancyBound = "occupancy-bound", "every thread of a running block is promised a turn";
        Fair = "fair", "every thread is promised a turn";
    }
}
