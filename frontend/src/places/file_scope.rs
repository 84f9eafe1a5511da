//! Memory that outlives a call: variables at file scope, and those in shared memory.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::places::seen_memory::is_room;
use crate::refusal::Result;
use crate::request::Language;
use crate::storage::arrays::{declared, is_shared, launch_shared, of_group, symbol};
use crate::syntax::casts::initialiser;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{NOT_DENSE, has_destructor, has_no_gaps};
use crate::types::contents::{is_constant_array, is_of_scalars};
use crate::types::ctype::{AddressSpace, CType, QualifiedType, describe};
use crate::types::layout::fits;
use crate::unit::declarations::is_dynamic_shared;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;

impl<'a> Source<'_, 'a> {
    fn bound_locally(&self, node: &Node) -> bool {
        !self.unit.globals.contains_key(&node.id)
    }
}

impl<'a> Code<'_, 'a> {
    /// An array in shared memory.
    pub(crate) fn shared(&mut self, node: &Node, ty: &QualifiedType) -> Result<Binding> {
        let span = self.span(node);
        if let Some(init) = initialiser(node)
            && !init.is(Kind::CXXConstructExpr)
        {
            return self.refuse(node, "an initialiser of shared memory");
        }
        if let (true, CType::Array(of, _)) = (is_dynamic_shared(node, ty), &ty.ty) {
            if !has_no_gaps(of) {
                return self.refuse(node, NOT_DENSE);
            }
            let own = of.cells().filter(|(_, count)| count.is_some());
            let seen = self.unit.cells.of(node.id);
            let elem = match seen.filter(|elem| fits(of, *elem) || is_room(of, *elem)) {
                Some(elem) => elem,
                None => match own {
                    Some((pointer, _)) => pointer.elem,
                    None => return self.refuse(node, "shared memory of this type"),
                },
            };
            let decl = launch_shared(node.name(), of, elem, span);
            let array = self
                .builder
                .launch_shared(decl, self.unit.cells.root(node.id));
            self.builder.uses_launch_shared(self.proc, array, span);
            return Ok(Binding::Array(array, ty.clone()));
        }
        self.check_memory(node, ty)?;
        // Each call of a function read in place means the same shared memory.
        let is_own = self.bound_locally(node) && self.in_place.is_empty();
        let owner = is_own.then_some(self.proc);
        if let Some(decl) = self.seen_memory(node, ty, Space::Shared, owner, span) {
            let array = match owner {
                Some(_) => self.builder.add_array(decl),
                None => self.builder.global(node.id, Space::Shared, decl),
            };
            return Ok(Binding::Array(array, ty.clone()));
        }
        let groups = ty.groups().unwrap_or_default();
        let mut arrays = Vec::new();
        for group in &groups {
            let suffix = match groups.len() {
                1 => String::new(),
                _ => group.name(),
            };
            let name = format!("{}{suffix}", node.name());
            let name = match owner {
                Some(_) => self.fresh_name(&name),
                None => name,
            };
            let mut decl = of_group(&name, ty, group, Space::Shared, None, owner, span);
            if groups.len() == 1 {
                decl.dims = ty.dims();
            }
            arrays.push(match owner {
                Some(_) => self.builder.add_array(decl),
                None => self.builder.global(node.id, Space::Shared, decl),
            });
        }
        Ok(match arrays.as_slice() {
            [array] => Binding::Array(*array, ty.clone()),
            _ => Binding::Memory(arrays, ty.clone()),
        })
    }
}

