//! Which variables and memory a piece of program uses. All answers over-approximate: *may write*,
//! *may read*. Pointers with different names are taken not to point into one array (the analyses
//! that rely on it are asked together with `no_alias`).

use super::aliasing::{family, sources};
use crate::matching::matcher::peel_index;
use crate::terms::term::{BinaryOp, Functor, Term, TermKind};
use gridlock_semantics::algebra::operator::{AtomicFn, Effect, Form, Head, Slot};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeSet;

/// One access to memory.
#[derive(Clone, Debug)]
pub struct Access {
    /// The pointer variable or declared array accessed.
    pub base: Term,
    /// Element, counted from `base`, without its conversion to `I64`.
    pub index: Term,
    pub is_write: bool,
    /// What an atomic does to the cell that leaves nobody what was there before: it reads and writes in one step.
    pub atomic: Option<AtomicFn>,
    /// Whether it happens whenever the statement runs.
    pub is_certain: bool,
    /// Conditions known to hold where it happens, outermost first.
    pub guards: Vec<Term>,
    /// The counted loops around it, outermost first.
    pub loops: Vec<Term>,
    /// How many of these are around each of the guards.
    pub loops_around_guards: Vec<usize>,
    /// Whether it happens in every iteration of these.
    pub is_unconditional: bool,
}

/// The base and element of a pointer expression; `None` when it is no simple one.
pub fn element_of(pointer: &Term) -> Option<(Term, Term)> {
    match pointer.kind() {
        TermKind::Var(_) | TermKind::Array { .. } => {
            Some((pointer.clone(), Term::int(ScalarType::I64, 0)))
        }
        TermKind::App(Functor::Cast, args) if args[0].ty()?.pointer().is_some() => {
            element_of(&args[0])
        }
        TermKind::App(Functor::Offset, args) => {
            let (base, index) = element_of(&args[0])?;
            let own = peel_index(&args[1]).clone();
            if index.as_integer() == Some(0) {
                return Some((base, own));
            }
            if own.as_integer() == Some(0) {
                return Some((base, index));
            }
            Some((
                base,
                crate::terms::typing::binary(BinaryOp::Add, index, own),
            ))
        }
        _ => None,
    }
}

/// The value that a statement gives a variable, if it gives it one by an assignment at its outermost level and
/// none elsewhere.
pub fn definition(p: &Term, x: &Term) -> Option<Term> {
    let id = x.as_variable()?.id;
    let statements = p.statements();
    let mut assigning = statements
        .iter()
        .filter(|statement| assigned_variables(statement).contains(&id));
    let (Some(only), None) = (assigning.next(), assigning.next()) else {
        return None;
    };
    match only.args_of(&Functor::Basic(Head::Assign)) {
        Some([_, value]) => Some(value.clone()),
        _ => None,
    }
}

/// All accesses of a statement, in the order of the text; `None` when it does something this
/// analysis does not see through (host operators, atomics, calls it cannot summarise).
pub fn accesses(root: &Term, statement: &Term) -> Option<Vec<Access>> {
    collected(root, statement, false)
}

/// The same, with atomics whose results nobody takes.
pub fn accesses_with_atomics(root: &Term, statement: &Term) -> Option<Vec<Access>> {
    collected(root, statement, true)
}

fn collected(root: &Term, statement: &Term, sees_atomics: bool) -> Option<Vec<Access>> {
    let mut collector = Collector {
        root,
        sees_atomics,
        found: vec![],
        guards: vec![],
        loops: vec![],
        loops_around_guards: vec![],
        branches: 0,
        depth: 0,
    };
    collector.statement(statement)?;
    Some(collector.found)
}

struct Collector<'a> {
    root: &'a Term,
    /// Whether atomics are seen through.
    sees_atomics: bool,
    found: Vec<Access>,
    guards: Vec<Term>,
    /// The counted loops around.
    loops: Vec<Term>,
    /// How many of these are around each of the guards.
    loops_around_guards: Vec<usize>,
    /// Branches and loops around.
    branches: usize,
    depth: usize,
}

