//! Several sources judged one by one: a line for each.

use super::table::wrap;
use crate::input::source::NOTHING;
use crate::report::page::Table;
use crate::words::plain_words::{assurance, reason, verdict as words};
use crate::words::sentences::all_of;
use crate::words::style::Style;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Assurance, Reason, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a line says of a judgement.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    verdict: Verdict,
    assurance: Option<Assurance>,
    reason: Option<Reason>,
    /// Kinds of the defects, one for each.
    defects: Vec<String>,
    /// Why a property is not decided; the first.
    why: Option<String>,
    /// The conditions under which the verdict holds.
    #[serde(default)]
    conditions: Vec<String>,
}

/// What a line says of a judgement.
pub fn summary(judgement: &Judgement) -> Value {
    let open = judgement
        .properties
        .iter()
        .find(|p| p.verdict == Verdict::Unknown);
    json!(Summary {
        verdict: judgement.verdict,
        assurance: judgement.assurance,
        reason: judgement.reason,
        defects: judgement
            .defects
            .iter()
            .map(|d| d.kind.name().to_owned())
            .collect(),
        why: open
            .map(|p| p.explanation.clone())
            .filter(|text| !text.is_empty()),
        conditions: judgement.holds_where(),
    })
}

/// One source.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// As the user named it.
    pub file: String,
    /// The file, or the place in it that is spoken of: `k.cu:3:5`.
    pub place: String,
    /// `None`: there is no verdict.
    pub verdict: Option<Verdict>,
    /// What was found, or why there is no verdict.
    pub what: String,
    /// There is a defect, at some launch at least.
    pub has_defects: bool,
    /// Nothing in it can be judged, and nobody said that it can.
    pub is_empty: bool,
    /// It was found in a folder and has what is not supported: nothing is known of it.
    pub is_undecided: bool,
}

impl FileRow {
    /// `summary`: that of a judgement, or an object with `error`. `named`: the user named the file.
    pub fn new(file: &str, summary: &Value, named: bool) -> FileRow {
        if let Ok(summary) = serde_json::from_value::<Summary>(summary.clone()) {
            return FileRow {
                file: file.to_owned(),
                place: file.to_owned(),
                verdict: Some(summary.verdict),
                what: summary.text(),
                has_defects: matches!(summary.verdict, Verdict::Refuted | Verdict::Conditional),
                is_empty: false,
                is_undecided: false,
            };
        }
        let error = &summary["error"];
        let message = error["message"].as_str().unwrap_or("no report");
        let found = match (
            &error["file"],
            error["line"].as_u64(),
            error["column"].as_u64(),
        ) {
            (Value::String(file), Some(line), Some(column)) => {
                Some((file, format!("{file}:{line}:{column}")))
            }
            _ => None,
        };
        // The line is that of the source, also where what stood in the way is in a file that it includes.
        let (place, what) = match found {
            Some((within, place)) if within == file => (place, message.to_owned()),
            Some((_, place)) => (file.to_owned(), format!("{place}: {message}")),
            None => (file.to_owned(), message.to_owned()),
        };
        let unread = error["unread"].as_array().map_or(0, Vec::len);
        let what = match unread.saturating_sub(1) {
            0 => what,
            more => format!("{what} (and {more} more of its functions)"),
        };
        let is_empty = !named && message == NOTHING;
        let kind = error["kind"].as_str().unwrap_or_default();
        FileRow {
            file: file.to_owned(),
            place,
            verdict: None,
            what,
            has_defects: false,
            is_empty,
            is_undecided: !named && !is_empty && matches!(kind, "unsupported" | "limit"),
        }
    }

    fn word(&self) -> &'static str {
        match (self.verdict, self.is_empty) {
            (Some(verdict), _) => words(verdict).0,
            (None, true) => "nothing",
            (None, false) => "not read",
        }
    }
}

