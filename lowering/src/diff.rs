//! Differential testing: a device against the checker.
//!
//! A program whose canonical run decides all schedules has one outcome for each input: integers
//! must be equal, floats equal in their bits (or within a stated number of units in the last
//! place). Of any other program the device is asked many times, and each outcome seen must be
//! one the explorer knows: an outcome seen and not allowed refutes the semantics.

use crate::device::runner::{Job, JobResult, run as run_job, run_in_child};
use crate::device::{DeviceError, DeviceInfo, DeviceKind, Interpreter};
use gridlock_checker::explore::{ExploreOptions, Outcome, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::system::observation::Observation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Differences a report lists; more are only counted.
const LISTED: usize = 10;

/// A canonical run that finds races is made up to twice more, to name and to record them.
const RUNS_OF_ONE: u32 = 3;

/// How a program is compared with a device.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// The device compared with.
    pub device: DeviceKind,
    /// Number of different inputs: input `i` replaces random contents by those of a seed made of
    /// `seed` and `i`.
    pub runs: u32,
    /// Base of the inputs' seeds.
    pub seed: u64,
    /// How often each input is run on the device when its outcome depends on the schedule.
    pub repeat: u32,
    /// Largest distance allowed between floats, in units in the last place.
    pub ulps: u64,
    /// The profile of the checker whose outcomes are the expected ones.
    pub profile: Profile,
    /// Of the checker, for each input.
    pub limits: Limits,
    /// Program to call as the child process; `None`: run in this process.
    pub child: Option<PathBuf>,
    /// For each job on the device.
    pub time_limit: Duration,
    /// When all must have ended, whatever the other limits leave.
    pub until: Option<Instant>,
}

impl DiffOptions {
    /// The time until then, at most `time`.
    fn within(&self, time: Duration) -> Result<Duration, DeviceError> {
        let Some(until) = self.until else {
            return Ok(time);
        };
        match until.saturating_duration_since(Instant::now()).min(time) {
            Duration::ZERO => Err(DeviceError::Limit {
                what: "the time for the whole command (--limit-seconds)".to_owned(),
            }),
            left => Ok(left),
        }
    }

    /// The limits of a search of the checker that may take its time so many times.
    fn limits(&self, times: u32) -> Result<Limits, DeviceError> {
        let asked = Duration::try_from_secs_f64(self.limits.seconds).unwrap_or(Duration::MAX);
        let left = self.within(asked.saturating_mul(times))?;
        Ok(Limits {
            seconds: (left / times).as_secs_f64(),
            ..self.limits
        })
    }
}

/// One cell that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Number of the input.
    pub run: u32,
    /// Name of the array; `result` for what a host function returns.
    pub array: String,
    /// Of the cell, in elements; 0 for a result.
    pub index: u64,
    /// What the checker gives.
    pub expected: Value,
    /// What the device gave.
    pub seen: Value,
}

/// How often an outcome was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeCount {
    /// Number of the input.
    pub run: u32,
    /// The observed arrays, shortened.
    pub outcome: String,
    /// Whether some schedule of the profile gives it.
    pub allowed: bool,
    /// Times it was seen on the device; 0 for what is allowed and was not seen.
    pub count: u64,
}

/// What a comparison of a device with the checker found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffReport {
    /// The device that ran the program.
    pub device: DeviceInfo,
    /// Runs made on the device.
    pub runs: u64,
    /// Cells compared.
    pub cells: u64,
    /// Whether every input agreed: no cell differs, no outcome is outside the allowed ones.
    pub agree: bool,
    /// Cells that differ.
    pub n_differences: u64,
    /// The first few of them.
    pub differences: Vec<Difference>,
    /// Largest distance seen between floats, in units in the last place; 0 when bits are equal.
    pub max_ulps: u64,
    /// For inputs whose outcome depends on the schedule.
    pub histogram: Vec<OutcomeCount>,
    /// Seconds on the device in one launch: least and mean over all launches.
    pub best_seconds: f64,
    /// Mean over all launches; see [`DiffReport::best_seconds`].
    pub mean_seconds: f64,
}

/// Why nothing could be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DiffError {
    /// The device gives no outcome.
    #[error("on the device: {0}")]
    Device(DeviceError),
    /// The checker gives no outcome to compare with.
    #[error("in the checker: {0}")]
    Checker(DeviceError),
}

