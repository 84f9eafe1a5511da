//! Values and conditions.

use crate::arithmetic::shift_amount;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::body::{Body, sequence};
use crate::constant;
use crate::order::disturbance::{is_disturbed, is_harmless};
use crate::refusal::Result;
use crate::request::Language;
use crate::storage::pointers::{alike, strides};
use crate::syntax::expression::{Call, CallForm, Expression};
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Source<'_, '_> {
    /// How many elements of its type a cell of a pointer holds, if more than one: bytes of words are counted.
    fn parts_of_cell(&self, pointer: &Expr, difference: &Node) -> Option<u64> {
        let cell = pointer.ty.pointer()?.elem.size();
        let size = match &self.type_of(difference.child(0)?).decayed().ty {
            CType::Pointer(to) => to.scalar()?.size(),
            _ => return None,
        };
        (size < cell && cell.is_multiple_of(size)).then(|| cell / size)
    }

    /// The number of cells in one step of the pointer that is a node's value.
    fn pointee_count(&self, pointer: &Expr, node: &Node) -> Result<u64> {
        let ty = self.type_of(node).decayed();
        let counts = match &ty.ty {
            CType::Pointer(to) => strides(std::slice::from_ref(pointer), to),
            _ => None,
        };
        match counts.as_deref() {
            Some([count]) => Ok(*count),
            _ => self.refuse(node, "arithmetic on this pointer"),
        }
    }
}

impl Code<'_, '_> {
    /// **Lemma (discarded values).** An unused value is not computed if computing it reads no memory and cannot be a
    /// fault; otherwise it is assigned to a variable that no code reads.
    fn discard(&mut self, value: Expr, node: &Node) {
        if !value.is_no_value() && !is_harmless(&value) {
            let span = self.span(node);
            self.keep(value, span);
        }
    }

    /// `a op b`, on numbers or pointers.
    pub(crate) fn combine(&mut self, op: BinaryOp, a: Expr, b: Expr, node: &Node) -> Result<Expr> {
        let (a, b) = alike(a, b);
        match (a.ty, b.ty) {
            (Type::Scalar(left), Type::Scalar(right)) => {
                let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                if left != right && !is_shift {
                    return self.refuse(node, "an operator on two different types");
                }
                if left == ScalarType::Bool && !op.is_comparison() {
                    return self.refuse(node, "arithmetic on booleans");
                }
                let b = match is_shift && self.unit.language == Language::OpenCl {
                    true => shift_amount(b, left),
                    false => b,
                };
                Ok(constant::binary(op, a, b))
            }
            (Type::Pointer(_), Type::Scalar(_)) if op == BinaryOp::Add => {
                self.moved_pointer(a, b, node)
            }
            (Type::Scalar(_), Type::Pointer(_)) if op == BinaryOp::Add => {
                self.moved_pointer(b, a, node)
            }
            (Type::Pointer(_), Type::Scalar(_)) if op == BinaryOp::Sub => {
                let back = constant::negate(constant::convert(b, Type::I64));
                self.moved_pointer(a, back, node)
            }
            (Type::Pointer(p), Type::Pointer(q)) if p.elem == q.elem => match op {
                BinaryOp::Sub => {
                    let parts = self.parts_of_cell(&a, node);
                    if let Some(parts) = parts {
                        let cells = Expr::binary(BinaryOp::PtrDiff, a, b);
                        let parts = Expr::int(ScalarType::I64, parts as i64);
                        return Ok(Expr::binary(BinaryOp::Mul, cells, parts));
                    }
                    let count = node.child(0).map(|left| self.pointee_count(&a, left));
                    let cells = Expr::binary(BinaryOp::PtrDiff, a, b);
                    Ok(match count.transpose()? {
                        None | Some(1) => cells,
                        // Both point to whole elements of one array.
                        Some(0) => return self.refuse(node, "arithmetic on this pointer"),
                        Some(n) => {
                            Expr::binary(BinaryOp::Div, cells, Expr::int(ScalarType::I64, n as i64))
                        }
                    })
                }
                _ if op.is_comparison() => Ok(Expr::binary(op, a, b)),
                _ => self.refuse(node, "this operator on pointers"),
            },
            _ => self.refuse(node, "this operator on these types"),
        }
    }

