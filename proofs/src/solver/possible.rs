//! Whether one thread can come along a path. Its conditions fall into parts that have no unknown in common; each is asked about
//! by itself, and once: what led a path out of a loop is such a part of all paths behind that loop.

use super::budget::Cut;
use super::parts::split;
use super::solve::{Answer, Prover, Reader};
use crate::machine::launch::SymbolicLaunch;
use crate::terms::term::{TermId, Terms};
use z3::ast::Bool;

/// Whether a thread can come along a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    No,
    Yes,
    /// The solver gave up, or what it may spend is spent.
    Open(Cut),
}

impl Prover {
    /// Whether a thread of a valid launch can satisfy all of `path`.
    pub fn is_possible(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        path: &[TermId],
    ) -> Possible {
        if path.iter().any(|&term| terms.as_bool(term) == Some(false)) {
            return Possible::No;
        }
        let mut conditions = Vec::new();
        for &condition in launch.facts.iter().chain(path) {
            split(terms, condition, &mut conditions);
        }
        let mut all = Possible::Yes;
        for part in self.asked.parts(terms, conditions) {
            match self.is_part_possible(terms, part) {
                Possible::No => return Possible::No,
                Possible::Yes => {}
                open @ Possible::Open(_) => all = open,
            }
        }
        all
    }

