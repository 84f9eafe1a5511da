//! What a run starts from: an entry procedure, its launch and its arguments.

pub mod arbitrary;
mod contents;
pub mod context;
pub mod device_limits;
mod launch;
mod random;
pub mod texture;

pub use contents::Contents;
pub use launch::{Dim3, Launch};
pub use random::{arbitrary_cell, cell_below, ordinary_cell, random_cell, whole_range_cell};

use crate::algebra::declaration::ArrayDecl;
use crate::algebra::ids::{ArrayId, ProcId};
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use device_limits::DeviceLimits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An array bound to a pointer parameter of the entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayArg {
    /// Name in reports: the parameter's.
    pub name: Arc<str>,
    /// Type of its cells.
    pub elem: ScalarType,
    /// Number of elements; `None` if it is not given: the array then extends as far as it is used
    /// (upwards from 0), and bounds are not judged.
    pub extent: Option<u64>,
    /// What it holds when the run starts.
    pub contents: Contents,
    /// Whether its final contents are observed.
    pub observed: bool,
}

/// An argument of the entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arg {
    /// Of the parameter's type.
    Scalar(Value),
    /// A fresh array, not aliasing any other argument; index into [`Setup::arrays`]. Two
    /// parameters with the same index alias.
    Array(usize),
    /// The null pointer.
    Null,
}

/// A closed configuration: everything a run depends on but the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// A kernel (with a launch) or a host procedure (without).
    pub entry: ProcId,
    /// The launch of the entry if that is a kernel; `None` for a host procedure.
    pub launch: Option<Launch>,
    /// In the order of the entry's parameters.
    pub args: Vec<Arg>,
    /// Numbering of the arrays of a run: `Global(0..)` are the declared arrays of spaces `Global`
    /// and `Constant` and `Host(0..)` those of space `Host`, in order of declaration; then follow
    /// these, as `Global` for a kernel entry and as `Host` for a host entry; then allocations.
    pub arrays: Vec<ArrayArg>,
    /// Of a kernel entry, what declared arrays of spaces `Global` and `Constant` hold when it starts,
    /// where that is not what their declarations say: a host may have filled them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declared: BTreeMap<ArrayId, Contents>,
    /// Declared arrays, in whichever memory but shared and private, whose final contents are observed, after those of
    /// the arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<ArrayId>,
    /// The limits that launches by host code must satisfy, and for which the setup's own launch is meant. A file
    /// names the device instead.
    #[serde(skip)]
    pub device: DeviceLimits,
}

impl Setup {
    /// What the declared array `id` holds when the run starts.
    pub fn first_contents(&self, id: ArrayId, decl: &ArrayDecl) -> Contents {
        match (self.declared.get(&id), &decl.init) {
            (Some(given), _) => given.clone(),
            (None, None) => Contents::Undef,
            (None, Some(values)) => Contents::Values(values.clone()),
        }
    }
}
