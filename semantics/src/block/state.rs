//! The configuration of a block: its threads, and the memory they share.

use super::warp::state::WarpState;
use crate::memory::Instances;
use crate::thread::{Changed, Status, ThreadState};
use crate::transition::Actor;
use crate::transition::fault::ThreadPosition;
use im::{OrdMap, Vector};
use std::sync::Arc;

/// A block in the middle of its launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlockState {
    /// By linear number.
    pub threads: Vector<Arc<ThreadState>>,
    /// Its instances of shared arrays.
    pub shared: Instances,
    /// `bc`: threads that wait at the literal barrier.
    pub arrived: u32,
    /// Some thread of it has moved.
    pub started: bool,
    /// Threads that have not ended.
    pub unfinished: u32,
    /// Its launch is cooperative.
    pub cooperative: bool,
    /// Named barriers at which some have arrived, by number.
    pub named: OrdMap<u32, Gathered>,
    /// Lockstep profiles only.
    pub warps: Vector<Arc<WarpState>>,
}

impl BlockState {
    /// Replaces a thread, keeping the count of those that have not ended.
    pub fn set_thread(&mut self, thread: u32, state: ThreadState) {
        let slot = &mut self.threads[thread as usize];
        self.unfinished -= (slot.is_running() && !state.is_running()) as u32;
        match Arc::get_mut(slot) {
            Some(own) => *own = state,
            None => *slot = Arc::new(state),
        }
    }

    /// Changes a thread and what the block shares, in place where no other state shares them, keeping that count.
    pub fn change_thread_by(
        &mut self,
        thread: u32,
        change: impl FnOnce(&mut ThreadState, &mut Instances),
    ) {
        let state = Arc::make_mut(&mut self.threads[thread as usize]);
        let had_ended = !state.is_running();
        change(state, &mut self.shared);
        self.unfinished -= (!state.is_running() && !had_ended) as u32;
        self.share_ended(thread);
    }

    /// Makes the step of a thread, in place where no other state shares it, keeping that count.
    pub fn change_thread(&mut self, thread: u32, changed: Changed) {
        match changed {
            Changed::Whole(state) => self.set_thread(thread, *state),
            innermost => {
                let ends = !innermost.is_running();
                let slot = &mut self.threads[thread as usize];
                self.unfinished -= (ends && slot.is_running()) as u32;
                innermost.make(Arc::make_mut(slot));
            }
        }
        self.share_ended(thread);
    }

    /// Threads that have ended alike are one state: of a launch of a million they would take a hundred megabytes.
    fn share_ended(&mut self, thread: u32) {
        let own = &self.threads[thread as usize];
        let Some(neighbour) = thread.checked_sub(1).filter(|_| !own.is_running()) else {
            return;
        };
        let neighbour = &self.threads[neighbour as usize];
        if !Arc::ptr_eq(neighbour, own) && neighbour == own {
            self.threads[thread as usize] = neighbour.clone();
        }
    }

    /// Whether every thread has ended.
    pub fn is_finished(&self) -> bool {
        self.unfinished == 0
    }

    /// Updates the paths of lockstep warps after waiting threads have been released.
    pub fn settle_warps(&mut self) {
        let settled = self
            .warps
            .iter()
            .map(|warp| Arc::new(warp.after_barrier(self)));
        self.warps = settled.collect();
    }
}

/// A barrier some threads have arrived at, but not all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gathered {
    /// How many it takes; with `whole`, counted before any had ended.
    pub threads: u32,
    /// Whatever the number of threads of the block is.
    pub whole: bool,
    /// Ascending.
    pub waiting: Vec<u32>,
    /// Threads that arrived and continued; ascending, each as often as it has arrived.
    pub arrived: Vec<u32>,
}

/// Where every thread of a block stands.
pub fn positions(block: u32, state: &BlockState) -> Vec<ThreadPosition> {
    let threads = state.threads.iter().enumerate();
    threads
        .map(|(thread, t)| ThreadPosition {
            actor: Actor::Thread {
                block,
                thread: thread as u32,
            },
            op: t.position(),
            returned: t.status == Status::Returned,
        })
        .collect()
}
