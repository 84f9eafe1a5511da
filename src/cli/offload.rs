//! `gridlock offload`

use super::judging::LimitOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::pairs;
use super::supervised::Bounds;
use gridlock::input::error::InputError;
use gridlock::pipeline::PipelineOptions;
use gridlock::pipeline::offload::{Asked, offload};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use std::path::{Path, PathBuf};

/// Turn the loops of a C program into kernels, judge every step, and write CUDA and OpenCL programs with host code
///
/// Loops that take most of the steps of a run of the original are tried as kernels (of one dimension or two, with loops
/// interchanged or parted first, sums by atomics); each loop that is left alone is told with the reason. Nothing is
/// written that was not judged: exit status 0 when a loop was offloaded and every step is proved or passed, 3 when no
/// loop was.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock offload gemm.c
  gridlock offload gemm.c --arg ni=8 --extent C=ni*nj -o folder
  gridlock offload atax.c --modulo assoc-comm -o folder --run-devices
  gridlock verify folder/gemm.toml")]
pub struct Offload {
    /// C, or CUDA C++ with sequential host code
    file: PathBuf,
    /// The function to offload; its callees are looked at, too [default: the only one that nothing calls]
    #[arg(long, short, value_name = "NAME", visible_alias = "entry")]
    kernel: Option<String>,
    /// Value of a scalar parameter, in all runs [default: small numbers, several cases] (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// Number of elements of an array parameter: a number, a scalar parameter, or a product [default: as far as the
    /// original reaches in the runs] (repeatable)
    #[arg(long = "extent", value_name = "NAME=COUNT")]
    extents: Vec<String>,
    /// Define a macro (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Threads of a block
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    block: u32,
    /// Leave loops alone with less than this share of the steps of the runs, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0)]
    least_share: f64,
    /// Admit sums of floats in another order: `assoc-comm`, or `reals` [default: every bit stays]
    #[arg(long, value_name = "THEORY", value_parser = ["assoc-comm", "reals"])]
    modulo: Option<String>,
    /// Do not observe what the program prints; without, no step of a program that prints is accepted
    #[arg(long)]
    ignore_output: bool,
    /// Name of the profile to judge under
    #[arg(long, short, value_name = "NAME|FILE", default_value = "cuda")]
    profile: String,
    /// What to write: programs with host code (`host` is that over the CUDA runtime) or kernels alone (repeatable)
    #[arg(long = "target", short, value_name = "TARGET", default_values = ["host", "opencl-host"])]
    #[arg(value_parser = ["host", "cuda-driver", "opencl-host", "cuda", "opencl", "csharp"])]
    targets: Vec<String>,
    /// Compile the CUDA text with nvcc for this architecture (repeatable)
    #[arg(long = "nvcc", value_name = "ARCH")]
    nvcc: Vec<String>,
    /// Write the programs, and a pipeline file that does it all again, into this folder
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Run the result with OpenCL and compare with the original: its kernels run natively on this machine
    #[arg(long)]
    run_devices: bool,
    #[command(flatten)]
    limits: LimitOptions,
}

/// Seconds of the whole command where nothing is said.
const SECONDS: f64 = 600.0;

impl Offload {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        let bounds = self.limits.bounds()?;
        Ok(Bounds {
            seconds: if bounds.each { SECONDS } else { bounds.seconds },
            each: false,
            ..bounds
        })
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        output.reads([self.file.as_path()]);
        output.reads([Path::new(&self.profile)]);
        if !(0.0..=100.0).contains(&self.least_share) {
            let why = format!("--least-share {}: a number from 0 to 100", self.least_share);
            return Err(InputError::usage(why));
        }
        let options = PipelineOptions {
            write: self.output,
            run_devices: self.run_devices,
            inputs: output.inputs().clone(),
            limits: self.limits.limits()?,
            until: self.limits.until(),
            child: std::env::current_exe().ok(),
            ..PipelineOptions::default()
        };
        let asked = Asked {
            file: self.file,
            entry: self.kernel,
            define: self.defines,
            args: pairs("arg", &self.args)?,
            extents: pairs("extent", &self.extents)?,
            profile: self.profile,
            block: self.block,
            least_share: self.least_share / 100.0,
            modulo: self.modulo,
            ignore_output: self.ignore_output,
            targets: self.targets,
            nvcc: self.nvcc,
            run: match self.run_devices {
                true => vec!["opencl".to_owned()],
                false => Vec::new(),
            },
        };
        let progress = Progress::start("offloading", None);
        let report = offload(&asked, &options, &mut |what| progress.say(what))?;
        drop(progress);
        output.result(
            |sources, style| render::offload::offload(&report, sources, style),
            || render::offload::json(&report),
        );
        let status = match &report.pipeline {
            Some(judged) => ExitStatus::of_expectations(judged.as_expected),
            None => ExitStatus::NotReached,
        };
        Ok(output.status(status))
    }
}
