//! Initialisers of arrays.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::storage::pointers::is_null_pointer;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::bit_field::truncated;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::POINTER_CELL;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// More zeros than this are written by a loop.
const MAX_ZERO_STORES: u64 = 8;

/// Largest initialised array, in elements.
pub(crate) const MAX_INITIALISED: u64 = 1 << 20;

impl Source<'_, '_> {
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
            if !init.is(Kind::ImplicitValueInitExpr) {
                found.push((at, init));
            }
            return Ok(());
        };
        if init.is(Kind::ImplicitValueInitExpr) {
            return Ok(());
        }
        if !init.is(Kind::InitListExpr) {
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

    /// Whether the constructor that an expression calls without arguments does nothing.
    fn is_trivial(&self, made: &Node) -> bool {
        let Some(index) = self.unit.constructor(made) else {
            return true;
        };
        let function = &self.unit.functions[index];
        let mut initialisers = function.node.inner.iter();
        let does_nothing = |node: &Node| {
            let value = node.last().filter(|value| value.is(Kind::CXXConstructExpr));
            value.is_some_and(|value| value.inner.is_empty() && self.is_trivial(value))
        };
        function.body.inner.is_empty()
            && initialisers.all(|node| !node.is(Kind::CXXCtorInitializer) || does_nothing(node))
    }
}

impl Code<'_, '_> {
    /// Writes zeros, or another value, into cells one after another.
    pub(crate) fn clear_cells(&mut self, base: Expr, count: u64, value: Expr, span: Span) {
        if count > MAX_ZERO_STORES {
            let base = match base.kind {
                gridlock_semantics::algebra::expr::ExprKind::Var(_)
                | gridlock_semantics::algebra::expr::ExprKind::ArrayBase(_) => base,
                _ => self.keep(base, span),
            };
            let count = Expr::int(ScalarType::I64, count as i64);
            self.fill(base, count, value, span);
            return;
        }
        for index in 0..count {
            let at = Expr::int(ScalarType::I64, index as i64);
            let pointer = moved(base.clone(), at, 1);
            let value = value.clone();
            self.emit(Basic::Store { pointer, value }, span);
        }
    }

    fn store_element(&mut self, base: Expr, index: u64, value: Expr, span: Span) {
        let pointer = Expr::offset(base, Expr::int(ScalarType::I64, index as i64));
        self.emit(Basic::Store { pointer, value }, span);
    }

