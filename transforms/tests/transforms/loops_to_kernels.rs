//! T1, T2, T3: sequential loops become kernels and host code, judged by running them.

use crate::judging::*;
use gridlock_checker::finding::DefectKind;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_transforms::{NoOracle, Request, RuleSystem, apply};

const SCALE: &str = "void scale(int *a, int *b, int n) {\n\
                     \x20   for (int i = 0; i < n; i++) b[i] = 2 * a[i];\n\
                     }\n";

#[test]
fn bitonic_sort_becomes_a_kernel_and_host_code() {
    let sequential = example("bitonic-sort/bitonic_sort.c");
    let parallel = transformed(&sequential, "parallelise-loop", &[("block", "4")]);
    assert_eq!(parallel.assumptions.len(), 1, "{:?}", parallel.assumptions);
    let moved = transformed(&parallel.program, "host-code-motion", &[]);
    let kernels = moved.program.procs_of_kind(ProcKind::Kernel).count();
    let devices = moved.program.procs_of_kind(ProcKind::Device).count();
    assert_eq!((kernels, devices), (1, 1));
    for n in [1, 2, 8, 32] {
        for seed in 0..3 {
            let setup = host_setup(&sequential, "bitonic_sort", n, seed);
            let (expected, _) = run(&sequential, &setup, "cuda");
            let Shown::Contents(cells) = &expected else {
                panic!("{expected:?}");
            };
            assert!(cells[0].is_sorted());
            for program in [&parallel.program, &moved.program] {
                assert_eq!(run(program, &setup, "cuda").0, expected, "n = {n}");
            }
        }
    }
}

#[test]
fn copies_stand_outside_all_loops_after_code_motion() {
    let sequential = example("bitonic-sort/bitonic_sort.c");
    let parallel = transformed(&sequential, "parallelise-loop", &[]);
    let moved = transformed(&parallel.program, "host-code-motion", &[]);
    let text = gridlock_semantics::print::program(&moved.program, Default::default());
    let place = |word: &str| {
        text.find(word)
            .unwrap_or_else(|| panic!("no {word} in\n{text}"))
    };
    let order = [
        "init_gpu",
        "alloc_global",
        "copy_gpu",
        "k = 2",
        "call_gpu",
        "copy_back",
    ];
    assert!(order.map(place).is_sorted(), "{text}");
    assert_eq!(text.matches("copy_gpu").count(), 1);
}

#[test]
fn the_guard_makes_any_count_safe_and_its_absence_does_not() {
    let sequential = source(Language::C, SCALE);
    let guarded = transformed(&sequential, "parallelise-loop", &[("block", "4")]);
    let mutant = "mutants/parallelise-loop-unguarded";
    let unguarded = transformed(&sequential, mutant, &[("block", "4")]);
    for n in [1, 3, 4, 5, 8, 10] {
        let setup = host_setup(&sequential, "scale", n, 7);
        let (expected, _) = run(&sequential, &setup, "cuda");
        assert_eq!(run(&guarded.program, &setup, "cuda").0, expected, "n = {n}");
        let (shown, _) = run(&unguarded.program, &setup, "cuda");
        if n % 4 == 0 {
            assert_eq!(shown, expected, "n = {n}");
        } else {
            assert_eq!(
                shown,
                Shown::Defects(vec![DefectKind::OutOfBounds]),
                "n = {n}"
            );
        }
    }
}

