//! The order of evaluation, rule by rule of C++17's [expr], and where the languages have none: what could tell is
//! refused, what cannot is read.

use crate::reading::support::{operators, squeezed};
use gridlock_frontend::{Language, ParseOptions, Parsed, parse_source};

const PRELUDE: &str = "
__device__ int c, d;
__device__ int pure(int x, int y) { return x - y; }
__device__ int touch(int *p, int i) { return p[i]++; }
__device__ int look(const int *p, int i) { return p[i]; }
__device__ int outer(int *p, int i) { return touch(p + 1, i); }
struct V { int x, y;
  __device__ V(int a, int b) : x(a), y(b) {}
  __device__ int at(int i) const { return i ? y : x; }
  __device__ V &operator+=(const V &o) { x += o.x; y += o.y; return *this; }
  __device__ V &operator=(int n) { x = n; return *this; }
  __device__ V operator+(const V &o) const { return V(x + o.x, y - o.y); }
  __device__ V operator<<(int n) const { return V(x << n, y); }
  __device__ int operator()(int a, int b) const { return a * x - b; } };
struct P { int x, y; };
struct Q { int e[4]; int k; };
struct A { int e[4]; __device__ int &operator[](int i) { return e[i]; } };
";

const C_PRELUDE: &str = "
static int pure(int x, int y) { return x - y; }
static int touch(int *p, int i) { return p[i]++; }
static int look(const int *p, int i) { return p[i]; }
struct P { int x, y; };
struct Q { int e[4]; int k; };
";

