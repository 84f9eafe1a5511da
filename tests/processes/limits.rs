//! Seconds and bytes bound the whole command, whatever its engines do: it ends in time with the report of what
//! is known, exit status 3, and leaves no process and no temporary file. `GRIDLOCK_LIMIT_SECONDS` gives larger
//! limits than the ones that `cargo test` takes.

use crate::supervised::{Ended, INPUT, Started, limit_seconds};
use gridlock_generation::effort;
use serde_json::{Value, json};
use std::time::Duration;

const BYTES: u64 = 1 << 30;

/// Runs a command under limits; what it says is returned.
fn within_limits(arguments: &[&str]) -> Ended {
    within(limit_seconds(), arguments)
}

fn within(seconds: f64, arguments: &[&str]) -> Ended {
    let (limit, bytes) = (seconds.to_string(), BYTES.to_string());
    let limits = ["--limit-seconds", &limit, "--limit-bytes", &bytes];
    let arguments = [arguments, &limits, &["--format", "json"]].concat();
    let ended = Started::new(&arguments).ends();
    let most = Duration::from_secs_f64(seconds * 1.25 + 1.0);
    assert!(ended.took <= most, "{arguments:?}: {:?}", ended.took);
    // Somebody allocates between two looks.
    let bytes = ended.bytes;
    assert!(bytes <= BYTES + BYTES / 8, "{arguments:?}: {bytes}");
    ended.left_nothing();
    ended
}

/// One that no engine finishes in the time.
fn check(arguments: &[&str]) {
    let ended = within_limits(arguments);
    assert_eq!(ended.status, 3, "{arguments:?}: {}", ended.stdout);
    let report = ended.json();
    let verdict = &report["verdict"];
    assert!(
        verdict == "unknown" || verdict.is_null(),
        "{arguments:?}: {verdict}"
    );
    assert_eq!(report["reason"], "limit", "{arguments:?}: {report:#}");
    let limits = report["limits_hit"].as_array().map(Vec::len);
    assert!(limits > Some(0), "{arguments:?}: {report:#}");
}

/// One that some engines finish and others do not.
fn check_any(arguments: &[&str]) {
    let ended = within_limits(arguments);
    assert!(
        matches!(ended.status, 0 | 1 | 3),
        "{arguments:?}: {}",
        ended.stdout
    );
    ended.json();
}

fn input(name: &str) -> String {
    format!("{INPUT}/{name}")
}

const HUGE: [&str; 4] = ["--grid", "2147483647", "--block", "1024"];

#[test]
fn launches_of_every_thread_there_can_be() {
    let file = input("barrier_and_atomic.cu");
    check_any(&[&["check", &file], &HUGE[..]].concat());
    check(&[&["check", &file, "--no-proof"], &HUGE[..]].concat());
    check(&[&["trace", &file], &HUGE[..]].concat());
}

/// A witness whose launch was made larger than any search could have gone.
#[test]
fn a_witness_of_every_thread_there_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("w.json");
    let path = kept.to_str().unwrap();
    let racy = input("racy_then_long.cu");
    let launch = ["--kernel", "racy", "--grid", "1", "--block", "32"];
    let saved = [&["check", &racy], &launch[..], &["--save-witness", path]].concat();
    assert_eq!(Started::new(&saved).ends().status, 1);
    let text = std::fs::read_to_string(&kept).unwrap();
    let mut witness: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(Started::new(&["replay", path]).ends().status, 0);
    witness["setup"]["launch"]["grid"] = json!([2147483647, 1, 1]);
    witness["setup"]["launch"]["block"] = json!([1024, 1, 1]);
    std::fs::write(&kept, witness.to_string()).unwrap();
    check(&["replay", path]);
    check(&["trace", "--witness", path]);
}

/// A witness's launch is held to the limits of the device it names, those of the usual one where it names none.
#[test]
fn a_witness_that_no_device_would_run() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("w.json");
    let path = kept.to_str().unwrap();
    let racy = input("racy_then_long.cu");
    let check = ["check", &racy, "--kernel", "racy", "--grid", "1"];
    let save = ["--save-witness", path];
    let saved = Started::new(&[&check[..], &["--block", "32"], &save].concat());
    assert_eq!(saved.ends().status, 1);
    let text = std::fs::read_to_string(&kept).unwrap();
    let mut witness: Value = serde_json::from_str(&text).unwrap();
    assert!(witness.get("device").is_none(), "{witness:#}");
    let commands = [
        ["replay", path].to_vec(),
        ["trace", "--witness", path].to_vec(),
    ];
    let statuses = |witness: &Value| {
        std::fs::write(&kept, witness.to_string()).unwrap();
        let ended = commands
            .clone()
            .map(|command| Started::new(&command).ends());
        ended.map(|ended| (ended.status, ended.stderr))
    };
    for (grid, block, why) in [
        (
            [1, 1, 1],
            [5000, 1, 1],
            "the block is 5000 in x, the limit is 1024",
        ),
        (
            [1, 1, 1],
            [64, 32, 1],
            "2048 threads in a block, the limit is 1024",
        ),
        (
            [1, 1, 1],
            [1, 1, 65],
            "the block is 65 in z, the limit is 64",
        ),
        (
            [1, 70000, 1],
            [1, 1, 1],
            "the grid is 70000 in y, the limit is 65535",
        ),
    ] {
        witness["setup"]["launch"]["grid"] = json!(grid);
        witness["setup"]["launch"]["block"] = json!(block);
        for device in [None, Some("sm_70")] {
            if let Some(device) = device {
                witness["device"] = json!(device);
            }
            for (status, said) in statuses(&witness) {
                assert_eq!(status, 2, "{said}");
                assert!(said.contains(why) && said.contains(path), "{said}");
            }
            witness.as_object_mut().unwrap().remove("device");
        }
    }
    witness["device"] = json!("sm_1");
    for (status, said) in statuses(&witness) {
        assert_eq!(status, 2, "{said}");
        assert!(said.contains("a device that is not known"), "{said}");
    }
    // One that was made for no device's limits says so, and is replayed.
    let beyond = ["--block", "1056", "--device-limits", "none"];
    let saved = Started::new(&[&check[..], &beyond, &save].concat());
    assert_eq!(saved.ends().status, 1);
    let text = std::fs::read_to_string(&kept).unwrap();
    let witness: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(witness["device"], "none", "{witness:#}");
    assert_eq!(statuses(&witness).map(|(status, _)| status), [0, 0]);
}

