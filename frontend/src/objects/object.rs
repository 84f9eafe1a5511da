//! Values of several parts: structs, and pointers to structs whose cells have several types.
//! `types/record.rs` says what parts and cells are.

use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::operands::{Old, Operand};
use crate::body::source::Source;
use crate::body::{Body, sequence};
use crate::constant;
use crate::objects::object_memory::scalars;
use crate::order::footprint::Footprint;
use crate::refusal::Result;
use crate::storage::place::{Place, field_pointers, is_view, memory, moved, of};
use crate::storage::pointers::{is_null_pointer, strides};
use crate::syntax::casts::{is_to_base, result_of, stepped_cast, without_lvalue_casts};
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::contents::has_bit_fields;
use crate::types::ctype::{CType, QualifiedType, describe};
use crate::types::record::{Part, Record, no_memory};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Source<'_, '_> {
    fn null_parts(&mut self, node: &Node, ty: &QualifiedType) -> Result<Vec<Expr>> {
        let parts = ty.parts().or_else(|message| self.refuse(node, message))?;
        let null = |part: Part| Expr::i32(0).cast(part.ty);
        Ok(parts.into_iter().map(null).collect())
    }

    /// A value all of whose bits are zero.
    pub(crate) fn zero_parts(&mut self, node: &Node, ty: &QualifiedType) -> Result<Vec<Expr>> {
        let parts = ty.parts().or_else(|message| self.refuse(node, message))?;
        let zero = |part: Part| match part.ty {
            Type::Scalar(scalar) => Expr::constant(Value::zero(scalar)),
            Type::Pointer(_) => Expr::i32(0).cast(part.ty),
        };
        Ok(parts.into_iter().map(zero).collect())
    }

    /// A type that names a struct which was not complete where the type was written, such as `node *` in `struct
    /// node`.
    pub(crate) fn complete(&self, ty: &QualifiedType) -> QualifiedType {
        match &ty.ty {
            CType::Pointer(to) => {
                let mut found = self.complete(to);
                found.is_const |= to.is_const;
                found.is_volatile |= to.is_volatile;
                QualifiedType {
                    ty: CType::Pointer(Box::new(found)),
                    ..ty.clone()
                }
            }
            CType::Array(of, len) => QualifiedType {
                ty: CType::Array(Box::new(self.complete(of)), *len),
                ..ty.clone()
            },
            CType::Opaque(name) => self.unit.names.parse(name),
            _ => ty.clone(),
        }
    }

    /// The parts of a struct that belong to a field.
    fn field_parts(
        &self,
        record: &Record,
        index: usize,
        node: &Node,
    ) -> Result<std::ops::Range<usize>> {
        let mut start = 0;
        for (at, field) in record.fields.iter().enumerate() {
            let parts = field.ty.parts();
            let parts = parts.or_else(|message| self.refuse(node, message))?.len();
            if at == index {
                return Ok(start..start + parts);
            }
            start += parts;
        }
        self.refuse(node, "this member")
    }

    /// Difference of two pointers to structs, in structs.
    pub(crate) fn pointer_distance(&mut self, a: Expr, b: Expr, count: u64) -> Expr {
        let cells = Expr::binary(BinaryOp::PtrDiff, a, b);
        match count {
            1 => cells,
            n => Expr::binary(BinaryOp::Div, cells, Expr::int(ScalarType::I64, n as i64)),
        }
    }
}

impl Code<'_, '_> {
    /// Pointers moved by whole elements of their target.
    fn advanced(
        &mut self,
        pointers: Vec<Expr>,
        by: Expr,
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let CType::Pointer(to) = &ty.ty else {
            return self.refuse(node, "arithmetic on this pointer");
        };
        let by = match by.has_load() && pointers.len() > 1 {
            true => self.keep(by, self.span(node)),
            false => by,
        };
        self.stepped(pointers, by, to, node)
    }

    /// Pointers to memory of type `to`, moved by so many of its elements.
    pub(crate) fn stepped(
        &mut self,
        pointers: Vec<Expr>,
        by: Expr,
        to: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let Some(counts) = strides(&pointers, to) else {
            return match <[Expr; 1]>::try_from(pointers) {
                Ok([pointer]) => Ok(vec![self.moved_by_parts(pointer, by, to, node)?]),
                Err(_) => self.refuse(node, no_memory(to)),
            };
        };
        let both = pointers.into_iter().zip(counts);
        Ok(both
            .map(|(pointer, count)| moved(pointer, by.clone(), count))
            .collect())
    }

