//! What others than the command line say about how a source is read: a project file, a compile command.

use gridlock_frontend::{Language, ParseOptions};
use std::path::{Path, PathBuf};

/// How a source is read, as far as a file that comes with it may say: macros, folders and files of includes, the
/// dialect, the language. Nothing here can name a program, a plugin or an output (docs/security.md).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Macros, each with its value if it has one, in order: the last of a name counts.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders for included files.
    pub include_dirs: Vec<PathBuf>,
    /// Files included before the source.
    pub pre_includes: Vec<PathBuf>,
    /// The dialect, as `c++20`.
    pub standard: Option<String>,
    /// Where the extension does not say it.
    pub language: Option<Language>,
    /// Options that could change what the program means, and that nothing here follows.
    pub not_followed: Vec<String>,
}

impl Reading {
    /// `NAME` or `NAME=VALUE`.
    pub fn define(&mut self, text: &str) {
        self.defines.push(match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.to_owned(), None),
        });
    }

    /// Takes back what was defined before; what nobody defined is not followed.
    pub fn undefine(&mut self, name: &str) {
        let known = self.defines.len();
        self.defines.retain(|(defined, _)| defined != name);
        if self.defines.len() == known {
            self.not_followed.push(format!("-U{name}"));
        }
    }

    /// These and, where both say something, what `later` says.
    pub fn then(mut self, later: Reading) -> Reading {
        self.defines.extend(later.defines);
        self.include_dirs.extend(later.include_dirs);
        self.pre_includes.extend(later.pre_includes);
        self.standard = later.standard.or(self.standard);
        self.language = later.language.or(self.language);
        for option in later.not_followed {
            if !self.not_followed.contains(&option) {
                self.not_followed.push(option);
            }
        }
        self
    }

    /// The options of a command line, which say more, over these.
    pub fn under(&self, options: ParseOptions) -> ParseOptions {
        ParseOptions {
            defines: [self.defines.clone(), options.defines].concat(),
            // What the command line names is looked through first.
            include_dirs: [options.include_dirs, self.include_dirs.clone()].concat(),
            pre_includes: [self.pre_includes.clone(), options.pre_includes].concat(),
            standard: options.standard.or_else(|| self.standard.clone()),
            language: options.language.or(self.language),
            ..options
        }
    }

    /// As options of a compiler, for a report.
    pub fn texts(&self) -> Vec<String> {
        let defines = self.defines.iter().map(|(name, value)| match value {
            Some(value) => format!("-D {name}={value}"),
            None => format!("-D {name}"),
        });
        let folders = self.include_dirs.iter();
        let folders = folders.map(|folder| format!("-I {}", folder.display()));
        let files = self.pre_includes.iter();
        let files = files.map(|file| format!("-include {}", file.display()));
        let standard = self.standard.iter().map(|std| format!("--std {std}"));
        defines
            .chain(folders)
            .chain(files)
            .chain(standard)
            .collect()
    }
}

/// A path as a file in `folder` names it.
pub(crate) fn beside(folder: &Path, path: &str) -> PathBuf {
    // Joining an absolute path gives that path.
    match folder.as_os_str().is_empty() {
        true => PathBuf::from(path),
        false => folder.join(path),
    }
}
