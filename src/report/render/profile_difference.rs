//! One program under two profiles: how its runs end, how they get stuck and which defects they
//! have under one only, the other only, both. Whatever stands under one profile only has a
//! schedule that shows it there.

use super::observation::outcome;
use super::profiles::chosen;
use super::table::item;
use crate::report::schedule_text;
use crate::run::explored::Explored;
use crate::words::style::{Ink, Style};
use gridlock_checker::finding::{DefectKind, ScheduleStep};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::site::Site;
use gridlock_checker::report::witness::Witness;
use gridlock_semantics::profile::Profile;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What one profile shows of a kind, by words that mean the same under both profiles.
type Found<'a> = BTreeMap<String, Shown<'a>>;

struct Shown<'a> {
    text: String,
    schedule: &'a [ScheduleStep],
    /// For `gridlock replay`.
    witness: Option<&'a Witness>,
}

/// What is under both profiles, and what under one only.
struct Split<'a> {
    both: Vec<String>,
    only: [Found<'a>; 2],
}

/// What one exploration shows and the other does not.
pub struct ProfileDifference<'a> {
    names: [&'a str; 2],
    /// The second profile; reports on the first have shown its axes already.
    other: &'a Profile,
    /// Whether every schedule was covered: what was missed under the one may still be there.
    complete: [bool; 2],
    outcomes: Split<'a>,
    deadlocks: Split<'a>,
    defects: Split<'a>,
}

/// Ends of runs: final contents, and faults by their kind.
fn outcomes(explored: &Explored) -> Found<'_> {
    let ends = explored.exploration.outcomes.iter();
    let found = |text: String, schedule| Shown {
        text,
        schedule,
        witness: None,
    };
    ends.map(|(end, schedule)| (outcome(end), found(outcome(end), schedule.as_slice())))
        .collect()
}

fn witnessed(defect: &Defect, text: String) -> Shown<'_> {
    let witness = defect.witness.as_ref();
    Shown {
        text,
        schedule: witness.map_or(&[], |w| &w.schedule),
        witness,
    }
}

/// Where each thread stands, in the words of the report.
fn deadlocks(explored: &Explored) -> Found<'_> {
    let found = explored.deadlocks.iter();
    found
        .map(|d| (d.message.clone(), witnessed(d, d.message.clone())))
        .collect()
}

/// Defects other than deadlocks, by kind and lines: which threads show one is chance.
fn defects(explored: &Explored) -> Found<'_> {
    let mut found = Found::new();
    let defects = explored.defects.iter();
    for defect in defects.filter(|d| d.kind != DefectKind::Deadlock) {
        let sites = defect.accesses.iter().chain(&defect.threads);
        let line = |site: &Site| (site.file.clone(), site.line);
        let lines: BTreeSet<(String, u32)> = sites.map(line).collect();
        let lines: Vec<String> = lines.iter().map(|(f, n)| format!("{f}:{n}")).collect();
        let name = format!("{} at {}", defect.kind.name(), lines.join(", "));
        let text = format!("{}: {}", defect.kind.name(), defect.message);
        found.entry(name).or_insert(witnessed(defect, text));
    }
    found
}

impl<'a> Split<'a> {
    fn new([mut a, mut b]: [Found<'a>; 2]) -> Split<'a> {
        let both: Vec<String> = a.keys().filter(|k| b.contains_key(*k)).cloned().collect();
        for shared in &both {
            a.remove(shared);
            b.remove(shared);
        }
        Split { both, only: [a, b] }
    }
}

impl<'a> ProfileDifference<'a> {
    /// The difference between one configuration explored under two profiles.
    pub fn new(sides: [&'a Explored; 2]) -> ProfileDifference<'a> {
        ProfileDifference {
            names: sides.map(|side| side.profile.name.as_str()),
            other: &sides[1].profile,
            complete: sides.map(|side| side.exploration.complete),
            outcomes: Split::new(sides.map(outcomes)),
            deadlocks: Split::new(sides.map(deadlocks)),
            defects: Split::new(sides.map(defects)),
        }
    }

    fn sections(&self) -> [(&'static str, &Split<'a>); 3] {
        [
            ("ways runs end", &self.outcomes),
            ("deadlocks", &self.deadlocks),
            ("defects", &self.defects),
        ]
    }

    /// For people.
    pub fn text(&self, style: &Style) -> String {
        let [a, b] = self.names;
        let mut out = format!("\n{a} against {b}\n");
        out.push_str(&chosen(self.other, style));
        for (what, split) in self.sections() {
            let _ = writeln!(
                out,
                "  {what}: {} under both, {} under {a} only, {} under {b} only",
                split.both.len(),
                split.only[0].len(),
                split.only[1].len()
            );
            for side in 0..2 {
                let only = &split.only[side];
                if !only.is_empty() {
                    let _ = writeln!(out, "  under {} only", self.names[side]);
                }
                for shown in only.values() {
                    out.push_str(&item(&style.paint(Ink::Strong, &shown.text), style));
                    let _ = writeln!(out, "      by {}", schedule_text::text(shown.schedule));
                }
                if !self.complete[1 - side] && !only.is_empty() {
                    let other = self.names[1 - side];
                    let _ = writeln!(out, "      (not every schedule under {other} was visited)");
                }
            }
        }
        if self.sections().iter().any(|(_, split)| split.has_some()) {
            let _ = writeln!(
                out,
                "  to see one derived: gridlock trace … --profile NAME --schedule '…'"
            );
        }
        out
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let list = |found: &Found| -> Vec<Value> {
            let shown = found.iter().map(|(name, shown)| {
                json!({
                    "outcome": name,
                    "text": shown.text,
                    "schedule": shown.schedule,
                    "witness": shown.witness,
                })
            });
            shown.collect()
        };
        let section = |split: &Split| {
            json!({
                "both": split.both,
                "only_first": list(&split.only[0]),
                "only_second": list(&split.only[1]),
            })
        };
        json!({
            "profiles": self.names,
            "second": super::json::profile(self.other),
            "complete": self.complete,
            "both": self.outcomes.both,
            "only_first": list(&self.outcomes.only[0]),
            "only_second": list(&self.outcomes.only[1]),
            "deadlocks": section(&self.deadlocks),
            "defects": section(&self.defects),
        })
    }
}

impl Split<'_> {
    fn has_some(&self) -> bool {
        self.only.iter().any(|found| !found.is_empty())
    }
}
