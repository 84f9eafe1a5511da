//! Files that clang does not accept although no header is missing: what is judged all the same.

use gridlock_frontend::{Assumed, ErrorKind, Language, ParseOptions, Parsed, parse_source};
use gridlock_semantics::algebra::program::ProcKind;

fn read(text: &str, language: Language) -> Parsed {
    parse_source("test.cu", text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The kernels that are judged, and those that are not, by name; the first mistake is in this line.
fn check(text: &str, judged: &[&str], others: &[&str], line: u32) -> Parsed {
    let parsed = read(text, Language::Cuda);
    let of_kernels =
        |p: &&gridlock_semantics::algebra::program::Procedure| p.kind == ProcKind::Kernel;
    let mut found: Vec<&str> = parsed
        .program
        .procs
        .iter()
        .filter(of_kernels)
        .map(|p| &*p.name)
        .collect();
    found.sort_unstable();
    assert_eq!(found, judged, "{text}");
    let kernels = parsed
        .unsupported
        .iter()
        .filter(|u| u.kind == ProcKind::Kernel);
    let mut left: Vec<&str> = kernels.map(|u| u.proc.as_str()).collect();
    left.sort_unstable();
    assert_eq!(left, others, "{text}");
    for (index, proc) in parsed.program.procs.iter().enumerate() {
        let is_said = parsed.assumptions.iter().any(|a| {
            let at = |found: &u32| *found == line;
            a.proc.0 as usize == index
                && matches!(&a.assumed, Assumed::NotAccepted { file, line, .. } if file == "test.cu" && at(line))
        });
        let needs = matches!(proc.kind, ProcKind::Kernel | ProcKind::Host);
        assert_eq!(is_said, needs, "{}", proc.name);
    }
    parsed
}

#[test]
fn a_mistake_leaves_out_what_names_it() {
    let parsed = check(
        "struct S { nonsense x; int y; };\n\
         __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
         __global__ void bad(int *a) { S s; s.y = 1; a[0] = s.y; }\n\
         __global__ void worse(int *a) { a[0] = undeclared; }\n\
         __device__ int f(int x) { return x; }\n\
         __device__ int f(nonsense x) { return 2; }\n\
         __global__ void overloaded(int *a) { a[0] = f(1); }\n",
        &["good"],
        &["bad", "overloaded", "worse"],
        1,
    );
    let worse = parsed
        .unsupported
        .iter()
        .find(|u| u.proc == "worse")
        .expect("worse");
    assert!(
        worse.message.contains("undeclared identifier 'undeclared'"),
        "{}",
        worse.message
    );
    assert_eq!(worse.line, 4);
    let overloaded = parsed.unsupported.iter().find(|u| u.proc == "overloaded");
    let overloaded = overloaded.expect("overloaded");
    assert!(overloaded.message.contains("`f`"), "{}", overloaded.message);
}

#[test]
fn a_macro_counts_with_what_it_names() {
    check(
        "#define GIVE(x) give(x)\n\
         __device__ int give(nonsense x) { return 2; }\n\
         __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
         __global__ void k(int *a) { a[0] = GIVE(1); }\n",
        &["good"],
        &["k"],
        2,
    );
}

/// A specialisation, an operator and a variable with another value change what others do that do not name the mistake.
#[test]
fn what_is_left_out_may_change_others() {
    check(
        "template <class T> __device__ int size() { return 1; }\n\
         template <> __device__ int size<float>() { return nonsense; }\n\
         __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
         __global__ void k(int *a) { a[0] = size<int>(); }\n",
        &["good"],
        &["k"],
        2,
    );
    check(
        "struct V { int x; };\n\
         __device__ V operator+(V a, V b) { return nonsense; }\n\
         __global__ void good(int *a) { a[threadIdx.x] = 1; }\n\
         __global__ void k(V *a) { a[0].x = 1; }\n",
        &["good"],
        &["k"],
        2,
    );
}

#[test]
fn files_of_which_nothing_is_left_are_errors() {
    let refused = |text: &str, options: &ParseOptions| {
        let error = parse_source("test.cu", text, Language::Cuda, options);
        let error = error.expect_err(text);
        assert_eq!(error.kind, ErrorKind::Syntax, "{error}");
        (error.line, error.column)
    };
    let whole = ParseOptions::default();
    assert_eq!(
        refused("__global__ void k(int *a) { a[0] = x; }", &whole),
        (1, 36)
    );
    // A bracket without its other half: who knows what it was to hold.
    let text = "__global__ void j(int *a) { a[0 = 1; }\n__global__ void k(int *a) { a[0] = 1; }";
    assert_eq!(refused(text, &whole).0, 1);
    let strict = ParseOptions {
        require_includes: true,
        ..ParseOptions::default()
    };
    let text = "__global__ void j(int *a) { a[0] = x; }\n__global__ void k(int *a) { a[0] = 1; }";
    assert_eq!(refused(text, &strict), (1, 36));
}

#[test]
fn kernels_of_opencl_are_left_out_likewise() {
    let text =
        "kernel void j(global int *a) { a[0] = x; }\nkernel void k(global int *a) { a[0] = 1; }";
    let parsed = read(text, Language::OpenCl);
    assert!(parsed.program.procs.iter().any(|p| p.name == "k".into()));
    assert_eq!(parsed.unsupported[0].proc, "j");
}
