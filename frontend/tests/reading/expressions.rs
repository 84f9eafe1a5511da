//! Expressions: types, conversions, side effects in order.

use crate::reading::support::{check_c, check_kernels};

#[test]
fn values_and_conversions() {
    check_kernels(
        "",
        &[
            ("a[0] = n;", "a[0] = n;"),
            ("a[n + 1] = b[n] * 2;", "a[n + 1] = b[n] * 2;"),
            ("a[u] = n;", "a[u] = n;"),
            ("a[u - 1] = -1;", "a[u - 1u] = -1;"),
            ("a[n] = u;", "a[n] = (int)u;"),
            ("u = n + u;", "u = (unsigned int)n + u;"),
            ("f[n] = n;", "f[n] = (float)n;"),
            ("f[0] = 0.1; f[1] = 0.1f;", "f[0] = 0.1f; f[1] = 0.1f;"),
            ("f[0] = f[1] * 2.0;", "f[0] = (float)((double)f[1] * 2.0);"),
            ("n = f[0];", "n = (int)f[0];"),
            ("n = 1 << n; n >>= 2u;", "n = 1 << n; n = n >> 2u;"),
            ("n = ~n ^ -n;", "n = ~n ^ -n;"),
            ("n = (n == 3);", "n = (int)(n == 3);"),
            ("bool c = n; n = c;", "c = n != 0; n = (int)c;"),
            ("n = !n;", "n = (int)!(n != 0);"),
            ("bool c = a; n = a == b;", "c = (bool)a; n = (int)(a == b);"),
            ("char c = 200; n = c;", "c = (signed char)-56; n = (int)c;"),
            (
                "unsigned char c = 250; c += 10;",
                "c = (unsigned char)250; c = (unsigned char)((int)c + 10);",
            ),
            ("short s = n; s++;", "s = (short)n; s = s + (short)1;"),
            (
                "long long w = n; w *= u;",
                "w = (long long)n; w = w * (long long)u;",
            ),
            (
                "n = 0x7fffffff; u = 0xffffffff;",
                "n = 2147483647; u = 4294967295u;",
            ),
            ("n = 'a';", "n = 97;"),
            ("n = sizeof(int) + sizeof n;", "n = (int)(4ull + 4ull);"),
            (
                "double d = 1e300; f[0] = (float)n / 3;",
                "d = 1e300; f[0] = (float)n / 3.0f;",
            ),
            ("n = n ? n : 3;", "n = n != 0 ? n : 3;"),
            ("n = true ? a[1] : 3;", "n = a[1];"),
            ("n = u % 3 / 2;", "n = (int)(u % 3u / 2u);"),
        ],
    );
}

#[test]
fn c_conditions_are_conditions() {
    check_c(
        "#include <stdbool.h>\n",
        &[
            (
                "if (n && !u) n = n < 3;",
                "if (n != 0 && !(u != 0u)) { n = (int)(n < 3); }",
            ),
            ("n = n || u > 2;", "n = (int)(n != 0 || u > 2u);"),
            (
                "if ((n == 3) == (u == 2)) n = 1;",
                "if ((int)(n == 3) == (int)(u == 2u)) { n = 1; }",
            ),
            (
                "bool c = true; while (c) c = n;",
                "c = true; while (c) { c = n != 0; }",
            ),
            ("if (a) n = 0;", "if ((bool)a) { n = 0; }"),
        ],
    );
}

