//! The step in which threads perform a warp operation together: `__syncwarp(m)`, a shuffle, vote, match or reduction
//! `x` with mask `m`, or `__activemask()` (beyond the paper). With `G` the lanes of `m` that exist and have not
//! ended:
//!
//! ```text
//! WarpBarrier   {(b, syncwarp m;Rᵢ, Fᵢ) | i ∈ G}        →  {(b, Rᵢ, Fᵢ) | i ∈ G}
//! WarpExchange  {(b, vᵢ := x(m, eᵢ);Rᵢ, Fᵢ) | i ∈ G}    →  {(b, Rᵢ, Fᵢ[vᵢ := xᵢ(e)]) | i ∈ G}
//! WarpExchange  {(b, vᵢ := activemask;Rᵢ, Fᵢ) | i ∈ G}  →  {(b, Rᵢ, Fᵢ[vᵢ := G]) | i ∈ G}   any G that stands there
//! ```
//!
//! Premises: [`Premise::MaskNamesCaller`], [`Premise::LanesHaveArrived`] and [`Premise::LanesMayArrive`] among
//! independent threads ([`gathering`](super::gathering)), [`Premise::LanesAreOnPath`] in lockstep; of exchanges also
//! [`Premise::WarpsAreKnown`], [`Premise::WidthFits`], [`Premise::SourceTakesPart`] and
//! [`Premise::NoOtherIsActive`].
//!
//! Effect: all of them go on in one step, each with its result ([`exchange`]). `__syncwarp` orders what they did
//! before with what they do after; an exchange orders no memory.

use super::super::part::Part;
use super::super::place::Place;
use super::super::state::BlockState;
use super::arrival::{Arrival, Operation};
use super::gathering::Gathering;
use super::{active, exchange};
use crate::algebra::operator::{Basic, OpId, OpKind};
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use crate::thread::view::Touched;
use crate::thread::{Failure, Head, ThreadState};
use crate::transition::Rule;
use crate::transition::decision::decided;
use crate::transition::fault::{Fault, FaultKind};
use crate::transition::premise::Premise;

/// The result of a step of several threads of a warp.
pub struct Together {
    /// `WarpBarrier` or `WarpExchange`.
    pub rule: Rule,
    /// Where the first of them stood.
    pub op: OpId,
    /// The block after the step.
    pub block: BlockState,
    /// The accesses that each thread made, with its operator.
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

    /// Performs a warp operation at which all these threads stand and which they may perform;
    /// threads with equal masks exchange among themselves. `None` if some thread stands elsewhere.
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
            decided(Premise::NoOtherIsActive, threads.len() == 1);
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

    /// The thread continues after the operation, with its result.
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

    /// Why a path of a lockstep warp cannot perform its warp operation: the first thread whose
    /// operands cannot be evaluated, else the first whose mask or width is wrong. Every lane of a
    /// mask that has not ended must be on the path, with that mask.
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

impl Part<'_> {
    /// A warp operation without a fault.
    pub(in crate::block) fn together(&mut self, threads: &[u32]) -> Rule {
        let Some(done) = self.place.fire(threads) else {
            return Rule::WarpExchange;
        };
        self.label.op.get_or_insert(done.op);
        for &thread in threads {
            self.label.actors.push(self.place.actor(thread));
        }
        for (thread, op, touched) in &done.touched {
            self.record(*thread, *op, touched);
        }
        self.released = Some(done.block);
        done.rule
    }

    /// A warp operation of a lockstep path.
    pub(in crate::block) fn lockstep_together(&mut self, path: &[u32]) -> (Rule, Option<Fault>) {
        let Some((thread, kind, touched)) = self.place.lockstep_fault(path) else {
            return (self.together(path), None);
        };
        let rule = match Operation::at(self.view(thread).thread) {
            Some(Operation::Sync) => Rule::WarpBarrier,
            _ => Rule::WarpExchange,
        };
        let actor = self.place.actor(thread);
        self.label.actors.push(actor);
        let fault = self.view(thread).thread.position().map(|op| {
            self.label.op.get_or_insert(op);
            self.record(thread, op, &touched);
            Fault { kind, actor, op }
        });
        (rule, fault)
    }

    /// The step of a thread that waits at a warp operation whose mask has turned out to be wrong.
    pub(in crate::block) fn bad_mask(&self, thread: u32) -> Option<Failure> {
        if !self.place.context.axes.warps.are_known() || self.place.context.is_lockstep() {
            return None;
        }
        let Gathering::Bad(kind) = Gathering::of(self.place, thread)? else {
            return None;
        };
        let view = self.view(thread);
        let touched = match Arrival::of(view)? {
            Ok(arrival) => arrival.touched,
            Err((_, touched)) => touched,
        };
        Some(Failure {
            rule: Rule::R1,
            op: view.thread.position()?,
            touched,
            kind,
        })
    }
}
