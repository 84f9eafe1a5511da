//! Which premises were decided, and how, on this thread: for tests only (feature `coverage`).

use super::premise::Premise;
use super::rule::Rule;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The rules and premises that were exercised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Rules that labelled a transition. The tests that inspect transitions record them.
    pub fired: BTreeSet<Rule>,
    /// Premises that held in some decision.
    pub held: BTreeSet<Premise>,
    /// Premises that did not hold in some decision.
    pub failed: BTreeSet<Premise>,
}

/// What was never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// No transition was labelled with the rule.
    NeverFired(Rule),
    /// No decision said that the premise holds.
    NeverHeld(Premise),
    /// No decision said that it does not.
    NeverFailed(Premise),
}

impl Coverage {
    /// Takes what another has seen, too.
    pub fn add(&mut self, other: &Coverage) {
        self.fired.extend(&other.fired);
        self.held.extend(&other.held);
        self.failed.extend(&other.failed);
    }

    /// Every rule that never fired and every premise that was not decided both ways.
    pub fn gaps(&self) -> Vec<Gap> {
        let rules = Rule::ALL.iter().filter(|r| !self.fired.contains(r));
        let rules = rules.map(|r| Gap::NeverFired(*r));
        let held = Premise::ALL.iter().filter(|p| !self.held.contains(p));
        let failed = Premise::ALL.iter().filter(|p| !self.failed.contains(p));
        rules
            .chain(held.map(|p| Gap::NeverHeld(*p)))
            .chain(failed.map(|p| Gap::NeverFailed(*p)))
            .collect()
    }
}

thread_local! {
    static NOTES: RefCell<Coverage> = RefCell::default();
}

pub(crate) fn note(premise: Premise, holds: bool) {
    NOTES.with_borrow_mut(|notes| {
        let decisions = if holds {
            &mut notes.held
        } else {
            &mut notes.failed
        };
        decisions.insert(premise);
    });
}

/// Takes the record of this thread since it was last taken.
pub fn take() -> Coverage {
    NOTES.take()
}
