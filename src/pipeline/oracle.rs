//! Answers, from proofs, to what the built-in analyses of the rules leave open.

use gridlock_proofs::{Independence, independent_iterations};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_transforms::analysis::{Answer, Oracle};

/// Asks the solver.
pub struct SolverOracle {
    /// What the solver does in about so many seconds is what it may do for one question.
    pub seconds: f64,
}

impl Default for SolverOracle {
    fn default() -> SolverOracle {
        SolverOracle { seconds: 10.0 }
    }
}

impl Oracle for SolverOracle {
    fn independent_iterations(&self, program: &Program, proc: ProcId, loop_op: OpId) -> Answer {
        match independent_iterations(program, proc, loop_op, self.seconds) {
            Independence::Yes { .. } => Answer::Yes,
            // "No" holds of the over-approximation only.
            Independence::No { .. } | Independence::Unknown { .. } => Answer::Unknown,
        }
    }
}
