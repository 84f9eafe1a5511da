//! Who waits in a state in which threads do not meet, and for whom: groups of threads that stand at
//! the same place, and for each what would let it go on and who does not come.

use crate::replay::explain::moment::value;
use crate::replay::explain::names::{Names, thread_of, view_of};
use crate::replay::explain::writers::listed;
use crate::replay::words::{group_name, who};
use crate::report::explanation::{Missing, Wait};
use crate::report::site::Site;
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::operator::{Basic, Effect, Met, Op, OpKind};
use gridlock_semantics::block::warp::mask_of;
use gridlock_semantics::host::State;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::thread::view::Reading;
use gridlock_semantics::thread::{BarrierPosition, Head, Status, ThreadState};
use gridlock_semantics::transition::Actor;
use std::sync::Arc;

/// Groups listed; a kernel in which more than so many threads stand elsewhere each is none that a
/// list explains.
const MOST_GROUPS: usize = 64;

/// Actors of one block (or of the host) at one place.
#[derive(Clone, Debug)]
pub struct Group {
    block: Option<u32>,
    status: Status,
    /// Where they stand, with the rounds of the loops that hold a barrier.
    at: Option<BarrierPosition>,
    pub actors: Vec<Actor>,
    /// Has arrived at a literal or a named barrier.
    arrived: bool,
    /// At a barrier that is met anywhere.
    anywhere: bool,
}

/// All actors, by where they stand, in order of the actors.
pub fn groups(state: &State) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut add = |actor: Actor, block: Option<u32>, thread: &ThreadState| {
        let at = thread.position().map(|op| thread.barrier_position(op));
        let same = |group: &&mut Group| {
            (group.block, group.status, group.arrived) == (block, thread.status, thread.waiting)
                && group.at == at
        };
        // Neighbours mostly stand together.
        match found.iter_mut().rev().find(same) {
            Some(group) => group.actors.push(actor),
            None => found.push(Group {
                block,
                status: thread.status,
                at,
                actors: vec![actor],
                arrived: thread.waiting,
                anywhere: thread.meets_anywhere(),
            }),
        }
    };
    for actor in state.host_threads() {
        if let Some(thread) = state.host_thread(actor) {
            add(actor, None, thread);
        }
    }
    if let Some(grid) = &state.device {
        for (block, own) in (0..).zip(&grid.blocks) {
            for (thread, thread_state) in (0..).zip(&own.threads) {
                add(Actor::Thread { block, thread }, Some(block), thread_state);
            }
        }
    }
    found
}

/// Who waits for whom.
pub fn waits(
    system: &ExploredProgram,
    names: &Names<'_>,
    state: &State,
    launch: Option<&Launch>,
) -> Vec<Wait> {
    let all = groups(state);
    let room = Room {
        system,
        names,
        state,
        launch,
        all: &all,
    };
    let waiting = all.iter().take(MOST_GROUPS).filter_map(|g| room.wait(g));
    waiting.collect()
}

struct Room<'a> {
    system: &'a ExploredProgram,
    names: &'a Names<'a>,
    state: &'a State,
    launch: Option<&'a Launch>,
    all: &'a [Group],
}

