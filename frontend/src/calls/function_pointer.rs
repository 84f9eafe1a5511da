//! Pointers to functions: numbers. 0 is the null pointer, the others are the functions of the unit
//! whose address is taken somewhere, in the order of the text. A call through a pointer chooses
//! among those of its type; any other number is the call of a null pointer.

use crate::body::flow::Returned;
use crate::body::source::Source;
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::syntax::expression::Expression;
use crate::syntax::kind::CastKind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

/// Most functions a call can choose among.
const MAX_TARGETS: usize = 32;

impl Source<'_, '_> {
    /// The expression that gives the number of the function a call calls, when it does not name
    /// one.
    fn called_pointer<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        let mut callee = node.child(0)?.unwrapped();
        if *callee.cast() == CastKind::BuiltinFnToFnPtr {
            return None;
        }
        while let Expression::Dereference(inner)
        | Expression::Cast {
            how: CastKind::FunctionToPointerDecay,
            inner,
        } = callee.expression()
        {
            callee = inner.unwrapped();
        }
        self.type_of(callee).is_function_pointer().then_some(callee)
    }
}

impl Body<'_, '_> {
    /// The number of the function that an expression names.
    pub(crate) fn function_number(&mut self, node: &Node) -> Result<Expr> {
        let mut named = node.without_casts();
        while let Expression::AddressOf(inner) | Expression::Dereference(inner) = named.expression()
        {
            named = inner.without_casts();
        }
        if let Expression::Conditional {
            condition,
            then,
            otherwise,
        } = named.expression()
        {
            let cond = self.condition(condition)?;
            let (then, otherwise) = (
                self.function_number(then)?,
                self.function_number(otherwise)?,
            );
            return Ok(Expr::select(cond, then, otherwise));
        }
        let decl = named.kind.referenced_decl.as_ref();
        let index = decl.and_then(|d| self.unit.function_of.get(&d.id));
        let number = index.and_then(|index| self.unit.function_number(*index));
        match (number, decl) {
            (Some(number), _) => Ok(Expr::int(ScalarType::U32, i64::from(number))),
            (None, Some(decl)) => {
                self.refuse(node, format!("the address of the function `{}`", decl.name))
            }
            (None, None) => self.refuse(node, "a function pointer"),
        }
    }

    /// A call through a pointer; `None` when it is not one.
    pub(crate) fn call_through_pointer(&mut self, node: &Node) -> Result<Option<Option<Expr>>> {
        let Some(pointer) = self.called_pointer(node) else {
            return Ok(None);
        };
        let span = self.span(node);
        let mut number = self.value(pointer)?;
        if !matches!(number.kind, ExprKind::Const(_) | ExprKind::Var(_)) {
            number = self.keep(number, span);
        }
        let unit = self.unit;
        let mut targets = Vec::new();
        for (at, &index) in unit.pointed_to.iter().enumerate() {
            if unit.same_parameters(index, pointer) {
                targets.push((at as i64 + 1, index));
            }
        }
        let known = constant::evaluate(&number).and_then(|v| v.as_integer());
        if let Some(known) = known {
            targets.retain(|(number, _)| i128::from(*number) == known);
        } else if targets.is_empty() {
            return self.refuse(node, "a call through a function pointer");
        }
        if targets.len() > MAX_TARGETS {
            return self.refuse(node, "a call of one of this many functions");
        }
        let ty = self.type_of(node);
        let result = match &ty.ty {
            CType::Void => None,
            _ if ty.is_single() => Some(self.value_type(node)?),
            _ => return self.refuse(node, "a struct that a function pointer gives"),
        };
        let result = result.map(|ty| (self.temporary(ty, span), ty));
        let arguments: Vec<&Node> = node.arguments().iter().collect();
        let mut branches: Vec<(Expr, Arc<Op>)> = Vec::new();
        for (target, index) in targets {
            let ops = self.block(|b| {
                let value = match unit.functions[index].is_in_place {
                    true => match b.call_in_place(node, index, &arguments, None)? {
                        Returned::Values(values) => values.into_iter().next(),
                        _ => None,
                    },
                    false => b.call_ours(node, index)?,
                };
                match (result, value) {
                    (Some((var, _)), Some(value)) => b.assign_var(var, value, span),
                    (None, Some(value)) => b.drop_result(&value),
                    (_, None) => {}
                }
                Ok(())
            })?;
            let wanted = Expr::int(ScalarType::U32, target);
            let cond = constant::binary(BinaryOp::Eq, number.clone(), wanted);
            branches.push((cond, sequence(ops)));
        }
        // No function: a wild pointer.
        let pointer = Expr::i32(0).cast(Type::pointer_to(ScalarType::I32));
        let value = Expr::i32(0);
        let wild = Op::basic(Basic::Store { pointer, value }, span);
        let mut chain = wild;
        for (cond, branch) in branches.into_iter().rev() {
            if constant::truth(&cond) == Some(true) {
                chain = branch;
                continue;
            }
            let made = self.block(|b| {
                b.emit_if(cond, branch, chain, span);
                Ok(())
            })?;
            chain = sequence(made);
        }
        self.ops.push(chain);
        Ok(Some(result.map(|(var, ty)| Expr::var(var, ty))))
    }
}
