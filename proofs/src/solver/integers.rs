//! Questions about machine words as questions about whole numbers: what is linear the solver decides
//! there without looking at bits. A word stands for its signed value; sums are brought back into its
//! range as words wrap. What is not linear (products of unknowns, bits of unknowns) becomes a number
//! nothing is known of but its range, so that only *unsatisfiable* is an answer; what numbers hold together may be what
//! words do, which is to be asked.

use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Bool, Dynamic, Int};
use z3::{AstKind, DeclKind, Model};

/// A whole number, and the range it is known to lie in.
#[derive(Clone, Debug)]
struct Number {
    term: Int,
    least: i128,
    most: i128,
}

impl Number {
    fn constant(value: i128) -> Number {
        Number {
            term: Int::from_i128(value),
            least: value,
            most: value,
        }
    }

    fn as_constant(&self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }
}

/// The translation of some formulas.
#[derive(Default)]
pub struct Integers {
    words: FxHashMap<Dynamic, Number>,
    /// Unknown words, read as unsigned ones.
    unknowns: FxHashMap<Dynamic, Number>,
    /// What is unknown and what unknown functions give, in the order in which it is met, with its number.
    given: Vec<(Dynamic, Int)>,
    truths: FxHashMap<Dynamic, Bool>,
    /// Ranges and definitions of the numbers introduced.
    facts: Vec<Bool>,
}

impl Integers {
    /// Formulas that can hold together if the given ones can, and what they are about.
    pub fn of(formulas: &[Bool]) -> (Vec<Bool>, Integers) {
        let mut integers = Integers::default();
        let mut all: Vec<Bool> = formulas
            .iter()
            .map(|f| integers.truth(Dynamic::from_ast(f)))
            .collect();
        all.append(&mut integers.facts);
        (all, integers)
    }

    /// That the unknown words are what a model says of the numbers.
    pub fn words_of(&self, model: &Model) -> Vec<Bool> {
        let of_word = |(word, term): &(Dynamic, Int)| {
            let value = model.eval(term, true)?.as_i64()?;
            // The bits are the same, signed or not.
            let word = word.as_bv()?;
            Some(word.eq(BV::from_i64(value, word.get_size())))
        };
        self.given.iter().filter_map(of_word).collect()
    }

