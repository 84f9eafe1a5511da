//! Values of expressions of host code, in terms of the inputs.

use super::statements::negated;
use super::value::{Known, Place, Step};
use super::{MOST_NODES, Walk};
use crate::arithmetic::shift_amount;
use crate::constant;
use crate::syntax::casts::initialiser;
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::collections::BTreeMap;

/// Elements of an array that are told apart.
const MOST_ELEMENTS: usize = 1024;

impl Walk<'_, '_> {
    /// What is known of the value of an expression, whose effects take place.
    pub(super) fn value(&mut self, node: &Node) -> Known {
        if !self.step() {
            return Known::Nothing;
        }
        let node = node.unwrapped();
        match node.expression() {
            Expression::Integer => self.integer(node),
            Expression::Boolean => match &node.kind.value {
                Some(serde_json::Value::Bool(value)) => Known::Number(Expr::bool(*value)),
                _ => Known::Nothing,
            },
            Expression::Floating => self.floating(node),
            Expression::Zero => match self.scalar_of(node) {
                Some(scalar) => Known::Number(Expr::constant(Value::zero(scalar))),
                None => Known::Nothing,
            },
            Expression::List(items) => self.list(node, items),
            Expression::SizeOf if node.name() == "sizeof" => {
                let of = match (&node.kind.arg_type, node.child(0)) {
                    (Some(ty), _) => self.unit.names.parse(ty.text()).size(),
                    (None, Some(operand)) => self.type_of(operand).size(),
                    (None, None) => None,
                };
                match of {
                    Some(bytes) => Known::Number(Expr::int(ScalarType::U64, bytes as i64)),
                    None => Known::Nothing,
                }
            }
            Expression::Name(decl) => {
                if let Some(&(value, ty)) = self.unit.enumerators.get(&decl.id) {
                    return Known::Number(Expr::constant(Value::int(ty, value)));
                }
                self.read_named(node)
            }
            Expression::Subscript { .. }
            | Expression::Member { .. }
            | Expression::Dereference(_) => self.read_named(node),
            Expression::AddressOf(place) => self.address(place),
            Expression::Step(step) => {
                let place = self.place(step.operand);
                let Some(scalar) = self.scalar_of(step.operand) else {
                    self.forget_assigned(step.operand);
                    return Known::Nothing;
                };
                let Some(old) = self.number(step.operand) else {
                    return Known::Nothing;
                };
                let by = constant::convert(Expr::i32(1), Type::Scalar(scalar));
                let new = self.folded(Expr::binary(step.operator(), old.clone(), by));
                match place.filter(|_| scalar.is_integer()) {
                    Some(place) => self.state.write(&place, new.clone()),
                    None => {
                        self.forget_assigned(step.operand);
                        self.forget_behind_pointers(Some(scalar));
                    }
                }
                match step.is_postfix {
                    true => Known::Number(old),
                    false => new,
                }
            }
            Expression::Extension(inner) | Expression::Plus(inner) => self.value(inner),
            Expression::Minus(inner) => self.unary(UnaryOp::Neg, inner),
            Expression::Complement(inner) => self.unary(UnaryOp::BitNot, inner),
            Expression::Not(inner) => match self.condition(inner) {
                Some(condition) => self.typed(negated(condition), node),
                None => Known::Nothing,
            },
            Expression::Binary { op, left, right } => {
                let left = self.number(left);
                let right = self.number(right);
                match (left, right) {
                    (Some(left), Some(right)) => self.binary(op, left, right, node),
                    _ => Known::Nothing,
                }
            }
            Expression::Logical {
                is_and,
                left,
                right,
            } => {
                let left = self.condition(left);
                let decides = left.as_ref().and_then(constant::truth) == Some(!is_and);
                let right = match decides {
                    true => None,
                    false => self.condition(right),
                };
                let op = if is_and { BinaryOp::And } else { BinaryOp::Or };
                match (left, right) {
                    (Some(left), _) if decides => self.typed(left, node),
                    (Some(left), Some(right)) => {
                        self.typed(constant::binary(op, left, right), node)
                    }
                    _ => Known::Nothing,
                }
            }
            Expression::Comma { left, right } => {
                self.value(left);
                self.value(right)
            }
            Expression::Assign { left, right } => {
                let value = self.value(right);
                self.assign(left, value)
            }
            Expression::CompoundAssign { op, left, right } => {
                let by = self.number(right);
                let old = self.number(left);
                let inner = match &node.kind.compute_result_type {
                    Some(ty) => self.unit.names.parse(ty.text()).scalar(),
                    None => self.scalar_of(left),
                };
                let value = match (old, by, inner) {
                    (Some(old), Some(by), Some(inner)) => {
                        let old = constant::convert(old, Type::Scalar(inner));
                        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                        let by = match is_shift {
                            true => by,
                            false => constant::convert(by, Type::Scalar(inner)),
                        };
                        self.operation(op, old, by)
                    }
                    _ => Known::Nothing,
                };
                self.assign(left, value)
            }
            Expression::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(condition, then, otherwise),
            Expression::Cast { how, inner } => self.cast(node, how, inner),
            Expression::Call(call) => self.call(node, &call),
            Expression::Construct(arguments) => self.constructed(node, arguments),
            Expression::Launch(launch) => {
                self.launch(node, &launch);
                Known::Nothing
            }
            Expression::Throw => {
                self.ends();
                Known::Nothing
            }
            _ => {
                self.forget_assigned(node);
                Known::Nothing
            }
        }
    }

