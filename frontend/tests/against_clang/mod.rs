//! The front end and the reference semantics against clang itself: the same C text is read into
//! the algebra and run there, and is compiled and run on this machine; contents and results must
//! agree. The texts use nothing that C leaves open.

mod compared;
mod random_bits;
mod random_c;
mod random_calls;
mod random_objects;
mod random_program;
mod random_values;
mod random_walks;
mod run;

use compared::{
    Compiler, Source, Tally, Where, compare, compare_bodies, compare_sources, smallest,
    smallest_body, smallest_calls,
};
use gridlock_frontend::Language;
use gridlock_generation::effort;
use random_calls::{Fault, Program};
use run::check;
use std::ops::Range;

/// Bodies of `long long f(int *a, int n)`, where `a` has 16 elements.
const BY_HAND: &[&str] = &[
    "int i, s = 0; for (i = 0; i < n; i++) { if (a[i] == 7) break; if (a[i] & 1) continue; s += a[i]; } return s * 100 + i;",
    "int i; for (i = 0; i < 16; i++) { if (i == 3) continue; if (i == n) break; a[i] = i; } return i;",
    "int s = 0; while (n-- > 0) { if (n == 4) continue; if (a[n] > 50) break; s += a[n]; } return s + n;",
    "int s = 0; do { s += n; if (s > 20) break; if (n == 3) continue; a[n & 15] = s; } while (--n > 0 && s < 100); return s;",
    "for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) { if (j > i) break; if ((i + j) % 3) continue; a[j] += i; if (a[j] > 200) return i * 16 + j; } return -1;",
    "for (int i = 0, j = 15; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } return 0;",
    "int i = 0; a[i++] = 5; a[++i] += 7; a[i--] *= 2; return i;",
    "int i = 1; int x = (i++, 10 * (n > 3 ? i++ : 0)); return x + i;",
    "int i = 0; if (i++ || ++i) a[0] = i; if (i && i++ > 5) a[1] = 9; return i;",
    "int x = (a[0]++, a[0] + 1); return x;",
    "int x, y; x = y = a[2]; x += y -= 3; return x * 1000 + y;",
    "unsigned char c = 250; c += 10; c++; signed char d = (signed char)200; short s = (short)70000; return c * 1000000LL + d * 1000 + s;",
    "unsigned u = 3; int k = -5; long long w = k; w += u; return w * 10 + (k < (int)u) + (k + u > 100u);",
    "unsigned u = 0; u--; u >>= 28; int k = -9; return u * 100 + (k >> 1) + k / 2 + k % 4;",
    "long long w = 1; w <<= 40; w |= 5; return w ^ (w >> 3);",
    "return !n + 2 * !!n + 4 * (n == 3) + 8 * (n && a[0]) + 16 * (n || a[0]);",
    "int *p = a + 3; *p++ = 1; *++p = 2; p[-1] = *p + p[1]; p -= 2; return p - a;",
    "int m[3][4] = {{1, 2}, {3}}; m[1][n & 3] += 5; int (*r)[4] = m + 1; r[1][2] = 9; int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) s = s * 3 + m[i][j]; return s;",
    "int m[20] = {0, 3}; for (int i = 2; i < 20; i++) m[i] = m[i - 1] + m[i - 2]; return m[19];",
    "static const int t[4] = {5, 6, 7}; return t[n & 3] * 10 + sizeof(t) + sizeof(int[3]);",
    "int x = 4; int *p = &x; *p += n; (*p)++; return x;",
    "return search(a, n, 30) * 100 + search(a, n, 31);",
    "bump(&a[n & 15], 3); bump(a, search(a, 16, 7)); return a[0];",
    "return gcd(84, 36) * 100 + gcd(n + 1, 6);",
    "int s = 0; for (int k = 2; k <= 16; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) for (int i = 0; i < 16; i++) { int x = i ^ j; if (x > i) { if (((i & k) == 0) == (a[i] > a[x])) { int t = a[i]; a[i] = a[x]; a[x] = t; s++; } } } return s;",
    "for (int i = 1; i < 16; i++) { int x = a[i], j = i - 1; while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; } a[j + 1] = x; } return a[0];",
    "int s = 0; for (;;) { if (s > 50) return s; { s += 7; if (s == 21) continue; s++; } }",
    "int s = 0; do { s++; } while (0); do { if (n) break; s += 5; } while (0); return s;",
    "float f = 0.1f; double d = f; f = f * 3 + n; return (long long)(d * 1e9) + (long long)(f * 1000) + (int)-2.7f;",
    "_Bool b = 5; b += 3; int x = b; enum { ONE = 1, SIX = 6 } e = SIX; return x * 10 + e + ONE;",
    "if (n > 2) { if (n > 4) { a[0] = 1; return 1; } a[1] = 2; } else if (n == 1) return 2; a[2] = 3; return 3;",
    "int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; ; j++) { if (j == 2) break; if (a[i + j] > 60) goto_out(&s); if (s > 2) return s; } } return -s;",
    "return (n > 1 ? search(a, n, 7) : n < -1 ? a[1]++ : gcd(4, 6)) + a[2];",
    "int t[2][3][4]; int *p = &t[0][0][0]; for (int i = 0; i < 24; i++) p[i] = i * i; return t[1][n & 1][3] + *(*(*(t + 1) + 2) + 1) + (*(t[0] + 1))[2] + **t[1] + (t[1][2] - t[0][1]);",
    "int m[4][4] = {0}; int (*r)[4] = &m[1]; (*r)[2] = 5; *(*(r + 1) + 3) = 6; r[-1][1] = 7; int *q = m[2]; q--; *q = 8; return m[1][2] * 1000 + m[2][3] * 100 + m[0][1] * 10 + m[1][3];",
    "const int *p = a, *e = a + 16; long long s = 0; while (p != e) { s = s * 3 + *p++; if (p > a + n) break; } return s + (e - p);",
    "int *p = a + n; int *q = p >= a + 5 ? p - 5 : p + 1; *q ^= 3; q[1]--; return q - a;",
    "int k = n; k = k++ < 100 ? k : -k; return k;",
    "int k = 3; k = (k += 2, k * 2); k ^= k << 3; return (k, k + 1);",
    "unsigned char c = 255; c++; signed char d = 127; d++; short s = -1; s = (unsigned short)s >> 4; return c * 10000 + d * 100 + s;",
    "unsigned short h = 65535; int x = h * h; unsigned u = h << 16; return x + (long long)u;",
    "long long z = n - 5; return (z < 0 ? -z : z) * 10 + (z > 0) - (z < 0) + (unsigned char)z + (short)(z * 70000);",
    "double d = n / 4; float f = n / 4.0f; d = d / 3 + f; return (long long)(d * 1000000) + (d > f) + (int)(f == f);",
    "float f = 16777217; f += 1; double g = 1e16; g += 1.0; return (long long)f + (long long)(g / 2) + (long long)(unsigned)3.9;",
    "int s = 0; int i = 0; do { int j = i; while (1) { if (j > 3) break; j++; if (j == 2) continue; s += j; if (s > 40) return s; } if (++i == 3) continue; s += 100; } while (i < n); return s;",
    "int s = 0; for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) { if (j == i) goto_out(&s); if (j > 3) break; if (i == 2) { if (j == 1) continue; s += 7; } s++; } if (s > n * 5) break; } return s;",
    "int x = 5; { int x = 7; a[0] = x; for (int x = 0; x < 2; x++) a[1] += x; } return x;",
    "int v = 2, w = 3; swap2(&v, &w); swap2(a, &v); swap2(&a[2], a + 3); return v * 100 + w;",
    "if (n & 1 ? a[0]++ > 3 && n > 1 : a[1]-- < 0 || a[2]++) return a[0]; return a[1];",
    "int r = 0; while (n > 0 && (r += n, n--) && r < 12) ; return r * 100 + n;",
    "long long s = 0; for (unsigned i = 20; i-- > 10;) s = s * 2 + (i & 1); for (signed char i = 5; i >= 0; i--) s += a[i]; return s;",
    "unsigned long long u = ~0ull; return (u >> 60) + (u * u == 1) + (long long)(int)0x80000000u;",
];

