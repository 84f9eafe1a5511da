//! A schedule as the page has it, bounded: of a long run the beginning, the end and what is around
//! the conflict; of many threads those with a part in the conflict and those who move most.

use crate::report::render::diagnostic::{Note, notes};
use crate::report::render::explanation;
use crate::report::stepping::timeline::Timeline;
use gridlock_checker::replay::{Assigned, Replay};
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::transition::Actor;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Steps kept at the beginning, at the end, and on either side of a step of the conflict.
const HEAD: usize = 300;
const TAIL: usize = 1_500;
const AROUND: usize = 20;

/// Lanes drawn.
const MOST_LANES: usize = 32;

/// Variables shown at a step.
const MOST_VARIABLES: usize = 16;

/// Longest text of a step, in characters.
const LONGEST: usize = 300;

/// One schedule, or what is known of a defect without one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Run {
    /// What it is a run of, where a page has several: `scan`, `scan, old program`.
    of: String,
    /// Where both sides of a conflict stand, or who waits where.
    sides: Vec<Place>,
    /// The defect's kind.
    kind: String,
    /// What happened, in a sentence.
    message: String,
    reproduced: bool,
    /// How it came about.
    why: Vec<String>,
    /// The command that replays it.
    command: String,
    lanes: Vec<LaneData>,
    /// How many more threads took part than there are lanes.
    more_lanes: usize,
    n_steps: usize,
    steps: Vec<Step>,
}

/// A place in the source with what is said of it.
#[derive(Clone, Debug, Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
    text: String,
}

#[derive(Clone, Debug, Serialize)]
struct LaneData {
    name: String,
    guilty: bool,
}

/// A step of a schedule, for other renderings of it.
#[derive(Clone, Copy, Debug)]
pub struct StepSeen<'r> {
    /// From 1.
    pub number: usize,
    /// Who moves.
    pub who: &'r str,
    /// What is done.
    pub text: &'r str,
    /// Empty: nowhere.
    pub file: &'r str,
    /// 0: nowhere.
    pub line: u32,
    /// It has a part in the conflict.
    pub is_conflict: bool,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Step {
    /// From 1.
    n: usize,
    lane: Option<usize>,
    who: String,
    text: String,
    file: String,
    line: u32,
    conflict: bool,
    switch: bool,
    /// The cycle of the run begins here.
    cycle: bool,
    /// Steps left out before it.
    gap: usize,
    /// Variables of who moved, after the step.
    values: Vec<(String, String)>,
    /// Cells touched: name, before, after.
    cells: Vec<(String, String, String)>,
}

impl Run {
    /// `command`: what a reader can type to replay it.
    pub fn new(timeline: &Timeline<'_>, command: String) -> Run {
        let replay: &Replay = timeline.replay;
        let lanes = timeline.lanes_shown(MOST_LANES);
        let place = |lane: usize| lanes.iter().position(|shown| *shown == lane);
        let kept = kept(timeline);
        let mut variables = Variables::default();
        let mut steps = Vec::with_capacity(kept.len());
        let mut before = 0;
        for row in kept {
            let shown = &timeline.rows[row];
            let seen = timeline.step(row);
            let mover = match seen.actors.as_slice() {
                [actor] => Some(*actor),
                _ => None,
            };
            variables.follow(replay, shown.index + 1);
            let value = |v: &Option<gridlock_semantics::algebra::value::Value>| {
                v.map_or("nothing".to_owned(), |v| v.to_string())
            };
            steps.push(Step {
                n: row + 1,
                lane: shown.lane.and_then(place),
                who: timeline.who(row),
                text: bounded(&shown.text),
                file: shown.file.clone(),
                line: shown.line,
                conflict: shown.is_conflict,
                switch: shown.is_switch,
                cycle: shown.begins_cycle,
                gap: row - before,
                values: mover.map_or(Vec::new(), |mover| variables.of(mover)),
                cells: seen
                    .accesses
                    .iter()
                    .take(MOST_VARIABLES)
                    .map(|seen| (seen.element.clone(), value(&seen.old), value(&seen.new)))
                    .collect(),
            });
            before = row + 1;
        }
        Run {
            of: String::new(),
            sides: Vec::new(),
            kind: timeline.witness.kind.name().to_owned(),
            message: replay.conclusion.clone(),
            reproduced: replay.reproduced,
            why: replay
                .explanation
                .iter()
                .flat_map(explanation::lines)
                .collect(),
            command,
            more_lanes: timeline.lanes.len() - lanes.len(),
            lanes: lanes
                .iter()
                .map(|&lane| LaneData {
                    name: timeline.lanes[lane].name.clone(),
                    guilty: timeline.lanes[lane].is_guilty,
                })
                .collect(),
            n_steps: timeline.rows.len(),
            steps,
        }
    }

