//! Smaller schedules that show the same: fewer threads, fewer steps, fewer context switches.
//!
//! Everything is tried and replayed; nothing is argued. The number of transitions replayed is
//! bounded, so the result is small, not smallest.

use crate::finding::{ScheduleStep, append_schedule};
use crate::order::happens_before::Ordering;
use crate::replay::shown::{Showing, Shown, Wanted, gone_on, run_showing, run_within};
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::transition::{Actor, Rule};
use std::collections::HashSet;

/// Transitions replayed in all.
const BUDGET: usize = 10_000;

/// Of runs longer than this, a quarter of their length is all that is tried: hundreds of threads that
/// meet at a barrier have no small schedule, and a second of trying makes it no clearer.
const LONG: usize = 2_000;

struct Minimiser<'a, 'w> {
    system: &'a ExploredProgram,
    ordering: &'w Ordering,
    wanted: &'w Wanted,
    spent: usize,
    budget: usize,
    best: (Run<'a>, Shown),
    has_changed: bool,
}

/// Minimises the schedule of a run that shows what is wanted.
pub fn minimise<'a>(
    system: &'a ExploredProgram,
    ordering: &Ordering,
    wanted: &Wanted,
    found: (Run<'a>, Shown),
) -> (Vec<ScheduleStep>, Run<'a>, Shown) {
    let mut schedule = joined(&found.0.taken);
    let long = schedule.clone();
    let length = found.0.followed.len();
    let mut minimiser = Minimiser {
        system,
        ordering,
        wanted,
        spent: 0,
        budget: if length > LONG { length / 4 } else { BUDGET },
        best: found,
        has_changed: false,
    };
    minimiser.drop_blocks(&mut schedule);
    minimiser.keep_involved(&mut schedule);
    minimiser.drop_actors(&mut schedule);
    // A run of hundreds of threads that met at a barrier is no clearer for a few steps less, which take another replay of it.
    if length <= LONG || minimiser.met().is_empty() {
        minimiser.drop_and_join_steps(&mut schedule);
    }
    let (has_changed, (run, shown)) = (minimiser.has_changed, minimiser.best);
    if !has_changed {
        return (schedule, run, shown);
    }
    // Candidates are gone on with from the middle of others: the witness has to show the same from its start.
    for schedule in [&schedule, &long] {
        if let Some((run, shown)) = run_showing(system, ordering, schedule, wanted) {
            return (schedule.clone(), run, shown);
        }
    }
    (schedule, run, shown)
}

/// Single steps joined into runs.
fn joined(taken: &[ScheduleStep]) -> Vec<ScheduleStep> {
    let mut schedule = Vec::new();
    append_schedule(&mut schedule, taken);
    schedule
}

/// How many single steps a schedule begins with as another does, and the rest of it.
pub fn behind(taken: &[ScheduleStep], schedule: &[ScheduleStep]) -> (usize, Vec<ScheduleStep>) {
    let is_same = |a: &ScheduleStep, b: &ScheduleStep| a.actors == b.actors && a.choice == b.choice;
    let mut n = 0;
    for (at, step) in schedule.iter().enumerate() {
        let rest = taken[n..].iter().take(step.steps as usize);
        let same = rest.take_while(|single| is_same(single, step)).count();
        n += same;
        if same < step.steps as usize {
            let mut rest = schedule[at..].to_vec();
            rest[0].steps -= same as u32;
            return (n, rest);
        }
    }
    (n, Vec::new())
}

/// Steps, then switches.
fn cost(schedule: &[ScheduleStep]) -> (u64, usize) {
    let steps = schedule.iter().map(|step| step.steps as u64).sum();
    (steps, schedule.len())
}

impl<'a> Minimiser<'a, '_> {
    fn is_spent(&self) -> bool {
        self.spent > self.budget || self.system.is_late()
    }

    /// Takes `candidate` over if it shows the same with fewer steps or switches.
    fn accept(&mut self, schedule: &mut Vec<ScheduleStep>, candidate: &[ScheduleStep]) -> bool {
        if self.is_spent() {
            return false;
        }
        // A candidate may make a thread loop forever: do not wait longer than the original took.
        let step_limit = 1_000 + 2 * self.best.0.followed.len();
        let (found, followed) = self.replayed(candidate, step_limit);
        self.spent += 1 + followed;
        let Some((run, shown)) = found else {
            return false;
        };
        // A run may go on past its schedule to what it is to show.
        let taken = joined(&run.taken);
        if cost(&taken) >= cost(schedule) {
            return false;
        }
        *schedule = taken;
        self.best = (run, shown);
        self.has_changed = true;
        true
    }

