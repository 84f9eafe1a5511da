//! A translation unit: the declarations at file scope, collected once before any procedure is read.

pub(crate) mod address_variables;
pub(crate) mod assembly_text;
pub(crate) mod cells;
mod constructors;
pub(crate) mod declarations;
mod destructors;
pub(crate) mod instances;
pub(crate) mod known_functions;
pub(crate) mod known_number;
mod ordering;
pub(crate) mod ptx;
mod refused;
mod versions;

use crate::clang::header_folder::is_stand_in;
use crate::refusal::Refusal;
use crate::request::{DEFAULT_RECURSION, Language};
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::place_in_source::Files;
use crate::syntax::type_place::is_lambda;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, NoVariable, QualifiedType, TypeNames};
use crate::types::layout::fits;
use crate::unit::address_variables::address_variables;
use crate::unit::assembly_text::register_of_time;
use crate::unit::cells::Cells;
use crate::unit::constructors::Constructors;
use crate::unit::declarations::{Declarations, is_dynamic_shared, is_extern_shared};
use crate::unit::known_functions::is_known_to_ask;
use clang_ast::Id;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Where a function may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Host,
    Device,
    /// `__host__ __device__`
    Both,
    Kernel,
}

/// A function with a body.
pub(crate) struct Function<'a> {
    pub node: &'a Node,
    pub body: &'a Node,
    /// An identifier, unique in the unit.
    pub name: String,
    /// The name that it has in the file, where another function has it, too.
    pub shares_name: Option<String>,
    /// The name of the template that it is an instance of.
    pub template: Option<String>,
    pub side: Side,
    pub params: Vec<&'a Node>,
    pub returns: QualifiedType,
    /// The struct a member function belongs to.
    pub record: Option<String>,
    pub is_static: bool,
    /// Why its calls are read in place instead of becoming calls of a procedure, if they are: the
    /// algebra's procedures take and give scalars and pointers.
    pub is_in_place: bool,
    /// It calls itself, through others perhaps.
    pub is_recursive: bool,
    /// A function of a stand-in header, in host code or as an intrinsic; it is not itself judged.
    pub is_ours: bool,
    /// A function of a stand-in header that is one expression, which stands for each call of it.
    pub is_intrinsic: bool,
    /// Device code of a stand-in header that needs arrays of the kernel, and is read in place.
    pub is_of_header: bool,
    /// An error of clang's in it, or in what host code declares.
    pub trouble: Option<Refusal>,
    /// The functions of this unit that it mentions, and where first.
    pub mentions: Vec<(usize, &'a Node)>,
    /// The source of an arbitrary value that it needs, or a function that it calls needs.
    pub asks: Option<String>,
}

pub(crate) struct Unit<'a> {
    pub language: Language,
    pub files: Files,
    pub names: TypeNames,
    /// Enumerators: value and type.
    pub enumerators: HashMap<Id, (i128, ScalarType)>,
    /// The values that an enumeration without fixed type has, by its name.
    pub enum_ranges: HashMap<String, (i128, i128)>,
    pub functions: Vec<Function<'a>>,
    /// Every declaration of each function with a body.
    pub function_of: HashMap<Id, usize>,
    /// Every declaration of each function of device code without a body, but for those known by name.
    pub bodiless: HashMap<Id, &'a Node>,
    /// Functions whose address is taken, in textual order.
    pub pointed_to: Vec<usize>,
    /// Kernel templates without any instance: the template, with the namespaces around it, and its pattern.
    pub uninstantiated: Vec<(&'a Node, String, &'a Node)>,
    constructors: Constructors,
    /// The function that a lambda's call calls, by the lambda's type.
    pub lambdas: HashMap<String, usize>,
    /// Every declaration of each variable at file scope, with the one that counts.
    pub globals: HashMap<Id, &'a Node>,
    /// Assembly at file scope, if there is any.
    pub file_scope_assembly: Option<Span>,
    /// Variables of integer type that hold an address, and nothing else.
    pub addresses: HashSet<Id>,
    /// The first values of variables of integer types inside functions.
    pub initialised: HashMap<Id, &'a Node>,
    /// Variables that are used other than to read them.
    changed: HashSet<Id>,
    /// The names in code that is left out.
    mentioned_elsewhere: HashSet<String>,
    /// Local variables whose objects are destroyed at the ends of their blocks.
    pub destroyed: HashSet<Id>,
    /// The cells of memory that is accessed as several types.
    pub cells: Cells,
    /// How deep recursion is unfolded, if the options or the header comment say so.
    pub recursion_depth: Option<u32>,
    /// `main`'s arguments, without the program's name.
    pub argv: Vec<String>,
    /// Whether the right side of an assignment comes before its left, and the left operand of a shift or a
    /// subscript before its right: C++17.
    pub is_ordered: bool,
}

