//! `gridlock offload`: which loops of C programs become kernels, and why others do not.

use crate::tool::{run, run_in};
use gridlock_generation::effort;
use serde_json::Value;

type Lines = &'static [u64];

/// The programs of `examples/offload`, each with its loops that become kernels, and those that stay around them or are
/// left alone.
const EXAMPLES: [(&str, Lines, Lines, Lines); 12] = [
    ("2mm", &[5, 11], &[], &[]),
    ("atax", &[4, 6], &[], &[]),
    ("bicg", &[4, 6], &[], &[]),
    ("covariance", &[4, 10], &[], &[13, 14, 16]),
    ("doitgen", &[], &[], &[4, 5, 6, 8, 11]),
    ("fdtd-2d", &[7, 10, 13], &[4], &[5]),
    ("floyd-warshall", &[], &[], &[4, 5, 6]),
    ("gemm", &[4], &[], &[]),
    ("gesummv", &[5], &[], &[]),
    ("jacobi-2d", &[5, 9], &[4], &[]),
    ("mvt", &[4, 7], &[], &[]),
    ("syrk", &[4], &[], &[]),
];

fn offloaded(file: &str, more: &[&str]) -> (i32, Value) {
    let shown = run(&[&["offload", file, "--format", "json"][..], more].concat());
    (shown.status, shown.json())
}

/// The lines of the loops with this outcome.
fn lines(report: &Value, outcome: &str) -> Vec<u64> {
    let loops = report["loops"].as_array().expect("loops").iter();
    let with = loops.filter(|one| one["outcome"] == outcome);
    with.filter_map(|one| one["line"].as_u64()).collect()
}

/// The verdicts of the steps, in blocks as they are written and in small ones.
fn verdicts(report: &Value) -> Vec<&str> {
    let small = report["in_small_blocks"].as_array().expect("steps");
    let written = report["pipeline"]["steps"].as_array();
    let all = small.iter().chain(written.into_iter().flatten());
    all.filter_map(|step| step["verdict"].as_str()).collect()
}

#[test]
fn of_twelve_programs_ten_are_offloaded() {
    for (name, kernels, around, alone) in EXAMPLES {
        let (status, report) = offloaded(&format!("examples/offload/{name}.c"), &[]);
        assert_eq!(lines(&report, "offloaded"), kernels, "{name}: {report:#}");
        assert_eq!(lines(&report, "around"), around, "{name}");
        assert_eq!(lines(&report, "left-alone"), alone, "{name}");
        assert_eq!(status, if kernels.is_empty() { 3 } else { 0 }, "{name}");
        let verdicts = verdicts(&report);
        // At a size of 1 it writes nothing, so that there is nothing to prove.
        let expected = if name == "jacobi-2d" {
            "passed"
        } else {
            "proved"
        };
        let as_expected = verdicts.iter().all(|verdict| *verdict == expected);
        assert!(as_expected, "{name}: {verdicts:?}");
        assert_eq!(verdicts.is_empty(), kernels.is_empty(), "{name}");
    }
}

#[test]
fn what_is_written_runs_with_the_outputs_of_the_original() {
    let programs = EXAMPLES
        .iter()
        .filter(|(_, kernels, ..)| !kernels.is_empty());
    for (name, ..) in programs.filter(|_| effort::is_next_done(4)) {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("a name");
        let file = format!("examples/offload/{name}.c");
        let (status, report) = offloaded(&file, &["-o", out, "--run-devices"]);
        assert_eq!(status, 0, "{name}: {report:#}");
        let runs = report["pipeline"]["runs"].as_array().expect("runs");
        let agrees = |run: &Value| run["agree"] == true && run["cells"].as_u64() > Some(0);
        assert!(!runs.is_empty() && runs.iter().all(agrees), "{runs:#?}");
        let entry = report["entry"].as_str().expect("a name").replace('_', "-");
        for file in ["host.cu", "opencl-host.cpp", "opencl-host.cl"] {
            let file = folder.path().join(format!("{entry}-{file}"));
            assert!(file.is_file(), "{}", file.display());
        }
        // The pipeline that was written does it again, from where it stands.
        let pipeline = format!("{out}/{entry}.toml");
        let again = run(&["verify", &pipeline, "--brief"]);
        assert_eq!(again.status, 0, "{}\n{}", again.stdout, again.stderr);
    }
}

/// A program in a folder of its own.
fn of_text(text: &str, more: &[&str]) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), text).expect("written");
    let arguments = [&["offload", "f.c", "--format", "json"][..], more].concat();
    let shown = run_in(folder.path(), &arguments);
    (shown.status, shown.json())
}

fn why(report: &Value) -> &str {
    report["loops"][0]["why"].as_str().unwrap_or_default()
}

const DOT: &str = "void dot(int n, const float *a, const float *b, float *out)\n{\n\
                   \x20 float sum = 0;\n\
                   \x20 for (int i = 0; i < n; i++)\n\
                   \x20   sum += a[i] * b[i];\n\
                   \x20 out[0] = sum;\n}\n";

/// Atomics add up floats in an order of their own: what comes of the sum is another number, and is not accepted unless
/// that is asked for. Integers are added up exactly.
#[test]
fn sums_of_floats_are_left_alone_unless_their_order_may_change() {
    let (status, report) = of_text(DOT, &[]);
    assert_eq!(status, 3, "{report:#}");
    assert!(why(&report).contains("--modulo assoc-comm"), "{report:#}");
    let (status, report) = of_text(DOT, &["--modulo", "assoc-comm", "--arg", "n=4"]);
    assert_eq!((status, lines(&report, "offloaded")), (0, vec![4]));
    let of_integers = DOT.replace("float", "int");
    let (status, report) = of_text(&of_integers, &[]);
    assert_eq!((status, lines(&report, "offloaded")), (0, vec![4]));
}

