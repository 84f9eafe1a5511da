//! Outcomes as a table over two variables: those the condition speaks of, where there is one.

use super::condition::{Atom, Condition};
use super::explained::Grid;
use super::judge::Outcome;
use super::offer::Offer;
use super::space::{Point, Space, Values};
use super::term::Term;
use super::variable::Variable;
use gridlock_checker::finding::DefectKind;
use std::collections::BTreeSet;

/// Columns shown; the others are in the list of points.
const COLUMNS: usize = 16;
/// Rows shown.
const ROWS: usize = 40;

/// Sums up the points tried; `None` where nothing varies.
pub fn of(
    space: &Space,
    points: &[Point],
    outcomes: &[Option<Outcome>],
    condition: Option<&Condition>,
) -> Option<Grid> {
    let (row, column) = axes(space, condition)?;
    let mut rows = shown(space, row, None);
    let mut columns = match column {
        Some(column) => shown(space, column, Some(row)),
        None => vec![Offer::Number(0)],
    };
    let tried: Vec<(&Point, &Outcome)> = points
        .iter()
        .zip(outcomes)
        .filter_map(|(point, outcome)| Some((point, outcome.as_ref()?)))
        .collect();
    let cell = |r: &Offer, c: &Offer| {
        let here = tried.iter().filter(|(point, _)| {
            r.at(point) == Some(point[row])
                && column.is_none_or(|column| c.at(point) == Some(point[column]))
        });
        cell(here.map(|(_, outcome)| *outcome))
    };
    let any = |cells: &[String]| cells.iter().any(|c| c != NOT_TRIED);
    rows.retain(|r| any(&columns.iter().map(|c| cell(r, c)).collect::<Vec<_>>()));
    columns.retain(|c| any(&rows.iter().map(|r| cell(r, c)).collect::<Vec<_>>()));
    rows.truncate(ROWS);
    let mut body: Vec<(String, Vec<String>)> = rows
        .iter()
        .map(|r| {
            let cells = columns.iter().map(|c| cell(r, c)).collect();
            (label(r, space), cells)
        })
        .collect();
    let mut head: Vec<String> = columns.iter().map(|c| label(c, space)).collect();
    let is_given = |d: usize| matches!(space.dimensions[d].values, Values::Given(_));
    if is_given(row) {
        join_rows(&mut body);
    }
    match column {
        Some(column) if is_given(column) => join_columns(&mut head, &mut body),
        Some(_) => {}
        None => head.clear(),
    }
    head.truncate(COLUMNS);
    body.iter_mut()
        .for_each(|(_, cells)| cells.truncate(COLUMNS));
    let name = |d: usize| space.dimensions[d].name.clone();
    let varies = |d: &usize| {
        let values: BTreeSet<i64> = tried.iter().map(|(p, _)| p[*d]).collect();
        *d != row && Some(*d) != column && values.len() > 1
    };
    Some(Grid {
        rows: name(row),
        columns: column.map(name).unwrap_or_default(),
        legend: legend(space, column, &head),
        head,
        body,
        over: (0..space.dimensions.len())
            .filter(varies)
            .map(name)
            .collect(),
    })
}

/// The dimensions of rows and columns.
fn axes(space: &Space, condition: Option<&Condition>) -> Option<(usize, Option<usize>)> {
    let mentioned = condition.map(variables).unwrap_or_default();
    let mut varied: Vec<usize> = (0..space.dimensions.len())
        .filter(|&d| !space.dimensions[d].is_fixed())
        .collect();
    let is_block = |d: &usize| matches!(space.dimensions[*d].variable, Variable::BlockDim(_));
    let is_launch = |d: &usize| space.dimensions[*d].variable.is_of_launch();
    // Rows: a block; columns: an argument; what the condition speaks of first.
    varied.sort_by_key(|d| (!mentioned.contains(d), !is_block(d), !is_launch(d), *d));
    let row = *varied.first()?;
    varied.sort_by_key(|d| (!mentioned.contains(d), is_launch(d), !is_block(d), *d));
    let column = varied.into_iter().find(|d| *d != row);
    Some((row, column))
}

fn variables(condition: &Condition) -> Vec<usize> {
    match condition {
        Condition::Atom(Atom::Compare(a, _, b) | Atom::Multiple(a, b)) => {
            [a.variables(), b.variables()].concat()
        }
        Condition::Atom(Atom::PowerOfTwo(a)) => a.variables(),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().flat_map(variables).collect(),
    }
}

/// What rows or columns stand for: values, or places relative to the launch.
fn shown(space: &Space, dimension: usize, row: Option<usize>) -> Vec<Offer> {
    let is_scalar = |v: &usize| !space.dimensions[*v].variable.is_of_launch() && Some(*v) != row;
    let plain = |offer: &Offer| match offer {
        Offer::Number(_) => true,
        Offer::Near(term, _) => !term.variables().iter().any(is_scalar),
    };
    let mut offers = space.dimensions[dimension].offers(false);
    offers.retain(plain);
    offers
}

const NOT_TRIED: &str = "·";

