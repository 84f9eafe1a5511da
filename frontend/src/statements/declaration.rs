//! Declarations: locals, and what a name of file scope means inside this procedure.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::refusal::Result;
use crate::storage::arrays::{declared, is_shared, of_group, symbol};
use crate::storage::place::{Place, is_view, memory};
use crate::storage::pointers::{null_like, requalify, with_cells_of};
use crate::syntax::casts::{initialiser, is_prvalue};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{has_array, has_destructor, is_all_cells, is_memory_with_pointers};
use crate::types::contents::{is_argument_list, is_constant_array, is_of_pointers, is_of_scalars};
use crate::types::ctype::{CType, NoVariable, QualifiedType, describe};
use crate::types::record::no_memory;
use crate::unit::declarations::{is_dynamic_shared, is_extern_shared};
use crate::unit::is_pointer_to_pointer;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, Type};
use gridlock_semantics::algebra::value::Value;

impl<'a> Source<'_, 'a> {
    /// The type of a variable, a pointer's with the cells of the memory it is found to reach.
    fn pointer_or_scalar(
        &self,
        node: &Node,
        ty: &QualifiedType,
    ) -> std::result::Result<Type, NoVariable> {
        let found = self.unit.pointer_type(node, ty)?;
        if self.on_host() && is_pointer_to_pointer(ty) {
            return Err(NoVariable("a pointer to a pointer".to_owned()));
        }
        Ok(match (found, self.unit.cells.of(node.id)) {
            (Type::Pointer(pointer), Some(elem)) if !self.on_host() => {
                Type::Pointer(PointerType { elem, ..pointer })
            }
            (found, _) => found,
        })
    }

    fn own_space(&self) -> Space {
        if self.on_host() {
            Space::Host
        } else {
            Space::Private
        }
    }

    /// Whether memory of a type has a meaning and a size.
    pub(crate) fn check_memory(&self, node: &Node, ty: &QualifiedType) -> Result<()> {
        let Some(groups) = ty.groups() else {
            if let CType::Other(_) = ty.ty {
                return self.refuse(node, "an array of variable length");
            }
            return self.refuse(node, no_memory(ty));
        };
        // An array without elements exists, and any access to it is out of bounds.
        match groups.iter().all(|group| group.count.is_some()) {
            true => Ok(()),
            false => self.refuse(node, "an array of unknown extent"),
        }
    }

    fn check_array(&self, node: &Node, ty: &QualifiedType) -> Result<u64> {
        match ty.cells() {
            Some((_, Some(count))) => Ok(count),
            Some((_, None)) => self.refuse(node, "an array of unknown extent"),
            None => {
                let mut elem = ty;
                while let CType::Array(of, _) = &elem.ty {
                    elem = of;
                }
                let what = match &ty.ty {
                    CType::Other(_) => "an array of variable length".to_string(),
                    _ => format!("memory of {}", describe(&elem.ty)),
                };
                self.refuse(node, what)
            }
        }
    }
}

