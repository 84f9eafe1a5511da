//! Ground terms: normal forms against a rewriter as simple as can be, on random terms; long lists;
//! fuel; what is refused, and where.

use gridlock_generation::effort;
use gridlock_transforms::RuleSystem;
use gridlock_transforms::ground::{
    Bank, GroundRules, Normaliser, NotFirstOrder, TermId, print, read,
};
use quickcheck::{Arbitrary, Gen, QuickCheck};

fn system(rules: &str) -> RuleSystem {
    let head = "system s about \"a\" source \"b\" status \"c\"\n";
    RuleSystem::parse("s.rules", &format!("{head}{rules}")).expect("it loads")
}

const IDENTITIES: &str = "
    rule zero-left: _p(_z(), $x) -> $x
    rule zero-right: _p($x, _z()) -> $x
    rule one-left: _m(_u(), $x) -> $x
    rule one-right: _m($x, _u()) -> $x
    rule nothing-left: _m(_z(), $x) -> _z()
    rule nothing-right: _m($x, _z()) -> _z()
    rule doubled: _p($x, $x) -> _m(2, $x)
    strategy main = innermost(zero-left <+ zero-right <+ one-left <+ one-right <+ nothing-left
                              <+ nothing-right <+ doubled)";

const REVERSAL: &str = "
    rule reverse-nil: (_reverse(NIL)) -> (NIL)
    rule reverse-cons: (_reverse([$h : $t])) -> (_append(_reverse($t), [$h]))
    rule append-nil: (_append(NIL, $l)) -> ($l)
    rule append-cons: (_append([$h : $t], $l)) -> ([$h : _append($t, $l)])
    strategy main = innermost(reverse-nil <+ reverse-cons <+ append-nil <+ append-cons)";

fn normal(rules: &str, term: &str) -> String {
    let mut bank = Bank::default();
    let rules = GroundRules::new(&system(rules), &mut bank).expect("first-order");
    let term = read(&mut bank, term).expect("a term");
    let normal = Normaliser::new(&rules, false).normalise(&mut bank, term, 1_000_000);
    shown(&bank, normal.expect("normal"))
}

fn shown(bank: &Bank, term: TermId) -> String {
    let mut text = String::new();
    print(bank, term, &mut text);
    text
}

/// `+`, `*`, constants and names: simplified by hand.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf(&'static str),
    Plus(Box<Tree>, Box<Tree>),
    Times(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn random(g: &mut Gen, depth: u32) -> Tree {
        if depth == 0 || u8::arbitrary(g) < 20 {
            let leaves = ["_z", "_z", "_u", "_u", "_a", "_b", "2"];
            return Tree::Leaf(g.choose(&leaves).expect("some"));
        }
        let (a, b) = (Tree::random(g, depth - 1), Tree::random(g, depth - 1));
        match bool::arbitrary(g) {
            true => Tree::Plus(a.into(), b.into()),
            false => Tree::Times(a.into(), b.into()),
        }
    }

    fn text(&self) -> String {
        match self {
            Tree::Leaf(name) => (*name).to_owned(),
            Tree::Plus(a, b) => format!("_p({}, {})", a.text(), b.text()),
            Tree::Times(a, b) => format!("_m({}, {})", a.text(), b.text()),
        }
    }

    fn simplified(&self) -> Tree {
        use Tree::*;
        match self {
            Leaf(_) => self.clone(),
            Plus(a, b) => match (a.simplified(), b.simplified()) {
                (Leaf("_z"), x) | (x, Leaf("_z")) => x,
                (x, y) if x == y => Times(Leaf("2").into(), x.into()).simplified(),
                (x, y) => Plus(x.into(), y.into()),
            },
            Times(a, b) => match (a.simplified(), b.simplified()) {
                (Leaf("_u"), x) | (x, Leaf("_u")) => x,
                (Leaf("_z"), _) | (_, Leaf("_z")) => Leaf("_z"),
                (x, y) => Times(x.into(), y.into()),
            },
        }
    }
}

#[derive(Clone, Debug)]
struct RandomTree(Tree);

impl Arbitrary for RandomTree {
    fn arbitrary(g: &mut Gen) -> RandomTree {
        RandomTree(Tree::random(g, 6))
    }
}

#[test]
fn normal_forms_of_random_trees_are_those_found_by_hand() {
    fn agree(tree: RandomTree) -> bool {
        normal(IDENTITIES, &tree.0.text()) == tree.0.simplified().text()
    }
    QuickCheck::new()
        .tests(effort::cases(250, 20_000))
        .quickcheck(agree as fn(RandomTree) -> bool);
}

