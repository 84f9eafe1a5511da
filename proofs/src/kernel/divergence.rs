//! Barrier divergence: whether threads of a block that leave one barrier together come to the
//! next together. Each decision between ways that meet different barriers has to be the same for
//! any two threads that come to it; under profiles that count threads that have ended, no thread
//! may return before a barrier that others reach.

use crate::kernel::analysis::{Analysis, Attempt, Doubts, Obstacle};
use crate::kernel::candidate::Suspicion;
use crate::solver::possible::Possible;
use crate::solver::solve::Reader;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::verdict::Reason;

impl Analysis<'_> {
    /// `alignment`: what [`Analysis::alignment`] came to. Warp barriers could only add defects.
    pub fn divergence(&self, alignment: Attempt) -> Attempt {
        match (alignment, self.whole.warp_barriers.first()) {
            (Attempt::Holds(_), Some(span)) => {
                let why = format!(
                    "line {}: masks of warp operations are not judged symbolically",
                    span.line
                );
                Attempt::Open(Obstacle::new(Reason::Unsupported, why))
            }
            (alignment, _) => alignment,
        }
    }

    /// Whether the threads of a block that have not returned meet the same block barriers.
    pub fn alignment(&mut self) -> Attempt {
        if self.whole.barriers.is_empty() && self.incomplete().is_none() {
            return Attempt::Holds("there is no barrier".to_owned());
        }
        let mut doubts = Doubts::default();
        let intervals = std::mem::take(&mut self.intervals);
        for interval in &intervals {
            for fork in &interval.forks {
                if fork.may_part || self.machine.terms.is_uniform(fork.cond) {
                    continue;
                }
                let not = self.machine.terms.not(fork.cond);
                let here = self.machine.terms.and(fork.path, fork.cond);
                let there = self.machine.terms.and(fork.path, not);
                let suspicion = Suspicion {
                    kind: DefectKind::BarrierDivergence,
                    readings: vec![(here, Reader::FIRST), (there, Reader::BESIDE)],
                    accesses: vec![],
                    together: vec![],
                    places: vec![(fork.op, Reader::FIRST), (fork.op, Reader::BESIDE)],
                    message: format!(
                        "threads of one block part at line {}, and only some of them meet the \
                         barriers that follow",
                        fork.span.line
                    ),
                };
                self.decide(suspicion, &mut doubts);
            }
            // One that reaches the end is judged where the ways part.
            if self.request.profile.axes.exited_threads.excuses(true) {
                continue;
            }
            for leaving in &interval.leavings {
                for arrival in &interval.arrivals {
                    let suspicion = Suspicion {
                        kind: DefectKind::BarrierDivergence,
                        readings: vec![
                            (leaving.path, Reader::FIRST),
                            (arrival.path, Reader::BESIDE),
                        ],
                        accesses: vec![],
                        together: vec![],
                        places: vec![(leaving.op, Reader::FIRST), (arrival.op, Reader::BESIDE)],
                        message: "a thread returns before a barrier that others of its block \
                                  wait at"
                            .to_owned(),
                    };
                    self.decide(suspicion, &mut doubts);
                }
            }
        }
        self.intervals = intervals;
        doubts.or(|| self.some_barrier_is_reached())
    }

    fn some_barrier_is_reached(&mut self) -> Attempt {
        if let Some(obstacle) = self.incomplete() {
            return Attempt::Open(obstacle);
        }
        let mut reached = false;
        for path in self.arrival_paths() {
            match self.is_possible(path) {
                Possible::No => {}
                Possible::Yes => {
                    reached = true;
                    break;
                }
                Possible::Open(why) => {
                    return Attempt::Open(self.gave_up("whether a barrier is reached", &why));
                }
            }
        }
        if !reached {
            let why = "no thread of any launch considered reaches a barrier";
            return Attempt::Open(Obstacle::new(Reason::Vacuous, why));
        }
        Attempt::Holds(
            "every decision before a barrier is the same for all threads of a block that have \
             not returned"
                .to_owned(),
        )
    }

    fn arrival_paths(&self) -> Vec<crate::terms::term::TermId> {
        let arrivals = self.intervals.iter().flat_map(|i| &i.arrivals);
        arrivals.map(|a| a.path).collect()
    }
}
