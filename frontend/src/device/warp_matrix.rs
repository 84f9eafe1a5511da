//! What `mma.h`, which composes the functions of matrices held by warps, asks of the front end: the lane that stores,
//! which is an input of the kernel.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::asked::Asked;
use crate::refusal::Result;
use crate::syntax::Node;
use crate::unit::known_functions::{CHOICE, IN_PLACE};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::setup::arbitrary;

/// What `mma.h` calls where it adds.
const IN_ORDER: &str = "gridlock_sums_in_order";

impl Body<'_, '_> {
    /// `None`: another function. `Some(None)`: done, and it gives no value.
    pub(crate) fn warp_matrix_call(
        &mut self,
        node: &Node,
        name: &str,
    ) -> Result<Option<Option<Expr>>> {
        match name {
            CHOICE => self.choice_of_lane(node).map(|lane| Some(Some(lane))),
            IN_PLACE => Ok(Some(None)),
            IN_ORDER => {
                self.assume(Assumed::SumsInOrder);
                Ok(Some(None))
            }
            _ => Ok(None),
        }
    }

    /// A number of an array that the whole kernel shares, and that only this place reads. Each thread reads its numbers
    /// in turn: at its first call the first. The lanes of a warp, which come here together, read the same.
    fn choice_of_lane(&mut self, node: &Node) -> Result<Expr> {
        let span = self.span(node);
        let found = self.arbitrary.found.iter();
        let number = 1 + found.filter(|a| arbitrary::is_choice(&a.name)).count();
        let name = arbitrary::name_of_choice(number);
        let elem = ScalarType::U32;
        let asked = Asked {
            name,
            elem,
            is_written: false,
        };
        let lanes = self.held(node, asked)?;
        let lane = self.temporary(Type::Scalar(elem), span);
        let (ExprKind::Var(at), Some(value)) = (&lanes.kind, Expr::load(lanes.clone())) else {
            return self.refuse(node, "this store");
        };
        self.emit(Basic::Assign { var: lane, value }, span);
        let next = Expr::offset(lanes.clone(), Expr::int(ScalarType::I64, 1));
        let moved = Basic::Assign {
            var: *at,
            value: next,
        };
        self.ops.push(Op::basic(moved, span));
        Ok(Expr::var(lane, Type::Scalar(elem)))
    }
}