/// One cell: what all its points agree on, or how many fail.
fn cell<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> String {
    let (mut safe, mut failing, mut unknown, mut excluded) = (0, 0, 0, 0);
    let mut all: BTreeSet<DefectKind> = BTreeSet::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Safe { .. } => safe += 1,
            Outcome::Fails { kinds } => {
                failing += 1;
                all.extend(kinds);
            }
            Outcome::Unknown { .. } => unknown += 1,
            Outcome::Excluded { .. } => excluded += 1,
        }
    }
    match (failing, safe, unknown, excluded) {
        (0, 0, 0, 0) => NOT_TRIED.to_owned(),
        (0, 0, 0, _) => "-".to_owned(),
        (0, 0, ..) => "?".to_owned(),
        (0, _, 0, _) => "ok".to_owned(),
        (0, ..) => "ok?".to_owned(),
        (_, 0, ..) => {
            let names: Vec<&str> = all.into_iter().map(short_name).collect();
            names.join("+")
        }
        _ => format!("{failing}/{}", failing + safe),
    }
}

/// A kind of defect in a cell.
pub const fn short_name(kind: DefectKind) -> &'static str {
    use DefectKind::*;
    match kind {
        DataRace => "race",
        BarrierDivergence => "diverge",
        BadWarpMask | BadWarpWidth | NoWarps => "warp",
        BadBarrier => "barrier",
        Deadlock => "deadlock",
        Livelock => "livelock",
        OutOfBounds => "bounds",
        NullPointer => "null",
        ConstantWrite => "const",
        Misaligned | MisalignedAccess => "align",
        UninitialisedRead => "uninit",
        DivisionByZero => "div0",
        UndefinedArithmetic => "arith",
        Assertion => "assert",
        Beyond => "limit",
        InvalidLaunch => "launch",
        NotEquivalent => "differs",
        StaleData | UnorderedStreams => "streams",
        WrongMemory => "memory",
        UseAfterFree | DoubleFree => "freed",
        Leak => "leak",
    }
}

/// Neighbouring rows that agree become one.
fn join_rows(body: &mut Vec<(String, Vec<String>)>) {
    let mut joined: Vec<(String, String, Vec<String>)> = Vec::new();
    for (label, cells) in body.drain(..) {
        match joined.last_mut() {
            Some((_, last, same)) if *same == cells => *last = label,
            _ => joined.push((label.clone(), label, cells)),
        }
    }
    let rows = joined.into_iter();
    body.extend(rows.map(|(first, last, cells)| (range(first, last), cells)));
}

fn range(first: String, last: String) -> String {
    match first == last {
        true => first,
        false => format!("{first}..{last}"),
    }
}

/// Neighbouring columns that agree become one.
fn join_columns(head: &mut Vec<String>, body: &mut [(String, Vec<String>)]) {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for column in 0..head.len() {
        match groups.last_mut() {
            Some((_, last)) if body.iter().all(|(_, c)| c[*last] == c[column]) => *last = column,
            _ => groups.push((column, column)),
        }
    }
    for (_, cells) in body.iter_mut() {
        *cells = groups
            .iter()
            .map(|&(first, _)| cells[first].clone())
            .collect();
    }
    let labels = groups.iter();
    *head = labels
        .map(|&(first, last)| range(head[first].clone(), head[last].clone()))
        .collect();
}

/// What the letters in the head of the columns mean.
fn legend(space: &Space, column: Option<usize>, head: &[String]) -> Vec<String> {
    let Some(column) = column else {
        return Vec::new();
    };
    let mut said: Vec<String> = Vec::new();
    for offer in space.dimensions[column].offers(false) {
        let Offer::Near(term, 0) = &offer else {
            continue;
        };
        let (label, meaning) = (label(&offer, space), term.text(space));
        if label != meaning && head.contains(&label) && label.starts_with(['b', 't']) {
            said.push(format!("{label} = {meaning}"));
        }
    }
    said
}

/// As the head of a column: `n+1` with the launch's products by short names.
fn label(offer: &Offer, space: &Space) -> String {
    match offer {
        Offer::Number(number) => number.to_string(),
        Offer::Near(term, delta) => {
            let name = short(term, space);
            match delta {
                0 => name,
                1.. => format!("{name}+{delta}"),
                _ => format!("{name}{delta}"),
            }
        }
    }
}

/// `b` for an extent of a block, `t` for the threads of a dimension; the legend of the table
/// says so.
fn short(term: &Term, space: &Space) -> String {
    let name = |v: usize| space.dimensions[v].name.clone();
    let axis = |v: usize| {
        let several = space
            .dimensions
            .iter()
            .filter(|d| d.name.starts_with("blockDim"));
        match several.count() > 1 {
            true => name(v).chars().last().map(String::from).unwrap_or_default(),
            false => String::new(),
        }
    };
    match term {
        Term::Number(number) => number.to_string(),
        Term::Var(v) if name(*v).starts_with("blockDim") => format!("b{}", axis(*v)),
        Term::Var(v) => name(*v),
        Term::Times(v, _) => format!("t{}", axis(*v)),
        Term::Scaled(factor, inner) => format!("{factor}{}", short(inner, space)),
        Term::Plus(a, b) => format!("{}+{}", short(a, space), short(b, space)),
    }
}