    /// Replays a candidate from where it differs from the best run so far.
    fn replayed(
        &self,
        candidate: &[ScheduleStep],
        step_limit: usize,
    ) -> (Option<(Run<'a>, Shown)>, usize) {
        let (n, rest) = behind(&self.best.0.taken, candidate);
        if let Some(mut start) = self.best.0.up_to(n) {
            start.step_limit = step_limit;
            return gone_on(start, self.ordering, &rest, self.wanted);
        }
        let mut followed = 0;
        let showing = Showing {
            step_limit,
            followed: &mut followed,
        };
        let found = run_within(self.system, self.ordering, candidate, self.wanted, showing);
        (found, followed)
    }

    fn drop_and_join_steps(&mut self, schedule: &mut Vec<ScheduleStep>) {
        loop {
            let before = schedule.clone();
            self.drop_steps(schedule);
            self.join_runs(schedule);
            if *schedule == before || self.is_spent() {
                return;
            }
        }
    }

    fn drop_blocks(&mut self, schedule: &mut Vec<ScheduleStep>) {
        let mut blocks: Vec<u32> = schedule.iter().filter_map(block_of).collect();
        blocks.sort_unstable();
        blocks.dedup();
        if blocks.len() < 2 {
            return;
        }
        // Of a long run, hundreds of threads up to a barrier, those of the race itself are not tried in vain.
        let is_long = self.best.0.followed.len() > LONG;
        let kept = match &self.best.1 {
            Shown::Race(first, second) if is_long => {
                [first, second].map(|a| block_of_actor(a.actor))
            }
            _ => [None, None],
        };
        blocks.retain(|block| !kept.contains(&Some(*block)));
        for block in blocks {
            let rest: Vec<ScheduleStep> = schedule
                .iter()
                .filter(|step| block_of(step) != Some(block))
                .cloned()
                .collect();
            self.accept(schedule, &rest);
        }
    }

    /// Those alone whom the defect names.
    fn keep_involved(&mut self, schedule: &mut Vec<ScheduleStep>) {
        let involved = match &self.best.1 {
            Shown::Race(first, second) => vec![first.actor, second.actor],
            Shown::Fault(fault) => vec![fault.actor],
            Shown::Leak(_) | Shown::Stuck => return,
        };
        let rest: Vec<ScheduleStep> = schedule
            .iter()
            .filter(|step| step.actors.iter().any(|actor| involved.contains(actor)))
            .cloned()
            .collect();
        if rest.len() < schedule.len() {
            self.accept(schedule, &rest);
        }
    }

    /// Those who met at barriers of their blocks.
    fn met(&self) -> HashSet<Actor> {
        let followed = self.best.0.followed.iter();
        let meetings = followed.filter(|step| step.label.rule == Rule::CollectiveBarrier);
        meetings
            .flat_map(|step| step.label.actors.iter().copied())
            .collect()
    }

    /// Drops halves of the actors, then quarters, and so on (Zeller and Hildebrandt, *Simplifying
    /// and isolating failure-inducing input*, 2002).
    fn drop_actors(&mut self, schedule: &mut Vec<ScheduleStep>) {
        let mut actors: Vec<Vec<Actor>> = schedule.iter().map(|s| s.actors.clone()).collect();
        actors.sort_unstable();
        actors.dedup();
        // A barrier of a block waits for each of its threads.
        let met = self.met();
        actors.retain(|actors| actors.iter().all(|actor| !met.contains(actor)));
        let mut size = actors.len().div_ceil(2);
        while size > 0 && actors.len() > 1 && !self.is_spent() {
            let mut at = 0;
            while at < actors.len() {
                let chunk = &actors[at..actors.len().min(at + size)];
                let rest: Vec<ScheduleStep> = schedule
                    .iter()
                    .filter(|step| chunk.binary_search(&step.actors).is_err())
                    .cloned()
                    .collect();
                if rest.len() < schedule.len() && self.accept(schedule, &rest) {
                    actors.drain(at..actors.len().min(at + size));
                } else {
                    at += size;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
    }

    /// Drops runs of steps, then the last steps of each, from the end on.
    fn drop_steps(&mut self, schedule: &mut Vec<ScheduleStep>) {
        let mut at = schedule.len();
        while at > 0 && !self.is_spent() {
            at = (at - 1).min(schedule.len().saturating_sub(1));
            let mut without = schedule.clone();
            if without.is_empty() {
                return;
            }
            without.remove(at);
            if self.accept(schedule, &without) {
                continue;
            }
            let mut cut = schedule[at].steps / 2;
            while cut > 0 {
                let mut shorter = schedule.clone();
                if shorter.get(at).is_none_or(|step| step.steps <= cut) {
                    break;
                }
                shorter[at].steps -= cut;
                if !self.accept(schedule, &shorter) {
                    cut /= 2;
                }
            }
        }
    }

    /// Moves runs of one actor next to each other.
    fn join_runs(&mut self, schedule: &mut Vec<ScheduleStep>) {
        let mut at = 0;
        while at < schedule.len() && !self.is_spent() {
            let next = (at + 1..schedule.len()).find(|&n| {
                n > at + 1
                    && schedule[n].actors == schedule[at].actors
                    && schedule[n].choice == schedule[at].choice
            });
            let moved = next.is_some_and(|next| {
                let mut early = schedule.clone();
                let step = early.remove(next);
                early[at].steps += step.steps;
                let mut late = schedule.clone();
                let step = late.remove(at);
                late[next - 1].steps += step.steps;
                self.accept(schedule, &early) || self.accept(schedule, &late)
            });
            if !moved {
                at += 1;
            }
        }
    }
}

fn block_of(step: &ScheduleStep) -> Option<u32> {
    step.actors.iter().find_map(|actor| block_of_actor(*actor))
}

fn block_of_actor(actor: Actor) -> Option<u32> {
    match actor {
        Actor::Thread { block, .. } | Actor::Block(block) => Some(block),
        _ => None,
    }
}
