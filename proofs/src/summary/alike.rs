//! Formulas that differ in numbers alone, and evenly: one formula, in which these numbers hang on a variable.

use super::formula::{Affine, Formula, Part, Range, Variable};
use std::rc::Rc;

/// Something with numbers in it.
pub trait Numbers: Sized {
    /// What is `a` where `variable` is 0 and `b` where it is 1, and in between and beyond even; `None` where they differ in
    /// more than numbers.
    fn between(a: &Self, b: &Self, variable: Variable) -> Option<Self>;

    /// Whether it is `other` where `variable` is `at`.
    fn is_at(&self, variable: Variable, at: i64, other: &Self) -> bool;

    /// With `variable` `by` larger everywhere; `None` beyond 64 bits.
    fn moved(&self, variable: Variable, by: i64) -> Option<Self>;

    /// Where `variable` is 0.
    fn without(&self, variable: Variable) -> Self;
}

impl Numbers for Affine {
    fn between(a: &Affine, b: &Affine, variable: Variable) -> Option<Affine> {
        if a.factors != b.factors || a.factors.contains_key(&variable) {
            return None;
        }
        let mut made = a.clone();
        match b.constant.checked_sub(a.constant)? {
            0 => {}
            step => {
                made.factors.insert(variable, step);
            }
        }
        Some(made)
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Affine) -> bool {
        let moved = self.moved(variable, at);
        moved.is_some_and(|mut moved| {
            moved.factors.remove(&variable);
            moved == *other
        })
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Affine> {
        let factor = self.factors.get(&variable).copied().unwrap_or(0);
        Some(Affine {
            constant: self.constant.checked_add(factor.checked_mul(by)?)?,
            factors: self.factors.clone(),
        })
    }

    fn without(&self, variable: Variable) -> Affine {
        let mut fixed = self.clone();
        fixed.factors.remove(&variable);
        fixed
    }
}

impl<T: Numbers + PartialEq> Numbers for Rc<T> {
    fn between(a: &Rc<T>, b: &Rc<T>, variable: Variable) -> Option<Rc<T>> {
        if Rc::ptr_eq(a, b) {
            return Some(a.clone());
        }
        T::between(a, b, variable).map(Rc::new)
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Rc<T>) -> bool {
        (**self).is_at(variable, at, other)
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Rc<T>> {
        (**self).moved(variable, by).map(Rc::new)
    }

    fn without(&self, variable: Variable) -> Rc<T> {
        Rc::new((**self).without(variable))
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn between(a: &Vec<T>, b: &Vec<T>, variable: Variable) -> Option<Vec<T>> {
        if a.len() != b.len() {
            return None;
        }
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| T::between(a, b, variable)).collect()
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Vec<T>) -> bool {
        let mut pairs = self.iter().zip(other);
        self.len() == other.len() && pairs.all(|(own, other)| own.is_at(variable, at, other))
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Vec<T>> {
        self.iter().map(|of| of.moved(variable, by)).collect()
    }

    fn without(&self, variable: Variable) -> Vec<T> {
        self.iter().map(|of| of.without(variable)).collect()
    }
}

impl Numbers for Range {
    fn between(a: &Range, b: &Range, variable: Variable) -> Option<Range> {
        let count = Affine::between(&a.count, &b.count, variable)?;
        (a.variable == b.variable && a.first == b.first).then_some(Range {
            variable: a.variable,
            first: a.first,
            count,
        })
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Range) -> bool {
        let is_alike = self.variable == other.variable && self.first == other.first;
        is_alike && self.count.is_at(variable, at, &other.count)
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Range> {
        Some(Range {
            variable: self.variable,
            first: self.first,
            count: self.count.moved(variable, by)?,
        })
    }

    fn without(&self, variable: Variable) -> Range {
        Range {
            variable: self.variable,
            first: self.first,
            count: self.count.without(variable),
        }
    }
}

impl Numbers for Part {
    fn between(a: &Part, b: &Part, variable: Variable) -> Option<Part> {
        Some(Part {
            ranges: Vec::between(&a.ranges, &b.ranges, variable)?,
            of: Rc::between(&a.of, &b.of, variable)?,
        })
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Part) -> bool {
        self.ranges.is_at(variable, at, &other.ranges) && self.of.is_at(variable, at, &other.of)
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Part> {
        Some(Part {
            ranges: self.ranges.moved(variable, by)?,
            of: self.of.moved(variable, by)?,
        })
    }

    fn without(&self, variable: Variable) -> Part {
        Part {
            ranges: self.ranges.without(variable),
            of: self.of.without(variable),
        }
    }
}

impl Numbers for Formula {
    fn between(a: &Formula, b: &Formula, variable: Variable) -> Option<Formula> {
        use Formula::*;
        Some(match (a, b) {
            (Number(a), Number(b)) => Number(Affine::between(a, b, variable)?),
            (
                Cell { array, index },
                Cell {
                    array: other,
                    index: j,
                },
            ) if array == other => Cell {
                array: array.clone(),
                index: Rc::between(index, j, variable)?,
            },
            (
                Applied { operator, operands },
                Applied {
                    operator: other,
                    operands: others,
                },
            ) if operator == other => Applied {
                operator: operator.clone(),
                operands: Vec::between(operands, others, variable)?,
            },
            (
                Sum { how, order, parts },
                Sum {
                    how: other_how,
                    order: other_order,
                    parts: others,
                },
            ) if how == other_how && order == other_order => Sum {
                how: how.clone(),
                order: *order,
                parts: Vec::between(parts, others, variable)?,
            },
            (Constant(_) | Argument(_) | NoValue | Large { .. }, other) if a == other => a.clone(),
            _ => return None,
        })
    }

    fn is_at(&self, variable: Variable, at: i64, other: &Formula) -> bool {
        use Formula::*;
        match (self, other) {
            (Number(own), Number(other)) => own.is_at(variable, at, other),
            (
                Cell { array, index },
                Cell {
                    array: other,
                    index: j,
                },
            ) => array == other && index.is_at(variable, at, j),
            (
                Applied { operator, operands },
                Applied {
                    operator: other,
                    operands: others,
                },
            ) => operator == other && operands.is_at(variable, at, others),
            (
                Sum { how, order, parts },
                Sum {
                    how: other_how,
                    order: other_order,
                    parts: others,
                },
            ) => how == other_how && order == other_order && parts.is_at(variable, at, others),
            (Constant(_) | Argument(_) | NoValue | Large { .. }, other) => self == other,
            _ => false,
        }
    }

    fn moved(&self, variable: Variable, by: i64) -> Option<Formula> {
        use Formula::*;
        Some(match self {
            Number(number) => Number(number.moved(variable, by)?),
            Cell { array, index } => Cell {
                array: array.clone(),
                index: index.moved(variable, by)?,
            },
            Applied { operator, operands } => Applied {
                operator: operator.clone(),
                operands: operands.moved(variable, by)?,
            },
            Sum { how, order, parts } => Sum {
                how: how.clone(),
                order: *order,
                parts: parts.moved(variable, by)?,
            },
            Constant(_) | Argument(_) | NoValue | Large { .. } => self.clone(),
        })
    }

    fn without(&self, variable: Variable) -> Formula {
        use Formula::*;
        match self {
            Number(number) => Number(number.without(variable)),
            Cell { array, index } => Cell {
                array: array.clone(),
                index: index.without(variable),
            },
            Applied { operator, operands } => Applied {
                operator: operator.clone(),
                operands: operands.without(variable),
            },
            Sum { how, order, parts } => Sum {
                how: how.clone(),
                order: *order,
                parts: parts.without(variable),
            },
            Constant(_) | Argument(_) | NoValue | Large { .. } => self.clone(),
        }
    }
}
