//! What a printer gives: source text, and what must be known to launch the kernels in it.

use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::types::{PointerType, ScalarType};
use serde::{Deserialize, Serialize};

/// Target languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// CUDA C++ kernels and device functions.
    Cuda,
    /// OpenCL C kernels and functions.
    OpenCl,
    /// A whole program: kernels and host code over the CUDA runtime; plain C where there is
    /// nothing for a GPU.
    Host,
}

impl Target {
    /// The name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Cuda => "cuda",
            Target::OpenCl => "opencl",
            Target::Host => "host",
        }
    }
}

/// A parameter of a lowered kernel, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Param {
    /// A parameter of the procedure, passed by value.
    Scalar {
        /// In the text.
        name: String,
        /// Type of the value.
        ty: ScalarType,
    },
    /// A pointer parameter of the procedure, into global memory.
    Pointer {
        /// In the text.
        name: String,
        /// What it points to.
        ty: PointerType,
    },
    /// A declared array of global memory. Where the language has no such declarations (OpenCL),
    /// the caller that launches keeps one buffer for it and passes that at every launch.
    GlobalArray {
        /// In the text.
        name: String,
        /// The declared array.
        array: ArrayId,
    },
    /// Dynamic shared memory as an argument (OpenCL): its size is the launch's `shared_bytes`.
    DynamicShared {
        /// In the text.
        name: String,
        /// The declared array.
        array: ArrayId,
    },
}

/// How a kernel in the text is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelInterface {
    /// The kernel in the program that was lowered.
    pub proc: ProcId,
    /// Its name in the text.
    pub name: String,
    /// In the order in which arguments are passed.
    pub params: Vec<Param>,
    /// Whether blocks wait for each other in it, so that all of them have to run at once (a cooperative launch).
    #[serde(default)]
    pub cooperative: bool,
}

/// A lowered program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lowered {
    /// The language the text is written in.
    pub target: Target,
    /// The source text.
    pub text: String,
    /// Every kernel in the text.
    pub kernels: Vec<KernelInterface>,
    /// Names, in the text, of declared arrays of spaces `Global` and `Constant`.
    pub arrays: Vec<(ArrayId, String)>,
    /// File name extension the text should have: `cu`, `cl` or `c`.
    pub extension: String,
}

impl Lowered {
    /// How the kernel `proc` is called; `None` if the text does not have it.
    pub fn kernel(&self, proc: ProcId) -> Option<&KernelInterface> {
        self.kernels.iter().find(|kernel| kernel.proc == proc)
    }
}
