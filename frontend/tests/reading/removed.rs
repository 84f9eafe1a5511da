//! Files of the corpus of which a part is gone with a header: every kernel comes out as it does from the whole file, or
//! is refused.

use crate::reading::support::sources;
use gridlock_frontend::scheme::print;
use gridlock_frontend::{Assumed, Language, ParseOptions, Parsed, parse_source};
use gridlock_generation::effort;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// From one part that is removed to the next: a prime, so that all come in turn.
const STEP: u64 = 7_919;

/// The parts of a text at file scope, as ranges of lines: declarations, and directives with what they enclose.
fn parts(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut begun, mut depth, mut conditions) = (Vec::new(), None, 0i64, 0i64);
    let mut in_comment = false;
    for (number, line) in text.lines().enumerate() {
        let mut code = line.split("//").next().unwrap_or_default().trim();
        if in_comment {
            in_comment = !line.contains("*/");
            continue;
        }
        if code.starts_with("/*") {
            in_comment = !code.contains("*/");
            continue;
        }
        if code.starts_with("#if") {
            conditions += 1;
        } else if code.starts_with("#endif") {
            conditions -= 1;
        }
        let is_directive = code.starts_with('#');
        let is_continued = code.ends_with('\\');
        if is_directive {
            code = code.trim_end_matches('\\');
        }
        if !code.is_empty() && begun.is_none() {
            begun = Some(number);
        }
        if !is_directive {
            depth += code.matches(['{', '(']).count() as i64;
            depth -= code.matches(['}', ')']).count() as i64;
        }
        let is_over = is_directive && !is_continued || code.ends_with([';', '}']);
        if is_over
            && depth == 0
            && conditions == 0
            && let Some(first) = begun.take()
        {
            found.push((first, number));
        }
    }
    found
}

/// The text with one part replaced by the inclusion of a header that is nowhere; lines stay where they are.
fn without(text: &str, (first, last): (usize, usize)) -> String {
    let lines = text.lines().enumerate().map(|(number, line)| match number {
        _ if number == first => "#include \"gone.h\"",
        _ if number > first && number <= last => "",
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn words(text: &str) -> BTreeSet<&str> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_of_word(c))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The printed text of each procedure and of each array at file scope, by the name that it declares.
fn printed(parsed: &Parsed) -> BTreeMap<String, String> {
    let text = print(&parsed.program);
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut name: Option<String> = None;
    let mut is_in_procedure = false;
    for line in text.lines() {
        let declared = line.split_once(" ARRAY ").filter(|_| !is_in_procedure);
        let heads = ["KERNEL ", "DEVICE ", "HOST ", "FUNCTION "];
        let head = heads.iter().find_map(|head| line.strip_prefix(head));
        if let Some((_, rest)) = declared {
            name = rest.split(" : ").next().map(str::to_owned);
        } else if !is_in_procedure && let Some(rest) = head {
            name = rest.split('(').next().map(|name| name.trim().to_owned());
            is_in_procedure = true;
        }
        if let Some(name) = &name {
            *found.entry(name.clone()).or_default() += &format!("{line}\n");
        }
        if line.starts_with("END OF ") && !line.starts_with("END OF LOOP") {
            (name, is_in_procedure) = (None, false);
        }
    }
    found
}

/// Whether a text has a name in it that is no part of a longer word.
fn names(text: &str, name: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_of_word) && !text[at + name.len()..].starts_with(is_of_word)
    })
}

/// The text of a procedure with those of what it names.
fn whole(name: &str, all: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let Some(text) = all.get(&name) else { continue };
        if found.insert(name, text.clone()).is_none() {
            open.extend(all.keys().filter(|other| names(text, other)).cloned());
        }
    }
    found
}

fn read(text: &str) -> Option<Parsed> {
    parse_source("test.cu", text, Language::Cuda, &ParseOptions::default()).ok()
}

