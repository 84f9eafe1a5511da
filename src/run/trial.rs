//! A trial: one closed configuration decided by the canonical run where it may speak, by the
//! explorer where it may not. Whatever looks like a defect is replayed before it counts.

use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::run::remarks;
use crate::run::termination;
use crate::subject::prepared::Prepared;
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::equiv::OutcomeSet;
use gridlock_checker::explore::{self, ExploreOptions, Outcome};
use gridlock_checker::finding::{DefectKind, Finding, Statistics};
use gridlock_checker::limits::{self, Limits};
use gridlock_checker::order::synchronisation::WeakMemory;
use gridlock_checker::replay::{self, NotShown};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Engine, Reason};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::{Launch, Setup};
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether, and by whom, every schedule of the configuration was covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// By this engine.
    Decided(Engine),
    /// Some schedules are left out.
    Undecided {
        /// Why, as a closed word.
        reason: Reason,
        /// One sentence.
        why: String,
    },
}

/// What one configuration does.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The configuration.
    pub setup: Setup,
    /// Whether every schedule was covered.
    pub decision: Decision,
    /// Confirmed by replay.
    pub defects: Vec<Defect>,
    /// Kinds an engine reported and the replay did not show.
    pub unconfirmed: Vec<DefectKind>,
    /// The outcomes seen, each with a schedule.
    pub outcomes: OutcomeSet,
    /// What all engines took together.
    pub statistics: Statistics,
    /// Remarks that do not weaken a verdict.
    pub remarks: Statements<Remark>,
    /// Limits reached, in words.
    pub limits_hit: Vec<String>,
    /// Every schedule was covered, but for whether all of them end: why that is open.
    pub ending: Option<(Reason, String)>,
    /// Where a limit cut host code behind its last launch, if it did; all else is decided.
    pub rest: Option<Rest>,
    /// An `assume` was false: this input does not count.
    pub vacuous: bool,
    /// The run came to its end and launched no kernel.
    pub launched_nothing: bool,
}

/// What was left out of host code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The operator at which the run was cut.
    pub from: OpId,
    /// By which limit, in words.
    pub what: String,
}

impl Trial {
    /// The same where what the program leaves at its end is asked for.
    pub fn to_its_end(mut self) -> Trial {
        if let Some(Rest { what, .. }) = self.rest.take() {
            self.limits_hit.push(what.clone());
            self.decision = Decision::Undecided {
                reason: Reason::Limit,
                why: what,
            };
        }
        self
    }
}

/// Decides which defects one configuration has.
pub fn run(prepared: &Prepared, setup: &Setup, request: &Request, deadline: Deadline) -> Trial {
    run_for(Sought::Defects, prepared, setup, request, deadline)
}

