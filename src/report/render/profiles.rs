//! Profiles with all their axes and what each value means.

use super::table::{table, wrap};
use crate::words::style::{Ink, Style};
use gridlock_semantics::profile::*;
use std::fmt::Write;

/// One axis of a profile: its name, the value chosen, and what that value means.
pub struct AxisValue {
    /// Its name, as reports have it.
    pub axis: &'static str,
    /// The value's name, with its number where it has one.
    pub value: String,
    /// A part of a sentence.
    pub meaning: String,
}

/// Every axis of a profile, in the order in which profiles declare them.
pub fn axis_values(axes: &Axes) -> Vec<AxisValue> {
    macro_rules! row {
        ($axis:literal, $value:expr) => {
            AxisValue {
                axis: $axis,
                value: $value.name().to_owned(),
                meaning: $value.meaning().to_owned(),
            }
        };
    }
    vec![
        row!("granularity", axes.granularity),
        row!("firing", axes.firing),
        row!("merge", axes.merge),
        row!("barrier", axes.barrier),
        row!("exited threads", axes.exited_threads),
        row!("divergence", axes.divergence),
        row!("warps", axes.warps),
        scheduling("blocks, safety", &axes.safety),
        scheduling("blocks, termination", &axes.termination),
        row!("memory", axes.memory),
        row!("same-value writes", axes.same_value_writes),
    ]
}

fn scheduling(axis: &'static str, blocks: &BlockScheduling) -> AxisValue {
    let BlockScheduling {
        residency,
        next,
        progress,
    } = blocks;
    AxisValue {
        axis,
        value: format!("{}, {}, {}", residency.name(), next.name(), progress.name()),
        meaning: format!(
            "{}, started {}; {}",
            residency.meaning(),
            next.meaning(),
            progress.meaning()
        ),
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