#[test]
fn the_first_rule_of_several_that_match_is_meant() {
    let first = "rule a: _f($x, 1) -> _a() rule b: _f(1, $x) -> _b() strategy main = ";
    assert_eq!(
        normal(&format!("{first} innermost(a <+ b)"), "_f(1, 1)"),
        "_a"
    );
    assert_eq!(
        normal(&format!("{first} innermost(b <+ a)"), "_f(1, 1)"),
        "_b"
    );
    assert_eq!(
        normal(&format!("{first} innermost(b <+ a)"), "_f(2, 1)"),
        "_a"
    );
    assert_eq!(
        normal(&format!("{first} innermost(b <+ a)"), "_f(2, 2)"),
        "_f(2, 2)"
    );
    // One that matches but for a variable that stands twice gives way.
    let twice =
        "rule a: _f($x, $x) -> _a() rule b: _f(_, _) -> _b() strategy main = innermost(a <+ b)";
    assert_eq!(
        normal(twice, "_g(_f(1, 1), _f(1, 2), _f([1], [1]))"),
        "_g(_a, _b, _a)"
    );
    let integer = "rule a: _f($x:Int) -> _a() strategy main = innermost(a)";
    assert_eq!(normal(integer, "[_f(7), _f(_b)]"), "[_a, _f(_b)]");
}

#[test]
fn lists_of_any_length() {
    assert_eq!(normal(REVERSAL, "_reverse([1, 2, 3])"), "[3, 2, 1]");
    assert_eq!(
        normal(REVERSAL, "_reverse([_a, [1, 2], NIL])"),
        "[NIL, [1, 2], _a]"
    );
    // Arguments within arguments: no stack grows with them.
    let deep = format!("{}NIL{}", "_s(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(normal(REVERSAL, &deep), deep);
    let long: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let back: Vec<String> = long.iter().rev().cloned().collect();
    let text = format!("_reverse([{}])", long.join(", "));
    assert_eq!(normal(REVERSAL, &text), format!("[{}]", back.join(", ")));
}

#[test]
fn counts_and_provenance_agree_and_fuel_ends() {
    let mut bank = Bank::default();
    let rules = GroundRules::new(&system(REVERSAL), &mut bank).expect("first-order");
    let term = read(&mut bank, "_reverse([1, 2, 3])").expect("a term");
    let mut normaliser = Normaliser::new(&rules, true);
    let normal = normaliser.normalise(&mut bank, term, 100).expect("normal");
    // Three elements and the end; appends of lists of 0, 1 and 2.
    assert_eq!(normaliser.statistics().by_rule, [1, 3, 3, 3]);
    assert_eq!(normaliser.provenance().len(), 10);
    let (first, before) = normaliser.provenance()[0];
    assert_eq!(
        (first, shown(&bank, before)),
        (1, "_reverse([1, 2, 3])".into())
    );
    // What is normal, or was rewritten before, costs nothing.
    for again in [normal, term] {
        assert_eq!(normaliser.normalise(&mut bank, again, 0), Ok(normal));
    }
    normaliser.forget();
    let spent = normaliser
        .normalise(&mut bank, term, 9)
        .expect_err("ten are needed");
    assert_eq!(spent.applied, 19);
    let endless = system("rule a: _f($x) -> _f(_s($x)) strategy main = innermost(a)");
    let rules = GroundRules::new(&endless, &mut bank).expect("first-order");
    let term = read(&mut bank, "_f(1)").expect("a term");
    assert!(
        Normaliser::new(&rules, false)
            .normalise(&mut bank, term, 10_000)
            .is_err()
    );
}

#[test]
fn what_is_no_rule_over_ground_terms_is_refused_with_its_place() {
    let refused = |rules: &str| {
        let refused = GroundRules::new(&system(rules), &mut Bank::default());
        let refused = refused.expect_err("refused");
        let line = match refused {
            NotFirstOrder::Rule { line, .. } => line,
            NotFirstOrder::Strategy => 0,
        };
        format!("{line}: {refused}")
    };
    let condition =
        refused("\nrule a: _f($x) [ integral($x) ] -> $x\nstrategy main = innermost(a)");
    assert!(
        condition.starts_with("3:") && condition.contains("a condition"),
        "{condition}"
    );
    let program = refused("\nrule a: ($x + 0) -> ($x)\nstrategy main = innermost(a)");
    assert!(program.contains("a part of a program"), "{program}");
    let strategy = refused("\nrule a: _f($x) -> $x\nstrategy main = once(a)");
    assert!(strategy.contains("innermost"), "{strategy}");
}

#[test]
fn a_text_that_is_no_term_is_refused_with_its_column() {
    let cases = [
        ("_f(1", 5, "not closed"),
        ("_f(1]", 5, "expected"),
        ("", 1, "too soon"),
        ("_f(1, )", 7, "expected a term"),
        ("_f 1", 4, "one term"),
        ("f(1)", 1, "expected a term"),
        ("[1 : 2, 3]", 7, "expected"),
        ("-x", 1, "no number"),
        (
            "99999999999999999999999999999999999999999999",
            1,
            "no number",
        ),
    ];
    for (text, column, message) in cases {
        let error = read(&mut Bank::default(), text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
    for text in ["[1, 2 : _x]", "_f(NIL, [-3])", "_a"] {
        let mut bank = Bank::default();
        let term = read(&mut bank, text).expect("a term");
        assert_eq!(shown(&bank, term), text);
    }
}
