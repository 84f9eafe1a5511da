//! `gridlock lift`

use super::judging::WholeLimitOptions;
use super::output::Output;
use super::subject::SourceOptions;
use gridlock::input::error::InputError;
use gridlock::pipeline::lifting;
use gridlock::report::exit_status::ExitStatus;
use gridlock_lowering::host;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Read host code over another interface (CUDA driver API, OpenCL, C#) as a program
///
/// The text is lifted by the target's patterns and printed as one CUDA C++ file over the runtime,
/// or in the algebra's own notation. All other commands judge what is printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock lift program.cpp --target cuda-driver --kernels program.cu
  gridlock lift program.cpp --target opencl-host -o lifted.cu
  gridlock lift program.cpp --patterns my.patterns --scheme")]
pub struct Lift {
    /// Host code
    file: PathBuf,
    /// Target it is written for: `cuda-runtime`, `cuda-driver`, `opencl-host`, `csharp`
    #[arg(long, short, value_name = "NAME", required_unless_present = "patterns")]
    target: Option<String>,
    /// A pattern file that describes the target
    #[arg(long, value_name = "FILE", conflicts_with = "target")]
    patterns: Option<PathBuf>,
    /// File of the kernels; without it the one beside the host's, with the target's extension
    #[arg(long, value_name = "FILE")]
    kernels: Option<PathBuf>,
    /// Print the algebra's own notation instead of CUDA C++
    #[arg(long)]
    scheme: bool,
    /// Write here instead of to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: WholeLimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

impl Lift {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let read = [
            Some(&self.file),
            self.patterns.as_ref(),
            self.kernels.as_ref(),
        ];
        output.reads(read.into_iter().flatten().map(PathBuf::as_path));
        output.writes(&self.output)?;
        let patterns = match &self.patterns {
            Some(path) => lifting::read_patterns(path)?,
            None => lifting::built_in(self.target.as_deref().unwrap_or_default())?,
        };
        let options = self.source.parse_options();
        let program = lifting::lift(&self.file, self.kernels.as_deref(), &patterns, &options)?;
        output.reads(program.files.iter().map(|file| Path::new(&*file.name)));
        // Without --kernels they stand beside the host's code.
        let beside = ["cu", "cl"].map(|extension| self.file.with_extension(extension));
        output.reads(beside.iter().map(PathBuf::as_path));
        let text = match self.scheme {
            true => gridlock_frontend::scheme::print_with_head(&program),
            false => host::program(&program).map_err(lifting::refused)?.text,
        };
        if let Some(path) = &self.output {
            output.write(path, &text)?;
        }
        output.result(
            |_, _| match &self.output {
                Some(path) => format!("{}\n", path.display()),
                None => text.clone(),
            },
            || {
                json!({
                    "target": patterns.name,
                    "text": text,
                    "output": self.output,
                })
            },
        );
        Ok(ExitStatus::Reached)
    }
}
