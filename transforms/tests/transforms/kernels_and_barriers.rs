//! T10 to T12 beyond single loops: loops change places, barriers come, move and count a part of the
//! block, kernels are split and fused, copies go, private variables move. Each with its mutant; and
//! barrier bugs that a compiler was published to have had, written as rules.

use crate::judging::*;
use gridlock_checker::finding::DefectKind;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::Program;
use gridlock_transforms::{NoOracle, RuleSystem, apply};

fn applies(program: &Program, system: &str) -> bool {
    let rules = RuleSystem::built_in(system).expect("built in");
    let derivation = apply(program, &rules, &request(&[]), &NoOracle).expect("it runs");
    !derivation.applications.is_empty()
}

fn host(text: &str) -> Program {
    source(Language::Cuda, text)
}

/// What `f` leaves in its arrays, for several `n`, before and after a system: the same.
fn keeps(original: &Program, system: &str) -> Program {
    let after = transformed(original, system, &[]).program;
    for n in [1, 4, 7, 8] {
        let setup = host_setup_of(original, "f", n, 64, n);
        let expected = run(original, &setup, "cuda").0;
        assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
        assert_eq!(run(&after, &setup, "cuda").0, expected, "{system}, n = {n}");
    }
    after
}

/// What `f` shows after a system, with `n` of 8.
fn after(original: &Program, system: &str) -> Shown {
    let broken = transformed(original, system, &[]).program;
    run(&broken, &host_setup_of(original, "f", 8, 64, 8), "cuda").0
}

fn unchanged(original: &Program) -> Shown {
    run(original, &host_setup_of(original, "f", 8, 64, 8), "cuda").0
}

#[test]
fn loops_change_places_where_the_outer_one_carries_nothing() {
    let nest = |statement: &str| {
        let text = format!(
            "void f(int *a, int *b, int n) {{ for (int i = 0; i < n - 1; i++) \
             {{ for (int j = 0; j < 7; j++) {statement} }} }}"
        );
        source(Language::C, &text)
    };
    let columns = nest("b[i] = b[i] * 3 + a[j];");
    keeps(&columns, "interchange-loops");
    // Iteration i of the outer loop reads what iteration i + 1 writes.
    let carried = nest("b[i] = b[i + 1] * 3 + a[j];");
    assert!(!applies(&carried, "interchange-loops"));
    let broken = after(&carried, "mutants/interchange-loops-dependent");
    assert_ne!(broken, unchanged(&carried));
}

fn kernel(n_shared: u32, body: &str) -> Program {
    let last = n_shared - 1;
    let text = format!(
        "__global__ void k(const int *in, int *out) {{\n\
         \x20 __shared__ int t[{n_shared}];\n\
         \x20 int tid = threadIdx.x;\n\
         \x20 if (tid <= {last}) t[tid] = 0;\n\
         \x20 __syncthreads();\n{body}\n}}\n"
    );
    source(Language::Cuda, &text)
}

fn shown(program: &Program, block: u32) -> Shown {
    let setup = kernel_setup(program, 1, block, block.into(), 3);
    run(program, &setup, "cuda").0
}

fn shown_after(program: &Program, system: &str, block: u32) -> Shown {
    shown(&transformed(program, system, &[]).program, block)
}

#[test]
fn a_barrier_comes_where_it_was_missing_and_only_where_all_pass() {
    let racy = kernel(8, "t[tid] = in[tid]; out[tid] = t[7 - tid];");
    assert_eq!(shown(&racy, 8), Shown::Defects(vec![DefectKind::DataRace]));
    let repaired = shown_after(&racy, "insert-barrier", 8);
    let Shown::Contents(cells) = repaired else {
        panic!("{repaired:?}")
    };
    assert_eq!(
        cells[0].iter().rev().collect::<Vec<_>>(),
        cells[1].iter().collect::<Vec<_>>()
    );

    let branch = kernel(8, "if (tid < 4) { t[tid] = in[tid]; out[tid] = t[tid]; }");
    assert!(!applies(&branch, "insert-barrier"));
    let broken = shown_after(&branch, "mutants/insert-barrier-anywhere", 8);
    assert_eq!(broken, Shown::Defects(vec![DefectKind::BarrierDivergence]));
}

