//! Why a procedure is not supported.

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
pub(crate) fn construct(kind: &str) -> String {
    match kind {
        "GCCAsmStmt" | "MSAsmStmt" => "inline assembly",
        "CaseStmt" | "DefaultStmt" => "`switch`",
        "IndirectGotoStmt" | "AddrLabelExpr" => "`goto`",
        "LambdaExpr" => "a lambda",
        "CXXForRangeStmt" => "a range-based `for`",
        "CXXTryStmt" | "CXXThrowExpr" | "CXXCatchStmt" => "exceptions",
        "CXXNewExpr" | "CXXDeleteExpr" => "`new` and `delete`",
        "CXXMemberCallExpr" => "a call of a member function",
        "CXXOperatorCallExpr" => "an overloaded operator",
        "CXXConstructExpr" | "CXXTemporaryObjectExpr" | "CXXThisExpr" => "a struct or class value",
        "CompoundLiteralExpr" => "a compound literal",
        "StmtExpr" => "a statement expression",
        "BinaryConditionalOperator" => "the operator `?:` without its middle",
        "StringLiteral" | "PredefinedExpr" => "a string",
        "CUDAKernelCallExpr" => "the value of a launch",
        "VAArgExpr" => "a variable number of arguments",
        "AtomicExpr" => "an atomic of C11",
        "InitListExpr" => "a list of initialisers here",
        "MemberExpr" => "this member",
        "" => "this",
        other => return format!("the construct {other}"),
    }
    .to_string()
}
