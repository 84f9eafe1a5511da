//! The library of transformations T1 to T13, each by rule files alone: pipelines of
//! `tests/transformations` with the verdict of each step under each profile, and mutants that are
//! refuted. `docs/transformations.md` is what comes out, with the targets behind (`targets.rs`).

use crate::published;

use crate::labelled::{assert_table, launch_text};
use gridlock::pipeline::report::{PipelineReport, StepReport};
use gridlock::pipeline::{self, PipelineOptions};
use gridlock::words::plain_words;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::witness::Witness;
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::setup::Arg;
use gridlock_transforms::RuleSystem;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const TITLES: [&str; 13] = [
    "from a loop to a kernel and host code",
    "host code moves",
    "loops inside sequential loops",
    "from global to shared memory",
    "tree sum: contiguous threads",
    "tree sum: shrinking distance",
    "tree sum: the first addition while loading",
    "tree sum: the last warp unrolled",
    "matrix product",
    "loops",
    "barriers",
    "kernels, copies, private variables",
    "loops in chunks",
];

const HEAD: &str = "\
# The library of transformations

Every step below is one application of a rule system of `transforms/rules/`, by `gridlock verify` on a pipeline of
`tests/transformations/`; no procedure is written for an example. *proved*: with the arguments of its cases the new program has
no defect and the outcomes of the original in every schedule of all inputs; *passed*: of the inputs tried; *refuted*: a witness replays. A mutant is the system
with a condition dropped or a detail wrong. Its counterexample's size: launch (blocks x threads) or arguments of the
host procedure, cells of its inputs, transitions of the schedule that shows the defect (*the canonical schedule*: thread after thread, to the end).

Written by `INSTA_UPDATE=always cargo test --test gridlock targets::`, then `transformations::`.
";

/// Systems and mutants that have no step here, and where they are judged.
const ELSEWHERE: [&str; 2] = [
    // Up and down again is the identity: `tests/gridlock/rules.rs`.
    "coordinates",
    // Helper terms that `parallelise-loop` and `parallelise-nest` leave.
    "device-copies",
];

/// A published bug is to be found in this time.
const MOST_SECONDS: f64 = 10.0;

fn pipelines() -> Vec<PathBuf> {
    let found = std::fs::read_dir("tests/transformations").unwrap();
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    paths
}

/// `T4` of `T04-shift.toml`.
fn number(path: &Path) -> usize {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name[1..3].parse().unwrap()
}

