//! Host code: one thread that allocates, copies and launches. Whole-array operators act at once
//! and are no visible steps; a launch begins and ends with one step of the device each.

use super::alone;
use super::findings::too_far;
use super::launch::run_launch;
use super::machine::{Machine, Own, Stop};
use super::rest;
use super::run::{Halt, Run, launch_of};
use super::step_limit::{Next, StepLimit};
use super::streams::Streams;
use super::trace::Actors;
use crate::compiled::instruction::{HostSite, Instr, Pc, Reg};
use crate::compiled::layout::PrivateLayout;
use crate::compiled::memory::Array;
use crate::compiled::{Code, raw};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AllocSpace, CopyKind, OpId};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::setup::Contents;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::FaultKind;
use std::sync::Arc;

/// The host's own memory.
pub(super) struct Host {
    code: Arc<Code>,
    layout: PrivateLayout,
    regs: Vec<u64>,
    cells: Vec<u64>,
    defined: Vec<bool>,
    depth: u64,
    step_limit: StepLimit,
    pc: Pc,
}

/// Runs a host entry to its end; its result.
pub fn run_host(run: &mut Run<'_>, code: &Arc<Code>) -> Result<Option<Value>, Halt> {
    let mut regs = code.image.clone();
    for ((reg, ty), arg) in code.params.iter().zip(&run.setup.args) {
        let values = run.argument(arg);
        regs[*reg as usize] = values[0];
        if ty.pointer().is_some() {
            regs[*reg as usize + 1] = values[1];
        }
    }
    let layout = PrivateLayout::new(run.program(), code);
    let (step_limit, portion) = StepLimit::new(run.depth);
    let mut host = Host {
        code: code.clone(),
        regs,
        cells: layout.cells.clone(),
        defined: layout.defined.clone(),
        layout,
        depth: portion,
        step_limit,
        pc: 0,
    };
    loop {
        if let Err(halt) = run.tick() {
            return Err(host.cut(run, halt));
        }
        match host.step(run) {
            Stop::Ended { .. } => {
                hand_over(run);
                return Ok(host.result());
            }
            Stop::InFlight { array, index, mode } => host.touches(run, array, index, mode),
            Stop::Grow { array, len } => run.grow_within_room(true, array, len)?,
            Stop::Portion => match host.step_limit.next(host.pc, &host.regs, &host.cells) {
                Next::GoOn(portion) => host.depth = portion,
                Next::ComesBack => return Err(Halt::Cycle(host.code.ops[host.pc as usize])),
                Next::Spent => {
                    let halt = Halt::Limit(crate::limits::DEPTH.to_owned());
                    return Err(host.cut(run, halt));
                }
            },
            Stop::Host { site } => {
                host.operator(run, site)?;
                host.pc += 1;
            }
            Stop::Fault(kind) => return Err(host.fault(kind)),
            Stop::Discard => return Err(Halt::Discard),
            Stop::Limit(what) => return Err(Halt::Limit(what.to_owned())),
            Stop::TooFar { array, index, mode } => {
                let op = host.code.ops[host.pc as usize];
                return Err(Halt::Limit(too_far(run, op, &array, index, mode)));
            }
            // Barriers and warp operations do not stand in host code.
            other => return Err(Halt::Limit(format!("{other:?}"))),
        }
    }
}

impl Host {
    fn step(&mut self, run: &mut Run<'_>) -> Stop {
        run.watch.now.visible = 0;
        let mut machine = Machine {
            program: run.compiled.program(),
            code: &self.code,
            layout: &self.layout,
            shared: &[],
            global: &run.global,
            host: &run.host,
            guard: run.streams.as_ref().map(|streams| &streams.guard),
            watch: &mut run.watch,
            uncommutative: None,
        };
        let own = Own {
            regs: &mut self.regs,
            cells: &mut self.cells,
            defined: &mut self.defined,
            depth: &mut self.depth,
        };
        let stop = machine.run::<false, false, false>(own, &mut self.pc, true);
        let steps = run.watch.now.visible;
        let synchronous = run.streams.is_none();
        if matches!(stop, Stop::Fault(_)) && synchronous && self.is_launching() {
            // A fault in the arguments of a launch belongs to the step that would start it.
            run.record(Actors::One(Actor::Host), steps - 1, None);
            run.record_one(Actor::Device, None);
        } else {
            run.record(Actors::One(Actor::Host), steps, None);
        }
        stop
    }

