//! Arrays of the algebra for declared memory.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{AddressSpace, QualifiedType};
use crate::types::record::Group;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

/// The array of a type that is made of one kind of cells, and whose memory was checked.
pub(crate) fn declared(
    name: &str,
    ty: &QualifiedType,
    space: Space,
    init: Option<Vec<Value>>,
    owner: Option<gridlock_semantics::algebra::ids::ProcId>,
    span: Span,
) -> ArrayDecl {
    let Some((pointer, Some(count))) = ty.cells() else {
        panic!("`{name}` is declared, and its memory was not checked");
    };
    ArrayDecl {
        name: Arc::from(name),
        elem: pointer.elem,
        extent: Extent::Fixed(count),
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

/// Shared memory whose size the launch says: cells of a type, for elements that may have others.
pub(crate) fn launch_shared(
    name: &str,
    element: &QualifiedType,
    cell: ScalarType,
    span: Span,
) -> ArrayDecl {
    let mut groups = element.groups().into_iter().flatten();
    let is_volatile = element.is_volatile || groups.any(|group| group.pointer.is_volatile);
    ArrayDecl {
        name: Arc::from(name),
        elem: cell,
        extent: Extent::LaunchShared,
        dims: vec![],
        space: Space::Shared,
        is_volatile,
        is_managed: false,
        init: None,
        owner: None,
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
    let Some(count) = group.count else {
        panic!("`{name}` is declared, and its memory was not checked");
    };
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
