//! The register code, for the threads of a strip that stand at one instruction.

use super::block::{Group, Worker};
use super::exchange::Standing;
use super::lanes::{self, LANES, Lanes, Part, all_are, each, equal, put, spread, zeros};
use super::launched::Watched;
use super::shadow::{Accessor, GridShadow, epoch, how};
use super::{Launched, Odd};
use crate::canonical::machine::{Stop, refuse};
use crate::canonical::step_limit::Next;
use crate::canonical::watch::Region;
use crate::compiled::arithmetic::{self, pointer_op};
use crate::compiled::instruction::{AtomicSite, Instr, Reg};
use crate::compiled::memory::Array;
use crate::compiled::raw;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::transition::AccessMode;

/// Loop iterations between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

/// What a pointer's array register names.
enum Memory<'m> {
    Shared {
        array: &'m Array,
        number: usize,
    },
    Global {
        array: &'m Array,
        shadow: &'m GridShadow,
        number: u32,
    },
    /// Of global memory, accesses to which are written down.
    Logged {
        array: &'m Array,
        number: u32,
    },
    /// Of constant memory, or one that no thread of the launch writes.
    ReadOnly {
        array: &'m Array,
        number: u32,
    },
    /// In cells of the strip.
    Private {
        offset: u64,
        extent: u64,
    },
}

/// Where an access goes that its array does not have room for.
fn outside(array: &Array, number: u32, index: u64, elem: ScalarType, mode: AccessMode) -> Odd {
    match refuse(array, number, index as i64, elem, mode) {
        Stop::Grow { array, len } => Odd::Grow { array, len },
        _ => Odd::Look,
    }
}

impl Launched<'_> {
    /// The memory a register names, for accesses to elements of a type.
    fn memory<'m>(
        &'m self,
        shared: &'m [Option<Array>],
        array_reg: u64,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<Memory<'m>, Odd> {
        let number = array_reg as u32 as usize;
        let memory = match (array_reg >> 32) as u32 {
            raw::SHARED => match shared.get(number) {
                Some(Some(array)) if array.elem == elem => Memory::Shared { array, number },
                _ => return Err(Odd::Look),
            },
            raw::GLOBAL => match (self.global.get(number), self.watched.get(number)) {
                (Some(array), _) if array.elem != elem => return Err(Odd::Look),
                (Some(array), _) if array.space == Space::Constant => match mode {
                    AccessMode::Read => Memory::ReadOnly {
                        array,
                        number: number as u32,
                    },
                    _ => return Err(Odd::Look),
                },
                (Some(array), Some(Watched::ReadOnly)) => Memory::ReadOnly {
                    array,
                    number: number as u32,
                },
                (Some(array), Some(Watched::Shadow(shadow))) => Memory::Global {
                    array,
                    shadow,
                    number: number as u32,
                },
                (Some(array), Some(Watched::Logged)) => Memory::Logged {
                    array,
                    number: number as u32,
                },
                _ => return Err(Odd::Look),
            },
            raw::PRIVATE => {
                let id = ArrayId(number as u32);
                match self.layout.place_of(id) {
                    Some((offset, extent)) if self.program.array(id).elem == elem => {
                        Memory::Private { offset, extent }
                    }
                    _ => return Err(Odd::Look),
                }
            }
            _ => return Err(Odd::Look),
        };
        Ok(memory)
    }
}

/// The lanes of `rest` that name the same array as the first of them, and that array.
#[inline(always)]
fn of_one_array(arrays: &Lanes, rest: u64, part: Part<'_>) -> (u64, u64) {
    let array = arrays[rest.trailing_zeros() as usize];
    if rest == part.set && all_are(arrays, array, part) {
        return (array, rest);
    }
    (array, equal(arrays, array, rest))
}

/// The indices, in elements, that lanes access.
#[inline(always)]
fn indices(regs: &[Lanes], ptr: Reg, elements: Reg) -> Lanes {
    let mut sums = [0; LANES];
    let operands = regs[ptr as usize + 1].iter().zip(&regs[elements as usize]);
    for (sum, (offset, elements)) in sums.iter_mut().zip(operands) {
        *sum = offset.wrapping_add(*elements);
    }
    sums
}