impl<'a> Body<'_, 'a> {
    /// The meaning of a variable of file scope in this procedure; `user` is the expression that names it.
    pub(crate) fn global(&mut self, node: &'a Node, user: &Node) -> Result<Binding> {
        let binding = self.file_variable(node, user)?;
        let ty = self.type_of(node);
        let is_fillable = node.has_attribute(Kind::CUDAConstantAttr) && !has_any_pointer(&ty);
        let arrays = match &binding {
            Binding::Array(array, _) => std::slice::from_ref(array),
            Binding::Memory(arrays, _) => arrays.as_slice(),
            _ => &[],
        };
        for &array in arrays {
            let is_constant = self.builder.array(array).space == Space::Constant;
            if is_fillable && !is_const(&ty) && is_constant {
                self.builder.may_be_filled(array);
            }
        }
        Ok(binding)
    }

    fn file_variable(&mut self, node: &'a Node, user: &Node) -> Result<Binding> {
        let ty = self.type_of(node);
        let span = self.span(node);
        let init = initialiser(node);
        if has_destructor(&ty) {
            return self.refuse(
                user,
                "a variable at file scope of a class with a destructor",
            );
        }
        if is_shared(node, &ty) {
            return self.shared(node, &ty);
        }
        // A constant is its value.
        let is_plain = ty.is_const && !ty.is_volatile;
        if let (true, CType::Scalar(scalar), Some(init)) = (is_plain, &ty.ty, init)
            && let Some(value) = self.constant_value(init, *scalar)?
        {
            return Ok(Binding::Constant(Expr::constant(value)));
        }
        if ty.ty == CType::Status {
            return Ok(Binding::Status);
        }
        let is_hosts_pointer = self.on_host() && matches!(ty.ty, CType::Pointer(_));
        if ty.groups().is_none() || is_hosts_pointer {
            let name = node.name();
            let what = describe(&ty.ty);
            return self.refuse(
                user,
                format!("the variable `{name}` of {what} at file scope"),
            );
        }
        let is_opencl = self.unit.language == Language::OpenCl;
        let is_constant = ty.space == AddressSpace::Constant;
        let attributed = if node.has_attribute(Kind::CUDAConstantAttr) || is_constant {
            Space::Constant
        } else if node.has_attribute(Kind::CUDADeviceAttr) || is_opencl {
            Space::Global
        } else {
            Space::Host
        };
        // clang puts constants that device code uses into constant memory; the host has its own.
        let space = match attributed {
            Space::Constant if self.on_host() && is_constant_array(&ty) => Space::Host,
            // CUDA rejects device code that names a host variable. If no host code names it, the variable can only
            // mean one on the device.
            Space::Host if !self.on_host() && !self.unit.is_named_by_host(node.id) => {
                self.assume(Assumed::DeviceVariable(node.name().to_owned()));
                Space::Global
            }
            space => space,
        };
        if space == Space::Host && !self.on_host() {
            return self.refuse(user, "a variable of the host in device code");
        }
        if node.kind.storage_class.as_deref() == Some("extern") && init.is_none() {
            return self.refuse(user, "a variable defined elsewhere");
        }
        self.check_memory(node, &ty)?;
        if space == Space::Global && has_pointer(&ty) && self.unit.is_named_by_host(node.id) {
            return self.refuse(user, "a pointer in memory that the host fills");
        }
        if !is_of_scalars(&ty) {
            return self.global_objects(node, &ty, space, init, user);
        }
        let values = match init.filter(|i| !i.is(Kind::CXXConstructExpr)) {
            Some(init) => match self.constant_values(&ty, init)? {
                Some(values) => values,
                None => return self.refuse(user, "an initialiser that is not constant"),
            },
            None => vec![],
        };
        if let (true, Some(mut decl)) = (
            values.is_empty(),
            self.seen_memory(node, &ty, space, None, span),
        ) {
            decl.init = Some(values);
            decl.is_managed = is_managed(node);
            decl.symbol = symbol(node, "");
            let array = self.builder.global(node.id, space, decl);
            return Ok(Binding::Array(array, ty));
        }
        let mut decl = declared(node.name(), &ty, space, Some(values), None, span);
        decl.is_managed = is_managed(node);
        decl.symbol = symbol(node, "");
        let array = self.builder.global(node.id, space, decl);
        Ok(Binding::Array(array, ty))
    }

    /// A struct, or an array of structs, at file scope.
    fn global_objects(
        &mut self,
        node: &Node,
        ty: &QualifiedType,
        space: Space,
        init: Option<&Node>,
        user: &Node,
    ) -> Result<Binding> {
        let span = self.span(node);
        let groups = ty.groups().unwrap_or_default();
        let mut arrays = Vec::new();
        let contents = match init {
            Some(init) => match self.constant_objects(ty, init)? {
                Some(contents) => contents,
                None => return self.refuse(user, "an initialiser that is not constant"),
            },
            None => vec![vec![]; groups.len()],
        };
        for (group, values) in groups.iter().zip(contents) {
            let suffix = match groups.len() {
                1 => String::new(),
                _ => group.name(),
            };
            let name = format!("{}{suffix}", node.name());
            let mut decl = of_group(&name, ty, group, space, Some(values), None, span);
            decl.is_managed = is_managed(node);
            decl.symbol = symbol(node, &suffix);
            if groups.len() == 1 {
                decl.dims = ty.dims();
            }
            arrays.push(self.builder.global(node.id, space, decl));
        }
        Ok(match arrays.as_slice() {
            [array] => Binding::Array(*array, ty.clone()),
            _ => Binding::Memory(arrays, ty.clone()),
        })
    }
}

/// Whether a variable is declared `__managed__`: the header says it by an annotation.
fn is_managed(node: &Node) -> bool {
    node.has_attribute(Kind::AnnotateAttr) && node.has_attribute(Kind::CUDADeviceAttr)
}

/// Whether somewhere in a type there is a pointer to data.
fn has_pointer(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Pointer(_) => !ty.is_function_pointer(),
        CType::Array(of, _) => has_pointer(of),
        CType::Record(record) => record.fields.iter().any(|field| has_pointer(&field.ty)),
        _ => false,
    }
}

/// Whether somewhere in a type there is a pointer, to data or to a function.
fn has_any_pointer(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => has_any_pointer(of),
        CType::Record(record) => record.fields.iter().any(|field| has_any_pointer(&field.ty)),
        _ => has_pointer(ty) || ty.is_function_pointer(),
    }
}

/// `const` itself, or an array of what is.
fn is_const(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => ty.is_const || is_const(of),
        _ => ty.is_const,
    }
}
