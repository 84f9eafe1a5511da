//! What one transition computes from what, and what decides about it.

use super::doubt::Doubt;
use super::place::{At, ValuePlace};
use super::range::{is_decided, range};
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Effect, Op, OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::host::State;
use gridlock_semantics::thread::{Head, ThreadState};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Actor, Label, Rule};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One transition.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// What decides whether it can be taken, where it leads, and which cells it reaches.
    decides: Vec<ValuePlace>,
    /// What is written, and what from. Everything else that is written is made of what decides.
    writes: Vec<(ValuePlace, Vec<ValuePlace>)>,
    /// What it depends on is not followed.
    is_opaque: bool,
}

impl Flow {
    /// Follows values through the transition: `reached` are the places they are in, each with where
    /// it comes from.
    pub fn follow(&self, reached: &mut FxHashMap<ValuePlace, ValuePlace>) -> Result<(), Doubt> {
        if reached.is_empty() {
            return Ok(());
        }
        if self.is_opaque {
            return Err(Doubt::Differs);
        }
        if let Some(from) = self.decides.iter().find_map(|place| reached.get(place)) {
            return Err(Doubt::Decides(*from));
        }
        let source = |(to, sources): &(ValuePlace, Vec<ValuePlace>)| {
            let from = sources.iter().find_map(|place| reached.get(place));
            (*to, from.copied())
        };
        let written: Vec<(ValuePlace, Option<ValuePlace>)> =
            self.writes.iter().map(source).collect();
        for (to, from) in written {
            match from {
                Some(from) => reached.insert(to, from),
                None => reached.remove(&to),
            };
        }
        Ok(())
    }
}

/// Tells of each transition of a system what it computes from what.
pub struct Flows<'a> {
    program: &'a Program,
    ops: FxHashMap<OpId, &'a Arc<Op>>,
}

