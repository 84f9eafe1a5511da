//! Matching and strategies on small systems.

use crate::judging;
use crate::judging::source;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::print;
use gridlock_transforms::{
    Answer, Derivation, NoOracle, Oracle, Request, RuleSystem, TransformError, apply,
};
use std::sync::Mutex;

const HEADING: &str = "system s about \"a\" source \"paper 1\" status \"none\"\n";

fn system(text: &str) -> RuleSystem {
    RuleSystem::parse("s.rules", &format!("{HEADING}{text}")).expect("a good rule file")
}

fn applied(program: &Program, text: &str) -> Derivation {
    apply(program, &system(text), &Request::default(), &NoOracle).expect("it can be applied")
}

/// The statements of the only procedure, one a line.
fn body(program: &Program) -> Vec<String> {
    let text = print::program(program, Default::default());
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| line.contains(" = "))
        .map(str::to_owned)
        .collect()
}

/// `x = 1; y = 2; z = 3;`
fn three() -> Program {
    source(
        Language::C,
        "int f(int x, int y, int z) { x = 1; y = 2; z = 3; return x + y + z; }",
    )
}

const PLUS: &str = "rule plus: $x = $n:Int; [ $n < 10 ] -> $x = $n + 1;\n";

#[test]
fn strategies_visit_what_they_say() {
    // Strategy, then the constants of the three assignments.
    let cases = [
        ("once(plus)", [2, 2, 3]),
        ("try(fail)", [1, 2, 3]),
        ("everywhere(plus)", [2, 3, 4]),
        ("bottomup(try(plus))", [2, 3, 4]),
        ("repeat(once(plus))", [10, 10, 10]),
        ("innermost(plus)", [10, 10, 10]),
        ("outermost(plus)", [10, 10, 10]),
        ("FirstTop(plus)", [10, 10, 10]),
        ("TopDown(plus)", [10, 10, 10]),
        ("BottomUp(plus)", [10, 10, 10]),
        ("once(plus); once(plus)", [3, 2, 3]),
        // The second part fails, so the first is undone.
        ("try(once(plus); fail)", [1, 2, 3]),
        ("fail <+ once(plus)", [2, 2, 3]),
        ("once(plus) <+ once(plus)", [2, 2, 3]),
        // Looking is not changing.
        ("not(not(once(plus)))", [1, 2, 3]),
        ("not(once(plus)) <+ id", [1, 2, 3]),
        // Procedures, their parts, statements.
        ("all(once(plus))", [2, 2, 3]),
        ("one(one(one(plus)))", [2, 2, 3]),
        ("one(one(plus)) <+ id", [1, 2, 3]),
    ];
    for (strategy, expected) in cases {
        let derivation = applied(&three(), &format!("{PLUS}strategy main = {strategy}"));
        let constants = body(&derivation.program)[..3].to_vec();
        let wanted = ["x", "y", "z"].iter().zip(expected);
        let wanted: Vec<String> = wanted.map(|(v, n)| format!("{v} = {n};")).collect();
        assert_eq!(constants, wanted, "{strategy}");
        assert!(derivation.normal);
    }
}

#[test]
fn running_out_of_fuel_is_said() {
    let up = "rule up: $x = $n:Int; -> $x = $n + 1;\nstrategy main = repeat(once(up))";
    let request = Request {
        fuel: 10,
        ..Request::default()
    };
    let derivation = apply(&three(), &system(up), &request, &NoOracle).expect("applies");
    assert!(!derivation.normal);
    assert!(derivation.applications.len() <= 10);
    let endless = "strategy loop = loop\nstrategy main = loop";
    assert!(!applied(&three(), endless).normal);
    assert!(!applied(&three(), "strategy main = repeat(id)").normal);
}