    /// `for (i = 0; i < count; i++) base[i] = value;`
    pub(crate) fn fill(&mut self, base: Expr, count: Expr, value: Expr, span: Span) {
        let ty = count.ty;
        let scalar = count.scalar_type();
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

impl Body<'_, '_> {
    /// The value of a constant initialiser of a scalar; `None` when it is not constant.
    pub(crate) fn constant_value(
        &mut self,
        init: &Node,
        scalar: ScalarType,
    ) -> Result<Option<Value>> {
        let n_vars = self.vars.len();
        let (ops, value) = match self.apart(|b| b.value(init)) {
            Ok(made) => made,
            // The error is reported where the value is needed.
            Err(_) => return Ok(None),
        };
        let is_constant = ops.is_empty() && self.vars.len() == n_vars;
        let value = match is_null_pointer(&value) {
            true => Expr::constant(Value::zero(scalar)),
            false if value.ty.pointer().is_some() => return Ok(None),
            false => value,
        };
        let value = constant::convert(value, Type::Scalar(scalar));
        Ok(constant::evaluate(&value).filter(|v| is_constant && v.scalar_type() == Some(scalar)))
    }

    /// All values of a constant initialiser, up to the last that is not zero; `None` when some
    /// element is not constant.
    pub(crate) fn constant_values(
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

    /// The contents of structs, group by group; `None` when something in them is not constant.
    pub(crate) fn constant_objects(
        &mut self,
        ty: &QualifiedType,
        init: &Node,
    ) -> Result<Option<Vec<Vec<Value>>>> {
        let Some(groups) = ty.groups() else {
            return Ok(None);
        };
        let mut contents: Vec<(ScalarType, u64, Vec<Value>)> = groups
            .iter()
            .map(|g| (g.pointer.elem, 0, Vec::new()))
            .collect();
        let is_constant = self.constant_object(ty, Some(init), &mut contents)?;
        Ok(is_constant.then(|| contents.into_iter().map(|(_, _, values)| values).collect()))
    }

    /// Adds the contents of one object; `None` stands for zeros.
    fn constant_object(
        &mut self,
        ty: &QualifiedType,
        init: Option<&Node>,
        contents: &mut Vec<(ScalarType, u64, Vec<Value>)>,
    ) -> Result<bool> {
        let init = init.map(|init| init.unwrapped());
        let init = init.filter(|init| !init.is(Kind::ImplicitValueInitExpr));
        let cell = match &ty.ty {
            CType::Pointer(_) => Some(POINTER_CELL),
            _ => ty.scalar(),
        };
        if let Some(scalar) = cell {
            let value = match init {
                Some(init) => self.constant_value(init, scalar)?,
                None => None,
            };
            let Some((_, at, values)) = contents.iter_mut().find(|(elem, _, _)| *elem == scalar)
            else {
                return Ok(false);
            };
            if *at >= MAX_INITIALISED {
                return Ok(false);
            }
            match (init, value) {
                (Some(_), Some(value)) => {
                    values.resize(*at as usize, Value::zero(scalar));
                    values.push(value);
                }
                (Some(_), None) => return Ok(false),
                (None, _) => {}
            }
            *at += 1;
            return Ok(true);
        }
        let Some(init) = init else {
            return Ok(pass_over(ty, 1, contents));
        };
        if let Some((elem, _)) = ty.vector() {
            let values = self.constant_elements(init, elem)?;
            let own = contents.iter_mut().find(|(of, _, _)| *of == elem);
            let (Some(elements), Some((_, at, values))) = (values, own) else {
                return Ok(false);
            };
            if at.saturating_add(elements.len() as u64) > MAX_INITIALISED {
                return Ok(false);
            }
            values.resize(*at as usize, Value::zero(elem));
            *at += elements.len() as u64;
            values.extend(elements);
            return Ok(true);
        }
        // A default constructor that does nothing leaves a global zero.
        if init.is(Kind::CXXConstructExpr) && init.inner.is_empty() {
            return match self.is_trivial(init) {
                true => self.constant_object(ty, None, contents),
                false => Ok(false),
            };
        }
        if !init.is(Kind::InitListExpr) {
            return Ok(false);
        }
        let listed = match init.kind.array_filler.split_first() {
            Some((_, listed)) => listed,
            None => init.inner.as_slice(),
        };
        match &ty.ty {
            CType::Record(record) if record.is_union => Ok(false),
            CType::Record(record) => {
                for (index, field) in record.fields.iter().enumerate() {
                    if !self.constant_object(&field.ty, listed.get(index), contents)? {
                        return Ok(false);
                    }
                    if let (Some(bits), Some(scalar)) = (field.bits, field.ty.scalar()) {
                        let own = contents.iter_mut().find(|(elem, _, _)| *elem == scalar);
                        truncate_last(own, bits.width);
                    }
                }
                Ok(true)
            }
            CType::Array(of, Some(len)) => {
                for item in listed {
                    if !self.constant_object(of, Some(item), contents)? {
                        return Ok(false);
                    }
                }
                let rest = len.saturating_sub(listed.len() as u64);
                Ok(pass_over(of, rest, contents))
            }
            _ => Ok(false),
        }
    }

    /// Writes the initial contents of a local array.
    pub(crate) fn initialise(
        &mut self,
        base: Expr,
        ty: &QualifiedType,
        init: &Node,
        span: Span,
    ) -> Result<()> {
        if init.unwrapped().is(Kind::CXXConstructExpr) {
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
        self.each_listed(elements, span, |b, (index, node)| {
            for gap in next..index {
                if !by_loop {
                    b.store_element(base.clone(), gap, zero.clone(), span);
                }
            }
            let value = b.value(node)?;
            let value = constant::convert(value, Type::Scalar(pointer.elem));
            b.store_element(base.clone(), index, value, span);
            next = index + 1;
            Ok(())
        })?;
        if !by_loop {
            for gap in next..total {
                self.store_element(base.clone(), gap, zero.clone(), span);
            }
        }
        Ok(())
    }
}

/// Leaves `count` objects of a type zero; `false` where it is not known how many cells they have.
fn pass_over(
    ty: &QualifiedType,
    count: u64,
    contents: &mut [(ScalarType, u64, Vec<Value>)],
) -> bool {
    let Some(groups) = ty.groups() else {
        return false;
    };
    for group in groups {
        let elem = group.pointer.elem;
        let own = contents.iter_mut().find(|(e, _, _)| *e == elem);
        let (Some(cells), Some((_, at, _))) = (group.count, own) else {
            return false;
        };
        *at = at.saturating_add(count.saturating_mul(cells));
    }
    true
}

/// The value of the last cell, of a bit-field, as far as it fits.
fn truncate_last(contents: Option<&mut (ScalarType, u64, Vec<Value>)>, width: u64) {
    let Some((_, at, values)) = contents else {
        return;
    };
    // Zeros at the end are not listed.
    let is_listed = values.len() as u64 == *at;
    if let Some(last) = values.last_mut().filter(|_| is_listed) {
        let value = truncated(Expr::constant(*last), width);
        *last = constant::evaluate(&value).unwrap_or(*last);
    }
}
