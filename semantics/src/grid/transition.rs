//! Performing a transition of a launch in progress (level 3): every block that takes part does its move from the
//! same memory, and what they did is combined.

use super::barrier as grid_barrier;
use super::merge;
use super::moves::Move;
use super::state::{Device, GridState};
use crate::block::moves::BlockMove;
use crate::block::named_barrier;
use crate::block::transition::Part;
use crate::setup::context::Context;
use crate::thread::is_at_grid_barrier;
use crate::transition::fault::{Fault, FaultKind};
use crate::transition::{Actor, End, Label, Rule};
use std::sync::Arc;

/// The transitions a move stands for: one for each way to combine what its threads did, or the
/// fault of the first thread that has one.
pub fn perform(context: &Context, base: &Device, chosen: &Move) -> Vec<(Label, Device)> {
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
    let steps: Vec<(u32, u32)> = fired.iter().map(|f| (f.block, f.thread)).collect();
    let mut states = merge::combine(context, &base, fired);
    if context.is_lockstep() {
        for after in &mut states {
            reconverge(context, grid, after, chosen, &steps);
        }
    }
    states
        .into_iter()
        .map(|mut after| {
            let mut label = label.clone();
            if ended_are_waited_for(context, grid, &mut after, chosen) {
                label.rule = Rule::NamedBarrier;
            }
            (label, after)
        })
        .collect()
}

/// Where a thread has ended, lets those go on who waited at a named barrier for it alone.
fn ended_are_waited_for(
    context: &Context,
    before: &GridState,
    after: &mut Device,
    chosen: &Move,
) -> bool {
    let grid = &mut after.grid;
    let mut any = false;
    for (index, _) in chosen {
        let old = &before.blocks[*index as usize];
        let now = &grid.blocks[*index as usize];
        if now.named.is_empty() || now.unfinished == old.unfinished {
            continue;
        }
        let mut released = (**now).clone();
        named_barrier::release(context, &mut released);
        if released.named.len() != now.named.len() {
            any = true;
            released.settle_warps();
            grid.set_block(*index, released);
        }
    }
    any
}

/// The barrier of the grid, or the defect it has become.
pub fn leave_grid_barrier(context: &Context, base: &Device) -> Option<(Label, Device)> {
    let grid = &base.grid;
    let gathering = grid_barrier::Gathering::of(context, grid);
    if gathering == grid_barrier::Gathering::Incomplete {
        return None;
    }
    let mut label = Label {
        rule: Rule::GridBarrier,
        actors: Vec::new(),
        op: None,
        accesses: Vec::new(),
        fault: None,
    };
    for (block, own) in grid.blocks.iter().enumerate() {
        for (thread, at) in own.threads.iter().enumerate() {
            if is_at_grid_barrier(at) {
                label.actors.push(Actor::Thread {
                    block: block as u32,
                    thread: thread as u32,
                });
            }
        }
    }
    let mut after = base.clone();
    match gathering {
        grid_barrier::Gathering::Incomplete => return None,
        grid_barrier::Gathering::Complete(op) => {
            label.op = Some(op);
            after.grid = grid_barrier::release(context, grid);
        }
        grid_barrier::Gathering::Diverged(positions, op) => {
            label.op = Some(op);
            let fault = Fault {
                kind: FaultKind::BarrierDivergence { positions },
                actor: Actor::Device,
                op,
            };
            after.end = Some(End::Fault(Arc::new(fault.clone())));
            label.fault = Some(fault);
        }
    }
    Some((label, after))
}

/// Brings the warps up to date after a transition from `before`.
fn reconverge(
    context: &Context,
    before: &GridState,
    after: &mut Device,
    chosen: &Move,
    steps: &[(u32, u32)],
) {
    let grid = &mut after.grid;
    for (block, m) in chosen {
        let old = &before.blocks[*block as usize];
        let mut changed = (*grid.blocks[*block as usize]).clone();
        match m {
            BlockMove::Barrier => {
                let settled: im::Vector<_> = changed
                    .warps
                    .iter()
                    .map(|warp| Arc::new(warp.after_barrier(&changed)))
                    .collect();
                changed.warps = settled;
            }
            BlockMove::Threads(threads) | BlockMove::Warp(threads) => {
                debug_assert!(steps.is_empty() || steps.contains(&(*block, threads[0])));
                let index = (threads[0] / context.warp_size()) as usize;
                let warp = changed.warps[index].after(old, &changed, threads);
                changed.warps.set(index, Arc::new(warp));
                // Others may have been let go on at a named barrier.
                let goes_on = |t: &u32| {
                    old.threads[*t as usize].waiting && !changed.threads[*t as usize].waiting
                };
                let mut freed = Vec::new();
                for (other, warp) in old.warps.iter().enumerate() {
                    let mut threads = warp.paths.iter().flat_map(|path| path.threads.iter());
                    if other != index && threads.any(goes_on) {
                        freed.push((other, warp.after_barrier(&changed)));
                    }
                }
                for (other, warp) in freed {
                    changed.warps.set(other, Arc::new(warp));
                }
            }
        }
        grid.set_block(*block, changed);
    }
}
