//! Warps in lockstep: the lanes of a path stand at one instruction and do together whatever
//! concerns others. A branch whose condition differs splits the path; its parts meet again at the
//! branch's join, which in structured code is the immediate post-dominator. One path runs until
//! it arrives there or blocks at the block's barrier, then the nearest other one does. Without
//! races the order of paths is immaterial.
//!
//! Time counts the instructions of a warp. Lanes of the running path are ordered up to the
//! instruction before; what others did is ordered up to the moment they were split off. Two
//! lanes in one instruction, or on opposite sides of a branch, are not ordered.

use super::block::{Blocks, Status};
use super::machine::Stop;
use super::run::{Halt, Run};
use super::trace::Actors;
use crate::compiled::instruction::{Instr, Pc};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its lanes may stand before private instructions.
    Fresh,
    /// All lanes stand at one instruction that concerns others.
    Ready,
    AtBarrier,
    /// Split: its parts run.
    Split {
        parts: u32,
    },
}

/// Lanes that step together.
#[derive(Clone, Debug)]
struct Path {
    /// Threads, ascending; those that ended or arrived are removed.
    threads: Vec<u32>,
    state: State,
    /// Where it meets the other parts, and which path it is a part of.
    meeting: Option<(Pc, usize)>,
    /// By lane not in the path: its time up to which it is ordered before this path.
    view: Vec<u32>,
}

/// The paths of one warp, parts behind what they are part of.
#[derive(Clone, Debug)]
pub struct Warp {
    first: u32,
    paths: Vec<Path>,
    time: u32,
    last_sync: Vec<u32>,
}

impl Warp {
    pub fn new(first: u32, n_lanes: u32, size: u32) -> Warp {
        let path = Path {
            threads: (first..first + n_lanes).collect(),
            state: State::Fresh,
            meeting: None,
            view: vec![0; size as usize],
        };
        Warp {
            first,
            paths: vec![path],
            time: 0,
            last_sync: vec![0; size as usize],
        }
    }

    /// Lets the paths go on whose lanes left the block's barrier.
    fn wake(&mut self, statuses: &[Status]) {
        for path in &mut self.paths {
            let left = |t: &u32| statuses[*t as usize] == Status::Running;
            if path.state == State::AtBarrier && path.threads.iter().any(left) {
                path.state = State::Fresh;
            }
        }
    }

    /// A path has no lanes left that run: its meeting has one part less to wait for.
    fn finish(&mut self, path: usize, statuses: &[Status]) {
        let mut next = Some(path);
        while let Some(path) = next.take() {
            self.paths[path].threads.clear();
            let Some((_, whole)) = self.paths[path].meeting else {
                break;
            };
            match self.paths[whole].state {
                State::Split { parts } if parts > 1 => {
                    self.paths[whole].state = State::Split { parts: parts - 1 };
                }
                _ => {
                    // All who still run have met.
                    let runs = |t: &u32| !statuses[*t as usize].has_ended();
                    self.paths[whole].threads.retain(runs);
                    self.paths[whole].state = State::Ready;
                    next = self.paths[whole].threads.is_empty().then_some(whole);
                }
            }
        }
        let last = self.paths.iter().rposition(|path| !path.threads.is_empty());
        self.paths.truncate(last.map_or(1, |last| last + 1));
    }
}

impl Blocks {
    /// Every warp until its paths have ended or wait.
    pub fn run_lockstep_warps(&mut self, run: &mut Run<'_>) -> Result<(), Halt> {
        let mut warps = std::mem::take(&mut self.warps);
        let outcome = warps.iter_mut().try_for_each(|warp| {
            warp.wake(&self.statuses);
            self.run_warp(run, warp)
        });
        self.warps = warps;
        outcome
    }

    fn run_warp(&mut self, run: &mut Run<'_>, warp: &mut Warp) -> Result<(), Halt> {
        loop {
            let runnable = |path: &Path| {
                matches!(path.state, State::Fresh | State::Ready) && !path.threads.is_empty()
            };
            let Some(index) = warp.paths.iter().rposition(runnable) else {
                return Ok(());
            };
            run.tick()?;
            while warp.paths.get(index).is_some_and(runnable) {
                if warp.paths[index].state == State::Fresh {
                    self.approach(run, warp, index)?;
                } else if !self.act(run, warp, index)? {
                    break;
                }
            }
        }
    }

    fn end(&mut self, run: &mut Run<'_>, thread: u32, returned: bool) {
        run.watch.end_thread::<true>(thread);
        self.statuses[thread as usize] = if returned {
            Status::Returned
        } else {
            Status::Ended
        };
    }

    fn path_actors(&self, warp: &Warp, index: usize) -> Actors {
        Actors::Path {
            block: self.block,
            threads: warp.paths[index].threads.clone(),
        }
    }

