//! Which local variables must live in memory: those whose address the program takes.

use crate::body::code::Code;
use crate::syntax::casts::without_lvalue_casts;
use crate::syntax::expression::{CallForm, Expression};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::is_argument_list;
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::known_functions::assigns_its_argument;

impl Code<'_, '_> {
    /// Collects the locals that must live in memory: those whose address is taken or to which a
    /// reference is bound. Handing `&p` to an allocating function takes no address: the
    /// algebra's allocation assigns `p`.
    pub(crate) fn find_boxed(&mut self, node: &Node) {
        match node.expression() {
            Expression::AddressOf(operand) => {
                self.box_root(operand.unwrapped(), true);
            }
            Expression::Call(call) if call.form == CallForm::Function => {
                let decl = call.named();
                let ours = decl.and_then(|d| self.unit.function_of.get(&d.id));
                let name = decl.map_or("", |d| d.name.as_str());
                if ours.is_none() && assigns_its_argument(name) {
                    for argument in call.arguments.iter().skip(1) {
                        self.find_boxed(argument);
                    }
                    return;
                }
                // A reference parameter of a function read in place is another name and needs no address; the same
                // holds for the address of a pointer.
                let unit = self.unit;
                let read_here = ours.map(|&index| &unit.functions[index]);
                if let Some(function) = read_here.filter(|function| function.is_in_place) {
                    self.find_boxed(call.callee);
                    for (at, argument) in call.arguments.iter().enumerate() {
                        let param = function.params.get(at);
                        let named = param.and_then(|p| self.address_of_pointer(p, argument));
                        self.find_boxed(named.unwrap_or(argument));
                    }
                    return;
                }
                for argument in call.arguments {
                    self.box_root(without_lvalue_casts(argument), false);
                }
            }
            // Pointers to the arguments of a launch: they are read when it starts.
            _ if node.is(Kind::VarDecl) && is_argument_list(&self.type_of(node)) => return,
            _ if node.is(Kind::VarDecl) && is_scalar_reference(&self.type_of(node)) => {
                if let Some(init) = node.last() {
                    self.box_root(without_lvalue_casts(init), false);
                }
            }
            _ => {}
        }
        for child in &node.inner {
            self.find_boxed(child);
        }
    }

    /// Puts the variable that an lvalue is, or is a member of, into memory; whether `&` stands before the lvalue.
    fn box_root(&mut self, node: &Node, takes_address: bool) {
        let mut node = without_lvalue_casts(node);
        let mut is_member = false;
        while let Expression::Member {
            object,
            is_arrow: false,
        }
        | Expression::Elements(object) = node.expression()
        {
            node = without_lvalue_casts(object);
            is_member = true;
        }
        if let Expression::Name(decl) = node.expression()
            && matches!(decl.kind, Kind::VarDecl | Kind::ParmVarDecl)
        {
            // An argument of struct type is copied; what is passed by its address is a member.
            let is_object = matches!(self.type_of(node).ty, CType::Record(_));
            if is_member || !is_object || takes_address {
                self.boxed.insert(decl.id);
            }
        }
    }
}

/// A reference that is kept as an address: to a scalar.
fn is_scalar_reference(ty: &QualifiedType) -> bool {
    matches!(&ty.ty, CType::Reference(to) if matches!(to.ty, CType::Scalar(_)))
}
