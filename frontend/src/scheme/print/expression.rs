//! Expressions as text. A constant says its type only where the reader would take another;
//! `expected` is what the reader expects there, and must follow `elaborate/expressions.rs`.

use super::super::type_text::{base_type, type_text};
use super::super::{literal, strength, words};
use super::names::Names;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::algebra::value::Value;

#[derive(Clone, Copy)]
pub struct ExpressionPrinter<'a> {
    pub program: &'a Program,
    pub names: &'a Names,
    pub proc: ProcId,
}

impl ExpressionPrinter<'_> {
    pub fn var(&self, var: VarId) -> &str {
        self.names.var(self.proc, var.0 as usize)
    }

    /// The type a variable is declared with.
    pub fn var_type(&self, var: VarId) -> Option<Type> {
        let vars = &self.program.proc(self.proc).vars;
        vars.get(var.0 as usize).map(|decl| decl.ty)
    }

    pub fn expr(&self, expr: &Expr, expected: Option<Type>) -> String {
        self.strong(expr, strength::SELECT, expected)
    }

    /// The cell a pointer points to: `p[i]`, or `*p`.
    pub fn cell(&self, pointer: &Expr) -> String {
        match &pointer.kind {
            ExprKind::Offset(base, elements) if base.ty == pointer.ty => {
                let base = self.strong(base, strength::POSTFIX, None);
                format!("{base}[{}]", self.index(elements, strength::SELECT))
            }
            _ => format!("*{}", self.strong(pointer, strength::PREFIX, None)),
        }
    }

    /// A number of elements; the conversion to `i64` goes without saying.
    fn index(&self, elements: &Expr, least: u8) -> String {
        let inner = match &elements.kind {
            ExprKind::Cast(inner)
                if inner.ty != Type::I64 && inner.ty.scalar().is_some_and(|s| s.is_integer()) =>
            {
                inner
            }
            _ => elements,
        };
        self.strong(inner, least, Some(Type::I64))
    }

    /// The expression in parentheses if it binds less tightly than `least`.
    fn strong(&self, expr: &Expr, least: u8, expected: Option<Type>) -> String {
        let says = self.says(expr);
        let (own, text) = match says == expr.ty {
            true => self.bare(expr, expected),
            false => {
                let (_, inside) = self.bare(expr, Some(expr.ty));
                let text = format!("({inside} : {})", type_text(expr.ty));
                (strength::POSTFIX, text)
            }
        };
        match own < least {
            true => format!("({text})"),
            false => text,
        }
    }

    /// The type that the reader would give the expression.
    fn says(&self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Var(var) => self.var_type(*var).unwrap_or(expr.ty),
            ExprKind::ArrayBase(id) => match self.program.arrays.get(id.0 as usize) {
                Some(decl) => Type::Pointer(base_type(decl)),
                None => expr.ty,
            },
            ExprKind::Offset(pointer, _) => pointer.ty,
            ExprKind::Select(_, then, _) => then.ty,
            _ => expr.ty,
        }
    }

    /// How tightly the text binds, and the text.
    fn bare(&self, expr: &Expr, expected: Option<Type>) -> (u8, String) {
        use strength::{NOT, OR, POSTFIX, PREFIX, SELECT};
        match &expr.kind {
            ExprKind::Const(value) => {
                let text = self.constant(*value, expr.ty, expected);
                let own = if text.starts_with('-') {
                    PREFIX
                } else {
                    POSTFIX
                };
                (own, text)
            }
            ExprKind::Var(var) => (POSTFIX, self.var(*var).to_owned()),
            ExprKind::ArrayBase(id) => (POSTFIX, self.names.array(self.program, *id, self.proc)),
            ExprKind::Builtin(builtin) => (POSTFIX, builtin_name(*builtin)),
            ExprKind::Unary(UnaryOp::Not, a) => {
                let inside = self.strong(a, NOT + 1, Some(Type::BOOL));
                (NOT, format!("NOT {inside}"))
            }
            ExprKind::Unary(op, a) => {
                let symbol = if *op == UnaryOp::Neg { "-" } else { "~" };
                // `-1` is a constant, `-(1)` the negation of one.
                let least = match a.kind {
                    ExprKind::Const(_) => POSTFIX + 1,
                    _ => PREFIX,
                };
                (
                    PREFIX,
                    format!("{symbol}{}", self.strong(a, least, expected)),
                )
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expected),
            ExprKind::Cast(a) => {
                let ty = type_text(expr.ty);
                (POSTFIX, format!("{ty}({})", self.expr(a, None)))
            }
            ExprKind::Select(cond, a, b) => {
                let cond = self.strong(cond, OR, Some(Type::BOOL));
                let [a, b] = self.pair([(a, OR), (b, SELECT)], expected, is_open);
                (SELECT, format!("{cond} ? {a} : {b}"))
            }
            ExprKind::Math(function @ (MathFn::BitsAs(_) | MathFn::Aligned(_)), args) => {
                let shown: Vec<String> = args.iter().map(|arg| self.expr(arg, None)).collect();
                let word = words::function_word(*function);
                (POSTFIX, format!("{word}({})", shown.join(", ")))
            }
            ExprKind::Math(function, args) => {
                let leading = args.iter().position(|a| !is_open_number(a)).unwrap_or(0);
                let ty = args.get(leading).map(|leader| leader.ty);
                let shown = args.iter().enumerate().map(|(index, arg)| {
                    let expected = if index == leading { expected } else { ty };
                    self.expr(arg, expected)
                });
                let shown: Vec<String> = shown.collect();
                let word = words::function_word(*function);
                (POSTFIX, format!("{word}({})", shown.join(", ")))
            }
            ExprKind::Offset(pointer, elements) => {
                let own = strength::of(BinaryOp::Add);
                let pointer = self.strong(pointer, own, expected);
                (
                    own,
                    format!("{pointer} + {}", self.index(elements, own + 1)),
                )
            }
            ExprKind::Load(pointer) => {
                let text = self.cell(pointer);
                let own = if text.starts_with('*') {
                    PREFIX
                } else {
                    POSTFIX
                };
                (own, text)
            }
        }
    }

    fn constant(&self, value: Value, ty: Type, expected: Option<Type>) -> String {
        let word = match value {
            Value::Undef => "undef".to_owned(),
            Value::Pointer(pointer) if pointer.offset == 0 => "null".to_owned(),
            Value::Pointer(pointer) => format!("null({})", pointer.offset),
            number => return literal::written(number, expected),
        };
        match expected == Some(ty) {
            true => word,
            false => format!("({word} : {})", type_text(ty)),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, expected: Option<Type>) -> (u8, String) {
        use BinaryOp::*;
        let own = strength::of(op);
        // Comparisons do not chain.
        let on_the_left = if op.is_comparison() { own + 1 } else { own };
        let operands = [(a, on_the_left), (b, own + 1)];
        let [left, right] = match op {
            And | Or => operands.map(|(e, least)| self.strong(e, least, Some(Type::BOOL))),
            Shl | Shr => [self.strong(a, own, expected), self.strong(b, own + 1, None)],
            _ if op.is_comparison() => self.pair(operands, None, is_open),
            _ => self.pair(operands, expected, is_open_number),
        };
        let symbol = match op {
            And => "AND",
            Or => "OR",
            _ => op.c_symbol(),
        };
        (own, format!("{left} {symbol} {right}"))
    }

    /// Two operands of one type: if one is open, the other says the type.
    fn pair(
        &self,
        [(left, left_least), (right, right_least)]: [(&Expr, u8); 2],
        expected: Option<Type>,
        is_open: fn(&Expr) -> bool,
    ) -> [String; 2] {
        let (for_left, for_right) = match (is_open(left), is_open(right)) {
            // Types that differ (in qualifiers of null pointers) are both written.
            (true, _) if left.ty != right.ty => (None, Some(left.ty)),
            (true, false) => (Some(right.ty), expected),
            _ => (expected, Some(left.ty)),
        };
        [
            self.strong(left, left_least, for_left),
            self.strong(right, right_least, for_right),
        ]
    }
}

/// A number that may be written without its type.
fn is_open_number(expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Const(Value::Int(..)) => true,
        ExprKind::Const(value @ Value::F32(bits)) => {
            let ty = gridlock_semantics::algebra::types::ScalarType::F32;
            !f32::from_bits(bits).is_nan() || value == literal::canonical_nan(ty)
        }
        ExprKind::Const(value @ Value::F64(bits)) => {
            let ty = gridlock_semantics::algebra::types::ScalarType::F64;
            !f64::from_bits(bits).is_nan() || value == literal::canonical_nan(ty)
        }
        _ => false,
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(Value::Pointer(_)))
}

fn is_open(expr: &Expr) -> bool {
    is_open_number(expr) || is_null(expr)
}

fn builtin_name(builtin: Builtin) -> String {
    let (name, axis) = match builtin {
        Builtin::ThreadIdx(axis) => ("threadIdx", axis),
        Builtin::BlockIdx(axis) => ("blockIdx", axis),
        Builtin::BlockDim(axis) => ("blockDim", axis),
        Builtin::GridDim(axis) => ("gridDim", axis),
        Builtin::WarpSize => return "warpSize".to_owned(),
    };
    let axis = match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("{name}.{axis}")
}