    /// What a limit in host code comes to: behind the last launch, when nothing of the device is under way, it leaves out
    /// no more than the rest of that code.
    fn cut(&self, run: &Run<'_>, halt: Halt) -> Halt {
        match halt {
            Halt::Limit(what)
                if run.launch > 0
                    && run.streams.as_ref().is_none_or(Streams::is_idle)
                    && rest::is_only_host_code(run.program(), &self.code, self.pc) =>
            {
                let from = self.op();
                Halt::Rest { from, what }
            }
            halt => halt,
        }
    }

    /// Whether the present instruction belongs to a launch.
    fn is_launching(&self) -> bool {
        let op = self.code.ops[self.pc as usize];
        let ahead = self.pc as usize..self.code.instrs.len();
        ahead
            .take_while(|&pc| self.code.ops[pc] == op)
            .any(|pc| match self.code.instrs[pc] {
                Instr::Host { site } => {
                    matches!(self.code.host[site as usize], HostSite::CallGpu { .. })
                }
                _ => false,
            })
    }

    fn fault(&self, kind: FaultKind) -> Halt {
        Run::fault(kind, Actor::Host, self.code.ops[self.pc as usize])
    }

    /// A fault of a host operator: a visible step.
    pub(super) fn failed(&self, run: &mut Run<'_>, kind: FaultKind) -> Halt {
        run.record_one(Actor::Host, None);
        self.fault(kind)
    }

    fn result(&self) -> Option<Value> {
        let (reg, ty, flag) = self.code.result?;
        if flag.is_some_and(|flag| self.regs[flag as usize] == 0) {
            return Some(Value::Undef);
        }
        let bits = self.regs[reg as usize];
        Some(match ty.scalar() {
            Some(scalar) => raw::to_value(bits, scalar),
            None => Value::Pointer(gridlock_semantics::algebra::value::Pointer {
                array: raw::to_array(bits),
                offset: self.regs[reg as usize + 1] as i64,
            }),
        })
    }

    fn operator(&mut self, run: &mut Run<'_>, site: u32) -> Result<(), Halt> {
        let code = self.code.clone();
        let site = &code.host[site as usize];
        if let Some(outcome) = self.stream_operator(run, site) {
            return outcome;
        }
        match site {
            HostSite::Par => {
                run.note_not_canonical(|| "host threads run side by side".to_owned());
                Ok(())
            }
            HostSite::Alloc {
                dst,
                elem,
                bytes,
                space,
                name,
            } => {
                let bytes = self.bytes(*bytes);
                let n = bytes / elem.size();
                if !bytes.is_multiple_of(elem.size()) {
                    return Err(self.failed(
                        run,
                        FaultKind::Misaligned {
                            array: name.clone(),
                        },
                    ));
                }
                run.reserve(n)?;
                let made = *space;
                let current = run.streams.as_ref().map_or(0, |streams| streams.device);
                let (arrays, space) = match made.is_on_host() {
                    true => (&mut run.host.own, Space::Host),
                    false => (&mut run.global.own, Space::Global),
                };
                let mut array = Array::new(name.clone(), space, *elem, Some(n), Contents::Undef);
                array.allocated = (!made.is_owned()).then_some(code.ops[self.pc as usize]);
                array.device = made.is_of_device().then_some(current);
                array.pinned = made == AllocSpace::Pinned;
                array.of_new = made == AllocSpace::New;
                array.managed = made == AllocSpace::Managed;
                let number = arrays.len() as u32;
                arrays.push(array);
                self.regs[*dst as usize] = raw::from_array(match space {
                    Space::Host => ArrayRef::Host(number),
                    _ => ArrayRef::Global(number),
                });
                self.regs[*dst as usize + 1] = 0;
                Ok(())
            }
            HostSite::Free { ptr, space, .. } => match self.free(run, *ptr, *space) {
                Ok(()) => Ok(()),
                Err(kind) => Err(self.failed(run, kind)),
            },
            HostSite::Copy {
                kind,
                dst,
                src,
                bytes,
                ..
            } => {
                let bytes = self.bytes(*bytes);
                match self.copy(run, *kind, *dst, *src, bytes) {
                    Ok(_) => Ok(()),
                    Err(Stop::Fault(kind)) => Err(self.failed(run, kind)),
                    Err(_) => Err(Halt::Limit(crate::limits::LENGTH.to_owned())),
                }
            }
            HostSite::CallGpu {
                kernel,
                shape,
                args,
                ..
            } => {
                let shape = shape.map(|reg| self.regs[reg as usize] as u32);
                let args = self.arguments(args);
                self.call_gpu(run, *kernel, shape, &args)
            }
            // Without streams there is nothing to wait for, nor anything else.
            _ => Ok(()),
        }
    }

