//! Places: what can be read, written, or pointed to.

use super::operands::Operand;
use super::{Binding, Body, Result};
use crate::constant;
use crate::ctype::{CType, QualifiedType};
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::{Axis, Builtin, Expr, ExprKind};
use gridlock_semantics::operator::Basic;
use gridlock_semantics::program::{ArrayId, Space, VarId};
use gridlock_semantics::span::Span;
use gridlock_semantics::types::{PointerType, ScalarType, Type};

#[derive(Clone, Debug)]
pub(super) enum Place {
    Var(VarId, Type),
    /// What a pointer points to: a scalar, or an array that starts there.
    Cell(Expr, QualifiedType),
    Fields(Vec<(String, VarId, ScalarType)>),
    /// `threadIdx` and its kin.
    Coordinates(fn(Axis) -> Builtin),
    /// Can be read only.
    Constant(Expr),
    /// A `cudaError_t`.
    Status,
}

/// A node without brackets and without casts that change the qualifiers of an lvalue.
pub(super) fn without_lvalue_casts(node: &Node) -> &Node {
    let mut node = node.unwrapped();
    while node.is("ImplicitCastExpr") && node.kind.cast_kind.as_deref() == Some("NoOp") {
        match node.last() {
            Some(inner) => node = inner.unwrapped(),
            None => break,
        }
    }
    node
}

impl Body<'_, '_> {
    pub(super) fn place(&mut self, node: &Node) -> Result<Place> {
        let node = without_lvalue_casts(node);
        match node.kind_name() {
            "DeclRefExpr" => self.named(node),
            "ArraySubscriptExpr" => self.subscript(node),
            "MemberExpr" => self.member(node),
            "CXXMemberCallExpr" => match self.group_coordinates(node) {
                Some(coordinates) => Ok(coordinates),
                None => self.refuse(node, super::statement::construct("CXXMemberCallExpr")),
            },
            "UnaryOperator" => match (node.opcode(), node.child(0)) {
                ("*", Some(operand)) => {
                    let pointer = self.value(operand)?;
                    self.cell(pointer, node)
                }
                ("++" | "--", Some(operand)) if !node.kind.is_postfix => {
                    self.effect(node)?;
                    self.place(operand)
                }
                ("__extension__", Some(operand)) => self.place(operand),
                _ => self.refuse(node, format!("the address of `{}…`", node.opcode())),
            },
            "BinaryOperator" | "CompoundAssignOperator" => match node.child(0) {
                Some(left) if node.opcode() == "," => match node.child(1) {
                    Some(right) => {
                        self.effect(left)?;
                        self.place(right)
                    }
                    None => self.refuse(node, "this expression"),
                },
                Some(left) if node.opcode().ends_with('=') => {
                    self.effect(node)?;
                    self.place(left)
                }
                _ => self.refuse(node, "this expression"),
            },
            "ConditionalOperator" => {
                let [cond, then, otherwise] = node.inner.as_slice() else {
                    return self.refuse(node, "this expression");
                };
                let parts = [
                    Operand::Condition(cond),
                    Operand::Address(then),
                    Operand::Address(otherwise),
                ];
                let (ops, mut parts) = self.apart(|b| b.operands(&parts))?;
                if !ops.is_empty() {
                    return self.refuse(node, "side effects in a conditional lvalue");
                }
                let (otherwise, then) = (parts.pop(), parts.pop());
                match (parts.pop(), then, otherwise) {
                    (Some(cond), Some(then), Some(otherwise)) => {
                        self.cell(Expr::select(cond, then, otherwise), node)
                    }
                    _ => self.refuse(node, "this expression"),
                }
            }
            kind => self.refuse(node, super::statement::construct(kind)),
        }
    }

    fn cell(&self, pointer: Expr, node: &Node) -> Result<Place> {
        let ty = self.type_of(node);
        if pointer.ty.pointer().is_none() || ty.cells().is_none() {
            return self.refuse(
                node,
                format!("memory of {}", crate::ctype::describe(&ty.ty)),
            );
        }
        Ok(Place::Cell(pointer, ty))
    }

