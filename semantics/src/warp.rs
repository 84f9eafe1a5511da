//! Warps: `__syncwarp(mask)` among independent threads. Lockstep warps are in [`lockstep`].
//!
//! A thread waits at `__syncwarp(m)` until every lane of `m` that exists and has not ended waits
//! with the same mask; then all of them go on in one step. A lane of the last warp that no thread
//! has counts as ended.

pub mod lockstep;

use crate::context::Context;
use crate::eval::eval;
use crate::grid::{BlockState, GridState};
use crate::memory::Memory;
use crate::operator::{Basic, OpKind};
use crate::premises::{Premise, decided};
use crate::thread::{Head, ThreadState};
use crate::view::{Device, Reading, View};

/// What a thread at `__syncwarp` can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// It waits for others.
    Waits,
    /// These threads go on together.
    Complete(Vec<u32>),
    /// Its mask is bad, or evaluating it is a fault: stepping the thread shows it.
    Bad,
}

/// Whether the head is `__syncwarp`.
pub fn is_at_sync(thread: &ThreadState) -> bool {
    sync_mask(thread).is_some()
}

fn sync_mask(thread: &ThreadState) -> Option<&crate::expr::Expr> {
    match thread.head() {
        Head::Op(op) => match &op.kind {
            OpKind::Basic(Basic::SyncWarp { mask }) => Some(mask),
            _ => None,
        },
        _ => None,
    }
}

/// The mask of a thread at `__syncwarp`; `None` when evaluating it is a fault.
pub fn mask_of(view: View<'_>) -> Option<u32> {
    let mut reading = Reading {
        view,
        touched: Vec::new(),
    };
    let mask = sync_mask(view.thread)?;
    let value = eval(mask, &mut reading).ok()?;
    value.as_integer().map(|mask| mask as u32)
}

impl Gathering {
    /// For a thread whose head is `__syncwarp`, under independent warps.
    pub fn of(
        context: &Context,
        memory: &Memory,
        grid: &GridState,
        block: u32,
        thread: u32,
    ) -> Gathering {
        let state = &grid.blocks[block as usize];
        let size = context.warp_size();
        let first = thread / size * size;
        let lane = thread - first;
        let mask_at = |lane: u32| {
            let index = first + lane;
            let thread = state.threads.get(index as usize)?;
            mask_of(View {
                context,
                memory,
                thread,
                device: Some(Device {
                    launch: &grid.launch,
                    block,
                    thread: index,
                    shared: &state.shared,
                }),
            })
        };
        let own = mask_at(lane).filter(|mask| mask & (1 << lane) != 0);
        decided(Premise::MaskNamesCaller, own.is_some());
        let Some(mask) = own else {
            return Gathering::Bad;
        };
        let lanes: Vec<Lane> = (0..size)
            .map(|lane| Lane::of(state, first + lane, mask_at(lane)))
            .collect();
        if decided(Premise::LanesHaveArrived, is_complete(&lanes, mask)) {
            let named = (0..size).filter(|&l| mask & (1 << l) != 0);
            let present = named.filter(|&l| lanes[l as usize] == Lane::Syncs(mask));
            return Gathering::Complete(present.map(|l| first + l).collect());
        }
        // Different masks are a fault only when no lane of the warp can still move.
        let stuck = lanes.iter().all(|l| match l {
            Lane::Moves => false,
            Lane::Syncs(other) => !is_complete(&lanes, *other),
            Lane::Gone | Lane::AtBarrier => true,
        });
        let mut named = (0..size)
            .filter(|&l| mask & (1 << l) != 0)
            .map(|l| lanes[l as usize]);
        let hopeless = stuck && named.all(|l| matches!(l, Lane::Syncs(_) | Lane::Gone));
        if !decided(Premise::LanesMayArrive, !hopeless) {
            return Gathering::Bad;
        }
        Gathering::Waits
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    /// It has ended, or there is no such thread.
    Gone,
    Syncs(u32),
    AtBarrier,
    Moves,
}

impl Lane {
    fn of(block: &BlockState, thread: u32, mask: Option<u32>) -> Lane {
        match block.threads.get(thread as usize) {
            Some(state) if state.is_running() => match mask {
                Some(mask) => Lane::Syncs(mask),
                None if state.is_at_barrier() => Lane::AtBarrier,
                None => Lane::Moves,
            },
            _ => Lane::Gone,
        }
    }
}

/// Whether every lane of `mask` that is still there waits with that mask.
fn is_complete(lanes: &[Lane], mask: u32) -> bool {
    let named = lanes
        .iter()
        .enumerate()
        .filter(|(lane, _)| mask & (1 << lane) != 0);
    named
        .into_iter()
        .all(|(_, lane)| matches!(lane, Lane::Gone) || *lane == Lane::Syncs(mask))
}
