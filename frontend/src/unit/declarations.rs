//! What a translation unit declares, found in one walk before any procedure is read.

use crate::request::Language;
use crate::syntax::kind::Kind;
use crate::syntax::place_in_source::Files;
use crate::syntax::type_place::{lambda, unnamed};
use crate::syntax::{Node, NodeExt, QualType};
use crate::types::bit_field::UNKNOWN_WIDTH;
use crate::types::ctype::{CType, QualifiedType, TypeNames};
use crate::types::record_source::{FieldSource, RecordSource};
use clang_ast::Id;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::HashMap;
use std::sync::Arc;

/// Deepest nesting of namespaces and classes.
const MAX_SCOPES: usize = 64;

/// A function as it is declared somewhere.
pub(crate) struct Declared<'a> {
    pub node: &'a Node,
    /// What a template's arguments add to the name.
    pub suffix: String,
    /// The struct it is a member of.
    pub record: Option<String>,
}

/// Memory of the block that other functions may declare, too.
pub(crate) fn is_extern_shared(node: &Node) -> bool {
    node.has_attribute(Kind::CUDASharedAttr) && node.kind.storage_class.as_deref() == Some("extern")
}

/// Memory of the block as large as a launch says. With an extent in its type nvcc defines it here,
/// as if it were not `extern`.
pub(crate) fn is_dynamic_shared(node: &Node, ty: &QualifiedType) -> bool {
    is_extern_shared(node) && matches!(ty.ty, CType::Array(_, None))
}

#[derive(Default)]
pub(crate) struct Declarations<'a> {
    pub functions: Vec<Declared<'a>>,
    pub globals: Vec<&'a Node>,
    /// Shared memory that functions declare as `extern`: one memory for all that declare the name.
    pub local_shared: Vec<&'a Node>,
    /// Kernel templates without any instance: the template, with the namespaces around it, and its pattern.
    pub uninstantiated: Vec<(&'a Node, String, &'a Node)>,
    /// Enumerators: value and type.
    pub enumerators: HashMap<Id, (i128, ScalarType)>,
    /// Their names and values.
    constants: Vec<(String, i128)>,
    /// The values of enumerations of C++ without fixed type; `None`: of two that go by one name.
    pub enum_ranges: HashMap<String, Option<(i128, i128)>>,
    /// Assembly at file scope, if there is any.
    pub assembly: Option<&'a Node>,
    typedefs: Vec<(String, String)>,
    enums: Vec<(String, ScalarType)>,
    enum_of: HashMap<Id, (ScalarType, Option<(i128, i128)>)>,
    /// Every name a struct goes by.
    records: Vec<(String, Arc<RecordSource>)>,
    record_of: HashMap<Id, Arc<RecordSource>>,
}

impl<'a> Declarations<'a> {
    /// All that `scope` declares; `path` is what stands before the names in it (`ns::`).
    pub fn collect(
        &mut self,
        scope: &'a Node,
        path: &str,
        files: &Files,
        language: Language,
        depth: usize,
    ) {
        if depth > MAX_SCOPES {
            return;
        }
        for node in &scope.inner {
            self.declaration(node, path, None, files, language, depth);
        }
    }

    fn declaration(
        &mut self,
        node: &'a Node,
        path: &str,
        record: Option<&str>,
        files: &Files,
        language: Language,
        depth: usize,
    ) {
        match node.kind() {
            Kind::FunctionDecl
            | Kind::CXXMethodDecl
            | Kind::CXXConstructorDecl
            | Kind::CXXConversionDecl
            | Kind::CXXDestructorDecl => {
                self.function(node, String::new(), record, files, language);
            }
            Kind::FunctionTemplateDecl => {
                // One that is only named, in a template that nothing instantiates, has no body.
                let is_instance = |n: &Node| {
                    let has = |kind: Kind| n.inner.iter().any(|n| n.is(kind.clone()));
                    has(Kind::TemplateArgument) && has(Kind::CompoundStmt)
                };
                let pattern = node
                    .inner
                    .iter()
                    .find(|n| n.has_attribute(Kind::CUDAGlobalAttr));
                if let (Some(pattern), false) = (pattern, node.inner.iter().any(is_instance)) {
                    let scope = match record {
                        None => path.to_owned(),
                        Some(record) => format!("{record}::"),
                    };
                    self.uninstantiated.push((node, scope, pattern));
                }
                let of_function = |n: &&Node| n.kind().is_of_cxx() || n.is(Kind::FunctionDecl);
                for instance in node.inner.iter().filter(of_function) {
                    if instance.inner.iter().any(|n| n.is(Kind::TemplateArgument)) {
                        let suffix = template_suffix(instance);
                        self.function(instance, suffix, record, files, language);
                    }
                }
            }
            Kind::FriendDecl => {
                for friend in node.inner.iter().filter(|n| n.is(Kind::FunctionDecl)) {
                    self.function(friend, String::new(), None, files, language);
                }
            }
            Kind::ClassTemplateDecl => {
                let is_instance = |n: &&Node| n.is(Kind::ClassTemplateSpecializationDecl);
                for instance in node.inner.iter().filter(is_instance) {
                    self.record(instance, path, files, language, depth);
                }
            }
            Kind::VarTemplateDecl => {
                let is_instance = |n: &&Node| n.is(Kind::VarTemplateSpecializationDecl);
                self.globals.extend(node.inner.iter().filter(is_instance));
            }
            // A member is at file scope only where it is `static`.
            Kind::VarDecl => self.globals.push(node),
            Kind::LinkageSpecDecl => self.collect(node, path, files, language, depth + 1),
            Kind::NamespaceDecl => {
                let path = match node.name() {
                    "" => path.to_string(),
                    name => format!("{path}{name}::"),
                };
                self.collect(node, &path, files, language, depth + 1);
            }
            Kind::FileScopeAsmDecl => {
                self.assembly.get_or_insert(node);
            }
            _ => self.type_declaration(node, path, files, language, depth),
        }
    }

