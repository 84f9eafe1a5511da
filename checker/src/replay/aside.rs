//! Defects behind others. A fault ends the run it happens in, and hides what others would do after it; but
//! no actor has to take the transition that faults. So here is one run in which an actor that would fault stands
//! aside, just before it, while the others go on as far as the barriers let them. In the next round it is asked
//! again: what it faulted on may be in order by then, as where it read what another was about to write.
//!
//! Each fault that was about to happen is a finding: the run so far, and that transition. The races of the
//! run are findings too. That nothing is found says nothing.

use crate::finding::{DefectKind, Evidence, Finding, append_schedule};
use crate::order::happens_before::Ordering;
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::grid::GridState;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::{Actor, TransitionSystem};
use rustc_hash::FxHashSet;

/// Transitions of the run at most.
const MOST_FOLLOWED: usize = 20_000;
/// Threads of a launch at most: all are gone through in each round.
const MOST_THREADS: u64 = 2_048;
/// Looks at an actor that cannot move, each of which is a look at all it may wait for.
const MOST_LOOKS: usize = 1_000_000;
/// Private transitions that are waited for in a row.
const STEP_LIMIT: usize = 4_000;
/// Visible transitions of a turn in the first round, twice as many in each later one: a race shows early,
/// and a long loop comes to its end.
const FIRST_TURN: usize = 8;
/// So much longer are the turns of those who go first.
const FIRST_TURNS_OF_THE_FIRST: usize = 8;
/// Findings of faults at most.
const MOST_FAULTS: usize = 32;

struct Aside<'a> {
    run: Run<'a>,
    faults: Vec<Finding>,
    /// Where a fault was found already: others who would do the same say nothing new.
    places: FxHashSet<(DefectKind, OpId)>,
    looks: usize,
    /// An assumption does not hold, so that this input does not count.
    is_discarded: bool,
}

/// What one run shows in which who would fault stands aside and `first` go as early as they can.
/// Findings of faults in the order of the run, then those of races.
pub fn standing_aside(system: &ExploredProgram, first: &[Actor]) -> Vec<Finding> {
    let Some(initial) = system.initial().into_iter().next() else {
        return Vec::new();
    };
    let mut run = Run::new(system, initial);
    run.step_limit = STEP_LIMIT;
    let mut aside = Aside {
        run,
        faults: Vec::new(),
        places: FxHashSet::default(),
        looks: 0,
        is_discarded: false,
    };
    aside.go(first);
    if aside.is_discarded {
        return Vec::new();
    }
    let ended = system.is_final(&aside.run.state);
    let races = crate::order::races_of(system, &Ordering::new(system), &aside.run, ended);
    aside.faults.into_iter().chain(races).collect()
}

impl Aside<'_> {
    /// Rounds in which every actor has a turn, until no thread moves.
    fn go(&mut self, first: &[Actor]) {
        let mut turn = FIRST_TURN;
        loop {
            let before = self.run.n_counted;
            for actor in first {
                self.turn(*actor, turn * FIRST_TURNS_OF_THE_FIRST);
            }
            if n_threads(&self.run.state) > MOST_THREADS {
                return;
            }
            for actor in self.run.actors() {
                self.turn(actor, turn);
            }
            if self.run.n_counted == before || self.is_over() {
                return;
            }
            turn *= 2;
        }
    }

    fn is_over(&self) -> bool {
        self.is_discarded
            || self.run.n_followed >= MOST_FOLLOWED
            || self.looks >= MOST_LOOKS
            || self.faults.len() >= MOST_FAULTS
            || self.run.system.is_late()
    }

    /// Up to so many visible transitions of one actor, none of which faults.
    fn turn(&mut self, actor: Actor, most: usize) {
        for _ in 0..most {
            if self.is_over() || self.run.cannot_move(actor) {
                return;
            }
            let mark = self.run.mark();
            let moved = self.run.visible(&[actor], 0).is_ok();
            if self.run.fault().is_some() {
                self.note_fault();
                self.run.back_to(mark);
                return;
            }
            if !moved {
                self.looks += n_threads(&self.run.state) as usize + 1;
                self.is_discarded |= self.is_about_to_be_discarded(actor);
                return;
            }
        }
    }

    /// The fault the run has just ended in.
    fn note_fault(&mut self) {
        let Some(fault) = self.run.fault().cloned() else {
            return;
        };
        let kind = DefectKind::of_fault(&fault.kind);
        if kind == DefectKind::Beyond || !self.places.insert((kind, fault.op)) {
            return;
        }
        let mut schedule = Vec::new();
        append_schedule(&mut schedule, &self.run.taken);
        self.faults.push(Finding {
            kind,
            schedule,
            evidence: Evidence::Fault(fault),
        });
    }

    fn is_about_to_be_discarded(&self, actor: Actor) -> bool {
        let system = self.run.system;
        let found = system.system().fire(&self.run.state, &[actor]);
        found.iter().any(|(_, next)| system.is_discarded(next))
    }
}

fn n_threads(state: &State) -> u64 {
    let n_of = |grid: &GridState| grid.launch.n_threads() * grid.blocks.len() as u64;
    state.device.as_ref().map_or(0, n_of)
}
