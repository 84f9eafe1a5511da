//! What a block does in a transition (level 2): each thread that fires takes its own step (level 1) from the same
//! memory, or threads that have waited for one another continue together.

use super::literal_barrier;
use super::moves::BlockMove;
use super::part::{Fired, Part};
use super::warp::together::is_joint;
use crate::thread::{Failure, named_barrier_at_head, step};
use crate::transition::Rule;
use crate::transition::fault::Fault;

impl Part<'_> {
    /// The rule, and the fault it ends in.
    pub fn perform(&mut self, m: &BlockMove, only_barriers: bool) -> (Rule, Option<Fault>) {
        match m {
            BlockMove::Barrier => (Rule::CollectiveBarrier, self.leave_barrier(only_barriers)),
            BlockMove::Warp(threads) => (self.together(threads), None),
            BlockMove::Threads(threads) => {
                if self.place.context.is_lockstep() && is_joint(self.view(threads[0]).thread) {
                    return self.lockstep_together(threads);
                }
                if named_barrier_at_head(self.view(threads[0]).thread).is_some() {
                    return (Rule::NamedBarrier, self.arrive(threads));
                }
                self.threads(threads)
            }
        }
    }

    fn threads(&mut self, threads: &[u32]) -> (Rule, Option<Fault>) {
        let mut rule = Rule::Merge;
        let mut fault = None;
        for &thread in threads {
            let outcome = match self.bad_mask(thread) {
                Some(failure) => Some(Err(failure)),
                None if self.view(thread).thread.is_at_barrier() => {
                    literal_barrier::step(self.view(thread))
                }
                None => step(self.view(thread)),
            };
            self.label.actors.push(self.place.actor(thread));
            match outcome {
                None => {}
                Some(Ok(step)) => {
                    rule = step.rule;
                    self.label.op.get_or_insert(step.op);
                    self.record(thread, step.op, &step.touched);
                    self.fired.push(Fired {
                        block: self.place.block,
                        thread,
                        step,
                    });
                }
                Some(Err(Failure {
                    rule: failed,
                    op,
                    touched,
                    kind,
                })) => {
                    rule = failed;
                    self.label.op.get_or_insert(op);
                    self.record(thread, op, &touched);
                    fault = fault.or(Some(Fault {
                        kind,
                        actor: self.place.actor(thread),
                        op,
                    }));
                }
            }
        }
        if threads.len() > 1 {
            rule = Rule::Merge;
        }
        (rule, fault)
    }
}
