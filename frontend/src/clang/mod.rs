//! Running clang: from source text to the JSON syntax tree.

pub(crate) mod complaints;
pub(crate) mod header_folder;
pub(crate) mod host_errors;
mod integer_intrinsics;
pub(crate) mod options;
pub(crate) mod output;
pub(crate) mod stand_ins;
pub(crate) mod tree;

use crate::clang::header_folder::HeaderFolder;
use crate::clang::output::{INSTANCES, Output};
use crate::error::{ErrorKind, FrontendError};
use crate::request::{Language, ParseOptions};
use crate::syntax::Node;
pub(crate) use complaints::{Complaint, of_instance};
use complaints::{complaints, first_diagnostic};
use gridlock_boundary::child::{self, End};
use gridlock_boundary::program;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use tree::{Compact, Refused};

/// The result of clang for a file.
pub(crate) struct Read {
    pub tree: Node,
    /// Its errors, in its order. clang tries to continue after each.
    pub complaints: Vec<Complaint>,
}

/// Runs clang on the file at `path`, which holds `text`, and gives its syntax tree. `shown` is the name of that
/// file in messages.
pub(crate) fn syntax_tree(
    path: &Path,
    text: &str,
    shown: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Read, FrontendError> {
    options::check(options).map_err(|error| error.at(shown, 0, 0))?;
    let headers =
        HeaderFolder::new().map_err(|e| file_error("cannot write the stand-in headers", &e))?;
    let given = name_of(path, options);
    let with_integers = integer_intrinsics::may_be_named(text, options);
    let arguments = |path: &Path| {
        let mut all = arguments(path, headers.path(), language, options);
        if language == Language::Cuda && with_integers {
            all.splice(
                0..0,
                ["-include", stand_ins::INTEGER_INTRINSICS].map(OsString::from),
            );
        }
        all
    };
    let output = match is_wrapped(path, options) {
        false => run(&arguments(&given), options),
        true => {
            let folder = tempfile::tempdir()
                .map_err(|e| file_error("cannot make a temporary folder", &e))?;
            let wrapper = folder.path().join(INSTANCES);
            std::fs::write(&wrapper, with_instances(&given, options)?)
                .map_err(|e| file_error("cannot write what instantiates templates", &e))?;
            run(&arguments(&wrapper), options)
        }
    };
    let output = output.map_err(|error| match error.file.is_empty() {
        true => error.at(shown, 0, 0),
        false => error,
    })?;
    if let Some(refused) = output.tree.refused() {
        return Err(refusal(refused, output.tree, &given, shown));
    }
    let complaints = match output.status.success() {
        true => Vec::new(),
        // A tree with errors is used for CUDA only, where host code can be separated from device code.
        false => match complaints(&output) {
            Some(complaints) if language == Language::Cuda && !output.tree.is_empty() => complaints,
            _ => return Err(first_diagnostic(&output, &given, shown, options)),
        },
    };
    let tree = tree::read(&output.tree)?;
    Ok(Read { tree, complaints })
}

/// Why a tree was not read to its end.
fn refusal(refused: Refused, tree: Compact, given: &Path, shown: &str) -> FrontendError {
    match refused {
        Refused::Deep => {
            let deep = tree::too_deep(tree);
            let error = FrontendError::new(ErrorKind::Unsupported, deep.message);
            match deep.place {
                Some((file, line, column)) if file == given.to_string_lossy() => {
                    error.at(shown, line, column)
                }
                Some((file, line, column)) => error.at(&file, line, column),
                None => error.at(shown, 0, 0),
            }
        }
        Refused::Long => {
            let message = format!(
                "limit reached: clang's syntax tree has more than {} MiB",
                tree::MOST_BYTES >> 20
            );
            FrontendError::new(ErrorKind::Limit, message).at(shown, 0, 0)
        }
    }
}

/// clang's name of the file at `path`: never one that reads as an option.
pub(crate) fn name_of(path: &Path, options: &ParseOptions) -> PathBuf {
    match is_wrapped(path, options) {
        false => program::file_argument(path),
        true => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
    }
}

/// Whether clang reads a file made here that includes the user's. clang's driver passes the last part of a file's
/// name to its compiler as an argument of its own; a name that begins with `@`, in any folder, would be read as a
/// file of options.
fn is_wrapped(path: &Path, options: &ParseOptions) -> bool {
    let last = path.file_name().unwrap_or_default().as_encoded_bytes();
    last.starts_with(b"@") || !options.instantiate.is_empty()
}

/// The user's file, and each requested instance on a line of its own: naming an instance makes it.
fn with_instances(path: &Path, options: &ParseOptions) -> Result<String, FrontendError> {
    let name = path.to_string_lossy();
    if name.contains(['"', '\n', '\r']) {
        let message =
            "a file whose instances are asked for needs a name without quotes and line ends";
        return Err(FrontendError::new(ErrorKind::File, message));
    }
    let mut text = format!("#include \"{name}\"\n");
    for (number, instance) in options.instantiate.iter().enumerate() {
        text += &format!("static auto *gridlock_instance_{number} = &{instance};\n");
    }
    Ok(text)
}

/// Whether clang has several standards of a language; that of OpenCL C is fixed.
fn takes_standard(language: Language) -> bool {
    matches!(language, Language::Cuda | Language::C)
}

fn file_error(what: &str, error: &io::Error) -> FrontendError {
    FrontendError::new(ErrorKind::File, format!("{what}: {error}"))
}

fn arguments(
    path: &Path,
    headers: &Path,
    language: Language,
    options: &ParseOptions,
) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    let mut add = |text: &str| all.push(text.into());
    let dialect: &[&str] = match language {
        Language::C => &["-x", "c", "-std=gnu17"],
        // clang declares the built-in functions that are used, and no others.
        Language::OpenCl => &[
            "-x",
            "cl",
            "-cl-std=CL2.0",
            "-cl-no-stdinc",
            "-Xclang",
            "-fdeclare-opencl-builtins",
            "-include",
            stand_ins::OPENCL_PRELUDE,
        ],
        // A scheme is no text for clang.
        Language::Cuda | Language::Scheme => &[
            "-x",
            "cuda",
            "--cuda-device-only",
            "--cuda-gpu-arch=sm_90",
            "-nocudainc",
            "-nocudalib",
            "-std=c++17",
            "-Xclang",
            "-fcuda-allow-variadic-functions",
            "-include",
            stand_ins::CUDA_PRELUDE,
        ],
    };
    for text in dialect {
        add(text);
    }
    // The sizes and the signedness of `char` are those of this target on every machine.
    for text in [
        // Nothing is taken from files of options, and a crash leaves no files.
        "--no-default-config",
        "-fno-crash-diagnostics",
        "--target=x86_64-unknown-linux-gnu",
        "-nostdinc",
        "-fno-builtin",
        "-w",
        // An error of C++17's, which CUDA's compilers let pass.
        "-Wno-register",
        "-ferror-limit=0",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-fsyntax-only",
        "-Xclang",
        "-ast-dump=json",
    ] {
        add(text);
    }
    // The last `-std` counts.
    if let Some(standard) = options
        .standard
        .as_ref()
        .filter(|_| takes_standard(language))
    {
        add(&format!("-std={standard}"));
    }
    for (name, value) in &options.defines {
        match value {
            Some(value) => add(&format!("-D{name}={value}")),
            None => add(&format!("-D{name}")),
        }
    }
    for dir in &options.include_dirs {
        all.push("-I".into());
        all.push(program::file_argument(dir).into());
    }
    all.push("-isystem".into());
    all.push(headers.into());
    all.push("--".into());
    all.push(path.into());
    all
}