impl<'a> Unit<'a> {
    pub fn new(root: &'a Node, language: Language, files: Files) -> Unit<'a> {
        let mut unit = Unit {
            language,
            files,
            names: TypeNames::default(),
            enumerators: HashMap::new(),
            enum_ranges: HashMap::new(),
            functions: Vec::new(),
            function_of: HashMap::new(),
            bodiless: HashMap::new(),
            pointed_to: Vec::new(),
            uninstantiated: Vec::new(),
            constructors: Constructors::default(),
            lambdas: HashMap::new(),
            globals: HashMap::new(),
            file_scope_assembly: None,
            addresses: HashSet::new(),
            changed: HashSet::new(),
            initialised: HashMap::new(),
            mentioned_elsewhere: HashSet::new(),
            destroyed: HashSet::new(),
            cells: Cells::default(),
            recursion_depth: None,
            argv: Vec::new(),
            is_ordered: language == Language::Cuda,
        };
        let mut found = Declarations::default();
        found.collect(root, "", &unit.files, language, 0);
        if language == Language::OpenCl {
            // A number that identifies the copy to which the event belongs.
            unit.names.add_typedef("event_t", "int");
        }
        found.name_types(&mut unit.names);
        unit.file_scope_assembly = found.assembly.map(|node| unit.files.span(node));
        unit.uninstantiated = std::mem::take(&mut found.uninstantiated);
        unit.enumerators = std::mem::take(&mut found.enumerators);
        unit.enum_ranges = std::mem::take(&mut found.enum_ranges)
            .into_iter()
            .filter_map(|(name, range)| Some((name, range?)))
            .collect();
        unit.settle_globals(&found);
        unit.settle_functions(found);
        unit.addresses = address_variables(&unit);
        unit.cells = Cells::new(&unit);
        unit
    }

    fn settle_globals(&mut self, found: &Declarations<'a>) {
        let mut first_of: HashMap<Id, Id> = HashMap::new();
        let mut definition: HashMap<Id, &'a Node> = HashMap::new();
        for &node in found.globals.iter().chain(&found.local_shared) {
            let previous = node.kind.previous_decl;
            let first = previous
                .and_then(|p| first_of.get(&p).copied())
                .unwrap_or(node.id);
            first_of.insert(node.id, first);
            let entry = definition.entry(first).or_insert(node);
            let is_better = node.kind.init.is_some()
                || (entry.kind.init.is_none()
                    && entry.kind.storage_class.as_deref() == Some("extern")
                    && !is_extern_shared(entry));
            if is_better {
                *entry = node;
            }
        }
        // For nvcc the first declaration says whether the launch gives its extent.
        for node in &found.local_shared {
            let first = first_of.get(&node.id).copied();
            let settled = first.and_then(|first| definition.get(&first));
            if settled.is_some_and(|settled| is_dynamic_shared(settled, &self.type_of(settled))) {
                first_of.remove(&node.id);
            }
        }
        for (id, first) in first_of {
            if let Some(node) = definition.get(&first) {
                self.globals.insert(id, node);
            }
        }
    }

    fn settle_functions(&mut self, found: Declarations<'a>) {
        let mut first_of: HashMap<Id, Id> = HashMap::new();
        let mut index_of: HashMap<Id, usize> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for declared in &found.functions {
            let node = declared.node;
            let previous = node.kind.previous_decl;
            let first = previous
                .and_then(|p| first_of.get(&p).copied())
                .unwrap_or(node.id);
            first_of.insert(node.id, first);
            let Some(body) = node.inner.iter().find(|n| n.is(Kind::CompoundStmt)) else {
                continue;
            };
            let bare = match &declared.record {
                Some(record) => format!("{record}::{}", node.name()),
                None => node.name().to_owned(),
            };
            let base = format!("{bare}{}", declared.suffix);
            let mut name = base.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{base}_{number}");
                number += 1;
            }
            let returns = match self.names.parse(node.type_text()).ty {
                CType::Function(returns) => *returns,
                _ => QualifiedType::plain(CType::Other(node.type_text().to_string())),
            };
            index_of.insert(first, self.functions.len());
            let params: Vec<&Node> = node
                .inner
                .iter()
                .filter(|n| n.is(Kind::ParmVarDecl))
                .collect();
            let is_in_place = declared.record.is_some()
                || !(matches!(returns.ty, CType::Void | CType::Status) || is_plain(&returns))
                || params.iter().any(|p| !is_passed(&self.type_of(p)));
            self.functions.push(Function {
                node,
                body,
                shares_name: (name != base).then_some(base),
                name,
                template: (!declared.suffix.is_empty()).then_some(bare),
                side: self.side(node),
                params,
                returns,
                record: declared.record.clone(),
                is_static: node.kind.storage_class.as_deref() == Some("static"),
                is_in_place: is_in_place && self.side(node) != Side::Kernel,
                is_recursive: false,
                is_ours: false,
                is_intrinsic: false,
                is_of_header: false,
                trouble: None,
                mentions: Vec::new(),
                asks: None,
            });
        }
        for declared in found.functions.iter().filter(|d| d.record.is_none()) {
            let node = declared.node;
            let has_body = first_of
                .get(&node.id)
                .is_some_and(|f| index_of.contains_key(f));
            let is_ours = |path: Arc<str>| !is_stand_in(&path);
            if !has_body
                && matches!(self.side(node), Side::Device | Side::Both)
                && self.files.path(node).is_some_and(is_ours)
            {
                self.bodiless.insert(node.id, node);
            }
        }
        for (id, first) in first_of {
            if let Some(&index) = index_of.get(&first) {
                self.function_of.insert(id, index);
            }
        }
        for (index, function) in self.functions.iter().enumerate() {
            let Some(record) = &function.record else {
                continue;
            };
            if is_lambda(record) && function.node.name() == "operator()" {
                self.lambdas.insert(record.clone(), index);
            }
        }
        self.settle_constructors();
        self.settle_destructors();
        let mut pointed_to = HashSet::new();
        for function in &self.functions {
            self.pointed_to(function.body, false, &mut pointed_to);
        }
        for &global in self.globals.values() {
            self.pointed_to(global, false, &mut pointed_to);
        }
        // A kernel's parameter may be any function of its type.
        let kernels = self.functions.iter().filter(|f| f.side == Side::Kernel);
        let taken: Vec<&Node> = kernels
            .flat_map(|f| f.params.iter().copied())
            .filter(|p| self.type_of(p).is_function_pointer())
            .collect();
        for (index, function) in self.functions.iter().enumerate() {
            let fits = |param: &&&Node| self.same_parameters(index, param);
            if function.side == Side::Device
                && function.record.is_none()
                && taken.iter().any(|param| fits(&param))
            {
                pointed_to.insert(index);
            }
        }
        self.pointed_to = pointed_to.into_iter().collect();
        self.pointed_to.sort_unstable();
        for index in 0..self.functions.len() {
            let mut mentions = Vec::new();
            // With the initialisers of a constructor.
            self.mentions(self.functions[index].node, &mut mentions);
            self.functions[index].mentions = mentions;
        }
        self.settle_what_asks();
        self.settle_recursion();
        self.settle_stored_pointers();
    }