    /// Values that later operators cannot change.
    pub(crate) fn keep_all(&mut self, values: Vec<Expr>, span: Span) -> Vec<Expr> {
        let keep = |value: Expr| match value.kind {
            gridlock_semantics::algebra::expr::ExprKind::Const(_) => value,
            _ => self.keep(value, span),
        };
        values.into_iter().map(keep).collect()
    }

    /// Field `index` of a struct.
    pub(crate) fn field(&self, object: &Place, index: usize, node: &Node) -> Result<Place> {
        let own = self.whole_field(object, index, node)?;
        match (object.ty().map(|ty| &ty.ty), &own) {
            // A value that is read from variables is in range, and slices know their widths.
            (_, Place::Constant(_) | Place::Sliced(_)) => Ok(own),
            (Some(CType::Record(record)), _) if !record.is_union => {
                match record.fields.get(index).and_then(|field| field.bits) {
                    Some(bits) => Ok(of(object.clone(), index, own, bits.width)),
                    None => Ok(own),
                }
            }
            _ => Ok(own),
        }
    }

    /// The variable or the cells of field `index` of a struct.
    pub(crate) fn whole_field(&self, object: &Place, index: usize, node: &Node) -> Result<Place> {
        let Some((record, ty)) = object.ty().and_then(|ty| match &ty.ty {
            CType::Record(record) => Some((record.clone(), ty.clone())),
            _ => None,
        }) else {
            return self.refuse(node, "this member");
        };
        if let Some(trouble) = record.trouble {
            return self.refuse(node, trouble);
        }
        let Some(field) = record.fields.get(index) else {
            return self.refuse(node, "this member");
        };
        if let CType::Reference(_) = field.ty.ty {
            return self.refuse(node, "a member that is a reference");
        }
        let mut field_ty = self.complete(&field.ty);
        field_ty.is_const |= ty.is_const;
        field_ty.is_volatile |= ty.is_volatile;
        if let Some(member) = self.sliced_member(object, index, &field_ty, node)? {
            return Ok(member);
        }
        if record.is_union || matches!(object, Place::Overlaid(..)) {
            return self.union_member(object, &ty, index, field_ty, node);
        }
        match object {
            Place::Parts(vars, _) => {
                let range = self.field_parts(&record, index, node)?;
                let Some(vars) = vars.get(range) else {
                    return self.refuse(node, "this member");
                };
                Ok(match vars {
                    [var] if field_ty.is_single() => Place::Var(*var, self.vars[var.0 as usize].ty),
                    vars => Place::Parts(vars.to_vec(), field_ty),
                })
            }
            Place::Value(values, _) => {
                let range = self.field_parts(&record, index, node)?;
                let Some(values) = values.get(range) else {
                    return self.refuse(node, "this member");
                };
                Ok(match values {
                    [value] if field_ty.is_single() => Place::Constant(value.clone()),
                    values => Place::Value(values.to_vec(), field_ty),
                })
            }
            Place::Cell(pointer, ty) if is_view(pointer, ty) => {
                self.view_field(pointer, ty, index, field_ty, node)
            }
            _ => {
                let pointers = object.pointers().unwrap_or_default();
                match field_pointers(&pointers, &ty, index, &field_ty) {
                    Some(chosen) => Ok(memory(chosen, field_ty)),
                    None => self.refuse(node, no_memory(&field_ty)),
                }
            }
        }
    }

    /// The array that an expression decays from, when it is held in variables.
    pub(crate) fn array_in_variables<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        let decay = node.unwrapped();
        if *decay.cast() != CastKind::ArrayToPointerDecay {
            return None;
        }
        let array = without_lvalue_casts(decay.last()?);
        let mut root = array;
        loop {
            root = without_lvalue_casts(root);
            match root.expression() {
                Expression::Member {
                    object,
                    is_arrow: true,
                } => {
                    let this = self.this.as_ref().filter(|_| is_this(object))?;
                    return is_variables(this).then_some(array);
                }
                Expression::Member { object, .. } => root = object,
                Expression::Subscript { left, .. } => {
                    let inner = left.unwrapped();
                    if *inner.cast() != CastKind::ArrayToPointerDecay {
                        return None;
                    }
                    root = inner.last()?;
                }
                Expression::Cast { inner, .. }
                    if root.is(Kind::ImplicitCastExpr) && is_to_base(root) =>
                {
                    root = inner;
                }
                Expression::Name(decl) => {
                    let in_variables = match self.bindings.get(&decl.id)? {
                        Binding::Object(..) => true,
                        Binding::Alias(place) => is_variables(place),
                        _ => false,
                    };
                    return in_variables.then_some(array);
                }
                Expression::Call(_) => return root.is_prvalue().then_some(array),
                _ => return None,
            }
        }
    }

    /// The object that a member function works on.
    pub(crate) fn this_object(&self, node: &Node) -> Result<Place> {
        match &self.this {
            Some(place) => Ok(place.clone()),
            None => self.refuse(node, "`this` here"),
        }
    }
}

