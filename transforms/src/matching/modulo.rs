//! Matching modulo associativity, and modulo associativity and commutativity: a pattern `p` matches a term
//! `t` when some instance of `p` is `t` but for brackets and, where the operator commutes, order
//! (Benanav, Kapur, Narendran, *Complexity of matching problems*, 1987: with variables that stand twice
//! the problem is NP-complete).
//!
//! Operands are flattened. What is no variable takes one operand, a variable one or more, a run any number:
//! all ways are tried, so that a match is found if there is one, up to [`MOST_STEPS`]; what was given up
//! then is said. Sums of integers wrap, so that brackets change nothing; where operands are floats the
//! match says what it took for granted.

use crate::language::pattern::{MetaId, Pattern, PatternKind};
use crate::language::sort::Sort;
use crate::matching::matcher::{Binding, Matcher, Solution, Substitution, same, uncut};
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::types::Type;
use std::cell::Cell;

/// Ways tried for one application of a rule.
pub const MOST_STEPS: u64 = 10_000;
/// More operands are not searched.
pub const MOST_OPERANDS: usize = 200;

/// How far a search went.
#[derive(Debug, Default)]
pub struct Search {
    steps: Cell<u64>,
    given_up: Cell<bool>,
}

impl Search {
    /// Counts a step; false where there are none left.
    fn step(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > MOST_STEPS {
            self.given_up.set(true);
        }
        !self.given_up.get()
    }

    /// Whether a match may have been missed.
    pub fn is_given_up(&self) -> bool {
        self.given_up.get()
    }
}

/// The operands of `op` over one type, brackets aside.
pub fn operands(op: BinaryOp, term: &Term) -> Vec<Term> {
    let functor = Functor::Binary(op);
    let mut operands = Vec::new();
    let mut open = vec![term];
    while let Some(next) = open.pop() {
        match next.args_of(&functor) {
            Some([a, b]) if next.ty() == term.ty() => open.extend([b, a]),
            _ => operands.push(next.clone()),
        }
    }
    operands
}

/// The operands of a pattern of `op`.
pub fn operand_patterns<'p>(op: BinaryOp, args: &'p [Pattern], into: &mut Vec<&'p Pattern>) {
    for arg in args {
        match &arg.kind {
            PatternKind::App(Functor::Binary(inner), args) if *inner == op => {
                operand_patterns(op, args, into);
            }
            _ => into.push(arg),
        }
    }
}

/// Whether brackets make no difference to values of a type.
fn is_exact(ty: Option<Type>) -> bool {
    ty.and_then(Type::scalar).is_some_and(|s| !s.is_float())
}

/// One pattern of an operator that associates, against one term.
struct Modulo<'m> {
    matcher: Matcher<'m>,
    op: BinaryOp,
    ty: Option<Type>,
}