#[test]
fn side_effects_come_in_order() {
    check_kernels(
        "__device__ int g(int x) { return x + 1; }",
        &[
            (
                "a[n++] = n;",
                "temporary_1 = n; temporary = n; n = temporary + 1; a[temporary] = temporary_1;",
            ),
            (
                "a[n] = n++;",
                "temporary = n; n = temporary + 1; a[n] = temporary;",
            ),
            (
                "n = n++;",
                "temporary = n; n = temporary + 1; n = temporary;",
            ),
            (
                "n = u + n++;",
                "temporary = n; n = temporary + 1; n = (int)(u + (unsigned int)temporary);",
            ),
            (
                "n = a[0] + g(n);",
                "temporary_1 = a[0]; temporary = g(n); n = temporary_1 + temporary;",
            ),
            (
                "n = g(a[0]) + b[0];",
                "temporary = g(a[0]); n = temporary + b[0];",
            ),
            ("n = g(n);", "n = g(n);"),
            ("int x = g(n);", "x = g(n);"),
            ("g(n);", "g(n);"),
            (
                "a[n] = g(1) + g(2);",
                "temporary = g(1); temporary_1 = g(2); a[n] = temporary + temporary_1;",
            ),
            ("int x = n = 3;", "n = 3; x = n;"),
            (
                "int x = a[0] = n;",
                "temporary = n; a[0] = temporary; x = temporary;",
            ),
            ("int x, y; x = y = u;", "y = (int)u; x = y;"),
            ("n++, u--;", "n = n + 1; u = u - 1u;"),
            ("int x = (n++, n);", "n = n + 1; x = n;"),
            (
                "if (n && g(n)) n = 0;",
                "temporary_1 = n != 0; if (temporary_1) { temporary = g(n); temporary_1 = temporary != 0; } if (temporary_1) { n = 0; }",
            ),
            (
                "bool c = n || g(n);",
                "temporary_1 = n != 0; if (!temporary_1) { temporary = g(n); temporary_1 = temporary != 0; } c = temporary_1;",
            ),
            ("n ? g(1) : g(2);", "if (n != 0) { g(1); } else { g(2); }"),
            (
                "int x = n ? g(1) : 2;",
                "if (n != 0) { temporary = g(1); temporary_1 = temporary; } else { temporary_1 = 2; } x = temporary_1;",
            ),
            ("n && g(1);", "if (n != 0) { g(1); }"),
            ("(void)g(n); (void)n;", "g(n);"),
        ],
    );
}

#[test]
fn compound_assignment_evaluates_its_place_once() {
    check_kernels(
        "",
        &[
            ("a[n] += 2;", "a[n] = a[n] + 2;"),
            (
                "a[b[n]] += 2;",
                "temporary = (long long)b[n]; a[temporary] = a[temporary] + 2;",
            ),
            (
                "a[n++] -= n;",
                "temporary_1 = n; temporary = n; n = temporary + 1; a[temporary] = a[temporary] - temporary_1;",
            ),
            (
                "a[n] += n++;",
                "temporary = n; n = temporary + 1; a[n] = a[n] + temporary;",
            ),
            (
                "(a[n++] = 3) += 2;",
                "temporary = n; n = temporary + 1; a[temporary] = 3; a[temporary] = a[temporary] + 2;",
            ),
            (
                "++++a[n++];",
                "temporary = n; n = temporary + 1; a[temporary] = a[temporary] + 1; a[temporary] = a[temporary] + 1;",
            ),
            (
                "a[b[n]]++;",
                "temporary = (long long)b[n]; a[temporary] = a[temporary] + 1;",
            ),
            (
                "int x = a[n]++;",
                "temporary = a[n]; a[n] = temporary + 1; x = temporary;",
            ),
            (
                "int x = ++a[n];",
                "temporary = a[n] + 1; a[n] = temporary; x = temporary;",
            ),
            ("u += n;", "u = u + (unsigned int)n;"),
            ("f[0] += n;", "f[0] = f[0] + (float)n;"),
            ("n += f[0];", "n = (int)((float)n + f[0]);"),
            ("f[0]++;", "f[0] = f[0] + 1.0f;"),
            (
                "n <<= 1; n &= u;",
                "n = n << 1; n = (int)((unsigned int)n & u);",
            ),
        ],
    );
}

