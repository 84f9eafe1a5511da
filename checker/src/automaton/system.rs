//! The transitions of a launch.

use super::cells::Cells;
use super::local::{Local, LocalId, Locals};
use super::state::{End, Plan, State};
use super::thread::{Next, Own, Place, Surroundings, is_modelled};
use crate::canonical::arithmetic;
use crate::canonical::machine::PrivateLayout;
use crate::canonical::memory::Array;
use crate::canonical::run::declared;
use crate::compiled::instruction::{AtomicSite, Instr, Pc, Reg};
use crate::compiled::liveness::Kept;
use crate::compiled::{Code, Compiled, raw};
use crate::explore::footprint::{AccessClass, MayTouch};
use crate::explore::{DeviceShape, Explorable, ExploredProgram, Threadwise};
use gridlock_semantics::expr::{Axis, Builtin};
use gridlock_semantics::fault::{AccessMode, Fault, FaultKind, ThreadPosition};
use gridlock_semantics::observation::{Observation, ObservedArray};
use gridlock_semantics::operator::{AtomicFn, OpId};
use gridlock_semantics::profile::{ExitedThreads, NextBlock, Residency, SameValueWrites, Warps};
use gridlock_semantics::program::{Program, Space};
use gridlock_semantics::setup::{Arg, Dim3, Launch, Setup};
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};
use gridlock_semantics::value::{ArrayRef, Value};
use std::sync::Arc;

/// Why a program and its setup are no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(pub &'static str);

/// A launch of a kernel, ready to be explored.
pub struct Automaton {
    reference: Arc<ExploredProgram>,
    program: Arc<Program>,
    code: Arc<Code>,
    kept: Kept,
    layout: PrivateLayout,
    cells: Cells,
    plan: Plan,
    launch: Launch,
    /// Registers every thread starts with, but for who it is.
    image: Vec<u64>,
    locals: Locals,
    exited_threads: ExitedThreads,
    benign_same_value: bool,
    n_lanes: u32,
}

impl Automaton {
    /// # Errors
    /// The program, its setup or its profile has something automata lack.
    pub fn of(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        setup: &Setup,
    ) -> Result<Automaton, Unfit> {
        let profile = reference.profile();
        let axes = profile.axes;
        let Some(launch) = setup.launch else {
            return Err(Unfit("host code"));
        };
        if !profile.admits_canonical_run() {
            return Err(Unfit("the profile's steps"));
        }
        if matches!(axes.warps, Warps::Lockstep(_)) {
            return Err(Unfit("warps in lockstep"));
        }
        let free =
            axes.safety.residency == Residency::AllResident && axes.safety.next == NextBlock::Any;
        if !free && launch.n_blocks() > 1 {
            return Err(Unfit("blocks that wait for room"));
        }
        if setup.arrays.iter().any(|array| array.extent.is_none()) {
            return Err(Unfit("arrays without extent"));
        }
        let Some(code) = compiled.entry(setup.entry).cloned() else {
            return Err(Unfit("code too large"));
        };
        if !code.instrs.iter().all(is_modelled) {
            return Err(Unfit(
                "an operator between threads other than the block's barrier",
            ));
        }
        let program = compiled.program().clone();
        let may_touch = reference.may_touch_of(setup.entry);
        let cells = cells_of(&program, &code, setup, &launch, may_touch);
        let n_threads = launch.n_threads() as u32;
        Ok(Automaton {
            kept: Kept::of(&code),
            layout: PrivateLayout::new(&program, &code),
            plan: Plan::new(launch.n_blocks() as u32, n_threads, &cells),
            image: image_of(&program, &code, setup, &launch, axes.warps),
            locals: Locals::new(),
            exited_threads: axes.exited_threads,
            benign_same_value: axes.same_value_writes == SameValueWrites::Benign,
            n_lanes: match axes.warps {
                Warps::None => n_threads,
                Warps::Independent(size) | Warps::Lockstep(size) => size.clamp(1, 32),
            },
            reference,
            program,
            code,
            cells,
            launch,
        })
    }

