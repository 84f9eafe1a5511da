//! The commands beside `check`, and witnesses and profiles that are files.

use super::FILL;
use crate::tool::{check_error, run, run_with_input};
use serde_json::{Value, json};

/// A witness written by `check` is replayed; one whose program changed is refused; one whose
/// defect does not show is told apart.
#[test]
fn a_witness_there_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let source = path("race.cu");
    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/input/race.cu"),
        &source,
    )
    .unwrap();
    let witness = path("w.json");
    let found = run(&["check", &source, "--block", "2", "--save-witness", &witness]);
    assert_eq!(found.status, 1, "{}", found.stderr);
    assert!(found.stdout.contains(&format!("gridlock replay {witness}")));

    let replayed = run(&["replay", &witness]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    assert!(
        replayed.stdout.contains("reproduced"),
        "{}",
        replayed.stdout
    );
    let object = run(&["replay", &witness, "--format", "json"]).json();
    assert_eq!(object["reproduced"], true);

    let stepped = run_with_input(&["replay", &witness, "--step"], "n\np\nj 2\nx\nq\n");
    assert_eq!(stepped.status, 0);
    assert!(stepped.stdout.contains("step 2 of"), "{}", stepped.stdout);

    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(&witness).unwrap()).unwrap();
    changed["schedule"] = json!([]);
    let shortened = path("short.json");
    std::fs::write(&shortened, changed.to_string()).unwrap();
    let nothing = run(&["replay", &shortened]);
    assert_eq!(nothing.status, 3);
    assert!(
        !nothing.stdout.contains("every order"),
        "{}",
        nothing.stdout
    );
    changed["led"] = json!(1);
    std::fs::write(&shortened, changed.to_string()).unwrap();
    check_error(
        &["replay", &shortened],
        "syntax",
        None,
        "1 steps lead to what it shows, and has 0",
    );

    std::fs::write(
        &source,
        "__global__ void all_to_one(int *a) { a[1] = 0; }\n",
    )
    .unwrap();
    let refused = run(&["replay", &witness, "--format", "json"]);
    assert_eq!(refused.status, 2, "{}", refused.stdout);
    assert!(refused.stdout.contains("changed"), "{}", refused.stdout);
    check_error(&["replay", &path("none.json")], "file", None, "cannot read");
    std::fs::write(path("bad.json"), "{}").unwrap();
    let bad = run(&["replay", &path("bad.json"), "--format", "json"]);
    assert_eq!(
        (bad.status, bad.json()["error"]["kind"].clone()),
        (2, json!("syntax"))
    );
}

#[test]
fn profiles_are_listed_with_every_axis() {
    let listed = run(&["profiles"]);
    assert_eq!(listed.status, 0);
    for part in [
        "cuda (default)",
        "paper-literal",
        "exited threads",
        "occupancy-bound",
    ] {
        assert!(listed.stdout.contains(part), "{part}");
    }
    check_error(&["profiles", "cdua"], "usage", None, "unknown profile");
}

#[test]
fn a_profile_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, "name = \"mine\"\nbase = \"cuda\"\n").unwrap();
    let file = file.display().to_string();
    let report = run(&[
        "check",
        FILL,
        "--block",
        "2",
        "--profile",
        &file,
        "--format",
        "json",
    ]);
    assert_eq!(report.json()["profile"]["name"], "mine");
    std::fs::write(&file, "name = \"mine\"\nbase = \"cdua\"\n").unwrap();
    let refused = run(&["check", FILL, "--profile", &file, "--format", "json"]);
    assert_eq!(refused.status, 2);
    assert_eq!(refused.json()["error"]["file"], json!(file));
}

#[test]
fn commands_that_run_a_program() {
    let explored = run(&[
        "explore",
        "tests/input/race.cu",
        "--block",
        "2",
        "--format",
        "json",
    ]);
    assert_eq!(explored.status, 1, "{}", explored.stderr);
    let report = explored.json();
    assert_eq!(report["complete"], true);
    assert_eq!(report["outcomes"].as_array().unwrap().len(), 2);
    assert_eq!(report["defects"][0]["kind"], "data-race");
    let cut = run(&[
        "explore",
        FILL,
        "--block",
        "8",
        "--no-reduction",
        "--limit-states",
        "10",
    ]);
    assert_eq!(cut.status, 3, "{}", cut.stdout);
    // Nothing is said of what was not seen.
    assert!(cut.stdout.contains("no deadlock in what was explored\n"));
    let whole = run(&["explore", FILL, "--block", "2"]);
    assert_eq!(whole.status, 0);
    assert!(whole.stdout.contains("no deadlock\n"), "{}", whole.stdout);

    let traced = run(&["trace", FILL, "--block", "2", "--arg", "value=7"]);
    assert_eq!(traced.status, 0, "{}", traced.stderr);
    assert!(
        traced.stdout.contains("final: a = [7, 7]"),
        "{}",
        traced.stdout
    );
    let cut = run(&["trace", FILL, "--block", "2", "--limit-depth", "1"]);
    assert_eq!(cut.status, 3);

    let differential = run(&[
        "diff",
        FILL,
        "--device",
        "interpreter",
        "--block",
        "4",
        "--extent",
        "a=4",
    ]);
    assert_eq!(differential.status, 0, "{}", differential.stdout);
}

#[test]
fn programs_are_printed_for_each_target() {
    for (target, part) in [
        ("cuda", "__global__"),
        ("opencl", "kernel void"),
        ("host", "__global__"),
    ] {
        let lowered = run(&["lower", FILL, "--target", target]);
        assert_eq!(lowered.status, 0, "{}", lowered.stderr);
        assert!(
            lowered.stdout.contains(part),
            "{target}: {}",
            lowered.stdout
        );
    }
    check_error(
        &["lower", "tests/input/assembly.cu", "--target", "cuda"],
        "unsupported",
        Some(("tests/input/assembly.cu", 4, 5)),
        "not supported",
    );
}

#[test]
fn two_programs_are_compared_each_with_its_own_launch() {
    let same = run(&[
        "equiv",
        FILL,
        FILL,
        "--a-grid",
        "2",
        "--a-block",
        "4",
        "--b-grid",
        "4",
        "--b-block",
        "2",
        "--arg",
        "value=3",
        "--require",
        "schedules",
    ]);
    assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);
    let different = run(&[
        "equiv", FILL, FILL, "--block", "4", "--a-arg", "value=3", "--b-arg", "value=4",
        "--format", "json",
    ]);
    assert_eq!(
        different.status, 1,
        "{}{}",
        different.stdout, different.stderr
    );
    assert_eq!(different.json()["defects"][0]["kind"], "not-equivalent");
}

#[test]
fn the_devices_of_this_machine_are_listed() {
    let listed = run(&["devices"]);
    assert_eq!(listed.status, 0);
    assert!(listed.stdout.contains("interpreter"), "{}", listed.stdout);
}