    /// What a formula says: parts first, on a stack of our own.
    fn truth(&mut self, root: Dynamic) -> Bool {
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, ready)) = stack.pop() {
            if self.truths.contains_key(&node) || self.words.contains_key(&node) {
                continue;
            }
            if !ready {
                let parts = node.children();
                stack.push((node, true));
                stack.extend(parts.into_iter().map(|part| (part, false)));
                continue;
            }
            match node.as_bv() {
                Some(word) => {
                    let number = self.number(&word, &node);
                    self.words.insert(node, number);
                }
                None => {
                    let truth = self.formula(&node);
                    self.truths.insert(node, truth);
                }
            }
        }
        self.truths
            .get(&root)
            .cloned()
            .unwrap_or_else(|| Bool::fresh_const("open"))
    }

    fn formula(&mut self, node: &Dynamic) -> Bool {
        let parts = node.children();
        let kind = node.safe_decl().map(|decl| decl.kind());
        let truths: Vec<Bool> = parts
            .iter()
            .filter_map(|p| self.truths.get(p).cloned())
            .collect();
        let words: Vec<Number> = parts
            .iter()
            .filter_map(|p| self.words.get(p).cloned())
            .collect();
        let widths = parts
            .first()
            .and_then(|p| p.as_bv())
            .map_or(0, |w| w.get_size());
        match (kind, truths.as_slice(), words.as_slice()) {
            (Ok(DeclKind::True), ..) => Bool::from_bool(true),
            (Ok(DeclKind::False), ..) => Bool::from_bool(false),
            (Ok(DeclKind::Not), [a], _) => a.not(),
            (Ok(DeclKind::And), all, []) => Bool::and(all),
            (Ok(DeclKind::Or), all, []) => Bool::or(all),
            (Ok(DeclKind::Implies), [a, b], _) => a.implies(b),
            (Ok(DeclKind::Ite), [c, a, b], _) => c.ite(a, b),
            (Ok(DeclKind::Eq | DeclKind::Iff), [a, b], _) => a.eq(b),
            (Ok(DeclKind::Eq), _, [a, b]) => a.term.eq(&b.term),
            (Ok(DeclKind::Slt), _, [a, b]) => a.term.lt(&b.term),
            (Ok(DeclKind::Sleq), _, [a, b]) => a.term.le(&b.term),
            (Ok(DeclKind::Sgeq), _, [a, b]) => a.term.ge(&b.term),
            (Ok(DeclKind::Sgt), _, [a, b]) => a.term.gt(&b.term),
            (Ok(DeclKind::Ult), _, [a, b]) => {
                unsigned(a, widths).term.lt(&unsigned(b, widths).term)
            }
            (Ok(DeclKind::Uleq), _, [a, b]) => {
                unsigned(a, widths).term.le(&unsigned(b, widths).term)
            }
            _ if node.is_const() => node.as_bool().unwrap_or_else(|| Bool::fresh_const("open")),
            _ => Bool::fresh_const("open"),
        }
    }

    /// The number a word stands for; its parts have theirs.
    fn number(&mut self, word: &BV, node: &Dynamic) -> Number {
        let width = word.get_size();
        if word.kind() == AstKind::Numeral {
            return match word.as_u64() {
                Some(value) => Number::constant(signed(i128::from(value), width)),
                None => self.any(width),
            };
        }
        if node.is_const() {
            let unknown = self.unknown(node, width);
            return self.wrapped(unknown, width);
        }
        let parts = node.children();
        let words: Vec<Number> = parts
            .iter()
            .filter_map(|p| self.words.get(p).cloned())
            .collect();
        let inner = parts
            .first()
            .and_then(|p| p.as_bv())
            .map_or(width, |w| w.get_size());
        let power = |amount: &Number| {
            let amount = amount.as_constant()?;
            (0..i128::from(width))
                .contains(&amount)
                .then(|| 1i128 << amount)
        };
        let kind = node.safe_decl().map(|decl| decl.kind());
        let is_function = matches!(kind, Ok(DeclKind::Uninterpreted));
        let found = match (kind, words.as_slice()) {
            (Ok(DeclKind::Badd), [a, b]) => Some(self.wrapped(sum(a, b), width)),
            (Ok(DeclKind::Bsub), [a, b]) => Some(self.wrapped(difference(a, b), width)),
            (Ok(DeclKind::Bmul), [a, b]) => match (a.as_constant(), b.as_constant()) {
                (Some(by), _) => Some(self.wrapped(times(b, by), width)),
                (_, Some(by)) => Some(self.wrapped(times(a, by), width)),
                _ => None,
            },
            (Ok(DeclKind::Bshl), [a, by]) => power(by).map(|by| self.wrapped(times(a, by), width)),
            (Ok(DeclKind::Bashr), [a, by]) => power(by).map(|by| self.whole_part(a, by)),
            (Ok(DeclKind::Blshr), [a, by]) => power(by).map(|by| {
                let whole = self.whole_part(&unsigned(a, width), by);
                self.wrapped(whole, width)
            }),
            (Ok(DeclKind::Budiv | DeclKind::BudivI), [a, by]) => {
                by.as_constant().filter(|by| *by > 0).map(|by| {
                    let whole = self.whole_part(&unsigned(a, width), by);
                    self.wrapped(whole, width)
                })
            }
            (Ok(DeclKind::Burem | DeclKind::BuremI), [a, by]) => by
                .as_constant()
                .filter(|by| *by > 0)
                .map(|by| self.rest(&unsigned(a, width), by)),
            (Ok(DeclKind::Band), [a, b]) => {
                let mask = |n: &Number| n.as_constant().filter(|m| *m >= 0 && (m & (m + 1)) == 0);
                match (mask(a), mask(b)) {
                    (Some(mask), _) => Some(self.rest(&unsigned(b, width), mask + 1)),
                    (_, Some(mask)) => Some(self.rest(&unsigned(a, width), mask + 1)),
                    _ => None,
                }
            }
            (Ok(DeclKind::SignExt), [a]) => Some(a.clone()),
            (Ok(DeclKind::ZeroExt), [a]) => Some(match parts.first() {
                Some(part) if part.is_const() && a.as_constant().is_none() => {
                    self.unknown(part, inner)
                }
                _ => unsigned(a, inner),
            }),
            (Ok(DeclKind::Bsdiv | DeclKind::BsdivI), [a, by]) if a.least >= 0 => by
                .as_constant()
                .filter(|by| *by > 0)
                .map(|by| self.whole_part(a, by)),
            (Ok(DeclKind::Extract), [a]) if is_low(node) => Some(self.wrapped(a.clone(), width)),
            (Ok(DeclKind::Ite), [a, b]) => {
                let cond = parts.first().and_then(|p| self.truths.get(p).cloned());
                cond.map(|cond| Number {
                    term: cond.ite(&a.term, &b.term),
                    least: a.least.min(b.least),
                    most: a.most.max(b.most),
                })
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let any = self.any(width);
            if is_function {
                self.given.push((node.clone(), any.term.clone()));
            }
            any
        })
    }

    fn unknown(&mut self, node: &Dynamic, width: u32) -> Number {
        if let Some(known) = self.unknowns.get(node) {
            return known.clone();
        }
        let number = self.within(0, (1i128 << width) - 1);
        self.unknowns.insert(node.clone(), number.clone());
        self.given.push((node.clone(), number.term.clone()));
        number
    }

    /// A number of which nothing is known but that it fits.
    fn any(&mut self, width: u32) -> Number {
        let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        self.within(least, most)
    }

    fn within(&mut self, least: i128, most: i128) -> Number {
        let term = Int::fresh_const("number");
        self.facts.push(term.ge(Int::from_i128(least)));
        self.facts.push(term.le(Int::from_i128(most)));
        Number { term, least, most }
    }

    /// What is left of a number in a word.
    fn wrapped(&mut self, number: Number, width: u32) -> Number {
        let half = 1i128 << (width - 1);
        if number.least >= -half && number.most < half {
            return number;
        }
        let whole = 2 * half;
        let rounds = |value: i128| (value + half).div_euclid(whole);
        let (first, last) = (rounds(number.least), rounds(number.most));
        let moved = |by: i128| Int::sub(&[number.term.clone(), Int::from_i128(by * whole)]);
        let term = if last - first <= 2 {
            // One of few: no new number.
            (first..last).rev().fold(moved(last), |above, round| {
                let end = Int::from_i128(round * whole + half);
                number.term.lt(end).ite(&moved(round), &above)
            })
        } else {
            let round = self.within(first, last).term;
            let term = Int::sub(&[
                number.term.clone(),
                Int::mul(&[round, Int::from_i128(whole)]),
            ]);
            self.facts.push(term.ge(Int::from_i128(-half)));
            self.facts.push(term.lt(Int::from_i128(half)));
            term
        };
        Number {
            term,
            least: -half,
            most: half - 1,
        }
    }

    /// The greatest whole number not above `number / by`.
    fn whole_part(&mut self, number: &Number, by: i128) -> Number {
        let (least, most) = (number.least.div_euclid(by), number.most.div_euclid(by));
        if least == most {
            return Number::constant(least);
        }
        if most - least == 1 {
            let below = number.term.lt(Int::from_i128(most * by));
            return Number {
                term: below.ite(&Int::from_i128(least), &Int::from_i128(most)),
                least,
                most,
            };
        }
        let whole = self.within(least, most);
        let product = Int::mul(&[whole.term.clone(), Int::from_i128(by)]);
        let end = Int::add(&[product.clone(), Int::from_i128(by)]);
        self.facts.push(product.le(number.term.clone()));
        self.facts.push(number.term.lt(end));
        whole
    }

    /// What a division of a number that is not negative leaves.
    fn rest(&mut self, number: &Number, by: i128) -> Number {
        if number.most < by {
            return number.clone();
        }
        let whole = self.whole_part(number, by);
        let product = Int::mul(&[whole.term, Int::from_i128(by)]);
        Number {
            term: Int::sub(&[number.term.clone(), product]),
            least: 0,
            most: by - 1,
        }
    }
}

