//! The JSON contract: one object a command, extended but never broken. `tests/gridlock/json_contract.rs`
//! holds the list of fields.

use crate::input::error::InputError;
use gridlock_checker::report::tolerance::LargestDifference;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_semantics::profile::Profile;
use serde_json::{Map, Value, json};

/// Version of the contract.
pub const SCHEMA: u32 = 1;

/// `{schema, tool, version, command}` and the fields of `body`.
pub fn envelope(command: &str, body: Value) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(SCHEMA));
    object.insert("tool".to_owned(), json!("gridlock"));
    object.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
    object.insert("command".to_owned(), json!(command));
    if let Value::Object(fields) = body {
        object.extend(fields);
    }
    Value::Object(object)
}

/// `{error: {kind, message, file, line, column}}`; what is not known is null. `unread` where no function could be read:
/// what stands in the way of each.
pub fn error(error: &InputError) -> Value {
    let mut found = located(error);
    if !error.unread.is_empty() {
        found["unread"] = json!(error.unread);
    }
    json!({ "error": found })
}

/// What `error` and each of `warnings` consist of.
pub fn located(error: &InputError) -> Value {
    json!({
        "kind": error.kind,
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "column": error.column,
    })
}

/// A profile: name, meaning and the value of each axis.
pub fn profile(profile: &Profile) -> Value {
    json!({
        "name": profile.name,
        "meaning": profile.meaning,
        "axes": profile.axes,
    })
}

/// The profiles of these names, each once, for reports that speak of several.
pub fn profiles<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    let named = super::profiles::known(names);
    named.iter().map(profile).collect()
}

/// The largest difference of floats: the two cells, what they hold, and how far that lies apart; null for what is
/// infinite.
fn largest_difference(largest: &LargestDifference) -> Value {
    let distance = largest.distance.as_ref();
    json!({
        "relation": largest.relation,
        "new_value": largest.new_value.to_string(),
        "old_value": largest.old_value.to_string(),
        "absolute": distance.map(|d| d.absolute),
        "relative": distance.map(|d| d.relative),
        "ulps": distance.map(|d| d.ulps),
    })
}

/// The body of `check`, `equiv` and `prove`.
pub fn judgement(judgement: &Judgement) -> Value {
    json!({
        "profile": profile(&judgement.profile),
        "subjects": subjects(judgement),
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "assurance": judgement.assurance,
        "modulo": judgement.modulo,
        "tolerance": judgement.tolerance,
        "largest_difference": judgement.largest_difference.as_ref().map(largest_difference),
        "properties": judgement.properties,
        "defects": judgement.defects,
        "assumptions": judgement.assumptions.texts(),
        "assumed": judgement.assumptions,
        "conditions": judgement.conditions,
        "remarks": judgement.remarks.texts(),
        "remarked": judgement.remarks,
        "not_judged": judgement.not_judged,
        "limits_hit": judgement.limits_hit,
        "statistics": judgement.statistics,
    })
}

/// What was judged, each with its own verdict: the least of those of its properties; absent where none was judged.
fn subjects(judgement: &Judgement) -> Value {
    let with_verdict = |(index, subject): (usize, &Subject)| {
        let mut value = json!(subject);
        let own = judgement.properties.iter().filter(|p| p.subject == index);
        value["verdict"] = json!(own.map(|p| p.verdict).min());
        value
    };
    judgement
        .subjects
        .iter()
        .enumerate()
        .map(with_verdict)
        .collect()
}
