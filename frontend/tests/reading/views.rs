//! Memory seen as another type: which cells it has, and what an access becomes.

use crate::reading::support::{check_kernels, parse};
use gridlock_frontend::Assumed;
use gridlock_frontend::Language::Cuda;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;

#[test]
fn of_the_same_size() {
    check_kernels(
        "",
        &[
            ("((unsigned *)a)[n] = u;", "a[n] = (int)u;"),
            (
                "int *p = (int *)f; p[n] = a[0]; a[1] = p[2];",
                "p = f; p[n] = bits<float>(a[0]); a[1] = bits<int>(p[2]);",
            ),
            (
                "int *p; p = (int *)&f[n]; *p = n;",
                "p = &f[n]; *p = bits<float>(n);",
            ),
            (
                "a[0] = __float_as_int(__int_as_float(n)); f[0] = __uint_as_float(u);",
                "a[0] = n; f[0] = bits<float>(u);",
            ),
            // The qualifiers of what is pointed to change nothing about the cells.
            (
                "const volatile int *p = (const int *)f; a[0] = p[1];",
                "p = (const volatile float *)(const float *)f; a[0] = bits<int>(p[1]);",
            ),
        ],
    );
}

fn cells_of(text: &str, name: &str) -> (ScalarType, Option<u64>) {
    let parsed = parse(text, Cuda);
    assert_eq!(parsed.unsupported, vec![], "{text}");
    let program: &Program = &parsed.program;
    let array = program.arrays.iter().find(|a| &*a.name == name);
    let array = array.unwrap_or_else(|| panic!("no `{name}`: {text}"));
    let extent = match array.extent {
        Extent::Fixed(n) => Some(n),
        Extent::LaunchShared => None,
    };
    (array.elem, extent)
}

#[test]
fn cells_fit_every_access() {
    let kernel = |body: &str| format!("__global__ void k(int *a, double *d, int n) {{ {body} }}");
    let check = |body: &str, cell: ScalarType, extent: Option<u64>| {
        assert_eq!(cells_of(&kernel(body), "s"), (cell, extent), "{body}");
    };
    use ScalarType::{F32, F64, I32, U8, U32, U64};
    // Bytes that only stand for room.
    check(
        "extern __shared__ char s[]; float *f = (float *)s; f[n] = 1;",
        F32,
        None,
    );
    check(
        "extern __shared__ double s[]; int *i = (int *)(s + n); s[0] = i[0];",
        I32,
        None,
    );
    check(
        "extern __shared__ double s[]; s[0] = 1; unsigned *i = (unsigned *)a; i[0] = n;",
        F64,
        None,
    );
    check(
        "__shared__ unsigned char s[64]; ((unsigned *)s)[n] = 0; s[n] = 1;",
        U8,
        Some(64),
    );
    check(
        "__shared__ unsigned char s[64]; ((unsigned *)s)[n] = 0;",
        U32,
        Some(16),
    );
    // An atomic cannot be put together.
    check(
        "__shared__ double s[4]; s[n] = 0; atomicAdd((unsigned long long *)&s[n], 1ull);",
        U64,
        Some(4),
    );
    // Through variables, calls and either branch of a choice.
    let text = "__device__ void clear(int *p, int n) { p[n] = 0; }
__global__ void k(int *a, int n) { __shared__ short s[8]; void *v = n ? s : s + 2;
  clear((int *)v, 1); }";
    assert_eq!(cells_of(text, "s"), (I32, Some(4)));
    // All names of the dynamic shared memory of a kernel are one array.
    let text = "__global__ void k(int n) { extern __shared__ int s[]; extern __shared__ float t[];
  s[n] = (int)t[n]; }";
    assert_eq!(cells_of(text, "s").0, I32);
    assert!(parse(text, Cuda).program.arrays.len() == 1);
}

/// What a union holds is one place, whichever member names it.
#[test]
fn unions() {
    let text = "__global__ void k(double *d, int n) {
  union { double whole; unsigned halves[2]; } s; s.whole = d[0]; d[1] = s.halves[n]; }";
    assert_eq!(cells_of(text, "s"), (ScalarType::U32, Some(2)));
}

/// Parts of an argument's elements: its cells are smaller, and the report says so.
#[test]
fn arguments_seen_as_parts() {
    let cells = |text: &str| {
        let parsed = parse(text, Cuda);
        assert_eq!(parsed.unsupported, vec![], "{text}");
        let proc = &parsed.program.procs[0];
        let first = proc.params.first().expect("a parameter");
        let ty = proc.vars[first.0 as usize].ty.pointer().expect("a pointer");
        let said = parsed.assumptions.iter().map(|a| a.assumed.clone());
        (ty.elem, said.collect::<Vec<_>>())
    };
    let said = Assumed::PartsOfElements {
        argument: "a".to_owned(),
        bytes: 1,
        cells: 4,
    };
    let (elem, assumed) = cells("__global__ void k(int *a, int n) { ((char *)a)[n] = 0; }");
    assert_eq!((elem.size(), assumed), (1, vec![said.clone()]));
    let (elem, assumed) = cells("__global__ void k(int *a, int n) { memset(a, 0, n); }");
    assert_eq!((elem.size(), assumed), (1, vec![said.clone()]));
    let (elem, assumed) =
        cells("__global__ void k(int *a, int n) { memset(a, 0, n * sizeof(int)); }");
    assert_eq!((elem, assumed), (ScalarType::I32, vec![]));
    let (elem, assumed) =
        cells("__global__ void k(int *a, float *f) { size_t n = 8; memcpy(a, f, n); }");
    assert_eq!((elem, assumed), (ScalarType::I32, vec![]));
}