    pub(super) fn register(&self, reg: Reg) -> u64 {
        self.regs[reg as usize]
    }

    pub(super) fn set_register(&mut self, reg: Reg, bits: u64) {
        self.regs[reg as usize] = bits;
    }

    /// The operator the host stands at.
    pub(super) fn op(&self) -> OpId {
        self.code.ops[self.pc as usize]
    }

    /// The registers of each argument of a launch.
    pub(super) fn arguments(&self, args: &[(Reg, Type)]) -> Vec<[u64; 2]> {
        let of = |(reg, ty): &(Reg, Type)| {
            let second = match ty.pointer() {
                Some(_) => self.regs[*reg as usize + 1],
                None => 0,
            };
            [self.regs[*reg as usize], second]
        };
        args.iter().map(of).collect()
    }

    /// A number of bytes, converted to `size_t` as C does.
    pub(super) fn bytes(&self, (reg, ty): (Reg, ScalarType)) -> u64 {
        raw::to_value(self.regs[reg as usize], ty)
            .as_integer()
            .expect("well-formedness asks for a number of bytes") as u64
    }

    fn call_gpu(
        &mut self,
        run: &mut Run<'_>,
        kernel: ProcId,
        shape: [u32; 7],
        args: &[[u64; 2]],
    ) -> Result<(), Halt> {
        let launch = launch_of(shape);
        run.record_one(Actor::Device, None);
        if let Err(refused) = run.setup.device.accept(&launch, run.program(), kernel) {
            let reason = refused.reason;
            return Err(self.fault(FaultKind::InvalidLaunch { reason }));
        }
        let Some(code) = run.compiled.entry(kernel).cloned() else {
            return Err(Halt::Limit(
                "instructions once calls are inlined".to_owned(),
            ));
        };
        if run.wanted_alone == Some(run.launch + 1) {
            run.alone = alone::setup_of(run, kernel, launch, args);
            return Err(Halt::Enough);
        }
        run_launch(run, &code, launch, args)?;
        run.record_one(Actor::Device, None);
        Ok(())
    }