/// Loops in other forms than T1's, each with the loop that is made of it; `None`: it stays.
const FORMS: [(&str, Option<&str>); 12] = [
    (
        "for (int i = 0; i <= n - 1; i++) b[i] = 2 * a[i];",
        Some("i < n)"),
    ),
    (
        "for (int i = 0; i <= n - 2; i++) b[i] = a[i + 1];",
        Some("i < n - 2 + 1)"),
    ),
    (
        "for (int i = 1; i < n; i++) b[i] = 2 * a[i];",
        Some("i < n - 1)"),
    ),
    (
        "for (int i = 1; n > i; i++) b[i] = a[i - 1];",
        Some("i < n - 1)"),
    ),
    (
        "for (int i = 0; i < n; i += 2) b[i] = 2 * a[i];",
        Some("i < (n - 1) / 2 + 1)"),
    ),
    (
        "for (int i = 1; i < n; i += 3) b[i] = 2 * a[i];",
        Some("i < (n - 1 - 1) / 3 + 1)"),
    ),
    (
        "for (int i = 0; i != n; i++) b[i] = 2 * a[i];",
        Some("i < n)"),
    ),
    (
        "for (int i = n - 1; i >= 0; i--) b[i] = 2 * a[i];",
        Some("i < n)"),
    ),
    (
        "for (int i = n; i > 0; i--) b[i - 1] = 2 * a[i - 1];",
        Some("i < n + 1 - 1)"),
    ),
    // What an earlier iteration left is read: it is not turned round.
    ("for (int i = n - 2; i >= 0; i--) a[i] = a[i + 1];", None),
    // The counter is used afterwards.
    (
        "int i; for (i = 1; i < n; i++) b[i] = a[i]; a[0] = i;",
        None,
    ),
    // The bound changes.
    (
        "for (int i = 1; i < n; i++) { b[i] = a[i]; n = n - 1; }",
        None,
    ),
];

#[test]
fn loops_of_other_forms_are_brought_to_the_one_that_rules_take() {
    for (body, becomes) in FORMS {
        let text = format!("void f(int *a, int *b, int n) {{ {body} }}\n");
        let sequential = source(Language::C, &text);
        let rules = RuleSystem::built_in("normalise-loops").expect("built in");
        let derivation =
            apply(&sequential, &rules, &Request::default(), &NoOracle).expect("applies");
        let Some(becomes) = becomes else {
            assert!(derivation.applications.is_empty(), "{body}");
            assert!(!derivation.refusals.is_empty(), "no reason given: {body}");
            continue;
        };
        let printed = gridlock_semantics::print::program(&derivation.program, Default::default());
        assert!(printed.contains(becomes), "{body}:\n{printed}");
        for n in [0, 1, 2, 3, 7, 8] {
            let setup = host_setup_of(&sequential, "f", n, 9, n);
            let expected = run(&sequential, &setup, "cuda").0;
            assert!(
                matches!(expected, Shown::Contents(_)),
                "{body}: {expected:?}"
            );
            assert_eq!(
                run(&derivation.program, &setup, "cuda").0,
                expected,
                "{body}, n = {n}"
            );
        }
    }
}

/// T1 takes loops in these forms, and what it cannot take it prints as written.
#[test]
fn loops_of_other_forms_become_kernels() {
    for (body, is_taken) in [
        ("for (int i = 0; i <= n - 1; i++) b[i] = 2 * a[i];", true),
        ("for (int i = 1; i < n; i++) b[i] = 2 * a[i];", true),
        ("int i = 0; while (i < n) { b[i] = 2 * a[i]; i++; }", true),
        ("for (int i = n - 1; i >= 0; i--) b[i] = 2 * a[i];", true),
        ("for (int i = 1; i < n; i++) b[i] = b[i - 1];", false),
    ] {
        let text = format!("void f(int *a, int *b, int n) {{ {body} }}\n");
        let sequential = source(Language::C, &text);
        let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
        let request = request(&[("block", "4")]);
        let derivation = apply(&sequential, &rules, &request, &NoOracle).expect("applies");
        assert_eq!(!derivation.applications.is_empty(), is_taken, "{body}");
        if !is_taken {
            assert_eq!(derivation.program, sequential, "{body}");
            assert!(!derivation.refusals.is_empty(), "no reason given: {body}");
            continue;
        }
        assert_eq!(
            derivation.program.procs_of_kind(ProcKind::Kernel).count(),
            1
        );
        for n in [0, 1, 2, 5, 8] {
            let setup = host_setup_of(&sequential, "f", n, 9, n);
            let expected = run(&sequential, &setup, "cuda").0;
            assert_eq!(
                run(&derivation.program, &setup, "cuda").0,
                expected,
                "{body}, n = {n}"
            );
        }
    }
}

