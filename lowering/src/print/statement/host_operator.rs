//! Host operators: made terms of, and written by the target's patterns.

use super::{Statements, is_constant};
use crate::error::LoweringError;
use crate::lowered::Param;
use crate::patterns::{Term, type_term};
use crate::print::address_space::Instance;
use crate::print::gpu_pointer::kept;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// What an operator without a pattern is, in words where there are some.
fn without_pattern(name: &str) -> String {
    match name {
        "alloc_managed" | "alloc_managed_declared" | "free_managed" => "managed memory".to_owned(),
        "stream_create" => {
            "a stream that the default stream waits for (`cudaStreamCreate`; it may have \
             those of `cudaStreamNonBlocking`)"
                .to_owned()
        }
        _ => format!("`{name}` of this form, for which it has no pattern"),
    }
}

/// A launch's parts: what `Basic::CallGpu` says.
pub(super) struct Launch<'a> {
    pub kernel: gridlock_semantics::algebra::ids::ProcId,
    pub grid: &'a [Expr; 3],
    pub block: &'a [Expr; 3],
    pub shared_bytes: &'a Expr,
    pub args: &'a [Expr],
    pub stream: Option<&'a Expr>,
    pub cooperative: bool,
}

impl Statements<'_> {
    /// Prints an operator as the target's patterns have it.
    pub(super) fn by_patterns(
        &mut self,
        op: &Op,
        name: &str,
        parts: Vec<Term>,
    ) -> Result<(), LoweringError> {
        let patterns = self.function.unit.patterns;
        let Some(lines) = patterns.lines("statement", &Term::app(name, parts)) else {
            return Err(self.unsupported(op, &without_pattern(name)));
        };
        for line in lines {
            self.layout.line(&line);
        }
        Ok(())
    }

    pub(super) fn allocation(
        &mut self,
        op: &Op,
        var: VarId,
        elem: ScalarType,
        bytes: &str,
        space: AllocSpace,
    ) -> Result<(), LoweringError> {
        let function = self.function;
        let declared_here = function.scopes.at_assignment.contains_key(&op.id);
        let name = Term::text(function.var_name(var));
        if !function.scopes.needed.contains(&var) {
            return Ok(());
        }
        let bytes = Term::text(bytes);
        let (operator, declared) = match space {
            AllocSpace::Global => ("alloc_gpu", "alloc_gpu_declared"),
            AllocSpace::Pinned => ("alloc_pinned", "alloc_pinned_declared"),
            AllocSpace::Managed => ("alloc_managed", "alloc_managed_declared"),
            AllocSpace::New => return Err(self.unsupported(op, "`new`")),
            AllocSpace::Owned | AllocSpace::OwnedGlobal => {
                return Err(self.unsupported(op, "the elements of a vector"));
            }
            AllocSpace::Host => {
                let target = match declared_here {
                    true => Term::text(function.declaration(var)),
                    false => name,
                };
                return self.by_patterns(op, "alloc_host", vec![target, type_term(elem), bytes]);
            }
        };
        if !declared_here {
            return self.by_patterns(op, operator, vec![name, bytes]);
        }
        let declaration = match function.gpu_declaration(var) {
            Some(term) => term,
            None => Term::text(function.declaration(var)),
        };
        self.by_patterns(op, declared, vec![declaration, name, bytes])
    }

    pub(super) fn launch(&mut self, op: &Op, launch: &Launch<'_>) -> Result<(), LoweringError> {
        let unit = self.function.unit;
        let name = unit.proc_name(&Instance {
            proc: launch.kernel,
            spaces: vec![],
        });
        let grid = self.extents(op, launch.grid)?;
        let block = self.extents(op, launch.block)?;
        let shared = match is_constant(launch.shared_bytes, 0) && !launch.cooperative {
            true => "0".to_owned(),
            false => {
                self.with_printer(op, |p| p.converted(launch.shared_bytes))?
                    .text
            }
        };
        let stream = match launch.stream {
            Some(stream) => self.handle(op, stream)?,
            None => Term::app("none", vec![]),
        };
        let args = self.launch_arguments(op, launch, &name, &shared)?;
        let operator = match launch.cooperative {
            true => "call_gpu_cooperative",
            false => "call_gpu",
        };
        let parts = vec![
            Term::text(name),
            grid,
            block,
            Term::text(shared),
            stream,
            Term::List(args),
        ];
        self.by_patterns(op, operator, parts)
    }

    /// The arguments in the order of the kernel's parameters in the target.
    fn launch_arguments(
        &self,
        op: &Op,
        launch: &Launch<'_>,
        kernel: &str,
        shared: &str,
    ) -> Result<Vec<Term>, LoweringError> {
        let unit = self.function.unit;
        let proc = unit.program.proc(launch.kernel);
        let texts = self.arguments(op, launch.args)?;
        let mut given = Vec::new();
        for (index, (text, arg)) in texts.into_iter().zip(launch.args).enumerate() {
            let ty = proc
                .params
                .get(index)
                .map_or(arg.ty, |v| proc.vars[v.0 as usize].ty);
            let (operator, elem) = match ty {
                Type::Scalar(ty) => ("value_argument", ty),
                Type::Pointer(to) => ("pointer_argument", to.elem),
            };
            if self.function.is_managed(arg) {
                let pointer = Term::app("managed", vec![Term::text(text)]);
                given.push((operator, type_term(elem), pointer));
                continue;
            }
            // A pointer without a type needs no cast.
            let text = match kept(arg).filter(|_| unit.patterns.opaque_pointers) {
                Some(var) if ty.pointer().is_some() => self.function.var_name(var),
                _ => text,
            };
            given.push((operator, type_term(elem), Term::text(text)));
        }
        let place = |index: usize| Term::text(index.to_string());
        let mut args: Vec<Term> = Vec::new();
        for (operator, elem, value) in given {
            let index = place(args.len());
            let parts = vec![elem, value, index, Term::text(kernel)];
            args.push(Term::app(operator, parts));
        }
        let hidden = unit
            .kernel_params
            .get(&launch.kernel)
            .map_or(&[][..], |p| p.as_slice());
        for param in hidden.iter().skip(args.len()) {
            match param {
                Param::DynamicShared { .. } => {
                    let index = place(args.len());
                    let parts = vec![Term::text(shared), index, Term::text(kernel)];
                    args.push(Term::app("local_argument", parts));
                }
                _ => {
                    let what = "a launch of a kernel that uses declared device arrays";
                    return Err(self.unsupported(op, what));
                }
            }
        }
        Ok(args)
    }

    pub(super) fn copy(
        &mut self,
        op: &Op,
        kind: CopyKind,
        dst: &Expr,
        src: &Expr,
        bytes: &Expr,
        stream: Option<&Expr>,
    ) -> Result<(), LoweringError> {
        let elem = dst.ty.pointer().map_or(ScalarType::I8, |to| to.elem);
        let bytes = self.with_printer(op, |p| p.bytes(bytes, elem))?;
        let opaque = self.function.unit.patterns.opaque_pointers;
        let whole = |expr: &Expr| {
            let var = kept(expr).filter(|var| opaque && self.function.is_gpu(*var))?;
            Some(self.function.var_name(var))
        };
        let pointers = self.with_printer(op, |p| {
            let to = match whole(dst) {
                Some(name) => name,
                None => p.converted(dst)?.text,
            };
            let from = match whole(src) {
                Some(name) => name,
                None => p.exact(src)?.text,
            };
            Ok((to, from))
        })?;
        let (to, from) = (Term::text(pointers.0), Term::text(pointers.1));
        let bytes = Term::text(bytes);
        // Declared device memory is a symbol to the host, not a pointer.
        let symbol = |e: &Expr| match &e.kind {
            ExprKind::ArrayBase(array)
                if matches!(
                    self.function.unit.program.array(*array).space,
                    Space::Global | Space::Constant
                ) =>
            {
                Some(Term::text(self.function.array_name(*array)))
            }
            _ => None,
        };
        let (to_symbol, from_symbol) = (symbol(dst), symbol(src));
        let operator = match kind {
            CopyKind::HostToDevice => "copy_gpu",
            CopyKind::DeviceToHost => "copy_back",
            CopyKind::DeviceToDevice => "copy_on_gpu",
            CopyKind::HostToHost => "copy_host",
            CopyKind::Default => {
                return Err(self.unsupported(op, "a copy whose direction the pointers say"));
            }
        };
        if let Some(stream) = stream {
            if to_symbol.is_some() || from_symbol.is_some() {
                let what = "an asynchronous copy of a declared device array";
                return Err(self.unsupported(op, what));
            }
            let stream = self.handle(op, stream)?;
            return self.by_patterns(
                op,
                &format!("{operator}_async"),
                vec![to, from, bytes, stream],
            );
        }
        match (kind, to_symbol, from_symbol) {
            (CopyKind::HostToDevice, Some(name), _) => {
                self.by_patterns(op, "copy_to_symbol", vec![name, from, bytes])
            }
            (CopyKind::DeviceToHost, _, Some(name)) => {
                self.by_patterns(op, "copy_from_symbol", vec![to, name, bytes])
            }
            (_, Some(_), _) | (_, _, Some(_)) => {
                Err(self.unsupported(op, "a copy between two declared device arrays"))
            }
            _ => self.by_patterns(op, operator, vec![to, from, bytes]),
        }
    }

    /// A handle, which is a number.
    fn handle(&self, op: &Op, handle: &Expr) -> Result<Term, LoweringError> {
        Ok(Term::text(
            self.with_printer(op, |p| p.converted(handle))?.text,
        ))
    }

    /// Streams and events.
    pub(super) fn stream_operator(&mut self, op: &Op, basic: &Basic) -> Result<(), LoweringError> {
        let (name, parts) = match basic {
            Basic::SetDevice { device } => ("set_device", vec![self.handle(op, device)?]),
            Basic::StreamCreate { var, non_blocking } => {
                let name = match non_blocking {
                    true => "stream_create_non_blocking",
                    false => "stream_create",
                };
                (name, vec![self.handle_variable(op, *var)])
            }
            Basic::EventCreate { var } => ("event_create", vec![self.handle_variable(op, *var)]),
            Basic::StreamDestroy { stream } => ("stream_destroy", vec![self.handle(op, stream)?]),
            Basic::StreamSync { stream } => ("stream_sync", vec![self.handle(op, stream)?]),
            Basic::EventDestroy { event } => ("event_destroy", vec![self.handle(op, event)?]),
            Basic::EventSync { event } => ("event_sync", vec![self.handle(op, event)?]),
            Basic::EventRecord { event, stream } => {
                let parts = vec![self.handle(op, event)?, self.handle(op, stream)?];
                ("event_record", parts)
            }
            Basic::StreamWait { stream, event } => {
                let parts = vec![self.handle(op, stream)?, self.handle(op, event)?];
                ("stream_wait", parts)
            }
            _ => return Err(self.unsupported(op, "waiting for a condition")),
        };
        self.by_patterns(op, name, parts)
    }

    /// The variable a handle is put into, declared here if this is where it is assigned first.
    fn handle_variable(&mut self, op: &Op, var: VarId) -> Term {
        let function = self.function;
        if function.scopes.at_assignment.contains_key(&op.id) {
            let declaration = function.declaration(var);
            self.layout.line(&format!("{declaration} = 0;"));
        }
        Term::text(function.var_name(var))
    }

    /// `extents(n, m, 1)`.
    fn extents(&self, op: &Op, extents: &[Expr; 3]) -> Result<Term, LoweringError> {
        let used = match extents {
            [_, y, z] if is_constant(y, 1) && is_constant(z, 1) => 1,
            [_, _, z] if is_constant(z, 1) => 2,
            _ => 3,
        };
        let mut texts = self.arguments(op, &extents[..used])?;
        texts.resize(3, "1".to_owned());
        Ok(Term::app(
            "extents",
            texts.into_iter().map(Term::Text).collect(),
        ))
    }
}
