//! The variables that an operator assigns.

use crate::algebra::ids::VarId;
use crate::algebra::operator::{Op, OpKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables of the enclosing procedure that an operator assigns.
pub fn assigned(op: &Arc<Op>) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    op.walk(&mut |inner| match &inner.kind {
        OpKind::Basic(basic) => vars.extend(basic.assigned()),
        OpKind::Call { result, .. } => vars.extend(result),
        _ => {}
    });
    vars
}