/// Decides which defects one configuration has, and how its runs may end.
pub fn with_outcomes(
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> Trial {
    run_for(Sought::Outcomes, prepared, setup, request, deadline)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    Defects,
    Outcomes,
}

fn run_for(
    sought: Sought,
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> Trial {
    let mut trial = Trial {
        setup: setup.clone(),
        decision: Decision::Undecided {
            reason: Reason::NotAttempted,
            why: String::new(),
        },
        defects: Vec::new(),
        unconfirmed: Vec::new(),
        outcomes: OutcomeSet::default(),
        statistics: Statistics::default(),
        remarks: Statements::default(),
        limits_hit: Vec::new(),
        ending: None,
        rest: None,
        vacuous: false,
        launched_nothing: false,
    };
    let limits = Limits {
        seconds: deadline.left(),
        ..request.limits
    };
    tracing::info!(target: "stage", "running {}", launch_text(prepared, setup));
    let mut findings = Vec::new();
    let mut explorer_needed = true;
    let mut has_cycle = false;
    let mut spent = false;
    let mut weak_memory = None;
    if request.profile.admits_canonical_run() {
        let result = canonical::run(&prepared.compiled, setup, &request.profile, &limits);
        trial.statistics += result.statistics;
        tracing::debug!(status = ?result.status, "canonical run");
        trial
            .remarks
            .extend(remarks::lockstep(prepared, result.lockstep_remark.as_ref()));
        explorer_needed = request.every_schedule;
        match &result.status {
            CanonicalStatus::Decides => {
                trial.launched_nothing = result.launches == Some(0);
                trial.decision = Decision::Decided(Engine::CanonicalRun);
                if let Some(observation) = result.observation {
                    trial.outcomes.outcomes =
                        BTreeMap::from([(Outcome::Observation(observation), Vec::new())]);
                    trial.outcomes.complete = true;
                }
            }
            CanonicalStatus::LaunchesDecide { from, what } => {
                trial.decision = Decision::Decided(Engine::CanonicalRun);
                trial.rest = Some(Rest {
                    from: *from,
                    what: what.clone(),
                });
            }
            CanonicalStatus::Faulted => {
                trial.decision = Decision::Decided(Engine::CanonicalRun);
            }
            CanonicalStatus::DecidesDefects { .. } if sought == Sought::Defects => {
                trial.decision = Decision::Decided(Engine::CanonicalRun);
            }
            CanonicalStatus::NotCanonical { why }
            | CanonicalStatus::DecidesDefects { why }
            | CanonicalStatus::Cycle { why } => {
                trial.decision = Decision::Undecided {
                    reason: Reason::Inconclusive,
                    why: format!("one run does not decide: {why}"),
                };
                explorer_needed = true;
            }
            CanonicalStatus::AssumptionFailed => {
                trial.vacuous = true;
                return trial;
            }
            CanonicalStatus::Unfit { why } => {
                trial.decision = Decision::Undecided {
                    reason: Reason::Unsupported,
                    why: why.clone(),
                };
                return trial;
            }
            // What ended it is looked at by itself.
            CanonicalStatus::Limit { .. } if result.alone.is_some() => {}
            CanonicalStatus::Limit { what } => {
                trial.limits_hit.push(what.clone());
                trial.decision = Decision::Undecided {
                    reason: Reason::Limit,
                    why: what.clone(),
                };
                spent = true;
            }
        }
        if let Some(alone) = result.alone {
            let found = run_for(sought, prepared, &alone.setup, request, deadline);
            return in_launch(trial, alone.launch, found);
        }
        has_cycle = matches!(result.status, CanonicalStatus::Cycle { .. });
        findings = result.findings;
    }
    // A thread that went on for so long may never come to an end.
    if spent && !explorer_needed && only_races(&findings) && termination::is_asked(request) {
        findings.extend(quick_look(&mut trial, prepared, setup, request, deadline));
    }
    // A defect of the canonical run needs no second opinion but the replay's. What looks like a
    // race there may be ordered through atomics, which that run does not follow.
    let suspected = findings.iter().any(|f| f.kind != DefectKind::Leak);
    confirm_into(&mut trial, prepared, setup, request, findings, deadline);
    // What that run saw and replay did not show is for the explorer to settle: where lanes of a warp
    // wait for one another, a schedule cannot leave out the atomic that orders two accesses.
    explorer_needed |= !trial.unconfirmed.is_empty();
    if explorer_needed && only_leaks(&trial) && (!suspected || is_left_open(&trial)) {
        let findings;
        trial.unconfirmed.clear();
        (findings, weak_memory) =
            explore_into(&mut trial, prepared, setup, request, deadline, has_cycle);
        confirm_into(&mut trial, prepared, setup, request, findings, deadline);
    }
    if let Some(why) = weak_memory
        && trial
            .defects
            .iter()
            .all(|d| matches!(d.kind, DefectKind::Livelock | DefectKind::Leak))
        && matches!(trial.decision, Decision::Decided(_))
    {
        trial.decision = Decision::Undecided {
            reason: Reason::WeakMemory,
            why,
        };
    }
    let unconfirmed = trial
        .unconfirmed
        .iter()
        .any(|kind| *kind != DefectKind::Leak);
    trial.outcomes.defective = !only_leaks(&trial) || unconfirmed;
    trial
}

/// What a launch by itself shows, as that of the host program that makes it.
fn in_launch(mut trial: Trial, launch: u32, mut found: Trial) -> Trial {
    trial.statistics += found.statistics;
    trial.remarks.extend(found.remarks);
    trial.limits_hit.append(&mut found.limits_hit);
    trial.unconfirmed = found.unconfirmed;
    trial.outcomes.complete = false;
    trial.outcomes.defective = true;
    for defect in &mut found.defects {
        if let Some(explanation) = &mut defect.explanation {
            let note = format!(
                "this is launch {launch} of the program, run by itself on what the host gives it"
            );
            explanation.notes.push(note);
        }
    }
    trial.defects = found.defects;
    trial.decision = match trial.defects.is_empty() {
        false => Decision::Decided(Engine::CanonicalRun),
        true => Decision::Undecided {
            reason: Reason::Inconclusive,
            why: format!(
                "what launch {launch} shows in the whole program it does not show by itself"
            ),
        },
    };
    trial
}

/// Whether a replay showed nothing of what a run that does not decide believed to see.
fn is_left_open(trial: &Trial) -> bool {
    only_leaks(trial) && !matches!(trial.decision, Decision::Decided(_))
}

/// Whether nothing was shown but what is never given back, which changes no result.
fn only_leaks(trial: &Trial) -> bool {
    trial.defects.iter().all(|d| d.kind == DefectKind::Leak)
}

/// Whether nothing was found but races, which end no run.
fn only_races(findings: &[Finding]) -> bool {
    findings.iter().all(|f| f.kind == DefectKind::DataRace)
}

/// Every schedule. `has_cycle`: in one run a thread came back to where it was. What was found, and why interleaving may not speak for the machine.
/// `scan, grid (2,1,1), block (64,1,1)`.
fn launch_text(prepared: &Prepared, setup: &Setup) -> String {
    let name = &prepared.surface.proc(setup.entry).name;
    match &setup.launch {
        None => name.to_string(),
        Some(Launch { grid, block, .. }) => {
            let [x, y, z] = grid;
            let [u, v, w] = block;
            format!("{name}, grid ({x},{y},{z}), block ({u},{v},{w})")
        }
    }
}

fn explore_into(
    trial: &mut Trial,
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
    has_cycle: bool,
) -> (Vec<Finding>, Option<String>) {
    tracing::info!(target: "stage", "searching every schedule of {}", launch_text(prepared, setup));
    let asked = termination::is_asked(request);
    let may_wait = has_cycle || termination::may_wait(prepared, setup.entry);
    let quick = match asked && may_wait {
        true => quick_look(trial, prepared, setup, request, deadline),
        false => None,
    };
    // Refuted already: what else there is may be worth a while, not all the time there is.
    let most_states = match quick {
        Some(_) => STATES_AFTER_LIVELOCK,
        None => u64::MAX,
    };
    let limits = Limits {
        seconds: deadline.left(),
        states: request.limits.states.min(most_states),
        ..request.limits
    };
    let explored = explore::explore_program(
        &prepared.surface,
        setup,
        &request.profile,
        &limits,
        &ExploreOptions::default(),
    );
    let exploration = match explored {
        Ok(exploration) => exploration,
        Err(error) => {
            trial.decision = Decision::Undecided {
                reason: Reason::Unsupported,
                why: error.to_string(),
            };
            return (Vec::new(), None);
        }
    };
    trial.statistics += exploration.statistics;
    trial.decision = if exploration.complete {
        Decision::Decided(Engine::Explorer)
    } else {
        Decision::Undecided {
            reason: Reason::Limit,
            why: exploration.limits_hit.join("; "),
        }
    };
    trial
        .limits_hit
        .extend(exploration.limits_hit.iter().cloned());
    trial.outcomes = OutcomeSet::from(&exploration);
    let weak_memory = weak_memory_text(&exploration.weak_memory, &prepared.atomic);
    let mut findings = exploration.findings;
    let seen_to_end = exploration.complete
        && !exploration.cycle
        && request.profile.termination_is_within_safety();
    let may_go_on = quick.is_some() || !seen_to_end && (exploration.complete || may_wait);
    // A deadlock, a fault: then a run that would go on as well says little more.
    if asked && may_go_on && only_races(&findings) {
        // A loop that looks counted may have no end (`s >= 0; s >>= 1`).
        let quick = quick.or_else(|| match may_wait {
            true => None,
            false => quick_look(trial, prepared, setup, request, deadline),
        });
        // One that the search finds has the shorter witness, and says whether an end was in reach.
        let most_states = match quick {
            Some(_) => STATES_FOR_ANOTHER,
            None => u64::MAX,
        };
        let limits = Limits {
            seconds: deadline.left(),
            states: request.limits.states.min(most_states),
            ..request.limits
        };
        let ending = termination::judge(prepared, setup, request, &limits);
        trial.statistics += ending.statistics;
        let livelock = ending.livelock.or(quick);
        if livelock.is_none() && exploration.complete {
            trial.ending = ending.open;
        }
        findings.extend(livelock);
    } else if asked && !may_wait && !exploration.complete && only_races(&findings) {
        // Cut, perhaps because a loop that looks counted goes on for ever (`i >= 0; i++`).
        findings.extend(quick_look(trial, prepared, setup, request, deadline));
    }
    (findings, weak_memory)
}

/// Reasons listed in a report; the rest are counted.
const MOST_REASONS: usize = 3;

/// The fences to add.
fn weak_memory_text(reasons: &[WeakMemory], program: &Program) -> Option<String> {
    let mut texts = WeakMemory::texts(reasons, program);
    let n_more = texts.len().saturating_sub(MOST_REASONS);
    texts.truncate(MOST_REASONS);
    if n_more > 0 {
        texts.push(format!("and {n_more} more"));
    }
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// States for other defects where a livelock is known, and for a better witness of it.
const STATES_AFTER_LIVELOCK: u64 = 100_000;
const STATES_FOR_ANOTHER: u64 = 20_000;

/// A livelock along one run; says so where time kept it from being seen.
fn quick_look(
    trial: &mut Trial,
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> Option<Finding> {
    let until = Deadline::after(deadline.left() * SHARE_FOR_QUICK_LOOK);
    let found = termination::quick_look(prepared, setup, request, until);
    if found.is_none() && until.left() <= 0.0 {
        let what = limits::TIME.to_owned();
        if !trial.limits_hit.contains(&what) {
            trial.limits_hit.push(what);
        }
    }
    found
}

/// Of the time that is left.
const SHARE_FOR_QUICK_LOOK: f64 = 0.5;

/// What a replay may take beyond the limit of time, of that limit: without one a defect that was
/// found would be lost.
const SHARE_FOR_REPLAY: f64 = 0.25;
/// How much of that where the whole command has to end in time.
const SHARE_OF_SHARE: f64 = 0.25;

fn confirm_into(
    trial: &mut Trial,
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    findings: Vec<Finding>,
    deadline: Deadline,
) {
    let share = request.limits.seconds * SHARE_FOR_REPLAY;
    let late = match &request.until {
        Some(until) => until.end + Duration::from_secs_f64(share.clamp(0.0, 1e9) * SHARE_OF_SHARE),
        None => Deadline::after(share).end,
    };
    let until = deadline.end.max(late);
    let (program, profile) = (&prepared.surface, &request.profile);
    let mut real = Vec::new();
    for finding in findings {
        let Some(why) = crate::run::unfolding::left_out(program, &finding) else {
            real.push(finding);
            continue;
        };
        if !trial.limits_hit.contains(&why) {
            trial.limits_hit.push(why.clone());
        }
        trial.outcomes.complete = false;
        trial.decision = Decision::Undecided {
            reason: Reason::Limit,
            why,
        };
    }
    let replayed = replay::defects_in_time(program, setup, profile, &real, until);
    let mut late = None;
    for (finding, replayed) in real.into_iter().zip(replayed) {
        match replayed {
            Ok(defect) => trial.defects.push(defect),
            Err(NotShown::Late) => {
                late.get_or_insert(finding.kind);
                trial.unconfirmed.push(finding.kind);
            }
            Err(NotShown::Refuted) => {
                tracing::debug!(kind = finding.kind.name(), "a finding did not replay");
                trial.unconfirmed.push(finding.kind);
            }
        }
    }
    if let Some(kind) = late {
        let why = format!(
            "the time to follow the run that shows a {} (--limit-seconds)",
            kind.name()
        );
        trial.limits_hit.push(why.clone());
        if trial.defects.is_empty() {
            trial.decision = Decision::Undecided {
                reason: Reason::Limit,
                why,
            };
            return;
        }
    }
    if !trial.unconfirmed.is_empty() && trial.defects.is_empty() {
        trial.decision = Decision::Undecided {
            reason: Reason::Inconclusive,
            why: format!(
                "a {} was found but did not replay",
                trial.unconfirmed[0].name()
            ),
        };
    }
}
