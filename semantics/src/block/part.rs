//! The contribution of a block to a transition of its grid.

use super::place::Place;
use super::state::BlockState;
use crate::algebra::operator::OpId;
use crate::thread::Step;
use crate::thread::view::{Touched, View};
use crate::transition::{Access, Label};

/// A thread's step in a transition.
#[derive(Clone, Debug)]
pub struct Fired {
    /// Linear number of its block.
    pub block: u32,
    /// Linear number in the block.
    pub thread: u32,
    /// What it did, from the memory before the transition.
    pub step: Step,
}

/// What one block contributes to a transition.
pub struct Part<'a> {
    /// The block before the transition.
    pub place: Place<'a>,
    /// The transition's, to which each block adds who fired and what was touched.
    pub label: &'a mut Label,
    /// Steps whose effects are still to be merged.
    pub fired: &'a mut Vec<Fired>,
    /// The block after threads have left a barrier.
    pub released: Option<BlockState>,
}

impl Part<'_> {
    pub(super) fn view(&self, thread: u32) -> View<'_> {
        let state = &self.place.state.threads[thread as usize];
        self.place.seen_by(state, thread)
    }

    pub(super) fn record(&mut self, thread: u32, op: OpId, touched: &[Touched]) {
        let actor = self.place.actor(thread);
        self.label.accesses.extend(touched.iter().map(|t| Access {
            actor,
            array: t.array,
            index: t.index,
            mode: t.mode,
            op,
        }));
    }
}
