//! One block: every thread to its next barrier or end, in order; then the barrier.

use super::findings::too_far;
use super::lockstep::Warp;
use super::machine::{Machine, Own, Stop, why_uncommutative};
use super::run::{Halt, Run};
use super::step_limit::{Next, StepLimit};
use super::trace::Actors;
use super::warp::Waiting;
use crate::compiled::Code;
use crate::compiled::instruction::{Instr, Pc, Reg};
use crate::compiled::layout::PrivateLayout;
use crate::compiled::memory::{Array, declared};
use gridlock_semantics::algebra::expr::{Axis, Builtin};
use gridlock_semantics::algebra::operator::{Met, OpId};
use gridlock_semantics::profile::{AtBarrier, Axes, Warps};
use gridlock_semantics::setup::{Dim3, Launch};
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::{FaultKind, ThreadPosition};
use std::sync::Arc;

/// Where a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    AtBarrier,
    /// It waits for lanes of its warp.
    AtWarp(Waiting),
    /// At `__activemask()`: it waits for no thread, but others may come.
    AtActiveMask,
    Ended,
    Returned,
}

impl Status {
    pub fn has_ended(self) -> bool {
        matches!(self, Status::Ended | Status::Returned)
    }
}

/// What all blocks of a launch have in common, and the memory its blocks use in turn.
pub struct Blocks {
    pub code: Arc<Code>,
    pub layout: PrivateLayout,
    pub launch: Launch,
    pub n_threads: u32,
    pub warp_size: u32,
    /// Registers every thread of the launch starts with.
    image: Vec<u64>,
    /// By declaration.
    pub shared: Vec<Option<Array>>,
    /// All threads' registers and private cells, one thread after the other.
    regs: Vec<u64>,
    cells: Vec<u64>,
    defined: Vec<bool>,
    pub pcs: Vec<Pc>,
    pub statuses: Vec<Status>,
    depths: Vec<u64>,
    step_limit: Vec<StepLimit>,
    /// Independent warps with `__syncwarp`: each thread's clock, and its view of the lanes of its
    /// warp.
    pub clocks: Vec<u32>,
    pub views: Vec<u32>,
    /// Lockstep only.
    pub warps: Vec<Warp>,
    pub block: u32,
}

impl Blocks {
    /// `args`: the registers of each argument.
    pub fn new(run: &Run<'_>, code: &Arc<Code>, launch: Launch, args: &[[u64; 2]]) -> Blocks {
        let program = run.program();
        let image = initial_image(run.axes, code, &launch, args);
        let n_threads = launch.n_threads() as u32;
        let warp_size = run.axes.warps.size();
        let mut shared: Vec<Option<Array>> = Vec::new();
        shared.resize_with(program.arrays.len(), || None);
        for id in &code.shared {
            shared[id.0 as usize] = Some(declared(program.array(*id), launch.shared_bytes));
        }
        let n = n_threads as usize;
        Blocks {
            layout: PrivateLayout::new(program, code),
            launch,
            n_threads,
            warp_size,
            regs: vec![0; n * image.len()],
            image,
            shared,
            cells: vec![0; n * code.private_cells as usize],
            defined: vec![false; n * code.private_cells as usize],
            pcs: vec![0; n],
            statuses: vec![Status::Running; n],
            depths: vec![0; n],
            step_limit: vec![StepLimit::default(); n],
            clocks: vec![0; n],
            views: vec![0; n * warp_size as usize],
            warps: Vec::new(),
            block: 0,
            code: code.clone(),
        }
    }

