//! Whole programs with `main`, of the size that people write: those of `benches/hosts` that take a second or two.

use crate::tool::{run, run_in};

fn judged(name: &str) -> serde_json::Value {
    run(&[
        "check",
        &format!("benches/hosts/{name}.cu"),
        "--format",
        "json",
    ])
    .json()
}

#[test]
fn a_vector_addition_of_a_million_elements() {
    let right = judged("vector-add");
    assert_eq!(right["verdict"], "proved", "{right:#}");
    // What one of its launches shows is shown by that launch: the host has made millions of steps before.
    let broken = judged("vector-add-broken");
    assert_eq!(broken["verdict"], "refuted", "{broken:#}");
    let defect = &broken["defects"][0];
    assert_eq!(defect["kind"], "out-of-bounds", "{broken:#}");
    assert_eq!(defect["accesses"][0]["line"], 9, "{broken:#}");
    let notes = defect["explanation"]["notes"].to_string();
    assert!(notes.contains("launch 1 of the program"), "{broken:#}");
}

/// `main` launches a kernel, copies, and goes on with `rest`.
fn goes_on(kernel: &str, rest: &str) -> (i32, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "__global__ void k(int *a) {{ {kernel} }}
int main() {{
    int h[64], wrong = 0, *a;
    cudaMalloc(&a, sizeof(h));
    k<<<2, 32>>>(a);
    cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
    {rest}
    cudaFree(a);
    return wrong;
}}
"
    );
    std::fs::write(folder.path().join("k.cu"), text).unwrap();
    let limits = ["--limit-depth", "10000", "--limit-seconds", "60"];
    let check = ["check", "k.cu", "--format", "json"];
    let ran = run_in(folder.path(), &[&check[..], &limits].concat());
    (ran.status, ran.json())
}

/// Behind the last launch a limit cuts loops that end, and nothing else: neither one that may go on, nor a launch.
#[test]
fn the_rest_of_host_code_may_be_left_out() {
    let own = "a[blockIdx.x * blockDim.x + threadIdx.x] = 1;";
    let compares =
        "for (int r = 0; r < 100000; r++) for (int i = 0; i < 64; i++) wrong += h[i] != 1;";
    let (status, report) = goes_on(own, compares);
    assert_eq!(
        (status, &report["verdict"]),
        (0, &"proved".into()),
        "{report:#}"
    );
    let not_judged = report["not_judged"].as_array().unwrap();
    let is_rest = |open: &&serde_json::Value| open["kind"] == "rest-of-host-code";
    let left_out = not_judged.iter().find(is_rest).expect("it is told");
    assert_eq!(left_out["line"], 7, "{report:#}");
    let (status, report) = goes_on("a[threadIdx.x] = blockIdx.x;", compares);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "data-race", "{report:#}");
    assert_eq!(report["defects"][0]["accesses"][0]["line"], 1, "{report:#}");
    for rest in [
        "int r = 0; while (r != 100001) { r += 2; if (h[0] == 3) r++; wrong += r & 1; }",
        "for (int r = 0; r < 100000; r++) { wrong += h[r % 64] != 1; if (r == 99999) k<<<2, 32>>>(a); }",
        "for (unsigned r = 100000; r >= 0; r--) wrong += h[r % 64] != 1;",
    ] {
        let (status, report) = goes_on(own, rest);
        assert_eq!(
            (status, &report["verdict"]),
            (3, &"unknown".into()),
            "{rest}: {report:#}"
        );
    }
}
