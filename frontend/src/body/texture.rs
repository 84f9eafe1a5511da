//! Textures read by element (`tex1Dfetch`): read-only arrays of the kernel, of unknown contents and
//! unknown extent, called as the texture is. Filtering and coordinates are not read.

use super::{Body, Result};
use crate::constant;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::{BinaryOp, Expr};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;

impl Body<'_, '_> {
    /// `None`: no function of textures.
    pub(super) fn texture_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let ("tex1Dfetch", [texture, index]) = (name, arguments) else {
            return Ok(None);
        };
        let mut named = *texture;
        while named.kind.referenced_decl.is_none() {
            match named.last() {
                Some(inner) => named = inner,
                None => return self.refuse(node, "this texture"),
            }
        }
        let decl = named.kind.referenced_decl.as_ref();
        let is_file_scope = decl.is_some_and(|d| self.unit.globals.contains_key(&d.id));
        let (Some(decl), true) = (decl, is_file_scope) else {
            return self.refuse(node, "a texture that is no variable at file scope");
        };
        let Some(elem) = self.type_of(node).scalar() else {
            return self.refuse(node, "a texture of this type");
        };
        let index = constant::convert(self.value(index)?, Type::I64);
        let span = self.span(node);
        let array = self.held_array(node, &decl.name, elem)?;
        let cell = Expr::load(Expr::offset(array, index.clone()));
        let cell = cell.unwrap_or_else(|| Expr::constant(Value::zero(elem)));
        // There is nothing below 0, and what is read there is 0.
        let is_below = constant::binary(BinaryOp::Lt, index, Expr::int(ScalarType::I64, 0));
        let value = match constant::truth(&is_below) {
            Some(false) => cell,
            _ => Expr::select(is_below, Expr::constant(Value::zero(elem)), cell),
        };
        Ok(Some(self.keep(value, span)))
    }
}
