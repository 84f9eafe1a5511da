//! The command line as a user meets it: errors of every kind, exit statuses, output channels.

use crate::tool::{check_error, run, run_with_input};
use serde_json::{Value, json};

const FILL: &str = "tests/input/fill.cu";

#[test]
fn a_file_that_is_not_there() {
    check_error(
        &["check", "tests/input/nowhere.cu"],
        "file",
        Some(("tests/input/nowhere.cu", 0, 0)),
        "cannot read",
    );
}

#[test]
fn a_syntax_error() {
    check_error(
        &["check", "tests/input/syntax.cu"],
        "syntax",
        Some(("tests/input/syntax.cu", 3, 13)),
        "expected ';'",
    );
}

#[test]
fn a_launch_of_no_threads() {
    check_error(&["check", FILL, "--block", "0"], "launch", None, "fill");
    check_error(&["check", FILL, "--grid", "0"], "launch", None, "fill");
}

#[test]
fn a_launch_of_2000_threads_a_block() {
    check_error(&["check", FILL, "--block", "2000"], "launch", None, "2000");
    let unlimited = run(&["check", FILL, "--block", "2000", "--device-limits", "none"]);
    assert_eq!(unlimited.status, 0, "{}", unlimited.stderr);
}

#[test]
fn inline_assembly() {
    check_error(
        &["check", "tests/input/assembly.cu"],
        "unsupported",
        Some(("tests/input/assembly.cu", 4, 5)),
        "not supported",
    );
}

/// With several kernels and none chosen the others are judged, and that one is unknown.
#[test]
fn an_unsupported_kernel_beside_a_good_one() {
    let file = "tests/input/two_kernels.cu";
    let both = run(&["check", file, "--format", "json"]);
    assert_eq!(both.status, 3, "{}{}", both.stdout, both.stderr);
    let report = both.json();
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["reason"], "unsupported");
    let good = run(&["check", file, "--kernel", "good"]);
    assert_eq!(good.status, 0, "{}{}", good.stdout, good.stderr);
    check_error(
        &["check", file, "--kernel", "with_assembly"],
        "unsupported",
        Some((file, 8, 5)),
        "not supported",
    );
}

/// Host code that is not read is no reason not to judge the kernels, and none to be silent about it.
#[test]
fn a_main_that_cannot_be_read_is_said_not_to_be_judged() {
    let file = "tests/input/queried_stream_main.cu";
    let text = run(&["check", file]);
    assert_eq!(text.status, 3, "{}{}", text.stdout, text.stderr);
    let line = "main: host code: tests/input/queried_stream_main.cu:9:5: not supported: ";
    assert!(text.stdout.contains(line), "{}", text.stdout);
    let report = run(&["check", file, "--format", "json"]).json();
    assert_eq!(report["verdict"], "unknown");
    assert_eq!(report["reason"], "unsupported");
    let open = report["not_judged"].as_array().unwrap();
    let open = open
        .iter()
        .find(|open| open["what"] == "host code")
        .unwrap();
    assert_eq!(open["file"], file);
    assert_eq!((&open["line"], &open["column"]), (&9.into(), &5.into()));
    assert_eq!(report["subjects"][1]["kernel"], "main");
    assert_eq!(open["subject"], 1);
    // A kernel that was asked for leaves nothing out.
    let kernel = run(&["check", file, "--kernel", "fill", "--format", "json"]).json();
    assert_eq!(kernel["not_judged"].as_array().unwrap().len(), 1);
    check_error(
        &["check", file, "--entry", "main"],
        "unsupported",
        Some((file, 9, 5)),
        "not supported",
    );
    // A command line that nobody gives.
    let text = run(&["check", "tests/input/main_with_parameter.cu"]).stdout;
    let assumption = "the command line is the program's name alone (--argv gives one)";
    assert!(text.contains(assumption), "{text}");
}

#[test]
fn a_main_that_launches_nothing_says_so() {
    let file = "tests/input/main_with_usage.cu";
    let open = |argv: &str| {
        let arguments = ["check", file, "--argv", argv, "--format", "json"];
        let report = run(&arguments).json();
        let open = report["not_judged"].as_array().unwrap().clone();
        let kernels = open.into_iter().find(|open| open["what"] == "the kernels");
        kernels.map(|open| open["why"].as_str().unwrap().to_owned())
    };
    let why = open("").unwrap();
    assert!(
        why.contains("no kernel was launched") && why.contains("--argv"),
        "{why}"
    );
    assert_eq!(open("40"), None);
}

