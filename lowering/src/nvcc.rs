//! The CUDA compiler, where one is installed.

use gridlock_boundary::child::{self, End, Limits};
use gridlock_boundary::program;
use std::env;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Instant;

/// Compute capabilities every lowered kernel must compile for.
pub const ARCHITECTURES: [&str; 3] = ["sm_75", "sm_80", "sm_90"];

/// Flags every compilation uses. `-fmad=false` and the exact division and square root make floats
/// those of IEEE 754, as in the semantics; C++20 defines `<<` of signed integers and conversions
/// to signed integers as the semantics does.
pub const FLAGS: [&str; 7] = [
    "-std=c++20",
    "-fmad=false",
    "-prec-div=true",
    "-prec-sqrt=true",
    "-ftz=false",
    "-Werror",
    "all-warnings",
];

/// No compiler; says where it was looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nvcc not found (looked at {looked}); scripts/bootstrap.sh installs it")]
pub struct NvccMissing {
    /// The places, in the order in which they were tried.
    pub looked: String,
}

/// A CUDA compiler.
#[derive(Clone, Debug)]
pub struct Nvcc {
    /// Of the program `nvcc`.
    pub path: PathBuf,
}

/// What a compilation is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Machine code for one architecture.
    Cubin,
    /// Assembly the driver translates.
    Ptx,
    /// An object file of device and host code, for whole programs.
    Object,
}

/// What a compilation made.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Contents of the file that was made.
    pub bytes: Vec<u8>,
    /// `Cuda compilation tools, release …`
    pub compiler: String,
    /// Options it was called with, in order.
    pub flags: Vec<String>,
    /// Wall-clock time of the compilation.
    pub seconds: f64,
}

/// One message of the compiler, at a place of the text given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// From 1; 0 when the message has no place.
    pub line: u32,
    /// Whether it is an error; else a warning, which `-Werror` makes one.
    pub is_error: bool,
    /// The compiler's words.
    pub message: String,
}

/// Why there is no compiled code.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CompileError {
    /// `line` of the text given to the compiler.
    #[error("nvcc refuses the text: {}", summary(.diagnostics))]
    Refused {
        /// Its messages, read one by one.
        diagnostics: Vec<Diagnostic>,
        /// All that it printed.
        output: String,
    },
    /// It cannot be started, takes too long, or its files cannot be read; says why.
    #[error("nvcc does not run: {0}")]
    DoesNotRun(String),
}

fn summary(diagnostics: &[Diagnostic]) -> String {
    match diagnostics.first() {
        Some(first) => format!("line {}: {}", first.line, first.message),
        None => "no message".to_owned(),
    }
}

/// What one compilation may take.
const LIMITS: Limits = Limits {
    seconds: 300.0,
    bytes: 16 << 30,
    may_write: true,
};

/// Where the compiler is below a folder that the tool brings along.
const BESIDE: &str = "cuda/bin/nvcc";

/// Finds the compiler: `$GRIDLOCK_NVCC` (an absolute path, or a name in `PATH`), what is installed beside this
/// program ([`program::installed_beside`]), then `PATH`. Never in the working directory, nor near what is compiled.
pub fn find() -> Result<Nvcc, NvccMissing> {
    if let Some(given) = env::var_os("GRIDLOCK_NVCC") {
        // A compiler that is named is the one to use.
        let given = PathBuf::from(given);
        let looked = format!("$GRIDLOCK_NVCC, {}", given.display());
        let path = program::chosen(&given).ok_or(NvccMissing { looked })?;
        return Ok(Nvcc { path });
    }
    let path = program::installed_beside(BESIDE).or_else(|| program::find("nvcc".as_ref()));
    path.map(|path| Nvcc { path }).ok_or_else(|| NvccMissing {
        looked: "$GRIDLOCK_NVCC, beside this program, PATH".to_owned(),
    })
}

impl Nvcc {
    /// `Cuda compilation tools, release …`
    pub fn version(&self) -> Result<String, CompileError> {
        let folder = tempfile::tempdir().map_err(|e| CompileError::DoesNotRun(e.to_string()))?;
        let run = self.run(&["--version"], folder.path())?;
        let text = String::from_utf8_lossy(&run.printed);
        Ok(text
            .lines()
            .find(|line| line.contains("release"))
            .unwrap_or_default()
            .to_owned())
    }

