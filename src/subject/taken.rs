//! What the front end took for granted of functions that a file does not define.

use super::premises;
use crate::words::sentences::note;
use gridlock_frontend::{Assumption, Parsed};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;

/// Kept aside while the program is prepared.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenForGranted(Vec<Assumption>);

impl TakenForGranted {
    pub fn of(parsed: &Parsed) -> TakenForGranted {
        TakenForGranted(parsed.assumptions.clone())
    }

    /// Adds what concerns these entries to a report's assumptions.
    pub fn note(&self, program: &Program, entries: &[ProcId], assumptions: &mut Vec<String>) {
        for &entry in entries {
            let reachable = premises::features(program, entry).reachable;
            for assumption in &self.0 {
                if reachable.contains(&assumption.proc) {
                    note(assumptions, assumption.sentence.clone());
                }
            }
        }
    }
}

/// What the profile takes for granted of the machine.
pub(crate) fn of_the_machine(profile: &gridlock_semantics::profile::Profile) -> Vec<String> {
    let assumption = profile.axes.memory.assumption();
    assumption.map(str::to_owned).into_iter().collect()
}
