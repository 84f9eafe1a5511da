//! The procedure whose body is read, among everything that has a name.

use super::super::problem::{Problem, Reading};
use super::super::scope::FileScope;
use super::super::type_text::base_type;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::program::Procedure;
use gridlock_semantics::algebra::span::Span;

/// Everything that has a name.
pub struct Declared {
    pub names: FileScope,
    pub arrays: Vec<ArrayDecl>,
    /// Their bodies are empty at first.
    pub procs: Vec<Procedure>,
}

/// The procedure whose body is read.
pub struct Place<'a> {
    pub declared: &'a Declared,
    pub id: ProcId,
}

impl Declared {
    /// Pointer to the first element, qualified as the declaration says.
    pub fn base(&self, array: ArrayId) -> Expr {
        Expr::array_base(array, base_type(&self.arrays[array.0 as usize]))
    }
}

impl Place<'_> {
    pub fn proc(&self) -> &Procedure {
        &self.declared.procs[self.id.0 as usize]
    }

    /// A variable as an expression.
    pub fn var(&self, var: VarId) -> Expr {
        Expr::var(var, self.proc().vars[var.0 as usize].ty)
    }

    /// An array may be used where its memory can be reached.
    pub fn reach(&self, array: ArrayId, at: Span) -> Reading<()> {
        use gridlock_semantics::algebra::program::ProcKind;
        let decl = &self.declared.arrays[array.0 as usize];
        let name = &decl.name;
        let on_host = self.proc().kind == ProcKind::Host;
        match decl.space {
            Space::Host if !on_host => Problem::at(at, format!("`{name}` is memory of the host")),
            Space::Shared if on_host => Problem::at(
                at,
                format!("`{name}` is shared memory, which the host has not"),
            ),
            _ => Ok(()),
        }
    }
}
