//! Happens-before (`docs/memory-model.md`), forward from one access: which threads are ordered
//! after it.
//!
//! Program order, barriers among those who leave together, `__syncwarp` among its threads, launch
//! boundaries, and release and acquire: a fence and then an atomic write by a thread that is
//! ordered after the access; an atomic read of that place, through a chain of read-modify-writes,
//! and then a fence. An exit orders nothing. Under lockstep, lanes that fired one instruction
//! together are ordered in what follows, not within it.
//!
//! Deviation: in a chain of read-modify-writes only the scopes of its ends are looked at.

use crate::system::ExploredProgram;
use crate::system::follow::Followed;
use crate::system::footprint::{MemoryPlace, place_of};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind, Orders, Scope};
use gridlock_semantics::grid::meetings::Gone;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the order depends on besides labels.
pub struct Ordering {
    barriers: FxHashMap<OpId, Orders>,
    fences: FxHashMap<OpId, Scope>,
    lockstep: bool,
    /// Every atomic counts as fenced on both sides: where only fences are missing, the profile
    /// calls that weak memory, not a race.
    fences_assumed: bool,
}

impl Ordering {
    /// The order of this program's runs, under its profile.
    pub fn new(system: &ExploredProgram) -> Ordering {
        let operators = system.program().operators();
        let fence = |op: &Op| match op.kind {
            OpKind::Basic(Basic::Fence { scope }) => Some((op.id, scope)),
            _ => None,
        };
        let barrier = |op: &Op| match op.kind {
            OpKind::Basic(Basic::Barrier { orders, .. }) => Some((op.id, orders)),
            _ => None,
        };
        Ordering {
            barriers: operators.iter().filter_map(|(_, op)| barrier(op)).collect(),
            fences: operators
                .into_iter()
                .filter_map(|(_, op)| fence(op))
                .collect(),
            lockstep: system.profile().axes.warps.is_lockstep(),
            fences_assumed: system.profile().axes.memory.asks_for_synchronisation(),
        }
    }
}

/// Someone who could be synchronised with through a place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Release {
    block: Option<u32>,
    wide: bool,
}

impl Release {
    fn reaches(self, actor: Actor, wide: bool) -> bool {
        self.wide && wide || self.block == block_of(actor)
    }
}

fn block_of(actor: Actor) -> Option<u32> {
    match actor {
        Actor::Thread { block, .. } | Actor::Block(block) => Some(block),
        _ => None,
    }
}

/// The threads ordered after one access.
struct After {
    /// The memory the access was to.
    space: Space,
    ordered: FxHashSet<Actor>,
    everyone: bool,
    /// Literal barriers: blocks in which an ordered thread has arrived.
    arrived: FxHashSet<u32>,
    /// Named barriers, by block and number, that an ordered thread has arrived at and left behind
    /// before they are complete.
    gone: FxHashSet<(u32, u32)>,
    /// Ordered threads that have passed a fence since, and how wide it was.
    fenced: FxHashMap<Actor, bool>,
    released: FxHashMap<MemoryPlace, Vec<Release>>,
    /// Threads that have read from a release and may pass a fence; how wide the read was.
    acquiring: FxHashMap<Actor, Vec<(Release, bool)>>,
}

impl After {
    /// After an access by `actor` to memory of a space.
    fn new(actor: Actor, space: Space) -> After {
        After {
            space,
            ordered: FxHashSet::from_iter([actor]),
            everyone: false,
            arrived: FxHashSet::default(),
            gone: FxHashSet::default(),
            fenced: FxHashMap::default(),
            released: FxHashMap::default(),
            acquiring: FxHashMap::default(),
        }
    }

    fn contains(&self, actor: Actor) -> bool {
        self.everyone || self.ordered.contains(&actor)
    }

    /// Follows one transition.
    fn follow(&mut self, system: &ExploredProgram, ordering: &Ordering, step: &Followed) {
        let label = &step.label;
        if self.everyone {
            return;
        }
        match label.rule {
            Rule::R8 | Rule::R9 => self.everyone = true,
            Rule::CollectiveBarrier if !self.is_ordered_by(ordering, label.op) => {}
            Rule::CollectiveBarrier => self.collective_barriers(&label.actors),
            Rule::WarpBarrier | Rule::GridBarrier => self.join(&label.actors),
            Rule::NamedBarrier => self.named_barrier(step),
            _ if label
                .op
                .is_some_and(|op| ordering.barriers.contains_key(&op))
                && !label.actors.iter().any(|a| matches!(a, Actor::Block(_))) =>
            {
                if self.is_ordered_by(ordering, label.op) {
                    self.literal_barrier(step.before(), &label.actors);
                }
            }
            _ => {
                self.barriers_among(ordering, step);
                // Which of several atomics of one step came first, the label does not say: each
                // may have read from each. (Every order is a run of single steps as well.)
                for _ in 0..label.actors.len().min(2) {
                    for access in &label.accesses {
                        self.access_of(system, ordering, access);
                    }
                }
                if let Some(scope) = label.op.and_then(|op| ordering.fences.get(&op)) {
                    for &actor in &label.actors {
                        self.fence(actor, *scope != Scope::Block);
                    }
                }
                if ordering.lockstep {
                    self.join(&label.actors);
                }
            }
        }
    }

