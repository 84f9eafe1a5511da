//! Expressions of one thread, under the condition that it comes there.
//!
//! Integers are words of bits, exactly. An operation on floats is a function of its operands of which only that is
//! known, except of constants, which are computed.

use super::accesses::Mode;
use super::float_laws::FloatLaws;
use super::memory::Instance;
use super::run::{At, Run};
use super::value::{Held, Known, Place, Target, Value};
use crate::machine::state::{Followed, unfollowed};
use crate::machine::value::sort_of;
use crate::reals::folding;
use crate::terms::bit_functions::bit_function;
use crate::terms::function::Function;
use crate::terms::simplify::mask;
use crate::terms::term::{Args, BitOp, Node, Order, Sort, TermId};
use crate::terms::under::Under;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value as Constant;
use gridlock_semantics::evaluation::arithmetic;
use gridlock_semantics::setup::Contents;
use gridlock_semantics::transition::fault::FaultKind;
use smallvec::smallvec;
use std::sync::Arc;

impl Run<'_> {
    /// The value where it is only copied: there need be none.
    pub fn copied(&mut self, expr: &Expr, at: At) -> Followed<Held> {
        if expr.is_no_value() {
            return Ok(None);
        }
        match &expr.kind {
            ExprKind::Var(var) => Ok(self.frame().vars[var.0 as usize][at.thread].clone()),
            ExprKind::Cast(inner) if expr.copied_var().is_some() => {
                let Some(value) = self.copied(inner, at)? else {
                    return Ok(None);
                };
                let known = self.cast(&value.known, inner.ty, expr.ty, at)?;
                Ok(Some(Value { known, ..value }))
            }
            _ => Ok(Some(self.value(expr, at)?)),
        }
    }

    /// The value, to be used.
    pub fn value(&mut self, expr: &Expr, at: At) -> Followed<Value> {
        let known = self.known(expr, at)?;
        Ok(self.certain(known))
    }

    pub fn scalar(&mut self, expr: &Expr, at: At) -> Followed<TermId> {
        match self.known(expr, at)? {
            Known::Scalar(term) => Ok(term),
            Known::Pointer(_) => unfollowed("a pointer used as a number", at.span),
        }
    }

    pub fn pointer(&mut self, expr: &Expr, at: At) -> Followed<Vec<Target>> {
        match self.known(expr, at)? {
            Known::Pointer(targets) => Ok(targets),
            Known::Scalar(_) => unfollowed("a number used as a pointer", at.span),
        }
    }

    /// What is held, a value of this type, where it has to be one.
    pub fn used(
        &mut self,
        held: &Held,
        ty: Type,
        at: At,
        what: impl FnOnce(&Self) -> String,
    ) -> Followed<Known> {
        let Some(value) = held else {
            return self.unwritten(ty, at, what);
        };
        if self.generic.is_some() {
            self.require(at.guard, value.defined, what, at.span)?;
            return Ok(value.known.clone());
        }
        if let Known::Scalar(term) = value.known
            && self.terms.as_bool(value.defined) == Some(true)
            && !matches!(self.terms.node(term), Node::Ite(..))
        {
            return Ok(value.known.clone());
        }
        let here = Under::new(self.terms, at.guard);
        let defined = here.of(self.terms, value.defined);
        let known = match &value.known {
            Known::Scalar(term) => Known::Scalar(here.of(self.terms, *term)),
            Known::Pointer(targets) => {
                let mut targets = targets.clone();
                for target in &mut targets {
                    target.guard = here.of(self.terms, target.guard);
                    target.offset = here.of(self.terms, target.offset);
                }
                targets.retain(|target| self.terms.as_bool(target.guard) != Some(false));
                Known::Pointer(targets)
            }
        };
        self.require(at.guard, defined, what, at.span)?;
        Ok(known)
    }

    /// What a variable holds that certainly has a value, and one that no condition chooses.
    fn plain(&self, var: VarId, thread: usize) -> Option<Known> {
        let Value { known, defined } = self.frame().vars[var.0 as usize][thread].as_ref()?;
        let is_chosen = |term: TermId| matches!(self.terms.node(term), Node::Ite(..));
        let is_plain = match known {
            Known::Scalar(term) => !is_chosen(*term),
            Known::Pointer(targets) => targets.iter().all(|target| {
                self.terms.as_bool(target.guard) == Some(true) && !is_chosen(target.offset)
            }),
        };
        (self.terms.as_bool(*defined) == Some(true) && is_plain).then(|| known.clone())
    }

    /// Where there is no value, one is used for no input; which one it would be does not matter then.
    fn unwritten(
        &mut self,
        ty: Type,
        at: At,
        what: impl FnOnce(&Self) -> String,
    ) -> Followed<Known> {
        if self.generic.is_some() {
            return unfollowed(what(self), at.span);
        }
        let never = self.terms.bool(false);
        self.require(at.guard, never, what, at.span)?;
        let zero = match ty {
            Type::Pointer(_) => return Ok(self.points_to(Place::Null)),
            Type::Scalar(elem) => self.of_value(Contents::Zero.cell(elem, 0), at.span)?,
        };
        match zero {
            Some(zero) => Ok(zero.known),
            None => unfollowed("a value that is none", at.span),
        }
    }

    fn known(&mut self, expr: &Expr, at: At) -> Followed<Known> {
        if let Some(term) = self.known_word(expr, at) {
            return Ok(Known::Scalar(term));
        }
        let term = match &expr.kind {
            ExprKind::Const(value) => {
                let held = self.of_value(*value, at.span)?;
                return self.used(&held, expr.ty, at, |_| "a value that is none".to_owned());
            }
            ExprKind::Var(var) => {
                if let Some(known) = self.plain(*var, at.thread) {
                    return Ok(known);
                }
                let frame = self.frame();
                let proc = frame.proc;
                let held = frame.vars[var.0 as usize][at.thread].clone();
                let what = |run: &Run<'_>| {
                    let decl = &run.program.proc(proc).vars[var.0 as usize];
                    format!("`{}` without a value", decl.name)
                };
                return self.used(&held, expr.ty, at, what);
            }
            ExprKind::Builtin(builtin) => self.builtin(*builtin, at.thread),
            ExprKind::Unary(op, a) => {
                let ty = a.ty.scalar();
                let a = self.scalar(a, at)?;
                self.unary(*op, ty, a)
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let a = self.scalar(a, at)?;
                let is_and = *op == BinaryOp::And;
                let goes_on = if is_and { a } else { self.terms.not(a) };
                let guard = self.terms.and(at.guard, goes_on);
                if self.terms.as_bool(guard) == Some(false) && self.terms.as_bool(a).is_some() {
                    a
                } else {
                    let b = self.scalar(b, At { guard, ..at })?;
                    match is_and {
                        true => self.terms.and(a, b),
                        false => self.terms.or(a, b),
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.known(a, at)?, self.known(b, at)?);
                match (left, right) {
                    (Known::Scalar(x), Known::Scalar(y)) => {
                        let Some(ty) = a.ty.scalar() else {
                            return unfollowed("a number of no type", at.span);
                        };
                        self.binary(*op, ty, b.ty.scalar(), [x, y], at)?
                    }
                    (Known::Pointer(x), Known::Pointer(y)) => {
                        self.pointers(*op, &x, &y, at.span)?
                    }
                    _ => return unfollowed("a pointer beside a number", at.span),
                }
            }
            ExprKind::Cast(a) => {
                let value = self.known(a, at)?;
                return self.cast(&value, a.ty, expr.ty, at);
            }
            ExprKind::Select(cond, then, otherwise) => {
                let cond = self.scalar(cond, at)?;
                match self.terms.as_bool(cond) {
                    Some(true) => return self.known(then, at),
                    Some(false) => return self.known(otherwise, at),
                    None => {}
                }
                let not_cond = self.terms.not(cond);
                let (yes, no) = (
                    self.terms.and(at.guard, cond),
                    self.terms.and(at.guard, not_cond),
                );
                let a = self.value(then, At { guard: yes, ..at })?;
                let b = self.value(otherwise, At { guard: no, ..at })?;
                let chosen = self.chosen(cond, &Some(a), &Some(b), at.span)?;
                return self.used(&chosen, expr.ty, at, |_| "a value that is none".to_owned());
            }
            ExprKind::Math(MathFn::Aligned(n), args) => match args.as_slice() {
                [number] if number.ty == Type::I64 => {
                    let number = self.scalar(number, at)?;
                    self.is_multiple(number, *n, at.span)?
                }
                [pointer] => {
                    let targets = self.pointer(pointer, at)?;
                    self.aligned(&targets, *n, at.span)?
                }
                _ => return unfollowed("an alignment of nothing", at.span),
            },
            ExprKind::Math(function, args) => {
                let Some(ty) = args.first().map(Expr::scalar_type) else {
                    return unfollowed("a function of nothing", at.span);
                };
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.scalar(arg, at)?);
                }
                self.math(*function, ty, &values)
            }
            ExprKind::ArrayBase(array) => {
                let place = match self.program.array(*array).space {
                    Space::Shared => Place::Shared(*array),
                    Space::Private => Place::Private(*array),
                    Space::Global | Space::Constant | Space::Host => Place::Global(*array),
                };
                return Ok(self.points_to(place));
            }
            ExprKind::Offset(pointer, elements) => {
                let mut targets = self.pointer(pointer, at)?;
                let by = self.scalar(elements, at)?;
                for target in &mut targets {
                    target.offset = self.terms.bit(BitOp::Add, target.offset, by);
                }
                return Ok(Known::Pointer(targets));
            }
            ExprKind::Load(pointer) => {
                let targets = self.pointer(pointer, at)?;
                return self.load(&targets, at);
            }
        };
        Ok(Known::Scalar(term))
    }

    /// The array of one thread that a place stands for.
    pub fn instance(&self, place: Place, thread: usize) -> Instance {
        match place {
            Place::Private(_) => (place, thread as u32),
            _ => (place, 0),
        }
    }

    pub fn load(&mut self, targets: &[Target], at: At) -> Followed<Known> {
        let mut result: Option<Value> = None;
        for target in targets.iter().rev() {
            let guard = self.terms.and(at.guard, target.guard);
            if self.terms.as_bool(guard) == Some(false) && targets.len() > 1 {
                continue;
            }
            if target.place == Place::Null {
                let never = self.terms.bool(false);
                self.oblige(guard, never, |_| "a null pointer".to_owned(), at.span)?;
                continue;
            }
            self.inside(target.place, target.offset, guard, at.span)?;
            self.note(
                target.place,
                target.offset,
                at.thread,
                Mode::Read,
                guard,
                at.span,
            )?;
            let instance = self.instance(target.place, at.thread);
            let held = self.read(instance, target.offset, guard, at.span)?;
            let (elem, _) = self.shape(target.place, at.span)?;
            let what = |run: &Run<'_>| {
                format!(
                    "a cell of `{}` that was not written",
                    run.name(target.place)
                )
            };
            let here = At { guard, ..at };
            let known = self.used(&held, Type::Scalar(elem), here, what)?;
            let value = self.certain(known);
            result = Some(match result {
                None => value,
                Some(others) => {
                    let chosen = self.chosen(target.guard, &Some(value), &Some(others), at.span)?;
                    let Some(chosen) = chosen else {
                        return unfollowed("a value that is none", at.span);
                    };
                    chosen
                }
            });
        }
        match result {
            Some(value) => Ok(value.known),
            None => unfollowed("a pointer to nowhere", at.span),
        }
    }

    fn builtin(&mut self, builtin: Builtin, thread: usize) -> TermId {
        self.coordinate(builtin, thread).unwrap_or_else(|| {
            let size = self.profile.axes.warps.known_size().unwrap_or(32);
            self.terms.bits(32, u64::from(size))
        })
    }

    /// Where a thread is, or how much there is of that; `None`: the size of a warp.
    pub fn coordinate(&self, builtin: Builtin, thread: usize) -> Option<TermId> {
        let axis = |axis: Axis| match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        Some(match builtin {
            Builtin::ThreadIdx(a) => self.block.threads[thread][axis(a)],
            Builtin::BlockIdx(a) => self.block.index[axis(a)],
            Builtin::BlockDim(a) => self.block.block_extent[axis(a)],
            Builtin::GridDim(a) => self.block.grid_extent[axis(a)],
            Builtin::WarpSize => return None,
        })
    }

    /// The constant that a term is, as a value of its type.
    pub fn constant(&self, term: TermId, ty: ScalarType) -> Option<Constant> {
        match ty {
            ScalarType::Bool => self.terms.as_bool(term).map(Constant::Bool),
            _ => {
                let bits = self.terms.as_bits(term)?;
                Some(match ty {
                    ScalarType::F32 => Constant::F32(bits as u32),
                    ScalarType::F64 => Constant::F64(bits),
                    int => Constant::Int(int, bits),
                })
            }
        }
    }

    /// The term of a result, where it is computed from constants alone.
    fn computed(&mut self, result: Result<Constant, FaultKind>) -> Option<TermId> {
        match result {
            Ok(Constant::Bool(b)) => Some(self.terms.bool(b)),
            Ok(Constant::Int(ty, bits)) => Some(self.terms.bits(ty.bits(), bits)),
            Ok(Constant::F32(bits)) => Some(self.terms.bits(32, u64::from(bits))),
            Ok(Constant::F64(bits)) => Some(self.terms.bits(64, bits)),
            _ => None,
        }
    }

    /// Whether an operation on constants is computed: over the real numbers one that is exact alone.
    fn folds(&self, is_exact: impl FnOnce() -> bool) -> bool {
        self.floats != FloatLaws::Reals || is_exact()
    }

    fn folds_to(
        &self,
        result: &Result<Constant, FaultKind>,
        is_exact: impl FnOnce(Constant) -> bool,
    ) -> bool {
        self.folds(|| matches!(result, Ok(result) if is_exact(*result)))
    }

    pub fn function(&mut self, function: impl Into<Arc<str>>, result: Sort, args: Args) -> TermId {
        self.terms.intern(Node::Apply {
            function: Function::Operation(function.into()),
            result,
            args,
        })
    }

    fn unary(&mut self, op: UnaryOp, ty: Option<ScalarType>, a: TermId) -> TermId {
        let sort = self.terms.sort(a);
        match (op, ty) {
            (UnaryOp::Not, _) => self.terms.not(a),
            (_, Some(ty)) if ty.is_float() => {
                let folded = self.constant(a, ty).map(|a| arithmetic::unary(op, a));
                let folded = folded.filter(|_| self.folds(|| folding::is_exact_unary(op)));
                if let Some(term) = folded.and_then(|result| self.computed(result)) {
                    return term;
                }
                self.function(format!("{op:?} {ty:?}"), sort, smallvec![a])
            }
            (UnaryOp::Neg, _) => {
                let zero = self.terms.bits(self.terms.width(a), 0);
                self.terms.bit(BitOp::Sub, zero, a)
            }
            (UnaryOp::BitNot, _) => {
                let width = self.terms.width(a);
                let ones = self.terms.bits(width, mask(width));
                self.terms.bit(BitOp::Xor, a, ones)
            }
        }
    }

    /// `shift` is the type of the right operand, which differs for shifts only.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        shift: Option<ScalarType>,
        [a, b]: [TermId; 2],
        at: At,
    ) -> Followed<TermId> {
        if ty.is_float() {
            if let (Some(x), Some(y)) = (self.constant(a, ty), self.constant(b, ty))
                && let result = arithmetic::binary(op, x, y)
                && self.folds_to(&result, |result| folding::is_exact_binary(op, x, y, result))
                && let Some(term) = self.computed(result)
            {
                return Ok(term);
            }
            let result = match op.is_comparison() {
                true => Sort::Bool,
                false => sort_of(ty),
            };
            let name = self.names.of_operation(op, ty);
            return Ok(self.function(name, result, smallvec![a, b]));
        }
        if ty == ScalarType::Bool {
            return Ok(match op {
                BinaryOp::Eq => self.terms.eq(a, b),
                BinaryOp::Ne | BinaryOp::BitXor => {
                    let equal = self.terms.eq(a, b);
                    self.terms.not(equal)
                }
                BinaryOp::BitAnd => self.terms.and(a, b),
                BinaryOp::BitOr => self.terms.or(a, b),
                _ => return unfollowed("arithmetic on truth values", at.span),
            });
        }
        let signed = ty.is_signed();
        self.no_fault(op, ty, shift, [a, b], at)?;
        let compare = |run: &mut Self, strict: bool, a, b| {
            let order = match (signed, strict) {
                (true, true) => Order::SignedLess,
                (true, false) => Order::SignedLessEq,
                (false, true) => Order::UnsignedLess,
                (false, false) => Order::UnsignedLessEq,
            };
            run.terms.less(order, a, b)
        };
        let bit = match op {
            BinaryOp::Add => BitOp::Add,
            BinaryOp::Sub | BinaryOp::PtrDiff => BitOp::Sub,
            BinaryOp::Mul => BitOp::Mul,
            BinaryOp::Div if signed => BitOp::SDiv,
            BinaryOp::Div => BitOp::UDiv,
            BinaryOp::Rem if signed => BitOp::SRem,
            BinaryOp::Rem => BitOp::URem,
            BinaryOp::BitAnd | BinaryOp::And => BitOp::And,
            BinaryOp::BitOr | BinaryOp::Or => BitOp::Or,
            BinaryOp::BitXor => BitOp::Xor,
            BinaryOp::Shl | BinaryOp::Shr => {
                let kind = match (op, signed) {
                    (BinaryOp::Shl, _) => BitOp::Shl,
                    (_, true) => BitOp::AShr,
                    _ => BitOp::LShr,
                };
                let amount = self.resize(b, shift.unwrap_or(ty), self.terms.width(a));
                return Ok(self.terms.bit(kind, a, amount));
            }
            BinaryOp::Lt => return Ok(compare(self, true, a, b)),
            BinaryOp::Le => return Ok(compare(self, false, a, b)),
            BinaryOp::Gt => return Ok(compare(self, true, b, a)),
            BinaryOp::Ge => return Ok(compare(self, false, b, a)),
            BinaryOp::Eq => return Ok(self.terms.eq(a, b)),
            BinaryOp::Ne => {
                let equal = self.terms.eq(a, b);
                return Ok(self.terms.not(equal));
            }
        };
        Ok(self.terms.bit(bit, a, b))
    }

    /// Requires what an operation on integers needs to be no fault.
    fn no_fault(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        shift: Option<ScalarType>,
        [a, b]: [TermId; 2],
        at: At,
    ) -> Followed<()> {
        let width = self.terms.width(b);
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.terms.bits(width, 0);
                let is_zero = self.terms.eq(b, zero);
                let cond = self.terms.not(is_zero);
                self.oblige(at.guard, cond, |_| "a division by zero".to_owned(), at.span)?;
                if ty.is_signed() {
                    let least = self.terms.bits(width, 1 << (width - 1));
                    let minus_one = self.terms.bits(width, u64::MAX);
                    let least = self.terms.eq(a, least);
                    let by = self.terms.eq(b, minus_one);
                    let overflows = self.terms.and(least, by);
                    let cond = self.terms.not(overflows);
                    let what = |_: &Run<'_>| "a quotient that is too large".to_owned();
                    self.oblige(at.guard, cond, what, at.span)?;
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                // A negative amount is a large one. No type is too narrow for 64.
                let amount = match shift {
                    Some(from) => self.resize(b, from, 64),
                    None => self.terms.zero_ext(64, b),
                };
                let limit = self.terms.bits(64, u64::from(ty.bits()));
                let cond = self.terms.less(Order::UnsignedLess, amount, limit);
                let what = |_: &Run<'_>| "a shift by the width or more".to_owned();
                self.oblige(at.guard, cond, what, at.span)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn pointers(
        &mut self,
        op: BinaryOp,
        a: &[Target],
        b: &[Target],
        span: Span,
    ) -> Followed<TermId> {
        let ([x], [y]) = (a, b) else {
            return unfollowed("a comparison of pointers to several arrays", span);
        };
        if x.place == y.place {
            let at = At {
                thread: 0,
                guard: self.terms.bool(true),
                span,
            };
            return self.binary(op, ScalarType::I64, None, [x.offset, y.offset], at);
        }
        match op {
            BinaryOp::Eq => Ok(self.terms.bool(false)),
            BinaryOp::Ne => Ok(self.terms.bool(true)),
            _ => unfollowed("pointers into different arrays put in order", span),
        }
    }

    /// An integer of type `from` in `width` bits.
    fn resize(&mut self, a: TermId, from: ScalarType, width: u32) -> TermId {
        if from.bits() >= width {
            self.terms.low(width, a)
        } else if from.is_signed() {
            self.terms.sign_ext(width, a)
        } else {
            self.terms.zero_ext(width, a)
        }
    }

    fn cast(&mut self, value: &Known, from: Type, to: Type, at: At) -> Followed<Known> {
        let (a, from, to) = match (value, from, to) {
            (Known::Scalar(a), Type::Scalar(from), Type::Scalar(to)) => (*a, from, to),
            (pointer @ Known::Pointer(_), _, Type::Pointer(_)) => return Ok(pointer.clone()),
            (Known::Pointer(targets), _, Type::Scalar(ScalarType::Bool)) => {
                let mut valid = self.terms.bool(false);
                for target in targets.iter().filter(|t| t.place != Place::Null) {
                    valid = self.terms.or(valid, target.guard);
                }
                return Ok(Known::Scalar(valid));
            }
            (Known::Scalar(a), Type::Scalar(_), Type::Pointer(_))
                if self.terms.as_bits(*a) == Some(0) =>
            {
                return Ok(self.points_to(Place::Null));
            }
            _ => return unfollowed("a conversion between pointers and numbers", at.span),
        };
        if from == to {
            return Ok(Known::Scalar(a));
        }
        Ok(Known::Scalar(if from.is_float() || to.is_float() {
            if let Some(constant) = self.constant(a, from)
                && let result = arithmetic::cast(constant, Type::Scalar(to))
                && self.folds_to(&result, |result| folding::is_exact_cast(constant, result))
                && let Some(term) = self.computed(result)
            {
                term
            } else if !to.is_float() && to != ScalarType::Bool {
                // Where the float is out of range that is a fault.
                return unfollowed("a conversion of a float to an integer", at.span);
            } else {
                self.function(format!("{from:?} to {to:?}"), sort_of(to), smallvec![a])
            }
        } else if from == ScalarType::Bool {
            let (one, zero) = (self.terms.bits(to.bits(), 1), self.terms.bits(to.bits(), 0));
            self.terms.ite(a, one, zero)
        } else if to == ScalarType::Bool {
            let zero = self.terms.bits(from.bits(), 0);
            let equal = self.terms.eq(a, zero);
            self.terms.not(equal)
        } else {
            self.resize(a, from, to.bits())
        }))
    }

    /// Whether all that a pointer may point to is a multiple of `n` elements into its array: arrays begin at
    /// multiples of any alignment.
    fn aligned(&mut self, targets: &[Target], n: u32, span: Span) -> Followed<TermId> {
        let mut all = self.terms.bool(true);
        for target in targets {
            let fits = self.is_multiple(target.offset, n, span)?;
            let fits = self.terms.implies(target.guard, fits);
            all = self.terms.and(all, fits);
        }
        Ok(all)
    }

    /// Of a word of 64 bits.
    fn is_multiple(&mut self, number: TermId, n: u32, span: Span) -> Followed<TermId> {
        if !n.is_power_of_two() {
            return unfollowed("an alignment that is no power of two", span);
        }
        let below = self.terms.bits(64, u64::from(n) - 1);
        let rest = self.terms.bit(BitOp::And, number, below);
        let zero = self.terms.bits(64, 0);
        Ok(self.terms.eq(rest, zero))
    }

    pub fn math(&mut self, function: MathFn, ty: ScalarType, args: &[TermId]) -> TermId {
        // What devices may choose is not computed here.
        if !matches!(function, MathFn::Elementary(_)) {
            let constants: Option<Vec<Constant>> =
                args.iter().map(|a| self.constant(*a, ty)).collect();
            if let Some(args) = constants
                && let result = arithmetic::math(function, &args)
                && self.folds_to(&result, |result| {
                    folding::is_exact_function(function, &args, result)
                })
                && let Some(term) = self.computed(result)
            {
                return term;
            }
        }
        match (function, args) {
            // Floats are their bits here.
            (MathFn::BitsAs(_), &[a]) => a,
            (MathFn::Min | MathFn::Max, &[a, b]) if ty.is_integer() => {
                let order = match ty.is_signed() {
                    true => Order::SignedLessEq,
                    false => Order::UnsignedLessEq,
                };
                let less = self.terms.less(order, a, b);
                match function {
                    MathFn::Min => self.terms.ite(less, a, b),
                    _ => self.terms.ite(less, b, a),
                }
            }
            (MathFn::Abs, &[a]) if ty.is_integer() => {
                if !ty.is_signed() {
                    return a;
                }
                let zero = self.terms.bits(ty.bits(), 0);
                let negative = self.terms.less(Order::SignedLess, a, zero);
                let minus = self.terms.bit(BitOp::Sub, zero, a);
                self.terms.ite(negative, minus, a)
            }
            (_, &[a]) if ty.is_integer() => {
                let exact = bit_function(self.terms, function, ty.bits(), a);
                exact.unwrap_or_else(|| {
                    self.function(format!("{function:?} {ty:?}"), sort_of(ty), smallvec![a])
                })
            }
            _ => {
                let result = sort_of(function.result(ty));
                self.function(format!("{function:?} {ty:?}"), result, args.into())
            }
        }
    }
}
