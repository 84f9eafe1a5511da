//! Where a defect is known, it is shown: contents of arrays as the solver's model has them or within what
//! they index, and what a refutation hangs on. Every kernel stands beside one that is right.

use crate::tool::run;
use gridlock_generation::effort;
use serde_json::Value;

const FOLDER: &str = "tests/shown";

/// A short run judges one file in so many where a test has several.
const SHARE: usize = 5;

fn judged(file: &str, options: &[&str]) -> Value {
    let path = format!("{FOLDER}/{file}");
    // What excludes a defect is in its grades.
    let mut arguments = vec![
        "check",
        path.as_str(),
        "--format",
        "json",
        "--no-conditions",
    ];
    arguments.extend(options);
    run(&arguments).json()
}

/// The verdict on one property.
fn verdict<'a>(report: &'a Value, property: &str) -> &'a str {
    let results = report["properties"].as_array().unwrap();
    let of = results.iter().find(|p| p["kind"] == property);
    of.and_then(|p| p["verdict"].as_str()).unwrap_or("none")
}

fn first_defect<'a>(report: &'a Value, kind: &str) -> &'a Value {
    let defects = report["defects"].as_array().unwrap();
    let found = defects.iter().find(|d| d["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind}: {report:#}"))
}

/// Races of two kernels: one in which two threads may be sent to one place, and one in which they are
/// not. With proofs (the model says what the index array holds) and without (a sample does).
fn check_races(broken: &str, right: &str, options: &[&str]) {
    if !effort::is_next_done(SHARE) {
        return;
    }
    for proof in [true, false] {
        let mut options = options.to_vec();
        options.extend((!proof).then_some("--no-proof"));
        let report = judged(broken, &options);
        assert_eq!(verdict(&report, "races"), "refuted", "{broken} {options:?}");
        let race = first_defect(&report, "data-race");
        assert_eq!(race["confirmed"], true, "{broken}");
        let report = judged(right, &options);
        let races = verdict(&report, "races");
        match proof {
            true => assert_eq!(races, "proved", "{right} {options:?}: {report:#}"),
            false => assert_ne!(races, "refuted", "{right} {options:?}: {report:#}"),
        }
    }
}

#[test]
fn a_scatter_races_and_a_gather_does_not() {
    check_races("scatter.cu", "gather.cu", &[]);
    check_races("bins.cu", "bins-atomic.cu", &[]);
    check_races("rows.cu", "rows-summed.cu", &[]);
    if !effort::is_next_done(SHARE) {
        return;
    }
    let with_extents = ["--extent", "out=n", "--arg", "n=40"];
    let report = judged("scatter.cu", &with_extents);
    assert_eq!(verdict(&report, "races"), "refuted", "{report:#}");
}

#[test]
fn indices_in_memory_that_the_kernel_writes() {
    let report = judged("scatter-written.cu", &[]);
    assert_eq!(verdict(&report, "races"), "refuted", "{report:#}");
    let report = judged("scatter-written-atomically.cu", &[]);
    assert_eq!(verdict(&report, "races"), "proved", "{report:#}");
}

/// What is assumed of contents is met: a property is not left open because no sample meets it.
#[test]
fn assumptions_about_contents_are_met() {
    let report = judged("scatter-of-tens.cu", &[]);
    let race = first_defect(&report, "data-race");
    assert!(race["index"].as_i64().unwrap() >= 1000, "{race:#}");
    let report = judged("scatter-of-its-own.cu", &[]);
    assert_eq!(verdict(&report, "races"), "proved", "{report:#}");
    // Samples are made to meet them, too.
    let report = judged("scatter-of-tens.cu", &["--no-proof"]);
    assert_eq!(verdict(&report, "races"), "refuted", "{report:#}");
    let report = judged("scatter-of-its-own.cu", &["--no-proof"]);
    assert_eq!(verdict(&report, "races"), "passed", "{report:#}");
}

