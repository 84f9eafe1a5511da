//! Many random programs at once: compiled by clang and GCC, read by the front end and run on the reference semantics.

use crate::against_clang::random_calls::{self, Piece};
use crate::against_clang::random_program::{self, PRELUDE, Statement};
use crate::against_clang::run::{CELLS, clang, in_the_semantics};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

const SIZES: [i32; 2] = [1, 6];

/// Functions that the front end reads as one file.
const READ_AT_ONCE: usize = 20;

/// How many programs went where.
#[derive(Debug, Default)]
pub struct Tally {
    pub agreed: usize,
    /// Undefined for an input, as the sanitizer says, or the compilers do not agree.
    pub undefined: usize,
    pub refused: usize,
    /// The programs that come out otherwise, and how.
    pub wrong: Vec<(usize, String)>,
}

/// What a body is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// `long long f(int *a, int n)`.
    Host,
    /// `__global__ void f(int *a, int n)`, which the front end reads as a kernel of one thread, and the compilers as a
    /// function.
    Kernel,
}

/// A function without its signature, and what stands before it.
#[derive(Clone, Debug)]
pub struct Source {
    pub place: Where,
    /// Functions; `@` in a name, here and in the body, becomes a number that no other source has.
    pub before: String,
    pub body: String,
}

impl Source {
    pub fn of_body(body: &str) -> Self {
        Self {
            place: Where::Host,
            before: String::new(),
            body: body.to_owned(),
        }
    }
}

/// What one function came to, for each size.
type Lines = Vec<String>;

