//! Tests of alignment: `(uintptr_t)p % 16 == 0`, `((size_t)p & 15) != 0`. Arrays have no addresses in the semantics,
//! but they begin at multiples of any alignment; the offset of the pointer in its array therefore decides the test.
//! For an array that a caller passes this is an assumption, and the report names it.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::constant;
use crate::refusal::Result;
use crate::storage::pointers::is_aligned;
use crate::syntax::expression::Expression;
use crate::syntax::kind::CastKind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::types::Type;

/// Largest alignment that may be tested, in cells.
const MOST_CELLS: u64 = 16;

impl Body<'_, '_> {
    /// The value of `left == right`, or of `left != right`, where one side is the low bits of an address and the
    /// other is 0; `None` for any other comparison.
    pub(crate) fn compared_low_bits(
        &mut self,
        is_equal: bool,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Expr>> {
        let is_zero = |node: &Node| self.unit.known_number(node) == Some(0);
        let bits = match (is_zero(left), is_zero(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return Ok(None),
        };
        let aligned = self.low_bits_are_zero(bits)?;
        Ok(aligned.map(|aligned| match is_equal {
            true => aligned,
            false => constant::not(aligned),
        }))
    }

    /// Whether the low bits of an address are 0; `None` for a node that is not such bits.
    pub(crate) fn low_bits_are_zero(&mut self, node: &Node) -> Result<Option<Expr>> {
        let node = without_integral_casts(node);
        let Expression::Binary { op, left, right } = node.expression() else {
            return Ok(None);
        };
        if self.on_host() {
            return Ok(None);
        }
        let number = |node: &Node| self.unit.known_number(node);
        let (address, bytes) = match (op, number(left), number(right)) {
            (BinaryOp::Rem, None, Some(n)) => (left, n),
            (BinaryOp::BitAnd, None, Some(mask)) => (left, mask + 1),
            (BinaryOp::BitAnd, Some(mask), None) => (right, mask + 1),
            _ => return Ok(None),
        };
        let address = without_integral_casts(address);
        let is_address = *address.cast() == CastKind::PointerToIntegral;
        let Some(pointer) = address.last().filter(|_| is_address) else {
            return Ok(None);
        };
        // More bits would depend on the address of the array.
        let bytes = u64::try_from(bytes).unwrap_or(0);
        if !bytes.is_power_of_two() || bytes > 128 {
            return Ok(None);
        }
        if !matches!(self.type_of(pointer).ty, CType::Pointer(_))
            || !self.type_of(pointer).is_single()
        {
            return Ok(None);
        }
        let pointer = self.value(pointer)?;
        let Some(cell) = pointer.ty.pointer().map(|p| p.elem.size()) else {
            return self.refuse(node, "a cast between pointer and integer");
        };
        let n_cells = bytes / cell.min(bytes);
        if n_cells > MOST_CELLS {
            return self.refuse(node, "a test of so large an alignment");
        }
        self.assume(Assumed::ArraysAligned(bytes));
        if n_cells == 1 || is_aligned(&pointer, n_cells) {
            return Ok(Some(Expr::bool(true)));
        }
        let kind = ExprKind::Math(MathFn::Aligned(n_cells as u32), vec![pointer]);
        Ok(Some(Expr::new(Type::BOOL, kind)))
    }
}

/// A node without brackets and without casts between numbers.
fn without_integral_casts(node: &Node) -> &Node {
    let mut node = node.unwrapped();
    while node.kind().is_cast()
        && matches!(node.cast(), CastKind::IntegralCast | CastKind::NoOp)
        && let Some(inner) = node.last()
    {
        node = inner.unwrapped();
    }
    node
}