    /// `pointer + by`, in elements of the node's type.
    pub(crate) fn moved_pointer(&mut self, pointer: Expr, by: Expr, node: &Node) -> Result<Expr> {
        let ty = self.type_of(node).decayed();
        let CType::Pointer(to) = &ty.ty else {
            return self.refuse(node, "arithmetic on this pointer");
        };
        let mut moved = self.stepped(vec![pointer], by, to, node)?;
        match moved.pop() {
            Some(pointer) => Ok(pointer),
            None => self.refuse(node, "arithmetic on this pointer"),
        }
    }
}

impl Body<'_, '_> {
    /// The value of an expression; its side effects become operators.
    pub(crate) fn value(&mut self, node: &Node) -> Result<Expr> {
        let node = node.unwrapped();
        match node.expression() {
            Expression::Integer => self.integer_literal(node),
            Expression::Floating => self.floating_literal(node),
            Expression::Boolean => self.boolean_literal(node),
            Expression::Null => Ok(Expr::int(ScalarType::I64, 0)),
            Expression::Zero => self.zero(node),
            Expression::List([]) => self.zero(node),
            Expression::List([single]) => self.value(single),
            Expression::SizeOf => self.size_of(node),
            Expression::SameBits(inner) => self.same_bits(node, inner),
            Expression::Name(_)
            | Expression::Subscript { .. }
            | Expression::Member { .. }
            | Expression::Elements(_)
            | Expression::Dereference(_) => {
                let place = self.place(node)?;
                self.read(&place, node)
            }
            Expression::Plus(operand) | Expression::Extension(operand) => self.value(operand),
            Expression::Minus(operand) => {
                let value = self.value(operand)?;
                let negated = Expr::unary(UnaryOp::Neg, value.clone());
                match (&value.kind, constant::evaluate(&negated)) {
                    (ExprKind::Const(_), Some(value)) => Ok(Expr::constant(value)),
                    _ => Ok(negated),
                }
            }
            Expression::Complement(operand) => {
                Ok(Expr::unary(UnaryOp::BitNot, self.value(operand)?))
            }
            Expression::Not(operand) => {
                let cond = constant::not(self.condition(operand)?);
                // In C `!x` is an `int`.
                Ok(constant::convert(cond, self.value_type(node)?))
            }
            Expression::AddressOf(operand)
                if matches!(self.type_of(operand).ty, CType::Function(_)) =>
            {
                self.function_number(operand)
            }
            Expression::AddressOf(operand) => {
                let place = self.place(operand)?;
                self.address(&place, operand)
            }
            Expression::Step(step) => self.step_value(node, &step),
            Expression::Comma { left, right } => {
                self.effect(left)?;
                self.value(right)
            }
            Expression::Assign { left, right } => self.assignment_value(node, left, right),
            Expression::CompoundAssign { op, left, right } => {
                self.compound_assignment_value(node, op, left, right)
            }
            Expression::Logical {
                is_and,
                left,
                right,
            } => self.short_circuit(node, is_and, left, right),
            Expression::Binary { op, left, right } => self.binary(node, op, left, right),
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(node, condition, then, otherwise),
            Expression::Cast { .. } => self.conversion(node),
            Expression::Call(call) => {
                let value = match call.form {
                    CallForm::Function => self.call(node)?,
                    CallForm::Member | CallForm::Operator => self.member_call(node)?,
                };
                match value {
                    Some(value) => Ok(value),
                    None => self.refuse(node, "the value of a call that gives none"),
                }
            }
            Expression::New => match <[Expr; 1]>::try_from(self.new_expression(node)?) {
                Ok([pointer]) => Ok(pointer),
                Err(_) => self.refuse(node, "this `new`"),
            },
            _ => match (node.kind(), node.symbol()) {
                (Kind::UnaryOperator | Kind::BinaryOperator, Some(symbol)) => {
                    self.refuse(node, format!("the operator `{}`", symbol.text()))
                }
                (kind, _) => self.refuse(node, kind.in_words()),
            },
        }
    }

    /// The truth of an expression.
    pub(crate) fn condition(&mut self, node: &Node) -> Result<Expr> {
        if let Some(truth) = node.constant_truth() {
            return Ok(Expr::bool(truth));
        }
        if let Some(pointer) = self.leading_pointer(node)? {
            return Ok(constant::to_bool(pointer));
        }
        // The low bits of an address, or a cast of them to a truth.
        let bits = match node.cast() {
            CastKind::IntegralToBoolean => node.last().unwrap_or(node),
            _ => node,
        };
        if let Some(aligned) = self.low_bits_are_zero(bits)? {
            return Ok(constant::not(aligned));
        }
        Ok(constant::to_bool(self.value(node)?))
    }

