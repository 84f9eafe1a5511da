//! Every test of the crate, a module each.

/// As in the command: the reference makes many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod algebra;
mod automaton;
mod automaton_host;
mod canonical_host;
mod canonical_run;
mod detectors;
mod ended_lanes;
mod ended_threads;
mod endless_random;
mod engines_agree;
mod equivalence;
mod explore_kernels;
mod explore_random;
mod explore_toy;
mod flat_search;
mod host_programs;
mod host_streams;
mod kept_or_not;
mod kernels;
mod litmus;
mod litmus_oracle;
mod litmus_table;
mod livelock;
mod livelock_compiled;
mod metatheory;
mod no_layer_panics;
mod open_arrays;
mod planted;
mod progress_lemmas;
mod racing_pairs;
mod raw_arithmetic;
mod reference;
mod replay_kernels;
mod running;
mod stateless;
mod statements;
mod toy;
mod waiting_random;
mod warp_exchanges;
mod wide_runs;
