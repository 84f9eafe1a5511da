//! A judgement as text: what was judged, a table property × verdict × what was established, the
//! defects with their source lines, and what the verdict rests on.

use super::diagnostic;
use super::grade;
use super::profiles::chosen;
use super::sources::Sources;
use super::table::{Cell, item, table, wrap};
use super::threads::extents;
use crate::words::plain_words::{assurance, engine, reason, verdict};
use crate::words::sentences::all_of;
use crate::words::style::{Ink, Style};
use gridlock_checker::finding::{DefectKind, Statistics};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::{Judgement, Subject, SubjectLaunch};
use gridlock_checker::verdict::{PropertyResult, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How the user can see a defect's run again, if it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayHint {
    /// The witness of defect `i` (in order) is in this file.
    Saved(Vec<Option<String>>),
    /// Nothing was saved; this option would save it.
    HowToSave,
}

/// A judgement for people.
pub fn judgement(
    judgement: &Judgement,
    hint: &ReplayHint,
    sources: &mut Sources,
    style: &Style,
) -> String {
    let mut out = String::new();
    let compared = !judgement
        .properties
        .iter()
        .all(|p| p.kind != gridlock_checker::verdict::Property::Equivalence);
    for (index, subject) in judgement.subjects.iter().enumerate() {
        let results: Vec<&PropertyResult> = judgement
            .properties
            .iter()
            .filter(|p| p.subject == index)
            .collect();
        // Not judged at all: a line under `Not judged` says it, and why.
        if results.is_empty() && subject.inputs == "none" {
            continue;
        }
        out.push_str(&head(subject, &judgement.profile.name, style));
        if results.iter().any(|r| r.verdict != Verdict::Proved) {
            out.push_str(&grade::host_launches(subject, style));
        }
        out.push_str(&grade::conditions(
            &judgement.defects,
            index,
            subject,
            style,
        ));
        if !results.is_empty() {
            let rows: Vec<Vec<Cell>> = results.iter().map(|r| row(r, &judgement.defects)).collect();
            out.push_str(&table(
                &["property", "verdict", "what was established"],
                &rows,
                style,
            ));
        } else if judgement.conditions.iter().any(|c| c.subject == index) {
            let _ = writeln!(
                out,
                "  judged at the launches of the host code; what was found beyond them is under \
                 Conditions\n  (by itself: --kernel {})",
                subject.kernel
            );
        }
        let last_side = index + 1 == judgement.subjects.len();
        if !compared || last_side {
            out.push('\n');
        }
        defects_of(index, judgement, hint, sources, style, &mut out);
    }
    conditions(judgement, sources, style, &mut out);
    list(
        "Assumptions",
        &judgement.assumptions.texts(),
        style,
        &mut out,
    );
    let not_judged: Vec<String> = judgement
        .not_judged
        .iter()
        .map(|n| {
            let whose = match judgement.subjects.get(n.subject) {
                Some(subject) if judgement.subjects.len() > 1 => format!("{}: ", subject.kernel),
                _ => String::new(),
            };
            format!("{whose}{n}")
        })
        .collect();
    list("Not judged", &not_judged, style, &mut out);
    list("Remarks", &judgement.remarks.texts(), style, &mut out);
    list("Limits reached", &judgement.limits_hit, style, &mut out);
    out.push_str(&chosen(&judgement.profile, style));
    out.push('\n');
    out.push_str(&verdict_line(judgement, style));
    let _ = writeln!(
        out,
        "{}",
        style.paint(Ink::Faint, &statistics(&judgement.statistics))
    );
    out
}

