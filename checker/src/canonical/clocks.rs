//! Happens-before by vector clocks, for runs whose threads meet in parts of a block or in the
//! whole grid. What a thread has heard of others is one vector, shared by all who met last, so
//! that a barrier costs as much as the launch has threads, whichever take part.

use crate::system::footprint::{AccessClass, MemoryPlace};
use gridlock_semantics::transition::Access;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;

/// What happens before the next step of each thread of a launch.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    heard: Vec<Arc<Vec<u32>>>,
    own: Vec<u32>,
}

impl Clocks {
    pub fn new(n_threads: usize) -> Clocks {
        let nothing = Arc::new(vec![0; n_threads]);
        Clocks {
            heard: vec![nothing; n_threads],
            own: vec![1; n_threads],
        }
    }

    /// The present moment of a thread.
    pub fn now(&self, thread: u32) -> u32 {
        self.own[thread as usize]
    }

    /// Whether what `other` did at `moment` happens before what `thread` does now.
    pub fn is_before(&self, (other, moment): (u32, u32), thread: u32) -> bool {
        other == thread || self.heard[thread as usize][other as usize] >= moment
    }

    /// What everyone in `from` did, as a vector.
    pub fn together(&self, from: &[u32]) -> Arc<Vec<u32>> {
        let mut all: Option<(Arc<Vec<u32>>, Vec<u32>)> = None;
        for &thread in from {
            let heard = &self.heard[thread as usize];
            match &mut all {
                Some((last, _)) if Arc::ptr_eq(last, heard) => {}
                Some((last, joined)) => {
                    joined
                        .iter_mut()
                        .zip(heard.iter())
                        .for_each(|(a, b)| *a = (*a).max(*b));
                    *last = heard.clone();
                }
                None => all = Some((heard.clone(), heard.to_vec())),
            }
        }
        let mut joined = all.map_or_else(Vec::new, |(_, joined)| joined);
        for &thread in from {
            joined[thread as usize] = self.own[thread as usize];
        }
        Arc::new(joined)
    }

    /// What `thread` did so far, for those who will hear of it later; it goes on to a new moment.
    pub fn leave(&mut self, thread: u32) -> Arc<Vec<u32>> {
        let moments = self.together(&[thread]);
        self.own[thread as usize] += 1;
        moments
    }

    /// Threads `to` hear of what `from` did; all of `from` go on to a new moment.
    pub fn meet(&mut self, from: &[u32], to: &[u32]) {
        self.hear(&self.together(from), from, to);
    }

    /// Threads `to` hear of `joined`, which has all that `from` did in it; all of `from` go on to a new
    /// moment.
    pub fn hear(&mut self, joined: &Arc<Vec<u32>>, from: &[u32], to: &[u32]) {
        for &thread in to {
            let takes_part = from.binary_search(&thread).is_ok();
            let heard = &mut self.heard[thread as usize];
            if takes_part {
                *heard = joined.clone();
            } else {
                let mut more = heard.to_vec();
                more.iter_mut()
                    .zip(joined.iter())
                    .for_each(|(a, b)| *a = (*a).max(*b));
                *heard = Arc::new(more);
            }
        }
        for &thread in from {
            self.own[thread as usize] += 1;
        }
    }

    /// Whether `thread` has heard all of `moments`.
    pub fn has_heard(&self, thread: u32, moments: &[u32]) -> bool {
        let heard = &self.heard[thread as usize];
        let own = |other: usize| match other == thread as usize {
            true => u32::MAX,
            false => heard[other],
        };
        moments
            .iter()
            .enumerate()
            .all(|(k, moment)| own(k) >= *moment)
    }
}

/// The later of two moments of each thread.
pub fn later(one: &[u32], other: &[u32]) -> Arc<Vec<u32>> {
    let pairs = one.iter().zip(other);
    Arc::new(pairs.map(|(a, b)| *a.max(b)).collect())
}

/// An access that later ones could conflict with.
#[derive(Clone, Copy, Debug)]
pub struct Past {
    pub thread: u32,
    pub moment: u32,
    pub class: AccessClass,
    pub access: Access,
}

/// What was done to each place.
#[derive(Clone, Debug, Default)]
pub struct History(FxHashMap<MemoryPlace, At>);

/// What was done to one place.
#[derive(Clone, Debug, Default)]
struct At {
    /// The last plain write, and since then the last read and the last atomics of each thread:
    /// an access that is unordered with anything done here is so with one of these.
    last: Vec<Past>,
    /// What came before them, so that operators which race are named that these do not show; the
    /// newest last.
    before: VecDeque<Past>,
}

/// How much of it.
const MOST_BEFORE: usize = 32;

impl At {
    /// Forgets one of the last, but as one that came before.
    fn supersede(&mut self, past: Past) {
        let same = |p: &Past| (p.thread, p.class, p.access.op);
        self.before.retain(|p| same(p) != same(&past));
        if self.before.len() == MOST_BEFORE {
            self.before.pop_front();
        }
        self.before.push_back(past);
    }
}

impl History {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The accesses to a place so far that the present one is unordered with, and records it.
    pub fn unordered(&mut self, clocks: &Clocks, place: MemoryPlace, present: Past) -> Vec<Past> {
        let at = self.0.entry(place).or_default();
        let both_read =
            |p: &Past| p.class == AccessClass::Read && present.class == AccessClass::Read;
        let newest_first = at.last.iter().rev().chain(at.before.iter().rev());
        let found: Vec<Past> = newest_first
            .filter(|p| !both_read(p))
            .filter(|p| !clocks.is_before((p.thread, p.moment), present.thread))
            .copied()
            .collect();
        let is_write = present.class == AccessClass::Write;
        let stays =
            |p: &Past| !is_write && (p.thread != present.thread || p.class != present.class);
        let (stay, superseded) = std::mem::take(&mut at.last).into_iter().partition(stays);
        at.last = stay;
        let superseded: Vec<Past> = superseded;
        superseded.into_iter().for_each(|past| at.supersede(past));
        at.last.push(present);
        found
    }
}
