//! Options for reading a file.

use std::path::{Path, PathBuf};

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

impl Language {
    /// The language that a file's extension says; `None` for other files.
    pub fn of_file(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "cu" | "cuh" | "cpp" | "cc" | "cxx" | "hpp" | "hh" | "hxx" | "inl" => {
                Some(Language::Cuda)
            }
            "c" | "h" => Some(Language::C),
            "cl" => Some(Language::OpenCl),
            "scheme" => Some(Language::Scheme),
            _ => None,
        }
    }

    /// The language of a header with this text: `.h` is C's, but C has no kernels.
    pub(crate) fn of_header(self, path: &Path, text: &str) -> Language {
        let is_header = path.extension().is_some_and(|extension| extension == "h");
        let marks = ["__global__", "__device__", "__host__"];
        match is_header && marks.iter().any(|mark| text.contains(mark)) {
            true => Language::Cuda,
            false => self,
        }
    }
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
    /// Files that clang includes before the source: `-include`.
    pub pre_includes: Vec<PathBuf>,
    /// Whether a header that is not found makes the file an error. Else an empty one stands in its place.
    pub require_includes: bool,
    /// Whether headers are looked for only where clang looks. Else also in folders nearby, within the same repository.
    pub only_given_folders: bool,
    /// Whether clang reads all that CUDA C++ has without an include. Else what the file cannot name is left out, which takes
    /// less time and changes nothing else.
    pub whole_prelude: bool,
    /// Instances of templates to make besides those that the file makes, as `kernel<float, 256>`.
    pub instantiate: Vec<String>,
    /// Whether to choose an instance of each kernel template of which the file makes none.
    pub choose_instances: bool,
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

impl ParseOptions {
    /// Whether clang reads no files but one and the headers that come with the tool, and has the time that it usually
    /// needs.
    pub(crate) fn reads_one_file(&self) -> bool {
        let least = ReadLimits::LEAST;
        self.include_dirs.is_empty()
            && self.pre_includes.is_empty()
            && self.clang.is_none()
            && self.limits.seconds >= least.seconds
            && self.limits.bytes >= least.bytes
    }
}

/// How much time and memory clang may use for one file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadLimits {
    /// Seconds by the clock.
    pub seconds: f64,
    /// Bytes of its address space.
    pub bytes: u64,
}

impl ReadLimits {
    /// What a compiler needs to start, on a busy machine too.
    pub const LEAST: ReadLimits = ReadLimits {
        seconds: 5.0,
        bytes: 1 << 30,
    };
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
