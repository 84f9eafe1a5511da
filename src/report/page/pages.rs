//! Which page is made of what: of one replay, of an exploration with all its defects.

use super::{Drawing, List, Page, Run, Table};
use crate::pipeline::report::{Compared, PipelineReport};
use crate::report::render::observation::outcome;
use crate::report::render::sources::Sources;
use crate::report::render::text::statistics;
use crate::report::render::threads::extents;
use crate::report::stepping::timeline::Timeline;
use crate::run::explored::Explored;
use crate::suite::agreement::Row;
use crate::words::plain_words;
use gridlock_checker::replay;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::Witness;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_frontend::ParseOptions;
use gridlock_semantics::algebra::program::Program;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Defects shown on one page.
const MOST_RUNS: usize = 20;

/// Tables, schedules and files of a page that is put together of others.
const MOST_PARTS: usize = 200;

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

/// The page of a judgement: what was established of each property, the defects with their schedules, and what the
/// verdict rests on. `runs` are those of its defects, in order; `saved` names the file a defect's witness is in.
pub fn of_judgement(
    judgement: &Judgement,
    runs: &[Followed],
    saved: &dyn Fn(usize) -> Option<String>,
    sources: &mut Sources,
) -> Page {
    let subjects = &judgement.subjects;
    let files: BTreeSet<&str> = subjects.iter().map(|s| s.file.as_str()).collect();
    let files = files.into_iter().collect::<Vec<_>>().join(", ");
    let word = plain_words::verdict(judgement.verdict).0;
    // The title has the word alone.
    let covered = match (judgement.reason, judgement.assurance) {
        (Some(why), _) => Some(format!("{word}: {}", plain_words::reason(why))),
        (None, Some(level)) => Some(format!("{word} for {}", plain_words::assurance(level))),
        (None, None) => None,
    };
    let mut about: Vec<String> = covered.into_iter().collect();
    about.push(format!("profile {}", judgement.profile.name));
    about.push(statistics(&judgement.statistics));
    let name = |subject: usize| subjects.get(subject).map_or("", |s| s.kernel.as_str());
    let mut shown: Vec<Run> = Vec::new();
    for (index, defect) in judgement.defects.iter().enumerate().take(MOST_RUNS) {
        let of = name(defect.subject);
        let command = saved(index).map_or(String::new(), |file| format!("gridlock replay {file}"));
        let Followed { run, original } = runs.get(index).cloned().unwrap_or_default();
        let run = run.unwrap_or_else(|| Run::of_defect(defect));
        let of = match original {
            Some(_) => format!("{of}, new program"),
            None => of.to_owned(),
        };
        shown.push(run.showing(&of, defect).replayed_by(command));
        if let Some(original) = original {
            let of = format!("{}, old program", name(defect.subject));
            shown.push(original.showing(&of, defect));
        }
    }
    let mut page = Page::new(format!("{word}: {files}"), about, shown, None, sources);
    page.tables.push(properties(judgement));
    page.lists = lists(judgement);
    page
}

