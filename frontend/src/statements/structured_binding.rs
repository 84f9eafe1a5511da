//! `auto [a, b] = value;`: an object without a name, and a name for each of its members or elements.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};

impl Body<'_, '_> {
    pub(crate) fn structured_binding(&mut self, node: &Node) -> Result<()> {
        let names = || node.inner.iter().filter(|n| n.is(Kind::BindingDecl));
        let mut object = node.clone();
        object.inner.retain(|n| !n.is(Kind::BindingDecl));
        let called: Vec<&str> = names().map(|n| n.name()).collect();
        object.kind.name = Some(called.join("_"));
        if let Some(ty) = &mut object.kind.ty {
            // As C++ writes a reference to an array.
            ty.qual_type = ty
                .qual_type
                .replace(" &[", " (&)[")
                .replace(" &&[", " (&&)[");
        }
        self.local_variable(&object)?;
        let is_own = matches!(self.bindings.get(&node.id), Some(Binding::Object(..)));
        for name in names() {
            let Some(member) = name.last() else {
                return self.refuse(name, "this structured binding");
            };
            let place = self.place(member)?;
            if let (Place::Var(var, _), true) = (&place, is_own) {
                let called = self.fresh_name(name.name());
                self.vars[var.0 as usize].name = called.into();
            }
            self.bindings.insert(name.id, Binding::Alias(place));
        }
        Ok(())
    }
}
