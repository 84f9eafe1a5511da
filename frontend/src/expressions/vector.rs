//! OpenCL C's vectors: a vector is a struct of its elements, and operators go element by element
//! (OpenCL C 3.0, 6.4 and 6.5).

use crate::arithmetic::shift_amount;
use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::{Old, Operand};
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::{Place, moved};
use crate::syntax::expression::Expression;
use crate::syntax::kind::CastKind;
use crate::syntax::symbol::Symbol;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// The elements of a vector of `n` that the name behind the dot denotes.
fn named_elements(name: &str, n: usize) -> Option<Vec<usize>> {
    let half = n.div_ceil(2);
    let found: Vec<usize> = match name {
        "lo" => (0..half).collect(),
        "hi" => (half..2 * half).collect(),
        "even" => (0..2 * half).step_by(2).collect(),
        "odd" => (1..2 * half).step_by(2).collect(),
        _ => match name.strip_prefix(['s', 'S']) {
            Some(digits) => digits
                .chars()
                .map(|c| c.to_digit(16).map(|d| d as usize))
                .collect::<Option<_>>()?,
            None => name
                .chars()
                .map(|c| "xyzw".find(c))
                .collect::<Option<_>>()?,
        },
    };
    let fits = !found.is_empty() && found.iter().all(|i| *i < n);
    fits.then_some(found)
}

/// The result of comparing elements: all bits are 1, or none.
fn truth(cond: Expr, elem: ScalarType) -> Expr {
    let (yes, no) = (Expr::constant(Value::int(elem, -1)), Expr::int(elem, 0));
    Expr::select(cond, yes, no)
}

fn is_not_zero(value: Expr) -> Expr {
    constant::to_bool(value)
}

impl Code<'_, '_> {
    /// Values that may be used twice, or not at all.
    fn without_loads(&mut self, values: Vec<Expr>, node: &Node) -> Vec<Expr> {
        let span = self.span(node);
        let keep = |value: Expr| match value.has_load() {
            true => self.keep(value, span),
            false => value,
        };
        values.into_iter().map(keep).collect()
    }

    /// `left op right`, element by element; `values` has all elements of the left one, then all of the right one.
    fn elementwise(
        &mut self,
        node: &Node,
        op: BinaryOp,
        values: Vec<Expr>,
        elem: ScalarType,
    ) -> Result<Vec<Expr>> {
        let is_logical = matches!(op, BinaryOp::And | BinaryOp::Or);
        // Both sides are evaluated.
        let values = match is_logical {
            true => self.without_loads(values, node),
            false => values,
        };
        let n = values.len() / 2;
        let (left, right) = values.split_at(n);
        let mut results = Vec::with_capacity(n);
        for (a, b) in left.iter().cloned().zip(right.iter().cloned()) {
            let value = match op {
                BinaryOp::And | BinaryOp::Or => Expr::binary(op, is_not_zero(a), is_not_zero(b)),
                BinaryOp::Shl | BinaryOp::Shr => {
                    let shifted = a.ty.scalar().unwrap_or(elem);
                    Expr::binary(op, a, shift_amount(b, shifted))
                }
                _ if a.ty == b.ty => Expr::binary(op, a, b),
                _ => {
                    let symbol = node.symbol().map_or("", Symbol::text);
                    return self.refuse(node, format!("the operator `{symbol}` on vectors"));
                }
            };
            results.push(match value.ty {
                Type::BOOL => truth(value, elem),
                _ => value,
            });
        }
        Ok(results)
    }
}

