//! Expressions with their types. `expected` is the type needed where an expression stands; it
//! decides the type of constants without suffix and nothing else: there are no conversions but
//! those written, and that of a subscript to `i64`.

use super::super::literal;
use super::super::problem::{Problem, Reading};
use super::super::scope::Meaning;
use super::super::token::Name;
use super::super::tree::{Tree, TreeKind};
use super::super::type_text::type_text;
use super::place::Place;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use std::sync::Arc;

/// The constant a tree is, if it is one.
pub fn constant(tree: &Tree, expected: Type) -> Reading<Option<Expr>> {
    let expected = Some(expected);
    let value = match &tree.kind {
        TreeKind::Int {
            value,
            is_negative,
            suffix,
        } => {
            let ty = suffix.unwrap_or_else(|| literal::integer_type(expected));
            match literal::integer(*value, *is_negative, ty) {
                Some(value) => value,
                None => return out_of_range(tree.at, *value, *is_negative, ty),
            }
        }
        TreeKind::Float {
            digits,
            is_negative,
            suffix,
        } => {
            let ty = suffix.unwrap_or_else(|| literal::float_type(expected));
            let sign = if *is_negative { "-" } else { "" };
            match literal::float(&format!("{sign}{digits}"), ty) {
                Some(value) => value,
                None => return Problem::at(tree.at, format!("`{digits}` is no number")),
            }
        }
        TreeKind::Infinity { is_negative } => {
            literal::infinity(literal::float_type(expected), *is_negative)
        }
        TreeKind::NotANumber => literal::canonical_nan(literal::float_type(expected)),
        TreeKind::Bits(ScalarType::F32, bits) => Value::F32(*bits as u32),
        TreeKind::Bits(_, bits) => Value::F64(*bits as u64),
        TreeKind::Bool(value) => Value::Bool(*value),
        TreeKind::Ascribed(inside, ty) => {
            let found = constant(inside, *ty)?;
            return Ok(found.filter(|e| e.ty == *ty));
        }
        _ => return Ok(None),
    };
    Ok(Some(Expr::constant(value)))
}

fn out_of_range<T>(at: Span, value: u128, is_negative: bool, ty: ScalarType) -> Reading<T> {
    let bits = ty.bits();
    let (least, greatest) = match ty.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    let sign = if is_negative { "-" } else { "" };
    let name = type_text(Type::Scalar(ty));
    Problem::at(
        at,
        format!("{sign}{value} does not fit in `{name}` ({least} to {greatest})"),
    )
}

