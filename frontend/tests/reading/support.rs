//! Comparing what the front end makes of small pieces of code with the algebra expected of them.

use gridlock_frontend::{Language, ParseOptions, Parsed, parse_source};
use gridlock_semantics::print::{PrintOptions, procedure};
use std::path::{Path, PathBuf};

pub fn parse(text: &str, language: Language) -> Parsed {
    parse_source("test", text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// White space does not count.
pub fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Wraps each piece of code into a kernel of its own (with `int *a, int *b, int n, float *f,
/// unsigned u` in reach and `prelude` before it) and compares the operators, declarations left
/// out.
pub fn check_kernels(prelude: &str, cases: &[(&str, &str)]) {
    let mut text = String::from(prelude);
    for (index, (code, _)) in cases.iter().enumerate() {
        text.push_str(&format!(
            "\n__global__ void k{index}(int *a, int *b, int n, float *f, unsigned u) {{ {code} }}"
        ));
    }
    check_all(&text, Language::Cuda, cases);
}

/// The same for C functions `void k(int *a, int *b, int n, float *f, unsigned u)`.
pub fn check_c(prelude: &str, cases: &[(&str, &str)]) {
    let mut text = String::from(prelude);
    for (index, (code, _)) in cases.iter().enumerate() {
        text.push_str(&format!(
            "\nvoid k{index}(int *a, int *b, int n, float *f, unsigned u) {{ {code} }}"
        ));
    }
    check_all(&text, Language::C, cases);
}

fn check_all(text: &str, language: Language, cases: &[(&str, &str)]) {
    let parsed = parse(text, language);
    for (index, (code, expected)) in cases.iter().enumerate() {
        let name = format!("k{index}");
        let refused = parsed.unsupported.iter().find(|u| u.proc == name);
        assert!(refused.is_none(), "{code}: {refused:?}");
        assert_eq!(
            squeezed(&operators(&parsed, &name)),
            squeezed(expected),
            "{code}"
        );
    }
}

/// The operators of a procedure, without its declarations.
pub fn operators(parsed: &Parsed, name: &str) -> String {
    let id = parsed
        .program
        .find_proc(name)
        .expect("the procedure is there");
    let proc = parsed.program.proc(id);
    let owned = parsed
        .program
        .arrays
        .iter()
        .filter(|a| a.owner == Some(id))
        .count();
    let hidden = proc.params.len() + proc.result.iter().count();
    let declarations = owned + proc.vars.len() - hidden;
    let text = procedure(&parsed.program, id, PrintOptions::default());
    let lines: Vec<&str> = text.lines().skip(1 + declarations).collect();
    lines[..lines.len() - 1].join("\n")
}

/// Where and why a piece of code is not supported: `line:column: message`.
pub fn refusal(text: &str, language: Language, name: &str) -> String {
    let parsed = parse(text, language);
    let found = parsed.unsupported.iter().find(|u| u.proc == name);
    match found {
        Some(u) => format!("{}:{}: {}", u.line, u.column, u.message),
        None => panic!("`{name}` was accepted:\n{text}"),
    }
}

/// The CUDA files in a folder and below, in no order.
pub fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cu") {
            found.push(path);
        }
    }
}
