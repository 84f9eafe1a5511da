//! One point judged by the cheapest engine that decides it: the canonical run; the explorer where
//! one run does not decide; the symbolic engine with the point fixed where neither does.

use super::space::{Point, Space};
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::judge::question::question;
use crate::run::trial::{self, Decision};
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, premises};
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus};
use gridlock_checker::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay;
use gridlock_checker::verdict::{Engine, Property};
use gridlock_proofs::{Budget, ProofStatus};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::setup::Setup;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Seconds for one point, for each engine.
const SECONDS: f64 = 5.0;
/// Iterations of one thread: what bounds a point on every machine alike.
const DEPTH: u64 = 200_000;
/// What the solver may do for one point, as seconds.
const SOLVER_SECONDS: f64 = 1.0;
/// States the explorer may keep for one point.
const STATES: u64 = 20_000;

/// Why a point is open where one run comes to a limit, or order matters.
pub const UNDECIDED: &str = "one run does not decide";
/// Memory of a run that is one of many: what lies far away in an array is a matter for the solver.
const BYTES: u64 = 8 << 20;
/// Transitions of a thread that are allowed in any case.
const LEAST_DEPTH: u64 = 200;

/// What is known of one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// No defect in any schedule of the inputs tried, or of all inputs.
    Safe {
        /// The engine that covered every schedule.
        engine: Engine,
    },
    /// Defects of these kinds, each replayed.
    Fails {
        /// Of all defects seen.
        kinds: BTreeSet<DefectKind>,
    },
    /// No engine decided within its limits.
    Unknown {
        /// One sentence.
        why: String,
    },
    /// No launch (the device refuses it), or the kernel's own assumptions are false.
    Excluded {
        /// One sentence.
        why: String,
    },
}

/// Judges points of one kernel.
pub struct Judge<'a> {
    pub prepared: &'a Prepared,
    pub space: &'a Space,
    pub request: &'a Request,
    /// What is judged; a defect of another property is none here, but hides what comes after it.
    pub properties: Vec<Property>,
    /// One run decides a configuration, or nothing does.
    pub by_one_run: bool,
    /// By the canonical run alone, and for one kind of defect.
    quick: Option<Quick>,
}

/// A counted budget for runs that only look for one kind of defect.
struct Quick {
    kind: DefectKind,
    /// Transitions left, of all runs.
    steps: AtomicU64,
    /// Transitions of one thread in one run, and of all threads together, at most.
    depth: u64,
    in_one_run: u64,
    /// At some point some contents of arrays showed the defect and others did not.
    contents_matter: AtomicBool,
}

