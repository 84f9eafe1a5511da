//! Files that clang does not accept as they are. An empty file stands in the place of a header that is missing, and
//! declarations with errors are taken out of the text, until clang accepts what is left without an error. So no kernel
//! is ever read from what the parser makes of a mistake. A file that lacks no header is read in this way too: its
//! errors may be mistakes, or come from a library of which a header here declares too little.
//!
//! What is left is a program of its own. It may differ from the user's in what the declarations that were taken out
//! would have changed, and in what conditions of the preprocessor would have chosen: all that may depend on these, by
//! the names in it, is in doubt and not judged (`dependence`). What else the header may define is an assumption.
//! `docs/decisions/missing-headers.md` says why.

mod chunks;
mod conditions;
mod dependence;
mod effects;
pub(super) mod empty_headers;
mod lexer;
mod libraries;
mod overlay;
mod preprocessed;
mod source;
mod substitutes;

use crate::clang::complaints::{Complaint, complaints};
use crate::clang::header_folder::{is_stand_in, stand_in};
use crate::clang::known::Known;
use crate::clang::output::Output;
use crate::clang::prelude::Named;
use crate::error::{ErrorKind, FrontendError, file_error};
use crate::request::Language;
use dependence::Doubt;
use empty_headers::{EmptyHeaders, missing};
use gridlock_boundary::input;
use gridlock_semantics::algebra::program::ProcKind;
use preprocessed::{Preprocessed, Role};
use source::Source;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::Path;
pub(crate) use substitutes::Substitutes;

/// How often declarations are taken out: each time may show errors in what names them.
const MOST_ROUNDS: usize = 32;

/// A file read without some of its headers.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    /// The headers, as the program writes their names.
    pub headers: Vec<String>,
    /// Functions that are not in the tree.
    pub left_out: Vec<LeftOut>,
    /// By file, as clang names it, and line: why what stands there, and in the lines that follow up to the next
    /// entry, is not judged.
    doubts: HashMap<String, BTreeMap<u32, Option<InDoubt>>>,
    /// The names in what was taken out.
    pub mentioned: HashSet<String>,
    /// The first error in what was taken out, in the order of files and lines.
    pub first: Option<Complaint>,
}

/// A function that clang does not accept.
#[derive(Debug)]
pub(crate) struct LeftOut {
    pub name: String,
    pub kind: ProcKind,
    pub complaint: Complaint,
}

/// Why a function is not judged.
#[derive(Clone, Debug)]
pub(crate) struct InDoubt {
    pub message: String,
    /// clang's name of the file where the reason stands.
    pub file: String,
    pub line: u32,
}

impl Missing {
    /// Why what stands in a line is not judged, if it is not.
    pub fn doubt(&self, file: &str, line: u32) -> Option<&InDoubt> {
        let mut before = self.doubts.get(file)?.range(..=line);
        before.next_back().and_then(|(_, doubt)| doubt.as_ref())
    }

    /// Why what is left out is left out, in words that follow `left out`.
    pub fn why_left_out(&self) -> String {
        match self.headers.is_empty() {
            true => "because clang does not accept it".into(),
            false => format!("for want of {}", in_words(&self.headers)),
        }
    }
}

fn in_words(headers: &[String]) -> String {
    let quoted: Vec<String> = headers.iter().take(3).map(|h| format!("`{h}`")).collect();
    let s = if headers.len() == 1 { "" } else { "s" };
    let more = match headers.len().saturating_sub(3) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("the missing header{s} {}{more}", quoted.join(", "))
}

/// What clang is asked to do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Print its tree.
    Tree,
    /// Print its tree if nothing is wrong with it, and say what is.
    CleanTree,
    /// Say what is wrong with it.
    Check,
    /// Print its text after preprocessing, with its definitions.
    Preprocess,
}

/// clang on the file that is read: a task, more arguments, and where to put what it prints other than a tree.
pub(super) type Clang<'c> =
    &'c dyn Fn(Task, &[OsString], &mut Vec<u8>) -> Result<Output, FrontendError>;

