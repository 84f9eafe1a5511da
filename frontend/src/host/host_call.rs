//! Functions that host code calls by name: the CUDA runtime and the C library's memory functions.
//! Every runtime call succeeds in the semantics, so a `cudaError_t` is always `cudaSuccess`.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::constant;
use crate::host::stream_call::per_thread;
use crate::refusal::Result;
use crate::storage::place::{Place, moved};
use crate::syntax::casts::{behind_address, behind_void, callee, is_null};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::has_bit_fields;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::no_memory;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::streams::DEVICES;

fn success() -> Option<Option<Expr>> {
    Some(Some(Expr::int(ScalarType::U32, 0)))
}

/// The call of `malloc` or `calloc` under casts to and from `void *`.
fn allocation(node: &Node) -> Option<&Node> {
    let node = node.unwrapped();
    let name = callee(node).filter(|_| node.is(Kind::CallExpr))?.name;
    matches!(name.as_str(), "malloc" | "calloc" | "aligned_alloc").then_some(node)
}

impl Source<'_, '_> {
    pub(crate) fn allocation<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        let call = allocation(node)?;
        let is_ours = callee(call)?
            .id
            .is_some_and(|id| self.unit.function_of.contains_key(&id));
        (!is_ours).then_some(call)
    }

    /// How many of `bytes` bytes of memory of a type each group of it has, without padding.
    pub(crate) fn group_bytes(
        &self,
        bytes: Expr,
        of: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<(ScalarType, Expr)>> {
        let (Some(groups), Some(size)) = (of.groups(), of.size()) else {
            return self.refuse(node, no_memory(of));
        };
        let mut each = Vec::new();
        for group in groups {
            let Some(own) = group
                .count
                .and_then(|n| n.checked_mul(group.pointer.elem.size()))
            else {
                return self.refuse(node, no_memory(of));
            };
            let scalar = bytes.scalar_type();
            let is_dense = own == size && !has_bit_fields(of);
            let share = match is_dense {
                true => bytes.clone(),
                false => {
                    let whole = Expr::int(scalar, size as i64);
                    let count = Expr::binary(BinaryOp::Div, bytes.clone(), whole);
                    Expr::binary(BinaryOp::Mul, count, Expr::int(scalar, own as i64))
                }
            };
            let share = match constant::evaluate(&share) {
                Some(value) => Expr::constant(value),
                None => share,
            };
            each.push((group.pointer.elem, share));
        }
        Ok(each)
    }

    /// The target of a pointer, if that is a struct whose layout in C differs from its cells.
    pub(crate) fn pointed_struct(&self, node: &Node) -> Option<QualifiedType> {
        let to = match self.type_of(behind_void(node)).decayed().ty {
            CType::Pointer(to) => *to,
            _ => return None,
        };
        let groups = to.groups()?;
        let plain = match groups.as_slice() {
            [group] => {
                group
                    .count
                    .and_then(|n| n.checked_mul(group.pointer.elem.size()))
                    == to.size()
            }
            _ => false,
        };
        (!plain || has_bit_fields(&to)).then_some(to)
    }
}

impl Code<'_, '_> {
    /// `bytes` bytes on the host, every cell with one value.
    pub(crate) fn staged(
        &mut self,
        value: Value,
        bytes: Expr,
        space: AllocSpace,
        span: gridlock_semantics::algebra::span::Span,
    ) -> Expr {
        let elem = Expr::constant(value).scalar_type();
        let ty = Type::pointer_to(elem);
        let var = self.declare("staged", ty, span);
        let alloc = Basic::Alloc {
            var,
            elem,
            bytes: bytes.clone(),
            space,
        };
        self.emit(alloc, span);
        let staged = Expr::var(var, ty);
        let count = elements(bytes, elem);
        self.fill(staged.clone(), count, Expr::constant(value), span);
        staged
    }

    /// A pointer that a loop can use again and again.
    fn steady_base(
        &mut self,
        pointer: Expr,
        span: gridlock_semantics::algebra::span::Span,
    ) -> Expr {
        match pointer.kind {
            ExprKind::Var(_) | ExprKind::ArrayBase(_) => pointer,
            _ => self.keep(pointer, span),
        }
    }
}

