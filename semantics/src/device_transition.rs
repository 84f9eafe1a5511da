//! Performing a transition of a launch in progress: step every thread that fires from the same
//! memory, combine, label.

use crate::barrier;
use crate::context::Context;
use crate::fault::{Fault, FaultKind};
use crate::grid::{BlockState, GridState};
use crate::merge::{self, Fired};
use crate::moves::{BlockMove, Move};
use crate::operator::OpId;
use crate::premises::{Premise, decided};
use crate::rules::{self, Failure};
use crate::system::{End, State};
use crate::transition::{Access, Actor, Label, Rule};
use crate::view::{Device, Touched, View};
use crate::warp;
use std::sync::Arc;

/// The transitions a move stands for: one for each way to combine what its threads did, or the
/// fault of the first thread that has one. Empty when no launch is in progress.
pub fn perform(context: &Context, state: &State, chosen: &Move) -> Vec<(Label, State)> {
    let Some(grid) = &state.device else {
        return vec![];
    };
    let mut base = state.clone();
    let mut started = grid.clone();
    for (block, _) in chosen {
        let mut begun = (*grid.blocks[*block as usize]).clone();
        if !begun.started {
            begun.started = true;
            started.set_block(*block, begun);
        }
    }
    let mut label = Label {
        rule: Rule::Merge,
        actors: Vec::new(),
        op: None,
        accesses: Vec::new(),
        fault: None,
    };
    let mut fired = Vec::new();
    let mut rules = Vec::new();
    let mut failure = None;
    let only_barriers = chosen.iter().all(|(_, m)| *m == BlockMove::Barrier);
    for (block, m) in chosen {
        let mut one = Part {
            context,
            base: state,
            grid,
            block: *block,
            label: &mut label,
            fired: &mut fired,
            released: None,
        };
        let (rule, outcome) = one.perform(m, only_barriers);
        rules.push(rule);
        if let Some(released) = one.released {
            started.set_block(*block, released);
        }
        failure = failure.or(outcome);
    }
    // Blocks that leave their barriers in one transition still leave barriers: each its own.
    if let [rule, others @ ..] = rules.as_slice()
        && (others.is_empty() || only_barriers)
    {
        label.rule = *rule;
    }
    if let Some(fault) = failure {
        base.end = Some(End::Fault(Arc::new(fault.clone())));
        label.fault = Some(fault);
        return vec![(label, base)];
    }
    base.device = Some(started);
    let steps: Vec<(u32, u32)> = fired.iter().map(|f| (f.block, f.thread)).collect();
    let mut states = merge::combine(context, &base, fired);
    if context.is_lockstep() {
        for after in &mut states {
            reconverge(context, grid, after, chosen, &steps);
        }
    }
    states
        .into_iter()
        .map(|after| (label.clone(), after))
        .collect()
}

/// What one block contributes to a transition.
struct Part<'a> {
    context: &'a Context,
    base: &'a State,
    grid: &'a GridState,
    block: u32,
    label: &'a mut Label,
    fired: &'a mut Vec<Fired>,
    /// The block after threads have left a barrier.
    released: Option<BlockState>,
}