/// Whether clang says that it stopped at a header that is missing.
pub(super) fn is_said(said: &[u8]) -> bool {
    missing(said).is_some()
}

/// An error of a file in which a header is missing, where the error does not say so itself.
pub(super) fn also_missing(mut error: FrontendError, said: &[u8]) -> FrontendError {
    if let Some(name) = missing(said)
        && !error.message.ends_with("file not found")
    {
        error.message +=
            &format!(" (`{name}`, which the file includes, is not found: -I names folders)");
    }
    error
}

/// Why a file is not read without its headers.
pub(super) enum Failure {
    /// clang says why.
    Said(Output),
    /// Something else is wrong.
    Error(FrontendError),
}

impl From<FrontendError> for Failure {
    fn from(error: FrontendError) -> Failure {
        Failure::Error(error)
    }
}

/// Reads a file without the declarations in which clang finds errors, and without its missing headers, if clang said in
/// `first` that there are any; those that are `known` are not found out again. The tree of what is left has no errors.
/// `own`: the file of ours, if there is one, that includes the user's. Headers that are found in a folder nearby are not
/// missing; where all are, the whole text is read, and `keeps_errors` says whether with its errors.
pub(super) fn read(
    first: Option<Output>,
    language: Language,
    own: Option<&Path>,
    known: &Known,
    keeps_errors: bool,
    clang: Clang<'_>,
) -> Result<WithoutHeaders, Failure> {
    let headers = known.empty_headers();
    let mut headers = headers.map_err(|e| file_error("cannot make a temporary folder", &e))?;
    let mut nothing = Vec::new();
    let included = first.as_ref().and_then(|o| empty_headers::place(&o.said));
    let mut stopped = first;
    let mut printed = Vec::new();
    let printed = loop {
        if let Some(output) = stopped {
            let Some(name) = missing(&output.said) else {
                return Err(Failure::Said(output));
            };
            let mut nearby = known.nearby.borrow_mut();
            let place = empty_headers::place(&output.said);
            let is_found = place.is_some_and(|(file, ..)| nearby.add(&name, Path::new(&file)));
            let is_added = is_found
                || headers
                    .add(&name)
                    .map_err(|e| file_error("cannot write an empty header", &e))?;
            if !is_added {
                return Err(Failure::Said(output));
            }
        }
        printed.clear();
        let output = clang(Task::Preprocess, &headers.arguments(), &mut printed)?;
        if output.status.success() {
            break printed;
        }
        stopped = Some(output);
    };
    known.missing.replace(headers.names.clone());
    let source = text_of(&printed, &headers, own);
    if let Ok(source) = &source
        && known.may_leave_out.get()
    {
        known.named.replace(named(source, &printed));
    }
    if headers.names.is_empty() && known.has_nearby() {
        let output = clang(Task::Tree, &[], &mut nothing)?;
        if output.status.success() || keeps_errors {
            return Ok(WithoutHeaders {
                missing: Missing::default(),
                output,
                launches_are_left_out: false,
                substitutes: Substitutes::default(),
            });
        }
    }
    let source = source?;
    if source.is_odd() {
        // A bracket without its other half is an error that clang names better, and with its place.
        let output = clang(Task::Check, &headers.arguments(), &mut nothing)?;
        if !output.status.success() {
            return Err(Failure::Said(output));
        }
        if headers.names.is_empty() {
            return Err(Failure::Said(output));
        }
        let message = format!(
            "{} cannot be found, and without it a file is not read in which #line, concepts, digraphs or lines that \
             are continued within a word stand",
            in_words(&headers.names)
        );
        let error = FrontendError::new(ErrorKind::Syntax, message);
        return Err(match included {
            Some((file, line, column)) => error.at(&file, line, column).into(),
            None => error.into(),
        });
    }
    let owner = |complaint: &Complaint| {
        let file = source.file(&complaint.file)?;
        source.owner(file, complaint.line)
    };
    // What was wrong in the text alone is so with any instances.
    let faults = known.faults.borrow().clone();
    let of_text = faults.iter().flatten();
    let mut left_out: HashMap<usize, Complaint> = of_text
        .filter_map(|complaint| {
            let mut complaint = complaint.clone();
            complaint.file = source.same_file(&complaint.file)?.to_owned();
            Some((owner(&complaint)?, complaint))
        })
        .collect();
    let mut substitutes = Substitutes::new(headers, &source, &left_out)?;
    let mut n_rounds = 0;
    let output = loop {
        let output = clang(Task::CleanTree, &substitutes.arguments(), &mut nothing)?;
        if output.status.success() && !output.tree.is_empty() {
            break output;
        }
        n_rounds += 1;
        if n_rounds > MOST_ROUNDS {
            return Err(Failure::Said(output));
        }
        let Some(found) = complaints(&output) else {
            return Err(Failure::Said(output));
        };
        let n_before = left_out.len();
        for complaint in found {
            let Some(piece) = owner(&complaint).filter(|piece| !source.is_bound(*piece)) else {
                return Err(Failure::Said(output));
            };
            left_out.entry(piece).or_insert(complaint);
        }
        if left_out.len() == n_before {
            return Err(Failure::Said(output));
        }
        substitutes.leave_out(&source, &left_out)?;
    };
    let faults = left_out.values().cloned().collect();
    known.faults.borrow_mut().get_or_insert(faults);
    Ok(WithoutHeaders {
        // A launch is told by the text of the function that makes it, even if not all of that is understood.
        launches_are_left_out: launches_are_left_out(&source, &left_out),
        missing: result(&source, substitutes.headers(), &left_out, language),
        output,
        substitutes,
    })
}

