//! Whether a defect hangs on what arrays hold, and floating-point arguments are, by the tool's choice: at the same launch,
//! with the same whole numbers, it does not show in runs with other contents. The conditions that are looked for speak of
//! neither.
//!
//! Of races these are the ones of a scatter: several threads read the same element number out of an array and write there,
//! into an array that the kernel does not read. Whoever writes so has either numbers that all differ or does not mind which
//! write is the last. A kernel that reads what it writes there (`bins[key[i]]++`) reckons with numbers that repeat.

use super::contents::scattered_by;
use super::judge::Judge;
use super::other_sizes::with_zeros;
use super::space::Space;
use super::under;
use crate::input::contents::ContentsSpec;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::Caller;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::collections::BTreeSet;

/// Samples of other contents that are tried.
const SAMPLES: std::ops::Range<u32> = 1..7;
/// Transitions of all runs together, and of a thread in one.
const STEPS: u64 = 3_000_000;
const DEPTH: u64 = 20_000;
/// Seconds that they may take even where none are left: without them a choice of the tool's would refute.
const LEAST_SECONDS: f64 = 0.5;

/// Whether a defect of one thread's own doing, or the race of a scatter, shows with contents that nobody gave, and not with
/// others; `None` where the time is over before others were tried. `known` are the kinds of all defects that were found.
pub(crate) fn hangs_on_contents(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    defect: &Defect,
    known: &BTreeSet<DefectKind>,
    deadline: Deadline,
) -> Option<bool> {
    let scattered_by = match defect.kind {
        // Of what is an index it is asked that it be in range, and what remains then is a defect.
        DefectKind::UninitialisedRead
        | DefectKind::DivisionByZero
        | DefectKind::UndefinedArithmetic
        | DefectKind::Livelock => Vec::new(),
        DefectKind::DataRace => match scattered_by(&prepared.atomic, entry, defect) {
            Some(arrays) => arrays,
            None => return Some(false),
        },
        _ => return Some(false),
    };
    let Some(witness) = defect.witness.as_ref() else {
        return Some(false);
    };
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return Some(false);
    }
    let space = Space::with_usual_shared(&prepared.surface, entry, device);
    let here = under::point_of(&space, &witness.setup);
    let Some(Ok(closed)) = here.map(|here| space.closed_at(&here)) else {
        return Some(false);
    };
    let deadline = Deadline::after(deadline.left().max(LEAST_SECONDS));
    let judge = Judge::quick(prepared, &space, request, defect.kind, STEPS, DEPTH);
    // Where the launch is not certain either, one in which something else goes wrong behind the place shows it as well; else
    // what goes wrong there has to be known, so that it is not left unsaid.
    let is_guess = matches!(
        defect.grade.caller,
        Some(Caller::HostCode {
            is_certain: false,
            ..
        })
    );
    let may_pass = defect.kind.ends_run() && defect.kind != DefectKind::Livelock;
    let passes = |setup: &Setup| {
        let behind = judge.passes(setup, deadline, &witness.schedule);
        behind.is_some_and(|kinds| is_guess || kinds.is_subset(known))
    };
    let with = |entry: &EntryPoint, sample: u32| {
        let (program, sampling) = (&prepared.surface, request.sampling);
        let setup = subject::sampled_setup(program, entry, entry.launch, sampling, sample);
        setup.is_ok_and(|setup| {
            !judge.is_spent() && judge.is_without(&setup, deadline) || may_pass && passes(&setup)
        })
    };
    if !scattered_by.is_empty() {
        let mut all_different = closed;
        for var in scattered_by {
            let (first, step) = ("0".to_owned(), "1".to_owned());
            let numbered = ContentsSpec::Range { first, step };
            all_different.contents.entry(var).or_insert(numbered);
        }
        let mut samples = SAMPLES;
        let is_right = samples.any(|sample| with(&all_different, sample));
        return (is_right || deadline.left() > 0.0).then_some(is_right);
    }
    let zero = with_zeros(prepared, &closed);
    let is_right = with(&zero, 0) || SAMPLES.into_iter().any(|sample| with(&closed, sample));
    (is_right || deadline.left() > 0.0).then_some(is_right)
}
