//! Checks a rule file is held to when it is loaded: sorts agree, right sides use only what is
//! bound, functions and strategies exist. A rule that passes cannot turn an operator into a
//! predicate.

use super::error::{RuleError, TextPosition};
use super::nearest::meant;
use super::parser::RuleFile;
use super::pattern::{Action, Clause, Meta, Pattern, PatternKind, Rule, TypeName};
use super::sort::Sort;
use crate::language::functions::{self, Gives};
use crate::language::strategy::{Definition, Strategy};
use crate::terms::term::{BinaryOp, Functor};
use gridlock_semantics::algebra::operator::Head;

pub fn check(file: &str, rules: &mut RuleFile, library: &[Definition]) -> Result<(), RuleError> {
    for (index, rule) in rules.rules.iter().enumerate() {
        if rules.rules[..index].iter().any(|r| r.name == rule.name) {
            let message = format!("there are two rules `{}`", rule.name);
            return Err(RuleError::new(file, rule.at, message));
        }
    }
    let associative = rules.associative.clone();
    for rule in &mut rules.rules {
        check_rule(file, rule, &associative)?;
    }
    for definition in &rules.strategies {
        let scope = StrategyScope {
            file,
            rules,
            library,
            definition,
        };
        scope.check(&definition.body)?;
    }
    if rules.strategies.iter().all(|d| d.name != "main") {
        let end = TextPosition { line: 1, column: 1 };
        return Err(RuleError::new(file, end, "there is no `strategy main`"));
    }
    Ok(())
}

struct StrategyScope<'a> {
    file: &'a str,
    rules: &'a RuleFile,
    library: &'a [Definition],
    definition: &'a Definition,
}

impl StrategyScope<'_> {
    fn check(&self, strategy: &Strategy) -> Result<(), RuleError> {
        let rule_exists = |name: &str| self.rules.rules.iter().any(|r| &*r.name == name);
        match strategy {
            Strategy::Id | Strategy::Fail => Ok(()),
            Strategy::Rule(name) if rule_exists(name) => Ok(()),
            Strategy::Rule(name) => self.error(self.definition.at, format!("no rule `{name}`")),
            Strategy::Then(a, b) | Strategy::Else(a, b) => {
                self.check(a)?;
                self.check(b)
            }
            Strategy::Not(s)
            | Strategy::All(s)
            | Strategy::One(s)
            | Strategy::Some(s)
            | Strategy::Repeat(s) => self.check(s),
            Strategy::Call { name, args, at } => {
                args.iter().try_for_each(|arg| self.check(arg))?;
                let definitions = self.rules.strategies.iter().chain(self.library);
                let arity = if self.definition.params.contains(name) || rule_exists(name) {
                    Some(0)
                } else {
                    let found = definitions.clone().find(|d| d.name == *name);
                    found.map(|d| d.params.len())
                };
                match arity {
                    None => {
                        let rules = self.rules.rules.iter().map(|rule| &*rule.name);
                        let meant = meant(name, rules.chain(definitions.map(|d| d.name.as_str())));
                        self.error(*at, format!("no rule and no strategy `{name}`{meant}"))
                    }
                    Some(n) if n != args.len() => {
                        let given = args.len();
                        self.error(*at, format!("`{name}` takes {n} arguments, not {given}"))
                    }
                    Some(_) => Ok(()),
                }
            }
        }
    }

    fn error(&self, at: TextPosition, message: String) -> Result<(), RuleError> {
        Err(RuleError::new(self.file, at, message))
    }
}

/// Which side of a rule a pattern stands on.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// Matched: metavariables get bound, their sorts found.
    Left,
    /// Built: metavariables must be bound.
    Right,
    /// Judged by a condition.
    Condition,
}

struct Checker<'a> {
    file: &'a str,
    associative: &'a [BinaryOp],
    metas: &'a mut [Meta],
    bound: Vec<bool>,
    side: Side,
}