/// What the checker says of one input.
enum Expected {
    One(Observation),
    AnyOf(Vec<Observation>),
}

/// Runs the program on the device and in the checker and compares what is observed.
///
/// # Errors
/// [`DiffError::Device`] when the device gives no outcome; [`DiffError::Checker`] when the
/// checker has none to compare with (a defective input, a limit).
pub fn run(
    program: &Program,
    setup: &Setup,
    options: &DiffOptions,
) -> Result<DiffReport, DiffError> {
    let setups: Vec<Setup> = (0..options.runs.max(1))
        .map(|run| reseeded(setup, options.seed, run))
        .collect();
    let mut expected = Vec::with_capacity(setups.len());
    let mut interpreter = Interpreter::with(program, options.profile.clone(), options.limits)
        .map_err(DiffError::Checker)?;
    for setup in &setups {
        interpreter.limits = options.limits(RUNS_OF_ONE).map_err(DiffError::Checker)?;
        expected.push(expectation(program, setup, &interpreter, options)?);
    }
    let depends = expected.iter().any(|e| matches!(e, Expected::AnyOf(_)));
    let job = Job {
        device: options.device,
        program: program.clone(),
        setups,
        repeat: if depends { options.repeat.max(1) } else { 1 },
    };
    let result = match &options.child {
        Some(exe) => {
            let time = options.within(options.time_limit);
            time.and_then(|time| run_in_child(exe, &job, time))
        }
        None => run_job(&job),
    }
    .map_err(DiffError::Device)?;
    compare(&expected, result, options)
}

/// The setup with other random contents: reproducible from `seed` and `run`.
pub fn reseeded(setup: &Setup, seed: u64, run: u32) -> Setup {
    let mut setup = setup.clone();
    for (index, array) in setup.arrays.iter_mut().enumerate() {
        let other = seed
            .wrapping_add(u64::from(run).wrapping_mul(1_000_003))
            .wrapping_add(index as u64);
        reseed(&mut array.contents, other);
    }
    setup
}

fn reseed(contents: &mut Contents, other: u64) {
    match contents {
        Contents::Random { seed }
        | Contents::WholeRange { seed }
        | Contents::Ordinary { seed, .. }
        | Contents::Below { seed, .. }
        | Contents::Arbitrary { seed } => *seed = other,
        Contents::Sprinkled { seed, rest, .. } => {
            *seed = other;
            reseed(rest, other);
        }
        Contents::Undef
        | Contents::Zero
        | Contents::Values(_)
        | Contents::Cells(_)
        | Contents::Fill(_)
        | Contents::Range { .. } => {}
    }
}

fn expectation(
    program: &Program,
    setup: &Setup,
    interpreter: &Interpreter,
    options: &DiffOptions,
) -> Result<Expected, DiffError> {
    match interpreter.observe(setup) {
        Ok(observation) => Ok(Expected::One(observation)),
        Err(DeviceError::OrderDependent { .. }) => {
            let explored = explore_program(
                program,
                setup,
                &options.profile,
                &options.limits(1).map_err(DiffError::Checker)?,
                &ExploreOptions::default(),
            )
            .map_err(|e| DiffError::Checker(DeviceError::setup(e.to_string())))?;
            if !explored.complete {
                let what = explored.limits_hit.join(", ");
                return Err(DiffError::Checker(DeviceError::Limit { what }));
            }
            let allowed = explored
                .outcomes
                .into_keys()
                .filter_map(|outcome| match outcome {
                    Outcome::Observation(observation) => Some(observation),
                    Outcome::Fault { .. } | Outcome::Deadlock => None,
                });
            Ok(Expected::AnyOf(allowed.collect()))
        }
        Err(error) => Err(DiffError::Checker(error)),
    }
}

/// What two observations have in common: where the first has a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Cells compared.
    pub cells: u64,
    /// Whether no cell differs.
    pub agree: bool,
    /// Cells that differ.
    pub n_differences: u64,
    /// The first few.
    pub differences: Vec<Difference>,
    /// Largest distance seen between floats, in units in the last place; 0 when bits are equal.
    pub max_ulps: u64,
}