const PRELUDE: &str = "
static int search(const int *v, int n, int key) {
  for (int i = 0; i < n; i++) { if (v[i] == key) return i; }
  return -1;
}
static void bump(int *x, int by) { if (by < 0) return; *x += by; }
static int gcd(int x, int y) { while (y) { int t = x % y; x = y; y = t; } return x; }
static void swap2(int *x, int *y) { int t = *x; *x = *y; *y = t; }
static void goto_out(int *s) { ++*s; }
";

#[test]
fn written_by_hand() {
    check(Language::C, PRELUDE, BY_HAND);
}

#[test]
fn random_functions() {
    let bodies: Vec<String> = (1..=effort::cases(60, 2_000)).map(random_c::body).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    // A run costs as much as its program is long, so that programs are kept short.
    for (index, some) in bodies.chunks(20).enumerate() {
        // Host functions of CUDA are C++, whose syntax tree has other shapes.
        let language = [Language::C, Language::Cuda][index % 2];
        check(language, random_c::PRELUDE, some);
    }
}

/// Programs compiled as one file.
const AT_ONCE: u64 = 250;

/// What came of the random programs of a test.
#[derive(Debug)]
struct Sums {
    count: usize,
    agreed: usize,
    undefined: usize,
    refused: usize,
}

/// Compares random programs, `few` of them or in the long test `many`, `at_once` compiled as one file: `compare` is
/// given the number of the file, the seeds of its programs and the compilers to ask, `smallest` the number of a file
/// and the seed of a program of it that comes out otherwise.
fn compare_random(
    (few, many): (u64, u64),
    at_once: u64,
    compare: impl Fn(usize, Range<u64>, &[Compiler]) -> Tally,
    smallest: impl Fn(usize, u64) -> String,
) -> Sums {
    let count = effort::cases(few, many);
    let first = effort::first(0) + 1;
    let others = [
        [Compiler::Clang("-O0"), Compiler::Gcc("-O2")],
        [Compiler::Clang("-O2"), Compiler::Gcc("-O0")],
    ];
    let mut sums = Sums {
        count: count as usize,
        agreed: 0,
        undefined: 0,
        refused: 0,
    };
    let files = (first..first + count).step_by(at_once as usize);
    for (file, start) in files.enumerate() {
        let seeds = start..(start + at_once).min(first + count);
        let n = seeds.end - seeds.start;
        let tally = compare(file, seeds, &others[file / 2 % 2]);
        if let Some((index, how)) = tally.wrong.first() {
            let n_wrong = tally.wrong.len();
            let seed = start + *index as u64;
            println!("number {seed} comes out otherwise; made smaller:");
            let least = smallest(file, seed);
            panic!(
                "{n_wrong} of {n} come out otherwise, as number {seed}:\n{how}\nsmallest:\n{least}"
            );
        }
        sums.agreed += tally.agreed;
        sums.undefined += tally.undefined;
        sums.refused += tally.refused;
    }
    println!("{sums:?}");
    sums
}

