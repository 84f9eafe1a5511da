//! A report in the Static Analysis Results Interchange Format, SARIF 2.1.0
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>), which code scanners and editors read: a result
//! for each defect, with both sides of a conflict, the schedule as `threadFlows`, and a fingerprint that stays when
//! lines move. What could not be judged is a notification of the run, never a result.

mod places;
mod rules;

use crate::input::error::InputError;
use crate::report::page::Run;
use crate::report::page::pages::Followed;
use crate::report::render::diagnostic::{Note, notes};
use crate::report::render::explanation;
use crate::report::render::sources::Sources;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::verdict::Verdict;
use places::{Places, message};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the format.
pub const VERSION: &str = "2.1.0";

/// Steps of one schedule that are written.
const MOST_STEPS: usize = 1_000;

/// The log of a judgement; `runs` are the schedules of its defects, as far as they were followed.
pub fn log(judgement: &Judgement, runs: &[Followed], sources: &mut Sources) -> Value {
    let mut places = Places::new(sources);
    let mut results: Vec<Value> = Vec::new();
    for (index, defect) in judgement.defects.iter().enumerate() {
        let subject = judgement.subjects.get(defect.subject);
        let run = runs.get(index).and_then(|followed| followed.run.as_ref());
        results.push(result(defect, subject, run, "error", &mut places));
    }
    for condition in &judgement.conditions {
        let subject = judgement.subjects.get(condition.subject);
        let mut result = result(&condition.defect, subject, None, "note", &mut places);
        let text = result["message"]["text"].as_str().unwrap_or_default();
        result["message"] = message(&format!("{}: {text}", condition.launch));
        results.push(result);
    }
    let mut notes: Vec<Value> = Vec::new();
    for property in &judgement.properties {
        if property.verdict != Verdict::Unknown {
            continue;
        }
        let subject = judgement.subjects.get(property.subject);
        let kernel = subject.map_or("", |subject| subject.kernel.as_str());
        let text = format!(
            "{kernel}: {}: unknown: {}",
            property.kind.name(),
            property.explanation
        );
        let mut note = json!({"level": "warning", "message": message(&text)});
        if let Some(subject) = subject {
            note["locations"] = json!([places.file(&subject.file)]);
        }
        notes.push(note);
    }
    for limit in &judgement.limits_hit {
        notes.push(
            json!({"level": "warning", "message": message(&format!("limit reached: {limit}"))}),
        );
    }
    let files = judgement
        .subjects
        .iter()
        .map(|subject| subject.file.as_str());
    let artifacts = places.artifacts(files);
    let mut log = whole(results, notes, true);
    log["runs"][0]["artifacts"] = json!(artifacts);
    log["runs"][0]["properties"] = json!({
        "verdict": judgement.verdict,
        "assurance": judgement.assurance,
        "profile": judgement.profile.name,
        "assumptions": judgement.assumptions.texts(),
    });
    log
}

/// The log of a command that ended without a judgement.
pub fn failed(error: &InputError, sources: &mut Sources) -> Value {
    let mut places = Places::new(sources);
    let note = |text: &str, location: Option<Value>| {
        let mut note = json!({"level": "error", "message": message(text)});
        if let Some(location) = location {
            note["locations"] = json!([location]);
        }
        note["descriptor"] = json!({"id": error.kind.name()});
        note
    };
    let unread = error.unread_places();
    let mut notes: Vec<Value> = unread
        .iter()
        .map(|(first, functions)| {
            let text = format!("{} (in {})", first.message, functions.join(", "));
            note(
                &text,
                Some(places.at(&first.file, first.line, first.column)),
            )
        })
        .collect();
    if notes.is_empty() {
        let location = error
            .file
            .as_ref()
            .map(|file| match (error.line, error.column) {
                (Some(line), column) => places.at(file, line, column.unwrap_or(0)),
                _ => places.file(file),
            });
        notes.push(note(&error.message, location));
    }
    whole(Vec::new(), notes, false)
}

/// One log of several, which all have the same rules.
pub fn together(logs: &[Value]) -> Value {
    let mut all = whole(Vec::new(), Vec::new(), true);
    let mut results: Vec<Value> = Vec::new();
    let mut notes: Vec<Value> = Vec::new();
    let mut artifacts: BTreeMap<String, Value> = BTreeMap::new();
    let mut succeeded = true;
    for log in logs {
        let run = &log["runs"][0];
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        results.extend(list(&run["results"]));
        let invocation = &run["invocations"][0];
        succeeded &= invocation["executionSuccessful"] == json!(true);
        notes.extend(list(&invocation["toolExecutionNotifications"]));
        for artifact in list(&run["artifacts"]) {
            let uri = artifact["location"]["uri"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            artifacts.insert(uri, artifact);
        }
    }
    let run = &mut all["runs"][0];
    run["results"] = json!(results);
    run["artifacts"] = artifacts.into_values().collect();
    run["invocations"][0]["executionSuccessful"] = json!(succeeded);
    run["invocations"][0]["toolExecutionNotifications"] = json!(notes);
    all
}

fn whole(results: Vec<Value>, notes: Vec<Value>, succeeded: bool) -> Value {
    let here = std::env::current_dir().unwrap_or_default();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": VERSION,
        "runs": [{
            "tool": {"driver": {
                "name": "gridlock",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules::all(),
            }},
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {
                places::BASE: {"uri": format!("file://{}/", places::encoded(&here.to_string_lossy()))},
            },
            "invocations": [{
                "executionSuccessful": succeeded,
                "toolExecutionNotifications": notes,
            }],
            "artifacts": [],
            "results": results,
        }],
    })
}

