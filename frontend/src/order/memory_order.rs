//! Unordered operands that change memory: whether they could access the same cell.
//!
//! Where a pointer may point is computed for the whole program without regard to the order of its operators: a
//! variable may point wherever any value assigned to it does, a parameter wherever the argument of any call does.
//! Arguments of a procedure without callers (a kernel, say) are assumed to point into different arrays, as
//! everywhere.

use crate::order::footprint::{MemoryUse, Unordered};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Procedure;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::{BTreeMap, BTreeSet};

/// Where a pointer may point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Array(ArrayId),
    /// The memory that an argument of a procedure without callers points to, or that was allocated for a variable.
    Of(ProcId, VarId),
    Anywhere,
}

/// A program with all its procedures.
pub(crate) struct Whole<'p> {
    procs: &'p [Procedure],
    arrays: &'p [ArrayDecl],
    /// The calls of each procedure: the callers, and the arguments.
    calls: BTreeMap<ProcId, Vec<(ProcId, &'p [Expr])>>,
    assigned: BTreeMap<(ProcId, VarId), Vec<&'p Expr>>,
    /// Variables that are assigned the address of new memory.
    allocated: BTreeSet<(ProcId, VarId)>,
    /// Variables that get a value in another way.
    opaque: BTreeSet<(ProcId, VarId)>,
}

/// An access, or several.
struct Access<'e> {
    roots: BTreeSet<Root>,
    elem: Option<ScalarType>,
    /// The pointer, when it is one access of the procedure's own.
    pointer: Option<&'e Expr>,
    writes: bool,
}

/// A call, with what each argument may point to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    called: ProcId,
    arguments: Vec<BTreeSet<Root>>,
}

/// The search for the targets of a pointer.
struct Search<'c> {
    /// The call of a procedure to which the search is restricted.
    call: Option<&'c Call>,
    seen: BTreeSet<(ProcId, VarId)>,
    found: BTreeSet<Root>,
}

