//! Dynamic shared memory whose size nobody gave: as much as the kernel uses is no defect; what is
//! outside whatever the size is one, and so is what lies beyond a size that was given.

use gridlock_generation::effort;
use std::process::Command;

const DOUBLE_BUFFER: &str = "
__global__ void scan(int *out, const int *in) {
    extern __shared__ int s[];
    int t = threadIdx.x, o = 0;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        o = 1 - o;
        int before = t >= d ? s[(1 - o) * blockDim.x + t - d] : 0;
        s[o * blockDim.x + t] = s[(1 - o) * blockDim.x + t] + before;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = s[o * blockDim.x + t];
}
";

const BELOW: &str = "
__global__ void shift(int *out) {
    extern __shared__ int s[];
    s[(int)threadIdx.x - 1] = 1;
}
";

const EVER_FURTHER: &str = "
__global__ void far(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x * 100000] = 1;
}
";

/// More than was once guessed at, and more than is there without asking.
const MUCH: &str = "
__global__ void much(int *out) {
    extern __shared__ int s[];
    if (threadIdx.x == 0)
        s[9471] = 1;
}
";
const MORE: &str = "
__global__ void more(int *out) {
    extern __shared__ int s[];
    if (threadIdx.x == 0)
        s[16383] = 1;
}
";

/// Runs `check` on a text; its report, and the verdict on bounds.
fn bounds(text: &str, options: &[&str]) -> (serde_json::Value, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kernel.cu");
    std::fs::write(&path, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .arg("check")
        .arg(&path)
        .args(["--format", "json"])
        .args(options)
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let properties = report["properties"].as_array().unwrap();
    let bounds = properties.iter().find(|p| p["kind"] == "bounds");
    let verdict = bounds.unwrap()["verdict"].as_str().unwrap().to_owned();
    (report, verdict)
}

#[test]
fn as_much_as_is_used_is_there_when_nobody_says() {
    for launch in [&[][..], &["--grid", "1", "--block", "64"]] {
        if !effort::is_next_done(2) {
            continue;
        }
        let (report, verdict) = bounds(DOUBLE_BUFFER, launch);
        assert_eq!(verdict, "passed", "{report:#}");
        let not_judged = report["not_judged"].to_string();
        assert!(not_judged.contains("--shared-bytes"), "{not_judged}");
    }
}

#[test]
fn a_size_that_was_given_counts() {
    let launch = ["--grid", "1", "--block", "64", "--shared-bytes"];
    let enough = [&launch[..], &["512"]].concat();
    let (report, verdict) = bounds(DOUBLE_BUFFER, &enough);
    assert!(["passed", "proved"].contains(&&*verdict), "{report:#}");
    let short = [&launch[..], &["508"]].concat();
    let (report, verdict) = bounds(DOUBLE_BUFFER, &short);
    assert_eq!(verdict, "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "out-of-bounds");
    assert_eq!(report["defects"][0]["accesses"][0]["line"], 10);
}

#[test]
fn outside_is_outside() {
    for (text, line) in [(BELOW, 4), (EVER_FURTHER, 4)] {
        let (report, verdict) = bounds(text, &["--grid", "1", "--block", "32"]);
        assert_eq!(verdict, "refuted", "{report:#}");
        assert_eq!(report["defects"][0]["kind"], "out-of-bounds");
        assert_eq!(report["defects"][0]["accesses"][0]["line"], line);
    }
}

/// Without a launch, too: a size that is given is so at every launch, and one that is not makes no index a defect.
#[test]
fn a_size_counts_at_every_launch() {
    let (report, verdict) = bounds(MUCH, &["--shared-bytes", "37888"]);
    assert_eq!(verdict, "proved", "{report:#}");
    assert_eq!(report["subjects"][0]["launch"]["shared"], 37888);
    let (report, verdict) = bounds(MUCH, &["--shared-bytes", "37884"]);
    assert_eq!(verdict, "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["index"], 9471);
    for text in [MUCH, MORE] {
        let (report, verdict) = bounds(text, &[]);
        assert_ne!(verdict, "refuted", "{report:#}");
        assert_eq!(
            report["conditions"].as_array().unwrap().len(),
            0,
            "{report:#}"
        );
    }
}
