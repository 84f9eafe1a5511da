//! Control: the shapes of loops and branches, and jumps compiled away.

use crate::reading::support::{check_kernels, operators, parse, squeezed};
use gridlock_frontend::Language;
use gridlock_semantics::analysis::loops::counted_loop;

#[test]
fn branches_and_loops() {
    check_kernels(
        "",
        &[
            (
                "if (n < 3) n = 1; else n = 2;",
                "if (n < 3) { n = 1; } else { n = 2; }",
            ),
            (
                "if (n) ; else n = 2;",
                "if (n != 0) { skip; } else { n = 2; }",
            ),
            ("if (2 > 3) n = 1;", "skip;"),
            (
                "for (int i = 0; i < n; i++) a[i] = i;",
                "i = 0; while (i < n) { a[i] = i; i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { a[i] = i; b[i] = 1; }",
                "i = 0; while (i < n) { { a[i] = i; b[i] = 1; } i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++);",
                "i = 0; while (i < n) { skip; i = i + 1; }",
            ),
            (
                "int i; for (i = n; i; i /= 2) a[i] = 0;",
                "i = n; while (i != 0) { a[i] = 0; i = i / 2; }",
            ),
            (
                "int i = 0; for (; i < n;) i += 2;",
                "i = 0; while (i < n) { i = i + 2; }",
            ),
            (
                "for (int i = 0, j = n; i < j; i++, j--) a[i] = j;",
                "i = 0; j = n; while (i < j) { a[i] = j; i = i + 1; j = j - 1; }",
            ),
            ("while (n > 0) n--;", "while (n > 0) { n = n - 1; }"),
            (
                "do n--; while (n > 0);",
                "again = true; while (again) { n = n - 1; again = n > 0; }",
            ),
            ("do { n = 1; } while (0);", "n = 1;"),
            (
                "while (n-- > 0) a[n] = 0;",
                "again = true; while (again) { temporary = n; n = temporary - 1; again = temporary > 0; \
              if (again) { a[n] = 0; } }",
            ),
            (
                "while (atomicExch(a, 1));",
                "again = true; while (again) { temporary = atomicExch(a, 1); again = temporary != 0; }",
            ),
            (
                "for (int i = 0; i < n; i++) for (int i = 0; i < 2; i++) a[i] = 0;",
                "i = 0; while (i < n) { { i_1 = 0; while (i_1 < 2) { a[i_1] = 0; \
              i_1 = i_1 + 1; } } i = i + 1; }",
            ),
        ],
    );
}

#[test]
fn jumps_move_what_follows_into_the_other_branch() {
    check_kernels(
        "",
        &[
            (
                "for (int i = 0; i < n; i++) { if (i == 3) continue; a[i] = 0; }",
                "i = 0; while (i < n) { if (i == 3) { skip; } else { a[i] = 0; } i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { if (a[i]) break; b[i] = 0; }",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } \
              else { b[i] = 0; } i = i + 1; } }",
            ),
            // `i` is seen after the loop: the step must not run after `break`.
            (
                "int i; for (i = 0; i < n; i++) if (a[i]) break; n = i;",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } \
              if (!left) { i = i + 1; } } } n = i;",
            ),
            (
                "while (true) { if (n > 3) break; n++; }",
                "left = false; while (!left) { if (n > 3) { left = true; } else { n = n + 1; } }",
            ),
            (
                "while (n) { if (n > 3) { if (u) continue; n--; } n--; }",
                "while (n != 0) { continued = false; if (n > 3) { if (u != 0u) \
              { continued = true; } else { n = n - 1; } } if (!continued) { n = n - 1; } }",
            ),
            (
                "do { if (n == 2) continue; if (n == 3) break; n--; } while (n > 0);",
                "left = false; again = true; while (again) { if (n == 2) { skip; } else \
              { if (n == 3) { left = true; } else { n = n - 1; } } again = !left && n > 0; }",
            ),
            (
                "while (n-- > 0) { if (a[n]) break; }",
                "left = false; again = true; while (!left && again) { temporary = n; n = temporary - 1; \
              again = temporary > 0; if (again) { if (a[n] != 0) { left = true; } } }",
            ),
            (
                "if (n < 3) return; a[n] = 0;",
                "if (n < 3) { exit; } a[n] = 0;",
            ),
            ("a[n] = 0; return;", "a[n] = 0;"),
            (
                "if (n) { a[n] = 0; return; }",
                "if (n != 0) { a[n] = 0; exit; }",
            ),
            (
                "for (;;) { if (n) break; else continue; n = 2; }",
                "left = false; while (!left) { if (n != 0) { left = true; } }",
            ),
        ],
    );
}