    fn named(&mut self, node: &Node) -> Result<Place> {
        let Some(decl) = &node.kind.referenced_decl else {
            return self.refuse(node, "this name");
        };
        if let Some(&(value, ty)) = self.unit.enumerators.get(&decl.id) {
            return Ok(Place::Constant(Expr::int(ty, value as i64)));
        }
        if !self.bindings.contains_key(&decl.id) {
            if let Some(coordinates) = coordinates(&decl.name) {
                return Ok(coordinates);
            }
            let Some(&global) = self.unit.globals.get(&decl.id) else {
                return self.refuse(node, format!("the name `{}` here", decl.name));
            };
            let binding = self.global(global, node)?;
            self.bindings.insert(decl.id, binding);
        }
        match self.bindings.get(&decl.id) {
            Some(Binding::Var(var, ty)) => Ok(Place::Var(*var, *ty)),
            Some(Binding::Array(array, ty)) => {
                let (array, ty) = (*array, ty.clone());
                Ok(Place::Cell(self.base(array, &ty, node)?, ty))
            }
            Some(Binding::Reference(var, to)) => {
                let (var, to) = (*var, to.clone());
                let ty = self.vars[var.0 as usize].ty;
                Ok(Place::Cell(Expr::var(var, ty), to))
            }
            Some(Binding::Fields(fields)) => Ok(Place::Fields(fields.clone())),
            Some(Binding::Constant(value)) => Ok(Place::Constant(value.clone())),
            Some(Binding::Status) => Ok(Place::Status),
            Some(Binding::Text | Binding::Arguments(_)) | None => {
                self.refuse(node, format!("the value of `{}` here", decl.name))
            }
        }
    }

    /// Pointer to the first element of a declared array.
    pub(super) fn base(&self, array: ArrayId, ty: &QualifiedType, node: &Node) -> Result<Expr> {
        let decl = self.builder.array(array);
        if self.on_host() && decl.space == Space::Shared {
            return self.refuse(node, "shared memory in host code");
        }
        if !self.on_host() && decl.space == Space::Host {
            return self.refuse(node, "a variable of the host in device code");
        }
        let (pointer, _) = match ty.cells() {
            Some(cells) => cells,
            None => return self.refuse(node, "memory of this type"),
        };
        Ok(Expr::array_base(array, pointer))
    }

    fn subscript(&mut self, node: &Node) -> Result<Place> {
        let [left, right] = node.inner.as_slice() else {
            return self.refuse(node, "this subscript");
        };
        let mut parts = self.operands(&[Operand::Value(left), Operand::Value(right)])?;
        let (Some(mut index), Some(mut pointer)) = (parts.pop(), parts.pop()) else {
            return self.refuse(node, "this subscript");
        };
        if pointer.ty.pointer().is_none() {
            std::mem::swap(&mut index, &mut pointer);
        }
        let ty = self.type_of(node);
        let Some((_, Some(count))) = ty.cells() else {
            return self.refuse(
                node,
                format!("memory of {}", crate::ctype::describe(&ty.ty)),
            );
        };
        Ok(Place::Cell(moved(pointer, index, count), ty))
    }

    fn member(&mut self, node: &Node) -> Result<Place> {
        let Some(base) = node.child(0) else {
            return self.refuse(node, "this member");
        };
        if node.kind.is_arrow {
            return self.refuse(node, "a pointer to a struct");
        }
        match self.place(base)? {
            Place::Fields(fields) => {
                let field = fields.iter().find(|(name, _, _)| name == node.name());
                match field {
                    Some(&(_, var, scalar)) => Ok(Place::Var(var, Type::Scalar(scalar))),
                    None => self.refuse(node, format!("the member `{}`", node.name())),
                }
            }
            Place::Coordinates(builtin) => {
                let axis = match node.name() {
                    "x" => Axis::X,
                    "y" => Axis::Y,
                    _ => Axis::Z,
                };
                if self.on_host() {
                    return self.refuse(node, "a thread or block index in host code");
                }
                Ok(Place::Constant(Expr::builtin(builtin(axis))))
            }
            _ => self.refuse(node, "a struct in memory"),
        }
    }

    /// The value of a place.
    pub(super) fn read(&self, place: &Place, node: &Node) -> Result<Expr> {
        match place {
            Place::Var(var, ty) => Ok(Expr::var(*var, *ty)),
            Place::Constant(value) => Ok(value.clone()),
            Place::Status => Ok(Expr::int(ScalarType::U32, 0)),
            Place::Cell(pointer, ty) => match (&ty.ty, Expr::load(pointer.clone())) {
                (CType::Scalar(_), Some(load)) => Ok(load),
                (CType::Pointer(_), _) => self.refuse(node, "a pointer in memory"),
                _ => self.refuse(node, "a value of this type"),
            },
            Place::Fields(_) | Place::Coordinates(_) => {
                self.refuse(node, "a struct as a value here")
            }
        }
    }

