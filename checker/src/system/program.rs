//! The reference semantics of a program as a system to explore.

use crate::finding::ScheduleStep;
use crate::system::footprint::are_of_one_block;
use crate::system::footprint::{AccessClass, MayTouch};
use crate::system::reach::MayTouchOf;
use crate::system::{DeviceShape, Explorable, Threadwise, WarpWait};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, OpId, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::block::BlockState;
use gridlock_semantics::block::warp::active::{companions, is_at_active_mask};
use gridlock_semantics::block::warp::{Operation, mask_of};
use gridlock_semantics::host::State;
use gridlock_semantics::memory::conflict::{AccessKind, are_atomic_for_each_other};
use gridlock_semantics::memory::{Array, MOST_SHOWN, declared_info};
use gridlock_semantics::profile::{AtBarrier, Firing, NextBlock, Profile, Residency, Warps};
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::system::{Leak, ProgramSystem, SetupError};
use gridlock_semantics::thread::view::{Device, View};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Actor, Advance, Label, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Instant;

/// An atomic operator of the program.
#[derive(Clone, Copy, Debug)]
struct AtomicOp {
    function: AtomicFn,
    scope: Scope,
    is_result_used: bool,
    /// The function, when the result is unused and applications commute.
    commutes: Option<AtomicFn>,
}

/// A program, its setup and its profile, ready to be explored and replayed.
#[derive(Clone, Debug)]
pub struct ExploredProgram {
    system: ProgramSystem,
    profile: Profile,
    atomics: FxHashMap<OpId, AtomicOp>,
    /// The barriers of blocks that do not order all memory.
    partial_barriers: FxHashMap<OpId, Orders>,
    may_touch: FxHashMap<ProcId, MayTouch>,
    /// Loads and stores through pointers to `volatile`.
    volatile: FxHashSet<OpId>,
    has_active_mask: bool,
    /// When runs followed on it are given up.
    until: Option<Instant>,
    /// Where runs begin, if not at the start of the program, and the steps that led there.
    led: Option<(State, Vec<ScheduleStep>)>,
}

impl ExploredProgram {
    /// # Errors
    /// The setup does not fit the program.
    pub fn new(
        program: &Program,
        setup: &Setup,
        profile: &Profile,
    ) -> Result<ExploredProgram, SetupError> {
        let program = Arc::new(program.clone());
        let system = ProgramSystem::new(program, setup.clone(), profile.clone())?;
        Ok(ExploredProgram::of(system, profile))
    }

    /// The program under the profile's scheduling for termination: what livelock is judged on.
    ///
    /// # Errors
    /// The setup does not fit the program.
    pub fn for_termination(
        program: &Program,
        setup: &Setup,
        profile: &Profile,
    ) -> Result<ExploredProgram, SetupError> {
        let program = Arc::new(program.clone());
        let system = ProgramSystem::new(program, setup.clone(), profile.clone())?;
        let system = system.with_scheduling(profile.axes.termination);
        Ok(ExploredProgram::of(system, profile))
    }

    /// The same; runs followed on it by a replay are given up at `until`.
    pub fn until(self, until: Instant) -> ExploredProgram {
        let until = Some(until);
        ExploredProgram { until, ..self }
    }