impl<'a> Code<'_, 'a> {
    /// A new variable, which has no value each time a loop reaches its declaration.
    pub(crate) fn declare_unset(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let var = self.declare(name, ty, span);
        if self.in_loop() {
            let value = Expr::no_value(ty);
            self.emit(Basic::Assign { var, value }, span);
        }
        self.unset.insert(var);
        var
    }

    /// A new variable with its first value.
    fn declare_for(&mut self, name: &str, ty: Type, value: Expr, span: Span) -> VarId {
        use gridlock_semantics::algebra::expr::ExprKind;
        // The result of a call or an atomic: its temporary becomes the variable.
        if let ExprKind::Var(temporary) = value.kind {
            let is_last = temporary.0 as usize + 1 == self.vars.len();
            let is_result = self.ops.last().is_some_and(|op| is_result(op, temporary));
            let is_only_here = is_last && self.is_unnamed(temporary);
            if is_only_here && is_result && value.ty.same_shape(ty) {
                self.name_temporary(temporary, name, ty, span);
                return temporary;
            }
        }
        let var = self.declare(name, ty, span);
        self.assign_var(var, value, span);
        var
    }

    /// Whether a local of this type lives in memory: its address is taken, or it has arrays
    /// inside, whose subscripts need not be constant.
    pub(crate) fn is_memory(&self, node: &Node, ty: &QualifiedType) -> bool {
        let is_boxed = self.boxed.contains(&node.id);
        is_all_cells(ty) && (has_array(ty) || is_boxed)
            || is_boxed && !self.on_host() && is_memory_with_pointers(ty)
    }

    /// Memory of this procedure for a value of any type, an array a group.
    pub(crate) fn local_memory(
        &mut self,
        node: &Node,
        name: &str,
        ty: &QualifiedType,
        span: Span,
    ) -> Result<Binding> {
        self.check_memory(node, ty)?;
        let groups = ty.groups().unwrap_or_default();
        if groups.len() == 1 {
            let array = self.local_array(name, ty, None, span);
            return Ok(Binding::Array(array, ty.clone()));
        }
        let space = self.own_space();
        let mut arrays = Vec::new();
        for group in &groups {
            let name = self.fresh_name(&format!("{name}{}", group.name()));
            let decl = of_group(&name, ty, group, space, None, Some(self.proc), span);
            arrays.push(self.builder.add_array(decl));
        }
        Ok(Binding::Memory(arrays, ty.clone()))
    }

    /// The place that a binding to memory denotes.
    pub(crate) fn place_of(&mut self, binding: Binding, node: &Node) -> Result<Place> {
        match binding {
            Binding::Array(array, ty) => Ok(Place::Cell(self.base(array, &ty, node)?, ty)),
            Binding::Memory(arrays, ty) => Ok(memory(self.bases(&arrays, &ty, node)?, ty)),
            _ => self.refuse(node, "memory of this type"),
        }
    }

    /// Memory for an object whose address is taken.
    pub(crate) fn object_in_memory(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        span: Span,
    ) -> Result<Place> {
        let (space, owner) = (self.own_space(), self.proc);
        let binding = match self.seen_memory(node, ty, space, Some(owner), span) {
            Some(array) => Binding::Array(self.builder.add_array(array), ty.clone()),
            None => self.local_memory(node, node.name(), ty, span)?,
        };
        self.place_of(binding, node)
    }

    /// Memory for a scalar whose address is taken; binds its name.
    pub(crate) fn box_local(&mut self, node: &Node) -> Result<Place> {
        let ty = self.type_of(node).decayed();
        let is_held = match ty.ty {
            CType::Scalar(_) => true,
            CType::Pointer(_) => !self.on_host() && !ty.is_function_pointer(),
            _ => false,
        };
        if !is_held {
            let what = match ty.ty {
                CType::Pointer(_) => "a pointer whose address is taken".to_string(),
                other => format!("memory of {}", describe(&other)),
            };
            return self.refuse(node, what);
        }
        let span = self.span(node);
        let array = match self.seen_memory(node, &ty, self.own_space(), Some(self.proc), span) {
            Some(array) => self.builder.add_array(array),
            None => self.local_array(node.name(), &ty, None, span),
        };
        self.bindings
            .insert(node.id, Binding::Array(array, ty.clone()));
        let pointer = self.base(array, &ty, node)?;
        Ok(Place::Cell(pointer, ty))
    }

    /// An array of this procedure: private to a thread, or in the host's memory.
    pub(crate) fn local_array(
        &mut self,
        name: &str,
        ty: &QualifiedType,
        init: Option<Vec<Value>>,
        span: Span,
    ) -> ArrayId {
        let space = self.own_space();
        let name = self.fresh_name(name);
        let decl = declared(&name, ty, space, init, Some(self.proc), span);
        self.builder.add_array(decl)
    }
}

