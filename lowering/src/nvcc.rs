//! The CUDA compiler, where one is installed.

use std::path::PathBuf;

/// Compute capabilities every lowered kernel must compile for.
pub const ARCHITECTURES: [&str; 3] = ["sm_75", "sm_80", "sm_90"];

/// No compiler; says where it was looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nvcc not found (looked at {looked}); scripts/bootstrap.sh installs it")]
pub struct NvccMissing {
    pub looked: String,
}

/// A CUDA compiler.
#[derive(Clone, Debug)]
pub struct Nvcc {
    pub path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Machine code for one architecture.
    Cubin,
    /// Assembly the driver translates.
    Ptx,
}

/// What a compilation made.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub bytes: Vec<u8>,
    /// `Cuda compilation tools, release …`
    pub compiler: String,
    pub flags: Vec<String>,
    pub seconds: f64,
}

/// One message of the compiler, at a place of the text given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// From 1; 0 when the message has no place.
    pub line: u32,
    pub is_error: bool,
    pub message: String,
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum CompileError {
    #[error("nvcc refuses the text: {}", .diagnostics.first().map_or("no message", |d| &d.message))]
    Refused {
        diagnostics: Vec<Diagnostic>,
        output: String,
    },
    #[error("nvcc does not run: {0}")]
    DoesNotRun(String),
}

/// Finds the compiler: `$GRIDLOCK_NVCC`, `.toolchain/cuda/bin/nvcc` in or above the working
/// directory and the folder of this program, then `PATH`.
pub fn find() -> Result<Nvcc, NvccMissing> {
    todo!("the compiler")
}

impl Nvcc {
    /// Compiles a translation unit of kernels, every warning an error.
    pub fn compile(
        &self,
        text: &str,
        arch: &str,
        output: Output,
    ) -> Result<Compiled, CompileError> {
        let _ = (text, arch, output);
        todo!("the compiler")
    }
}
