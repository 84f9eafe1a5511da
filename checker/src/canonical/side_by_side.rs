//! A launch in which something races, thread after thread, in parts of its blocks that run side by side.
//!
//! What races in shared memory concerns one block, so that the run that names it need not wait for the blocks before. Each
//! part has a detector of its own; a word a global location says which part touched it ([`super::owners`]). As long as no
//! two parts touch one location, but to read it, each part does and finds what it would after the others, block by block,
//! and nothing is left to find between them. Else, and where a part meets anything but the end of its blocks, the run is made
//! once more, one block after another.

use super::blocks::{cells_of_a_block, run_blocks};
use super::names::Names;
use super::owners::Owners;
use super::parts;
use super::run::{Again, Halt, Run};
use super::watch::{Conflict, Found, Location, Watch};
use crate::compiled::Code;
use gridlock_semantics::setup::Launch;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a part found. Stamps count from its own first block on.
#[derive(Default)]
struct Part {
    races: Vec<(Conflict, u64)>,
    named: Vec<(Conflict, u64)>,
    unnamed: Vec<Location>,
    found: Found,
    not_canonical: Option<String>,
    transitions: u64,
    wide_blocks: u64,
    block_starts: Vec<u32>,
    /// Stamps it used.
    n_stamps: u32,
    /// It ended behind a race, before its last block.
    is_cut: bool,
}

/// Runs a launch to its end, if it can be run so.
pub fn run_launch(
    run: &mut Run<'_>,
    code: &Arc<Code>,
    launch: Launch,
    args: &[[u64; 2]],
) -> Option<Result<(), Halt>> {
    if !is_possible(run) {
        return None;
    }
    let n_blocks = launch.n_blocks() as u32;
    let n_parts = parts::number(n_blocks);
    let most = rayon::current_num_threads().min(n_parts as usize);
    let written = |number: usize| run.watch.read_only.get(number) != Some(&true);
    let extent = |number: usize| {
        if written(number) {
            run.global[number].len()
        } else {
            0
        }
    };
    let extents: Vec<u64> = (0..run.global.len()).map(extent).collect();
    // A word is half a cell.
    let words = extents
        .iter()
        .fold(0, |all: u64, len| all.saturating_add(len.div_ceil(2)));
    let blocks = cells_of_a_block(run, code, &launch).saturating_mul(2 * most as u64);
    if n_parts < 2 || !run.fits(words.saturating_add(blocks)) {
        return None;
    }
    let owners = Arc::new(Owners::new(extents));
    // What comes behind the first part that is cut is not looked at.
    let first_cut = AtomicU32::new(u32::MAX);
    let parts: Vec<Result<Part, Halt>> = (0..n_parts)
        .into_par_iter()
        .map(|number| {
            if first_cut.load(Ordering::Relaxed) < number {
                return Ok(Part::default());
            }
            let mut part = part_of(run, &owners, number);
            let blocks = parts::first_of(number, n_blocks)..parts::first_of(number + 1, n_blocks);
            let part = run_part(&mut part, code, launch, args, blocks)?;
            if part.is_cut {
                first_cut.fetch_min(number, Ordering::Relaxed);
            }
            Ok(part)
        })
        .collect();
    if owners.is_shared() {
        return Some(Err(Halt::Again(Again::OneByOne)));
    }
    let Ok(parts) = parts.into_iter().collect::<Result<Vec<Part>, Halt>>() else {
        return Some(Err(Halt::Again(Again::OneByOne)));
    };
    run.parted_launches += 1;
    for part in parts {
        let is_cut = part.is_cut;
        take_over(run, part);
        // What comes behind is numbered as if all of this part had been run.
        if is_cut {
            return Some(Err(Halt::Enough));
        }
    }
    Some(Ok(()))
}