    /// Local states found so far.
    pub fn n_locals(&self) -> usize {
        self.locals.len()
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            program: &self.program,
            code: &self.code,
            layout: &self.layout,
            cells: &self.cells,
        }
    }

    fn blank(&self) -> Own {
        Own {
            regs: self.image.clone(),
            cells: self.layout.cells.clone(),
            defined: self.layout.defined.clone(),
        }
    }

    /// The local state of a thread whose private steps from `pc` on are still to be taken.
    fn settled(&self, mut own: Own, pc: Pc) -> LocalId {
        let (pc, next) = self.surroundings().settle(&mut own, pc);
        let local = match next {
            Next::Ended { returned } => ended(returned),
            next => Local {
                pc,
                next,
                kept: own.kept(self.kept.at(pc)),
            },
        };
        self.locals.number(local)
    }

    /// The local state behind the visible step of `id`, which read `value`; `change` does to the
    /// registers what the step does.
    fn after(&self, id: LocalId, value: u64, change: impl FnOnce(&mut [u64])) -> LocalId {
        self.locals.way(id, value, || {
            let local = self.locals.get(id);
            let mut own = self.blank();
            own.restore(&local.kept, self.kept.at(local.pc));
            change(&mut own.regs);
            self.settled(own, local.pc + 1)
        })
    }

    fn op(&self, local: &Local) -> OpId {
        self.code.ops[self.code.beyond_joins(local.pc) as usize]
    }

    fn atomic_site(&self, local: &Local) -> Option<&AtomicSite> {
        match self.code.instrs[local.pc as usize] {
            Instr::Atomic { site } => self.code.atomics.get(site as usize),
            _ => None,
        }
    }

    /// What one thread does next.
    fn step(&self, state: &State, block: u32, thread: u32) -> Option<(Label, State)> {
        if state.end != End::No {
            return None;
        }
        let id = self.plan.local(state, block, thread);
        let local = self.locals.get(id);
        let actor = Actor::Thread { block, thread };
        let label = |rule, touched: Option<(Place, AccessMode)>| Label {
            rule,
            actors: vec![actor],
            op: Some(self.op(local)),
            accesses: touched
                .into_iter()
                .map(|(at, mode)| self.access(local, actor, at, mode))
                .collect(),
            fault: None,
        };
        let mut next = state.clone();
        let (label, after) = match &local.next {
            Next::Load { cell, at } => {
                let label = label(Rule::R1, Some((*at, AccessMode::Read)));
                let Some(bits) = self.plan.read(&self.cells, state, *cell, block) else {
                    return Some(self.fault(state, label, actor, self.nothing_at(*at)));
                };
                let Instr::Load { dst, .. } = self.code.instrs[local.pc as usize] else {
                    return None;
                };
                let after = self.after(id, bits, |regs| regs[dst as usize] = bits);
                (label, after)
            }
            Next::Store { cell, at, bits } => {
                let label = label(Rule::R1, Some((*at, AccessMode::Write)));
                self.plan.write(&mut next, *cell, block, *bits);
                (label, self.after(id, 0, |_| {}))
            }
            Next::Atomic { cell, at, operands } => {
                let label = label(Rule::R1, Some((*at, AccessMode::Atomic)));
                let site = self.atomic_site(local)?;
                let found = self.plan.read(&self.cells, state, *cell, block);
                let needs_old = site.function != AtomicFn::Exch || site.result.is_some();
                let old = match found {
                    None if needs_old => {
                        return Some(self.fault(state, label, actor, self.nothing_at(*at)));
                    }
                    found => found.unwrap_or(0),
                };
                let operands = &operands[..site.operands.len().min(2)];
                let bits = arithmetic::atomic(site.function, site.elem, old, operands);
                self.plan.write(&mut next, *cell, block, bits);
                let after = match site.result {
                    Some(result) => self.after(id, old, |regs| regs[result as usize] = old),
                    None => self.after(id, 0, |_| {}),
                };
                (label, after)
            }
            Next::Exit { returned } => {
                let after = self
                    .locals
                    .way(id, 0, || self.locals.number(ended(*returned)));
                (label(Rule::R10, None), after)
            }
            Next::Fault(kind) => {
                let label = label(Rule::R1, None);
                return Some(self.fault(state, label, actor, (**kind).clone()));
            }
            Next::Discard => {
                next.end = End::Discarded;
                return Some((label(Rule::R1, None), next));
            }
            Next::Spin => return Some((label(Rule::R3, None), next)),
            Next::Barrier | Next::Limit | Next::Ended { .. } => return None,
        };
        self.plan.set_local(&mut next, block, thread, after);
        Some((label, next))
    }

    fn access(&self, local: &Local, actor: Actor, at: Place, mode: AccessMode) -> Access {
        Access {
            actor,
            array: at.array,
            index: at.index,
            mode,
            op: self.op(local),
        }
    }

    fn nothing_at(&self, at: Place) -> FaultKind {
        let shape = self.cells.shape_of(at.array);
        FaultKind::UninitialisedRead {
            array: shape.map_or("".into(), |shape| shape.name.clone()),
            space: shape.map_or(Space::Global, |shape| shape.space),
            index: at.index,
        }
    }

    fn fault(
        &self,
        state: &State,
        mut label: Label,
        actor: Actor,
        kind: FaultKind,
    ) -> (Label, State) {
        let op = label.op.unwrap_or(OpId(u32::MAX));
        label.fault = Some(Fault { kind, actor, op });
        let mut next = state.clone();
        next.end = End::Fault;
        (label, next)
    }

    /// The iterations of the enclosing loops that a thread at a barrier has made.
    fn iterations<'a>(&'a self, local: &'a Local) -> impl Iterator<Item = u64> + 'a {
        let counters: &[Reg] = match self.code.instrs[local.pc as usize] {
            Instr::Barrier { site } => &self.code.barriers[site as usize].counters,
            _ => &[],
        };
        let kept = self.kept.at(local.pc);
        counters.iter().filter_map(move |counter| {
            let at = kept.binary_search(counter).ok()?;
            local.kept.get(at).copied()
        })
    }

    /// The collective barrier of a block: see [`gridlock_semantics::barrier`].
    fn barrier(&self, state: &State, block: u32) -> Option<(Label, State)> {
        if state.end != End::No {
            return None;
        }
        let mut waiting = Vec::new();
        let mut first: Option<&Local> = None;
        let (mut ended, mut same) = (false, true);
        for thread in 0..self.plan.n_threads {
            let id = self.plan.local(state, block, thread);
            let local = self.locals.get(id);
            match local.next {
                Next::Barrier => {
                    waiting.push((thread, id));
                    match first {
                        None => first = Some(local),
                        Some(there) => {
                            same &= there.pc == local.pc
                                && self.iterations(there).eq(self.iterations(local));
                        }
                    }
                }
                Next::Ended { returned } => match (self.exited_threads, returned) {
                    (ExitedThreads::BlockForever, _) => return None,
                    (ExitedThreads::Defect, _) | (ExitedThreads::ReturnOnly, false) => ended = true,
                    (ExitedThreads::Arrived, _) | (ExitedThreads::ReturnOnly, true) => {}
                },
                _ => return None,
            }
        }
        let op = self.op(first?);
        let actors = waiting
            .iter()
            .map(|&(thread, _)| Actor::Thread { block, thread })
            .collect();
        let label = Label {
            rule: Rule::CollectiveBarrier,
            actors,
            op: Some(op),
            accesses: Vec::new(),
            fault: None,
        };
        if ended || !same {
            let positions = self.positions_of(state, block);
            let kind = FaultKind::BarrierDivergence { positions };
            return Some(self.fault(state, label, Actor::Block(block), kind));
        }
        let mut next = state.clone();
        for (thread, id) in waiting {
            let after = self.after(id, 0, |regs| {
                for counter in &self.code.counters {
                    regs[*counter as usize] = 0;
                }
            });
            self.plan.set_local(&mut next, block, thread, after);
        }
        Some((label, next))
    }

    fn positions_of(&self, state: &State, block: u32) -> Vec<ThreadPosition> {
        let position = |thread| {
            let local = self.locals.get(self.plan.local(state, block, thread));
            let (op, returned) = match local.next {
                Next::Ended { returned } => (None, returned),
                _ => (Some(self.op(local)), false),
            };
            let actor = Actor::Thread { block, thread };
            ThreadPosition {
                actor,
                op,
                returned,
            }
        };
        (0..self.plan.n_threads).map(position).collect()
    }

    fn threads(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let n_threads = self.plan.n_threads;
        (0..self.plan.n_blocks)
            .flat_map(move |block| (0..n_threads).map(move |thread| (block, thread)))
    }

    /// The value a plain write next of `actor` leaves.
    fn written(&self, state: &State, actor: Actor) -> Option<u64> {
        let Actor::Thread { block, thread } = actor else {
            return None;
        };
        let local = self.locals.get(self.plan.local(state, block, thread));
        match local.next {
            Next::Store { bits, .. } => Some(bits),
            _ => None,
        }
    }
}

