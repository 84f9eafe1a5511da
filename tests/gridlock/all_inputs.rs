//! Two kernels compared for all inputs, end to end, and what is proved against what is known: nothing that is refuted
//! is proved.

use crate::labelled::{Kernel, corpus, request};
use crate::tool::run;
use gridlock::judge::check;
use gridlock::judge::equivalence::{self, Compared, EquivOptions};
use gridlock::suite::expected::Expected;
use gridlock_checker::finding::DefectKind;
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::ProcKind;
use rayon::prelude::*;
use serde_json::Value;

/// States are not searched here.
const MOST_STATES: u64 = 1_000;

/// Whether a kernel of the corpus is proved to do what it does, at its header's launch; `None` where that has none.
fn itself(kernel: &Kernel) -> Option<bool> {
    let profile = kernel.profiles().into_iter().next()?;
    let point = kernel.point(&profile);
    let procedure = kernel.prepared.surface.proc(point.proc);
    if procedure.kind != ProcKind::Kernel || point.launch.is_none() {
        return None;
    }
    let side = || Compared {
        file: kernel.name.clone(),
        prepared: &kernel.prepared,
        point: point.clone(),
    };
    let mut request = request(profile, MOST_STATES);
    request.limits.seconds = 10.0;
    let proved = equivalence::is_proved(&side(), &side(), &request, &EquivOptions::default());
    proved.ok()
}

/// A short run takes a kernel in so many: an odd number, as every other kernel is broken.
const SHARE: usize = 29;
const SHARE_OF_SAFE: usize = 41;

/// No kernel with a defect at its launch is proved to have none there.
#[test]
fn no_kernel_with_a_defect_is_safe() {
    let judged: Vec<(&Kernel, bool)> = corpus()
        .par_iter()
        .enumerate()
        .filter(|(number, _)| effort::is_done(*number, SHARE_OF_SAFE))
        .filter_map(|(_, kernel)| {
            let profile = kernel.profiles().into_iter().next()?;
            let point = kernel.point(&profile);
            let request = request(profile, MOST_STATES);
            let is_safe = check::is_safe_at_launch(&kernel.prepared, &point, &request);
            point.launch.map(|_| (kernel, is_safe.unwrap()))
        })
        .collect();
    let is_right = |kernel: &Kernel| matches!(kernel.header.expected, Expected::AtLeast(_));
    let wrong: Vec<&str> = judged
        .iter()
        .filter(|(kernel, is_safe)| match &kernel.header.expected {
            Expected::Refuted(kinds) => *is_safe && *kinds != [DefectKind::NotEquivalent],
            _ => false,
        })
        .map(|(kernel, _)| kernel.name.as_str())
        .collect();
    assert!(wrong.is_empty(), "proved, and refuted: {wrong:?}");
    let n_right = judged.iter().filter(|(kernel, _)| is_right(kernel)).count();
    let n_safe = judged
        .iter()
        .filter(|(kernel, safe)| *safe && is_right(kernel));
    let n_safe = n_safe.count();
    println!("{n_safe} of {n_right} right kernels are proved to have no defect");
    assert!(5 * n_safe > 2 * n_right, "{n_safe} of {n_right}");
}

/// A kernel with a defect is not proved to do anything, and most without one do what they do.
#[test]
fn kernels_of_the_corpus_beside_themselves() {
    let judged: Vec<(&Kernel, bool)> = corpus()
        .par_iter()
        .enumerate()
        .filter(|(number, _)| effort::is_done(*number, SHARE))
        .filter_map(|(_, kernel)| Some((kernel, itself(kernel)?)))
        .collect();
    // What is no defect of a run by itself, or one that only a bound of an argument tells.
    let elsewhere = [DefectKind::NotEquivalent];
    let wrong: Vec<&str> = judged
        .iter()
        .filter(|(kernel, proved)| match &kernel.header.expected {
            Expected::Refuted(kinds) => *proved && !kinds.iter().all(|k| elsewhere.contains(k)),
            _ => false,
        })
        .map(|(kernel, _)| kernel.name.as_str())
        .collect();
    assert!(wrong.is_empty(), "proved, and refuted: {wrong:?}");
    let right = |kernel: &Kernel| matches!(kernel.header.expected, Expected::AtLeast(_));
    let n_right = judged.iter().filter(|(kernel, _)| right(kernel)).count();
    let n_proved = judged
        .iter()
        .filter(|(kernel, proved)| *proved && right(kernel))
        .count();
    println!("{n_proved} of {n_right} right kernels are proved to do what they do");
    assert!(
        SHARE * n_right > 60 && 2 * n_proved > n_right,
        "{n_proved} of {n_right}"
    );
}

