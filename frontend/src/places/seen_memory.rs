//! Declared memory that is accessed as several types: its cells fit all of them (`unit/cells.rs` chooses them).

use crate::assumed::Assumed;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::fits;
use crate::types::member_names::behind_parts;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

impl Code<'_, '_> {
    /// Records the assumption about an argument whose memory has smaller cells than its declared type.
    pub(crate) fn note_cells(&mut self, node: &Node, declared: &QualifiedType, ty: Type) {
        let (CType::Pointer(to), Type::Pointer(cells)) = (&declared.ty, ty) else {
            return;
        };
        let own = to.cells().map(|(own, _)| own.elem.size());
        let Some(size) = to.size().filter(|_| self.kind == ProcKind::Kernel) else {
            return;
        };
        if to.ty != CType::Void && own.is_none_or(|own| cells.elem.size() < own) {
            let bytes = cells.elem.size();
            self.assume(Assumed::PartsOfElements {
                argument: node.name().to_owned(),
                bytes,
                cells: size / bytes,
            });
        }
    }

    /// Remembers how many cells an element of a pointer argument has, where that is not one.
    pub(crate) fn note_layout(&mut self, node: &Node, declared: &QualifiedType, vars: &[VarId]) {
        let CType::Pointer(to) = &declared.ty else {
            return;
        };
        let seen = |var: &VarId| match self.vars[var.0 as usize].ty {
            Type::Pointer(cells) => Some(cells.elem),
            Type::Scalar(_) => None,
        };
        let counts: Option<Vec<u64>> = match (vars, to.groups()) {
            ([var], Some(groups)) if groups.len() == 1 => {
                let whole = matches!(to.ty, CType::Record(_)).then_some(groups[0].count);
                let own = groups[0].pointer.elem;
                match (seen(var), whole.unwrap_or(Some(1)), to.size()) {
                    (Some(elem), Some(count), _) if elem == own => Some(vec![count]),
                    // The element type of an array, through all its dimensions.
                    (Some(elem), Some(count), _) if elem.size() < own.size() => {
                        Some(vec![count * (own.size() / elem.size())])
                    }
                    _ => None,
                }
            }
            ([var], _) => match (seen(var), to.size()) {
                (Some(elem), Some(size)) if size.is_multiple_of(elem.size()) => {
                    Some(vec![size / elem.size()])
                }
                _ => None,
            },
            (_, Some(groups)) if groups.len() == vars.len() => {
                groups.iter().map(|group| group.count).collect()
            }
            _ => None,
        };
        let Some(counts) = counts.filter(|counts| *counts != [1] && !counts.contains(&0)) else {
            return;
        };
        let name = |var: &VarId| self.vars[var.0 as usize].name.to_string();
        let parts = vars.iter().map(name).zip(counts).collect();
        self.layouts.push((node.name().to_string(), parts));
    }

    /// Records the names of the cells of memory that is named after variables of a value: of the target of a pointer,
    /// and of pointers in a struct.
    pub(crate) fn name_behind(&mut self, node: &Node, declared: &QualifiedType, vars: &[VarId]) {
        let cells = behind_parts(node.name(), declared);
        if cells.len() != vars.len() {
            return;
        }
        for (var, known) in vars.iter().zip(cells) {
            let elem = self.vars[var.0 as usize].ty.pointer().map(|p| p.elem);
            if let Some((own, cells)) = known
                && elem == Some(own)
            {
                self.pointed.push((*var, cells));
            }
        }
    }

    /// The same of a local variable.
    pub(crate) fn name_pointed(&mut self, node: &Node, ty: &QualifiedType, binding: &Binding) {
        match binding {
            Binding::Var(var, _) => self.name_behind(node, ty, &[*var]),
            Binding::Object(vars, _) => self.name_behind(node, ty, vars),
            _ => {}
        }
    }

    /// The array for memory that is accessed as several types, with cells that fit all of them;
    /// `None` if the cells of its own type do.
    pub(crate) fn seen_memory(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        space: Space,
        owner: Option<ProcId>,
        span: Span,
    ) -> Option<ArrayDecl> {
        if self.on_host() {
            return None;
        }
        let own = ty.cells().map(|(pointer, _)| pointer.elem);
        let elem = match ty.ty {
            CType::Pointer(_) => self.unit.cells.of_pointer(node.id)?,
            _ => {
                let elem = self.unit.cells.of(node.id)?;
                let fits = fits(ty, elem) || is_room(ty, elem);
                if !fits || !self.unit.cells.is_seen_otherwise(node.id) {
                    return None;
                }
                elem
            }
        };
        if own == Some(elem) {
            return None;
        }
        let count = ty.size()? / elem.size();
        let name = match owner {
            Some(_) => self.fresh_name(node.name()),
            None => node.name().to_string(),
        };
        Some(ArrayDecl {
            name: Arc::from(name),
            elem,
            extent: Extent::Fixed(count),
            dims: vec![count],
            space,
            is_volatile: ty.is_volatile || ty.cells().is_some_and(|(p, _)| p.is_volatile),
            is_managed: false,
            init: None,
            owner,
            symbol: None,
            span,
        })
    }
}

/// Whether each element of the type is smaller than a cell and all of them together are whole
/// cells: no code then accesses the memory by its declared type.
pub(crate) fn is_room(ty: &QualifiedType, cell: ScalarType) -> bool {
    match &ty.ty {
        CType::Scalar(scalar) => scalar.size() < cell.size(),
        CType::Array(of, Some(_)) => {
            let whole = ty.size().is_some_and(|n| n.is_multiple_of(cell.size()));
            whole && is_room(of, cell)
        }
        _ => false,
    }
}
