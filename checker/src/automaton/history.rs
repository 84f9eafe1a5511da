//! What a state keeps of the accesses made on the way to it, in one word: the number of a history,
//! each found once. How a history goes on depends on what happens and on it alone, so that is
//! worked out once as well.
//!
//! A history is the order of accesses ([`crate::order::synchronisation`]) or the accesses that others of
//! a warp are not ordered after ([`Past`]). Fences are taken with the step they follow in their
//! thread: a fence changes only what its own thread knows, so it commutes with what others do
//! meanwhile, and several count as the widest of them.

use super::barrier::Of;
use super::local::{Local, LocalId, Memo, read, write};
use super::step::{Agent, Kind, Step};
use super::system::Automaton;
use super::thread::Next;
use super::warp::is_joint;
use crate::order::Past;
use crate::order::synchronisation::WeakMemory;
use crate::order::synchronisation::known::Width;
use crate::order::synchronisation::order::{Made, Order, messenger};
use crate::order::synchronisation::weak::Collected;
use crate::system::fingerprint::fingerprint;
use crate::system::footprint::place_of;
use gridlock_semantics::algebra::operator::Orders;
use gridlock_semantics::block::named_barrier::Meeting;
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What a state keeps of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The accesses of the past are forgotten.
    Nothing,
    /// What [`crate::order::synchronisation::Tracked`] keeps.
    Order,
    /// What shows races across exchanges of a warp.
    Past,
}

/// Number of a history. Which history gets which number depends on who comes first.
pub type HistoryId = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct History {
    /// Threads that have not ended, and their blocks; ascending.
    running: Box<[(Agent, u32)]>,
    kept: Kept,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Kept {
    Order(Order),
    /// A write leaves bits, or no value.
    Past(Past<Option<u64>>),
}

/// Histories by number, and what was seen on the way to them.
#[derive(Debug, Serialize, Deserialize)]
pub struct All {
    found: Vec<History>,
    seen: Collected,
}

/// What a history learns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Event {
    /// The access a thread makes in a local state; `writes`: memory is another afterwards.
    Access {
        thread: Agent,
        local: LocalId,
        mode: AccessMode,
        writes: bool,
    },
    Fence {
        thread: Agent,
        device: bool,
    },
    Ends(Agent),
    /// The collective barrier of a block, and of which memories it orders accesses.
    Block(u32, Orders),
    /// The barrier of the grid.
    Grid,
    /// Threads of a block meet at a named barrier: see [`Histories::meeting`].
    Named(u32),
    /// A thread arrives at a named barrier and goes on before it is complete.
    Leaves {
        thread: Agent,
        barrier: u32,
    },
    /// Lanes, counted from thread `first`, do a warp operation.
    Warp {
        first: Agent,
        lanes: u32,
        exchange: bool,
    },
}

const SHARDS: usize = 32;

