//! Empty files in the place of headers that are missing. What a program calls a header is text of somebody else's:
//! nothing is made outside of a temporary folder.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;

/// The beginning of the folder's name.
const PREFIX: &str = "gridlock-missing-";

/// How many folders up a header may be looked for.
const MOST_UP: usize = 16;

/// How many headers of a file may be missing.
const MOST: usize = 200;

/// Empty headers, which exist as long as this value.
pub(in crate::clang) struct EmptyHeaders {
    _folder: TempDir,
    /// The folder that clang searches, deep enough in the temporary one that `..` stays there.
    searched: PathBuf,
    /// Their names as the program writes them.
    pub names: Vec<String>,
}

impl EmptyHeaders {
    /// # Errors
    /// There can be no temporary folder.
    pub fn new() -> io::Result<EmptyHeaders> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let searched: PathBuf = std::iter::once(folder.path())
            .chain(std::iter::repeat_n(Path::new("up"), MOST_UP))
            .collect();
        std::fs::create_dir_all(&searched)?;
        Ok(EmptyHeaders {
            _folder: folder,
            searched,
            names: Vec::new(),
        })
    }

    /// Makes a header; `false` if there can be none of this name, or it was made and did not help.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, name: &str) -> io::Result<bool> {
        if self.names.len() == MOST || self.names.iter().any(|known| known == name) {
            return Ok(false);
        }
        let Some(place) = self.place(name) else {
            return Ok(false);
        };
        if place.exists() {
            return Ok(false);
        }
        // A header and a folder of the same name cannot both be.
        if let Some(folder) = place.parent()
            && std::fs::create_dir_all(folder).is_err()
        {
            return Ok(false);
        }
        std::fs::write(&place, "")?;
        self.names.push(name.to_string());
        Ok(true)
    }

    /// Where a header stands; `None` for a name that leads out of the folder.
    fn place(&self, name: &str) -> Option<PathBuf> {
        let is_text = |c: char| !c.is_control() && c != '\\' && c != '"';
        if name.is_empty() || name.len() > 200 || name.ends_with('/') || !name.chars().all(is_text)
        {
            return None;
        }
        let (mut place, mut n_up) = (self.searched.clone(), 0);
        for part in Path::new(name).components() {
            match part {
                Component::Normal(part) => place.push(part),
                Component::CurDir => {}
                Component::ParentDir => {
                    n_up += 1;
                    place.pop();
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        // clang goes through the folders before `..`, and so they must exist; here it goes up only at the beginning.
        let goes_back = |part: Component<'_>| part == Component::ParentDir;
        let parts = Path::new(name).components();
        let is_simple = parts
            .skip_while(|part| !matches!(part, Component::Normal(_)))
            .all(|part| !goes_back(part));
        (is_simple && n_up < MOST_UP).then_some(place)
    }

    /// What makes clang find them, behind all others.
    pub fn arguments(&self) -> Vec<OsString> {
        vec!["-idirafter".into(), self.searched.clone().into()]
    }

    /// The name of the header among them that clang names so, as the program writes it.
    pub fn name(&self, path: &str) -> Option<&str> {
        let path = Path::new(path);
        let is_it = |name: &&String| self.place(name).is_some_and(|place| place == path);
        self.names.iter().find(is_it).map(String::as_str)
    }

    /// Whether clang's name of a file is that of one of them.
    pub fn has(&self, path: &str) -> bool {
        Path::new(path).starts_with(&self.searched)
    }
}

/// The name in clang's message about a header that is missing, and where it is included.
pub(super) fn missing(said: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(said);
    let (_, message) = text
        .lines()
        .find_map(|line| line.split_once(": fatal error: "))?;
    let name = message
        .strip_prefix('\'')?
        .strip_suffix("' file not found")?;
    Some(name.to_string())
}

/// Where the header is included that clang's message calls missing: file, line, column.
pub(super) fn place(said: &[u8]) -> Option<(String, u32, u32)> {
    let text = String::from_utf8_lossy(said);
    let (place, _) = text
        .lines()
        .find_map(|line| line.split_once(": fatal error: "))?;
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?.to_string(), line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stay_in_their_folder() {
        let mut headers = EmptyHeaders::new().expect("a folder");
        let root = headers._folder.path().to_path_buf();
        let deep = format!("{}x.h", "../".repeat(MOST_UP));
        let odd = [
            "/etc/x.h",
            "",
            "a/",
            "a/../../x.h",
            &deep,
            "a\nb",
            "a\\b",
            "a\"b",
        ];
        for name in odd {
            assert!(!headers.add(name).expect("tried"), "{name:?}");
        }
        for name in [
            "x.h",
            "../x.h",
            "../../common/y.h",
            "cub/cub.cuh",
            "./z.h",
            "@x",
            "-x.h",
            "~",
        ] {
            assert!(headers.add(name).expect("tried"), "{name:?}");
            let place = headers.place(name).expect("a place");
            assert!(
                place.starts_with(&root) && place.is_file(),
                "{}",
                place.display()
            );
        }
        assert!(!headers.add("x.h").expect("tried"), "a second time");
        assert!(!headers.add("cub").expect("tried"), "a folder");
        assert!(!headers.add("x.h/y.h").expect("tried"), "in a file");
    }

    #[test]
    fn the_name_is_read_from_the_message() {
        let said =
            b"In file included from a.cu:1:\nb.h:1:10: fatal error: 'it's.h' file not found\n";
        assert_eq!(missing(said).as_deref(), Some("it's.h"));
        assert_eq!(missing(b"b.h:1:10: fatal error: too many errors\n"), None);
        assert_eq!(missing(b"b.h:1:10: error: 'x.h' file not found\n"), None);
    }
}
