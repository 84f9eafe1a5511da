//! What is possible only in launches too large to run: proofs bound the threads of a launch, and say so.

use crate::tool::run;
use serde_json::Value;

fn check(body: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    let thread = "blockIdx.x * blockDim.x + threadIdx.x";
    let text = format!(
        "__global__ void k(const float *x, float *y, int n) {{ unsigned g = {thread}; {body} }}\n"
    );
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let asked = ["check", &path, "--format", "json", "--limit-seconds", "600"];
    run(&[&asked[..], more].concat()).json()
}

/// The verdict on races, and the bound that the report takes for granted.
fn races(report: &Value) -> (&str, Option<u64>) {
    verdict("races", report)
}

/// The same of another property.
fn verdict<'r>(property: &str, report: &'r Value) -> (&'r str, Option<u64>) {
    let mut properties = report["properties"].as_array().unwrap().iter();
    let found = properties.find(|p| p["kind"] == property).unwrap();
    let mut assumed = report["assumed"].as_array().unwrap().iter();
    let bound = assumed.find(|a| a["kind"] == "launch-threads");
    let threads = bound.map(|a| a["arguments"]["threads"].as_u64().unwrap());
    (found["verdict"].as_str().unwrap(), threads)
}

/// `int i = g * times`, and so many elements from there on.
fn several(times: u32) -> String {
    format!(
        "int i = g * {times}; if (i < n) {{ y[i] = x[i]; y[i + {}] = x[i]; }}",
        times - 1
    )
}

#[test]
fn an_index_that_wraps_in_large_launches_only_is_bounded() {
    // One element a thread needs no bound.
    let one = check("if (g < n) y[g] = x[g];", &[]);
    assert_eq!(races(&one), ("proved", None), "{one:#}");
    for (times, threads) in [(4, 1 << 29), (16, 1 << 27)] {
        let report = check(&several(times), &[]);
        assert_eq!(races(&report), ("proved", Some(threads)), "{report:#}");
        let whole = check(&several(times), &["--large-launches"]);
        assert_eq!(races(&whole), ("passed", None), "{whole:#}");
    }
}

/// A race in launches that a device makes is not excluded by a bound, though it is too large to be run here.
#[test]
fn a_race_of_ordinary_launches_is_not_excluded() {
    for bits in [16, 25, 26] {
        let body = format!("y[g & ((1u << {bits}) - 1)] = x[g];");
        let report = check(&body, &[]);
        assert_eq!(races(&report).0, "passed", "{bits}: {report:#}");
        assert_eq!(races(&report).1, None, "{bits}: {report:#}");
    }
    let report = check("y[g & ((1u << 27) - 1)] = x[g];", &[]);
    assert_eq!(races(&report), ("proved", Some(1 << 27)), "{report:#}");
    // Twice as many elements as are apart.
    let report = check("int i = g * 4; if (i < n) { y[i] = 1; y[i + 4] = 2; }", &[]);
    assert_eq!(races(&report).0, "refuted", "{report:#}");
}

/// Each property that can hang on the size of a launch is bounded where it fails in launches too large to run, and not
/// where it fails in smaller ones.
#[test]
fn every_property_is_bounded() {
    let cases = [
        (
            "assertions",
            "assert(g * 4 / 4 == g);",
            "assert(g < (1u << 26));",
        ),
        (
            "bounds",
            "__shared__ float s[1024]; int i = g * 4; if (i < 1024) s[i] = 1;",
            "__shared__ float s[1024]; if ((g & ((1u << 26) - 1)) < 1024) s[g] = 1;",
        ),
        // What was read is known where nothing races.
        (
            "uninitialised-reads",
            "__shared__ float s[1024]; s[threadIdx.x] = 1; __syncthreads();
             int i = g * 4; if (i < n) { y[i] = s[0]; y[i + 3] = s[0]; }",
            "__shared__ float s[1024]; s[threadIdx.x] = 1; __syncthreads();
             y[g & ((1u << 26) - 1)] = s[0];",
        ),
    ];
    for (property, large, ordinary) in cases {
        let report = check(large, &[]);
        let found = verdict(property, &report);
        assert_eq!(found, ("proved", Some(1 << 29)), "{property}: {report:#}");
        let whole = check(large, &["--large-launches"]);
        assert_eq!(
            verdict(property, &whole).0,
            "passed",
            "{property}: {whole:#}"
        );
        let report = check(ordinary, &[]);
        let found = verdict(property, &report);
        assert_eq!(found.0, "passed", "{property}: {report:#}");
    }
}

/// The threads of every dimension are bounded.
#[test]
fn both_dimensions_are_bounded() {
    let kernel = |column: &str| {
        format!(
            "unsigned h = blockIdx.y * blockDim.y + threadIdx.y; int i = h * 4;
             if ({column} && i < n) {{ y[i] = x[i]; y[i + 3] = x[i]; }}"
        )
    };
    let report = check(&kernel("g == 0"), &[]);
    assert_eq!(races(&report), ("proved", Some(1 << 29)), "{report:#}");
    let report = check(&kernel("g < 2"), &[]);
    assert_eq!(races(&report).0, "refuted", "{report:#}");
}
