//! One thread between two visible steps: register code run on its own registers only.

use super::cells::{Cell, Cells};
use crate::compiled::arithmetic::{self, failed_assertion, pointer_op, unassigned};
use crate::compiled::atomic::new_value;
use crate::compiled::instruction::{Instr, Pc, Reg};
use crate::compiled::layout::PrivateLayout;
use crate::compiled::{Code, raw};
use crate::order::synchronisation::known::Width;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::{AtomicFn, Scope};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::block::named_barrier;
use gridlock_semantics::block::warp::exchange;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::fault::not_cooperative;
use serde::{Deserialize, Serialize};

/// Loop iterations without a visible step before a thread is looked at for going in a circle.
const WATCH_AFTER: u32 = 64;
/// Loop iterations without a visible step before a thread is given up.
const MOST_ITERATIONS: u32 = 4_000_000;

/// What a thread does next that others could see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    Load {
        cell: Cell,
        at: ElementPlace,
    },
    Store {
        cell: Cell,
        at: ElementPlace,
        /// `None`: the cell has no value afterwards.
        bits: Option<u64>,
    },
    /// A cell written back as it is.
    WriteBack {
        cell: Cell,
        at: ElementPlace,
    },
    /// The site is in the instruction.
    Atomic {
        cell: Cell,
        at: ElementPlace,
        operands: [u64; 2],
    },
    Barrier,
    /// The barrier of the grid.
    GridBarrier,
    NamedBarrier(named_barrier::Arrival),
    /// `__syncwarp`
    SyncWarp {
        mask: u32,
    },
    /// A shuffle, vote, match or reduction. The site is in the instruction.
    Exchange {
        mask: u32,
        brought: Box<[Value]>,
        /// What is wrong with the operands, whichever threads come.
        refused: Option<Box<FaultKind>>,
    },
    /// A kernel's `return`; `returned` when it is not the end of the body.
    Exit {
        returned: bool,
    },
    /// A step that ends the run.
    Fault(Box<FaultKind>),
    /// An assumption is false.
    Discard,
    /// It goes in a circle and touches nothing: it never does anything others could see.
    Spin,
    /// It was given up.
    Limit,
    /// It has ended.
    Ended {
        returned: bool,
    },
}

/// Whether automata know an instruction; `warps`: where warps are known.
pub fn is_modelled(instr: &Instr, warps: bool) -> bool {
    match instr {
        Instr::Move { .. }
        | Instr::MovePointer { .. }
        | Instr::Op1 { .. }
        | Instr::Op2 { .. }
        | Instr::Partial { .. }
        | Instr::Slow { .. }
        | Instr::Offset { .. }
        | Instr::PointerOp { .. }
        | Instr::PointerToBool { .. }
        | Instr::CheckDefined { .. }
        | Instr::Jump { .. }
        | Instr::Repeat { .. }
        | Instr::JumpIfFalse { .. }
        | Instr::Branch { .. }
        | Instr::Join { .. }
        | Instr::Return
        | Instr::Increment { .. }
        | Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::WriteBack { .. }
        | Instr::StoreNothing { .. }
        | Instr::Atomic { .. }
        | Instr::Barrier { .. }
        | Instr::Exit { .. }
        | Instr::End
        | Instr::Assert { .. }
        | Instr::Beyond
        | Instr::Assume { .. }
        | Instr::SyncWarp { .. }
        | Instr::Warp { .. }
        | Instr::NamedBarrier { .. }
        | Instr::GridBarrier { .. }
        | Instr::Fence { .. } => true,
        // Which lanes learn of one another is open.
        Instr::ActiveMask { .. } => !warps,
        Instr::Host { .. } => false,
    }
}

/// The element an access names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ElementPlace {
    pub array: ArrayRef,
    pub index: i64,
}

/// One thread's registers and private cells.
#[derive(Clone, Debug, Default)]
pub struct Own {
    pub regs: Vec<u64>,
    pub cells: Vec<u64>,
    pub defined: Vec<bool>,
    /// The widest fence passed since the last visible step.
    pub fenced: Width,
}