#[test]
fn pointers_and_arrays() {
    check_kernels(
        "__constant__ int c[4]; __device__ int total;",
        &[
            ("int *p = a + 3; *p = 1;", "p = &a[3]; *p = 1;"),
            ("int *p = &a[n]; p[1] = p[-1];", "p = &a[n]; p[1] = p[-1];"),
            (
                "int *p = a; p++; p += n; p -= 2;",
                "p = a; p = &p[1]; p = &p[n]; p = &p[-2];",
            ),
            ("*a = 2; a[0] = *(b + n);", "*a = 2; a[0] = b[n];"),
            (
                "n = &a[3] - a; n = b - a;",
                "n = (int)(&a[3] - a); n = (int)(b - a);",
            ),
            ("n = *(2 + a); 3[a] = 1;", "n = a[2]; a[3] = 1;"),
            ("const int *p = a; n = *p;", "p = (const int *)a; n = *p;"),
            (
                "volatile int *p = a; *p = 1;",
                "p = (volatile int *)a; *p = 1;",
            ),
            (
                "int *p = 0; if (p == nullptr) n = 1;",
                "p = (int *)0; if (p == (int *)0) { n = 1; }",
            ),
            ("int *p = n ? a : b; *p = 1;", "p = n != 0 ? a : b; *p = 1;"),
            ("*(n ? a : b) = 1;", "*(n != 0 ? a : b) = 1;"),
            ("int &r = a[n]; r += 2;", "r = &a[n]; *r = *r + 2;"),
            ("total += c[n];", "*total = *total + c[n];"),
            (
                "int x = 3; int *p = &x; *p = 4; n = x;",
                "*x = 3; p = x; *p = 4; n = *x;",
            ),
            (
                "int m[2][3]; m[1][n] = m[n][2];",
                "m[3ll + (long long)n] = m[(long long)n * 3ll + 2ll];",
            ),
            (
                "int m[2][3]; int (*r)[3] = m + 1; r[0][2] = 5; r++;",
                "r = &m[3]; r[2] = 5; r = &r[3];",
            ),
            ("int m[4]; int *p = m; p[1] = *m;", "p = m; p[1] = *m;"),
            ("a[-1] = a[n - 1];", "a[-1] = a[n - 1];"),
            (
                "*a++ = n; *++a = n;",
                "temporary = a; a = &temporary[1]; *temporary = n; a = &a[1]; *a = n;",
            ),
        ],
    );
}

#[test]
fn initialisers() {
    check_kernels(
        "",
        &[
            ("int m[3] = {1, n};", "m[0] = 1; m[1] = n; m[2] = 0;"),
            (
                "int m[2][2] = {{1, 2}, {3}};",
                "m[0] = 1; m[1] = 2; m[2] = 3; m[3] = 0;",
            ),
            (
                "int m[100] = {0, 7};",
                "{ i = 0ll; while (i < 100ll) { m[i] = 0; i = i + 1ll; } } m[0] = 0; m[1] = 7;",
            ),
            ("const int m[3] = {1, 2}; n = m[u];", "n = m[u];"),
            ("int x{4}, y = {5};", "x = 4; y = 5;"),
        ],
    );
}

#[test]
fn arithmetic_functions() {
    check_kernels(
        "#include <math.h>\n",
        &[
            ("f[0] = -INFINITY;", "f[0] = -inff;"),
            ("n = min(n, 3) + max(n, 1);", "n = min(n, 3) + max(n, 1);"),
            ("u = min(u, 3u);", "u = min(u, 3u);"),
            ("n = abs(n);", "n = abs(n);"),
            ("n = __popc(u);", "n = (int)popcount(u);"),
            ("n = __clz(n) + __ffs(n);", "n = clz(n) + ffs(n);"),
            ("u = __brev(u);", "u = brev(u);"),
            (
                "f[0] = sqrtf(f[1]) + fabsf(f[2]);",
                "f[0] = sqrt(f[1]) + abs(f[2]);",
            ),
            (
                "f[0] = fmaf(f[1], f[2], f[3]);",
                "f[0] = fma(f[1], f[2], f[3]);",
            ),
            ("f[0] = sqrt(2.0);", "f[0] = (float)sqrt(2.0);"),
            (
                "f[0] = floorf(f[1]) + ceilf(f[1]) + truncf(f[1]);",
                "f[0] = floor(f[1]) + ceil(f[1]) + trunc(f[1]);",
            ),
            ("f[0] = fmaxf(f[1], 0);", "f[0] = max(f[1], 0.0f);"),
            ("f[0] = __fadd_rn(f[1], f[2]);", "f[0] = f[1] + f[2];"),
        ],
    );
}
