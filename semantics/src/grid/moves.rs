//! The transitions of a launch in progress: which blocks move, and what each of them does (level 3).

use super::state::GridState;
use crate::block::moves::{BlockMove, enabled, of_block};
use crate::memory::Memory;
use crate::profile::Firing;
use crate::setup::context::Context;
use crate::transition::Actor;

/// A transition: what each block that takes part does. Blocks ascending.
pub type Move = Vec<(u32, BlockMove)>;

/// Every transition out of a launch in progress.
pub fn all(context: &Context, memory: &Memory, grid: &GridState) -> Vec<Move> {
    match context.axes.firing {
        Firing::One => {
            let mut moves = Vec::new();
            for block in 0..grid.blocks.len() as u32 {
                if !grid.blocks[block as usize].is_finished() && grid.admits(context, &[block]) {
                    let own = of_block(grid.place(context, memory, block));
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
        let own = of_block(grid.place(context, memory, block));
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
fn is_admitted(context: &Context, grid: &GridState, chosen: &Move) -> bool {
    let blocks: Vec<u32> = chosen.iter().map(|(block, _)| *block).collect();
    grid.admits(context, &blocks)
}

/// The move that these actors make together, if they may: threads and blocks ([`Actor::Block`]: its collective
/// barrier) stand for the moves they take part in.
pub fn of_actors(
    context: &Context,
    memory: &Memory,
    grid: &GridState,
    actors: &[Actor],
) -> Option<Move> {
    let mut chosen: Move = Vec::new();
    let mut sorted = actors.to_vec();
    sorted.sort_unstable_by_key(|actor| match actor {
        Actor::Thread { block, thread } => (*block, *thread as u64),
        Actor::Block(block) => (*block, u64::MAX),
        _ => (u32::MAX, u64::MAX),
    });
    sorted.dedup();
    for actor in sorted {
        match actor {
            Actor::Block(block) => chosen.push((block, BlockMove::Barrier)),
            Actor::Thread { block, thread } => match chosen.last_mut() {
                Some((last, BlockMove::Threads(threads))) if *last == block => {
                    threads.push(thread);
                }
                _ => chosen.push((block, BlockMove::Threads(vec![thread]))),
            },
            _ => return None,
        }
    }
    if context.axes.firing == Firing::One && chosen.len() != 1 {
        return None;
    }
    for (block, m) in &mut chosen {
        let present = grid.blocks.get(*block as usize)?;
        if present.is_finished() {
            return None;
        }
        *m = enabled(grid.place(context, memory, *block), m)?;
    }
    let twice = chosen.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!twice && !chosen.is_empty() && is_admitted(context, grid, &chosen)).then_some(chosen)
}
