//! What is not supported is named with its place, and makes only the procedure around it (and
//! its callers) unsupported.

use crate::reading::support::{parse, refusal};
use gridlock_frontend::Language;
use gridlock_frontend::Language::{C, Cuda};

/// Each piece of code is the body of a kernel of its own; the place expected counts as if the
/// kernel's head stood on line 1 and the code on line 2.
fn check_kernels(cases: &[(&str, &str)]) {
    let mut text = String::new();
    for (index, (code, _)) in cases.iter().enumerate() {
        text += &format!("__global__ void k{index}(int *a, int n, float *f) {{\n{code}\n}}\n");
    }
    let parsed = parse(&text, Cuda);
    for (index, (code, expected)) in cases.iter().enumerate() {
        let name = format!("k{index}");
        let found = parsed.unsupported.iter().find(|u| u.proc == name);
        let found = found.unwrap_or_else(|| panic!("accepted: {code}"));
        let line = found.line - 3 * index as u32;
        let shown = format!("{line}:{}: {}", found.column, found.message);
        assert_eq!(
            shown,
            expected.replace("`k`", &format!("`{name}`")),
            "{code}"
        );
    }
}

fn check(text: &str, language: Language, name: &str, expected: &str) {
    assert_eq!(refusal(text, language, name), expected, "{text}");
}

