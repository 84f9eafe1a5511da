//! Whether two observations are related by an observation map.

use crate::equiv::evaluate::{alike, wrong};
use crate::equiv::map::{MapError, ObservationMap, Relation, Side, Term};
use crate::equiv::sides::Sides;
use crate::report::witness::ObservedCell;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::system::observation::ObservedArray;
use std::collections::BTreeMap;

/// The first place where two observations are not related.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrelated {
    /// The relation with its indices filled in: `new.out[3] == old.out[96]`.
    pub relation: String,
    /// The array and index of the new side; of the old side where the new one has none.
    pub array: Option<String>,
    /// In elements; see [`Unrelated::array`].
    pub index: Option<i64>,
    /// `None`: that side has no such element.
    pub new_value: Option<Value>,
    /// As [`Unrelated::new_value`], of the old side.
    pub old_value: Option<Value>,
    /// What each side leaves where the relation speaks of it.
    pub new_cells: Vec<ObservedCell>,
    /// As [`Unrelated::new_cells`], of the old side.
    pub old_cells: Vec<ObservedCell>,
}

/// The first difference, in the order of the map; `None` when there is none.
///
/// # Errors
/// The map names an array or an index that cannot be, or its sides have different types.
pub(crate) fn first_difference(
    sides: &Sides<'_>,
    map: &ObservationMap,
) -> Result<Option<Unrelated>, MapError> {
    let relations = match map {
        ObservationMap::Identity => return Ok(sides.identity(&[])),
        ObservationMap::Relations(relations) => relations,
    };
    for relation in relations {
        if let Some(difference) = sides.relation(relation)? {
            return Ok(Some(difference));
        }
    }
    Ok(sides.identity(relations))
}

impl<'a> Sides<'a> {
    fn relation(&self, relation: &Relation) -> Result<Option<Unrelated>, MapError> {
        for term in [&relation.left, &relation.right] {
            self.check_names(relation, term)?;
        }
        let mut indices: Vec<String> = Vec::new();
        for term in [&relation.left, &relation.right] {
            term.walk(&mut |t| {
                if let Term::Name(name) = t
                    && !self.constants.contains_key(name)
                    && !indices.contains(name)
                {
                    indices.push(name.clone());
                }
            });
        }
        let mut ranges = Vec::new();
        for index in &indices {
            ranges.push(self.range(relation, index)?);
        }
        let mut at: Vec<i64> = ranges.iter().map(|(from, _)| *from).collect();
        if let Some((from, to)) = ranges.iter().find(|(from, to)| from > to) {
            return Err(wrong(
                relation,
                format!("the range {from}..{to} runs backwards"),
            ));
        }
        if ranges.iter().any(|(from, to)| from == to) {
            return Ok(None);
        }
        loop {
            let bound: BTreeMap<&str, i64> = indices
                .iter()
                .map(String::as_str)
                .zip(at.iter().copied())
                .collect();
            if let Some(difference) = self.relation_at(relation, &bound)? {
                return Ok(Some(difference));
            }
            // The last index runs fastest.
            let Some(place) = (0..at.len()).rev().find(|&n| at[n] + 1 < ranges[n].1) else {
                return Ok(None);
            };
            at[place] += 1;
            for n in place + 1..at.len() {
                at[n] = ranges[n].0;
            }
        }
    }

    fn relation_at(
        &self,
        relation: &Relation,
        bound: &BTreeMap<&str, i64>,
    ) -> Result<Option<Unrelated>, MapError> {
        let left = self.evaluate(relation, &relation.left, bound)?;
        let right = self.evaluate(relation, &relation.right, bound)?;
        let (left, right) = alike(left, right)
            .ok_or_else(|| wrong(relation, "the two sides have different types"))?;
        let new_is_left = has_side(&relation.left, Side::New);
        let (new_value, old_value) = if new_is_left {
            (left, right)
        } else {
            (right, left)
        };
        let shown = |term: &Term| self.show(term, bound);
        let filled_in = || format!("{} == {}", shown(&relation.left), shown(&relation.right));
        if let (Some(new), Some(old)) = (new_value, old_value)
            && self.differences.admits(new, old, filled_in)
        {
            return Ok(None);
        }
        let (array, index) = self
            .first_cell(relation, Side::New, bound)
            .or_else(|| self.first_cell(relation, Side::Old, bound))
            .map_or((None, None), |(array, index)| (Some(array), Some(index)));
        Ok(Some(Unrelated {
            relation: filled_in(),
            array,
            index,
            new_value,
            old_value,
            new_cells: self.cells(relation, Side::New, bound),
            old_cells: self.cells(relation, Side::Old, bound),
        }))
    }

