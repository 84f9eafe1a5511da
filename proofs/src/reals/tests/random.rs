//! Random terms beside their values.

use super::*;
use crate::reals::operation::Operation::*;

/// Numbers that are drawn: a linear congruence (Knuth's MMIX).
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A term over three inputs and small numbers.
fn random(m: &mut Made, drawn: &mut Drawn, depth: u32) -> TermId {
    if depth == 0 || drawn.below(8) == 0 {
        return match drawn.below(4) {
            0 => {
                let number = drawn.one_of(&[0.0, 1.0, 2.0, -1.0, 0.5, -3.0]);
                m.number(number)
            }
            _ => {
                let cell = drawn.below(3);
                m.x(cell)
            }
        };
    }
    let mut inner = |m: &mut Made| random(m, drawn, depth - 1);
    let (a, b) = (inner(m), inner(m));
    match drawn.below(16) {
        0..=2 => m.op("Add", &[a, b]),
        3..=5 => m.op("Mul", &[a, b]),
        6 | 7 => m.op("Sub", &[a, b]),
        8 => m.op("Div", &[a, b]),
        9 => m.op("Max", &[a, b]),
        10 => m.op("Min", &[a, b]),
        11 => m.exp(a),
        12 => m.op("Elementary(Log)", &[a]),
        13 => m.op("Sqrt", &[a]),
        14 => match drawn.below(3) {
            0 => m.larger(a, b),
            1 => {
                let (x, y) = (random(m, drawn, depth - 1), random(m, drawn, depth - 1));
                m.choice([a, b], x, y)
            }
            _ => {
                let x = random(m, drawn, depth - 1);
                let apart = m.op("Sub", &[b, a]);
                let factor = m.exp(apart);
                let scaled = m.op("Mul", &[x, factor]);
                m.choice([a, b], scaled, x)
            }
        },
        _ => match drawn.below(5) {
            0 => m.op("Elementary(Tanh)", &[a]),
            1 => m.op("Elementary(Asin)", &[a]),
            2 => m.op("Elementary(Log1p)", &[a]),
            _ => {
                let power = drawn.one_of(&[2.0, -1.0, -2.0, 0.5, -0.5, 1.5]);
                let power = m.number(power);
                m.op("Elementary(Pow)", &[a, power])
            }
        },
    }
}

/// Another way to write a term, by the laws of real numbers; it may be defined at fewer inputs.
fn rewritten(m: &mut Made, drawn: &mut Drawn, term: TermId) -> TermId {
    let term = rewritten_inside(m, drawn, term);
    match drawn.below(18) {
        0 => {
            let by = random(m, drawn, 2);
            let product = m.op("Mul", &[term, by]);
            m.op("Div", &[product, by])
        }
        // The old program may need one of two that make a product, or a part of a quotient.
        16 => {
            let [above, below] = [random(m, drawn, 1), random(m, drawn, 2)];
            let by = m.op("Div", &[above, below]);
            let product = m.op("Mul", &[term, by]);
            m.op("Div", &[product, by])
        }
        17 => {
            let (by, zero) = (random(m, drawn, 2), m.number(0.0));
            let nothing = m.op("Mul", &[by, zero]);
            m.op("Add", &[term, nothing])
        }
        1 => {
            let log = m.op("Elementary(Log)", &[term]);
            m.exp(log)
        }
        2 => {
            let root = m.op("Sqrt", &[term]);
            m.op("Mul", &[root, root])
        }
        3 => {
            let power = m.exp(term);
            m.op("Elementary(Log)", &[power])
        }
        _ => term,
    }
}

fn rewritten_inside(m: &mut Made, drawn: &mut Drawn, term: TermId) -> TermId {
    let node = m.terms.node(term).clone();
    let Node::Apply { function, args, .. } = &node else {
        return term;
    };
    let name = function.to_string();
    if args.is_empty() || matches!(function, Function::Input(_)) {
        return term;
    }
    let args: Vec<TermId> = args.iter().map(|arg| rewritten(m, drawn, *arg)).collect();
    match (name.as_str(), args.as_slice(), drawn.below(2)) {
        ("Add F32" | "Mul F32" | "Max F32", &[a, b], 0) => {
            let name = name.trim_end_matches(" F32").to_owned();
            m.op(&name, &[b, a])
        }
        ("Sub F32", &[a, b], 0) => {
            let minus = m.op("Neg", &[b]);
            m.op("Add", &[minus, a])
        }
        ("Mul F32", &[a, b], _) => match m.terms.node(b).clone() {
            Node::Apply { function, args, .. } if function.to_string() == "Add F32" => {
                let (x, y) = (m.op("Mul", &[a, args[0]]), m.op("Mul", &[a, args[1]]));
                m.op("Add", &[x, y])
            }
            _ => m.op("Mul", &[a, b]),
        },
        ("Div F32", &[a, b], 0) => {
            let one = m.number(1.0);
            let inverse = m.op("Div", &[one, b]);
            m.op("Mul", &[inverse, a])
        }
        ("Elementary(Exp) F32", &[a], 0) => {
            let half = m.number(0.5);
            let inner = m.op("Mul", &[a, half]);
            let root = m.exp(inner);
            m.op("Mul", &[root, root])
        }
        // Whichever is larger, the other comes to nothing.
        ("Max F32", &[a, b], _) => {
            let (up, down) = (m.op("Sub", &[a, b]), m.op("Sub", &[b, a]));
            let zero = m.number(0.0);
            let more = m.op("Max", &[up, zero]);
            let less = m.op("Max", &[down, zero]);
            let twice = m.op("Add", &[more, less]);
            let both = m.op("Add", &[a, b]);
            let sum = m.op("Add", &[both, twice]);
            let two = m.number(2.0);
            m.op("Div", &[sum, two])
        }
        ("Min F32", &[a, b], 0) => {
            let (a, b) = (m.op("Neg", &[a]), m.op("Neg", &[b]));
            let largest = m.op("Max", &[b, a]);
            m.op("Neg", &[largest])
        }
        _ => m.apply(function.clone(), args),
    }
}