#[test]
fn constructs_in_kernels() {
    check_kernels(&[
        (
            "asm volatile(\"brkpt;\");",
            "2:1: the instruction `brkpt` in inline assembly",
        ),
        ("asm volatile(\"L: bra L;\");", "2:1: inline assembly"),
        (
            "asm volatile(\"bar.red.popc.u32 %0, 1, 1;\" : \"=r\"(n));",
            "2:1: the instruction `bar.red.popc.u32` in inline assembly",
        ),
        (
            "asm volatile(\"bar.sync 0;\");",
            "2:1: a barrier in assembly without `\"memory\"` among its clobbers",
        ),
        (
            "switch (n) { case 1 ... 3: break; }",
            "2:14: a range of cases",
        ),
        (
            "switch (n) { case 1: if (n) { case 2: n = 3; } }",
            "2:22: a case inside another statement",
        ),
        (
            "memmove(a, &a[4], n * sizeof(int));",
            "2:1: `memmove` of this many cells that may overlap",
        ),
        (
            "extern __shared__ char room[]; char *p = room + n; ((int *)p)[0] = 1;",
            "2:42: a pointer into the middle of a `int` cell",
        ),
        (
            "struct gap { char c; int i; } s; s.i = n; memcpy(a, &s, n);",
            "2:57: a number of bytes that is not constant",
        ),
        (
            "__assert(__read(a));",
            "2:1: an assertion about what another tool's proof records",
        ),
        (
            "if (n) { in: n = 1; } goto in;",
            "2:23: a `goto` into a block that it is not in",
        ),
        ("int x = ({ 3; });", "2:9: a statement expression"),
        ("n = n ?: 3;", "2:5: the operator `?:` without its middle"),
        ("int *p = new int;", "2:10: `new` in device code"),
        (
            "char *q = (char *)a; q[n] = 0; atomicAdd(a, 1);",
            "2:22: a pointer into the middle of a `int` cell",
        ),
        (
            "signed char *q = (signed char *)a; q[n] = 0; atomicAdd(a, 1);",
            "2:36: a pointer into the middle of a `int` cell",
        ),
        (
            "char *q = (char *)a; q += 2; *(int *)(q + 2) = 0;",
            "2:22: a pointer into the middle of a `int` cell",
        ),
        (
            "auto get = [&r = a[3]] { return r; }; n = get();",
            "2:18: a lambda that captures a reference to what it names anew",
        ),
        ("auto c = u'x'; n = c;", "2:1: type `char16_t`"),
        ("wchar_t c[2]; n = c[0];", "2:1: memory of type `wchar_t`"),
        (
            "long p = (long)a; a[p % 7] = n;",
            "2:10: a cast between pointer and integer",
        ),
        (
            "int p = (int)(long)a; a[0] = p;",
            "2:14: a cast between pointer and integer",
        ),
        (
            "long p = (long)a; p = n; *(int *)p = n;",
            "2:10: a cast between pointer and integer",
        ),
        (
            "__shared__ int *p; int x; p = &x;",
            "2:27: a pointer that others who read it could not follow",
        ),
        (
            "__shared__ int *p; p = a; unsigned long x = *(unsigned long *)&p;",
            "2:46: a cast from a pointer to a pointer type to a pointer to type `unsigned long long`",
        ),
        (
            "__shared__ int *p; int *q = a; if (n) q = (int *)f; p = q;",
            "2:39: a pointer to `int` cells that is given one to `float` cells",
        ),
        (
            "__shared__ int *p, s[4]; int *q = a; if (n) q = s; p = q;",
            "2:52: a pointer in memory that may point into several arrays",
        ),
        ("void *p = a;", "2:1: a variable of type `void *`"),
        (
            "union u { int *p; float y; } s; s.y = 1; u t = s;",
            "2:1: a union like this one",
        ),
        (
            "struct wide { int x : 40; } s; s.x = 1;",
            "2:1: a bit-field wider than its type",
        ),
        (
            "struct bits { unsigned x : 32; }; ((bits *)a)->x = 1;",
            "2:36: a cast from a pointer to type `int` to a pointer to the struct type `bits`",
        ),
        (
            "struct bare { unsigned x : 32; }; __shared__ bare s[4]; *(int *)s = 1;",
            "2:58: a cast from a pointer to the struct type `bare` to a pointer to type `int`",
        ),
        (
            "struct even { int x : 3, y : 5; }; extern __shared__ even s[]; s[n].x = 1;",
            "2:36: padding or bit-fields in memory of which the launch says how much there is",
        ),
        (
            "struct alignas(16) padded { int x, y, z; }; extern __shared__ padded w[]; w[n].x = 1;",
            "2:45: padding or bit-fields in memory of which the launch says how much there is",
        ),
        (
            "struct even { int x : 3, y : 5; }; __shared__ even s[4]; memset(s, 1, sizeof(s));",
            "2:68: setting bit-fields to this",
        ),
        (
            "union mark { int x : 3; float y; }; __shared__ mark s[4]; s[0].y = 1;",
            "2:37: memory of the struct type `mark`",
        ),
        (
            "struct link { link *next; int v; }; ((link *)a)->v = 1;",
            "2:38: a cast from a pointer to type `int` to a pointer to the struct type `link`",
        ),
        (
            "struct two { int *p, *q; }; struct twos { two v[2]; } s; s.v[n].p = a;",
            "2:62: a subscript that is not constant, in a struct by value",
        ),
        (
            "struct pair { int v[2]; int *p; } s; s.v[2] = 1;",
            "2:42: a subscript outside of its array",
        ),
        (
            "struct ena { int a; __device__ ~ena() { a = 0; } }; for (ena s = {n}; n > 3; n--) a[n] = 1;",
            "2:58: a variable of a class with a destructor here",
        ),
        (
            "struct enb { int a; __device__ ~enb() { a = 0; } }; a[0] = enb{n}.a;",
            "2:63: a temporary of a class with a destructor",
        ),
        (
            "struct enc { int a; __device__ ~enc() { a = 0; } } s; s.~enc();",
            "2:55: a call of a destructor",
        ),
        (
            "struct end { int a; __device__ ~end() { a = 0; } } s; if (n) goto out; a[1] = s.a; out:;",
            "2:62: `goto` beside an object of a class with a destructor",
        ),
        (
            "struct ene { int a; __device__ ~ene() { a = 0; } }; switch (n) { case 0: ene s; }",
            "2:74: a variable of a class with a destructor here",
        ),
        (
            "struct enf { int a; __device__ ~enf() { a = 0; } } s = {n}; auto g = [s]() { return s.a; }; a[0] = g();",
            "2:70: a temporary of a class with a destructor",
        ),
        (
            "struct eng { int a; __device__ ~eng(); } s;",
            "2:1: a destructor without a body",
        ),
        (
            "{ struct own { int v; __device__ own(int x) : v(x) {} }; own s(n); a[0] = s.v; } \
             { struct own { int v; __device__ own(int x) : v(x + 1) {} }; own s(n); a[1] = s.v; }",
            "2:62: an object of a class that shares its name with another",
        ),
        (
            "{ struct enp { int *p; __device__ ~enp() { *p = 1; } }; enp s = {a}; } \
             { struct enp { int *p; __device__ ~enp() { *p = 2; } }; enp s = {a}; }",
            "2:57: a variable of the struct type `enp`, which shares its name with another",
        ),
        (
            "union enh { int a; float b; __device__ ~enh() { a = 0; } }; enh s;",
            "2:61: a union with a destructor",
        ),
        (
            "struct base { __device__ virtual void f() {} } s;",
            "2:1: a class with virtual functions or bases",
        ),
        (
            "struct mixed { int i; char c; }; mixed *p = (mixed *)a; p->i = 1;",
            "2:45: a cast from a pointer to type `int` to a pointer to the struct type `mixed`",
        ),
        (
            "static int x = n;",
            "2:16: an initialiser that is not constant",
        ),
        (
            "atomicInc((unsigned *)a, 3);",
            "2:1: this atomic operation on `unsigned int` in memory of `int` cells",
        ),
        (
            "int *p; p = (int *)f; p = a; *p = n;",
            "2:9: a pointer to `int` cells that is given one to `float` cells",
        ),
        (
            "int *p = (int *)malloc(4);",
            "2:17: an allocation in device code",
        ),
        ("const char *s = \"abc\";", "2:17: a string"),
        (
            "struct s { int *p; }; s *q = (s *)f; q->p = a;",
            "2:30: a cast from a pointer to type `float` to a pointer to the struct type `s`",
        ),
        (
            "struct s { int *p; }; __shared__ s *q; q = (s *)nullptr; int *r = q->p; a++; q->p = a;",
            "2:78: a pointer in memory that may point into several arrays",
        ),
    ]);
}