/// What clang says of a file without some of its headers.
pub(super) struct WithoutHeaders {
    /// Of the text that is left.
    pub output: Output,
    pub missing: Missing,
    /// Whether a launch stands in what is left out.
    pub launches_are_left_out: bool,
    /// With them clang reads the file so again.
    pub substitutes: Substitutes,
}

/// Whether a launch stands in a function that is left out.
fn launches_are_left_out(source: &Source, left_out: &HashMap<usize, Complaint>) -> bool {
    let chunks = source.scope.chunks.iter().enumerate();
    let mut chunks = chunks.filter(|(index, _)| left_out.contains_key(&source.piece_of[*index]));
    chunks.any(|(_, chunk)| {
        let mut tokens = source.read.tokens[chunk.tokens.clone()].windows(3);
        tokens.any(|three| {
            let text: String = three.iter().map(|token| token.text.as_str()).collect();
            text.contains("<<<")
        })
    })
}

/// What a file names of the prelude, by its text after preprocessing; `None` if that is not told.
pub(super) fn names(printed: &[u8], known: &Known, own: Option<&Path>) -> Option<Named> {
    let headers = known.empty_headers().ok()?;
    let source = text_of(printed, &headers, own).ok()?;
    named(&source, printed)
}

/// What the files that clang read name of the prelude.
fn named(source: &Source, printed: &[u8]) -> Option<Named> {
    let read = &source.read;
    let printed = String::from_utf8_lossy(printed);
    let mut headers: Vec<String> = preprocessed::files(&printed)
        .filter_map(|file| Some(stand_in(&file)?.to_owned()))
        .collect();
    headers.sort_unstable();
    headers.dedup();
    let texts = source.files.iter().map(|file| file.text.as_str());
    let tokens = read.tokens.iter().map(|token| token.text.as_str());
    let headers = headers.iter().map(String::as_str);
    Named::of_preprocessed(texts, tokens, headers).filter(|_| !read.is_odd)
}