    /// `place = value`; the value is converted to the place's type.
    pub(super) fn write(
        &mut self,
        place: &Place,
        value: Expr,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        match place {
            Place::Var(var, _) => {
                self.assign_var(*var, value, span);
                Ok(())
            }
            Place::Cell(pointer, ty) => match ty.ty {
                CType::Scalar(scalar) => {
                    let value = constant::convert(value, Type::Scalar(scalar));
                    let pointer = pointer.clone();
                    self.emit(Basic::Store { pointer, value }, span);
                    Ok(())
                }
                CType::Pointer(_) => self.refuse(node, "a pointer in memory"),
                _ => self.refuse(node, "an assignment of this type"),
            },
            Place::Status => Ok(()),
            Place::Fields(_) | Place::Coordinates(_) | Place::Constant(_) => {
                self.refuse(node, "an assignment to this")
            }
        }
    }

    /// The address of a place.
    pub(super) fn address(&self, place: &Place, node: &Node) -> Result<Expr> {
        match place {
            Place::Cell(pointer, _) => Ok(pointer.clone()),
            Place::Fields(_) | Place::Coordinates(_) => {
                self.refuse(node, "the address of a struct")
            }
            _ => self.refuse(node, "the address of this"),
        }
    }

    /// The address of what a reference is bound to; a temporary gets memory of its own.
    pub(super) fn referent(&mut self, node: &Node) -> Result<Expr> {
        let bare = strip_cleanups(node);
        let is_value = bare.is("MaterializeTemporaryExpr")
            || node.unwrapped().kind.value_category.as_deref() == Some("prvalue");
        if is_value {
            let inner = node.unwrapped();
            let value = self.value(inner)?;
            let span = self.span(inner);
            let Some(elem) = value.ty.scalar() else {
                return self.refuse(node, "a reference to a pointer");
            };
            let ty = QualifiedType::plain(CType::Scalar(elem));
            let array = self.local_array("tmp", &ty, None, span);
            let pointer = Expr::array_base(array, PointerType::to(elem));
            let store = Basic::Store {
                pointer: pointer.clone(),
                value,
            };
            self.emit(store, span);
            return Ok(pointer);
        }
        let place = self.place(node)?;
        if let Place::Cell(pointer, _) = place {
            return Ok(pointer);
        }
        self.refuse(node, "a reference to this")
    }

    /// The place with its address evaluated once: reading and then writing it evaluates the
    /// subscript one time only.
    pub(super) fn steady(&mut self, place: Place, span: Span) -> Place {
        let Place::Cell(pointer, ty) = place else {
            return place;
        };
        if !pointer.has_load() {
            return Place::Cell(pointer, ty);
        }
        Place::Cell(self.steady_pointer(pointer, span), ty)
    }

    pub(super) fn steady_pointer(&mut self, pointer: Expr, span: Span) -> Expr {
        match &pointer.kind {
            ExprKind::Offset(base, elements) if !base.has_load() => {
                let elements = self.keep((**elements).clone(), span);
                Expr::offset((**base).clone(), elements)
            }
            _ => self.keep(pointer, span),
        }
    }
}

fn strip_cleanups(node: &Node) -> &Node {
    let mut node = node;
    while matches!(node.kind_name(), "ExprWithCleanups" | "ParenExpr") {
        match node.last() {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// `pointer + index`, where one step is `count` elements. Offsets of offsets are added.
pub(super) fn moved(pointer: Expr, index: Expr, count: u64) -> Expr {
    let elements = constant::scale(constant::convert(index, Type::I64), count);
    match &pointer.kind {
        ExprKind::Offset(base, first) => Expr::offset(
            (**base).clone(),
            constant::add_elements((**first).clone(), elements),
        ),
        _ => Expr::offset(pointer, elements),
    }
}

fn coordinates(name: &str) -> Option<Place> {
    Some(match name {
        "threadIdx" => Place::Coordinates(Builtin::ThreadIdx),
        "blockIdx" => Place::Coordinates(Builtin::BlockIdx),
        "blockDim" => Place::Coordinates(Builtin::BlockDim),
        "gridDim" => Place::Coordinates(Builtin::GridDim),
        "warpSize" => Place::Constant(Expr::builtin(Builtin::WarpSize)),
        _ => return None,
    })
}
