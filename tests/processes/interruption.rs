//! Signals, and workers that end otherwise than they should: a report in any case, and nothing left behind.

use crate::supervised::{Ended, INPUT, Started, is_running, kill, until};
use rustix::process::Signal;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A search that goes on for a minute.
fn long(file: &str) -> Vec<&str> {
    let launch = ["--grid", "33", "--block", "32", "--format", "json"];
    [&["check", file], &launch[..]].concat()
}

fn lock() -> String {
    format!("{INPUT}/spin_lock.cu")
}

/// Begins, waits until it judges, does something to it, and gives the end.
fn interrupted(arguments: &[&str], what: impl FnOnce(&Started)) -> Ended {
    let started = Started::new(arguments);
    started.has_established();
    std::thread::sleep(Duration::from_millis(300));
    let since = std::time::Instant::now();
    what(&started);
    let ended = started.ends();
    // A second, and as much for a machine that is busy.
    assert!(
        since.elapsed() < Duration::from_secs(4),
        "{:?}",
        since.elapsed()
    );
    ended.left_nothing();
    ended
}

#[test]
fn signals_end_with_the_report_of_what_is_known() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let file = lock();
        let ended = interrupted(&long(&file), |started| started.signal(signal));
        let report = ended.json();
        assert_eq!(ended.status, 3, "{report:#}");
        assert_eq!(report["verdict"], "unknown");
        assert_eq!(report["reason"], "interrupted");
        assert_eq!(report["subjects"][0]["kernel"], "k", "{report:#}");
        let properties = report["properties"].as_array().unwrap();
        assert!(
            properties.iter().any(|p| p["reason"] == "interrupted"),
            "{report:#}"
        );
    }
}

/// Whether a number has two factors is a question the solver sits at for seconds. What the proof has told before
/// it came to that stays proved.
#[test]
fn a_proof_interrupted_keeps_what_it_has_proved() {
    let file = format!("{INPUT}/factors.cu");
    let launch = ["--grid", "1", "--block", "32", "--extent", "out=32"];
    let limit = ["--limit-seconds", "3000", "--format", "json"];
    let properties = ["--property", "divergence,bounds"];
    let arguments = [&["check", &file], &launch[..], &properties, &limit].concat();
    for signal in [Signal::INT, Signal::TERM] {
        let started = Started::new(&arguments);
        started.has_told("\"proved\"");
        std::thread::sleep(Duration::from_millis(300));
        let since = std::time::Instant::now();
        started.signal(signal);
        let ended = started.ends();
        assert!(
            since.elapsed() < Duration::from_secs(4),
            "{:?}",
            since.elapsed()
        );
        ended.left_nothing();
        let report = ended.json();
        assert_eq!(ended.status, 3, "{report:#}");
        assert_eq!(report["verdict"], "unknown", "{report:#}");
        assert_eq!(report["reason"], "interrupted", "{report:#}");
        let of = |kind: &str| {
            let properties = report["properties"].as_array().unwrap();
            let found = properties.iter().find(|p| p["kind"] == kind);
            found.unwrap_or_else(|| panic!("{kind}: {report:#}"))
        };
        assert_eq!(of("divergence")["verdict"], "proved", "{report:#}");
        assert_eq!(of("divergence")["engine"], "symbolic", "{report:#}");
        assert_eq!(of("bounds")["verdict"], "unknown", "{report:#}");
        assert_eq!(of("bounds")["reason"], "interrupted", "{report:#}");
    }
}