/// Programs of C++17 and of C, in turn, against clang and GCC.
#[test]
fn random_programs() {
    let is_cpp = |file| file % 3 != 2;
    let sums = compare_random(
        (8, 10_000),
        AT_ONCE,
        |file, seeds, others| {
            let program = |seed| random_program::program(seed, is_cpp(file));
            let programs: Vec<_> = seeds.map(program).collect();
            compare(&programs, is_cpp(file), others)
        },
        |file, seed| {
            let program = random_program::program(seed, is_cpp(file));
            let (least, _) = smallest(&program, is_cpp(file));
            random_program::text(&least, is_cpp(file))
        },
    );
    // Enough of them say something.
    assert!(sums.agreed * 10 >= sums.count * 9, "{sums:?}");
}

/// Functions over bit-fields and unions, of C++17 and of C in turn, against clang and GCC.
#[test]
fn random_bit_fields() {
    let is_cpp = |file| file % 2 == 0;
    let sums = compare_random(
        (7, 5_000),
        AT_ONCE / 2,
        |file, seeds, others| {
            let body = |seed| random_bits::text(&random_bits::body(seed, is_cpp(file), None));
            let texts: Vec<String> = seeds.map(body).collect();
            compare_bodies(&texts, is_cpp(file), others)
        },
        |file, seed| {
            let body = random_bits::body(seed, is_cpp(file), None);
            let (least, how) = smallest_body(&body, is_cpp(file), random_bits::smaller);
            format!("{}\n{how}", random_bits::text(&least))
        },
    );
    assert!(sums.agreed * 10 >= sums.count * 8, "{sums:?}");
}

