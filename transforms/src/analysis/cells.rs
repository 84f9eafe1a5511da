//! Which cells of an array statements touch, counted from a thread's or an iteration's own.
//! `Yes` and `true` are certain.

use super::Answer;
use super::affine::linear;
use super::nest::Nest;
use super::usage::{
    Access, accesses, accesses_with_atomics, assigned_variables, definition, has_load,
};
use crate::matching::matcher::peel;
use crate::terms::term::{BinaryOp, Functor, Term};
use crate::terms::typing::binary;
use gridlock_semantics::algebra::types::ScalarType;

/// `Yes` when no access is beyond the cells that [`reach`] counts, and the last of each array is touched for
/// certain: then it has as many. `No` where a subscript goes on from there: it has `i` with another factor, or the
/// counter of another loop of the procedure added to it. Of a nest whose subscripts are polynomials it is
/// never `No`, and `Yes` only where none can overflow.
pub fn within(root: &Term, procedure: Option<&Term>, body: &Term, i: &Term, n: &Term) -> Answer {
    let Some(mut found) = accesses_with_atomics(root, body) else {
        return Answer::Unknown;
    };
    let nest = Nest::of(root, body, i, n);
    let in_nest = |access: &Access| nest.as_ref()?.is_certain(&access.base);
    let is_certain = found
        .iter()
        .filter_map(in_nest)
        .all(|is_certain| is_certain);
    found.retain(|access| in_nest(access).is_none());
    let others = procedure.map_or(Vec::new(), |procedure| counters(procedure, i));
    let beyond = |access: &Access| {
        access.guards.is_empty() && goes_beyond(&resolved(&access.index, body, DEEPEST), i, &others)
    };
    if found.iter().any(beyond) {
        return Answer::No;
    }
    let offsets = found
        .iter()
        .map(|a| Some((a, constant_offset(&a.index, i)?)));
    let Some(offsets) = offsets.collect::<Option<Vec<_>>>() else {
        return Answer::Unknown;
    };
    let no_further = offsets.iter().all(|(access, c)| {
        let here = offsets.iter().filter(|(a, _)| a.base == access.base);
        let certain = here.filter(|(a, _)| a.is_certain).map(|(_, c)| c);
        *c >= 0 && certain.max().is_some_and(|furthest| c <= furthest)
    });
    Answer::known(is_certain && no_further)
}

/// Whether [`reach`] counts the cells of each array that a loop over `i` from 0 below `n` touches, where its
/// subscripts are polynomials of counters, or data with a bound, and those of all atomics. Other cells that data names
/// may be anywhere.
pub fn counted(root: &Term, body: &Term, i: &Term, n: &Term) -> Answer {
    let Some(nest) = Nest::of(root, body, i, n) else {
        return Answer::Yes;
    };
    let found = accesses_with_atomics(root, body).unwrap_or_default();
    let is_own = |access: &Access| constant_offset(&access.index, i).is_some_and(|c| c >= 0);
    let is_counted = |access: &Access| nest.is_certain(&access.base).is_some();
    let mut understood = found.iter().zip(nest.are_understood());
    Answer::known(understood.all(|(access, is_understood)| {
        !is_understood && access.atomic.is_none() || is_counted(access) || is_own(access)
    }))
}

/// How many cells of `a` a loop over `i` from 0 below `n` needs, where [`runs`] holds.
pub fn reach(root: &Term, a: &Term, n: &Term, body: &Term, i: &Term) -> Term {
    let nest = Nest::of(root, body, i, n);
    if let Some(cells) = nest.and_then(|nest| nest.cells(a)) {
        return cells;
    }
    let found = accesses_with_atomics(root, body).unwrap_or_default();
    let here = found.iter().filter(|access| access.base == *a);
    let offsets = here.filter_map(|access| constant_offset(&access.index, i));
    match offsets.max().filter(|&c| c > 0) {
        Some(c) => binary(BinaryOp::Add, n.clone(), Term::int(ScalarType::I32, c)),
        None => n.clone(),
    }
}

/// Whether a loop over `i` from 0 below `n` writes all cells of `a` that [`reach`] counts, and reads none before it has
/// written it, where [`runs`] holds.
pub fn overwritten(root: &Term, a: &Term, body: &Term, i: &Term, n: &Term) -> bool {
    Nest::of(root, body, i, n).is_some_and(|nest| nest.overwrites(a))
}

