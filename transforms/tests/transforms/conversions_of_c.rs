//! Templates get the conversions clang gives: for every pair of scalar types and every operator,
//! what a rule builds is what the front end reads.

use crate::judging::source;
use gridlock_frontend::Language;
use gridlock_semantics::print;
use gridlock_transforms::{NoOracle, Request, RuleSystem, apply};

/// One of each size below `int` is enough: they all become `int` first.
const TYPES: [&str; 9] = [
    "bool",
    "short",
    "int",
    "long long",
    "unsigned char",
    "unsigned int",
    "unsigned long long",
    "float",
    "double",
];

fn functions(value: &str, integers_only: bool) -> String {
    let mut text = String::new();
    let is_integer = |ty: &str| !matches!(ty, "float" | "double");
    for (m, a) in TYPES.iter().enumerate() {
        for (n, b) in TYPES.iter().enumerate() {
            if integers_only && !(is_integer(a) && is_integer(b)) {
                continue;
            }
            // Results of every type in turn.
            let z = TYPES[(m + n) % TYPES.len()];
            text += &format!(
                "__global__ void k{m}_{n}({a} x, {b} y, {a} a, {b} b, {z} z, {z} w) \
                 {{ x = a; y = b; z = w; z = {value}; }}\n"
            );
        }
    }
    text
}

#[test]
fn templates_are_typed_as_clang_types_them() {
    let operators = ["+", "-", "*", "/", "<", "==", "&&", "||"];
    let integer_operators = ["%", "&", "|", "^", "<<", ">>"];
    let plain = operators.iter().map(|op| (format!("a {op} b"), false));
    let integral = integer_operators
        .iter()
        .map(|op| (format!("a {op} b"), true));
    let others = [
        ("a ? b : a".to_owned(), false),
        ("-a".to_owned(), false),
        ("!b".to_owned(), false),
    ];
    for (value, integers_only) in plain.chain(integral).chain(others) {
        let expected = source(Language::Cuda, &functions(&value, integers_only));
        let before = source(Language::Cuda, &functions("w", integers_only));
        let template = value.replace('a', "$a").replace('b', "$b");
        let rules = format!(
            "system s about \"a\" source \"paper 1\" status \"none\"\n\
             rule build: $x = $a; $y = $b; $z = $w; $z = $w; -> $x = $a; $y = $b; $z = $w; $z = {template};\n\
             strategy main = everywhere(build)"
        );
        let system = RuleSystem::parse("s", &rules).expect("good rules");
        let built = apply(&before, &system, &Request::default(), &NoOracle).expect("applies");
        let (built, expected) = (
            print::program(&built.program, Default::default()),
            print::program(&expected, Default::default()),
        );
        for (a, b) in built.lines().zip(expected.lines()) {
            assert_eq!(a, b, "{value}");
        }
    }
}