    fn is_part_possible(&mut self, terms: &Terms, part: Vec<TermId>) -> Possible {
        if let Some(&known) = self.asked.known.get(&part) {
            return match known {
                true => Possible::Yes,
                false => Possible::No,
            };
        }
        let formulas: Vec<Bool> = part
            .iter()
            .map(|&term| self.formula(terms, term, Reader::FIRST))
            .collect();
        self.count();
        let known = match self.decide(&formulas) {
            Answer::Satisfiable(_) => true,
            Answer::Unsatisfiable => false,
            // With more steps it may be decided.
            Answer::Open(cut) => return Possible::Open(cut),
        };
        self.asked.known.insert(part, known);
        match known {
            true => Possible::Yes,
            false => Possible::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::launch::Dimension;
    use crate::solver::budget::Budget;
    use crate::solver::context::in_fresh_context;
    use crate::terms::function::Function;
    use crate::terms::term::{BitOp, Node, Order, Scope, Sort};
    use quickcheck::quickcheck;
    use std::time::Duration;

    const WIDTH: u32 = 4;

    /// Terms, four words, and a launch of which nothing is known.
    fn words() -> (Terms, [TermId; 4], SymbolicLaunch) {
        let mut terms = Terms::default();
        let words = [0; 4].map(|_| terms.fresh("word", Sort::Bits(WIDTH), Scope::Thread));
        let one = terms.bits(32, 1);
        let dimension = Dimension {
            thread: one,
            block: one,
            block_extent: one,
            grid_extent: one,
            base: None,
        };
        let launch = SymbolicLaunch {
            dimensions: [dimension; 3],
            facts: Vec::new(),
            definitions: Vec::new(),
            assumptions: Vec::new(),
        };
        (terms, words, launch)
    }

    fn prover() -> Prover {
        Prover::new(Budget::each(60.0, 10), Duration::from_secs(600))
    }

    fn applied(terms: &mut Terms, to: TermId) -> TermId {
        terms.intern(Node::Apply {
            function: Function::Operation("f".into()),
            result: Sort::Bits(WIDTH),
            args: [to].into_iter().collect(),
        })
    }

    /// A comparison of two words, or of what a function makes of them, by the digits of a number.
    fn condition(terms: &mut Terms, words: &[TermId; 4], mut number: u64) -> TermId {
        let mut digit = |base: u64| {
            let digit = number % base;
            number /= base;
            digit
        };
        let mut word = |terms: &mut Terms| {
            let word = match digit(3) {
                0 => terms.bits(WIDTH, digit(16)),
                _ => words[digit(4) as usize],
            };
            match digit(4) {
                0 => applied(terms, word),
                1 => {
                    let more = terms.bits(WIDTH, digit(4));
                    terms.bit(BitOp::Add, word, more)
                }
                _ => word,
            }
        };
        let (a, b) = (word(terms), word(terms));
        match digit(3) {
            0 => terms.eq(a, b),
            1 => terms.less(Order::UnsignedLess, a, b),
            _ => terms.less(Order::SignedLessEq, a, b),
        }
    }

    quickcheck! {
        /// Part by part as all together, whatever was asked before.
        fn parts_are_possible_as_the_whole(numbers: Vec<Vec<u64>>) -> bool {
            in_fresh_context(|| {
                let (mut terms, words, launch) = words();
                let (mut by_parts, mut whole) = (prover(), prover());
                numbers.iter().all(|numbers| {
                    let mut path = terms.bool(true);
                    for &number in numbers {
                        let condition = condition(&mut terms, &words, number);
                        path = terms.and(path, condition);
                    }
                    let expected = match whole.ask_for_any(&terms, &launch, &[(path, Reader::FIRST)], &[]) {
                        Answer::Satisfiable(_) => Possible::Yes,
                        Answer::Unsatisfiable => Possible::No,
                        Answer::Open(cut) => Possible::Open(cut),
                    };
                    by_parts.is_possible(&terms, &launch, &[path]) == expected
                })
            })
        }
    }

    /// Where any model will do, a question is asked unless the model of the last one meets it.
    #[test]
    fn what_a_model_shows_is_not_asked() {
        in_fresh_context(|| {
            let (mut terms, [a, b, ..], launch) = words();
            let mut prover = prover();
            let (two, three) = (terms.bits(WIDTH, 2), terms.bits(WIDTH, 3));
            let below = terms.less(Order::UnsignedLess, a, two);
            let above = terms.less(Order::UnsignedLess, three, a);
            let either = terms.or(below, above);
            let beside = terms.less(Order::UnsignedLess, a, b);
            let mut asked = |path: &[TermId]| {
                let before = prover.queries;
                let readings: Vec<_> = path.iter().map(|&term| (term, Reader::FIRST)).collect();
                let answer = prover.ask_for_any(&terms, &launch, &readings, &[]);
                let is_possible = matches!(answer, Answer::Satisfiable(_));
                (is_possible, prover.queries - before)
            };
            assert_eq!(asked(&[below]), (true, 1));
            assert_eq!(asked(&[either]), (true, 0));
            assert_eq!(asked(&[above]), (true, 1));
            assert_eq!(asked(&[either]), (true, 0));
            assert_eq!(asked(&[below, above]), (false, 1));
            // The model says nothing of other words.
            assert!(asked(&[above, beside]).0);
            assert_eq!(asked(&[above, beside]), (true, 0));
        });
    }

    #[test]
    fn what_one_unknown_or_function_joins_is_one_part() {
        in_fresh_context(|| {
            let (mut terms, [a, b, c, d], mut launch) = words();
            let (two, three) = (terms.bits(WIDTH, 2), terms.bits(WIDTH, 3));
            let mut prover = prover();
            // Each by itself is possible.
            let joined = terms.eq(a, b);
            let below = terms.less(Order::UnsignedLess, a, two);
            let above = terms.less(Order::UnsignedLess, three, b);
            let apart = terms.less(Order::UnsignedLess, c, d);
            let parts = prover
                .asked
                .parts(&terms, vec![joined, below, apart, above]);
            assert_eq!(parts, [vec![joined, below, above], vec![apart]]);
            let contents = [two, c].map(|at| applied(&mut terms, at));
            let is_two = terms.eq(contents[0], two);
            let is_three = terms.eq(contents[1], three);
            let same_cell = terms.eq(c, two);
            for path in [
                vec![joined, below, above],
                vec![is_two, is_three, same_cell],
            ] {
                for left_out in 0..path.len() {
                    let mut some = terms.bool(true);
                    for (number, &condition) in path.iter().enumerate() {
                        if number != left_out {
                            some = terms.and(some, condition);
                        }
                    }
                    assert_eq!(prover.is_possible(&terms, &launch, &[some]), Possible::Yes);
                    assert_eq!(
                        prover.is_possible(&terms, &launch, &[some, path[left_out]]),
                        Possible::No
                    );
                }
            }
            // What is known of the launch is a part like others.
            launch.facts.push(above);
            let path = terms.and(joined, apart);
            assert_eq!(prover.is_possible(&terms, &launch, &[path]), Possible::Yes);
            let path = terms.and(path, below);
            assert_eq!(prover.is_possible(&terms, &launch, &[path]), Possible::No);
            let asked = prover.queries;
            assert_eq!(prover.is_possible(&terms, &launch, &[path]), Possible::No);
            assert_eq!(prover.queries, asked);
        });
    }
}
