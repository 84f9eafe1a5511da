//! What names mean: the arrays and procedures of the file, the arrays and variables of a
//! procedure.

use super::problem::{Problem, Reading};
use super::token::Name;
use super::words;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use std::collections::HashMap;

/// What a name of a procedure's scope stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Var(VarId),
    Array(ArrayId),
}

/// Names with where they were declared.
#[derive(Debug, Default)]
pub struct Scope {
    known: HashMap<Name, (Meaning, Span)>,
}

impl Scope {
    /// # Errors
    /// The name is taken.
    pub fn declare(&mut self, name: &Name, meaning: Meaning, at: Span) -> Reading<()> {
        match self.known.insert(name.clone(), (meaning, at)) {
            None => Ok(()),
            Some((_, first)) => taken(name, at, first),
        }
    }

    pub fn get(&self, name: &Name) -> Option<Meaning> {
        self.known.get(name).map(|(meaning, _)| *meaning)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(|name| &*name.text)
    }
}

fn taken<T>(name: &Name, at: Span, first: Span) -> Reading<T> {
    let message = format!(
        "{} is declared twice, first in line {}; to keep both, call one `{}#{}`",
        shown(name),
        first.line,
        name.text,
        name.number + 1
    );
    Problem::at(at, message)
}

/// A name as messages show it.
pub fn shown(name: &Name) -> String {
    match name.number {
        1 => format!("`{}`", name.text),
        number => format!("`{}#{number}`", name.text),
    }
}

/// The names of the file.
#[derive(Debug, Default)]
pub struct FileScope {
    pub arrays: Scope,
    procs: HashMap<(ProcKind, Name), (ProcId, Span)>,
    /// Arrays and variables of each procedure.
    pub inside: Vec<Scope>,
}

impl FileScope {
    /// # Errors
    /// A procedure of this kind has the name.
    pub fn declare_proc(
        &mut self,
        kind: ProcKind,
        name: &Name,
        id: ProcId,
        at: Span,
    ) -> Reading<()> {
        match self.procs.insert((kind, name.clone()), (id, at)) {
            None => Ok(()),
            Some((_, first)) => taken(name, at, first),
        }
    }

    pub fn find_proc(&self, kind: ProcKind, name: &Name) -> Option<ProcId> {
        self.procs.get(&(kind, name.clone())).map(|(id, _)| *id)
    }

    /// The procedure of a kind, and what is wrong when there is none.
    pub fn proc(&self, kind: ProcKind, name: &Name, at: Span) -> Reading<ProcId> {
        if let Some(id) = self.find_proc(kind, name) {
            return Ok(id);
        }
        let what = kind_words(kind);
        let given = shown(name);
        let mut message = format!("there is no {what} {given}");
        let others = [ProcKind::Host, ProcKind::Device, ProcKind::Kernel];
        if let Some(other) = others
            .into_iter()
            .find(|k| self.find_proc(*k, name).is_some())
        {
            message.push_str(&format!(": {given} is a {}", kind_words(other)));
        } else {
            let of_kind = self.procs.keys().filter(|(k, _)| *k == kind);
            let names = of_kind.map(|(_, name)| &*name.text);
            message.push_str(&did_you_mean(&name.text, names));
        }
        Problem::at(at, message)
    }

    /// What a name means in a procedure: its own, then the file's.
    pub fn meaning(&self, proc: ProcId, name: &Name, at: Span) -> Reading<Meaning> {
        let own = &self.inside[proc.0 as usize];
        if let Some(meaning) = own.get(name).or_else(|| self.arrays.get(name)) {
            return Ok(meaning);
        }
        let mut message = format!("{} is not declared", shown(name));
        if self.procs.keys().any(|(_, known)| known == name) {
            message = format!(
                "{} is a procedure: a call is an operator, `x := CALL {}(…)`",
                shown(name),
                name.text
            );
        } else {
            let names = own.names().chain(self.arrays.names());
            message.push_str(&did_you_mean(&name.text, names));
        }
        Problem::at(at, message)
    }
}

fn did_you_mean<'a>(given: &str, among: impl Iterator<Item = &'a str>) -> String {
    match words::nearest(given, among) {
        Some(near) => format!(" (did you mean `{near}`?)"),
        None => String::new(),
    }
}

const fn kind_words(kind: ProcKind) -> &'static str {
    match kind {
        ProcKind::Host => "host procedure",
        ProcKind::Device => "device procedure",
        ProcKind::Kernel => "kernel",
    }
}