impl Body<'_, '_> {
    /// `None`: no function known here. `Some(None)`: done, and it gives no value.
    pub(crate) fn host_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let span = self.span(node);
        if let Some(value) = self.text_call(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some(given) = self.host_value(node, name, arguments)? {
            return Ok(Some(given));
        }
        match (name, arguments) {
            ("malloc" | "calloc" | "aligned_alloc", _) => {
                return self.refuse(node, "an allocation without the type of its elements");
            }
            ("free", [pointer]) => {
                self.release(pointer, AllocSpace::Host, node)?;
                return Ok(Some(None));
            }
            ("memcpy", [dst, src, bytes]) => {
                self.copy(node, CopyKind::HostToHost, dst, src, bytes, None)?;
                return Ok(Some(None));
            }
            ("memset", [dst, byte, bytes]) => {
                self.host_set(node, dst, byte, bytes)?;
                return Ok(Some(None));
            }
            ("cudaMalloc", [target, bytes]) => {
                self.allocate_into(target, bytes, AllocSpace::Global, node)?;
            }
            ("gridlock_per_thread_stream", []) => {
                return Ok(Some(Some(per_thread())));
            }
            ("gridlock_release", [elements]) => {
                self.release(elements, AllocSpace::Owned, node)?;
                return Ok(Some(None));
            }
            ("gridlock_elements", [count]) => {
                return self.elements_call(node, count, AllocSpace::Owned).map(Some);
            }
            ("gridlock_device_release", [elements]) => {
                self.release(elements, AllocSpace::OwnedGlobal, node)?;
                return Ok(Some(None));
            }
            ("gridlock_device_elements", [count]) => {
                return self
                    .elements_call(node, count, AllocSpace::OwnedGlobal)
                    .map(Some);
            }
            ("posix_memalign", [target, alignment, bytes]) => {
                self.effect(alignment)?;
                self.allocate_into(target, bytes, AllocSpace::Host, node)?;
                return Ok(Some(Some(Expr::i32(0))));
            }
            ("exit" | "_exit" | "_Exit" | "quick_exit", [code]) => {
                self.effect(code)?;
                self.not_followed(node);
                return Ok(Some(None));
            }
            ("cudaMallocPitch", [target, pitch, width, height]) => {
                self.allocate_pitched(node, target, pitch, [width, height])?;
            }
            ("cudaMemcpy2D", [dst, dpitch, src, spitch, width, height, kind]) => {
                let kind = self.copy_kind(kind)?;
                let plane = [*dst, dpitch, src, spitch, width, height];
                self.copy_plane(node, plane, kind, None)?;
            }
            ("cudaMemcpy2DAsync", [dst, dpitch, src, spitch, width, height, kind, stream]) => {
                let kind = self.copy_kind(kind)?;
                let plane = [*dst, dpitch, src, spitch, width, height];
                self.copy_plane(node, plane, kind, Some(stream))?;
            }
            ("cudaMemset2D", [dst, pitch, byte, width, height]) => {
                self.set_plane(node, [dst, pitch, byte, width, height])?;
            }
            ("cudaMemsetAsync", [dst, byte, bytes, stream]) => {
                self.device_set(node, dst, byte, bytes, Some(stream))?;
            }
            ("cudaLaunchKernel", _) => self.launch_call(node, arguments, false)?,
            // The location and speed of memory, which have no effect in the semantics.
            (
                "cudaMemPrefetchAsync"
                | "cudaMemAdvise"
                | "cudaStreamAttachMemAsync"
                | "cudaFuncSetAttribute"
                | "cudaFuncSetCacheConfig"
                | "cudaFuncSetSharedMemConfig"
                | "cudaDeviceSetCacheConfig"
                | "cudaDeviceSetSharedMemConfig"
                | "cudaDeviceSetLimit"
                | "cudaSetDeviceFlags"
                | "cudaProfilerStart"
                | "cudaProfilerStop",
                _,
            ) => {
                for argument in arguments {
                    if let CType::Scalar(_) = self.type_of(argument).ty {
                        self.effect(argument)?;
                    }
                }
            }
            ("cudaMallocManaged", [target, bytes, ..]) => {
                self.allocate_into(target, bytes, AllocSpace::Managed, node)?;
            }
            ("cudaMallocHost", [target, bytes]) | ("cudaHostAlloc", [target, bytes, _]) => {
                self.allocate_into(target, bytes, AllocSpace::Pinned, node)?;
            }
            ("cudaFree", [pointer]) if is_null(pointer) => self.emit(Basic::InitGpu, span),
            ("cudaFree", [pointer]) => self.release(pointer, AllocSpace::Global, node)?,
            ("cudaFreeHost", [pointer]) => self.release(pointer, AllocSpace::Pinned, node)?,
            ("cudaMemcpy", [dst, src, bytes, kind]) => {
                let kind = self.copy_kind(kind)?;
                self.copy(node, kind, dst, src, bytes, None)?;
            }
            ("cudaMemcpyAsync", [dst, src, bytes, kind, stream]) => {
                let kind = self.copy_kind(kind)?;
                self.copy(node, kind, dst, src, bytes, Some(stream))?;
            }
            ("cudaMemset", [dst, byte, bytes]) => {
                self.device_set(node, dst, byte, bytes, None)?;
            }
            ("cudaMemcpyToSymbol" | "cudaMemcpyToSymbolAsync", [symbol, src, rest @ ..]) => {
                self.copy_symbol(node, symbol, src, rest, CopyKind::HostToDevice)?;
            }
            ("cudaMemcpyFromSymbol" | "cudaMemcpyFromSymbolAsync", [dst, symbol, rest @ ..]) => {
                self.copy_symbol(node, symbol, dst, rest, CopyKind::DeviceToHost)?;
            }
            ("cudaLaunchCooperativeKernel", _) => self.launch_call(node, arguments, true)?,
            ("cudaDeviceSynchronize" | "cudaThreadSynchronize", []) => {
                self.emit(Basic::DeviceSync, span);
            }
            ("cudaSetDevice", [device]) => {
                let device = self.value(device)?;
                let device = constant::convert(device, Type::I32);
                self.emit(Basic::SetDevice { device }, span);
            }
            ("cudaGetDevice", [target]) => {
                self.assign_target(target, 0, node)?;
                self.note(node, "the current device is taken to be the first");
            }
            ("cudaGetDeviceCount", [target]) => {
                self.assign_target(target, DEVICES as i32, node)?;
            }
            ("cudaEventElapsedTime", [target, _, _]) => {
                self.assign_target(target, 0, node)?;
                self.note(node, "time is not modelled: this gives 0");
            }
            ("cudaDeviceReset" | "cudaGetLastError" | "cudaPeekAtLastError", []) => {}
            _ if self.stream_call(node, name, arguments)? => {}
            _ => return self.checked_call(node, name, arguments),
        }
        Ok(success())
    }