#[test]
fn matching_is_one_sided_and_respects_repeated_variables() {
    let program = source(
        Language::C,
        "int f(int a, int b) { int x = a + a; int y = a + b; int z = (a + 1) + (a + 1); \
         return x + y + z; }",
    );
    let doubled = "rule double: ($e + $e)\n-> ($e * 2)\nstrategy main = everywhere(double)";
    let derivation = applied(&program, doubled);
    let expected = ["x = a * 2;", "y = a + b;", "z = (a + 1) * 2;"];
    assert_eq!(body(&derivation.program)[..3], expected);
}

#[test]
fn commutative_operators_match_either_way_only_when_marked() {
    let program = source(
        Language::C,
        "int f(int a) { int x = 2 * a; int y = a * 2; return x - y; }",
    );
    let rule = "rule shift: ($e * 2)\n-> ($e << 1)\nstrategy main = everywhere(shift)";
    assert_eq!(
        body(&applied(&program, rule).program)[..2],
        ["x = 2 * a;", "y = a << 1;"]
    );
    let marked = format!("commutative + *\n{rule}");
    assert_eq!(
        body(&applied(&program, &marked).program)[..2],
        ["x = a << 1;", "y = a << 1;"]
    );
}

#[test]
fn runs_match_any_number_of_statements() {
    let swap = "rule swap: $x = 1; $between* $z = 3; -> $z = 3; $between* $x = 1;\n\
                strategy main = once(swap)";
    let derivation = applied(&three(), swap);
    assert_eq!(
        body(&derivation.program)[..3],
        ["z = 3;", "y = 2;", "x = 1;"]
    );
    assert_eq!(derivation.applications[0].bindings["$between*"], "y = 2;");
}

#[test]
fn conversions_of_c_are_found_again() {
    let program = source(
        Language::Cuda,
        "__global__ void k(int *a, float *f, short h) { int s = 1; if (s < blockDim.x) a[s] = 1; \
         f[0] = 1; }",
    );
    // An unsigned comparison becomes a signed one; an integer is stored as a float.
    let rule = "rule r: if ($s:Name < blockDim.x) $p -> if ($s < 64) $p\n\
                rule q: $f[0] = $v; -> $f[0] = $v + 1;\nstrategy main = everywhere(r <+ q)";
    let text = print::program(&applied(&program, rule).program, Default::default());
    assert!(text.contains("if (s < 64)"), "{text}");
    assert!(text.contains("f[0] = 1.0f + 1.0f"), "{text}");
}

#[test]
fn what_was_applied_and_where_is_recorded() {
    let derivation = applied(&three(), &format!("{PLUS}strategy main = once(plus)"));
    let [application] = derivation.applications.as_slice() else {
        panic!("{:?}", derivation.applications);
    };
    assert_eq!(
        (application.rule.as_str(), application.procedure.as_str()),
        ("plus", "f")
    );
    assert_eq!(application.span.line, 1);
    assert_eq!(application.bindings["$x"], "x");
    assert_eq!(application.bindings["$n"], "1");
}

#[test]
fn assumptions_are_collected_and_refusals_explained() {
    let assumed = "rule r: $x = $e; [ assume power_of_two($x) : \"$x is a power of two\" ] -> ;\n\
                   strategy main = once(r)";
    let derivation = applied(&three(), assumed);
    assert_eq!(derivation.assumptions[0].text, "x is a power of two");
    let refused =
        "rule r: $x = $n:Int; [ power_of_two($n), $n > 5 ] -> ;\nstrategy main = try(once(r))";
    let program = three();
    let derivation = applied(&program, refused);
    assert!(derivation.applications.is_empty());
    assert_eq!(derivation.program, program);
    let conditions: Vec<&str> = derivation
        .refusals
        .iter()
        .map(|r| r.condition.as_str())
        .collect();
    assert!(conditions.contains(&"$n > 5"), "{conditions:?}");
}

