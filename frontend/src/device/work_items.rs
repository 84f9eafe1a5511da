//! What the launch determines for an OpenCL C kernel: the results of the work-item functions, the
//! required size of the work-group, and local memory passed as an argument.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::casts::only_read;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{NOT_DENSE, has_no_gaps};
use crate::types::ctype::QualifiedType;
use crate::types::member_names::behind;
use crate::types::record::no_memory;
use crate::unit::{Function, Side};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// A built-in as a `size_t`.
fn wide(builtin: fn(Axis) -> Builtin, axis: Axis) -> Expr {
    Expr::builtin(builtin(axis)).cast(Type::Scalar(ScalarType::U64))
}

fn size(axis: Axis) -> Expr {
    let (groups, items) = (wide(Builtin::GridDim, axis), wide(Builtin::BlockDim, axis));
    Expr::binary(BinaryOp::Mul, groups, items)
}

fn global_id(axis: Axis) -> Expr {
    let (group, items) = (wide(Builtin::BlockIdx, axis), wide(Builtin::BlockDim, axis));
    let before = Expr::binary(BinaryOp::Mul, group, items);
    Expr::binary(BinaryOp::Add, before, wide(Builtin::ThreadIdx, axis))
}

fn nothing(_: Axis) -> Expr {
    Expr::int(ScalarType::U64, 0)
}

/// A value of each axis.
type AlongAxis = fn(Axis) -> Expr;

/// The value of a function for an axis, and for an axis that no launch has (OpenCL C 3.0, 6.15.1).
fn along(name: &str) -> Option<(AlongAxis, i64)> {
    Some(match name {
        "get_local_id" => (|axis| wide(Builtin::ThreadIdx, axis), 0),
        "get_group_id" => (|axis| wide(Builtin::BlockIdx, axis), 0),
        "get_local_size" | "get_enqueued_local_size" => (|axis| wide(Builtin::BlockDim, axis), 1),
        "get_num_groups" => (|axis| wide(Builtin::GridDim, axis), 1),
        "get_global_size" => (size, 1),
        "get_global_id" => (global_id, 0),
        // Launches start at 0.
        "get_global_offset" => (nothing, 0),
        _ => return None,
    })
}

/// The number of a work-item or work-group among all, the first axis the fastest.
fn linear(id: AlongAxis, size: AlongAxis) -> Expr {
    let [x, y, z] = AXES;
    let step = |slow: Expr, axis: Axis| {
        let before = Expr::binary(BinaryOp::Mul, slow, size(axis));
        Expr::binary(BinaryOp::Add, before, id(axis))
    };
    step(step(id(z), y), x)
}

/// The number of dimensions of the launch: trailing axes of extent 1 are assumed not to be given.
fn work_dim() -> Expr {
    let number = |n: i64| Expr::int(ScalarType::U32, n);
    let is_used = |axis: Axis| {
        let beyond = |builtin| {
            let one = Expr::int(ScalarType::U32, 1);
            Expr::binary(BinaryOp::Ne, Expr::builtin(builtin), one)
        };
        let groups = beyond(Builtin::GridDim(axis));
        Expr::binary(BinaryOp::Or, groups, beyond(Builtin::BlockDim(axis)))
    };
    let two = Expr::select(is_used(Axis::Y), number(2), number(1));
    Expr::select(is_used(Axis::Z), number(3), two)
}

