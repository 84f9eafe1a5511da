//! Running clang: from source text to the JSON syntax tree.

pub(crate) mod complaints;
pub(crate) mod header_folder;
pub(crate) mod host_errors;
pub(crate) mod missing;
pub(crate) mod nearby;
pub(crate) mod options;
pub(crate) mod output;
mod own_types;
mod prelude;
pub(crate) mod stand_ins;
mod standard_library;
mod texture_fetches;
pub(crate) mod tree;

use crate::clang::header_folder::HeaderFolder;
use crate::clang::output::{INSTANCES, Output};
use crate::error::{ErrorKind, FrontendError, file_error};
use crate::request::{Language, ParseOptions};
use crate::syntax::Node;
pub(crate) use complaints::{Complaint, of_instance};
use complaints::{complaints, first_diagnostic};
use gridlock_boundary::child::{self, End};
use gridlock_boundary::program;
use missing::{Failure, Missing, Task};
use nearby::Nearby;
use own_types::OwnTypes;
use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Instant;
use tempfile::TempDir;
use tree::{Compact, Refused};

/// The result of clang for a file.
pub(crate) struct Read {
    pub tree: Node,
    /// Its errors, in its order. clang tries to continue after each.
    pub complaints: Vec<Complaint>,
    /// What is left out of the tree where headers of the file are missing.
    pub missing: Missing,
    /// Headers that no option names the folder of.
    pub nearby: Vec<Nearby>,
    /// The tree of the text with the errors in it, and these, where a launch stands in what is left out. It says
    /// nothing that a judgement may rest on.
    pub with_errors: Option<(Node, Vec<Complaint>)>,
}

/// What becomes of declarations in which clang finds errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faulty {
    /// They are in the tree, as clang makes sense of them. Where a header is missing, they are left out.
    Kept,
    /// They are left out of the text.
    LeftOut,
}

