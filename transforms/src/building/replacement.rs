//! `t with { p => q }`: replacing parts of a term.

use crate::building::builder::{Builder, Built, unbuildable};
use crate::language::pattern::Replacement;
use crate::terms::term::{Functor, Term};
use crate::terms::typing;
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::types::Type;

impl Builder<'_> {
    /// `term` with every outermost match of a replacement replaced.
    pub(crate) fn replace(&mut self, term: &Term, replacements: &[Replacement]) -> Built<Term> {
        for replacement in replacements {
            let mut substitution = self.substitution.clone();
            let mut solution = None;
            self.matcher
                .solve(&replacement.from, term, &mut substitution, &mut |s| {
                    solution = Some(s.clone());
                    true
                });
            if let Some(solution) = solution {
                let reassociated = solution.reassociated.clone();
                let before = std::mem::replace(self.substitution, solution);
                let built = if term.is_operator() {
                    self.block_of(std::slice::from_ref(&replacement.to))
                } else {
                    self.argument(&replacement.to)
                };
                *self.substitution = before;
                self.substitution.reassociated = reassociated;
                let built = built?;
                return Ok(match term.ty() {
                    Some(ty @ Type::Scalar(_)) => typing::convert(built, ty),
                    _ => built,
                });
            }
        }
        let mut changed = false;
        let mut children = Vec::new();
        for child in term.children() {
            let new = self.replace(child, replacements)?;
            changed |= new != *child;
            children.push(new);
        }
        if !changed {
            return Ok(term.clone());
        }
        let new = match (
            term.args_of(&Functor::Basic(Head::Assign)),
            children.as_slice(),
        ) {
            // A cell took the place of a variable.
            (Some(_), [cell, value]) if cell.as_variable().is_none() => {
                let Some([pointer]) = cell.args_of(&Functor::Load) else {
                    return unbuildable(format!("`{cell}` cannot be assigned"));
                };
                let parts = vec![pointer.clone(), value.clone()];
                let origin = term.origin().cloned();
                typing::fold(&Term::operator(Functor::Basic(Head::Store), parts, origin))
            }
            _ => typing::fold(&term.with_children(children)),
        };
        match new.origin() {
            Some(origin) => Ok(new.with_origin(Some(self.rewritten(origin)))),
            None => Ok(new),
        }
    }
}
