//! Findings in the formats of other tools: SARIF, annotations of GitHub Actions.

use crate::sarif_schema;
use crate::tool::{run, run_in};
use serde_json::{Value, json};

/// A race and a read of memory that was never written, beside letters of two and of four bytes.
const KERNELS: &str = "__global__ void race(int *a) {\n    /* é😀 */ a[threadIdx.x / 2] = threadIdx.x;\n}\n\
__global__ void unset(int *a) {\n    __shared__ int s[64];\n    a[threadIdx.x] = s[threadIdx.x];\n}\n";

fn sarif(folder: &std::path::Path, arguments: &[&str]) -> (i32, Value) {
    let told = run_in(folder, &[arguments, &["--format", "sarif"]].concat());
    let log = told.json();
    sarif_schema::check(&log);
    (told.status, log)
}

#[test]
fn defects_are_results_with_both_sides_and_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k s.cu"), KERNELS).unwrap();
    let (status, log) = sarif(folder.path(), &["check", "k s.cu", "--block", "64"]);
    assert_eq!(status, 1);
    let run = &log["runs"][0];
    assert_eq!(run["properties"]["verdict"], "refuted");
    let results = run["results"].as_array().unwrap();
    let ids: Vec<&str> = results
        .iter()
        .filter_map(|r| r["ruleId"].as_str())
        .collect();
    assert_eq!(ids, ["data-race", "uninitialised-read"]);
    let race = &results[0];
    let place = &race["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"],
        json!({"uri": "k%20s.cu", "uriBaseId": "SRCROOT"})
    );
    // 17 bytes, 13 characters, 14 units of UTF-16 stand before it.
    assert_eq!(place["region"], json!({"startLine": 2, "startColumn": 15}));
    let text = race["message"]["text"].as_str().unwrap();
    assert!(text.contains("both write `a[0]`"), "{text}");
    assert_eq!(
        race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
        2
    );
    let flows = race["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 2, "{flows:?}");
    let mut orders: Vec<u64> = Vec::new();
    for flow in flows {
        for location in flow["locations"].as_array().unwrap() {
            orders.push(location["executionOrder"].as_u64().unwrap());
        }
    }
    orders.sort_unstable();
    assert_eq!(orders, [1, 2]);
}

/// Lines that are put in between change no fingerprint, another defect has another one.
#[test]
fn fingerprints_stay() {
    let folder = tempfile::tempdir().unwrap();
    let prints = |text: &str| {
        std::fs::write(folder.path().join("k.cu"), text).unwrap();
        let (_, log) = sarif(folder.path(), &["check", "k.cu", "--block", "64"]);
        let results = log["runs"][0]["results"].as_array().unwrap().clone();
        let print = |r: &Value| {
            r["partialFingerprints"]["gridlock/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        results.iter().map(print).collect::<Vec<String>>()
    };
    let before = prints(KERNELS);
    let moved = KERNELS.replace("__global__ void race", "// a line\n\n__global__ void race");
    assert_eq!(prints(&moved), before);
    assert_ne!(before[0], before[1]);
    let changed = prints(&KERNELS.replace("/ 2] =", "/ 4] ="));
    assert_ne!(changed[0], before[0]);
    assert_eq!(changed[1], before[1]);
}

#[test]
fn what_is_not_judged_is_a_notification() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("wrong.cu"),
        "__global__ void k(int *a) { a[0] = ; }\n",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("fine.cu"),
        "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n",
    )
    .unwrap();
    let (status, log) = sarif(folder.path(), &["check", "wrong.cu"]);
    assert_eq!(status, 2);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let note = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        note["locations"][0]["physicalLocation"]["region"]["startColumn"],
        36
    );
    // All files of a folder are one run.
    let (status, log) = sarif(folder.path(), &["check", ".", "--block", "64"]);
    assert_eq!(status, 2);
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    let (status, log) = sarif(
        folder.path(),
        &[
            "equiv",
            "fine.cu",
            "fine.cu",
            "--block",
            "64",
            "--require",
            "schedules",
        ],
    );
    assert_eq!(status, 0, "{log}");
    assert_eq!(log["runs"][0]["results"], json!([]));
}