#[test]
fn copies_moved_past_a_host_access_are_stale() {
    let text = "void steps(int *a, int n) {\n\
                \x20 for (int r = 0; r < 3; r++) {\n\
                \x20   for (int i = 0; i < n; i++) a[i] = a[i] + 1;\n\
                \x20   a[0] = a[0] * 2;\n\
                \x20 }\n}\n";
    let sequential = source(Language::C, text);
    let parallel = transformed(&sequential, "parallelise-loop", &[("block", "4")]).program;
    let setup = host_setup(&sequential, "steps", 6, 1);
    let (expected, _) = run(&sequential, &setup, "cuda");
    let moved = RuleSystem::built_in("host-code-motion").expect("built in");
    let stay = apply(&parallel, &moved, &Request::default(), &NoOracle).expect("applies");
    assert_eq!(run(&stay.program, &setup, "cuda").0, expected);
    let too_far = transformed(&parallel, "mutants/host-code-motion-too-far", &[]);
    assert_ne!(run(&too_far.program, &setup, "cuda").0, expected);
}

#[test]
fn dependent_loops_stay_as_they_are() {
    let dependent = [
        // A cell of the iteration before.
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i + 1] = a[i]; }",
        // A value carried in a variable.
        "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 2 + a[i]; return s; }",
        // The same, which is no sum; sums up to each cell, of more than one.
        "void f(int *a, int *b, int n) { int s = 1; for (int i = 0; i < n; i++) { s *= a[i]; b[i] = s; } }",
        "void f(int *a, int n) { for (int i = 2; i < n; i++) a[i] = a[i - 2] + a[i]; }",
        "void f(int *a, int *b, int n) { int s = 0; for (int i = 0; i < n; i++) { s += a[i] + s; b[i] = s; } }",
        "void f(int *b, int n) { int s = 0; for (int i = 0; i < n; i++) { s += b[n - 1 - i]; b[i] = s; } }",
        "void f(int *a, short *b, int n) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } }",
        // Columns that are too narrow, of different shifts, and of a shift that a loop inside counts.
        "void f(int *a, int m, int n) { for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[j * n + i] = j; }",
        "void f(int *a, int m, int n) { for (int i = 0; i < m; i++) { a[i] = i; a[i + 1 + m] = i; } }",
        "void f(int *a, int n) { for (int i = 0; i < 8; i++) for (int j = 0; j < n; j++) a[12 * j + i] = j; }",
        // The last of several, which is no sum.
        "int f(int *a, int n) { int l = 0; for (int i = 0; i < n; i++) if (a[i] > 0) l = i; return l; }",
        // There is no atomic for it.
        "int f(int *a, int n) { int s = 1; for (int i = 0; i < n; i++) s *= a[i]; return s; }",
        // Compared as unsigned numbers, and added in 32 bits of 64.
        "int f(int *a, int n) { int m = 5; for (int i = 0; i < n; i++) if ((unsigned)a[i] < (unsigned)m) m = a[i]; return m; }",
        "int f(int *a, int n) { int m = 5; for (int i = 0; i < n; i++) m = (unsigned)a[i] > (unsigned)m ? a[i] : m; return m; }",
        "long long f(int *a, int n) { long long s = 0; for (int i = 0; i < n; i++) s = (int)s + a[i]; return s; }",
        // The program may end in the middle.
        "#include <stdlib.h>\nvoid f(int *a, int n) { for (int i = 0; i < n; i++) { if (a[i] < 0) exit(1); a[i] = 1; } }",
        // What was there before is cut to 32 bits.
        "void f(long long *a, long long *b, int n) { for (int i = 0; i < n; i++) a[0] = (int)a[0] + b[i]; }",
        "void f(long long *a, int n) { for (int i = 1; i < n; i++) a[i] = (int)a[i - 1] + (int)a[i]; }",
        "void f(long long *a, long long *b, int n) { for (int i = 1; i < n; i++) a[i] = (int)a[i - 1] + b[i]; }",
        // Quotients and remainders that do not make up the number again.
        "void f(int *a, int m, int n) { for (int i = 0; i < n; i++) { int q = i / m; a[q] = i; } }",
        "void f(int *a, int m, int n) { for (int i = 0; i < n; i++) a[i % m] = i; }",
        "void f(int *a, int m, int n) { for (int i = 0; i < n; i++) { int q = i / m, r = i % n; a[q * m + r] = i; } }",
        "void f(int *a, int m, int n) { for (int i = 0; i < n; i++) { int q = (unsigned)(i - 8) / m, r = (i - 8) % m; \
         a[q * m + r] = i; } }",
        // Nor for counters of 16 bits.
        "void f(unsigned char *a, short *b, int n) { for (int i = 0; i < n; i++) b[a[i]]++; }",
        // As an unsigned number a negative one is no less than 0.
        "void f(int *a, int *b, int m, int n) { for (int i = 0; i < n; i++) { int k = a[i]; \
         if ((unsigned)k >= 0 && k < m) b[k]++; } }",
        // How many bins there are nobody says.
        "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) b[a[i]]++; }",
        // Not known to be different cells.
        "void f(int *a, int *p, int n) { for (int i = 0; i < n; i++) a[p[i]] = i; }",
        // Pairs without the guard that picks one of the two.
        "void f(int *a, int j, int n) { for (int i = 0; i < n; i++) { int x = i ^ j; a[x] = a[i]; } }",
        // The bound changes.
        "void f(int *a, int n) { for (int i = 0; i < n; i++) { a[i] = 0; n = n - 1; } }",
        // So is a variable of the body.
        "int f(int *a, int *b, int n) { int t = 0; for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; } return t; }",
        // The counter is used afterwards.
        "int f(int *a, int n) { int i; for (i = 0; i < n; i++) a[i] = 0; return i; }",
    ];
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for text in dependent {
        let program = source(Language::C, text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        assert!(derivation.applications.is_empty(), "{text}");
        assert!(!derivation.refusals.is_empty(), "no reason given: {text}");
        assert_eq!(derivation.program, program);
    }
}

