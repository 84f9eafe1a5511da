//! Where a rule's source matches within a term: the term itself, or a run of its statements.

use crate::building::provenance::sources;
use crate::language::pattern::{Pattern, PatternKind};
use crate::matching::matcher::{Binding, Matcher, Substitution};
use crate::terms::term::Term;
use gridlock_semantics::algebra::operator::OpId;

/// What a source matched within the term at hand.
pub struct MatchPlace<'t> {
    pub focus: &'t Term,
    /// Statements in front of and behind the run matched.
    pub around: Option<(Vec<Term>, Vec<Term>)>,
    /// What is replaced.
    pub matched: Vec<Term>,
}

/// Every place in `focus` where a source matches, and how.
pub fn solve(
    source: &Pattern,
    focus: &Term,
    matcher: &Matcher,
    accept: &mut dyn FnMut(&Substitution, MatchPlace) -> bool,
) {
    let mut substitution = matcher.substitution();
    let PatternKind::Statements(items) = &source.kind else {
        let whole = || MatchPlace {
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
        let whole = || MatchPlace {
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
            let place = MatchPlace {
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

/// Ids, in the program rewritten, of the operators a match takes away.
pub fn replaced_operators(matched: &[Term]) -> Vec<OpId> {
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
