//! Atomic functions of OpenCL C 2.0 that are more than one read-modify-write: loads, comparisons,
//! flags (OpenCL C 3.0, 6.15.12). They are assumed to order no accesses to other places.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, Scope};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// How many arguments an atomic function of this name has before orders and a scope.
fn arity(name: &str) -> Option<usize> {
    Some(match name {
        "atomic_load" | "atomic_flag_test_and_set" | "atomic_flag_clear" => 1,
        "atomic_init" => 2,
        "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => 3,
        _ => return None,
    })
}

impl Code<'_, '_> {
    /// The value of a cell before an atomic changed it.
    fn updated(
        &mut self,
        node: &Node,
        function: AtomicFn,
        scope: Scope,
        pointer: Expr,
        operands: Vec<Expr>,
    ) -> Result<Expr> {
        let span = self.span(node);
        let elem = pointer.ty.pointer().map(|p| p.elem);
        let Some(elem) = elem.filter(|elem| elem.size() >= 4 && *elem != ScalarType::Bool) else {
            return self.refuse(node, "this atomic operation");
        };
        let result = self.temporary(Type::Scalar(elem), span);
        let basic = Basic::Atomic {
            function,
            scope,
            pointer,
            operands,
            result: Some(result),
        };
        self.emit(basic, span);
        Ok(Expr::var(result, Type::Scalar(elem)))
    }
}

impl Body<'_, '_> {
    /// `None`: no such function. `Some(None)`: done, and it gives no value.
    pub(crate) fn opencl_atomic(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let stem = name.strip_suffix("_explicit").unwrap_or(name);
        let Some(arity) = arity(stem).filter(|arity| arguments.len() >= *arity) else {
            return Ok(None);
        };
        let (own, orders) = arguments.split_at(arity);
        // A comparison has an order for success and one for failure.
        let n_orders = 1 + usize::from(arity == 3);
        let scope = match orders.get(n_orders) {
            Some(scope) => self.scope(scope)?,
            None => Scope::Device,
        };
        let operands: Vec<Operand<'_>> = own.iter().map(|a| Operand::Value(a)).collect();
        let mut operands = self.operands(&operands)?.into_iter();
        let span = self.span(node);
        let Some(object) = operands.next() else {
            return Ok(None);
        };
        let Some(elem) = object.ty.pointer().map(|p| p.elem) else {
            return self.refuse(node, "this atomic operation");
        };
        let number = |n| Expr::int(elem, n);
        let mut given = operands.map(|value| match value.ty {
            Type::Pointer(_) => value,
            Type::Scalar(_) => constant::convert(value, Type::Scalar(elem)),
        });
        match (stem, given.next(), given.next()) {
            // Comparing with 0 and storing 0 leaves the cell as it is: an atomic read.
            ("atomic_load", ..) if elem.is_float() => {
                let zero = Expr::constant(Value::zero(elem));
                let operands = vec![zero.clone(), zero];
                let value = self.updated(node, AtomicFn::Cas, scope, object, operands)?;
                Ok(Some(Some(value)))
            }
            ("atomic_load", ..) => {
                let value = self.updated(node, AtomicFn::Or, scope, object, vec![number(0)])?;
                Ok(Some(Some(value)))
            }
            ("atomic_flag_test_and_set", ..) => {
                let old = self.updated(node, AtomicFn::Exch, scope, object, vec![number(1)])?;
                let was_set = Expr::binary(BinaryOp::Ne, old, number(0));
                Ok(Some(Some(was_set)))
            }
            ("atomic_flag_clear", ..) => {
                let old = self.updated(node, AtomicFn::Exch, scope, object, vec![number(0)])?;
                self.drop_result(&old);
                Ok(Some(None))
            }
            // "This macro is not atomic" (6.15.12.3).
            ("atomic_init", Some(value), _) => {
                let pointer = object;
                self.emit(Basic::Store { pointer, value }, span);
                Ok(Some(None))
            }
            (_, Some(expected), Some(desired)) if !elem.is_float() => {
                let expected = self.steady_pointer(expected, span);
                let Some(before) = Expr::load(expected.clone()) else {
                    return self.refuse(node, "this atomic operation");
                };
                if before.ty != Type::Scalar(elem) {
                    return self.refuse(node, "this atomic operation");
                }
                let before = self.keep(before, span);
                let operands = vec![before.clone(), desired];
                let old = self.updated(node, AtomicFn::Cas, scope, object, operands)?;
                let same = Expr::binary(BinaryOp::Eq, old.clone(), before);
                let same = self.keep(same, span);
                let seen = Basic::Store {
                    pointer: expected,
                    value: old,
                };
                self.emit_if(same.clone(), Op::skip(), Op::basic(seen, span), span);
                Ok(Some(Some(same)))
            }
            _ => self.refuse(node, "this atomic operation"),
        }
    }
}
