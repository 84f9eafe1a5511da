//! The axes of barriers: how threads leave one, what a thread that has ended means to it, and whether threads may
//! meet at different ones.

use super::axis::axis;

axis! {
    /// How threads leave a barrier.
    pub enum BarrierRule {
        Literal = "literal", "rules R6 and R7: arrive and count, leave one by one when the count is full";
        Collective = "collective", "when every thread still demanded is waiting, all leave in one step";
    }
}

axis! {
    /// What a thread that has ended means for threads that wait at a barrier.
    pub enum ExitedThreads {
        BlockForever = "block-forever",
            "a thread that has ended still counts at barriers: the others wait forever";
        ReturnOnly = "return-only",
            "a thread that ran `return` no longer counts at barriers; one that reached the end of the body without \
             meeting the barrier has diverged";
        /// (Hardware since sm_70.)
        Arrived = "arrived", "a thread that has ended, in whichever way, no longer counts at barriers";
        Defect = "defect", "a thread that ends before a barrier others wait at is a defect";
    }
}

/// The effect of a thread that has ended on a barrier at which others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtBarrier {
    /// The others continue without it.
    Excused,
    /// The others wait for it forever.
    Awaited,
    /// It has diverged from them, which is a defect.
    Diverged,
}

impl ExitedThreads {
    /// The effect of a thread that has ended: with `returned` by an explicit `return`, else by reaching the end of
    /// the body.
    pub const fn at_barrier(self, returned: bool) -> AtBarrier {
        match (self, returned) {
            (ExitedThreads::BlockForever, _) => AtBarrier::Awaited,
            (ExitedThreads::Defect, _) | (ExitedThreads::ReturnOnly, false) => AtBarrier::Diverged,
            (ExitedThreads::Arrived, _) | (ExitedThreads::ReturnOnly, true) => AtBarrier::Excused,
        }
    }

    /// The effect at the barrier of the grid, at which all threads of the launch have to take part: of a thread that
    /// `counts` its block in, which the first of a block does, or of another one. Hardware that lets threads end
    /// misses those alone that count.
    pub const fn at_grid_barrier(self, counts: bool) -> AtBarrier {
        match (self, counts) {
            (ExitedThreads::BlockForever, _) | (ExitedThreads::Arrived, true) => AtBarrier::Awaited,
            (ExitedThreads::Arrived, false) => AtBarrier::Excused,
            (ExitedThreads::Defect | ExitedThreads::ReturnOnly, _) => AtBarrier::Diverged,
        }
    }

    /// Whether threads that have ended in this way are no longer waited for.
    pub fn excuses(self, returned: bool) -> bool {
        self.at_barrier(returned) == AtBarrier::Excused
    }

    /// Whether the effect depends on the way in which a thread has ended.
    pub fn tells_ends_apart(self) -> bool {
        self.at_barrier(true) != self.at_barrier(false)
    }
}

axis! {
    /// Whether threads may meet at different barriers.
    pub enum Divergence {
        AnyBarrier = "any-barrier", "threads may meet at different barriers";
        /// (The same occurrence, with the same call stack and the same iteration of each enclosing loop that
        /// contains a barrier.)
        SameBarrier = "same-barrier",
            "threads that leave together stand at the same barrier, called from the same place, in the same iteration";
    }
}

impl Divergence {
    /// Whether threads that leave together must stand at the same barrier.
    pub const fn demands_the_same(self) -> bool {
        matches!(self, Divergence::SameBarrier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_decision_for_those_that_have_ended() {
        use AtBarrier::*;
        let table = ExitedThreads::ALL.iter().map(|exited| {
            let [returned, at_end] = [true, false].map(|returned| exited.at_barrier(returned));
            (exited.name(), returned, at_end, exited.tells_ends_apart())
        });
        let expected = [
            ("block-forever", Awaited, Awaited, false),
            ("return-only", Excused, Diverged, true),
            ("arrived", Excused, Excused, false),
            ("defect", Diverged, Diverged, false),
        ];
        assert!(table.eq(expected));
    }

    #[test]
    fn no_block_that_has_ended_is_counted_in_at_the_barrier_of_the_grid() {
        use AtBarrier::*;
        let table = ExitedThreads::ALL.iter().map(|exited| {
            let [first, other] = [true, false].map(|counts| exited.at_grid_barrier(counts));
            (exited.name(), first, other)
        });
        let expected = [
            ("block-forever", Awaited, Awaited),
            ("return-only", Diverged, Diverged),
            ("arrived", Awaited, Excused),
            ("defect", Diverged, Diverged),
        ];
        assert!(table.eq(expected));
    }
}
