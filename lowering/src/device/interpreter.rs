//! The embedded device: the checker's canonical run.

use crate::device::{Device, DeviceError, DeviceInfo, DeviceKind, RunResult};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::{Compiled, compile};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::well_formed::check_well_formed;

/// Runs one program on the canonical run of the checker: the outcome that every schedule gives, or
/// an error where schedules may differ.
pub struct Interpreter {
    info: DeviceInfo,
    compiled: Compiled,
    profile: Profile,
    /// Of each run.
    pub limits: Limits,
}

pub(crate) fn info(profile: &str) -> DeviceInfo {
    DeviceInfo {
        kind: DeviceKind::Interpreter,
        name: "canonical run".to_owned(),
        driver: format!("gridlock {}, profile {profile}", env!("CARGO_PKG_VERSION")),
        compute_capability: None,
        compiler: "none".to_owned(),
        flags: vec![],
        code_hash: None,
    }
}

impl Interpreter {
    /// Under the default profile and limits.
    pub fn new(program: &Program) -> Result<Interpreter, DeviceError> {
        let Some(profile) = Profile::named("cuda") else {
            return Err(DeviceError::setup("there is no profile `cuda`"));
        };
        Interpreter::with(program, profile, Limits::default())
    }

    /// # Errors
    /// [`DeviceError::Setup`] for a program that is not well-formed.
    pub fn with(
        program: &Program,
        profile: Profile,
        limits: Limits,
    ) -> Result<Interpreter, DeviceError> {
        if let Err(reasons) = check_well_formed(program) {
            let first = reasons.first().map_or("", |reason| &reason.message);
            return Err(DeviceError::setup(format!(
                "the program is not well-formed: {first}"
            )));
        }
        Ok(Interpreter {
            info: info(&profile.name),
            compiled: compile(&atomic_form(program)),
            profile,
            limits,
        })
    }

    /// The one observation of a run that decides all schedules.
    ///
    /// # Errors
    /// [`DeviceError::OrderDependent`] when it does not decide them, [`DeviceError::Fault`],
    /// [`DeviceError::Limit`], [`DeviceError::Setup`].
    pub fn observe(&self, setup: &Setup) -> Result<Observation, DeviceError> {
        let run = canonical::run(&self.compiled, setup, &self.profile, &self.limits);
        let order_dependent = |why: &str| DeviceError::OrderDependent {
            why: why.to_owned(),
        };
        // Of a long host program the launch with the defect stands there instead of findings.
        if let Some(alone) = &run.alone {
            let why = format!("launch {} has a defect", alone.launch);
            return Err(order_dependent(&why));
        }
        match run.status {
            CanonicalStatus::Decides => match (run.findings.first(), run.observation) {
                (Some(finding), _) => Err(order_dependent(finding.kind.name())),
                (None, Some(observation)) => Ok(observation),
                (None, None) => Err(DeviceError::Limit {
                    what: "the run has no end".to_owned(),
                }),
            },
            CanonicalStatus::Faulted => {
                let fault = run
                    .findings
                    .iter()
                    .rev()
                    .find_map(|finding| match &finding.evidence {
                        Evidence::Fault(fault) => Some(fault.kind.clone()),
                        _ => None,
                    });
                Err(match fault {
                    Some(kind) => DeviceError::Fault { kind },
                    None => order_dependent("a defect"),
                })
            }
            CanonicalStatus::AssumptionFailed => Err(DeviceError::setup(
                "an assumption of the program does not hold",
            )),
            CanonicalStatus::NotCanonical { why }
            | CanonicalStatus::DecidesDefects { why }
            | CanonicalStatus::Cycle { why } => Err(order_dependent(&why)),
            CanonicalStatus::Limit { what } | CanonicalStatus::LaunchesDecide { what, .. } => {
                Err(DeviceError::Limit { what })
            }
            CanonicalStatus::Unfit { why } => Err(DeviceError::setup(why)),
        }
    }
}

impl Device for Interpreter {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn run(&mut self, setup: &Setup) -> RunResult {
        let start = std::time::Instant::now();
        let outcome = self.observe(setup);
        RunResult {
            outcome,
            seconds: vec![start.elapsed().as_secs_f64()],
        }
    }
}
