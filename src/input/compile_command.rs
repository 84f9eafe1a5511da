//! The command line of a compiler (`nvcc -I include -DN=4 kernel.cu`): which sources it names, and how it says they
//! are read. It is read and never run.

use super::reading::{Reading, beside};
use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use gridlock_frontend::Language;
use std::path::{Path, PathBuf};

/// What a command line of a compiler says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileCommand {
    /// In their order.
    pub sources: Vec<PathBuf>,
    /// How all of them are read.
    pub reading: Reading,
}

/// Names of compilers, without a version or a prefix of a target.
const COMPILERS: [&str; 12] = [
    "nvcc", "nvc++", "clang", "clang++", "clang-cl", "hipcc", "gcc", "g++", "cc", "c++", "icpx",
    "nvc",
];

/// Programs that stand in front of a compiler.
const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "env"];

/// Files of options within files of options.
const DEEPEST: usize = 4;

/// Options with a value of their own, which is no source and changes nothing of what is judged.
const WITH_VALUE: [&str; 40] = [
    "-o",
    "--output-file",
    "-odir",
    "--output-directory",
    "-code",
    "--gpu-code",
    "-ccbin",
    "--compiler-bindir",
    "-MF",
    "-MT",
    "-MQ",
    "--dependency-output",
    "-l",
    "--library",
    "-L",
    "--library-path",
    "-Xlinker",
    "--linker-options",
    "-Xptxas",
    "--ptxas-options",
    "-Xnvlink",
    "--nvlink-options",
    "-Xarchive",
    "--archive-options",
    "-Xcudafe",
    "--cudafe-options",
    "-diag-suppress",
    "--diag-suppress",
    "-diag-error",
    "-diag-warn",
    "-maxrregcount",
    "--maxrregcount",
    "-t",
    "--threads",
    "-keep-dir",
    "--keep-dir",
    "-target",
    "-arch-list",
    "-idirafter-after",
    "--generate-dependency-targets",
];

/// Beginnings of options without a value of their own that change nothing of what is judged.
const HARMLESS: [&str; 62] = [
    "-O",
    "--optimize",
    "-g",
    "-G",
    "--debug",
    "--device-debug",
    "-lineinfo",
    "--generate-line-info",
    "-W",
    "-w",
    "-Werror",
    "--Werror",
    "--disable-warnings",
    "-c",
    "--compile",
    "-dc",
    "--device-c",
    "-dw",
    "-dlink",
    "-rdc",
    "--relocatable-device-code",
    "-M",
    "-E",
    "-S",
    "-ptx",
    "--ptx",
    "-cubin",
    "--cubin",
    "-fatbin",
    "--fatbin",
    "-v",
    "--verbose",
    "-l",
    "-L",
    "-pthread",
    "-pipe",
    "-march",
    "-mtune",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fvisibility",
    "-fdiagnostics",
    "-fcolor",
    "-fno-",
    "-fstack",
    "-fcuda-",
    "-expt-relaxed-constexpr",
    "--expt-relaxed-constexpr",
    "-expt-extended-lambda",
    "--expt-extended-lambda",
    "-extended-lambda",
    "--extended-lambda",
    "-keep",
    "--keep",
    "-shared",
    "-static",
    "-cudart",
    "--cudart",
    "-forward-",
    "-res-usage",
];

/// Further ones, whole.
const HARMLESS_WHOLE: [&str; 12] = [
    "--resource-usage",
    "--use-local-env",
    "-allow-unsupported-compiler",
    "--allow-unsupported-compiler",
    "-src-in-ptx",
    "--source-in-ptx",
    "--cuda-device-only",
    "-fmad=true",
    "--fmad=true",
    "-m64",
    "--std",
    "-Xclang",
];

/// Whether the first word of a command line names a compiler, or what stands in front of one.
pub fn is_compiler(word: &str) -> bool {
    if word.starts_with(['-', '@']) {
        return false;
    }
    let name = Path::new(word).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    // `clang++-19`, `x86_64-linux-gnu-g++`.
    let without_version = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let without_version = match without_version.len() < name.len() {
        true => without_version.strip_suffix('-').unwrap_or(name),
        false => name,
    };
    let is_one = |name: &str| COMPILERS.contains(&name) || LAUNCHERS.contains(&name);
    is_one(name)
        || is_one(without_version)
        || COMPILERS.iter().any(|compiler| {
            let before = without_version.strip_suffix(compiler);
            before.is_some_and(|target| target.ends_with('-'))
        })
}