impl Quick {
    fn spend(&self, n: u64) {
        let less = |left: u64| Some(left.saturating_sub(n));
        let _ = self
            .steps
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Whether a run that met no defect says that no schedule of its input has one.
const fn decides(status: &CanonicalStatus) -> bool {
    matches!(
        status,
        CanonicalStatus::Decides | CanonicalStatus::DecidesDefects { .. }
    )
}

impl<'a> Judge<'a> {
    pub fn new(prepared: &'a Prepared, space: &'a Space, request: &'a Request) -> Judge<'a> {
        let extents = !space.for_every_launch().extents.is_empty()
            || space
                .dimensions
                .iter()
                .any(|d| matches!(d.variable, super::variable::Variable::Extent(_)));
        let asked = |p: &Property| match &request.properties {
            Some(named) => named.contains(p),
            None => true,
        };
        let properties = premises::applicable(&prepared.surface, space.kernel, extents);
        Judge {
            prepared,
            space,
            request,
            properties: properties.into_iter().filter(asked).collect(),
            by_one_run: false,
            quick: None,
        }
    }

    /// One that looks for defects of one kind, by single runs of at most `depth` transitions of a thread, `steps` in
    /// all.
    pub fn quick(
        prepared: &'a Prepared,
        space: &'a Space,
        request: &'a Request,
        kind: DefectKind,
        steps: u64,
        depth: u64,
    ) -> Judge<'a> {
        Judge {
            prepared,
            space,
            request,
            properties: vec![kind.property()],
            by_one_run: true,
            quick: Some(Quick {
                kind,
                steps: AtomicU64::new(steps),
                depth,
                in_one_run: u64::MAX,
                contents_matter: AtomicBool::new(false),
            }),
        }
    }

    /// Another counted budget, of runs of at most `in_one_run` transitions each.
    pub fn allow(&mut self, steps: u64, in_one_run: u64) {
        if let Some(quick) = &mut self.quick {
            quick.steps = AtomicU64::new(steps);
            quick.in_one_run = in_one_run;
        }
    }

    /// Whether the counted budget is used up.
    pub fn is_spent(&self) -> bool {
        let quick = self.quick.as_ref();
        quick.is_some_and(|quick| quick.steps.load(Ordering::Relaxed) == 0)
    }

    /// Whether what arrays hold made a difference, as far as that was looked at.
    pub fn contents_matter(&self) -> bool {
        let quick = self.quick.as_ref();
        quick.is_some_and(|quick| quick.contents_matter.load(Ordering::Relaxed))
    }

    /// Judges one point until `deadline` at the latest.
    pub fn judge(&self, point: &Point, deadline: Deadline) -> Outcome {
        let entry = match self.space.closed_at(point) {
            Ok(entry) => entry,
            Err(refused) => {
                return Outcome::Excluded {
                    why: refused.message,
                };
            }
        };
        if let Some(quick) = &self.quick {
            let outcome = self.at_once(quick, &entry, deadline);
            return outcome.unwrap_or_else(|refused| Outcome::Excluded {
                why: refused.message,
            });
        }
        match self.sampled(&entry, deadline) {
            Ok(Outcome::Unknown { why }) => self.proved(&entry, deadline, why),
            Ok(outcome) => outcome,
            Err(refused) => Outcome::Excluded {
                why: refused.message,
            },
        }
    }

    /// By two runs with different contents of arrays, indices in range in both.
    fn at_once(
        &self,
        quick: &Quick,
        entry: &EntryPoint,
        deadline: Deadline,
    ) -> Result<Outcome, InputError> {
        let program = &self.prepared.surface;
        let mut outcomes = Vec::new();
        for sample in [0, 2] {
            let sampling = self.request.sampling;
            let setup = subject::sampled_setup(program, entry, entry.launch, sampling, sample)?;
            outcomes.push(self.run_once(quick, &setup, deadline));
        }
        let shows = |o: &Outcome| matches!(o, Outcome::Fails { .. });
        let is_safe = |o: &Outcome| matches!(o, Outcome::Safe { .. });
        if outcomes.iter().any(shows) && outcomes.iter().any(is_safe) {
            quick.contents_matter.store(true, Ordering::Relaxed);
        }
        let at = outcomes.iter().position(shows);
        let at = at.or_else(|| outcomes.iter().position(|o| !is_safe(o)));
        Ok(outcomes.swap_remove(at.unwrap_or(0)))
    }

    /// Whether a single run meets no defect of the kind of a quick judge, nor one that ends it before.
    pub fn is_without(&self, setup: &Setup, deadline: Deadline) -> bool {
        self.quick.as_ref().is_some_and(|quick| {
            let result = self.once(quick, setup, deadline);
            let is_harmless = |f: &Finding| f.kind != quick.kind && !f.kind.ends_run();
            decides(&result.status) && result.findings.iter().all(is_harmless)
        })
    }

    /// The kinds of defects that a single run ends in behind the place where `schedule` ends, if it passes that: not the kind
    /// of a quick judge.
    pub fn passes(
        &self,
        setup: &Setup,
        deadline: Deadline,
        schedule: &[ScheduleStep],
    ) -> Option<BTreeSet<DefectKind>> {
        let quick = self.quick.as_ref()?;
        let found = self.once(quick, setup, deadline).findings;
        quick.spend(20 * schedule.len() as u64);
        let kinds: BTreeSet<DefectKind> = found.iter().map(|f| f.kind).collect();
        let (program, profile) = (&self.prepared.surface, &self.request.profile);
        let is_other = !kinds.is_empty() && !kinds.contains(&quick.kind);
        (is_other && replay::passes(program, setup, profile, schedule)).then_some(kinds)
    }

    /// A single run within the counted budget.
    fn once(&self, quick: &Quick, setup: &Setup, deadline: Deadline) -> CanonicalResult {
        let n_threads = setup
            .launch
            .map_or(1, |l| l.n_blocks().saturating_mul(l.n_threads()));
        let for_each = (quick.in_one_run / n_threads.max(1)).max(LEAST_DEPTH);
        let limits = Limits {
            seconds: deadline.left(),
            bytes: self.request.limits.bytes.min(BYTES),
            depth: quick.depth.min(for_each),
            ..self.request.limits
        };
        let compiled = &self.prepared.compiled;
        let result = canonical::run(compiled, setup, &self.request.profile, &limits);
        // Setting a run up takes something, too.
        quick.spend(result.statistics.transitions + 200);
        result
    }

    fn run_once(&self, quick: &Quick, setup: &Setup, deadline: Deadline) -> Outcome {
        let result = self.once(quick, setup, deadline);
        if result.status == CanonicalStatus::AssumptionFailed {
            return Outcome::Excluded {
                why: "the kernel's own assumptions are false".to_owned(),
            };
        }
        let is_there =
            |f: &&Finding| f.kind == quick.kind && !self.space.is_beyond_guess(&f.evidence);
        let wanted = result.findings.iter().filter(is_there);
        for finding in wanted.take(2) {
            // The reference takes its time for each step.
            quick.spend(20 * finding.schedule.len() as u64);
            let (program, profile) = (&self.prepared.surface, &self.request.profile);
            if replay::shows(program, setup, profile, finding) {
                return Outcome::Fails {
                    kinds: BTreeSet::from([quick.kind]),
                };
            }
        }
        match (decides(&result.status), result.findings.first()) {
            (true, None) => Outcome::Safe {
                engine: Engine::CanonicalRun,
            },
            (_, Some(other)) => Outcome::Unknown {
                why: format!("{} is in the way", other.kind.name()),
            },
            _ => Outcome::Unknown {
                why: UNDECIDED.to_owned(),
            },
        }
    }

    /// By runs of the request's samples.
    fn sampled(&self, entry: &EntryPoint, deadline: Deadline) -> Result<Outcome, InputError> {
        let request = self.request;
        let program = &self.prepared.surface;
        let mut decided_by = None;
        let mut excluded = 0;
        for sample in 0..request.sampling.count {
            let setup =
                subject::sampled_setup(program, entry, entry.launch, request.sampling, sample)?;
            match self.run(&setup, deadline) {
                Outcome::Safe { engine } => decided_by = Some(engine),
                Outcome::Excluded { .. } => excluded += 1,
                other => return Ok(other),
            }
        }
        Ok(match decided_by {
            Some(engine) => Outcome::Safe { engine },
            None if excluded > 0 => Outcome::Excluded {
                why: "the kernel's own assumptions are false".to_owned(),
            },
            None => Outcome::Unknown {
                why: "no input was tried".to_owned(),
            },
        })
    }

    /// One closed configuration.
    pub fn run(&self, setup: &Setup, deadline: Deadline) -> Outcome {
        let request = self.request;
        let seconds = deadline.left().min(SECONDS);
        let limits = Limits {
            seconds,
            states: request.limits.states.min(STATES),
            depth: request.limits.depth.min(DEPTH),
            ..request.limits
        };
        if request.profile.admits_canonical_run() && !request.every_schedule {
            let compiled = &self.prepared.compiled;
            let result = canonical::run(compiled, setup, &request.profile, &limits);
            let shown = self.shown(setup, &result.findings);
            match (&result.status, shown.is_empty(), result.findings.is_empty()) {
                (CanonicalStatus::AssumptionFailed, ..) => {
                    return Outcome::Excluded {
                        why: "the kernel's own assumptions are false".to_owned(),
                    };
                }
                (CanonicalStatus::Unfit { why }, ..) => {
                    return Outcome::Unknown { why: why.clone() };
                }
                (_, false, _) => return self.fails(shown),
                (status, true, true) if decides(status) => {
                    return Outcome::Safe {
                        engine: Engine::CanonicalRun,
                    };
                }
                _ => {}
            }
        }
        if self.by_one_run {
            return Outcome::Unknown {
                why: UNDECIDED.to_owned(),
            };
        }
        let bounded = Request {
            limits,
            ..request.clone()
        };
        let trial = trial::run(self.prepared, setup, &bounded, Deadline::after(seconds));
        let kinds: BTreeSet<DefectKind> = trial.defects.iter().map(|d| d.kind).collect();
        if !kinds.is_empty() {
            return self.fails(kinds);
        }
        match (trial.decision, trial.ending, trial.unconfirmed.is_empty()) {
            _ if trial.vacuous => Outcome::Excluded {
                why: "the kernel's own assumptions are false".to_owned(),
            },
            (Decision::Undecided { why, .. }, ..) => Outcome::Unknown { why },
            (_, Some((_, why)), _) if self.properties.contains(&Property::Deadlock) => {
                Outcome::Unknown { why }
            }
            (_, _, false) => Outcome::Unknown {
                why: "a defect was found but did not replay".to_owned(),
            },
            (Decision::Decided(engine), ..) => Outcome::Safe { engine },
        }
    }

    /// The kinds of the findings that the reference shows.
    fn shown(
        &self,
        setup: &Setup,
        findings: &[gridlock_checker::finding::Finding],
    ) -> BTreeSet<DefectKind> {
        let mut kinds = BTreeSet::new();
        for finding in findings {
            if !kinds.contains(&finding.kind)
                && finding.kind != DefectKind::Beyond
                && replay::shows(
                    &self.prepared.surface,
                    setup,
                    &self.request.profile,
                    finding,
                )
            {
                kinds.insert(finding.kind);
            }
        }
        kinds
    }

    /// Only what was asked about counts; what was not asked about still hides the rest.
    fn fails(&self, kinds: BTreeSet<DefectKind>) -> Outcome {
        let asked = |kind: &DefectKind| self.properties.contains(&kind.property());
        let counted: BTreeSet<DefectKind> = kinds.iter().copied().filter(asked).collect();
        match (counted.is_empty(), kinds.first()) {
            (true, Some(other)) => Outcome::Unknown {
                why: format!("a defect not asked about ({}) is in the way", other.name()),
            },
            _ => Outcome::Fails { kinds: counted },
        }
    }

    /// Whether the solver sees a defect of a kind at a point, and the run that would show it does not end well.
    pub fn may_fail(
        &self,
        point: &Point,
        kind: DefectKind,
        seconds: f64,
        deadline: Deadline,
    ) -> bool {
        let Ok(entry) = self.space.closed_at(point) else {
            return false;
        };
        if !self.request.symbolic || !entry.nulls.is_empty() {
            return false;
        }
        let question = question(
            self.prepared,
            &entry,
            self.request,
            vec![kind.property()],
            Budget::of_seconds(seconds),
            Duration::from_secs_f64(deadline.left()),
        );
        let proof =
            gridlock_proofs::prove_kernel(&self.prepared.atomic, self.space.kernel, &question);
        proof.candidates.iter().any(|candidate| {
            let outcome = self.run(&candidate.setup, deadline);
            !matches!(outcome, Outcome::Safe { .. } | Outcome::Excluded { .. })
        })
    }

    /// By a proof for all inputs at this launch with these arguments.
    fn proved(&self, entry: &EntryPoint, deadline: Deadline, open: String) -> Outcome {
        let left = deadline.left().min(SECONDS);
        let is_able = self.request.symbolic
            && self.request.profile.admits_canonical_run()
            && entry.nulls.is_empty();
        if !is_able || left <= 0.0 {
            return Outcome::Unknown { why: open };
        }
        let question = question(
            self.prepared,
            entry,
            self.request,
            self.properties.clone(),
            Budget::of_seconds(SOLVER_SECONDS),
            Duration::from_secs_f64(left),
        );
        let proof =
            gridlock_proofs::prove_kernel(&self.prepared.atomic, self.space.kernel, &question);
        let holds = |status: &ProofStatus| {
            matches!(status, ProofStatus::Proved { .. } | ProofStatus::NotJudged)
        };
        match proof.results.iter().all(|r| holds(&r.status)) {
            true => Outcome::Safe {
                engine: Engine::Symbolic,
            },
            false => Outcome::Unknown { why: open },
        }
    }
}

/// The operators a finding is about; none where threads only wait.
pub fn ops_of(finding: &Finding) -> Vec<OpId> {
    let mut ops = match &finding.evidence {
        Evidence::Race { first, second } => vec![first.op, second.op],
        Evidence::Fault(fault) => vec![fault.op],
        Evidence::Leak { op, .. } => vec![*op],
        Evidence::Stuck { .. } | Evidence::Cycle { .. } => Vec::new(),
    };
    ops.sort_unstable();
    ops
}
