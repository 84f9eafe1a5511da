//! Which cells of an array statements touch, counted from a thread's or an iteration's own.
//! `Yes` and `true` are certain.

use super::Answer;
use super::affine::linear;
use super::usage::accesses;
use crate::terms::term::Term;

/// `Yes` when every access is at `i + c`, `c ≥ 0`, and the furthest of each array happens in every
/// iteration: then the loop itself touches every cell `reach` counts, and none beyond.
pub fn within(root: &Term, body: &Term, i: &Term) -> Answer {
    let Some(found) = accesses(root, body) else {
        return Answer::Unknown;
    };
    let offsets = found
        .iter()
        .map(|a| Some((a, constant_offset(&a.index, i)?)));
    let Some(offsets) = offsets.collect::<Option<Vec<_>>>() else {
        return Answer::Unknown;
    };
    Answer::known(offsets.iter().all(|(access, c)| {
        let here = offsets.iter().filter(|(a, _)| a.base == access.base);
        let certain = here.filter(|(a, _)| a.is_certain).map(|(_, c)| c);
        *c >= 0 && certain.max().is_some_and(|furthest| c <= furthest)
    }))
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
