//! Files written whole or not at all, and never in the place of what the same command reads.

use crate::input::error::{ErrorKind, InputError};
pub use gridlock_boundary::whole_file::Identity;
use gridlock_boundary::whole_file::{self, WriteError};
use std::path::{Path, PathBuf};

/// The files a command reads. Nothing it writes takes the place of one, whatever its name.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<Identity>);

impl Inputs {
    /// These are read; those that are not there are not.
    pub fn add<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>) {
        self.0.extend(paths.into_iter().filter_map(Identity::of));
    }

    /// # Errors
    /// The file is one of those read.
    pub fn refuse(&self, path: &Path) -> Result<(), InputError> {
        // Only what is a file can be lost: a device is written to again and again.
        let known = Identity::of(path).filter(|_| path.is_file());
        match known.is_some_and(|known| self.0.contains(&known)) {
            false => Ok(()),
            true => {
                let message = "this is an input of the command, and would be overwritten";
                Err(InputError::usage(message).in_file(path.display().to_string()))
            }
        }
    }

    /// Writes a file whole ([`gridlock_boundary::whole_file::write`]).
    ///
    /// # Errors
    /// It is an input, or cannot be written; what was there before is still there.
    pub fn write_beside(&self, path: &Path, contents: impl AsRef<[u8]>) -> Result<(), InputError> {
        self.refuse(path)?;
        whole_file::write(path, contents).map_err(not_written)
    }

    /// Writes files of a folder, which is made where it is not there
    /// ([`gridlock_boundary::whole_file::write_in`]).
    ///
    /// # Errors
    /// One is an input, leads out of the folder, or cannot be written; then none is.
    pub fn write_in(
        &self,
        folder: &Path,
        files: &[(&str, &[u8])],
    ) -> Result<Vec<PathBuf>, InputError> {
        make(folder)?;
        for (name, _) in files {
            self.refuse(&whole_file::in_folder(folder, name).map_err(not_written)?)?;
        }
        whole_file::write_in(folder, files).map_err(not_written)
    }
}

/// Makes a folder for results where it is not there.
///
/// # Errors
/// It cannot be made.
pub fn make(folder: &Path) -> Result<(), InputError> {
    std::fs::create_dir_all(folder).map_err(|error| {
        not_written(WriteError {
            path: folder.to_owned(),
            error,
        })
    })
}

fn not_written(error: WriteError) -> InputError {
    InputError::new(ErrorKind::File, format!("cannot write: {}", error.error))
        .in_file(error.path.display().to_string())
}

/// A name as part of that of a file: never a path.
pub fn file_part(name: &str) -> String {
    let is_fine = |c: char| !(c == '/' || c.is_control());
    name.chars()
        .map(|c| if is_fine(c) { c } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn an_input_is_not_overwritten_under_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("a.cu");
        std::fs::write(&source, "source").unwrap();
        let (soft, hard) = (dir.path().join("soft"), dir.path().join("hard"));
        symlink(&source, &soft).unwrap();
        std::fs::hard_link(&source, &hard).unwrap();
        let mut inputs = Inputs::default();
        inputs.add([source.as_path(), Path::new("no such file")]);
        for path in [&source, &soft, &hard, &dir.path().join("./a.cu")] {
            let error = inputs.write_beside(path, "x").unwrap_err();
            assert!(error.message.contains("an input"), "{error}");
        }
        assert!(
            inputs
                .write_in(dir.path(), &[("new", b"x"), ("soft", b"x")])
                .is_err()
        );
        assert!(!dir.path().join("new").exists());
        assert_eq!(std::fs::read_to_string(&source).unwrap(), "source");
        inputs
            .write_beside(&dir.path().join("b.cu"), "other")
            .unwrap();
    }

    #[test]
    fn a_failure_says_where() {
        let dir = tempfile::tempdir().unwrap();
        let inputs = Inputs::default();
        let nowhere = dir.path().join("nowhere/page.html");
        let error = inputs.write_beside(&nowhere, "x").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("nowhere/page.html: cannot write"),
            "{error}"
        );
        assert_eq!(file_part("../a\nb/cuda"), "..-a-b-cuda");
    }
}
