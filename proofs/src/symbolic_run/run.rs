//! A launch, block by block.

use super::accesses::{Access, Accesses, Left, Memories, Mode, When};
use super::float_laws::FloatLaws;
use super::generic::Generic;
use super::host::Host;
use super::memory::Memory;
use super::obligation::Obligation;
use super::value::{Held, Known, Place};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::function::Function;
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value as Constant;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Launch, Setup};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What of a side's inputs is unknown.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    /// For each array of the setup, the name of its unknown contents; `None`: they are as the setup says.
    pub arrays: Vec<Option<String>>,
    /// For each argument, the name of its unknown value; `None`: it is as the setup says.
    pub scalars: Vec<Option<String>>,
    /// Names of the unknown contents of arrays at file scope; the others are as the setup says.
    pub declared: BTreeMap<ArrayId, String>,
}

impl Unknowns {
    /// What the arrays hold that a program is given, by their names; all else is as the setup says.
    pub fn of_arrays(setup: &Setup) -> Unknowns {
        let name = |array: &ArrayArg| Some(array.name.to_string());
        Unknowns {
            arrays: setup.arrays.iter().map(name).collect(),
            scalars: vec![None; setup.args.len()],
            declared: BTreeMap::new(),
        }
    }
}

/// Private variables of one activation, by variable and thread of the block.
#[derive(Clone)]
pub struct Frame {
    pub proc: ProcId,
    pub vars: Vec<Vec<Held>>,
}

/// Who evaluates, and where.
#[derive(Clone, Copy)]
pub struct At {
    /// Of the block.
    pub thread: usize,
    /// It comes there.
    pub guard: TermId,
    pub span: Span,
}

/// The block that is being run.
pub struct Block {
    pub number: u32,
    /// What a thread sees of the launch: 32 bits each.
    pub index: [TermId; 3],
    pub block_extent: [TermId; 3],
    pub grid_extent: [TermId; 3],
    /// By thread: its coordinates.
    pub threads: Vec<[TermId; 3]>,
    /// By thread: it has not returned.
    pub alive: Vec<TermId>,
    pub frames: Vec<Frame>,
    /// Barriers so far that order shared memory, and those that order global memory.
    pub intervals: [u32; 2],
    /// Barriers of each warp so far.
    pub of_warps: Vec<u32>,
    /// Whether it changed memory that others could reach.
    pub has_written: bool,
    /// Obligations when it began.
    pub n_obligations: usize,
}

impl Block {
    /// Nobody runs. `zero`: of 32 bits.
    pub(super) fn without_threads(zero: TermId) -> Block {
        Block {
            number: 0,
            index: [zero; 3],
            block_extent: [zero; 3],
            grid_extent: [zero; 3],
            threads: Vec::new(),
            alive: Vec::new(),
            frames: Vec::new(),
            intervals: [0; 2],
            of_warps: Vec::new(),
            has_written: false,
            n_obligations: 0,
        }
    }
}

/// A run of a program on inputs that are unknown.
pub struct Run<'r> {
    pub terms: &'r mut Terms,
    pub program: &'r Program,
    pub setup: &'r Setup,
    pub profile: &'r Profile,
    pub unknowns: &'r Unknowns,
    pub memory: Memory,
    pub accesses: Accesses,
    pub block: Block,
    pub obligations: Vec<Obligation>,
    pub obliged: FxHashSet<TermId>,
    /// Hold in every run that counts.
    pub assumed: Vec<TermId>,
    /// The blocks of which each thread assumes it before anything else happens there. What is assumed later excuses nothing
    /// that came before, and what only some threads assume, nothing that others do first.
    pub granted: FxHashMap<TermId, FxHashSet<u32>>,
    /// The run is one of a thread that stands for all.
    pub generic: Option<Generic>,
    /// What host code has, and whether it is running.
    pub host: Host,
    /// The launch that is running.
    pub launch: Option<Launch>,
    /// What is the same of floats: where order does not matter, atomics that add them count as one sum.
    pub floats: FloatLaws,
    /// Made once.
    pub names: Names,
    steps_left: u64,
    most_steps: u64,
    deadline: Instant,
}

/// Names of functions in terms, which every step of their kind takes.
#[derive(Default)]
pub struct Names {
    operations: FxHashMap<(BinaryOp, ScalarType), Arc<str>>,
    inputs: FxHashMap<Place, Arc<str>>,
    /// First contents by the number of the cell.
    cells: FxHashMap<Place, Vec<Option<TermId>>>,
}

