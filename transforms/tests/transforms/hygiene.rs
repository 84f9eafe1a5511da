//! Names a rule makes capture nothing, and nothing bound inside a rule gets out: programs that already have the
//! names, run before and after; each beside the program that a capture would make, which gives another result.

use crate::judging;
use crate::judging::{Shown, host_setup, kernel_setup, run, source};
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::well_formed::check_well_formed;
use gridlock_transforms::{NoOracle, Request, RuleSystem, apply};

const HEADING: &str = "system s about \"a\" source \"paper 1\" status \"none\"\n";

fn rewritten(program: &Program, rules: &str) -> Program {
    let system = RuleSystem::parse("s.rules", &format!("{HEADING}{rules}")).expect("it loads");
    let derivation =
        apply(program, &system, &Request::default(), &NoOracle).expect("it can be applied");
    assert!(
        !derivation.applications.is_empty(),
        "{:?}",
        derivation.refusals
    );
    check_well_formed(&derivation.program).expect("well-formed");
    derivation.program
}

fn shown(program: &Program) -> Shown {
    run(program, &host_setup(program, "f", 4, 7), "cuda").0
}

/// Rewrites, and compares with the program as it was and as a capture would make it.
fn holds(before: &str, rules: &str, captured: &str) {
    let program = source(Language::C, before);
    let after = rewritten(&program, rules);
    let wanted = shown(&program);
    assert!(matches!(wanted, Shown::Contents(_)), "{before}");
    let text = gridlock_semantics::print::program(&after, Default::default());
    assert_eq!(shown(&after), wanted, "{text}");
    let captured = source(Language::C, captured);
    assert_ne!(shown(&captured), wanted, "the capture makes no difference");
}

const THROUGH_T: &str = "rule through: $a[$i] = $e; -> int t = $e; $a[$i] = t + t - $e;
    strategy main = once(through)";

#[test]
fn a_fresh_variable_captures_no_variable_of_what_was_matched() {
    holds(
        "void f(int *a, int n) { int t = 5; a[0] = t + n; a[1] = t; }",
        THROUGH_T,
        "void f(int *a, int n) { int t = 5; t = t + n; a[0] = t + t - (t + n); a[1] = t; }",
    );
}

#[test]
fn a_fresh_variable_captures_nothing_that_comes_later() {
    holds(
        "void f(int *a, int n) { int t = 5; a[0] = n; a[1] = t; }",
        THROUGH_T,
        "void f(int *a, int n) { int t = 5; t = n; a[0] = t + t - n; a[1] = t; }",
    );
}

#[test]
fn a_rule_applied_again_makes_another_name() {
    // What was remembered first is used after the second was.
    holds(
        "void f(int *a, int n) { a[0] = n; a[1] = n + 1; a[2] = a[0]; }",
        "rule outer: { $a[$i] = $n; $b[$j] = $m; $rest* }
             -> { int t = $n; _Keep({ $b[$j] = $m; }) $a[$i] = t; $rest* }
         rule inner: _Keep({ $b[$j] = $m; }) -> int t = $m; $b[$j] = t;
         strategy main = once(outer); once(inner)",
        "void f(int *a, int n) { int t = n; t = n + 1; a[1] = t; a[0] = t; a[2] = a[0]; }",
    );
}

#[test]
fn a_fresh_loop_variable_does_not_run_over_the_one_outside() {
    holds(
        "void f(int *a, int n) { for (int i = 0; i < 2; i++) { a[i] = a[i] + 1; } }",
        "rule again: $a[$j] = $e; -> for (int i = 0; i < 3; i++) { $a[$j] = $e - $e + $a[$j]; }
             $a[$j] = $e;
         strategy main = once(again)",
        "void f(int *a, int n) { for (int i = 0; i < 2; i++) { \
         for (i = 0; i < 3; i++) { a[i] = a[i]; } a[i] = a[i] + 1; } }",
    );
}

#[test]
fn a_shared_array_a_rule_declares_is_no_other() {
    let kernel = "__global__ void k(const int *in, int *out) { __shared__ int cell[4]; \
                  cell[threadIdx.x] = in[threadIdx.x]; int v = in[threadIdx.x] + 1; \
                  out[threadIdx.x] = v + cell[threadIdx.x]; }";
    let program = source(Language::Cuda, kernel);
    let promote = RuleSystem::built_in("promote-private").expect("of the library");
    let request = judging::request(&[("variable", "v"), ("block", "4")]);
    let derivation = apply(&program, &promote, &request, &NoOracle).expect("it can be applied");
    assert_eq!(
        derivation.applications.len(),
        1,
        "{:?}",
        derivation.refusals
    );
    let after = derivation.program;
    let names: Vec<&str> = after.arrays.iter().map(|array| &*array.name).collect();
    assert_eq!(names, ["cell", "cell_2"]);
    let outcome = |program: &Program| run(program, &kernel_setup(program, 1, 4, 4, 3), "cuda").0;
    assert_eq!(outcome(&after), outcome(&program));
    let captured = "__global__ void k(const int *in, int *out) { __shared__ int cell[4]; \
                    cell[threadIdx.x] = in[threadIdx.x]; cell[threadIdx.x] = in[threadIdx.x] + 1; \
                    out[threadIdx.x] = cell[threadIdx.x] + cell[threadIdx.x]; }";
    let captured = source(Language::Cuda, captured);
    assert_ne!(outcome(&captured), outcome(&program));
}

#[test]
fn what_a_replacement_binds_does_not_get_out() {
    // Inside `with`, `$v` is what each place has; the next place has its own.
    holds(
        "void f(int *a, int n) { a[0] = n + 1; a[1] = n + 2; a[2] = n + 3; }",
        "rule turn: { $ps* } where $new = { $ps* } with { $x + $v:Int => $v + $x } -> { $new }
         strategy main = once(turn)",
        "void f(int *a, int n) { a[0] = 1 + n; a[1] = 1 + n; a[2] = 1 + n; }",
    );
    let error = |rule: &str| {
        let text = format!("{HEADING}{rule}\nstrategy main = id");
        let error = RuleSystem::parse("s.rules", &text).expect_err("refused");
        error.to_string()
    };
    assert_eq!(
        error("rule r: $p -> { $p with { $x + $v => $v }; $a = $v; }"),
        "s.rules:2:49: `$v` is not bound by the source"
    );
    assert_eq!(
        error("rule r: $a = $e; -> $a = ($e with { $x + $v => $v }) + $v;"),
        "s.rules:2:56: `$v` is not bound by the source"
    );
    // A rule knows nothing of another's names.
    assert_eq!(
        error("rule q: $a = 1; -> int t = 1; $a = t;\nrule r: $a = 2; -> $a = t;"),
        "s.rules:3:25: `t` is no parameter of this system, nothing the rule declares, and no built-in variable"
    );
}
