//! The summary of a launch.

use super::alike::Numbers;
use super::formula::{Affine, Formula, Range, Variable};
use super::grouped::{Ranged, grouped_apart};
use super::kind::Kind;
use super::of_term::Formulas;
use super::text::Writer;
use super::unrolled::unrolled_at;
use crate::symbolic_run::defects::{Safety, SafetyRequest};
use crate::symbolic_run::equivalence::Side;
use crate::symbolic_run::left::left;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::rc::Rc;

/// Cells from which on alike ones are written with a range.
const LEAST_ALIKE: usize = 3;

/// What to summarise: a kernel at a launch, and what of its inputs is unknown.
pub type SummaryRequest<'a> = SafetyRequest<'a>;

/// Cells that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// Which of the array's: for each value of the ranges, the outermost first, one.
    pub cell: Affine,
    /// None: one cell.
    pub ranges: Vec<Range>,
    /// What each holds in the end.
    pub formula: Rc<Formula>,
    /// How many.
    pub cells: u64,
}

/// What is left in one array. Cells that are in no group hold what they held at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySummary {
    /// The array, as the program names it.
    pub array: String,
    /// In the order of the first cell of each.
    pub groups: Vec<CellGroup>,
}

/// What a launch leaves.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The arrays that are written.
    pub arrays: Vec<ArraySummary>,
    /// Whether every schedule leaves that, for all inputs.
    pub safety: Safety,
}

impl CellGroup {
    /// `out[64 * i] = … for i in 0..=3`: the cell, what it holds, and for which values.
    pub fn text(&self, array: &str, taken: &[String]) -> [String; 3] {
        let mut writer = Writer::new(taken.iter().cloned());
        let ranges = writer.ranges(&self.ranges);
        let cell = format!("{array}[{}]", writer.affine(&self.cell));
        [
            cell,
            writer.formula(&self.formula),
            ranges.trim_start().to_owned(),
        ]
    }

    /// Ranges in the order of their steps, the longest outermost, where none hangs on another.
    fn by_steps(mut self) -> CellGroup {
        if self
            .ranges
            .iter()
            .all(|range| range.count.number().is_some())
        {
            let step = |range: &Range| self.cell.factors.get(&range.variable).map(|by| by.abs());
            self.ranges.sort_by_key(|range| Reverse(step(range)));
        }
        self
    }

    /// A range of neighbours begins with the number of the first.
    fn by_number(self) -> CellGroup {
        let by = self.cell.constant;
        let [range] = self.ranges.as_slice() else {
            return self;
        };
        let is_number = |cell: &Affine| cell.factors.get(&range.variable) == Some(&1);
        let moved = self.formula.moved(range.variable, -by);
        match moved.filter(|_| is_number(&self.cell)) {
            None => self,
            Some(formula) => CellGroup {
                cell: Affine {
                    constant: 0,
                    factors: self.cell.factors.clone(),
                },
                ranges: vec![Range {
                    first: by,
                    ..range.clone()
                }],
                formula,
                cells: self.cells,
            },
        }
    }
}

impl Numbers for CellGroup {
    fn between(a: &CellGroup, b: &CellGroup, variable: Variable) -> Option<CellGroup> {
        (a.cells == b.cells).then_some(())?;
        Some(CellGroup {
            cell: Affine::between(&a.cell, &b.cell, variable)?,
            ranges: Vec::between(&a.ranges, &b.ranges, variable)?,
            formula: Rc::between(&a.formula, &b.formula, variable)?,
            cells: a.cells,
        })
    }

    fn is_at(&self, variable: Variable, at: i64, other: &CellGroup) -> bool {
        self.cells == other.cells
            && self.cell.is_at(variable, at, &other.cell)
            && self.ranges.is_at(variable, at, &other.ranges)
            && self.formula.is_at(variable, at, &other.formula)
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<CellGroup> {
        Some(CellGroup {
            cell: self.cell.moved(variable, by)?,
            ranges: self.ranges.moved(variable, by)?,
            formula: self.formula.moved(variable, by)?,
            cells: self.cells,
        })
    }

    fn without(&self, variable: Variable) -> CellGroup {
        CellGroup {
            cell: self.cell.without(variable),
            ranges: self.ranges.without(variable),
            formula: self.formula.without(variable),
            cells: self.cells,
        }
    }
}

impl Ranged for CellGroup {
    fn within(mut self, range: Range) -> CellGroup {
        self.cells = self
            .cells
            .saturating_mul(range.count.number().unwrap_or(1).max(1) as u64);
        self.ranges.insert(0, range);
        self
    }

    fn is_ranged(&self) -> bool {
        !self.ranges.is_empty()
    }

    fn is_unrolled_at(&self, variable: Variable, at: i64, other: &CellGroup) -> bool {
        self.ranges.is_empty()
            && other.ranges.is_empty()
            && self.cell.is_at(variable, at, &other.cell)
            && unrolled_at(&self.formula, variable, at).is_some_and(|of| of == other.formula)
    }
}

/// Runs the launch on unknown inputs, and says what each cell holds then.
///
/// # Errors
/// What stands in the way of the run, as [`Safety::Open`].
pub fn summary(side: Side<'_>, request: &SummaryRequest<'_>) -> Result<Summary, Safety> {
    let left = left(side, request)?;
    let mut formulas = Formulas::new(&left.terms, kinds(side));
    let mut arrays = Vec::new();
    for (observed, cells) in &left.arrays {
        let (name, ty) = side.memory(*observed);
        let mut variables = 0;
        let single: Vec<CellGroup> = cells
            .iter()
            .map(|(cell, term)| {
                let (formula, n) = match term {
                    Some(term) => formulas.of(*term, Kind::of(ty)),
                    None => (Rc::new(Formula::NoValue), 0),
                };
                variables = variables.max(n);
                CellGroup {
                    cell: Affine::of(*cell),
                    ranges: vec![],
                    formula,
                    cells: 1,
                }
            })
            .collect();
        arrays.push(ArraySummary {
            array: name.to_owned(),
            groups: grouped_apart(single, Variable(variables), LEAST_ALIKE, |of| {
                of.cell.constant
            })
            .into_iter()
            .map(|group| group.by_steps().by_number())
            .collect(),
        });
    }
    Ok(Summary {
        arrays,
        safety: left.safety,
    })
}

/// How unknown inputs are read, by name.
fn kinds(side: Side<'_>) -> FxHashMap<String, Kind> {
    let Side {
        program,
        setup,
        unknowns,
    } = side;
    let procedure = program.proc(setup.entry);
    let params = procedure.params.iter().zip(&unknowns.scalars);
    let scalars = params.filter_map(|(var, name)| {
        let ty = procedure.vars[var.0 as usize].ty.scalar()?;
        Some((name.as_ref()?, ty))
    });
    let arrays = setup.arrays.iter().zip(&unknowns.arrays);
    let arrays = arrays.filter_map(|(array, name)| Some((name.as_ref()?, array.elem)));
    let of_file = unknowns.declared.iter();
    let of_file = of_file.map(|(id, name)| (name, program.array(*id).elem));
    let all = scalars.chain(arrays).chain(of_file);
    all.map(|(name, ty)| (name.clone(), Kind::of(ty))).collect()
}