impl Room<'_> {
    fn wait(&self, group: &Group) -> Option<Wait> {
        let first = *group.actors.first()?;
        let thread = thread_of(self.state, first)?;
        let Head::Op(op) = thread.head() else {
            return None;
        };
        let (needs, for_whom) = self.needs(group, first, op)?;
        Some(Wait {
            who: group_name(&group.actors, self.launch),
            number: group.actors.len(),
            site: self.names.words.site(Some(op.id), first, self.launch),
            at: self.names.words.text(op.id),
            calls: self.names.calls(thread),
            needs,
            for_whom,
        })
    }

    /// What lets a group at an operator go on, and who does not come; `None` where none waits.
    fn needs(&self, group: &Group, first: Actor, op: &Arc<Op>) -> Option<(String, Vec<Missing>)> {
        let in_block = |other: &&Group| other.block == group.block;
        let elsewhere = |other: &&Group| other.at != group.at;
        let device = |other: &&Group| other.block.is_some();
        Some(match &op.kind {
            OpKind::Basic(Basic::Barrier {
                met: Met::Anywhere, ..
            }) => (
                "all threads of the block at such a barrier".to_owned(),
                self.missing(
                    self.all
                        .iter()
                        .filter(in_block)
                        .filter(|other| !other.anywhere),
                ),
            ),
            OpKind::Basic(Basic::Barrier { agreed, .. }) => (
                match agreed.is_empty() {
                    true => "all threads of the block at this barrier".to_owned(),
                    false => "all threads of the block here, with the same arguments".to_owned(),
                },
                self.missing(self.all.iter().filter(in_block).filter(elsewhere)),
            ),
            OpKind::Basic(Basic::GridBarrier) => (
                "all threads of the launch at this barrier".to_owned(),
                self.missing(self.all.iter().filter(device).filter(elsewhere)),
            ),
            OpKind::Basic(Basic::NamedBarrier { id, .. }) => {
                let (block, number) = (group.block?, self.number(first, id)?);
                let own = self.state.device.as_ref()?.blocks.get(block as usize)?;
                let gathered = own.named.get(&(number as u32))?;
                let come = gathered.waiting.len() + gathered.arrived.len();
                let here = |other: &&Group| {
                    let Some(Actor::Thread { thread, .. }) = other.actors.first() else {
                        return false;
                    };
                    gathered.waiting.contains(thread)
                };
                let others = self.all.iter().filter(in_block).filter(|g| !here(g));
                (
                    format!(
                        "{} threads at barrier {number}, of which {come} have come",
                        gathered.threads
                    ),
                    self.missing(others),
                )
            }
            OpKind::Basic(Basic::SyncWarp { .. } | Basic::Warp { .. }) => {
                let mask = mask_of(view_of(self.system, self.state, first)?)?;
                let size = self.system.system().context().warp_size();
                let Actor::Thread { thread, .. } = first else {
                    return None;
                };
                let warp = thread / size;
                let lanes = self.all.iter().filter(in_block).filter(elsewhere);
                let lanes = lanes.filter_map(|other| other.restricted(warp, size, mask));
                let lanes: Vec<Group> = lanes.collect();
                (
                    format!("the lanes of the mask {mask:#010x} at this operation"),
                    self.missing(lanes.iter()),
                )
            }
            OpKind::Basic(
                Basic::DeviceSync
                | Basic::StreamSync { .. }
                | Basic::EventSync { .. }
                | Basic::Copy { .. }
                | Basic::CallGpu { .. }
                | Basic::Free { .. },
            ) if group.block.is_none() => (
                "what the device has been asked to do".to_owned(),
                self.pending(),
            ),
            OpKind::Basic(Basic::Wait { .. }) => {
                let cond = self.names.condition(op.id);
                let cond = cond.map_or("its condition".to_owned(), |cond| format!("`{cond}`"));
                let host = |other: &&Group| other.block.is_none();
                let others = self.all.iter().filter(host).filter(elsewhere);
                (format!("{cond} to hold"), self.missing(others))
            }
            OpKind::Par(..) if group.block.is_none() => {
                let host = |other: &&Group| other.block.is_none();
                let others = self.all.iter().filter(host).filter(elsewhere);
                ("both its branches to end".to_owned(), self.missing(others))
            }
            _ => return None,
        })
    }

    fn number(&self, actor: Actor, expr: &gridlock_semantics::algebra::expr::Expr) -> Option<i128> {
        let mut reading = Reading::new(view_of(self.system, self.state, actor)?);
        value(&mut reading, expr)?.as_integer()
    }

    fn missing<'g>(&self, groups: impl Iterator<Item = &'g Group>) -> Vec<Missing> {
        let missing = groups.map(|group| {
            let first = group.actors.first().copied();
            let site = first.zip(group.at.as_ref());
            let site =
                site.map(|(actor, at)| self.names.words.site(Some(at.op), actor, self.launch));
            Missing {
                who: group_name(&group.actors, self.launch),
                number: group.actors.len(),
                stands: self.stands(group, site.as_ref()),
                site,
            }
        });
        missing.collect()
    }

    /// `have returned`, `wait at k.cu:16`, as of several or of one.
    fn stands(&self, group: &Group, site: Option<&Site>) -> String {
        let one = group.actors.len() == 1;
        let (has, waits, stands) = match one {
            true => ("has", "waits", "stands"),
            false => ("have", "wait", "stand"),
        };
        let first = group.actors.first();
        let thread = first.and_then(|actor| thread_of(self.state, *actor));
        let calls = thread.map_or(Vec::new(), |thread| self.names.calls(thread));
        let called = match calls.is_empty() {
            true => String::new(),
            false => format!(" (called at {})", listed(&calls)),
        };
        let place = site.map_or(String::new(), |site| {
            format!(" at {}:{}", site.file, site.line)
        });
        match group.status {
            Status::Returned => format!("{has} returned"),
            Status::Ended => format!("{has} reached the end"),
            Status::Running => {
                let waiting = thread.is_some_and(|thread| match thread.head() {
                    Head::Op(op) => is_wait(op),
                    _ => false,
                });
                format!("{}{place}{called}", if waiting { waits } else { stands })
            }
        }
    }

    /// The launch in progress and what streams still have to do.
    fn pending(&self) -> Vec<Missing> {
        let mut found = Vec::new();
        if let Some(grid) = &self.state.device {
            let kernel = &self.names.words.program().proc(grid.kernel).name;
            found.push(Missing {
                who: format!("the launch of `{kernel}`"),
                number: 1,
                stands: "has not finished".to_owned(),
                site: None,
            });
        }
        for operation in self.state.queues.pending.values() {
            let actor = operation.stream.actor();
            found.push(Missing {
                who: who(actor, self.launch),
                number: 1,
                stands: format!(
                    "has not done what was enqueued at {}",
                    self.names.words.place(operation.op)
                ),
                site: Some(
                    self.names
                        .words
                        .site(Some(operation.op), actor, self.launch),
                ),
            });
        }
        found
    }
}

