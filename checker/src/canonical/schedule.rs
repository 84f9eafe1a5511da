//! From what the detector found to findings with schedules.

use super::trace::Moment;
use super::watch::{Conflict, Location};
use crate::compiled::instruction::Pc;
use gridlock_semantics::transition::Access;

/// A race found, and how often between the same two operators.
#[derive(Clone, Debug)]
pub struct Hit {
    pub conflict: Conflict,
    pub first: Access,
    pub second: Access,
    pub count: u64,
    pub launch: u32,
}

/// A race whose moments a second run looks for. Stamps are the same in every run of a setup.
#[derive(Clone, Debug)]
pub struct Mark {
    pub location: Location,
    /// Stamp, thread and place of each side.
    pub first: (u32, u32, Pc),
    pub second: (u32, u32, Pc),
    /// The last time the first side was met before the second.
    pub first_met: Option<Moment>,
    pub second_met: Option<Moment>,
}

impl Mark {
    pub fn of(hit: &Hit) -> Mark {
        let side = |epoch: &super::shadow::Epoch| (epoch.stamp, epoch.thread, epoch.pc);
        Mark {
            location: hit.conflict.location,
            first: side(&hit.conflict.first.epoch),
            second: side(&hit.conflict.second.epoch),
            first_met: None,
            second_met: None,
        }
    }

    /// Both sides have been met.
    pub fn is_met(&self) -> bool {
        self.second_met.is_some()
    }

    /// An access happens at `moment`.
    pub fn meet(&mut self, location: Location, side: (u32, u32, Pc), moment: Moment) {
        if location != self.location || self.second_met.is_some() {
            return;
        }
        if side == self.second && self.first_met.is_some() {
            self.second_met = Some(moment);
        } else if side == self.first {
            self.first_met = Some(moment);
        }
    }
}
