//! Calls of OpenCL C's functions: barriers, fences and atomics here, the others in their own modules.

use crate::body::Body;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Orders, Scope};
use gridlock_semantics::algebra::value::Value;

/// The operation of an atomic function: the operator, and the operand if the function implies it.
enum Change {
    By(AtomicFn),
    ByOne(AtomicFn),
}

/// `atomic_add` and `atom_add` (OpenCL C 1.2, 6.12.11), whose scope is the device.
fn legacy_atomic(name: &str) -> Option<(Change, usize)> {
    use Change::{By, ByOne};
    let name = name
        .strip_prefix("atomic_")
        .or_else(|| name.strip_prefix("atom_"))?;
    Some(match name {
        "add" => (By(AtomicFn::Add), 2),
        "sub" => (By(AtomicFn::Sub), 2),
        "xchg" => (By(AtomicFn::Exch), 2),
        "min" => (By(AtomicFn::Min), 2),
        "max" => (By(AtomicFn::Max), 2),
        "and" => (By(AtomicFn::And), 2),
        "or" => (By(AtomicFn::Or), 2),
        "xor" => (By(AtomicFn::Xor), 2),
        "cmpxchg" => (By(AtomicFn::Cas), 3),
        // CUDA's functions of these names wrap at a bound; these do not.
        "inc" => (ByOne(AtomicFn::Add), 1),
        "dec" => (ByOne(AtomicFn::Sub), 1),
        _ => return None,
    })
}

/// `atomic_fetch_add` and its kin (OpenCL C 3.0, 6.15.12), with and without `_explicit`. They are
/// assumed to order no accesses to other places.
fn fetching_atomic(name: &str) -> Option<AtomicFn> {
    let name = name.strip_suffix("_explicit").unwrap_or(name);
    Some(match name {
        "atomic_fetch_add" => AtomicFn::Add,
        "atomic_fetch_sub" => AtomicFn::Sub,
        "atomic_fetch_or" => AtomicFn::Or,
        "atomic_fetch_xor" => AtomicFn::Xor,
        "atomic_fetch_and" => AtomicFn::And,
        "atomic_fetch_min" => AtomicFn::Min,
        "atomic_fetch_max" => AtomicFn::Max,
        "atomic_exchange" | "atomic_store" => AtomicFn::Exch,
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// `None`: no function known here. `Some(None)`: done, and it gives no value.
    pub(crate) fn opencl_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        if let Some(value) = self.work_item_function(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        if let Some((change, arity)) = legacy_atomic(name)
            && arguments.len() == arity
        {
            let value = match change {
                Change::By(function) => {
                    self.atomic_call(node, function, Scope::Device, arguments)?
                }
                Change::ByOne(function) => {
                    let pointer = self.value(arguments[0])?;
                    let Some(to) = pointer.ty.pointer() else {
                        return self.refuse(node, "an atomic operation on what is no pointer");
                    };
                    let one = Expr::int(to.elem, 1);
                    self.atomic_on(node, function, Scope::Device, pointer, vec![one])?
                }
            };
            return Ok(Some(Some(value)));
        }
        if let (Some(function), [pointer, operand, rest @ ..]) = (fetching_atomic(name), arguments)
        {
            let scope = match rest {
                [] | [_] => Scope::Device,
                [_, scope] => self.scope(scope)?,
                _ => return Ok(None),
            };
            let value = self.atomic_call(node, function, scope, &[pointer, operand])?;
            if name.starts_with("atomic_store") {
                self.drop_result(&value);
                return Ok(Some(None));
            }
            return Ok(Some(Some(value)));
        }
        if let Some(given) = self.group_copy_call(node, name, arguments)? {
            return Ok(Some(given));
        }
        if let Some(given) = self.opencl_atomic(node, name, arguments)? {
            return Ok(Some(given));
        }
        match (name, arguments) {
            ("barrier" | "work_group_barrier", [flags]) | ("work_group_barrier", [flags, _]) => {
                let orders = self.flags(flags)?;
                self.copies_meanwhile(node)?;
                let span = self.span(node);
                self.emit(Basic::barrier(orders), span);
                return Ok(Some(None));
            }
            // They order the accesses of one work-item, which alone has no effect in the semantics.
            ("mem_fence" | "read_mem_fence" | "write_mem_fence", [_])
            | ("atomic_work_item_fence", [_, _, _]) => {
                if !self.is_full_fence(name, arguments)? {
                    self.note(
                        node,
                        format!("`{name}` is not counted on to order anything"),
                    );
                    return Ok(Some(None));
                }
                let scope = self.scope(arguments[2])?;
                let span = self.span(node);
                self.emit(Basic::Fence { scope }, span);
                return Ok(Some(None));
            }
            _ => {}
        }
        if self.vector_store(node, name, arguments)? {
            return Ok(Some(None));
        }
        if let Some(value) = self.opencl_arithmetic(node, name, arguments)? {
            return Ok(Some(Some(value)));
        }
        self.checked_call(node, name, arguments)
    }

    fn number(&mut self, node: &Node) -> Result<Option<i128>> {
        let value = self.value(node)?;
        Ok(constant::evaluate(&value).and_then(Value::as_integer))
    }

    /// The memories that a barrier's flags name.
    fn flags(&mut self, node: &Node) -> Result<Orders> {
        let Some(flags) = self.number(node)? else {
            return self.refuse(node, "a barrier whose flags are not constant");
        };
        // The flag for images makes no difference: images are not supported.
        Ok(match (flags & 1 != 0, flags & 2 != 0) {
            (true, true) => Orders::All,
            (true, false) => Orders::Shared,
            (false, true) => Orders::Global,
            (false, false) => Orders::Nothing,
        })
    }

    /// A sequentially consistent fence for all memory: as CUDA's.
    fn is_full_fence(&mut self, name: &str, arguments: &[&Node]) -> Result<bool> {
        let [flags, order, _] = arguments else {
            return Ok(false);
        };
        let sequential = self.number(order)? == Some(5);
        let all = self.number(flags)?.is_some_and(|flags| flags & 3 == 3);
        Ok(name == "atomic_work_item_fence" && sequential && all)
    }

    /// A constant of type `memory_scope`.
    pub(crate) fn scope(&mut self, node: &Node) -> Result<Scope> {
        match self.number(node)? {
            Some(1) => Ok(Scope::Block),
            Some(2) => Ok(Scope::Device),
            Some(3) => Ok(Scope::System),
            _ => self.refuse(node, "this scope of an atomic operation"),
        }
    }
}
