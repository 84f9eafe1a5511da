//! Expressions of the algebra as C expressions.
//!
//! The algebra's arithmetic is typed and wraps; C's promotes, converts and leaves signed overflow
//! undefined. Every method here says in which sense the text it gives stands for the expression:
//!
//! * *exact*: the C value is the algebra's value. For integers the C type may be another one that
//!   holds the value (`int` for a `short`, `size_t` for a `uint`);
//! * *typed*: exact, and of precisely the expression's type;
//! * *modular*: an integer text whose value agrees with the algebra's modulo 2^bits, for places
//!   that convert to a type of at most that many bits anyway. Here sums that may overflow are
//!   computed in unsigned arithmetic, without a cast back.
//!
//! No text contains a signed overflow in a run free of faults, but in one place: a subscript
//! `start[i + j]` of a pointer to the first element of an array (see [`Printer::subscript`]).

use crate::print::c_type::{promoted, unsigned_of, usual_conversion};
use crate::print::dialect::Dialect;
use crate::print::range::{Coordinate, Known, Range, coordinate};
use gridlock_semantics::arithmetic;
use gridlock_semantics::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::program::{ArrayId, Program, Space, VarId};
use gridlock_semantics::types::{PointerType, ScalarType, Type};
use gridlock_semantics::value::{ArrayRef, Value};

/// Precedence levels of C, higher binds tighter.
mod level {
    pub const PRIMARY: u8 = 16;
    pub const UNARY: u8 = 15;
    pub const MULTIPLICATIVE: u8 = 13;
    pub const ADDITIVE: u8 = 12;
    pub const SHIFT: u8 = 11;
    pub const RELATIONAL: u8 = 10;
    pub const EQUALITY: u8 = 9;
    pub const BIT_AND: u8 = 8;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_OR: u8 = 6;
    pub const AND: u8 = 5;
    pub const OR: u8 = 4;
    pub const CONDITIONAL: u8 = 3;
}

const fn level_of(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => level::MULTIPLICATIVE,
        Add | Sub | PtrDiff => level::ADDITIVE,
        Shl | Shr => level::SHIFT,
        Lt | Le | Gt | Ge => level::RELATIONAL,
        Eq | Ne => level::EQUALITY,
        BitAnd => level::BIT_AND,
        BitXor => level::BIT_XOR,
        BitOr => level::BIT_OR,
        And => level::AND,
        Or => level::OR,
    }
}

/// A construct the dialect has no honest spelling for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unprintable(pub String);

pub(crate) type Printed = Result<Text, Unprintable>;

/// A C expression.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    level: u8,
    /// The type C gives it.
    ty: Type,
    /// For `left op right`: to make `left op= right` of it.
    parts: Option<(String, &'static str, String)>,
}

impl Text {
    fn new(text: impl Into<String>, level: u8, ty: Type) -> Text {
        Text {
            text: text.into(),
            level,
            ty,
            parts: None,
        }
    }

    /// The digits of an integer literal.
    fn digits(&self) -> Option<&str> {
        let digits = self.text.trim_end_matches(['u', 'U', 'L']);
        let is_literal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_literal.then_some(digits)
    }

    fn scalar(&self) -> ScalarType {
        self.ty.scalar().unwrap_or(ScalarType::U64)
    }

    /// The text after a cast.
    pub(crate) fn as_operand_of_cast(&self) -> String {
        self.at(level::UNARY)
    }

    /// The text where at least `level` is needed.
    fn at(&self, level: u8) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// `-text`, and never `--text`.
    fn negated(&self) -> String {
        let operand = self.at(level::UNARY);
        if operand.starts_with('-') {
            format!("-({operand})")
        } else {
            format!("-{operand}")
        }
    }

    /// The text as an operand of a binary operator: in parentheses as well where C needs none
    /// but readers (and compilers' warnings) do.
    fn operand(&self, of: u8, is_right: bool) -> String {
        let needed = self.level < of || (self.level == of && is_right);
        let confusing = match of {
            level::SHIFT | level::BIT_AND | level::BIT_XOR | level::BIT_OR => {
                self.level < level::UNARY && self.level != of
            }
            level::EQUALITY => self.level == level::RELATIONAL || self.level == level::EQUALITY,
            level::RELATIONAL => self.level == level::SHIFT || self.level == level::RELATIONAL,
            level::OR => self.level == level::AND,
            _ => false,
        };
        if needed || confusing {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// Names and facts an expression is printed with.
pub(crate) struct Printer<'a> {
    pub dialect: Dialect,
    pub program: &'a Program,
    pub known: &'a Known,
    pub var_name: &'a dyn Fn(VarId) -> String,
    pub array_name: &'a dyn Fn(ArrayId) -> String,
    /// Whether an array's name stands for its only cell.
    pub is_scalar: &'a dyn Fn(ArrayId) -> bool,
    /// Address space a pointer variable points into (OpenCL).
    pub var_space: &'a dyn Fn(VarId) -> Option<Space>,
    /// Whether a pointer variable points to the first element of an array.
    pub is_start: &'a dyn Fn(VarId) -> bool,
}

impl Printer<'_> {
    /// Exact.
    pub(crate) fn exact(&self, expr: &Expr) -> Printed {
        if let Some(value) = folded(expr) {
            return self.constant(expr.ty, value);
        }
        match &expr.kind {
            ExprKind::Const(value) => self.constant(expr.ty, *value),
            ExprKind::Var(var) => Ok(Text::new((self.var_name)(*var), level::PRIMARY, expr.ty)),
            ExprKind::Builtin(builtin) => self.builtin(*builtin),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr),
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Select(cond, a, b) => self.select(cond, a, b, expr.ty),
            ExprKind::Math(function, args) => self.math(*function, args, expr),
            ExprKind::ArrayBase(array) => {
                let name = (self.array_name)(*array);
                if (self.is_scalar)(*array) {
                    Ok(Text::new(format!("&{name}"), level::UNARY, expr.ty))
                } else {
                    Ok(Text::new(name, level::PRIMARY, expr.ty))
                }
            }
            ExprKind::Offset(pointer, elements) => match pointer.kind {
                ExprKind::ArrayBase(_) | ExprKind::Var(_) => {
                    let place = self.place(expr)?;
                    Ok(Text::new(format!("&{}", place.text), level::UNARY, expr.ty))
                }
                _ => {
                    let base = self.exact(pointer)?.operand(level::ADDITIVE, false);
                    let index = self.exact(elements)?.operand(level::ADDITIVE, true);
                    Ok(Text::new(
                        format!("{base} + {index}"),
                        level::ADDITIVE,
                        expr.ty,
                    ))
                }
            },
            ExprKind::Load(pointer) => self.place(pointer),
        }
    }