/// A number of a pass may well be -1; a pitch of -1 is out of the ordinary, refutes nothing, and is not
/// passed over either.
#[test]
fn small_negative_arguments_are_tried() {
    for options in [&[][..], &["--no-proof"]] {
        if !effort::is_next_done(2) {
            continue;
        }
        let report = judged("pass.cu", options);
        let defect = first_defect(&report, "out-of-bounds");
        assert!(defect["index"].as_i64().unwrap() < 0, "{defect:#}");
        assert_eq!(defect["only_if"], "pass >= 0");
        let report = judged("pass-bounded.cu", options);
        assert!(
            ["proved", "passed"].contains(&verdict(&report, "bounds")),
            "{report:#}"
        );

        let report = judged("pitch.cu", options);
        assert_eq!(verdict(&report, "bounds"), "unknown", "{report:#}");
        assert_eq!(report["defects"].as_array().unwrap().len(), 0);
        let condition = &report["conditions"][0];
        assert!(
            condition["launch"].as_str().unwrap().contains("pitch = -"),
            "{condition:#}"
        );
        assert_eq!(condition["defect"]["kind"], "out-of-bounds");
        assert_eq!(condition["defect"]["confirmed"], true);
        let report = judged("pitch-unsigned.cu", options);
        assert!(
            ["proved", "passed"].contains(&verdict(&report, "bounds")),
            "{report:#}"
        );
        assert_eq!(report["conditions"].as_array().unwrap().len(), 0);
    }
}

/// Without any extent bounds are not judged, and an index below 0 is shown all the same: as a defect where
/// a proof finds that no argument matters, else as what the runs came to.
#[test]
fn an_index_before_the_first_element_is_shown() {
    for launch in [&[][..], &["--grid", "1", "--block", "64"]] {
        let report = judged("before-the-first.cu", launch);
        assert_eq!(report["verdict"], "refuted", "{report:#}");
        let defect = first_defect(&report, "out-of-bounds");
        assert_eq!(
            (&defect["index"], &defect["accesses"][0]["line"]),
            (&(-1).into(), &6.into())
        );
        let assumption = "pointer arguments point at the first elements of their memory";
        assert!(
            report["assumptions"]
                .as_array()
                .unwrap()
                .contains(&assumption.into())
        );
        let report = judged("not-before-the-first.cu", launch);
        assert_eq!(report["verdict"], "proved", "{report:#}");
        assert_eq!(verdict(&report, "bounds"), "none");

        let mut options = launch.to_vec();
        options.push("--no-proof");
        let report = judged("before-the-first.cu", &options);
        assert_eq!(report["verdict"], "unknown", "{report:#}");
        assert_eq!(report["conditions"][0]["defect"]["kind"], "out-of-bounds");
        assert_eq!(report["conditions"].as_array().unwrap().len(), 1);
        let report = judged("not-before-the-first.cu", &options);
        assert_eq!(report["conditions"].as_array().unwrap().len(), 0);
    }
}