    /// The cells of one side that a relation speaks of, each once.
    fn cells(
        &self,
        relation: &Relation,
        wanted: Side,
        bound: &BTreeMap<&str, i64>,
    ) -> Vec<ObservedCell> {
        let seen = match wanted {
            Side::New => self.new,
            Side::Old => self.old,
        };
        let mut found: Vec<ObservedCell> = Vec::new();
        for term in [&relation.left, &relation.right] {
            term.walk(&mut |t| {
                let (array, index) = match t {
                    Term::Cell { side, array, index } if *side == wanted => {
                        match self.number(relation, index, bound) {
                            Ok(at) => (Some(array.clone()), Some(at)),
                            Err(_) => return,
                        }
                    }
                    Term::Result(side) if *side == wanted => (None, None),
                    _ => return,
                };
                let mut cell = ObservedCell {
                    array,
                    index,
                    value: None,
                };
                cell.value = cell.found_in(seen);
                if !found.contains(&cell) {
                    found.push(cell);
                }
            });
        }
        found
    }

    /// The range of an index: the one written, or from 0 on while a cell it selects alone is
    /// there.
    fn range(&self, relation: &Relation, index: &str) -> Result<(i64, i64), MapError> {
        let nothing = BTreeMap::new();
        if let Some(range) = relation.ranges.iter().find(|range| range.index == index) {
            let number = |term| self.number(relation, term, &nothing);
            return Ok((number(&range.from)?, number(&range.to)?));
        }
        let mut cells = Vec::new();
        for term in [&relation.left, &relation.right] {
            term.walk(&mut |t| {
                if let Term::Cell {
                    side,
                    array,
                    index: place,
                } = t
                    && self.names_only(place, index)
                {
                    cells.push((*side, array, place));
                }
            });
        }
        if cells.is_empty() {
            return Err(wrong(relation, format!("say the range of `{index}`")));
        }
        let is_there = |n: i64| {
            let bound = BTreeMap::from([(index, n)]);
            cells.iter().any(|(side, array, place)| {
                let length = self.array(*side, array).map_or(0, |a| a.cells.len() as i64);
                self.number(relation, place, &bound)
                    .is_ok_and(|at| (0..length).contains(&at))
            })
        };
        let longest = [self.new, self.old]
            .iter()
            .flat_map(|o| o.arrays.iter().map(|a| a.cells.len() as i64))
            .max()
            .unwrap_or(0);
        Ok((0, (0..=longest).find(|&n| !is_there(n)).unwrap_or(longest)))
    }

    /// Whether `term` has the index `index` and no other.
    fn names_only(&self, term: &Term, index: &str) -> bool {
        let (mut it, mut others) = (false, false);
        term.walk(&mut |t| {
            if let Term::Name(name) = t
                && !self.constants.contains_key(name)
            {
                it |= name == index;
                others |= name != index;
            }
        });
        it && !others
    }

    pub(super) fn array(&self, side: Side, name: &str) -> Option<&'a ObservedArray> {
        let observation = match side {
            Side::New => self.new,
            Side::Old => self.old,
        };
        observation.arrays.iter().find(|a| &*a.name == name)
    }

    fn check_names(&self, relation: &Relation, term: &Term) -> Result<(), MapError> {
        let mut missing = None;
        term.walk(&mut |t| {
            if let Term::Cell { side, array, .. } = t
                && self.array(*side, array).is_none()
            {
                missing = Some(format!(
                    "{} side has no observed array `{array}`",
                    side_name(*side)
                ));
            }
        });
        missing.map_or(Ok(()), |message| Err(wrong(relation, message)))
    }

    fn first_cell(
        &self,
        relation: &Relation,
        wanted: Side,
        bound: &BTreeMap<&str, i64>,
    ) -> Option<(String, i64)> {
        let mut found = None;
        for term in [&relation.left, &relation.right] {
            term.walk(&mut |t| {
                if let Term::Cell { side, array, index } = t
                    && *side == wanted
                    && found.is_none()
                    && let Ok(at) = self.number(relation, index, bound)
                {
                    found = Some((array.clone(), at));
                }
            });
        }
        found
    }
}

fn has_side(term: &Term, wanted: Side) -> bool {
    let mut found = false;
    term.walk(&mut |t| {
        found |= match t {
            Term::Cell { side, .. } | Term::Result(side) => *side == wanted,
            _ => false,
        };
    });
    found
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::New => "the new",
        Side::Old => "the old",
    }
}
