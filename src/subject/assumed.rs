//! Values of scalar arguments that a kernel's assumptions name. Inputs are sampled; one that meets
//! `__requires(n == 143)` is not met by chance.

use crate::subject::operand::{number, variable};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use std::collections::BTreeMap;

/// What assumptions say of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// It is this.
    pub equal: Option<i128>,
    /// Values at the edge of what is allowed.
    pub edges: Vec<i128>,
    /// It is at least this, and at most this, whatever else is assumed.
    pub bounds: (Option<i128>, Option<i128>),
}

impl Assumed {
    /// `value`, or the bound it is beyond.
    pub fn within(&self, value: i128) -> i128 {
        let value = self.bounds.1.map_or(value, |most| value.min(most));
        self.bounds.0.map_or(value, |least| value.max(least))
    }
}

/// What the assumptions in the body of an entry compare its parameters with, constants only.
pub fn assumed(program: &Program, entry: ProcId) -> BTreeMap<VarId, Assumed> {
    let procedure = program.proc(entry);
    let mut found: BTreeMap<VarId, Assumed> = BTreeMap::new();
    procedure.body.walk(&mut |op| {
        let OpKind::Basic(Basic::Assume { cond }) = &op.kind else {
            return;
        };
        for (var, relation, constant) in conjuncts(cond).into_iter().filter_map(comparison) {
            if !procedure.params.contains(&var) {
                continue;
            }
            let (least, most) = &mut found.entry(var).or_default().bounds;
            let (at_least, at_most) = match relation {
                BinaryOp::Eq => (Some(constant), Some(constant)),
                BinaryOp::Lt => (None, Some(constant - 1)),
                BinaryOp::Le => (None, Some(constant)),
                BinaryOp::Gt => (Some(constant + 1), None),
                _ => (Some(constant), None),
            };
            *least = (*least).max(at_least);
            *most = match (*most, at_most) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        cond.walk(&mut |e| {
            let Some((var, relation, constant)) = comparison(e) else {
                return;
            };
            if !procedure.params.contains(&var) {
                return;
            }
            let assumed = found.entry(var).or_default();
            match relation {
                BinaryOp::Eq => assumed.equal = assumed.equal.or(Some(constant)),
                BinaryOp::Lt => assumed.edges.push(constant - 1),
                BinaryOp::Gt => assumed.edges.push(constant + 1),
                _ => assumed.edges.push(constant),
            }
        });
    });
    found
}

/// The conditions that all hold where a condition does.
fn conjuncts(cond: &Expr) -> Vec<&Expr> {
    match &cond.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let mut all = conjuncts(a);
            all.extend(conjuncts(b));
            all
        }
        ExprKind::Cast(inner) if inner.ty == gridlock_semantics::algebra::types::Type::BOOL => {
            conjuncts(inner)
        }
        _ => vec![cond],
    }
}

/// `variable OP constant`, whichever stands first.
fn comparison(e: &Expr) -> Option<(VarId, BinaryOp, i128)> {
    let ExprKind::Binary(op, left, right) = &e.kind else {
        return None;
    };
    if let (Some(var), Some(constant)) = (variable(left), number(right)) {
        let is_order = matches!(
            op,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        );
        return (is_order || *op == BinaryOp::Eq).then_some((var, *op, constant));
    }
    let (Some(constant), Some(var)) = (number(left), variable(right)) else {
        return None;
    };
    let turned = match op {
        BinaryOp::Eq => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    };
    Some((var, turned, constant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    #[test]
    fn constants_of_assumptions() {
        let text = "__global__ void k(int *a, int n, unsigned m, int free) {\n\
                    __requires(n == 143);\n\
                    __requires(2 < m & m <= 64);\n\
                    a[0] = free == 7;\n}\n";
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", text, Language::Cuda, &options).unwrap();
        let kernel = parsed.program.find_proc("k").unwrap();
        let found: Vec<Assumed> = assumed(&parsed.program, kernel).into_values().collect();
        let of_n = Assumed {
            equal: Some(143),
            edges: vec![],
            bounds: (Some(143), Some(143)),
        };
        let of_m = Assumed {
            equal: None,
            edges: vec![3, 64],
            // `&` of two conditions is no conjunction to code that looks at its shape.
            bounds: (None, None),
        };
        assert_eq!(found, [of_n, of_m]);
    }
}
