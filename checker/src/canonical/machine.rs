//! Runs one thread over the register code until something concerns others: a barrier, its end, a
//! fault, a host operator.

use super::streams::Guard;
use super::watch::{Region, Watch};
use crate::compiled::arithmetic::{failed_assertion, pointer_op, unassigned};
use crate::compiled::atomic::{fails, new_value, update};
use crate::compiled::instruction::{AtomicSite, Instr, Pc, Reg};
use crate::compiled::layout::PrivateLayout;
use crate::compiled::memory::{Array, MAX_UNBOUNDED};
use crate::compiled::{Code, arithmetic, raw};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use std::sync::Arc;

/// Why a thread stopped. Its program counter stands at the instruction named, not yet passed,
/// but for `Event`.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    Barrier,
    SyncWarp {
        mask: u32,
    },
    /// A shuffle, vote, match or reduction.
    Warp {
        site: u32,
    },
    ActiveMask,
    /// `returned`: by an explicit `return` that is not the body's end.
    Ended {
        returned: bool,
    },
    Fault(FaultKind),
    /// An assumption was false.
    Discard,
    Host {
        site: u32,
    },
    /// The host is about to touch an array that an operation of a stream uses; `array` as a
    /// register holds it.
    InFlight {
        array: u64,
        index: i64,
        mode: AccessMode,
    },
    /// An access to an array without extent, further than such arrays are followed.
    TooFar {
        array: Arc<str>,
        index: i64,
        mode: AccessMode,
    },
    /// A global array without extent must grow to this length first.
    Grow {
        array: u32,
        len: u64,
    },
    /// The loop iterations given out are used up.
    Portion,
    /// It is in a cycle: see [`super::step_limit`].
    ComesBack,
    /// A limit: what was reached.
    Limit(&'static str),
    /// Lockstep: the next instruction concerns the path, or a branch was just taken.
    Event,
}

/// One thread's own memory.
pub struct Own<'a> {
    pub regs: &'a mut [u64],
    pub cells: &'a mut [u64],
    pub defined: &'a mut [bool],
    /// Loop iterations it may begin before it is asked about them ([`super::step_limit`]).
    pub depth: &'a mut u64,
}

/// What threads of one block, or the host, reach.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub code: &'a Code,
    pub layout: &'a PrivateLayout,
    /// By [`ArrayId`]; the running block's.
    pub shared: &'a [Option<Array>],
    pub global: &'a [Array],
    pub host: &'a [Array],
    /// The host's, in a program with streams.
    pub guard: Option<&'a Guard>,
    pub watch: &'a mut Watch,
    /// Set when the result of an atomic may have been used, or a float was updated atomically.
    pub uncommutative: Option<Pc>,
}

/// A cell that may be accessed.
enum AccessedCell<'a> {
    Cell {
        array: &'a Array,
        region: Option<Region>,
        number: u32,
        index: usize,
    },
    Private {
        cell: usize,
        id: ArrayId,
        index: i64,
    },
}

