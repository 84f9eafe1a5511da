//! The premises of the rules: every side condition on which a transition depends, by name. Code that decides one
//! records it by [`decided`](super::decision::decided). With the feature `coverage` these decisions are kept, so that
//! a test finds the premises that no test decides both ways (`tests/reference/rule_coverage.rs`).

use super::rule::Rule;

closed! {
    /// A side condition of a rule. It has a value of its own for each way in which a transition
    /// may turn out not to be possible, or to be a fault, or to be another one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Premise {
        /// R1: the operator's expressions and its access are defined.
        BasicIsDefined,
        /// R1: an assertion's condition holds.
        AssertionHolds,
        /// R1: an assumption's condition holds.
        AssumptionHolds,
        /// R2: the condition is defined.
        BranchIsDefined,
        /// R2: `u(b)`.
        BranchIsTaken,
        /// R3: the condition is defined.
        LoopIsDefined,
        /// R3: `u(b)`.
        LoopGoesOn,
        /// R4: the arguments are defined.
        ArgumentsAreDefined,
        /// R5: the callee has given its result a value.
        ResultIsGiven,
        /// R6: the thread does not wait yet.
        HasNotArrived,
        /// R7: `bc = threads`.
        CountIsFull,
        /// R8: the device is idle.
        DeviceIsIdle,
        /// R8: the launch's operands are defined, and the device accepts it.
        LaunchIsValid,
        /// R9: every block of the launch has finished.
        DeviceIsFinal,
        /// R10: statements follow the `return`.
        ReturnIsEarly,
        /// Merge: the threads that can move stand at one operator.
        HeadsAreEqual,
        /// Merge: several of those that fire touched the location.
        LocationIsShared,
        /// Merge by value: the store changed the location.
        ValueIsChanged,
        /// Collective barrier: a thread that still runs waits at a barrier.
        ThreadWaits,
        /// Collective barrier: a thread that has ended is not demanded.
        EndedIsExcused,
        /// Collective barrier: the waiting threads stand at the same barrier, reached the same way.
        BarrierIsTheSame,
        /// Warp barrier, and exchange: the mask names the caller.
        MaskNamesCaller,
        /// Warp barrier, and exchange: every lane of the mask that is there waits with the same
        /// mask (at the same exchange).
        LanesHaveArrived,
        /// Warp barrier, and exchange: some lane of the warp can still move, or waits for more than the warp.
        LanesMayArrive,
        /// Warp barrier, and exchange, in lockstep: every lane of the mask that is there is on the
        /// path, with the same mask.
        LanesAreOnPath,
        /// Warp exchange: the profile knows warps.
        WarpsAreKnown,
        /// Warp exchange: the width of a shuffle is one that a warp has.
        WidthFits,
        /// Warp exchange: the lane a shuffle reads from takes part.
        SourceTakesPart,
        /// Warp exchange, `__activemask()`: no other thread stands there.
        NoOtherIsActive,
        /// Stream operation: its operands are defined, its handles exist, and its request is
        /// possible.
        RequestIsValid,
        /// Stream operation: the operations that the host waits for have ended.
        HostMayGoOn,
        /// Stream operation: the device is idle, and what the operation comes after has ended.
        OperationIsNext,
        /// Fork: the thread's branches do not run yet.
        HasNotForked,
        /// Join: both branches have ended.
        BranchesHaveEnded,
        /// Blocks: the profile admits as many active blocks as there would be.
        BlockHasRoom,
        /// Blocks: no block with a smaller number is still to be started.
        BlockIsNext,
        /// Named barrier: there is one of that number.
        BarrierExists,
        /// Named barrier: its threads are a whole number of warps.
        CountIsWholeWarps,
        /// Named barrier: the block has as many threads.
        CountIsInBlock,
        /// Named barrier: others wait there for the same number of threads.
        CountIsTheSame,
        /// Named barrier: all threads waited for have arrived.
        ThreadsHaveArrived,
        /// Grid barrier: the launch is cooperative.
        LaunchIsCooperative,
        /// Grid barrier: a thread that still runs waits there.
        GridThreadWaits,
        /// Grid barrier: a thread that has ended is not demanded.
        GridEndedIsExcused,
        /// Lockstep: a path that could run has not come to its meeting, nor to a barrier.
        PathIsFree,
        /// Lockstep: all parts of a path have come to their meeting.
        PartsHaveMet,
    }
}

/// The rule, or the other kind of step, of which something is a premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Governs {
    /// A rule's premise.
    Rule(Rule),
    /// The first step of a block, by any rule.
    StartOfBlock,
    /// The choice of the threads of a lockstep warp that step, by any rule.
    LockstepPath,
}

impl Premise {
    /// The rule, or the other kind of step, that depends on it.
    pub const fn of(self) -> Governs {
        use Premise::*;
        match self {
            BasicIsDefined | AssertionHolds | AssumptionHolds => Governs::Rule(Rule::R1),
            BranchIsDefined | BranchIsTaken => Governs::Rule(Rule::R2),
            LoopIsDefined | LoopGoesOn => Governs::Rule(Rule::R3),
            ArgumentsAreDefined => Governs::Rule(Rule::R4),
            ResultIsGiven => Governs::Rule(Rule::R5),
            HasNotArrived => Governs::Rule(Rule::R6),
            CountIsFull => Governs::Rule(Rule::R7),
            DeviceIsIdle | LaunchIsValid => Governs::Rule(Rule::R8),
            DeviceIsFinal => Governs::Rule(Rule::R9),
            ReturnIsEarly => Governs::Rule(Rule::R10),
            HeadsAreEqual | LocationIsShared | ValueIsChanged => Governs::Rule(Rule::Merge),
            ThreadWaits | EndedIsExcused | BarrierIsTheSame => {
                Governs::Rule(Rule::CollectiveBarrier)
            }
            MaskNamesCaller | LanesHaveArrived | LanesMayArrive | LanesAreOnPath => {
                Governs::Rule(Rule::WarpBarrier)
            }
            WarpsAreKnown | WidthFits | SourceTakesPart | NoOtherIsActive => {
                Governs::Rule(Rule::WarpExchange)
            }
            BarrierExists | CountIsWholeWarps | CountIsInBlock | CountIsTheSame
            | ThreadsHaveArrived => Governs::Rule(Rule::NamedBarrier),
            LaunchIsCooperative | GridThreadWaits | GridEndedIsExcused => {
                Governs::Rule(Rule::GridBarrier)
            }
            RequestIsValid | HostMayGoOn | OperationIsNext => Governs::Rule(Rule::StreamOperation),
            HasNotForked => Governs::Rule(Rule::Fork),
            BranchesHaveEnded => Governs::Rule(Rule::Join),
            BlockHasRoom | BlockIsNext => Governs::StartOfBlock,
            PathIsFree | PartsHaveMet => Governs::LockstepPath,
        }
    }
}
