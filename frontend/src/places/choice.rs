//! An element of an array that is held in variables, chosen by an index that is not constant: arrays of pointers, and
//! arrays beside pointers in a struct by value. Reading it becomes a choice among the variables, writing it a choice
//! among assignments. An index outside the array becomes a failing assertion, because there is no memory whose bounds
//! it could exceed.

use crate::arithmetic::chosen;
use crate::body::code::Code;
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;

/// Most variables to choose among.
const MAX_CHOICES: usize = 64;

impl Code<'_, '_> {
    /// The element of `values` with the number `index`; each element is one variable or value.
    pub(crate) fn choose(
        &mut self,
        array: &Place,
        values: Vec<Expr>,
        index: Expr,
        node: &Node,
    ) -> Result<Place> {
        let span = self.span(node);
        let alike = values
            .windows(2)
            .all(|pair| pair[0].ty.same_shape(pair[1].ty));
        let is_number = index
            .ty
            .scalar()
            .is_some_and(|s| s.is_integer() && s.bits() >= 32);
        let (Some(first), true) = (values.first(), alike && is_number) else {
            return self.refuse(node, "this subscript");
        };
        if values.len() > MAX_CHOICES {
            return self.refuse(
                node,
                "a subscript that is not constant, in a struct this large",
            );
        }
        let ty = first.ty;
        let index = match index.kind {
            ExprKind::Var(_) => index,
            _ => self.keep(index, span),
        };
        let number = |n: usize| Expr::int(index.scalar_type(), n as i64);
        let below = Expr::binary(BinaryOp::Lt, index.clone(), number(values.len()));
        let above = Expr::binary(BinaryOp::Ge, index.clone(), number(0));
        let cond = constant::binary(BinaryOp::And, above, below);
        self.emit(Basic::Assert { cond }, span);
        let vars: Vec<VarId> = values
            .iter()
            .filter_map(|value| match value.kind {
                ExprKind::Var(var) => Some(var),
                _ => None,
            })
            .collect();
        match array {
            // A reference to the element, or its address, may be used after the variables in the subscript have
            // changed.
            Place::Parts(..) if vars.len() == values.len() => {
                Ok(Place::Chosen(vars, self.keep(index, span), ty))
            }
            _ => Ok(Place::Constant(chosen(values, &index))),
        }
    }
}

impl Body<'_, '_> {
    /// Assigns the variable whose number `index` is.
    pub(crate) fn write_chosen(&mut self, vars: &[VarId], index: &Expr, value: Expr, span: Span) {
        let value = match value.kind {
            ExprKind::Const(_) | ExprKind::Var(_) => value,
            _ => self.keep(value, span),
        };
        let scalar = index.scalar_type();
        let mut chain = sequence(vec![]);
        for (number, &var) in vars.iter().enumerate().rev() {
            let (then, ()) = match self.apart(|b| {
                b.assign_var(var, value.clone(), span);
                Ok(())
            }) {
                Ok(made) => made,
                Err(_) => continue,
            };
            let is_meant = Expr::binary(
                BinaryOp::Eq,
                index.clone(),
                Expr::int(scalar, number as i64),
            );
            let made = self.apart(|b| {
                b.emit_if(is_meant, sequence(then), chain.clone(), span);
                Ok(())
            });
            if let Ok((ops, ())) = made {
                chain = sequence(ops);
            }
        }
        self.ops.push(chain);
    }
}
