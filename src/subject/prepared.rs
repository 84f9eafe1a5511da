//! A program in all the forms engines need, made once.

use gridlock_checker::compiled::{self, Compiled};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::atomic_form::atomic_form;
use std::sync::Arc;

/// One program in its forms.
pub struct Prepared {
    /// What the user wrote: expressions may read memory.
    pub surface: Arc<Program>,
    /// At most one access to non-private memory an operator.
    pub atomic: Arc<Program>,
    /// Register code of the atomic form.
    pub compiled: Compiled,
}

impl Prepared {
    /// The same program; canonical runs of it note which branches they take.
    pub fn watched(&self) -> Prepared {
        Prepared {
            surface: self.surface.clone(),
            atomic: self.atomic.clone(),
            compiled: self.compiled.watched(),
        }
    }

    /// `program` is well-formed and in surface form.
    pub fn new(program: Program) -> Prepared {
        let surface = Arc::new(program);
        let atomic = Arc::new(atomic_form(&surface));
        let compiled = compiled::compile(&atomic);
        Prepared {
            surface,
            atomic,
            compiled,
        }
    }
}
