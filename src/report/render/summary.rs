//! What a launch leaves, as formulas.

use super::profiles::chosen;
use super::table::wrap;
use super::text::{head, launch, list};
use crate::input::request::Request;
use crate::judge::summary::Summarised;
use crate::words::style::{Ink, Style};
use gridlock_checker::report::Subject;
use gridlock_proofs::summary::{ArraySummary, CellGroup};
use serde_json::{Value, json};
use std::fmt::Write;

/// Characters of a formula that are shown.
const MOST_SHOWN: usize = 600;
/// Groups of cells of an array that are shown.
const MOST_GROUPS: usize = 40;

/// For people: a line for each group of cells that are alike.
pub fn text(
    summarised: &Summarised,
    subject: &Subject,
    request: &Request,
    style: &Style,
) -> String {
    let mut out = head(subject, &request.profile.name, style);
    out.push('\n');
    out.push_str(&formulas(summarised, style));
    out.push('\n');
    let required = summarised.required.iter();
    let required: Vec<String> = required
        .map(|of| format!("{} (line {})", of.condition, of.line))
        .collect();
    list("Required by the kernel", &required, style, &mut out);
    let assumptions = summarised.assumptions.texts();
    list("Assumptions", &assumptions, style, &mut out);
    let not_judged = summarised.not_judged.texts();
    list("Not judged", &not_judged, style, &mut out);
    out.push_str(&chosen(&request.profile, style));
    out.push('\n');
    out.push_str(&verdict(summarised, style));
    out
}

/// Of the two sides of a comparison, the old one first: what each leaves, and whether that is proved.
pub fn of_both(sides: &[(Summarised, Subject); 2], style: &Style) -> String {
    let mut out = String::new();
    for (summarised, subject) in sides {
        let name = style.paint(Ink::Strong, &subject.kernel);
        let launch = launch(&subject.launch);
        let _ = writeln!(out, "\nWhat {name} in {} leaves; {launch}", subject.file);
        out.push_str(&formulas(summarised, style));
        if summarised.open.is_some() {
            out.push_str(&verdict(summarised, style));
        }
    }
    out
}

/// A line for each group of cells, and what the reader has to know of them.
fn formulas(summarised: &Summarised, style: &Style) -> String {
    let mut out = String::new();
    for array in &summarised.arrays {
        for group in array.groups.iter().take(MOST_GROUPS) {
            let line = line(group, &array.array, &summarised.names);
            for (number, line) in (0..).zip(wrap(&line, style.width.saturating_sub(6))) {
                let indent = if number == 0 { "  " } else { "      " };
                let _ = writeln!(out, "{indent}{line}");
            }
        }
        if let Some(more) = array.groups.len().checked_sub(MOST_GROUPS + 1) {
            let _ = writeln!(out, "  … and {} more of `{}`", more + 1, array.array);
        }
    }
    if summarised.arrays.is_empty() && summarised.open.is_none() {
        out.push_str("  nothing is written\n");
    }
    if !summarised.arrays.is_empty() {
        let about = "Arrays in a formula hold there what they held at first; cells that are not named keep it.";
        let _ = writeln!(out, "\n{about}");
    }
    let is_reordered = |array: &ArraySummary| array.groups.iter().any(is_reordered);
    if summarised.arrays.iter().any(is_reordered) {
        out.push_str("[order]: the floats of the sum are not added from left to right.\n");
    }
    out
}

fn verdict(summarised: &Summarised, style: &Style) -> String {
    let mut out = String::new();
    let verdict = match &summarised.open {
        None => {
            let with = match summarised.chosen.as_slice() {
                [] => String::new(),
                chosen => format!(" with the {} chosen", chosen.join(", ")),
            };
            format!(
                "Verdict: {}: every schedule leaves this, for all inputs at this launch{with}",
                style.paint(Ink::Good, "proved")
            )
        }
        Some(why) => format!("Verdict: {}: {why}", style.paint(Ink::Unsure, "unknown")),
    };
    for line in wrap(&verdict, style.width) {
        let _ = writeln!(out, "{line}");
    }
    if summarised.launch_is_chosen {
        out.push_str("Nobody gave the launch, so that a small one was taken: --grid and --block give another.\n");
    }
    if !summarised.chosen.is_empty() {
        let options = options(&summarised.chosen);
        let _ = writeln!(
            out,
            "For all numbers at once it does not go through; another one is given so: {options}"
        );
    } else if summarised.open.is_some() && !summarised.unknown.is_empty() {
        let options = options(&summarised.unknown);
        let _ = writeln!(out, "An argument that is given is a number: {options}");
    }
    out
}

fn options(names: &[String]) -> String {
    let options: Vec<String> = names.iter().map(|name| format!("--arg {name}=…")).collect();
    options.join(" ")
}

fn is_reordered(group: &CellGroup) -> bool {
    group.formula.is_reordered()
}

fn line(group: &CellGroup, array: &str, taken: &[String]) -> String {
    let [cell, mut formula, ranges] = group.text(array, taken);
    if formula.chars().count() > MOST_SHOWN {
        let shown: String = formula.chars().take(MOST_SHOWN).collect();
        formula = format!("{shown} …");
    }
    let order = if is_reordered(group) { " [order]" } else { "" };
    match ranges.is_empty() {
        true => format!("{cell} = {formula}{order}"),
        false => format!("{cell} = {formula}{order}, {ranges}"),
    }
}

/// The body of the JSON object.
pub fn json(summarised: &Summarised, subject: &Subject, request: &Request) -> Value {
    let assumptions = &summarised.assumptions;
    let group = |array: &str, group: &CellGroup| {
        let [cell, formula, ranges] = group.text(array, &summarised.names);
        json!({
            "cell": cell,
            "formula": formula,
            "ranges": ranges,
            "cells": group.cells,
            "left-to-right": !is_reordered(group),
        })
    };
    let arrays: Vec<Value> = summarised
        .arrays
        .iter()
        .map(|array| {
            let groups = array.groups.iter().map(|of| group(&array.array, of));
            json!({ "array": array.array, "groups": groups.collect::<Vec<_>>() })
        })
        .collect();
    json!({
        "profile": super::json::profile(&request.profile),
        "subjects": [subject],
        "verdict": if summarised.open.is_none() { "proved" } else { "unknown" },
        "assurance": summarised.open.is_none().then_some("all-inputs"),
        "explanation": summarised.open,
        "unknown-arguments": summarised.unknown,
        "chosen-arguments": summarised.chosen,
        "chosen-launch": summarised.launch_is_chosen,
        "required": summarised.required,
        "arrays": arrays,
        "assumptions": assumptions.texts(),
        "assumed": assumptions,
        "not_judged": summarised.not_judged,
    })
}
