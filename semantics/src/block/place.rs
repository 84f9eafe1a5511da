//! One block of a launch, as its threads see it.

use super::state::BlockState;
use crate::memory::Memory;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::thread::ThreadState;
use crate::thread::view::{Device, View};
use crate::transition::Actor;

/// A block in a state, with what it shares with the others.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Program, setup and axes of the run.
    pub context: &'a Context,
    /// What outlives the launch.
    pub memory: &'a Memory,
    /// Its shape.
    pub launch: &'a Launch,
    /// Its linear number in the grid.
    pub block: u32,
    /// The block.
    pub state: &'a BlockState,
}

impl<'a> Place<'a> {
    /// What a thread of the block sees; `None` when it has no such thread.
    pub fn view(&self, thread: u32) -> Option<View<'a>> {
        let state = self.state.threads.get(thread as usize)?;
        Some(self.seen_by(state, thread))
    }

    /// What the thread of that number sees, which is in `state`.
    pub fn seen_by(&self, state: &'a ThreadState, thread: u32) -> View<'a> {
        View {
            context: self.context,
            memory: self.memory,
            thread: state,
            device: Some(Device {
                launch: self.launch,
                block: self.block,
                thread,
                shared: &self.state.shared,
            }),
        }
    }

    /// The thread of that number, as labels name it.
    pub fn actor(&self, thread: u32) -> Actor {
        Actor::Thread {
            block: self.block,
            thread,
        }
    }
}
