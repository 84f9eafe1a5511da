//! The same question has the same answer: on one processor and on sixteen, and when it is asked again.
//! Only times and peaks of memory may differ.

use gridlock_generation::effort;
use rayon::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every so many files of the corpus are run.
const STRIDE: usize = 14;
/// Of these, one in so many in a short run.
const SHARE: usize = 41;

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            match path.is_dir() {
                true => folders.push(path),
                false if matches!(extension, "cu" | "cl") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// What a command prints as JSON, without what may differ.
fn report(arguments: &[&str], processors: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(arguments)
        .args(["--format", "json"])
        .env("RAYON_NUM_THREADS", processors)
        .output()
        .unwrap();
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        let said = String::from_utf8_lossy(&output.stderr);
        panic!("{arguments:?}: {error}: {said}")
    });
    strip(&mut report);
    format!("{report:#}")
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("seconds");
            fields.remove("peak_bytes");
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Whether a limit of time or memory was met: then reports may differ.
fn met_a_limit(report: &str) -> bool {
    ["--limit-seconds", "--limit-bytes"]
        .iter()
        .any(|option| report.contains(option))
}

fn check(arguments: &[&str]) {
    let first = report(arguments, "1");
    for processors in ["16", "1"] {
        let again = report(arguments, processors);
        if met_a_limit(&first) || met_a_limit(&again) {
            return;
        }
        assert_eq!(first, again, "{arguments:?} on {processors} processors");
    }
}

#[test]
fn checks_say_the_same_on_any_number_of_processors() {
    let files = files();
    assert!(files.len() > 100, "{}", files.len());
    let chosen = files.iter().step_by(STRIDE).enumerate();
    let chosen = chosen.filter(|(number, _)| effort::is_done(*number, SHARE));
    let chosen: Vec<&PathBuf> = chosen.map(|(_, file)| file).collect();
    chosen.into_par_iter().for_each(|file| {
        let file = file.to_str().unwrap();
        check(&["check", file, "--limit-bytes", "500000000"]);
    });
}

/// Kernels that come later are proved beside the one that is judged, where a processor is free.
#[test]
fn files_with_many_kernels_say_the_same_on_any_number_of_processors() {
    let files = [
        "tests/input/summaries_of_kinds.cu",
        "tests/input/summaries.cu",
    ];
    for (number, file) in files.into_iter().enumerate() {
        if effort::is_done(number, 2) {
            check(&["check", file, "--limit-seconds", "600"]);
        }
    }
}

#[test]
fn searches_say_the_same_on_any_number_of_processors() {
    let cut = ["--limit-states", "30000", "--limit-bytes", "500000000"];
    for (file, launch) in [
        ("tests/input/race.cu", "8"),
        ("tests/input/meeting.cu", "6"),
        ("tests/input/race_decides.cu", "4"),
        ("tests/corpus/barriers/early-return.cu", "8"),
    ] {
        let arguments = ["explore", file, "--block", launch];
        check(&[&arguments[..], &cut[..]].concat());
    }
}

#[test]
fn conditions_are_the_same_on_any_number_of_processors() {
    let files = files();
    let small = files.iter().step_by(70).take(2);
    for file in small {
        let file = file.to_str().unwrap();
        check(&["check", file, "--explain-conditions", "--vary-points", "20"]);
    }
}
