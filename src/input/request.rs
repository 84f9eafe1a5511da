//! What the user asks of a judgement: entry, launch, arguments, extents, inputs, profile, limits.

use crate::input::contents::ContentsSpec;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::told::Told;
use gridlock_checker::limits::Limits;
use gridlock_checker::verdict::{Assurance, Property};
use gridlock_frontend::{HostLaunch, Layout};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Dim3;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How inputs are chosen where no engine can take them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Base of the seeds of all samples.
    pub seed: u64,
    /// Number of input sets at each launch.
    pub count: u32,
    /// `--inputs all`: samples do not count, only what holds for all inputs.
    pub all_only: bool,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            seed: 1,
            count: 3,
            all_only: false,
        }
    }
}

/// Extent of an array argument, in elements: a product of numbers and scalar parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtentSpec(pub Vec<ExtentFactor>);

/// A factor of an extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtentFactor {
    /// A number of elements.
    Number(u64),
    /// A scalar parameter, by name.
    Parameter(String),
}

impl ExtentSpec {
    /// Reads `1024`, `n`, `n*m`, `2*n`.
    pub fn parse(text: &str) -> Result<ExtentSpec, InputError> {
        let factor = |part: &str| {
            let part = part.trim();
            if let Ok(number) = part.parse::<u64>() {
                return Ok(ExtentFactor::Number(number));
            }
            let mut chars = part.chars();
            let starts = chars
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
            if starts && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
                Ok(ExtentFactor::Parameter(part.to_owned()))
            } else {
                Err(InputError::usage(format!(
                    "extent `{text}`: `{part}` is neither a number of elements nor a parameter"
                )))
            }
        };
        Ok(ExtentSpec(
            text.split('*').map(factor).collect::<Result<_, _>>()?,
        ))
    }
}

/// The launch as far as it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct LaunchSpec {
    /// Blocks.
    pub grid: Option<Dim3>,
    /// Threads of a block.
    pub block: Option<Dim3>,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: Option<u32>,
}

impl LaunchSpec {
    /// Whether a grid or a block was given.
    pub fn is_given(&self) -> bool {
        self.grid.is_some() || self.block.is_some()
    }

    /// Whether nothing was given.
    pub fn is_default(&self) -> bool {
        *self == LaunchSpec::default()
    }
}

/// `grid 4, block 8×8`, as far as it was given.
impl std::fmt::Display for LaunchSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let extents = |[x, y, z]: Dim3| match (y, z) {
            (1, 1) => x.to_string(),
            (y, 1) => format!("{x}×{y}"),
            (y, z) => format!("{x}×{y}×{z}"),
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.grid.map(|grid| format!("grid {}", extents(grid))));
        parts.extend(self.block.map(|block| format!("block {}", extents(block))));
        parts.extend(
            self.shared_bytes
                .map(|n| format!("{n} bytes of shared memory")),
        );
        f.write_str(&parts.join(", "))
    }
}

/// The assurance a run must reach for exit status 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// At least this.
    pub assurance: Assurance,
    /// Whether it may be reached under a condition on launches and arguments.
    pub accepts_conditions: bool,
}

impl Requirement {
    /// Without a condition.
    pub fn of(assurance: Assurance) -> Requirement {
        Requirement {
            assurance,
            accepts_conditions: false,
        }
    }
}

impl Default for Requirement {
    fn default() -> Requirement {
        Requirement::of(Assurance::AllInputs)
    }
}

