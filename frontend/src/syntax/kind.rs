//! What construct of the language a node of clang's tree is, and what a conversion does.

use serde::de::{Deserialize, Deserializer, Visitor};
use std::fmt;

/// Declares an enumeration of clang's names: one list, so that no name is written twice.
macro_rules! names {
    (
        $(#[$doc:meta])*
        $type:ident, $all:ident;
        $(#[$absent:meta])* Absent,
        $($name:ident,)*
        $(#[$other:meta])* Other,
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub(crate) enum $type {
            $(#[$absent])*
            #[default]
            Absent,
            $($name,)*
            $(#[$other])*
            Other(Box<str>),
        }

        impl $type {
            /// clang's name; empty where there is none.
            pub(crate) fn name(&self) -> &str {
                match self {
                    $type::Absent => "",
                    $($type::$name => stringify!($name),)*
                    $type::Other(name) => name,
                }
            }

            /// What clang calls so.
            pub(crate) fn named(name: &str) -> $type {
                match name {
                    "" => $type::Absent,
                    $(stringify!($name) => $type::$name,)*
                    other => $type::Other(other.into()),
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(Named($type::named))
            }
        }

        #[cfg(test)]
        const $all: &[&str] = &[$(stringify!($name)),*];
    };
}

names! {
    /// What a node of clang's tree is: clang's own name for it. Those that the front end reads have a variant
    /// each, so that a misspelt one does not compile.
    Kind, KINDS;
    /// Nothing: the place of an absent child (`for (;;)`).
    Absent,
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
    NamespaceAliasDecl,
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
    CXXInheritedCtorInitExpr,
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
    CUDALaunchBoundsAttr,
    CUDASharedAttr,
    HIPManagedAttr,
    OpenCLKernelAttr,
    PackedAttr,
    ReqdWorkGroupSizeAttr,
    // What belongs to declarations.
    CXXCtorInitializer,
    FullComment,
    NonTypeTemplateParmDecl,
    TemplateArgument,
    TemplateTemplateParmDecl,
    TemplateTypeParmDecl,
    /// Any other construct.
    Other,
}

names! {
    /// What a conversion does.
    CastKind, CASTS;
    /// The node is no conversion.
    Absent,
    AddressSpaceConversion,
    ArrayToPointerDecay,
    BitCast,
    BuiltinFnToFnPtr,
    BooleanToSignedIntegral,
    ConstructorConversion,
    DerivedToBase,
    FloatingCast,
    FloatingToBoolean,
    FloatingToIntegral,
    FunctionToPointerDecay,
    IntegralCast,
    IntegralToBoolean,
    IntegralToFloating,
    IntegralToPointer,
    LValueToRValue,
    NoOp,
    NullToPointer,
    PointerToBoolean,
    PointerToIntegral,
    ToVoid,
    UncheckedDerivedToBase,
    UserDefinedConversion,
    VectorSplat,
    ZeroToOCLOpaqueType,
    /// Any other conversion.
    Other,
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

    /// Whether it is a conversion that an object can have and stay one.
    pub(crate) fn is_cast_of_objects(&self) -> bool {
        matches!(
            self,
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr | Kind::CXXStaticCastExpr
        )
    }

    /// Whether it is an attribute.
    pub(crate) fn is_attribute(&self) -> bool {
        self.name().ends_with("Attr")
    }
}

impl Kind {
    /// The construct in the words of a message.
    pub(crate) fn in_words(&self) -> String {
        match self {
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
            Kind::CXXInheritedCtorInitExpr => "an inherited constructor",
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
}

/// Reads what a text of clang's stands for.
pub(super) struct Named<T>(pub(super) fn(&str) -> T);

impl<T> Visitor<'_> for Named<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name of clang's")
    }

    fn visit_str<E>(self, name: &str) -> Result<T, E> {
        Ok(self.0(name))
    }
}

#[cfg(test)]
mod tests {
    use super::{CASTS, CastKind, KINDS, Kind};

    #[test]
    fn every_name_is_read_back() {
        for name in KINDS {
            let kind = Kind::named(name);
            assert_eq!(kind.name(), *name);
            assert!(!matches!(kind, Kind::Other(_) | Kind::Absent), "{name}");
        }
        for name in CASTS {
            let cast = CastKind::named(name);
            assert_eq!(cast.name(), *name);
            assert!(
                !matches!(cast, CastKind::Other(_) | CastKind::Absent),
                "{name}"
            );
        }
        assert_eq!(Kind::named("NoSuchExpr").name(), "NoSuchExpr");
        assert_eq!(Kind::named(""), Kind::Absent);
        let read: Kind = serde_json::from_str("\"ForStmt\"").expect("a name");
        assert_eq!(read, Kind::ForStmt);
    }
}