/// Runs all blocks as one part, in order: what it finds, it finds for `run`. (Where memory is lent, blocks may be wide.)
pub fn run_in_order(
    run: &mut Run<'_>,
    code: &Arc<Code>,
    launch: Launch,
    args: &[[u64; 2]],
) -> Result<(), Halt> {
    let nothing = Watch::new(0, false);
    let watch = std::mem::replace(&mut run.watch, nothing);
    let mut part = run.beside();
    part.watch = watch;
    let outcome = run_blocks(&mut part, code, launch, args, 0..launch.n_blocks() as u32);
    let Run {
        watch,
        transitions,
        wide_blocks,
        block_starts,
        not_canonical,
        ..
    } = part;
    run.watch = watch;
    run.transitions += transitions;
    run.wide_blocks += wide_blocks;
    run.block_starts = block_starts;
    if let Some(why) = not_canonical {
        run.note_not_canonical(|| why);
    }
    outcome
}

/// Whether nothing is asked of the run that goes through its blocks in order.
fn is_possible(run: &Run<'_>) -> bool {
    run.side_by_side
        && run.watch.names.is_some()
        && run.trace.is_none()
        && !run.uses_streams
        && !run.axes.warps.is_lockstep()
}

/// A run of some blocks of a launch of `run`.
fn part_of<'p>(run: &'p Run<'_>, owners: &Arc<Owners>, number: u32) -> Run<'p> {
    let watch = &run.watch;
    let mut part = run.beside();
    part.watch.end_ahead = watch.end_ahead.clone();
    part.watch.is_divided = watch.is_divided;
    part.watch.names = watch.names.as_ref().map(Names::afresh);
    part.watch.owner = Some(owners.part(number));
    part.watch.read_only = watch.read_only.clone();
    part.watch.is_last_launch = watch.is_last_launch;
    part
}

fn run_part(
    part: &mut Run<'_>,
    code: &Arc<Code>,
    launch: Launch,
    args: &[[u64; 2]],
    numbers: Range<u32>,
) -> Result<Part, Halt> {
    part.watch.start_launch();
    part.watch.global.ensure(part.global.len());
    let is_cut = match run_blocks(part, code, launch, args, numbers) {
        Ok(()) => false,
        Err(Halt::Enough) => true,
        Err(halt) => return Err(halt),
    };
    Ok(Part {
        is_cut,
        unnamed: part.watch.take_unnamed(),
        races: part.watch.take_races(),
        named: part.watch.take_named(),
        found: std::mem::take(&mut part.watch.found),
        not_canonical: part.not_canonical.take(),
        transitions: part.transitions,
        wide_blocks: part.wide_blocks,
        block_starts: std::mem::take(&mut part.block_starts),
        n_stamps: part.watch.now.stamp,
    })
}

/// Adds what a part found to what was found before it.
fn take_over(run: &mut Run<'_>, part: Part) {
    let before = run.watch.now.stamp;
    let shifted = |mut conflict: Conflict| {
        conflict.first.epoch.stamp += before;
        conflict.second.epoch.stamp += before;
        conflict
    };
    for (conflict, count) in part.races {
        run.watch.found.races.add(shifted(conflict), count);
    }
    if let Some(names) = &mut run.watch.names {
        for (conflict, count) in part.named {
            names.pairs.add(shifted(conflict), count);
        }
    }
    run.take_unnamed(part.unnamed);
    let (found, of_part) = (&mut run.watch.found, part.found);
    // As one detector remembers them: of some the first, of others the last.
    found.mixed_atomics = of_part.mixed_atomics.or(found.mixed_atomics);
    found.same_value_write = of_part.same_value_write.or(found.same_value_write);
    found.open_atomic = found.open_atomic.or(of_part.open_atomic);
    found.open_read = found.open_read.or(of_part.open_read);
    if let Some(why) = part.not_canonical {
        run.note_not_canonical(|| why);
    }
    run.transitions += part.transitions;
    run.wide_blocks += part.wide_blocks;
    let starts = part.block_starts.iter().map(|start| start + before);
    run.block_starts.extend(starts);
    run.watch.now.stamp += part.n_stamps;
}