fn read(text: &str, language: Language, standard: Option<&str>) -> Parsed {
    let options = ParseOptions {
        standard: standard.map(str::to_string),
        ..ParseOptions::default()
    };
    parse_source("test", text, language, &options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Functions with `int *a, int *b, int n, int m` in reach.
fn functions(language: Language, codes: &[&str]) -> String {
    let (head, space, prelude) = match language {
        Language::Cuda => ("__global__ void", "", PRELUDE),
        Language::OpenCl => ("__kernel void", "__global", ""),
        _ => ("void", "", C_PRELUDE),
    };
    let mut text = String::from(prelude);
    for (index, code) in codes.iter().enumerate() {
        text += &format!(
            "\n{head} k{index}({space} int *a, {space} int *b, int n, int m) {{ {code} }}"
        );
    }
    text
}

/// What is said about each piece of code: nothing where it is read.
fn refusals(language: Language, standard: Option<&str>, codes: &[&str]) -> Vec<Option<String>> {
    let parsed = read(&functions(language, codes), language, standard);
    let of = |index: usize| {
        let name = format!("k{index}");
        let found = parsed.unsupported.iter().find(|u| u.proc == name);
        found.map(|u| u.message.clone())
    };
    (0..codes.len()).map(of).collect()
}

fn all_read(language: Language, standard: Option<&str>, codes: &[&str]) {
    for (code, refused) in codes.iter().zip(refusals(language, standard, codes)) {
        assert_eq!(refused, None, "{code}");
    }
}

fn all_refused(language: Language, standard: Option<&str>, codes: &[&str]) {
    for (code, refused) in codes.iter().zip(refusals(language, standard, codes)) {
        let refused = refused.unwrap_or_else(|| panic!("read: {code}"));
        let expected = "operands that the language puts in no order: one changes ";
        assert!(refused.starts_with(expected), "{code}: {refused}");
    }
}

/// What C++17 orders, and older C++ and C do not.
const ORDERED_SINCE_CPP17: &[&str] = &[
    // Assignment: the right side first.
    "a[n] = n++;",
    "a[n] = n = 0;",
    "a[n++] = n;",
    "n = n++;",
    "n = n++ + 1;",
    "int *p = a; *p++ = *p;",
    "int *p = a; p[0] = *(p += 2);",
    // Compound assignment.
    "a[n] += n++;",
    "n += n++;",
    "n -= (n = 2) + 1;",
    "a[n] <<= --n;",
    "int *p = a; p += *p++;",
    // Shifts: left to right.
    "m = n++ << n;",
    "m = n >> (n = 2);",
    // Subscripts: the array first.
    "int *p = a; m = p[*p++];",
    "int *p = a; m = (p = b)[*p];",
    "int *p = a; m = (p += 1)[p - a];",
];

/// What no language orders.
const UNORDERED: &[&str] = &[
    "m = n + n++;",
    "m = n++ + n++;",
    "m = ++n * --n;",
    "m = (n = 1) - (n = 2);",
    "m = n == n++;",
    "m = (n & (n |= 4));",
    "m = a[n] + a[n++];",
    "m = a[0]++ + a[0];",
    "m = a[n]++ - a[m]++;",
    "int q[2] = {1, 2}; int *p = q; m = *p++ + *p;",
    "a[n++] = n++ + n;",
];

#[test]
fn cpp17_orders_what_it_orders() {
    all_read(Language::Cuda, None, ORDERED_SINCE_CPP17);
    all_read(Language::Cuda, Some("c++20"), ORDERED_SINCE_CPP17);
    let parsed = read(
        &functions(Language::Cuda, ORDERED_SINCE_CPP17),
        Language::Cuda,
        None,
    );
    let ops = |index: usize| squeezed(&operators(&parsed, &format!("k{index}")));
    assert_eq!(
        ops(0),
        "temporary = n; n = temporary + 1; a[n] = temporary;"
    );
    assert_eq!(ops(1), "n = 0; a[n] = n;");
    assert_eq!(
        ops(2),
        "temporary_1 = n; temporary = n; n = temporary + 1; a[temporary] = temporary_1;"
    );
    assert_eq!(ops(3), "temporary = n; n = temporary + 1; n = temporary;");
    assert_eq!(
        ops(5),
        "p = a; temporary_1 = *p; temporary = p; p = &temporary[1]; *temporary = temporary_1;"
    );
    assert_eq!(
        ops(7),
        "temporary = n; n = temporary + 1; a[n] = a[n] + temporary;"
    );
    assert_eq!(
        ops(8),
        "temporary = n; n = temporary + 1; n = n + temporary;"
    );
    assert_eq!(
        ops(12),
        "temporary = n; n = temporary + 1; m = temporary << n;"
    );
}

#[test]
fn older_languages_do_not() {
    all_refused(Language::Cuda, Some("c++14"), ORDERED_SINCE_CPP17);
    all_refused(Language::Cuda, Some("c++11"), ORDERED_SINCE_CPP17);
    all_refused(Language::C, None, ORDERED_SINCE_CPP17);
    all_refused(Language::C, Some("c99"), ORDERED_SINCE_CPP17);
    let opencl: Vec<String> = ORDERED_SINCE_CPP17
        .iter()
        .map(|code| code.replace("int *p", "__global int *p"))
        .collect();
    let opencl: Vec<&str> = opencl.iter().map(String::as_str).collect();
    all_refused(Language::OpenCl, None, &opencl);
}

#[test]
fn nobody_orders_operands_of_most_operators() {
    all_refused(Language::Cuda, None, UNORDERED);
    all_refused(Language::Cuda, Some("c++14"), UNORDERED);
    all_refused(Language::C, None, UNORDERED);
    all_refused(Language::OpenCl, None, UNORDERED);
}

#[test]
fn what_an_assignment_itself_changes() {
    // The value of `++n` and of an assignment comes with its change in C++, not in C.
    let in_cpp = ["n = ++n;", "n = (n += 2) * 3;", "n = n = 5;", "m = n = m;"];
    all_read(Language::Cuda, Some("c++14"), &in_cpp);
    all_refused(Language::C, None, &in_cpp[..3]);
    all_read(Language::C, None, &in_cpp[3..]);
    // A sequence point in between.
    let ordered = [
        "n = (n++, 5);",
        "n = n++ ? n : -n;",
        "n = n++ && m;",
        "m = (n++, n) + 1;",
        "m = n++ && n++;",
        "m = n++ || n++ ? n++ : n--;",
        "n = pure(n, 1);",
        "a[n] = touch(a, 1);",
    ];
    all_read(Language::C, None, &ordered);
    all_read(Language::Cuda, None, &ordered);
}

#[test]
fn calls_and_arguments() {
    all_refused(
        Language::Cuda,
        None,
        &[
            "m = pure(n++, n);",
            "m = pure(n = 1, n = 2);",
            "m = touch(a, 1) + a[n];",
            "m = touch(a, 1) - touch(a, n);",
            "m = outer(a, n) + look(a, n);",
            "int *p = a + n; m = touch(p, 0) * look(a, 3);",
            "m = pure(touch(a, 0), touch(a, 1));",
            "m = min(n++, n);",
            "m = atomicAdd(&c, 1) - atomicAdd(&c, 1);",
            "m = atomicExch(&a[0], n) + a[0];",
            "m = atomicAdd(&a[n++], n);",
            "printf(\"%d %d\", n++, n);",
            "printf(\"%d %d\", touch(a, 0), a[0]);",
            "printf(\"%d %d\", a[0]++, touch(a, 0));",
            "memcpy(a + touch(b, 0), b + look(b, 0), 4);",
            "memcpy(a, b + touch(&c, 0), c * sizeof(int));",
            "memset(a, touch(b, 0), look(b, 0) * sizeof(int));",
            "m = min(touch(a, 0), a[0]);",
            "m = max(min(touch(a, 0), 3), a[0]);",
            "atomicAdd(&a[touch(b, 0)], b[0]);",
            "atomicAdd(&a[b[0]], b[0]++);",
            "m = atomicAdd(&a[c++], atomicAdd(&c, 1));",
            "auto f = [&]() { return ++n; }; m = min(f(), n);",
            "auto f = [&]() { return ++a[n]; }; m = min(f(), a[n]);",
            "m = (memcpy(a, b, 8), 1) + a[0];",
            "auto f = [&]() { return ++n; }; m = f() + n;",
            "auto f = [&](int x) { return n += x; }; m = f(1) - f(2);",
            "V v(n++, n);",
            "V v(1, 2); m = v(n++, n);",
            "V v(1, 2); v = V(n++, 2) + V(n, 2);",
            "P p = {1, 2}; m = p.x + p.x++;",
        ],
    );
    all_read(
        Language::Cuda,
        None,
        &[
            "m = pure(n++, m++);",
            "m = pure(n, 1) + pure(n, 2);",
            "m = look(a, n) + look(a, m);",
            "m = touch(a, 1) + touch(b, 1);",
            "m = touch(a, 1) + look(b, 2);",
            "m = outer(a, n) + look(b, n);",
            "int q[4] = {0}; m = touch(q, 0) + look(a, 0);",
            "m = a[0]++ + a[1]++;",
            "m = a[n]++ + a[n + 1];",
            "m = atomicAdd(&c, 1) + atomicAdd(&d, 1);",
            "m = atomicAdd(&a[0], 1) + b[0];",
            "a[n++] = b[m++];",
            "a[atomicAdd(&c, 1)] = b[n];",
            "a[n] = a[m]++;",
            "m = min(atomicAdd(&c, 1), n);",
            "printf(\"%d %d\", n++, m);",
            "printf(\"%d %d\", touch(a, 0), b[0]);",
            "printf(\"%d %d\", a[0]++, a[1]);",
            "memcpy(a + touch(b, 0), b + look(a, 0), 4);",
            "memset(a, 0, touch(b, 0) * sizeof(int));",
            "m = min(touch(a, 0), look(b, 0));",
            "m = max(min(touch(a, 0), 3), b[0]);",
            "atomicAdd(&a[touch(b, 0)], a[0]);",
            "atomicAdd(&a[b[0]++], c);",
            "m = atomicAdd(&a[atomicAdd(&c, 1)], d);",
            "auto f = [&]() { return ++a[n]; }; m = min(f(), b[n]);",
            "m = min(min(min(min(touch(a, 0), n), m), look(b, 1)), c);",
            "auto f = [&]() { return ++n; }; m = f() + m;",
            "auto f = [=]() { return n; }; m = f() + n++;",
            "V v{n++, n};",
            "P p = {n++, n};",
            "int q[2] = {n++, n};",
            "int x = n++, y = n;",
            "A v; v[n++] = n;",
            "V v(1, 2); v << n++;",
            "V v(n++, 1); v += V(n, m);",
            "V v(1, 2); m = v.at(n++);",
            "for (n = 0, m = 1; n++ < 3; m += n, n++) a[n] = m;",
            "while (n-- > 0 && a[n]++) m += n;",
            "switch (n++) { case 1: m = n; break; default: m = n++; }",
            "m = n++ > 2 ? n++ : n--;",
            "int &r = n; r = r++ + 1;",
        ],
    );
    all_refused(
        Language::C,
        None,
        &[
            "m = pure(n++, n);",
            "struct P p = {n++, n};",
            "int q[2] = {n++, n};",
            "int q[2] = {touch(a, 0), look(a, n)};",
            "m += touch(&m, 0);",
        ],
    );
    all_read(
        Language::C,
        None,
        &[
            "m = pure(n++, m);",
            "a[n++] = b[m++];",
            "struct P p = {n++, m};",
            "int q[3] = {n++, m++, touch(a, 0)};",
            "m += touch(a, 0);",
            "int *p = a, *q = b; while (n--) *p++ = *q++;",
        ],
    );
}

#[test]
fn barriers_are_in_order_with_memory() {
    all_refused(
        Language::Cuda,
        None,
        &[
            "auto f = [&]() { __syncthreads(); return 1; }; m = f() + a[0];",
            "auto f = [&]() { __threadfence(); return 1; }; m = a[0] - f();",
        ],
    );
    all_read(
        Language::Cuda,
        None,
        &[
            "auto f = [&]() { __syncthreads(); return 1; }; m = f() + n;",
            "m = __shfl_sync(~0u, n, 1) + __shfl_sync(~0u, n, 2);",
            "m = a[0] + __shfl_xor_sync(~0u, n, 1);",
        ],
    );
}

#[test]
fn the_first_place_is_named() {
    let text = "__global__ void k(int *a) {\n  int i = 3;\n  a[0] = i +\n    i++;\n}";
    let parsed = read(text, Language::Cuda, None);
    let [refused] = parsed.unsupported.as_slice() else {
        panic!("{:?}", parsed.unsupported);
    };
    assert_eq!((refused.line, refused.column), (4, 5));
    assert_eq!(
        refused.message,
        "operands that the language puts in no order: one changes `i`, which another uses"
    );
    let text = "__device__ int f(int *p) { return ++*p; }\n__global__ void k(int *a) {\n  a[1] = f(a) -\n f(a);\n}";
    let parsed = read(text, Language::Cuda, None);
    let [refused] = parsed.unsupported.as_slice() else {
        panic!("{:?}", parsed.unsupported);
    };
    assert_eq!((refused.line, refused.column), (4, 2));
    assert!(refused.message.contains("`a`"), "{}", refused.message);
}

/// The members of one union are one place, bit-fields of one struct are not.
#[test]
fn members_of_unions() {
    const TYPES: &str = "struct { int k; union { int a; unsigned b; } u; } s = {1, {2}}; \
        struct { int k; union { struct { unsigned lo : 4, hi : 4; } in; unsigned char all; } u; } t; t.u.all = 1; ";
    let with_types = |codes: &[&str]| -> Vec<String> {
        codes.iter().map(|code| format!("{TYPES}{code}")).collect()
    };
    let refused = with_types(&[
        "s.u.a = s.u.b++;",
        "m = s.u.a + s.u.b++;",
        "s.u.b = (s.u.a = 3) + s.u.a;",
        "t.u.in.lo = t.u.all++;",
        "m = t.u.in.hi++ + t.u.all;",
    ]);
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    all_refused(Language::C, None, &refused);
    all_refused(Language::Cuda, Some("c++14"), &refused);
    let read = with_types(&[
        "s.u.a = s.k++;",
        "t.u.in.lo = t.u.in.hi++;",
        "struct { unsigned a : 3, b : 3; } w = {1, 2}; w.a = w.b++; m = w.a++ + w.b;",
    ]);
    let read: Vec<&str> = read.iter().map(String::as_str).collect();
    all_read(Language::C, None, &read);
}

#[test]
fn a_change_inside_a_subscript_against_the_access_itself() {
    let either = [
        "m = a[a[n]++];",
        "a[a[n]--] = m;",
        "m = a[a[0]++ + 1];",
        "m = *(a + a[n]++);",
        "a[a[n]++] += m;",
        "a[a[n]++]++;",
    ];
    all_refused(Language::Cuda, None, &either);
    all_refused(Language::C, None, &either);
    // In an array whose elements are variables, and in a vector.
    let in_variables = [
        "struct Q q = {{1, 2, 3, 0}, 1}; m = q.e[q.e[n]++];",
        "struct Q q = {{1, 2, 3, 0}, 1}; q.e[q.e[1]--] = m;",
        "struct Q q = {{1, 2, 3, 0}, 1}; q.e[q.e[n]++]++;",
    ];
    all_refused(Language::Cuda, None, &in_variables);
    all_refused(Language::C, None, &in_variables);
    let reached = [
        "struct Q q = {{1, 2, 3, 0}, 1}; m = q.e[q.k++]; q.e[q.k++] = n;",
        "struct Q q = {{1, 2, 3, 0}, 1}; m = q.e[(q.e[1]++, 2)];",
    ];
    all_read(Language::Cuda, None, &reached);
    all_read(Language::C, None, &reached);
    // In C++ the value of an assignment comes after it.
    let assigned = ["m = a[++a[n]];", "m = a[a[n] = 3];", "m = a[a[n] += 2];"];
    all_read(Language::Cuda, None, &assigned);
    all_refused(Language::C, None, &assigned);
    let apart = [
        "m = a[b[n]++];",
        "a[b[0]++] = n;",
        "a[n++] = m;",
        "int q[4] = {0}; m = a[q[n]++];",
        "int *p = a; *p++ = n; m = *--p;",
        "m = a[(a[n]++, 2)];",
        "m = a[touch(a, n)];",
        // A member beside the array that is in the same memory.
        "struct Q q[2] = {{{1}, 0}, {{2}, 0}}; q[n].e[q[n].k++] = m; m = q[n].e[--q[n].k];",
        "struct Q q; q.k = 0; touch(q.e, 0); q.e[q.k++] = m; m = q.e[--q.k];",
    ];
    #[rustfmt::skip]
    let in_cpp = [&apart[..], &["a[atomicAdd(&a[0], 1)] = n;"]].concat();
    all_read(Language::Cuda, None, &in_cpp);
    all_read(Language::C, None, &apart);
}

#[test]
fn configurations_of_launches_have_no_order() {
    let host = |body: &str| {
        format!(
            "__global__ void g(int *a, int n) {{ a[threadIdx.x] = n; }}
             int count;
             int more() {{ return ++count; }}
             int other(int x) {{ return x + 1; }}
             int main() {{ int *a, n = 1; cudaMalloc(&a, 64); {body} return 0; }}"
        )
    };
    let refused = |body: &str| {
        let parsed = read(&host(body), Language::Cuda, None);
        let found = parsed.unsupported.iter().find(|u| u.proc == "main");
        found.map(|u| u.message.clone())
    };
    for body in [
        "g<<<more(), more()>>>(a, 1);",
        "g<<<more(), 4>>>(a, count);",
        "g<<<n++, n>>>(a, 1);",
        "g<<<1, n++>>>(a, n);",
        "g<<<1, 2, n = 4>>>(a, n);",
    ] {
        let message = refused(body).unwrap_or_else(|| panic!("read: {body}"));
        assert!(
            message.starts_with("operands that the language puts in no order"),
            "{message}"
        );
    }
    for body in [
        "g<<<more(), 4>>>(a, 1);",
        "g<<<other(n), other(2)>>>(a, other(n));",
        "g<<<n++, 4>>>(a, 1);",
        "g<<<1, 2>>>(a, n++);",
    ] {
        assert_eq!(refused(body), None, "{body}");
    }
}

#[test]
fn a_fault_in_a_value_that_nobody_uses_is_kept() {
    let codes = [
        "m / n;",
        "(void)(m % n);",
        "m << n;",
        "m / n && m;",
        "n && m / n;",
        "m + n;",
        "m / 2;",
    ];
    let parsed = read(&functions(Language::Cuda, &codes), Language::Cuda, None);
    let ops: Vec<String> = (0..codes.len())
        .map(|index| squeezed(&operators(&parsed, &format!("k{index}"))))
        .collect();
    for (index, fault) in ["m / n", "m % n", "m << n", "m / n", "m / n"]
        .iter()
        .enumerate()
    {
        assert!(
            ops[index].contains(fault),
            "{}: {}",
            codes[index],
            ops[index]
        );
    }
    assert_eq!((ops[5].as_str(), ops[6].as_str()), ("skip;", "skip;"));
}