    /// Runs the private instructions before the next one that concerns others.
    fn approach(&mut self, run: &mut Run<'_>, warp: &mut Warp, index: usize) -> Result<(), Halt> {
        for thread in warp.paths[index].threads.clone() {
            run.watch.now.visible = 0;
            match self.step::<true, true>(run, thread, false) {
                Stop::Event => {}
                stop => {
                    // Private code may have split the path: the thread stands for its part of it.
                    let actor = Actors::One(self.actor(thread));
                    run.record(actor, run.watch.now.visible, Some(self.block));
                    return Err(self.halt(run, stop, thread));
                }
            }
        }
        warp.paths[index].state = State::Ready;
        Ok(())
    }

    /// The next instruction of a path that concerns others; `false` when the path must let
    /// others run.
    fn act(&mut self, run: &mut Run<'_>, warp: &mut Warp, index: usize) -> Result<bool, Halt> {
        let leader = warp.paths[index].threads[0];
        let pc = self.pcs[leader as usize];
        match self.code.instrs[pc as usize] {
            Instr::Barrier { .. } => {
                let orders = self.code.orders_at(pc);
                for &thread in &warp.paths[index].threads {
                    run.watch.reach_barrier(thread, orders);
                    self.statuses[thread as usize] = Status::AtBarrier;
                }
                warp.paths[index].state = State::AtBarrier;
                Ok(false)
            }
            Instr::Join { last: true } => {
                for thread in std::mem::take(&mut warp.paths[index].threads) {
                    self.end(run, thread, false);
                }
                warp.finish(index, &self.statuses);
                Ok(false)
            }
            Instr::Join { .. } if warp.paths[index].meeting.is_some_and(|(at, _)| at == pc) => {
                warp.finish(index, &self.statuses);
                Ok(false)
            }
            Instr::SyncWarp { .. } | Instr::Warp { .. } | Instr::ActiveMask { .. } => {
                self.joint(run, warp, index).map(|()| true)
            }
            Instr::Branch { join, .. } => {
                self.together(run, warp, index)?;
                self.split(run, warp, index, join);
                Ok(warp
                    .paths
                    .get(index)
                    .is_some_and(|path| !path.threads.is_empty()))
            }
            _ => {
                self.together(run, warp, index)?;
                Ok(warp
                    .paths
                    .get(index)
                    .is_some_and(|path| !path.threads.is_empty()))
            }
        }
    }

    /// Every lane of the path does the instruction it stands at and what is private after it.
    fn together(&mut self, run: &mut Run<'_>, warp: &mut Warp, index: usize) -> Result<(), Halt> {
        warp.time += 1;
        let path = &warp.paths[index];
        let now = &mut run.watch.now;
        now.clock = warp.time;
        now.last_sync.clone_from(&warp.last_sync);
        now.view.clone_from(&path.view);
        for thread in &path.threads {
            now.view[(thread - warp.first) as usize] = warp.time - 1;
        }
        let actors = self.path_actors(warp, index);
        let pc = self.pcs[path.threads[0] as usize];
        let one_by_one = path.threads.len() > 1 && self.order_shows(pc);
        // Several lanes return in one transition of rule Merge, which no schedule counts.
        let uncounted =
            path.threads.len() > 1 && matches!(self.code.instrs[pc as usize], Instr::Exit { .. });
        let (mut visible, mut failure) = (false, None);
        for thread in path.threads.clone() {
            run.watch.now.thread = thread;
            run.watch.now.visible = 0;
            if let Some(trace) = &run.trace {
                run.watch.now.segment = trace.next();
            }
            let stop = self.step::<true, true>(run, thread, true);
            // A fault in the private code behind is a step of its own.
            let late = matches!(stop, Stop::Fault(_)) && self.pcs[thread as usize] != pc;
            let steps = run.watch.now.visible - late as u32;
            if one_by_one {
                run.record(Actors::One(self.actor(thread)), steps, Some(self.block));
            }
            visible |= steps > 0;
            match stop {
                Stop::Event => {}
                Stop::Ended { returned } => self.end(run, thread, returned),
                stop => {
                    let at_once = self.pcs[thread as usize] == pc;
                    match &failure {
                        None => failure = Some((stop, thread)),
                        // What comes in this step comes before what is private after it.
                        Some((_, other)) if at_once && self.pcs[*other as usize] != pc => {
                            failure = Some((stop, thread));
                        }
                        Some(_) => {}
                    }
                    if at_once && one_by_one {
                        break;
                    }
                }
            }
        }
        if visible && !one_by_one && !uncounted {
            run.record(actors, 1, Some(self.block));
        }
        if let Some((stop, thread)) = failure {
            if self.pcs[thread as usize] != pc || !visible {
                // It came after the instruction, in a step of its own.
                let steps = matches!(stop, Stop::Fault(_)) as u32;
                run.record(Actors::One(self.actor(thread)), steps, Some(self.block));
            }
            return Err(self.halt(run, stop, thread));
        }
        let runs = |t: &u32| !self.statuses[*t as usize].has_ended();
        warp.paths[index].threads.retain(runs);
        if warp.paths[index].threads.is_empty() {
            warp.finish(index, &self.statuses);
        }
        Ok(())
    }

