//! A launch made ready: code, memory, and the local states its threads start in.

use super::cells::{Cells, Shape};
use super::history::{Histories, Keeps};
use super::launching::{Start, extent};
use super::local::{Local, LocalId, Locals};
use super::named::Gatherings;
use super::reading::changes_nothing;
use super::state::Plan;
use super::thread::{Next, Own, Surroundings, is_modelled};
use crate::compiled::instruction::{Instr, Pc};
use crate::compiled::layout::PrivateLayout;
use crate::compiled::liveness::Kept;
use crate::compiled::{Code, Compiled};
use crate::order::synchronisation::known::Width;
use crate::system::ExploredProgram;
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::expr::Builtin;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind, Scope};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{ExitedThreads, NextBlock, Residency};
use gridlock_semantics::setup::{Launch, Setup};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Rule;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cells of a shared array at most: the reference keeps those alone that were written.
const MOST_SHARED: u64 = 1 << 24;

/// Why a program and its setup are no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(pub &'static str);

/// What the numbers in the states of an automaton stand for.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tables {
    locals: Vec<Local>,
    histories: Option<super::history::All>,
    gatherings: Option<super::named::All>,
    gave_up: bool,
}

/// A launch of a kernel, ready to be explored.
pub struct Automaton {
    pub(super) reference: Arc<ExploredProgram>,
    program: Arc<Program>,
    pub(super) code: Arc<Code>,
    pub(super) kept: Kept,
    layout: PrivateLayout,
    pub(super) cells: Cells,
    pub(super) plan: Plan,
    launch: Launch,
    /// Registers every thread starts with, but for who it is.
    image: Vec<u64>,
    pub(super) locals: Locals,
    pub(super) exited_threads: ExitedThreads,
    pub(super) benign_same_value: bool,
    /// Threads in a warp; of the block where warps are not known.
    pub(super) n_lanes: u32,
    pub(super) kernel: ProcId,
    /// The arrays seen at the end, by number.
    pub(super) observed: Vec<usize>,
    knows_warps: bool,
    cooperative: bool,
    pub(super) has_grid_barrier: bool,
    /// Where there are named barriers.
    pub(super) gatherings: Option<Gatherings>,
    /// By operator, where it is not that of a basic one.
    pub(super) rules: FxHashMap<OpId, Rule>,
    pub(super) keeps: Keeps,
    /// Where something is kept.
    pub(super) histories: Option<Histories>,
    /// Some thread of some state was given up.
    gave_up: AtomicBool,
}

impl Automaton {
    /// An automaton whose states keep nothing of the past.
    ///
    /// # Errors
    /// The program, its setup or its profile has something automata lack; or races would go
    /// unseen without a past ([`Automaton::keeping`]).
    pub fn of(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        setup: &Setup,
    ) -> Result<Automaton, Unfit> {
        if reference.exchanges_hide_races() {
            return Err(Unfit("exchanges that hide races"));
        }
        Automaton::keeping(reference, compiled, setup, Keeps::Nothing)
    }

    /// An automaton whose states keep this of the past.
    ///
    /// # Errors
    /// The program, its setup or its profile has something automata lack.
    pub fn keeping(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        setup: &Setup,
        keeps: Keeps,
    ) -> Result<Automaton, Unfit> {
        let start = Start::of_setup(compiled.program(), setup, |_| None)?;
        rooms_are_free(&reference, &start)?;
        Automaton::new(reference, compiled, &start, keeps)
    }

    /// [`Automaton::keeping`] where arrays may have no extent. They are made so long as `lengths`
    /// says, by index in the setup; once a run has reached beyond one ([`Automaton::lacking`]),
    /// what the automaton tells is worth nothing.
    ///
    /// # Errors
    /// As there.
    pub fn with_lengths(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        setup: &Setup,
        keeps: Keeps,
        lengths: &[u64],
    ) -> Result<Automaton, Unfit> {
        let length = |index: usize| lengths.get(index).copied();
        let start = Start::of_setup(compiled.program(), setup, length)?;
        rooms_are_free(&reference, &start)?;
        Automaton::new(reference, compiled, &start, keeps)
    }

