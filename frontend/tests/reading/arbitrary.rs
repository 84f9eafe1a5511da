//! Values nobody knows: what gives them, what they become, what is refused.

use crate::reading::support::{operators, parse, refusal, squeezed};
use gridlock_frontend::Assumed;
use gridlock_frontend::Language::Cuda;
use gridlock_frontend::Parsed;

/// Parameters of a procedure, by name.
fn params<'p>(parsed: &'p Parsed, name: &str) -> Vec<&'p str> {
    let id = parsed.program.find_proc(name).expect("the procedure");
    let proc = parsed.program.proc(id);
    let params = proc.params.iter();
    params.map(|v| &*proc.vars[v.0 as usize].name).collect()
}

fn check(text: &str, wanted: &[&str], code: &str) -> Parsed {
    let parsed = parse(text, Cuda);
    assert_eq!(parsed.unsupported, vec![], "{text}");
    assert_eq!(params(&parsed, "k"), wanted, "{text}");
    assert_eq!(squeezed(&operators(&parsed, "k")), squeezed(code), "{text}");
    parsed
}

#[test]
fn each_place_has_a_parameter() {
    let parsed = check(
        "__device__ int f();\n__global__ void k(int *a) {\na[0] = f() + f();\n}",
        &["a", "f() at line 3", "f() at line 3 (2)"],
        "next f() at line 3;
         next f() at line 3 (2);
         value of f() at line 3 = f() at line 3;
         next f() at line 3;
         value of f() at line 3 (2) = f() at line 3 (2);
         next f() at line 3 (2);
         a[0] = value of f() at line 3 + value of f() at line 3 (2);",
    );
    let assumed: Vec<&Assumed> = parsed.assumptions.iter().map(|a| &a.assumed).collect();
    let no_body = Assumed::NoBody {
        function: "f".to_owned(),
        gives_value: true,
    };
    assert_eq!(assumed, [&no_body]);
}

#[test]
fn what_calls_such_a_function_is_read_in_place() {
    let parsed = parse(
        "__device__ float f(int);\n\
         __device__ float g(int x) { if (x) return f(x); return 0; }\n\
         __device__ float h(int x) { return g(x) + 1; }\n\
         __global__ void k(float *a, int n) {\na[0] = h(n);\na[1] = g(n + 1);\n}",
        Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    let wanted = ["a", "n", "f() at line 2", "f() at line 2 (2)"];
    assert_eq!(params(&parsed, "k"), wanted);
    assert_eq!(parsed.program.procs.len(), 1);
}

#[test]
fn what_is_handed_over_is_read() {
    let struct_of = "struct s { int a; };\n__device__ void f(s x);\n";
    check(
        &format!("{struct_of}__global__ void k(s *x) {{ f(x[1]); }}"),
        &["x"],
        "temporary = x[1];",
    );
    check(
        "__device__ void f(int x);\n__global__ void k(int *a, int n) { f(n + 1); f(*a); }",
        &["a", "n"],
        "temporary = *a;",
    );
}

#[test]
fn clocks_and_generators() {
    check(
        "__global__ void k(long long *a) {\na[0] = clock64();\n}",
        &["a", "clock64() at line 2"],
        "next clock64() at line 2;
         value of clock64() at line 2 = clock64() at line 2;
         next clock64() at line 2;
         a[0] = value of clock64() at line 2;",
    );
    check(
        "__global__ void k(unsigned *a) {\nunsigned t;\n\
         asm volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(t));\n*a = t;\n}",
        &["a", "clock() at line 3"],
        "next clock() at line 3;
         value of clock() at line 3 = clock() at line 3;
         next clock() at line 3;
         t = value of clock() at line 3;
         *a = t;",
    );
    check(
        "#include <curand_kernel.h>\n__global__ void k(curandState *s, unsigned *a) {\n\
         *a = curand(s + 1);\n}",
        &["s", "a", "curand() at line 3"],
        "next curand() at line 3;
         temporary = s[1];
         value of curand() at line 3 = curand() at line 3;
         next curand() at line 3;
         s[1] = value of curand() at line 3;
         *a = value of curand() at line 3;",
    );
}

/// A function that could write, and what has no values to give.
#[test]
fn refused() {
    let check = |text: &str, name: &str, expected: &str| {
        assert_eq!(refusal(text, Cuda, name), expected, "{text}");
    };
    for param in ["int *p", "const int *p", "int &p", "int (*p)(int)"] {
        let text = format!(
            "__device__ int f({param});\n__global__ void k(int *a) {{\nf({});\n}}",
            if param.contains('&') { "*a" } else { "0" }
        );
        check(
            &text,
            "k",
            "3:1: a call of `f`, which has no body here and may write through what it is given",
        );
    }
    check(
        "__device__ int *f();\n__global__ void k(int *a) {\n*f() = 1;\n}",
        "k",
        "3:2: a call of `f`, which has no body here and gives no scalar",
    );
    check(
        "__device__ int f();\n__global__ void k(int *a) { *a = f(); }\n\
         int main() {\nk<<<1, 1>>>(0);\nreturn 0; }",
        "main",
        "4:1: a launch of `k`, which needs what `f` gives",
    );
    check(
        "__device__ int f();\n__device__ int g() {\nreturn f();\n}",
        "g",
        "3:8: what `f` gives, outside of kernels and `main`",
    );
    check(
        "int f();\nint main() {\nreturn f();\n}",
        "main",
        "3:8: a call of `f`",
    );
}

#[test]
fn a_texture_is_one_array() {
    check(
        "texture<int, 1, cudaReadModeElementType> t;\n\
         __global__ void k(int *a, int n) {\na[0] = tex1Dfetch(t, 4) + tex1Dfetch(t, n);\n}",
        &["a", "n", "t"],
        "temporary = gridlock_fetch_int_int_1(t, 4);
         temporary_1 = gridlock_fetch_int_int_1(t, n);
         a[0] = temporary + temporary_1;",
    );
}

#[test]
fn the_elements_of_a_texture_may_be_vectors() {
    check(
        "texture<float2> t;\n\
         __global__ void k(float *a, int n) {\nfloat2 v = tex1Dfetch(t, n);\na[0] = v.x + v.y;\n}",
        &["a", "n", "t"],
        "value.x = 0.0f;
         value.y = 0.0f;
         value.x = gridlock_listed_float(t, (long long)n, 2);
         value.y = gridlock_listed_float(&t[1], (long long)n, 2);
         gridlock_fetch.x = value.x;
         gridlock_fetch.y = value.y;
         v.x = gridlock_fetch.x;
         v.y = gridlock_fetch.y;
         a[0] = v.x + v.y;",
    );
}
