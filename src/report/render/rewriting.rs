//! What a rule system made of a program.

use super::table::item;
use crate::pipeline::rewriting::of_a_rule;
use crate::words::refusals;
use crate::words::style::{Ink, Style};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_transforms::rewriting::apply::Derivation;
use gridlock_transforms::rewriting::record::{Application, Refusal};
use serde_json::{Value, json};
use std::fmt::Write;

/// The new program, then the applications; with `list`, bindings and refusals too.
pub fn rewriting(derivation: &Derivation, list: bool, style: &Style) -> String {
    let mut out = print::program(&derivation.program, PrintOptions::default());
    out.push('\n');
    let n = derivation.applications.len();
    let applications = if n == 1 {
        "application"
    } else {
        "applications"
    };
    let _ = writeln!(out, "{n} {applications}");
    for application in &derivation.applications {
        out.push_str(&item(&applied(application), style));
        if list {
            for (name, text) in &application.bindings {
                let line = format!("      {name} = {}", text.replace('\n', " "));
                let _ = writeln!(out, "{}", style.paint(Ink::Faint, &line));
            }
        }
    }
    let assumptions = assumptions(derivation);
    if !assumptions.is_empty() {
        let _ = writeln!(out, "\nAssumptions");
        for text in assumptions.texts() {
            out.push_str(&item(&text, style));
        }
    }
    // Where nothing was applied, the refusals are the answer.
    if (list || n == 0) && !derivation.refusals.is_empty() {
        let _ = writeln!(out, "\nMatched, but refused");
        for refusal in &derivation.refusals {
            out.push_str(&item(&refused(refusal), style));
        }
    }
    if !derivation.missed.is_empty() {
        let _ = writeln!(out, "\nLoops that no rule matches");
        for missed in &derivation.missed {
            let nearest = missed.rule.as_ref();
            let text = format!(
                "in {}, line {}: {}{}",
                missed.procedure,
                missed.span.line,
                missed.part,
                nearest.map_or(String::new(), |rule| format!("; `{rule}` comes nearest")),
            );
            out.push_str(&item(&text, style));
        }
    }
    if !derivation.normal {
        let _ = writeln!(
            out,
            "\n{}: the fuel ran out before the strategy was done",
            style.paint(Ink::Unsure, "not normal")
        );
    }
    out
}

/// What the rules took for granted.
fn assumptions(derivation: &Derivation) -> Statements<Assumption> {
    derivation.assumptions.iter().map(of_a_rule).collect()
}

fn applied(application: &Application) -> String {
    match application.span.is_none() {
        true => format!("{} in {}", application.rule, application.procedure),
        false => format!(
            "{} in {}, line {}",
            application.rule, application.procedure, application.span.line
        ),
    }
}

fn refused(refusal: &Refusal) -> String {
    let why = refusals::why(refusal);
    format!(
        "{} in {}, line {}: {why}",
        refusal.rule, refusal.procedure, refusal.span.line
    )
}

/// The body of the JSON object.
pub fn json(derivation: &Derivation, rules: &str) -> Value {
    let applications: Vec<Value> = derivation
        .applications
        .iter()
        .map(|application| {
            json!({
                "rule": application.rule,
                "procedure": application.procedure,
                "file": derivation.program.file_name(application.span),
                "line": application.span.line,
                "column": application.span.column,
                "bindings": application.bindings,
            })
        })
        .collect();
    let refusals: Vec<Value> = derivation
        .refusals
        .iter()
        .map(|refusal| {
            json!({
                "rule": refusal.rule,
                "procedure": refusal.procedure,
                "line": refusal.span.line,
                "condition": refusal.condition,
                "asks": refusal.asks,
                "reason": refusal.reason,
                "undecided": refusal.unknown,
            })
        })
        .collect();
    let missed: Vec<Value> = derivation
        .missed
        .iter()
        .map(|missed| {
            json!({
                "procedure": missed.procedure,
                "line": missed.span.line,
                "rule": missed.rule,
                "part": missed.part,
            })
        })
        .collect();
    let assumptions = assumptions(derivation);
    json!({
        "rules": rules,
        "normal": derivation.normal,
        "applications": applications,
        "assumptions": assumptions.texts(),
        "assumed": assumptions,
        "refusals": refusals,
        "missed": missed,
        "tries": { "asked": derivation.tries.asked, "tried": derivation.tries.tried },
        "program": derivation.program,
        "text": print::program(&derivation.program, PrintOptions::default()),
    })
}
