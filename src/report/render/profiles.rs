//! Profiles with all their axes and what each value means.

use super::table::{table, wrap};
use crate::words::style::{Ink, Style};
use gridlock_semantics::profile::*;
use std::fmt::Write;

/// One axis of a profile: its name, the value chosen, and what that value means.
pub struct AxisValue {
    pub axis: &'static str,
    pub value: String,
    pub meaning: String,
}

/// Every axis of a profile, in the order of the design's table.
pub fn axis_values(axes: &Axes) -> Vec<AxisValue> {
    let row = |axis, value: &str, meaning: &str| AxisValue {
        axis,
        value: value.to_owned(),
        meaning: meaning.to_owned(),
    };
    vec![
        match axes.granularity {
            Granularity::Operator => row(
                "granularity",
                "operator",
                "a basic operator, with all its accesses, is one step",
            ),
            Granularity::Access => row(
                "granularity",
                "access",
                "a step touches memory that others could reach at most once",
            ),
        },
        match axes.firing {
            Firing::One => row(
                "firing",
                "one",
                "one thread moves in a step (under lockstep: one path of one warp)",
            ),
            Firing::Set => row(
                "firing",
                "set",
                "any set of threads with the same next operator moves in a step",
            ),
        },
        match axes.merge {
            Merge::ByValue => row(
                "merge",
                "by-value",
                "of threads that move together, those that changed a value wrote it",
            ),
            Merge::ByWrite => row(
                "merge",
                "by-write",
                "of threads that move together, every store counts",
            ),
        },
        match axes.barrier {
            BarrierRule::Literal => row(
                "barrier",
                "literal",
                "rules R6 and R7: arrive and count, leave one by one when the count is full",
            ),
            BarrierRule::Collective => row(
                "barrier",
                "collective",
                "when every thread still demanded is waiting, all leave in one step",
            ),
        },
        match axes.exited_threads {
            ExitedThreads::BlockForever => row(
                "exited threads",
                "block-forever",
                "a thread that has ended still counts at barriers: the others wait forever",
            ),
            ExitedThreads::ReturnOnly => row(
                "exited threads",
                "return-only",
                "a thread that ran `return` no longer counts at barriers; one that reached the \
                 end of the body without meeting the barrier has diverged",
            ),
            ExitedThreads::Arrived => row(
                "exited threads",
                "arrived",
                "a thread that has ended, in whichever way, no longer counts at barriers",
            ),
            ExitedThreads::Defect => row(
                "exited threads",
                "defect",
                "a thread that ends before a barrier others wait at is a defect",
            ),
        },
        match axes.divergence {
            Divergence::AnyBarrier => row(
                "divergence",
                "any-barrier",
                "threads may meet at different barriers",
            ),
            Divergence::SameBarrier => row(
                "divergence",
                "same-barrier",
                "threads that leave together stand at the same barrier, called from the same \
                 place, in the same iteration",
            ),
        },
        match axes.warps {
            Warps::None => row("warps", "none", "there are no warps to rely on"),
            Warps::Independent(n) => row(
                "warps",
                &format!("independent({n})"),
                &format!("the {n} threads of a warp move independently"),
            ),
            Warps::Lockstep(n) => row(
                "warps",
                &format!("lockstep({n})"),
                &format!(
                    "the {n} threads of a warp move together; a divergent warp runs one path, \
                     either first, to where they meet again"
                ),
            ),
        },
        scheduling("blocks, safety", &axes.safety),
        scheduling("blocks, termination", &axes.termination),
        match axes.memory {
            MemoryModel::Sc => row("memory", "sc", "accesses interleave"),
            MemoryModel::ScIfSynchronised => row(
                "memory",
                "sc-if-synchronised",
                "accesses interleave, and that is claimed only for programs that synchronise",
            ),
            MemoryModel::ScIfSynchronisedVolatile => row(
                "memory",
                "sc-if-synchronised-volatile",
                "as sc-if-synchronised, but behind an atomic a barrier of the block stands in for \
                 the fence before volatile reads",
            ),
        },
        match axes.same_value_writes {
            SameValueWrites::Race => row(
                "same-value writes",
                "race",
                "two unordered stores of one value are a race",
            ),
            SameValueWrites::Benign => row(
                "same-value writes",
                "benign",
                "two unordered stores of one value are no race",
            ),
        },
    ]
}