impl Body<'_, '_> {
    /// The value of an expression of any type, part by part.
    pub(crate) fn parts(&mut self, node: &Node) -> Result<Vec<Expr>> {
        let node = node.unwrapped();
        let ty = self.type_of(node);
        let is_group = matches!(&ty.ty, CType::Group(_) | CType::Status);
        if is_group || (ty.is_single() && !matches!(ty.ty, CType::Reference(_))) {
            return Ok(vec![self.value(node)?]);
        }
        if matches!(ty.ty, CType::Pointer(_)) {
            return self.pointer_parts(node, &ty);
        }
        if let Some(vector) = ty.vector()
            && let Some(values) = self.vector_parts(node, vector)?
        {
            return Ok(values);
        }
        match node.expression() {
            Expression::Zero => self.zero_parts(node, &ty),
            Expression::Construct(_) | Expression::List(_) | Expression::Lambda => {
                self.constructed(node, &ty)
            }
            Expression::Cast { how, inner } if !node.is(Kind::CXXReinterpretCastExpr) => {
                match how {
                    CastKind::LValueToRValue
                    | CastKind::NoOp
                    | CastKind::ConstructorConversion
                    | CastKind::UserDefinedConversion => self.parts(inner),
                    _ if is_to_base(node) => {
                        let place = self.base_class(node)?;
                        self.read_parts(&place, node)
                    }
                    other => self.refuse(node, format!("the conversion {}", other.name())),
                }
            }
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional_parts(node, condition, then, otherwise),
            Expression::Call(_) if node.is_prvalue() => self.called_parts(node),
            Expression::Comma { left, right } => {
                self.effect(left)?;
                self.parts(right)
            }
            Expression::CompoundLiteral(_) => self.refuse(node, node.kind().in_words()),
            Expression::Other if node.is(Kind::StmtExpr) => {
                self.refuse(node, node.kind().in_words())
            }
            _ => {
                let place = self.place(node)?;
                self.read_parts(&place, node)
            }
        }
    }

    /// A pointer as pointers to the groups of its target.
    pub(crate) fn pointers(&mut self, node: &Node) -> Result<Vec<Expr>> {
        self.parts(node)
    }

    /// A pointer to a struct with cells of several types.
    fn pointer_parts(&mut self, node: &Node, ty: &QualifiedType) -> Result<Vec<Expr>> {
        match node.expression() {
            Expression::Null => self.null_parts(node, ty),
            Expression::New => self.new_expression(node),
            Expression::AddressOf(operand) => {
                let place = self.place(operand)?;
                match place.pointers() {
                    Some(pointers) => Ok(pointers),
                    None => self.refuse(operand, "the address of a struct"),
                }
            }
            Expression::Step(step) => {
                let span = self.span(node);
                let place = self.place(step.operand)?;
                let place = self.steady(place, span);
                let old = self.read_parts(&place, step.operand)?;
                let old = match step.is_postfix {
                    true => self.keep_all(old, span),
                    false => old,
                };
                let by = Expr::int(ScalarType::I64, step.by());
                let new = self.advanced(old.clone(), by, ty, node)?;
                self.write_parts(&place, new, span, node)?;
                match step.is_postfix {
                    true => Ok(old),
                    false => self.read_parts(&place, node),
                }
            }
            Expression::Binary {
                op: op @ (BinaryOp::Add | BinaryOp::Sub),
                left,
                right,
            } => {
                let (left, right) = match self.type_of(left).ty {
                    CType::Scalar(_) => (right, left),
                    _ => (left, right),
                };
                let mut parts = self.operands(&[Operand::Parts(left), Operand::Value(right)])?;
                let Some(by) = parts.pop() else {
                    return self.refuse(node, "arithmetic on this pointer");
                };
                let by = constant::convert(by, Type::I64);
                let by = match op {
                    BinaryOp::Sub => constant::negate(by),
                    _ => by,
                };
                self.advanced(parts, by, ty, node)
            }
            Expression::CompoundAssign { op, left, right } => {
                let span = self.span(node);
                let (place, mut values) =
                    self.both_sides(left, Operand::Value(right), Old::IsRead)?;
                let Some(by) = values.pop() else {
                    return self.refuse(node, "arithmetic on this pointer");
                };
                let by = constant::convert(by, Type::I64);
                let place = self.steady(place, span);
                let by = match op {
                    BinaryOp::Sub => constant::negate(by),
                    _ => by,
                };
                let old = self.read_parts(&place, left)?;
                let new = self.advanced(old, by, ty, node)?;
                self.write_parts(&place, new, span, node)?;
                self.read_parts(&place, node)
            }
            Expression::Comma { left, right } => {
                self.effect(left)?;
                self.parts(right)
            }
            Expression::Assign { left, right } => {
                let place = self.assigned_place(node, left, right)?;
                self.read_parts(&place, node)
            }
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional_parts(node, condition, then, otherwise),
            Expression::Call(_) => self.called_parts(node),
            Expression::Cast { how, inner } => match how {
                CastKind::NullToPointer => self.null_parts(node, ty),
                CastKind::ArrayToPointerDecay => match self.place(inner)?.pointers() {
                    Some(pointers) => Ok(pointers),
                    None => self.refuse(inner, "the address of a struct"),
                },
                CastKind::BitCast => self.recast(node, ty, inner),
                _ if is_to_base(node) => self.base_pointers(node, ty, inner),
                _ => self.parts(inner),
            },
            _ => {
                let place = self.place(node)?;
                self.read_parts(&place, node)
            }
        }
    }