    /// Typed.
    pub(crate) fn typed(&self, expr: &Expr) -> Printed {
        let exact = self.exact(expr)?;
        Ok(self.to_type(exact, expr.ty))
    }

    /// For a place that converts to the expression's type: initialiser, assignment, argument.
    pub(crate) fn converted(&self, expr: &Expr) -> Printed {
        match expr.ty {
            Type::Scalar(ty) if ty.is_integer() => {
                let text = self.modular(expr, ty.bits())?;
                Ok(self.shortest(text))
            }
            Type::Scalar(ScalarType::F32 | ScalarType::F64) => match &expr.kind {
                // C converts integers, and `float` to `double`, by itself.
                ExprKind::Cast(inner)
                    if inner
                        .ty
                        .scalar()
                        .is_some_and(|from| from.is_integer() || (from == ScalarType::F32)) =>
                {
                    self.typed(inner)
                }
                _ => self.exact(expr),
            },
            Type::Scalar(_) => {
                let exact = self.exact(expr)?;
                // Memory of `bool` is `uchar` in OpenCL C; 0 and 1 are 0 and 1.
                Ok(exact)
            }
            Type::Pointer(to) => match &expr.kind {
                ExprKind::Cast(inner) if self.converts_implicitly(inner, to) => self.exact(inner),
                _ => self.exact(expr),
            },
        }
    }

    /// As a condition: any scalar, zero for false. (OpenCL C takes no floats before `?`.)
    pub(crate) fn condition(&self, expr: &Expr) -> Printed {
        match &expr.kind {
            ExprKind::Cast(inner)
                if expr.ty == Type::BOOL
                    && (self.dialect != Dialect::OpenCl || !is_float(inner)) =>
            {
                self.exact(inner)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                if let ExprKind::Binary(op, a, b) = &inner.kind
                    && let Some(opposite) = opposite(*op)
                    && a.ty.scalar().is_some_and(|ty| !ty.is_float())
                {
                    return self.comparison(opposite, a, b);
                }
                self.not(inner)
            }
            _ => self.exact(expr),
        }
    }

