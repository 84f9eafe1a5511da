//! Explains a confirmed finding: the run is gone through once more and told in the program's own
//! words ([`crate::report::explanation`]).

mod assigned;
mod compared;
mod moment;
mod names;
mod switches;
mod trail;
mod waits;
mod writers;
mod written;

pub use assigned::assigned;
pub use compared::{compared, explained};
pub use names::{is_made_by_front_end, view_of};

use crate::progress::lasso::{Circling, Doing, Seen};
use crate::replay::confirmed::{Confirmed, LivelockCycle};
use crate::replay::words::who;
use crate::report::explanation::{Explanation, Missing, Moment, Parting, Side, Wait};
use crate::report::site::Site;
use crate::system::ExploredProgram;
use crate::system::follow::{Followed, Run};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Access, Actor, Label};
use moment::Point;
use names::Names;
use rustc_hash::FxHashSet;
use switches::switches;
use trail::{Decision, Tracks, retrace};
use waits::{Group, groups};

/// Threads whose ways are compared where threads do not meet.
const MOST_COMPARED: usize = 8;

/// Explains what `run` showed. `given` is the program before it was put into the form that runs.
pub fn explain(
    system: &ExploredProgram,
    given: &Program,
    confirmed: &Confirmed,
    run: &Run<'_>,
) -> Explanation {
    let names = Names::new(system, given);
    let teller = Teller {
        system,
        names: &names,
        confirmed,
        run,
    };
    let mut explanation = Explanation {
        steps: confirmed.schedule.iter().map(|s| u64::from(s.steps)).sum(),
        switches: switches(&confirmed.schedule),
        ..Explanation::default()
    };
    teller.tell(&mut explanation);
    explanation
}

struct Teller<'a, 'r> {
    system: &'a ExploredProgram,
    names: &'a Names<'a>,
    confirmed: &'a Confirmed,
    run: &'a Run<'r>,
}

impl Teller<'_, '_> {
    fn tell(&self, explanation: &mut Explanation) {
        let confirmed = self.confirmed;
        if let Some((first, second)) = &confirmed.race {
            let points = [self.point_of(first, true), self.point_of(second, false)];
            let points: Vec<Point> = points.into_iter().flatten().collect();
            explanation.moments = self.moments(&points);
            explanation.same_value = match explanation.moments.as_slice() {
                [a, b] => a.wrote.is_some() && a.wrote == b.wrote,
                _ => false,
            };
            explanation.notes.extend(self.apart(first, second));
            let on_host = |a: &Access| !matches!(a.actor, Actor::Thread { .. });
            if on_host(first) || on_host(second) {
                explanation
                    .notes
                    .extend(waits::still_to_do(self.names, &self.run.state));
            }
        } else if let Some(fault) = &confirmed.fault {
            if let FaultKind::BarrierDivergence { .. } = fault.kind {
                self.not_met(explanation, &self.state_before_the_end());
                return;
            }
            let access = None;
            let point = Point {
                index: self.run.followed.len().saturating_sub(1),
                actor: fault.actor,
                op: fault.op,
                access,
                site: self.site(fault.op, fault.actor, None),
            };
            explanation.moments = self.moments(&[point]);
            match &fault.kind {
                FaultKind::UninitialisedRead { array, .. } => {
                    explanation
                        .notes
                        .extend(self.never_written(fault.op, array));
                }
                FaultKind::UseAfterFree { array, space }
                | FaultKind::DoubleFree { array, space }
                | FaultKind::WrongMemory { array, space } => {
                    explanation.notes.extend(self.life_of(array, *space));
                }
                FaultKind::BadWarpMask { .. } => {
                    self.not_met(explanation, &self.state_before_the_end());
                }
                _ => {}
            }
        } else if let Some(livelock) = &confirmed.livelock {
            self.livelock(explanation, livelock);
        } else if let Some(leak) = &confirmed.leak {
            let made = |step: &Followed| step.label.op == Some(leak.op);
            if let Some(index) = self.run.followed.iter().position(made) {
                let actors = &self.run.followed[index].label.actors;
                let actor = actors.first().copied().unwrap_or(Actor::Host);
                explanation.moments = self.moments(&[Point {
                    index,
                    actor,
                    op: leak.op,
                    access: None,
                    site: self.site(leak.op, actor, None),
                }]);
            }
        } else {
            self.not_met(explanation, &self.run.state);
        }
    }

