//! Arrays that may begin anew in the midst of a run. In the semantics a private array is there from the start of its thread
//! to the end, and one of host code from the program's. In a source it may be declared in a loop, or in a function that is called again: what an iteration or a
//! call before has left in it is no value then, though a run finds one.

use crate::algebra::declaration::Space;
use crate::algebra::expr::ExprKind;
use crate::algebra::ids::{ArrayId, ProcId};
use crate::algebra::operator::{Basic, Op, OpId, OpKind};
use crate::algebra::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Calls that are followed; beyond, every array counts.
const MOST_CALLS: usize = 10_000;

/// Where an array is named.
struct Named {
    /// The loops around every place that names it, those around calls included.
    loops: Vec<OpId>,
    /// Calls of the procedures that name it.
    calls: usize,
    /// The last of them.
    last_call: usize,
}

struct Search<'p> {
    program: &'p Program,
    loops: Vec<OpId>,
    calls: usize,
    named: BTreeMap<ArrayId, Named>,
    kernels: BTreeSet<ProcId>,
}

/// Whether some array of a thread or of host code, without initial contents, that a run of `entry` uses may be declared in
/// a loop or in a procedure that is called several times. Each launch has threads of its own.
pub fn may_begin_anew(program: &Program, entry: ProcId) -> bool {
    let mut search = Search {
        program,
        loops: Vec::new(),
        calls: 0,
        named: BTreeMap::new(),
        kernels: BTreeSet::new(),
    };
    search.visit(&program.proc(entry).body, 0);
    let begins_anew = |(id, named): (&ArrayId, &Named)| {
        let array = program.array(*id);
        let is_own = matches!(array.space, Space::Private | Space::Host);
        let is_unset = is_own && array.init.is_none();
        is_unset && (!named.loops.is_empty() || named.calls > 1)
    };
    search.calls > MOST_CALLS
        || search.named.iter().any(begins_anew)
        || search
            .kernels
            .iter()
            .any(|kernel| may_begin_anew(program, *kernel))
}

impl<'p> Search<'p> {
    /// `call`: the number of the call that the operator is run in.
    fn visit(&mut self, op: &'p Arc<Op>, call: usize) {
        for expr in op.expressions() {
            expr.walk(&mut |part| {
                if let ExprKind::ArrayBase(array) = part.kind {
                    self.name(array, call);
                }
            });
        }
        match &op.kind {
            OpKind::Call { proc, .. } if self.calls <= MOST_CALLS => {
                self.calls += 1;
                let program = self.program;
                self.visit(&program.proc(*proc).body, self.calls);
            }
            OpKind::Basic(Basic::CallGpu { kernel, .. }) => {
                self.kernels.insert(*kernel);
            }
            OpKind::While { body, .. } => {
                self.loops.push(op.id);
                self.visit(body, call);
                self.loops.pop();
            }
            _ => op
                .children()
                .into_iter()
                .for_each(|part| self.visit(part, call)),
        }
    }

    fn name(&mut self, array: ArrayId, call: usize) {
        let around = &self.loops;
        let named = self.named.entry(array).or_insert_with(|| Named {
            loops: around.clone(),
            calls: 1,
            last_call: call,
        });
        named.loops.retain(|one| around.contains(one));
        named.calls += usize::from(named.last_call != call);
        named.last_call = call;
    }
}
