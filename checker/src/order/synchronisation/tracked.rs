//! A program with the order of its accesses kept beside each state.

use crate::order::conflict_unless;
use crate::order::synchronisation::known::Width;
use crate::order::synchronisation::order::{Made, Order, messenger};
use crate::order::synchronisation::weak::{Collected, WeakMemory};
use crate::system::footprint::{AccessClass, MayTouch, place_of};
use crate::system::{DeviceShape, Explorable, ExploredProgram, Threadwise, WarpWait};
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind, Orders, Scope};
use gridlock_semantics::grid::meetings;
use gridlock_semantics::host::State;
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::system::Leak;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, AccessMode, Actor, Label, Rule, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// A state and the order of the accesses made on the way to it, as far as it still matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrackedState {
    /// A state of the program.
    pub state: State,
    /// What is known of the accesses before it.
    pub order: Arc<Order>,
}

/// The system, and what was seen whenever one of its transitions was looked at. Only transitions
/// out of reachable states may be asked for, so all that is seen happens in some execution.
pub struct Tracked<'a> {
    system: &'a ExploredProgram,
    fences: FxHashMap<OpId, Width>,
    lockstep: bool,
    seen: Mutex<Collected>,
    /// Pairs of operators, the lower first: accesses by them that nothing orders are told as races.
    asked: FxHashSet<(OpId, OpId)>,
}

impl<'a> Tracked<'a> {
    /// The program with nothing seen yet.
    pub fn new(system: &'a ExploredProgram) -> Tracked<'a> {
        let mut fences = FxHashMap::default();
        for (_, op) in system.program().operators() {
            if let OpKind::Basic(Basic::Fence { scope }) = op.kind {
                let width = match scope {
                    Scope::Block => Width::Block,
                    Scope::Device | Scope::System => Width::Device,
                };
                fences.insert(op.id, width);
            }
        }
        Tracked {
            system,
            fences,
            lockstep: system.profile().axes.warps.is_lockstep(),
            seen: Mutex::new(Collected::default()),
            asked: FxHashSet::default(),
        }
    }

    /// The same, which tells where accesses by these pairs of operators, the lower first, are not ordered.
    /// A run to such a place may still show that they are: what follows an atomic is taken to have been
    /// learnt from it only if its result is used.
    pub fn asking(self, asked: FxHashSet<(OpId, OpId)>) -> Tracked<'a> {
        Tracked { asked, ..self }
    }

