//! Findings of a run and the schedules that show them, from its trace.

use super::memory::MAX_UNBOUNDED;
use super::run::{Halt, Run};
use super::schedule::{Hit, Mark};
use super::trace::{Moment, Segment, Trace};
use super::{CanonicalResult, CanonicalStatus};
use crate::compiled::Compiled;
use crate::defect::DefectKind;
use crate::finding::{Evidence, Finding};
use gridlock_semantics::fault::{AccessMode, Fault, FaultKind};
use gridlock_semantics::operator::OpId;
use gridlock_semantics::profile::{NextBlock, Residency, Warps};
use gridlock_semantics::program::Program;
use gridlock_semantics::span::Span;
use gridlock_semantics::transition::Actor;
use rustc_hash::{FxHashMap, FxHashSet};

/// Races reported at most: pairs of source lines.
const MAX_RACES: usize = 100;

/// Merges races between the same two lines of source; operators without a place count as places
/// of their own.
pub fn merge(compiled: &Compiled, hits: Vec<Hit>) -> Vec<Hit> {
    let place = |op: OpId| {
        let Span { file, line, .. } = compiled.span(op);
        if line == 0 {
            (u32::MAX, op.0)
        } else {
            (file.0, line)
        }
    };
    let mut known: FxHashMap<_, usize> = FxHashMap::default();
    let mut merged: Vec<Hit> = Vec::new();
    for hit in hits {
        let (a, b) = (place(hit.first.op), place(hit.second.op));
        match known.get(&(a.min(b), a.max(b))) {
            Some(&index) => merged[index].count += hit.count,
            None if merged.len() == MAX_RACES => {}
            None => {
                known.insert((a.min(b), a.max(b)), merged.len());
                merged.push(hit);
            }
        }
    }
    merged
}

/// The launches with races.
pub fn racy(hits: &[Hit]) -> FxHashSet<u32> {
    hits.iter().map(|hit| hit.launch).collect()
}

/// Makes `run`, not begun yet, record its trace and look for the moments of `races`.
pub fn trace(run: &mut Run<'_>, races: &[Hit]) {
    run.trace = Some(Trace::default());
    run.watch.marks = races.iter().map(Mark::of).collect();
}

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
    for (index, (hit, mark)) in races.iter().zip(&run.watch.marks).enumerate() {
        let (Some(first), Some(second)) = (mark.first_met, mark.second_met) else {
            continue;
        };
        if second.segment >= trace.next() {
            continue;
        }
        result.findings.push(Finding {
            kind: DefectKind::DataRace,
            schedule: if index == 0 {
                cutter.first_race(hit, first, second)
            } else {
                trace.schedule(second, |_, _| u32::MAX)
            },
            evidence: Evidence::Race {
                first: hit.first,
                second: hit.second,
            },
        });
        result.occurrences.push(hit.count);
    }
    let host_hits = run.streams.iter().flat_map(|streams| &streams.hits);
    for hit in host_hits.take(MAX_RACES) {
        if trace.is_full() {
            break;
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
            schedule: cutter.everything(),
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
                kind: kind_of(&fault.kind),
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
        let what = "length of a recorded schedule, or its seconds".to_owned();
        result.status = CanonicalStatus::Limit { what };
    }
}

/// Why a run in which a thread goes round in a loop does not decide. `op` ends the loop's body.
pub fn goes_round(program: &Program, op: OpId) -> String {
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    match found.map_or(0, |(_, op)| op.span.line) {
        0 => "a thread goes round in a loop".to_owned(),
        line => format!("a thread goes round in a loop (line {line})"),
    }
}

/// Why a run that comes to an access this far does not decide. Nobody said how long the array is,
/// so it is no defect yet; but what it most often is can be seen from the index.
pub fn too_far(program: &Program, op: OpId, array: &str, index: i64, mode: AccessMode) -> String {
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    let line = match found.map_or(0, |(_, op)| op.span.line) {
        0 => String::new(),
        line => format!("line {line}: "),
    };
    let does = match mode {
        AccessMode::Read => "reads",
        AccessMode::Write => "writes",
        AccessMode::Atomic => "atomically updates",
    };
    let wrapped = match u32::try_from(index) {
        Ok(word) if (word as i32) < 0 => format!(" ({} as an unsigned number)", word as i32),
        _ => String::new(),
    };
    format!(
        "{line}a thread {does} `{array}[{index}]`{wrapped}; without an extent (--extent \
         {array}=…) an array is followed for {MAX_UNBOUNDED} elements, and whether the access lies \
         outside of it is not known"
    )
}

/// The kind of defect a fault is.
pub fn kind_of(fault: &FaultKind) -> DefectKind {
    match fault {
        FaultKind::OutOfBounds { .. } => DefectKind::OutOfBounds,
        FaultKind::NullPointer { .. } => DefectKind::NullPointer,
        FaultKind::ConstantWrite { .. } => DefectKind::ConstantWrite,
        FaultKind::Misaligned { .. } => DefectKind::Misaligned,
        FaultKind::UninitialisedRead { .. } => DefectKind::UninitialisedRead,
        FaultKind::DivisionByZero => DefectKind::DivisionByZero,
        FaultKind::UndefinedArithmetic => DefectKind::UndefinedArithmetic,
        FaultKind::AssertionFailed => DefectKind::Assertion,
        FaultKind::InvalidLaunch { .. } => DefectKind::InvalidLaunch,
        FaultKind::BarrierDivergence { .. } => DefectKind::BarrierDivergence,
        FaultKind::BadWarpMask { .. } => DefectKind::BadWarpMask,
        FaultKind::BadWarpWidth { .. } => DefectKind::BadWarpWidth,
        FaultKind::NoWarps => DefectKind::NoWarps,
        FaultKind::BadBarrier { .. } => DefectKind::BadBarrier,
        FaultKind::WrongMemory { .. } => DefectKind::WrongMemory,
        FaultKind::UseAfterFree { .. } => DefectKind::UseAfterFree,
        FaultKind::DoubleFree { .. } => DefectKind::DoubleFree,
    }
}

