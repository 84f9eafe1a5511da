//! Constants that what an array holds is compared with: a branch on `key[i] == 12345` is taken for no
//! sampled number, and a loop that waits for `flag[0] == 1` ends for none. Read off the program without
//! regard to order, backwards: from a comparison to what its operand was computed from, through variables,
//! calls and memory, undoing arithmetic with constants.

use crate::subject::indices::{Flow, Named};
use crate::subject::operand::number;
use crate::subject::premises;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a value is compared with: a number, or the bits of a `double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    Integer(i128),
    Float(u64),
}

pub type Constants = BTreeSet<Constant>;

/// Operations with constants that are undone at most on the way to what an array holds. A counter that
/// begins with such a value, `i = a[0]; while (i < 9) i++;`, would have any number of them.
const MOST_UNDONE: u8 = 3;
/// Constants of one array or variable at most, the first in the program: a table of cases may have thousands.
const MOST_OF_ONE: usize = 32;

/// By array, the constants that its contents are compared with.
pub fn compared_contents(
    program: &Program,
    flow: &Flow,
    entry: ProcId,
) -> BTreeMap<Named, Constants> {
    let mut demands = Demands {
        program,
        flow,
        of_vars: BTreeMap::new(),
        of_arrays: BTreeMap::new(),
        grows: true,
    };
    let reachable = premises::features(program, entry).reachable;
    while std::mem::take(&mut demands.grows) {
        for &proc in &reachable {
            let body = &program.proc(proc).body;
            body.walk(&mut |op| demands.through(proc, op));
        }
    }
    let of_arrays = demands.of_arrays.into_iter();
    of_arrays
        .map(|(array, constants)| (array, constants.into_keys().collect()))
        .collect()
}

/// Values that decide a comparison, each with the operations left that may be undone.
type Asked = BTreeMap<Constant, u8>;

struct Demands<'p> {
    program: &'p Program,
    flow: &'p Flow<'p>,
    of_vars: BTreeMap<(ProcId, VarId), Asked>,
    of_arrays: BTreeMap<Named, Asked>,
    grows: bool,
}

impl Demands<'_> {
    fn through(&mut self, proc: ProcId, op: &Op) {
        for expr in op.expressions() {
            expr.walk(&mut |part| self.compare(proc, part));
        }
        match &op.kind {
            OpKind::Basic(Basic::Assign { var, value }) => self.flows(proc, value, (proc, *var)),
            OpKind::Basic(Basic::Load { var, pointer }) => {
                for (constant, left) in self.asked_of((proc, *var)) {
                    self.ask_array(proc, pointer, constant, left);
                }
            }
            OpKind::Basic(basic) if basic.writes_back() => {}
            OpKind::Basic(Basic::Store { pointer, value }) => self.stored(proc, pointer, value),
            OpKind::Basic(Basic::Atomic {
                function,
                pointer,
                operands,
                result,
                ..
            }) => {
                if let Some(var) = result {
                    for (constant, left) in self.asked_of((proc, *var)) {
                        self.ask_array(proc, pointer, constant, left);
                    }
                }
                match (function, operands.as_slice()) {
                    (AtomicFn::Cas, [compare, new]) => {
                        if let Some(constant) = constant(compare) {
                            self.ask_array(proc, pointer, constant, MOST_UNDONE);
                        }
                        self.stored(proc, pointer, new);
                    }
                    (AtomicFn::Exch, [new]) => self.stored(proc, pointer, new),
                    _ => {}
                }
            }
            OpKind::Basic(Basic::Warp {
                operands,
                result: Some(var),
                ..
            }) => {
                if let Some(value) = operands.first() {
                    self.flows(proc, value, (proc, *var));
                }
            }
            OpKind::Call {
                proc: callee,
                args,
                result,
            } => {
                let called = self.program.proc(*callee);
                for (param, arg) in called.params.iter().zip(args) {
                    self.flows(proc, arg, (*callee, *param));
                }
                if let (Some(to), Some(from)) = (result, called.result) {
                    for (constant, left) in self.asked_of((proc, *to)) {
                        self.ask_var((*callee, from), constant, left);
                    }
                }
            }
            _ => {}
        }
    }

    /// A comparison with a constant, or a test for 0.
    fn compare(&mut self, proc: ProcId, e: &Expr) {
        match &e.kind {
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                for (side, other) in [(left, right), (right, left)] {
                    if let Some(constant) = constant(other) {
                        self.ask(proc, side, constant, MOST_UNDONE);
                    }
                }
            }
            ExprKind::Cast(inner) if e.ty == Type::BOOL => {
                self.ask(proc, inner, Constant::Integer(0), MOST_UNDONE);
            }
            _ => {}
        }
    }

    /// What is asked of a variable is asked of a value that it is given.
    fn flows(&mut self, proc: ProcId, value: &Expr, to: (ProcId, VarId)) {
        for (constant, left) in self.asked_of(to) {
            self.ask(proc, value, constant, left);
        }
    }

    /// The same of what an array holds.
    fn stored(&mut self, proc: ProcId, pointer: &Expr, value: &Expr) {
        for array in self.flow.bases(proc, pointer) {
            for (constant, left) in self.of_arrays.get(&array).cloned().unwrap_or_default() {
                self.ask(proc, value, constant, left);
            }
        }
    }

    fn asked_of(&self, var: (ProcId, VarId)) -> Asked {
        self.of_vars.get(&var).cloned().unwrap_or_default()
    }

    fn ask_var(&mut self, var: (ProcId, VarId), constant: Constant, left: u8) {
        self.grows |= note(self.of_vars.entry(var).or_default(), constant, left);
    }

    fn ask_array(&mut self, proc: ProcId, pointer: &Expr, constant: Constant, left: u8) {
        for array in self.flow.bases(proc, pointer) {
            self.grows |= note(self.of_arrays.entry(array).or_default(), constant, left);
        }
    }

    /// Asks what makes an expression this value.
    fn ask(&mut self, proc: ProcId, value: &Expr, constant: Constant, left: u8) {
        match &value.kind {
            ExprKind::Var(var) => self.ask_var((proc, *var), constant, left),
            ExprKind::Load(pointer) => self.ask_array(proc, pointer, constant, left),
            ExprKind::Cast(inner) => {
                let before = inner.ty.scalar().map(|from| unconverted(constant, from));
                if let Some(before) = before {
                    self.ask(proc, inner, before, left);
                }
            }
            ExprKind::Select(_, a, b) => {
                self.ask(proc, a, constant, left);
                self.ask(proc, b, constant, left);
            }
            ExprKind::Unary(op, inner) => {
                if let (Constant::Integer(n), Some(left)) = (constant, left.checked_sub(1)) {
                    let before = match op {
                        UnaryOp::Neg => n.checked_neg(),
                        UnaryOp::BitNot => Some(!n),
                        UnaryOp::Not => Some(i128::from(n == 0)),
                    };
                    if let Some(before) = before {
                        self.ask(proc, inner, Constant::Integer(before), left);
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (Constant::Integer(n), Some(left)) = (constant, left.checked_sub(1)) else {
                    return;
                };
                let sides = [(a, number(b), false), (b, number(a), true)];
                for (side, by, is_right) in sides {
                    let before = by.and_then(|by| undone(*op, n, by, is_right));
                    if let Some(before) = before {
                        self.ask(proc, side, Constant::Integer(before), left);
                    }
                }
            }
            ExprKind::Const(_)
            | ExprKind::Builtin(_)
            | ExprKind::ArrayBase(_)
            | ExprKind::Offset(..)
            | ExprKind::Math(..) => {}
        }
    }
}

/// Adds a constant, or more operations left to undo; whether that is new.
fn note(asked: &mut Asked, constant: Constant, left: u8) -> bool {
    match asked.get(&constant) {
        Some(known) if *known >= left => false,
        None if asked.len() >= MOST_OF_ONE => false,
        _ => {
            asked.insert(constant, left);
            true
        }
    }
}

fn constant(e: &Expr) -> Option<Constant> {
    match &e.kind {
        ExprKind::Const(Value::F32(bits)) => {
            Some(Constant::Float(f64::from(f32::from_bits(*bits)).to_bits()))
        }
        ExprKind::Const(Value::F64(bits)) => Some(Constant::Float(*bits)),
        ExprKind::Const(value) => value.as_integer().map(Constant::Integer),
        ExprKind::Cast(inner) => constant(inner),
        _ => None,
    }
}

/// A value of the type from which a conversion makes this constant.
fn unconverted(constant: Constant, from: ScalarType) -> Constant {
    match constant {
        Constant::Integer(n) if from.is_integer() => {
            Constant::Integer(Value::int(from, n).as_integer().unwrap_or(n))
        }
        _ => constant,
    }
}

/// An operand with which the operation with `by`, which stands on the left if `is_right`, gives `n`.
fn undone(op: BinaryOp, n: i128, by: i128, is_right: bool) -> Option<i128> {
    let exactly = |m: i128, d: i128| match m.checked_rem(d)? {
        0 => m.checked_div(d),
        _ => None,
    };
    let shift = |by: i128| u32::try_from(by).ok().filter(|by| *by < 64);
    match (op, is_right) {
        (BinaryOp::Add, _) => n.checked_sub(by),
        (BinaryOp::Sub, false) => n.checked_add(by),
        (BinaryOp::Sub, true) => by.checked_sub(n),
        (BinaryOp::Mul, _) => exactly(n, by),
        (BinaryOp::Div, false) => n.checked_mul(by),
        (BinaryOp::Rem, false) => (n.checked_abs()? < by.checked_abs()?).then_some(n),
        (BinaryOp::BitXor, _) => Some(n ^ by),
        (BinaryOp::BitAnd, _) => (n & by == n).then_some(n),
        (BinaryOp::BitOr, _) => (n & by == by).then_some(n),
        (BinaryOp::Shl, false) => exactly(n, 1 << shift(by)?),
        (BinaryOp::Shr, false) => n.checked_mul(1 << shift(by)?),
        _ => None,
    }
}

/// A constant as a cell of such elements.
pub(super) fn itself(constant: Constant, elem: ScalarType) -> Option<Value> {
    let as_float = match constant {
        Constant::Integer(n) => n as f64,
        Constant::Float(bits) => f64::from_bits(bits),
    };
    match (elem, constant) {
        (ScalarType::Bool, Constant::Integer(n)) => Some(Value::Bool(n != 0)),
        (ScalarType::F32, _) => Some(Value::f32(as_float as f32)),
        (ScalarType::F64, _) => Some(Value::f64(as_float)),
        (elem, Constant::Integer(n)) if elem.is_integer() => Some(Value::int(elem, n)),
        _ => None,
    }
}

/// A constant and its neighbours, itself as often as those together. What does not fit into a cell is no
/// neighbour.
pub(super) fn around(constant: Constant, elem: ScalarType) -> Vec<Value> {
    let Some(value) = itself(constant, elem) else {
        return Vec::new();
    };
    let beside = |by: i8| match value {
        Value::Int(ty, _) => {
            let number = value.as_integer()? + i128::from(by);
            Some(Value::int(ty, number)).filter(|v| v.as_integer() == Some(number))
        }
        Value::F32(bits) => Some(Value::f32(f32::from_bits(bits) + f32::from(by))),
        Value::F64(bits) => Some(Value::f64(f64::from_bits(bits) + f64::from(by))),
        Value::Bool(b) => Some(Value::Bool(!b)),
        Value::Pointer(_) | Value::Undef => None,
    };
    let neighbours = [-1, 1].into_iter().filter_map(beside);
    [value, value].into_iter().chain(neighbours).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    fn check(body: &str, expected: &[(&str, &[i128])]) {
        let text = format!(
            "__device__ int at(const int *p, int i) {{ return p[i]; }}\n\
             __device__ bool is_five(int v) {{ return v == 5; }}\n\
             __global__ void k(int *a, const int *b, const float *x, unsigned *u, int n) {{\n\
             __shared__ int s[32];\n{body}\n}}\n"
        );
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", &text, Language::Cuda, &options).unwrap();
        let program = parsed.program;
        let kernel = program.find_proc("k").unwrap();
        let flow = Flow::of(&program, kernel);
        let vars = &program.proc(kernel).vars;
        let integer = |constant: &Constant| match constant {
            Constant::Integer(n) => *n,
            Constant::Float(bits) => (f64::from_bits(*bits) * 1000.0) as i128,
        };
        let all = compared_contents(&program, &flow, kernel);
        let found = all.iter().filter_map(|(array, constants)| match array {
            Named::Param(var) => Some((
                vars[var.0 as usize].name.to_string(),
                constants.iter().map(integer).collect(),
            )),
            Named::Declared(_) => None,
        });
        let found: Vec<(String, Vec<i128>)> = found.collect();
        let expected = expected.iter().map(|(a, c)| ((*a).to_owned(), c.to_vec()));
        assert_eq!(found, expected.collect::<Vec<_>>(), "{body}");
    }

    #[test]
    fn constants_of_comparisons() {
        check("a[n] = b[n] + 7;", &[]);
        check("if (n == 7 && b[0] == n) a[0] = 1;", &[]);
        check("if (b[n] == 7) a[n] = 1;", &[("b", &[7])]);
        check("if (9 < b[n]) a[n] = 1;", &[("b", &[9])]);
        check("while (!b[0]) ;", &[("b", &[0])]);
        check("if (x[n] > 0.5f) a[n] = 1;", &[("x", &[500])]);
        check(
            "switch (b[n]) { case 3: a[n] = 1; break; case 8: a[n] = 2; }",
            &[("b", &[3, 8])],
        );
        check("if (atomicCAS(a, 4, 1) == 6) a[1] = 1;", &[("a", &[4, 6])]);
    }

    #[test]
    fn through_variables_calls_and_memory() {
        check(
            "int v = b[n]; int w = v; if (w == 7) a[n] = 1;",
            &[("b", &[7])],
        );
        check("if (at(b, n) == 7) a[n] = 1;", &[("b", &[7])]);
        check("if (is_five(b[n])) a[n] = 1;", &[("b", &[5])]);
        check(
            "s[threadIdx.x] = b[n]; __syncthreads(); if (s[3] == 7) a[n] = 1;",
            &[("b", &[7])],
        );
        check(
            "const int *p = n > 3 ? b : a; if (*p == 7) a[n] = 1;",
            &[("a", &[7]), ("b", &[7])],
        );
    }

    #[test]
    fn arithmetic_is_undone() {
        check("if (b[n] + 3 == 10) a[n] = 1;", &[("b", &[7])]);
        check("if (10 - b[n] == 3) a[n] = 1;", &[("b", &[7])]);
        check("if (2 * b[n] == 10) a[n] = 1;", &[("b", &[5])]);
        check("if (2 * b[n] == 11) a[n] = 1;", &[]);
        check("if (b[n] % 8 == 5) a[n] = 1;", &[("b", &[5])]);
        check("if ((b[n] >> 4) == 5) a[n] = 1;", &[("b", &[80])]);
        check(
            "if (u[n] == 0xffffffffu) a[n] = 1;",
            &[("u", &[0xffff_ffff])],
        );
        check(
            "if ((unsigned)b[n] == 0xffffffffu) a[n] = 1;",
            &[("b", &[-1])],
        );
        // A counter is not followed for ever.
        check(
            "int i = b[0]; while (i < 9) i++; a[0] = i;",
            &[("b", &[6, 7, 8, 9])],
        );
    }
}
