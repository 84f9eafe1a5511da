//! The wide run: a launch's blocks side by side, each an instruction at a time for up to 64
//! threads that stand at it.
//!
//! It is the quick way to the one answer that most runs have: nothing is there. By M1 of the
//! metatheory (`docs/metatheory.md`) any complete run that meets no race, divergence or fault
//! decides every schedule, so this one may move threads in whatever order is fastest: of a strip of
//! threads those at the lowest program counter, one instruction together, until all wait at a
//! barrier or have ended; strip after strip; blocks on as many processors as there are.
//!
//! Whatever is or may be out of the ordinary gives the run up ([`Odd`]): then the launch is run
//! again thread after thread by [`super::block`], with the detector that sees everything. So
//! findings, their order and the witnesses never depend on how wide a run was, nor on the number
//! of processors. A run that is not given up has
//! - no two unordered accesses of a location that conflict ([`shadow`]), in a block or across,
//! - every barrier reached by all threads the profile demands, at the same iterations,
//! - every operation of a warp made by all lanes its mask names, together,
//! - no fault, no failed assumption, and no atomic but commutative ones on integers whose results
//!   are unused, of one function on each location,
//! - as many visible transitions as any other run.

mod block;
mod exchange;
pub mod in_order;
mod lanes;
mod launched;
mod log;
mod machine;
mod shadow;

use super::Width;
use super::block::initial_image;
use super::run::{Again, Halt, Run};
use super::watch::Region;
use crate::compiled::Code;
use crate::compiled::accessed::Accessed;
use crate::compiled::memory::Array;
use block::Worker;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::profile::AtBarrier;
use gridlock_semantics::setup::Launch;
use lanes::LANES;
use launched::{Launched, Odd, Watched};
use rayon::prelude::*;
use shadow::{GridShadow, MOST_THREADS};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Threads of a block from which on a strip pays.
const LEAST_THREADS: u64 = 16;

/// Whether a launch may be tried this way: blocks of a fitting size, and whole warps in a strip
/// where lanes do something together. `least` says from how many threads.
fn is_possible(run: &Run<'_>, code: &Code, launch: &Launch, least: u64) -> bool {
    let n_threads = launch.n_threads();
    run.trace.is_none()
        && !run.uses_streams
        && !run.axes.warps.is_lockstep()
        && run.axes.exited_threads.at_barrier(false) != AtBarrier::Awaited
        && (!code.has_warp_operation || LANES.is_multiple_of(run.axes.warps.size() as usize))
        && (least..=MOST_THREADS as u64).contains(&n_threads)
        && launch.n_blocks() < u32::MAX as u64 - 1
}

/// From how many threads of a block on a run of some width is wide.
pub fn least_threads(width: Width) -> Option<u64> {
    match width {
        Width::Narrow => None,
        Width::Auto => Some(LEAST_THREADS),
        Width::Wide => Some(1),
    }
}

/// Runs a launch, if it can be run wide: gives its visible transitions, or why it was given up.
pub fn run_launch(
    run: &mut Run<'_>,
    code: &Code,
    launch: Launch,
    args: &[[u64; 2]],
) -> Option<Result<u64, Odd>> {
    let least = least_threads(run.width)?;
    if !is_possible(run, code, &launch, least) {
        return None;
    }
    let n_blocks = launch.n_blocks() as u32;
    let most = rayon::current_num_threads().min(n_blocks as usize).max(1);
    let needed = |n_workers: usize| cells_needed(run, code, &launch, n_workers);
    // Where two do not fit one may; where one does not, the run thread by thread says so.
    let n_workers = [most, 1].into_iter().find(|n| run.fits(needed(*n)))?;
    let image = initial_image(run.axes, code, &launch, args);
    let Accessed { read, written } = Accessed::by(code, &image);
    let watched = |number: usize, array: &Array| match written.has_global(number) {
        false => Watched::ReadOnly,
        true => {
            let has_reads = read.has_global(number);
            let has_atomics = !code.atomics.is_empty();
            Watched::Shadow(GridShadow::new(array.len(), has_reads, has_atomics))
        }
    };
    let launched = Launched::new(run, code, launch, image, &run.global, watched);
    let next = AtomicU32::new(0);
    let first_odd = Mutex::new(None);
    let work = |side_by_side: bool| -> u64 {
        let mut worker = Worker::new(&launched);
        loop {
            let block = next.fetch_add(1, Relaxed);
            if block >= n_blocks || launched.given_up.load(Relaxed) {
                // The counter must not come round.
                next.fetch_min(n_blocks, Relaxed);
                return worker.visible;
            }
            if let Err(odd) = worker.run_block(block, side_by_side) {
                launched.given_up.store(true, Relaxed);
                if odd != Odd::Elsewhere
                    && let Ok(mut first) = first_odd.lock()
                {
                    first.get_or_insert(odd);
                }
                return worker.visible;
            }
        }
    };
    let transitions = if n_workers == 1 {
        work(false)
    } else {
        (0..n_workers).into_par_iter().map(|_| work(true)).sum()
    };
    let odd = first_odd.into_inner().unwrap_or(Some(Odd::Look));
    Some(odd.map_or(Ok(transitions), Err))
}

/// Cells of memory, of eight bytes, that a launch takes with so many blocks at a time.
fn cells_needed(run: &Run<'_>, code: &Code, launch: &Launch, n_workers: usize) -> u64 {
    let shared: u64 = code
        .shared
        .iter()
        .map(|id| match run.program().array(*id).extent {
            Extent::Fixed(extent) => extent,
            Extent::LaunchShared => launch.shared_bytes as u64,
        })
        .fold(0, u64::saturating_add);
    let threads = launch.n_threads().next_multiple_of(LANES as u64);
    let own = code.image.len() as u64 + code.private_cells + 1;
    let block = threads.saturating_mul(own).saturating_add(2 * shared);
    block.saturating_mul(n_workers as u64)
}

/// The end of a run that a wide launch given up is; `None`: it must be looked at.
pub fn halt(odd: Odd) -> Halt {
    match odd {
        Odd::Look | Odd::Elsewhere => Halt::Again(Again::Narrow),
        // What races in global memory mostly does so across blocks.
        Odd::Race(Region::Shared) => Halt::Again(Again::Racing),
        Odd::Race(Region::Global) => Halt::Again(Again::OneByOne),
        Odd::Grow { array, len } => Halt::Again(Again::Longer { array, len }),
        Odd::Late => Halt::Limit(crate::limits::TIME.to_owned()),
    }
}