/// The histories met so far, and how they go on.
#[derive(Debug)]
pub(super) struct Histories {
    /// Each with a fingerprint that does not depend on its number.
    found: boxcar::Vec<(Arc<History>, u128)>,
    numbers: [RwLock<FxHashMap<Arc<History>, HistoryId>>; SHARDS],
    ways: [RwLock<FxHashMap<(HistoryId, Event), HistoryId>>; SHARDS],
    /// Who met at named barriers, by block.
    meetings: RwLock<Vec<(u32, Meeting)>>,
    seen: Mutex<Collected>,
    bytes: AtomicU64,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            found: boxcar::Vec::new(),
            numbers: std::array::from_fn(|_| RwLock::default()),
            ways: std::array::from_fn(|_| RwLock::default()),
            meetings: RwLock::default(),
            seen: Mutex::default(),
            bytes: AtomicU64::new(0),
        }
    }

    /// The history a launch starts with.
    pub fn start(&self, running: Vec<(Agent, u32)>, keeps: Keeps) -> HistoryId {
        let kept = match keeps {
            Keeps::Past => Kept::Past(Past::default()),
            Keeps::Order | Keeps::Nothing => Kept::Order(Order::default()),
        };
        self.number(History {
            running: running.into(),
            kept,
        })
    }

    /// A fingerprint of a history.
    pub fn print(&self, id: HistoryId) -> u128 {
        self.found[id as usize].1
    }

    /// All, by number, and what was seen.
    pub fn all(&self) -> All {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        All {
            found: self
                .found
                .iter()
                .map(|(_, (history, _))| (**history).clone())
                .collect(),
            seen: seen.clone(),
        }
    }

    /// Takes over what numbers stand for; false when they cannot be given again.
    pub fn recall(&self, all: All) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = all.seen;
        (0..)
            .zip(all.found)
            .all(|(id, history)| self.number(history) == id)
    }

    fn number(&self, history: History) -> HistoryId {
        let shard = &self.numbers[FxBuildHasher.hash_one(&history) as usize % SHARDS];
        if let Some(&id) = read(shard).get(&history) {
            return id;
        }
        let bytes = 200
            + size_of_val(&*history.running) as u64
            + match &history.kept {
                Kept::Order(order) => order.bytes(),
                Kept::Past(past) => past.bytes(),
            };
        let history = Arc::new(history);
        let mut numbers = write(shard);
        *numbers.entry(history.clone()).or_insert_with(|| {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            let print = fingerprint(&*history);
            self.found.push((history, print)) as HistoryId
        })
    }

    fn way(&self, from: HistoryId, event: Event, make: impl FnOnce() -> History) -> HistoryId {
        let key = (from, event);
        let shard = &self.ways[FxBuildHasher.hash_one(key) as usize % SHARDS];
        if let Some(&after) = read(shard).get(&key) {
            return after;
        }
        let after = self.number(make());
        self.bytes.fetch_add(40, Ordering::Relaxed);
        write(shard).insert(key, after);
        after
    }

    /// The number of a meeting of a block.
    fn meeting(&self, block: u32, meeting: Meeting) -> u32 {
        let meeting = (block, meeting);
        let known = |all: &[(u32, Meeting)]| all.iter().position(|other| *other == meeting);
        if let Some(at) = known(&read(&self.meetings)) {
            return at as u32;
        }
        let mut meetings = write(&self.meetings);
        let at = known(&meetings).unwrap_or(meetings.len());
        if at == meetings.len() {
            meetings.push(meeting);
        }
        at as u32
    }

    fn reasons(&self) -> Vec<WeakMemory> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.reasons()
    }
}

impl Automaton {
    /// What keeps interleaving from speaking for the machine: what
    /// [`crate::order::synchronisation::Tracked::reasons`] says, after a complete search. Empty where no
    /// order was kept.
    pub fn reasons(&self) -> Vec<WeakMemory> {
        let histories = self.histories.as_ref();
        histories.map_or(Vec::new(), Histories::reasons)
    }

    /// What states keep of the past.
    pub fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// Bytes the histories take that were found so far, roughly.
    pub fn history_bytes(&self) -> u64 {
        let histories = self.histories.as_ref();
        histories.map_or(0, |h| h.bytes.load(Ordering::Relaxed))
    }

    /// An access made on the way to `words` that `second`, made next, is not ordered after; one
    /// that makes `races` true, which also learns what a plain write left where that matters.
    pub fn unordered_before(
        &self,
        words: &[u32],
        second: &Access,
        races: impl Fn(&Access, Option<Option<u64>>) -> bool,
    ) -> Option<Access> {
        let at = self.plan.history?;
        let history = &self.histories.as_ref()?.found[words[at as usize] as usize].0;
        match &history.kept {
            Kept::Order(_) => None,
            Kept::Past(past) => past
                .unordered_before(second, self.n_lanes)
                .find(|(first, wrote)| races(first, *wrote))
                .map(|(first, _)| first),
        }
    }

