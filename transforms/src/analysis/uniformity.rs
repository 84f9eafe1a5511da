//! Is an expression the same for all threads of a block, whenever they come to where it stands?
//!
//! `true` is certain; `false` means that no argument was found. A variable is uniform where all its
//! assignments give it uniform values under uniform control: then the threads of a block go through
//! the same sequence of values of it. That is a greatest fixed point: all are taken to be uniform,
//! and taken back until nothing changes; a step of a thread cannot be the first to break it.
//! Memory is never uniform here, and neither is what a call, an atomic or an exchange gives.

use super::usage::has_load;
use crate::terms::term::{Functor, Term, TermKind};
use gridlock_semantics::algebra::expr::Builtin;
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::BTreeSet;

/// Of an expression of `procedure`, a kernel.
pub fn uniform(procedure: &Term, expression: &Term) -> bool {
    let [_, params, _, _, body] = procedure.children() else {
        return false;
    };
    let is_kernel = matches!(
        procedure.as_app(),
        Some((Functor::Procedure(ProcKind::Kernel), _))
    );
    if !is_kernel {
        return false;
    }
    let mut known = Known {
        params: params.children(),
        uneven: BTreeSet::new(),
        assigned: BTreeSet::new(),
    };
    loop {
        let before = known.uneven.len();
        known.statement(body, true);
        if known.uneven.len() == before {
            return known.even(expression);
        }
    }
}

struct Known<'a> {
    params: &'a [Term],
    /// Variables that may differ between threads.
    uneven: BTreeSet<u32>,
    assigned: BTreeSet<u32>,
}

impl Known<'_> {
    fn even(&self, term: &Term) -> bool {
        let mut even = !has_load(term);
        term.walk(&mut |t| match t.kind() {
            TermKind::Var(v) => {
                even &= !self.uneven.contains(&v.id);
                even &= self.assigned.contains(&v.id) || self.params.contains(t);
            }
            TermKind::App(Functor::Builtin(what), _) => {
                even &= matches!(
                    what,
                    Builtin::BlockIdx(_) | Builtin::BlockDim(_) | Builtin::GridDim(_)
                );
            }
            TermKind::App(Functor::Helper(_), _) => even = false,
            _ => {}
        });
        even
    }

    fn assign(&mut self, target: &Term, even: bool) {
        if let Some(variable) = target.as_variable() {
            self.assigned.insert(variable.id);
            if !even {
                self.uneven.insert(variable.id);
            }
        }
    }

    /// `together`: whether the threads of a block decide alike on the way here.
    fn statement(&mut self, term: &Term, together: bool) {
        let Some((functor, args)) = term.as_app() else {
            return;
        };
        match (functor, args) {
            (Functor::If, [cond, then, otherwise]) => {
                let together = together && self.even(cond);
                self.statement(then, together);
                self.statement(otherwise, together);
            }
            (Functor::While, [cond, body]) => {
                let together = together && self.even(cond);
                self.statement(body, together);
            }
            (Functor::For, [var, init, cond, step, body]) => {
                let even = together && self.even(init);
                self.assign(var, even);
                let together = together && self.even(cond);
                let even = together && self.even(step);
                self.assign(var, even);
                self.statement(body, together);
            }
            (Functor::Basic(Head::Assign), [var, value]) => {
                let even = together && self.even(value);
                self.assign(var, even);
            }
            (Functor::Seq, parts) => parts.iter().for_each(|p| self.statement(p, together)),
            // Whatever else leaves a result in a variable.
            (_, args) => args.iter().for_each(|arg| {
                if arg.as_variable().is_some() {
                    self.assign(arg, false);
                }
            }),
        }
    }
}
