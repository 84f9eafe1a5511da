//! A program's own names: arrays, places in the source, threads and blocks by coordinates.

use crate::replay::explain::is_made_by_front_end;
use crate::report::site::Site;
use crate::system::ExploredProgram;
use crate::system::array_name::{array_name, declared_in, space_of};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;
use gridlock_semantics::print;
use gridlock_semantics::print::array_names::{ArrayNames, Spoken};
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Looks names up in the program that runs.
pub struct Words<'a> {
    program: &'a Program,
    ops: FxHashMap<OpId, (ProcId, &'a Arc<Op>)>,
    arrays: ArrayNames<'a>,
}

impl<'a> Words<'a> {
    /// Those of a system that runs.
    pub fn of(system: &'a ExploredProgram) -> Words<'a> {
        let entry = system.system().context().setup.entry;
        Words::new(system.program(), entry)
    }

    /// Those of a run that starts at `entry`.
    pub fn new(program: &'a Program, entry: ProcId) -> Words<'a> {
        let operators = program.operators().into_iter();
        Words {
            program,
            ops: operators.map(|(proc, op)| (op.id, (proc, op))).collect(),
            arrays: ArrayNames::new(program, entry),
        }
    }

    pub fn program(&self) -> &'a Program {
        self.program
    }

    pub fn op(&self, op: OpId) -> Option<&'a Arc<Op>> {
        self.ops.get(&op).map(|(_, op)| *op)
    }

    /// The procedure an operator stands in.
    pub fn proc(&self, op: OpId) -> Option<ProcId> {
        self.ops.get(&op).map(|(proc, _)| *proc)
    }

    pub fn span(&self, op: OpId) -> Span {
        self.ops.get(&op).map_or(Span::NONE, |(_, op)| op.span)
    }

    /// `tree_sum.cu:12`, or the operator itself where it stands nowhere.
    pub fn place(&self, op: OpId) -> String {
        let span = self.span(op);
        if span.is_none() {
            format!("`{}`", self.text(op))
        } else {
            format!("{}:{}", self.program.file_name(span), span.line)
        }
    }

    /// The operator as it stands in its line of the source, or in our own notation.
    pub fn text(&self, op: OpId) -> String {
        let span = self.span(op);
        let file = self.program.files.get(span.file.0 as usize);
        let line =
            file.and_then(|file| file.text.lines().nth((span.line as usize).checked_sub(1)?));
        if let Some(line) = line.map(str::trim).filter(|line| !line.is_empty()) {
            return line.trim_end_matches(';').to_owned();
        }
        self.notation(op)
    }

    /// The operator in our own notation, its first line.
    pub fn notation(&self, op: OpId) -> String {
        let Some((proc, op)) = self.ops.get(&op) else {
            return String::new();
        };
        let text = print::operator_as_written(self.program, *proc, op);
        let first = text.lines().next().unwrap_or_default();
        first.trim().trim_end_matches(';').to_owned()
    }

    /// The cell an operator accesses, `cell[t + s]`, as the source has it; `None` where it accesses none by a
    /// pointer, or the source has no name for what it is found by.
    pub fn cell(&self, op: OpId) -> Option<String> {
        let found = self.ops.get(&op).and_then(|(proc, op)| match &op.kind {
            OpKind::Basic(
                Basic::Load { pointer, .. }
                | Basic::Store { pointer, .. }
                | Basic::Atomic { pointer, .. },
            ) => Some((*proc, Expr::load(pointer.clone())?)),
            _ => None,
        });
        let (proc, cell) = found?;
        let mut is_the_users = true;
        cell.walk(&mut |node| {
            if let ExprKind::Var(var) = node.kind {
                is_the_users &= self.variable(op, i64::from(var.0)).is_some();
            }
        });
        is_the_users.then(|| {
            let text = print::expr_as_written(self.program, proc, &cell);
            self.program.in_source_names(&text)
        })
    }

