//! `read(print(p))` is `p`, and printing again changes nothing.

use gridlock_frontend::scheme::{print, read, same};
use gridlock_frontend::{ParseOptions, parse_file};
use gridlock_generation::effort;
use gridlock_generation::random::{RaceFree, Sizes, Unrestricted, race_free, unrestricted};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use quickcheck::QuickCheck;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics with both texts where a program does not come back.
fn comes_back(what: &str, program: &Program) {
    let text = print(program);
    let again = read("printed.scheme", text.as_bytes())
        .unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
    assert!(
        print(&again) == text,
        "{what}: printing is not stable:\n{text}{}",
        print(&again)
    );
    assert!(
        same(&again, program),
        "{what} reads back as another program:\n{text}"
    );
}

#[test]
fn random_kernels() {
    QuickCheck::new()
        .tests(effort::cases(150, 20_000))
        .quickcheck(race_free_comes_back as fn(RaceFree));
    QuickCheck::new()
        .tests(effort::cases(150, 20_000))
        .quickcheck(unrestricted_comes_back as fn(Unrestricted));
}

fn race_free_comes_back(kernel: RaceFree) {
    comes_back(&format!("seed {}", kernel.0.seed), &kernel.0.program);
}

fn unrestricted_comes_back(kernel: Unrestricted) {
    comes_back(&format!("seed {}", kernel.0.seed), &kernel.0.program);
}

#[test]
fn large_random_kernels() {
    let sizes = Sizes {
        statements: 40,
        depth: 6,
        expression_depth: 6,
        early_return: true,
        ..Sizes::default()
    };
    for seed in 0..60 {
        comes_back(&format!("seed {seed}"), &race_free(seed, &sizes).program);
        comes_back(&format!("seed {seed}"), &unrestricted(seed, &sizes).program);
    }
}

#[test]
fn programs_as_odd_as_they_may_be() {
    for seed in 0..300 {
        comes_back(
            &format!("seed {seed}"),
            &crate::scheme::roughened::rough(seed),
        );
    }
}

#[test]
fn atomic_forms() {
    for seed in 0..100 {
        let program = unrestricted(seed, &Sizes::default()).program;
        comes_back(&format!("seed {seed}"), &atomic_form(&program));
    }
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| e == "cu" || e == "c" || e == "scheme")
        {
            found.push(path);
        }
    }
}

/// A short run reads a file in so many.
const SHARE: usize = 25;

/// Every source of the corpus and of the examples that has a program.
#[test]
fn the_corpus_and_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root.join("tests/corpus"), &mut files);
    sources(&root.join("examples"), &mut files);
    files.sort();
    let chosen = (0..).zip(files);
    let files: Vec<PathBuf> = chosen
        .filter(|(number, _)| effort::is_done(*number, SHARE))
        .map(|(_, file)| file)
        .collect();
    // Reading C takes its time.
    let next = AtomicUsize::new(0);
    let n_read = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Ok(parsed) = parse_file(file, &ParseOptions::default()) {
                        comes_back(&file.display().to_string(), &parsed.program);
                        n_read.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let n_read = n_read.into_inner();
    assert!(
        n_read * 10 >= files.len() * 9,
        "{n_read} of {}",
        files.len()
    );
}