impl Collector<'_> {
    fn access(&mut self, pointer: &Term, is_write: bool) -> Option<()> {
        let (base, index) = element_of(pointer)?;
        self.found.push(Access {
            base,
            index,
            is_write,
            atomic: None,
            is_certain: self.branches == 0,
            guards: self.guards.clone(),
            loops: self.loops.clone(),
            loops_around_guards: self.loops_around_guards.clone(),
            is_unconditional: self.branches == self.loops.len(),
        });
        Some(())
    }

    fn expression(&mut self, term: &Term) -> Option<()> {
        let is_choice = match term.as_app() {
            Some((Functor::Select, _)) => true,
            Some((Functor::Binary(op), _)) => op.is_logical(),
            _ => false,
        };
        for (index, child) in term.children().iter().enumerate() {
            // The first operand of a choice is always evaluated.
            let may_be_left_out = usize::from(is_choice && index > 0);
            self.branches += may_be_left_out;
            self.expression(child)?;
            self.branches -= may_be_left_out;
        }
        match term.args_of(&Functor::Load) {
            Some([pointer]) => self.access(pointer, false),
            _ => Some(()),
        }
    }

    fn statement(&mut self, term: &Term) -> Option<()> {
        let (functor, args) = term.as_app()?;
        match (functor, args) {
            (Functor::Seq, parts) => parts.iter().try_for_each(|part| self.statement(part)),
            (Functor::If, [cond, then, otherwise]) => {
                self.expression(cond)?;
                let before = self.guards.len();
                conjuncts(cond, &mut self.guards);
                let (count, depth) = (self.guards.len(), self.loops.len());
                self.loops_around_guards.resize(count, depth);
                self.branches += 1;
                self.statement(then)?;
                self.guards.truncate(before);
                self.loops_around_guards.truncate(before);
                self.statement(otherwise)?;
                self.branches -= 1;
                Some(())
            }
            (Functor::While, [cond, body]) => {
                self.expression(cond)?;
                self.repeated(body)
            }
            (Functor::For, [_, init, cond, step, body]) => {
                for part in [init, cond, step] {
                    self.expression(part)?;
                }
                self.loops.push(term.clone());
                self.repeated(body)?;
                self.loops.pop();
                Some(())
            }
            (Functor::Basic(Head::Store), [pointer, value]) => {
                self.expression(pointer)?;
                self.expression(value)?;
                self.access(pointer, true)
            }
            (Functor::Basic(Head::Load), [_, pointer]) => {
                self.expression(pointer)?;
                self.access(pointer, false)
            }
            (Functor::Basic(Head::Atomic(function, _)), [pointer, operands, result])
                if self.sees_atomics && *result == Term::nil() =>
            {
                self.expression(pointer)?;
                self.expression(operands)?;
                self.access(pointer, true)?;
                self.found.last_mut()?.atomic = Some(*function);
                Some(())
            }
            (Functor::Basic(Head::Assign), [_, value]) => self.expression(value),
            (Functor::Call, [proc, args, _]) => self.call(proc, args.children()),
            (Functor::Skip | Functor::Basic(Head::Exit | Head::Beyond), _) => Some(()),
            (Functor::Basic(Head::Barrier(..) | Head::SyncWarp | Head::Fence(_)), args) => {
                args.iter().try_for_each(|arg| self.expression(arg))
            }
            (Functor::Basic(head), args)
                if head.effect() == Effect::Private && *head != Head::Assume =>
            {
                args.iter().try_for_each(|arg| self.expression(arg))
            }
            _ => None,
        }
    }

    /// A loop's body: it may not run at all.
    fn repeated(&mut self, body: &Term) -> Option<()> {
        self.branches += 1;
        self.statement(body)?;
        self.branches -= 1;
        Some(())
    }

    /// A call whose callee touches only constant elements of its pointer parameters.
    fn call(&mut self, proc: &Term, args: &[Term]) -> Option<()> {
        for arg in args {
            self.expression(arg)?;
        }
        if self.depth > 8 {
            return None;
        }
        let (id, _) = proc.as_proc()?;
        let callee = self.root.children().get(id as usize)?;
        let [_, params, _, _, body] = callee.children() else {
            return None;
        };
        let assigned = assigned_variables(body);
        let mut inner = Collector {
            root: self.root,
            sees_atomics: self.sees_atomics,
            found: vec![],
            guards: vec![],
            loops: self.loops.clone(),
            loops_around_guards: vec![],
            branches: self.branches,
            depth: self.depth + 1,
        };
        inner.statement(body)?;
        for access in inner.found {
            let element = access.index.as_integer()?;
            let position = params.children().iter().position(|p| *p == access.base)?;
            if assigned.contains(&access.base.as_variable()?.id) {
                return None;
            }
            let element = Term::int(ScalarType::I64, element);
            let pointer = crate::terms::typing::offset(args.get(position)?.clone(), element);
            self.access(&pointer, access.is_write)?;
            if let Some(last) = self.found.last_mut() {
                last.atomic = access.atomic;
                last.is_certain = access.is_certain;
                last.is_unconditional =
                    access.is_unconditional && access.loops.len() == self.loops.len();
            }
        }
        Some(())
    }
}

