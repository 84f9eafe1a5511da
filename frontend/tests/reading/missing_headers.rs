//! Files that include headers which are not found: what is judged all the same, and what is not because the header
//! could change it.

use gridlock_frontend::{
    Assumed, ErrorKind, Language, ParseOptions, Parsed, parse_file, parse_source,
};
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::ProcKind;

fn read(text: &str, language: Language) -> Parsed {
    parse_source("test.cu", text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The names of the procedures that are judged, and the others, each in textual order or by name.
fn sorted(parsed: &Parsed, kind: ProcKind) -> (Vec<&str>, Vec<&str>) {
    let procs = parsed.program.procs.iter().filter(|p| p.kind == kind);
    let mut judged: Vec<&str> = procs.map(|p| &*p.name).collect();
    let unsupported = parsed.unsupported.iter().filter(|u| u.kind == kind);
    let mut others: Vec<&str> = unsupported.map(|u| u.proc.as_str()).collect();
    judged.sort_unstable();
    others.sort_unstable();
    (judged, others)
}

/// A short run reads one text in so many.
const SHARE: usize = 13;

/// `text` follows the inclusion of a missing header. The kernels that are judged, and those that are not.
fn check(text: &str, judged: &[&str], others: &[&str]) {
    if effort::is_next_done(SHARE) {
        compare(text, judged, others);
    }
}

fn compare(text: &str, judged: &[&str], others: &[&str]) {
    let text = format!("#include <missing.h>\n{text}\n");
    let parsed = read(&text, Language::Cuda);
    let found = sorted(&parsed, ProcKind::Kernel);
    assert_eq!(
        found,
        (judged.to_vec(), others.to_vec()),
        "{text}\n{:#?}",
        parsed.unsupported
    );
    for (index, proc) in parsed.program.procs.iter().enumerate() {
        let assumed = parsed.assumptions.iter().any(|a| {
            a.proc.0 as usize == index && a.assumed == Assumed::MissingHeader("missing.h".into())
        });
        let needs = matches!(proc.kind, ProcKind::Kernel | ProcKind::Host);
        assert_eq!(assumed, needs, "{}", proc.name);
    }
}

/// Kernel `k` is not judged, kernel `other` is; the reason names `what` and has this line.
fn check_refused(text: &str, what: &str, line: u32) {
    if !effort::is_next_done(SHARE) {
        return;
    }
    let other = "__global__ void other(int *a) { a[threadIdx.x] = 1; }";
    compare(&format!("{text}\n{other}"), &["other"], &["k"]);
    let parsed = read(
        &format!("#include <missing.h>\n{text}\n{other}\n"),
        Language::Cuda,
    );
    let refused = parsed
        .unsupported
        .iter()
        .find(|u| u.proc == "k")
        .expect("refused");
    assert!(
        refused.message.contains(what) && refused.message.contains("`missing.h`"),
        "{}",
        refused.message
    );
    assert_eq!(refused.line, line, "{text}");
}

#[test]
fn host_code_that_needs_the_header_does_not_hinder_kernels() {
    check(
        "__global__ void k(int *a) { a[threadIdx.x] = 1; }
         static cublasHandle_t handle;
         struct Work { cublasHandle_t h; int n; };
         void use(Work *w) { CHECK(create(&w->h)); for (int i = 0; i < w->n; i++) { sync(); } }
         int main() { int *d; CHECK(cudaMalloc(&d, 64)); k<<<1, 16>>>(d); destroy(handle) }
         __global__ void later(int *a) { a[threadIdx.x] = 2; }",
        &["k", "later"],
        &[],
    );
    let text =
        "#include <missing.h>\n__global__ void k(int *a) { a[0] = 1; }\nint main() { start(); }\n";
    let parsed = read(text, Language::Cuda);
    let [lost] = parsed.unsupported.as_slice() else {
        panic!("{:?}", parsed.unsupported);
    };
    assert_eq!(
        (lost.proc.as_str(), lost.kind, lost.line, lost.column),
        ("main", ProcKind::Host, 3, 14)
    );
    assert_eq!(
        lost.message,
        "what clang does not accept without the missing header `missing.h` (-I names its folder): use of undeclared identifier 'start'"
    );
}

/// A function that is declared and not defined declares itself, not its parameters.
#[test]
fn parameters_of_functions_that_are_only_declared() {
    let text = "__global__ void k(int *a, int *b) { a[threadIdx.x] = b[threadIdx.x]; }
        void run(torch::Tensor a, torch::Tensor b);
        void run_other(torch::Tensor a,
                       torch::Tensor b);";
    compare(text, &["k"], &[]);
    // What is declared in parentheses is in doubt.
    let other = "extern lib::number (*b)[2];\n__global__ void k(int *a) { a[0] = b[0][1]; }";
    compare(other, &[], &["k"]);
    // What has no type before its name may be a macro.
    let other =
        "DECLARE(lib::number b);\n__device__ int b[2];\n__global__ void k(int *a) { a[0] = b[1]; }";
    compare(other, &[], &["k"]);
}

/// Of several reasons the same one is told each time.
#[test]
fn the_first_reason_is_told() {
    let others: String = (0..12).map(|n| format!("int f(lib::T{n} a);\n")).collect();
    let own = "__device__ int f(int a) { return a; }";
    let kernel = "__global__ void k(int *a) { a[0] = f(1); }";
    let text = format!("#include <missing.h>\n{others}{own}\n{kernel}\n");
    let told = || {
        let lost = read(&text, Language::Cuda).unsupported.into_iter();
        let mut of_kernel = lost.filter(|lost| lost.kind == ProcKind::Kernel);
        of_kernel.next().expect("refused")
    };
    let first = told();
    assert_eq!(
        (first.proc.as_str(), first.line),
        ("k", 2),
        "{}",
        first.message
    );
    for _ in 0..3 {
        assert_eq!(told().message, first.message);
    }
}

#[test]
fn unresolved_names_in_a_kernel() {
    check_refused(
        "REGISTER(f)\n__global__ void k(int *a) { a[0] = 1; }",
        "",
        2,
    );
    check_refused(
        "__global__ void k(int *a) { CHECK(); a[threadIdx.x] = warpSize; }",
        "'CHECK'",
        2,
    );
    check_refused(
        "__global__ void k(int *a) { CHECK(); a[0] = 1; }",
        "'CHECK'",
        2,
    );
    check_refused(
        "__global__ void k(int *a) { CHECK a[0] = 1; }",
        "'CHECK'",
        2,
    );
    check_refused("__global__ void k(int *a) { a[0] = LIMIT; }", "'LIMIT'", 2);
    check_refused(
        "__global__ void k(int *a) {\n for (int i = 0; i < 2; i++) LOOP { a[i] = 1; } }",
        "",
        3,
    );
    check_refused("__global__ void k(number *a) { a[0] = 1; }", "'number'", 2);
    check_refused("__global__ void k(ns::number *a) { a[0] = 1; }", "'ns'", 2);
    check_refused(
        "__global__ void __launch_bounds__(THREADS) k(int *a) { a[0] = 1; }",
        "'THREADS'",
        2,
    );
    check_refused(
        "__global__ void k(int *a) { __shared__ int s[SIZE]; s[0] = 1; a[0] = s[0]; }",
        "'SIZE'",
        2,
    );
    check_refused(
        "template <class T> __global__ void k(T *a) { a[0] = reduce(1); }",
        "'reduce'",
        2,
    );
}

/// What clang would go on with: types become `int`, members and defaults disappear.
#[test]
fn declarations_that_a_kernel_uses() {
    check_refused(
        "struct S { number n; int m; };\n__global__ void k(S *a) { a[0].m = 1; }",
        "",
        3,
    );
    check_refused(
        "struct S { int m = LIMIT; };\n__global__ void k(int *a) { S s; a[0] = s.m; }",
        "",
        3,
    );
    check_refused(
        "struct S : Base { int m; };\n__global__ void k(S *a) { a[0].m = 1; }",
        "",
        3,
    );
    check_refused(
        "typedef number T;\n__global__ void k(T *a) { a[0] = 1; }",
        "",
        3,
    );
    check_refused(
        "using T = number;\n__global__ void k(T *a) { a[0] = 1; }",
        "",
        3,
    );
    check_refused(
        "const int N = LIMIT;\n__global__ void k(int *a) { a[N] = 1; }",
        "",
        3,
    );
    check_refused(
        "__constant__ int c[2] = {LIMIT, 1};\n__global__ void k(int *a) { a[c[1]] = 1; }",
        "",
        3,
    );
    check_refused(
        "enum { A = LIMIT, B };\n__global__ void k(int *a) { a[B] = 1; }",
        "",
        3,
    );
    check_refused(
        "__device__ int f(int x) { return g(x); }\n__global__ void k(int *a) { a[0] = f(1); }",
        "",
        3,
    );
    // The prototype stays: `f` is no function without a body.
    check_refused(
        "__device__ int f(int x);\n__global__ void k(int *a) { a[0] = f(1); }\n__device__ int f(int x) { return g(x); }",
        "`f`",
        4,
    );
    check_refused(
        "__device__ int f(int x) { return x; }\n__device__ int f(int x, int y = LIMIT);\n\
         __global__ void k(int *a) { a[0] = f(1); }",
        "`f`",
        3,
    );
    check_refused(
        "template <class T> struct S { static const int n = 1; };\ntemplate <> struct S<int> { static const int n = LIMIT; };\n\
         __global__ void k(int *a) { a[S<int>::n] = 1; }",
        "'n'",
        4,
    );
}

/// A declaration that is taken out would have been meant by the kernel, which means another one now.
#[test]
fn overloads_and_hidden_names() {
    check_refused(
        "__device__ int f(double x) { return 1; }\n__device__ int f(int x) { return g(x); }\n\
         __global__ void k(int *a) { a[0] = f(1); }",
        "`f`",
        3,
    );
    check_refused(
        "__device__ int f(double x) { return 1; }\nusing ns::f;\n__global__ void k(int *a) { a[0] = f(1); }",
        "`f`",
        3,
    );
    check_refused(
        "const int N = 1;\nnamespace n {\nconst int N = LIMIT;\n__global__ void k(int *a) { a[N] = 1; }\n}",
        "'N'",
        5,
    );
    check_refused(
        "typedef int T;\nnamespace n {\ntypedef number T;\n__device__ T f() { return 1; }\n\
         __global__ void k(int *a) { a[0] = f(); }\n}",
        "`T`",
        4,
    );
    check_refused(
        "struct V { int x; __host__ __device__ operator int() const { return x; } };\n\
         __device__ V operator+(V a, number b) { return a; }\n\
         __global__ void k(V *v, int *a) { a[0] = v[0] + 1; }",
        "`V`",
        3,
    );
    // It may concern every type, and so nothing is judged.
    check(
        "struct V { int x; __host__ __device__ operator int() const { return x; } };
         template <class T> __device__ V operator+(V a, T b) { return number(b); }
         __global__ void k(V *v, int *a) { a[0] = v[0] + 1; }",
        &[],
        &["k"],
    );
}

/// What host code that is not read may have set.
#[test]
fn variables_that_code_that_is_left_out_changes() {
    check(
        "__constant__ int3 c[4];\n__global__ void k(int *a) { a[0] = c[1].x; }\nvoid set(int *q) { start(c); }",
        &["k"],
        &[],
    );
    check_refused(
        "struct S { int n; int *p; };\n__device__ S s[2];\n__global__ void k(int *a) { s[0].p[0] = 1; }\nvoid set() { start(s); }",
        "file scope",
        4,
    );
    check_refused(
        "__device__ int *p;\n__global__ void k(int *a) { p[0] = 1; }\nvoid set(int *q) { start(); put(p, q); }",
        "file scope",
        3,
    );
    check_refused(
        "typedef int (*F)(int);\n__device__ int f(int x) { return x; }\n__device__ int g(int x) { return h(x); }\n\
         __global__ void k(int *a, F p) { a[0] = p(1); }",
        "function",
        5,
    );
}

#[test]
fn conditions_that_the_header_may_decide() {
    check_refused(
        "__global__ void k(int *a) {\n#ifdef FAST\na[0] = 1;\n#endif\n}",
        "`FAST`",
        3,
    );
    check_refused(
        "__global__ void k(int *a) {\n__shared__ int s; s = 1;\n#if LEVEL > 2\n__syncthreads();\n#endif\na[0] = s;\n}",
        "`LEVEL`",
        4,
    );
    check_refused(
        "#ifdef FAST\n#define N 4\n#else\n#define N 8\n#endif\n__global__ void k(int *a) { a[N] = 1; }",
        "`FAST`",
        2,
    );
    check_refused(
        "#ifdef FAST\n#define N 4\n#else\n#define N 8\n#endif\n#if N == 8\n#define M 1\n#else\n#define M 2\n#endif\n\
                   __global__ void k(int *a) { a[M] = 1; }",
        "`N`",
        7,
    );
    check_refused(
        "#ifdef FAST\n#define f(x) (x)\n#endif\n__device__ int f(int x) { return 1; }\n\
                   __global__ void k(int *a) { a[0] = f(2); }",
        "`FAST`",
        2,
    );
    check_refused(
        "#ifdef FAST\n__device__ int f(int x) { return 2; }\n#endif\n__device__ int f(double x) { return 1; }\n\
                   __global__ void k(int *a) { a[0] = f(2); }",
        "`FAST`",
        2,
    );
    check_refused(
        "struct S {\nint x;\n#ifdef FAST\nint y;\n#endif\nint z; };\n__global__ void k(S *a) { a[0].z = 1; }",
        "`FAST`",
        4,
    );
    check_refused(
        "#ifndef SLOW\ntypedef float T;\n#else\ntypedef double T;\n#endif\n\
                   __device__ T f() { return 1; }\n__global__ void k(float *a) { a[0] = f(); }",
        "`SLOW`",
        2,
    );
    check_refused(
        "#ifndef SLOW\n__global__ void k(int *a) { a[0] = 1; }\n#endif",
        "`SLOW`",
        2,
    );
    check_refused(
        "#if __has_include(<fast.h>)\n#define N 1\n#else\n#define N 2\n#endif\n__global__ void k(int *a) { a[N] = 1; }",
        "__has_include",
        2,
    );
    check_refused(
        "#define CAT(a, b) a ## b\n#ifdef FAST\n#define SIZE 4\n#else\n#define SIZE 8\n#endif\n\
                   __global__ void k(int *a) { a[CAT(SI, ZE)] = 1; }",
        "`FAST`",
        3,
    );
    for text in ["#ifd\\\nef A\n", "%:ifdef A\n", "#line 7\n#ifdef A\n"] {
        let text = format!(
            "#include <missing.h>\n{text}#endif\n__global__ void k(int *a) {{ a[0] = 1; }}\n"
        );
        let error = parse_source("test.cu", &text, Language::Cuda, &ParseOptions::default());
        let error = error.expect_err("what is not told apart");
        assert_eq!((error.file.as_str(), error.line), ("test.cu", 1), "{error}");
    }
    // A bracket without its other half is clang's to name.
    let text = "#include <missing.h>\n__global__ void k(int *a) { a[f(0] = 1; }\n";
    let error = parse_source("test.cu", text, Language::Cuda, &ParseOptions::default());
    let error = error.expect_err("a bracket without its other half");
    assert_eq!((error.file.as_str(), error.line), ("test.cu", 2), "{error}");
    // Nothing can be told about what follows.
    check(
        "#define H <stdio.h>\n#ifdef FAST\n#undef H\n#define H <fast.h>\n#endif\n#include H\n\
         __global__ void k(int *a) { a[0] = 1; }",
        &[],
        &["k"],
    );
    let other = "__global__ void k(int *a) { a[0] = 1; }";
    check(
        &format!("#ifdef FAST\n#pragma pack(1)\n#endif\n{other}"),
        &[],
        &["k"],
    );
    check(
        &format!("#ifdef FAST\nnamespace a {{\n#endif\n{other}\n#ifdef FAST\n}}\n#endif"),
        &[],
        &["k"],
    );
    check(
        &format!("#ifdef FAST\nusing namespace fast;\n#endif\n{other}"),
        &[],
        &["k"],
    );
    check(
        &format!("void f() {{\n#ifdef FAST\n}} __device__ int g() {{\n#endif\n}}\n{other}"),
        &[],
        &["k"],
    );
}

#[test]
fn conditions_that_it_does_not_decide() {
    let other = "__global__ void k(int *a) { a[N] = 1; }";
    check(
        &format!("#ifndef N\n#define N 16\n#endif\n{other}"),
        &["k"],
        &[],
    );
    check(
        &format!("#define USE\n#ifdef USE\n#define N 1\n#else\n#define N 2\n#endif\n{other}"),
        &["k"],
        &[],
    );
    check(
        &format!("#if __CUDA_ARCH__ >= 700 && !defined(_WIN32)\n#define N 1\n#endif\n{other}"),
        &["k"],
        &[],
    );
    check(
        &format!(
            "#define N 1\nvoid f() {{\n#ifdef DEBUG\n#define M 2\nshow();\n#endif\n}}\n{other}"
        ),
        &["k"],
        &[],
    );
    // Before the header is included.
    let text = "#ifdef A\n#define N 1\n#else\n#define N 2\n#endif\n#include <missing.h>\n";
    let parsed = read(&format!("{text}{other}"), Language::Cuda);
    assert_eq!(sorted(&parsed, ProcKind::Kernel), (vec!["k"], vec![]));
}

/// Headers beside the file are read, and what they include may be missing; names that lead elsewhere are refused.
#[test]
fn headers_of_headers() {
    let dir = tempfile::tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    write(
        "part.h",
        "#pragma once\n#include \"../common/missing.h\"\n__device__ int f() { return 1; }\n",
    );
    write(
        "a.cu",
        "#include \"part.h\"\n#include \"other.h\"\n__global__ void k(int *a) { a[0] = f(); }\nvoid h() { g(); }\n",
    );
    let parsed = parse_file(&dir.path().join("a.cu"), &ParseOptions::default()).expect("it parses");
    assert_eq!(sorted(&parsed, ProcKind::Kernel), (vec!["k"], vec![]));
    assert_eq!(sorted(&parsed, ProcKind::Host), (vec![], vec!["h"]));
    let of = |header: &str| Assumed::MissingHeader(header.into());
    for header in ["../common/missing.h", "other.h"] {
        assert!(
            parsed.assumptions.iter().any(|a| a.assumed == of(header)),
            "{header}"
        );
    }
    let entries = std::fs::read_dir(dir.path()).expect("read").count();
    assert_eq!(entries, 2, "nothing is written beside the file");
    write(
        "b.cu",
        "#include \"/nowhere/missing.h\"\n__global__ void k(int *a) { a[0] = 1; }\n",
    );
    let error =
        parse_file(&dir.path().join("b.cu"), &ParseOptions::default()).expect_err("refused");
    assert_eq!((error.kind, error.line), (ErrorKind::Syntax, 1));
    assert!(error.message.contains("/nowhere/missing.h"), "{error}");
}

#[test]
fn c_and_opencl() {
    let text = "#include \"missing.h\"\nvoid f(int *a) { a[0] = 1; }\nvoid g(int *a) { a[0] = start(); }\n";
    let parsed = read(text, Language::C);
    assert_eq!(sorted(&parsed, ProcKind::Host), (vec!["f"], vec!["g"]));
    let text = "#include \"missing.h\"\nkernel void k(global int *a) { a[0] = 1; }\nkernel void l(global real *a) { a[0] = 1; }\n";
    let parsed = read(text, Language::OpenCl);
    assert_eq!(sorted(&parsed, ProcKind::Kernel), (vec!["k"], vec!["l"]));
    let old = ParseOptions {
        standard: Some("gnu89".into()),
        ..ParseOptions::default()
    };
    let text = "#include \"missing.h\"\nvoid f(int *a) { a[0] = start(); }\n";
    parse_source("test.c", text, Language::C, &old).expect_err("a call declares a function there");
}

/// The macros of a well-known library have its name, so a condition on another one is not its to decide.
#[test]
fn a_known_library_decides_by_its_own_names() {
    let text = |header: &str, name: &str| {
        format!(
            "#include <{header}>\n#ifdef {name}\ntypedef double real;\n#else\ntypedef float real;\n#endif\n\
             __global__ void k(real *a) {{ a[0] = 1; }}\n__global__ void other(int *a) {{ a[0] = 1; }}\n"
        )
    };
    let judged = |header: &str, name: &str| {
        let parsed = read(&text(header, name), Language::Cuda);
        let kernels = sorted(&parsed, ProcKind::Kernel);
        kernels.0.contains(&"k")
    };
    assert!(judged("cudnn.h", "ENABLE_DOUBLE"));
    assert!(!judged("cudnn.h", "CUDNN_VERSION"));
    assert!(!judged("cudnn.h", "__SOMETHING"));
    assert!(!judged("other.h", "ENABLE_DOUBLE"));
}

/// The headers of these libraries declare what host code needs, so a file that includes them lacks nothing.
#[test]
fn host_code_may_name_the_types_of_libraries() {
    let text = "#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <CL/cl.h>
#include <arpa/inet.h>
struct Work { cublasHandle_t blas; cufftHandle plan; cusparseHandle_t sparse; cl_mem memory; sockaddr_in at; };
static void check(cublasStatus_t status) {}
__global__ void k(__nv_bfloat16 *a, cuComplex *c) { a[threadIdx.x] = (__nv_bfloat16)cuCrealf(c[threadIdx.x]); }
void sorted(thrust::device_vector<int> &v) { thrust::sort(v.begin(), v.end()); }
void product(Work *w, float *a, float x) { check(cublasSgemm(w->blas, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &x, a, 1, a, 1, &x, a, 1)); }
";
    let parsed = parse_source("test.cu", text, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.expect("a file");
    assert_eq!(sorted(&parsed, ProcKind::Kernel), (vec!["k"], vec![]));
    let missing = |a: &gridlock_frontend::Assumption| {
        matches!(a.assumed, gridlock_frontend::Assumed::MissingHeader(_))
    };
    assert!(!parsed.assumptions.iter().any(missing));
    let of_host = parsed
        .unsupported
        .iter()
        .filter(|u| u.kind == ProcKind::Host);
    let messages: Vec<&str> = of_host.map(|u| u.message.as_str()).collect();
    assert!(
        messages.contains(&"a call of `cublasSgemm`"),
        "{messages:?}"
    );
}
