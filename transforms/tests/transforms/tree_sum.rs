//! T4 to T8 on the tree sum, each step and its mutant judged by running them.

use crate::judging::*;
use gridlock_checker::finding::DefectKind;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::Program;

/// The sums of the blocks: of the original's cells `out[b * block]`, of a transformed program's
/// cells `out[b]`.
fn sums(program: &Program, grid: u32, block: u32, profile: &str, stride: u32) -> Vec<i64> {
    let setup = kernel_setup(program, grid, block, 128, 5);
    match run(program, &setup, profile).0 {
        Shown::Contents(cells) => (0..grid).map(|b| cells[1][(b * stride) as usize]).collect(),
        Shown::Defects(kinds) => panic!("{kinds:?}"),
    }
}

fn chain(systems: &[&str]) -> Program {
    let mut program = example("tree-sum/tree_sum.cu");
    for system in systems {
        let params: &[(&str, &str)] = if system.ends_with("shared-memory") {
            &[("tile", "64")]
        } else {
            &[]
        };
        program = transformed(&program, system, params).program;
    }
    program
}

#[test]
fn every_step_of_the_paper_keeps_the_sums() {
    let original = chain(&[]);
    let chains: [(&[&str], &str); 5] = [
        (&["shared-memory"], "cuda"),
        (&["shared-memory", "contiguous-threads"], "cuda"),
        (&["shared-memory", "shrinking-distance"], "cuda"),
        (
            &["shared-memory", "shrinking-distance", "unroll-last-warp"],
            "lockstep-warp",
        ),
        (
            &[
                "shared-memory",
                "shrinking-distance",
                "unroll-last-warp-sync",
            ],
            "cuda",
        ),
    ];
    for (systems, profile) in chains {
        let program = chain(systems);
        let expected = sums(&original, 2, 64, "cuda", 64);
        assert_eq!(sums(&program, 2, 64, profile, 1), expected, "{systems:?}");
    }
}

#[test]
fn smaller_blocks_keep_the_sums_where_no_warp_is_unrolled() {
    let original = chain(&[]);
    let tiled = chain(&["shared-memory"]);
    let shrinking = chain(&["shared-memory", "shrinking-distance"]);
    for block in [1, 2, 8, 32] {
        let expected = sums(&original, 4, block, "cuda", block);
        assert_eq!(sums(&tiled, 4, block, "cuda", 1), expected, "{block}");
        assert_eq!(sums(&shrinking, 4, block, "cuda", 1), expected, "{block}");
    }
}

#[test]
fn the_unrolled_warp_races_at_the_line_of_the_addition_under_cuda() {
    let program = chain(&["shared-memory", "shrinking-distance", "unroll-last-warp"]);
    let setup = kernel_setup(&program, 1, 64, 64, 5);
    let (shown, findings) = run(&program, &setup, "cuda");
    assert_eq!(shown, Shown::Defects(vec![DefectKind::DataRace]));
    assert_eq!(race_lines(&program, &findings), Some((16, 16)));
}

#[test]
fn the_first_addition_while_loading_halves_the_blocks() {
    let tiled = chain(&["shared-memory", "shrinking-distance"]);
    let halved = transformed(&tiled, "first-addition", &[]);
    assert_eq!(sums(&halved.program, 2, 32, "cuda", 1), in_pairs(&tiled));
    let host = gridlock_semantics::print::program(&halved.program, Default::default());
    assert!(host.contains("n / 64 / 2"), "{host}");
}

#[test]
fn the_whole_tile_is_copied_out_when_asked() {
    let original = chain(&[]);
    let whole = derived(&original, "shared-memory", &whole_tile());
    let setup = kernel_setup(&original, 2, 8, 16, 3);
    let expected = run(&original, &setup, "cuda").0;
    assert_eq!(run(&whole.program, &setup, "cuda").0, expected);
}

/// Each thread takes over its neighbour's cell.
const SHIFT: &str = "__global__ void shift(const int *in, int *out) {\n\
                     \x20 int tid = threadIdx.x;\n\
                     \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                     \x20 int v = in[i];\n\
                     \x20 if (tid > 0) v += out[i - 1];\n\
                     \x20 __syncthreads();\n\
                     \x20 out[i] = v;\n\
                     }\n";

