//! `new` and `delete` in host code: memory of the host, as `malloc`'s is.

use crate::body::Body;
use crate::body::code::Code;
use crate::constant;
use crate::host::host_call::elements;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::no_memory;
use crate::unit::is_written_by_compiler;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Code<'_, '_> {
    /// Memory for `bytes` bytes of a type: an array a group, each cell set to `first` if that is
    /// given.
    pub(crate) fn allocate_all(
        &mut self,
        bytes: Expr,
        to: &QualifiedType,
        space: AllocSpace,
        first: Option<Expr>,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let span = self.span(node);
        let bytes = match constant::evaluate(&bytes) {
            Some(value) => Expr::constant(value),
            None => self.keep(bytes, span),
        };
        let mut pointers = Vec::new();
        for (elem, bytes) in self.group_bytes(bytes, to, node)? {
            let ty = Type::pointer_to(elem);
            let var = self.temporary(ty, span);
            let alloc = Basic::Alloc {
                var,
                elem,
                bytes: bytes.clone(),
                space,
            };
            self.emit(alloc, span);
            if let Some(first) = &first {
                let value = constant::convert(first.clone(), Type::Scalar(elem));
                let count = elements(bytes, elem);
                self.fill(Expr::var(var, ty), count, value, span);
            }
            pointers.push(Expr::var(var, ty));
        }
        Ok(pointers)
    }
}

impl Body<'_, '_> {
    /// `new T[n]` or `new T`: the pointers to the groups of the new memory.
    pub(crate) fn new_expression(&mut self, node: &Node) -> Result<Vec<Expr>> {
        if !self.on_host() {
            return self.refuse(node, "`new` in device code");
        }
        let CType::Pointer(to) = self.type_of(node).ty else {
            return self.refuse(node, "this `new`");
        };
        let (count, init) = match (node.kind.is_array, node.inner.as_slice()) {
            (true, [count, init @ ..]) => {
                let count = constant::convert(self.value(count)?, Type::Scalar(ScalarType::U64));
                (count, init.first())
            }
            (false, init) => (Expr::int(ScalarType::U64, 1), init.first()),
            (true, []) => return self.refuse(node, "this `new`"),
        };
        let Some(size) = to.size() else {
            return self.refuse(node, no_memory(&to));
        };
        let cleared = match init {
            None => None,
            Some(init) => self.first_value(node, init, &to)?,
        };
        let bytes = constant::binary(
            BinaryOp::Mul,
            count,
            Expr::int(ScalarType::U64, size as i64),
        );
        self.allocate_all(bytes, &to, AllocSpace::New, cleared, node)
    }

    /// The first value of each cell of a new array, if it has one.
    fn first_value(
        &mut self,
        node: &Node,
        init: &Node,
        to: &QualifiedType,
    ) -> Result<Option<Expr>> {
        let init = init.unwrapped();
        match (init.kind(), init.inner.as_slice()) {
            (Kind::CXXConstructExpr, _) => match self.unit.constructor(init) {
                Some(index) if !is_written_by_compiler(&self.unit.functions[index]) => {
                    self.refuse(node, "`new` of a class with a constructor")
                }
                _ => Ok(None),
            },
            (Kind::ImplicitValueInitExpr, _) | (Kind::InitListExpr, []) => {
                Ok(Some(Expr::constant(Value::zero(ScalarType::I32))))
            }
            _ if !node.kind.is_array && matches!(to.ty, CType::Scalar(_)) => {
                self.value(init).map(Some)
            }
            _ => self.refuse(node, "`new` with this initialiser"),
        }
    }

    /// `delete p` and `delete[] p`.
    pub(crate) fn delete_expression(&mut self, node: &Node, pointer: &Node) -> Result<()> {
        match self.on_host() {
            true => self.release(pointer, AllocSpace::New, node),
            false => self.refuse(node, "`delete` in device code"),
        }
    }

    /// `gridlock_elements<T>(n)` and `gridlock_device_elements<T>(n)`: the elements of a container.
    pub(crate) fn elements_call(
        &mut self,
        node: &Node,
        count: &Node,
        space: AllocSpace,
    ) -> Result<Option<Expr>> {
        let CType::Pointer(to) = self.type_of(node).ty else {
            return self.refuse(node, "this container");
        };
        let Some(size) = to.size() else {
            return self.refuse(node, no_memory(&to));
        };
        let count = constant::convert(self.value(count)?, Type::Scalar(ScalarType::U64));
        let bytes = constant::binary(
            BinaryOp::Mul,
            count,
            Expr::int(ScalarType::U64, size as i64),
        );
        let mut pointers = self.allocate_all(bytes, &to, space, None, node)?;
        match (pointers.pop(), pointers.is_empty()) {
            (Some(pointer), true) => Ok(Some(pointer)),
            _ => self.refuse(node, "a container of structs with members of several types"),
        }
    }
}
