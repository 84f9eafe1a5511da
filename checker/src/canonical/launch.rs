//! A launch: side by side where nothing is out of the ordinary ([`super::wide`]), else its blocks
//! one after another.

use super::alone::is_long;
use super::block::initial_image;
use super::blocks::{cells_of_a_block, run_blocks};
use super::run::{Halt, Run};
use super::side_by_side;
use super::wide;
use super::wide::in_order;
use crate::compiled::Code;
use crate::compiled::accessed::Accessed;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::Orders;
use gridlock_semantics::setup::Launch;
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
    if let Some(outcome) = side_by_side::run_launch(run, code, launch, args) {
        let ended = at_its_end(run, code);
        return outcome.and(ended);
    }
    let outcome = match is_in_order(run, code, &launch) {
        true => side_by_side::run_in_order(run, code, launch, args),
        false => run_blocks(run, code, launch, args, 0..launch.n_blocks() as u32),
    };
    let ended = at_its_end(run, code);
    outcome.and(ended)
}

/// Whether blocks may be tried wide, and there is room for one so and one thread after thread.
fn is_in_order(run: &Run<'_>, code: &Code, launch: &Launch) -> bool {
    let cells = cells_of_a_block(run, code, launch).saturating_mul(2);
    in_order::is_possible(run, code, launch) && run.fits(cells)
}

/// Takes over what the detector found in a launch; whether the run has to go on.
fn at_its_end(run: &mut Run<'_>, code: &Code) -> Result<(), Halt> {
    run.collect(code);
    if run.first_race_suffices && !run.hits.is_empty() && is_long(run) {
        return Err(Halt::Enough);
    }
    Ok(())
}

/// Checks that what the blocks of a launch need, one at a time, fits into the run's limits.
fn reserve(run: &mut Run<'_>, code: &Code, launch: &Launch) -> Result<(), Halt> {
    let needed = cells_of_a_block(run, code, launch);
    run.reserve(needed)?;
    run.release(needed);
    Ok(())
}
