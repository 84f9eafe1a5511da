//! One step of a pipeline: rewriting by rules, and the judgement against the last program
//! accepted under the profile.

use super::format::{Expectation, PipelineFile, Step};
use super::oracle::SolverOracle;
use super::report::StepReport;
use super::stage::{Stage, texts};
use crate::input::error::InputError;
use crate::input::profiles;
use crate::input::request::{EntryRequest, ExtentSpec, LaunchSpec, Request, parse_sampling};
use crate::judge::equivalence::{self, Compared, EquivOptions, output};
use crate::pipeline::rewriting::{of_a_rule, rule_system};
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::finding::Statistics;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Reason, Verdict};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::reached::reached;
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_transforms::analysis::Oracle;
use gridlock_transforms::rewriting::apply;
use gridlock_transforms::rewriting::record::{self, TransformError};
use std::path::Path;
use std::time::Instant;

pub(super) struct Derived {
    pub stage: Stage,
    pub applied: Vec<String>,
    /// Where that was, in the source.
    pub places: Vec<Span>,
    pub assumptions: Statements<Assumption>,
    pub diff: String,
}

/// Why a step makes no program.
pub(super) enum NotDerived {
    /// Nothing matches, a condition does not hold, or the fuel ran out.
    Inapplicable(String),
    /// What was asked for cannot be.
    Wrong(InputError),
}

impl From<InputError> for NotDerived {
    fn from(error: InputError) -> NotDerived {
        NotDerived::Wrong(error)
    }
}

/// Applies a step's rules to the program of `from`.
pub(super) fn derive(step: &Step, from: &Stage, folder: &Path) -> Result<Derived, InputError> {
    try_derive(step, from, folder, &SolverOracle::default()).map_err(|why| match why {
        NotDerived::Inapplicable(why) => InputError::usage(why),
        NotDerived::Wrong(error) => error,
    })
}

/// As [`derive`], with rules that do not apply told from what is wrong.
pub(super) fn try_derive(
    step: &Step,
    from: &Stage,
    folder: &Path,
    oracle: &dyn Oracle,
) -> Result<Derived, NotDerived> {
    let system = rule_system(&step.rewriting.rules, folder)?;
    let request = record::Request {
        strategy: step.rewriting.strategy.clone(),
        params: texts(&step.rewriting.params),
        procedure: step.rewriting.procedure.clone(),
        ..record::Request::default()
    };
    let program = &from.prepared.surface;
    let failed = |error: TransformError| {
        InputError::usage(format!(
            "step `{}`, rules `{}`: {error}",
            step.name, step.rewriting.rules
        ))
    };
    let derivation = apply::apply(program, &system, &request, oracle).map_err(failed)?;
    if derivation.applications.is_empty() {
        let why = derivation.refusals.first().map_or_else(
            || "no rule matches the program".to_owned(),
            |refusal| {
                format!(
                    "rule `{}` matches on line {} but its condition `{}` {}",
                    refusal.rule,
                    refusal.span.line,
                    refusal.condition,
                    if refusal.unknown {
                        "could not be decided"
                    } else {
                        "does not hold"
                    }
                )
            },
        );
        return Err(NotDerived::Inapplicable(format!(
            "step `{}` changes nothing: {why}",
            step.name
        )));
    }
    if !derivation.normal {
        return Err(NotDerived::Inapplicable(format!(
            "step `{}`: the rules did not come to an end within the fuel",
            step.name
        )));
    }
    let entry = step
        .rewriting
        .entry
        .clone()
        .unwrap_or_else(|| from.entry.clone());
    if derivation.program.find_proc(&entry).is_none() {
        let why = format!("step `{}`: the new program has no `{entry}`", step.name);
        return Err(InputError::usage(why).into());
    }
    if derivation.program == **program {
        return Err(NotDerived::Inapplicable(format!(
            "step `{}` changes nothing: what its rules put in place is what was there",
            step.name
        )));
    }
    let old_text = print::program(program, PrintOptions::default());
    let new_text = print::program(&derivation.program, PrintOptions::default());
    let applied = derivation.applications.iter().map(|a| {
        if a.span.is_none() {
            format!("{} in {}", a.rule, a.procedure)
        } else {
            format!("{} in {}, line {}", a.rule, a.procedure, a.span.line)
        }
    });
    Ok(Derived {
        applied: applied.collect(),
        places: derivation.applications.iter().map(|a| a.span).collect(),
        assumptions: derivation.assumptions.iter().map(of_a_rule).collect(),
        diff: unified_diff(&old_text, &new_text),
        stage: Stage {
            name: step.name.clone(),
            from: None,
            entry,
            launch: step
                .rewriting
                .launch
                .clone()
                .or_else(|| from.launch.clone()),
            observe: step.rewriting.observe.clone(),
            cases: step.cases.clone(),
            accepted: Vec::new(),
            // Rules know nothing of output: what the source printed is not in its program.
            not_judged: None,
            prepared: Prepared::new(derivation.program),
        },
    })
}

fn unified_diff(old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(2).to_string()
}

