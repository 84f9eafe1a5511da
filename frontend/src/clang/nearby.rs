//! Headers that are in the same repository as the file that includes them, in a folder that no option names.
//!
//! A build names the folders of its headers; who looks at one file of it has not been told them. Looked into are the
//! folders above the including file, nearest first, and the folders in each of these, up to the one that holds the
//! repository (`.git`); outside of a repository only the folders beside the file. The nearest is taken if its text is
//! the only one at its distance, and the report says which it is.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders above a file that are looked into, at most, and folders in each of them.
const MOST_UP: usize = 16;
const MOST_BESIDE: usize = 512;
/// Headers of one file that are looked for so, at most.
const MOST: usize = 64;
/// Bytes of a header that is compared with another.
const MOST_BYTES: u64 = 4 << 20;

/// A header found in a folder that no option names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Nearby {
    /// As the program writes it.
    pub header: String,
    /// Where it was found.
    pub folder: PathBuf,
}

/// The headers of one file that were found so far.
#[derive(Debug)]
pub(super) struct Found {
    pub all: Vec<Nearby>,
    /// Whether they are looked for.
    is_wanted: bool,
}

impl Found {
    pub fn new(is_wanted: bool) -> Found {
        Found {
            all: Vec::new(),
            is_wanted,
        }
    }

    /// Looks for a header that a file includes and clang does not find; whether clang may be asked again.
    pub fn add(&mut self, header: &str, including: &Path) -> bool {
        if !self.is_wanted
            || self.all.len() == MOST
            || self.all.iter().any(|known| known.header == header)
        {
            return false;
        }
        let Some(folder) = folder_of(header, including) else {
            return false;
        };
        let header = header.to_owned();
        self.all.push(Nearby { header, folder });
        true
    }

    /// What makes clang find them, behind all others: nothing that is found without them changes.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut named: Vec<&Path> = Vec::new();
        for nearby in &self.all {
            if !named.contains(&nearby.folder.as_path()) {
                named.push(&nearby.folder);
            }
        }
        let arguments = named
            .into_iter()
            .flat_map(|folder| ["-idirafter".into(), folder.as_os_str().to_owned()]);
        arguments.collect()
    }
}

/// The folder in which a header is to be found that a file includes, if there is exactly one at the least distance.
fn folder_of(header: &str, including: &Path) -> Option<PathBuf> {
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(header).components().all(is_below) {
        return None;
    }
    let including = fs::canonicalize(including).ok()?;
    let own = including.parent()?;
    let is_repository = |folder: &&Path| {
        [".git", ".hg"]
            .iter()
            .any(|name| folder.join(name).exists())
    };
    let n_up = own
        .ancestors()
        .take(MOST_UP)
        .position(|folder| is_repository(&folder));
    for above in own.ancestors().take(1 + n_up.unwrap_or(0)) {
        let mut folders = vec![above.to_path_buf()];
        folders.extend(folders_in(above));
        folders.retain(|folder| folder.join(header).is_file());
        if let Some(first) = folders.first() {
            // Copies of one text are one.
            let is_alike = folders.len() == 1 || all_alike(&folders, header);
            return is_alike.then(|| first.clone());
        }
    }
    None
}

/// The folders in a folder, in order, without hidden ones.
fn folders_in(above: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(above) else {
        return Vec::new();
    };
    let folders = entries.flatten().filter(|entry| {
        let is_folder = entry.file_type().is_ok_and(|ty| ty.is_dir());
        is_folder && !entry.file_name().as_encoded_bytes().starts_with(b".")
    });
    let mut folders: Vec<PathBuf> = folders
        .map(|entry| entry.path())
        .take(MOST_BESIDE + 1)
        .collect();
    // Which of too many are seen would be the file system's choice.
    if folders.len() > MOST_BESIDE {
        return Vec::new();
    }
    folders.sort();
    folders
}

fn all_alike(folders: &[PathBuf], header: &str) -> bool {
    let texts: BTreeSet<Option<Vec<u8>>> = folders
        .iter()
        .map(|folder| {
            let path = folder.join(header);
            let is_short = fs::metadata(&path).is_ok_and(|known| known.len() <= MOST_BYTES);
            is_short.then(|| fs::read(&path).ok()).flatten()
        })
        .collect();
    texts.len() == 1 && !texts.contains(&None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn the_nearest_is_taken_within_the_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        for (path, text) in [
            ("outside/o.h", ""),
            ("repo/.git/HEAD", ""),
            ("repo/include/p/x.cuh", ""),
            ("repo/src/one/main.cu", ""),
            ("repo/src/common/u.h", "near"),
            ("repo/lib/u.h", "far"),
            ("repo/a/v.h", "1"),
            ("repo/b/v.h", "2"),
            ("repo/a/w.h", "same"),
            ("repo/b/w.h", "same"),
            ("repo/.hidden/h.h", ""),
        ] {
            write(&root, path, text);
        }
        let check = |header: &str, expected: Option<&str>| {
            let found = folder_of(header, &root.join("repo/src/one/main.cu"));
            assert_eq!(found, expected.map(|path| root.join(path)), "{header}");
        };
        check("u.h", Some("repo/src/common"));
        check("p/x.cuh", Some("repo/include"));
        check("v.h", None);
        check("w.h", Some("repo/a"));
        check("h.h", None);
        check("o.h", None);
        check("../common/u.h", None);
        check("/etc/passwd", None);
        fs::remove_dir_all(root.join("repo/.git")).expect("removed");
        check("u.h", None);
        write(&root, "repo/src/one/inner/i.h", "");
        check("i.h", Some("repo/src/one/inner"));
    }
}