fn equiv(old: &str, new: &str, more: &[&str]) -> Value {
    let files = [old, new].map(|name| format!("tests/input/all_inputs/{name}.cu"));
    let mut arguments = vec!["equiv", &files[0], &files[1], "--format", "json"];
    arguments.extend(more);
    let ran = run(&arguments);
    serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr))
}

#[track_caller]
fn explanation(report: &Value) -> &str {
    report["properties"][0]["explanation"].as_str().unwrap()
}

#[test]
fn a_tiled_product_is_the_plain_one() {
    let launch = ["--grid", "2,2", "--block", "8,8", "--arg", "n=16"];
    let report = equiv("product", "product-tiled", &launch);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    assert_eq!(report["properties"][0]["assurance"], "all-inputs");
    assert_eq!(report["properties"][0]["engine"], "symbolic");
    let kinds: Vec<&str> = report["assumed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["kind"].as_str().unwrap())
        .collect();
    assert!(
        kinds.contains(&"floats-as-written") && kinds.contains(&"no-aliasing"),
        "{kinds:?}"
    );
    let report = equiv("product", "product-last-tile", &launch);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// No sample has the one value that tells them apart; the solver does, and a run shows it.
#[test]
fn one_value_in_four_billion() {
    let launch = ["--grid", "1", "--block", "32"];
    let report = equiv("copy", "copy-but-one", &launch);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    let defect = &report["defects"][0];
    assert_eq!(defect["kind"], "not-equivalent");
    assert_eq!(defect["confirmed"], true);
    let same = equiv("copy", "copy-returns", &launch);
    assert_eq!(same["verdict"], "proved", "{same:#}");
    let sampled = equiv(
        "copy",
        "copy-but-one",
        &[&launch[..], &["--no-proof"]].concat(),
    );
    assert_eq!(sampled["verdict"], "passed", "{sampled:#}");
}

/// Where the proof stops, it says at what, in the words of the program.
#[test]
fn where_a_proof_stops() {
    for (old, new, threads, why) in [
        ("copy", "copy-in-a-loop", "32", "line 5"),
        ("ticket", "ticket", "2", "the result of an atomic operation"),
    ] {
        let report = equiv(old, new, &["--grid", "1", "--block", threads]);
        assert_ne!(report["verdict"], "proved", "{report:#}");
        assert!(explanation(&report).contains(why), "{report:#}");
    }
}

/// What samples show of a kernel says why no proof came of it, where it was tried.
#[test]
fn why_a_kernel_only_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compact.cu").display().to_string();
    let text = "__global__ void compact(const int *in, int *out, int *n)
{
    if (in[threadIdx.x] > 0) out[atomicAdd(n, 1)] = in[threadIdx.x];
}
";
    std::fs::write(&path, text).unwrap();
    let launch = "--grid 1 --block 4 --contents n=zero --format json";
    let arguments = ["check", &path].into_iter().chain(launch.split(' '));
    let report = run(&arguments.collect::<Vec<_>>()).json();
    let races = &report["properties"][0];
    assert_eq!(races["verdict"], "passed", "{report:#}");
    let said = races["explanation"].as_str().unwrap();
    assert!(
        said.contains("not proved for all inputs: line 3: the result of an atomic operation"),
        "{said}"
    );
}

/// What samples alone would pass is proved at a launch that is given, shuffles and all; with one thing wrong at one value
/// of 2^32 it is refuted, by a run with that value.
#[test]
fn one_kernel_at_a_launch() {
    let sum = "
__global__ void sum(const int *in, int *out)
{
    __shared__ int of_warp[2];
    int x = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = of_warp[0] + of_warp[1];
}
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.cu").display().to_string();
    let judged = |text: &str| -> Value {
        std::fs::write(&path, text).unwrap();
        let launch = "--grid 1 --block 64 --extent in=64 --extent out=1 --format json";
        let arguments = ["check", &path].into_iter().chain(launch.split(' '));
        run(&arguments.collect::<Vec<_>>()).json()
    };
    let report = judged(sum);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    assert_eq!(report["assurance"], "all-inputs", "{report:#}");
    for (from, to, kind) in [
        (
            "if (threadIdx.x == 0)",
            "if (threadIdx.x == 0 || x == 123456)",
            "data-race",
        ),
        (
            "+ of_warp[1]",
            "+ of_warp[1] / (x - 424242)",
            "division-by-zero",
        ),
        (
            "of_warp[1];",
            "of_warp[x == 99887766 ? 2 : 1];",
            "out-of-bounds",
        ),
        (
            "% 32 == 0)",
            "% 32 == 0 && x != 27182818)",
            "uninitialised-read",
        ),
    ] {
        if !effort::is_next_done(4) {
            continue;
        }
        let wrong = sum.replace(from, to);
        assert_ne!(wrong, sum);
        let report = judged(&wrong);
        assert_eq!(report["verdict"], "refuted", "{to}: {report:#}");
        let kinds = report["defects"].as_array().unwrap().iter();
        let kinds: Vec<&str> = kinds.map(|d| d["kind"].as_str().unwrap()).collect();
        assert!(kinds.contains(&kind), "{to}: {kinds:?}");
    }
    // A barrier that hangs on inputs orders nothing, and what then races is no single condition.
    let report = judged(&sum.replace(
        "    __syncthreads();",
        "    if (x != 31415926) __syncthreads();",
    ));
    assert_ne!(report["verdict"], "proved", "{report:#}");
    // What is assumed behind a race does not excuse it; what all assume at first does.
    let scatter = |first: &str, last: &str| {
        format!(
            "__global__ void k(int *in, int *out, int n) {{ {first} int x = in[threadIdx.x];
            if (x * x == 1522756 + n) out[0] = threadIdx.x; {last} }}"
        )
    };
    for (first, last) in [
        ("", "__assume(x * x != 1522756 + n);"),
        ("__assume(in[threadIdx.x] == 0 && n == 0);", ""),
        ("__assume(threadIdx.x == 5 || n == 2);", ""),
        (
            "if (threadIdx.x < 32) { __assume(n == 2); __assume(n == 2); }",
            "",
        ),
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        let report = judged(&scatter(first, last));
        let races = &report["properties"][0];
        assert_eq!(races["kind"], "races");
        let by_run = races["explanation"]
            .as_str()
            .unwrap()
            .contains("a run of this launch");
        assert!(!by_run, "{first}{last}: {report:#}");
    }
    let report = judged(&scatter("__assume(n == 2);", ""));
    assert_eq!(report["properties"][0]["verdict"], "proved", "{report:#}");
}