#[test]
fn returns_of_functions() {
    let parsed = parse(
        "__device__ int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
         __device__ int find(const int *a, int n) {
           for (int i = 0; i < n; i++) if (a[i] == 7) return i;
           return -1;
         }
         __device__ void clip(int *a) { if (*a < 0) { *a = 0; return; } *a = 1; }
         __device__ int twice(int n) {
           if (n) { if (n > 5) return 1; n = 2; }
           n++;
           return n;
         }",
        Language::Cuda,
    );
    let check = |name: &str, expected: &str| {
        assert_eq!(
            squeezed(&operators(&parsed, name)),
            squeezed(expected),
            "{name}"
        );
    };
    check(
        "sign",
        "if (x < 0) { result = -1; } else { if (x > 0) { result = 1; } else { result = 0; } }",
    );
    check(
        "find",
        "returned = false; { i = 0; while (!returned && i < n) { if (a[i] == 7) { result = i; \
         returned = true; } i = i + 1; } } if (!returned) { result = -1; }",
    );
    check("clip", "if (*a < 0) { *a = 0; } else { *a = 1; }");
    check(
        "twice",
        "returned = false; if (n != 0) { if (n > 5) { result = 1; returned = true; } else \
         { n = 2; } } if (!returned) { n = n + 1; result = n; }",
    );
}

#[test]
fn for_loops_have_the_shape_of_counted_loops() {
    let check = |code: &str, expected: usize| {
        let text = format!("__global__ void k(int *a, int n) {{ {code} }}");
        let parsed = parse(&text, Language::Cuda);
        let mut found = 0;
        for (_, op) in parsed.program.operators() {
            found += counted_loop(op).is_some() as usize;
        }
        assert_eq!(found, expected, "{code}");
    };
    check("for (int i = 0; i < n; i++) a[i] = 0;", 1);
    check("for (int i = 0; i < n; ++i) { a[i] = 0; a[0] = 1; }", 1);
    check(
        "for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) { __syncthreads(); }",
        1,
    );
    check(
        "for (int k = 2; k <= n; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) a[j] = k;",
        2,
    );
    check("for (int i = 0; i < n; i++) { if (a[i]) break; }", 1);
    check(
        "for (int i = 0; i < n; i++) { if (a[i]) continue; a[i] = 1; }",
        1,
    );
    check("for (int i = 0; i < n; i++) { i += a[i]; }", 0);
    check("while (n) n--;", 0);
}

/// A local without initialiser inside a loop has no value each time its declaration is reached;
/// where it is assigned before it can be read, nothing says so.
#[test]
fn a_local_inside_a_loop_is_a_new_one_each_time() {
    check_kernels(
        "",
        &[
            (
                "for (int i = 0; i < n; i++) { int x; if (i == 0) x = n; a[i] = x; }",
                "i = 0; while (i < n) { { unassign x; if (i == 0) { x = n; } a[i] = x; } \
                 i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { int x; a[i] = x; }",
                "i = 0; while (i < n) { { unassign x; a[i] = x; } i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { int x; if (i) x = 1; else x = 2; a[i] = x; }",
                "i = 0; while (i < n) { { if (i != 0) { x = 1; } else { x = 2; } a[i] = x; } \
                 i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { int x; x = a[i]; a[i] = x; }",
                "i = 0; while (i < n) { { x = a[i]; a[i] = x; } i = i + 1; }",
            ),
            (
                "for (int i = 0; i < n; i++) { int x; }",
                "i = 0; while (i < n) { skip; i = i + 1; }",
            ),
            // Read again at the head of an inner loop, which another value may reach.
            (
                "while (n) { int x; for (int i = 0; i < n; i++) { if (i) a[i] = x; x = i; } }",
                "while (n != 0) { unassign x; { i = 0; while (i < n) { { if (i != 0) { a[i] = x; } \
                 x = i; } i = i + 1; } } }",
            ),
            // Outside a loop it is reached once.
            (
                "int x; if (n) x = 1; a[0] = x;",
                "if (n != 0) { x = 1; } a[0] = x;",
            ),
        ],
    );
}

