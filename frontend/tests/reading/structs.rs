//! Structs: by value as their parts, in memory as cells by scalar type.

use crate::reading::support::{check_c, check_kernels, operators, parse, squeezed};
use gridlock_frontend::Language::Cuda;
use gridlock_frontend::{Assumed, ParseOptions, parse_source};

const TYPES: &str = "
struct point { float x, y; };
struct mixed { int id; float x, y; short tag; };
struct nested { point at[2]; mixed m; };
enum colour { RED = 3, GREEN };
enum class mode : unsigned char { ON = 1, OFF };
typedef struct { int u; float v; } unnamed_t;
__device__ mixed pool[4];
__constant__ unnamed_t table[2] = {{1, 2.5f}, {3}};
";

#[test]
fn by_value() {
    check_kernels(
        TYPES,
        &[
            (
                "point p; p.x = f[0]; f[1] = p.x;",
                "p.x = f[0]; f[1] = p.x;",
            ),
            (
                "point p = {f[0], 2}, q = p; q.y = p.x;",
                "p.x = f[0]; p.y = 2.0f; q.x = p.x; q.y = p.y; q.y = p.x;",
            ),
            (
                "mixed m = {1}; a[0] = m.id + m.tag;",
                "m.id = 1; m.x = 0.0f; m.y = 0.0f; m.tag = (short)0; a[0] = m.id + (int)m.tag;",
            ),
            (
                "point p = {1, 2}; p = point{p.y, p.x};",
                "p.x = 1.0f; p.y = 2.0f; temporary = p.y; temporary_1 = p.x; p.x = temporary;
                 p.y = temporary_1;",
            ),
            (
                "unnamed_t t; t.u = RED; t.v = (int)mode::OFF;",
                "t.u = 3; t.v = 2.0f;",
            ),
            (
                "struct { int *p; int n; } s; s.p = a; s.n = n; s.p[s.n] = 1;",
                "s.p = a; s.n = n; s.p[s.n] = 1;",
            ),
            (
                "float4 v = make_float4(f[0], 1, 2, 3); f[1] = v.w;",
                "v.x = f[0]; v.y = 1.0f; v.z = 2.0f; v.w = 3.0f; f[1] = v.w;",
            ),
        ],
    );
}

#[test]
fn in_memory() {
    check_kernels(
        TYPES,
        &[
            (
                "__shared__ float4 s[8]; s[n].y = 1; f[0] = s[2].x;",
                "s[(long long)n * 4ll + 1ll] = 1.0f; f[0] = s[8];",
            ),
            (
                "__shared__ mixed s[8]; s[n].y = 1; s[n].tag = 2; a[0] = s[2].id;",
                "s.{x,y}[(long long)n * 2ll + 1ll] = 1.0f; s.tag[n] = (short)2; a[0] = s.id[2];",
            ),
            (
                "pool[n].id = table[1].u; f[0] = table[n].v;",
                "pool.id[n] = table.u[1]; f[0] = table.v[n];",
            ),
            (
                "point *p = (point *)f; p[n].y = p->x; p++; p->x = 0;",
                "p = f; p[(long long)n * 2ll + 1ll] = *p; p = &p[2]; *p = 0.0f;",
            ),
            (
                "point p = {1, 2}; point *q = &p; q->y = 3;",
                "*p = 1.0f; p[1] = 2.0f; q = p; q[1] = 3.0f;",
            ),
            (
                "__shared__ nested s[2]; s[1].at[n].y = 1; mixed *m = &s[1].m; m->id = 2;",
                "s.{at[0].x..m.y}[6ll + (long long)n * 2ll + 1ll] = 1.0f; \
                 m.id = &s.m.id[1]; m.{x,y} = &s.{at[0].x..m.y}[10]; m.tag = &s.m.tag[1];
                 *m.id = 2;",
            ),
            (
                "point &r = ((point *)f)[n]; r.x = 1; float &x = r.y; x = 2;",
                "r = &f[(long long)n * 2ll]; *r = 1.0f; x = &r[1]; *x = 2.0f;",
            ),
            (
                "point *p = (point *)f; a[0] = p - (point *)f; a[1] = p < (point *)f + n;",
                "p = f; a[0] = (int)((p - f) / 2ll); a[1] = (int)(p < &f[(long long)n * 2ll]);",
            ),
        ],
    );
}

