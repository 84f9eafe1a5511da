//! Rule systems over ground terms: unconditional rules whose sides are helper terms, lists, integers
//! and metavariables, tried in the order of `strategy main = innermost(a <+ b <+ …)`.

use super::bank::{Bank, Head, HeadId};
use super::build::{Code, Part};
use super::net::{Left, Net, Shape};
use crate::language::pattern::{MetaId, Pattern, PatternKind, Rule};
use crate::language::sort::Sort;
use crate::language::strategy::Strategy;
use crate::rules::RuleSystem;
use crate::terms::term::Functor;
use std::collections::HashMap;
use std::sync::Arc;

/// Why a system is not one over ground terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFirstOrder {
    #[error(
        "ground terms are brought to normal form by `strategy main = innermost(a <+ b)` over rules"
    )]
    /// `main` is not `innermost` over a choice of rules.
    Strategy,
    /// A rule has what rules over ground terms cannot have.
    #[error("rule `{rule}`: {what}, which no rule over ground terms has")]
    Rule {
        /// In the rule file, from 1.
        line: u32,
        /// In the rule file, from 1.
        column: u32,
        /// Name of the rule.
        rule: Arc<str>,
        /// What it has.
        what: &'static str,
    },
}

/// Rules ready to be used with the bank they were made for.
#[derive(Clone, Debug)]
pub struct GroundRules {
    names: Vec<Arc<str>>,
    pub(super) net: Net,
    pub(super) code: Code,
}

impl GroundRules {
    /// # Errors
    /// A rule has a condition, an action, a run or anything of a program; or `main` is no
    /// `innermost` over rules.
    pub fn new(system: &RuleSystem, bank: &mut Bank) -> Result<GroundRules, NotFirstOrder> {
        let (mut names, mut lefts, mut rights) = (Vec::new(), Vec::new(), Vec::new());
        for rule in in_order(system)? {
            let refuse =
                |(at, what): (crate::language::error::TextPosition, _)| NotFirstOrder::Rule {
                    line: at.line,
                    column: at.column,
                    rule: rule.name.clone(),
                    what,
                };
            let (left, right) = compile(rule, bank).map_err(refuse)?;
            names.push(rule.name.clone());
            lefts.push(left);
            rights.push(right);
        }
        let mut code = Code::new(lefts.iter().map(|(head, _)| *head));
        let net = Net::new(&lefts, &mut |rule, places, n_slots| {
            code.entry(bank, &rights[rule], places, n_slots)
        });
        Ok(GroundRules { names, net, code })
    }

    /// Nodes of the discrimination net.
    pub fn net_size(&self) -> usize {
        self.net.nodes.len()
    }

    /// Names of the rules, in the order in which they are tried.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names.iter()
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

type Refused = (crate::language::error::TextPosition, &'static str);

fn compile(rule: &Rule, bank: &mut Bank) -> Result<((HeadId, Left), Part), Refused> {
    if !rule.clauses.is_empty() {
        return Err((rule.at, "a condition"));
    }
    if !rule.actions.is_empty() || !rule.locals.is_empty() {
        return Err((rule.at, "an action or a declaration"));
    }
    let mut reader = LeftReader {
        rule,
        bank,
        n_places: 0,
        first: HashMap::new(),
        same: Vec::new(),
        integers: Vec::new(),
    };
    let Shape::App(head, shapes) = reader.shape(plain(&rule.source))? else {
        return Err((rule.source.at, "a variable alone on its left"));
    };
    let LeftReader {
        n_places,
        first,
        same,
        integers,
        ..
    } = reader;
    let left = Left {
        shapes,
        n_places,
        same,
        integers,
    };
    let right = right(plain(&rule.destination), bank, &first)?;
    Ok(((head, left), right))
}

/// A pattern without what a statement's place puts around it.
fn plain(pattern: &Pattern) -> &Pattern {
    match &pattern.kind {
        PatternKind::Statements(items) if items.len() == 1 => plain(&items[0]),
        _ => pattern,
    }
}

struct LeftReader<'a> {
    rule: &'a Rule,
    bank: &'a mut Bank,
    n_places: usize,
    /// Where each metavariable stands first.
    first: HashMap<MetaId, u32>,
    same: Vec<(u32, u32)>,
    integers: Vec<u32>,
}

impl LeftReader<'_> {
    fn shape(&mut self, pattern: &Pattern) -> Result<Shape, Refused> {
        use PatternKind as P;
        match &pattern.kind {
            P::Any => Ok(Shape::Any),
            P::Meta(id) => {
                let place = self.n_places as u32;
                self.n_places += 1;
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
                Ok(Shape::Place(place))
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
                let shapes: Result<Vec<Shape>, Refused> =
                    args.iter().map(|arg| self.shape(arg)).collect();
                Ok(Shape::App(head, shapes?))
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
        let first = self.shape(first)?;
        let rest = self.list(others, rest)?;
        Ok(Shape::App(head, vec![first, rest]))
    }
}

fn right(
    pattern: &Pattern,
    bank: &mut Bank,
    bound: &HashMap<MetaId, u32>,
) -> Result<Part, Refused> {
    use PatternKind as P;
    let (items, rest) = match &pattern.kind {
        P::Meta(id) if bound.contains_key(id) => return Ok(Part::Place(bound[id])),
        P::Int { value, .. } => {
            let head = bank.head_number(&Head::Int(*value));
            return Ok(Part::App(head, Vec::new()));
        }
        P::App(Functor::Helper(name), args) => {
            let head = bank.head_number(&Head::Function(name.clone(), args.len() as u32));
            let args: Result<Vec<Part>, Refused> =
                args.iter().map(|arg| right(arg, bank, bound)).collect();
            return Ok(Part::App(head, args?));
        }
        P::List(items) => {
            let nil = bank.head_number(&Head::Nil);
            (items, Part::App(nil, Vec::new()))
        }
        P::Cons(items, rest) => (items, right(rest, bank, bound)?),
        _ => return Err((pattern.at, "a part of a program, or a run")),
    };
    let cons = bank.head_number(&Head::Cons);
    items.iter().rev().try_fold(rest, |rest, item| {
        Ok(Part::App(cons, vec![right(item, bank, bound)?, rest]))
    })
}
