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
    /// Memory of the CPU.
    Host,
    /// Memory of a device that all its threads reach.
    Global,
    /// One instance a block.
    Shared,
    /// Memory of a device that no thread writes.
    Constant,
    /// One instance a thread (arrays only; private scalars are variables).
    Private,
}

/// How long a declared array is.
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
    /// Unique in its procedure, not in the program.
    pub name: Arc<str>,
    /// Type of its cells.
    pub elem: ScalarType,
    /// How many cells it has.
    pub extent: Extent,
    /// Extents of each dimension as declared (`int a[2][3]` → `[2, 3]`); empty for a scalar.
    pub dims: Vec<u64>,
    /// Where it lives, hence who reaches it and how many instances there are.
    pub space: Space,
    /// Accesses are neither merged nor moved by a compiler. Orders nothing.
    pub is_volatile: bool,
    /// Managed memory: the host reaches it as well as the devices (global arrays only).
    #[serde(default)]
    pub is_managed: bool,
    /// Initial contents, shorter than the extent when the rest is zero; `None`: uninitialised
    /// (`__device__` globals and constants without initialiser are zero: `Some(vec![])`).
    pub init: Option<Vec<Value>>,
    /// The procedure it is declared in; `None` at file scope.
    pub owner: Option<ProcId>,
    /// Of a variable at file scope, what tells it from others of its name in namespaces, classes, templates and functions:
    /// the name that the linker knows; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Arc<str>>,
    /// The declaration.
    pub span: Span,
}

/// A private variable: parameter, local, or temporary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VarDecl {
    /// Unique in its procedure.
    pub name: Arc<str>,
    /// What it holds.
    pub ty: Type,
    /// The declaration.
    pub span: Span,
}