#[test]
fn a_search_interrupted_keeps_its_checkpoint() {
    let file = format!("{INPUT}/compaction.cu");
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.search");
    let kept = kept.to_str().unwrap();
    let launch = [
        "explore",
        &file,
        "--grid",
        "2",
        "--block",
        "8",
        "--no-reduction",
        "--format",
        "json",
    ];
    let with = |option| [&launch[..], &[option, kept]].concat();
    let checkpoint = with("--checkpoint");
    let started = Started::new(&checkpoint);
    started.has_established();
    std::thread::sleep(Duration::from_secs(1));
    started.signal(Signal::TERM);
    let ended = started.ends();
    ended.left_nothing();
    let report = ended.json();
    assert_eq!(ended.status, 3, "{report:#}");
    assert_eq!(report["reason"], "interrupted", "{report:#}");
    let seen = report["statistics"]["states"].as_u64().unwrap();
    assert!(seen > 0);
    let arguments = [&with("--continue")[..], &["--limit-states", "1"]].concat();
    let on = Started::new(&arguments).ends();
    let states = on.json()["statistics"]["states"].as_u64().unwrap();
    assert!(states >= seen, "{states} after {seen}: {}", on.stderr);
}

#[test]
fn a_worker_killed_from_outside_gives_a_report() {
    let file = lock();
    let ended = interrupted(&long(&file), |started| kill(started.worker(), Signal::KILL));
    let report = ended.json();
    assert_eq!(ended.status, 3, "{report:#}");
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["reason"], "interrupted");
}

/// As after a stack that overflowed, or an assertion of the solver.
#[test]
fn a_worker_that_fails_says_so() {
    for signal in [Signal::ABORT, Signal::ILL] {
        let file = lock();
        let ended = interrupted(&long(&file), |started| kill(started.worker(), signal));
        let report = ended.json();
        assert_eq!(ended.status, 2, "{report:#}");
        assert_eq!(report["verdict"], "unknown");
        assert_eq!(report["error"]["kind"], "internal", "{report:#}");
        assert_eq!(report["subjects"][0]["kernel"], "k", "{report:#}");
    }
}

#[test]
fn a_worker_does_not_outlive_its_supervisor() {
    let file = lock();
    let started = Started::new(&long(&file));
    let worker = started.worker();
    kill(started.supervisor(), Signal::KILL);
    until("the worker has ended", || !is_running(worker));
}

/// In text the last line says it.
#[test]
fn the_last_line_says_why() {
    let file = lock();
    let arguments = ["check", &file, "--grid", "33", "--block", "32"];
    let ended = interrupted(&arguments, |started| started.signal(Signal::INT));
    let last = ended.stdout.lines().last().unwrap();
    assert_eq!(last, "Cut short: interrupted (SIGINT)", "{}", ended.stdout);
}