#[test]
fn annotations() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), KERNELS).unwrap();
    let told = run_in(
        folder.path(),
        &["check", "k.cu", "--block", "64", "--format", "github"],
    );
    assert_eq!(told.status, 1);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", told.stdout);
    assert!(
        lines[0].starts_with("::error file=k.cu,line=2,col=18,title=data-race in race::"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("::error file=k.cu,line=6,"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[2], "gridlock: refuted under profile cuda");
    let of_folder = run_in(
        folder.path(),
        &["check", ".", "--block", "64", "--format", "github"],
    );
    assert!(
        of_folder.stdout.contains("::error file=./k.cu,line=2"),
        "{}",
        of_folder.stdout
    );
    let missing = run_in(folder.path(), &["check", "no.cu", "--format", "github"]);
    assert_eq!(missing.status, 2);
    assert!(
        missing
            .stdout
            .starts_with("::error file=no.cu,title=gridlock%3A file::"),
        "{}",
        missing.stdout
    );
}

#[test]
fn other_commands_give_no_findings() {
    for format in ["sarif", "github"] {
        let told = run(&["profiles", "--format", format]);
        assert_eq!(told.status, 2);
        assert!(told.stdout.contains("gives no findings"), "{}", told.stdout);
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for (shell, part) in [
        ("bash", "complete -F _gridlock"),
        ("zsh", "#compdef gridlock"),
        ("fish", "complete -c gridlock"),
    ] {
        let told = run(&["completions", shell]);
        assert_eq!(told.status, 0);
        assert!(told.stdout.contains(part), "{shell}");
        assert!(told.stdout.contains("explain-conditions"), "{shell}");
    }
    assert_eq!(run(&["completions", "no-shell"]).status, 2);
    let page = run(&["man", "check"]).stdout;
    for part in [
        ".TH gridlock-check 1",
        "\\-\\-explain\\-conditions",
        "gridlock check kernel.cu",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(run(&["man"]).stdout.contains(".TH gridlock 1"));
    let unknown = run(&["man", "chek"]);
    assert_eq!(unknown.status, 2);
    let folder = tempfile::tempdir().unwrap();
    let all = run_in(folder.path(), &["man", "--out", "man1"]);
    assert_eq!(all.status, 0, "{}", all.stderr);
    let n = std::fs::read_dir(folder.path().join("man1"))
        .unwrap()
        .count();
    assert!(n > 15, "{n} pages");
    assert!(folder.path().join("man1/gridlock-equiv.1").is_file());
}

/// Each stage of long work is told: what is read, what is proved, what is run.
#[test]
fn stages_are_told() {
    let told = run(&["check", "tests/input/race.cu", "--block", "2", "-v"]);
    for part in [
        "reading tests/input/race.cu",
        "proving ",
        ": races",
        "running ",
    ] {
        assert!(told.stderr.contains(part), "no {part} in {}", told.stderr);
    }
    assert!(!told.stderr.contains("query 1"), "a step is a detail");
    assert!(
        run(&["check", "tests/input/race.cu", "--block", "2", "-vv"])
            .stderr
            .contains("query 1")
    );
    let with_text = run(&[
        "check",
        "tests/input/race.cu",
        "--block",
        "2",
        "--format",
        "json",
        "--with-text",
    ]);
    let text = with_text.json()["text"].as_str().unwrap().to_owned();
    assert!(text.contains("Verdict: refuted"), "{text}");
    let error = run(&["check", "no.cu", "--format", "json", "--with-text"]).json();
    assert!(
        error["text"]
            .as_str()
            .unwrap()
            .starts_with("no.cu: cannot read"),
        "{error}"
    );
}
