//! Expressions of the program that runs in the words of the source, and the values of what they
//! read. The program that runs is in atomic form: what a temporary stands for is put back.

use crate::replay::explain::trail::Track;
use crate::replay::words::Words;
use crate::report::explanation::{Named, SourcePlace};
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::algebra::program::{Form, Program};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::host::State;
use gridlock_semantics::print;
use gridlock_semantics::thread::ThreadState;
use gridlock_semantics::thread::view::{Device, Reading, View};
use gridlock_semantics::transition::Actor;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Values shown of one moment.
const MOST_VALUES: usize = 10;

/// How deep temporaries of temporaries are put back.
const MOST_NESTED: usize = 8;

/// The program that runs, looked up.
pub struct Names<'a> {
    pub words: Words<'a>,
    program: &'a Program,
    ops: FxHashMap<OpId, (ProcId, &'a Arc<Op>)>,
    /// The branch or loop around an operator.
    around: FxHashMap<OpId, OpId>,
    /// What makes a temporary.
    temporaries: FxHashMap<(ProcId, VarId), &'a Arc<Op>>,
}

impl<'a> Names<'a> {
    /// `given`: the program before it was put into the form that runs.
    pub fn new(system: &'a ExploredProgram, given: &Program) -> Names<'a> {
        let program = system.program();
        let mut ops = FxHashMap::default();
        let mut temporaries = FxHashMap::default();
        for (proc, op) in program.operators() {
            ops.insert(op.id, (proc, op));
            if let OpKind::Basic(basic @ (Basic::Load { .. } | Basic::Assign { .. })) = &op.kind
                && let Some(var) = basic.assigned()
                && is_temporary(program, given, proc, var)
            {
                temporaries.entry((proc, var)).or_insert(op);
            }
        }
        let mut around = FxHashMap::default();
        for proc in &program.procs {
            enclose(&proc.body, None, &mut around);
        }
        Names {
            words: Words::of(system),
            program,
            ops,
            around,
            temporaries,
        }
    }

    pub fn op(&self, op: OpId) -> Option<&'a Arc<Op>> {
        self.ops.get(&op).map(|(_, op)| *op)
    }

    pub fn is_known(&self, op: OpId) -> bool {
        self.ops.contains_key(&op)
    }

    pub fn place(&self, op: OpId) -> SourcePlace {
        let span = self.words.span(op);
        SourcePlace {
            file: self.program.file_name(span).to_owned(),
            line: span.line,
        }
    }

    pub fn frees(&self, op: OpId) -> bool {
        let found = self.op(op);
        found.is_some_and(|op| matches!(op.kind, OpKind::Basic(Basic::Free { .. })))
    }

    /// The calls a thread stands in, outermost first.
    pub fn calls(&self, thread: &ThreadState) -> Vec<SourcePlace> {
        let calls = thread.frames.iter().filter_map(|frame| frame.call_site);
        calls
            .map(|op| self.place(op))
            .filter(|at| at.line > 0)
            .collect()
    }

    /// The variable a load gives its value to.
    pub fn loads(&self, op: OpId) -> Option<VarId> {
        match self.op(op)?.kind {
            OpKind::Basic(Basic::Load { var, .. }) => Some(var),
            _ => None,
        }
    }