/// A run finds in an array what an iteration or a call before has left there, which is no value where the array is declared
/// in the loop or the function.
#[test]
fn what_begins_anew_is_not_proved_by_a_run() {
    let source = "
__device__ int one(bool fills) { int v[2]; if (fills) { v[0] = 1; v[1] = 2; } return v[0] + v[1]; }
__global__ void called(int *y) { int first = one(true); y[threadIdx.x] = first + one(true); }
__global__ void called_again(int *y) { int first = one(true); y[threadIdx.x] = first + one(false); }
__global__ void nested(int *y) {
    int s = 0;
    for (int r = 0; r < 2; r++) { int v[4]; if (r == 0) for (int j = 0; j < 4; j++) v[j] = 1; s += v[3]; }
    y[threadIdx.x] = s;
}
__global__ void first_alone(int *y) {
    int s = 0;
    for (int r = 0; r < 4; r++) { int v[4]; v[r] = 1; s += v[0]; }
    y[threadIdx.x] = s;
}
__global__ void kept(int *y) {
    int s = 0, v[4];
    for (int r = 0; r < 4; r++) { v[r] = 1; s += v[0]; }
    y[threadIdx.x] = s + v[2];
}
";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cu");
    std::fs::write(&file, source).unwrap();
    let file = file.display().to_string();
    let kernels = [
        ("called", "proved"),
        ("called_again", "passed"),
        ("nested", "passed"),
        ("first_alone", "passed"),
        ("kept", "proved"),
    ];
    for (kernel, expected) in kernels {
        let report = run(&[
            "check", &file, "--kernel", kernel, "--block", "4", "--format", "json",
        ])
        .json();
        let mut properties = report["properties"].as_array().unwrap().iter();
        let reads = properties
            .find(|p| p["kind"] == "uninitialised-reads")
            .unwrap();
        assert_eq!(reads["verdict"], expected, "{kernel}: {report:#}");
    }
}