/// The text of the files that clang read.
fn text_of(
    printed: &[u8],
    headers: &EmptyHeaders,
    own: Option<&Path>,
) -> Result<Source, FrontendError> {
    let not_files = ["<built-in>", "<command line>", "<scratch space>", "<stdin>"];
    let is_known =
        |name: &str| not_files.contains(&name) || is_stand_in(name) || own == Some(Path::new(name));
    let role = |name: &str| match name {
        _ if headers.has(name) => Role::Missing(headers.name(name).unwrap_or(name).to_string()),
        _ if is_known(name) => Role::Known,
        _ => Role::User,
    };
    let read = Preprocessed::new(&String::from_utf8_lossy(printed), role);
    let mut texts = Vec::new();
    for name in &read.files {
        let bytes = input::read(Path::new(name));
        let bytes = bytes.map_err(|e| file_error("cannot read", &e).at(name, 0, 0))?;
        texts.push(String::from_utf8(bytes).unwrap_or_else(|error| {
            // A character a byte, so that all keeps its column.
            let ascii = |byte: &u8| if byte.is_ascii() { *byte as char } else { '?' };
            error.as_bytes().iter().map(ascii).collect()
        }));
    }
    Ok(Source::new(read, texts))
}

fn result(
    source: &Source,
    mut headers: Vec<String>,
    left_out: &HashMap<usize, Complaint>,
    language: Language,
) -> Missing {
    let why = |complaint: &Complaint| Doubt {
        message: format!(
            "what clang does not accept at line {}, {}",
            complaint.line, complaint.message
        ),
        file: source.file(&complaint.file).unwrap_or_default(),
        line: complaint.line,
    };
    let by_piece = left_out
        .iter()
        .map(|(piece, complaint)| (*piece, why(complaint)))
        .collect();
    let doubts = source.doubts(&by_piece);
    for header in doubts.headers {
        if !headers.contains(&header) {
            headers.push(header);
        }
    }
    let on = match headers.is_empty() {
        true => String::new(),
        false => format!("{}: ", in_words(&headers)),
    };
    let mut of_lines: HashMap<String, BTreeMap<u32, Option<InDoubt>>> = HashMap::new();
    for (file, line, owner) in source.owners() {
        let doubt = owner
            .and_then(|piece| doubts.of.get(&piece))
            .map(|doubt| InDoubt {
                message: format!("what may depend on {on}{}", doubt.message),
                file: source.read.files[doubt.file].clone(),
                line: doubt.line,
            });
        let name = source.read.files[file].clone();
        of_lines.entry(name).or_default().insert(line, doubt);
    }
    let mentions = source.mentions();
    let mentioned = left_out
        .keys()
        .filter_map(|piece| mentions.get(piece))
        .flatten();
    let mentioned = mentioned.map(|name| name.to_string()).collect();
    let mut functions = Vec::new();
    for (index, chunk) in source.scope.chunks.iter().enumerate() {
        let complaint = left_out.get(&source.piece_of[index]);
        if let (Some(name), Some(complaint)) = (&chunk.function, complaint) {
            let head = chunk.tokens.start..chunk.body;
            functions.push(LeftOut {
                name: name.clone(),
                kind: kind(source, head, language),
                complaint: Complaint {
                    message: format!(
                        "what clang does not accept{}: {}",
                        without(&headers),
                        complaint.message
                    ),
                    ..complaint.clone()
                },
            });
        }
    }
    let first = left_out
        .values()
        .min_by_key(|c| (source.file(&c.file), c.line, c.column));
    Missing {
        headers,
        left_out: functions,
        doubts: of_lines,
        mentioned,
        first: first.cloned(),
    }
}

fn without(headers: &[String]) -> String {
    match headers.is_empty() {
        true => String::new(),
        false if headers.len() == 1 => {
            format!(" without {} (-I names its folder)", in_words(headers))
        }
        false => format!(" without {} (-I names a folder)", in_words(headers)),
    }
}

/// Where a function runs, by what stands before its body.
fn kind(source: &Source, head: std::ops::Range<usize>, language: Language) -> ProcKind {
    let has = |word: &str| {
        source.read.tokens[head.clone()]
            .iter()
            .any(|t| t.text == word)
    };
    match language {
        Language::C | Language::Scheme => ProcKind::Host,
        Language::OpenCl if has("kernel") || has("__kernel") => ProcKind::Kernel,
        Language::OpenCl => ProcKind::Device,
        Language::Cuda if has("global") => ProcKind::Kernel,
        Language::Cuda if has("device") => ProcKind::Device,
        Language::Cuda => ProcKind::Host,
    }
}
