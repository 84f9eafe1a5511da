//! Whether a variable may be read before it is assigned again.

use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Op, OpId, OpKind};
use gridlock_semantics::analysis::loops::reads;
use std::sync::Arc;

/// Whether `var` may be read, in `op` or after it, before it is assigned; `after`: whether that is
/// so behind `op`. Notes in `watched` whether it is so behind the operator with that id.
pub fn live_before(
    op: &Arc<Op>,
    var: VarId,
    after: bool,
    watched: &mut Option<(OpId, bool)>,
) -> bool {
    if let Some((id, live)) = watched
        && *id == op.id
    {
        *live |= after;
    }
    let read = op.expressions().into_iter().any(|e| reads(e, var));
    match &op.kind {
        OpKind::Skip => after,
        OpKind::Seq(ops) => ops
            .iter()
            .rev()
            .fold(after, |live, o| live_before(o, var, live, watched)),
        OpKind::If {
            then, otherwise, ..
        } => {
            let a = live_before(then, var, after, watched);
            let b = live_before(otherwise, var, after, watched);
            read || a || b
        }
        OpKind::While { body, .. } => {
            let head = read || after;
            let again = live_before(body, var, head, watched);
            // Once more where that tells more: what the body itself reads first is known at its
            // end. (Not always, or nested loops would be gone through twice at each level.)
            if again && !head {
                live_before(body, var, true, watched);
            }
            head || again
        }
        OpKind::Par(a, b) => {
            let a = live_before(a, var, after, watched);
            let b = live_before(b, var, after, watched);
            a || b
        }
        OpKind::Call { result, .. } => read || after && *result != Some(var),
        OpKind::Basic(basic) => read || after && basic.assigned() != Some(var),
    }
}