#[test]
fn requests_that_do_not_fit_are_errors() {
    let rules = system(&format!(
        "param block = 4\n{PLUS}strategy main = once(plus)"
    ));
    let fail = |request: Request| {
        apply(&three(), &rules, &request, &NoOracle).expect_err("it does not fit")
    };
    let params = |name: &str, value: &str| judging::request(&[(name, value)]);
    assert!(matches!(
        fail(params("blok", "4")),
        TransformError::UnknownParameter { .. }
    ));
    assert!(matches!(
        fail(params("block", "0")),
        TransformError::BadParameter { .. }
    ));
    assert!(matches!(
        fail(params("block", "many")),
        TransformError::BadParameter { .. }
    ));
    let strategy = Some("other".into());
    let unknown = fail(Request {
        strategy,
        ..Request::default()
    });
    assert!(matches!(unknown, TransformError::UnknownStrategy { .. }));
    let procedure = Some("g".into());
    let unknown = fail(Request {
        procedure,
        ..Request::default()
    });
    assert!(matches!(unknown, TransformError::UnknownProcedure { .. }));
    // What a helper's argument stands for is known only when the rule is applied.
    let ill =
        "rule r: $x = 1; -> _Put($x)\nrule q: _Put($p) -> $p\nstrategy main = once(r); once(q)";
    let error = apply(&three(), &system(ill), &Request::default(), &NoOracle);
    assert!(
        matches!(error, Err(TransformError::IllSorted { .. })),
        "{error:?}"
    );
    let left = "rule r: $x = 1; -> _Put($x)\nstrategy main = once(r)";
    let error = apply(&three(), &system(left), &Request::default(), &NoOracle);
    assert!(
        matches!(error, Err(TransformError::NotAProgram(_))),
        "{error:?}"
    );
}

/// Answers as told, and remembers what it was asked.
struct Told(Answer, Mutex<Vec<(ProcId, bool)>>);

impl Oracle for Told {
    fn independent_iterations(&self, program: &Program, proc: ProcId, loop_op: OpId) -> Answer {
        let operators = program.operators();
        let found = operators
            .iter()
            .find(|(p, op)| *p == proc && op.id == loop_op);
        let is_loop = found.is_some_and(|(_, op)| {
            matches!(op.kind, OpKind::Seq(_))
                && gridlock_semantics::analysis::loops::counted_loop(op).is_some()
        });
        self.1.lock().expect("held").push((proc, is_loop));
        self.0
    }
}

#[test]
fn the_oracle_is_asked_about_the_loop_the_analysis_leaves_open() {
    let text = "void g(int *a) { a[0] = 1; }\n\
                void f(int *a, int *p, int n) { for (int i = 0; i < n; i++) a[p[i]] = i; }";
    let program = source(Language::C, text);
    let rules = RuleSystem::built_in("parallelise-loop").expect("built in");
    for (answer, applies) in [
        (Answer::Yes, true),
        (Answer::No, false),
        (Answer::Unknown, false),
    ] {
        let oracle = Told(answer, Mutex::default());
        let derivation = apply(&program, &rules, &Request::default(), &oracle).expect("applies");
        assert_eq!(!derivation.applications.is_empty(), applies, "{answer:?}");
        assert_eq!(*oracle.1.lock().expect("held"), [(ProcId(1), true)]);
    }
}

const LAUNCHED: &str = "__global__ void k(int *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; \
                        a[i] = threadIdx.y + blockIdx.y * blockDim.y; }\n\
                        void f(int *a) { k<<<4, 64>>>(a); for (int r = 0; r < 3; r++) k<<<4, 64>>>(a); }";

