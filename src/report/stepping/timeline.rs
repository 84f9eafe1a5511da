//! A replay laid out for the eye: who takes part (a lane each), what happens step by step, where
//! the schedule goes from one actor to another, and where the conflict is.

use crate::report::render::moves::{actor_name, step_text};
use gridlock_checker::replay::{Replay, ReplayStep};
use gridlock_checker::report::witness::Witness;
use gridlock_semantics::transition::Actor;
use std::collections::{BTreeMap, BTreeSet};

/// An actor that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Who it is.
    pub actor: Actor,
    /// `b0 t3`, `host`.
    pub name: String,
    /// Rows in which it moves.
    pub n_steps: usize,
    /// It has a part in the conflict.
    pub is_guilty: bool,
}

/// One step shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number among all steps of the replay, from 0.
    pub index: usize,
    /// The lane of the only actor; `None` for a block, the device, or several together.
    pub lane: Option<usize>,
    /// `line 3: writes a[0] := 1 (was 0)`.
    pub text: String,
    /// The source file; empty: nowhere.
    pub file: String,
    /// 0: nowhere.
    pub line: u32,
    /// Others move than in the row before.
    pub is_switch: bool,
    /// It has a part in the conflict.
    pub is_conflict: bool,
    /// The rows repeat from here on.
    pub begins_cycle: bool,
}

/// A replay laid out.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// What was replayed.
    pub witness: &'a Witness,
    /// What the replay gave.
    pub replay: &'a Replay,
    /// The steps shown, in order.
    pub rows: Vec<Row>,
    /// In the order of their actors.
    pub lanes: Vec<Lane>,
}

impl<'a> Timeline<'a> {
    /// Private steps are left out unless `all`, but for a cycle that has no others.
    pub fn new(witness: &'a Witness, replay: &'a Replay, all: bool) -> Timeline<'a> {
        let launch = witness.setup.launch.as_ref();
        let cycle = replay.cycle_from.unwrap_or(replay.steps.len());
        let all_of_cycle = !replay.steps[cycle..].iter().any(|step| step.visible);
        let is_shown = |(index, step): &(usize, &ReplayStep)| {
            all || step.visible
                || all_of_cycle && *index >= cycle
                || replay.conflict.contains(index)
        };
        let shown: Vec<(usize, &ReplayStep)> =
            replay.steps.iter().enumerate().filter(is_shown).collect();
        let mut n_steps: BTreeMap<Actor, usize> = BTreeMap::new();
        for actor in shown.iter().filter_map(|(_, step)| own_lane(step)) {
            *n_steps.entry(actor).or_default() += 1;
        }
        let conflict = replay
            .conflict
            .iter()
            .filter_map(|&at| replay.steps.get(at));
        let guilty: BTreeSet<Actor> = conflict.filter_map(own_lane).collect();
        let lanes: Vec<Lane> = n_steps
            .into_iter()
            .map(|(actor, n_steps)| Lane {
                actor,
                name: actor_name(actor, launch),
                n_steps,
                is_guilty: guilty.contains(&actor),
            })
            .collect();
        let lane_of = |actor: Actor| lanes.binary_search_by_key(&actor, |lane| lane.actor).ok();
        let mut rows: Vec<Row> = Vec::with_capacity(shown.len());
        let mut before: Option<&ReplayStep> = None;
        let mut begun = false;
        for (index, step) in shown {
            let begins_cycle = !begun && replay.cycle_from.is_some_and(|from| index >= from);
            begun |= begins_cycle;
            rows.push(Row {
                index,
                lane: own_lane(step).and_then(lane_of),
                text: step_text(step),
                file: step.site.as_ref().map_or(String::new(), |s| s.file.clone()),
                line: step.site.as_ref().map_or(0, |s| s.line),
                is_switch: before.is_some_and(|before| before.actors != step.actors),
                is_conflict: replay.conflict.contains(&index),
                begins_cycle,
            });
            before = Some(step);
        }
        Timeline {
            witness,
            replay,
            rows,
            lanes,
        }
    }

    /// The step a row shows.
    pub fn step(&self, row: usize) -> &'a ReplayStep {
        &self.replay.steps[self.rows[row].index]
    }

    /// At most `most` lanes: those with a part in the conflict, then those who move most. In order.
    pub fn lanes_shown(&self, most: usize) -> Vec<usize> {
        let mut best: Vec<usize> = (0..self.lanes.len()).collect();
        best.sort_by_key(|&lane| {
            let Lane {
                is_guilty, n_steps, ..
            } = self.lanes[lane];
            (!is_guilty, std::cmp::Reverse(n_steps), lane)
        });
        best.truncate(most);
        best.sort_unstable();
        best
    }

    /// Who moves in a row, for a title.
    pub fn who(&self, row: usize) -> String {
        let launch = self.witness.setup.launch.as_ref();
        match self.step(row).actors.as_slice() {
            [actor] => actor_name(*actor, launch),
            several => format!("{} together", several.len()),
        }
    }
}

/// The actor of a step that has a lane of its own.
fn own_lane(step: &ReplayStep) -> Option<Actor> {
    match step.actors.as_slice() {
        [Actor::Block(_) | Actor::Device] => None,
        [actor] => Some(*actor),
        _ => None,
    }
}
