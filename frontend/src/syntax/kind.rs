//! What construct of the language a node of clang's tree is.

use serde::de::{Deserialize, Deserializer, Visitor};
use std::fmt;

/// Declares [`Kind`] from the names that clang gives the constructs: one list, so that no name is written twice.
macro_rules! kinds {
    ($($name:ident,)*) => {
        /// What a node of clang's tree is: clang's own name for it. Those that the front end reads have a variant
        /// each, so that a misspelt one does not compile.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub(crate) enum Kind {
            /// Nothing: the place of an absent child (`for (;;)`).
            #[default]
            Absent,
            $($name,)*
            /// Any other construct.
            Other(Box<str>),
        }

        impl Kind {
            /// clang's name; empty for [`Kind::Absent`].
            pub(crate) fn name(&self) -> &str {
                match self {
                    Kind::Absent => "",
                    $(Kind::$name => stringify!($name),)*
                    Kind::Other(name) => name,
                }
            }

            /// The construct of this name.
            pub(crate) fn named(name: &str) -> Kind {
                match name {
                    "" => Kind::Absent,
                    $(stringify!($name) => Kind::$name,)*
                    other => Kind::Other(other.into()),
                }
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    // Declarations.
    BindingDecl,
    CXXConstructorDecl,
    CXXConversionDecl,
    CXXDestructorDecl,
    CXXMethodDecl,
    CXXRecordDecl,
    ClassTemplateDecl,
    ClassTemplateSpecializationDecl,
    DecompositionDecl,
    EmptyDecl,
    EnumConstantDecl,
    EnumDecl,
    FieldDecl,
    FileScopeAsmDecl,
    FriendDecl,
    FunctionDecl,
    FunctionTemplateDecl,
    LinkageSpecDecl,
    NamespaceDecl,
    ParmVarDecl,
    RecordDecl,
    StaticAssertDecl,
    TypeAliasDecl,
    TypedefDecl,
    UsingDecl,
    UsingDirectiveDecl,
    VarDecl,
    VarTemplateDecl,
    VarTemplateSpecializationDecl,
    // Statements.
    AttributedStmt,
    BreakStmt,
    CXXCatchStmt,
    CXXForRangeStmt,
    CXXTryStmt,
    CaseStmt,
    CompoundStmt,
    ContinueStmt,
    DeclStmt,
    DefaultStmt,
    DoStmt,
    ForStmt,
    GCCAsmStmt,
    GotoStmt,
    IfStmt,
    IndirectGotoStmt,
    LabelStmt,
    MSAsmStmt,
    NullStmt,
    ReturnStmt,
    SwitchStmt,
    WhileStmt,
    // Expressions.
    AddrLabelExpr,
    ArraySubscriptExpr,
    AsTypeExpr,
    AtomicExpr,
    BinaryConditionalOperator,
    BinaryOperator,
    CStyleCastExpr,
    CUDAKernelCallExpr,
    CXXBindTemporaryExpr,
    CXXBoolLiteralExpr,
    CXXConstCastExpr,
    CXXConstructExpr,
    CXXDefaultArgExpr,
    CXXDefaultInitExpr,
    CXXDeleteExpr,
    CXXFunctionalCastExpr,
    CXXMemberCallExpr,
    CXXNewExpr,
    CXXNullPtrLiteralExpr,
    CXXOperatorCallExpr,
    CXXReinterpretCastExpr,
    CXXScalarValueInitExpr,
    CXXStaticCastExpr,
    CXXTemporaryObjectExpr,
    CXXThisExpr,
    CXXThrowExpr,
    CallExpr,
    CharacterLiteral,
    CompoundAssignOperator,
    CompoundLiteralExpr,
    ConditionalOperator,
    ConstantExpr,
    DeclRefExpr,
    ExprWithCleanups,
    ExtVectorElementExpr,
    FloatingLiteral,
    GNUNullExpr,
    ImplicitCastExpr,
    ImplicitValueInitExpr,
    InitListExpr,
    IntegerLiteral,
    LambdaExpr,
    MaterializeTemporaryExpr,
    MemberExpr,
    ParenExpr,
    PredefinedExpr,
    StmtExpr,
    StringLiteral,
    SubstNonTypeTemplateParmExpr,
    UnaryExprOrTypeTraitExpr,
    UnaryOperator,
    VAArgExpr,
    // Attributes.
    AlignedAttr,
    AlwaysInlineAttr,
    AnnotateAttr,
    CUDAConstantAttr,
    CUDADeviceAttr,
    CUDAGlobalAttr,
    CUDAHostAttr,
    CUDASharedAttr,
    HIPManagedAttr,
    OpenCLKernelAttr,
    PackedAttr,
    ReqdWorkGroupSizeAttr,
    // What belongs to declarations.
    CXXCtorInitializer,
    FullComment,
    TemplateArgument,
}

impl Kind {
    /// Whether it declares a function that is no member.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self, Kind::FunctionDecl)
    }

    /// Whether it declares a variable or a parameter.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self, Kind::VarDecl | Kind::ParmVarDecl)
    }

    /// Whether it is a declaration that only C++ has.
    pub(crate) fn is_of_cxx(&self) -> bool {
        self.name().starts_with("CXX")
    }

    /// Whether it is a conversion, written or not.
    pub(crate) fn is_cast(&self) -> bool {
        self.name().ends_with("CastExpr")
    }

    /// Whether it is an attribute.
    pub(crate) fn is_attribute(&self) -> bool {
        self.name().ends_with("Attr")
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a construct")
            }

            fn visit_str<E>(self, name: &str) -> Result<Kind, E> {
                Ok(Kind::named(name))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, NAMES};

    #[test]
    fn every_name_is_read_back() {
        for name in NAMES {
            let kind = Kind::named(name);
            assert_eq!(kind.name(), *name);
            assert!(!matches!(kind, Kind::Other(_) | Kind::Absent), "{name}");
        }
        assert_eq!(Kind::named("NoSuchExpr").name(), "NoSuchExpr");
        assert_eq!(Kind::named(""), Kind::Absent);
        let read: Kind = serde_json::from_str("\"ForStmt\"").expect("a name");
        assert_eq!(read, Kind::ForStmt);
    }
}