impl<'a> Machine<'a> {
    /// Runs from `pc` to the next stop. `DEVICE`: a device thread, whose accesses are watched;
    /// `LANES`: lanes of a warp are ordered among themselves; `EVENTS`: stop before whatever a
    /// lockstep path must do together, except for the very first instruction when `act`.
    pub fn run<const DEVICE: bool, const LANES: bool, const EVENTS: bool>(
        &mut self,
        own: Own<'_>,
        pc: &mut Pc,
        mut act: bool,
    ) -> Stop {
        let code = self.code;
        let regs = own.regs;
        let mut at = *pc;
        macro_rules! stop {
            ($stop:expr) => {{
                *pc = at;
                return $stop;
            }};
        }
        macro_rules! event {
            () => {
                if EVENTS {
                    if !act {
                        stop!(Stop::Event)
                    }
                    act = false;
                }
            };
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        if matches!(stop, Stop::Fault(_)) {
                            self.watch.now.visible += 1;
                        }
                        stop!(stop)
                    }
                }
            };
        }
        macro_rules! fault {
            ($kind:expr) => {{
                self.watch.now.visible += 1;
                stop!(Stop::Fault($kind))
            }};
        }
        loop {
            match code.instrs[at as usize] {
                Instr::Move { dst, src } => regs[dst as usize] = regs[src as usize],
                Instr::MovePointer { dst, src } => {
                    let (array, offset) = (regs[src as usize], regs[src as usize + 1]);
                    regs[dst as usize] = array;
                    regs[dst as usize + 1] = offset;
                }
                Instr::Op1 { code, dst, a } => {
                    regs[dst as usize] = arithmetic::op1(code, regs[a as usize]);
                }
                Instr::Op2 { code, dst, a, b } => {
                    regs[dst as usize] = arithmetic::op2(code, regs[a as usize], regs[b as usize]);
                }
                Instr::Partial { code, dst, a, b } => {
                    match arithmetic::partial(code, regs[a as usize], regs[b as usize]) {
                        Ok(bits) => regs[dst as usize] = bits,
                        Err(kind) => fault!(kind),
                    }
                }
                Instr::Slow { site } => {
                    let site = &code.slow[site as usize];
                    match arithmetic::slow(site, regs) {
                        Ok(bits) => regs[site.dst as usize] = bits,
                        Err(kind) => fault!(kind),
                    }
                }
                Instr::Offset { dst, ptr, elements } => {
                    let array = regs[ptr as usize];
                    let offset = regs[ptr as usize + 1].wrapping_add(regs[elements as usize]);
                    regs[dst as usize] = array;
                    regs[dst as usize + 1] = offset;
                }
                Instr::PointerOp { op, dst, a, b } => match pointer_op(op, regs, a, b) {
                    Ok(bits) => regs[dst as usize] = bits,
                    Err(kind) => fault!(kind),
                },
                Instr::PointerToBool { dst, a } => {
                    regs[dst as usize] = (regs[a as usize] >> 32 != raw::NULL as u64) as u64;
                }
                Instr::CheckDefined { flag, var } => {
                    if regs[flag as usize] == 0 {
                        fault!(unassigned(var))
                    }
                }
                Instr::Jump { to } => {
                    at = to;
                    continue;
                }
                Instr::Repeat { to } => {
                    if *own.depth == 0 {
                        stop!(Stop::Portion)
                    }
                    *own.depth -= 1;
                    at = to;
                    continue;
                }
                Instr::JumpIfFalse { cond, to } => {
                    let holds = regs[cond as usize] != 0;
                    if let Some(covered) = &code.covered {
                        covered.note(at, holds, !holds);
                    }
                    if !holds {
                        at = to;
                        continue;
                    }
                }
                Instr::Branch {
                    cond, otherwise, ..
                } => {
                    event!();
                    let holds = regs[cond as usize] != 0;
                    if let Some(covered) = &code.covered {
                        covered.note(at, holds, !holds);
                    }
                    at = if holds { at + 1 } else { otherwise };
                    if EVENTS {
                        stop!(Stop::Event)
                    }
                    continue;
                }
                Instr::Return => {}
                Instr::Join { .. } => event!(),
                Instr::Increment { counter } => regs[counter as usize] += 1,
                Instr::Load {
                    dst,
                    ptr,
                    elements,
                    elem,
                } => {
                    event!();
                    let index = index_of(regs, ptr, elements);
                    let place = check!(self.place::<DEVICE>(
                        regs[ptr as usize],
                        index,
                        elem,
                        AccessMode::Read
                    ));
                    regs[dst as usize] = match place {
                        AccessedCell::Cell {
                            array,
                            region,
                            number,
                            index,
                        } => {
                            if DEVICE && let Some(region) = region {
                                self.watch.read::<LANES>(region, number, index, at);
                            }
                            self.watch.now.visible += 1;
                            match array.read(index) {
                                Some(bits) => bits,
                                None => stop!(Stop::Fault(FaultKind::UninitialisedRead {
                                    array: array.name.clone(),
                                    space: array.space,
                                    index: index as i64,
                                })),
                            }
                        }
                        AccessedCell::Private { cell, id, index } => {
                            if !own.defined[cell] {
                                fault!(self.uninitialised_private(id, index))
                            }
                            own.cells[cell]
                        }
                    };
                }
                Instr::Store {
                    src,
                    ptr,
                    elements,
                    elem,
                } => {
                    event!();
                    let index = index_of(regs, ptr, elements);
                    let place = check!(self.place::<DEVICE>(
                        regs[ptr as usize],
                        index,
                        elem,
                        AccessMode::Write
                    ));
                    let bits = regs[src as usize];
                    match place {
                        AccessedCell::Cell {
                            array,
                            region,
                            number,
                            index,
                        } => {
                            if DEVICE && let Some(region) = region {
                                let same =
                                    self.watch.benign_same_value && array.read(index) == Some(bits);
                                self.watch.write::<LANES>(region, number, index, at, same);
                            }
                            self.watch.now.visible += 1;
                            match DEVICE {
                                true => array.write(index, bits),
                                false => array.write_alone(index, bits),
                            }
                        }
                        AccessedCell::Private { cell, .. } => {
                            own.cells[cell] = bits;
                            own.defined[cell] = true;
                        }
                    }
                }
                Instr::WriteBack {
                    ptr,
                    elements,
                    elem,
                } => {
                    event!();
                    let index = index_of(regs, ptr, elements);
                    let place = check!(self.place::<DEVICE>(
                        regs[ptr as usize],
                        index,
                        elem,
                        AccessMode::Write
                    ));
                    if let AccessedCell::Cell {
                        region,
                        number,
                        index,
                        ..
                    } = place
                    {
                        if DEVICE && let Some(region) = region {
                            self.watch.write::<LANES>(region, number, index, at, false);
                        }
                        self.watch.now.visible += 1;
                    }
                }
                Instr::StoreNothing {
                    var,
                    ptr,
                    elements,
                    elem,
                } => {
                    event!();
                    let index = index_of(regs, ptr, elements);
                    if !is_of_launch(regs[ptr as usize]) {
                        fault!(unassigned(var))
                    }
                    let place = check!(self.place::<DEVICE>(
                        regs[ptr as usize],
                        index,
                        elem,
                        AccessMode::Write
                    ));
                    match place {
                        AccessedCell::Cell {
                            array,
                            region,
                            number,
                            index,
                        } => {
                            if DEVICE && let Some(region) = region {
                                let same =
                                    self.watch.benign_same_value && array.read(index).is_none();
                                self.watch.write::<LANES>(region, number, index, at, same);
                            }
                            self.watch.now.visible += 1;
                            array.unset(index);
                        }
                        AccessedCell::Private { cell, .. } => {
                            own.cells[cell] = 0;
                            own.defined[cell] = false;
                        }
                    }
                }
                Instr::Atomic { site } => {
                    event!();
                    let site = &code.atomics[site as usize];
                    let index = index_of(regs, site.ptr, site.elements);
                    let place = check!(self.place::<DEVICE>(
                        regs[site.ptr as usize],
                        index,
                        site.elem,
                        AccessMode::Atomic
                    ));
                    let old = match place {
                        AccessedCell::Cell {
                            array,
                            region,
                            number,
                            index,
                        } => {
                            if DEVICE && let Some(region) = region {
                                if array.read(index).is_some_and(|old| fails(site, old, regs)) {
                                    let scope = site.scope;
                                    self.watch.look::<LANES>(region, number, index, at, scope);
                                } else {
                                    let how = (site.function, site.scope);
                                    self.watch.atomic::<LANES>(region, number, index, at, how);
                                }
                            }
                            self.watch.now.visible += 1;
                            self.note_atomic(site, at, region.map(|r| (r, number, index)));
                            match update(site, array, index, regs) {
                                Ok(old) => old,
                                Err(kind) => stop!(Stop::Fault(kind)),
                            }
                        }
                        AccessedCell::Private { cell, id, index } => {
                            let needs_old =
                                site.function != AtomicFn::Exch || site.result.is_some();
                            if needs_old && !own.defined[cell] {
                                fault!(self.uninitialised_private(id, index))
                            }
                            let old = own.cells[cell];
                            own.cells[cell] = new_value(site, old, regs);
                            own.defined[cell] = true;
                            old
                        }
                    };
                    if let Some(result) = site.result {
                        regs[result as usize] = old;
                    }
                }
                Instr::Barrier { .. } => stop!(if EVENTS { Stop::Event } else { Stop::Barrier }),
                Instr::SyncWarp { mask } => {
                    if EVENTS {
                        stop!(Stop::Event)
                    }
                    let mask = regs[mask as usize] as u32;
                    stop!(Stop::SyncWarp { mask })
                }
                Instr::Warp { site } => stop!(if EVENTS {
                    Stop::Event
                } else {
                    Stop::Warp { site }
                }),
                Instr::ActiveMask { .. } => stop!(if EVENTS {
                    Stop::Event
                } else {
                    Stop::ActiveMask
                }),
                Instr::Exit { closing } => {
                    if EVENTS && !act {
                        stop!(Stop::Event)
                    }
                    self.watch.now.visible += 1;
                    stop!(Stop::Ended { returned: !closing })
                }
                Instr::End => {
                    if EVENTS && !act {
                        stop!(Stop::Event)
                    }
                    stop!(Stop::Ended { returned: false })
                }
                Instr::Assert { cond, aligned } => {
                    if regs[cond as usize] == 0 {
                        fault!(failed_assertion(aligned))
                    }
                }
                Instr::Beyond => fault!(FaultKind::Beyond),
                Instr::Assume { cond } => {
                    if regs[cond as usize] == 0 {
                        stop!(Stop::Discard)
                    }
                }
                Instr::Host { site } => stop!(Stop::Host { site }),
                // The canonical run is sequentially consistent, and claims nothing of programs whose
                // atomics communicate, which alone need fences. Programs with the other two do not
                // come here: see `stepwise`.
                Instr::Fence { .. } | Instr::NamedBarrier { .. } | Instr::GridBarrier { .. } => {}
            }
            at += 1;
        }
    }

    /// Remembers the first atomic that M1 does not allow, and cells in which alone the order of atomics shows.
    #[inline]
    fn note_atomic(&mut self, site: &AtomicSite, pc: Pc, at: Option<(Region, u32, usize)>) {
        let order_shows = site.elem.is_float() || !site.function.is_commutative();
        if !site.result_used && !order_shows {
            return;
        }
        let shows_in_cell_alone = !site.result_used && site.function != AtomicFn::Cas;
        match at {
            Some((region, array, index)) if shows_in_cell_alone && self.watch.is_last_launch => {
                self.watch.leave_open(region, array, index, pc);
            }
            _ => {
                self.uncommutative.get_or_insert(pc);
            }
        }
    }

    #[cold]
    fn uninitialised_private(&self, id: ArrayId, index: i64) -> FaultKind {
        FaultKind::UninitialisedRead {
            array: self.program.array(id).name.clone(),
            space: Space::Private,
            index,
        }
    }

    /// The cell `index` of the array a register names, if it may be accessed.
    #[inline(always)]
    fn place<const DEVICE: bool>(
        &self,
        array_reg: u64,
        index: i64,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<AccessedCell<'a>, Stop> {
        if !DEVICE
            && let Some(guard) = self.guard
            && guard.stops(array_reg, index, mode)
            && self.host_reaches(array_reg)
        {
            let array = array_reg;
            return Err(Stop::InFlight { array, index, mode });
        }
        let number = array_reg as u32;
        let (array, region) = match (array_reg >> 32) as u32 {
            raw::SHARED if DEVICE => match self.shared.get(number as usize) {
                Some(Some(array)) => (array, Some(Region::Shared)),
                _ => return Err(Stop::Fault(FaultKind::NullPointer { mode })),
            },
            raw::GLOBAL if DEVICE => match self.global.get(number as usize) {
                Some(array) if array.space == Space::Constant => {
                    if mode != AccessMode::Read {
                        return Err(Stop::Fault(FaultKind::ConstantWrite {
                            array: array.name.clone(),
                            index,
                        }));
                    }
                    (array, None)
                }
                Some(array) => (array, Some(Region::Global)),
                None => return Err(Stop::Fault(FaultKind::NullPointer { mode })),
            },
            raw::GLOBAL if !DEVICE => match self.global.get(number as usize) {
                Some(array) if array.managed => (array, None),
                _ => return Err(Stop::Fault(self.unreachable_array(array_reg, mode))),
            },
            raw::HOST if !DEVICE => match self.host.get(number as usize) {
                Some(array) => (array, None),
                None => return Err(Stop::Fault(FaultKind::NullPointer { mode })),
            },
            raw::PRIVATE => return self.private_place(ArrayId(number), index, elem, mode),
            _ => return Err(Stop::Fault(self.unreachable_array(array_reg, mode))),
        };
        if (index as u64) < array.reach() && elem == array.elem {
            return Ok(AccessedCell::Cell {
                array,
                region,
                number,
                index: index as usize,
            });
        }
        Err(refuse(array, number, index, elem, mode))
    }

    /// Whether the host gets at an array at all: of the devices', at managed memory only.
    #[cold]
    fn host_reaches(&self, array_reg: u64) -> bool {
        let number = array_reg as u32 as usize;
        let is_global = (array_reg >> 32) as u32 == raw::GLOBAL;
        !is_global || self.global.get(number).is_some_and(|array| array.managed)
    }

    fn private_place(
        &self,
        id: ArrayId,
        index: i64,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<AccessedCell<'a>, Stop> {
        let decl = self.program.array(id);
        let Some((offset, extent)) = self.layout.place_of(id) else {
            // The host's own, in a kernel.
            return Err(Stop::Fault(FaultKind::WrongMemory {
                array: decl.name.clone(),
                space: Space::Host,
            }));
        };
        if elem != decl.elem {
            return Err(Stop::Fault(FaultKind::Misaligned {
                array: decl.name.clone(),
            }));
        }
        if index as u64 >= extent {
            return Err(Stop::Fault(FaultKind::OutOfBounds {
                array: decl.name.clone(),
                space: Space::Private,
                index,
                extent,
                mode,
            }));
        }
        Ok(AccessedCell::Private {
            cell: (offset + index as u64) as usize,
            id,
            index,
        })
    }

    /// Null, or an array of the other memory.
    #[cold]
    fn unreachable_array(&self, array_reg: u64, mode: AccessMode) -> FaultKind {
        let number = array_reg as u32 as usize;
        let found = match (array_reg >> 32) as u32 {
            raw::GLOBAL => self.global.get(number),
            raw::HOST => self.host.get(number),
            _ => None,
        };
        match found {
            // A device may reach it; how the two see each other's writes is not modelled.
            Some(array) if array.pinned => FaultKind::Beyond,
            Some(array) => FaultKind::WrongMemory {
                array: array.name.clone(),
                space: array.space,
            },
            None => FaultKind::NullPointer { mode },
        }
    }
}

