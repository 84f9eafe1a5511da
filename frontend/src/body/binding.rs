//! The meanings of names in a procedure.

use crate::storage::place::{Place, reads};
use crate::types::ctype::QualifiedType;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::types::Type;
use std::sync::Arc;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A scalar or pointer variable.
    Var(VarId, Type),
    /// Memory: an array, or a scalar whose address is taken.
    Array(ArrayId, QualifiedType),
    /// A reference: the variable holds the address of its target.
    Reference(VarId, QualifiedType),
    /// A value of several parts: one variable each.
    Object(Vec<VarId>, QualifiedType),
    /// Memory with cells of several types: one array for each group.
    Memory(Vec<ArrayId>, QualifiedType),
    /// A reference to such memory.
    References(Vec<VarId>, QualifiedType),
    /// Another name of a place: a reference of a function whose call is read in place.
    Alias(Place),
    /// The address of a pointer that is a variable: a parameter of such a function.
    Address(Place),
    Constant(Expr),
    /// A `cudaError_t`, which has only one value.
    Status,
    /// The variables that the arguments of a cooperative launch point to.
    Arguments(Vec<Id>),
    /// A text handed to an error reporter: nothing depends on it.
    Text,
    /// `main`'s arguments: `argv`.
    CommandLine,
    /// A reference to the texture of this name at file scope.
    Texture(Arc<str>),
    /// A text that is known while the program is read.
    Known(String),
}

impl Binding {
    /// The expressions that are evaluated when a name is bound in this way.
    pub fn evaluated(&self) -> Vec<Expr> {
        match self {
            Binding::Constant(value) => vec![value.clone()],
            Binding::Alias(Place::Value(values, _)) => values.clone(),
            Binding::Alias(place) | Binding::Address(place) => place.addresses(),
            _ => vec![],
        }
    }

    /// Whether the name stands for this variable, or for something that reads it.
    pub fn names(&self, var: VarId) -> bool {
        match self {
            Binding::Var(own, _) | Binding::Reference(own, _) => *own == var,
            Binding::Object(own, _) | Binding::References(own, _) => own.contains(&var),
            Binding::Alias(place) | Binding::Address(place) => place.names(var),
            Binding::Constant(value) => reads(value, var),
            Binding::Array(..)
            | Binding::Memory(..)
            | Binding::Status
            | Binding::Arguments(_)
            | Binding::Text
            | Binding::CommandLine
            | Binding::Texture(_)
            | Binding::Known(_) => false,
        }
    }
}