    /// A pointer to one struct as a pointer to another of the same cells, or an allocation.
    fn recast(&mut self, node: &Node, ty: &QualifiedType, inner: &Node) -> Result<Vec<Expr>> {
        let CType::Pointer(to) = &ty.ty else {
            return self.refuse(node, "this cast");
        };
        if let Some(call) = self.allocation(inner) {
            return self.allocate_groups(call, to);
        }
        let shape = |ty: &QualifiedType| {
            let mut all = Vec::new();
            scalars(ty, &mut all)
                .ok()
                .filter(|()| !has_bit_fields(ty))
                .map(|()| all)
        };
        let from = match self.type_of(inner).ty {
            CType::Pointer(from) => *from,
            _ => return self.refuse(node, "this cast"),
        };
        let same = from.size() == to.size() && shape(&from).is_some_and(|s| Some(s) == shape(to));
        if same {
            return self.parts(inner);
        }
        let outer = (self.cast_next, self.steps_next);
        self.steps_next = stepped_cast(inner);
        self.cast_next = result_of(inner);
        let pointers = self.parts(inner)?;
        (self.cast_next, self.steps_next) = outer;
        if let [pointer] = pointers.as_slice() {
            let seen = self.seen_as(pointer.clone(), &from, to, node)?;
            return match is_null_pointer(&seen) {
                true => self.null_parts(node, ty),
                false => Ok(vec![seen]),
            };
        }
        self.refuse(
            node,
            format!(
                "a cast from a pointer to {} to a pointer to {}",
                describe(&from.ty),
                describe(&to.ty)
            ),
        )
    }

    fn conditional_parts(
        &mut self,
        node: &Node,
        cond: &Node,
        then: &Node,
        otherwise: &Node,
    ) -> Result<Vec<Expr>> {
        let span = self.span(node);
        let mut cond = self.condition(cond)?;
        if let Some(truth) = constant::truth(&cond) {
            return self.parts(if truth { then } else { otherwise });
        }
        let (then_ops, then) = self.apart(|b| b.parts(then))?;
        let (else_ops, otherwise) = self.apart(|b| b.parts(otherwise))?;
        let fits = then.len() == otherwise.len()
            && then
                .iter()
                .zip(&otherwise)
                .all(|(a, b)| a.ty.same_shape(b.ty));
        if !fits {
            return self.refuse(node, "a conditional of two different types");
        }
        if then_ops.is_empty() && else_ops.is_empty() {
            if cond.has_load() && then.len() > 1 {
                cond = self.keep(cond, span);
            }
            let both = then.into_iter().zip(otherwise);
            return Ok(both
                .map(|(a, b)| Expr::select(cond.clone(), a, b))
                .collect());
        }
        let results: Vec<Expr> = then
            .iter()
            .map(|part| Expr::var(self.temporary(part.ty, span), part.ty))
            .collect();
        let mut branches = Vec::new();
        for (ops, values) in [(then_ops, then), (else_ops, otherwise)] {
            let made = self.block(|b| {
                b.ops = ops;
                for (result, value) in results.iter().zip(values) {
                    if let gridlock_semantics::algebra::expr::ExprKind::Var(var) = result.kind {
                        b.emit(Basic::Assign { var, value }, span);
                    }
                }
                Ok(())
            })?;
            branches.push(sequence(made));
        }
        if let (Some(otherwise), Some(then)) = (branches.pop(), branches.pop()) {
            self.emit_if(cond, then, otherwise, span);
        }
        Ok(results)
    }