    /// The negation of a condition.
    pub(crate) fn negated(&self, expr: &Expr) -> Printed {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Binary(op, a, b)
                if opposite(*op).is_some() && a.ty.scalar().is_some_and(|ty| !ty.is_float()) =>
            {
                self.comparison(opposite(*op).unwrap_or(*op), a, b)
            }
            _ => self.not(expr),
        }
    }

    fn not(&self, inner: &Expr) -> Printed {
        let text = format!("!{}", self.condition(inner)?.at(level::UNARY));
        Ok(Text::new(text, level::UNARY, self.truth()))
    }

    fn truth(&self) -> Type {
        Type::Scalar(self.dialect.truth())
    }

    /// `*pointer` as an lvalue.
    pub(crate) fn place(&self, pointer: &Expr) -> Printed {
        let elem = pointer.ty.pointer().map_or(ScalarType::I32, |p| p.elem);
        let ty = Type::Scalar(elem);
        let text = match &pointer.kind {
            ExprKind::ArrayBase(array) => {
                let name = (self.array_name)(*array);
                if (self.is_scalar)(*array) {
                    return Ok(Text::new(name, level::PRIMARY, ty));
                }
                format!("{name}[0]")
            }
            ExprKind::Offset(base, elements) => {
                let start = match base.kind {
                    ExprKind::ArrayBase(_) => true,
                    ExprKind::Var(var) => (self.is_start)(var),
                    _ => false,
                };
                let base = self.exact(base)?.at(level::PRIMARY);
                format!("{base}[{}]", self.subscript(elements, start)?.text)
            }
            _ => format!("*{}", self.exact(pointer)?.at(level::UNARY)),
        };
        let level = if text.starts_with('*') {
            level::UNARY
        } else {
            level::PRIMARY
        };
        Ok(Text::new(text, level, ty))
    }

    /// The index of a subscript.
    ///
    /// Where the pointer is the start of an array and the index a sum of `int`s of which one is
    /// not negative, the sum is printed plainly although it may overflow: if it does, the
    /// algebra's index is negative, which is out of bounds and so a fault.
    fn subscript(&self, elements: &Expr, start: bool) -> Printed {
        if let ExprKind::Cast(inner) = &elements.kind
            && start
            && inner.ty == Type::I32
            && let ExprKind::Binary(BinaryOp::Add, a, b) = &inner.kind
            && (self.known.range(a).lo >= 0 || self.known.range(b).lo >= 0)
        {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            if usual_conversion(left.scalar(), right.scalar()) == ScalarType::I32 {
                return Ok(self.join(left, BinaryOp::Add, right, Type::I32));
            }
        }
        let text = self.exact(elements)?;
        Ok(self.shortest(text))
    }

    fn constant(&self, ty: Type, value: Value) -> Printed {
        let suffix = self.dialect.long_suffix();
        let (text, ty) = match value {
            Value::Bool(b) => (b.to_string(), self.dialect.truth()),
            Value::Int(ty, _) => {
                let v = value.as_integer().unwrap_or(0);
                match ty {
                    ScalarType::U32 => (format!("{v}u"), ty),
                    ScalarType::U64 => (format!("{v}U{suffix}"), ty),
                    ScalarType::I64 if v == i64::MIN as i128 => {
                        (format!("(-{}{suffix} - 1)", i64::MAX), ty)
                    }
                    ScalarType::I64 => (format!("{v}{suffix}"), ty),
                    ScalarType::I32 if v == i32::MIN as i128 => {
                        (format!("(-{} - 1)", i32::MAX), ty)
                    }
                    _ => (v.to_string(), ScalarType::I32),
                }
            }
            Value::F32(bits) => {
                return self.float(f32::from_bits(bits) as f64, ScalarType::F32, || {
                    format!("{:?}f", f32::from_bits(bits))
                });
            }
            Value::F64(bits) => {
                return self.float(f64::from_bits(bits), ScalarType::F64, || {
                    format!("{:?}", f64::from_bits(bits))
                });
            }
            Value::Pointer(pointer) if pointer.array == ArrayRef::Null => {
                return Ok(Text::new(self.dialect.null(), level::PRIMARY, ty));
            }
            Value::Pointer(_) => {
                return Err(Unprintable(
                    "a pointer value of a running program".to_owned(),
                ));
            }
            Value::Undef => {
                return Err(Unprintable("an undetermined value".to_owned()));
            }
        };
        let level = if text.starts_with('-') {
            level::UNARY
        } else {
            level::PRIMARY
        };
        Ok(Text::new(text, level, Type::Scalar(ty)))
    }

    fn float(&self, value: f64, ty: ScalarType, digits: impl Fn() -> String) -> Printed {
        let name = |constant: &str| {
            let text = match (ty, value < 0.0) {
                (ScalarType::F64, true) => format!("(double)-{constant}"),
                (ScalarType::F64, false) => format!("(double){constant}"),
                (_, true) => format!("-{constant}"),
                (_, false) => constant.to_owned(),
            };
            let level = if text == constant {
                level::PRIMARY
            } else {
                level::UNARY
            };
            Text::new(text, level, Type::Scalar(ty))
        };
        Ok(if value.is_nan() {
            name("NAN")
        } else if value.is_infinite() {
            name("INFINITY")
        } else {
            let text = digits();
            let level = if text.starts_with('-') {
                level::UNARY
            } else {
                level::PRIMARY
            };
            Text::new(text, level, Type::Scalar(ty))
        })
    }

    fn builtin(&self, builtin: Builtin) -> Printed {
        match self.dialect.builtin(builtin) {
            Some((text, ty)) => Ok(Text::new(text, level::PRIMARY, Type::Scalar(ty))),
            None if builtin == Builtin::WarpSize => Err(Unprintable(
                "the warp size, which the language does not know".to_owned(),
            )),
            None => Err(Unprintable(
                "a thread's coordinates in host code".to_owned(),
            )),
        }
    }

    /// Adds a cast unless the text has the type already.
    fn to_type(&self, text: Text, ty: Type) -> Text {
        let fits = match (text.ty, ty) {
            (Type::Scalar(a), Type::Scalar(b)) => a == b,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        };
        if fits {
            return text;
        }
        // `5` as a `uint` is `5u`.
        if let Type::Scalar(ty) = ty
            && let Some(suffixed) = self.with_suffix(&text, ty)
        {
            return suffixed;
        }
        let name = match ty {
            Type::Scalar(ty) => self.dialect.scalar(ty).to_owned(),
            Type::Pointer(_) => return text,
        };
        Text::new(
            format!("({name}){}", text.at(level::UNARY)),
            level::UNARY,
            ty,
        )
    }

    fn with_suffix(&self, text: &Text, ty: ScalarType) -> Option<Text> {
        let digits = text.digits()?;
        let suffix = match ty {
            ScalarType::U32 => "u".to_owned(),
            ScalarType::I64 => self.dialect.long_suffix().to_owned(),
            ScalarType::U64 => format!("U{}", self.dialect.long_suffix()),
            _ => return None,
        };
        Some(Text::new(
            format!("{digits}{suffix}"),
            level::PRIMARY,
            Type::Scalar(ty),
        ))
    }

    fn unary(&self, op: UnaryOp, inner: &Expr, whole: &Expr) -> Printed {
        let ty = whole.ty.scalar().unwrap_or(ScalarType::I32);
        match op {
            UnaryOp::Not => self.not(inner),
            UnaryOp::Neg if ty.is_float() => {
                let text = self.typed(inner)?.negated();
                Ok(Text::new(text, level::UNARY, whole.ty))
            }
            UnaryOp::Neg if self.known.unwrapped(whole).within(Range::of(ty)) => {
                let inner = self.exact(inner)?;
                let c = promoted(inner.scalar());
                if c.is_signed() {
                    return Ok(Text::new(inner.negated(), level::UNARY, Type::Scalar(c)));
                }
                Ok(self.to_type(self.wrapped_negation(inner, ty), whole.ty))
            }
            UnaryOp::Neg => {
                let inner = self.exact(inner)?;
                Ok(self.to_type(self.wrapped_negation(inner, ty), whole.ty))
            }
            UnaryOp::BitNot => {
                let exact = self.exact(inner)?;
                // As many one bits in front as the algebra's type wants: those of a signed type
                // are the sign, any number of them.
                let c = promoted(exact.scalar());
                let inner = if ty.is_signed() == c.is_signed() && (ty.is_signed() || c == ty) {
                    exact
                } else {
                    self.to_type(exact, whole.ty)
                };
                let c = Type::Scalar(promoted(inner.scalar()));
                let text = Text::new(format!("~{}", inner.at(level::UNARY)), level::UNARY, c);
                // `~` of a promoted unsigned `char` is negative.
                let narrow_unsigned = !ty.is_signed() && ty.bits() < 32;
                Ok(if narrow_unsigned {
                    self.to_type(text, whole.ty)
                } else {
                    text
                })
            }
        }
    }

    /// `-x` in unsigned arithmetic.
    fn wrapped_negation(&self, inner: Text, ty: ScalarType) -> Text {
        let unsigned = Type::Scalar(unsigned_of(ty));
        let inner = self.to_type(inner, unsigned);
        Text::new(inner.negated(), level::UNARY, unsigned)
    }

    /// The negative of an expression, modulo 2^bits.
    pub(crate) fn negative(&self, expr: &Expr) -> Result<String, Unprintable> {
        let ty = expr.ty.scalar().unwrap_or(ScalarType::I32);
        let text = self.typed(expr)?;
        if ty.is_float() {
            return Ok(text.negated());
        }
        Ok(self.wrapped_negation(text, ty).text)
    }

    /// A number of bytes, by elements of a type where it is a multiple of their size.
    pub(crate) fn bytes(&self, expr: &Expr, elem: ScalarType) -> Result<String, Unprintable> {
        let size = elem.size() as i128;
        let name = self.dialect.scalar(elem);
        let is_size =
            |e: &Expr| matches!(e.kind, ExprKind::Const(v) if v.as_integer() == Some(size));
        match &expr.kind {
            ExprKind::Const(value) => {
                if let Some(bytes) = value.as_integer().filter(|b| *b > 0 && b % size == 0) {
                    return Ok(format!("{} * sizeof({name})", bytes / size));
                }
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) if expr.ty == Type::U64 => {
                let count = match (is_size(a), is_size(b)) {
                    (_, true) => Some(a),
                    (true, _) => Some(b),
                    _ => None,
                };
                // `sizeof` is a `size_t`: C converts the other factor to 64 bits by itself.
                if let Some(count) = count {
                    let count = self.bare(count, ScalarType::U64)?;
                    let count = count.operand(level::MULTIPLICATIVE, false);
                    return Ok(format!("{count} * sizeof({name})"));
                }
            }
            _ => {}
        }
        Ok(self.converted(expr)?.text)
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr) -> Printed {
        use BinaryOp::*;
        if let Some(text) = self.work_item_function(whole) {
            return Ok(text);
        }
        match op {
            Lt | Le | Gt | Ge | Eq | Ne => self.comparison(op, a, b),
            And | Or => {
                let (left, right) = (self.condition(a)?, self.condition(b)?);
                Ok(self.join(left, op, right, self.truth()))
            }
            PtrDiff => {
                let (left, right) = (self.exact(a)?, self.exact(b)?);
                Ok(self.join(left, op, right, Type::I64))
            }
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr => {
                let text = self.arithmetic(op, a, b, whole, None)?;
                Ok(if self.stands_for(&text, whole) {
                    text
                } else {
                    self.to_type(text, whole.ty)
                })
            }
        }
    }

    /// OpenCL C has functions for `blockIdx.d * blockDim.d + threadIdx.d` and
    /// `gridDim.d * blockDim.d`; we launch without offset and in whole work-groups.
    fn work_item_function(&self, expr: &Expr) -> Option<Text> {
        if self.dialect != Dialect::OpenCl {
            return None;
        }
        let (name, axis) = match coordinate(expr)? {
            Coordinate::ThreadInGrid(axis) => ("get_global_id", axis),
            Coordinate::GridThreads(axis) => ("get_global_size", axis),
            Coordinate::FirstOfBlock(_) => return None,
        };
        let number = match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let text = format!("{name}({number})");
        Some(Text::new(text, level::PRIMARY, Type::U64))
    }

    /// Whether an arithmetic text, as C types it, has the algebra's value: it has the right type,
    /// or one that holds the unwrapped result.
    fn stands_for(&self, text: &Text, whole: &Expr) -> bool {
        if text.ty == whole.ty {
            return true;
        }
        let (Some(c), Some(ty)) = (text.ty.scalar(), whole.ty.scalar()) else {
            return false;
        };
        if ty.is_float() || c.is_float() {
            return false;
        }
        // Wrapping in C's type and in the algebra's both leave the result as it is.
        let unwrapped = self.known.unwrapped(whole);
        let ExprKind::Binary(op, a, b) = &whole.kind else {
            return false;
        };
        let operands_fit =
            self.known.range(a).within(Range::of(c)) && self.known.range(b).within(Range::of(c));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                operands_fit
                    && self.exact_modular(a)
                    && self.exact_modular(b)
                    && unwrapped.within(Range::of(ty))
                    && unwrapped.within(Range::of(c))
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                operands_fit && self.exact_modular(a) && self.exact_modular(b)
            }
            // Their operands are printed exactly.
            _ => true,
        }
    }

    /// `a op b` of integers or floats. The text may be of another type than `whole`: then it
    /// agrees with it modulo 2^bits for `+ - * & | ^ <<`, and is exact for the others.
    /// `target`: the text of the place the result goes to, to prefer casts elsewhere.
    fn arithmetic(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        whole: &Expr,
        target: Option<&str>,
    ) -> Printed {
        use BinaryOp::*;
        let ty = whole.ty.scalar().unwrap_or(ScalarType::I32);
        // `x + -1` is `x - 1`.
        if op == Add
            && let Some(value) = folded(b).and_then(Value::as_integer)
            && value < 0
            && (-value) <= Range::of(ty).hi
        {
            let positive = Expr::new(b.ty, ExprKind::Const(Value::int(ty, -value)));
            return self.arithmetic(Sub, a, &positive, whole, target);
        }
        if matches!(op, Shl | Shr) {
            let left = match op {
                // Bits above the type's width must not come down.
                Shr => self.exact(a)?,
                _ => self.modular(a, ty.bits())?,
            };
            let left = match op {
                Shl if promoted(left.scalar()).bits() < ty.bits() => self.to_type(left, whole.ty),
                _ => left,
            };
            let right = self.exact(b)?;
            // In a narrower type the amount might be too large.
            let c = promoted(left.scalar());
            let amounts = Range::new(0, i128::from(c.bits()) - 1);
            let left = if c.bits() < ty.bits() && !self.known.range(b).within(amounts) {
                self.to_type(left, whole.ty)
            } else {
                left
            };
            let c = Type::Scalar(promoted(left.scalar()));
            return Ok(self.join(left, op, right, c));
        }
        if ty.is_float() {
            // Compilers warn of a division by a zero they can see. `x / 0` and `x * infinity` are
            // the same, for every `x` and both zeros.
            if op == Div
                && let Some(infinity) = reciprocal_of_zero(b)
            {
                let (left, right) = self.balanced(a, &infinity, ty)?;
                return Ok(self.join(left, Mul, right, whole.ty));
            }
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, whole.ty));
        }
        let wraps = matches!(op, Add | Sub | Mul);
        let bitwise = matches!(op, BitAnd | BitOr | BitXor);
        if !wraps && !bitwise {
            // Division: both operands with their values, in one type that holds them.
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            let c = usual_conversion(left.scalar(), right.scalar());
            let fits = self.known.range(a).within(Range::of(c))
                && self.known.range(b).within(Range::of(c));
            if fits && !c.is_float() {
                let (left, right) = self.shorter(left, right, c);
                return Ok(self.join(left, op, right, Type::Scalar(c)));
            }
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, Type::Scalar(promoted(ty))));
        }
        let (mut left, mut right) = (self.modular(a, ty.bits())?, self.modular(b, ty.bits())?);
        let mut c = usual_conversion(left.scalar(), right.scalar());
        // Narrow texts that stand for themselves would wrap too early.
        if c.bits() < ty.bits() && !self.is_plain(op, a, b, whole, c) {
            left = self.to_type(self.exact(a)?, whole.ty);
            right = self.modular(b, ty.bits())?;
            c = usual_conversion(left.scalar(), right.scalar());
        }
        if !bitwise && c.is_signed() && !self.is_plain(op, a, b, whole, c) {
            let unsigned = Type::Scalar(unsigned_of(c));
            let is_literal = |text: &Text| text.digits().is_some();
            let on_the_right = is_literal(&right)
                || (!is_literal(&left) && target.is_some_and(|target| target == left.text));
            if on_the_right {
                right = self.to_type(right, unsigned);
            } else {
                left = self.to_type(left, unsigned);
            }
            c = usual_conversion(left.scalar(), right.scalar());
        }
        if !c.is_signed() {
            left = self.unsigned_constant(a, left, c);
            right = self.unsigned_constant(b, right, c);
        }
        // Nor `x * 9LL`, where the product fits the type of `x`.
        let short = self.shortest(right.clone());
        let narrower = usual_conversion(left.scalar(), short.scalar());
        if narrower != c && self.is_plain(op, a, b, whole, narrower) {
            return Ok(self.join(left, op, short, Type::Scalar(narrower)));
        }
        let (left, right) = self.shorter(left, right, c);
        Ok(self.join(left, op, right, Type::Scalar(c)))
    }

    /// A negative constant where C computes in the unsigned type `c`: compilers warn of the
    /// change of sign.
    fn unsigned_constant(&self, expr: &Expr, text: Text, c: ScalarType) -> Text {
        match folded(expr).and_then(Value::as_integer) {
            Some(value) if value < 0 => {
                let suffix = match c {
                    ScalarType::U64 => format!("u{}", self.dialect.long_suffix()),
                    _ => "u".to_owned(),
                };
                let bits = value as u64 & (u64::MAX >> (64 - c.bits()));
                Text::new(
                    format!("{bits:#x}{suffix}"),
                    level::PRIMARY,
                    Type::Scalar(c),
                )
            }
            _ => text,
        }
    }

    /// Whether `a op b` computed in the signed type `c` does not overflow.
    fn is_plain(&self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr, c: ScalarType) -> bool {
        if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) {
            return self.known.range(a).within(Range::of(c))
                && self.known.range(b).within(Range::of(c));
        }
        // Operands given modulo only are exact where the ranges say that nothing wraps.
        self.known.unwrapped(whole).within(Range::of(c))
            && self.known.range(a).within(Range::of(c))
            && self.known.range(b).within(Range::of(c))
            && self.exact_modular(a)
            && self.exact_modular(b)
    }

    /// Whether the modular text of an expression is exact.
    fn exact_modular(&self, expr: &Expr) -> bool {
        let Some(ty) = expr.ty.scalar() else {
            return false;
        };
        let inside = |e: &Expr| self.known.unwrapped(e).within(Range::of(ty));
        match &expr.kind {
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                    inside(expr) && self.exact_modular(a) && self.exact_modular(b)
                }
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                    self.exact_modular(a) && self.exact_modular(b)
                }
                _ => true,
            },
            ExprKind::Unary(UnaryOp::Neg, a) => inside(expr) && self.exact_modular(a),
            ExprKind::Unary(UnaryOp::BitNot, a) => ty.is_signed() && self.exact_modular(a),
            ExprKind::Cast(inner) => {
                let keeps = inner.ty.scalar().is_some_and(|from| !from.is_float())
                    && self.known.range(inner).within(Range::of(ty));
                match inner.ty.scalar() {
                    Some(from) if !from.is_float() => keeps && self.exact_modular(inner),
                    _ => true,
                }
            }
            ExprKind::Select(_, a, b) => self.exact_modular(a) && self.exact_modular(b),
            _ => true,
        }
    }

    /// Modular: see the head of this file. `bits` is at most the expression's width.
    pub(crate) fn modular(&self, expr: &Expr, bits: u32) -> Printed {
        self.modular_for(expr, bits, None)
    }

    /// Modular, for the place `target`.
    pub(crate) fn modular_for(&self, expr: &Expr, bits: u32, target: Option<&str>) -> Printed {
        use BinaryOp::*;
        let ty = expr.ty.scalar().unwrap_or(ScalarType::I32);
        if let Some(value) = folded(expr) {
            return self.constant(expr.ty, value);
        }
        match &expr.kind {
            ExprKind::Binary(op @ (Add | Sub | Mul | BitAnd | BitOr | BitXor | Shl), a, b) => {
                match self.work_item_function(expr) {
                    Some(text) => Ok(text),
                    None => self.arithmetic(*op, a, b, expr, target),
                }
            }
            ExprKind::Unary(UnaryOp::Neg, inner) if !ty.is_float() => {
                let exact = self.known.unwrapped(expr).within(Range::of(ty));
                if exact {
                    self.exact(expr)
                } else {
                    Ok(self.wrapped_negation(self.modular(inner, bits)?, ty))
                }
            }
            ExprKind::Cast(inner) => match inner.ty.scalar() {
                Some(from) if from.is_integer() && ty.is_integer() && from.bits() >= bits => {
                    if ty.bits() >= bits {
                        self.modular_for(inner, bits, target)
                    } else {
                        self.exact(expr)
                    }
                }
                Some(from) if from.is_integer() && ty.is_integer() && ty.bits() >= bits => {
                    self.exact(inner)
                }
                _ => self.exact(expr),
            },
            _ => self.exact(expr),
        }
    }

    /// Both operands so that C computes in exactly `ty`, with as few casts as that takes.
    fn balanced(&self, a: &Expr, b: &Expr, ty: ScalarType) -> Result<(Text, Text), Unprintable> {
        let (plain_a, plain_b) = (self.bare(a, ty)?, self.bare(b, ty)?);
        let computed = |left: &Text, right: &Text| {
            promoted(ty) == usual_conversion(left.scalar(), right.scalar())
        };
        if computed(&plain_a, &plain_b) {
            return Ok((plain_a, plain_b));
        }
        let typed_a = self.typed(a)?;
        if computed(&typed_a, &plain_b) {
            return Ok((typed_a, plain_b));
        }
        let typed_b = self.typed(b)?;
        if computed(&plain_a, &typed_b) {
            return Ok((plain_a, typed_b));
        }
        Ok((typed_a, typed_b))
    }

    /// Without the conversion to `ty` that C will make anyway, if it computes in `ty`.
    fn bare(&self, expr: &Expr, ty: ScalarType) -> Printed {
        match &expr.kind {
            ExprKind::Cast(inner) => match inner.ty.scalar() {
                Some(from) if from.is_integer() && ty.is_integer() && ty.bits() >= 32 => {
                    let exact = self.exact(inner)?;
                    // The C type must convert to `ty` as the algebra's type does.
                    let value_kept = Range::of(from).within(Range::of(exact.scalar()));
                    if value_kept {
                        Ok(exact)
                    } else {
                        self.typed(expr)
                    }
                }
                Some(from) if ty.is_float() && from.is_integer() => self.exact(inner),
                Some(ScalarType::F32) if ty == ScalarType::F64 => self.typed(inner),
                _ => self.exact(expr),
            },
            ExprKind::Const(value) if ty.is_integer() => match value.as_integer() {
                Some(v) if (0..=i32::MAX as i128).contains(&v) => {
                    Ok(Text::new(v.to_string(), level::PRIMARY, Type::I32))
                }
                _ => self.exact(expr),
            },
            _ => self.exact(expr),
        }
    }

    fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Printed {
        let Some(ty) = a.ty.scalar() else {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            return Ok(self.join(left, op, right, self.truth()));
        };
        if ty == ScalarType::Bool {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            return Ok(self.join(left, op, right, self.truth()));
        }
        if ty.is_float() {
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, self.truth()));
        }
        // Compilers warn of unsigned values compared with zero where that says nothing.
        let is_zero = |e: &Expr| folded(e).and_then(Value::as_integer) == Some(0);
        let decided = match op {
            BinaryOp::Ge if is_zero(b) && self.known.range(a).lo >= 0 => Some(true),
            BinaryOp::Lt if is_zero(b) && self.known.range(a).lo >= 0 => Some(false),
            BinaryOp::Le if is_zero(a) && self.known.range(b).lo >= 0 => Some(true),
            BinaryOp::Gt if is_zero(a) && self.known.range(b).lo >= 0 => Some(false),
            _ => None,
        };
        if let Some(truth) = decided.filter(|_| !ty.is_signed()) {
            return self.constant(Type::BOOL, Value::Bool(truth));
        }
        // Values compare as they are in any type that holds both.
        let holds_both = |c: ScalarType| {
            self.known.range(a).within(Range::of(c)) && self.known.range(b).within(Range::of(c))
        };
        let (left, right) = (self.bare(a, ty)?, self.bare(b, ty)?);
        let c = usual_conversion(left.scalar(), right.scalar());
        // Either C converts as the casts left out do, or both values are kept throughout.
        if c == promoted(ty) && ty.bits() >= 32 {
            return Ok(self.join(left, op, right, self.truth()));
        }
        let (left, right) = (self.exact(a)?, self.exact(b)?);
        let (left, right) = (self.shortest(left), self.shortest(right));
        let c = usual_conversion(left.scalar(), right.scalar());
        if holds_both(c) && !c.is_float() {
            return Ok(self.join(left, op, right, self.truth()));
        }
        let (left, right) = self.balanced(a, b, ty)?;
        Ok(self.join(left, op, right, self.truth()))
    }

    /// `x + 1u` is `x + 1` where `x` is unsigned already: no suffix that C, computing in `c`, does
    /// not need.
    fn shorter(&self, left: Text, right: Text, c: ScalarType) -> (Text, Text) {
        let short = self.shortest(right.clone());
        let right = if usual_conversion(left.scalar(), short.scalar()) == c {
            short
        } else {
            right
        };
        let short = self.shortest(left.clone());
        if usual_conversion(short.scalar(), right.scalar()) == c {
            (short, right)
        } else {
            (left, right)
        }
    }

    /// A literal without its suffix where an `int` holds it.
    fn shortest(&self, text: Text) -> Text {
        match text.digits() {
            Some(digits) if digits.parse::<i32>().is_ok() => {
                Text::new(digits, level::PRIMARY, Type::I32)
            }
            _ => text,
        }
    }

    fn join(&self, left: Text, op: BinaryOp, right: Text, ty: Type) -> Text {
        let level = level_of(op);
        let symbol = op.c_symbol();
        let right_text = right.operand(level, true);
        let text = format!("{} {symbol} {right_text}", left.operand(level, false));
        Text {
            text,
            level,
            ty,
            parts: Some((left.text, symbol, right.text)),
        }
    }

    fn cast(&self, inner: &Expr, ty: Type) -> Printed {
        match (inner.ty, ty) {
            (Type::Scalar(_), Type::Scalar(ScalarType::Bool)) => {
                let zero = Text::new("0", level::PRIMARY, Type::I32);
                let inner = self.exact(inner)?;
                Ok(self.join(inner, BinaryOp::Ne, zero, self.truth()))
            }
            (Type::Pointer(_), Type::Scalar(ScalarType::Bool)) => {
                let null = Text::new(self.dialect.null(), level::PRIMARY, inner.ty);
                let inner = self.exact(inner)?;
                Ok(self.join(inner, BinaryOp::Ne, null, self.truth()))
            }
            (Type::Scalar(from), Type::Scalar(to)) => {
                if from.is_float() || to.is_float() {
                    let inner = if from.is_float() {
                        self.typed(inner)?
                    } else {
                        self.exact(inner)?
                    };
                    return Ok(self.to_type(inner, ty));
                }
                if self.known.range(inner).within(Range::of(to)) {
                    return self.exact(inner);
                }
                let narrow = self.modular(inner, to.bits().min(from.bits()))?;
                if from.bits() < to.bits() {
                    // Extension depends on the sign: from the exact value.
                    return Ok(self.to_type(self.exact(inner)?, ty));
                }
                Ok(self.to_type(narrow, ty))
            }
            (Type::Pointer(_), Type::Pointer(to)) => {
                if self.converts_implicitly(inner, to) && !to.is_volatile {
                    return self.exact(inner);
                }
                let text = self.exact(inner)?;
                if text.ty == ty {
                    return Ok(text);
                }
                let space = self.space_of(inner);
                let name = self.pointer_type(to, space);
                Ok(Text::new(
                    format!("({name}){}", text.at(level::UNARY)),
                    level::UNARY,
                    ty,
                ))
            }
            (Type::Scalar(_), Type::Pointer(_)) => {
                Ok(Text::new(self.dialect.null(), level::PRIMARY, ty))
            }
            (Type::Pointer(_), Type::Scalar(_)) => {
                Err(Unprintable("a pointer converted to a number".to_owned()))
            }
        }
    }

    /// Whether C converts to the pointer type without a cast: qualifiers are only added.
    fn converts_implicitly(&self, inner: &Expr, to: PointerType) -> bool {
        match inner.ty {
            Type::Pointer(from) => {
                from.elem == to.elem
                    && (to.is_const || !from.is_const)
                    && (to.is_volatile || !from.is_volatile)
            }
            Type::Scalar(_) => false,
        }
    }

    /// `const volatile T *`, with the address space in OpenCL C.
    pub(crate) fn pointer_type(&self, to: PointerType, space: Option<Space>) -> String {
        pointer_type(self.dialect, to, space)
    }

    /// Address space a pointer points into, as far as the text shows it.
    pub(crate) fn space_of(&self, pointer: &Expr) -> Option<Space> {
        match &pointer.kind {
            ExprKind::Var(var) => (self.var_space)(*var),
            ExprKind::ArrayBase(array) => Some(self.program.array(*array).space),
            ExprKind::Cast(inner) | ExprKind::Offset(inner, _) => self.space_of(inner),
            ExprKind::Select(_, a, b) => self.space_of(a).or_else(|| self.space_of(b)),
            _ => None,
        }
    }

    fn select(&self, cond: &Expr, a: &Expr, b: &Expr, ty: Type) -> Printed {
        let cond = self.condition(cond)?;
        let (yes, no, c) = match ty {
            Type::Pointer(_) => (self.exact(a)?, self.exact(b)?, ty),
            Type::Scalar(ScalarType::Bool) => (self.exact(a)?, self.exact(b)?, self.truth()),
            Type::Scalar(scalar) if scalar.is_float() => {
                let (yes, no) = self.balanced(a, b, scalar)?;
                (yes, no, ty)
            }
            Type::Scalar(scalar) => {
                let (yes, no) = (self.exact(a)?, self.exact(b)?);
                let c = usual_conversion(yes.scalar(), no.scalar());
                let fits = self.known.range(a).within(Range::of(c))
                    && self.known.range(b).within(Range::of(c));
                if fits {
                    (yes, no, Type::Scalar(c))
                } else {
                    let (yes, no) = self.balanced(a, b, scalar)?;
                    (yes, no, Type::Scalar(promoted(scalar)))
                }
            }
        };
        let text = format!(
            "{} ? {} : {}",
            cond.at(level::OR),
            yes.at(level::OR),
            no.at(level::OR)
        );
        Ok(Text::new(text, level::CONDITIONAL, c))
    }

    fn math(&self, function: MathFn, args: &[Expr], whole: &Expr) -> Printed {
        let ty = whole.ty.scalar().unwrap_or(ScalarType::I32);
        // Functions of narrow integers are those of `int`.
        let computed = Type::Scalar(promoted(ty));
        let mut texts = Vec::with_capacity(args.len());
        for arg in args {
            let exact = self.exact(arg)?;
            texts.push(self.to_type(exact, computed));
        }
        let list = || {
            let args: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
            args.join(", ")
        };
        let call = |name: &str| Text::new(format!("{name}({})", list()), level::PRIMARY, computed);
        if ty.is_float() {
            let base = match function {
                MathFn::Min => "fmin",
                MathFn::Max => "fmax",
                MathFn::Abs => "fabs",
                MathFn::Sqrt => "sqrt",
                MathFn::Floor => "floor",
                MathFn::Ceil => "ceil",
                MathFn::Trunc => "trunc",
                MathFn::Fma => "fma",
            };
            let suffix = if ty == ScalarType::F32 && self.dialect != Dialect::OpenCl {
                "f"
            } else {
                ""
            };
            return Ok(call(&format!("{base}{suffix}")));
        }
        match (function, texts.as_slice()) {
            (MathFn::Min | MathFn::Max, [a, b]) => {
                if self.dialect == Dialect::C {
                    let op = if function == MathFn::Min { "<" } else { ">" };
                    let (a, b) = (a.at(level::SHIFT), b.at(level::SHIFT));
                    let text = format!("{a} {op} {b} ? {a} : {b}");
                    return Ok(Text::new(text, level::CONDITIONAL, computed));
                }
                Ok(call(if function == MathFn::Min {
                    "min"
                } else {
                    "max"
                }))
            }
            (MathFn::Abs, [arg]) => {
                if !ty.is_signed() {
                    return Ok(arg.clone());
                }
                let whole_range = args.first().map(|a| self.known.range(a));
                let safe = whole_range.is_some_and(|r| r.lo > Range::of(promoted(ty)).lo);
                if self.dialect == Dialect::OpenCl {
                    // `abs` gives the unsigned type, and is defined for the least value too.
                    let text = Text::new(
                        format!("abs({})", list()),
                        level::PRIMARY,
                        Type::Scalar(unsigned_of(promoted(ty))),
                    );
                    return Ok(self.to_type(text, whole.ty));
                }
                let text = if safe {
                    let name = match (self.dialect, ty) {
                        (_, ScalarType::I64) => "llabs",
                        _ => "abs",
                    };
                    call(name)
                } else {
                    let operand = arg.at(level::SHIFT);
                    let negated = self.wrapped_negation(arg.clone(), promoted(ty));
                    let negated = self.to_type(negated, computed);
                    let text = format!("{operand} < 0 ? {} : {operand}", negated.text);
                    Text::new(text, level::CONDITIONAL, computed)
                };
                // `abs` of the least `char` is no `char`.
                Ok(if ty.bits() < 32 {
                    self.to_type(text, whole.ty)
                } else {
                    text
                })
            }
            _ => Err(Unprintable(format!("{function:?} of integers"))),
        }
    }

    /// `place = value`, as a compound assignment where the value begins with the place.
    pub(crate) fn assignment(&self, place: &Text, value: &Expr) -> Result<String, Unprintable> {
        let text = match value.ty {
            Type::Scalar(ty) if ty.is_integer() => {
                let text = self.modular_for(value, ty.bits(), Some(&place.text))?;
                self.shortest(text)
            }
            _ => self.converted(value)?,
        };
        if let Some((left, op, right)) = &text.parts
            && *left == place.text
            && matches!(
                *op,
                "+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "&" | "|" | "^"
            )
        {
            if right == "1" && matches!(*op, "+" | "-") {
                return Ok(format!("{}{op}{op}", place.text));
            }
            return Ok(format!("{} {op}= {right}", place.text));
        }
        Ok(format!("{} = {}", place.text, text.text))
    }
}

