//! Places: what can be read, written, or pointed to.

use crate::arithmetic::chosen;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::body::{Body, TEMPORARY};
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::{Place, is_view, memory};
use crate::storage::pointers::{cell_of_view, strides};
use crate::syntax::casts::{is_to_base, strip_cleanups, without_lvalue_casts};
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{DeclRef, Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::types::member_names::of_variable;
use crate::types::record::no_memory;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::sync::Arc;

impl Source<'_, '_> {
    /// The memory behind pointers to the groups of a type.
    pub(crate) fn cell(&self, pointers: Vec<Expr>, node: &Node) -> Result<Place> {
        let ty = self.type_of(node);
        let groups = ty.groups();
        let fits = cell_of_view(&pointers, &ty).is_some()
            || groups.is_some_and(|groups| groups.len() == pointers.len());
        if !fits || pointers.iter().any(|p| p.ty.pointer().is_none()) {
            return self.refuse(node, no_memory(&ty));
        }
        Ok(memory(pointers, ty))
    }

    /// The first cell and the number of cells of an array that a subscript is in, where one pointer leads to them.
    fn array_cells(
        &self,
        named: &Node,
        pointers: &[Expr],
        elem: &QualifiedType,
    ) -> Option<(Expr, u64)> {
        let named = named.unwrapped();
        let is_array = *named.cast() == CastKind::ArrayToPointerDecay;
        let array = named.last().filter(|_| is_array)?;
        let (CType::Array(_, Some(len)), [first]) = (self.type_of(array).ty, pointers) else {
            return None;
        };
        match strides(pointers, elem)?.as_slice() {
            [count] => Some((first.clone(), len.checked_mul(*count)?)),
            _ => None,
        }
    }

    /// The address of a place.
    pub(crate) fn address(&self, place: &Place, node: &Node) -> Result<Expr> {
        match place {
            Place::Cell(pointer, _) => Ok(pointer.clone()),
            Place::Parts(..) | Place::Coordinates(_) | Place::Value(..) => {
                self.refuse(node, "the address of a struct")
            }
            _ => self.refuse(node, "the address of this"),
        }
    }
}

impl Code<'_, '_> {
    /// The binding of a name.
    pub(crate) fn bound(&mut self, id: clang_ast::Id, name: &str, node: &Node) -> Result<Place> {
        match self.bindings.get(&id) {
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
            Some(Binding::Object(vars, ty)) => Ok(Place::Parts(vars.clone(), ty.clone())),
            Some(Binding::Memory(arrays, ty)) => {
                let (arrays, ty) = (arrays.clone(), ty.clone());
                Ok(Place::Cells(self.bases(&arrays, &ty, node)?, ty))
            }
            Some(Binding::References(vars, to)) => {
                let pointer = |var: &VarId| Expr::var(*var, self.vars[var.0 as usize].ty);
                Ok(Place::Cells(vars.iter().map(pointer).collect(), to.clone()))
            }
            Some(Binding::Alias(place)) => Ok(place.clone()),
            Some(Binding::Constant(value)) => Ok(Place::Constant(value.clone())),
            Some(Binding::Status) => Ok(Place::Status),
            Some(Binding::Address(_)) => self.refuse(node, "a pointer to a pointer here"),
            Some(
                Binding::Text
                | Binding::CommandLine
                | Binding::Texture(_)
                | Binding::Known(_)
                | Binding::Arguments(_),
            )
            | None => self.refuse(node, format!("the value of `{name}` here")),
        }
    }

    /// Pointer to the first element of a declared array.
    pub(crate) fn base(&mut self, array: ArrayId, ty: &QualifiedType, node: &Node) -> Result<Expr> {
        self.check_reach(array, node)?;
        self.name_cells(array, ty);
        let elem = self.builder.array(array).elem;
        // An array that is accessed as several types has cells that fit all of them.
        let pointer = match ty.cells() {
            Some((pointer, _)) => PointerType { elem, ..pointer },
            None => PointerType {
                elem,
                is_const: ty.is_const,
                is_volatile: ty.is_volatile,
            },
        };
        Ok(Expr::array_base(array, pointer))
    }

    /// Pointers to the first cells of the declared arrays of a type's groups.
    pub(crate) fn bases(
        &mut self,
        arrays: &[ArrayId],
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let groups = ty.groups().unwrap_or_default();
        let mut pointers = Vec::new();
        for (&array, group) in arrays.iter().zip(groups) {
            self.check_reach(array, node)?;
            self.name_cells(array, ty);
            pointers.push(Expr::array_base(array, group.pointer));
        }
        Ok(pointers)
    }

    /// Records the names of the cells of an array, which are all or some of the cells of a variable of a type.
    fn name_cells(&mut self, array: ArrayId, ty: &QualifiedType) {
        if self.builder.names_cells_of(array, ty) {
            return;
        }
        let cells = of_variable(self.builder.array(array), ty);
        self.builder.name_cells(array, ty, cells);
    }

    fn check_reach(&self, array: ArrayId, node: &Node) -> Result<()> {
        let decl = self.builder.array(array);
        if self.on_host() && decl.space == Space::Shared {
            return self.refuse(node, "shared memory in host code");
        }
        if !self.on_host() && decl.space == Space::Host {
            return self.refuse(node, "a variable of the host in device code");
        }
        Ok(())
    }

    /// The value of a place.
    pub(crate) fn read(&mut self, place: &Place, node: &Node) -> Result<Expr> {
        match place {
            Place::Var(var, ty) => Ok(Expr::var(*var, *ty)),
            Place::Constant(value) => Ok(value.clone()),
            Place::Status => Ok(Expr::int(ScalarType::U32, 0)),
            Place::Bits(bits) => self.read_bits(bits, node),
            Place::Sliced(sliced) => {
                let mut values = self.read_sliced(sliced, node)?;
                match (values.pop(), values.is_empty()) {
                    (Some(value), true) => Ok(value),
                    _ => self.refuse(node, "a struct as a value here"),
                }
            }
            Place::Overlaid(vars, ty) => {
                let mut values = self.read_overlaid(vars, ty, node)?;
                match (values.pop(), values.is_empty()) {
                    (Some(value), true) => Ok(value),
                    _ => self.refuse(node, "a struct as a value here"),
                }
            }
            Place::Chosen(vars, index, ty) => {
                let values = vars.iter().map(|var| Expr::var(*var, *ty)).collect();
                Ok(chosen(values, index))
            }
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Pointer(_)) => {
                let mut found = self.stored_pointer(pointer, ty, node)?;
                match (found.pop(), found.is_empty()) {
                    (Some(pointer), true) => Ok(pointer),
                    _ => self.refuse(node, "a pointer to several arrays here"),
                }
            }
            Place::Cell(pointer, ty) if is_view(pointer, ty) => match ty.ty {
                CType::Scalar(scalar) => self.read_view(pointer, scalar, node),
                _ => self.refuse(node, "a value of this type"),
            },
            Place::Cell(pointer, ty) => match (&ty.ty, Expr::load(pointer.clone())) {
                (CType::Scalar(_), Some(load)) => Ok(load),
                _ => self.refuse(node, "a value of this type"),
            },
            _ => self.refuse(node, "a struct as a value here"),
        }
    }

    /// The place with its address evaluated, so that reading and then writing it evaluates the
    /// subscript only once.
    pub(crate) fn steady(&mut self, place: Place, span: Span) -> Place {
        match place {
            Place::Cell(pointer, ty) if pointer.has_load() => {
                Place::Cell(self.steady_pointer(pointer, span), ty)
            }
            Place::Cells(pointers, ty) if pointers.iter().any(Expr::has_load) => {
                let steady = |pointer| self.steady_pointer(pointer, span);
                Place::Cells(pointers.into_iter().map(steady).collect(), ty)
            }
            Place::Bits(bits) => Place::Bits(Box::new(self.steady_bits(*bits, span))),
            place => place,
        }
    }

    pub(crate) fn steady_pointer(&mut self, pointer: Expr, span: Span) -> Expr {
        match &pointer.kind {
            ExprKind::Offset(base, elements)
                if !(base.has_load() || self.keeps_bases && has_variable(base)) =>
            {
                let elements = self.keep((**elements).clone(), span);
                Expr::offset((**base).clone(), elements)
            }
            _ => self.keep(pointer, span),
        }
    }
}