/// Running sums become rounds of additions, whatever stands before them in the variable and in the array.
#[test]
fn running_sums_become_scans() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for body in [
        "int s = n; for (int i = 0; i < m; i++) { s += a[i]; b[i] = s; } b[0] += s;",
        "int s = n; for (int i = 0; i < m; i++) { b[i] = s; s += 2 * a[i] + i; } b[0] += s;",
        "int s = 1; for (int i = 0; i <= m - 1; ++i) { s = a[i] * a[i + 1] + s; b[i] = s; } b[0] += s;",
        "for (int i = 1; i < m; i++) b[i] += b[i - 1];",
        "b[0] = a[0]; for (int i = 1; i < m; i++) b[i] = b[i - 1] + a[i];",
        "for (int i = 1; i < m; i++) b[i] = a[i - 1] * n + b[i - 1];",
        "for (int i = 1; m > i; i++) b[i] = b[i] + b[i - 1];",
    ] {
        let text = format!("void f(const int *a, int *b, int m, int n) {{ {body} }}");
        let program = source(Language::C, &text);
        let request = request(&[("block", "4")]);
        let derivation = apply(&program, &rules, &request, &NoOracle).expect("applies");
        let mut applied = derivation.applications.iter();
        assert!(
            applied.any(|a| a.rule == "in-place"),
            "{body}: {:?}",
            derivation.refusals
        );
        for m in [-1, 0, 1, 2, 3, 4, 5, 8, 9, 17] {
            let setup = nest_setup(&program, m, 5, 20);
            let expected = run(&program, &setup, "cuda").0;
            assert_eq!(
                run(&derivation.program, &setup, "cuda").0,
                expected,
                "{body}, {m}"
            );
        }
    }
}

/// What stands against it is named.
#[test]
fn the_reason_why_a_loop_stays_is_named() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for (text, expected) in [
        (
            "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i + 1] = a[i] / 2; }",
            "one reads `a[i]`, another one writes `a[i + 1]`",
        ),
        (
            "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) { b[i] = 0; a[b[i]] = i; } }",
            "one writes `a[b[i]]`, another one writes `a[b[i]]`",
        ),
        (
            "int f(int *a, int n) { int s = 1; for (int i = 0; i < n; i++) s *= a[i]; return s; }",
            "one may read what another one left in `s`",
        ),
        (
            "int f(int *a, int *b, int n) { int t; for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; } return t; }",
            "`t` is used elsewhere",
        ),
    ] {
        let program = source(Language::C, text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let reasons = derivation
            .refusals
            .iter()
            .filter_map(|r| r.reason.as_deref());
        let reasons: Vec<&str> = reasons.collect();
        assert_eq!(reasons, [expected], "{text}");
    }
}

