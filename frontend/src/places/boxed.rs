//! Which local variables must live in memory: those whose address the program takes.

use crate::body::code::Code;
use crate::syntax::casts::without_lvalue_casts;
use crate::syntax::expression::{CallForm, Expression};
use crate::syntax::kind::Kind;
use crate::syntax::{DeclRef, Node, NodeExt};
use crate::types::contents::is_argument_list;
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::known_functions::assigns_its_argument;
use crate::unit::{Function, Unit};
use clang_ast::Id;

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
                    self.box_addressed(function, call.arguments);
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
            Expression::Call(call) => {
                let unit = self.unit;
                let ours = call.declaration().and_then(|id| unit.function_of.get(&id));
                if let Some(&index) = ours {
                    let function = &unit.functions[index];
                    let is_of_object = call.form == CallForm::Operator
                        && function.record.is_some()
                        && !function.is_static;
                    let arguments = call.arguments.get(usize::from(is_of_object)..);
                    self.box_addressed(function, arguments.unwrap_or_default());
                }
            }
            Expression::Construct(arguments) => {
                let unit = self.unit;
                if let Some(index) = unit.constructor(node) {
                    self.box_addressed(&unit.functions[index], arguments);
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

    /// Puts into memory what is passed by reference to a function that takes its address.
    fn box_addressed(&mut self, function: &Function<'_>, arguments: &[Node]) {
        if self.on_host() {
            return;
        }
        for (param, argument) in function.params.iter().zip(arguments) {
            if self.unit.is_addressed(function, param, 0) {
                self.box_root(without_lvalue_casts(argument), true);
            }
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

/// How many calls inside one another are looked through for one that takes an address.
const MOST_CALLS: usize = 6;

impl Unit<'_> {
    /// Whether a function takes the address of what it is given as `param`, a reference to a scalar or an object.
    fn is_addressed(&self, function: &Function<'_>, param: &Node, n_around: usize) -> bool {
        let refers = |to: &QualifiedType| matches!(to.ty, CType::Scalar(_) | CType::Record(_));
        let is_reference = matches!(&self.type_of(param).ty, CType::Reference(to) if refers(to));
        is_reference
            && n_around < MOST_CALLS
            && self.takes_address(function.body, param.id, n_around)
    }

    fn takes_address(&self, node: &Node, of: Id, n_around: usize) -> bool {
        let is_of = |node: &Node| root(node).is_some_and(|decl| decl.id == of);
        let passes_on = |index: usize, arguments: &[Node]| {
            let function = &self.functions[index];
            let mut pairs = function.params.iter().zip(arguments);
            function.is_in_place
                && pairs.any(|(param, argument)| {
                    is_of(argument) && self.is_addressed(function, param, n_around + 1)
                })
        };
        let found = match node.expression() {
            Expression::AddressOf(operand) => is_of(operand.unwrapped()),
            Expression::Call(call) if call.form == CallForm::Function => call
                .declaration()
                .and_then(|id| self.function_of.get(&id))
                .is_some_and(|&index| passes_on(index, call.arguments)),
            Expression::Construct(arguments) => self
                .constructor(node)
                .is_some_and(|index| passes_on(index, arguments)),
            _ => false,
        };
        let mut inner = node.inner.iter();
        found || inner.any(|child| self.takes_address(child, of, n_around))
    }
}

/// The variable that an lvalue is, or is a member of.
fn root(node: &Node) -> Option<&DeclRef> {
    let mut node = without_lvalue_casts(node);
    while let Expression::Member {
        object,
        is_arrow: false,
    }
    | Expression::Elements(object) = node.expression()
    {
        node = without_lvalue_casts(object);
    }
    match node.expression() {
        Expression::Name(decl) => Some(decl),
        _ => None,
    }
}

/// A reference that is kept as an address: to a scalar.
fn is_scalar_reference(ty: &QualifiedType) -> bool {
    matches!(&ty.ty, CType::Reference(to) if matches!(to.ty, CType::Scalar(_)))
}
