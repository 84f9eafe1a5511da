//! Files written whole or not at all.

use crate::input_error::{ErrorKind, InputError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes `contents` to `path`: first beside it under another name, which then takes its place, so
/// that nobody ever finds half of it. A symbolic link is followed; what is no plain file (a pipe,
/// `/dev/stdout`) is written to as it is.
///
/// # Errors
/// The file cannot be written; what was there before is still there.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), InputError> {
    written(path, contents.as_ref()).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot write: {e}"))
            .in_file(path.display().to_string())
    })
}

fn written(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&path).is_ok_and(|known| !known.is_file()) {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(&path)?
            .write_all(contents);
    }
    let beside = beside(&path);
    let done = write_new(&beside, &path, contents).and_then(|()| std::fs::rename(&beside, &path));
    if done.is_err() {
        // What is left of the attempt is of no use; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(&beside);
    }
    done
}

fn write_new(beside: &Path, path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(beside)?;
    if let Ok(known) = std::fs::metadata(path) {
        file.set_permissions(known.permissions())?;
    }
    file.write_all(contents)?;
    file.sync_all()
}

/// A name in the same folder that nobody else uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("page.html");
        write(&file, "first").unwrap();
        write(&file, "second").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "second");
        let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn a_failure_says_where_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let error = write(&dir.path().join("nowhere/page.html"), "x").unwrap_err();
        assert!(error.to_string().contains("nowhere/page.html"), "{error}");
        // A folder is no file to write to.
        assert!(write(dir.path(), "x").is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
