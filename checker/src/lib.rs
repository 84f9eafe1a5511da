//! State-space exploration and everything judged on it: races, barriers, deadlock, outcomes,
//! equivalence; witnesses and their replay.

#![warn(missing_docs)]

pub mod automaton;
pub mod canonical;
pub mod compiled;
pub mod cost;
pub mod equiv;
pub mod explore;
pub mod finding;
pub mod limits;
pub mod order;
pub mod progress;
pub mod replay;
pub mod report;
pub mod system;
pub mod verdict;