    /// The factors of the number of bytes an allocation asks for, and whether it clears them.
    fn allocation_sizes(&mut self, call: &Node) -> Result<(Vec<Expr>, bool)> {
        let sizes: Vec<Operand<'_>> = call.arguments().iter().map(Operand::Value).collect();
        let mut sizes = self.operands(&sizes)?;
        let name = callee(call).map(|callee| callee.name);
        if name.as_deref() == Some("aligned_alloc") && sizes.len() == 2 {
            sizes.remove(0);
        }
        let is_cleared = sizes.len() == 2;
        Ok((sizes, is_cleared))
    }

    /// `(T *)malloc(bytes)` or `(T *)calloc(n, size)`.
    pub(crate) fn allocate(&mut self, call: &Node, elem: ScalarType) -> Result<Expr> {
        if !self.on_host() {
            return self.refuse(call, "an allocation in device code");
        }
        let span = self.span(call);
        let (sizes, is_cleared) = self.allocation_sizes(call)?;
        let Some(mut bytes) = sizes
            .into_iter()
            .reduce(|n, size| Expr::binary(BinaryOp::Mul, n, size))
        else {
            return self.refuse(call, "this allocation");
        };
        if !bytes.ty.scalar().is_some_and(|s| s.is_integer()) {
            return self.refuse(call, "this allocation");
        }
        if is_cleared && bytes.has_load() {
            bytes = self.keep(bytes, span);
        }
        let ty = Type::pointer_to(elem);
        let var = self.temporary(ty, span);
        let alloc = Basic::Alloc {
            var,
            elem,
            bytes: bytes.clone(),
            space: AllocSpace::Host,
        };
        self.emit(alloc, span);
        let pointer = Expr::var(var, ty);
        if is_cleared {
            let zero = Expr::constant(Value::zero(elem));
            self.fill(pointer.clone(), elements(bytes, elem), zero, span);
        }
        Ok(pointer)
    }

