//! Grades of defects in words: conditions in the first lines of a report, the rest under each defect.

use super::table::{item, wrap};
use crate::words::style::Style;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Benign;
use std::fmt::Write;

/// What excludes the defects of a subject, each condition once, with the statement to copy.
pub fn conditions(defects: &[Defect], subject: usize, style: &Style) -> String {
    let mut out = String::new();
    let mut said: Vec<(&str, &str)> = Vec::new();
    for defect in defects.iter().filter(|d| d.subject == subject) {
        let Some(condition) = &defect.grade.only_if else {
            continue;
        };
        let this = (defect.kind.name(), condition.as_str());
        if said.contains(&this) {
            continue;
        }
        said.push(this);
        let line = format!(
            "{}: none where {condition}, at every launch tried",
            defect.kind.name()
        );
        for line in wrap(&line, style.width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
        if let Some(requires) = &defect.grade.requires {
            let _ = writeln!(out, "    {requires}");
        }
    }
    out
}

/// The list under a defect.
pub fn grades(defect: &Defect, style: &Style) -> String {
    let grade = &defect.grade;
    let mut lines = Vec::new();
    match grade.every_choice {
        Some(true) => lines.push(
            "at this launch every choice tried of the arguments that were not given shows it",
        ),
        Some(false) => lines.push(
            "the tool chose the arguments that were not given: at this launch other choices do not \
             show it",
        ),
        None => {}
    }
    match grade.benign {
        Some(Benign::SameValue) => lines.push(
            "benign, same value: in all inputs and schedules explored those who write unordered \
             write the same value",
        ),
        None => {}
    }
    if grade.reaches_output == Some(false) {
        lines.push(
            "in all inputs and schedules explored, at launches of up to 8 threads, it changes nothing of what is left in memory",
        );
    }
    lines.into_iter().map(|line| item(line, style)).collect()
}
