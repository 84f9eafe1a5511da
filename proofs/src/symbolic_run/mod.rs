//! A launch run on unknown inputs. Threads and blocks are those of one launch; what arguments and arrays hold are
//! unknowns. All threads of a block take each operator together, each under the condition that it comes there, so
//! that a branch is a condition and not two runs. What the launch leaves in memory is a term for each cell.
//!
//! That is what every schedule leaves if no two accesses race, barriers are met by all, and nothing faults: for a
//! launch without races every order gives the same result (theorem M1 of the canonical run, `docs/metatheory.md`).
//! All this is collected as [obligations](obligation), for all inputs; what is not followed ends the run with its
//! place. Nothing is claimed then.
//!
//! [Code of the host](host_code) is run in the same way: its launches one after the other, on what the ones before have left.
//!
//! Two programs are compared cell by cell ([`equivalence`]); of one it is asked whether it has a [defect](defects),
//! and what it [leaves](left).

mod accesses;
mod alike_goals;
pub mod all_sizes;
mod branches;
mod cells;
mod closed;
mod counting;
pub mod defects;
pub mod equivalence;
mod expressions;
mod float_laws;
mod folds;
mod generic;
mod goals;
mod host;
mod host_code;
mod host_streams;
pub mod left;
mod loops;
mod memory;
mod obligation;
mod observed;
mod operators;
mod owner;
mod related;
mod rolled;
mod run;
mod slots;
mod thread;
mod value;
mod warp;
mod words;
