//! What a defect at a launch of the tool's choice says of a kernel that is right at others.

use crate::tool::run;
use serde_json::Value;

/// The report on a text.
fn check(name: &str, text: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.cu"));
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let asked = ["check", &path, "--format", "json", "--limit-seconds", "600"];
    run(&[&asked[..], more].concat()).json()
}

/// Why a property is unknown.
fn why(report: &Value) -> String {
    let mut properties = report["properties"].as_array().unwrap().iter();
    let open = properties.find(|p| p["verdict"] == "unknown");
    let open = open.unwrap_or_else(|| panic!("{report:#}"));
    open["explanation"].as_str().unwrap().to_owned()
}

/// It races for every second `n`, and no condition says for which.
fn for_some(bounds: &str) -> String {
    format!(
        "__global__ void {bounds} k(int *out, unsigned n)\n{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    \
         if ((n * 2654435761u) >> 31) out[0] = i; else out[i] = i;\n}}\n"
    )
}

#[test]
fn a_kernel_that_is_right_at_others_is_not_refuted() {
    let races = ["--property", "races"];
    let kernel = for_some("");
    let caller = format!("{kernel}void go(int *out, unsigned n) {{ k<<<1, 64>>>(out, n); }}\n");
    let bounded = for_some("__launch_bounds__(64)");
    for (name, text) in [
        ("alone", &kernel),
        ("caller", &caller),
        ("bounded", &bounded),
    ] {
        let report = check(name, text, &races);
        assert_eq!(report["verdict"], "unknown", "{name}: {report:#}");
        assert!(
            why(&report).contains("at others nothing goes wrong"),
            "{name}: {report:#}"
        );
        let defect = &report["conditions"][0]["defect"];
        assert_eq!(defect["kind"], "data-race", "{name}: {report:#}");
    }
    // A launch that somebody made or gave, or that the kernel is declared for, refutes it.
    // Only blocks of one warp are right, and it is meant for two.
    let bounded = bounded.replace("(n * 2654435761u) >> 31", "threadIdx.x >= 32");
    let called = format!("{kernel}void go(int *out) {{ k<<<1, 64>>>(out, 3); }}\n");
    let main = "int main(int argc, char **argv)\n{\n    int *out;\n    cudaMalloc(&out, 256);\n    unsigned n = argc;\n    \
                k<<<1, 64>>>(out, n);\n    cudaDeviceSynchronize();\n}\n";
    let program = format!("{kernel}{main}");
    let given = [
        "--property",
        "races",
        "--grid",
        "1",
        "--block",
        "64",
        "--arg",
        "n=3",
    ];
    for (name, text, asked) in [
        ("bounded", &bounded, &races[..]),
        ("called", &called, &races),
        (
            "program",
            &program,
            &["--property", "races", "--kernel", "k"],
        ),
        ("given", &kernel, &given),
    ] {
        let report = check(name, text, asked);
        assert_eq!(report["verdict"], "refuted", "{name}: {report:#}");
    }
    // And so does one that is wrong wherever two threads are.
    let always = kernel.replace("(n * 2654435761u) >> 31", "n == n");
    assert_eq!(check("always", &always, &races)["verdict"], "refuted");
}

/// Who tests `i <= n` reckons with threads for which that fails: launches with none of these are no others that are right.
#[test]
fn launches_at_which_a_test_is_pointless_excuse_nothing() {
    let kernel = "__global__ void __launch_bounds__(64) k(int *out, int n)\n{\n    \
                  int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i <= n) out[i] = i;\n}\n";
    let asked = ["--property", "bounds", "--extent", "out=n"];
    let report = check("one-more", kernel, &asked);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "out-of-bounds");
}

/// Launch bounds say that blocks may have as many threads, not that smaller ones have to be right.
#[test]
fn launch_bounds_admit_conditions_that_full_blocks_meet() {
    let kernel = "__global__ void __launch_bounds__(64) k(const int *a, int *out)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i];\n    \
                  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffff, x, mask);\n    \
                  out[i] = x;\n}\n";
    let asked = ["--property", "uninitialised-reads"];
    let report = check("warps", kernel, &asked);
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    let source = report["conditions"][0]["source"].as_str().unwrap();
    assert_eq!(source, "blockDim.x is a multiple of 32");
    let half = kernel.replace("(64)", "(48)");
    assert_eq!(check("half", &half, &asked)["verdict"], "refuted");
}

