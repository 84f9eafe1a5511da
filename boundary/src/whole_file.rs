//! Files written whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file, whatever it is called: links and other spellings of its name lead to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    /// Of the file at a path, if one is there.
    pub fn of(path: &Path) -> Option<Identity> {
        let known = fs::metadata(path).ok()?;
        Some(Identity {
            device: known.dev(),
            number: known.ino(),
        })
    }
}

/// A file that could not be written, and why.
#[derive(Debug)]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the operating system said.
    pub error: io::Error,
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: cannot write: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// Writes `contents` to `path`: first beside it under another name, which then takes its place, so
/// that no reader ever finds half of it. A symbolic link is followed; what is no plain file (a
/// pipe, `/dev/stdout`) is written to as it is.
///
/// # Errors
/// The file cannot be written; what was there before is still there.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write_all(&[(path.to_owned(), contents.as_ref())])
}

/// Writes several files: first all of them under other names, then each takes its own, so that no reader finds one
/// of two where the second could not be written.
///
/// # Errors
/// The first that cannot be written.
pub fn write_all(files: &[(PathBuf, &[u8])]) -> Result<(), WriteError> {
    let targets = files.iter().map(|(path, contents)| {
        // Where there is no such file yet, the name is as good as it stands.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        (path.as_path(), target, *contents)
    });
    put(&targets.collect::<Vec<_>>())
}

/// Writes files of a folder, all or none, given their names in it and what they hold. A link of such a name, which
/// may lead anywhere, is replaced and not followed.
///
/// # Errors
/// A name leads out of the folder, or a file cannot be written.
pub fn write_in(folder: &Path, files: &[(&str, &[u8])]) -> Result<Vec<PathBuf>, WriteError> {
    let paths = files.iter().map(|(name, _)| in_folder(folder, name));
    let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
    let targets = paths.iter().zip(files);
    let targets: Vec<Target<'_>> = targets
        .map(|(path, (_, contents))| (path.as_path(), path.clone(), *contents))
        .collect();
    put(&targets)?;
    Ok(paths)
}

/// Where a file of a folder stands.
///
/// # Errors
/// The name leads somewhere else.
pub fn in_folder(folder: &Path, name: &str) -> Result<PathBuf, WriteError> {
    let path = folder.join(name);
    let mut parts = Path::new(name).components();
    let is_name = matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
    if !is_name || name.contains(['/', '\0']) {
        let message = format!("`{}` is no name of a file", name.escape_debug());
        let error = io::Error::new(io::ErrorKind::InvalidInput, message);
        return Err(WriteError { path, error });
    }
    Ok(path)
}

/// What is given a file: its name as it was asked for, where it stands, and what it holds.
type Target<'a> = (&'a Path, PathBuf, &'a [u8]);

fn put(targets: &[Target<'_>]) -> Result<(), WriteError> {
    let mut aside: Vec<(PathBuf, &Target<'_>)> = Vec::new();
    let done = targets.iter().try_for_each(|target| {
        let (asked, path, contents) = target;
        let failed = |error| WriteError {
            path: asked.to_path_buf(),
            error,
        };
        if fs::symlink_metadata(path).is_ok_and(|known| is_stream(&known)) {
            return stream(path, contents).map_err(failed);
        }
        let beside = beside(path);
        write_new(&beside, path, contents).map_err(failed)?;
        aside.push((beside, target));
        Ok(())
    });
    let done = done.and_then(|()| {
        aside.iter().try_for_each(|(beside, (asked, path, _))| {
            fs::rename(beside, path).map_err(|error| WriteError {
                path: asked.to_path_buf(),
                error,
            })
        })
    });
    if done.is_err() {
        for (beside, _) in &aside {
            // What is left of the attempt is of no use; that it cannot be removed changes nothing.
            let _ = fs::remove_file(beside);
        }
    }
    done
}

/// Pipes and devices are written to as they are.
fn is_stream(known: &fs::Metadata) -> bool {
    let kind = known.file_type();
    !(kind.is_file() || kind.is_dir() || kind.is_symlink())
}

fn stream(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(contents)?;
    file.flush()
}

/// Writes a file that is not there yet; one that failed is gone.
fn write_new(beside: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    if path.is_dir() && !path.is_symlink() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(beside)?;
    let mut fill = || {
        if let Ok(known) = fs::symlink_metadata(path)
            && known.is_file()
        {
            file.set_permissions(known.permissions())?;
        }
        file.write_all(contents)?;
        file.sync_all()
    };
    let filled = fill();
    if filled.is_err() {
        let _ = fs::remove_file(beside);
    }
    filled
}

/// A name in the same folder that no other process uses.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Names have at most 255 bytes.
    let name: String = name.chars().take(40).collect();
    path.with_file_name(format!(".{name}.{}-{count}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn text(path: &Path) -> String {
        fs::read_to_string(path).expect("there")
    }

    fn n_files(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("page.html");
        write(&file, "first").expect("written");
        write(&file, "second").expect("written");
        assert_eq!(text(&file), "second");
        assert_eq!(n_files(dir.path()), 1);
    }

    #[test]
    fn a_failure_says_where_and_leaves_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let error = write(&dir.path().join("nowhere/page.html"), "x").expect_err("no folder");
        assert!(error.to_string().contains("nowhere/page.html"), "{error}");
        // A folder is no file to write to, and of two files neither is written.
        assert!(write(dir.path(), "x").is_err());
        let first = dir.path().join("first");
        let second = dir.path().join("nowhere/second");
        assert!(write_all(&[(first, b"1"), (second, b"2")]).is_err());
        assert_eq!(n_files(dir.path()), 0);
    }

    #[test]
    fn a_full_device_is_an_error() {
        let error = write(Path::new("/dev/full"), "x").expect_err("full");
        assert!(error.to_string().contains("/dev/full"), "{error}");
    }

    #[test]
    fn a_link_that_was_named_is_followed_and_one_in_a_folder_is_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let (elsewhere, out) = (dir.path().join("elsewhere"), dir.path().join("out"));
        fs::create_dir(&out).expect("made");
        fs::write(&elsewhere, "old").expect("written");
        let link = out.join("report.json");
        symlink(&elsewhere, &link).expect("made");
        write(&link, "new").expect("written");
        assert_eq!(text(&elsewhere), "new");
        write_in(&out, &[("report.json", b"newer")]).expect("written");
        assert_eq!(text(&elsewhere), "new");
        assert_eq!(text(&link), "newer");
    }

    #[test]
    fn no_name_leads_out_of_a_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        let out = dir.path().join("out");
        fs::create_dir(&out).expect("made");
        for name in ["../x", "/tmp/x", "a/b", "..", ".", "", "a/", "x\0y"] {
            assert!(write_in(&out, &[(name, b"x")]).is_err(), "{name:?}");
        }
        assert_eq!((n_files(dir.path()), n_files(&out)), (1, 0));
    }

    #[test]
    fn one_file_has_one_identity() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("a.cu");
        fs::write(&file, "").expect("written");
        let (soft, hard) = (dir.path().join("soft"), dir.path().join("hard"));
        symlink(&file, &soft).expect("made");
        fs::hard_link(&file, &hard).expect("made");
        let known = Identity::of(&file);
        assert!(known.is_some());
        assert_eq!(Identity::of(&soft), known);
        assert_eq!(Identity::of(&hard), known);
        assert_eq!(Identity::of(&dir.path().join("./a.cu")), known);
        assert_eq!(Identity::of(&dir.path().join("b.cu")), None);
    }
}
