//! Expressions of a generic thread. Loads inside expressions (surface form) are accesses under
//! the conditions short-circuit evaluation puts on them.
//!
//! Floating-point operations are unknown functions of their operands: equal operands give equal
//! results, and nothing else is known.

use crate::machine::state::{Access, Arithmetic, Followed, Machine, Overflow, unfollowed};
use crate::machine::value::{State, SymValue, Target, select, sort_of};
use crate::terms::array_key::ArrayKey;
use crate::terms::bit_functions::bit_function;
use crate::terms::function::Function;
use crate::terms::simplify::mask;
use crate::terms::term::{BitOp, Node, Order, Scope, Sort, TermId, Terms};
use gridlock_checker::finding::DefectKind;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::operator::{Op, Scope as AtomicScope};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::transition::AccessMode;
use smallvec::smallvec;

/// How an access is made, beside where.
pub struct Manner {
    pub mode: AccessMode,
    pub scope: Option<AtomicScope>,
    pub result_used: bool,
    /// The cell is written back as it is.
    pub leaves: bool,
}

impl Manner {
    pub fn plain(mode: AccessMode) -> Manner {
        Manner {
            mode,
            scope: None,
            result_used: false,
            leaves: false,
        }
    }
}

impl Machine<'_> {
    pub fn constant(&mut self, value: Value, ty: Type, span: Span) -> Followed<SymValue> {
        Ok(match (value, ty) {
            (Value::Bool(b), _) => SymValue::Scalar(self.terms.bool(b)),
            (Value::Int(ty, bits), _) => SymValue::Scalar(self.terms.bits(ty.bits(), bits)),
            (Value::F32(bits), _) => SymValue::Scalar(self.terms.bits(32, bits as u64)),
            (Value::F64(bits), _) => SymValue::Scalar(self.terms.bits(64, bits)),
            (Value::Undef, Type::Scalar(ty)) => {
                SymValue::Scalar(self.unknown("undef", sort_of(ty)))
            }
            (Value::Pointer(pointer), _) if pointer.array == ArrayRef::Null => {
                SymValue::Pointer(vec![self.null()])
            }
            _ => return unfollowed("a pointer constant", span),
        })
    }

    fn null(&mut self) -> Target {
        Target {
            guard: self.terms.bool(true),
            array: ArrayKey::Null,
            offset: self.terms.bits(64, 0),
        }
    }

    pub fn scalar(&mut self, expr: &Expr, op: &Op, state: &mut State) -> Followed<TermId> {
        match self.evaluate(expr, op, state)? {
            SymValue::Scalar(term) => Ok(term),
            SymValue::Pointer(_) => unfollowed("a pointer used as a number", op.span),
        }
    }

    pub fn pointer(&mut self, expr: &Expr, op: &Op, state: &mut State) -> Followed<Vec<Target>> {
        match self.evaluate(expr, op, state)? {
            SymValue::Pointer(targets) => Ok(targets),
            SymValue::Scalar(_) => unfollowed("a number used as a pointer", op.span),
        }
    }

    pub fn evaluate(&mut self, expr: &Expr, op: &Op, state: &mut State) -> Followed<SymValue> {
        let term = match &expr.kind {
            ExprKind::Const(value) => return self.constant(*value, expr.ty, op.span),
            ExprKind::Var(var) => {
                if let Some(value) = state.get(*var) {
                    return Ok(value.clone());
                }
                // Reading it is a defect that ends the run; any value will do.
                match expr.ty {
                    Type::Scalar(ty) => self.unknown("uninitialised", sort_of(ty)),
                    Type::Pointer(_) => return unfollowed("an uninitialised pointer", op.span),
                }
            }
            ExprKind::Builtin(builtin) => {
                let launch = self.launch.clone();
                launch.builtin(&mut self.terms, *builtin)
            }
            ExprKind::Unary(unary, a) => {
                let ty = a.ty.scalar();
                let a = self.scalar(a, op, state)?;
                self.unary(*unary, ty, a)
            }
            ExprKind::Binary(binary, a, b) if binary.is_logical() => {
                let a = self.scalar(a, op, state)?;
                let is_and = *binary == BinaryOp::And;
                let guard = if is_and { a } else { self.terms.not(a) };
                let b = self.guarded(guard, state, |m, s| m.scalar(b, op, s))?;
                if is_and {
                    self.terms.and(a, b)
                } else {
                    self.terms.or(a, b)
                }
            }
            ExprKind::Binary(binary, a, b) => {
                let ty = a.ty;
                let shift_ty = b.ty;
                let a = self.evaluate(a, op, state)?;
                let b = self.evaluate(b, op, state)?;
                match (a, b, ty) {
                    (SymValue::Scalar(a), SymValue::Scalar(b), Type::Scalar(ty)) => {
                        self.oblige(*binary, ty, shift_ty.scalar(), [a, b], op, state);
                        self.binary(*binary, ty, shift_ty.scalar(), a, b)
                    }
                    (SymValue::Pointer(a), SymValue::Pointer(b), _) => {
                        if !matches!(binary, BinaryOp::Eq | BinaryOp::Ne) {
                            let known = match (a.as_slice(), b.as_slice()) {
                                ([x], [y]) if x.array == y.array => Some(self.terms.bool(true)),
                                _ => None,
                            };
                            self.oblige_to(DefectKind::UndefinedArithmetic, known, op, state);
                        }
                        self.pointer_binary(*binary, &a, &b)
                    }
                    _ => return unfollowed("a pointer mixed with a number", op.span),
                }
            }
            ExprKind::Cast(a) => {
                let from = a.ty;
                let value = self.evaluate(a, op, state)?;
                let is_float = |ty: Type| ty.scalar().is_some_and(ScalarType::is_float);
                if is_float(from) && expr.ty.scalar().is_some_and(ScalarType::is_integer) {
                    self.oblige_to(DefectKind::UndefinedArithmetic, None, op, state);
                }
                return self.cast(value, from, expr.ty, op);
            }
            ExprKind::Select(cond, a, b) => {
                let cond = self.scalar(cond, op, state)?;
                let a = self.guarded(cond, state, |m, s| m.evaluate(a, op, s))?;
                let not = self.terms.not(cond);
                let b = self.guarded(not, state, |m, s| m.evaluate(b, op, s))?;
                return match select(&mut self.terms, cond, &a, &b) {
                    Some(value) => Ok(value),
                    None => unfollowed("a choice between a pointer and a number", op.span),
                };
            }
            ExprKind::Math(MathFn::Aligned(n), args) => match args.as_slice() {
                [number] if number.ty == Type::I64 => {
                    let number = self.scalar(number, op, state)?;
                    self.is_multiple(number, *n)
                }
                [pointer] => {
                    let targets = self.pointer(pointer, op, state)?;
                    self.aligned(&targets, *n)
                }
                _ => self.unknown("aligned", Sort::Bool),
            },
            ExprKind::Math(function, args) => {
                let mut terms = Vec::new();
                for arg in args {
                    terms.push(self.scalar(arg, op, state)?);
                }
                self.math(*function, expr.scalar_type(), &terms)
            }
            ExprKind::ArrayBase(array) => {
                let mut target = self.null();
                target.array = ArrayKey::Declared(*array);
                return Ok(SymValue::Pointer(vec![target]));
            }
            ExprKind::Offset(pointer, by) => {
                let mut targets = self.pointer(pointer, op, state)?;
                let by = self.scalar(by, op, state)?;
                for target in &mut targets {
                    target.offset = self.terms.bit(BitOp::Add, target.offset, by);
                }
                return Ok(SymValue::Pointer(targets));
            }
            ExprKind::Load(pointer) => {
                let targets = self.pointer(pointer, op, state)?;
                self.load(&targets, expr.ty, op, state)?
            }
        };
        Ok(SymValue::Scalar(term))
    }

    /// Runs `evaluate` with `guard` added to the path condition.
    fn guarded<T>(
        &mut self,
        guard: TermId,
        state: &mut State,
        evaluate: impl FnOnce(&mut Self, &mut State) -> Followed<T>,
    ) -> Followed<T> {
        let length = state.path.len();
        state.path.push(guard);
        let result = evaluate(self, state);
        state.path.truncate(length);
        result
    }

    /// Reads a cell. One that no thread ever writes is a function of its index.
    pub fn load(
        &mut self,
        targets: &[Target],
        ty: Type,
        op: &Op,
        state: &State,
    ) -> Followed<TermId> {
        let Type::Scalar(ty) = ty else {
            return unfollowed("a pointer loaded from memory", op.span);
        };
        self.record(targets, Manner::plain(AccessMode::Read), op, state);
        let sort = sort_of(ty);
        let mut result = None;
        for target in targets {
            let value = if self.is_written(target.array) || target.array == ArrayKey::Null {
                self.unknown_of_memory("loaded", sort)
            } else {
                self.terms.intern(Node::Apply {
                    function: Function::Contents(target.array),
                    result: sort,
                    args: smallvec![target.offset],
                })
            };
            let space = self.space(target.array);
            if matches!(space, Space::Global | Space::Constant) && !self.is_arbitrary(target.array)
            {
                self.loaded.insert(value, (target.array, target.offset));
            }
            result = Some(match result {
                None => value,
                Some(others) => self.terms.ite(target.guard, value, others),
            });
        }
        match result {
            Some(term) => Ok(term),
            None => unfollowed("a pointer to nowhere", op.span),
        }
    }

    /// Notes an access, unless it touches private memory or this is a trial. Where unknown values
    /// lie does not matter.
    pub fn record(&mut self, targets: &[Target], manner: Manner, op: &Op, state: &State) {
        if self.trials > 0 {
            let fills = |target: &Target| {
                self.starts_unset(target.array)
                    && self.space(target.array) == Space::Private
                    && self.terms.as_bits(target.offset).is_none()
            };
            self.fills_private |= manner.mode == AccessMode::Write && targets.iter().any(fills);
            return;
        }
        for target in targets {
            if self.is_arbitrary(target.array) {
                continue;
            }
            if self.space(target.array) == Space::Private {
                // Only bounds are judged there.
                if manner.mode != AccessMode::Read && manner.mode != AccessMode::Write {
                    continue;
                }
            }
            let path = self.path(state);
            let path = self.terms.and(path, target.guard);
            if self.terms.as_bool(path) == Some(false) {
                continue;
            }
            self.log.accesses.push(Access {
                array: target.array,
                index: target.offset,
                mode: manner.mode,
                scope: manner.scope,
                result_used: manner.result_used,
                leaves: manner.leaves,
                op: op.id,
                span: op.span,
                path,
                rounds: state.rounds.clone(),
            });
        }
    }

    /// Notes what an integer operation needs so that it is no fault.
    fn oblige(
        &mut self,
        binary: BinaryOp,
        ty: ScalarType,
        shift_ty: Option<ScalarType>,
        [a, b]: [TermId; 2],
        op: &Op,
        state: &State,
    ) {
        if !ty.is_integer() {
            return;
        }
        let width = self.terms.width(b);
        match binary {
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.terms.bits(width, 0);
                let is_zero = self.terms.eq(b, zero);
                let cond = self.terms.not(is_zero);
                self.oblige_to(DefectKind::DivisionByZero, Some(cond), op, state);
                if ty.is_signed() {
                    let least = self.terms.bits(width, 1 << (width - 1));
                    let minus_one = self.terms.bits(width, u64::MAX);
                    let overflows = self.terms.eq(a, least);
                    let by = self.terms.eq(b, minus_one);
                    let overflows = self.terms.and(overflows, by);
                    let cond = self.terms.not(overflows);
                    self.oblige_to(DefectKind::UndefinedArithmetic, Some(cond), op, state);
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                // A negative amount is a large one. No type is too narrow for 64.
                let amount = match shift_ty {
                    Some(from) => self.resize(b, from, 64),
                    None => self.terms.zero_ext(64, b),
                };
                let limit = self.terms.bits(64, ty.bits() as u64);
                let cond = self.terms.less(Order::UnsignedLess, amount, limit);
                self.oblige_to(DefectKind::UndefinedArithmetic, Some(cond), op, state);
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                self.note_overflow(binary, ty, [a, b], op, state);
            }
            _ => {}
        }
    }

    /// Notes a sum, a difference or a product of known signed numbers that leaves their type.
    fn note_overflow(
        &mut self,
        binary: BinaryOp,
        ty: ScalarType,
        [a, b]: [TermId; 2],
        op: &Op,
        state: &State,
    ) {
        let width = self.terms.width(a);
        if self.trials > 0 || !ty.is_signed() || width < 32 {
            return;
        }
        let number = |terms: &Terms, term: TermId| -> Option<i128> {
            let bits = terms.as_bits(term)?;
            let unused = 64 - width;
            Some(i128::from((bits << unused) as i64 >> unused))
        };
        let (Some(x), Some(y)) = (number(&self.terms, a), number(&self.terms, b)) else {
            return;
        };
        let (result, sign) = match binary {
            BinaryOp::Add => (x + y, "+"),
            BinaryOp::Sub => (x - y, "-"),
            _ => (x * y, "*"),
        };
        let unused = 128 - width;
        let wraps_to = result << unused >> unused;
        if wraps_to == result {
            return;
        }
        let path = self.path(state);
        let second = match y < 0 {
            true => format!("({y})"),
            false => y.to_string(),
        };
        self.log.overflows.push(Overflow {
            span: op.span,
            path,
            text: format!("{x} {sign} {second}"),
            ty,
            wraps_to,
        });
    }

    fn oblige_to(&mut self, kind: DefectKind, cond: Option<TermId>, op: &Op, state: &State) {
        if self.trials > 0 || cond.is_some_and(|c| self.terms.as_bool(c) == Some(true)) {
            return;
        }
        let path = self.path(state);
        self.log.arithmetic.push(Arithmetic {
            op: op.id,
            span: op.span,
            kind,
            path,
            cond,
        });
    }

    fn function(&mut self, name: String, result: Sort, args: Vec<TermId>) -> TermId {
        self.terms.intern(Node::Apply {
            function: Function::Operation(name.into()),
            result,
            args: args.into(),
        })
    }

    fn unary(&mut self, unary: UnaryOp, ty: Option<ScalarType>, a: TermId) -> TermId {
        let sort = self.terms.sort(a);
        match (unary, ty) {
            (UnaryOp::Not, _) => self.terms.not(a),
            (_, Some(ty)) if ty.is_float() => {
                self.function(format!("{unary:?} {ty:?}"), sort, vec![a])
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

    /// `shift_ty` is the type of the right operand, which differs for shifts only.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        shift_ty: Option<ScalarType>,
        a: TermId,
        b: TermId,
    ) -> TermId {
        if ty.is_float() {
            let result = if op.is_comparison() {
                Sort::Bool
            } else {
                sort_of(ty)
            };
            return self.function(format!("{op:?} {ty:?}"), result, vec![a, b]);
        }
        if ty == ScalarType::Bool {
            return match op {
                BinaryOp::Eq => self.terms.eq(a, b),
                BinaryOp::Ne | BinaryOp::BitXor => {
                    let equal = self.terms.eq(a, b);
                    self.terms.not(equal)
                }
                BinaryOp::BitAnd | BinaryOp::And => self.terms.and(a, b),
                BinaryOp::BitOr | BinaryOp::Or => self.terms.or(a, b),
                _ => self.function(format!("{op:?} bool"), Sort::Bool, vec![a, b]),
            };
        }
        let signed = ty.is_signed();
        let compare = |m: &mut Self, strict: bool, a, b| {
            let order = match (signed, strict) {
                (true, true) => Order::SignedLess,
                (true, false) => Order::SignedLessEq,
                (false, true) => Order::UnsignedLess,
                (false, false) => Order::UnsignedLessEq,
            };
            m.terms.less(order, a, b)
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
                let amount = self.resize(b, shift_ty.unwrap_or(ty), self.terms.width(a));
                return self.terms.bit(kind, a, amount);
            }
            BinaryOp::Lt => return compare(self, true, a, b),
            BinaryOp::Le => return compare(self, false, a, b),
            BinaryOp::Gt => return compare(self, true, b, a),
            BinaryOp::Ge => return compare(self, false, b, a),
            BinaryOp::Eq => return self.terms.eq(a, b),
            BinaryOp::Ne => {
                let equal = self.terms.eq(a, b);
                return self.terms.not(equal);
            }
        };
        self.terms.bit(bit, a, b)
    }

    fn pointer_binary(&mut self, op: BinaryOp, a: &[Target], b: &[Target]) -> TermId {
        let result = if op == BinaryOp::PtrDiff {
            Sort::Bits(64)
        } else {
            Sort::Bool
        };
        let ([x], [y]) = (a, b) else {
            return self.unknown("pointers", result);
        };
        if x.array == y.array {
            return self.binary(op, ScalarType::I64, None, x.offset, y.offset);
        }
        match op {
            BinaryOp::Eq => self.terms.bool(false),
            BinaryOp::Ne => self.terms.bool(true),
            _ => self.unknown("pointers", result),
        }
    }

    /// An integer of type `from` in `width` bits.
    pub(crate) fn resize(&mut self, a: TermId, from: ScalarType, width: u32) -> TermId {
        if from.bits() >= width {
            self.terms.low(width, a)
        } else if from.is_signed() {
            self.terms.sign_ext(width, a)
        } else {
            self.terms.zero_ext(width, a)
        }
    }

    fn cast(&mut self, value: SymValue, from: Type, to: Type, op: &Op) -> Followed<SymValue> {
        let (a, from, to) = match (value, from, to) {
            (SymValue::Scalar(a), Type::Scalar(from), Type::Scalar(to)) => (a, from, to),
            (pointer @ SymValue::Pointer(_), _, Type::Pointer(_)) => return Ok(pointer),
            (SymValue::Pointer(targets), _, Type::Scalar(ScalarType::Bool)) => {
                let mut valid = self.terms.bool(false);
                for target in &targets {
                    if target.array != ArrayKey::Null {
                        valid = self.terms.or(valid, target.guard);
                    }
                }
                return Ok(SymValue::Scalar(valid));
            }
            (SymValue::Scalar(a), Type::Scalar(_), Type::Pointer(_))
                if self.terms.as_bits(a) == Some(0) =>
            {
                return Ok(SymValue::Pointer(vec![self.null()]));
            }
            _ => return unfollowed("a cast between pointers and numbers", op.span),
        };
        Ok(SymValue::Scalar(if from == to {
            a
        } else if from.is_float() || to.is_float() {
            self.function(format!("{from:?} to {to:?}"), sort_of(to), vec![a])
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

    /// Whether all a pointer may point to is a multiple of `n` elements into its array. A pointer
    /// argument points to the start of its array, and arrays start at multiples of any alignment.
    fn aligned(&mut self, targets: &[Target], n: u32) -> TermId {
        let mut all = self.terms.bool(true);
        for target in targets {
            let fits = self.is_multiple(target.offset, n);
            let absent = self.terms.not(target.guard);
            let fits = self.terms.or(absent, fits);
            all = self.terms.and(all, fits);
        }
        all
    }

    /// Of a word of 64 bits.
    fn is_multiple(&mut self, number: TermId, n: u32) -> TermId {
        if !n.is_power_of_two() {
            return self.unknown("aligned", Sort::Bool);
        }
        let below = self.terms.bits(64, u64::from(n) - 1);
        let rest = self.terms.bit(BitOp::And, number, below);
        let zero = self.terms.bits(64, 0);
        self.terms.eq(rest, zero)
    }

    fn math(&mut self, function: MathFn, ty: ScalarType, args: &[TermId]) -> TermId {
        match (function, args) {
            // Floats are their bits here.
            (MathFn::BitsAs(_), &[a]) => a,
            (MathFn::Min | MathFn::Max, &[a, b]) if ty.is_integer() => {
                let less = self.binary(BinaryOp::Le, ty, None, a, b);
                if function == MathFn::Min {
                    self.terms.ite(less, a, b)
                } else {
                    self.terms.ite(less, b, a)
                }
            }
            (MathFn::Abs, &[a]) if ty.is_integer() => {
                let zero = self.terms.bits(ty.bits(), 0);
                let negative = self.binary(BinaryOp::Lt, ty, None, a, zero);
                let minus = self.terms.bit(BitOp::Sub, zero, a);
                self.terms.ite(negative, minus, a)
            }
            (_, &[a]) if ty.is_integer() => {
                let exact = bit_function(&mut self.terms, function, ty.bits(), a);
                exact.unwrap_or_else(|| {
                    self.function(format!("{function:?} {ty:?}"), sort_of(ty), vec![a])
                })
            }
            _ => self.function(format!("{function:?} {ty:?}"), sort_of(ty), args.to_vec()),
        }
    }

    /// An unknown value, like `value` in shape, of `scope`.
    pub fn havoc(&mut self, name: &str, value: &SymValue, scope: Scope) -> Option<SymValue> {
        match value {
            SymValue::Scalar(term) => {
                let sort = self.terms.sort(*term);
                Some(SymValue::Scalar(self.terms.fresh(name, sort, scope)))
            }
            SymValue::Pointer(targets) => {
                let [target] = targets.as_slice() else {
                    return None;
                };
                let offset = self.terms.fresh(name, Sort::Bits(64), scope);
                Some(SymValue::Pointer(vec![Target {
                    offset,
                    ..target.clone()
                }]))
            }
        }
    }
}