    /// Whether a pointer is made of the declared array of that name.
    pub fn points_into(&self, pointer: &Expr, array: &str) -> bool {
        let mut found = false;
        pointer.walk(&mut |e| {
            if let ExprKind::ArrayBase(id) = e.kind {
                found |= &*self.program.array(id).name == array;
            }
        });
        found
    }

    /// The number of elements that an operator asks a pointer to be a multiple of, as an access through a
    /// wider type does.
    pub fn asks_alignment(&self, op: OpId) -> Option<u32> {
        let OpKind::Basic(Basic::Assert { cond }) = &self.op(op)?.kind else {
            return None;
        };
        match cond.kind {
            ExprKind::Math(MathFn::Aligned(elements), ref args) => {
                let is_pointer = args.iter().any(|arg| arg.ty.pointer().is_some());
                is_pointer.then_some(elements)
            }
            _ => None,
        }
    }

    /// Whether an operator gives memory back.
    pub fn frees(&self, op: OpId) -> bool {
        let found = self.ops.get(&op);
        found.is_some_and(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::Free { .. })))
    }

    /// Whether an operator writes a cell back as it is, for a bit-field beside it.
    pub fn writes_back(&self, op: OpId) -> bool {
        let found = self.op(op);
        found.is_some_and(|op| matches!(&op.kind, OpKind::Basic(basic) if basic.writes_back()))
    }

    /// Whether an operator is a barrier to which all have to bring the same values.
    pub fn brings_values(&self, op: OpId) -> bool {
        self.ops.get(&op).is_some_and(|(_, op)| {
            matches!(&op.kind, OpKind::Basic(Basic::Barrier { agreed, .. }) if !agreed.is_empty())
        })
    }

    /// The name of a variable of the procedure an operator stands in; `None` for one the translation
    /// made.
    pub fn variable(&self, op: OpId, var: i64) -> Option<&str> {
        let (proc, _) = self.ops.get(&op)?;
        let declared = self
            .program
            .proc(*proc)
            .vars
            .get(usize::try_from(var).ok()?)?;
        let is_made = *declared.name == *format!("t{var}") || is_made_by_front_end(&declared.name);
        (!is_made).then(|| self.program.source_name(&declared.name))
    }

    /// An element of an array as the source writes it.
    pub fn element<'n>(&self, array: impl Into<Spoken<'n>>, index: i64) -> String {
        self.arrays.cell(array, index)
    }

    /// The element of an array of that name that an operator accesses.
    pub fn element_at(&self, op: OpId, array: &str, index: i64) -> String {
        self.element((array, self.declared_at(op, array)), index)
    }

    /// What a pointer to an element points to, as the source writes it.
    pub fn object<'n>(&self, array: impl Into<Spoken<'n>>, index: i64) -> String {
        self.arrays.object(array, index)
    }

    /// What an array that an operator accesses is called in the source, and how many elements of that so many cells
    /// are.
    pub fn elements_at(&self, op: OpId, array: &str, cells: u64) -> (String, u64) {
        self.arrays
            .elements((array, self.declared_at(op, array)), cells)
    }

    fn declared_at(&self, op: OpId, array: &str) -> Option<ArrayId> {
        let (_, op) = self.ops.get(&op)?;
        declared_in(self.program, op, array)
    }

    /// The name of an array of a run; `state` is one in which it is there.
    pub fn array(&self, state: &State, array: ArrayRef) -> String {
        array_name(self.program, state, array)
    }

    pub fn space(&self, state: &State, array: ArrayRef) -> Option<Space> {
        space_of(state, array)
    }

    /// Where an operator stands and who is there.
    pub fn site(&self, op: Option<OpId>, actor: Actor, launch: Option<&Launch>) -> Site {
        let span = op.map_or(Span::NONE, |op| self.span(op));
        let (thread, block) = coordinates(actor, launch);
        Site {
            file: self.program.file_name(span).to_owned(),
            line: span.line,
            column: span.column,
            thread,
            block,
            mode: None,
            who: (thread.is_none() && block.is_none() && actor != Actor::Host)
                .then(|| who(actor, launch)),
            state: String::new(),
        }
    }

    pub fn access_site(&self, access: &Access, launch: Option<&Launch>) -> Site {
        Site {
            mode: Some(access.mode),
            ..self.site(Some(access.op), access.actor, launch)
        }
    }
}

