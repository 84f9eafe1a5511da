//! A launch: side by side where nothing is out of the ordinary ([`super::wide`]), else its blocks
//! one after another.

use super::alone::is_long;
use super::block::{Blocks, initial_image};
use super::run::{Halt, Run};
use super::schedule::Mark;
use super::wide;
use crate::compiled::Code;
use crate::compiled::accessed::Accessed;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::operator::Orders;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::fault::ThreadPosition;
use std::sync::Arc;

/// Runs a launch to its end. `args`: the registers of each argument.
pub fn run_launch(
    run: &mut Run<'_>,
    code: &Arc<Code>,
    launch: Launch,
    args: &[[u64; 2]],
) -> Result<(), Halt> {
    reserve(run, code, &launch)?;
    run.launch += 1;
    run.watch.read_only = if run.uses_streams {
        // Operations of other streams look at what was read.
        Vec::new()
    } else {
        let image = initial_image(run.axes, code, &launch, args);
        let written = Accessed::by(code, &image).written;
        let numbers = 0..run.global.len();
        numbers.map(|number| !written.has_global(number)).collect()
    };
    if let Some(outcome) = wide::run_launch(run, code, launch, args) {
        run.transitions += outcome.map_err(wide::halt)?;
        run.wide_launches += 1;
        return Ok(());
    }
    if code.atomics.iter().any(|site| site.result_used) {
        run.told.insert(run.launch);
    }
    run.block_starts.clear();
    run.watch.start_launch();
    run.watch.global.ensure(run.global.len());
    run.watch.end_ahead = if code.has_barrier() {
        code.end_ahead(!run.axes.exited_threads.tells_ends_apart())
    } else {
        // No thread waits for another, so an epoch that stays open is no different.
        vec![false; code.instrs.len()]
    };
    run.watch.is_divided = [Space::Shared, Space::Global].map(|space| code.has_barrier_for(space));
    let lockstep = run.axes.warps.is_lockstep();
    if lockstep && code.barriers.iter().any(|b| b.orders != Orders::All) {
        run.note_not_canonical(|| {
            "lanes move in lockstep, and a barrier orders one memory only".to_owned()
        });
    }
    run.watch.lockstep_remarks = lockstep.then(|| code.volatile(run.program()));
    let mut blocks = Blocks::new(run, code, launch, args);
    let mut outcome = Ok(());
    let mut stuck: Vec<ThreadPosition> = Vec::new();
    for block in 0..launch.n_blocks() as u32 {
        match blocks.run_block(run, block) {
            Ok(()) if run.races_suffice && run.watch.marks().iter().all(Mark::is_met) => {
                outcome = Err(Halt::Enough);
                break;
            }
            Ok(()) => {}
            // That no actor can move is certain only once the other blocks have ended or cannot
            // either.
            Err(Halt::Stuck(positions)) => stuck.extend(positions),
            Err(halt) => {
                outcome = Err(halt);
                break;
            }
        }
    }
    if outcome.is_ok() && !stuck.is_empty() {
        outcome = Err(Halt::Stuck(stuck));
    }
    run.collect(code);
    if outcome.is_ok() && run.first_race_suffices && !run.hits.is_empty() && is_long(run) {
        outcome = Err(Halt::Enough);
    }
    outcome
}

/// Checks that what the blocks of a launch need, one at a time, fits into the run's limits.
fn reserve(run: &mut Run<'_>, code: &Code, launch: &Launch) -> Result<(), Halt> {
    let shared = code
        .shared
        .iter()
        .map(|id| match run.program().array(*id).extent {
            Extent::Fixed(extent) => extent,
            Extent::LaunchShared => launch.shared_bytes as u64,
        });
    let own = code.image.len() as u64 + code.private_cells;
    let threads = launch.n_threads().saturating_mul(own);
    let needed = shared.fold(threads, u64::saturating_add);
    run.reserve(needed)?;
    run.release(needed);
    Ok(())
}