fn ended(returned: bool) -> Local {
    Local {
        pc: Pc::MAX,
        next: Next::Ended { returned },
        kept: Box::new([]),
    }
}

fn cells_of(
    program: &Program,
    code: &Code,
    setup: &Setup,
    launch: &Launch,
    may_touch: Option<&MayTouch>,
) -> Cells {
    let mut cells = Cells::default();
    let mut number = 0;
    let mut push = |cells: &mut Cells, array: &Array| {
        let reference = ArrayRef::Global(number);
        let written =
            |touched: &MayTouch| touched.may_interfere(reference, AccessClass::Read, true);
        cells.push_global(array, !may_touch.is_none_or(written));
        number += 1;
    };
    for decl in &program.arrays {
        if matches!(decl.space, Space::Global | Space::Constant) {
            push(&mut cells, &declared(decl, 0));
        }
    }
    for array in &setup.arrays {
        let (name, contents) = (array.name.clone(), array.contents.clone());
        let array = Array::new(name, Space::Global, array.elem, array.extent, contents);
        push(&mut cells, &array);
    }
    for (index, decl) in program.arrays.iter().enumerate() {
        let used = code.shared.iter().any(|id| id.0 as usize == index);
        let array = used.then(|| declared(decl, launch.shared_bytes));
        cells.push_declared(array.as_ref());
    }
    cells
}

