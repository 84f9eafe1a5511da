//! Own steps of one thread of a launch, made in place: what [`super::transition`] comes to where nobody else takes part,
//! without a copy of what no other state shares.

use super::merge;
use super::state::GridState;
use crate::algebra::operator::{Basic, OpKind};
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::thread::view::{Device, View};
use crate::thread::{Effect, Head, Step, ThreadState, step_in_place};
use crate::transition::{Advance, Going};

/// Makes steps of a thread, one after another while `go` says so: those that nobody else takes part in or is released by,
/// and that go well. How many.
pub fn advance(
    context: &Context,
    memory: &mut Memory,
    grid: &mut GridState,
    (block, thread): (u32, u32),
    mut go: impl FnMut(Advance) -> Going,
) -> u32 {
    let Some(own) = grid.blocks.get(block as usize) else {
        return 0;
    };
    let moves = !own.is_finished() && own.named.is_empty() && grid.admits(context, &[block]);
    if context.is_lockstep() || !moves {
        return 0;
    }
    // The first is asked for before anything is copied.
    let place = grid.place(context, memory, block);
    let Some(mut step) = place.view(thread).and_then(own_step) else {
        return 0;
    };
    let mut going = go(step.advance());
    if going == Going::Stops {
        return 0;
    }
    let mut made = 0;
    let launch = grid.launch;
    grid.change_block(block, |own| {
        own.started = true;
        own.change_thread_by(thread, |state, shared| {
            loop {
                step.thread.make(state);
                made += 1;
                if let Some((var, value)) =
                    merge::alone(context, &launch, (&mut *memory, &mut *shared), step.effect)
                {
                    state.assign(var, value);
                }
                if going == Going::Ends {
                    return;
                }
                let device = Device {
                    launch: &launch,
                    block,
                    thread,
                    shared,
                };
                let view = View {
                    context,
                    memory,
                    thread: state,
                    device: Some(device),
                };
                let Some(next) = own_step(view) else {
                    return;
                };
                going = go(next.advance());
                if going == Going::Stops {
                    return;
                }
                step = next;
            }
        });
    });
    made
}

/// What a thread does next, if no other has part in it and it goes well.
#[inline]
fn own_step(view: View<'_>) -> Option<Step> {
    if !is_own(view.thread) {
        return None;
    }
    let step = step_in_place(view)?.ok()?;
    let is_plain = matches!(
        step.effect,
        Effect::Nothing | Effect::Write { .. } | Effect::Atomic { .. }
    );
    is_plain.then_some(step)
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
