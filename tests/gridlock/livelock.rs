//! Runs that never end, as a user meets them: judged, saved, replayed, under profiles of one's own.

use crate::tool::run;
use serde_json::{Value, json};

const MEETING: &str = "tests/input/meeting.cu";
const LOCK: &str = "tests/corpus/progress/lock.cu";

#[test]
fn a_livelock_there_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let witness = path("w.json");
    let launch = ["check", MEETING, "--grid", "2", "--block", "1"];
    let found = run(&[&launch[..], &["--save-witness", &witness]].concat());
    assert_eq!(found.status, 1, "{}", found.stderr);
    for part in [
        "livelock",
        "spins here, trying `arrived` = 1",
        "gets no place",
    ] {
        assert!(found.stdout.contains(part), "{part}: {}", found.stdout);
    }
    let replayed = run(&["replay", &witness]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    for part in [
        "from here on the run is a cycle",
        "and so on for ever",
        "reproduced",
    ] {
        assert!(
            replayed.stdout.contains(part),
            "{part}: {}",
            replayed.stdout
        );
    }
    let object = run(&["replay", &witness, "--format", "json"]).json();
    let from = object["cycle_from"].as_u64().unwrap() as usize;
    assert!(from < object["steps"].as_array().unwrap().len());
    let traced = run(&["trace", "--witness", &witness]);
    assert_eq!(traced.status, 3, "{}{}", traced.stdout, traced.stderr);

    // Without its cycle it is no livelock.
    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(&witness).unwrap()).unwrap();
    changed["cycle"] = json!([]);
    let cut = path("cut.json");
    std::fs::write(&cut, changed.to_string()).unwrap();
    assert_eq!(run(&["replay", &cut]).status, 3);

    let cooperative = run(&[&launch[..], &["--cooperative"]].concat());
    assert_ne!(cooperative.status, 1, "{}", cooperative.stdout);
}

/// The search for safety alone says that runs have cycles, and nothing more.
#[test]
fn not_asked() {
    let launch = ["explore", MEETING, "--grid", "2", "--block", "1"];
    let json = ["--format", "json"];
    let asked = run(&[&launch[..], &json].concat());
    assert_eq!(asked.status, 1, "{}", asked.stderr);
    assert_eq!(asked.json()["termination"], "livelock");
    let not_asked = run(&[&launch[..], &json, &["--no-termination"]].concat());
    assert_eq!(not_asked.status, 0, "{}", not_asked.stderr);
    let object = not_asked.json();
    assert_eq!(object["termination"], Value::Null);
    assert_eq!(object["cycle"], true);
    assert_eq!(object["defects"], json!([]));
}

/// A launch with far too many states: one run shows it.
#[test]
fn a_large_launch() {
    let report = run(&[
        "check",
        MEETING,
        "--grid",
        "4",
        "--block",
        "32",
        "--inputs",
        "random:1:1",
        "--no-proof",
        "--format",
        "json",
        "--limit-states",
        "2000",
    ])
    .json();
    assert_eq!(report["verdict"], "refuted");
    assert_eq!(report["defects"][0]["kind"], "livelock");
    let message = report["defects"][0]["message"].as_str().unwrap();
    assert!(message.contains("3 blocks"), "{message}");
    assert!(message.contains("(31,0,0)"), "{message}");
}

/// A profile of one's own sets the scheduling for termination and that for safety apart.
#[test]
fn profiles_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.toml");
    let check = |residency: &str, next: &str, progress: &str| {
        let text = format!(
            "name = \"mine\"\nbase = \"cuda\"\n[axes.termination]\nresidency = {residency}\n\
             next = \"{next}\"\nprogress = \"{progress}\"\n"
        );
        std::fs::write(&path, text).unwrap();
        let profile = path.display().to_string();
        let run = run(&[
            "check",
            LOCK,
            "--grid",
            "2",
            "--profile",
            &profile,
            "--format",
            "json",
        ]);
        assert!(run.status != 2, "{}", run.stdout);
        run.json()["verdict"].clone()
    };
    assert_eq!(
        check("\"every-resident\"", "any", "occupancy-bound"),
        "passed"
    );
    assert_eq!(check("{ resident = 2 }", "in-order", "fair"), "passed");
    assert_eq!(check("\"all-resident\"", "any", "unfair"), "refuted");
    // What was seen with one place says nothing about two.
    let text = "name = \"mine\"\nbase = \"cuda\"\n[axes.safety]\nresidency = \"run-to-completion\"\n\
                next = \"any\"\nprogress = \"unfair\"\n[axes.termination]\n\
                residency = { resident = 2 }\nnext = \"any\"\nprogress = \"unfair\"\n";
    std::fs::write(&path, text).unwrap();
    let profile = path.display().to_string();
    let narrow = run(&["check", LOCK, "--grid", "2", "--profile", &profile]);
    assert_eq!(narrow.status, 1, "{}", narrow.stdout);
    // With one place the holder of the lock is alone.
    assert_eq!(check("\"run-to-completion\"", "any", "unfair"), "passed");
}

#[test]
fn explore_says_whether_it_is_allowed() {
    let answer = |more: &[&str]| {
        let explore = [
            "explore", MEETING, "--grid", "2", "--block", "1", "--format", "json",
        ];
        let object = run(&[&explore[..], more].concat()).json();
        assert_eq!(object["cycle"], true);
        object["termination"].clone()
    };
    assert_eq!(answer(&[]), "livelock");
    assert_eq!(answer(&["--cooperative"]), "ends");
    assert_eq!(answer(&["--cooperative", "--profile", "paper"]), "livelock");
}