#[test]
fn assignment_copies_every_cell() {
    check_kernels(
        TYPES,
        &[
            (
                "point *p = (point *)f; p[1] = p[n];",
                "p = f; temporary = p[(long long)n * 2ll];
                 temporary_1 = p[(long long)n * 2ll + 1ll]; \
                 p[2] = temporary; p[3] = temporary_1;",
            ),
            (
                "mixed m = pool[1]; pool[2] = m;",
                "m.id = pool.id[1]; m.x = pool.{x,y}[2]; m.y = pool.{x,y}[3]; m.tag = pool.tag[1]; \
                 temporary = m.id; temporary_1 = m.x; temporary_2 = m.y; temporary_3 = m.tag; \
                 pool.id[2] = temporary; pool.{x,y}[4] = temporary_1;
                 pool.{x,y}[5] = temporary_2; pool.tag[2] = temporary_3;",
            ),
        ],
    );
    check_c(
        "struct point { float x, y; };",
        &[(
            "struct point p[2] = {{1, 2}, {f[0]}}; p[0] = p[n]; f[1] = p[0].y;",
            "p[0] = 1.0f; p[1] = 2.0f; p[2] = f[0]; p[3] = 0.0f; \
             temporary = p[(long long)n * 2ll]; temporary_1 = p[(long long)n * 2ll + 1ll]; \
             p[0] = temporary; p[1] = temporary_1; f[1] = p[1];",
        )],
    );
}

#[test]
fn parameters_and_results() {
    let parsed = parse(
        "struct point { float x, y; };
         struct args { float *out; int n; point by; };
         __device__ point plus(point a, point b) { point c; c.x = a.x + b.x; c.y = a.y + b.y;
         return c; }
         __device__ void swap(point &a, point &b) { point t = a; a = b; b = t; }
         __global__ void k(args q, point *p) {
           point r = plus(p[0], q.by);
           swap(r, q.by);
           q.out[q.n] = r.x;
         }",
        Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    let names: Vec<String> = {
        let id = parsed.program.find_proc("k").expect("it is there");
        let proc = parsed.program.proc(id);
        let name =
            |v: &gridlock_semantics::algebra::ids::VarId| proc.vars[v.0 as usize].name.to_string();
        proc.params.iter().map(name).collect()
    };
    assert_eq!(names, ["q.out", "q.n", "q.by.x", "q.by.y", "p"]);
    assert_eq!(
        squeezed(&operators(&parsed, "k")),
        "temporary = p[0]; temporary_1 = p[1]; c.x = temporary + q.by.x; \
         c.y = temporary_1 + q.by.y; r.x = c.x; r.y = c.y; \
         t.x = r.x; t.y = r.y; temporary_2 = q.by.x; temporary_3 = q.by.y; r.x = temporary_2; \
         r.y = temporary_3; \
         temporary_4 = t.x; temporary_5 = t.y; q.by.x = temporary_4; q.by.y = temporary_5; \
         q.out[q.n] = r.x;"
    );
}

#[test]
fn classes() {
    let parsed = parse(
        "template <class T, int N> struct vec {
           T d[N];
           __device__ T &operator[](int i) { return d[i]; }
           __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += d[i]; return s; }
         };
         struct base { int b = 1; __device__ int get() const { return b; } };
         struct derived : base {
           int c;
           __device__ derived(int c) : c(c) { b += c; }
           __device__ int both() const { return get() + c; }
         };
         __device__ float2 operator+(float2 a, float2 b) {
         return make_float2(a.x + b.x, a.y + b.y); }
         template <class F> __device__ int apply(F f, int n) { return f(n); }
         __global__ void k(int *a, float2 *p, int n) {
           vec<int, 4> v;
           v[n] = 3;
           a[0] = v.sum();
           derived d(n);
           a[1] = d.both();
           p[0] = p[1] + p[2];
           a[2] = apply([=](int i) { return i + n; }, a[3]);
         }",
        Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(
        squeezed(&operators(&parsed, "k")),
        "v[n] = 3; s = 0; { i = 0; while (i < 4) { s = s + v[i]; i = i + 1; } } a[0] = s; \
         d.b = 1; d.c = n; d.b = d.b + n; a[1] = d.b + d.c; \
         temporary = p[2]; temporary_1 = p[3]; temporary_2 = p[4]; temporary_3 = p[5]; \
         temporary_4 = temporary + temporary_2; temporary_5 = temporary_1 + temporary_3; \
         p[0] = temporary_4; p[1] = temporary_5; \
         f = n; n_1 = a[3]; a[2] = n_1 + f;"
    );
}

