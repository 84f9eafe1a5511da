//! Where variables are declared: as late and as deep as C's block scopes allow without changing
//! what a variable holds.

use crate::print::liveness::{matters, mentioned, needed_vars, read_vars};
use crate::print::range::assigned;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Op, OpId, OpKind};
use gridlock_semantics::algebra::program::Procedure;
use gridlock_semantics::analysis::loops::counted_loop;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Declarations of one procedure. Operators are named by id: the procedure's operators must be
/// numbered in textual order, each occurrence once.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    pub needed: BTreeSet<VarId>,
    /// Declared by the operator that gives them their first value.
    pub at_assignment: BTreeMap<OpId, VarId>,
    /// Declared without a value before an operator.
    pub before: BTreeMap<OpId, Vec<VarId>>,
    /// Declared with value zero before an operator: may be read before it is set, which is a
    /// fault in the algebra, and which a compiler could warn of.
    pub before_zeroed: BTreeMap<OpId, Vec<VarId>>,
    /// Ranges of operator ids in which each variable lives.
    pub lifetimes: BTreeMap<VarId, Vec<(u32, u32)>>,
}

impl Scopes {
    pub(crate) fn of(proc: &Procedure) -> Scopes {
        let needed = needed_vars(proc);
        let mut scopes = Scopes {
            needed,
            ..Scopes::default()
        };
        let params: BTreeSet<VarId> = proc.params.iter().copied().collect();
        let mut locals = mentioned(&proc.body, &scopes.needed);
        locals.retain(|var| !params.contains(var));
        // The result is read after the body.
        if let Some(result) = proc.result.filter(|result| !params.contains(result)) {
            locals.remove(&result);
            if !returns_directly(&proc.body, result) {
                scopes.place_result(&proc.body, result);
            }
        }
        let body = &proc.body;
        for var in locals {
            scopes.place(body, var, id_range(body));
        }
        scopes
    }

    /// Declares the result variable, which is read after the body.
    fn place_result(&mut self, body: &Arc<Op>, var: VarId) {
        let block = id_range(body);
        let reads_first = {
            let inner = exposure(body, var);
            inner.reads_first || !inner.sets
        };
        if let OpKind::Seq(parts) = &body.kind
            && counted_loop(body).is_none()
            && let Some(first) = parts.iter().find(|part| self.mentions(part, var))
        {
            return self.declare_at(first, var, block, reads_first);
        }
        self.declare_before(body, var, block, reads_first);
    }

    /// Declares `var`, all of whose occurrences are inside `op`, whose block has the ids `block`.
    fn place(&mut self, op: &Arc<Op>, var: VarId, block: (u32, u32)) {
        match &op.kind {
            OpKind::Seq(parts) => {
                let users: Vec<&Arc<Op>> = parts
                    .iter()
                    .filter(|part| self.mentions(part, var))
                    .collect();
                if let [only] = users.as_slice() {
                    return self.place(only, var, block);
                }
                // Several loops, each with its own counter of the same name.
                let separate = users.iter().all(|user| {
                    counted_loop(user).is_some_and(|l| l.var == var)
                        && !exposure(user, var).reads_first
                });
                if separate {
                    for user in users {
                        self.place(user, var, id_range(user));
                    }
                    return;
                }
                let Some(first) = users.first() else { return };
                let block = match counted_loop(op) {
                    // The counter of `for (int i = 0; …)` lives in the loop.
                    Some(_) => id_range(op),
                    None => block,
                };
                let reads_first = exposure(op, var).reads_first;
                self.declare_at(first, var, block, reads_first);
            }
            OpKind::If {
                then, otherwise, ..
            } => {
                if read_vars(op).contains(&var) {
                    return self.declare_before(op, var, block, true);
                }
                for branch in [then, otherwise] {
                    if self.mentions(branch, var) {
                        self.place(branch, var, id_range(branch));
                    }
                }
            }
            OpKind::While { body, .. } => {
                if read_vars(op).contains(&var) || exposure(body, var).reads_first {
                    self.declare_before(op, var, block, true);
                } else {
                    self.place(body, var, id_range(body));
                }
            }
            OpKind::Par(..) => self.declare_before(op, var, block, true),
            OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_) => {
                let reads_first = exposure(op, var).reads_first;
                self.declare_at(op, var, block, reads_first)
            }
        }
    }

    fn declare_at(&mut self, first: &Arc<Op>, var: VarId, block: (u32, u32), reads_first: bool) {
        if assigned(first) == Some(var) && !read_vars(first).contains(&var) {
            self.at_assignment.insert(first.id, var);
            self.live(var, (first.id.0, block.1));
        } else {
            self.declare_before(first, var, block, reads_first);
        }
    }

    fn declare_before(&mut self, op: &Arc<Op>, var: VarId, block: (u32, u32), reads_first: bool) {
        let list = if reads_first {
            &mut self.before_zeroed
        } else {
            &mut self.before
        };
        list.entry(op.id).or_default().push(var);
        self.live(var, (op.id.0, block.1));
    }

    fn live(&mut self, var: VarId, ids: (u32, u32)) {
        self.lifetimes.entry(var).or_default().push(ids);
    }

    fn mentions(&self, op: &Arc<Op>, var: VarId) -> bool {
        mentioned(op, &self.needed).contains(&var)
    }
}

