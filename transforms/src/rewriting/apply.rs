//! What is asked of a transformation and what comes out.

use crate::analysis::Oracle;
use crate::building::builder::Parameters;
use crate::index::Index;
use crate::language::pattern::ParameterValue;
use crate::rewriting::missed::missed;
use crate::rewriting::record::{
    Application, Assumption, Manner, Missed, Refusal, Request, Step, TransformError, Tries,
};
use crate::rewriting::rewriter::{MOST_GROWTH, Rewriter, Stop};
use crate::rewriting::stack::deeply;
use crate::rules::RuleSystem;
use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::program::Program;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The outcome of a rewriting.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// What came of it; the given program where nothing was applied.
    pub program: Program,
    /// What was applied, in order.
    pub applications: Vec<Application>,
    /// False when the fuel ran out before the strategy was done.
    pub normal: bool,
    /// Of all applications, without repetition.
    pub assumptions: Vec<Assumption>,
    /// Why rules did not apply, first refusal of each rule and place.
    pub refusals: Vec<Refusal>,
    /// Loops that no rule matches, where nothing was applied.
    pub missed: Vec<Missed>,
    /// The applications one by one, where they were asked for.
    pub steps: Vec<Step>,
    /// How often rules were asked for and tried.
    pub tries: Tries,
}

/// Rewrites a program by a strategy of a rule system. A strategy that fails leaves the program as
/// it is: `applications` is then empty and `refusals` says why. `oracle` is asked what the
/// built-in analyses leave open.
pub fn apply(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    oracle: &dyn Oracle,
) -> Result<Derivation, TransformError> {
    apply_in(program, system, request, Manner::default(), oracle)
}

/// The same, in a given manner.
///
/// # Errors
/// As [`apply`].
pub fn apply_in(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    manner: Manner,
    oracle: &dyn Oracle,
) -> Result<Derivation, TransformError> {
    deeply(|| run(program, system, request, manner, oracle))?
}

fn run(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    manner: Manner,
    oracle: &dyn Oracle,
) -> Result<Derivation, TransformError> {
    let mut rewriter = begin(program, system, request, oracle)?;
    rewriter.keeps_steps = manner.keep_steps;
    rewriter.tries_all = manner.try_all;
    let name = request.strategy.as_deref().unwrap_or("main");
    let definitions = system.strategies();
    let definition = definitions
        .iter()
        .find(|d| d.name == name && d.params.is_empty());
    let Some(definition) = definition else {
        let known = definitions.iter().filter(|d| d.params.is_empty());
        let known: Vec<&str> = known.map(|d| d.name.as_str()).collect();
        return Err(TransformError::UnknownStrategy {
            name: name.to_owned(),
            known: known.join(", "),
        });
    };
    let path = match &request.procedure {
        None => vec![],
        Some(name) => match program.find_proc(name) {
            Some(proc) => vec![proc.0 as usize],
            None => return Err(TransformError::UnknownProcedure { name: name.clone() }),
        },
    };
    let normal = match rewriter.run(&definition.body, &path, &Rc::default()) {
        Ok(_) => true,
        Err(Stop::OutOfFuel) => false,
        Err(Stop::Error(error)) => return Err(error),
    };
    let mut derivation = end(rewriter, program, normal)?;
    let is_asked = |missed: &Missed| {
        request
            .procedure
            .as_ref()
            .is_none_or(|only| *only == missed.procedure)
    };
    derivation.missed.retain(is_asked);
    Ok(derivation)
}

/// A rewriter that has done nothing yet.
pub(crate) fn begin<'a>(
    program: &Program,
    system: &'a RuleSystem,
    request: &Request,
    oracle: &'a dyn Oracle,
) -> Result<Rewriter<'a>, TransformError> {
    let term = TermProgram::from_program(program);
    Ok(Rewriter {
        system,
        params: Rc::new(parameters(system, request)?),
        oracle,
        most_depth: term.root.depth() + MOST_GROWTH,
        program: term,
        applications: vec![],
        steps: vec![],
        refusals: vec![],
        fuel: request.fuel,
        depth: 0,
        index: Index::new(system),
        candidates: None,
        tries: Tries::default(),
        keeps_steps: false,
        tries_all: false,
    })
}