/// Thread and block coordinates of an actor.
pub fn coordinates(actor: Actor, launch: Option<&Launch>) -> (Option<[u32; 3]>, Option<[u32; 3]>) {
    let Some(launch) = launch else {
        return (None, None);
    };
    match actor {
        Actor::Thread { block, thread } => (
            Some(Launch::coordinates(launch.block, thread)),
            Some(Launch::coordinates(launch.grid, block)),
        ),
        Actor::Block(block) => (None, Some(Launch::coordinates(launch.grid, block))),
        _ => (None, None),
    }
}

/// `thread (1,0,0) of block (0,0,0)`; without the block where the launch has one only.
pub fn who(actor: Actor, launch: Option<&Launch>) -> String {
    let one_block = launch.is_some_and(|launch| launch.n_blocks() == 1);
    match (actor, coordinates(actor, launch)) {
        (Actor::Host, _) => "the host".to_owned(),
        (Actor::HostThread(number), _) => format!("host thread {number}"),
        (Actor::Stream(handle), _) => format!("stream {handle}"),
        (Actor::DefaultStream(0), _) => "the default stream".to_owned(),
        (Actor::DefaultStream(device), _) => format!("the default stream of device {device}"),
        (Actor::PerThreadStream(0), _) => "the per-thread default stream".to_owned(),
        (Actor::PerThreadStream(device), _) => {
            format!("the per-thread default stream of device {device}")
        }
        (Actor::Device, _) => "the device".to_owned(),
        (_, (Some(thread), Some(_))) if one_block => format!("thread {}", triple(thread)),
        (_, (Some(thread), Some(block))) => {
            format!("thread {} of block {}", triple(thread), triple(block))
        }
        (_, (None, Some(block))) => format!("block {}", triple(block)),
        _ => crate::system::actor_text(&actor),
    }
}

pub fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// What an access does, as a verb.
pub fn verb(mode: AccessMode) -> &'static str {
    match mode {
        AccessMode::Read => "reads",
        AccessMode::Write => "writes",
        AccessMode::Atomic => "atomically updates",
        AccessMode::AtomicRead => "atomically reads",
    }
}

/// The launch in progress.
pub fn launch_of(system: &ExploredProgram, state: &State) -> Option<Launch> {
    let running = state.device.as_ref().map(|grid| grid.launch);
    running.or(system.system().context().setup.launch)
}

/// Several actors: `thread (3,0,0)`, `threads (0,0,0) to (15,0,0)`, `7 threads, the first (2,0,0)`.
pub fn group_name(actors: &[Actor], launch: Option<&Launch>) -> String {
    let [first, .., last] = actors else {
        return actors
            .first()
            .map_or(String::new(), |actor| who(*actor, launch));
    };
    let ids: Vec<(u32, u32)> = actors
        .iter()
        .filter_map(|actor| match actor {
            Actor::Thread { block, thread } => Some((*block, *thread)),
            _ => None,
        })
        .collect();
    let in_a_row = ids
        .windows(2)
        .all(|w| w[0].0 == w[1].0 && w[0].1 + 1 == w[1].1);
    let name = |actor: &Actor| match coordinates(*actor, launch).0 {
        Some(thread) => triple(thread),
        None => who(*actor, launch),
    };
    if in_a_row && ids.len() == actors.len() {
        let several = launch.is_some_and(|launch| launch.n_blocks() > 1);
        let block = match coordinates(*first, launch).1 {
            Some(block) if several => format!(" of block {}", triple(block)),
            _ => String::new(),
        };
        format!("threads {} to {}{block}", name(first), name(last))
    } else {
        format!(
            "{} threads, the first {},",
            actors.len(),
            who(*first, launch)
        )
    }
}
