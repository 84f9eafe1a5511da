//! The JSON contract: one object a command, extended but never broken. `tests/gridlock/json_contract.rs`
//! holds the list of fields.

use crate::input::error::InputError;
use gridlock_checker::report::Judgement;
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

/// `{error: {kind, message, file, line, column}}`; what is not known is null.
pub fn error(error: &InputError) -> Value {
    json!({ "error": located(error) })
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

/// The body of `check`, `equiv` and `prove`.
pub fn judgement(judgement: &Judgement) -> Value {
    json!({
        "profile": profile(&judgement.profile),
        "subjects": judgement.subjects,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "assurance": judgement.assurance,
        "modulo": judgement.modulo,
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