/// What a rewriter has made of `program`.
pub(crate) fn end(
    rewriter: Rewriter<'_>,
    program: &Program,
    normal: bool,
) -> Result<Derivation, TransformError> {
    let Rewriter {
        program: rewritten,
        applications,
        steps,
        refusals,
        tries,
        system,
        params,
        ..
    } = rewriter;
    let missed = match applications.is_empty() {
        true => missed(&rewritten, system, &params, &refusals),
        false => Vec::new(),
    };
    let program = if applications.is_empty() {
        program.clone()
    } else {
        finished(rewritten, program)?
    };
    let mut assumptions: Vec<Assumption> = Vec::new();
    for assumption in applications.iter().flat_map(|a| &a.assumptions) {
        if !assumptions.contains(assumption) {
            assumptions.push(assumption.clone());
        }
    }
    Ok(Derivation {
        program,
        applications,
        normal,
        assumptions,
        refusals,
        missed,
        steps,
        tries,
    })
}

/// The rewritten program: nested sequences opened, variables no longer used dropped from the
/// procedures that changed, operators numbered.
pub(crate) fn finished(
    mut rewritten: TermProgram,
    before: &Program,
) -> Result<Program, TransformError> {
    let original = TermProgram::from_program(before);
    let procedures = rewritten.root.children().iter().enumerate();
    let procedures = procedures.map(|(index, procedure)| {
        if original.root.children().get(index) == Some(procedure) {
            return procedure.clone();
        }
        let [handle, params, locals, result, body] = procedure.children() else {
            return procedure.clone();
        };
        let body = flattened(body);
        let mut ids = BTreeSet::new();
        body.walk(&mut |t| ids.extend(t.as_variable().map(|v| v.id)));
        let used = |v: &&Term| v.as_variable().is_none_or(|v| ids.contains(&v.id));
        let locals = Term::list(locals.children().iter().filter(used).cloned().collect());
        let parts = vec![handle.clone(), params.clone(), locals, result.clone(), body];
        procedure.with_children(parts)
    });
    rewritten.root = rewritten.root.with_children(procedures.collect());
    let mut program = rewritten.to_program()?;
    program.number_operators();
    Ok(program)
}

/// Sequences inside sequences opened.
fn flattened(term: &Term) -> Term {
    if !term.is_operator() {
        return term.clone();
    }
    let children: Vec<Term> = term.children().iter().map(flattened).collect();
    let rebuilt = term.with_children(children);
    if rebuilt.args_of(&Functor::Seq).is_some() {
        return Term::block(rebuilt.statements(), rebuilt.origin().cloned());
    }
    rebuilt
}

pub(crate) fn parameters(
    system: &RuleSystem,
    request: &Request,
) -> Result<Parameters, TransformError> {
    let declared = system.parameters().iter();
    let mut params: Parameters = declared
        .map(|p| (p.name.clone(), p.default.clone()))
        .collect();
    for (name, value) in &request.params {
        let Some(slot) = params.get_mut(name) else {
            let known: Vec<String> = params.keys().cloned().collect();
            return Err(TransformError::UnknownParameter {
                name: name.clone(),
                known: known.join(", "),
            });
        };
        *slot = match slot {
            ParameterValue::Text(_) => ParameterValue::Text(value.clone()),
            ParameterValue::Int(_) => match value.parse::<i32>() {
                Ok(number) if number > 0 => ParameterValue::Int(number.into()),
                _ => {
                    return Err(TransformError::BadParameter {
                        name: name.clone(),
                        value: value.clone(),
                        expected: "a positive number",
                    });
                }
            },
        };
    }
    Ok(params)
}
