//! A run as a derivation, one line a rule.

use super::moves::actor_name;
use super::observation::observation;
use super::profiles::chosen;
use super::table::{Cell, table};
use super::text::head;
use crate::run::derivation::{Derivation, DerivationStep, End};
use crate::words::style::{Ink, Style};
use gridlock_checker::report::Subject;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;
use serde_json::{Value, json};
use std::fmt::Write;

/// A derivation for people: a row for each application of a rule.
pub fn derivation(
    derivation: &Derivation,
    subject: &Subject,
    profile: &Profile,
    launch: Option<&Launch>,
    style: &Style,
) -> String {
    let mut out = head(subject, &profile.name, style);
    out.push_str(&chosen(profile, style));
    out.push('\n');
    let rows: Vec<Vec<Cell>> = derivation
        .steps
        .iter()
        .zip(1..)
        .map(|(step, number): (&DerivationStep, usize)| {
            vec![
                (number.to_string(), Some(Ink::Faint)),
                (rule(step), Some(Ink::Strong)),
                (who(step, launch), None),
                (line(step), None),
                (step.effects.join(", "), None),
                (step.operator.clone(), None),
            ]
        })
        .collect();
    if derivation.n_scheduled < derivation.steps.len() && derivation.n_scheduled > 0 {
        let _ = writeln!(
            out,
            "  The schedule ends with step {}; what follows is one way on.",
            derivation.n_scheduled
        );
    }
    out.push_str(&table(
        &["step", "rule", "who", "line", "effect", "operator"],
        &rows,
        style,
    ));
    let _ = writeln!(out, "\n{}", end(&derivation.end));
    out
}

/// `R6`, or `R6 merged` where several threads applied it together.
fn rule(step: &DerivationStep) -> String {
    if step.merged.is_empty() {
        return format!("{:?}", step.label.rule);
    }
    let rules: Vec<String> = step.merged.iter().map(|rule| format!("{rule:?}")).collect();
    format!("{} merged", rules.join("+"))
}

/// Actors named one by one.
const NAMED: usize = 4;

fn who(step: &DerivationStep, launch: Option<&Launch>) -> String {
    let actors = &step.label.actors;
    let named = if actors.len() > NAMED { 1 } else { NAMED };
    let names = actors.iter().take(named).map(|a| actor_name(*a, launch));
    let names = names.collect::<Vec<_>>().join(", ");
    match actors.len().saturating_sub(named) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

fn line(step: &DerivationStep) -> String {
    match step.span.is_none() {
        true => String::new(),
        false => step.span.line.to_string(),
    }
}

fn end(end: &End) -> String {
    match end {
        End::Final(seen) => format!("final: {}", observation(seen)),
        End::Fault(fault) => format!("fault: {:?}", fault.kind),
        End::Stuck => "stuck: no thread can take a step, and not all have ended".to_owned(),
        End::Cut => "cut: the bound on steps was reached (--limit-depth)".to_owned(),
    }
}

/// The body of the JSON object.
pub fn json(derivation: &Derivation, subject: &Subject, profile: &Profile) -> Value {
    let steps: Vec<Value> = derivation
        .steps
        .iter()
        .map(|step| {
            json!({
                "rule": step.label.rule,
                "actors": step.label.actors,
                "file": derivation.program.file_name(step.span),
                "line": step.span.line,
                "column": step.span.column,
                "operator": step.operator,
                "accesses": step.label.accesses,
                "merged": step.merged,
                "effects": step.effects,
            })
        })
        .collect();
    let (how, seen) = match &derivation.end {
        End::Final(seen) => ("final", json!(seen)),
        End::Fault(fault) => ("fault", json!(fault)),
        End::Stuck => ("stuck", Value::Null),
        End::Cut => ("cut", Value::Null),
    };
    json!({
        "profile": super::json::profile(profile),
        "subjects": [subject],
        "steps": steps,
        "scheduled": derivation.n_scheduled,
        "end": how,
        "seen": seen,
    })
}
