//! Operations that lanes of a warp do together: who waits for whom among independent threads, and
//! what an exchange gives. Lockstep paths are in [`super::lockstep`].
//!
//! Threads of a warp run to the operation one after another; those of one mask go on together.
//! An exchange orders no memory, so it ends no barrier interval and changes no clock.
//! `__activemask()` is nondeterministic: here all lanes that come to it while others wait fire
//! together, which is one run of many.

use super::block::{Blocks, Status};
use super::run::{Halt, Run};
use super::trace::Actors;
use crate::compiled::instruction::{Instr, WarpSite};
use crate::compiled::raw;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::warp::exchange;
use gridlock_semantics::transition::fault::FaultKind;

/// What a lane waits with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub mask: u32,
    /// The occurrence of an exchange; any `__syncwarp` meets any other.
    pub exchange: Option<OpId>,
}

impl Blocks {
    /// What a thread that stands at a warp operation waits with.
    pub fn waiting(&self, thread: u32) -> Option<Waiting> {
        match self.code.instrs[self.pcs[thread as usize] as usize] {
            Instr::SyncWarp { mask } => Some(Waiting {
                mask: self.register(thread, mask) as u32,
                exchange: None,
            }),
            Instr::Warp { site } => Some(Waiting {
                mask: self.register(thread, self.code.warps[site as usize].mask) as u32,
                exchange: Some(self.op_at(thread)),
            }),
            _ => None,
        }
    }

    /// Warp by warp, until all lanes wait at the block's barrier, at a warp operation that cannot
    /// complete, or have ended.
    pub fn run_warps<const LANES: bool>(&mut self, run: &mut Run<'_>) -> Result<(), Halt> {
        let size = self.warp_size;
        for first in (0..self.n_threads).step_by(size as usize) {
            let lanes = first..self.n_threads.min(first + size);
            loop {
                for thread in lanes.clone() {
                    self.run_thread::<LANES>(run, thread)?;
                    if let Some(kind) = self.refusal(thread) {
                        run.record_one(self.actor(thread), Some(self.block));
                        return Err(Run::fault(kind, self.actor(thread), self.op_at(thread)));
                    }
                }
                let waits = |thread| Some((thread, self.waits_with(thread)?));
                let complete = lanes
                    .clone()
                    .filter_map(waits)
                    .find(|(_, waiting)| self.is_complete(first, *waiting));
                if let Some((_, waiting)) = complete {
                    self.go_on(run, first, waiting);
                    continue;
                }
                if let Some(thread) = lanes
                    .clone()
                    .find(|&t| self.statuses[t as usize] == Status::AtActiveMask)
                {
                    self.leave_active_mask(run, first, thread);
                    continue;
                }
                let bad = lanes
                    .clone()
                    .filter_map(waits)
                    .find(|(_, waiting)| self.all_wait(first, waiting.mask));
                let Some((thread, waiting)) = bad else {
                    break;
                };
                run.record_one(self.actor(thread), Some(self.block));
                return Err(self.bad_mask(thread, waiting));
            }
        }
        Ok(())
    }

    /// What is wrong with what a lane brings, whichever lanes come.
    fn refusal(&self, thread: u32) -> Option<FaultKind> {
        let waiting = self.waits_with(thread)?;
        self.refused(thread, waiting)
    }

    /// A mask without the lane itself, an impossible width.
    pub fn refused(&self, thread: u32, waiting: Waiting) -> Option<FaultKind> {
        let lane = thread % self.warp_size;
        if waiting.mask >> lane & 1 == 0 {
            return Some(FaultKind::BadWarpMask {
                mask: waiting.mask,
                lane,
                missing: 0,
                other: None,
            });
        }
        let site = self.site(thread)?;
        exchange::check(site.function, self.warp_size, &self.brought(thread, site)).err()
    }

    fn site(&self, thread: u32) -> Option<&WarpSite> {
        match self.code.instrs[self.pcs[thread as usize] as usize] {
            Instr::Warp { site } => self.code.warps.get(site as usize),
            _ => None,
        }
    }

    fn brought(&self, thread: u32, site: &WarpSite) -> Vec<Value> {
        site.brought(|reg| self.register(thread, reg))
    }

    fn waits_with(&self, thread: u32) -> Option<Waiting> {
        match self.statuses[thread as usize] {
            Status::AtWarp(waiting) => Some(waiting),
            _ => None,
        }
    }

