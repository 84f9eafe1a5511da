//! Races across exchanges among the lanes of a warp.
//!
//! An exchange makes its lanes wait for one another, so what one did before it and another does
//! after it never stand side by side in any state; but it orders no memory, so the two may race
//! all the same (`docs/memory-model.md`). To see them, a state also says which accesses the
//! threads of each warp have made that others of it are not ordered after: by a barrier of the
//! block, of some of its threads or of the grid, by `__syncwarp`, or by the end of the launch.
//! Accesses of different warps need no such memory: no exchange keeps them apart. Their threads
//! count all the same, as an order between lanes may lead through another warp.
//!
//! States that differ in this alone are told apart, so nothing is merged that should not be.

use crate::order::conflict_unless;
use crate::system::footprint::{AccessClass, MayTouch};
use crate::system::{DeviceShape, Explorable, ExploredProgram, Threadwise, WarpWait};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{OpId, Orders};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::block::named_barrier::Meeting;
use gridlock_semantics::grid::meetings::{self, Gone};
use gridlock_semantics::host::State;
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::system::Leak;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program whose states remember accesses.
#[derive(Clone, Copy)]
pub struct Remembering<'a>(pub &'a ExploredProgram);

/// A state, and the accesses that others of a warp are not ordered after.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remembered {
    state: State,
    past: Arc<Past<Value>>,
}

/// An access by a thread of a block: block, thread, array, index, how, operator, and what a plain write
/// left, where the profile calls writes of one value benign. Of several alike the last, which is ordered
/// before the least.
type Key<W> = (u32, u32, ArrayRef, i64, AccessMode, OpId, Option<W>);

/// What has become of an access since.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Since {
    /// Lanes of its warp ordered after it.
    after: u32,
    /// Threads of its block in other warps ordered after it. Ascending.
    elsewhere: Vec<u32>,
    /// Named barriers that an ordered thread has arrived at and left before they were complete. Ascending.
    gone: Vec<u32>,
    /// Read-modify-writes: lanes whose plain writes to the place come after it by coherence, as in
    /// [`crate::order::synchronisation::order`].
    behind: u32,
    /// The place was written plainly since: no chain of read-modify-writes leads on from it.
    is_cut: bool,
}

impl Since {
    /// Whether a thread of the block is ordered after an access of the warp.
    fn has(&self, warp: u32, thread: u32, n_lanes: u32) -> bool {
        match thread / n_lanes == warp {
            true => self.after >> (thread % n_lanes) & 1 == 1,
            false => self.elsewhere.binary_search(&thread).is_ok(),
        }
    }

    /// These threads of the block are ordered after an access of the warp.
    fn add(&mut self, warp: u32, threads: &[u32], n_lanes: u32) {
        for &thread in threads {
            if thread / n_lanes == warp {
                self.after |= 1 << (thread % n_lanes);
            } else if let Err(at) = self.elsewhere.binary_search(&thread) {
                self.elsewhere.insert(at, thread);
            }
        }
    }
}

/// What lies behind each access. `W` is what a write leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "W: Ord + Deserialize<'de>"))]
pub struct Past<W>(BTreeMap<Key<W>, Since>);

impl<W> Default for Past<W> {
    fn default() -> Past<W> {
        Past(BTreeMap::new())
    }
}

impl<W: Copy + Ord> Past<W> {
    /// Roughly.
    pub fn bytes(&self) -> u64 {
        128 * self.0.len() as u64
    }

    /// Follows an access. `resets`: [`ExploredProgram::may_be_reset`]; `wrote`: what a plain write left,
    /// where the profile calls writes of one value benign.
    pub fn access(&mut self, access: &Access, n_lanes: u32, resets: bool, wrote: Option<W>) {
        if let Actor::Thread { block, thread } = access.actor {
            let lane = 1 << (thread % n_lanes);
            if access.mode == AccessMode::Write || resets && access.mode == AccessMode::Atomic {
                let reaches = |of: u32| of == block || !matches!(access.array, ArrayRef::Shared(_));
                let is_here =
                    |key: &Key<W>| (key.2, key.3) == (access.array, access.index) && reaches(key.0);
                for (key, since) in self.0.iter_mut().filter(|(key, _)| is_here(key)) {
                    if access.mode == AccessMode::Write {
                        since.is_cut = true;
                    } else if (key.0, key.1 / n_lanes) == (block, thread / n_lanes)
                        && key.1 != thread
                        && key.4 == AccessMode::Atomic
                        && !since.is_cut
                    {
                        since.behind |= lane;
                    }
                }
            }
            let key = (
                block,
                thread,
                access.array,
                access.index,
                access.mode,
                access.op,
                wrote,
            );
            let since = Since {
                after: lane,
                elsewhere: Vec::new(),
                gone: Vec::new(),
                behind: 0,
                is_cut: false,
            };
            self.0.insert(key, since);
        }
    }

