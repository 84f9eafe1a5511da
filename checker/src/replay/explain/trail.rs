//! A run gone through once more with the whole states between its transitions, and what single
//! actors did on the way: loops, branches, barriers left.

use crate::replay::explain::names::{Names, thread_of, view_of};
use crate::system::ExploredProgram;
use crate::system::follow::Followed;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::eval::eval;
use gridlock_semantics::host::State;
use gridlock_semantics::thread::view::Reading;
use gridlock_semantics::thread::{Head, ThreadState};
use gridlock_semantics::transition::{Actor, Label, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Decisions remembered of one actor.
const MOST_DECISIONS: usize = 4_096;

/// Goes through a run from its start; `visit` sees each transition's number, label, and the states
/// before and after it. Private transitions of others than `actors`, where these are given, are passed over: what they
/// change is seen from their actors' next visible one on. Stops early where a private transition does not come out the
/// same again.
pub fn retrace(
    system: &ExploredProgram,
    start: &State,
    run: &[Followed],
    actors: Option<&FxHashSet<Actor>>,
    mut visit: impl FnMut(usize, &Label, &State, &State),
) {
    let mut state = start.clone();
    for (index, followed) in run.iter().enumerate() {
        let label = &followed.label;
        let next = match &followed.states {
            Some(states) => {
                visit(index, label, &states.0, &states.1);
                state = states.1.clone();
                continue;
            }
            // Paths of a lockstep warp wait for one another's.
            None if !system.system().context().axes.warps.is_lockstep()
                && actors.is_some_and(|all| label.actors.iter().all(|a| !all.contains(a))) =>
            {
                continue;
            }
            None => {
                let found = system.system().fire(&state, &label.actors);
                let Some((_, next)) = found.into_iter().find(|(found, _)| *found == **label) else {
                    return;
                };
                next
            }
        };
        visit(index, label, &state, &next);
        state = next;
    }
}

/// One test of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub op: OpId,
    pub holds: bool,
    /// The transition it was.
    pub index: usize,
}

/// A loop a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Depth of the call it is in.
    depth: usize,
    pub op: OpId,
    /// From 1.
    pub number: u32,
}

/// A barrier that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub op: OpId,
    pub turns: Vec<Turn>,
}

/// What an actor has done so far.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// It began before the run did, so that rounds of loops and barriers cannot be counted.
    pub is_partial: bool,
    pub turns: Vec<Turn>,
    pub n_left: u32,
    pub last_left: Option<Left>,
    pub decisions: Vec<Decision>,
    /// What temporaries of a depth were loaded from, as in the source: `s[3]`.
    pub fetched: FxHashMap<(usize, VarId), (String, Value)>,
}

/// Tracks of some actors along a run.
pub struct Tracks<'a> {
    system: &'a ExploredProgram,
    names: &'a Names<'a>,
    pub of: FxHashMap<Actor, Track>,
}

impl<'a> Tracks<'a> {
    pub fn new(
        system: &'a ExploredProgram,
        names: &'a Names<'a>,
        actors: impl IntoIterator<Item = Actor>,
    ) -> Tracks<'a> {
        let track = Track {
            is_partial: !system.led().is_empty(),
            ..Track::default()
        };
        let actors = actors.into_iter();
        Tracks {
            system,
            names,
            of: actors.map(|actor| (actor, track.clone())).collect(),
        }
    }

    /// Follows one transition.
    pub fn follow(&mut self, index: usize, label: &Label, before: &State, after: &State) {
        let names = self.names;
        for (&actor, track) in &mut self.of {
            let was = thread_of(before, actor);
            let is = thread_of(after, actor);
            if let (Some(was), Some(is)) = (was, is) {
                if Arc::ptr_eq(was, is) {
                    continue;
                }
                track.barrier(names, was, is);
            } else if was.is_none() {
                // Its launch has just begun, or it is over.
                *track = Track::default();
                continue;
            }
            let Some(was) = was.filter(|_| label.actors.contains(&actor)) else {
                continue;
            };
            let depth = was.frames.len();
            // By the operator, not the rule: several may fire one together.
            if let Some(op) = label.op
                && let Some((cond, is_loop)) = condition(names, op)
            {
                if let Some(holds) = test(self.system, before, actor, cond) {
                    track.decide(depth, is_loop, Decision { op, holds, index });
                }
                continue;
            }
            match (label.rule, label.op) {
                (Rule::R5, _) => {
                    track.turns.retain(|turn| turn.depth < depth);
                    track.fetched.retain(|(at, _), _| *at < depth);
                }
                (_, Some(op)) => track.fetch(names, depth, op, label, actor, before, after),
                _ => {}
            }
        }
    }
}

impl Track {
    fn decide(&mut self, depth: usize, is_loop: bool, decision: Decision) {
        if self.decisions.len() < MOST_DECISIONS {
            self.decisions.push(decision);
        }
        if !is_loop || self.is_partial {
            return;
        }
        let op = decision.op;
        let known = self
            .turns
            .iter()
            .position(|t| (t.depth, t.op) == (depth, op));
        match (known, decision.holds) {
            (Some(at), true) => {
                self.turns.truncate(at + 1);
                self.turns[at].number += 1;
            }
            (None, true) => self.turns.push(Turn {
                depth,
                op,
                number: 1,
            }),
            (Some(at), false) => self.turns.truncate(at),
            (None, false) => {}
        }
    }

    /// Notices that a barrier is left: it stood at one and stands there no more.
    fn barrier(&mut self, names: &Names<'_>, was: &ThreadState, is: &ThreadState) {
        let Head::Op(op) = was.head() else { return };
        let waits = matches!(
            op.kind,
            OpKind::Basic(Basic::Barrier { .. } | Basic::GridBarrier | Basic::NamedBarrier { .. })
        );
        let stays = matches!(is.head(), Head::Op(now) if now.id == op.id);
        if waits && !stays && names.is_known(op.id) {
            self.n_left += 1;
            self.last_left = Some(Left {
                op: op.id,
                turns: self.turns.clone(),
            });
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what a transition consists of")]
    fn fetch(
        &mut self,
        names: &Names<'_>,
        depth: usize,
        op: OpId,
        label: &Label,
        actor: Actor,
        before: &State,
        after: &State,
    ) {
        let Some(var) = names.loads(op) else { return };
        let Some(access) = label.accesses.iter().find(|a| a.actor == actor) else {
            return;
        };
        let value = thread_of(after, actor)
            .and_then(|thread| thread.frames.last())
            .and_then(|frame| frame.vars.get(var.0 as usize));
        if let Some(value) = value {
            let array = names.words.array(before, access.array);
            let cell = names.words.element((&*array, access.array), access.index);
            self.fetched.insert((depth, var), (cell, *value));
        }
    }
}

/// The condition of a branch or a loop, and whether it is a loop.
fn condition<'n>(names: &'n Names<'_>, op: OpId) -> Option<(&'n Expr, bool)> {
    match &names.op(op)?.kind {
        OpKind::If { cond, .. } => Some((cond, false)),
        OpKind::While { cond, .. } => Some((cond, true)),
        _ => None,
    }
}

/// What a condition is for an actor.
fn test(system: &ExploredProgram, state: &State, actor: Actor, cond: &Expr) -> Option<bool> {
    let view = view_of(system, state, actor)?;
    let mut reading = Reading::new(view);
    match eval(cond, &mut reading) {
        Ok(Value::Bool(holds)) => Some(holds),
        _ => None,
    }
}
