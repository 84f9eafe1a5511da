//! Operators to instructions: control, calls (inlined), basic operators.

mod unassigned;
mod warp_exchange;

use super::instruction::{
    AtomicSite, BarrierSite, BuiltinReg, HostSite, Instr, NamedSite, Pc, Reg, SlowSite, WarpSite,
};
use super::{Code, raw};
use crate::compiled::code::MAX_INSTRUCTIONS;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Effect, Met, Op, OpId, OpKind, Orders};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::analysis::loops;
use gridlock_semantics::analysis::returns::closing_returns;
use gridlock_semantics::transition::fault::FaultKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// A variable of an inlined procedure instance.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub reg: Reg,
    pub ty: Type,
    /// The same in every compilation of the entry.
    ordinal: u32,
    /// Holds 1 once assigned, for variables that some path reads unassigned.
    flag: Option<Reg>,
}

/// One inlined procedure instance.
pub(super) struct Frame {
    pub proc: ProcId,
    slots: Vec<Slot>,
    /// Assigned on every path to the current place.
    defined: Vec<bool>,
}

/// Compiles one entry.
pub(super) struct Builder<'p> {
    pub program: &'p Program,
    instrs: Vec<Instr>,
    ops: Vec<OpId>,
    image: Vec<u64>,
    constants: FxHashMap<u64, Reg>,
    pointer_constants: FxHashMap<u64, Reg>,
    pub builtins: Vec<BuiltinReg>,
    temps: Vec<Reg>,
    temps_used: usize,
    pointer_temps: Vec<Reg>,
    pointer_temps_used: usize,
    pub(super) frame: Frame,
    next_ordinal: u32,
    /// Variables some path reads unassigned: found by a first compilation, used by the second.
    tracked: FxHashSet<u32>,
    read_undefined: FxHashSet<u32>,
    /// Counters of the enclosing loops that contain a barrier.
    enclosing: Vec<Reg>,
    counters: Vec<Reg>,
    pub slow: Vec<SlowSite>,
    atomics: Vec<AtomicSite>,
    barriers: Vec<BarrierSite>,
    host: Vec<HostSite>,
    warps: Vec<WarpSite>,
    named: Vec<NamedSite>,
    has_sync_warp: bool,
    has_warp_operation: bool,
    shared: Vec<ArrayId>,
    private: Vec<(ArrayId, u64)>,
    private_cells: u64,
    current: OpId,
    /// Its line.
    pub(super) line: u32,
    has_barrier: FxHashMap<ProcId, bool>,
    closing_returns: HashSet<OpId>,
    call_depth: u32,
    too_large: bool,
}

impl<'p> Builder<'p> {
    /// `None` when the code would be too large.
    pub fn compile(program: &'p Program, entry: ProcId) -> Option<Code> {
        let first = Builder::new(program, FxHashSet::default()).entry(entry)?;
        if first.1.is_empty() {
            return Some(first.0);
        }
        Builder::new(program, first.1)
            .entry(entry)
            .map(|(code, _)| code)
    }

