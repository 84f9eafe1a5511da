//! Conditions that have to hold for all inputs, and inputs for which they do not.

use super::alike_goals::distinct;
use super::observed::Which;
use crate::solver::budget::Cut;
use crate::solver::solve::{Answer, Prover, Reader};
use crate::terms::function::Function;
use crate::terms::term::{Node, TermId, Terms};
use gridlock_semantics::algebra::span::Span;
use rustc_hash::FxHashSet;
use z3::Model;

/// Conditions asked about together.
const TOGETHER: usize = 128;
/// Conditions whose sides are tried, and terms that are looked at for them.
const MOST_CONDITIONS: usize = 8;
const MOST_SEARCHED: usize = 100_000;

/// Inputs of which the solver says that they tell the programs apart. Cells and arguments that are not named may hold
/// anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The name of an array's unknown contents, a cell, and its bits.
    pub cells: Vec<(String, i64, u64)>,
    /// The name of an unknown argument and its bits.
    pub scalars: Vec<(String, u64)>,
}

/// A condition that has to hold, and what it is about.
pub(super) struct Goal {
    pub cond: TermId,
    pub about: About,
}

pub(super) enum About {
    Defect {
        which: Which,
        otherwise: String,
        span: Span,
    },
    Cell {
        array: String,
        cell: i64,
    },
    /// What a procedure of the host returns.
    Returned,
    /// A cell that is written holds a value.
    HasValue {
        array: String,
        cell: i64,
    },
    /// By the new program alone.
    Assumed,
}

impl About {
    pub(super) fn open(&self) -> (String, Option<Which>) {
        match self {
            About::Defect {
                which,
                otherwise,
                span,
            } => {
                let why = format!(
                    "line {}: it is not shown that there is never {otherwise}",
                    span.line
                );
                (why, Some(*which))
            }
            About::Assumed => (
                "it assumes what the old program does not".to_owned(),
                Some(Which::New),
            ),
            About::Returned => ("it is not shown that they return the same".to_owned(), None),
            About::HasValue { array, cell } => {
                (format!("`{array}[{cell}]` may hold no value"), None)
            }
            About::Cell { array, cell } => (
                format!("it is not shown that `{array}[{cell}]` is the same"),
                None,
            ),
        }
    }
}

/// A goal that was not shown to hold.
pub(super) struct Failed<'g> {
    pub about: &'g About,
    /// Where the solver says that it does not.
    pub inputs: Option<Inputs>,
    pub cut: Option<Cut>,
    /// What was to hold.
    pub cond: TermId,
}

/// Whether all goals hold where what is assumed does.
pub(super) fn all_hold<'g>(
    terms: &mut Terms,
    prover: &mut Prover,
    assumed: &[TermId],
    goals: &'g [Goal],
) -> Result<(), Failed<'g>> {
    let goals: Vec<&Goal> = match assumed {
        [] => distinct(terms, goals, |goal| goal.cond),
        _ => goals.iter().collect(),
    };
    for goals in goals.chunks(TOGETHER) {
        holds(terms, prover, assumed, goals)?;
    }
    Ok(())
}

/// The same of some. Those that do not hold together are asked about in halves, the first half first.
fn holds<'g>(
    terms: &mut Terms,
    prover: &mut Prover,
    assumed: &[TermId],
    goals: &[&'g Goal],
) -> Result<(), Failed<'g>> {
    let conds: Vec<TermId> = goals.iter().map(|goal| goal.cond).collect();
    let all = terms.all(&conds);
    let some_fails = terms.not(all);
    let asked = [assumed, &[some_fails]].concat();
    let answer = prover.decide_all(terms, &asked);
    if answer.is_unsatisfiable() {
        return Ok(());
    }
    let [goal] = goals else {
        let (first, second) = goals.split_at(goals.len() / 2);
        if prover.is_spent() {
            return Err(Failed {
                about: &first[0].about,
                inputs: None,
                cut: prover.cut,
                cond: first[0].cond,
            });
        }
        holds(terms, prover, assumed, first)?;
        return holds(terms, prover, assumed, second);
    };
    let (inputs, cut) = match answer {
        Answer::Satisfiable(model) => (Some(inputs(terms, prover, &model, &asked)), None),
        Answer::Open(cut) => (None, Some(cut)),
        Answer::Unsatisfiable => (None, None),
    };
    Err(Failed {
        about: &goal.about,
        inputs,
        cut,
        cond: goal.cond,
    })
}

/// Inputs for which the conditions hold that choose between values in a term, and others for which they do not: what differs at
/// one value differs on one side of such a condition.
pub(super) fn on_either_side(
    terms: &mut Terms,
    prover: &mut Prover,
    assumed: &[TermId],
    of: TermId,
) -> Vec<Inputs> {
    let mut conds: Vec<TermId> = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open = vec![of];
    while let Some(term) = open.pop() {
        if seen.len() > MOST_SEARCHED || conds.len() == MOST_CONDITIONS {
            break;
        }
        if !seen.insert(term) {
            continue;
        }
        if let Node::Ite(cond, ..) = *terms.node(term)
            && !conds.contains(&cond)
        {
            conds.push(cond);
        }
        open.extend(terms.children(term));
    }
    let mut tries: Vec<Inputs> = Vec::new();
    for cond in conds {
        for side in [cond, terms.not(cond)] {
            let asked = [assumed, &[side]].concat();
            if let Some(model) = prover.at_once(terms, &asked) {
                let found = inputs(terms, prover, &model, &asked);
                if !tries.contains(&found) {
                    tries.push(found);
                }
            }
        }
    }
    tries
}

/// What a model says of the unknowns in some terms.
fn inputs(terms: &Terms, prover: &mut Prover, model: &Model, about: &[TermId]) -> Inputs {
    let mut found = Inputs::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open = about.to_vec();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        open.extend(terms.children(term));
        let Node::Apply { function, args, .. } = terms.node(term) else {
            continue;
        };
        let value = prover.value(terms, model, term, Reader::FIRST);
        match (function, args.as_slice(), value) {
            (Function::Input(name), [cell], Some(value)) => {
                let cell = prover.value(terms, model, *cell, Reader::FIRST);
                if let Some(cell) = cell {
                    found.cells.push((name.to_string(), cell as i64, value));
                }
            }
            (Function::Argument(name), [], Some(value)) => {
                found.scalars.push((name.to_string(), value));
            }
            _ => {}
        }
    }
    found.cells.sort();
    found.cells.dedup();
    found.scalars.sort();
    found
}