#[test]
fn every_transformation_with_its_verdicts_and_its_mutants() {
    let options = PipelineOptions {
        keep_going: true,
        ..PipelineOptions::default()
    };
    let run = |path: PathBuf| {
        let report = pipeline::verify(&path, &options);
        (path, report.map_err(|error| error.message))
    };
    let run: Vec<(PathBuf, _)> = pipelines().into_par_iter().map(run).collect();
    let failed = run.iter().filter(|(_, report)| report.is_err());
    let failed: Vec<String> = failed
        .map(|(path, report)| format!("{}: {:?}", path.display(), report.as_ref().err()))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let reports: Vec<(PathBuf, PipelineReport)> = run
        .into_iter()
        .filter_map(|(path, report)| Some((path, report.ok()?)))
        .collect();
    let steps = || {
        reports
            .iter()
            .flat_map(|(path, r)| r.steps.iter().map(move |s| (path, s)))
    };
    let wrong: Vec<String> = steps()
        .filter(|(_, step)| !step.agrees)
        .map(|(path, step)| {
            format!(
                "{}: {} under {}: expected {}, got {:?} {:?} {}",
                path.display(),
                step.name,
                step.profile,
                step.expected,
                step.verdict,
                step.defects
                    .iter()
                    .map(|d| d.kind.name())
                    .collect::<Vec<_>>(),
                step.explanation
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (path, step) in steps() {
        let slow = step.name.starts_with("tilelang") && step.seconds > MOST_SECONDS;
        assert!(!slow, "{}: {} s", path.display(), step.seconds);
    }
    let mut text = format!("{HEAD}\n{}", published::table(&reports));
    for (title, number) in TITLES.iter().zip(1..) {
        let own: Vec<&PipelineReport> = reports
            .iter()
            .filter(|(path, _)| self::number(path) == number)
            .map(|(_, report)| report)
            .collect();
        let _ = write!(text, "\n## T{number}: {title}\n\n{}", section(&own));
    }
    let targets = std::fs::read_to_string("tests/targets/table.md").unwrap();
    let _ = write!(text, "\n{targets}");
    assert_table("docs/transformations.md", &text);
}

/// No system of the library without a step, and no transformation without a mutant.
#[test]
fn every_system_has_a_step() {
    let mut used = BTreeSet::new();
    let mut mutants: BTreeMap<usize, usize> = BTreeMap::new();
    for path in pipelines() {
        let file = pipeline::format::PipelineFile::load(&path).unwrap();
        for step in file.steps {
            *mutants.entry(number(&path)).or_default() +=
                usize::from(step.rewriting.rules.starts_with("mutants/"));
            used.insert(step.rewriting.rules);
        }
    }
    let idle: Vec<&str> = RuleSystem::built_in_names()
        .filter(|name| !used.contains(*name) && !ELSEWHERE.contains(name))
        .collect();
    assert!(idle.is_empty(), "no step with {idle:?}");
    for number in 1..=TITLES.len() {
        let n_mutants = mutants.get(&number).copied().unwrap_or_default();
        assert!(n_mutants > 0, "T{number} has no mutant");
    }
}

fn section(reports: &[&PipelineReport]) -> String {
    let mut text = String::new();
    let right = |step: &&StepReport| !step.rules.starts_with("mutants/");
    let _ = writeln!(text, "| example | step | rules | verdicts | assumes |");
    let _ = writeln!(text, "|---|---|---|---|---|");
    for report in reports {
        let mut last = String::new();
        for step in report.steps.iter().filter(right) {
            if step.name == last {
                continue;
            }
            last.clone_from(&step.name);
            let same = report.steps.iter().filter(|s| s.name == step.name);
            let verdicts: Vec<String> = same.map(verdict).collect();
            let _ = writeln!(
                text,
                "| {} | {} | `{}` | {} | {} |",
                source(report),
                step.name,
                step.rules,
                verdicts.join("; "),
                assumed(step)
            );
        }
    }
    let _ = writeln!(
        text,
        "\n| example | mutant | rules | refuted under | counterexample |"
    );
    let _ = writeln!(text, "|---|---|---|---|---|");
    for report in reports {
        let refuted = |step: &&StepReport| !right(step) && step.verdict == Verdict::Refuted;
        for step in report.steps.iter().filter(refuted) {
            let shown = step.defects.first();
            let _ = writeln!(
                text,
                "| {} | {} | `{}` | {}: {} | {} |",
                source(report),
                step.name,
                step.rules,
                step.profile,
                shown.map_or("", |d| d.kind.name()),
                shown.map_or_else(String::new, counterexample)
            );
        }
    }
    text
}

fn source(report: &PipelineReport) -> String {
    let stem = Path::new(&report.file).file_stem().unwrap();
    format!("`{}`", stem.to_string_lossy())
}

fn verdict(step: &StepReport) -> String {
    let verdict = plain_words::verdict(step.verdict).0;
    let profile = &step.profile;
    match step.verdict {
        Verdict::Refuted => {
            let kind = step.defects.first().map_or("", |d| d.kind.name());
            format!("{profile}: {verdict} ({kind})")
        }
        Verdict::Unknown => {
            let reason = step.reason.map_or("", plain_words::reason_name);
            format!("{profile}: {verdict} ({reason})")
        }
        _ => format!("{profile}: {verdict}"),
    }
}

fn assumed(step: &StepReport) -> String {
    let texts = step.assumptions.iter().map(|assumption| {
        let said = match assumption {
            Assumption::RuleCondition { condition, .. } => condition.clone(),
            other => other.to_string(),
        };
        said.replace('|', "\\|")
    });
    let texts: Vec<String> = texts.collect();
    match texts.is_empty() {
        true => "nothing".to_owned(),
        false => texts.join("; "),
    }
}

fn counterexample(defect: &Defect) -> String {
    let Some(witness) = &defect.witness else {
        return "none".to_owned();
    };
    let steps: u32 = witness.schedule.iter().map(|s| s.steps).sum();
    let cells: u64 = witness.setup.arrays.iter().filter_map(|a| a.extent).sum();
    let schedule = match steps {
        0 => "the canonical schedule".to_owned(),
        n => format!("{n} transitions"),
    };
    format!("{}, {cells} cells, {schedule}", started(witness))
}

/// The launch, or the arguments of a host procedure.
fn started(witness: &Witness) -> String {
    if witness.setup.launch.is_some() {
        return launch_text(witness.setup.launch);
    }
    let scalars = witness.setup.args.iter().filter_map(|arg| match arg {
        Arg::Scalar(value) => value.as_integer(),
        Arg::Array(_) | Arg::Null => None,
    });
    let texts: Vec<String> = scalars.map(|n| n.to_string()).collect();
    format!("arguments {}", texts.join(", "))
}