    fn integer(&self, node: &Node) -> Known {
        let value = match &node.kind.value {
            Some(serde_json::Value::String(text)) => text.parse::<i128>().ok(),
            Some(serde_json::Value::Number(number)) => number.as_i64().map(i128::from),
            _ => None,
        };
        match (value, self.scalar_of(node)) {
            (Some(value), Some(ty)) if ty.is_integer() => {
                Known::Number(Expr::constant(Value::int(ty, value)))
            }
            _ => Known::Nothing,
        }
    }

    fn floating(&self, node: &Node) -> Known {
        let text = match &node.kind.value {
            Some(serde_json::Value::String(text)) => text.as_str(),
            _ => "",
        };
        let value = match self.scalar_of(node) {
            Some(ScalarType::F32) => text.parse().ok().map(Value::f32),
            Some(ScalarType::F64) => text.parse().ok().map(Value::f64),
            _ => None,
        };
        value.map_or(Known::Nothing, |value| Known::Number(Expr::constant(value)))
    }

    fn list(&mut self, node: &Node, items: &[Node]) -> Known {
        let ty = self.type_of(node);
        match &ty.ty {
            CType::Array(..) => {
                if items.len() > MOST_ELEMENTS {
                    return Known::Nothing;
                }
                Known::Elements(items.iter().map(|item| self.value(item)).collect())
            }
            CType::Record(record) if record.fields.iter().all(|field| field.id.is_some()) => {
                let names: Vec<String> = record.fields.iter().map(|f| f.name.clone()).collect();
                let values = names.into_iter().zip(items);
                Known::Members(values.map(|(n, item)| (n, self.value(item))).collect())
            }
            _ => match items {
                [only] => self.value(only),
                _ => Known::Nothing,
            },
        }
    }

    /// A struct that a constructor makes: only extents of launches and copies are known.
    fn constructed(&mut self, node: &Node, arguments: &[Node]) -> Known {
        let ty = self.type_of(node);
        let is_extents = matches!(&ty.ty, CType::Record(record) if record.name == "dim3");
        if let [only] = arguments {
            let value = self.value(only);
            return match (value, is_extents) {
                (Known::Number(x), true) => extents(vec![x]),
                (value, _) => value,
            };
        }
        if !is_extents {
            for argument in arguments {
                self.value(argument);
                self.forget_assigned(argument);
            }
            return Known::Nothing;
        }
        let mut given = Vec::new();
        for argument in arguments.iter().take(3) {
            let written = Some(argument).filter(|argument| !argument.is(Kind::CXXDefaultArgExpr));
            match written.and_then(|argument| self.number(argument)) {
                Some(number) => given.push(number),
                // What is not written.
                None => given.push(Expr::int(ScalarType::U32, 1)),
            }
        }
        extents(given)
    }

