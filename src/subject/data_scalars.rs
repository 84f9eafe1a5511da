//! Integer arguments that are data: neither sizes nor places, so that any number is as good as another. What
//! is compared with something, or says where, is a size or a place: with a number out of its range a run ends
//! before it shows anything.

use crate::subject::premises;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use std::collections::BTreeSet;

/// The integer parameters of `entry` that no comparison and no index depends on, as far as variables and calls
/// carry them. What passes through memory is not followed.
pub fn data_scalars(program: &Program, entry: ProcId) -> BTreeSet<VarId> {
    let procedure = program.proc(entry);
    let is_integer = |var: &&VarId| match procedure.vars[var.0 as usize].ty {
        Type::Scalar(ty) => ty.is_integer(),
        Type::Pointer(_) => false,
    };
    let reachable = premises::features(program, entry).reachable;
    let is_data = |var: &&VarId| {
        let mut uses = Uses {
            program,
            of: BTreeSet::from([(entry, **var)]),
            decides: false,
            grows: true,
        };
        while std::mem::take(&mut uses.grows) && !uses.decides {
            reachable.iter().for_each(|proc| uses.through(*proc));
        }
        !uses.decides
    };
    let params = procedure.params.iter();
    params.filter(is_integer).filter(is_data).copied().collect()
}

struct Uses<'p> {
    program: &'p Program,
    /// The variables whose values are computed from the argument.
    of: BTreeSet<(ProcId, VarId)>,
    /// Something but the values of data depends on it.
    decides: bool,
    grows: bool,
}

impl Uses<'_> {
    fn through(&mut self, proc: ProcId) {
        let program = self.program;
        program.proc(proc).body.walk(&mut |op| {
            for expr in op.expressions() {
                expr.walk(&mut |part| self.decides |= self.is_decided(proc, part));
            }
            match &op.kind {
                OpKind::Basic(Basic::Assign { var, value }) if self.speaks(proc, value) => {
                    self.grows |= self.of.insert((proc, *var));
                }
                OpKind::Call {
                    proc: callee,
                    args,
                    result,
                } => {
                    let called = program.proc(*callee);
                    for (param, arg) in called.params.iter().zip(args) {
                        if self.speaks(proc, arg) {
                            self.grows |= self.of.insert((*callee, *param));
                        }
                    }
                    if let (Some(to), Some(from)) = (result, called.result)
                        && self.of.contains(&(*callee, from))
                    {
                        self.grows |= self.of.insert((proc, *to));
                    }
                }
                _ => {}
            }
        });
    }

    fn is_decided(&self, proc: ProcId, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Offset(_, by) => self.speaks(proc, by),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.speaks(proc, a) || self.speaks(proc, b)
            }
            ExprKind::Cast(inner) => part.ty == Type::BOOL && self.speaks(proc, inner),
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
            "__device__ int times(int a, int b) {{ return a * b; }}\n\
             __global__ void k(int *a, const int *b, int n, unsigned mask) {{\n{body}\n}}\n"
        );
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", &text, Language::Cuda, &options).unwrap();
        let kernel = parsed.program.find_proc("k").unwrap();
        let vars = &parsed.program.proc(kernel).vars;
        let found = data_scalars(&parsed.program, kernel);
        let found: Vec<&str> = found.iter().map(|v| &*vars[v.0 as usize].name).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn sizes_and_places_are_no_data() {
        check(
            "int i = threadIdx.x; if (i < n) a[i] = b[i] & mask;",
            &["mask"],
        );
        check("a[threadIdx.x] = times(n, b[0]);", &["n", "mask"]);
        check("a[times(n, 4)] = b[0];", &["mask"]);
        check("for (int i = 0; i < n; i++) a[i] = mask ? 1 : 2;", &[]);
        check("unsigned m = mask; while (m) { m >>= 1; a[0]++; }", &["n"]);
    }
}
