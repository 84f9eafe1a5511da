//! What a block does in a transition (level 2): each of its threads that fires takes the step of its own (level 1)
//! from the same memory, or they go past what they have waited for together.

use super::collective_barrier as barrier;
use super::literal_barrier;
use super::moves::BlockMove;
use super::named_barrier;
use super::place::Place;
use super::state::BlockState;
use super::warp::Gathering;
use super::warp::arrival::{Arrival, Operation};
use super::warp::together::is_joint;
use crate::algebra::operator::OpId;
use crate::profile::Warps;
use crate::thread::view::{Touched, View};
use crate::thread::{Failure, Step, named_barrier_at_head, step};
use crate::transition::fault::Fault;
use crate::transition::{Access, Actor, Label, Rule};

/// A thread's step in a transition.
#[derive(Clone, Debug)]
pub struct Fired {
    pub block: u32,
    pub thread: u32,
    pub step: Step,
}

/// What one block contributes to a transition.
pub struct Part<'a> {
    pub place: Place<'a>,
    pub label: &'a mut Label,
    pub fired: &'a mut Vec<Fired>,
    /// The block after threads have left a barrier.
    pub released: Option<BlockState>,
}

impl Part<'_> {
    fn view(&self, thread: u32) -> View<'_> {
        let state = &self.place.state.threads[thread as usize];
        self.place.seen_by(state, thread)
    }

    fn record(&mut self, thread: u32, op: OpId, touched: &[Touched]) {
        let actor = self.place.actor(thread);
        self.label.accesses.extend(touched.iter().map(|t| Access {
            actor,
            array: t.array,
            index: t.index,
            mode: t.mode,
            op,
        }));
    }

    /// The rule, and the fault it ends in.
    pub fn perform(&mut self, m: &BlockMove, only_barriers: bool) -> (Rule, Option<Fault>) {
        match m {
            BlockMove::Barrier => (Rule::CollectiveBarrier, self.barrier(only_barriers)),
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

    /// These threads arrive at a named barrier, one after another.
    fn arrive(&mut self, threads: &[u32]) -> Option<Fault> {
        let mut block = self.place.state.clone();
        block.started = true;
        let n_threads = block.threads.len() as u32;
        for &thread in threads {
            let op = self.view(thread).thread.position()?;
            self.label.op.get_or_insert(op);
            self.label.actors.push(self.place.actor(thread));
            let asked = named_barrier::arrival(self.view(thread), n_threads);
            let arrived = asked.and_then(|(arrival, touched)| {
                self.record(thread, op, &touched);
                named_barrier::arrive(self.place.context, &block, thread, arrival)
            });
            match arrived {
                Ok(after) => block = after,
                Err(kind) => {
                    let actor = self.place.actor(thread);
                    return Some(Fault { kind, actor, op });
                }
            }
        }
        self.released = Some(block);
        None
    }

    /// Names the participants where the transition is nothing but barriers, else the block.
    fn barrier(&mut self, only_barriers: bool) -> Option<Fault> {
        let gathering =
            barrier::Gathering::of(self.place.context, self.place.block, self.place.state);
        let fault = gathering.fault();
        let (threads, op) = match gathering {
            barrier::Gathering::Incomplete => return None,
            barrier::Gathering::Complete(threads, op) => (threads, op),
            barrier::Gathering::Diverged(_, op) => {
                let waiting = self.place.state.threads.iter().enumerate();
                let waiting = waiting.filter(|(_, thread)| thread.is_at_barrier());
                (waiting.map(|(index, _)| index as u32).collect(), op)
            }
        };
        self.label.op.get_or_insert(op);
        if only_barriers {
            let actors: Vec<Actor> = threads.iter().map(|&t| self.place.actor(t)).collect();
            self.label.actors.extend(actors);
        } else {
            self.label.actors.push(Actor::Block(self.place.block));
        }
        if let Some(kind) = fault {
            return Some(Fault {
                kind,
                actor: Actor::Block(self.place.block),
                op,
            });
        }
        let mut released = barrier::release(self.place.context, self.place.state, &threads);
        released.started = true;
        self.released = Some(released);
        None
    }

    /// A warp operation that nothing is wrong with.
    fn together(&mut self, threads: &[u32]) -> Rule {
        let Some(done) = self.place.fire(threads) else {
            return Rule::WarpExchange;
        };
        self.label.op.get_or_insert(done.op);
        for &thread in threads {
            self.label.actors.push(self.place.actor(thread));
        }
        for (thread, op, touched) in &done.touched {
            self.record(*thread, *op, touched);
        }
        self.released = Some(done.block);
        done.rule
    }

    /// A warp operation of a lockstep path.
    fn lockstep_together(&mut self, path: &[u32]) -> (Rule, Option<Fault>) {
        let Some((thread, kind, touched)) = self.place.lockstep_fault(path) else {
            return (self.together(path), None);
        };
        let rule = match Operation::at(self.view(thread).thread) {
            Some(Operation::Sync) => Rule::WarpBarrier,
            _ => Rule::WarpExchange,
        };
        let actor = self.place.actor(thread);
        self.label.actors.push(actor);
        let fault = self.view(thread).thread.position().map(|op| {
            self.label.op.get_or_insert(op);
            self.record(thread, op, &touched);
            Fault { kind, actor, op }
        });
        (rule, fault)
    }

    /// The step of a thread that waits at a warp operation whose mask has turned out bad.
    fn bad_mask(&self, thread: u32) -> Option<Failure> {
        if self.place.context.axes.warps == Warps::None || self.place.context.is_lockstep() {
            return None;
        }
        let Gathering::Bad(kind) = Gathering::of(self.place, thread)? else {
            return None;
        };
        let view = self.view(thread);
        let touched = match Arrival::of(view)? {
            Ok(arrival) => arrival.touched,
            Err((_, touched)) => touched,
        };
        Some(Failure {
            rule: Rule::R1,
            op: view.thread.position()?,
            touched,
            kind,
        })
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
