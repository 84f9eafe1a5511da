//! Performing a transition of a launch in progress (level 3): every block that takes part makes its move from the
//! same memory, and the effects are combined.

use super::moves::{self, Move};
use super::state::Device;
use super::{barrier, merge};
use crate::block::moves::BlockMove;
use crate::block::named_barrier::without_ended;
use crate::block::part::{Fired, Part};
use crate::block::warp::lockstep::reconverge;
use crate::setup::context::Context;
use crate::transition::{Actor, End, Label, Rule};
use std::sync::Arc;

/// Every transition of a launch in progress.
pub fn all(context: &Context, device: &Device) -> Vec<(Label, Device)> {
    let mut found = Vec::from_iter(barrier::leave(context, device));
    for chosen in moves::all(context, &device.memory, &device.grid) {
        found.extend(perform(context, device, &chosen));
    }
    found
}

/// The transitions in which exactly these actors fire: [`Actor::Device`] leaves the barrier of the grid; threads and
/// blocks make the move that they stand for together.
pub fn fire(context: &Context, device: &Device, actors: &[Actor]) -> Vec<(Label, Device)> {
    if let [Actor::Device] = actors {
        return Vec::from_iter(barrier::leave(context, device));
    }
    match moves::of_actors(context, &device.memory, &device.grid, actors) {
        Some(chosen) => perform(context, device, &chosen),
        None => vec![],
    }
}

/// The transitions a move stands for: one for each way to combine what its threads did, or the
/// fault of the first thread that has one.
fn perform(context: &Context, base: &Device, chosen: &Move) -> Vec<(Label, Device)> {
    let grid = &base.grid;
    let mut started = grid.clone();
    for (block, _) in chosen {
        let mut begun = (*grid.blocks[*block as usize]).clone();
        if !begun.started {
            begun.started = true;
            started.set_block(*block, begun);
        }
    }
    let mut label = Label {
        rule: Rule::Merge,
        actors: Vec::new(),
        op: None,
        accesses: Vec::new(),
        fault: None,
    };
    let mut fired = Vec::new();
    let mut rules = Vec::new();
    let mut failure = None;
    let only_barriers = chosen.iter().all(|(_, m)| *m == BlockMove::Barrier);
    for (block, m) in chosen {
        let mut one = Part {
            place: grid.place(context, &base.memory, *block),
            label: &mut label,
            fired: &mut fired,
            released: None,
        };
        let (rule, outcome) = one.perform(m, only_barriers);
        rules.push(rule);
        if let Some(released) = one.released {
            started.set_block(*block, released);
        }
        failure = failure.or(outcome);
    }
    // Blocks that leave their barriers in one transition still leave barriers: each its own.
    if let [rule, others @ ..] = rules.as_slice()
        && (others.is_empty() || only_barriers)
    {
        label.rule = *rule;
    }
    if let Some(fault) = failure {
        let end = Some(End::Fault(Arc::new(fault.clone())));
        label.fault = Some(fault);
        return vec![(
            label,
            Device {
                end,
                ..base.clone()
            },
        )];
    }
    let base = Device {
        grid: started,
        ..base.clone()
    };
    debug_assert!(!context.is_lockstep() || path_has_fired(chosen, &fired));
    let combined = merge::combine(context, &base, fired).into_iter();
    combined
        .map(|mut after| {
            let mut label = label.clone();
            for (block, m) in chosen {
                let (index, old) = (*block as usize, &grid.blocks[*block as usize]);
                if context.is_lockstep() {
                    let settled = reconverge(context, old, &after.grid.blocks[index], m);
                    after.grid.set_block(*block, settled);
                }
                if let Some(released) = without_ended(context, old, &after.grid.blocks[index]) {
                    after.grid.set_block(*block, released);
                    label.rule = Rule::NamedBarrier;
                }
            }
            (label, after)
        })
        .collect()
}

/// Whether the first thread of each path that moves has fired, where threads fired at all.
fn path_has_fired(chosen: &Move, fired: &[Fired]) -> bool {
    let has_fired = |block, thread| fired.iter().any(|f| (f.block, f.thread) == (block, thread));
    chosen.iter().all(|(block, m)| match m {
        BlockMove::Barrier => true,
        BlockMove::Threads(threads) | BlockMove::Warp(threads) => {
            fired.is_empty() || has_fired(*block, threads[0])
        }
    })
}
