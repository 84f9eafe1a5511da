//! One thread that stands for all threads of all launches: its coordinates are unknowns, and so are the extents of grid
//! and block where they are not given.
//!
//! What it writes to memory that other threads reach is kept as a list, in its order, of conditions, cells and values.
//! A thread reads back what it wrote itself. What others wrote it may read after a barrier: then the thread that wrote
//! the cell is named by its coordinates ([`super::owner`]), and its value is the one written with these coordinates in
//! the place of the reader's. All this is right for launches without races, which is not shown here but asked of
//! [`crate::kernel`].

use super::value::{Held, Place};
use crate::machine::launch::SymbolicLaunch;
use crate::solver::solve::Prover;
use crate::terms::normal::Normal;
use crate::terms::substitute::Substitution;
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::algebra::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A loop that is repeated an unknown number of times, around a write.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// Of the run: which loop.
    pub number: u32,
    /// Of the iteration, from 0 on: 64 bits.
    pub iteration: TermId,
    /// There is such an iteration.
    pub is_one: TermId,
    /// No two iterations have the same counter: what the loop counts with differs by this in each.
    pub counters: Vec<TermId>,
}

/// A write of the generic thread to memory that others reach.
#[derive(Clone, Debug)]
pub struct Write {
    /// The thread comes there and writes.
    pub guard: TermId,
    pub cell: TermId,
    pub value: Held,
    /// Barriers before it that order this memory.
    pub interval: u32,
    /// The innermost first.
    pub repeats: Vec<Repeat>,
    pub span: Span,
}

/// An access of the generic thread to an array that the kernel was given.
#[derive(Clone, Debug)]
pub struct Access {
    pub place: Place,
    /// The thread comes there.
    pub guard: TermId,
    pub cell: TermId,
    /// Iterations of the loops around it, the innermost first: 64 bits each.
    pub iterations: Vec<TermId>,
}

/// What the earlier iterations of a loop wrote of an array: each another cell than the one that this iteration writes.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// The cell of this iteration, in normal form, with the counter in wide words.
    pub cell: TermId,
    /// The loop's counter as the program widens it, and that in wide words, where it does not wrap around.
    pub narrow: TermId,
    pub wide: TermId,
}

impl Apart {
    /// Whether this is the cell of the iteration.
    pub fn is(&self, terms: &mut Terms, cell: TermId) -> bool {
        in_wide_words(terms, cell, (self.narrow, self.wide)) == self.cell
    }
}

/// A cell in normal form, with a counter in wide words.
pub fn in_wide_words(terms: &mut Terms, cell: TermId, widened: (TermId, TermId)) -> TermId {
    let cell = Normal::new(false).of(terms, cell);
    let cell = Substitution::new([widened]).of(terms, cell);
    Normal::new(false).of(terms, cell)
}

/// What became of an array, in the order of the thread.
#[derive(Clone, Debug)]
pub enum Event {
    Written(Write),
    Apart(Apart),
    /// At the head of an iteration: whatever earlier ones have left.
    Earlier,
    /// Something was written of which nothing is known here.
    Anything,
}

/// What a run of a generic thread has beside what every run has.
pub struct Generic {
    pub launch: SymbolicLaunch,
    /// What holds where the thread is, in all.
    pub context: TermId,
    pub events: BTreeMap<Place, Vec<Event>>,
    /// Of arrays that the kernel was given, in its order.
    pub accesses: Vec<Access>,
    pub prover: Prover,
    /// Values that a loop goes on with and that are no counters, each a thread's own: no other thread's can be named.
    pub own: Vec<TermId>,
    /// A first look at a loop: what others wrote may be anything.
    pub is_probe: bool,
    pub n_loops: u32,
    /// How often it was seen to return.
    pub n_returns: u32,
    /// Counters of loops that are taken not to overflow: line and name.
    pub counters_assumed: BTreeSet<(u32, String)>,
}