    /// A defect without a schedule.
    pub fn of_defect(defect: &Defect) -> Run {
        Run {
            kind: defect.kind.name().to_owned(),
            message: defect.message.clone(),
            reproduced: defect.confirmed,
            why: defect
                .explanation
                .iter()
                .flat_map(explanation::lines)
                .collect(),
            ..Run::default()
        }
    }

    /// As a run of `of` that shows a defect: with the places of its sides, and what the report says of it.
    pub fn showing(mut self, of: &str, defect: &Defect) -> Run {
        of.clone_into(&mut self.of);
        self.message.clone_from(&defect.message);
        let notes = notes(defect).into_iter().filter(|note| note.line > 0);
        self.sides = notes
            .map(
                |Note {
                     file,
                     line,
                     column,
                     text,
                 }| Place {
                    file,
                    line,
                    column,
                    text,
                },
            )
            .collect();
        self
    }

    /// The command that replays it.
    pub fn replayed_by(mut self, command: String) -> Run {
        self.command = command;
        self
    }

    /// The steps kept, in order.
    pub fn steps(&self) -> impl Iterator<Item = StepSeen<'_>> {
        self.steps.iter().map(|step| StepSeen {
            number: step.n,
            who: &step.who,
            text: &step.text,
            file: &step.file,
            line: step.line,
            is_conflict: step.conflict,
        })
    }

    /// The places in the source its steps speak of.
    pub(super) fn places(&self) -> impl Iterator<Item = (String, u32)> + '_ {
        let steps = self.steps.iter().map(|step| (&step.file, step.line));
        let sides = self.sides.iter().map(|side| (&side.file, side.line));
        let places = steps.chain(sides).filter(|(_, line)| *line > 0);
        places.map(|(file, line)| (file.clone(), line))
    }
}

/// The rows kept, in order.
fn kept(timeline: &Timeline<'_>) -> BTreeSet<usize> {
    let n = timeline.rows.len();
    let mut kept: BTreeSet<usize> = (0..n.min(HEAD)).chain(n.saturating_sub(TAIL)..n).collect();
    for (row, shown) in timeline.rows.iter().enumerate() {
        if shown.is_conflict || shown.begins_cycle {
            kept.extend(row.saturating_sub(AROUND)..n.min(row + AROUND + 1));
        }
    }
    kept
}

fn bounded(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// What the variables of each actor are, step by step.
#[derive(Default)]
struct Variables {
    /// Steps followed.
    at: usize,
    of: BTreeMap<Actor, Vec<(String, String)>>,
}

impl Variables {
    fn follow(&mut self, replay: &Replay, to: usize) {
        for step in &replay.steps[self.at..to] {
            for Assigned { actor, name, value } in &step.assigned {
                let known = self.of.entry(*actor).or_default();
                match known.iter_mut().find(|(known, _)| known == name) {
                    Some((_, held)) => held.clone_from(value),
                    None => known.push((name.clone(), value.clone())),
                }
            }
        }
        self.at = to;
    }

    fn of(&self, actor: Actor) -> Vec<(String, String)> {
        let known = self.of.get(&actor).into_iter().flatten();
        known.take(MOST_VARIABLES).cloned().collect()
    }
}