fn is_float(expr: &Expr) -> bool {
    expr.ty.scalar().is_some_and(ScalarType::is_float)
}

/// The value of an integer expression of constants, unless it is a fault.
fn folded(expr: &Expr) -> Option<Value> {
    if !expr.ty.scalar().is_some_and(ScalarType::is_integer) {
        return None;
    }
    fn value(expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Unary(op, a) => arithmetic::unary(*op, value(a)?).ok(),
            ExprKind::Binary(op, a, b) => arithmetic::binary(*op, value(a)?, value(b)?).ok(),
            ExprKind::Cast(a) => arithmetic::cast(value(a)?, expr.ty).ok(),
            ExprKind::Math(function, args) => {
                let args: Option<Vec<Value>> = args.iter().map(value).collect();
                arithmetic::math(*function, &args?).ok()
            }
            _ => None,
        }
    }
    value(expr).filter(|value| matches!(value, Value::Int(..)))
}

/// Infinity with the sign of a constant zero.
pub(crate) fn reciprocal_of_zero(expr: &Expr) -> Option<Expr> {
    let infinity = match expr.kind {
        ExprKind::Const(Value::F32(bits)) if f32::from_bits(bits) == 0.0 => {
            Value::f32(1.0 / f32::from_bits(bits))
        }
        ExprKind::Const(Value::F64(bits)) if f64::from_bits(bits) == 0.0 => {
            Value::f64(1.0 / f64::from_bits(bits))
        }
        _ => return None,
    };
    Some(Expr::new(expr.ty, ExprKind::Const(infinity)))
}

const fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}

/// `const volatile T *`, with the address space in OpenCL C.
pub(crate) fn pointer_type(dialect: Dialect, to: PointerType, space: Option<Space>) -> String {
    let mut text = String::new();
    if dialect == Dialect::OpenCl {
        text.push_str(match space {
            Some(Space::Shared) => "local ",
            Some(Space::Constant) => "constant ",
            Some(Space::Private) => "private ",
            _ => "global ",
        });
    }
    // `constant` says `const` already.
    if to.is_const && !(dialect == Dialect::OpenCl && space == Some(Space::Constant)) {
        text.push_str("const ");
    }
    if to.is_volatile {
        text.push_str("volatile ");
    }
    text.push_str(dialect.cell(to.elem));
    text.push_str(" *");
    text
}