/// What does not change while threads run.
pub struct Surroundings<'a> {
    pub program: &'a Program,
    pub code: &'a Code,
    pub layout: &'a PrivateLayout,
    pub cells: &'a Cells,
    /// Threads in a block.
    pub n_threads: u32,
    /// Lanes of a warp; `None` where warps are not known.
    pub n_lanes: Option<u32>,
    /// The launch is cooperative.
    pub cooperative: bool,
}

impl Surroundings<'_> {
    /// Runs a thread from `pc` to its next visible step; where that is, and what.
    pub fn settle(&self, own: &mut Own, mut pc: Pc) -> (Pc, Next) {
        let mut iterations = 0;
        let mut saved: Option<(Pc, Own)> = None;
        loop {
            let instr = self.code.instrs[pc as usize];
            let next = match instr {
                Instr::Jump { to } => {
                    pc = to;
                    continue;
                }
                Instr::Repeat { to } => {
                    iterations += 1;
                    if iterations > WATCH_AFTER {
                        // Brent: the state kept is renewed after 2, 4, 8, … iterations.
                        let comes_back = saved.as_ref().is_some_and(|(at, old)| {
                            *at == pc
                                && old.regs == own.regs
                                && old.cells == own.cells
                                && old.defined == own.defined
                        });
                        if comes_back {
                            return (pc, Next::Spin);
                        }
                        if iterations > MOST_ITERATIONS {
                            return (pc, Next::Limit);
                        }
                        if iterations.is_power_of_two() || saved.is_none() {
                            saved = Some((pc, own.clone()));
                        }
                    }
                    pc = to;
                    continue;
                }
                Instr::JumpIfFalse { cond, to } => {
                    pc = if own.regs[cond as usize] == 0 {
                        to
                    } else {
                        pc + 1
                    };
                    continue;
                }
                Instr::Branch {
                    cond, otherwise, ..
                } => {
                    pc = if own.regs[cond as usize] == 0 {
                        otherwise
                    } else {
                        pc + 1
                    };
                    continue;
                }
                other => self.instruction(own, other),
            };
            match next {
                Ok(None) => pc += 1,
                Ok(Some(next)) => return (pc, next),
                Err(kind) => return (pc, Next::Fault(Box::new(kind))),
            }
        }
    }

    /// Does what is private; `Some` is a visible step that comes next.
    fn instruction(&self, own: &mut Own, instr: Instr) -> Result<Option<Next>, FaultKind> {
        let regs = &mut own.regs;
        match instr {
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
                regs[dst as usize] = arithmetic::partial(code, regs[a as usize], regs[b as usize])?;
            }
            Instr::Slow { site } => {
                let site = &self.code.slow[site as usize];
                regs[site.dst as usize] = arithmetic::slow(site, regs)?;
            }
            Instr::Offset { dst, ptr, elements } => {
                let array = regs[ptr as usize];
                let offset = regs[ptr as usize + 1].wrapping_add(regs[elements as usize]);
                regs[dst as usize] = array;
                regs[dst as usize + 1] = offset;
            }
            Instr::PointerOp { op, dst, a, b } => {
                regs[dst as usize] = pointer_op(op, regs, a, b)?;
            }
            Instr::PointerToBool { dst, a } => {
                regs[dst as usize] = (regs[a as usize] >> 32 != raw::NULL as u64) as u64;
            }
            Instr::CheckDefined { flag, var } => {
                if regs[flag as usize] == 0 {
                    return Err(unassigned(var));
                }
            }
            Instr::Increment { counter } => regs[counter as usize] += 1,
            Instr::Assert { cond, aligned } => {
                if regs[cond as usize] == 0 {
                    return Err(failed_assertion(aligned));
                }
            }
            Instr::Beyond => return Err(FaultKind::Beyond),
            Instr::Assume { cond } => {
                if regs[cond as usize] == 0 {
                    return Ok(Some(Next::Discard));
                }
            }
            Instr::Load {
                dst,
                ptr,
                elements,
                elem,
            } => return self.load(own, dst, (ptr, elements), elem),
            Instr::Store {
                src,
                ptr,
                elements,
                elem,
            } => {
                let bits = own.regs[src as usize];
                return self.store(own, Some(bits), (ptr, elements), elem);
            }
            Instr::StoreNothing {
                var,
                ptr,
                elements,
                elem,
            } => {
                let at = place(&own.regs, (ptr, elements));
                if !matches!(at.array, ArrayRef::Private(_) | ArrayRef::Shared(_)) {
                    return Err(unassigned(var));
                }
                return self.store(own, None, (ptr, elements), elem);
            }
            Instr::WriteBack {
                ptr,
                elements,
                elem,
            } => return self.write_back(own, (ptr, elements), elem),
            Instr::Atomic { site } => return self.atomic(own, site),
            Instr::Barrier { .. } => return Ok(Some(Next::Barrier)),
            Instr::GridBarrier { .. } if self.cooperative => return Ok(Some(Next::GridBarrier)),
            Instr::GridBarrier { .. } => return Err(not_cooperative()),
            Instr::NamedBarrier { site } => return self.named_barrier(regs, site).map(Some),
            Instr::Fence { scope } => {
                let width = match scope {
                    Scope::Block => Width::Block,
                    Scope::Device | Scope::System => Width::Device,
                };
                own.fenced = own.fenced.max(width);
            }
            // Nothing is known of warps, so nothing is ordered.
            Instr::SyncWarp { .. } if self.n_lanes.is_none() => {}
            Instr::SyncWarp { mask } => {
                let mask = regs[mask as usize] as u32;
                return Ok(Some(Next::SyncWarp { mask }));
            }
            Instr::Warp { .. } | Instr::ActiveMask { .. } if self.n_lanes.is_none() => {
                return Err(FaultKind::NoWarps);
            }
            Instr::Warp { site } => return Ok(Some(self.exchange(regs, site))),
            Instr::Exit { closing } => {
                let returned = !closing;
                return Ok(Some(Next::Exit { returned }));
            }
            Instr::End => return Ok(Some(Next::Ended { returned: false })),
            Instr::Return | Instr::Join { .. } => {}
            // Control is dealt with by the caller, and nothing else is modelled.
            _ => return Ok(Some(Next::Limit)),
        }
        Ok(None)
    }

    fn load(
        &self,
        own: &mut Own,
        dst: Reg,
        address: (Reg, Reg),
        elem: ScalarType,
    ) -> Result<Option<Next>, FaultKind> {
        let at = place(&own.regs, address);
        if let ArrayRef::Private(id) = at.array {
            let cell = self.private(id, at.index, elem, AccessMode::Read)?;
            own.regs[dst as usize] = self.read_private(own, cell, id, at.index)?;
            return Ok(None);
        }
        let cell = self
            .cells
            .cell(at.array, at.index, elem, AccessMode::Read)?;
        Ok(Some(Next::Load { cell, at }))
    }

    fn store(
        &self,
        own: &mut Own,
        bits: Option<u64>,
        address: (Reg, Reg),
        elem: ScalarType,
    ) -> Result<Option<Next>, FaultKind> {
        let at = place(&own.regs, address);
        if let ArrayRef::Private(id) = at.array {
            let cell = self.private(id, at.index, elem, AccessMode::Write)?;
            own.cells[cell] = bits.unwrap_or(0);
            own.defined[cell] = bits.is_some();
            return Ok(None);
        }
        let cell = self
            .cells
            .cell(at.array, at.index, elem, AccessMode::Write)?;
        Ok(Some(Next::Store { cell, at, bits }))
    }

    fn write_back(
        &self,
        own: &Own,
        address: (Reg, Reg),
        elem: ScalarType,
    ) -> Result<Option<Next>, FaultKind> {
        let at = place(&own.regs, address);
        if let ArrayRef::Private(id) = at.array {
            self.private(id, at.index, elem, AccessMode::Write)?;
            return Ok(None);
        }
        let mode = AccessMode::Write;
        let cell = self.cells.cell(at.array, at.index, elem, mode)?;
        Ok(Some(Next::WriteBack { cell, at }))
    }

    fn atomic(&self, own: &mut Own, site: u32) -> Result<Option<Next>, FaultKind> {
        let site = &self.code.atomics[site as usize];
        let at = place(&own.regs, (site.ptr, site.elements));
        if let ArrayRef::Private(id) = at.array {
            let cell = self.private(id, at.index, site.elem, AccessMode::Atomic)?;
            let needs_old = site.function != AtomicFn::Exch || site.result.is_some();
            let old = if needs_old {
                self.read_private(own, cell, id, at.index)?
            } else {
                own.cells[cell]
            };
            own.cells[cell] = new_value(site, old, &own.regs);
            own.defined[cell] = true;
            if let Some(result) = site.result {
                own.regs[result as usize] = old;
            }
            return Ok(None);
        }
        let cell = self
            .cells
            .cell(at.array, at.index, site.elem, AccessMode::Atomic)?;
        let mut operands = [0; 2];
        for (slot, reg) in operands.iter_mut().zip(&site.operands) {
            *slot = own.regs[*reg as usize];
        }
        Ok(Some(Next::Atomic { cell, at, operands }))
    }

    fn exchange(&self, regs: &[u64], site: u32) -> Next {
        let site = &self.code.warps[site as usize];
        let brought = site.brought(|reg| regs[reg as usize]);
        let brought: Box<[Value]> = brought.into();
        let size = self.n_lanes.unwrap_or(32);
        Next::Exchange {
            mask: regs[site.mask as usize] as u32,
            refused: exchange::check(site.function, size, &brought)
                .err()
                .map(Box::new),
            brought,
        }
    }

    fn named_barrier(&self, regs: &[u64], site: u32) -> Result<Next, FaultKind> {
        let site = &self.code.named[site as usize];
        let value = |(reg, ty): (Reg, ScalarType)| raw::to_value(regs[reg as usize], ty);
        let size = self.n_lanes.unwrap_or(32);
        let (id, threads) = (value(site.id), site.threads.map(value));
        named_barrier::Arrival::asked(id, threads, site.arrive_only, self.n_threads, size)
            .map(Next::NamedBarrier)
    }

    fn private(
        &self,
        id: ArrayId,
        index: i64,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<usize, FaultKind> {
        let decl = self.program.array(id);
        let name = || decl.name.clone();
        let Some((offset, extent)) = self.layout.place_of(id) else {
            let (array, space) = (name(), Space::Host);
            return Err(FaultKind::WrongMemory { array, space });
        };
        if elem != decl.elem {
            return Err(FaultKind::Misaligned { array: name() });
        }
        if index < 0 || index as u64 >= extent {
            return Err(FaultKind::OutOfBounds {
                array: name(),
                space: Space::Private,
                index,
                extent,
                mode,
            });
        }
        Ok((offset + index as u64) as usize)
    }

    fn read_private(
        &self,
        own: &Own,
        cell: usize,
        id: ArrayId,
        index: i64,
    ) -> Result<u64, FaultKind> {
        if own.defined[cell] {
            return Ok(own.cells[cell]);
        }
        Err(FaultKind::UninitialisedRead {
            array: self.program.array(id).name.clone(),
            space: Space::Private,
            index,
        })
    }
}

fn place(regs: &[u64], (ptr, elements): (Reg, Reg)) -> ElementPlace {
    ElementPlace {
        array: raw::to_array(regs[ptr as usize]),
        index: regs[ptr as usize + 1].wrapping_add(regs[elements as usize]) as i64,
    }
}
