//! What lanes of a warp do together, as [`gridlock_semantics::block::warp`] says for independent threads:
//! who waits for whom, and what an exchange gives. The step is that of the lowest lane that takes
//! part.

use super::local::{LocalId, Memo};
use super::step::{Agent, Step};
use super::system::Automaton;
use super::thread::Next;
use crate::compiled::instruction::{Instr, WarpSite};
use crate::compiled::raw;
use crate::system::WarpWait;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::warp::exchange;
use gridlock_semantics::transition::fault::FaultKind;

/// What a thread at a warp operation can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gathering {
    /// It waits for others.
    Waits,
    /// These lanes go on together.
    Complete(u32),
    /// Its mask is bad, or the width of a shuffle is.
    Bad(FaultKind),
}

/// Where a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    /// It has ended, or there is no such thread.
    Gone,
    Arrived(Arrival),
    AtBarrier,
    /// It is elsewhere, or runs into a fault next.
    Moves,
}

/// Two that wait for one another meet if these are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrival {
    mask: u32,
    /// The occurrence of an exchange; any `__syncwarp` meets any other.
    exchange: Option<OpId>,
}

/// Whether an agent of this state waits for lanes of its warp.
pub(super) fn is_joint(next: &Next) -> bool {
    matches!(next, Next::SyncWarp { .. } | Next::Exchange { .. })
}

/// Set in the key of a way whose value is none: what a shuffle reads from a lane that takes no
/// part. There are never so many local states.
const NO_VALUE: LocalId = 1 << 31;

impl Automaton {
    /// Lane 0 of the warp of a thread, and the thread's own lane.
    pub(super) fn lane_of(&self, thread: Agent) -> (Agent, u32) {
        let lane = thread % self.plan.n_threads % self.n_lanes;
        (thread - lane, lane)
    }

    /// The lanes from `first` on that exist.
    fn lanes(&self, first: Agent) -> u32 {
        self.n_lanes
            .min(self.plan.n_threads - first % self.plan.n_threads)
    }

    fn lane(&self, words: &[u32], first: Agent, lane: u32) -> Lane {
        if lane >= self.lanes(first) {
            return Lane::Gone;
        }
        let local = self.locals.get(words[(first + lane) as usize]);
        let (mask, exchange) = match &local.next {
            Next::Ended { .. } => return Lane::Gone,
            Next::Barrier => return Lane::AtBarrier,
            Next::SyncWarp { mask } => (*mask, None),
            Next::Exchange {
                mask,
                refused: None,
                ..
            } => (*mask, Some(local.op)),
            _ => return Lane::Moves,
        };
        match mask >> lane & 1 {
            0 => Lane::Moves,
            _ => Lane::Arrived(Arrival { mask, exchange }),
        }
    }

    /// For a thread at a warp operation.
    pub(super) fn gathering(&self, words: &[u32], thread: Agent) -> Gathering {
        let (first, lane) = self.lane_of(thread);
        let local = self.locals.get(words[thread as usize]);
        let (own, refused) = match &local.next {
            Next::SyncWarp { mask } => (*mask, &None),
            Next::Exchange { mask, refused, .. } => (*mask, refused),
            _ => return Gathering::Waits,
        };
        if own >> lane & 1 == 0 {
            return Gathering::Bad(bad_mask(own, lane, 0, None));
        }
        if let Some(kind) = refused {
            return Gathering::Bad((**kind).clone());
        }
        let own = Arrival {
            mask: own,
            exchange: matches!(local.next, Next::Exchange { .. }).then_some(local.op),
        };
        let (mut present, mut met, mut all_wait) = (0, true, true);
        for other in bits(own.mask) {
            match self.lane(words, first, other) {
                Lane::Gone => {}
                Lane::Arrived(arrival) => {
                    present |= 1 << other;
                    met &= arrival == own;
                }
                Lane::AtBarrier => all_wait = false,
                Lane::Moves => return Gathering::Waits,
            }
        }
        match (met && all_wait, all_wait) {
            (true, _) => Gathering::Complete(present),
            (_, true) if self.warp_is_stuck(words, first) => self.in_vain(words, first, lane, own),
            _ => Gathering::Waits,
        }
    }

    /// Whether no lane of a warp can move any more.
    fn warp_is_stuck(&self, words: &[u32], first: Agent) -> bool {
        (0..self.lanes(first)).all(|lane| match self.lane(words, first, lane) {
            Lane::Moves => false,
            Lane::Arrived(arrival) => !self.is_complete(words, first, arrival),
            Lane::Gone | Lane::AtBarrier => true,
        })
    }

    fn is_complete(&self, words: &[u32], first: Agent, own: Arrival) -> bool {
        bits(own.mask).all(|lane| match self.lane(words, first, lane) {
            Lane::Gone => true,
            Lane::Arrived(other) => other == own,
            Lane::AtBarrier | Lane::Moves => false,
        })
    }

