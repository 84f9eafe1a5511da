//! The threads that met at named barriers in a transition of a launch, found by comparing the states before and after
//! it.

use super::state::GridState;
use crate::block::named_barrier::{Meeting, meetings};
use crate::transition::{Actor, Label};

/// A thread that arrived at an incomplete barrier and continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Linear number of the block.
    pub block: u32,
    /// Which of the block's barriers.
    pub id: u32,
    /// Linear number in the block.
    pub thread: u32,
}

fn threads_of(label: &Label) -> Vec<(u32, u32)> {
    let of_threads = label.actors.iter().filter_map(|actor| match actor {
        Actor::Thread { block, thread } => Some((*block, *thread)),
        _ => None,
    });
    of_threads.collect()
}

/// The threads that arrived in a transition of a launch, and continued before the barrier was complete.
pub fn gone_on(before: &GridState, after: &GridState, label: &Label) -> Vec<Gone> {
    let mut found = Vec::new();
    for (block, thread) in threads_of(label) {
        let at = |grid: &GridState, id: &u32| {
            let gathered = grid.blocks[block as usize].named.get(id);
            let arrived = gathered.map_or(&[][..], |g| &g.arrived);
            arrived.iter().filter(|t| **t == thread).count()
        };
        let ids = after.blocks[block as usize].named.keys();
        let more = ids.filter(|id| at(after, id) > at(before, id));
        found.extend(more.map(|id| Gone {
            block,
            id: *id,
            thread,
        }));
    }
    found
}

/// The threads that met in a transition of a launch, block by block.
pub fn meetings_of(before: &GridState, after: &GridState, label: &Label) -> Vec<(u32, Meeting)> {
    let of_threads = threads_of(label);
    let mut found = Vec::new();
    for of_block in of_threads.chunk_by(|a, b| a.0 == b.0) {
        let block = of_block[0].0;
        let threads: Vec<u32> = of_block.iter().map(|(_, thread)| *thread).collect();
        let at = |grid: &GridState| grid.blocks[block as usize].clone();
        let met = meetings(&at(before), &at(after), &threads);
        found.extend(met.into_iter().map(|meeting| (block, meeting)));
    }
    found
}
