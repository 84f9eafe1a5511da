//! What the schema of SARIF 2.1.0 asks of the parts that a log of ours has: which properties there are, of which type,
//! which are required, and the rules of the text that a schema cannot hold (indices, order, columns).

use serde_json::{Map, Value};
use std::collections::HashSet;

/// Properties of an object: name, type (`o` object, `l` list, `s` string, `n` whole number not below 0, `b` truth
/// value; `+` required), and what the object, or each element of the list, is.
type Shape = &'static [(&'static str, &'static str, &'static str)];

fn shape(of: &str) -> Shape {
    match of {
        "log" => &[
            ("$schema", "s", ""),
            ("version", "s+", ""),
            ("runs", "l+", "run"),
        ],
        "run" => &[
            ("tool", "o+", "tool"),
            ("columnKind", "s", ""),
            ("originalUriBaseIds", "o", "any"),
            ("invocations", "l", "invocation"),
            ("artifacts", "l", "artifact"),
            ("results", "l", "result"),
            ("properties", "o", "any"),
        ],
        "tool" => &[("driver", "o+", "driver")],
        "driver" => &[
            ("name", "s+", ""),
            ("version", "s", ""),
            ("semanticVersion", "s", ""),
            ("rules", "l", "rule"),
        ],
        "rule" => &[
            ("id", "s+", ""),
            ("shortDescription", "o", "message"),
            ("fullDescription", "o", "message"),
            ("defaultConfiguration", "o", "any"),
            ("properties", "o", "any"),
        ],
        "invocation" => &[
            ("executionSuccessful", "b+", ""),
            ("toolExecutionNotifications", "l", "notification"),
        ],
        "notification" => &[
            ("level", "s", ""),
            ("message", "o+", "message"),
            ("locations", "l", "location"),
            ("descriptor", "o", "any"),
        ],
        "artifact" => &[
            ("location", "o", "artifactLocation"),
            ("sourceLanguage", "s", ""),
        ],
        "artifactLocation" => &[("uri", "s", ""), ("uriBaseId", "s", "")],
        "result" => &[
            ("ruleId", "s", ""),
            ("ruleIndex", "n", ""),
            ("level", "s", ""),
            ("message", "o+", "message"),
            ("locations", "l", "location"),
            ("relatedLocations", "l", "location"),
            ("codeFlows", "l", "codeFlow"),
            ("partialFingerprints", "o", "any"),
            ("properties", "o", "any"),
        ],
        "location" => &[
            ("id", "n", ""),
            ("physicalLocation", "o", "physicalLocation"),
            ("logicalLocations", "l", "logicalLocation"),
            ("message", "o", "message"),
        ],
        "physicalLocation" => &[
            ("artifactLocation", "o", "artifactLocation"),
            ("region", "o", "region"),
        ],
        "logicalLocation" => &[("name", "s", ""), ("kind", "s", "")],
        "region" => &[("startLine", "n", ""), ("startColumn", "n", "")],
        "codeFlow" => &[
            ("message", "o", "message"),
            ("threadFlows", "l+", "threadFlow"),
        ],
        "threadFlow" => &[
            ("id", "s", ""),
            ("message", "o", "message"),
            ("locations", "l+", "threadFlowLocation"),
        ],
        "threadFlowLocation" => &[
            ("location", "o", "location"),
            ("executionOrder", "n", ""),
            ("importance", "s", ""),
        ],
        "message" => &[("text", "s", "")],
        other => panic!("no shape of {other}"),
    }
}

/// Panics where a log is not what the format says.
pub fn check(log: &Value) {
    object("log", log, "");
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let ids: HashSet<&str> = rules
            .iter()
            .filter_map(|rule| rule["id"].as_str())
            .collect();
        assert_eq!(ids.len(), rules.len(), "every rule once");
        assert_eq!(run["columnKind"], "utf16CodeUnits");
        let bases = run["originalUriBaseIds"].as_object().unwrap();
        for base in bases.values() {
            let uri = base["uri"].as_str().unwrap();
            assert!(uri.starts_with("file:///") && uri.ends_with('/'), "{uri}");
        }
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(
                ["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap())
            );
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let related = result["relatedLocations"].as_array();
            let numbers = related
                .into_iter()
                .flatten()
                .map(|place| place["id"].as_u64());
            let numbers: Vec<_> = numbers.collect();
            let distinct: HashSet<_> = numbers.iter().collect();
            assert_eq!(
                distinct.len(),
                numbers.len(),
                "ids of locations are distinct"
            );
        }
    }
}

fn object(of: &str, value: &Value, path: &str) {
    if of == "any" {
        return;
    }
    let fields: &Map<String, Value> = value
        .as_object()
        .unwrap_or_else(|| panic!("{path}: no object"));
    let shape = shape(of);
    for (name, ty, _) in shape {
        assert!(
            !ty.ends_with('+') || fields.contains_key(*name),
            "{path}: no `{name}`"
        );
    }
    for (name, value) in fields {
        let path = format!("{path}/{name}");
        let (_, ty, inner) = shape
            .iter()
            .find(|(known, ..)| known == name)
            .unwrap_or_else(|| panic!("{path}: not a property of {of}"));
        match &ty[..1] {
            "o" => object(inner, value, &path),
            "l" => {
                let list = value
                    .as_array()
                    .unwrap_or_else(|| panic!("{path}: no list"));
                list.iter().for_each(|one| object(inner, one, &path));
            }
            "s" => assert!(value.is_string(), "{path}: {value} is no string"),
            "n" => {
                let number = value
                    .as_u64()
                    .unwrap_or_else(|| panic!("{path}: {value} is no number"));
                assert!(
                    number > 0 || !name.starts_with("start"),
                    "{path}: lines and columns begin at 1"
                );
            }
            "b" => assert!(value.is_boolean(), "{path}"),
            _ => unreachable!(),
        }
    }
    match of {
        "artifactLocation" => {
            let uri = fields["uri"].as_str().unwrap();
            let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~/%:".contains(c);
            assert!(uri.chars().all(allowed), "{path}: {uri}");
            assert_ne!(
                fields.contains_key("uriBaseId"),
                uri.starts_with("file:"),
                "{path}"
            );
        }
        "threadFlow" | "codeFlow" => {
            let list = if of == "codeFlow" {
                "threadFlows"
            } else {
                "locations"
            };
            assert!(
                !fields[list].as_array().unwrap().is_empty(),
                "{path}: at least one"
            );
        }
        _ => {}
    }
}

#[test]
#[should_panic(expected = "not a property of region")]
fn what_is_no_property_is_found() {
    object(
        "region",
        &serde_json::json!({"startLine": 1, "column": 3}),
        "",
    );
}

#[test]
#[should_panic(expected = "lines and columns begin at 1")]
fn what_is_no_line_is_found() {
    object("region", &serde_json::json!({"startLine": 0}), "");
}
