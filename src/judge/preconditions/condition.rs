//! Conditions: comparisons, divisibility and powers of two over terms, joined by *and* and *or*.

use super::space::Space;
use super::term::Term;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    Le,
    Lt,
    Ge,
    Gt,
    Eq,
    Ne,
}

impl Relation {
    const fn operator(self) -> BinaryOp {
        match self {
            Relation::Le => BinaryOp::Le,
            Relation::Lt => BinaryOp::Lt,
            Relation::Ge => BinaryOp::Ge,
            Relation::Gt => BinaryOp::Gt,
            Relation::Eq => BinaryOp::Eq,
            Relation::Ne => BinaryOp::Ne,
        }
    }

    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Le => a <= b,
            Relation::Lt => a < b,
            Relation::Ge => a >= b,
            Relation::Gt => a > b,
            Relation::Eq => a == b,
            Relation::Ne => a != b,
        }
    }
}

/// A condition without connectives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    Compare(Term, Relation, Term),
    /// The first is a multiple of the second, which is not 0.
    Multiple(Term, Term),
    /// 1, 2, 4, 8, …
    PowerOfTwo(Term),
}

impl Atom {
    /// Whether it holds at a point.
    pub fn at(&self, point: &[i64]) -> bool {
        match self {
            Atom::Compare(a, relation, b) => relation.holds(a.at(point), b.at(point)),
            Atom::Multiple(a, b) => {
                let divisor = b.at(point);
                divisor != 0 && a.at(point) % divisor == 0
            }
            Atom::PowerOfTwo(a) => {
                let value = a.at(point);
                value > 0 && value & (value - 1) == 0
            }
        }
    }

    /// What it speaks of.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Atom::Compare(a, _, b) | Atom::Multiple(a, b) => vec![a, b],
            Atom::PowerOfTwo(a) => vec![a],
        }
    }

    fn text(&self, space: &Space) -> String {
        match self {
            Atom::Compare(a, relation, b) => format!(
                "{} {} {}",
                a.text(space),
                relation.operator().c_symbol(),
                b.text(space)
            ),
            Atom::Multiple(a, b) => {
                format!("{} is a multiple of {}", a.text(space), b.text(space))
            }
            Atom::PowerOfTwo(a) => format!("{} is a power of two", a.text(space)),
        }
    }

    /// Text and expression in the source.
    fn in_source(&self, space: &Space) -> Option<(String, Expr)> {
        match self {
            Atom::Compare(a, relation, b) => {
                let ty = a.common_type(b, space);
                let (left, a) = a.in_source(ty, space)?;
                let (right, b) = b.in_source(ty, space)?;
                let operator = relation.operator();
                let text = format!("{left} {} {right}", operator.c_symbol());
                Some((text, Expr::binary(operator, a, b)))
            }
            Atom::Multiple(a, b) => {
                let ty = a.common_type(b, space);
                let may_be_zero = !matches!(b, Term::Number(_)) && !is_of_launch(b, space);
                let (left, a) = parenthesised(a.in_source(ty, space)?);
                let (right, b) = parenthesised(b.in_source(ty, space)?);
                let zero = Expr::int(ty, 0);
                let rest = Expr::binary(BinaryOp::Rem, a, b.clone());
                let divides = Expr::binary(BinaryOp::Eq, rest, zero.clone());
                let text = format!("{left} % {right} == 0");
                Some(match may_be_zero {
                    false => (text, divides),
                    true => {
                        let nonzero = Expr::binary(BinaryOp::Ne, b, zero);
                        let both = Expr::binary(BinaryOp::And, nonzero, divides);
                        (format!("{right} != 0 && {text}"), both)
                    }
                })
            }
            Atom::PowerOfTwo(a) => {
                let ty = a.common_type(&Term::Number(1), space);
                let positive = is_of_launch(a, space);
                let (text, a) = parenthesised(a.in_source(ty, space)?);
                let (one, zero) = (Expr::int(ty, 1), Expr::int(ty, 0));
                let less = Expr::binary(BinaryOp::Sub, a.clone(), one);
                let common = Expr::binary(BinaryOp::BitAnd, a.clone(), less);
                let power = Expr::binary(BinaryOp::Eq, common, zero.clone());
                let bits = format!("({text} & ({text} - 1)) == 0");
                Some(match positive {
                    true => (bits, power),
                    false => {
                        let above = Expr::binary(BinaryOp::Gt, a, zero);
                        let both = Expr::binary(BinaryOp::And, above, power);
                        (format!("{text} > 0 && {bits}"), both)
                    }
                })
            }
        }
    }
}