    /// The pointer an operator accesses memory by.
    fn pointer(&self, op: OpId) -> Option<&'a Expr> {
        match &self.op(op)?.kind {
            OpKind::Basic(
                Basic::Load { pointer, .. }
                | Basic::Store { pointer, .. }
                | Basic::Atomic { pointer, .. }
                | Basic::Free { pointer, .. },
            ) => Some(pointer),
            _ => None,
        }
    }

    /// The cell an operator accesses, as the source has it: `s[t + d]`.
    pub fn cell(&self, op: OpId) -> Option<String> {
        let (proc, _) = self.ops.get(&op)?;
        if matches!(self.op(op)?.kind, OpKind::Basic(Basic::Free { .. })) {
            return None;
        }
        let pointer = self.put_back(*proc, self.pointer(op)?, MOST_NESTED);
        self.source_text(*proc, &Expr::load(pointer)?)
    }

    /// The condition of a branch, a loop or an assertion, as the source has it.
    pub fn condition(&self, op: OpId) -> Option<String> {
        let (proc, found) = self.ops.get(&op)?;
        let cond = match &found.kind {
            OpKind::If { cond, .. } | OpKind::While { cond, .. } => cond,
            OpKind::Basic(Basic::Assert { cond } | Basic::Wait { cond }) => cond,
            _ => return None,
        };
        let cond = self.put_back(*proc, cond, MOST_NESTED);
        self.source_text(*proc, &cond)
    }

    /// An expression as text; `None` where it has a name that is not the user's.
    fn source_text(&self, proc: ProcId, expr: &Expr) -> Option<String> {
        let vars = &self.program.proc(proc).vars;
        let mut is_the_users = true;
        expr.walk(&mut |node| {
            if let ExprKind::Var(var) = node.kind {
                let declared = vars.get(var.0 as usize);
                is_the_users &= declared.is_none_or(|var| !is_made_by_front_end(&var.name));
            }
        });
        is_the_users.then(|| {
            let text = print::expr_as_written(self.program, proc, expr);
            self.program.in_source_names(&text)
        })
    }

    /// The expression as a person would write it: its temporaries replaced by what makes them,
    /// without the conversions of C that go without saying.
    fn put_back(&self, proc: ProcId, expr: &Expr, most: usize) -> Expr {
        expr.map(&mut |node| {
            let ExprKind::Var(var) = node.kind else {
                return plain(node);
            };
            let made = self.temporaries.get(&(proc, var)).filter(|_| most > 0);
            let made = made.and_then(|op| match &op.kind {
                OpKind::Basic(Basic::Load { pointer, .. }) => {
                    Expr::load(self.put_back(proc, pointer, most - 1))
                }
                OpKind::Basic(Basic::Assign { value, .. }) => {
                    Some(self.put_back(proc, value, most - 1))
                }
                _ => None,
            });
            made.unwrap_or(node)
        })
    }

    /// The values an actor has for what the operator reads: of the index first, then the other
    /// operands, then the conditions around it.
    pub fn values_at(
        &self,
        system: &ExploredProgram,
        state: &State,
        actor: Actor,
        op: OpId,
        track: &Track,
    ) -> Vec<Named> {
        let mut values = Values::new(self, system, state, actor, track, op);
        if let (Some(values), Some(found)) = (&mut values, self.op(op)) {
            if let Some(pointer) = self.pointer(op) {
                values.of(pointer, MOST_NESTED);
            }
            for expr in found.expressions() {
                values.of(expr, MOST_NESTED);
            }
            let mut at = op;
            while let Some(outer) = self.around.get(&at) {
                at = *outer;
                for expr in self.op(at).into_iter().flat_map(|op| op.expressions()) {
                    values.of(expr, MOST_NESTED);
                }
            }
        }
        values.map_or(Vec::new(), |values| values.found)
    }

    /// The name and the value of a variable that the source has a name for.
    pub fn assigned(
        &self,
        state: &State,
        proc: ProcId,
        var: VarId,
        value: Value,
    ) -> Option<(String, String)> {
        if self.temporaries.contains_key(&(proc, var)) {
            return None;
        }
        let procedure = self.program.proc(proc);
        let declared = procedure.vars.get(var.0 as usize)?;
        if procedure.is_arbitrary(var) {
            return None;
        }
        let name = declared.name.to_string();
        let value = self.shown(state, &name, value)?;
        let source_name = self.program.source_name(&name).to_owned();
        (!is_made_by_front_end(&name)).then_some((source_name, value))
    }

    /// A value in the words of the program; `None` for a pointer parameter that is its array.
    fn shown(&self, state: &State, name: &str, value: Value) -> Option<String> {
        Some(match value {
            Value::Undef => "never assigned".to_owned(),
            Value::Pointer(pointer) if pointer.array != ArrayRef::Null => {
                let array = self.words.array(state, pointer.array);
                if pointer.offset == 0 && array == name {
                    return None;
                }
                format!(
                    "&{}",
                    self.words.object((&*array, pointer.array), pointer.offset)
                )
            }
            value => value.to_string(),
        })
    }

    /// The values an actor has for what a condition reads.
    pub fn values_of_condition(
        &self,
        system: &ExploredProgram,
        state: &State,
        actor: Actor,
        op: OpId,
        track: &Track,
    ) -> Vec<Named> {
        let mut values = Values::new(self, system, state, actor, track, op);
        if let (Some(values), Some(found)) = (&mut values, self.op(op)) {
            for expr in found.expressions() {
                values.of(expr, MOST_NESTED);
            }
        }
        values.map_or(Vec::new(), |values| values.found)
    }
}

/// Integers converted to a type no narrower are shown as they are, and so are constants' types.
fn plain(node: Expr) -> Expr {
    match &node.kind {
        ExprKind::Cast(inner) => match (node.ty.scalar(), inner.ty.scalar()) {
            (Some(to), Some(from))
                if to.is_integer() && from.is_integer() && to.bits() >= from.bits() =>
            {
                (**inner).clone()
            }
            _ => node,
        },
        ExprKind::Const(value @ Value::Int(..)) => {
            let small = value.as_integer().and_then(|n| i32::try_from(n).ok());
            small.map_or(node, Expr::i32)
        }
        _ => node,
    }
}

fn enclose(op: &Arc<Op>, within: Option<OpId>, around: &mut FxHashMap<OpId, OpId>) {
    if let Some(within) = within {
        around.insert(op.id, within);
    }
    let inner = match op.kind {
        OpKind::If { .. } | OpKind::While { .. } => Some(op.id),
        _ => within,
    };
    for child in op.children() {
        enclose(child, inner, around);
    }
}