    pub(super) fn free(
        &self,
        run: &mut Run<'_>,
        ptr: Reg,
        space: AllocSpace,
    ) -> Result<(), FaultKind> {
        let reference = raw::to_array(self.regs[ptr as usize]);
        let (array, on_host) = match reference {
            ArrayRef::Null => return Ok(()),
            ArrayRef::Host(n) => (run.host.get_mut(n as usize), true),
            ArrayRef::Global(n) => (run.global.get_mut(n as usize), false),
            ArrayRef::Shared(_) | ArrayRef::Private(_) => (None, true),
        };
        let Some(array) = array else {
            return Err(FaultKind::NullPointer {
                mode: AccessMode::Write,
            });
        };
        let (name, found) = (array.name.clone(), array.space);
        let fits = match space {
            AllocSpace::Host | AllocSpace::Owned => on_host && !array.pinned && !array.of_new,
            AllocSpace::New => on_host && array.of_new,
            AllocSpace::Pinned => on_host && array.pinned,
            AllocSpace::Global | AllocSpace::OwnedGlobal => !on_host,
            AllocSpace::Managed => array.managed,
        };
        if !fits {
            return Err(FaultKind::WrongMemory {
                array: name,
                space: found,
            });
        }
        if array.freed() {
            return Err(FaultKind::DoubleFree {
                array: name,
                space: found,
            });
        }
        if self.regs[ptr as usize + 1] != 0 {
            return Err(FaultKind::Misaligned { array: name });
        }
        array.free();
        Ok(())
    }

    /// Copies at once; the two sides and the number of elements, `None` when that is 0.
    pub(super) fn copy(
        &mut self,
        run: &mut Run<'_>,
        kind: CopyKind,
        dst: Reg,
        src: Reg,
        bytes: u64,
    ) -> Result<Option<(Side, Side, u64)>, Stop> {
        if bytes == 0 {
            return Ok(None);
        }
        let array = |ptr: Reg| raw::to_array(self.regs[ptr as usize]);
        let (to_host, from_host) = kind.on_host(array(dst), array(src));
        let source = self.side(run, src, from_host, AccessMode::Read)?;
        let target = self.side(run, dst, to_host, AccessMode::Write)?;
        let n_from = source.elements(bytes, AccessMode::Read)?;
        let n_to = target.elements(bytes, AccessMode::Write)?;
        if n_from != n_to || source.elem != target.elem {
            return Err(Stop::Fault(FaultKind::Misaligned { array: target.name }));
        }
        for side in [&source, &target] {
            if let Some(len) = side.must_grow(n_from)? {
                run.grow(side.is_host(), side.number(), len);
            }
        }
        // All is read before anything is written: both may be one array.
        let cells: Vec<Option<u64>> = (0..n_from as usize)
            .map(|k| self.read(run, &source, k))
            .collect();
        for (k, cell) in cells.into_iter().enumerate() {
            self.write(run, &target, k, cell);
        }
        Ok(Some((source, target, n_from)))
    }

    /// The array on one side of a copy, in the memory the direction says.
    fn side(&self, run: &Run<'_>, ptr: Reg, on_host: bool, mode: AccessMode) -> Result<Side, Stop> {
        let reference = raw::to_array(self.regs[ptr as usize]);
        let offset = self.regs[ptr as usize + 1] as i64;
        let fault = |kind| Err(Stop::Fault(kind));
        let array = match reference {
            ArrayRef::Null | ArrayRef::Shared(_) => return fault(FaultKind::NullPointer { mode }),
            ArrayRef::Private(id) => {
                let decl = run.program().array(id);
                if !on_host {
                    let (array, space) = (decl.name.clone(), Space::Private);
                    return fault(FaultKind::WrongMemory { array, space });
                }
                let Some((start, extent)) = self.layout.place_of(id) else {
                    return fault(FaultKind::NullPointer { mode });
                };
                return Ok(Side {
                    reference,
                    offset,
                    elem: decl.elem,
                    name: decl.name.clone(),
                    space: Space::Private,
                    extent: Some(extent),
                    reach: extent,
                    freed: false,
                    start,
                });
            }
            ArrayRef::Global(n) => run.global.get(n as usize),
            ArrayRef::Host(n) => run.host.get(n as usize),
        };
        let Some(array) = array else {
            return fault(FaultKind::NullPointer { mode });
        };
        if on_host != matches!(reference, ArrayRef::Host(_)) && !array.managed {
            let (array, space) = (array.name.clone(), array.space);
            return fault(FaultKind::WrongMemory { array, space });
        }
        Ok(Side {
            reference,
            offset,
            elem: array.elem,
            name: array.name.clone(),
            space: array.space,
            extent: array.extent,
            reach: array.reach(),
            freed: array.freed(),
            start: 0,
        })
    }

