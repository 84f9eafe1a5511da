//! Rule systems over ground terms: unconditional rules whose sides are helper terms, lists, integers
//! and metavariables, tried in the order of `strategy main = innermost(a <+ b <+ …)`.

use super::bank::{Bank, Head, HeadId, TermId};
use super::net::{Net, Shape};
use crate::language::pattern::{MetaId, Pattern, PatternKind, Rule};
use crate::language::sort::Sort;
use crate::rules::RuleSystem;
use crate::strategy::Strategy;
use crate::term::Functor;
use std::collections::HashMap;
use std::sync::Arc;

/// Why a system is not one over ground terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFirstOrder {
    #[error(
        "ground terms are brought to normal form by `strategy main = innermost(a <+ b)` over rules"
    )]
    Strategy,
    #[error("rule `{rule}`: {what}, which no rule over ground terms has")]
    Rule {
        line: u32,
        column: u32,
        rule: Arc<str>,
        what: &'static str,
    },
}

/// A step of what builds a right side, operands before what takes them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// What the left side has at this place.
    Bound(u32),
    Make(HeadId),
}

#[derive(Clone, Debug)]
pub(super) struct GroundRule {
    pub name: Arc<str>,
    /// Paths in the left side, from its arguments, by [`Step::Bound`].
    pub places: Vec<Vec<u32>>,
    /// Places that must hold the same term.
    pub same: Vec<(u32, u32)>,
    /// Places that must hold an integer.
    pub integers: Vec<u32>,
    pub right: Vec<Step>,
}

/// Rules ready to be used with the bank they were made for.
#[derive(Clone, Debug)]
pub struct GroundRules {
    pub(super) rules: Vec<GroundRule>,
    pub(super) net: Net,
}

/// What stands at a place of `head(args)`.
#[inline]
pub(super) fn at_place(bank: &Bank, args: &[TermId], path: &[u32]) -> TermId {
    let mut term = args[path[0] as usize];
    for &step in &path[1..] {
        term = bank.args_of(term)[step as usize];
    }
    term
}

impl GroundRules {
    /// # Errors
    /// A rule has a condition, an action, a run or anything of a program; or `main` is no
    /// `innermost` over rules.
    pub fn new(system: &RuleSystem, bank: &mut Bank) -> Result<GroundRules, NotFirstOrder> {
        let (mut rules, mut shapes) = (Vec::new(), Vec::new());
        for rule in in_order(system)? {
            let refuse = |(at, what): (crate::language::error::Place, _)| NotFirstOrder::Rule {
                line: at.line,
                column: at.column,
                rule: rule.name.clone(),
                what,
            };
            let (shape, made) = compile(rule, bank).map_err(refuse)?;
            shapes.push(shape);
            rules.push(made);
        }
        let net = Net::new(&shapes);
        Ok(GroundRules { rules, net })
    }

    /// Names of the rules, in the order in which they are tried.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.rules.iter().map(|rule| &rule.name)
    }
}

/// The rules of `main`, first first.
fn in_order(system: &RuleSystem) -> Result<Vec<&Rule>, NotFirstOrder> {
    fn collect<'s>(strategy: &'s Strategy, names: &mut Vec<&'s str>) -> bool {
        match strategy {
            Strategy::Rule(name) => {
                names.push(name);
                true
            }
            Strategy::Call { name, args, .. } if args.is_empty() => {
                names.push(name);
                true
            }
            Strategy::Else(a, b) => collect(a, names) && collect(b, names),
            _ => false,
        }
    }
    let refused = || NotFirstOrder::Strategy;
    let main = system.strategies().iter().find(|d| d.name == "main");
    let mut names = Vec::new();
    match main.map(|definition| &definition.body) {
        Some(Strategy::Call { name, args, .. })
            if ["innermost", "BottomUp"].contains(&name.as_str())
                && args.len() == 1
                && collect(&args[0], &mut names) => {}
        _ => return Err(refused()),
    }
    let rule = |name: &str| system.rules().iter().find(|rule| &*rule.name == name);
    let rules: Option<Vec<&Rule>> = names.into_iter().map(rule).collect();
    rules.ok_or_else(refused)
}

