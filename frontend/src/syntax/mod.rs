//! clang's syntax tree, as its JSON dump gives it.
//!
//! One struct reads every kind of node: locations in the dump are written as differences to the
//! location before, so every node must read `loc` and `range` for any of them to come out right
//! (`array_filler` included, which holds nodes outside `inner`).

pub(crate) mod capture_list;
pub(crate) mod casts;
pub(crate) mod condition_declarations;
pub(crate) mod expression;
pub(crate) mod kind;
pub(crate) mod local_lambdas;
pub(crate) mod local_types;
pub(crate) mod place_in_source;
pub(crate) mod statement;
pub(crate) mod symbol;
pub(crate) mod type_place;

use clang_ast::{Id, SourceLocation, SourceRange};
use expression::Expression;
use kind::{CastKind, Kind};
use serde::Deserialize;
use statement::Statement;
use symbol::Symbol;

pub(crate) type Node = clang_ast::Node<Clang>;

/// The fields of a node that the front end reads; absent fields are `None`, `false` or empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Clang {
    /// What construct the node is.
    pub kind: Kind,
    pub loc: Option<SourceLocation>,
    pub range: Option<SourceRange>,
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub ty: Option<QualType>,
    pub arg_type: Option<QualType>,
    #[serde(rename = "computeResultType")]
    pub compute_result_type: Option<QualType>,
    pub cast_kind: CastKind,
    pub value_category: Option<String>,
    #[serde(rename = "opcode")]
    pub symbol: Option<Symbol>,
    pub is_postfix: bool,
    pub is_arrow: bool,
    pub is_array: bool,
    pub has_else: bool,
    pub has_init: bool,
    pub has_var: bool,
    pub is_used: bool,
    pub is_implicit: bool,
    pub constexpr: bool,
    /// A constructor's object is filled with zeros first.
    pub zeroing: bool,
    pub variadic: bool,
    /// A constructor's arguments stand in braces.
    pub list: bool,
    pub storage_class: Option<String>,
    /// The name that the linker knows.
    pub mangled_name: Option<String>,
    pub init: Option<String>,
    /// A literal's value: a string, a number or a boolean.
    pub value: Option<serde_json::Value>,
    pub referenced_decl: Option<DeclRef>,
    pub previous_decl: Option<Id>,
    pub tag_used: Option<String>,
    pub complete_definition: bool,
    pub bases: Vec<Base>,
    pub is_bitfield: bool,
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
    /// `default` of a function the compiler writes.
    pub explicitly_defaulted: Option<String>,
    /// The member a `MemberExpr` names.
    pub referenced_member_decl: Option<Id>,
    /// The label that a `goto` names, and that a labelled statement has.
    pub target_label_decl_id: Option<Id>,
    pub decl_id: Option<Id>,
    /// The field, or the base class, that a constructor's initialiser initialises.
    pub any_init: Option<DeclRef>,
    pub base_init: Option<QualType>,
    /// The member that a list initialises, of a union.
    pub field: Option<DeclRef>,
    /// The type that a typedef declares at the same time.
    pub owned_tag_decl: Option<DeclRef>,
    pub fixed_underlying_type: Option<QualType>,
    /// The declaration that a template's argument names, if the argument is neither a type nor a number.
    pub decl: Option<DeclRef>,
    pub ctor_type: Option<QualType>,
    #[serde(rename = "array_filler")]
    pub array_filler: Vec<Node>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QualType {
    pub qual_type: String,
    pub desugared_qual_type: Option<String>,
}

impl QualType {
    /// As written, with names of typedefs.
    pub fn text(&self) -> &str {
        &self.qual_type
    }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DeclRef {
    pub id: Id,
    #[serde(default)]
    pub kind: Kind,
    #[serde(default)]
    pub name: String,
}

/// A base class.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Base {
    #[serde(rename = "type")]
    pub ty: QualType,
    #[serde(default)]
    pub is_virtual: bool,
}

