//! What came of all runs, by subcommand.

use crate::case::Case;
use crate::process::Ran;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

#[derive(Debug, Default)]
pub struct Summary {
    rows: BTreeMap<String, Row>,
}

#[derive(Debug, Default)]
struct Row {
    runs: u64,
    /// How often each exit status, and anything else.
    statuses: [u64; 5],
    slowest: Duration,
    /// Its case.
    slowest_case: u64,
    memory: u64,
}

impl Summary {
    pub fn take(&mut self, number: u64, case: &Case, ran: &Ran) {
        let row = self.rows.entry(case.subcommand.clone()).or_default();
        row.runs += 1;
        let status = ran.status.and_then(|s| usize::try_from(s).ok());
        row.statuses[status.filter(|s| *s < 4).unwrap_or(4)] += 1;
        if ran.took > row.slowest {
            (row.slowest, row.slowest_case) = (ran.took, number);
        }
        row.memory = row.memory.max(ran.memory);
    }

    pub fn table(&self, took: Duration) -> String {
        let mut text = format!(
            "{:<10} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>8} {:>8}\n",
            "subcommand", "runs", "0", "1", "2", "3", "other", "slowest", "case", "MiB"
        );
        let mut runs = 0;
        for (name, row) in &self.rows {
            runs += row.runs;
            let [reached, refuted, bad, undecided, other] = row.statuses;
            let _ = writeln!(
                text,
                "{name:<10} {:>6} {reached:>6} {refuted:>6} {bad:>6} {undecided:>6} {other:>6} {:>7.1} s {:>8} {:>8}",
                row.runs,
                row.slowest.as_secs_f64(),
                row.slowest_case,
                row.memory >> 20
            );
        }
        let _ = writeln!(text, "{runs} runs in {} s", took.as_secs());
        text
    }
}