impl<'a> Flows<'a> {
    pub fn new(system: &'a ExploredProgram) -> Flows<'a> {
        let program: &Program = system.program();
        let ops = program.operators().into_iter();
        Flows {
            program,
            ops: ops.map(|(_, op)| (op.id, op)).collect(),
        }
    }

    /// Of a transition out of `before`.
    pub fn of(&self, before: &State, label: &Label) -> Flow {
        let single = self.single(before, label);
        single.unwrap_or_else(|| self.joint(before, label))
    }

    /// A step of one thread by itself.
    fn single(&self, before: &State, label: &Label) -> Option<Flow> {
        let ([Actor::Thread { block, thread }], Some(op)) = (label.actors.as_slice(), label.op)
        else {
            return None;
        };
        let (block, thread) = (*block, *thread);
        let state = thread_of(before, block, thread)?;
        let at = At {
            block,
            thread,
            frame: state.frames.len().checked_sub(1)? as u32,
        };
        let op = self.ops.get(&op)?;
        let mut reading = Reading {
            program: self.program,
            state,
            at,
            cells: cells(label, at, |mode| mode == AccessMode::Read),
            flow: Flow::default(),
            copied: Vec::new(),
        };
        match (label.rule, &op.kind) {
            (Rule::R2, OpKind::If { cond, .. }) | (Rule::R3, OpKind::While { cond, .. }) => {
                reading.decides(cond);
            }
            (Rule::R4, OpKind::Call { proc, args, .. }) => {
                let callee = At {
                    frame: at.frame + 1,
                    ..at
                };
                let n_vars = self.program.proc(*proc).vars.len();
                for var in 0..n_vars {
                    let sources = args.get(var).map(|arg| reading.copies(arg));
                    let to = ValuePlace::Var {
                        at: callee,
                        var: VarId(var as u32),
                    };
                    reading.flow.writes.push((to, sources.unwrap_or_default()));
                }
                (reading.flow.writes).push((ValuePlace::Iterations(callee), Vec::new()));
            }
            (Rule::R5, OpKind::Call { .. }) => {
                let frame = state.frames.last()?;
                let caller = At {
                    frame: at.frame.checked_sub(1)?,
                    ..at
                };
                if let Some(var) = frame.result_to {
                    let given = self.program.proc(frame.proc).result;
                    let from = given.map(|var| ValuePlace::Var { at, var });
                    let to = ValuePlace::Var { at: caller, var };
                    reading.flow.writes.push((to, from.into_iter().collect()));
                }
                // Nothing of the callee is there any more.
                for var in 0..frame.vars.len() as u32 {
                    let var = VarId(var);
                    reading
                        .flow
                        .writes
                        .push((ValuePlace::Var { at, var }, Vec::new()));
                }
                (reading.flow.writes).push((ValuePlace::Iterations(at), Vec::new()));
            }
            (Rule::R1, OpKind::Basic(basic)) => reading.basic(basic, label)?,
            _ => return None,
        }
        Some(reading.flow)
    }

    /// Any other: it may depend on all that the threads of the block bring to where they stand.
    fn joint(&self, before: &State, label: &Label) -> Flow {
        let mut flow = Flow::default();
        let mut blocks: Vec<u32> = Vec::new();
        for actor in &label.actors {
            match actor {
                Actor::Thread { block, .. } | Actor::Block(block) => blocks.push(*block),
                _ => flow.is_opaque = true,
            }
        }
        let n_blocks = before.device.as_ref().map_or(0, |grid| grid.blocks.len());
        if label.rule == Rule::GridBarrier {
            blocks = (0..n_blocks as u32).collect();
        }
        blocks.sort_unstable();
        blocks.dedup();
        for access in &label.accesses {
            match access.actor {
                Actor::Thread { block, .. } => {
                    flow.decides.extend(cell(block, access.array, access.index));
                }
                _ => flow.is_opaque = true,
            }
        }
        for block in blocks {
            let threads = before.device.iter().flat_map(|grid| {
                let block = grid.blocks.get(block as usize);
                block.into_iter().flat_map(|block| block.threads.iter())
            });
            for (state, thread) in threads.zip(0..) {
                for frame in 0..state.frames.len() as u32 {
                    let at = At {
                        block,
                        thread,
                        frame,
                    };
                    flow.decides.push(ValuePlace::Iterations(at));
                }
                let (Head::Op(op), Some(frame)) = (state.head(), state.frames.len().checked_sub(1))
                else {
                    continue;
                };
                let at = At {
                    block,
                    thread,
                    frame: frame as u32,
                };
                for expr in op.expressions() {
                    flow.is_opaque |= expr.has_load();
                    variables(expr, at, &mut flow.decides);
                }
            }
        }
        flow
    }
}

fn thread_of(state: &State, block: u32, thread: u32) -> Option<&ThreadState> {
    let block = state.device.as_ref()?.blocks.get(block as usize)?;
    block.threads.get(thread as usize).map(|thread| &**thread)
}

fn variables(expr: &Expr, at: At, places: &mut Vec<ValuePlace>) {
    expr.walk(&mut |part| {
        if let ExprKind::Var(var) = part.kind {
            places.push(ValuePlace::Var { at, var });
        }
    });
}

/// The cell behind a run-time array; `None` of private ones, which are followed as a whole.
fn cell(block: u32, array: ArrayRef, index: i64) -> Option<ValuePlace> {
    match array {
        ArrayRef::Shared(array) => Some(ValuePlace::Shared {
            block,
            array,
            index,
        }),
        ArrayRef::Global(_) | ArrayRef::Host(_) => Some(ValuePlace::Memory { array, index }),
        ArrayRef::Null | ArrayRef::Private(_) => None,
    }
}

fn cells(label: &Label, at: At, is_meant: impl Fn(AccessMode) -> bool) -> Vec<ValuePlace> {
    let meant = label.accesses.iter().filter(|access| is_meant(access.mode));
    let cells = meant.filter_map(|access| cell(at.block, access.array, access.index));
    cells.collect()
}

/// One thread's step being read.
struct Reading<'a> {
    program: &'a Program,
    state: &'a ThreadState,
    at: At,
    /// What it reads of memory others could reach, but for atomics.
    cells: Vec<ValuePlace>,
    flow: Flow,
    /// What the value being read is computed from.
    copied: Vec<ValuePlace>,
}

