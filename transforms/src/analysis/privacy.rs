//! Is every variable a loop body assigns private to an iteration: written before it is read in
//! each, so that no value crosses from one iteration to another? `true` is certain.

use super::usage::{assigned_variables, only_assigned, scalars};
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::operator::Head;
use std::collections::BTreeSet;

pub fn private_scalars(body: &Term) -> bool {
    are_private(body, assigned_variables(body))
}

/// The first variable of which an iteration may read what another one left, if assignments alone give it values.
pub fn accumulator(body: &Term) -> Option<Term> {
    all_handed_on(body).find(|x| only_assigned(body, x))
}

/// The first variable of which an iteration may read what another one left.
pub fn handed_on(body: &Term) -> Option<Term> {
    all_handed_on(body).next()
}

/// The scalar variables that a statement may read without having assigned them itself.
pub fn brought(statement: &Term) -> impl Iterator<Item = Term> {
    let assigned = assigned_variables(statement);
    scalars(statement).into_iter().filter(move |x| {
        let id = x.as_variable().map(|x| x.id);
        id.is_none_or(|id| !assigned.contains(&id) || !are_private(statement, BTreeSet::from([id])))
    })
}

fn all_handed_on(body: &Term) -> impl Iterator<Item = Term> {
    let assigned = assigned_variables(body);
    scalars(body).into_iter().filter(move |x| {
        let id = x.as_variable().map(|x| x.id);
        let is_handed_on = |id| assigned.contains(&id) && !are_private(body, BTreeSet::from([id]));
        id.is_some_and(is_handed_on)
    })
}

fn are_private(body: &Term, assigned: BTreeSet<u32>) -> bool {
    Flow { assigned }.statement(body, &mut BTreeSet::new())
}

struct Flow {
    assigned: BTreeSet<u32>,
}

impl Flow {
    /// Whether the expression reads only what is assigned already or not assigned at all.
    fn reads(&self, term: &Term, defined: &BTreeSet<u32>) -> bool {
        let mut fine = true;
        term.walk(&mut |t| {
            if let Some(variable) = t.as_variable() {
                fine &= defined.contains(&variable.id) || !self.assigned.contains(&variable.id);
            }
        });
        fine
    }

    fn define(&self, target: &Term, defined: &mut BTreeSet<u32>) {
        if let Some(variable) = target.as_variable() {
            defined.insert(variable.id);
        }
    }

    fn statement(&self, term: &Term, defined: &mut BTreeSet<u32>) -> bool {
        let Some((functor, args)) = term.as_app() else {
            return self.reads(term, defined);
        };
        match (functor, args) {
            (Functor::Seq, parts) => parts.iter().all(|part| self.statement(part, defined)),
            (Functor::If, [cond, then, otherwise]) => {
                let mut other = defined.clone();
                let fine = self.reads(cond, defined)
                    && self.statement(then, defined)
                    && self.statement(otherwise, &mut other);
                defined.retain(|id| other.contains(id));
                fine
            }
            (Functor::While, [cond, body]) => {
                self.reads(cond, defined) && self.statement(body, &mut defined.clone())
            }
            (Functor::For, [var, init, cond, step, body]) => {
                let fine = self.reads(init, defined);
                self.define(var, defined);
                fine && self.reads(cond, defined)
                    && self.reads(step, defined)
                    && self.statement(body, &mut defined.clone())
            }
            (Functor::Basic(Head::Assign | Head::Load), [var, value]) => {
                let fine = self.reads(value, defined);
                self.define(var, defined);
                fine
            }
            (Functor::Call, [_, inputs, result]) => {
                let fine = self.reads(inputs, defined);
                self.define(result, defined);
                fine
            }
            (Functor::Basic(Head::Atomic(..)), [pointer, operands, result]) => {
                let fine = self.reads(pointer, defined) && self.reads(operands, defined);
                self.define(result, defined);
                fine
            }
            (_, args) => args.iter().all(|arg| self.reads(arg, defined)),
        }
    }
}
