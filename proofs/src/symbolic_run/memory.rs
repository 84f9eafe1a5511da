//! Memory in a run on unknown inputs: for each array the cells that were written, over what it held at first.

use super::value::{Held, Place};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An array, and for private ones the thread of the block whose it is.
pub type Instance = (Place, u32);

/// Private arrays of threads that wait.
pub struct Private(Vec<(Instance, BTreeMap<i64, Held>)>);

#[derive(Clone, Default)]
pub struct Memory {
    written: FxHashMap<Instance, BTreeMap<i64, Held>>,
}

impl Memory {
    /// The cells that were written, in order.
    pub fn written(&self, instance: Instance) -> impl Iterator<Item = (i64, &Held)> {
        let cells = self.written.get(&instance).into_iter().flatten();
        cells.map(|(cell, held)| (*cell, held))
    }

    /// All cells that were written, in no order.
    pub fn all(&self) -> impl Iterator<Item = (Instance, i64, &Held)> {
        self.written
            .iter()
            .flat_map(|(instance, cells)| cells.iter().map(|(cell, held)| (*instance, *cell, held)))
    }

    /// What was written to a cell, if something was.
    pub fn at(&self, instance: Instance, cell: i64) -> Option<&Held> {
        self.written.get(&instance)?.get(&cell)
    }

    pub fn set(&mut self, instance: Instance, cell: i64, held: Held) {
        self.written.entry(instance).or_default().insert(cell, held);
    }

    pub fn is_written(&self, place: Place) -> bool {
        self.written
            .get(&(place, 0))
            .is_some_and(|cells| !cells.is_empty())
    }

    /// Private arrays, of whoever is running: they are kept apart while others run.
    pub fn take_private(&mut self) -> Private {
        let is_private = |place: &Place| matches!(place, Place::Private(_));
        let all: Vec<Instance> = self.written.keys().copied().collect();
        let own = all.into_iter().filter(|(place, _)| is_private(place));
        let taken = own.filter_map(|instance| Some((instance, self.written.remove(&instance)?)));
        Private(taken.collect())
    }

    /// Instead of those that are there now.
    pub fn put_private(&mut self, private: Private) {
        self.forget_block();
        self.written.extend(private.0);
    }

    /// A new block has arrays of its own.
    pub fn forget_block(&mut self) {
        self.written
            .retain(|(place, _), _| !matches!(place, Place::Shared(_) | Place::Private(_)));
    }
}
