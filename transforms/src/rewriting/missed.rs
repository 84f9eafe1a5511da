//! Loops that no rule matches, each with the rule that comes nearest and the first part of the loop that it
//! does not match.

use crate::analysis::usage::assigned_variables;
use crate::language::pattern::{ParameterValue, Pattern, PatternKind, Rule};
use crate::matching::matcher::Matcher;
use crate::matching::modulo::Search;
use crate::rewriting::record::{Missed, Refusal};
use crate::rules::RuleSystem;
use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::expr::UnaryOp;
use gridlock_semantics::algebra::types::Type;
use std::collections::BTreeMap;

/// The loops of a program that nothing was said of.
pub(crate) fn missed(
    program: &TermProgram,
    system: &RuleSystem,
    params: &BTreeMap<String, ParameterValue>,
    refusals: &[Refusal],
) -> Vec<Missed> {
    let rules: Vec<(&Rule, Counted<'_>)> = system
        .rules()
        .iter()
        .filter_map(|rule| Some((rule, Counted::of(&rule.source)?)))
        .collect();
    let mut all = Vec::new();
    if rules.is_empty() {
        return all;
    }
    let names = program.procedure_names();
    for (procedure, name) in program.root.children().iter().zip(names) {
        procedure.walk(&mut |term| {
            let is_loop =
                term.args_of(&Functor::For).is_some() || term.args_of(&Functor::While).is_some();
            let span = term.span();
            if !is_loop || refusals.iter().any(|refusal| refusal.span == span) {
                return;
            }
            let nearest = |(rule, source): &(&Rule, Counted<'_>)| {
                let search = Search::default();
                let matcher = Matcher {
                    metas: &rule.metas,
                    commutative: system.commutative(),
                    associative: system.associative(),
                    search: &search,
                    params,
                };
                source.matched(&matcher, term)
            };
            // Of several as near the first.
            let best = rules
                .iter()
                .enumerate()
                .max_by_key(|(n, rule)| (nearest(rule), usize::MAX - n));
            let Some((_, best)) = best else {
                return;
            };
            all.push(Missed {
                procedure: name.to_string(),
                span,
                rule: term.args_of(&Functor::For).map(|_| best.0.name.to_string()),
                part: part(term, nearest(best)),
            });
        });
    }
    all
}

/// The pattern of a counted loop.
struct Counted<'a> {
    var: &'a Pattern,
    parts: [&'a Pattern; 4],
}

impl<'a> Counted<'a> {
    /// Of a rule whose source is one such loop.
    fn of(source: &'a Pattern) -> Option<Counted<'a>> {
        match &source.kind {
            PatternKind::For {
                var,
                init,
                cond,
                step,
                body,
                ..
            } => Some(Counted {
                var,
                parts: [init, cond, step, body],
            }),
            PatternKind::Statements(only) if only.len() == 1 => Counted::of(&only[0]),
            _ => None,
        }
    }

    /// How many of its parts a loop matches, in the order start, condition, step, body.
    fn matched(&self, matcher: &Matcher<'_>, term: &Term) -> usize {
        let Some([var, parts @ ..]) = term.args_of(&Functor::For) else {
            return 0;
        };
        let all: Vec<(&Pattern, &Term)> = [(self.var, var)]
            .into_iter()
            .chain(self.parts.into_iter().zip(parts))
            .collect();
        let matches = |n: &usize| {
            let mut substitution = matcher.substitution();
            matcher.solve_pairs(&all[..=*n], &mut substitution, &mut |_| true)
        };
        (1..=self.parts.len()).take_while(matches).count()
    }
}

/// The first part of a loop that is not among the first so many.
fn part(term: &Term, matched: usize) -> String {
    let Some([var, init, cond, step, body]) = term.args_of(&Functor::For) else {
        return "it counts nothing: no variable is set before it and moved on at its end alone"
            .to_owned();
    };
    match matched {
        0 => format!("it starts at `{var} = {init}`"),
        1 if is_left_early(cond, body) => {
            format!("a `return` or `break` inside may end it: its condition is `{cond}`")
        }
        1 => format!("its condition is `{cond}`"),
        2 => format!("its step is `{var} = {step}`"),
        _ => "its body has another form".to_owned(),
    }
}

/// Whether a loop goes on only while a variable is false that its body assigns: so `return` and `break` are read.
fn is_left_early(cond: &Term, body: &Term) -> bool {
    let assigned = assigned_variables(body);
    let mut found = false;
    cond.walk(&mut |t| {
        let variable = match t.args_of(&Functor::Unary(UnaryOp::Not)) {
            Some([inner]) => inner.as_variable(),
            _ => None,
        };
        found |= variable.is_some_and(|v| v.ty == Type::BOOL && assigned.contains(&v.id));
    });
    found
}
