//! A pipeline run: step by step what was applied, how it was judged, and what was lowered and run.

use super::diagnostic;
use super::profiles::chosen_by_name;
use super::sources::Sources;
use super::table::{item, wrap};
use crate::pipeline::report::{Compared, DeviceReport, LoweredReport, PipelineReport, StepReport};
use crate::words::plain_words::{assurance, reason, verdict};
use crate::words::style::{Ink, Style};
use gridlock_checker::verdict::Verdict;
use serde_json::{Value, json};
use std::fmt::Write;

/// Name and story.
pub fn head(name: &str, story: &str, style: &Style) -> String {
    let mut out = format!("Pipeline {}\n", style.paint(Ink::Strong, name));
    for line in wrap(story, style.width.saturating_sub(2)) {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// One step under one profile. What was applied stands with the first profile only, and not at all
/// when the report is to be brief.
pub fn step(step: &StepReport, brief: bool, sources: &mut Sources, style: &Style) -> String {
    let mut out = String::new();
    let is_first = !brief && (!step.applied.is_empty() || !step.diff.is_empty());
    if is_first {
        let _ = writeln!(
            out,
            "\nStep {}: {} applied to {}",
            style.paint(Ink::Strong, &step.name),
            step.rules,
            step.from
        );
        for (applied, times) in counted(&step.applied) {
            let text = match times {
                1 => applied.to_owned(),
                times => format!("{applied}, {times} times"),
            };
            out.push_str(&item(&text, style));
        }
        for line in step.diff.lines() {
            let ink = match line.chars().next() {
                Some('+') => Some(Ink::Good),
                Some('-') => Some(Ink::Bad),
                Some('@') => Some(Ink::Faint),
                _ => None,
            };
            let line = ink.map_or(line.to_owned(), |ink| style.paint(ink, line));
            let _ = writeln!(out, "    {line}");
        }
    }
    let (name, ink) = verdict(step.verdict);
    let covered = match (step.verdict, step.reason, step.assurance) {
        (Verdict::Unknown, Some(why), _) => format!(" ({})", reason(why)),
        (Verdict::Passed | Verdict::Proved, _, Some(level)) => format!(" for {}", assurance(level)),
        _ => String::new(),
    };
    let (met, met_ink) = match step.agrees {
        true => ("as expected", Ink::Good),
        false => ("NOT AS EXPECTED", Ink::Bad),
    };
    let head = format!(
        "{} under {}: {}{covered}, against {}, {:.2} s; {}: {}",
        step.name,
        step.profile,
        style.paint(ink, name),
        step.against,
        step.seconds,
        style.paint(met_ink, met),
        step.expected,
    );
    let _ = writeln!(out, "  {head}");
    for line in wrap(&step.explanation, style.width.saturating_sub(4)) {
        if !line.is_empty() {
            let _ = writeln!(out, "    {line}");
        }
    }
    let work = step.statistics;
    if work.states + work.transitions > 0 {
        let explored = match work.states {
            0 => String::new(),
            states => format!("{states} states explored, "),
        };
        let _ = writeln!(out, "    {explored}{} transitions", work.transitions);
    }
    let notes = [
        ("assumes", step.assumptions.texts()),
        ("remark", step.remarks.texts()),
        ("not judged", step.not_judged.texts()),
    ];
    for (what, texts) in notes {
        // Of both programs the same may be said.
        for (text, _) in counted(&texts) {
            for (i, line) in wrap(&format!("{what}: {text}"), style.width.saturating_sub(6))
                .iter()
                .enumerate()
            {
                let indent = if i == 0 { "    " } else { "      " };
                let _ = writeln!(out, "{indent}{line}");
            }
        }
    }
    for defect in &step.defects {
        for line in diagnostic::defect(defect, sources, style).lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    out
}

/// Equal texts counted, in the order of their first occurrence.
fn counted(texts: &[String]) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for text in texts {
        match found.iter_mut().find(|(seen, _)| seen == text) {
            Some((_, times)) => *times += 1,
            None => found.push((text, 1)),
        }
    }
    found
}

/// What was lowered, compiled and run, and whether all came out as expected.
pub fn conclusion(report: &PipelineReport, style: &Style) -> String {
    let mut out = String::new();
    if let Some(found) = &report.search {
        out.push_str(&super::search::search(found, style));
    }
    if !report.lowered.is_empty() {
        let _ = writeln!(out, "\nLowered");
        for lowered in &report.lowered {
            out.push_str(&item(&self::lowered(lowered), style));
        }
    }
    if !report.runs.is_empty() {
        let _ = writeln!(out, "\nRun");
        for run in &report.runs {
            out.push_str(&item(&device_run(run), style));
        }
    }
    if !report.not_run.is_empty() {
        let _ = writeln!(out, "\nNot run");
        for left in &report.not_run {
            let text = format!("{}: {}", left.device, left.reason);
            out.push_str(&item(&text, style));
        }
    }
    if !report.skipped.is_empty() {
        let _ = writeln!(out, "\nNot tried: {}", report.skipped.join(", "));
    }
    let profiles = report.steps.iter().map(|step| &*step.profile);
    let profiles = chosen_by_name(profiles, style);
    if !profiles.is_empty() {
        let _ = write!(out, "\n{profiles}");
    }
    let (word, ink) = match report.as_expected {
        true => ("everything came out as expected", Ink::Good),
        false => ("not everything came out as expected", Ink::Bad),
    };
    let _ = writeln!(
        out,
        "\n{}: {}, {:.1} s",
        report.name,
        style.paint(ink, word),
        report.seconds
    );
    out
}

fn lowered(lowered: &LoweredReport) -> String {
    let mut text = format!(
        "{}: {} lines of {}",
        lowered.step, lowered.lines, lowered.target
    );
    if let Some(file) = &lowered.file {
        let _ = write!(text, " in {}", file.display());
    }
    if !lowered.compiled_for.is_empty() {
        let _ = write!(
            text,
            ", compiled by nvcc for {}",
            lowered.compiled_for.join(", ")
        );
    }
    text
}

fn device_run(run: &DeviceReport) -> String {
    let compared = match run.compared() {
        Compared::Agree => format!("agrees with the interpreter, {} cells", run.cells),
        Compared::Differ => format!("DIFFERS from the interpreter, {} cells", run.cells),
        Compared::Nothing => "nothing was compared".to_owned(),
    };
    let mut text = format!("{}: {compared}", run.device);
    if !run.case.is_empty() {
        let _ = write!(text, ", case {}", run.case);
    }
    if !run.message.is_empty() {
        let _ = write!(text, ": {}", run.message);
    }
    text
}

/// The body of the JSON object.
pub fn json(report: &PipelineReport) -> Value {
    json!({
        "name": report.name,
        "file": report.file,
        "profiles": super::json::profiles(report.steps.iter().map(|step| &*step.profile)),
        "steps": report.steps,
        "search": report.search,
        "lowered": report.lowered,
        "runs": report.runs,
        "not_run": report.not_run,
        "skipped": report.skipped,
        "as_expected": report.as_expected,
        "statistics": { "seconds": report.seconds },
    })
}