    fn function(
        &mut self,
        node: &'a Node,
        suffix: String,
        record: Option<&str>,
        files: &Files,
        language: Language,
    ) {
        // Defined outside of its class: the declaration inside says which.
        let known = |id: Id| self.functions.iter().find(|f| f.node.id == id);
        let outside = node.kind.previous_decl.and_then(known);
        let record = match record {
            Some(record) => Some(record.to_string()),
            None => outside.and_then(|f| f.record.clone()),
        };
        self.local_declarations(node, files, language);
        self.functions.push(Declared {
            node,
            suffix,
            record,
        });
    }

    /// Learns what has a meaning beyond the function it is declared in: types, lambdas' among them, and shared memory
    /// that is `extern`.
    fn local_declarations(&mut self, node: &'a Node, files: &Files, language: Language) {
        for child in &node.inner {
            self.type_declaration(child, "", files, language, 0);
            if child.is(Kind::VarDecl) && is_extern_shared(child) {
                self.local_shared.push(child);
            }
            if !matches!(child.kind(), Kind::CXXRecordDecl | Kind::RecordDecl) {
                self.local_declarations(child, files, language);
            }
        }
    }

    /// Learns the name a typedef, enum or struct declares.
    fn type_declaration(
        &mut self,
        node: &'a Node,
        path: &str,
        files: &Files,
        language: Language,
        depth: usize,
    ) {
        match node.kind() {
            Kind::TypedefDecl | Kind::TypeAliasDecl => {
                let owned = node
                    .inner
                    .iter()
                    .find_map(|n| n.kind.owned_tag_decl.as_ref());
                let record = owned.and_then(|tag| self.record_of.get(&tag.id));
                if let Some(record) = record {
                    let record = record.clone();
                    self.records.push((node.name().to_string(), record));
                }
                let enumeration = owned.and_then(|tag| self.enum_of.get(&tag.id)).cloned();
                if let Some((ty, range)) = enumeration {
                    self.name_enumeration(node.name(), ty, range);
                }
                let text = node.type_text();
                if record_name_of(text) != node.name() {
                    // As records are: by its whole name, and by each shorter one.
                    let whole = format!("{path}{}", node.name());
                    for name in names_of(&whole).chain([node.name()]) {
                        self.typedefs.push((name.to_string(), text.to_string()));
                    }
                }
            }
            Kind::EnumDecl => self.enumeration(node, path, language),
            Kind::CXXRecordDecl | Kind::RecordDecl | Kind::ClassTemplateSpecializationDecl => {
                self.record(node, path, files, language, depth);
            }
            _ => {}
        }
    }

