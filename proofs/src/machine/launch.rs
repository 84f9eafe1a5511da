//! The launch as symbols: indices and extents with what every valid launch grants about them.
//!
//! `blockIdx.d * blockDim.d` and `gridDim.d * blockDim.d` stand as symbols of their own (*base*
//! and *total*) with the linear facts that follow from the assumption that totals stay below
//! 2^31. Leaving their definition out over-approximates, and spares the solver the
//! multiplication; it comes back when a model is to become a launch.

use crate::terms::term::{BitOp, KnownProduct, Order, Origin, Scope, Sort, TermId, Terms};
use gridlock_checker::report::assumption::Assumption;
use gridlock_semantics::algebra::expr::{Axis, Builtin};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::setup::Launch;

/// Most threads a block may have, in all and in each dimension (every device since sm_20).
pub const MAX_THREADS: u64 = 1024;
const MAX_BLOCK: [u64; 3] = [1024, 1024, 64];

/// One dimension of a launch; terms of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    pub thread: TermId,
    pub block: TermId,
    pub block_extent: TermId,
    pub grid_extent: TermId,
    /// `block * block_extent`; absent where one of them is fixed.
    pub base: Option<TermId>,
}

/// What of a launch is fixed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    pub grid: Option<[u32; 3]>,
    pub block: Option<[u32; 3]>,
}

/// The symbolic launch and its facts, as formulas over one thread.
#[derive(Clone, Debug)]
pub struct SymbolicLaunch {
    pub dimensions: [Dimension; 3],
    /// What holds for every thread of every launch considered.
    pub facts: Vec<TermId>,
    /// The definitions left out of `facts`: of base and total.
    pub definitions: Vec<TermId>,
    pub assumptions: Vec<Assumption>,
}

impl SymbolicLaunch {
    /// The given launch, or every launch. An axis other than x that the kernel never asks about
    /// is taken to have extent 1; `asked` are those it does, where that is less than all it reads.
    pub fn new(
        terms: &mut Terms,
        program: &Program,
        kernel: ProcId,
        launch: Option<&Launch>,
        asked: Option<LaunchAxes>,
    ) -> SymbolicLaunch {
        let given = launch.map_or_else(Given::default, |launch| Given {
            grid: Some(launch.grid),
            block: Some(launch.block),
        });
        Self::with(terms, program, kernel, given, asked)
    }

    /// [`Self::new`], where grid and block are given each by itself.
    pub fn with(
        terms: &mut Terms,
        program: &Program,
        kernel: ProcId,
        given: Given,
        asked: Option<LaunchAxes>,
    ) -> SymbolicLaunch {
        let read = LaunchAxes::read(program, kernel);
        let asked = asked.unwrap_or(read);
        let (block_read, grid_read) = (asked.block, asked.grid);
        let mut facts = Vec::new();
        let mut definitions = Vec::new();
        let mut assumptions = Vec::new();
        if given.grid.is_none() {
            assumptions.push(Assumption::LaunchSizes {});
        }
        let names = ["x", "y", "z"];
        let mut unasked = Vec::new();
        let mut numbered = false;
        let dimensions = std::array::from_fn(|d| {
            let fixed = |extents: Option<[u32; 3]>, read: bool| match extents {
                Some(extents) => Some(extents[d]),
                None if d > 0 && !read => Some(1),
                None => None,
            };
            let block_extent = fixed(given.block, block_read[d]);
            let grid_extent = fixed(given.grid, grid_read[d]);
            if d > 0 {
                for (given, asked, read, what) in [
                    (given.block, block_read[d], read.block[d], "blockDim"),
                    (given.grid, grid_read[d], read.grid[d], "gridDim"),
                ] {
                    if given.is_none() && !asked {
                        unasked.push(format!("{what}.{}", names[d]));
                        numbered |= read;
                    }
                }
            }
            Dimension::new(
                terms,
                names[d],
                d,
                block_extent,
                grid_extent,
                &mut facts,
                &mut definitions,
            )
        });
        let mut built = SymbolicLaunch {
            dimensions,
            facts,
            definitions,
            assumptions,
        };
        if given.block.is_none() {
            let mut threads = built.dimensions[0].block_extent;
            for dimension in &built.dimensions[1..] {
                threads = terms.bit(BitOp::Mul, threads, dimension.block_extent);
            }
            let procedure = program.proc(kernel);
            if let Some(threads) = procedure.most_threads {
                let kernel = procedure.name.to_string();
                let bound = Assumption::LaunchBounds { kernel, threads };
                built.assumptions.push(bound);
            }
            let own = procedure.most_threads.map_or(MAX_THREADS, u64::from);
            let most = terms.bits(32, own.min(MAX_THREADS));
            let fits = terms.less(Order::UnsignedLessEq, threads, most);
            built.facts.push(fits);
        }
        if !unasked.is_empty() {
            unasked.sort();
            let axes = unasked;
            let ones = Assumption::UnitAxes { axes, numbered };
            built.assumptions.push(ones);
        }
        built
    }

