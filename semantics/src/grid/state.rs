//! The configuration of a grid: a family of blocks over the memory of the device.

use crate::algebra::ids::ProcId;
use crate::algebra::value::Value;
use crate::block::BlockState;
use crate::block::place::Place;
use crate::block::warp::state::WarpState;
use crate::memory::{Instances, Memory};
use crate::profile::Residency;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::thread::ThreadState;
use crate::transition::End;
use im::{OrdMap, Vector};
use std::sync::Arc;

/// A launch in progress, and the memory that outlives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Of the device, and of the CPU, which does not move meanwhile.
    pub memory: Memory,
    /// The launch.
    pub grid: GridState,
    /// How the run has ended, if it has.
    pub end: Option<End>,
}

/// A launch in progress.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GridState {
    /// What each thread runs.
    pub kernel: ProcId,
    /// Its shape.
    pub launch: Launch,
    /// By linear number.
    pub blocks: Vector<Arc<BlockState>>,
    /// Blocks that have not finished.
    pub unfinished: u32,
    /// Blocks that have started, finished ones too.
    pub started: u32,
    /// Blocks that have started and not finished.
    pub active: u32,
    /// All blocks are resident together, and may meet at the barrier of the grid.
    pub cooperative: bool,
    /// How many blocks may be active, where the profile leaves that open.
    pub resident: Option<u32>,
}

impl GridState {
    /// The initial state of a launch; one for each number of resident blocks where the profile
    /// says *every*. The launch is valid.
    pub fn initial(
        context: &Context,
        kernel: ProcId,
        launch: Launch,
        args: &[Value],
        cooperative: bool,
    ) -> Vec<GridState> {
        let thread = Arc::new(ThreadState::initial(&context.program, kernel, args));
        let (n_threads, n_blocks) = (launch.n_threads() as u32, launch.n_blocks() as u32);
        let runs = thread.is_running();
        let warps = if context.is_lockstep() && runs {
            WarpState::of_block(n_threads, context.warp_size())
        } else {
            Vector::new()
        };
        let block = Arc::new(BlockState {
            threads: std::iter::repeat_n(thread, n_threads as usize).collect(),
            shared: Instances::new(),
            arrived: 0,
            started: false,
            unfinished: if runs { n_threads } else { 0 },
            cooperative,
            named: OrdMap::new(),
            warps,
        });
        let grid = GridState {
            kernel,
            launch,
            blocks: std::iter::repeat_n(block, n_blocks as usize).collect(),
            unfinished: if runs { n_blocks } else { 0 },
            started: 0,
            active: 0,
            cooperative,
            resident: None,
        };
        match context.scheduling.residency {
            Residency::EveryResident if !cooperative => (1..=n_blocks)
                .map(|k| GridState {
                    resident: Some(k),
                    ..grid.clone()
                })
                .collect(),
            _ => vec![grid],
        }
    }

    /// The same launch on another device than 0.
    pub fn on_device(mut self, device: u32) -> GridState {
        if device != 0 {
            for block in self.blocks.iter_mut() {
                let mut moved = (**block).clone();
                for thread in moved.threads.iter_mut() {
                    Arc::make_mut(thread).device = device;
                }
                *block = Arc::new(moved);
            }
        }
        self
    }

    /// Whether every block has finished.
    pub fn is_final(&self) -> bool {
        self.unfinished == 0
    }

    /// A block of it, as its threads see it.
    pub fn place<'a>(&'a self, context: &'a Context, memory: &'a Memory, block: u32) -> Place<'a> {
        Place {
            context,
            memory,
            launch: &self.launch,
            block,
            state: &self.blocks[block as usize],
        }
    }

    /// Replaces a block that has started, keeping the counts.
    pub fn set_block(&mut self, block: u32, state: BlockState) {
        self.change_block(block, |slot| *slot = state);
    }

    /// Changes a block that has started, keeping the counts; in place where no other state shares it.
    pub fn change_block(&mut self, block: u32, change: impl FnOnce(&mut BlockState)) {
        let slot = Arc::make_mut(&mut self.blocks[block as usize]);
        let (had_started, had_finished) = (slot.started, slot.is_finished());
        change(slot);
        let begins = slot.started && !had_started;
        let ends = slot.is_finished() && !had_finished;
        self.started += begins as u32;
        self.active += begins as u32;
        self.active -= ends as u32;
        self.unfinished -= ends as u32;
    }
}
