//! Assignments: plain, compound, `++` and `--`.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::{Old, Operand};
use crate::constant;
use crate::order::disturbance::is_disturbed;
use crate::order::footprint::Footprint;
use crate::order::memory_order::is_outside;
use crate::refusal::Result;
use crate::request::Language;
use crate::storage::place::Place;
use crate::syntax::expression::{Expression, Step};
use crate::syntax::{Node, NodeExt};
use crate::types::bit_field::truncated;
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

impl Code<'_, '_> {
    /// Refuses an assignment for which the order of evaluation of its sides could make a difference.
    fn sides_without_order(
        &mut self,
        right: &Node,
        place: &Place,
        left_ops: &[Arc<Op>],
        right_ops: &[Arc<Op>],
        of_right: &Footprint,
    ) -> Result<()> {
        if left_ops.is_empty() && right_ops.is_empty() {
            return Ok(());
        }
        let span = self.span(right);
        let named = place.addresses();
        let mut of_left = Footprint::new(left_ops, &named);
        self.unordered_pair(&of_left, of_right, span)?;
        // Checks the assignment itself against changes that no sequence point puts before it.
        let strict = self.unit.language != Language::Cuda;
        if changes_late(right, strict) {
            of_left = Footprint::default();
            of_left.assign(place);
            let late = Footprint::new(right_ops, &[]).changes();
            self.unordered_pair(&of_left, &late, span)?;
        }
        Ok(())
    }

    /// Refuses an access that conflicts with a side effect of evaluating its own address, if no sequence point puts
    /// that effect before the access: `a[a[i]++]`. `named` is the expression that names the cell and `ops` are the
    /// operators of its evaluation; if an `array` is given, the cell is one of its cells.
    pub(crate) fn accessed_after(
        &mut self,
        place: &Place,
        named: &Node,
        ops: &[Arc<Op>],
        array: Option<(Expr, u64)>,
    ) -> Result<()> {
        let strict = self.unit.language != Language::Cuda;
        if ops.is_empty() || !changes_late(named, strict) {
            return Ok(());
        }
        let mut access = Footprint::default();
        access.read(place);
        let mut late = Footprint::new(ops, &[]).changes();
        if let Some((first, count)) = array.filter(|(first, _)| !is_disturbed(first, ops)) {
            let stores = &mut late.memory.stores;
            stores.retain(|store| !is_outside(store, &first, count));
        }
        self.unordered_pair(&access, &late, self.span(named))
    }

    fn next(&mut self, old: Expr, step: &Step<'_>, node: &Node) -> Result<Expr> {
        let op = step.operator();
        match old.ty {
            Type::Scalar(ScalarType::Bool) => self.refuse(node, "arithmetic on booleans"),
            Type::Scalar(ScalarType::F32) => {
                Ok(Expr::binary(op, old, Expr::constant(Value::f32(1.0))))
            }
            Type::Scalar(ScalarType::F64) => {
                Ok(Expr::binary(op, old, Expr::constant(Value::f64(1.0))))
            }
            Type::Scalar(scalar) => Ok(Expr::binary(op, old, Expr::int(scalar, 1))),
            Type::Pointer(_) => {
                let by = Expr::int(ScalarType::I64, step.by());
                self.moved_pointer(old, by, node)
            }
        }
    }
}

impl Body<'_, '_> {
    /// `left = right` as a statement.
    pub(crate) fn assignment(&mut self, node: &Node, left: &Node, right: &Node) -> Result<()> {
        self.assign(node, left, right, false).map(|_| ())
    }

