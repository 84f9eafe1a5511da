//! Files of which a part is not supported: the rest is judged, and the report says what is not.

use crate::tool::{check_error, run};

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

/// Where nothing can be read, every function is named with what stands in its way.
#[test]
fn a_file_of_which_nothing_is_read() {
    let file = "tests/input/nothing_read.cu";
    let expected = [
        ("one", 7, 21, "Unknown"),
        ("two", 8, 48, "bar.warp.sync"),
        ("three_int", 10, 5, "bar.warp.sync"),
        ("three_float", 10, 5, "bar.warp.sync"),
        ("helper", 4, 5, "bar.warp.sync"),
        ("main", 16, 12, "not_there"),
    ];
    let report = run(&["check", file, "--format", "json"]);
    assert_eq!(report.status, 2);
    let error = &report.json()["error"];
    let unread = error["unread"].as_array().unwrap();
    assert_eq!(unread.len(), expected.len(), "{error:#}");
    for (found, (function, line, column, missing)) in unread.iter().zip(expected) {
        assert_eq!(found["function"], function, "{error:#}");
        assert_eq!(found["file"], file);
        assert_eq!(
            (&found["line"], &found["column"]),
            (&line.into(), &column.into())
        );
        assert!(
            found["message"].as_str().unwrap().contains(missing),
            "{found:#}"
        );
    }
    assert_eq!(
        (&error["line"], &error["message"]),
        (&unread[0]["line"], &unread[0]["message"])
    );

    // In text the place that two share stands there once.
    let text = run(&["check", file]);
    assert_eq!((text.status, &*text.stdout), (2, ""));
    for place in [":7:21: ", ":8:48: ", ":10:5: ", ":4:5: ", ":16:12: "] {
        assert_eq!(
            text.stderr.matches(&format!("{file}{place}")).count(),
            1,
            "{}",
            text.stderr
        );
    }
    for shown in [
        "here, in `one`",
        "here, in `three_int`, `three_float`",
        "here, in `main`",
    ] {
        assert!(text.stderr.contains(shown), "{}", text.stderr);
    }
    let github = run(&["check", file, "--format", "github"]).stdout;
    assert_eq!(github.matches("::error ").count(), 5, "{github}");
    let sarif = run(&["check", file, "--format", "sarif"]).json();
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes.as_array().unwrap().len(), 5, "{sarif:#}");
    let row = run(&["check", file, "tests/input/fill.cu", "--block", "2"]).stdout;
    assert!(row.contains("(and 5"), "{row}");
}