fn scheduling(axis: &'static str, scheduling: &BlockScheduling) -> AxisValue {
    let (residency, which) = match scheduling.residency {
        Residency::StartRule => (
            "start-rule".to_owned(),
            "no block starts while a started, unfinished one is left out of a step".to_owned(),
        ),
        Residency::RunToCompletion => (
            "run-to-completion".to_owned(),
            "one block after another".to_owned(),
        ),
        Residency::Resident(n) => (
            format!("resident({n})"),
            format!("at most {n} blocks run at a time"),
        ),
        Residency::EveryResident => (
            "every-resident".to_owned(),
            "any number of blocks from 1 runs at a time".to_owned(),
        ),
        Residency::AllResident => (
            "all-resident".to_owned(),
            "all blocks run from the start".to_owned(),
        ),
    };
    let (next, order) = match scheduling.next {
        NextBlock::Any => ("any", "in any order"),
        NextBlock::InOrder => ("in-order", "in order of their number"),
    };
    let (progress, promise) = match scheduling.progress {
        Progress::Unfair => ("unfair", "no thread is promised a turn"),
        Progress::OccupancyBound => (
            "occupancy-bound",
            "every thread of a running block is promised a turn",
        ),
        Progress::Fair => ("fair", "every thread is promised a turn"),
    };
    AxisValue {
        axis,
        value: format!("{residency}, {next}, {progress}"),
        meaning: format!("{which}, started {order}; {promise}"),
    }
}

/// Every axis of the profile a report speaks of, with the value chosen.
pub fn chosen(profile: &Profile, style: &Style) -> String {
    let values = axis_values(&profile.axes).into_iter();
    let values: Vec<String> = values
        .map(|axis| format!("{} {}", axis.axis, axis.value.replace(", ", " ")))
        .collect();
    let text = format!("Profile {}: {}", profile.name, values.join("; "));
    let mut out = String::new();
    for (index, line) in wrap(&text, style.width.saturating_sub(2))
        .iter()
        .enumerate()
    {
        let indent = if index == 0 { "" } else { "  " };
        let _ = writeln!(out, "{indent}{}", style.paint(Ink::Faint, line));
    }
    out
}

/// [`chosen`] for each profile of a report that speaks of several, by their names.
pub fn chosen_by_name<'a>(names: impl Iterator<Item = &'a str>, style: &Style) -> String {
    let named = known(names);
    named.iter().map(|profile| chosen(profile, style)).collect()
}

/// The profiles of these names, each once.
pub fn known<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Profile> {
    let names: std::collections::BTreeSet<&str> = names.collect();
    let found = names.into_iter().map(crate::input::profiles::find);
    found.filter_map(Result::ok).collect()
}

/// The list `gridlock profiles` prints.
pub fn profiles(profiles: &[Profile], style: &Style) -> String {
    let mut out = String::new();
    for profile in profiles {
        let default = if profile.name == Profile::default().name {
            " (default)"
        } else {
            ""
        };
        let name = style.paint(Ink::Strong, &profile.name);
        let _ = writeln!(out, "{name}{default}");
        for line in wrap(&profile.meaning, style.width.saturating_sub(2)) {
            let _ = writeln!(out, "  {line}");
        }
        let rows: Vec<_> = axis_values(&profile.axes)
            .into_iter()
            .map(|axis| {
                vec![
                    (axis.axis.to_owned(), None),
                    (axis.value, Some(Ink::Strong)),
                    (axis.meaning, None),
                ]
            })
            .collect();
        out.push_str(&table(&["axis", "value", "meaning"], &rows, style));
        out.push('\n');
    }
    out
}
