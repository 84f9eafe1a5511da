//! One application of a rule: match, conditions, the new term, the record.

use crate::analysis::Answer;
use crate::building::answers::Question;
use crate::building::builder::{Builder, Unbuildable};
use crate::building::condition;
use crate::building::places::{MatchPlace, replaced_operators, solve};
use crate::building::results::{act, destination};
use crate::building::trace::{assumption_text, printed_bindings};
use crate::language::pattern::{Clause, Rule};
use crate::matching::matcher::{Binding, Matcher, Substitution};
use crate::matching::modulo::{MOST_OPERANDS, MOST_STEPS, Search};
use crate::rewriting::record::Step;
use crate::rewriting::record::{Application, Assumption, Refusal, TransformError};
use crate::rewriting::rewriter::{Rewriter, Stop};
use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term};

/// A source's match being completed: what the rule changes if it is accepted.
struct Attempt {
    program: TermProgram,
    substitution: Substitution,
    locals: Vec<Option<Term>>,
    assumptions: Vec<Assumption>,
}

/// The attempt that was accepted, what it replaces, and by what; or why it cannot be built.
type Accepted = Result<(Attempt, Vec<Term>, Term), TransformError>;

impl Rewriter<'_> {
    /// One application of a rule at a place, in the first way its conditions allow.
    pub(crate) fn rule(&mut self, name: &str, path: &[usize]) -> Result<bool, Stop> {
        self.nth(name, path, 0)
    }

    /// The same in the way that `skip` others come before.
    #[inline(never)]
    pub(crate) fn nth(
        &mut self,
        name: &str,
        path: &[usize],
        mut skip: usize,
    ) -> Result<bool, Stop> {
        let system = self.system;
        let number = system.rules().iter().position(|rule| &*rule.name == name);
        let (Some(number), Some(&proc)) = (number, path.first()) else {
            return Ok(false);
        };
        let rule = &system.rules()[number];
        let Some(focus) = self.program.root.at(path).cloned() else {
            return Ok(false);
        };
        if !self.may_match(number, &focus) {
            return Ok(false);
        }
        let params = self.params.clone();
        let search = Search::default();
        let matcher = Matcher {
            metas: &rule.metas,
            commutative: system.commutative(),
            associative: system.associative(),
            search: &search,
            params: &params,
        };
        let mut outcome: Option<Accepted> = None;
        let mut refusals = Vec::new();
        {
            let this = &*self;
            let mut accept = |substitution: &Substitution, place: MatchPlace| {
                let attempt = Attempt {
                    program: this.program.clone(),
                    substitution: substitution.clone(),
                    locals: vec![None; rule.locals.len()],
                    assumptions: vec![],
                };
                let at = (proc as u32, path);
                match this.complete(rule, matcher, attempt, &place, at) {
                    Ok(Ok(_)) if skip > 0 => {
                        skip -= 1;
                        false
                    }
                    Ok(Ok(done)) => {
                        let (attempt, term) = done;
                        outcome = Some(Ok((attempt, place.matched, term)));
                        true
                    }
                    Ok(Err(refusal)) => {
                        // Which of a helper's rules applies is no news.
                        if !focus.is_helper() {
                            refusals.push(refusal);
                        }
                        false
                    }
                    Err(Unbuildable(message)) => {
                        let rule = rule.name.to_string();
                        outcome = Some(Err(TransformError::IllSorted { rule, message }));
                        true
                    }
                }
            };
            solve(&rule.source, &focus, &matcher, &mut accept);
        }
        if outcome.is_none() && search.is_given_up() {
            let given_up = Refusal {
                rule: rule.name.to_string(),
                procedure: self.procedure_name(proc),
                span: focus.span(),
                condition: format!(
                    "a match modulo associativity in {MOST_STEPS} steps, of at most {MOST_OPERANDS} \
                     operands"
                ),
                asks: None,
                reason: None,
                unknown: true,
            };
            // Before what was refused on the way.
            refusals.insert(0, given_up);
        }
        for refusal in refusals {
            let known = |r: &Refusal| r.rule == refusal.rule && r.span == refusal.span;
            // Where it was applied it is not refused but no more needed.
            let done = |a: &Application| a.rule == refusal.rule && a.span == refusal.span;
            if !self.refusals.iter().any(known) && !self.applications.iter().any(done) {
                self.refusals.push(refusal);
            }
        }
        let (attempt, matched, term) = match outcome {
            None => return Ok(false),
            Some(Err(error)) => return Err(Stop::Error(error)),
            Some(Ok(done)) => done,
        };
        self.burn()?;
        let procedure = self.procedure_name(proc);
        self.program = attempt.program;
        self.program.root = self.program.root.replaced(path, term);
        let bindings = printed_bindings(rule, &attempt.substitution);
        tracing::debug!(rule = &*rule.name, %procedure, "applied");
        let application = Application {
            rule: rule.name.to_string(),
            procedure,
            span: Term::list(matched).span(),
            bindings,
            assumptions: attempt.assumptions,
        };
        if self.keeps_steps {
            self.steps.push(Step {
                application: application.clone(),
                path: path.to_vec(),
                after: self.program.clone(),
            });
        }
        self.applications.push(application);
        match self.program.root.depth() > self.most_depth {
            true => Err(Stop::OutOfFuel),
            false => Ok(true),
        }
    }

    fn procedure_name(&self, proc: usize) -> String {
        let names = self.program.procedure_names();
        names.get(proc).map(ToString::to_string).unwrap_or_default()
    }

    /// Clauses, destination and actions for one match; a refusal when a condition does not hold.
    fn complete(
        &self,
        rule: &Rule,
        matcher: Matcher,
        mut attempt: Attempt,
        place: &MatchPlace,
        (proc, path): (u32, &[usize]),
    ) -> Result<Result<(Attempt, Term), Refusal>, Unbuildable> {
        let span = Term::list(place.matched.clone()).span();
        let from = replaced_operators(&place.matched);
        let mut builder = Builder {
            rule,
            matcher,
            question: Question {
                program: &self.program,
                proc,
                path,
                matched: &place.matched,
                oracle: self.oracle,
            },
            program: &mut attempt.program,
            substitution: &mut attempt.substitution,
            locals: &mut attempt.locals,
            span,
            from: &from,
        };
        for clause in &rule.clauses {
            match clause {
                Clause::Bind(meta, pattern) => {
                    let terms = builder.terms(pattern)?;
                    let bound = match <[Term; 1]>::try_from(terms) {
                        Ok([term]) => Binding::One(term),
                        Err(terms) => Binding::Many(terms),
                    };
                    builder.substitution[*meta] = Some(bound);
                }
                Clause::Declare(local) => builder.declare_array(*local)?,
                Clause::Condition(condition) => {
                    let answer = condition::judge(&condition.formula, &mut builder)?;
                    match answer {
                        Answer::Yes => {}
                        Answer::Unknown if condition.assumed => {
                            let text = assumption_text(condition, rule, &builder);
                            let formula = condition::formula(&condition.formula, &mut builder)?;
                            attempt.assumptions.push(Assumption {
                                rule: rule.name.to_string(),
                                text,
                                formula: Some(formula),
                            });
                        }
                        Answer::No | Answer::Unknown => {
                            return Ok(Err(Refusal {
                                rule: rule.name.to_string(),
                                procedure: self.procedure_name(proc as usize),
                                span,
                                condition: condition.text.clone(),
                                asks: condition
                                    .explanation
                                    .as_ref()
                                    .map(|_| assumption_text(condition, rule, &builder)),
                                reason: condition::reason(&condition.formula, &mut builder)?,
                                unknown: answer == Answer::Unknown,
                            }));
                        }
                    }
                }
            }
        }
        let built = destination(&rule.destination, place, &mut builder)?;
        for term in &builder.substitution.reassociated {
            let text = format!("operations on floats in `{term}` may be reassociated (modulo AC)");
            let rule = rule.name.to_string();
            let formula = Term::app(Functor::Helper("reorderable".into()), vec![term.clone()]);
            let assumption = Assumption {
                rule,
                text,
                formula: Some(formula),
            };
            if !attempt.assumptions.contains(&assumption) {
                attempt.assumptions.push(assumption);
            }
        }
        for action in &rule.actions {
            act(action, &mut builder)?;
        }
        Ok(Ok((attempt, built)))
    }
}
