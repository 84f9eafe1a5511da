//! Which page is made of what: of one replay, of an exploration with all its defects.

use super::{Drawing, Page, Run};
use crate::report::render::observation::outcome;
use crate::report::render::sources::Sources;
use crate::report::render::text::statistics;
use crate::report::render::threads::extents;
use crate::report::stepping::timeline::Timeline;
use crate::run::explored::Explored;
use gridlock_checker::replay;
use gridlock_checker::report::Subject;
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::program::Program;
use std::path::Path;

/// Defects shown on one page.
const MOST_RUNS: usize = 20;

/// Outcomes listed.
const MOST_OUTCOMES: usize = 8;

/// The page of one replay; `command` replays it.
pub fn of_replay(timeline: &Timeline<'_>, command: String, sources: &mut Sources) -> Page {
    let witness = timeline.witness;
    let mut about = vec![format!("profile {}", witness.profile.name)];
    if let Some(launch) = &witness.setup.launch {
        about.push(format!("grid {}", extents(launch.grid)));
        about.push(format!("block {}", extents(launch.block)));
    }
    let title = format!(
        "{} of {} in {}",
        witness.kind.name(),
        witness.entry,
        witness.file
    );
    let run = Run::new(timeline, command);
    Page::new(title, about, vec![run], None, sources)
}

/// The page of an exploration: its defects and ways of being stuck, each with a schedule, and the
/// graph if it was kept. `saved` names the file a defect's witness is in.
pub fn of_exploration(
    explored: &Explored,
    subject: &Subject,
    program: &Program,
    saved: &dyn Fn(usize) -> Option<String>,
    sources: &mut Sources,
) -> Page {
    let exploration = &explored.exploration;
    let mut about = vec![format!("profile {}", explored.profile.name)];
    if let (Some(grid), Some(block)) = (subject.launch.grid, subject.launch.block) {
        about.push(format!("grid {}, block {}", extents(grid), extents(block)));
    }
    about.push(match exploration.complete {
        true => "every schedule".to_owned(),
        false => "not every schedule".to_owned(),
    });
    about.push(statistics(&exploration.statistics));
    about.push(match exploration.outcomes.len() {
        1 => "1 outcome".to_owned(),
        n => format!("{n} outcomes"),
    });
    about.extend(exploration.outcomes.keys().take(MOST_OUTCOMES).map(outcome));
    let mut runs = Vec::new();
    // Where there is one deadlock, it is among the defects.
    let deadlocks = explored.deadlocks.iter().skip(1);
    for (index, defect) in explored.defects.iter().chain(deadlocks).enumerate() {
        if runs.len() == MOST_RUNS {
            about.push("more defects than are shown here".to_owned());
            break;
        }
        let file = saved(index).filter(|_| index < explored.defects.len());
        let command = file.map_or(String::new(), |file| format!("gridlock replay {file}"));
        runs.extend(run_of(defect, program, command));
    }
    let graph = exploration.graph.as_ref().map(Drawing::new);
    let file = Path::new(&subject.file);
    let title = format!("{} in {}", subject.kernel, file.display());
    Page::new(title, about, runs, graph, sources)
}

fn run_of(defect: &Defect, program: &Program, command: String) -> Option<Run> {
    let witness = defect.witness.as_ref()?;
    let replay = replay::replay(witness, program).ok()?;
    let timeline = Timeline::new(witness, &replay, false);
    Some(Run::new(&timeline, command))
}