/// Nor is it by the runs of a program without inputs, which are all that there are.
#[test]
fn what_begins_anew_is_not_proved_of_a_program_without_inputs() {
    let program = |array: &str, fills: &str| {
        format!(
            "__device__ int one(bool fills{array}) {{ {fills} return v[0] + v[1]; }}\n\
             int main() {{\n  int *y, host[4];\n  cudaMalloc(&y, 16);\n  k<<<1, 4>>>(y);\n  \
             cudaMemcpy(host, y, 16, cudaMemcpyDeviceToHost);\n  cudaFree(y);\n  return host[0] == 6;\n}}\n"
        )
    };
    let fills = "if (fills) { v[0] = 1; v[1] = 2; }";
    let own = program("", &format!("int v[2]; {fills}")).replace(
        "int main",
        "__global__ void k(int *y) { int a = one(true); y[threadIdx.x] = a + one(false); }\nint main",
    );
    let kept = program(", int *v", fills).replace(
        "int main",
        "__global__ void k(int *y) { int v[2], a = one(true, v); y[threadIdx.x] = a + one(false, v); }\nint main",
    );
    let host = "int main() {\n  int sum = 0;\n  for (int r = 0; r < 2; r++) {\n    int v[2];\n    \
                if (r == 0) v[1] = 3;\n    sum += v[1];\n  }\n  return sum == 6;\n}\n";
    for (text, expected) in [(&*own, "passed"), (&*kept, "proved"), (host, "passed")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("k.cu");
        std::fs::write(&file, text).unwrap();
        let file = file.display().to_string();
        let report = run(&["check", &file, "--entry", "main", "--format", "json"]).json();
        let mut properties = report["properties"].as_array().unwrap().iter();
        let reads = properties.find(|p| p["kind"] == "uninitialised-reads");
        assert_eq!(reads.unwrap()["verdict"], expected, "{text}: {report:#}");
    }
}

/// What differs, or goes wrong, at one value of a cell is shown by a run on either side of the condition that chooses.
#[test]
fn one_value_in_a_sum_and_a_defect_at_one_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sum.cu").display().to_string();
    let text = "#include <cassert>
template <int Kind> __global__ void sum(const int *in, int *out)
{
    __shared__ int s[64];
    int i = threadIdx.x, n = Kind == 1 && in[63] == 12345 ? 32 : 64;
    s[i] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (i < d) s[i] += s[i + d];
        __syncthreads();
    }
    if (Kind == 2) assert(s[0] != 12345);
    if (i == 0) out[0] = Kind == 3 ? s[s[0] == 12345 ? 64 : 0] : s[0];
}
__global__ void before(const int *in, int *out) { int s = 0; for (int k = 0; k < 64; k++) s += in[k]; if (threadIdx.x == 0) out[0] = s; }
";
    std::fs::write(&path, text).unwrap();
    for (kind, verdict, defect) in [
        (0, "proved", ""),
        (1, "refuted", "not-equivalent"),
        (2, "refuted", "assertion"),
        (3, "refuted", "out-of-bounds"),
    ] {
        let (instance, name) = (format!("sum<{kind}>"), format!("sum_{kind}"));
        let of_new = ["--b-instantiate", &instance, "--b-kernel", &name];
        let launch = "--a-kernel before --grid 1 --block 64 --format json";
        let arguments = ["equiv", &path, &path].into_iter().chain(of_new);
        let arguments: Vec<&str> = arguments.chain(launch.split(' ')).collect();
        let report = run(&arguments).json();
        assert_eq!(report["verdict"], verdict, "{kind}: {report:#}");
        if verdict == "refuted" {
            assert_eq!(report["defects"][0]["kind"], defect, "{report:#}");
            assert_eq!(report["defects"][0]["confirmed"], true, "{report:#}");
        }
    }
}
