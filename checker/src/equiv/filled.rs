//! The relations of a map with their indices filled in: what a proof compares.

use crate::equiv::evaluate::plain;
use crate::equiv::map::{ObservationMap, Range, Relation, Side, Term, TermOp};
use std::collections::BTreeMap;

/// Relations without indices, of a map, at most.
const MOST: usize = 100_000;

/// A term without indices and names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filled {
    /// An integer, of the type of what it stands beside.
    Number(i128),
    /// An element of an observed array.
    Cell {
        /// Which program's.
        side: Side,
        /// Name of the array.
        array: String,
        /// The element's number.
        index: i64,
    },
    /// The result of a function.
    Result(Side),
    /// Arithmetic.
    Binary(TermOp, Box<Filled>, Box<Filled>),
}

impl ObservationMap {
    /// Both sides of each relation for each value of its indices. `None`: an index has no range and runs as far as an array
    /// goes, something cannot be computed, or there are too many.
    pub fn filled(&self, constants: &BTreeMap<String, i64>) -> Option<Vec<(Filled, Filled)>> {
        let mut all = Vec::new();
        let relations: &[Relation] = match self {
            ObservationMap::Identity => &[],
            ObservationMap::Relations(relations) => relations,
        };
        for relation in relations {
            let mut bounds: Vec<BTreeMap<&str, i64>> = vec![BTreeMap::new()];
            let is_index = |range: &&Range| {
                let terms = [&relation.left, &relation.right];
                !constants.contains_key(&range.index) && terms.iter().any(|t| has(t, &range.index))
            };
            for range in relation.ranges.iter().filter(is_index) {
                let number = |term| i64::try_from(plain(term, &BTreeMap::new(), constants)?).ok();
                let (from, to) = (number(&range.from)?, number(&range.to)?);
                let n = usize::try_from(to.checked_sub(from)?).ok()?;
                if bounds.len().saturating_mul(n) > MOST {
                    return None;
                }
                let with = |bound: &BTreeMap<_, _>, at: i64| {
                    let mut bound = bound.clone();
                    bound.insert(range.index.as_str(), at);
                    bound
                };
                bounds = bounds
                    .iter()
                    .flat_map(|bound| (from..to).map(|at| with(bound, at)).collect::<Vec<_>>())
                    .collect();
            }
            for bound in bounds {
                let of = |term| filled(term, &bound, constants);
                all.push((of(&relation.left)?, of(&relation.right)?));
            }
            if all.len() > MOST {
                return None;
            }
        }
        Some(all)
    }
}

/// Whether a term has this name.
fn has(term: &Term, name: &str) -> bool {
    let mut found = false;
    term.walk(&mut |t| found |= matches!(t, Term::Name(own) if own == name));
    found
}

fn filled(
    term: &Term,
    bound: &BTreeMap<&str, i64>,
    constants: &BTreeMap<String, i64>,
) -> Option<Filled> {
    if let Some(number) = plain(term, bound, constants) {
        return Some(Filled::Number(number));
    }
    Some(match term {
        Term::Number(_) | Term::Name(_) => return None,
        Term::Cell { side, array, index } => Filled::Cell {
            side: *side,
            array: array.clone(),
            index: i64::try_from(plain(index, bound, constants)?).ok()?,
        },
        Term::Result(side) => Filled::Result(*side),
        Term::Binary(op, a, b) => {
            let of = |term| Some(Box::new(filled(term, bound, constants)?));
            Filled::Binary(*op, of(a)?, of(b)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_of_each_index() {
        let parse = |text: &str| text.parse::<ObservationMap>().expect("a map");
        let constants = BTreeMap::from([("n".to_owned(), 4)]);
        let map = parse("new.out[b] == old.out[2 * b] + old.out[2 * b + 1] for b in 0..n / 2");
        let all = map.filled(&constants).expect("ranges");
        assert_eq!(all.len(), 2);
        let cell = |side, index| Filled::Cell {
            side,
            array: "out".to_owned(),
            index,
        };
        let of_old = |index| Box::new(cell(Side::Old, index));
        let sum = Filled::Binary(TermOp::Add, of_old(2), of_old(3));
        assert_eq!(all[1], (cell(Side::New, 1), sum));
        let both = parse("new.a[i * 3 + j] == old.a[j] for i in 0..2, j in 0..3");
        assert_eq!(both.filled(&constants).map(|all| all.len()), Some(6));
        // What has no index is there once, and a constant is no index.
        for once in [
            "new.a[0] == old.a[0] for i in 0..0",
            "new.a[n] == old.a[0] for n in 0..0",
        ] {
            assert_eq!(parse(once).filled(&constants).map(|all| all.len()), Some(1));
        }
        for open in ["new.a[i] == old.a[i]", "new.a[i] == 0 for i in 0..1000000"] {
            assert_eq!(parse(open).filled(&constants), None);
        }
    }
}
