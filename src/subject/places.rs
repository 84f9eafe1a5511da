//! Arguments that say where: numbers of passes, offsets, cells. A small negative one is a value like any
//! other, which a size, a stride or a count is not: for those it is out of the ordinary.

use crate::subject::premises;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use std::collections::BTreeSet;

/// The signed integer parameters of `entry` that are parts of indices, added or with constant factors, and
/// that the program asks nothing else about: compares them, and what is computed from them, with nothing,
/// and multiplies them by nothing that varies.
pub fn places(program: &Program, entry: ProcId) -> BTreeSet<VarId> {
    let procedure = program.proc(entry);
    let is_signed = |var: &&VarId| match procedure.vars[var.0 as usize].ty {
        Type::Scalar(ty) => ty.is_integer() && ty.is_signed(),
        Type::Pointer(_) => false,
    };
    let params = procedure.params.iter().filter(is_signed);
    let is_place = |var: &&VarId| {
        let mut uses = Uses {
            program,
            of: BTreeSet::from([(entry, **var)]),
            indexes: false,
            otherwise: false,
            grows: true,
        };
        uses.look(entry);
        uses.indexes && !uses.otherwise
    };
    params.filter(is_place).copied().collect()
}

struct Uses<'p> {
    program: &'p Program,
    /// The variables whose values are computed from the argument.
    of: BTreeSet<(ProcId, VarId)>,
    indexes: bool,
    otherwise: bool,
    grows: bool,
}

impl Uses<'_> {
    fn look(&mut self, entry: ProcId) {
        let reachable = premises::features(self.program, entry).reachable;
        while std::mem::take(&mut self.grows) && !self.otherwise {
            for &proc in &reachable {
                self.in_procedure(proc);
            }
        }
    }

    fn in_procedure(&mut self, proc: ProcId) {
        let program = self.program;
        let procedure = program.proc(proc);
        procedure.body.walk(&mut |op| {
            match &op.kind {
                OpKind::Basic(Basic::Assign { var, value }) if self.is_sum(proc, value) => {
                    let grown = value.ty.pointer().is_none() && self.of.insert((proc, *var));
                    self.grows |= grown;
                    // Back to where it may begin: the result of a call.
                    self.otherwise |= procedure.result == Some(*var);
                    return;
                }
                OpKind::Call { proc: to, args, .. } => {
                    let called = program.proc(*to);
                    for (param, arg) in called.params.iter().zip(args) {
                        match self.is_sum(proc, arg) && arg.ty.pointer().is_none() {
                            true => self.grows |= self.of.insert((*to, *param)),
                            false => self.in_expression(proc, arg),
                        }
                    }
                    return;
                }
                _ => {}
            }
            for expr in op.expressions() {
                self.in_expression(proc, expr);
            }
        });
    }

    /// Notes what an expression that is no mere sum does with the argument.
    fn in_expression(&mut self, proc: ProcId, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(var) => self.otherwise |= self.of.contains(&(proc, *var)),
            ExprKind::Offset(pointer, by) => {
                self.in_expression(proc, pointer);
                match self.is_sum(proc, by) {
                    true => self.indexes = true,
                    false => self.in_expression(proc, by),
                }
            }
            ExprKind::Const(_) | ExprKind::Builtin(_) | ExprKind::ArrayBase(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Load(a) => {
                self.in_expression(proc, a);
            }
            ExprKind::Binary(_, a, b) => {
                self.in_expression(proc, a);
                self.in_expression(proc, b);
            }
            ExprKind::Select(a, b, c) => {
                for part in [a, b, c] {
                    self.in_expression(proc, part);
                }
            }
            ExprKind::Math(_, args) => args.iter().for_each(|a| self.in_expression(proc, a)),
        }
    }

    /// Whether an expression is the argument with constant factors and what else is added to it.
    fn is_sum(&self, proc: ProcId, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => self.of.contains(&(proc, *var)),
            ExprKind::Cast(a) => expr.ty != Type::BOOL && self.is_sum(proc, a),
            ExprKind::Binary(BinaryOp::Add, a, b) => match self.is_sum(proc, a) {
                true => self.is_sum(proc, b) || !self.speaks(proc, b),
                false => !self.speaks(proc, a) && self.is_sum(proc, b),
            },
            ExprKind::Binary(BinaryOp::Sub, a, b) => self.is_sum(proc, a) && !self.speaks(proc, b),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let is_constant =
                    |e: &Expr| crate::subject::operand::number(e).is_some_and(|n| n > 0);
                self.is_sum(proc, a) && is_constant(b) || is_constant(a) && self.is_sum(proc, b)
            }
            ExprKind::Binary(BinaryOp::Shl, a, b) => {
                self.is_sum(proc, a) && crate::subject::operand::number(b).is_some()
            }
            _ => false,
        }
    }

    fn speaks(&self, proc: ProcId, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            found |= matches!(part.kind, ExprKind::Var(var) if self.of.contains(&(proc, var)));
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    fn check(body: &str, expected: &[&str]) {
        let text = format!(
            "__device__ int at(const int *p, int i) {{ return p[i]; }}\n\
             __global__ void k(int *a, const int *b, int pass, int n) {{\n{body}\n}}\n"
        );
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", &text, Language::Cuda, &options).unwrap();
        let kernel = parsed.program.find_proc("k").unwrap();
        let vars = &parsed.program.proc(kernel).vars;
        let found = places(&parsed.program, kernel);
        let found: Vec<&str> = found.iter().map(|v| &*vars[v.0 as usize].name).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn what_says_where_and_what_says_how_much() {
        check("a[pass] = 1;", &["pass"]);
        check("a[4 * pass + threadIdx.x] = n;", &["pass"]);
        check("int i = pass + (int)threadIdx.x; a[i] = 1;", &["pass"]);
        check("a[0] = at(b, pass);", &["pass"]);
        // A size, a stride, a bound, a number that is stored.
        check("if (threadIdx.x < pass) a[pass] = 1;", &[]);
        check("a[pass * (int)threadIdx.x] = 1;", &[]);
        check("for (int i = 0; i < n; i++) a[i] = pass;", &[]);
        check("int i = pass + (int)threadIdx.x; if (i < n) a[i] = 1;", &[]);
        check("a[n - pass] = 1;", &["n"]);
        check("if (pass) a[pass] = 1;", &[]);
    }
}