/// Whether a loop over `i` from 0 below `n` does anything: there is an iteration, and of the loops inside, too,
/// as long as there is nothing beside them.
pub fn runs(root: &Term, n: &Term, body: &Term, i: &Term) -> Term {
    if let Some(nest) = Nest::of(root, body, i, n) {
        return nest.runs();
    }
    let runs = |bound: &Term| binary(BinaryOp::Gt, bound.clone(), Term::int(ScalarType::I32, 0));
    let assigned = assigned_variables(body);
    let is_fixed = |bound: &Term| {
        let mut is_fixed = !has_load(bound);
        bound.walk(&mut |t| is_fixed &= t.as_variable().is_none_or(|v| !assigned.contains(&v.id)));
        is_fixed
    };
    let mut all = runs(n);
    let mut inside = body.clone();
    while let [only] = inside.statements().as_slice()
        && let Some([j, init, cond, _, body]) = only.args_of(&Functor::For)
        && let Some([counter, bound]) = cond.args_of(&Functor::Binary(BinaryOp::Lt))
        && (peel(init).as_integer(), peel(counter)) == (Some(0), j)
        && is_fixed(bound)
    {
        all = binary(BinaryOp::And, all, runs(bound));
        inside = body.clone();
    }
    all
}

/// Variables given values one behind the other that are looked through.
const DEEPEST: usize = 8;

/// A subscript with the values in it that the body gives variables once, at its outermost level.
fn resolved(index: &Term, body: &Term, depth: usize) -> Term {
    let value = index
        .as_variable()
        .filter(|_| depth > 0)
        .and_then(|_| definition(body, index));
    match value {
        Some(value) => resolved(&value, body, depth - 1),
        None if index.children().is_empty() => index.clone(),
        None => {
            let parts = index.children().iter();
            index.with_children(parts.map(|part| resolved(part, body, depth)).collect())
        }
    }
}

/// The counters of the loops of a procedure, but for `i`.
fn counters(procedure: &Term, i: &Term) -> Vec<Term> {
    let mut all = Vec::new();
    procedure.walk(&mut |term| {
        if let Some([counter, ..]) = term.args_of(&Functor::For)
            && counter != i
            && !all.contains(counter)
        {
            all.push(counter.clone());
        }
    });
    all
}

/// Whether a subscript leaves the first `n` cells in a loop over `i` from 0 below `n`, so far as it
/// and the loops of `others` go on at all.
fn goes_beyond(index: &Term, i: &Term, others: &[Term]) -> bool {
    let Some(form) = linear(index, i, &|_| true) else {
        return is_scaled(index, i);
    };
    let counts = |(atom, factor): (&Term, &i128)| {
        *factor > 0 && grows(atom) && others.iter().any(|counter| atom.contains(counter))
    };
    form.coefficient > 1 && form.atoms.is_empty() && form.constant >= 0
        || form.coefficient > 0 && form.atoms.iter().any(counts)
}

/// Whether `i` stands in a product with something that is no number, in a sum.
fn is_scaled(index: &Term, i: &Term) -> bool {
    match peel(index).as_app() {
        Some((Functor::Binary(BinaryOp::Add), [a, b])) => is_scaled(a, i) || is_scaled(b, i),
        Some((Functor::Binary(BinaryOp::Mul), [a, b])) => {
            let by = |a: &Term, b: &Term| {
                a.contains(i) && grows(a) && !b.contains(i) && grows(b) && b.as_integer().is_none()
            };
            by(a, b) || by(b, a)
        }
        _ => false,
    }
}

/// Made of variables and numbers from 0 on by sums and products.
fn grows(term: &Term) -> bool {
    let term = peel(term);
    match term.as_app() {
        Some((Functor::Binary(BinaryOp::Add | BinaryOp::Mul), parts)) => parts.iter().all(grows),
        Some(_) => false,
        None => term.as_integer().is_none_or(|n| n >= 0),
    }
}

/// `c` of a subscript `i + c`.
pub fn constant_offset(index: &Term, i: &Term) -> Option<i128> {
    let form = linear(index, i, &|_| true)?;
    (form.coefficient == 1 && form.atoms.is_empty()).then_some(form.constant)
}

/// Whether `p` touches `a` at `i` only.
pub fn own_cell(root: &Term, p: &Term, a: &Term, i: &Term) -> bool {
    let Some(found) = accesses(root, p) else {
        return false;
    };
    let mut own = found.iter().filter(|access| access.base == *a);
    own.all(|access| constant_offset(&access.index, i) == Some(0))
}

/// Whether, whenever `p` runs, it reads cell `i` of `a` before it writes it.
pub fn reads_first(root: &Term, p: &Term, a: &Term, i: &Term) -> bool {
    let Some(found) = accesses(root, p) else {
        return false;
    };
    let mut own = found.iter().filter(|access| access.base == *a);
    own.next().is_some_and(|first| {
        first.is_certain && !first.is_write && constant_offset(&first.index, i) == Some(0)
    })
}