impl Names {
    /// An operation on floats.
    pub fn of_operation(&mut self, op: BinaryOp, ty: ScalarType) -> Arc<str> {
        let name = self.operations.entry((op, ty));
        name.or_insert_with(|| format!("{op:?} {ty:?}").into())
            .clone()
    }

    /// What a cell of this number holds at first, if that was asked before.
    pub fn cell(&self, place: Place, number: u64) -> Option<TermId> {
        let cells = self.cells.get(&place)?;
        *cells.get(usize::try_from(number).ok()?)?
    }

    pub fn keep_cell(&mut self, place: Place, number: u64, term: TermId) {
        if number < MOST_KEPT {
            let (cells, at) = (self.cells.entry(place).or_default(), number as usize);
            cells.resize(cells.len().max(at + 1), None);
            cells[at] = Some(term);
        }
    }

    /// Unknown contents.
    pub fn of_input(&mut self, place: Place, name: &str) -> Arc<str> {
        let known = self.inputs.entry(place);
        known.or_insert_with(|| name.into()).clone()
    }
}

/// Cells of an array whose first contents are kept.
const MOST_KEPT: u64 = 1 << 20;

/// Steps between two looks at the clock.
const STEPS_A_LOOK: u64 = 256;

/// Bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Operators by one thread each.
    pub steps: u64,
    pub deadline: Instant,
}

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Subject<'r> {
    pub program: &'r Program,
    pub setup: &'r Setup,
    pub unknowns: &'r Unknowns,
    pub profile: &'r Profile,
    pub floats: FloatLaws,
}