    /// Whether the time given to [`ExploredProgram::until`] is over.
    pub fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() > until)
    }

    /// The same, on which runs begin in a state that these steps led to.
    pub fn beginning_at(self, state: State, steps: Vec<ScheduleStep>) -> ExploredProgram {
        let led = Some((state, steps));
        ExploredProgram { led, ..self }
    }

    /// As [`Explorable::counts`], of a transition made in place.
    pub fn counts_in_place(&self, made: Advance) -> bool {
        self.profile.axes.firing == Firing::Set || made.is_visible()
    }

    /// The steps that were followed before runs on it begin.
    pub fn led(&self) -> &[ScheduleStep] {
        self.led.as_ref().map_or(&[], |(_, steps)| steps)
    }

    /// A system made already (with other device limits, say).
    pub fn of(system: ProgramSystem, profile: &Profile) -> ExploredProgram {
        let program = system.program().clone();
        let mut atomics = FxHashMap::default();
        for (_, op) in program.operators() {
            if let OpKind::Basic(Basic::Atomic {
                function,
                scope,
                pointer,
                result,
                ..
            }) = &op.kind
            {
                let elem = pointer.ty.pointer().map(|p| p.elem);
                let commutes = result.is_none()
                    && function.is_commutative()
                    && elem.is_some_and(|elem| elem.is_integer())
                    && *scope != Scope::Block;
                let class = match function {
                    AtomicFn::Sub => AtomicFn::Add,
                    other => *other,
                };
                let known = AtomicOp {
                    function: *function,
                    scope: *scope,
                    is_result_used: result.is_some(),
                    commutes: commutes.then_some(class),
                };
                atomics.insert(op.id, known);
            }
        }
        let partial_barriers =
            program
                .operators()
                .into_iter()
                .filter_map(|(_, op)| match op.kind {
                    OpKind::Basic(Basic::Barrier { orders, .. }) => Some((op.id, orders)),
                    _ => None,
                });
        let partial_barriers = partial_barriers
            .filter(|(_, orders)| *orders != Orders::All)
            .collect();
        let mut explored = ExploredProgram {
            system,
            profile: profile.clone(),
            atomics,
            partial_barriers,
            may_touch: FxHashMap::default(),
            volatile: program
                .operators()
                .into_iter()
                .filter(|(_, op)| match &op.kind {
                    OpKind::Basic(Basic::Load { pointer, .. } | Basic::Store { pointer, .. }) => {
                        pointer.ty.pointer().is_some_and(|p| p.is_volatile)
                    }
                    _ => false,
                })
                .map(|(_, op)| op.id)
                .collect(),
            has_active_mask: program
                .operators()
                .iter()
                .any(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::ActiveMask { .. }))),
            until: None,
            led: None,
        };
        let reach = MayTouchOf::new(&program, &explored.system.context().setup);
        for kernel in program.procs_of_kind(gridlock_semantics::algebra::program::ProcKind::Kernel)
        {
            let class = |op: OpId, mode| explored.class_of(op, mode);
            let touched = reach.of_kernel(kernel, &class);
            explored.may_touch.insert(kernel, touched);
        }
        explored
    }

    /// The reference semantics of the program.
    pub fn system(&self) -> &ProgramSystem {
        &self.system
    }

    /// The program in the form that runs: operators in labels and findings are its operators.
    pub fn program(&self) -> &Arc<Program> {
        self.system.program()
    }

    /// What the hardware is taken to guarantee.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Whether lanes exchange values that move independently otherwise: they then wait for one
    /// another where memory is not ordered (see [`crate::order::Remembering`]).
    pub fn exchanges_hide_races(&self) -> bool {
        let exchanges = |op: &OpKind| matches!(op, OpKind::Basic(Basic::Warp { .. }));
        let operators = self.program().operators();
        self.profile.axes.warps.is_independent()
            && operators.iter().any(|(_, op)| exchanges(&op.kind))
    }

    /// Whether a lane may wait at `__syncwarp` until others have ended, which orders nothing, so that accesses that
    /// race are never next together. It matters where such a race is one of some schedules only: the schedule shows
    /// in results of atomics.
    pub fn ended_lanes_hide_races(&self) -> bool {
        let waits = |op: &OpKind| matches!(op, OpKind::Basic(Basic::SyncWarp { .. }));
        let operators = self.program().operators();
        self.profile.axes.warps.is_independent()
            && operators.iter().any(|(_, op)| waits(&op.kind))
            && self.atomics_show_order()
    }

    /// Whether threads may wait at a barrier until others have ended: the same beyond a warp.
    pub fn ended_threads_hide_races(&self) -> bool {
        let exited = self.profile.axes.exited_threads;
        let operators = self.program().operators();
        let returns = |op: &OpKind| matches!(op, OpKind::Basic(Basic::Exit));
        let returns = operators.iter().any(|(_, op)| returns(&op.kind));
        let completes = |op: &OpKind| match op {
            OpKind::Basic(Basic::Barrier { .. }) => {
                exited.excuses(false) || returns && exited.excuses(true)
            }
            OpKind::Basic(Basic::GridBarrier) => {
                exited.at_grid_barrier(false) == AtBarrier::Excused
            }
            OpKind::Basic(Basic::NamedBarrier { threads, .. }) => threads.is_none(),
            _ => false,
        };
        operators.iter().any(|(_, op)| completes(&op.kind)) && self.atomics_show_order()
    }

    /// Why the search cannot be reduced; `None` when it can.
    pub fn irreducible(&self) -> Option<String> {
        let axes = &self.profile.axes;
        let setup = &self.system.context().setup;
        let one_block = setup.launch.is_some_and(|launch| launch.n_blocks() == 1);
        let all_resident =
            axes.safety.residency == Residency::AllResident && axes.safety.next == NextBlock::Any;
        if axes.firing != Firing::One {
            Some("sets of threads fire together".to_owned())
        } else if axes.warps.is_lockstep() {
            Some("warps move in lockstep".to_owned())
        } else if !one_block && !all_resident {
            Some("the profile restricts which blocks run together".to_owned())
        } else {
            None
        }
    }

    pub(crate) fn class_of(&self, op: OpId, mode: AccessMode) -> AccessClass {
        match mode {
            AccessMode::Read => AccessClass::Read,
            AccessMode::Write => AccessClass::Write,
            AccessMode::Atomic | AccessMode::AtomicRead => {
                let commutes = self.atomics.get(&op).and_then(|atomic| atomic.commutes);
                commutes.map_or(AccessClass::Atomic, AccessClass::Commuting)
            }
        }
    }

    /// What the code of a kernel may touch, where its launch is the setup's.
    pub fn may_touch_of(&self, kernel: ProcId) -> Option<&MayTouch> {
        self.may_touch.get(&kernel)
    }

    /// How an access gets along with others.
    pub fn access_class_of(&self, access: &Access) -> AccessClass {
        self.class_of(access.op, access.mode)
    }

    /// Of which memories a barrier orders accesses.
    pub fn barrier_orders(&self, op: Option<OpId>) -> Orders {
        let known = op.and_then(|op| self.partial_barriers.get(&op));
        known.copied().unwrap_or(Orders::All)
    }

    /// Whether some barrier of a block does not order all memory.
    pub fn has_partial_barriers(&self) -> bool {
        !self.partial_barriers.is_empty()
    }

    /// The scope of an atomic operator.
    pub fn atomic_scope(&self, op: OpId) -> Option<Scope> {
        self.atomics.get(&op).map(|atomic| atomic.scope)
    }

    /// Whether an atomic may leave memory as it is.
    pub fn may_fail_to_write(&self, op: OpId) -> bool {
        let function = self.atomics.get(&op).map(|atomic| atomic.function);
        function == Some(AtomicFn::Cas)
    }

    /// Whether the program learns what an atomic read.
    pub fn is_result_used(&self, op: OpId) -> bool {
        self.atomics
            .get(&op)
            .is_some_and(|atomic| atomic.is_result_used)
    }

    /// Whether a plain write of a thread may come after an atomic because it has read that one's
    /// result: the atomic gives one, and some kernel may write to its array plainly.
    pub fn may_be_reset(&self, atomic: OpId, array: ArrayRef) -> bool {
        let mut code = self.may_touch.values();
        self.is_result_used(atomic) && code.any(|code| code.may_write(array))
    }

    /// Whether a load or store is through a pointer to `volatile`.
    pub fn is_volatile(&self, op: OpId) -> bool {
        self.volatile.contains(&op)
    }

    /// Whether the profile lets a barrier of the block stand in for an acquire fence before volatile
    /// reads.
    pub fn barrier_acquires_for_volatile(&self) -> bool {
        self.profile.axes.memory.barrier_acquires_for_volatile()
    }

    /// Whether the order of atomics may show: in a result, or because they do not commute.
    pub fn atomics_show_order(&self) -> bool {
        let mut classes = self.atomics.values().map(|atomic| atomic.commutes);
        let first = classes.next();
        first.is_some_and(|first| first.is_none() || classes.any(|class| class != first))
    }

    /// The array an access touches, as its actor reaches it; `None` for arrays not there.
    pub fn array(&self, state: &State, actor: Actor, array: ArrayRef) -> Option<Array> {
        match (array, actor) {
            (ArrayRef::Shared(id), Actor::Thread { block, .. } | Actor::Block(block)) => {
                let grid = state.device.as_ref()?;
                let shared = &grid.blocks.get(block as usize)?.shared;
                Some(shared.get(&id).cloned().unwrap_or_else(|| {
                    let decl = self.program().array(id);
                    Array::new(declared_info(decl, Some(&grid.launch)))
                }))
            }
            _ => state.memory.array(array).cloned(),
        }
    }

    /// What the cell of an access holds; `None` outside of the array.
    pub fn cell(&self, state: &State, access: &Access) -> Option<Value> {
        let array = self.array(state, access.actor, access.array)?;
        let extent = array.info.extent.unwrap_or(u64::MAX);
        let inside = access.index >= 0 && (access.index as u64) < extent;
        inside.then(|| array.get(access.index))
    }

    /// What a plain write, next of its actor in `state`, leaves; `None` where it is not next, or faults.
    pub fn written(&self, state: &State, write: &Access) -> Option<Value> {
        let after = self.system.fire(state, &[write.actor]);
        let [(label, after)] = after.as_slice() else {
            return None;
        };
        let wrote = label.fault.is_none() && label.accesses.contains(write);
        wrote.then(|| self.cell(after, write)).flatten()
    }

    /// Whether the profile calls it benign that threads write the same value.
    pub fn same_value_is_benign(&self) -> bool {
        self.profile.axes.same_value_writes.are_benign()
    }
}

