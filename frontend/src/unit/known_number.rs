//! Numbers that are known from the text alone: sizes in bytes.

use crate::syntax::expression::Expression;
use crate::syntax::kind::Kind;
use crate::syntax::{DeclRef, Node, NodeExt};
use crate::unit::Unit;
use gridlock_semantics::algebra::expr::BinaryOp;

/// Deepest expression that is evaluated.
const MAX_DEPTH: usize = 64;

impl Unit<'_> {
    /// The value of an expression of literals, sizes, and variables that are declared with such and never change.
    pub fn known_number(&self, node: &Node) -> Option<i128> {
        self.number_of(node, 0)
    }

    fn number_of(&self, node: &Node, depth: usize) -> Option<i128> {
        if depth > MAX_DEPTH {
            return None;
        }
        let node = node.without_casts();
        match node.expression() {
            Expression::Integer if node.is(Kind::IntegerLiteral) => {
                node.kind.value.as_ref()?.as_str()?.parse().ok()
            }
            Expression::SizeOf if node.name() == "sizeof" => {
                let of = match (&node.kind.arg_type, node.child(0)) {
                    (Some(ty), _) => self.names.parse(ty.text()),
                    (None, operand) => self.type_of(operand?),
                };
                of.size().map(i128::from)
            }
            Expression::Binary { op, left, right } => {
                let (a, b) = (
                    self.number_of(left, depth + 1)?,
                    self.number_of(right, depth + 1)?,
                );
                let number = match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::Mul => a.checked_mul(b)?,
                    _ => return None,
                };
                // A value that wraps around is not computed here.
                (0..1 << 31).contains(&number).then_some(number)
            }
            Expression::Name(&DeclRef { id, .. }) => {
                if let Some(&(value, _)) = self.enumerators.get(&id) {
                    return Some(value);
                }
                let init = self.initialised.get(&id).filter(|_| self.is_steady(id))?;
                self.number_of(init, depth + 1)
                    .filter(|n| (0..1 << 31).contains(n))
            }
            _ => None,
        }
    }

    /// Whether the text shows that a number of bytes is a multiple of another.
    pub fn is_multiple(&self, node: &Node, of: u64) -> bool {
        if of <= 1 {
            return true;
        }
        if let Some(known) = self.known_number(node) {
            return known % i128::from(of) == 0;
        }
        let node = node.without_casts();
        let Expression::Binary { op, left, right } = node.expression() else {
            return false;
        };
        match op {
            BinaryOp::Mul => self.is_multiple(left, of) || self.is_multiple(right, of),
            BinaryOp::Add | BinaryOp::Sub => {
                self.is_multiple(left, of) && self.is_multiple(right, of)
            }
            _ => false,
        }
    }
}
