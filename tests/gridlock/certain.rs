//! What is certain at the launch that is given is told, with or without an extent; and each property has its share of
//! the solver's steps.

use crate::tool::run_in;
use serde_json::Value;

fn check(text: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cu"), text).unwrap();
    let arguments = [&["check", "k.cu", "--format", "json"], more];
    run_in(folder.path(), &arguments.concat()).json()
}

fn overflows(report: &Value) -> Vec<&str> {
    let remarks = report["remarked"].as_array().into_iter().flatten();
    let own = remarks.filter(|remark| remark["kind"] == "signed-overflow");
    own.filter_map(|remark| remark["arguments"]["expression"].as_str())
        .collect()
}

const ROWS: &str = "__global__ void k(const int *data, int *out, int row) {
    int at = row * 8960 + threadIdx.x;
    out[threadIdx.x] = data[at];
}";

#[test]
fn an_index_that_overflows_is_told_with_and_without_an_extent() {
    let launch = ["--grid", "1", "--block", "32", "--arg", "row=255999"];
    let extents = ["--extent", "data=2293760000", "--extent", "out=32"];
    for more in [&launch[..], &[&launch[..], &extents[..]].concat()] {
        let report = check(ROWS, more);
        assert_eq!(report["verdict"], "refuted", "{report:#}");
        assert_eq!(report["defects"][0]["kind"], "out-of-bounds", "{report:#}");
        assert_eq!(overflows(&report), ["255999 * 8960"], "{report:#}");
    }
    // A row that there is.
    let right = check(ROWS, &["--grid", "1", "--block", "32", "--arg", "row=7"]);
    assert_ne!(right["verdict"], "refuted", "{right:#}");
    assert!(overflows(&right).is_empty(), "{right:#}");
}

#[test]
fn an_overflow_that_comes_back_into_range_is_told() {
    let text = "__global__ void k(int *out, int n) { out[threadIdx.x] = (n * 65536) & 31; }";
    let launch = ["--grid", "1", "--block", "32"];
    let given = check(text, &[&launch[..], &["--arg", "n=65537"]].concat());
    assert_eq!(overflows(&given), ["65537 * 65536"], "{given:#}");
    // Unsigned numbers wrap around, and no thread comes to the other.
    for other in ["(unsigned)n * 65536u", "threadIdx.x > 40 ? n * 65536 : 0"] {
        let text = text.replace("n * 65536", other);
        let given = check(&text, &[&launch[..], &["--arg", "n=65537"]].concat());
        assert!(overflows(&given).is_empty(), "{given:#}");
    }
}

/// Where two programs are compared it is told of each.
#[test]
fn what_overflows_on_either_side_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let kernel =
        |sum: &str| format!("__global__ void k(int *out, int n) {{ out[threadIdx.x] = {sum}; }}");
    std::fs::write(folder.path().join("old.cu"), kernel("n")).unwrap();
    std::fs::write(folder.path().join("new.cu"), kernel("(n + 1000) - 1000")).unwrap();
    let told = |n: &str| {
        let arguments = [
            "equiv", "old.cu", "new.cu", "--grid", "1", "--block", "32", "--arg", n, "--format",
            "json",
        ];
        let report = run_in(folder.path(), &arguments).json();
        assert_eq!(report["verdict"], "proved", "{report:#}");
        let remarks = report["remarked"].as_array().unwrap();
        let own = remarks
            .iter()
            .filter(|remark| remark["kind"] == "signed-overflow");
        own.map(|remark| remark["arguments"].clone())
            .collect::<Vec<_>>()
    };
    let overflows = told("n=2147483647");
    // What it wraps to, less 1000, overflows too.
    let expressions: Vec<&Value> = overflows.iter().map(|o| &o["expression"]).collect();
    assert_eq!(expressions, ["2147483647 + 1000", "-2147482649 - 1000"]);
    assert!(
        overflows.iter().all(|o| o["program"] == "new"),
        "{overflows:?}"
    );
    assert!(told("n=7").is_empty());
}

#[test]
fn asking_for_more_loses_no_defect() {
    let text = "__global__ void k(int *a, int w, int h) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < w && y <= h) a[y * w + x] = 1;
    }";
    let report = check(
        text,
        &[
            "--extent",
            "a=w*h",
            "--limit-seconds",
            "10",
            "--no-conditions",
        ],
    );
    let defects = report["defects"].as_array().unwrap();
    let kinds: Vec<&Value> = defects.iter().map(|defect| &defect["kind"]).collect();
    assert!(kinds.contains(&&Value::from("out-of-bounds")), "{report:#}");
}

/// What no contents meet is no ground for a proof, whether the solver sees that or not.
#[test]
fn a_false_assumption_about_contents_proves_nothing() {
    let kernel = |cond: &str| {
        format!(
            "__global__ void k(int *a, const int *b) {{ __assume({cond}); a[0] = threadIdx.x; }}"
        )
    };
    for cond in [
        "b[0] * b[0] == -1",
        "b[threadIdx.x] > 5 && b[threadIdx.x] < 3",
    ] {
        let report = check(&kernel(cond), &[]);
        assert_eq!(report["verdict"], "unknown", "{cond}: {report:#}");
        assert_eq!(report["reason"], "vacuous", "{cond}: {report:#}");
    }
    // Nor where every run is cut before it comes to the assumption.
    let late = "__global__ void k(int *a, const int *b) {
        int s = 0;
        for (int i = 0; i < 1000000000; i++) s ^= i;
        __assume(b[0] == 1);
        __assume(b[0] == 2);
        a[0] = threadIdx.x + s;
    }";
    let launch = "--grid 1 --block 32 --limit-seconds 3";
    let report = check(late, &launch.split(' ').collect::<Vec<_>>());
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    assert_eq!(report["reason"], "limit", "{report:#}");
    let met = "__global__ void k(int *a, const int *b) {
        __assume(b[threadIdx.x] > 5);
        a[blockIdx.x * blockDim.x + threadIdx.x] = b[threadIdx.x] / (b[threadIdx.x] - 4);
    }";
    let report = check(met, &[]);
    assert_eq!(report["verdict"], "proved", "{report:#}");
}
