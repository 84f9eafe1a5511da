//! A target's text as text over the CUDA runtime: what a pattern recognises becomes the operator it
//! stands for and is written by the patterns of `cuda-runtime`; everything else, which the languages
//! share, stays. The result is read by the front end, which judges it as any other text.

use super::pointee::Pointees;
use super::recognise::Matcher;
use super::term::{DECLARATION, EPILOGUE, EXPRESSION, PROLOGUE, STATEMENT, TYPE};
use super::token::{Token, tokens};
use super::{PatternFile, Term, built_in};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Why a text is not lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct LiftError {
    /// From 1; 0 when unknown.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// What could not be lifted, one phrase.
    pub message: String,
}

impl LiftError {
    fn at(token: Option<&Token>, message: impl Into<String>) -> LiftError {
        LiftError {
            line: token.map_or(0, |token| token.line),
            column: token.map_or(0, |token| token.column),
            message: message.into(),
        }
    }
}

/// A kernel that lifted host code may launch.
#[derive(Clone, Debug)]
pub struct KernelSignature {
    /// As host code calls it.
    pub name: String,
    /// For each parameter the term of its elements' type; `None` for what is no pointer.
    pub pointees: Vec<Option<Term>>,
}

impl KernelSignature {
    /// The kernels of a program.
    pub fn all(program: &Program) -> Vec<KernelSignature> {
        let kernels = program
            .procs
            .iter()
            .filter(|proc| proc.kind == ProcKind::Kernel);
        let of = |ty: Type| ty.pointer().map(|to| type_term(to.elem));
        kernels
            .map(|proc| KernelSignature {
                name: proc.name.to_string(),
                pointees: proc
                    .params
                    .iter()
                    .map(|var| of(proc.vars[var.0 as usize].ty))
                    .collect(),
            })
            .collect()
    }
}

/// `i32()`.
pub(crate) fn type_term(ty: ScalarType) -> Term {
    let name = match ty {
        ScalarType::Bool => "bool",
        ScalarType::I8 => "i8",
        ScalarType::I16 => "i16",
        ScalarType::I32 => "i32",
        ScalarType::I64 => "i64",
        ScalarType::U8 => "u8",
        ScalarType::U16 => "u16",
        ScalarType::U32 => "u32",
        ScalarType::U64 => "u64",
        ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
    };
    Term::app(name, vec![])
}

/// Part of a text on its way.
enum Item<'t> {
    Same(&'t Token),
    Operator {
        category: &'static str,
        term: Term,
        first: &'t Token,
    },
}

/// Kinds of patterns tried where the text stands.
const ANYWHERE: [&str; 4] = [STATEMENT, DECLARATION, EXPRESSION, TYPE];

/// The host code of a text as text over the CUDA runtime, without what stands before the first
/// function in every text of the target.
///
/// # Errors
/// The text does not begin as the target's texts do; a name of the target's interface that no
/// pattern explains; a device pointer whose elements nothing tells; too much backtracking.
pub fn lift(
    patterns: &PatternFile,
    text: &str,
    kernels: &[KernelSignature],
) -> Result<String, LiftError> {
    let runtime = built_in("cuda-runtime").map_err(|e| LiftError::at(None, e.to_string()))?;
    let (found, _) = tokens(text);
    let start = prologue(patterns, &found)?;
    let end = epilogue(patterns, &found);
    let body = found.get(start..end).unwrap_or_default();
    let mut items = scan(patterns, body, &ANYWHERE)?;
    settle_pointees(runtime, &mut items, kernels)?;
    write(patterns, runtime, &items)
}

/// What lifted text is to stand behind: headers and `CHECK`.
pub fn runtime_prologue() -> String {
    let header = |name: &str| Term::List(vec![Term::app(name, vec![])]);
    let parts = vec![
        Term::text(""),
        header("asserts"),
        header("grid_barriers"),
        Term::List(vec![]),
    ];
    let lines = built_in("cuda-runtime")
        .ok()
        .and_then(|runtime| runtime.lines(PROLOGUE, &Term::app(PROLOGUE, parts)));
    lines.unwrap_or_default().join("\n")
}

/// Where the text goes on behind what every text of the target begins with.
fn prologue(patterns: &PatternFile, found: &[Token]) -> Result<usize, LiftError> {
    if patterns.category(PROLOGUE).is_none() {
        return Ok(0);
    }
    let matcher = Matcher::new(patterns, found);
    if let Some((_, end)) = matcher.operator(PROLOGUE, 0) {
        return Ok(end);
    }
    let at = found.get(matcher.furthest.get());
    let name = &patterns.name;
    let message =
        format!("the text does not begin as the prologue of `{name}` does: unlike from here");
    Err(LiftError::at(at.or(found.last()), message))
}

/// Where what every text of the target ends with begins.
fn epilogue(patterns: &PatternFile, found: &[Token]) -> usize {
    let matcher = Matcher::new(patterns, found);
    let last = found.len().saturating_sub(8)..found.len();
    last.into_iter()
        .find(|at| {
            matcher
                .operator(EPILOGUE, *at)
                .is_some_and(|(_, end)| end == found.len())
        })
        .unwrap_or(found.len())
}

