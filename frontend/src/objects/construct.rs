//! The construction of objects: constructors, lists of initialisers, lambdas.

use crate::body::binding::Binding;
use crate::body::captures::Captures;
use crate::body::code::Code;
use crate::body::flow::Given;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::body::{Body, TEMPORARY};
use crate::objects::initialiser::MAX_INITIALISED;
use crate::refusal::Result;
use crate::request::Language;
use crate::storage::place::{Place, is_view, memory};
use crate::syntax::capture_list;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::type_place::is_lambda;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{has_array, has_bit_fields, is_all_cells};
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::{Function, is_written_by_compiler};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::span::Span;
use std::collections::HashSet;

impl Source<'_, '_> {
    /// The variable that a lambda's `[name = …]` declares: that of this name which its body uses and nothing else
    /// declares. `Id::NULL`: it is not used. `None`: which it is cannot be told.
    fn named_capture(&self, lambda: &Node, name: &str) -> Option<Id> {
        let record = lambda.inner.first()?;
        let body = lambda.inner.last()?;
        let (mut used, mut declared) = (HashSet::new(), HashSet::new());
        for part in [record, body] {
            variables_named(part, name, &mut used, &mut declared);
        }
        let is_own = |id: &&Id| !declared.contains(*id) && !self.unit.globals.contains_key(id);
        let mut own = used.iter().filter(is_own);
        match (own.next(), own.next()) {
            (None, _) => Some(Id::NULL),
            (Some(&id), None) => Some(id),
            _ => None,
        }
    }

    /// Whether a constructor copies its one argument, field by field.
    fn is_copy(&self, node: &Node) -> bool {
        match self.unit.constructor(node) {
            Some(index) => is_written_by_compiler(&self.unit.functions[index]),
            None => node.kind.ctor_type.is_some(),
        }
    }
}

impl Code<'_, '_> {
    /// Variables, or memory where it has arrays, for an object without a value.
    pub(crate) fn new_object(
        &mut self,
        name: &str,
        ty: &QualifiedType,
        span: Span,
        node: &Node,
    ) -> Result<Place> {
        if has_array(ty) && is_all_cells(ty) {
            let binding = self.local_memory(node, name, ty, span)?;
            return self.place_of(binding, node);
        }
        let parts = ty.parts().or_else(|message| self.refuse(node, message))?;
        let mut vars = Vec::new();
        for part in parts {
            let name = format!("{name}{}", part.path);
            vars.push(self.declare_unset(&name, part.ty, span));
        }
        Ok(Place::Parts(vars, ty.clone()))
    }

    /// Element `index` of an array.
    pub(crate) fn element_at(
        &mut self,
        place: &Place,
        of: &QualifiedType,
        index: u64,
        node: &Node,
    ) -> Result<Place> {
        use gridlock_semantics::algebra::types::ScalarType;
        if let Place::Parts(vars, _) = place {
            let n_parts = of
                .parts()
                .or_else(|message| self.refuse(node, message))?
                .len();
            let start = index as usize * n_parts;
            return match vars.get(start..start + n_parts) {
                Some([var]) if of.is_single() => Ok(Place::Var(*var, self.vars[var.0 as usize].ty)),
                Some(vars) => Ok(Place::Parts(vars.to_vec(), of.clone())),
                None => self.refuse(node, "this initialiser of an array"),
            };
        }
        let Some(pointers) = place.pointers() else {
            return self.refuse(node, "this initialiser of an array");
        };
        let at = Expr::int(ScalarType::I64, index as i64);
        let pointers = self.stepped(pointers, at, of, node)?;
        Ok(memory(pointers, of.clone()))
    }

    /// Binds the captures of a lambda while its body is read.
    pub(crate) fn bind_captures(&mut self, function: &Function<'_>, node: &Node) -> Result<Given> {
        let mut given = Given::default();
        let Some(record) = function.record.as_ref().filter(|r| is_lambda(r)) else {
            return Ok(given);
        };
        let Some(captures) = self.captures.get(record).cloned() else {
            return Ok(given);
        };
        let outlasts = |made: &Vec<usize>| !self.in_place.starts_with(made);
        if captures.made_within.as_ref().is_some_and(outlasts) {
            return self.refuse(
                node,
                "a lambda that catches `this` and outlasts the call it is made in",
            );
        }
        let closure = self.this.clone();
        self.this = captures.this;
        for (index, id) in captures.variables.iter().enumerate() {
            if *id == Id::NULL {
                continue;
            }
            let Some(closure) = &closure else {
                return self.refuse(node, "a lambda");
            };
            let held = self.field(closure, index, node)?;
            given.replaced.push((*id, self.bindings.get(id).cloned()));
            self.bindings.insert(*id, Binding::Alias(held));
        }
        Ok(given)
    }
}