    /// All threads of some blocks that have not ended meet at a barrier that orders these memories; `met`: by
    /// block and number in it. What one of them is ordered after, nobody's access races with any more. Those
    /// who have ended arrive nowhere: what only they know of stays unordered.
    pub fn barrier(&mut self, met: &[(u32, u32)], orders: Orders, n_lanes: u32) {
        self.0.retain(|(block, thread, array, ..), since| {
            let knows = |(of, other): &(u32, u32)| {
                of == block && since.has(thread / n_lanes, *other, n_lanes)
            };
            !orders.includes(space_of(*array)) || !met.iter().any(knows)
        });
    }

    /// These threads of a block meet at `__syncwarp`.
    pub fn sync(&mut self, block: u32, met: &[u32], n_lanes: u32) {
        for ((of, thread, ..), since) in &mut self.0 {
            let warp = thread / n_lanes;
            if *of == block && met.iter().any(|&t| since.has(warp, t, n_lanes)) {
                since.add(warp, met, n_lanes);
            }
        }
    }

    /// Threads of a block meet at a named barrier.
    pub fn meeting(&mut self, block: u32, meeting: &Meeting, n_lanes: u32) {
        for ((of, thread, ..), since) in &mut self.0 {
            if *of == block {
                let warp = thread / n_lanes;
                let from = &meeting.from;
                let stood = from.iter().any(|&t| since.has(warp, t, n_lanes));
                let left = since.gone.binary_search(&meeting.id);
                if let Ok(at) = left {
                    since.gone.remove(at);
                }
                if stood || left.is_ok() {
                    since.add(warp, &meeting.to, n_lanes);
                }
            }
        }
    }

    /// A thread arrives at a named barrier of its block and goes on before it is complete.
    pub fn leaves(&mut self, block: u32, thread: u32, barrier: u32, n_lanes: u32) {
        for ((of, first, ..), since) in &mut self.0 {
            if *of == block
                && since.has(first / n_lanes, thread, n_lanes)
                && let Err(at) = since.gone.binary_search(&barrier)
            {
                since.gone.insert(at, barrier);
            }
        }
    }

    /// Accesses to the place of `second` by threads of its warp that it is not ordered after, each
    /// with what it wrote.
    pub fn unordered_before(
        &self,
        second: &Access,
        n_lanes: u32,
    ) -> impl Iterator<Item = (Access, Option<W>)> {
        let of = match second.actor {
            Actor::Thread { block, thread } => Some((block, thread)),
            _ => None,
        };
        let place = (second.array, second.index);
        let unordered = self
            .0
            .iter()
            .filter(move |((b, t, array, index, mode, ..), since)| {
                of.is_some_and(|(block, thread)| {
                    let ordering = match (mode, second.mode) {
                        (AccessMode::Atomic, AccessMode::Write) => since.after | since.behind,
                        _ => since.after,
                    };
                    *b == block
                        && t / n_lanes == thread / n_lanes
                        && (*array, *index) == place
                        && ordering >> (thread % n_lanes) & 1 == 0
                })
            });
        unordered.map(|(&(block, thread, array, index, mode, op, wrote), _)| {
            let access = Access {
                actor: Actor::Thread { block, thread },
                array,
                index,
                mode,
                op,
            };
            (access, wrote)
        })
    }
}

/// The memory an array lies in, as barriers tell memories apart.
fn space_of(array: ArrayRef) -> Space {
    match array {
        ArrayRef::Shared(_) => Space::Shared,
        _ => Space::Global,
    }
}

