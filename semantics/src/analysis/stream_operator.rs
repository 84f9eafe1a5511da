//! The host operators whose meaning depends on streams.

use crate::algebra::expr::ExprKind;
use crate::algebra::operator::{AllocSpace, Basic, OpKind};
use crate::algebra::program::{ProcKind, Program};
use crate::algebra::value::Value;

/// Whether the host code of a program has an operator whose meaning depends on streams.
pub fn is_asynchronous(program: &Program) -> bool {
    // The host sees what a launch does to managed memory without a copy that waits for it.
    if program.arrays.iter().any(|array| array.is_managed) {
        return true;
    }
    let operators = program.operators();
    let mut host = operators
        .into_iter()
        .filter(|(proc, _)| program.proc(*proc).kind == ProcKind::Host);
    host.any(|(_, op)| match &op.kind {
        OpKind::Par(..) => true,
        OpKind::Basic(Basic::Alloc { space, .. }) => *space == AllocSpace::Managed,
        OpKind::Basic(basic) => needs_streams(basic),
        _ => false,
    })
}

fn needs_streams(basic: &Basic) -> bool {
    if let Basic::SetDevice { device } = basic {
        // It is the current one until another is chosen.
        return device.kind != ExprKind::Const(Value::i32(0));
    }
    matches!(
        basic,
        Basic::StreamCreate { .. }
            | Basic::StreamDestroy { .. }
            | Basic::StreamSync { .. }
            | Basic::EventCreate { .. }
            | Basic::EventDestroy { .. }
            | Basic::EventRecord { .. }
            | Basic::EventSync { .. }
            | Basic::StreamWait { .. }
            | Basic::Wait { .. }
            | Basic::Copy {
                stream: Some(_),
                ..
            }
            | Basic::Free {
                stream: Some(_),
                ..
            }
            | Basic::CallGpu {
                stream: Some(_),
                ..
            }
    )
}

/// Whether the operator runs by the rules of [`crate::host::asynchronous`] in a program with streams.
pub fn is_stream_operator(basic: &Basic) -> bool {
    needs_streams(basic)
        || matches!(
            basic,
            Basic::SetDevice { .. }
                | Basic::Copy { .. }
                | Basic::CallGpu { .. }
                | Basic::Free { .. }
                | Basic::DeviceSync
        )
}