pub(super) fn is_accepted(verdict: Verdict) -> bool {
    verdict >= Verdict::Passed
}

/// The stage a new one is judged against under a profile: its nearest ancestor accepted there, on all the cases that
/// the new one is judged on.
fn reference(stages: &[Stage], new: usize, profile: &str, cases: &[&str]) -> usize {
    let is_judged_on = |stage: &Stage, case: &str| {
        let own = stage.cases.as_ref();
        own.is_none_or(|own| own.iter().any(|name| name == case))
    };
    let is_accepted = |stage: &Stage| {
        stage.accepted.iter().any(|p| p == profile)
            && cases.iter().all(|case| is_judged_on(stage, case))
    };
    let mut at = stages[new].from.unwrap_or(0);
    while at != 0 && !is_accepted(&stages[at]) {
        at = stages[at].from.unwrap_or(0);
    }
    at
}

/// The observation map from `new` back to `old`: that of the one step between them. Steps in
/// between that were not accepted must not have changed shapes.
fn relations(stages: &[Stage], new: usize, old: usize) -> Result<Vec<String>, InputError> {
    let mut found: Vec<String> = Vec::new();
    let mut at = new;
    while at != old {
        let stage = &stages[at];
        if !stage.observe.is_empty() {
            if !found.is_empty() {
                return Err(InputError::usage(format!(
                    "step `{}` is judged across two observation maps; give it a `from` whose \
                     program was accepted",
                    stages[new].name
                )));
            }
            found = stage.observe.clone();
        }
        at = stage.from.unwrap_or(old);
    }
    Ok(found)
}

