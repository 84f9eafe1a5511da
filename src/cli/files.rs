//! Files that are there whole or not at all.

use gridlock::input_error::{ErrorKind, InputError};
use std::io::Error;
use std::path::{Path, PathBuf};

/// Writes files: first all of them under other names, then each takes its own, so that nobody finds
/// half of one, nor one of two where the second could not be written.
pub fn write_all(files: &[(PathBuf, &str)]) -> Result<(), InputError> {
    let failed = |path: &Path, error: &Error| {
        InputError::new(ErrorKind::File, format!("cannot write: {error}"))
            .in_file(path.display().to_string())
    };
    let aside: Vec<PathBuf> = files.iter().map(|(path, _)| beside(path)).collect();
    let written = files
        .iter()
        .zip(&aside)
        .try_for_each(|((path, text), aside)| {
            // What is no ordinary file (`/dev/stdout`) cannot be replaced.
            if path.exists() && !path.is_file() {
                return std::fs::write(path, text).map_err(|e| failed(path, &e));
            }
            std::fs::write(aside, text).map_err(|e| failed(path, &e))
        });
    let renamed = written.and_then(|()| {
        files.iter().zip(&aside).try_for_each(|((path, _), aside)| {
            if path.exists() && !path.is_file() {
                return Ok(());
            }
            std::fs::rename(aside, path).map_err(|e| failed(path, &e))
        })
    });
    if renamed.is_err() {
        for path in &aside {
            let _ = std::fs::remove_file(path);
        }
    }
    renamed
}

/// The name a file has until it is whole.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
