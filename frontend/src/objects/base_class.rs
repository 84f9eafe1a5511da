//! Casts of objects, and of pointers to them, to a base class: the part of the object for that class.

use crate::body::Body;
use crate::body::code::Code;
use crate::refusal::Result;
use crate::storage::place::{Place, memory};
use crate::syntax::casts::is_to_base;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::Record;
use gridlock_semantics::algebra::expr::Expr;

impl Code<'_, '_> {
    pub(crate) fn base_of(
        &self,
        mut place: Place,
        target: &QualifiedType,
        node: &Node,
    ) -> Result<Place> {
        let (CType::Record(target), Some(CType::Record(from))) =
            (&target.ty, place.ty().map(|ty| ty.ty.clone()))
        else {
            return self.refuse(node, "this cast");
        };
        let Some(path) = path_to_base(&from, target, 0) else {
            return self.refuse(node, "this cast");
        };
        for index in path {
            place = self.field(&place, index, node)?;
        }
        Ok(place)
    }
}

impl Body<'_, '_> {
    /// The part of an object that is its base class, for a cast of an lvalue.
    pub(crate) fn base_class(&mut self, node: &Node) -> Result<Place> {
        let Some(inner) = node.last() else {
            return self.refuse(node, "this cast");
        };
        let place = self.place(inner)?;
        if !is_to_base(node) {
            return Ok(place);
        }
        let target = self.type_of(node);
        self.base_of(place, &target, node)
    }

    pub(crate) fn base_pointers(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        inner: &Node,
    ) -> Result<Vec<Expr>> {
        let (CType::Pointer(to), CType::Pointer(from)) = (&ty.ty, self.type_of(inner).ty) else {
            return self.refuse(node, "this cast");
        };
        let pointers = self.parts(inner)?;
        let object = memory(pointers, *from);
        let base = self.base_of(object, to, node)?;
        match base.pointers() {
            Some(pointers) => Ok(pointers),
            None => self.refuse(node, "this cast"),
        }
    }

    /// A pointer to a base class whose cells have one type.
    pub(crate) fn base_pointer(&mut self, node: &Node, inner: &Node) -> Result<Expr> {
        let ty = self.type_of(node);
        let mut pointers = self.base_pointers(node, &ty, inner)?;
        match (pointers.pop(), pointers.is_empty()) {
            (Some(pointer), true) => Ok(pointer),
            _ => self.refuse(node, "this cast"),
        }
    }
}

/// The fields that lead from a class to one of its bases.
fn path_to_base(from: &Record, target: &Record, depth: usize) -> Option<Vec<usize>> {
    if from == target {
        return Some(Vec::new());
    }
    if depth > 32 {
        return None;
    }
    for (index, field) in from
        .fields
        .iter()
        .enumerate()
        .filter(|(_, f)| f.id.is_none())
    {
        if let CType::Record(base) = &field.ty.ty
            && let Some(mut path) = path_to_base(base, target, depth + 1)
        {
            path.insert(0, index);
            return Some(path);
        }
    }
    None
}
