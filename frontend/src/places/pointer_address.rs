//! Addresses of pointers, `&p` for a parameter `T **`. Pointers are held in variables and not in memory, so such an
//! address is another name of the variable, and functions with such a parameter are read in place.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::storage::place::Place;
use crate::syntax::expression::Expression;
use crate::syntax::{Node, NodeExt};
use crate::unit::is_pointer_to_pointer;
use gridlock_semantics::algebra::value::Value;

impl Source<'_, '_> {
    /// The variable whose address an argument is, for a parameter that is a pointer to a pointer.
    pub(crate) fn address_of_pointer<'n>(
        &self,
        param: &Node,
        argument: &'n Node,
    ) -> Option<&'n Node> {
        if !is_pointer_to_pointer(&self.type_of(param).decayed()) {
            return None;
        }
        let argument = argument.without_casts();
        let Expression::AddressOf(named) = argument.expression() else {
            return None;
        };
        is_pointer_to_pointer(&self.type_of(argument)).then_some(named)
    }
}

impl Code<'_, '_> {
    /// The variable of whose address an expression is the name.
    pub(crate) fn named_address(&self, node: &Node) -> Option<Place> {
        let id = node.without_casts().kind.referenced_decl.as_ref()?.id;
        match self.bindings.get(&id) {
            Some(Binding::Address(place)) => Some(place.clone()),
            _ => None,
        }
    }
}

impl Body<'_, '_> {
    /// `*p` and `p[0]` of such a name.
    pub(crate) fn behind_address(&mut self, node: &Node) -> Option<Place> {
        match node.expression() {
            Expression::Dereference(pointer) => self.named_address(pointer),
            Expression::Subscript { left, right } => {
                let place = self.named_address(left)?;
                let (ops, index) = self.apart(|b| b.value(right)).ok()?;
                let index = constant::evaluate(&index).and_then(Value::as_integer);
                (ops.is_empty() && index == Some(0)).then_some(place)
            }
            _ => None,
        }
    }
}