fn whole_tile() -> gridlock_transforms::Request {
    gridlock_transforms::Request {
        strategy: Some("whole-tile".into()),
        ..request(&[("tile", "16")])
    }
}

#[test]
fn a_barrier_left_out_of_the_copy_in_is_a_race() {
    let original = source(Language::Cuda, SHIFT);
    let whole = derived(&original, "shared-memory", &whole_tile());
    let mutant = derived(&original, "mutants/shared-memory-no-barrier", &whole_tile());
    let setup = kernel_setup(&original, 2, 8, 16, 3);
    let expected = run(&original, &setup, "cuda").0;
    assert_eq!(run(&whole.program, &setup, "cuda").0, expected);
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    assert_eq!(run(&mutant.program, &setup, "cuda").0, race);
}

#[test]
fn a_body_that_reaches_beyond_its_tile_is_assumed_away_and_found_out() {
    let beyond = SHIFT.replace("if (tid > 0) v += out[i - 1];", "v += out[i + 8];");
    let original = source(Language::Cuda, &beyond);
    let whole = derived(&original, "shared-memory", &whole_tile());
    let assumed = whole
        .assumptions
        .iter()
        .any(|a| a.text.contains("its own block only"));
    assert!(assumed, "{:?}", whole.assumptions);
    let setup = kernel_setup(&original, 1, 8, 16, 3);
    let expected = run(&original, &setup, "cuda").0;
    assert!(matches!(expected, Shown::Contents(_)));
    assert_ne!(run(&whole.program, &setup, "cuda").0, expected);
}

/// Every thread takes over the sum of its block.
const SPREAD: &str = "__global__ void spread(const int *in, int *out) {\n\
                      \x20 __shared__ int part[64];\n\
                      \x20 int t = threadIdx.x;\n\
                      \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
                      \x20 part[t] = in[i];\n\
                      \x20 __syncthreads();\n\
                      \x20 for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {\n\
                      \x20   if (t < s) part[t] += part[t + s];\n\
                      \x20   __syncthreads();\n\
                      \x20 }\n\
                      \x20 out[i] = part[0];\n\
                      }\n";

#[test]
fn a_sum_that_all_threads_read_keeps_a_barrier() {
    let original = source(Language::Cuda, SPREAD);
    let setup = kernel_setup(&original, 1, 64, 64, 3);
    let expected = run(&original, &setup, "cuda").0;
    assert!(matches!(expected, Shown::Contents(_)), "{expected:?}");
    let unrolled = transformed(&original, "unroll-last-warp-sync", &[]).program;
    assert_eq!(run(&unrolled, &setup, "cuda").0, expected);
    let open = transformed(&original, "mutants/unroll-last-warp-sync-open", &[]).program;
    let race = Shown::Defects(vec![DefectKind::DataRace]);
    assert_eq!(run(&open, &setup, "cuda").0, race);
}

#[test]
fn mutants_are_caught() {
    let original = chain(&[]);
    let expected = sums(&original, 2, 64, "cuda", 64);
    let wrong: [(&[&str], &str); 4] = [
        (
            &["shared-memory", "mutants/contiguous-threads-short"],
            "cuda",
        ),
        (
            &["shared-memory", "mutants/shrinking-distance-short"],
            "cuda",
        ),
        (
            &[
                "shared-memory",
                "shrinking-distance",
                "mutants/unroll-last-warp-short",
            ],
            "lockstep-warp",
        ),
        (
            &[
                "shared-memory",
                "shrinking-distance",
                "mutants/unroll-last-warp-sync-unseparated",
            ],
            "cuda",
        ),
    ];
    for (systems, profile) in wrong {
        let program = chain(systems);
        let setup = kernel_setup(&program, 2, 64, 128, 5);
        let shown = match run(&program, &setup, profile).0 {
            Shown::Contents(cells) => cells[1][..2].to_vec(),
            Shown::Defects(kinds) => {
                assert!(
                    kinds.contains(&DefectKind::DataRace),
                    "{systems:?}: {kinds:?}"
                );
                continue;
            }
        };
        assert_ne!(shown, expected, "{systems:?} was not caught");
    }
    let tiled = chain(&["shared-memory", "shrinking-distance"]);
    let overlapping = transformed(&tiled, "mutants/first-addition-overlapping", &[]).program;
    assert_ne!(sums(&overlapping, 2, 32, "cuda", 1), in_pairs(&tiled));
}

