//! `gpu-run` on the interpreter, which every machine has.

use crate::tool::run;

/// Runs one case, with these options more; its exit status and what it printed.
fn gpu_run(more: &[&str]) -> (i32, String) {
    let mut arguments = vec!["gpu-run", "--device", "interpreter", "--no-recordings"];
    arguments.extend(["--only", "histogram"]);
    arguments.extend(more);
    let ran = run(&arguments);
    (ran.status, ran.stdout + &ran.stderr)
}

#[test]
fn a_case_agrees() {
    let (status, said) = gpu_run(&[]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("histogram                agrees, 3 runs"),
        "{said}"
    );
}

/// The limit is that of the whole command; what it does not reach for is open, and not different.
#[test]
fn all_cases_together_have_a_limit() {
    let (status, said) = gpu_run(&["--limit-seconds", "0.000001"]);
    assert_eq!(status, 3, "{said}");
    assert!(
        said.contains("the time for the whole command (--limit-seconds)"),
        "{said}"
    );
    let (status, said) = gpu_run(&["--limit-seconds", "nan"]);
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains("--limit-seconds NaN: a number of seconds above 0"),
        "{said}"
    );
}

/// Labelled kernels: one that is right is run, a broken one is no case, and one whose extent is open gets one.
#[test]
fn labelled_kernels_are_cases() {
    let run_of = |file: &str| {
        let ran = run(&["gpu-run", "--device", "interpreter", "--kernels", file]);
        (ran.status, ran.stdout + &ran.stderr)
    };
    let (status, said) = run_of("tests/corpus/papers/double-buffer-tail.cu");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("papers-double-buffer-tail agrees"), "{said}");
    let (status, said) = run_of("tests/corpus/races/neighbour-broken.cu");
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("no labelled kernel here"), "{said}");
    let (status, said) = run_of("tests/corpus/samples/spmv-csr-scalar.cu");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("ends, nothing to compare"), "{said}");
    let (status, said) = run_of("tests/corpus/no-such-folder");
    assert_eq!(status, 2, "{said}");
}
