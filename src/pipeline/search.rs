//! Search: sequences of rewritings up to a depth, each judged against the program it rewrote, the
//! accepted ones ranked by what a run costs.

use super::folder;
use super::format::{Expectation, Move, PipelineFile, Search, Step, Weights};
use super::options::PipelineOptions;
use super::oracle::RememberingOracle;
use super::report::{Costs, Found, SearchReport};
use super::stage::{Stage, texts};
use super::step::{self, NotDerived};
use crate::input::error::InputError;
use crate::input::profiles;
use crate::input::request::{Request, parse_sampling};
use crate::subject;
use gridlock_checker::cost::{self, Cost};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::verdict::{Assurance, Verdict};
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_semantics::profile::Profile;
use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

/// Transitions of the one run that is counted, for each case.
const MOST_TRANSITIONS: u64 = 2_000_000;

/// A program that was accepted, as a place to go on from.
struct Node {
    stage: usize,
    steps: Vec<String>,
    verdict: Verdict,
    assurance: Option<Assurance>,
    assumptions: Statements<Assumption>,
    cost: Option<Costs>,
}

/// Breadth first, so that of two ways to a program the shorter is found. Gives the report and the stage of
/// the best program; every program accepted is among the stages afterwards.
///
/// # Errors
/// A move whose rules or parameters do not exist, or that names an entry the new program lacks.
pub(super) fn search(
    file: &PipelineFile,
    asked: &Search,
    stages: &mut Vec<Stage>,
    base: &Request,
    (options, place): (&PipelineOptions, &Path),
) -> Result<(SearchReport, Option<usize>), InputError> {
    let started = Instant::now();
    let profile = profiles::find(&asked.profile)?;
    let from = match &asked.from {
        Some(name) => stages.iter().position(|s| s.name == *name),
        None => stages
            .iter()
            .rposition(|s| s.is_accepted_under(&asked.profile)),
    };
    let root = Node {
        stage: from.unwrap_or(0),
        steps: Vec::new(),
        verdict: Verdict::Proved,
        assurance: Some(Assurance::AllInputsAllSizes),
        assumptions: Statements::default(),
        cost: costs(file, &stages[from.unwrap_or(0)], &profile, asked.cost)?,
    };
    let mut report = SearchReport {
        from: stages[root.stage].name.clone(),
        profile: asked.profile.clone(),
        depth: asked.depth,
        cost: root.cost,
        accepted: 0,
        refuted: 0,
        unknown: 0,
        seen_before: 0,
        inapplicable: 0,
        limit: None,
        found: Vec::new(),
    };
    let mut seen: HashSet<String> = [key(&stages[root.stage])].into_iter().collect();
    let mut found: Vec<Node> = vec![root];
    let oracle = RememberingOracle::default();
    let mut level = 0..1;
    'all: for _ in 0..asked.depth {
        let end = found.len();
        for at in level.clone() {
            for way in &asked.moves {
                let judged = report.accepted + report.refuted + report.unknown;
                if judged >= asked.programs as u64 {
                    report.limit = Some(format!("{} programs", asked.programs));
                    break 'all;
                }
                if started.elapsed().as_secs_f64() >= asked.seconds {
                    report.limit = Some(format!("{} seconds", asked.seconds));
                    break 'all;
                }
                let parent = found[at].stage;
                let step = as_step(way, &found[at].steps);
                let derived = match step::try_derive(&step, &stages[parent], place, &oracle) {
                    Ok(derived) => derived,
                    Err(NotDerived::Inapplicable(_)) => {
                        report.inapplicable += 1;
                        continue;
                    }
                    Err(NotDerived::Wrong(error)) => return Err(error),
                };
                let mut stage = derived.stage;
                stage.from = Some(parent);
                if !seen.insert(key(&stage)) {
                    report.seen_before += 1;
                    continue;
                }
                stages.push(stage);
                let new = stages.len() - 1;
                let expect = expectation(asked);
                let judged = step::judge(file, &step, stages, new, &expect, base)?;
                match judged.verdict {
                    _ if judged.agrees => report.accepted += 1,
                    Verdict::Refuted => report.refuted += 1,
                    _ => report.unknown += 1,
                }
                if !judged.agrees {
                    stages.pop();
                    continue;
                }
                stages[new].accepted.push(asked.profile.clone());
                let parent = &found[at];
                let assumed = derived.assumptions.into_iter().chain(judged.assumptions);
                let mut node = Node {
                    stage: new,
                    steps: parent.steps.iter().cloned().chain([way.label()]).collect(),
                    verdict: parent.verdict.min(judged.verdict),
                    assurance: parent.assurance.min(judged.assurance),
                    assumptions: parent.assumptions.clone(),
                    cost: costs(file, &stages[new], &profile, asked.cost)?,
                };
                node.assumptions.extend(assumed);
                found.push(node);
            }
        }
        level = end..found.len();
    }
    let mut accepted = found.split_off(1);
    accepted.sort_by_key(|n| (n.cost.map_or(u64::MAX, |c| c.total), n.steps.len()));
    let best = accepted.first().map(|node| node.stage);
    for (number, node) in accepted.into_iter().take(asked.keep).enumerate() {
        let name = format!("search-{}", number + 1);
        let file = match options.results() {
            Some(out) => Some(folder::write_program(out, &name, &stages[node.stage])?),
            None => None,
        };
        report.found.push(Found {
            steps: node.steps,
            verdict: node.verdict,
            assurance: node.assurance,
            assumptions: node.assumptions,
            cost: node.cost,
            file,
        });
    }
    Ok((report, best))
}

/// What tells programs apart: their text, and how they are started.
fn key(stage: &Stage) -> String {
    let text = print::program(&stage.prepared.surface, PrintOptions::default());
    format!("{} {:?}\n{text}", stage.entry, stage.launch)
}

fn as_step(way: &Move, before: &[String]) -> Step {
    let mut names = before.to_vec();
    names.push(way.label());
    Step {
        name: names.join("; "),
        from: None,
        rewriting: way.rewriting.clone(),
        cases: None,
        expectations: Vec::new(),
    }
}

fn expectation(asked: &Search) -> Expectation {
    Expectation {
        profile: asked.profile.clone(),
        at_least: Some(asked.at_least.clone()),
        verdict: None,
        kind: None,
        remark: None,
    }
}

/// Counts of one run with the first input of each case, added up.
fn costs(
    file: &PipelineFile,
    stage: &Stage,
    profile: &Profile,
    weights: Weights,
) -> Result<Option<Costs>, InputError> {
    let mut counts = Cost::default();
    for case in &file.cases {
        let (args, extents) = (texts(&case.args), texts(&case.extents));
        let point = step::point(stage, &args, &extents, &case.launch)?;
        let sampling = parse_sampling(&case.inputs)?;
        let program = &stage.prepared.surface;
        let setup = subject::sampled_setup(program, &point, point.launch, sampling, 0)?;
        let run = ExploredProgram::new(program, &setup, profile)
            .ok()
            .and_then(|system| cost::of_one_run(&system, MOST_TRANSITIONS));
        let Some(run) = run else {
            return Ok(None);
        };
        counts += run;
    }
    let total = [
        (counts.launches, weights.launches),
        (counts.barriers, weights.barriers),
        (counts.warp_barriers, weights.warp_barriers),
        (counts.global_accesses, weights.global_accesses),
        (counts.divergent_branches, weights.divergent_branches),
    ]
    .iter()
    .fold(0u64, |sum, (n, weight)| {
        sum.saturating_add(n.saturating_mul(*weight))
    });
    Ok(Some(Costs { counts, total }))
}
