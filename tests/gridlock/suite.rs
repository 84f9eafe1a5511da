//! `gridlock suite`: what its rows come to, its baseline, and files that take too long.

use crate::tool::{check_error, run};
use serde_json::json;

#[test]
fn a_suite_tells_agreement_from_disagreement_and_refuses_what_is_not_labelled() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    let kernel = "__global__ void k(int *a)\n{\n    a[0] = threadIdx.x;\n}\n";
    let write = |header: &str| {
        std::fs::write(dir.path().join("k.cu"), format!("{header}\n{kernel}")).unwrap();
    };
    check_error(&["suite", &folder], "file", None, "no .cu");
    write("");
    let refused = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stdout.contains("no header"), "{}", refused.stdout);

    write("//xfail:BOOGIE_ERROR\n//--blockDim=2 --gridDim=1");
    std::fs::write(dir.path().join("other.cu"), kernel).unwrap();
    let beside = run(&["suite", &folder]);
    assert_eq!(beside.status, 0, "{}{}", beside.stdout, beside.stderr);
    let named = "1 file without a header, not judged: other.cu";
    assert!(beside.stdout.contains(named), "{}", beside.stdout);
    let beside = run(&["suite", &folder, "--format", "json"]).json();
    assert_eq!(beside["unlabelled"].as_array().map(Vec::len), Some(1));
    // What is begun and not finished is a mistake.
    let begun = format!("// gridlock: block = 2\n{kernel}");
    std::fs::write(dir.path().join("other.cu"), begun).unwrap();
    let mistaken = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(mistaken.status, 1, "{}", mistaken.stdout);
    let rows = mistaken.json()["rows"].clone();
    assert_eq!(
        (&rows[0]["agrees"], &rows[1]["agrees"], &rows[1]["verdict"]),
        (&json!(true), &json!(false), &json!("error"))
    );
    let unknown = format!(
        "// gridlock: verdict = passed\n// gridlock: why = x\n// gridlock: profile = none\n{kernel}"
    );
    std::fs::write(dir.path().join("other.cu"), unknown).unwrap();
    let mistaken = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(mistaken.status, 1, "{}", mistaken.stdout);
    assert_eq!(mistaken.json()["rows"][1]["verdict"], "error");
    // Nothing but mistakes is no reason to stop either.
    std::fs::remove_file(dir.path().join("k.cu")).unwrap();
    let mistaken = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(mistaken.status, 1, "{}{}", mistaken.stdout, mistaken.stderr);
    assert_eq!(mistaken.json()["rows"].as_array().map(Vec::len), Some(1));
    write("//xfail:BOOGIE_ERROR\n//--blockDim=2 --gridDim=1");
    std::fs::remove_file(dir.path().join("other.cu")).unwrap();
    let agrees = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(agrees.status, 0, "{}{}", agrees.stdout, agrees.stderr);
    let row = agrees.json()["rows"][0].clone();
    assert_eq!(row["verdict"], "refuted");
    assert_eq!(row["kind"], "data-race");
    assert_eq!(row["agrees"], true);

    write("//pass\n//--blockDim=2 --gridDim=1");
    let differs = run(&["suite", &folder]);
    assert_eq!(differs.status, 1, "{}", differs.stdout);
    assert!(
        differs.stdout.contains("0 of 1 as expected"),
        "{}",
        differs.stdout
    );

    write(
        "// gridlock: verdict = refuted\n// gridlock: kind = out-of-bounds\n\
         // gridlock: block = 2\n// gridlock: why = it is not",
    );
    assert_eq!(run(&["suite", &folder]).status, 1);
}

