//! The step of threads that do a warp operation together.

use super::super::place::Place;
use super::super::state::BlockState;
use super::arrival::{Arrival, Operation};
use super::{active, exchange};
use crate::algebra::operator::{Basic, OpId, OpKind};
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use crate::thread::view::Touched;
use crate::thread::{Head, ThreadState};
use crate::transition::Rule;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;

/// What a step of several threads of a warp leads to.
pub struct Together {
    pub rule: Rule,
    /// Where the first of them stood.
    pub op: OpId,
    pub block: BlockState,
    /// What each read on the way, with its operator.
    pub touched: Vec<(u32, OpId, Vec<Touched>)>,
}

/// Whether threads of a warp fire together at the operator the thread stands at.
pub fn is_joint(thread: &ThreadState) -> bool {
    Operation::at(thread).is_some() || active::is_at_active_mask(thread)
}

impl Place<'_> {
    fn arrival(&self, thread: u32) -> Option<Arrival> {
        Arrival::of(self.view(thread)?)?.ok()
    }

    fn first(&self, thread: u32) -> u32 {
        let size = self.context.warp_size();
        thread / size * size
    }

    /// The threads, which stand at one warp operation and may do it, do it: those with equal
    /// masks exchange among themselves. `None` when some thread stands elsewhere.
    pub fn fire(self, threads: &[u32]) -> Option<Together> {
        let state = self.state;
        let first = self.first(*threads.first()?);
        let stands_at = |thread: u32| state.threads[thread as usize].position();
        let mut together = Together {
            rule: Rule::WarpExchange,
            op: stands_at(threads[0])?,
            block: state.clone(),
            touched: Vec::new(),
        };
        together.block.started = true;
        if active::is_at_active_mask(&state.threads[threads[0] as usize]) {
            decided(Premise::NobodyElseIsActive, threads.len() == 1);
            let set = threads.iter().fold(0, |set, t| set | 1u32 << (t - first));
            for &thread in threads {
                let mask = Value::int(ScalarType::U32, set as i128);
                self.advance(&mut together.block, thread, Some(mask));
            }
            return Some(together);
        }
        let mut arrivals: Vec<Option<Arrival>> = vec![None; self.context.warp_size() as usize];
        for &thread in threads {
            let arrival = self.arrival(thread)?;
            let touched = arrival.touched.clone();
            together.touched.push((thread, stands_at(thread)?, touched));
            arrivals[(thread - first) as usize] = Some(arrival);
        }
        for &thread in threads {
            let own = arrivals[(thread - first) as usize].as_ref()?;
            let result = match own.operation {
                Operation::Sync => {
                    together.rule = Rule::WarpBarrier;
                    None
                }
                Operation::Exchange(function, _) => {
                    decided(Premise::WarpsAreKnown, true);
                    let values = arrivals.iter().map(|other| {
                        let other = other.as_ref().filter(|other| own.meets(other));
                        other.map(|other| other.values.clone())
                    });
                    let values: Vec<Option<Vec<Value>>> = values.collect();
                    let results = exchange::results(function, &values);
                    results.get((thread - first) as usize).copied()
                }
            };
            self.advance(&mut together.block, thread, result);
        }
        Some(together)
    }

    /// Goes past the operation, with its result.
    fn advance(&self, block: &mut BlockState, thread: u32, result: Option<Value>) {
        let mut moved = (*block.threads[thread as usize]).clone();
        let assigned = match moved.head() {
            Head::Op(op) => match &op.kind {
                OpKind::Basic(basic @ (Basic::Warp { .. } | Basic::ActiveMask { .. })) => {
                    basic.assigned()
                }
                _ => None,
            },
            _ => None,
        };
        if let (Some(var), Some(value)) = (assigned, result) {
            moved.assign(var, value);
        }
        moved.advance(&self.context.program);
        block.set_thread(thread, moved);
    }

    /// Why a path of a lockstep warp cannot do the operation it stands at: the first thread that
    /// cannot evaluate what it brings, else the first whose mask or width is bad. Every lane of a
    /// mask that has not ended must be on the path with that mask.
    pub fn lockstep_fault(self, path: &[u32]) -> Option<(u32, FaultKind, Vec<Touched>)> {
        let first = self.first(*path.first()?);
        let size = self.context.warp_size();
        let mut arrivals: Vec<Option<Arrival>> = vec![None; size as usize];
        for &thread in path {
            let view = self.view(thread)?;
            match Arrival::evaluate(view)? {
                Ok(arrival) => arrivals[(thread - first) as usize] = Some(arrival),
                Err((kind, touched)) => return Some((thread, kind, touched)),
            }
        }
        for &thread in path {
            let lane = thread - first;
            let own = arrivals[lane as usize].as_ref()?;
            if let Some(kind) = own.refusal(size, lane) {
                return Some((thread, kind, own.touched.clone()));
            }
            let (mut missing, mut other) = (0, None);
            for named in (0..size).filter(|named| own.mask >> named & 1 != 0) {
                let runs = self.state.threads.get((first + named) as usize);
                if !runs.is_some_and(|t| t.is_running()) {
                    continue;
                }
                match &arrivals[named as usize] {
                    Some(theirs) if own.meets(theirs) => {}
                    Some(theirs) => {
                        missing |= 1 << named;
                        other = other.or(Some(theirs.mask));
                    }
                    None => missing |= 1 << named,
                }
            }
            if !decided(Premise::LanesAreOnPath, missing == 0) {
                let kind = FaultKind::BadWarpMask {
                    mask: own.mask,
                    lane,
                    missing,
                    other,
                };
                return Some((thread, kind, own.touched.clone()));
            }
        }
        None
    }
}
