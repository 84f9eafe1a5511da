//! Kernels whose launch the file's own host code gives: what is found at other launches.

use super::judged::append;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::{Condition, Established, Judgement};
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Arg;

/// Takes over what was established of a kernel beyond the launches of the host code: a proof as a
/// subject of its own, defects as conditions, anything else not at all.
pub(super) fn merge(judgement: &mut Judgement, mut beyond: Judgement, program: &Program) {
    let is_proved = beyond.verdict == Verdict::Proved;
    let defects = std::mem::take(&mut beyond.defects);
    beyond.conditions.clear();
    beyond.limits_hit.clear();
    if !is_proved {
        beyond.properties.clear();
        beyond.not_judged = Default::default();
        beyond.assumptions = Default::default();
        beyond.remarks = Default::default();
        if defects.is_empty() {
            beyond.subjects.clear();
        }
    }
    for defect in defects {
        add(&mut beyond, program, defect);
    }
    append(judgement, beyond);
}

/// Shows a defect of a property that is not judged, the first at each place: it ends runs, so that it is
/// why others are open.
pub(super) fn not_asked_about(judgement: &mut Judgement, program: &Program, defect: Defect) {
    let place = |d: &Defect| {
        let site = d.accesses.iter().chain(&d.threads).next();
        (d.subject, d.kind, site.map(|s| (s.line, s.column)))
    };
    let known = &judgement.conditions;
    if defect.kind.ends_run() && !known.iter().any(|c| place(&c.defect) == place(&defect)) {
        add(judgement, program, defect);
    }
}

fn add(judgement: &mut Judgement, program: &Program, defect: Defect) {
    let setup = defect.witness.as_ref().map(|w| &w.setup);
    judgement.conditions.push(Condition {
        subject: defect.subject,
        launch: setup.map_or(String::new(), |setup| in_words(program, setup)),
        source: None,
        requires: None,
        status: None,
        defect,
    });
}

/// Shows a defect that a condition excludes, if one is known.
pub(super) fn excluded(judgement: &mut Judgement, program: &Program, defect: Defect) {
    add(judgement, program, defect);
    if let Some(added) = judgement.conditions.last_mut() {
        let grade = &added.defect.grade;
        added.source = grade.only_if.clone();
        added.requires = grade.requires.clone();
        added.status = grade.only_if.as_ref().map(|_| match grade.only_if_proved {
            true => Established::Proved,
            false => Established::Tried,
        });
    }
}

/// `with grid (2,1,1), block (48,1,1) and n = 100`.
pub(super) fn in_words(program: &Program, setup: &gridlock_semantics::setup::Setup) -> String {
    let procedure = program.proc(setup.entry);
    let mut parts = Vec::new();
    if let Some(launch) = setup.launch {
        let triple = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
        parts.push(format!("grid {}", triple(launch.grid)));
        parts.push(format!("block {}", triple(launch.block)));
    }
    for (var, arg) in procedure.params.iter().zip(&setup.args) {
        if let Arg::Scalar(value) = arg {
            parts.push(format!("{} = {value}", procedure.vars[var.0 as usize].name));
        }
    }
    match parts.split_last() {
        None => String::new(),
        Some((only, [])) => format!("with {only}"),
        Some((last, others)) => format!("with {} and {last}", others.join(", ")),
    }
}
