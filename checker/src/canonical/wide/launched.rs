//! A launch that is run wide: what its blocks share, and why it is given up.

use super::shadow::GridShadow;
use crate::canonical::run::Run;
use crate::canonical::watch::Region;
use crate::compiled::Code;
use crate::compiled::layout::PrivateLayout;
use crate::compiled::memory::{Array, declared};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Axes;
use gridlock_semantics::setup::Launch;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Why a wide run is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// Something that the detector must look at.
    Look,
    /// Accesses to this memory that race, as far as is seen here.
    Race(Region),
    /// A global array without extent must grow to this length first.
    Grow { array: u32, len: u64 },
    /// The time is over.
    Late,
    /// Another block gave it up.
    Elsewhere,
}

/// How accesses to a global array are watched.
pub enum Watched {
    /// No thread writes it, so that no access conflicts with another.
    ReadOnly,
    /// By what is remembered of its locations.
    Shadow(GridShadow),
    /// They are written down ([`super::log`]).
    Logged,
}

/// What the blocks of a launch share.
pub struct Launched<'a> {
    pub program: &'a Program,
    pub code: &'a Code,
    pub layout: PrivateLayout,
    pub launch: Launch,
    pub axes: Axes,
    /// Registers every thread starts with, but for its own numbers.
    pub image: Vec<u64>,
    pub global: &'a [Array],
    /// How each is watched.
    pub watched: Vec<Watched>,
    /// Loop iterations of one thread.
    pub depth: u64,
    pub deadline: Instant,
    pub given_up: AtomicBool,
}

impl<'p> Launched<'p> {
    /// A launch of `run` over `global` memory, watched as `watched` says by number.
    pub fn new<'r: 'p>(
        run: &Run<'r>,
        code: &'p Code,
        launch: Launch,
        image: Vec<u64>,
        global: &'p [Array],
        watched: impl Fn(usize, &Array) -> Watched,
    ) -> Launched<'p> {
        let watched = global
            .iter()
            .enumerate()
            .map(|(number, array)| watched(number, array));
        Launched {
            program: run.program(),
            code,
            layout: PrivateLayout::new(run.program(), code),
            launch,
            axes: run.axes,
            image,
            global,
            watched: watched.collect(),
            depth: run.depth,
            deadline: run.deadline(),
            given_up: AtomicBool::new(false),
        }
    }
}

impl Launched<'_> {
    /// The shared arrays of one block.
    pub fn shared_arrays(&self) -> Vec<Option<Array>> {
        let mut shared: Vec<Option<Array>> = Vec::new();
        shared.resize_with(self.program.arrays.len(), || None);
        for id in &self.code.shared {
            let decl = self.program.array(*id);
            shared[id.0 as usize] = Some(declared(decl, self.launch.shared_bytes));
        }
        shared
    }

    /// Lanes of a warp, where something is known of warps.
    pub fn warp_size(&self) -> Option<u32> {
        self.axes.warps.known_size()
    }

    pub fn check_time(&self) -> Result<(), Odd> {
        if self.given_up.load(Relaxed) {
            return Err(Odd::Elsewhere);
        }
        if Instant::now() > self.deadline {
            return Err(Odd::Late);
        }
        Ok(())
    }
}