impl Body<'_, '_> {
    /// The elements of a vector; `None` if it is read like any other struct.
    pub(crate) fn vector_parts(
        &mut self,
        node: &Node,
        (elem, n): (ScalarType, usize),
    ) -> Result<Option<Vec<Expr>>> {
        match node.expression() {
            Expression::Binary { op, left, right } => {
                self.of_two(node, op, left, right, elem).map(Some)
            }
            Expression::Logical {
                is_and,
                left,
                right,
            } => {
                let op = match is_and {
                    true => BinaryOp::And,
                    false => BinaryOp::Or,
                };
                self.of_two(node, op, left, right, elem).map(Some)
            }
            Expression::CompoundAssign { op, left, right } => {
                let span = self.span(node);
                let (place, right) = self.both_sides(left, Operand::Parts(right), Old::IsRead)?;
                let place = self.steady(place, span);
                let mut values = self.read_parts(&place, left)?;
                values.extend(right);
                let values = self.elementwise(node, op, values, elem)?;
                self.assign_parts(&place, values, span, node)?;
                self.read_parts(&place, node).map(Some)
            }
            Expression::Step(step) => {
                let operand = step.operand;
                let span = self.span(node);
                let place = self.place(operand)?;
                let place = self.steady(place, span);
                let old = self.read_parts(&place, operand)?;
                let old = self.keep_all(old, span);
                let one = constant::convert(Expr::i32(1), Type::Scalar(elem));
                let mut values = old.clone();
                values.extend(vec![one; n]);
                let new = self.elementwise(node, step.operator(), values, elem)?;
                self.assign_parts(&place, new, span, node)?;
                match step.is_postfix {
                    true => Ok(Some(old)),
                    false => self.read_parts(&place, node).map(Some),
                }
            }
            Expression::Plus(operand) => self.of_each(operand, |value| value, elem),
            Expression::Minus(operand) => {
                self.of_each(operand, |value| Expr::unary(UnaryOp::Neg, value), elem)
            }
            Expression::Complement(operand) => {
                self.of_each(operand, |value| Expr::unary(UnaryOp::BitNot, value), elem)
            }
            Expression::Not(operand) => {
                self.of_each(operand, |value| constant::not(is_not_zero(value)), elem)
            }
            Expression::Cast {
                how: CastKind::VectorSplat,
                inner,
            } => {
                let value = constant::convert(self.value(inner)?, Type::Scalar(elem));
                let span = self.span(node);
                let value = match value.kind {
                    ExprKind::Const(_) | ExprKind::Var(_) => value,
                    _ => self.keep(value, span),
                };
                Ok(Some(vec![value; n]))
            }
            Expression::CompoundLiteral(inner) => self.parts(inner).map(Some),
            Expression::List(given) => self.listed(node, given, (elem, n)).map(Some),
            Expression::SameBits(inner) => {
                let values = self.parts(inner)?.into_iter();
                let values: Option<Vec<Expr>> = values.map(|v| with_bits(v, elem)).collect();
                match values.filter(|values| values.len() == n) {
                    Some(values) => Ok(Some(values)),
                    None => self.refuse(node, "the bits of one type as another"),
                }
            }
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } if self.type_of(condition).vector().is_some() => {
                let operands = [condition, then, otherwise].map(Operand::Parts);
                let values = self.operands(&operands)?;
                let values = self.without_loads(values, node);
                let (conds, rest) = values.split_at(n.min(values.len()));
                let (yes, no) = rest.split_at(n.min(rest.len()));
                let chosen = conds.iter().zip(yes).zip(no).map(|((cond, yes), no)| {
                    let zero = Expr::constant(Value::zero(cond.ty.scalar().unwrap_or(elem)));
                    let cond = Expr::binary(BinaryOp::Lt, cond.clone(), zero);
                    Expr::select(cond, yes.clone(), no.clone())
                });
                let chosen: Vec<Expr> = chosen.collect();
                match chosen.len() == n {
                    true => Ok(Some(chosen)),
                    false => self.refuse(node, "this conditional"),
                }
            }
            Expression::Elements(_)
            | Expression::Name(_)
            | Expression::Subscript { .. }
            | Expression::Member { .. } => {
                let place = self.place(node)?;
                self.read_parts(&place, node).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `op operand`, element by element.
    fn of_each(
        &mut self,
        operand: &Node,
        op: fn(Expr) -> Expr,
        elem: ScalarType,
    ) -> Result<Option<Vec<Expr>>> {
        let values = self.parts(operand)?.into_iter().map(op);
        let values = values.map(|value| match value.ty {
            Type::BOOL => truth(value, elem),
            _ => value,
        });
        Ok(Some(values.collect()))
    }

    /// `left op right`, element by element.
    fn of_two(
        &mut self,
        node: &Node,
        op: BinaryOp,
        left: &Node,
        right: &Node,
        elem: ScalarType,
    ) -> Result<Vec<Expr>> {
        let values = self.operands(&[Operand::Parts(left), Operand::Parts(right)])?;
        self.elementwise(node, op, values, elem)
    }

    /// `(float4)(v.xy, 1, 2)`.
    fn listed(
        &mut self,
        node: &Node,
        given: &[Node],
        (elem, n): (ScalarType, usize),
    ) -> Result<Vec<Expr>> {
        let operands: Vec<Operand<'_>> = given.iter().map(Operand::Parts).collect();
        let values = self.operands(&operands)?;
        if values.len() > n || values.iter().any(|value| value.ty.scalar().is_none()) {
            return self.refuse(node, "this list of a vector's elements");
        }
        let convert = |value| constant::convert(value, Type::Scalar(elem));
        let mut values: Vec<Expr> = values.into_iter().map(convert).collect();
        values.resize(n, Expr::constant(Value::zero(elem)));
        Ok(values)
    }

    /// The elements that `vector.xy` names.
    pub(crate) fn swizzle(&mut self, node: &Node, base: &Node) -> Result<Place> {
        let base_ty = self.type_of(base);
        let is_pointer = matches!(base_ty.ty, CType::Pointer(_));
        let object = match is_pointer {
            true => self.pointed_object(base, node)?,
            false => self.place(base)?,
        };
        let vector = object.ty().and_then(QualifiedType::vector);
        let name = self.unit.files.last_token(node).unwrap_or_default();
        let elements = vector.and_then(|(_, n)| named_elements(&name, n));
        let Some(elements) = elements else {
            return self.refuse(node, format!("the member `{name}` of a vector"));
        };
        let ty = self.type_of(node);
        match (&object, elements.as_slice()) {
            (_, [one]) => self.field(&object, *one, node),
            (Place::Parts(vars, _), _) => {
                let chosen = elements.iter().filter_map(|i| vars.get(*i)).copied();
                Ok(Place::Parts(chosen.collect(), ty))
            }
            (Place::Value(values, _), _) => {
                let chosen = elements.iter().filter_map(|i| values.get(*i)).cloned();
                Ok(Place::Value(chosen.collect(), ty))
            }
            (Place::Cell(pointer, _), [first, ..]) => {
                let at = |index: usize| {
                    let index = Expr::int(ScalarType::I64, index as i64);
                    moved(pointer.clone(), index, 1)
                };
                if elements.windows(2).all(|pair| pair[1] == pair[0] + 1) {
                    return Ok(Place::Cell(at(*first), ty));
                }
                let values: Option<Vec<Expr>> =
                    elements.iter().map(|i| Expr::load(at(*i))).collect();
                match values {
                    Some(values) => Ok(Place::Value(values, ty)),
                    None => self.refuse(node, "this member"),
                }
            }
            _ => self.refuse(node, "this member"),
        }
    }

    /// `vector[i]`.
    pub(crate) fn vector_element(&mut self, vector: &Node, index: &Node) -> Result<Place> {
        let object = self.place(vector)?;
        let at = self.value(index)?;
        match constant::evaluate(&at).and_then(Value::as_integer) {
            Some(number) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                self.field(&object, number, index)
            }
            None => self.refuse(index, "a subscript of a vector that is not constant"),
        }
    }

    /// `as_int(x)`: the same bits.
    pub(crate) fn same_bits(&mut self, node: &Node, inner: &Node) -> Result<Expr> {
        let ty = self.value_type(node)?;
        let value = self.value(inner)?;
        match ty.scalar().and_then(|to| with_bits(value, to)) {
            Some(value) => Ok(value),
            None => self.refuse(node, "the bits of one type as another"),
        }
    }

    /// The constant elements of a vector, for an initialiser at file scope.
    pub(crate) fn constant_elements(
        &mut self,
        init: &Node,
        elem: ScalarType,
    ) -> Result<Option<Vec<Value>>> {
        let n_vars = self.vars.len();
        let Ok((ops, values)) = self.apart(|b| b.parts(init)) else {
            return Ok(None);
        };
        if !ops.is_empty() || self.vars.len() != n_vars {
            return Ok(None);
        }
        let known = values.iter().map(|value| {
            let value = constant::convert(value.clone(), Type::Scalar(elem));
            constant::evaluate(&value).filter(|v| v.scalar_type() == Some(elem))
        });
        Ok(known.collect())
    }
}

/// The value of a type that has the same bits.
fn with_bits(value: Expr, to: ScalarType) -> Option<Expr> {
    let from = value.ty.scalar()?;
    let bits = MathFn::BitsAs(to);
    if from == to || from.is_integer() && to.is_integer() && from.size() == to.size() {
        return Some(constant::convert(value, Type::Scalar(to)));
    }
    bits.is_defined_on(from)
        .then(|| Expr::new(Type::Scalar(to), ExprKind::Math(bits, vec![value])))
}
