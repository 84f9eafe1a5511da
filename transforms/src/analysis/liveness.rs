//! Is what an array holds still read? Arrays live on the host or on the device, and go from one to
//! the other in copies, so that the contents of one side are dead where the other overwrites them.
//!
//! `dead` is certain where the host runs alone (`streams`): no run of the statements, to the end of the procedure, looks at a value that
//! the array holds before them. Pointers computed from one another are one array.

use super::aliasing::family;
use super::usage::{Access, assigned_variables, by_launch};
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::program::ProcKind;

/// What statements do to the contents an array had before them, in every run.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    /// They may look at them.
    Read,
    /// They never do, and afterwards the contents are gone.
    Killed,
    /// They never do.
    Kept,
}

/// Whether the contents of the array `pointer` points into are never read by `rest`, the statements
/// of `procedure` (of the host) up to its end.
pub fn dead(root: &Term, procedure: &Term, rest: &Term, pointer: &Term) -> bool {
    let [_, params, _, result, body] = procedure.children() else {
        return false;
    };
    let is_host = matches!(
        procedure.as_app(),
        Some((Functor::Procedure(ProcKind::Host), _))
    );
    let members = family(procedure, vec![pointer.clone()]);
    let [only] = &members[..] else {
        return false;
    };
    if !is_host || only != pointer || only.as_variable().is_none() || calls(body) {
        return false;
    }
    let look = Look {
        root,
        array: only,
        size: size(body, only),
    };
    match look.at(rest) {
        Fate::Read => false,
        Fate::Killed => true,
        // No other procedure knows an array that this procedure allocated.
        Fate::Kept => {
            let is_given = params.children().contains(only) || result.contains(only);
            !is_given && look.allocated(body)
        }
    }
}

/// Whether another procedure is called, which may wait for what this one began.
fn calls(body: &Term) -> bool {
    let mut found = false;
    body.walk(&mut |t| found |= t.args_of(&Functor::Call).is_some());
    found
}

/// The size, in bytes, of an array that is allocated in one place, of a size that does not change.
fn size(body: &Term, pointer: &Term) -> Option<Term> {
    let mut sizes = Vec::new();
    body.walk(&mut |t| {
        if let Some((Functor::Basic(Head::Alloc(..)), [target, bytes])) = t.as_app()
            && target == pointer
        {
            sizes.push(bytes.clone());
        }
    });
    let [only] = <[Term; 1]>::try_from(sizes).ok()?;
    let assigned = assigned_variables(body);
    let mut fixed = !super::usage::has_load(&only);
    only.walk(&mut |t| {
        fixed &= t.as_variable().is_none_or(|v| !assigned.contains(&v.id));
    });
    fixed.then_some(only)
}

struct Look<'a> {
    root: &'a Term,
    array: &'a Term,
    size: Option<Term>,
}

impl Look<'_> {
    fn allocated(&self, body: &Term) -> bool {
        let mut found = false;
        body.walk(&mut |t| {
            if let Some((Functor::Basic(Head::Alloc(..)), [target, _])) = t.as_app() {
                found |= target == self.array;
            }
        });
        found
    }

    fn names(&self, term: &Term) -> bool {
        term.contains(self.array)
    }

    fn at(&self, term: &Term) -> Fate {
        if !self.names(term) {
            return match leaves(term) {
                // Behind a way out nothing of what follows need happen.
                true => Fate::Read,
                false => Fate::Kept,
            };
        }
        let Some((functor, args)) = term.as_app() else {
            return Fate::Read;
        };
        match (functor, args) {
            (Functor::Seq, parts) => {
                let fates = parts.iter().map(|part| self.at(part));
                let mut decided = fates.filter(|fate| *fate != Fate::Kept);
                decided.next().unwrap_or(Fate::Kept)
            }
            (Functor::If, [cond, then, otherwise]) if !self.names(cond) => {
                match (self.at(then), self.at(otherwise)) {
                    (Fate::Read, _) | (_, Fate::Read) => Fate::Read,
                    (Fate::Killed, Fate::Killed) => Fate::Killed,
                    _ => Fate::Kept,
                }
            }
            (Functor::While, [cond, body]) if !self.names(cond) => self.repeated(body),
            (Functor::For, [var, init, cond, step, body])
                if ![var, init, cond, step].iter().any(|t| self.names(t)) =>
            {
                self.repeated(body)
            }
            (Functor::Basic(Head::Free(_)), [pointer]) if pointer == self.array => Fate::Killed,
            (Functor::Basic(Head::Alloc(..)), [pointer, bytes])
                if pointer == self.array && !self.names(bytes) =>
            {
                Fate::Killed
            }
            (Functor::Basic(Head::Copy(_)), [to, from, bytes])
                if !self.names(from) && !self.names(bytes) =>
            {
                match to == self.array && self.size.as_ref() == Some(bytes) {
                    true => Fate::Killed,
                    false => Fate::Kept,
                }
            }
            (Functor::Basic(Head::CallGpu(false)), [_, grid, block, bytes, _]) => {
                let shape = [grid, block, bytes].iter().any(|t| self.names(t));
                let only_writes = |found: Vec<Access>| found.iter().all(|access| access.is_write);
                match !shape && by_launch(self.root, term, self.array).is_some_and(only_writes) {
                    true => Fate::Kept,
                    false => Fate::Read,
                }
            }
            _ => Fate::Read,
        }
    }

    /// A body that may not run at all, or again.
    fn repeated(&self, body: &Term) -> Fate {
        match self.at(body) {
            Fate::Read => Fate::Read,
            Fate::Killed | Fate::Kept => Fate::Kept,
        }
    }
}

/// Whether a statement may end the run early.
fn leaves(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |t| found |= matches!(t.as_app(), Some((Functor::Basic(Head::Exit), _))));
    found
}
