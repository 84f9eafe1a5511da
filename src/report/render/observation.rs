//! What was seen of a run, and how runs end.

use gridlock_checker::explore::Outcome;
use gridlock_semantics::system::observation::{Observation, ObservedArray};

/// Cells shown of an array.
const SHOWN: usize = 16;

/// `out = [1, 2, 3], result 4`
pub fn observation(observation: &Observation) -> String {
    let mut parts: Vec<String> = observation.arrays.iter().map(array).collect();
    if let Some(result) = observation.result {
        parts.push(format!("result {result}"));
    }
    if parts.is_empty() {
        return "nothing observed".to_owned();
    }
    parts.join(", ")
}

fn array(array: &ObservedArray) -> String {
    let mut cells: Vec<String> = array
        .cells
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    if array.cells.len() > SHOWN {
        cells.push(format!("… {} more", array.cells.len() - SHOWN));
    }
    format!("{} = [{}]", array.name, cells.join(", "))
}

/// The end of a run, on one line.
pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Observation(seen) => observation(seen),
        Outcome::Fault { kind, .. } => format!("ends in a fault: {}", kind.name()),
        Outcome::Deadlock => "deadlock".to_owned(),
    }
}
