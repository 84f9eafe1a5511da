//! A device against the checker.

use super::profiles::chosen;
use super::table::item;
use super::text::head;
use crate::words::style::{Ink, Style};
use gridlock_checker::report::Subject;
use gridlock_lowering::diff::{DiffError, DiffReport};
use gridlock_semantics::profile::Profile;
use serde_json::{Value, json};
use std::fmt::Write;

/// A comparison with a device, for people.
pub fn report(
    outcome: &Result<DiffReport, DiffError>,
    subject: &Subject,
    profile: &Profile,
    style: &Style,
) -> String {
    let mut out = head(subject, &profile.name, style);
    out.push_str(&chosen(profile, style));
    let report = match outcome {
        Ok(report) => report,
        Err(error) => {
            let _ = writeln!(
                out,
                "\n{}: {error}",
                style.paint(Ink::Unsure, "not compared")
            );
            return out;
        }
    };
    let device = &report.device;
    let _ = writeln!(out, "  device: {} ({})", device.name, device.driver);
    if device.compiler != "none" {
        let flags = device.flags.join(" ");
        let _ = writeln!(out, "  compiled by {} {flags}", device.compiler);
    }
    let _ = writeln!(
        out,
        "  {} runs, {} cells compared; a launch took {:.6} s at best, {:.6} s on average",
        report.runs, report.cells, report.best_seconds, report.mean_seconds
    );
    if report.max_ulps > 0 {
        let _ = writeln!(
            out,
            "  floats differ by up to {} units in the last place",
            report.max_ulps
        );
    }
    if !report.histogram.is_empty() {
        let _ = writeln!(out, "\nOutcomes seen");
        for seen in &report.histogram {
            let allowed = match seen.allowed {
                true => "allowed",
                false => "NOT ALLOWED",
            };
            let text = format!("{} times, {allowed}: {}", seen.count, seen.outcome);
            out.push_str(&item(&text, style));
        }
    }
    for difference in &report.differences {
        let text = format!(
            "run {}: {}[{}] is {}, expected {}",
            difference.run,
            difference.array,
            difference.index,
            difference.seen,
            difference.expected
        );
        out.push_str(&item(&text, style));
    }
    let (word, ink) = match report.agree {
        true => ("agree", Ink::Good),
        false => ("differ", Ink::Bad),
    };
    let _ = writeln!(out, "\nDevice and checker {}", style.paint(ink, word));
    out
}

/// The body of the JSON object.
pub fn json(outcome: &Result<DiffReport, DiffError>, subject: &Subject) -> Value {
    match outcome {
        Ok(report) => json!({
            "subjects": [subject],
            "agree": report.agree,
            "report": report,
        }),
        Err(error) => json!({
            "subjects": [subject],
            "agree": Value::Null,
            "failure": error.to_string(),
        }),
    }
}