/// Whether all of them hold at a point.
pub(super) fn all(atoms: &[Atom], point: &[i64]) -> bool {
    atoms.iter().all(|atom| atom.at(point))
}

/// Extents of a launch are at least 1.
fn is_of_launch(term: &Term, space: &Space) -> bool {
    let of_launch = |v: &usize| space.dimensions[*v].variable.is_of_launch();
    !matches!(term, Term::Number(_)) && term.variables().iter().all(of_launch)
}

/// As an operand of an operator that binds more strongly than most.
fn parenthesised((text, expression): (String, Expr)) -> (String, Expr) {
    match expression.kind {
        ExprKind::Binary(..) => (format!("({text})"), expression),
        _ => (text, expression),
    }
}

/// A condition on a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    Atom(Atom),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

impl Condition {
    /// Its parts, if it is a conjunction of atoms.
    pub fn conjunction(&self) -> Option<Vec<Atom>> {
        match self {
            Condition::Atom(atom) => Some(vec![atom.clone()]),
            Condition::And(parts) => {
                let parts: Option<Vec<Vec<Atom>>> = parts.iter().map(Self::conjunction).collect();
                Some(parts?.concat())
            }
            Condition::Or(_) => None,
        }
    }

    /// Whether it holds at a point.
    pub fn at(&self, point: &[i64]) -> bool {
        match self {
            Condition::Atom(atom) => atom.at(point),
            Condition::And(parts) => parts.iter().all(|part| part.at(point)),
            Condition::Or(parts) => parts.iter().any(|part| part.at(point)),
        }
    }

    /// What it is made of, in its order.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            Condition::Atom(atom) => vec![atom],
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::atoms).collect()
            }
        }
    }

    /// In words and formulas.
    pub fn text(&self, space: &Space) -> String {
        let join = |parts: &[Condition], word: &str| {
            let texts: Vec<String> = parts
                .iter()
                .map(|part| match part {
                    Condition::Atom(atom) => atom.text(space),
                    other => format!("({})", other.text(space)),
                })
                .collect();
            texts.join(word)
        };
        match self {
            Condition::Atom(atom) => atom.text(space),
            Condition::And(parts) => join(parts, " and "),
            Condition::Or(parts) => join(parts, " or "),
        }
    }

    /// Text and expression in the source, of type `bool`; `None` where a variable has no name
    /// there.
    pub fn in_source(&self, space: &Space) -> Option<(String, Expr)> {
        let join = |parts: &[Condition], operator: BinaryOp| {
            let mut whole: Option<(String, Expr)> = None;
            for part in parts {
                let (text, expression) = part.in_source(space)?;
                // `a && b || c` says what it means, but compilers warn.
                let text = match part {
                    Condition::Atom(_) if !text.contains("&&") => text,
                    Condition::Atom(_) if operator == BinaryOp::And => text,
                    _ => format!("({text})"),
                };
                whole = Some(match whole {
                    None => (text, expression),
                    Some((before, left)) => (
                        format!("{before} {} {text}", operator.c_symbol()),
                        Expr::binary(operator, left, expression),
                    ),
                });
            }
            whole
        };
        match self {
            Condition::Atom(atom) => atom.in_source(space),
            Condition::And(parts) => join(parts, BinaryOp::And),
            Condition::Or(parts) => join(parts, BinaryOp::Or),
        }
    }

    /// Both, without saying anything twice.
    pub fn and(self, other: Condition) -> Condition {
        let parts = |condition: Condition| match condition {
            Condition::And(parts) => parts,
            single => vec![single],
        };
        let mut all = parts(self);
        for part in parts(other) {
            if !all.contains(&part) {
                all.push(part);
            }
        }
        match all.len() {
            1 => all.remove(0),
            _ => Condition::And(all),
        }
    }
}