impl Group {
    /// Whether its members wait for others.
    pub fn waits(&self, state: &State) -> bool {
        let first = self.actors.first();
        let thread = first.and_then(|actor| thread_of(state, *actor));
        thread.is_some_and(|thread| matches!(thread.head(), Head::Op(op) if is_wait(op)))
    }

    /// Whether the members of another group may be whom these wait for.
    pub fn lacks(&self, other: &Group) -> bool {
        self.at != other.at
            && (self.block == other.block || self.block.is_some() == other.block.is_some())
    }

    /// Those of the group that a mask of a warp names.
    fn restricted(&self, warp: u32, size: u32, mask: u32) -> Option<Group> {
        let named = |actor: &&Actor| match actor {
            Actor::Thread { thread, .. } => {
                thread / size == warp && mask >> (thread % size) & 1 != 0
            }
            _ => false,
        };
        let actors: Vec<Actor> = self.actors.iter().filter(named).copied().collect();
        (!actors.is_empty()).then(|| Group {
            actors,
            ..self.clone()
        })
    }
}

/// What streams have been asked to do and have not done, in sentences.
pub fn still_to_do(names: &Names<'_>, state: &State) -> Vec<String> {
    let pending = state.queues.pending.values().take(MOST_GROUPS);
    let told = pending.map(|operation| {
        format!(
            "{} still has to do what was enqueued at {}",
            who(operation.stream.actor(), None),
            names.words.place(operation.op)
        )
    });
    told.collect()
}

/// Whether threads wait for others at it.
fn is_wait(op: &Op) -> bool {
    let OpKind::Basic(basic) = &op.kind else {
        return false;
    };
    basic.effect() == Effect::Meets || matches!(basic, Basic::Warp { .. } | Basic::Wait { .. })
}
