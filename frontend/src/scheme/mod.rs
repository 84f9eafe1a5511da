//! The scheme notation: programs of the algebra written as Glushkov schemes, in the manner of
//! SAA-M (`IF … THEN … END IF`, `FOR (i FROM 0 TO n) LOOP … END OF LOOP`, `PARALLEL`, `call_gpu`).
//! The grammar is in `docs/scheme.md`.
//!
//! The notation says everything a program is made of but spans, numbers and provenance:
//! [`read`] of what [`print()`] writes is the same program, in the sense of [`same`].

mod elaborate;
mod lexer;
mod literal;
mod parser;
mod print;
mod problem;
mod same;
mod scope;
mod strength;
mod token;
mod tree;
mod type_text;
mod words;

pub use print::{print, print_with_head};
pub use same::same;

use crate::error::{ErrorKind, FrontendError};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::SourceFile;
use gridlock_semantics::well_formed::check_well_formed;
use problem::Problem;

/// Stack of the thread that reads, in bytes; only what is touched costs memory.
const STACK: usize = 256 << 20;

/// All reserved words of the notation, in no order.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    words::all()
}

/// Reads a scheme; `name` stands for the file in spans and messages.
///
/// # Errors
/// [`ErrorKind::Syntax`] at the first place where the text is no scheme, a name is unknown, types
/// do not fit, or the program is ill-formed; [`ErrorKind::File`] where it is not UTF-8.
pub fn read(name: &str, text: &[u8]) -> Result<Program, FrontendError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let (line, column) = place_of(&text[..error.valid_up_to()]);
        let byte = text.get(error.valid_up_to()).copied().unwrap_or(0);
        let message = format!("not UTF-8: the byte {byte:#04x}");
        FrontendError::new(ErrorKind::File, message).at(name, line, column)
    })?;
    // Nested texts are read, and their trees taken down, by recursion.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("scheme reader".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || program(name, text));
        let thread = thread.map_err(|error| {
            let message = format!("cannot start a thread: {error}");
            FrontendError::new(ErrorKind::Internal, message)
        })?;
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn program(name: &str, text: &str) -> Result<Program, FrontendError> {
    let file = SourceFile {
        name: name.into(),
        text: text.into(),
    };
    let located = |problem: Problem| {
        FrontendError::new(ErrorKind::Syntax, problem.message).at(
            name,
            problem.span.line,
            problem.span.column,
        )
    };
    let tokens = lexer::tokens(text).map_err(located)?;
    let tree = parser::parse(&tokens).map_err(located)?;
    let program = elaborate::elaborate(&tree, file).map_err(located)?;
    match check_well_formed(&program) {
        Ok(()) => Ok(program),
        Err(reasons) => Err(reasons.into_iter().next().map_or_else(
            || FrontendError::new(ErrorKind::Internal, "an ill-formed program for no reason"),
            |first| {
                located(Problem {
                    span: first.span,
                    message: first.message,
                })
            },
        )),
    }
}

/// Line and column just behind a text.
fn place_of(passed: &[u8]) -> (u32, u32) {
    let line = passed.iter().filter(|b| **b == b'\n').count();
    let start = passed
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |n| n + 1);
    (line as u32 + 1, (passed.len() - start) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each operator, form of loop, and function, as the printer writes them.
    const EVERYTHING: &str = include_str!("everything.scheme");

    /// Reads without asking whether the program is well-formed: engines may still lack a meaning
    /// for an operator that has a notation.
    fn read_unchecked(text: &str) -> Program {
        let file = SourceFile {
            name: "everything.scheme".into(),
            text: text.into(),
        };
        let tokens = lexer::tokens(text).expect("tokens");
        let tree = parser::parse(&tokens).expect("a scheme");
        elaborate::elaborate(&tree, file).expect("a program")
    }

    #[test]
    fn every_operator_is_read_and_written() {
        let program = read_unchecked(EVERYTHING);
        assert_eq!(print(&program), EVERYTHING);
        for word in words::all() {
            let is_word = |part: &str| part == word;
            let mut parts = EVERYTHING.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            // What is written otherwise when printed.
            let is_other = ["f64_bits", "ATOMIC", "FORM"].contains(&word);
            assert!(is_other || parts.any(is_word), "`{word}` is missing");
        }
    }
}