    /// Puts everything in the initial state of block `block`.
    fn start(&mut self, run: &mut Run<'_>, block: u32) {
        self.block = block;
        let coordinates = Launch::coordinates(self.launch.grid, block);
        for (builtin, reg) in &self.code.builtins {
            if let Builtin::BlockIdx(axis) = builtin {
                self.image[*reg as usize] = pick(coordinates, *axis);
            }
        }
        for (thread, regs) in self
            .regs
            .chunks_exact_mut(self.image.len().max(1))
            .enumerate()
        {
            regs.copy_from_slice(&self.image);
            let coordinates = Launch::coordinates(self.launch.block, thread as u32);
            for (builtin, reg) in &self.code.builtins {
                if let Builtin::ThreadIdx(axis) = builtin {
                    regs[*reg as usize] = pick(coordinates, *axis);
                }
            }
        }
        if !self.layout.cells.is_empty() {
            for cells in self.cells.chunks_exact_mut(self.layout.cells.len()) {
                cells.copy_from_slice(&self.layout.cells);
            }
            for defined in self.defined.chunks_exact_mut(self.layout.defined.len()) {
                defined.copy_from_slice(&self.layout.defined);
            }
        }
        self.pcs.fill(0);
        self.statuses.fill(Status::Running);
        let (step_limit, portion) = StepLimit::new(run.depth);
        self.depths.fill(portion);
        self.step_limit.fill(step_limit);
        if run.axes.warps.is_lockstep() {
            let (n, size) = (self.n_threads, self.warp_size);
            let firsts = (0..n).step_by(size as usize);
            self.warps = firsts
                .map(|f| Warp::new(f, size.min(n - f), size))
                .collect();
        }
        self.clocks.fill(1);
        self.views.fill(0);
        self.shared.iter_mut().flatten().for_each(Array::reset);
        run.watch.shared.ensure(self.shared.len());
        run.watch.start_block(self.n_threads);
        run.block_starts.push(run.watch.now.stamp);
    }

    /// Runs block `block` to its end.
    pub fn run_block(&mut self, run: &mut Run<'_>, block: u32) -> Result<(), Halt> {
        self.start(run, block);
        let joint = self.code.has_warp_operation;
        loop {
            match run.axes.warps {
                Warps::Lockstep(_) => self.run_lockstep_warps(run)?,
                // Only `__syncwarp` orders what lanes do.
                Warps::Independent(_) if self.code.has_sync_warp => self.run_warps::<true>(run)?,
                Warps::Independent(_) if joint => self.run_warps::<false>(run)?,
                Warps::Independent(_) | Warps::None => {
                    for thread in 0..self.n_threads {
                        self.run_thread::<false>(run, thread)?;
                    }
                }
            }
            if !self.leave_barrier(run)? {
                return Ok(());
            }
        }
    }

    pub fn actor(&self, thread: u32) -> Actor {
        Actor::Thread {
            block: self.block,
            thread,
        }
    }

    /// Where a thread stands; one that waits where paths meet stands at what follows.
    fn stands_at(&self, thread: u32) -> Pc {
        self.code.beyond_joins(self.pcs[thread as usize])
    }

    pub fn op_at(&self, thread: u32) -> OpId {
        self.code.ops[self.stands_at(thread) as usize]
    }

    /// Runs a machine on one thread; gives why it stopped and the steps it made.
    #[inline(always)]
    pub fn step<const LANES: bool, const EVENTS: bool>(
        &mut self,
        run: &mut Run<'_>,
        thread: u32,
        mut act: bool,
    ) -> Stop {
        let t = thread as usize;
        let (n_regs, n_cells) = (self.image.len(), self.layout.cells.len());
        loop {
            let mut machine = Machine {
                program: run.compiled.program(),
                code: &self.code,
                layout: &self.layout,
                shared: &self.shared,
                global: &run.global,
                host: &run.host,
                guard: None,
                watch: &mut run.watch,
                uncommutative: None,
            };
            let own = Own {
                regs: &mut self.regs[t * n_regs..(t + 1) * n_regs],
                cells: &mut self.cells[t * n_cells..(t + 1) * n_cells],
                defined: &mut self.defined[t * n_cells..(t + 1) * n_cells],
                depth: &mut self.depths[t],
            };
            let stop = machine.run::<true, LANES, EVENTS>(own, &mut self.pcs[t], act);
            if let Some(pc) = machine.uncommutative {
                let (code, program) = (&self.code, run.compiled.program());
                run.note_not_canonical(|| why_uncommutative(program, code, pc));
            }
            match stop {
                Stop::Grow { array, len } => {
                    if run.grow_within_room(false, array, len).is_err() {
                        return Stop::Limit(crate::limits::BYTES);
                    }
                    run.watch.global.ensure(run.global.len());
                }
                Stop::Portion => {
                    let regs = &self.regs[t * n_regs..(t + 1) * n_regs];
                    let cells = &self.cells[t * n_cells..(t + 1) * n_cells];
                    match self.step_limit[t].next(self.pcs[t], regs, cells) {
                        Next::GoOn(portion) => self.depths[t] = portion,
                        Next::ComesBack => return Stop::ComesBack,
                        Next::Spent => return Stop::Limit(crate::limits::DEPTH),
                    }
                    // Whatever it was to act on lies before the end of the loop it stands at.
                    act = false;
                }
                stop => return stop,
            }
        }
    }

