//! Whether a run shows a defect.

use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use crate::order::happens_before::Ordering;
use crate::order::host_order::{self, HostConflict};
use crate::order::race::races_with;
use crate::system::ExploredProgram;
use crate::system::follow::{Run, STEP_LIMIT};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::system::Leak;
use gridlock_semantics::transition::fault::Fault;
use gridlock_semantics::transition::{Access, Actor, TransitionSystem};

/// What a run shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Race(Access, Access),
    Fault(Fault),
    Leak(Leak),
    Stuck,
}

/// What a run is asked to show.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub kind: DefectKind,
    /// The operators and actors of a race, if a particular one is wanted.
    pub race: Option<(Access, Access)>,
    /// Who faults, if known.
    pub fault: Option<Fault>,
    /// What made what is never given back, if known.
    pub leak: Option<OpId>,
    /// There is no schedule: all go on to the end in whichever order.
    pub goes_on: bool,
}

impl Wanted {
    pub fn of(finding: &Finding) -> Wanted {
        let mut wanted = Wanted {
            kind: finding.kind,
            race: None,
            fault: None,
            leak: None,
            goes_on: finding.kind == DefectKind::Leak && finding.schedule.is_empty(),
        };
        match &finding.evidence {
            Evidence::Race { first, second } => wanted.race = Some((*first, *second)),
            Evidence::Fault(fault) => wanted.fault = Some(fault.clone()),
            Evidence::Leak { op, .. } => wanted.leak = Some(*op),
            Evidence::Stuck { .. } | Evidence::Cycle { .. } => {}
        }
        wanted
    }

    fn is_fault(&self, fault: &Fault) -> bool {
        let same_kind = DefectKind::of_fault(&fault.kind) == self.kind;
        let same_place = self.fault.as_ref().is_none_or(|wanted| match self.kind {
            DefectKind::BarrierDivergence => block_of(wanted.actor) == block_of(fault.actor),
            _ => wanted.actor == fault.actor && wanted.op == fault.op,
        });
        same_kind && same_place
    }
}

fn block_of(actor: Actor) -> Option<u32> {
    match actor {
        Actor::Thread { block, .. } | Actor::Block(block) => Some(block),
        _ => None,
    }
}

/// Transitions others may take on the way to a deadlock or a divergence that a schedule has left
/// open.
const REST_BOUND: usize = 100_000;

/// [`run_within`] with the step limit of every replay.
pub fn run_showing<'a>(
    system: &'a ExploredProgram,
    ordering: &Ordering,
    schedule: &[ScheduleStep],
    wanted: &Wanted,
) -> Option<(Run<'a>, Shown)> {
    let showing = Showing {
        step_limit: STEP_LIMIT,
        followed: &mut 0,
    };
    run_within(system, ordering, schedule, wanted, showing)
}

/// How a run that is to show something is followed, and how far it went.
pub struct Showing<'n> {
    /// Private transitions in a row that are waited for.
    pub step_limit: usize,
    /// Transitions followed, those of runs that show nothing too.
    pub followed: &'n mut usize,
}

/// Follows `schedule` from each initial state; the first run that shows what is wanted, with
/// what it shows.
pub fn run_within<'a>(
    system: &'a ExploredProgram,
    ordering: &Ordering,
    schedule: &[ScheduleStep],
    wanted: &Wanted,
    showing: Showing<'_>,
) -> Option<(Run<'a>, Shown)> {
    system.initial().into_iter().find_map(|initial| {
        let mut run = Run::new(system, initial);
        run.step_limit = showing.step_limit;
        let is_followed = run.follow(schedule).is_ok();
        let shown = match is_followed {
            true => shown_by(&mut run, ordering, wanted),
            false => None,
        };
        *showing.followed += run.n_followed;
        tracing::trace!(transitions = run.n_followed, "replay");
        shown.map(|shown| (run, shown))
    })
}