    fn site(&self, op: OpId, actor: Actor, mode: Option<AccessMode>) -> Site {
        Site {
            mode,
            ..self
                .names
                .words
                .site(Some(op), actor, self.confirmed.launch.as_ref())
        }
    }

    /// The last transition of the run that made an access; of the first one of a pair, the last
    /// but for the very last transition where that can be.
    fn point_of(&self, access: &Access, is_first: bool) -> Option<Point> {
        let made = |step: &Followed| step.label.accesses.contains(access);
        let of_op = |step: &Followed| step.label.op == Some(access.op);
        let index = self.run.followed.iter().rposition(made);
        // Copies between the memories touch many cells, of which none is recorded.
        let index = index.or_else(|| self.run.followed.iter().rposition(of_op));
        // What others free or go on with touches nothing itself.
        let index = match index {
            Some(index) => index,
            None if !is_first => self.run.followed.len().checked_sub(1)?,
            None => return None,
        };
        Some(Point {
            index,
            actor: access.actor,
            op: access.op,
            access: Some(*access),
            site: self.site(access.op, access.actor, Some(access.mode)),
        })
    }

    fn moments(&self, points: &[Point]) -> Vec<Moment> {
        let actors = points.iter().map(|point| point.actor);
        let mut tracks = Tracks::new(self.system, self.names, actors);
        let mut told: Vec<Option<Moment>> = vec![None; points.len()];
        let launch = self.confirmed.launch.as_ref();
        let of = points.iter().map(|point| point.actor).collect();
        self.retrace_of(&of, |index, label, before, after| {
            for (point, told) in points.iter().zip(&mut told) {
                if let Some(track) = tracks.of.get(&point.actor)
                    && point.index == index
                {
                    let states = (before, after);
                    let moment =
                        moment::moment(self.system, self.names, point, states, track, launch);
                    *told = Some(moment);
                }
            }
            tracks.follow(index, label, before, after);
        });
        told.into_iter().flatten().collect()
    }

    fn retrace(&self, visit: impl FnMut(usize, &Label, &State, &State)) {
        let Run {
            start, followed, ..
        } = self.run;
        retrace(self.system, start, followed, None, visit);
    }

    fn retrace_of(
        &self,
        actors: &FxHashSet<Actor>,
        visit: impl FnMut(usize, &Label, &State, &State),
    ) {
        let Run {
            start, followed, ..
        } = self.run;
        retrace(self.system, start, followed, Some(actors), visit);
    }

    /// The state before the last transition of the run: a fault.
    fn state_before_the_end(&self) -> State {
        let last = self.run.followed.last();
        let before = last.and_then(|step| step.before());
        before.unwrap_or(&self.run.state).clone()
    }

    /// Why nothing orders two accesses, where that is not plain.
    fn apart(&self, first: &Access, second: &Access) -> Option<String> {
        match (first.actor, second.actor) {
            (Actor::Thread { block: a, .. }, Actor::Thread { block: b, .. }) if a != b => Some(
                "the threads are in different blocks, which no barrier of a block orders".into(),
            ),
            _ => None,
        }
    }

    /// Where the program writes an array that was read before it was written.
    fn never_written(&self, op: OpId, array: &str) -> Option<String> {
        let last = self.run.followed.last()?;
        let read = last.label.accesses.iter().rev().find(|a| a.op == op)?;
        let places = writers::written_at(self.system, self.names, read.array, None);
        Some(match places.is_empty() {
            true => format!("nothing in the program writes `{array}`"),
            false => format!(
                "`{array}` is written at {}, but not this cell on the way here",
                writers::listed(&places)
            ),
        })
    }

