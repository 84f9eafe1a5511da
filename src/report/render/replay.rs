//! A replay as a table: one row a step, one column for each thread that takes part, as many as fit;
//! the steps of the others stand across.

use super::profiles::chosen;
use super::sources::{Sources, printable};
use super::table::wrap;
use crate::report::stepping::timeline::Timeline;
use crate::report::stepping::watch::Watch;
use crate::words::style::{Ink, Style};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::replay::Replay;
use gridlock_checker::report::witness::Witness;
use serde_json::json;
use std::fmt::Write;

/// Narrowest column that is still readable.
const MIN_COLUMN: usize = 22;

/// A replay as a table.
pub struct Columns<'a> {
    timeline: &'a Timeline<'a>,
    /// The lanes that have a column, in order: as many as fit, those with a part in the conflict
    /// first.
    shown: Vec<usize>,
    /// Width of a column.
    column: usize,
    style: Style,
}

impl<'a> Columns<'a> {
    /// As many columns as the style's width allows.
    pub fn new(timeline: &'a Timeline<'a>, style: Style) -> Columns<'a> {
        let room = style.width.saturating_sub(7);
        let shown = timeline.lanes_shown((room / MIN_COLUMN).max(1));
        let column = (room / shown.len().max(1)).min(40);
        Columns {
            timeline,
            shown,
            column,
            style,
        }
    }

    /// Rows of the timeline.
    pub fn n_steps(&self) -> usize {
        self.timeline.rows.len()
    }

    /// What is replayed, and the heads of the columns.
    pub fn head(&self) -> String {
        let mut out = String::new();
        let kind = self
            .style
            .paint(Ink::Bad, self.timeline.witness.kind.name());
        let _ = writeln!(
            out,
            "{kind} of {} in {}, profile {}",
            self.timeline.witness.entry,
            self.timeline.witness.file,
            self.timeline.witness.profile.name
        );
        if let Some(launch) = &self.timeline.witness.setup.launch {
            let _ = writeln!(
                out,
                "launch: grid {}, block {}",
                super::threads::extents(launch.grid),
                super::threads::extents(launch.block)
            );
        }
        out.push_str(&chosen(&self.timeline.witness.profile, &self.style));
        out.push('\n');
        let hidden = self.timeline.lanes.len() - self.shown.len();
        if hidden > 0 {
            let text = format!(
                "{} take part; {hidden} without a column of their own stand across, after `──`",
                self.timeline.lanes.len()
            );
            let _ = writeln!(out, "{}", wrap(&text, self.style.width).join("\n"));
        }
        let led = self.timeline.replay.led;
        if led > 0 {
            let text = format!("{led} steps lead to the first of these");
            let _ = writeln!(out, "{}", wrap(&text, self.style.width).join("\n"));
        }
        if self.timeline.rows.is_empty() {
            out.push_str(match self.timeline.witness.kind {
                DefectKind::Leak => "every order in which all go on to the end shows it\n",
                _ => "no step is left to show\n",
            });
            return out;
        }
        let mut line = String::from(" step  ");
        for &lane in &self.shown {
            let _ = write!(
                line,
                "{:width$}",
                self.timeline.lanes[lane].name,
                width = self.column
            );
        }
        out.push_str(&self.style.paint(Ink::Strong, line.trim_end()));
        out
    }

    /// Row `index` (from 0), with its line end.
    pub fn row(&self, index: usize) -> String {
        let row = &self.timeline.rows[index];
        let mark = if row.is_conflict { '!' } else { ' ' };
        let number = format!("{mark}{:4}  ", index + 1);
        let text = printable(&row.text);
        let mut out = String::new();
        if row.begins_cycle {
            let rule = "── from here on the run is a cycle";
            let _ = writeln!(out, "       {}", self.style.paint(Ink::Strong, rule));
        }
        let column = row
            .lane
            .and_then(|lane| self.shown.iter().position(|l| *l == lane));
        let (indent, text, room) = match column {
            Some(column) => (self.column * column, text, self.column - 2),
            None => {
                let room = self.style.width.saturating_sub(7).max(MIN_COLUMN);
                let text = match (row.lane, self.timeline.step(index).actors.as_slice()) {
                    (Some(lane), _) => {
                        format!("── {}: {text}", self.timeline.lanes[lane].name)
                    }
                    (None, [_]) => format!("── {text}"),
                    (None, several) => format!("── {} together: {text}", several.len()),
                };
                (0, text, room)
            }
        };
        for (i, part) in wrap(&text, room).iter().enumerate() {
            let start = if i == 0 { &number } else { "       " };
            let _ = writeln!(out, "{start}{:indent$}{part}", "");
        }
        out
    }

    /// The source line of a step.
    pub fn source_line(&self, index: usize, sources: &mut Sources) -> Option<String> {
        let row = &self.timeline.rows[index];
        let line = sources.line(&row.file, row.line)?;
        let text = format!("{}:{} | {line}", row.file, row.line);
        Some(format!("       {}", printable(&text)))
    }

    /// Where a run with a cycle is again after the last row.
    pub fn comes_back(&self) -> Option<String> {
        let from = self.timeline.rows.iter().position(|row| row.begins_cycle)?;
        let text = format!(
            "── the state before step {} again, and so on for ever",
            from + 1
        );
        Some(self.style.paint(Ink::Strong, &text))
    }

    /// What showed in the end.
    pub fn conclusion(&self) -> String {
        let (what, ink) = match self.timeline.replay.reproduced {
            true => ("reproduced", Ink::Bad),
            false => ("not reproduced", Ink::Unsure),
        };
        let text = format!("{what}: {}", self.timeline.replay.conclusion);
        let mut text = wrap(&text, self.style.width).join("\n");
        text.replace_range(..what.len(), &self.style.paint(ink, what));
        text
    }

    /// What is watched and got a value in a row, or since the row before.
    fn watched_at(&self, index: usize, watched: &[Watch]) -> Vec<String> {
        let Timeline {
            replay,
            witness,
            rows,
            ..
        } = self.timeline;
        let launch = witness.setup.launch.as_ref();
        let from = index
            .checked_sub(1)
            .map_or(0, |before| rows[before].index + 1);
        let mut found = Vec::new();
        for watch in watched {
            for n in from + 1..=rows[index].index + 1 {
                let moves = match replay.steps[n - 1].actors.as_slice() {
                    [actor] => Some(*actor),
                    _ => None,
                };
                let seen = watch.after(replay, n, moves, launch);
                if let Some(value) = seen.value.filter(|_| seen.is_new) {
                    found.push(format!("{} = {value}", seen.name));
                }
            }
        }
        found
    }

    /// The whole run.
    pub fn listing(&self) -> String {
        self.listing_with(&[])
    }

    /// The whole run, with what is watched where it gets a value.
    pub fn listing_with(&self, watched: &[Watch]) -> String {
        let mut out = self.head();
        out.push('\n');
        for index in 0..self.n_steps() {
            out.push_str(&self.row(index));
            for text in self.watched_at(index, watched) {
                let text = format!("       watch {}", printable(&text));
                let _ = writeln!(out, "{}", self.style.paint(Ink::Faint, &text));
            }
        }
        if let Some(line) = self.comes_back() {
            let _ = writeln!(out, "       {line}");
        }
        out.push('\n');
        out.push_str(&self.conclusion());
        out.push('\n');
        out
    }
}

/// The body of the JSON object.
pub fn json(witness: &Witness, replay: &Replay) -> serde_json::Value {
    json!({
        "profile": super::json::profile(&witness.profile),
        "file": witness.file,
        "kernel": witness.entry,
        "kind": witness.kind,
        "steps": replay.steps,
        "led": replay.led,
        "cycle_from": replay.cycle_from,
        "reproduced": replay.reproduced,
        "conclusion": replay.conclusion,
        "conflict": replay.conflict,
        "explanation": replay.explanation,
    })
}