    /// Compiles a translation unit, every warning an error. `arch`: `sm_90`, say.
    ///
    /// # Errors
    /// [`CompileError::Refused`] with located messages; [`CompileError::DoesNotRun`].
    pub fn compile(
        &self,
        text: &str,
        arch: &str,
        output: Output,
    ) -> Result<Compiled, CompileError> {
        let wrong = |e: std::io::Error| CompileError::DoesNotRun(e.to_string());
        let of_names = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if arch.is_empty() || !arch.chars().all(of_names) {
            let message = format!("`{}` is no architecture", arch.escape_debug());
            return Err(CompileError::DoesNotRun(message));
        }
        let folder = tempfile::tempdir().map_err(wrong)?;
        let source = folder.path().join("lowered.cu");
        let target = folder.path().join("lowered.out");
        std::fs::write(&source, text).map_err(wrong)?;
        let mut flags: Vec<String> = vec![format!("-arch={arch}")];
        flags.push(
            match output {
                Output::Cubin => "-cubin",
                Output::Ptx => "-ptx",
                Output::Object => "-c",
            }
            .to_owned(),
        );
        flags.extend(FLAGS.iter().map(|flag| (*flag).to_owned()));
        let start = Instant::now();
        let mut arguments: Vec<&OsStr> = flags.iter().map(OsStr::new).collect();
        arguments.extend([OsStr::new("-o"), target.as_os_str(), source.as_os_str()]);
        let run = self.run(&arguments, folder.path())?;
        let mut output = String::from_utf8_lossy(&run.said).into_owned();
        output.push_str(&String::from_utf8_lossy(&run.printed));
        if !run.status.success() {
            return Err(CompileError::Refused {
                diagnostics: diagnostics(&output, &source),
                output,
            });
        }
        Ok(Compiled {
            bytes: std::fs::read(&target).map_err(wrong)?,
            compiler: self.version()?,
            flags,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Runs it in a folder of its own: what it or a compiler it starts leaves behind stands there.
    fn run<S: AsRef<OsStr>>(&self, arguments: &[S], folder: &Path) -> Result<Run, CompileError> {
        let wrong = |message: String| CompileError::DoesNotRun(message);
        let mut command = program::command(&self.path);
        command.args(arguments).current_dir(folder);
        let mut printed = Vec::new();
        let end = child::run(command, LIMITS, &mut |piece, _| {
            printed.extend_from_slice(piece);
            ControlFlow::Continue(())
        });
        match end.map_err(|e| wrong(e.to_string()))? {
            End::Ended { status, said, .. } => Ok(Run {
                status,
                printed,
                said,
            }),
            End::OutOfTime | End::NotWanted { .. } => {
                Err(wrong(format!("it took more than {} s", LIMITS.seconds)))
            }
        }
    }
}

/// What it said.
struct Run {
    status: ExitStatus,
    printed: Vec<u8>,
    said: Vec<u8>,
}

/// Reads `file(12): error: …` (nvcc's front end) and `file:12:5: error: …` (the host compiler).
fn diagnostics(output: &str, source: &Path) -> Vec<Diagnostic> {
    let name = source.display().to_string();
    let mut found = Vec::new();
    for line in output.lines() {
        let (place, rest) = match line.strip_prefix(&name) {
            Some(rest) if rest.starts_with('(') => {
                let Some((number, rest)) = rest[1..].split_once(')') else {
                    continue;
                };
                (
                    number.parse().unwrap_or(0),
                    rest.trim_start_matches(':').trim(),
                )
            }
            Some(rest) if rest.starts_with(':') => {
                let mut parts = rest[1..].splitn(3, ':');
                let number = parts.next().and_then(|n| n.parse().ok()).unwrap_or(0);
                (number, parts.nth(1).unwrap_or_default().trim())
            }
            _ => (0, line),
        };
        let is_error = rest.contains("error");
        if !(is_error || rest.contains("warning")) || rest.ends_with("generated.") {
            continue;
        }
        let message = match rest.split_once(": ") {
            Some((_, message)) if place > 0 => message.to_owned(),
            _ => rest.to_owned(),
        };
        found.push(Diagnostic {
            line: place,
            is_error,
            message,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_lines() {
        let source = Path::new("/t/lowered.cu");
        let check = |output: &str, line: u32, message: &str| {
            let found = diagnostics(output, source);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((found[0].line, found[0].message.as_str()), (line, message));
        };
        check(
            "/t/lowered.cu(12): error #177-D: variable \"x\" was declared",
            12,
            "variable \"x\" was declared",
        );
        check("/t/lowered.cu:7:3: error: expected ';'", 7, "expected ';'");
        check(
            "nvcc fatal error   : unknown option",
            0,
            "nvcc fatal error   : unknown option",
        );
    }
}
