//! What one program leaves in memory at a launch, on unknown inputs.

use super::defects::{Asked, Safety, SafetyRequest, ran};
use super::equivalence::{Observed, Side};
use super::goals::{About, Goal};
use super::value::{Known, Place};
use crate::solver::context::in_fresh_context;
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::setup::Setup;

/// The cells of an array that were written, in order, each with its term. `None`: no value.
pub type Cells = Vec<(i64, Option<TermId>)>;

/// What a run left: a term for each cell that it wrote.
pub struct Left {
    /// Those of the cells.
    pub terms: Terms,
    /// By array, in the order of the setup, those of the file after arguments.
    pub arrays: Vec<(Observed, Cells)>,
    /// How many the run made: operators by one thread each.
    pub steps: u64,
    /// Whether every schedule leaves that, for all inputs.
    pub safety: Safety,
}

/// Memory that a run may leave something in.
fn observable(setup: &Setup, run: &super::run::Run<'_>) -> Vec<Observed> {
    let arguments = (0..setup.arrays.len()).map(Observed::Argument);
    let mut of_file: Vec<Observed> = run
        .memory
        .all()
        .filter_map(|((place, _), ..)| match place {
            Place::Global(id) => Some(Observed::OfFile(id)),
            _ => None,
        })
        .collect();
    of_file.sort_by_key(|observed| match observed {
        Observed::OfFile(id) => id.0,
        Observed::Argument(_) => 0,
    });
    of_file.dedup();
    arguments.chain(of_file).collect()
}

/// Runs the launch, and asks whether the run speaks for all schedules.
///
/// # Errors
/// What stands in the way of the run.
pub fn left(side: Side<'_>, request: &SafetyRequest<'_>) -> Result<Left, Safety> {
    let mut terms = Terms::default();
    let run = ran(&mut terms, side, request)?;
    let mut arrays = Vec::new();
    let mut defined = Vec::new();
    for observed in observable(side.setup, &run) {
        let mut cells = Vec::new();
        for (cell, held) in run.memory.written((observed.place(), 0)) {
            let Some(value) = held else {
                cells.push((cell, None));
                continue;
            };
            let Known::Scalar(term) = value.known else {
                return Err(Safety::Open {
                    why: "a pointer in memory".to_owned(),
                    cut: None,
                });
            };
            cells.push((cell, Some(term)));
            let (name, _) = side.memory(observed);
            defined.push((value.defined, name.to_owned(), cell));
        }
        if !cells.is_empty() {
            arrays.push((observed, cells));
        }
    }
    let steps = run.steps_made();
    let asked = Asked::of(run);
    defined.retain(|(cond, ..)| terms.as_bool(*cond) != Some(true));
    let goals: Vec<Goal> = defined
        .into_iter()
        .map(|(cond, array, cell)| Goal {
            cond,
            about: About::HasValue { array, cell },
        })
        .collect();
    // A context of its own: what the solver answers does not depend on what was asked before.
    let mut moved = terms;
    let (terms, safety) = in_fresh_context(move || {
        let safety = asked.decided(&mut moved, &goals, request);
        (moved, safety)
    });
    Ok(Left {
        terms,
        arrays,
        steps,
        safety,
    })
}
