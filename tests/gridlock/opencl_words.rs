//! Reports of OpenCL C are in OpenCL's words; JSON has the same names for both languages.

use crate::tool::run;

const KERNEL: &str = "tests/input/swap_halves.cl";

#[test]
fn a_report_and_a_replay_speak_of_work_items() {
    let dir = tempfile::tempdir().unwrap();
    let witness = dir.path().join("w.json").display().to_string();
    let at = [KERNEL, "--grid", "2", "--block", "8"];
    let save = ["--save-witness", &witness, "--property", "divergence"];
    let report = run(&[&["check"], &at[..], &save[..]].concat());
    assert_eq!(report.status, 1, "{}", report.stderr);
    let shown = report.stdout.replace(&witness, "w.json");
    let until = shown.find("Profile opencl").unwrap();
    insta::assert_snapshot!(&shown[..until]);
    let replay = run(&["replay", &witness, "--print"]);
    assert_eq!(replay.status, 0, "{}", replay.stderr);
    let until = replay.stdout.find("Profile opencl").unwrap();
    let (start, rest) = replay.stdout.split_at(until);
    let end = rest.find("\n\n").unwrap();
    insta::assert_snapshot!(format!("{start}…{}", &rest[end..]));
}

#[test]
fn an_exploration_speaks_of_work_items() {
    let explored = run(&["explore", KERNEL, "--grid", "1", "--block", "8"]);
    assert!(
        explored.stdout.contains("work-item (0,0,0)"),
        "{}",
        explored.stdout
    );
    assert!(!explored.stdout.contains("thread ("), "{}", explored.stdout);
}

/// The names of a contract are no words of a report.
#[test]
fn json_keeps_its_names() {
    let at = [
        "check", KERNEL, "--grid", "2", "--block", "8", "--format", "json",
    ];
    let report = run(&at);
    let defects = &report.json()["defects"];
    assert!(
        defects[0]["message"].as_str().unwrap().contains("thread"),
        "{defects}"
    );
    assert!(!report.stdout.contains("work-item"), "{}", report.stdout);
}

/// CUDA's words are CUDA's.
#[test]
fn cuda_has_threads() {
    let report = run(&[
        "check",
        "tests/input/race.cu",
        "--grid",
        "1",
        "--block",
        "4",
    ]);
    assert!(
        report.stdout.contains("thread (0,0,0)"),
        "{}",
        report.stdout
    );
    assert!(!report.stdout.contains("work-"), "{}", report.stdout);
}
