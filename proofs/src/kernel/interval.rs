//! Barrier intervals: from the start of the kernel and from each barrier, everything a thread may
//! do until it meets the next barrier or ends.
//!
//! Two threads of a block that leave one barrier together are two readings of one such walk, as
//! long as they take the same ways at the branches and loops that contain barriers; each of those
//! is a [`Fork`] whose condition has to be proved uniform. By induction over the barriers they
//! have met, the threads of a block then stay together.

use crate::machine::state::{
    Access, Followed, Item, Leaving, Log, Machine, Rest, Unfollowed, before, unfollowed,
};
use crate::machine::value::{Repeated, State, SymValue};
use crate::solver::possible::Possible;
use crate::solver::solve::Prover;
use crate::terms::term::TermId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::algebra::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How often a walk may come to the head of one loop without a barrier between.
const MAX_VISITS: u32 = 3;
/// Most ways one walk may take.
const MAX_WAYS: usize = 256;

/// A decision between ways that do not meet the same barriers.
#[derive(Clone, Debug)]
pub struct Fork {
    pub op: OpId,
    pub span: Span,
    /// Under which the thread comes here.
    pub path: TermId,
    pub cond: TermId,
    /// One way meets no barrier any more, and under the profile a thread that has ended is not
    /// waited for: threads may part here.
    pub may_part: bool,
}

/// A thread that comes to a barrier.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub op: OpId,
    pub path: TermId,
}

#[derive(Clone, Debug)]
pub struct Interval {
    /// What kept the walk from being complete. The forks it met are still good for suspicions.
    pub stopped: Option<Unfollowed>,
    pub accesses: Vec<Access>,
    pub leavings: Vec<Leaving>,
    pub arrivals: Vec<Arrival>,
    pub forks: Vec<Fork>,
}

struct Walk<'p> {
    forks: Vec<Fork>,
    arrivals: Vec<Arrival>,
    waiting: Vec<(State, Rest<'p>, FxHashMap<OpId, u32>)>,
    ways: usize,
}

impl<'p> Machine<'p> {
    /// The walk from `state`, where `rest` is left to run.
    pub fn interval(&mut self, state: State, rest: Rest<'p>, prover: &mut Prover) -> Interval {
        let before = std::mem::take(&mut self.log);
        let mut walk = Walk {
            forks: vec![],
            arrivals: vec![],
            waiting: vec![(state, rest, FxHashMap::default())],
            ways: 0,
        };
        let mut walked = Ok(());
        while let Some((state, rest, visits)) = walk.waiting.pop() {
            walked = self.go(state, rest, visits, &mut walk, prover);
            if walked.is_err() {
                break;
            }
        }
        let log: Log<'p> = std::mem::replace(&mut self.log, before);
        Interval {
            stopped: walked.err(),
            accesses: log.accesses,
            leavings: log.leavings,
            arrivals: walk.arrivals,
            forks: walk.forks,
        }
    }