fn properties(judgement: &Judgement) -> Table {
    let rows = judgement.properties.iter().map(|result| {
        let subject = judgement.subjects.get(result.subject);
        let covered = match (result.reason, result.assurance) {
            (Some(why), _) => plain_words::reason(why),
            (None, Some(level)) => plain_words::assurance(level),
            (None, None) => "",
        };
        vec![
            subject.map_or(String::new(), |s| s.kernel.clone()),
            result.kind.name().to_owned(),
            plain_words::verdict(result.verdict).0.to_owned(),
            covered.to_owned(),
            result.explanation.clone(),
        ]
    });
    Table {
        title: "What was established".to_owned(),
        head: ["kernel", "property", "verdict", "for", "why"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        verdicts: 2,
    }
}

fn lists(judgement: &Judgement) -> Vec<List> {
    let conditions = judgement.conditions.iter().map(|condition| {
        let (kind, message) = (condition.defect.kind.name(), &condition.defect.message);
        format!("{}: {kind}: {message}", condition.launch)
    });
    let not_judged = judgement.not_judged.iter().map(ToString::to_string);
    let launches = judgement.subjects.iter().map(|subject| {
        let launch = &subject.launch;
        let dims = |name: &str, dims: Option<[u32; 3]>| {
            dims.map(|dims| format!(", {name} {}", extents(dims)))
                .unwrap_or_default()
        };
        let args: Vec<String> = launch
            .args
            .iter()
            .map(|(n, v)| format!(", {n} = {v}"))
            .collect();
        let given = format!(
            "{}{}{}",
            dims("grid", launch.grid),
            dims("block", launch.block),
            args.concat()
        );
        let given = if given.is_empty() {
            let shared = launch
                .shared
                .map(|bytes| format!(" with {bytes} bytes of dynamic shared memory"));
            format!(", every launch{}", shared.unwrap_or_default())
        } else {
            given
        };
        format!("{}{given}; inputs: {}", subject.kernel, subject.inputs)
    });
    let all = [
        ("What was judged", launches.collect()),
        (
            "At other launches or arguments",
            conditions.collect::<Vec<_>>(),
        ),
        ("Assumptions", judgement.assumptions.texts()),
        ("Not judged", not_judged.collect()),
        ("Remarks", judgement.remarks.texts()),
        ("Limits reached", judgement.limits_hit.clone()),
    ];
    let lists = all.into_iter().filter(|(_, items)| !items.is_empty());
    let list = |(title, items): (&str, Vec<String>)| List {
        title: title.to_owned(),
        items,
        is_text: false,
    };
    lists.map(list).collect()
}

/// The page of a pipeline: its steps, the changes they made, and the schedules of what is refuted.
pub fn of_pipeline(report: &PipelineReport, sources: &mut Sources) -> Page {
    let word = if report.as_expected {
        "as expected"
    } else {
        "not as expected"
    };
    let mut runs: Vec<Run> = Vec::new();
    for step in &report.steps {
        let parse = &mut |_: &str| ParseOptions::default();
        for (defect, followed) in step.defects.iter().zip(self::runs(&step.defects, parse)) {
            if runs.len() < MOST_RUNS {
                let run = followed.run.unwrap_or_else(|| Run::of_defect(defect));
                runs.push(run.showing(&format!("{} under {}", step.name, step.profile), defect));
            }
        }
    }
    let about = vec![report.story.trim().to_owned()];
    let mut page = Page::new(
        format!("{}: {word}", report.name),
        about,
        runs,
        None,
        sources,
    );
    let steps = report.steps.iter().map(|step| {
        let covered = step.assurance.map_or("", plain_words::assurance);
        vec![
            step.name.clone(),
            step.profile.clone(),
            plain_words::verdict(step.verdict).0.to_owned(),
            step.expected.clone(),
            if step.agrees { "yes" } else { "no" }.to_owned(),
            match covered.is_empty() {
                true => step.explanation.clone(),
                false => format!("{covered}: {}", step.explanation),
            },
        ]
    });
    let head = [
        "step",
        "profile",
        "verdict",
        "expected",
        "as expected",
        "what was established",
    ];
    page.tables.push(Table {
        title: "Steps".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: steps.collect(),
        verdicts: 2,
    });
    if !report.runs.is_empty() {
        let runs = report.runs.iter().map(|run| {
            let compared = match run.compared() {
                Compared::Agree => "agree",
                Compared::Differ => "differ",
                Compared::Nothing => "not compared",
            };
            vec![
                run.device.clone(),
                run.case.clone(),
                compared.to_owned(),
                run.message.clone(),
            ]
        });
        page.tables.push(Table {
            title: "Runs on devices".to_owned(),
            head: ["device", "case", "cells", "what was seen"]
                .map(str::to_owned)
                .to_vec(),
            rows: runs.collect(),
            verdicts: 2,
        });
    }
    let changed = report.steps.iter().filter(|step| !step.diff.is_empty());
    page.lists.extend(changed.map(|step| List {
        title: format!("What {} changed", step.name),
        items: vec![step.diff.clone()],
        is_text: true,
    }));
    page
}

/// The page of a suite: a line for each file and profile, those that disagree first.
pub fn of_suite(rows: &[Row], title: &str, about: Vec<String>, sources: &mut Sources) -> Page {
    let mut page = Page::new(title.to_owned(), about, Vec::new(), None, sources);
    let table = |title: String, agrees: bool| {
        let shown = rows.iter().filter(|row| row.agrees == agrees);
        let rows: Vec<Vec<String>> = shown
            .map(|row| {
                vec![
                    row.file.clone(),
                    row.profile.clone(),
                    row.verdict.clone(),
                    row.kind.clone(),
                    row.expected.clone(),
                    row.disagreement.clone(),
                    format!("{:.2}", row.seconds),
                ]
            })
            .collect();
        let head = [
            "file", "profile", "verdict", "kind", "expected", "why not", "seconds",
        ];
        (!rows.is_empty()).then(|| Table {
            title,
            head: head.map(str::to_owned).to_vec(),
            rows,
            verdicts: 2,
        })
    };
    page.tables
        .extend(table("Not as expected".to_owned(), false));
    page.tables.extend(table("As expected".to_owned(), true));
    page
}

/// One page of the pages of several files; `table` says what became of each.
pub fn together(title: &str, about: Vec<String>, table: Table, pages: &[Value]) -> Value {
    let mut all = json!({
        "title": title,
        "about": about,
        "tables": [table],
        "lists": [],
        "runs": [],
        "graph": null,
        "files": [],
    });
    for field in ["tables", "runs", "files"] {
        let parts = pages.iter().filter_map(|page| page[field].as_array());
        let mut parts: Vec<Value> = parts.flatten().cloned().collect();
        parts.truncate(MOST_PARTS);
        if let Some(list) = all[field].as_array_mut() {
            list.extend(parts);
        }
    }
    all
}

/// The schedules of a defect, as far as they could be followed.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// Of the program that has it; where two were compared, of the new one.
    pub run: Option<Run>,
    /// Of the old one.
    pub original: Option<Run>,
}

/// The schedules of defects, each followed on its program; `None` where there is no witness, or it cannot be
/// followed. `parse` says how the program of a file is read.
pub fn runs(defects: &[Defect], parse: &mut dyn FnMut(&str) -> ParseOptions) -> Vec<Followed> {
    let mut programs: HashMap<String, Option<Program>> = HashMap::new();
    let mut run = |witness: &Witness| {
        let read = || {
            let parsed =
                crate::input::source::parse(Path::new(&witness.file), &parse(&witness.file));
            parsed.ok().map(|parsed| parsed.program)
        };
        let program = match &witness.program {
            Some(program) => program,
            None => programs
                .entry(witness.file.clone())
                .or_insert_with(read)
                .as_ref()?,
        };
        let replay = replay::replay(witness, program).ok()?;
        Some(Run::new(
            &Timeline::new(witness, &replay, false),
            String::new(),
        ))
    };
    let shown = defects.iter().take(MOST_RUNS);
    shown
        .map(|defect| Followed {
            run: defect.witness.as_ref().and_then(&mut run),
            original: defect.original.as_ref().and_then(&mut run),
        })
        .collect()
}

fn run_of(defect: &Defect, program: &Program, command: String) -> Option<Run> {
    let witness = defect.witness.as_ref()?;
    let replay = replay::replay(witness, program).ok()?;
    let timeline = Timeline::new(witness, &replay, false);
    Some(Run::new(&timeline, command))
}