    /// An automaton for a caller that says which blocks run together: its transitions are those of
    /// a launch all of whose blocks have started. States keep nothing of the past. `lengths` as for
    /// [`Automaton::with_lengths`].
    ///
    /// # Errors
    /// The program, its setup or its profile has something automata lack.
    pub fn of_blocks(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        setup: &Setup,
        lengths: &[u64],
    ) -> Result<Automaton, Unfit> {
        let length = |index: usize| lengths.get(index).copied();
        let start = Start::of_setup(compiled.program(), setup, length)?;
        Automaton::new(reference, compiled, &start, Keeps::Nothing)
    }

    /// [`Automaton::of_blocks`] of the launch that host code has just begun in a state of the
    /// reference.
    ///
    /// # Errors
    /// The state is another, or the launch has something automata lack.
    pub fn of_blocks_in(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        state: &gridlock_semantics::host::State,
    ) -> Result<Automaton, Unfit> {
        let start = Start::of_state(&reference, state)?;
        Automaton::new(reference, compiled, &start, Keeps::Nothing)
    }

    /// The launch that host code has just begun in a state of the reference. What is observed at
    /// its end is all its memory.
    ///
    /// # Errors
    /// The state is another, or the launch has something automata lack.
    pub fn of_state(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        state: &gridlock_semantics::host::State,
        keeps: Keeps,
    ) -> Result<Automaton, Unfit> {
        let start = Start::of_state(&reference, state)?;
        rooms_are_free(&reference, &start)?;
        Automaton::new(reference, compiled, &start, keeps)
    }

    fn new(
        reference: Arc<ExploredProgram>,
        compiled: &Compiled,
        start: &Start,
        keeps: Keeps,
    ) -> Result<Automaton, Unfit> {
        let profile = reference.profile();
        let axes = profile.axes;
        let launch = start.launch;
        if !profile.admits_canonical_run() {
            return Err(Unfit("the profile's steps"));
        }
        if axes.warps.is_lockstep() {
            return Err(Unfit("warps in lockstep"));
        }
        let Some(code) = compiled.entry(start.kernel).cloned() else {
            return Err(Unfit("code too large"));
        };
        let warps = axes.warps.are_known();
        let keeps = match keeps {
            // No lanes exchange anything.
            Keeps::Past if !warps => Keeps::Nothing,
            keeps => keeps,
        };
        if !code.instrs.iter().all(|instr| is_modelled(instr, warps)) {
            return Err(Unfit("lanes that learn who is active"));
        }
        if code.named.iter().any(|site| site.threads.is_none()) {
            return Err(Unfit("named barriers of a whole block"));
        }
        let cooperative = start.cooperative;
        let program = compiled.program().clone();
        let is_large = |id: &ArrayId| matches!(program.array(*id).extent, Extent::Fixed(cells) if cells > MOST_SHARED);
        if code.shared.iter().any(is_large) {
            return Err(Unfit("shared arrays that no block has room for"));
        }
        let may_touch = reference.may_touch_of(start.kernel);
        let cells = start.cells(&program, &code, may_touch);
        let n_threads = launch.n_threads() as u32;
        let mut plan = Plan::new(launch.n_blocks() as u32, n_threads, &cells);
        if !code.named.is_empty() {
            plan = plan.with_named();
        }
        let at_grid = |instr: &Instr| matches!(instr, Instr::GridBarrier { .. });
        Ok(Automaton {
            kept: Kept::of(&code),
            layout: PrivateLayout::new(&program, &code),
            plan: match keeps {
                Keeps::Nothing => plan,
                Keeps::Order | Keeps::Past => plan.with_history(),
            },
            kernel: start.kernel,
            observed: start.observed.clone(),
            knows_warps: warps,
            cooperative,
            has_grid_barrier: cooperative && code.instrs.iter().any(at_grid),
            gatherings: (!code.named.is_empty()).then(Gatherings::new),
            rules: rules_of(&program),
            keeps,
            histories: (keeps != Keeps::Nothing).then(Histories::new),
            image: start.image(&code, axes.warps),
            locals: Locals::new(),
            exited_threads: axes.exited_threads,
            benign_same_value: axes.same_value_writes.are_benign(),
            n_lanes: axes.warps.known_size().unwrap_or(n_threads),
            reference,
            program,
            code,
            cells,
            launch,
            gave_up: AtomicBool::new(false),
        })
    }