    /// The element of an array held in variables that `node` names.
    pub(crate) fn element(&mut self, array: &Node, index: &Node, node: &Node) -> Result<Place> {
        let (mut ops, mut place) = self.apart(|b| b.place(array))?;
        let (index_ops, number) = self.apart(|b| b.value(index))?;
        // The array comes first from C++17 on, where it is on the left.
        if !self.unit.is_ordered || node.child(0).is_none_or(|left| left.id != array.id) {
            let named = match &place {
                Place::Value(values, _) => values.clone(),
                place => place.addresses(),
            };
            let of_array = Footprint::new(&ops, &named);
            let of_index = Footprint::new(&index_ops, [&number]);
            let span = self.span(index);
            self.unordered_pair(&of_array, &of_index, span)?;
        }
        self.ops.extend(ops.iter().cloned());
        if let Place::Value(values, _) = &mut place {
            self.keep_before(values, &index_ops);
        }
        self.ops.extend(index_ops.iter().cloned());
        ops.extend(index_ops);
        let place = self.numbered(place, number, index)?;
        self.accessed_after(&place, node, &ops, None)?;
        Ok(place)
    }

    /// The element of an array held in variables that has a number.
    fn numbered(&mut self, place: Place, number: Expr, index: &Node) -> Result<Place> {
        let at = constant::evaluate(&number).and_then(Value::as_integer);
        let Some(CType::Array(of, Some(len))) = place.ty().map(|ty| &ty.ty) else {
            return self.refuse(index, "this subscript");
        };
        let of = (**of).clone();
        let Some(at) = at else {
            if !of.is_single() || matches!(place, Place::Sliced(_)) {
                return self.refuse(
                    index,
                    "a subscript that is not constant, in a struct by value",
                );
            }
            let values = self.read_parts(&place, index)?;
            return self.choose(&place, values, number, index);
        };
        let n_parts = of
            .parts()
            .or_else(|message| self.refuse(index, message))?
            .len();
        let Some(at) = usize::try_from(at).ok().filter(|at| (*at as u64) < *len) else {
            return self.refuse(index, "a subscript outside of its array");
        };
        let range = at * n_parts..(at + 1) * n_parts;
        let found = match &place {
            Place::Sliced(sliced) => sliced
                .element(at as u64)
                .map(|element| Place::Sliced(Box::new(element))),
            Place::Parts(vars, _) => vars.get(range).map(|vars| match vars {
                [var] if of.is_single() => Place::Var(*var, self.vars[var.0 as usize].ty),
                vars => Place::Parts(vars.to_vec(), of.clone()),
            }),
            Place::Value(values, _) => values.get(range).map(|values| match values {
                [value] if of.is_single() => Place::Constant(value.clone()),
                values => Place::Value(values.to_vec(), of.clone()),
            }),
            _ => None,
        };
        match found {
            Some(place) => Ok(place),
            None => self.refuse(index, "this subscript"),
        }
    }

    /// The target of the pointer before `->`; `this` may point to variables.
    pub(crate) fn pointed_object(&mut self, pointer: &Node, node: &Node) -> Result<Place> {
        let bare = pointer.unwrapped();
        if bare.is(Kind::CXXThisExpr) {
            return self.this_object(bare);
        }
        let to = match self.type_of(pointer).decayed().ty {
            CType::Pointer(to) => *to,
            _ => return self.refuse(node, "this member"),
        };
        if let Some(inner) = bare.last().filter(|_| is_to_base(bare) && is_this(bare)) {
            let object = self.pointed_object(inner, node)?;
            return self.base_of(object, &to, node);
        }
        let pointers = self.pointers(pointer)?;
        if strides(&pointers, &to).is_none() {
            return self.refuse(node, no_memory(&to));
        }
        Ok(memory(pointers, to))
    }

    /// A comparison of pointers, or a test for null: pointers to the groups of one struct move
    /// together, so comparing the first is enough.
    pub(crate) fn leading_pointer(&mut self, node: &Node) -> Result<Option<Expr>> {
        let ty = self.type_of(node);
        if !matches!(ty.ty, CType::Pointer(_)) || ty.is_single() {
            return Ok(None);
        }
        Ok(self.parts(node)?.into_iter().next())
    }
}

/// `this`, perhaps as a pointer to a base class.
fn is_this(node: &Node) -> bool {
    let node = node.unwrapped();
    node.is(Kind::CXXThisExpr) || (is_to_base(node) && node.last().is_some_and(is_this))
}

fn is_variables(place: &Place) -> bool {
    matches!(place, Place::Parts(..) | Place::Value(..))
}
