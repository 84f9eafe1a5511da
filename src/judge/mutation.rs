//! Judging mutants: a mutant of a correct program must be refuted, or shown to do what the original
//! does.

mod extents;
mod original;

pub use original::is_right_at;

use crate::input::error::InputError;
use crate::input::request::Request;
use crate::judge::check;
use crate::judge::equivalence::{self, EquivOptions};
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Engine, Reason, Verdict};
use gridlock_generation::mutate::Mutation;
use gridlock_semantics::setup::Launch;
use original::{at, compared};

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has this defect, shown by replay; or `not-equivalent`, shown by replay of both.
    Refuted {
        /// The first defect.
        kind: DefectKind,
        /// The engine that found it, where it is known.
        engine: Option<Engine>,
        /// A launch at which it shows; `None` where the defect is not of one launch.
        launch: Option<Launch>,
    },
    /// No engine finds a defect, and its outcomes are the original's in every schedule of the inputs
    /// tried, at so many launches.
    Equivalent {
        /// The engine that covered every schedule, where it was one.
        engine: Option<Engine>,
        /// Launches compared.
        n_launches: usize,
        /// What `check` says of it at the first launch.
        verdict: Verdict,
    },
    /// Neither was established.
    Open {
        /// Why, as a closed word.
        reason: Reason,
        /// One sentence.
        why: String,
    },
}

/// Compares at each of the launches (at those of the points, where there are none), then checks the
/// mutant alone, symbolic engine and all: a proof covers inputs that were not tried. The original is
/// right at all of them. Where a limit is reached, arrays without an extent get the smallest with which
/// the original is right, and it is tried again.
///
/// # Errors
/// Extents that do not evaluate.
pub fn judge(
    original: (&Prepared, &EntryPoint),
    mutant: (&Prepared, &EntryPoint),
    launches: &[Launch],
    request: &Request,
) -> Result<Fate, InputError> {
    let at_their_size = judge_with(original, mutant, launches, request)?;
    let Fate::Open {
        reason: Reason::Limit,
        ..
    } = at_their_size
    else {
        return Ok(at_their_size);
    };
    // An index far beyond may be the defect, and only an extent says so.
    for launch in launches {
        let Some(point) = extents::as_needed(original.0, original.1, *launch, request)? else {
            continue;
        };
        let new = EntryPoint {
            extents: point.extents.clone(),
            ..mutant.1.clone()
        };
        let fate = judge_with((original.0, &point), (mutant.0, &new), &[*launch], request)?;
        if let Fate::Refuted { .. } = fate {
            return Ok(fate);
        }
    }
    Ok(at_their_size)
}

fn judge_with(
    original: (&Prepared, &EntryPoint),
    mutant: (&Prepared, &EntryPoint),
    launches: &[Launch],
    request: &Request,
) -> Result<Fate, InputError> {
    let tried: Vec<Option<Launch>> = match launches {
        [] => vec![None],
        some => some.iter().copied().map(Some).collect(),
    };
    let mut engine = None;
    let mut undecided: Option<Fate> = None;
    for launch in &tried {
        let side = |(prepared, point), name: &str| compared(prepared, point, *launch, name);
        let (old, new) = (side(original, "original"), side(mutant, "mutant"));
        let judged = equivalence::compare(&old, &new, request, &EquivOptions::default())?;
        match judged.verdict {
            Verdict::Refuted => return Ok(refuted(&judged, *launch)),
            // The outcomes may be too many to compare where a defect is there for all to see.
            Verdict::Unknown | Verdict::Conditional => {
                let alone = alone(mutant.0, mutant.1, *launch, request)?;
                if alone.verdict == Verdict::Refuted {
                    return Ok(refuted(&alone, *launch));
                }
                undecided.get_or_insert(open(&judged));
            }
            Verdict::Passed | Verdict::Proved => {
                engine = engine.max(judged.properties.first().and_then(|p| p.engine));
            }
        }
    }
    if let Some(fate) = undecided {
        return Ok(fate);
    }
    let launch = launches.first().copied();
    let alone = alone(mutant.0, mutant.1, launch, request)?;
    Ok(match alone.verdict {
        Verdict::Refuted => refuted(&alone, launch),
        Verdict::Unknown => open(&alone),
        verdict => Fate::Equivalent {
            engine,
            n_launches: tried.len(),
            verdict,
        },
    })
}

