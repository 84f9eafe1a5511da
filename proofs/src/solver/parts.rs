//! Conditions that have no unknown in common: whether all can hold together is what each part says by itself.

use crate::terms::function::Function;
use crate::terms::term::{Node, SymId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What was asked before.
#[derive(Default)]
pub(super) struct Asked {
    /// Conditions that can hold together, or cannot.
    pub known: FxHashMap<Vec<TermId>, bool>,
    /// Unknowns of a condition.
    unknowns: FxHashMap<TermId, Rc<[Unknown]>>,
}

/// What a model gives a value to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Unknown {
    Symbol(SymId),
    Function(Function),
}

impl Asked {
    /// The conditions by what they have in common, in the order of their first.
    pub fn parts(&mut self, terms: &Terms, mut conditions: Vec<TermId>) -> Vec<Vec<TermId>> {
        conditions.sort_unstable();
        conditions.dedup();
        // Of each condition a smaller one of its part, or itself.
        let mut before: Vec<usize> = (0..conditions.len()).collect();
        let mut first_with: FxHashMap<Unknown, usize> = FxHashMap::default();
        for (number, &condition) in conditions.iter().enumerate() {
            for unknown in self.unknowns_of(terms, condition).iter() {
                let first = *first_with.entry(unknown.clone()).or_insert(number);
                let (a, b) = (first_of(&before, first), first_of(&before, number));
                before[a.max(b)] = a.min(b);
            }
        }
        let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); conditions.len()];
        for (number, condition) in conditions.into_iter().enumerate() {
            parts[first_of(&before, number)].push(condition);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    fn unknowns_of(&mut self, terms: &Terms, condition: TermId) -> Rc<[Unknown]> {
        let known = self.unknowns.entry(condition);
        known.or_insert_with(|| unknowns(terms, condition)).clone()
    }
}

/// The conditions of which one is made up.
pub(super) fn split(terms: &Terms, condition: TermId, into: &mut Vec<TermId>) {
    let mut waiting = vec![condition];
    while let Some(term) = waiting.pop() {
        match terms.node(term) {
            Node::And(a, b) => waiting.extend([*a, *b]),
            Node::Bool(true) => {}
            _ => into.push(term),
        }
    }
}

fn first_of(before: &[usize], mut number: usize) -> usize {
    while before[number] != number {
        number = before[number];
    }
    number
}

fn unknowns(terms: &Terms, condition: TermId) -> Rc<[Unknown]> {
    let (mut seen, mut found) = (FxHashSet::default(), FxHashSet::default());
    let mut waiting = vec![condition];
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Symbol(symbol) => drop(found.insert(Unknown::Symbol(*symbol))),
            Node::Apply { function, .. } => drop(found.insert(Unknown::Function(function.clone()))),
            _ => {}
        }
        waiting.extend(terms.children(term));
    }
    found.into_iter().collect()
}