    /// What made an allocated array, and what freed it.
    fn life_of(&self, array: &str, space: Space) -> Option<String> {
        let memory = &self.run.state.memory;
        let arrays = match space {
            Space::Host => &memory.host,
            _ => &memory.global,
        };
        // Of several with one name, the one that was freed last.
        let named = || {
            (0..)
                .zip(arrays)
                .filter(|(_, known)| *known.info.name == *array)
        };
        let (number, found) = named()
            .filter(|(_, known)| known.freed)
            .last()
            .or(named().last())?;
        let made = found.info.allocated?;
        let whole = match space {
            Space::Host => ArrayRef::Host(number),
            _ => ArrayRef::Global(number),
        };
        let is_freed = |state: &State| state.memory.array(whole).is_some_and(|known| known.freed);
        let mut freed = None;
        self.retrace(|_, label, before, after| {
            if freed.is_none() && !is_freed(before) && is_freed(after) {
                freed = label.op;
            }
        });
        let made = self.names.words.place(made);
        Some(match freed {
            None => format!("`{array}` was made at {made}"),
            Some(op) => format!(
                "`{array}` was made at {made} and freed at {}",
                self.names.words.place(op)
            ),
        })
    }

    /// Who waits for whom, and where their ways part.
    fn not_met(&self, explanation: &mut Explanation, state: &State) {
        let launch = self.confirmed.launch.as_ref();
        explanation.waits = waits::waits(self.system, self.names, state, launch);
        let all = groups(state);
        let Some(waiting) = all.iter().find(|group| group.waits(state)) else {
            return;
        };
        let missing = all.iter().filter(|group| waiting.lacks(group));
        let compared: Vec<&Group> = std::iter::once(waiting)
            .chain(missing)
            .take(MOST_COMPARED)
            .collect();
        explanation.parting = self.parting(&compared);
    }

    /// The first test that came out differently for the first of the groups and one of the others.
    fn parting(&self, groups: &[&Group]) -> Option<Parting> {
        let firsts: Vec<Actor> = groups
            .iter()
            .filter_map(|g| g.actors.first().copied())
            .collect();
        let mut tracks = Tracks::new(self.system, self.names, firsts.iter().copied());
        let of = firsts.iter().copied().collect();
        self.retrace_of(&of, |index, label, before, after| {
            tracks.follow(index, label, before, after);
        });
        let decisions =
            |actor: &Actor| tracks.of.get(actor).map(|track| track.decisions.as_slice());
        let waiting = *firsts.first()?;
        let own = decisions(&waiting)?;
        let (other, mine, theirs) = firsts[1..].iter().find_map(|other| {
            let theirs = decisions(other)?;
            let pair = own
                .iter()
                .zip(theirs)
                .find(|(a, b)| (a.op, a.holds) != (b.op, b.holds))?;
            (pair.0.op == pair.1.op).then_some((*other, *pair.0, *pair.1))
        })?;
        let sides = self.sides(&[(waiting, mine), (other, theirs)]);
        Some(Parting {
            at: self.names.place(mine.op),
            condition: self.names.condition(mine.op).unwrap_or_default(),
            sides,
        })
    }

    /// What each had when it made its decision.
    fn sides(&self, decisions: &[(Actor, Decision)]) -> Vec<Side> {
        let actors = decisions.iter().map(|(actor, _)| *actor);
        let mut tracks = Tracks::new(self.system, self.names, actors);
        let mut told: Vec<Option<Side>> = vec![None; decisions.len()];
        let of = decisions.iter().map(|(actor, _)| *actor).collect();
        self.retrace_of(&of, |index, label, before, after| {
            for ((actor, decision), told) in decisions.iter().zip(&mut told) {
                if let Some(track) = tracks.of.get(actor)
                    && decision.index == index
                {
                    let (system, names) = (self.system, self.names);
                    *told = Some(Side {
                        who: who(*actor, self.confirmed.launch.as_ref()),
                        holds: decision.holds,
                        values: names.values_of_condition(
                            system,
                            before,
                            *actor,
                            decision.op,
                            track,
                        ),
                    });
                }
            }
            tracks.follow(index, label, before, after);
        });
        told.into_iter().flatten().collect()
    }

