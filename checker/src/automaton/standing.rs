//! What keeps a thread where it stands.

use super::system::Automaton;
use super::thread::Next;
use super::warp::is_joint;

/// Whom a thread waits for, if anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Ended,
    /// For the threads of its block.
    AtBarrier,
    /// For all threads of the launch.
    AtGridBarrier,
    /// For lanes of its warp.
    WithLanes,
    /// For no thread; or, at a named barrier, for a number of threads.
    Free,
}

impl Automaton {
    /// What keeps a thread of a state where it stands.
    pub fn standing(&self, words: &[u32], thread: u32) -> Standing {
        match &self.locals.get(words[thread as usize]).next {
            Next::Ended { .. } => Standing::Ended,
            Next::Barrier => Standing::AtBarrier,
            Next::GridBarrier => Standing::AtGridBarrier,
            next if is_joint(next) => Standing::WithLanes,
            _ => Standing::Free,
        }
    }
}