/// One side of a judgement.
#[derive(Clone, Debug, Default)]
pub struct EntryRequest {
    /// Kernel or host function; `None` for every kernel of the file.
    pub entry: Option<String>,
    /// The launch, where `entry` is a kernel.
    pub launch: LaunchSpec,
    /// Scalar arguments by parameter name, as written.
    pub args: BTreeMap<String, String>,
    /// Extents of pointer parameters by name.
    pub extents: BTreeMap<String, ExtentSpec>,
    /// First contents of pointer parameters by name.
    pub contents: BTreeMap<String, ContentsSpec>,
    /// What the names of extents may stand for, as the file was read.
    pub layouts: Vec<Layout>,
    /// The launches that host code of the file makes, as it was read.
    pub launches: Vec<HostLaunch>,
    /// The kernels that it may launch in other ways.
    pub other_launches: BTreeSet<String>,
    /// The axes of launches that each procedure of the file asks about, as it was read; `None`: all
    /// that it reads.
    pub asked: Option<BTreeMap<ProcId, LaunchAxes>>,
    /// Whether the launch is that of a GPUVerify header, which knows no limits of devices for blocks.
    pub has_any_block: bool,
    /// What a project says of kernels, by name, where nothing above says otherwise.
    pub of_kernels: BTreeMap<String, OfKernel>,
}

/// A launch and arguments of one kernel.
#[derive(Clone, Debug, Default)]
pub struct OfKernel {
    /// As [`EntryRequest::launch`].
    pub launch: LaunchSpec,
    /// As [`EntryRequest::args`].
    pub args: BTreeMap<String, String>,
    /// As [`EntryRequest::extents`].
    pub extents: BTreeMap<String, ExtentSpec>,
    /// As [`EntryRequest::contents`].
    pub contents: BTreeMap<String, ContentsSpec>,
}

impl EntryRequest {
    /// What is asked of a kernel.
    pub fn of(&self, kernel: &str) -> Cow<'_, EntryRequest> {
        let Some(own) = self.of_kernels.get(kernel) else {
            return Cow::Borrowed(self);
        };
        let mut all = self.clone();
        let launch = &mut all.launch;
        launch.grid = launch.grid.or(own.launch.grid);
        launch.block = launch.block.or(own.launch.block);
        launch.shared_bytes = launch.shared_bytes.or(own.launch.shared_bytes);
        for (name, value) in &own.args {
            all.args
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
        for (name, value) in &own.extents {
            all.extents
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
        for (name, value) in &own.contents {
            all.contents
                .entry(name.clone())
                .or_insert_with(|| value.clone());
        }
        Cow::Owned(all)
    }
}

/// Everything else a judgement depends on.
#[derive(Clone, Debug)]
pub struct Request {
    /// What the hardware guarantees.
    pub profile: Profile,
    /// Inputs of engines that run the program.
    pub sampling: Sampling,
    /// The properties to judge; `None` for all whose premises are there.
    pub properties: Option<Vec<Property>>,
    /// Device whose limits a launch must keep, one by host code too, or `none`. `None`: no limits, but of launches by
    /// host code those of the usual device.
    pub device_limits: Option<String>,
    /// What each subject may use.
    pub limits: Limits,
    /// Try the proof for all inputs first.
    pub symbolic: bool,
    /// Decide by the explorer even where the canonical run would do.
    pub every_schedule: bool,
    /// When the whole command must have ended; `None`: each subject has its own seconds.
    pub until: Option<Deadline>,
    /// Whether a kernel whose launch nobody gave may come out right under a condition.
    pub conditional: bool,
    /// Whether proofs speak of launches, too, of which what is possible cannot be run.
    pub large_launches: bool,
    /// Who is told what is established meanwhile.
    pub told: Told,
}

impl Request {
    /// The last moment for one of `n` subjects that are still to be judged: those that come after it get
    /// their share of what it leaves.
    pub fn deadline(&self, n: usize) -> Deadline {
        let seconds = self.limits.seconds;
        Deadline::after(match &self.until {
            Some(until) => seconds.min(until.left() / n.max(1) as f64),
            None => seconds,
        })
    }

