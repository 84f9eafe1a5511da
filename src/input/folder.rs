//! The sources in a folder.

use super::whole_file::Identity;
use crate::input::error::{ErrorKind, InputError};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Files of one folder, at most.
const MOST_FILES: usize = 20_000;

/// The files with these extensions in a folder and below, in order of name. Folders whose names begin with a dot
/// are passed over.
///
/// # Errors
/// A folder that cannot be read, one that holds no such file, or too many.
pub fn sources(dir: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, InputError> {
    let mut files = Vec::new();
    collect(dir, extensions, &mut HashSet::new(), &mut files)?;
    files.sort();
    if files.is_empty() {
        let all: Vec<String> = extensions.iter().map(|e| format!(".{e}")).collect();
        let (last, before) = all.split_last().map_or(("", &[][..]), |(l, b)| (l, b));
        let known = match before.is_empty() {
            true => last.to_owned(),
            false => format!("{} or {last}", before.join(", ")),
        };
        return Err(
            InputError::new(ErrorKind::File, format!("no {known} file in this folder"))
                .in_file(dir.display().to_string()),
        );
    }
    Ok(files)
}

/// Links may lead back to a folder that was seen.
fn collect(
    dir: &Path,
    extensions: &[&str],
    seen: &mut HashSet<Identity>,
    files: &mut Vec<PathBuf>,
) -> Result<(), InputError> {
    if !Identity::of(dir).is_none_or(|folder| seen.insert(folder)) {
        return Ok(());
    }
    let unreadable = |e: std::io::Error| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}"))
            .in_file(dir.display().to_string())
    };
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if path.is_dir() && !is_hidden {
            collect(&path, extensions, seen, files)?;
        } else if path
            .extension()
            .is_some_and(|e| extensions.iter().any(|known| e == *known))
            && !path.is_dir()
        {
            files.push(path);
        }
        if files.len() > MOST_FILES {
            let message = format!("more than {MOST_FILES} files in this folder");
            return Err(
                InputError::new(ErrorKind::File, message).in_file(dir.display().to_string())
            );
        }
    }
    Ok(())
}
