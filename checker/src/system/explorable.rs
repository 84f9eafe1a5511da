//! What the explorer asks of a transition system beyond its transitions.

use crate::system::footprint::AccessClass;
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::system::Leak;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Actor, Label, TransitionSystem};

/// A system whose states can be explored.
pub trait Explorable: TransitionSystem + Sync {
    /// What is seen of a run that ends in `state`.
    fn observe(&self, state: &Self::State) -> Observation;

    /// Where every thread stands.
    fn positions(&self, state: &Self::State) -> Vec<ThreadPosition>;

    /// What a run that ends in `state` never gave back.
    fn leaks(&self, state: &Self::State) -> Vec<Leak> {
        let _ = state;
        Vec::new()
    }

    /// Whether a transition counts in a schedule: see [`crate::finding::ScheduleStep`].
    fn counts(&self, label: &Label) -> bool {
        label.is_visible()
    }

    /// Bytes a state takes, roughly; for the limit on memory.
    fn state_bytes(&self, state: &Self::State) -> u64 {
        size_of_val(state) as u64
    }

    /// Why the transitions out of `state` are too many to list, where they are.
    fn too_wide(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// How an access gets along with others.
    fn access_class(&self, access: &Access) -> AccessClass {
        match access.mode {
            AccessMode::Read => AccessClass::Read,
            AccessMode::Write => AccessClass::Write,
            AccessMode::Atomic | AccessMode::AtomicRead => AccessClass::Atomic,
        }
    }

    /// An access made on the way to `state` that races with `second`, made next, although the two
    /// could not stand side by side; where the system remembers such.
    fn unordered_before(&self, state: &Self::State, second: &Access) -> Option<Access> {
        let _ = (state, second);
        None
    }

    /// How an access meets others at its place.
    fn access_kind(&self, access: &Access) -> AccessKind {
        AccessKind::new(access.mode, None)
    }

    /// Whether the profile calls two plain writes benign that are possible in `state`: both write the
    /// same value.
    fn is_benign(&self, state: &Self::State, first: &Access, second: &Access) -> bool {
        let _ = (state, first, second);
        false
    }
}

/// A system of a host and, at times, a device with threads in blocks that move one at a time.
/// What a reduction needs.
pub trait Threadwise: Explorable {
    /// The number of blocks and the threads of a block while a launch runs.
    fn device(&self, state: &Self::State) -> Option<DeviceShape>;

    /// The threads of the host. Private steps of one are independent of all others' steps.
    fn host_threads(&self, state: &Self::State) -> Vec<Actor> {
        let _ = state;
        vec![Actor::Host]
    }

    /// Appends the transitions of `actor`, alone or with others of its warp.
    fn fire_actor(&self, state: &Self::State, actor: Actor, found: &mut Vec<(Label, Self::State)>);

    /// Every array the code of the running launch may touch, over-approximated.
    fn may_touch(&self, state: &Self::State) -> Option<&crate::system::footprint::MayTouch>;

    /// For whom the warp operation `actor` stands at waits; `None` when it stands at none.
    fn warp_wait(&self, state: &Self::State, actor: Actor) -> Option<WarpWait>;
}

/// For whom a thread at a warp operation waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpWait {
    /// For all threads of its warp that exist.
    Whole,
    /// For some of them only.
    Part,
    /// For no thread, but those that stand there too may take part (`__activemask()`).
    Nobody,
}

/// Blocks and threads of the running launch, in linear numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceShape {
    /// Blocks of the launch.
    pub n_blocks: u32,
    /// Threads in one block.
    pub n_threads: u32,
    /// Threads in one warp; the block's when the profile knows no warps.
    pub n_lanes: u32,
}
