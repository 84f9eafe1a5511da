//! Lockstep warps: the threads of a warp form paths; the threads of a path stand at one position
//! and step together. A branch or loop condition that differs splits the path, and its parts meet
//! again at the immediate post-dominator of the operator that split them. In structured code this
//! is the operator that follows (threads that have ended are not waited for).
//!
//! One path runs (any of them may be first) until it reaches the meeting place or waits at the
//! block's barrier; then another may run. A path that does not run has no guarantee of progress.
//!
//! Premises: [`Premise::PathIsFree`] of a path that may run, [`Premise::PartsHaveMet`] of paths that join.

use super::super::moves::BlockMove;
use super::super::state::BlockState;
use super::state::{Meeting, Path, Position, WarpState};
use crate::algebra::operator::{Basic, Op, OpKind};
use crate::evaluation::atomic;
use crate::setup::context::Context;
use crate::thread::residual::Residual;
use crate::thread::{Head, ThreadState};
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use std::sync::Arc;

impl WarpState {
    /// The sets of threads that may step next: whole paths, or one thread at a time of a path at
    /// an atomic operation whose order shows.
    pub fn moves(&self, block: &BlockState) -> Vec<Vec<u32>> {
        if !self.pending.is_empty() {
            return self.pending.iter().map(|&thread| vec![thread]).collect();
        }
        let runnable = self.paths.iter().filter(|path| path.is_runnable(block));
        let runnable: Vec<&Path> = runnable.collect();
        let active = runnable
            .iter()
            .find(|path| Some(path.threads[0]) == self.active);
        let chosen: Vec<&Path> = match active {
            Some(path) => vec![*path],
            None => {
                let nearness = |path: &&Path| common_prefix(&path.meetings, &self.scope);
                let nearest = runnable.iter().map(nearness).max();
                runnable
                    .into_iter()
                    .filter(|path| Some(nearness(path)) == nearest)
                    .collect()
            }
        };
        let mut moves = Vec::new();
        for path in chosen {
            if path.steps_one_by_one(block) {
                moves.extend(path.threads.iter().map(|&thread| vec![thread]));
            } else {
                moves.push(path.threads.clone());
            }
        }
        moves
    }

    /// The warp after the threads `moved` (one of [`WarpState::moves`]) have stepped from `before`
    /// to the states in `after`.
    pub fn after(&self, before: &BlockState, after: &BlockState, moved: &[u32]) -> WarpState {
        let mut warp = self.clone();
        let Some(index) = warp
            .paths
            .iter()
            .position(|p| p.threads.contains(&moved[0]))
        else {
            return warp;
        };
        if moved.len() < warp.paths[index].threads.len() {
            // One thread of a path at an atomic operation.
            if warp.pending.is_empty() {
                warp.pending = warp.paths[index].threads.clone();
            }
            warp.pending.retain(|thread| !moved.contains(thread));
            if !warp.pending.is_empty() {
                return warp;
            }
        }
        let path = warp.paths.remove(index);
        let leader = path.threads[0];
        let meeting = meeting_after(&path, &before.threads[leader as usize]);
        let mut parts: Vec<(Option<Position>, Vec<u32>)> = Vec::new();
        for &thread in &path.threads {
            let state = &after.threads[thread as usize];
            let position = state.is_running().then(|| position(state));
            match parts.iter_mut().find(|(p, _)| *p == position) {
                Some((_, threads)) => threads.push(thread),
                None => parts.push((position, vec![thread])),
            }
        }
        let n_running = parts
            .iter()
            .filter(|(position, _)| position.is_some())
            .count();
        let mut meetings = path.meetings.clone();
        let split = n_running > 1;
        if split {
            meetings.push(Arc::new(meeting));
        }
        for (_, threads) in parts.into_iter().filter(|(position, _)| position.is_some()) {
            warp.paths.push(Path {
                threads,
                meetings: meetings.clone(),
            });
        }
        warp.scope = meetings;
        warp.settle(after);
        let still = path
            .threads
            .iter()
            .find(|&&t| after.threads[t as usize].is_running());
        let current = still.and_then(|t| warp.paths.iter().find(|p| p.threads.contains(t)));
        warp.active = match current {
            Some(p) if !split && p.is_runnable(after) => Some(p.threads[0]),
            _ => None,
        };
        if let Some(p) = current
            && !split
        {
            warp.scope = p.meetings.clone();
        }
        warp.forget_order();
        warp
    }

    /// The warp after some of its threads have left the block's barrier.
    pub fn after_barrier(&self, block: &BlockState) -> WarpState {
        let mut warp = self.clone();
        warp.active = None;
        warp.scope = Vec::new();
        warp.settle(block);
        warp.forget_order();
        warp
    }

    /// With one path there is nothing to choose, and equal states should be equal.
    fn forget_order(&mut self) {
        if self.paths.len() <= 1 {
            self.active = None;
            self.scope = Vec::new();
        }
    }

