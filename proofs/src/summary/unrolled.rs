//! Sums of one or two operands, which are not written with a range, where those around them are.

use super::alike::Numbers;
use super::formula::{Formula, Part, Variable};
use std::rc::Rc;

/// The formula where `variable` is `at`, with ranges of one or two operands written out. `None` beyond 64 bits, or
/// where a range would have no operand.
pub fn unrolled_at(formula: &Rc<Formula>, variable: Variable, at: i64) -> Option<Rc<Formula>> {
    let moved = formula.moved(variable, at)?;
    let fixed = moved.without(variable);
    written_out(&fixed)
}

fn written_out(formula: &Rc<Formula>) -> Option<Rc<Formula>> {
    Some(match &**formula {
        Formula::Sum { how, order, parts } => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(of_part(part)?);
            }
            match all.as_slice() {
                [only] if only.ranges.is_empty() => only.of.clone(),
                _ => Rc::new(Formula::Sum {
                    how: how.clone(),
                    order: *order,
                    parts: all,
                }),
            }
        }
        Formula::Applied { operator, operands } => Rc::new(Formula::Applied {
            operator: operator.clone(),
            operands: operands.iter().map(written_out).collect::<Option<_>>()?,
        }),
        Formula::Cell { array, index } => Rc::new(Formula::Cell {
            array: array.clone(),
            index: written_out(index)?,
        }),
        _ => formula.clone(),
    })
}

fn of_part(part: &Part) -> Option<Vec<Part>> {
    let of = written_out(&part.of)?;
    let single = |of| Part { ranges: vec![], of };
    if let [range] = part.ranges.as_slice()
        && let Some(count) = range.count.number()
    {
        let operand = |at| {
            Some(
                of.moved(range.variable, range.first + at)?
                    .without(range.variable),
            )
        };
        match count {
            ..=0 => return None,
            1 | 2 => return (0..count).map(|at| operand(at).map(single)).collect(),
            _ => {}
        }
    }
    Some(vec![Part {
        ranges: part.ranges.clone(),
        of,
    }])
}