#[test]
fn memory_without_a_name_is_called_after_its_place() {
    let file = "tests/input/main_with_usage.cu";
    let text = run(&["check", file, "--kernel", "main", "--argv", "40"]).stdout;
    assert!(text.contains("`allocation at line 14`"), "{text}");
    assert!(!text.contains("temporary"), "{text}");
}

#[test]
fn usage() {
    let cases: &[(&[&str], &str)] = &[
        (&["check", FILL, "--no-such-option"], "--no-such-option"),
        (&["chekc", FILL], "chekc"),
        (&["check"], "<FILE>"),
        (
            &["check", FILL, "--profile", "cdua"],
            "unknown profile `cdua`",
        ),
        (&["check", FILL, "--arg", "value"], "NAME=VALUE"),
        (&["check", FILL, "--arg", "3=4"], "no name of a parameter"),
        (
            &["check", FILL, "--arg", "valu=4", "--block", "4"],
            "no such parameter",
        ),
        (
            &["check", FILL, "--arg", "value=x", "--block", "4"],
            "not a value of type int",
        ),
        (
            &["check", FILL, "--extent", "a=*", "--block", "4"],
            "neither a number",
        ),
        (&["check", FILL, "--block", "many"], "many"),
        (&["check", FILL, "--block", "1,1,1,1"], "more than three"),
        (
            &["check", FILL, "--property", "beauty"],
            "unknown property `beauty`",
        ),
        (&["check", FILL, "--inputs", "some"], "random:SEED:COUNT"),
        (&["check", FILL, "--require", "everything"], "everything"),
        (&["check", FILL, "--kernel", "nobody"], "nobody"),
        (&["check", FILL, "--limit-seconds", "-1"], "limit-seconds"),
        (&["check", FILL, "--device-limits", "sm_1"], "sm_1"),
    ];
    for (arguments, part) in cases {
        check_error(arguments, "usage", None, part);
    }
}

/// Before anything is read: seconds that are no number would be no limit.
#[test]
fn seconds_that_are_no_number_are_refused() {
    const NOBODY: &str = "no/such/file.cu";
    let commands: [&[&str]; 12] = [
        &["check", NOBODY],
        &["equiv", NOBODY, NOBODY],
        &["verify", NOBODY],
        &["explore", NOBODY],
        &["prove", NOBODY],
        &["rewrite", NOBODY, "--rules", "unroll"],
        &["normalise", NOBODY, "--rules", "unroll"],
        &["lower", NOBODY, "--target", "cuda"],
        &["lift", NOBODY, "--target", "cuda"],
        &["diff", NOBODY, "--device", "interpreter"],
        &["replay", NOBODY],
        &["trace", NOBODY],
    ];
    for command in commands {
        for seconds in ["nan", "inf", "0", "-1"] {
            let option = ["--limit-seconds", seconds];
            check_error(&[command, &option].concat(), "usage", None, "above 0");
        }
    }
}

/// What the refusal of other contents offers is what the help tells of.
#[test]
fn the_help_names_the_contents_that_are_taken() {
    let refused = run(&["check", FILL, "--block", "4", "--contents", "a=full"]);
    assert_eq!(refused.status, 2);
    let (_, offered) = refused.stderr.trim().split_once("write ").unwrap();
    let help = run(&["check", "--help"]).stdout;
    let offered: Vec<&str> = offered.split(", ").flat_map(|f| f.split(" or ")).collect();
    assert!(offered.len() > 5, "{offered:?}");
    for form in offered {
        assert!(help.contains(&format!("`{form}`")), "no `{form}` in {help}");
    }
}

#[test]
fn contents_of_another_type_are_refused() {
    for (contents, part) in [
        (
            "a=fill:nan",
            "contents `a=fill:nan`: `nan` is not a value of type int",
        ),
        ("a=fill:inf", "`inf` is not a value of type int"),
        ("a=fill:2147483648", "which has -2147483648 to 2147483647"),
        (
            "a=below:2147483649:1",
            "more than numbers of type int come to",
        ),
    ] {
        let arguments = ["check", FILL, "--block", "4", "--contents", contents];
        check_error(&arguments, "usage", None, part);
    }
}