    /// `(S *)malloc(bytes)` of structs with cells of several types: an allocation a group.
    pub(crate) fn allocate_groups(&mut self, call: &Node, to: &QualifiedType) -> Result<Vec<Expr>> {
        if !self.on_host() {
            return self.refuse(call, "an allocation in device code");
        }
        let span = self.span(call);
        let (sizes, is_cleared) = self.allocation_sizes(call)?;
        let bytes = sizes
            .into_iter()
            .reduce(|n, size| Expr::binary(BinaryOp::Mul, n, size));
        let Some(bytes) = bytes.filter(|b| b.ty.scalar().is_some_and(|s| s.is_integer())) else {
            return self.refuse(call, "this allocation");
        };
        let bytes = self.keep(bytes, span);
        let mut pointers = Vec::new();
        for (elem, bytes) in self.group_bytes(bytes, to, call)? {
            let ty = Type::pointer_to(elem);
            let var = self.temporary(ty, span);
            let alloc = Basic::Alloc {
                var,
                elem,
                bytes: bytes.clone(),
                space: AllocSpace::Host,
            };
            self.emit(alloc, span);
            if is_cleared {
                let zero = Expr::constant(Value::zero(elem));
                self.fill(Expr::var(var, ty), elements(bytes, elem), zero, span);
            }
            pointers.push(Expr::var(var, ty));
        }
        Ok(pointers)
    }

    /// `cudaMalloc(&target, bytes)`.
    fn allocate_into(
        &mut self,
        target: &Node,
        bytes: &Node,
        space: AllocSpace,
        node: &Node,
    ) -> Result<()> {
        let bytes = self.value(bytes)?;
        self.allocate_bytes_into(target, bytes, space, node)
    }

    /// The same, the number of bytes known.
    pub(crate) fn allocate_bytes_into(
        &mut self,
        target: &Node,
        bytes: Expr,
        space: AllocSpace,
        node: &Node,
    ) -> Result<()> {
        let Some(variable) = behind_address(target) else {
            return self.refuse(target, "an allocation into anything but a variable");
        };
        let span = self.span(node);
        if let Some(to) = self.pointed_struct(variable) {
            let vars = match self.place(variable)? {
                Place::Parts(vars, _) => vars,
                Place::Var(var, Type::Pointer(_)) => vec![var],
                _ => return self.refuse(variable, "an allocation into anything but a variable"),
            };
            let bytes = self.keep(bytes, span);
            for (var, (elem, bytes)) in vars.into_iter().zip(self.group_bytes(bytes, &to, node)?) {
                let alloc = Basic::Alloc {
                    var,
                    elem,
                    bytes,
                    space,
                };
                self.emit(alloc, span);
            }
            return Ok(());
        }
        let Place::Var(var, Type::Pointer(pointer)) = self.place(variable)? else {
            return self.refuse(variable, "an allocation into anything but a variable");
        };
        let alloc = Basic::Alloc {
            var,
            elem: pointer.elem,
            bytes,
            space,
        };
        self.emit(alloc, span);
        Ok(())
    }

    /// A runtime call that stores its result through a pointer: `cudaGetDevice(&n)`.
    fn assign_target(&mut self, target: &Node, value: i32, node: &Node) -> Result<()> {
        let Some(variable) = behind_address(target) else {
            return self.refuse(target, "a result into anything but a variable");
        };
        let span = self.span(node);
        let place = self.place(variable)?;
        self.write(&place, Expr::i32(value), span, node)
    }

    pub(crate) fn release(&mut self, pointer: &Node, space: AllocSpace, node: &Node) -> Result<()> {
        // Freeing the null pointer does nothing.
        if is_null(pointer) {
            return Ok(());
        }
        let pointers = self.pointers(behind_void(pointer))?;
        let span = self.span(node);
        for pointer in pointers {
            if pointer.ty.pointer().is_none() {
                return self.refuse(node, "freeing this");
            }
            let free = Basic::Free {
                pointer,
                space,
                stream: None,
            };
            self.emit(free, span);
        }
        Ok(())
    }

