//! The names of cells as a front end found them, kept with the program.

use super::cell_names::CellNames;
use super::declaration::{ArrayDecl, Extent, VarDecl};
use super::span::Span;
use super::types::{ScalarType, Type};
use std::sync::Arc;

/// What a front end knows about the cells of declared arrays, and of memory that is named after a variable. It
/// applies to arrays whose declaration has not changed since.
#[derive(Clone, Debug, Default)]
pub struct DescribedCells {
    arrays: Vec<(ArrayKey, CellNames)>,
    variables: Vec<(VariableKey, CellNames)>,
}

/// Two programs that differ in these names alone are equal.
impl PartialEq for DescribedCells {
    fn eq(&self, _: &DescribedCells) -> bool {
        true
    }
}

impl Eq for DescribedCells {}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ArrayKey {
    name: Arc<str>,
    span: Span,
    elem: ScalarType,
    extent: Extent,
    dims: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct VariableKey {
    procedure: Arc<str>,
    name: Arc<str>,
    span: Span,
    elem: ScalarType,
}

impl ArrayKey {
    fn new(decl: &ArrayDecl) -> ArrayKey {
        ArrayKey {
            name: decl.name.clone(),
            span: decl.span,
            elem: decl.elem,
            extent: decl.extent,
            dims: decl.dims.clone(),
        }
    }
}

impl VariableKey {
    fn new(procedure: &Arc<str>, var: &VarDecl) -> Option<VariableKey> {
        let Type::Pointer(pointer) = var.ty else {
            return None;
        };
        Some(VariableKey {
            procedure: procedure.clone(),
            name: var.name.clone(),
            span: var.span,
            elem: pointer.elem,
        })
    }
}

impl DescribedCells {
    /// Records the names of the cells of a declared array.
    pub fn describe_array(&mut self, decl: &ArrayDecl, cells: CellNames) {
        self.arrays.push((ArrayKey::new(decl), cells));
    }

    /// The names recorded for a declared array.
    pub fn of_array(&self, decl: &ArrayDecl) -> CellNames {
        described(&self.arrays, &ArrayKey::new(decl))
            .unwrap_or_else(|| CellNames::of_declaration(decl))
    }

    /// The names recorded for the memory that a pointer of a procedure points to.
    pub fn behind(&self, procedure: &Arc<str>, var: &VarDecl) -> Option<CellNames> {
        described(&self.variables, &VariableKey::new(procedure, var)?)
    }

    /// The key of the memory that is named after a pointer of a procedure.
    pub fn describe_variable(&mut self, procedure: &Arc<str>, var: &VarDecl, cells: CellNames) {
        if let Some(key) = VariableKey::new(procedure, var) {
            self.variables.push((key, cells));
        }
    }

    /// The names recorded for memory that is named after a variable of a procedure, with cells of a given type if
    /// that is known; `None` if the memory has another name or its cells another type.
    pub fn of_memory(
        &self,
        procedure: &Arc<str>,
        var: &VarDecl,
        name: &str,
        elem: Option<ScalarType>,
    ) -> Option<CellNames> {
        let key = VariableKey::new(procedure, var).filter(|key| *key.name == *name)?;
        let fits = elem.is_none_or(|elem| elem == key.elem);
        fits.then(|| described(&self.variables, &key)).flatten()
    }
}

/// The names recorded for a key; `None` also where two different ones were recorded.
fn described<K: PartialEq>(all: &[(K, CellNames)], key: &K) -> Option<CellNames> {
    let mut found = all.iter().filter(|(k, _)| k == key).map(|(_, cells)| cells);
    let first = found.next()?;
    found.all(|other| other == first).then(|| first.clone())
}
