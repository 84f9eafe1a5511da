//! A replay as a table: one column for each thread that takes part, one row a step. Where the
//! columns do not fit, one line a step.

use super::profiles::chosen;
use super::sources::Sources;
use super::style::{Ink, Style};
use super::table::wrap;
use super::threads::coordinates;
use gridlock_checker::replay::{AccessSeen, Replay, ReplayStep};
use gridlock_checker::witness::Witness;
use gridlock_semantics::fault::AccessMode;
use gridlock_semantics::setup::{Dim3, Launch};
use gridlock_semantics::transition::Actor;
use gridlock_semantics::value::Value;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Narrowest column that is still readable.
const MIN_COLUMN: usize = 22;

/// A replay laid out.
pub struct Columns<'a> {
    witness: &'a Witness,
    replay: &'a Replay,
    steps: Vec<&'a ReplayStep>,
    /// The row (from 0) from which on the rows repeat.
    cycle_from: Option<usize>,
    /// Threads, the host and streams that take part, in order. Steps by a whole block or by the device
    /// span all columns.
    actors: Vec<Actor>,
    /// Width of a column; `None`: one line a step.
    column: Option<usize>,
    style: Style,
}

impl<'a> Columns<'a> {
    /// Private steps are left out unless `all`.
    pub fn new(witness: &'a Witness, replay: &'a Replay, all: bool, style: Style) -> Columns<'a> {
        let cycle = replay.cycle_from.unwrap_or(replay.steps.len());
        // A cycle of private steps only has no other.
        let all_of_cycle = !replay.steps[cycle..].iter().any(|step| step.visible);
        let is_shown = |(index, step): &(usize, &ReplayStep)| {
            all || step.visible || all_of_cycle && *index >= cycle
        };
        let shown = || replay.steps.iter().enumerate().filter(is_shown);
        let steps: Vec<&ReplayStep> = shown().map(|(_, step)| step).collect();
        let before = shown().filter(|(index, _)| *index < cycle).count();
        let actors: BTreeSet<Actor> = steps
            .iter()
            .filter(|step| step.actors.len() == 1)
            .flat_map(|step| step.actors.iter().copied())
            .filter(|actor| !matches!(actor, Actor::Block(_) | Actor::Device))
            .collect();
        let actors: Vec<Actor> = actors.into_iter().collect();
        let room = style.width.saturating_sub(7);
        let column = room
            .checked_div(actors.len())
            .filter(|&width| width >= MIN_COLUMN)
            .map(|width| width.min(40));
        Columns {
            witness,
            replay,
            steps,
            cycle_from: replay.cycle_from.map(|_| before),
            actors,
            column,
            style,
        }
    }

    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// What is replayed, and the heads of the columns.
    pub fn head(&self) -> String {
        let mut out = String::new();
        let kind = self.style.paint(Ink::Bad, self.witness.kind.name());
        let _ = writeln!(
            out,
            "{kind} of {} in {}, profile {}",
            self.witness.entry, self.witness.file, self.witness.profile.name
        );
        if let Some(launch) = &self.witness.setup.launch {
            let _ = writeln!(
                out,
                "launch: grid {}, block {}",
                super::threads::extents(launch.grid),
                super::threads::extents(launch.block)
            );
        }
        out.push_str(&chosen(&self.witness.profile, &self.style));
        out.push('\n');
        if let Some(width) = self.column {
            let mut line = String::from(" step  ");
            for &actor in &self.actors {
                let _ = write!(line, "{:width$}", self.name(actor));
            }
            out.push_str(&self.style.paint(Ink::Strong, line.trim_end()));
        }
        out
    }

    /// Row `index` (from 0), with its line end.
    pub fn row(&self, index: usize) -> String {
        let step = self.steps[index];
        let number = format!("{:5}  ", index + 1);
        let text = self.text(step);
        let place = match step.actors.as_slice() {
            [actor] => self.actors.iter().position(|a| a == actor),
            _ => None,
        };
        let mut out = String::new();
        if self.cycle_from == Some(index) {
            let rule = "── from here on the run goes round";
            let _ = writeln!(out, "       {}", self.style.paint(Ink::Strong, rule));
        }
        match (self.column, place) {
            (Some(width), Some(column)) => {
                let indent = width * column;
                for (i, part) in wrap(&text, width - 2).iter().enumerate() {
                    let start = if i == 0 { &number } else { "       " };
                    let _ = writeln!(out, "{start}{:indent$}{part}", "");
                }
            }
            (_, place) => {
                let text = match (self.column, place, step.actors.as_slice()) {
                    (None, _, [actor]) => format!("{}: {text}", self.name(*actor)),
                    (_, None, [_]) => format!("── {text}"),
                    (_, _, several) => format!("── {} together: {text}", several.len()),
                };
                let room = self.style.width.saturating_sub(7).max(MIN_COLUMN);
                for (i, part) in wrap(&text, room).iter().enumerate() {
                    let start = if i == 0 { &number } else { "       " };
                    let _ = writeln!(out, "{start}{part}");
                }
            }
        }
        out
    }

    /// What a step does: its accesses, or the step in words where it has none.
    fn text(&self, step: &ReplayStep) -> String {
        let seen: Vec<String> = step.accesses.iter().map(access).collect();
        let what = match seen.is_empty() {
            true => step.text.clone(),
            false => seen.join(", "),
        };
        match &step.site {
            Some(site) if site.line > 0 => format!("line {}: {what}", site.line),
            _ => what,
        }
    }

    /// The source line of a step.
    pub fn source_line(&self, index: usize, sources: &mut Sources) -> Option<String> {
        let site = self.steps[index].site.as_ref()?;
        let line = sources.line(&site.file, site.line)?;
        Some(format!("       {}:{} | {line}", site.file, site.line))
    }

    /// Where a run that goes round is again after the last row.
    pub fn comes_back(&self) -> Option<String> {
        let from = self.cycle_from?;
        let text = format!(
            "── the state before step {} again, and so on for ever",
            from + 1
        );
        Some(self.style.paint(Ink::Strong, &text))
    }

    /// What showed in the end.
    pub fn conclusion(&self) -> String {
        let (what, ink) = match self.replay.reproduced {
            true => ("reproduced", Ink::Bad),
            false => ("not reproduced", Ink::Unsure),
        };
        let text = format!("{what}: {}", self.replay.conclusion);
        let mut text = wrap(&text, self.style.width).join("\n");
        text.replace_range(..what.len(), &self.style.paint(ink, what));
        text
    }

    /// The whole run.
    pub fn listing(&self) -> String {
        let mut out = self.head();
        if self.column.is_some() {
            out.push('\n');
        }
        for index in 0..self.n_steps() {
            out.push_str(&self.row(index));
        }
        if let Some(line) = self.comes_back() {
            let _ = writeln!(out, "       {line}");
        }
        out.push('\n');
        out.push_str(&self.conclusion());
        out.push('\n');
        out
    }

    fn name(&self, actor: Actor) -> String {
        actor_name(actor, self.witness.setup.launch.as_ref())
    }
}

