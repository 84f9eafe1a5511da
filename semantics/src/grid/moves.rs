//! Which transitions a launch in progress has: which blocks move, and each how (level 3).

use super::state::GridState;
use crate::block::moves::{BlockMove, of_block};
use crate::memory::Memory;
use crate::profile::Firing;
use crate::setup::context::Context;

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
pub fn is_admitted(context: &Context, grid: &GridState, chosen: &Move) -> bool {
    let blocks: Vec<u32> = chosen.iter().map(|(block, _)| *block).collect();
    grid.admits(context, &blocks)
}
