//! Operators as statements. Ranges are followed along, so that each expression is printed with
//! what is known at its place.

mod control;
mod host_operator;

use crate::error::LoweringError;
use crate::patterns::Term;
use crate::print::address_space::{Instance, called, handed_down};
use crate::print::atomic;
use crate::print::dialect::Dialect;
use crate::print::expression::{Printer, Text, Unprintable};
use crate::print::function::Function;
use crate::print::gpu_pointer::{is_null, kept};
use crate::print::layout::Layout;
use crate::print::liveness::{matters, read_vars};
use crate::print::range::{Known, assigned};
use crate::print::warp;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, Met, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::loops::{counted_loop, reads};
use gridlock_semantics::block::named_barrier::FIRST_OBJECT;
use host_operator::Launch;
use std::sync::Arc;

type Done = Result<(), LoweringError>;

pub(crate) struct Statements<'a> {
    function: &'a Function<'a>,
    layout: &'a mut Layout,
    known: Known,
    /// A call whose result the next statement does nothing with but keep.
    passing_on: Option<Arc<Op>>,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(function: &'a Function<'a>, layout: &'a mut Layout) -> Statements<'a> {
        Statements {
            known: Known::at_entry(function.unit.dialect),
            function,
            layout,
            passing_on: None,
        }
    }

    /// Runs `print` with a printer for this place.
    fn with_printer<R>(
        &self,
        op: &Op,
        print: impl FnOnce(&Printer<'_>) -> Result<R, Unprintable>,
    ) -> Result<R, LoweringError> {
        let function = self.function;
        let printer = Printer {
            dialect: function.unit.dialect,
            program: function.unit.program,
            known: &self.known,
            var_name: &|var| function.var_name(var),
            array_name: &|array| function.array_name(array),
            is_scalar: &|array| function.is_scalar(array),
            var_space: &|var| function.spaces.get(&var).copied(),
            is_start: &|var| function.is_start(var),
        };
        print(&printer).map_err(|what| function.unit.error(op.span, what.0))
    }

    fn unsupported(&self, op: &Op, message: &str) -> LoweringError {
        self.function.unit.error(op.span, message)
    }

    /// Prints an operator. `tail`: setting the result here is `return`.
    pub(crate) fn print(&mut self, op: &Arc<Op>, tail: bool) -> Done {
        // Compilers warn of code after a `return`.
        if !self.known.is_reachable() {
            return Ok(());
        }
        self.declare_before(op);
        match &op.kind {
            OpKind::Skip => Ok(()),
            OpKind::Seq(parts) => {
                if let Some(counted) = counted_loop(op)
                    && self.fits_a_for(&counted)
                {
                    return self.for_loop(&counted);
                }
                // The counter of a loop that is no `for` lives no longer than the loop.
                let braces = counted_loop(op).is_some();
                if braces {
                    self.layout.open("{");
                }
                let mut parts = parts.iter().peekable();
                while let Some(part) = parts.next() {
                    if let Some(next) = parts.peek()
                        && self.passes_on(part, next)
                    {
                        self.passing_on = Some(part.clone());
                        continue;
                    }
                    self.print(part, tail && parts.peek().is_none())?;
                }
                if braces {
                    self.layout.close("}");
                }
                Ok(())
            }
            OpKind::If {
                cond,
                then,
                otherwise,
            } => self.branch(op, cond, then, otherwise, tail),
            OpKind::While { cond, body } => {
                let head = self.known.at_loop_head(cond, body);
                self.known = head;
                let text = self.with_printer(op, |p| p.condition(cond))?.text;
                self.loop_body(&format!("while ({text}) {{"), cond, body)
            }
            OpKind::Call { proc, result, .. } => {
                let call = self.call(op)?;
                let callee = self.function.unit.program.proc(*proc);
                let result = if callee.result.is_some() {
                    *result
                } else {
                    None
                };
                self.receive(op, result, &call);
                self.known.execute(op);
                Ok(())
            }
            OpKind::Par(..) => Err(self.unsupported(op, "host operators in parallel")),
            OpKind::Basic(basic) => {
                self.basic(op, basic, tail)?;
                self.known.execute(op);
                Ok(())
            }
        }
    }

    /// `f(a, b)`
    fn call(&self, op: &Arc<Op>) -> Result<String, LoweringError> {
        let OpKind::Call { proc, args, .. } = &op.kind else {
            return Err(self.unsupported(op, "something else than a call"));
        };
        let unit = self.function.unit;
        let instance = match unit.dialect {
            Dialect::OpenCl => called(unit.program, &self.function.spaces, *proc, args),
            Dialect::Cuda | Dialect::C | Dialect::CSharp => Instance {
                proc: *proc,
                spaces: vec![],
            },
        };
        let mut list = self.arguments(op, args)?;
        if unit.dialect == Dialect::OpenCl {
            for array in handed_down(unit.program, *proc) {
                let name = self.function.array_name(array);
                list.push(if self.function.is_scalar(array) {
                    format!("&{name}")
                } else {
                    name
                });
            }
        }
        Ok(format!(
            "{}({})",
            unit.proc_name(&instance),
            list.join(", ")
        ))
    }

    /// Whether `next` only keeps the result of the call `op`, which nothing else reads, and
    /// evaluates nothing that the call could change: then both are one statement.
    fn passes_on(&self, op: &Arc<Op>, next: &Arc<Op>) -> bool {
        let OpKind::Call {
            result: Some(result),
            ..
        } = op.kind
        else {
            return false;
        };
        let scopes = &self.function.scopes;
        let pointer = match &next.kind {
            OpKind::Basic(Basic::Assign { value, .. }) if is_var(value, result) => None,
            OpKind::Basic(Basic::Store { pointer, value }) if is_var(value, result) => {
                Some(pointer)
            }
            _ => return false,
        };
        let mut mentions = 0;
        self.function.proc.body.walk(&mut |other| {
            mentions += u32::from(read_vars(other).contains(&result));
            mentions += u32::from(assigned(other) == Some(result));
        });
        matters(next, &scopes.needed)
            && mentions == 2
            && self.function.proc.result != Some(result)
            && !scopes.before.contains_key(&op.id)
            && !scopes.before_zeroed.contains_key(&op.id)
            && pointer.is_none_or(|pointer| !pointer.has_load() && !reads(pointer, result))
    }

    fn declare_before(&mut self, op: &Arc<Op>) {
        let scopes = &self.function.scopes;
        for var in scopes.before.get(&op.id).into_iter().flatten() {
            self.layout
                .line(&format!("{};", self.function.declaration(*var)));
        }
        for var in scopes.before_zeroed.get(&op.id).into_iter().flatten() {
            let zero = match self.function.proc.vars[var.0 as usize].ty {
                Type::Scalar(ScalarType::Bool) => "false".to_owned(),
                Type::Scalar(_) => "0".to_owned(),
                Type::Pointer(_) => self.function.null(*var),
            };
            let text = format!("{} = {zero};", self.function.declaration(*var));
            self.layout.line(&text);
        }
    }

    /// `x = …` or `int x = …`, without the semicolon.
    fn assignment(&self, op: &Op, var: VarId, value: &Expr) -> Result<String, LoweringError> {
        let function = self.function;
        if function.is_gpu(var) {
            let from = match kept(value) {
                Some(from) if !is_null(value) => function.var_name(from),
                _ => function.null(var),
            };
            let to = match function.scopes.at_assignment.contains_key(&op.id) {
                true => function.declaration(var),
                false => function.var_name(var),
            };
            return Ok(format!("{to} = {from}"));
        }
        self.with_printer(op, |p| {
            if function.scopes.at_assignment.contains_key(&op.id) {
                let value = p.converted(value)?.text;
                return Ok(format!("{} = {value}", function.declaration(var)));
            }
            let target = Expr::var(var, function.proc.vars[var.0 as usize].ty);
            let place = p.exact(&target)?;
            p.assignment(&place, value)
        })
    }

    /// The statement that keeps the value of a call, if anybody needs it.
    fn receive(&mut self, op: &Op, result: Option<VarId>, call: &str) {
        let function = self.function;
        let line = match result.filter(|var| function.scopes.needed.contains(var)) {
            Some(var) if function.scopes.at_assignment.contains_key(&op.id) => {
                format!("{} = {call};", function.declaration(var))
            }
            Some(var) => format!("{} = {call};", function.var_name(var)),
            None => format!("{call};"),
        };
        self.layout.line(&line);
    }

    fn arguments(&self, op: &Op, args: &[Expr]) -> Result<Vec<String>, LoweringError> {
        self.with_printer(op, |p| {
            args.iter().map(|arg| Ok(p.converted(arg)?.text)).collect()
        })
    }

    fn basic(&mut self, op: &Arc<Op>, basic: &Basic, tail: bool) -> Done {
        let dialect = self.function.unit.dialect;
        let line = match basic {
            Basic::Assign { var, value } => {
                if !matters(op, &self.function.scopes.needed) {
                    return Ok(());
                }
                if let Some(call) = self.passing_on.take() {
                    let text = self.call(&call)?;
                    if tail && self.function.proc.result == Some(*var) {
                        self.layout.line(&format!("return {text};"));
                    } else {
                        self.receive(op, Some(*var), &text);
                    }
                    return Ok(());
                }
                if tail && self.function.proc.result == Some(*var) {
                    let text = self.with_printer(op, |p| p.converted(value))?.text;
                    format!("return {text};")
                } else {
                    format!("{};", self.assignment(op, *var, value)?)
                }
            }
            Basic::Load { var, pointer } => {
                if !matters(op, &self.function.scopes.needed) {
                    return Ok(());
                }
                let place = self.with_printer(op, |p| p.place(pointer))?.text;
                self.receive(op, Some(*var), &place);
                return Ok(());
            }
            basic if basic.writes_back() => return Ok(()),
            Basic::Store { pointer, value } => {
                if let Some(call) = self.passing_on.take() {
                    let text = self.call(&call)?;
                    let place = self.with_printer(op, |p| p.place(pointer))?.text;
                    self.layout.line(&format!("{place} = {text};"));
                    return Ok(());
                }
                let is_volatile = self.is_volatile(pointer);
                self.with_printer(op, |p| {
                    let place: Text = p.place(pointer)?;
                    if is_volatile {
                        let value = p.converted(value)?.text;
                        return Ok(format!("{} = {value};", place.text));
                    }
                    Ok(format!("{};", p.assignment(&place, value)?))
                })?
            }
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                let call = self.with_printer(op, |p| {
                    atomic::call(p, *function, *scope, pointer, operands)
                })?;
                self.receive(op, *result, &call);
                return Ok(());
            }
            Basic::Barrier {
                met: Met::Anywhere, ..
            } => match dialect {
                Dialect::OpenCl => {
                    let what =
                        "a barrier that threads come to at different places (OpenCL C has none)";
                    return Err(self.unsupported(op, what));
                }
                _ => "__barrier_sync(0);".into(),
            },
            Basic::Barrier { orders, .. } => match dialect {
                Dialect::OpenCl => format!("barrier({});", flags(*orders)),
                // It orders all memory, which is more than is asked for.
                _ => "__syncthreads();".into(),
            },
            Basic::SyncWarp { mask } => match dialect {
                Dialect::OpenCl => {
                    return Err(self.unsupported(op, "a warp barrier (OpenCL C has no warps)"));
                }
                _ if is_full_mask(mask) => "__syncwarp();".into(),
                _ => {
                    let mask = self.with_printer(op, |p| p.converted(mask))?.text;
                    format!("__syncwarp({mask});")
                }
            },
            Basic::Warp { .. } | Basic::ActiveMask { .. } if dialect == Dialect::OpenCl => {
                return Err(self.unsupported(op, "a warp operation (OpenCL C has no warps)"));
            }
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => {
                let call = self.with_printer(op, |p| warp::call(p, *function, mask, operands))?;
                self.receive(op, *result, &call);
                return Ok(());
            }
            Basic::ActiveMask { result } => {
                self.receive(op, Some(*result), "__activemask()");
                return Ok(());
            }
            Basic::Fence { scope } => self.fence(op, *scope)?,
            Basic::Nanosleep { nanoseconds } => {
                let time = self.with_printer(op, |p| p.converted(nanoseconds))?.text;
                match dialect {
                    Dialect::Cuda => format!("__nanosleep({time});"),
                    // A thread that does not sleep does what one does that slept for no time.
                    _ => format!("// sleeps: {time} ns"),
                }
            }
            Basic::Exit => {
                if self.function.proc.kind != ProcKind::Kernel {
                    return Err(self.unsupported(op, "a thread's end inside a function"));
                }
                "return;".into()
            }
            Basic::Assert { cond } => {
                let cond = self.with_printer(op, |p| p.condition(cond))?.text;
                match dialect {
                    Dialect::Cuda | Dialect::C | Dialect::CSharp => format!("assert({cond});"),
                    Dialect::OpenCl => format!("// holds: {cond}"),
                }
            }
            // A device does not know what was left out.
            Basic::Beyond => {
                return Err(self.unsupported(op, "what the front end left out"));
            }
            Basic::Assume { cond } => {
                let cond = self.with_printer(op, |p| p.condition(cond))?.text;
                format!("// assumed: {cond}")
            }
            Basic::InitGpu => return self.by_patterns(op, "init_gpu", vec![]),
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => {
                let bytes = self.with_printer(op, |p| p.bytes(bytes, *elem))?;
                return self.allocation(op, *var, *elem, &bytes, *space);
            }
            Basic::Free {
                stream: Some(_), ..
            } => return Err(self.unsupported(op, "memory freed in a stream")),
            Basic::Free { pointer, space, .. } => {
                let text = self.with_printer(op, |p| p.exact(pointer))?.text;
                let text = match kept(pointer).filter(|var| self.function.is_gpu(*var)) {
                    Some(var) => self.function.var_name(var),
                    None => text,
                };
                let name = match space {
                    AllocSpace::Global => "free_gpu",
                    AllocSpace::Pinned => "free_pinned",
                    AllocSpace::Host => "free_host",
                    AllocSpace::Managed => "free_managed",
                    AllocSpace::New | AllocSpace::Owned | AllocSpace::OwnedGlobal => {
                        return Err(self.unsupported(op, "freeing memory of this kind"));
                    }
                };
                // `cudaFree` is for both kinds; where pointers have types only one of them is a pointer.
                let name = match self.function.is_managed(pointer) {
                    true => "free_managed",
                    false => name,
                };
                return self.by_patterns(op, name, vec![Term::text(text)]);
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => return self.copy(op, *kind, dst, src, bytes, stream.as_ref()),
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream,
                cooperative,
            } => {
                let launch = Launch {
                    kernel: *kernel,
                    grid,
                    block,
                    shared_bytes,
                    args,
                    stream: stream.as_ref(),
                    cooperative: *cooperative,
                };
                return self.launch(op, &launch);
            }
            Basic::DeviceSync => return self.by_patterns(op, "sync_gpu", vec![]),
            Basic::NamedBarrier { .. } | Basic::GridBarrier if dialect == Dialect::OpenCl => {
                let what = "a barrier of part of a block, or of the grid, which OpenCL C has not";
                return Err(self.unsupported(op, what));
            }
            Basic::NamedBarrier { id, .. } if is_object(id) => {
                let what = "a barrier that is an object in shared memory";
                return Err(self.unsupported(op, what));
            }
            // By thread, as the semantics counts: not `.aligned`.
            Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            } => {
                let name = if *arrive_only { "arrive" } else { "sync" };
                let mut inputs = vec![self.with_printer(op, |p| p.converted(id))?.text];
                if let Some(threads) = threads {
                    inputs.push(self.with_printer(op, |p| p.converted(threads))?.text);
                }
                let places: Vec<String> = (0..inputs.len()).map(|n| format!("%{n}")).collect();
                let inputs: Vec<String> = inputs.iter().map(|i| format!("\"r\"({i})")).collect();
                format!(
                    "asm volatile(\"barrier.{name} {};\" :: {} : \"memory\");",
                    places.join(", "),
                    inputs.join(", ")
                )
            }
            Basic::GridBarrier => "cooperative_groups::this_grid().sync();".into(),
            Basic::SetDevice { .. }
            | Basic::StreamCreate { .. }
            | Basic::StreamDestroy { .. }
            | Basic::StreamSync { .. }
            | Basic::EventCreate { .. }
            | Basic::EventDestroy { .. }
            | Basic::EventRecord { .. }
            | Basic::EventSync { .. }
            | Basic::StreamWait { .. }
            | Basic::Wait { .. } => return self.stream_operator(op, basic),
        };
        self.layout.line(&line);
        Ok(())
    }

    fn is_volatile(&self, pointer: &Expr) -> bool {
        let mut found = pointer.ty.pointer().is_some_and(|to| to.is_volatile);
        pointer.walk(&mut |e| {
            if let ExprKind::ArrayBase(array) = e.kind {
                found |= self.function.unit.program.array(array).is_volatile;
            }
        });
        found
    }

    fn fence(&self, op: &Op, scope: Scope) -> Result<String, LoweringError> {
        Ok(match (self.function.unit.dialect, scope) {
            (Dialect::OpenCl, Scope::Block) => {
                "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);".to_owned()
            }
            (Dialect::OpenCl, _) => {
                let what = "a memory fence beyond the work-group (OpenCL C 1.2 has none)";
                return Err(self.unsupported(op, what));
            }
            (_, Scope::Block) => "__threadfence_block();".to_owned(),
            (_, Scope::Device) => "__threadfence();".to_owned(),
            (_, Scope::System) => "__threadfence_system();".to_owned(),
        })
    }
}

