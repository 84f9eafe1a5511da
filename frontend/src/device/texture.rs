//! Textures. A texture at file scope that is read by element (`tex1Dfetch`) is a read-only array of the kernel, of
//! unknown contents and unknown extent, with the texture's name. A value that is read by coordinates, or through a
//! texture object, is an arbitrary value: filtering, and which memory an object stands for, are not modelled.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::{Node, NodeExt};
use crate::unit::known_functions::is_fetch;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Body<'_, '_> {
    /// `None`: no function of textures.
    pub(crate) fn texture_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        if !is_fetch(name) {
            return Ok(None);
        }
        let is_object = |texture: &&Node| self.type_of(texture).scalar().is_some();
        if name != "tex1Dfetch" || arguments.first().is_some_and(is_object) {
            return self.any_texel(node, name, arguments).map(Some);
        }
        let [texture, index] = arguments else {
            return self.refuse(node, format!("this call of `{name}`"));
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
        // An element with a negative index is 0.
        let is_below = constant::binary(BinaryOp::Lt, index, Expr::int(ScalarType::I64, 0));
        let value = match constant::truth(&is_below) {
            Some(false) => cell,
            _ => Expr::select(is_below, Expr::constant(Value::zero(elem)), cell),
        };
        Ok(Some(self.keep(value, span)))
    }

    /// The value of a texture at some coordinates, which are evaluated.
    fn any_texel(&mut self, node: &Node, name: &str, arguments: &[&Node]) -> Result<Expr> {
        let Some(elem) = self.type_of(node).scalar() else {
            return self.refuse(node, "a texture of this type");
        };
        let span = self.span(node);
        let is_number = |argument: &&&Node| self.type_of(argument).scalar().is_some();
        let numbers = arguments.iter().filter(is_number);
        let operands: Vec<Operand<'_>> = numbers.map(|a| Operand::Value(a)).collect();
        for value in self.operands(&operands)? {
            // The argument is evaluated, whatever its use.
            if value.has_load() {
                self.keep(value, span);
            }
        }
        self.assume(Assumed::AnyValue(name.to_owned()));
        self.arbitrary_value(node, name, elem)
    }
}