/// The condition that the report names for a kind of defect, in JSON and in its first lines.
fn check_condition(file: &str, options: &[&str], kind: &str, condition: &str, requires: &str) {
    if !effort::is_next_done(SHARE) {
        return;
    }
    let report = judged(file, options);
    let defect = first_defect(&report, kind);
    assert_eq!(defect["only_if"], condition, "{file}: {defect:#}");
    assert_eq!(defect["requires"], requires, "{file}");
    assert_eq!(report["verdict"], "refuted", "{file}");
    let path = format!("{FOLDER}/{file}");
    let text = run(&[&["check", path.as_str(), "--no-conditions"], options].concat());
    assert_eq!(text.status, 1);
    let first: Vec<&str> = text.stdout.lines().take(7).collect();
    // It says how far that is known.
    let known = match defect["only_if_proved"].as_bool() {
        Some(true) => "(proved)".to_owned(),
        _ => format!(
            "(held at {} launches tried, not proved)",
            defect["only_if_held_at"]
        ),
    };
    let line = format!("  {kind}: none where {condition} {known}");
    assert!(first.contains(&line.as_str()), "{}", text.stdout);
    assert!(first.contains(&format!("    {requires}").as_str()));
    // Written into the kernel it excludes the defect, and is met.
    let source = std::fs::read_to_string(&path).unwrap();
    let (head, body) = source.split_once("\n{\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let assumed = folder.path().join(file);
    std::fs::write(&assumed, format!("{head}\n{{\n{requires}\n{body}")).unwrap();
    let assumed = assumed.to_str().unwrap();
    let report = run(&[&["check", assumed, "--format", "json"], options].concat()).json();
    assert!(
        report["defects"]
            .as_array()
            .unwrap()
            .iter()
            .all(|d| d["kind"] != kind)
    );
    assert_ne!(report["reason"], "vacuous", "{report:#}");
}

#[test]
fn what_a_refutation_hangs_on() {
    let cases: [(&str, &[&str], &str, &str, &str); 6] = [
        (
            "divided.cu",
            &[],
            "division-by-zero",
            "num != 0",
            "__requires(num != 0);",
        ),
        (
            "levels.cu",
            &[],
            "out-of-bounds",
            "ulevel <= 512",
            "__requires(ulevel <= 512);",
        ),
        (
            "one-atom.cu",
            &["--block", "64"],
            "data-race",
            "numatoms <= 1",
            "__requires(numatoms <= 1);",
        ),
        (
            "one-atom.cu",
            &[],
            "data-race",
            "numatoms <= 1 or blockDim.x == 1",
            "__requires(numatoms <= 1 || blockDim.x == 1);",
        ),
        (
            "all-threads.cu",
            &[],
            "assertion",
            "n == gridDim.x * blockDim.x",
            "__requires(n == (int)(gridDim.x * blockDim.x));",
        ),
        (
            "always.cu",
            &[],
            "data-race",
            "gridDim.x * blockDim.x == 1",
            "__requires(gridDim.x * blockDim.x == 1);",
        ),
    ];
    for (file, options, kind, condition, requires) in cases {
        check_condition(file, options, kind, condition, requires);
    }
    for right in [
        "divided-guarded.cu",
        "levels-bounded.cu",
        "one-each.cu",
        "always-one.cu",
    ] {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let report = judged(right, &[]);
        assert_ne!(report["verdict"], "refuted", "{right}");
    }
}

/// What holds at every small launch and fails elsewhere is not told: where a product wraps around, where an argument
/// is negative and an index below 0 hides the race.
#[test]
fn a_condition_that_fails_elsewhere_is_not_told() {
    for file in ["pitch-wraps.cu", "apart.cu"] {
        if !effort::is_next_done(2) {
            continue;
        }
        let report = judged(file, &[]);
        let race = first_defect(&report, "data-race");
        assert_eq!(race["only_if"], Value::Null, "{file}: {race:#}");
        assert_eq!(race["requires"], Value::Null, "{file}");
    }
}

/// A condition admits what is right: blocks as they are meant, whatever the grid, and rows that are short enough. It is
/// told how far it is known.
#[test]
fn a_condition_admits_what_is_right() {
    for (file, condition) in [
        (
            "stripes.cu",
            "n <= 512 or blockDim.x <= 512 or gridDim.x == 1",
        ),
        (
            "sums-of-columns.cu",
            "m <= 2048 or gridDim.y == 1 or gridDim.x * blockDim.x <= 2048",
        ),
    ] {
        if !effort::is_next_done(2) {
            continue;
        }
        let report = judged(file, &[]);
        let race = first_defect(&report, "data-race");
        assert_eq!(race["only_if"], condition, "{file}: {race:#}");
        let held_at = race["only_if_held_at"].as_u64().unwrap();
        assert!(held_at >= 100, "{file}: {held_at}");
        let text = run(&["check", &format!("{FOLDER}/{file}"), "--no-conditions"])
            .stdout
            .replace("\n  ", " ");
        let known =
            format!("none where {condition} (held at {held_at} launches tried, not proved)");
        assert!(text.contains(&known), "{text}");
    }
    if effort::is_done(1, SHARE) {
        let report = judged("levels.cu", &[]);
        let defect = first_defect(&report, "out-of-bounds");
        assert_eq!(defect["only_if_proved"], true, "{defect:#}");
    }
}

/// A pointer that is not aligned is found under its name, and writes of one value are told.
#[test]
fn alignment_and_equal_values_are_named() {
    let file = format!("{FOLDER}/misaligned.cu");
    let text = run(&["check", &file, "--no-conditions"]).stdout;
    let has = |line: &&str| line.trim_start().starts_with("alignment") && line.contains("refuted");
    assert!(text.lines().find(has).is_some(), "{text}");
    assert!(!text.contains("  assertions"), "{text}");
    let equal = "in this run both write the same value; whether they always do was not established";
    assert!(text.contains(equal), "{text}");
    let report = judged("misaligned.cu", &[]);
    let defects = report["defects"].as_array().unwrap();
    let is_equal = |defect: &Value| defect["explanation"]["same_value"] == true;
    assert!(defects.iter().any(is_equal), "{defects:#?}");
    let report = judged("stripes.cu", &[]);
    let race = first_defect(&report, "data-race");
    assert_eq!(race["explanation"]["same_value"], Value::Null, "{race:#}");
}

/// Nothing is named where nothing that may vary excludes it.
#[test]
fn a_defect_that_hangs_on_nothing() {
    let report = judged("always.cu", &["--block", "64"]);
    let race = first_defect(&report, "data-race");
    assert_eq!(race["only_if"], Value::Null, "{race:#}");
    assert_eq!(race["every_choice"], true, "{race:#}");
    let given = ["--block", "64", "--arg", "n=3"];
    let report = judged("always.cu", &given);
    let race = first_defect(&report, "data-race");
    assert_eq!(race["every_choice"], Value::Null, "{race:#}");
}

/// Grades of a race; whatever they are, it stays one.
fn check_grades(file: &str, benign: Option<&str>, reaches_output: Option<bool>) {
    if !effort::is_next_done(SHARE) {
        return;
    }
    let report = judged(file, &[]);
    assert_eq!(report["verdict"], "refuted", "{file}");
    let race = first_defect(&report, "data-race");
    assert_eq!(race["benign"].as_str(), benign, "{file}: {race:#}");
    let reaches = race["reaches_output"].as_bool();
    assert_eq!(reaches, reaches_output, "{file}: {race:#}");
    let text = run(&["check", &format!("{FOLDER}/{file}")]);
    assert_eq!(text.status, 1, "{file}");
    assert_eq!(text.stdout.contains("benign, same value"), benign.is_some());
}

#[test]
fn grades_change_no_verdict() {
    check_grades("flag.cu", Some("same-value"), Some(false));
    check_grades("flag-of-threads.cu", None, None);
    check_grades("flag-of-contents.cu", None, None);
    check_grades("unread.cu", None, Some(false));
    check_grades("unread-but-by-one.cu", None, None);
}

#[test]
fn the_tool_s_own_choice_is_told_apart() {
    let chosen = "the tool chose the arguments that were not given";
    let every = "every choice tried of the arguments that were not given shows it";
    for (file, is_choice) in [("divided.cu", true), ("always.cu", false)] {
        let kind = if is_choice {
            "division-by-zero"
        } else {
            "data-race"
        };
        let report = judged(file, &[]);
        let defect = first_defect(&report, kind);
        assert_eq!(defect["every_choice"], !is_choice, "{defect:#}");
        let text = run(&["check", &format!("{FOLDER}/{file}")]).stdout;
        let text = text.replace('\n', " ").replace("    ", " ");
        assert_eq!(text.contains(chosen), is_choice, "{text}");
        assert_eq!(text.contains(every), !is_choice, "{text}");
    }
}

/// A defect that shows only where an array holds what the kernel compares its elements with, without proofs and,
/// where they are of use, with them: its kind, and its line. The twin has none.
fn check_contents(broken: &str, right: &str, options: &[&str], kind: &str, line: u64) {
    let without_proof = [options, &["--no-proof"]].concat();
    for options in [options, &without_proof] {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let report = judged(broken, options);
        assert_eq!(report["verdict"], "refuted", "{broken} {options:?}");
        let defect = first_defect(&report, kind);
        assert_eq!(defect["confirmed"], true, "{broken}");
        let (place, message) = (format!("{broken}:{line}"), defect["message"].as_str());
        assert!(message.unwrap().contains(&place), "{broken}: {defect:#}");
        let report = judged(right, options);
        let verdict = report["verdict"].as_str().unwrap();
        assert!(
            ["proved", "passed"].contains(&verdict),
            "{right} {options:?}: {report:#}"
        );
    }
}

#[test]
fn contents_are_what_they_are_compared_with() {
    let tile = ["--block", "32", "--extent", "out=32"];
    let two = ["--block", "2"];
    check_contents("key-races.cu", "key-apart.cu", &[], "data-race", 6);
    check_contents(
        "copied-key-out.cu",
        "copied-key-in.cu",
        &tile,
        "out-of-bounds",
        10,
    );
    for broken in ["waits-on-contents.cu", "waits-for-contents.cu"] {
        check_contents(broken, "waits-on-a-thread.cu", &two, "livelock", 4);
    }
    check_contents("least-asserted.cu", "least-implied.cu", &[], "assertion", 6);
}

fn compared(old: &str, new: &str, options: &[&str]) -> Value {
    let [old, new] = [old, new].map(|file| format!("{FOLDER}/{file}"));
    let equiv = ["equiv", &old, &new, "--format", "json"];
    run(&[&equiv, options].concat()).json()
}

/// What either side compares its arguments and their contents with is tried on both.
#[test]
fn programs_that_differ_for_one_number_are_told_apart() {
    let four = ["--grid", "1", "--block", "4"];
    for options in [&four[..], &["--grid", "2", "--block", "32"]] {
        for (old, new) in [
            ("case-old.cu", "case-12345.cu"),
            ("case-12345.cu", "case-old.cu"),
            ("case-old.cu", "mode-1234.cu"),
            ("mode-1234.cu", "case-old.cu"),
        ] {
            if !effort::is_next_done(SHARE) {
                continue;
            }
            let report = compared(old, new, options);
            assert_eq!(verdict(&report, "equivalence"), "refuted", "{old} {new}");
            let difference = first_defect(&report, "not-equivalent");
            assert_eq!(difference["confirmed"], true, "{difference:#}");
            assert_eq!(difference["array"], "out", "{difference:#}");
        }
        let report = compared("case-old.cu", "case-of-none.cu", options);
        let found = verdict(&report, "equivalence");
        assert!(["passed", "proved"].contains(&found), "{report:#}");
    }
}

/// A witness with such contents is followed again.
#[test]
fn a_witness_has_the_contents_that_were_tried() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness.json").display().to_string();
    let file = format!("{FOLDER}/key-races.cu");
    let saved = ["--no-proof", "--save-witness", &witness];
    let judged = run(&[&["check", &file], &saved[..]].concat());
    assert_eq!(judged.status, 1, "{}", judged.stderr);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("12345"), "{text}");
    let again = run(&["replay", &witness]);
    assert_eq!(again.status, 0, "{}{}", again.stdout, again.stderr);
}