#[test]
fn independent_loops_are_recognised() {
    let independent = [
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }",
        "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) { int t = b[i]; a[i] = t; } }",
        "void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] + b[i + 1]; }",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 1]; }",
        "void f(int *a, int m, int n) { for (int i = 0; i < n; i++) { int q = i / m, r = i % m; a[q * m + r] = i; } }",
        "void f(int *a, int k, int m, int n) { for (int i = 0; i < n; i++) { int r = i % (k * m); \
         a[((i / (k * m)) * k + r / m) * m + r % m] = i; } }",
        "void f(int *a, int j, int n) { for (int i = 0; i < n; i++) { int x = i ^ j; \
         if (x > i) { int t = a[i]; a[i] = a[x]; a[x] = t; } } }",
    ];
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for text in independent {
        let program = source(Language::C, text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let refusals = &derivation.refusals;
        // What it copies is another matter.
        let depends = refusals.iter().any(|r| !r.condition.contains("within"));
        assert!(!depends, "{text}: {refusals:?}");
    }
}

/// Columns of a matrix, each with room for what the outer loop counts.
#[test]
fn iterations_over_columns_are_independent() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for body in [
        "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[j * m + i] = a[i * n + j];",
        "for (int i = 0; i < 8; i++) for (int j = 0; j < n; j++) b[16 * j + i + 3] = a[j];",
        "for (int i = 0; i < m; i++) for (int j = 1; j < n; j++) b[j * m + i] = b[j * m + i - m] + a[i];",
    ] {
        let text = format!("void f(int *a, int *b, int m, int n) {{ {body} }}");
        let program = source(Language::C, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let mut applied = derivation.applications.iter();
        assert!(
            applied.any(|a| a.rule == "parallelise"),
            "{body}: {:?}",
            derivation.refusals
        );
        for (m, n) in [(1, 1), (3, 2), (2, 4), (5, 3)] {
            let setup = nest_setup(&program, m, n, 80);
            let expected = run(&program, &setup, "cuda").0;
            assert_eq!(
                run(&derivation.program, &setup, "cuda").0,
                expected,
                "{body}, {m}, {n}"
            );
        }
    }
}

/// As many cells are copied as the loop touches.
#[test]
fn nests_copy_what_they_touch() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    let check = |body: &str, expected: &[(&str, &str)]| {
        let text = format!("void f(int *a, int *b, int k, int m, int n) {{ {body} }}");
        let program = source(Language::C, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let shown = gridlock_semantics::print::program(&derivation.program, Default::default());
        let first = &derivation.applications.first();
        assert!(first.is_some(), "{body}: {:?}", derivation.refusals);
        for (array, cells) in expected {
            let long = cells
                .replace("* m", "* (unsigned long long)m")
                .replace("* n", "* (unsigned long long)n");
            let there = format!("copy_gpu(device_{array}, {array}, {long} * 4ull)");
            let back = format!("copy_back({array}, device_{array}, {long} * 4ull)");
            assert!(
                shown.contains(&there) || shown.contains(&back),
                "{there} in {shown}"
            );
        }
    };
    let product = |of: &str| format!("(unsigned long long){of}");
    check(
        "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[i * n + j] = a[i * n + j] + 1;",
        &[("a", &product("m * n")), ("b", &product("m * n"))],
    );
    check(
        "for (int h = 0; h < k; h++) for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) { \
         int x = (h * m + j) * n + i; int y = x; b[y] = b[y] + a[j * n + i]; }",
        &[("a", &product("m * n")), ("b", &product("k * m * n"))],
    );
    check(
        "for (int i = 0; i < n; i++) b[2 * i] = a[i];",
        &[("b", "((unsigned long long)n * 2ull - 1ull)")],
    );
    check(
        "for (int i = 0; i < n; i++) if (2 * i < n) b[i] = a[2 * i];",
        &[("a", &product("n")), ("b", &product("n"))],
    );
    check(
        "for (int i = 0; i < n; i++) if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];",
        &[("a", &product("n"))],
    );
    // What is asked of a counter before its loop says nothing of it there.
    check(
        "for (int i = 0; i < n; i++) { int j = 2; \
         if (j < 3) for (j = 0; j < n + 3; j++) b[i] = b[i] + a[j]; }",
        &[("a", &product("(n + 3)")), ("b", &product("n"))],
    );
}