/// Reads the words of a command line, the compiler's name among them, as run in `folder` (empty: here).
///
/// # Errors
/// An option without its value, a file of options that cannot be read; no source that can be judged.
pub fn read<S: AsRef<str>>(words: &[S], folder: &Path) -> Result<CompileCommand, InputError> {
    let mut words: Vec<String> = words.iter().map(|word| word.as_ref().to_owned()).collect();
    while words
        .first()
        .is_some_and(|word| is_compiler(word) || is_assignment(word))
    {
        words.remove(0);
    }
    let mut reader = Reader {
        folder,
        command: CompileCommand::default(),
        others: Vec::new(),
    };
    reader.words(words, 0)?;
    let Reader {
        mut command,
        others,
        ..
    } = reader;
    if command.sources.is_empty() && command.reading.language.is_some() {
        command.sources = others;
    }
    if command.sources.is_empty() {
        let message = "this compile command names no source of CUDA, OpenCL C or C";
        return Err(InputError::usage(message));
    }
    Ok(command)
}

/// `NAME=VALUE` in front of a command.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

struct Reader<'a> {
    folder: &'a Path,
    command: CompileCommand,
    /// Host sources of C++, which are CUDA only where the command says so.
    others: Vec<PathBuf>,
}

impl Reader<'_> {
    fn words(&mut self, words: Vec<String>, depth: usize) -> Result<(), InputError> {
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            self.word(&word, &mut words, depth)?;
        }
        Ok(())
    }

    fn word(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = String>,
        depth: usize,
    ) -> Result<(), InputError> {
        let mut value = |attached: &str| -> Result<String, InputError> {
            if !attached.is_empty() {
                return Ok(attached.strip_prefix('=').unwrap_or(attached).to_owned());
            }
            rest.next().ok_or_else(|| {
                InputError::usage(format!("the compile command ends after `{word}`"))
            })
        };
        if let Some(file) = word.strip_prefix('@') {
            return self.options_of(file, depth);
        }
        if !word.starts_with('-') || word == "-" {
            self.source(word);
            return Ok(());
        }
        let reading = &mut self.command.reading;
        // Long names end where the word ends, or at `=`.
        let long = |names: &[&str]| {
            let found = names.iter().find_map(|name| word.strip_prefix(name));
            found.filter(|rest| rest.is_empty() || rest.starts_with('='))
        };
        let short = |name: &str| word.strip_prefix(name);
        if let Some(attached) = long(&["--define-macro"]).or_else(|| short("-D")) {
            reading.define(&value(attached)?);
        } else if let Some(attached) = long(&["--undefine-macro"]).or_else(|| short("-U")) {
            reading.undefine(&value(attached)?);
        } else if let Some(attached) = long(&["-include", "--pre-include"]) {
            let file = value(attached)?;
            reading.pre_includes.push(beside(self.folder, &file));
        } else if let Some(attached) = long(&["--include-path", "--system-include"])
            .or_else(|| short("-isystem"))
            .or_else(|| short("-iquote"))
            .or_else(|| short("-idirafter"))
            .or_else(|| short("-I"))
        {
            let folder = value(attached)?;
            reading.include_dirs.push(beside(self.folder, &folder));
        } else if let Some(attached) = long(&["-std", "--std"]) {
            reading.standard = Some(value(attached)?);
        } else if let Some(attached) = long(&["-x", "--x"]) {
            reading.language = match value(attached)?.as_str() {
                "cu" | "cuda" => Some(Language::Cuda),
                "cl" => Some(Language::OpenCl),
                _ => reading.language,
            };
        } else if let Some(attached) = long(&["--options-file", "-optf"]) {
            for file in value(attached)?.split(',') {
                self.options_of(file, depth)?;
            }
        } else if let Some(attached) = long(&["-Xcompiler", "--compiler-options"]) {
            // The host's compiler preprocesses what is compiled for the device, too.
            let words = value(attached)?;
            let words = words.split(',').flat_map(str::split_whitespace);
            let words = words.map(|word| word.trim_matches(['"', '\'']).to_owned());
            self.words(words.collect(), depth + 1)?;
        } else if let Some(attached) = long(&[
            "-arch",
            "--gpu-architecture",
            "-gencode",
            "--generate-code",
            "-default-stream",
            "--default-stream",
        ]) {
            let name = &word[..word.len() - attached.len()];
            let option = format!("{name}={}", value(attached)?);
            self.not_followed(option);
        } else if let Some(attached) = long(&WITH_VALUE) {
            value(attached)?;
        } else if !is_harmless(word) {
            self.not_followed(word.to_owned());
        }
        Ok(())
    }

    fn not_followed(&mut self, option: String) {
        let known = &mut self.command.reading.not_followed;
        if !known.contains(&option) {
            known.push(option);
        }
    }

    fn source(&mut self, word: &str) {
        let path = beside(self.folder, word);
        match path.extension().and_then(|e| e.to_str()) {
            Some("cu" | "cl" | "c") => self.command.sources.push(path),
            Some("cpp" | "cc" | "cxx") => self.others.push(path),
            // Objects and libraries.
            _ => {}
        }
    }

    /// The words of a file of options.
    fn options_of(&mut self, file: &str, depth: usize) -> Result<(), InputError> {
        let path = beside(self.folder, file);
        let name = path.display().to_string();
        let error = |message: String| InputError::new(ErrorKind::File, message).in_file(&name);
        if depth >= DEEPEST {
            return Err(error(format!(
                "files of options within files of options: more than {DEEPEST} of them"
            )));
        }
        let text = input::read_text(&path).map_err(|e| {
            error(format!(
                "cannot read the options of the compile command: {e}"
            ))
        })?;
        let words = split(&text).ok_or_else(|| error("a quote is not closed".to_owned()))?;
        self.words(words, depth + 1)
    }
}