    fn new(program: &'p Program, tracked: FxHashSet<u32>) -> Builder<'p> {
        Builder {
            program,
            instrs: Vec::new(),
            ops: Vec::new(),
            image: Vec::new(),
            constants: FxHashMap::default(),
            pointer_constants: FxHashMap::default(),
            builtins: Vec::new(),
            temps: Vec::new(),
            temps_used: 0,
            pointer_temps: Vec::new(),
            pointer_temps_used: 0,
            frame: Frame {
                proc: ProcId(0),
                slots: Vec::new(),
                defined: Vec::new(),
            },
            next_ordinal: 0,
            tracked,
            read_undefined: FxHashSet::default(),
            enclosing: Vec::new(),
            counters: Vec::new(),
            slow: Vec::new(),
            atomics: Vec::new(),
            barriers: Vec::new(),
            host: Vec::new(),
            warps: Vec::new(),
            named: Vec::new(),
            has_sync_warp: false,
            has_warp_operation: false,
            shared: Vec::new(),
            private: Vec::new(),
            private_cells: 0,
            current: OpId(u32::MAX),
            line: 0,
            has_barrier: FxHashMap::default(),
            closing_returns: closing_returns(program),
            call_depth: 0,
            too_large: false,
        }
    }

    /// The code, and the variables that need tracking but were not.
    fn entry(mut self, entry: ProcId) -> Option<(Code, FxHashSet<u32>)> {
        let proc = self.program.proc(entry);
        self.frame = self.new_frame(entry);
        let params = proc
            .params
            .iter()
            .map(|p| self.slot(*p))
            .map(|s| (s.reg, s.ty))
            .collect();
        self.op(&proc.body);
        self.current = proc.body.id;
        self.emit(Instr::End);
        let result = proc.result.map(|var| {
            let slot = self.slot(var);
            if !self.frame.defined[var.0 as usize] {
                self.read_undefined.insert(slot.ordinal);
            }
            (slot.reg, slot.ty, slot.flag)
        });
        if self.too_large {
            return None;
        }
        settle_joins(&mut self.instrs);
        let code = Code {
            instrs: self.instrs,
            ops: self.ops,
            image: self.image,
            params,
            builtins: self.builtins,
            counters: self.counters,
            result,
            slow: self.slow,
            atomics: self.atomics,
            barriers: self.barriers,
            host: self.host,
            warps: self.warps,
            named: self.named,
            has_sync_warp: self.has_sync_warp,
            has_warp_operation: self.has_warp_operation,
            shared: self.shared,
            private: self.private,
            private_cells: self.private_cells,
            covered: None,
            at_start: OnceLock::new(),
        };
        Some((code, self.read_undefined))
    }

    /// Registers for the variables of a procedure; parameters count as assigned.
    fn new_frame(&mut self, proc: ProcId) -> Frame {
        let decl = self.program.proc(proc);
        let mut slots = Vec::with_capacity(decl.vars.len());
        for var in &decl.vars {
            let ordinal = self.next_ordinal;
            self.next_ordinal += 1;
            let reg = match var.ty {
                Type::Scalar(_) => self.new_reg(0),
                Type::Pointer(_) => self.new_pair(0),
            };
            let flag = self.tracked.contains(&ordinal).then(|| self.new_reg(0));
            slots.push(Slot {
                reg,
                ty: var.ty,
                ordinal,
                flag,
            });
        }
        let mut defined = vec![false; slots.len()];
        for param in &decl.params {
            defined[param.0 as usize] = true;
        }
        Frame {
            proc,
            slots,
            defined,
        }
    }

    pub fn new_reg(&mut self, initial: u64) -> Reg {
        self.image.push(initial);
        (self.image.len() - 1) as Reg
    }

    fn new_pair(&mut self, array: u64) -> Reg {
        let reg = self.new_reg(array);
        self.new_reg(0);
        reg
    }

    pub fn constant(&mut self, bits: u64) -> Reg {
        if let Some(reg) = self.constants.get(&bits) {
            return *reg;
        }
        let reg = self.new_reg(bits);
        self.constants.insert(bits, reg);
        reg
    }

    /// The pointer to the start of an array.
    pub fn pointer_constant(&mut self, array: u64) -> Reg {
        if let Some(reg) = self.pointer_constants.get(&array) {
            return *reg;
        }
        let reg = self.new_pair(array);
        self.pointer_constants.insert(array, reg);
        reg
    }

    /// A scratch register, free again after the operator.
    pub fn temp(&mut self) -> Reg {
        if self.temps_used == self.temps.len() {
            let reg = self.new_reg(0);
            self.temps.push(reg);
        }
        self.temps_used += 1;
        self.temps[self.temps_used - 1]
    }

    pub fn pointer_temp(&mut self) -> Reg {
        if self.pointer_temps_used == self.pointer_temps.len() {
            let reg = self.new_pair(0);
            self.pointer_temps.push(reg);
        }
        self.pointer_temps_used += 1;
        self.pointer_temps[self.pointer_temps_used - 1]
    }

    pub fn emit(&mut self, instr: Instr) {
        if self.instrs.len() >= MAX_INSTRUCTIONS {
            self.too_large = true;
            return;
        }
        self.instrs.push(instr);
        self.ops.push(self.current);
    }

    pub fn here(&self) -> Pc {
        self.instrs.len() as Pc
    }

    /// Emits a jump whose target is not known yet.
    pub fn emit_open(&mut self, instr: Instr) -> usize {
        self.emit(instr);
        self.instrs.len() - 1
    }

    /// Lets an open jump lead to the next instruction.
    pub fn close(&mut self, at: usize) {
        let here = self.here();
        match &mut self.instrs[at] {
            Instr::Jump { to } | Instr::JumpIfFalse { to, .. } => *to = here,
            Instr::Branch { otherwise, .. } => *otherwise = here,
            _ => {}
        }
    }

    fn set_join(&mut self, at: usize, target: Pc) {
        if let Some(Instr::Branch { join, .. }) = self.instrs.get_mut(at) {
            *join = target;
        }
    }

    pub(super) fn slot(&self, var: VarId) -> Slot {
        self.frame.slots[var.0 as usize]
    }

    /// The register of a variable that is read; checked where some path leaves it unassigned.
    pub fn read_var(&mut self, var: VarId) -> Reg {
        let slot = self.slot(var);
        if !self.frame.defined[var.0 as usize] {
            self.read_undefined.insert(slot.ordinal);
            if let Some(flag) = slot.flag {
                self.emit(Instr::CheckDefined { flag, var });
            }
        }
        slot.reg
    }

    pub(super) fn assigned(&mut self, var: VarId) {
        if let Some(flag) = self.slot(var).flag {
            let one = self.constant(1);
            self.emit(Instr::Move {
                dst: flag,
                src: one,
            });
        }
        self.frame.defined[var.0 as usize] = true;
    }

    fn unreachable(&mut self) {
        self.frame.defined.fill(true);
    }

    fn op(&mut self, op: &Arc<Op>) {
        if self.too_large {
            return;
        }
        self.current = op.id;
        self.line = op.span.line;
        self.temps_used = 0;
        self.pointer_temps_used = 0;
        match &op.kind {
            OpKind::Skip => {}
            OpKind::Seq(ops) => ops.iter().for_each(|op| self.op(op)),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => self.branch(op, cond, then, otherwise),
            OpKind::While { cond, body } => self.repeat(op, cond, body),
            OpKind::Call { proc, args, result } => self.call(op, *proc, args, *result),
            OpKind::Par(a, b) => {
                self.emit_host(HostSite::Par);
                self.op(a);
                self.op(b);
            }
            OpKind::Basic(basic) => self.basic(basic),
        }
    }

    fn branch(&mut self, op: &Arc<Op>, cond: &Expr, then: &Arc<Op>, otherwise: &Arc<Op>) {
        let cond = self.scalar(cond);
        let visible = self.is_visible(op);
        let split = self.emit_open(if visible {
            Instr::Branch {
                cond,
                otherwise: 0,
                join: 0,
            }
        } else {
            Instr::JumpIfFalse { cond, to: 0 }
        });
        let before = self.frame.defined.clone();
        self.op(then);
        let after_then = std::mem::replace(&mut self.frame.defined, before);
        self.current = op.id;
        if matches!(otherwise.kind, OpKind::Skip) {
            self.close(split);
        } else {
            let leave = self.emit_open(Instr::Jump { to: 0 });
            self.close(split);
            self.op(otherwise);
            self.close(leave);
        }
        for (both, then) in self.frame.defined.iter_mut().zip(after_then) {
            *both &= then;
        }
        if visible {
            self.current = op.id;
            let here = self.here();
            self.set_join(split, here);
            let last = self.call_depth == 0;
            self.emit(Instr::Join { last });
        }
    }

    fn repeat(&mut self, op: &Arc<Op>, cond: &Expr, body: &Arc<Op>) {
        let visible = self.is_visible(op);
        let counter = self.contains_barrier(body).then(|| {
            let counter = self.new_reg(0);
            self.counters.push(counter);
            let zero = self.constant(0);
            self.emit(Instr::Move {
                dst: counter,
                src: zero,
            });
            counter
        });
        self.at_loop_head(body);
        let head = self.here();
        let cond = self.scalar(cond);
        let leave = self.emit_open(if visible {
            Instr::Branch {
                cond,
                otherwise: 0,
                join: 0,
            }
        } else {
            Instr::JumpIfFalse { cond, to: 0 }
        });
        let before = self.frame.defined.clone();
        if let Some(counter) = counter {
            self.emit(Instr::Increment { counter });
            self.enclosing.push(counter);
        }
        self.op(body);
        if counter.is_some() {
            self.enclosing.pop();
        }
        self.frame.defined = before;
        self.current = op.id;
        self.emit(Instr::Repeat { to: head });
        self.close(leave);
        if visible {
            let here = self.here();
            self.set_join(leave, here);
            let last = self.call_depth == 0;
            self.emit(Instr::Join { last });
        }
    }

    fn call(&mut self, op: &Arc<Op>, proc: ProcId, args: &[Expr], result: Option<VarId>) {
        let frame = self.new_frame(proc);
        let decl = self.program.proc(proc);
        // No recursion: the callee's registers are not read by the arguments.
        for (arg, param) in args.iter().zip(&decl.params) {
            self.value_into(arg, frame.slots[param.0 as usize].reg);
        }
        let zero = self.constant(0);
        for slot in &frame.slots {
            if let Some(flag) = slot.flag {
                self.emit(Instr::Move {
                    dst: flag,
                    src: zero,
                });
            }
        }
        for param in &decl.params {
            if let Some(flag) = frame.slots[param.0 as usize].flag {
                let one = self.constant(1);
                self.emit(Instr::Move {
                    dst: flag,
                    src: one,
                });
            }
        }
        let caller = std::mem::replace(&mut self.frame, frame);
        self.call_depth += 1;
        self.op(&decl.body);
        self.call_depth -= 1;
        self.current = op.id;
        self.emit(Instr::Return);
        let callee = std::mem::replace(&mut self.frame, caller);
        self.current = op.id;
        let (Some(to), Some(from)) = (result, decl.result) else {
            return;
        };
        let source = callee.slots[from.0 as usize];
        let target = self.slot(to);
        self.emit_move(target.reg, source.reg, target.ty);
        if callee.defined[from.0 as usize] {
            self.assigned(to);
        } else {
            // It may come back unassigned: that is a fault only when it is read.
            self.read_undefined.insert(source.ordinal);
            self.frame.defined[to.0 as usize] = false;
            self.read_undefined.insert(target.ordinal);
            if let (Some(to), Some(from)) = (target.flag, source.flag) {
                self.emit(Instr::Move { dst: to, src: from });
            }
        }
    }

    pub fn emit_move(&mut self, dst: Reg, src: Reg, ty: Type) {
        if dst != src {
            self.emit(match ty {
                Type::Scalar(_) => Instr::Move { dst, src },
                Type::Pointer(_) => Instr::MovePointer { dst, src },
            });
        }
    }

    pub(super) fn emit_host(&mut self, site: HostSite) {
        self.host.push(site);
        let site = (self.host.len() - 1) as u32;
        self.emit(Instr::Host { site });
    }

    fn basic(&mut self, basic: &Basic) {
        match basic {
            Basic::Assign { var, value } if value.is_no_value() => self.unassigned(*var),
            Basic::Assign { var, value } => {
                let slot = self.slot(*var);
                // The result of the entry is seen by the caller, so that is a use.
                let result = self.program.proc(self.frame.proc).result;
                let is_output = self.call_depth == 0 && result == Some(*var);
                let copied = (!is_output).then(|| self.copied_unassigned(value));
                match copied.flatten() {
                    None => {
                        self.value_into(value, slot.reg);
                        self.assigned(*var);
                    }
                    Some(from) => {
                        self.unchecked(from, |b| b.value_into(value, slot.reg));
                        let source = self.slot(from);
                        if let (Some(dst), Some(src)) = (slot.flag, source.flag) {
                            self.emit_move(dst, src, Type::BOOL);
                        }
                        self.frame.defined[var.0 as usize] = false;
                    }
                }
            }
            Basic::Load { var, pointer } => {
                let slot = self.slot(*var);
                self.load_into(pointer, slot.reg);
                self.assigned(*var);
            }
            Basic::Store { pointer, .. } if basic.writes_back() => {
                let (ptr, elements) = self.address(pointer);
                let elem = elem_of(pointer);
                self.emit(Instr::WriteBack {
                    ptr,
                    elements,
                    elem,
                });
            }
            Basic::Store { pointer, value } => {
                let (ptr, elements) = self.address(pointer);
                let elem = elem_of(pointer);
                match self.copied_unassigned(value) {
                    None => {
                        let src = self.scalar(value);
                        self.emit(Instr::Store {
                            src,
                            ptr,
                            elements,
                            elem,
                        });
                    }
                    Some(var) => self.store_unassigned(var, value, (ptr, elements), elem),
                }
            }
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                let (ptr, elements) = self.address(pointer);
                let operands = operands.iter().map(|e| self.scalar(e)).collect();
                let used = result.is_some_and(|var| self.is_read(var));
                self.atomics.push(AtomicSite {
                    function: *function,
                    scope: *scope,
                    ptr,
                    elements,
                    elem: elem_of(pointer),
                    operands,
                    result: result.map(|var| self.slot(var).reg),
                    result_used: used,
                });
                let site = (self.atomics.len() - 1) as u32;
                self.emit(Instr::Atomic { site });
                if let Some(var) = result {
                    self.assigned(*var);
                }
            }
            Basic::Barrier {
                orders,
                met,
                agreed,
            } => {
                let mut counters = self.enclosing.clone();
                for value in agreed {
                    match value.ty {
                        Type::Scalar(_) => counters.push(self.scalar(value)),
                        Type::Pointer(_) => {
                            let reg = self.pointer(value);
                            counters.extend([reg, reg + 1]);
                        }
                    }
                }
                self.barriers.push(BarrierSite {
                    counters,
                    orders: *orders,
                    met: *met,
                });
                let site = (self.barriers.len() - 1) as u32;
                self.emit(Instr::Barrier { site });
            }
            Basic::SyncWarp { mask } => {
                let mask = self.scalar(mask);
                self.has_sync_warp = true;
                self.has_warp_operation = true;
                self.emit(Instr::SyncWarp { mask });
            }
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => self.exchange(*function, mask, operands, *result),
            Basic::ActiveMask { result } => {
                self.has_warp_operation = true;
                let dst = self.slot(*result).reg;
                self.emit(Instr::ActiveMask { dst });
                self.assigned(*result);
            }
            // Its operand may have no value, which is found where it is evaluated.
            Basic::Nanosleep { nanoseconds } => {
                self.scalar(nanoseconds);
            }
            Basic::Fence { scope } => self.emit(Instr::Fence { scope: *scope }),
            Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            } => {
                let id = (self.scalar(id), id.scalar_type());
                let threads = threads.as_ref().map(|t| (self.scalar(t), t.scalar_type()));
                self.named.push(NamedSite {
                    id,
                    threads,
                    arrive_only: *arrive_only,
                });
                let site = (self.named.len() - 1) as u32;
                self.emit(Instr::NamedBarrier { site });
            }
            Basic::GridBarrier => {
                self.barriers.push(BarrierSite {
                    counters: self.enclosing.clone(),
                    orders: Orders::All,
                    met: Met::Anywhere,
                });
                let site = (self.barriers.len() - 1) as u32;
                self.emit(Instr::GridBarrier { site });
            }
            Basic::Exit => {
                let closing = self.closing_returns.contains(&self.current);
                self.emit(Instr::Exit { closing });
                self.unreachable();
            }
            Basic::Assert { cond } => {
                let aligned = FaultKind::of_assertion(cond) == FaultKind::MisalignedAccess;
                let cond = self.scalar(cond);
                self.emit(Instr::Assert { cond, aligned });
            }
            Basic::Assume { cond } => {
                let cond = self.scalar(cond);
                self.emit(Instr::Assume { cond });
            }
            Basic::Beyond => self.emit(Instr::Beyond),
            _ => self.host_operator(basic),
        }
    }

    /// Whether some expression of the current procedure reads `var`.
    fn is_read(&self, var: VarId) -> bool {
        let proc = self.program.proc(self.frame.proc);
        let mut read = proc.result == Some(var);
        proc.body.walk(&mut |op| {
            read |= op
                .expressions()
                .into_iter()
                .any(|expr| loops::reads(expr, var));
        });
        read
    }

    /// Whether the operator does anything that other threads could see, or ends the thread.
    fn is_visible(&self, op: &Arc<Op>) -> bool {
        let mut visible = false;
        op.walk(&mut |op| {
            visible |= match &op.kind {
                OpKind::Call { proc, .. } => {
                    op.expressions().into_iter().any(Expr::has_load)
                        || self.is_visible(&self.program.proc(*proc).body)
                }
                OpKind::If { .. } | OpKind::While { .. } => {
                    op.expressions().into_iter().any(Expr::has_load)
                }
                OpKind::Basic(basic) => {
                    basic.effect() != Effect::Private
                        || op.expressions().into_iter().any(Expr::has_load)
                }
                OpKind::Skip | OpKind::Seq(_) => false,
                OpKind::Par(..) => true,
            };
        });
        visible
    }

    fn contains_barrier(&mut self, op: &Arc<Op>) -> bool {
        let mut found = false;
        let mut called = Vec::new();
        op.walk(&mut |op| match &op.kind {
            OpKind::Basic(Basic::Barrier { .. } | Basic::GridBarrier) => found = true,
            OpKind::Call { proc, .. } => called.push(*proc),
            _ => {}
        });
        for proc in called {
            found |= match self.has_barrier.get(&proc) {
                Some(known) => *known,
                None => {
                    let program = self.program;
                    let known = self.contains_barrier(&program.proc(proc).body);
                    self.has_barrier.insert(proc, known);
                    known
                }
            };
        }
        found
    }

    /// The array register of a declared array; private ones get their place.
    pub fn declared_array(&mut self, id: ArrayId) -> u64 {
        use gridlock_semantics::algebra::value::ArrayRef;
        let space = self.program.array(id).space;
        let earlier = |spaces: &[Space]| {
            let declared = &self.program.arrays[..id.0 as usize];
            declared
                .iter()
                .filter(|a| spaces.contains(&a.space))
                .count() as u32
        };
        raw::from_array(match space {
            Space::Shared => {
                if !self.shared.contains(&id) {
                    self.shared.push(id);
                }
                ArrayRef::Shared(id)
            }
            Space::Global | Space::Constant => {
                ArrayRef::Global(earlier(&[Space::Global, Space::Constant]))
            }
            Space::Host => ArrayRef::Host(earlier(&[Space::Host])),
            Space::Private => {
                if !self.private.iter().any(|(array, _)| *array == id) {
                    self.private.push((id, self.private_cells));
                    if let Extent::Fixed(extent) = self.program.array(id).extent {
                        self.private_cells += extent;
                    }
                }
                ArrayRef::Private(id)
            }
        })
    }
}

/// Element type a pointer expression points to.
pub(super) fn elem_of(pointer: &Expr) -> ScalarType {
    pointer.pointee()
}

/// Keeps `last` of those joins of the entry's own body behind which nothing is left to do.
fn settle_joins(instrs: &mut [Instr]) {
    let nothing_left = |from: usize, instrs: &[Instr]| {
        let mut pc = from;
        loop {
            match instrs.get(pc) {
                Some(Instr::Join { last: true }) => pc += 1,
                Some(Instr::Jump { to }) if *to as usize > pc => pc = *to as usize,
                Some(Instr::End) => return true,
                _ => return false,
            }
        }
    };
    // From the end, as those in front look at those behind.
    for pc in (0..instrs.len()).rev() {
        if instrs[pc] == (Instr::Join { last: true }) {
            let last = nothing_left(pc + 1, instrs);
            instrs[pc] = Instr::Join { last };
        }
    }
}