impl Body<'_, '_> {
    /// The parts of an object that an expression makes.
    pub(crate) fn constructed(&mut self, node: &Node, ty: &QualifiedType) -> Result<Vec<Expr>> {
        // A copy of an object has the parts of that object.
        if let [inner] = node.inner.as_slice()
            && self.type_of(inner).ty == ty.ty
            && self.is_copy(node)
        {
            return self.parts(inner);
        }
        if let Some(values) = self.listed_parts(node, ty)? {
            return Ok(values);
        }
        let span = self.span(node);
        let object = self.new_object(TEMPORARY, ty, span, node)?;
        self.initialise_place(&object, node, span)?;
        self.read_parts(&object, node)
    }

    /// The parts of an object where the operands are those parts, one by one.
    fn listed_parts(&mut self, node: &Node, ty: &QualifiedType) -> Result<Option<Vec<Expr>>> {
        let parts = ty.parts().or_else(|message| self.refuse(node, message))?;
        let is_list = node.is(Kind::InitListExpr) || is_dim3(ty);
        // A reference is bound, not given a value.
        let is_plain = !has_bit_fields(ty) && parts.iter().all(|part| part.ty.scalar().is_some());
        let is_scalar = |n: &Node| matches!(self.type_of(n).ty, CType::Scalar(_));
        let fits = node.inner.len() == parts.len() && node.inner.iter().all(is_scalar);
        if !(is_list && is_plain && fits) {
            return Ok(None);
        }
        let operands: Vec<_> = node.inner.iter().map(Operand::Value).collect();
        // C++ orders what stands in braces, C does not.
        let is_ordered = node.is(Kind::InitListExpr) && self.unit.language == Language::Cuda;
        let values = match is_ordered {
            true => self.operands_in_order(&operands),
            false => self.operands(&operands),
        };
        values.map(Some)
    }

    /// Gives an object its first value.
    pub(crate) fn initialise_place(
        &mut self,
        place: &Place,
        init: &Node,
        span: Span,
    ) -> Result<()> {
        let init = init.unwrapped();
        let Some(ty) = place.ty().cloned() else {
            let value = self.value(init)?;
            return self.write(place, value, span, init);
        };
        match init.kind() {
            Kind::CXXConstructExpr | Kind::CXXTemporaryObjectExpr => {
                self.construct(place, &ty, init, span)
            }
            Kind::InitListExpr => self.initialise_list(place, &ty, init, span),
            Kind::ImplicitValueInitExpr | Kind::CXXScalarValueInitExpr => {
                self.clear_place(place, &ty, span, init)
            }
            Kind::LambdaExpr => self.close_over(place, init, span),
            Kind::ImplicitCastExpr
            | Kind::CXXFunctionalCastExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
                if matches!(
                    init.cast(),
                    CastKind::NoOp | CastKind::ConstructorConversion
                ) && init.kind.value_category.as_deref() == Some("prvalue")
                    && init.last().is_some_and(|i| self.type_of(i).ty == ty.ty) =>
            {
                match init.last() {
                    Some(inner) => self.initialise_place(place, inner, span),
                    None => self.refuse(init, "this cast"),
                }
            }
            _ => {
                let values = self.parts(init)?;
                self.write_parts(place, values, span, init)
            }
        }
    }

    /// Writes zeros.
    fn clear_place(
        &mut self,
        place: &Place,
        ty: &QualifiedType,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        if let Place::Cell(pointer, _) = place
            && is_view(pointer, ty)
        {
            let elem = pointer.ty.pointer().map(|p| p.elem);
            let (Some(elem), Some(size)) = (elem, ty.size()) else {
                return self.refuse(node, "this initialiser");
            };
            let zero = Expr::constant(gridlock_semantics::algebra::value::Value::zero(elem));
            self.clear_cells(pointer.clone(), size / elem.size(), zero, span);
            return Ok(());
        }
        let groups = ty.groups().filter(|_| is_all_cells(ty));
        if let (Some(pointers), Some(groups)) = (place.pointers(), groups) {
            for (pointer, group) in pointers.into_iter().zip(groups) {
                let Some(count) = group.count else {
                    return self.refuse(node, "an array of unknown extent");
                };
                let zero = gridlock_semantics::algebra::value::Value::zero(group.pointer.elem);
                self.clear_cells(pointer, count, Expr::constant(zero), span);
            }
            return Ok(());
        }
        let zeros = self.zero_parts(node, ty)?;
        self.write_parts(place, zeros, span, node)
    }