    /// Completes `step`, which is what `agent` does in `words`, with what becomes of the history.
    pub(super) fn follow(
        &self,
        histories: &Histories,
        words: &[u32],
        agent: Agent,
        memo: &mut Memo,
        step: &mut Step,
    ) {
        let Some(at) = self.plan.history else {
            return;
        };
        let before = words[at as usize];
        let mut now = before;
        let mut happens = |event: Event| {
            now = memo.event(now, event, |from| {
                histories.way(from, event, || self.history_after(histories, from, event))
            });
        };
        let n_threads = self.n_threads_in_all();
        if agent < n_threads {
            let id = words[agent as usize];
            if let Some(touch) = step.touch.filter(|t| t.place != super::state::FIXED) {
                let writes = step.patches.iter().any(|(word, _)| *word >= n_threads);
                happens(Event::Access {
                    thread: agent,
                    local: id,
                    mode: touch.mode,
                    writes,
                });
            }
            if step.kind != Kind::Moves {
                return;
            }
            let local = self.locals.get(id);
            if is_joint(&local.next) {
                let (first, _) = self.lane_of(agent);
                let together = self.together(words, agent);
                let lanes = together.iter().fold(0, |set, t| set | 1 << (t - first));
                let exchange = matches!(local.next, Next::Exchange { .. });
                happens(Event::Warp {
                    first,
                    lanes,
                    exchange,
                });
                self.goes_on(words, step, together.into_iter(), &mut happens);
            } else if let Next::NamedBarrier(arrival) = &local.next {
                let Some(Ok(arrived)) = self.arrives(words, agent, arrival) else {
                    return;
                };
                let block = agent / self.plan.n_threads;
                if let Some(meeting) = arrived.meeting {
                    happens(Event::Named(histories.meeting(block, meeting)));
                }
                if arrived.leaves {
                    happens(Event::Leaves {
                        thread: agent,
                        barrier: arrival.id,
                    });
                }
                let slots = arrived.goes_on.iter().map(|t| self.plan.slot(block, *t));
                self.goes_on(words, step, slots, &mut happens);
            } else {
                self.goes_on(words, step, std::iter::once(agent), &mut happens);
            }
        } else if let (Kind::Moves, Some(of)) = (step.kind, self.barrier_of(agent)) {
            happens(match of {
                Of::Block(block) => Event::Block(block, self.orders_of(words, of)),
                Of::Grid => Event::Grid,
            });
            self.goes_on(words, step, self.waiting(words, of), &mut happens);
        }
        if now != before {
            step.patches.push((at, now));
        }
    }

    /// What these threads, ascending, do by themselves after they have moved: pass fences, and end.
    fn goes_on(
        &self,
        words: &[u32],
        step: &Step,
        threads: impl Iterator<Item = Agent>,
        happens: &mut impl FnMut(Event),
    ) {
        for thread in threads {
            let patch = step.patches.iter().find(|(word, _)| *word == thread);
            let after: &Local = self
                .locals
                .get(patch.map_or(words[thread as usize], |patch| patch.1));
            if after.fenced != Width::None {
                let device = after.fenced == Width::Device;
                happens(Event::Fence { thread, device });
            }
            if matches!(after.next, Next::Ended { .. }) {
                happens(Event::Ends(thread));
            }
        }
    }

    fn history_after(&self, histories: &Histories, from: HistoryId, event: Event) -> History {
        let mut history = (*histories.found[from as usize].0).clone();
        if let Event::Ends(thread) = event {
            let running = history.running.iter().filter(|(t, _)| *t != thread);
            history.running = running.copied().collect();
        }
        let History { running, kept } = &mut history;
        match kept {
            Kept::Order(order) => {
                self.order_after(histories, order, running, event);
                order.forget(running);
            }
            Kept::Past(past) => self.past_after(histories, past, running, event),
        }
        history
    }

    /// The access a thread makes in a local state, of this mode.
    fn access_in(&self, thread: Agent, local: &Local, mode: AccessMode) -> Option<Access> {
        let access = self.access(local, self.actor(thread))?;
        Some(Access { mode, ..access })
    }

