//! Stepping through a replay with keys.

use super::output::Output;
use gridlock::render::replay::Columns;
use std::io::BufRead;

const KEYS: &str = "n next, p previous, j N jump, q quit (then Enter)";

/// Shows one step at a time; reads keys from standard input until `q` or its end. Works on a
/// terminal and with keys from a pipe.
pub fn step_through(columns: &Columns, output: &mut Output) {
    output.line(&columns.head());
    let n_steps = columns.n_steps();
    let mut at = 0;
    show(columns, at, output);
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else {
            break;
        };
        let line = line.trim();
        let next = match line.split_once(' ').unwrap_or((line, "")) {
            ("q", _) => break,
            ("n" | "", _) => Some((at + 1).min(n_steps)),
            ("p", _) => Some(at.saturating_sub(1)),
            ("j", number) => number.trim().parse().ok().filter(|&n: &usize| n <= n_steps),
            (jump, _) => jump
                .strip_prefix('j')
                .and_then(|n| n.parse().ok())
                .filter(|&n: &usize| n <= n_steps),
        };
        match next {
            Some(step) => {
                at = step;
                show(columns, at, output);
            }
            None => output.line(&format!("{KEYS}; steps are 0 to {n_steps}")),
        }
    }
}

fn show(columns: &Columns, at: usize, output: &mut Output) {
    if at > 0 {
        output.line(columns.row(at - 1).trim_end());
        if let Some(source) = columns.source_line(at - 1, &mut output.sources) {
            output.line(&source);
        }
    }
    let n_steps = columns.n_steps();
    if at == n_steps {
        if let Some(line) = columns.comes_back() {
            output.line(&line);
        }
        output.line(&columns.conclusion());
    }
    output.line(&format!("step {at} of {n_steps}  [{KEYS}]"));
}
