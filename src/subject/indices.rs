//! Arrays whose contents say where other arrays are accessed: permutations, bins, rows of a sparse matrix.
//! What they hold is sampled within what they index, or every run would end outside of it before it
//! shows anything else. Read off the program without regard to order: what flows into an index may
//! pass through variables, calls and memory.

use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// An array as a kernel knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// What a pointer parameter of the entry points to.
    Param(VarId),
    Declared(ArrayId),
}

pub type Arrays = BTreeSet<Named>;

/// Where pointers of a program point, and where contents of arrays go.
pub struct Flow<'p> {
    program: &'p Program,
    entry: ProcId,
    /// Arrays a variable may point into.
    points: BTreeMap<(ProcId, VarId), Arrays>,
    /// Arrays whose contents may be part of a variable's value.
    carries: BTreeMap<(ProcId, VarId), Arrays>,
    /// The same of what an array is given to hold.
    holds: BTreeMap<Named, Arrays>,
    indexed: BTreeMap<Named, Arrays>,
    changed: bool,
}

/// Adds to a set; whether it has grown.
fn add<K: Ord>(map: &mut BTreeMap<K, Arrays>, key: K, more: Arrays) -> bool {
    if more.is_empty() {
        return false;
    }
    let set = map.entry(key).or_default();
    let before = set.len();
    set.extend(more);
    set.len() > before
}