impl Place<'_> {
    /// An expression of this type, up to qualifiers of a pointee.
    pub(super) fn typed(&self, tree: &Tree, ty: Type) -> Reading<Expr> {
        let expr = self.expr(tree, Some(ty))?;
        if expr.ty.same_shape(ty) {
            return Ok(expr);
        }
        let (needed, found) = (type_text(ty), type_text(expr.ty));
        let mut message = format!("`{needed}` is needed here, this is `{found}`");
        let is_number = |ty: Type| ty.scalar().is_some_and(|s| s != ScalarType::Bool);
        if tree.is_open_number() && ty.scalar().is_some_and(ScalarType::is_float) {
            message.push_str(": write the number with a point");
        } else if is_number(ty) && is_number(expr.ty) {
            message.push_str(&format!(": conversions are written, `{needed}(…)`"));
        }
        Problem::at(tree.at, message)
    }

    pub(super) fn condition(&self, tree: &Tree) -> Reading<Expr> {
        let expr = self.expr(tree, Some(Type::BOOL))?;
        match expr.ty {
            Type::BOOL => Ok(expr),
            other => {
                let found = type_text(other);
                let message = format!("a condition is needed here, this is `{found}`");
                Problem::at(tree.at, message)
            }
        }
    }

    /// An expression that is a pointer.
    pub(super) fn pointer(&self, tree: &Tree, expected: Option<Type>) -> Reading<Expr> {
        let expr = self.expr(tree, expected)?;
        match expr.ty {
            Type::Pointer(_) => Ok(expr),
            scalar => {
                let found = type_text(scalar);
                let message = format!("a pointer is needed here, this is `{found}`");
                Problem::at(tree.at, message)
            }
        }
    }

    /// The pointer to a cell `p[i]` or `*p`.
    pub(super) fn cell(&self, tree: &Tree) -> Reading<Expr> {
        match &tree.kind {
            TreeKind::Cell(base, index) => {
                let base = self.pointer(base, None)?;
                let index = self.index(index)?;
                Ok(Expr::offset(base, index))
            }
            TreeKind::Target(pointer) => self.pointer(pointer, None),
            _ => Problem::at(tree.at, "a cell is needed here: `p[i]` or `*p`"),
        }
    }

    /// A number of elements: any integer, converted to `i64`.
    pub(super) fn index(&self, tree: &Tree) -> Reading<Expr> {
        let index = self.expr(tree, Some(Type::I64))?;
        match index.ty {
            Type::Scalar(scalar) if scalar.is_integer() => Ok(index.cast(Type::I64)),
            other => {
                let found = type_text(other);
                let message = format!("a number of elements is needed here, this is `{found}`");
                Problem::at(tree.at, message)
            }
        }
    }

    pub(super) fn expr(&self, tree: &Tree, expected: Option<Type>) -> Reading<Expr> {
        let any = expected.unwrap_or(Type::BOOL);
        if let Some(constant) = constant(tree, any)? {
            return Ok(constant);
        }
        match &tree.kind {
            TreeKind::Name(name) => {
                let meaning = self.declared.names.meaning(self.id, name, tree.at)?;
                self.meant(meaning, tree.at)
            }
            TreeKind::OfFile(name) => match self.declared.names.arrays.get(name) {
                Some(meaning) => self.meant(meaning, tree.at),
                None => {
                    let message = format!("the file declares no array `{}`", name.text);
                    Problem::at(tree.at, message)
                }
            },
            TreeKind::OfProc(kind, proc, array) => self.of_proc(*kind, proc, array, tree.at),
            TreeKind::Null(offset) => match expected {
                Some(ty @ Type::Pointer(_)) => Ok(Expr::new(
                    ty,
                    ExprKind::Const(Value::Pointer(Pointer {
                        array: ArrayRef::Null,
                        offset: *offset,
                    })),
                )),
                _ => Problem::at(
                    tree.at,
                    "the type of this `null` is not known: write `(null : f32*)`",
                ),
            },
            TreeKind::Undef => Problem::at(
                tree.at,
                "`undef` is no value: only `x := undef` may be written",
            ),
            TreeKind::Builtin(builtin) => match self.proc().kind {
                ProcKind::Host => {
                    Problem::at(tree.at, "the host has no threads and blocks of its own")
                }
                _ => Ok(Expr::builtin(*builtin)),
            },
            TreeKind::Unary(op, operand) => self.unary(*op, operand, expected),
            TreeKind::Binary(op, left, right) => self.binary(*op, left, right, expected, tree.at),
            TreeKind::Select(cond, then, otherwise) => {
                let cond = self.condition(cond)?;
                let (a, b) = self.pair(then, otherwise, expected, Tree::is_open)?;
                if !a.ty.same_shape(b.ty) {
                    let (a, b) = (type_text(a.ty), type_text(b.ty));
                    let message = format!("one branch is `{a}`, the other `{b}`");
                    return Problem::at(tree.at, message);
                }
                Ok(Expr::select(cond, a, b))
            }
            TreeKind::Cast(ty, operand) => self.cast(*ty, operand, tree.at),
            TreeKind::Ascribed(inside, ty) => {
                let inside = self.typed(inside, *ty)?;
                Ok(Expr::new(*ty, inside.kind))
            }
            TreeKind::Math(function, args) => self.math(*function, args, expected, tree.at),
            TreeKind::Cell(..) | TreeKind::Target(_) => {
                let pointer = self.cell(tree)?;
                match Expr::load(pointer) {
                    Some(load) => Ok(load),
                    None => Problem::at(tree.at, "a pointer is needed here"),
                }
            }
            // Constants are done.
            _ => Problem::at(tree.at, "an expression is needed here"),
        }
    }

    fn meant(&self, meaning: Meaning, at: Span) -> Reading<Expr> {
        match meaning {
            Meaning::Var(var) => Ok(self.var(var)),
            Meaning::Array(array) => {
                self.reach(array, at)?;
                Ok(self.declared.base(array))
            }
        }
    }

    fn of_proc(&self, kind: ProcKind, proc: &Name, array: &Name, at: Span) -> Reading<Expr> {
        let owner = self.declared.names.proc(kind, proc, at)?;
        match self.declared.names.inside[owner.0 as usize].get(array) {
            Some(meaning @ Meaning::Array(_)) => self.meant(meaning, at),
            _ => {
                let message = format!("`{}` declares no array `{}`", proc.text, array.text);
                Problem::at(at, message)
            }
        }
    }

    /// Two operands that should have one type: an open one gets the type of the other.
    fn pair(
        &self,
        left: &Tree,
        right: &Tree,
        expected: Option<Type>,
        is_open: fn(&Tree) -> bool,
    ) -> Reading<(Expr, Expr)> {
        if is_open(left) && !is_open(right) {
            let right = self.expr(right, expected)?;
            let left = self.expr(left, Some(right.ty))?;
            return Ok((left, right));
        }
        let left = self.expr(left, expected)?;
        let right = self.expr(right, Some(left.ty))?;
        Ok((left, right))
    }

    /// Numbers that should have one type: that of the first which is not open.
    fn alike(&self, trees: &[Tree], expected: Option<Type>) -> Reading<Vec<Expr>> {
        let closed = trees.iter().position(|tree| !tree.is_open_number());
        let leading = closed.unwrap_or(0);
        let leader = self.expr(&trees[leading], expected)?;
        let ty = leader.ty;
        let mut found = Vec::new();
        for (index, tree) in trees.iter().enumerate() {
            found.push(match index == leading {
                true => leader.clone(),
                false => self.expr(tree, Some(ty))?,
            });
        }
        Ok(found)
    }

    fn unary(&self, op: UnaryOp, operand: &Tree, expected: Option<Type>) -> Reading<Expr> {
        if op == UnaryOp::Not {
            return Ok(Expr::unary(op, self.condition(operand)?));
        }
        let inside = self.expr(operand, expected)?;
        let fits = match inside.ty {
            Type::Scalar(s) if op == UnaryOp::BitNot => s.is_integer(),
            Type::Scalar(s) => s != ScalarType::Bool,
            Type::Pointer(_) => false,
        };
        if fits {
            return Ok(Expr::unary(op, inside));
        }
        let symbol = if op == UnaryOp::Neg { "-" } else { "~" };
        let found = type_text(inside.ty);
        Problem::at(
            operand.at,
            format!("`{symbol}` is not defined on `{found}`"),
        )
    }

    fn binary(
        &self,
        op: BinaryOp,
        left: &Tree,
        right: &Tree,
        expected: Option<Type>,
        at: Span,
    ) -> Reading<Expr> {
        use BinaryOp::*;
        if op.is_logical() {
            let left = self.condition(left)?;
            return Ok(Expr::binary(op, left, self.condition(right)?));
        }
        if matches!(op, Shl | Shr) {
            let left = self.expr(left, expected)?;
            let right = self.expr(right, None)?;
            return self.combined(op, left, right, at);
        }
        let (left, right) = if op.is_comparison() {
            self.pair(left, right, None, Tree::is_open)?
        } else if op == Add && (right.is_open_number() || !left.is_open_number()) {
            // The left operand may be a pointer.
            let first = self.expr(left, expected)?;
            if first.ty.pointer().is_some() {
                return Ok(Expr::offset(first, self.index(right)?));
            }
            let second = self.expr(right, Some(first.ty))?;
            (first, second)
        } else {
            self.pair(left, right, expected, Tree::is_open_number)?
        };
        match (op, left.ty, right.ty) {
            (Sub, Type::Pointer(a), Type::Pointer(b)) if a.elem == b.elem => {
                Ok(Expr::binary(PtrDiff, left, right))
            }
            (Sub, Type::Pointer(_), Type::Scalar(_)) => {
                let message = "to go back, add a negative number of elements: `p + -i`";
                Problem::at(at, message)
            }
            (Add, Type::Scalar(_), Type::Pointer(_)) => {
                Problem::at(at, "the pointer stands in front: `p + i`")
            }
            _ => self.combined(op, left, right, at),
        }
    }

    /// Both operands have the type the operator needs, or a message that names both types.
    fn combined(&self, op: BinaryOp, left: Expr, right: Expr, at: Span) -> Reading<Expr> {
        use BinaryOp::*;
        let fits = match (left.ty, right.ty) {
            (Type::Scalar(a), Type::Scalar(b)) => match op {
                Shl | Shr => a.is_integer() && b.is_integer(),
                _ if a != b => false,
                BitAnd | BitOr | BitXor => !a.is_float(),
                Rem => a.is_integer(),
                _ => op.is_comparison() || a != ScalarType::Bool,
            },
            (Type::Pointer(a), Type::Pointer(b)) => op.is_comparison() && a.elem == b.elem,
            _ => false,
        };
        if fits {
            return Ok(Expr::binary(op, left, right));
        }
        let (symbol, a, b) = (op.c_symbol(), type_text(left.ty), type_text(right.ty));
        let is_number = |ty: Type| ty.scalar().is_some_and(|s| s != ScalarType::Bool);
        let advice = match a != b && is_number(left.ty) && is_number(right.ty) {
            true => format!(": conversions are written, `{a}(…)`"),
            false => String::new(),
        };
        let message = match a == b {
            true => format!("`{symbol}` is not defined on `{a}`"),
            false => format!("`{symbol}` between `{a}` and `{b}`{advice}"),
        };
        Problem::at(at, message)
    }

    fn cast(&self, ty: Type, operand: &Tree, at: Span) -> Reading<Expr> {
        let inside = self.expr(operand, None)?;
        let fits = match (inside.ty, ty) {
            (Type::Scalar(_), Type::Scalar(_)) | (Type::Pointer(_), Type::BOOL) => true,
            (Type::Pointer(a), Type::Pointer(b)) => a.elem == b.elem || is_null(&inside),
            (Type::Scalar(_), Type::Pointer(_)) => is_null(&inside),
            _ => false,
        };
        if !fits {
            let (from, to) = (type_text(inside.ty), type_text(ty));
            let message = format!("there is no conversion from `{from}` to `{to}`");
            return Problem::at(at, message);
        }
        Ok(Expr::new(ty, ExprKind::Cast(Arc::new(inside))))
    }

    fn math(
        &self,
        function: MathFn,
        args: &[Tree],
        expected: Option<Type>,
        at: Span,
    ) -> Reading<Expr> {
        let arity = function.arity();
        let word = super::super::words::function_word(function);
        if args.len() != arity {
            let plural = if arity == 1 { "" } else { "s" };
            let message = format!("`{word}` takes {arity} operand{plural}, not {}", args.len());
            return Problem::at(at, message);
        }
        let changes_type = matches!(function, MathFn::BitsAs(_) | MathFn::Aligned(_));
        let args = self.alike(args, expected.filter(|_| !changes_type))?;
        let ty = args[0].ty;
        if let (MathFn::Aligned(_), Type::Pointer(_)) = (function, ty) {
            return Ok(Expr::new(Type::BOOL, ExprKind::Math(function, args)));
        }
        let fits = ty.scalar().is_some_and(|s| function.is_defined_on(s));
        if !fits || args.iter().any(|arg| arg.ty != ty) {
            let types: Vec<String> = args.iter().map(|arg| type_text(arg.ty)).collect();
            let message = format!("`{word}` is not defined on `{}`", types.join("`, `"));
            return Problem::at(at, message);
        }
        let given = ty.scalar().map(|s| Type::Scalar(function.result(s)));
        let given = given.unwrap_or(ty);
        Ok(Expr::new(given, ExprKind::Math(function, args)))
    }
}

/// The integer constant 0 or the null pointer, converted or not.
fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(Value::Int(_, 0)) => true,
        ExprKind::Const(Value::Pointer(p)) => p.array == ArrayRef::Null,
        ExprKind::Cast(inside) => is_null(inside),
        _ => false,
    }
}
