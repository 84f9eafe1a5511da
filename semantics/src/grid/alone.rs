//! The own step of one thread of a launch, made in place: what [`super::transition`] comes to where nobody else takes part,
//! without a copy of what no other state shares.

use super::merge;
use super::state::GridState;
use crate::algebra::operator::{Basic, OpKind};
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::thread::{Effect, Head, ThreadState, step};
use crate::transition::{Access, Actor, Label};

/// Makes the step of a thread if it is one that nobody else takes part in or is released by, if it goes well, and if it
/// `may` be made. Otherwise nothing changes.
pub fn advance(
    context: &Context,
    memory: &mut Memory,
    grid: &mut GridState,
    (block, thread): (u32, u32),
    may: impl FnOnce(&Label) -> bool,
) -> Option<Label> {
    let own = grid.blocks.get(block as usize)?;
    let moves = !own.is_finished() && own.named.is_empty() && grid.admits(context, &[block]);
    if context.is_lockstep() || !moves {
        return None;
    }
    let place = grid.place(context, memory, block);
    let view = place.view(thread).filter(|view| is_own(view.thread))?;
    let step = step(view)?.ok()?;
    let is_plain = matches!(
        step.effect,
        Effect::Nothing | Effect::Write { .. } | Effect::Atomic { .. }
    );
    let actor = Actor::Thread { block, thread };
    let access = |touched: &crate::thread::view::Touched| Access {
        actor,
        array: touched.array,
        index: touched.index,
        mode: touched.mode,
        op: step.op,
    };
    let label = Label {
        rule: step.rule,
        actors: vec![actor],
        op: Some(step.op),
        accesses: step.touched.iter().map(access).collect(),
        fault: None,
    };
    if !is_plain || !may(&label) {
        return None;
    }
    let (mut after, launch) = (step.thread, grid.launch);
    grid.change_block(block, |own| {
        own.started = true;
        let cells = (&mut *memory, &mut own.shared);
        merge::alone(context, &launch, cells, &mut after, step.effect);
        own.set_thread(thread, after);
    });
    Some(label)
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
