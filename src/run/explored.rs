//! One configuration explored under one profile, with everything that was found replayed.

use crate::input::deadline::Deadline;
use gridlock_checker::explore::{Exploration, ExploreOptions, explore_program};
use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::order::synchronisation::WeakMemory;
use gridlock_checker::progress::{self, Termination};
use gridlock_checker::replay::{self, NotShown};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::SetupError;
use std::time::{Duration, Instant};

/// What a search found.
pub struct Explored {
    /// The profile it was explored under.
    pub profile: Profile,
    /// What the search gave, findings not yet replayed among it.
    pub exploration: Exploration,
    /// The findings that replay showed.
    pub defects: Vec<Defect>,
    /// Every way of being stuck that replay showed, each as a defect of its own. The first is
    /// among `defects` too.
    pub deadlocks: Vec<Defect>,
    /// Whether every run that the progress guarantee allows ends; `None` where that was not asked,
    /// because some schedule ends in a fault or no actor can move, or not every state was seen.
    pub termination: Option<Termination>,
    /// Why what interleaving shows need not be all that the machine does, in sentences; empty where nothing
    /// stands against it, and where the profile or the search does not ask.
    pub weak_memory: Vec<String>,
    /// Something was found and replay did not show it: the search is no answer to rely on.
    pub all_replayed: bool,
}

impl Explored {
    /// # Errors
    /// The setup does not fit the program, or the profile has no meaning.
    pub fn new(
        program: &Program,
        setup: &Setup,
        profile: &Profile,
        limits: &Limits,
        options: &ExploreOptions,
    ) -> Result<Explored, SetupError> {
        Explored::asking(true, program, setup, profile, limits, options)
    }

    /// [`Explored::new`]; `termination`: whether to ask if every run ends, which takes a second
    /// search where some run has a cycle.
    ///
    /// # Errors
    /// As there.
    pub fn asking(
        termination: bool,
        program: &Program,
        setup: &Setup,
        profile: &Profile,
        limits: &Limits,
        options: &ExploreOptions,
    ) -> Result<Explored, SetupError> {
        let deadline = Deadline::after(limits.seconds);
        let exploration = explore_program(program, setup, profile, limits, options)?;
        let limits = (limits, deadline);
        Explored::of(exploration, termination, program, setup, profile, limits)
    }

    /// What a search of this program found; the other arguments as for [`Explored::asking`], and until when
    /// the rest may take.
    ///
    /// # Errors
    /// As there.
    pub fn of(
        exploration: Exploration,
        termination: bool,
        program: &Program,
        setup: &Setup,
        profile: &Profile,
        (limits, deadline): (&Limits, Deadline),
    ) -> Result<Explored, SetupError> {
        let until = deadline.end + replays_beyond(limits);
        let mut exploration = exploration;
        let limits_hit: Vec<String> = exploration
            .findings
            .iter()
            .filter_map(|finding| crate::run::unfolding::left_out(program, finding))
            .collect();
        if !limits_hit.is_empty() {
            exploration.complete = false;
            exploration.limits_hit.extend(limits_hit);
            exploration
                .findings
                .retain(|finding| finding.kind != DefectKind::Beyond);
        }
        let mut all_replayed = true;
        let mut late = None;
        let mut show = |finding: &Finding| {
            // A replay begins with a program of its own.
            let shown = match Instant::now() > until {
                true => Err(NotShown::Late),
                false => replay::defect_in_time(program, setup, profile, finding, until),
            };
            match shown {
                Ok(defect) => Some(defect),
                Err(NotShown::Late) => {
                    late = Some(finding.kind);
                    None
                }
                Err(NotShown::Refuted) => {
                    tracing::error!("a {} did not replay", finding.kind.name());
                    all_replayed = false;
                    None
                }
            }
        };
        let mut defects: Vec<Defect> = exploration.findings.iter().filter_map(&mut show).collect();
        let others = exploration
            .findings
            .iter()
            .any(|f| f.kind != DefectKind::DataRace);
        // Cycles are judged on the states themselves, which a stateless search has not kept.
        let judged = exploration.stateless.is_none() || !exploration.cycle;
        let termination = match termination && judged && exploration.complete && !others {
            false => None,
            true if !exploration.cycle && profile.termination_is_within_safety() => {
                Some(Termination::Ends)
            }
            true => {
                let system = ExploredProgram::for_termination(program, setup, profile)?;
                let limits = Limits {
                    seconds: deadline.left(),
                    ..*limits
                };
                Some(progress::judge(&system, &limits).answer)
            }
        };
        if let Some(Termination::Livelock(finding)) = &termination {
            defects.extend(show(finding));
        }
        let stuck = exploration.deadlocks.iter().map(|stuck| Finding {
            kind: DefectKind::Deadlock,
            schedule: stuck.schedule.clone(),
            evidence: Evidence::Stuck {
                positions: stuck.positions.clone(),
            },
        });
        let deadlocks = stuck.filter_map(|finding| show(&finding)).collect();
        if let Some(kind) = late {
            exploration.complete = false;
            exploration.limits_hit.push(format!(
                "following the run that shows a {} took too long",
                kind.name()
            ));
        }
        let weak_memory = match exploration.weak_memory.is_empty() {
            true => Vec::new(),
            // The reasons name operators of the form that runs.
            false => WeakMemory::texts(&exploration.weak_memory, &atomic_form(program)),
        };
        Ok(Explored {
            profile: profile.clone(),
            weak_memory,
            exploration,
            defects,
            deadlocks,
            termination,
            all_replayed,
        })
    }
}

/// What replays may take beyond the limit: without them a defect that was found would be lost.
fn replays_beyond(limits: &Limits) -> Duration {
    Duration::from_secs_f64(limits.seconds.clamp(0.0, 1e9) * SHARE_FOR_REPLAYS)
}

const SHARE_FOR_REPLAYS: f64 = 0.08;
