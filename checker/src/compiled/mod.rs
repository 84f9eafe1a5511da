//! Programs compiled to flat register code. Each entry (kernel or host procedure) becomes one
//! array of instructions with every call inlined (there is no recursion), so that a program
//! counter alone says where a thread stands, call stack included. Values are raw 64-bit registers
//! with static types.

pub(crate) mod accessed;
pub(crate) mod arithmetic;
pub(crate) mod atomic;
mod code;
mod coverage;
mod expression;
mod host_operator;
pub(crate) mod instruction;
pub(crate) mod layout;
pub(crate) mod liveness;
pub(crate) mod memory;
mod operator;
pub(crate) mod raw;

pub(crate) use code::Code;
pub use coverage::{Branches, Missed, Ways};

use coverage::Coverage;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::atomic_form::atomic_form;
use operator::Builder;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: Arc<Program>,
    /// By procedure; `None` for device procedures and for those too large.
    entries: Vec<Option<Arc<Code>>>,
    spans: FxHashMap<OpId, Span>,
}

impl Compiled {
    /// The program this was compiled from, in atomic form.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The code of a kernel or host procedure; `None` for others, and when inlining made it
    /// larger than 4 Mi instructions.
    pub fn entry(&self, proc: ProcId) -> Option<&Arc<Code>> {
        self.entries.get(proc.0 as usize)?.as_ref()
    }

    /// The same code; canonical runs of it note which ways its branches go.
    pub fn watched(&self) -> Compiled {
        let watch = |code: &Option<Arc<Code>>| {
            code.as_ref().map(|code| {
                Arc::new(Code {
                    covered: Some(Coverage::of(&code.instrs)),
                    ..Code::clone(code)
                })
            })
        };
        Compiled {
            program: self.program.clone(),
            entries: self.entries.iter().map(watch).collect(),
            spans: self.spans.clone(),
        }
    }

    /// Which ways the branches of these procedures have gone, calls inlined; nothing of code that is not watched.
    pub fn branches(&self, procs: impl IntoIterator<Item = ProcId>) -> Branches {
        let mut branches = Branches::default();
        for proc in procs {
            if let Some(code) = self.entry(proc)
                && let Some(covered) = &code.covered
            {
                branches.add(&code.instrs, &code.ops, covered);
            }
        }
        branches
    }

    /// Which ways the branches of an entry have gone, one by one in the order of its code; none of code that is not watched.
    pub fn ways(&self, proc: ProcId) -> Vec<Ways> {
        let watched = self
            .entry(proc)
            .and_then(|code| Some((code, code.covered.as_ref()?)));
        watched.map_or_else(Vec::new, |(code, covered)| {
            covered.ways(&code.instrs, &code.ops).collect()
        })
    }

    /// Where an operator stands in the source.
    pub fn span(&self, op: OpId) -> Span {
        self.spans.get(&op).copied().unwrap_or(Span::NONE)
    }
}

/// Compiles every kernel and host procedure of a well-formed program, in atomic form (a program in
/// surface form is brought into it first).
pub fn compile(program: &Program) -> Compiled {
    let program = Arc::new(atomic_form(program));
    let mut entries = Vec::with_capacity(program.procs.len());
    for (index, proc) in program.procs.iter().enumerate() {
        let code = match proc.kind {
            ProcKind::Device => None,
            ProcKind::Kernel | ProcKind::Host => {
                Builder::compile(&program, ProcId(index as u32)).map(Arc::new)
            }
        };
        entries.push(code);
    }
    let spans = program
        .operators()
        .into_iter()
        .map(|(_, op)| (op.id, op.span))
        .collect();
    Compiled {
        program,
        entries,
        spans,
    }
}