    /// Drops threads that have ended and joins paths that have met.
    fn settle(&mut self, block: &BlockState) {
        let runs = |thread: &u32| block.threads[*thread as usize].is_running();
        for path in &mut self.paths {
            path.threads.retain(runs);
        }
        self.paths.retain(|path| !path.threads.is_empty());
        while let Some(meeting) = self.complete_meeting(block) {
            let is_part = |path: &Path| path.meetings.last() == Some(&meeting);
            let (met, others): (Vec<Path>, Vec<Path>) = std::mem::take(&mut self.paths)
                .into_iter()
                .partition(is_part);
            self.paths = others;
            let mut meetings = met[0].meetings.clone();
            meetings.pop();
            let mut threads: Vec<u32> = met.into_iter().flat_map(|path| path.threads).collect();
            threads.sort_unstable();
            self.paths.push(Path { threads, meetings });
        }
        self.paths.sort_by_key(|path| path.threads[0]);
    }

    /// A meeting at which all threads that still run have arrived.
    fn complete_meeting(&self, block: &BlockState) -> Option<Arc<Meeting>> {
        let last = |path: &Path| path.meetings.last().cloned();
        self.paths.iter().filter_map(last).find(|meeting| {
            let concerned = self
                .paths
                .iter()
                .filter(|path| path.meetings.contains(meeting));
            let met = concerned
                .into_iter()
                .all(|path| path.meetings.last() == Some(meeting) && path.has_arrived(block));
            decided(Premise::PartsHaveMet, met)
        })
    }
}

impl Path {
    fn leader<'a>(&self, block: &'a BlockState) -> &'a ThreadState {
        &block.threads[self.threads[0] as usize]
    }

    /// Whether it stands at its innermost meeting.
    fn has_arrived(&self, block: &BlockState) -> bool {
        let here = position(self.leader(block));
        self.meetings
            .last()
            .is_some_and(|meeting| meeting.position == here)
    }

    fn is_runnable(&self, block: &BlockState) -> bool {
        let leader = self.leader(block);
        // In an ordinary launch the grid's barrier is a fault, not a place to wait.
        let waits = leader.is_at_barrier() || leader.waits_at_other_barrier(block.cooperative);
        let free = !self.has_arrived(block) && !waits;
        decided(Premise::PathIsFree, free)
    }

    /// Whether it stands at an atomic operation whose order among the threads shows.
    fn steps_one_by_one(&self, block: &BlockState) -> bool {
        let leader = self.leader(block);
        let Head::Op(op) = leader.head() else {
            return false;
        };
        self.threads.len() > 1 && is_ordered_atomic(op)
    }
}

fn is_ordered_atomic(op: &Arc<Op>) -> bool {
    match &op.kind {
        OpKind::Basic(Basic::Atomic {
            function,
            pointer,
            result,
            ..
        }) => {
            let elem = pointer.pointee();
            !atomic::order_is_unseen(*function, elem, result.is_some())
        }
        _ => false,
    }
}

fn position(thread: &ThreadState) -> Position {
    Position {
        depth: thread.frames.len(),
        rest: thread
            .frames
            .last()
            .map_or(Residual::EMPTY, |frame| frame.rest.clone()),
    }
}

/// Where the parts meet when `path`, whose first thread is `leader`, splits at its head.
fn meeting_after(path: &Path, leader: &ThreadState) -> Meeting {
    let frame = leader.frames.last();
    Meeting {
        threads: path.threads.clone(),
        position: Position {
            depth: leader.frames.len(),
            rest: frame.map_or(Residual::EMPTY, |frame| frame.rest.tail()),
        },
    }
}

fn common_prefix(a: &[Arc<Meeting>], b: &[Arc<Meeting>]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// A block after one of its moves, with the paths of its warps updated.
pub fn reconverge(
    context: &Context,
    old: &BlockState,
    after: &BlockState,
    m: &BlockMove,
) -> BlockState {
    let mut changed = after.clone();
    match m {
        BlockMove::Barrier => {
            let settled: im::Vector<_> = changed
                .warps
                .iter()
                .map(|warp| Arc::new(warp.after_barrier(&changed)))
                .collect();
            changed.warps = settled;
        }
        BlockMove::Threads(threads) | BlockMove::Warp(threads) => {
            let index = (threads[0] / context.warp_size()) as usize;
            let warp = changed.warps[index].after(old, &changed, threads);
            changed.warps.set(index, Arc::new(warp));
            // Others may have been let go on at a named barrier.
            let goes_on =
                |t: &u32| old.threads[*t as usize].waiting && !changed.threads[*t as usize].waiting;
            let mut freed = Vec::new();
            for (other, warp) in old.warps.iter().enumerate() {
                let mut threads = warp.paths.iter().flat_map(|path| path.threads.iter());
                if other != index && threads.any(goes_on) {
                    freed.push((other, warp.after_barrier(&changed)));
                }
            }
            for (other, warp) in freed {
                changed.warps.set(other, Arc::new(warp));
            }
        }
    }
    changed
}