/// A limit that no search, or no command, begins with would be another limit than the one given.
#[test]
fn bytes_that_are_too_few_are_refused() {
    const NOBODY: &str = "no/such/file.cu";
    let searching: [&[&str]; 5] = [
        &["check", NOBODY],
        &["equiv", NOBODY, NOBODY],
        &["explore", NOBODY],
        &["prove", NOBODY],
        &["suite", "no/such/folder"],
    ];
    for command in searching {
        for bytes in ["0", "1", "1048575"] {
            let option = ["--limit-bytes", bytes];
            let part = format!("--limit-bytes {bytes}: at least 1048576 (1 MiB)");
            check_error(&[command, &option].concat(), "usage", None, &part);
        }
    }
    let others: [&[&str]; 5] = [
        &["rewrite", NOBODY, "--rules", "unroll"],
        &["lower", NOBODY, "--target", "cuda"],
        &["lift", NOBODY, "--target", "cuda"],
        &["replay", NOBODY],
        &["trace", NOBODY],
    ];
    for command in others {
        for bytes in ["1", "536870911"] {
            let option = ["--limit-bytes", bytes];
            let part = format!("--limit-bytes {bytes}: at least 536870912 (512 MiB)");
            check_error(&[command, &option].concat(), "usage", None, &part);
        }
    }
    // What bounds only the searches.
    let few = ["check", FILL, "--block", "4", "--limit-bytes", "1048576"];
    assert_ne!(run(&few).status, 2);
}

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
        "check", "equiv", "verify", "explore", "prove", "rewrite", "lower", "diff", "replay",
        "trace", "profiles", "devices", "suite",
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
fn the_required_level_decides_between_0_and_3() {
    let at = |require: &str| run(&["check", FILL, "--block", "4", "--require", require]).status;
    assert_eq!(at("tested"), 0);
    assert_eq!(at("schedules"), 0);
}

/// A witness written by `check` is replayed; one whose program changed is refused; one whose
/// defect does not show is told apart.
#[test]
fn a_witness_there_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let source = path("race.cu");
    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/input/race.cu"),
        &source,
    )
    .unwrap();
    let witness = path("w.json");
    let found = run(&["check", &source, "--block", "2", "--save-witness", &witness]);
    assert_eq!(found.status, 1, "{}", found.stderr);
    assert!(found.stdout.contains(&format!("gridlock replay {witness}")));

    let replayed = run(&["replay", &witness]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    assert!(
        replayed.stdout.contains("reproduced"),
        "{}",
        replayed.stdout
    );
    let object = run(&["replay", &witness, "--format", "json"]).json();
    assert_eq!(object["reproduced"], true);

    let stepped = run_with_input(&["replay", &witness, "--step"], "n\np\nj 2\nx\nq\n");
    assert_eq!(stepped.status, 0);
    assert!(stepped.stdout.contains("step 2 of"), "{}", stepped.stdout);

    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(&witness).unwrap()).unwrap();
    changed["schedule"] = json!([]);
    let shortened = path("short.json");
    std::fs::write(&shortened, changed.to_string()).unwrap();
    assert_eq!(run(&["replay", &shortened]).status, 3);

    std::fs::write(
        &source,
        "__global__ void all_to_one(int *a) { a[1] = 0; }\n",
    )
    .unwrap();
    let refused = run(&["replay", &witness, "--format", "json"]);
    assert_eq!(refused.status, 2, "{}", refused.stdout);
    assert!(refused.stdout.contains("changed"), "{}", refused.stdout);
    check_error(&["replay", &path("none.json")], "file", None, "cannot read");
    std::fs::write(path("bad.json"), "{}").unwrap();
    let bad = run(&["replay", &path("bad.json"), "--format", "json"]);
    assert_eq!(
        (bad.status, bad.json()["error"]["kind"].clone()),
        (2, json!("syntax"))
    );
}

#[test]
fn profiles_are_listed_with_every_axis() {
    let listed = run(&["profiles"]);
    assert_eq!(listed.status, 0);
    for part in [
        "cuda (default)",
        "paper-literal",
        "exited threads",
        "occupancy-bound",
    ] {
        assert!(listed.stdout.contains(part), "{part}");
    }
    check_error(&["profiles", "cdua"], "usage", None, "unknown profile");
}