    fn order_after(
        &self,
        histories: &Histories,
        order: &mut Order,
        running: &[(Agent, u32)],
        event: Event,
    ) {
        match event {
            Event::Access {
                thread,
                local,
                mode,
                writes,
            } => {
                let local = self.locals.get(local);
                let Some(access) = self.access_in(thread, local, mode) else {
                    return;
                };
                let is_atomic = mode.is_atomic();
                let made = Made {
                    place: place_of(&access),
                    class: self.reference.class_of(access.op, access.mode),
                    op: access.op,
                    thread,
                    block: thread / self.plan.n_threads,
                    wide: !is_atomic || !local.narrow,
                    used: self.reference.is_result_used(access.op),
                    writes: writes || !self.reference.may_fail_to_write(access.op),
                    reads_only: mode.reads_only(),
                    resets: self.reference.may_be_reset(access.op, access.array),
                    volatile: self.reference.is_volatile(access.op),
                };
                let seen = histories.seen.lock();
                let mut seen = seen.unwrap_or_else(PoisonError::into_inner);
                order.access(&made, &mut seen);
            }
            Event::Fence { thread, device } => {
                let width = if device { Width::Device } else { Width::Block };
                order.fence(thread, thread / self.plan.n_threads, width);
            }
            Event::Ends(_) => {}
            Event::Block(block, orders) => {
                let met = of_block(running, block);
                let settles = match met.len() == self.plan.n_threads as usize {
                    true => Width::Block,
                    false => Width::None,
                };
                order.meet(&met, settles, orders);
                if orders == Orders::All && self.reference.barrier_acquires_for_volatile() {
                    order.meet_for_volatile(&met, block);
                }
            }
            Event::Grid => {
                let met: Vec<Agent> = running.iter().map(|(thread, _)| *thread).collect();
                order.join(&met, &met, Width::Device);
            }
            Event::Named(meeting) => {
                let meetings = read(&histories.meetings);
                let (block, meeting) = &meetings[meeting as usize];
                let slots = |threads: &[u32]| -> Vec<Agent> {
                    let slots = threads.iter().map(|t| self.plan.slot(*block, *t));
                    slots.collect()
                };
                let messenger = messenger(*block, meeting.id);
                let from = [&slots(&meeting.from)[..], &[messenger]].concat();
                order.join(&from, &slots(&meeting.to), Width::None);
                order.silence(messenger);
            }
            Event::Leaves { thread, barrier } => {
                let messenger = messenger(thread / self.plan.n_threads, barrier);
                order.join(&[thread], &[messenger], Width::None);
            }
            Event::Warp {
                first,
                lanes,
                exchange,
            } => {
                let met = lanes_from(first, lanes);
                match exchange {
                    true => order.exchange(&met),
                    false => order.join(&met, &met, Width::None),
                }
            }
        }
    }

    fn past_after(
        &self,
        histories: &Histories,
        past: &mut Past<Option<u64>>,
        running: &[(Agent, u32)],
        event: Event,
    ) {
        let n_threads = self.plan.n_threads;
        match event {
            Event::Access {
                thread,
                local,
                mode,
                ..
            } => {
                let local = self.locals.get(local);
                if let Some(access) = self.access_in(thread, local, mode) {
                    let resets = self.reference.may_be_reset(access.op, access.array);
                    let wrote = match local.next {
                        Next::Store { bits, .. } if self.benign_same_value => Some(bits),
                        _ => None,
                    };
                    past.access(&access, self.n_lanes, resets, wrote);
                }
            }
            Event::Block(block, orders) => {
                let met = of_block(running, block);
                let met: Vec<(u32, u32)> = met.iter().map(|t| (block, t % n_threads)).collect();
                past.barrier(&met, orders, self.n_lanes);
            }
            Event::Warp {
                first,
                lanes,
                exchange: false,
            } => {
                let met = lanes_from(first % n_threads, lanes);
                past.sync(first / n_threads, &met, self.n_lanes);
            }
            Event::Grid => {
                let met = running.iter().map(|(t, block)| (*block, t % n_threads));
                past.barrier(&met.collect::<Vec<_>>(), Orders::All, self.n_lanes);
            }
            Event::Named(meeting) => {
                let (block, meeting) = &read(&histories.meetings)[meeting as usize];
                past.meeting(*block, meeting, self.n_lanes);
            }
            Event::Leaves { thread, barrier } => {
                past.leaves(
                    thread / n_threads,
                    thread % n_threads,
                    barrier,
                    self.n_lanes,
                );
            }
            Event::Warp { .. } | Event::Fence { .. } | Event::Ends(_) => {}
        }
    }

    /// Of which memories the barrier that threads wait at orders accesses.
    fn orders_of(&self, words: &[u32], of: Of) -> Orders {
        let first = self.waiting(words, of).next();
        first.map_or(Orders::All, |thread| {
            self.code
                .orders_at(self.locals.get(words[thread as usize]).pc)
        })
    }

    /// Those who have not ended in a state.
    pub(super) fn running(&self, words: &[u32]) -> Vec<(Agent, u32)> {
        let threads = 0..self.n_threads_in_all();
        let runs = |thread: &Agent| {
            let local = self.locals.get(words[*thread as usize]);
            !matches!(local.next, Next::Ended { .. })
        };
        let numbered = threads.filter(runs).map(|t| (t, t / self.plan.n_threads));
        numbered.collect()
    }
}

fn of_block(running: &[(Agent, u32)], block: u32) -> Vec<Agent> {
    let own = running.iter().filter(|(_, own)| *own == block);
    own.map(|(thread, _)| *thread).collect()
}

fn lanes_from(first: Agent, lanes: u32) -> Vec<Agent> {
    let set = (0..32).filter(|lane| lanes >> lane & 1 != 0);
    set.map(|lane| first + lane).collect()
}
