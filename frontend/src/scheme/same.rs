//! When two programs are the same scheme.

use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::{Op, OpKind, Provenance};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use std::sync::Arc;

/// Whether two programs are equal but for where they stand in source texts ([`Span`]s, files),
/// the numbers of operators, where operators come from ([`Provenance`]), and the order in which
/// arrays of different procedures are numbered. Everything else counts: names, types, the nesting
/// of sequences, every conversion, the bits of constants.
pub fn same(a: &Program, b: &Program) -> bool {
    bare(a) == bare(b)
}

/// The program without what [`same`] does not compare: no spans, files and names of the linker, operators numbered in
/// order, arrays of the file first and then those of each procedure.
pub(super) fn bare(program: &Program) -> Program {
    let mut order: Vec<usize> = (0..program.arrays.len()).collect();
    order.sort_by_key(|&i| {
        program.arrays[i]
            .owner
            .map_or(0, |owner| owner.0 as u64 + 1)
    });
    let mut numbers = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        numbers[old] = new as u32;
    }
    let mut bare = program.clone();
    bare.files.clear();
    bare.arrays = order.iter().map(|&i| program.arrays[i].clone()).collect();
    for array in &mut bare.arrays {
        array.span = Span::NONE;
        array.symbol = None;
    }
    for proc in &mut bare.procs {
        proc.span = Span::NONE;
        for var in &mut proc.vars {
            var.span = Span::NONE;
        }
        proc.body = bare_op(&proc.body, &numbers);
    }
    bare.number_operators();
    bare
}

fn bare_op(op: &Op, numbers: &[u32]) -> Arc<Op> {
    let again = |op: &Arc<Op>| bare_op(op, numbers);
    let expr = |e: &Expr| renumbered(e, numbers);
    let kind = match &op.kind {
        OpKind::Skip => OpKind::Skip,
        OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(again).collect()),
        OpKind::If {
            cond,
            then,
            otherwise,
        } => OpKind::If {
            cond: expr(cond),
            then: again(then),
            otherwise: again(otherwise),
        },
        OpKind::While { cond, body } => OpKind::While {
            cond: expr(cond),
            body: again(body),
        },
        OpKind::Call { proc, args, result } => OpKind::Call {
            proc: *proc,
            args: args.iter().map(expr).collect(),
            result: *result,
        },
        OpKind::Par(a, b) => OpKind::Par(again(a), again(b)),
        OpKind::Basic(basic) => {
            let mut basic = basic.clone();
            for e in basic.expressions_mut() {
                *e = expr(e);
            }
            OpKind::Basic(basic)
        }
    };
    Arc::new(Op {
        id: op.id,
        span: Span::NONE,
        provenance: Provenance::Source,
        kind,
    })
}

fn renumbered(expr: &Expr, numbers: &[u32]) -> Expr {
    expr.map(&mut |mut e| {
        if let ExprKind::ArrayBase(id) = &mut e.kind
            && let Some(&number) = numbers.get(id.0 as usize)
        {
            *id = ArrayId(number);
        }
        e
    })
}