impl<'a> Body<'_, 'a> {
    /// A declaration inside a procedure.
    pub(crate) fn local(&mut self, node: &Node) -> Result<()> {
        match node.kind() {
            Kind::VarDecl => self.local_variable(node),
            Kind::DecompositionDecl => self.structured_binding(node),
            // Types were learnt when the unit was read.
            Kind::TypedefDecl
            | Kind::TypeAliasDecl
            | Kind::EnumDecl
            | Kind::RecordDecl
            | Kind::CXXRecordDecl
            | Kind::StaticAssertDecl
            | Kind::EmptyDecl
            | Kind::UsingDecl
            | Kind::UsingDirectiveDecl
            | Kind::NamespaceAliasDecl => Ok(()),
            Kind::FunctionDecl => Ok(()),
            kind => self.refuse(node, kind.in_words()),
        }
    }

    pub(crate) fn local_variable(&mut self, node: &Node) -> Result<()> {
        let ty = self.type_of(node);
        let init = initialiser(node);
        let span = self.span(node);
        if has_destructor(&ty) && !self.unit.destroyed.contains(&node.id) {
            return self.refuse(node, "a variable of a class with a destructor here");
        }
        let is_global = self.unit.globals.contains_key(&node.id);
        if is_extern_shared(node) && !is_dynamic_shared(node, &ty) && !is_global {
            return self.refuse(node, "shared memory whose first declaration has no extent");
        }
        if is_shared(node, &ty) && !is_global {
            let binding = self.shared(node, &ty)?;
            self.bindings.insert(node.id, binding);
            return Ok(());
        }
        match node.kind.storage_class.as_deref() {
            Some("extern") => {
                let binding = match self.unit.globals.get(&node.id).copied() {
                    Some(global) => self.global(global, node)?,
                    None => return self.refuse(node, "a variable defined elsewhere"),
                };
                self.bindings.insert(node.id, binding);
                return Ok(());
            }
            Some("static") if !is_constant_array(&ty) => {
                return self.static_local(node, &ty, init, span);
            }
            _ => {}
        }
        let binding = match &ty.ty {
            CType::Status => {
                if let Some(init) = init {
                    self.effect(init)?;
                }
                Binding::Status
            }
            CType::Pointer(_) if self.on_host() && init.is_some_and(|init| self.is_text(init)) => {
                match init {
                    Some(init) => self.text_binding(init)?,
                    None => Binding::Text,
                }
            }
            // A group has no state; its type says which it is.
            CType::Group(_) => Binding::Text,
            CType::Reference(to) if matches!(to.ty, CType::Group(_)) => Binding::Text,
            CType::Reference(to) if !matches!(to.ty, CType::Scalar(_)) => {
                let Some(init) = init else {
                    return self.refuse(node, "this reference");
                };
                self.other_name(node, to, init, span)?
            }
            CType::Reference(to) => {
                let Some(init) = init else {
                    return self.refuse(node, "this reference");
                };
                let pointer = self.referent(init)?;
                let var_ty = ty.variable_type();
                let var_ty = var_ty.or_else(|message| self.refuse(node, message))?;
                let var_ty = with_cells_of(var_ty, pointer.ty);
                let var = self.declare(node.name(), var_ty, span);
                self.assign_var(var, pointer.cast(var_ty), span);
                Binding::Reference(var, (**to).clone())
            }
            CType::Record(_) => self.object_local(node, &ty, init, span)?,
            CType::Pointer(_) if !ty.is_single() => self.object_local(node, &ty, init, span)?,
            CType::Array(..) if is_argument_list(&ty) => self.argument_list(node, init)?,
            CType::Array(..) => return self.array_local(node, &ty, init, span),
            _ if self.unit.addresses.contains(&node.id) && !self.on_host() => {
                let Some(init) = init else {
                    return self.refuse(node, "a pointer cast to a number");
                };
                let value = self.address_number(init)?;
                let var_ty = value.ty;
                let var = self.declare(node.name(), var_ty, span);
                self.note_origin(node, var, &value);
                self.assign_var(var, value, span);
                Binding::Var(var, var_ty)
            }
            _ if self.boxed.contains(&node.id) => {
                let place = self.box_local(node)?;
                if let Some(init) = init {
                    let value = self.value(init)?;
                    self.write(&place, value, span, node)?;
                }
                return Ok(());
            }
            _ => {
                let var_ty = match self.pointer_or_scalar(node, &ty) {
                    Ok(ty) => ty,
                    Err(_) if matches!(ty.ty, CType::Other(_)) => {
                        return self.refuse(node, describe(&ty.ty));
                    }
                    Err(message) => return self.refuse(node, message),
                };
                match init {
                    // The variable is declared after the variables that its initialiser needs.
                    Some(init) => {
                        let value = self.value(init)?;
                        let value = null_like(value, var_ty);
                        let var_ty = with_cells_of(var_ty, value.ty);
                        let var = self.declare_for(node.name(), var_ty, value.clone(), span);
                        self.note_origin(node, var, &value);
                        Binding::Var(var, var_ty)
                    }
                    None => Binding::Var(self.declare_unset(node.name(), var_ty, span), var_ty),
                }
            }
        };
        self.name_pointed(node, &ty, &binding);
        self.bindings.insert(node.id, binding);
        Ok(())
    }

    /// A local of several parts, or a struct in memory.
    fn object_local(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        init: Option<&Node>,
        span: Span,
    ) -> Result<Binding> {
        let (space, owner) = (self.own_space(), self.proc);
        let seen = self.seen_memory(node, ty, space, Some(owner), span);
        let is_union = matches!(&ty.ty, CType::Record(record) if record.is_union);
        let in_memory = is_union || self.boxed.contains(&node.id);
        if self.is_memory(node, ty) || (seen.is_some() && in_memory) {
            let binding = match seen {
                Some(array) => Binding::Array(self.builder.add_array(array), ty.clone()),
                None => self.local_memory(node, node.name(), ty, span)?,
            };
            let place = self.place_of(binding.clone(), node)?;
            // The initialiser may speak of the variable.
            self.bindings.insert(node.id, binding.clone());
            if let Some(init) = init {
                self.initialise_place(&place, init, span)?;
            }
            return Ok(binding);
        }
        if self.boxed.contains(&node.id) {
            return self.refuse(node, "a struct whose address is taken");
        }
        let parts = ty.parts().or_else(|message| self.refuse(node, message))?;
        let init = init.map(|init| init.unwrapped());
        // An object that is constructed field by field is made in place; otherwise its value is computed first.
        let is_made = |init: &Node| {
            matches!(
                init.kind(),
                Kind::CXXConstructExpr
                    | Kind::CXXTemporaryObjectExpr
                    | Kind::InitListExpr
                    | Kind::LambdaExpr
            )
        };
        let given = match init {
            Some(init) if matches!(ty.ty, CType::Pointer(_)) || !is_made(init) => {
                Some(self.parts(init)?)
            }
            _ => None,
        };
        let mut vars = Vec::new();
        match given {
            // Several groups seen through one pointer.
            Some(mut values) if matches!(ty.ty, CType::Pointer(_)) && values.len() == 1 => {
                let Some(value) = values.pop() else {
                    return self.refuse(node, "this pointer");
                };
                let ty = value.ty;
                let var = self.declare_for(node.name(), ty, value, span);
                return Ok(Binding::Var(var, ty));
            }
            Some(values) => {
                if values.len() != parts.len() {
                    return self.refuse(node, "a struct or class value");
                }
                for (part, value) in parts.into_iter().zip(values) {
                    let ty = with_cells_of(part.ty, value.ty);
                    let var = self.declare(&format!("{}{}", node.name(), part.path), ty, span);
                    self.assign_var(var, value, span);
                    vars.push(var);
                }
            }
            None => {
                for part in parts {
                    let name = format!("{}{}", node.name(), part.path);
                    let cells = self.unit.cells.of(part.field.unwrap_or(node.id));
                    let ty = match (part.ty, cells) {
                        (Type::Pointer(pointer), Some(elem)) if !self.on_host() => {
                            Type::Pointer(PointerType { elem, ..pointer })
                        }
                        (ty, _) => ty,
                    };
                    vars.push(self.declare_unset(&name, ty, span));
                }
                if let Some(init) = init {
                    let place = Place::Parts(vars.clone(), ty.clone());
                    self.initialise_place(&place, init, span)?;
                }
            }
        }
        Ok(Binding::Object(vars, ty.clone()))
    }

    /// A reference to anything but a scalar: another name of a place.
    fn other_name(
        &mut self,
        node: &Node,
        to: &QualifiedType,
        init: &Node,
        span: Span,
    ) -> Result<Binding> {
        if is_prvalue(init) {
            if to.is_single() {
                let value = self.value(init)?;
                let ty = value.ty;
                let var = self.declare_for(node.name(), ty, value, span);
                return Ok(Binding::Var(var, ty));
            }
            let object = self.new_object(node.name(), to, span, init)?;
            self.initialise_place(&object, init, span)?;
            return Ok(Binding::Alias(object));
        }
        let place = self.place(init)?;
        let Some(pointers) = place.pointers() else {
            return Ok(Binding::Alias(place));
        };
        // Its address is settled here.
        let mut vars = Vec::new();
        let several = pointers.len() > 1;
        if let [pointer] = pointers.as_slice()
            && is_view(pointer, to)
        {
            let pointer = pointer.clone();
            let ty = pointer.ty;
            let var = self.declare(node.name(), ty, span);
            self.assign_var(var, pointer, span);
            return Ok(Binding::Reference(var, to.clone()));
        }
        for (pointer, group) in pointers.into_iter().zip(to.groups().unwrap_or_default()) {
            let suffix = if several { group.name() } else { String::new() };
            let ty = Type::Pointer(group.pointer);
            let var = self.declare(&format!("{}{suffix}", node.name()), ty, span);
            self.assign_var(var, requalify(pointer, ty), span);
            vars.push(var);
        }
        Ok(match vars.as_slice() {
            [var] => Binding::Reference(*var, to.clone()),
            _ => Binding::References(vars, to.clone()),
        })
    }

    fn array_local(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        init: Option<&Node>,
        span: Span,
    ) -> Result<()> {
        let (space, owner) = (self.own_space(), self.proc);
        let seen = self.seen_memory(node, ty, space, Some(owner), span);
        if let Some(array) = seen.filter(|_| !is_constant_array(ty)) {
            let binding = Binding::Array(self.builder.add_array(array), ty.clone());
            let place = self.place_of(binding.clone(), node)?;
            self.bindings.insert(node.id, binding);
            return match init {
                Some(init) => self.initialise_place(&place, init, span),
                None => Ok(()),
            };
        }
        if !is_of_scalars(ty) {
            return self.array_of_objects(node, ty, init, span);
        }
        if is_of_pointers(ty) {
            let binding = self.object_local(node, ty, init, span)?;
            self.bindings.insert(node.id, binding);
            return Ok(());
        }
        self.check_array(node, ty)?;
        // The contents of a constant array are there from the start.
        if let (true, Some(init)) = (is_constant_array(ty), init)
            && let Some(values) = self.constant_values(ty, init)?
        {
            let array = self.local_array(node.name(), ty, Some(values), span);
            self.bindings
                .insert(node.id, Binding::Array(array, ty.clone()));
            return Ok(());
        }
        let array = self.local_array(node.name(), ty, None, span);
        self.bindings
            .insert(node.id, Binding::Array(array, ty.clone()));
        if let Some(init) = init {
            let base = self.base(array, ty, node)?;
            self.initialise(base, ty, init, span)?;
        }
        Ok(())
    }

    /// An array of structs.
    fn array_of_objects(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        init: Option<&Node>,
        span: Span,
    ) -> Result<()> {
        let binding = self.local_memory(node, node.name(), ty, span)?;
        let place = self.place_of(binding.clone(), node)?;
        self.bindings.insert(node.id, binding);
        match init {
            Some(init) => self.initialise_place(&place, init, span),
            None => Ok(()),
        }
    }

    fn static_local(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        init: Option<&Node>,
        span: Span,
    ) -> Result<()> {
        self.check_array(node, ty)?;
        let values = match init {
            Some(init) => match self.constant_values(ty, init)? {
                Some(values) => values,
                None => return self.refuse(init, "an initialiser that is not constant"),
            },
            None => vec![],
        };
        // One for all calls, and for all threads of all launches: a variable of the file that has a name here alone.
        let space = match self.on_host() {
            true => Space::Host,
            false => Space::Global,
        };
        let mut decl = declared(node.name(), ty, space, Some(values), None, span);
        decl.symbol = symbol(node, "");
        let array = self.builder.global(node.id, space, decl);
        self.bindings
            .insert(node.id, Binding::Array(array, ty.clone()));
        Ok(())
    }
}

fn is_result(op: &gridlock_semantics::algebra::operator::Op, var: VarId) -> bool {
    use gridlock_semantics::algebra::operator::{Basic, OpKind};
    match &op.kind {
        OpKind::Call { result, .. } | OpKind::Basic(Basic::Atomic { result, .. }) => {
            *result == Some(var)
        }
        OpKind::Basic(Basic::Alloc { var: result, .. }) => *result == var,
        _ => false,
    }
}