/// What a loop writes whole, and never looks at before, is not copied in.
#[test]
fn what_is_overwritten_is_not_copied_in() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for (body, copied) in [
        ("for (int i = 0; i < m; i++) b[i] = a[i];", "a"),
        (
            "for (int i = 0; i < m; i++) { b[i] = 1; b[i] = b[i] + a[i]; }",
            "a",
        ),
        (
            "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[i * n + j] = a[j];",
            "a",
        ),
        (
            "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) b[j * m + i] = a[j];",
            "a",
        ),
        (
            "for (int i = 0; i < m; i++) { b[i] = 0; for (int j = 0; j < n; j++) b[i] += a[i * n + j]; }",
            "a",
        ),
        // Under a condition, after a read, with gaps, from the second cell on, in a loop that may not run.
        ("for (int i = 0; i < m; i++) if (a[i] > 0) b[i] = 1;", "a b"),
        (
            "for (int i = 0; i < m; i++) b[i] = a[i] > 0 ? 1 : b[i];",
            "a b",
        ),
        ("for (int i = 0; i < m; i++) b[i] += a[i];", "a b"),
        (
            "for (int i = 0; i < m; i++) { a[i] = b[i]; b[i] = 1; }",
            "b",
        ),
        ("for (int i = 0; i < m; i++) b[2 * i] = a[i];", "a b"),
        ("for (int i = 0; i < m; i++) b[i + 1] = a[i];", "a b"),
        (
            "for (int i = 0; i < m; i++) for (int j = 1; j < n; j++) b[i * n + j] = a[j];",
            "a b",
        ),
        (
            "for (int i = 0; i < m; i++) for (int j = 0; j < n; j += 2) b[i * n + j] = a[j];",
            "a b",
        ),
        (
            "for (int i = 0; i < m; i++) for (int j = 0; j < 3; j++) b[i * 4 + j] = a[j];",
            "a b",
        ),
        (
            "for (int i = 0; i < m; i++) { int s = 1; for (int j = 0; j < n; j++) b[i * n + j] = s; }",
            "b",
        ),
        (
            "for (int i = 0; i < m; i++) { for (int j = 0; j < n; j++) b[i] = j; }",
            "",
        ),
        (
            "for (int i = 0; i < m; i++) { int k = 0; while (k < n) { b[i] = a[i]; k++; k++; } }",
            "a b",
        ),
    ] {
        let text = format!("void f(int *a, int *b, int m, int n) {{ {body} }}");
        let program = source(Language::C, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let shown = gridlock_semantics::print::program(&derivation.program, Default::default());
        assert!(
            shown.contains("call_gpu"),
            "{body}: {:?}",
            derivation.refusals
        );
        let is_copied = |array: &&str| shown.contains(&format!("copy_gpu(device_{array},"));
        let found: Vec<&str> = ["a", "b"].into_iter().filter(is_copied).collect();
        assert_eq!(found.join(" "), copied, "{body}");
        for (m, n) in [(0, 0), (1, 1), (3, 2), (2, 4), (3, 0)] {
            let setup = nest_setup(&program, m, n, 20);
            let expected = run(&program, &setup, "cuda").0;
            assert_eq!(
                run(&derivation.program, &setup, "cuda").0,
                expected,
                "{body}, {m}, {n}"
            );
        }
    }
}

/// A procedure that is called, or a kernel that is launched, may use an array that is declared without being handed it.
#[test]
fn what_a_called_procedure_uses_is_not_moved_past_it() {
    let text = "int a[8];\n\
                void touch() { a[0] = a[0] + 5; }\n\
                void f(int *b, int n) {\n\
                \x20 for (int t = 0; t < n; t++) {\n\
                \x20   for (int i = 0; i < 8; i++) a[i] = a[i] + b[i];\n\
                \x20   touch();\n\
                \x20 }\n\
                \x20 b[0] = a[0];\n}\n";
    let sequential = source(Language::C, text);
    let parallel = transformed(&sequential, "parallelise-loop", &[("loop", "i")]).program;
    let moved = transformed(&parallel, "host-code-motion", &[]);
    let shown = gridlock_semantics::print::program(&moved.program, Default::default());
    let (from, to) = (shown.find("while"), shown.find("copy_gpu(device_a"));
    assert!(from < to, "{shown}");
    let setup = host_setup_of(&sequential, "f", 3, 8, 5);
    let expected = run(&sequential, &setup, "cuda").0;
    assert_eq!(run(&moved.program, &setup, "cuda").0, expected);
}

