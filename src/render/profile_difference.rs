//! One program under two profiles: how its runs may end under one only, the other only, both.

use super::observation::outcome;
use super::style::{Ink, Style};
use super::table::item;
use gridlock_checker::explore::{Exploration, Outcome, actor_text};
use gridlock_checker::witness::ScheduleStep;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How a run ends, in words that mean the same under both profiles: a fault by its kind, since
/// operators are numbered by granularity.
type Endings<'a> = BTreeMap<String, &'a [ScheduleStep]>;

/// The endings one exploration has and the other has not.
pub struct ProfileDifference<'a> {
    pub names: [&'a str; 2],
    /// Whether every schedule was covered: an ending missed under the one may still be there.
    pub complete: [bool; 2],
    /// Each with a schedule that leads to it.
    pub only: [Endings<'a>; 2],
    pub both: Vec<String>,
}

fn endings(exploration: &Exploration) -> Endings<'_> {
    let words = |ending: &Outcome| outcome(ending);
    exploration
        .outcomes
        .iter()
        .map(|(o, schedule)| (words(o), schedule.as_slice()))
        .collect()
}

impl<'a> ProfileDifference<'a> {
    pub fn new(names: [&'a str; 2], sides: [&'a Exploration; 2]) -> ProfileDifference<'a> {
        let [mut a, mut b] = sides.map(endings);
        let both: Vec<String> = a.keys().filter(|k| b.contains_key(*k)).cloned().collect();
        for shared in &both {
            a.remove(shared);
            b.remove(shared);
        }
        ProfileDifference {
            names,
            complete: sides.map(|s| s.complete),
            only: [a, b],
            both,
        }
    }

    /// For people.
    pub fn text(&self, style: &Style) -> String {
        let [a, b] = self.names;
        let mut out = format!("\n{a} against {b}: ways runs may end\n");
        let _ = writeln!(out, "  under both: {}", self.both.len());
        for side in 0..2 {
            let only = &self.only[side];
            let _ = writeln!(out, "  only under {}: {}", self.names[side], only.len());
            for (ending, schedule) in only {
                out.push_str(&item(&style.paint(Ink::Strong, ending), style));
                let _ = writeln!(out, "      by {}", steps(schedule));
            }
            if !self.complete[1 - side] && !only.is_empty() {
                let _ = writeln!(
                    out,
                    "      (not every schedule under {} was visited)",
                    self.names[1 - side]
                );
            }
        }
        out
    }

    pub fn json(&self) -> Value {
        let side = |endings: &Endings| {
            let list = endings
                .iter()
                .map(|(e, s)| json!({ "outcome": e, "schedule": s }));
            list.collect::<Vec<Value>>()
        };
        json!({
            "profiles": self.names,
            "complete": self.complete,
            "both": self.both,
            "only_first": side(&self.only[0]),
            "only_second": side(&self.only[1]),
        })
    }
}

/// `b0.t0+b0.t1 ×2, b0.t1`: who makes visible transitions, together and how often.
fn steps(schedule: &[ScheduleStep]) -> String {
    if schedule.is_empty() {
        return "any schedule".to_owned();
    }
    let step = |s: &ScheduleStep| {
        let who: Vec<String> = s.actors.iter().map(actor_text).collect();
        let choice = if s.choice == 0 {
            String::new()
        } else {
            format!(" (choice {})", s.choice)
        };
        match s.steps {
            1 => format!("{}{choice}", who.join("+")),
            n => format!("{} ×{n}{choice}", who.join("+")),
        }
    };
    schedule.iter().map(step).collect::<Vec<_>>().join(", ")
}