    /// What keeps interleaving from speaking for the machine, after a complete search.
    pub fn reasons(&self) -> Vec<WeakMemory> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.reasons()
    }

    fn follow(&self, from: &TrackedState, (label, state): (Label, State)) -> (Label, TrackedState) {
        let order = match &from.state.device {
            None => Arc::default(),
            Some(_) if matches!(label.rule, Rule::R8 | Rule::R9) => Arc::default(),
            Some(grid) => {
                let n_threads = grid.launch.n_threads() as u32;
                self.after(from, &label, &state, n_threads)
            }
        };
        (label, TrackedState { state, order })
    }

    fn after(&self, from: &TrackedState, label: &Label, to: &State, n_threads: u32) -> Arc<Order> {
        let fence = label.op.and_then(|op| self.fences.get(&op)).copied();
        let meets = matches!(
            label.rule,
            Rule::CollectiveBarrier
                | Rule::WarpBarrier
                | Rule::WarpExchange
                | Rule::GridBarrier
                | Rule::NamedBarrier
        ) || self.lockstep && label.actors.len() > 1;
        let ends = label.rule == Rule::R10 || to.device.is_none();
        if label.accesses.is_empty() && fence.is_none() && !meets && !ends {
            let ended = self.n_running(to) != self.n_running(&from.state);
            if !ended || from.order.is_empty() {
                return from.order.clone();
            }
        }
        let mut order = (*from.order).clone();
        let number = |actor: &Actor| match actor {
            Actor::Thread { block, thread } => Some((block * n_threads + thread, *block)),
            _ => None,
        };
        if !label.accesses.is_empty() {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            for access in &label.accesses {
                if let Some((thread, block)) = number(&access.actor) {
                    let made = self.made(from, to, access, thread, block);
                    order.access(&made, &mut seen);
                }
            }
        }
        if let Some(width) = fence {
            for (thread, block) in label.actors.iter().filter_map(number) {
                order.fence(thread, block, width);
            }
        }
        if label.rule == Rule::WarpExchange {
            let all: Vec<u32> = label
                .actors
                .iter()
                .filter_map(number)
                .map(|n| n.0)
                .collect();
            order.exchange(&all);
        }
        if label.rule == Rule::GridBarrier {
            let met: Vec<u32> = label
                .actors
                .iter()
                .filter_map(number)
                .map(|n| n.0)
                .collect();
            order.join(&met, &met, Width::Device);
        } else if label.rule == Rule::NamedBarrier {
            if let (Some(before), Some(after)) = (&from.state.device, &to.device) {
                for (block, met) in meetings::meetings_of(before, after, label) {
                    let global = |thread: &u32| block * n_threads + thread;
                    let mut from: Vec<u32> = met.from.iter().map(global).collect();
                    let to: Vec<u32> = met.to.iter().map(global).collect();
                    from.push(messenger(block, met.id));
                    order.join(&from, &to, Width::None);
                    order.silence(messenger(block, met.id));
                }
                for gone in meetings::gone_on(before, after, label) {
                    let thread = gone.block * n_threads + gone.thread;
                    order.join(&[thread], &[messenger(gone.block, gone.id)], Width::None);
                }
            }
        } else if meets && (label.rule != Rule::WarpExchange || self.lockstep) {
            for met in label
                .actors
                .chunk_by(|a, b| number(a).map(|n| n.1) == number(b).map(|n| n.1))
            {
                let mut threads: Vec<u32> = met.iter().filter_map(number).map(|(t, _)| t).collect();
                threads.sort_unstable();
                let whole_block =
                    label.rule == Rule::CollectiveBarrier && threads.len() == n_threads as usize;
                let settles = if whole_block {
                    Width::Block
                } else {
                    Width::None
                };
                let orders = match label.rule {
                    Rule::CollectiveBarrier => self.system.barrier_orders(label.op),
                    _ => Orders::All,
                };
                order.meet(&threads, settles, orders);
                let of_block = met.first().and_then(&number).map(|n| n.1);
                if let Some(block) = of_block
                    && label.rule == Rule::CollectiveBarrier
                    && orders == Orders::All
                    && self.system.barrier_acquires_for_volatile()
                {
                    order.meet_for_volatile(&threads, block);
                }
            }
        }
        self.forget(&mut order, to, n_threads);
        Arc::new(order)
    }

    fn n_running(&self, state: &State) -> u32 {
        let blocks = state.device.iter().flat_map(|grid| grid.blocks.iter());
        blocks.map(|block| block.unfinished).sum()
    }

    fn forget(&self, order: &mut Order, to: &State, n_threads: u32) {
        let Some(grid) = &to.device else {
            *order = Order::default();
            return;
        };
        let mut running = Vec::new();
        for (b, block) in grid.blocks.iter().enumerate() {
            for (t, thread) in block.threads.iter().enumerate() {
                if thread.is_running() {
                    running.push((b as u32 * n_threads + t as u32, b as u32));
                }
            }
        }
        order.forget(&running);
    }

    fn made(
        &self,
        from: &TrackedState,
        to: &State,
        access: &Access,
        thread: u32,
        block: u32,
    ) -> Made {
        let writes = !self.system.may_fail_to_write(access.op)
            || self.system.cell(&from.state, access) != self.system.cell(to, access);
        self.made_as(access, thread, block, writes)
    }

    fn made_as(&self, access: &Access, thread: u32, block: u32, writes: bool) -> Made {
        let is_atomic = access.mode.is_atomic();
        Made {
            place: place_of(access),
            class: self.system.access_class(access),
            op: access.op,
            thread,
            block,
            wide: !is_atomic || self.system.atomic_scope(access.op) != Some(Scope::Block),
            used: self.system.is_result_used(access.op),
            writes,
            reads_only: access.mode.reads_only(),
            resets: self.system.may_be_reset(access.op, access.array),
            volatile: self.system.is_volatile(access.op),
        }
    }
}

