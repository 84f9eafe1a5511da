//! Random well-formed kernels with their setups (feature `random`), small enough to explore in
//! every schedule. For tests of metatheory and of agreement between engines.
//!
//! A program is determined by a seed and [`Sizes`], so a failing test is reproduced from its
//! seed. [`race_free`] makes programs without races, barrier divergence or faults by
//! construction; [`unrestricted`] makes ones that may do anything a kernel can do wrong.
//! [`RaceFree`] and [`Unrestricted`] are the same for quickcheck, with shrinking.

mod beyond_core;
mod choices;
mod draft;
pub mod enumerate;
mod exchanges;
mod expressions;
mod host;
mod race_free;
mod shrink;
mod unrestricted;

use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Setup;
use quickcheck::{Arbitrary, Gen};

/// Bounds on what is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Threads in a block, at least 1.
    pub threads: u32,
    /// Blocks in the grid, at least 1.
    pub blocks: u32,
    /// Threads in the grid.
    pub all_threads: u32,
    /// Statements, those inside branches and loops counted too.
    pub statements: u32,
    /// Nesting of branches and loops.
    pub depth: u32,
    /// Nesting of expressions.
    pub expression_depth: u32,
    /// Iterations of a loop.
    pub iterations: u32,
    /// Threads may `return` early. Race-free programs are then free of divergence only where
    /// returned threads no longer count at barriers.
    pub early_return: bool,
    /// Integers and floats of every width; otherwise `int` alone.
    pub all_types: bool,
    /// Exchanges among the lanes of a warp, in race-free programs too (which then are free of
    /// faults only where the profile knows warps that hold a whole block).
    pub exchanges: bool,
    /// Warp operations, named and grid barriers, fences, counting atomics; on the host streams,
    /// events, devices and threads. Unrestricted programs only.
    pub beyond_core: bool,
}

impl Default for Sizes {
    /// Up to 3 threads in one block or 2 in each of two, 5 statements: typically some hundred
    /// states under `cuda`, rarely more than ten thousand.
    fn default() -> Sizes {
        Sizes {
            threads: 3,
            blocks: 2,
            all_threads: 4,
            statements: 5,
            depth: 2,
            expression_depth: 2,
            iterations: 2,
            early_return: false,
            all_types: true,
            exchanges: false,
            beyond_core: false,
        }
    }
}

/// A kernel in surface form, and what it is run with: a launch, or a host program that makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// In surface form, well-formed.
    pub program: Program,
    /// The kernel of the program: the setup's entry, or what its host entry launches.
    pub kernel: ProcId,
    /// What one run starts with.
    pub setup: Setup,
    /// The number the program was made from; the same number and sizes give the same program.
    pub seed: u64,
}

/// A kernel with barriers, shared memory, tid-dependent branches, uniform loops (some with
/// barriers), calls and commutative atomics that has no race, no divergence and no fault: between
/// two barriers an array is either read by all or each of its cells belongs to one thread.
pub fn race_free(seed: u64, sizes: &Sizes) -> Generated {
    race_free::generate(seed, sizes)
}

/// A kernel that may race, diverge at barriers, use bad warp masks, read uninitialised memory, go
/// out of bounds, divide by zero, fail an assertion or an assumption. Every loop ends.
pub fn unrestricted(seed: u64, sizes: &Sizes) -> Generated {
    unrestricted::generate(seed, sizes)
}

/// A host program that launches such a kernel, with mistakes of its own.
pub fn unrestricted_host(seed: u64, sizes: &Sizes) -> Generated {
    host::generate(seed, sizes)
}

/// [`race_free`] with the default sizes.
#[derive(Clone, Debug)]
pub struct RaceFree(pub Generated);

/// [`unrestricted`] with the default sizes.
#[derive(Clone, Debug)]
pub struct Unrestricted(pub Generated);

impl Arbitrary for RaceFree {
    fn arbitrary(g: &mut Gen) -> RaceFree {
        RaceFree(race_free(u64::arbitrary(g), &Sizes::default()))
    }
}

impl Arbitrary for Unrestricted {
    fn arbitrary(g: &mut Gen) -> Unrestricted {
        Unrestricted(unrestricted(u64::arbitrary(g), &Sizes::default()))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Unrestricted>> {
        Box::new(shrink::smaller(&self.0).into_iter().map(Unrestricted))
    }
}
