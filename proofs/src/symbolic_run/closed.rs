//! Folds as the solver sees them: functions of the number of iterations, of what there was at first, and of whatever
//! their step mentions. The step itself is part of the function's name.
//!
//! Were the step an operand, the solver would look at it for one value of what it binds, and take two folds for equal
//! whose steps agree there. So it sees none; equal steps are those that are one term in normal form.

use crate::terms::function::Function;
use crate::terms::term::{Node, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct Closed {
    known: FxHashMap<TermId, TermId>,
}

impl Closed {
    /// The term with its folds closed.
    pub fn of(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            let children = match n_slots(terms, t) {
                Some(n) => terms.children(t)[..=n].to_vec(),
                None => terms.children(t),
            };
            if !ready {
                stack.push((t, true));
                stack.extend(children.into_iter().map(|c| (c, false)));
                continue;
            }
            let new = self.built(terms, t);
            self.known.insert(t, new);
        }
        self.known[&term]
    }

    fn built(&self, terms: &mut Terms, term: TermId) -> TermId {
        let get = |t: &TermId| self.known[t];
        match terms.node(term).clone() {
            Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => term,
            Node::Bit(op, a, b) => terms.bit(op, get(&a), get(&b)),
            Node::ZeroExt(width, a) => terms.zero_ext(width, get(&a)),
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
            } => match n_slots(terms, term) {
                None => {
                    let args = args.iter().map(get).collect();
                    terms.intern(Node::Apply {
                        function,
                        result,
                        args,
                    })
                }
                Some(n) => {
                    let steps = &args[n + 1..];
                    let mut given: Vec<TermId> = args[..=n].iter().map(get).collect();
                    given.extend(mentioned(terms, steps));
                    let numbers: Vec<u32> = steps.iter().map(|step| step.0).collect();
                    terms.intern(Node::Apply {
                        function: Function::FoldedBy(numbers),
                        result,
                        args: given.into(),
                    })
                }
            },
        }
    }
}

/// Of a fold: how many slots it has.
fn n_slots(terms: &Terms, term: TermId) -> Option<usize> {
    match terms.node(term) {
        Node::Apply {
            function: Function::Fold { slots, .. },
            ..
        } => Some(*slots),
        _ => None,
    }
}

/// What steps mention that no fold binds, in order.
fn mentioned(terms: &Terms, steps: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = steps.to_vec();
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        let is_free = match terms.node(t) {
            Node::Symbol(_) => true,
            Node::Apply { function, args, .. } => args.is_empty() && !function.is_bound(),
            _ => false,
        };
        if is_free {
            found.push(t);
        }
        open.extend(terms.children(t));
    }
    found.sort_unstable();
    found
}
