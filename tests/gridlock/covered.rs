//! What a verdict covers: the launches that were tried, the axes a kernel is taken to be launched
//! along, and the launches of host code that could not be read.

use gridlock_generation::effort;
use serde_json::Value;
use std::process::Command;

/// Runs `check` on a text; its exit status and report.
fn check(text: &str, options: &[&str]) -> (i32, Value) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kernel.cu");
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .arg("check")
        .arg(&path)
        // What a condition excludes counts here, too.
        .args(["--format", "json", "--no-conditions"])
        .args(options)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    (output.status.code().unwrap(), report)
}

/// What was established of a property: its verdict and the sentence beside it.
fn property(report: &Value, kind: &str) -> (String, String) {
    let properties = report["properties"].as_array().unwrap();
    let found = properties.iter().find(|p| p["kind"] == kind);
    let found = found.unwrap_or_else(|| panic!("no {kind}: {report:#}"));
    let word = |field: &str| found[field].as_str().unwrap().to_owned();
    (word("verdict"), word("explanation"))
}

/// All launches of the ladder along one axis.
const LADDER: &str = "1 × 1, 1 × 2, 2 × 1, 2 × 4, 1 × 31, 2 × 32, 1 × 33, 1 × 48, 3 × 64, 2 × 128";

/// A race that a proof refutes says nothing about what larger launches do otherwise.
#[test]
fn beside_a_refuted_race_nothing_passes_at_the_smallest_launch_alone() {
    let racy = "
__global__ void racy(int *out, const int *in) {
    int n = __syncthreads_count(in[threadIdx.x] > 0);
    out[threadIdx.x / 2] = n + threadIdx.x;
}";
    let (status, report) = check(racy, &[]);
    assert_eq!(status, 1);
    assert_eq!(property(&report, "races").0, "refuted");
    let (verdict, why) = property(&report, "uninitialised-reads");
    assert_eq!(verdict, "unknown", "{report:#}");
    assert!(why.contains("data-race"), "{why}");
}

#[test]
fn what_is_open_beside_a_refutation_goes_over_the_whole_ladder() {
    // Blocks race with each other, and no thread of a block with another.
    let late = "
__global__ void late(int *out, const int *in) {
    int n = __syncthreads_count(in[threadIdx.x] > 0);
    out[threadIdx.x] = n / 2;
}";
    let (_, report) = check(late, &[]);
    assert_eq!(property(&report, "races").0, "refuted");
    assert_ne!(property(&report, "uninitialised-reads").0, "passed");
    if !effort::is_done(1, SHARE) {
        return;
    }
    // A race at a launch that the ladder has not.
    let far = "
__global__ void far(int *out, const int *in) {
    int n = __syncthreads_count(in[threadIdx.x] > 0);
    if (blockDim.x == 50) out[0] = threadIdx.x;
    else out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}";
    let (status, report) = check(far, &[]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(property(&report, "races").0, "refuted");
    let (verdict, why) = property(&report, "uninitialised-reads");
    assert_eq!(verdict, "passed", "{report:#}");
    assert!(why.contains(LADDER), "{why}");
}

/// A short run judges one body in so many.
const SHARE: usize = 9;

const GROUPS: &str = "
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
";

fn in_one_dimension(body: &str, wrong: &str) {
    if !effort::is_next_done(SHARE) {
        return;
    }
    let kernel =
        |body: &str| format!("{GROUPS}__global__ void k(int *out, const int *in) {{{body}}}");
    let (_, report) = check(&kernel(body), &[]);
    assert_eq!(property(&report, "races").0, "proved", "{body}: {report:#}");
    let assumptions = report["assumptions"].to_string();
    assert!(
        assumptions.contains("blockDim.y = blockDim.z = gridDim.y = gridDim.z = 1")
            && assumptions.contains("ranks, tiles, counting barriers"),
        "{assumptions}"
    );
    let (status, report) = check(&kernel(wrong), &[]);
    assert_eq!(status, 1, "{wrong}: {report:#}");
    assert_eq!(property(&report, "races").0, "refuted", "{wrong}");
    // A kernel that asks about y is judged with y.
    let (status, report) = check(
        &kernel(&format!("{body} if (threadIdx.y > 1000) return;")),
        &[],
    );
    assert_eq!(status, 1, "{body}: {report:#}");
    let defect = report["defects"][0].to_string();
    assert!(defect.contains("data-race"), "{defect}");
}

#[test]
fn barriers_that_count_ask_about_no_axis() {
    let i = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    for name in [
        "__syncthreads_count",
        "__syncthreads_and",
        "__syncthreads_or",
    ] {
        in_one_dimension(
            &format!("{i} int n = {name}(in[i] > 0); out[i] = n;"),
            &format!("{i} int n = {name}(in[i] > 0); out[i / 2] = n + i;"),
        );
    }
}

#[test]
fn ranks_in_groups_ask_about_no_axis() {
    let i = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    for rank in [
        "cg::this_thread_block().thread_rank()",
        "cg::thread_rank(cg::this_thread_block())",
        "cg::this_grid().thread_rank()",
        "cg::this_grid().size()",
        "cg::this_grid().block_rank()",
        "cg::tiled_partition<32>(cg::this_thread_block()).thread_rank()",
    ] {
        in_one_dimension(
            &format!("{i} out[i] = (int)({rank});"),
            &format!("{i} out[i / 2] = (int)({rank}) + i;"),
        );
    }
}

/// With a launch of two dimensions given, ranks are those of that launch.
#[test]
fn a_launch_of_two_dimensions_is_judged_as_it_is() {
    let text = format!(
        "{GROUPS}__global__ void k(int *out) {{
    out[cg::this_thread_block().thread_rank()] = threadIdx.x;
}}"
    );
    let flat = ["--grid", "1", "--block", "8,4"];
    assert_eq!(property(&check(&text, &flat).1, "races").0, "proved");
    let along_x = text.replace("cg::this_thread_block().thread_rank()", "threadIdx.x");
    assert_eq!(property(&check(&along_x, &flat).1, "races").0, "refuted");
}

