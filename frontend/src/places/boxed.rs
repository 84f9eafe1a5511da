//! Which local variables must live in memory: those whose address the program takes.

use crate::body::Body;
use crate::syntax::casts::without_lvalue_casts;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::is_argument_list;
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::known_functions::assigns_its_argument;

impl Body<'_, '_> {
    /// Collects the locals that must live in memory: those whose address is taken or to which a
    /// reference is bound. Handing `&p` to an allocating function takes no address: the
    /// algebra's allocation assigns `p`.
    pub(crate) fn find_boxed(&mut self, node: &Node) {
        match node.kind() {
            Kind::UnaryOperator if node.opcode() == "&" => {
                if let Some(operand) = node.child(0) {
                    self.takes_address = true;
                    self.box_root(operand.unwrapped());
                    self.takes_address = false;
                }
            }
            Kind::CallExpr => {
                let callee = node.child(0).map(|c| c.without_casts());
                let decl = callee.and_then(|c| c.kind.referenced_decl.as_ref());
                let ours = decl.and_then(|d| self.unit.function_of.get(&d.id));
                let name = decl.map_or("", |d| d.name.as_str());
                if ours.is_none() && assigns_its_argument(name) {
                    for argument in node.inner.iter().skip(2) {
                        self.find_boxed(argument);
                    }
                    return;
                }
                // A reference parameter of a function read in place is another name and needs no address; the same
                // holds for the address of a pointer.
                let unit = self.unit;
                let read_here = ours.map(|&index| &unit.functions[index]);
                if let Some(function) = read_here.filter(|function| function.is_in_place) {
                    for (at, child) in node.inner.iter().enumerate() {
                        let param = at.checked_sub(1).and_then(|at| function.params.get(at));
                        let named = param.and_then(|param| self.address_of_pointer(param, child));
                        self.find_boxed(named.unwrap_or(child));
                    }
                    return;
                }
                for argument in node.inner.iter().skip(1) {
                    self.box_root(without_lvalue_casts(argument));
                }
            }
            // Pointers to the arguments of a launch: they are read when it starts.
            Kind::VarDecl if is_argument_list(&self.type_of(node)) => return,
            Kind::VarDecl if is_scalar_reference(&self.type_of(node)) => {
                if let Some(init) = node.last() {
                    self.box_root(without_lvalue_casts(init));
                }
            }
            _ => {}
        }
        for child in &node.inner {
            self.find_boxed(child);
        }
    }

    /// Puts the variable that an lvalue is, or is a member of, into memory.
    fn box_root(&mut self, node: &Node) {
        let mut node = without_lvalue_casts(node);
        let mut is_member = false;
        while matches!(node.kind(), Kind::MemberExpr | Kind::ExtVectorElementExpr)
            && !node.kind.is_arrow
        {
            match node.child(0) {
                Some(object) => node = without_lvalue_casts(object),
                None => return,
            }
            is_member = true;
        }
        if let (Kind::DeclRefExpr, Some(decl)) = (node.kind(), &node.kind.referenced_decl)
            && matches!(decl.kind, Kind::VarDecl | Kind::ParmVarDecl)
        {
            // An argument of struct type is copied; what is passed by its address is a member.
            let is_object = matches!(self.type_of(node).ty, CType::Record(_));
            if is_member || !is_object || self.takes_address {
                self.boxed.insert(decl.id);
            }
        }
    }
}

/// A reference that is kept as an address: to a scalar.
fn is_scalar_reference(ty: &QualifiedType) -> bool {
    matches!(&ty.ty, CType::Reference(to) if matches!(to.ty, CType::Scalar(_)))
}
