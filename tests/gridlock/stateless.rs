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