impl TransitionSystem for ExploredProgram {
    type State = State;

    fn initial(&self) -> Vec<State> {
        match &self.led {
            Some((state, _)) => vec![state.clone()],
            None => self.system.initial(),
        }
    }

    fn successors(&self, state: &State, found: &mut Vec<(Label, State)>) {
        self.system.successors(state, found);
    }

    fn is_final(&self, state: &State) -> bool {
        self.system.is_final(state)
    }

    fn is_discarded(&self, state: &State) -> bool {
        self.system.is_discarded(state)
    }
}

/// Most threads that may fire in any set: the sets are listed, 2^12 of them.
const MOST_IN_SETS: usize = 12;

impl Explorable for ExploredProgram {
    fn too_wide(&self, state: &State) -> Option<String> {
        if let Some(why) = self.too_active(state) {
            return Some(why);
        }
        if let Some(array) = state.memory.beyond_showing() {
            let name = &array.info.name;
            return Some(format!(
                "`{name}`, whose extent is not given, beyond its first {MOST_SHOWN} elements"
            ));
        }
        if self.profile.axes.firing != Firing::Set {
            return None;
        }
        let grid = state.device.as_ref()?;
        let running = grid.blocks.iter().flat_map(|block| block.threads.iter());
        let n_running = running.filter(|thread| thread.is_running()).count();
        (n_running > MOST_IN_SETS).then(|| {
            format!(
                "{n_running} threads, of which any set may fire together (at most {MOST_IN_SETS})"
            )
        })
    }