/// Blocks of 256 threads take too long to be tried in the search.
#[test]
fn a_kernel_that_could_not_be_decided_at_others_is_not_refuted() {
    let kernel = "__global__ void k(const int *a, int *out)\n{\n    __shared__ int s[256];\n    int t = threadIdx.x;\n    \
                  s[t] = a[t];\n    __syncthreads();\n    unsigned x = s[255 - t];\n    \
                  for (int i = 0; i < 30000; i++) x = x * 3 + i;\n    out[blockIdx.x * blockDim.x + t] = x;\n}\n";
    let asked = ["--property", "uninitialised-reads"];
    let report = check("long", kernel, &asked);
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    assert!(why(&report).contains("could not be decided"), "{report:#}");
    let wrong = kernel.replace("s[t] = a[t];", "");
    assert_eq!(check("wrong", &wrong, &asked)["verdict"], "refuted");
}

/// What many threads do is seen with numbers that leave a trace; an array of one element has room for one thread.
#[test]
fn what_is_of_use_is_seen_with_the_right_contents() {
    let sum = |element: &str, product: &str, threads: u32| {
        let n_warps = threads / 32;
        format!(
            "#include <cuda_fp16.h>\n__global__ void dot(const {element} *a, const {element} *b, float *sum, int n)\n{{\n    \
             __shared__ float of_warp[{n_warps}];\n    int i = blockIdx.x * {threads} + threadIdx.x;\n    \
             float x = i < n ? {product} : 0.0f;\n    \
             for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(0xffffffff, x, mask);\n    \
             if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;\n    __syncthreads();\n    \
             if (threadIdx.x < {n_warps}) atomicAdd(sum, of_warp[threadIdx.x]);\n}}\n"
        )
    };
    let of_halves = sum("half", "__half2float(__hmul(a[i], b[i]))", 64);
    let of_one_warp = sum("float", "a[i] * b[i]", 32);
    for (name, text, threads) in [("halves", &of_halves, 64), ("one-warp", &of_one_warp, 32)] {
        let report = check(
            name,
            text,
            &["--property", "races,bounds,uninitialised-reads"],
        );
        assert_eq!(report["verdict"], "conditional", "{name}: {report:#}");
        let conditions = report["conditions"].as_array().unwrap().iter();
        let mut sources = conditions.filter_map(|c| c["source"].as_str());
        let is_said = sources.any(|source| source.contains(&format!("{threads}")));
        assert!(is_said, "{name}: {report:#}");
    }
}

/// A tile for each block, without a test of the size: right where the size is a multiple, for the blocks that host code launches.
#[test]
fn what_is_asked_of_arguments_may_leave_out_launches_of_host_code() {
    let kernel = "__global__ void copy(const float *a, float *c, int n)\n{\n    __shared__ float s[32];\n    \
                  int i = blockIdx.x * 32 + threadIdx.x;\n    s[threadIdx.x] = a[i];\n    __syncthreads();\n    \
                  c[i % n] = s[31 - threadIdx.x];\n}\n";
    let host =
        "void go(const float *a, float *c, int n) { copy<<<(n + 31) / 32, 32>>>(a, c, n); }\n";
    let asked = ["--property", "races,bounds,uninitialised-reads"];
    let report = check("tiles", &format!("{kernel}{host}"), &asked);
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    let source = report["conditions"][0]["source"].as_str().unwrap();
    assert!(source.contains("blockDim.x == 32"), "{source}");
    // No choice of theirs makes these blocks right.
    let wide = host.replace("/ 32, 32", "/ 32, 33");
    let report = check("wide", &format!("{kernel}{wide}"), &asked);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// A run that ends before the first element of an argument says nothing of its launch where it would go well if the argument
/// pointed further inside.
#[test]
fn an_access_before_an_argument_decides_no_launch() {
    let kernel = "__global__ void k(const int *a, int *out, int n)\n{\n    __shared__ int s[192];\n    int t = threadIdx.x;\n    \
                  if (blockDim.x != 192) s[0] = t;\n    __syncthreads();\n    \
                  s[t % 192] = a[t - 1];\n    __syncthreads();\n    out[t] = s[191 - t % 192];\n}\n";
    let asked = ["--property", "races,bounds,uninitialised-reads"];
    let report = check("sentinel", kernel, &asked);
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    let source = report["conditions"][0]["source"].as_str().unwrap();
    assert!(source.contains("blockDim.x == 192"), "{source}");
    assert!(source.contains("gridDim.x == 1"), "{source}");
    let wrong = kernel.replace("s[191 - t % 192]", "s[(n & 1) + 192]");
    assert_eq!(check("wrong", &wrong, &asked)["verdict"], "refuted");
}