/// First and last id inside an operator.
pub(crate) fn id_range(op: &Arc<Op>) -> (u32, u32) {
    let mut last = op.id.0;
    op.walk(&mut |inner| last = last.max(inner.id.0));
    (op.id.0, last)
}

/// Whether every path through a function's body ends in setting its result, and nothing else
/// mentions it: then each of these assignments is a `return`.
pub(crate) fn returns_directly(body: &Arc<Op>, result: VarId) -> bool {
    fn count(op: &Arc<Op>, var: VarId) -> usize {
        let mut n = 0;
        op.walk(&mut |o| {
            n += usize::from(assigned(o) == Some(var)) + usize::from(read_vars(o).contains(&var));
        });
        n
    }
    fn returns(op: &Arc<Op>, var: VarId) -> Option<usize> {
        match &op.kind {
            OpKind::Basic(gridlock_semantics::algebra::operator::Basic::Assign {
                var: v,
                value,
            }) if *v == var && !gridlock_semantics::analysis::loops::reads(value, var) => Some(1),
            OpKind::Seq(parts) => returns(parts.last()?, var),
            OpKind::If {
                then, otherwise, ..
            } => Some(returns(then, var)? + returns(otherwise, var)?),
            _ => None,
        }
    }
    returns(body, result).is_some_and(|n| n == count(body, result))
}

/// How an operator treats a variable.
struct Exposure {
    /// Some path reads the value from before.
    reads_first: bool,
    /// Every path sets it (or does not get through).
    sets: bool,
}

fn exposure(op: &Arc<Op>, var: VarId) -> Exposure {
    let reads = read_vars(op).contains(&var);
    match &op.kind {
        OpKind::Seq(parts) => {
            let mut reads_first = false;
            for part in parts {
                let inner = exposure(part, var);
                reads_first |= inner.reads_first;
                if inner.sets {
                    return Exposure {
                        reads_first,
                        sets: true,
                    };
                }
            }
            Exposure {
                reads_first,
                sets: false,
            }
        }
        OpKind::If {
            then, otherwise, ..
        } => {
            let (yes, no) = (exposure(then, var), exposure(otherwise, var));
            Exposure {
                reads_first: reads || yes.reads_first || no.reads_first,
                sets: yes.sets && no.sets,
            }
        }
        OpKind::While { body, .. } => Exposure {
            reads_first: reads || exposure(body, var).reads_first,
            sets: false,
        },
        OpKind::Par(a, b) => Exposure {
            reads_first: exposure(a, var).reads_first || exposure(b, var).reads_first,
            sets: false,
        },
        OpKind::Basic(gridlock_semantics::algebra::operator::Basic::Exit) => Exposure {
            reads_first: false,
            sets: true,
        },
        OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_) => Exposure {
            reads_first: reads && matters_always(op),
            sets: assigned(op) == Some(var) && matters_always(op),
        },
    }
}

/// Reads count even where the operator itself is not printed: a superset is safe here.
fn matters_always(op: &Op) -> bool {
    matters(op, &assigned(op).into_iter().collect())
}
