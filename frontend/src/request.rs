//! Options for reading a file.

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

/// Options for reading a file. The default leaves everything to the file and to the environment.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The clang to run. `None`: the first that exists of `$GRIDLOCK_CLANG`, `clang-19` and `clang`.
    pub clang: Option<PathBuf>,
    /// How much time and memory clang may use.
    pub limits: ReadLimits,
    /// Macros to define, each with its value if it has one: `-D name` or `-D name=value`.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders in which clang looks for included files: `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// Instances of templates to make besides those that the file makes, as `kernel<float, 256>`.
    pub instantiate: Vec<String>,
    /// The language of the file. `None`: the file's extension decides.
    pub language: Option<Language>,
    /// The standard of C++ or C to which clang holds the file (`-std`), as `c++20`. `None`: clang's own choice.
    pub standard: Option<String>,
    /// How deep calls of a recursive function are unfolded, from 1 to [`MAX_RECURSION`]. `None`: as deep as
    /// [`DEFAULT_RECURSION`], and less deep where the function calls itself in several places.
    pub recursion: Option<u32>,
    /// The arguments of `main`, without the program's name.
    pub argv: Vec<String>,
}

/// How much time and memory clang may use for one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadLimits {
    /// Seconds by the clock.
    pub seconds: f64,
    /// Bytes of its address space.
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

/// How deep calls of a recursive function are unfolded where [`ParseOptions::recursion`] does not say.
pub const DEFAULT_RECURSION: u32 = 8;

/// The deepest unfolding that a header comment may ask for (`recursion = N`), and the command line (`--recursion`).
pub const MAX_RECURSION: u32 = 64;
