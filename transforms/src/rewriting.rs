//! Applying rules by a strategy: one loop of matching, conditions, building and recording.

use crate::analysis::{Answer, Oracle};
use crate::apply::{Application, Assumption, Refusal, TransformError};
use crate::building::{Builder, Parameters, Unbuildable, sources};
use crate::condition;
use crate::conversion::TermProgram;
use crate::functions::Question;
use crate::language::pattern::{
    Action, Clause, Condition, ParameterValue, Pattern, PatternKind, Rule,
};
use crate::matching::{Binding, Matcher, Substitution};
use crate::rules::RuleSystem;
use crate::strategy::Strategy;
use crate::term::{Functor, Term};
use crate::typing;
use gridlock_semantics::operator::OpId;
use gridlock_semantics::types::Type;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Calls of strategy definitions inside each other; deeper counts as out of fuel.
const DEEPEST: usize = 400;

pub struct Rewriter<'a> {
    pub system: &'a RuleSystem,
    pub params: Parameters,
    pub oracle: &'a dyn Oracle,
    pub program: TermProgram,
    pub applications: Vec<Application>,
    pub refusals: Vec<Refusal>,
    pub fuel: u64,
    pub depth: usize,
}

/// Why a run of a strategy ends early.
pub enum Stop {
    OutOfFuel,
    Error(TransformError),
}

/// Arguments of the definition being run, with the environment each was written in.
#[derive(Default)]
pub struct Frame<'a> {
    arguments: Vec<(&'a str, &'a Strategy, Environment<'a>)>,
}

type Environment<'a> = Rc<Frame<'a>>;

/// What a failing strategy goes back to. The program is boxed, since strategies nest deeply.
struct Snapshot {
    program: Box<TermProgram>,
    applications: usize,
}

/// A source's match being completed: what the rule changes if it is accepted.
struct Attempt {
    program: TermProgram,
    substitution: Substitution,
    locals: Vec<Option<Term>>,
    assumptions: Vec<Assumption>,
}

/// The attempt that was accepted, what it replaces, and by what; or why it cannot be built.
type Accepted = Result<(Attempt, Vec<Term>, Term), TransformError>;

/// What a source matched within the term at hand.
struct Place<'t> {
    focus: &'t Term,
    /// Statements in front of and behind the run matched.
    around: Option<(Vec<Term>, Vec<Term>)>,
    /// What is replaced.
    matched: Vec<Term>,
}