/// The first 64 threads exchange; the rest of the block goes by.
const PART: &str = "if (tid < 64) { t[tid] = in[tid]; }\n\
                    __syncthreads();\n\
                    if (tid < 64) { out[tid] = t[63 - tid]; }";

#[test]
fn only_the_threads_that_exchange_wait() {
    let whole = kernel(64, PART);
    let expected = shown(&whole, 128);
    assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
    assert_eq!(shown_after(&whole, "partial-barrier", 128), expected);
    let short = shown_after(&whole, "mutants/partial-barrier-short", 128);
    let Shown::Defects(kinds) = &short else {
        panic!("{short:?}")
    };
    assert!(kinds.contains(&DefectKind::DataRace), "{kinds:?}");
}

#[test]
fn a_divergent_barrier_is_lifted_out_of_its_branch() {
    let divergent = kernel(
        8,
        "if (tid % 2 == 0) { t[tid] = in[tid]; __syncthreads(); out[tid] = t[6 - tid]; }",
    );
    assert_eq!(
        shown(&divergent, 8),
        Shown::Defects(vec![DefectKind::BarrierDivergence])
    );
    let split = shown_after(&divergent, "split-branch", 8);
    assert!(matches!(split, Shown::Contents(_)), "{split:?}");
    let hoisted = shown_after(&divergent, "mutants/threadsync-hoisted", 8);
    assert_eq!(hoisted, Shown::Defects(vec![DefectKind::DataRace]));
}

/// tilelang issues 2556, 2612, 2699 and what partial barriers went wrong by.
#[test]
fn published_bugs_of_a_pass_that_places_barriers() {
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    let tail = kernel(64, &PART.replace("64", "48").replace("63", "47"));
    assert!(matches!(shown(&tail, 64), Shown::Contents(_)));
    assert!(!applies(&tail, "partial-barrier"));
    assert_eq!(shown_after(&tail, "mutants/threadsync-dropped", 64), race);

    let guarded = kernel(
        8,
        "if (gridDim.x == 1) { t[tid] = in[tid]; __syncthreads(); out[tid] = t[7 - tid]; }",
    );
    assert!(matches!(shown(&guarded, 8), Shown::Contents(_)));
    assert_eq!(shown_after(&guarded, "mutants/threadsync-hoisted", 8), race);

    let fill = kernel(
        8,
        "for (int i = tid; i < 8; i += 8) { t[i] = 0; } __syncthreads(); out[tid] = t[7 - tid];",
    );
    assert!(matches!(shown(&fill, 8), Shown::Contents(_)));
    assert_eq!(shown_after(&fill, "mutants/threadsync-bulk-store", 8), race);

    let whole = kernel(64, PART);
    let stuck = shown_after(&whole, "mutants/threadsync-miscounted", 128);
    assert_eq!(stuck, Shown::Defects(vec![DefectKind::Deadlock]));
}

/// tilelang issue 2628: the steps of a reduction by one warp.
#[test]
fn the_barrier_of_a_warp_stays() {
    let reduction = kernel(
        8,
        "t[tid] = in[tid]; __syncthreads();\n\
         for (int s = 4; s > 0; s = s / 2) { if (tid < s) { t[tid] += t[tid + s]; } __syncthreads(); }\n\
         out[tid] = t[0];",
    );
    let expected = shown(&reduction, 8);
    assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
    let narrow = transformed(&reduction, "warp-barrier", &[]).program;
    assert_eq!(shown(&narrow, 8), expected);
    let dropped = shown_after(&narrow, "mutants/threadsync-warp-dropped", 8);
    assert_eq!(dropped, Shown::Defects(vec![DefectKind::DataRace]));
    // In lockstep nothing is missed.
    let setup = kernel_setup(&narrow, 1, 8, 8, 3);
    let dropped = transformed(&narrow, "mutants/threadsync-warp-dropped", &[]).program;
    assert_eq!(run(&dropped, &setup, "lockstep-warp").0, expected);
    let left = kernel(
        8,
        "if (tid > 5) { return; } __syncthreads(); out[tid] = t[tid];",
    );
    assert!(!applies(&left, "warp-barrier"));
}

