//! Variables, arrays and procedures are identified by their positions in the lists of a program.

use serde::{Deserialize, Serialize};

/// Index into [`Procedure::vars`](super::program::Procedure::vars).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VarId(pub u32);

/// Index into [`Program::arrays`](super::program::Program::arrays).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ArrayId(pub u32);

/// Index into [`Program::procs`](super::program::Program::procs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcId(pub u32);
