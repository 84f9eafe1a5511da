//! A discrimination net: of many left sides, those that may match, by one walk over the term.
//!
//! Left sides are written as strings, heads in the order of a walk and a star for a variable; the net
//! is the tree of these strings. Where a star and a head both go on, both ways are tried. Whether a
//! variable that stands twice has the same term twice is left to whoever asks.

use super::bank::{Bank, HeadId, TermId};
use std::collections::HashMap;

/// A left side.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Any,
    App(HeadId, Vec<Shape>),
}

#[derive(Clone, Debug, Default)]
struct State {
    heads: HashMap<HeadId, usize>,
    star: Option<usize>,
    /// Left sides that end here, by number.
    ends: Vec<usize>,
    /// The first of all that end here or further on.
    least: usize,
}

/// Left sides by number; of several that match, the first is meant.
#[derive(Clone, Debug, Default)]
pub struct Net {
    states: Vec<State>,
    /// The state behind each head: most terms match nothing.
    roots: Vec<Option<usize>>,
}

impl Net {
    /// Every left side is a compound term.
    pub fn new(shapes: &[Shape]) -> Net {
        let mut net = Net::default();
        for (number, shape) in shapes.iter().enumerate() {
            let Shape::App(head, args) = shape else {
                continue;
            };
            let index = head.0 as usize;
            if net.roots.len() <= index {
                net.roots.resize(index + 1, None);
            }
            let root = match net.roots[index] {
                Some(root) => root,
                None => net.state(number),
            };
            net.roots[index] = Some(root);
            let end = args.iter().fold(root, |at, arg| net.add(at, arg, number));
            net.states[end].ends.push(number);
        }
        net
    }

    fn state(&mut self, least: usize) -> usize {
        self.states.push(State {
            least,
            ..State::default()
        });
        self.states.len() - 1
    }

    fn add(&mut self, at: usize, shape: &Shape, number: usize) -> usize {
        match shape {
            Shape::Any => match self.states[at].star {
                Some(next) => next,
                None => {
                    let next = self.state(number);
                    self.states[at].star = Some(next);
                    next
                }
            },
            Shape::App(head, args) => {
                let next = match self.states[at].heads.get(head) {
                    Some(&next) => next,
                    None => {
                        let next = self.state(number);
                        self.states[at].heads.insert(*head, next);
                        next
                    }
                };
                args.iter().fold(next, |at, arg| self.add(at, arg, number))
            }
        }
    }

    /// The first left side that matches `head(args)` and is `accepted`. `open` is room to work in.
    #[inline]
    pub fn first(
        &self,
        bank: &Bank,
        head: HeadId,
        args: &[TermId],
        open: &mut Vec<TermId>,
        accepted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let root = (*self.roots.get(head.0 as usize)?)?;
        open.clear();
        open.extend(args.iter().rev());
        let mut best = usize::MAX;
        self.walk(root, bank, open, &accepted, &mut best);
        (best != usize::MAX).then_some(best)
    }

    fn walk(
        &self,
        at: usize,
        bank: &Bank,
        open: &mut Vec<TermId>,
        accepted: &impl Fn(usize) -> bool,
        best: &mut usize,
    ) {
        let state = &self.states[at];
        if state.least >= *best {
            return;
        }
        let Some(term) = open.pop() else {
            let ends = state.ends.iter().copied();
            if let Some(first) = ends.filter(|&end| end < *best).find(|&end| accepted(end)) {
                *best = first;
            }
            return;
        };
        if let Some(&next) = state.heads.get(&bank.head_of(term)) {
            let before = open.len();
            open.extend(bank.args_of(term).iter().rev());
            // Whoever returns leaves what it found.
            let rest = open.len() - before;
            self.walk(next, bank, open, accepted, best);
            debug_assert_eq!(open.len(), before + rest);
            open.truncate(before);
        }
        if let Some(next) = state.star {
            self.walk(next, bank, open, accepted, best);
        }
        open.push(term);
    }
}