/// The value of a word read as a signed one.
fn signed(value: i128, width: u32) -> i128 {
    let half = 1i128 << (width - 1);
    if value >= half {
        value - 2 * half
    } else {
        value
    }
}

/// The value of a word read as an unsigned one.
fn unsigned(number: &Number, width: u32) -> Number {
    let whole = 1i128 << width;
    if number.least >= 0 {
        return number.clone();
    }
    let above = Int::add(&[number.term.clone(), Int::from_i128(whole)]);
    if number.most < 0 {
        return Number {
            term: above,
            least: number.least + whole,
            most: number.most + whole,
        };
    }
    Number {
        term: number.term.lt(Int::from_i128(0)).ite(&above, &number.term),
        least: 0,
        most: whole - 1,
    }
}

fn sum(a: &Number, b: &Number) -> Number {
    Number {
        term: Int::add(&[a.term.clone(), b.term.clone()]),
        least: a.least + b.least,
        most: a.most + b.most,
    }
}

fn difference(a: &Number, b: &Number) -> Number {
    Number {
        term: Int::sub(&[a.term.clone(), b.term.clone()]),
        least: a.least - b.most,
        most: a.most - b.least,
    }
}

fn times(a: &Number, by: i128) -> Number {
    let ends = [a.least * by, a.most * by];
    Number {
        term: Int::mul(&[a.term.clone(), Int::from_i128(by)]),
        least: ends[0].min(ends[1]),
        most: ends[0].max(ends[1]),
    }
}

