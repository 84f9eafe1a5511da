//! Rules of the house that a program can hold.

mod floors;
mod imports;
mod paths;
mod rooms;

use gridlock::suite::expected::Expected;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const CRATES: [&str; 8] = [
    "boundary",
    "semantics",
    "generation",
    "frontend",
    "checker",
    "transforms",
    "proofs",
    "lowering",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Files below `dir` with this extension; nothing when there is no such folder.
fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else {
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The path from the root of the tree.
fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Rust files of the product: sources, tests, benches.
fn rust_files() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for dir in ["src", "tests", "benches"].iter().chain(&CRATES) {
        all.extend(files(&root().join(dir), "rs"));
    }
    all
}

/// Rust sources of the libraries: everything but the command line, tests and benches.
fn library_files() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = files(&root().join("src"), "rs")
        .into_iter()
        .filter(|p| shown(p) != "src/main.rs" && !shown(p).starts_with("src/cli/"))
        .collect();
    for name in CRATES {
        all.extend(files(&root().join(name).join("src"), "rs"));
    }
    all
}

/// `file:line: text` of every line that `is_wrong` accepts.
fn offending(files: &[PathBuf], is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        for (line, number) in read(path).lines().zip(1..) {
            if is_wrong(line) {
                found.push(format!("{}:{number}: {}", shown(path), line.trim()));
            }
        }
    }
    found
}

fn none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

/// Names in `[dependencies]` of a crate.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let manifest: toml::Table = toml::from_str(&read(manifest)).unwrap();
    match manifest.get("dependencies") {
        Some(toml::Value::Table(table)) => table.keys().cloned().collect(),
        _ => BTreeSet::new(),
    }
}

/// Whether `word` stands in the line and is not the end of a longer name or path.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

/// Who may know whom (ARCHITECTURE.md). `lowering` knows `checker`: the canonical run is its
/// embedded device.
#[test]
fn crates_know_only_whom_they_may() {
    let allowed: [(&str, &[&str]); 8] = [
        ("boundary", &[]),
        ("semantics", &[]),
        ("generation", &["semantics"]),
        ("frontend", &["boundary", "semantics"]),
        ("checker", &["semantics"]),
        ("transforms", &["boundary", "semantics"]),
        ("proofs", &["semantics", "checker"]),
        ("lowering", &["boundary", "semantics", "checker"]),
    ];
    for (name, may_know) in allowed {
        for dependency in dependencies(&root().join(name).join("Cargo.toml")) {
            if let Some(other) = dependency.strip_prefix("gridlock-") {
                assert!(may_know.contains(&other), "{name} must not know {other}");
            }
            assert_ne!(dependency, "gridlock", "{name} must not know the root");
        }
    }
}

/// Foreign types stay in the crate that owns the subject; the empty name is the root package.
#[test]
fn foreign_libraries_stay_in_their_crates() {
    let owners = [
        ("z3", "proofs"),
        ("z3-sys", "proofs"),
        ("cust", "lowering"),
        ("opencl3", "lowering"),
        ("clang-ast", "frontend"),
        ("clap", ""),
        ("ariadne", ""),
        ("indicatif", ""),
        ("ratatui", ""),
    ];
    for (library, owner) in owners {
        for name in std::iter::once("").chain(CRATES) {
            let has = dependencies(&root().join(name).join("Cargo.toml")).contains(library);
            assert!(
                !has || name == owner,
                "{library} belongs to {owner:?}, not to {name:?}"
            );
        }
        let path = format!("{}::", library.replace('-', "_"));
        let home = match owner {
            "" => "src/".to_owned(),
            owner => format!("{owner}/"),
        };
        let others: Vec<PathBuf> = library_files()
            .into_iter()
            .filter(|p| !shown(p).starts_with(&home))
            .collect();
        let found = offending(&others, |line| has_word(line, &path));
        none(&format!("{library} is used outside of {home}"), found);
    }
}

#[test]
fn libraries_do_not_print() {
    let macros = ["println!(", "eprintln!(", "print!(", "eprint!(", "dbg!("];
    let found = offending(&library_files(), |line| {
        macros.iter().any(|name| has_word(line, name))
    });
    none("libraries must not print", found);
}

#[test]
fn unsafe_code_is_only_where_devices_and_children_are() {
    let may = ["lowering/src/device/", "boundary/src/child.rs"];
    let others: Vec<PathBuf> = library_files()
        .into_iter()
        .filter(|p| !may.iter().any(|place| shown(p).starts_with(place)))
        .collect();
    let found = offending(&others, |line| {
        ["unsafe {", "unsafe fn", "unsafe impl"]
            .iter()
            .any(|word| has_word(line, word))
    });
    none("unsafe code elsewhere", found);
}

/// What reads a file whole without a bound, starts a program that was not looked for, or writes half a file, stands
/// in one crate. Files that the tool has made itself may be read and written anywhere.
#[test]
fn the_machine_is_met_in_one_place() {
    let own = [
        "src/cli/screen.rs",
        "src/cli/supervised/mod.rs",
        "src/cli/supervised/run_folder.rs",
        "src/cli/supervised/signals.rs",
        "frontend/src/clang/header_folder.rs",
        "lowering/src/recordings.rs",
        "lowering/src/nvcc.rs",
        "lowering/src/device/cuda.rs",
    ];
    let all = files(&root().join("src"), "rs")
        .into_iter()
        .chain(library_files());
    let others: Vec<PathBuf> = all
        .filter(|p| !shown(p).starts_with("boundary/") && !own.contains(&&*shown(p)))
        .collect();
    let found = offending(&others, |line| {
        let words = [
            "std::fs::read(",
            "std::fs::read_to_string(",
            "fs::File::open(",
            "Command::new(",
        ];
        words.iter().any(|word| line.contains(word)) && !line.contains(".unwrap()")
    });
    none("boundary does this", found);
}

