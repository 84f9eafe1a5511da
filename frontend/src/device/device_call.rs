//! Functions that device code calls by name: barriers, fences, atomics, assertions.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::constant;
use crate::device::assembly::Form;
use crate::refusal::Result;
use crate::storage::place::{Place, memory};
use crate::storage::pointers::same_bits;
use crate::syntax::casts::without_lvalue_casts;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use crate::types::group::Group;
use crate::unit::known_functions::reads_through;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Met, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// `atomicAdd_block` and the like.
fn atomic(name: &str) -> Option<(AtomicFn, Scope)> {
    let (name, scope) = if let Some(name) = name.strip_suffix("_block") {
        (name, Scope::Block)
    } else if let Some(name) = name.strip_suffix("_system") {
        (name, Scope::System)
    } else {
        (name, Scope::Device)
    };
    let function = match name {
        "atomicAdd" => AtomicFn::Add,
        "atomicSub" => AtomicFn::Sub,
        "atomicMin" => AtomicFn::Min,
        "atomicMax" => AtomicFn::Max,
        "atomicAnd" => AtomicFn::And,
        "atomicOr" => AtomicFn::Or,
        "atomicXor" => AtomicFn::Xor,
        "atomicExch" => AtomicFn::Exch,
        "atomicCAS" => AtomicFn::Cas,
        "atomicInc" => AtomicFn::Inc,
        "atomicDec" => AtomicFn::Dec,
        "gridlock_atomic_add_half" => AtomicFn::AddHalf,
        "gridlock_atomic_add_bfloat16" => AtomicFn::AddBfloat,
        _ => return None,
    };
    Some((function, scope))
}

/// The value of words about the state of GPUVerify's proofs, which exists only there.
const HINT: &str = "gridlock_hint__";

/// Whether a condition is about the state of GPUVerify's proofs, which exists only there.
fn is_hint(cond: &Node) -> bool {
    let decl = cond.kind.referenced_decl.as_ref();
    decl.is_some_and(|d| d.name == HINT) || cond.inner.iter().any(is_hint)
}

impl Source<'_, '_> {
    /// Handles the calls that no other module does.
    pub(crate) fn unknown_call<T>(&self, node: &Node, name: &str) -> Result<T> {
        match name {
            HINT => self.refuse(node, "a value of what another tool's proof records"),
            _ => self.refuse(node, format!("a call of `{name}`")),
        }
    }

    /// The operands of an atomic on cells of another type; only for operations whose result has the
    /// same bits for both types.
    fn atomic_operands(
        &self,
        node: &Node,
        function: AtomicFn,
        operands: Vec<Expr>,
        seen: ScalarType,
        elem: ScalarType,
    ) -> Result<Vec<Expr>> {
        use AtomicFn::{Add, And, Cas, Exch, Or, Sub, Xor};
        let exact = match function {
            Exch | Cas => true,
            Add | Sub | And | Or | Xor => seen.is_integer() && elem.is_integer(),
            _ => false,
        };
        let bits = operands.into_iter().map(|operand| same_bits(operand, elem));
        match bits.collect::<Option<Vec<Expr>>>() {
            Some(operands) if exact => Ok(operands),
            _ => self.refuse(
                node,
                format!(
                    "this atomic operation on `{}` in memory of `{}` cells",
                    seen.usual_name(),
                    elem.usual_name()
                ),
            ),
        }
    }
}

impl Code<'_, '_> {
    fn fence(&mut self, scope: Scope, node: &Node) {
        let span = self.span(node);
        self.emit(Basic::Fence { scope }, span);
    }

