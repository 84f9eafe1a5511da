//! Scalar arguments that meet a kernel's assumptions together: `__requires(a != b)` is never met by
//! samples that give all arguments one value. A search over few values near those that assumptions
//! and the launch name: what it does not find may still be there.

use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::fault::FaultKind;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions evaluated at most.
const MOST_TRIES: usize = 200_000;

/// Changes those of `free` so that all assumptions about scalars and the launch hold, where they do not
/// and values are found with which they do. `turn`: which values are tried first.
pub fn satisfy(
    program: &Program,
    entry: ProcId,
    launch: Option<Launch>,
    free: &BTreeSet<VarId>,
    scalars: &mut BTreeMap<VarId, Value>,
    turn: usize,
) {
    let known = Known { launch, scalars };
    let conditions = conditions(program, entry, &known);
    if conditions.iter().all(|cond| holds(&cond.of, &known)) {
        return;
    }
    let asked: BTreeSet<VarId> = conditions.iter().flat_map(|c| &c.vars).copied().collect();
    let vars: Vec<VarId> = asked.intersection(free).copied().collect();
    let mut search = Search {
        conditions: &conditions,
        pools: pools(&vars, &conditions, &known, turn),
        vars: &vars,
        launch,
        tries: 0,
    };
    let mut found = scalars.clone();
    if search.assign(0, &mut found) {
        *scalars = found;
    }
}

/// What an assumption may ask.
struct Known<'a> {
    launch: Option<Launch>,
    scalars: &'a BTreeMap<VarId, Value>,
}

impl Env for Known<'_> {
    fn var(&self, var: VarId) -> Value {
        self.scalars.get(&var).copied().unwrap_or(Value::Undef)
    }

    fn builtin(&self, builtin: Builtin) -> Value {
        let extent =
            |of: [u32; 3], axis: Axis| Value::int(ScalarType::U32, i128::from(of[axis as usize]));
        match (builtin, self.launch) {
            (Builtin::BlockDim(axis), Some(launch)) => extent(launch.block, axis),
            (Builtin::GridDim(axis), Some(launch)) => extent(launch.grid, axis),
            _ => Value::Undef,
        }
    }

    fn array(&self, _: ArrayId) -> ArrayRef {
        ArrayRef::Null
    }

    fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
        Ok(Value::Undef)
    }
}

/// An assumption about nothing but scalar arguments and extents of the launch.
struct Condition {
    of: Expr,
    vars: BTreeSet<VarId>,
    constants: Vec<i128>,
}

/// The assumptions that every thread comes to, as far as they ask nothing else.
fn conditions(program: &Program, entry: ProcId, known: &Known<'_>) -> Vec<Condition> {
    let body = &program.proc(entry).body;
    let ops = match &body.kind {
        OpKind::Seq(ops) => ops.as_slice(),
        _ => std::slice::from_ref(body),
    };
    let mut found = Vec::new();
    let mut changed: BTreeSet<VarId> = BTreeSet::new();
    for op in ops {
        match &op.kind {
            OpKind::Basic(Basic::Assume { cond }) => found.extend(condition(cond, known, &changed)),
            _ => op.walk(&mut |op| {
                changed.extend(match &op.kind {
                    OpKind::Basic(basic) => basic.assigned(),
                    OpKind::Call { result, .. } => *result,
                    _ => None,
                });
            }),
        }
    }
    found
}

fn condition(cond: &Expr, known: &Known<'_>, changed: &BTreeSet<VarId>) -> Option<Condition> {
    let mut condition = Condition {
        of: cond.clone(),
        vars: BTreeSet::new(),
        constants: Vec::new(),
    };
    let mut fits = true;
    cond.walk(&mut |e| match &e.kind {
        ExprKind::Var(var) if known.scalars.contains_key(var) && !changed.contains(var) => {
            condition.vars.insert(*var);
        }
        ExprKind::Builtin(Builtin::BlockDim(_) | Builtin::GridDim(_)) => {
            fits &= known.launch.is_some();
            condition.constants.extend(known.builtin_of(e));
        }
        ExprKind::Var(_)
        | ExprKind::Builtin(_)
        | ExprKind::Load(_)
        | ExprKind::ArrayBase(_)
        | ExprKind::Offset(..) => fits = false,
        ExprKind::Const(value) => condition.constants.extend(value.as_integer()),
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(_)
        | ExprKind::Select(..)
        | ExprKind::Math(..) => {}
    });
    (fits && !condition.vars.is_empty()).then_some(condition)
}

