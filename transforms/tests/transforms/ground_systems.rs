//! Random systems of ground rules against a rewriter as simple as can be: the net, the programs of right
//! sides, and what is built once.

use gridlock_generation::effort;
use gridlock_transforms::RuleSystem;
use gridlock_transforms::ground::{Bank, GroundRules, Normaliser, print, read};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::HashMap;

/// A term or, with variables, a side of a rule.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Var(&'static str),
    Int(i64),
    App(&'static str, Vec<Tree>),
}

use Tree::{App, Int, Var};

impl Tree {
    fn text(&self) -> String {
        match self {
            Var(name) => format!("${name}"),
            Int(value) => value.to_string(),
            App(name, args) if args.is_empty() => format!("_{name}"),
            App(name, args) => {
                let args: Vec<String> = args.iter().map(Tree::text).collect();
                format!("_{name}({})", args.join(", "))
            }
        }
    }

    /// In rules a constant has brackets.
    fn rule_text(&self) -> String {
        match self {
            App(name, args) => {
                let args: Vec<String> = args.iter().map(Tree::rule_text).collect();
                format!("_{name}({})", args.join(", "))
            }
            other => other.text(),
        }
    }
}

fn chosen<T: Copy>(g: &mut Gen, among: &[T]) -> T {
    *g.choose(among).expect("some")
}

fn leaf(g: &mut Gen, vars: &[&'static str]) -> Tree {
    match u32::arbitrary(g) % 3 {
        0 if !vars.is_empty() => Var(chosen(g, vars)),
        1 => Int(i64::from(u8::arbitrary(g) % 2)),
        _ => App(chosen(g, &["a", "b"]), vec![]),
    }
}

/// Of the heads given, with their numbers of arguments.
fn tree(g: &mut Gen, depth: u32, vars: &[&'static str], heads: &[(&'static str, usize)]) -> Tree {
    if depth == 0 || u32::arbitrary(g) % 4 == 0 {
        return leaf(g, vars);
    }
    let (head, n) = chosen(g, heads);
    App(
        head,
        (0..n).map(|_| tree(g, depth - 1, vars, heads)).collect(),
    )
}

fn variables(tree: &Tree, into: &mut Vec<&'static str>) {
    match tree {
        Var(name) => into.push(name),
        Int(_) => {}
        App(_, args) => args.iter().for_each(|arg| variables(arg, into)),
    }
}

/// Rules whose right sides have no head of a left side but one that is smaller: they end.
#[derive(Clone, Debug)]
struct System {
    rules: Vec<(Tree, Tree)>,
    term: Tree,
}

const HEADS: [(&str, usize); 3] = [("f", 2), ("g", 1), ("h", 2)];

impl Arbitrary for System {
    fn arbitrary(g: &mut Gen) -> System {
        let n = 1 + usize::arbitrary(g) % 6;
        let rules = (0..n).map(|_| {
            let (head, n_args) = chosen(g, &HEADS[..2]);
            let args = (0..n_args).map(|_| tree(g, 2, &["x", "y"], &HEADS));
            let left = App(head, args.collect());
            let mut bound = Vec::new();
            variables(&left, &mut bound);
            let right = match (head, u32::arbitrary(g) % 2) {
                // f of what was inside; g of something, twice.
                ("f", 0) => {
                    let inside = tree(g, 1, &bound, &[("h", 2)]);
                    let part = App("g", vec![inside]);
                    App("h", vec![part.clone(), part])
                }
                _ => tree(g, 2, &bound, &[("h", 2)]),
            };
            (left, right)
        });
        System {
            rules: rules.collect(),
            term: tree(g, 5, &[], &HEADS),
        }
    }
}

fn matches(pattern: &Tree, term: &Tree, bound: &mut HashMap<&'static str, Tree>) -> bool {
    match (pattern, term) {
        (Var(name), _) => match bound.get(name) {
            Some(known) => known == term,
            None => {
                bound.insert(name, term.clone());
                true
            }
        },
        (App(f, a), App(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(p, t)| matches(p, t, bound))
        }
        (pattern, term) => pattern == term,
    }
}