    fn observe(&self, state: &State) -> Observation {
        self.system.observe(state)
    }

    fn positions(&self, state: &State) -> Vec<ThreadPosition> {
        self.system.positions(state)
    }

    fn leaks(&self, state: &State) -> Vec<Leak> {
        self.system.leaks(state)
    }

    fn counts(&self, label: &Label) -> bool {
        self.profile.axes.firing == Firing::Set || label.is_visible()
    }

    /// What a state does not share with its predecessor: one thread's frames and the path to it
    /// in each persistent map.
    fn state_bytes(&self, state: &State) -> u64 {
        let threads = match &state.device {
            None => 1,
            Some(grid) => grid.blocks.len() as u64 + grid.launch.n_threads(),
        };
        1_500 + 8 * threads
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.class_of(access.op, access.mode)
    }

    fn access_kind(&self, access: &Access) -> AccessKind {
        AccessKind::new(access.mode, self.atomic_scope(access.op))
    }

    fn is_benign(&self, state: &State, first: &Access, second: &Access) -> bool {
        let same = || {
            let value = self.written(state, first);
            value.is_some() && value == self.written(state, second)
        };
        self.same_value_is_benign() && same()
    }
}

impl ExploredProgram {
    /// Whether two atomics are atomic for each other.
    pub fn scopes_suffice(&self, first: &Access, second: &Access) -> bool {
        let (one, other) = (self.access_kind(first), self.access_kind(second));
        are_atomic_for_each_other(one, other, are_of_one_block(first, second))
    }
}

