//! The own step of one thread of a launch, made in place: what [`super::transition`] comes to where nobody else takes part,
//! without a copy of what no other state shares.

use super::merge;
use super::state::GridState;
use crate::algebra::operator::{Basic, OpKind};
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::thread::{Effect, Head, ThreadState, step_in_place};
use crate::transition::Advance;
use std::sync::Arc;

/// Makes the step of a thread if it is one that nobody else takes part in or is released by, if it goes well, and if it
/// `may` be made. Otherwise nothing changes.
pub fn advance(
    context: &Context,
    memory: &mut Memory,
    grid: &mut GridState,
    (block, thread): (u32, u32),
    may: impl FnOnce(Advance) -> bool,
) -> Option<Advance> {
    let own = grid.blocks.get(block as usize)?;
    let moves = !own.is_finished() && own.named.is_empty() && grid.admits(context, &[block]);
    if context.is_lockstep() || !moves {
        return None;
    }
    let place = grid.place(context, memory, block);
    let view = place.view(thread).filter(|view| is_own(view.thread))?;
    let step = step_in_place(view)?.ok()?;
    let is_plain = matches!(
        step.effect,
        Effect::Nothing | Effect::Write { .. } | Effect::Atomic { .. }
    );
    let made = step.advance();
    if !is_plain || !may(made) {
        return None;
    }
    let (changed, launch) = (step.thread, grid.launch);
    grid.change_block(block, |own| {
        own.started = true;
        own.change_thread(thread, changed);
        let cells = (&mut *memory, &mut own.shared);
        if let Some((var, value)) = merge::alone(context, &launch, cells, step.effect) {
            Arc::make_mut(&mut own.threads[thread as usize]).assign(var, value);
        }
    });
    Some(made)
}

/// Whether no other thread can have part in what it does next.
fn is_own(thread: &ThreadState) -> bool {
    match thread.head() {
        Head::None => false,
        Head::Return(_) => true,
        Head::Op(op) => match &op.kind {
            OpKind::If { .. } | OpKind::While { .. } | OpKind::Call { .. } => true,
            OpKind::Basic(basic) => !matches!(
                basic,
                Basic::Barrier { .. }
                    | Basic::NamedBarrier { .. }
                    | Basic::GridBarrier
                    | Basic::Exit
                    | Basic::Warp { .. }
                    | Basic::ActiveMask { .. }
                    | Basic::SyncWarp { .. }
            ),
            OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => false,
        },
    }
}
