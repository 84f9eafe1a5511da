//! From a visited state back to the start, and forward again: schedules and words.

use super::expand::{Scene, Way};
use super::table::{NOBODY, Number, Table};
use super::walk::Ground;
use crate::automaton::{Agent, Automaton, Memo, Step, apply};
use crate::finding::{ScheduleStep, append_schedule};

/// Takes again what led to visited states.
pub struct Paths<'a> {
    scene: &'a Scene<'a>,
    table: &'a Table,
    start: &'a [u32],
}

impl<'a> Paths<'a> {
    pub fn new(scene: &'a Scene<'a>, table: &'a Table, start: &'a [u32]) -> Paths<'a> {
        Paths {
            scene,
            table,
            start,
        }
    }

    /// Who moves on the way to a state, and its words.
    pub fn to(&self, number: Number) -> (Vec<Agent>, Box<[u32]>) {
        let mut ways = Vec::new();
        let mut at = number;
        while at != NOBODY {
            let (parent, way) = self.table.parent(at);
            ways.push(Way::of_code(way));
            at = parent;
        }
        let automaton = self.scene.automaton;
        let mut words: Box<[u32]> = self.start.into();
        let mut agents = Vec::new();
        let (mut memo, mut step) = (Memo::default(), Step::default());
        let mut ground = Ground::new(automaton);
        for way in ways.into_iter().rev() {
            match way {
                Way::Start => {}
                Way::Agent(agent) => {
                    automaton.step(&words, agent, &mut memo, &mut step);
                    apply(&mut words, &step.patches);
                    agents.push(agent);
                }
                Way::Launch(focus) => {
                    ground.launch(automaton, &mut memo, &words, focus);
                    words.copy_from_slice(&ground.words);
                    agents.append(&mut ground.agents);
                }
                Way::Waiting => {
                    ground.waiting(automaton, &mut memo, &words);
                    words.copy_from_slice(&ground.words);
                    agents.append(&mut ground.agents);
                }
                Way::Threads(focus) => {
                    ground.threads(automaton, &mut memo, &self.scene.code, &words, focus);
                    words.copy_from_slice(&ground.words);
                    agents.append(&mut ground.agents);
                }
            }
        }
        (agents, words)
    }

    /// The schedule to a state, and some agents' steps after it.
    pub fn schedule(&self, number: Number, then: &[Agent]) -> Vec<ScheduleStep> {
        let (mut agents, _) = self.to(number);
        agents.extend_from_slice(then);
        schedule_of(self.scene.automaton, agents)
    }
}

/// What agents did, as a schedule.
pub fn schedule_of(
    automaton: &Automaton,
    agents: impl IntoIterator<Item = Agent>,
) -> Vec<ScheduleStep> {
    let mut schedule = Vec::new();
    for agent in agents {
        let step = ScheduleStep {
            actors: vec![automaton.actor(agent)],
            steps: 1,
            choice: 0,
        };
        append_schedule(&mut schedule, &[step]);
    }
    schedule
}
