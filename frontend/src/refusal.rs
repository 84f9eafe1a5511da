//! Why a procedure is not supported.

use crate::syntax::kind::Kind;
use gridlock_semantics::algebra::span::Span;

/// Why a procedure is not supported, and where.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub span: Span,
    pub message: String,
    /// The root cause, if the message is about another procedure that is refused.
    pub cause: Option<String>,
}

pub(crate) type Result<T> = std::result::Result<T, Refusal>;

/// A kind of node in the words of a message.
pub(crate) fn construct(kind: &Kind) -> String {
    match kind {
        Kind::GCCAsmStmt | Kind::MSAsmStmt => "inline assembly",
        Kind::CaseStmt | Kind::DefaultStmt => "`switch`",
        Kind::IndirectGotoStmt | Kind::AddrLabelExpr => "`goto`",
        Kind::LambdaExpr => "a lambda",
        Kind::CXXForRangeStmt => "a range-based `for`",
        Kind::CXXTryStmt | Kind::CXXThrowExpr | Kind::CXXCatchStmt => "exceptions",
        Kind::CXXNewExpr | Kind::CXXDeleteExpr => "`new` and `delete`",
        Kind::CXXMemberCallExpr => "a call of a member function",
        Kind::CXXOperatorCallExpr => "an overloaded operator",
        Kind::CXXConstructExpr | Kind::CXXTemporaryObjectExpr | Kind::CXXThisExpr => {
            "a struct or class value"
        }
        Kind::CompoundLiteralExpr => "a compound literal",
        Kind::StmtExpr => "a statement expression",
        Kind::BinaryConditionalOperator => "the operator `?:` without its middle",
        Kind::StringLiteral | Kind::PredefinedExpr => "a string",
        Kind::CUDAKernelCallExpr => "the value of a launch",
        Kind::VAArgExpr => "a variable number of arguments",
        Kind::AtomicExpr => "an atomic of C11",
        Kind::InitListExpr => "a list of initialisers here",
        Kind::MemberExpr => "this member",
        Kind::Absent => "this",
        other => return format!("the construct {}", other.name()),
    }
    .to_string()
}
