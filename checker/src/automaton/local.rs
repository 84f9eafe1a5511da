//! The states of one thread by itself: where it stands, and the registers it may still read.
//!
//! They are found once each and numbered. What a thread does in such a state, and which state it
//! is in afterwards, depends on memory only through the value it reads; so both are worked out
//! once, and the transitions of a thread are those of a finite automaton over values read (of
//! Glushkov's, with data), built as far as a search gets.

use super::history::{Event, HistoryId};
use super::thread::{Next, Own};
use crate::compiled::instruction::Pc;
use crate::order::synchronisation::known::Width;
use crate::system::fingerprint::fingerprint;
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::operator::OpId;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of a local state. Which state gets which number depends on who comes first.
pub type LocalId = u32;

/// A thread by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Local {
    pub pc: Pc,
    pub next: Next,
    /// The operator at `pc`.
    pub op: OpId,
    /// How its access, if it makes one, gets along with others.
    pub class: AccessClass,
    /// Its access is an atomic of block scope.
    pub narrow: bool,
    /// The widest fence passed since the last visible step; where that matters.
    pub fenced: Width,
    /// The registers kept at `pc`, then private cells, then which of those hold something.
    pub kept: Box<[u64]>,
}

type Key = (Pc, bool, Width, Box<[u64]>);

const SHARDS: usize = 32;

/// All local states found so far, and the ways between them.
#[derive(Debug)]
pub struct Locals {
    /// Each with a fingerprint that does not depend on its number.
    states: boxcar::Vec<(Local, u128)>,
    numbers: [RwLock<FxHashMap<Key, LocalId>>; SHARDS],
    /// State and value read (0 where nothing is read) to the state after.
    ways: [RwLock<FxHashMap<(LocalId, u64), LocalId>>; SHARDS],
    bytes: AtomicU64,
}

impl Locals {
    pub fn new() -> Locals {
        Locals {
            states: boxcar::Vec::new(),
            numbers: std::array::from_fn(|_| RwLock::default()),
            ways: std::array::from_fn(|_| RwLock::default()),
            bytes: AtomicU64::new(0),
        }
    }

    pub fn get(&self, id: LocalId) -> &Local {
        &self.states[id as usize].0
    }

    /// A fingerprint of a state.
    pub fn print(&self, id: LocalId) -> u128 {
        self.states[id as usize].1
    }

    /// All, by number.
    pub fn all(&self) -> Vec<Local> {
        let states = self.states.iter();
        states.map(|(_, (local, _))| local.clone()).collect()
    }

    pub fn len(&self) -> usize {
        self.states.count()
    }

    /// The number of a state.
    pub fn number(&self, local: Local) -> LocalId {
        let returned = local.next == Next::Ended { returned: true };
        let key = (local.pc, returned, local.fenced, local.kept.clone());
        let shard = &self.numbers[FxBuildHasher.hash_one(&key) as usize % SHARDS];
        if let Some(&id) = read(shard).get(&key) {
            return id;
        }
        let mut numbers = write(shard);
        *numbers.entry(key).or_insert_with_key(|key| {
            let own = size_of::<Local>() + size_of::<(Key, LocalId)>() + 16 * local.kept.len();
            self.bytes.fetch_add(own as u64, Ordering::Relaxed);
            self.states.push((local, fingerprint(key))) as LocalId
        })
    }

    /// The state after `id` has read `value`, worked out by `make` the first time.
    pub fn way(&self, id: LocalId, value: u64, make: impl FnOnce() -> LocalId) -> LocalId {
        let key = (id, value);
        let shard = &self.ways[FxBuildHasher.hash_one(key) as usize % SHARDS];
        if let Some(&after) = read(shard).get(&key) {
            return after;
        }
        let after = make();
        self.bytes.fetch_add(40, Ordering::Relaxed);
        write(shard).insert(key, after);
        after
    }

    /// Bytes all of this takes, roughly.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// Ways one processor has gone lately: looked at before the table that all share.
pub struct Memo {
    ways: Vec<(LocalId, LocalId, u64)>,
    events: Vec<(HistoryId, HistoryId, Event)>,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo::of_size(1 << 13)
    }
}

impl Memo {
    /// `n` is a power of two.
    pub fn of_size(n: usize) -> Memo {
        Memo {
            ways: vec![(LocalId::MAX, 0, 0); n],
            events: Vec::new(),
        }
    }

    /// `Locals::way`.
    pub fn way(
        &mut self,
        locals: &Locals,
        id: LocalId,
        value: u64,
        make: impl FnOnce() -> LocalId,
    ) -> LocalId {
        let mixed = (id as u64 ^ value.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (mixed >> 40) as usize & (self.ways.len() - 1);
        let slot = &mut self.ways[at];
        if slot.0 != id || slot.2 != value {
            *slot = (id, locals.way(id, value, make), value);
        }
        slot.1
    }

    /// The history behind `event`, found by `make` if it is none of the last ones.
    pub(super) fn event(
        &mut self,
        from: HistoryId,
        event: Event,
        make: impl FnOnce(HistoryId) -> HistoryId,
    ) -> HistoryId {
        if self.events.is_empty() {
            let none = (HistoryId::MAX, 0, Event::Ends(0));
            self.events = vec![none; self.ways.len()];
        }
        let mixed = FxBuildHasher.hash_one((from, event));
        let at = (mixed >> 40) as usize & (self.events.len() - 1);
        let slot = &mut self.events[at];
        if slot.0 != from || slot.2 != event {
            *slot = (from, make(from), event);
        }
        slot.1
    }
}

// Nothing panics while it holds one of the locks, so none is ever poisoned; and if one were, what
// it guards would still be whole.
pub(super) fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub(super) fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Own {
    /// Words of a local state: what `regs` names, the private cells, and which of them hold
    /// something.
    pub fn kept(&self, regs: &[crate::compiled::instruction::Reg]) -> Box<[u64]> {
        let regs = regs.iter().map(|reg| self.regs[*reg as usize]);
        let cells = self.cells.iter().copied();
        let defined = self.defined.chunks(64).map(|bits| {
            let bit = |(n, defined): (usize, &bool)| (*defined as u64) << n;
            bits.iter().enumerate().map(bit).sum()
        });
        regs.chain(cells).chain(defined).collect()
    }

    /// The inverse, over registers that hold the image.
    pub fn restore(&mut self, kept: &[u64], regs: &[crate::compiled::instruction::Reg]) {
        let (own, rest) = kept.split_at(regs.len());
        for (reg, bits) in regs.iter().zip(own) {
            self.regs[*reg as usize] = *bits;
        }
        let (cells, defined) = rest.split_at(self.cells.len());
        self.cells.copy_from_slice(cells);
        for (n, flag) in self.defined.iter_mut().enumerate() {
            *flag = defined[n / 64] >> (n % 64) & 1 == 1;
        }
    }
}
