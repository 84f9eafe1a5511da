//! Operators as statements. Ranges are followed along, so that each expression is printed with
//! what is known at its place.

use crate::error::LoweringError;
use crate::print::address_space::{Instance, called, handed_down};
use crate::print::atomic;
use crate::print::dialect::Dialect;
use crate::print::expression::{Printer, Text, Unprintable};
use crate::print::function::Function;
use crate::print::layout::Layout;
use crate::print::liveness::{matters, read_vars};
use crate::print::range::{Known, assigned};
use crate::print::scope::id_range;
use gridlock_semantics::expr::{Expr, ExprKind};
use gridlock_semantics::loops::{CountedLoop, counted_loop, reads};
use gridlock_semantics::operator::{AllocSpace, Basic, CopyKind, Op, OpKind, Scope};
use gridlock_semantics::program::{ProcKind, Space, VarId};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;
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
            Dialect::Cuda | Dialect::C => Instance {
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

    /// Whether `next` only keeps the result of the call `op`, which nobody else asks for, and
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
                Type::Scalar(ScalarType::Bool) => "false",
                Type::Scalar(_) => "0",
                Type::Pointer(_) => self.function.unit.dialect.null(),
            };
            let text = format!("{} = {zero};", self.function.declaration(*var));
            self.layout.line(&text);
        }
    }

    /// Whether nothing inside an operator is printed.
    fn is_empty(&self, op: &Arc<Op>) -> bool {
        let mut empty = true;
        op.walk(&mut |inner| {
            empty &= match &inner.kind {
                OpKind::Skip | OpKind::Seq(_) => true,
                _ => !matters(inner, &self.function.scopes.needed),
            };
        });
        empty
    }

    fn branch(
        &mut self,
        op: &Arc<Op>,
        cond: &Expr,
        then: &Arc<Op>,
        otherwise: &Arc<Op>,
        tail: bool,
    ) -> Done {
        let (no_then, no_else) = (self.is_empty(then), self.is_empty(otherwise));
        if no_then && no_else {
            return Ok(());
        }
        let text = if no_then {
            self.with_printer(op, |p| p.negated(cond))?.text
        } else {
            self.with_printer(op, |p| p.condition(cond))?.text
        };
        let mut yes = self.known.clone();
        yes.assume(cond, true);
        let mut no = self.known.clone();
        no.assume(cond, false);
        // An early `return` reads best on one line of its own.
        if no_else && is_exit(then) {
            self.layout.open(&format!("if ({text})"));
            self.known = yes;
            self.print(then, tail)?;
            self.layout.dedent();
            self.known = no;
            return Ok(());
        }
        self.layout.open(&format!("if ({text}) {{"));
        if no_then {
            self.known = no;
            self.print(otherwise, tail)?;
            self.known = self.known.clone().join(yes);
            self.layout.close("}");
            return Ok(());
        }
        self.known = yes;
        self.print(then, tail)?;
        let after_then = std::mem::replace(&mut self.known, no);
        if no_else {
            self.layout.close("}");
        } else {
            self.layout.dedent();
            self.otherwise(otherwise, tail)?;
        }
        self.known = after_then.join(self.known.clone());
        Ok(())
    }

    /// `} else …`; `else if` where the branch is nothing but an `if`.
    fn otherwise(&mut self, otherwise: &Arc<Op>, tail: bool) -> Done {
        let mut only = otherwise;
        while let OpKind::Seq(parts) = &only.kind
            && let [inner] = parts.as_slice()
        {
            only = inner;
        }
        let scopes = &self.function.scopes;
        let declares = scopes.before.contains_key(&only.id)
            || scopes.before_zeroed.contains_key(&only.id)
            || only.id != otherwise.id && scopes.before.contains_key(&otherwise.id);
        if let OpKind::If {
            cond,
            then,
            otherwise: last,
        } = &only.kind
            && !declares
            && !self.is_empty(then)
        {
            let text = self.with_printer(only, |p| p.condition(cond))?.text;
            self.layout.open(&format!("}} else if ({text}) {{"));
            let mut no = self.known.clone();
            no.assume(cond, false);
            self.known.assume(cond, true);
            self.print(then, tail)?;
            let after_then = std::mem::replace(&mut self.known, no);
            if self.is_empty(last) {
                self.layout.close("}");
            } else {
                self.layout.dedent();
                self.otherwise(last, tail)?;
            }
            self.known = after_then.join(self.known.clone());
            return Ok(());
        }
        self.layout.open("} else {");
        self.print(otherwise, tail)?;
        self.layout.close("}");
        Ok(())
    }

    /// Whether a counted loop can be printed as a `for`: its step must not read what is declared
    /// inside the body.
    fn fits_a_for(&self, counted: &CountedLoop<'_>) -> bool {
        let inside = id_range(counted.while_op);
        let scopes = &self.function.scopes;
        read_vars(counted.step_op).iter().all(|var| {
            scopes.lifetimes.get(var).is_none_or(|lives| {
                lives
                    .iter()
                    .all(|life| life.0 <= inside.0 || life.0 > inside.1)
            })
        })
    }

    fn for_loop(&mut self, counted: &CountedLoop<'_>) -> Done {
        self.declare_before(counted.init_op);
        self.declare_before(counted.while_op);
        let init = self.assignment(counted.init_op, counted.var, counted.init)?;
        self.known.execute(counted.init_op);
        let OpKind::While { cond, body } = &counted.while_op.kind else {
            return Ok(());
        };
        let head = self.known.at_loop_head(cond, body);
        self.known = head;
        let text = self
            .with_printer(counted.while_op, |p| p.condition(cond))?
            .text;
        // What holds before the step.
        let mut before_step = self.known.clone();
        before_step.assume(cond, true);
        before_step.execute(counted.body);
        let after_head = std::mem::replace(&mut self.known, before_step);
        let step = self.assignment(counted.step_op, counted.var, counted.step)?;
        self.known = after_head;
        let line = format!("for ({init}; {text}; {step}) {{");
        self.loop_body(&line, cond, counted.body)
    }

    /// Prints a loop whose head is known; leaves what is known after it.
    fn loop_body(&mut self, line: &str, cond: &Expr, body: &Arc<Op>) -> Done {
        let head = self.known.clone();
        if self.is_empty(body) {
            let bare = line.trim_end_matches(" {");
            self.layout.line(bare);
            self.layout.indent();
            self.layout.line(";");
            self.layout.dedent();
        } else {
            self.layout.open(line);
            self.known.assume(cond, true);
            self.print(body, false)?;
            self.layout.close("}");
        }
        self.known = head;
        self.known.assume(cond, false);
        Ok(())
    }

    /// `x = …` or `int x = …`, without the semicolon.
    fn assignment(&self, op: &Op, var: VarId, value: &Expr) -> Result<String, LoweringError> {
        let function = self.function;
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
            Basic::Barrier => match dialect {
                Dialect::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);".into(),
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
            Basic::Fence { scope } => self.fence(op, *scope)?,
            Basic::Exit => {
                if self.function.proc.kind != ProcKind::Kernel {
                    return Err(self.unsupported(op, "a thread's end inside a function"));
                }
                "return;".into()
            }
            Basic::Assert { cond } => {
                let cond = self.with_printer(op, |p| p.condition(cond))?.text;
                match dialect {
                    Dialect::Cuda | Dialect::C => format!("assert({cond});"),
                    Dialect::OpenCl => format!("// holds: {cond}"),
                }
            }
            Basic::Assume { cond } => {
                let cond = self.with_printer(op, |p| p.condition(cond))?.text;
                format!("// assumed: {cond}")
            }
            Basic::InitGpu => "CHECK(cudaSetDevice(0));".into(),
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => {
                let bytes = self.with_printer(op, |p| p.bytes(bytes, *elem))?;
                self.allocation(op, *var, *elem, &bytes, *space);
                return Ok(());
            }
            Basic::Free { pointer, space } => {
                let pointer = self.with_printer(op, |p| p.exact(pointer))?.text;
                match space {
                    AllocSpace::Global => format!("CHECK(cudaFree({pointer}));"),
                    AllocSpace::Host => format!("free({pointer});"),
                }
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
            } => self.copy(op, *kind, dst, src, bytes)?,
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
            } => {
                let unit = self.function.unit;
                let name = unit.proc_name(&Instance {
                    proc: *kernel,
                    spaces: vec![],
                });
                let mut shape = vec![self.extents(op, grid)?, self.extents(op, block)?];
                if !is_constant(shared_bytes, 0) {
                    shape.push(self.with_printer(op, |p| p.converted(shared_bytes))?.text);
                }
                let args = self.arguments(op, args)?.join(", ");
                self.layout
                    .line(&format!("{name}<<<{}>>>({args});", shape.join(", ")));
                "CHECK(cudaGetLastError());".into()
            }
            Basic::DeviceSync => "CHECK(cudaDeviceSynchronize());".into(),
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

    fn allocation(
        &mut self,
        op: &Op,
        var: VarId,
        elem: ScalarType,
        bytes: &str,
        space: AllocSpace,
    ) {
        let function = self.function;
        let declared_here = function.scopes.at_assignment.contains_key(&op.id);
        let name = function.var_name(var);
        let is_needed = function.scopes.needed.contains(&var);
        if !is_needed {
            return;
        }
        match space {
            AllocSpace::Global => {
                if declared_here {
                    let declaration = function.declaration(var);
                    self.layout.line(&format!("{declaration} = nullptr;"));
                }
                self.layout
                    .line(&format!("CHECK(cudaMalloc(&{name}, {bytes}));"));
            }
            AllocSpace::Host => {
                let target = if declared_here {
                    function.declaration(var)
                } else {
                    name
                };
                let elem = function.unit.dialect.cell(elem);
                self.layout
                    .line(&format!("{target} = ({elem} *)malloc({bytes});"));
            }
        }
    }

    fn copy(
        &mut self,
        op: &Op,
        kind: CopyKind,
        dst: &Expr,
        src: &Expr,
        bytes: &Expr,
    ) -> Result<String, LoweringError> {
        let elem = dst.ty.pointer().map_or(ScalarType::I8, |to| to.elem);
        let bytes = self.with_printer(op, |p| p.bytes(bytes, elem))?;
        let pointers =
            self.with_printer(op, |p| Ok((p.converted(dst)?.text, p.exact(src)?.text)))?;
        let (to, from) = pointers;
        // Declared device memory is a symbol to the host, not a pointer.
        let symbol = |e: &Expr| match &e.kind {
            ExprKind::ArrayBase(array)
                if matches!(
                    self.function.unit.program.array(*array).space,
                    Space::Global | Space::Constant
                ) =>
            {
                Some(self.function.array_name(*array))
            }
            _ => None,
        };
        Ok(match (kind, symbol(dst), symbol(src)) {
            (CopyKind::HostToDevice, Some(name), _) => {
                format!("CHECK(cudaMemcpyToSymbol({name}, {from}, {bytes}));")
            }
            (CopyKind::DeviceToHost, _, Some(name)) => {
                format!("CHECK(cudaMemcpyFromSymbol({to}, {name}, {bytes}));")
            }
            (_, Some(_), _) | (_, _, Some(_)) => {
                return Err(self.unsupported(op, "a copy between two declared device arrays"));
            }
            (CopyKind::HostToHost, ..) => format!("memcpy({to}, {from}, {bytes});"),
            (CopyKind::HostToDevice, ..) => {
                format!("CHECK(cudaMemcpy({to}, {from}, {bytes}, cudaMemcpyHostToDevice));")
            }
            (CopyKind::DeviceToHost, ..) => {
                format!("CHECK(cudaMemcpy({to}, {from}, {bytes}, cudaMemcpyDeviceToHost));")
            }
            (CopyKind::DeviceToDevice, ..) => {
                format!("CHECK(cudaMemcpy({to}, {from}, {bytes}, cudaMemcpyDeviceToDevice));")
            }
        })
    }

    /// `n`, or `dim3(n, m)`.
    fn extents(&self, op: &Op, extents: &[Expr; 3]) -> Result<String, LoweringError> {
        let used = match extents {
            [_, y, z] if is_constant(y, 1) && is_constant(z, 1) => 1,
            [_, _, z] if is_constant(z, 1) => 2,
            _ => 3,
        };
        let texts = self.arguments(op, &extents[..used])?;
        Ok(match texts.as_slice() {
            [one] => one.clone(),
            several => format!("dim3({})", several.join(", ")),
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
