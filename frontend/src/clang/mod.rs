//! Running clang: from source text to the JSON syntax tree.

pub(crate) mod complaints;
pub(crate) mod header_folder;
pub(crate) mod host_errors;
mod kept;
pub(crate) mod known;
pub(crate) mod missing;
pub(crate) mod nearby;
pub(crate) mod options;
pub(crate) mod output;
mod own_types;
mod prelude;
pub(crate) mod refused_instances;
pub(crate) mod stand_ins;
mod standard_library;
mod texture_fetches;
pub(crate) mod tree;

use crate::clang::header_folder::HeaderFolder;
use crate::clang::output::{INSTANCES, IsUseless, Output};
use crate::error::{ErrorKind, FrontendError, file_error};
use crate::request::{Language, ParseOptions};
use crate::syntax::Node;
pub(crate) use complaints::{Complaint, of_instance};
use complaints::{complaints, first_diagnostic};
use gridlock_boundary::child::{self, End};
use gridlock_boundary::program;
use kept::Kept;
use known::Known;
pub(crate) use missing::Substitutes;
use missing::{Failure, Missing, Task, WithoutHeaders};
use nearby::Nearby;
use prelude::Named;
use std::cell::Cell;
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
    /// Whether a launch stands in what is left out: a tree with the errors in it has more of these, and says nothing
    /// else that a judgement may rest on.
    pub launches_are_left_out: bool,
    /// With them clang reads the file so again.
    pub substitutes: Substitutes,
}

/// Seconds that a run of clang took at most of which the output is kept.
const MOST_OF_KEPT: f64 = 1.0;

/// What clang says of `extern __shared__ int s[8];`, which CUDA's compilers let pass.
const SHARED_WITH_AN_EXTENT: &str = "cannot be 'extern'";
/// With these it lets it pass, too; but not memory without extent of types without linkage.
const LINKED: [&str; 2] = ["-fgpu-rdc", "-U__CLANG_RDC__"];

/// What becomes of declarations in which clang finds errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faulty {
    /// They are in the tree, as clang makes sense of them. Where a header is missing, they are left out.
    Kept,
    /// They are left out of the text.
    LeftOut,
}

/// A file that clang is asked about.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub path: &'a Path,
    /// What it holds.
    pub text: &'a str,
    /// Its name in messages.
    pub shown: &'a str,
    pub language: Language,
    pub options: &'a ParseOptions,
    /// By readings of it with other instances, or with its errors.
    pub known: &'a Known,
}

/// Runs clang on a file and gives its syntax tree.
pub(crate) fn syntax_tree(asked: Asked<'_>, faulty: Faulty) -> Result<Read, FrontendError> {
    let Asked {
        shown,
        language,
        options,
        known,
        ..
    } = asked;
    let asking = Asking::new(asked)?;
    let is_read_without = !options.require_includes && is_read_without(language, options);
    let is_known = faulty == Faulty::LeftOut || known.lacks_headers();
    let first = match is_read_without && is_known {
        true => None,
        false => Some(asking.first(is_read_without)?),
    };
    let lacks_headers = |output: &Output| missing::is_said(&output.said);
    let mut read = match first {
        Some(output) if !(is_read_without && lacks_headers(&output)) => WithoutHeaders {
            output,
            missing: Missing::default(),
            launches_are_left_out: false,
            substitutes: Substitutes::default(),
        },
        first => {
            let said = first.as_ref().map(|output| output.said.clone());
            let keeps_errors = faulty == Faulty::Kept;
            let clang = |task: Task, more: &[OsString], printed: &mut Vec<u8>| {
                asking.run(task, more, printed, false)
            };
            let own = asking.own.as_deref();
            match missing::read(first, language, own, known, keeps_errors, &clang) {
                Ok(read) => read,
                Err(Failure::Said(output)) => {
                    let error = first_diagnostic(&output, &asking.given, shown, options);
                    return Err(missing::also_missing(error, &said.unwrap_or_default()));
                }
                Err(Failure::Error(error)) if error.file == asking.given.to_string_lossy() => {
                    let (line, column) = (error.line, error.column);
                    return Err(error.at(shown, line, column));
                }
                Err(Failure::Error(error)) => return Err(error),
            }
        }
    };
    let output = &mut read.output;
    if let Some(refused) = output.tree.refused() {
        let tree = std::mem::take(&mut output.tree);
        return Err(refusal(refused, tree, &asking.given, shown));
    }
    let complaints = match output.status.success() {
        true => Vec::new(),
        // A tree with errors is used for CUDA only, where host code can be separated from device code.
        false => match complaints(output) {
            Some(complaints) if language == Language::Cuda && !output.tree.is_empty() => complaints,
            _ => return Err(first_diagnostic(output, &asking.given, shown, options)),
        },
    };
    Ok(Read {
        tree: tree::read(&output.tree)?,
        complaints,
        missing: read.missing,
        nearby: known.nearby.borrow().all.clone(),
        launches_are_left_out: read.launches_are_left_out,
        substitutes: read.substitutes,
    })
}

