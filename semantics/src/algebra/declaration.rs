//! What a program declares: arrays in address spaces, and private variables.

use super::ids::ProcId;
use super::span::Span;
use super::types::{ScalarType, Type};
use super::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Address spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Space {
    Host,
    Global,
    Shared,
    Constant,
    /// One instance a thread (arrays only; private scalars are variables).
    Private,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// Number of elements.
    Fixed(u64),
    /// `extern __shared__`: the launch's dynamic shared memory, in elements of this array.
    LaunchShared,
}

/// A declared array. Arrays of several dimensions are stored flat, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayDecl {
    pub name: Arc<str>,
    pub elem: ScalarType,
    pub extent: Extent,
    /// Extents of each dimension as declared (`int a[2][3]` → `[2, 3]`); empty for a scalar.
    pub dims: Vec<u64>,
    pub space: Space,
    pub is_volatile: bool,
    /// Managed memory: the host reaches it as well as the devices (global arrays only).
    #[serde(default)]
    pub is_managed: bool,
    /// Initial contents, shorter than the extent when the rest is zero; `None`: uninitialised
    /// (`__device__` globals and constants without initialiser are zero: `Some(vec![])`).
    pub init: Option<Vec<Value>>,
    /// The procedure it is declared in; `None` at file scope.
    pub owner: Option<ProcId>,
    pub span: Span,
}

/// A private variable: parameter, local, or temporary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VarDecl {
    pub name: Arc<str>,
    pub ty: Type,
    pub span: Span,
}