/// Judges stage `new` under the profile of an expectation, over all cases of the step.
pub(super) fn judge(
    file: &PipelineFile,
    step: &Step,
    stages: &[Stage],
    new: usize,
    expect: &Expectation,
    base: &Request,
) -> Result<StepReport, InputError> {
    let started = Instant::now();
    let profile = profiles::find(&expect.profile)?;
    let names = file.cases.iter().map(|case| case.name.as_str());
    let is_asked = |name: &&str| {
        let own = step.cases.as_ref();
        own.is_none_or(|own| own.iter().any(|case| case == name))
    };
    let cases: Vec<&str> = names.filter(is_asked).collect();
    let old = reference(stages, new, &expect.profile, &cases);
    let options = EquivOptions {
        observe: relations(stages, new, old)?,
        modulo: step.rewriting.modulo.clone(),
        tell_branches: true,
        ..EquivOptions::default()
    };
    let mut report = StepReport {
        name: step.name.clone(),
        from: stages[stages[new].from.unwrap_or(0)].name.clone(),
        rules: step.rewriting.rules.clone(),
        profile: expect.profile.clone(),
        expected: in_words(expect),
        verdict: Verdict::Proved,
        reason: None,
        assurance: Some(Assurance::AllInputsAllSizes),
        explanation: String::new(),
        against: stages[old].name.clone(),
        assumptions: Statements::default(),
        remarks: Statements::default(),
        not_judged: Statements::default(),
        defects: Vec::new(),
        statistics: Statistics::default(),
        agrees: false,
        seconds: 0.0,
        applied: Vec::new(),
        diff: String::new(),
    };
    match step.rewriting.modulo.as_deref() {
        None => {}
        Some("reals") => report.assumptions.note(Assumption::FloatsAreReals {}),
        Some(_) => report.assumptions.note(Assumption::FloatsReassociated {}),
    }
    let mut n_cases = 0;
    for case in &file.cases {
        if step
            .cases
            .as_ref()
            .is_some_and(|names| !names.contains(&case.name))
        {
            continue;
        }
        n_cases += 1;
        let request = Request {
            profile: profile.clone(),
            sampling: parse_sampling(&case.inputs)?,
            every_schedule: case.every_schedule,
            ..base.clone()
        };
        let side = |stage: &Stage| -> Result<EntryPoint, InputError> {
            point(
                stage,
                &texts(&case.args),
                &texts(&case.extents),
                &case.launch,
            )
        };
        let shown = |stage: &Stage| match stage.from {
            None => file.source.display().to_string(),
            Some(_) => format!("{} ({})", file.source.display(), stage.name),
        };
        let old_side = Compared {
            file: shown(&stages[old]),
            prepared: &stages[old].prepared,
            point: side(&stages[old])?,
        };
        let new_side = Compared {
            file: shown(&stages[new]),
            prepared: &stages[new].prepared,
            point: side(&stages[new])?,
        };
        let judgement = equivalence::compare(&old_side, &new_side, &request, &options)?;
        report.remarks.extend(judgement.remarks);
        report.assumptions.extend(judgement.assumptions);
        report.not_judged.extend(judgement.not_judged);
        report.statistics += judgement.statistics;
        let explanations = judgement.properties.iter().map(|p| p.explanation.clone());
        let explanation = explanations.collect::<Vec<_>>().join("; ");
        let named = match case.name.as_str() {
            "" => explanation,
            name => format!("{name}: {explanation}"),
        };
        if judgement.verdict < report.verdict {
            report.verdict = judgement.verdict;
            report.reason = judgement.reason;
            report.explanation = named;
        } else if judgement.verdict == report.verdict {
            report.explanation = match report.explanation.as_str() {
                "" => named,
                before => format!("{before}; {named}"),
            };
        }
        report.assurance = report.assurance.min(judgement.assurance);
        report.defects.extend(judgement.defects);
        if report.verdict == Verdict::Refuted {
            break;
        }
    }
    if n_cases == 0 {
        report.verdict = Verdict::Unknown;
        report.reason = Some(Reason::Vacuous);
        report.explanation = "no case to judge on".to_owned();
    }
    report.not_judged.extend(stages[0].not_judged.clone());
    let prints = stages[0].not_judged.is_some() && !file.ignore_output;
    let printed = prints.then(|| output::may_differ("ignore-output = true"));
    if report.verdict >= Verdict::Passed
        && let Some(why) = not_judged(&stages[old], &stages[new]).or(printed)
    {
        report.verdict = Verdict::Unknown;
        report.reason = Some(Reason::NotAttempted);
        report.assurance = None;
        report.explanation = why;
    }
    report.agrees = meets(expect, report.verdict, &report.defects, &report.remarks);
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Procedures in which two stages differ and that neither entry comes to: what was compared says nothing of them.
fn not_judged(old: &Stage, new: &Stage) -> Option<String> {
    let is_reached = |stage: &Stage, id: ProcId| {
        let program = &stage.prepared.surface;
        let entry = program.find_proc(&stage.entry);
        entry.is_some_and(|entry| reached(program, entry).contains(&id))
    };
    let text = |stage: &Stage, id: ProcId| {
        print::procedure(&stage.prepared.surface, id, PrintOptions::default())
    };
    let mut unseen = Vec::new();
    for (number, procedure) in new.prepared.surface.procs.iter().enumerate() {
        let id = ProcId(number as u32);
        let before = old.prepared.surface.find_proc(&procedure.name);
        let is_changed = before.is_none_or(|before| text(old, before) != text(new, id));
        let was_reached = before.is_some_and(|before| is_reached(old, before));
        if is_changed && !was_reached && !is_reached(new, id) {
            unseen.push(format!("`{}`", procedure.name));
        }
    }
    (!unseen.is_empty()).then(|| {
        format!(
            "the step changes {}, which `{}` never comes to, so that nothing was compared of it: name it as \
             the `entry`",
            unseen.join(" and "),
            new.entry
        )
    })
}

/// The entry of a stage with what a case fixes; arguments and extents the entry does not have are
/// left out (a rule may have removed a parameter).
pub(super) fn point(
    stage: &Stage,
    args: &std::collections::BTreeMap<String, String>,
    extents: &std::collections::BTreeMap<String, String>,
    launch: &LaunchSpec,
) -> Result<EntryPoint, InputError> {
    let program = &stage.prepared.surface;
    let proc = program.find_proc(&stage.entry).ok_or_else(|| {
        InputError::usage(format!(
            "`{}` has no procedure `{}`",
            stage.name, stage.entry
        ))
    })?;
    let procedure = program.proc(proc);
    let has = |name: &String| {
        procedure
            .params
            .iter()
            .any(|v| *procedure.vars[v.0 as usize].name == **name)
    };
    let mut request = EntryRequest {
        entry: Some(stage.entry.clone()),
        launch: stage.launch.clone().unwrap_or_else(|| launch.clone()),
        ..EntryRequest::default()
    };
    request.args = args
        .iter()
        .filter(|(n, _)| has(n))
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    for (name, text) in extents.iter().filter(|(n, _)| has(n)) {
        request
            .extents
            .insert(name.clone(), ExtentSpec::parse(text)?);
    }
    subject::resolve_entry(program, proc, &request, None)
}

fn in_words(expect: &Expectation) -> String {
    match (&expect.verdict, &expect.kind) {
        (Some(verdict), Some(kind)) => format!("{verdict} ({kind})"),
        (Some(verdict), None) => verdict.clone(),
        (None, _) => format!(
            "at least {}",
            expect.at_least.as_deref().unwrap_or("proved")
        ),
    }
}

/// Whether a verdict is what was expected.
fn meets(
    expect: &Expectation,
    verdict: Verdict,
    defects: &[Defect],
    remarks: &Statements<Remark>,
) -> bool {
    let as_judged = match expect.verdict.as_deref() {
        Some("refuted") => {
            verdict == Verdict::Refuted
                && expect
                    .kind
                    .as_ref()
                    .is_none_or(|k| defects.iter().any(|d| d.kind.name() == k))
        }
        Some(_) => verdict == Verdict::Unknown,
        None => match expect.at_least.as_deref() {
            Some("passed") => verdict >= Verdict::Passed,
            _ => verdict == Verdict::Proved,
        },
    };
    as_judged
        && expect
            .remark
            .as_ref()
            .is_none_or(|text| remarks.texts().iter().any(|r| r.contains(text)))
}

/// A file name made of a step's name.
pub(super) fn slug(name: &str) -> String {
    let mapped = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    mapped.collect::<String>().to_ascii_lowercase()
}