/// A rule takes for granted that arrays have all the cells that are copied; where they have not, what it makes is
/// refuted, and nothing comes of it.
#[test]
fn what_a_rule_takes_for_granted_is_judged() {
    let text = "void some(int n, int *a)\n{\n\
                \x20 for (int i = 0; i < n; i++)\n\
                \x20   if (i < 3)\n\
                \x20     a[i] = i;\n}\n";
    let (status, report) = of_text(text, &["--arg", "n=8", "--extent", "a=3"]);
    assert_eq!(status, 3, "{report:#}");
    assert!(why(&report).contains("out-of-bounds"), "{report:#}");
    let (status, _) = of_text(text, &["--arg", "n=8", "--extent", "a=8"]);
    assert_eq!(status, 0);
}

/// Loops that cost next to nothing are left alone.
#[test]
fn loops_that_are_not_worth_it_are_left_alone() {
    let text = "void f(int n, int *a, int *b)\n{\n\
                \x20 for (int i = 0; i < n; i++)\n\
                \x20   a[i] = i;\n\
                \x20 for (int i = 0; i < n; i++)\n\
                \x20   for (int j = 0; j < 100; j++)\n\
                \x20     b[i] = b[i] * 3 + j;\n}\n";
    let (_, report) = of_text(text, &[]);
    assert_eq!(lines(&report, "offloaded"), [5]);
    assert!(why(&report).contains("less than 2 %"), "{report:#}");
    let (_, report) = of_text(text, &["--least-share", "0"]);
    assert_eq!(lines(&report, "offloaded"), [3, 5]);
}

/// Counters declared once for all loops, as older C has them.
#[test]
fn loops_may_share_their_counters() {
    let text = "void f(int n, int m, int *a, int *b)\n{\n\
                \x20 int i, j;\n\
                \x20 for (i = 0; i < n; i++)\n\
                \x20   for (j = 0; j < m; j++)\n\
                \x20     a[i * m + j] = 2 * b[i * m + j];\n\
                \x20 for (i = 0; i < n; i++)\n\
                \x20   for (j = 0; j < m; j++)\n\
                \x20     b[i * m + j] = a[i * m + j] + 1;\n}\n";
    let (status, report) = of_text(text, &[]);
    assert_eq!((status, lines(&report, "offloaded")), (0, vec![4, 7]));
    // What the last of them left is used.
    let used = text.replace("+ 1;\n}", "+ 1;\n  a[0] = i;\n}");
    let (status, report) = of_text(&used, &[]);
    assert_eq!((status, lines(&report, "offloaded")), (3, vec![]));
    assert!(why(&report).contains("used nowhere else"), "{report:#}");
}

/// A kernel that only sets to 0 what the host goes on with is none that is worth it.
#[test]
fn parts_that_cost_little_are_no_reason_to_offload() {
    let (_, report) = offloaded("examples/offload/doitgen.c", &["--least-share", "0"]);
    assert!(report["pipeline"].is_null(), "{report:#}");
}

/// Output is not modelled.
#[test]
fn what_prints_is_offloaded_where_that_is_not_observed() {
    let text = "#include <stdio.h>\n\
                int main(void)\n{\n\
                \x20 int a[10];\n\
                \x20 for (int i = 0; i < 10; i++)\n\
                \x20   a[i] = i * i;\n\
                \x20 printf(\"%d\\n\", a[9]);\n\
                \x20 return 0;\n}\n";
    let (status, report) = of_text(text, &[]);
    assert_eq!(status, 3, "{report:#}");
    assert!(why(&report).contains("--ignore-output"), "{report:#}");
    let (status, report) = of_text(text, &["--ignore-output"]);
    assert_eq!((status, lines(&report, "offloaded")), (0, vec![5]));
    assert_eq!(report["cases"][0], "no arguments");
}

#[test]
fn what_cannot_be_offloaded_is_said() {
    let file = "examples/offload/gemm.c";
    for (arguments, said) in [
        (&[file, "--arg", "q=3"][..], "q"),
        (&[file, "--arg", "ni=three"], "three"),
        (&[file, "--extent", "C=-1"], "-1"),
        (&[file, "--least-share", "200"], "0 to 100"),
        (&[file, "--profile", "cudax"], "cudax"),
        (&[file, "--target", "fortran"], "fortran"),
        (&[file, "-k", "gem"], "gem"),
        (&["examples/tree-sum/tree_sum.cu"], "device code"),
        (&["examples/offload/nothing.c"], "nothing.c"),
    ] {
        let shown = run(&[&["offload"][..], arguments].concat());
        assert_eq!(shown.status, 2, "{arguments:?}: {}", shown.stdout);
        assert!(
            shown.stderr.contains(said),
            "{arguments:?}: {}",
            shown.stderr
        );
    }
}

#[test]
fn a_program_that_is_defective_is_compared_with_nothing() {
    let text = "void f(int n, int *a)\n{\n\
                \x20 for (int i = 0; i < n; i++)\n\
                \x20   a[i - 1] = i;\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), text).expect("written");
    let shown = run_in(folder.path(), &["offload", "f.c"]);
    assert_eq!(shown.status, 2, "{}", shown.stdout);
    assert!(shown.stderr.contains("out-of-bounds"), "{}", shown.stderr);
}
