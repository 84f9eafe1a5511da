//! What is compared of two programs, and what is said where something is not: variables of the files, memory, what is
//! printed, parameters, aliases, bounds.

use crate::tool::{Run, run, run_in};
use gridlock_generation::effort;
use gridlock_lowering::nvcc;
use serde_json::Value;
use std::path::Path;

const LAUNCH: [&str; 4] = ["--grid", "1", "--block", "32"];

/// `equiv` of two texts.
fn equiv(old: &str, new: &str, more: &[&str]) -> Value {
    equiv_files(("old.cu", old), ("new.cu", new), more)
}

fn equiv_files(old: (&str, &str), new: (&str, &str), more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [old, new] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let arguments = [
        &["equiv", old.0, new.0, "--format", "json"],
        &LAUNCH[..],
        more,
    ];
    run_in(folder.path(), &arguments.concat()).json()
}

fn kinds<'v>(report: &'v Value, list: &str) -> Vec<&'v str> {
    let all = report[list].as_array().into_iter().flatten();
    all.filter_map(|object| object["kind"].as_str()).collect()
}

fn why(report: &Value) -> &str {
    report["properties"][0]["explanation"].as_str().unwrap()
}

const COUNTED: &str = "__device__ int total;
__global__ void k(int *o) { o[threadIdx.x] = 1; if (threadIdx.x == 0) total = 1; }";

#[test]
fn variables_of_the_file_are_observed() {
    let same = equiv(COUNTED, COUNTED, &[]);
    assert_eq!(same["verdict"], "proved", "{same:#}");
    let other = equiv(COUNTED, &COUNTED.replace("total = 1", "total = 2"), &[]);
    assert_eq!(other["verdict"], "refuted", "{other:#}");
    let message = other["defects"][0]["message"].as_str().unwrap();
    assert!(message.contains("`new.total == old.total`"), "{message}");
    // Managed memory is a variable like others.
    let managed = COUNTED.replace("__device__", "__managed__");
    let other = equiv(&managed, &managed.replace("total = 1", "total = 2"), &[]);
    assert_eq!(other["verdict"], "refuted", "{other:#}");
}