/// What `check` says of a program at a launch, or without one.
///
/// # Errors
/// Extents that do not evaluate.
pub fn alone(
    prepared: &Prepared,
    point: &EntryPoint,
    launch: Option<Launch>,
    request: &Request,
) -> Result<Judgement, InputError> {
    let request = &Request {
        conditional: false,
        ..request.clone()
    };
    let mut judgement = check::empty_judgement(request);
    let point = at(point, launch);
    let before = Default::default();
    let when = check::When {
        chosen: None,
        ahead: None,
        before: &before,
        deadline: request.deadline(1),
        later: &[],
    };
    check::judge_entry(
        &mut judgement,
        "mutant",
        prepared,
        &point,
        request,
        None,
        &when,
    )?;
    crate::judge::overall::summarise(&mut judgement);
    Ok(judgement)
}

fn refuted(judged: &Judgement, launch: Option<Launch>) -> Fate {
    let refuting = judged
        .properties
        .iter()
        .find(|p| p.verdict == Verdict::Refuted);
    Fate::Refuted {
        kind: judged
            .defects
            .first()
            .map_or(DefectKind::NotEquivalent, |d| d.kind),
        engine: refuting.and_then(|p| p.engine),
        launch,
    }
}

fn open(judged: &Judgement) -> Fate {
    let why = judged
        .properties
        .iter()
        .find(|p| p.verdict == Verdict::Unknown);
    Fate::Open {
        reason: judged.reason.unwrap_or(Reason::Inconclusive),
        why: why.map_or(String::new(), |p| p.explanation.clone()),
    }
}

/// The kinds of defect a mutation leads to. Another one is a mistake of ours, until someone has
/// understood it.
pub const fn plausible(mutation: Mutation) -> &'static [DefectKind] {
    use DefectKind::*;
    match mutation {
        // Accesses that nothing orders any more; what was written behind the barrier is read before;
        // those who still wait, wait for ever.
        Mutation::BarrierDropped => &[DataRace, UninitialisedRead, BarrierDivergence, Deadlock],
        // The same, and not all of a mask come to where the barrier is now.
        Mutation::BarrierMoved => &[
            DataRace,
            UninitialisedRead,
            BarrierDivergence,
            BadWarpMask,
            Deadlock,
        ],
        // Another cell: another thread's, none, one without contents, or the wrong one; and whoever
        // waits for the right one, or asserts something of it.
        Mutation::IndexShifted => &[
            DataRace,
            OutOfBounds,
            UninitialisedRead,
            NotEquivalent,
            Assertion,
            MisalignedAccess,
            Deadlock,
            Livelock,
        ],
        // More threads, or more rounds, do what is not for them: whatever the guard kept away.
        Mutation::GuardWeakened => &[
            DataRace,
            OutOfBounds,
            UninitialisedRead,
            NotEquivalent,
            BarrierDivergence,
            BadWarpMask,
            Deadlock,
            Livelock,
            NullPointer,
            DivisionByZero,
            UndefinedArithmetic,
            Assertion,
            MisalignedAccess,
        ],
        // Where one thread writes, its place is the wrong one; a shared variable has no value before
        // somebody else gives it one. Between launches in two streams the race has a name of its own.
        Mutation::WriteMadeRacy => &[DataRace, UnorderedStreams, UninitialisedRead, NotEquivalent],
        // Atomics of one block do not order other blocks; of two writes at once one may be lost, and
        // whoever waits for it waits for ever.
        Mutation::OrderWeakened => &[
            DataRace,
            UninitialisedRead,
            Deadlock,
            Livelock,
            NotEquivalent,
        ],
        // Lanes that are not named, or values that lanes outside of the mask do not give.
        Mutation::LanesChanged => &[
            BadWarpMask,
            BadWarpWidth,
            UninitialisedRead,
            NotEquivalent,
            DataRace,
        ],
        // Rounds that are left out, or come in addition.
        Mutation::StepChanged => &[
            NotEquivalent,
            OutOfBounds,
            DataRace,
            UninitialisedRead,
            BarrierDivergence,
            Deadlock,
            Livelock,
            UndefinedArithmetic,
        ],
    }
}
