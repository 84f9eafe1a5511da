//! What is taken for granted before anything is judged: by the front end, where a file leaves something open, and by
//! the profile.

use super::entry::EntryPoint;
use super::premises;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_frontend::{Assumed, Parsed};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::path::Path;

/// Kept aside while the program is prepared.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenForGranted(Vec<gridlock_frontend::Assumption>);

impl TakenForGranted {
    pub fn of(parsed: &Parsed) -> TakenForGranted {
        TakenForGranted(parsed.assumptions.clone())
    }

    /// Adds what concerns these entries to a report's assumptions.
    pub fn note(
        &self,
        program: &Program,
        entries: &[ProcId],
        assumptions: &mut Statements<Assumption>,
    ) {
        for &entry in entries {
            let reachable = premises::features(program, entry).reachable;
            let of_entry = self.0.iter().filter(|a| reachable.contains(&a.proc));
            assumptions.extend(of_entry.map(|a| of_the_front_end(&a.assumed)));
        }
    }
}

/// A folder as one names it from here.
fn shown(folder: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let inside = folder.strip_prefix(here).unwrap_or(folder);
    match inside.as_os_str().is_empty() {
        true => "the current folder".to_owned(),
        false => inside.display().to_string(),
    }
}

fn of_the_front_end(assumed: &Assumed) -> Assumption {
    match assumed.clone() {
        Assumed::HeaderDefinition(definition) => Assumption::HeaderDefinition { definition },
        Assumed::MissingHeader(header) => Assumption::MissingHeader { header },
        Assumed::HeaderNearby { header, folder } => Assumption::HeaderNearby {
            header,
            folder: shown(&folder),
        },
        Assumed::NotAccepted {
            file,
            line,
            message,
        } => Assumption::NotAccepted {
            file,
            line,
            message,
        },
        Assumed::AnyValue(function) => Assumption::AnyValue { function },
        Assumed::NoBody {
            function,
            gives_value,
        } => Assumption::NoBody {
            function,
            gives_value,
        },
        Assumed::PartsOfElements {
            argument,
            bytes,
            cells,
        } => Assumption::PartsOfElements {
            argument,
            bytes,
            cells,
        },
        Assumed::SmallMachine(function) => Assumption::SmallMachine { function },
        Assumed::GroupEventsBarrier => Assumption::GroupEventsBarrier {},
        Assumed::ArraysAligned(bytes) => Assumption::ArraysAligned { bytes },
        Assumed::Approximated(function) => Assumption::Approximated { function },
        Assumed::SumsInOrder => Assumption::SumsInOrder {},
        Assumed::OwnCopies => Assumption::OwnCopies {},
        Assumed::AssemblyInPlace => Assumption::AssemblyInPlace {},
        Assumed::TexturesApart => Assumption::TexturesApart {},
        Assumed::InsideSurface(surface) => Assumption::InsideSurface { surface },
        Assumed::DeviceVariable(variable) => Assumption::DeviceVariable { variable },
        Assumed::ChosenInstance(instance) => Assumption::ChosenInstance { instance },
        Assumed::BareCommandLine => Assumption::BareCommandLine {},
    }
}

/// The launch that was given, where no device of today has blocks of its size.
pub(crate) fn beyond_devices(point: &EntryPoint) -> Option<Assumption> {
    let limits = DeviceLimits {
        block: DeviceLimits::default().block,
        threads: DeviceLimits::default().threads,
        ..DeviceLimits::NONE
    };
    let refusal = limits.validate(&point.launch?, 0).err()?;
    Some(Assumption::BlocksBeyondDevices {
        refusal: refusal.reason,
    })
}

/// What the profile takes for granted of the machine.
pub(crate) fn of_the_machine(profile: &Profile) -> Statements<Assumption> {
    let acquires = profile.axes.memory.barrier_acquires_for_volatile();
    let assumption = acquires.then_some(Assumption::BarrierAcquiresForVolatile {});
    assumption.into_iter().collect()
}