    /// The atomic operation on a pointer and operands that were evaluated.
    pub(crate) fn atomic_on(
        &mut self,
        node: &Node,
        function: AtomicFn,
        scope: Scope,
        pointer: Expr,
        operands: Vec<Expr>,
    ) -> Result<Expr> {
        let span = self.span(node);
        let Some(elem) = pointer.ty.pointer().map(|p| p.elem) else {
            return self.refuse(node, "this atomic operation");
        };
        let ty = Type::Scalar(elem);
        let seen = self.value_type(node)?.scalar();
        let (operands, seen) = match seen.filter(|seen| *seen != elem) {
            Some(seen) => (
                self.atomic_operands(node, function, operands, seen, elem)?,
                seen,
            ),
            None => (operands, elem),
        };
        let bitwise = matches!(function, AtomicFn::And | AtomicFn::Or | AtomicFn::Xor);
        let counts = matches!(function, AtomicFn::Inc | AtomicFn::Dec);
        // Of 16 bits there are `atomicCAS(unsigned short *, …)` and sums of floats.
        let is_narrow = function == AtomicFn::Cas || function.adds_narrow_floats();
        let is_wide = elem.size() >= 4 || elem == ScalarType::U16 && is_narrow;
        let is_defined = is_wide
            && !(elem.is_float() && bitwise)
            && (elem == ScalarType::U32 || !counts)
            && (elem == ScalarType::U16 || !function.adds_narrow_floats());
        if !is_defined || operands.iter().any(|o| o.ty != ty) {
            return self.refuse(node, "this atomic operation");
        }
        let var = self.temporary(ty, span);
        let basic = Basic::Atomic {
            function,
            scope,
            pointer,
            operands,
            result: Some(var),
        };
        self.emit(basic, span);
        match same_bits(Expr::var(var, ty), seen) {
            Some(value) => Ok(value),
            None => self.refuse(node, "this atomic operation"),
        }
    }

    /// A call, atomic or warp operation that is a statement: its result is not used and needs no variable.
    pub(crate) fn drop_result(&mut self, value: &Expr) {
        let ExprKind::Var(unused) = value.kind else {
            return;
        };
        let is_last = unused.0 as usize + 1 == self.vars.len();
        let is_only_here = is_last && self.is_unnamed(unused);
        let Some(last) = self.ops.last().filter(|_| is_only_here) else {
            return;
        };
        let span = last.span;
        let mut kind = last.kind.clone();
        match &mut kind {
            OpKind::Call { result, .. }
            | OpKind::Basic(Basic::Atomic { result, .. } | Basic::Warp { result, .. })
                if *result == Some(unused) =>
            {
                *result = None;
            }
            _ => return,
        }
        self.ops.pop();
        self.ops.push(Op::new(kind, span));
        if let Some(decl) = self.vars.pop() {
            self.taken.remove(&*decl.name);
        }
    }
}

