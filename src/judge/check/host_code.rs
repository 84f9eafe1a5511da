//! The launches that the file's own host code makes are tried first, and a defect says whether it needs another.

use super::table::Table;
use crate::input::deadline::Deadline;
use crate::run::trial::{Decision, Trial};
use crate::subject::{self, EntryPoint};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::Caller;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// Launches of host code that are tried, at most.
const MOST: usize = 10;
/// Contents of arrays at each of them.
pub(super) const SAMPLES: u32 = 2;
/// Share of the time that they may take.
const SHARE: f64 = 0.4;

/// The entry at launches of host code, with the arguments that are passed there.
pub(super) fn tries(
    program: &Program,
    point: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<(EntryPoint, Caller)> {
    let mut instances = subject::instances(program, point, device);
    // Of each launch the first, then of each the second: what is left out is what is largest.
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (at, instance) in instances.iter().enumerate() {
        let before = instances[..at].iter().filter(|i| i.site == instance.site);
        order.push((before.count(), at));
    }
    order.sort_unstable();
    let mut chosen: Vec<usize> = order.into_iter().take(MOST).map(|(_, at)| at).collect();
    chosen.sort_by_key(|at| instances[*at].launch.n_blocks() * instances[*at].launch.n_threads());
    let mut tries = Vec::new();
    for at in chosen {
        let instance = &mut instances[at];
        let mut entry = point.clone();
        entry.launch = Some(instance.launch);
        entry.scalars.extend(std::mem::take(&mut instance.scalars));
        if instance.is_certain {
            entry.shared_is_open = false;
        }
        let made_by = Caller::HostCode {
            site: instance.site.clone(),
            is_certain: instance.is_certain,
        };
        tries.push((entry, made_by));
    }
    tries
}

/// Until when these are tried.
pub(super) fn ends(deadline: Deadline) -> Deadline {
    Deadline::after(deadline.left() * SHARE)
}

/// Whether trying a launch of the host's may still show something: a property is open, or a defect was found
/// elsewhere.
pub(super) fn is_wanted(table: &Table) -> bool {
    let of_host = |caller: &Option<Caller>| matches!(caller, Some(Caller::HostCode { .. }));
    !table.open().is_empty() || !table.defects().iter().all(|d| of_host(&d.grade.caller))
}

/// Notes of the defects that host code makes the launch.
pub(super) fn note(trial: &mut Trial, made_by: &Caller) {
    for defect in &mut trial.defects {
        defect.grade.caller = Some(made_by.clone());
    }
}

/// What the runs at one launch of the host's showed.
#[derive(Default)]
pub(super) struct Seen {
    n_decided: u32,
    fails: bool,
    is_open: bool,
}

impl Seen {
    pub fn note(&mut self, trial: &Trial, table: &Table) {
        if trial.vacuous {
            return;
        }
        let counts = |d: &Defect| table.asks_about(d.kind.property());
        self.fails |= trial.defects.iter().any(counts);
        let is_decided = matches!(trial.decision, Decision::Decided(_))
            && trial.unconfirmed.is_empty()
            && trial.ending.is_none()
            && trial.defects.iter().all(counts);
        self.is_open |= !is_decided;
        self.n_decided += u32::from(is_decided);
    }

    /// Whether a defect was shown; `None` where that is open.
    pub fn outcome(&self) -> Option<bool> {
        let is_safe = !self.is_open && self.n_decided > 0;
        (self.fails || is_safe).then_some(self.fails)
    }
}

/// Whether nothing was decided, for want of time or room.
pub(super) fn is_beyond_limits(trial: &Trial) -> bool {
    let by_limit = matches!(
        trial.decision,
        Decision::Undecided {
            reason: Reason::Limit,
            ..
        }
    );
    by_limit && trial.defects.is_empty()
}

/// Says of each defect at which launch it shows, and who makes such a launch.
pub(super) fn grade(table: &mut Table, program: &Program, point: &EntryPoint) {
    for defect in table.defects_mut() {
        let Some(witness) = &defect.witness else {
            continue;
        };
        defect.grade.launch = Some(subject::shown_at(program, &witness.setup));
        if defect.grade.caller.is_none() {
            defect.grade.caller = subject::caller(program, point, &witness.setup);
        }
    }
}