    /// `left = right` as an expression: the value is what was assigned.
    pub(crate) fn assignment_value(
        &mut self,
        node: &Node,
        left: &Node,
        right: &Node,
    ) -> Result<Expr> {
        match self.assign(node, left, right, true)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this assignment"),
        }
    }

    fn assign(
        &mut self,
        node: &Node,
        left: &Node,
        right: &Node,
        keep: bool,
    ) -> Result<Option<Expr>> {
        if let Some(address) = self.assigned_address(node, None, left, right)? {
            return Ok(Some(address));
        }
        let span = self.span(node);
        match self.type_of(left).ty {
            CType::Status => {
                self.place(left)?;
                self.effect(right)?;
                return Ok(Some(Expr::int(ScalarType::U32, 0)));
            }
            _ if !self.type_of(left).is_single() => {
                let (place, values) = self.both_sides(left, Operand::Parts(right), Old::IsLost)?;
                self.assign_parts(&place, values, span, node)?;
                return Ok(None);
            }
            _ => {}
        }
        let (place, value) = self.one_value(left, right, Old::IsLost)?;
        self.finish(place, value, keep, span, node)
    }

    /// The place that `left op= right` assigns, as an lvalue of its own: it is evaluated once.
    pub(crate) fn computed_place(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<Place> {
        let (place, value) = self.computed(node, op, left, right)?;
        self.write(&place, value, self.span(node), node)?;
        Ok(place)
    }

    /// The place that `left = right` assigns, as an lvalue of its own: it is evaluated once.
    pub(crate) fn assigned_place(
        &mut self,
        node: &Node,
        left: &Node,
        right: &Node,
    ) -> Result<Place> {
        let span = self.span(node);
        let (place, values) = self.both_sides(left, Operand::Parts(right), Old::IsLost)?;
        let place = self.steady(place, span);
        if self.type_of(left).is_single() {
            let mut values = values;
            match (values.pop(), values.is_empty()) {
                (Some(value), true) => self.write(&place, value, span, node)?,
                _ => return self.refuse(node, "this assignment"),
            }
        } else {
            self.assign_parts(&place, values, span, node)?;
        }
        Ok(place)
    }

    fn one_value(&mut self, left: &Node, right: &Node, old: Old) -> Result<(Place, Expr)> {
        let (place, mut values) = self.both_sides(left, Operand::Value(right), old)?;
        match values.pop() {
            Some(value) => Ok((place, value)),
            None => self.refuse(right, "this value"),
        }
    }

    /// The place on the left of an assignment and the values on its right.
    ///
    /// **Lemma (right side first).** C++17 evaluates the right side before the left. In C, OpenCL C and older C++
    /// they are unordered, and code for which the order could make a difference is refused, so this order can be used
    /// there too.
    pub(crate) fn both_sides(
        &mut self,
        left: &Node,
        right: Operand<'_>,
        old: Old,
    ) -> Result<(Place, Vec<Expr>)> {
        let (right_ops, mut values) = self.apart(|b| match right {
            Operand::Value(node) => Ok(vec![b.value(node)?]),
            Operand::Parts(node) | Operand::Condition(node) | Operand::Address(node) => {
                b.parts(node)
            }
        })?;
        let (left_ops, place) = self.apart(|b| b.place(left))?;
        if !self.unit.is_ordered {
            let node = match right {
                Operand::Value(node)
                | Operand::Parts(node)
                | Operand::Condition(node)
                | Operand::Address(node) => node,
            };
            let of_right = Footprint::new(&right_ops, &values);
            self.sides_without_order(node, &place, &left_ops, &right_ops, &of_right)?;
            if old == Old::IsRead {
                // The language leaves open when that happens.
                let mut read = Footprint::default();
                read.read(&place);
                let changed = Footprint::new(&right_ops, &[]);
                let span = self.span(node);
                self.unordered_pair(&read, &changed, span)?;
            }
        }
        self.ops.extend(right_ops);
        self.keep_before(&mut values, &left_ops);
        // Volatile reads of both sides happen in their order.
        if let Some(pointers) = place.pointers()
            && pointers.iter().any(Expr::has_load)
            && pointers.iter().chain(&values).any(reads_volatile)
        {
            let span = self.span(left);
            for value in values.iter_mut().filter(|value| value.has_load()) {
                *value = self.keep(value.clone(), span);
            }
        }
        self.ops.extend(left_ops);
        Ok((place, values))
    }

    /// Writes, and returns the value that was written.
    fn finish(
        &mut self,
        place: Place,
        value: Expr,
        keep: bool,
        span: Span,
        node: &Node,
    ) -> Result<Option<Expr>> {
        if !keep {
            self.write(&place, value, span, node)?;
            return Ok(None);
        }
        match &place {
            Place::Cell(_, ty) => {
                let value = match ty.ty {
                    CType::Scalar(scalar) => constant::convert(value, Type::Scalar(scalar)),
                    _ => value,
                };
                let kept = self.keep(value, span);
                self.write(&place, kept.clone(), span, node)?;
                Ok(Some(kept))
            }
            Place::Var(var, ty) => {
                let (var, ty) = (*var, *ty);
                self.write(&place, value, span, node)?;
                Ok(Some(Expr::var(var, ty)))
            }
            Place::Overlaid(_, ty) if ty.scalar().is_some() => {
                let value = match ty.scalar() {
                    Some(scalar) => constant::convert(value, Type::Scalar(scalar)),
                    None => value,
                };
                let kept = self.keep(value, span);
                self.write(&place, kept.clone(), span, node)?;
                Ok(Some(kept))
            }
            Place::Sliced(sliced) => {
                let value = match sliced.ty.scalar() {
                    Some(scalar) => constant::convert(value, Type::Scalar(scalar)),
                    None => value,
                };
                let value = match sliced.width {
                    Some(width) => truncated(value, width),
                    None => value,
                };
                let kept = self.keep(value, span);
                self.write(&place, kept.clone(), span, node)?;
                Ok(Some(kept))
            }
            Place::Bits(bits) => {
                let kept = self.keep(bits.holds(value), span);
                self.write(&place, kept.clone(), span, node)?;
                Ok(Some(kept))
            }
            _ => self.refuse(node, "an assignment to this"),
        }
    }

    /// `left op= right` as a statement.
    pub(crate) fn compound_assignment(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<()> {
        self.compound(node, op, left, right, false).map(|_| ())
    }

    /// `left op= right` as an expression: the value is what was assigned.
    pub(crate) fn compound_assignment_value(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<Expr> {
        match self.compound(node, op, left, right, true)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this assignment"),
        }
    }

    /// `left op= right`. The place is evaluated once, and read after the right operand.
    fn compound(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
        keep: bool,
    ) -> Result<Option<Expr>> {
        if let Some(address) = self.assigned_address(node, Some(op), left, right)? {
            return Ok(Some(address));
        }
        if !self.type_of(left).is_single() {
            self.parts(node)?;
            return Ok(None);
        }
        let span = self.span(node);
        let (place, value) = self.computed(node, op, left, right)?;
        self.finish(place, value, keep, span, node)
    }

    /// The place that `left op= right` assigns, and the value.
    fn computed(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<(Place, Expr)> {
        let span = self.span(node);
        let (place, right_value) = self.one_value(left, right, Old::IsRead)?;
        let place = self.steady(place, span);
        let old = self.read(&place, left)?;
        let value = match old.ty {
            Type::Pointer(_) => self.combine(op, old, right_value, left)?,
            Type::Scalar(_) => {
                let computed = match &node.kind.compute_result_type {
                    Some(ty) => self.unit.names.parse(ty.text()).variable_type(),
                    None => Ok(old.ty),
                };
                let computed = computed.or_else(|message| self.refuse(node, message))?;
                let old = constant::convert(old, computed);
                self.combine(op, old, right_value, node)?
            }
        };
        Ok((place, value))
    }

    /// `++x`, `x--` and the like, as a statement.
    pub(crate) fn step(&mut self, node: &Node, step: &Step<'_>) -> Result<()> {
        if !self.type_of(node).is_single() {
            return self.parts(node).map(|_| ());
        }
        self.stepped_lvalue(node, step).map(|_| ())
    }

    /// The value of `x++` (the old one) or `++x` (the new one).
    pub(crate) fn step_value(&mut self, node: &Node, step: &Step<'_>) -> Result<Expr> {
        let (place, span) = self.stepped_place(node, step)?;
        let old = self.read(&place, node)?;
        if step.is_postfix {
            let old = self.keep(old, span);
            let new = self.next(old.clone(), step, node)?;
            self.write(&place, new, span, node)?;
            return Ok(old);
        }
        let new = self.next(old, step, node)?;
        match self.finish(place, new, true, span, node)? {
            Some(value) => Ok(value),
            None => self.refuse(node, "the value of this operator"),
        }
    }

    /// The place that `++x` steps, as an lvalue of its own: it is evaluated once.
    pub(crate) fn stepped_lvalue(&mut self, node: &Node, step: &Step<'_>) -> Result<Place> {
        let (place, span) = self.stepped_place(node, step)?;
        let old = self.read(&place, node)?;
        let new = self.next(old, step, node)?;
        self.write(&place, new, span, node)?;
        Ok(place)
    }

    fn stepped_place(&mut self, node: &Node, step: &Step<'_>) -> Result<(Place, Span)> {
        let span = self.span(node);
        let place = self.place(step.operand)?;
        Ok((self.steady(place, span), span))
    }
}

/// Whether evaluating an expression reads volatile memory.
fn reads_volatile(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |e| {
        if let ExprKind::Load(pointer) = &e.kind {
            found |= pointer.ty.pointer().is_some_and(|p| p.is_volatile);
        }
    });
    found
}

/// Whether an expression has a side effect that need not happen before its value is computed: `i++`, and where
/// `strict` (C, not C++) `++i` and `i = 2` too.
fn changes_late(node: &Node, strict: bool) -> bool {
    let changes = match node.expression() {
        Expression::Step(step) => step.is_postfix || strict,
        Expression::CompoundAssign { .. } | Expression::Assign { .. } => strict,
        _ => false,
    };
    let is_late = |node: &Node| changes_late(node, strict);
    // A side effect before a sequence point has happened.
    match node.expression() {
        Expression::Call(_) | Expression::Lambda => false,
        Expression::Comma { right, .. } | Expression::Logical { right, .. } => is_late(right),
        Expression::Conditional {
            then, otherwise, ..
        } => is_late(then) || is_late(otherwise),
        _ => changes || node.inner.iter().any(is_late),
    }
}
