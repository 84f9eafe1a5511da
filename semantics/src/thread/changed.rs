//! What a step makes of its thread. Most steps change a variable and what runs next, and nothing else: of a state that no
//! other shares that is changed in place.

use super::residual::Residual;
use super::state::{Frame, Status, ThreadState};
use crate::algebra::ids::VarId;
use crate::algebra::program::Program;
use crate::algebra::value::Value;

/// A thread after a step, except for values that it gets from memory when the effect is applied.
#[derive(Clone, Debug)]
pub enum Changed {
    /// The innermost frame differs, or the thread has ended.
    Innermost {
        /// A variable and its value.
        assigned: Option<(VarId, Value)>,
        /// What runs next; `None`: what comes after the head.
        rest: Option<Residual>,
        /// It was the last step, and this variable holds the result of the entry procedure, if it has one.
        ended: Option<Option<VarId>>,
    },
    /// Anything may differ.
    Whole(Box<ThreadState>),
}

impl Changed {
    /// The thread goes on with `rest` in the procedure that it is in, or with what comes after the head, if there is anything
    /// left to do.
    pub(super) fn going_on(
        program: &Program,
        before: &ThreadState,
        assigned: Option<(VarId, Value)>,
        rest: Option<Residual>,
    ) -> Changed {
        let is_last = |frame: &Frame| match &rest {
            Some(rest) => rest.is_empty(),
            None => frame.rest.ends_with_head(),
        };
        let ended = match before.frames.as_slice() {
            [entry] if is_last(entry) => Some(program.proc(entry.proc).result),
            _ => None,
        };
        Changed::Innermost {
            assigned,
            rest,
            ended,
        }
    }

    /// Whether the thread goes on.
    pub fn is_running(&self) -> bool {
        match self {
            Changed::Innermost { ended, .. } => ended.is_none(),
            Changed::Whole(after) => after.is_running(),
        }
    }

    /// Changes the thread.
    pub fn make(self, thread: &mut ThreadState) {
        match self {
            Changed::Whole(after) => *thread = *after,
            Changed::Innermost {
                assigned,
                rest,
                ended,
            } => {
                if let Some((var, value)) = assigned {
                    thread.assign(var, value);
                }
                if let Some(frame) = thread.frames.last_mut() {
                    match rest {
                        Some(rest) => frame.rest = rest,
                        None => frame.rest.advance(),
                    }
                }
                if let Some(result) = ended {
                    thread.result = result.and_then(|var| {
                        let entry = thread.frames.last()?;
                        entry.vars.get(var.0 as usize).copied()
                    });
                    thread.end(Status::Ended);
                }
            }
        }
    }
}

/// A thread in the middle of a step.
pub(super) struct Changing<'a> {
    before: &'a ThreadState,
    assigned: Option<(VarId, Value)>,
    /// Apart, as few steps have it.
    whole: Option<Box<ThreadState>>,
}

impl<'a> Changing<'a> {
    pub fn new(before: &'a ThreadState) -> Changing<'a> {
        Changing {
            before,
            assigned: None,
            whole: None,
        }
    }

    /// Assigns a variable of the innermost frame; once in a step.
    pub fn assign(&mut self, var: VarId, value: Value) {
        match &mut self.whole {
            Some(whole) => whole.assign(var, value),
            None => self.assigned = Some((var, value)),
        }
    }

    /// The thread, to be changed in any way.
    pub fn whole(&mut self) -> &mut ThreadState {
        let (before, assigned) = (self.before, self.assigned.take());
        self.whole.get_or_insert_with(|| {
            let mut whole = Box::new(before.clone());
            if let Some((var, value)) = assigned {
                whole.assign(var, value);
            }
            whole
        })
    }

    /// Removes the head.
    pub fn advanced(self, program: &Program) -> Changed {
        if let Some(mut whole) = self.whole {
            whole.advance(program);
            return Changed::Whole(whole);
        }
        Changed::going_on(program, self.before, self.assigned, None)
    }
}