/// At launches of many threads, too.
#[test]
fn assumptions_about_contents_are_met_by_many_threads() {
    for launch in [&["--block", "128"][..], &["--grid", "4", "--block", "256"]] {
        for options in [launch, &[launch, &["--no-proof"]].concat()] {
            if !effort::is_next_done(SHARE) {
                continue;
            }
            let report = judged("requires-large.cu", options);
            let race = first_defect(&report, "data-race");
            assert!(race["index"].as_i64().unwrap() > 1000, "{race:#}");
            let report = judged("requires-large-apart.cu", options);
            let races = verdict(&report, "races");
            assert!(["proved", "passed"].contains(&races), "{report:#}");
        }
    }
}

/// Where many samples are asked for, arguments differ from each other in them.
#[test]
fn many_samples_have_arguments_that_differ() {
    let many = ["--grid", "1", "--block", "1", "--inputs", "random:1:20"];
    for other in ["difference-int.cu", "difference-float.cu"] {
        let report = compared("difference.cu", other, &many);
        assert_eq!(
            verdict(&report, "equivalence"),
            "refuted",
            "{other}: {report:#}"
        );
    }
    let sampled = [&many[..], &["--no-proof"]].concat();
    let report = compared("difference.cu", "difference.cu", &sampled);
    assert_eq!(verdict(&report, "equivalence"), "passed", "{report:#}");
}

