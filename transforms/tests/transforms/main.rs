//! Every test of the crate, a module each.

mod analyses;
mod analyses_of_cells;
mod analyses_of_threads;
mod conversion;
mod conversions_of_c;
mod documentation;
mod ground;
mod ground_systems;
mod hygiene;
mod index;
mod judging;
mod kernels_and_barriers;
mod library_loads;
mod loops_and_barriers;
mod loops_to_kernels;
mod matrix_product;
mod modulo;
mod random_programs;
mod rule_language;
mod steps;
mod strategies;
mod tree_sum;