/// Whether it makes no difference which of two accesses to one cell comes first: both are atomics that do the same, or add
/// and subtract; if on floats but for rounding.
pub fn are_in_no_order(one: Option<AtomicFn>, other: Option<AtomicFn>) -> bool {
    let kind = |function: AtomicFn| match function {
        AtomicFn::Sub => AtomicFn::Add,
        other => other,
    };
    one.is_some_and(AtomicFn::is_commutative) && one.map(kind) == other.map(kind)
}

/// The conditions a conjunction asks for, without loads (those may change).
fn conjuncts(cond: &Term, into: &mut Vec<Term>) {
    if let Some([a, b]) = cond.args_of(&Functor::Binary(BinaryOp::And)) {
        conjuncts(a, into);
        conjuncts(b, into);
    } else if !has_load(cond) {
        into.push(cond.clone());
    }
}

pub fn has_load(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |t| found |= matches!(t.as_app(), Some((Functor::Load, _))));
    found
}

/// Ids of the variables a statement may assign (in this procedure).
pub fn assigned_variables(term: &Term) -> BTreeSet<u32> {
    let mut assigned = BTreeSet::new();
    term.walk(&mut |t| {
        let target = match t.as_app() {
            Some((Functor::For, args)) => args.first(),
            Some((Functor::Call, args)) => args.last(),
            Some((Functor::Basic(head), args)) => result_slot(head).and_then(|n| args.get(n)),
            _ => None,
        };
        if let Some(variable) = target.and_then(Term::as_variable) {
            assigned.insert(variable.id);
        }
    });
    assigned
}

/// Which operand of an operator is the variable that gets its result.
fn result_slot(head: &Head) -> Option<usize> {
    let is_result = |slot: &Slot| matches!(slot.form, Form::Result | Form::OptionalResult);
    head.slots().iter().position(is_result)
}

/// Whether `x` gets its values in `p` from assignments alone: no loop counts it, no call, atomic or
/// exchange leaves its result there. Nor is it brought to a barrier, to which variables alone can be.
pub fn only_assigned(p: &Term, x: &Term) -> bool {
    let mut fine = true;
    p.walk(&mut |t| {
        let Some((functor, args)) = t.as_app() else {
            return;
        };
        let target = match functor {
            Functor::Basic(Head::Assign) => {
                // A cell cannot lose its value.
                let loses_it = args.get(1).is_some_and(Term::is_no_value);
                args.first().filter(|_| loses_it)
            }
            Functor::For => args.first(),
            Functor::Call => args.get(2),
            Functor::Basic(head) => result_slot(head).and_then(|n| args.get(n)),
            _ => None,
        };
        let is_brought = matches!(functor, Functor::Basic(Head::Barrier(..))) && args.contains(x);
        fine &= target != Some(x) && !is_brought;
    });
    fine
}

/// How often a variable or array occurs.
pub fn occurrences(term: &Term, of: &Term) -> usize {
    let mut count = 0;
    term.walk(&mut |t| count += usize::from(t == of));
    count
}

