//! A state space explored.

use super::diagnostic;
use super::observation::outcome;
use super::sources::Sources;
use super::style::{Ink, Style};
use super::table::item;
use super::text::{head, statistics};
use gridlock_checker::defect::Defect;
use gridlock_checker::explore::{Exploration, Outcome};
use gridlock_checker::report::Subject;
use gridlock_semantics::profile::Profile;
use serde_json::{Value, json};
use std::fmt::Write;

/// Outcomes listed in text.
const SHOWN: usize = 20;

/// `defects` are the findings that replay showed.
pub fn exploration(
    exploration: &Exploration,
    subject: &Subject,
    profile: &Profile,
    defects: &[Defect],
    sources: &mut Sources,
    style: &Style,
) -> String {
    let mut out = head(subject, &profile.name, style);
    let n_deadlocks = usize::from(exploration.outcomes.contains_key(&Outcome::Deadlock));
    let (word, ink) = match exploration.complete {
        true => ("every schedule", Ink::Good),
        false => ("not every schedule", Ink::Unsure),
    };
    let _ = writeln!(
        out,
        "  {}: {}",
        style.paint(ink, word),
        statistics(&exploration.statistics)
    );
    match &exploration.unreduced_because {
        Some(why) => {
            let _ = writeln!(out, "  without reduction: {why}");
        }
        None => {
            let _ = writeln!(
                out,
                "  reduced: schedules that can show nothing new are left out"
            );
        }
    }
    for limit in &exploration.limits_hit {
        let _ = writeln!(out, "  limit reached: {limit}");
    }
    if exploration.cycle {
        let _ = writeln!(out, "  some schedule never ends");
    }
    let deadlocks = match n_deadlocks {
        0 => "no deadlock",
        _ => "deadlock",
    };
    let _ = writeln!(out, "  {deadlocks}");
    let n = exploration.outcomes.len();
    let _ = writeln!(out, "\n{n} {}", if n == 1 { "outcome" } else { "outcomes" });
    for seen in exploration.outcomes.keys().take(SHOWN) {
        out.push_str(&item(&outcome(seen), style));
    }
    if n > SHOWN {
        let _ = writeln!(out, "  … {} more", n - SHOWN);
    }
    for defect in defects {
        out.push('\n');
        out.push_str(&diagnostic::defect(defect, sources, style));
    }
    out
}

/// The body of the JSON object.
pub fn json(
    exploration: &Exploration,
    subject: &Subject,
    profile: &Profile,
    defects: &[Defect],
) -> Value {
    let outcomes: Vec<Value> = exploration
        .outcomes
        .iter()
        .map(|(outcome, schedule)| json!({ "outcome": outcome, "schedule": schedule }))
        .collect();
    json!({
        "profile": super::json::profile(profile),
        "subjects": [subject],
        "complete": exploration.complete,
        "outcomes": outcomes,
        "deadlock": exploration.outcomes.contains_key(&Outcome::Deadlock),
        "cycle": exploration.cycle,
        "defects": defects,
        "limits_hit": exploration.limits_hit,
        "unreduced_because": exploration.unreduced_because,
        "statistics": exploration.statistics,
    })
}