impl TransitionSystem for Tracked<'_> {
    type State = TrackedState;

    fn initial(&self) -> Vec<TrackedState> {
        let initial = self.system.initial().into_iter();
        initial
            .map(|state| TrackedState {
                state,
                order: Arc::default(),
            })
            .collect()
    }

    fn successors(&self, state: &TrackedState, found: &mut Vec<(Label, TrackedState)>) {
        let mut plain = Vec::new();
        self.system.successors(&state.state, &mut plain);
        found.extend(plain.into_iter().map(|next| self.follow(state, next)));
    }

    fn is_final(&self, state: &TrackedState) -> bool {
        self.system.is_final(&state.state)
    }

    fn is_discarded(&self, state: &TrackedState) -> bool {
        self.system.is_discarded(&state.state)
    }
}

impl Explorable for Tracked<'_> {
    fn observe(&self, state: &TrackedState) -> Observation {
        self.system.observe(&state.state)
    }

    fn positions(&self, state: &TrackedState) -> Vec<ThreadPosition> {
        self.system.positions(&state.state)
    }

    fn leaks(&self, state: &TrackedState) -> Vec<Leak> {
        self.system.leaks(&state.state)
    }

    fn counts(&self, label: &Label) -> bool {
        self.system.counts(label)
    }

    fn state_bytes(&self, state: &TrackedState) -> u64 {
        self.system.state_bytes(&state.state) + state.order.bytes()
    }

    fn too_wide(&self, state: &TrackedState) -> Option<String> {
        self.system.too_wide(&state.state)
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.system.access_class(access)
    }

    fn access_kind(&self, access: &Access) -> AccessKind {
        self.system.access_kind(access)
    }

    fn is_benign(&self, state: &TrackedState, first: &Access, second: &Access) -> bool {
        self.system.is_benign(&state.state, first, second)
    }

    fn unordered_before(&self, of: &TrackedState, second: &Access) -> Option<Access> {
        let (Actor::Thread { block, thread }, Some(grid)) = (second.actor, &of.state.device) else {
            return None;
        };
        let is_asked = |op: OpId| self.asked.contains(&(op.min(second.op), op.max(second.op)));
        if self.asked.is_empty() {
            return None;
        }
        let n_threads = grid.launch.n_threads() as u32;
        let made = self.made_as(second, block * n_threads + thread, block, true);
        let unordered = of.order.unordered_before(&made).map(|first| Access {
            actor: Actor::Thread {
                block: first.block,
                thread: first.thread % n_threads,
            },
            mode: first.mode,
            op: first.op,
            ..*second
        });
        let races = |first: &Access| {
            // What an earlier write left is not kept.
            let may_be_benign = self.system.same_value_is_benign()
                && [first.mode, second.mode] == [AccessMode::Write; 2];
            is_asked(first.op)
                && !may_be_benign
                && conflict_unless(self.system, first, second, || false)
        };
        unordered.into_iter().find(races)
    }
}

impl Threadwise for Tracked<'_> {
    fn device(&self, state: &TrackedState) -> Option<DeviceShape> {
        self.system.device(&state.state)
    }

    fn host_threads(&self, state: &TrackedState) -> Vec<Actor> {
        self.system.host_threads(&state.state)
    }

    fn fire_actor(
        &self,
        state: &TrackedState,
        actor: Actor,
        found: &mut Vec<(Label, TrackedState)>,
    ) {
        let mut plain = Vec::new();
        self.system.fire_actor(&state.state, actor, &mut plain);
        found.extend(plain.into_iter().map(|next| self.follow(state, next)));
    }

    fn may_touch(&self, state: &TrackedState) -> Option<&MayTouch> {
        self.system.may_touch(&state.state)
    }

    fn warp_wait(&self, state: &TrackedState, actor: Actor) -> Option<WarpWait> {
        self.system.warp_wait(&state.state, actor)
    }
}
