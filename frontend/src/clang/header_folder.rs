//! The folder clang finds the stand-in headers in.
//!
//! The headers, about a hundred, are the same for every file. They are kept in a folder of the user's cache whose
//! name is a hash of their texts, and are written there once. Without a cache, or if that folder has other contents,
//! a temporary folder is used.

use crate::clang::stand_ins;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// The beginning of the folder's name.
const PREFIX: &str = "gridlock-headers-";

/// The headers, which exist as long as this value.
pub(crate) struct HeaderFolder {
    path: PathBuf,
    _temporary: Option<TempDir>,
}

/// The folder of the cache this process has looked through.
static LOOKED_THROUGH: Mutex<Option<PathBuf>> = Mutex::new(None);

impl HeaderFolder {
    /// # Errors
    /// They can be written neither into the cache nor into a temporary folder.
    pub fn new() -> io::Result<HeaderFolder> {
        if let Some(path) = cache().and_then(|cache| cached(&cache)) {
            return Ok(HeaderFolder {
                path,
                _temporary: None,
            });
        }
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        write_into(folder.path())?;
        Ok(HeaderFolder {
            path: folder.path().to_path_buf(),
            _temporary: Some(folder),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether clang's name of a file is that of a stand-in header.
pub(crate) fn is_stand_in(path: &str) -> bool {
    stand_in(path).is_some()
}

/// The name by which a program includes the stand-in at this path, if it is one.
pub(crate) fn stand_in(path: &str) -> Option<&str> {
    let at = path.rfind(&format!("/{PREFIX}"))?;
    let (_, name) = path[at + 1..].split_once('/')?;
    Some(name)
}

/// `$XDG_CACHE_HOME/gridlock`, or `~/.cache/gridlock`.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let folder = PathBuf::from(std::env::var_os(name)?);
        folder.is_absolute().then_some(folder)
    };
    let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(folder.join("gridlock"))
}

/// The folder of the headers in `cache`, made if it does not exist; `None` if it cannot be made or has other
/// contents.
fn cached(cache: &Path) -> Option<PathBuf> {
    let mut looked_through = LOOKED_THROUGH.lock().ok()?;
    let path = cache.join(name());
    let is_known = looked_through.as_ref() == Some(&path);
    if is_known && path.join(stand_ins::CUDA_PRELUDE).exists() {
        return Some(path);
    }
    *looked_through = None;
    if !path.is_dir() {
        // The folder gets its final name only when it is complete, so no process sees a part of it. Another process
        // may have made it meanwhile.
        std::fs::create_dir_all(cache).ok()?;
        let aside = tempfile::Builder::new()
            .prefix(".")
            .tempdir_in(cache)
            .ok()?;
        write_into(aside.path()).ok()?;
        if std::fs::rename(aside.path(), &path).is_ok() {
            let _ = aside.keep();
        }
    }
    if !holds_all(&path) {
        return None;
    }
    *looked_through = Some(path.clone());
    Some(path)
}

fn holds_all(folder: &Path) -> bool {
    let same = |(name, text): &(String, String)| {
        std::fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes())
    };
    stand_ins::files().iter().all(same)
}

fn name() -> String {
    let mut hasher = DefaultHasher::new();
    stand_ins::files().hash(&mut hasher);
    format!("{PREFIX}{:016x}", hasher.finish())
}

fn write_into(folder: &Path) -> io::Result<()> {
    for (name, text) in stand_ins::files() {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_filled_once_and_used_again() {
        let cache = tempfile::tempdir().expect("a folder");
        let path = cached(cache.path()).expect("filled");
        assert!(holds_all(&path));
        assert_eq!(cached(cache.path()), Some(path.clone()));
        let entries = std::fs::read_dir(cache.path()).expect("read").count();
        assert_eq!(entries, 1, "nothing is left beside it");
        assert!(is_stand_in(&path.join("sys/time.h").to_string_lossy()));
    }

    #[test]
    fn a_cache_that_holds_something_else_is_not_used() {
        let cache = tempfile::tempdir().expect("a folder");
        let path = cache.path().join(name());
        write_into(&path).expect("written");
        std::fs::write(path.join("math.h"), "float sqrtf(int);").expect("written");
        assert_eq!(cached(cache.path()), None);
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_not_used() {
        let cache = tempfile::tempdir().expect("a folder");
        let file = cache.path().join("file");
        std::fs::write(&file, "").expect("written");
        assert_eq!(cached(&file), None);
    }
}