#[test]
fn a_profile_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mine.toml");
    std::fs::write(&file, "name = \"mine\"\nbase = \"cuda\"\n").unwrap();
    let file = file.display().to_string();
    let report = run(&[
        "check",
        FILL,
        "--block",
        "2",
        "--profile",
        &file,
        "--format",
        "json",
    ]);
    assert_eq!(report.json()["profile"]["name"], "mine");
    std::fs::write(&file, "name = \"mine\"\nbase = \"cdua\"\n").unwrap();
    let refused = run(&["check", FILL, "--profile", &file, "--format", "json"]);
    assert_eq!(refused.status, 2);
    assert_eq!(refused.json()["error"]["file"], json!(file));
}

#[test]
fn commands_that_run_a_program() {
    let explored = run(&[
        "explore",
        "tests/input/race.cu",
        "--block",
        "2",
        "--format",
        "json",
    ]);
    assert_eq!(explored.status, 1, "{}", explored.stderr);
    let report = explored.json();
    assert_eq!(report["complete"], true);
    assert_eq!(report["outcomes"].as_array().unwrap().len(), 2);
    assert_eq!(report["defects"][0]["kind"], "data-race");
    let cut = run(&[
        "explore",
        FILL,
        "--block",
        "8",
        "--no-reduction",
        "--limit-states",
        "10",
    ]);
    assert_eq!(cut.status, 3, "{}", cut.stdout);
    // Nothing is said of what was not seen.
    assert!(cut.stdout.contains("no deadlock in what was explored\n"));
    let whole = run(&["explore", FILL, "--block", "2"]);
    assert_eq!(whole.status, 0);
    assert!(whole.stdout.contains("no deadlock\n"), "{}", whole.stdout);

    let traced = run(&["trace", FILL, "--block", "2", "--arg", "value=7"]);
    assert_eq!(traced.status, 0, "{}", traced.stderr);
    assert!(
        traced.stdout.contains("final: a = [7, 7]"),
        "{}",
        traced.stdout
    );
    let cut = run(&["trace", FILL, "--block", "2", "--limit-depth", "1"]);
    assert_eq!(cut.status, 3);

    let differential = run(&[
        "diff",
        FILL,
        "--device",
        "interpreter",
        "--block",
        "4",
        "--extent",
        "a=4",
    ]);
    assert_eq!(differential.status, 0, "{}", differential.stdout);
}

#[test]
fn a_state_graph_for_graphviz() {
    let dir = tempfile::tempdir().unwrap();
    let dot = dir.path().join("states.dot").display().to_string();
    run(&["explore", FILL, "--block", "2", "--dot", &dot]);
    let text = std::fs::read_to_string(dot).unwrap();
    assert!(text.starts_with("digraph"), "{text}");
}

#[test]
fn programs_are_printed_for_each_target() {
    for (target, part) in [
        ("cuda", "__global__"),
        ("opencl", "kernel void"),
        ("host", "__global__"),
    ] {
        let lowered = run(&["lower", FILL, "--target", target]);
        assert_eq!(lowered.status, 0, "{}", lowered.stderr);
        assert!(
            lowered.stdout.contains(part),
            "{target}: {}",
            lowered.stdout
        );
    }
    check_error(
        &["lower", "tests/input/assembly.cu", "--target", "cuda"],
        "unsupported",
        Some(("tests/input/assembly.cu", 4, 5)),
        "not supported",
    );
}

#[test]
fn a_derivation_is_shown_written_down_and_done_again() {
    let source = "examples/first-rule/neighbours.cu";
    let rules = "examples/first-rule/drop.rules";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("steps.json");
    let file = path.to_str().expect("a name");
    let traced = run(&[
        "rewrite",
        source,
        "--rules",
        rules,
        "--trace",
        "--trace-file",
        file,
    ]);
    assert_eq!(traced.status, 0, "{}", traced.stderr);
    assert!(
        traced.stdout.contains("Step 3 of 3: drop in neighbours"),
        "{}",
        traced.stdout
    );
    let plain = run(&["rewrite", source, "--rules", rules]);
    let again = run(&["rewrite", source, "--replay", file]);
    assert_eq!((again.status, again.stdout), (0, plain.stdout));
    // What is written down says what it is about.
    let steps = std::fs::read_to_string(&path).expect("written");
    std::fs::write(&path, steps.replace("cell[t] + next", "cell[t] - next")).expect("changed");
    check_error(
        &["rewrite", source, "--replay", file],
        "usage",
        None,
        "step 2: rule `drop` does not apply in neighbours, line 9",
    );
    let other = "tests/input/not_a_trace.json";
    check_error(
        &["rewrite", source, "--replay", other],
        "syntax",
        Some((other, 1, 12)),
        "no trace of rules",
    );
}