/// The tree of a file that was read without what clang finds wrong in it, with all of that in it, and clang's errors.
/// `None` where clang makes nothing of it.
pub(crate) fn tree_with_errors(asked: Asked<'_>) -> Option<(Node, Vec<Complaint>)> {
    let asking = Asking::new(asked).ok()?;
    let headers = asked.known.empty_headers().ok()?;
    let nothing = &mut Vec::new();
    let output = asking.run(Task::Tree, &headers.arguments(), nothing, false);
    let output = output.ok()?;
    let complaints = complaints(&output)?;
    let is_whole = !output.tree.is_empty() && output.tree.refused().is_none();
    Some((
        is_whole.then(|| tree::read(&output.tree))?.ok()?,
        complaints,
    ))
}

/// Runs of clang on one file, which have the time of one together.
struct Asking<'a> {
    asked: Asked<'a>,
    headers: HeaderFolder,
    /// clang's name of the user's file.
    given: PathBuf,
    /// The file of ours that includes it, if there is one.
    own: Option<PathBuf>,
    _wrapper: Option<TempDir>,
    begun: Instant,
}

impl<'a> Asking<'a> {
    fn new(asked: Asked<'a>) -> Result<Asking<'a>, FrontendError> {
        let Asked {
            path,
            shown,
            options,
            ..
        } = asked;
        options::check(options).map_err(|error| error.at(shown, 0, 0))?;
        let headers =
            HeaderFolder::new().map_err(|e| file_error("cannot write the stand-in headers", &e))?;
        let given = name_of(path, options);
        // Naming the user's file in a file of ours makes instances of its templates.
        let wrapper = match is_wrapped(path, options) {
            false => None,
            true => Some(wrapper(&given, options)?),
        };
        Ok(Asking {
            asked,
            headers,
            given,
            own: wrapper.as_ref().map(|folder| folder.path().join(INSTANCES)),
            _wrapper: wrapper,
            begun: Instant::now(),
        })
    }

    /// The first run: where it shows that the file is read without headers that are missing, its tree is not taken.
    /// clang comes to a header that is missing long before it has the tree of what stands before that.
    fn first(&self, is_read_without: bool) -> Result<Output, FrontendError> {
        let Asked {
            path,
            text,
            options,
            ..
        } = self.asked;
        let nothing = &mut Vec::new();
        if is_read_without && prelude::may_lack_headers(path, text, options) {
            let output = self.run(Task::Preprocess, &[], nothing, is_read_without)?;
            if missing::is_said(&output.said) {
                return Ok(output);
            }
            nothing.clear();
        }
        self.run(Task::Tree, &[], nothing, is_read_without)
    }

    /// Runs clang as often as it takes to know what the file uses without a header that says so.
    fn run(
        &self,
        task: Task,
        more: &[OsString],
        printed: &mut Vec<u8>,
        is_read_without: bool,
    ) -> Result<Output, FrontendError> {
        let (language, known) = (self.asked.language, self.asked.known);
        loop {
            // A tree of which clang complains is printed again, with the whole prelude or without headers.
            let is_incomplete = language == Language::Cuda && !known.with_whole_prelude.get();
            let is_useless = |said: &[u8]| {
                is_incomplete && !said.is_empty()
                    || is_read_without && missing::is_said(said)
                    || task == Task::CleanTree && complaints::says_error(said)
            };
            let output = self.once(task, more, printed, &is_useless)?;
            let n_trees = usize::from(!output.tree.is_empty());
            known.n_trees.set(known.n_trees.get() + n_trees);
            if language != Language::Cuda {
                return Ok(output);
            }
            if is_read_without && missing::is_said(&output.said) {
                // What else it lacks shows once it is read without its headers.
                known.with_whole_prelude.set(true);
                return Ok(output);
            }
            let said = String::from_utf8_lossy(&output.said);
            let is_new = |has: &Cell<bool>, is_wanted: bool| is_wanted && !has.replace(true);
            // Also where only what it includes names it.
            let lacks_fetches = is_new(&known.with_fetches, texture_fetches::are_named(&said));
            let lacks_library = is_new(&known.with_library, standard_library::is_missing(&said));
            let has_extents = is_new(&known.with_linking, said.contains(SHARED_WITH_AN_EXTENT));
            let has_types = known.own_types.borrow_mut().add(&output);
            let is_clean = output.status.success() && said.is_empty();
            let lacks_prelude = is_new(&known.with_whole_prelude, !is_clean);
            let lacks_part = task != Task::Preprocess && self.lacks_a_part(&said);
            if !(lacks_fetches
                || lacks_library
                || has_extents
                || has_types
                || lacks_prelude
                || lacks_part)
            {
                return Ok(output);
            }
            if lacks_prelude && task != Task::Preprocess {
                self.learn_names(more)?;
            }
            printed.clear();
        }
    }

    /// Finds out what the file names, so that it need not be read with all of the prelude.
    fn learn_names(&self, more: &[OsString]) -> Result<(), FrontendError> {
        let known = self.asked.known;
        if !known.may_leave_out.get() || known.named.borrow().is_some() {
            return Ok(());
        }
        let mut printed = Vec::new();
        let output = self.once(Task::Preprocess, more, &mut printed, &|_| false)?;
        if output.status.success() {
            let named = missing::names(&printed, known, self.own.as_deref());
            known.named.replace(named);
        }
        Ok(())
    }

    /// Headers that clang reads besides those that the file includes.
    fn besides(&self) -> Vec<&'static str> {
        let known = self.asked.known;
        let fetches = known
            .with_fetches
            .get()
            .then_some(stand_ins::TEXTURE_FETCHES);
        let library = known.with_library.get().then_some(stand_ins::LIBRARY);
        fetches.into_iter().chain(library).collect()
    }