    /// Runs a thread that moves on its own to where it waits for others, or to its end.
    pub fn run_thread<const LANES: bool>(
        &mut self,
        run: &mut Run<'_>,
        thread: u32,
    ) -> Result<(), Halt> {
        if self.statuses[thread as usize] != Status::Running {
            return Ok(());
        }
        run.tick()?;
        let now = &mut run.watch.now;
        now.thread = thread;
        now.visible = 0;
        if let Some(trace) = &run.trace {
            now.segment = trace.next();
        }
        if LANES {
            let (first, size) = (thread as usize * self.warp_size as usize, self.warp_size);
            now.clock = self.clocks[thread as usize];
            now.view.clear();
            now.view
                .extend_from_slice(&self.views[first..first + size as usize]);
        }
        let outcome = loop {
            break match self.step::<LANES, false>(run, thread, true) {
                Stop::Barrier => {
                    let orders = self.code.orders_at(self.pcs[thread as usize]);
                    run.watch.reach_barrier(thread, orders);
                    self.statuses[thread as usize] = Status::AtBarrier;
                    Ok(())
                }
                Stop::SyncWarp { .. } if !run.axes.warps.are_known() => {
                    // Nothing is known of warps, so nothing is ordered.
                    self.pcs[thread as usize] += 1;
                    continue;
                }
                Stop::Warp { .. } | Stop::ActiveMask if !run.axes.warps.are_known() => {
                    run.watch.now.visible += 1;
                    Err(self.halt(run, Stop::Fault(FaultKind::NoWarps), thread))
                }
                Stop::SyncWarp { .. } | Stop::Warp { .. } => {
                    if let Some(waiting) = self.waiting(thread) {
                        self.statuses[thread as usize] = Status::AtWarp(waiting);
                    }
                    Ok(())
                }
                Stop::ActiveMask => {
                    self.statuses[thread as usize] = Status::AtActiveMask;
                    Ok(())
                }
                Stop::Ended { returned } => {
                    run.watch.end_thread::<LANES>(thread);
                    self.statuses[thread as usize] = if returned {
                        Status::Returned
                    } else {
                        Status::Ended
                    };
                    Ok(())
                }
                stop => Err(self.halt(run, stop, thread)),
            };
        };
        let steps = run.watch.now.visible;
        run.record(Actors::One(self.actor(thread)), steps, Some(self.block));
        outcome
    }

    /// The end of the run that a thread's stop is.
    pub fn halt(&self, run: &Run<'_>, stop: Stop, thread: u32) -> Halt {
        match stop {
            Stop::Fault(kind) => Run::fault(kind, self.actor(thread), self.op_at(thread)),
            Stop::Discard => Halt::Discard,
            Stop::Limit(what) => Halt::Limit(what.to_owned()),
            Stop::TooFar { array, index, mode } => {
                let op = self.op_at(thread);
                Halt::Limit(too_far(run, op, &array, index, mode))
            }
            Stop::ComesBack => Halt::Cycle(self.op_at(thread)),
            // A kernel has no host operators, and the other stops are dealt with where they occur.
            other => Halt::Limit(format!("{other:?}")),
        }
    }

    pub fn register(&self, thread: u32, reg: Reg) -> u64 {
        self.regs[thread as usize * self.image.len() + reg as usize]
    }

    pub fn set_register(&mut self, thread: u32, reg: Reg, bits: u64) {
        self.regs[thread as usize * self.image.len() + reg as usize] = bits;
    }

