//! Analyses against runs. Each has a *probe*: a rule whose only condition is the analysis and whose
//! result differs from its source, or has a defect, where a yes (or a no) of the analysis is wrong.
//! Probes are applied wherever they match in random programs, and nothing changes; the same rule
//! without the condition (an analysis that always agrees) is caught on the same programs.

use crate::judging::probing::{Case, probe};
use crate::judging::sequential::{Choices, nests, one_by_one, sequential};
use crate::judging::*;
use gridlock_frontend::Language;
use gridlock_generation::random::{Sizes, race_free};
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};

fn loops() -> Vec<Case> {
    sequential()
        .into_iter()
        .take(200)
        .map(|program| {
            let name = program.procs[0].name.to_string();
            let setups = [1, 6].map(|n| host_setup_of(&program, &name, n, 16, 5));
            Case {
                program,
                setups: setups.into(),
            }
        })
        .collect()
}

/// Iterations in another order: backwards, and beginning in the middle.
const ORDERS: [&str; 2] = ["$n - 1 - k", "(k + 2) % $n"];

#[test]
fn independent_iterations_run_in_any_order() {
    let cases = loops();
    for order in ORDERS {
        let rule = format!(
            "for ($i = 0; $i < $n; $i = $i + 1) $body\n\
             [ CONDITION only_here($i), invariant($n, $body) ]\n\
             -> for (auto k = 0; k < $n; k = k + 1) {{ $i = {order}; $body }}"
        );
        let both = "independent($body, $i), private_scalars($body),";
        probe(&cases, &rule, both, "private_scalars($body),", 20);
        probe(&cases, &rule, both, "independent($body, $i),", 20);
    }
}

#[test]
fn rows_do_not_meet() {
    let sizes = [(2, 2), (3, 3), (4, 2), (2, 4)];
    let case = |program: Program| {
        let setup = |&(m, n): &(i32, i32)| nest_setup(&program, m, n, 60);
        let setups = sizes.iter().map(setup).collect();
        Case { program, setups }
    };
    let cases: Vec<Case> = nests().into_iter().map(case).collect();
    for order in ORDERS {
        let rule = format!(
            "for ($i = 0; $i < $n; $i = $i + 1) $body\n\
             [ CONDITION only_here($i), invariant($n, $body), selected($i, \"i\") ]\n\
             -> for (auto o = 0; o < $n; o = o + 1) {{ $i = {order}; $body }}"
        )
        .replace("k +", "o +")
        .replace("- k", "- o");
        let both = "independent_unless_overflow($body, $i, $n), private_scalars($body),";
        probe(&cases, &rule, both, "private_scalars($body),", 60);
    }
}

#[test]
fn what_is_invariant_does_not_change() {
    let rule = "if ($u) { $p* }\n[ CONDITION ]\n\
                -> if ($u) { $p* int same = 1 / (($u) ? 1 : 0); }";
    let cases = loops();
    probe(&cases, rule, "invariant($u, { $p* })", "1 == 1", 20);
}

#[test]
fn what_is_not_written_stays_and_what_is_not_used_does_not_matter() {
    let cases = loops();
    let stays = "__host__ void $f($before*, $a, $after*) { $head* $p $rest* }\n\
                 [ shared_not, CONDITION ]\n\
                 -> __host__ void $f($before*, $a, $after*) {\n\
                 $head* int first = $a[3]; int second = $a[6];\n\
                 $p\n\
                 int same = 1 / ((first == $a[3] && second == $a[6]) ? 1 : 0); $rest* }"
        .replace("shared_not", "!scalar($a)");
    probe(&cases, &stays, "!writes($p, $a)", "1 == 1", 50);
    let apart = stays
        .replace(
            "int second = $a[6];",
            "int second = $a[6]; $a[3] = first + 5;",
        )
        .replace("first == $a[3]", "first + 5 == $a[3]")
        .replace("$rest*", "$a[3] = first; $rest*")
        .replace("$head* $p $a[3] = first; $rest*", "$head* $p $rest*");
    probe(&cases, &apart, "!uses($p, $a)", "1 == 1", 20);
}