#[test]
fn a_suite_counts_what_its_rows_come_to_and_compares_with_a_baseline() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    let write = |name: &str, header: &str, body: &str| {
        let text = format!(
            "{header}\n//--blockDim=2 --gridDim=1\n\n__global__ void k(int *a)\n{{\n    {body}\n}}\n"
        );
        std::fs::write(dir.path().join(name), text).unwrap();
    };
    let racy = "a[0] = threadIdx.x;";
    let right = "a[threadIdx.x] = 1;";
    write("1-agrees.cu", "//pass", right);
    write("2-wrong-proof.cu", "//xfail:BOOGIE_ERROR", right);
    write("3-false-alarm.cu", "//pass", racy);
    let null = "//xfail:BOOGIE_ERROR\n//--blockDim=2 --gridDim=1\n//possible null pointer access";
    write("4-other-defect.cu", null, racy);
    write("5-unsupported.cu", "//pass", "new int;");
    write("6-error.cu", "//pass", "a[threadIdx.x] = ;");
    let first = run(&["suite", &folder, "--format", "json"]);
    assert_eq!(first.status, 1);
    let report = first.json();
    let rows = report["rows"].as_array().unwrap();
    let outcomes: Vec<&str> = rows
        .iter()
        .map(|r| r["outcome"].as_str().unwrap())
        .collect();
    let expected = [
        "agrees",
        "wrong-proof",
        "false-alarm",
        "other-defect",
        "unsupported",
        "error",
    ];
    assert_eq!(outcomes, expected, "{}", first.stdout);
    let totals = &report["totals"];
    assert!(expected.iter().all(|name| totals["outcomes"][name] == 1));
    assert_eq!(totals["outcomes"]["crash"], 0);
    assert_eq!(totals["unsupported"].as_object().map(|o| o.len()), Some(1));

    // As it was is good enough; what was right and is not any more is not.
    let baseline = dir.path().join("baseline.json").display().to_string();
    std::fs::write(&baseline, &first.stdout).unwrap();
    let again = ["suite", &folder, "--baseline", &baseline];
    let same = run(&again);
    assert_eq!(same.status, 0, "{}", same.stdout);
    assert!(same.stdout.contains("0 worse than in the baseline"));
    write("1-agrees.cu", "//pass", racy);
    let worse = run(&again);
    assert_eq!(worse.status, 1, "{}", worse.stdout);
    assert!(
        worse.stdout.contains("1 worse than in the baseline"),
        "{}",
        worse.stdout
    );
    assert!(
        worse.stdout.contains("1-agrees.cu (cuda): it agreed"),
        "{}",
        worse.stdout
    );
    std::fs::remove_file(dir.path().join("1-agrees.cu")).unwrap();
    let gone = run(&again);
    assert_eq!(gone.status, 1);
    assert!(
        gone.stdout.contains("not judged any more"),
        "{}",
        gone.stdout
    );

    check_error(
        &[again.as_slice(), &["--file-seconds", "0"]].concat(),
        "usage",
        None,
        "above 0",
    );
    std::fs::write(&baseline, "{}").unwrap();
    let refused = run(&again);
    assert_eq!(refused.status, 2, "{}", refused.stdout);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(
        said.contains("baseline.json:1:2") && said.contains("no report"),
        "{said}"
    );
}

/// A file that takes all the time there is stops nobody else.
#[test]
fn a_file_of_a_suite_is_stopped_at_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let kernel = "//pass\n//--blockDim=2 --gridDim=1\n\n__global__ void k(int *a)\n{\n    a[threadIdx.x] = 1;\n}\n";
    std::fs::write(dir.path().join("k.cu"), kernel).unwrap();
    let folder = dir.path().display().to_string();
    let stopped = run(&[
        "suite",
        &folder,
        "--file-seconds",
        "0.001",
        "--format",
        "json",
    ]);
    let row = stopped.json()["rows"][0].clone();
    assert_eq!(
        (&row["verdict"], &row["outcome"]),
        (&json!("unknown"), &json!("undecided"))
    );
    assert!(
        row["disagreement"]
            .as_str()
            .unwrap()
            .contains("stopped after")
    );
}