    fn go(
        &mut self,
        mut state: State,
        mut rest: Rest<'p>,
        mut visits: FxHashMap<OpId, u32>,
        walk: &mut Walk<'p>,
        prover: &mut Prover,
    ) -> Followed<()> {
        while !state.ended {
            let Some(cell) = rest else {
                return Ok(());
            };
            rest = cell.next.clone();
            let op = match cell.item {
                Item::Return(result) => {
                    state.end_round(|round| matches!(round, Repeated::Procedure(_)));
                    self.leave(result, &mut state);
                    continue;
                }
                Item::LoopBack(op, ref counters) => {
                    self.assume_steps(counters, &mut state);
                    op
                }
                Item::Op(op) if !self.has_barrier(op) => {
                    self.execute(op, &mut state, &None)?;
                    continue;
                }
                Item::Op(op) => op,
            };
            match &op.kind {
                OpKind::Basic(Basic::Barrier { agreed, .. }) => {
                    let path = self.path(&state);
                    walk.arrivals.push(Arrival { op: op.id, path });
                    for value in agreed {
                        let value = self.evaluate(value, op, &mut state)?;
                        if !self.is_alike(&value) {
                            return unfollowed("whether all bring the same arguments", op.span);
                        }
                    }
                    return Ok(());
                }
                OpKind::Seq(ops) => {
                    for one in ops.iter().rev() {
                        rest = before(Item::Op(one), rest);
                    }
                }
                OpKind::Call { proc, args, result } => {
                    self.enter(*proc, args, op, &mut state)?;
                    self.begin_round(&mut state, Repeated::Procedure(*proc));
                    rest = before(Item::Return(*result), rest);
                    let program = self.program;
                    rest = before(Item::Op(&program.proc(*proc).body), rest);
                }
                OpKind::If {
                    cond,
                    then,
                    otherwise,
                } => {
                    let cond = self.scalar(cond, op, &mut state)?;
                    let yes = before(Item::Op(then), rest.clone());
                    let no = before(Item::Op(otherwise), rest);
                    return self.fork(op, cond, [yes, no], state, visits, walk, prover);
                }
                OpKind::While { cond, body } => {
                    let count = visits.entry(op.id).or_insert(0);
                    *count += 1;
                    if *count > MAX_VISITS {
                        return unfollowed("a loop that may pass its barriers by", op.span);
                    }
                    let cond = self.scalar(cond, op, &mut state)?;
                    self.begin_round(&mut state, Repeated::Loop(op.id));
                    let again = before(Item::LoopBack(op, [].into()), rest.clone());
                    let again = before(Item::Op(body), again);
                    return self.fork(op, cond, [again, rest], state, visits, walk, prover);
                }
                _ => return unfollowed("a construct that cannot contain a barrier", op.span),
            }
        }
        Ok(())
    }

    /// Whether a value is the same for all threads of a block, as its term shows.
    fn is_alike(&self, value: &SymValue) -> bool {
        match value {
            SymValue::Scalar(term) => self.terms.is_uniform(*term),
            SymValue::Pointer(targets) => targets.iter().all(|target| {
                self.terms.is_uniform(target.guard) && self.terms.is_uniform(target.offset)
            }),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn fork(
        &mut self,
        op: &'p Arc<Op>,
        cond: TermId,
        ways: [Rest<'p>; 2],
        state: State,
        visits: FxHashMap<OpId, u32>,
        walk: &mut Walk<'p>,
        prover: &mut Prover,
    ) -> Followed<()> {
        let path = self.path(&state);
        let not = self.terms.not(cond);
        let mut may_part = false;
        if self.ended_arrive && !self.terms.is_uniform(cond) {
            for (cond, rest) in [cond, not].into_iter().zip(&ways) {
                if !self.rest_has_barrier(rest) {
                    // Like a return: what the thread did is ordered with nothing that follows.
                    may_part = true;
                    let path = self.terms.and(path, cond);
                    let (op, in_loop) = (op.id, false);
                    self.log.leavings.push(Leaving { op, path, in_loop });
                }
            }
        }
        if self.terms.as_bool(cond).is_none() {
            walk.forks.push(Fork {
                op: op.id,
                span: op.span,
                path,
                cond,
                may_part,
            });
        }
        for (cond, rest) in [cond, not].into_iter().zip(ways) {
            let mut state = state.clone();
            self.assume(&mut state, cond);
            let here = self.path(&state);
            if state.ended {
                continue;
            }
            let possible = prover.is_possible(&self.terms, &self.launch, &[here]);
            if !matches!(possible, Possible::No) {
                walk.ways += 1;
                if walk.ways > MAX_WAYS {
                    return unfollowed("too many ways between two barriers", op.span);
                }
                walk.waiting.push((state, rest, visits.clone()));
            }
        }
        Ok(())
    }

    fn rest_has_barrier(&self, rest: &Rest<'p>) -> bool {
        let mut cell = rest;
        while let Some(here) = cell {
            if let Item::Op(op) | Item::LoopBack(op, _) = &here.item
                && self.has_barrier(op)
            {
                return true;
            }
            cell = &here.next;
        }
        false
    }
}
