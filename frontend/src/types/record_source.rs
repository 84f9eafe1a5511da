//! Structs and classes as they are declared, before the types of their fields are resolved.

use clang_ast::Id;

/// The declaration of a struct before the types of its fields are resolved.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecordSource {
    pub name: String,
    pub fields: Vec<FieldSource>,
    pub align: u64,
    pub trouble: Option<&'static str>,
    pub is_union: bool,
    /// Its own destructor, unless that does nothing.
    pub destructor: Option<Id>,
}

#[derive(Clone, Debug)]
pub(crate) struct FieldSource {
    /// `None` for a base class.
    pub id: Option<Id>,
    pub name: String,
    /// The type as written, and without typedefs if clang gives it.
    pub ty: String,
    pub desugared: Option<String>,
    /// The width of a bit-field.
    pub width: Option<u64>,
}

/// Structs of two functions with the same name and the same fields are treated as one; their fields
/// are then found by name.
impl PartialEq for FieldSource {
    fn eq(&self, other: &FieldSource) -> bool {
        let told = |field: &FieldSource| (field.id.is_some(), field.width);
        (&self.name, &self.ty, told(self)) == (&other.name, &other.ty, told(other))
    }
}
