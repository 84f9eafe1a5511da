//! Commands that apply rules: derivations, lists of applications, rules without a proof, ground terms.

use crate::tool::{check_error, run};
use serde_json::json;

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

/// Nothing was applied: each loop with the reason, the rule that comes nearest or the condition that does not hold.
#[test]
fn loops_that_stay_are_named_with_the_reason() {
    let arguments = [
        "rewrite",
        "tests/input/odd-loops.c",
        "--rules",
        "parallelise-loop",
    ];
    let text = run(&arguments);
    assert_eq!(text.status, 3, "{}", text.stderr);
    for part in [
        "in f, line 2: its condition is `i * i < n`;",
        "in f, line 4: its step is `i_1 = i_1 * 2`;",
        "in f, line 6: it counts nothing",
        "in find, line 12: a `return` or `break` inside may end it",
        "parallelise in f, line 8: it is not so that the iterations of the loop over",
    ] {
        assert!(text.stdout.contains(part), "{part}\n{}", text.stdout);
    }
    let unread = "tests/input/odd-loops.c:17:";
    let note = "note: `scale` is not read: not supported: ";
    assert!(
        text.stderr.contains(unread) && text.stderr.contains(note),
        "{}",
        text.stderr
    );
    check_error(
        &[&arguments[..], &["--kernel", "scale"]].concat(),
        "unsupported",
        Some(("tests/input/odd-loops.c", 17, 19)),
        "an array of variable length",
    );
    let json = run(&[&arguments[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["not_read"][0]["procedure"], "scale");
    let missed = json["missed"].as_array().expect("a list");
    let lines: Vec<&serde_json::Value> = missed.iter().map(|missed| &missed["line"]).collect();
    assert_eq!(lines, [2, 4, 6, 12]);
    let one = run(&[&arguments[..], &["--format", "json", "--kernel", "find"]].concat()).json();
    let missed = one["missed"].as_array().expect("a list");
    assert_eq!((missed.len(), &missed[0]["line"]), (1, &json!(12)));
    let reason = &json["refusals"][0]["reason"];
    let cells = "one reads `a[i_2 + 1 - 1]`, another one writes `a[i_2 + 1]`";
    assert_eq!(reason, cells);
}