    /// The number of a pointer in memory has a meaning in one procedure only, so functions that access such pointers
    /// are read in place.
    fn settle_stored_pointers(&mut self) {
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            let touches = self.touches_stored_pointer(function.body);
            if touches && matches!(function.side, Side::Device | Side::Both) {
                self.functions[index].is_in_place = true;
            }
            changed(self.functions[index].body, false, &mut self.changed);
            let body = self.functions[index].body;
            self.note_initialised(body);
        }
    }

    fn note_initialised(&mut self, node: &'a Node) {
        if let (Kind::VarDecl, Some(_), Some(init)) = (node.kind(), &node.kind.init, node.last())
            && node.kind.storage_class.is_none()
            && self
                .type_of(node)
                .scalar()
                .is_some_and(|scalar| scalar.bits() >= 32)
        {
            self.initialised.insert(node.id, init);
        }
        for child in &node.inner {
            self.note_initialised(child);
        }
    }

    fn touches_stored_pointer(&self, node: &Node) -> bool {
        let is_pointer = || {
            let ty = self.type_of(node);
            matches!(ty.ty, CType::Pointer(_)) && !ty.is_function_pointer()
        };
        let stands_in_memory = match node.expression() {
            Expression::Member { object, is_arrow } => {
                let object = object.without_casts();
                is_arrow && !object.is(Kind::CXXThisExpr)
                    || matches!(
                        object.expression(),
                        Expression::Subscript { .. } | Expression::Dereference(_)
                    )
            }
            Expression::Dereference(_) => true,
            Expression::Subscript { left, .. } => {
                let array = left.without_casts();
                let is_array = matches!(self.type_of(array).ty, CType::Array(..));
                !is_array || self.is_global(array)
            }
            Expression::Name(_) => self.is_global(node),
            _ => false,
        };
        (stands_in_memory && is_pointer())
            || (node.is(Kind::VarDecl) && node.has_attribute(Kind::CUDASharedAttr) && {
                let mut ty = self.type_of(node);
                while let CType::Array(of, _) = ty.ty {
                    ty = *of;
                }
                matches!(ty.ty, CType::Pointer(_))
            })
            || node
                .inner
                .iter()
                .any(|child| self.touches_stored_pointer(child))
    }

    fn is_global(&self, node: &Node) -> bool {
        let decl = node.kind.referenced_decl.as_ref();
        decl.is_some_and(|decl| self.globals.contains_key(&decl.id))
    }

    /// Calls of recursive functions are read in place, as deep as recursion is unfolded.
    fn settle_recursion(&mut self) {
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            let is_entry = function.side == Side::Kernel || function.node.name() == "main";
            if !is_entry && self.recursion(index).is_some() {
                self.functions[index].is_in_place = true;
                self.functions[index].is_recursive = true;
            }
        }
    }

    /// How deep calls of a recursive function are unfolded: less where it calls itself in several places,
    /// each of which does so again.
    pub fn unfolded(&self, index: usize) -> usize {
        if let Some(depth) = self.recursion_depth {
            return depth as usize;
        }
        let n_calls = self.recursive_calls(self.functions[index].body);
        let most = DEFAULT_RECURSION as usize;
        let mut depth = 1;
        while depth < most && n_calls.saturating_pow(depth as u32 + 1) <= MAX_UNFOLDED {
            depth += 1;
        }
        depth
    }

    /// How often a piece of code names recursive functions.
    fn recursive_calls(&self, node: &Node) -> usize {
        let named = node.kind.referenced_decl.as_ref().map(|d| d.id);
        let member = node.kind.referenced_member_decl;
        let mut indices = [named, member].into_iter().flatten();
        let own = indices.any(|id| {
            let index = self.function_of.get(&id);
            index.is_some_and(|&index| self.functions[index].is_recursive)
        });
        let inside = node.inner.iter().map(|child| self.recursive_calls(child));
        own as usize + inside.sum::<usize>()
    }

    /// Finds the functions that need arbitrary values. Such a function is read in place, because the values are
    /// parameters of the kernel.
    fn settle_what_asks(&mut self) {
        for index in 0..self.functions.len() {
            self.functions[index].asks = self.asked(self.functions[index].body);
        }
        let mut settled = false;
        while !settled {
            settled = true;
            for index in 0..self.functions.len() {
                if self.functions[index].asks.is_some() {
                    continue;
                }
                let mut callees = self.functions[index].mentions.iter();
                let found = callees.find_map(|(f, _)| self.functions[*f].asks.clone());
                settled &= found.is_none();
                self.functions[index].asks = found;
            }
        }
        for function in &mut self.functions {
            let is_called = match function.side {
                Side::Device | Side::Both => true,
                Side::Host => function.node.name() != "main",
                Side::Kernel => false,
            };
            let path = self.files.path(function.node);
            let is_stand_in = path.is_some_and(|path| is_stand_in(&path));
            function.is_intrinsic =
                is_stand_in && function.node.has_attribute(Kind::AlwaysInlineAttr);
            function.is_of_header =
                is_stand_in && function.side == Side::Device && function.asks.is_some();
            function.is_ours = is_stand_in && function.side == Side::Host || function.is_intrinsic;
            function.is_in_place |= function.asks.is_some() && is_called || function.is_ours;
        }
        self.settle_ordering();
    }

    /// The name of the function from which a body itself gets such a value.
    fn asked(&self, node: &Node) -> Option<String> {
        if let Some(decl) = &node.kind.referenced_decl {
            let gives = |declaration: &&Node| !declaration.type_text().starts_with("void ");
            let is_function = decl.kind.is_function();
            let is_known = is_function && is_known_to_ask(&decl.name);
            if is_known && !self.function_of.contains_key(&decl.id)
                || self.bodiless.get(&decl.id).is_some_and(gives)
            {
                return Some(decl.name.clone());
            }
        }
        if node.is(Kind::GCCAsmStmt) {
            let text = self.files.text(self.files.span(node))?;
            if text.contains("cp.async") {
                return Some(ASYNCHRONOUS.to_owned());
            }
            return register_of_time(&text).map(str::to_owned);
        }
        node.inner.iter().find_map(|child| self.asked(child))
    }

    fn side(&self, node: &Node) -> Side {
        if node.has_attribute(Kind::CUDAGlobalAttr) || node.has_attribute(Kind::OpenCLKernelAttr) {
            return Side::Kernel;
        }
        if self.language == Language::OpenCl {
            return Side::Device;
        }
        match (
            node.has_attribute(Kind::CUDADeviceAttr),
            node.has_attribute(Kind::CUDAHostAttr),
        ) {
            (true, true) => Side::Both,
            (true, false) => Side::Device,
            // A constexpr function may be called from anywhere.
            _ if node.kind.constexpr => Side::Both,
            _ => Side::Host,
        }
    }

    /// Finds the functions that are named other than to call them.
    fn pointed_to(&self, node: &Node, is_callee: bool, found: &mut HashSet<usize>) {
        if let (Some(decl), false) = (&node.kind.referenced_decl, is_callee)
            && let Some(&index) = self.function_of.get(&decl.id)
            && self.functions[index].record.is_none()
            && self.functions[index].side != Side::Kernel
        {
            found.insert(index);
        }
        let calls = matches!(node.kind(), Kind::CallExpr | Kind::CXXOperatorCallExpr);
        for (at, child) in node.inner.iter().enumerate() {
            let is_wrapped = matches!(node.kind(), Kind::ImplicitCastExpr | Kind::ParenExpr);
            let is_callee = (calls && at == 0) || (is_wrapped && is_callee);
            self.pointed_to(child, is_callee, found);
        }
    }

    /// Whether a variable is neither assigned after its declaration nor has its address taken.
    pub fn is_steady(&self, id: Id) -> bool {
        !self.changed.contains(&id)
    }

    /// Whether host code names a variable at file scope.
    pub fn is_named_by_host(&self, id: Id) -> bool {
        let of_host = |f: &&Function<'_>| matches!(f.side, Side::Host | Side::Both);
        let meant = |other: Id| self.globals.get(&other).is_some_and(|node| node.id == id);
        let named = self.globals.get(&id).map(|node| node.name());
        named.is_some_and(|name| self.mentioned_elsewhere.contains(name))
            || self
                .functions
                .iter()
                .filter(of_host)
                .any(|function| names(function.body, &meant))
    }

    /// Whether device and host code name one variable that is neither's declared to be in common.
    pub fn shares_host_variable(&self) -> bool {
        let is_of_host = |node: &&&Node| {
            let kinds = [
                Kind::CUDADeviceAttr,
                Kind::CUDAConstantAttr,
                Kind::CUDASharedAttr,
                Kind::HIPManagedAttr,
            ];
            !kinds.iter().any(|kind| node.has_attribute(kind.clone()))
        };
        let of_device = |f: &&Function<'_>| matches!(f.side, Side::Device | Side::Kernel);
        self.globals.values().filter(is_of_host).any(|global| {
            let meant = |id: Id| {
                self.globals
                    .get(&id)
                    .is_some_and(|node| node.id == global.id)
            };
            let mut on_device = self.functions.iter().filter(of_device);
            on_device.any(|f| names(f.body, &meant)) && self.is_named_by_host(global.id)
        })
    }

    /// The number that stands for a pointer to a function; 0 is the null pointer.
    pub fn function_number(&self, index: usize) -> Option<u32> {
        let at = self.pointed_to.iter().position(|&i| i == index)?;
        Some(at as u32 + 1)
    }

    /// Whether a function has the parameters and the result that a pointer's calls have.
    pub fn same_parameters(&self, index: usize, pointer: &Node) -> bool {
        let own = self.functions[index]
            .node
            .type_text()
            .replace(" noexcept", "");
        let called = pointer.kind.ty.as_ref();
        let texts = called.into_iter().flat_map(|ty| {
            [
                Some(ty.qual_type.as_str()),
                ty.desugared_qual_type.as_deref(),
            ]
        });
        let mut plain = texts.flatten().map(|text| text.replacen("(*)", "", 1));
        plain.any(|text| text.replace("  ", " ") == own)
    }

    /// The type of a node, typedefs resolved as far as needed.
    pub fn type_of(&self, node: &Node) -> QualifiedType {
        let Some(ty) = &node.kind.ty else {
            return self.names.parse("");
        };
        let desugared = ty.desugared_qual_type.as_deref();
        self.names.parse_either(&ty.qual_type, desugared)
    }

    /// The type of a variable that is a pointer or a scalar; what a `void *` points to is what it
    /// is cast to.
    ///
    /// # Errors
    /// The reason why it cannot be a variable.
    pub fn pointer_type(&self, node: &Node, ty: &QualifiedType) -> Result<Type, NoVariable> {
        if let Some(cut) = self.cut_smaller(node, ty) {
            return Ok(cut);
        }
        match (ty.variable_type(), &ty.ty, self.cells.of(node.id)) {
            (Err(_), CType::Pointer(to), Some(elem)) if to.ty == CType::Void => {
                Ok(Type::Pointer(PointerType {
                    elem,
                    is_const: to.is_const,
                    is_volatile: to.is_volatile,
                }))
            }
            (found, ..) => found,
        }
    }

    /// The type of a pointer to memory whose cells are smaller than those that it is declared with.
    pub fn cut_smaller(&self, node: &Node, ty: &QualifiedType) -> Option<Type> {
        let CType::Pointer(to) = &ty.ty else {
            return None;
        };
        let elem = self.cells.of(node.id)?;
        let is_smaller = match to.cells() {
            Some((own, _)) => elem.size() < own.elem.size(),
            None => matches!(to.ty, CType::Record(_)),
        };
        let is_seen = self.cells.is_seen_otherwise(node.id) && is_smaller;
        (is_seen && fits(to, elem)).then_some(Type::Pointer(PointerType {
            elem,
            is_const: to.is_const,
            is_volatile: to.is_volatile,
        }))
    }

    fn mentions(&self, node: &'a Node, found: &mut Vec<(usize, &'a Node)>) {
        let named = node.kind.referenced_decl.as_ref().map(|d| d.id);
        let member = node.kind.referenced_member_decl;
        let called = [named, member].into_iter().flatten();
        let called = called.filter_map(|id| self.function_of.get(&id).copied());
        let mut destructors = Vec::new();
        if self.destroyed.contains(&node.id) {
            self.destructors_of(&self.type_of(node), &mut destructors);
        }
        for index in called.chain(self.constructor(node)).chain(destructors) {
            if found.iter().all(|(f, _)| *f != index) {
                found.push((index, node));
            }
        }
        for child in &node.inner {
            self.mentions(child, found);
        }
    }

    /// The place of a call in function `index` that leads back to this function, if there is one.
    pub fn recursion(&self, index: usize) -> Option<&'a Node> {
        for &(callee, at) in &self.functions[index].mentions {
            let mut open = vec![callee];
            let mut seen: HashSet<usize> = open.iter().copied().collect();
            while let Some(next) = open.pop() {
                if next == index {
                    return Some(at);
                }
                for &(callee, _) in &self.functions[next].mentions {
                    if seen.insert(callee) {
                        open.push(callee);
                    }
                }
            }
        }
        None
    }
}

