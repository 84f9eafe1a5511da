//! The report of a command whose worker gave none: what it had established, and why there is no more.

use super::cut::Cut;
use super::established::Established;
use crate::cli::output::Output;
use crate::cli::witness_files::WitnessOptions;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::judge::overall::summarise;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use gridlock::run::explored::Explored;
use gridlock::words::sentences::note;
use gridlock_checker::explore::Exploration;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Reason, Verdict};
use serde_json::{Value, json};

/// What became of a worker that gave no report.
pub struct CutShort {
    pub cut: Cut,
    pub established: Established,
    pub seconds: f64,
}

/// Of `check`, `prove` and `equiv`; `empty` where nothing was established.
pub fn judgement(
    short: CutShort,
    empty: Judgement,
    witnesses: &WitnessOptions,
    output: &mut Output,
) -> ExitStatus {
    let judgement = match short.established {
        Established::Whole(ref judgement) => {
            let mut judgement = judgement.clone();
            note_limit(&mut judgement, &short);
            *judgement
        }
        Established::Judgement(ref judgement) => closed(*judgement.clone(), &short),
        _ => closed(empty, &short),
    };
    if let Some(first) = judgement.subjects.first() {
        output.speak_of(first.file.as_ref());
    }
    let hint = witnesses.save(&judgement.defects, output);
    witnesses.write_page(&judgement, &[], &hint, output);
    let failure = failure(&short);
    output.judged(
        &judgement,
        &[],
        |sources, style| {
            let mut text = render::text::judgement(&judgement, &hint, sources, style);
            text.push_str(&why_but_limits(&short));
            text
        },
        || with_failure(render::json::judgement(&judgement), failure.as_ref()),
    );
    match judgement.verdict {
        Verdict::Refuted => output.status(ExitStatus::Refuted),
        _ => output.status(short.cut.status()),
    }
}

/// What is still open is `unknown`, and so is the whole, unless a defect is known.
fn closed(mut judgement: Judgement, short: &CutShort) -> Judgement {
    let reason = short.cut.reason();
    for property in &mut judgement.properties {
        if property.verdict == Verdict::Unknown && property.reason.is_none() {
            property.reason = Some(reason);
            property.explanation = short.cut.to_string();
        }
    }
    note_limit(&mut judgement, short);
    summarise(&mut judgement);
    if judgement.verdict > Verdict::Unknown || judgement.properties.is_empty() {
        judgement.verdict = Verdict::Unknown;
        judgement.reason = Some(reason);
        judgement.assurance = None;
    }
    judgement
}

fn note_limit(judgement: &mut Judgement, short: &CutShort) {
    if let Some(limit) = short.cut.limit() {
        note(&mut judgement.limits_hit, limit);
    }
    judgement.statistics.seconds = short.seconds;
}

/// Of `explore`.
pub fn exploration(short: CutShort, witnesses: &WitnessOptions, output: &mut Output) -> ExitStatus {
    let Established::Exploration(so_far) = &short.established else {
        return nothing(short, output);
    };
    let mut explored = Explored {
        weak_memory: Vec::new(),
        profile: so_far.profile.clone(),
        exploration: Exploration::nothing(short.cut.to_string()),
        defects: so_far.defects.clone(),
        deadlocks: Vec::new(),
        termination: None,
        all_replayed: true,
    };
    explored.exploration.statistics = so_far.statistics;
    explored.exploration.statistics.seconds = short.seconds;
    let (subject, assumptions) = (&so_far.subject, &so_far.assumptions);
    output.speak_of(subject.file.as_ref());
    let hint = witnesses.save(&explored.defects, output);
    let failure = failure(&short);
    output.result(
        |sources, style| {
            let mut text = render::exploration::exploration(
                &explored,
                subject,
                assumptions,
                &hint,
                sources,
                style,
            );
            text.push_str(&why_but_limits(&short));
            text
        },
        || {
            let mut body = render::exploration::json(&explored, subject, assumptions);
            body["reason"] = json!(short.cut.reason());
            with_failure(body, failure.as_ref())
        },
    );
    match explored.defects.is_empty() {
        false => output.status(ExitStatus::Refuted),
        true => output.status(short.cut.status()),
    }
}

/// Of a command that prints as it goes: what stands in its report so far.
pub fn report(short: CutShort, output: &mut Output) -> ExitStatus {
    let Established::Report(Value::Object(fields)) = &short.established else {
        return nothing(short, output);
    };
    let mut body = fields.clone();
    body.extend(unknown(&short));
    let failure = failure(&short);
    output.result(
        |_, _| why(&short),
        || with_failure(Value::Object(body.clone()), failure.as_ref()),
    );
    // A step that did not come out as expected stays one.
    let steps = body.get("steps").and_then(Value::as_array);
    let disagrees = |step: &Value| step["agrees"] == Value::Bool(false);
    match steps.is_some_and(|steps| steps.iter().any(disagrees)) {
        true => ExitStatus::Refuted,
        false => short.cut.status(),
    }
}

/// Of a command that has nothing to show before its end.
pub fn nothing(short: CutShort, output: &mut Output) -> ExitStatus {
    let failure = failure(&short);
    output.result(
        |_, _| why(&short),
        || with_failure(Value::Object(unknown(&short)), failure.as_ref()),
    );
    short.cut.status()
}

/// Of a command that was not begun, because what it asks for is beyond a limit.
pub fn beyond(limit: &str, output: &mut Output) -> ExitStatus {
    output.result(
        |_, _| format!("Cut short by a limit: {limit}\n"),
        || {
            json!({
                "verdict": Verdict::Unknown,
                "reason": Reason::Limit,
                "limits_hit": [limit],
            })
        },
    );
    ExitStatus::NotReached
}

fn unknown(short: &CutShort) -> serde_json::Map<String, Value> {
    let limits: Vec<String> = short.cut.limit().into_iter().collect();
    let body = json!({
        "verdict": Verdict::Unknown,
        "reason": short.cut.reason(),
        "limits_hit": limits,
        "statistics": {"seconds": short.seconds},
    });
    match body {
        Value::Object(fields) => fields,
        _ => unreachable!("written as an object"),
    }
}

/// The last line of the text.
fn why(short: &CutShort) -> String {
    match (short.cut.failure(), short.cut.limit()) {
        (Some(failure), _) => format!("Internal error: {failure}\n"),
        (_, Some(limit)) => format!("Cut short by a limit: {limit}\n"),
        _ => format!("Cut short: {}\n", short.cut),
    }
}

/// The same after a report that lists the limits itself.
fn why_but_limits(short: &CutShort) -> String {
    match short.cut.limit() {
        Some(_) => String::new(),
        None => why(short),
    }
}

fn failure(short: &CutShort) -> Option<InputError> {
    let failure = short.cut.failure()?;
    Some(InputError::new(ErrorKind::Internal, failure))
}

/// An internal error beside what was established before it.
fn with_failure(mut body: Value, failure: Option<&InputError>) -> Value {
    if let (Some(fields), Some(failure)) = (body.as_object_mut(), failure) {
        fields.insert("error".to_owned(), render::json::located(failure));
    }
    body
}
