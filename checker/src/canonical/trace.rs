//! The schedule of a run, recorded so that a finding can be replayed. Only a second run of a
//! program in which something was found is traced.

use crate::finding::ScheduleStep;
use gridlock_semantics::transition::Actor;

/// Visible transitions in a row by the same actors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub actors: Actors,
    pub steps: u32,
    /// Which launch it belongs to (counting from 1; 0 before the first), and for steps of
    /// threads, which block and stamp (see [`super::shadow`]).
    pub launch: u32,
    pub block: Option<u32>,
    pub stamp: u32,
}

/// Who moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actors {
    One(Actor),
    /// Threads of a block that step together.
    Path {
        block: u32,
        threads: Vec<u32>,
    },
}

impl Actors {
    fn to_vec(&self) -> Vec<Actor> {
        match self {
            Actors::One(actor) => vec![*actor],
            Actors::Path { block, threads } => {
                let block = *block;
                threads
                    .iter()
                    .map(|&thread| Actor::Thread { block, thread })
                    .collect()
            }
        }
    }
}

/// A place in a trace: a segment, and how many of its steps have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The number of the segment.
    pub segment: usize,
    /// Of its steps, those that have been made.
    pub steps: u32,
}

/// Segments a trace may have; what is found later has no schedule, and so no finding.
const MAX_SEGMENTS: usize = 8 << 20;

#[derive(Debug, Default)]
pub struct Trace {
    segments: Vec<Segment>,
}

impl Trace {
    /// Nothing more is recorded.
    pub fn is_full(&self) -> bool {
        self.segments.len() >= MAX_SEGMENTS
    }

    /// Records steps.
    pub fn push(&mut self, segment: Segment) {
        self.segments.push(segment);
    }

    /// Number of the segment recorded next.
    pub fn next(&self) -> usize {
        self.segments.len()
    }

    /// The schedule up to and including `end`, of those segments that `keep` says how many steps
    /// of to keep.
    pub fn schedule(
        &self,
        end: Moment,
        mut keep: impl FnMut(usize, &Segment) -> u32,
    ) -> Vec<ScheduleStep> {
        let mut schedule: Vec<ScheduleStep> = Vec::new();
        for (index, segment) in self.segments.iter().enumerate().take(end.segment + 1) {
            let mut steps = segment.steps.min(keep(index, segment));
            if index == end.segment {
                steps = steps.min(end.steps);
            }
            if steps == 0 {
                continue;
            }
            let actors = segment.actors.to_vec();
            match schedule.last_mut() {
                Some(last) if last.actors == actors => last.steps += steps,
                _ => schedule.push(ScheduleStep {
                    actors,
                    steps,
                    choice: 0,
                }),
            }
        }
        schedule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(thread: u32, steps: u32) -> Segment {
        let actors = Actors::One(Actor::Thread { block: 0, thread });
        Segment {
            actors,
            steps,
            launch: 1,
            block: Some(0),
            stamp: 1,
        }
    }

    #[test]
    fn schedules_are_cut_filtered_and_run_length_encoded() {
        let mut trace = Trace::default();
        for (thread, steps) in [(0, 2), (0, 3), (1, 4), (2, 0), (0, 1)] {
            trace.push(segment(thread, steps));
        }
        let end = Moment {
            segment: 4,
            steps: 1,
        };
        let lengths = |schedule: Vec<ScheduleStep>| -> Vec<u32> {
            schedule.iter().map(|step| step.steps).collect()
        };
        assert_eq!(lengths(trace.schedule(end, |_, _| u32::MAX)), vec![5, 4, 1]);
        assert_eq!(
            lengths(trace.schedule(end, |i, _| if i == 2 { 0 } else { 9 })),
            vec![6]
        );
        let early = Moment {
            segment: 2,
            steps: 3,
        };
        assert_eq!(lengths(trace.schedule(early, |_, _| u32::MAX)), vec![5, 3]);
    }
}
