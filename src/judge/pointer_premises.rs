//! What is taken for granted of the memory that pointer arguments lead to, and what of its bounds is not judged.

use crate::subject::{self, EntryPoint, premises};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::{Gap, NotJudged};
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::{ProcKind, Program};

/// Which entry of which subject.
pub(super) struct Entry<'a> {
    /// Index into [`Judgement::subjects`].
    pub subject: usize,
    pub program: &'a Program,
    pub point: &'a EntryPoint,
}

impl Entry<'_> {
    /// Bounds of the arrays without an extent, as far as `is_known` says so of none, are not judged.
    pub fn note_open_bounds(
        &self,
        not_judged: &mut Statements<NotJudged>,
        is_known: impl Fn(VarId) -> bool,
    ) {
        let open = premises::without_extent(self.program, self.point.proc, is_known);
        if !open.is_empty() {
            let arrays = open.iter().map(|name| (*name).to_owned()).collect();
            not_judged.note(self.gap(Gap::BoundsWithoutExtent { arrays }));
        }
        if self.point.shared_is_open {
            let arrays = subject::dynamic_shared(self.program, self.point.proc);
            let arrays = arrays.iter().map(|array| array.name.to_string()).collect();
            not_judged.note(self.gap(Gap::BoundsOfOpenShared { arrays }));
        }
    }

    /// Pointer arguments of an entry that asks for null pointers are taken to be none.
    pub fn note_not_null(&self, assumptions: &mut Statements<Assumption>) {
        if !premises::features(self.program, self.point.proc).asks_for_null {
            return;
        }
        let is_given = |v| self.point.nulls.contains(&v);
        let open = premises::without_extent(self.program, self.point.proc, is_given);
        if !open.is_empty() {
            assumptions.note(Assumption::NotNull {
                entry: self.program.proc(self.point.proc).name.to_string(),
                arguments: open.iter().map(|name| (*name).to_owned()).collect(),
            });
        }
    }

    /// Pointer arguments of a kernel are taken to lead to memory of their own; those of host code are where a proof covers
    /// what they lead to.
    pub fn note_aliasing(&self, judgement: &mut Judgement, of_host: bool) {
        let procedure = self.program.proc(self.point.proc);
        let open = |v| self.point.nulls.contains(&v);
        let pointers = premises::without_extent(self.program, self.point.proc, open);
        if (procedure.kind == ProcKind::Kernel || of_host) && pointers.len() > 1 {
            let kernel = procedure.name.to_string();
            judgement
                .assumptions
                .note(Assumption::NoAliasing { kernel });
        }
    }

    fn gap(&self, gap: Gap) -> NotJudged {
        NotJudged {
            subject: self.subject,
            gap,
            place: None,
        }
    }
}