/// Pointer variables and declared arrays whose memory a statement touches, in order of first use.
pub fn arrays(term: &Term) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    term.walk(&mut |t| {
        let is_base = match t.kind() {
            TermKind::Var(variable) => matches!(variable.ty, Type::Pointer(_)),
            TermKind::Array { .. } => true,
            _ => false,
        };
        if is_base && !found.contains(t) {
            found.push(t.clone());
        }
    });
    found
}

/// Scalar variables that occur, in order of first use.
pub fn scalars(term: &Term) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    term.walk(&mut |t| {
        if let TermKind::Var(variable) = t.kind()
            && matches!(variable.ty, Type::Scalar(_))
            && !found.contains(t)
        {
            found.push(t.clone());
        }
    });
    found
}

/// Whether `term` names `x`; an array that is declared also in what it calls or launches.
pub fn may_use(root: &Term, term: &Term, x: &Term) -> bool {
    term.contains(x) || is_named_inside(root, term, x)
}

/// Whether what `term` calls or launches names an array that is declared: no variable of another procedure is one of this.
fn is_named_inside(root: &Term, term: &Term, array: &Term) -> bool {
    if !matches!(array.kind(), TermKind::Array { .. }) {
        return false;
    }
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![term]);
    while let Some(term) = waiting.pop() {
        let mut called = Vec::new();
        term.walk(&mut |t| {
            if let Some((Functor::Call | Functor::Basic(Head::CallGpu(_)), [callee, ..])) =
                t.as_app()
            {
                called.push(callee.as_proc().map(|(number, _)| number as usize));
            }
        });
        for number in called {
            let procedure = number.and_then(|number| root.children().get(number));
            if procedure.is_none_or(|procedure| procedure.contains(array)) {
                return true;
            }
            if seen.insert(number) {
                waiting.extend(procedure);
            }
        }
    }
    false
}

/// Whether `term` may write memory of `base`: stores, atomics, copies, and calls and launches through it or that name it.
pub fn may_write(root: &Term, term: &Term, base: &Term) -> bool {
    let mut found = is_named_inside(root, term, base);
    term.walk(&mut |t| {
        let Some((functor, args)) = t.as_app() else {
            return;
        };
        found |= match functor {
            Functor::Basic(Head::Store | Head::Atomic(..) | Head::Copy(_) | Head::Free(_)) => {
                args.first().is_some_and(|pointer| pointer.contains(base))
            }
            Functor::Basic(Head::Alloc(..)) => args.first() == Some(base),
            Functor::Basic(Head::CallGpu(_)) => {
                let reads_only = |found: Vec<Access>| found.iter().all(|access| !access.is_write);
                args.iter().any(|arg| arg.contains(base))
                    && !by_launch(root, t, base).is_some_and(reads_only)
            }
            Functor::Call => {
                args.iter().any(|arg| arg.contains(base)) && may_write_by_call(root, t, base)
            }
            _ => false,
        };
    });
    found
}

/// What a launch does with an array that it hands over: the accesses of the kernel to the parameters that get it. `None`
/// where they are not all known.
pub fn by_launch(root: &Term, launch: &Term, array: &Term) -> Option<Vec<Access>> {
    // A stream may stand behind the arguments.
    let Some((Functor::Basic(Head::CallGpu(_)), [kernel, _, _, _, args, ..])) = launch.as_app()
    else {
        return None;
    };
    let (number, _) = kernel.as_proc()?;
    let procedure = root.children().get(number as usize)?;
    let [_, params, _, _, body] = procedure.children() else {
        return None;
    };
    let mut found = accesses(root, body)?;
    let mut own = Vec::new();
    for (param, arg) in params.children().iter().zip(args.children()) {
        if !arg.contains(array) {
            continue;
        }
        // Within the kernel, too, the parameter must be the only name.
        let is_alone = family(procedure, vec![param.clone()]).len() == 1;
        if !is_alone || sources(arg).len() != 1 {
            return None;
        }
        own.push(param);
    }
    found.retain(|access| own.contains(&&access.base));
    Some(found)
}

/// A call writes through `base` unless the callee's accesses are known and only read it.
fn may_write_by_call(root: &Term, call: &Term, base: &Term) -> bool {
    match accesses(root, call) {
        Some(found) => found.iter().any(|a| a.is_write && a.base == *base),
        None => true,
    }
}
