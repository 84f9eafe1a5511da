//! Code that is read twice. A call that changes its own arguments is read again in another way, and the effects of an
//! argument are found by reading it separately and discarding the result.

use crate::body::binding::Binding;
use crate::body::captures::Captures;
use crate::body::code::Code;
use crate::body::group_copies::GroupCopies;
use crate::body::stored_pointers::StoredPointers;
use crate::body::thread_copies::ThreadCopies;
use clang_ast::Id;
use std::collections::{HashMap, HashSet};

/// The state before a reading, to which the reading adds.
pub(crate) struct Before {
    n_vars: usize,
    n_notes: usize,
    n_arrays: usize,
    n_asked: usize,
    n_unordered: usize,
    taken: HashSet<String>,
    /// A name of the file is bound to its array when it is first met.
    bindings: HashMap<Id, Binding>,
    captures: HashMap<String, Captures>,
    group_copies: GroupCopies,
    thread_copies: ThreadCopies,
    stored_pointers: StoredPointers,
}

impl Before {
    /// How many variables there were.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
}

impl Code<'_, '_> {
    pub(crate) fn before_reading(&self) -> Before {
        Before {
            n_vars: self.vars.len(),
            n_notes: self.notes.len(),
            n_arrays: self.builder.mark(),
            n_asked: self.arbitrary.found.len(),
            n_unordered: self.unordered.len(),
            taken: self.taken.clone(),
            bindings: self.bindings.clone(),
            captures: self.captures.clone(),
            group_copies: self.group_copies.clone(),
            thread_copies: self.thread_copies.clone(),
            stored_pointers: self.stored_pointers.clone(),
        }
    }

    /// Restores this state. The operators are not part of it: the reader keeps them separately.
    pub(crate) fn take_back(&mut self, before: &Before) {
        self.vars.truncate(before.n_vars);
        self.unset.retain(|var| (var.0 as usize) < before.n_vars);
        self.notes.truncate(before.n_notes);
        self.builder.reset(before.n_arrays);
        self.arbitrary.found.truncate(before.n_asked);
        self.unordered.truncate(before.n_unordered);
        self.taken.clone_from(&before.taken);
        self.bindings.clone_from(&before.bindings);
        self.captures.clone_from(&before.captures);
        self.group_copies.clone_from(&before.group_copies);
        self.thread_copies.clone_from(&before.thread_copies);
        self.stored_pointers.clone_from(&before.stored_pointers);
    }
}