/// Name of the subject, its launch and its inputs.
pub fn head(subject: &Subject, profile: &str, style: &Style) -> String {
    let mut out = String::new();
    let name = style.paint(Ink::Strong, &subject.kernel);
    let _ = writeln!(out, "{name} in {}, profile {profile}", subject.file);
    let what = format!("{}; inputs: {}", launch(&subject.launch), subject.inputs);
    for line in wrap(&what, style.width.saturating_sub(2)) {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// `launch: grid 4, block 64, n = 5`.
pub fn launch(launch: &SubjectLaunch) -> String {
    let mut parts = Vec::new();
    if let Some(grid) = launch.grid {
        parts.push(format!("grid {}", extents(grid)));
    }
    if let Some(block) = launch.block {
        parts.push(format!("block {}", extents(block)));
    }
    let is_open = parts.is_empty();
    if let Some(shared) = launch.shared.filter(|&bytes| bytes > 0 || is_open) {
        let of_all = if is_open { "every launch with " } else { "" };
        parts.push(format!("{of_all}{shared} bytes of dynamic shared memory"));
    }
    let given = !parts.is_empty();
    parts.extend(launch.args.iter().map(|(name, v)| format!("{name} = {v}")));
    match (given, parts.is_empty()) {
        (true, _) => format!("launch: {}", parts.join(", ")),
        (false, false) => format!("with {}", parts.join(", ")),
        (false, true) => "launch: every launch".to_owned(),
    }
}

fn row(result: &PropertyResult, defects: &[Defect]) -> Vec<Cell> {
    let (name, ink) = verdict(result.verdict);
    let mut what = result.explanation.clone();
    let shown = defects
        .iter()
        .filter(|d| d.subject == result.subject && d.kind.property() == result.kind);
    let kinds: BTreeSet<DefectKind> = shown.map(|d| d.kind).collect();
    // Nobody who reads of an assertion looks for a pointer that is not aligned.
    let property = match kinds.iter().eq(&[DefectKind::MisalignedAccess]) {
        true => "alignment",
        false => result.kind.name(),
    };
    let kinds: BTreeSet<&str> = kinds.into_iter().map(DefectKind::name).collect();
    if result.verdict == Verdict::Refuted && !kinds.is_empty() {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        what = format!("{}, shown below", kinds.join(", "));
    }
    let covered = match (result.verdict, result.reason, result.assurance) {
        (Verdict::Unknown, Some(why), _) => Some(reason(why)),
        (Verdict::Passed | Verdict::Proved, _, Some(level)) => Some(assurance(level)),
        _ => None,
    };
    if let Some(covered) = covered {
        what = match what.is_empty() {
            true => covered.to_owned(),
            false if what.starts_with(covered) => what,
            false => format!("{covered}: {what}"),
        };
    }
    if let Some(by) = result.engine {
        let _ = write!(what, " [{}]", engine(by));
    }
    vec![
        (property.to_owned(), None),
        (name.to_owned(), Some(ink)),
        (what, None),
    ]
}

fn defects_of(
    subject: usize,
    judgement: &Judgement,
    hint: &ReplayHint,
    sources: &mut Sources,
    style: &Style,
    out: &mut String,
) {
    for (i, defect) in judgement.defects.iter().enumerate() {
        if defect.subject != subject {
            continue;
        }
        out.push_str(&diagnostic::defect(defect, sources, style));
        out.push_str(&to_replay(i, defect, hint));
        out.push('\n');
    }
}

/// The file beside `path` for the run of the old program: `w-old.json` beside `w.json`.
pub fn original_beside(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-old");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The commands that replay defect `index`, as lines.
pub fn to_replay(index: usize, defect: &Defect, hint: &ReplayHint) -> String {
    match hint {
        ReplayHint::Saved(files) => match files.get(index) {
            Some(Some(file)) if defect.original.is_some() => format!(
                "  to step through the new program: gridlock replay {file}\n  \
                 to step through the old program: gridlock replay {}\n",
                original_beside(Path::new(file)).display()
            ),
            Some(Some(file)) => format!("  to step through it: gridlock replay {file}\n"),
            _ => String::new(),
        },
        ReplayHint::HowToSave if defect.witness.is_some() && defect.original.is_some() => {
            "  to step through the new program: add --save-witness w.json, then gridlock replay \
             w.json\n  to step through the old program: the same, then gridlock replay \
             w-old.json\n"
                .to_owned()
        }
        ReplayHint::HowToSave if defect.witness.is_some() => {
            "  to step through it: add --save-witness w.json, then gridlock replay w.json\n"
                .to_owned()
        }
        ReplayHint::HowToSave => String::new(),
    }
}

fn conditions(judgement: &Judgement, sources: &mut Sources, style: &Style, out: &mut String) {
    if judgement.conditions.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "Conditions (defects at launches or for arguments not asked about)"
    );
    let mut said: Vec<&str> = Vec::new();
    for condition in &judgement.conditions {
        if let Some(source) = &condition.source
            && !said.contains(&source.as_str())
        {
            said.push(source);
            out.push_str(&item(&grade::condition(&condition.defect), style));
            if let Some(requires) = &condition.requires {
                let _ = writeln!(out, "    {requires}");
            }
        }
        let otherwise = condition.source.as_ref().map_or("", |_| "otherwise, ");
        out.push_str(&item(&format!("{otherwise}{}:", condition.launch), style));
        for line in diagnostic::defect(&condition.defect, sources, style).lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    out.push('\n');
}

/// A heading and its items; nothing, where there are none.
pub fn list(title: &str, items: &[String], style: &Style, out: &mut String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}");
    for text in items {
        out.push_str(&item(text, style));
    }
    out.push('\n');
}

/// `Verdict: proved for every schedule of every input at this launch, under profile cuda`
fn verdict_line(judgement: &Judgement, style: &Style) -> String {
    let (name, ink) = verdict(judgement.verdict);
    let mut line = format!("Verdict: {}", style.paint(ink, name));
    match judgement.verdict {
        Verdict::Refuted => {
            let n = judgement.defects.len();
            let _ = match n {
                0 => Ok(()),
                1 => write!(line, ", 1 defect"),
                n => write!(line, ", {n} defects"),
            };
        }
        Verdict::Unknown => {
            if let Some(why) = judgement.reason {
                let _ = write!(line, ": {}", reason(why));
            }
        }
        Verdict::Conditional => {
            let _ = match judgement.n_with_own_conditions() {
                None => write!(line, ", where {}", all_of(&judgement.holds_where())),
                Some(n) => write!(line, ", {n} kernels each under its own condition"),
            };
        }
        Verdict::Passed | Verdict::Proved => {
            if let Some(level) = judgement.assurance {
                let _ = write!(line, " for {}", assurance(level));
            }
        }
    }
    let _ = write!(line, ", under profile {}", judgement.profile.name);
    if let Some(theory) = &judgement.modulo {
        let _ = write!(line, ", floats modulo {theory}");
    }
    if let Some(tolerance) = &judgement.tolerance {
        let _ = write!(line, ", floats within {tolerance}");
    }
    line.push('\n');
    line
}

/// What it cost; figures that are zero are left out.
pub fn statistics(statistics: &Statistics) -> String {
    let mut parts = Vec::new();
    let figures = [
        (statistics.states, "state", "states"),
        (statistics.transitions, "transition", "transitions"),
        (statistics.executions, "run", "runs"),
        (statistics.queries, "solver query", "solver queries"),
    ];
    for (n, one, several) in figures {
        match n {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            n => parts.push(format!("{n} {several}")),
        }
    }
    parts.push(format!("{:.2} s", statistics.seconds));
    if statistics.peak_bytes > 0 {
        parts.push(format!(
            "{:.1} MiB",
            statistics.peak_bytes as f64 / (1 << 20) as f64
        ));
    }
    parts.join(", ")
}
