//! One of two programs that leave different things: what it began with, what it left, and what
//! wrote that.

use crate::replay::explain::names::Names;
use crate::replay::explain::switches::switches;
use crate::replay::explain::written;
use crate::report::explanation::{ComparedSide, Explanation, Named};
use crate::report::witness::{Witness, WitnessDifference};
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, Contents, Setup};

/// Elements of an array that are shown.
const MOST_ELEMENTS: u64 = 8;

/// Cells of one relation that are told of.
const MOST_CELLS: usize = 4;

/// Tells of the side a witness is of; also the numbers of the transitions that left what differs.
pub fn compared(
    system: &ExploredProgram,
    given: &Program,
    witness: &Witness,
    difference: &WitnessDifference,
) -> (ComparedSide, Vec<usize>) {
    let names = Names::new(system, given);
    let shown = difference.cells.iter().take(MOST_CELLS);
    let (cells, made): (Vec<_>, Vec<_>) = shown
        .map(|cell| written::left(system, &names, &witness.schedule, cell))
        .unzip();
    let mut made: Vec<usize> = made.into_iter().flatten().collect();
    made.sort_unstable();
    made.dedup();
    let side = ComparedSide {
        side: difference.side,
        file: witness.file.clone(),
        entry: witness.entry.clone(),
        launch: witness.setup.launch,
        inputs: inputs(system.program(), &witness.setup),
        cells,
    };
    (side, made)
}

/// The explanation of what was told of one side or of both; `witness` says by which schedule.
pub fn explained(witness: &Witness, compared: Vec<ComparedSide>) -> Explanation {
    let schedule = &witness.schedule;
    Explanation {
        compared,
        steps: schedule.iter().map(|s| u64::from(s.steps)).sum(),
        switches: switches(schedule),
        ..Explanation::default()
    }
}

/// The parameters of the entry with what they begin with.
fn inputs(program: &Program, setup: &Setup) -> Vec<Named> {
    let entry = program.proc(setup.entry);
    let named = entry.params.iter().zip(&setup.args);
    let filled = setup.declared.iter().map(|(id, contents)| {
        let decl = program.array(*id);
        let extent = match decl.extent {
            Extent::Fixed(extent) => Some(extent),
            Extent::LaunchShared => None,
        };
        Named {
            name: decl.name.to_string(),
            value: elements(contents, decl.elem, extent),
        }
    });
    named
        .map(|(var, arg)| Named {
            name: entry.vars[var.0 as usize].name.to_string(),
            value: match arg {
                Arg::Scalar(value) => value.to_string(),
                Arg::Null => "null".to_owned(),
                Arg::Array(index) => {
                    let array = &setup.arrays[*index];
                    elements(&array.contents, array.elem, array.extent)
                }
            },
        })
        .chain(filled)
        .collect()
}

/// `[3, 0, 7]`, `[1, 2, 3, 4, 5, 6, 7, 8, …]` of 64 elements.
fn elements(contents: &Contents, elem: ScalarType, extent: Option<u64>) -> String {
    let n = extent.unwrap_or(u64::MAX);
    let cell = |index| contents.cell(elem, index);
    let shown = (0..n.min(MOST_ELEMENTS)).map(|index| match cell(index) {
        Value::Undef => "?".to_owned(),
        value => value.to_string(),
    });
    let mut texts: Vec<String> = shown.collect();
    if n > MOST_ELEMENTS {
        texts.push("…".to_owned());
    }
    let what = format!("[{}]", texts.join(", "));
    match extent {
        Some(n) if n > MOST_ELEMENTS => format!("{what} of {n} elements"),
        _ => what,
    }
}