    fn enumeration(&mut self, node: &Node, path: &str, language: Language) {
        let constants = || node.inner.iter().filter(|n| n.is(Kind::EnumConstantDecl));
        let mut values = Vec::new();
        let mut next = 0i128;
        for constant in constants() {
            if let Some(value) = constant.child(0).and_then(explicit_value) {
                next = value;
            }
            values.push((constant.id, next));
            // Among the arguments of an instance clang writes the name in one place and the number in another.
            if !path.is_empty() && language == Language::Cuda {
                let name = format!("{path}{}", constant.name());
                self.typedefs.push((name, next.to_string()));
                let short = constant.name().to_owned();
                self.typedefs.push((short, next.to_string()));
            }
            next += 1;
        }
        let is_negative = values.iter().any(|&(_, v)| v < 0);
        let widest = values.iter().map(|&(_, v)| v.unsigned_abs()).max();
        let fixed = node.kind.fixed_underlying_type.as_ref();
        let fixed = fixed.and_then(|ty| TypeNames::default().parse(ty.text()).scalar());
        // An enumeration without values has the type of one with 0.
        let widest = widest.unwrap_or(0);
        let ty = match (fixed, is_negative, widest > i32::MAX as u128) {
            (Some(fixed), _, _) => fixed,
            (None, true, false) => ScalarType::I32,
            (None, true, true) => ScalarType::I64,
            (None, false, _) if widest > u32::MAX as u128 => ScalarType::U64,
            (None, false, _) => ScalarType::U32,
        };
        let range = match (language, fixed) {
            (Language::Cuda, None) if !values.is_empty() => Some(bit_range(&values)),
            _ => None,
        };
        self.enum_of.insert(node.id, (ty, range));
        if !node.name().is_empty() {
            self.name_enumeration(node.name(), ty, range);
        }
        // In C an enumerator is an `int`.
        let constant_ty = match language {
            Language::C | Language::OpenCl if matches!(ty, ScalarType::U32) => ScalarType::I32,
            _ => ty,
        };
        for (constant, (id, value)) in constants().zip(values) {
            self.enumerators.insert(id, (value, constant_ty));
            self.constants.push((constant.name().to_string(), value));
        }
    }

    fn name_enumeration(&mut self, name: &str, ty: ScalarType, range: Option<(i128, i128)>) {
        self.enums.push((name.to_string(), ty));
        let known = self.enum_ranges.entry(name.to_string()).or_insert(range);
        if *known != range {
            *known = None;
        }
    }

    fn record(
        &mut self,
        node: &'a Node,
        path: &str,
        files: &Files,
        language: Language,
        depth: usize,
    ) {
        if !node.kind.complete_definition || depth > MAX_SCOPES {
            return;
        }
        let span = files.span(node);
        let (line, column) = (span.line as usize, span.column as usize);
        let is_call = |n: &Node| n.name() == "operator()";
        let is_lambda = node.kind.is_implicit && node.inner.iter().any(is_call);
        let own = match (node.name(), is_lambda) {
            ("", true) => lambda(line, column),
            ("", false) => unnamed(line, column),
            (name, _) => format!("{name}{}", template_arguments(node)),
        };
        let name = format!("{path}{own}");
        let source = Arc::new(RecordSource {
            name: name.clone(),
            fields: fields(node),
            align: alignment(node).unwrap_or(0),
            trouble: trouble(node).or_else(|| of_library(node, &name)),
            is_union: node.kind.tag_used.as_deref() == Some("union"),
            destructor: destructor(node),
        });
        self.record_of.insert(node.id, source.clone());
        // By its whole name, and by each shorter one it has inside the scopes around it.
        for by in names_of(&name) {
            self.records.push((by.to_string(), source.clone()));
        }
        let inside = format!("{name}::");
        for member in &node.inner {
            self.declaration(member, &inside, Some(&name), files, language, depth + 1);
        }
    }

    /// Tells `names` every type.
    pub fn name_types(&self, names: &mut TypeNames) {
        for (name, text) in &self.typedefs {
            names.add_typedef(name, text);
        }
        for (name, scalar) in &self.enums {
            names.add_enum(name, *scalar);
        }
        for (name, value) in &self.constants {
            names.add_enumerator(name, *value);
        }
        for (name, record) in &self.records {
            names.add_record(name, record);
        }
    }
}

/// The values that an enumeration without fixed underlying type has in C++: those of the smallest bit-field
/// that holds all its enumerators.
fn bit_range(values: &[(Id, i128)]) -> (i128, i128) {
    let least = values.iter().map(|&(_, v)| v).min().unwrap_or(0).min(0);
    let most = values.iter().map(|&(_, v)| v).max().unwrap_or(0).max(0);
    let mut bound = 1i128;
    while most >= bound || -least > bound {
        bound <<= 1;
    }
    match least {
        0 => (0, bound - 1),
        _ => (-bound, bound - 1),
    }
}

fn record_name_of(text: &str) -> &str {
    let text = text.strip_prefix("struct ").unwrap_or(text);
    text.strip_prefix("union ").unwrap_or(text)
}