/// A defect.
fn result(
    defect: &Defect,
    subject: Option<&Subject>,
    run: Option<&Run>,
    level: &str,
    places: &mut Places<'_>,
) -> Value {
    let sides: Vec<Note> = notes(defect).into_iter().filter(|n| n.line > 0).collect();
    let kernel = subject.map_or("", |subject| subject.kernel.as_str());
    let mut text = defect.message.clone();
    if let Some(explained) = &defect.explanation {
        for line in explanation::lines(explained) {
            text.push('\n');
            text.push_str(&line);
        }
    }
    let first = match (sides.first(), subject) {
        (Some(side), _) => Some(places.at(&side.file, side.line, side.column)),
        (None, Some(subject)) => Some(places.file(&subject.file)),
        (None, None) => None,
    };
    let first = first.map(|mut place| {
        place["logicalLocations"] = json!([{"name": kernel, "kind": "function"}]);
        place
    });
    let related: Vec<Value> = sides
        .iter()
        .enumerate()
        .map(|(number, side)| {
            let mut place = places.at(&side.file, side.line, side.column);
            place["id"] = json!(number);
            place["message"] = message(&side.text);
            place
        })
        .collect();
    let mut result = json!({
        "ruleId": defect.kind.name(),
        "ruleIndex": rules::index(defect.kind),
        "level": level,
        "message": message(&text),
        "locations": first.into_iter().collect::<Vec<_>>(),
        "partialFingerprints": {
            "gridlock/v1": places.fingerprint(defect, kernel),
        },
        "properties": {
            "kernel": kernel,
            "confirmed": defect.confirmed,
        },
    });
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let flows = match run {
        Some(run) => of_run(run, places),
        None => of_moments(defect, places),
    };
    if !flows.is_empty() {
        result["codeFlows"] = json!([{
            "message": message("a schedule that shows it, step by step"),
            "threadFlows": flows,
        }]);
    }
    result
}

/// A flow for each actor of a schedule that was followed.
fn of_run(run: &Run, places: &mut Places<'_>) -> Vec<Value> {
    let mut of_actor: Vec<(String, Vec<Value>)> = Vec::new();
    for step in run.steps().filter(|step| step.line > 0).take(MOST_STEPS) {
        let mut place = places.at(step.file, step.line, 0);
        place["message"] = message(step.text);
        let location = json!({
            "location": place,
            "executionOrder": step.number,
            "importance": if step.is_conflict { "essential" } else { "important" },
        });
        match of_actor.iter_mut().find(|(who, _)| who == step.who) {
            Some((_, locations)) => locations.push(location),
            None => of_actor.push((step.who.to_owned(), vec![location])),
        }
    }
    of_actor
        .into_iter()
        .map(
            |(who, locations)| json!({"id": who, "message": message(&who), "locations": locations}),
        )
        .collect()
}

/// What is known without following the schedule: what each side did.
fn of_moments(defect: &Defect, places: &mut Places<'_>) -> Vec<Value> {
    let moments = defect
        .explanation
        .iter()
        .flat_map(|explained| &explained.moments);
    let flows = moments
        .enumerate()
        .filter(|(_, moment)| moment.site.line > 0);
    flows
        .map(|(number, moment)| {
            let mut place = places.of(&moment.site);
            place["message"] = message(&format!("{} {}", moment.who, moment.does));
            json!({
                "id": moment.who,
                "message": message(&moment.who),
                "locations": [{
                    "location": place,
                    "executionOrder": number + 1,
                    "importance": "essential",
                }],
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::error::ErrorKind;

    #[test]
    fn an_error_is_a_notification_with_its_place() {
        let mut sources = Sources::new();
        sources.insert("dir/k m.cu", "int é = x;\n");
        let error = InputError::new(ErrorKind::Syntax, "unknown `x`")
            .in_file("dir/k m.cu")
            .at(1, 10);
        let log = failed(&error, &mut sources);
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], json!(false));
        let place =
            &invocation["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "dir/k%20m.cu");
        // Two bytes of the letter are one unit of UTF-16.
        assert_eq!(place["region"], json!({"startLine": 1, "startColumn": 9}));
        assert_eq!(log["runs"][0]["results"], json!([]));
    }

    #[test]
    fn logs_are_put_together() {
        let error = InputError::usage("no").in_file("k.cu");
        let one = whole(vec![json!({"ruleId": "data-race"})], Vec::new(), true);
        let two = failed(&error, &mut Sources::new());
        let all = together(&[one, two]);
        assert_eq!(all["runs"].as_array().unwrap().len(), 1);
        assert_eq!(all["runs"][0]["results"].as_array().unwrap().len(), 1);
        let invocation = &all["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], json!(false));
        assert_eq!(
            invocation["toolExecutionNotifications"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
}
