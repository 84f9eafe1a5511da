//! Every subcommand on damaged files and odd options: whatever it is given, the tool says what is wrong or
//! gives its report, in the time and memory it was given, and leaves nothing behind.
//!
//! `GRIDLOCK_FUZZ_CASE` names one case to run alone, and `GRIDLOCK_FUZZ_ONLY` a subcommand. A summary and the inputs of
//! failing cases, with the command to run each again, are left in `fuzz-commands` of the target folder.

mod case;
mod damage;
mod judge;
mod material;
mod options;
mod process;
mod summary;
mod values;
#[path = "../../frontend/tests/damaged/damage.rs"]
mod words;

use case::{Case, Maker, Subcommand};
use gridlock_generation::effort;
use judge::Complaint;
use process::Ran;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::Instant;
use summary::Summary;

/// A run that took too long is given so many more chances, with the machine to itself.
const CHANCES: usize = 2;
/// After so many failures there is enough to look at.
const MOST_FAILURES: usize = 40;

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gridlock"))
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text}: a number")),
    )
}

/// Where summaries and failing inputs are left.
fn out_folder() -> PathBuf {
    let built = program().parent().and_then(Path::parent);
    built.expect("the target folder").join("fuzz-commands")
}

/// Runs a case in a folder of its own.
fn run(case: &Case) -> (Ran, Vec<Complaint>) {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path().join("in");
    lay_out(case, &folder);
    let most = judge::stopped_after(case.limit);
    let ran = process::run(program(), &case.arguments, &folder, scratch.path(), most);
    let names = process::names_in(&folder);
    let (files, folders): (BTreeSet<String>, BTreeSet<String>) = names
        .into_iter()
        .partition(|name| folder.join(name).is_file());
    let contents = |name: String| {
        let bytes = std::fs::read(folder.join(&name)).unwrap_or_default();
        (name, bytes)
    };
    let after: Vec<(String, Vec<u8>)> = files.into_iter().map(contents).collect();
    let complaints = judge::complaints(case, &ran, &after, &folders);
    (ran, complaints)
}

fn lay_out(case: &Case, folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    for (name, bytes) in &case.files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("an input");
    }
}

/// Leaves the inputs of a failing case, the command and what was wrong.
fn keep(number: u64, case: &Case, ran: &Ran, complaints: &[Complaint]) -> String {
    let folder = out_folder().join(format!("case-{number}"));
    // What an earlier run left.
    let _ = std::fs::remove_dir_all(&folder);
    lay_out(case, &folder.join("in"));
    let quoted = |text: &String| format!("'{}'", text.replace('\'', "'\\''"));
    let words: Vec<String> = case.arguments.iter().map(quoted).collect();
    let command = format!("cd {}/in && gridlock {}", folder.display(), words.join(" "));
    let said = complaints.iter().map(|complaint| match complaint {
        Complaint::TooLong(text) | Complaint::Other(text) => format!("  {text}"),
    });
    let said: Vec<String> = said.collect();
    let shown = format!(
        "case {number}: {command}\n{}\n  again: GRIDLOCK_FUZZ_CASE={number} cargo test --test fuzz_commands",
        said.join("\n")
    );
    let all = format!("{shown}\n\n{}\n\n{}\n", ran.stdout, ran.stderr);
    std::fs::write(folder.join("what.txt"), all).expect("a note");
    shown.chars().take(3000).collect()
}

#[test]
fn damaged_inputs_are_refused_or_judged_in_time() {
    // Nothing here is worth a core file.
    let none = rustix::process::Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(rustix::process::Resource::Core, none).expect("no core files");
    let scratch = tempfile::tempdir().expect("a folder");
    let seeds = material::all(program(), scratch.path());
    let only = std::env::var("GRIDLOCK_FUZZ_ONLY").ok();
    let names = options::subcommands(program()).into_iter();
    let names = names.filter(|name| only.as_ref().is_none_or(|only| only == name));
    let subcommands: Vec<Subcommand> = names
        .map(|name| Subcommand {
            options: options::of(program(), &name),
            name,
        })
        .collect();
    assert!(only.is_some() || subcommands.len() > 15, "{subcommands:?}");
    let maker = Maker {
        seeds: &seeds,
        subcommands: &subcommands,
    };

    let (first, count) = match number("GRIDLOCK_FUZZ_CASE") {
        Some(one) => (one, 1),
        None => (effort::first(1), effort::cases(40, 3_000)),
    };
    let next = AtomicU64::new(0);
    let started = Instant::now();
    let summary = Mutex::new(Summary::default());
    let failures: Mutex<Vec<String>> = Mutex::new(Vec::new());
    // Held by one alone for a run that is timed again.
    let machine = RwLock::new(());
    let goes_on =
        |number: u64| number < count && failures.lock().expect("failures").len() < MOST_FAILURES;
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if !goes_on(number) {
                break;
            }
            let number = first.wrapping_add(number);
            let case = maker.case(number);
            let (mut ran, mut complaints) = {
                let _shared = machine.read().expect("the machine");
                run(&case)
            };
            for _ in 0..CHANCES {
                if complaints
                    .iter()
                    .any(|c| matches!(c, Complaint::TooLong(_)))
                {
                    let _alone = machine.write().expect("the machine");
                    (ran, complaints) = run(&case);
                }
            }
            summary
                .lock()
                .expect("the summary")
                .take(number, &case, &ran);
            if !complaints.is_empty() {
                let kept = keep(number, &case, &ran, &complaints);
                failures.lock().expect("failures").push(kept);
            }
        }
    };
    let n_workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(work);
        }
    });

    let failures = failures.into_inner().expect("failures");
    let table = summary
        .into_inner()
        .expect("the summary")
        .table(started.elapsed());
    let report = format!(
        "{table}\n{} failures\n\n{}\n",
        failures.len(),
        failures.join("\n\n")
    );
    println!("{report}");
    std::fs::create_dir_all(out_folder()).expect("a folder");
    std::fs::write(out_folder().join("summary.txt"), &report).expect("a summary");
    assert!(
        failures.is_empty(),
        "{} failures, in {}",
        failures.len(),
        out_folder().display()
    );
}