fn is_harmless(word: &str) -> bool {
    HARMLESS_WHOLE.contains(&word) || HARMLESS.iter().any(|begin| word.starts_with(begin))
}

/// The words of a command line as a shell splits them; nothing is expanded. `None`: a quote is not closed.
pub fn split(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<CompileCommand, InputError> {
        read(&split(text).unwrap(), Path::new(""))
    }

    /// `expected`: the sources, what is followed, what is not.
    fn check(text: &str, sources: &[&str], followed: &[&str], not_followed: &[&str]) {
        let command = read_text(text).unwrap();
        let found: Vec<String> = command
            .sources
            .iter()
            .map(|s| s.display().to_string())
            .collect();
        assert_eq!(found, sources, "{text}");
        assert_eq!(command.reading.texts(), followed, "{text}");
        assert_eq!(command.reading.not_followed, not_followed, "{text}");
    }

    #[test]
    fn what_is_followed() {
        check(
            "nvcc -Iinclude -I src -isystem=/usr/x -DN=4 -D M -std=c++17 -o out.cu -c k.cu",
            &["k.cu"],
            &[
                "-D N=4",
                "-D M",
                "-I include",
                "-I src",
                "-I /usr/x",
                "--std c++17",
            ],
            &[],
        );
        check(
            "ccache /usr/local/cuda/bin/nvcc --define-macro=N=4 --include-path=a -UN -include pre.h k.cu l.cu main.cpp",
            &["k.cu", "l.cu"],
            &["-I a", "-include pre.h"],
            &[],
        );
        check(
            "nvcc -Xcompiler=-DA,-fPIC,-Ib -Xcompiler \"-DB -O2\" -x cu k.cpp",
            &["k.cpp"],
            &["-D A", "-D B", "-I b"],
            &[],
        );
        check("clang++-19 -x cuda -c k.cc", &["k.cc"], &[], &[]);
        check(
            "X=1 gcc -std=c11 -O2 -Wall k.c -lm",
            &["k.c"],
            &["--std c11"],
            &[],
        );
    }

    #[test]
    fn what_is_not_followed_is_named() {
        check(
            "nvcc -arch=sm_70 -gencode arch=compute_80,code=sm_80 -use_fast_math -O3 --ptxas-options=-v -UX k.cu",
            &["k.cu"],
            &[],
            &[
                "-arch=sm_70",
                "-gencode=arch=compute_80,code=sm_80",
                "-use_fast_math",
                "-UX",
            ],
        );
    }

    #[test]
    fn what_is_no_command_is_refused() {
        let refused = |text: &str, part: &str| {
            let error = read_text(text).unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
        };
        refused("nvcc -c a.o", "no source");
        refused("nvcc main.cpp", "no source");
        refused("nvcc k.cu -D", "ends after `-D`");
        refused("nvcc @no-such-file k.cu", "cannot read the options");
        assert_eq!(split("nvcc 'k.cu"), None);
    }

    #[test]
    fn files_of_options_are_read_and_bounded() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("o.rsp"), "-I\"with space\" -DN=4").unwrap();
        let words = ["nvcc", "--options-file", "o.rsp", "k.cu"];
        let command = read(&words, folder.path()).unwrap();
        assert_eq!(command.sources, [folder.path().join("k.cu")]);
        assert_eq!(
            command.reading.include_dirs,
            [folder.path().join("with space")]
        );
        std::fs::write(folder.path().join("loop.rsp"), "@loop.rsp").unwrap();
        let error = read(&["nvcc", "@loop.rsp", "k.cu"], folder.path()).unwrap_err();
        assert!(error.message.contains("more than 4"), "{error}");
        assert!(error.file.is_some());
    }

    #[test]
    fn names_of_compilers() {
        for name in [
            "nvcc",
            "/opt/bin/nvcc",
            "clang++",
            "clang++-19",
            "x86_64-linux-gnu-g++-12",
        ] {
            assert!(is_compiler(name), "{name}");
        }
        for name in ["kernel.cu", "nvcc.cu", "-nvcc", "@options.cu", "--help.cu"] {
            assert!(!is_compiler(name), "{name}");
        }
    }
}
