//! Straight-line code over cells: statements that say which cells are meant, then assignments that read and write these. It
//! can be taken apart into gathering, computing and scattering.

use super::usage::{accesses, assigned_variables};
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::operator::Head;
use std::collections::BTreeSet;

/// The leading statements that touch no memory, and the rest.
pub fn parted(root: &Term, p: &Term) -> (Vec<Term>, Vec<Term>) {
    let mut first = p.statements();
    let touches =
        |statement: &Term| accesses(root, statement).is_none_or(|found| !found.is_empty());
    let at = first.iter().position(touches).unwrap_or(first.len());
    let rest = first.split_off(at);
    (first, rest)
}

/// The pointers to all cells that are read, or written, each once, in the order of the text.
pub fn cells(p: &Term, is_write: bool) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    p.walk(&mut |term| {
        let pointer = match term.as_app() {
            Some((Functor::Load, [pointer])) if !is_write => pointer,
            Some((Functor::Basic(Head::Store), [pointer, _])) if is_write => pointer,
            _ => return,
        };
        if !found.contains(pointer) {
            found.push(pointer.clone());
        }
    });
    found
}

/// Whether a statement only assigns, without a choice before an access, and no cell that it names depends on what it
/// assigns, nor on memory.
pub fn is_straight(root: &Term, p: &Term) -> bool {
    let is_assignment = |statement: &Term| {
        match statement.as_app() {
            // What loses its value, or is written back as it is, is given none.
            Some((Functor::Basic(Head::Assign | Head::Store), [_, value])) => !value.is_no_value(),
            _ => false,
        }
    };
    let assigned = assigned_variables(p);
    let is_fixed = |cell: &Term| {
        let mut is_fixed = true;
        cell.walk(&mut |part| {
            let changes = part.as_variable().is_some_and(|v| assigned.contains(&v.id));
            is_fixed &= !changes && part.args_of(&Functor::Load).is_none();
        });
        is_fixed
    };
    let is_certain = accesses(root, p).is_some_and(|found| found.iter().all(|a| a.is_certain));
    let mut named = cells(p, false);
    named.extend(cells(p, true));
    p.statements().iter().all(is_assignment) && is_certain && named.iter().all(is_fixed)
}

/// Whether a piece of straight-line code reads and writes some array at one cell alone, and reads it before it writes it.
pub fn is_in_place(p: &Term, is_of_array: &dyn Fn(&Term) -> bool) -> bool {
    let of_array = |p: &Term, is_write: bool| {
        let mut found = cells(p, is_write);
        found.retain(is_of_array);
        found
    };
    let mut named = of_array(p, false);
    named.extend(of_array(p, true));
    let is_one = named.windows(2).all(|pair| pair[0] == pair[1]);
    let statements = p.statements();
    let written = |statement: &Term| !of_array(statement, true).is_empty();
    let first_write = statements.iter().position(written);
    let behind = first_write.map_or(statements.len(), |at| at + 1);
    let mut later = statements[behind..].iter();
    is_one && !later.any(|statement| !of_array(statement, false).is_empty())
}

/// Those of the statements, none of which touches memory, that give `work` the variables that it reads.
pub fn needed(statements: &[Term], work: &Term) -> Vec<Term> {
    let mut wanted = variables(work);
    let mut kept: Vec<Term> = Vec::new();
    for statement in statements.iter().rev() {
        if !assigned_variables(statement).is_disjoint(&wanted) {
            wanted.extend(variables(statement));
            kept.push(statement.clone());
        }
    }
    kept.reverse();
    kept
}

fn variables(term: &Term) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    term.walk(&mut |part| found.extend(part.as_variable().map(|v| v.id)));
    found
}