/// Cuts schedules out of a trace, leaving out what a finding does not need.
///
/// As long as there was no race and nobody used what an atomic gave back, what a thread does in a
/// barrier interval does not depend on what other threads do in it, nor on other blocks of the
/// launch: the first race of a run, and a fault in a launch without any, need only their own
/// threads in the last interval, and their own blocks.
struct Cutter<'a> {
    run: &'a Run<'a>,
    trace: &'a Trace,
    racy: FxHashSet<u32>,
}

impl Cutter<'_> {
    /// Whether any blocks of a launch may run without the others.
    fn blocks_are_free(&self, launch: u32) -> bool {
        let scheduling = self.run.axes.safety;
        !self.run.told.contains(&launch)
            && scheduling.residency == Residency::AllResident && scheduling.next == NextBlock::Any
    }

    /// Whether the threads of one interval of a launch move on their own.
    fn threads_are_apart(&self, launch: u32) -> bool {
        if self.run.told.contains(&launch) {
            return false;
        }
        match self.run.axes.warps {
            Warps::None => true,
            Warps::Independent(_) => !self.has_warp_operation(),
            Warps::Lockstep(_) => false,
        }
    }

    fn has_warp_operation(&self) -> bool {
        let procs = 0..self.run.program().procs.len() as u32;
        let entries = procs.filter_map(|p| {
            self.run
                .compiled
                .entry(gridlock_semantics::program::ProcId(p))
        });
        entries.into_iter().any(|code| code.has_warp_operation)
    }

    fn everything(&self) -> Vec<crate::witness::ScheduleStep> {
        self.trace.schedule(self.run.now(), |_, _| u32::MAX)
    }

    fn first_race(
        &self,
        hit: &Hit,
        first: Moment,
        second: Moment,
    ) -> Vec<crate::witness::ScheduleStep> {
        let (Some((block_a, thread_a)), Some((block_b, thread_b))) =
            (thread_of(hit.first.actor), thread_of(hit.second.actor))
        else {
            return self.everything();
        };
        let (stamp_a, stamp_b) = (
            hit.conflict.first.epoch.stamp,
            hit.conflict.second.epoch.stamp,
        );
        let apart = self.threads_are_apart(hit.launch);
        let free_blocks = self.blocks_are_free(hit.launch);
        self.trace.schedule(second, |index, segment: &Segment| {
            let Some(block) = segment.block.filter(|_| segment.launch == hit.launch) else {
                return u32::MAX;
            };
            let is = |thread: u32| match &segment.actors {
                super::trace::Actors::One(actor) => *actor == Actor::Thread { block, thread },
                super::trace::Actors::Path { .. } => false,
            };
            if block_a != block_b && block == block_a && free_blocks {
                // Up to the first access; the other block then makes the second.
                if index > first.segment {
                    return 0;
                }
                if index == first.segment {
                    return first.steps;
                }
                return if segment.stamp < stamp_a || !apart || is(thread_a) {
                    u32::MAX
                } else {
                    0
                };
            }
            if block != block_a && block != block_b {
                return if free_blocks { 0 } else { u32::MAX };
            }
            if !apart || segment.stamp < stamp_b {
                return u32::MAX;
            }
            // The interval of the second access.
            if is(thread_b) {
                u32::MAX
            } else if block_a == block_b && stamp_a == stamp_b && is(thread_a) {
                match index.cmp(&first.segment) {
                    std::cmp::Ordering::Less => u32::MAX,
                    std::cmp::Ordering::Equal => first.steps,
                    std::cmp::Ordering::Greater => 0,
                }
            } else {
                0
            }
        })
    }

    fn fault(&self, fault: &Fault) -> Vec<crate::witness::ScheduleStep> {
        let launch = self.run.launch;
        let stamp = self.run.watch.now.stamp;
        let (block, thread) = match fault.actor {
            Actor::Thread { block, thread } => (block, Some(thread)),
            Actor::Block(block) => (block, None),
            _ => return self.everything(),
        };
        let racy = self.racy.contains(&launch);
        let drop_blocks = self.blocks_are_free(launch) && !racy;
        let drop_threads = self.threads_are_apart(launch) && !racy;
        self.trace.schedule(self.run.now(), |_, segment: &Segment| {
            let Some(other) = segment.block.filter(|_| segment.launch == launch) else {
                return u32::MAX;
            };
            if other != block {
                return if drop_blocks { 0 } else { u32::MAX };
            }
            match (thread, &segment.actors) {
                (Some(thread), super::trace::Actors::One(actor))
                    if drop_threads && segment.stamp == stamp =>
                {
                    if *actor == (Actor::Thread { block, thread }) {
                        u32::MAX
                    } else {
                        0
                    }
                }
                _ => u32::MAX,
            }
        })
    }
}

fn thread_of(actor: Actor) -> Option<(u32, u32)> {
    match actor {
        Actor::Thread { block, thread } => Some((block, thread)),
        _ => None,
    }
}