    /// What a place that an expression names holds.
    fn read_named(&mut self, node: &Node) -> Known {
        let scalar = self.scalar_of(node);
        if let Some(place) = self.place(node) {
            return self.read(&place, &place_name(node), scalar);
        }
        if let Expression::Subscript { left, right } = node.expression()
            && let Some(place) = self.array(left)
            && let Some(Known::Elements(elements)) = self.state.read(&place)
        {
            self.value(right);
            return self.any_of(&elements, &place_name(node), scalar);
        }
        match scalar {
            Some(scalar) => Known::Number(self.input_of(node, scalar, false)),
            None => Known::Nothing,
        }
    }

    /// What a place holds. A number of which nothing is known becomes an input, the same wherever it is read.
    pub(super) fn read(&mut self, place: &Place, name: &str, scalar: Option<ScalarType>) -> Known {
        let known = match self.state.read(place) {
            Some(known) => known,
            None => self.first_read(place),
        };
        match (known, scalar) {
            (known @ (Known::Nothing | Known::Open), Some(scalar)) => {
                let name = match name.is_empty() {
                    true => self.name_of(place.variable),
                    false => name.to_owned(),
                };
                let is_free = known == Known::Open;
                let value = Known::Number(self.input(name, scalar, is_free, Vec::new()));
                self.state.write(place, value.clone());
                value
            }
            (known, _) => known,
        }
    }

    /// What a variable holds that was not met before: one at file scope that never changes has its first value.
    fn first_read(&mut self, place: &Place) -> Known {
        let node = self.unit.globals.get(&place.variable).copied();
        let Some(node) = node.filter(|node| self.unit.is_steady(node.id)) else {
            return Known::Nothing;
        };
        // It may be defined by itself.
        self.state.forget(place.variable);
        if let Some(init) = initialiser(node) {
            let value = self.initial(node, init);
            self.state.write(&Place::of(place.variable), value);
        }
        self.state.read(place).unwrap_or(Known::Nothing)
    }

    fn name_of(&self, variable: Id) -> String {
        if let Some(name) = self.names.get(&variable) {
            return name.clone();
        }
        let mut known = self.unit.globals.values();
        let node = known.find(|node| node.id == variable);
        node.map_or("?".to_owned(), |node| node.name().to_owned())
    }

    /// One of these elements, it is not known which.
    pub(super) fn any_of(
        &mut self,
        elements: &[Known],
        name: &str,
        scalar: Option<ScalarType>,
    ) -> Known {
        let number = |known: &Known| {
            let value = constant::evaluate(known.number()?)?.as_integer()?;
            i64::try_from(value).ok()
        };
        let all: Option<Vec<i64>> = elements.iter().map(number).collect();
        match (all, scalar) {
            (Some(choices), Some(scalar)) if !choices.is_empty() => {
                Known::Number(self.input(name.to_owned(), scalar, true, choices))
            }
            (_, Some(scalar)) => Known::Number(self.input(name.to_owned(), scalar, false, vec![])),
            _ => Known::Nothing,
        }
    }