/// A run gone on with by the rest of a schedule, and what it shows then; the transitions that were followed.
pub fn gone_on<'a>(
    mut run: Run<'a>,
    ordering: &Ordering,
    rest: &[ScheduleStep],
    wanted: &Wanted,
) -> (Option<(Run<'a>, Shown)>, usize) {
    let before = run.n_followed;
    let shown = match run.follow(rest).is_ok() {
        true => shown_by(&mut run, ordering, wanted),
        false => None,
    };
    let followed = run.n_followed.saturating_sub(before);
    tracing::trace!(transitions = followed, "replay of the rest");
    (shown.map(|shown| (run, shown)), followed)
}

/// What the end of a run shows. A schedule counts visible transitions only, so private ones may
/// still be due; where all must have come as far as they can, they are let.
fn shown_by(run: &mut Run<'_>, ordering: &Ordering, wanted: &Wanted) -> Option<Shown> {
    match wanted.kind {
        DefectKind::DataRace => race_at_end(run, ordering, wanted)
            .or_else(|| {
                // The schedule may end just before the second access.
                let second = wanted.race.as_ref()?.1;
                run.visible(&[second.actor], 0).ok()?;
                race_at_end(run, ordering, wanted)
            })
            .or_else(|| host_conflict(run, wanted)),
        DefectKind::StaleData | DefectKind::UnorderedStreams => host_conflict(run, wanted),
        DefectKind::UseAfterFree if wanted.fault.is_none() => {
            // Without particulars (a witness), whichever way it shows.
            let fault = |run: &mut Run<'_>| fault_at_end(run, wanted);
            host_conflict(run, wanted).or_else(|| match wanted.race {
                Some(_) => None,
                None => fault(run),
            })
        }
        DefectKind::Leak => {
            run.settle_everyone();
            if wanted.goes_on {
                to_the_end(run);
            }
            leak_at_end(run, wanted)
        }
        DefectKind::Deadlock => {
            run.settle_everyone();
            run.is_deadlocked().then_some(Shown::Stuck)
        }
        // A run with a cycle is followed in another way ([`crate::progress::lasso`]).
        DefectKind::Livelock => None,
        DefectKind::BarrierDivergence => {
            if run.fault().is_none()
                && let Some(block) = wanted.fault.as_ref().and_then(|f| block_of(f.actor))
            {
                let mut actors = run.threads_of(block);
                actors.push(Actor::Block(block));
                run.go_on(&actors, REST_BOUND);
            } else if run.fault().is_none() {
                // The barrier of the grid.
                let actors = run.actors();
                run.go_on(&actors, REST_BOUND);
            }
            fault_at_end(run, wanted)
        }
        _ => {
            if run.fault().is_none()
                && let Some(fault) = &wanted.fault
            {
                run.visible(&[fault.actor], 0).ok()?;
            }
            fault_at_end(run, wanted)
        }
    }
}

/// Two uses of memory that nothing at the level of the host orders; then the run is cut off
/// behind the second.
fn host_conflict(run: &mut Run<'_>, wanted: &Wanted) -> Option<Shown> {
    if !run.system.system().context().asynchronous {
        return None;
    }
    run.settle_everyone();
    let ended = run.system.is_final(&run.state);
    let found = host_order::along(run.system, &run.followed, ended).conflicts;
    let of_kind = || found.iter().filter(|conflict| conflict.kind == wanted.kind);
    let ops = |x: &Access, y: &Access| (x.op.min(y.op), x.op.max(y.op));
    let exactly = wanted.race.as_ref().and_then(|(a, b)| {
        of_kind().find(|conflict| ops(&conflict.first, &conflict.second) == ops(a, b))
    });
    // One operation may use a place by several operators, of which one is remembered.
    let second = wanted
        .race
        .as_ref()
        .and_then(|(_, b)| of_kind().find(|conflict| conflict.second.op == b.op));
    let HostConflict {
        last,
        first,
        second,
        ..
    } = *exactly.or(second).or_else(|| of_kind().next())?;
    run.cut_off(last);
    Some(Shown::Race(first, second))
}

/// Goes on in canonical order, and keeps nothing of that.
fn to_the_end(run: &mut Run<'_>) {
    if run.system.is_final(&run.state) || run.has_faulted() {
        return;
    }
    let mut rest = Run::without_history(run.system, run.state.clone());
    // Until the time is up.
    rest.complete(usize::MAX);
    run.state = rest.state;
}

fn leak_at_end(run: &Run<'_>, wanted: &Wanted) -> Option<Shown> {
    let system = run.system;
    if !system.is_final(&run.state) {
        return None;
    }
    let leaks = system.system().leaks(&run.state).into_iter();
    let is_wanted = |leak: &Leak| wanted.leak.is_none_or(|op| leak.op == op);
    leaks.into_iter().find(is_wanted).map(Shown::Leak)
}

fn fault_at_end(run: &Run<'_>, wanted: &Wanted) -> Option<Shown> {
    let fault = run.fault()?;
    wanted.is_fault(fault).then(|| Shown::Fault(fault.clone()))
}

/// A race whose second access is the last thing that happened; of a particular race, one whose
/// second access happened at all: then the run is cut off behind it.
fn race_at_end(run: &mut Run<'_>, ordering: &Ordering, wanted: &Wanted) -> Option<Shown> {
    let last = run.followed.len().checked_sub(1)?;
    let Some((a, b)) = &wanted.race else {
        let races = races_with(run.system, ordering, &run.followed, last);
        return races
            .first()
            .map(|(first, second)| Shown::Race(*first, *second));
    };
    let exactly = |(x, y): &&(Access, Access)| x == a && y == b || x == b && y == a;
    let ops = |x: &Access, y: &Access| (x.op.min(y.op), x.op.max(y.op));
    let same_ops = |(x, y): &&(Access, Access)| ops(x, y) == ops(a, b);
    let has_either = |index: &usize| {
        let accesses = &run.followed[*index].label.accesses;
        *index == last || accesses.contains(a) || accesses.contains(b)
    };
    let ends: Vec<usize> = (0..=last).rev().filter(has_either).collect();
    for end in ends {
        let races = races_with(run.system, ordering, &run.followed, end);
        let race = races
            .iter()
            .find(exactly)
            .or_else(|| races.iter().find(same_ops));
        if let Some((first, second)) = race {
            let shown = Shown::Race(*first, *second);
            run.cut_off(end);
            return Some(shown);
        }
    }
    None
}