#[test]
fn what_is_not_assigned_keeps_its_value() {
    let rule = "$x = $e; $p\n[ CONDITION ]\n\
                -> $x = $e; auto before = $x; $p int same = 1 / (before == $x ? 1 : 0);";
    let cases = loops();
    probe(&cases, rule, "!assigns($p, $x)", "1 == 1", 50);
}

#[test]
fn statements_without_memory_and_variables_in_common_change_places() {
    let rule = "$p $q\n[ CONDITION no_exit({ $p $q }) ]\n-> $q $p";
    let cases = loops();
    let both = "no_memory($p), no_shared_scalars($p, $q),";
    probe(&cases, rule, both, "no_shared_scalars($p, $q),", 2);
    probe(&cases, rule, both, "no_memory($p),", 2);
}

const SIZES: Sizes = Sizes {
    threads: 6,
    blocks: 2,
    all_threads: 12,
    statements: 14,
    depth: 3,
    expression_depth: 2,
    iterations: 3,
    early_return: true,
    all_types: true,
    exchanges: false,
    beyond_core: false,
};

fn kernels() -> Vec<Case> {
    let one = |seed| {
        let generated = race_free(seed, &SIZES);
        Case {
            program: generated.program,
            setups: vec![generated.setup],
        }
    };
    (0..300).map(one).collect()
}

#[test]
fn what_is_uniform_is_the_same_for_all_threads_of_a_block() {
    let cases = kernels();
    for (source, value) in [
        ("if ($u) $p else $q", "($u ? 1 : 0)"),
        ("$x = $u;", "(int)($u != 0 ? 1 : 0)"),
    ] {
        let rule = format!(
            "__global__ void $k($ps*) {{ $head* {source} $rest* }}\n\
             [ CONDITION, no_exit({{ $head* }}) ]\n\
             where __shared__ int seen[1]\n\
             -> __global__ void $k($ps*) {{ $head*\n\
             if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {{ seen[0] = {value}; }}\n\
             __syncthreads();\n\
             int same = 1 / (seen[0] == {value} ? 1 : 0);\n\
             {source} $rest* }}"
        );
        probe(&cases, &rule, "uniform($u)", "1 == 1", 5);
    }
}

/// Pointers computed from one another, allocated, and handed over.
fn pointers() -> Vec<Case> {
    let mut choices = Choices(7);
    let mut text = String::new();
    for k in 0..200 {
        let p = choices.of(&["a + 1", "b", "b + 2", "a"]);
        let q = choices.of(&["a", "p", "p + 1", "b + 1", "(n > 3 ? a : p)"]);
        let [one, two, three] = [0; 3].map(|_| choices.of(&["p", "q", "m", "a", "c", "l"]));
        let [i, j] = [0; 2].map(|_| choices.below(4));
        text += &format!(
            "void f{k}(int *a, int *b, int n) {{\n\
             \x20 int l[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}; int t = 0;\n\
             \x20 int *m = (int *)malloc(8 * sizeof(int)); int *c = (int *)malloc(8 * sizeof(int));\n\
             \x20 for (int i = 0; i < 8; i++) {{ m[i] = i; c[i] = 2 * i; }}\n\
             \x20 int *p = {p}; int *q = {q};\n\
             \x20 {one}[{i}] = 70 + n;\n\
             \x20 t = {two}[{j}];\n\
             \x20 {three}[{j}] = t + {one}[{i}];\n\
             \x20 b[7] = t; b[8] = {three}[1];\n\
             \x20 free(m); free(c);\n}}\n"
        );
    }
    let all = source(Language::C, &format!("#include <stdlib.h>\n{text}"));
    let case = |program: Program| {
        let name = program.procs[0].name.to_string();
        let setups = vec![host_setup_of(&program, &name, 5, 16, 3)];
        Case { program, setups }
    };
    one_by_one(&all).into_iter().map(case).collect()
}