#[test]
fn a_pair_read_up_and_down_again_is_the_identity() {
    let program = source(Language::Cuda, LAUNCHED);
    let pairs = RuleSystem::built_in("coordinates").expect("built in");
    let derivation = apply(&program, &pairs, &Request::default(), &NoOracle).expect("applies");
    let rules: Vec<&str> = derivation
        .applications
        .iter()
        .map(|a| a.rule.as_str())
        .collect();
    assert_eq!(rules, ["x-up", "y-up", "x-down", "y-down"]);
    let text = |p: &Program| print::program(p, Default::default());
    // The sum is commutative: downwards it gets its one order.
    let expected = text(&program).replace(
        "threadIdx.y + blockIdx.y * blockDim.y",
        "blockIdx.y * blockDim.y + threadIdx.y",
    );
    assert_eq!(text(&derivation.program), expected);
    let up = Request {
        strategy: Some("up".into()),
        ..Request::default()
    };
    let left = apply(&program, &pairs, &up, &NoOracle);
    assert!(
        matches!(left, Err(TransformError::NotAProgram(_))),
        "{left:?}"
    );
}

#[test]
fn set_launch_changes_every_launch_of_the_kernel() {
    let rule = "rule r: __global__ void $k($a) { $p* } -> __global__ void $k($a) { $p* }\n\
                [ set_launch($k, 8, 32) ]\nstrategy main = once(r)";
    let derivation = applied(&source(Language::Cuda, LAUNCHED), rule);
    let text = print::program(&derivation.program, Default::default());
    assert_eq!(
        text.matches("k<<<(8u, 1u, 1u), (32u, 1u, 1u), 0u>>>")
            .count(),
        2,
        "{text}"
    );
}

/// Says yes to everything, and remembers the loops.
struct Agreeing(Mutex<Vec<String>>);

impl Oracle for Agreeing {
    fn independent_iterations(&self, program: &Program, proc: ProcId, loop_op: OpId) -> Answer {
        let operators = program.operators();
        let found = operators.iter().find(|(_, op)| op.id == loop_op);
        let (_, op) = found.expect("it is there");
        let text = gridlock_semantics::print::operator(program, proc, op, Default::default());
        self.0.lock().expect("held").push(text);
        Answer::Yes
    }
}

/// Two loops are fused: the oracle is asked about the one loop they would be, not about the first of them.
#[test]
fn the_oracle_is_asked_about_the_body_the_rule_asks_about() {
    let text = "void f(int *a, int *b, int *p, int n) {\n\
                \x20 for (int i = 0; i < n; i++) a[p[i]] = i;\n\
                \x20 for (int j = 0; j < n; j++) b[p[j]] = a[j];\n}";
    let program = source(Language::C, text);
    let rules = RuleSystem::built_in("fuse-loops").expect("built in");
    let oracle = Agreeing(Mutex::default());
    let derivation = apply(&program, &rules, &Request::default(), &oracle).expect("applies");
    assert_eq!(derivation.applications.len(), 1);
    let asked = oracle.0.lock().expect("held");
    let both = |text: &String| text.contains("a[p[i]] = i") && text.contains("b[p[i]] = a[i]");
    assert!(!asked.is_empty() && asked.iter().all(both), "{asked:?}");
}

/// Rules that grow what they are applied to, tried on what they made: down, and again at one place. It ends
/// on the stack of a test, and of a smaller one.
#[test]
fn growth_without_end_is_out_of_fuel() {
    let text = "rule nest: $x = $e; -> if (1 == 1) { $x = $e; }\n\
                rule grow: $x = $e; -> $x = $e + $x;\n\
                strategy main = topdown(try(nest))\n\
                strategy again = repeat(once(grow))";
    let rules = system(text);
    for strategy in ["main", "again"] {
        let request = Request {
            strategy: Some(strategy.into()),
            ..Request::default()
        };
        let grown = || {
            let derivation = apply(&three(), &rules, &request, &NoOracle).expect("a program");
            assert!(!derivation.normal, "{strategy}");
            assert!(derivation.applications.len() > 100, "{strategy}");
            gridlock_semantics::print::program(&derivation.program, Default::default()).len()
        };
        let length = std::thread::scope(|scope| {
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let thread = small.spawn_scoped(scope, grown).expect("a thread");
            thread.join().expect("no overflow")
        });
        assert!(length > 500, "{strategy}: {length}");
    }
}