    /// The fault of a lane that waits in vain for others that wait as well.
    fn in_vain(&self, words: &[u32], first: Agent, lane: u32, own: Arrival) -> Gathering {
        let (mut missing, mut mask) = (0, None);
        for named in bits(own.mask) {
            if let Lane::Arrived(other) = self.lane(words, first, named)
                && other != own
            {
                missing |= 1 << named;
                mask = mask.or((other.mask != own.mask).then_some(other.mask));
            }
        }
        Gathering::Bad(bad_mask(own.mask, lane, missing, mask))
    }

    /// The step of a thread at a warp operation, if it is its own: see the top of this file.
    /// `Err`: a fault.
    pub(super) fn warp_step(
        &self,
        words: &[u32],
        thread: Agent,
        memo: &mut Memo,
        step: &mut Step,
    ) -> Result<bool, ()> {
        let lanes = match self.gathering(words, thread) {
            Gathering::Waits => return Ok(false),
            Gathering::Bad(_) => return Err(()),
            Gathering::Complete(lanes) => lanes,
        };
        let (first, lane) = self.lane_of(thread);
        if lanes.trailing_zeros() != lane {
            return Ok(false);
        }
        let results = self.results(words, first, lanes);
        for lane in bits(lanes) {
            let slot = first + lane;
            let id = words[slot as usize];
            let after = match results.get(lane as usize) {
                None => self.after(memo, id, 0, |_| {}),
                Some(result) => self.after_exchange(memo, id, *result),
            };
            if after != id {
                step.patches.push((slot, after));
            }
        }
        Ok(true)
    }

    /// What an exchange gives each lane; nothing for `__syncwarp`.
    fn results(&self, words: &[u32], first: Agent, lanes: u32) -> Vec<Value> {
        let mut function = None;
        let mut brought: Vec<Option<Vec<Value>>> = vec![None; self.n_lanes as usize];
        for lane in bits(lanes) {
            let local = self.locals.get(words[(first + lane) as usize]);
            if let (Next::Exchange { brought: own, .. }, Some(site)) =
                (&local.next, self.warp_site(local.pc))
            {
                function = Some(site.function);
                brought[lane as usize] = Some(own.to_vec());
            }
        }
        function.map_or(Vec::new(), |function| exchange::results(function, &brought))
    }

    fn warp_site(&self, pc: crate::compiled::instruction::Pc) -> Option<&WarpSite> {
        match self.code.instrs[pc as usize] {
            Instr::Warp { site } => self.code.warps.get(site as usize),
            _ => None,
        }
    }

    fn after_exchange(&self, memo: &mut Memo, id: LocalId, result: Value) -> LocalId {
        let assigned = self
            .warp_site(self.locals.get(id).pc)
            .and_then(|site| site.result);
        let Some((reg, flag)) = assigned else {
            return self.after(memo, id, 0, |_| {});
        };
        let is_value = result != Value::Undef;
        let bits = raw::from_value(result);
        let key = if is_value { id } else { id | NO_VALUE };
        self.after_as(memo, key, id, bits, |regs| {
            regs[reg as usize] = bits;
            if let Some(flag) = flag {
                regs[flag as usize] = is_value as u64;
            }
        })
    }

    /// For whom the warp operation waits that an agent stands at.
    pub fn waits_for(&self, words: &[u32], agent: Agent) -> Option<WarpWait> {
        if agent >= self.n_threads_in_all() {
            return None;
        }
        let (first, lane) = self.lane_of(agent);
        let Lane::Arrived(own) = self.lane(words, first, lane) else {
            return None;
        };
        let whole = u32::MAX >> (32 - self.lanes(first));
        Some(match own.mask & whole == whole {
            true => WarpWait::Whole,
            false => WarpWait::Part,
        })
    }

    /// Lane 0 of the warp of a thread at a warp operation, and the lanes it waits for that exist,
    /// ended or not.
    pub fn waited_for(&self, words: &[u32], thread: Agent) -> Option<(Agent, u32)> {
        let (Next::SyncWarp { mask } | Next::Exchange { mask, .. }) =
            self.locals.get(words[thread as usize]).next
        else {
            return None;
        };
        let (first, _) = self.lane_of(thread);
        Some((first, mask & u32::MAX >> (32 - self.lanes(first))))
    }

    /// The threads of the warp of a thread.
    pub fn warp_of(&self, thread: Agent) -> std::ops::Range<Agent> {
        let (first, _) = self.lane_of(thread);
        first..first + self.lanes(first)
    }

    /// The threads that go on when `thread`, at a warp operation that is complete, does.
    pub(super) fn together(&self, words: &[u32], thread: Agent) -> Vec<Agent> {
        let (first, _) = self.lane_of(thread);
        match self.gathering(words, thread) {
            Gathering::Complete(lanes) => bits(lanes).map(|lane| first + lane).collect(),
            _ => Vec::new(),
        }
    }
}

fn bad_mask(mask: u32, lane: u32, missing: u32, other: Option<u32>) -> FaultKind {
    FaultKind::BadWarpMask {
        mask,
        lane,
        missing,
        other,
    }
}

/// The numbers of the bits set, ascending.
fn bits(set: u32) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(lane)
    })
}
