//! Recordings of runs on real devices: written where the device is, replayed against today's
//! semantics everywhere. Never edited by hand.

use crate::device::cells::encode_all;
use crate::device::{DeviceError, DeviceInfo, Interpreter};
use crate::fingerprint::fingerprint;
use gridlock_checker::explore::{ExploreOptions, Outcome, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What a device did with one program and one input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Version of this format.
    pub schema: u32,
    /// Name of the case; with the device, the file's name.
    pub name: String,
    /// The device that ran it.
    pub device: DeviceInfo,
    /// Path of the source in the repository.
    pub file: String,
    /// [`fingerprint`] of that source, as it was.
    pub source_hash: String,
    /// The program as [`crate::host::program`] prints it: a recording outlives changes of the file,
    /// and a program made by rules stands in no file. Reading it gives the program to replay.
    pub program: String,
    /// [`fingerprint`] of the lowered text that was compiled.
    pub text_hash: String,
    /// Name of the procedure that was run.
    pub entry: String,
    /// Launch, arguments and contents; random contents by their seed.
    pub setup: Setup,
    /// Each outcome seen, with how often.
    pub outcomes: Vec<RecordedOutcome>,
    /// Seconds of each launch of the first run.
    pub seconds: Vec<f64>,
}

/// One outcome of the runs that were recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedOutcome {
    /// Times it was seen.
    pub count: u64,
    /// The observed arrays, in the order of the observation.
    pub arrays: Vec<RecordedArray>,
    /// What a host function returned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Value>,
}

/// Final contents of an observed array: all of them by their fingerprint, the first few as they
/// are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedArray {
    /// Of the array, in the program.
    pub name: String,
    /// Type of its cells.
    pub elem: ScalarType,
    /// Number of cells.
    pub extent: u64,
    /// [`fingerprint`] of the cells' bytes, [`encode_all`].
    pub hash: String,
    /// At most [`RecordedArray::SHOWN`].
    pub first: Vec<Value>,
}

impl Recording {
    /// The version written, and the only one that is read.
    pub const SCHEMA: u32 = 1;
}

impl RecordedArray {
    /// Cells that are kept as they are.
    pub const SHOWN: usize = 64;
}

impl RecordedOutcome {
    /// The outcome `observation`, seen `count` times.
    pub fn new(count: u64, observation: &Observation) -> RecordedOutcome {
        let arrays = observation.arrays.iter().map(|array| RecordedArray {
            name: array.name.to_string(),
            elem: array.elem,
            extent: array.cells.len() as u64,
            hash: fingerprint(&encode_all(&array.cells, array.elem)),
            first: array
                .cells
                .iter()
                .take(RecordedArray::SHOWN)
                .copied()
                .collect(),
        });
        RecordedOutcome {
            count,
            arrays: arrays.collect(),
            result: observation.result,
        }
    }
}

/// Why a recording could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// As it was given.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The text is not JSON of this schema.
    #[error("{path} is no recording: {message}")]
    Format {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}

/// Disagreement of a recording with today's semantics.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The program has no procedure of that name.
    #[error("there is no procedure `{0}` in the program")]
    NoEntry(String),
    /// The checker has nothing to compare with.
    #[error("in the checker: {0}")]
    Checker(DeviceError),
    /// The device gave what no schedule gives: the semantics (or a printer) is wrong.
    #[error("seen on {device}, and not allowed: {array}[{index}] = {seen} (expected {expected})")]
    NotAllowed {
        /// Name of the device.
        device: String,
        /// Name of the array; `result` for what a host function returned.
        array: String,
        /// Of the cell, in elements.
        index: u64,
        /// What the device gave.
        seen: Value,
        /// What the checker gives.
        expected: Value,
    },
    /// As [`ReplayError::NotAllowed`], in a cell that is recorded by the fingerprint only.
    #[error("seen on {device}, and not allowed: {array} differs behind its first cells")]
    NotAllowedInside {
        /// Name of the device.
        device: String,
        /// Name of the array.
        array: String,
    },
    /// As [`ReplayError::NotAllowed`], among several allowed outcomes.
    #[error("seen on {device}, and not among the {allowed} outcomes allowed")]
    NotAmong {
        /// Name of the device.
        device: String,
        /// How many outcomes the checker allows.
        allowed: usize,
    },
}

