//! Terms where a condition holds: choices that it decides are made.

use super::term::{Node, Sort, TermId, Terms};

/// Parts of a condition that are looked at.
const MOST_PARTS: usize = 64;
/// Connectives inside of each other that are looked into.
const MOST_NESTED: u32 = 8;

/// What holds: the parts of a conjunction.
pub struct Under(Vec<TermId>);

impl Under {
    pub fn new(terms: &Terms, condition: TermId) -> Under {
        let mut parts = Vec::new();
        let mut rest = vec![condition];
        while let Some(part) = rest.pop()
            && parts.len() < MOST_PARTS
        {
            if terms.as_bool(part) == Some(true) {
                continue;
            }
            parts.push(part);
            if let Node::And(a, b) = *terms.node(part) {
                rest.extend([a, b]);
            }
        }
        Under(parts)
    }

    /// A term that is equal to this one where the condition holds.
    pub fn of(&self, terms: &mut Terms, mut term: TermId) -> TermId {
        if self.0.is_empty() {
            return term;
        }
        if terms.sort(term) == Sort::Bool
            && let Some(known) = self.decides(terms, term, MOST_NESTED)
        {
            return terms.bool(known);
        }
        while let Node::Ite(cond, then, otherwise) = *terms.node(term) {
            term = match self.decides(terms, cond, MOST_NESTED) {
                Some(true) => then,
                Some(false) => otherwise,
                None => break,
            };
        }
        term
    }

    /// Whether a condition holds, where that follows from parts alone.
    fn decides(&self, terms: &mut Terms, cond: TermId, depth: u32) -> Option<bool> {
        if self.0.contains(&cond) {
            return Some(true);
        }
        if let Some(known) = terms.as_bool(cond) {
            return Some(known);
        }
        let depth = depth.checked_sub(1)?;
        match *terms.node(cond) {
            Node::Not(inner) => match self.0.contains(&inner) {
                true => Some(false),
                false => self.decides(terms, inner, depth).map(|known| !known),
            },
            Node::And(a, b) => match (self.decides(terms, a, depth), self.decides(terms, b, depth))
            {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => self.is_excluded(terms, cond),
            },
            Node::Or(a, b) => {
                match (self.decides(terms, a, depth), self.decides(terms, b, depth)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => self.is_excluded(terms, cond),
                }
            }
            Node::Ite(c, a, b) => match self.decides(terms, c, depth)? {
                true => self.decides(terms, a, depth),
                false => self.decides(terms, b, depth),
            },
            _ => self.is_excluded(terms, cond),
        }
    }

    fn is_excluded(&self, terms: &mut Terms, cond: TermId) -> Option<bool> {
        let not = terms.not(cond);
        self.0.contains(&not).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::substitute::Substitution;
    use crate::terms::term::Scope;

    /// All conditions of one connective over three atoms and their negations, and choices by them.
    #[test]
    fn nothing_changes_where_the_condition_holds() {
        let mut terms = Terms::default();
        let atoms = ["p", "q", "r"].map(|name| terms.fresh(name, Sort::Bool, Scope::Grid));
        let mut literals = atoms.to_vec();
        for atom in atoms {
            literals.push(terms.not(atom));
        }
        let (mut guards, mut asked) = (literals.clone(), Vec::new());
        for &a in &literals {
            for &b in &literals {
                guards.push(terms.and(a, b));
                guards.push(terms.or(a, b));
                for &c in &literals {
                    asked.push(terms.ite(a, b, c));
                    let (one, two, three) = (terms.bits(8, 1), terms.bits(8, 2), terms.bits(8, 3));
                    let inner = terms.ite(b, one, two);
                    asked.push(terms.ite(a, inner, three));
                }
            }
        }
        asked.extend(guards.clone());
        for (one, other) in guards
            .clone()
            .into_iter()
            .zip(guards.clone().into_iter().rev())
        {
            guards.push(terms.and(one, other));
        }
        let mut n_decided = 0;
        for &guard in &guards {
            let under = Under::new(&terms, guard);
            for &term in &asked {
                let found = under.of(&mut terms, term);
                if found == term {
                    continue;
                }
                n_decided += 1;
                for assignment in 0..8 {
                    let values = (0..).zip(atoms).map(|(at, atom)| {
                        let value = assignment >> at & 1 == 1;
                        (atom, terms.bool(value))
                    });
                    let mut given = Substitution::new(values.collect::<Vec<_>>());
                    let holds = given.of(&mut terms, guard);
                    if terms.as_bool(holds) == Some(true) {
                        let (a, b) = (given.of(&mut terms, term), given.of(&mut terms, found));
                        assert_eq!(a, b, "{:?} under {:?}", terms.node(term), terms.node(guard));
                    }
                }
            }
        }
        assert!(n_decided > 1_000, "{n_decided}");
    }
}