fn fields(node: &Node) -> Vec<FieldSource> {
    let made = |id: Option<Id>, name: &str, ty: &QualType| FieldSource {
        id,
        name: name.to_string(),
        ty: ty.qual_type.clone(),
        desugared: ty.desugared_qual_type.clone(),
        width: None,
    };
    let width = |node: &Node| {
        let declared = node.inner.iter().find_map(explicit_value);
        node.kind.is_bitfield.then(|| {
            let known = declared.and_then(|width| u64::try_from(width).ok());
            known.unwrap_or(UNKNOWN_WIDTH)
        })
    };
    let bases = node.kind.bases.iter().map(|base| made(None, "", &base.ty));
    let own = node.inner.iter().filter(|n| n.is(Kind::FieldDecl));
    let own = own.filter_map(|n| {
        let field = made(Some(n.id), n.name(), n.kind.ty.as_ref()?);
        Some(FieldSource {
            width: width(n),
            ..field
        })
    });
    bases.chain(own).collect()
}

fn alignment(node: &Node) -> Option<u64> {
    let attribute = node.inner.iter().find(|n| n.is(Kind::AlignedAttr))?;
    u64::try_from(explicit_value(attribute)?).ok()
}

/// What keeps a struct from having a meaning.
fn trouble(node: &Node) -> Option<&'static str> {
    let fields = || node.inner.iter().filter(|n| n.is(Kind::FieldDecl));
    if fields().any(|n| n.has_attribute(Kind::AlignedAttr)) || node.has_attribute(Kind::PackedAttr)
    {
        return Some("a struct laid out by hand");
    }
    let is_virtual = |n: &Node| n.kind.is_virtual;
    if node.inner.iter().any(is_virtual) || node.kind.bases.iter().any(|b| b.is_virtual) {
        return Some("a class with virtual functions or bases");
    }
    None
}

/// The destructor of a class, unless it does nothing, as `~name() {}` and those that the compiler writes.
fn destructor(node: &Node) -> Option<Id> {
    let is_empty = |n: &Node| {
        let body = n.inner.iter().find(|n| n.is(Kind::CompoundStmt));
        body.is_some_and(|body| body.inner.is_empty())
    };
    let written = |n: &&Node| {
        n.is(Kind::CXXDestructorDecl)
            && !n.kind.is_implicit
            && n.kind.explicitly_defaulted.is_none()
            && !is_empty(n)
    };
    node.inner.iter().find(written).map(|n| n.id)
}

/// A class that the stand-ins only name.
fn of_library(node: &Node, name: &str) -> Option<&'static str> {
    let is_empty = !node.inner.iter().any(|n| n.is(Kind::FieldDecl));
    let has_members = node
        .inner
        .iter()
        .any(|n| n.is(Kind::CXXMethodDecl) && !n.kind.is_implicit);
    (name.starts_with("std::") && is_empty && has_members).then_some("a class of the C++ library")
}

/// `<float, 4>`, as clang prints it; empty for what is no instance.
/// A whole name, and each shorter one inside the scopes around it that are no instances of templates.
fn names_of(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |by| {
        let head = by.find('<').unwrap_or(by.len());
        by[..head].find("::").map(|at| &by[at + 2..])
    })
}

fn template_arguments(instance: &Node) -> String {
    let arguments: Vec<String> = arguments(instance).into_iter().map(argument).collect();
    match arguments.is_empty() {
        true => String::new(),
        false => format!("<{}>", arguments.join(", ")),
    }
}

/// The arguments of an instance, packs taken apart.
fn arguments(instance: &Node) -> Vec<&Node> {
    let mut found = Vec::new();
    for argument in instance
        .inner
        .iter()
        .filter(|n| n.is(Kind::TemplateArgument))
    {
        let inside = arguments(argument);
        match inside.is_empty() {
            true => found.push(argument),
            false => found.extend(inside),
        }
    }
    found
}

fn argument(node: &Node) -> String {
    match (&node.kind.value, &node.kind.ty, &node.kind.decl) {
        (Some(serde_json::Value::String(text)), _, _) => text.clone(),
        (Some(value), _, _) => value.to_string(),
        (None, _, Some(decl)) => format!("&{}", decl.name),
        (None, Some(ty), None) => ty.text().to_string(),
        (None, None, None) => "x".to_string(),
    }
}

/// `_int_256` for the instance `<int, 256>`.
fn template_suffix(instance: &Node) -> String {
    let mut suffix = String::new();
    for of_template in arguments(instance) {
        suffix.push('_');
        for c in argument(of_template).chars() {
            match c {
                '-' => suffix.push('m'),
                '"' | '&' => {}
                c if c.is_alphanumeric() => suffix.push(c),
                _ => suffix.push('_'),
            }
        }
    }
    suffix
}

/// The value clang computed for an enumerator.
fn explicit_value(node: &Node) -> Option<i128> {
    if node.is(Kind::ConstantExpr) {
        return match node.kind.value.as_ref()? {
            serde_json::Value::String(text) => text.parse().ok(),
            serde_json::Value::Number(number) => number.as_i64().map(i128::from),
            _ => None,
        };
    }
    node.inner.iter().find_map(explicit_value)
}
