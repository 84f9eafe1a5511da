//! Grades of defects in words: conditions in the first lines of a report, the rest under each defect.

use super::table::{item, wrap};
use super::threads::extents;
use crate::words::style::Style;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Benign;
use gridlock_checker::report::host_launch::Caller;
use gridlock_checker::report::{Subject, SubjectLaunch};
use std::fmt::Write;

/// When the defects of a subject show: at which launch the first of each kind does and who makes it, then what
/// excludes them, each condition once, with the statement to copy.
pub fn conditions(defects: &[Defect], index: usize, subject: &Subject, style: &Style) -> String {
    let mut out = String::new();
    let mut said: Vec<(&str, &str)> = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    for defect in defects.iter().filter(|d| d.subject == index) {
        let name = defect.kind.name();
        if !shown.contains(&name) {
            shown.push(name);
            let launch = defect.grade.launch.as_ref();
            if let Some(launch) = launch.filter(|launch| is_chosen(launch, subject)) {
                let who = defect.grade.caller.as_ref().map_or(String::new(), called);
                put(
                    &format!("{name} with {}{who}", in_words(launch)),
                    style,
                    &mut out,
                );
            }
        }
        let Some(condition) = &defect.grade.only_if else {
            continue;
        };
        if said.contains(&(name, condition.as_str())) {
            continue;
        }
        said.push((name, condition.as_str()));
        put(&self::condition(defect), style, &mut out);
        if let Some(requires) = &defect.grade.requires {
            let _ = writeln!(out, "    {requires}");
        }
    }
    out
}

/// `data-race: none where blockDim.x == 32 (proved)`; nothing where no condition is known.
pub fn condition(defect: &Defect) -> String {
    let Some(condition) = &defect.grade.only_if else {
        return String::new();
    };
    let known = match (defect.grade.only_if_proved, defect.grade.only_if_held_at) {
        (true, _) => "(proved)".to_owned(),
        (false, Some(1)) => "(held at the one launch tried, not proved)".to_owned(),
        (false, Some(n)) => format!("(held at {n} launches tried, not proved)"),
        (false, None) => "(not proved)".to_owned(),
    };
    format!("{}: none where {condition} {known}", defect.kind.name())
}

fn put(text: &str, style: &Style, out: &mut String) {
    for line in wrap(text, style.width.saturating_sub(2)) {
        let _ = writeln!(out, "  {line}");
    }
}

/// Whether the launch, or an argument, is not what the user gave.
fn is_chosen(launch: &SubjectLaunch, subject: &Subject) -> bool {
    let given = &subject.launch;
    (launch.grid, launch.block) != (given.grid, given.block) || launch.args != given.args
}

/// `grid 2, block 64 and n = 100`
fn in_words(launch: &SubjectLaunch) -> String {
    let mut parts = Vec::new();
    parts.extend(launch.grid.map(|grid| format!("grid {}", extents(grid))));
    parts.extend(
        launch
            .block
            .map(|block| format!("block {}", extents(block))),
    );
    let shared = launch.shared.filter(|bytes| *bytes > 0);
    parts.extend(shared.map(|bytes| format!("{bytes} bytes of dynamic shared memory")));
    parts.extend(launch.args.iter().map(|(name, v)| format!("{name} = {v}")));
    match parts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => parts.concat(),
    }
}

/// Who makes the launch, to follow it.
fn called(caller: &Caller) -> String {
    match caller {
        Caller::HostCode { site, is_certain } => {
            let (function, line) = (&site.function, site.line);
            match is_certain {
                true => format!(", a launch of `{function}` (line {line})"),
                false => format!(", which `{function}` may launch (line {line})"),
            }
        }
        Caller::NoneInSight => "; no host code in this file launches it so".to_owned(),
    }
}

/// Launches of a subject by host code that are shown, at most.
const MOST_LAUNCHES: usize = 3;

/// The launches in host code: where, and with which numbers.
pub fn host_launches(subject: &Subject, style: &Style) -> String {
    let mut out = String::new();
    for launch in subject.host_launches.iter().take(MOST_LAUNCHES) {
        let extents = |numbers: &[String]| match numbers {
            [x, y, z] if y == "1" && z == "1" => x.clone(),
            numbers => format!("({})", numbers.join(", ")),
        };
        let mut parts = vec![
            format!("grid {}", extents(&launch.grid)),
            format!("block {}", extents(&launch.block)),
        ];
        parts.extend(launch.shared.as_ref().map(|bytes| format!("{bytes} bytes")));
        let args = launch.args.iter().filter(|(name, text)| name != text);
        parts.extend(args.map(|(name, text)| format!("{name} = {text}")));
        let read = if launch.in_part { ", read in part" } else { "" };
        let site = &launch.site;
        let line = format!(
            "launched by `{}` (line {}{read}): {}",
            site.function,
            site.line,
            parts.join(", ")
        );
        put(&line, style, &mut out);
    }
    match subject.host_launches.len().saturating_sub(MOST_LAUNCHES) {
        0 => {}
        more => {
            let _ = writeln!(out, "  and {more} more launches in host code");
        }
    }
    if let Some(tried) = &subject.host_tried {
        let what = match (tried.launches, tried.failing) {
            (1, 0) => "at the launch of host code tried: no defect".to_owned(),
            (1, _) => "at the launch of host code tried: a defect".to_owned(),
            (n, 0) => format!("at each of the {n} launches of host code tried: no defect"),
            (n, failing) => format!("at {failing} of {n} launches of host code tried: a defect"),
        };
        put(&what, style, &mut out);
    }
    out
}

/// The list under a defect.
pub fn grades(defect: &Defect, style: &Style) -> String {
    let grade = &defect.grade;
    let mut lines = Vec::new();
    if grade.caller == Some(Caller::NoneInSight) {
        lines.push("it stands apart: none of the launches in host code of this file is like it");
    }
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
        None if defect.explanation.as_ref().is_some_and(|e| e.same_value) => lines.push(
            "in this run both write the same value; whether they always do was not established",
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
