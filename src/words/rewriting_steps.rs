//! A derivation by rules, step by step: each application as a small difference of the printed program.

use super::style::{Ink, Style};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_transforms::rewriting::apply::Derivation;
use gridlock_transforms::rewriting::record::Step;
use gridlock_transforms::rewriting::steps::texts;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Steps shown with what they changed; of later ones rule and place alone.
const MOST_SHOWN: usize = 1000;

/// The steps, each with its place in the source, what its metavariables stood for, what it took for granted,
/// and what it changed.
pub fn text(original: &Program, derivation: &Derivation, style: &Style) -> String {
    let steps = &derivation.steps;
    let mut out = String::new();
    for (index, (step, change)) in steps.iter().zip(changes(original, steps)).enumerate() {
        let application = &step.application;
        let line = format!(
            "Step {} of {}: {} in {}{}",
            index + 1,
            steps.len(),
            application.rule,
            application.procedure,
            place(original, application.span)
        );
        let _ = writeln!(out, "{}", style.paint(Ink::Strong, &line));
        for (name, text) in &application.bindings {
            let line = format!("    {name} = {}", text.replace('\n', " "));
            let _ = writeln!(out, "{}", style.paint(Ink::Faint, &line));
        }
        for assumption in &application.assumptions {
            let line = format!("    assumes {}", assumption.text);
            let _ = writeln!(out, "{}", style.paint(Ink::Unsure, &line));
        }
        let Some(change) = change else {
            continue;
        };
        for line in change.lines() {
            let line = match line.as_bytes().first() {
                Some(b'+') => style.paint(Ink::Good, line),
                Some(b'-') => style.paint(Ink::Bad, line),
                _ => line.to_owned(),
            };
            let _ = writeln!(out, "{line}");
        }
        out.push('\n');
    }
    let n = steps.len();
    let word = if n == 1 { "step" } else { "steps" };
    let _ = writeln!(out, "{n} {word}");
    if n > MOST_SHOWN {
        let _ = writeln!(out, "Changes are shown of the first {MOST_SHOWN}.");
    }
    if !derivation.normal {
        let _ = writeln!(
            out,
            "{}: the fuel ran out before the strategy was done",
            style.paint(Ink::Unsure, "not normal")
        );
    }
    out
}

/// The steps as data: `replay` in [`crate::pipeline::rewriting`] does them again.
pub fn json(original: &Program, steps: &[Step]) -> Vec<Value> {
    let changes = changes(original, steps);
    let pairs = steps.iter().zip(changes);
    let object = |(step, change): (&Step, Option<String>)| {
        let application = &step.application;
        json!({
            "rule": application.rule,
            "procedure": application.procedure,
            "file": original.file_name(application.span),
            "line": application.span.line,
            "column": application.span.column,
            "span": application.span,
            "bindings": application.bindings,
            "assumptions": application.assumptions,
            "path": step.path,
            "change": change,
        })
    };
    pairs.map(object).collect()
}

/// What `--trace-file` writes and `--replay` reads: the rules and parameters as they were given, and the steps.
pub fn record(
    rules: &str,
    params: &BTreeMap<String, String>,
    original: &Program,
    steps: &[Step],
) -> Value {
    json!({ "rules": rules, "params": params, "steps": json(original, steps) })
}

fn place(program: &Program, span: Span) -> String {
    match (span.is_none(), program.file_name(span)) {
        (true, _) => String::new(),
        (false, file) => format!(", {file}:{}:{}", span.line, span.column),
    }
}

/// What each step changed in the printed program.
fn changes(original: &Program, steps: &[Step]) -> Vec<Option<String>> {
    let shown = &steps[..steps.len().min(MOST_SHOWN)];
    let mut changes: Vec<Option<String>> = texts(original, shown)
        .iter()
        .map(|(before, after)| Some(difference(before, after)))
        .collect();
    changes.resize(steps.len(), None);
    changes
}

fn difference(before: &str, after: &str) -> String {
    let difference = similar::TextDiff::from_lines(before, after);
    let text = difference.unified_diff().context_radius(1).to_string();
    match text.is_empty() {
        true => "(nothing that is printed)\n".into(),
        false => text,
    }
}
