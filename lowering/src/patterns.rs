//! Targets of host code as pattern files: pairs `high <=> low`, the algebra's host operators on one
//! side and a target's text on the other, read in both directions.
//!
//! After Doroshenko and Zhereb's patterns between a program's model and its text ("Developing
//! parallel programs for multicore and GPU by rewriting rules"), with two differences: the low side
//! is text with metavariables, not a term, so that a target needs no parser of its own; and what a
//! text does not say of an operator (a `cl_mem` has no element type) is marked in the pattern.
//! The grammar of the files: `docs/lowering.md`.

mod fill;
mod lift;
mod pointee;
mod read;
mod recognise;
mod term;
mod token;

pub(crate) use lift::type_term;
pub use lift::{KernelSignature, LiftError, lift, runtime_prologue};
pub use read::PatternError;
pub use term::Term;

use std::sync::OnceLock;

/// Where a target keeps its kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kernels {
    /// In the file of the host code.
    SameFile,
    /// CUDA C++ in a file with the first extension; the host loads one with the second.
    Cuda { source: String, loaded: String },
    /// OpenCL C, which the host compiles.
    OpenCl { source: String },
}

/// How the host's expressions and statements are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLanguage {
    Cpp,
    CSharp,
}

/// A target, as its file describes it.
#[derive(Clone, Debug)]
pub struct PatternFile {
    pub name: String,
    pub about: String,
    /// What the patterns follow.
    pub source: String,
    pub language: HostLanguage,
    /// Extension of the host's file.
    pub extension: String,
    pub kernels: Kernels,
    /// Device pointers are of a type without elements: they are kept, copied through and passed,
    /// and nothing is computed with them.
    pub opaque_pointers: bool,
    /// Levels of indentation functions stand at.
    pub depth: usize,
    /// Names the target's text uses itself; `x*` means all that begin so.
    pub reserved: Vec<String>,
    /// Names that only patterns may mention: what is left of them after lifting is an error. `x+`
    /// means all that go on with a capital.
    pub foreign: Vec<String>,
    categories: Vec<Category>,
}

/// Patterns of one kind, tried in order.
#[derive(Clone, Debug)]
struct Category {
    name: String,
    pairs: Vec<Pair>,
}

/// `high <=> low`.
#[derive(Clone, Debug)]
struct Pair {
    high: term::High,
    /// Lines as they are written.
    lines: Vec<Vec<fill::Piece>>,
    /// The same as tokens, to be recognised.
    tokens: Vec<recognise::LowToken>,
    lowers: bool,
    lifts: bool,
}

impl PatternFile {
    /// Reads a pattern file; `file` is its name in messages.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn read(file: &str, text: &str) -> Result<PatternFile, PatternError> {
        read::read(file, text)
    }

    fn category(&self, name: &str) -> Option<&Category> {
        self.categories.iter().find(|c| c.name == name)
    }

    /// Whether printed code must not use a name.
    pub fn reserves(&self, name: &str) -> bool {
        self.reserved
            .iter()
            .any(|word| match word.strip_suffix('*') {
                Some(prefix) => name.starts_with(prefix),
                None => word == name,
            })
    }

    /// Whether a name belongs to the target's interface.
    fn is_foreign(&self, name: &str) -> bool {
        self.foreign.iter().any(|word| {
            if let Some(prefix) = word.strip_suffix('+') {
                let rest = name.strip_prefix(prefix);
                rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
            } else if let Some(prefix) = word.strip_suffix('*') {
                name.starts_with(prefix)
            } else {
                word == name
            }
        })
    }
}

/// Name and text of the targets that come with the tool.
const BUILT_IN: [(&str, &str); 3] = [
    (
        "cuda-runtime",
        include_str!("../targets/cuda-runtime.patterns"),
    ),
    (
        "cuda-driver",
        include_str!("../targets/cuda-driver.patterns"),
    ),
    (
        "opencl-host",
        include_str!("../targets/opencl-host.patterns"),
    ),
];

/// The names of [`built_in`] targets.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

/// The text of a target that comes with the tool.
pub fn built_in_text(name: &str) -> Option<&'static str> {
    BUILT_IN
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, text)| *text)
}

/// A target that comes with the tool.
///
/// # Errors
/// There is none of that name.
pub fn built_in(name: &str) -> Result<&'static PatternFile, PatternError> {
    static READ: OnceLock<Vec<Result<PatternFile, PatternError>>> = OnceLock::new();
    let all = READ.get_or_init(|| {
        let read =
            |(name, text): &(&str, &str)| PatternFile::read(&format!("{name}.patterns"), text);
        BUILT_IN.iter().map(read).collect()
    });
    for ((built_in, _), read) in BUILT_IN.iter().zip(all) {
        if *built_in == name {
            return read.as_ref().map_err(Clone::clone);
        }
    }
    let names: Vec<&str> = built_in_names().collect();
    Err(PatternError {
        file: String::new(),
        line: 0,
        column: 0,
        message: format!("no target `{name}` (there are {})", names.join(", ")),
    })
}
