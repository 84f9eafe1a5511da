//! What each block touches of the memory of all, over a whole search.

use super::classes::{ClassSet, against_bit, bit};
use super::expand::Found;
use crate::automaton::{Agent, Automaton, FIXED, PlaceId, Touch};
use serde::{Deserialize, Serialize};

/// A place touched by a block.
pub type Noted = (PlaceId, u32, ClassSet);

/// By place: the last block, its classes, and those of other blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Footprints {
    places: Vec<(u32, ClassSet, ClassSet)>,
}

impl Footprints {
    pub fn new(automaton: &Automaton) -> Footprints {
        Footprints {
            places: vec![(u32::MAX, 0, 0); automaton.plan().n_cells() as usize],
        }
    }

    /// Notes an access for [`Footprints::meets`], unless it has been noted here before.
    pub fn note(&mut self, automaton: &Automaton, agent: Agent, touch: &Touch, found: &mut Found) {
        if touch.place == FIXED || automaton.plan().block_of(touch.place).is_some() {
            return;
        }
        let block = automaton.block_of(agent);
        let place = &mut self.places[touch.place as usize];
        if place.0 != block {
            *place = (block, 0, 0);
        }
        if place.1 & bit(touch.class) == 0 {
            place.1 |= bit(touch.class);
            found.touched.push((touch.place, block, bit(touch.class)));
        }
    }

    /// Adds what was noted; whether two blocks meet.
    pub fn meets(&mut self, (place, block, class): Noted) -> bool {
        let (last, own, others) = &mut self.places[place as usize];
        if *last != block {
            *others |= *own;
            (*last, *own) = (block, 0);
        }
        *own |= class;
        *others & against_bit(class) != 0
    }
}
