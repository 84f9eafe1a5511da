//! Whether every run of a configuration ends, asked where nothing else has shown it.
//!
//! It is not asked where the canonical run decides (by M1 every schedule then does what that run
//! did, and it ended), nor where the explorer saw every state and no cycle (if the scheduling for
//! termination only takes schedules away, as it does in every named profile).

use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use gridlock_checker::finding::{Finding, Statistics};
use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{self, Termination};
use gridlock_checker::replay;
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::verdict::{Property, Reason};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{OpId, OpKind};
use gridlock_semantics::analysis::loops::counted_loop;
use gridlock_semantics::setup::Setup;
use std::collections::BTreeSet;

/// What is known about the ends of runs.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// A run that goes on for ever although the progress guarantee holds.
    pub livelock: Option<Finding>,
    /// Why it is open whether all runs end, where it is.
    pub open: Option<(Reason, String)>,
    /// What the search took.
    pub statistics: Statistics,
}

/// Whether the request asks about runs that do not end.
pub fn is_asked(request: &Request) -> bool {
    let asked = request.properties.as_ref();
    asked.is_none_or(|properties| properties.contains(&Property::Deadlock))
}

/// Whether the entry has loops at all that are not counted ones. (That a counted loop ends is not
/// claimed; only that looking for runs that wait in one is not worth while.)
pub fn may_wait(prepared: &Prepared, entry: ProcId) -> bool {
    let program = &prepared.surface;
    let reachable = crate::subject::premises::features(program, entry).reachable;
    let mut loops: BTreeSet<OpId> = BTreeSet::new();
    let mut counted: BTreeSet<OpId> = BTreeSet::new();
    for proc in reachable {
        program.proc(proc).body.walk(&mut |op| {
            if let OpKind::While { .. } = &op.kind {
                loops.insert(op.id);
            }
            counted.extend(counted_loop(op).map(|found| found.while_op.id));
        });
    }
    loops.difference(&counted).next().is_some()
}

/// A livelock that shows along one run in which every actor gets turns; cheap, even where the
/// launch is far too large to explore. `None` says nothing: the look is bounded by its transitions, and it
/// and the replay by `until`.
pub fn quick_look(
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    until: Deadline,
) -> Option<Finding> {
    let profile = &request.profile;
    let system = ExploredProgram::for_termination(&prepared.surface, setup, profile).ok()?;
    let finding = progress::quick_look(&system, until.left())?;
    replay::confirm_in_time(&prepared.surface, setup, profile, &finding, until.end)?;
    Some(finding)
}

/// Explores the schedules allowed for termination.
pub fn judge(prepared: &Prepared, setup: &Setup, request: &Request, limits: &Limits) -> Ending {
    let mut ending = Ending::default();
    let system = match ExploredProgram::for_termination(&prepared.surface, setup, &request.profile)
    {
        Ok(system) => system,
        Err(error) => {
            ending.open = Some((Reason::Unsupported, error.to_string()));
            return ending;
        }
    };
    let search = progress::judge(&system, limits);
    ending.statistics = search.statistics;
    match search.answer {
        Termination::Ends => {}
        Termination::Livelock(finding) => ending.livelock = Some(finding),
        Termination::Deadlock => {
            let why = "with the blocks scheduled as for termination, some run ends in a deadlock";
            ending.open = Some((Reason::Inconclusive, why.to_owned()));
        }
        Termination::Cut(what) => {
            let why = format!("some schedule may never end; a search for livelock was cut: {what}");
            ending.open = Some((Reason::Limit, why));
        }
    }
    ending
}
