//! What is compared of two programs, and what is said where something is not: variables of the files, memory, what is
//! printed, parameters, aliases, bounds.

use crate::tool::{Run, run_in};
use gridlock_lowering::nvcc;
use serde_json::Value;
use std::path::Path;

const LAUNCH: [&str; 4] = ["--grid", "1", "--block", "32"];

/// `equiv` of two texts.
fn equiv(old: &str, new: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("old.cu", old), ("new.cu", new)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let arguments = [
        &["equiv", "old.cu", "new.cu", "--format", "json"],
        &LAUNCH[..],
        more,
    ];
    run_in(folder.path(), &arguments.concat()).json()
}

fn kinds<'v>(report: &'v Value, list: &str) -> Vec<&'v str> {
    let all = report[list].as_array().into_iter().flatten();
    all.filter_map(|object| object["kind"].as_str()).collect()
}

fn why(report: &Value) -> &str {
    report["properties"][0]["explanation"].as_str().unwrap()
}

const COUNTED: &str = "__device__ int total;
__global__ void k(int *o) { o[threadIdx.x] = 1; if (threadIdx.x == 0) total = 1; }";

#[test]
fn variables_of_the_file_are_observed() {
    let same = equiv(COUNTED, COUNTED, &[]);
    assert_eq!(same["verdict"], "passed", "{same:#}");
    let other = equiv(COUNTED, &COUNTED.replace("total = 1", "total = 2"), &[]);
    assert_eq!(other["verdict"], "refuted", "{other:#}");
    let message = other["defects"][0]["message"].as_str().unwrap();
    assert!(message.contains("`new.total == old.total`"), "{message}");
    // Managed memory is a variable like others.
    let managed = COUNTED.replace("__device__", "__managed__");
    let other = equiv(&managed, &managed.replace("total = 1", "total = 2"), &[]);
    assert_eq!(other["verdict"], "refuted", "{other:#}");
}