type Refused = (crate::language::error::Place, &'static str);

fn compile(rule: &Rule, bank: &mut Bank) -> Result<(Shape, GroundRule), Refused> {
    if !rule.clauses.is_empty() {
        return Err((rule.at, "a condition"));
    }
    if !rule.actions.is_empty() || !rule.locals.is_empty() {
        return Err((rule.at, "an action or a declaration"));
    }
    let mut left = Left {
        rule,
        bank,
        places: Vec::new(),
        first: HashMap::new(),
        same: Vec::new(),
        integers: Vec::new(),
        path: Vec::new(),
    };
    let shape = left.shape(plain(&rule.source))?;
    if left.places.iter().any(Vec::is_empty) || shape == Shape::Any {
        return Err((rule.source.at, "a variable alone on its left"));
    }
    let Left {
        places,
        first,
        same,
        integers,
        ..
    } = left;
    let mut right = Vec::new();
    build(plain(&rule.destination), bank, &first, &mut right)?;
    let made = GroundRule {
        name: rule.name.clone(),
        places,
        same,
        integers,
        right,
    };
    Ok((shape, made))
}

/// A pattern without what a statement's place puts around it.
fn plain(pattern: &Pattern) -> &Pattern {
    match &pattern.kind {
        PatternKind::Statements(items) if items.len() == 1 => plain(&items[0]),
        _ => pattern,
    }
}

struct Left<'a> {
    rule: &'a Rule,
    bank: &'a mut Bank,
    places: Vec<Vec<u32>>,
    /// Where each metavariable stands first.
    first: HashMap<MetaId, u32>,
    same: Vec<(u32, u32)>,
    integers: Vec<u32>,
    path: Vec<u32>,
}

impl Left<'_> {
    fn shape(&mut self, pattern: &Pattern) -> Result<Shape, Refused> {
        use PatternKind as P;
        match &pattern.kind {
            P::Any => Ok(Shape::Any),
            P::Meta(id) => {
                let place = self.places.len() as u32;
                self.places.push(self.path.clone());
                match self.rule.metas[*id].sort {
                    Sort::Int => self.integers.push(place),
                    Sort::Any | Sort::Expr | Sort::List => {}
                    _ => return Err((pattern.at, "a metavariable of this sort")),
                }
                if let Some(first) = self.first.get(id) {
                    self.same.push((*first, place));
                } else {
                    self.first.insert(*id, place);
                }
                Ok(Shape::Any)
            }
            P::Int { value, .. } => {
                let head = self.bank.head_number(&Head::Int(*value));
                Ok(Shape::App(head, Vec::new()))
            }
            P::List(items) => self.list(items, None),
            P::Cons(items, rest) => self.list(items, Some(rest)),
            P::App(Functor::Helper(name), args) => {
                let head = Head::Function(name.clone(), args.len() as u32);
                let head = self.bank.head_number(&head);
                let mut shapes = Vec::new();
                for (number, arg) in args.iter().enumerate() {
                    self.path.push(number as u32);
                    shapes.push(self.shape(arg)?);
                    self.path.pop();
                }
                Ok(Shape::App(head, shapes))
            }
            _ => Err((pattern.at, "a part of a program, or a run")),
        }
    }

    fn list(&mut self, items: &[Pattern], rest: Option<&Pattern>) -> Result<Shape, Refused> {
        let Some((first, others)) = items.split_first() else {
            return match rest {
                Some(rest) => self.shape(rest),
                None => Ok(Shape::App(self.bank.head_number(&Head::Nil), Vec::new())),
            };
        };
        let head = self.bank.head_number(&Head::Cons);
        self.path.push(0);
        let first = self.shape(first)?;
        self.path.pop();
        self.path.push(1);
        let rest = self.list(others, rest)?;
        self.path.pop();
        Ok(Shape::App(head, vec![first, rest]))
    }
}

fn build(
    pattern: &Pattern,
    bank: &mut Bank,
    bound: &HashMap<MetaId, u32>,
    steps: &mut Vec<Step>,
) -> Result<(), Refused> {
    use PatternKind as P;
    match &pattern.kind {
        P::Meta(id) if bound.contains_key(id) => steps.push(Step::Bound(bound[id])),
        P::Int { value, .. } => steps.push(Step::Make(bank.head_number(&Head::Int(*value)))),
        P::List(items) => {
            items
                .iter()
                .try_for_each(|item| build(item, bank, bound, steps))?;
            steps.push(Step::Make(bank.head_number(&Head::Nil)));
            let cons = bank.head_number(&Head::Cons);
            steps.extend(items.iter().map(|_| Step::Make(cons)));
        }
        P::Cons(items, rest) => {
            items
                .iter()
                .try_for_each(|item| build(item, bank, bound, steps))?;
            build(rest, bank, bound, steps)?;
            let cons = bank.head_number(&Head::Cons);
            steps.extend(items.iter().map(|_| Step::Make(cons)));
        }
        P::App(Functor::Helper(name), args) => {
            args.iter()
                .try_for_each(|arg| build(arg, bank, bound, steps))?;
            let head = Head::Function(name.clone(), args.len() as u32);
            steps.push(Step::Make(bank.head_number(&head)));
        }
        _ => return Err((pattern.at, "a part of a program, or a run")),
    }
    Ok(())
}
