//! What `explore` says of a machine that does more than interleaving shows, and of races that one run
//! for each outcome does not show.

use crate::tool::run;
use serde_json::{Value, json};

fn explore(file: &str, launch: [&str; 4], more: &[&str]) -> crate::tool::Run {
    run(&[&["explore", file][..], &launch, more].concat())
}

const TWO_BLOCKS: [&str; 4] = ["--grid", "2", "--block", "1"];
const FLAG: [&str; 2] = ["--contents", "flag=zero"];

#[test]
fn the_fences_that_lack_are_named() {
    let asked = |file, more: &[&str]| explore(file, TWO_BLOCKS, &[&FLAG[..], more].concat());
    let lacking = asked("tests/input/unfenced.cu", &["--format", "json"]).json();
    let reasons = lacking["weak_memory"].as_array().expect("a list").clone();
    let expected = "only atomics order the access at line 4 and the one at line 7; add a \
        `__threadfence()` before the atomic at line 5 and after the atomic at line 6";
    assert_eq!(reasons, [json!(expected)]);
    assert_eq!(lacking["complete"], true);
    let text = asked("tests/input/unfenced.cu", &[]).stdout;
    assert!(text.contains("(weak memory)"), "{text}");
    assert!(
        text.contains("only atomics order the access at line 4"),
        "{text}"
    );

    let fenced = asked("tests/input/fenced.cu", &["--format", "json"]).json();
    assert_eq!(fenced["weak_memory"], json!([]));
    let text = asked("tests/input/fenced.cu", &[]).stdout;
    assert!(!text.contains("weak memory"), "{text}");
}

/// The reader may come second; whichever way, the contents at the end are the same.
#[test]
fn a_race_in_one_of_two_schedules_with_one_outcome_is_shown() {
    let launch = ["--grid", "1", "--block", "2"];
    let more = ["--contents", "count=zero", "--format", "json"];
    let found = |file, status| {
        let run = explore(file, launch, &more);
        assert_eq!(run.status, status, "{}", run.stderr);
        run.json()
    };
    let racy: Value = found("tests/input/reader-returns.cu", 1);
    assert_eq!(racy["outcomes"].as_array().map(Vec::len), Some(1));
    let defects = racy["defects"].as_array().expect("a list");
    assert_eq!(defects.len(), 1, "{racy:#}");
    assert_eq!(defects[0]["kind"], "data-race");
    let lines: Vec<&Value> = (defects[0]["accesses"].as_array().expect("two").iter())
        .map(|access| &access["line"])
        .collect();
    assert_eq!(lines, [&json!(7), &json!(11)]);

    let ordered = found("tests/input/reader-meets.cu", 0);
    assert_eq!(ordered["defects"], json!([]));
    assert_eq!(ordered["weak_memory"], json!([]));
}