/// Whether a procedure is taken to call functions of which the body is not there.
fn lacks_a_body(parsed: &Parsed, name: &str) -> bool {
    parsed.assumptions.iter().any(|assumption| {
        let of = &parsed.program.procs[assumption.proc.0 as usize].name;
        matches!(assumption.assumed, Assumed::NoBody { .. }) && **of == *name
    })
}

#[test]
fn every_kernel_is_the_same_or_refused() {
    let mut files = Vec::new();
    for folder in ["../tests/corpus", "../tests/language"] {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut files,
        );
    }
    files.sort();
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).expect("read"));
    let texts: Vec<String> = texts.collect();
    let all_parts = texts.iter().enumerate();
    let all_parts =
        all_parts.flat_map(|(at, text)| parts(text).into_iter().map(move |part| (at, part)));
    // A kernel without what the file takes for granted is another, and right more seldom.
    let is_axiom = |at: usize, first| {
        let line: Option<&str> = texts[at].lines().nth(first);
        line.is_some_and(|line| line.starts_with("__axiom"))
    };
    let all_parts = all_parts.filter(|(at, (first, _))| !is_axiom(*at, *first));
    let all_parts: Vec<(usize, (usize, usize))> = all_parts.collect();
    let (mut n_removed, mut n_same, mut n_refused, mut wrong) = (0, 0, 0, Vec::new());
    let mut wholes: BTreeMap<usize, Option<Parsed>> = BTreeMap::new();
    for case in 0..effort::cases(16, 2_000) {
        let drawn = (effort::first(1) + case).wrapping_mul(STEP) % all_parts.len() as u64;
        let (at, part) = all_parts[drawn as usize];
        let (file, text) = (&files[at], &texts[at]);
        let less = without(text, part);
        let all = wholes.entry(at).or_insert_with(|| read(text));
        let (Some(all), Some(some)) = (all, read(&less)) else {
            n_refused += 1;
            continue;
        };
        n_removed += 1;
        let (before, after) = (printed(all), printed(&some));
        // What only headers speak of may be one of several functions of a name.
        let own = words(&less);
        for kernel in some.program.procs.iter() {
            if !before.contains_key(&*kernel.name) || !own.contains(&*kernel.name) {
                continue;
            }
            // That a function is only declared now is said, and what it may return then.
            if lacks_a_body(&some, &kernel.name) {
                continue;
            }
            if whole(&kernel.name, &before) == whole(&kernel.name, &after) {
                n_same += 1;
            } else {
                wrong.push(format!(
                    "{} without lines {} to {}: `{}`",
                    file.display(),
                    part.0 + 1,
                    part.1 + 1,
                    kernel.name
                ));
            }
        }
        n_refused += some.unsupported.len().saturating_sub(all.unsupported.len());
    }
    eprintln!(
        "{n_removed} removals: {n_same} the same, {n_refused} refused, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_same > 0);
    // A few cases may hold none.
    assert!(n_refused > 0 || effort::seed().is_none());
}

/// What the test above compares shows a change in what a kernel calls, and in what it reads.
#[test]
fn a_change_is_seen() {
    let text = "__constant__ int c[2] = {1, 2};\n__device__ int f(int x) { return x + 1; }\n\
                __global__ void k(int *a) { a[0] = f(a[1]) + c[0]; }\n";
    let of = |text: &str| {
        let parsed = read(text).expect("read");
        whole("k", &printed(&parsed))
    };
    let beside = format!("{text}__constant__ int none[1] = {{0}};\n");
    let reached: Vec<String> = of(&beside).into_keys().collect();
    assert_eq!(reached, ["c", "f", "k"]);
    for (from, to) in [("x + 1", "x + 2"), ("{1, 2}", "{1, 3}"), ("a[1]", "a[2]")] {
        assert_ne!(of(text), of(&text.replace(from, to)), "{from}");
    }
    let gone = without(text, parts(text)[1]);
    assert!(gone.starts_with("__constant__ int c[2] = {1, 2};\n#include \"gone.h\"\n__global__"));
    assert_eq!(read(&gone).expect("read").unsupported.len(), 1);
}