/// Whether a piece of code names something that is `meant`.
fn names(node: &Node, meant: &impl Fn(Id) -> bool) -> bool {
    let named = node.kind.referenced_decl.as_ref();
    named.is_some_and(|decl| meant(decl.id)) || node.inner.iter().any(|child| names(child, meant))
}

/// The variables that a piece of code uses other than to read them; `reads`: whether it is being read.
fn changed(node: &Node, reads: bool, found: &mut HashSet<Id>) {
    if let (Expression::Name(decl), false) = (node.expression(), reads) {
        found.insert(decl.id);
    }
    let reads = match node.kind() {
        Kind::ImplicitCastExpr if *node.cast() == CastKind::LValueToRValue => true,
        Kind::MemberExpr if !node.kind.is_arrow => reads,
        Kind::ParenExpr => reads,
        _ => false,
    };
    for child in &node.inner {
        changed(child, reads, found);
    }
}

/// Whether it is a function that the stand-in headers make of an `__axiom`.
pub(crate) fn is_axiom(function: &Function<'_>) -> bool {
    function.node.name().starts_with("gridlock_axiom_")
}

/// Most calls to which one call may unfold where no depth is given.
const MAX_UNFOLDED: usize = 300;

/// What stands for instructions of asynchronous copies among the names of what asks.
const ASYNCHRONOUS: &str = "cp.async";

