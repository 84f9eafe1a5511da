//! Which transitions a launch in progress has: who may fire, and with whom (levels 2 and 3).

use crate::barrier;
use crate::context::Context;
use crate::grid::GridState;
use crate::memory::Memory;
use crate::operator::{Basic, OpId, OpKind};
use crate::premises::{Premise, decided};
use crate::profile::{BarrierRule, Firing, Warps};
use crate::thread::{Head, ThreadState};
use crate::warp;
use crate::warp::active::{self, is_at_active_mask};

/// What one block does in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockMove {
    /// These threads fire; several have the same head.
    Threads(Vec<u32>),
    /// The collective barrier, or the defect it has become.
    Barrier,
    /// These threads of a warp do the operation they stand at together.
    Warp(Vec<u32>),
}

/// A transition: what each block that takes part does. Blocks ascending.
pub type Move = Vec<(u32, BlockMove)>;

/// Every transition out of a launch in progress.
pub fn all(context: &Context, memory: &Memory, grid: &GridState) -> Vec<Move> {
    match context.axes.firing {
        Firing::One => {
            let mut moves = Vec::new();
            for block in 0..grid.blocks.len() as u32 {
                if !grid.blocks[block as usize].is_finished() && grid.admits(context, &[block]) {
                    let own = of_block(context, memory, grid, block);
                    moves.extend(own.into_iter().map(|m| vec![(block, m)]));
                }
            }
            moves
        }
        Firing::Set => sets_of_blocks(context, memory, grid),
    }
}

/// Every set of blocks with a move for each, as far as the scheduling of blocks admits.
fn sets_of_blocks(context: &Context, memory: &Memory, grid: &GridState) -> Vec<Move> {
    let mut partial: Vec<Move> = vec![vec![]];
    for block in 0..grid.blocks.len() as u32 {
        if grid.blocks[block as usize].is_finished() {
            continue;
        }
        let own = of_block(context, memory, grid, block);
        let mut next = Vec::with_capacity(partial.len() * (own.len() + 1));
        for chosen in partial {
            for m in &own {
                let mut more = chosen.clone();
                more.push((block, m.clone()));
                next.push(more);
            }
            next.push(chosen);
        }
        partial = next;
    }
    partial.retain(|chosen| !chosen.is_empty() && is_admitted(context, grid, chosen));
    partial
}

/// Whether the blocks of a move may move together.
pub fn is_admitted(context: &Context, grid: &GridState, chosen: &Move) -> bool {
    let blocks: Vec<u32> = chosen.iter().map(|(block, _)| *block).collect();
    grid.admits(context, &blocks)
}

/// The moves of one block, whichever blocks move with it.
fn of_block(context: &Context, memory: &Memory, grid: &GridState, block: u32) -> Vec<BlockMove> {
    let state = &grid.blocks[block as usize];
    let mut moves = Vec::new();
    if context.is_lockstep() {
        for warp in &state.warps {
            moves.extend(warp.moves(state).into_iter().map(BlockMove::Threads));
        }
    } else {
        let mut alone = Vec::new();
        for thread in 0..state.threads.len() as u32 {
            match of_thread(context, memory, grid, block, thread) {
                Some(BlockMove::Threads(_)) => alone.push(thread),
                Some(BlockMove::Warp(_)) if is_at_active_mask(&state.threads[thread as usize]) => {
                    let sets = active::sets_from(context, state, thread);
                    moves.extend(sets.into_iter().map(BlockMove::Warp));
                }
                // Listed once, for the first of its threads.
                Some(BlockMove::Warp(threads)) if threads[0] == thread => {
                    moves.push(BlockMove::Warp(threads));
                }
                _ => {}
            }
        }
        match context.axes.firing {
            Firing::One => moves.extend(alone.into_iter().map(|t| BlockMove::Threads(vec![t]))),
            Firing::Set => {
                let key = |&thread: &u32| head_key(&state.threads[thread as usize]);
                let mut heads: Vec<HeadKey> = alone.iter().filter_map(key).collect();
                heads.sort_unstable();
                heads.dedup();
                if alone.len() > 1 {
                    decided(Premise::HeadsAreEqual, heads.len() == 1);
                }
                for head in heads {
                    let same = alone.iter().filter(|thread| key(thread) == Some(head));
                    let same: Vec<u32> = same.copied().collect();
                    moves.extend(subsets(&same).into_iter().map(BlockMove::Threads));
                }
            }
        }
    }
    if barrier::Gathering::of(context, block, state) != barrier::Gathering::Incomplete {
        moves.push(BlockMove::Barrier);
    }
    moves
}

/// The move that begins with `thread`, where warps do not move in lockstep: alone, or in a warp
/// operation together with others. `None` when it waits or has ended. At `__activemask()`, which
/// it may do with any of its companions, the move without them.
pub fn of_thread(
    context: &Context,
    memory: &Memory,
    grid: &GridState,
    block: u32,
    thread: u32,
) -> Option<BlockMove> {
    let state = &grid.blocks[block as usize];
    let own = state.threads.get(thread as usize)?;
    let alone = Some(BlockMove::Threads(vec![thread]));
    let op = match own.head() {
        Head::None => return None,
        Head::Return(_) => return alone,
        Head::Op(op) => op,
    };
    match &op.kind {
        OpKind::Basic(Basic::Barrier(..)) => {
            let literal = context.axes.barrier == BarrierRule::Literal;
            let enabled = literal
                && (decided(Premise::HasNotArrived, !own.waiting)
                    || decided(
                        Premise::CountIsFull,
                        state.arrived == barrier::n_demanded(context, state),
                    ));
            alone.filter(|_| enabled)
        }
        OpKind::Basic(Basic::NamedBarrier { .. }) => alone.filter(|_| !own.waiting),
        // Of an ordinary launch the step is a fault.
        OpKind::Basic(Basic::GridBarrier) => {
            let cooperative = decided(Premise::LaunchIsCooperative, grid.cooperative);
            alone.filter(|_| !cooperative)
        }
        _ if context.axes.warps == Warps::None => alone,
        OpKind::Basic(Basic::ActiveMask { .. }) => Some(BlockMove::Warp(vec![thread])),
        _ => match warp::Gathering::of(context, memory, grid, block, thread) {
            Some(warp::Gathering::Waits) => None,
            Some(warp::Gathering::Complete(threads)) => Some(BlockMove::Warp(threads)),
            Some(warp::Gathering::Bad(_)) | None => alone,
        },
    }
}

/// Threads fire together only with equal keys: the same occurrence of an operator, `waiting
/// Barrier` told apart from `Barrier`, and the return from a call told apart from the call.
type HeadKey = (OpId, bool, bool);

pub fn head_key(thread: &ThreadState) -> Option<HeadKey> {
    let returns = matches!(thread.head(), Head::Return(_));
    Some((thread.position()?, thread.waiting, returns))
}

/// The non-empty subsets.
fn subsets(items: &[u32]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![vec![]];
    for &item in items {
        let with: Vec<Vec<u32>> = found
            .iter()
            .map(|set| set.iter().copied().chain([item]).collect())
            .collect();
        found.extend(with);
    }
    found.retain(|set| !set.is_empty());
    found
}
