//! Questions about programs that conditions of rules ask. Each answer is sound in the direction
//! its function states; `Unknown` is never taken for `Yes`.

pub(crate) mod additive;
pub(crate) mod affine;
pub(crate) mod aliasing;
pub(crate) mod cells;
pub(crate) mod independence;
pub(crate) mod liveness;
pub(crate) mod marks;
pub(crate) mod nest;
mod nest_reader;
mod polynomial;
pub(crate) mod privacy;
pub(crate) mod straight;
pub(crate) mod streams;
pub(crate) mod uniformity;
pub(crate) mod usage;

use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;

/// What an analysis knows of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds, for certain.
    Yes,
    /// It does not hold, for certain.
    No,
    /// It may hold or not; a condition counts this as failed unless it is assumed.
    Unknown,
}

impl Answer {
    /// `Yes` when it is known to hold; `Unknown` otherwise.
    pub fn known(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::Unknown }
    }

    /// For a question that is answered either way for certain.
    pub fn decided(holds: bool) -> Answer {
        if holds { Answer::Yes } else { Answer::No }
    }
}

/// Who is asked what the built-in analyses leave open (a solver, say), from whatever thread.
pub trait Oracle: Sync {
    /// Whether, for all inputs, no iteration of the counted loop at operator `loop_op` (the
    /// sequence of initialisation and `while`) writes a memory cell that another iteration
    /// touches. `Yes` and `No` are certain.
    fn independent_iterations(&self, program: &Program, proc: ProcId, loop_op: OpId) -> Answer {
        let _ = (program, proc, loop_op);
        Answer::Unknown
    }
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl Oracle for NoOracle {}