/// `reads a[3] = 5`, `writes a[3] := 7 (was 5)`.
fn access(seen: &AccessSeen) -> String {
    let AccessSeen {
        access,
        name,
        old,
        new,
    } = seen;
    let value = |value: &Option<Value>| match value {
        Some(value) => value.to_string(),
        None => "outside".to_owned(),
    };
    let (old, new, index) = (value(old), value(new), access.index);
    match access.mode {
        AccessMode::Read => format!("reads {name}[{index}] = {old}"),
        AccessMode::Write => format!("writes {name}[{index}] := {new} (was {old})"),
        AccessMode::Atomic => format!("atomically {name}[{index}] := {new} (was {old})"),
    }
}

/// `thread (3,0,0) of block (1,0,0)` shortly: `b1 t3` where grid and block have one dimension,
/// `b(1,0,0) t(3,0,0)` where not.
pub fn actor_name(actor: Actor, launch: Option<&Launch>) -> String {
    let name = |extents: Option<Dim3>, linear: u32| match extents {
        Some([x, y, z]) if y > 1 || z > 1 => coordinates(Launch::coordinates([x, y, z], linear)),
        _ => linear.to_string(),
    };
    let (grid, threads) = (launch.map(|l| l.grid), launch.map(|l| l.block));
    match actor {
        Actor::Host => "host".to_owned(),
        Actor::Device => "device".to_owned(),
        Actor::Block(block) => format!("block {}", name(grid, block)),
        Actor::Thread { block, thread } => {
            format!("b{} t{}", name(grid, block), name(threads, thread))
        }
        other => gridlock_checker::explore::actor_text(&other),
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
        "cycle_from": replay.cycle_from,
        "reproduced": replay.reproduced,
        "conclusion": replay.conclusion,
    })
}