/// Writes a recording into a folder, as `NAME-DEVICE.json`.
pub fn write(folder: &Path, recording: &Recording) -> Result<PathBuf, RecordingError> {
    let device: String = recording
        .device
        .name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    let path = folder.join(format!("{}-{device}.json", recording.name));
    let wrong = |source: io::Error| RecordingError::File {
        path: path.display().to_string(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let mut text = serde_json::to_string_pretty(recording).map_err(|e| RecordingError::Format {
        path: path.display().to_string(),
        message: e.to_string(),
    })?;
    text.push('\n');
    std::fs::write(&path, text).map_err(wrong)?;
    Ok(path)
}

/// Reads one recording.
pub fn read(path: &Path) -> Result<Recording, RecordingError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| RecordingError::File {
        path: name.clone(),
        source,
    })?;
    let recording: Recording = serde_json::from_str(&text).map_err(|e| RecordingError::Format {
        path: name.clone(),
        message: e.to_string(),
    })?;
    if recording.schema != Recording::SCHEMA {
        return Err(RecordingError::Format {
            path: name,
            message: format!("schema {} is not known", recording.schema),
        });
    }
    Ok(recording)
}

/// The recordings in a folder, sorted by path. A folder that is not there has none.
pub fn read_all(folder: &Path) -> Result<Vec<(PathBuf, Recording)>, RecordingError> {
    if !folder.exists() {
        return Ok(vec![]);
    }
    let wrong = |source: io::Error| RecordingError::File {
        path: folder.display().to_string(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| Ok((path.clone(), read(&path)?)))
        .collect()
}

/// Checks that today's semantics allows what was recorded. `program`: the recording's program text,
/// parsed today. Gives the number of cells compared.
pub fn replay_check(
    recording: &Recording,
    program: &Program,
    profile: &Profile,
    limits: &Limits,
) -> Result<u64, ReplayError> {
    let mut setup = recording.setup.clone();
    setup.entry = program
        .find_proc(&recording.entry)
        .ok_or_else(|| ReplayError::NoEntry(recording.entry.clone()))?;
    let interpreter =
        Interpreter::with(program, profile.clone(), *limits).map_err(ReplayError::Checker)?;
    match interpreter.observe(&setup) {
        Ok(expected) => {
            let mut cells = 0;
            for outcome in &recording.outcomes {
                cells += agrees(&recording.device.name, &expected, outcome)?;
            }
            Ok(cells)
        }
        Err(DeviceError::OrderDependent { .. }) => {
            let explored =
                explore_program(program, &setup, profile, limits, &ExploreOptions::default())
                    .map_err(|e| ReplayError::Checker(DeviceError::setup(e.to_string())))?;
            if !explored.complete {
                let what = explored.limits_hit.join(", ");
                return Err(ReplayError::Checker(DeviceError::Limit { what }));
            }
            let allowed: Vec<Observation> = explored
                .outcomes
                .into_keys()
                .filter_map(|outcome| match outcome {
                    Outcome::Observation(observation) => Some(observation),
                    Outcome::Fault { .. } | Outcome::Deadlock => None,
                })
                .collect();
            let mut cells = 0;
            for outcome in &recording.outcomes {
                let found = allowed
                    .iter()
                    .find_map(|known| agrees(&recording.device.name, known, outcome).ok());
                match found {
                    Some(n) => cells += n,
                    None => {
                        return Err(ReplayError::NotAmong {
                            device: recording.device.name.clone(),
                            allowed: allowed.len(),
                        });
                    }
                }
            }
            Ok(cells)
        }
        Err(error) => Err(ReplayError::Checker(error)),
    }
}

/// Compares cell by cell where cells are recorded, by fingerprint beyond. (A cell that was never
/// written is the same byte pattern on a device and in the encoding of `Value::Undef`.)
fn agrees(
    device: &str,
    expected: &Observation,
    seen: &RecordedOutcome,
) -> Result<u64, ReplayError> {
    let differs = |array: &str, index: usize, expected: Value, seen: Value| {
        Err(ReplayError::NotAllowed {
            device: device.to_owned(),
            array: array.to_owned(),
            index: index as u64,
            seen,
            expected,
        })
    };
    let mut cells = 0;
    for (number, array) in expected.arrays.iter().enumerate() {
        let inside = || ReplayError::NotAllowedInside {
            device: device.to_owned(),
            array: array.name.to_string(),
        };
        let other = seen.arrays.get(number).ok_or_else(inside)?;
        for (index, (expected, seen)) in array.cells.iter().zip(&other.first).enumerate() {
            if *expected != Value::Undef && expected != seen {
                return differs(&array.name, index, *expected, *seen);
            }
        }
        if array.cells.len() as u64 != other.extent {
            return Err(inside());
        }
        let is_whole = other.first.len() == array.cells.len();
        if !is_whole && fingerprint(&encode_all(&array.cells, array.elem)) != other.hash {
            return Err(inside());
        }
        cells += other.extent;
    }
    if let Some(result) = expected.result {
        let seen = seen.result.unwrap_or(Value::Undef);
        if seen != result {
            return differs("result", 0, result, seen);
        }
        cells += 1;
    }
    Ok(cells)
}