    /// Evaluates an expression for its side effects only.
    pub(crate) fn effect(&mut self, node: &Node) -> Result<()> {
        let node = node.unwrapped();
        match node.expression() {
            Expression::Comma { left, right } => {
                self.effect(left)?;
                self.effect(right)
            }
            Expression::Assign { left, right } => self.assignment(node, left, right),
            Expression::CompoundAssign { op, left, right } => {
                self.compound_assignment(node, op, left, right)
            }
            Expression::Step(step) => self.step(node, &step),
            Expression::Construct(_) | Expression::List(_) | Expression::Lambda => {
                self.parts(node).map(|_| ())
            }
            Expression::Call(call) if is_output(node, &call) => self.stream_output(node),
            Expression::Call(call) => {
                match call.form {
                    CallForm::Function => {
                        if let Some(value) = self.call(node)? {
                            self.drop_result(&value);
                        }
                    }
                    CallForm::Member | CallForm::Operator => {
                        self.member_call(node)?;
                    }
                }
                Ok(())
            }
            Expression::Delete(pointer) => self.delete_expression(node, pointer),
            Expression::Throw if self.on_host() => {
                self.not_followed(node);
                Ok(())
            }
            Expression::Assembly(operands) => self.assembly(node, operands),
            Expression::Launch(launch) => self.launch(node, &launch),
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let span = self.span(node);
                let cond = self.condition(condition)?;
                let then = self.block(|b| b.effect(then))?;
                let otherwise = self.block(|b| b.effect(otherwise))?;
                self.emit_if(cond, sequence(then), sequence(otherwise), span);
                Ok(())
            }
            Expression::Logical {
                is_and,
                left,
                right,
            } => {
                let span = self.span(node);
                let left = self.condition(left)?;
                let right = self.block(|b| b.effect(right))?;
                if right.is_empty() {
                    self.discard(left, node);
                } else {
                    let (then, otherwise) = match is_and {
                        true => (right, vec![]),
                        false => (vec![], right),
                    };
                    self.emit_if(left, sequence(then), sequence(otherwise), span);
                }
                Ok(())
            }
            Expression::Cast { how, inner } if changes_no_effect(how) => self.effect(inner),
            // An lvalue that is not converted to a value is not read.
            Expression::Name(_)
            | Expression::Member { .. }
            | Expression::Subscript { .. }
            | Expression::Elements(_) => self.place(node).map(|_| ()),
            _ if !self.type_of(node).is_single() => self.parts(node).map(|_| ()),
            _ => {
                let value = self.value(node)?;
                self.discard(value, node);
                Ok(())
            }
        }
    }

    fn binary(&mut self, node: &Node, op: BinaryOp, left: &Node, right: &Node) -> Result<Expr> {
        if !self.type_of(left).is_single() && !self.type_of(right).is_single() {
            return self.compare_objects(node, op, left, right);
        }
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && let Some(truth) = self.compared_low_bits(op == BinaryOp::Eq, left, right)?
        {
            return Ok(constant::convert(truth, self.value_type(node)?));
        }
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && self.on_host()
            && let Some(truth) = self.compared_query(op, left, right)?
        {
            return Ok(constant::convert(truth, self.value_type(node)?));
        }
        if let Some(truth) = self.compared_addresses(op, left, right)? {
            return Ok(constant::convert(truth, self.value_type(node)?));
        }
        let operands = [Operand::Value(left), Operand::Value(right)];
        let mut parts = match op {
            BinaryOp::Shl | BinaryOp::Shr => self.operands_as_ordered(&operands)?,
            _ => self.operands(&operands)?,
        };
        let (Some(b), Some(a)) = (parts.pop(), parts.pop()) else {
            return self.refuse(node, "this operator");
        };
        let value = self.combine(op, a, b, node)?;
        match value.ty {
            // In C a comparison is an `int`.
            Type::BOOL => Ok(constant::convert(value, self.value_type(node)?)),
            _ => Ok(value),
        }
    }

    /// Pointers to structs with cells of several types: those of one struct move together, so
    /// comparing the first is enough.
    fn compare_objects(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
    ) -> Result<Expr> {
        let CType::Pointer(to) = self.type_of(left).ty else {
            return self.refuse(node, "this operator on structs");
        };
        let a = self.parts(left)?;
        let mut a_kept = a;
        let b = self.after(&mut a_kept, |body| body.parts(right))?;
        let count = to.groups().and_then(|groups| groups.first()?.count);
        match (a_kept.into_iter().next(), b.into_iter().next(), count) {
            (Some(a), Some(b), Some(count)) if op == BinaryOp::Sub => {
                Ok(self.pointer_distance(a, b, count))
            }
            (Some(a), Some(b), _) if op.is_comparison() => {
                let value = Expr::binary(op, a, b);
                Ok(constant::convert(value, self.value_type(node)?))
            }
            _ => self.refuse(node, "this operator on structs"),
        }
    }

    fn short_circuit(
        &mut self,
        node: &Node,
        is_and: bool,
        left: &Node,
        right: &Node,
    ) -> Result<Expr> {
        let op = match is_and {
            true => BinaryOp::And,
            false => BinaryOp::Or,
        };
        let span = self.span(node);
        let left = self.condition(left)?;
        let ty = self.value_type(node)?;
        match (op, constant::truth(&left)) {
            // The right operand is never evaluated.
            (BinaryOp::And, Some(false)) | (BinaryOp::Or, Some(true)) => {
                return Ok(constant::convert(left, ty));
            }
            _ => {}
        }
        let (ops, right) = self.apart(|b| b.condition(right))?;
        let value = if ops.is_empty() {
            constant::binary(op, left, right)
        } else if constant::truth(&left).is_some() {
            self.ops.extend(ops);
            right
        } else {
            let result = self.temporary(Type::BOOL, span);
            self.assign_var(result, left, span);
            let cond = Expr::var(result, Type::BOOL);
            let mut rest = ops;
            let (last, ()) = self.apart(|b| {
                b.assign_var(result, right, span);
                Ok(())
            })?;
            rest.extend(last);
            let cond = match op {
                BinaryOp::And => cond,
                _ => constant::not(cond),
            };
            self.emit_if(cond, sequence(rest), sequence(vec![]), span);
            Expr::var(result, Type::BOOL)
        };
        Ok(constant::convert(value, ty))
    }

    fn conditional(
        &mut self,
        node: &Node,
        cond: &Node,
        then: &Node,
        otherwise: &Node,
    ) -> Result<Expr> {
        let span = self.span(node);
        let mut cond = self.condition(cond)?;
        if let Some(truth) = constant::truth(&cond) {
            return self.value(if truth { then } else { otherwise });
        }
        let (then_ops, then) = self.apart(|b| b.value(then))?;
        let (else_ops, otherwise) = self.apart(|b| b.value(otherwise))?;
        let (then, otherwise) = alike(then, otherwise);
        if !then.ty.same_shape(otherwise.ty) {
            return self.refuse(node, "a conditional of two different types");
        }
        if then_ops.is_empty() && else_ops.is_empty() {
            return Ok(Expr::select(cond, then, otherwise));
        }
        if is_disturbed(&cond, &then_ops) || is_disturbed(&cond, &else_ops) {
            cond = self.keep(cond, span);
        }
        let ty = then.ty;
        let result = self.temporary(ty, span);
        let mut branches = Vec::new();
        for (ops, value) in [(then_ops, then), (else_ops, otherwise)] {
            let made = self.block(|b| {
                b.ops = ops;
                b.assign_var(result, value, span);
                Ok(())
            })?;
            branches.push(sequence(made));
        }
        if let (Some(otherwise), Some(then)) = (branches.pop(), branches.pop()) {
            self.emit_if(cond, then, otherwise, span);
        }
        Ok(Expr::var(result, ty))
    }
}

/// `stream << value`.
fn is_output(node: &Node, call: &Call<'_>) -> bool {
    call.form == CallForm::Operator
        && call.named().is_some_and(|d| d.name == "operator<<")
        && node.type_text().contains("ostream")
}

/// A cast that only converts the value: without use of the value it has no effect.
fn changes_no_effect(how: &CastKind) -> bool {
    matches!(
        how,
        CastKind::ToVoid
            | CastKind::IntegralCast
            | CastKind::IntegralToBoolean
            | CastKind::PointerToBoolean
    )
}