/// tilelang issue 2698: two writes, by one thread and by two.
#[test]
fn a_barrier_between_writes_goes_where_one_thread_does_both() {
    let twice = |second: &str| {
        kernel(
            16,
            &format!(
                "t[tid] = in[tid]; __syncthreads(); if (tid < 6) {{ {second} }} __syncthreads();\n\
                 out[tid] = t[15 - tid];"
            ),
        )
    };
    let own = twice("t[tid] = 5;");
    let lean = transformed(&own, "own-barrier", &[]).program;
    assert_eq!(shown(&lean, 16), shown(&own, 16));
    for second in ["t[tid + 10] = 5;", "t[15 - tid] = 5;", "t[tid] = t[0];"] {
        let other = twice(second);
        assert!(!applies(&other, "own-barrier"), "{second}");
    }
    let offset = twice("t[tid + 10] = 5;");
    assert!(matches!(shown(&offset, 16), Shown::Contents(_)));
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    assert_eq!(shown_after(&offset, "mutants/threadsync-offset", 16), race);
}

/// tilelang issue 3042: each branch has a barrier for its own threads.
#[test]
fn barriers_of_branches_become_one_between_the_halves() {
    let sides = kernel(
        96,
        "if (tid < 32 || tid >= 64) { t[tid] = in[tid]; __barrier_sync_count(1, 64); out[tid] = t[95 - tid]; }\n\
         else { t[tid] = in[tid] + 1; __barrier_sync_count(2, 32); out[tid] = t[95 - tid]; }",
    );
    let expected = shown(&sides, 96);
    assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
    assert_eq!(shown_after(&sides, "whole-barrier", 96), expected);
    let hoisted = shown_after(&sides, "mutants/threadsync-both-branches", 96);
    assert_eq!(hoisted, Shown::Defects(vec![DefectKind::DataRace]));
    let changing = "if (tid < 32) { tid = tid + 0; __barrier_sync_count(1, 32); out[tid] = 1; }";
    assert!(!applies(&kernel(64, changing), "whole-barrier"));
}

fn with_device(kernels: &str, between: &str) -> Program {
    host(&format!(
        "{kernels}\n\
         void f(int *a, int *b, int n) {{\n\
         \x20 int *d, *e;\n\
         \x20 cudaMalloc(&d, 64 * sizeof(int)); cudaMalloc(&e, 64 * sizeof(int));\n\
         \x20 cudaMemcpy(d, a, 64 * sizeof(int), cudaMemcpyHostToDevice);\n\
         \x20 cudaMemcpy(e, b, 64 * sizeof(int), cudaMemcpyHostToDevice);\n\
         \x20 {between}\n\
         \x20 cudaMemcpy(b, e, 64 * sizeof(int), cudaMemcpyDeviceToHost);\n\
         \x20 cudaFree(d); cudaFree(e);\n\
         }}\n"
    ))
}

const TWICE: &str = "__global__ void twice(const int *in, int *out) {\n\
                     \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                     \x20 out[i] = in[i] * 2;\n}\n\
                     __global__ void add(int *out, int c) {\n\
                     \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                     \x20 out[i] = out[i] + c;\n}\n\
                     __global__ void shift(int *out, const int *in) {\n\
                     \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                     \x20 out[i] = in[(i + 1) % 64];\n}\n";

#[test]
fn kernels_are_fused_where_each_thread_needs_its_own_only() {
    let chain = with_device(TWICE, "twice<<<4, 16>>>(d, e); add<<<4, 16>>>(e, n);");
    let fused = keeps(&chain, "fuse-kernels");
    let text = gridlock_semantics::print::program(&fused, Default::default());
    assert_eq!(text.matches("<<<").count(), 1, "{text}");

    let exchanging = with_device(TWICE, "twice<<<4, 16>>>(d, e); shift<<<4, 16>>>(d, e);");
    assert!(matches!(unchanged(&exchanging), Shown::Contents(_)));
    let broken = after(&exchanging, "mutants/fuse-kernels-exchanging");
    assert_eq!(broken, Shown::Defects(vec![DefectKind::DataRace]));
}