/// The tester of GPUVerify's suite reads fixed lines, tolerates writes of the same value, and its options mean
/// something: what cannot be followed is refused.
#[test]
fn headers_of_gpuverify_are_read_as_its_tester_does() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    std::fs::create_dir(dir.path().join("own")).unwrap();
    std::fs::write(dir.path().join("own/width.h"), "#define OWN WIDTH\n").unwrap();
    let write = |name: &str, header: &str, body: &str| {
        let text = format!("{header}\n\n__global__ void k(int *a)\n{{\n    {body}\n}}\n");
        std::fs::write(dir.path().join(name), text).unwrap();
    };
    let same = "a[0] = 1;";
    let launch = "//--blockDim=2 --gridDim=1";
    write(
        "1-upper.cu",
        &format!("//PASS\n{launch}"),
        "a[threadIdx.x] = 1;",
    );
    write("2-same-value.cu", &format!("//pass\n{launch}"), same);
    write(
        "3-not-tolerated.cu",
        &format!("//xfail:NOT_ALL_VERIFIED\n{launch} --no-benign-tolerance"),
        same,
    );
    write(
        "4-offset.cu",
        &format!("//pass\n{launch} --global_offset=64"),
        same,
    );
    write(
        "5-folder.cu",
        &format!("//pass\n{launch} -DWIDTH=3 -I${{KERNEL_DIR}}/own\n\n#include \"width.h\""),
        "__assert(OWN == 3); a[threadIdx.x] = 1;",
    );
    write(
        "6-line-3.cu",
        "//pass\n//\n//--blockDim=2 --gridDim=1",
        "a[threadIdx.x] = blockIdx.x;",
    );
    write("7-line-2.cu", "// A story.\n//pass", same);
    write(
        "8-different.cu",
        &format!("//pass\n{launch}"),
        "a[0] = threadIdx.x;",
    );
    let report = run(&["suite", &folder, "--format", "json"]).json();
    let row = |number: usize| {
        let row = &report["rows"][number - 1];
        let file = row["file"].as_str().unwrap();
        assert!(file.contains(&format!("/{number}-")), "{row}");
        (
            row["outcome"].as_str().unwrap().to_owned(),
            row["disagreement"].to_string(),
        )
    };
    for number in [1, 2, 3, 5] {
        assert_eq!(row(number).0, "agrees", "{:?}", row(number));
    }
    assert_eq!(row(4).0, "error");
    assert!(row(4).1.contains("global_offset=64"), "{:?}", row(4));
    // No launch is on line 3: it is judged at the launches the tool chooses, where blocks differ, if there are several.
    assert_eq!(row(6).0, "undecided", "{:?}", row(6));
    assert!(row(6).1.contains("gridDim.x == 1"), "{:?}", row(6));
    assert_eq!(row(7).0, "error");
    assert!(row(7).1.contains("line 1"), "{:?}", row(7));
    assert_eq!(row(8).0, "false-alarm", "{:?}", row(8));
    // `check` obeys the same header, and says which macro it took from there.
    let file = dir.path().join("5-folder.cu").display().to_string();
    let checked = run(&["check", &file]);
    assert_eq!(checked.status, 0, "{}{}", checked.stdout, checked.stderr);
    assert!(
        checked.stdout.contains("defines WIDTH=3"),
        "{}",
        checked.stdout
    );
    let other = run(&["check", &file, "-D", "WIDTH=4"]);
    assert_eq!(other.status, 1, "{}", other.stdout);
    assert!(!other.stdout.contains("defines WIDTH"), "{}", other.stdout);
    // What the command line defines goes before the header, and is said.
    let one = dir.path().join("one");
    std::fs::create_dir(&one).unwrap();
    std::fs::copy(dir.path().join("1-upper.cu"), one.join("1-upper.cu")).unwrap();
    let one = one.display().to_string();
    let defined = run(&["suite", &one, "-D", "WIDTH=4", "-D", "OTHER"]);
    let said = "read with -D WIDTH=4 -D OTHER\n";
    assert!(defined.stdout.contains(said), "{}", defined.stdout);
    let defined = run(&["suite", &one, "-D", "WIDTH=4", "--format", "json"]);
    let defined: serde_json::Value = serde_json::from_str(&defined.stdout).unwrap();
    assert_eq!(defined["defines"], serde_json::json!(["WIDTH=4"]));
    let file = dir.path().join("4-offset.cu").display().to_string();
    check_error(
        &["check", &file],
        "unsupported",
        Some((&file, 0, 0)),
        "global_offset",
    );
}