impl Threadwise for ExploredProgram {
    fn device(&self, state: &State) -> Option<DeviceShape> {
        let grid = state.device.as_ref()?;
        let n_threads = grid.launch.n_threads() as u32;
        Some(DeviceShape {
            n_blocks: grid.blocks.len() as u32,
            n_threads,
            n_lanes: self.profile.axes.warps.known_size().unwrap_or(n_threads),
        })
    }

    fn host_threads(&self, state: &State) -> Vec<Actor> {
        state.host_threads()
    }

    fn fire_actor(&self, state: &State, actor: Actor, found: &mut Vec<(Label, State)>) {
        match self.active_sets(state, actor) {
            None => found.extend(self.system.fire(state, &[actor])),
            Some(sets) => {
                for set in sets {
                    found.extend(self.system.fire(state, &set));
                }
            }
        }
    }

    fn may_touch(&self, state: &State) -> Option<&MayTouch> {
        let kernel = state.device.as_ref()?.kernel;
        self.may_touch.get(&kernel)
    }

    fn warp_wait(&self, state: &State, actor: Actor) -> Option<WarpWait> {
        if !self.profile.axes.warps.are_known() {
            return None;
        }
        let Actor::Thread { block, thread } = actor else {
            return None;
        };
        let grid = state.device.as_ref()?;
        let own = grid.blocks.get(block as usize)?;
        let at = own.threads.get(thread as usize)?;
        if is_at_active_mask(at) {
            return Some(WarpWait::Nobody);
        }
        Operation::at(at)?;
        let mask = mask_of(View {
            context: self.system.context(),
            memory: &state.memory,
            thread: at,
            device: Some(Device {
                launch: &grid.launch,
                block,
                thread,
                shared: &own.shared,
            }),
        })?;
        let size = self.system.context().warp_size();
        let lanes = (own.threads.len() as u32 - thread / size * size).min(size);
        let whole = if lanes == 32 {
            u32::MAX
        } else {
            (1 << lanes) - 1
        };
        Some(match mask & whole == whole {
            true => WarpWait::Whole,
            false => WarpWait::Part,
        })
    }
}

impl ExploredProgram {
    /// The sets of threads that may fire the `__activemask()` an independent thread stands at
    /// together with it; `None` elsewhere.
    fn active_sets(&self, state: &State, actor: Actor) -> Option<Vec<Vec<Actor>>> {
        let (Actor::Thread { block, thread }, Warps::Independent(_)) =
            (actor, self.profile.axes.warps)
        else {
            return None;
        };
        let own = state.device.as_ref()?.blocks.get(block as usize)?;
        let companions = companions(self.system.context(), own, thread);
        if companions.is_empty() {
            return None;
        }
        let of = |thread: u32| Actor::Thread { block, thread };
        let mut sets = vec![vec![actor]];
        if companions.len() > MOST_IN_SETS {
            // The state is too wide: all of them are asked for only to see that there are several.
            sets.push(companions.into_iter().map(of).collect());
            return Some(sets);
        }
        for other in companions.into_iter().filter(|other| *other != thread) {
            let other = of(other);
            let with = sets.iter().map(|set| [set.as_slice(), &[other]].concat());
            let with: Vec<Vec<Actor>> = with.collect();
            sets.extend(with);
        }
        Some(sets)
    }

    /// Why the sets of lanes that may be active together are too many to list, where they are.
    pub fn too_active(&self, state: &State) -> Option<String> {
        let n_active = self.most_active(state);
        (n_active > MOST_IN_SETS).then(|| {
            format!(
                "{n_active} lanes, of which any set may be active together (at most {MOST_IN_SETS})"
            )
        })
    }

    /// The largest number of lanes of a warp that stand at one `__activemask()`.
    fn most_active(&self, state: &State) -> usize {
        let independent = self.profile.axes.warps.is_independent();
        let blocks = state.device.iter().flat_map(|grid| grid.blocks.iter());
        let of_block = |block: &Arc<BlockState>| {
            let threads = 0..block.threads.len() as u32;
            let of_thread = |thread| companions(self.system.context(), block, thread).len();
            threads.map(of_thread).max().unwrap_or(0)
        };
        match independent && self.has_active_mask {
            true => blocks.map(of_block).max().unwrap_or(0),
            false => 0,
        }
    }
}
