//! The part of a comparison no map speaks of: arrays by name, element by element.

use crate::equiv::map::{Relation, Side, Term};
use crate::equiv::relate::Unrelated;
use crate::equiv::sides::Sides;
use crate::report::witness::ObservedCell;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::system::observation::{Observation, ObservedArray};

impl<'a> Sides<'a> {
    /// Compares all arrays and results no relation names, element by element.
    pub(super) fn identity(&self, relations: &[Relation]) -> Option<Unrelated> {
        let named = |side: Side, name: &str| {
            relations.iter().any(|relation| {
                [&relation.left, &relation.right]
                    .into_iter()
                    .any(|term| term.names(side, name))
            })
        };
        let left = |side: Side, observation: &'a Observation| {
            let arrays = observation.arrays.iter();
            arrays
                .filter(|array| !named(side, &array.name))
                .collect::<Vec<&ObservedArray>>()
        };
        let (new, old) = (left(Side::New, self.new), left(Side::Old, self.old));
        for (new, old) in pairs(&new, &old) {
            let difference = match (new, old) {
                (Some(new), Some(old)) => self.compare_arrays(new, old),
                (one, other) => Some(Unrelated {
                    relation: String::new(),
                    array: one.or(other).map(|array| array.name.to_string()),
                    index: None,
                    new_value: None,
                    old_value: None,
                    new_cells: Vec::new(),
                    old_cells: Vec::new(),
                }),
            };
            if difference.is_some() {
                return difference;
            }
        }
        let results_named = relations
            .iter()
            .any(|r| [&r.left, &r.right].into_iter().any(has_result));
        let relation = || "new.result == old.result".to_owned();
        let is_same = || match (self.new.result, self.old.result) {
            // Two allocations are no difference that a caller sees; null is.
            (Some(new), Some(old)) if is_allocated(new) && is_allocated(old) => true,
            (Some(new), Some(old)) => self.differences.admits(new, old, relation),
            (new, old) => new == old,
        };
        if results_named || is_same() {
            return None;
        }
        Some(Unrelated {
            relation: relation(),
            array: None,
            index: None,
            new_value: self.new.result,
            old_value: self.old.result,
            new_cells: vec![result(self.new)],
            old_cells: vec![result(self.old)],
        })
    }

    fn compare_arrays(&self, new: &ObservedArray, old: &ObservedArray) -> Option<Unrelated> {
        let length = new.cells.len().max(old.cells.len());
        let relation = |at: usize| {
            format!(
                "{} == {}",
                self.cell(Side::New, &new.name, at as i64),
                self.cell(Side::Old, &old.name, at as i64)
            )
        };
        // All cells are looked at: the largest difference may be in any.
        let mut first = None;
        for at in 0..length {
            let is_same = match (new.cells.get(at), old.cells.get(at)) {
                (Some(a), Some(b)) => self.differences.admits(*a, *b, || relation(at)),
                _ => false,
            };
            if !is_same {
                first.get_or_insert(at);
            }
        }
        let at = first?;
        let cell = |array: &ObservedArray| ObservedCell {
            array: Some(array.name.to_string()),
            index: Some(at as i64),
            value: array.cells.get(at).copied(),
        };
        Some(Unrelated {
            relation: relation(at),
            array: Some(new.name.to_string()),
            index: Some(at as i64),
            new_value: new.cells.get(at).copied(),
            old_value: old.cells.get(at).copied(),
            new_cells: vec![cell(new)],
            old_cells: vec![cell(old)],
        })
    }
}

fn is_allocated(value: Value) -> bool {
    matches!(value, Value::Pointer(pointer) if pointer.array != ArrayRef::Null)
}

fn result(seen: &Observation) -> ObservedCell {
    ObservedCell {
        array: None,
        index: None,
        value: seen.result,
    }
}

fn has_result(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |t| found |= matches!(t, Term::Result(_)));
    found
}

/// Which of the arrays of its name one is: an argument and variables of the file may share one, in the same order on
/// both sides.
fn occurrence(arrays: &[&ObservedArray], index: usize) -> usize {
    let earlier = arrays[..index].iter();
    earlier.filter(|a| a.name == arrays[index].name).count()
}

/// Pairs arrays by name when both sides have the same names, by position otherwise.
fn pairs<'a>(
    new: &[&'a ObservedArray],
    old: &[&'a ObservedArray],
) -> Vec<(Option<&'a ObservedArray>, Option<&'a ObservedArray>)> {
    let find = |among: &[&'a ObservedArray], arrays: &[&'a ObservedArray], index: usize| {
        let mut own = among.iter().filter(|a| a.name == arrays[index].name);
        own.nth(occurrence(arrays, index)).copied()
    };
    let same_names =
        new.len() == old.len() && (0..new.len()).all(|index| find(old, new, index).is_some());
    let by_position =
        !same_names && new.len() == old.len() && new.iter().zip(old).all(|(n, o)| n.elem == o.elem);
    if by_position {
        return new
            .iter()
            .zip(old)
            .map(|(n, o)| (Some(*n), Some(*o)))
            .collect();
    }
    let mut found: Vec<_> = (0..new.len())
        .map(|index| (Some(new[index]), find(old, new, index)))
        .collect();
    let unpaired = (0..old.len()).filter(|index| find(new, old, *index).is_none());
    found.extend(unpaired.map(|index| (None, Some(old[index]))));
    found
}
