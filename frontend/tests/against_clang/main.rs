//! The front end and the reference semantics against clang itself: the same C text is read into
//! the algebra and run there, and is compiled and run on this machine; contents and results must
//! agree. The texts use nothing that C leaves open.

mod random_c;
mod run;

use gridlock_frontend::Language;
use run::check;

/// Bodies of `long long f(int *a, int n)`, where `a` has 16 elements.
const BY_HAND: &[&str] = &[
    "int i, s = 0; for (i = 0; i < n; i++) { if (a[i] == 7) break; if (a[i] & 1) continue; s += a[i]; } return s * 100 + i;",
    "int i; for (i = 0; i < 16; i++) { if (i == 3) continue; if (i == n) break; a[i] = i; } return i;",
    "int s = 0; while (n-- > 0) { if (n == 4) continue; if (a[n] > 50) break; s += a[n]; } return s + n;",
    "int s = 0; do { s += n; if (s > 20) break; if (n == 3) continue; a[n & 15] = s; } while (--n > 0 && s < 100); return s;",
    "for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) { if (j > i) break; if ((i + j) % 3) continue; a[j] += i; if (a[j] > 200) return i * 16 + j; } return -1;",
    "for (int i = 0, j = 15; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } return 0;",
    "int i = 0; a[i++] = 5; a[++i] += 7; a[i--] *= 2; return i;",
    "int i = 1; int x = i++ + 10 * (n > 3 ? i++ : 0); return x + i;",
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
    "return (n > 1 ? search(a, n, 7) : n < -1 ? a[1]++ : gcd(4, 6)) + a[1];",
    "unsigned long long u = ~0ull; return (u >> 60) + (u * u == 1) + (long long)(int)0x80000000u;",
];

const PRELUDE: &str = "
static int search(const int *v, int n, int key) {
  for (int i = 0; i < n; i++) { if (v[i] == key) return i; }
  return -1;
}
static void bump(int *x, int by) { if (by < 0) return; *x += by; }
static int gcd(int x, int y) { while (y) { int t = x % y; x = y; y = t; } return x; }
static void goto_out(int *s) { ++*s; }
";

#[test]
fn written_by_hand() {
    check(Language::C, PRELUDE, BY_HAND);
}

#[test]
fn random_functions() {
    let bodies: Vec<String> = (1..=200).map(random_c::body).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    // A run costs as much as its program is long, so that programs are kept short.
    for (index, some) in bodies.chunks(20).enumerate() {
        // Host functions of CUDA are C++, whose syntax tree has other shapes.
        let language = [Language::C, Language::Cuda][index % 2];
        check(language, random_c::PRELUDE, some);
    }
}
