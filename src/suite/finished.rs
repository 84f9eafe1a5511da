//! Rows kept in a file as they come, so that a suite that was stopped goes on where it was.
//!
//! The first line says what was asked; each other line holds the rows of one file with a hash of its text. A
//! line that was cut off by whatever stopped the suite does not count; nor does that of a file whose text has
//! changed.

use super::agreement::Row;
use crate::input::error::{ErrorKind, InputError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{ErrorKind as IoErrorKind, Write};
use std::path::{Path, PathBuf};

/// What rows hang on besides the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    gridlock: String,
    asked: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    file: PathBuf,
    text: u64,
    rows: Vec<Row>,
}

/// The rows there are, and the file further ones go to.
#[derive(Debug)]
pub struct Finished {
    path: PathBuf,
    rows: BTreeMap<PathBuf, (u64, Vec<Row>)>,
    file: File,
}

impl Finished {
    /// Opens the file, or begins it where there is none. `asked`: the options that rows hang on.
    ///
    /// # Errors
    /// It cannot be read or written, is no such file, or keeps what was asked with other options.
    pub fn open(path: &Path, asked: String) -> Result<Finished, InputError> {
        let error = |kind, message: String| {
            InputError::new(kind, message).in_file(path.display().to_string())
        };
        let asked = Asked {
            gridlock: env!("CARGO_PKG_VERSION").to_owned(),
            asked,
        };
        let text = match gridlock_boundary::input::read_text(path) {
            Ok(text) => text,
            Err(missing) if missing.kind() == IoErrorKind::NotFound => String::new(),
            Err(e) => return Err(error(ErrorKind::File, format!("cannot read: {e}"))),
        };
        let mut rows = BTreeMap::new();
        // The last one has no end where it was cut off.
        let mut whole = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        if let Some(first) = whole.next() {
            let known: Asked = serde_json::from_str(first).map_err(|e| {
                let message = format!("no rows kept by `gridlock suite --continue`: {e}");
                error(ErrorKind::Syntax, message)
            })?;
            if known != asked {
                let message = "its rows were asked for with other options, or by another version \
                               (take another file, or remove it)";
                return Err(error(ErrorKind::Usage, message.to_owned()));
            }
            for line in whole {
                let Ok(line) = serde_json::from_str::<Line>(line) else {
                    break;
                };
                rows.insert(line.file, (line.text, line.rows));
            }
        }
        let mut kept = line_of(&asked);
        for (file, (text, rows)) in &rows {
            kept.push_str(&line_of(&Line {
                file: file.clone(),
                text: *text,
                rows: rows.clone(),
            }));
        }
        std::fs::write(path, kept)
            .map_err(|e| error(ErrorKind::File, format!("cannot write: {e}")))?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|e| error(ErrorKind::File, format!("cannot write: {e}")))?;
        Ok(Finished {
            path: path.to_owned(),
            rows,
            file,
        })
    }

    /// The rows of a file, if they are there and it is as it was.
    pub fn rows_of(&self, file: &Path) -> Option<&[Row]> {
        let (text, rows) = self.rows.get(file)?;
        (hash_of(file) == Some(*text)).then_some(rows)
    }

    /// Keeps the rows of a file.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn keep(&mut self, file: &Path, rows: &[Row]) -> Result<(), InputError> {
        let Some(text) = hash_of(file) else {
            return Ok(());
        };
        let line = line_of(&Line {
            file: file.to_owned(),
            text,
            rows: rows.to_vec(),
        });
        self.file.write_all(line.as_bytes()).map_err(|e| {
            InputError::new(ErrorKind::File, format!("cannot write: {e}"))
                .in_file(self.path.display().to_string())
        })
    }
}

fn line_of(line: &impl Serialize) -> String {
    let text = serde_json::to_string(line).expect("rows are plain data");
    text + "\n"
}

fn hash_of(file: &Path) -> Option<u64> {
    let bytes = gridlock_boundary::input::read(file).ok()?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}