#[inline(always)]
fn index_of(regs: &[u64], ptr: Reg, elements: Reg) -> i64 {
    regs[ptr as usize + 1].wrapping_add(regs[elements as usize]) as i64
}

/// Why an access outside the reach of an array is refused; or that the array must grow first.
#[cold]
pub fn refuse(array: &Array, number: u32, index: i64, elem: ScalarType, mode: AccessMode) -> Stop {
    let (name, space) = (array.name.clone(), array.space);
    if array.away() {
        return Stop::Fault(FaultKind::WrongMemory { array: name, space });
    }
    if array.freed() {
        return Stop::Fault(FaultKind::UseAfterFree { array: name, space });
    }
    if elem != array.elem {
        return Stop::Fault(FaultKind::Misaligned { array: name });
    }
    if array.extent.is_none() && index >= 0 {
        let len = (index as u64 + 1).max(2 * array.reach()).min(MAX_UNBOUNDED);
        return if index as u64 >= MAX_UNBOUNDED {
            Stop::TooFar {
                array: name,
                index,
                mode,
            }
        } else {
            Stop::Grow { array: number, len }
        };
    }
    let extent = array.extent.unwrap_or(u64::MAX);
    Stop::Fault(FaultKind::OutOfBounds {
        array: name,
        space,
        index,
        extent,
        mode,
    })
}

/// Whether the array a register names ends with the launch: nothing reads it afterwards.
fn is_of_launch(array: u64) -> bool {
    matches!(
        raw::to_array(array),
        ArrayRef::Private(_) | ArrayRef::Shared(_)
    )
}

/// Why an atomic makes the run one of several that may differ.
pub fn why_uncommutative(program: &Program, code: &Code, pc: Pc) -> String {
    let Instr::Atomic { site } = code.instrs[pc as usize] else {
        return "an atomic operation".to_owned();
    };
    let site = &code.atomics[site as usize];
    let op = code.ops[pc as usize];
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    let line = found.map_or(0, |(_, op)| op.span.line);
    let what = if site.result_used {
        "the result of an atomic operation is used"
    } else if site.elem.is_float() {
        "the order of atomic operations on floats shows in the result"
    } else {
        "the order of atomic exchanges shows in the result"
    };
    format!("{what} (line {line})")
}