fn image_of(
    program: &Program,
    code: &Code,
    setup: &Setup,
    launch: &Launch,
    warps: Warps,
) -> Vec<u64> {
    let mut image = code.image.clone();
    let n_declared = program
        .arrays
        .iter()
        .filter(|decl| matches!(decl.space, Space::Global | Space::Constant))
        .count() as u32;
    for ((reg, _), arg) in code.params.iter().zip(&setup.args) {
        image[*reg as usize] = match arg {
            Arg::Scalar(value) => raw::from_value(*value),
            Arg::Null => 0,
            Arg::Array(index) => raw::from_array(ArrayRef::Global(n_declared + *index as u32)),
        };
    }
    for (builtin, reg) in &code.builtins {
        image[*reg as usize] = match builtin {
            Builtin::BlockDim(axis) => extent(launch.block, *axis),
            Builtin::GridDim(axis) => extent(launch.grid, *axis),
            Builtin::WarpSize => match warps {
                Warps::None => 32,
                Warps::Independent(size) | Warps::Lockstep(size) => size.clamp(1, 32) as u64,
            },
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) => 0,
        };
    }
    image
}

fn extent(extents: Dim3, axis: Axis) -> u64 {
    extents[axis as usize] as u64
}

impl TransitionSystem for Automaton {
    type State = State;

    fn initial(&self) -> Vec<State> {
        let mut state = self.plan.initial(&self.cells);
        for (block, thread) in self.threads() {
            let mut own = self.blank();
            for (builtin, reg) in &self.code.builtins {
                let (extents, number, axis) = match builtin {
                    Builtin::ThreadIdx(axis) => (self.launch.block, thread, *axis),
                    Builtin::BlockIdx(axis) => (self.launch.grid, block, *axis),
                    _ => continue,
                };
                own.regs[*reg as usize] = extent(Launch::coordinates(extents, number), axis);
            }
            let local = self.settled(own, 0);
            self.plan.set_local(&mut state, block, thread, local);
        }
        vec![state]
    }