/// The line a defect of a kind stands at, which a replay has shown.
fn line_of(report: &Value, kind: &str) -> u64 {
    let defect = first_defect(report, kind);
    assert_eq!(defect["confirmed"], true, "{defect:#}");
    let sites = ["accesses", "threads"].map(|sites| defect[sites][0]["line"].as_u64());
    sites.into_iter().flatten().next().unwrap()
}

/// No defect hides those of other properties where some run shows them: each has a row that is refuted, and
/// its place.
#[test]
fn no_defect_hides_another() {
    let launch = ["--block", "32"];
    let report = judged("behind-unset.cu", &launch);
    for (property, kind) in [
        ("uninitialised-reads", "uninitialised-read"),
        ("bounds", "out-of-bounds"),
    ] {
        assert_eq!(verdict(&report, property), "refuted", "{report:#}");
        assert_eq!(line_of(&report, kind), 7);
    }
    let beyond = first_defect(&report, "out-of-bounds");
    assert!(beyond["index"].as_i64().unwrap() >= 8, "{beyond:#}");
    let report = judged("behind-unset-set.cu", &launch);
    assert_eq!(report["verdict"], "proved", "{report:#}");

    for options in [&["--block", "16"][..], &[]] {
        let report = judged("behind-bounds.cu", options);
        for (property, kind, line) in [
            ("bounds", "out-of-bounds", 7),
            ("assertions", "assertion", 8),
            ("arithmetic", "division-by-zero", 9),
            ("divergence", "bad-warp-mask", 10),
            ("races", "data-race", 11),
        ] {
            assert_eq!(
                verdict(&report, property),
                "refuted",
                "{options:?}: {report:#}"
            );
            assert_eq!(line_of(&report, kind), line, "{options:?}");
        }
    }
    let report = judged("behind-bounds-right.cu", &["--block", "16"]);
    assert_eq!(report["verdict"], "proved", "{report:#}");
}