    fn initialise_list(
        &mut self,
        place: &Place,
        ty: &QualifiedType,
        init: &Node,
        span: Span,
    ) -> Result<()> {
        if let ([inner], true) = (init.inner.as_slice(), init.kind.array_filler.is_empty())
            && self.type_of(inner).ty == ty.ty
        {
            return self.initialise_place(place, inner, span);
        }
        match &ty.ty {
            // One member; its bits determine the values of the others.
            CType::Record(record) if record.is_union => {
                let member = init.kind.field.as_ref();
                let index = member.and_then(|m| record.field(Some(m.id), &m.name));
                match (init.inner.first(), index) {
                    (Some(value), Some(index)) => {
                        let field = self.field(place, index, init)?;
                        self.initialise_place(&field, value, span)
                    }
                    (Some(_), None) => self.refuse(init, "this initialiser of a union"),
                    (None, _) => self.clear_place(place, ty, span, init),
                }
            }
            CType::Record(record) => self.each_listed(0..record.fields.len(), span, |b, index| {
                let field = b.field(place, index, init)?;
                match init.inner.get(index) {
                    Some(value) => b.initialise_place(&field, value, span),
                    None => b.clear_field(&field, span, init),
                }
            }),
            CType::Array(of, Some(len)) => {
                let listed = match init.kind.array_filler.split_first() {
                    Some((_, listed)) => listed,
                    None => init.inner.as_slice(),
                };
                if listed.len() as u64 > *len || *len > MAX_INITIALISED {
                    return self.refuse(init, "this initialiser of an array");
                }
                if *len > 64 {
                    self.clear_place(place, ty, span, init)?;
                }
                let n_written = match *len > 64 {
                    true => listed.len() as u64,
                    false => *len,
                };
                self.each_listed(0..n_written, span, |b, index| {
                    let element = b.element_at(place, of, index, init)?;
                    match listed.get(index as usize) {
                        Some(value) => b.initialise_place(&element, value, span),
                        None => b.clear_field(&element, span, init),
                    }
                })
            }
            _ => self.refuse(init, "a list of initialisers here"),
        }
    }

    fn clear_field(&mut self, place: &Place, span: Span, node: &Node) -> Result<()> {
        use gridlock_semantics::algebra::types::Type;
        match place {
            Place::Var(_, Type::Scalar(scalar)) => {
                let zero = gridlock_semantics::algebra::value::Value::zero(*scalar);
                self.write(place, Expr::constant(zero), span, node)
            }
            Place::Var(_, ty) => self.write(place, Expr::i32(0).cast(*ty), span, node),
            _ => match place.ty().cloned() {
                Some(ty) => self.clear_place(place, &ty, span, node),
                None => self.refuse(node, "this initialiser"),
            },
        }
    }

    /// Runs a constructor on an object.
    fn construct(
        &mut self,
        place: &Place,
        ty: &QualifiedType,
        node: &Node,
        span: Span,
    ) -> Result<()> {
        if let CType::Array(of, Some(len)) = &ty.ty {
            // Constructs each element by the same constructor.
            if *len > 64 || !node.inner.is_empty() {
                let trivial = self.unit.constructor(node).is_none_or(|index| {
                    let function = &self.unit.functions[index];
                    function.body.inner.is_empty() && !has_initialisers(function)
                });
                return match trivial && node.inner.is_empty() {
                    true => Ok(()),
                    false => self.refuse(node, "this initialiser of an array"),
                };
            }
            for index in 0..*len {
                let element = self.element_at(place, of, index, node)?;
                self.construct(&element, of, node, span)?;
            }
            return Ok(());
        }
        if let [inner] = node.inner.as_slice()
            && self.type_of(inner).ty == ty.ty
            && self.is_copy(node)
        {
            let values = self.parts(inner)?;
            return self.write_parts(place, values, span, node);
        }
        if is_dim3(ty)
            && let Some(values) = self.listed_parts(node, ty)?
        {
            return self.write_parts(place, values, span, node);
        }
        match self.unit.constructor(node) {
            Some(index) => {
                if node.kind.zeroing {
                    self.clear_place(place, ty, span, node)?;
                }
                let arguments: Vec<&Node> = node.inner.iter().collect();
                self.call_in_place(node, index, &arguments, Some(place.clone()))?;
                Ok(())
            }
            None if node.inner.is_empty() => match node.kind.zeroing {
                true => self.clear_place(place, ty, span, node),
                false => Ok(()),
            },
            None => self.refuse(node, "a struct or class value"),
        }
    }