/// Whether the translation into atomic form made the variable.
fn is_temporary(program: &Program, given: &Program, proc: ProcId, var: VarId) -> bool {
    match given.form {
        Form::Surface => given
            .procs
            .get(proc.0 as usize)
            .is_some_and(|known| var.0 as usize >= known.vars.len()),
        Form::Atomic => {
            let declared = program.proc(proc).vars.get(var.0 as usize);
            declared.is_some_and(|declared| *declared.name == *format!("t{}", var.0))
        }
    }
}

/// Results of calls and operators that the source gives no name.
pub fn is_made_by_front_end(name: &str) -> bool {
    name.strip_prefix("temporary").is_some_and(|rest| {
        let number = rest.strip_prefix('_').unwrap_or(rest);
        number.chars().all(|c| c.is_ascii_digit())
    })
}

/// The values of what expressions read, gathered.
struct Values<'n> {
    names: &'n Names<'n>,
    proc: ProcId,
    reading: Reading<'n>,
    state: &'n State,
    track: &'n Track,
    depth: usize,
    found: Vec<Named>,
}

impl<'n> Values<'n> {
    fn new(
        names: &'n Names<'n>,
        system: &'n ExploredProgram,
        state: &'n State,
        actor: Actor,
        track: &'n Track,
        op: OpId,
    ) -> Option<Values<'n>> {
        let view = view_of(system, state, actor)?;
        let (proc, _) = names.ops.get(&op)?;
        // The operator may be another's: one that enqueued what a stream does now.
        if view.thread.frames.last()?.proc != *proc {
            return None;
        }
        Some(Values {
            names,
            proc: *proc,
            depth: view.thread.frames.len(),
            reading: Reading::new(view),
            state,
            track,
            found: Vec::new(),
        })
    }

    fn of(&mut self, expr: &Expr, most: usize) {
        match &expr.kind {
            ExprKind::Var(var) => self.variable(*var, most),
            ExprKind::Builtin(builtin) => {
                let name = print::expr(self.names.program, self.proc, expr);
                let value = self.reading.builtin(*builtin);
                self.add(name, value.to_string());
            }
            _ => {
                for operand in expr.operands() {
                    self.of(operand, most);
                }
                if let ExprKind::Load(pointer) = &expr.kind {
                    self.loaded(expr, pointer);
                }
            }
        }
    }

    fn variable(&mut self, var: VarId, most: usize) {
        if let Some(made) = self.names.temporaries.get(&(self.proc, var)) {
            if most > 0 {
                for expr in made.expressions() {
                    self.of(expr, most - 1);
                }
            }
            if let Some((cell, value)) = self.track.fetched.get(&(self.depth, var)) {
                let (cell, value) = (cell.clone(), value.to_string());
                self.add(cell, value);
            }
            return;
        }
        let proc = self.names.program.proc(self.proc);
        let Some(declared) = proc.vars.get(var.0 as usize) else {
            return;
        };
        let name = declared.name.to_string();
        if is_made_by_front_end(&name) || proc.is_arbitrary(var) {
            return;
        }
        if let Some(text) = self.names.shown(self.state, &name, self.reading.var(var)) {
            self.add(self.names.program.source_name(&name).to_owned(), text);
        }
    }

    /// A cell read inside an expression: surface forms only.
    fn loaded(&mut self, expr: &Expr, pointer: &Expr) {
        let Ok(Value::Pointer(at)) = eval(pointer, &mut self.reading) else {
            return;
        };
        if let Ok(value) = eval(expr, &mut self.reading) {
            let array = self.names.words.array(self.state, at.array);
            self.add(
                self.names.words.element((&*array, at.array), at.offset),
                value.to_string(),
            );
        }
    }

    fn add(&mut self, name: String, value: String) {
        let named = Named { name, value };
        if self.found.len() < MOST_VALUES && !self.found.contains(&named) {
            self.found.push(named);
        }
    }
}

/// The thread of control of an actor that has one.
pub fn thread_of(state: &State, actor: Actor) -> Option<&Arc<ThreadState>> {
    match actor {
        Actor::Host | Actor::HostThread(_) => state.host_thread(actor),
        Actor::Thread { block, thread } => {
            let block = state.device.as_ref()?.blocks.get(block as usize)?;
            block.threads.get(thread as usize)
        }
        _ => None,
    }
}

/// What an actor sees.
pub fn view_of<'a>(
    system: &'a ExploredProgram,
    state: &'a State,
    actor: Actor,
) -> Option<View<'a>> {
    let thread = thread_of(state, actor)?;
    let device = match actor {
        Actor::Thread { block, thread } => {
            let grid = state.device.as_ref()?;
            Some(Device {
                launch: &grid.launch,
                block,
                thread,
                shared: &grid.blocks.get(block as usize)?.shared,
            })
        }
        _ => None,
    };
    Some(View {
        context: system.system().context(),
        memory: &state.memory,
        thread,
        device,
    })
}
