//! One procedure while it is translated.
//!
//! Three types stand on each other, and each can do what those below it can. [`source::Source`] answers questions
//! about what is read; [`code::Code`] makes the procedure's variables and operators, and reads and writes places;
//! [`Body`] reads expressions and statements, which contain each other. A function belongs to the lowest of them that
//! has what it needs, so its type says what it can change.
//!
//! Expressions of the algebra have no side effects. The side effects of a C expression
//! (assignments, calls, atomics) become operators before it, left to right; an operand that was
//! evaluated earlier is kept in a temporary if a later side effect could change it.

pub(crate) mod asked;
pub(crate) mod binding;
pub(crate) mod captures;
pub(crate) mod code;
pub(crate) mod flow;
pub(crate) mod group_copies;
pub(crate) mod operands;
pub(crate) mod parameters;
pub(crate) mod program_builder;
pub(crate) mod rereading;
pub(crate) mod source;
pub(crate) mod stored_pointers;
pub(crate) mod thread_copies;

pub(crate) use crate::body::code::TEMPORARY;

use crate::body::code::Code;
use crate::body::program_builder::Builder;
use crate::body::source::Source;
use crate::refusal::Result;
use crate::spans::join;
use crate::unit::Unit;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A function that is being read.
pub(crate) struct Body<'u, 'a> {
    pub(crate) code: Code<'u, 'a>,
    /// How many calls were read in place, including discarded readings.
    pub(crate) n_in_place: usize,
    /// Whether arguments are being read only to find the effects of evaluating them.
    pub(crate) compares_arguments: bool,
}

impl<'u, 'a> Deref for Body<'u, 'a> {
    type Target = Code<'u, 'a>;

    fn deref(&self) -> &Code<'u, 'a> {
        &self.code
    }
}

impl<'u, 'a> DerefMut for Body<'u, 'a> {
    fn deref_mut(&mut self) -> &mut Code<'u, 'a> {
        &mut self.code
    }
}

impl<'u, 'a> Body<'u, 'a> {
    pub(crate) fn new(
        unit: &'u Unit<'a>,
        builder: &'u mut Builder,
        proc: ProcId,
        kind: ProcKind,
    ) -> Body<'u, 'a> {
        let source = Source {
            unit,
            kind,
            intrinsic_at: None,
        };
        Body {
            code: Code::new(source, builder, proc),
            n_in_place: 0,
            compares_arguments: false,
        }
    }

    /// The operators that `make` emits, instead of emitting them here.
    pub(crate) fn block(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Arc<Op>>> {
        let (ops, ()) = self.apart(make)?;
        Ok(ops)
    }

    /// The operators that `make` emits, instead of emitting them here, and what it gives.
    pub(crate) fn apart<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Vec<Arc<Op>>, T)> {
        let before = self.begin_apart();
        let made = make(self);
        let ops = self.end_apart(before);
        Ok((ops, made?))
    }
}

/// Operators one after another, as one operator.
pub(crate) fn sequence(mut ops: Vec<Arc<Op>>) -> Arc<Op> {
    match ops.len() {
        0 => Op::skip(),
        1 => ops.swap_remove(0),
        _ => {
            let span = join(ops[0].span, ops[ops.len() - 1].span);
            Op::new(OpKind::Seq(ops), span)
        }
    }
}
