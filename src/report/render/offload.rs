//! What became of the loops of a program that was offloaded.

use super::pipeline;
use super::sources::Sources;
use super::table::{item, wrap};
use crate::pipeline::offload::report::{LoopReport, OffloadReport, Outcome};
use crate::words::style::{Ink, Style};
use serde_json::{Value, json};
use std::fmt::Write;

/// The loops, the steps that were taken with them and their verdicts, what was written and run.
pub fn offload(report: &OffloadReport, sources: &mut Sources, style: &Style) -> String {
    let entry = style.paint(Ink::Strong, &report.entry);
    let mut out = format!("Offload {entry} in {}\n", report.file);
    out.push_str("\nJudged with\n");
    for case in &report.cases {
        out.push_str(&item(case, style));
    }
    if !report.cases_left_out.is_empty() {
        out.push_str("\nNot judged with\n");
        for left in &report.cases_left_out {
            out.push_str(&item(left, style));
        }
    }
    let _ = writeln!(
        out,
        "\nLoops, with their share of the {} steps of runs of the original",
        report.steps_counted
    );
    for one in &report.loops {
        out.push_str(&of_loop(one, style));
    }
    if let Some(judged) = &report.pipeline {
        out.push_str("\nSteps, with blocks as they are written\n");
        for step in &judged.steps {
            out.push_str(&pipeline::step(step, true, sources, style));
        }
        let small = report.in_small_blocks.iter().map(|step| step.verdict).min();
        if let Some(weakest) = small {
            let (word, _) = crate::words::plain_words::verdict(weakest);
            let text = format!(
                "The same steps with blocks of so few threads that these sizes have several: at least {word}."
            );
            for line in wrap(&text, style.width.saturating_sub(2)) {
                let _ = writeln!(out, "  {line}");
            }
        }
        out.push_str(&pipeline::conclusion(judged, style));
    }
    let n = report.n_offloaded();
    let loops = if n == 1 { "loop" } else { "loops" };
    let (word, ink) = match (&report.pipeline, n) {
        (Some(judged), _) if judged.as_expected => ("offloaded", Ink::Good),
        (Some(_), _) => ("tried, and not all came out as it should", Ink::Bad),
        (None, _) => ("offloaded", Ink::Unsure),
    };
    let _ = writeln!(
        out,
        "\n{}: {n} {loops} {}",
        report.entry,
        style.paint(ink, word)
    );
    out
}

fn of_loop(one: &LoopReport, style: &Style) -> String {
    let counter = one.counter.as_ref();
    let over = counter.map_or(String::new(), |counter| format!(" over {counter}"));
    let place = format!(
        "{}, line {}: the loop{over}, {:.0} %",
        one.procedure,
        one.line,
        one.share * 100.0
    );
    let what = match (one.outcome, &one.why) {
        (Outcome::Offloaded, _) => format!("offloaded ({})", one.steps.join("; ")),
        (Outcome::Around, Some(why)) => format!("stays around those inside: {why}"),
        (Outcome::Around, None) => "stays around those inside".to_owned(),
        (Outcome::LeftAlone, Some(why)) => format!("left alone: {why}"),
        (Outcome::LeftAlone, None) => "left alone: no rule takes it".to_owned(),
    };
    item(&format!("{place}: {what}"), style)
}

/// The body of the JSON object.
pub fn json(report: &OffloadReport) -> Value {
    json!({
        "entry": report.entry,
        "file": report.file,
        "cases": report.cases,
        "cases_left_out": report.cases_left_out,
        "steps_counted": report.steps_counted,
        "loops": report.loops,
        "in_small_blocks": report.in_small_blocks,
        "pipeline": report.pipeline.as_ref().map(pipeline::json),
    })
}
