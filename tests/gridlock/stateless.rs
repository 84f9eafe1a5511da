//! `gridlock explore --engine stateless`: the same answers without keeping states.

use crate::tool::run;
use serde_json::{Value, json};

/// The outcomes, deadlock and operators of a search under an engine, and the whole answer.
fn explored(subject: &[&str], engine: &str) -> (Value, Value) {
    let options = ["--engine", engine, "--format", "json"];
    let run = run(&[&["explore"][..], subject, options.as_slice()].concat());
    assert!(run.status < 2, "{}", run.stderr);
    let object = run.json();
    assert_eq!(object["engine"], engine);
    assert_eq!(object["complete"], true, "{object:#}");
    let list = |name: &str| object[name].as_array().cloned().unwrap_or_default();
    let outcomes: Vec<Value> = list("outcomes")
        .iter()
        .map(|seen| seen["outcome"].clone())
        .collect();
    let mut defects: Vec<String> = list("defects")
        .iter()
        .map(|defect| format!("{} {}", defect["kind"], defect["message"]))
        .collect();
    defects.sort();
    let same = json!([outcomes, object["deadlock"], defects.len()]);
    (same, object)
}

#[test]
fn both_engines_see_the_same() {
    let subjects: [&[&str]; 3] = [
        &["tests/input/exchange.cu", "--block", "2", "--extent", "x=4"],
        &[
            "benches/spin/message.cu",
            "--block",
            "2",
            "--no-termination",
        ],
        &["benches/spin/ticket.cu", "--block", "2", "--no-termination"],
    ];
    for subject in subjects {
        let (stateful, _) = explored(subject, "stateful");
        let (stateless, object) = explored(subject, "stateless");
        assert_eq!(stateful, stateless, "{subject:?}");
        assert!(object["stateless"]["redundant"].is_u64());
        assert_eq!(object["statistics"]["states"], 0);
    }
}

#[test]
fn the_text_says_who_searched() {
    let subject = ["explore", "tests/input/exchange.cu", "--block", "2"];
    let known = ["--extent", "x=4", "--engine", "stateless"];
    let text = run(&[subject.as_slice(), &known].concat()).stdout;
    let words = "stateless: one run for all that differ in the order of independent steps";
    assert!(text.contains("every schedule: "), "{text}");
    assert!(text.contains(", 1 run, ") && text.contains(words), "{text}");
}

/// What it does not follow it says, and claims nothing.
#[test]
fn what_it_does_not_follow_it_says() {
    let subject = ["explore", "tests/input/exchange.cu", "--block", "2"];
    let unknown = ["--profile", "paper", "--engine", "stateless"];
    let run = run(&[subject.as_slice(), &unknown].concat());
    assert_eq!(run.status, 3, "{}", run.stdout);
    let words = "limit reached: the stateless search does not follow";
    assert!(run.stdout.contains(words), "{}", run.stdout);
}

#[test]
fn what_needs_states_is_refused() {
    for option in [
        ["--no-reduction", ""],
        ["--exact", ""],
        ["--order", "depth"],
    ] {
        let mut args = vec![
            "explore",
            "tests/input/exchange.cu",
            "--engine",
            "stateless",
        ];
        args.extend(option.into_iter().filter(|word| !word.is_empty()));
        let run = run(&args);
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains("keeps no states"), "{}", run.stderr);
    }
}

/// Thread 1 waits at `__syncwarp` until thread 0 has ended, so that their writes are never next together; and
/// where thread 0 came first, it writes nothing, with the same memory in the end. The race is found, or nothing is
/// claimed.
#[test]
fn a_race_with_a_lane_that_has_ended_is_not_passed_over() {
    let subject = [
        "tests/input/ended_lane.cu",
        "--block=2",
        "--extent=a=1",
        "--extent=c=1",
        "--contents=c=zero",
    ];
    let profile = "--profile=tests/input/ended_lane.toml";
    let full = run(&[&["explore", profile][..], &subject].concat());
    assert_eq!(full.status, 1, "{}", full.stdout);
    assert!(full.stdout.contains("data-race"), "{}", full.stdout);
    let stateless = [&["explore", "--engine", "stateless"][..], &subject].concat();
    let stateless = run(&stateless);
    let words = "the stateless search does not follow `__syncwarp`";
    assert!(stateless.stdout.contains(words), "{}", stateless.stdout);
}
