//! What must hold of a kernel's launches, as text: the condition, what it rests on, how to write
//! it down, and the table of what was tried.

use super::table::{item, wrap};
use crate::judge::preconditions::{Explained, Finding, Grid, OfKind, Stated};
use crate::words::style::{Ink, Style};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The whole section of one kernel.
pub fn text(explained: &Explained, style: &Style) -> String {
    let mut out = String::new();
    let name = style.paint(Ink::Strong, &explained.kernel);
    let _ = writeln!(out, "What must hold of a launch of {name}");
    let mut paragraph = |text: &str| {
        for line in wrap(text, style.width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
    };
    match (explained.finding, &explained.condition) {
        (Finding::Always, Some(_)) => {
            paragraph("Nothing: proved for every launch and every input. No launch tried fails.")
        }
        (Finding::Always, None) => {
            paragraph("Nothing that shows: no launch tried fails. It is not proved that none does.")
        }
        (Finding::Never, _) => {
            paragraph("No launch tried is safe: there is nothing to tell apart.")
        }
        (Finding::NoCondition, _) => paragraph(
            "Some launches fail and others do not, and no condition tried tells them apart \
             (comparisons, divisibility and powers of two of extents, arguments and their \
             products; two or three of them joined by and, or).",
        ),
        (Finding::Unknown, _) => paragraph("No launch could be decided."),
        (Finding::NothingVaries, _) => {
            paragraph("Grid, block and arguments are fixed: there is nothing to tell apart.");
        }
        (Finding::Condition, condition) => {
            if let Some(stated) = condition {
                let _ = write!(out, "{}", self::stated(stated, style));
            }
        }
    }
    if let Some(stated) = &explained.sufficient {
        let known = match stated.proved {
            true => "proved for every launch and every input",
            false => "as far as tried; not proved",
        };
        let sentence = format!(
            "This is enough ({known}), but more than needed: it holds at {} of the {} safe \
             launches tried.",
            stated.holds_at, explained.counts.safe
        );
        for line in wrap(&sentence, style.width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
        let _ = writeln!(out, "    {}", style.paint(Ink::Strong, &stated.text));
    }
    for kind in &explained.kinds {
        out.push_str(&of_kind(kind, explained, style));
    }
    let counts = &explained.counts;
    if counts.tried > 0 {
        let mut parts = vec![
            format!("{} safe", counts.safe),
            format!("{} failing", counts.failing),
        ];
        for (n, what) in [(counts.unknown, "unknown"), (counts.excluded, "no launch")] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        let _ = writeln!(
            out,
            "\nLaunches tried: {} ({})",
            counts.tried,
            parts.join(", ")
        );
    }
    if let Some(grid) = &explained.table {
        out.push_str(&table(grid, style));
    }
    for (title, items) in [
        ("Taken for granted", &explained.assumptions.texts()),
        ("Unknown because", &explained.unknown),
        ("Limits reached", &explained.limits_hit),
    ] {
        if !items.is_empty() {
            let _ = writeln!(out, "\n{title}");
            for text in items.iter().take(MOST_ITEMS) {
                out.push_str(&item(text, style));
            }
        }
    }
    out
}

/// Sentences of a list that are shown.
const MOST_ITEMS: usize = 6;

/// The condition, how far it is established, and how to write it.
fn stated(stated: &Stated, style: &Style) -> String {
    let mut out = String::new();
    for line in wrap(&stated.text, style.width.saturating_sub(4)) {
        let _ = writeln!(out, "    {}", style.paint(Ink::Strong, &line));
    }
    let mut sentence = match stated.proved {
        true => "Proved: under this condition nothing of what was judged can happen, at any \
                 launch, for any input."
            .to_owned(),
        false => {
            "Not proved; it tells apart the launches tried, and says nothing of others.".to_owned()
        }
    };
    let _ = write!(
        sentence,
        " It holds at each of the {} safe launches tried and at none of the {} failing ones",
        stated.holds_at, stated.fails_at
    );
    let _ = match stated.held_out {
        0 => write!(sentence, "."),
        n => write!(
            sentence,
            "; {n} of these were tried only after it was found."
        ),
    };
    let _ = match stated.revisions {
        0 => Ok(()),
        1 => write!(sentence, " One earlier condition did not stand that test."),
        n => write!(sentence, " {n} earlier conditions did not stand that test."),
    };
    for line in wrap(&sentence, style.width.saturating_sub(2)) {
        let _ = writeln!(out, "  {line}");
    }
    if !stated.proved {
        for open in stated.properties.iter().filter(|p| !p.proved) {
            let text = format!("{} not proved under it: {}", open.property.name(), open.why);
            out.push_str(&item(&text, style));
        }
    }
    if let Some(code) = &stated.code {
        let _ = writeln!(out, "  In the source, first in the kernel:");
        let _ = writeln!(out, "    __requires({code});");
    } else {
        let _ = writeln!(
            out,
            "  The source has no name for the number of elements of an array."
        );
    }
    out
}

fn of_kind(kind: &OfKind, explained: &Explained, style: &Style) -> String {
    let mut text = format!(
        "{}: at {} of the launches tried, for example with {}",
        kind.kind.name(),
        kind.n_failing,
        point(&kind.example)
    );
    if explained.kinds.len() > 1 && explained.finding != Finding::Never {
        text += &match &kind.condition {
            Some(stated) if stated.proved => format!("; never if {} (proved)", stated.text),
            Some(stated) => format!("; never, as far as tried, if {}", stated.text),
            None => "; no condition tried tells when".to_owned(),
        };
    }
    item(&text, style)
}

fn point(point: &BTreeMap<String, i64>) -> String {
    let values = point
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    values.collect::<Vec<_>>().join(", ")
}

/// The table with its head, its legend, and what a cell sums up.
fn table(grid: &Grid, style: &Style) -> String {
    let mut out = String::new();
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|t| t.chars().count()).max().unwrap_or(0)
    };
    let label_width = widest(&mut grid.body.iter().map(|(label, _)| label).chain([&grid.rows]));
    let mut head = format!("  {:label_width$}", grid.rows);
    let widths: Vec<usize> = (0..grid.head.len().max(1))
        .map(|column| {
            let cells = grid.body.iter().map(|(_, cells)| &cells[column]);
            widest(&mut cells.chain(grid.head.get(column)))
        })
        .collect();
    if !grid.head.is_empty() {
        let _ = writeln!(out, "  {:label_width$}  {}", "", grid.columns);
        for (title, &width) in grid.head.iter().zip(&widths) {
            let _ = write!(head, "  {title:width$}");
        }
    }
    let _ = writeln!(out, "{}", style.paint(Ink::Faint, head.trim_end()));
    for (label, cells) in &grid.body {
        let mut line = format!("  {label:>label_width$}");
        for (cell, &width) in cells.iter().zip(&widths) {
            let ink = match cell.as_str() {
                "ok" => Ink::Good,
                "?" | "ok?" | "-" | "·" => Ink::Faint,
                _ => Ink::Bad,
            };
            let padding = width - cell.chars().count();
            let _ = write!(line, "  {}{:padding$}", style.paint(ink, cell), "");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let mut notes = grid.legend.clone();
    let has = |wanted: &str| {
        let mut cells = grid.body.iter().flat_map(|(_, cells)| cells);
        cells.any(|cell| cell.contains(wanted))
    };
    if has("/") {
        notes.push("2/6: fails at 2 of 6".to_owned());
    }
    if has("·") {
        notes.push("·: not tried".to_owned());
    }
    if has("?") {
        notes.push("?: unknown".to_owned());
    }
    if has("-") {
        notes.push("-: no launch, or excluded by the kernel's own assumptions".to_owned());
    }
    if !grid.over.is_empty() {
        notes.push(format!("a cell sums up over {}", grid.over.join(", ")));
    }
    if !notes.is_empty() {
        for line in wrap(
            &format!("({})", notes.join("; ")),
            style.width.saturating_sub(2),
        ) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}