/// Sources have at most 800 lines, those of the semantics 600; a file of tests, which is a list, at
/// most 1000.
#[test]
fn no_file_holds_two_rooms() {
    let most = |path: &str| match path.starts_with("tests/") || path.contains("/tests/") {
        true => 1000,
        false if path.starts_with("semantics/") => 600,
        false => 800,
    };
    let found: Vec<String> = rust_files()
        .iter()
        .map(|path| (read(path).lines().count(), shown(path)))
        .filter(|(n_lines, path)| *n_lines > most(path))
        .map(|(n_lines, path)| format!("{path}: {n_lines} lines"))
        .collect();
    none("files with too many lines", found);
}

#[test]
fn every_file_is_named_for_its_concept_and_says_what_it_is() {
    let vague = ["utils", "util", "helpers", "common", "misc"];
    let named: Vec<String> = rust_files()
        .iter()
        .filter(|p| vague.contains(&stem(p)))
        .map(|p| shown(p))
        .collect();
    none("vague file names", named);
    let silent: Vec<String> = rust_files()
        .iter()
        .filter(|p| !read(p).trim_start().starts_with("//!"))
        .map(|p| shown(p))
        .collect();
    none("files that do not say what they are (//!)", silent);
}

/// Nothing is put off or left out silently.
#[test]
fn nothing_is_left_undone() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
    ];
    let found = offending(&rust_files(), |line| {
        marks.iter().any(|mark| line.contains(mark))
    });
    none("undone", found);
}

/// Whether the line names a `Result` whose error is a `String`.
fn has_text_error(line: &str) -> bool {
    line.match_indices("Result<").any(|(at, start)| {
        let mut depth = 1;
        let mut last_argument = String::new();
        for c in line[at + start.len()..].chars() {
            match c {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return last_argument.trim() == concat!("Str", "ing");
            }
            if c == ',' && depth == 1 {
                last_argument.clear();
            } else {
                last_argument.push(c);
            }
        }
        false
    }) && line.contains(',')
}

#[test]
fn errors_are_types() {
    assert!(has_text_error(concat!(
        "-> Result<Vec<(u8, u8)>, Str",
        "ing> {"
    )));
    assert!(!has_text_error(
        "-> Result<BTreeMap<String, String>, InputError> {"
    ));
    let found = offending(&library_files(), has_text_error);
    none("errors that are bare text", found);
}

#[test]
fn the_corpus_is_labelled_paired_and_partly_negative() {
    let corpus = gridlock::suite::read_corpus(&root().join("tests/corpus")).unwrap();
    let is_broken = |path: &Path| stem(path).ends_with("-broken");
    let names: BTreeSet<PathBuf> = corpus.iter().map(|l| l.path.clone()).collect();
    for labelled in &corpus {
        let path = &labelled.path;
        let twin = match stem(path).strip_suffix("-broken") {
            Some(correct) => path.with_file_name(format!("{correct}.{}", extension(path))),
            None => path.with_file_name(format!("{}-broken.{}", stem(path), extension(path))),
        };
        assert!(names.contains(&twin), "{} has no twin", shown(path));
        let negative = matches!(
            labelled.header.expected,
            Expected::Refuted(_)
                | Expected::Conditional(_)
                | Expected::Error(_)
                | Expected::Unknown(_)
        );
        let name = shown(path);
        assert_eq!(negative, is_broken(path), "{name}: name and label disagree");
        assert!(!labelled.header.why.is_empty(), "{name}: no why");
    }
    let n_broken = corpus.iter().filter(|l| is_broken(&l.path)).count();
    assert!(corpus.len() >= 40, "{} kernels", corpus.len());
    assert!(3 * n_broken >= corpus.len(), "{n_broken} negative ones");
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|s| s.to_str()).unwrap()
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|s| s.to_str()).unwrap()
}

/// ARCHITECTURE.md is a map of the whole tree, and what the documents point to exists.
#[test]
fn the_documents_are_true_to_the_tree() {
    let map = read(&root().join("ARCHITECTURE.md"));
    for name in CRATES
        .iter()
        .chain(&["src", "tests", "examples", "benches", "docs"])
    {
        assert!(
            !root().join(name).exists() || map.contains(&format!("{name}/")),
            "ARCHITECTURE.md does not mention {name}/"
        );
    }
    let mut documents = files(&root().join("docs"), "md");
    for name in ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"] {
        documents.push(root().join(name).with_extension("md"));
    }
    let mut dangling = Vec::new();
    for document in &documents {
        let text = read(document);
        for target in text.split("](").skip(1).filter_map(|t| t.split(')').next()) {
            let target = target.split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let folder = document.parent().unwrap_or(root());
            if !folder.join(target).exists() {
                dangling.push(format!("{}: {target}", shown(document)));
            }
        }
    }
    none("links to nothing", dangling);
}