impl<'p> Whole<'p> {
    pub fn new(procs: &'p [Procedure], arrays: &'p [ArrayDecl]) -> Whole<'p> {
        let mut whole = Whole {
            procs,
            arrays,
            calls: BTreeMap::new(),
            assigned: BTreeMap::new(),
            allocated: BTreeSet::new(),
            opaque: BTreeSet::new(),
        };
        for (index, proc) in procs.iter().enumerate() {
            let id = ProcId(index as u32);
            proc.body.walk(&mut |op| match &op.kind {
                OpKind::Call { proc, args, result } => {
                    whole.calls.entry(*proc).or_default().push((id, args));
                    whole.opaque.extend(result.map(|var| (id, var)));
                }
                OpKind::Basic(Basic::CallGpu { kernel, args, .. }) => {
                    whole.calls.entry(*kernel).or_default().push((id, args));
                }
                OpKind::Basic(Basic::Assign { var, value }) => {
                    whole.assigned.entry((id, *var)).or_default().push(value);
                }
                OpKind::Basic(Basic::Alloc { var, .. }) => {
                    whole.allocated.insert((id, *var));
                }
                OpKind::Basic(basic) => {
                    whole.opaque.extend(basic.assigned().map(|var| (id, var)));
                }
                _ => {}
            });
        }
        whole
    }

    /// Memory that two operands of `proc` may both access, where one of them changes it; `None` if there is none.
    pub fn conflict(&self, proc: ProcId, operands: &Unordered) -> Option<String> {
        let (left, left_orders) = self.accesses(proc, &operands.left);
        let (right, right_orders) = self.accesses(proc, &operands.right);
        let is_seen = |access: &Access<'_>| access.roots.iter().any(|root| self.is_shared(*root));
        if left_orders && (right_orders || right.iter().any(is_seen))
            || right_orders && left.iter().any(is_seen)
        {
            return Some("memory that a barrier or a fence puts in order".into());
        }
        for a in &left {
            for b in &right {
                if (a.writes || b.writes) && self.may_meet(a, b) {
                    return Some(self.name(a, b));
                }
            }
        }
        None
    }

    /// Whether other threads could see it.
    fn is_shared(&self, root: Root) -> bool {
        match root {
            Root::Array(array) => self.arrays[array.0 as usize].space != Space::Private,
            _ => true,
        }
    }

    fn name(&self, a: &Access<'_>, b: &Access<'_>) -> String {
        let both = a.roots.intersection(&b.roots).next();
        match both.or(a.roots.iter().next()) {
            Some(Root::Array(array)) => format!("`{}`", self.arrays[array.0 as usize].name),
            Some(Root::Of(proc, var)) => {
                let name = self
                    .procs
                    .get(proc.0 as usize)
                    .and_then(|p| p.vars.get(var.0 as usize));
                format!("`{}`", name.map_or("memory", |v| &*v.name))
            }
            _ => "memory".into(),
        }
    }

    /// The accesses, and whether something orders them.
    fn accesses<'e>(&self, proc: ProcId, uses: &'e MemoryUse) -> (Vec<Access<'e>>, bool) {
        let mut found = Vec::new();
        for (pointer, writes) in uses.accessed() {
            found.push(Access {
                roots: self.roots(proc, pointer, None),
                elem: pointer.ty.pointer().map(|p| p.elem),
                pointer: Some(pointer),
                writes,
            });
        }
        let mut is_ordering = uses.is_ordering;
        let mut seen = BTreeSet::new();
        let mut next: Vec<Call> = uses
            .calls
            .iter()
            .map(|c| self.call(proc, c, None))
            .collect();
        while let Some(call) = next.pop() {
            if !seen.insert(call.clone()) {
                continue;
            }
            let Some(procedure) = self.procs.get(call.called.0 as usize) else {
                continue;
            };
            let inside = MemoryUse::of(&procedure.body);
            is_ordering |= inside.is_ordering;
            for (pointer, writes) in inside.accessed() {
                let mut roots = self.roots(call.called, pointer, Some(&call));
                // Its private memory exists only during the call.
                roots.retain(|root| match root {
                    Root::Array(array) => {
                        let decl = &self.arrays[array.0 as usize];
                        decl.space != Space::Private || decl.owner != Some(call.called)
                    }
                    _ => true,
                });
                if !roots.is_empty() {
                    found.push(Access {
                        roots,
                        elem: pointer.ty.pointer().map(|p| p.elem),
                        pointer: None,
                        writes,
                    });
                }
            }
            let further = inside.calls.iter();
            next.extend(further.map(|c| self.call(call.called, c, Some(&call))));
        }
        (found, is_ordering)
    }

    /// A call that `proc` makes, which was itself called by `within`.
    fn call(&self, proc: ProcId, made: &(ProcId, Vec<Expr>), within: Option<&Call>) -> Call {
        let (called, args) = made;
        let roots = |arg: &Expr| match arg.ty.pointer() {
            Some(_) => self.roots(proc, arg, within),
            None => BTreeSet::new(),
        };
        Call {
            called: *called,
            arguments: args.iter().map(roots).collect(),
        }
    }

    fn may_meet(&self, a: &Access<'_>, b: &Access<'_>) -> bool {
        // An array has cells of one type.
        if let (Some(x), Some(y)) = (a.elem, b.elem)
            && x != y
        {
            return false;
        }
        let anywhere = |access: &Access<'_>| access.roots.contains(&Root::Anywhere);
        if anywhere(a) && !b.roots.is_empty() || anywhere(b) && !a.roots.is_empty() {
            return true;
        }
        if a.roots.is_disjoint(&b.roots) {
            return false;
        }
        match (a.pointer, b.pointer) {
            (Some(p), Some(q)) => !are_apart(p, q),
            _ => true,
        }
    }

    /// The targets of a pointer of `proc`, in one `call` of it or in any.
    fn roots(&self, proc: ProcId, pointer: &Expr, call: Option<&Call>) -> BTreeSet<Root> {
        let mut search = Search {
            call,
            seen: BTreeSet::new(),
            found: BTreeSet::new(),
        };
        self.add_roots(proc, pointer, &mut search);
        search.found
    }

    fn add_roots(&self, proc: ProcId, pointer: &Expr, search: &mut Search<'_>) {
        match &pointer.kind {
            ExprKind::ArrayBase(array) => {
                search.found.insert(Root::Array(*array));
            }
            ExprKind::Offset(base, _) => self.add_roots(proc, base, search),
            ExprKind::Cast(inner) if inner.ty.pointer().is_some() => {
                self.add_roots(proc, inner, search);
            }
            // The null pointer, and a variable that loses its value.
            ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::Const(_)) => {}
            _ if pointer.is_no_value() => {}
            ExprKind::Select(_, a, b) => {
                self.add_roots(proc, a, search);
                self.add_roots(proc, b, search);
            }
            ExprKind::Var(var) => self.add_roots_of(proc, *var, search),
            _ => {
                search.found.insert(Root::Anywhere);
            }
        }
    }

    fn add_roots_of(&self, proc: ProcId, var: VarId, search: &mut Search<'_>) {
        if !search.seen.insert((proc, var)) {
            return;
        }
        let mut is_known = self.allocated.contains(&(proc, var));
        if is_known {
            search.found.insert(Root::Of(proc, var));
        }
        if self.opaque.contains(&(proc, var)) {
            search.found.insert(Root::Anywhere);
        }
        for value in self.assigned.get(&(proc, var)).into_iter().flatten() {
            is_known = true;
            self.add_roots(proc, value, search);
        }
        let params = self.procs.get(proc.0 as usize).map(|p| p.params.as_slice());
        if let Some(at) = params.and_then(|params| params.iter().position(|p| *p == var)) {
            is_known = true;
            let meant = search.call.filter(|call| call.called == proc);
            match (meant, self.calls.get(&proc)) {
                (Some(call), _) => match call.arguments.get(at) {
                    Some(roots) => search.found.extend(roots),
                    None => drop(search.found.insert(Root::Anywhere)),
                },
                (None, None) => {
                    search.found.insert(Root::Of(proc, var));
                }
                (None, Some(calls)) => {
                    for (caller, args) in calls {
                        match args.get(at) {
                            Some(arg) => self.add_roots(*caller, arg, search),
                            None => drop(search.found.insert(Root::Anywhere)),
                        }
                    }
                }
            }
        }
        if !is_known {
            search.found.insert(Root::Anywhere);
        }
    }
}

