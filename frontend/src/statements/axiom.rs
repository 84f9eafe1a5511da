//! `__axiom(c)` at file scope, of GPUVerify's annotations: launches on which it is false do not count, for
//! any kernel of the file.

use crate::body::Body;
use crate::refusal::Result;
use crate::syntax::NodeExt;
use crate::syntax::statement::{Jump, Statement};
use crate::unit::is_axiom;
use gridlock_semantics::algebra::operator::Basic;

impl Body<'_, '_> {
    /// Assumes the axioms of the file.
    pub(crate) fn assume_axioms(&mut self) -> Result<()> {
        let unit = self.unit;
        for function in unit.functions.iter().filter(|f| is_axiom(f)) {
            let last = function.body.last().map(|last| last.statement());
            let Some(Statement::Jump(Jump::Return(Some(says)))) = last else {
                return self.refuse(function.node, "this axiom");
            };
            let cond = self.condition(says)?;
            let span = self.span(says);
            self.emit(Basic::Assume { cond }, span);
        }
        Ok(())
    }
}
