//! A procedure as far as it is made: its variables, what its names mean, and its operators. What is done here needs no
//! expression or statement to be read: places are read and written, pointers moved, values kept.

use crate::assumed::Assumed;
use crate::body::asked::Places;
use crate::body::binding::Binding;
use crate::body::captures::Captures;
use crate::body::flow::Flow;
use crate::body::group_copies::GroupCopies;
use crate::body::program_builder::Builder;
use crate::body::source::Source;
use crate::body::stored_pointers::StoredPointers;
use crate::body::thread_copies::ThreadCopies;
use crate::order::footprint::Unordered;
use crate::parsed::Note;
use crate::storage::place::Place;
use crate::storage::pointers::null_like;
use crate::syntax::Node;
use clang_ast::Id;
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The name, followed by a number, of variables that hold values without a name in the source; explanations of
/// defects leave them out.
pub(crate) const TEMPORARY: &str = "temporary";

/// The procedure that is being made.
pub(crate) struct Code<'u, 'a> {
    pub(crate) source: Source<'u, 'a>,
    pub(crate) builder: &'u mut Builder,
    pub(crate) proc: ProcId,
    pub(crate) vars: Vec<VarDecl>,
    /// Those among them that hold a value without a name in the source. See [`Code::is_unnamed`].
    temporaries: HashSet<VarId>,
    /// Names of variables and arrays in use.
    pub(crate) taken: HashSet<String>,
    pub(crate) bindings: HashMap<Id, Binding>,
    /// Locals whose address is taken: they live in memory.
    pub(crate) boxed: HashSet<Id>,
    /// The object a member function works on, while its body is read in place.
    pub(crate) this: Option<Place>,
    /// Whether a place that must not change during a call also keeps a copy of its base pointer.
    pub(crate) keeps_bases: bool,
    /// The captures of the lambdas made so far, by their types.
    pub(crate) captures: HashMap<String, Captures>,
    pub(crate) ops: Vec<Arc<Op>>,
    /// The functions whose calls are being read in place, outermost first.
    pub(crate) in_place: Vec<usize>,
    pub(crate) flow: Flow,
    pub(crate) notes: Vec<Note>,
    /// Pointer arithmetic whose result is cast at once.
    pub(crate) cast_next: Option<Id>,
    /// The cast of the pointer that the arithmetic in `cast_next` moves.
    pub(crate) steps_next: Option<Id>,
    /// Where a pointer is given memory of other cells than it points to.
    pub(crate) conflict: Option<(Span, ScalarType, ScalarType)>,
    /// The places that need arbitrary values.
    pub(crate) arbitrary: Places,
    /// The assumptions made.
    pub(crate) assumed: Vec<Assumed>,
    pub(crate) layouts: Vec<(String, Vec<(String, u64)>)>,
    /// The names of the cells behind pointers.
    pub(crate) pointed: Vec<(VarId, CellNames)>,
    /// Pointers in memory.
    pub(crate) stored_pointers: StoredPointers,
    /// The calls that begin asynchronous copies, in the order of reading.
    pub(crate) group_copies: GroupCopies,
    /// The asynchronous copies of single threads.
    pub(crate) thread_copies: ThreadCopies,
    /// Unordered operands of which one changes memory.
    pub(crate) unordered: Vec<Unordered>,
    /// Variables that were declared without a value, and given none since, as far as the text before says.
    pub(crate) unset: HashSet<VarId>,
}

impl<'u, 'a> Deref for Code<'u, 'a> {
    type Target = Source<'u, 'a>;

    fn deref(&self) -> &Source<'u, 'a> {
        &self.source
    }
}

impl<'u, 'a> DerefMut for Code<'u, 'a> {
    fn deref_mut(&mut self) -> &mut Source<'u, 'a> {
        &mut self.source
    }
}

impl<'u, 'a> Code<'u, 'a> {
    /// A procedure without variables and operators.
    pub(crate) fn new(
        source: Source<'u, 'a>,
        builder: &'u mut Builder,
        proc: ProcId,
    ) -> Code<'u, 'a> {
        Code {
            source,
            builder,
            proc,
            vars: Vec::new(),
            temporaries: HashSet::new(),
            taken: HashSet::new(),
            bindings: HashMap::new(),
            boxed: HashSet::new(),
            this: None,
            keeps_bases: false,
            captures: HashMap::new(),
            ops: Vec::new(),
            in_place: Vec::new(),
            flow: Flow::default(),
            notes: Vec::new(),
            cast_next: None,
            steps_next: None,
            conflict: None,
            arbitrary: Places::default(),
            assumed: Vec::new(),
            layouts: Vec::new(),
            pointed: Vec::new(),
            stored_pointers: StoredPointers::default(),
            group_copies: GroupCopies::default(),
            thread_copies: ThreadCopies::default(),
            unordered: Vec::new(),
            unset: HashSet::new(),
        }
    }

    /// Makes room for operators that do not go here; gives those that were made so far, for [`Code::end_apart`].
    pub(crate) fn begin_apart(&mut self) -> Vec<Arc<Op>> {
        std::mem::take(&mut self.ops)
    }

    /// The operators made since; those made before stand again.
    pub(crate) fn end_apart(&mut self, before: Vec<Arc<Op>>) -> Vec<Arc<Op>> {
        std::mem::replace(&mut self.ops, before)
    }
}

