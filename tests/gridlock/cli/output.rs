//! What is printed: results, colours, places, assumptions, and warnings about files that cannot be written.

use super::FILL;
use crate::tool::run;
use serde_json::json;

#[test]
fn help_and_version_are_results() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"]] {
        let shown = run(arguments);
        assert_eq!(shown.status, 0);
        assert!(!shown.stdout.is_empty());
        assert_eq!(shown.stderr, "");
    }
    let all = run(&["--help"]).stdout;
    for command in [
        "check", "equiv", "verify", "explore", "prove", "offload", "rewrite", "lower", "diff",
        "replay", "trace", "profiles", "devices", "suite",
    ] {
        assert!(all.contains(&format!("\n  {command}")), "{command}: {all}");
    }
    assert!(!all.contains("device-runner"), "{all}");
}

#[test]
fn text_has_no_colours_unless_asked() {
    let arguments = ["check", "tests/input/race.cu", "--block", "2"];
    let plain = run(&arguments);
    assert!(!plain.stdout.contains('\x1b'));
    let coloured = run(&[&arguments[..], &["--color", "always"]].concat());
    assert!(coloured.stdout.contains('\x1b'));
}

#[test]
fn a_race_is_refuted_with_both_sides_and_a_way_to_replay_it() {
    let arguments = ["check", "tests/input/race.cu", "--block", "2"];
    let text = run(&arguments);
    assert_eq!(text.status, 1, "{}", text.stderr);
    for part in [
        "data-race",
        "thread (0,0,0) of block (0,0,0) writes here",
        "thread (1,0,0) of block (0,0,0) writes here",
        "a[0] = threadIdx.x;",
        "--save-witness",
    ] {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    let report = run(&[&arguments[..], &["--format", "json"]].concat()).json();
    let defect = &report["defects"][0];
    assert_eq!(defect["kind"], "data-race");
    assert_eq!(defect["array"], "a");
    assert_eq!(defect["index"], 0);
    assert_eq!(defect["confirmed"], true);
    for access in defect["accesses"].as_array().unwrap() {
        assert_eq!(access["line"], 3);
        assert_eq!(access["file"], "tests/input/race.cu");
        assert_eq!(access["mode"], "write");
    }
}

#[test]
fn a_state_graph_for_graphviz() {
    let dir = tempfile::tempdir().unwrap();
    let dot = dir.path().join("states.dot").display().to_string();
    run(&["explore", FILL, "--block", "2", "--dot", &dot]);
    let text = std::fs::read_to_string(dot).unwrap();
    assert!(text.starts_with("digraph"), "{text}");
}

/// A checkpoint, a graph, a page or a witness that cannot be written costs no report.
#[test]
fn files_that_cannot_be_written_cost_no_report() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = dir.path().join("nowhere/file");
    let nowhere = nowhere.to_str().unwrap();
    let cut = [
        "explore",
        FILL,
        "--block",
        "4",
        "--extent",
        "a=4",
        "--limit-states",
        "3",
        "--no-reduction",
    ];
    let whole = ["explore", FILL, "--block", "2"];
    let refuted = ["check", "tests/input/race.cu", "--block", "2"];
    let cases: [(&[&str], &str, &str, i32); 5] = [
        (&cut, "--checkpoint", "limit reached: ", 2),
        (&whole, "--dot", "every schedule: ", 2),
        (&whole, "--html", "every schedule: ", 2),
        (&refuted, "--save-witness", "Verdict: refuted", 1),
        (&refuted, "--witness-dir", "Verdict: refuted", 1),
    ];
    // A folder cannot be made where a file is.
    std::fs::write(dir.path().join("nowhere"), "").unwrap();
    for (command, option, said, status) in cases {
        let arguments = [command, &[option, nowhere]].concat();
        let text = run(&arguments);
        assert_eq!(
            text.status, status,
            "{arguments:?} {}{}",
            text.stdout, text.stderr
        );
        assert!(text.stdout.contains(said), "{arguments:?} {}", text.stdout);
        let warning = format!("warning: {nowhere}: cannot write: ");
        assert!(
            text.stderr.starts_with(&warning),
            "{arguments:?} {}",
            text.stderr
        );
        let json = run(&[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(json.status, status);
        let report = json.json();
        assert_eq!(report["warnings"][0]["kind"], "file", "{report:#}");
        assert_eq!(report["warnings"][0]["file"], nowhere);
        assert!(report["error"].is_null());
    }
    // Written, nothing is said.
    let there = dir.path().join("cut.search");
    let there = there.to_str().unwrap();
    let kept = run(&[&cut[..], &["--checkpoint", there, "--format", "json"]].concat());
    assert_eq!(kept.status, 3, "{}", kept.stderr);
    assert!(kept.json()["warnings"].is_null());
}

/// What a header comment defines is said by every command that takes it.
#[test]
fn what_a_header_defines_is_said_by_every_command() {
    let text = "//pass\n//--blockDim=4 --gridDim=1 -DN=3\n\
                __global__ void k(int *a) { a[threadIdx.x] = N; }\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cu");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let said = "the header comment defines N=3, as the option -D would";
    for command in ["check", "prove", "explore"] {
        let text = run(&[command, file]).stdout;
        assert!(text.contains(said), "{command}: {text}");
        let json = run(&[command, file, "--format", "json"]).json();
        let assumptions = json["assumptions"].as_array().unwrap();
        assert!(assumptions.contains(&said.into()), "{command}: {json:#}");
    }
    let launch = ["--grid", "1", "--block", "4"];
    let text = run(&[&["equiv", file, file][..], &launch].concat()).stdout;
    assert!(text.contains(said), "{text}");
    let suite = ["suite", folder.path().to_str().unwrap()];
    let text = run(&suite).stdout;
    assert!(text.contains("k.cu: its header defines N=3"), "{text}");
    let json = run(&[&suite[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["rows"][0]["defines"], json!(["N=3"]), "{json:#}");
}