    /// The place that an expression names; `None` where it is not known.
    pub(super) fn place(&mut self, node: &Node) -> Option<Place> {
        if !self.step() {
            return None;
        }
        let node = node.unwrapped();
        match node.expression() {
            Expression::Name(decl) if !self.unit.enumerators.contains_key(&decl.id) => {
                let global = self.unit.globals.get(&decl.id);
                let id = global.map_or(decl.id, |node| node.id);
                self.meet(id, &decl.name);
                let alias = self.aliases.get(&id).cloned();
                Some(alias.unwrap_or_else(|| Place::of(id)))
            }
            Expression::Member { object, is_arrow } => {
                let object = match is_arrow {
                    true => match self.value(object) {
                        Known::Address(place) => place,
                        _ => return None,
                    },
                    false => self.place(object)?,
                };
                Some(object.part(Step::Member(node.name().to_owned())))
            }
            Expression::Subscript { left, right } => {
                let array = self.array(left)?;
                let index = self.number(right)?;
                let index = constant::evaluate(&index)?.as_integer()?;
                match self.state.read(&array) {
                    Some(Known::Elements(_)) => {
                        Some(array.part(Step::Element(usize::try_from(index).ok()?)))
                    }
                    _ => (index == 0).then_some(array),
                }
            }
            Expression::Dereference(pointer) => {
                let array = self.array(pointer)?;
                match self.state.read(&array) {
                    Some(Known::Elements(_)) => Some(array.part(Step::Element(0))),
                    _ => Some(array),
                }
            }
            Expression::Cast {
                how: CastKind::NoOp | CastKind::LValueToRValue,
                inner,
            } => self.place(inner),
            _ => None,
        }
    }

    fn address(&mut self, node: &Node) -> Known {
        match self.place(node) {
            Some(place) => {
                self.addressed.insert(place.variable);
                Known::Address(place)
            }
            None => Known::Nothing,
        }
    }

    /// What a pointer points to.
    fn array(&mut self, pointer: &Node) -> Option<Place> {
        if let Expression::Cast { how, inner } = pointer.unwrapped().expression()
            && *how == CastKind::ArrayToPointerDecay
        {
            return self.place(inner);
        }
        match self.value(pointer) {
            Known::Address(place) => Some(place),
            _ => None,
        }
    }

    fn assign(&mut self, left: &Node, value: Known) -> Known {
        let ty = self.type_of(left);
        let value = self.converted(value, &ty);
        let value = self.named_input(value, &place_name(left), self.scalar_of(left));
        match self.place(left) {
            Some(place) => self.state.write(&place, value.clone()),
            None => {
                self.forget_assigned(left);
                self.forget_behind_pointers(self.scalar_of(left));
            }
        }
        value
    }

    /// Something was assigned through a pointer of which it is not known where it points to. `scalar`: its type.
    pub(super) fn forget_behind_pointers(&mut self, scalar: Option<ScalarType>) {
        let mut behind: Vec<Id> = self.addressed.iter().copied().collect();
        // What is accessed as one type of number is none of another.
        behind.retain(|variable| match self.state.read(&Place::of(*variable)) {
            Some(Known::Number(number)) => scalar.is_none() || number.ty.scalar() == scalar,
            _ => true,
        });
        for variable in behind {
            self.state.forget(variable);
        }
    }

    fn conditional(&mut self, condition: &Node, then: &Node, otherwise: &Node) -> Known {
        let condition = self.condition(condition);
        let mut values: Vec<Known> = Vec::new();
        match condition.as_ref().and_then(constant::truth) {
            Some(true) => return self.value(then),
            Some(false) => return self.value(otherwise),
            None => {}
        }
        for side in [then, otherwise] {
            values.push(self.value(side));
        }
        match (condition, values.as_slice()) {
            (Some(condition), [Known::Number(a), Known::Number(b)]) if a.ty == b.ty => {
                self.folded(Expr::select(condition, a.clone(), b.clone()))
            }
            (_, [a, b]) if a == b => a.clone(),
            _ => Known::Nothing,
        }
    }