/// The sums of two blocks of 32 each.
fn in_pairs(program: &Program) -> Vec<i64> {
    let all = sums(program, 4, 32, "cuda", 1);
    all.chunks(2).map(|pair| pair.iter().sum()).collect()
}

/// What a block does with the cells that its threads loaded, and whether it adds them and nothing else.
const REDUCTIONS: [(&str, bool); 16] = [
    (
        "if (t == 0) { int s = 0; for (int k = 0; k < 4; k++) { s += part[k]; } out[blockIdx.x] = s; }",
        true,
    ),
    (
        "if (t < 2) { part[t] += part[t + 2]; } __syncthreads(); if (t == 0) { out[blockIdx.x] = part[0] + part[1]; }",
        true,
    ),
    ("if (t == 0) { out[blockIdx.x] = part[0] - part[1]; }", true),
    ("if (t == 0) { out[blockIdx.x] = -part[3]; }", true),
    (
        "if (t == 0) { int s = 1; for (int k = 0; k < 4; k++) { s += part[k]; } out[blockIdx.x] = s; }",
        false,
    ),
    (
        "if (t == 0) { out[blockIdx.x] = part[0] * part[1]; }",
        false,
    ),
    (
        "if (t == 0) { out[blockIdx.x] = part[0] > part[1] ? part[0] : part[1]; }",
        false,
    ),
    (
        "if (t == 0) { if (part[0] < part[1]) { part[0] = part[1]; } out[blockIdx.x] = part[0]; }",
        false,
    ),
    ("if (t == 0) { out[blockIdx.x] = part[0] & 7; }", false),
    ("if (t == 0) { out[blockIdx.x] = (short)part[0]; }", false),
    ("if (t == 0) { out[blockIdx.x] = 5; }", false),
    ("if (t == 0) { out[blockIdx.x] = part[blockIdx.x]; }", false),
    (
        "if (t == 0) { if (blockIdx.x > 0) { part[0] = part[1]; } out[blockIdx.x] = part[0]; }",
        false,
    ),
    (
        "if (t == 0) { out[blockIdx.x] = part[0] + gridDim.x; }",
        false,
    ),
    (
        "if (t == 0) { int n = part[2] & 3; int s = 0; for (int k = 0; k < n; k++) { s += part[k]; } out[blockIdx.x] = s; }",
        false,
    ),
    (
        "if (t == 0) { atomicMax(out + blockIdx.x, part[0]); }",
        false,
    ),
];

/// A rule that takes for granted what the analysis says, against runs: what is no sum comes out as another
/// result, but for those where the inputs do not show it.
#[test]
fn only_sums_are_added_while_loading() {
    let mut caught = 0;
    for (reduction, is_sum) in REDUCTIONS {
        let text = format!(
            "__global__ void k(const int *in, int *out) {{\n\
             \x20 __shared__ int part[4];\n\
             \x20 int t = threadIdx.x;\n\
             \x20 int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
             \x20 part[t] = in[i];\n\
             \x20 __syncthreads();\n\
             \x20 {reduction}\n}}\n"
        );
        let original = source(Language::Cuda, &text);
        let rules = gridlock_transforms::RuleSystem::built_in("first-addition").expect("built in");
        let none = gridlock_transforms::NoOracle;
        let applied = gridlock_transforms::apply(&original, &rules, &request(&[]), &none);
        let applies = !applied.expect("it runs").applications.is_empty();
        assert_eq!(applies, is_sum, "{reduction}");
        let any = transformed(&original, "mutants/first-addition-any", &[]).program;
        let cells = |program: &Program, grid: u32| match run(
            program,
            &kernel_setup(program, grid, 4, 16, 5),
            "cuda",
        )
        .0
        {
            Shown::Contents(cells) => cells[1].clone(),
            Shown::Defects(kinds) => panic!("{reduction}: {kinds:?}"),
        };
        let (before, after) = (cells(&original, 4), cells(&any, 2));
        let same = (0..2).all(|b| after[b] as i32 == (before[2 * b] + before[2 * b + 1]) as i32);
        assert!(same || !is_sum, "{reduction}");
        caught += usize::from(!same);
    }
    assert!(caught >= 10, "{caught} caught");
}
