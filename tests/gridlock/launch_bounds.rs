//! `__launch_bounds__`: no launch with more threads a block is judged, by whichever command, and a kernel that takes
//! fewer than the one it replaces is no replacement.

use crate::tool::{check_error, run};

/// A kernel with these bounds, or without, in a file of its own.
fn kernel(folder: &tempfile::TempDir, name: &str, bounds: &str) -> String {
    let path = folder.path().join(format!("{name}.cu"));
    let text = format!(
        "__global__ {bounds} void k(int *a)\n{{\n    a[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}}\n"
    );
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_larger_launch_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bounded = kernel(&folder, "bounded", "__launch_bounds__(8 * 8)");
    let why = "128 threads in a block, and the kernel takes at most 64";
    for command in ["check", "explore"] {
        check_error(&[command, &bounded, "--block", "128"], "launch", None, why);
        let fits = run(&[command, &bounded, "--block", "64", "--limit-states", "50"]);
        assert_ne!(fits.status, 2, "{}", fits.stderr);
    }
}

#[test]
fn the_bound_is_printed_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let bounded = kernel(&folder, "bounded", "__launch_bounds__(64)");
    let printed = folder.path().join("printed.cu").display().to_string();
    let lowered = run(&["lower", &bounded, "--target", "cuda", "-o", &printed]);
    assert_eq!(lowered.status, 0, "{}", lowered.stderr);
    for file in [&bounded, &printed] {
        let said = run(&["check", file]).stdout;
        assert!(said.contains("has at most 64 threads"), "{file}: {said}");
    }
}

#[test]
fn a_kernel_that_takes_less_is_no_replacement() {
    let folder = tempfile::tempdir().unwrap();
    let free = kernel(&folder, "free", "");
    let bounded = kernel(&folder, "bounded", "__launch_bounds__(64)");
    let every = run(&["equiv", &free, &bounded]);
    assert_ne!(every.status, 0, "{}", every.stdout);
    let more = ["--grid", "2", "--block", "128"];
    let at = run(&[&["equiv", &free, &bounded], &more[..]].concat());
    assert_eq!(at.status, 2, "{}{}", at.stdout, at.stderr);
    assert!(at.stderr.contains("takes at most 64"), "{}", at.stderr);
    let other_way = run(&["equiv", &bounded, &free]);
    assert_eq!(
        other_way.status, 0,
        "{}{}",
        other_way.stdout, other_way.stderr
    );
}