impl<'a> Rewriter<'a> {
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            program: Box::new(self.program.clone()),
            applications: self.applications.len(),
        }
    }

    fn restore(&mut self, snapshot: Snapshot) {
        self.program = *snapshot.program;
        self.applications.truncate(snapshot.applications);
    }

    fn burn(&mut self) -> Result<(), Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::OutOfFuel)?;
        Ok(())
    }

    /// Runs a strategy at a place; whether it succeeded. A failed one leaves no change.
    pub fn run(
        &mut self,
        strategy: &'a Strategy,
        path: &[usize],
        environment: &Environment<'a>,
    ) -> Result<bool, Stop> {
        match strategy {
            Strategy::Id => Ok(true),
            Strategy::Fail => Ok(false),
            Strategy::Rule(name) => self.rule(name, path),
            Strategy::Then(first, second) => {
                let before = self.snapshot();
                if !self.run(first, path, environment)? {
                    return Ok(false);
                }
                let done = self.run(second, path, environment)?;
                if !done {
                    self.restore(before);
                }
                Ok(done)
            }
            Strategy::Else(first, second) => {
                Ok(self.run(first, path, environment)? || self.run(second, path, environment)?)
            }
            Strategy::Not(inside) => {
                let before = self.snapshot();
                let succeeded = self.run(inside, path, environment)?;
                self.restore(before);
                Ok(!succeeded)
            }
            Strategy::All(inside) => {
                let before = self.snapshot();
                for child in 0..self.children(path) {
                    let place = [path, &[child]].concat();
                    if !self.run(inside, &place, environment)? {
                        self.restore(before);
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Strategy::One(inside) => {
                for child in 0..self.children(path) {
                    if self.run(inside, &[path, &[child]].concat(), environment)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Strategy::Some(inside) => {
                let mut any = false;
                for child in 0..self.children(path) {
                    any |= self.run(inside, &[path, &[child]].concat(), environment)?;
                }
                Ok(any)
            }
            Strategy::Repeat(inside) => {
                while self.run(inside, path, environment)? {
                    self.burn()?;
                }
                Ok(true)
            }
            Strategy::Call { name, args, .. } => self.call(name, args, path, environment),
        }
    }

    fn children(&self, path: &[usize]) -> usize {
        self.program.root.at(path).map_or(0, |t| t.children().len())
    }

    fn call(
        &mut self,
        name: &'a str,
        args: &'a [Strategy],
        path: &[usize],
        environment: &Environment<'a>,
    ) -> Result<bool, Stop> {
        let argument = environment.arguments.iter().find(|(n, ..)| *n == name);
        if let Some((_, strategy, outer)) = argument {
            return self.run(strategy, path, &outer.clone());
        }
        let system = self.system;
        if system.rules().iter().any(|rule| &*rule.name == name) {
            return self.rule(name, path);
        }
        let Some(definition) = system.strategies().iter().find(|d| d.name == name) else {
            return Ok(false);
        };
        if self.depth >= DEEPEST {
            return Err(Stop::OutOfFuel);
        }
        let bind =
            |(param, arg): (&'a String, &'a Strategy)| (param.as_str(), arg, environment.clone());
        let arguments = definition.params.iter().zip(args).map(bind).collect();
        self.depth += 1;
        let done = self.run(&definition.body, path, &Rc::new(Frame { arguments }));
        self.depth -= 1;
        done
    }

    /// One application of a rule at a place.
    #[inline(never)]
    fn rule(&mut self, name: &str, path: &[usize]) -> Result<bool, Stop> {
        let system = self.system;
        let rule = system.rules().iter().find(|rule| &*rule.name == name);
        let (Some(rule), Some(&proc)) = (rule, path.first()) else {
            return Ok(false);
        };
        let Some(focus) = self.program.root.at(path).cloned() else {
            return Ok(false);
        };
        let params = self.params.clone();
        let matcher = Matcher {
            metas: &rule.metas,
            commutative: system.commutative(),
            params: &params,
        };
        let mut outcome: Option<Accepted> = None;
        let mut refusals = Vec::new();
        {
            let this = &*self;
            let mut accept = |substitution: &Substitution, place: Place| {
                let attempt = Attempt {
                    program: this.program.clone(),
                    substitution: substitution.clone(),
                    locals: vec![None; rule.locals.len()],
                    assumptions: vec![],
                };
                let at = (proc as u32, path);
                match this.complete(rule, matcher, attempt, &place, at) {
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
        for refusal in refusals {
            let known = |r: &Refusal| r.rule == refusal.rule && r.span == refusal.span;
            if !self.refusals.iter().any(known) {
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
        self.applications.push(Application {
            rule: rule.name.to_string(),
            procedure,
            span: Term::list(matched).span(),
            bindings,
            assumptions: attempt.assumptions,
        });
        Ok(true)
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
        place: &Place,
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
                Clause::Declare(local) => builder.declare_shared(*local)?,
                Clause::Condition(condition) => {
                    let answer = condition::judge(&condition.formula, &mut builder)?;
                    match answer {
                        Answer::Yes => {}
                        Answer::Unknown if condition.assumed => {
                            let text = assumption_text(condition, rule, &builder);
                            let rule = rule.name.to_string();
                            attempt.assumptions.push(Assumption { rule, text });
                        }
                        Answer::No | Answer::Unknown => {
                            return Ok(Err(Refusal {
                                rule: rule.name.to_string(),
                                procedure: self.procedure_name(proc as usize),
                                span,
                                condition: condition.text.clone(),
                                unknown: answer == Answer::Unknown,
                            }));
                        }
                    }
                }
            }
        }
        let built = destination(&rule.destination, place, &mut builder)?;
        for action in &rule.actions {
            act(action, &mut builder)?;
        }
        Ok(Ok((attempt, built)))
    }
}

/// Every place in `focus` where a source matches, and how.
fn solve(
    source: &Pattern,
    focus: &Term,
    matcher: &Matcher,
    accept: &mut dyn FnMut(&Substitution, Place) -> bool,
) {
    let mut substitution = matcher.substitution();
    let PatternKind::Statements(items) = &source.kind else {
        let whole = || Place {
            focus,
            around: None,
            matched: vec![focus.clone()],
        };
        matcher.solve(source, focus, &mut substitution, &mut |s| {
            accept(s, whole())
        });
        return;
    };
    if let [only] = items.as_slice()
        && !matches!(only.kind, PatternKind::Run(_))
    {
        let whole = || Place {
            focus,
            around: Some((vec![], vec![])),
            matched: vec![focus.clone()],
        };
        matcher.solve(only, focus, &mut substitution, &mut |s| accept(s, whole()));
        return;
    }
    let is_block = matches!(focus.as_app(), Some((f, _)) if f.is_operator());
    if !is_block {
        return;
    }
    // A run of statements: what stands behind it is a run of the matcher's own.
    let statements = focus.statements();
    let behind = substitution.bindings.len() - 1;
    let mut patterns = items.clone();
    patterns.push(Pattern::new(PatternKind::Run(behind), source.at));
    for start in 0..=statements.len() {
        let (front, rest) = statements.split_at(start);
        let done = matcher.solve_many(&patterns, rest, &mut substitution, &mut |s| {
            let tail = match &s[behind] {
                Some(Binding::Many(tail)) => tail.clone(),
                _ => vec![],
            };
            let matched = rest[..rest.len() - tail.len()].to_vec();
            let around = Some((front.to_vec(), tail));
            let place = Place {
                focus,
                around,
                matched,
            };
            accept(s, place)
        });
        if done {
            return;
        }
    }
}

/// The term that takes the place of the focus.
fn destination(
    pattern: &Pattern,
    place: &Place,
    builder: &mut Builder,
) -> Result<Term, Unbuildable> {
    if let PatternKind::Procedure {
        kind,
        name,
        params,
        body,
    } = &pattern.kind
    {
        let parts = [&**name];
        let [name] = parts;
        let old = place.focus.children();
        let locals = old.get(2).cloned().unwrap_or_else(Term::nil);
        let result = old.get(3).cloned().unwrap_or_else(Term::nil);
        return procedure(builder, (*kind, name, params, body), locals, result);
    }
    match &place.around {
        Some((front, tail)) => {
            let mut all = front.clone();
            let origin = place.focus.origin().cloned().or_else(|| builder.origin());
            all.extend(builder.statements(std::slice::from_ref(pattern))?);
            all.extend(tail.iter().cloned());
            Ok(Term::block(all, origin))
        }
        None => {
            let built = builder.argument(pattern)?;
            Ok(match place.focus.ty() {
                Some(ty @ Type::Scalar(_)) if built.is_expression() => typing::convert(built, ty),
                _ => built,
            })
        }
    }
}

type ProcedureParts<'p> = (
    gridlock_semantics::program::ProcKind,
    &'p Pattern,
    &'p [Pattern],
    &'p [Pattern],
);

fn procedure(
    builder: &mut Builder,
    (kind, name, params, body): ProcedureParts,
    locals: Term,
    result: Term,
) -> Result<Term, Unbuildable> {
    let handle = builder.argument(name)?;
    let mut variables = Vec::new();
    for param in params {
        variables.extend(builder.terms(param)?);
    }
    if let Some(other) = variables.iter().find(|v| v.as_variable().is_none()) {
        return Err(Unbuildable(format!("`{other}` cannot be a parameter")));
    }
    let body = builder.block_of(body)?;
    let args = vec![handle, Term::list(variables), locals, result, body];
    Ok(Term::app(Functor::Procedure(kind), args))
}

fn act(action: &Action, builder: &mut Builder) -> Result<(), Unbuildable> {
    match action {
        Action::AddProcedure(pattern) => {
            let PatternKind::Procedure {
                kind,
                name,
                params,
                body,
            } = &pattern.kind
            else {
                return Err(Unbuildable("`add_procedure` needs a procedure".into()));
            };
            let parts = (*kind, &**name, params.as_slice(), body.as_slice());
            let made = procedure(builder, parts, Term::nil(), Term::nil())?;
            let number = made.children()[0].as_proc().map(|(id, _)| id as usize);
            if let Some(number) = number {
                builder.program.root = builder.program.root.replaced(&[number], made);
            }
            Ok(())
        }
        Action::SetLaunch {
            kernel,
            grid,
            block,
        } => {
            let kernel = builder.argument(kernel)?;
            let grid = builder.expression(grid)?;
            let block = builder.expression(block)?;
            builder.program.root = set_launch(&builder.program.root, &kernel, &grid, &block);
            Ok(())
        }
    }
}

/// All launches of a kernel get another grid and block, along x.
fn set_launch(term: &Term, kernel: &Term, grid: &Term, block: &Term) -> Term {
    let extents = |e: &Term| {
        let one = Term::int(gridlock_semantics::types::ScalarType::U32, 1);
        Term::list(vec![
            typing::convert(e.clone(), Type::U32),
            one.clone(),
            one,
        ])
    };
    if let Some([k, _, _, shared, args]) = term.args_of(&Functor::CallGpu)
        && k == kernel
    {
        let parts = vec![
            k.clone(),
            extents(grid),
            extents(block),
            shared.clone(),
            args.clone(),
        ];
        return term.with_children(parts);
    }
    if !term.is_operator() && term.as_list().is_none() && term.is_expression() {
        return term.clone();
    }
    let children = term.children().iter();
    term.with_children(
        children
            .map(|child| set_launch(child, kernel, grid, block))
            .collect(),
    )
}

/// Ids, in the program rewritten, of the operators a match takes away.
fn replaced_operators(matched: &[Term]) -> Vec<OpId> {
    let mut ids = Vec::new();
    for term in matched {
        match term.origin() {
            Some(origin) => ids.extend(origin.marks.iter().take(1).flat_map(sources)),
            // A helper term or a procedure: the operators inside.
            None => term.walk(&mut |t| {
                let marks = t.origin().map(|origin| origin.marks.iter().take(1));
                ids.extend(marks.into_iter().flatten().flat_map(sources));
            }),
        }
    }
    ids.sort();
    ids.dedup();
    ids
}

fn printed(binding: &Binding) -> String {
    match binding {
        Binding::One(term) => term.to_string(),
        Binding::Many(items) => {
            let items: Vec<String> = items.iter().map(Term::to_string).collect();
            items.join(" ")
        }
    }
}

fn printed_bindings(rule: &Rule, substitution: &Substitution) -> BTreeMap<String, String> {
    let named = rule.metas.iter().zip(&substitution.bindings);
    let bound = named.filter_map(|(meta, binding)| {
        let star = if meta.is_run { "*" } else { "" };
        Some((format!("${}{star}", meta.name), printed(binding.as_ref()?)))
    });
    bound.collect()
}

/// The assumption in the words of the program: `$x` becomes what it stands for, a metavariable or
/// a parameter.
fn assumption_text(condition: &Condition, rule: &Rule, builder: &Builder) -> String {
    let template = condition.explanation.as_ref().unwrap_or(&condition.text);
    let mut text = String::new();
    let mut rest = template.as_str();
    while let Some(start) = rest.find('$') {
        text.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let (name, after) = rest.split_at(rest.find(word).unwrap_or(rest.len()));
        let meta = rule.metas.iter().position(|m| m.name == name);
        let bound = meta.and_then(|id| builder.substitution[id].as_ref());
        match (bound, builder.parameter(name)) {
            (Some(binding), _) => text.push_str(&printed(binding)),
            (None, Some(ParameterValue::Int(value))) => text.push_str(&value.to_string()),
            (None, Some(ParameterValue::Text(value))) => text.push_str(value),
            (None, None) => text.push_str(&format!("${name}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}
