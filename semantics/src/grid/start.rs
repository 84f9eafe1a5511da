//! The start of a block (paper 2, section 2.5): a block in its initial state may take part in a transition if no
//! block that has started and not finished is left out of it; that is the axis *blocks* at `start-rule`. Its other
//! values limit the number of active blocks. With `A` the active blocks (started, not finished), `N` those that start
//! with this transition, `T` all that take part:
//!
//! ```text
//! start-rule          A ⊆ T
//! run-to-completion   |A ∪ N| ≤ 1
//! resident(k)         |A ∪ N| ≤ k
//! in-order            N are the next |N| blocks by number
//! ```
//!
//! Premises: [`Premise::BlockHasRoom`], [`Premise::BlockIsNext`]. They are decided only where a block starts; in a
//! cooperative launch every block may start.
//!
//! Effect: none of its own; it restricts the moves of blocks ([`moves`](super::moves)). Paper 2 read literally counts
//! finished blocks as started: docs/semantics.md, deviation 7.

use super::state::GridState;
use crate::profile::{NextBlock, Residency};
use crate::setup::context::Context;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

impl GridState {
    /// Whether a transition of exactly these unfinished blocks is allowed: which may start
    /// together, and beside which others.
    pub fn admits(&self, context: &Context, blocks: &[u32]) -> bool {
        let unstarted = |b: &&u32| !self.blocks[**b as usize].started;
        let fresh: Vec<u32> = blocks.iter().filter(unstarted).copied().collect();
        if fresh.is_empty() || self.cooperative {
            return true;
        }
        let n_fresh = fresh.len() as u32;
        let room = |limit: u32| self.active.saturating_add(n_fresh) <= limit.max(1);
        let resident = match context.scheduling.residency {
            // 'Started' excludes finished blocks (docs/semantics.md, deviations).
            Residency::StartRule => blocks.len() as u32 - n_fresh == self.active,
            Residency::RunToCompletion => room(1),
            Residency::Resident(limit) => room(limit),
            Residency::EveryResident => room(self.resident.unwrap_or(u32::MAX)),
            Residency::AllResident => true,
        };
        let in_order = match context.scheduling.next {
            NextBlock::Any => true,
            NextBlock::InOrder => fresh.iter().all(|&b| b < self.started + n_fresh),
        };
        decided(Premise::BlockHasRoom, resident) & decided(Premise::BlockIsNext, in_order)
    }
}
