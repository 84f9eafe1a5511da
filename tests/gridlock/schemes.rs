//! The scheme notation through the whole tool: every command reads it, verdicts are those of the
//! program it was printed from, and its page in the book is true.

use crate::tool;

use crate::tool::run;
use gridlock::input::request::Request;
use gridlock::judge::check::check_file;
use gridlock::suite::read_corpus;
use gridlock_frontend::{Language, ParseOptions, parse_source, scheme};
use gridlock_generation::effort;
use std::collections::BTreeSet;
use std::path::Path;

const PRODUCT: &str = "examples/schemes/product.scheme";
const ON_GPU: &str = "examples/schemes/product-gpu.scheme";
const SHARED: &str = "examples/schemes/product-shared.scheme";
const TICKETS: &str = "tests/corpus/schemes/tickets-broken.scheme";

const OF_3: [&str; 10] = [
    "--kernel", "product", "--arg", "n=3", "--extent", "a=9", "--extent", "b=9", "--extent", "c=9",
];

/// Runs a command with the entry and sizes of the examples of products.
fn products(arguments: &[&str]) -> tool::Run {
    run(&[arguments, &OF_3, &["--require", "schedules"]].concat())
}

#[test]
fn the_papers_products_are_one_function() {
    for file in [PRODUCT, ON_GPU, SHARED] {
        let found = products(&["check", file]);
        assert_eq!(found.status, 0, "{file}: {}{}", found.stdout, found.stderr);
    }
    for (old, new) in [(PRODUCT, ON_GPU), (PRODUCT, SHARED), (ON_GPU, SHARED)] {
        let found = products(&["equiv", old, new]);
        assert_eq!(
            found.status, 0,
            "{old}, {new}: {}{}",
            found.stdout, found.stderr
        );
    }
}

/// The barrier behind the inner loop, the bound of the loop over tiles, the place of a tile.
#[test]
fn a_product_with_a_fault_is_refuted() {
    let text = std::fs::read_to_string(SHARED).unwrap();
    let last_barrier = "    END OF LOOP;\n    barrier\n";
    for (from, to, command) in [
        (last_barrier, "    END OF LOOP\n", "check"),
        ("TO n - 1 BY 2", "TO n - 2 BY 2", "equiv"),
        (
            "a_shared[y * 2 + k] * b",
            "a_shared[k * 2 + y] * b",
            "equiv",
        ),
        (
            "copy_back(c, c_gpu, bytes)",
            "copy_back(c, b_gpu, bytes)",
            "equiv",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let mut file = tempfile::Builder::new()
            .suffix(".scheme")
            .tempfile()
            .unwrap();
        std::io::Write::write_all(&mut file, text.replace(from, to).as_bytes()).unwrap();
        let path = file.path().to_str().unwrap();
        let found = match command {
            "check" => products(&["check", path]),
            _ => products(&["equiv", PRODUCT, path]),
        };
        assert_eq!(found.status, 1, "{to}: {}{}", found.stdout, found.stderr);
    }
}

#[test]
fn the_overlapped_scheme_squares_what_it_is_given() {
    let found = run(&[
        "check",
        "examples/schemes/overlap.scheme",
        "--kernel",
        "overlap",
        "--extent",
        "in=4",
        "--extent",
        "out=4",
        "--require",
        "schedules",
    ]);
    assert_eq!(found.status, 0, "{}{}", found.stdout, found.stderr);
}

const DOUBLED: &str = "\
HOST doubled(a : i32*, n : i32)
====
  VAR i : i32;
  FOR (i FROM 0 BELOW n)
  LOOP
    a[i] := a[i] * 2
  END OF LOOP
END OF HOST
";

/// The paper's transition from a loop to a kernel, on that scheme.
const MOVED: &str = r#"
name = "doubled"
story = "T1."
source = "doubled.scheme"
entry = "doubled"

[[case]]
name = "five"
args = { n = 5 }
extents = { a = 5 }
inputs = "random:1:2"

[[step]]
name = "T1"
rules = "parallelise-loop"
params = { block = 2 }
expect = [{ profile = "cuda", at-least = "passed" }]
"#;

#[test]
fn every_command_reads_schemes() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let witness = path("w.json");
    let launch = ["--block", "2", "--extent", "out=4"];
    let with_launch = |arguments: &[&str]| run(&[arguments, &launch].concat());
    let found = with_launch(&["check", TICKETS, "--save-witness", &witness]);
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    assert!(
        found.stdout.contains("next[0] := mine + 1"),
        "{}",
        found.stdout
    );
    let replayed = run(&["replay", &witness]);
    assert!(
        replayed.stdout.contains("tickets-broken.scheme"),
        "{}{}",
        replayed.stdout,
        replayed.stderr
    );
    for command in ["explore", "trace", "prove"] {
        let found = with_launch(&[command, TICKETS]);
        assert_ne!(found.status, 2, "{command}: {}", found.stderr);
        assert!(
            found.stdout.contains("tickets"),
            "{command}: {}",
            found.stdout
        );
    }
    for target in ["cuda", "opencl", "host", "scheme"] {
        let found = run(&["lower", ON_GPU, "--to", target]);
        assert!(
            found.stdout.contains("gbody"),
            "{target}: {}{}",
            found.stdout,
            found.stderr
        );
    }
    let found = run(&["suite", "tests/corpus/schemes"]);
    assert_eq!(found.status, 0, "{}{}", found.stdout, found.stderr);
    let pipeline = path("pipeline.toml");
    std::fs::write(path("doubled.scheme"), DOUBLED).unwrap();
    std::fs::write(&pipeline, MOVED).unwrap();
    let found = run(&["verify", &pipeline]);
    assert_eq!(found.status, 0, "{}{}", found.stdout, found.stderr);
    let rewritten = run(&[
        "rewrite",
        &path("doubled.scheme"),
        "--rules",
        "parallelise-loop",
    ]);
    assert!(
        rewritten.stdout.contains("call_gpu"),
        "{}",
        rewritten.stderr
    );
}