/// Whether a part of a word is its low part. (Terms that are alike are one.)
fn is_low(node: &Dynamic) -> bool {
    let (Some(part), Some(word)) = (node.as_bv(), node.nth_child(0).and_then(|w| w.as_bv())) else {
        return false;
    };
    word.extract(part.get_size() - 1, 0).ast_eq(&part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_generation::effort;
    use z3::{FuncDecl, SatResult, Solver, Sort};

    const EDGES: [u64; 9] = [0, 1, 2, 3, 7, 8, 9, 14, 15];

    fn is_possible(formulas: &[Bool]) -> bool {
        let solver = Solver::new();
        formulas.iter().for_each(|f| solver.assert(f));
        solver.check() == SatResult::Sat
    }

    /// What words do, numbers can do; where the operator is linear for `y`, they can do nothing else.
    #[test]
    fn numbers_follow_words() {
        let (x, y) = (BV::new_const("x", 4), BV::new_const("y", 4));
        let word = |value: u64| BV::from_u64(value, 4);
        let mut n_exact = 0_u64;
        for b in EDGES {
            // Some with the second operand known, as it stands in programs.
            let c = word(b);
            let mut results: Vec<(BV, bool)> = vec![
                (x.bvadd(&y), true),
                (x.bvsub(&y), true),
                (x.bvmul(&c), true),
                (x.bvmul(&y), false),
                (x.bvshl(&c), b < 4),
                (x.bvlshr(&c), b < 4),
                (x.bvashr(&c), b < 4),
                (x.bvudiv(&c), (1..8).contains(&b)),
                (x.bvurem(&c), (1..8).contains(&b)),
                (x.bvsdiv(&c), false),
                (x.bvand(&c), matches!(b, 0 | 1 | 3 | 7)),
                (x.bvor(&y), false),
                (x.zero_ext(4).bvadd(y.sign_ext(4)).extract(3, 0), true),
                (x.bvult(&y).ite(&x, &y), true),
                (x.bvsle(&y).ite(&x, &y), true),
            ];
            for power in 1..3 {
                results.push((crate::solver::solve::halved(&x, power), true));
            }
            for a in EDGES {
                if !effort::is_next_done(4) {
                    continue;
                }
                let operands = [x.eq(word(a)), y.eq(word(b))];
                for (result, exact) in &results {
                    let all = [operands[0].clone(), operands[1].clone()];
                    let known = Bool::and(&all);
                    let values = [(&x, &word(a)), (&y, &word(b))];
                    let right = result.substitute(&values).simplify().as_u64().unwrap();
                    let said = Integers::of(&[known.clone(), result.eq(word(right))]).0;
                    assert!(is_possible(&said), "{result:?} for {a} and {b}");
                    if *exact {
                        n_exact += 1;
                        let other = Integers::of(&[known, result.eq(word(right)).not()]).0;
                        assert!(!is_possible(&other), "{result:?} for {a} and {b}");
                    }
                }
            }
        }
        assert!(n_exact > effort::cases(150, 500), "{n_exact}");
    }

    /// Reversing in place: what bits decide in many steps.
    #[test]
    fn a_place_and_its_mirror_are_far_apart() {
        let [i, j, n] = ["i", "j", "n"].map(|name| BV::new_const(name, 32));
        let one = BV::from_u64(1, 32);
        let half = crate::solver::solve::halved(&n, 1);
        let mirror = n.bvsub(&one).bvsub(&j);
        let zero = BV::from_u64(0, 32);
        let within = |k: &BV| [k.bvsge(&zero), k.bvslt(&half)];
        let mut formulas = vec![i.eq(&mirror)];
        formulas.extend(within(&i));
        let together: Vec<Bool> = formulas.iter().cloned().chain(within(&j)).collect();
        assert!(!is_possible(&Integers::of(&together).0));
        // The middle one of an odd number is its own mirror.
        assert!(is_possible(&Integers::of(&formulas).0));
    }

    /// What numbers hold together is tried as words.
    #[test]
    fn words_that_numbers_say() {
        let cell = FuncDecl::new("cell", &[&Sort::bitvector(8)], &Sort::bitvector(32));
        let at = |n: u64| cell.apply(&[&BV::from_u64(n, 8)]).as_bv().expect("a word");
        let sum = |from: u64, to: u64| (from..to).fold(BV::from_u64(0, 32), |s, n| s.bvadd(at(n)));
        let marked = at(7).eq(BV::from_u64(12345, 32));
        let rest = marked.ite(&BV::from_u64(0, 32), &sum(4, 8));
        let differ = sum(0, 4).bvadd(&rest).eq(sum(0, 8)).not();
        for (formulas, expected) in [
            (vec![differ.clone()], true),
            (
                vec![differ.clone(), sum(4, 8).eq(BV::from_u64(5, 32))],
                true,
            ),
            (vec![differ, marked.not()], false),
        ] {
            let (numbers, integers) = Integers::of(&formulas);
            let solver = Solver::new_for_logic("QF_LIA").expect("a logic of the solver");
            numbers.iter().for_each(|f| solver.assert(f));
            assert_eq!(solver.check() == SatResult::Sat, expected);
            if expected {
                let words = integers.words_of(&solver.get_model().expect("a model"));
                assert_eq!(words.len(), 8);
                assert!(is_possible(&[formulas, words].concat()));
            }
        }
    }
}
