//! A block, run wide: every strip to where its threads wait or end, then the barrier.

use super::lanes::{LANES, Lanes, each};
use super::launched::{Launched, Odd};
use super::log::Log;
use super::shadow::{BlockShadow, MOST_STAMPS};
use crate::canonical::step_limit::StepLimit;
use crate::compiled::instruction::{Instr, Pc, Reg};
use crate::compiled::memory::Array;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Builtin;
use gridlock_semantics::algebra::operator::Orders;
use gridlock_semantics::setup::Launch;

/// Threads of a strip that stand at one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub pc: Pc,
    pub set: u64,
}

/// Up to [`LANES`] threads with consecutive numbers.
#[derive(Debug)]
pub struct Strip {
    /// The number of its first thread.
    pub first: u32,
    /// The lanes that are threads.
    pub there: u64,
    /// Those that can move, by program counter, the lowest last; no two at the same.
    pub running: Vec<Group>,
    pub at_barrier: Vec<Group>,
    /// Those that came to the end of the body, and by an explicit `return`.
    pub ended: u64,
    pub returned: u64,
    /// Of these, those that did so in the present interval.
    pub ended_now: u64,
    /// Those that accessed shared or global memory in the present interval.
    pub touched: u64,
    pub step_limit: StepLimit,
    /// Loop iterations until the strip is asked whether it comes to an end.
    pub portion: u64,
}

impl Strip {
    /// The lanes that have not ended.
    pub fn alive(&self) -> u64 {
        self.there & !(self.ended | self.returned)
    }

    /// Lets threads go on at `pc`, together with those that stand there.
    pub fn add(&mut self, group: Group) {
        let place = self.running.partition_point(|other| other.pc > group.pc);
        match self.running.get_mut(place) {
            Some(other) if other.pc == group.pc => other.set |= group.set,
            _ => self.running.insert(place, group),
        }
    }

    /// The lowest program counter at which other threads of the strip stand.
    pub fn next_pc(&self) -> Pc {
        self.running.last().map_or(Pc::MAX, |group| group.pc)
    }
}

/// The memory in which blocks are run one after another.
pub struct Worker<'a> {
    pub launched: &'a Launched<'a>,
    /// Of all strips, one strip after another.
    pub regs: Vec<Lanes>,
    pub strips: Vec<Strip>,
    /// Private memory: cells, strip by strip, and which lanes of each hold something.
    pub cells: Vec<Lanes>,
    pub defined: Vec<u64>,
    /// By declaration.
    pub shared: Vec<Option<Array>>,
    pub shadows: Vec<BlockShadow>,
    /// Counts the barrier intervals of all blocks run here: those of shared and of global memory.
    pub stamp: u32,
    pub global_stamp: u32,
    /// What is done to global memory, where that is written down.
    pub log: Option<Log>,
    /// Visible transitions.
    pub visible: u64,
    /// Registers to be set anew for each block; the others are the same for all or are written
    /// before they are read.
    anew: Vec<Reg>,
}

