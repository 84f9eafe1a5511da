//! What a loop may change: variables and private cells, and the state to come back to.

use super::generic::Event;
use super::memory::{Instance, Memory};
use super::run::{Frame, Run};
use super::value::{Held, Known, Place, Target};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::normal::Normal;
use crate::terms::term::{Scope, TermId};
use gridlock_semantics::algebra::span::Span;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What a loop may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A variable of the activation that is running, by its number.
    Variable(usize),
    /// A cell of a private array.
    Cell(Instance, i64),
}

/// A slot in a generic iteration.
#[derive(Clone, Debug)]
pub struct Changing {
    pub slot: Slot,
    /// What it holds before the loop.
    pub init: TermId,
    /// Stands for what it holds before an iteration.
    pub symbol: TermId,
    /// The value of which this is a part: a number, or where a pointer points.
    pub like: Known,
}

/// The state of a run, to come back to.
pub struct Saved {
    pub frames: Vec<Frame>,
    pub memory: Memory,
    pub alive: Vec<TermId>,
    pub intervals: [u32; 2],
    pub context: TermId,
    pub events: BTreeMap<Place, Vec<Event>>,
    pub n_accesses: usize,
    pub n_own: usize,
    pub n_obligations: usize,
    pub obliged: FxHashSet<TermId>,
    pub n_assumed: usize,
}