fn filled(tree: &Tree, bound: &HashMap<&'static str, Tree>) -> Tree {
    match tree {
        Var(name) => bound[name].clone(),
        Int(value) => Int(*value),
        App(name, args) => App(name, args.iter().map(|arg| filled(arg, bound)).collect()),
    }
}

fn normal(rules: &[(Tree, Tree)], term: &Tree) -> Tree {
    let App(name, args) = term else {
        return term.clone();
    };
    let term = App(name, args.iter().map(|arg| normal(rules, arg)).collect());
    for (left, right) in rules {
        let mut bound = HashMap::new();
        if matches(left, &term, &mut bound) {
            return normal(rules, &filled(right, &bound));
        }
    }
    term
}

/// The normal form, and the size of the net.
fn by_the_engine(rules: &[(Tree, Tree)], terms: &[Tree]) -> (Vec<String>, usize) {
    let mut text = "system s about \"a\" source \"b\" status \"c\"\n".to_owned();
    for (number, (left, right)) in rules.iter().enumerate() {
        let (left, right) = (left.rule_text(), right.rule_text());
        text.push_str(&format!("rule r{number}: ({left}) -> ({right})\n"));
    }
    let names: Vec<String> = (0..rules.len()).map(|n| format!("r{n}")).collect();
    // A strategy reads so many at once.
    let groups: Vec<String> = names.chunks(50).map(|part| part.join(" <+ ")).collect();
    assert_eq!(groups.len(), 1, "one group of rules");
    text.push_str(&format!("strategy main = innermost({})\n", groups[0]));
    let system = RuleSystem::parse("s.rules", &text).expect("it loads");
    let mut bank = Bank::default();
    let ground = GroundRules::new(&system, &mut bank).expect("first-order");
    let mut forms = Vec::new();
    for provenance in [false, true] {
        let mut normaliser = Normaliser::new(&ground, provenance);
        let found = terms.iter().map(|term| {
            let term = read(&mut bank, &term.text()).expect("a term");
            let normal = normaliser
                .normalise(&mut bank, term, 1_000_000)
                .expect("it ends");
            let mut text = String::new();
            print(&bank, normal, &mut text);
            text
        });
        let found: Vec<String> = found.collect();
        if provenance {
            assert_eq!(forms, found, "with provenance");
            let kept = normaliser.provenance().len() as u64;
            assert_eq!(kept, normaliser.statistics().applied);
        }
        forms = found;
    }
    (forms, ground.net_size())
}

#[test]
fn normal_forms_are_those_of_rules_tried_in_order() {
    fn agree(system: System) -> bool {
        let expected = normal(&system.rules, &system.term).text();
        let (found, _) = by_the_engine(&system.rules, std::slice::from_ref(&system.term));
        assert_eq!(found[0], expected, "{:?}", system.rules);
        true
    }
    QuickCheck::new()
        .tests(effort::cases(500, 20_000))
        .quickcheck(agree as fn(System) -> bool);
}

#[test]
fn a_net_that_would_be_too_large_tries_rules_in_order() {
    // Each rule asks for three arguments of twelve, in no order: a tree would have to tell all apart.
    let mut g = Gen::new(10);
    let mut left = || {
        let mut args = vec![Var("x"); 12];
        for _ in 0..3 {
            let place = usize::arbitrary(&mut g) % 12;
            args[place] = leaf(&mut g, &[]);
        }
        for (number, arg) in args.iter_mut().enumerate() {
            if let Var(name) = arg {
                *name = ["p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "k"][number];
            }
        }
        App("f", args)
    };
    let rules: Vec<(Tree, Tree)> = (0..45).map(|n| (left(), Int(100 + n))).collect();
    let mut g = Gen::new(10);
    let terms: Vec<Tree> = (0..400)
        .map(|_| App("f", (0..12).map(|_| leaf(&mut g, &[])).collect()))
        .collect();
    let (found, size) = by_the_engine(&rules, &terms);
    assert!(size > 1 << 14, "{size} nodes: the limit is not reached");
    assert!(size < 1 << 20, "{size} nodes");
    for (term, found) in terms.iter().zip(found) {
        assert_eq!(found, normal(&rules, term).text(), "{}", term.text());
    }
}
