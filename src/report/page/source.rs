//! The lines of source a page shows: whole files, of long ones what is around the places named.

use crate::report::render::sources::Sources;
use serde::Serialize;
use std::collections::BTreeSet;

/// Files with more lines are shown in part.
const WHOLE: usize = 1_500;

/// Lines kept on either side of a place.
const AROUND: u32 = 15;

/// Lines kept of one file.
const MOST_LINES: usize = 3_000;

/// Longest line, in characters.
const LONGEST: usize = 300;

#[derive(Debug, Serialize)]
pub struct File {
    pub name: String,
    /// Number and text.
    pub lines: Vec<(u32, String)>,
}

/// The files that `places` (file, line) name. One that cannot be read is left out.
pub fn files(places: &BTreeSet<(String, u32)>, sources: &mut Sources) -> Vec<File> {
    let names: BTreeSet<&String> = places.iter().map(|(file, _)| file).collect();
    let mut files = Vec::new();
    for name in names {
        let Some(text) = sources.text(name) else {
            continue;
        };
        let whole = text.lines().count() <= WHOLE;
        let named: Vec<u32> = places
            .iter()
            .filter(|(f, _)| f == name)
            .map(|p| p.1)
            .collect();
        let is_near = |line: u32| whole || named.iter().any(|n| n.abs_diff(line) <= AROUND);
        let lines = (1..)
            .zip(text.lines())
            .filter(|(number, _)| is_near(*number));
        let lines = lines.take(MOST_LINES).map(|(number, line)| {
            let line: String = line.chars().take(LONGEST).collect();
            (number, line.replace('\t', "    "))
        });
        files.push(File {
            name: name.clone(),
            lines: lines.collect(),
        });
    }
    files
}
