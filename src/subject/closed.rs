//! One closed configuration of one entry, for commands that run a program instead of judging it:
//! `explore`, `trace`, `diff`.

use crate::input::error::InputError;
use crate::input::request::{EntryRequest, Request};
use crate::input::request::{launches_keep, limits_of_launch};
use crate::subject::entries::single_entry;
use crate::subject::prepared::Prepared;
use crate::subject::printed::not_compared;
use crate::subject::taken::TakenForGranted;
use crate::subject::{self, EntryPoint};
use gridlock_checker::report::Subject;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::Gap;
use gridlock_checker::report::statements::Statements;
use gridlock_frontend::ParseOptions;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::{Launch, Setup};
use std::path::Path;

/// A program with everything a run depends on but the schedule.
pub struct Closed {
    /// The program in all its forms.
    pub prepared: Prepared,
    /// The entry with what the user fixed of it.
    pub point: EntryPoint,
    /// The launch, the arguments and the contents of arrays.
    pub setup: Setup,
    /// As reports show it.
    pub subject: Subject,
    /// Whether the launch is ours: neither an option nor a header gave one.
    pub launch_is_chosen: bool,
    /// What it prints, which no run shows.
    pub printed: Option<Gap>,
    /// What was taken for granted where the file leaves it open, and of the machine.
    pub assumptions: Statements<Assumption>,
}

/// Reads `file` and closes its entry: the launch asked for, by option or header; for a kernel
/// without one, one block of two threads. Inputs are the first of the request's samples.
///
/// # Errors
/// As [`crate::judge::check::check_file`]; several entries and none chosen.
pub fn closed(
    file: &Path,
    parse: &ParseOptions,
    entry: &EntryRequest,
    request: &Request,
) -> Result<Closed, InputError> {
    let shown = file.display().to_string();
    let parsed = crate::input::source::parse(file, parse)?;
    let mut entry = crate::input::source::launch_from_headers(entry, &parsed)?;
    let device = limits_of_launch(request, &entry)?;
    let proc = single_entry(&shown, &parsed, &entry)?;
    let is_kernel = parsed.program.proc(proc).kind == ProcKind::Kernel;
    let launch_is_chosen = is_kernel && !entry.launch.is_given();
    if launch_is_chosen {
        entry.launch.grid = Some([1; 3]);
        entry.launch.block = Some([2, 1, 1]);
    }
    let taken = TakenForGranted::of(&parsed);
    let printed = not_compared(&parsed, proc);
    let prepared = Prepared::new(parsed.program);
    let mut assumptions = crate::subject::taken::of_the_machine(&request.profile);
    taken.note(&prepared.surface, &[proc], &mut assumptions);
    let mut point = subject::resolve_entry(&prepared.surface, proc, &entry, device.as_ref())?;
    point.device = launches_keep(request);
    assumptions.extend(crate::subject::taken::beyond_devices(&point));
    let setup =
        subject::sampled_setup(&prepared.surface, &point, point.launch, request.sampling, 0)?;
    let mut launch = subject::describe(&prepared.surface, &point);
    if let Some(Launch {
        grid,
        block,
        shared_bytes,
    }) = setup.launch
    {
        launch.grid = Some(grid);
        launch.block = Some(block);
        launch.shared = Some(shared_bytes);
    }
    launch.args = scalar_arguments(&prepared, &point, &setup);
    let subject = Subject {
        file: shown,
        kernel: prepared.surface.proc(proc).name.to_string(),
        launch,
        inputs: format!("random, seed {}", request.sampling.seed),
        host_launches: Vec::new(),
        host_tried: None,
    };
    Ok(Closed {
        prepared,
        point,
        setup,
        subject,
        launch_is_chosen,
        printed,
        assumptions,
    })
}

/// Every scalar argument by name, those that were sampled too.
fn scalar_arguments(
    prepared: &Prepared,
    point: &EntryPoint,
    setup: &Setup,
) -> std::collections::BTreeMap<String, String> {
    let procedure = prepared.surface.proc(point.proc);
    let named = procedure.params.iter().zip(&setup.args);
    named
        .filter_map(|(var, arg)| match arg {
            gridlock_semantics::setup::Arg::Scalar(value) => Some((
                procedure.vars[var.0 as usize].name.to_string(),
                value.to_string(),
            )),
            _ => None,
        })
        .collect()
}
