//! What a kernel leaves at a launch, as formulas over its inputs.

use crate::input::error::InputError;
use crate::input::request::{EntryRequest, ExtentFactor, Request};
use crate::judge::pointer_premises::Entry;
use crate::subject::closed::{Closed, closed};
use crate::subject::premises::{features, has_floats};
use crate::subject::unknown_inputs::unknowns;
use gridlock_checker::report::Subject;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::statements::Statements;
use gridlock_frontend::ParseOptions;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::Safety;
use gridlock_proofs::equivalence::{Side, Unknowns};
use gridlock_proofs::summary::{ArraySummary, SummaryRequest, summary};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::print::expr_as_written;
use gridlock_semantics::setup::{Arg, Setup};
use serde::Serialize;
use std::path::Path;

/// Operators by one thread each.
const MOST_STEPS: u64 = 50_000_000;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Summarised {
    /// The arrays that are written, with what they hold then.
    pub arrays: Vec<ArraySummary>,
    /// Why it may be otherwise for some input or schedule; `None`: it never is.
    pub open: Option<String>,
    /// Names of the arguments that nobody gave, which formulas speak of.
    pub unknown: Vec<String>,
    /// Names of those that nobody gave, and of which it is said for the number that the tool chose: for all numbers at
    /// once the run does not go through.
    pub chosen: Vec<String>,
    /// Names of everything that a formula may speak of, which its own variables are not called.
    pub names: Vec<String>,
    /// What the kernel itself requires: it is said of inputs that meet that.
    pub required: Vec<Required>,
    /// Whether nobody gave the launch.
    pub launch_is_chosen: bool,
    /// Under which that holds.
    pub assumptions: Statements<Assumption>,
    /// What was not looked at.
    pub not_judged: Statements<NotJudged>,
}

/// What a kernel requires of its inputs: `__requires(n == 8)`.
#[derive(Clone, Debug, Serialize)]
pub struct Required {
    /// The line of the statement, from 1.
    pub line: u32,
    /// In the source's names.
    pub condition: String,
}

/// Reads a file and summarises its entry, and says what that is. Without a launch, option or header, it is that of
/// [`closed`].
///
/// # Errors
/// As [`closed`] and [`summarise`].
pub fn of_file(
    file: &Path,
    parse: &ParseOptions,
    entry: &EntryRequest,
    request: &Request,
) -> Result<(Summarised, Subject), InputError> {
    let closed = closed(file, parse, entry, request)?;
    let summarised = summarise(&closed, request)?;
    let mut subject = closed.subject;
    subject.inputs = "all".to_owned();
    let args = &mut subject.launch.args;
    args.retain(|name, _| !summarised.unknown.contains(name));
    Ok((summarised, subject))
}