/// Short ways to inspect a node.
pub(crate) trait NodeExt {
    fn is(&self, kind: Kind) -> bool;
    fn kind(&self) -> &Kind;
    /// What it does, if it is a conversion.
    fn cast(&self) -> &CastKind;
    fn name(&self) -> &str;
    /// The symbol of an operator.
    fn symbol(&self) -> Option<&Symbol>;
    /// What the node is as an expression.
    fn expression(&self) -> Expression<'_>;
    /// What the node is as a statement.
    fn statement(&self) -> Statement<'_>;
    fn type_text(&self) -> &str;
    fn child(&self, index: usize) -> Option<&Node>;
    fn last(&self) -> Option<&Node>;
    /// The arguments of a call.
    fn arguments(&self) -> &[Node];
    /// Whether an attribute of this kind stands on the declaration.
    fn has_attribute(&self, kind: Kind) -> bool;
    /// Whether its value is no object that stands somewhere.
    fn is_prvalue(&self) -> bool;
    /// Stands for nothing: an absent part of a `for`.
    fn is_absent(&self) -> bool;
    /// The value that clang gives a constant condition (`if constexpr`).
    fn constant_truth(&self) -> Option<bool>;
    /// Without brackets, and other wrappers that mean nothing.
    fn unwrapped(&self) -> &Node;
    /// `unwrapped`, and without casts of any kind.
    fn without_casts(&self) -> &Node;
}

impl NodeExt for Node {
    fn is(&self, kind: Kind) -> bool {
        self.kind.kind == kind
    }

    fn kind(&self) -> &Kind {
        &self.kind.kind
    }

    fn cast(&self) -> &CastKind {
        &self.kind.cast_kind
    }

    fn name(&self) -> &str {
        self.kind.name.as_deref().unwrap_or("")
    }

    fn symbol(&self) -> Option<&Symbol> {
        self.kind.symbol.as_ref()
    }

    fn expression(&self) -> Expression<'_> {
        expression::of(self)
    }

    fn statement(&self) -> Statement<'_> {
        statement::of(self)
    }

    fn type_text(&self) -> &str {
        self.kind.ty.as_ref().map_or("", |t| t.text())
    }

    fn child(&self, index: usize) -> Option<&Node> {
        self.inner.get(index)
    }

    fn last(&self) -> Option<&Node> {
        self.inner.last()
    }

    fn arguments(&self) -> &[Node] {
        self.inner.get(1..).unwrap_or_default()
    }

    fn has_attribute(&self, kind: Kind) -> bool {
        self.inner.iter().any(|c| *c.kind() == kind)
    }

    fn is_prvalue(&self) -> bool {
        self.kind.value_category.as_deref() == Some("prvalue")
    }

    fn is_absent(&self) -> bool {
        self.kind.kind == Kind::Absent
    }

    fn constant_truth(&self) -> Option<bool> {
        let value = self
            .kind
            .value
            .as_ref()
            .filter(|_| self.is(Kind::ConstantExpr))?;
        match value.as_str()? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn unwrapped(&self) -> &Node {
        let mut node = self;
        while matches!(
            node.kind(),
            Kind::ParenExpr
                | Kind::ConstantExpr
                | Kind::ExprWithCleanups
                | Kind::MaterializeTemporaryExpr
                | Kind::CXXDefaultArgExpr
                | Kind::CXXDefaultInitExpr
                | Kind::SubstNonTypeTemplateParmExpr
                | Kind::CXXBindTemporaryExpr
                | Kind::CompoundLiteralExpr
        ) {
            match node.inner.last() {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    fn without_casts(&self) -> &Node {
        let mut node = self.unwrapped();
        while matches!(
            node.kind(),
            Kind::ImplicitCastExpr
                | Kind::CStyleCastExpr
                | Kind::CXXStaticCastExpr
                | Kind::CXXReinterpretCastExpr
                | Kind::CXXConstCastExpr
                | Kind::CXXFunctionalCastExpr
        ) {
            match node.inner.last() {
                Some(inner) => node = inner.unwrapped(),
                None => break,
            }
        }
        node
    }
}
