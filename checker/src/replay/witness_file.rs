//! Witnesses made, written and read.

use crate::finding::{DefectKind, ScheduleStep};
use crate::replay::error::ReplayError;
use crate::replay::source_hash::source_hash;
use crate::report::witness::Witness;
use gridlock_semantics::algebra::operator::Provenance;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::{DeviceLimits, static_shared_bytes};

/// The witness of a defect. A program that rules have made is put into it, since no file holds it.
pub fn witness(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    kind: DefectKind,
    schedule: Vec<ScheduleStep>,
) -> Witness {
    let made_by_rules = program
        .operators()
        .iter()
        .any(|(_, op)| matches!(op.provenance, Provenance::Rule { .. }));
    let entry = program.procs.get(setup.entry.0 as usize);
    Witness {
        schema: Witness::SCHEMA,
        file: program
            .files
            .first()
            .map_or(String::new(), |file| file.name.to_string()),
        source_hash: source_hash(program),
        entry: entry.map_or(String::new(), |entry| entry.name.to_string()),
        profile: profile.clone(),
        setup: setup.clone(),
        device: device(program, setup),
        kind,
        schedule,
        led: 0,
        cycle: Vec::new(),
        difference: None,
        reading: None,
        program: made_by_rules.then(|| program.clone()),
    }
}

/// The device whose limits launches were held to, where it is not the usual one. A launch beyond these was run because
/// somebody asked for no device's.
fn device(program: &Program, setup: &Setup) -> Option<String> {
    let declared = static_shared_bytes(program, setup.entry);
    let is_refused = |launch| setup.device.validate(launch, declared).is_err();
    let held_to = match setup.launch.as_ref().is_some_and(is_refused) {
        true => DeviceLimits::NONE,
        false => setup.device,
    };
    let named = held_to
        .name()
        .filter(|_| held_to != DeviceLimits::default());
    named.map(str::to_owned)
}

impl Witness {
    /// The setup as it was run: launches are held to the limits of the device that the witness names.
    ///
    /// # Errors
    /// A device that is not known.
    pub fn held_setup(&self) -> Result<Setup, ReplayError> {
        let device = match self.device.as_deref() {
            None => DeviceLimits::default(),
            Some(name) => {
                let unknown = || ReplayError::UnknownDevice {
                    name: name.to_owned(),
                };
                DeviceLimits::named(name).ok_or_else(unknown)?
            }
        };
        Ok(Setup {
            device,
            ..self.setup.clone()
        })
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        // The type has string keys only, so this cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// # Errors
    /// The text is no witness, or one of another format.
    pub fn from_json(text: &str) -> Result<Witness, ReplayError> {
        #[derive(serde::Deserialize)]
        struct Version {
            schema: u32,
        }
        let unreadable = |error: serde_json::Error| ReplayError::Unreadable(error.to_string());
        let version: Version = serde_json::from_str(text).map_err(unreadable)?;
        if version.schema != Witness::SCHEMA {
            return Err(ReplayError::Schema {
                found: version.schema,
                expected: Witness::SCHEMA,
            });
        }
        serde_json::from_str(text).map_err(unreadable)
    }
}