    /// Whether the instruction is an atomic whose order among lanes shows, so that each steps
    /// alone.
    fn order_shows(&self, pc: Pc) -> bool {
        let Instr::Atomic { site } = self.code.instrs[pc as usize] else {
            return false;
        };
        let site = &self.code.atomics[site as usize];
        !site.function.is_commutative() || site.elem.is_float() || site.result.is_some()
    }

    /// After a branch: lanes that went different ways part.
    fn split(&mut self, run: &mut Run<'_>, warp: &mut Warp, index: usize, join: Pc) {
        warp.paths[index].state = State::Fresh;
        let path = &warp.paths[index];
        let Some(&leader) = path.threads.first() else {
            return;
        };
        let to = self.pcs[leader as usize];
        let (with, without): (Vec<u32>, Vec<u32>) = path
            .threads
            .iter()
            .partition(|&&t| self.pcs[t as usize] == to);
        if without.is_empty() {
            return;
        }
        let mut view = path.view.clone();
        for thread in &path.threads {
            view[(thread - warp.first) as usize] = warp.time;
        }
        if self.code.instrs[join as usize] == (Instr::Join { last: true }) {
            let there = |t: &&u32| self.pcs[**t as usize] == join;
            let ended: Vec<u32> = path.threads.iter().filter(there).copied().collect();
            ended
                .into_iter()
                .for_each(|thread| self.end(run, thread, false));
        }
        let path = &warp.paths[index];
        let arrived = |part: &[u32]| self.pcs[part[0] as usize] == join;
        let parts: Vec<Vec<u32>> = [with, without]
            .into_iter()
            .filter(|part| !arrived(part))
            .collect();
        if let ([part], Some((meeting, _))) = (parts.as_slice(), path.meeting)
            && meeting == join
        {
            // Lanes that leave a loop the path is already waited for at the end of.
            let part = part.clone();
            warp.paths[index].threads = part;
            warp.paths[index].view = view;
            return;
        }
        warp.paths[index].state = State::Split {
            parts: parts.len() as u32,
        };
        // The first runs first.
        for threads in parts.into_iter().rev() {
            warp.paths.push(Path {
                threads,
                state: State::Fresh,
                meeting: Some((join, index)),
                view: view.clone(),
            });
        }
    }

    /// A thread of a path at a warp operation whose mask names a lane that has ended on another
    /// part of a path that is still split: had this part run first, that lane would be missing.
    fn leans_on_order(&self, warp: &Warp, index: usize) -> Option<u32> {
        let whole_of = |path: &usize| warp.paths[*path].meeting.map(|(_, whole)| whole);
        let split = std::iter::successors(whole_of(&index), whole_of);
        let ended: u32 = split
            .flat_map(|whole| &warp.paths[whole].threads)
            .filter(|t| self.statuses[**t as usize].has_ended())
            .fold(0, |set, t| set | 1 << (t - warp.first));
        let mut threads = warp.paths[index].threads.iter().copied();
        threads.find(|&t| self.waiting(t).is_some_and(|w| w.mask & ended != 0))
    }

    /// A warp operation: every lane of a mask that has not ended must be on the path with that
    /// mask.
    fn joint(&mut self, run: &mut Run<'_>, warp: &mut Warp, index: usize) -> Result<(), Halt> {
        warp.time += 1;
        let actors = self.path_actors(warp, index);
        run.record(actors, 1, Some(self.block));
        let threads = warp.paths[index].threads.clone();
        for &thread in &threads {
            let Some(waiting) = self.waiting(thread) else {
                continue;
            };
            if let Some(kind) = self.refused(thread, waiting) {
                return Err(Run::fault(kind, self.actor(thread), self.op_at(thread)));
            }
            let differs = |named: u32| {
                let theirs = self.waiting(named).filter(|_| threads.contains(&named));
                (theirs != Some(waiting)).then_some(theirs.map(|w| w.mask))
            };
            if let Some(halt) = self.masks_differ(thread, waiting, differs) {
                return Err(halt);
            }
        }
        if let Some(thread) = self.leans_on_order(warp, index) {
            let line = run.compiled.span(self.op_at(thread)).line;
            run.note_not_canonical(|| {
                format!(
                    "a mask names a lane that has ended on another path of the warp, which may \
                     run later (line {line})"
                )
            });
        }
        match threads.first().and_then(|&t| self.waiting(t)) {
            None => self.tell_active(&threads),
            Some(first) if first.exchange.is_none() => {
                for &thread in &threads {
                    warp.last_sync[(thread - warp.first) as usize] = warp.time;
                    self.pcs[thread as usize] += 1;
                }
            }
            Some(_) => {
                let mut left = threads.clone();
                while let Some(own) = left.first().and_then(|&t| self.waiting(t)) {
                    let (met, others): (Vec<u32>, Vec<u32>) = left
                        .into_iter()
                        .partition(|&t| self.waiting(t) == Some(own));
                    self.exchange(&met);
                    for thread in met {
                        self.pcs[thread as usize] += 1;
                    }
                    left = others;
                }
            }
        }
        warp.paths[index].state = State::Fresh;
        Ok(())
    }
}