/// Compares what was seen with what was expected, floats within `ulps`.
pub fn compare_observations(expected: &Observation, seen: &Observation, ulps: u64) -> Comparison {
    let mut found = Comparison {
        agree: true,
        ..Comparison::default()
    };
    let mut cell = |array: &str, index: usize, expected: Value, seen: Option<Value>| {
        // It was never written: the device shows whatever is there.
        if expected == Value::Undef {
            return;
        }
        let seen = seen.unwrap_or(Value::Undef);
        found.cells += 1;
        let distance = ulps_between(expected, seen);
        found.max_ulps = found.max_ulps.max(distance.unwrap_or(0));
        if distance.is_none_or(|distance| distance > ulps) {
            found.agree = false;
            found.n_differences += 1;
            if found.differences.len() < LISTED {
                found.differences.push(Difference {
                    run: 0,
                    array: array.to_owned(),
                    index: index as u64,
                    expected,
                    seen,
                });
            }
        }
    };
    for (number, array) in expected.arrays.iter().enumerate() {
        let other = seen.arrays.get(number);
        for (index, value) in array.cells.iter().enumerate() {
            let found = other.and_then(|other| other.cells.get(index));
            cell(&array.name, index, *value, found.copied());
        }
    }
    if let Some(result) = expected.result {
        cell("result", 0, result, seen.result);
    }
    found
}

fn compare(
    expected: &[Expected],
    result: JobResult,
    options: &DiffOptions,
) -> Result<DiffReport, DiffError> {
    let mut report = DiffReport {
        device: result.device,
        runs: 0,
        cells: 0,
        agree: true,
        n_differences: 0,
        differences: vec![],
        max_ulps: 0,
        histogram: vec![],
        best_seconds: 0.0,
        mean_seconds: 0.0,
    };
    let mut seconds = Vec::new();
    for (number, (expected, runs)) in expected.iter().zip(result.runs).enumerate() {
        let number = number as u32;
        let mut seen = BTreeMap::new();
        for run in runs {
            report.runs += 1;
            seconds.extend(run.seconds);
            let observation = run.outcome.map_err(DiffError::Device)?;
            match expected {
                Expected::One(expected) => {
                    report.one(number, expected, &observation, options.ulps);
                }
                Expected::AnyOf(_) => *seen.entry(observation).or_insert(0u64) += 1,
            }
        }
        if let Expected::AnyOf(allowed) = expected {
            report.many(number, allowed, seen);
        }
    }
    if !seconds.is_empty() {
        report.best_seconds = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        report.mean_seconds = seconds.iter().sum::<f64>() / seconds.len() as f64;
    }
    Ok(report)
}

impl DiffReport {
    fn one(&mut self, run: u32, expected: &Observation, seen: &Observation, ulps: u64) {
        let compared = compare_observations(expected, seen, ulps);
        self.cells += compared.cells;
        self.agree &= compared.agree;
        self.n_differences += compared.n_differences;
        self.max_ulps = self.max_ulps.max(compared.max_ulps);
        let room = LISTED - self.differences.len();
        let listed = compared.differences.into_iter().take(room);
        self.differences
            .extend(listed.map(|difference| Difference { run, ..difference }));
    }

    fn many(&mut self, run: u32, allowed: &[Observation], seen: BTreeMap<Observation, u64>) {
        let mut not_seen: Vec<&Observation> = allowed.iter().collect();
        for (observation, count) in seen {
            let position = not_seen.iter().position(|known| same(known, &observation));
            let is_allowed = position.is_some() || allowed.iter().any(|a| same(a, &observation));
            if let Some(position) = position {
                not_seen.swap_remove(position);
            }
            self.agree &= is_allowed;
            self.histogram.push(OutcomeCount {
                run,
                outcome: shortened(&observation),
                allowed: is_allowed,
                count,
            });
        }
        for observation in not_seen {
            self.histogram.push(OutcomeCount {
                run,
                outcome: shortened(observation),
                allowed: true,
                count: 0,
            });
        }
    }
}

/// Equal where the checker knows what a cell holds.
fn same(known: &Observation, seen: &Observation) -> bool {
    known.result == seen.result
        && known.arrays.len() == seen.arrays.len()
        && known.arrays.iter().zip(&seen.arrays).all(|(a, b)| {
            a.cells.len() == b.cells.len()
                && a.cells
                    .iter()
                    .zip(&b.cells)
                    .all(|(a, b)| *a == Value::Undef || a == b)
        })
}