#[test]
fn rules_are_applied_and_their_applications_listed() {
    let source = "examples/tree-sum/tree_sum.cu";
    let rewritten = run(&["rewrite", source, "--rules", "shared-memory"]);
    assert_eq!(rewritten.status, 0, "{}", rewritten.stderr);
    assert!(rewritten.stdout.contains("shared"), "{}", rewritten.stdout);
    assert!(
        rewritten.stdout.contains("1 application"),
        "{}",
        rewritten.stdout
    );
    let object = run(&[
        "rewrite",
        source,
        "--rules",
        "shared-memory",
        "--format",
        "json",
    ])
    .json();
    assert_eq!(object["normal"], true);
    check_error(
        &["rewrite", source, "--rules", "nothing"],
        "usage",
        None,
        "no rule system",
    );
    check_error(
        &[
            "rewrite",
            source,
            "--rules",
            "shared-memory",
            "--strategy",
            "nothing",
        ],
        "usage",
        None,
        "no strategy",
    );
}

/// No rule is called proved that is not.
#[test]
fn rules_without_a_proof_are_listed_as_such() {
    let shown = run(&["prove", "shared-memory", "--format", "json"]);
    assert_eq!(shown.status, 3);
    let report = shown.json();
    assert_eq!(report["verdict"], "unknown");
    assert!(!report["rules"].as_array().unwrap().is_empty());
}

#[test]
fn proofs_count_no_samples() {
    let proved = run(&["prove", FILL, "--property", "races,divergence"]);
    assert_eq!(proved.status, 0, "{}{}", proved.stdout, proved.stderr);
    let refuted = run(&["prove", "tests/input/race.cu", "--property", "races"]);
    assert_eq!(refuted.status, 1, "{}{}", refuted.stdout, refuted.stderr);
}

#[test]
fn two_programs_are_compared_each_with_its_own_launch() {
    let same = run(&[
        "equiv",
        FILL,
        FILL,
        "--a-grid",
        "2",
        "--a-block",
        "4",
        "--b-grid",
        "4",
        "--b-block",
        "2",
        "--arg",
        "value=3",
        "--require",
        "schedules",
    ]);
    assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);
    let different = run(&[
        "equiv", FILL, FILL, "--block", "4", "--a-arg", "value=3", "--b-arg", "value=4",
        "--format", "json",
    ]);
    assert_eq!(
        different.status, 1,
        "{}{}",
        different.stdout, different.stderr
    );
    assert_eq!(different.json()["defects"][0]["kind"], "not-equivalent");
}

#[test]
fn the_devices_of_this_machine_are_listed() {
    let listed = run(&["devices"]);
    assert_eq!(listed.status, 0);
    assert!(listed.stdout.contains("interpreter"), "{}", listed.stdout);
}

/// What `check` says of one property.
fn verdict_of(arguments: &[&str], property: &str) -> Value {
    let report = run(&[arguments, &["--format", "json"]].concat()).json();
    let rows = report["properties"].as_array().unwrap();
    let row = rows.iter().find(|row| row["kind"] == property).unwrap();
    row["verdict"].clone()
}

/// Thread 1 may store beyond `b` where thread 0 stores 3 in between: no canonical run shows that.
#[test]
fn one_run_of_racy_inputs_passes_nothing() {
    let racy = [
        "check",
        "tests/input/race_decides.cu",
        "--block",
        "2",
        "--extent",
        "b=3",
    ];
    let unknown = json!("unknown");
    assert_eq!(verdict_of(&racy, "bounds"), unknown);
    let alone = [&racy[..], &["--property", "bounds"]].concat();
    assert_eq!(verdict_of(&alone, "bounds"), unknown);
    // A closed program, where it would be called proved.
    let main = ["check", "tests/input/race_in_main.cu", "--kernel", "main"];
    assert_eq!(verdict_of(&main, "bounds"), unknown);
}

