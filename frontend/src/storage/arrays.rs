//! Arrays of the algebra for declared memory.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{AddressSpace, QualifiedType};
use crate::types::record::Group;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::PointerType;
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

pub(crate) fn declared(
    name: &str,
    ty: &QualifiedType,
    space: Space,
    init: Option<Vec<Value>>,
    owner: Option<gridlock_semantics::algebra::ids::ProcId>,
    span: Span,
) -> ArrayDecl {
    let fallback = (
        PointerType::to(gridlock_semantics::algebra::types::ScalarType::I32),
        None,
    );
    let (pointer, count) = ty.cells().unwrap_or(fallback);
    ArrayDecl {
        name: Arc::from(name),
        elem: pointer.elem,
        extent: Extent::Fixed(count.unwrap_or(0)),
        dims: ty.dims(),
        space,
        is_volatile: pointer.is_volatile,
        is_managed: false,
        init,
        owner,
        symbol: None,
        span,
    }
}

/// The array of one group of a type.
pub(crate) fn of_group(
    name: &str,
    ty: &QualifiedType,
    group: &Group,
    space: Space,
    init: Option<Vec<Value>>,
    owner: Option<gridlock_semantics::algebra::ids::ProcId>,
    span: Span,
) -> ArrayDecl {
    let count = group.count.unwrap_or(0);
    // The structs, and then the cells of each.
    let mut dims = ty.dims();
    let structs = dims.iter().try_fold(1u64, |n, dim| n.checked_mul(*dim));
    match structs.and_then(|structs| count.checked_div(structs)) {
        Some(each) if !dims.is_empty() && structs.is_some_and(|n| n * each == count) => {
            dims.extend((each != 1).then_some(each));
        }
        _ => dims = vec![count],
    }
    ArrayDecl {
        name: Arc::from(name),
        elem: group.pointer.elem,
        extent: Extent::Fixed(count),
        dims,
        space,
        is_volatile: group.pointer.is_volatile,
        is_managed: false,
        init,
        owner,
        symbol: None,
        span,
    }
}

/// The name of a variable that the linker knows, and which part of it is meant.
pub(crate) fn symbol(node: &Node, part: &str) -> Option<Arc<str>> {
    let name = node.kind.mangled_name.as_deref()?;
    // `static` makes no other variable of it, where programs are compared.
    let name = match name.strip_prefix("_ZL") {
        Some(own) => own.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => name,
    };
    Some(format!("{name}{part}").into())
}

/// A variable in the memory of its block.
pub(crate) fn is_shared(node: &Node, ty: &QualifiedType) -> bool {
    node.has_attribute(Kind::CUDASharedAttr) || ty.space == AddressSpace::Local
}
