//! Output shown is output produced: every `console` block of the README and of `docs/` is run and
//! compared. Seconds vary; they are compared as `N s`. To write the blocks anew:
//! `UPDATE_README=1 cargo test --test gridlock readme::`.

use gridlock_generation::effort;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A short run runs the commands of one page of the docs in so many: a page is taken whole, as a command may read what
/// one above it wrote.
const SHARE: usize = 4;

const FENCE: &str = "```";

/// What a command prints, with times made equal.
fn normalised(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.split(' ').map(|word| {
            let number = word.trim_start_matches('(');
            let is_time = number.contains('.') && number.parse::<f64>().is_ok();
            if is_time { "N" } else { word }
        });
        lines.push(words.collect::<Vec<_>>().join(" ").trim_end().to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// The words of a command line; what stands in single quotes is one.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn run(command: &str) -> String {
    let arguments = command
        .strip_prefix("gridlock ")
        .expect("a gridlock command");
    let output = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(words(arguments))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .env("RUST_LOG", "off")
        .output()
        .expect("the tool runs");
    // Bad input is shown where a page says so.
    let stdout = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    // The names of the machine's devices are not ours to promise.
    let mut shown = Vec::new();
    let mut in_device_runs = false;
    for line in stdout.lines() {
        in_device_runs = line == "Run" || (in_device_runs && !line.is_empty());
        if !in_device_runs {
            shown.push(line);
        }
    }
    shown.join("\n")
}

/// The line with which a block opens.
fn opening() -> String {
    format!("{FENCE}console\n")
}

/// Runs the blocks of one page; gives their number.
fn check_page(path: &Path) -> usize {
    let page = std::fs::read_to_string(path).expect("a page");
    let update = std::env::var_os("UPDATE_README").is_some();
    let mut written = String::new();
    let mut rest = page.as_str();
    let mut n_blocks = 0;
    let opening = opening();
    while let Some(start) = rest.find(&opening) {
        let body = start + opening.len();
        let end = body
            + rest[body..]
                .find(&format!("{FENCE}\n"))
                .expect("a closed block");
        let (command, shown) = rest[body..end].split_once('\n').expect("a command");
        let command = command.strip_prefix("$ ").expect("a command after `$ `");
        n_blocks += 1;
        let produced = run(command);
        written.push_str(&rest[..body]);
        if update {
            let text = produced
                .lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n");
            written.push_str(&format!("$ {command}\n{}\n", text.trim_end()));
        } else {
            assert_eq!(
                normalised(shown),
                normalised(&produced),
                "{}: {command}",
                path.display()
            );
        }
        rest = &rest[end..];
    }
    written.push_str(rest);
    if update && n_blocks > 0 {
        std::fs::write(path, written).expect("the page is written");
    }
    n_blocks
}

#[test]
fn the_readme_shows_output_produced() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let n_blocks = check_page(&root.join("README.md"));
    assert!(n_blocks >= 4, "the README shows {n_blocks} commands");
}

#[test]
fn the_docs_show_output_produced() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let pages = std::fs::read_dir(docs).expect("the docs");
    let mut pages: Vec<PathBuf> = pages.map(|page| page.expect("a page").path()).collect();
    pages.retain(|page| {
        page.extension().is_some_and(|e| e == "md")
            && std::fs::read_to_string(page).is_ok_and(|text| text.contains(&opening()))
    });
    // In the order of their names: that of the folder differs from one file system to another.
    pages.sort();
    assert!(pages.len() >= 8, "{} pages show commands", pages.len());
    let update = std::env::var_os("UPDATE_README").is_some();
    pages.retain(|_| update || effort::is_next_done(SHARE));
    let n_blocks: usize = pages.iter().map(|page| check_page(page)).sum();
    assert!(n_blocks >= 5, "{n_blocks} commands were run");
}