/// The first thread's store before the array ends the run, though no extent was given and bounds
/// are not judged: threads 0 and 3 race for `b[0]` in other schedules.
#[test]
fn a_run_ended_by_a_defect_not_asked_about_passes_nothing() {
    let file = "tests/input/before_the_array.cu";
    let cut = ["check", file, "--block", "4", "--no-proof"];
    let unknown = json!("unknown");
    assert_eq!(verdict_of(&cut, "races"), unknown);
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

/// Without a launch, blocks of an even size that is no power of two are tried too, and two blocks
/// of one thread.
#[test]
fn launches_tried_include_48_threads_and_two_blocks_of_one() {
    let even = "tests/input/even_blocks.cu";
    let asked = ["--property", "assertions"];
    let found = run(&[&["check", even][..], &asked].concat());
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    let json = run(&[&["check", even, "--format", "json"][..], &asked].concat()).json();
    let defect = &json["defects"][0];
    assert_eq!(defect["kind"], "assertion");
    assert_eq!(
        defect["witness"]["setup"]["launch"]["block"],
        json!([48, 1, 1])
    );
    let file = |from: &str, change: &dyn Fn(&str) -> String| {
        let text = change(&std::fs::read_to_string(from).unwrap());
        let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    };
    // Its twin asks for what it needs.
    let powers = "(blockDim.x & (blockDim.x - 1)) == 0";
    let twin = file(even, &|text| text.replace("blockDim.x % 2 == 0", powers));
    let twin = twin.path().to_str().unwrap();
    let right = run(&[&["check", twin, "--require", "schedules"][..], &asked].concat());
    assert_eq!(right.status, 0, "{}{}", right.stdout, right.stderr);
    // Nobody says at which launch.
    let waiting = file("tests/corpus/progress/handing-over-broken.cu", &|text| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("// gridlock:"));
        let text = lines.collect::<Vec<_>>().join("\n");
        text.replace("} else {", "} else if (gridDim.x > 1) {")
    });
    let waiting = waiting.path().to_str().unwrap();
    let asked = ["--property", "deadlock", "--format", "json"];
    let json = run(&[&["check", waiting][..], &asked].concat()).json();
    let defects = json["defects"].as_array().unwrap();
    let livelock = defects.iter().find(|defect| defect["kind"] == "livelock");
    let launch = &livelock.expect("a livelock")["witness"]["setup"]["launch"];
    assert_eq!(launch["grid"], json!([2, 1, 1]));
    assert_eq!(launch["block"], json!([1, 1, 1]));
}

/// An access too far into an array of unknown extent is no defect and no pass; what it is, is said.
#[test]
fn an_access_too_far_is_named() {
    let wrapped = "tests/input/wrapped.cu";
    let open = run(&["equiv", wrapped, wrapped, "--block", "2"]);
    assert_eq!(open.status, 3, "{}{}", open.stdout, open.stderr);
    let words: Vec<&str> = open.stdout.split_whitespace().collect();
    let words = words.join(" ");
    let said = "line 4: a thread reads `a[4294967295]` (-1 as an unsigned number); without an \
                extent (--extent a=…) an array is followed for 67108864 elements";
    assert!(words.contains(said), "{words}");
    // With an extent it is a defect.
    let known = ["check", wrapped, "--block", "2", "--extent", "a=2"];
    let json = run(&[&known[..], &["--format", "json"]].concat()).json();
    let defect = &json["defects"][0];
    assert_eq!(defect["kind"], "out-of-bounds", "{json:#}");
    assert_eq!(defect["index"], 4_294_967_295_i64);
    assert_eq!(defect["accesses"][0]["line"], 4);
}

/// Where some extents are known, a proof of bounds also asks that no index into another array is
/// below 0: runs alone would have to meet it.
#[test]
fn a_proof_of_bounds_looks_below_arrays_of_unknown_extent() {
    let text = "__global__ void k(const int *a, int *out, int back)\n{\n    int t = threadIdx.x;\n    \
                out[t] = a[t - back];\n}\n";
    let asked = [
        "--property",
        "bounds",
        "--extent",
        "out=1024",
        "--format",
        "json",
    ];
    for (text, verdict) in [
        (text.to_owned(), "refuted"),
        (text.replace("a[t - back]", "a[t - back % 1]"), "proved"),
        (
            text.replace("out[t] =", "if (back >= 0 && t >= back) out[t] ="),
            "proved",
        ),
    ] {
        let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let path = file.path().to_str().unwrap();
        let json = run(&[&["check", path][..], &asked].concat()).json();
        let bounds = &json["properties"][0];
        assert_eq!(bounds["verdict"], verdict, "{text}\n{json:#}");
        if verdict == "refuted" {
            let defect = &json["defects"][0];
            assert_eq!(defect["array"], "a");
            assert!(defect["index"].as_i64().unwrap() < 0, "{defect:#}");
            assert_eq!(defect["accesses"][0]["line"], 4);
        }
    }
}

