//! Whether what came out is what the header expects.

use super::expected::Expected;
use super::labelled::Labelled;
use crate::input::error::{ErrorKind, InputError};
use crate::words::plain_words;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::verdict::{PropertyResult, Reason, Verdict};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a row comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// What came out is what the header expects.
    Agrees,
    /// `proved` or `passed` where something else must come out: the worst there is.
    WrongProof,
    /// `refuted` where nothing is wrong.
    FalseAlarm,
    /// `refuted` as it should be, with another kind or at another place.
    OtherDefect,
    /// `unknown`, and `passed` where `proved` must come out.
    Undecided,
    /// The program has what is not read.
    Unsupported,
    /// The file, its header or its text is wrong.
    Error,
    /// The process that judged it came to an unforeseen end.
    Crash,
}

impl Outcome {
    /// Every outcome, in the order of the table.
    pub const ALL: [Outcome; 8] = [
        Outcome::Agrees,
        Outcome::WrongProof,
        Outcome::FalseAlarm,
        Outcome::OtherDefect,
        Outcome::Undecided,
        Outcome::Unsupported,
        Outcome::Error,
        Outcome::Crash,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Agrees => "agree",
            Outcome::WrongProof => "wrong proof",
            Outcome::FalseAlarm => "false alarm",
            Outcome::OtherDefect => "other defect",
            Outcome::Undecided => "undecided",
            Outcome::Unsupported => "unsupported",
            Outcome::Error => "error",
            Outcome::Crash => "crash",
        }
    }
}

/// One line of the agreement table; the field names are part of the JSON contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Path of the file.
    pub file: String,
    /// Name of the profile.
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
    /// Wall-clock time of the judgement.
    pub seconds: f64,
    /// Whether it came out as expected.
    pub agrees: bool,
    /// Why it does not agree; empty when it does.
    pub disagreement: String,
    /// What the row comes to.
    pub outcome: Outcome,
    /// What is not read, where that is why there is no verdict; without its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub construct: Option<String>,
    /// What the header defines, as the option `-D` would: `N=3`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
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
        outcome: Outcome::Error,
        construct: None,
        defines: Vec::new(),
    }
}

/// The row of a file whose process gave none.
pub fn without_result(labelled: &Labelled, profile: &str, end: &End) -> Row {
    let (verdict, kind, outcome) = match end {
        End::Stopped(_) => ("unknown", "limit", Outcome::Undecided),
        End::Interrupted => ("unknown", "interrupted", Outcome::Undecided),
        End::Crashed(_) => ("error", "internal", Outcome::Crash),
    };
    let why = match end {
        End::Stopped(why) | End::Crashed(why) => why,
        End::Interrupted => "interrupted",
    };
    Row {
        file: labelled.path.display().to_string(),
        profile: profile.to_owned(),
        expected: labelled.header.expected.describe(),
        verdict: verdict.to_owned(),
        kind: kind.to_owned(),
        states: 0,
        transitions: 0,
        cut: outcome == Outcome::Undecided,
        seconds: 0.0,
        agrees: false,
        disagreement: why.to_owned(),
        outcome,
        construct: None,
        defines: Vec::new(),
    }
}

/// How a process ended that gave no rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It was stopped at a limit; says which.
    Stopped(String),
    /// All was to end.
    Interrupted,
    /// It ended by itself without rows; says how.
    Crashed(String),
}

/// Compares a result with its label. `seconds` is left 0.
pub fn agree(labelled: &Labelled, profile: &str, result: &Result<Judgement, InputError>) -> Row {
    let (verdict, kind) = match result {
        Ok(judgement) => {
            let kind = match (judgement.verdict, judgement.reason) {
                (Verdict::Refuted, _) => kinds_of(judgement.defects.iter()).join(", "),
                (Verdict::Conditional, _) => {
                    let excluded = judgement.conditions.iter().map(|c| &c.defect);
                    kinds_of(excluded).join(", ")
                }
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
    let construct = construct(result);
    let outcome = match (disagreement.is_empty(), result) {
        (true, _) => Outcome::Agrees,
        (_, _) if construct.is_some() => Outcome::Unsupported,
        (_, Err(_)) => Outcome::Error,
        (_, Ok(judgement)) => disagreeing(&header.expected, judgement.verdict),
    };
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
        outcome,
        construct,
        defines: result.as_ref().map(defines).unwrap_or_default(),
    }
}

fn disagreeing(expected: &Expected, verdict: Verdict) -> Outcome {
    match (expected, verdict) {
        (_, Verdict::Unknown | Verdict::Conditional) => Outcome::Undecided,
        (Expected::Refuted(_), Verdict::Refuted) => Outcome::OtherDefect,
        (_, Verdict::Refuted) => Outcome::FalseAlarm,
        // Less than was asked for, but not wrong.
        (Expected::AtLeast(_), _) => Outcome::Undecided,
        _ => Outcome::WrongProof,
    }
}

/// What the front end was given by the header comment.
fn defines(judgement: &Judgement) -> Vec<String> {
    let given = judgement.assumptions.iter().filter_map(|said| match said {
        Assumption::HeaderDefinition { definition } => Some(definition.clone()),
        _ => None,
    });
    given.collect()
}

/// What is not supported, where that is why nothing was judged.
fn construct(result: &Result<Judgement, InputError>) -> Option<String> {
    match result {
        Err(error) if error.kind == ErrorKind::Unsupported => Some(error.message.clone()),
        Ok(judgement) if judgement.reason == Some(Reason::Unsupported) => {
            let of_it = |p: &&PropertyResult| p.reason == Some(Reason::Unsupported);
            let found = judgement.properties.iter().find(of_it);
            Some(found.map_or(String::new(), |p| p.explanation.clone()))
        }
        _ => None,
    }
}

/// Names of the kinds found, without repetition, in the order found.
fn kinds_of<'a>(defects: impl Iterator<Item = &'a Defect>) -> Vec<&'static str> {
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
        Expected::Conditional(kinds) => {
            if judgement.verdict != Verdict::Conditional {
                return first_defect_or_reason(judgement);
            }
            let mut excluded = judgement.conditions.iter().map(|c| c.defect.kind);
            match excluded.find(|kind| !kinds.is_empty() && !kinds.contains(kind)) {
                Some(other) => format!("it excludes another defect: {}", other.name()),
                None => String::new(),
            }
        }
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
                None => unsaid(labelled, judgement),
            }
        }
    }
}

/// What the messages that are expected name, and no defect does.
fn unsaid(labelled: &Labelled, judgement: &Judgement) -> String {
    let said = &labelled.header.said;
    let found = |kind: &DefectKind| judgement.defects.iter().any(|d| d.kind == *kind);
    if !said.kinds.is_empty() && !said.kinds.iter().any(found) {
        let names: Vec<&str> = said.kinds.iter().map(|kind| kind.name()).collect();
        return format!(
            "no {} was found, which the messages name",
            names.join(" or ")
        );
    }
    let named = |line: &u32| names_line(judgement, labelled, *line);
    if !said.lines.is_empty() && !said.lines.iter().any(named) {
        return format!("no defect names a line of the messages ({:?})", said.lines);
    }
    String::new()
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
