//! The documents name files and folders of the tree that are there.

use super::{CRATES, files, none, read, root, rust_files, shown};
use std::path::PathBuf;

/// Folders of the tree beside those of the crates.
const FOLDERS: [&str; 6] = ["src", "tests", "benches", "examples", "scripts", "docs"];

/// Words of a page that stand between backticks and can be paths. What stands between the second
/// of a pair and the first of the next is looked at too: it has spaces, but for a sign or two.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "_.-/".contains(c);
    page.split('`')
        .filter(move |word| !word.is_empty() && word.chars().all(is_path))
}

/// What the page names and is not in the tree: paths that begin with a folder of its root, and Rust
/// files, which may be called by the end of their paths. Paths of other trees begin with the names
/// of these.
fn missing(page: &str, exists: impl Fn(&str) -> bool, rust: &[String]) -> Vec<String> {
    let is_missing = |word: &&str| {
        let first = word.split_once('/').map(|(first, _)| first);
        if first.is_some_and(|first| CRATES.iter().chain(&FOLDERS).any(|f| *f == first)) {
            return !exists(word);
        }
        let end = format!("/{word}");
        word.ends_with(".rs") && !rust.iter().any(|file| file == word || file.ends_with(&end))
    };
    paths(page).filter(is_missing).map(str::to_owned).collect()
}

#[test]
fn every_path_in_the_documents_is_there() {
    let mut pages: Vec<PathBuf> = files(&root().join("docs"), "md");
    pages.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(|name| root().join(name)));
    let mut rust: Vec<String> = rust_files().iter().map(|path| shown(path)).collect();
    rust.push("build.rs".to_owned());
    let mut found = Vec::new();
    for page in &pages {
        let words = missing(&read(page), |word| root().join(word).exists(), &rust);
        found.extend(
            words
                .into_iter()
                .map(|word| format!("{}: {word}", shown(page))),
        );
    }
    none("paths of nothing", found);
}

#[test]
fn a_path_of_nothing_is_found() {
    let rust = ["src/render/table.rs".to_owned()];
    let page =
        "`src/gone.rs`, `src/render/`, `render/table.rs`, `able.rs`/`other/tree.c`, `a.rs b`";
    let exists = |word: &str| word == "src/render/";
    assert_eq!(missing(page, exists, &rust), ["src/gone.rs", "able.rs"]);
}
