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

    /// The instance of its template that a kernel is, where numbers in it were chosen that the file does not put together:
    /// they may not fit each other or the launch, as a number of elements and their type.
    pub fn with_chosen_numbers(&self, kernel: ProcId) -> Option<&str> {
        let of_kernel = self.0.iter().filter(|a| a.proc == kernel);
        of_kernel.into_iter().find_map(|a| match &a.assumed {
            Assumed::ChosenInstance(instance) if has_numbers(instance) => Some(instance.as_str()),
            _ => None,
        })
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

/// Whether `name<…>` has arguments that are numbers, `true` or `false`.
fn has_numbers(instance: &str) -> bool {
    let Some((_, arguments)) = instance.split_once('<') else {
        return false;
    };
    let mut depth = 0;
    let outermost = arguments.split(|c| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    let is_number = |text: &str| {
        let text = text.trim_start_matches('-');
        let word = text.trim_end_matches('>').trim();
        text.starts_with(|c: char| c.is_ascii_digit()) || matches!(word, "true" | "false")
    };
    outermost.map(str::trim).any(is_number)
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

#[cfg(test)]
mod tests {
    use super::has_numbers;

    #[test]
    fn numbers_among_the_arguments_of_an_instance() {
        for with in [
            "k<4>",
            "k<float, 4>",
            "k<-1, int>",
            "k<true>",
            "k<float, false>",
            "k<A<int>, 2>",
            "ns::k<0x10>",
        ] {
            assert!(has_numbers(with), "{with}");
        }
        for without in [
            "k",
            "k<float>",
            "k<A<4>, int>",
            "k<int4>",
            "k<A<int, 2>>",
            "k<truth>",
        ] {
            assert!(!has_numbers(without), "{without}");
        }
    }
}
