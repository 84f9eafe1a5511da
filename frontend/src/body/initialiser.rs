//! Initialisers of arrays.

use super::{Body, Result};
use crate::constant;
use crate::ctype::{CType, QualifiedType};
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::{BinaryOp, Expr};
use gridlock_semantics::operator::{Basic, Op, OpKind};
use gridlock_semantics::span::Span;
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;

/// More zeros than this are written by a loop.
const MAX_ZERO_STORES: u64 = 8;

/// Largest initialised array, in elements.
const MAX_INITIALISED: u64 = 1 << 20;

impl Body<'_, '_> {
    /// The explicit elements of an initialiser, flat: index and expression.
    fn elements<'n>(
        &self,
        ty: &QualifiedType,
        init: &'n Node,
        at: u64,
        found: &mut Vec<(u64, &'n Node)>,
    ) -> Result<()> {
        let init = init.unwrapped();
        let CType::Array(of, _) = &ty.ty else {
            if !init.is("ImplicitValueInitExpr") {
                found.push((at, init));
            }
            return Ok(());
        };
        if init.is("ImplicitValueInitExpr") {
            return Ok(());
        }
        if !init.is("InitListExpr") {
            return self.refuse(init, "this initialiser of an array");
        }
        let Some((_, Some(count))) = of.cells() else {
            return self.refuse(init, "this initialiser of an array");
        };
        // The first entry of `array_filler` stands for the elements not listed.
        let parts = match init.kind.array_filler.split_first() {
            Some((_, parts)) => parts,
            None => init.inner.as_slice(),
        };
        for (index, part) in parts.iter().enumerate() {
            let offset = (index as u64).saturating_mul(count);
            self.elements(of, part, at.saturating_add(offset), found)?;
        }
        Ok(())
    }

    /// The value of a constant initialiser of a scalar; `None` when it is not constant.
    pub(super) fn constant_value(
        &mut self,
        init: &Node,
        scalar: ScalarType,
    ) -> Result<Option<Value>> {
        let n_vars = self.vars.len();
        let (ops, value) = match self.apart(|b| b.value(init)) {
            Ok(made) => made,
            // Whoever needs the value will say what is wrong with it.
            Err(_) => return Ok(None),
        };
        let is_constant = ops.is_empty() && self.vars.len() == n_vars;
        let value = constant::convert(value, Type::Scalar(scalar));
        Ok(constant::evaluate(&value).filter(|v| is_constant && v.scalar_type() == Some(scalar)))
    }

    /// All values of a constant initialiser, up to the last that is not zero; `None` when some
    /// element is not constant.
    pub(super) fn constant_values(
        &mut self,
        ty: &QualifiedType,
        init: &Node,
    ) -> Result<Option<Vec<Value>>> {
        let Some((pointer, Some(total))) = ty.cells() else {
            return self.refuse(init, "this initialiser");
        };
        let mut elements = Vec::new();
        self.elements(ty, init, 0, &mut elements)?;
        let mut values = Vec::new();
        for (index, node) in elements {
            if index >= total.min(MAX_INITIALISED) {
                return self.refuse(node, "an initialised array this large");
            }
            let Some(value) = self.constant_value(node, pointer.elem)? else {
                return Ok(None);
            };
            values.resize(index as usize, Value::zero(pointer.elem));
            values.push(value);
        }
        Ok(Some(values))
    }

    /// Writes the initial contents of a local array.
    pub(super) fn initialise(
        &mut self,
        base: Expr,
        ty: &QualifiedType,
        init: &Node,
        span: Span,
    ) -> Result<()> {
        if init.unwrapped().is("CXXConstructExpr") {
            return Ok(());
        }
        let Some((pointer, Some(total))) = ty.cells() else {
            return self.refuse(init, "this initialiser");
        };
        let mut elements = Vec::new();
        self.elements(ty, init, 0, &mut elements)?;
        let zero = Expr::constant(Value::zero(pointer.elem));
        let n_zeros = total.saturating_sub(elements.len() as u64);
        let by_loop = n_zeros > MAX_ZERO_STORES;
        if by_loop {
            let count = Expr::int(ScalarType::I64, total as i64);
            self.fill(base.clone(), count, zero.clone(), span);
        }
        let mut next = 0;
        for (index, node) in elements {
            for gap in next..index {
                if !by_loop {
                    self.store_element(base.clone(), gap, zero.clone(), span);
                }
            }
            let value = self.value(node)?;
            let value = constant::convert(value, Type::Scalar(pointer.elem));
            self.store_element(base.clone(), index, value, span);
            next = index + 1;
        }
        if !by_loop {
            for gap in next..total {
                self.store_element(base.clone(), gap, zero.clone(), span);
            }
        }
        Ok(())
    }

    fn store_element(&mut self, base: Expr, index: u64, value: Expr, span: Span) {
        let pointer = Expr::offset(base, Expr::int(ScalarType::I64, index as i64));
        self.emit(Basic::Store { pointer, value }, span);
    }

    /// `for (i = 0; i < count; i++) base[i] = value;`
    pub(super) fn fill(&mut self, base: Expr, count: Expr, value: Expr, span: Span) {
        let ty = count.ty;
        let scalar = ty.scalar().unwrap_or(ScalarType::I64);
        let var = self.declare("i", ty, span);
        let counter = Expr::var(var, ty);
        let init = Basic::Assign {
            var,
            value: Expr::int(scalar, 0),
        };
        let store = Basic::Store {
            pointer: Expr::offset(base, counter.clone()),
            value,
        };
        let step = Basic::Assign {
            var,
            value: Expr::binary(BinaryOp::Add, counter.clone(), Expr::int(scalar, 1)),
        };
        let body = vec![Op::basic(store, span), Op::basic(step, span)];
        let round = OpKind::While {
            cond: Expr::binary(BinaryOp::Lt, counter, count),
            body: Op::new(OpKind::Seq(body), span),
        };
        let whole = vec![Op::basic(init, span), Op::new(round, span)];
        self.ops.push(Op::new(OpKind::Seq(whole), span));
    }
}
