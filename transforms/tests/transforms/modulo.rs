//! Matching modulo associativity and commutativity: against trying every way to write a term, on random
//! terms and patterns; what is taken for granted of floats; the limit.

use crate::judging::source;
use gridlock_frontend::Language;
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::print;
use gridlock_transforms::language::pattern::{Pattern, PatternKind, Rule};
use gridlock_transforms::matching::matcher::{Binding, Matcher, Substitution};
use gridlock_transforms::matching::modulo::{Search, operands};
use gridlock_transforms::terms::term::{BinaryOp, Functor, Term, Variable};
use gridlock_transforms::{Derivation, NoOracle, Request, RuleSystem, apply};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::BTreeMap;

const HEADING: &str = "system s about \"a\" source \"paper 1\" status \"none\"\n";

fn system(heading: &str, rules: &str) -> RuleSystem {
    let text = format!("{HEADING}{heading}\n{rules}");
    RuleSystem::parse("s.rules", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn rule(pattern: &str) -> RuleSystem {
    let rules = format!("rule r: {pattern} -> (_Done())\nstrategy main = id");
    system("associative + commutative + *", &rules)
}

fn int(value: i128) -> Term {
    Term::int(ScalarType::I32, value)
}

fn variable(id: u32) -> Term {
    Term::variable(Variable {
        id,
        name: ["a", "b", "c"][id as usize].into(),
        ty: Type::I32,
        span: Span::NONE,
    })
}

fn binary(op: BinaryOp, a: Term, b: Term) -> Term {
    Term::expression(Functor::Binary(op), vec![a, b], Type::I32)
}

/// A sum of up to four operands, some of them products.
#[derive(Clone, Debug)]
struct Sum(Term);

fn random_term(g: &mut Gen, leaves: u32) -> Term {
    if leaves == 1 {
        return match u32::arbitrary(g) % 5 {
            0 => int(1),
            n => variable((n - 1) % 3),
        };
    }
    let left = 1 + u32::arbitrary(g) % (leaves - 1);
    let op = match u32::arbitrary(g) % 4 {
        0 => BinaryOp::Mul,
        _ => BinaryOp::Add,
    };
    let (a, b) = (random_term(g, left), random_term(g, leaves - left));
    binary(op, a, b)
}

impl Arbitrary for Sum {
    fn arbitrary(g: &mut Gen) -> Sum {
        let leaves = 1 + u32::arbitrary(g) % 4;
        Sum(random_term(g, leaves))
    }
}

/// A sum of patterns, the last perhaps a run.
#[derive(Clone, Debug)]
struct SumPattern {
    operands: Vec<&'static str>,
    has_run: bool,
    nested_right: bool,
}

impl Arbitrary for SumPattern {
    fn arbitrary(g: &mut Gen) -> SumPattern {
        let some = [
            "$x",
            "$x",
            "$y",
            "$x * $y",
            "$y * $z",
            "1",
            "$n:Int",
            "$v:Name",
            "$x * ($y + $z)",
            "_",
        ];
        let n = 1 + usize::arbitrary(g) % 3;
        SumPattern {
            operands: (0..n).filter_map(|_| g.choose(&some).copied()).collect(),
            has_run: bool::arbitrary(g),
            nested_right: bool::arbitrary(g),
        }
    }
}

impl SumPattern {
    fn text(&self, run: Option<&'static str>) -> String {
        let mut operands = self.operands.clone();
        operands.extend(run);
        let last = operands.pop().unwrap_or("$x");
        let text = match self.nested_right {
            false => operands
                .iter()
                .chain([&last])
                .copied()
                .collect::<Vec<_>>()
                .join(" + "),
            true => operands
                .iter()
                .rev()
                .fold(last.to_owned(), |all, next| format!("{next} + ({all})")),
        };
        format!("({text})")
    }
}

fn matches(rule: &Rule, ops: (&[BinaryOp], &[BinaryOp]), term: &Term) -> Option<Substitution> {
    let search = Search::default();
    let params = BTreeMap::new();
    let matcher = Matcher {
        metas: &rule.metas,
        commutative: ops.0,
        associative: ops.1,
        search: &search,
        params: &params,
    };
    let mut found = None;
    matcher.solve(&rule.source, term, &mut matcher.substitution(), &mut |s| {
        found = Some(s.clone());
        true
    });
    assert!(!search.is_given_up(), "{term}");
    found
}

/// All terms that differ from `term` in brackets of sums and in the order of operands.
fn ways(term: &Term) -> Vec<Term> {
    let Some((Functor::Binary(op), [a, b])) = term.as_app() else {
        return vec![term.clone()];
    };
    if *op == BinaryOp::Mul {
        let (left, right) = (ways(a), ways(b));
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        return pairs
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .map(|(a, b)| binary(*op, a.clone(), b.clone()))
            .collect();
    }
    let parts: Vec<Vec<Term>> = operands(*op, term).iter().map(ways).collect();
    sums(&parts)
}

/// All sums of one way for each of some operands.
fn sums(parts: &[Vec<Term>]) -> Vec<Term> {
    if let [only] = parts {
        return only.clone();
    }
    let mut all = Vec::new();
    // Every division in two that is no empty one.
    for mask in 1..(1u32 << parts.len()) - 1 {
        let side = |bit: u32| {
            let chosen = parts.iter().enumerate();
            let chosen = chosen.filter(|(index, _)| (mask >> index) & 1 == bit);
            sums(&chosen.map(|(_, part)| part.clone()).collect::<Vec<_>>())
        };
        let (left, right) = (side(1), side(0));
        for a in &left {
            all.extend(
                right
                    .iter()
                    .map(|b| binary(BinaryOp::Add, a.clone(), b.clone())),
            );
        }
    }
    all
}

/// The same text for all ways to write a term.
fn canonical(term: &Term) -> String {
    let Some((Functor::Binary(op), args)) = term.as_app() else {
        return term.to_string();
    };
    let parts = match op {
        BinaryOp::Add => operands(*op, term),
        _ => args.to_vec(),
    };
    let mut parts: Vec<String> = parts.iter().map(canonical).collect();
    parts.sort();
    format!("{op:?}({})", parts.join(","))
}

/// The pattern with its metavariables filled in; `None` where `_` stands.
fn instance(pattern: &Pattern, found: &Substitution) -> Option<Vec<Term>> {
    match &pattern.kind {
        PatternKind::Meta(id) | PatternKind::Run(id) => match found[*id].as_ref()? {
            Binding::One(term) => Some(vec![term.clone()]),
            Binding::Many(items) => Some(items.clone()),
        },
        PatternKind::Int { value, .. } => Some(vec![int(*value)]),
        PatternKind::App(Functor::Binary(op), args) => {
            let mut all = Vec::new();
            for arg in args {
                all.extend(instance(arg, found)?);
            }
            let mut all = all.into_iter();
            let first = all.next()?;
            Some(vec![all.fold(first, |a, b| binary(*op, a, b))])
        }
        _ => None,
    }
}

const SUMS: (&[BinaryOp], &[BinaryOp]) = (&[BinaryOp::Add, BinaryOp::Mul], &[BinaryOp::Add]);

#[test]
fn a_match_is_found_exactly_when_some_way_to_write_the_term_matches() {
    fn agrees(Sum(term): Sum, pattern: SumPattern) -> bool {
        let own = rule(&pattern.text(pattern.has_run.then_some("$rest*")));
        let found = matches(&own.rules()[0], SUMS, &term);
        // A run is one more operand, or nothing; but a sum has two.
        let mut plain = Vec::new();
        if !pattern.has_run || pattern.operands.len() > 1 {
            plain.push(rule(&pattern.text(None)));
        }
        if pattern.has_run {
            plain.push(rule(&pattern.text(Some("$rest"))));
        }
        let ways = ways(&term);
        let one = |system: &RuleSystem, way: &Term| {
            matches(&system.rules()[0], (&[], &[]), way).is_some()
        };
        let expected = ways
            .iter()
            .any(|way| plain.iter().any(|system| one(system, way)));
        if let Some(found) = &found
            && let Some(made) = instance(&own.rules()[0].source, found)
        {
            assert_eq!(canonical(&made[0]), canonical(&term), "{pattern:?}");
        }
        assert_eq!(found.is_some(), expected, "{pattern:?} against {term}");
        true
    }
    QuickCheck::new()
        .tests(effort::cases(750, 20_000))
        .quickcheck(agrees as fn(Sum, SumPattern) -> bool);
}

#[test]
fn in_order_nothing_changes_places() {
    let text = |pattern: &str, term: &Term| {
        let own = rule(pattern);
        let found = matches(&own.rules()[0], (&[], &[BinaryOp::Add]), term);
        found.map(|found| {
            let bindings = found.bindings.iter().flatten();
            let printed = bindings.map(|binding| {
                let items: Vec<String> = binding.items().iter().map(Term::to_string).collect();
                items.join(" ")
            });
            printed.collect::<Vec<_>>().join("; ")
        })
    };
    let add = |a, b| binary(BinaryOp::Add, a, b);
    let (a, b, c) = (variable(0), variable(1), variable(2));
    let sum = add(a.clone(), add(b.clone(), c.clone()));
    assert_eq!(text("($x + $y + $z)", &sum), Some("a; b; c".into()));
    assert_eq!(text("($x + ($y + $z))", &sum), Some("a; b; c".into()));
    assert_eq!(text("($x:Name + $rest*)", &sum), Some("a; b + c".into()));
    assert_eq!(text("($rest* + $x:Name)", &sum), Some("a b; c".into()));
    assert_eq!(text("($x + $x)", &sum), None);
    let pairs = add(add(a.clone(), b.clone()), add(a.clone(), b.clone()));
    let straight = add(a.clone(), add(b.clone(), add(a.clone(), b.clone())));
    assert_eq!(text("($x + $x)", &pairs), Some("a + b".into()));
    assert_eq!(text("($x + $x)", &straight), Some("a + b".into()));
    let crossed = add(add(a.clone(), b.clone()), add(b, a));
    assert_eq!(text("($x + $x)", &crossed), None);
}

/// The statements of the only procedure that assign.
fn body(program: &Program) -> Vec<String> {
    let text = print::program(program, Default::default());
    let lines = text.lines().map(str::trim);
    let assignments = lines.filter(|line| line.contains(" = "));
    assignments.map(str::to_owned).collect()
}

fn applied(text: &str, system: &RuleSystem) -> Derivation {
    let program = source(Language::C, text);
    apply(&program, system, &Request::default(), &NoOracle).expect("it can be applied")
}

const FACTOR: &str = "rule factor: ($x * $y + $x * $z + $rest*)
    -> ($x * ($y + $z) + $rest*)
    strategy main = once(factor)";

#[test]
fn a_rule_with_a_rest_builds_what_it_says() {
    let factor = system("associative + commutative + *", FACTOR);
    let sum = "int f(int a, int b, int c, int d) { int s = b * a + d + a * c + 7; return s; }";
    let derivation = applied(sum, &factor);
    assert_eq!(body(&derivation.program)[0], "s = a * (b + c) + d + 7;");
    assert!(derivation.assumptions.is_empty(), "{derivation:?}");
    // Without `associative` a run of operands is refused, with its place.
    let text = format!("{HEADING}commutative + *\n{FACTOR}");
    let error = RuleSystem::parse("s.rules", &text).expect_err("no run");
    assert_eq!((error.line, error.column), (3, 35), "{error}");
    assert!(error.message.contains("not declared `associative`"));
}

#[test]
fn of_floats_it_is_said_what_was_taken_for_granted() {
    let factor = system("associative + commutative + *", FACTOR);
    let floats = "float f(float a, float b, float c, float d) \
                  { float s = b * a + d + a * c; return s; }";
    let derivation = applied(floats, &factor);
    assert_eq!(derivation.applications.len(), 1);
    let texts: Vec<&str> = derivation
        .assumptions
        .iter()
        .map(|a| a.text.as_str())
        .collect();
    assert_eq!(
        texts,
        ["operations on floats in `b * a + d + a * c` may be reassociated (modulo AC)"]
    );
    // As it is written, nothing is moved and nothing assumed.
    let plain = "float f(float a, float b, float c) { float s = a * b + a * c; return s; }";
    assert!(applied(plain, &factor).assumptions.is_empty());
}

#[test]
fn a_search_that_is_given_up_is_said() {
    // No operand is the product of two others, but there are very many choices.
    let hard =
        "rule hard: ($a * $b + $b * $c + $c * $d + $d * $e + $e * $f + $f * $a + $x + $y + 77)
        -> (0)
        strategy main = once(hard)";
    let hard = system("associative + commutative + *", hard);
    let products: Vec<String> = (0..30).map(|n| format!("x[{n}] * x[{}]", n + 40)).collect();
    let sum = format!(
        "int f(int *x) {{ int s = {} + 77; return s; }}",
        products.join(" + ")
    );
    let derivation = applied(&sum, &hard);
    assert!(derivation.applications.is_empty());
    // The whole search ends: no operands are shared.
    let given_up = |d: &Derivation| {
        let mut refusals = d.refusals.iter();
        refusals.any(|r| r.unknown && r.condition.contains("a match modulo associativity"))
    };
    let many: Vec<String> = (0..24).map(|n| format!("x[{n}]")).collect();
    let sum = format!(
        "int f(int *x) {{ int s = {}; return s; }}",
        many.join(" + ")
    );
    let halves = "rule halves: ($a + $b)
        [ $a == 5 ] -> (0)
        strategy main = once(halves)";
    let derivation = applied(&sum, &system("associative + commutative +", halves));
    assert!(given_up(&derivation), "{:?}", derivation.refusals);
    // What is found before is no matter of limits.
    let some = "rule some: ($a + x) -> (0) strategy main = id";
    assert!(RuleSystem::parse("s.rules", &format!("{HEADING}{some}")).is_err());
    let easy = "rule easy: ($a + $b)
        -> (0)
        strategy main = once(easy)";
    let derivation = applied(&sum, &system("associative + commutative +", easy));
    assert_eq!(derivation.applications.len(), 1);
    assert!(!given_up(&derivation));
}
