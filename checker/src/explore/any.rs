//! Exploring a transition system, whatever it is.

use crate::automaton::Automaton;
use crate::explore::expansion;
use crate::explore::exploration::Exploration;
use crate::explore::flat::explore_flat;
use crate::explore::options::ExploreOptions;
use crate::explore::reduction;
use crate::explore::search;
use crate::limits::Limits;
use crate::system::{Explorable, ExploredProgram, Threadwise};
use std::time::{Duration, Instant};

/// Explores every transition of `system`, one by one, without reduction.
pub fn explore<T: Explorable>(
    system: &T,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    let why = "no reduction is known for this system".to_owned();
    search::search(system, &expansion::Full(system), limits, options, Some(why))
}

/// Explores `system`, reduced if the options ask for it. The system's threads must fire one at a
/// time and all its blocks be resident (see `explore::reduction`).
pub fn explore_threadwise<T: Threadwise>(
    system: &T,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    if options.reduction {
        let seconds = Duration::try_from_secs_f64(limits.seconds.max(0.0)).ok();
        let expander = reduction::Reduced {
            system,
            until: seconds.and_then(|seconds| Instant::now().checked_add(seconds)),
        };
        search::search(system, &expander, limits, options, None)
    } else {
        let why = "no reduction was asked for".to_owned();
        search::search(system, &expansion::Full(system), limits, options, Some(why))
    }
}

/// Explores a compiled launch. Where lanes of warps wait for one another, it is the search that
/// knows for whom.
pub fn explore_automaton(
    automaton: &Automaton,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    let mut exploration = match automaton.has_warp_operations() {
        true => explore_threadwise(automaton, limits, options),
        false => explore_flat(automaton, limits, options),
    };
    exploration.weak_memory = automaton.reasons();
    exploration
}

/// Explores `explored`, which is the program or is built on it.
pub(super) fn explore_reducible<T: Threadwise>(
    system: &ExploredProgram,
    explored: &T,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    match system.irreducible() {
        Some(why) if options.reduction => {
            let expander = expansion::Full(explored);
            search::search(explored, &expander, limits, options, Some(why))
        }
        _ => explore_threadwise(explored, limits, options),
    }
}