    /// Whether a part of the prelude was left out that clang's words name: then no part is any more.
    fn lacks_a_part(&self, said: &str) -> bool {
        let Asked { known, options, .. } = self.asked;
        let headers = self.besides();
        let is_missed = |named: &Named| named.is_missed(said, &options.instantiate, &headers);
        let is_lacking = known.named.borrow().as_ref().is_some_and(is_missed);
        if is_lacking {
            known.named.replace(None);
            known.may_leave_out.set(false);
        }
        is_lacking
    }

    fn once(
        &self,
        task: Task,
        more: &[OsString],
        printed: &mut Vec<u8>,
        is_useless: IsUseless<'_>,
    ) -> Result<Output, FrontendError> {
        let Asked {
            text,
            shown,
            language,
            options,
            known,
            ..
        } = self.asked;
        let read = self.own.as_deref().unwrap_or(&self.given);
        let mut behind = known.own_types.borrow().arguments();
        if known.with_library.get() {
            behind.extend(["-include", stand_ins::LIBRARY].map(OsString::from));
        }
        behind.extend(known.nearby.borrow().arguments());
        behind.extend_from_slice(more);
        let mut all = arguments(read, self.headers.path(), language, options, task, &behind);
        if language == Language::Cuda {
            let headers = self.besides();
            if known.with_fetches.get() {
                let header = stand_ins::TEXTURE_FETCHES;
                all.splice(0..0, ["-include", header].map(OsString::from));
            }
            if known.with_linking.get() {
                all.splice(0..0, LINKED.map(OsString::from));
            }
            let left_out = match &*known.named.borrow() {
                _ if !known.with_whole_prelude.get() => prelude::left_out(text, options, &headers),
                // What may depend on a missing header is found with all definitions.
                Some(named) if task != Task::Preprocess => {
                    named.left_out(&options.instantiate, &headers)
                }
                _ => Vec::new(),
            };
            let defined = left_out.iter().map(|name| format!("-D{name}").into());
            all.splice(0..0, defined);
        }
        let clang = find(options).map_err(|error| error.at(shown, 0, 0))?;
        let reads_more = !more.is_empty() || self.own.is_some() || known.has_nearby();
        let is_kept = task == Task::Tree && !reads_more && options.reads_one_file();
        let kept = is_kept.then(|| Kept::place(&clang, &all, self.asked.path, text));
        let kept = kept.flatten();
        if let Some(output) = kept.as_ref().and_then(|kept| kept.take(is_useless)) {
            return Ok(output);
        }
        let spent = self.begun.elapsed().as_secs_f64();
        let output = run(&clang, &all, options, spent, task, printed, is_useless);
        let output = output.map_err(|error| match error.file.is_empty() {
            true => error.at(shown, 0, 0),
            false => error,
        })?;
        // With less time it would come out the same.
        let is_quick = self.begun.elapsed().as_secs_f64() < spent + MOST_OF_KEPT;
        if let Some(kept) = kept.filter(|_| is_quick) {
            kept.keep(&output, is_useless, self.asked.path, text);
        }
        Ok(output)
    }
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
        Task::Tree | Task::CleanTree => &["-fsyntax-only", "-Xclang", "-ast-dump=json"],
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

/// Runs clang. What it prints is its tree, or goes to `printed`. `spent`: how much of the time is gone, in seconds. A tree
/// that is useless is not taken: only what clang says is in the output then.
fn run(
    clang: &Path,
    arguments: &[OsString],
    options: &ParseOptions,
    spent: f64,
    task: Task,
    printed: &mut Vec<u8>,
    is_useless: IsUseless<'_>,
) -> Result<Output, FrontendError> {
    let mut command = program::command(clang);
    command.args(arguments);
    // A clang that crashes would start another program to print its stack.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1");
    let limits = child::Limits {
        seconds: options.limits.seconds - spent,
        bytes: options.limits.bytes,
        may_write: false,
    };
    let mut tree = Compact::default();
    let mut take = |piece: &[u8], said: &[u8]| match task {
        // clang complains while it parses, and begins to print when it has.
        Task::Tree | Task::CleanTree if tree.is_empty() && is_useless(said) => {
            ControlFlow::Break(())
        }
        Task::Tree | Task::CleanTree => tree.take(piece),
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
        End::NotWanted { .. } if matches!(task, Task::Check | Task::Preprocess) => limit(format!(
            "limit reached: clang prints more than {} MiB for this file",
            tree::MOST_BYTES >> 20
        )),
        End::NotWanted { said } => Ok(Output {
            status: ExitStatus::default(),
            tree,
            said,
            said_all: true,
        }),
    }
}

/// Where the first clang is that there is, by its absolute path: the option's, `$GRIDLOCK_CLANG`, `clang-19`, `clang`.
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
