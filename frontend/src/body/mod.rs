//! One procedure while it is translated: its variables, the meanings of names in it, and the
//! operators made so far.
//!
//! Expressions of the algebra have no side effects. The side effects of a C expression
//! (assignments, calls, atomics) become operators before it, left to right; an operand that was
//! evaluated earlier is kept in a temporary if a later side effect could change it.

pub(crate) mod asked;
pub(crate) mod binding;
pub(crate) mod captures;
pub(crate) mod flow;
pub(crate) mod group_copies;
pub(crate) mod operands;
pub(crate) mod parameters;
pub(crate) mod program_builder;
pub(crate) mod rereading;
pub(crate) mod stored_pointers;

use crate::assumed::Assumed;
use crate::body::asked::Places;
use crate::body::binding::Binding;
use crate::body::captures::Captures;
use crate::body::flow::Flow;
use crate::body::group_copies::GroupCopies;
use crate::body::program_builder::Builder;
use crate::body::stored_pointers::StoredPointers;
use crate::order::footprint::Unordered;
use crate::parsed::Note;
use crate::refusal::{Refusal, Result};
use crate::spans::join;
use crate::storage::place::Place;
use crate::storage::pointers::null_like;
use crate::syntax::Node;
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::Unit;
use clang_ast::Id;
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The name, followed by a number, of variables that hold values without a name in the source; explanations of
/// defects leave them out.
pub(crate) const TEMPORARY: &str = "temporary";

pub(crate) struct Body<'u, 'a> {
    pub(crate) unit: &'u Unit<'a>,
    pub(crate) builder: &'u mut Builder,
    pub(crate) proc: ProcId,
    pub(crate) kind: ProcKind,
    pub(crate) vars: Vec<VarDecl>,
    /// Names of variables and arrays in use.
    pub(crate) taken: HashSet<String>,
    pub(crate) bindings: HashMap<Id, Binding>,
    /// Locals whose address is taken: they live in memory.
    pub(crate) boxed: HashSet<Id>,
    /// The object a member function works on, while its body is read in place.
    pub(crate) this: Option<Place>,
    /// The functions whose calls are being read in place, outermost first.
    pub(crate) in_place: Vec<usize>,
    /// The place of the call of the intrinsic whose expression is being read.
    pub(crate) intrinsic_at: Option<Span>,
    /// How many calls were read in place, including discarded readings.
    pub(crate) n_in_place: usize,
    /// Whether a place that must not change during a call also keeps a copy of its base pointer.
    pub(crate) keeps_bases: bool,
    /// The captures of the lambdas made so far, by their types.
    pub(crate) captures: HashMap<String, Captures>,
    /// Whether `&` stands before the lvalue that is being read.
    pub(crate) takes_address: bool,
    pub(crate) ops: Vec<Arc<Op>>,
    pub(crate) flow: Flow,
    pub(crate) notes: Vec<Note>,
    /// Pointer arithmetic whose result is cast at once.
    pub(crate) cast_next: Option<Id>,
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
    /// Unordered operands of which one changes memory.
    pub(crate) unordered: Vec<Unordered>,
    /// Whether arguments are being read only to find the effects of evaluating them.
    pub(crate) compares_arguments: bool,
}

impl<'u, 'a> Body<'u, 'a> {
    pub(crate) fn new(
        unit: &'u Unit<'a>,
        builder: &'u mut Builder,
        proc: ProcId,
        kind: ProcKind,
    ) -> Body<'u, 'a> {
        Body {
            unit,
            builder,
            proc,
            kind,
            vars: Vec::new(),
            taken: HashSet::new(),
            bindings: HashMap::new(),
            boxed: HashSet::new(),
            this: None,
            in_place: Vec::new(),
            intrinsic_at: None,
            n_in_place: 0,
            keeps_bases: false,
            captures: HashMap::new(),
            takes_address: false,
            ops: Vec::new(),
            flow: Flow::default(),
            notes: Vec::new(),
            cast_next: None,
            conflict: None,
            arbitrary: Places::default(),
            assumed: Vec::new(),
            layouts: Vec::new(),
            pointed: Vec::new(),
            stored_pointers: StoredPointers::default(),
            group_copies: GroupCopies::default(),
            unordered: Vec::new(),
            compares_arguments: false,
        }
    }

    pub(crate) fn on_host(&self) -> bool {
        self.kind == ProcKind::Host
    }

    /// The place of a node; the parts of an intrinsic have the place of its call.
    pub(crate) fn span(&self, node: &Node) -> Span {
        self.intrinsic_at
            .unwrap_or_else(|| self.unit.files.span(node))
    }

    pub(crate) fn refuse<T>(&self, node: &Node, message: impl Into<String>) -> Result<T> {
        Err(Refusal {
            span: self.span(node),
            message: message.into(),
            cause: None,
        })
    }

    pub(crate) fn note(&mut self, node: &Node, message: impl Into<String>) {
        let span = self.span(node);
        self.notes.push(Note {
            span,
            message: message.into(),
        });
    }

    pub(crate) fn type_of(&self, node: &Node) -> QualifiedType {
        self.unit.type_of(node)
    }

    /// The type a node's value has in the algebra.
    pub(crate) fn value_type(&self, node: &Node) -> Result<Type> {
        let ty = self.type_of(node);
        match ty.ty {
            CType::Status => Ok(Type::U32),
            _ => ty
                .variable_type()
                .or_else(|message| self.refuse(node, message)),
        }
    }

    pub(crate) fn emit(&mut self, basic: Basic, span: Span) {
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

    /// The operators that `make` emits, instead of emitting them here.
    pub(crate) fn block(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Arc<Op>>> {
        let (ops, ()) = self.apart(make)?;
        Ok(ops)
    }

    pub(crate) fn apart<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Vec<Arc<Op>>, T)> {
        let outside = std::mem::take(&mut self.ops);
        let made = make(self);
        let inside = std::mem::replace(&mut self.ops, outside);
        Ok((inside, made?))
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
        var
    }

    pub(crate) fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        self.declare(TEMPORARY, ty, span)
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

    /// The last operator with `var` for its result, if `value` is its result and nothing else
    /// can read that.
    pub(crate) fn retargeted(&self, var: VarId, value: &Expr) -> Option<Arc<Op>> {
        use gridlock_semantics::algebra::expr::ExprKind;
        let ExprKind::Var(temporary) = value.kind else {
            return None;
        };
        let is_last = temporary.0 as usize + 1 == self.vars.len() && temporary != var;
        let target = self.vars.get(var.0 as usize)?;
        if !is_last || !target.ty.same_shape(value.ty) {
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

/// Operators one after another, as one operator.
pub(crate) fn sequence(mut ops: Vec<Arc<Op>>) -> Arc<Op> {
    match ops.len() {
        0 => Op::skip(),
        1 => ops.swap_remove(0),
        _ => {
            let span = join(ops[0].span, ops[ops.len() - 1].span);
            Op::new(OpKind::Seq(ops), span)
        }
    }
}