    pub(crate) fn copy_kind(&mut self, node: &Node) -> Result<CopyKind> {
        let kind = self.value(node)?;
        match constant::evaluate(&kind).and_then(Value::as_integer) {
            Some(0) => Ok(CopyKind::HostToHost),
            Some(1) => Ok(CopyKind::HostToDevice),
            Some(2) => Ok(CopyKind::DeviceToHost),
            Some(3) => Ok(CopyKind::DeviceToDevice),
            Some(4) => Ok(CopyKind::Default),
            _ => self.refuse(node, "a copy whose direction is not given by name"),
        }
    }

    fn copy(
        &mut self,
        node: &Node,
        kind: CopyKind,
        dst: &Node,
        src: &Node,
        bytes: &Node,
        stream: Option<&Node>,
    ) -> Result<()> {
        if let Some(to) = self
            .pointed_struct(dst)
            .or_else(|| self.pointed_struct(src))
        {
            return self.copy_structs(node, kind, [dst, src, bytes], &to, stream);
        }
        let parts = [
            Operand::Value(behind_void(dst)),
            Operand::Value(behind_void(src)),
            Operand::Value(bytes),
        ];
        let mut parts = self.operands(&parts)?;
        let stream = match stream {
            Some(stream) => Some(self.after(&mut parts, |body| body.handle(stream))?),
            None => None,
        };
        let (Some(bytes), Some(src), Some(dst)) = (parts.pop(), parts.pop(), parts.pop()) else {
            return self.refuse(node, "this copy");
        };
        if dst.ty.pointer().is_none() || src.ty.pointer().is_none() {
            return self.refuse(node, "a copy of this");
        }
        let span = self.span(node);
        let copy = Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            stream,
        };
        self.emit(copy, span);
        Ok(())
    }

    /// A copy of structs: each group by itself.
    fn copy_structs(
        &mut self,
        node: &Node,
        kind: CopyKind,
        [dst, src, bytes]: [&Node; 3],
        of: &QualifiedType,
        stream: Option<&Node>,
    ) -> Result<()> {
        let span = self.span(node);
        let same = |ty: Option<QualifiedType>| ty.is_some_and(|ty| ty.ty == of.ty);
        if !same(self.pointed_struct(dst)) || !same(self.pointed_struct(src)) {
            return self.refuse(node, "a copy between memories of two types");
        }
        let parts = [
            Operand::Parts(behind_void(dst)),
            Operand::Parts(behind_void(src)),
            Operand::Value(bytes),
        ];
        let mut parts = self.operands(&parts)?;
        let stream = match stream {
            Some(stream) => Some(self.after(&mut parts, |body| body.handle(stream))?),
            None => None,
        };
        let Some(bytes) = parts.pop() else {
            return self.refuse(node, "this copy");
        };
        let bytes = self.keep(bytes, span);
        let sources = parts.split_off(parts.len() / 2);
        let shares = self.group_bytes(bytes, of, node)?;
        for ((dst, src), (_, bytes)) in parts.into_iter().zip(sources).zip(shares) {
            let copy = Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream: stream.clone(),
            };
            self.emit(copy, span);
        }
        Ok(())
    }

    /// A copy to or from a variable of the device, `offset` bytes into it.
    fn copy_symbol(
        &mut self,
        node: &Node,
        symbol: &Node,
        other: &Node,
        rest: &[&Node],
        kind: CopyKind,
    ) -> Result<()> {
        let [bytes, offset, _, stream @ ..] = rest else {
            return self.refuse(node, "this copy");
        };
        let place = self.place(symbol)?;
        let place = self.address(&place, symbol)?;
        let elem = match place.ty.pointer() {
            Some(pointer) => pointer.elem,
            None => return self.refuse(symbol, "a copy of this"),
        };
        let offset_value = self.value(offset)?;
        let offset_bytes = constant::evaluate(&offset_value).and_then(Value::as_integer);
        let symbol = match offset_bytes {
            Some(0) => place,
            Some(n) if n > 0 && n % i128::from(elem.size()) == 0 => {
                let by = (n / i128::from(elem.size())) as i64;
                moved(place, Expr::int(ScalarType::I64, by), 1)
            }
            _ => return self.refuse(offset, "this offset into a variable of the device"),
        };
        let parts = [Operand::Value(behind_void(other)), Operand::Value(bytes)];
        let mut parts = self.operands(&parts)?;
        let stream = match stream.first() {
            Some(stream) => Some(self.after(&mut parts, |body| body.handle(stream))?),
            None => None,
        };
        let (Some(bytes), Some(other)) = (parts.pop(), parts.pop()) else {
            return self.refuse(node, "this copy");
        };
        if other.ty.pointer().is_none() {
            return self.refuse(node, "a copy of this");
        }
        let (dst, src) = match kind {
            CopyKind::HostToDevice => (symbol, other),
            _ => (other, symbol),
        };
        let span = self.span(node);
        let copy = Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            stream,
        };
        self.emit(copy, span);
        Ok(())
    }

    /// The destination, the value every element gets, and the number of bytes of a `memset`.
    pub(crate) fn set_parts(
        &mut self,
        dst: &Node,
        byte: &Node,
        bytes: &Node,
    ) -> Result<(Expr, Value, Expr)> {
        if self.pointed_struct(dst).is_some() {
            return self.refuse(
                dst,
                "setting memory of structs with members of several types, or with bit-fields",
            );
        }
        let parts = [
            Operand::Value(behind_void(dst)),
            Operand::Value(byte),
            Operand::Value(bytes),
        ];
        let mut parts = self.operands(&parts)?;
        let (Some(count), Some(value), Some(to)) = (parts.pop(), parts.pop(), parts.pop()) else {
            return self.refuse(dst, "this");
        };
        let Some(elem) = to.ty.pointer().map(|p| p.elem) else {
            return self.refuse(dst, "setting this");
        };
        if !count.ty.scalar().is_some_and(|s| s.is_integer()) {
            return self.refuse(bytes, "this number of bytes");
        }
        let value = constant::evaluate(&value).and_then(Value::as_integer);
        let value = match value {
            Some(0) => Value::zero(elem),
            Some(value) if elem.is_integer() => {
                let byte = value as u8 as i128;
                let bits = (0..elem.size()).fold(0i128, |bits, _| bits << 8 | byte);
                Value::int(elem, bits)
            }
            _ => return self.refuse(byte, "setting memory to this"),
        };
        Ok((to, value, count))
    }

    fn host_set(&mut self, node: &Node, dst: &Node, byte: &Node, bytes: &Node) -> Result<()> {
        let span = self.span(node);
        let (to, value, bytes) = self.set_parts(dst, byte, bytes)?;
        let to = self.steady_base(to, span);
        let elem = Expr::constant(value).scalar_type();
        let count = self.keep(elements(bytes, elem), span);
        self.fill(to, count, Expr::constant(value), span);
        Ok(())
    }

    /// `cudaMemset`: the algebra writes device memory by copies only, so the bytes are laid out on the host and
    /// copied. In a stream the copy may happen at any later time; no other code can change these bytes.
    fn device_set(
        &mut self,
        node: &Node,
        dst: &Node,
        byte: &Node,
        bytes: &Node,
        stream: Option<&Node>,
    ) -> Result<()> {
        let span = self.span(node);
        let (to, value, bytes) = self.set_parts(dst, byte, bytes)?;
        let mut parts = vec![to, bytes];
        let stream = match stream {
            Some(stream) => Some(self.after(&mut parts, |body| body.handle(stream))?),
            None => None,
        };
        let (Some(bytes), Some(to)) = (parts.pop(), parts.pop()) else {
            return self.refuse(node, "setting this");
        };
        let bytes = match bytes.kind {
            ExprKind::Const(_) => bytes,
            _ => self.keep(bytes, span),
        };
        let in_stream = stream.is_some();
        let space = match in_stream {
            true => AllocSpace::Owned,
            false => AllocSpace::Host,
        };
        let staged = self.staged(value, bytes.clone(), space, span);
        let copy = Basic::Copy {
            kind: CopyKind::HostToDevice,
            dst: to,
            src: staged.clone(),
            bytes,
            stream,
        };
        self.emit(copy, span);
        if in_stream {
            return Ok(());
        }
        let free = Basic::Free {
            pointer: staged,
            space: AllocSpace::Host,
            stream: None,
        };
        self.emit(free, span);
        Ok(())
    }
}

/// `bytes / sizeof(elem)`.
pub(crate) fn elements(bytes: Expr, elem: ScalarType) -> Expr {
    let scalar = bytes.scalar_type();
    let size = Expr::int(scalar, elem.size() as i64);
    let count = Expr::binary(BinaryOp::Div, bytes, size);
    match constant::evaluate(&count) {
        Some(value) => Expr::constant(value),
        None => count,
    }
}