impl Body<'_, '_> {
    /// `None`: no function known here. `Some(None)`: done, and it gives no value.
    pub(crate) fn device_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let span = self.span(node);
        if let Some((function, scope)) = atomic(name) {
            return self
                .atomic_call(node, function, scope, arguments)
                .map(|value| Some(Some(value)));
        }
        if let Some(value) = self.warp_call(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some(given) = self.random_call(node, name, arguments)? {
            return Ok(Some(given));
        }
        if let Some(value) = self.texture_call(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some(given) = self.warp_matrix_call(node, name)? {
            return Ok(Some(given));
        }
        if let Some(given) = self.barrier_object_call(node, name, arguments)? {
            return Ok(Some(given));
        }
        if let Some(given) = self.thread_copy_call(node, name, arguments)? {
            return Ok(Some(given));
        }
        if let Some(value) = self.counting_barrier(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let [of, rest @ ..] = arguments
            && let Some(Group::Tile(tile)) = self.group(of)
        {
            return self.tile_call(node, tile, name, rest);
        }
        match (name, arguments) {
            ("__match_all_sync", [mask, value, all]) => {
                return self
                    .match_all(node, mask, value, all)
                    .map(|v| Some(Some(v)));
            }
            ("__syncthreads", []) => self.emit(Basic::barrier(Orders::All), span),
            ("__syncwarp", [mask]) => {
                let mask = constant::convert(self.value(mask)?, Type::U32);
                self.emit(Basic::SyncWarp { mask }, span);
            }
            ("__barrier_sync", [id]) => {
                let id = constant::convert(self.value(id)?, Type::U32);
                self.named_barrier(id, None, Form::Wait(Met::Anywhere), node);
            }
            ("__barrier_sync_count", [id, threads]) => {
                let mut parts = self
                    .operands(&[Operand::Value(id), Operand::Value(threads)])?
                    .into_iter();
                let (Some(id), Some(threads)) = (parts.next(), parts.next()) else {
                    return self.refuse(node, "this barrier");
                };
                let id = constant::convert(id, Type::U32);
                let threads = constant::convert(threads, Type::U32);
                self.named_barrier(id, Some(threads), Form::Wait(Met::Anywhere), node);
            }
            // The type of a group says which it is.
            ("this_thread_block" | "this_grid", []) | ("this_thread_block", [_]) => {}
            (_, [of]) if self.group(of).is_some() => {
                let known = self
                    .group(of)
                    .and_then(|group| self.group_function(node, group, name));
                return Ok(known);
            }
            ("__threadfence_block", []) => self.fence(Scope::Block, node),
            ("__threadfence", []) => self.fence(Scope::Device, node),
            ("__threadfence_system", []) => self.fence(Scope::System, node),
            (_, [pointer]) if reads_through(name) => {
                let to = match self.type_of(pointer).decayed().ty {
                    CType::Pointer(to) => *to,
                    _ => return self.refuse(node, format!("this call of `{name}`")),
                };
                let pointer = self.value(pointer)?;
                let place = Place::Cell(pointer, to);
                return self.read(&place, node).map(|value| Some(Some(value)));
            }
            ("memcpy" | "__builtin_memcpy" | "memmove", [dst, src, bytes]) => {
                self.copy_cells(node, dst, src, bytes, name == "memmove")?;
            }
            ("memset" | "__builtin_memset", [dst, byte, bytes]) => {
                self.set_cells(node, dst, byte, bytes)?;
            }
            ("clock", []) => {
                let time = self.clock(node, name, ScalarType::I32)?;
                let ty = self.value_type(node)?;
                return Ok(Some(Some(constant::convert(time, ty))));
            }
            ("clock64", []) => {
                let time = self.clock(node, name, ScalarType::I64)?;
                return Ok(Some(Some(time)));
            }
            ("__stwb" | "__stcg" | "__stcs" | "__stwt", [pointer, value]) => {
                let to = match self.type_of(pointer).decayed().ty {
                    CType::Pointer(to) => *to,
                    _ => return self.refuse(node, format!("this call of `{name}`")),
                };
                if matches!(to.ty, CType::Record(_)) {
                    let operands = [Operand::Parts(pointer), Operand::Parts(value)];
                    let evaluated = self.evaluated(&operands)?;
                    self.in_any_order(&evaluated)?;
                    let n_pointers = evaluated.first().map_or(0, |first| first.values.len());
                    let mut pointers = self.one_after_another(evaluated);
                    let values = pointers.split_off(n_pointers);
                    let place = memory(pointers, to);
                    self.write_parts(&place, values, span, node)?;
                    return Ok(Some(None));
                }
                let mut parts = self
                    .operands(&[Operand::Value(pointer), Operand::Value(value)])?
                    .into_iter();
                let (Some(pointer), Some(value)) = (parts.next(), parts.next()) else {
                    return self.refuse(node, format!("this call of `{name}`"));
                };
                let place = Place::Cell(pointer, to);
                self.write(&place, value, span, node)?;
            }
            ("__nanosleep", [time]) => {
                let nanoseconds = constant::convert(self.value(time)?, Type::U32);
                self.emit(Basic::Nanosleep { nanoseconds }, span);
            }
            ("__trap" | "__builtin_trap" | "__builtin_unreachable", []) => {
                let cond = Expr::bool(false);
                self.emit(Basic::Assert { cond }, span);
            }
            _ => return self.checked_call(node, name, arguments),
        }
        Ok(Some(None))
    }

    pub(crate) fn atomic_call(
        &mut self,
        node: &Node,
        function: AtomicFn,
        scope: Scope,
        arguments: &[&Node],
    ) -> Result<Expr> {
        let parts: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let mut parts = self.operands(&parts)?;
        if parts.is_empty() {
            return self.refuse(node, "this atomic operation");
        }
        let operands = parts.split_off(1);
        let pointer = parts.swap_remove(0);
        self.atomic_on(node, function, scope, pointer, operands)
    }

    /// Assertions and output, the same on host and device.
    pub(crate) fn checked_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let span = self.span(node);
        match (name, arguments) {
            ("gridlock_assert__", [cond]) if is_hint(cond) => {
                self.refuse(node, "an assertion about what another tool's proof records")
            }
            ("gridlock_assert__", [cond]) => {
                let cond = self.condition(cond)?;
                self.emit(Basic::Assert { cond }, span);
                Ok(Some(None))
            }
            // A false assumption of the compiler (`__builtin_assume`) is undefined behaviour. The condition is not
            // evaluated, so one with side effects is ignored.
            ("__builtin_assume", [cond]) => {
                let (effects, cond_value) = self.apart(|b| b.condition(cond))?;
                match effects.is_empty() {
                    true => self.emit(Basic::Assert { cond: cond_value }, span),
                    false => self.note(
                        node,
                        "an assumption whose condition has effects is passed over",
                    ),
                }
                Ok(Some(None))
            }
            ("gridlock_assume__" | "gridlock_requires__", [cond]) if is_hint(cond) => {
                self.note(node, "a hint to another tool's proof is passed over");
                Ok(Some(None))
            }
            // The precondition of a kernel is assumed, because its launch must ensure it; that of a function is
            // asserted at the call.
            ("gridlock_requires__", [cond]) if self.is_called() => {
                let cond = self.condition(cond)?;
                self.emit(Basic::Assert { cond }, span);
                Ok(Some(None))
            }
            ("gridlock_assume__" | "gridlock_requires__", [cond]) => {
                let cond = self.condition(cond)?;
                self.emit(Basic::Assume { cond }, span);
                Ok(Some(None))
            }
            ("abort", []) => {
                let cond = Expr::bool(false);
                self.emit(Basic::Assert { cond }, span);
                Ok(Some(None))
            }
            ("printf" | "fprintf" | "puts" | "putchar" | "fflush" | "perror", _) => {
                self.output(node, name, arguments)?;
                Ok(Some(Some(Expr::i32(0))))
            }
            _ => Ok(None),
        }
    }

    /// `stream << value << …`, the same.
    pub(crate) fn stream_output(&mut self, node: &Node) -> Result<()> {
        use CType;
        let [_, stream, value] = node.inner.as_slice() else {
            return self.refuse(node, "an overloaded operator");
        };
        if stream.unwrapped().is(Kind::CXXOperatorCallExpr) {
            self.effect(stream)?;
        }
        let value = without_lvalue_casts(value);
        if let CType::Scalar(_) = self.type_of(value).ty {
            self.effect(value)?;
        }
        self.note_output(node, "output is not modelled");
        Ok(())
    }

    /// Output is not modelled; its arguments are evaluated.
    fn output(&mut self, node: &Node, name: &str, arguments: &[&Node]) -> Result<()> {
        use CType;
        for argument in arguments {
            if let CType::Scalar(_) = self.type_of(argument).ty {
                self.effect(argument)?;
            }
        }
        self.note_output(node, format!("output by `{name}` is not modelled"));
        Ok(())
    }
}