#[test]
fn functions_and_callers() {
    check(
        "__device__ int f() { extern __shared__ int room[]; return room[0]; }\n\
         __global__ void k(int *a) { extern __shared__ int room[8]; a[0] = room[0] + f(); }\n",
        Cuda,
        "k",
        "2:29: shared memory whose first declaration has no extent",
    );
    let text = "__device__ int f(int n) { asm(\"trap;\"); return n; }
__device__ int g(int n) { return f(n); }
__global__ void k(int *a) { a[0] = g(3); }
__global__ void fine(int *a) { a[0] = 3; }
void host(int *d) { k<<<1, 1>>>(d); }
void host_fine(int *d) { fine<<<1, 1>>>(d); }";
    check(
        text,
        Cuda,
        "f",
        "1:27: the instruction `trap` in inline assembly",
    );
    check(
        text,
        Cuda,
        "g",
        "2:34: a call of `f`, which needs the instruction `trap` in inline assembly (line 1)",
    );
    check(
        text,
        Cuda,
        "k",
        "3:36: a call of `g`, which needs the instruction `trap` in inline assembly (line 1)",
    );
    check(
        text,
        Cuda,
        "host",
        "5:21: a launch of `k`, which needs the instruction `trap` in inline assembly (line 1)",
    );
    let parsed = parse(text, Cuda);
    assert!(parsed.program.find_proc("fine").is_some());
    assert!(parsed.program.find_proc("host_fine").is_some());
    assert!(parsed.program.find_proc("k").is_none());
    check(
        "struct S { int *p; };\n__device__ int &f(int *p) { return *p ? *p : f(p + 1); }\n__global__ void k(int *a) { f(a) = 0; }",
        Cuda,
        "k",
        "2:46: recursion of `f`",
    );
    check(
        "int g(int);\nvoid f(int *a) { a[0] = g(1); }",
        C,
        "f",
        "2:25: a call of `g`",
    );
    check(
        "void f(int (*g)(int), int *a) { a[0] = g(1); }",
        C,
        "f",
        "1:40: a call through a function pointer",
    );
    check(
        "int f(int n, ...) { return n; }",
        C,
        "f",
        "1:1: a variable number of arguments",
    );
    check(
        "struct s { int *p; };\nvoid f(struct s *x) { x->p[0] = 1; }",
        C,
        "f",
        "2:23: a pointer in memory",
    );
    check(
        "struct s { int p; };\nstruct s f(struct s *x) { return *x; }",
        C,
        "f",
        "2:1: a function that returns a variable of the struct type `s`",
    );
}

#[test]
fn host_code() {
    let host = |code: &str, expected: &str| {
        let text = format!(
            "#include <stdlib.h>\n__global__ void k(int *a) {{ a[0] = 1; }}\nvoid f(int n, int *h) {{\n{code}\n}}"
        );
        check(&text, Cuda, "f", expected);
    };
    host(
        "cudaStream_t s; cudaError_t e = cudaStreamQuery(s);",
        "4:33: a call of `cudaStreamQuery`",
    );
    host(
        "cudaStream_t s; cudaStreamCreateWithFlags(&s, n);",
        "4:47: flags of a stream that are not constant",
    );
    host(
        "int *p = 0; cudaMemcpy(p, h, 4, (cudaMemcpyKind)n);",
        "4:33: a copy whose direction is not given by name",
    );
    host(
        "struct s { s(int) {} }; s *p = new s(1);",
        "4:32: `new` of a class with a constructor",
    );
    host(
        "n = threadIdx.x;",
        "4:5: a thread or block index in host code",
    );
    // Whose value was taken for the value of its place, and that again.
    host(
        "struct s { int x; s(int n) : x(n) {} }; struct t : s { using s::s; }; t one(n); *h = one.x;",
        "4:65: an inherited constructor",
    );
    // In a header of ours, where its constructor is read in place: the function that calls it is refused.
    check(
        "#include <vector>\nstruct s { int x; double y; };\nvoid f(int n) { std::vector<s> v(n); }",
        Cuda,
        "f",
        "3:1: a container of structs with members of several types",
    );
    host("int m[n]; m[0] = 1;", "4:1: an array of variable length");
    host("cudaMemset(h, n, 4);", "4:15: setting memory to this");
    host(
        "n = rand();",
        "4:5: what `rand` gives, outside of kernels and `main`",
    );
    host(
        "malloc(4);",
        "4:1: an allocation without the type of its elements",
    );
    check(
        "int *table;\nint f(int n) { return table[n]; }",
        C,
        "f",
        "2:23: the variable `table` of a pointer type at file scope",
    );
}
