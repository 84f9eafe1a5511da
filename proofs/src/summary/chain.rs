//! Terms that do the same with many operands: `((a + b) + c) + d`.

use super::formula::{Many, Order};
use super::kind::{Kind, of_operation};
use crate::terms::function::Function;
use crate::terms::term::{self, BitOp, Node, TermId, Terms};

/// An operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Term(TermId),
    /// Of a fused sum.
    Product(TermId, TermId),
}

/// All operands of a term, in order.
pub struct Chain {
    pub how: Many,
    /// The type of its operands.
    pub kind: Kind,
    pub operands: Vec<Operand>,
    pub order: Order,
}

/// A link: what it does to its operands, of which the first may be a link of the same chain.
struct Link {
    how: Many,
    kind: Kind,
    left: TermId,
    right: Operand,
    /// Whether the right operand may be a link, too.
    branches: bool,
}

fn link(terms: &Terms, term: TermId, kind: Kind) -> Option<Link> {
    let both = |how, kind, a, b| {
        Some(Link {
            how,
            kind,
            left: a,
            right: Operand::Term(b),
            branches: true,
        })
    };
    match terms.node(term) {
        Node::Bit(op, a, b) => {
            let kind = match kind {
                Kind::Unsigned => Kind::Unsigned,
                _ => Kind::Signed,
            };
            let how = match op {
                BitOp::Add => Many::Sum,
                BitOp::Mul => Many::Product,
                BitOp::And => Many::BitAnd,
                BitOp::Or => Many::BitOr,
                BitOp::Xor => Many::BitXor,
                _ => return None,
            };
            both(how, kind, *a, *b)
        }
        Node::And(a, b) => both(Many::All, Kind::Truth, *a, *b),
        Node::Or(a, b) => both(Many::Any, Kind::Truth, *a, *b),
        Node::Ite(cond, a, b) => {
            let (how, kind, a, b) = extremum(terms, *cond, *a, *b)?;
            both(how, kind, a, b)
        }
        Node::Apply {
            function: Function::Operation(name),
            args,
            ..
        } => {
            let (name, kind) = of_operation(name);
            let how = match name {
                "Add" => Many::Sum,
                "Mul" => Many::Product,
                "Max" => Many::Max,
                "Min" => Many::Min,
                "Fma" => {
                    let &[a, b, sum] = args.as_slice() else {
                        return None;
                    };
                    return Some(Link {
                        how: Many::FusedSum,
                        kind,
                        left: sum,
                        right: Operand::Product(a, b),
                        branches: false,
                    });
                }
                _ => return None,
            };
            let &[a, b] = args.as_slice() else {
                return None;
            };
            both(how, kind, a, b)
        }
        _ => None,
    }
}

/// The larger or smaller of two integers, as a choice.
fn extremum(
    terms: &Terms,
    cond: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<(Many, Kind, TermId, TermId)> {
    let Node::Less(order, a, b) = *terms.node(cond) else {
        return None;
    };
    let kind = match order {
        term::Order::SignedLess | term::Order::SignedLessEq => Kind::Signed,
        term::Order::UnsignedLess | term::Order::UnsignedLessEq => Kind::Unsigned,
    };
    match (then, otherwise) {
        _ if (then, otherwise) == (a, b) => Some((Many::Min, kind, a, b)),
        _ if (then, otherwise) == (b, a) => Some((Many::Max, kind, a, b)),
        _ => None,
    }
}

/// The chain that ends with a term, if it ends one.
pub fn chain(terms: &Terms, term: TermId, kind: Kind) -> Option<Chain> {
    let last = link(terms, term, kind)?;
    let (how, kind) = (last.how, last.kind);
    let is_link = |t: TermId| link(terms, t, kind).filter(|l| l.how == how && l.kind == kind);
    let mut operands = Vec::new();
    let mut is_from_left = true;
    // From the last operand to the first.
    let mut open = vec![Operand::Term(term)];
    while let Some(next) = open.pop() {
        let inner = match next {
            Operand::Term(t) => is_link(t),
            Operand::Product(..) => None,
        };
        let Some(inner) = inner else {
            operands.push(next);
            continue;
        };
        if let Operand::Term(right) = inner.right
            && inner.branches
            && is_link(right).is_some()
        {
            is_from_left = false;
        }
        open.push(Operand::Term(inner.left));
        open.push(inner.right);
        if operands.len() > MOST_OPERANDS {
            return None;
        }
    }
    operands.reverse();
    let is_float = matches!(kind, Kind::Float(_));
    let order = match (is_float, is_from_left) {
        (false, _) => Order::Indifferent,
        (true, true) => Order::FromLeft,
        (true, false) => Order::Other,
    };
    Some(Chain {
        how,
        kind,
        operands,
        order,
    })
}

/// Operands of a chain that is followed.
const MOST_OPERANDS: usize = 1 << 16;