    /// That there are no more than `threads` threads in each dimension, as far as it is not given how many.
    pub fn bound(&self, terms: &mut Terms, threads: u64) -> Vec<TermId> {
        let most = terms.bits(32, threads);
        let mut bounds = Vec::new();
        for dimension in self.dimensions {
            let extent = dimension.block_extent;
            match (dimension.base, terms.as_bits(extent)) {
                (Some(base), _) => {
                    let end = terms.bit(BitOp::Add, base, extent);
                    bounds.push(terms.less(Order::UnsignedLessEq, end, most));
                    // The symbol that stands for the product.
                    let total = terms.bit(BitOp::Mul, dimension.grid_extent, extent);
                    bounds.push(terms.less(Order::UnsignedLessEq, total, most));
                }
                (None, Some(block)) => {
                    let blocks = terms.bits(32, threads / block.max(1));
                    let extent = dimension.grid_extent;
                    bounds.push(terms.less(Order::UnsignedLess, dimension.block, blocks));
                    bounds.push(terms.less(Order::UnsignedLessEq, extent, blocks));
                }
                // The grid is fixed.
                (None, None) => {}
            }
        }
        bounds
    }

    pub fn builtin(&self, terms: &mut Terms, builtin: Builtin) -> TermId {
        let of = |axis: Axis| &self.dimensions[axis as usize];
        match builtin {
            Builtin::ThreadIdx(axis) => of(axis).thread,
            Builtin::BlockIdx(axis) => of(axis).block,
            Builtin::BlockDim(axis) => of(axis).block_extent,
            Builtin::GridDim(axis) => of(axis).grid_extent,
            Builtin::WarpSize => terms.bits(32, 32),
        }
    }
}

impl Dimension {
    fn new(
        terms: &mut Terms,
        name: &str,
        d: usize,
        block_extent: Option<u32>,
        grid_extent: Option<u32>,
        facts: &mut Vec<TermId>,
        definitions: &mut Vec<TermId>,
    ) -> Dimension {
        let narrow = |terms: &mut Terms, what: &str, width, scope| {
            let name = format!("{what}.{name}");
            let symbol = terms.fresh_from(Origin::Launch, name, Sort::Bits(width), scope);
            terms.zero_ext(32, symbol)
        };
        let zero = terms.bits(32, 0);
        let one = terms.bits(32, 1);
        // As narrow as the limits allow: the solver then multiplies small numbers.
        let extent_bits = 64 - MAX_BLOCK[d].leading_zeros();
        let block_extent = match block_extent {
            Some(extent) => terms.bits(32, extent as u64),
            None => {
                let extent = narrow(terms, "blockDim", extent_bits, Scope::Grid);
                let most = terms.bits(32, MAX_BLOCK[d]);
                facts.push(terms.less(Order::UnsignedLessEq, one, extent));
                facts.push(terms.less(Order::UnsignedLessEq, extent, most));
                extent
            }
        };
        let grid_extent = match grid_extent {
            Some(extent) => terms.bits(32, extent as u64),
            None => {
                let extent = narrow(terms, "gridDim", 31, Scope::Grid);
                facts.push(terms.less(Order::UnsignedLessEq, one, extent));
                if let Some(block) = terms.as_bits(block_extent).filter(|block| *block > 0) {
                    let most = terms.bits(32, (i32::MAX as u64) / block);
                    facts.push(terms.less(Order::UnsignedLessEq, extent, most));
                }
                extent
            }
        };
        let index = |terms: &mut Terms, what: &str, width, extent, scope, facts: &mut Vec<_>| {
            if terms.as_bits(extent) == Some(1) {
                return zero;
            }
            let index = narrow(terms, what, width, scope);
            facts.push(terms.less(Order::UnsignedLess, index, extent));
            index
        };
        let thread_bits = match terms.as_bits(block_extent) {
            Some(extent) => 64 - extent.leading_zeros(),
            None => extent_bits - 1,
        };
        let thread = index(
            terms,
            "threadIdx",
            thread_bits.clamp(1, 31),
            block_extent,
            Scope::Thread,
            facts,
        );
        let block = index(terms, "blockIdx", 31, grid_extent, Scope::Block, facts);
        let symbolic = terms.as_bits(block_extent).is_none();
        let mut base = None;
        if symbolic && terms.as_bits(grid_extent).is_none() {
            let b = narrow(terms, "base", 31, Scope::Block);
            let t = narrow(terms, "total", 31, Scope::Grid);
            for (product, factor) in [(b, block), (t, grid_extent)] {
                let symbol = |terms: &Terms, t: TermId| {
                    let inner = terms.children(t)[0];
                    terms.as_symbol(inner).expect("an extended symbol")
                };
                let factors = [symbol(terms, factor), symbol(terms, block_extent)];
                let inner = terms.children(product)[0];
                // The definition is built before the product is known, so that it stays one.
                let multiplied = terms.bit(BitOp::Mul, factor, block_extent);
                definitions.push(terms.eq(product, multiplied));
                terms.known_products.push(KnownProduct {
                    factors,
                    product: inner,
                });
            }
            let is_first = terms.eq(block, zero);
            let base_zero = terms.eq(b, zero);
            facts.push(terms.eq(is_first, base_zero));
            facts.push(terms.less(Order::UnsignedLessEq, block, b));
            let end = terms.bit(BitOp::Add, b, block_extent);
            facts.push(terms.less(Order::UnsignedLessEq, end, t));
            let beyond = terms.less(Order::UnsignedLessEq, block_extent, b);
            facts.push(terms.or(is_first, beyond));
            facts.push(terms.less(Order::UnsignedLessEq, grid_extent, t));
            let alone = terms.eq(grid_extent, one);
            let exact = terms.eq(t, block_extent);
            facts.push(terms.eq(alone, exact));
            base = Some(b);
        }
        Dimension {
            thread,
            block,
            block_extent,
            grid_extent,
            base,
        }
    }
}
