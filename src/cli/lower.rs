//! `gridlock lower`

use super::judging::WholeLimitOptions;
use super::output::Output;
use super::subject::SourceOptions;
use clap::ValueEnum;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::pipeline::lifting::{self, refused};
use gridlock::report::exit_status::ExitStatus;
use gridlock::subject;
use gridlock_lowering::cuda::{self, CudaOptions};
use gridlock_lowering::lowered::{KernelInterface, Lowered};
use gridlock_lowering::{host, opencl};
use gridlock_semantics::algebra::program::Program;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Print a program for a device (CUDA C++ kernels, OpenCL C kernels, the whole host program over one
/// interface or another), or in the algebra's own notation
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock lower kernel.cu --target opencl
  gridlock lower kernel.cu --target cuda -o out.cu
  gridlock lower program.cu --target host
  gridlock lower program.cu --target opencl-host -o folder
  gridlock lower program.cu --patterns my.patterns -o folder
  gridlock lower kernel.cu --to scheme -o kernel.scheme")]
pub struct Lower {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    /// Language to print
    #[arg(long, short, visible_alias = "to", value_enum)]
    #[arg(required_unless_present = "patterns")]
    target: Option<Target>,
    /// A pattern file that describes the target's host code
    #[arg(long, value_name = "FILE", conflicts_with = "target")]
    patterns: Option<PathBuf>,
    /// Write here instead of to standard output; a folder, for a target of two files
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: WholeLimitOptions,
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
    /// Host code over the CUDA driver API, and its kernels
    CudaDriver,
    /// Host code over OpenCL, and its kernels
    OpenclHost,
    /// A C# host over the CUDA driver API, and its kernels
    Csharp,
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
        output.reads(
            [Some(&self.file), self.patterns.as_ref()]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path),
        );
        output.writes(&self.output)?;
        let parsed = gridlock::input::source::parse(&self.file, &self.source.parse_options())?;
        output.reads(
            parsed
                .program
                .files
                .iter()
                .map(|file| Path::new(&*file.name)),
        );
        if let Some(unsupported) = parsed.unsupported.first() {
            return Err(InputError::new(
                ErrorKind::Unsupported,
                format!("not supported: {}", unsupported.message),
            )
            .in_file(&unsupported.file)
            .at(unsupported.line, unsupported.column));
        }
        output.left_out(&parsed);
        if self.target != Some(Target::Scheme) {
            let file = self.file.display().to_string();
            subject::can_be_written(&parsed.program).map_err(|e| e.in_file(file))?;
        }
        let program = &parsed.program;
        let lowered = match self.target {
            Some(Target::Cuda) => cuda::kernels(program, &CudaOptions::default()),
            Some(Target::Opencl) => opencl::kernels(program),
            Some(Target::Host) => host::program(program),
            Some(Target::Scheme) => return self.finish(scheme(program), output),
            Some(Target::CudaDriver) => return self.by_patterns("cuda-driver", program, output),
            Some(Target::OpenclHost) => return self.by_patterns("opencl-host", program, output),
            Some(Target::Csharp) => return self.by_patterns("csharp", program, output),
            None => return self.by_patterns("", program, output),
        }
        .map_err(refused)?;
        self.finish(lowered.into(), output)
    }

    /// Host code as the user's pattern file has it, or else the built-in one.
    fn by_patterns(
        self,
        built_in: &str,
        program: &Program,
        output: &mut Output,
    ) -> Result<ExitStatus, InputError> {
        let patterns = match &self.patterns {
            Some(path) => lifting::read_patterns(path)?,
            None => lifting::built_in(built_in)?,
        };
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let files = host::for_target(program, &patterns, &stem).map_err(refused)?;
        let mut named = vec![(format!("{stem}.{}", patterns.extension), &files.host.text)];
        if let Some((name, kernels)) = &files.kernels {
            named.push((name.clone(), &kernels.text));
        }
        let mut shown = String::new();
        if let Some(folder) = &self.output {
            let files = named
                .iter()
                .map(|(name, text)| (name.as_str(), text.as_bytes()));
            let files: Vec<(&str, &[u8])> = files.collect();
            for path in output.inputs().write_in(folder, &files)? {
                shown.push_str(&format!("{}\n", path.display()));
            }
        } else {
            for (index, (name, text)) in named.iter().enumerate() {
                let gap = if index > 0 { "\n" } else { "" };
                shown.push_str(&format!("{gap}// {name}\n\n{text}"));
            }
        }
        output.result(
            |_, _| shown,
            || {
                json!({
                    "target": patterns.name,
                    "files": named.iter().map(|(name, text)| json!({"name": name, "text": text})).collect::<Vec<_>>(),
                    "kernels": files.kernels.as_ref().map(|(_, lowered)| &lowered.kernels),
                    "output": self.output,
                })
            },
        );
        Ok(ExitStatus::Reached)
    }

    fn finish(self, lowered: Printed, output: &mut Output) -> Result<ExitStatus, InputError> {
        if let Some(path) = &self.output {
            output.write(path, &lowered.text)?;
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
