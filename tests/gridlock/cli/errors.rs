//! What is refused before anything is judged, with its kind, its place and its message.

use super::FILL;
use crate::tool::{check_error, run};

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

#[test]
fn usage() {
    let cases: &[(&[&str], &str)] = &[
        (&["check", FILL, "--no-such-option"], "--no-such-option"),
        (&["chekc", FILL], "chekc"),
        (&["check"], "nothing to judge: name a file, a folder"),
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
