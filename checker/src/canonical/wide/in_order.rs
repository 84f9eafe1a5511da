//! Blocks in order, each wide where nothing in it is out of the ordinary.
//!
//! Where something races in a launch, most of its blocks may still be as they should: a block that meets no race among its own
//! threads does to memory what it does thread after thread, whatever it finds there. So it is run wide, what it does to global
//! memory is written down, and the detector is told of it afterwards in the order of the run thread after thread: thread by
//! thread in each barrier interval. It sees then what it would have seen, and finds the same, as races in shared memory are
//! races of one block. Of a block that is given up, memory is set back, and it is run thread after thread.

use super::block::Worker;
use super::halt;
use super::launched::{Launched, Odd, Watched};
use super::log::{Log, Logged};
use crate::canonical::block::initial_image;
use crate::canonical::run::{Halt, Run};
use crate::canonical::watch::Region;
use crate::compiled::Code;
use crate::compiled::accessed::Accessed;
use crate::compiled::memory::Array;
use gridlock_semantics::setup::Launch;
use std::mem::take;

/// Blocks given up in a row after which no more are tried.
const MOST_ODD: u32 = 3;

/// Whether blocks of a launch may be tried so.
pub fn is_possible(run: &Run<'_>, code: &Code, launch: &Launch) -> bool {
    // Warps move together in another order, and what grows is not set back.
    let is_open = run.global.iter().any(Array::is_open);
    !code.has_warp_operation
        && !code.has_sync_warp
        && !is_open
        && run
            .in_order
            .is_some_and(|least| super::is_possible(run, code, launch, least))
}

/// A launch over [lent](crate::canonical::global::Arrays::lent) memory, if it [is possible](is_possible).
pub fn launched<'l, 'p: 'l>(
    run: &Run<'p>,
    code: &'l Code,
    launch: Launch,
    args: &[[u64; 2]],
) -> Option<Launched<'l>> {
    let global = run.global.as_lent()?;
    if !is_possible(run, code, &launch) {
        return None;
    }
    let image = initial_image(run.axes, code, &launch, args);
    let written = Accessed::by(code, &image).written;
    let watched = |number: usize, _: &Array| match written.has_global(number) {
        true => Watched::Logged,
        false => Watched::ReadOnly,
    };
    Some(Launched::new(run, code, launch, image, global, watched))
}

/// Runs blocks so.
pub struct InOrder<'l> {
    worker: Worker<'l>,
    n_odd: u32,
}

impl<'l> InOrder<'l> {
    pub fn new(launched: &'l Launched<'l>) -> InOrder<'l> {
        let mut worker = Worker::new(launched);
        worker.log = Some(Log::default());
        InOrder { worker, n_odd: 0 }
    }

    /// Runs a block, if nothing in it is out of the ordinary; else changes nothing, and says so.
    pub fn run_block(&mut self, run: &mut Run<'_>, block: u32) -> Result<bool, Halt> {
        if self.n_odd >= MOST_ODD {
            return Ok(false);
        }
        let before = self.worker.visible;
        let outcome = self.worker.run_block(block, false);
        let Some(mut log) = self.worker.log.take() else {
            return Ok(false);
        };
        let is_done = match outcome {
            Err(Odd::Late) => return Err(halt(Odd::Late)),
            Err(_) => false,
            Ok(()) => !log.has_conflict(),
        };
        match is_done {
            true => {
                self.n_odd = 0;
                run.wide_blocks += 1;
                run.transitions += self.worker.visible - before;
                tell(run, &mut log);
            }
            false => {
                self.n_odd += 1;
                log.undo(&run.global);
            }
        }
        self.worker.log = Some(log);
        Ok(is_done)
    }
}

/// Tells the detector of a block that was run.
fn tell(run: &mut Run<'_>, log: &mut Log) {
    let watch = &mut run.watch;
    let n_threads = log.ended.len() as u32;
    watch.start_block(n_threads);
    run.block_starts.push(watch.now.stamp);
    let mut ended: Vec<(u32, u32)> = Vec::with_capacity(log.ended.len());
    for (thread, interval) in (0..).zip(take(&mut log.ended)) {
        ended.extend(interval.map(|interval| (interval, thread)));
    }
    ended.sort_unstable();
    let mut ended = ended.into_iter().peekable();
    // Stable: the accesses of one thread stay in their order.
    log.accesses
        .sort_by_key(|access| (access.interval, access.thread));
    let mut accesses = log.accesses.iter().peekable();
    for interval in 0..=log.barriers.len() as u32 {
        loop {
            let here = |access: &&Logged| access.interval == interval;
            let next = accesses.peek().copied().filter(|access| here(access));
            let end = ended.peek().copied().filter(|end| end.0 == interval);
            match (next, end) {
                (Some(access), end) if end.is_none_or(|(_, thread)| access.thread <= thread) => {
                    accesses.next();
                    watch.now.thread = access.thread;
                    let Logged {
                        array, index, pc, ..
                    } = *access;
                    match access.written {
                        None => watch.read::<false>(Region::Global, array, index, pc),
                        Some(bits) => {
                            let same = watch.benign_same_value && access.before == Some(bits);
                            watch.write::<false>(Region::Global, array, index, pc, same);
                        }
                    }
                }
                (_, Some((_, thread))) => {
                    ended.next();
                    watch.now.thread = thread;
                    watch.end_thread::<false>(thread);
                }
                (_, None) => break,
            }
        }
        if let Some(orders) = log.barriers.get(interval as usize) {
            watch.start_interval(*orders);
        }
    }
}