impl Matcher<'_> {
    /// The ways in which `op` over `args` matches a term, brackets (and order) aside.
    pub(crate) fn solve_modulo(
        &self,
        op: BinaryOp,
        args: &[Pattern],
        term: &Term,
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        let mut patterns = Vec::new();
        operand_patterns(op, args, &mut patterns);
        let given = operands(op, term);
        if given.len() > MOST_OPERANDS {
            self.search.given_up.set(true);
            return false;
        }
        let is_run = |p: &&Pattern| matches!(p.kind, PatternKind::Run(_));
        if given.len() == 2 && patterns.len() == 2 && !patterns.iter().any(is_run) {
            // Both orders were tried.
            return false;
        }
        let before = substitution.reassociated.len();
        // Two operands are bracketed in one way.
        if given.len() > 2 && !is_exact(term.ty()) {
            substitution.reassociated.push(term.clone());
        }
        let modulo = Modulo {
            matcher: *self,
            op,
            ty: term.ty(),
        };
        let stopped = match self.commutative.contains(&op) {
            true => modulo.any_order(&patterns, &given, substitution, found),
            false => modulo.in_order(&patterns, &given, substitution, found),
        };
        if !stopped {
            substitution.reassociated.truncate(before);
        }
        stopped
    }

    /// Equal, conversions on the outside aside; brackets and order of exact operators too, where the
    /// system says that they do not matter.
    pub(crate) fn same(&self, a: &Term, b: &Term) -> bool {
        same(a, b) || (!self.associative.is_empty() && self.same_modulo(uncut(a), uncut(b)))
    }

    fn same_modulo(&self, a: &Term, b: &Term) -> bool {
        if a == b {
            return true;
        }
        let (Some((f, x)), Some((g, y))) = (a.as_app(), b.as_app()) else {
            return false;
        };
        if f != g || a.ty() != b.ty() || x.len() != y.len() || !f.is_expression() {
            return false;
        }
        let Functor::Binary(op) = f else {
            return x.iter().zip(y).all(|(x, y)| self.same_modulo(x, y));
        };
        let (x, mut y) = match self.associative.contains(op) && is_exact(a.ty()) {
            true => (operands(*op, a), operands(*op, b)),
            false => (x.to_vec(), y.to_vec()),
        };
        if x.len() != y.len() || x.len() > MOST_OPERANDS {
            return false;
        }
        if !self.commutative.contains(op) {
            return x.iter().zip(&y).all(|(x, y)| self.same_modulo(x, y));
        }
        // An equivalence: whichever partner is taken, the others find theirs.
        x.iter().all(|x| {
            let partner = y.iter().position(|y| self.same_modulo(x, y));
            partner.map(|index| y.remove(index)).is_some()
        })
    }
}

/// What an operand of a pattern takes.
enum Takes {
    /// One operand that matches it.
    One,
    /// These, which it is bound to.
    Bound(Vec<Term>),
    /// One or more, as one term; `_` binds nothing.
    More(Option<MetaId>),
    /// Any number.
    Run(MetaId),
}

