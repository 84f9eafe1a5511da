//! Analyses of what threads do beside each other, against every schedule of small programs: as in
//! `analyses.rs`, but source and result are explored.

use crate::judging::probing::{Case, probe_schedules, probe_system};
use crate::judging::sequential::{Choices, sequential};
use crate::judging::*;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::{Procedure, Program};

/// Kernels of two threads that write, read and meet, many of them rightly.
fn kernels() -> Vec<Case> {
    let mut choices = Choices(23);
    let statement = |choices: &mut Choices| match choices.below(17) {
        0 | 1 => "cell[t] = x + 1;",
        2 => "x = x + cell[t];",
        3 => "x = x + cell[(t + 1) % 2];",
        4 => "cell[(t + 1) % 2] = x;",
        5..9 => "__syncthreads();",
        9 => "meet();",
        10 => "if (x > 0) { cell[t] = 5; }",
        11 => "if (r > 1) { __syncthreads(); cell[t] = r; }",
        12 => "r = r + blockDim.x;",
        13 => "if (t > 0) { r = r + 1; }",
        14 => "if (x < 0) { x = 0; } else { r = x; }",
        15 => "if (x > 20) { return; }",
        _ => "if (gridDim.x > 1) { return; }",
    };
    let kernel = |number: u64| {
        let n_statements = 2 + choices.below(4);
        let body: Vec<&str> = (0..n_statements).map(|_| statement(&mut choices)).collect();
        format!(
            "__global__ void k{number}(const int *in, int *out) {{\n\
             \x20 int t = threadIdx.x; int x = in[t]; int r = 1;\n\
             \x20 cell[t] = x;\n\
             \x20 __syncthreads();\n\
             \x20 {}\n\
             \x20 out[t] = x + r;\n}}\n",
            body.join("\n  ")
        )
    };
    let kernels: String = (0..100).map(kernel).collect();
    let text = format!(
        "__shared__ int cell[2];\n__device__ void meet() {{ __syncthreads(); }}\n{kernels}"
    );
    let all = source(Language::Cuda, &text);
    let case = |kernel: &Procedure| {
        let mut program = Program {
            procs: vec![all.procs[0].clone(), kernel.clone()],
            ..all.clone()
        };
        program.number_operators();
        let setups = vec![kernel_setup(&program, 1, 2, 2, 4)];
        Case { program, setups }
    };
    all.procs[1..].iter().map(case).collect()
}

#[test]
fn what_passes_no_barrier_may_stand_where_threads_part() {
    let rule = "$p\n[ CONDITION no_exit($p) ]\n-> if (threadIdx.x == 0) { $p } else { $p }";
    probe_schedules(&kernels(), rule, "no_barrier($p),", "", 30);
}

#[test]
fn what_has_no_exit_goes_on_behind_it() {
    let rule = "__global__ void $k($in, $out) { $head* $p $rest* }\n\
                [ CONDITION !uses($p, $out) ]\n\
                -> __global__ void $k($in, $out) { $head*\n\
                $out[threadIdx.x] = $out[threadIdx.x] + 5;\n\
                $p\n\
                $out[threadIdx.x] = $out[threadIdx.x] - 5; $rest* }";
    probe_schedules(&kernels(), rule, "no_exit($p),", "", 30);
}

#[test]
fn no_barrier_need_stand_before_what_touches_its_own_cell() {
    let rule = "__global__ void $k($ps*) { $head* $a[$i] = $e; __syncthreads(); $rest* }\n\
                [ shared($a), CONDITION invariant($i, { $rest* }), no_exit({ $head* }) ]\n\
                -> __global__ void $k($ps*) { $head* $a[$i] = $e; $rest* }";
    probe_schedules(&kernels(), rule, "own_cell({ $rest* }, $a, $i),", "", 10);
}

#[test]
fn what_is_uniform_is_the_same_in_every_schedule() {
    let rule = "__global__ void $k($ps*) { $head* if ($u) $p else $q $rest* }\n\
                [ CONDITION no_exit({ $head* }) ]\n\
                where __shared__ int seen[1]\n\
                -> __global__ void $k($ps*) { $head*\n\
                if (threadIdx.x == 0) { seen[0] = ($u ? 1 : 0); }\n\
                __syncthreads();\n\
                int same = 1 / (seen[0] == ($u ? 1 : 0) ? 1 : 0);\n\
                if ($u) $p else $q $rest* }";
    probe_schedules(&kernels(), rule, "uniform($u),", "", 10);
}

#[test]
fn iterations_that_are_independent_are_threads() {
    let case = |program: Program| {
        let name = program.procs[0].name.to_string();
        let setups = vec![host_setup_of(&program, &name, 3, 8, 5)];
        Case { program, setups }
    };
    let cases: Vec<Case> = sequential().into_iter().take(200).map(case).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/parallelise-loop.rules");
    let text = std::fs::read_to_string(path).expect("it is there");
    // What it assumes of lengths is asked for, since some loops reach further than the arrays.
    let text = text
        .replace("assume within", "within")
        .replace("param block = 256", "param block = 2");
    assert!(text.contains(" within(") && text.contains("block = 2 "));
    let condition = "independent_unless_overflow($body, $i, $n)";
    probe_system(&cases, &text, condition, "1 == 1", 10);
}
