//! Pointers in memory are numbers: what is written, and what a pointer read may be.

use crate::reading::support::{check_kernels, parse, refusal};
use gridlock_frontend::Assumed;
use gridlock_frontend::Language::Cuda;

/// The upper bits say which memory, from 1 on for declared arrays.
#[test]
fn numbers() {
    check_kernels(
        "",
        &[(
            "__shared__ int *p, s[4]; p = s; p = &s[n]; p = nullptr;",
            "*p = 2199023255552ull; *p = (unsigned long long)(2199023255552ll + (long long)n); *p = 0ull;",
        )],
    );
}

#[test]
fn what_is_not_followed() {
    let check = |text: &str, name: &str, expected: &str| {
        assert_eq!(refusal(text, Cuda, name), expected, "{text}");
    };
    check(
        "__global__ void k(int **rows) {\nrows[0][1] = 2; }",
        "k",
        "2:1: a pointer in the memory of an argument",
    );
    check(
        "struct s { float *at; };\n__global__ void k(s *all) { all[1].at[0] = 2; }",
        "k",
        "2:29: a pointer in the memory of an argument",
    );
    // The host may have filled it.
    check(
        "__device__ int *p;\n__global__ void k() { p[0] = 1; }
        void f(int *a) { cudaMemcpyToSymbol(p, &a, 8); }",
        "k",
        "2:23: a pointer in memory that the host fills",
    );
    check(
        "__device__ int *p;\n__global__ void k(int *a) { p = a; }",
        "k",
        "2:29: a pointer that others who read it could not follow",
    );
}

/// What host code names too is an error, as CUDA has it.
#[test]
fn variables_of_the_host() {
    let parsed = parse("int n;\n__global__ void k(int *a) { a[0] = n; }", Cuda);
    assert_eq!(parsed.unsupported, vec![]);
    let assumed: Vec<&Assumed> = parsed.assumptions.iter().map(|a| &a.assumed).collect();
    assert_eq!(assumed, [&Assumed::DeviceVariable("n".to_owned())]);
    let text = "int n;\n__global__ void k(int *a) { a[0] = n; }\nvoid f() { n = 1; }";
    let options = gridlock_frontend::ParseOptions::default();
    let error = gridlock_frontend::parse_source("test", text, Cuda, &options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("reference to __host__ variable 'n'"),
        "{error}"
    );
}
