//! Host operators as calls of the CUDA runtime.

use super::{Statements, is_constant};
use crate::error::LoweringError;
use gridlock_semantics::expr::{Expr, ExprKind};
use gridlock_semantics::operator::{AllocSpace, CopyKind, Op};
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
            AllocSpace::Host | AllocSpace::Pinned => {
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

    pub(super) fn copy(
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
