//! Programs: named procedures and array declarations.

use crate::algebra::declaration::{ArrayDecl, VarDecl};
use crate::algebra::described_cells::DescribedCells;
use crate::algebra::ids::{ArrayId, ProcId, VarId};
use crate::algebra::operator::{Op, OpId, OpKind};
use crate::algebra::span::{SourceFile, Span};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a procedure runs, and who calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProcKind {
    /// On the CPU; called by host procedures.
    Host,
    /// On a device; called by kernels and device procedures.
    Device,
    /// On a device; launched, never called.
    Kernel,
}

/// A named procedure; recursion is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Procedure {
    /// Unique in the program.
    pub name: Arc<str>,
    /// Where it runs.
    pub kind: ProcKind,
    /// The first variables, in order.
    pub params: Vec<VarId>,
    /// All variables: parameters, then locals and temporaries.
    pub vars: Vec<VarDecl>,
    /// Holds the result when the body has run; `None` for `void`.
    pub result: Option<VarId>,
    /// What it does.
    pub body: Arc<Op>,
    /// Of a kernel: the most threads that a block of a launch may have, where it says so (`__launch_bounds__`; CUDA C++
    /// Programming Guide, "Launch Bounds": a launch with more fails).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_threads: Option<u32>,
    /// The definition.
    pub span: Span,
}

impl Procedure {
    /// The name of memory whose pointer is first assigned to this variable: the variable's own name, or the place of
    /// the allocation if the variable is not one of the source.
    pub fn allocation_name(&self, var: VarId, line: u32) -> Arc<str> {
        let name = &self.vars[var.0 as usize].name;
        let rest = name.strip_prefix("temporary");
        let number = rest.map(|rest| rest.strip_prefix('_').unwrap_or(rest));
        let is_made = number.is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
        match line > 0 && (is_made || self.result == Some(var)) {
            true => format!("allocation at line {line}").into(),
            false => name.clone(),
        }
    }
}

/// Whether expressions may read memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// Loads stand inside expressions; what the user wrote.
    Surface,
    /// Every basic operator touches non-private memory at most once.
    Atomic,
}

/// A program: an immutable value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Whether it is what the user wrote, or the atomic form.
    pub form: Form,
    /// The files that its spans refer to.
    pub files: Vec<SourceFile>,
    /// All declared arrays, of whichever procedure.
    pub arrays: Vec<ArrayDecl>,
    /// In textual order.
    pub procs: Vec<Procedure>,
    /// The names of the cells of arrays in the source, which do not change the meaning of the program.
    #[serde(skip)]
    pub cells: DescribedCells,
}

impl Program {
    /// The procedure with that number, which must exist.
    pub fn proc(&self, id: ProcId) -> &Procedure {
        &self.procs[id.0 as usize]
    }

    /// The declaration with that number, which must exist.
    pub fn array(&self, id: ArrayId) -> &ArrayDecl {
        &self.arrays[id.0 as usize]
    }

    /// The procedure of that name.
    pub fn find_proc(&self, name: &str) -> Option<ProcId> {
        self.procs
            .iter()
            .position(|p| &*p.name == name)
            .map(|i| ProcId(i as u32))
    }

    /// The procedures of one kind, in textual order.
    pub fn procs_of_kind(&self, kind: ProcKind) -> impl Iterator<Item = ProcId> + '_ {
        let matching = move |(_, p): &(usize, &Procedure)| p.kind == kind;
        self.procs
            .iter()
            .enumerate()
            .filter(matching)
            .map(|(i, _)| ProcId(i as u32))
    }

    /// Name of a file as the user gave it.
    pub fn file_name(&self, span: Span) -> &str {
        self.files.get(span.file.0 as usize).map_or("", |f| &f.name)
    }

    /// Gives every operator a fresh id, counting up in textual order, so that no two occurrences
    /// share one. `AtomicForm`/`Rule` provenances keep the ids they speak of, which belong to the
    /// program the operator came from.
    pub fn number_operators(&mut self) {
        fn number(op: &Arc<Op>, next: &mut u32) -> Arc<Op> {
            let id = OpId(*next);
            *next += 1;
            let kind = match &op.kind {
                OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|o| number(o, next)).collect()),
                OpKind::If {
                    cond,
                    then,
                    otherwise,
                } => OpKind::If {
                    cond: cond.clone(),
                    then: number(then, next),
                    otherwise: number(otherwise, next),
                },
                OpKind::While { cond, body } => OpKind::While {
                    cond: cond.clone(),
                    body: number(body, next),
                },
                OpKind::Par(a, b) => {
                    let a = number(a, next);
                    OpKind::Par(a, number(b, next))
                }
                leaf @ (OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_)) => leaf.clone(),
            };
            Arc::new(Op {
                id,
                span: op.span,
                provenance: op.provenance.clone(),
                kind,
            })
        }
        let mut next = 0;
        for proc in &mut self.procs {
            proc.body = number(&proc.body, &mut next);
        }
    }

    /// All operators of all procedures, in textual order (the order of ids).
    pub fn operators(&self) -> Vec<(ProcId, &Arc<Op>)> {
        let mut found = Vec::new();
        for (index, proc) in self.procs.iter().enumerate() {
            proc.body
                .walk(&mut |op| found.push((ProcId(index as u32), op)));
        }
        found
    }
}