#[test]
fn switches() {
    check_kernels(
        "",
        &[
            (
                "switch (n) { case 1: a[0] = 1; break; case 2: case 3: a[0] = 2; break; default: a[0] = 3; }",
                "if (n == 1) { a[0] = 1; } else { if (n == 2 || n == 3) { a[0] = 2; } else { a[0] = 3; } }",
            ),
            (
                "switch (n) { default: a[0] = 3; case 1: a[1] = 1; }",
                "temporary = n; if (!(temporary == 1)) { a[0] = 3; } a[1] = 1;",
            ),
            (
                "switch (n) { case 0: a[0] = 1; case 1: case 2: if (a[3]) break; a[1] = 1; case 5: a[2] = 1; \
                 break; case 7: n = 5; case 8: a[n] = 1; }",
                "temporary = n; left = false; if (temporary == 0 || (temporary == 1 || temporary == 2) || temporary == 5) { \
                 if (temporary == 0) { a[0] = 1; } \
                 if (temporary == 0 || (temporary == 1 || temporary == 2)) { if (a[3] != 0) { left = true; } else { a[1] = 1; } } \
                 if (!left) { a[2] = 1; } } \
                 else { if (temporary == 7 || temporary == 8) { if (temporary == 7) { n = 5; } a[n] = 1; } }",
            ),
            (
                "for (int i = 0; i < n; i++) { switch (i) { case 1: continue; case 2: break; } a[i] = 1; }",
                "i = 0; while (i < n) { { continued = false; if (i == 1) { continued = true; } else { if (i == 2) { skip; } } \
                 if (!continued) { a[i] = 1; } } i = i + 1; }",
            ),
            (
                "switch (n) { case 1: if (a[0]) break; a[1] = 1; }",
                "if (n == 1) { if (a[0] != 0) { skip; } else { a[1] = 1; } }",
            ),
            (
                "switch (3) { case 1: a[0] = 1; break; case 3: a[0] = 3; }",
                "a[0] = 3;",
            ),
        ],
    );
}

/// Lemma (unseen step): what only the loop itself declares may be stepped once more, nothing else.
#[test]
fn steps_after_jumps() {
    check_kernels(
        "__device__ int g(int x) { return x + 1; }",
        &[
            (
                "for (int i = 0; i < n; i++) if (a[i]) break;",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } i = i + 1; } }",
            ),
            (
                "int c = 0; for (int i = 0; i < n; i++, c++) if (a[i]) break;",
                "c = 0; left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } if (!left) { i = i + 1; c = c + 1; } } }",
            ),
            (
                "int i; for (i = 0; i < n; i++) if (a[i]) break;",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } if (!left) { i = i + 1; } } }",
            ),
            (
                "for (int i = 0; i < n; i = g(i)) if (a[i]) break;",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } if (!left) { i = g(i); } } }",
            ),
            (
                "int by; for (int i = 0; i < n; i += by) { if (a[i]) break; by = 1; }",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } else { by = 1; } if (!left) { i = i + by; } } }",
            ),
            (
                "for (int i = 0; i < n; i = n / i) if (a[i]) break;",
                "left = false; { i = 0; while (!left && i < n) { if (a[i] != 0) { left = true; } if (!left) { i = n / i; } } }",
            ),
        ],
    );
}
