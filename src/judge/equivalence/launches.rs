//! The launches that two programs are compared at.

use super::sides::Compared;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::run::trial;
use crate::subject::{self, EntryPoint};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::{Dim3, Launch};

/// A launch of the old side and one of the new; host functions have none.
pub(super) type LaunchPair = (Option<Launch>, Option<Launch>);

/// The launches to compare at: those given; a kernel without one takes the other side's; two
/// kernels without any go over the ladder together.
pub(super) fn launches(old: &Compared, new: &Compared) -> Result<Vec<LaunchPair>, InputError> {
    let is_kernel =
        |side: &Compared| side.prepared.surface.proc(side.point.proc).kind == ProcKind::Kernel;
    let (a, b) = (old.point.launch, new.point.launch);
    Ok(match (is_kernel(old), is_kernel(new)) {
        (false, false) => vec![(None, None)],
        (true, true) if a.is_none() && b.is_none() => {
            let either = EntryPoint {
                asked: old.point.asked.or(new.point.asked),
                ..old.point.clone()
            };
            subject::launch_ladder(&old.prepared.surface, &either, None)
                .into_iter()
                .filter(|l| accepts(new, l).is_ok())
                .map(|l| (Some(l), Some(l)))
                .collect()
        }
        (true, true) => {
            let pair = (a.or(b), b.or(a));
            for (side, launch) in [(old, pair.0), (new, pair.1)] {
                launch.map_or(Ok(()), |launch| accepts(side, &launch))?;
            }
            vec![pair]
        }
        (true, false) if a.is_some() => vec![(a, None)],
        (false, true) if b.is_some() => vec![(None, b)],
        _ => {
            return Err(InputError::usage(
                "comparing a kernel with a host function needs the kernel's launch \
                 (--a-grid/--a-block or --b-grid/--b-block)",
            ));
        }
    })
}

/// Whether the kernel of a side takes a launch that the other side may have been given.
fn accepts(side: &Compared, launch: &Launch) -> Result<(), InputError> {
    subject::validate_launch(&side.prepared.surface, side.point.proc, launch, None)
}

/// Seconds for looking at the launches that are suggested.
const SECONDS: f64 = 2.0;
/// Threads of a block, and blocks, of a launch that is worth suggesting.
const LEAST_THREADS: u64 = 32;
const LEAST_BLOCKS: u64 = 2;

/// Whether the two are kernels that no launch is known of, by option or header.
pub(super) fn is_open(old: &Compared, new: &Compared) -> bool {
    let is_open = |side: &Compared| {
        let procedure = side.prepared.surface.proc(side.point.proc);
        procedure.kind == ProcKind::Kernel && side.point.launch.is_none()
    };
    is_open(old) && is_open(new)
}

/// Which launch to ask for, where none is known: one that nobody asked for says little of two programs that are meant
/// for another. `why`, if anything, is what a proof for every launch stopped at.
pub(super) fn asked_for(old: &Compared, request: &Request, why: &str) -> InputError {
    let name = &old.prepared.surface.proc(old.point.proc).name;
    let advice = match suggested(old, request) {
        Some(launch) => format!(
            "--grid {} --block {} is one at which the original shows no defect",
            extents(launch.grid),
            extents(launch.block)
        ),
        None => "--grid 2 --block 64, say".to_owned(),
    };
    let proof = match why {
        "" => String::new(),
        why => format!("; for every launch it is not proved: {why}"),
    };
    InputError::usage(format!(
        "no launch is known of `{name}`: give the one that its host uses with --grid and --block ({advice}){proof}"
    ))
}

fn extents(of: Dim3) -> String {
    match of {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x},{y}"),
        [x, y, z] => format!("{x},{y},{z}"),
    }
}

/// The first launch of more than a few threads at which a run of the original shows no defect.
fn suggested(old: &Compared, request: &Request) -> Option<Launch> {
    let program = &old.prepared.surface;
    let until = Deadline::after(SECONDS.min(request.deadline(1).left()));
    let ladder = subject::launch_ladder(program, &old.point, None);
    let mut worth = ladder
        .into_iter()
        .filter(|launch| launch.n_threads() >= LEAST_THREADS && launch.n_blocks() >= LEAST_BLOCKS);
    worth.find(|launch| {
        let sampling = request.sampling;
        let setup = subject::sampled_setup(program, &old.point, Some(*launch), sampling, 0);
        until.left() > 0.0
            && setup.is_ok_and(|setup| {
                let trial = trial::with_outcomes(old.prepared, &setup, request, until);
                trial.outcomes.complete && !trial.outcomes.defective && !trial.vacuous
            })
    })
}
