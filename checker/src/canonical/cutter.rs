//! Cuts schedules out of a trace, leaving out what a finding does not need.

use super::run::Run;
use super::schedule::Hit;
use super::trace::{Actors, Moment, Segment, Trace};
use crate::finding::ScheduleStep;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::profile::{NextBlock, Residency, Warps};
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::Fault;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// A traced run, of which schedules are cut.
///
/// As long as there was no race and no thread used what an atomic gave back, what a thread does in
/// a barrier interval does not depend on what other threads do in it, nor on other blocks of the
/// launch: the first race of a run, and a fault in a launch without any, need only their own
/// threads in the last interval, and their own blocks.
pub struct Cutter<'a> {
    pub run: &'a Run<'a>,
    pub trace: &'a Trace,
    /// Launches with races.
    pub racy: FxHashSet<u32>,
}

impl Cutter<'_> {
    /// Whether any blocks of a launch may run without the others.
    fn blocks_are_free(&self) -> bool {
        let scheduling = self.run.axes.safety;
        scheduling.residency == Residency::AllResident && scheduling.next == NextBlock::Any
    }

    /// Whether the threads of one interval move on their own.
    fn threads_are_apart(&self) -> bool {
        match self.run.axes.warps {
            Warps::None => true,
            Warps::Independent(_) => !self.has_warp_operation(),
            Warps::Lockstep(_) => false,
        }
    }

    fn has_warp_operation(&self) -> bool {
        let procs = 0..self.run.program().procs.len() as u32;
        let entries = procs.filter_map(|p| self.run.compiled.entry(ProcId(p)));
        entries.into_iter().any(|code| code.has_warp_operation)
    }

    pub fn everything(&self) -> Vec<ScheduleStep> {
        self.trace.schedule(self.run.now(), |_, _| u32::MAX)
    }

    /// Up to the second access of a race, without what the thread of the first one (across blocks,
    /// its block) did after it: an atomic there may be what the second thread's next atomic learns
    /// of it by, and then they do not race in this order. `is_first`: no race came before.
    pub fn race(
        &self,
        hit: &Hit,
        (first, second): (Moment, Moment),
        is_first: bool,
    ) -> Vec<ScheduleStep> {
        let (Some((block_a, thread_a)), Some((block_b, thread_b))) =
            (thread_of(hit.first.actor), thread_of(hit.second.actor))
        else {
            return self.everything();
        };
        let [stamp_a, stamp_b] =
            [hit.conflict.first, hit.conflict.second].map(|side| side.epoch.stamp);
        let told = self.run.told.contains(&hit.launch);
        // Where atomics alone order nothing, the second thread may need to be told by the first.
        let may_stop = !told || self.run.axes.memory.asks_for_synchronisation();
        let block_stops = may_stop && block_a != block_b && self.blocks_are_free();
        let thread_stops =
            may_stop && (block_a, stamp_a) == (block_b, stamp_b) && self.threads_are_apart();
        let on_its_own = is_first && !told;
        let drop_blocks = on_its_own && self.blocks_are_free();
        let drop_threads = on_its_own && self.threads_are_apart();
        self.trace.schedule(second, |index, segment: &Segment| {
            let Some(block) = segment.block.filter(|_| segment.launch == hit.launch) else {
                return u32::MAX;
            };
            let is = |thread: u32| match &segment.actors {
                Actors::One(actor) => *actor == Actor::Thread { block, thread },
                Actors::Path { .. } => false,
            };
            let up_to_first = match index.cmp(&first.segment) {
                Ordering::Less => u32::MAX,
                Ordering::Equal => first.steps,
                Ordering::Greater => 0,
            };
            if block != block_a && block != block_b {
                return if drop_blocks { 0 } else { u32::MAX };
            }
            if block == block_a && block_stops {
                let others = drop_threads && segment.stamp >= stamp_a && !is(thread_a);
                return if others { 0 } else { up_to_first };
            }
            if block == block_a && thread_stops && segment.stamp == stamp_a && is(thread_a) {
                return up_to_first;
            }
            // The interval of the second access.
            let others = drop_threads && segment.stamp >= stamp_b && !is(thread_b);
            if others { 0 } else { u32::MAX }
        })
    }

    pub fn fault(&self, fault: &Fault) -> Vec<ScheduleStep> {
        let launch = self.run.launch;
        let stamp = self.run.watch.now.stamp;
        let (block, thread) = match fault.actor {
            Actor::Thread { block, thread } => (block, Some(thread)),
            Actor::Block(block) => (block, None),
            _ => return self.everything(),
        };
        let on_its_own = !self.racy.contains(&launch) && !self.run.told.contains(&launch);
        let drop_blocks = on_its_own && self.blocks_are_free();
        let drop_threads = on_its_own && self.threads_are_apart();
        self.trace.schedule(self.run.now(), |_, segment: &Segment| {
            let Some(other) = segment.block.filter(|_| segment.launch == launch) else {
                return u32::MAX;
            };
            if other != block {
                return if drop_blocks { 0 } else { u32::MAX };
            }
            match (thread, &segment.actors) {
                (Some(thread), Actors::One(actor)) if drop_threads && segment.stamp == stamp => {
                    if *actor == (Actor::Thread { block, thread }) {
                        u32::MAX
                    } else {
                        0
                    }
                }
                _ => u32::MAX,
            }
        })
    }
}

fn thread_of(actor: Actor) -> Option<(u32, u32)> {
    match actor {
        Actor::Thread { block, thread } => Some((block, thread)),
        _ => None,
    }
}