impl Modulo<'_> {
    fn takes(&self, pattern: &Pattern, substitution: &Substitution) -> Takes {
        match pattern.kind {
            PatternKind::Run(id) => match &substitution[id] {
                Some(binding) => Takes::Bound(binding.items()),
                None => Takes::Run(id),
            },
            PatternKind::Meta(id) => match &substitution[id] {
                Some(Binding::One(term)) => Takes::Bound(self.parts_of(term)),
                Some(Binding::Many(items)) => Takes::Bound(items.clone()),
                None => match self.matcher.metas[id].sort {
                    Sort::Expr | Sort::Predicate | Sort::Any => Takes::More(Some(id)),
                    _ => Takes::One,
                },
            },
            PatternKind::Any => Takes::More(None),
            _ => Takes::One,
        }
    }

    /// The operands a bound term stands for.
    fn parts_of(&self, term: &Term) -> Vec<Term> {
        match term.ty() == self.ty {
            true => operands(self.op, term),
            false => vec![term.clone()],
        }
    }

    /// One term out of operands, at least one.
    fn together(&self, items: &[Term]) -> Option<Term> {
        let mut items = items.iter().cloned();
        let first = items.next()?;
        Some(items.fold(first, |all, next| {
            let ty = self.ty.unwrap_or(Type::I32);
            Term::expression(Functor::Binary(self.op), vec![all, next], ty)
        }))
    }

    fn bind(
        &self,
        takes: &Takes,
        items: &[Term],
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        match takes {
            Takes::Run(id) => {
                substitution[*id] = Some(Binding::Many(items.to_vec()));
                let stopped = found(substitution);
                if !stopped {
                    substitution[*id] = None;
                }
                stopped
            }
            Takes::More(Some(id)) => match self.together(items) {
                Some(term) => self.matcher.bind(*id, &term, substitution, found),
                None => false,
            },
            _ => !items.is_empty() && found(substitution),
        }
    }

    fn in_order(
        &self,
        patterns: &[&Pattern],
        given: &[Term],
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        let Some((first, rest)) = patterns.split_first() else {
            return given.is_empty() && found(substitution);
        };
        if !self.matcher.search.step() {
            return false;
        }
        match self.takes(first, substitution) {
            Takes::One => match given.split_first() {
                Some((operand, others)) => {
                    self.matcher.solve(first, operand, substitution, &mut |s| {
                        self.in_order(rest, others, s, found)
                    })
                }
                None => false,
            },
            Takes::Bound(items) => {
                let alike = |(a, b)| self.matcher.same(a, b);
                items.len() <= given.len()
                    && items.iter().zip(given).all(alike)
                    && self.in_order(rest, &given[items.len()..], substitution, found)
            }
            takes => (0..=given.len()).any(|n| {
                let (items, others) = given.split_at(n);
                self.bind(&takes, items, substitution, &mut |s| {
                    self.in_order(rest, others, s, found)
                })
            }),
        }
    }

    fn any_order(
        &self,
        patterns: &[&Pattern],
        given: &[Term],
        substitution: &mut Substitution,
        found: Solution,
    ) -> bool {
        // What leaves least choice goes first.
        let rank = |p: &&Pattern| match self.takes(p, substitution) {
            Takes::Bound(_) => 0,
            Takes::One => match p.kind {
                PatternKind::Meta(_) => 2,
                _ => 1,
            },
            Takes::More(Some(_)) => 3,
            Takes::More(None) => 4,
            Takes::Run(_) => 5,
        };
        let next = (0..patterns.len()).min_by_key(|index| rank(&patterns[*index]));
        let Some(next) = next else {
            return given.is_empty() && found(substitution);
        };
        if !self.matcher.search.step() {
            return false;
        }
        let without = |index: usize| {
            let mut others = given.to_vec();
            others.remove(index);
            others
        };
        let pattern = patterns[next];
        let mut rest = patterns.to_vec();
        rest.remove(next);
        match self.takes(pattern, substitution) {
            Takes::One => (0..given.len()).any(|index| {
                // An equal operand would fail as the first did.
                !given[..index].contains(&given[index])
                    && self
                        .matcher
                        .solve(pattern, &given[index], substitution, &mut |s| {
                            self.any_order(&rest, &without(index), s, found)
                        })
            }),
            Takes::Bound(items) => {
                let mut others = given.to_vec();
                let all = items.iter().all(|item| {
                    let at = others.iter().position(|o| self.matcher.same(o, item));
                    at.map(|index| others.remove(index)).is_some()
                });
                all && self.any_order(&rest, &others, substitution, found)
            }
            takes if rest.is_empty() => self.bind(&takes, given, substitution, found),
            takes => (0..=given.len()).any(|n| {
                self.choose(given, n, &mut |items, others| {
                    self.bind(&takes, items, substitution, &mut |s| {
                        self.any_order(&rest, others, s, found)
                    })
                })
            }),
        }
    }

    /// Every choice of `n` among some, with the others, until one is taken.
    fn choose(
        &self,
        from: &[Term],
        n: usize,
        taken: &mut dyn FnMut(&[Term], &[Term]) -> bool,
    ) -> bool {
        if n > from.len() {
            return false;
        }
        let mut chosen: Vec<usize> = (0..n).collect();
        loop {
            if !self.matcher.search.step() {
                return false;
            }
            let items: Vec<Term> = chosen.iter().map(|index| from[*index].clone()).collect();
            let rest = from.iter().enumerate();
            let rest = rest.filter(|(index, _)| !chosen.contains(index));
            let others: Vec<Term> = rest.map(|(_, term)| term.clone()).collect();
            if taken(&items, &others) {
                return true;
            }
            // The next in the order of a dictionary.
            let free = (0..n).rev().find(|at| chosen[*at] < from.len() - n + at);
            let Some(at) = free else {
                return false;
            };
            chosen[at] += 1;
            for later in at + 1..n {
                chosen[later] = chosen[later - 1] + 1;
            }
        }
    }
}
