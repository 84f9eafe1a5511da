//! The stateless search: no visited state is kept, and of all runs that differ only in the order of
//! independent steps one is followed (dynamic partial order reduction with source sets and sleep
//! sets: Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014,
//! algorithm 1).

mod choices;
mod clocks;
pub mod dependence;
mod found;
mod races;
mod run;
mod search;

pub use search::MOST_DEEP;

use crate::automaton::{Automaton, Keeps, Unfit};
use crate::explore::{Exploration, ExploreOptions, lengths};
use crate::limits::Limits;
use crate::system::ExploredProgram;
use dependence::{ByAccess, Dependence, unknown_to};

/// Explores `system` statelessly. Where this search does not know the program's steps, it says so
/// in a limit, and claims nothing.
pub fn explore(system: &ExploredProgram, limits: &Limits, options: &ExploreOptions) -> Exploration {
    if system.exchanges_hide_races() {
        return unknown("exchanges that hide races");
    }
    if system.ended_lanes_hide_races() {
        return unknown("`__syncwarp` beside atomics whose results are used");
    }
    if system.ended_threads_hide_races() {
        return unknown(
            "barriers that ends of threads complete beside atomics whose results are used",
        );
    }
    let lengths = lengths::first_lengths(system);
    let search = |automaton: &Automaton, _: &Vec<u64>, limits: &Limits| {
        explore_automaton(automaton, &ByAccess, limits, options)
    };
    lengths::with_lengths(system, Keeps::Nothing, limits, lengths, search)
        .unwrap_or_else(|Unfit(why)| unknown(why))
}

fn unknown(why: &str) -> Exploration {
    Exploration {
        stateless: Some(Default::default()),
        ..Exploration::nothing(format!("the stateless search does not follow {why}"))
    }
}

/// [`explore`] on a launch made ready before.
///
/// # Errors
/// The launch has steps whose dependences this search does not know.
pub fn explore_automaton<D: Dependence>(
    automaton: &Automaton,
    by: &D,
    limits: &Limits,
    options: &ExploreOptions,
) -> Result<Exploration, Unfit> {
    judge(automaton)?;
    Ok(search::Search::new(automaton, by, limits, options).explore())
}

fn judge(automaton: &Automaton) -> Result<(), Unfit> {
    if automaton.keeps() != Keeps::Nothing {
        return Err(Unfit("states that keep something of the past"));
    }
    match unknown_to(automaton.instructions()) {
        Some(what) => Err(Unfit(what)),
        None => Ok(()),
    }
}
