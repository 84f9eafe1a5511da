//! The reduced expansion of a state: one way on that speaks for all.
//!
//! The argument is that of [`crate::explore::reduction`]; here are its persistent sets on flat
//! states, in the order tried:
//! 1. *The launch, or the block in focus, as far as its barrier intervals go without
//!    interference* ([`super::walk`]).
//! 2. *The launch to where no thread moves*, where threads wait for each other in loops and every
//!    run is the same all the same ([`super::waiting`]).
//! 3. *One step* that interferes with nothing the launch's code may do: an exit, the barrier of a
//!    complete block, a read of what no thread writes.
//! 4. *Single threads to their next barrier*.
//!
//! **Blocks one after another.** When a launch has several blocks, the search first supposes that
//! no block touches, at any time, what another touches otherwise than both reading it; then the
//! steps of the first block that can go on are a persistent set in every state. What each block
//! touches is noted throughout, in walks too. If two blocks turn out to meet, or nowhere all of
//! them came to where nothing moves on, the search starts again without that supposition; if not,
//! it was right: the first step of any run in which a block does otherwise than it does here would
//! read what another block had written before, and both accesses have been noted.

use super::classes::CodeAt;
use super::expand::{Found, Scene, Way, Worker};
use super::table::Table;
use crate::automaton::{FIXED, Kind};
use std::time::Instant;

/// Stretches that may be too long before they are not looked for any more.
pub const MOST_OVERRUNS: u32 = 4;

impl Worker {
    /// Takes a single way on if there is one that leads to a state still to be expanded (the
    /// closed-set proviso: Bošnački, Leue, Lluch-Lafuente, STTT 2009).
    pub fn reduced(
        &mut self,
        scene: &Scene<'_>,
        table: &Table,
        from: u32,
        words: &[u32],
        focus: Option<u32>,
        found: &mut Found,
    ) -> bool {
        let automaton = scene.automaton;
        if self.looks_far(scene, found) && !self.some_interfere() {
            let n = self.walk.launch(automaton, &mut self.memo, words, focus);
            self.note_overrun(scene, found);
            if n > 0 && self.take_walk(scene, table, from, words, Way::Launch(focus), found) {
                return true;
            }
        }
        if self.looks_far(scene, found) && scene.look_at_waits && focus.is_none() {
            found.waits.0 += 1;
            let n = self.walk.waiting(automaton, &mut self.memo, words);
            self.note_overrun(scene, found);
            if n > 0 && self.take_walk(scene, table, from, words, Way::Waiting, found) {
                found.waits.1 += 1;
                found.loops |= self.walk.order.spun;
                return true;
            }
        }
        if self.take_harmless(scene, table, from, words, found) {
            return true;
        }
        if scene.walks && scene.look_at_threads {
            found.looks.0 += 1;
            let n = (self.walk).threads(automaton, &mut self.memo, &scene.code, words, focus);
            if n > 0 && self.take_walk(scene, table, from, words, Way::Threads(focus), found) {
                found.looks.1 += 1;
                return true;
            }
        }
        false
    }

    /// Whether to look for long stretches: not where some were endless.
    fn looks_far(&self, scene: &Scene<'_>, found: &Found) -> bool {
        scene.walks && scene.look_far && found.overruns < MOST_OVERRUNS
    }

    fn note_overrun(&self, scene: &Scene<'_>, found: &mut Found) {
        if self.walk.overran {
            found.overruns += 1;
            found.cut |= Instant::now() > scene.until;
        }
    }

    fn take_walk(
        &mut self,
        scene: &Scene<'_>,
        table: &Table,
        from: u32,
        words: &[u32],
        way: Way,
        found: &mut Found,
    ) -> bool {
        let n_transitions = self.walk.agents.len() as u32;
        let mut patches = std::mem::take(&mut self.walk_patches);
        self.walk.patches(&mut patches);
        let print = scene.printer.print(&self.walk.words);
        let goes = !patches.is_empty() && scene.is_open(table, words, &patches, || print);
        if goes {
            found.n_transitions += n_transitions as u64;
            found.push(print, from, way, n_transitions, &patches);
            if scene.by_blocks {
                for (agent, touch) in &self.walk.touches {
                    self.blocks.note(scene.automaton, *agent, touch, found);
                }
            }
        }
        self.walk_patches = patches;
        goes
    }

    fn take_harmless(
        &mut self,
        scene: &Scene<'_>,
        table: &Table,
        from: u32,
        words: &[u32],
        found: &mut Found,
    ) -> bool {
        for head in &self.heads {
            let patches = &self.patches[head.patches.0 as usize..head.patches.1 as usize];
            if head.kind != Kind::Moves || patches.is_empty() || !harmless(head, &scene.code) {
                continue;
            }
            let print = scene.printer.after(words, &self.base, patches);
            if scene.is_open(table, words, patches, || print) {
                found.n_transitions += 1;
                found.push(print, from, Way::Agent(head.agent), 1, patches);
                return true;
            }
        }
        false
    }
}

fn harmless(head: &super::expand::Head, code: &CodeAt) -> bool {
    head.alone
        && head
            .touch
            .is_none_or(|touch| touch.place == FIXED || !code.meets(&touch))
}