    /// What becomes of the block when no thread of it can move alone: `true` when all demanded
    /// threads left their barrier, `false` when all have ended.
    fn leave_barrier(&mut self, run: &mut Run<'_>) -> Result<bool, Halt> {
        let mut first: Option<u32> = None;
        let (mut ended, mut forever, mut same, mut elsewhere) = (false, false, true, false);
        for thread in 0..self.n_threads {
            match self.statuses[thread as usize] {
                Status::AtBarrier => match first {
                    None => first = Some(thread),
                    Some(first) => same &= self.same_barrier(first, thread),
                },
                status @ (Status::Ended | Status::Returned) => {
                    let returned = status == Status::Returned;
                    match run.axes.exited_threads.at_barrier(returned) {
                        AtBarrier::Awaited => forever = true,
                        AtBarrier::Diverged => ended = true,
                        AtBarrier::Excused => {}
                    }
                }
                // A lane that waits for other paths where a barrier follows stands at it too.
                Status::Running if self.faces_barrier(thread) => match first {
                    None => first = Some(thread),
                    Some(first) => same &= self.same_barrier(first, thread),
                },
                Status::Running | Status::AtWarp(_) | Status::AtActiveMask => elsewhere = true,
            }
        }
        if elsewhere || (forever && first.is_some()) {
            return Err(Halt::Stuck(self.positions()));
        }
        let Some(first) = first else {
            return Ok(false);
        };
        run.record_one(Actor::Block(self.block), Some(self.block));
        if ended || !same {
            let positions = self.positions();
            let kind = FaultKind::BarrierDivergence { positions };
            return Err(Run::fault(
                kind,
                Actor::Block(self.block),
                self.op_at(first),
            ));
        }
        let orders = self.code.orders_at(self.pcs[first as usize]);
        let n_regs = self.image.len();
        for thread in 0..self.n_threads as usize {
            if self.statuses[thread] == Status::AtBarrier {
                self.statuses[thread] = Status::Running;
                self.pcs[thread] += 1;
                for counter in &self.code.counters {
                    self.regs[thread * n_regs + *counter as usize] = 0;
                }
            }
        }
        run.watch.start_interval(orders);
        Ok(true)
    }

    fn faces_barrier(&self, thread: u32) -> bool {
        matches!(
            self.code.instrs[self.stands_at(thread) as usize],
            Instr::Barrier { .. }
        )
    }

    /// The same occurrence with the same call stack (that is the program counter, calls being
    /// inlined) and the same iterations of the enclosing loops that contain a barrier.
    /// Or any two of barriers that are met anywhere.
    fn same_barrier(&self, a: u32, b: u32) -> bool {
        let site = |thread: u32| match self.code.instrs[self.stands_at(thread) as usize] {
            Instr::Barrier { site } => self.code.barriers.get(site as usize),
            _ => None,
        };
        let (Some(here), Some(there)) = (site(a), site(b)) else {
            return false;
        };
        if [here.met, there.met] == [Met::Anywhere; 2] {
            return true;
        }
        let alike = |r: &Reg| self.register(a, *r) == self.register(b, *r);
        self.stands_at(a) == self.stands_at(b) && here.counters.iter().all(alike)
    }

    /// Where every thread of the block stands.
    pub fn positions(&self) -> Vec<ThreadPosition> {
        let position = |thread: u32| ThreadPosition {
            actor: self.actor(thread),
            op: (!self.statuses[thread as usize].has_ended()).then(|| self.op_at(thread)),
            returned: self.statuses[thread as usize] == Status::Returned,
        };
        (0..self.n_threads).map(position).collect()
    }
}

/// The registers every thread of a launch starts with, but for the numbers of block and thread.
/// `args`: the registers of each argument.
pub fn initial_image(axes: Axes, code: &Code, launch: &Launch, args: &[[u64; 2]]) -> Vec<u64> {
    let mut image = code.image.clone();
    for ((reg, ty), arg) in code.params.iter().zip(args) {
        image[*reg as usize] = arg[0];
        if ty.pointer().is_some() {
            image[*reg as usize + 1] = arg[1];
        }
    }
    for (builtin, reg) in &code.builtins {
        image[*reg as usize] = match builtin {
            Builtin::BlockDim(axis) => pick(launch.block, *axis),
            Builtin::GridDim(axis) => pick(launch.grid, *axis),
            Builtin::WarpSize => axes.warps.size() as u64,
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) => 0,
        };
    }
    image
}

fn pick(extents: Dim3, axis: Axis) -> u64 {
    extents[axis as usize] as u64
}