impl<'a> Worker<'a> {
    pub fn new(launched: &'a Launched<'a>) -> Worker<'a> {
        let Launched {
            code,
            launch,
            layout,
            image,
            ..
        } = launched;
        let n_threads = launch.n_threads() as u32;
        let strips: Vec<Strip> = (0..n_threads)
            .step_by(LANES)
            .map(|first| {
                let n = (n_threads - first).min(LANES as u32);
                Strip {
                    first,
                    there: u64::MAX >> (LANES as u32 - n),
                    running: Vec::new(),
                    at_barrier: Vec::new(),
                    ended: 0,
                    returned: 0,
                    ended_now: 0,
                    touched: 0,
                    step_limit: StepLimit::default(),
                    portion: 0,
                }
            })
            .collect();
        let mut regs = Vec::with_capacity(strips.len() * image.len());
        for strip in &strips {
            let start = regs.len();
            regs.extend(image.iter().map(|bits| [*bits; LANES]));
            for (builtin, reg) in &code.builtins {
                let Builtin::ThreadIdx(axis) = builtin else {
                    continue;
                };
                let lanes: &mut Lanes = &mut regs[start + *reg as usize];
                for lane in each(strip.there) {
                    let thread = strip.first + lane as u32;
                    lanes[lane] = Launch::coordinates(launch.block, thread)[*axis as usize] as u64;
                }
            }
        }
        let shared = launched.shared_arrays();
        let extent = |array: &Option<Array>| array.as_ref().map_or(0, Array::len);
        Worker {
            launched,
            regs,
            cells: vec![[0; LANES]; strips.len() * layout.cells.len()],
            defined: vec![0; strips.len() * layout.cells.len()],
            strips,
            shadows: shared.iter().map(extent).map(BlockShadow::new).collect(),
            shared,
            stamp: 0,
            global_stamp: 0,
            log: None,
            visible: 0,
            anew: set_anew(launched),
        }
    }

    /// Puts everything in the initial state of a block.
    fn start(&mut self, block: u32) -> Result<(), Odd> {
        let Launched {
            code,
            launch,
            layout,
            image,
            ..
        } = self.launched;
        let coordinates = Launch::coordinates(launch.grid, block);
        let n_regs = image.len();
        for regs in self.regs.chunks_exact_mut(n_regs.max(1)) {
            for reg in &self.anew {
                regs[*reg as usize] = [image[*reg as usize]; LANES];
            }
            for (builtin, reg) in &code.builtins {
                if let Builtin::BlockIdx(axis) = builtin {
                    regs[*reg as usize] = [coordinates[*axis as usize] as u64; LANES];
                }
            }
        }
        let n_cells = layout.cells.len();
        for (number, bits) in self.cells.iter_mut().enumerate() {
            *bits = [layout.cells[number % n_cells]; LANES];
        }
        for (number, set) in self.defined.iter_mut().enumerate() {
            *set = 0u64.wrapping_sub(layout.defined[number % n_cells] as u64);
        }
        for strip in &mut self.strips {
            strip.running.clear();
            strip.running.push(Group {
                pc: 0,
                set: strip.there,
            });
            strip.at_barrier.clear();
            (strip.ended, strip.returned, strip.ended_now, strip.touched) = (0, 0, 0, 0);
            (strip.step_limit, strip.portion) = StepLimit::new(self.launched.depth);
        }
        self.shared.iter_mut().flatten().for_each(Array::reset);
        if self.stamp.max(self.global_stamp) > MOST_STAMPS / 2 {
            self.shadows.iter_mut().for_each(BlockShadow::clear);
            // Words of global memory name their block.
            (self.stamp, self.global_stamp) = (0, 0);
        }
        self.next_interval(Orders::All)
    }

    fn next_interval(&mut self, orders: Orders) -> Result<(), Odd> {
        self.stamp += orders.includes(Space::Shared) as u32;
        self.global_stamp += orders.includes(Space::Global) as u32;
        if self.stamp.max(self.global_stamp) >= MOST_STAMPS {
            return Err(Odd::Look);
        }
        Ok(())
    }

    /// Runs a block to its end.
    pub fn run_block(&mut self, block: u32, side_by_side: bool) -> Result<(), Odd> {
        if let Some(log) = &mut self.log {
            log.begin(self.launched.launch.n_threads() as u32);
        }
        self.start(block)?;
        let atomics = !self.launched.code.atomics.is_empty();
        loop {
            self.launched.check_time()?;
            for strip in 0..self.strips.len() {
                if self.strips[strip].running.is_empty() {
                    continue;
                }
                match (side_by_side, atomics) {
                    (false, false) => self.run_strip::<false, false>(block, strip)?,
                    (false, true) => self.run_strip::<false, true>(block, strip)?,
                    (true, false) => self.run_strip::<true, false>(block, strip)?,
                    (true, true) => self.run_strip::<true, true>(block, strip)?,
                }
            }
            if let Some(log) = &mut self.log {
                for strip in &self.strips {
                    let ended = each(strip.ended | strip.returned);
                    log.end(ended.map(|lane| strip.first + lane as u32));
                }
            }
            if !self.leave_barrier()? {
                return Ok(());
            }
        }
    }

    /// What becomes of the block when no thread of it can move alone: `true` when all left their
    /// barrier, `false` when all have ended.
    fn leave_barrier(&mut self) -> Result<bool, Odd> {
        let code = self.launched.code;
        let Some(first) = self
            .strips
            .iter()
            .find_map(|strip| strip.at_barrier.first())
        else {
            return Ok(false);
        };
        let pc = first.pc;
        let Instr::Barrier { site } = code.instrs[pc as usize] else {
            return Err(Odd::Look);
        };
        let orders = code.barriers[site as usize].orders;
        let n_regs = self.launched.image.len();
        let exited = self.launched.axes.exited_threads;
        for strip in &self.strips {
            let here = match strip.at_barrier.as_slice() {
                [] => 0,
                [group] if group.pc == pc => group.set,
                _ => return Err(Odd::Look),
            };
            let unless_excused = |returned: bool, who: u64| match exited.excuses(returned) {
                true => 0,
                false => who,
            };
            let refused = unless_excused(false, strip.ended) | unless_excused(true, strip.returned);
            // What such a thread did stays open, which only the detector follows.
            let open = strip.ended_now & strip.touched;
            if here | strip.ended | strip.returned != strip.there || refused | open != 0 {
                return Err(Odd::Look);
            }
        }
        for counter in &code.barriers[site as usize].counters {
            let mut iterations = self.strips.iter().enumerate().flat_map(|(number, strip)| {
                let lanes = &self.regs[number * n_regs + *counter as usize];
                let here = strip.at_barrier.first().map_or(0, |group| group.set);
                each(here).map(|lane| lanes[lane])
            });
            let count = iterations.next();
            if !iterations.all(|n| Some(n) == count) {
                return Err(Odd::Look);
            }
        }
        for (number, strip) in self.strips.iter_mut().enumerate() {
            // What a partial barrier leaves unordered, a later one may find open.
            if orders == Orders::All {
                (strip.ended_now, strip.touched) = (0, 0);
            }
            if let Some(group) = strip.at_barrier.pop() {
                strip.running.push(Group {
                    pc: pc + 1,
                    ..group
                });
            }
            for counter in &code.counters {
                self.regs[number * n_regs + *counter as usize] = [0; LANES];
            }
        }
        self.visible += 1;
        if let Some(log) = &mut self.log {
            log.pass(orders);
        }
        self.next_interval(orders)?;
        Ok(true)
    }
}

/// Work in finding out which registers are live, in bits, beyond which all are set anew.
const MOST_LIVE_BITS: usize = 1 << 26;

fn set_anew(launched: &Launched<'_>) -> Vec<Reg> {
    let code = launched.code;
    let is_thread_number = |reg: &Reg| {
        let mut builtins = code.builtins.iter();
        builtins.any(|(b, r)| r == reg && matches!(b, Builtin::ThreadIdx(_)))
    };
    let all = 0..code.image.len() as Reg;
    let regs: Vec<Reg> = match code.image.len().saturating_mul(code.instrs.len()) {
        few if few <= MOST_LIVE_BITS => code.kept_at_start().to_vec(),
        _ => all.collect(),
    };
    regs.into_iter()
        .filter(|reg| !is_thread_number(reg))
        .collect()
}