/// Freeing waits for what streams do, and so does what follows it; with launches and copies that are waited for it may move.
#[test]
fn nothing_moves_past_launches_beside_streams() {
    let rules = RuleSystem::built_in("past-launches").expect("built in");
    for (copy, moves) in [
        (
            "cudaMemcpyAsync(h, d, 32, cudaMemcpyDeviceToHost, s);",
            false,
        ),
        ("cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);", true),
    ] {
        let stream = match moves {
            false => "cudaStream_t s; cudaStreamCreate(&s);",
            true => "",
        };
        let text = format!(
            "__global__ void k(int *d) {{ d[threadIdx.x] = threadIdx.x; }}\n\
             void f(int *h) {{ {stream} int *d, *x; cudaMalloc(&d, 32); cudaMalloc(&x, 32);\n\
             k<<<1, 8>>>(d); {copy} cudaFree(x); h[1] = h[0]; k<<<1, 8>>>(d); cudaFree(d); }}\n"
        );
        let program = source(Language::Cuda, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let moved = derivation
            .applications
            .iter()
            .any(|a| a.rule == "free-last");
        assert_eq!(moved, moves, "{copy}: {:?}", derivation.refusals);
    }
}

/// A number of cells that cannot be said is not copied.
#[test]
fn loops_that_go_nobody_knows_how_far_are_refused() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for body in [
        "for (int i = 0; i < m; i++) b[i] = a[i * n];",
        "for (int i = 0; i < m; i++) b[i] = a[i + n];",
        "for (int i = 0; i < m; i++) b[i] = a[i - 1];",
        "for (int r = 0; r < 2; r++) for (int i = 0; i < n; i++) b[i] = a[i + r * (0 - 1)];",
        "for (int i = 0; i < m; i++) for (int j = i; j < n; j++) b[i] = a[i * n + j] + b[i];",
    ] {
        let text = format!("void f(const int *a, int *b, int m, int n) {{ {body} }}");
        let program = source(Language::C, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        assert!(derivation.applications.is_empty(), "{body}");
        let mut refusals = derivation.refusals.iter();
        let is_named = refusals.any(|r| r.condition.contains("counted") && r.unknown);
        assert!(is_named, "{body}: {:?}", derivation.refusals);
    }
}

/// What a loop leaves in its counter is not what another loop counts there.
#[test]
fn a_counter_that_was_left_is_no_counter() {
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    let text = "void f(int *b, int m, int n) { for (int i = 0; i < m; i++) { int j; \
                for (j = 0; j < 3; j++) { } int x = j; for (j = 0; j < n; j++) b[i * n + x] = i; } }";
    let program = source(Language::C, text);
    let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
    assert!(derivation.applications.is_empty());
}

/// A thread that returns, or waits, in the middle of a loop does what stands before it first.
#[test]
fn loops_that_end_or_meet_in_the_middle_are_not_turned_round() {
    let rules = RuleSystem::built_in("normalise-loops").expect("built in");
    for (middle, is_turned) in [
        ("if (a[i] == 5) return;", false),
        ("__syncthreads();", false),
        ("", true),
    ] {
        let text = format!(
            "__global__ void f(const int *a, int *b, int n) {{ \
             for (int i = n - 1; i >= 0; i--) {{ {middle} b[i] = a[i]; }} }}"
        );
        let program = source(Language::Cuda, &text);
        let derivation = apply(&program, &rules, &Request::default(), &NoOracle).expect("applies");
        let turned = derivation.applications.iter().any(|a| a.rule == "down-to");
        assert_eq!(turned, is_turned, "{middle}: {:?}", derivation.refusals);
    }
}
