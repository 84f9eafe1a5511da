//! What is proved of the rules of a system.

use super::table::{Cell, table, wrap};
use crate::words::style::{Ink, Style};
use gridlock_transforms::rules::RuleSystem;
use serde_json::{Value, json};
use std::fmt::Write;

/// Every rule stands here until proofs of rules exist: where it is used, the two programs are
/// compared.
const STATUS: &str = "not proved: judged at each use";

/// What a rule system says of itself, and a row for each rule.
pub fn rule_status(system: &RuleSystem, style: &Style) -> String {
    let mut out = format!("{}\n", style.paint(Ink::Strong, system.name()));
    for text in [system.about(), system.source(), system.status()] {
        for line in wrap(text, style.width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
    }
    let rows: Vec<Vec<Cell>> = system
        .rules()
        .iter()
        .map(|rule| {
            vec![
                (rule.name.to_string(), Some(Ink::Strong)),
                ("unknown".to_owned(), Some(Ink::Unsure)),
                (STATUS.to_owned(), None),
            ]
        })
        .collect();
    out.push_str(&table(&["rule", "verdict", "status"], &rows, style));
    out
}

/// The body of the JSON object.
pub fn json(system: &RuleSystem) -> Value {
    let rules: Vec<Value> = system
        .rules()
        .iter()
        .map(|rule| json!({ "name": rule.name, "verdict": "unknown", "status": STATUS }))
        .collect();
    json!({
        "system": system.name(),
        "about": system.about(),
        "source": system.source(),
        "verdict": "unknown",
        "reason": "not-attempted",
        "assurance": Value::Null,
        "rules": rules,
    })
}
