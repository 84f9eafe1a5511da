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
    Cuda {
        /// Extension of the file of kernels.
        source: String,
        /// Extension of what the host loads, made of that file.
        loaded: String,
    },
    /// OpenCL C, which the host compiles.
    OpenCl {
        /// Extension of the file of kernels.
        source: String,
    },
}

/// How the host's expressions and statements are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLanguage {
    /// `c++`: C++ under whatever API.
    Cpp,
    /// C#.
    CSharp,
}

/// A target, as its file describes it.
#[derive(Clone, Debug)]
pub struct PatternFile {
    /// The name on the command line.
    pub name: String,
    /// One line on what the target is, for lists.
    pub about: String,
    /// What the patterns follow.
    pub source: String,
    /// How expressions and statements outside patterns are spelled.
    pub language: HostLanguage,
    /// Extension of the host's file.
    pub extension: String,
    /// Where kernels go.
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
const BUILT_IN: [(&str, &str); 4] = [
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
    ("csharp", include_str!("../targets/csharp.patterns")),
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
#[cfg(test)]
mod tests {
    use super::*;

    /// A heading that is right, and what follows it from line 6.
    fn file(rest: &str) -> String {
        format!(
            "target t\nabout a\nsource s\nlanguage c++\nextension cpp\n\
             device-pointers opaque\nkernels same-file\n{rest}"
        )
    }

    #[test]
    fn mistakes_have_their_places() {
        let check = |rest: &str, place: (u32, u32), message: &str| {
            let error = PatternFile::read("t.patterns", &file(rest)).expect_err(rest);
            assert_eq!(
                (error.line, error.column),
                place,
                "{rest}: {}",
                error.message
            );
            assert!(error.message.contains(message), "{rest}: {}", error.message);
        };
        check("nonsense x\n", (8, 1), "unknown `nonsense`");
        check("target u\n", (8, 1), "a second `target`");
        check(
            "    sync_gpu <=> f();\n",
            (8, 5),
            "before the first `category`",
        );
        check("category\n", (8, 1), "its name");
        check("category c\ncategory c\n", (9, 1), "a second category");
        check("category c\n    sync_gpu f();\n", (9, 5), "no `<=>`");
        check(
            "category c\n    sink_gpu <=> f();\n",
            (9, 5),
            "no operator `sink_gpu`",
        );
        check(
            "category c\n    free_gpu($p, $q) <=> f($p);\n",
            (9, 5),
            "has 1 parts",
        );
        check(
            "category c\n    free_gpu($p <=> f($p);\n",
            (9, 17),
            "`,` or `)`",
        );
        check(
            "category c\n    free_gpu($) <=> f();\n",
            (9, 15),
            "without a name",
        );
        check("category c\n    $p <=> f();\n", (9, 5), "is an operator");
        check(
            "category c\n    free_gpu($p) <=> f();\n",
            (9, 5),
            "does not say what `$p` is",
        );
        check(
            "category c\n    free_gpu($p) <=> f($q);\n",
            (9, 22),
            "`$q` does not stand",
        );
        check(
            "category c\n    free_gpu($p) <=> f($p:d);\n",
            (9, 22),
            "no category `d`",
        );
        check(
            "category c\n    free_gpu($p) <=> f($ p);\n",
            (9, 24),
            "a dollar is `$$`",
        );
        check("    | f();\n", (8, 5), "without a pattern");
        check(
            "category c\n    sync_gpu <=> f();\n    sync_gpu <=> g();\n",
            (10, 5),
            "an earlier pattern",
        );
        let error = PatternFile::read("t.patterns", "target t\n").expect_err("no heading");
        assert!(error.message.contains("no `language`"), "{error}");
    }

    #[test]
    fn the_built_in_targets_are_read() {
        for name in built_in_names() {
            let patterns = built_in(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(patterns.name, name);
            assert!(!patterns.about.is_empty() && !patterns.source.is_empty());
        }
        let error = built_in("metal").expect_err("there is none");
        assert!(error.message.contains("no target `metal`"));
    }

    fn lifted(rest: &str, text: &str) -> Result<String, LiftError> {
        let patterns = PatternFile::read("t", &file(rest)).expect("is read");
        lift(&patterns, text, &[])
    }

    #[test]
    fn what_no_pattern_explains_is_named_with_its_place() {
        let rest = "foreign api+\ncategory statement\n    free_gpu($p) <=> apiFree($p);\n";
        let text = "void f(int *p)\n{\n    apiFree(p);\n    apiCopy(p, p);\n}\n";
        let error = lifted(rest, text).expect_err("apiCopy");
        assert_eq!((error.line, error.column), (4, 5));
        assert!(error.message.contains("`apiCopy`"), "{error}");
        let text = "void f(int *p)\n{\n    apiFree(p); // apiCopy\n    apiary(1);\n}\n";
        let lifted = lifted(rest, text).expect("is lifted");
        assert!(lifted.contains("CHECK(cudaFree(p));"), "{lifted}");
        assert!(lifted.contains("apiary(1);"), "{lifted}");
    }

    #[test]
    fn a_pointer_nothing_tells_of_is_named() {
        let rest = "category declaration\n    gpu_pointer($elem?, $p) <=> handle $p:name\n";
        let error = lifted(rest, "void f(handle p)\n{\n}\n").expect_err("of what?");
        assert_eq!((error.line, error.column), (1, 8));
        assert!(
            error.message.contains("nothing tells what `p` points to"),
            "{error}"
        );
    }

    #[test]
    fn arguments_are_balanced_runs() {
        let rest = "category statement\n    copy_gpu($a, $b, $n) <=> put($a, $b, $n);\n";
        let lifted = lifted(rest, "put(p, f(q, r[1, 2]), (n + 1) * 4);").expect("is lifted");
        let expected = "CHECK(cudaMemcpy(p, f(q, r[1, 2]), (n + 1) * 4, cudaMemcpyHostToDevice));";
        assert_eq!(lifted, expected);
    }

    /// Patterns that fit in exponentially many ways end within their steps.
    #[test]
    fn backtracking_is_bounded() {
        let rest = "category statement\n    call_gpu($a, $b, $c, $d, $e, $f) <=> \
                    $a $b $c $d $e $f $a $b $c $d $e $f;\n";
        let text = "x ".repeat(300);
        match lifted(rest, &text) {
            Ok(lifted) => assert_eq!(lifted.trim(), text.trim()),
            Err(error) => assert!(error.message.contains("given up"), "{error}"),
        }
    }

    #[test]
    fn any_text_is_lifted_or_refused() {
        let pieces = [
            "{",
            "}",
            "(",
            ")",
            ";",
            "CHECK",
            "cuMemAlloc",
            "&",
            "a",
            "\"",
            "'",
            "/*",
            "\\",
        ];
        let patterns = built_in("cuda-driver").expect("is read");
        let mut state = 1u64;
        for _ in 0..200 {
            let mut text = String::new();
            for _ in 0..40 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            assert!(lift(patterns, &text, &[]).is_err(), "{text}");
        }
    }
}
