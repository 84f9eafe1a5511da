//! The actors of transitions.

use serde::{Deserialize, Serialize};

/// The actor of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Actor {
    /// The CPU thread.
    Host,
    /// A branch of `PAR`: the branches of thread *n* are 2*n* and 2*n* + 1, [`Actor::Host`] being 1.
    HostThread(u32),
    /// A device thread by linear block number and linear thread number inside the block.
    Thread {
        /// Linear number of the block in the grid.
        block: u32,
        /// Linear number of the thread in the block.
        thread: u32,
    },
    /// A whole block (a collective barrier).
    Block(u32),
    /// The whole device (start and end of a launch).
    Device,
    /// The stream with this handle: its oldest operation.
    Stream(u32),
    /// The legacy default stream of a device: its oldest operation.
    DefaultStream(u32),
    /// The default stream of a device that is the host thread's own: its oldest operation.
    PerThreadStream(u32),
}
