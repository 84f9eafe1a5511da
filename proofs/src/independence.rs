//! Whether the iterations of a sequential loop are independent: no iteration writes what another
//! reads or writes, and no scalar is carried from one to the next.

use crate::machine::{Followed, Machine};
use crate::term::TermId;
use crate::value::State;
use gridlock_semantics::operator::{Op, OpId};
use gridlock_semantics::program::{ProcId, Program, VarId};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Independence {
    /// For every state the loop may be entered in; `assumptions` in plain sentences.
    Yes {
        assumptions: Vec<String>,
    },
    /// Two iterations touch one cell, or a scalar is carried, at least in the over-approximation.
    No {
        why: String,
    },
    Unknown {
        why: String,
    },
}

/// A loop that is looked for during a run, and what was seen in it.
pub struct Watched {
    pub op: OpId,
}

impl<'p> Machine<'p> {
    pub(crate) fn watch(
        &mut self,
        _op: &'p Op,
        _inside: &State,
        _assigned: &[(VarId, bool)],
        _number: TermId,
    ) -> Followed<()> {
        Ok(())
    }
}

/// Judges the counted loop `loop_op` (its `Seq[init, While]` or the `While`) of `proc`.
pub fn independent_iterations(
    program: &Program,
    proc: ProcId,
    loop_op: OpId,
    query_timeout: Duration,
) -> Independence {
    let _ = (program, proc, query_timeout);
    Independence::Unknown {
        why: format!("no analysis was attempted for operator {}", loop_op.0),
    }
}