/// Whether two pointers that are evaluated in one state differ, whatever the state.
fn are_apart(p: &Expr, q: &Expr) -> bool {
    let (base_p, at_p, by_p) = split(p);
    let (base_q, at_q, by_q) = split(q);
    let same = base_p == base_q && at_p == at_q && !at_p.is_some_and(Expr::has_load);
    same && !base_p.has_load() && by_p != by_q
}

/// Whether a pointer certainly points to none of the `count` cells from `first` on; both are evaluated in one state.
pub(crate) fn is_outside(pointer: &Expr, first: &Expr, count: u64) -> bool {
    let (base, at, by) = split(pointer);
    let (first_base, first_at, first_by) = split(first);
    let same = base == first_base && at == first_at;
    let has_load = base.has_load() || at.is_some_and(Expr::has_load);
    same && !has_load && !(first_by..first_by + i128::from(count)).contains(&by)
}

/// A pointer as a base, what is added to it, and a constant number of elements.
fn split(pointer: &Expr) -> (&Expr, Option<&Expr>, i128) {
    let ExprKind::Offset(base, elements) = &pointer.kind else {
        return (pointer, None, 0);
    };
    // A wider number tells narrower ones apart.
    let is_integer = |e: &Expr| e.ty.scalar().is_some_and(|s| s.is_integer());
    let elements = match &elements.kind {
        ExprKind::Cast(inner) if is_integer(inner) => inner,
        _ => elements,
    };
    let number = |e: &Expr| match &e.kind {
        ExprKind::Const(value) => value.as_integer(),
        _ => None,
    };
    if let Some(n) = number(elements) {
        return (base, None, n);
    }
    if let ExprKind::Binary(BinaryOp::Add, a, b) = &elements.kind
        && let Some(n) = number(b)
    {
        return (base, Some(a), n);
    }
    (base, Some(elements), 0)
}