impl Remembering<'_> {
    fn n_lanes(&self) -> u32 {
        self.0.system().context().warp_size()
    }

    fn followed(&self, before: &Remembered, label: &Label, state: State) -> Remembered {
        let threads = label.actors.iter().filter_map(|actor| match actor {
            Actor::Thread { block, thread } => Some((*block, *thread)),
            _ => None,
        });
        let mut past = before.past.clone();
        let size = self.n_lanes();
        match label.rule {
            Rule::R8 | Rule::R9 => past = Arc::default(),
            Rule::CollectiveBarrier | Rule::GridBarrier => {
                let met: Vec<(u32, u32)> = threads.collect();
                let orders = self.0.barrier_orders(label.op);
                Arc::make_mut(&mut past).barrier(&met, orders, size);
            }
            Rule::WarpBarrier => {
                let met: Vec<(u32, u32)> = threads.collect();
                let lanes: Vec<u32> = met.iter().map(|(_, thread)| *thread).collect();
                if let Some((block, _)) = met.first() {
                    Arc::make_mut(&mut past).sync(*block, &lanes, size);
                }
            }
            Rule::NamedBarrier => {
                if let (Some(old), Some(new)) = (&before.state.device, &state.device) {
                    let past = Arc::make_mut(&mut past);
                    for (block, meeting) in meetings::meetings_of(old, new, label) {
                        past.meeting(block, &meeting, size);
                    }
                    for Gone { block, id, thread } in meetings::gone_on(old, new, label) {
                        past.leaves(block, thread, id, size);
                    }
                }
            }
            _ => {}
        }
        for access in &label.accesses {
            let resets = self.0.may_be_reset(access.op, access.array);
            let is_asked = access.mode == AccessMode::Write && self.0.same_value_is_benign();
            let wrote = is_asked.then(|| self.0.cell(&state, access)).flatten();
            Arc::make_mut(&mut past).access(access, self.n_lanes(), resets, wrote);
        }
        Remembered { state, past }
    }

    fn followed_all(
        &self,
        before: &Remembered,
        found: Vec<(Label, State)>,
    ) -> impl Iterator<Item = (Label, Remembered)> {
        found.into_iter().map(move |(label, state)| {
            let after = self.followed(before, &label, state);
            (label, after)
        })
    }
}

impl TransitionSystem for Remembering<'_> {
    type State = Remembered;

    fn initial(&self) -> Vec<Remembered> {
        let states = self.0.initial().into_iter();
        states
            .map(|state| Remembered {
                state,
                past: Arc::default(),
            })
            .collect()
    }

    fn successors(&self, before: &Remembered, found: &mut Vec<(Label, Remembered)>) {
        let mut plain = Vec::new();
        self.0.successors(&before.state, &mut plain);
        found.extend(self.followed_all(before, plain));
    }

    fn is_final(&self, of: &Remembered) -> bool {
        self.0.is_final(&of.state)
    }

    fn is_discarded(&self, of: &Remembered) -> bool {
        self.0.is_discarded(&of.state)
    }
}

impl Explorable for Remembering<'_> {
    fn observe(&self, of: &Remembered) -> Observation {
        self.0.observe(&of.state)
    }

    fn positions(&self, of: &Remembered) -> Vec<ThreadPosition> {
        self.0.positions(&of.state)
    }

    fn leaks(&self, of: &Remembered) -> Vec<Leak> {
        self.0.leaks(&of.state)
    }

    fn counts(&self, label: &Label) -> bool {
        self.0.counts(label)
    }

    fn state_bytes(&self, of: &Remembered) -> u64 {
        self.0.state_bytes(&of.state) + of.past.bytes()
    }

    fn too_wide(&self, of: &Remembered) -> Option<String> {
        self.0.too_wide(&of.state)
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.0.access_class(access)
    }

    fn access_kind(&self, access: &Access) -> AccessKind {
        self.0.access_kind(access)
    }

    fn is_benign(&self, of: &Remembered, first: &Access, second: &Access) -> bool {
        self.0.is_benign(&of.state, first, second)
    }

    fn unordered_before(&self, of: &Remembered, second: &Access) -> Option<Access> {
        let mut accesses = of.past.unordered_before(second, self.n_lanes());
        let races = |(first, wrote): &(Access, Option<Value>)| {
            let is_benign = || wrote.is_some() && *wrote == self.0.written(&of.state, second);
            conflict_unless(self, first, second, is_benign)
        };
        accesses.find(races).map(|(first, _)| first)
    }
}

impl Threadwise for Remembering<'_> {
    fn device(&self, of: &Remembered) -> Option<DeviceShape> {
        self.0.device(&of.state)
    }

    fn host_threads(&self, of: &Remembered) -> Vec<Actor> {
        self.0.host_threads(&of.state)
    }

    fn fire_actor(&self, before: &Remembered, actor: Actor, found: &mut Vec<(Label, Remembered)>) {
        let mut plain = Vec::new();
        self.0.fire_actor(&before.state, actor, &mut plain);
        found.extend(self.followed_all(before, plain));
    }

    fn may_touch(&self, of: &Remembered) -> Option<&MayTouch> {
        self.0.may_touch(&of.state)
    }

    fn warp_wait(&self, of: &Remembered, actor: Actor) -> Option<WarpWait> {
        self.0.warp_wait(&of.state, actor)
    }
}