/// Compares programs of several functions, as [`compare_random`].
fn compare_random_functions(
    place: Where,
    counts: (u64, u64),
    is_cpp: impl Fn(usize) -> bool,
    program: impl Fn(u64, bool) -> Program,
) -> Sums {
    compare_random(
        counts,
        AT_ONCE / 2,
        |file, seeds, others| {
            let programs = seeds.map(|seed| program(seed, is_cpp(file)));
            let sources: Vec<Source> = programs.map(|p| random_calls::source(&p, place)).collect();
            compare_sources(&sources, &sources, is_cpp(file), others)
        },
        |file, seed| {
            let program = program(seed, is_cpp(file));
            let (least, how) = smallest_calls(&program, is_cpp(file), place);
            let least = random_calls::source(&least, place);
            format!("{}{}\n{how}", least.before, least.body)
        },
    )
}

/// Functions that call one another with pointers that walk and with references, of C++17 and of C in turn, against
/// clang and GCC.
#[test]
fn random_calls_and_walks() {
    let sums = compare_random_functions(
        Where::Host,
        (7, 5_000),
        |file| file % 3 != 1,
        |seed, is_cpp| random_calls::program(seed, is_cpp, None),
    );
    assert!(
        sums.agreed * 10 >= sums.count * 6 && sums.refused * 3 < sums.count,
        "{sums:?}"
    );
}

/// The comparison sees what it is there for: where the compilers are given texts with a planted fault, some programs
/// come out otherwise.
#[test]
fn planted_faults_are_seen() {
    for (fault, n) in [
        (Fault::StepAfterBreak, 30),
        (Fault::LeftFirst, 20),
        (Fault::ArgumentTwice, 20),
        (Fault::ReferenceByValue, 20),
    ] {
        if !effort::is_next_done(2) {
            continue;
        }
        let sources = |fault| -> Vec<Source> {
            let of =
                |seed| random_calls::source(&random_calls::program(seed, true, fault), Where::Host);
            (1..=n).map(of).collect()
        };
        let tally = compare_sources(&sources(Some(fault)), &sources(None), true, &[]);
        let first = tally.wrong.first().map(|(index, _)| index + 1);
        println!(
            "{fault:?}: {} differ, the first is {first:?}",
            tally.wrong.len()
        );
        assert!(first.is_some(), "{fault:?} is not seen in {n} programs");
    }
}

/// Objects whose constructors and destructors show when they run, against clang and GCC: in functions of the host.
#[test]
fn random_objects() {
    let sums = compare_random_functions(
        Where::Host,
        (8, 3_000),
        |_| true,
        |seed, _| random_objects::program(seed, Where::Host, None),
    );
    assert!(sums.agreed * 10 >= sums.count * 9, "{sums:?}");
}

/// The same in kernels, of one thread.
#[test]
fn random_objects_in_kernels() {
    let sums = compare_random_functions(
        Where::Kernel,
        (8, 3_000),
        |_| true,
        |seed, _| random_objects::program(seed, Where::Kernel, None),
    );
    assert!(sums.agreed * 10 >= sums.count * 9, "{sums:?}");
}