#[test]
fn memory_of_structs_is_allocated_and_copied_by_groups() {
    let parsed = parse(
        "#include <stdlib.h>
         struct mixed { int id; float x, y; short tag; };
         __global__ void k(mixed *m) { m[threadIdx.x].id = 1; }
         int main() {
           mixed *h = (mixed *)malloc(4 * sizeof(mixed)), *d;
           cudaMalloc(&d, 4 * sizeof(mixed));
           cudaMemcpy(d, h, 4 * sizeof(mixed), cudaMemcpyHostToDevice);
           k<<<1, 4>>>(d);
           cudaFree(d);
           free(h);
         }",
        Cuda,
    );
    assert_eq!(parsed.unsupported, vec![]);
    let text = squeezed(&operators(&parsed, "main"));
    for wanted in [
        "d.id = alloc_global<int>",
        "d.{x,y} = alloc_global<float>",
        "d.tag = alloc_global<short>",
        "copy_gpu(d.{x,y}, h.{x,y},",
        "(d.id, d.{x,y}, d.tag)",
        "free_global(d.tag)",
        "free_host(h.id)",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn sizes_are_those_of_c() {
    check_kernels(
        "struct a1 { char c; double d; short s; }; struct a2 : a1 { int i; };
         struct __align__(64) a3 { int i; }; struct a4 {};",
        &[(
            "a[0] = sizeof(a1); a[1] = sizeof(a2); a[2] = sizeof(a3); a[3] = sizeof(a4);
             a[4] = sizeof(float3);",
            "a[0] = 24; a[1] = 32; a[2] = 64; a[3] = 1; a[4] = 12;",
        )],
    );
}

#[test]
fn instances_of_kernel_templates() {
    let text = "template <class T, int N> __global__ void k(T *a) { a[threadIdx.x] = N; }";
    let parsed = parse(text, Cuda);
    let refused: Vec<String> = parsed
        .unsupported
        .iter()
        .map(|u| format!("{}:{}: {}", u.line, u.column, u.message))
        .collect();
    assert_eq!(
        refused,
        ["1:27: a kernel template that nothing instantiates (--instantiate 'k<…>')"]
    );
    let read = |instance: &str| {
        let options = ParseOptions {
            instantiate: vec![instance.to_string()],
            ..ParseOptions::default()
        };
        parse_source("test", text, Cuda, &options)
    };
    let parsed = read("k<float, 4>").expect("an instance");
    assert_eq!(parsed.unsupported, vec![]);
    assert_eq!(
        squeezed(&operators(&parsed, "k_float_4")),
        "a[threadIdx.x] = 4.0f;"
    );
    let span = parsed.program.procs[0].body.span;
    assert_eq!(
        (parsed.program.file_name(span), span.line, span.column),
        ("test", 1, 53)
    );
    let error = read("k<float>").expect_err("no instance");
    let message = error.to_string();
    assert!(message.contains("--instantiate 'k<float>': "), "{message}");
    // Asked for by the header comment, it is about that line.
    let commented = format!("// one\n// gridlock: instantiate = none<float>\n{text}");
    let error = parse_source("test", &commented, Cuda, &ParseOptions::default());
    let error = error.expect_err("no instance");
    assert_eq!((error.line, error.column), (2, 1), "{error}");
    assert!(
        error.message.starts_with("`instantiate = none<float>`: "),
        "{error}"
    );
}

#[test]
fn one_name_for_two_types() {
    let parsed = parse(
        "struct a { typedef int item; item x; }; struct b { struct item { float f; }; item x; };
         __global__ void k(a *p, b *q) { q->x.f = p->x; }
         __global__ void unclear(b::item *p) { p->f = 1; }",
        Cuda,
    );
    let names: Vec<&str> = parsed.unsupported.iter().map(|u| u.proc.as_str()).collect();
    assert_eq!(names, Vec::<&str>::new());
    assert_eq!(squeezed(&operators(&parsed, "k")), "*q = (float)*p;");
}

#[test]
fn references_that_nothing_stands_for() {
    let refused = |code: &str| {
        let text = format!(
            "struct R {{ int &r; int k; }};
             struct S {{ int &r; __device__ S(int &x) : r(x) {{}} }};
             struct O {{ int v;
               __device__ auto own() {{ return [this] {{ return v; }}; }}
               __device__ int run() {{ auto f = [this] {{ return v; }}; v++; return f(); }} }};
             __global__ void k(int *a, int n) {{ {code} }}"
        );
        let parsed = parse(&text, Cuda);
        let found = parsed.unsupported.iter().find(|u| u.proc == "k");
        found.map(|u| u.message.clone())
    };
    let member = "a member that is a reference";
    for code in [
        "R r = {a[0], 3}; r.r = n;",
        "R r = {n, n}; a[0] = r.r;",
        "S s(a[0]); s.r = n;",
    ] {
        let message = refused(code).unwrap_or_default();
        assert!(message.ends_with(member), "{code}: {message}");
    }
    let message =
        refused("O p = {1}, q = {2}; auto f = p.own(); auto g = q.own(); a[0] = f() - g();");
    let message = message.unwrap_or_default();
    assert!(
        message.contains("catches `this` and outlasts the call"),
        "{message}"
    );
    assert_eq!(
        refused("O p = {1}, q = {2}; a[0] = p.run(); a[1] = q.run();"),
        None
    );
}

/// An instance is chosen of a template of which the file makes none: what the text writes, else something plain, the
/// first that clang accepts.
#[test]
fn instances_that_are_chosen() {
    let check = |text: &str, kernels: &[&str], instances: &[&str]| {
        let options = ParseOptions {
            choose_instances: true,
            ..ParseOptions::default()
        };
        let parsed = parse_source("test", text, Cuda, &options).expect("a file");
        let names = parsed.program.procs.iter().map(|proc| &*proc.name);
        assert_eq!(names.collect::<Vec<_>>(), kernels, "{text}");
        let chosen: Vec<&str> = parsed
            .assumptions
            .iter()
            .filter_map(|a| match &a.assumed {
                Assumed::ChosenInstance(instance) => Some(instance.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(chosen, instances, "{text}");
        parsed
    };
    let template = "template <class T, int N> __global__ void k(T *a) { a[threadIdx.x] = N; }";
    check(template, &["k_float_32"], &["k<float, 32>"]);
    check(
        &format!(
            "namespace n {{ {template} }}\ntemplate <class T> void f(T *a) {{ n::k<T, 7><<<1, 1>>>(a); n::k<int, 9><<<1, 1>>>(a); }}"
        ),
        &["k_int_9"],
        &["n::k<int, 9>"],
    );
    check(
        "template <class T> __global__ void k(T *a) { static_assert(sizeof(T) == 8, \"\"); a[0] = 1; }
         template <bool F, class T = char> __global__ void l(T *a) { a[0] = F; }",
        &["k_double", "l_m1_char"],
        &["k<double>", "l<true>"],
    );
    // An instance that the file makes is enough, and what clang accepts of none is named.
    check(
        "template <class T> __global__ void k(T *a) { a[0] = 1; }
         template __global__ void k<short>(short *);",
        &["k_short"],
        &[],
    );
    let parsed = check(
        "template <class T> __global__ void k(T *a) { a->member = 1; }\n__global__ void l(int *a) { a[0] = 1; }",
        &["l"],
        &[],
    );
    assert_eq!(
        parsed.unsupported[0].message,
        "a kernel template that nothing instantiates (--instantiate 'k<…>')"
    );
}
