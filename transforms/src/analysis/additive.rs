//! Are statements of a kernel a sum over an array: is what they leave elsewhere, and in the array itself, twice as
//! much where every cell was twice as much, and for two contents added the two results added?
//!
//! `true` is certain, for integers that wrap and for floats modulo associativity and commutativity of addition.
//! Values are told apart by where they come from: *summands* are loads of the array, zero, and what addition,
//! subtraction and negation make of summands; everything else must be the same in every block, whatever the
//! memory holds, and alone decides where and how often summands are added. Results go to the cell of the block's
//! number, so that blocks of the two contents correspond.

use super::usage::{element_of, has_load};
use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::expr::{Axis, Builtin, UnaryOp};
use gridlock_semantics::algebra::operator::Head;
use std::collections::BTreeSet;

/// Of statements of `procedure` behind which nothing follows, and an array of shared memory.
pub fn additive(procedure: &Term, rest: &Term, array: &Term) -> bool {
    let [_, _, _, _, body] = procedure.children() else {
        return false;
    };
    let mut look = Look {
        array,
        sums: BTreeSet::new(),
        of_block: BTreeSet::new(),
    };
    loop {
        let before = (look.sums.len(), look.of_block.len());
        look.collect(body, false);
        if (look.sums.len(), look.of_block.len()) == before {
            return look.statement(rest);
        }
    }
}

struct Look<'a> {
    array: &'a Term,
    /// Variables that some assignment gives a summand.
    sums: BTreeSet<u32>,
    /// Variables that may differ between blocks, or with what memory holds.
    of_block: BTreeSet<u32>,
}

impl Look<'_> {
    /// What variables may hold: grows until nothing is new.
    fn collect(&mut self, term: &Term, decided_by_block: bool) {
        let Some((functor, args)) = term.as_app() else {
            return;
        };
        match (functor, args) {
            (Functor::Basic(Head::Assign), [var, value]) => {
                let Some(variable) = var.as_variable() else {
                    return;
                };
                if self.mentions_sum(value) {
                    self.sums.insert(variable.id);
                }
                let is_sum = self.sums.contains(&variable.id);
                if decided_by_block
                    || !(self.summand(value) || !is_sum && self.same_everywhere(value))
                {
                    self.of_block.insert(variable.id);
                }
            }
            (Functor::For, [var, init, cond, step, body]) => {
                let by_block = decided_by_block || !self.same_everywhere(cond);
                let same = self.same_everywhere(init) && self.same_everywhere(step);
                if let Some(variable) = var.as_variable()
                    && (by_block || !same)
                {
                    self.of_block.insert(variable.id);
                }
                self.collect(body, by_block);
            }
            (Functor::If, [cond, then, otherwise]) => {
                let by_block = decided_by_block || !self.same_everywhere(cond);
                self.collect(then, by_block);
                self.collect(otherwise, by_block);
            }
            (Functor::While, [cond, body]) => {
                let by_block = decided_by_block || !self.same_everywhere(cond);
                self.collect(body, by_block);
            }
            (Functor::Seq, parts) => parts.iter().for_each(|p| self.collect(p, decided_by_block)),
            (Functor::Basic(Head::Store), _) => {}
            // Whatever else leaves a result in a variable.
            (_, args) => args.iter().for_each(|arg| {
                if let Some(variable) = arg.as_variable() {
                    self.of_block.insert(variable.id);
                }
            }),
        }
    }

    /// Whether the array or a variable that holds a summand occurs.
    fn mentions_sum(&self, term: &Term) -> bool {
        let mut found = false;
        term.walk(&mut |t| {
            found |= t == self.array;
            found |= t.as_variable().is_some_and(|v| self.sums.contains(&v.id));
        });
        found
    }

    /// Whether an expression has one value in every block, whatever memory holds.
    fn same_everywhere(&self, term: &Term) -> bool {
        let mut same = !has_load(term) && !self.mentions_sum(term);
        term.walk(&mut |t| {
            same &= t
                .as_variable()
                .is_none_or(|v| !self.of_block.contains(&v.id));
            same &= match t.as_app() {
                Some((Functor::Builtin(what), _)) => {
                    matches!(what, Builtin::ThreadIdx(_) | Builtin::BlockDim(_))
                }
                Some((Functor::Helper(_), _)) => false,
                _ => true,
            };
        });
        same
    }

    /// Whether an expression is a sum of cells of the array.
    fn summand(&self, term: &Term) -> bool {
        if term.as_integer() == Some(0) {
            return true;
        }
        if let Some(variable) = term.as_variable() {
            return self.sums.contains(&variable.id) && !self.of_block.contains(&variable.id);
        }
        match term.as_app() {
            Some((Functor::Load, [pointer])) => self.cell(pointer),
            Some((Functor::Binary(BinaryOp::Add | BinaryOp::Sub), [a, b])) => {
                self.summand(a) && self.summand(b)
            }
            Some((Functor::Unary(UnaryOp::Neg), [a])) => self.summand(a),
            Some((Functor::Cast, [a])) => a.ty() == term.ty() && self.summand(a),
            _ => false,
        }
    }

    /// Whether a pointer is to a cell of the array, the same one in every block.
    fn cell(&self, pointer: &Term) -> bool {
        let found = element_of(pointer);
        found.is_some_and(|(base, index)| base == *self.array && self.same_everywhere(&index))
    }

    fn statement(&self, term: &Term) -> bool {
        let Some((functor, args)) = term.as_app() else {
            return false;
        };
        match (functor, args) {
            (
                Functor::Skip | Functor::Basic(Head::Barrier(..) | Head::SyncWarp | Head::Exit),
                args,
            ) => args.iter().all(|arg| self.same_everywhere(arg)),
            (Functor::Seq, parts) => parts.iter().all(|part| self.statement(part)),
            (Functor::If, [cond, then, otherwise]) => {
                self.same_everywhere(cond) && self.statement(then) && self.statement(otherwise)
            }
            (Functor::While, [cond, body]) => self.same_everywhere(cond) && self.statement(body),
            (Functor::For, [_, init, cond, step, body]) => {
                [init, cond, step].iter().all(|t| self.same_everywhere(t)) && self.statement(body)
            }
            // A variable that holds a summand holds nothing else.
            (Functor::Basic(Head::Assign), [var, value]) => match var.as_variable() {
                Some(variable) if self.sums.contains(&variable.id) => self.summand(value),
                Some(_) => self.same_everywhere(value),
                None => false,
            },
            (Functor::Basic(Head::Store), [pointer, value]) => {
                self.summand(value) && (self.cell(pointer) || self.result(pointer))
            }
            _ => false,
        }
    }

    /// Whether a pointer is to the cell of the block's number, of another array.
    fn result(&self, pointer: &Term) -> bool {
        let Some((base, index)) = element_of(pointer) else {
            return false;
        };
        let number = matches!(
            peel(&index).as_app(),
            Some((Functor::Builtin(Builtin::BlockIdx(Axis::X)), _))
        );
        base != *self.array && number
    }
}