    /// Who is in a cycle or waits, for whom.
    fn livelock(&self, explanation: &mut Explanation, livelock: &LivelockCycle) {
        let launch = self.confirmed.launch.as_ref();
        let state = &self.run.state;
        explanation.waits = waits::waits(self.system, self.names, state, launch);
        let mut seen: Vec<(ArrayRef, i64, Option<u32>)> = Vec::new();
        for agent in &livelock.agents {
            let Doing::Spins { looks_at } = &agent.does else {
                continue;
            };
            for place in looks_at {
                let at = crate::system::footprint::place_of(&place.access);
                let key = (place.access.array, place.access.index, at.block());
                if seen.contains(&key) {
                    continue;
                }
                seen.push(key);
                explanation.notes.extend(self.history(place));
                explanation.waits.push(self.spin(livelock, agent, place));
            }
        }
    }

    /// What was left at a place that is looked at for ever.
    fn history(&self, place: &Seen) -> Option<String> {
        let launch = self.confirmed.launch.as_ref();
        let array = (&*place.name, place.access.array);
        let cell = self.names.words.element(array, place.access.index);
        Some(
            match writers::last_change(self.system, &self.run.followed, &place.access) {
                Some(change) => {
                    writers::left_by(self.names, &self.run.state, &cell, &change, launch)
                }
                None => format!("nothing has changed `{cell}` since the start"),
            },
        )
    }

    /// Those who look at a place for ever wait for another to write it.
    fn spin(&self, livelock: &LivelockCycle, agent: &Circling, place: &Seen) -> Wait {
        let launch = self.confirmed.launch.as_ref();
        let looks = |other: &&Circling| match &other.does {
            Doing::Spins { looks_at } => looks_at.iter().any(|seen| {
                (seen.access.array, seen.access.index) == (place.access.array, place.access.index)
            }),
            _ => false,
        };
        let spinning: Vec<Actor> = livelock
            .agents
            .iter()
            .filter(looks)
            .map(|a| a.position.actor)
            .collect();
        let places = writers::written_at(
            self.system,
            self.names,
            place.access.array,
            Some(place.access.op),
        );
        let array = (&*place.name, place.access.array);
        let cell = self.names.words.element(array, place.access.index);
        let value = place
            .value
            .map_or(String::new(), |value| format!(" (it is {value})"));
        let needs = match places.is_empty() {
            true => format!("a change of `{cell}`{value}"),
            false => format!(
                "a change of `{cell}`{value}, as {} may make",
                writers::listed(&places)
            ),
        };
        let missing = groups(&self.run.state);
        let missing = missing.iter().filter(|group| {
            group
                .actors
                .first()
                .is_some_and(|actor| !spinning.contains(actor))
        });
        let looks_op = place.access.op;
        let actor = agent.position.actor;
        Wait {
            who: crate::replay::words::group_name(&spinning, launch),
            number: spinning.len(),
            site: self.site(looks_op, actor, Some(place.access.mode)),
            at: self.names.words.text(looks_op),
            calls: Vec::new(),
            needs,
            for_whom: missing
                .map(|group| self.elsewhere(livelock, group))
                .collect(),
        }
    }

    /// Where those stand who do not look at the place.
    fn elsewhere(&self, livelock: &LivelockCycle, group: &Group) -> Missing {
        let launch = self.confirmed.launch.as_ref();
        let first = group.actors.first();
        let agent = livelock
            .agents
            .iter()
            .find(|a| Some(&a.position.actor) == first);
        let one = group.actors.len() == 1;
        let has = if one { "has" } else { "have" };
        let place = agent.and_then(|a| a.position.op);
        let at = place.map_or(String::new(), |op| {
            format!(" at {}", self.names.words.place(op))
        });
        let stands = match agent.map(|a| &a.does) {
            Some(Doing::Ended) | None => format!("{has} ended"),
            Some(Doing::NotStarted) => {
                format!("{has} not started, for the block gets no place")
            }
            Some(Doing::PassedOver) => {
                format!("{} passed over{at}", if one { "is" } else { "are" })
            }
            Some(Doing::Waits) => format!("wait{}{at}", if one { "s" } else { "" }),
            Some(Doing::Spins { .. }) => format!("cycle{}{at}", if one { "s" } else { "" }),
        };
        let site = place.zip(first);
        Missing {
            who: crate::replay::words::group_name(&group.actors, launch),
            number: group.actors.len(),
            stands,
            site: site.map(|(op, actor)| self.site(op, *actor, None)),
        }
    }
}
