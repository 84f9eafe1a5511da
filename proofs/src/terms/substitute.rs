//! Terms with other terms in the place of some.

use crate::terms::term::{Node, TermId, Terms};
use rustc_hash::FxHashMap;

/// What stands for what, and what came of it so far.
#[derive(Clone, Default)]
pub struct Substitution {
    known: FxHashMap<TermId, TermId>,
    /// For a narrow symbol, a wider term whose value it holds.
    wide: FxHashMap<TermId, TermId>,
}

impl Substitution {
    /// Each first term is replaced by the second, wherever it occurs, and not within what replaces another.
    pub fn new(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Substitution {
        Substitution {
            known: pairs.into_iter().collect(),
            ..Substitution::default()
        }
    }

    /// A narrow symbol is replaced by the low bits of a term, and wherever it is extended by the term itself: right
    /// for terms that are small enough.
    pub fn of_small(terms: &mut Terms, pairs: &[(TermId, TermId)]) -> Substitution {
        let mut made = Substitution::default();
        for &(symbol, wide) in pairs {
            let low = terms.low(terms.width(symbol), wide);
            made.known.insert(symbol, low);
            made.wide.insert(symbol, wide);
        }
        made
    }

    /// Replaces one more, before any term is asked about.
    pub fn replace(&mut self, term: TermId, by: TermId) {
        self.known.insert(term, by);
    }

    /// The term with other operands; all of them are given.
    pub fn operands(
        terms: &mut Terms,
        term: TermId,
        pairs: impl IntoIterator<Item = (TermId, TermId)>,
    ) -> TermId {
        Substitution::new(pairs).built(terms, term)
    }

    /// The term with all replaced, simplified.
    pub fn of(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        // Operands first, on a stack of our own: sums of thousands of terms nest deeply.
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            if !ready {
                stack.push((t, true));
                stack.extend(terms.children(t).into_iter().map(|c| (c, false)));
                continue;
            }
            let new = self.built(terms, t);
            self.known.insert(t, new);
        }
        self.known[&term]
    }

    fn built(&self, terms: &mut Terms, term: TermId) -> TermId {
        let children = terms.children(term);
        if children.iter().all(|child| self.known[child] == *child) {
            return term;
        }
        let get = |t: &TermId| self.known[t];
        match terms.node(term).clone() {
            Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => term,
            Node::Bit(op, a, b) => terms.bit(op, get(&a), get(&b)),
            Node::ZeroExt(width, a) => match self.wide.get(&a) {
                Some(wide) if terms.width(*wide) == width => *wide,
                Some(wide) if terms.width(*wide) < width => terms.zero_ext(width, *wide),
                _ => terms.zero_ext(width, get(&a)),
            },
            Node::SignExt(width, a) => terms.sign_ext(width, get(&a)),
            Node::Low(width, a) => terms.low(width, get(&a)),
            Node::Ite(c, a, b) => terms.ite(get(&c), get(&a), get(&b)),
            Node::Not(a) => terms.not(get(&a)),
            Node::And(a, b) => terms.and(get(&a), get(&b)),
            Node::Or(a, b) => terms.or(get(&a), get(&b)),
            Node::Eq(a, b) => terms.eq(get(&a), get(&b)),
            Node::Less(order, a, b) => terms.less(order, get(&a), get(&b)),
            Node::Apply {
                function,
                result,
                args,
            } => {
                let args = args.iter().map(get).collect();
                terms.intern(Node::Apply {
                    function,
                    result,
                    args,
                })
            }
        }
    }
}

impl Terms {
    /// Whether one of `parts` occurs in the term.
    pub fn mentions(&self, term: TermId, parts: &[TermId]) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if parts.contains(&t) {
                return true;
            }
            if seen.insert(t) {
                open.extend(self.children(t));
            }
        }
        false
    }
}
