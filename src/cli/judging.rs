//! Options that say how to judge: profile, properties, inputs, limits, and what must be reached.

use super::output::Output;
use super::supervised::{Bounds, worker};
use gridlock::input::deadline::Deadline;
use gridlock::input::error::InputError;
use gridlock::input::request::{
    Request, Requirement, parse_property, parse_requirement, parse_sampling,
};
use gridlock::supervision::LEAST_BYTES;
use gridlock_checker::limits::Limits;
use gridlock_semantics::profile::Profile;
use std::path::Path;

/// The profile to judge under.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Profile")]
pub struct ProfileOptions {
    /// Name of a profile (see `gridlock profiles`), or a TOML or JSON file with one [default: cuda;
    /// opencl for OpenCL C]
    #[arg(long, short, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// A cooperative launch: all blocks run at the same time, for termination too
    #[arg(long)]
    pub cooperative: bool,
}

impl ProfileOptions {
    /// The file it stands in is read.
    pub fn read_by(&self, output: &mut Output) {
        output.reads(self.profile.as_ref().map(Path::new));
    }

    /// The profile for a file.
    pub fn profile(&self, file: &Path) -> Result<Profile, InputError> {
        let profile = match &self.profile {
            Some(name) => gridlock::input::profiles::find(name)?,
            None => gridlock::input::profiles::usual(file),
        };
        Ok(match self.cooperative {
            true => profile.cooperative(),
            false => profile,
        })
    }
}

/// Bounds of every search, and of the command as a whole.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// States the explorer may keep
    #[arg(long, value_name = "N", default_value_t = Limits::default().states)]
    pub limit_states: u64,
    /// Seconds for the whole command; what is established by then is reported [default: 60 for one
    /// kernel, all engines together]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub limit_seconds: Option<f64>,
    /// Bytes a search may hold, at least 1 MiB; from 512 MiB on the whole command, with all it starts,
    /// has no more either
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes)]
    pub limit_bytes: u64,
    /// Transitions of one run
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    pub limit_depth: u64,
}

impl LimitOptions {
    pub fn limits(&self) -> Result<Limits, InputError> {
        Ok(Limits {
            states: self.limit_states,
            bytes: at_least(LEAST_OF_SEARCH, self.limit_bytes)?,
            seconds: match self.limit_seconds {
                Some(seconds) => above_zero("limit-seconds", seconds)?,
                None => Limits::default().seconds,
            },
            depth: self.limit_depth,
        })
    }

    /// When the command must have ended, if that was asked for.
    pub fn until(&self) -> Option<Deadline> {
        self.limit_seconds.map(worker::deadline)
    }

    /// For the process that supervises.
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        let limits = self.limits()?;
        Ok(Bounds {
            seconds: limits.seconds,
            each: self.limit_seconds.is_none(),
            bytes: limits.bytes,
            to_end: None,
        })
    }
}

/// Bounds of a command that searches nothing.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct WholeLimitOptions {
    /// Seconds for the whole command
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 600.0,
        allow_negative_numbers = true
    )]
    pub limit_seconds: f64,
    /// Bytes for the whole command, with all it starts; at least 512 MiB
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes)]
    pub limit_bytes: u64,
}

impl WholeLimitOptions {
    /// For the process that supervises.
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        Ok(Bounds {
            seconds: above_zero("limit-seconds", self.limit_seconds)?,
            each: false,
            bytes: at_least(LEAST_BYTES, self.limit_bytes)?,
            to_end: None,
        })
    }
}

/// What a search begins with: less would only ever say that the limit was reached.
const LEAST_OF_SEARCH: u64 = 1 << 20;

fn at_least(least: u64, bytes: u64) -> Result<u64, InputError> {
    match bytes >= least {
        true => Ok(bytes),
        false => Err(InputError::usage(format!(
            "--limit-bytes {bytes}: at least {least} ({} MiB)",
            least >> 20
        ))),
    }
}

/// Seconds that an option gives.
///
/// # Errors
/// They are no number, not finite, or none.
pub fn above_zero(option: &str, seconds: f64) -> Result<f64, InputError> {
    match seconds.is_finite() && seconds > 0.0 {
        true => Ok(seconds),
        false => Err(InputError::usage(format!(
            "--{option} {seconds}: a number of seconds above 0"
        ))),
    }
}

/// Everything `check`, `equiv` and `prove` share beyond the subject.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "How to judge")]
pub struct JudgeOptions {
    #[command(flatten)]
    pub profile: ProfileOptions,
    /// The inputs: `all` (only what holds for all of them counts), or `random:SEED:COUNT` to
    /// sample where no engine can take all [default: random:1:3]
    #[arg(long, value_name = "INPUTS", help_heading = "How to judge")]
    pub inputs: Option<String>,
    /// What must be established for exit status 0
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "all-inputs",
        help_heading = "How to judge"
    )]
    #[arg(value_parser = ["sizes", "all-inputs", "schedules", "tested"])]
    pub require: String,
    /// Device whose limits a launch must keep, one by host code too, or `none`
    #[arg(
        long,
        value_name = "DEVICE",
        default_value = "sm_90",
        help_heading = "How to judge"
    )]
    pub device_limits: String,
    /// Do not try a proof for all inputs first
    #[arg(long, help_heading = "How to judge")]
    pub no_proof: bool,
    /// Explore every schedule even where one canonical run speaks for all of them
    #[arg(long, help_heading = "How to judge")]
    pub every_schedule: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
}

impl JudgeOptions {
    /// `properties` are names separated by commas.
    pub fn request(&self, file: &Path, properties: &[String]) -> Result<Request, InputError> {
        let properties: Vec<_> = properties
            .iter()
            .map(|name| parse_property(name.trim()))
            .collect::<Result<_, _>>()?;
        Ok(Request {
            profile: self.profile.profile(file)?,
            sampling: match &self.inputs {
                Some(text) => parse_sampling(text)?,
                None => Default::default(),
            },
            properties: (!properties.is_empty()).then_some(properties),
            device_limits: Some(self.device_limits.clone()),
            limits: self.limits.limits()?,
            symbolic: !self.no_proof,
            every_schedule: self.every_schedule,
            until: self.limits.until(),
            conditional: true,
            large_launches: false,
            told: worker::told(),
        })
    }

    pub fn requirement(&self) -> Result<Requirement, InputError> {
        parse_requirement(&self.require)
    }
}