/// Whether the shadow of a location has nothing against an access.
fn ordered(region: Region, ok: bool) -> Result<(), Odd> {
    if ok { Ok(()) } else { Err(Odd::Race(region)) }
}

fn need(ok: bool) -> Result<(), Odd> {
    if ok { Ok(()) } else { Err(Odd::Look) }
}

impl Worker<'_> {
    /// Runs the threads of a strip until each waits at a barrier or has ended. `SIDE_BY_SIDE`:
    /// other blocks run at the same time; `ATOMICS`: the code has atomic operations.
    pub fn run_strip<const SIDE_BY_SIDE: bool, const ATOMICS: bool>(
        &mut self,
        block: u32,
        number: usize,
    ) -> Result<(), Odd> {
        let launched = self.launched;
        let code = launched.code;
        let n_regs = launched.image.len();
        let n_cells = launched.layout.cells.len();
        let regs = &mut self.regs[number * n_regs..(number + 1) * n_regs];
        let cells = &mut self.cells[number * n_cells..(number + 1) * n_cells];
        let defined = &mut self.defined[number * n_cells..(number + 1) * n_cells];
        let shared = &self.shared;
        let shadows = &mut self.shadows;
        let log = &mut self.log;
        let strip = &mut self.strips[number];
        let base = epoch(self.stamp, strip.first);
        let global_base = epoch(self.global_stamp, strip.first);
        let mut visible = 0;
        let mut chosen = [0; LANES];
        'groups: while let Some(Group { pc, set }) = strip.running.pop() {
            let meeting = strip.next_pc();
            if set != strip.there {
                chosen = spread(set);
            }
            let part = Part {
                set,
                chosen: (set != strip.there).then_some(&chosen),
            };
            let mut at = pc;
            loop {
                if at >= meeting {
                    strip.add(Group { pc: at, set });
                    continue 'groups;
                }
                match code.instrs[at as usize] {
                    Instr::Move { dst, src } => {
                        let values = regs[src as usize];
                        put(&mut regs[dst as usize], &values, part);
                    }
                    Instr::MovePointer { dst, src } => {
                        let (array, offset) = (regs[src as usize], regs[src as usize + 1]);
                        put(&mut regs[dst as usize], &array, part);
                        put(&mut regs[dst as usize + 1], &offset, part);
                    }
                    Instr::Op1 { code, dst, a } => lanes::op1(code, regs, dst, a, part),
                    Instr::Op2 { code, dst, a, b } => lanes::op2(code, regs, dst, (a, b), part),
                    Instr::Partial { code, dst, a, b } => {
                        for lane in each(set) {
                            let (a, b) = (regs[a as usize][lane], regs[b as usize][lane]);
                            let result = arithmetic::partial(code, a, b);
                            regs[dst as usize][lane] = result.map_err(|_| Odd::Look)?;
                        }
                    }
                    Instr::Slow { site } => {
                        let site = &code.slow[site as usize];
                        for lane in each(set) {
                            let result = arithmetic::slow_of(site, |reg| regs[reg as usize][lane]);
                            regs[site.dst as usize][lane] = result.map_err(|_| Odd::Look)?;
                        }
                    }
                    Instr::Offset { dst, ptr, elements } => {
                        let array = regs[ptr as usize];
                        let offset = indices(regs, ptr, elements);
                        put(&mut regs[dst as usize], &array, part);
                        put(&mut regs[dst as usize + 1], &offset, part);
                    }
                    Instr::PointerOp { op, dst, a, b } => {
                        for lane in each(set) {
                            let at = |reg: Reg| regs[reg as usize][lane];
                            let own = [at(a), at(a + 1), at(b), at(b + 1)];
                            let result = pointer_op(op, &own, 0, 2);
                            regs[dst as usize][lane] = result.map_err(|_| Odd::Look)?;
                        }
                    }
                    Instr::PointerToBool { dst, a } => {
                        for lane in each(set) {
                            let array = regs[a as usize][lane];
                            regs[dst as usize][lane] = (array >> 32 != raw::NULL as u64) as u64;
                        }
                    }
                    Instr::CheckDefined { flag, .. } => {
                        need(zeros(&regs[flag as usize], set) == 0)?;
                    }
                    Instr::Jump { to } => {
                        at = to;
                        continue;
                    }
                    Instr::Repeat { to } => {
                        if strip.portion == 0 {
                            // What one thread of the group does stands for all: the others have
                            // their turn when it has left the loop.
                            let lane = set.trailing_zeros() as usize;
                            let own: Vec<u64> = regs.iter().map(|reg| reg[lane]).collect();
                            let mine: Vec<u64> = cells.iter().map(|cell| cell[lane]).collect();
                            match strip.step_limit.next(at, &own, &mine) {
                                Next::GoOn(portion) => strip.portion = portion,
                                Next::ComesBack | Next::Spent => return Err(Odd::Look),
                            }
                        }
                        strip.portion = strip.portion.saturating_sub(1);
                        if strip.portion.is_multiple_of(LOOK_EVERY) {
                            launched.check_time()?;
                        }
                        at = to;
                        continue;
                    }
                    Instr::JumpIfFalse { cond, to }
                    | Instr::Branch {
                        cond,
                        otherwise: to,
                        ..
                    } => {
                        let leave = zeros(&regs[cond as usize], set);
                        if let Some(covered) = &code.covered {
                            covered.note(at, leave != set, leave != 0);
                        }
                        if leave == set {
                            at = to;
                            continue;
                        }
                        if leave != 0 {
                            strip.add(Group { pc: to, set: leave });
                            strip.add(Group {
                                pc: at + 1,
                                set: set & !leave,
                            });
                            continue 'groups;
                        }
                    }
                    Instr::Return | Instr::Join { .. } | Instr::Fence { .. } => {}
                    Instr::Increment { counter } => {
                        let reg = &mut regs[counter as usize];
                        let next = reg.map(|n| n.wrapping_add(1));
                        put(reg, &next, part);
                    }
                    Instr::Load {
                        dst,
                        ptr,
                        elements,
                        elem,
                    } => {
                        let index = indices(regs, ptr, elements);
                        let mut rest = set;
                        while rest != 0 {
                            let (array, same) = of_one_array(&regs[ptr as usize], rest, part);
                            rest &= !same;
                            let mode = AccessMode::Read;
                            let memory = launched.memory(shared, array, elem, mode)?;
                            let to = &mut regs[dst as usize];
                            match memory {
                                Memory::Shared { array, number } => {
                                    let shadow = &mut shadows[number];
                                    for lane in each(same) {
                                        let index = index[lane];
                                        need(index < array.reach())?;
                                        let here = base + lane as u32;
                                        ordered(Region::Shared, shadow.read(index as usize, here))?;
                                        to[lane] = array.read(index as usize).ok_or(Odd::Look)?;
                                    }
                                }
                                Memory::Global {
                                    array,
                                    shadow,
                                    number,
                                } => {
                                    for lane in each(same) {
                                        let index = index[lane];
                                        if index >= array.reach() {
                                            return Err(outside(array, number, index, elem, mode));
                                        }
                                        let here = Accessor::new(block, global_base + lane as u32);
                                        ordered(
                                            Region::Global,
                                            shadow.read::<SIDE_BY_SIDE, ATOMICS>(
                                                index as usize,
                                                here,
                                            ),
                                        )?;
                                        to[lane] = array.read(index as usize).ok_or(Odd::Look)?;
                                    }
                                }
                                Memory::Logged { array, number } => {
                                    let log = log.as_mut().ok_or(Odd::Look)?;
                                    for lane in each(same) {
                                        let place = index[lane];
                                        if place >= array.reach() {
                                            return Err(outside(array, number, place, elem, mode));
                                        }
                                        let bits = array.read(place as usize).ok_or(Odd::Look)?;
                                        let thread = strip.first + lane as u32;
                                        log.read((number, place as usize), thread, at, bits);
                                        to[lane] = bits;
                                    }
                                }
                                Memory::ReadOnly { array, number } => {
                                    for lane in each(same) {
                                        let index = index[lane];
                                        if index >= array.reach() {
                                            return Err(outside(array, number, index, elem, mode));
                                        }
                                        to[lane] = array.read(index as usize).ok_or(Odd::Look)?;
                                    }
                                    visible += same.count_ones() as u64;
                                    continue;
                                }
                                Memory::Private { offset, extent } => {
                                    for lane in each(same) {
                                        need(index[lane] < extent)?;
                                        let cell = (offset + index[lane]) as usize;
                                        need(defined[cell] >> lane & 1 == 1)?;
                                        to[lane] = cells[cell][lane];
                                    }
                                    continue;
                                }
                            }
                            strip.touched |= same;
                            visible += same.count_ones() as u64;
                        }
                    }
                    Instr::Store {
                        src,
                        ptr,
                        elements,
                        elem,
                    } => {
                        let index = indices(regs, ptr, elements);
                        let mut rest = set;
                        while rest != 0 {
                            let (array, same) = of_one_array(&regs[ptr as usize], rest, part);
                            rest &= !same;
                            let mode = AccessMode::Write;
                            let memory = launched.memory(shared, array, elem, mode)?;
                            let from = &regs[src as usize];
                            match memory {
                                Memory::Shared { array, number } => {
                                    let shadow = &mut shadows[number];
                                    for lane in each(same) {
                                        let index = index[lane];
                                        need(index < array.reach())?;
                                        let here = base + lane as u32;
                                        ordered(
                                            Region::Shared,
                                            shadow.write(index as usize, here),
                                        )?;
                                        array.write(index as usize, from[lane]);
                                    }
                                }
                                Memory::Global {
                                    array,
                                    shadow,
                                    number,
                                } => {
                                    for lane in each(same) {
                                        let index = index[lane];
                                        if index >= array.reach() {
                                            return Err(outside(array, number, index, elem, mode));
                                        }
                                        let here = Accessor::new(block, global_base + lane as u32);
                                        ordered(
                                            Region::Global,
                                            shadow.write::<SIDE_BY_SIDE, ATOMICS>(
                                                index as usize,
                                                here,
                                            ),
                                        )?;
                                        array.write(index as usize, from[lane]);
                                    }
                                }
                                Memory::Logged { array, number } => {
                                    let log = log.as_mut().ok_or(Odd::Look)?;
                                    for lane in each(same) {
                                        let place = index[lane];
                                        if place >= array.reach() {
                                            return Err(outside(array, number, place, elem, mode));
                                        }
                                        let before = array.read(place as usize);
                                        let thread = strip.first + lane as u32;
                                        let bits = (before, from[lane]);
                                        log.write((number, place as usize), thread, at, bits);
                                        array.write(place as usize, from[lane]);
                                    }
                                }
                                Memory::ReadOnly { .. } => return Err(Odd::Look),
                                Memory::Private { offset, extent } => {
                                    for lane in each(same) {
                                        need(index[lane] < extent)?;
                                        let cell = (offset + index[lane]) as usize;
                                        cells[cell][lane] = from[lane];
                                        defined[cell] |= 1 << lane;
                                    }
                                    continue;
                                }
                            }
                            strip.touched |= same;
                            visible += same.count_ones() as u64;
                        }
                    }
                    Instr::Atomic { site } => {
                        let site = &code.atomics[site as usize];
                        let index = indices(regs, site.ptr, site.elements);
                        let mut rest = set;
                        while rest != 0 {
                            let (array, same) = of_one_array(&regs[site.ptr as usize], rest, part);
                            rest &= !same;
                            let mode = AccessMode::Atomic;
                            let memory = launched.memory(shared, array, site.elem, mode)?;
                            if !matches!(memory, Memory::Private { .. }) {
                                need(is_commutative(site))?;
                                strip.touched |= same;
                                visible += same.count_ones() as u64;
                            }
                            for lane in each(same) {
                                let operands = operands(site, |reg| regs[reg as usize][lane]);
                                let operands = &operands[..site.operands.len().min(2)];
                                let update = |old: u64| {
                                    arithmetic::atomic(site.function, site.elem, old, operands)
                                };
                                let (place, how) = (index[lane], how(site.function, site.scope));
                                let here = base + lane as u32;
                                let old = match memory {
                                    Memory::Shared { array, number } => {
                                        need(place < array.reach())?;
                                        let place = place as usize;
                                        ordered(
                                            Region::Shared,
                                            shadows[number].atomic(place, here, how),
                                        )?;
                                        need(array.read(place).is_some())?;
                                        array.update(place, update)
                                    }
                                    Memory::Global {
                                        array,
                                        shadow,
                                        number,
                                    } => {
                                        if place >= array.reach() {
                                            let elem = site.elem;
                                            return Err(outside(array, number, place, elem, mode));
                                        }
                                        let (place, here) = (
                                            place as usize,
                                            Accessor::new(block, global_base + lane as u32),
                                        );
                                        ordered(
                                            Region::Global,
                                            shadow.atomic::<SIDE_BY_SIDE>(place, here, how),
                                        )?;
                                        need(array.read(place).is_some())?;
                                        array.update(place, update)
                                    }
                                    Memory::Logged { .. } | Memory::ReadOnly { .. } => {
                                        return Err(Odd::Look);
                                    }
                                    Memory::Private { offset, extent } => {
                                        need(place < extent)?;
                                        let cell = (offset + place) as usize;
                                        need(defined[cell] >> lane & 1 == 1)?;
                                        let old = cells[cell][lane];
                                        cells[cell][lane] = update(old);
                                        old
                                    }
                                };
                                if let Some(result) = site.result {
                                    regs[result as usize][lane] = old;
                                }
                            }
                        }
                    }
                    Instr::Barrier { .. } => {
                        match strip.at_barrier.iter_mut().find(|group| group.pc == at) {
                            Some(group) => group.set |= set,
                            None => strip.at_barrier.push(Group { pc: at, set }),
                        }
                        continue 'groups;
                    }
                    Instr::Exit { closing } => {
                        visible += set.count_ones() as u64;
                        if closing {
                            strip.ended |= set;
                        } else {
                            strip.returned |= set;
                        }
                        strip.ended_now |= set;
                        continue 'groups;
                    }
                    Instr::End => {
                        strip.ended |= set;
                        strip.ended_now |= set;
                        continue 'groups;
                    }
                    Instr::Assert { cond, .. } | Instr::Assume { cond } => {
                        need(zeros(&regs[cond as usize], set) == 0)?;
                    }
                    Instr::Beyond => return Err(Odd::Look),
                    Instr::SyncWarp { mask } => {
                        // Where nothing is known of warps, nothing is ordered.
                        if let Some(warp_size) = launched.warp_size() {
                            let alive = strip.alive();
                            let standing = Standing {
                                set,
                                alive,
                                warp_size,
                            };
                            visible += standing.meet(regs, mask)?;
                        }
                    }
                    Instr::Warp { site } => {
                        let standing = Standing {
                            set,
                            alive: strip.alive(),
                            warp_size: launched.warp_size().ok_or(Odd::Look)?,
                        };
                        visible += standing.exchange(regs, &code.warps[site as usize])?;
                    }
                    // Bit-fields are rare: thread after thread decides.
                    Instr::WriteBack { .. }
                    | Instr::ActiveMask { .. }
                    | Instr::StoreNothing { .. }
                    | Instr::NamedBarrier { .. }
                    | Instr::GridBarrier { .. }
                    | Instr::Host { .. } => return Err(Odd::Look),
                }
                at += 1;
            }
        }
        self.visible += visible;
        Ok(())
    }
}

/// Whether the order of an atomic among others of its kind cannot show.
fn is_commutative(site: &AtomicSite) -> bool {
    !site.result_used && !site.elem.is_float() && site.function.is_commutative()
}

fn operands(site: &AtomicSite, read: impl Fn(Reg) -> u64) -> [u64; 2] {
    let mut operands = [0; 2];
    for (slot, reg) in operands.iter_mut().zip(&site.operands) {
        *slot = read(*reg);
    }
    operands
}
