//! Textures and surfaces. `gridlock_texture.h` composes their functions of accesses to arrays, which are additional
//! parameters of the kernel: what a texture holds, and what describes it, its extents and its modes. Here these arrays
//! get their names ([`texture`]). A texture is known by its name: that of a reference at file scope, or that of a
//! parameter that the kernel does not change, for an object. All other objects share one array, in which the number
//! that an object is says where its texels begin.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::asked::Asked;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::{Node, NodeExt};
use crate::unit::Side;
use crate::unit::known_functions::gives_texture;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::setup::texture;
use std::sync::Arc;

/// The bits of the number of an object that tell it from others: devices have room for so many descriptions.
const MOST_OBJECTS: i64 = 1 << 20;

/// Elements of the array that describes a texture, as `gridlock_texture.h` has it, and which of them says where the
/// texels of an object that has no name begin, in steps.
const N_CELLS: i64 = 16;
const ORIGIN: i64 = 10;
const STEP: i64 = 64;

/// The texture that a call is about.
enum Texture {
    /// A reference at file scope.
    Reference(Arc<str>),
    /// A parameter of the kernel.
    Parameter(Arc<str>),
    /// Whichever has this number.
    Number(Expr),
}

impl Code<'_, '_> {
    /// The name of the texture at file scope that an expression names, if it does.
    pub(crate) fn texture_named(&self, node: &Node) -> Option<Arc<str>> {
        let mut named = node;
        while named.kind.referenced_decl.is_none() {
            named = named.last()?;
        }
        let decl = named.kind.referenced_decl.as_ref()?;
        if let Some(Binding::Texture(name)) = self.bindings.get(&decl.id) {
            return Some(name.clone());
        }
        let global = self.unit.globals.get(&decl.id)?;
        let text = global.type_text().trim_start_matches("const ");
        text.starts_with("texture<")
            .then(|| decl.name.as_str().into())
    }

    /// The name of the kernel's parameter that an expression is, if the kernel does not change it.
    fn named_parameter(&self, value: &Expr) -> Option<Arc<str>> {
        let ExprKind::Var(var) = value.kind else {
            return None;
        };
        let kernels = self
            .unit
            .functions
            .iter()
            .filter(|f| f.side == Side::Kernel);
        let mut params = kernels.flat_map(|kernel| &kernel.params);
        let is_it = |binding: &Binding| match binding {
            Binding::Var(own, _) => *own == var,
            Binding::Object(parts, _) => parts.contains(&var),
            _ => false,
        };
        let is_bound = |id| self.bindings.get(&id).is_some_and(is_it);
        let found = params.any(|param| is_bound(param.id) && self.unit.is_steady(param.id));
        found.then(|| self.name_of(var))
    }

    fn name_of(&self, var: VarId) -> Arc<str> {
        self.vars[var.0 as usize].name.clone()
    }
}

impl Body<'_, '_> {
    /// A pointer to an array of a texture or a surface. `None`: the call is about something else.
    pub(crate) fn texture_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let (true, [of]) = (gives_texture(name), arguments) else {
            return Ok(None);
        };
        let elem = self.value_type(node)?.pointer().map(|to| to.elem);
        let Some(elem) = elem else {
            return self.refuse(node, "a texture of this type");
        };
        let texture = match self.texture_named(of) {
            Some(name) => Texture::Reference(name),
            None => {
                let value = self.value(of)?;
                match self.named_parameter(&value) {
                    Some(name) => Texture::Parameter(name),
                    None => Texture::Number(value),
                }
            }
        };
        match name {
            "gridlock_texels" => self.texels(node, texture, elem).map(Some),
            "gridlock_cells_of" => self.surface(node, texture, elem).map(Some),
            _ => self.shape(node, texture).map(|(shape, _)| Some(shape)),
        }
    }

    fn texels(&mut self, node: &Node, texture: Texture, elem: ScalarType) -> Result<Expr> {
        self.assume(Assumed::TexturesApart);
        match texture {
            Texture::Reference(name) => self.held_array(node, &name, elem),
            // What one object gives as values of two types, two arrays hold: nothing says how one follows from the other.
            Texture::Parameter(name) => {
                let name = texture::texels(&name);
                let name = self.name_for(name, elem);
                self.held_array(node, &name, elem)
            }
            Texture::Number(number) => {
                let name = self.name_for(texture::texels(texture::UNNAMED), elem);
                let texels = self.held_array(node, &name, elem)?;
                let (shape, _) = self.shape(node, Texture::Number(number))?;
                let span = self.span(node);
                let origin = Expr::offset(shape, integer(ORIGIN));
                let Some(origin) = Expr::load(origin) else {
                    return self.refuse(node, "this texture");
                };
                let origin = self.keep(origin, span).cast(Type::I64);
                let first = constant::binary(BinaryOp::Mul, origin, integer(STEP));
                Ok(Expr::offset(texels, first))
            }
        }
    }

    /// A name that no array of another type has.
    fn name_for(&self, name: String, elem: ScalarType) -> String {
        let is_other = |a: &Asked| a.name == name && a.elem != elem;
        match self.arbitrary.found.iter().any(is_other) {
            true => format!("{name} as {}", elem.usual_name()),
            false => name,
        }
    }

    /// The array that describes a texture.
    fn shape(&mut self, node: &Node, texture: Texture) -> Result<(Expr, ScalarType)> {
        let elem = ScalarType::U32;
        let (name, number) = match texture {
            Texture::Reference(name) | Texture::Parameter(name) => (name, None),
            Texture::Number(number) => (texture::UNNAMED.into(), Some(number)),
        };
        let shape = self.held_array(node, &texture::shape(&name), elem)?;
        let Some(number) = number else {
            return Ok((shape, elem));
        };
        let span = self.span(node);
        let number = constant::convert(number, Type::I64);
        let known = constant::binary(BinaryOp::BitAnd, number, integer(MOST_OBJECTS - 1));
        let first = constant::binary(BinaryOp::Mul, known, integer(N_CELLS));
        let first = self.keep(first, span);
        Ok((Expr::offset(shape, first), elem))
    }

    /// The cells of a surface.
    fn surface(&mut self, node: &Node, surface: Texture, elem: ScalarType) -> Result<Expr> {
        let Texture::Parameter(name) = surface else {
            return self.refuse(node, "a surface that is no parameter of the kernel");
        };
        self.assume(Assumed::InsideSurface(name.to_string()));
        let asked = Asked {
            name: texture::cells(&name),
            elem,
            is_written: true,
        };
        self.held(node, asked)
    }
}

fn integer(n: i64) -> Expr {
    Expr::int(ScalarType::I64, n)
}
