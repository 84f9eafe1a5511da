//! An earlier run of a suite to compare with: what was right has to stay right.

use super::agreement::Row;
use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The rows of an earlier run, as `gridlock suite --format json` printed them.
#[derive(Clone, Debug, Deserialize)]
pub struct Baseline {
    /// The folder that was judged, to which the names of the files are relative.
    dir: String,
    rows: Vec<Row>,
}

impl Baseline {
    /// Reads a stored run.
    ///
    /// # Errors
    /// A file that cannot be read, or is no report of a suite.
    pub fn load(path: &Path) -> Result<Baseline, InputError> {
        let shown = path.display().to_string();
        let text = input::read_text(path).map_err(|error| {
            InputError::new(ErrorKind::File, format!("cannot read: {error}")).in_file(&shown)
        })?;
        serde_json::from_str(&text).map_err(|error| {
            let message = format!("no report of `gridlock suite --format json`: {error}");
            let (line, column) = (error.line() as u32, error.column().max(1) as u32);
            InputError::new(ErrorKind::Syntax, message)
                .in_file(&shown)
                .at(line, column)
        })
    }

    /// What got worse, a sentence each: what agreed and does not any more, or is not there; a verdict that is
    /// weaker than it was.
    pub fn regressions(&self, dir: &Path, rows: &[Row]) -> Vec<String> {
        let now: BTreeMap<(String, &str), &Row> = rows
            .iter()
            .map(|row| ((relative(&row.file, dir), &*row.profile), row))
            .collect();
        let before = Path::new(&self.dir);
        let mut worse = Vec::new();
        for old in &self.rows {
            let file = relative(&old.file, before);
            let place = format!("{file} ({})", old.profile);
            match now.get(&(file, &*old.profile)) {
                None if old.agrees => worse.push(format!("{place}: it is not judged any more")),
                Some(new) if old.agrees && !new.agrees => {
                    worse.push(format!("{place}: it agreed; now {}", new.disagreement));
                }
                Some(new) if old.verdict == "proved" && new.verdict == "passed" => {
                    worse.push(format!("{place}: it was proved; now it is passed"));
                }
                _ => {}
            }
        }
        worse
    }
}

fn relative(file: &str, dir: &Path) -> String {
    let path = Path::new(file);
    path.strip_prefix(dir).unwrap_or(path).display().to_string()
}