/// Runs the first clang there is: the option's, `$GRIDLOCK_CLANG`, `clang-19`, `clang`.
fn run(arguments: &[OsString], options: &ParseOptions) -> Result<Output, FrontendError> {
    let clang = find(options)?;
    let mut command = program::command(&clang);
    command.args(arguments);
    // A clang that crashes would start another program to print its stack.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1");
    let limits = child::Limits {
        seconds: options.limits.seconds,
        bytes: options.limits.bytes,
        may_write: false,
    };
    let mut tree = Compact::default();
    let end = child::run(command, limits, &mut |piece| tree.take(piece)).map_err(|error| {
        let message = format!("cannot run {}: {error}", clang.display());
        FrontendError::new(ErrorKind::Clang, message)
    })?;
    let limit = |message: String| Err(FrontendError::new(ErrorKind::Limit, message));
    match end {
        End::Ended {
            status,
            said,
            said_all,
        } => {
            let output = Output {
                status,
                tree,
                said,
                said_all,
            };
            match output.of_memory() {
                true => limit(format!(
                    "limit reached: clang needs more than {} MiB for this file",
                    options.limits.bytes >> 20
                )),
                false => Ok(output),
            }
        }
        End::OutOfTime => limit(format!(
            "limit reached: clang needs more than {} s for this file",
            options.limits.seconds
        )),
        End::NotWanted => Ok(Output {
            status: ExitStatus::default(),
            tree,
            said: Vec::new(),
            said_all: true,
        }),
    }
}

/// Where clang is, by its absolute path.
fn find(options: &ParseOptions) -> Result<PathBuf, FrontendError> {
    let from_env = || std::env::var_os("GRIDLOCK_CLANG").map(PathBuf::from);
    let candidates = match options.clang.clone().or_else(from_env) {
        Some(chosen) => vec![chosen],
        None => vec!["clang-19".into(), "clang".into()],
    };
    let found = candidates.iter().find_map(|c| program::chosen(c));
    found.ok_or_else(|| {
        let tried: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
        let message = format!(
            "no clang found (tried {}): install the package clang-19, or name one in GRIDLOCK_CLANG, by an \
             absolute path or a name that is in PATH",
            tried.join(", ")
        );
        FrontendError::new(ErrorKind::Clang, message)
    })
}
