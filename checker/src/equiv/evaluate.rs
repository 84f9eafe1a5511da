//! What the terms of a map come to.

use crate::equiv::map::{MapError, Relation, Side, Term, TermOp};
use crate::equiv::sides::Sides;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::arithmetic;
use std::collections::BTreeMap;

impl Sides<'_> {
    /// A term of numbers and names.
    pub(super) fn number(
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

    pub(super) fn evaluate(
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

    /// A term with its indices and constants filled in.
    pub(super) fn show(&self, term: &Term, bound: &BTreeMap<&str, i64>) -> String {
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
                let text = match plain(index, bound, self.constants) {
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
}

/// What a term without cells comes to.
pub(super) fn plain(
    term: &Term,
    bound: &BTreeMap<&str, i64>,
    constants: &BTreeMap<String, i64>,
) -> Option<i128> {
    match term {
        Term::Number(number) => Some(*number as i128),
        Term::Name(name) => {
            let value = bound.get(name.as_str()).or_else(|| constants.get(name));
            value.map(|&v| v as i128)
        }
        Term::Binary(op, a, b) => numbers(
            *op,
            plain(a, bound, constants)?,
            plain(b, bound, constants)?,
        ),
        Term::Cell { .. } | Term::Result(_) => None,
    }
}

/// What a term comes to: a number of the map, or a value of the program (`None`: there is no such
/// element).
pub(super) enum Evaluated {
    Number(i128),
    Cell(Option<Value>),
}

fn apply(op: TermOp, a: Evaluated, b: Evaluated) -> Result<Evaluated, &'static str> {
    if let (Evaluated::Number(a), Evaluated::Number(b)) = (&a, &b) {
        let number = numbers(op, *a, *b);
        return number
            .map(Evaluated::Number)
            .ok_or("a number cannot be computed");
    }
    let Some((a, b)) = alike(a, b) else {
        return Err("operands have different types");
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
pub(super) fn alike(a: Evaluated, b: Evaluated) -> Option<(Option<Value>, Option<Value>)> {
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

pub(super) fn wrong(relation: &Relation, message: impl Into<String>) -> MapError {
    MapError {
        text: relation.text.clone(),
        column: 1,
        message: message.into(),
    }
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::New => "new",
        Side::Old => "old",
    }
}
