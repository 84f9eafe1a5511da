//! Host operators as calls of the CUDA runtime.

use super::{Statements, is_constant};
use crate::error::LoweringError;
use gridlock_semantics::expr::{Expr, ExprKind};
use gridlock_semantics::operator::{AllocSpace, Basic, CopyKind, Op};
use gridlock_semantics::program::{Space, VarId};
use gridlock_semantics::types::ScalarType;

impl Statements<'_> {
    pub(super) fn allocation(
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
            AllocSpace::Pinned => {
                if declared_here {
                    let declaration = function.declaration(var);
                    self.layout.line(&format!("{declaration} = nullptr;"));
                }
                self.layout
                    .line(&format!("CHECK(cudaMallocHost(&{name}, {bytes}));"));
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

    /// A launch whose blocks are all resident, so that they may meet. `shape`: extents of the grid
    /// and of a block, bytes of dynamic shared memory.
    pub(super) fn cooperative_launch(
        &mut self,
        kernel: &str,
        shape: [&str; 3],
        stream: Option<&str>,
        args: &[String],
    ) {
        let [grid, block, shared] = shape;
        self.layout.open("{");
        self.layout.line("cudaLaunchAttribute attribute = {};");
        self.layout
            .line("attribute.id = cudaLaunchAttributeCooperative;");
        self.layout.line("attribute.val.cooperative = 1;");
        self.layout.line("cudaLaunchConfig_t launch = {};");
        self.layout.line(&format!("launch.gridDim = {grid};"));
        self.layout.line(&format!("launch.blockDim = {block};"));
        self.layout
            .line(&format!("launch.dynamicSmemBytes = {shared};"));
        if let Some(stream) = stream {
            self.layout.line(&format!("launch.stream = {stream};"));
        }
        self.layout.line("launch.attrs = &attribute;");
        self.layout.line("launch.numAttrs = 1;");
        let mut all = vec!["&launch".to_owned(), kernel.to_owned()];
        all.extend(args.iter().cloned());
        self.layout
            .line(&format!("CHECK(cudaLaunchKernelEx({}));", all.join(", ")));
        self.layout.close("}");
    }

    pub(super) fn copy(
        &mut self,
        op: &Op,
        kind: CopyKind,
        dst: &Expr,
        src: &Expr,
        bytes: &Expr,
        stream: Option<&Expr>,
    ) -> Result<String, LoweringError> {
        let elem = dst.ty.pointer().map_or(ScalarType::I8, |to| to.elem);
        let bytes = self.with_printer(op, |p| p.bytes(bytes, elem))?;
        let pointers =
            self.with_printer(op, |p| Ok((p.converted(dst)?.text, p.exact(src)?.text)))?;
        let (to, from) = pointers;
        let stream = stream
            .map(|s| self.handle(op, "cudaStream_t", s))
            .transpose()?;
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
        if let Some(stream) = stream {
            let kind = match kind {
                _ if symbol(dst).is_some() || symbol(src).is_some() => {
                    let what = "an asynchronous copy of a declared device array";
                    return Err(self.unsupported(op, what));
                }
                CopyKind::HostToDevice => "HostToDevice",
                CopyKind::DeviceToHost => "DeviceToHost",
                CopyKind::DeviceToDevice => "DeviceToDevice",
                CopyKind::HostToHost => "HostToHost",
            };
            return Ok(format!(
                "CHECK(cudaMemcpyAsync({to}, {from}, {bytes}, cudaMemcpy{kind}, {stream}));"
            ));
        }
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

    /// A number as the handle it is.
    pub(super) fn handle(
        &mut self,
        op: &Op,
        ty: &str,
        handle: &Expr,
    ) -> Result<String, LoweringError> {
        let number = self.with_printer(op, |p| p.converted(handle))?.text;
        Ok(format!("({ty})({number})"))
    }

    /// Streams and events; handles are kept as numbers.
    pub(super) fn stream_operator(
        &mut self,
        op: &Op,
        basic: &Basic,
    ) -> Result<String, LoweringError> {
        let (stream_type, event_type) = ("cudaStream_t", "cudaEvent_t");
        let call = match basic {
            Basic::SetDevice { device } => {
                let device = self.with_printer(op, |p| p.converted(device))?.text;
                format!("cudaSetDevice({device})")
            }
            Basic::StreamCreate { var, non_blocking } => {
                let name = self.handle_variable(op, *var);
                match non_blocking {
                    true => format!(
                        "cudaStreamCreateWithFlags((cudaStream_t *)&{name}, cudaStreamNonBlocking)"
                    ),
                    false => format!("cudaStreamCreate((cudaStream_t *)&{name})"),
                }
            }
            Basic::EventCreate { var } => {
                let name = self.handle_variable(op, *var);
                format!("cudaEventCreate((cudaEvent_t *)&{name})")
            }
            Basic::StreamDestroy { stream } => {
                format!(
                    "cudaStreamDestroy({})",
                    self.handle(op, stream_type, stream)?
                )
            }
            Basic::StreamSync { stream } => {
                format!(
                    "cudaStreamSynchronize({})",
                    self.handle(op, stream_type, stream)?
                )
            }
            Basic::EventDestroy { event } => {
                format!("cudaEventDestroy({})", self.handle(op, event_type, event)?)
            }
            Basic::EventSync { event } => {
                format!(
                    "cudaEventSynchronize({})",
                    self.handle(op, event_type, event)?
                )
            }
            Basic::EventRecord { event, stream } => {
                let event = self.handle(op, event_type, event)?;
                let stream = self.handle(op, stream_type, stream)?;
                format!("cudaEventRecord({event}, {stream})")
            }
            Basic::StreamWait { stream, event } => {
                let stream = self.handle(op, stream_type, stream)?;
                let event = self.handle(op, event_type, event)?;
                format!("cudaStreamWaitEvent({stream}, {event}, 0)")
            }
            _ => return Err(self.unsupported(op, "waiting for a condition")),
        };
        Ok(format!("CHECK({call});"))
    }

    /// The variable a handle is put into, declared here if this is where it is assigned first.
    fn handle_variable(&mut self, op: &Op, var: VarId) -> String {
        let function = self.function;
        if function.scopes.at_assignment.contains_key(&op.id) {
            let declaration = function.declaration(var);
            self.layout.line(&format!("{declaration} = 0;"));
        }
        function.var_name(var)
    }

    /// `n`, or `dim3(n, m)`.
    pub(super) fn extents(&self, op: &Op, extents: &[Expr; 3]) -> Result<String, LoweringError> {
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
