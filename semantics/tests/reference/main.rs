//! Tests of the reference semantics, one file a concept.

mod arithmetic;
mod atomic_form;
mod barriers;
mod building;
mod device_limits;
mod ending_loops;
mod exchanges;
mod exploring;
mod generated;
mod grid_barriers;
mod host;
mod named_barriers;
mod operator_table;
mod paper;
mod refusals;
mod rule_coverage;
mod rule_files;
mod rules;
mod scale;
mod sharing;
mod streams;
mod warps;
mod well_formed;
