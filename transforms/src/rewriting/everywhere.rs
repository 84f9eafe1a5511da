//! Every rule of a system at every place where it applies, each application alone: what a test of
//! the rules judges one by one. A rule whose source is a helper term only finishes what another has
//! begun, so it is not tried alone: helpers are worked off after each application.

use crate::analysis::Oracle;
use crate::language::pattern::{Pattern, PatternKind, Rule};
use crate::language::strategy::Strategy;
use crate::rewriting::apply::{Derivation, begin, finished};
use crate::rewriting::record::{Request, TransformError};
use crate::rewriting::rewriter::{Rewriter, Stop};
use crate::rules::RuleSystem;
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::program::Program;
use std::rc::Rc;

/// Ways in which a rule may match one place that are looked at.
const MOST_AT_A_PLACE: usize = 12;

/// One rule at one place.
#[derive(Clone, Debug)]
pub struct Single {
    /// Name of the rule.
    pub rule: String,
    /// What it makes; an error where that is no program.
    pub outcome: Result<Derivation, TransformError>,
}

/// How often a rule of a system matched, and what its applications make.
#[derive(Clone, Debug, Default)]
pub struct Singles {
    /// Each application, in the order of rules and places.
    pub applied: Vec<Single>,
    /// Places where a rule's source matched, but in no way that its conditions allow: the rule, and
    /// the condition, as the rule file has it, that did not hold first.
    pub refused: Vec<(String, String)>,
}

/// Applies each rule that is not about helper terms at each place, and there in each way that
/// changes the program differently.
///
/// # Errors
/// A parameter the system does not have.
pub fn singles(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    oracle: &dyn Oracle,
) -> Result<Singles, TransformError> {
    let finish = finishing(system);
    let mut rewriter = begin(program, system, request, oracle)?;
    let original = rewriter.program.clone();
    let mut found = Singles::default();
    let heads = system.rules().iter().filter(|rule| !about_helpers(rule));
    for rule in heads {
        let mut paths = Vec::new();
        let whole = matches!(rule.source.kind, PatternKind::Procedure { .. });
        places(&original.root, whole, &mut vec![], &mut paths);
        for path in paths {
            let mut seen: Vec<Term> = Vec::new();
            for nth in 0..MOST_AT_A_PLACE {
                rewriter.program = original.clone();
                rewriter.applications.clear();
                rewriter.refusals.clear();
                rewriter.fuel = request.fuel;
                let applied = rewriter.nth(&rule.name, &path, nth);
                if matches!(applied, Ok(false)) {
                    if nth == 0 {
                        found.refuse(&rewriter);
                    }
                    break;
                }
                if seen.contains(&rewriter.program.root) {
                    continue;
                }
                seen.push(rewriter.program.root.clone());
                let worked_off = applied.and_then(|_| rewriter.run(&finish, &[], &Rc::default()));
                let outcome = match worked_off {
                    Ok(_) if has_helpers(&rewriter.program.root) => {
                        // The conditions of the rules that were to finish it do not hold.
                        found.refuse(&rewriter);
                        continue;
                    }
                    Ok(_) => derivation(&rewriter, program),
                    Err(Stop::Error(error)) => Err(error),
                    Err(Stop::OutOfFuel) => break,
                };
                let rule = rule.name.to_string();
                found.applied.push(Single { rule, outcome });
            }
        }
    }
    Ok(found)
}

fn derivation(rewriter: &Rewriter, before: &Program) -> Result<Derivation, TransformError> {
    let program = finished(rewriter.program.clone(), before)?;
    let all = rewriter.applications.iter().flat_map(|a| &a.assumptions);
    let mut assumptions = Vec::new();
    for assumption in all {
        if !assumptions.contains(assumption) {
            assumptions.push(assumption.clone());
        }
    }
    Ok(Derivation {
        program,
        applications: rewriter.applications.clone(),
        normal: true,
        assumptions,
        missed: Vec::new(),
        refusals: rewriter.refusals.clone(),
        steps: vec![],
        tries: Default::default(),
    })
}

impl Singles {
    fn refuse(&mut self, rewriter: &Rewriter) {
        if let Some(refusal) = rewriter.refusals.first() {
            let condition = refusal.condition.clone();
            self.refused.push((refusal.rule.clone(), condition));
        }
    }
}

fn has_helpers(root: &Term) -> bool {
    let mut found = false;
    root.walk(&mut |t| found |= t.is_helper());
    found
}

/// `repeat(once(a <+ b <+ …))` over the rules about helpers.
fn finishing(system: &RuleSystem) -> Strategy {
    let rules = system.rules().iter().filter(|rule| about_helpers(rule));
    let any = rules
        .map(|rule| Strategy::Rule(rule.name.to_string()))
        .reduce(|a, b| Strategy::Else(Box::new(a), Box::new(b)));
    let Some(any) = any else {
        return Strategy::Id;
    };
    let once = Strategy::Call {
        name: "once".into(),
        args: vec![any],
        at: Default::default(),
    };
    Strategy::Repeat(Box::new(once))
}

/// Whether a rule only finishes what others begin.
pub fn about_helpers(rule: &Rule) -> bool {
    fn helper(pattern: &Pattern) -> bool {
        match &pattern.kind {
            PatternKind::App(Functor::Helper(_), _) => true,
            PatternKind::Statements(items) => matches!(items.as_slice(), [only] if helper(only)),
            _ => false,
        }
    }
    helper(&rule.source)
}

/// Paths of all subterms; of procedures only, where `whole`.
fn places(term: &Term, whole: bool, path: &mut Vec<usize>, into: &mut Vec<Vec<usize>>) {
    if !path.is_empty() {
        into.push(path.clone());
    }
    if whole && path.len() == 1 {
        return;
    }
    for (index, child) in term.children().iter().enumerate() {
        path.push(index);
        places(child, whole, path, into);
        path.pop();
    }
}