/// A result that is one variable.
fn is_plain(ty: &QualifiedType) -> bool {
    ty.is_single() && !matches!(ty.ty, CType::Reference(_)) && !is_function(ty)
}

/// Whether a parameter becomes variables of a procedure: anything but a function, a lambda, and
/// a reference to a struct or a pointer, or a pointer to a pointer, which need not be in memory.
fn is_passed(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Reference(to) => match &to.ty {
            CType::Scalar(_) | CType::Group(_) => true,
            CType::Array(..) => to.groups().is_some(),
            _ => false,
        },
        CType::Record(record) => !is_lambda(&record.name),
        _ => !is_function(ty) && !is_pointer_to_pointer(ty),
    }
}

/// Whether it is the address of a pointer.
pub(crate) fn is_pointer_to_pointer(ty: &QualifiedType) -> bool {
    let of_pointer = |to: &QualifiedType| matches!(&to.ty, CType::Pointer(_)) && !is_function(to);
    matches!(&ty.ty, CType::Pointer(to) if of_pointer(to))
}

fn is_function(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Function(_) => true,
        CType::Pointer(to) | CType::Reference(to) => is_function(to),
        _ => false,
    }
}

/// An implicit member function: it works field by field.
pub(crate) fn is_written_by_compiler(function: &Function<'_>) -> bool {
    function.node.kind.is_implicit || function.node.kind.explicitly_defaulted.is_some()
}