impl Known<'_> {
    fn builtin_of(&self, expr: &Expr) -> Option<i128> {
        match expr.kind {
            ExprKind::Builtin(builtin) => self.builtin(builtin).as_integer(),
            _ => None,
        }
    }
}

fn holds(cond: &Expr, known: &Known<'_>) -> bool {
    let mut env = Known { ..*known };
    eval(cond, &mut env) == Ok(Value::Bool(true))
}

/// The values each variable is tried with, the sampled one first.
fn pools(
    vars: &[VarId],
    conditions: &[Condition],
    known: &Known<'_>,
    turn: usize,
) -> Vec<Vec<Value>> {
    let near = |n: &i128| [n - 1, *n, n + 1, n + 2];
    let named: BTreeSet<i128> = (conditions.iter().flat_map(|c| &c.constants))
        .flat_map(near)
        .chain(0..=vars.len() as i128 + 2)
        .collect();
    let pool = |var: &VarId| -> Vec<Value> {
        let Some(Value::Int(ty, _)) = known.scalars.get(var) else {
            return known.scalars.get(var).into_iter().copied().collect();
        };
        let sampled = known.scalars[var].as_integer().unwrap_or(0);
        let mut numbers: Vec<i128> = near(&sampled).into_iter().chain(named.clone()).collect();
        let own = numbers.remove(1);
        let n = numbers.len();
        numbers.rotate_left(turn % n.max(1));
        // A number below 0 is rarely meant, and large where it is compared without sign.
        numbers.sort_by_key(|n| *n < 0);
        let all = std::iter::once(own).chain(numbers);
        let values = all.map(|n| (n, Value::int(*ty, n)));
        let fitting = values.filter(|(n, value)| value.as_integer() == Some(*n));
        fitting.map(|(_, value)| value).collect()
    };
    vars.iter().map(pool).collect()
}

struct Search<'a> {
    conditions: &'a [Condition],
    vars: &'a [VarId],
    pools: Vec<Vec<Value>>,
    launch: Option<Launch>,
    tries: usize,
}

impl Search<'_> {
    /// Assigns the variables from number `at` on; a condition is looked at once all it asks about is
    /// assigned.
    fn assign(&mut self, at: usize, scalars: &mut BTreeMap<VarId, Value>) -> bool {
        let open = &self.vars[at..];
        let known = Known {
            launch: self.launch,
            scalars,
        };
        let settled = |c: &&Condition| open.iter().all(|var| !c.vars.contains(var));
        let mut ready = self.conditions.iter().filter(settled);
        self.tries += self.conditions.len();
        if !ready.all(|c| holds(&c.of, &known)) || self.tries > MOST_TRIES {
            return false;
        }
        let Some(var) = open.first() else {
            return true;
        };
        for value in self.pools[at].clone() {
            scalars.insert(*var, value);
            if self.assign(at + 1, scalars) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    /// Three arguments that are 8 each, and what becomes of them.
    fn check(assumptions: &str, expected: Option<fn(i128, i128, i128) -> bool>) {
        let text = format!(
            "__global__ void k(int a, int b, int c) {{\n{assumptions}\n__assert(a != 77);\n}}\n"
        );
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", &text, Language::Cuda, &options).unwrap();
        let kernel = parsed.program.find_proc("k").unwrap();
        let params = parsed.program.proc(kernel).params.clone();
        let free: BTreeSet<VarId> = params.iter().copied().collect();
        let mut scalars: BTreeMap<VarId, Value> =
            params.iter().map(|var| (*var, Value::i32(8))).collect();
        let launch = Launch {
            grid: [2, 1, 1],
            block: [64, 1, 1],
            shared_bytes: 0,
        };
        satisfy(
            &parsed.program,
            kernel,
            Some(launch),
            &free,
            &mut scalars,
            0,
        );
        let found: Vec<i128> = scalars.values().filter_map(|v| v.as_integer()).collect();
        match expected {
            Some(holds) => assert!(
                holds(found[0], found[1], found[2]),
                "{assumptions}: {found:?}"
            ),
            None => assert_eq!(found, [8, 8, 8], "{assumptions}"),
        }
    }

    #[test]
    fn what_assumptions_ask_is_found_together() {
        check(
            "__requires(a != b); __requires(a != c); __requires(b != c);",
            Some(|a, b, c| a != b && a != c && b != c),
        );
        check(
            "__requires(a > (int)blockDim.x); __requires(b == a + 1 & c < b);",
            Some(|a, b, c| a > 64 && b == a + 1 && c < b),
        );
        // Nothing is changed without need, and nothing is made up.
        check("__requires(a == b);", None);
        check("__requires(a < b); __requires(b < a);", None);
        check("__requires(a != threadIdx.x);", None);
    }
}
