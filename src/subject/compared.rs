//! Constants that a kernel, or what it calls, compares its arguments with for being the same: a
//! branch on `mode == 3` is taken by no sampled number.

use crate::subject::operand::{number, variable};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::OpKind;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// By argument, the constants, ascending.
pub fn compared(program: &Program, entry: ProcId) -> BTreeMap<VarId, BTreeSet<i128>> {
    let params = &program.proc(entry).params;
    let own = params.iter().map(|var| (*var, *var)).collect();
    let mut found = BTreeMap::new();
    follow(program, entry, &own, 0, &mut found);
    found
}

/// `names`: the parameters of a procedure that are arguments of the entry.
fn follow(
    program: &Program,
    proc: ProcId,
    names: &BTreeMap<VarId, VarId>,
    depth: usize,
    found: &mut BTreeMap<VarId, BTreeSet<i128>>,
) {
    program.proc(proc).body.walk(&mut |op| {
        for expr in op.expressions() {
            expr.walk(&mut |e| {
                if let Some((var, constant)) = comparison(e)
                    && let Some(argument) = names.get(&var)
                {
                    found.entry(*argument).or_default().insert(constant);
                }
            });
        }
        if let OpKind::Call { proc, args, .. } = &op.kind
            && depth < DEEPEST
        {
            let params = program.proc(*proc).params.iter();
            let handed = params.zip(args).filter_map(|(param, arg)| {
                let argument = variable(arg).and_then(|var| names.get(&var))?;
                Some((*param, *argument))
            });
            let names: BTreeMap<VarId, VarId> = handed.collect();
            if !names.is_empty() {
                follow(program, *proc, &names, depth + 1, found);
            }
        }
    });
}

/// `variable == constant`, or a test of the variable for 0.
fn comparison(e: &Expr) -> Option<(VarId, i128)> {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
            let sides = [(left, right), (right, left)];
            let mut found = sides
                .into_iter()
                .filter_map(|(var, constant)| Some((variable(var)?, number(constant)?)));
            found.next()
        }
        ExprKind::Cast(inner) if e.ty == Type::BOOL => Some((variable(inner)?, 0)),
        ExprKind::Unary(UnaryOp::Not, inner) => Some((variable(inner)?, 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    #[test]
    fn constants_of_comparisons() {
        let text = "__device__ int pick(int way) { if (way == 5) return 1; return 0; }\n\
                    __global__ void k(int *a, int mode, int n, int flag) {\n\
                    if (n < 9) a[0] = mode != 3;\n\
                    if (flag) a[1] = pick(mode);\n}\n";
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", text, Language::Cuda, &options).unwrap();
        let kernel = parsed.program.find_proc("k").unwrap();
        let names = |var: &VarId| {
            let procedure = parsed.program.proc(kernel);
            procedure.vars[var.0 as usize].name.to_string()
        };
        let found: Vec<(String, Vec<i128>)> = compared(&parsed.program, kernel)
            .into_iter()
            .map(|(var, constants)| (names(&var), constants.into_iter().collect()))
            .collect();
        let expected = [
            ("mode".to_owned(), vec![3, 5]),
            ("flag".to_owned(), vec![0]),
        ];
        assert_eq!(found, expected);
    }
}