/// What is printed for a device is what the scheme says.
#[test]
fn a_lowered_scheme_reads_back() {
    let lowered = run(&["lower", ON_GPU, "--to", "host"]);
    let mut file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
    std::io::Write::write_all(&mut file, lowered.stdout.as_bytes()).unwrap();
    let found = products(&["equiv", ON_GPU, file.path().to_str().unwrap()]);
    assert_eq!(found.status, 0, "{}{}", found.stdout, found.stderr);
}

/// A kernel of the corpus and the scheme printed from it are judged alike.
#[test]
fn a_printed_kernel_keeps_its_verdict() {
    let corpus = read_corpus(Path::new("tests/corpus")).unwrap();
    let chosen = [
        "arithmetic/division-broken.cu",
        "barriers/in-a-branch-broken.cu",
        "barriers/loop-count.cu",
        "bounds/shared-tile-broken.cu",
        "host/use-after-free-broken.cu",
        "initialisation/shared-memory-broken.cu",
        "races/histogram.cu",
        "races/tree-sum-broken.cu",
        "races/transpose.cu",
        "sequential/prefix-sums.c",
    ];
    for name in chosen {
        if !effort::is_next_done(3) {
            continue;
        }
        let labelled = corpus.iter().find(|l| l.path.ends_with(name)).unwrap();
        let printed = run(&["lower", labelled.path.to_str().unwrap(), "--to", "scheme"]);
        let mut file = tempfile::Builder::new()
            .suffix(".scheme")
            .tempfile()
            .unwrap();
        std::io::Write::write_all(&mut file, printed.stdout.as_bytes()).unwrap();
        let judge = |path: &Path| {
            let request = Request::default();
            let entry = &labelled.header.entry;
            let judgement = check_file(path, &ParseOptions::default(), entry, &request).unwrap();
            let kinds: Vec<_> = judgement.defects.iter().map(|d| d.kind).collect();
            (judgement.verdict, kinds)
        };
        assert_eq!(judge(file.path()), judge(&labelled.path), "{name}");
    }
}

#[test]
fn a_mistake_is_shown_in_its_line() {
    let file = "tests/input/misspelt.scheme";
    for command in ["check", "explore", "prove", "trace"] {
        let found = run(&[command, file]);
        assert_eq!((found.status, &*found.stdout), (2, ""), "{command}");
        let start = format!("{file}:5:10: `lenght` is not declared (did you mean `length`?)\n");
        assert!(
            found.stderr.starts_with(&start),
            "{command}: {}",
            found.stderr
        );
        assert!(
            found.stderr.contains("IF i < lenght THEN"),
            "{}",
            found.stderr
        );
    }
    let error = run(&["check", file, "--format", "json"]).json()["error"].clone();
    assert_eq!(error["kind"], "syntax");
    assert_eq!((&error["line"], &error["column"]), (&5.into(), &10.into()));
}

fn page() -> String {
    std::fs::read_to_string("docs/scheme.md").unwrap()
}

/// Texts between `"` in the grammar.
fn terminals() -> BTreeSet<String> {
    let page = page();
    let grammar = page.split("\n## Grammar\n").nth(1).unwrap();
    let grammar = grammar.split("\n## ").next().unwrap();
    let lines = grammar.lines().filter(|line| line.starts_with("    "));
    let mut found = BTreeSet::new();
    for line in lines {
        found.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

#[test]
fn the_grammar_has_every_word_and_no_other() {
    let terminals = terminals();
    let words: BTreeSet<String> = scheme::reserved_words().map(str::to_owned).collect();
    let missing: Vec<&String> = words.difference(&terminals).collect();
    assert!(missing.is_empty(), "not in the grammar: {missing:?}");
    let others = ["x", "y", "z", "e", "E", "0x"];
    let unknown: Vec<&String> = terminals
        .difference(&words)
        .filter(|t| t.contains(|c: char| c.is_alphanumeric()) && !others.contains(&t.as_str()))
        .collect();
    assert!(unknown.is_empty(), "no words: {unknown:?}");
}

#[test]
fn the_schemes_of_the_page_are_read() {
    let page = page();
    let blocks: Vec<&str> = page
        .split("```scheme\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let parsed = parse_source("page", block, Language::Scheme, &ParseOptions::default());
        if let Err(error) = parsed {
            panic!("{error}\n{block}");
        }
    }
}