/// Variables of one name in namespaces, templates and functions are told apart.
#[test]
fn variables_of_one_name_are_told_apart() {
    let spaces = |a: &str, b: &str| {
        format!(
            "namespace A {{ __device__ int t; }} namespace B {{ __device__ int t; }}
             __global__ void k(int *o) {{ o[threadIdx.x] = 0; if (threadIdx.x == 0) {{ {a} {b} }} }}"
        )
    };
    let old = spaces("A::t = 1;", "B::t = 2;");
    let verdict = |old: &str, new: &str| {
        let report = equiv(old, new, &[]);
        report["verdict"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(verdict(&old, &old), "proved");
    assert_eq!(verdict(&old, &spaces("A::t = 1;", "B::t = 3;")), "refuted");
    // Each uses one of them, and not the same.
    assert_eq!(
        verdict(&spaces("A::t = 5;", ""), &spaces("B::t = 5;", "")),
        "unknown"
    );
    let instances = |first: u32, second: u32| {
        format!(
            "template <int N> __device__ int tv;
             __global__ void k(int *o) {{ o[threadIdx.x] = 0; if (threadIdx.x == 0) {{ tv<3> = {first}; tv<4> = {second}; }} }}"
        )
    };
    assert_eq!(verdict(&instances(1, 2), &instances(2, 1)), "refuted");
    let functions = |second: u32| {
        format!(
            "__device__ void f() {{ static int c; if (threadIdx.x == 0) c = 1; }}
             __device__ void g() {{ static int c; if (threadIdx.x == 0) c = {second}; }}
             __global__ void k(int *o) {{ f(); g(); o[threadIdx.x] = 1; }}"
        )
    };
    assert_eq!(verdict(&functions(1), &functions(2)), "refuted");
    // With its function's name that of a static variable changes for the linker.
    let alone = |f: &str, value: u32| {
        format!(
            "__device__ void {f}() {{ static int c; if (threadIdx.x == 0) c = {value}; }}
             __global__ void k(int *o) {{ {f}(); o[threadIdx.x] = 1; }}"
        )
    };
    assert_eq!(verdict(&alone("f", 1), &alone("h", 1)), "proved");
    assert_eq!(verdict(&alone("f", 1), &alone("h", 2)), "refuted");
    let outside = "static __device__ int c_2;
         __global__ void k(int *o) { if (threadIdx.x == 0) c_2 = 1; o[threadIdx.x] = 1; }";
    assert_eq!(verdict(&alone("f", 1), outside), "proved");
    let renamed = functions(1).replace("f()", "h()").replace("g()", "i()");
    assert_eq!(verdict(&functions(1), &renamed), "unknown");
    // Tables that a host may fill hold the same on both sides.
    let tables = "namespace B { __constant__ int t[32]; } namespace A { __constant__ int t[32]; }
        __global__ void k(int *o) { o[threadIdx.x] = A::t[threadIdx.x] + 2 * B::t[threadIdx.x]; }";
    let turned = tables.replace(
        "A::t[threadIdx.x] + 2 * B::t[threadIdx.x]",
        "2 * B::t[threadIdx.x] + A::t[threadIdx.x]",
    );
    let same = verdict(tables, &turned);
    assert!(same == "proved" || same == "passed", "{same}");
}

/// Also those of one name.
#[test]
fn static_variables_of_host_functions_are_observed() {
    let text = |first: u32, second: &str| {
        format!(
            "static void f(int *o) {{ static int n; o[0] = n; n = {first}; }}
             void k(int *o) {{ static int n[2]; f(o); n[o[0] & 1] = {second}; o[0] = 3; }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let verdict = |new: &str| {
        std::fs::write(folder.path().join("old.c"), text(1, "5")).unwrap();
        std::fs::write(folder.path().join("new.c"), new).unwrap();
        let command = [
            "equiv", "old.c", "new.c", "--kernel", "k", "--format", "json",
        ];
        let report = run_in(folder.path(), &command).json();
        report["verdict"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(verdict(&text(1, "5")), "proved");
    assert_eq!(verdict(&text(2, "5")), "refuted");
    assert_eq!(verdict(&text(1, "6")), "refuted");
    // Another cell from the second call on alone is another program, too.
    let moved = text(1, "5").replace("n[o[0] & 1]", "n[(o[0] & 1) ^ 1]");
    assert_eq!(verdict(&moved), "refuted");
    let unused = "void k(int *o) { o[0] = 3; }";
    assert_eq!(verdict(unused), "unknown");
    // Which of two is which is not known.
    let two = text(1, "5").replace(
        "void f(int *o) {",
        "void f(int *o) { { static int n; n = 7; }",
    );
    assert_eq!(verdict(&two), "unknown");
}

#[test]
fn what_a_returned_pointer_leads_to_is_open() {
    let makes = |n: u32| {
        format!(
            "#include <cuda_runtime.h>
             __global__ void k(int *a) {{ a[threadIdx.x] = {n}; }}
             int *f() {{ int *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d); cudaDeviceSynchronize(); return d; }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.cu"), makes(1)).unwrap();
    std::fs::write(folder.path().join("new.cu"), makes(2)).unwrap();
    let command = [
        "equiv", "old.cu", "new.cu", "--kernel", "f", "--format", "json",
    ];
    let report = run_in(folder.path(), &command).json();
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    assert!(
        why(&report).contains("pointer that is returned"),
        "{report:#}"
    );
}

#[test]
fn what_only_the_new_program_assumes_is_told() {
    let old = "__global__ void k(int *a, const int *b) { a[threadIdx.x] = b[threadIdx.x]; }";
    let new = "__global__ void k(int *a, const int *b) {
                   __assume(b[threadIdx.x] >= 0); a[threadIdx.x] = abs(b[threadIdx.x]); }";
    let report = equiv(old, new, &[]);
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    assert!(
        why(&report).contains("assumes what the old one does not"),
        "{report:#}"
    );
}

#[test]
fn all_nans_are_one() {
    let kernel = |value: &str| {
        format!("__global__ void k(float *a) {{ a[threadIdx.x] = __int_as_float({value}); }}")
    };
    let report = equiv(
        &kernel("0x7fc00001"),
        &kernel("0x7fc00002"),
        &["--extent", "a=32"],
    );
    assert_eq!(report["verdict"], "passed", "{report:#}");
    let number = equiv(
        &kernel("0x7fc00001"),
        &kernel("0x7f800000"),
        &["--extent", "a=32"],
    );
    assert_eq!(number["verdict"], "refuted", "{number:#}");
}

#[test]
fn a_range_that_runs_backwards_is_no_map() {
    let folder = tempfile::tempdir().unwrap();
    let text = "__global__ void k(int *a) { a[threadIdx.x] = 1; }";
    std::fs::write(folder.path().join("k.cu"), text).unwrap();
    let map = "new.a[i] == old.a[i] for i in 5..2";
    let command = [
        "equiv",
        "k.cu",
        "k.cu",
        "--grid",
        "1",
        "--block",
        "32",
        "--observe",
        map,
    ];
    let report = run_in(folder.path(), &command);
    assert_eq!(report.status, 2, "{}", report.stdout);
    assert!(
        report.stderr.contains("runs backwards"),
        "{}",
        report.stderr
    );
}

/// Where several functions have one name, none is taken without a word.
#[test]
fn a_name_of_several_functions_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let text = "__global__ void k(int *a) { a[threadIdx.x] = 1; }
                __global__ void k(float *a) { a[0] = threadIdx.x; }";
    std::fs::write(folder.path().join("k.cu"), text).unwrap();
    let check = |name: &str| {
        let launch = ["--grid", "1", "--block", "32", "--require", "schedules"];
        run_in(
            folder.path(),
            &[&["check", "k.cu", "--kernel", name], &launch[..]].concat(),
        )
    };
    let asked = check("k");
    assert_eq!(asked.status, 2);
    assert!(asked.stderr.contains("k_1, k_2"), "{}", asked.stderr);
    assert_eq!(check("k_1").status, 0);
    assert_eq!(check("k_2").status, 1);
}

#[test]
fn variables_of_the_host_are_observed() {
    let counts = |by: &str| {
        format!(
            "int calls;
             void f(int *a) {{ calls += {by}; a[0] = 1; }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old.c"), counts("1")).unwrap();
    for (by, status) in [("1", 0), ("2", 1)] {
        std::fs::write(folder.path().join("new.c"), counts(by)).unwrap();
        let compared = run_in(
            folder.path(),
            &[
                "equiv",
                "old.c",
                "new.c",
                "--extent",
                "a=4",
                "--require",
                "schedules",
            ],
        );
        assert_eq!(
            compared.status, status,
            "{}{}",
            compared.stdout, compared.stderr
        );
    }
}

/// Null pointers are among no samples and no proof: that is said where a program asks for them.
#[test]
fn that_no_pointer_is_null_is_said_where_one_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cu");
    let asks = "__global__ void k(int *a, int *b) { if (b) b[threadIdx.x] = 1; else a[0] = threadIdx.x; }
                __global__ void same(int *a, int *b) { if (b != nullptr) b[threadIdx.x] = 1; else a[0] = 7; }
                __global__ void plain(int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; }";
    std::fs::write(&path, asks).unwrap();
    let file = path.to_str().unwrap();
    let launch = ["--grid", "1", "--block", "32", "--format", "json"];
    let said = |command: &[&str]| -> Vec<Value> {
        let report = run(&[command, &launch].concat()).json();
        let assumed = report["assumed"].as_array().unwrap().clone();
        let not_null = assumed.iter().filter(|of| of["kind"] == "not-null");
        not_null
            .map(|of| of["arguments"]["arguments"].clone())
            .collect()
    };
    let both = serde_json::json!(["a", "b"]);
    assert_eq!(
        said(&["check", file, "-k", "k"]),
        std::slice::from_ref(&both)
    );
    assert_eq!(
        said(&["summarise", file, "-k", "same"]),
        std::slice::from_ref(&both)
    );
    let sides = ["equiv", file, file, "--a-kernel", "k", "--b-kernel", "same"];
    assert_eq!(said(&sides), [both.clone(), both]);
    assert_eq!(said(&["check", file, "-k", "plain"]), Vec::<Value>::new());
    // One that is given is judged.
    let given = ["check", file, "-k", "k", "--arg", "b=0"];
    assert_eq!(said(&given), [serde_json::json!(["a"])]);
    assert_eq!(
        run(&[&given[..], &launch].concat()).json()["verdict"],
        "refuted"
    );
}

#[test]
fn a_variable_that_is_gone_is_missed() {
    let alone = "__global__ void k(int *o) { o[threadIdx.x] = 1; }";
    let gone = equiv(COUNTED, alone, &[]);
    assert_eq!(gone["verdict"], "unknown", "{gone:#}");
    assert!(why(&gone).contains("may write `total`"), "{gone:#}");
    let left_out = "old.total[i] == old.total[i] for i in 0..0";
    let mapped = equiv(COUNTED, alone, &["--observe", left_out]);
    assert_eq!(mapped["verdict"], "proved", "{mapped:#}");
    // One that is new may be one that the old program has and does not use.
    let come = equiv(alone, COUNTED, &[]);
    assert_eq!(come["verdict"], "unknown", "{come:#}");
    assert!(
        why(&come).contains("the new program may write `total`"),
        "{come:#}"
    );
    let left_out = "new.total[i] == new.total[i] for i in 0..0";
    let mapped = equiv(alone, COUNTED, &["--observe", left_out]);
    assert_eq!(mapped["verdict"], "proved", "{mapped:#}");
    assert!(
        kinds(&mapped, "remarked").contains(&"observed"),
        "{mapped:#}"
    );
    // A table that is only read is part of the program.
    let table = "__device__ int table[2] = {1, 1};
                 __global__ void k(int *o) { o[threadIdx.x] = table[0]; }";
    let folded = equiv(table, alone, &[]);
    assert_eq!(folded["verdict"], "proved", "{folded:#}");
}

#[test]
fn nothing_compared_is_nothing_shown() {
    let kernel = |n: &str| format!("__global__ void k(int *o) {{ o[threadIdx.x] = {n}; }}");
    let nothing = "new.o[b] == old.o[b] for b in 0..0";
    let compared = equiv(&kernel("1"), &kernel("2"), &["--observe", nothing]);
    assert_eq!(compared["verdict"], "unknown", "{compared:#}");
    assert!(why(&compared).contains("no value falls under the observation map"));
    let empty = "__global__ void k(const int *o) {}";
    let compared = equiv(empty, empty, &["--inputs", "random:3:1"]);
    assert_eq!(compared["verdict"], "unknown", "{compared:#}");
}

#[test]
fn how_parameters_are_paired_is_said() {
    let kernel =
        |params: &str| format!("__global__ void k(int *o, {params}) {{ o[threadIdx.x] = a - b; }}");
    let swapped = equiv(&kernel("int a, int b"), &kernel("int b, int a"), &[]);
    assert!(
        kinds(&swapped, "remarked").contains(&"paired-by-name"),
        "{swapped:#}"
    );
    let same = equiv(&kernel("int a, int b"), &kernel("int a, int b"), &[]);
    assert!(
        !kinds(&same, "remarked").contains(&"paired-by-name"),
        "{same:#}"
    );
}

#[test]
fn what_is_assumed_of_aliases_and_not_judged_of_bounds_is_said() {
    let old = "__global__ void k(int *y, const int *x, int n) {
                   int i = threadIdx.x; for (int k = 0; k < n; k++) y[i] = y[i] + x[i]; }";
    let new = "__global__ void k(int *y, const int *x, int n) {
                   int i = threadIdx.x; int t = x[i]; for (int k = 0; k < n; k++) y[i] = y[i] + t; }";
    let moved = equiv(old, new, &[]);
    assert!(
        kinds(&moved, "assumed").contains(&"no-aliasing"),
        "{moved:#}"
    );
    let old = "__global__ void k(int *o, const int *x) { int i = threadIdx.x; o[i] = x[i]; }";
    let further = old.replace("x[i];", "x[i] + 0 * x[i + 1];");
    let open = equiv(old, &further, &[]);
    assert_eq!(
        kinds(&open, "not_judged"),
        ["bounds-without-extent"],
        "{open:#}"
    );
    let extents = ["--extent", "o=32", "--extent", "x=32"];
    let known = equiv(old, &further, &extents);
    assert_eq!(known["verdict"], "refuted", "{known:#}");
    assert!(kinds(&known, "not_judged").is_empty(), "{known:#}");
}

/// What a function stands for is not what a device computes: that is said where one of the programs calls one.
#[test]
fn functions_that_devices_approximate_are_named() {
    let kernel = |value: &str| {
        format!(
            "__global__ void k(const float *x, float *o) {{ int i = threadIdx.x; o[i] = {value}; }}"
        )
    };
    for (exact, fast, name) in [
        ("1.0f / sqrtf(x[i])", "rsqrtf(x[i])", "rsqrtf"),
        ("expf(x[i])", "__expf(x[i])", "__expf"),
        ("x[i] / 3.0f", "__fdividef(x[i], 3.0f)", "__fdividef"),
    ] {
        let report = equiv(&kernel(exact), &kernel(fast), &[]);
        assert_eq!(report["verdict"], "proved", "{report:#}");
        let all = report["assumed"].as_array().unwrap();
        let named = all.iter().find(|a| a["kind"] == "approximated");
        assert_eq!(named.unwrap()["arguments"]["function"], name, "{report:#}");
        let report = equiv(&kernel(exact), &kernel(exact), &[]);
        assert!(
            !kinds(&report, "assumed").contains(&"approximated"),
            "{report:#}"
        );
    }
}

/// OpenCL leaves open how exact the functions of whole vectors are.
#[test]
fn geometric_functions_of_opencl_are_named() {
    let kernel = |value: &str| {
        format!(
            "__kernel void k(__global const float2 *x, __global float *o) {{ int i = get_global_id(0); o[i] = {value}; }}"
        )
    };
    let exact = kernel("sqrt(x[i].x * x[i].x + x[i].y * x[i].y)");
    let composed = kernel("length(x[i])");
    let report = equiv_files(("old.cl", &exact), ("new.cl", &composed), &[]);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    assert!(
        kinds(&report, "assumed").contains(&"approximated"),
        "{report:#}"
    );
}

const PRINTS: &str = "#include <cstdio>
__global__ void k(int *o) { o[threadIdx.x] = 1; if (threadIdx.x == 3) printf(\"%d\\n\", 3); }";

#[test]
fn what_is_printed_may_differ_where_it_is_not_left_out() {
    let others = [
        PRINTS.replace("== 3", "== 4"),
        PRINTS.replace("3);", "4);"),
        PRINTS.replace("if (threadIdx.x == 3) printf(\"%d\\n\", 3);", ""),
    ];
    for other in others {
        assert_ne!(other, PRINTS);
        for (old, new) in [(PRINTS, &*other), (&*other, PRINTS)] {
            if !effort::is_next_done(4) {
                continue;
            }
            let compared = equiv(old, new, &[]);
            assert_eq!(compared["verdict"], "unknown", "{compared:#}");
            assert!(
                kinds(&compared, "not_judged").contains(&"printed-output"),
                "{compared:#}"
            );
            let left_out = equiv(old, new, &["--ignore-output"]);
            assert_eq!(left_out["verdict"], "proved", "{left_out:#}");
            assert!(
                kinds(&left_out, "not_judged").contains(&"printed-output"),
                "{left_out:#}"
            );
        }
    }
    // What differs in memory is shown all the same.
    let different = equiv(PRINTS, &PRINTS.replace("= 1;", "= 2;"), &[]);
    assert_eq!(different["verdict"], "refuted", "{different:#}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.cu"), PRINTS).unwrap();
    let lowered: Run = run_in(folder.path(), &["lower", "p.cu", "--target", "cuda"]);
    assert_eq!(lowered.status, 0);
    assert!(!lowered.stdout.contains("printf"));
    assert!(lowered.stderr.contains("p.cu:2:"), "{}", lowered.stderr);
    assert!(
        lowered
            .stderr
            .contains("output by `printf` is not modelled")
    );
}

/// A step of a program that prints is accepted where output is left out.
#[test]
fn a_step_of_a_program_that_prints() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <cstdio>
__global__ void k(int *o) { __shared__ int s[8]; int t = threadIdx.x; s[t] = t; __syncthreads(); __syncthreads(); \
        o[t] = s[7 - t]; printf(\"%d\", t); }";
    std::fs::write(folder.path().join("p.cu"), source).unwrap();
    for (left_out, verdict, status) in [("", "unknown", 1), ("ignore-output = true", "proved", 0)] {
        let pipeline = format!(
            "name = \"n\"\nsource = \"p.cu\"\nentry = \"k\"\n{left_out}\n[[case]]\nlaunch = {{ grid = [1, 1, 1], block = [8, 1, \
             1] }}\nextents = {{ o = 8 }}\n[[step]]\nname = \"one\"\nrules = \"redundant-barrier\"\nexpect = \
             [{{ profile = \"cuda\", at-least = \"passed\" }}]\n"
        );
        std::fs::write(folder.path().join("p.toml"), pipeline).unwrap();
        let ran = run_in(folder.path(), &["verify", "p.toml", "--format", "json"]);
        assert_eq!(ran.status, status, "{}{}", ran.stdout, ran.stderr);
        let step = &ran.json()["steps"][0];
        assert_eq!(step["verdict"], verdict, "{step:#}");
        assert!(kinds(step, "not_judged").contains(&"printed-output"));
    }
}

const LOOP: &str = "void scale(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
";

fn pipeline(folder: &Path, source: &str, steps: &str) -> Run {
    std::fs::write(folder.join("source.cu"), source).unwrap();
    let text = format!("name = \"test\"\nsource = \"source.cu\"\n{steps}\n");
    std::fs::write(folder.join("p.toml"), text).unwrap();
    run_in(folder, &["verify", "p.toml", "--format", "json"])
}

/// Memory of a device that is filled from a `const` pointer is not `const` itself.
#[test]
fn the_host_program_of_a_const_argument_compiles() {
    let folder = tempfile::tempdir().unwrap();
    let is_there = nvcc::find().is_ok();
    let compiled = if is_there { "nvcc = [\"sm_75\"]" } else { "" };
    let steps = format!(
        "entry = \"scale\"
[[case]]
name = \"c\"
args = {{ n = 20 }}
extents = {{ x = 20, y = 20 }}
inputs = \"random:1:1\"
[[step]]
name = \"kernel\"
rules = \"parallelise-loop\"
expect = [{{ profile = \"cuda\", at-least = \"passed\" }}]
[[lower]]
targets = [\"host\"]
{compiled}
"
    );
    let report = pipeline(folder.path(), LOOP, &steps).json();
    assert_eq!(report["runs"], Value::Array(Vec::new()), "{report:#}");
    let lowered = &report["lowered"][0];
    assert_eq!(lowered["target"], "host", "{report:#}");
    let expected = if is_there { 1 } else { 0 };
    assert_eq!(
        lowered["compiled_for"].as_array().map(Vec::len),
        Some(expected)
    );
}

/// A target that cannot say it takes nothing away from what was judged.
#[test]
fn what_cannot_be_lowered_loses_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let source = "__global__ void k(int *o) {
                      int i = threadIdx.x; __syncthreads(); __syncthreads(); __syncwarp(); o[i] = 1; }";
    let steps = "entry = \"k\"
[[case]]
name = \"c\"
launch = { grid = [1, 1, 1], block = [32, 1, 1] }
extents = { o = 32 }
inputs = \"random:1:1\"
[[step]]
name = \"fewer\"
rules = \"redundant-barrier\"
expect = [{ profile = \"cuda\", at-least = \"passed\" }]
[[lower]]
targets = [\"opencl\"]
";
    let report = pipeline(folder.path(), source, steps);
    assert_eq!(report.status, 1, "{}{}", report.stdout, report.stderr);
    let report = report.json();
    assert_eq!(
        report["steps"].as_array().map(Vec::len),
        Some(1),
        "{report:#}"
    );
    let run = &report["runs"][0];
    assert_eq!(run["agree"], false);
    let message = run["message"].as_str().unwrap();
    assert!(message.contains("cannot be written"), "{message}");
}

/// A program that was accepted on some cases is no measure on the others.
#[test]
fn a_step_is_judged_against_what_was_judged_on_its_cases() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |name: &str, rule: &str| {
        let text = format!(
            "system {name}\nabout \"x\"\nsource \"x\"\nstatus \"refuted\"\n\nrule {name}:\n    {rule}\n\nstrategy main = once({name})\n"
        );
        std::fs::write(folder.path().join(format!("{name}.rules")), text).unwrap();
    };
    rules("first", "$a[$i] = $e * 3;\n    -> $a[$i] = $e * 4;");
    rules("second", "$a[$i] = $e * 4;\n    -> $a[$i] = 4 * $e;");
    let source = "__global__ void k(const int *in, int *out, int n) {
                      int t = threadIdx.x; out[t] = in[t] + n; if (n > 1) out[t] = in[t] * 3; }";
    let steps = "entry = \"k\"
[[case]]
name = \"small\"
launch = { grid = [1, 1, 1], block = [4, 1, 1] }
args = { n = 1 }
[[case]]
name = \"big\"
launch = { grid = [1, 1, 1], block = [4, 1, 1] }
args = { n = 2 }
[[step]]
name = \"s1\"
rules = \"first.rules\"
cases = [\"small\"]
expect = [{ profile = \"cuda\", at-least = \"passed\" }]
[[step]]
name = \"s2\"
rules = \"second.rules\"
expect = [{ profile = \"cuda\", at-least = \"passed\" }]
";
    let report = pipeline(folder.path(), source, steps).json();
    // With the argument of that case the changed statement is never run.
    assert_eq!(report["steps"][0]["verdict"], "proved", "{report:#}");
    assert_eq!(report["steps"][1]["verdict"], "refuted", "{report:#}");
    assert_eq!(report["steps"][1]["against"], "source", "{report:#}");
}

#[test]
fn a_step_names_its_procedure() {
    let source = "__global__ void k(int *o) { int i = threadIdx.x; __syncthreads(); __syncthreads(); o[i] = 1; }
                  __global__ void other(int *o) { int i = threadIdx.x; __syncthreads(); __syncthreads(); o[i] = 2; }";
    let steps = |procedure: &str| {
        format!(
            "entry = \"k\"
[[case]]
name = \"c\"
launch = {{ grid = [1, 1, 1], block = [32, 1, 1] }}
extents = {{ o = 32 }}
inputs = \"random:1:1\"
[[step]]
name = \"fewer\"
rules = \"redundant-barrier\"
{procedure}
expect = [{{ profile = \"cuda\", at-least = \"passed\" }}]
"
        )
    };
    let verdict = |procedure: &str| {
        let folder = tempfile::tempdir().unwrap();
        let report = pipeline(folder.path(), source, &steps(procedure)).json();
        report["steps"][0]["verdict"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    // `other` is changed as well, and nothing was compared of it.
    assert_eq!(verdict(""), "unknown");
    assert_eq!(verdict("procedure = \"k\""), "proved");
}

/// A case may have several launches, and a step comes out at all of them or not at all.
#[test]
fn a_step_is_judged_at_each_of_several_launches() {
    let folder = tempfile::tempdir().unwrap();
    let source = "__global__ void k(int *a)
{
    __shared__ int s[64];
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    __syncthreads();
    a[i] = s[blockDim.x - 1 - threadIdx.x];
}
";
    let steps = |cases: &str, of_step: &str| {
        format!(
            "entry = \"k\"
[[case]]
name = \"small\"
{cases}
[[case]]
name = \"one\"
launch = {{ grid = [1, 1, 1], block = [4, 1, 1] }}
[[step]]
name = \"once\"
rules = \"redundant-barrier\"
{of_step}
expect = [{{ profile = \"cuda\" }}]
"
        )
    };
    let two = "at-launches = [{ grid = [1, 1, 1], block = [32, 1, 1] }, { grid = [2, 2, 1], block = [16, 1, 1] }]";
    let said = |steps: &str| -> String {
        let report = pipeline(folder.path(), source, steps).json();
        assert_eq!(report["steps"][0]["agrees"], true, "{report:#}");
        let explanation = report["steps"][0]["explanation"].as_str();
        explanation.unwrap().to_owned()
    };
    let all = said(&steps(two, ""));
    for case in [
        "small, grid 1, block 32: ",
        "small, grid 2×2, block 16: ",
        "one: ",
    ] {
        assert!(all.contains(case), "{all}");
    }
    // A step that names the case has all of its launches.
    let of_case = said(&steps(two, "cases = [\"small\"]"));
    assert!(
        of_case.contains("block 16: ") && !of_case.contains("one: "),
        "{of_case}"
    );
    // One launch at which it does not come out is enough.
    let beyond = two.replace("[16, 1, 1]", "[128, 1, 1]");
    let report = pipeline(folder.path(), source, &steps(&beyond, "")).json();
    assert_ne!(report["steps"][0]["verdict"], "proved", "{report:#}");
    let text = report["steps"][0]["explanation"].as_str().unwrap();
    assert!(text.starts_with("small, grid 2×2, block 128: "), "{text}");
    for wrong in [
        format!("{two}\nlaunch = {{ grid = [1, 1, 1], block = [4, 1, 1] }}"),
        "at-launches = [{ shared-bytes = 4 }]".to_owned(),
    ] {
        let refused = pipeline(folder.path(), source, &steps(&wrong, ""));
        let said = format!("{}{}", refused.stdout, refused.stderr);
        assert_eq!(refused.status, 2, "{said}");
        assert!(said.contains("either launch, or at-launches"), "{said}");
    }
}
