//! The stateful explorer of compiled launches.
//!
//! It claims what [`crate::explore`] says, for launches that are automata
//! ([`crate::automaton`]). States are flat words, successors are changes of words, fingerprints are
//! renewed with them, and no label is made before something is to be shown: schedules are worked
//! out from the states where things were seen, by taking again what led there.

pub mod checkpoint;
pub(crate) mod classes;
mod collect;
mod expand;
pub(crate) mod footprints;
mod frontier;
pub(super) mod path;
pub(crate) mod print;
mod reduce;
mod search;
pub(crate) mod symmetry;
pub(crate) mod table;
mod waiting;
pub(crate) mod walk;

use crate::automaton::Automaton;
use crate::explore::exploration::Exploration;
use crate::explore::options::ExploreOptions;
use crate::limits::Limits;
use checkpoint::{Checkpoint, CheckpointError};
use classes::CodeAt;
use expand::Scene;
use print::Printer;
use rustc_hash::FxHashSet;
use search::{Saved, Search};
use std::time::{Duration, Instant};
use symmetry::Symmetry;

/// Seconds that are no limit.
const FOR_EVER: f64 = 1e9;

/// Explores a compiled launch.
pub fn explore_flat(
    automaton: &Automaton,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    // Without a checkpoint nothing can be wrong with one.
    let (exploration, _) = run(automaton, limits, options, None, None);
    exploration
}

/// [`explore_flat`], going on `from` where an earlier search was cut; with a checkpoint when it is
/// cut itself. `asked`: [`checkpoint::question`], and how long arrays without extent are made.
///
/// # Errors
/// The checkpoint is of another search, or damaged.
pub fn explore_on(
    automaton: &Automaton,
    limits: &Limits,
    options: &ExploreOptions,
    asked: (u128, &[u64]),
    from: Option<&Checkpoint>,
) -> Result<(Exploration, Option<Checkpoint>), CheckpointError> {
    let saved = from.map(|from| from.open(automaton, asked.0)).transpose()?;
    Ok(run(automaton, limits, options, saved, Some(asked)))
}

/// A batch that was begun in time may take a little longer: where it is broken off, the search cannot be resumed.
const MOST_OF_THE_TIME: f64 = 1.02;
const MORE_TIME: f64 = 0.2;

fn after(seconds: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, FOR_EVER))
}

fn run(
    automaton: &Automaton,
    limits: &Limits,
    options: &ExploreOptions,
    saved: Option<Saved>,
    asked: Option<(u128, &[u64])>,
) -> (Exploration, Option<Checkpoint>) {
    let start = automaton.start();
    let symmetry = match options.reduction {
        true => Symmetry::of(automaton, &start),
        false => Symmetry::none(automaton),
    };
    let search = |by_blocks| {
        let scene = Scene {
            automaton,
            printer: Printer::new(automaton, &symmetry),
            code: CodeAt::new(automaton),
            reduce: options.reduction,
            by_blocks,
            walks: automaton.has_only_block_barriers(),
            look_far: true,
            most_bytes: limits.bytes,
            until: after(limits.seconds),
            at_the_latest: after(limits.seconds * MOST_OF_THE_TIME + MORE_TIME),
            look_at_threads: true,
            look_at_waits: automaton.has_atomics() && automaton.plan().history.is_none(),
            known_races: FxHashSet::default(),
            known_faults: FxHashSet::default(),
        };
        Search::new(scene, symmetry.clone(), start.clone(), limits, options)
    };
    let blocks = automaton.n_blocks() > 1 && automaton.has_only_block_barriers();
    let by_blocks = match &saved {
        Some(saved) => saved.by_blocks,
        None => options.reduction && blocks,
    };
    let mut first = search(by_blocks);
    if let Some(saved) = saved {
        first.resume(saved);
    }
    let found = match first.run() {
        true => first,
        false => {
            drop(first);
            let mut second = search(false);
            second.run();
            second
        }
    };
    let checkpoint = match asked {
        Some(asked) if found.is_cut() => Checkpoint::of(&found, asked),
        _ => None,
    };
    let mut exploration = found.finish();
    if !options.reduction {
        exploration.unreduced_because = Some("no reduction was asked for".to_owned());
    }
    (exploration, checkpoint)
}