    fn successors(&self, state: &State, found: &mut Vec<(Label, State)>) {
        for block in 0..self.plan.n_blocks {
            for thread in 0..self.plan.n_threads {
                found.extend(self.step(state, block, thread));
            }
            found.extend(self.barrier(state, block));
        }
    }

    fn is_final(&self, state: &State) -> bool {
        state.end == End::No
            && self.threads().all(|(block, thread)| {
                let id = self.plan.local(state, block, thread);
                matches!(self.locals.get(id).next, Next::Ended { .. })
            })
    }

    fn is_discarded(&self, state: &State) -> bool {
        state.end == End::Discarded
    }
}

impl Explorable for Automaton {
    fn observe(&self, state: &State) -> Observation {
        let setup = &self.reference.system().context().setup;
        let first = self.cells.global.len() - setup.arrays.len();
        let mut seen: Vec<usize> = Vec::new();
        for arg in &setup.args {
            if let Arg::Array(index) = arg
                && !seen.contains(index)
                && setup.arrays[*index].observed
            {
                seen.push(*index);
            }
        }
        let observed = seen.into_iter().map(|index| {
            let shape = &self.cells.global[first + index];
            let value = |n: u64| {
                let mut cell = shape.first;
                cell.number += n as u32;
                let bits = self.plan.read(&self.cells, state, cell, 0);
                bits.map_or(Value::Undef, |bits| raw::to_value(bits, shape.elem))
            };
            ObservedArray {
                name: shape.name.clone(),
                elem: shape.elem,
                cells: (0..shape.extent).map(value).collect(),
            }
        });
        Observation {
            arrays: observed.collect(),
            result: None,
        }
    }

    fn positions(&self, state: &State) -> Vec<ThreadPosition> {
        let blocks = 0..self.plan.n_blocks;
        blocks
            .flat_map(|block| self.positions_of(state, block))
            .collect()
    }

    fn state_bytes(&self, state: &State) -> u64 {
        (size_of::<State>() + size_of_val(&*state.words)) as u64
    }

    fn too_wide(&self, state: &State) -> Option<String> {
        let given_up = self.threads().any(|(block, thread)| {
            let id = self.plan.local(state, block, thread);
            self.locals.get(id).next == Next::Limit
        });
        given_up.then(|| "private steps in a row".to_owned())
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.reference.access_class(access)
    }

    fn is_race(&self, state: &State, first: &Access, second: &Access) -> bool {
        if first.mode == AccessMode::Atomic && second.mode == AccessMode::Atomic {
            return !self.reference.scopes_suffice(first, second);
        }
        let writes = first.mode == AccessMode::Write && second.mode == AccessMode::Write;
        let same = || {
            let value = self.written(state, first.actor);
            value.is_some() && value == self.written(state, second.actor)
        };
        !(writes && self.benign_same_value && same())
    }
}

impl Threadwise for Automaton {
    fn device(&self, _: &State) -> Option<DeviceShape> {
        Some(DeviceShape {
            n_blocks: self.plan.n_blocks,
            n_threads: self.plan.n_threads,
            n_lanes: self.n_lanes,
        })
    }

    fn fire_actor(&self, state: &State, actor: Actor, found: &mut Vec<(Label, State)>) {
        match actor {
            Actor::Thread { block, thread } => found.extend(self.step(state, block, thread)),
            Actor::Block(block) => found.extend(self.barrier(state, block)),
            _ => {}
        }
    }

    fn may_touch(&self, _: &State) -> Option<&MayTouch> {
        self.reference
            .may_touch_of(self.reference.system().context().setup.entry)
    }

    fn warp_wait(&self, _: &State, _: Actor) -> Option<crate::explore::WarpWait> {
        None
    }
}