#[test]
fn large_launches_explored() {
    let file = input("barrier_and_atomic.cu");
    check(&["explore", &file, "--grid", "100", "--block", "1024"]);
    check(&["explore", &file, "--grid", "65535", "--block", "1024"]);
}

#[test]
fn the_literal_semantics() {
    let file = input("barrier_and_atomic.cu");
    for profile in ["paper", "paper-literal"] {
        if !effort::is_next_done(2) {
            continue;
        }
        let twelve = ["--grid", "2", "--block", "6", "--profile", profile];
        check(&[&["explore", &file], &twelve[..]].concat());
        check_any(&[&["equiv", &file, &file], &twelve[..]].concat());
    }
    let against = ["--grid", "2", "--block", "6", "--against", "paper"];
    check_any(&[&["explore", &file], &against[..]].concat());
}

#[test]
fn many_schedules() {
    check_any(&[
        "check",
        &input("compaction.cu"),
        "--grid",
        "64",
        "--block",
        "64",
    ]);
    check(&[
        "check",
        &input("spin_lock.cu"),
        "--grid",
        "33",
        "--block",
        "32",
    ]);
}

#[test]
fn conditions_explained() {
    let file = input("compaction.cu");
    check_any(&["check", &file, "--explain-conditions"]);
}

#[test]
fn long_straight_code() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.cu");
    let lines = "    a[0] += 1;\n".repeat(2000);
    std::fs::write(&file, format!("__global__ void k(int *a) {{\n{lines}}}\n")).unwrap();
    let file = file.to_str().unwrap();
    check_any(&["prove", file]);
    check_any(&["explore", file]);
}

#[test]
fn long_arrays() {
    let declared = input("declared.cu");
    check_any(&["check", &declared, "--grid", "2", "--block", "64"]);
    check_any(&["explore", &declared, "--grid", "2", "--block", "64"]);
    let shift = input("shift.cu");
    let given = ["--grid", "2", "--block", "64", "--extent", "a=1000000000"];
    check_any(&[&["check", &shift], &given[..]].concat());
    check_any(&[&["explore", &shift], &given[..]].concat());
}

/// A search whose process grows beyond the bytes, whatever the search itself counts, is ended from outside.
#[test]
fn a_worker_beyond_its_bytes() {
    const LEAST: u64 = 512 << 20;
    let (file, bytes) = (input("spin_lock.cu"), LEAST.to_string());
    let launch = ["--grid", "64", "--block", "64", "--limit-seconds", "120"];
    let limit = ["--limit-bytes", &bytes, "--format", "json"];
    let ended = Started::new(&[&["explore", &file], &launch[..], &limit].concat()).ends();
    assert_eq!(ended.status, 3, "{}", ended.stdout);
    let report = ended.json();
    assert_eq!(report["reason"], "limit", "{report:#}");
    let said = json!(["512 MiB of memory in all"]);
    assert_eq!(report["limits_hit"], said, "{report:#}");
    assert!(ended.bytes <= LEAST + LEAST / 4, "{}", ended.bytes);
    ended.left_nothing();
}

/// An allocation that the system refuses is a limit too, and no abort.
#[test]
fn a_worker_that_is_refused_memory() {
    let file = input("spin_lock.cu");
    let launch = ["--grid", "64", "--block", "64", "--limit-seconds", "120"];
    let arguments = [&["explore", &file], &launch[..], &["--format", "json"]].concat();
    let ended = Started::within_addresses(2_500_000, &arguments).ends();
    assert_eq!(ended.status, 3, "{}", ended.stdout);
    let report = ended.json();
    assert_eq!(report["reason"], "limit", "{report:#}");
    let said = json!(["the system had no more memory to give"]);
    assert_eq!(report["limits_hit"], said, "{report:#}");
    ended.left_nothing();
}

/// What was found before the limit is in the report, and decides the exit status.
#[test]
fn a_defect_known_at_the_limit_is_reported() {
    let file = input("racy_then_long.cu");
    // The machine may be busy when the first kernel's turn comes.
    let ended = within(limit_seconds().max(4.0), &["check", &file]);
    let report = ended.json();
    assert_eq!(ended.status, 1, "{report:#}");
    assert_eq!(report["verdict"], "refuted");
    let kinds: Vec<&Value> = report["defects"].as_array().unwrap().iter().collect();
    assert_eq!(kinds[0]["kind"], "data-race", "{report:#}");
}