fn scan<'t>(
    patterns: &PatternFile,
    body: &'t [Token],
    categories: &[&'static str],
) -> Result<Vec<Item<'t>>, LiftError> {
    let matcher = Matcher::new(patterns, body);
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(first) = body.get(at) {
        let found = categories.iter().find_map(|category| {
            let (term, end) = matcher.operator(category, at)?;
            (end > at).then_some((*category, term, end))
        });
        if matcher.gave_up() {
            let message = "the patterns fit in too many ways: given up";
            return Err(LiftError::at(Some(first), message));
        }
        match found {
            Some((category, mut term, end)) => {
                lift_texts(patterns, &mut term, first)?;
                items.push(Item::Operator {
                    category,
                    term,
                    first,
                });
                at = end;
            }
            None => {
                if first.is_name() && patterns.is_foreign(&first.text) {
                    let message = format!(
                        "no pattern of `{}` explains `{}`",
                        patterns.name, first.text
                    );
                    return Err(LiftError::at(Some(first), message));
                }
                items.push(Item::Same(first));
                at += 1;
            }
        }
    }
    Ok(items)
}

/// The expressions inside an operator, lifted themselves.
fn lift_texts(patterns: &PatternFile, term: &mut Term, place: &Token) -> Result<(), LiftError> {
    let mut failed = None;
    term.change(&mut |part| {
        let Term::Text(text) = part else { return };
        match lift_expression(patterns, text) {
            Ok(lifted) => *text = lifted,
            Err(error) => {
                failed.get_or_insert(error.message);
            }
        }
    });
    match failed {
        Some(message) => Err(LiftError::at(Some(place), message)),
        None => Ok(()),
    }
}

fn lift_expression(patterns: &PatternFile, text: &str) -> Result<String, LiftError> {
    let runtime = built_in("cuda-runtime").map_err(|e| LiftError::at(None, e.to_string()))?;
    let (found, _) = tokens(text);
    let items = scan(patterns, &found, &[EXPRESSION, TYPE])?;
    write(patterns, runtime, &items)
}

/// Fills in what device pointers point to, and how much shared memory a launch gives.
fn settle_pointees(
    runtime: &PatternFile,
    items: &mut [Item<'_>],
    kernels: &[KernelSignature],
) -> Result<(), LiftError> {
    let type_of = |text: &str| {
        let (found, _) = tokens(text);
        let (term, end) = Matcher::new(runtime, &found).operator(TYPE, 0)?;
        (end == found.len()).then_some(term)
    };
    let mut start = 0;
    while start < items.len() {
        let end = start + end_of_function(&items[start..]);
        let mut pointees = Pointees::default();
        for at in start..end {
            if let Item::Operator { term, .. } = &items[at] {
                pointees.see(term, kernels, &type_of);
            }
            note_copy(&items[at..end], &mut pointees);
        }
        pointees.settle();
        for item in &mut items[start..end] {
            let Item::Operator { term, first, .. } = item else {
                continue;
            };
            let mut unknown = None;
            term.change(&mut |part| fill_in(part, &pointees, &mut unknown));
            if let Some(name) = unknown {
                let message = format!("nothing tells what `{name}` points to");
                return Err(LiftError::at(Some(first), message));
            }
        }
        start = end;
    }
    Ok(())
}

fn fill_in(part: &mut Term, pointees: &Pointees, unknown: &mut Option<String>) {
    let Term::App(name, parts) = part else {
        return;
    };
    match (name.as_str(), parts.as_mut_slice()) {
        ("gpu_pointer", [elem @ Term::Open, Term::Text(name)]) => match pointees.of(name) {
            Some(known) => *elem = known.clone(),
            None => *unknown = Some(name.clone()),
        },
        ("call_gpu" | "call_gpu_cooperative", [_, _, _, shared, _, Term::List(args)]) => {
            let mut given = None;
            args.retain(|arg| match arg {
                Term::App(name, parts) if name == "local_argument" => {
                    given = parts.first().cloned();
                    false
                }
                _ => true,
            });
            if *shared == Term::Open {
                *shared = given.unwrap_or_else(|| Term::text("0"));
            }
        }
        _ => {}
    }
}

/// Number of items up to the end of the function they begin with.
fn end_of_function(items: &[Item<'_>]) -> usize {
    let mut depth = 0usize;
    for (index, item) in items.iter().enumerate() {
        let Item::Same(token) = item else { continue };
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return index + 1;
        }
    }
    items.len()
}

/// `a = b;`, also as the end of a declaration.
fn note_copy(items: &[Item<'_>], pointees: &mut Pointees) {
    let name = |item: &Item<'_>| match item {
        Item::Same(token) if token.is_name() => Some(token.text.clone()),
        Item::Operator {
            term: Term::App(operator, parts),
            ..
        } if operator == "gpu_pointer" => match parts.get(1) {
            Some(Term::Text(name)) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    };
    let is = |item: &Item<'_>, text: &str| matches!(item, Item::Same(token) if token.text == text);
    if let [to, equals, from, end, ..] = items
        && is(equals, "=")
        && is(end, ";")
        && let (Some(to), Some(from)) = (name(to), name(from))
    {
        pointees.equal(&to, &from);
    }
}

fn write(
    patterns: &PatternFile,
    runtime: &PatternFile,
    items: &[Item<'_>],
) -> Result<String, LiftError> {
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        let before = |token: &Token| match index {
            0 => String::new(),
            _ => token.before.clone(),
        };
        match item {
            Item::Same(token) => {
                text.push_str(&before(token));
                text.push_str(&token.text);
            }
            Item::Operator {
                category,
                term,
                first,
            } => {
                let Some(lines) = runtime.lines(category, term) else {
                    let operator = match term {
                        Term::App(name, _) => name.as_str(),
                        _ => "this",
                    };
                    let message = format!(
                        "`{}` says `{operator}` here, which the CUDA runtime's patterns do not",
                        patterns.name
                    );
                    return Err(LiftError::at(Some(first), message));
                };
                let before = before(first);
                let indent = before.rsplit('\n').next().unwrap_or("").to_owned();
                text.push_str(&before);
                text.push_str(&lines.join(&format!("\n{indent}")));
            }
        }
    }
    Ok(text)
}
