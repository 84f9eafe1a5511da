//! The agreement table of a suite.

use super::profiles::chosen_by_name;
use super::table::{Cell, item, table};
use crate::suite::agreement::{Outcome, Row};
use crate::words::style::{Ink, Style};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Files are shown relative to `dir`; the profile has a column only where it is not `profile`
/// throughout.
pub fn suite(
    rows: &[Row],
    (unlabelled, worse): (&[PathBuf], Option<&[String]>),
    dir: &Path,
    profile: &str,
    style: &Style,
) -> String {
    let short = |row: &Row| {
        let path = Path::new(&row.file);
        path.strip_prefix(dir).unwrap_or(path).display().to_string()
    };
    let several_profiles = rows.iter().any(|row| row.profile != profile);
    let cells: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| {
            let got = match row.kind.is_empty() {
                true => row.verdict.clone(),
                false => format!("{} ({})", row.verdict, row.kind),
            };
            let (agrees, ink) = match row.agrees {
                true => ("yes", Ink::Good),
                false => ("NO", Ink::Bad),
            };
            let mut cells = vec![
                (agrees.to_owned(), Some(ink)),
                (short(row), None),
                (row.expected.clone(), None),
                (format!("{:.2}", row.seconds), None),
                (got, None),
            ];
            if several_profiles {
                cells.insert(2, (row.profile.clone(), None));
            }
            cells
        })
        .collect();
    let mut head = vec!["agrees", "file", "expected", "seconds", "verdict"];
    if several_profiles {
        head.insert(2, "profile");
    }
    let mut out = table(&head, &cells, style);
    out.push('\n');
    let wrong: Vec<&Row> = rows.iter().filter(|row| !row.agrees).collect();
    for row in &wrong {
        let text = format!("{} ({}): {}", short(row), row.profile, row.disagreement);
        out.push_str(&item(&text, style));
    }
    for row in rows.iter().filter(|row| !row.defines.is_empty()) {
        let text = format!(
            "{}: its header defines {}",
            short(row),
            row.defines.join(", ")
        );
        out.push_str(&item(&text, style));
    }
    let n = rows.len();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let _ = writeln!(
        out,
        "{} of {n} as expected, {seconds:.1} s",
        n - wrong.len()
    );
    if !wrong.is_empty() {
        out.push_str(&in_words(rows, style));
    }
    if let Some(worse) = worse {
        let _ = writeln!(out, "{} worse than in the baseline", worse.len());
        for text in worse {
            out.push_str(&item(text, style));
        }
    }
    if !unlabelled.is_empty() {
        let names = unlabelled.iter().map(|path| {
            let path = path.strip_prefix(dir).unwrap_or(path);
            path.display().to_string()
        });
        let names: Vec<String> = names.collect();
        let count = match names.len() {
            1 => "1 file without a header, not judged".to_owned(),
            n => format!("{n} files without a header, not judged"),
        };
        out.push_str(&item(&format!("{count}: {}", names.join(", ")), style));
    }
    out.push_str(&chosen_by_name(rows.iter().map(|row| &*row.profile), style));
    out
}

/// How many rows came to what, and what is not supported how often.
pub fn totals(rows: &[Row]) -> Value {
    let count = |outcome: &Outcome| rows.iter().filter(|r| r.outcome == *outcome).count();
    let counted = Outcome::ALL.iter().map(|outcome| {
        let name = json!(outcome);
        (name.as_str().unwrap_or_default().to_owned(), count(outcome))
    });
    let counted: BTreeMap<String, usize> = counted.collect();
    json!({ "outcomes": counted, "unsupported": constructs(rows) })
}

/// Not supported, and how often.
fn constructs(rows: &[Row]) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    let unsupported = rows.iter().filter(|r| r.outcome == Outcome::Unsupported);
    for construct in unsupported.filter_map(|row| row.construct.as_deref()) {
        *found.entry(construct).or_default() += 1;
    }
    found
}

fn in_words(rows: &[Row], style: &Style) -> String {
    let mut parts = Vec::new();
    for outcome in Outcome::ALL {
        let n = rows.iter().filter(|r| r.outcome == outcome).count();
        if n > 0 && outcome != Outcome::Agrees {
            parts.push(format!("{n} {}", outcome.name()));
        }
    }
    let mut out = item(&parts.join(", "), style);
    let mut often: Vec<(&str, usize)> = constructs(rows).into_iter().collect();
    often.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (construct, n) in often {
        out.push_str(&item(
            &format!("not supported, {n} times: {construct}"),
            style,
        ));
    }
    out
}