/// Runs clang on the file at `path`, which holds `text`, and gives its syntax tree. `shown` is the name of that
/// file in messages; `has_nearby` is told that a header was found in a folder nearby.
pub(crate) fn syntax_tree(
    path: &Path,
    text: &str,
    shown: &str,
    language: Language,
    (options, faulty, has_nearby): (&ParseOptions, Faulty, &Cell<bool>),
) -> Result<Read, FrontendError> {
    options::check(options).map_err(|error| error.at(shown, 0, 0))?;
    let headers =
        HeaderFolder::new().map_err(|e| file_error("cannot write the stand-in headers", &e))?;
    let given = name_of(path, options);
    let with_fetches = Cell::new(texture_fetches::are_named(text));
    let nearby = RefCell::new(nearby::Found::new(!options.only_given_folders));
    let with_library = Cell::new(false);
    let own_types = RefCell::new(OwnTypes::default());
    let with_whole_prelude = Cell::new(options.whole_prelude);
    // Naming the user's file in a file of ours makes instances of its templates.
    let wrapper = match is_wrapped(path, options) {
        false => None,
        true => Some(wrapper(&given, options)?),
    };
    let own = wrapper.as_ref().map(|folder| folder.path().join(INSTANCES));
    let begun = Instant::now();
    let once = |task: Task, more: &[OsString], printed: &mut Vec<u8>| {
        let read = own.as_deref().unwrap_or(&given);
        let mut behind = own_types.borrow().arguments();
        if with_library.get() {
            behind.extend(["-include", stand_ins::LIBRARY].map(OsString::from));
        }
        behind.extend(nearby.borrow().arguments());
        behind.extend_from_slice(more);
        let mut all = arguments(read, headers.path(), language, options, task, &behind);
        if language == Language::Cuda {
            let fetches = with_fetches.get().then_some(stand_ins::TEXTURE_FETCHES);
            if let Some(header) = fetches {
                all.splice(0..0, ["-include", header].map(OsString::from));
            }
            if !with_whole_prelude.get() {
                let left_out = prelude::left_out(text, options, fetches.as_slice());
                let defined = left_out.iter().map(|name| format!("-D{name}").into());
                all.splice(0..0, defined);
            }
        }
        // All runs on a file together have the time of one.
        let spent = begun.elapsed().as_secs_f64();
        let output = run(&all, options, spent, task, printed);
        output.map_err(|error| match error.file.is_empty() {
            true => error.at(shown, 0, 0),
            false => error,
        })
    };
    let clang = |task: Task, more: &[OsString], printed: &mut Vec<u8>| {
        loop {
            let output = once(task, more, printed)?;
            if language != Language::Cuda {
                return Ok(output);
            }
            let said = String::from_utf8_lossy(&output.said);
            let is_new = |has: &Cell<bool>, is_wanted: bool| is_wanted && !has.replace(true);
            // What the file uses without a header that says so, or where only what it includes names it.
            let lacks_fetches = is_new(&with_fetches, texture_fetches::are_named(&said));
            let lacks_library = is_new(&with_library, standard_library::is_missing(&said));
            let has_types = own_types.borrow_mut().add(&output);
            let is_clean = output.status.success() && said.is_empty();
            let lacks_prelude = is_new(&with_whole_prelude, !is_clean);
            if !(lacks_fetches || lacks_library || has_types || lacks_prelude) {
                return Ok(output);
            }
            printed.clear();
        }
    };
    let mut output = clang(Task::Tree, &[], &mut Vec::new())?;
    let mut missing = Missing::default();
    let mut with_errors = None;
    if (missing::is_missing(&output) || faulty == Faulty::LeftOut)
        && !options.require_includes
        && is_read_without(language, options)
    {
        let said = output.said.clone();
        let keeps_errors = faulty == Faulty::Kept;
        let read = missing::read(
            output,
            language,
            own.as_deref(),
            &nearby,
            keeps_errors,
            &clang,
        );
        has_nearby.set(has_nearby.get() || !nearby.borrow().all.is_empty());
        match read {
            Ok(read) => {
                output = read.output;
                missing = read.missing;
                with_errors = read.with_errors;
            }
            Err(Failure::Said(output)) => {
                let error = first_diagnostic(&output, &given, shown, options);
                return Err(missing::also_missing(error, &said));
            }
            Err(Failure::Error(error)) if error.file == given.to_string_lossy() => {
                let (line, column) = (error.line, error.column);
                return Err(error.at(shown, line, column));
            }
            Err(Failure::Error(error)) => return Err(error),
        }
    }
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
    Ok(Read {
        tree,
        complaints,
        missing,
        nearby: nearby.into_inner().all,
        with_errors: with_errors.and_then(|output| {
            let complaints = self::complaints(&output)?;
            let is_whole = !output.tree.is_empty() && output.tree.refused().is_none();
            let tree = is_whole.then(|| tree::read(&output.tree))?.ok()?;
            Some((tree, complaints))
        }),
    })
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

/// A folder with a file that includes the user's.
fn wrapper(given: &Path, options: &ParseOptions) -> Result<TempDir, FrontendError> {
    let folder =
        tempfile::tempdir().map_err(|e| file_error("cannot make a temporary folder", &e))?;
    std::fs::write(
        folder.path().join(INSTANCES),
        with_instances(given, options)?,
    )
    .map_err(|e| file_error("cannot write what instantiates templates", &e))?;
    Ok(folder)
}

/// Whether a file can be read without a header: old C declares a function by calling it, so that a name without a
/// declaration is no error.
fn is_read_without(language: Language, options: &ParseOptions) -> bool {
    let old = ["89", "90", "199409"];
    let standard = options.standard.as_deref().unwrap_or_default();
    language != Language::C || !old.iter().any(|year| standard.ends_with(year))
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

fn arguments(
    path: &Path,
    headers: &Path,
    language: Language,
    options: &ParseOptions,
    task: Task,
    more: &[OsString],
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
        // Errors of C++11's and C++17's, which CUDA's compilers let pass.
        "-Wno-register",
        "-Wno-c++11-narrowing",
        "-Wno-reserved-user-defined-literal",
        "-ferror-limit=0",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
    ] {
        add(text);
    }
    let asked: &[&str] = match task {
        Task::Tree => &["-fsyntax-only", "-Xclang", "-ast-dump=json"],
        Task::Check => &["-fsyntax-only"],
        Task::Preprocess => &["-E", "-dD"],
    };
    for text in asked {
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
    for file in &options.pre_includes {
        all.push("-include".into());
        all.push(program::file_argument(file).into());
    }
    all.push("-isystem".into());
    all.push(headers.into());
    all.extend_from_slice(more);
    all.push("--".into());
    all.push(path.into());
    all
}

/// Runs the first clang there is: the option's, `$GRIDLOCK_CLANG`, `clang-19`, `clang`. What it prints is its tree,
/// or goes to `printed`. `spent`: how much of the time is gone, in seconds.
fn run(
    arguments: &[OsString],
    options: &ParseOptions,
    spent: f64,
    task: Task,
    printed: &mut Vec<u8>,
) -> Result<Output, FrontendError> {
    let clang = find(options)?;
    let mut command = program::command(&clang);
    command.args(arguments);
    // A clang that crashes would start another program to print its stack.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1");
    let limits = child::Limits {
        seconds: options.limits.seconds - spent,
        bytes: options.limits.bytes,
        may_write: false,
    };
    let mut tree = Compact::default();
    let mut take = |piece: &[u8]| match task {
        Task::Tree => tree.take(piece),
        Task::Check | Task::Preprocess => {
            printed.extend_from_slice(piece);
            match printed.len() > tree::MOST_BYTES {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    };
    let end = child::run(command, limits, &mut take).map_err(|error| {
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
        End::NotWanted if task != Task::Tree => limit(format!(
            "limit reached: clang prints more than {} MiB for this file",
            tree::MOST_BYTES >> 20
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
