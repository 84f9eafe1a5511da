//! Arrays without extent on the automaton: as long as the runs need them.
//!
//! The automaton's states are of one size, so an array without a given extent is first made
//! about as long as the launch has threads. A search in which some thread reaches beyond says
//! nothing; it is made again with longer arrays. A search in which no thread does is exact: the
//! cells beyond are never touched, so each holds what it held at first.

use crate::automaton::{Automaton, Keeps, Unfit};
use crate::compiled::compile;
use crate::explore::Exploration;
use crate::limits::Limits;
use crate::system::ExploredProgram;
use std::sync::Arc;
use std::time::Instant;

/// Cells such an array may have. Beyond, states of the reference are smaller: they hold what has
/// changed.
const MOST: u64 = 1 << 14;

const LEAST: u64 = 16;

/// How long each array of a setup without extent is made, by index.
pub type Lengths = Vec<u64>;

/// Lengths to begin with.
pub fn first_lengths(system: &ExploredProgram) -> Lengths {
    let setup = &system.system().context().setup;
    let threads = setup.launch.map_or(1, |launch| {
        launch.n_blocks().saturating_mul(launch.n_threads())
    });
    let length = threads.clamp(LEAST, MOST).next_power_of_two();
    vec![length; setup.arrays.len()]
}

/// The launch as an automaton with arrays of these lengths.
pub fn automaton(
    system: &ExploredProgram,
    keeps: Keeps,
    lengths: &Lengths,
) -> Result<Automaton, Unfit> {
    let setup = &system.system().context().setup;
    let code = compile(system.program());
    Automaton::with_lengths(Arc::new(system.clone()), &code, setup, keeps, lengths)
}

/// Explores the launch as an automaton, with longer arrays as long as some are too short.
///
/// # Errors
/// No automaton can be made of it, or its arrays would be too long; or what `explore` says.
pub fn with_lengths<T>(
    system: &ExploredProgram,
    keeps: Keeps,
    limits: &Limits,
    lengths: Lengths,
    explore: impl FnMut(&Automaton, &Lengths, &Limits) -> Result<T, Unfit>,
) -> Result<T, Unfit> {
    let make = |lengths: &Lengths| automaton(system, keeps, lengths);
    as_long_as_needed(make, limits, lengths, explore)
}

/// [`with_lengths`] of automata that `make` makes.
///
/// # Errors
/// As there.
pub fn as_long_as_needed<T>(
    make: impl Fn(&Lengths) -> Result<Automaton, Unfit>,
    limits: &Limits,
    mut lengths: Lengths,
    mut explore: impl FnMut(&Automaton, &Lengths, &Limits) -> Result<T, Unfit>,
) -> Result<T, Unfit> {
    let started = Instant::now();
    loop {
        let automaton = make(&lengths)?;
        let mut left = *limits;
        left.seconds = (limits.seconds - started.elapsed().as_secs_f64()).max(0.0);
        let found = explore(&automaton, &lengths, &left)?;
        let n_declared = automaton.n_globals() - lengths.len();
        let mut is_short = false;
        for (number, wanted) in automaton.lacking() {
            if wanted > MOST {
                return Err(Unfit("long arrays without extent"));
            }
            lengths[number - n_declared] = wanted.next_power_of_two();
            is_short = true;
        }
        if !is_short {
            return Ok(found);
        }
    }
}

/// [`with_lengths`] where what cannot be an automaton is none.
pub fn explored(
    system: &ExploredProgram,
    keeps: Keeps,
    limits: &Limits,
    mut explore: impl FnMut(&Automaton, &Limits) -> Exploration,
) -> Option<Exploration> {
    let first = first_lengths(system);
    let found = with_lengths(system, keeps, limits, first, |automaton, _, limits| {
        Ok(explore(automaton, limits))
    });
    match found {
        Ok(exploration) => Some(exploration),
        Err(Unfit(why)) => {
            tracing::debug!("explored on the reference semantics: {why}");
            None
        }
    }
}
