//! Performing a transition of a launch in progress (level 3): every block that takes part makes its move from the
//! same memory, and the effects are combined.

use super::moves::{self, Move};
use super::state::{Device, GridState};
use super::{barrier, merge};
use crate::block::BlockState;
use crate::block::moves::BlockMove;
use crate::block::named_barrier::without_ended;
use crate::block::part::{Fired, Part};
use crate::block::warp::lockstep::reconverge;
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::thread::Effect;
use crate::transition::{Actor, End, Label, Rule};
use std::sync::Arc;

/// Every transition of a launch in progress.
pub fn all(context: &Context, device: &Device) -> Vec<(Label, Device)> {
    let mut found = Vec::from_iter(barrier::leave(context, device));
    for chosen in moves::all(context, &device.memory, &device.grid) {
        let due = due(context, &device.memory, &device.grid, chosen);
        found.extend(outcomes(context, device, due));
    }
    found
}

/// The transitions in which exactly these actors fire: [`Actor::Device`] leaves the barrier of the grid; threads and
/// blocks make the move that they stand for together.
pub fn fire(context: &Context, device: &Device, actors: &[Actor]) -> Vec<(Label, Device)> {
    if let [Actor::Device] = actors {
        return Vec::from_iter(barrier::leave(context, device));
    }
    match due_of(context, &device.memory, &device.grid, actors) {
        Some(due) => outcomes(context, device, due),
        None => vec![],
    }
}

/// What these threads and blocks are about to do together, if they may.
pub fn due_of(
    context: &Context,
    memory: &Memory,
    grid: &GridState,
    actors: &[Actor],
) -> Option<Due> {
    let chosen = moves::of_actors(context, memory, grid, actors)?;
    Some(due(context, memory, grid, chosen))
}

/// A move whose threads have taken their steps, the effects not being combined yet.
#[derive(Debug)]
pub struct Due {
    chosen: Move,
    label: Label,
    fired: Vec<Fired>,
    /// Blocks whose threads left a barrier.
    released: Vec<(u32, BlockState)>,
}

impl Due {
    /// Who moves, what they touch, and the fault of the first that has one.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// Whether nothing changes but the threads that fire, in one way.
    pub fn is_own(&self, context: &Context) -> bool {
        let is_own = |one: &Fired| {
            let goes_on = one.step.thread.is_running();
            goes_on && matches!(one.step.effect, Effect::Nothing | Effect::Replace(_))
        };
        self.label.fault.is_none()
            && self.released.is_empty()
            && !context.is_lockstep()
            && !self.fired.is_empty()
            && self.fired.iter().all(is_own)
    }

    /// Makes it in place, where it [is own](Self::is_own).
    pub fn make(self, grid: &mut GridState) -> Label {
        for Fired {
            block,
            thread,
            step,
        } in self.fired
        {
            grid.change_block(block, |block| {
                block.started = true;
                block.change_thread(thread, step.thread);
            });
        }
        self.label
    }
}

/// The steps of the threads of a move.
fn due(context: &Context, memory: &Memory, grid: &GridState, chosen: Move) -> Due {
    let mut due = Due {
        chosen: Vec::new(),
        label: Label {
            rule: Rule::Merge,
            actors: Vec::new(),
            op: None,
            accesses: Vec::new(),
            fault: None,
        },
        fired: Vec::new(),
        released: Vec::new(),
    };
    let mut rules = Vec::new();
    let mut failure = None;
    let only_barriers = is_of_barriers(&chosen);
    for (block, m) in &chosen {
        let mut one = Part {
            place: grid.place(context, memory, *block),
            label: &mut due.label,
            fired: &mut due.fired,
            released: None,
        };
        let (rule, outcome) = one.perform(m, only_barriers);
        rules.push(rule);
        due.released
            .extend(one.released.map(|state| (*block, state)));
        failure = failure.or(outcome);
    }
    // Blocks that leave their barriers in one transition still leave barriers: each its own.
    if let [rule, others @ ..] = rules.as_slice()
        && (others.is_empty() || only_barriers)
    {
        due.label.rule = *rule;
    }
    due.label.fault = failure;
    due.chosen = chosen;
    due
}

fn is_of_barriers(chosen: &Move) -> bool {
    chosen.iter().all(|(_, m)| *m == BlockMove::Barrier)
}

/// The transitions a move stands for: one for each way to combine what its threads did, or the
/// fault of the first thread that has one.
pub fn outcomes(context: &Context, base: &Device, due: Due) -> Vec<(Label, Device)> {
    let Due {
        chosen,
        label,
        fired,
        released,
    } = due;
    let Device { memory, grid, end } = base;
    if let Some(fault) = &label.fault {
        let end = Some(End::Fault(Arc::new(fault.clone())));
        let device = Device {
            end,
            ..base.clone()
        };
        return vec![(label, device)];
    }
    let mut started = grid.clone();
    for (block, _) in &chosen {
        if !grid.blocks[*block as usize].started {
            started.change_block(*block, |begun| begun.started = true);
        }
    }
    for (block, state) in released {
        started.set_block(block, state);
    }
    debug_assert!(!context.is_lockstep() || path_has_fired(&chosen, &fired));
    let base = Device {
        memory: memory.clone(),
        grid: started,
        end: end.clone(),
    };
    let combined = merge::combine(context, base, fired).into_iter();
    combined
        .map(|mut after| {
            let mut label = label.clone();
            for (block, m) in &chosen {
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