/// OpenCL C: linear numbers ask about no axis, numbers along an axis about that one.
#[test]
fn members_that_name_an_axis_ask_about_it() {
    let text = format!(
        "{GROUPS}__global__ void k(int *out) {{
    out[threadIdx.x] = (int)cg::this_thread_block().thread_index().y;
}}"
    );
    assert_eq!(property(&check(&text, &[]).1, "races").0, "refuted");
    let whole = "__device__ int sum(uint3 t) { return t.x + t.y; }
__global__ void k(int *out) { uint3 t = threadIdx; out[threadIdx.x] = sum(t); }";
    assert_eq!(property(&check(whole, &[]).1, "races").0, "refuted");
    let called = "__device__ int row() { return threadIdx.y; }
__global__ void k(int *out) { out[threadIdx.x] = row(); }";
    assert_eq!(property(&check(called, &[]).1, "races").0, "refuted");
}

const FILL: &str = "
#include <cstdio>
#include <cstdlib>
__global__ void fill(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
";

/// A launch that cannot be read leaves the file undecided, whatever the kernel is like.
#[test]
fn a_launch_that_cannot_be_read_is_unknown() {
    for main in [
        // What the launch depends on is not given.
        "int main(int argc, char **argv) { int n = atoi(argv[1]); int *a; cudaMalloc(&a, n * 4);
         fill<<<n / 32, 32>>>(a, n); return 0; }",
        // A call that is not read.
        "int main() { int *a; cudaMalloc(&a, 256); cudaGraphLaunch(0, 0); fill<<<2, 32>>>(a, 64); return 0; }",
    ] {
        let (status, report) = check(&format!("{FILL}{main}"), &[]);
        assert_eq!(status, 3, "{report:#}");
        assert_eq!(report["verdict"], "unknown");
        assert_eq!(report["reason"], "unsupported");
        assert_eq!(property(&report, "races").0, "proved");
        assert_eq!(property(&report, "host").0, "unknown");
        assert!(report["not_judged"].to_string().contains("host code"));
    }
    // A kernel's defect is found all the same.
    let racy = FILL.replace("a[i] = i", "a[i / 2] = i");
    let main = "int main() { int *a; cudaMalloc(&a, 256); cudaGraphLaunch(0, 0); fill<<<2, 32>>>(a, 64); }";
    assert_eq!(check(&format!("{racy}{main}"), &[]).0, 1);
    // A `main` that is read decides.
    let main = "int main() { int *a; cudaMalloc(&a, 256); fill<<<2, 32>>>(a, 64); cudaFree(a); return 0; }";
    let (status, report) = check(&format!("{FILL}{main}"), &[]);
    assert_eq!(status, 0, "{report:#}");
}

/// A reversal in place: no thread's elements are another's, by arithmetic that bits do not show soon.
#[test]
fn a_reversal_in_place_is_proved() {
    let reverse = |bound: &str| {
        format!(
            "__global__ void reverse(int *a, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < {bound}) {{ int t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }}
}}"
        )
    };
    let (status, report) = check(&reverse("n / 2"), &[]);
    assert_eq!(status, 0, "{report:#}");
    assert_eq!(property(&report, "races").0, "proved");
    assert_eq!(report["limits_hit"].as_array().unwrap().len(), 0);
    let (status, report) = check(&reverse("n / 2 + 1"), &[]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(property(&report, "races").0, "refuted");
}

/// A producer, consumers and two buffers, with the number of threads that meet at each barrier.
fn buffers(producers: u32, consumers: u32) -> String {
    let at = |operation: &str, id: &str, n: u32| {
        format!(
            "asm volatile(\"bar.{operation} %0, %1;\" :: \"r\"({id}), \"r\"({n}) : \"memory\");"
        )
    };
    format!(
        "__global__ void buffers(int *out, const int *in) {{
    __shared__ int s[2][32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    if (w == 0) {{
        for (int k = 0; k < 4; k++) {{
            int b = k & 1;
            {}
            s[b][l] = in[k * 32 + l];
            {}
        }}
    }} else {{
        {} {}
        for (int k = 0; k < 4; k++) {{
            int b = k & 1;
            {}
            out[(k * 2 + w - 1) * 32 + l] = s[b][l];
            if (k < 2) {}
        }}
    }}
}}",
        at("sync", "3 + b", producers),
        at("arrive", "1 + b", producers),
        at("arrive", "3", consumers),
        at("arrive", "4", consumers),
        at("sync", "1 + b", consumers),
        at("arrive", "3 + b", consumers),
    )
}

/// Named barriers at three warps: decided by one run, or refuted by one, long before states run out.
#[test]
fn named_barriers_are_decided_at_96_threads() {
    let launch = ["--block", "96", "--limit-states", "50000"];
    let (_, report) = check(&buffers(96, 96), &launch);
    for kind in ["races", "divergence", "deadlock"] {
        assert_eq!(property(&report, kind).0, "passed", "{report:#}");
    }
    // Barriers of 64 threads at which 96 arrive: who meets hangs on the schedule.
    let (status, report) = check(&buffers(64, 64), &launch);
    assert_eq!(status, 1, "{report:#}");
    // Not all agree on how many meet.
    let (status, report) = check(&buffers(96, 64), &launch);
    assert_eq!(status, 1, "{report:#}");
}