impl<'r> Run<'r> {
    /// Runs the kernel that the setup enters, at its launch, or the procedure of the host.
    pub fn of(terms: &'r mut Terms, subject: Subject<'r>, limits: RunLimits) -> Followed<Run<'r>> {
        let kernel = subject.program.proc(subject.setup.entry);
        let mut run = Run::start(terms, subject, limits);
        match (kernel.kind, subject.setup.launch) {
            (ProcKind::Host, _) => run.run_host()?,
            (ProcKind::Kernel, Some(launch)) => {
                let args = run.arguments()?;
                let always = run.terms.bool(true);
                run.run_grid(subject.setup.entry, launch, &args, always)?;
            }
            _ => return unfollowed("a kernel without a launch", kernel.span),
        }
        Ok(run)
    }

    /// Runs a launch, if it is made.
    pub(super) fn run_grid(
        &mut self,
        kernel: ProcId,
        launch: Launch,
        args: &[Held],
        made: TermId,
    ) -> Followed<()> {
        self.launch = Some(launch);
        let mut number = 0;
        let [gx, gy, gz] = launch.grid;
        for z in 0..gz {
            for y in 0..gy {
                for x in 0..gx {
                    self.run_block(kernel, (number, [x, y, z]), launch, args, made)?;
                    number += 1;
                }
            }
        }
        if self.host.streams.is_some() {
            self.host.footprint = self.footprint();
        }
        self.keep_apart(&|_| true, self.program.proc(kernel).span)
    }

    /// Of what is assumed, that which excuses a defect: every thread of every block assumes it first.
    pub fn excuses(&self) -> Vec<TermId> {
        let n_blocks = match &self.generic {
            Some(_) => 1,
            None => self.setup.launch.map_or(0, |launch| launch.n_blocks()),
        };
        let by_all = |cond: &&TermId| {
            let blocks = self.granted.get(*cond);
            blocks.is_some_and(|blocks| blocks.len() as u64 == n_blocks)
        };
        let mut excuses: Vec<TermId> = self.assumed.iter().filter(by_all).copied().collect();
        excuses.dedup();
        excuses
    }

    /// Before anything is run.
    pub fn start(terms: &'r mut Terms, subject: Subject<'r>, limits: RunLimits) -> Run<'r> {
        let zero = terms.bits(32, 0);
        Run {
            terms,
            program: subject.program,
            setup: subject.setup,
            profile: subject.profile,
            unknowns: subject.unknowns,
            memory: Memory::default(),
            accesses: Accesses::default(),
            block: Block::without_threads(zero),
            obligations: Vec::new(),
            obliged: FxHashSet::default(),
            assumed: Vec::new(),
            granted: FxHashMap::default(),
            generic: None,
            host: Host::of(subject.program.proc(subject.setup.entry).kind),
            launch: subject.setup.launch,
            floats: subject.floats,
            names: Names::default(),
            steps_left: limits.steps,
            most_steps: limits.steps,
            deadline: limits.deadline,
        }
    }

    /// What the kernel's parameters hold at first.
    pub fn arguments(&mut self) -> Followed<Vec<Held>> {
        let kernel = self.program.proc(self.setup.entry);
        let (setup, unknowns) = (self.setup, self.unknowns);
        let mut args = Vec::new();
        for ((var, arg), unknown) in kernel.params.iter().zip(&setup.args).zip(&unknowns.scalars) {
            let ty = kernel.vars[var.0 as usize].ty;
            args.push(self.argument(arg, ty, unknown.as_deref(), kernel.span)?);
        }
        Ok(args)
    }

    fn run_block(
        &mut self,
        proc: ProcId,
        (number, index): (u32, [u32; 3]),
        launch: Launch,
        args: &[Held],
        made: TermId,
    ) -> Followed<()> {
        let [bx, by, bz] = launch.block;
        let mut words = |words: [u32; 3]| words.map(|word| self.terms.bits(32, u64::from(word)));
        let (index, block_extent, grid_extent) =
            (words(index), words(launch.block), words(launch.grid));
        let mut threads = Vec::new();
        for z in 0..bz {
            for y in 0..by {
                threads.extend((0..bx).map(|x| words([x, y, z])));
            }
        }
        let n = threads.len();
        let always = self.terms.bool(true);
        let kernel = self.program.proc(proc);
        let mut vars = vec![vec![None; n]; kernel.vars.len()];
        for (var, arg) in kernel.params.iter().zip(args) {
            vars[var.0 as usize] = vec![arg.clone(); n];
        }
        self.memory.forget_block();
        self.block = Block {
            number,
            index,
            block_extent,
            grid_extent,
            threads,
            alive: vec![always; n],
            frames: vec![Frame { proc, vars }],
            intervals: [0; 2],
            of_warps: vec![0; n.div_ceil(super::accesses::WARP as usize)],
            has_written: false,
            n_obligations: self.obligations.len(),
        };
        let body = kernel.body.clone();
        self.execute(&body, &vec![made; n])?;
        self.keep_apart(&|place| matches!(place, Place::Shared(_)), kernel.span)
    }

    /// Requires that accesses to these places do not race.
    fn keep_apart(&mut self, wanted: &dyn Fn(Place) -> bool, span: Span) -> Followed<()> {
        let Some(apart) = self.accesses.apart(self.terms, wanted) else {
            return unfollowed("too many accesses to be compared", span);
        };
        let always = self.terms.bool(true);
        for one in apart {
            let line = one.second.line;
            let otherwise = |_: &Run<'_>| format!("a data race with line {line}");
            self.oblige(always, one.cond, otherwise, one.first)?;
        }
        Ok(())
    }

    fn argument(
        &mut self,
        arg: &Arg,
        ty: gridlock_semantics::algebra::types::Type,
        unknown: Option<&str>,
        span: Span,
    ) -> Followed<Held> {
        let known = match arg {
            Arg::Scalar(value) => match (unknown, ty.scalar()) {
                (Some(name), Some(scalar)) => {
                    let term = self.terms.intern(crate::terms::term::Node::Apply {
                        function: Function::Argument(name.into()),
                        result: crate::machine::value::sort_of(scalar),
                        args: smallvec![],
                    });
                    Known::Scalar(term)
                }
                _ => return self.of_value(*value, span),
            },
            Arg::Array(index) => self.points_to(Place::Argument(*index)),
            Arg::Null => self.points_to(Place::Null),
        };
        Ok(Some(self.certain(known)))
    }

    pub fn points_to(&mut self, place: Place) -> Known {
        let guard = self.terms.bool(true);
        let offset = self.terms.bits(64, 0);
        Known::Pointer(vec![super::value::Target {
            guard,
            place,
            offset,
        }])
    }

    /// A constant.
    pub fn of_value(&mut self, value: Constant, span: Span) -> Followed<Held> {
        let term = match value {
            Constant::Undef => return Ok(None),
            Constant::Bool(b) => self.terms.bool(b),
            Constant::Int(ty, bits) => self.terms.bits(ty.bits(), bits),
            Constant::F32(bits) => self.terms.bits(32, u64::from(bits)),
            Constant::F64(bits) => self.terms.bits(64, bits),
            Constant::Pointer(pointer)
                if pointer.array == gridlock_semantics::algebra::value::ArrayRef::Null =>
            {
                let null = self.points_to(Place::Null);
                return Ok(Some(self.certain(null)));
            }
            Constant::Pointer(_) => return unfollowed("a pointer constant", span),
        };
        Ok(Some(self.certain(Known::Scalar(term))))
    }

    /// Requires that `cond` holds where `guard` does: else there is a defect. Of a generic thread that is asked
    /// elsewhere ([`crate::kernel`]).
    pub fn oblige(
        &mut self,
        guard: TermId,
        cond: TermId,
        otherwise: impl FnOnce(&Self) -> String,
        span: Span,
    ) -> Followed<()> {
        match self.generic {
            Some(_) => Ok(()),
            None => self.require(guard, cond, otherwise, span),
        }
    }

    /// Requires that `cond` holds where `guard` does.
    pub fn require(
        &mut self,
        guard: TermId,
        cond: TermId,
        otherwise: impl FnOnce(&Self) -> String,
        span: Span,
    ) -> Followed<()> {
        let guard = self.in_context(guard);
        let cond = self.terms.implies(guard, cond);
        match self.terms.as_bool(cond) {
            Some(true) => Ok(()),
            Some(false) => unfollowed(otherwise(self), span),
            None => {
                if self.obliged.insert(cond) {
                    let otherwise = otherwise(self);
                    self.obligations.push(Obligation {
                        cond,
                        otherwise,
                        span,
                    });
                }
                Ok(())
            }
        }
    }

    /// Whether the block has changed no memory of others, and nothing is required of it yet.
    pub fn is_at_first(&self) -> bool {
        !self.block.has_written && self.obligations.len() == self.block.n_obligations
    }

    /// Counts what the run costs.
    /// How many it has made: operators by one thread each.
    pub fn steps_made(&self) -> u64 {
        self.most_steps - self.steps_left
    }

    pub fn spend(&mut self, steps: u64, span: Span) -> Followed<()> {
        let before = self.steps_left;
        self.steps_left = match before.checked_sub(steps) {
            Some(left) => left,
            None => return unfollowed("a run of too many steps for unknown inputs", span),
        };
        let is_looked_at = before / STEPS_A_LOOK != self.steps_left / STEPS_A_LOOK;
        if is_looked_at && Instant::now() >= self.deadline {
            return unfollowed("a run on unknown inputs that takes too long", span);
        }
        Ok(())
    }

    /// Notes an access by a thread of the block.
    pub fn note(
        &mut self,
        place: Place,
        cell: TermId,
        thread: usize,
        mode: Mode,
        guard: TermId,
        span: Span,
    ) -> Followed<()> {
        if self.terms.as_bool(guard) == Some(false) {
            return Ok(());
        }
        if self.generic.is_some() {
            self.note_generic(place, cell, guard);
            return Ok(());
        }
        if self.host.is_running {
            return self.host_uses(place, cell, mode, span);
        }
        let interval = match self.space(place) {
            Space::Private => return Ok(()),
            Space::Shared => self.block.intervals[0],
            _ => self.block.intervals[1],
        };
        self.block.has_written |= mode != Mode::Read;
        let thread = thread as u32;
        let access = Access {
            mode,
            guard,
            span,
            when: When {
                block: self.block.number,
                thread,
                interval,
                of_warp: self.block.of_warps[(thread / super::accesses::WARP) as usize],
            },
        };
        match self.terms.as_bits(cell) {
            Some(cell) => self.accesses.add(place, cell as i64, access),
            None => self.accesses.add_somewhere(place, cell, access),
        }
        Ok(())
    }

    /// A thread returns: what it did since its last barrier is in no order with what others do after the next.
    pub fn leave(&mut self, at: At) {
        let thread = at.thread as u32;
        for (memory, interval) in [(Memories::Shared, 0), (Memories::Global, 1)] {
            let left = Left {
                block: self.block.number,
                thread,
                memory,
                interval: self.block.intervals[interval],
            };
            self.accesses.leave(self.terms, left, at.guard);
        }
    }

    pub fn frame(&self) -> &Frame {
        self.block
            .frames
            .last()
            .expect("a running block has a frame")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.block
            .frames
            .last_mut()
            .expect("a running block has a frame")
    }
}
