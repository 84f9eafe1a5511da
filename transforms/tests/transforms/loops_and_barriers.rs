//! T10 and T11: general loop and barrier transformations, each with its mutant.

use crate::judging::*;
use gridlock_checker::finding::DefectKind;
use gridlock_frontend::Language;
use gridlock_transforms::{NoOracle, RuleSystem, apply};

/// A C function `f(int *a, int *b, int n)` before, after a system, and after its mutant: the
/// system keeps what it does for every `n`, the mutant does not for some.
fn check(text: &str, system: &str, mutant: &str) {
    let original = source(Language::C, text);
    let after = transformed(&original, system, &[]).program;
    let broken = transformed(&original, &format!("mutants/{mutant}"), &[]).program;
    let mut caught = false;
    for n in [4, 6, 8, 9] {
        let setup = host_setup(&original, "f", n, n);
        let expected = run(&original, &setup, "cuda").0;
        assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
        assert_eq!(run(&after, &setup, "cuda").0, expected, "{system}, n = {n}");
        caught |= run(&broken, &setup, "cuda").0 != expected;
    }
    assert!(caught, "{mutant} was not caught");
}

#[test]
fn a_loop_over_constants_is_unrolled() {
    let text = "void f(int *a, int *b, int n) { for (int i = 0; i < 4; i++) a[i] = a[i] + b[i]; }";
    check(text, "unroll-loop", "unroll-loop-late");
}

#[test]
fn the_first_iteration_is_peeled() {
    let text = "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }";
    check(text, "peel-loop", "peel-loop-stuck");
}

#[test]
fn independent_loops_are_fused_and_dependent_ones_are_not() {
    let text = "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; \
                for (int j = 0; j < n; j++) b[j] = a[j] + 1; }";
    let original = source(Language::C, text);
    let fused = transformed(&original, "fuse-loops", &[]).program;
    let setup = host_setup(&original, "f", 7, 1);
    assert_eq!(
        run(&fused, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );
    let text = "void f(int *a, int *b, int n) { for (int i = 0; i < n - 1; i++) a[i] = b[i]; \
                for (int j = 0; j < n - 1; j++) b[j] = a[j + 1]; }";
    refused_but_mutated(text, "fuse-loops", "fuse-loops-dependent");
}

#[test]
fn a_loop_is_split_where_iterations_are_independent_only() {
    let text =
        "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) { a[i] = i; b[i] = a[i]; } }";
    let original = source(Language::C, text);
    let split = transformed(&original, "split-loop", &[]).program;
    let setup = host_setup(&original, "f", 7, 1);
    assert_eq!(
        run(&split, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );
    let text = "void f(int *a, int *b, int n) { \
                for (int i = 0; i < n - 1; i++) { a[i] = i; b[i] = a[i + 1]; } }";
    refused_but_mutated(text, "split-loop", "split-loop-dependent");
}

/// The system leaves the program alone; its mutant changes what it does.
fn refused_but_mutated(text: &str, system: &str, mutant: &str) {
    let original = source(Language::C, text);
    let rules = RuleSystem::built_in(system).expect("built in");
    let derivation = apply(&original, &rules, &request(&[]), &NoOracle).expect("applies");
    assert!(derivation.applications.is_empty(), "{system}");
    let broken = transformed(&original, &format!("mutants/{mutant}"), &[]).program;
    let setup = host_setup(&original, "f", 7, 1);
    assert_ne!(
        run(&broken, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );
}

#[test]
fn a_loop_runs_in_strips() {
    let text = "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i]; }";
    check(text, "strip-mine", "strip-mine-overrun");
}

const GUARDED: &str = "__global__ void k(const int *in, int *out) {\n\
                       \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                       \x20 if (i < 20) { out[i] = in[i] + 1; }\n\
                       }\n";

#[test]
fn a_grid_of_any_size_covers_all_elements() {
    let original = source(Language::Cuda, GUARDED);
    let strided = transformed(&original, "grid-stride", &[]).program;
    let short = transformed(&original, "mutants/grid-stride-short", &[]).program;
    let expected = run(&original, &kernel_setup(&original, 5, 4, 20, 3), "cuda").0;
    for grid in [1, 2, 5, 7] {
        let setup = kernel_setup(&original, grid, 4, 20, 3);
        assert_eq!(run(&strided, &setup, "cuda").0, expected, "{grid} blocks");
    }
    let setup = kernel_setup(&original, 2, 4, 20, 3);
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    assert_eq!(run(&short, &setup, "cuda").0, race);
}

fn kernel(body: &str) -> String {
    format!(
        "__global__ void k(const int *in, int *out) {{\n\
         \x20 __shared__ int t[8];\n\
         \x20 int tid = threadIdx.x;\n{body}\n}}\n"
    )
}

#[test]
fn a_barrier_goes_only_where_nothing_happens_since_the_last() {
    let redundant = kernel(
        "t[tid] = in[tid]; __syncthreads(); tid = 7 - tid; __syncthreads(); out[tid] = t[tid];",
    );
    let original = source(Language::Cuda, &redundant);
    let lean = transformed(&original, "redundant-barrier", &[]).program;
    let setup = kernel_setup(&original, 1, 8, 8, 3);
    assert_eq!(
        run(&lean, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );
    assert_eq!(
        gridlock_semantics::print::program(&lean, Default::default())
            .matches("barrier")
            .count(),
        1
    );

    let needed =
        kernel("__syncthreads(); t[tid] = in[tid]; __syncthreads(); out[tid] = t[7 - tid];");
    let original = source(Language::Cuda, &needed);
    let rules = RuleSystem::built_in("redundant-barrier").expect("built in");
    let derivation = apply(&original, &rules, &request(&[]), &NoOracle).expect("applies");
    assert!(derivation.applications.is_empty());
    let broken = transformed(&original, "mutants/redundant-barrier-unconditional", &[]).program;
    assert!(matches!(run(&broken, &setup, "cuda").0, Shown::Defects(_)));
}

#[test]
fn a_barrier_leaves_a_uniform_condition_that_stays() {
    let uniform =
        kernel("if (gridDim.x == 1) { t[tid] = in[tid]; __syncthreads(); out[tid] = t[7 - tid]; }");
    let original = source(Language::Cuda, &uniform);
    let hoisted = transformed(&original, "hoist-barrier", &[]).program;
    let setup = kernel_setup(&original, 1, 8, 8, 3);
    assert_eq!(
        run(&hoisted, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );

    let changing = kernel("int u = 1; if (u == 1) { u = 2; __syncthreads(); out[tid] = in[tid]; }");
    let original = source(Language::Cuda, &changing);
    let rules = RuleSystem::built_in("hoist-barrier").expect("built in");
    let derivation = apply(&original, &rules, &request(&[]), &NoOracle).expect("applies");
    assert!(derivation.applications.is_empty());
    let broken = transformed(&original, "mutants/hoist-barrier-changing", &[]).program;
    assert_ne!(
        run(&broken, &setup, "cuda").0,
        run(&original, &setup, "cuda").0
    );
}
