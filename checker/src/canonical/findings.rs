//! Findings of a run and the schedules that show them, from its trace.

use super::cutter::Cutter;
use super::run::{Halt, Run};
use super::schedule::{Hit, Mark};
use super::streams::HostHit;
use super::trace::Trace;
use super::watch::Sought;
use super::{CanonicalResult, CanonicalStatus};
use crate::compiled::Compiled;
use crate::compiled::memory::MAX_UNBOUNDED;
use crate::finding::{DefectKind, Evidence, Finding};
use crate::system::array_name::declared_in;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::{FxHashMap, FxHashSet};

/// Races reported at most: pairs of source lines.
const MAX_RACES: usize = 100;

/// Merges races between the same two lines of source; operators without a place count as places
/// of their own.
pub fn merge(compiled: &Compiled, hits: Vec<Hit>) -> Vec<Hit> {
    let mut known: FxHashMap<_, usize> = FxHashMap::default();
    let mut merged: Vec<Hit> = Vec::new();
    for hit in hits {
        let places = places(compiled, &hit);
        match known.get(&places) {
            Some(&index) => merged[index].count += hit.count,
            None if merged.len() == MAX_RACES => {}
            None => {
                known.insert(places, merged.len());
                merged.push(hit);
            }
        }
    }
    merged
}

/// The two lines of a race, or its operators.
fn places(compiled: &Compiled, hit: &Hit) -> [(u32, u32); 2] {
    let mut places = [hit.first.op, hit.second.op].map(|op: OpId| {
        let Span { file, line, .. } = compiled.span(op);
        match line {
            0 => (u32::MAX, op.0),
            line => (file.0, line),
        }
    });
    places.sort_unstable();
    places
}

/// Adds to merged races those between other lines.
pub fn name(compiled: &Compiled, races: &mut Vec<Hit>, named: Vec<Hit>) {
    let known: FxHashSet<_> = races.iter().map(|hit| places(compiled, hit)).collect();
    let mut more = merge(compiled, named);
    more.retain(|hit| !known.contains(&places(compiled, hit)));
    more.truncate(MAX_RACES.saturating_sub(races.len()));
    races.extend(more);
}

/// The launches with races.
pub fn racy(hits: &[Hit]) -> FxHashSet<u32> {
    hits.iter().map(|hit| hit.launch).collect()
}

/// Makes `run`, not begun yet, record its trace and look for the moments of `races`, and for who uses what the host then
/// uses too.
pub fn trace(run: &mut Run<'_>, races: &[Hit], host_hits: &[HostHit]) {
    if let Some(streams) = &mut run.streams {
        let places = host_hits.iter().filter_map(|hit| hit.place);
        streams.asked = places.map(|place| (place, None)).collect();
    }
    run.trace = Some(Trace::default());
    run.watch.sought = Sought::Moments(races.iter().map(Mark::of).collect());
}

/// Transitions of a run that a replay, keeping them all, follows in about a second.
const LONG: u64 = 20_000;

/// Adds the findings of a traced run to the result.
pub fn add(
    result: &mut CanonicalResult,
    run: &Run<'_>,
    races: Vec<Hit>,
    racy: FxHashSet<u32>,
    ended: Option<Halt>,
) {
    let Some(trace) = &run.trace else {
        return;
    };
    let cutter = Cutter { run, trace, racy };
    for (index, (hit, mark)) in races.iter().zip(run.watch.marks()).enumerate() {
        let (Some(first), Some(second)) = (mark.first_met, mark.second_met) else {
            continue;
        };
        if second.segment >= trace.next() {
            continue;
        }
        result.findings.push(Finding {
            kind: DefectKind::DataRace,
            schedule: cutter.race(hit, (first, second), index == 0),
            evidence: Evidence::Race {
                first: hit.first,
                second: hit.second,
            },
        });
        result.occurrences.push(hit.count);
    }
    let host_hits = run.streams.iter().flat_map(|streams| &streams.hits);
    // Of a long run, each to be followed for a while, the first use of what a stream uses says all: the host has not waited
    // for it.
    let is_long = run.transitions > LONG;
    let mut streams = FxHashSet::default();
    for hit in host_hits.take(MAX_RACES) {
        if trace.is_full() {
            break;
        }
        let is_new = hit.stream.is_none_or(|stream| streams.insert(stream));
        if is_long && !is_new {
            continue;
        }
        result.findings.push(Finding {
            kind: hit.kind,
            schedule: trace.schedule(hit.moment, |_, _| u32::MAX),
            evidence: Evidence::Race {
                first: hit.first,
                second: hit.second,
            },
        });
        result.occurrences.push(1);
    }
    for leak in &result.leaks {
        if trace.is_full() {
            break;
        }
        result.findings.push(Finding {
            kind: DefectKind::Leak,
            // A replay goes on to the end by itself.
            schedule: match is_long {
                true => Vec::new(),
                false => cutter.everything(),
            },
            evidence: Evidence::Leak {
                name: leak.name.to_string(),
                op: leak.op,
            },
        });
        result.occurrences.push(1);
    }
    match ended {
        Some(_) if trace.is_full() => {}
        Some(Halt::Fault(fault)) => {
            result.findings.push(Finding {
                kind: DefectKind::of_fault(&fault.kind),
                schedule: cutter.fault(&fault),
                evidence: Evidence::Fault(fault),
            });
            result.occurrences.push(1);
        }
        Some(Halt::Stuck(positions)) => {
            result.findings.push(Finding {
                kind: DefectKind::Deadlock,
                schedule: cutter.everything(),
                evidence: Evidence::Stuck { positions },
            });
            result.occurrences.push(1);
        }
        _ => {}
    }
    if result.findings.is_empty() {
        // Something was found, but no schedule could be recorded that shows it.
        let what = crate::limits::RECORD.to_owned();
        result.status = CanonicalStatus::Limit { what };
    }
}

/// Why a run in which a thread is in a cycle does not decide. `op` ends the loop's body.
pub fn cycle(program: &Program, op: OpId) -> String {
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    match found.map_or(0, |(_, op)| op.span.line) {
        0 => "a thread is in a cycle".to_owned(),
        line => format!("a thread is in a cycle (line {line})"),
    }
}

/// Why a run that comes to an access this far does not decide. The length of the array is not
/// given, so it is no defect yet; but what it most often is can be seen from the index.
pub fn too_far(run: &Run<'_>, op: OpId, array: &str, index: i64, mode: AccessMode) -> String {
    let program = run.program();
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    let declared = found.and_then(|(_, op)| declared_in(program, op, array));
    let cell = ArrayNames::new(program, run.setup.entry).cell((array, declared), index);
    let line = match found.map_or(0, |(_, op)| op.span.line) {
        0 => String::new(),
        line => format!("line {line}: "),
    };
    let does = match mode {
        AccessMode::Read => "reads",
        AccessMode::Write => "writes",
        AccessMode::Atomic => "atomically updates",
        AccessMode::AtomicRead => "atomically reads",
    };
    let wrapped = match u32::try_from(index) {
        Ok(word) if (word as i32) < 0 => format!(" ({} as an unsigned number)", word as i32),
        _ => String::new(),
    };
    format!(
        "{line}a thread {does} `{cell}`{wrapped}; without an extent (--extent \
         {array}=…) an array is followed for {MAX_UNBOUNDED} elements, and whether the access lies \
         outside of it is not known"
    )
}
