//! From source text to the algebra: CUDA C++, OpenCL C and C, read through clang's JSON syntax tree,
//! and the algebra's own notation ([`scheme`]).
//!
//! The result is a [`Program`] in surface form. Only the subset of C that the algebra has a
//! meaning for is accepted; everything else is named with its place. A construct outside the
//! subset makes the procedure around it (and whoever calls that) unsupported, not the file.

mod bit_field;
mod body;
mod cells;
mod clang;
mod condition_declarations;
mod constant;
mod ctype;
mod declarations;
mod error;
mod group;
mod header_comment;
mod header_folder;
mod host_errors;
mod known_number;
mod local_lambdas;
mod local_types;
mod lowering;
mod member_names;
mod memory_order;
mod opencl_vector;
mod place_in_source;
mod program_builder;
mod record;
mod scalar_words;
pub mod scheme;
mod stand_ins;
mod syntax;
mod type_place;
mod unit;

pub use error::{ErrorKind, FrontendError};

use gridlock_boundary::input;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Source languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++: kernels, device functions and host functions.
    Cuda,
    /// C: every function is a host procedure.
    C,
    /// OpenCL C: kernels and device functions.
    OpenCl,
    /// The algebra's own notation.
    Scheme,
}

/// What the caller can say about a parse.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The clang to run; else `$GRIDLOCK_CLANG`, `clang-19`, `clang`.
    pub clang: Option<PathBuf>,
    /// How much clang may take.
    pub limits: ReadLimits,
    /// `-D name` or `-D name=value`.
    pub defines: Vec<(String, Option<String>)>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// Instances of templates to make besides those the file makes: `kernel<float, 256>`.
    pub instantiate: Vec<String>,
    /// Else decided by the file's extension.
    pub language: Option<Language>,
    /// The dialect of C++ or C that clang reads (`-std`), as `c++20`.
    pub standard: Option<String>,
    /// How deep calls of a recursive function are unfolded; else as deep as [`DEFAULT_RECURSION`], less where
    /// it calls itself in several places.
    pub recursion: Option<u32>,
    /// `main`'s arguments, without the program's name.
    pub argv: Vec<String>,
}

/// How much clang may take for one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadLimits {
    /// By the clock.
    pub seconds: f64,
    /// Of its address space.
    pub bytes: u64,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits {
            seconds: 60.0,
            bytes: 2 << 30,
        }
    }
}

/// How deep calls of a recursive function are unfolded where nobody says.
pub const DEFAULT_RECURSION: u32 = 8;

/// Deepest unfolding that may be asked for.
pub const MAX_RECURSION: u32 = 64;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The supported procedures; operators are numbered, form is `Surface`.
    pub program: Program,
    /// The procedures left out, and why, in textual order.
    pub unsupported: Vec<Unsupported>,
    /// Things read but given no meaning (`printf`), in textual order.
    pub notes: Vec<Note>,
    /// What was taken for granted of functions that the file does not define.
    pub assumptions: Vec<Assumption>,
    /// Constant memory that a host program may fill before a launch: `__constant__` variables that are
    /// not `const`. Not those that hold pointers, which only the file can name.
    pub fillable: Vec<ArrayId>,
    /// The axes of launches that the source of each procedure asks about. Ranks in groups, tiles and
    /// barriers that count read all axes and ask about none. `None`: not told apart.
    pub asked: Option<BTreeMap<ProcId, LaunchAxes>>,
    /// How the memory of pointer arguments lies in the algebra's arrays, where that shows.
    pub layouts: Vec<Layout>,
    /// The comments at the head of the file that say what is expected of it.
    pub headers: Vec<HeaderLine>,
}

/// A procedure that uses something outside the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub proc: String,
    pub kind: ProcKind,
    /// Where the construct stands.
    pub span: Span,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// What it is, without the words "not supported".
    pub message: String,
}

/// Something the front end read but gave no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    pub message: String,
}

/// What a procedure means what it means by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    pub proc: ProcId,
    /// Without a full stop.
    pub sentence: String,
}

/// What a pointer parameter is in the algebra where its elements are not cells: one pointer for each
/// group of a struct, or cells smaller than the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The procedure's name.
    pub procedure: String,
    /// The parameter as it is declared.
    pub parameter: String,
    /// The procedure's parameters that stand for it, and how many cells each has for an element.
    pub parts: Vec<(String, u64)>,
}

/// One statement of a header comment: `// gridlock: key = value`, or a GPUVerify-style line
/// (`//pass`, `//xfail:KIND`, `//--gridDim=2 -DN=4`): key `pass`, `xfail`, `gridDim`, `define`.
/// The front end itself obeys `define`: clang gets it as `-D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderLine {
    pub key: String,
    /// Empty when the line has none.
    pub value: String,
    pub line: u32,
}

/// Reads a source file.
///
/// # Errors
/// [`ErrorKind::File`] when it cannot be read, [`ErrorKind::Syntax`] with clang's first
/// diagnostic, [`ErrorKind::Unsupported`] for a construct at file scope that concerns every
/// procedure, [`ErrorKind::Limit`] when clang takes more than the options allow,
/// [`ErrorKind::Clang`] when there is no clang to run.
pub fn parse_file(path: &Path, options: &ParseOptions) -> Result<Parsed, FrontendError> {
    let shown = path.to_string_lossy().into_owned();
    let bytes = input::read(path).map_err(|error| {
        let error = FrontendError::new(ErrorKind::File, format!("cannot read: {error}"));
        error.at(&shown, 0, 0)
    })?;
    let language = match options.language.or_else(|| language_of(path)) {
        Some(language) => language,
        None => {
            let message = "not a source file: known are .cu .cuh .cpp .cc .cxx .c .h .cl .scheme";
            return Err(FrontendError::new(ErrorKind::File, message).at(&shown, 0, 0));
        }
    };
    if language == Language::Scheme {
        return parse_scheme(&shown, &bytes);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    lowering::on_a_roomy_stack(path, &shown, &text, language, options)
}

/// A scheme has no macros and includes no files, so that no option concerns it.
fn parse_scheme(name: &str, text: &[u8]) -> Result<Parsed, FrontendError> {
    let program = scheme::read(name, text)?;
    Ok(Parsed {
        program,
        unsupported: Vec::new(),
        notes: Vec::new(),
        assumptions: Vec::new(),
        fillable: Vec::new(),
        asked: None,
        layouts: Vec::new(),
        headers: header_comment::header_lines(&String::from_utf8_lossy(text)),
    })
}

/// Reads source text that is in memory; `name` stands for the file in spans and messages.
///
/// # Errors
/// As [`parse_file`].
pub fn parse_source(
    name: &str,
    text: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Parsed, FrontendError> {
    if language == Language::Scheme {
        return parse_scheme(name, text.as_bytes());
    }
    let file_error = |error: std::io::Error| {
        FrontendError::new(
            ErrorKind::File,
            format!("cannot make a temporary file: {error}"),
        )
    };
    let dir = tempfile::Builder::new()
        .prefix("gridlock-source-")
        .tempdir()
        .map_err(file_error)?;
    let path = dir.path().join(match language {
        Language::C => "source.c",
        Language::OpenCl => "source.cl",
        _ => "source.cu",
    });
    std::fs::write(&path, text).map_err(file_error)?;
    lowering::on_a_roomy_stack(&path, name, text, language, options)
}

fn language_of(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "cu" | "cuh" | "cpp" | "cc" | "cxx" => Some(Language::Cuda),
        "c" | "h" => Some(Language::C),
        "cl" => Some(Language::OpenCl),
        "scheme" => Some(Language::Scheme),
        _ => None,
    }
}
