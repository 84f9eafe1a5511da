//! Whether what came out is what the header expects.

use super::Labelled;
use super::header::Expected;
use crate::input_error::InputError;
use crate::render::plain_words;
use gridlock_checker::defect::Defect;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Verdict;
use serde::Serialize;
use std::path::Path;

/// One line of the agreement table; the field names are part of the JSON contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub file: String,
    pub profile: String,
    /// In words: `refuted (data-race)`.
    pub expected: String,
    /// `proved`, `passed`, `refuted`, `unknown` or `error`.
    pub verdict: String,
    /// Kinds of the defects found, the reason of `unknown`, or the kind of error.
    pub kind: String,
    /// States the explorer kept; 0 when it was not asked.
    pub states: u64,
    /// Transitions taken by all engines together.
    pub transitions: u64,
    /// A limit was reached: the counts say how far the search came, not how large the space is.
    pub cut: bool,
    pub seconds: f64,
    pub agrees: bool,
    /// Why it does not agree; empty when it does.
    pub disagreement: String,
}

/// The row of a file that is not judged, because its label cannot be read.
pub fn mistaken(file: &Path, profile: &str, error: &InputError) -> Row {
    Row {
        file: file.display().to_string(),
        profile: profile.to_owned(),
        expected: "no label that can be read".to_owned(),
        verdict: "error".to_owned(),
        kind: error.kind.name().to_owned(),
        states: 0,
        transitions: 0,
        cut: false,
        seconds: 0.0,
        agrees: false,
        disagreement: error.to_string(),
    }
}

/// Compares a result with its label. `seconds` is left 0.
pub fn agree(labelled: &Labelled, profile: &str, result: &Result<Judgement, InputError>) -> Row {
    let (verdict, kind) = match result {
        Ok(judgement) => {
            let kind = match (judgement.verdict, judgement.reason) {
                (Verdict::Refuted, _) => kinds_of(&judgement.defects).join(", "),
                (Verdict::Unknown, Some(reason)) => plain_words::reason_name(reason).to_owned(),
                _ => String::new(),
            };
            (plain_words::verdict(judgement.verdict).0, kind)
        }
        Err(error) => ("error", error.kind.name().to_owned()),
    };
    let statistics = result.as_ref().map(|j| j.statistics).unwrap_or_default();
    let header = &labelled.header;
    let disagreement = disagreement(&header.expected, &header.guilty, labelled, result);
    Row {
        file: labelled.path.display().to_string(),
        profile: profile.to_owned(),
        expected: header.expected.describe(),
        verdict: verdict.to_owned(),
        kind,
        states: statistics.states,
        transitions: statistics.transitions,
        cut: result.as_ref().is_ok_and(|j| !j.limits_hit.is_empty()),
        seconds: 0.0,
        agrees: disagreement.is_empty(),
        disagreement,
    }
}

/// Names of the kinds found, without repetition, in the order found.
fn kinds_of(defects: &[Defect]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for defect in defects {
        let name = defect.kind.name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Empty when the result is as expected.
fn disagreement(
    expected: &Expected,
    guilty: &[u32],
    labelled: &Labelled,
    result: &Result<Judgement, InputError>,
) -> String {
    let judgement = match (expected, result) {
        (Expected::Error(kind), Err(error)) if *kind == error.kind => return String::new(),
        (_, Err(error)) => return error.to_string(),
        (Expected::Error(_), Ok(_)) => return "it was judged".to_owned(),
        (_, Ok(judgement)) => judgement,
    };
    match expected {
        Expected::Error(_) => String::new(),
        Expected::AtLeast(least) if judgement.verdict >= *least => String::new(),
        Expected::AtLeast(_) => first_defect_or_reason(judgement),
        Expected::Unknown(reason) => {
            if judgement.verdict != Verdict::Unknown {
                format!("it is {}", plain_words::verdict(judgement.verdict).0)
            } else if reason.is_some() && *reason != judgement.reason {
                "the reason is another".to_owned()
            } else {
                String::new()
            }
        }
        Expected::Refuted(kinds) => {
            if judgement.verdict != Verdict::Refuted {
                return first_defect_or_reason(judgement);
            }
            let of_other_kind = judgement
                .defects
                .iter()
                .find(|d| !kinds.is_empty() && !kinds.contains(&d.kind));
            if let Some(other) = of_other_kind {
                return format!("another defect: {}: {}", other.kind.name(), other.message);
            }
            let missing = kinds
                .iter()
                .find(|kind| !judgement.defects.iter().any(|d| d.kind == **kind));
            if let Some(kind) = missing {
                return format!("no {} was found", kind.name());
            }
            match guilty
                .iter()
                .find(|line| !names_line(judgement, labelled, **line))
            {
                Some(line) => format!("no defect names line {line}"),
                None => String::new(),
            }
        }
    }
}

fn names_line(judgement: &Judgement, labelled: &Labelled, line: u32) -> bool {
    let file = labelled.path.display().to_string();
    judgement.defects.iter().any(|defect| {
        let mut sites = defect.accesses.iter().chain(&defect.threads);
        sites.any(|site| site.line == line && site.file == file)
    })
}

fn first_defect_or_reason(judgement: &Judgement) -> String {
    if let Some(defect) = judgement.defects.first() {
        return format!("{}: {}", defect.kind.name(), defect.message);
    }
    let least = judgement
        .properties
        .iter()
        .min_by_key(|p| p.verdict)
        .map(|p| format!("{}: {}", p.kind.name(), p.explanation));
    least.unwrap_or_else(|| format!("it is {}", plain_words::verdict(judgement.verdict).0))
}