/// Runs a kernel on unknown inputs.
///
/// # Errors
/// A host function; an extent that hangs on an argument that was not given; contents that are unset or null pointers.
pub fn summarise(closed: &Closed, request: &Request) -> Result<Summarised, InputError> {
    let Closed {
        prepared,
        point,
        setup,
        ..
    } = closed;
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    let name = |var: &VarId| &procedure.vars[var.0 as usize].name;
    if procedure.kind != ProcKind::Kernel {
        return Err(InputError::usage(format!(
            "`{}` is no kernel: what host code leaves is not summarised",
            procedure.name
        )));
    }
    let is_given = |argument: &String| point.scalars.keys().any(|var| **name(var) == **argument);
    for (array, extent) in &point.extents {
        for factor in &extent.0 {
            if let ExtentFactor::Parameter(argument) = factor
                && !is_given(argument)
            {
                let array = name(array);
                return Err(InputError::usage(format!(
                    "the extent of `{array}` hangs on `{argument}`, which is not given: --arg {argument}=…"
                )));
            }
        }
    }
    if point.has_unset_contents() || !point.nulls.is_empty() {
        return Err(InputError::usage(
            "contents that are unset and null pointers are not summarised",
        ));
    }
    let mut assumptions = closed.assumptions.clone();
    if has_floats(program) {
        assumptions.note(Assumption::FloatsAsWritten {});
    }
    if setup.arrays.len() + setup.declared.len() > 1 {
        let kernel = procedure.name.to_string();
        assumptions.note(Assumption::NoAliasing { kernel });
    }
    let mut not_judged = Statements::default();
    let entry = Entry {
        subject: 0,
        program,
        point,
    };
    entry.note_not_null(&mut assumptions);
    entry.note_open_bounds(&mut not_judged, |var| point.extents.contains_key(&var));
    if let Some(gap) = closed.printed.clone() {
        not_judged.note(NotJudged {
            subject: 0,
            gap,
            place: None,
        });
    }
    let mut unknowns = unknowns(program, point, setup);
    let there_is = request.limits.seconds / 2.0;
    let asked = SummaryRequest {
        profile: &request.profile,
        budget: Budget::of_seconds(there_is),
        timeout: Budget::patience(there_is, there_is),
        steps: MOST_STEPS,
    };
    let attempt = |unknowns: &Unknowns| {
        let side = Side {
            program,
            setup,
            unknowns,
        };
        match summary(side, &asked) {
            Ok(summary) => (summary.arrays, open(summary.safety)),
            Err(safety) => (Vec::new(), open(safety)),
        }
    };
    let open_scalars = |unknowns: &Unknowns| unknowns.scalars.iter().flatten().cloned().collect();
    let mut unknown: Vec<String> = open_scalars(&unknowns);
    let mut chosen = Vec::new();
    let (mut arrays, mut open) = attempt(&unknowns);
    let of_integers = fixed_integers(setup, &mut unknowns);
    if open.is_some() && !of_integers.is_empty() {
        let (with_chosen, open_then) = attempt(&unknowns);
        if open_then.is_none() {
            (arrays, open) = (with_chosen, None);
            (unknown, chosen) = (open_scalars(&unknowns), of_integers);
        }
    }
    Ok(Summarised {
        arrays,
        open,
        unknown,
        chosen,
        names: names(program, procedure),
        required: required(program, point.proc),
        launch_is_chosen: closed.launch_is_chosen,
        assumptions,
        not_judged,
    })
}

/// Of the arguments of a kernel, and of the arrays that it could name.
fn names(program: &Program, kernel: &Procedure) -> Vec<String> {
    let arguments = kernel
        .params
        .iter()
        .map(|var| &kernel.vars[var.0 as usize].name);
    let arrays = program.arrays.iter().map(|array| &array.name);
    arguments.chain(arrays).map(ToString::to_string).collect()
}

/// What is required in the procedures that a kernel comes to, line by line.
fn required(program: &Program, kernel: ProcId) -> Vec<Required> {
    let mut found = Vec::new();
    for proc in features(program, kernel).reachable {
        program.proc(proc).body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Assume { cond }) = &op.kind {
                found.push(Required {
                    line: op.span.line,
                    condition: program.in_source_names(&expr_as_written(program, proc, cond)),
                });
            }
        });
    }
    found.sort_by_key(|required| required.line);
    found
}

/// Takes integers among the arguments for those of the setup; which were unknown.
fn fixed_integers(setup: &Setup, unknowns: &mut Unknowns) -> Vec<String> {
    let args = setup.args.iter().zip(&mut unknowns.scalars);
    let integers =
        args.filter(|(arg, _)| matches!(arg, Arg::Scalar(Value::Int(..) | Value::Bool(_))));
    integers.filter_map(|(_, unknown)| unknown.take()).collect()
}

/// Why it may be otherwise.
fn open(safety: Safety) -> Option<String> {
    match safety {
        Safety::Safe => None,
        Safety::Suspected { why, .. } | Safety::Open { why, cut: None } => Some(why),
        Safety::Open {
            why,
            cut: Some(cut),
        } => Some(format!("{why} ({cut})")),
    }
}
