//! Running a strategy: where rules are tried, in which order, and what a failure undoes.

use crate::analysis::Oracle;
use crate::building::builder::Parameters;
use crate::index::{Candidates, Index};
use crate::language::strategy::Strategy;
use crate::rewriting::record::Step;
use crate::rewriting::record::{Application, Refusal, TransformError, Tries};
use crate::rules::RuleSystem;
use crate::terms::conversion::TermProgram;
use crate::terms::term::Term;
use std::rc::Rc;

/// Calls of strategy definitions inside each other; deeper counts as out of fuel.
const DEEPEST: usize = 400;
/// How much deeper rules may make a program than it was; more counts as out of fuel. Whatever goes through
/// the result afterwards goes as deep.
pub(crate) const MOST_GROWTH: u32 = 500;

pub struct Rewriter<'a> {
    pub system: &'a RuleSystem,
    pub params: Rc<Parameters>,
    pub oracle: &'a dyn Oracle,
    pub program: TermProgram,
    pub applications: Vec<Application>,
    /// As many as applications, where they are kept.
    pub steps: Vec<Step>,
    pub refusals: Vec<Refusal>,
    pub fuel: u64,
    pub depth: usize,
    /// How deep the program may become.
    pub(crate) most_depth: u32,
    pub(crate) index: Index,
    /// The term a rule was asked for last, and the rules that may match it.
    pub(crate) candidates: Option<(Term, Candidates)>,
    pub tries: Tries,
    pub keeps_steps: bool,
    pub tries_all: bool,
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
        self.steps.truncate(snapshot.applications);
    }

    pub(crate) fn burn(&mut self) -> Result<(), Stop> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::OutOfFuel)?;
        Ok(())
    }

    /// Whether a rule may match a term: the index says for which this is not worth a try.
    pub(crate) fn may_match(&mut self, rule: usize, focus: &Term) -> bool {
        self.tries.asked += 1;
        let known = match &self.candidates {
            Some((term, known)) if term.is_one_with(focus) => known,
            _ => {
                let found = self.index.candidates(focus);
                &self.candidates.insert((focus.clone(), found)).1
            }
        };
        let may = self.tries_all || known.holds(rule);
        self.tries.tried += u64::from(may);
        may
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
}
