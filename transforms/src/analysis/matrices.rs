//! Does a loop nest touch square matrices only: cells `x * n + y`, where `x` and `y` are counters
//! that run from 0 to below `n`?
//!
//! `true` is certain: no cell from `n * n` on is touched, and the last one of each matrix is, so it
//! has as many cells. For `n > 0`, and pointers that do not alias.

use super::usage::{assigned_variables, element_of};
use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::operator::Head;

/// Of the body of loops over `i` and `j`, both from 0 to below `n`.
pub fn square(body: &Term, i: &Term, j: &Term, n: &Term) -> bool {
    let mut look = Look {
        n,
        counters: vec![i.clone(), j.clone()],
        touched: Vec::new(),
        covered: Vec::new(),
    };
    let assigned = assigned_variables(body);
    let fixed = [i, j].iter().all(|t| {
        let variable = t.as_variable();
        variable.is_some_and(|v| !assigned.contains(&v.id))
    });
    let covered = |look: &Look| look.touched.iter().all(|base| look.covered.contains(base));
    fixed && look.statement(body, true) && covered(&look)
}

struct Look<'a> {
    n: &'a Term,
    counters: Vec<Term>,
    touched: Vec<Term>,
    /// Those whose cells all are touched, whatever branches are taken.
    covered: Vec<Term>,
}

impl Look<'_> {
    fn access(&mut self, pointer: &Term, is_certain: bool) -> bool {
        let Some((base, index)) = element_of(pointer) else {
            return false;
        };
        let places = self.place(&index);
        if !self.touched.contains(&base) {
            self.touched.push(base.clone());
        }
        if is_certain && places {
            self.covered.push(base);
        }
        places
    }

    /// Whether `index` is `x * n + y`.
    fn place(&self, index: &Term) -> bool {
        let Some([a, b]) = peel(index).args_of(&Functor::Binary(BinaryOp::Add)) else {
            return false;
        };
        let row = |t: &Term| match peel(t).args_of(&Functor::Binary(BinaryOp::Mul)) {
            Some([x, y]) => {
                (self.counts(x) && peel(y) == peel(self.n))
                    || (self.counts(y) && peel(x) == peel(self.n))
            }
            _ => false,
        };
        (row(a) && self.counts(b)) || (row(b) && self.counts(a))
    }

    fn counts(&self, term: &Term) -> bool {
        self.counters.contains(peel(term))
    }

    fn expression(&mut self, term: &Term, is_certain: bool) -> bool {
        let is_choice = match term.as_app() {
            Some((Functor::Select, _)) => true,
            Some((Functor::Binary(op), _)) => op.is_logical(),
            _ => false,
        };
        for (number, child) in term.children().iter().enumerate() {
            if !self.expression(child, is_certain && !(is_choice && number > 0)) {
                return false;
            }
        }
        match term.args_of(&Functor::Load) {
            Some([pointer]) => self.access(pointer, is_certain),
            _ => true,
        }
    }

    fn statement(&mut self, term: &Term, is_certain: bool) -> bool {
        let Some((functor, args)) = term.as_app() else {
            return false;
        };
        match (functor, args) {
            (Functor::Skip, _) => true,
            (Functor::Seq, parts) => parts.iter().all(|part| self.statement(part, is_certain)),
            (Functor::If, [cond, then, otherwise]) => {
                self.expression(cond, is_certain)
                    && self.statement(then, false)
                    && self.statement(otherwise, false)
            }
            (Functor::Basic(Head::Assign), [_, value]) => self.expression(value, is_certain),
            (Functor::Basic(Head::Load), [_, pointer]) => {
                self.expression(pointer, is_certain) && self.access(pointer, is_certain)
            }
            (Functor::Basic(Head::Store), [pointer, value]) => {
                self.expression(pointer, is_certain)
                    && self.expression(value, is_certain)
                    && self.access(pointer, is_certain)
            }
            (Functor::For, [var, init, cond, step, body]) => {
                let whole = self.goes_from_zero_to_n(var, init, cond, step, body);
                for part in [init, cond, step] {
                    if !self.expression(part, is_certain) {
                        return false;
                    }
                }
                if whole {
                    self.counters.push(var.clone());
                }
                let fine = self.statement(body, is_certain && whole);
                if whole {
                    self.counters.pop();
                }
                fine
            }
            _ => false,
        }
    }

    fn goes_from_zero_to_n(
        &self,
        var: &Term,
        init: &Term,
        cond: &Term,
        step: &Term,
        body: &Term,
    ) -> bool {
        let Some(variable) = var.as_variable() else {
            return false;
        };
        let below = match cond.args_of(&Functor::Binary(BinaryOp::Lt)) {
            Some([a, b]) => peel(a) == var && peel(b) == peel(self.n),
            _ => false,
        };
        let one = match peel(step).args_of(&Functor::Binary(BinaryOp::Add)) {
            Some([a, b]) => peel(a) == var && peel(b).as_integer() == Some(1),
            _ => false,
        };
        let assigned = assigned_variables(body).contains(&variable.id);
        peel(init).as_integer() == Some(0) && below && one && !assigned
    }
}