    fn read(&self, run: &Run<'_>, side: &Side, k: usize) -> Option<u64> {
        let index = side.offset as usize + k;
        match side.reference {
            ArrayRef::Global(n) => run.global[n as usize].read(index),
            ArrayRef::Host(n) => run.host[n as usize].read(index),
            _ => {
                let cell = side.start as usize + index;
                self.defined[cell].then(|| self.cells[cell])
            }
        }
    }

    fn write(&mut self, run: &mut Run<'_>, side: &Side, k: usize, bits: Option<u64>) {
        let index = side.offset as usize + k;
        let array = match side.reference {
            ArrayRef::Global(n) => &mut run.global[n as usize],
            ArrayRef::Host(n) => &mut run.host[n as usize],
            _ => {
                let cell = side.start as usize + index;
                self.defined[cell] = bits.is_some();
                self.cells[cell] = bits.unwrap_or(0);
                return;
            }
        };
        match bits {
            Some(bits) => array.write(index, bits),
            None => array.forget(index),
        }
    }
}

/// The entry has ended: its caller has back the arrays it gave.
fn hand_over(run: &mut Run<'_>) {
    let first = run.first_bound();
    let n_given = run.setup.arrays.len() as u32;
    let given: Vec<ArrayRef> = (first..first + n_given).map(ArrayRef::Host).collect();
    let now = run.now();
    if let Some(streams) = &mut run.streams {
        streams.hands_over(&given, now);
    }
}

/// One side of a copy.
pub(super) struct Side {
    reference: ArrayRef,
    offset: i64,
    elem: ScalarType,
    name: Arc<str>,
    space: Space,
    extent: Option<u64>,
    reach: u64,
    freed: bool,
    /// Where a private array begins.
    start: u64,
}

impl Side {
    pub(super) fn array(&self) -> ArrayRef {
        self.reference
    }

    /// The first element copied.
    pub(super) fn first(&self) -> u64 {
        self.offset as u64
    }

    fn is_host(&self) -> bool {
        matches!(self.reference, ArrayRef::Host(_))
    }

    fn number(&self) -> u32 {
        match self.reference {
            ArrayRef::Global(n) | ArrayRef::Host(n) => n,
            _ => 0,
        }
    }

    /// How many elements `bytes` bytes from the offset are, all inside the array.
    fn elements(&self, bytes: u64, mode: AccessMode) -> Result<u64, Stop> {
        if !bytes.is_multiple_of(self.elem.size()) {
            return Err(Stop::Fault(FaultKind::Misaligned {
                array: self.name.clone(),
            }));
        }
        let n = bytes / self.elem.size();
        self.check(self.offset, mode)?;
        let extent = self.extent.unwrap_or(u64::MAX) as i128;
        // The first index that is too far, where there is one.
        let last = (self.offset as i128 + n as i128 - 1).min(extent);
        self.check(last as i64, mode)?;
        Ok(n)
    }

    fn check(&self, index: i64, mode: AccessMode) -> Result<(), Stop> {
        let (array, space) = (self.name.clone(), self.space);
        if self.freed {
            return Err(Stop::Fault(FaultKind::UseAfterFree { array, space }));
        }
        let extent = self.extent.unwrap_or(u64::MAX);
        if index < 0 || index as u64 >= extent {
            let kind = FaultKind::OutOfBounds {
                array,
                space,
                index,
                extent,
                mode,
            };
            return Err(Stop::Fault(kind));
        }
        Ok(())
    }

    /// The length an array without extent must have first.
    fn must_grow(&self, n: u64) -> Result<Option<u64>, Stop> {
        let len = self.offset as u64 + n;
        if self.extent.is_some() || len <= self.reach {
            return Ok(None);
        }
        if len > crate::compiled::memory::MAX_UNBOUNDED {
            return Err(Stop::Limit(crate::limits::LENGTH));
        }
        Ok(Some(len))
    }
}