#[test]
fn ground_terms_are_brought_to_normal_form_or_refused_with_a_place() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let system = |name: &str, rule: &str| {
        let head = "system s about \"a\" source \"b\" status \"c\"\n";
        write(
            name,
            &format!("{head}{rule}\nstrategy main = innermost(a)\n"),
        )
    };
    let terms = write("terms.txt", "// two\n\n_f(_f(1))\n[_f(2), 3]\n");
    let strip = system("strip.rules", "rule a: (_f($x)) -> ($x)");
    let normal = run(&["normalise", &terms, "--rules", &strip]);
    assert_eq!((normal.status, &*normal.stdout), (0, "1\n[2, 3]\n"));
    let traced = run(&["normalise", &terms, "--rules", &strip, "--trace"]);
    assert!(traced.stdout.starts_with("a: _f(1)\n"), "{}", traced.stdout);

    let endless = system("endless.rules", "rule a: (_f($x)) -> (_f([$x]))");
    let spent = run(&["normalise", &terms, "--rules", &endless, "--fuel", "7"]);
    let message = "line 3: not normal after 7 applications of rules\n";
    assert_eq!((spent.status, &*spent.stdout), (3, message));

    let open = write("open.txt", "_f(1)\n_f(2");
    let located = |arguments: &[&str]| {
        let error = run(&[arguments, &["--format", "json"]].concat());
        assert_eq!(error.status, 2, "{}", error.stdout);
        let error = error.json()["error"].clone();
        (
            error["kind"].clone(),
            error["line"].clone(),
            error["column"].clone(),
        )
    };
    let syntax = located(&["normalise", &open, "--rules", &strip]);
    assert_eq!(syntax, (json!("syntax"), json!(2), json!(5)));
    let of_a_program = system("program.rules", "rule a: ($x + 0) -> ($x)");
    let refused = located(&["normalise", &terms, "--rules", &of_a_program]);
    assert_eq!(refused, (json!("unsupported"), json!(2), json!(10)));
}

/// Over the real numbers nothing is decided; modulo associativity and commutativity a difference says
/// nothing where floats differ, or decide.
#[test]
fn floats_compared_modulo() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, body: &str| {
        let path = folder.path().join(name);
        let text =
            format!("__global__ void k(const float *in, int *n, float *out)\n{{\n{body}\n}}\n");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (forth, back) = ("in[0] + 0.3f + in[2]", "in[0] + in[2] + 0.3f");
    let judged = |old: &str, new: &str, modulo: &[&str]| {
        let options = [
            "--grid", "1", "--block", "1", "--extent", "in=3", "--extent", "n=1",
        ];
        let rest = [
            "--extent",
            "out=1",
            "--contents",
            "in=range:100000000:-100000000",
            "--format",
            "json",
        ];
        let all = [&["equiv", old, new][..], &options, &rest, modulo].concat();
        let report = run(&all).json();
        report["verdict"].as_str().unwrap_or("error").to_owned()
    };
    let modulo = ["--modulo", "assoc-comm"];
    let old = file("old.cu", &format!("    out[0] = {forth};"));
    let new = file("new.cu", &format!("    out[0] = {back};"));
    assert_eq!(judged(&old, &new, &[]), "refuted");
    assert_eq!(judged(&old, &new, &modulo), "unknown");
    let old = file("old-n.cu", &format!("    n[0] = (int)(({forth}) * 10.0f);"));
    let new = file("new-n.cu", &format!("    n[0] = (int)(({back}) * 10.0f);"));
    assert_eq!(judged(&old, &new, &[]), "refuted");
    assert_eq!(judged(&old, &new, &modulo), "unknown");
    let old = file("old-i.cu", "    n[0] = 1;\n    out[0] = in[0];");
    let new = file("new-i.cu", "    n[0] = 2;\n    out[0] = in[0];");
    assert_eq!(judged(&old, &new, &modulo), "refuted");
    let both = ["equiv", FILL, FILL, "--modulo", "reals"];
    check_error(&both, "usage", None, "over the real numbers is not decided");
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
