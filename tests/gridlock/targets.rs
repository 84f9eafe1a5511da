//! Targets as pattern files, end to end: a program is lowered to each, lifted back and judged against
//! the original; a fault planted in a target's patterns is refuted; what is printed compiles, and
//! over OpenCL it runs.

mod compiled;
mod errors;
mod mutants;
mod opencl_runs;
mod programs;
mod round_trips;
mod support;
