//! A cell that a pointer is computed to point to, as the source writes it: `s[t / 2].y` for cell `t / 2 * 2 + 1` of
//! structs of two. What is said is the same number, taken apart; a subscript that leaves its row shows as one of the
//! row it comes to.

use crate::algebra::cell_names::{CellNames, Shape};
use crate::algebra::expr::{BinaryOp, Expr, ExprKind};
use crate::algebra::types::{ScalarType, Type};
use std::sync::Arc;

/// What follows the name of the variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `[…]`, in elements of the row.
    Subscript(Expr),
    /// `.…`
    Member(Arc<str>),
}

/// `Σ factor * term + rest`, each term of any value.
struct Sum {
    terms: Vec<(i64, Expr)>,
    rest: i64,
}

/// The steps to the cell of a number that is computed; `None` where they are not plain from how it is.
pub fn steps(cells: &CellNames, number: &Expr) -> Option<Vec<Step>> {
    let mut sum = Sum {
        terms: Vec::new(),
        rest: 0,
    };
    sum.add(number)?;
    let mut steps = Vec::new();
    let subscript = sum.divided(&cells.of)?;
    if cells.is_array || subscript != zero() {
        steps.push(Step::Subscript(subscript));
    }
    sum.follow(&cells.of, &mut steps)?;
    Some(steps)
}

impl Sum {
    /// Sums of numbers of cells; what the source computes has other types, or is a product.
    fn add(&mut self, number: &Expr) -> Option<()> {
        match &number.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if number.ty == Type::I64 => {
                self.add(a)?;
                self.add(b)?;
            }
            ExprKind::Binary(BinaryOp::Mul, term, factor) if number.ty == Type::I64 => {
                match constant(factor) {
                    Some(factor) => self.terms.push((factor, (**term).clone())),
                    None => self.terms.push((1, number.clone())),
                }
            }
            _ => match constant(number) {
                Some(n) => self.rest = self.rest.checked_add(n)?,
                None => self.terms.push((1, number.clone())),
            },
        }
        Some(())
    }

    /// Takes out the number of the element that the cell is in.
    fn divided(&mut self, element: &Shape) -> Option<Expr> {
        let each = i64::try_from(element.n_cells()?).ok().filter(|n| *n > 0)?;
        let (whole, inside) = std::mem::take(&mut self.terms)
            .into_iter()
            .partition(|(factor, _)| factor % each == 0);
        self.terms = inside;
        let whole: Vec<(i64, Expr)> = whole;
        let product = |(factor, term): (i64, Expr)| match factor / each {
            1 => term,
            n => Expr::binary(BinaryOp::Mul, term, Expr::int(ScalarType::I64, n)),
        };
        let number = whole.into_iter().map(product);
        let rest = Expr::int(ScalarType::I64, self.rest.div_euclid(each));
        self.rest = self.rest.rem_euclid(each);
        let rest = Some(rest).filter(|rest| *rest != zero());
        let sum = number.chain(rest);
        Some(
            sum.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b))
                .unwrap_or_else(zero),
        )
    }

    fn follow(&mut self, shape: &Shape, into: &mut Vec<Step>) -> Option<()> {
        match shape {
            Shape::Cell => (self.terms.is_empty() && self.rest == 0).then_some(()),
            Shape::Array(of, _) => {
                let subscript = self.divided(of)?;
                into.push(Step::Subscript(subscript));
                self.follow(of, into)
            }
            Shape::Struct(members) => {
                for member in members.iter() {
                    let own = i64::try_from(member.shape.n_cells()?).ok()?;
                    if self.rest < own {
                        if !member.name.is_empty() {
                            into.push(Step::Member(member.name.clone()));
                        }
                        return self.follow(&member.shape, into);
                    }
                    self.rest -= own;
                }
                None
            }
        }
    }
}

fn zero() -> Expr {
    Expr::int(ScalarType::I64, 0)
}

fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(value) => i64::try_from(value.as_integer()?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::cell_names::Member;
    use crate::algebra::ids::VarId;

    fn i() -> Expr {
        Expr::var(VarId(0), Type::I64)
    }

    fn j() -> Expr {
        Expr::var(VarId(1), Type::I64)
    }

    fn n(n: i64) -> Expr {
        Expr::int(ScalarType::I64, n)
    }

    fn sum(a: Expr, b: Expr) -> Expr {
        Expr::binary(BinaryOp::Add, a, b)
    }

    fn times(a: Expr, b: i64) -> Expr {
        Expr::binary(BinaryOp::Mul, a, n(b))
    }

    fn member(name: &str, shape: Shape) -> Member {
        Member {
            name: name.into(),
            shape,
        }
    }

    /// `struct { T x, row[3], y; } a[…][4]`, of 20 cells a row.
    fn cells() -> CellNames {
        let row = Shape::Array(Arc::new(Shape::Cell), 3);
        let members = [
            member("x", Shape::Cell),
            member("row", row),
            member("y", Shape::Cell),
        ];
        CellNames {
            base: "a".into(),
            is_array: true,
            of: Shape::Array(Arc::new(Shape::Struct(members.into())), 4),
        }
    }

    #[test]
    fn numbers_are_taken_apart() {
        let (at, name) = (Step::Subscript, |name: &str| Step::Member(name.into()));
        let cases = [
            (n(27), Some(vec![at(n(1)), at(n(1)), name("row"), at(n(1))])),
            (
                sum(times(i(), 20), sum(times(j(), 5), n(4))),
                Some(vec![at(i()), at(j()), name("y")]),
            ),
            (
                sum(sum(times(i(), 40), n(21)), j()),
                Some(vec![
                    at(sum(times(i(), 2), n(1))),
                    at(n(0)),
                    name("row"),
                    at(j()),
                ]),
            ),
            (
                sum(times(i(), 20), n(-20)),
                Some(vec![at(sum(i(), n(-1))), at(n(0)), name("x")]),
            ),
            // A number in no member's steps.
            (i(), None),
            (times(i(), 3), None),
        ];
        for (number, expected) in cases {
            assert_eq!(steps(&cells(), &number), expected, "{number:?}");
        }
    }

    /// What is computed for the steps, with values, is the cell whose name they are.
    #[test]
    fn the_steps_are_those_of_the_name() {
        let value = |number: &Expr, i: i64, j: i64| -> i64 { evaluate(number, i, j) };
        for (a, b, c) in (0..27).map(|k| (k / 9, k / 3 % 3, k % 3)) {
            let number = sum(sum(times(i(), 20 * a), times(j(), 5 * b)), n(c + 7));
            let Some(found) = steps(&cells(), &number) else {
                continue;
            };
            for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
                let said = found.iter().fold("a".to_owned(), |text, step| match step {
                    Step::Subscript(number) => format!("{text}[{}]", value(number, i, j)),
                    Step::Member(name) => format!("{text}.{name}"),
                });
                // A subscript may leave its row.
                if 5 * b * j + c + 7 < 20 {
                    assert_eq!(said, cells().name(value(&number, i, j)));
                }
            }
        }
    }

    fn evaluate(number: &Expr, i: i64, j: i64) -> i64 {
        match &number.kind {
            ExprKind::Var(VarId(0)) => i,
            ExprKind::Var(_) => j,
            ExprKind::Binary(BinaryOp::Add, a, b) => evaluate(a, i, j) + evaluate(b, i, j),
            ExprKind::Binary(_, a, b) => evaluate(a, i, j) * evaluate(b, i, j),
            _ => constant(number).unwrap_or(0),
        }
    }
}
