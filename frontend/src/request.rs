//! What the caller can say about a parse.

use std::path::PathBuf;

/// Source languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++: kernels, device functions and host functions.
    Cuda,
    /// C: every function is a host procedure.
    C,
    /// OpenCL C: kernels and device functions.
    OpenCl,
    /// The algebra's own notation.
    Scheme,
}

/// What the caller can say about a parse.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The clang to run; else `$GRIDLOCK_CLANG`, `clang-19`, `clang`.
    pub clang: Option<PathBuf>,
    /// How much clang may take.
    pub limits: ReadLimits,
    /// `-D name` or `-D name=value`.
    pub defines: Vec<(String, Option<String>)>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// Instances of templates to make besides those the file makes: `kernel<float, 256>`.
    pub instantiate: Vec<String>,
    /// Else decided by the file's extension.
    pub language: Option<Language>,
    /// The dialect of C++ or C that clang reads (`-std`), as `c++20`.
    pub standard: Option<String>,
    /// How deep calls of a recursive function are unfolded; else as deep as [`DEFAULT_RECURSION`], less where
    /// it calls itself in several places.
    pub recursion: Option<u32>,
    /// `main`'s arguments, without the program's name.
    pub argv: Vec<String>,
}

/// How much clang may take for one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadLimits {
    /// By the clock.
    pub seconds: f64,
    /// Of its address space.
    pub bytes: u64,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits {
            seconds: 60.0,
            bytes: 2 << 30,
        }
    }
}

/// How deep calls of a recursive function are unfolded where nobody says.
pub const DEFAULT_RECURSION: u32 = 8;

/// Deepest unfolding that may be asked for.
pub const MAX_RECURSION: u32 = 64;