    /// The initialisers of a constructor that is being called in place.
    pub(crate) fn run_initialisers(&mut self, function: &Function<'_>) -> Result<()> {
        let initialisers = function.node.inner.iter();
        for node in initialisers.filter(|n| n.is(Kind::CXXCtorInitializer)) {
            let (Some(init), Some(this)) = (node.last(), self.this.clone()) else {
                continue;
            };
            let span = self.span(init);
            let record = match this.ty().map(|ty| &ty.ty) {
                Some(CType::Record(record)) => record.clone(),
                _ => return self.refuse(function.node, "this constructor"),
            };
            let index = match (&node.kind.any_init, &node.kind.base_init) {
                (Some(field), _) => record.field(Some(field.id), &field.name),
                (None, Some(base)) => {
                    let base = self.unit.names.parse(base.text());
                    record
                        .fields
                        .iter()
                        .position(|f| f.id.is_none() && f.ty.ty == base.ty)
                }
                // It delegates to another constructor.
                (None, None) => {
                    self.initialise_place(&this, init, span)?;
                    continue;
                }
            };
            let Some(index) = index else {
                return self.refuse(init, "this initialiser");
            };
            let field = self.field(&this, index, init)?;
            self.initialise_place(&field, init, span)?;
        }
        Ok(())
    }

    /// `[a, &b](…) {…}`: the closure holds the captures by value; captures by reference keep their
    /// meaning, since every call is read in place.
    fn close_over(&mut self, place: &Place, node: &Node, span: Span) -> Result<()> {
        let ty = self.type_of(node);
        let CType::Record(record) = &ty.ty else {
            return self.refuse(node, "a lambda");
        };
        let [_, rest @ ..] = node.inner.as_slice() else {
            return self.refuse(node, "a lambda");
        };
        let mut captures = Captures {
            variables: Vec::new(),
            this: self.this.clone(),
            made_within: None,
        };
        let text = self.unit.files.text(self.span(node)).unwrap_or_default();
        let written = capture_list::written(&text);
        for (index, field) in record.fields.iter().enumerate() {
            let Some(init) = rest.get(index) else {
                return self.refuse(node, "a lambda");
            };
            let by_reference = matches!(field.ty.ty, CType::Reference(_));
            if let Some(name) = written.get(index).and_then(|capture| capture.computed()) {
                if by_reference {
                    return self.refuse(
                        init,
                        "a lambda that captures a reference to what it names anew",
                    );
                }
                let Some(id) = self.named_capture(node, name) else {
                    return self.refuse(init, "this capture of a lambda");
                };
                captures.variables.push(id);
                let held = self.field(place, index, init)?;
                self.initialise_place(&held, init, span)?;
                continue;
            }
            let mut named = init.without_casts();
            while named.is(Kind::CXXConstructExpr) && named.inner.len() == 1 {
                named = named.inner[0].without_casts();
            }
            let Some(decl) = named.kind.referenced_decl.as_ref() else {
                // A capture that computes a value, or of `this`, has no name to bind.
                if named.is(Kind::CXXThisExpr) {
                    captures.variables.push(Id::NULL);
                    captures.made_within = Some(self.in_place.clone());
                    continue;
                }
                return self.refuse(init, "this capture of a lambda");
            };
            captures.variables.push(match by_reference {
                true => Id::NULL,
                false => decl.id,
            });
            if !by_reference {
                let held = self.field(place, index, init)?;
                self.initialise_place(&held, init, span)?;
            }
        }
        self.captures.insert(record.name.clone(), captures);
        Ok(())
    }
}

/// The variables of a name that a node uses, and those that it declares.
fn variables_named(node: &Node, name: &str, used: &mut HashSet<Id>, declared: &mut HashSet<Id>) {
    if let Some(decl) = node
        .kind
        .referenced_decl
        .as_ref()
        .filter(|d| d.name == name)
    {
        used.insert(decl.id);
    }
    if matches!(node.kind(), Kind::VarDecl | Kind::ParmVarDecl) && node.name() == name {
        declared.insert(node.id);
    }
    for inner in node.inner.iter().chain(&node.kind.array_filler) {
        variables_named(inner, name, used, declared);
    }
}

fn is_dim3(ty: &QualifiedType) -> bool {
    matches!(&ty.ty, CType::Record(record) if record.name == "dim3")
}

fn has_initialisers(function: &Function<'_>) -> bool {
    function
        .node
        .inner
        .iter()
        .any(|n| n.is(Kind::CXXCtorInitializer))
}
