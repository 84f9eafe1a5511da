//! The state of a warp in lockstep: its paths, and where they meet again.

use crate::thread::residual::Residual;
use im::Vector;
use std::sync::Arc;

/// Depth of the call stack, and the residual of the innermost procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Frames of the call stack.
    pub depth: usize,
    /// Of the innermost frame.
    pub rest: Residual,
}

/// Where the threads of a path that was split meet again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// The threads of the path before it was split.
    pub threads: Vec<u32>,
    /// Where they meet.
    pub position: Position,
}

/// Threads that step together, ascending.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Ascending.
    pub threads: Vec<u32>,
    /// Meetings ahead, the outermost first: the reconvergence stack as this path sees it.
    pub meetings: Vec<Arc<Meeting>>,
}

/// The paths of one warp.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WarpState {
    /// In order of their first thread; together the threads that have not ended.
    pub paths: Vec<Path>,
    /// The first thread of the path that must go on before another may run.
    pub active: Option<u32>,
    /// Meetings ahead of the path that ran last: its siblings come before other paths.
    pub scope: Vec<Arc<Meeting>>,
    /// Threads of the active path that have yet to do the atomic operation it stands at.
    pub pending: Vec<u32>,
}

impl WarpState {
    /// The warps of a block of `n_threads` threads in its initial state.
    pub fn of_block(n_threads: u32, warp_size: u32) -> Vector<Arc<WarpState>> {
        (0..n_threads.div_ceil(warp_size))
            .map(|warp| {
                let first = warp * warp_size;
                let path = Path {
                    threads: (first..n_threads.min(first + warp_size)).collect(),
                    meetings: Vec::new(),
                };
                Arc::new(WarpState {
                    paths: vec![path],
                    active: None,
                    scope: Vec::new(),
                    pending: Vec::new(),
                })
            })
            .collect()
    }
}