impl Part<'_> {
    fn state(&self) -> &BlockState {
        &self.grid.blocks[self.block as usize]
    }

    fn view(&self, thread: u32) -> View<'_> {
        View {
            context: self.context,
            memory: &self.base.memory,
            thread: &self.state().threads[thread as usize],
            device: Some(Device {
                launch: &self.grid.launch,
                block: self.block,
                thread,
                shared: &self.state().shared,
            }),
        }
    }

    fn actor(&self, thread: u32) -> Actor {
        Actor::Thread {
            block: self.block,
            thread,
        }
    }

    fn record(&mut self, thread: u32, op: OpId, touched: &[Touched]) {
        let actor = self.actor(thread);
        self.label.accesses.extend(touched.iter().map(|t| Access {
            actor,
            array: t.array,
            index: t.index,
            mode: t.mode,
            op,
        }));
    }

    /// The rule, and the fault it ends in.
    fn perform(&mut self, m: &BlockMove, only_barriers: bool) -> (Rule, Option<Fault>) {
        match m {
            BlockMove::Barrier => (Rule::CollectiveBarrier, self.barrier(only_barriers)),
            BlockMove::WarpBarrier(threads) => {
                self.leave_warp_barrier(threads);
                (Rule::WarpBarrier, None)
            }
            BlockMove::Threads(threads) => {
                if self.context.is_lockstep() && warp::is_at_sync(self.view(threads[0]).thread) {
                    return (Rule::WarpBarrier, self.lockstep_sync(threads));
                }
                self.threads(threads)
            }
        }
    }

    /// Names the participants where the transition is nothing but barriers, else the block.
    fn barrier(&mut self, only_barriers: bool) -> Option<Fault> {
        let gathering = barrier::Gathering::of(self.context, self.block, self.state());
        let fault = gathering.fault();
        let (threads, op) = match gathering {
            barrier::Gathering::Incomplete => return None,
            barrier::Gathering::Complete(threads, op) => (threads, op),
            barrier::Gathering::Diverged(_, op) => {
                let waiting = self.state().threads.iter().enumerate();
                let waiting = waiting.filter(|(_, thread)| thread.is_at_barrier());
                (waiting.map(|(index, _)| index as u32).collect(), op)
            }
        };
        self.label.op.get_or_insert(op);
        if only_barriers {
            let actors: Vec<Actor> = threads.iter().map(|&t| self.actor(t)).collect();
            self.label.actors.extend(actors);
        } else {
            self.label.actors.push(Actor::Block(self.block));
        }
        if let Some(kind) = fault {
            return Some(Fault {
                kind,
                actor: Actor::Block(self.block),
                op,
            });
        }
        let mut released = barrier::release(self.context, self.state(), &threads);
        released.started = true;
        self.released = Some(released);
        None
    }

    fn leave_warp_barrier(&mut self, threads: &[u32]) {
        let mut released = self.state().clone();
        released.started = true;
        for &thread in threads {
            let mut moved = (*released.threads[thread as usize]).clone();
            if let Some(op) = moved.position() {
                self.label.op.get_or_insert(op);
            }
            moved.advance(&self.context.program);
            released.set_thread(thread, moved);
            self.label.actors.push(self.actor(thread));
        }
        self.released = Some(released);
    }

    /// `__syncwarp(m)` on a lockstep path: every lane of `m` that has not ended is on the path.
    fn lockstep_sync(&mut self, path: &[u32]) -> Option<Fault> {
        let size = self.context.warp_size();
        let first = path[0] / size * size;
        for &thread in path {
            let view = self.view(thread);
            let op = view.thread.position()?;
            let Some(mask) = warp::mask_of(view) else {
                // Evaluating the mask is a fault; stepping shows it.
                return self.threads(&[thread]).1;
            };
            let is_there = |lane: u32| {
                let index = first + lane;
                let state = self.state().threads.get(index as usize);
                !state.is_some_and(|t| t.is_running()) || path.contains(&index)
            };
            let named = (0..size).filter(|&lane| mask & (1 << lane) != 0);
            let own = mask & (1 << (thread - first)) != 0;
            decided(Premise::MaskNamesCaller, own);
            let all_there = named.into_iter().all(is_there);
            if !own || !decided(Premise::LanesAreOnPath, all_there) {
                self.label.op.get_or_insert(op);
                self.label.actors.push(self.actor(thread));
                return Some(Fault {
                    kind: FaultKind::BadWarpMask { mask },
                    actor: self.actor(thread),
                    op,
                });
            }
        }
        self.leave_warp_barrier(path);
        None
    }

    fn threads(&mut self, threads: &[u32]) -> (Rule, Option<Fault>) {
        let mut rule = Rule::Merge;
        let mut fault = None;
        for &thread in threads {
            let outcome = rules::step(self.view(thread));
            self.label.actors.push(self.actor(thread));
            match outcome {
                None => {}
                Some(Ok(step)) => {
                    rule = step.rule;
                    self.label.op.get_or_insert(step.op);
                    self.record(thread, step.op, &step.touched);
                    self.fired.push(Fired {
                        block: self.block,
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
                        actor: self.actor(thread),
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

/// Brings the warps up to date after a transition from `before`.
fn reconverge(
    context: &Context,
    before: &GridState,
    after: &mut State,
    chosen: &Move,
    steps: &[(u32, u32)],
) {
    let Some(grid) = &mut after.device else {
        return;
    };
    for (block, m) in chosen {
        let old = &before.blocks[*block as usize];
        let mut changed = (*grid.blocks[*block as usize]).clone();
        match m {
            BlockMove::Barrier => {
                let settled: im::Vector<_> = changed
                    .warps
                    .iter()
                    .map(|warp| Arc::new(warp.after_barrier(&changed)))
                    .collect();
                changed.warps = settled;
            }
            BlockMove::Threads(threads) | BlockMove::WarpBarrier(threads) => {
                debug_assert!(steps.is_empty() || steps.contains(&(*block, threads[0])));
                let index = (threads[0] / context.warp_size()) as usize;
                let warp = changed.warps[index].after(old, &changed, threads);
                changed.warps.set(index, Arc::new(warp));
            }
        }
        grid.set_block(*block, changed);
    }
}