impl<'p> Flow<'p> {
    pub fn of(program: &'p Program, entry: ProcId) -> Flow<'p> {
        let mut flow = Flow {
            program,
            entry,
            points: BTreeMap::new(),
            carries: BTreeMap::new(),
            holds: BTreeMap::new(),
            indexed: BTreeMap::new(),
            changed: true,
        };
        for &param in &program.proc(entry).params {
            let own = Arrays::from([Named::Param(param)]);
            flow.points.insert((entry, param), own);
        }
        let reachable = crate::subject::premises::features(program, entry).reachable;
        while std::mem::take(&mut flow.changed) {
            for &proc in &reachable {
                program
                    .proc(proc)
                    .body
                    .walk(&mut |op| flow.through(proc, op));
            }
        }
        flow
    }

    /// By array whose contents are indices: the arrays they are indices of.
    pub fn indexed(&self) -> &BTreeMap<Named, Arrays> {
        &self.indexed
    }

    fn through(&mut self, proc: ProcId, op: &Op) {
        for expr in op.expressions() {
            expr.walk(&mut |part| {
                if let ExprKind::Offset(pointer, by) = &part.kind {
                    let targets = self.bases(proc, pointer);
                    for source in self.sources(proc, by) {
                        let others: Arrays =
                            targets.iter().copied().filter(|t| *t != source).collect();
                        self.changed |= add(&mut self.indexed, source, others);
                    }
                }
            });
        }
        match &op.kind {
            OpKind::Basic(Basic::Assign { var, value }) => self.assign((proc, *var), proc, value),
            OpKind::Basic(Basic::Load { var, pointer }) => {
                let read = self.read(proc, pointer);
                self.changed |= add(&mut self.carries, (proc, *var), read);
            }
            OpKind::Basic(basic) if basic.writes_back() => {}
            OpKind::Basic(Basic::Store { pointer, value }) => {
                let sources = self.sources(proc, value);
                self.store(proc, pointer, &sources);
            }
            OpKind::Basic(Basic::Atomic {
                pointer,
                operands,
                result,
                ..
            }) => {
                let operands = operands.iter();
                let sources: Arrays = operands.flat_map(|o| self.sources(proc, o)).collect();
                self.store(proc, pointer, &sources);
                if let Some(var) = result {
                    let read = self.read(proc, pointer);
                    self.changed |= add(&mut self.carries, (proc, *var), read);
                }
            }
            OpKind::Basic(Basic::Warp {
                operands,
                result: Some(var),
                ..
            }) => {
                let operands = operands.iter();
                let sources: Arrays = operands.flat_map(|o| self.sources(proc, o)).collect();
                self.changed |= add(&mut self.carries, (proc, *var), sources);
            }
            OpKind::Call {
                proc: callee,
                args,
                result,
            } if *callee != self.entry => {
                let called = self.program.proc(*callee);
                for (param, arg) in called.params.iter().zip(args) {
                    self.assign((*callee, *param), proc, arg);
                }
                if let (Some(to), Some(from)) = (result, called.result) {
                    for map in [&mut self.points, &mut self.carries] {
                        let given = map.get(&(*callee, from)).cloned().unwrap_or_default();
                        self.changed |= add(map, (proc, *to), given);
                    }
                }
            }
            _ => {}
        }
    }

    fn assign(&mut self, to: (ProcId, VarId), proc: ProcId, value: &Expr) {
        if value.ty.pointer().is_some() {
            let bases = self.bases(proc, value);
            self.changed |= add(&mut self.points, to, bases);
        } else {
            let sources = self.sources(proc, value);
            self.changed |= add(&mut self.carries, to, sources);
        }
    }

    fn store(&mut self, proc: ProcId, pointer: &Expr, sources: &Arrays) {
        for array in self.bases(proc, pointer) {
            self.changed |= add(&mut self.holds, array, sources.clone());
        }
    }

    /// What reading through a pointer may give: contents of arrays.
    fn read(&self, proc: ProcId, pointer: &Expr) -> Arrays {
        let mut all = self.bases(proc, pointer);
        for array in all.clone() {
            all.extend(self.holds.get(&array).into_iter().flatten());
        }
        all
    }

    /// Arrays whose contents are part of a value.
    fn sources(&self, proc: ProcId, value: &Expr) -> Arrays {
        match &value.kind {
            ExprKind::Const(_)
            | ExprKind::Builtin(_)
            | ExprKind::ArrayBase(_)
            | ExprKind::Offset(..) => Arrays::new(),
            ExprKind::Var(var) => self.carries.get(&(proc, *var)).cloned().unwrap_or_default(),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.sources(proc, a),
            ExprKind::Binary(op, ..) if op.is_comparison() => Arrays::new(),
            ExprKind::Binary(_, a, b) | ExprKind::Select(_, a, b) => {
                let mut all = self.sources(proc, a);
                all.extend(self.sources(proc, b));
                all
            }
            ExprKind::Math(_, args) => args.iter().flat_map(|a| self.sources(proc, a)).collect(),
            ExprKind::Load(pointer) => self.read(proc, pointer),
        }
    }

    /// Arrays a pointer may point into.
    pub fn bases(&self, proc: ProcId, pointer: &Expr) -> Arrays {
        match &pointer.kind {
            ExprKind::Var(var) => self.points.get(&(proc, *var)).cloned().unwrap_or_default(),
            ExprKind::ArrayBase(array) => Arrays::from([Named::Declared(*array)]),
            ExprKind::Offset(from, _) | ExprKind::Cast(from) => self.bases(proc, from),
            ExprKind::Select(_, a, b) => {
                let mut all = self.bases(proc, a);
                all.extend(self.bases(proc, b));
                all
            }
            _ => Arrays::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};

    fn check(body: &str, expected: &[(&str, &[&str])]) {
        let text = format!(
            "__device__ int at(const int *p, int i) {{ return p[i]; }}\n\
             __global__ void k(int *a, const int *b, const int *c, int n) {{\n\
             __shared__ int s[32];\n{body}\n}}\n"
        );
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", &text, Language::Cuda, &options).unwrap();
        let program = parsed.program;
        let kernel = program.find_proc("k").unwrap();
        let name = |array: &Named| match array {
            Named::Param(var) => program.proc(kernel).vars[var.0 as usize].name.to_string(),
            Named::Declared(id) => program.array(*id).name.to_string(),
        };
        let found: Vec<(String, Vec<String>)> = Flow::of(&program, kernel)
            .indexed()
            .iter()
            .map(|(from, to)| (name(from), to.iter().map(name).collect()))
            .collect();
        let found: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|(from, to)| (&**from, to.iter().map(|t| &**t).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(f, t)| (*f, t.to_vec())).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn what_flows_into_an_index() {
        check("a[threadIdx.x] = b[threadIdx.x] + n;", &[]);
        check("a[b[threadIdx.x]] = c[n];", &[("b", &["a"])]);
        check("int j = b[n]; j = j / 2; a[j + 1] = 0;", &[("b", &["a"])]);
        check("a[b[c[n]]] = 0;", &[("b", &["a"]), ("c", &["b"])]);
        check("a[at(b, n)] = 0;", &[("b", &["a"])]);
        check(
            "s[n] = b[n]; __syncthreads(); a[s[0]] = 1;",
            &[("b", &["a"]), ("s", &["a"])],
        );
        check("if (b[n] > 3) a[n] = 0;", &[]);
        check(
            "for (int j = b[n]; j < b[n + 1]; j++) a[n] += c[j];",
            &[("b", &["c"])],
        );
        check(
            "const int *p = n > 3 ? b : c; a[*p] = 0;",
            &[("b", &["a"]), ("c", &["a"])],
        );
    }
}