    /// Local states found so far.
    pub fn n_locals(&self) -> usize {
        self.locals.len()
    }

    /// What the numbers in states stand for.
    pub fn tables(&self) -> Tables {
        Tables {
            locals: self.locals.all(),
            histories: self.histories.as_ref().map(Histories::all),
            gatherings: self.gatherings.as_ref().map(Gatherings::all),
            gave_up: self.gave_some_up(),
        }
    }

    /// Takes over what the numbers in states of the same launch stand for, before any state is
    /// made. False when the numbers cannot be given again.
    pub fn recall(&self, tables: Tables) -> bool {
        if tables.gave_up {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        let histories = match (&self.histories, tables.histories) {
            (Some(own), Some(all)) => own.recall(all),
            (None, None) => true,
            _ => false,
        };
        let gatherings = match (&self.gatherings, tables.gatherings) {
            (Some(own), Some(all)) => own.recall(all),
            (None, None) => true,
            _ => false,
        };
        let mut locals = (0..).zip(tables.locals);
        histories && gatherings && locals.all(|(id, local)| self.locals.number(local) == id)
    }

    /// Bytes of what was found so far: local states, and what is known of the past.
    pub fn bytes(&self) -> u64 {
        self.locals.bytes() + self.history_bytes()
    }

    /// Whether some thread, in some state looked at, was given up.
    pub fn gave_some_up(&self) -> bool {
        self.gave_up.load(Ordering::Relaxed)
    }

    /// Global arrays: those declared, then those of the setup.
    pub fn n_globals(&self) -> usize {
        self.cells.global.len()
    }

    /// How long arrays without extent would have to be for what was asked of them, those that are
    /// too short; by number of the global array.
    pub fn lacking(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let wanted = |shape: &Shape| Some(shape.wanted.as_ref()?.load(Ordering::Relaxed));
        let arrays = self.cells.global.iter().enumerate();
        arrays.filter_map(move |(number, shape)| Some((number, wanted(shape).filter(|n| *n > 0)?)))
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            program: &self.program,
            code: &self.code,
            layout: &self.layout,
            cells: &self.cells,
            n_threads: self.plan.n_threads,
            n_lanes: self.knows_warps.then_some(self.n_lanes),
            cooperative: self.cooperative,
        }
    }

    pub(super) fn blank(&self) -> Own {
        Own {
            regs: self.image.clone(),
            cells: self.layout.cells.clone(),
            defined: self.layout.defined.clone(),
            fenced: Width::None,
        }
    }

