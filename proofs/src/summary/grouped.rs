//! Things in a row, each like the next: one for all of them, with a range.

use super::alike::Numbers;
use super::formula::{Affine, Range, Variable};

/// Ranges within ranges, at most.
const MOST_RANGES: u32 = 4;
/// Steps from one thing to the next that is like it: neighbours, or the parts of a vector or a row that has several.
const PERIODS: &[usize] = &[1, 2, 3, 4, 8];

/// Something that may have ranges.
pub trait Ranged: Numbers + Clone {
    /// The same, once for each value of a further range, outside of those it has.
    fn within(self, range: Range) -> Self;

    /// Whether it has ranges.
    fn is_ranged(&self) -> bool;

    /// Whether it is `other` where `variable` is `at`, if ranges of few operands are written out: of one of these,
    /// or of none.
    fn is_unrolled_at(&self, variable: Variable, at: i64, other: &Self) -> bool;
}

/// Joins neighbours that are alike, `least` of them or more, and then what that leaves, where two with ranges are enough.
/// Ranges have the variables from `first` on, the innermost that one.
pub fn grouped<T: Ranged>(mut items: Vec<T>, first: Variable, least: usize) -> Vec<T> {
    for level in 0..MOST_RANGES {
        let n = items.len();
        items = joined(&items, Variable(first.0 + level), least);
        if items.len() == n {
            break;
        }
    }
    items
}

/// The same where what is alike may stand a few places apart. `order` says what comes first of what is left.
pub fn grouped_apart<T: Ranged>(
    mut items: Vec<T>,
    first: Variable,
    least: usize,
    order: fn(&T) -> i64,
) -> Vec<T> {
    for level in 0..MOST_RANGES {
        let n = items.len();
        let ways = PERIODS.iter().map(|&period| {
            let within = |part| {
                let part: Vec<T> = items.iter().skip(part).step_by(period).cloned().collect();
                joined(&part, Variable(first.0 + level), least)
            };
            (0..period).flat_map(within).collect::<Vec<T>>()
        });
        let fewest = ways.min_by_key(Vec::len).unwrap_or_default();
        if fewest.len() == n {
            break;
        }
        items = fewest;
        items.sort_by_key(order);
    }
    items
}

fn joined<T: Ranged>(items: &[T], variable: Variable, least: usize) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        match run(&items[at..], variable) {
            // Two may be alike by chance.
            Some((_, 2)) if run(&items[at + 1..], variable).is_some_and(|(_, n)| n > 2) => {
                out.push(items[at].clone());
                at += 1;
            }
            Some((all, n)) if n >= least || n >= 2 && all.is_ranged() => {
                let mut before = 0;
                while let Some(last) = out.last()
                    && all.is_unrolled_at(variable, -before - 1, last)
                {
                    out.pop();
                    before += 1;
                }
                let all = match all.moved(variable, -before) {
                    Some(moved) => moved,
                    None => all,
                };
                out.push(all.within(Range {
                    variable,
                    first: 0,
                    count: Affine::of(n as i64 + before),
                }));
                at += n;
            }
            _ => {
                out.push(items[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// What the first of the items are, and how many.
fn run<T: Ranged>(items: &[T], variable: Variable) -> Option<(T, usize)> {
    let [a, b, rest @ ..] = items else {
        return None;
    };
    let all = T::between(a, b, variable)?;
    let more = (2..)
        .zip(rest)
        .take_while(|(at, item)| all.is_at(variable, *at, item));
    let n = 2 + more.count();
    Some((all, n))
}
