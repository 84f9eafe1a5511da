//! Private variables and arrays that all threads of a block share.

use super::{Mutation, Nursery, with_kind};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{PointerType, Type};
use std::sync::Arc;

const MUTATION: Mutation = Mutation::WriteMadeRacy;

pub(super) fn made_shared(nursery: &mut Nursery) {
    arrays(nursery);
    for proc in nursery.program.procs_of_kind(ProcKind::Kernel) {
        let procedure = nursery.program.proc(proc);
        for n in procedure.params.len()..procedure.vars.len() {
            variable(nursery, proc, VarId(n as u32));
        }
    }
}

fn arrays(nursery: &mut Nursery) {
    let original = nursery.program;
    for (n, array) in original.arrays.iter().enumerate() {
        let Some(owner) = array.owner.filter(|_| array.space == Space::Private) else {
            continue;
        };
        let mut program = original.clone();
        program.arrays[n].space = Space::Shared;
        program.arrays[n].init = None;
        let description = format!("the private array `{}` is shared", array.name);
        nursery.keep(MUTATION, (owner, array.span), program, description);
    }
}

/// A scalar of the source that only assignments change: as an array of one element in shared memory.
fn variable(nursery: &mut Nursery, proc: ProcId, var: VarId) {
    let procedure = nursery.program.proc(proc);
    let decl = &procedure.vars[var.0 as usize];
    let Type::Scalar(elem) = decl.ty else {
        return;
    };
    let mut is_assigned_otherwise = false;
    procedure.body.walk(&mut |op| {
        is_assigned_otherwise |= match &op.kind {
            OpKind::Basic(Basic::Assign { .. }) => false,
            OpKind::Basic(basic) => basic.assigned() == Some(var),
            OpKind::Call { result, .. } => *result == Some(var),
            _ => false,
        }
    });
    if is_assigned_otherwise || procedure.result == Some(var) || decl.span.is_none() {
        return;
    }
    let mut program = nursery.program.clone();
    let cell = Cell {
        var,
        pointer: Expr::array_base(ArrayId(program.arrays.len() as u32), PointerType::to(elem)),
    };
    program.arrays.push(ArrayDecl {
        name: decl.name.clone(),
        elem,
        extent: Extent::Fixed(1),
        dims: Vec::new(),
        space: Space::Shared,
        is_volatile: false,
        is_managed: false,
        init: None,
        owner: Some(proc),
        symbol: None,
        span: decl.span,
    });
    let body = &mut program.procs[proc.0 as usize].body;
    *body = cell.in_place_of_variable(body);
    let description = format!("the private variable `{}` is shared", decl.name);
    nursery.keep(MUTATION, (proc, decl.span), program, description);
}

/// The cell that takes a variable's place.
struct Cell {
    var: VarId,
    pointer: Expr,
}

impl Cell {
    fn read(&self, expr: &Expr) -> Expr {
        expr.map(&mut |part| match part.kind == ExprKind::Var(self.var) {
            true => Expr::load(self.pointer.clone()).unwrap_or(part),
            false => part,
        })
    }

    fn in_place_of_variable(&self, op: &Arc<Op>) -> Arc<Op> {
        let inner = |op: &Arc<Op>| self.in_place_of_variable(op);
        let kind = match &op.kind {
            OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(inner).collect()),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => OpKind::If {
                cond: self.read(cond),
                then: inner(then),
                otherwise: inner(otherwise),
            },
            OpKind::While { cond, body } => OpKind::While {
                cond: self.read(cond),
                body: inner(body),
            },
            OpKind::Par(a, b) => OpKind::Par(inner(a), inner(b)),
            OpKind::Call { proc, args, result } => OpKind::Call {
                proc: *proc,
                args: args.iter().map(|arg| self.read(arg)).collect(),
                result: *result,
            },
            OpKind::Basic(Basic::Assign { var, value }) if *var == self.var => {
                match value.is_no_value() {
                    true => OpKind::Skip,
                    false => OpKind::Basic(Basic::Store {
                        pointer: self.pointer.clone(),
                        value: self.read(value),
                    }),
                }
            }
            OpKind::Basic(basic) => {
                let mut basic = basic.clone();
                for expr in basic.expressions_mut() {
                    *expr = self.read(expr);
                }
                OpKind::Basic(basic)
            }
            OpKind::Skip => OpKind::Skip,
        };
        with_kind(op, kind)
    }
}
