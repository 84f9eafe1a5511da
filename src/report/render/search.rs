//! What a search for better programs came to: a table, the cheapest first.

use super::table::{Cell, item, table};
use crate::pipeline::report::{Costs, Found, SearchReport};
use crate::words::plain_words;
use crate::words::style::{Ink, Style};
use std::fmt::Write;

const HEAD: [&str; 9] = [
    "",
    "cost",
    "launches",
    "barriers",
    "of warps",
    "global",
    "divergent",
    "verdict",
    "rewritings",
];

pub(super) fn search(report: &SearchReport, style: &Style) -> String {
    let mut out = format!(
        "\nSearch from {} under {}, up to {} rewritings\n",
        style.paint(Ink::Strong, &report.from),
        report.profile,
        report.depth
    );
    let mut rows = vec![row(
        String::new(),
        report.cost.as_ref(),
        String::new(),
        &report.from,
    )];
    for (number, found) in (1..).zip(&report.found) {
        let (name, _) = plain_words::verdict(found.verdict);
        let steps = found.steps.join("; ");
        rows.push(row(
            format!("{number}"),
            found.cost.as_ref(),
            name.to_owned(),
            &steps,
        ));
    }
    out.push_str(&table(&HEAD, &rows, style));
    for (number, found) in (1..).zip(&report.found) {
        notes(&mut out, number, found, style);
    }
    let _ = writeln!(
        out,
        "  judged: {} accepted, {} refuted, {} unknown; made before: {}; not applicable: {}",
        report.accepted, report.refuted, report.unknown, report.seen_before, report.inapplicable
    );
    if let Some(limit) = &report.limit {
        let _ = writeln!(out, "  not every sequence was tried: {limit}");
    }
    out
}

fn row(number: String, cost: Option<&Costs>, verdict: String, steps: &str) -> Vec<Cell> {
    let count = |of: fn(&Costs) -> u64| cost.map_or("-".to_owned(), |c| of(c).to_string());
    vec![
        (number, None),
        (count(|c| c.total), Some(Ink::Strong)),
        (count(|c| c.counts.launches), None),
        (count(|c| c.counts.barriers), None),
        (count(|c| c.counts.warp_barriers), None),
        (count(|c| c.counts.global_accesses), None),
        (count(|c| c.counts.divergent_branches), None),
        (verdict, None),
        (steps.to_owned(), None),
    ]
}

fn notes(out: &mut String, number: usize, found: &Found, style: &Style) {
    for assumption in &found.assumptions {
        out.push_str(&item(&format!("{number} assumes: {assumption}"), style));
    }
    if let Some(file) = &found.file {
        out.push_str(&item(&format!("{number}: {}", file.display()), style));
    }
}
