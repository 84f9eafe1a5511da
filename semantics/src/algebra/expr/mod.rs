//! Typed expressions. Pure: evaluating one changes nothing. In the surface form an expression may
//! read memory (`ExprKind::Load`); in the atomic form it may not.

mod function;

pub use function::{Axis, BinaryOp, Builtin, MathFn, UnaryOp};

use crate::algebra::ids::{ArrayId, VarId};
use crate::algebra::types::{PointerType, ScalarType, Type};
use crate::algebra::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A typed expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expr {
    /// The type of its value.
    pub ty: Type,
    /// What it computes.
    pub kind: ExprKind,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ExprKind {
    /// A value that stands in the program; [`Expr::no_value`] is one, too.
    Const(Value),
    /// A private variable of the innermost procedure.
    Var(VarId),
    /// Who the thread is, or the shape of its launch.
    Builtin(Builtin),
    /// A function of one operand.
    Unary(UnaryOp, Arc<Expr>),
    /// A function of two operands, evaluated left to right.
    Binary(BinaryOp, Arc<Expr>, Arc<Expr>),
    /// Conversion to the expression's type: between scalars as in C (a float out of the integer's
    /// range is a fault), between pointers of one element type (qualifiers), from the constant 0
    /// to the null pointer, from a pointer to `Bool`.
    Cast(Arc<Expr>),
    /// `c ? a : b`; only the branch chosen is evaluated.
    Select(Arc<Expr>, Arc<Expr>, Arc<Expr>),
    /// A function that C writes as a call; operands are evaluated left to right.
    Math(MathFn, Vec<Expr>),
    /// Pointer to the first element of a declared array.
    ArrayBase(ArrayId),
    /// Pointer plus a number of elements (`I64`).
    Offset(Arc<Expr>, Arc<Expr>),
    /// Reads the cell a pointer points to. Surface form only.
    Load(Arc<Expr>),
}

impl Expr {
    /// An expression of this type, which is not checked here.
    pub fn new(ty: Type, kind: ExprKind) -> Expr {
        Expr { ty, kind }
    }

    /// The type of the cells that a pointer points to.
    ///
    /// # Panics
    /// It is no pointer: well-formedness asks for one wherever this is asked ([`Expects::Pointer`]).
    ///
    /// [`Expects::Pointer`]: crate::algebra::operator::Expects::Pointer
    pub fn pointee(&self) -> ScalarType {
        match self.ty {
            Type::Pointer(to) => to.elem,
            Type::Scalar(ty) => panic!("a pointer is asked for, not a value of type {ty:?}"),
        }
    }

    /// The type of a number or truth value.
    ///
    /// # Panics
    /// It is a pointer: well-formedness asks for a number wherever this is asked.
    pub fn scalar_type(&self) -> ScalarType {
        match self.ty {
            Type::Scalar(ty) => ty,
            Type::Pointer(to) => panic!("a number is asked for, not a pointer to {:?}", to.elem),
        }
    }

    /// A value, of its own type; `I32` where it has none.
    pub fn constant(value: Value) -> Expr {
        let ty = match value {
            Value::Pointer(_) | Value::Undef => Type::I32,
            scalar => Type::Scalar(scalar.scalar_type().unwrap_or(ScalarType::I32)),
        };
        Expr {
            ty,
            kind: ExprKind::Const(value),
        }
    }

    /// No value. It may only be assigned to a variable, which then has no value, as after a
    /// declaration without an initialiser has been reached (again).
    pub fn no_value(ty: Type) -> Expr {
        Expr {
            ty,
            kind: ExprKind::Const(Value::Undef),
        }
    }

    /// The variable that this expression only copies: the expression is the variable itself, or a conversion of it
    /// that cannot fail. A variable without a value may be copied ([`crate::evaluation::eval::copied`]).
    pub fn copied_var(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Var(var) => Some(*var),
            ExprKind::Cast(inner) => {
                let is_number = |e: &Expr| e.ty.scalar();
                let (from, to) = (is_number(inner)?, is_number(self)?);
                (!from.is_float() || to.is_float()).then(|| inner.copied_var())?
            }
            _ => None,
        }
    }

    /// Whether this is [`Expr::no_value`].
    pub fn is_no_value(&self) -> bool {
        self.kind == ExprKind::Const(Value::Undef)
    }

    /// An integer constant, wrapped to the width of its type.
    pub fn int(ty: ScalarType, value: i64) -> Expr {
        Expr::constant(Value::int(ty, value as i128))
    }

    /// A constant of type `I32`.
    pub fn i32(value: i32) -> Expr {
        Expr::constant(Value::i32(value))
    }

    /// A constant of type `Bool`.
    pub fn bool(value: bool) -> Expr {
        Expr::constant(Value::Bool(value))
    }

    /// A variable, of the type it is declared with.
    pub fn var(var: VarId, ty: Type) -> Expr {
        Expr {
            ty,
            kind: ExprKind::Var(var),
        }
    }

    /// A built-in variable, of its type.
    pub fn builtin(builtin: Builtin) -> Expr {
        let ty = if builtin == Builtin::WarpSize {
            Type::I32
        } else {
            Type::U32
        };
        Expr {
            ty,
            kind: ExprKind::Builtin(builtin),
        }
    }

    /// Has the type of the operand.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        Expr {
            ty: operand.ty,
            kind: ExprKind::Unary(op, Arc::new(operand)),
        }
    }

    /// The type follows from the operator and the left operand.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = if op.is_comparison() || op.is_logical() {
            Type::BOOL
        } else if op == BinaryOp::PtrDiff {
            Type::I64
        } else {
            left.ty
        };
        Expr {
            ty,
            kind: ExprKind::Binary(op, Arc::new(left), Arc::new(right)),
        }
    }

    /// Conversion to `ty`; the expression itself when it has that type already.
    pub fn cast(self, ty: Type) -> Expr {
        if self.ty == ty {
            self
        } else {
            Expr {
                ty,
                kind: ExprKind::Cast(Arc::new(self)),
            }
        }
    }

    /// Has the type of `then`.
    pub fn select(cond: Expr, then: Expr, otherwise: Expr) -> Expr {
        let ty = then.ty;
        let kind = ExprKind::Select(Arc::new(cond), Arc::new(then), Arc::new(otherwise));
        Expr { ty, kind }
    }

    /// A pointer to the first element of a declared array.
    pub fn array_base(array: ArrayId, pointer: PointerType) -> Expr {
        Expr {
            ty: Type::Pointer(pointer),
            kind: ExprKind::ArrayBase(array),
        }
    }

    /// `pointer + elements`; the offset is converted to `I64`.
    pub fn offset(pointer: Expr, elements: Expr) -> Expr {
        let elements = elements.cast(Type::I64);
        Expr {
            ty: pointer.ty,
            kind: ExprKind::Offset(Arc::new(pointer), Arc::new(elements)),
        }
    }

    /// `*pointer`; `None` when the operand is not a pointer.
    pub fn load(pointer: Expr) -> Option<Expr> {
        let elem = pointer.ty.pointer()?.elem;
        Some(Expr {
            ty: Type::Scalar(elem),
            kind: ExprKind::Load(Arc::new(pointer)),
        })
    }

    /// The direct operands, left to right.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Builtin(_)
            | ExprKind::ArrayBase(_) => vec![],
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Load(a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Offset(a, b) => vec![a, b],
            ExprKind::Select(a, b, c) => vec![a, b, c],
            ExprKind::Math(_, args) => args.iter().collect(),
        }
    }

    /// Calls `visit` on this expression and everything inside, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for operand in self.operands() {
            operand.walk(visit);
        }
    }

    /// Rebuilds the expression bottom-up; `f` sees each node with its operands already rebuilt.
    pub fn map(&self, f: &mut impl FnMut(Expr) -> Expr) -> Expr {
        let kind = match &self.kind {
            leaf @ (ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Builtin(_)
            | ExprKind::ArrayBase(_)) => leaf.clone(),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Arc::new(a.map(f))),
            ExprKind::Cast(a) => ExprKind::Cast(Arc::new(a.map(f))),
            ExprKind::Load(a) => ExprKind::Load(Arc::new(a.map(f))),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Arc::new(a.map(f)), Arc::new(b.map(f)))
            }
            ExprKind::Offset(a, b) => ExprKind::Offset(Arc::new(a.map(f)), Arc::new(b.map(f))),
            ExprKind::Select(a, b, c) => {
                ExprKind::Select(Arc::new(a.map(f)), Arc::new(b.map(f)), Arc::new(c.map(f)))
            }
            ExprKind::Math(function, args) => {
                ExprKind::Math(*function, args.iter().map(|arg| arg.map(f)).collect())
            }
        };
        f(Expr { ty: self.ty, kind })
    }

    /// Whether the expression reads memory.
    pub fn has_load(&self) -> bool {
        matches!(self.kind, ExprKind::Load(_)) || self.operands().iter().any(|e| e.has_load())
    }
}