impl Code<'_, '_> {
    pub(crate) fn note(&mut self, node: &Node, message: impl Into<String>) {
        let span = self.span(node);
        self.notes.push(Note {
            proc: self.proc,
            is_output: false,
            span,
            message: message.into(),
        });
    }

    /// Something that would print.
    pub(crate) fn note_output(&mut self, node: &Node, message: impl Into<String>) {
        self.note(node, message);
        if let Some(note) = self.notes.last_mut() {
            note.is_output = true;
        }
    }

    pub(crate) fn emit(&mut self, basic: Basic, span: Span) {
        self.note_unset(&basic);
        self.ops.push(Op::basic(basic, span));
    }

    pub(crate) fn emit_if(&mut self, cond: Expr, then: Arc<Op>, otherwise: Arc<Op>, span: Span) {
        let kind = OpKind::If {
            cond,
            then,
            otherwise,
        };
        self.ops.push(Op::new(kind, span));
    }

    /// A name no other variable or array of the procedure has.
    pub(crate) fn fresh_name(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        let mut name = wanted.to_string();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    pub(crate) fn declare(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let name = Arc::from(self.fresh_name(name));
        self.vars.push(VarDecl { name, ty, span });
        let var = VarId(self.vars.len() as u32 - 1);
        self.forget_variable(var);
        // The number may have been that of a temporary which is gone.
        self.temporaries.remove(&var);
        var
    }

    pub(crate) fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        let var = self.declare(TEMPORARY, ty, span);
        self.temporaries.insert(var);
        var
    }

    /// Gives a temporary the name of a variable of the source, which it is from now on.
    pub(crate) fn name_temporary(&mut self, temporary: VarId, name: &str, ty: Type, span: Span) {
        let last = self.vars[temporary.0 as usize].name.clone();
        self.taken.remove(&*last);
        let name = Arc::from(self.fresh_name(name));
        self.vars[temporary.0 as usize] = VarDecl { name, ty, span };
        self.temporaries.remove(&temporary);
    }

    /// Whether a variable is a temporary that no name stands for, a parameter of a function that is read in place say.
    /// Who has its value is then the only one to read it, and may take the variable away or make another of it.
    pub(crate) fn is_unnamed(&self, var: VarId) -> bool {
        self.temporaries.contains(&var)
            && !self.bindings.values().any(|binding| binding.names(var))
            && !self.this.as_ref().is_some_and(|place| place.names(var))
    }

    /// Keeps track of variables that were never given a value.
    fn note_unset(&mut self, basic: &Basic) {
        use gridlock_semantics::algebra::expr::ExprKind;
        let stays_unset = match basic {
            Basic::Assign { value, .. } => match value.kind {
                ExprKind::Var(from) => self.unset.contains(&from),
                _ => value.is_no_value(),
            },
            _ => false,
        };
        if let Some(var) = basic.assigned() {
            match stays_unset {
                true => self.unset.insert(var),
                false => self.unset.remove(&var),
            };
        }
    }

    /// A fresh variable that holds `value`.
    pub(crate) fn keep(&mut self, value: Expr, span: Span) -> Expr {
        let ty = value.ty;
        let var = self.temporary(ty, span);
        self.note_kept(var, &value);
        self.emit(Basic::Assign { var, value }, span);
        Expr::var(var, ty)
    }

    /// Assigns a value to a variable. When the value is the temporary that the last operator
    /// made, that operator gives it to the variable directly.
    pub(crate) fn assign_var(&mut self, var: VarId, value: Expr, span: Span) {
        if let Some(op) = self.retargeted(var, &value) {
            self.ops.pop();
            self.ops.push(op);
            self.unset.remove(&var);
            if let Some(last) = self.vars.pop() {
                self.taken.remove(&*last.name);
            }
            return;
        }
        let ty = self.vars[var.0 as usize].ty;
        let value = null_like(value, ty);
        if let (Type::Pointer(own), Type::Pointer(given)) = (ty, value.ty)
            && own.elem != given.elem
        {
            self.conflict.get_or_insert((span, own.elem, given.elem));
            return;
        }
        let value = match (ty, value.ty) {
            (Type::Pointer(_), _) => value,
            _ => crate::constant::convert(value, ty),
        };
        self.emit(Basic::Assign { var, value }, span);
    }

    /// The last operator with `var` for its result, if `value` is its result, a temporary that nothing else reads.
    pub(crate) fn retargeted(&self, var: VarId, value: &Expr) -> Option<Arc<Op>> {
        use gridlock_semantics::algebra::expr::ExprKind;
        let ExprKind::Var(temporary) = value.kind else {
            return None;
        };
        let is_last = temporary.0 as usize + 1 == self.vars.len();
        let target = self.vars.get(var.0 as usize)?;
        if !is_last || !target.ty.same_shape(value.ty) || !self.is_unnamed(temporary) {
            return None;
        }
        let last = self.ops.last()?;
        let mut kind = last.kind.clone();
        match &mut kind {
            OpKind::Call { result, .. } | OpKind::Basic(Basic::Atomic { result, .. })
                if *result == Some(temporary) =>
            {
                *result = Some(var);
            }
            OpKind::Basic(Basic::Alloc { var: result, .. }) if *result == temporary => {
                *result = var;
            }
            _ => return None,
        }
        Some(Op::new(kind, last.span))
    }
}