#[test]
fn variables_of_the_host_are_observed() {
    let counts = |by: &str| {
        format!(
            "int calls;
             void f(int *a) {{ calls += {by}; a[0] = 1; }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.c"), counts("1")).unwrap();
    for (by, status) in [("1", 0), ("2", 1)] {
        std::fs::write(folder.path().join("new.c"), counts(by)).unwrap();
        let compared = run_in(
            folder.path(),
            &[
                "equiv",
                "old.c",
                "new.c",
                "--extent",
                "a=4",
                "--require",
                "schedules",
            ],
        );
        assert_eq!(
            compared.status, status,
            "{}{}",
            compared.stdout, compared.stderr
        );
    }
}

#[test]
fn a_variable_that_is_gone_is_missed() {
    let alone = "__global__ void k(int *o) { o[threadIdx.x] = 1; }";
    let gone = equiv(COUNTED, alone, &[]);
    assert_eq!(gone["verdict"], "unknown", "{gone:#}");
    assert!(why(&gone).contains("may write `total`"), "{gone:#}");
    let left_out = "old.total[i] == old.total[i] for i in 0..0";
    let mapped = equiv(COUNTED, alone, &["--observe", left_out]);
    assert_eq!(mapped["verdict"], "passed", "{mapped:#}");
    // One that is new is nobody's but the new program's, and that is said.
    let come = equiv(alone, COUNTED, &[]);
    assert_eq!(come["verdict"], "passed", "{come:#}");
    assert!(
        kinds(&come, "remarked").contains(&"only-in-new"),
        "{come:#}"
    );
    // A table that is only read is part of the program.
    let table = "__device__ int table[2] = {1, 1};
                 __global__ void k(int *o) { o[threadIdx.x] = table[0]; }";
    let folded = equiv(table, alone, &[]);
    assert_eq!(folded["verdict"], "proved", "{folded:#}");
}

#[test]
fn nothing_compared_is_nothing_shown() {
    let kernel = |n: &str| format!("__global__ void k(int *o) {{ o[threadIdx.x] = {n}; }}");
    let nothing = "new.o[b] == old.o[b] for b in 0..0";
    let compared = equiv(&kernel("1"), &kernel("2"), &["--observe", nothing]);
    assert_eq!(compared["verdict"], "unknown", "{compared:#}");
    assert!(why(&compared).contains("no value falls under the observation map"));
    let empty = "__global__ void k(const int *o) {}";
    let compared = equiv(empty, empty, &["--inputs", "random:3:1"]);
    assert_eq!(compared["verdict"], "unknown", "{compared:#}");
}

#[test]
fn how_parameters_are_paired_is_said() {
    let kernel =
        |params: &str| format!("__global__ void k(int *o, {params}) {{ o[threadIdx.x] = a - b; }}");
    let swapped = equiv(&kernel("int a, int b"), &kernel("int b, int a"), &[]);
    assert!(
        kinds(&swapped, "remarked").contains(&"paired-by-name"),
        "{swapped:#}"
    );
    let same = equiv(&kernel("int a, int b"), &kernel("int a, int b"), &[]);
    assert!(
        !kinds(&same, "remarked").contains(&"paired-by-name"),
        "{same:#}"
    );
}

#[test]
fn what_is_assumed_of_aliases_and_not_judged_of_bounds_is_said() {
    let old = "__global__ void k(int *y, const int *x, int n) {
                   int i = threadIdx.x; for (int k = 0; k < n; k++) y[i] = y[i] + x[i]; }";
    let new = "__global__ void k(int *y, const int *x, int n) {
                   int i = threadIdx.x; int t = x[i]; for (int k = 0; k < n; k++) y[i] = y[i] + t; }";
    let moved = equiv(old, new, &[]);
    assert!(
        kinds(&moved, "assumed").contains(&"no-aliasing"),
        "{moved:#}"
    );
    let old = "__global__ void k(int *o, const int *x) { int i = threadIdx.x; o[i] = x[i]; }";
    let further = old.replace("x[i];", "x[i] + 0 * x[i + 1];");
    let open = equiv(old, &further, &[]);
    assert_eq!(
        kinds(&open, "not_judged"),
        ["bounds-without-extent"],
        "{open:#}"
    );
    let extents = ["--extent", "o=32", "--extent", "x=32"];
    let known = equiv(old, &further, &extents);
    assert_eq!(known["verdict"], "refuted", "{known:#}");
    assert!(kinds(&known, "not_judged").is_empty(), "{known:#}");
}

const PRINTS: &str = "#include <cstdio>
__global__ void k(int *o) { o[threadIdx.x] = 1; if (threadIdx.x == 3) printf(\"%d\\n\", 3); }";

#[test]
fn what_is_printed_is_not_compared_and_that_is_said() {
    let other = PRINTS.replace("== 3", "== 4");
    let compared = equiv(PRINTS, &other, &[]);
    assert!(
        kinds(&compared, "not_judged").contains(&"printed-output"),
        "{compared:#}"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.cu"), PRINTS).unwrap();
    let lowered: Run = run_in(folder.path(), &["lower", "p.cu", "--target", "cuda"]);
    assert_eq!(lowered.status, 0);
    assert!(!lowered.stdout.contains("printf"));
    assert!(lowered.stderr.contains("p.cu:2:"), "{}", lowered.stderr);
    assert!(
        lowered
            .stderr
            .contains("output by `printf` is not modelled")
    );
}

const LOOP: &str = "void scale(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
";

fn pipeline(folder: &Path, source: &str, steps: &str) -> Run {
    std::fs::write(folder.join("source.cu"), source).unwrap();
    let text = format!("name = \"test\"\nsource = \"source.cu\"\n{steps}\n");
    std::fs::write(folder.join("p.toml"), text).unwrap();
    run_in(folder, &["verify", "p.toml", "--format", "json"])
}

/// Memory of a device that is filled from a `const` pointer is not `const` itself.
#[test]
fn the_host_program_of_a_const_argument_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let is_there = nvcc::find().is_ok();
    let compiled = if is_there { "nvcc = [\"sm_75\"]" } else { "" };
    let steps = format!(
        "entry = \"scale\"
[[case]]
name = \"c\"
args = {{ n = 20 }}
extents = {{ x = 20, y = 20 }}
inputs = \"random:1:1\"
[[step]]
name = \"kernel\"
rules = \"parallelise-loop\"
expect = [{{ profile = \"cuda\", at-least = \"passed\" }}]
[[lower]]
targets = [\"host\"]
{compiled}
"
    );
    let report = pipeline(folder.path(), LOOP, &steps).json();
    assert_eq!(report["runs"], Value::Array(Vec::new()), "{report:#}");
    let lowered = &report["lowered"][0];
    assert_eq!(lowered["target"], "host", "{report:#}");
    let expected = if is_there { 1 } else { 0 };
    assert_eq!(
        lowered["compiled_for"].as_array().map(Vec::len),
        Some(expected)
    );
}

/// A target that cannot say it takes nothing away from what was judged.
#[test]
fn what_cannot_be_lowered_loses_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let source = "__global__ void k(int *o) {
                      int i = threadIdx.x; __syncthreads(); __syncthreads(); __syncwarp(); o[i] = 1; }";
    let steps = "entry = \"k\"
[[case]]
name = \"c\"
launch = { grid = [1, 1, 1], block = [32, 1, 1] }
extents = { o = 32 }
inputs = \"random:1:1\"
[[step]]
name = \"fewer\"
rules = \"redundant-barrier\"
expect = [{ profile = \"cuda\", at-least = \"passed\" }]
[[lower]]
targets = [\"opencl\"]
";
    let report = pipeline(folder.path(), source, steps);
    assert_eq!(report.status, 1, "{}{}", report.stdout, report.stderr);
    let report = report.json();
    assert_eq!(
        report["steps"].as_array().map(Vec::len),
        Some(1),
        "{report:#}"
    );
    let run = &report["runs"][0];
    assert_eq!(run["agree"], false);
    let message = run["message"].as_str().unwrap();
    assert!(message.contains("cannot be written"), "{message}");
}

#[test]
fn a_step_names_its_procedure() {
    let source = "__global__ void k(int *o) { int i = threadIdx.x; __syncthreads(); __syncthreads(); o[i] = 1; }
                  __global__ void other(int *o) { int i = threadIdx.x; __syncthreads(); __syncthreads(); o[i] = 2; }";
    let steps = |procedure: &str| {
        format!(
            "entry = \"k\"
[[case]]
name = \"c\"
launch = {{ grid = [1, 1, 1], block = [32, 1, 1] }}
extents = {{ o = 32 }}
inputs = \"random:1:1\"
[[step]]
name = \"fewer\"
rules = \"redundant-barrier\"
{procedure}
expect = [{{ profile = \"cuda\", at-least = \"passed\" }}]
"
        )
    };
    let verdict = |procedure: &str| {
        let folder = tempfile::tempdir().unwrap();
        let report = pipeline(folder.path(), source, &steps(procedure)).json();
        report["steps"][0]["verdict"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    // `other` is changed as well, and nothing was compared of it.
    assert_eq!(verdict(""), "unknown");
    assert_eq!(verdict("procedure = \"k\""), "passed");
}