impl Body<'_, '_> {
    pub(crate) fn place(&mut self, node: &Node) -> Result<Place> {
        let node = without_lvalue_casts(node);
        if let Some(place) = self.behind_address(node) {
            return Ok(place);
        }
        let is_temporary = node.is_prvalue();
        if let Some(coordinates) = self.group_coordinates(node) {
            return Ok(coordinates);
        }
        match node.expression() {
            Expression::Name(decl) => self.named(decl, node),
            Expression::Subscript { left, right } => self.subscript(node, left, right),
            Expression::Member { object, is_arrow } => self.member(node, object, is_arrow),
            Expression::Elements(vector) => self.swizzle(node, vector),
            Expression::Call(_) if !is_temporary => self.called_place(node),
            Expression::Cast { how, .. }
                if node.kind().is_cast_of_objects()
                    && (is_to_base(node) || *how == CastKind::NoOp) =>
            {
                self.base_class(node)
            }
            // What `parts` makes; of anything else it asks for the place.
            Expression::Zero
            | Expression::Construct(_)
            | Expression::List(_)
            | Expression::Lambda
            | Expression::Cast { .. }
            | Expression::Conditional { .. }
            | Expression::Call(_)
            | Expression::Comma { .. }
                if is_temporary && matches!(self.type_of(node).ty, CType::Record(_)) =>
            {
                let ty = self.type_of(node);
                Ok(Place::Value(self.parts(node)?, ty))
            }
            Expression::Dereference(operand) if operand.unwrapped().is(Kind::CXXThisExpr) => {
                self.this_object(operand)
            }
            Expression::Dereference(operand) => {
                let (ops, pointers) = self.apart(|b| b.pointers(operand))?;
                self.ops.extend(ops.iter().cloned());
                let place = self.cell(pointers, node)?;
                self.accessed_after(&place, operand, &ops, None)?;
                Ok(place)
            }
            Expression::Step(step) if !step.is_postfix && self.type_of(node).is_single() => {
                self.stepped_lvalue(node, &step)
            }
            Expression::Extension(operand) => self.place(operand),
            Expression::Comma { left, right } => {
                self.effect(left)?;
                self.place(right)
            }
            Expression::Assign { left, right } => self.assigned_place(node, left, right),
            Expression::CompoundAssign { op, left, right } if self.type_of(left).is_single() => {
                self.computed_place(node, op, left, right)
            }
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let parts = [
                    Operand::Condition(condition),
                    Operand::Address(then),
                    Operand::Address(otherwise),
                ];
                let (ops, mut parts) = self.apart(|b| b.operands_in_order(&parts))?;
                if !ops.is_empty() {
                    return self.refuse(node, "side effects in a conditional lvalue");
                }
                let (otherwise, then) = (parts.pop(), parts.pop());
                match (parts.pop(), then, otherwise) {
                    (Some(cond), Some(then), Some(otherwise)) => {
                        self.cell(vec![Expr::select(cond, then, otherwise)], node)
                    }
                    _ => self.refuse(node, "this expression"),
                }
            }
            _ => match (node.kind(), node.symbol()) {
                (Kind::UnaryOperator, Some(symbol)) => {
                    self.refuse(node, format!("the address of `{}…`", symbol.text()))
                }
                (Kind::BinaryOperator | Kind::CompoundAssignOperator, _) => {
                    self.refuse(node, "this expression")
                }
                (kind, _) => self.refuse(node, kind.in_words()),
            },
        }
    }

    fn named(&mut self, decl: &DeclRef, node: &Node) -> Result<Place> {
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
        self.bound(decl.id, &decl.name, node)
    }

    fn subscript(&mut self, node: &Node, left: &Node, right: &Node) -> Result<Place> {
        let is_reversed = matches!(self.type_of(left).ty, CType::Scalar(_));
        let (left, right) = match is_reversed {
            true => (right, left),
            false => (left, right),
        };
        if let Some(array) = self.array_in_variables(left) {
            return self.element(array, right, node);
        }
        if self.type_of(left).vector().is_some() {
            return self.vector_element(left, right);
        }
        let ty = self.type_of(node);
        let operands = [Operand::Parts(left), Operand::Value(right)];
        let evaluated = self.evaluated(&operands)?;
        if is_reversed || !self.unit.is_ordered {
            self.in_any_order(&evaluated)?;
        }
        let late: Vec<Arc<Op>> = evaluated.iter().flat_map(|one| one.ops.clone()).collect();
        let mut parts = self.one_after_another(evaluated);
        let Some(mut index) = parts.pop() else {
            return self.refuse(node, "this subscript");
        };
        if parts.iter().any(|p| p.ty.pointer().is_none()) {
            return self.refuse(node, no_memory(&ty));
        }
        if parts.len() > 1 && index.has_load() {
            let span = self.span(right);
            index = self.keep(index, span);
        }
        let array = self.array_cells(left, &parts, &ty);
        let pointers = self.stepped(parts, index, &ty, node)?;
        let place = memory(pointers, ty);
        self.accessed_after(&place, node, &late, array)?;
        Ok(place)
    }

    fn member(&mut self, node: &Node, base: &Node, is_arrow: bool) -> Result<Place> {
        let member = node.kind.referenced_member_decl;
        if let Some(id) = member {
            // A static member, or an enumerator.
            if let Some(&(value, ty)) = self.unit.enumerators.get(&id) {
                return Ok(Place::Constant(Expr::int(ty, value as i64)));
            }
            if let Some(&global) = self.unit.globals.get(&id) {
                let binding = self.global(global, node)?;
                self.bindings.insert(id, binding);
                return self.bound(id, node.name(), node);
            }
        }
        let object = match is_arrow {
            true => self.pointed_object(base, node)?,
            false => self.place(base)?,
        };
        if let Place::Coordinates(builtin) = object {
            let axis = match node.name() {
                "x" => Axis::X,
                "y" => Axis::Y,
                _ => Axis::Z,
            };
            if self.on_host() {
                return self.refuse(node, "a thread or block index in host code");
            }
            return Ok(Place::Constant(self.coordinate(builtin(axis))));
        }
        let field = match object.ty().map(|ty| &ty.ty) {
            Some(CType::Record(record)) => record.field(member, node.name()),
            _ => return self.refuse(node, "this member"),
        };
        match field {
            Some(index) => self.field(&object, index, node),
            None => self.refuse(node, format!("the member `{}`", node.name())),
        }
    }

    /// `place = value`; the value is converted to the place's type.
    pub(crate) fn write(
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
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Pointer(_)) => {
                self.store_pointer(pointer, ty, &[value], span, node)
            }
            Place::Cell(pointer, ty) if is_view(pointer, ty) => match ty.ty {
                CType::Scalar(scalar) => self.write_view(pointer, scalar, value, span, node),
                _ => self.refuse(node, "an assignment of this type"),
            },
            Place::Cell(pointer, ty) => match ty.ty {
                CType::Scalar(scalar) => {
                    let value = constant::convert(value, Type::Scalar(scalar));
                    let pointer = pointer.clone();
                    self.emit(Basic::Store { pointer, value }, span);
                    Ok(())
                }
                _ => self.refuse(node, "an assignment of this type"),
            },
            Place::Chosen(vars, index, _) => {
                self.write_chosen(vars, index, value, span);
                Ok(())
            }
            Place::Overlaid(vars, ty) => self.write_overlaid(vars, ty, vec![value], span, node),
            Place::Sliced(sliced) => self.write_sliced(sliced, vec![value], span, node),
            Place::Status => Ok(()),
            Place::Bits(bits) => self.write_bits(bits, value, span, node),
            _ => self.refuse(node, "an assignment to this"),
        }
    }

    /// The address of a reference's target; a temporary gets memory of its own.
    pub(crate) fn referent(&mut self, node: &Node) -> Result<Expr> {
        let bare = strip_cleanups(node);
        let is_value = bare.is(Kind::MaterializeTemporaryExpr) || node.unwrapped().is_prvalue();
        if is_value {
            let inner = node.unwrapped();
            let value = self.value(inner)?;
            let span = self.span(inner);
            let Some(elem) = value.ty.scalar() else {
                return self.refuse(node, "a reference to a pointer");
            };
            let ty = QualifiedType::plain(CType::Scalar(elem));
            let array = self.local_array(TEMPORARY, &ty, None, span);
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
}

fn has_variable(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e.kind, ExprKind::Var(_)));
    found
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
