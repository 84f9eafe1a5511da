//! The blocks of a launch, one after another.

use super::block::Blocks;
use super::parts;
use super::run::{Halt, Run};
use super::schedule::Mark;
use super::wide::in_order::{self, InOrder};
use crate::compiled::Code;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::fault::ThreadPosition;
use std::ops::Range;
use std::sync::Arc;

/// Transitions behind the first race in a part of a launch, after which the rest of it would only repeat what was found.
const MOST_BEHIND_A_RACE: u64 = 1 << 21;

/// Runs blocks of a launch, one after another: where memory is lent, wide those in which nothing is out of the ordinary.
/// Ends with [`Halt::Enough`] some way behind a race.
pub fn run_blocks(
    run: &mut Run<'_>,
    code: &Arc<Code>,
    launch: Launch,
    args: &[[u64; 2]],
    numbers: Range<u32>,
) -> Result<(), Halt> {
    let launched = in_order::launched(run, code, launch, args);
    let mut wide = launched.as_ref().map(InOrder::new);
    let mut blocks = Blocks::new(run, code, launch, args);
    let mut stuck: Vec<ThreadPosition> = Vec::new();
    let mut raced_at = None;
    for block in numbers {
        if parts::begins_with(&launch, block) {
            raced_at = None;
        }
        // A run that records is one that has found before.
        if run.watch.found.races.has_some() && run.trace.is_none() {
            let since = run.transitions - *raced_at.get_or_insert(run.transitions);
            if since > MOST_BEHIND_A_RACE {
                return Err(Halt::Enough);
            }
        }
        if let Some(wide) = &mut wide
            && wide.run_block(run, block)?
        {
            continue;
        }
        match blocks.run_block(run, block) {
            Ok(()) if run.races_suffice && run.watch.marks().iter().all(Mark::is_met) => {
                return Err(Halt::Enough);
            }
            Ok(()) => {}
            // That no actor can move is certain only once the other blocks have ended or cannot
            // either.
            Err(Halt::Stuck(positions)) => stuck.extend(positions),
            Err(halt) => return Err(halt),
        }
    }
    match stuck.is_empty() {
        true => Ok(()),
        false => Err(Halt::Stuck(stuck)),
    }
}

/// Cells of memory that a block takes, thread after thread.
pub fn cells_of_a_block(run: &Run<'_>, code: &Code, launch: &Launch) -> u64 {
    let shared = code
        .shared
        .iter()
        .map(|id| match run.program().array(*id).extent {
            Extent::Fixed(extent) => extent,
            Extent::LaunchShared => launch.shared_bytes as u64,
        });
    let own = code.image.len() as u64 + code.private_cells;
    let threads = launch.n_threads().saturating_mul(own);
    shared.fold(threads, u64::saturating_add)
}