/// Whether an expression is a variable, or a conversion of one that C makes by itself.
fn is_var(expr: &Expr, var: VarId) -> bool {
    expr.kind == ExprKind::Var(var)
}

fn is_exit(op: &Arc<Op>) -> bool {
    match &op.kind {
        OpKind::Basic(Basic::Exit) => true,
        OpKind::Seq(parts) => matches!(parts.as_slice(), [only] if is_exit(only)),
        _ => false,
    }
}

fn is_constant(expr: &Expr, value: i128) -> bool {
    match &expr.kind {
        ExprKind::Const(constant) => constant.as_integer() == Some(value),
        ExprKind::Cast(inner) => is_constant(inner, value),
        _ => false,
    }
}

fn is_full_mask(mask: &Expr) -> bool {
    match &mask.kind {
        ExprKind::Const(Value::Int(_, bits)) => *bits as u32 == u32::MAX,
        ExprKind::Cast(inner) => is_full_mask(inner),
        _ => false,
    }
}

/// What OpenCL C calls the memories a barrier orders.
fn flags(orders: Orders) -> &'static str {
    match orders {
        Orders::All => "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
        Orders::Shared => "CLK_LOCAL_MEM_FENCE",
        Orders::Global => "CLK_GLOBAL_MEM_FENCE",
        Orders::Nothing => "0",
    }
}

/// Whether a barrier's number is that of an object in shared memory, not of a barrier that the hardware has. The front
/// end writes the least of these numbers into the number of each.
fn is_object(id: &Expr) -> bool {
    let mut found = false;
    id.walk(&mut |e| {
        if let ExprKind::Const(value) = e.kind {
            found |= value.as_integer() >= Some(i128::from(FIRST_OBJECT));
        }
    });
    found
}
