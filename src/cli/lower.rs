//! `gridlock lower`

use super::output::Output;
use super::subject::SourceOptions;
use clap::ValueEnum;
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::{ErrorKind, InputError};
use gridlock::subject;
use gridlock_lowering::cuda::{self, CudaOptions};
use gridlock_lowering::error::LoweringError;
use gridlock_lowering::lowered::{KernelInterface, Lowered};
use gridlock_lowering::{host, opencl};
use gridlock_semantics::program::Program;
use serde_json::json;
use std::path::PathBuf;

/// Print a program for a device (CUDA C++ kernels, OpenCL C kernels, the whole host program), or
/// in the algebra's own notation
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock lower kernel.cu --target opencl
  gridlock lower kernel.cu --target cuda -o out.cu
  gridlock lower program.cu --target host
  gridlock lower kernel.cu --to scheme -o kernel.scheme")]
pub struct Lower {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    /// Language to print
    #[arg(long, short, visible_alias = "to", value_enum)]
    target: Target,
    /// Write here instead of to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    source: SourceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// CUDA C++: kernels and device functions
    Cuda,
    /// OpenCL C: kernels and functions
    Opencl,
    /// The whole program over the CUDA runtime, or plain C
    Host,
    /// The algebra's own notation, with the comments at the head of the file
    Scheme,
}

/// What is printed.
struct Printed {
    target: &'static str,
    text: String,
    /// What the host passes to each kernel; empty for a scheme, which is a whole program.
    kernels: Vec<KernelInterface>,
    extension: String,
}

impl From<Lowered> for Printed {
    fn from(lowered: Lowered) -> Printed {
        Printed {
            target: lowered.target.name(),
            text: lowered.text,
            kernels: lowered.kernels,
            extension: lowered.extension,
        }
    }
}

impl Lower {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let parsed = gridlock::source::parse(&self.file, &self.source.parse_options())?;
        if let Some(unsupported) = parsed.unsupported.first() {
            return Err(InputError::new(
                ErrorKind::Unsupported,
                format!("not supported: {}", unsupported.message),
            )
            .in_file(&unsupported.file)
            .at(unsupported.line, unsupported.column));
        }
        if !matches!(self.target, Target::Scheme) {
            let file = self.file.display().to_string();
            subject::can_be_written(&parsed.program).map_err(|e| e.in_file(file))?;
        }
        let lowered = match self.target {
            Target::Cuda => cuda::kernels(&parsed.program, &CudaOptions::default()),
            Target::Opencl => opencl::kernels(&parsed.program),
            Target::Host => host::program(&parsed.program),
            Target::Scheme => return self.finish(scheme(&parsed.program), output),
        }
        .map_err(refused)?;
        self.finish(lowered.into(), output)
    }

    fn finish(self, lowered: Printed, output: &mut Output) -> Result<ExitStatus, InputError> {
        if let Some(path) = &self.output {
            std::fs::write(path, &lowered.text).map_err(|e| {
                InputError::new(ErrorKind::File, format!("cannot write: {e}"))
                    .in_file(path.display().to_string())
            })?;
        }
        output.result(
            |_, _| match &self.output {
                Some(path) => format!("{}\n", path.display()),
                None => lowered.text.clone(),
            },
            || {
                json!({
                    "target": lowered.target,
                    "text": lowered.text,
                    "kernels": lowered.kernels,
                    "extension": lowered.extension,
                    "output": self.output,
                })
            },
        );
        Ok(ExitStatus::Reached)
    }
}

fn scheme(program: &Program) -> Printed {
    Printed {
        target: "scheme",
        text: gridlock_frontend::scheme::print_with_head(program),
        kernels: Vec::new(),
        extension: "scheme".to_owned(),
    }
}

/// What a target cannot say is an error of input with its place.
pub fn refused(error: LoweringError) -> InputError {
    let message = format!(
        "not supported by the target {}: {}",
        error.target, error.message
    );
    let located = InputError::new(ErrorKind::Unsupported, message);
    match (error.file.is_empty(), error.line) {
        (true, _) => located,
        (false, 0) => located.in_file(error.file),
        (false, line) => located.in_file(error.file).at(line, error.column),
    }
}
