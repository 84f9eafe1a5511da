//! A state space explored.

use super::diagnostic;
use super::observation::outcome;
use super::profiles::chosen;
use super::sources::Sources;
use super::table::item;
use super::text::{ReplayHint, head, statistics, to_replay};
use crate::report::schedule_text;
use crate::run::explored::Explored;
use crate::words::style::{Ink, Style};
use gridlock_checker::explore::{Engine, Exploration, MOST_DEADLOCKS, Outcome};
use gridlock_checker::limits::interruption;
use gridlock_checker::progress::Termination;
use gridlock_checker::report::Subject;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Reason;
use serde_json::{Value, json};
use std::fmt::Write;

/// Outcomes listed in text.
const SHOWN: usize = 20;

/// What a search found, for people.
pub fn exploration(
    explored: &Explored,
    subject: &Subject,
    assumptions: &Statements<Assumption>,
    hint: &ReplayHint,
    sources: &mut Sources,
    style: &Style,
) -> String {
    let Explored {
        exploration,
        defects,
        ..
    } = explored;
    let mut out = head(subject, &explored.profile.name, style);
    out.push_str(&chosen(&explored.profile, style));
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
        _ if exploration.stateless.is_some() => out.push_str(&stateless(exploration)),
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
        let _ = writeln!(out, "  some schedule never ends{}", allowed(explored));
    }
    let deadlocks = match exploration.deadlocks.len() {
        0 if !exploration.complete => "no deadlock in what was explored".to_owned(),
        0 => "no deadlock".to_owned(),
        1 => "deadlock".to_owned(),
        MOST_DEADLOCKS => format!("deadlocks: {MOST_DEADLOCKS} or more"),
        n => format!("deadlocks: {n}"),
    };
    let _ = writeln!(out, "  {deadlocks}");
    if !explored.weak_memory.is_empty() {
        out.push_str("\nThe machine may do more than interleaving shows (weak memory)\n");
        for reason in &explored.weak_memory {
            out.push_str(&item(reason, style));
        }
    }
    let n = exploration.outcomes.len();
    let so_far = match exploration.complete {
        true => "",
        false => " in what was explored",
    };
    let outcomes = if n == 1 { "outcome" } else { "outcomes" };
    let _ = writeln!(out, "\n{n} {outcomes}{so_far}");
    for seen in exploration.outcomes.keys().take(SHOWN) {
        out.push_str(&item(&outcome(seen), style));
    }
    if n > SHOWN {
        let _ = writeln!(out, "  … {} more", n - SHOWN);
    }
    if !assumptions.is_empty() {
        out.push_str("\nAssumptions\n");
        for assumption in assumptions {
            out.push_str(&item(&assumption.to_string(), style));
        }
    }
    // Where there is one deadlock, it is among the defects.
    if explored.deadlocks.len() > 1 {
        let _ = writeln!(out, "\n{} deadlocks", explored.deadlocks.len());
        for deadlock in &explored.deadlocks {
            out.push_str(&item(&deadlock.message, style));
            let schedule = deadlock.witness.as_ref().map_or(&[][..], |w| &w.schedule);
            let _ = writeln!(out, "      by {}", schedule_text::text(schedule));
        }
    }
    for (index, defect) in defects.iter().enumerate() {
        out.push('\n');
        out.push_str(&diagnostic::defect(defect, sources, style));
        out.push_str(&to_replay(index, defect, hint));
    }
    out
}

/// What the stateless search says of itself.
fn stateless(exploration: &Exploration) -> String {
    let counts = exploration.stateless.unwrap_or_default();
    let runs = |n: u64| match n {
        1 => "1 run".to_owned(),
        n => format!("{n} runs"),
    };
    let mut out =
        "  stateless: one run for all that differ in the order of independent steps\n".to_owned();
    if counts.redundant > 0 {
        let _ = writeln!(
            out,
            "  besides, {} left as seen before",
            runs(counts.redundant)
        );
    }
    if counts.waiting > 0 {
        let n = runs(counts.waiting);
        let _ = writeln!(out, "  besides, {n} in which a thread waits in a loop");
    }
    out
}

/// Whether a run that never ends is held against the program.
fn allowed(explored: &Explored) -> String {
    match &explored.termination {
        None => String::new(),
        Some(Termination::Ends) => ", but none that the progress guarantee allows".to_owned(),
        Some(Termination::Livelock(_)) => ", and the progress guarantee allows it".to_owned(),
        Some(Termination::Deadlock) => {
            ", none that the progress guarantee allows; but some run that it allows ends in a deadlock"
                .to_owned()
        }
        Some(Termination::Cut(what)) => {
            format!("; whether the progress guarantee allows it was not decided: {what}")
        }
    }
}

/// Its name in JSON.
fn answer(termination: &Termination) -> &'static str {
    match termination {
        Termination::Ends => "ends",
        Termination::Livelock(_) => "livelock",
        Termination::Deadlock => "deadlock",
        Termination::Cut(_) => "limit",
    }
}

/// Why not every schedule was covered; `None` where all were, or the search was told to stop.
fn reason(exploration: &Exploration) -> Option<Reason> {
    let is_interrupted = |limit: &String| limit == interruption::INTERRUPTED;
    match exploration.limits_hit.iter().any(is_interrupted) {
        true => Some(Reason::Interrupted),
        false if exploration.limits_hit.is_empty() => None,
        false => Some(Reason::Limit),
    }
}

/// The body of the JSON object.
pub fn json(explored: &Explored, subject: &Subject, assumptions: &Statements<Assumption>) -> Value {
    let Explored {
        profile,
        exploration,
        defects,
        deadlocks,
        ..
    } = explored;
    let outcomes: Vec<Value> = exploration
        .outcomes
        .iter()
        .map(|(outcome, schedule)| json!({ "outcome": outcome, "schedule": schedule }))
        .collect();
    json!({
        "profile": super::json::profile(profile),
        "subjects": [subject],
        "complete": exploration.complete,
        "reason": reason(exploration),
        "outcomes": outcomes,
        "deadlocks": deadlocks,
        "deadlock": exploration.outcomes.contains_key(&Outcome::Deadlock),
        "cycle": exploration.cycle,
        "weak_memory": explored.weak_memory,
        "termination": explored.termination.as_ref().map(answer),
        "defects": defects,
        "assumptions": assumptions.texts(),
        "assumed": assumptions,
        "limits_hit": exploration.limits_hit,
        "unreduced_because": exploration.unreduced_because,
        "engine": match exploration.stateless {
            None => Engine::Stateful,
            Some(_) => Engine::Stateless,
        },
        "stateless": exploration.stateless,
        "statistics": exploration.statistics,
    })
}