impl<'a> Code<'_, 'a> {
    /// `__attribute__((reqd_work_group_size(x, y, z)))`: other launches do not count.
    pub(crate) fn required_group(&mut self, function: &Function<'a>) -> Result<()> {
        let is_size = |n: &&Node| n.is(Kind::ReqdWorkGroupSizeAttr);
        let attribute = function.node.inner.iter().find(is_size);
        let Some(attribute) = attribute.filter(|_| function.side == Side::Kernel) else {
            return Ok(());
        };
        let span = self.span(attribute);
        let Some(sizes) = self
            .unit
            .files
            .text(span)
            .as_deref()
            .and_then(three_numbers)
        else {
            return self.refuse(
                attribute,
                "a required work-group size that is no three numbers",
            );
        };
        for (axis, size) in AXES.into_iter().zip(sizes) {
            let extent = self.coordinate(Builtin::BlockDim(axis));
            let size = Expr::int(ScalarType::U32, i64::from(size));
            let cond = Expr::binary(BinaryOp::Eq, extent, size);
            self.emit(Basic::Assume { cond }, span);
        }
        Ok(())
    }

    /// A kernel's parameter `__local T *`: memory of the work-group, as much as the launch gives.
    pub(crate) fn launch_local(&mut self, node: &Node, to: &QualifiedType) -> Result<Binding> {
        let span = self.span(node);
        if !has_no_gaps(to) {
            return self.refuse(node, NOT_DENSE);
        }
        let Some((pointer, Some(_))) = to.cells() else {
            let what = match to.groups() {
                Some(_) => "local memory of several types as a parameter".to_string(),
                None => no_memory(to),
            };
            return self.refuse(node, what);
        };
        let name = Arc::from(self.fresh_name(node.name()));
        let array = self.builder.add_array(ArrayDecl {
            name,
            elem: pointer.elem,
            extent: Extent::LaunchShared,
            dims: vec![],
            space: Space::Shared,
            is_volatile: pointer.is_volatile,
            is_managed: false,
            init: None,
            owner: Some(self.proc),
            symbol: None,
            span,
        });
        let cells = behind(node.name(), to, pointer.elem);
        self.builder.name_cells(array, to, cells);
        if self.boxed.contains(&node.id) {
            return self.refuse(node, "a pointer whose address is taken");
        }
        Ok(Binding::Constant(Expr::array_base(array, pointer)))
    }

    /// Makes variables for such parameters that the kernel assigns, after those of all other parameters.
    pub(crate) fn assigned_locals(&mut self, function: &Function<'a>) {
        for param in &function.params {
            let is_read = only_read(function.body, param.id, false);
            let Some(Binding::Constant(base)) = self.bindings.get(&param.id).filter(|_| !is_read)
            else {
                continue;
            };
            let (base, span) = (base.clone(), self.span(param));
            let ty = base.ty;
            let var = self.declare(param.name(), ty, span);
            self.assign_var(var, base, span);
            self.bindings.insert(param.id, Binding::Var(var, ty));
        }
    }
}

impl<'a> Body<'_, 'a> {
    /// The value of a work-item function; `None` for any other call.
    pub(crate) fn work_item_function(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let local = |axis| wide(Builtin::ThreadIdx, axis);
        match (name, arguments) {
            ("get_work_dim", []) => return Ok(Some(self.asked_for(work_dim()))),
            ("get_local_linear_id", []) => {
                return Ok(Some(linear(local, |axis| wide(Builtin::BlockDim, axis))));
            }
            ("get_global_linear_id", []) => return Ok(Some(linear(global_id, size))),
            _ => {}
        }
        let (Some((function, beyond)), [dimension]) = (along(name), arguments) else {
            return Ok(None);
        };
        let beyond = Expr::int(ScalarType::U64, beyond);
        let dimension = constant::convert(self.value(dimension)?, Type::U32);
        if let Some(number) = constant::evaluate(&dimension).and_then(Value::as_integer) {
            let axis = usize::try_from(number).ok().and_then(|n| AXES.get(n));
            return Ok(Some(
                axis.map_or(beyond, |axis| self.asked_for(function(*axis))),
            ));
        }
        let span = self.span(node);
        let dimension = self.keep(dimension, span);
        let chosen = AXES
            .iter()
            .zip(0..3i32)
            .rev()
            .fold(beyond, |rest, (axis, n)| {
                let number = Expr::int(ScalarType::U32, i64::from(n));
                let is_meant = Expr::binary(BinaryOp::Eq, dimension.clone(), number);
                Expr::select(is_meant, function(*axis), rest)
            });
        Ok(Some(self.asked_for(chosen)))
    }
}

/// The numbers in `reqd_work_group_size(8, 2, 1)`.
fn three_numbers(text: &str) -> Option<[u32; 3]> {
    let inside = text.split_once('(')?.1.split(')').next()?;
    let numbers: Option<Vec<u32>> = inside.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}