fn check_rule(file: &str, rule: &mut Rule, associative: &[BinaryOp]) -> Result<(), RuleError> {
    let mut metas = std::mem::take(&mut rule.metas);
    let n_metas = metas.len();
    let mut checker = Checker {
        file,
        associative,
        metas: &mut metas,
        bound: vec![false; n_metas],
        side: Side::Left,
    };
    let sort = checker.sort_of(&rule.source);
    checker.visit(&rule.source, sort)?;
    for clause in &rule.clauses {
        match clause {
            Clause::Condition(condition) => {
                checker.side = Side::Condition;
                checker.visit(&condition.formula, Sort::Predicate)?;
            }
            Clause::Bind(meta, pattern) => {
                checker.side = Side::Right;
                let sort = checker.sort_of(pattern);
                checker.visit(pattern, sort)?;
                checker.metas[*meta].sort = sort;
                checker.bound[*meta] = true;
            }
            Clause::Declare(local) => {
                checker.side = Side::Right;
                let local = &rule.locals[*local];
                if let TypeName::Of(pattern) = &local.ty {
                    checker.visit(pattern, Sort::Expr)?;
                }
                if let Some((_, extent)) = &local.array {
                    checker.visit(extent, Sort::Expr)?;
                }
            }
        }
    }
    checker.side = Side::Right;
    // A run of statements may become nothing, or one operator many.
    checker.visit(&rule.destination, sort)?;
    for action in &rule.actions {
        match action {
            Action::AddProcedure(procedure) => checker.visit(procedure, Sort::Any)?,
            Action::SetLaunch {
                kernel,
                grid,
                block,
            } => {
                checker.visit(kernel, Sort::Procedure)?;
                checker.visit(grid, Sort::Expr)?;
                checker.visit(block, Sort::Expr)?;
            }
        }
    }
    rule.metas = metas;
    Ok(())
}

