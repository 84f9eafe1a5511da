//! Mutants of programs in surface form: what programmers get wrong, one mistake at a time. What
//! judges programs is judged by what it says of them.
//!
//! Only device code is mutated. Every mutant is well-formed; whether it does anything else than the
//! original is not asked here: some do not.

mod barrier;
mod exchange;
mod guard;
mod index;
mod racy;
mod sample;
mod shared;
mod step;
mod variant;

use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Op, OpId, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::print;
use gridlock_semantics::well_formed::check_well_formed;
use std::sync::Arc;

pub use sample::sample;

gridlock_semantics::closed! {
    /// What was done to a program. The first five are what is most often wrong in kernels.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Mutation {
        /// A barrier (of the block, the grid, a part of either, or the warp) is not there.
        BarrierDropped,
        /// A barrier stands on the other side of its neighbour, in a branch, in a loop, or behind
        /// the loop it was in.
        BarrierMoved,
        /// A subscript is one off, has another stride, or another variable or axis in it.
        IndexShifted,
        /// A condition holds more often: `<` for `<=`, another bound, a part of it left out, or all.
        GuardWeakened,
        /// What was each thread's own is written by many: a subscript without the thread in it, an
        /// atomic in two steps, a private variable or array in shared memory.
        WriteMadeRacy,
        /// A fence is not there, an atomic or a fence speaks of the block only, or an atomic beside
        /// others that threads learn from (a lock, say) is none any more.
        OrderWeakened,
        /// Warp operations: the mask lacks lanes, values come from elsewhere.
        LanesChanged,
        /// A counted loop begins elsewhere or makes another step.
        StepChanged,
    }
}

impl Mutation {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Mutation::BarrierDropped => "barrier-dropped",
            Mutation::BarrierMoved => "barrier-moved",
            Mutation::IndexShifted => "index-shifted",
            Mutation::GuardWeakened => "guard-weakened",
            Mutation::WriteMadeRacy => "write-made-racy",
            Mutation::OrderWeakened => "order-weakened",
            Mutation::LanesChanged => "lanes-changed",
            Mutation::StepChanged => "step-changed",
        }
    }
}

/// A program with one mistake put in.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Which kind of mistake.
    pub mutation: Mutation,
    /// What was done, in the program's own names; one phrase.
    pub description: String,
    /// The procedure it was done in.
    pub proc: ProcId,
    /// Where, in the original's text.
    pub span: Span,
    /// The original with the mistake in it, well-formed, its operators numbered anew.
    pub program: Program,
}

/// Every mutant of the program's device code, in textual order for each mutation.
pub fn mutants(program: &Program) -> Vec<Mutant> {
    let mut nursery = Nursery {
        program,
        found: Vec::new(),
    };
    barrier::dropped(&mut nursery);
    barrier::moved(&mut nursery);
    index::shifted(&mut nursery);
    guard::weakened(&mut nursery);
    racy::made_racy(&mut nursery);
    shared::made_shared(&mut nursery);
    exchange::order_weakened(&mut nursery);
    exchange::lanes_changed(&mut nursery);
    step::changed(&mut nursery);
    nursery.found
}

/// Where mutants gather.
struct Nursery<'a> {
    program: &'a Program,
    found: Vec<Mutant>,
}

impl<'a> Nursery<'a> {
    /// The operators of device code, in textual order.
    fn operators(&self) -> Vec<(ProcId, &'a Arc<Op>)> {
        let program = self.program;
        let on_device = |(proc, _): &(ProcId, &Arc<Op>)| program.proc(*proc).kind != ProcKind::Host;
        program.operators().into_iter().filter(on_device).collect()
    }

    fn text(&self, proc: ProcId, expr: &Expr) -> String {
        print::expr(self.program, proc, expr)
    }

    /// Keeps the program if it is well-formed and another than the original.
    fn keep(
        &mut self,
        mutation: Mutation,
        (proc, span): (ProcId, Span),
        mut program: Program,
        description: String,
    ) {
        program.number_operators();
        let is_new = program.arrays != self.program.arrays
            || program
                .procs
                .iter()
                .map(|p| &p.body)
                .ne(self.program.procs.iter().map(|p| &p.body));
        if is_new && check_well_formed(&program).is_ok() {
            self.found.push(Mutant {
                mutation,
                description,
                proc,
                span,
                program,
            });
        }
    }

    /// Keeps the program with `with` in place of the operator `at`; the place told is `span`.
    fn replace(
        &mut self,
        mutation: Mutation,
        (proc, span): (ProcId, Span),
        at: OpId,
        with: &Arc<Op>,
        description: String,
    ) {
        let mut program = self.program.clone();
        let body = &mut program.procs[proc.0 as usize].body;
        *body = substitute(body, at, with);
        self.keep(mutation, (proc, span), program, description);
    }

    /// Keeps a program for each variant of each expression of each operator of device code.
    /// `variants` gives those of one expression of the operator, which is its `n`-th.
    fn vary(
        &mut self,
        mutation: Mutation,
        variants: &dyn Fn(&Op, usize, &Expr) -> Vec<variant::Variant>,
    ) {
        for (proc, op) in self.operators() {
            for (n, expr) in op.expressions().into_iter().enumerate() {
                for variant in variants(op, n, expr) {
                    let with = variant::with_expression(op, n, variant.whole);
                    let description = format!(
                        "`{}` becomes `{}`",
                        self.text(proc, &variant.was),
                        self.text(proc, &variant.is)
                    );
                    self.replace(mutation, (proc, op.span), op.id, &with, description);
                }
            }
        }
    }
}

/// `body` with `with` in place of the operator `at`.
fn substitute(body: &Arc<Op>, at: OpId, with: &Arc<Op>) -> Arc<Op> {
    if body.id == at {
        return with.clone();
    }
    let inner = |op: &Arc<Op>| substitute(op, at, with);
    let kind = match &body.kind {
        OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(inner).collect()),
        OpKind::If {
            cond,
            then,
            otherwise,
        } => OpKind::If {
            cond: cond.clone(),
            then: inner(then),
            otherwise: inner(otherwise),
        },
        OpKind::While { cond, body } => OpKind::While {
            cond: cond.clone(),
            body: inner(body),
        },
        OpKind::Par(a, b) => OpKind::Par(inner(a), inner(b)),
        OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_) => return body.clone(),
    };
    with_kind(body, kind)
}

/// The operator with another meaning at the same place.
fn with_kind(op: &Op, kind: OpKind) -> Arc<Op> {
    Arc::new(Op { kind, ..op.clone() })
}