#[test]
fn a_kernel_is_split_at_a_barrier_unless_threads_carry_something() {
    let through_memory = "__global__ void both(int *in, int *out) {\n\
                          \x20 int i = threadIdx.x;\n\
                          \x20 in[i] = in[i] * 2;\n\
                          \x20 __syncthreads();\n\
                          \x20 out[i] = in[63 - i];\n}\n";
    let program = with_device(through_memory, "both<<<1, 64>>>(d, e);");
    let split = keeps(&program, "split-kernel");
    let text = gridlock_semantics::print::program(&split, Default::default());
    assert_eq!(text.matches("<<<").count(), 2, "{text}");

    let through_shared = "__global__ void both(int *in, int *out) {\n\
                          \x20 __shared__ int t[64];\n\
                          \x20 t[threadIdx.x] = in[threadIdx.x];\n\
                          \x20 __syncthreads();\n\
                          \x20 out[threadIdx.x] = t[63 - threadIdx.x];\n}\n";
    let program = with_device(through_shared, "both<<<1, 64>>>(d, e);");
    assert!(!applies(&program, "split-kernel"));
    let broken = after(&program, "mutants/split-kernel-carrying");
    assert_eq!(broken, Shown::Defects(vec![DefectKind::UninitialisedRead]));
}

#[test]
fn a_copy_of_what_is_there_goes() {
    let copies = "cudaMemcpy(b, e, 64 * sizeof(int), cudaMemcpyDeviceToHost);\n\
                  \x20 cudaMemcpy(e, b, 64 * sizeof(int), cudaMemcpyHostToDevice); int m = n + 1;";
    let program = with_device(TWICE, &format!("twice<<<4, 16>>>(d, e); {copies}"));
    let lean = keeps(&program, "copy-elimination");
    let count = |program: &Program| {
        let text = gridlock_semantics::print::program(program, Default::default());
        text.matches("copy").count()
    };
    assert!(count(&lean) < count(&program));
    // A launch between the two writes what is copied back.
    let needed = with_device(TWICE, "twice<<<4, 16>>>(d, e);");
    assert!(!applies(&needed, "copy-elimination"));
    let broken = after(&needed, "mutants/copy-elimination-late");
    assert_ne!(broken, unchanged(&needed));
}

#[test]
fn a_copy_of_what_nobody_reads_goes() {
    let overwritten =
        "cudaMemcpy(d, b, 64 * sizeof(int), cudaMemcpyHostToDevice); twice<<<4, 16>>>(d, e);";
    let program = with_device(TWICE, overwritten);
    let lean = keeps(&program, "copy-elimination");
    let text = gridlock_semantics::print::program(&lean, Default::default());
    // What `d` got first is gone; what `e` got may be left in cells that the launch does not write.
    assert_eq!(text.matches("copy_gpu").count(), 2, "{text}");
    let read = with_device(TWICE, "twice<<<4, 16>>>(d, e);");
    assert!(!applies(&read, "copy-elimination"));
    let broken = after(&read, "mutants/copy-elimination-live");
    assert_eq!(broken, Shown::Defects(vec![DefectKind::UninitialisedRead]));
}

#[test]
fn in_a_block_of_two_dimensions_a_column_is_not_one_thread() {
    let text = "__global__ void k(const int *in, int *out) {\n\
                \x20 int t = threadIdx.y * blockDim.x + threadIdx.x;\n\
                \x20 int sum = in[t]; sum = sum + 1; out[t] = sum;\n}\n";
    let program = source(Language::Cuda, text);
    let mut setup = kernel_setup(&program, 1, 4, 8, 3);
    if let Some(launch) = &mut setup.launch {
        launch.block = [4, 2, 1];
    }
    let flat = "mutants/promote-private-flat";
    let flat = transformed(&program, flat, &[("variable", "sum")]).program;
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    assert_eq!(run(&flat, &setup, "cuda").0, race);
    let promoted = transformed(&program, "promote-private", &[("variable", "sum")]);
    let says = |a: &gridlock_transforms::Assumption| a.text == "a block has one dimension";
    assert!(promoted.assumptions.iter().any(says));
}

#[test]
fn a_private_variable_moves_to_a_cell_of_its_own() {
    let text = "int sum = in[tid]; for (int r = 0; r < 3; r++) { if (sum > 0) { sum = sum - r; } } \
                out[tid] = sum;";
    let program = kernel(1, text);
    let expected = shown(&program, 8);
    let moved = transformed(&program, "promote-private", &[("variable", "sum")]).program;
    assert_eq!(shown(&moved, 8), expected);
    let broken = "mutants/promote-private-shared";
    let broken = transformed(&program, broken, &[("variable", "sum")]).program;
    assert_eq!(
        shown(&broken, 8),
        Shown::Defects(vec![DefectKind::DataRace])
    );
}
