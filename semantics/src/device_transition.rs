//! Performing a transition of a launch in progress: step every thread that fires from the same
//! memory, combine, label.

use crate::barrier;
use crate::context::Context;
use crate::fault::{Fault, FaultKind};
use crate::grid::{BlockState, GridState};
use crate::grid_barrier;
use crate::merge::{self, Fired};
use crate::moves::{BlockMove, Move};
use crate::named_barrier;
use crate::operator::OpId;
use crate::profile::Warps;
use crate::rules::{self, Failure};
use crate::system::{End, State};
use crate::transition::{Access, Actor, Label, Rule};
use crate::view::{Device, Touched, View};
use crate::warp::Gathering;
use crate::warp::arrival::{Arrival, Operation};
use crate::warp::together::{Place, is_joint};
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
        .map(|mut after| {
            let mut label = label.clone();
            if ended_are_waited_for(context, grid, &mut after, chosen) {
                label.rule = Rule::NamedBarrier;
            }
            (label, after)
        })
        .collect()
}

/// Where a thread has ended, lets those go on who waited at a named barrier for it alone.
fn ended_are_waited_for(
    context: &Context,
    before: &GridState,
    after: &mut State,
    chosen: &Move,
) -> bool {
    let Some(grid) = &mut after.device else {
        return false;
    };
    let mut any = false;
    for (index, _) in chosen {
        let old = &before.blocks[*index as usize];
        let now = &grid.blocks[*index as usize];
        if now.named.is_empty() || now.unfinished == old.unfinished {
            continue;
        }
        let mut released = (**now).clone();
        named_barrier::release(context, &mut released);
        if released.named.len() != now.named.len() {
            any = true;
            released.settle_warps();
            grid.set_block(*index, released);
        }
    }
    any
}

/// The barrier of the grid, or the defect it has become.
pub fn leave_grid_barrier(context: &Context, state: &State) -> Option<(Label, State)> {
    let grid = state.device.as_ref()?;
    let gathering = grid_barrier::Gathering::of(context, grid);
    if gathering == grid_barrier::Gathering::Incomplete {
        return None;
    }
    let mut label = Label {
        rule: Rule::GridBarrier,
        actors: Vec::new(),
        op: None,
        accesses: Vec::new(),
        fault: None,
    };
    for (block, own) in grid.blocks.iter().enumerate() {
        for (thread, at) in own.threads.iter().enumerate() {
            if grid_barrier::is_at_grid_barrier(at) {
                label.actors.push(Actor::Thread {
                    block: block as u32,
                    thread: thread as u32,
                });
            }
        }
    }
    let mut after = state.clone();
    match gathering {
        grid_barrier::Gathering::Incomplete => return None,
        grid_barrier::Gathering::Complete(op) => {
            label.op = Some(op);
            after.device = Some(grid_barrier::release(context, grid));
        }
        grid_barrier::Gathering::Diverged(positions, op) => {
            label.op = Some(op);
            let fault = Fault {
                kind: FaultKind::BarrierDivergence { positions },
                actor: Actor::Device,
                op,
            };
            after.end = Some(End::Fault(Arc::new(fault.clone())));
            label.fault = Some(fault);
        }
    }
    Some((label, after))
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
            BlockMove::Warp(threads) => (self.together(threads), None),
            BlockMove::Threads(threads) => {
                if self.context.is_lockstep() && is_joint(self.view(threads[0]).thread) {
                    return self.lockstep_together(threads);
                }
                if named_barrier::at_head(self.view(threads[0]).thread).is_some() {
                    return (Rule::NamedBarrier, self.arrive(threads));
                }
                self.threads(threads)
            }
        }
    }

    /// These threads arrive at a named barrier, one after another.
    fn arrive(&mut self, threads: &[u32]) -> Option<Fault> {
        let mut block = self.state().clone();
        block.started = true;
        let n_threads = block.threads.len() as u32;
        for &thread in threads {
            let op = self.view(thread).thread.position()?;
            self.label.op.get_or_insert(op);
            self.label.actors.push(self.actor(thread));
            let asked = named_barrier::arrival(self.view(thread), n_threads);
            let arrived = asked.and_then(|(arrival, touched)| {
                self.record(thread, op, &touched);
                named_barrier::arrive(self.context, &block, thread, arrival)
            });
            match arrived {
                Ok(after) => block = after,
                Err(kind) => {
                    let actor = self.actor(thread);
                    return Some(Fault { kind, actor, op });
                }
            }
        }
        self.released = Some(block);
        None
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

    fn place(&self) -> Place<'_> {
        Place {
            context: self.context,
            memory: &self.base.memory,
            grid: self.grid,
            block: self.block,
        }
    }

    /// A warp operation that nothing is wrong with.
    fn together(&mut self, threads: &[u32]) -> Rule {
        let Some(done) = self.place().fire(threads) else {
            return Rule::WarpExchange;
        };
        self.label.op.get_or_insert(done.op);
        for &thread in threads {
            self.label.actors.push(self.actor(thread));
        }
        for (thread, op, touched) in &done.touched {
            self.record(*thread, *op, touched);
        }
        self.released = Some(done.block);
        done.rule
    }

    /// A warp operation of a lockstep path.
    fn lockstep_together(&mut self, path: &[u32]) -> (Rule, Option<Fault>) {
        let Some((thread, kind, touched)) = self.place().lockstep_fault(path) else {
            return (self.together(path), None);
        };
        let rule = match Operation::at(self.view(thread).thread) {
            Some(Operation::Sync) => Rule::WarpBarrier,
            _ => Rule::WarpExchange,
        };
        let actor = self.actor(thread);
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
        if self.context.axes.warps == Warps::None || self.context.is_lockstep() {
            return None;
        }
        let gathering = Gathering::of(
            self.context,
            &self.base.memory,
            self.grid,
            self.block,
            thread,
        )?;
        let Gathering::Bad(kind) = gathering else {
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
                None => rules::step(self.view(thread)),
            };
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
            BlockMove::Threads(threads) | BlockMove::Warp(threads) => {
                debug_assert!(steps.is_empty() || steps.contains(&(*block, threads[0])));
                let index = (threads[0] / context.warp_size()) as usize;
                let warp = changed.warps[index].after(old, &changed, threads);
                changed.warps.set(index, Arc::new(warp));
                // Others may have been let go on at a named barrier.
                let goes_on = |t: &u32| {
                    old.threads[*t as usize].waiting && !changed.threads[*t as usize].waiting
                };
                let mut freed = Vec::new();
                for (other, warp) in old.warps.iter().enumerate() {
                    let mut threads = warp.paths.iter().flat_map(|path| path.threads.iter());
                    if other != index && threads.any(goes_on) {
                        freed.push((other, warp.after_barrier(&changed)));
                    }
                }
                for (other, warp) in freed {
                    changed.warps.set(other, Arc::new(warp));
                }
            }
        }
        grid.set_block(*block, changed);
    }
}
