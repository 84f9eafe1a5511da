//! The stateful explorer of compiled launches.
//!
//! It claims what [`crate::explore`] says, for launches that are automata
//! ([`crate::automaton`]). States are flat words, successors are changes of words, fingerprints are
//! renewed with them, and no label is made before something is to be shown: schedules are worked
//! out from the states where things were seen, by taking again what led there.

mod classes;
mod collect;
mod expand;
mod footprints;
mod frontier;
mod path;
mod print;
mod reduce;
mod search;
mod symmetry;
mod table;
mod walk;

use crate::automaton::Automaton;
use crate::explore::options::ExploreOptions;
use crate::explore::outcome::Exploration;
use crate::limits::Limits;
use classes::CodeAt;
use expand::Scene;
use print::Printer;
use rustc_hash::FxHashSet;
use search::Search;
use symmetry::Symmetry;

/// Explores a compiled launch.
pub fn explore_flat(
    automaton: &Automaton,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
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
            look_at_threads: true,
            known_races: FxHashSet::default(),
            known_faults: FxHashSet::default(),
        };
        Search::new(scene, symmetry.clone(), start.clone(), limits, options)
    };
    if options.reduction && automaton.n_blocks() > 1 && automaton.has_only_block_barriers() {
        let mut search = search(true);
        if search.run() {
            return search.finish();
        }
    }
    let mut search = search(false);
    search.run();
    let mut exploration = search.finish();
    if !options.reduction {
        exploration.unreduced_because = Some("no reduction was asked for".to_owned());
    }
    exploration
}