impl Summary {
    fn text(&self) -> String {
        let distinct: BTreeSet<&str> = self.defects.iter().map(String::as_str).collect();
        let kinds = distinct.into_iter().collect::<Vec<_>>().join(", ");
        match self.verdict {
            Verdict::Refuted => match self.defects.len() {
                0 | 1 => kinds,
                n => format!("{n} defects: {kinds}"),
            },
            Verdict::Unknown => {
                let reason = self.reason.map_or("", reason);
                match &self.why {
                    Some(why) if why.starts_with(reason) => why.clone(),
                    Some(why) => format!("{reason}: {why}"),
                    None => reason.to_owned(),
                }
            }
            Verdict::Conditional => format!("right where {}", all_of(&self.conditions)),
            Verdict::Passed | Verdict::Proved => self
                .assurance
                .map_or(String::new(), |level| assurance(level).to_owned()),
        }
    }
}

/// The least of the verdicts; `unknown` where a file has none.
pub fn verdict(rows: &[&FileRow]) -> Verdict {
    let judged = rows.iter().filter(|row| !row.is_empty);
    let verdicts = judged.map(|row| row.verdict.unwrap_or(Verdict::Unknown));
    verdicts.min().unwrap_or(Verdict::Unknown)
}

/// How many of each, by what stands in the table.
pub fn totals(rows: &[&FileRow]) -> Value {
    let count = |word: &str| rows.iter().filter(|row| row.word() == word).count();
    json!({
        "proved": count("proved"),
        "passed": count("passed"),
        "refuted": count("refuted"),
        "unknown": count("unknown"),
        "conditional": count("conditional"),
        "not_read": count("not read"),
        "nothing": count("nothing"),
    })
}

/// A line for each, which begins with the verdict and the place, and how many of each.
pub fn table(rows: &[&FileRow], seconds: f64, style: &Style) -> String {
    let words_of_rows = rows.iter().map(|row| row.word().len());
    let width = words_of_rows.max().unwrap_or(0).max(WORDS[2].len());
    let mut out = String::new();
    for row in rows {
        let ink = row.verdict.map(|verdict| words(verdict).1);
        let word = format!("{:width$}", row.word());
        let word = ink.map_or(word.clone(), |ink| style.paint(ink, &word));
        let text = match row.what.is_empty() {
            true => row.place.clone(),
            false => format!("{}: {}", row.place, row.what),
        };
        // A path is not broken, so that it can be clicked.
        let lines = wrap(&text, style.width.saturating_sub(width + 4));
        for (number, line) in lines.iter().enumerate() {
            let _ = match number {
                0 => writeln!(out, "  {word}  {line}"),
                _ => writeln!(out, "  {:width$}    {line}", ""),
            };
        }
    }
    let _ = writeln!(out, "\n{}; {seconds:.2} s", counts(rows));
    out
}

/// What stands for a verdict, from the worst on.
const WORDS: [&str; 7] = [
    "refuted",
    "unknown",
    "not read",
    "conditional",
    "passed",
    "proved",
    "nothing",
];

/// `4 files: 1 refuted, 3 proved`.
pub fn counts(rows: &[&FileRow]) -> String {
    let said = WORDS.iter().filter_map(|word| {
        let n = rows.iter().filter(|row| row.word() == *word).count();
        let what = match *word {
            "nothing" => "without a kernel",
            word => word,
        };
        (n > 0).then(|| format!("{n} {what}"))
    });
    let said = said.collect::<Vec<_>>().join(", ");
    let files = match rows.len() {
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    };
    format!("{files}: {said}")
}

/// The table of a page.
pub fn page_table(rows: &[&FileRow]) -> Table {
    let shown = rows.iter();
    Table {
        title: "Files".to_owned(),
        head: ["file", "verdict", "what was established"]
            .map(str::to_owned)
            .to_vec(),
        rows: shown
            .map(|row| vec![row.place.clone(), row.word().to_owned(), row.what.clone()])
            .collect(),
        verdicts: 1,
    }
}