impl Run<'_> {
    /// What each changing slot holds now.
    pub fn steps(&mut self, changing: &[Changing], span: Span) -> Followed<Vec<TermId>> {
        let mut normal = Normal::new(self.floats.commute());
        let mut steps = Vec::new();
        for change in changing {
            let held = self.held(change.slot);
            let Some(value) = held.filter(|v| self.terms.as_bool(v.defined) == Some(true)) else {
                return unfollowed(
                    "a variable that an iteration may leave without a value",
                    span,
                );
            };
            let Some(part) = part_like(&value.known, &change.like) else {
                return unfollowed("a pointer that changes its array in a loop", span);
            };
            steps.push(normal.of(self.terms, part));
        }
        Ok(steps)
    }

    pub fn saved(&self) -> Saved {
        let generic = self.generic.as_ref();
        Saved {
            frames: self.block.frames.clone(),
            memory: self.memory.clone(),
            alive: self.block.alive.clone(),
            intervals: self.block.intervals,
            context: generic.map_or(TermId(0), |g| g.context),
            events: generic.map_or_else(BTreeMap::new, |g| g.events.clone()),
            n_accesses: generic.map_or(0, |g| g.accesses.len()),
            n_own: generic.map_or(0, |g| g.own.len()),
            n_obligations: self.obligations.len(),
            obliged: self.obliged.clone(),
            n_assumed: self.assumed.len(),
        }
    }

    pub fn restore(&mut self, saved: &Saved) {
        self.block.frames.clone_from(&saved.frames);
        self.memory.clone_from(&saved.memory);
        self.block.alive.clone_from(&saved.alive);
        self.block.intervals = saved.intervals;
        self.obligations.truncate(saved.n_obligations);
        self.obliged.clone_from(&saved.obliged);
        self.assumed.truncate(saved.n_assumed);
        if let Some(generic) = &mut self.generic {
            generic.context = saved.context;
            generic.events.clone_from(&saved.events);
            generic.accesses.truncate(saved.n_accesses);
            generic.own.truncate(saved.n_own);
        }
    }

    pub fn held(&self, slot: Slot) -> Held {
        match slot {
            Slot::Variable(var) => self.frame().vars[var][0].clone(),
            Slot::Cell(instance, cell) => self.memory.at(instance, cell).cloned().flatten(),
        }
    }

    pub fn put(&mut self, slot: Slot, held: Held) {
        match slot {
            Slot::Variable(var) => self.frame_mut().vars[var][0] = held,
            Slot::Cell(instance, cell) => self.memory.set(instance, cell, held),
        }
    }

    /// The slot holds this where the thread came to the loop.
    pub fn leave_in(&mut self, slot: Slot, held: &Held, guard: TermId, span: Span) -> Followed<()> {
        let old = self.held(slot);
        let new = self.chosen(guard, held, &old, span)?;
        self.put(slot, new);
        Ok(())
    }

    /// Slots whose contents differ from what there was before the iteration, and that are not known to change.
    pub fn changed(
        &mut self,
        saved: &Saved,
        changing: &[Changing],
        guard: TermId,
        span: Span,
    ) -> Followed<Vec<Changing>> {
        let mut found = Vec::new();
        for (slot, before) in self.differing(saved) {
            if changing.iter().any(|change| change.slot == slot) {
                continue;
            }
            // A cell that was not written holds what its array does at first.
            let before = match (before, slot) {
                (Some(before), _) => before,
                (None, Slot::Variable(_)) => None,
                (None, Slot::Cell((place, _), cell)) => {
                    let number = self.terms.bits(64, cell as u64);
                    self.first(place, number, span)?
                }
            };
            // What holds nothing before the loop is set anew in each iteration, or not used.
            let Some(before) = before else {
                continue;
            };
            // What it holds elsewhere does not matter.
            if !self.is_certain(guard, before.defined) {
                return unfollowed("a variable that may have no value before a loop", span);
            }
            let part = match &before.known {
                Known::Scalar(term) => *term,
                Known::Pointer(targets) => match targets.as_slice() {
                    [one] => one.offset,
                    _ => return unfollowed("a pointer of several targets in a loop", span),
                },
            };
            let sort = self.terms.sort(part);
            let symbol = self.terms.fresh("before", sort, Scope::Thread);
            found.push(Changing {
                slot,
                init: part,
                symbol,
                like: before.known.clone(),
            });
        }
        Ok(found)
    }

    /// Slots that differ from before, with what they held, if it was known.
    pub fn differing(&self, saved: &Saved) -> Vec<(Slot, Option<Held>)> {
        let mut found = Vec::new();
        let (Some(old), Some(new)) = (saved.frames.last(), self.block.frames.last()) else {
            return found;
        };
        for (var, (old, new)) in old.vars.iter().zip(&new.vars).enumerate() {
            if old[0] != new[0] {
                found.push((Slot::Variable(var), Some(old[0].clone())));
            }
        }
        for (instance, cell, held) in self.memory.all() {
            let before = saved.memory.at(instance, cell);
            if before != Some(held) {
                found.push((Slot::Cell(instance, cell), before.cloned()));
            }
        }
        found.sort_by_key(|(slot, _)| *slot);
        found
    }

    pub fn written_since(&self, saved: &Saved) -> BTreeSet<Place> {
        let Some(generic) = &self.generic else {
            return BTreeSet::new();
        };
        let longer = generic.events.iter().filter(|(place, events)| {
            let before = saved.events.get(place).map_or(0, Vec::len);
            events.len() > before
        });
        longer.map(|(place, _)| *place).collect()
    }

    pub fn events_since(&self, saved: &Saved) -> BTreeMap<Place, Vec<Event>> {
        let Some(generic) = &self.generic else {
            return BTreeMap::new();
        };
        let longer = generic.events.iter().map(|(place, events)| {
            let before = saved.events.get(place).map_or(0, Vec::len);
            let new = events[before..].iter();
            let written = new.filter(|event| matches!(event, Event::Written(_) | Event::Anything));
            (*place, written.cloned().collect())
        });
        longer.collect()
    }

    /// A value like another, with another number or offset.
    pub fn with_part(&mut self, like: &Known, part: TermId) -> Held {
        let known = match like {
            Known::Scalar(_) => Known::Scalar(part),
            Known::Pointer(targets) => Known::Pointer(
                targets
                    .iter()
                    .map(|target| Target {
                        offset: part,
                        ..target.clone()
                    })
                    .collect(),
            ),
        };
        Some(self.certain(known))
    }
}

/// The number, or the offset into the same array.
fn part_like(known: &Known, like: &Known) -> Option<TermId> {
    match (known, like) {
        (Known::Scalar(term), Known::Scalar(_)) => Some(*term),
        (Known::Pointer(a), Known::Pointer(b)) => match (a.as_slice(), b.as_slice()) {
            ([a], [b]) if a.place == b.place && a.guard == b.guard => Some(a.offset),
            _ => None,
        },
        _ => None,
    }
}
