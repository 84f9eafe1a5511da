//! Whether two observations are related by an observation map.

use crate::equiv::map::{MapError, ObservationMap, Relation, Side, Term, TermOp};
use gridlock_semantics::arithmetic;
use gridlock_semantics::expr::BinaryOp;
use gridlock_semantics::observation::{Observation, ObservedArray};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;
use std::collections::BTreeMap;

/// The first place where two observations are not related.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrelated {
    /// The relation with its indices filled in: `new.out[3] == old.out[96]`.
    pub relation: String,
    /// The array and index of the new side; of the old side where the new one has none.
    pub array: Option<String>,
    pub index: Option<i64>,
    /// `None`: that side has no such element.
    pub new_value: Option<Value>,
    pub old_value: Option<Value>,
}

/// The two observations and the constants the map may name.
pub struct Sides<'a> {
    pub new: &'a Observation,
    pub old: &'a Observation,
    pub constants: &'a BTreeMap<String, i64>,
}

/// The first difference, in the order of the map; `None` when there is none.
///
/// # Errors
/// The map names an array or an index that cannot be, or its sides have different types.
pub fn first_difference(
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
    /// Compares all arrays and results no relation names, element by element.
    fn identity(&self, relations: &[Relation]) -> Option<Unrelated> {
        let named = |side: Side, name: &str| {
            relations.iter().any(|relation| {
                [&relation.left, &relation.right]
                    .into_iter()
                    .any(|term| names(term, side, name))
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
                (Some(new), Some(old)) => compare_arrays(new, old),
                (one, other) => Some(Unrelated {
                    relation: String::new(),
                    array: one.or(other).map(|array| array.name.to_string()),
                    index: None,
                    new_value: None,
                    old_value: None,
                }),
            };
            if difference.is_some() {
                return difference;
            }
        }
        let results_named = relations
            .iter()
            .any(|r| [&r.left, &r.right].into_iter().any(has_result));
        if results_named || same(self.new.result, self.old.result) {
            return None;
        }
        Some(Unrelated {
            relation: "new.result == old.result".to_owned(),
            array: None,
            index: None,
            new_value: self.new.result,
            old_value: self.old.result,
        })
    }

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
        if ranges.iter().any(|(from, to)| from >= to) {
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
        if left == right && left.is_some() {
            return Ok(None);
        }
        let new_is_left = has_side(&relation.left, Side::New);
        let (new_value, old_value) = if new_is_left {
            (left, right)
        } else {
            (right, left)
        };
        let (array, index) = self
            .first_cell(relation, Side::New, bound)
            .or_else(|| self.first_cell(relation, Side::Old, bound))
            .map_or((None, None), |(array, index)| (Some(array), Some(index)));
        let shown = |term: &Term| self.show(term, bound);
        Ok(Some(Unrelated {
            relation: format!("{} == {}", shown(&relation.left), shown(&relation.right)),
            array,
            index,
            new_value,
            old_value,
        }))
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

    fn array(&self, side: Side, name: &str) -> Option<&'a ObservedArray> {
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

    /// A term of numbers and names.
    fn number(
        &self,
        relation: &Relation,
        term: &Term,
        bound: &BTreeMap<&str, i64>,
    ) -> Result<i64, MapError> {
        match self.evaluate(relation, term, bound)? {
            Evaluated::Number(number) => {
                i64::try_from(number).map_err(|_| wrong(relation, "a number is out of range"))
            }
            Evaluated::Cell(_) => Err(wrong(relation, "an index must not read a cell")),
        }
    }

    fn evaluate(
        &self,
        relation: &Relation,
        term: &Term,
        bound: &BTreeMap<&str, i64>,
    ) -> Result<Evaluated, MapError> {
        Ok(match term {
            Term::Number(number) => Evaluated::Number(*number as i128),
            Term::Name(name) => {
                let value = bound
                    .get(name.as_str())
                    .or_else(|| self.constants.get(name));
                let value = value.ok_or_else(|| wrong(relation, format!("what is `{name}`?")))?;
                Evaluated::Number(*value as i128)
            }
            Term::Cell { side, array, index } => {
                let at = self.number(relation, index, bound)?;
                let cells = self.array(*side, array).map(|a| &a.cells);
                let cell = usize::try_from(at)
                    .ok()
                    .and_then(|at| cells?.get(at).copied());
                Evaluated::Cell(cell)
            }
            Term::Result(Side::New) => Evaluated::Cell(self.new.result),
            Term::Result(Side::Old) => Evaluated::Cell(self.old.result),
            Term::Binary(op, a, b) => {
                let a = self.evaluate(relation, a, bound)?;
                let b = self.evaluate(relation, b, bound)?;
                apply(*op, a, b).map_err(|message| wrong(relation, message))?
            }
        })
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

    /// A term with its indices and constants filled in.
    fn show(&self, term: &Term, bound: &BTreeMap<&str, i64>) -> String {
        match term {
            Term::Number(number) => number.to_string(),
            Term::Name(name) => {
                let value = bound
                    .get(name.as_str())
                    .or_else(|| self.constants.get(name));
                value.map_or(name.clone(), i64::to_string)
            }
            Term::Result(side) => format!("{}.result", side_word(*side)),
            Term::Cell { side, array, index } => {
                let text = match self.plain(index, bound) {
                    Some(at) => at.to_string(),
                    None => self.show(index, bound),
                };
                format!("{}.{array}[{text}]", side_word(*side))
            }
            Term::Binary(op, a, b) => {
                let sign = match op {
                    TermOp::Add => "+",
                    TermOp::Sub => "-",
                    TermOp::Mul => "*",
                    TermOp::Div => "/",
                    TermOp::Rem => "%",
                };
                format!("{} {sign} {}", self.show(a, bound), self.show(b, bound))
            }
        }
    }

    fn plain(&self, term: &Term, bound: &BTreeMap<&str, i64>) -> Option<i128> {
        match term {
            Term::Number(number) => Some(*number as i128),
            Term::Name(name) => {
                let value = bound
                    .get(name.as_str())
                    .or_else(|| self.constants.get(name));
                value.map(|&v| v as i128)
            }
            Term::Binary(op, a, b) => numbers(*op, self.plain(a, bound)?, self.plain(b, bound)?),
            Term::Cell { .. } | Term::Result(_) => None,
        }
    }
}

/// What a term comes to: a number of the map, or a value of the program (`None`: there is no such
/// element).
enum Evaluated {
    Number(i128),
    Cell(Option<Value>),
}

fn apply(op: TermOp, a: Evaluated, b: Evaluated) -> Result<Evaluated, String> {
    if let (Evaluated::Number(a), Evaluated::Number(b)) = (&a, &b) {
        let number = numbers(op, *a, *b);
        return number
            .map(Evaluated::Number)
            .ok_or("a number cannot be computed".to_owned());
    }
    let Some((a, b)) = alike(a, b) else {
        return Err("operands have different types".to_owned());
    };
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(Evaluated::Cell(None));
    };
    let op = match op {
        TermOp::Add => BinaryOp::Add,
        TermOp::Sub => BinaryOp::Sub,
        TermOp::Mul => BinaryOp::Mul,
        TermOp::Div => BinaryOp::Div,
        TermOp::Rem => BinaryOp::Rem,
    };
    Ok(Evaluated::Cell(arithmetic::binary(op, a, b).ok()))
}

fn numbers(op: TermOp, a: i128, b: i128) -> Option<i128> {
    match op {
        TermOp::Add => a.checked_add(b),
        TermOp::Sub => a.checked_sub(b),
        TermOp::Mul => a.checked_mul(b),
        TermOp::Div => a.checked_div(b),
        TermOp::Rem => a.checked_rem(b),
    }
}

/// Both as values of one type; `None` when they have different types.
fn alike(a: Evaluated, b: Evaluated) -> Option<(Option<Value>, Option<Value>)> {
    use Evaluated::{Cell, Number};
    let typed = |number: i128, like: Option<Value>| {
        let ty = like.and_then(Value::scalar_type).unwrap_or(ScalarType::I64);
        let plain = Value::int(ScalarType::I64, number);
        arithmetic::cast(plain, Type::Scalar(ty)).ok()
    };
    Some(match (a, b) {
        (Number(a), Number(b)) => (typed(a, None), typed(b, None)),
        (Cell(a), Number(b)) => (a, typed(b, a)),
        (Number(a), Cell(b)) => (typed(a, b), b),
        (Cell(a), Cell(b)) => {
            let ty = |v: Option<Value>| v.and_then(Value::scalar_type);
            if let (Some(a), Some(b)) = (ty(a), ty(b))
                && a != b
            {
                return None;
            }
            (a, b)
        }
    })
}

fn wrong(relation: &Relation, message: impl Into<String>) -> MapError {
    MapError {
        text: relation.text.clone(),
        column: 1,
        message: message.into(),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::New => "the new",
        Side::Old => "the old",
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::New => "new",
        Side::Old => "old",
    }
}

fn names(term: &Term, wanted: Side, name: &str) -> bool {
    let mut found = false;
    term.walk(&mut |t| {
        found |= matches!(t, Term::Cell { side, array, .. } if *side == wanted && array == name);
    });
    found
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

fn has_result(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |t| found |= matches!(t, Term::Result(_)));
    found
}

/// Pairs arrays by name when both sides have the same names, by position otherwise.
fn pairs<'a>(
    new: &[&'a ObservedArray],
    old: &[&'a ObservedArray],
) -> Vec<(Option<&'a ObservedArray>, Option<&'a ObservedArray>)> {
    let has = |arrays: &[&ObservedArray], name: &str| arrays.iter().any(|a| &*a.name == name);
    let same_names = new.len() == old.len() && new.iter().all(|a| has(old, &a.name));
    let by_position =
        !same_names && new.len() == old.len() && new.iter().zip(old).all(|(n, o)| n.elem == o.elem);
    if by_position {
        return new
            .iter()
            .zip(old)
            .map(|(n, o)| (Some(*n), Some(*o)))
            .collect();
    }
    let mut found: Vec<_> = new
        .iter()
        .map(|n| (Some(*n), old.iter().copied().find(|o| o.name == n.name)))
        .collect();
    let unpaired = old.iter().filter(|o| !has(new, &o.name));
    found.extend(unpaired.map(|o| (None, Some(*o))));
    found
}

fn compare_arrays(new: &ObservedArray, old: &ObservedArray) -> Option<Unrelated> {
    let length = new.cells.len().max(old.cells.len());
    let at = (0..length).find(|&n| {
        let (a, b) = (new.cells.get(n), old.cells.get(n));
        a.is_none() || b.is_none() || a != b
    })?;
    Some(Unrelated {
        relation: format!("new.{}[{at}] == old.{}[{at}]", new.name, old.name),
        array: Some(new.name.to_string()),
        index: Some(at as i64),
        new_value: new.cells.get(at).copied(),
        old_value: old.cells.get(at).copied(),
    })
}

fn same(a: Option<Value>, b: Option<Value>) -> bool {
    a == b
}