impl Checker<'_> {
    fn error<T>(&self, at: TextPosition, message: String) -> Result<T, RuleError> {
        Err(RuleError::new(self.file, at, message))
    }

    /// The sort of what a pattern stands for.
    fn sort_of(&self, pattern: &Pattern) -> Sort {
        match &pattern.kind {
            PatternKind::Any | PatternKind::Run(_) => Sort::Any,
            PatternKind::Meta(id) => self.metas[*id].sort,
            PatternKind::List(_) | PatternKind::Cons(..) => Sort::List,
            PatternKind::Int { .. } => Sort::Int,
            PatternKind::Bool(_) => Sort::Predicate,
            PatternKind::Parameter(_) => Sort::Any,
            PatternKind::App(Functor::Helper(_), _) | PatternKind::Text(_) => Sort::Any,
            PatternKind::App(functor, _) if functor.is_operator() => Sort::Operator,
            PatternKind::App(Functor::Binary(op), _) if op.is_comparison() || op.is_logical() => {
                Sort::Predicate
            }
            PatternKind::App(..)
            | PatternKind::Element(..)
            | PatternKind::Cast(..)
            | PatternKind::SizeOf(_) => Sort::Expr,
            PatternKind::Either(items) => items.first().map_or(Sort::Any, |p| self.sort_of(p)),
            PatternKind::Local(_) => Sort::Name,
            PatternKind::With(inside, _) => self.sort_of(inside),
            PatternKind::Function(name, _) => match functions::find(name).map(|f| f.gives) {
                Some(Gives::Term(sort)) => sort,
                Some(Gives::Answer) => Sort::Predicate,
                None => Sort::Any,
            },
            PatternKind::Alloc(..)
            | PatternKind::Launch { .. }
            | PatternKind::Assign { .. }
            | PatternKind::For { .. }
            | PatternKind::Block(_)
            | PatternKind::Statements(_) => Sort::Operator,
            PatternKind::Procedure { .. } => Sort::Any,
        }
    }

    /// Checks that `pattern` may stand where `place` is asked for, and everything inside.
    fn visit(&mut self, pattern: &Pattern, place: Sort) -> Result<(), RuleError> {
        let at = pattern.at;
        match &pattern.kind {
            PatternKind::Meta(id) | PatternKind::Run(id) => {
                return self.metavariable(*id, place, at);
            }
            PatternKind::Any if self.side == Side::Right => {
                return self.error(at, "`_` matches anything: it cannot be built".into());
            }
            PatternKind::With(inside, replacements) => {
                if self.side == Side::Left {
                    return self.error(at, "`with` builds: it cannot be matched".into());
                }
                self.visit(inside, place)?;
                for replacement in replacements {
                    let side = std::mem::replace(&mut self.side, Side::Left);
                    let before = self.bound.clone();
                    let sort = self.sort_of(&replacement.from);
                    self.visit(&replacement.from, sort)?;
                    self.side = Side::Right;
                    // A cell, or a value, may take the place of a variable.
                    let sort = if sort == Sort::Name { Sort::Expr } else { sort };
                    self.visit(&replacement.to, sort)?;
                    self.bound = before;
                    self.side = side;
                }
                return Ok(());
            }
            PatternKind::Function(name, args) => return self.function(name, args, place, at),
            PatternKind::Cast(..) | PatternKind::SizeOf(_) if self.side == Side::Left => {
                let message = "conversions are left out of patterns".into();
                return self.error(at, message);
            }
            PatternKind::Local(_) if self.side == Side::Left => {
                let message = "a source declares nothing: use a metavariable".into();
                return self.error(at, message);
            }
            _ => {}
        }
        let own = self.sort_of(pattern);
        if !own.fits(place) {
            return self.error(at, format!("expected {place}, found {own}"));
        }
        self.inside(pattern)
    }

    fn metavariable(&mut self, id: usize, place: Sort, at: TextPosition) -> Result<(), RuleError> {
        let name = self.metas[id].name.clone();
        if self.side == Side::Left && !self.bound[id] {
            let Some(met) = self.metas[id].sort.meet(place) else {
                let was = self.metas[id].sort;
                return self.error(at, format!("`${name}` is {was}, expected {place}"));
            };
            self.metas[id].sort = met;
            self.bound[id] = true;
            return Ok(());
        }
        if !self.bound[id] {
            return self.error(at, format!("`${name}` is not bound by the source"));
        }
        let sort = self.metas[id].sort;
        if self.side == Side::Left {
            let Some(met) = sort.meet(place) else {
                return self.error(at, format!("`${name}` is {sort}, expected {place}"));
            };
            self.metas[id].sort = met;
            return Ok(());
        }
        if !sort.fits(place) && sort != Sort::List {
            return self.error(at, format!("`${name}` is {sort}, expected {place}"));
        }
        Ok(())
    }

    fn function(
        &mut self,
        name: &str,
        args: &[Pattern],
        place: Sort,
        at: TextPosition,
    ) -> Result<(), RuleError> {
        let Some(function) = functions::find(name) else {
            // Where a term is built, what builds one; else what answers.
            let wanted = |f: &&functions::Function| {
                matches!(f.gives, Gives::Answer) == !matches!(self.side, Side::Right)
            };
            let known = functions::FUNCTIONS.iter().filter(wanted).map(|f| f.name);
            let meant = meant(name, known.clone());
            let all: Vec<&str> = known.collect();
            let what = match self.side {
                Side::Right => "term function",
                Side::Left | Side::Condition => "analysis",
            };
            let message = format!("no {what} `{name}`{meant} (there are: {})", all.join(", "));
            return self.error(at, message);
        };
        if self.side == Side::Left {
            return self.error(at, format!("`{name}` is computed: it cannot be matched"));
        }
        if args.len() != function.arguments {
            let (takes, given) = (function.arguments, args.len());
            let message = format!("`{name}` takes {takes} arguments, not {given}");
            return self.error(at, message);
        }
        let own = match function.gives {
            Gives::Answer if self.side == Side::Right => {
                return self.error(at, format!("`{name}` is a condition, no term"));
            }
            Gives::Answer => Sort::Predicate,
            Gives::Term(sort) => sort,
        };
        if !own.fits(place) {
            return self.error(at, format!("expected {place}, found {own}"));
        }
        args.iter().try_for_each(|arg| {
            let sort = self.sort_of(arg);
            self.visit(arg, sort)
        })
    }

    fn inside(&mut self, pattern: &Pattern) -> Result<(), RuleError> {
        use Functor as F;
        match &pattern.kind {
            PatternKind::App(functor, args) => {
                let sorts: &[Sort] = match functor {
                    F::If => &[Sort::Predicate, Sort::Operator, Sort::Operator],
                    F::While => &[Sort::Predicate, Sort::Operator],
                    F::Par => &[Sort::Operator, Sort::Operator],
                    F::Basic(Head::Assert | Head::Assume) => &[Sort::Predicate],
                    F::Select => &[Sort::Predicate, Sort::Expr, Sort::Expr],
                    F::Helper(_) => &[],
                    F::Basic(Head::Atomic(..)) => &[Sort::Expr],
                    _ => &[Sort::Expr; 3],
                };
                for (index, arg) in args.iter().enumerate() {
                    if functor.is_expression() && matches!(arg.kind, PatternKind::Run(_)) {
                        self.run_of_operands(functor, arg.at)?;
                    }
                    let sort = match sorts.get(index) {
                        Some(sort) => *sort,
                        None => self.sort_of(arg),
                    };
                    self.visit(arg, sort)?;
                }
                Ok(())
            }
            PatternKind::List(_) | PatternKind::Cons(..) | PatternKind::Either(_) => {
                for part in pattern.parts() {
                    let sort = self.sort_of(part);
                    self.visit(part, sort)?;
                }
                Ok(())
            }
            PatternKind::Element(a, b) => {
                self.visit(a, Sort::Expr)?;
                self.visit(b, Sort::Expr)
            }
            PatternKind::Alloc(var, bytes) => {
                self.visit(var, Sort::Name)?;
                self.visit(bytes, Sort::Expr)
            }
            PatternKind::Launch {
                kernel,
                grid,
                block,
                args,
            } => {
                self.visit(kernel, Sort::Procedure)?;
                let exprs = grid.iter().chain(block).chain(args);
                exprs
                    .into_iter()
                    .try_for_each(|p| self.visit(p, Sort::Expr))
            }
            PatternKind::Assign { ty, var, value } => {
                self.type_name(ty.as_ref())?;
                self.visit(value, Sort::Expr)?;
                self.visit(var, Sort::Name)
            }
            PatternKind::For {
                ty,
                var,
                init,
                cond,
                step,
                body,
            } => {
                self.type_name(ty.as_ref())?;
                self.visit(var, Sort::Name)?;
                self.visit(init, Sort::Expr)?;
                self.visit(cond, Sort::Predicate)?;
                self.visit(step, Sort::Expr)?;
                self.visit(body, Sort::Operator)
            }
            PatternKind::Block(items) | PatternKind::Statements(items) => self.statements(items),
            PatternKind::Procedure {
                name, params, body, ..
            } => {
                self.visit(name, Sort::Procedure)?;
                for param in params {
                    self.visit(param, Sort::Name)?;
                }
                self.statements(body)
            }
            PatternKind::Cast(_, a) => self.visit(a, Sort::Expr),
            PatternKind::SizeOf(ty) => self.type_name(Some(ty)),
            _ => Ok(()),
        }
    }

    /// A run among operands: of operators whose brackets do not matter.
    fn run_of_operands(&self, functor: &Functor, at: TextPosition) -> Result<(), RuleError> {
        match functor {
            Functor::Binary(op) if self.associative.contains(op) => Ok(()),
            Functor::Binary(_) => {
                let message = "a run of operands: this operator is not declared `associative`";
                self.error(at, message.into())
            }
            _ => self.error(at, "a run cannot stand here".into()),
        }
    }

    fn statements(&mut self, items: &[Pattern]) -> Result<(), RuleError> {
        items.iter().try_for_each(|item| match item.kind {
            // A shared array's declaration.
            PatternKind::Local(_) => Ok(()),
            _ => self.visit(item, Sort::Operator),
        })
    }

    fn type_name(&mut self, ty: Option<&TypeName>) -> Result<(), RuleError> {
        match ty {
            Some(TypeName::Of(pattern)) => self.visit(pattern, Sort::Expr),
            _ => Ok(()),
        }
    }
}