/// Distance in units in the last place: 0 for equal values, `None` for values that are no floats
/// of one type and differ, or of which one is NaN.
pub fn ulps_between(a: Value, b: Value) -> Option<u64> {
    if a == b {
        return Some(0);
    }
    // Order-preserving: negative floats count down from zero.
    fn ordered(bits: i64, sign: i64) -> i64 {
        if bits & sign != 0 {
            -(bits ^ sign)
        } else {
            bits
        }
    }
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => {
            if f32::from_bits(a).is_nan() || f32::from_bits(b).is_nan() {
                return None;
            }
            let sign = 1 << 31;
            Some(ordered(i64::from(a), sign).abs_diff(ordered(i64::from(b), sign)))
        }
        (Value::F64(a), Value::F64(b)) => {
            if f64::from_bits(a).is_nan() || f64::from_bits(b).is_nan() {
                return None;
            }
            Some(ordered(a as i64, i64::MIN).abs_diff(ordered(b as i64, i64::MIN)))
        }
        _ => None,
    }
}

/// An observation in a line.
pub fn shortened(observation: &Observation) -> String {
    const SHOWN: usize = 8;
    let mut parts = Vec::new();
    for array in &observation.arrays {
        let mut cells: Vec<String> = array
            .cells
            .iter()
            .take(SHOWN)
            .map(Value::to_string)
            .collect();
        if array.cells.len() > SHOWN {
            cells.push(format!("… {} cells", array.cells.len()));
        }
        parts.push(format!("{} = [{}]", array.name, cells.join(", ")));
    }
    if let Some(result) = observation.result {
        parts.push(format!("result = {result}"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::types::ScalarType;
    use gridlock_semantics::system::observation::ObservedArray;

    fn cell(value: i32) -> Observation {
        Observation {
            arrays: vec![ObservedArray {
                name: "x".into(),
                elem: ScalarType::I32,
                cells: vec![Value::i32(value)],
            }],
            result: None,
        }
    }

    fn report() -> DiffReport {
        DiffReport {
            device: crate::device::interpreter::info("cuda"),
            runs: 0,
            cells: 0,
            agree: true,
            n_differences: 0,
            differences: vec![],
            max_ulps: 0,
            histogram: vec![],
            best_seconds: 0.0,
            mean_seconds: 0.0,
        }
    }

    #[test]
    fn every_outcome_seen_must_be_allowed() {
        let mut fine = report();
        fine.many(0, &[cell(1), cell(2)], BTreeMap::from([(cell(2), 7)]));
        assert!(fine.agree);
        let counts: Vec<(bool, u64)> = fine
            .histogram
            .iter()
            .map(|o| (o.allowed, o.count))
            .collect();
        assert_eq!(counts, [(true, 7), (true, 0)]);

        let mut refuted = report();
        refuted.many(0, &[cell(1)], BTreeMap::from([(cell(1), 6), (cell(3), 1)]));
        assert!(!refuted.agree);
        assert!(
            refuted
                .histogram
                .iter()
                .any(|o| !o.allowed && o.outcome == "x = [3]")
        );
    }

    #[test]
    fn distances_of_floats() {
        let check = |a: f32, b: f32, expected: Option<u64>| {
            assert_eq!(
                ulps_between(Value::f32(a), Value::f32(b)),
                expected,
                "{a} {b}"
            );
        };
        check(1.0, 1.0, Some(0));
        check(1.0, f32::from_bits(1.0f32.to_bits() + 1), Some(1));
        check(-1.0, f32::from_bits((-1.0f32).to_bits() + 3), Some(3));
        check(0.0, -0.0, Some(0));
        check(f32::from_bits(1), f32::from_bits(0x8000_0001), Some(2));
        check(f32::NAN, 1.0, None);
        check(f32::NAN, f32::NAN, Some(0));
        assert_eq!(ulps_between(Value::f64(-1.0), Value::f64(-1.0)), Some(0));
        assert_eq!(ulps_between(Value::i32(1), Value::i32(2)), None);
    }
}
