//! Answers, from proofs, to what the built-in analyses of the rules leave open.

use gridlock_proofs::{Independence, independent_iterations};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_transforms::analysis::{Answer, Oracle};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

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

/// Asks the solver, and the same nothing twice.
#[derive(Default)]
pub struct RememberingOracle {
    asked: SolverOracle,
    answers: Mutex<HashMap<(String, ProcId, OpId), Answer>>,
}

impl Oracle for RememberingOracle {
    fn independent_iterations(&self, program: &Program, proc: ProcId, loop_op: OpId) -> Answer {
        let text = print::program(program, PrintOptions::default());
        let question = (text, proc, loop_op);
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(&question) {
            return *known;
        }
        let answer = self.asked.independent_iterations(program, proc, loop_op);
        answers().insert(question, answer);
        answer
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
