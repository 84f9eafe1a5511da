//! What one program leaves in memory at a launch, on unknown inputs.

use super::defects::{Asked, Safety, SafetyRequest, ran};
use super::equivalence::{Observed, Side};
use super::goals::{About, Goal, Inputs};
use super::value::{Known, Place};
use crate::solver::context::in_fresh_context;
use crate::terms::function::Function;
use crate::terms::substitute::Substitution;
use crate::terms::term::{Node, Sort, TermId, Terms};
use gridlock_semantics::setup::Setup;
use rustc_hash::FxHashSet;

/// The cells of an array that were written, in order, each with its term. `None`: no value.
pub type Cells = Vec<(i64, Option<TermId>)>;

/// The same at some inputs: bits.
pub type CellsAt = Vec<(i64, Option<u64>)>;

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

impl Left {
    /// What the cells hold for some inputs, as bits; inputs that are not named are 0. `None`: no value, or one that hangs on
    /// more, as on operations on floats.
    pub fn at(&mut self, inputs: &Inputs) -> Vec<(Observed, CellsAt)> {
        let cells = self.arrays.iter().flat_map(|(_, cells)| cells);
        let mut rest: Vec<TermId> = cells.filter_map(|(_, term)| *term).collect();
        let mut seen: FxHashSet<TermId> = rest.iter().copied().collect();
        let mut given = Vec::new();
        while let Some(term) = rest.pop() {
            if let Some(bits) = self.input(term, inputs) {
                let value = match self.terms.sort(term) {
                    Sort::Bool => self.terms.bool(bits != 0),
                    Sort::Bits(width) => self.terms.bits(width, bits),
                };
                given.push((term, value));
            }
            let children = self.terms.children(term).into_iter();
            rest.extend(children.filter(|child| seen.insert(*child)));
        }
        let mut given = Substitution::new(given);
        let terms = &mut self.terms;
        let mut bits = |term: TermId| {
            let value = given.of(terms, term);
            terms.as_bool(value).map(u64::from).or(terms.as_bits(value))
        };
        let arrays = self.arrays.iter().map(|(observed, cells)| {
            let cells = cells
                .iter()
                .map(|(cell, term)| (*cell, term.and_then(&mut bits)));
            (*observed, cells.collect())
        });
        arrays.collect()
    }

    /// What inputs say of a term, if it is one.
    fn input(&self, term: TermId, inputs: &Inputs) -> Option<u64> {
        let Node::Apply { function, args, .. } = self.terms.node(term) else {
            return None;
        };
        match (function, args.as_slice()) {
            (Function::Input(name), [cell]) => {
                let number = self.terms.as_bits(*cell)? as i64;
                let mut cells = inputs.cells.iter();
                let known = cells.find(|(array, cell, _)| **array == **name && *cell == number);
                Some(known.map_or(0, |known| known.2))
            }
            (Function::Argument(name), []) => {
                let known = inputs.scalars.iter().find(|(of, _)| **of == **name);
                Some(known.map_or(0, |known| known.1))
            }
            _ => None,
        }
    }
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
