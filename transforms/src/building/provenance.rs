//! Where the operators that rules build come from: the operators they replace, and their spans.

use crate::building::builder::Builder;
use crate::language::pattern::Pattern;
use crate::terms::term::{Mark, Origin};
use gridlock_semantics::algebra::operator::{OpId, Provenance};
use std::sync::Arc;

impl Builder<'_> {
    /// The origin of what stands for all that is replaced.
    pub fn origin(&self) -> Option<Arc<Origin>> {
        let (rule, from) = (self.rule.name.clone(), self.from.to_vec());
        Some(Origin::of(self.span, Provenance::Rule { rule, from }))
    }

    /// The origin of an operator built by `pattern`: that of the operator matched by the source's
    /// pattern most like it; else that of all that is replaced.
    pub(crate) fn origin_of(&self, pattern: &Pattern) -> Option<Arc<Origin>> {
        let matched = self.substitution.operators.iter();
        let like = matched.filter_map(|(at, term)| {
            let source = self.rule.source.operator_at(*at)?;
            source.is_like(pattern).then_some((source, term))
        });
        let agreement = |source: &Pattern| {
            let parts = source.parts();
            let pairs = parts.iter().zip(pattern.parts());
            pairs.filter(|(a, b)| a.says_the_same(b)).count()
        };
        // The first of those that agree most.
        let (_, term) = like.rev().max_by_key(|(source, _)| agreement(source))?;
        term.origin().map(|origin| self.rewritten(origin))
    }

    /// The origin of an operator rewritten in place: its span stays.
    pub(crate) fn rewritten(&self, origin: &Origin) -> Arc<Origin> {
        let marks = origin.marks.iter().map(|mark| Mark {
            id: OpId(u32::MAX),
            span: mark.span,
            provenance: Provenance::Rule {
                rule: self.rule.name.clone(),
                from: sources(mark),
            },
        });
        Arc::new(Origin {
            marks: marks.collect(),
        })
    }
}

/// The operators of the program rewritten that a mark stands for.
pub fn sources(mark: &Mark) -> Vec<OpId> {
    match &mark.provenance {
        _ if mark.id != OpId(u32::MAX) => vec![mark.id],
        Provenance::Rule { from, .. } => from.clone(),
        Provenance::Source | Provenance::AtomicForm { .. } => vec![],
    }
}
