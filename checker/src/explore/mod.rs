//! The explorer: every schedule of one closed configuration.
//!
//! One stateful search loop over any transition system; the frontier (breadth, depth, random) is
//! a parameter of it, and so is the way a state is expanded: fully, or reduced (`Firing::One`
//! only; the argument stands in `reduction`).
//!
//! What it claims: with `complete`, `outcomes` is exactly the set of outcomes over all schedules
//! of the system given, and every deadlock, every fault and every pair of co-enabled conflicting
//! accesses has a finding. Without `complete`, what was found is real and nothing is claimed of
//! the rest. States are identified by 128-bit fingerprints (see `fingerprint` for the
//! probability that two states are confused) unless `exact` is asked for.

pub mod graph;
mod options;
mod outcome;

pub use options::{ExploreOptions, Strategy};
pub use outcome::{Exploration, Outcome};