/// Labelled kernels: two that are judged at once, two that take for ever.
fn folder_of_a_suite() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let quick = "// gridlock: verdict = proved\n// gridlock: block = 32\n// gridlock: why = a test\n\
                 __global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    let lock = std::fs::read_to_string(lock()).unwrap();
    let slow = format!(
        "// gridlock: verdict = proved\n// gridlock: grid = 33\n// gridlock: block = 32\n// gridlock: why = a test\n{lock}"
    );
    for (name, text) in [
        ("a.cu", quick),
        ("b.cu", quick),
        ("c.cu", &slow),
        ("d.cu", &slow),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_suite_keeps_its_rows_and_goes_on_where_it_was() {
    let folder = folder_of_a_suite();
    let dir = folder.path().to_str().unwrap();
    let kept = tempfile::tempdir().unwrap();
    let kept = kept.path().join("rows.jsonl");
    let file = kept.to_str().unwrap();
    let arguments = [
        "suite",
        dir,
        "--jobs",
        "1",
        "--continue",
        file,
        "--format",
        "json",
    ];
    let started = Started::new(&arguments);
    let n_lines = || {
        std::fs::read_to_string(&kept)
            .unwrap_or_default()
            .lines()
            .count()
    };
    until("two files are judged", || n_lines() == 3);
    let children = started.children();
    started.signal(Signal::TERM);
    let ended = started.ends();
    let report = ended.json();
    assert_eq!(ended.status, 3, "{report:#}");
    assert_eq!(report["reason"], "interrupted");
    assert_eq!(
        report["rows"].as_array().map(Vec::len),
        Some(2),
        "{report:#}"
    );
    ended.left_nothing();
    for child in children {
        assert!(!is_running(child), "{child} is left");
    }
    // What is there is not judged again: the slow ones are, as quick ones now.
    for name in ["c.cu", "d.cu"] {
        std::fs::copy(folder.path().join("a.cu"), folder.path().join(name)).unwrap();
    }
    let before = std::fs::read_to_string(&kept).unwrap();
    let on = Started::new(&arguments).ends();
    let report = on.json();
    assert_eq!(on.status, 0, "{report:#}");
    assert_eq!(
        report["rows"].as_array().map(Vec::len),
        Some(4),
        "{report:#}"
    );
    let after = std::fs::read_to_string(&kept).unwrap();
    assert!(after.starts_with(&before), "{after}");
    assert_eq!(after.lines().count(), 5);
}

#[test]
fn rows_of_other_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let quick = "// gridlock: verdict = proved\n// gridlock: block = 32\n// gridlock: why = a test\n\
                 __global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    std::fs::write(folder.path().join("a.cu"), quick).unwrap();
    let dir = folder.path().to_str().unwrap();
    let kept = folder.path().join("rows.jsonl");
    let kept = kept.to_str().unwrap();
    let suite = ["suite", dir, "--continue", kept];
    assert_eq!(Started::new(&suite).ends().status, 0);
    let other = Started::new(&[&suite[..], &["--limit-states", "7"]].concat()).ends();
    assert_eq!(other.status, 2, "{}{}", other.stdout, other.stderr);
    assert!(
        other.stderr.contains("with other options"),
        "{}",
        other.stderr
    );
    std::fs::write(kept, "no rows\n").unwrap();
    let damaged = Started::new(&suite).ends();
    assert_eq!(damaged.status, 2);
    assert!(
        damaged.stderr.contains("no rows kept"),
        "{}",
        damaged.stderr
    );
}

/// It waits for a process of its own.
fn compiler_that_hangs(folder: &Path) -> PathBuf {
    let path = folder.join("clang-that-hangs");
    std::fs::write(&path, "#!/bin/sh\nsleep 600 &\nwait\n").unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// At the limit of one file its process goes with all that it started, clang too.
#[test]
fn a_file_that_takes_too_long_leaves_no_orphan() {
    let folder = folder_of_a_suite();
    let dir = folder.path().to_str().unwrap();
    let hanging = compiler_that_hangs(folder.path());
    let clang = ("GRIDLOCK_CLANG", hanging.to_str().unwrap());
    let arguments = ["suite", dir, "--file-seconds", "1", "--format", "json"];
    let ended = Started::with(&arguments, &[clang]).ends();
    let report = ended.json();
    assert_eq!(ended.status, 1, "{report:#}");
    for row in report["rows"].as_array().unwrap() {
        assert_eq!(row["disagreement"], "stopped after 1 s", "{row:#}");
    }
    ended.left_nothing();
}

/// The same for a command of its own: a compiler that hangs is stopped at the limit.
#[test]
fn a_compiler_that_hangs_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let hanging = compiler_that_hangs(folder.path());
    let clang = ("GRIDLOCK_CLANG", hanging.to_str().unwrap());
    let file = lock();
    for command in ["check", "prove", "explore", "lower"] {
        let mut arguments = vec![command, &file, "--limit-seconds", "1", "--format", "json"];
        if command == "lower" {
            arguments.extend(["--target", "opencl"]);
        }
        let ended = Started::with(&arguments, &[clang]).ends();
        assert_eq!(
            ended.status, 3,
            "{command}: {}{}",
            ended.stdout, ended.stderr
        );
        assert!(
            ended.took < Duration::from_secs(4),
            "{command}: {:?}",
            ended.took
        );
        assert_eq!(ended.json()["reason"], "limit", "{command}");
        ended.left_nothing();
    }
}
