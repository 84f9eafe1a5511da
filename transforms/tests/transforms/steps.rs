//! Derivations are recorded step by step, written down, and done again; one that no longer fits is refused at
//! its first step that does not.

use crate::judging::{example, source};
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::Program;
use gridlock_transforms::rewriting::apply::apply_in;
use gridlock_transforms::rewriting::record::Manner;
use gridlock_transforms::rewriting::steps::{Recorded, ReplayError, replay, texts};
use gridlock_transforms::{Derivation, NoOracle, Request, RuleSystem};

const KEPT: Manner = Manner {
    keep_steps: true,
    try_all: false,
};

fn derived(program: &Program, system: &RuleSystem, request: &Request) -> Derivation {
    apply_in(program, system, request, KEPT, &NoOracle).expect("it can be applied")
}

/// Written and read again.
fn recorded(derivation: &Derivation) -> Vec<Recorded> {
    let steps: Vec<Recorded> = derivation.steps.iter().map(|s| s.recorded()).collect();
    let text = serde_json::to_string(&steps).expect("written");
    serde_json::from_str(&text).expect("read")
}

const TWICE: &str = "system s about \"a\" source \"paper 1\" status \"none\"
rule double: $x = $n:Int; [ $n < 10 ] -> $x = $n * 2;
rule name: $x = 4; -> int forty = 40; $x = forty;
strategy main = repeat(once(name <+ double))";

fn twice() -> RuleSystem {
    RuleSystem::parse("s.rules", TWICE).expect("a rule file")
}

fn start(constant: &str) -> Program {
    let text = format!("int f(int x, int y) {{ x = {constant}; y = 3; return x + y; }}");
    source(Language::C, &text)
}

#[test]
fn each_step_shows_what_it_changed() {
    let program = start("2");
    let derivation = derived(&program, &twice(), &Request::default());
    let shown: Vec<String> = derivation
        .steps
        .iter()
        .zip(texts(&program, &derivation.steps))
        .map(|(step, (before, after))| {
            let gone = before.lines().filter(|line| !after.contains(line.trim()));
            let new = after.lines().filter(|line| !before.contains(line.trim()));
            let words = |lines: Vec<&str>| {
                let lines: Vec<&str> = lines.into_iter().map(str::trim).collect();
                lines.join(" ")
            };
            let span = step.application.span;
            format!(
                "{} at {}:{}: {} -> {}",
                step.application.rule,
                span.line,
                span.column,
                words(gone.collect()),
                words(new.collect())
            )
        })
        .collect();
    assert_eq!(
        shown[..2],
        [
            "double at 1:23: x = 2; -> x = 4;",
            "name at 1:23: x = 4; -> int forty; forty = 40; x = forty;"
        ]
    );
    assert_eq!(derivation.steps.len(), derivation.applications.len());
}

#[test]
fn what_a_failing_strategy_undoes_is_no_step() {
    let text = TWICE.replace(
        "repeat(once(name <+ double))",
        "try(once(double); fail); once(double)",
    );
    let system = RuleSystem::parse("s.rules", &text).expect("a rule file");
    let derivation = derived(&start("2"), &system, &Request::default());
    assert_eq!(
        (derivation.steps.len(), derivation.applications.len()),
        (1, 1)
    );
}

#[test]
fn derivations_of_the_library_are_done_again() {
    let cases = [
        ("tree-sum/tree_sum.cu", "contiguous-threads"),
        ("bitonic-sort/bitonic_sort.c", "parallelise-loop"),
    ];
    let mut n_steps = 0;
    for (file, name) in cases {
        let program = example(file);
        let system = RuleSystem::built_in(name).expect("of the library");
        let request = Request::default();
        let derivation = derived(&program, &system, &request);
        let steps = recorded(&derivation);
        let again = replay(&program, &system, &request, &steps, &NoOracle).expect("it applies");
        assert_eq!(again.program, derivation.program, "{name}");
        assert_eq!(again.applications, derivation.applications, "{name}");
        n_steps += steps.len();
    }
    assert!(n_steps > 1, "{n_steps}");
    let program = start("2");
    let request = Request::default();
    let derivation = derived(&program, &twice(), &request);
    let steps = recorded(&derivation);
    let again = replay(&program, &twice(), &request, &steps, &NoOracle).expect("it applies");
    assert_eq!(again.program, derivation.program);
}

#[test]
fn the_first_step_that_does_not_apply_is_named() {
    let program = start("2");
    let request = Request::default();
    let steps = recorded(&derived(&program, &twice(), &request));
    let refused = |program: &Program, steps: &[Recorded]| {
        let failed = replay(program, &twice(), &request, steps, &NoOracle);
        match failed.expect_err("refused") {
            error @ ReplayError::Step { .. } => error.to_string(),
            other => panic!("{other}"),
        }
    };
    // Another source.
    let other = refused(&start("5"), &steps);
    assert!(
        other.starts_with("step 1: rule `double` does not apply in f, line 1: `$n` is `5`"),
        "{other}"
    );
    let large = refused(&start("50"), &steps);
    assert!(large.contains("`$n < 10` does not hold"), "{large}");
    // A step left out.
    let other = refused(&program, &steps[1..]);
    assert!(
        other.starts_with("step 1: rule `name` does not apply")
            && other.contains("its source does not match"),
        "{other}"
    );
    // Another place, another rule.
    let mut moved = steps.clone();
    moved[0].path.push(7);
    assert!(refused(&program, &moved).contains("step 1"));
    let mut unknown = steps.clone();
    unknown[1].application.rule = "nothing".into();
    let unknown = refused(&program, &unknown);
    assert!(
        unknown.starts_with("step 2") && unknown.contains("`s` has no such rule"),
        "{unknown}"
    );
}
