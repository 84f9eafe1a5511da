//! One program under two profiles: what ends, deadlocks and defects are under one only, each with a
//! schedule that shows it there.

use crate::tool::run;
use gridlock_checker::finding::ScheduleStep;
use serde_json::Value;

const EXCHANGE: [&str; 4] = ["explore", "tests/input/exchange.cu", "--block", "2"];

fn explore(profile: &str, against: &str, status: i32) -> Value {
    compare(&EXCHANGE, profile, against, status)
}

fn compare(subject: &[&str], profile: &str, against: &str, status: i32) -> Value {
    let options = [
        "--profile",
        profile,
        "--against",
        against,
        "--format",
        "json",
    ];
    let run = run(&[subject, options.as_slice()].concat());
    assert_eq!(run.status, status, "{}", run.stderr);
    run.json()["against"].clone()
}

#[test]
fn the_printed_barrier_rules_lose_an_increment() {
    let against = explore("paper-literal", "cuda", 1);
    assert_eq!(
        against["profiles"],
        serde_json::json!(["paper-literal", "cuda"])
    );
    assert_eq!(against["complete"], serde_json::json!([true, true]));
    assert_eq!(against["both"].as_array().map(Vec::len), Some(1));
    let only = against["only_first"].as_array().expect("a list");
    assert_eq!(only.len(), 1, "{against:#}");
    assert_eq!(only[0]["outcome"], "deadlock");
    // Both threads arrive in one transition, and the counter counts one.
    let last = only[0]["schedule"]
        .as_array()
        .and_then(|s| s.last())
        .expect("a schedule");
    assert_eq!(last["actors"].as_array().map(Vec::len), Some(2));
    assert_eq!(against["only_second"], serde_json::json!([]));
}

#[test]
fn the_repaired_barrier_loses_nothing() {
    let against = explore("paper", "cuda", 0);
    assert_eq!(against["only_first"], serde_json::json!([]), "{against:#}");
    assert_eq!(against["only_second"], serde_json::json!([]), "{against:#}");
}

fn list<'a>(section: &'a Value, side: &str) -> &'a [Value] {
    section[side].as_array().expect("a list")
}

/// The schedule of an item, as `trace` takes it.
fn schedule(item: &Value) -> String {
    let steps: Vec<ScheduleStep> =
        serde_json::from_value(item["schedule"].clone()).expect("a schedule");
    gridlock::report::schedule_text::text(&steps)
}

/// `trace` on what `explore` explored, along an item's schedule; gives the last line of its text.
fn traced(subject: &[&str], profile: &str, item: &Value) -> String {
    let schedule = schedule(item);
    let options = ["--profile", profile, "--schedule", &schedule];
    let run = run(&[&["trace"], &subject[1..], options.as_slice()].concat());
    assert_eq!(run.stderr, "");
    run.stdout.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn every_deadlock_has_a_schedule_that_ends_in_it() {
    let against = explore("paper-literal", "cuda", 1);
    let deadlocks = list(&against["deadlocks"], "only_first");
    assert_eq!(deadlocks.len(), 3, "{deadlocks:#?}");
    assert_eq!(list(&against["deadlocks"], "only_second").len(), 0);
    for deadlock in deadlocks {
        let end = traced(&EXCHANGE, "paper-literal", deadlock);
        assert!(end.starts_with("stuck"), "{deadlock:#}: {end}");
    }
}

/// A host program; the outcome that merging by value loses, with a run that ends in it.
#[test]
fn host_programs_are_compared_as_well() {
    let subject = [
        "explore",
        "examples/literal-paper/lost-outcome.cu",
        "--entry",
        "run",
        "--extent",
        "out=1",
    ];
    let against = compare(&subject, "paper-literal", "paper", 1);
    assert_eq!(list(&against, "only_first").len(), 0);
    let [lost] = list(&against, "only_second") else {
        panic!("{against:#}");
    };
    assert_eq!(lost["outcome"], "out = [0]");
    assert_eq!(traced(&subject, "paper", lost), "final: out = [0]");
    // The race is there under both.
    assert_eq!(list(&against["defects"], "both").len(), 1);
}

/// A barrier inside `if (i < n)`: a defect under `cuda` only, with a witness that replays.
#[test]
fn defects_under_one_profile_only_have_a_witness() {
    let subject = [
        "explore",
        "examples/barriers/divergent.cu",
        "--block",
        "4",
        "--arg",
        "n=3",
    ];
    let against = compare(&subject, "cuda", "cuda-hw", 1);
    assert_eq!(list(&against["defects"], "only_second").len(), 0);
    let [defect] = list(&against["defects"], "only_first") else {
        panic!("{against:#}");
    };
    let name = defect["outcome"].as_str().expect("a name");
    assert!(name.starts_with("barrier-divergence at "), "{name}");
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("witness.json").display().to_string();
    std::fs::write(&file, defect["witness"].to_string()).expect("the witness is written");
    let replayed = run(&["replay", &file, "--format", "json"]);
    assert_eq!(replayed.json()["reproduced"], true, "{}", replayed.stdout);
    let derived = run(&["trace", "--witness", &file]);
    assert_eq!(derived.status, 1, "{}", derived.stderr);
    assert!(derived.stdout.contains("fault: BarrierDivergence"));
}

#[test]
fn the_text_names_what_differs_and_how_to_see_it() {
    let options = ["--profile", "paper-literal", "--against", "cuda"];
    let run = run(&[EXCHANGE.as_slice(), options.as_slice()].concat());
    for part in [
        "Profile paper-literal: granularity operator;",
        "Profile cuda: granularity access;",
        "ways runs end: 1 under both, 1 under paper-literal only, 0 under cuda only",
        "deadlocks: 0 under both, 3 under paper-literal only, 0 under cuda only",
        "      by b0.t0+b0.t1",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

#[test]
fn a_schedule_nobody_can_follow_is_refused() {
    let trace = |schedule: &str| {
        run(&[
            "trace",
            "tests/input/exchange.cu",
            "--block",
            "2",
            "--schedule",
            schedule,
        ])
    };
    // At the barrier thread 0 waits for thread 1.
    let blocked = trace("b0.t0 ×9");
    assert_eq!(blocked.status, 2);
    assert!(
        blocked.stderr.contains("cannot be followed"),
        "{}",
        blocked.stderr
    );
    let wrong = trace("thread 0");
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("`thread 0` is no step"),
        "{}",
        wrong.stderr
    );
}