/// A compiler and how it is asked.
#[derive(Clone, Copy, Debug)]
pub enum Compiler {
    Clang(&'static str),
    Gcc(&'static str),
}

pub fn compare(programs: &[Vec<Statement>], is_cpp: bool, others: &[Compiler]) -> Tally {
    let bodies: Vec<String> = programs
        .iter()
        .map(|program| random_program::text(program, is_cpp))
        .collect();
    compare_bodies(&bodies, is_cpp, others)
}

/// The same for the texts of functions.
pub fn compare_bodies(bodies: &[String], is_cpp: bool, others: &[Compiler]) -> Tally {
    let sources: Vec<Source> = bodies.iter().map(|b| Source::of_body(b)).collect();
    compare_sources(&sources, &sources, is_cpp, others)
}

/// The same, where the compilers and the front end are given the texts that they compare: the same ones, but where
/// the comparison is tried itself.
pub fn compare_sources(
    compiled_as: &[Source],
    read_as: &[Source],
    is_cpp: bool,
    others: &[Compiler],
) -> Tally {
    let dir = tempfile::tempdir().expect("a folder");
    let text = with_main(compiled_as);
    let (expected, undefined) = compiled(dir.path(), &text, is_cpp, None);
    let mut open = undefined;
    for other in others {
        let (found, _) = compiled(dir.path(), &text, is_cpp, Some(*other));
        let differs = (0..read_as.len()).filter(|i| found[*i] != expected[*i]);
        open.extend(differs);
    }
    let mut tally = Tally::default();
    let wanted: Vec<usize> = (0..read_as.len()).filter(|i| !open.contains(i)).collect();
    tally.undefined = open.len();
    let halves: Vec<&[usize]> = wanted.chunks(wanted.len().div_ceil(2).max(1)).collect();
    let found: Vec<Vec<(usize, Option<Lines>)>> = std::thread::scope(|scope| {
        let threads: Vec<_> = halves
            .into_iter()
            .map(|half| scope.spawn(|| by_the_semantics(read_as, half, is_cpp)))
            .collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("it ends"))
            .collect()
    });
    for (index, found) in found.into_iter().flatten() {
        match found {
            None => tally.refused += 1,
            Some(lines) if lines == expected[index] => tally.agreed += 1,
            Some(lines) => {
                let how = format!("found {lines:?}\nexpected {:?}", expected[index]);
                tally.wrong.push((index, how));
            }
        }
    }
    tally
}

/// As the front end reads it.
fn function(index: usize, source: &Source) -> String {
    let Source { before, body, .. } = source;
    let result = match source.place {
        Where::Host => "long long",
        Where::Kernel => "__global__ void",
    };
    let text = format!("{before}{result} f{index}(int *a, int n) {{ {body} }}\n");
    text.replace('@', &index.to_string())
}

/// As the compilers read it.
fn compiled_function(index: usize, source: &Source) -> String {
    let text = function(index, source);
    match source.place {
        Where::Host => text,
        Where::Kernel => {
            let text = text.replace(&format!(" f{index}("), &format!(" kernel{index}("));
            format!(
                "{text}long long f{index}(int *a, int n) {{ kernel{index}(a, n); return 0; }}\n"
            )
        }
    }
}

fn with_main(sources: &[Source]) -> String {
    let mut text = String::from("#include <stdio.h>\n#include <stdbool.h>\n");
    text += "#define __global__\n#define __device__\n";
    text += PRELUDE;
    for (index, source) in sources.iter().enumerate() {
        text += &compiled_function(index, source);
    }
    text += "typedef long long (*function)(int *, int);\nstatic const function all[] = {";
    for index in 0..sources.len() {
        let _ = write!(text, "f{index}, ");
    }
    let cells = CELLS.map(|c| c.to_string()).join(", ");
    let sizes = SIZES.map(|n| n.to_string()).join(", ");
    let _ = write!(
        text,
        "}};
int main() {{
  const int sizes[] = {{{sizes}}};
  for (unsigned f = 0; f < sizeof all / sizeof *all; f++) for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {{
    int a[16] = {{{cells}}};
    fprintf(stderr, \"@%u\\n\", f); fflush(stderr);
    printf(\"%lld\", all[f](a, sizes[s]));
    for (int i = 0; i < 16; i++) printf(\" %d\", a[i]);
    printf(\"\\n\");
  }}
  return 0;
}}
"
    );
    text
}

/// What each function prints, and which are undefined; with no other compiler GCC's sanitizer looks on.
fn compiled(
    dir: &Path,
    text: &str,
    is_cpp: bool,
    other: Option<Compiler>,
) -> (Vec<Lines>, HashSet<usize>) {
    let source = dir.join(if is_cpp { "t.cpp" } else { "t.c" });
    let binary = dir.join("t");
    std::fs::write(&source, text).expect("written");
    let (compiler, level): (String, &str) = match other {
        // GCC brings its sanitizer along.
        None => (if is_cpp { "g++" } else { "gcc" }.into(), "-O0"),
        Some(Compiler::Clang(level)) => (clang(), level),
        Some(Compiler::Gcc(level)) => (if is_cpp { "g++" } else { "gcc" }.into(), level),
    };
    let mut command = Command::new(compiler);
    command.args([
        if is_cpp { "-std=c++17" } else { "-std=gnu17" },
        level,
        "-w",
        "-fwrapv",
        "-fno-exceptions",
    ]);
    if other.is_none() {
        command.args([
            "-fsanitize=undefined",
            "-fno-sanitize=signed-integer-overflow,shift,vptr",
            "-fsanitize=shift-exponent",
        ]);
    }
    let compiled = command.arg("-o").args([&binary, &source]).output();
    let compiled = compiled.expect("the compiler runs");
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    let shown: Vec<&str> = complaints.lines().take(12).collect();
    assert!(compiled.status.success(), "{}", shown.join("\n"));
    let output = Command::new(&binary).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<String> = lines.lines().map(str::to_string).collect();
    let mut undefined = HashSet::new();
    let mut current = 0;
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        match line.strip_prefix('@').and_then(|n| n.parse().ok()) {
            Some(index) => current = index,
            None => drop(undefined.insert(current)),
        }
    }
    let of_each = lines.chunks(SIZES.len()).map(<[String]>::to_vec).collect();
    (of_each, undefined)
}

/// `None`: refused.
fn by_the_semantics(
    sources: &[Source],
    wanted: &[usize],
    is_cpp: bool,
) -> Vec<(usize, Option<Lines>)> {
    let language = if is_cpp { Language::Cuda } else { Language::C };
    let mut all = Vec::new();
    for some in wanted.chunks(READ_AT_ONCE) {
        let mut text = PRELUDE.to_string();
        for &index in some {
            text += &function(index, &sources[index]);
        }
        let parsed = parse_source("test", &text, language, &ParseOptions::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = Arc::new(parsed.program);
        for &index in some {
            let name = format!("f{index}");
            // Its own functions are named before it.
            let is_refused = parsed.unsupported.iter().any(|u| {
                let own = format!("_{index}");
                u.proc == name || u.proc.starts_with('g') && u.proc.ends_with(&own)
            });
            let is_kernel = sources[index].place == Where::Kernel;
            let run = |n: i32| in_the_semantics(&program, &name, is_kernel, n);
            all.push((index, (!is_refused).then(|| SIZES.map(run).to_vec())));
        }
    }
    all
}

/// The smallest body found, of those that `smaller` gives one after another, that comes out otherwise still.
pub fn smallest_body(
    body: &[String],
    is_cpp: bool,
    smaller: impl Fn(&[String]) -> Vec<Vec<String>>,
) -> (Vec<String>, String) {
    let mut best = (body.to_vec(), String::new());
    for _ in 0..60 {
        let mut candidates = smaller(&best.0);
        let texts: Vec<String> = candidates.iter().map(|c| c.join(" ")).collect();
        let tally = compare_bodies(&texts, is_cpp, &[]);
        let Some((index, how)) = tally.wrong.into_iter().min_by_key(|(index, _)| *index) else {
            break;
        };
        best = (candidates.swap_remove(index), how);
    }
    best
}

/// The smallest program found that comes out otherwise still.
pub fn smallest(program: &[Statement], is_cpp: bool) -> (Vec<Statement>, String) {
    let mut best = (program.to_vec(), String::new());
    for _ in 0..60 {
        let mut candidates = random_program::smaller(&best.0);
        candidates.sort_by_key(|c| random_program::text(c, is_cpp).len());
        candidates.truncate(120);
        let tally = compare(&candidates, is_cpp, &[]);
        let Some((index, how)) = tally.wrong.into_iter().min_by_key(|(index, _)| *index) else {
            break;
        };
        best = (candidates.swap_remove(index), how);
    }
    best
}

/// The smallest program of functions found that comes out otherwise still.
pub fn smallest_calls(program: &[Piece], is_cpp: bool, place: Where) -> (Vec<Piece>, String) {
    let mut best = (program.to_vec(), String::new());
    for _ in 0..60 {
        let mut candidates = random_calls::smaller(&best.0);
        let sources: Vec<Source> = candidates
            .iter()
            .map(|c| random_calls::source(c, place))
            .collect();
        let tally = compare_sources(&sources, &sources, is_cpp, &[]);
        let Some((index, how)) = tally.wrong.into_iter().min_by_key(|(index, _)| *index) else {
            break;
        };
        best = (candidates.swap_remove(index), how);
    }
    best
}
