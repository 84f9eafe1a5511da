//! One program at a launch, on unknown inputs: whether it is free of defects for all of them.

use super::equivalence::{FloatLaws, Side, Which};
use super::goals::{About, Goal, Inputs, all_hold};
use super::obligation::Obligation;
use super::run::{Run, RunLimits, Subject};
use crate::solver::budget::{Budget, Cut};
use crate::solver::context::in_fresh_context;
use crate::solver::solve::{Answer, Prover};
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::profile::Profile;
use std::time::{Duration, Instant};

/// A question about one program.
#[derive(Clone, Debug)]
pub struct SafetyRequest<'a> {
    /// Has to admit canonical runs.
    pub profile: &'a Profile,
    /// What the solver may do.
    pub budget: Budget,
    /// For the whole question.
    pub timeout: Duration,
    /// Steps of the run: an operator by one thread.
    pub steps: u64,
}

/// What came of the question.
#[derive(Clone, Debug)]
pub enum Safety {
    /// No schedule races, parts before a barrier, faults, fails an assertion or reads what was never written, for any input
    /// that meets the assumptions, which some do; and all end.
    Safe,
    /// A model of the solver, to be run. Nothing is refuted before.
    Suspected {
        /// What it says goes wrong, as in `line 12: an index outside of \`a\``.
        why: String,
        /// Where.
        inputs: Inputs,
    },
    /// Nothing is claimed.
    Open {
        /// What stands in the way, as in `line 12: a named barrier`.
        why: String,
        /// The bound that was met, if it is one.
        cut: Option<Cut>,
    },
}

/// Tries to prove that a kernel has no defect at its launch.
pub fn is_safe(side: Side<'_>, request: &SafetyRequest<'_>) -> Safety {
    // A context of its own: what the solver answers does not depend on what was asked before.
    in_fresh_context(|| attempt(side, request))
}

fn attempt(side: Side<'_>, request: &SafetyRequest<'_>) -> Safety {
    let mut terms = Terms::default();
    match ran(&mut terms, side, request) {
        Ok(run) => {
            let asked = Asked::of(run);
            asked.decided(&mut terms, &[], request)
        }
        Err(open) => open,
    }
}

fn open(why: String, cut: Option<Cut>) -> Safety {
    Safety::Open { why, cut }
}

/// The run, or what stands in its way.
pub(super) fn ran<'r>(
    terms: &'r mut Terms,
    side: Side<'r>,
    request: &SafetyRequest<'r>,
) -> Result<Run<'r>, Safety> {
    if !request.profile.admits_canonical_run() {
        let why = "one run does not speak for all schedules under this profile";
        return Err(open(why.to_owned(), None));
    }
    let limits = RunLimits {
        steps: request.steps,
        deadline: Instant::now() + request.timeout,
    };
    let subject = Subject {
        program: side.program,
        setup: side.setup,
        unknowns: side.unknowns,
        profile: request.profile,
        // Sums of floats in any order are not one sum where a condition asks for them.
        floats: FloatLaws::Exact,
    };
    Run::of(terms, subject, limits).map_err(|stopped| open(stopped.to_string(), None))
}

/// What has to hold for a run to speak for all schedules.
pub(super) struct Asked {
    excuses: Vec<TermId>,
    obligations: Vec<Obligation>,
    assumed: Vec<TermId>,
}

impl Asked {
    pub fn of(run: Run<'_>) -> Asked {
        Asked {
            excuses: run.excuses(),
            obligations: run.obligations,
            assumed: run.assumed,
        }
    }

    /// Asks the solver, also whether all of `more` hold.
    pub fn decided(self, terms: &mut Terms, more: &[Goal], request: &SafetyRequest<'_>) -> Safety {
        let Asked {
            excuses,
            obligations,
            mut assumed,
        } = self;
        assumed.retain(|cond| terms.as_bool(*cond) != Some(true));
        if !assumed.iter().all(|cond| excuses.contains(cond)) {
            let why = "an assumption that not every thread makes alike before anything else";
            return open(why.to_owned(), None);
        }
        let mut prover = Prover::new(request.budget, request.timeout);
        if !assumed.is_empty() {
            match prover.decide_all(terms, &assumed) {
                Answer::Satisfiable(_) => {}
                Answer::Unsatisfiable => {
                    return open("no input meets the program's assumptions".to_owned(), None);
                }
                Answer::Open(cut) => {
                    let why = "whether some input meets the assumptions is open";
                    return open(why.to_owned(), Some(cut));
                }
            }
        }
        let goals: Vec<Goal> = obligations
            .into_iter()
            .map(|obligation| Goal {
                cond: obligation.cond,
                about: About::Defect {
                    which: Which::Old,
                    otherwise: obligation.otherwise,
                    span: obligation.span,
                },
            })
            .collect();
        for goals in [&goals[..], more] {
            if let Err(failed) = all_hold(terms, &mut prover, &assumed, goals) {
                let (why, _) = failed.about.open();
                return match failed.inputs {
                    Some(inputs) => Safety::Suspected { why, inputs },
                    None => open(why, failed.cut),
                };
            }
        }
        Safety::Safe
    }
}
