//! Named barriers ([`gridlock_semantics::block::named_barrier`]): who has arrived at those of a block is
//! a word of the state, the number of a gathering. Without a number of threads they are not here:
//! there the end of a thread may be what others wait for.

use super::local::{Memo, read, write};
use super::step::{Agent, Kind, Step};
use super::system::Automaton;
use super::thread::Next;
use crate::system::fingerprint::fingerprint;
use gridlock_semantics::block::named_barrier::{Arrival, Meeting, another_count};
use gridlock_semantics::transition::fault::FaultKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, RwLock};

/// Number of a gathering: 0 where no thread has arrived anywhere.
pub(super) type GatheringId = u32;

/// The barriers of a block at which some have arrived, by number.
type Gathering = Vec<(u32, Gathered)>;

/// A barrier some threads have arrived at, but not all. Threads are numbered in their block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Gathered {
    /// How many it takes.
    threads: u32,
    /// Ascending.
    waiting: Vec<u32>,
    /// Who has gone on; ascending, and as often as it has arrived.
    arrived: Vec<u32>,
}

/// Gatherings by number.
#[derive(Debug, Serialize, Deserialize)]
pub struct All(Vec<Gathering>);

/// The gatherings found so far.
#[derive(Debug)]
pub(super) struct Gatherings {
    /// Each with a fingerprint that does not depend on its number.
    found: boxcar::Vec<(Arc<Gathering>, u128)>,
    numbers: RwLock<FxHashMap<Arc<Gathering>, GatheringId>>,
}

impl Gatherings {
    pub fn new() -> Gatherings {
        let gatherings = Gatherings {
            found: boxcar::Vec::new(),
            numbers: RwLock::default(),
        };
        gatherings.number(Gathering::new());
        gatherings
    }

    /// A fingerprint of a gathering.
    pub fn print(&self, id: GatheringId) -> u128 {
        self.found[id as usize].1
    }

    /// All, by number.
    pub fn all(&self) -> All {
        let found = self.found.iter();
        All(found
            .map(|(_, (gathering, _))| (**gathering).clone())
            .collect())
    }

    /// Takes over what numbers stand for; false when they cannot be given again.
    pub fn recall(&self, all: All) -> bool {
        (0..)
            .zip(all.0)
            .all(|(id, gathering)| self.number(gathering) == id)
    }

    fn number(&self, gathering: Gathering) -> GatheringId {
        if let Some(&id) = read(&self.numbers).get(&gathering) {
            return id;
        }
        let gathering = Arc::new(gathering);
        *write(&self.numbers)
            .entry(gathering.clone())
            .or_insert_with(|| {
                let print = fingerprint(&*gathering);
                self.found.push((gathering, print)) as GatheringId
            })
    }
}

/// What an arrival leads to.
pub(super) struct Arrived {
    gathering: GatheringId,
    /// Who goes on, by number in the block.
    pub goes_on: Vec<u32>,
    /// Who met, where the barrier was complete.
    pub meeting: Option<Meeting>,
    /// The thread has left a barrier behind that is not complete.
    pub leaves: bool,
}

impl Automaton {
    /// The word of the gathering of a block.
    fn gathering_word(&self, block: u32) -> Option<usize> {
        Some((self.plan.named? + block) as usize)
    }

    /// What the arrival of a thread leads to; `None` where it waits already.
    ///
    /// # Errors
    /// Others wait there for another number of threads.
    pub(super) fn arrives(
        &self,
        words: &[u32],
        thread: Agent,
        arrival: &Arrival,
    ) -> Option<Result<Arrived, FaultKind>> {
        let (block, own) = (thread / self.plan.n_threads, thread % self.plan.n_threads);
        let before = words[self.gathering_word(block)?];
        let gatherings = self.gatherings.as_ref()?;
        let mut gathering = (*gatherings.found[before as usize].0).clone();
        let at = match gathering.binary_search_by_key(&arrival.id, |(id, _)| *id) {
            Ok(at) => at,
            Err(at) => {
                let gathered = Gathered {
                    threads: arrival.threads,
                    waiting: Vec::new(),
                    arrived: Vec::new(),
                };
                gathering.insert(at, (arrival.id, gathered));
                at
            }
        };
        let gathered = &mut gathering[at].1;
        if gathered.waiting.binary_search(&own).is_ok() {
            return None;
        }
        if gathered.threads != arrival.threads {
            return Some(Err(another_count(arrival, gathered.threads)));
        }
        let before = gathered.clone();
        let of = match arrival.arrive_only {
            true => &mut gathered.arrived,
            false => &mut gathered.waiting,
        };
        of.insert(of.partition_point(|other| *other < own), own);
        let complete = gathered.waiting.len() + gathered.arrived.len() >= gathered.threads as usize;
        let mut goes_on = match complete {
            true => gathered.waiting.clone(),
            false => Vec::new(),
        };
        // Who arrives last stands there as they meet.
        let meeting = complete.then(|| Meeting {
            id: arrival.id,
            from: together(&[&gathered.waiting, &[own]]),
            gone: together(&[&before.arrived]),
            to: gathered.waiting.clone(),
        });
        // A thread that comes alone meets no other.
        let meeting = meeting.filter(|_| before.waiting.len() + before.arrived.len() > 0);
        if complete {
            gathering.remove(at);
        }
        if arrival.arrive_only {
            goes_on.insert(goes_on.partition_point(|other| *other < own), own);
        }
        Some(Ok(Arrived {
            gathering: gatherings.number(gathering),
            goes_on,
            meeting,
            leaves: arrival.arrive_only && !complete,
        }))
    }

    /// The arrival of a thread at a named barrier.
    pub(super) fn named_step(
        &self,
        words: &[u32],
        thread: Agent,
        memo: &mut Memo,
        step: &mut Step,
    ) -> bool {
        step.alone = false;
        let Next::NamedBarrier(arrival) = &self.locals.get(words[thread as usize]).next else {
            return false;
        };
        let arrived = match self.arrives(words, thread, arrival) {
            None => return false,
            Some(Err(_)) => {
                step.kind = Kind::Faults;
                return true;
            }
            Some(Ok(arrived)) => arrived,
        };
        let block = thread / self.plan.n_threads;
        for own in &arrived.goes_on {
            let slot = self.plan.slot(block, *own);
            let id = words[slot as usize];
            let after = self.after(memo, id, 0, |_| {});
            if after != id {
                step.patches.push((slot, after));
            }
        }
        if let Some(at) = self.gathering_word(block)
            && words[at] != arrived.gathering
        {
            step.patches.push((at as u32, arrived.gathering));
        }
        true
    }
}

/// Ascending, each once.
fn together(sets: &[&[u32]]) -> Vec<u32> {
    let mut all = sets.concat();
    all.sort_unstable();
    all.dedup();
    all
}