/// A read that comes before the other thread's write ends its run; the same read after it races.
#[test]
fn an_early_read_does_not_hide_its_race() {
    let report = judged("unset-or-race.cu", &["--block", "2"]);
    for (property, kind) in [
        ("uninitialised-reads", "uninitialised-read"),
        ("races", "data-race"),
    ] {
        assert_eq!(verdict(&report, property), "refuted", "{report:#}");
        assert!([4, 5].contains(&line_of(&report, kind)));
    }
    let report = judged("unset-or-race-right.cu", &["--block", "2"]);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    assert_eq!(verdict(&report, "races"), "proved", "{report:#}");
}

/// What no run comes to is not refuted: a thread's own defect is before it.
#[test]
fn what_lies_behind_a_threads_own_defect_is_open() {
    let report = judged("behind-its-own.cu", &["--block", "16"]);
    assert_eq!(verdict(&report, "bounds"), "refuted", "{report:#}");
    assert_eq!(verdict(&report, "arithmetic"), "unknown", "{report:#}");
    assert_eq!(verdict(&report, "races"), "proved", "{report:#}");
}

/// Threads that cycle for ever race in their first rounds, and a limit of steps does not keep that from
/// being shown.
#[test]
fn threads_that_never_end_race() {
    let limits = ["--block", "2", "--limit-depth", "100000"];
    let report = judged("for-ever.cu", &limits);
    assert_eq!(verdict(&report, "deadlock"), "refuted", "{report:#}");
    assert_eq!(verdict(&report, "races"), "refuted", "{report:#}");
    assert_eq!(line_of(&report, "data-race"), 2);
    let report = judged("for-ever-apart.cu", &limits);
    assert_eq!(verdict(&report, "deadlock"), "refuted", "{report:#}");
    assert_eq!(verdict(&report, "races"), "proved", "{report:#}");
}
