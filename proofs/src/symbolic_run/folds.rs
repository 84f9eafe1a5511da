//! What a loop goes on with and that is no counter, as one term.

use super::rolled::rolled;
use super::run::Run;
use crate::terms::function::Function;
use crate::terms::normal::Normal;
use crate::terms::substitute::Substitution;
use crate::terms::term::{BitOp, Node, Sort, TermId, Terms};
use rustc_hash::FxHashSet;
use smallvec::smallvec;

impl Run<'_> {
    /// A fold: what a slot holds after `count` iterations.
    pub fn folded(
        &mut self,
        accumulated: &[(TermId, TermId, TermId)],
        at: usize,
        iteration: TermId,
        count: TermId,
        may_roll: bool,
    ) -> TermId {
        // The slots it depends on, itself first.
        let mut order = vec![at];
        let mut done = 0;
        while done < order.len() {
            let next = accumulated[order[done]].2;
            let mut found: Vec<usize> = Vec::new();
            self.occurrences(next, accumulated, &mut found);
            for other in found {
                if !order.contains(&other) {
                    order.push(other);
                }
            }
            done += 1;
        }
        let height = 1 + order
            .iter()
            .map(|at| self.height(accumulated[*at].2))
            .max()
            .unwrap_or(0);
        let bound = |run: &mut Self, function: Function, sort: Sort| {
            run.terms.intern(Node::Apply {
                function,
                result: sort,
                args: smallvec![],
            })
        };
        let mut pairs = vec![(
            iteration,
            bound(self, Function::BoundIteration(height), Sort::Bits(64)),
        )];
        for (number, at) in order.iter().enumerate() {
            let symbol = accumulated[*at].0;
            let sort = self.terms.sort(symbol);
            let slot = Function::BoundSlot {
                number,
                height,
                sort,
            };
            pairs.push((symbol, bound(self, slot, sort)));
        }
        let mut renamed = Substitution::new(pairs);
        let mut normal = Normal::new(self.floats.commute());
        let mut steps = Vec::new();
        for at in &order {
            let step = renamed.of(self.terms, accumulated[*at].2);
            steps.push(normal.of(self.terms, step));
        }
        let mut count = count;
        let bound_iteration = bound(self, Function::BoundIteration(height), Sort::Bits(64));
        if may_roll && let ([step], [only]) = (steps.as_mut_slice(), order.as_slice()) {
            let sort = self.terms.sort(accumulated[*only].0);
            let slot = Function::BoundSlot {
                number: 0,
                height,
                sort,
            };
            let before = bound(self, slot, sort);
            if let Some((times, one)) = rolled(self.terms, *step, before, bound_iteration) {
                *step = one;
                let times = self.terms.bits(64, times);
                count = self.terms.bit(BitOp::Mul, count, times);
            }
        }
        let mut args = vec![count];
        args.extend(order.iter().map(|at| accumulated[*at].1));
        args.extend(steps);
        let result = self.terms.sort(accumulated[at].0);
        self.terms.intern(Node::Apply {
            function: Function::Fold {
                height,
                slots: order.len(),
            },
            result,
            args: args.into(),
        })
    }

    /// Which slots occur in a term, in the order in which they are met.
    pub fn occurrences(
        &self,
        term: TermId,
        accumulated: &[(TermId, TermId, TermId)],
        found: &mut Vec<usize>,
    ) {
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Some(at) = accumulated.iter().position(|(symbol, ..)| *symbol == t)
                && !found.contains(&at)
            {
                found.push(at);
            }
            open.extend(self.terms.children(t).into_iter().rev());
        }
    }

    /// How deep folds nest in a term.
    pub fn height(&self, term: TermId) -> u32 {
        let mut most = 0;
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Node::Apply {
                function: Function::Fold { height, .. },
                ..
            } = self.terms.node(t)
            {
                most = most.max(*height);
            }
            open.extend(self.terms.children(t));
        }
        most
    }
}

/// Whether a word of 64 bits is certainly far from its end.
pub fn is_small(terms: &Terms, term: TermId) -> bool {
    match *terms.node(term) {
        Node::Bits { value, .. } => value < 1 << 40,
        Node::ZeroExt(_, inner) => terms.width(inner) <= 32,
        Node::Ite(_, a, b) => is_small(terms, a) && is_small(terms, b),
        Node::Bit(BitOp::Add, a, b) => {
            terms.as_bits(b).is_some_and(|b| b < 1 << 40) && is_small(terms, a)
        }
        _ => false,
    }
}