impl Reading<'_> {
    fn var(&self, var: VarId) -> ValuePlace {
        ValuePlace::Var { at: self.at, var }
    }

    /// What an expression's value is computed from. What decides whether it has one goes with what decides.
    fn copies(&mut self, expr: &Expr) -> Vec<ValuePlace> {
        self.value(expr);
        std::mem::take(&mut self.copied)
    }

    /// `None` for operators that are none of one thread alone.
    fn basic(&mut self, basic: &Basic, label: &Label) -> Option<()> {
        match basic {
            Basic::Assign { var, value } => {
                let sources = self.copies(value);
                self.flow.writes.push((self.var(*var), sources));
            }
            Basic::Load { var, pointer } => {
                self.decides(pointer);
                self.loaded(pointer);
                let sources = std::mem::take(&mut self.copied);
                self.flow.writes.push((self.var(*var), sources));
            }
            // What is written back is what was there.
            Basic::Store { pointer, .. } if basic.writes_back() => self.decides(pointer),
            Basic::Store { pointer, value } => {
                self.decides(pointer);
                let mut sources = self.copies(value);
                let written = cells(label, self.at, |mode| mode == AccessMode::Write);
                let to = self.target(pointer, &written)?;
                if matches!(to, ValuePlace::Private { .. }) {
                    sources.push(to);
                }
                self.flow.writes.push((to, sources));
            }
            Basic::Atomic {
                function,
                pointer,
                operands,
                result,
                ..
            } => {
                self.decides(pointer);
                let mut sources = Vec::new();
                for operand in operands {
                    sources.extend(self.copies(operand));
                }
                let to = self.target(pointer, &cells(label, self.at, AccessMode::is_atomic))?;
                if *function != AtomicFn::Exch || matches!(to, ValuePlace::Private { .. }) {
                    sources.push(to);
                }
                self.flow.writes.push((to, sources));
                if let Some(result) = result {
                    self.flow.writes.push((self.var(*result), vec![to]));
                }
            }
            Basic::Assert { cond } | Basic::Assume { cond } => self.decides(cond),
            _ => match basic.effect() {
                // Its values go nowhere.
                Effect::Private => basic.expressions().into_iter().for_each(|expr| {
                    self.copies(expr);
                }),
                Effect::Orders => {}
                _ => return None,
            },
        }
        Some(())
    }

    /// The place that is written, which the label tells unless it is private.
    fn target(&self, pointer: &Expr, written: &[ValuePlace]) -> Option<ValuePlace> {
        match (self.array(pointer)?, written) {
            (ArrayRef::Private(array), []) => Some(self.private(array)),
            (_, [only]) => Some(*only),
            _ => None,
        }
    }

    fn private(&self, array: gridlock_semantics::algebra::ids::ArrayId) -> ValuePlace {
        ValuePlace::Private {
            block: self.at.block,
            thread: self.at.thread,
            array,
        }
    }

    /// Which array a pointer points into.
    fn array(&self, pointer: &Expr) -> Option<ArrayRef> {
        match &pointer.kind {
            ExprKind::Offset(base, _) => self.array(base),
            ExprKind::Cast(inner) if inner.ty.pointer().is_some() => self.array(inner),
            ExprKind::Var(var) => match self.state.frames.last()?.vars.get(var.0 as usize)? {
                Value::Pointer(pointer) => Some(pointer.array),
                _ => None,
            },
            ExprKind::ArrayBase(array) => match self.program.arrays[array.0 as usize].space {
                Space::Private => Some(ArrayRef::Private(*array)),
                Space::Shared => Some(ArrayRef::Shared(*array)),
                // Which number it has at run time does not matter: the label tells the cell.
                Space::Global | Space::Constant => Some(ArrayRef::Global(0)),
                Space::Host => Some(ArrayRef::Host(0)),
            },
            _ => None,
        }
    }

    /// What is read through a pointer is copied.
    fn loaded(&mut self, pointer: &Expr) {
        match self.array(pointer) {
            Some(ArrayRef::Private(array)) => self.copied.push(self.private(array)),
            Some(_) => self.copied.extend(&self.cells),
            // It may point into a private array.
            None => self.flow.is_opaque = true,
        }
    }

    /// All that an expression reads decides, but for operands of comparisons that come out the same
    /// whatever they are.
    fn decides(&mut self, expr: &Expr) {
        if let ExprKind::Binary(op, a, b) = &expr.kind
            && op.is_comparison()
            && self.is_compared_in_vain(*op, a, b)
        {
            return;
        }
        match &expr.kind {
            ExprKind::Var(var) => self.flow.decides.push(self.var(*var)),
            ExprKind::Load(pointer) => {
                let kept = std::mem::take(&mut self.copied);
                self.loaded(pointer);
                let read = std::mem::replace(&mut self.copied, kept);
                self.flow.decides.extend(read);
            }
            _ => {}
        }
        for operand in expr.operands() {
            self.decides(operand);
        }
    }

    /// Whether a comparison does not depend on both of its operands; what it does depend on is noted.
    fn is_compared_in_vain(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        let ranges =
            |x: Option<&ThreadState>, y: Option<&ThreadState>| Some((range(a, x)?, range(b, y)?));
        let now = Some(self.state);
        let decided = |found: Option<_>| found.is_some_and(|(a, b)| is_decided(op, a, b));
        if decided(ranges(None, None)) {
            self.is_total(a);
            self.is_total(b);
        } else if decided(ranges(None, now)) {
            self.is_total(a);
            self.decides(b);
        } else if decided(ranges(now, None)) {
            self.decides(a);
            self.is_total(b);
        } else {
            return false;
        }
        true
    }

    /// Notes what decides whether an expression has a value, and nothing else.
    fn is_total(&mut self, expr: &Expr) {
        let kept = std::mem::take(&mut self.copied);
        self.value(expr);
        self.copied = kept;
    }

    /// Notes what an expression's value is computed from, by operators that have a value whatever
    /// numbers they are given; operands of the others decide.
    fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Builtin(_) | ExprKind::ArrayBase(_) => {}
            ExprKind::Var(var) => self.copied.push(self.var(*var)),
            ExprKind::Unary(_, a) => self.value(a),
            ExprKind::Cast(a) if is_total_cast(a.ty, expr.ty) => self.value(a),
            ExprKind::Binary(op, a, b) if op.is_comparison() && is_scalar(a) && is_scalar(b) => {
                if !self.is_compared_in_vain(*op, a, b) {
                    self.value(a);
                    self.value(b);
                }
            }
            ExprKind::Binary(op, a, b) if is_total_on(*op, a.ty) => {
                self.value(a);
                self.value(b);
            }
            // The left operand says whether the right one is evaluated, which may have no value.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.decides(a);
                self.value(b);
            }
            ExprKind::Binary(op, a, b) if has_safe_operand(*op, a.ty, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, b) => {
                self.value(a);
                self.decides(b);
            }
            ExprKind::Select(cond, then, otherwise) => {
                self.decides(cond);
                self.value(then);
                self.value(otherwise);
            }
            ExprKind::Math(
                MathFn::Min
                | MathFn::Max
                | MathFn::PopCount
                | MathFn::FindFirstSet
                | MathFn::CountLeadingZeros
                | MathFn::ReverseBits,
                operands,
            ) => operands.iter().for_each(|operand| self.value(operand)),
            ExprKind::Load(pointer) => {
                self.decides(pointer);
                self.loaded(pointer);
            }
            _ => self.decides(expr),
        }
    }
}

fn is_scalar(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Scalar(_))
}

/// Whether an operator has a value on any two numbers of a type.
fn is_total_on(op: BinaryOp, ty: Type) -> bool {
    use BinaryOp::*;
    let Type::Scalar(ty) = ty else {
        return false;
    };
    match op {
        Add | Sub | Mul => ty != ScalarType::Bool,
        BitAnd | BitOr | BitXor => !ty.is_float(),
        Div => ty.is_float(),
        _ => false,
    }
}

/// Whether a quotient or a shift has a value because its right operand is never one that has none.
fn has_safe_operand(op: BinaryOp, ty: Type, right: &Expr) -> bool {
    use BinaryOp::*;
    let (Type::Scalar(ty), Some((least, most))) = (ty, range(right, None)) else {
        return false;
    };
    match op {
        Div | Rem => least > 0 || most < -1,
        Shl | Shr => least >= 0 && most < i128::from(ty.bits()),
        _ => false,
    }
}

/// Whether a conversion between scalars has a value for any number: not a float's to an integer.
fn is_total_cast(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Scalar(from), Type::Scalar(to)) => !from.is_float() || to.is_float(),
        _ => false,
    }
}
