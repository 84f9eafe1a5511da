//! An expression of C, its parts by name: what the rest of the front end sees of clang's nodes.
//!
//! A view costs nothing and is made where it is needed; clang's tree stays the only one. Conversions are explicit in
//! it already, and names are resolved. `docs/decisions/front-end.md` says why there is no second tree.

use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::symbol::Symbol;
use crate::syntax::{DeclRef, Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::BinaryOp;

/// What an expression is. A node without the parts that its construct has is `Other`, as is every construct that has
/// no variant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expression<'n> {
    /// `1`, `'a'`
    Integer,
    /// `1.5f`
    Floating,
    /// `true`
    Boolean,
    /// `nullptr`
    Null,
    /// `"text"`
    Text,
    /// A zero that is not written: `int()`, the rest of a list.
    Zero,
    /// `{a, b}`; its `items` do not have what fills up an array.
    List(&'n [Node]),
    /// `sizeof x`, `alignof(T)`
    SizeOf,
    /// `as_int(x)` of OpenCL C.
    SameBits(&'n Node),
    /// `x`
    Name(&'n DeclRef),
    /// `left[right]`; C lets the pointer stand on either side.
    Subscript { left: &'n Node, right: &'n Node },
    /// `object.member`, and `object->member`.
    Member { object: &'n Node, is_arrow: bool },
    /// `vector.xy`
    Elements(&'n Node),
    /// `*pointer`
    Dereference(&'n Node),
    /// `&place`
    AddressOf(&'n Node),
    /// `++x`, `x--`
    Step(Step<'n>),
    /// `__extension__ x`: `x` itself.
    Extension(&'n Node),
    /// `+x`
    Plus(&'n Node),
    /// `-x`
    Minus(&'n Node),
    /// `~x`
    Complement(&'n Node),
    /// `!x`
    Not(&'n Node),
    /// `left op right`, where both are always evaluated and the operator has a value.
    Binary {
        op: BinaryOp,
        left: &'n Node,
        right: &'n Node,
    },
    /// `left && right`, `left || right`
    Logical {
        is_and: bool,
        left: &'n Node,
        right: &'n Node,
    },
    /// `left, right`
    Comma { left: &'n Node, right: &'n Node },
    /// `left = right`
    Assign { left: &'n Node, right: &'n Node },
    /// `left op= right`
    CompoundAssign {
        op: BinaryOp,
        left: &'n Node,
        right: &'n Node,
    },
    /// `condition ? then : otherwise`
    Conditional {
        condition: &'n Node,
        then: &'n Node,
        otherwise: &'n Node,
    },
    /// A conversion, written or not.
    Cast { how: &'n CastKind, inner: &'n Node },
    /// `f(x)`, `object.f(x)`, and the call that an overloaded operator is.
    Call(Call<'n>),
    /// The arguments of a constructor.
    Construct(&'n [Node]),
    /// `[…](…) { … }`
    Lambda,
    /// `new T`
    New,
    /// `delete p`
    Delete(&'n Node),
    /// `throw x`
    Throw,
    /// `kernel<<<…>>>(…)`
    Launch(Launch<'n>),
    /// `asm("…" : … : x)`, its operands.
    Assembly(&'n [Node]),
    /// `(T){…}`
    CompoundLiteral(&'n Node),
    /// `(x)`
    Parentheses,
    /// Anything else.
    Other,
}

/// The parts of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launch<'n> {
    /// The extents of grid and block, the bytes of dynamic shared memory, and the stream; the last two may be missing.
    pub configuration: &'n [Node],
    pub arguments: &'n [Node],
}

/// The parts of `++x` and its kin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'n> {
    pub is_up: bool,
    /// Its value is the one before the step.
    pub is_postfix: bool,
    pub operand: &'n Node,
}

impl Step<'_> {
    /// The operator between the old value and one.
    pub(crate) fn operator(&self) -> BinaryOp {
        match self.is_up {
            true => BinaryOp::Add,
            false => BinaryOp::Sub,
        }
    }

    /// What is added.
    pub(crate) fn by(&self) -> i64 {
        match self.is_up {
            true => 1,
            false => -1,
        }
    }
}

/// How a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// `f(x)`
    Function,
    /// `object.f(x)`
    Member,
    /// `a + b`, of an overloaded operator; the object is the first argument.
    Operator,
}

/// The parts of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'n> {
    pub form: CallForm,
    /// What is called, with the conversions that lead to it.
    pub callee: &'n Node,
    pub arguments: &'n [Node],
}

impl<'n> Call<'n> {
    /// The declaration of what is called: a function, a variable, or a member.
    pub(crate) fn declaration(&self) -> Option<Id> {
        let member = self.callee.without_casts().kind.referenced_member_decl;
        self.named().map(|decl| decl.id).or(member)
    }

    /// The name of what is called; empty where it has none.
    pub(crate) fn name(&self) -> &'n str {
        match self.named() {
            Some(decl) => &decl.name,
            None => self.callee.without_casts().name(),
        }
    }

    /// The declaration that the callee names.
    pub(crate) fn named(&self) -> Option<&'n DeclRef> {
        self.callee.without_casts().kind.referenced_decl.as_ref()
    }
}

/// The construct that a node is.
pub(crate) fn of(node: &Node) -> Expression<'_> {
    let parts = node.inner.as_slice();
    match (node.kind(), parts) {
        (Kind::IntegerLiteral | Kind::CharacterLiteral, _) => Expression::Integer,
        (Kind::FloatingLiteral, _) => Expression::Floating,
        (Kind::CXXBoolLiteralExpr, _) => Expression::Boolean,
        (Kind::CXXNullPtrLiteralExpr | Kind::GNUNullExpr, _) => Expression::Null,
        (Kind::StringLiteral, _) => Expression::Text,
        (Kind::ImplicitValueInitExpr | Kind::CXXScalarValueInitExpr, _) => Expression::Zero,
        (Kind::InitListExpr, items) => Expression::List(items),
        (Kind::UnaryExprOrTypeTraitExpr, _) => Expression::SizeOf,
        (Kind::AsTypeExpr, [inner, ..]) => Expression::SameBits(inner),
        (Kind::DeclRefExpr, _) => match &node.kind.referenced_decl {
            Some(decl) => Expression::Name(decl),
            None => Expression::Other,
        },
        (Kind::ArraySubscriptExpr, [left, right]) => Expression::Subscript { left, right },
        (Kind::MemberExpr, [object, ..]) => Expression::Member {
            object,
            is_arrow: node.kind.is_arrow,
        },
        (Kind::ExtVectorElementExpr, [vector, ..]) => Expression::Elements(vector),
        (Kind::UnaryOperator, [operand]) => unary(node, operand),
        (Kind::BinaryOperator, [left, right]) => binary(node, left, right),
        (Kind::CompoundAssignOperator, [left, right]) => {
            match node.symbol().and_then(Symbol::operator) {
                Some(op) => Expression::CompoundAssign { op, left, right },
                None => Expression::Other,
            }
        }
        (Kind::ConditionalOperator, [condition, then, otherwise]) => Expression::Conditional {
            condition,
            then,
            otherwise,
        },
        (Kind::CallExpr, parts) => call(CallForm::Function, parts),
        (Kind::CXXMemberCallExpr, parts) => call(CallForm::Member, parts),
        (Kind::CXXOperatorCallExpr, parts) => call(CallForm::Operator, parts),
        (Kind::CXXConstructExpr | Kind::CXXTemporaryObjectExpr, arguments) => {
            Expression::Construct(arguments)
        }
        (Kind::LambdaExpr, _) => Expression::Lambda,
        (Kind::CXXNewExpr, _) => Expression::New,
        (Kind::CXXDeleteExpr, [pointer]) => Expression::Delete(pointer),
        (Kind::CXXThrowExpr, _) => Expression::Throw,
        (Kind::CUDAKernelCallExpr, [_, configuration, arguments @ ..]) => {
            Expression::Launch(Launch {
                configuration: configuration.arguments(),
                arguments,
            })
        }
        (Kind::GCCAsmStmt, operands) => Expression::Assembly(operands),
        (Kind::CompoundLiteralExpr, [inner]) => Expression::CompoundLiteral(inner),
        (Kind::ParenExpr, _) => Expression::Parentheses,
        (kind, [.., inner]) if kind.is_cast() => Expression::Cast {
            how: node.cast(),
            inner,
        },
        _ => Expression::Other,
    }
}

fn unary<'n>(node: &'n Node, operand: &'n Node) -> Expression<'n> {
    let step = |is_up| {
        Expression::Step(Step {
            is_up,
            is_postfix: node.kind.is_postfix,
            operand,
        })
    };
    match node.symbol() {
        Some(Symbol::Extension) => Expression::Extension(operand),
        Some(Symbol::Plus) => Expression::Plus(operand),
        Some(Symbol::Minus) => Expression::Minus(operand),
        Some(Symbol::Tilde) => Expression::Complement(operand),
        Some(Symbol::Exclamation) => Expression::Not(operand),
        Some(Symbol::Star) => Expression::Dereference(operand),
        Some(Symbol::Ampersand) => Expression::AddressOf(operand),
        Some(Symbol::Increment) => step(true),
        Some(Symbol::Decrement) => step(false),
        _ => Expression::Other,
    }
}

fn binary<'n>(node: &'n Node, left: &'n Node, right: &'n Node) -> Expression<'n> {
    match node.symbol() {
        Some(Symbol::Comma) => Expression::Comma { left, right },
        Some(Symbol::Assign) => Expression::Assign { left, right },
        Some(symbol @ (Symbol::And | Symbol::Or)) => Expression::Logical {
            is_and: *symbol == Symbol::And,
            left,
            right,
        },
        symbol => match symbol.and_then(Symbol::operator) {
            Some(op) => Expression::Binary { op, left, right },
            None => Expression::Other,
        },
    }
}

fn call(form: CallForm, parts: &[Node]) -> Expression<'_> {
    match parts {
        [callee, arguments @ ..] => Expression::Call(Call {
            form,
            callee,
            arguments,
        }),
        [] => Expression::Other,
    }
}