#[test]
fn what_points_elsewhere_is_not_changed() {
    let rule = "$a[$i] = $e; $x = $b[$j];\n\
                [ CONDITION ]\n\
                -> $x = $b[$j]; $a[$i] = $e;";
    let cases = pointers();
    probe(&cases, rule, "no_alias([$a, $b])", "1 == 1", 40);
}

/// Copies and launches in any order.
fn transfers() -> Vec<Case> {
    let mut choices = Choices(11);
    let kernels = "__global__ void twice(const int *in, int *out) {\n\
                   \x20 out[threadIdx.x] = in[threadIdx.x] * 2;\n}\n\
                   __global__ void fill(int *out, int c) { out[threadIdx.x] = c; }\n\
                   __global__ void add(int *out, int c) { out[threadIdx.x] = out[threadIdx.x] + c; }\n";
    let step = |choices: &mut Choices| {
        let (d, h) = (choices.of(&["d", "e"]), choices.of(&["a", "b", "h"]));
        let size = "8 * sizeof(int)";
        match choices.below(8) {
            0..3 => format!("cudaMemcpy({d}, {h}, {size}, cudaMemcpyHostToDevice);"),
            3 => format!("cudaMemcpy({d}, {h}, 4 * sizeof(int), cudaMemcpyHostToDevice);"),
            4 => format!("cudaMemcpy({h}, {d}, {size}, cudaMemcpyDeviceToHost);"),
            5 => "twice<<<1, 8>>>(d, e);".to_owned(),
            6 => format!("fill<<<1, 4>>>({d}, n);"),
            _ => format!("if (n > 5) {{ add<<<1, 8>>>({d}, n); }}"),
        }
    };
    let function = |k: u64| {
        let steps: Vec<String> = (0..3 + choices.below(5))
            .map(|_| step(&mut choices))
            .collect();
        format!(
            "void f{k}(int *a, int *b, int n) {{\n\
             \x20 int *d, *e; int *h = (int *)malloc(8 * sizeof(int));\n\
             \x20 for (int i = 0; i < 8; i++) {{ h[i] = i; }}\n\
             \x20 cudaMalloc(&d, 8 * sizeof(int)); cudaMalloc(&e, 8 * sizeof(int));\n\
             \x20 cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);\n\
             \x20 cudaMemcpy(e, b, 8 * sizeof(int), cudaMemcpyHostToDevice);\n\
             \x20 {}\n\
             \x20 cudaMemcpy(b, e, 8 * sizeof(int), cudaMemcpyDeviceToHost);\n\
             \x20 cudaFree(d); cudaFree(e); free(h);\n}}\n",
            steps.join("\n  ")
        )
    };
    let functions: String = (0..60).map(function).collect();
    let text = format!("#include <stdlib.h>\n{kernels}\n{functions}");
    let all = source(Language::Cuda, &text);
    let kernels = all.procs_of_kind(ProcKind::Kernel).count();
    let case = |proc: &Procedure| {
        let mut procs = all.procs[..kernels].to_vec();
        procs.push(proc.clone());
        let mut program = Program {
            procs,
            ..all.clone()
        };
        program.number_operators();
        let setups = [5, 6].map(|n| host_setup_of(&program, &proc.name, n, 8, 3));
        let setups = setups.into();
        Case { program, setups }
    };
    all.procs[kernels..].iter().map(case).collect()
}

#[test]
fn what_is_dead_is_not_missed() {
    let cases = transfers();
    for copy in ["copy_gpu($to, $from, $n);", "copy_back($to, $from, $n);"] {
        let rule = format!(
            "__host__ void $f($ps*) {{ $before* {copy} $rest* }}\n[ CONDITION ]\n\
             -> __host__ void $f($ps*) {{ $before* $rest* }}"
        );
        probe(&cases, &rule, "dead({ $rest* }, $to)", "1 == 1", 5);
    }
}
