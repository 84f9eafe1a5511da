//! Noticing that a run is in a cycle.

use gridlock_semantics::algebra::operator::OpId;

/// Notices that a run alone has come back to a state it was in (Brent's algorithm), looking only
/// at states in which the same operator fires.
pub struct CycleWatch<S> {
    saved: Option<(Option<OpId>, S)>,
    age: u32,
    power: u32,
}

impl<S: Clone + Eq> CycleWatch<S> {
    /// Looks from step `power` on.
    pub fn new(power: u32) -> CycleWatch<S> {
        CycleWatch {
            saved: None,
            age: 0,
            power,
        }
    }

    /// Whether `state`, in which `op` fires, is the saved one.
    pub fn comes_back(&mut self, op: Option<OpId>, state: &S) -> bool {
        if let Some((saved_op, saved)) = &self.saved
            && *saved_op == op
            && saved == state
        {
            return true;
        }
        self.age += 1;
        if self.age >= self.power {
            self.power *= 2;
            self.age = 0;
            self.saved = Some((op, state.clone()));
        }
        false
    }
}
