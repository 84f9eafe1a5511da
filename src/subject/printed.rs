//! What a program would print, which is not modelled.

use crate::subject::premises;
use gridlock_checker::report::not_judged::Gap;
use gridlock_frontend::Parsed;
use gridlock_semantics::algebra::ids::ProcId;
use std::collections::BTreeSet;

/// What is not compared of the output of an entry; `None` where it prints nothing.
pub fn not_compared(parsed: &Parsed, entry: ProcId) -> Option<Gap> {
    let reachable = premises::features(&parsed.program, entry).reachable;
    let printing = parsed.notes.iter().filter(|note| note.is_output);
    let own = printing.filter(|note| reachable.contains(&note.proc));
    let lines: BTreeSet<u32> = own.map(|note| note.span.line).collect();
    (!lines.is_empty()).then(|| Gap::PrintedOutput {
        lines: lines.into_iter().collect(),
    })
}