    /// The local state of a thread whose private steps from `pc` on are still to be taken.
    pub(super) fn settled(&self, mut own: Own, pc: Pc) -> LocalId {
        let (pc, next) = self.surroundings().settle(&mut own, pc);
        let fenced = match self.keeps {
            Keeps::Order => own.fenced,
            Keeps::Nothing | Keeps::Past => Width::None,
        };
        if next == Next::Limit {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        let local = match next {
            Next::Ended { returned } => Local {
                fenced,
                ..ended(returned)
            },
            next => {
                let op = self.code.ops[self.code.beyond_joins(pc) as usize];
                let (class, narrow) = self.access_of(pc, op, &next);
                Local {
                    pc,
                    next,
                    op,
                    class,
                    narrow,
                    fenced,
                    kept: own.kept(self.kept.at(pc)),
                }
            }
        };
        self.locals.number(local)
    }

    /// How the access next at `pc` gets along with others, and whether it is of block scope.
    fn access_of(&self, pc: Pc, op: OpId, next: &Next) -> (AccessClass, bool) {
        match (next, self.code.instrs[pc as usize]) {
            (Next::Store { .. } | Next::WriteBack { .. }, _) => (AccessClass::Write, false),
            (Next::Atomic { operands, .. }, Instr::Atomic { site }) => {
                let site = &self.code.atomics[site as usize];
                // What is kept of the past tells looks apart from one another.
                let looks = self.keeps == Keeps::Nothing
                    && site.scope != Scope::Block
                    && changes_nothing(site, operands[0]);
                let class = match looks {
                    true => AccessClass::Look,
                    false => self.reference.class_of(op, AccessMode::Atomic),
                };
                (class, site.scope == Scope::Block)
            }
            _ => (AccessClass::Read, false),
        }
    }

    pub(super) fn ended(&self, returned: bool) -> LocalId {
        self.locals.number(ended(returned))
    }

    /// The words of the state a launch starts in.
    pub fn start(&self) -> Box<[u32]> {
        let mut words = self.plan.initial(&self.cells);
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
            words[self.plan.slot(block, thread) as usize] = self.settled(own, 0);
        }
        if let (Some(at), Some(histories)) = (self.plan.history, &self.histories) {
            words[at as usize] = histories.start(self.running(&words), self.keeps);
        }
        words
    }

    /// The register code threads run.
    pub fn instructions(&self) -> &Code {
        &self.code
    }

    /// Blocks of the launch.
    pub fn n_blocks(&self) -> u32 {
        self.plan.n_blocks
    }

    /// Threads in a block.
    pub fn n_threads(&self) -> u32 {
        self.plan.n_threads
    }

    /// Whether all blocks run together whatever the profile says.
    pub fn is_cooperative(&self) -> bool {
        self.cooperative
    }

    /// Where the parts of a state stand among its words.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A local state met before.
    pub fn local(&self, id: LocalId) -> &Local {
        self.locals.get(id)
    }

    pub(super) fn threads(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let n_threads = self.plan.n_threads;
        (0..self.plan.n_blocks)
            .flat_map(move |block| (0..n_threads).map(move |thread| (block, thread)))
    }
}

/// Whether blocks start as they like where runs are searched for what goes wrong in them.
fn rooms_are_free(reference: &ExploredProgram, start: &Start) -> Result<(), Unfit> {
    let safety = &reference.profile().axes.safety;
    let free = safety.residency == Residency::AllResident && safety.next == NextBlock::Any;
    match free || start.launch.n_blocks() <= 1 {
        true => Ok(()),
        false => Err(Unfit("blocks that wait for room")),
    }
}

/// The rules of operators that are not basic.
fn rules_of(program: &Program) -> FxHashMap<OpId, Rule> {
    let rules = program.operators().into_iter().filter_map(|(_, op)| {
        let rule = match &op.kind {
            OpKind::If { .. } => Rule::R2,
            OpKind::While { .. } => Rule::R3,
            OpKind::Call { .. } => Rule::R4,
            OpKind::Basic(Basic::NamedBarrier { .. }) => Rule::NamedBarrier,
            OpKind::Basic(Basic::GridBarrier) => Rule::GridBarrier,
            _ => return None,
        };
        Some((op.id, rule))
    });
    rules.collect()
}

fn ended(returned: bool) -> Local {
    Local {
        pc: Pc::MAX,
        next: Next::Ended { returned },
        op: OpId(u32::MAX),
        class: AccessClass::Read,
        narrow: false,
        fenced: Width::None,
        kept: Box::new([]),
    }
}
