//! The tests of the command and of what stands above the crates: a module each, in one program, since linking is
//! most of the time of a small one. What is timed or ended by signals is in `tests/processes`.

/// As in the command: the reference makes many small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod all_inputs;
mod all_sizes;
mod axes;
mod browser;
mod certain;
mod cli;
mod conditional;
mod conditions;
mod corpus;
mod covered;
mod determinism;
mod dynamic_shared;
mod engines;
mod examples;
mod explanations;
mod explore_against;
mod findings;
mod gpu_run;
mod host_code;
mod host_launch;
mod host_programs;
mod json_contract;
mod labelled;
mod language;
mod launch_bounds;
mod literal_paper;
mod livelock;
mod mutants;
mod observables;
mod observed;
mod opencl;
mod opencl_words;
mod page;
mod paper_blocks;
mod progress_table;
mod published;
mod racy_twins;
mod random_hosts;
mod readme;
mod renaming;
mod render;
mod rule_conditions;
mod rules;
mod safety;
mod sampling;
mod sarif_schema;
mod schemes;
mod searching;
mod several;
mod shown;
mod stateless;
mod statements;
mod stepping;
mod suite;
mod summaries_in_c;
mod summarise;
mod targets;
mod tidy;
mod tool;
mod transformations;
mod unknown_values;
mod wide_sets;