    /// Whether the barrier `op` puts accesses to the memory in order.
    fn is_ordered_by(&self, ordering: &Ordering, op: Option<OpId>) -> bool {
        let orders = op.and_then(|op| ordering.barriers.get(&op));
        orders.is_none_or(|orders| orders.includes(self.space))
    }

    /// R6 and R7, by one thread or several: who was waiting departs, the others arrive.
    fn literal_barrier(&mut self, before: Option<&State>, actors: &[Actor]) {
        for &actor in actors {
            let Actor::Thread { block, thread } = actor else {
                continue;
            };
            let grid = before.and_then(|state| state.device.as_ref());
            let own = grid.and_then(|grid| grid.blocks.get(block as usize));
            let waiting = own
                .and_then(|own| own.threads.get(thread as usize))
                .is_some_and(|thread| thread.waiting);
            if waiting && self.arrived.contains(&block) {
                self.ordered.insert(actor);
            } else if !waiting && self.contains(actor) {
                self.arrived.insert(block);
            }
        }
    }

    /// Under set firing, blocks that leave their barriers while others step are named as blocks.
    fn barriers_among(&mut self, ordering: &Ordering, step: &Followed) {
        let grid = step.before().and_then(|state| state.device.as_ref());
        for actor in &step.label.actors {
            let (Actor::Block(block), Some(grid)) = (actor, grid) else {
                continue;
            };
            let threads = grid.blocks[*block as usize].threads.iter().enumerate();
            let ordered = |at| self.is_ordered_by(ordering, at);
            let met = threads.filter(|(_, t)| t.is_at_barrier() && ordered(t.position()));
            let met: Vec<Actor> = met
                .map(|(thread, _)| Actor::Thread {
                    block: *block,
                    thread: thread as u32,
                })
                .collect();
            self.join(&met);
        }
    }

    /// Those who met at a named barrier, if any did: who waited there learns of all.
    fn named_barrier(&mut self, step: &Followed) {
        let (meetings, gone_on) = step.meetings();
        for (block, meeting) in meetings {
            let actor = |&thread: &u32| Actor::Thread { block, thread };
            let stands = |thread: &u32| self.contains(actor(thread));
            let stood = meeting.from.iter().any(stands);
            if self.gone.remove(&(block, meeting.id)) || stood {
                self.ordered.extend(meeting.to.iter().map(actor));
            }
        }
        for Gone { block, id, thread } in gone_on {
            if self.contains(Actor::Thread { block, thread }) {
                self.gone.insert((block, id));
            }
        }
    }

    /// Blocks may leave their barriers in one transition, but each meets at its own.
    fn collective_barriers(&mut self, actors: &[Actor]) {
        for of_one_block in actors.chunk_by(|a, b| block_of(*a) == block_of(*b)) {
            self.join(of_one_block);
        }
    }

    fn join(&mut self, actors: &[Actor]) {
        if actors.iter().any(|&actor| self.contains(actor)) {
            self.ordered.extend(actors);
        }
    }

    fn access_of(&mut self, system: &ExploredProgram, ordering: &Ordering, access: &Access) {
        let assumed = ordering.fences_assumed && access.mode.is_atomic();
        if assumed {
            self.fence(access.actor, true);
        }
        self.access(system, access);
        if assumed {
            self.fence(access.actor, true);
        }
    }

    fn access(&mut self, system: &ExploredProgram, access: &Access) {
        let place = place_of(access);
        match access.mode {
            AccessMode::Read => {}
            AccessMode::Write => {
                self.released.remove(&place);
            }
            AccessMode::Atomic | AccessMode::AtomicRead => {
                let actor = access.actor;
                let wide = system.atomic_scope(access.op) != Some(Scope::Block);
                if let Some(releases) = self.released.get(&place) {
                    let read = releases.iter().map(|release| (*release, wide));
                    self.acquiring.entry(actor).or_default().extend(read);
                }
                // No thread learns from what is only read.
                if access.mode == AccessMode::Atomic
                    && self.contains(actor)
                    && let Some(&fence_wide) = self.fenced.get(&actor)
                {
                    let release = Release {
                        block: block_of(actor),
                        wide: wide && fence_wide,
                    };
                    let releases = self.released.entry(place).or_default();
                    if !releases.contains(&release) {
                        releases.push(release);
                    }
                }
            }
        }
    }

    fn fence(&mut self, actor: Actor, wide: bool) {
        if let Some(read) = self.acquiring.remove(&actor)
            && read
                .iter()
                .any(|(release, read_wide)| release.reaches(actor, *read_wide && wide))
        {
            self.ordered.insert(actor);
        }
        if self.contains(actor) {
            let known = self.fenced.entry(actor).or_insert(false);
            *known |= wide;
        }
    }
}

/// Whether `first`, an access of the first transition of `run`, happens before `second`, which is made
/// when the whole of `run` has been followed.
pub fn happens_before(
    system: &ExploredProgram,
    ordering: &Ordering,
    run: &[Followed],
    first: &Access,
    second: &Access,
) -> bool {
    let mut after = After::new(first.actor, place_of(first).space());
    for (n, step) in run.iter().enumerate() {
        // What the transition of the access itself does to others: only lockstep joins its lanes.
        if n > 0 || ordering.lockstep {
            after.follow(system, ordering, step);
        }
    }
    after.contains(second.actor)
}