/// Beside their values at given inputs: what is the same lies together wherever both are defined, and where the old one is
/// defined, so is the new one. What the laws of real numbers rewrite is the same, but for what may not be defined.
#[test]
fn what_is_the_same_has_the_same_values() {
    let n = gridlock_generation::effort::cases(3_000, 400_000);
    let (mut same, mut by_chance, mut looked) = (0u64, 0u64, 0u64);
    for case in 0..n {
        let mut drawn = Drawn(case.wrapping_add(gridlock_generation::effort::first(n)) * 2 + 1);
        let mut m = Made::new();
        let depth = 2 + drawn.below(3) as u32;
        let old = random(&mut m, &mut drawn, depth);
        let new = match drawn.below(3) {
            0 => random(&mut m, &mut drawn, depth),
            _ => rewritten(&mut m, &mut drawn, old),
        };
        let mut reals = Reals::new(Instant::now() + Duration::from_secs(60));
        reals.take_for_granted(&mut m.terms, old);
        if !matches!(reals.attempt(&mut m.terms, old, new), Ok(Compared::Same)) {
            continue;
        }
        same += 1;
        by_chance += u64::from(old != new);
        // All of -1, 0 and 1, where most is 0; and others.
        for look in 0..27 + 12 {
            let given = |name: &str, cell: Option<i64>, _: u32| match (look, cell) {
                (0..27, Some(cell)) => (look / 3u64.pow(cell as u32) % 3) as f64 - 1.0,
                _ => chosen(name, cell, look - 27),
            };
            let mut balls = Balls::new(&given);
            let Some(a) = balls.of(&m.terms, old) else {
                continue;
            };
            if !a.middle.is_finite() {
                continue;
            }
            assert!(
                !is_undefined(&m.terms, &mut balls, new) || is_undefined(&m.terms, &mut balls, old),
                "case {case}, look {look}: not defined\n{}\n{}",
                shown(&m.terms, old),
                shown(&m.terms, new)
            );
            // Nothing is known where an error is larger than what is divided by.
            let Some(b) = balls.of(&m.terms, new) else {
                continue;
            };
            looked += 1;
            assert!(
                a.apart(b) == 0.0,
                "case {case}, look {look}: {a:?} and {b:?}\n{}\n{}",
                shown(&m.terms, old),
                shown(&m.terms, new)
            );
        }
    }
    assert!(same > n / 8, "{same} of {n}");
    assert!(by_chance > n / 20, "{by_chance} of {n}");
    assert!(looked > same, "{looked} values of {same}");
}

/// Whether it is certain that something is divided by 0, or has no root or logarithm.
fn is_undefined(terms: &Terms, balls: &mut Balls<'_>, term: TermId) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match terms.node(term) {
            Node::Ite(cond, a, b) => match balls.cond(terms, *cond) {
                Some(true) => open.push(*a),
                Some(false) => open.push(*b),
                None => {}
            },
            Node::Apply { function, args, .. } => {
                let Some(operation) = operation::operation(function) else {
                    continue;
                };
                open.extend(args);
                // What is very small is 0 in doubles.
                let mut ball = |of: TermId| balls.of(terms, of).filter(|_| !has_powers(terms, of));
                let is_out = match operation {
                    Div => ball(args[1]).is_some_and(|by| by.middle == 0.0),
                    Root => ball(args[0]).is_some_and(|of| of.middle < -1e-6),
                    Log { .. } => {
                        ball(args[0]).is_some_and(|of| of.middle == 0.0 || of.middle < -1e-6)
                    }
                    Log1p => ball(args[0]).is_some_and(|of| of.middle == -1.0),
                    Pow => match (ball(args[0]), balls.of(terms, args[1])) {
                        (Some(base), Some(power)) if power.error == 0.0 => {
                            base.middle == 0.0 && power.middle < 0.0
                                || base.middle < -1e-6 && power.middle.fract() != 0.0
                        }
                        _ => false,
                    },
                    Other(_) => ball(args[0]).is_some_and(|of| of.middle.abs() > 1.0 + 1e-6),
                    _ => false,
                };
                if is_out {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether there is an exponential inside.
fn has_powers(terms: &Terms, term: TermId) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if let Node::Apply { function, .. } = terms.node(term)
            && function.to_string().contains("Exp")
        {
            return true;
        }
        open.extend(terms.children(term));
    }
    false
}

fn shown(terms: &Terms, term: TermId) -> String {
    match terms.node(term) {
        Node::Bits { value, .. } => format!("{}", f32::from_bits(*value as u32)),
        Node::Ite(cond, a, b) => {
            let [cond, a, b] = [cond, a, b].map(|t| shown(terms, *t));
            format!("({cond} ? {a} : {b})")
        }
        Node::Apply { function, args, .. } => match function {
            Function::Input(_) => format!("x{}", terms.as_bits(args[0]).unwrap_or(99)),
            _ => {
                let args: Vec<String> = args.iter().map(|arg| shown(terms, *arg)).collect();
                format!("{function}({})", args.join(", "))
            }
        },
        node => format!("{node:?}"),
    }
}