    fn cast(&mut self, node: &Node, how: &CastKind, inner: &Node) -> Known {
        match how {
            CastKind::LValueToRValue | CastKind::NoOp | CastKind::ConstructorConversion => {
                self.value(inner)
            }
            CastKind::UserDefinedConversion => {
                let value = self.value(inner);
                match self.scalar_of(node) {
                    Some(_) => self.converted(value, &self.type_of(node)),
                    None => value,
                }
            }
            CastKind::IntegralCast
            | CastKind::IntegralToFloating
            | CastKind::FloatingToIntegral
            | CastKind::FloatingCast
            | CastKind::BooleanToSignedIntegral => match self.number(inner) {
                Some(number) => self.typed(number, node),
                None => Known::Nothing,
            },
            CastKind::IntegralToBoolean | CastKind::FloatingToBoolean => {
                match self.condition(inner) {
                    Some(condition) => Known::Number(condition),
                    None => Known::Nothing,
                }
            }
            CastKind::ArrayToPointerDecay => self.address(inner),
            // A pointer keeps what it points to; as memory of another type that is not read.
            CastKind::BitCast => {
                self.value(inner);
                Known::Nothing
            }
            _ => {
                self.value(inner);
                Known::Nothing
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &Node) -> Known {
        match self.number(inner) {
            Some(number) => self.folded(Expr::unary(op, number)),
            None => Known::Nothing,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, node: &Node) -> Known {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if left.ty != right.ty && !is_shift {
            return Known::Nothing;
        }
        match self.operation(op, left, right) {
            Known::Number(number) => self.typed(number, node),
            other => other,
        }
    }

    fn operation(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Known {
        let right = match (op, left.ty.scalar()) {
            (BinaryOp::Shl | BinaryOp::Shr, Some(shifted)) => shift_amount(right, shifted),
            _ => right,
        };
        self.folded(constant::binary(op, left, right))
    }

    /// A number as one of a node's type.
    fn typed(&mut self, number: Expr, node: &Node) -> Known {
        match self.scalar_of(node) {
            Some(scalar) => self.folded(constant::convert(number, Type::Scalar(scalar))),
            None => Known::Nothing,
        }
    }

    /// A number, evaluated where that is possible; one that is too long is not kept.
    pub(super) fn folded(&mut self, number: Expr) -> Known {
        if let Some(value) = constant::evaluate(&number) {
            let constant = Expr::constant(value);
            if constant.ty == number.ty && value != Value::Undef {
                return Known::Number(constant);
            }
        }
        let mut n_nodes = 0;
        number.walk(&mut |_| n_nodes += 1);
        match n_nodes <= MOST_NODES {
            true => Known::Number(number),
            false => Known::Nothing,
        }
    }

    /// The number that an expression of scalar type is; where nothing is known of it, an input.
    pub(super) fn number(&mut self, node: &Node) -> Option<Expr> {
        let scalar = self.scalar_of(node);
        match (self.value(node), scalar) {
            (Known::Number(number), _) => Some(number),
            (Known::Nothing, Some(scalar)) => Some(self.input_of(node, scalar, false)),
            (Known::Open, Some(scalar)) => Some(self.input_of(node, scalar, true)),
            _ => None,
        }
    }

    /// A condition; `None` where it is about something that is no number.
    pub(super) fn condition(&mut self, node: &Node) -> Option<Expr> {
        let number = self.number(node)?;
        self.folded(constant::to_bool(number)).number().cloned()
    }
}

/// Extents of a launch, as the constructor of `dim3` makes them.
pub(super) fn extents(given: Vec<Expr>) -> Known {
    let mut given = given.into_iter();
    let mut members = BTreeMap::new();
    for axis in ["x", "y", "z"] {
        let one = || Expr::int(ScalarType::U32, 1);
        let extent = given.next().unwrap_or_else(one);
        let extent = constant::convert(extent, Type::U32);
        members.insert(axis.to_owned(), Known::Number(extent));
    }
    Known::Members(members)
}

/// A variable or a member as it is written, where it is written in one word after another.
fn place_name(node: &Node) -> String {
    let node = node.without_casts();
    match node.expression() {
        Expression::Name(decl) => decl.name.clone(),
        Expression::Member { object, is_arrow } => {
            let by = if is_arrow { "->" } else { "." };
            format!("{}{by}{}", place_name(object), node.name())
        }
        Expression::Subscript { left, .. } => format!("{}[…]", place_name(left)),
        _ => String::new(),
    }
}
