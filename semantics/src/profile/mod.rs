//! Profiles: every choice the semantics leaves open, as data. Each axis is declared with its values, their names and
//! what they mean (`axis.rs` has the macro), and with the decisions that follow from a value: the rules, the searches
//! and the proofs call these decisions and do not look at the value itself. `gridlock profiles` prints the profiles.

mod axes;
mod axis;
mod barrier;
mod memory;
mod named;
mod scheduling;
mod step;
mod warps;

pub use axes::{Axes, BlockScheduling, GivenAxes, GivenScheduling};
pub use barrier::{AtBarrier, BarrierRule, Divergence, ExitedThreads};
pub use memory::{MemoryModel, SameValueWrites};
pub use scheduling::{NextBlock, Progress, Residency};
pub use step::{Firing, Granularity, Merge};
pub use warps::Warps;

use serde::{Deserialize, Serialize};

/// A named choice on every axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Profile {
    /// The name that `--profile` takes.
    pub name: String,
    /// One sentence for `gridlock profiles`.
    #[serde(default)]
    pub meaning: String,
    /// A value on each axis.
    #[serde(flatten)]
    pub axes: Axes,
}

impl Profile {
    /// Whether each run that the scheduling for termination admits is also one that the scheduling
    /// for safety admits: a program that ends in every run of the latter then ends in every run of
    /// the former.
    pub fn termination_is_within_safety(&self) -> bool {
        let (safety, termination) = (&self.axes.safety, &self.axes.termination);
        let all = safety.residency == Residency::AllResident && safety.next == NextBlock::Any;
        let same = safety.residency == termination.residency && safety.next == termination.next;
        all || same
    }

    /// The profile for cooperative launches: all blocks are resident, for termination too.
    pub fn cooperative(mut self) -> Profile {
        self.axes.termination.residency = Residency::AllResident;
        self
    }

    /// Whether one canonical run can speak for all schedules (metatheory M1).
    pub fn admits_canonical_run(&self) -> bool {
        self.axes.barrier == BarrierRule::Collective
            && self.axes.divergence.demands_the_same()
            && self.axes.granularity == Granularity::Access
            && self.axes.firing == Firing::One
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What files may say is what reports print, for the values of every axis.
    #[test]
    fn values_are_read_by_their_names() {
        fn read<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
            value: T,
            name: &str,
        ) {
            let text = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
            assert_eq!(T::deserialize(text), Ok(value));
        }
        macro_rules! every {
            ($($axis:ident),*) => { $( for value in $axis::ALL { read(*value, value.name()); } )* };
        }
        every!(
            Granularity,
            Firing,
            Merge,
            BarrierRule,
            ExitedThreads,
            Divergence
        );
        every!(NextBlock, Progress, MemoryModel, SameValueWrites);
        read(Warps::None, &Warps::None.name());
        read(Residency::AllResident, &Residency::AllResident.name());
    }

    #[test]
    fn numbers_stand_in_names_and_meanings() {
        assert_eq!(Warps::Lockstep(16).name(), "lockstep(16)");
        assert_eq!(
            Residency::Resident(2).meaning(),
            "at most 2 blocks run at a time"
        );
        assert_eq!(Residency::StartRule.name(), "start-rule");
    }
}