/// The same of objects.
#[test]
fn planted_faults_in_objects_are_seen() {
    use random_objects::Fault;
    for (fault, place, n) in [
        (Fault::AtOnce, Where::Host, 10),
        (Fault::NoMembers, Where::Host, 20),
        (Fault::LateResult, Where::Host, 20),
        (Fault::NoReturn, Where::Kernel, 20),
    ] {
        if !effort::is_next_done(4) {
            continue;
        }
        let sources = |fault| -> Vec<Source> {
            let program = |seed| random_objects::program(seed, place, fault);
            let of = |seed| random_calls::source(&program(seed), place);
            (1..=n).map(of).collect()
        };
        let tally = compare_sources(&sources(Some(fault)), &sources(None), true, &[]);
        let first = tally.wrong.first().map(|(index, _)| index + 1);
        println!(
            "{fault:?}: {} differ, the first is {first:?}",
            tally.wrong.len()
        );
        assert!(first.is_some(), "{fault:?} is not seen in {n} functions");
    }
}

/// The same of bit-fields and unions.
#[test]
fn planted_faults_in_bit_fields_are_seen() {
    use random_bits::Fault;
    for (fault, n) in [
        (Fault::Narrower, 10),
        (Fault::NoSign, 10),
        (Fault::Later, 5),
    ] {
        if !effort::is_next_done(2) {
            continue;
        }
        let sources = |fault| -> Vec<Source> {
            let text = |seed| random_bits::text(&random_bits::body(seed, true, fault));
            let of = |seed| Source::of_body(&text(seed));
            (1..=n).map(of).collect()
        };
        let tally = compare_sources(&sources(Some(fault)), &sources(None), true, &[]);
        let first = tally.wrong.first().map(|(index, _)| index + 1);
        println!(
            "{fault:?}: {} differ, the first is {first:?}",
            tally.wrong.len()
        );
        assert!(first.is_some(), "{fault:?} is not seen in {n} functions");
    }
}

/// What is passed by reference stays the same cell when the pointer that it was named by moves on.
#[test]
fn references_outlast_their_pointers() {
    let before = "
static int walk@(int *&w, int &r) { w++; r = 5; return r + *w; }
static int deep@(int *&w, int &r) { int x = walk@(w, r); w += 2; r++; x += walk@(w, w[-1]); return x + r; }
static int again@(int *&w, int &r, int n) { if (n <= 0) return r; w++; r += n; int x = again@(w, w[1], n - 1); return x + r; }
struct S@ { int v; int take(S@ *&w) { w++; v = 7; return w->v; } };
";
    let bodies = [
        "int *p = a + 3; int x = walk@(p, p[1]); return x * 100 + (p - a);",
        "int *p = a + 3; int x = walk@(p, *p); return x * 100 + (p - a);",
        "int *p = a + 3; int x = walk@(p, p[-n & 3]); return x * 100 + (p - a);",
        "int *p = a + 3; int x = walk@(p, *(p + n)); return x * 100 + (p - a);",
        "int *p = a + 3; int x = walk@(p, a[p - a + 1]); return x * 100 + (p - a);",
        "int *p = a + 3; int x = deep@(p, p[2]); return x * 100 + (p - a);",
        "int *p = a + 3; int x = again@(p, p[2], 3); return x * 100 + (p - a);",
        "int *p = a; int s = 0; for (int i = 0; i < n; i++) s += walk@(p, p[1]); return s * 100 + (p - a);",
        "S@ m[4] = {1, 2, 3, 4}; S@ *p = m; int x = p[1].take(p); return x * 1000 + m[1].v * 100 + m[2].v * 10 + (p - m);",
    ];
    let sources = bodies.map(|body| Source {
        place: Where::Host,
        before: before.into(),
        body: body.into(),
    });
    let tally = compare_sources(&sources, &sources, true, &[Compiler::Clang("-O0")]);
    assert_eq!(tally.wrong, vec![]);
    assert_eq!(tally.agreed, bodies.len(), "{tally:?}");
}
