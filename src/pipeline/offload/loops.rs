//! The loops of the host code that an entry comes to.

use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::reached::reached;
use gridlock_transforms::terms::conversion::TermProgram;
use gridlock_transforms::terms::term::{Functor, Term};

/// A loop, with those inside it.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The procedure it stands in.
    pub procedure: String,
    /// The variable that counts, where one does.
    pub counter: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// From there to the last operator in it.
    pub whole: Span,
    /// In the order of the text.
    pub inner: Vec<Loop>,
}

impl Loop {
    /// What the parameter `loop` of a rule system says where this loop is meant: its line, or its counter where
    /// another loop of the procedure begins in the same line.
    pub fn selector(&self, all: &[Loop]) -> String {
        let mut in_line = 0;
        walk(all, &mut |other| {
            in_line += u32::from(other.span.line == self.span.line);
        });
        match &self.counter {
            Some(counter) if in_line > 1 => counter.clone(),
            _ => self.span.line.to_string(),
        }
    }

    /// This loop and those inside it, the innermost first.
    pub fn inside_out(&self) -> Vec<&Loop> {
        let inner = self.inner.iter().flat_map(Loop::inside_out);
        inner.chain([self]).collect()
    }
}

/// Visits loops with all that are inside them, outer ones first.
pub(super) fn walk<'a>(loops: &'a [Loop], visit: &mut impl FnMut(&'a Loop)) {
    for one in loops {
        visit(one);
        walk(&one.inner, visit);
    }
}

/// The outermost loops of the host procedures that the entry comes to, itself among them, in the order of the text.
pub(super) fn loops(program: &Program, entry: ProcId) -> Vec<Loop> {
    let reached = reached(program, entry);
    let terms = TermProgram::from_program(program);
    let mut found = Vec::new();
    let procedures = terms.root.children().iter().zip(&program.procs);
    for (number, (term, procedure)) in procedures.enumerate() {
        let is_reached = reached.contains(&ProcId(number as u32));
        if is_reached && procedure.kind == ProcKind::Host {
            of_term(term, &procedure.name, &mut found);
        }
    }
    found.sort_by_key(|one| (one.span.file.0, one.span.line, one.span.column));
    found
}

fn of_term(term: &Term, procedure: &str, found: &mut Vec<Loop>) {
    let counted = term.args_of(&Functor::For);
    if counted.is_none() && term.args_of(&Functor::While).is_none() {
        for child in term.children() {
            of_term(child, procedure, found);
        }
        return;
    }
    let counter = counted.and_then(|args| args.first()?.as_variable());
    let mut inner = Vec::new();
    for child in term.children() {
        of_term(child, procedure, &mut inner);
    }
    found.push(Loop {
        procedure: procedure.to_owned(),
        counter: counter.map(|variable| variable.name.to_string()),
        span: term.span(),
        whole: whole(term),
        inner,
    });
}

/// From the first place to the last that a term has in the file where it begins.
fn whole(term: &Term) -> Span {
    let mut all = term.span();
    term.walk(&mut |part| {
        let place = part.span();
        if place.is_none() || place.file != all.file {
            return;
        }
        if (place.line, place.column) < (all.line, all.column) {
            (all.line, all.column) = (place.line, place.column);
        }
        if (place.end_line, place.end_column) > (all.end_line, all.end_column) {
            (all.end_line, all.end_column) = (place.end_line, place.end_column);
        }
    });
    all
}