    /// The lanes a mask names that are there and have not ended.
    fn named(&self, first: u32, mask: u32) -> impl Iterator<Item = u32> + '_ {
        let lanes = (0..self.warp_size).filter(move |lane| mask & (1 << lane) != 0);
        let threads = lanes.map(move |lane| first + lane);
        threads.filter(|&t| t < self.n_threads && !self.statuses[t as usize].has_ended())
    }

    fn is_complete(&self, first: u32, waiting: Waiting) -> bool {
        self.named(first, waiting.mask)
            .all(|t| self.waits_with(t) == Some(waiting))
    }

    /// Every lane the mask names waits at some warp operation: they differ for good, as no lane
    /// of the warp can move.
    fn all_wait(&self, first: u32, mask: u32) -> bool {
        self.named(first, mask)
            .all(|t| self.waits_with(t).is_some())
    }

    /// The end of the run that a mask is which waits for lanes that wait otherwise.
    pub fn bad_mask(&self, thread: u32, waiting: Waiting) -> Halt {
        let first = thread - thread % self.warp_size;
        self.masks_differ(thread, waiting, |t| {
            let theirs = self.waits_with(t);
            (theirs != Some(waiting)).then_some(theirs.map(|w| w.mask))
        })
        .unwrap_or_else(|| Halt::Limit(format!("a mask of the warp of thread {first}")))
    }

    /// The fault of a mask some of whose lanes `differs` says are missing, with their masks.
    pub fn masks_differ(
        &self,
        thread: u32,
        waiting: Waiting,
        differs: impl Fn(u32) -> Option<Option<u32>>,
    ) -> Option<Halt> {
        let first = thread - thread % self.warp_size;
        let (mut missing, mut other) = (0, None);
        for named in self.named(first, waiting.mask) {
            if let Some(theirs) = differs(named) {
                missing |= 1 << (named - first);
                other = other.or(theirs.filter(|mask| *mask != waiting.mask));
            }
        }
        let kind = FaultKind::BadWarpMask {
            mask: waiting.mask,
            lane: thread - first,
            missing,
            other,
        };
        (missing != 0).then(|| Run::fault(kind, self.actor(thread), self.op_at(thread)))
    }

    /// The lanes of a mask, which have all come, go on.
    fn go_on(&mut self, run: &mut Run<'_>, first: u32, waiting: Waiting) {
        let threads: Vec<u32> = self.named(first, waiting.mask).collect();
        match waiting.exchange {
            None => self.order(first, &threads),
            Some(_) => self.exchange(&threads),
        }
        for &thread in &threads {
            self.pcs[thread as usize] += 1;
            self.statuses[thread as usize] = Status::Running;
        }
        run.record_one(self.actor(threads[0]), Some(self.block));
    }

    /// `__syncwarp`: what any of the threads did is ordered before what all do next.
    fn order(&mut self, first: u32, threads: &[u32]) {
        let size = self.warp_size as usize;
        let mut joined = vec![0u32; size];
        for &thread in threads {
            let view = &self.views[thread as usize * size..][..size];
            for (known, seen) in joined.iter_mut().zip(view) {
                *known = (*known).max(*seen);
            }
        }
        for &thread in threads {
            let lane = (thread - first) as usize;
            joined[lane] = joined[lane].max(self.clocks[thread as usize]);
        }
        for &thread in threads {
            self.views[thread as usize * size..][..size].copy_from_slice(&joined);
            self.clocks[thread as usize] += 1;
        }
    }

    /// The threads, of one warp and one mask, exchange what they brought.
    pub fn exchange(&mut self, threads: &[u32]) {
        let size = self.warp_size;
        let mut lanes: Vec<Option<Vec<Value>>> = vec![None; size as usize];
        let mut function = None;
        for &thread in threads {
            if let Some(site) = self.site(thread) {
                function = Some(site.function);
                lanes[(thread % size) as usize] = Some(self.brought(thread, site));
            }
        }
        let Some(function) = function else {
            return;
        };
        let results = exchange::results(function, &lanes);
        for &thread in threads {
            let result = results[(thread % size) as usize];
            if let Some((reg, flag)) = self.site(thread).and_then(|site| site.result) {
                self.set_register(thread, reg, raw::from_value(result));
                if let Some(flag) = flag {
                    self.set_register(thread, flag, (result != Value::Undef) as u64);
                }
            }
        }
    }

    /// All lanes at the `__activemask()` that `thread` stands at learn of one another.
    fn leave_active_mask(&mut self, run: &mut Run<'_>, first: u32, thread: u32) {
        let op = self.op_at(thread);
        let end = self.n_threads.min(first + self.warp_size);
        let together =
            |t: &u32| self.statuses[*t as usize] == Status::AtActiveMask && self.op_at(*t) == op;
        let threads: Vec<u32> = (first..end).filter(together).collect();
        self.tell_active(&threads);
        for &thread in &threads {
            self.statuses[thread as usize] = Status::Running;
        }
        let line = run.compiled.span(op).line;
        run.note_not_canonical(|| {
            format!("which lanes __activemask() names is not determined (line {line})")
        });
        let block = self.block;
        run.record(Actors::Path { block, threads }, 1, Some(block));
    }

    /// The threads, of one warp, go past `__activemask()`.
    pub fn tell_active(&mut self, threads: &[u32]) {
        let set = threads
            .iter()
            .fold(0u64, |set, thread| set | 1 << (thread % self.warp_size));
        for &thread in threads {
            let pc = self.pcs[thread as usize];
            if let Instr::ActiveMask { dst } = self.code.instrs[pc as usize] {
                self.set_register(thread, dst, set);
                self.pcs[thread as usize] += 1;
            }
        }
    }
}