    /// The same request, and no listener is told before its end.
    pub fn told_to_nobody(&self) -> Request {
        Request {
            told: Told::default(),
            ..self.clone()
        }
    }
}

impl Default for Request {
    fn default() -> Request {
        Request {
            profile: Profile::default(),
            sampling: Sampling::default(),
            properties: None,
            device_limits: Some("sm_90".to_owned()),
            limits: Limits::default(),
            symbolic: true,
            every_schedule: false,
            until: None,
            conditional: true,
            large_launches: false,
            told: Told::default(),
        }
    }
}

/// Reads `4`, `4,2` or `4,2,1`.
pub fn parse_dim3(text: &str) -> Result<Dim3, InputError> {
    let mut dims = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err(InputError::usage(format!(
            "`{text}` has more than three extents"
        )));
    }
    let has_number = text.contains(|c: char| c.is_ascii_digit());
    if !text.trim().is_empty() && !has_number {
        return Err(InputError::usage(format!(
            "`{text}` is no extent (write 64 or 8,8,1)"
        )));
    }
    for (dim, part) in dims.iter_mut().zip(&parts) {
        if part.trim().is_empty() {
            return Err(InputError::usage(format!(
                "`{text}`: an extent is missing (write 64 or 8,8,1)"
            )));
        }
        *dim = part.trim().parse().map_err(|_| {
            InputError::usage(format!(
                "`{text}`: `{part}` is no extent (write 64 or 8,8,1)"
            ))
        })?;
    }
    Ok(dims)
}

/// Reads `all` or `random:SEED:COUNT`.
pub fn parse_sampling(text: &str) -> Result<Sampling, InputError> {
    if text == "all" {
        return Ok(Sampling {
            all_only: true,
            ..Sampling::default()
        });
    }
    let wrong = || {
        InputError::usage(format!(
            "inputs `{text}`: write `all` or `random:SEED:COUNT`"
        ))
    };
    let rest = text.strip_prefix("random:").ok_or_else(wrong)?;
    let (seed, count) = rest.split_once(':').ok_or_else(wrong)?;
    let seed = seed.parse().map_err(|_| wrong())?;
    let count = count.parse().map_err(|_| wrong())?;
    if count == 0 || count > 10_000 {
        return Err(InputError::usage(format!(
            "inputs `{text}`: COUNT is from 1 to 10000"
        )));
    }
    Ok(Sampling {
        seed,
        count,
        all_only: false,
    })
}

/// Reads one of the property names of the contract.
pub fn parse_property(text: &str) -> Result<Property, InputError> {
    Property::DEFAULT
        .into_iter()
        .find(|p| p.name() == text)
        .ok_or_else(|| {
            let known: Vec<&str> = Property::DEFAULT.iter().map(|p| p.name()).collect();
            InputError::usage(format!(
                "unknown property `{text}`; known: {}",
                known.join(", ")
            ))
        })
}

/// Reads a level for `--require`.
pub fn parse_requirement(text: &str) -> Result<Requirement, InputError> {
    Ok(Requirement::of(match text {
        "sizes" | "all-sizes" => Assurance::AllInputsAllSizes,
        "all-inputs" => Assurance::AllInputs,
        "schedules" => Assurance::AllSchedules,
        "tested" => Assurance::Tested,
        _ => {
            return Err(InputError::usage(format!(
                "require `{text}`: one of sizes, all-inputs, schedules, tested"
            )));
        }
    }))
}

/// The limits of the device named in the request.
pub fn device_limits(request: &Request) -> Result<Option<DeviceLimits>, InputError> {
    match request.device_limits.as_deref() {
        None | Some("none") => Ok(None),
        Some(name) => DeviceLimits::named(name).map(Some).ok_or_else(|| {
            InputError::usage(format!(
                "unknown device `{name}` for --device-limits (try sm_90)"
            ))
        }),
    }
}

/// The limits that the launch of an entry must keep: those of the device, but for the size of blocks where a GPUVerify
/// header gives it.
///
/// # Errors
/// As [`device_limits`].
pub fn limits_of_launch(
    request: &Request,
    entry: &EntryRequest,
) -> Result<Option<DeviceLimits>, InputError> {
    let limits = device_limits(request)?;
    Ok(match entry.has_any_block {
        true => limits.map(DeviceLimits::with_any_block),
        false => limits,
    })
}

/// What launches by host code must keep: what the usual device does, unless another is named.
pub fn launches_keep(request: &Request) -> DeviceLimits {
    let named = request.device_limits.as_deref().map(DeviceLimits::named);
    named.flatten().unwrap_or_default()
}
