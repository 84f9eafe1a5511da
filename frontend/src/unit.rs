//! A translation unit: what stands at file scope, found once, before any procedure is read.

use crate::Language;
use crate::ctype::{CType, QualifiedType, TypeNames};
use crate::place_in_source::Files;
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::span::Span;
use gridlock_semantics::types::ScalarType;
use std::collections::{HashMap, HashSet};

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
    /// An identifier, unlike that of any other function of the unit.
    pub name: String,
    pub side: Side,
    pub params: Vec<&'a Node>,
    pub returns: QualifiedType,
    /// The functions of this unit that it mentions, and where first.
    pub mentions: Vec<(usize, &'a Node)>,
}

pub(crate) struct Unit<'a> {
    pub language: Language,
    pub files: Files,
    pub names: TypeNames,
    /// Enumerators: value and type.
    pub enumerators: HashMap<Id, (i128, ScalarType)>,
    pub functions: Vec<Function<'a>>,
    /// Every declaration of each function with a body.
    pub function_of: HashMap<Id, usize>,
    /// Every declaration of each variable at file scope, with the one that counts.
    pub globals: HashMap<Id, &'a Node>,
    /// Assembly at file scope, if there is any.
    pub file_scope_assembly: Option<Span>,
}

impl<'a> Unit<'a> {
    pub fn new(root: &'a Node, language: Language, files: Files) -> Unit<'a> {
        let mut unit = Unit {
            language,
            files,
            names: TypeNames::default(),
            enumerators: HashMap::new(),
            functions: Vec::new(),
            function_of: HashMap::new(),
            globals: HashMap::new(),
            file_scope_assembly: None,
        };
        let mut found = Declarations::default();
        unit.declarations(root, &mut found, 0);
        for (function, _) in &found.functions {
            unit.local_types(function);
        }
        unit.settle_globals(&found);
        unit.settle_functions(found);
        unit
    }

    fn declarations(&mut self, scope: &'a Node, found: &mut Declarations<'a>, depth: usize) {
        for node in &scope.inner {
            match node.kind_name() {
                "FunctionDecl" => found.functions.push((node, None)),
                "FunctionTemplateDecl" => {
                    for instance in node.inner.iter().filter(|n| n.is("FunctionDecl")) {
                        let mut arguments = instance.inner.iter().filter(is_template_argument);
                        if arguments.next().is_some() {
                            found
                                .functions
                                .push((instance, Some(template_suffix(instance))));
                        }
                    }
                }
                "VarDecl" => found.globals.push(node),
                "LinkageSpecDecl" | "NamespaceDecl" if depth < 64 => {
                    self.declarations(node, found, depth + 1);
                }
                "FileScopeAsmDecl" => {
                    self.file_scope_assembly
                        .get_or_insert(self.files.span(node));
                }
                _ => self.type_declaration(node),
            }
        }
    }

    /// Learns the types declared inside a function.
    fn local_types(&mut self, node: &Node) {
        for child in &node.inner {
            self.type_declaration(child);
            self.local_types(child);
        }
    }

    /// Learns the name a typedef, enum or struct declares.
    fn type_declaration(&mut self, node: &Node) {
        match node.kind_name() {
            "TypedefDecl" | "TypeAliasDecl" => {
                self.names.add_typedef(node.name(), node.type_text());
            }
            "EnumDecl" => self.enumeration(node),
            "CXXRecordDecl" | "RecordDecl" => self.record(node),
            _ => {}
        }
    }

    fn enumeration(&mut self, node: &Node) {
        let constants = || node.inner.iter().filter(|n| n.is("EnumConstantDecl"));
        let mut values = Vec::new();
        let mut next = 0i128;
        for constant in constants() {
            if let Some(value) = constant.child(0).and_then(explicit_value) {
                next = value;
            }
            values.push((constant.id, next));
            next += 1;
        }
        let is_negative = values.iter().any(|&(_, v)| v < 0);
        let widest = values.iter().map(|&(_, v)| v.unsigned_abs()).max();
        let ty = match (is_negative, widest.unwrap_or(0) > i32::MAX as u128) {
            (true, false) => ScalarType::I32,
            (true, true) => ScalarType::I64,
            (false, _) if widest.unwrap_or(0) > u32::MAX as u128 => ScalarType::U64,
            (false, _) => ScalarType::U32,
        };
        if !node.name().is_empty() {
            self.names.add_enum(node.name(), ty);
        }
        // In C an enumerator is an `int`.
        let constant_ty = match self.language {
            Language::C if matches!(ty, ScalarType::U32) => ScalarType::I32,
            _ => ty,
        };
        for (id, value) in values {
            self.enumerators.insert(id, (value, constant_ty));
        }
    }

    fn record(&mut self, node: &Node) {
        if node.name().is_empty() {
            return;
        }
        let mut fields = Vec::new();
        for field in node.inner.iter().filter(|n| n.is("FieldDecl")) {
            match self.names.parse(field.type_text()).ty {
                CType::Scalar(scalar) => fields.push((field.name().to_string(), scalar)),
                _ => return,
            }
        }
        if !fields.is_empty() {
            self.names.add_record(node.name(), fields);
        }
    }

    fn settle_globals(&mut self, found: &Declarations<'a>) {
        let mut first_of: HashMap<Id, Id> = HashMap::new();
        let mut definition: HashMap<Id, &'a Node> = HashMap::new();
        for &node in &found.globals {
            let previous = node.kind.previous_decl;
            let first = previous
                .and_then(|p| first_of.get(&p).copied())
                .unwrap_or(node.id);
            first_of.insert(node.id, first);
            let entry = definition.entry(first).or_insert(node);
            let is_better = node.kind.init.is_some()
                || (entry.kind.init.is_none()
                    && entry.kind.storage_class.as_deref() == Some("extern"));
            if is_better {
                *entry = node;
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
        for (node, suffix) in &found.functions {
            let previous = node.kind.previous_decl;
            let first = previous
                .and_then(|p| first_of.get(&p).copied())
                .unwrap_or(node.id);
            first_of.insert(node.id, first);
            let Some(body) = node.inner.iter().find(|n| n.is("CompoundStmt")) else {
                continue;
            };
            let base = format!("{}{}", node.name(), suffix.as_deref().unwrap_or(""));
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
            self.functions.push(Function {
                node,
                body,
                name,
                side: self.side(node),
                params: node.inner.iter().filter(|n| n.is("ParmVarDecl")).collect(),
                returns,
                mentions: Vec::new(),
            });
        }
        for (id, first) in first_of {
            if let Some(&index) = index_of.get(&first) {
                self.function_of.insert(id, index);
            }
        }
        for index in 0..self.functions.len() {
            let mut mentions = Vec::new();
            self.mentions(self.functions[index].body, &mut mentions);
            self.functions[index].mentions = mentions;
        }
    }

    fn side(&self, node: &Node) -> Side {
        if node.has_attribute("CUDAGlobalAttr") {
            return Side::Kernel;
        }
        match (
            node.has_attribute("CUDADeviceAttr"),
            node.has_attribute("CUDAHostAttr"),
        ) {
            (true, true) => Side::Both,
            (true, false) => Side::Device,
            // A constexpr function may be called from anywhere.
            _ if node.kind.constexpr => Side::Both,
            _ => Side::Host,
        }
    }

    fn mentions(&self, node: &'a Node, found: &mut Vec<(usize, &'a Node)>) {
        if let Some(decl) = &node.kind.referenced_decl
            && let Some(&index) = self.function_of.get(&decl.id)
            && found.iter().all(|(f, _)| *f != index)
        {
            found.push((index, node));
        }
        for child in &node.inner {
            self.mentions(child, found);
        }
    }

    /// The functions reachable from those `start` accepts, themselves included, passing only
    /// through functions of side `Both`.
    fn reached(&self, start: impl Fn(Side) -> bool) -> HashSet<usize> {
        let all = 0..self.functions.len();
        let mut open: Vec<usize> = all.filter(|&i| start(self.functions[i].side)).collect();
        let mut reached: HashSet<usize> = open.iter().copied().collect();
        while let Some(index) = open.pop() {
            for &(callee, _) in &self.functions[index].mentions {
                if self.functions[callee].side == Side::Both && reached.insert(callee) {
                    open.push(callee);
                }
            }
        }
        reached
    }

    /// The procedures to make: index of a function, and whether it is the host's version.
    pub fn versions(&self) -> Vec<(usize, bool)> {
        let on_host = self.reached(|side| side == Side::Host);
        let on_device = self.reached(|side| matches!(side, Side::Device | Side::Kernel));
        let mut versions = Vec::new();
        for (index, function) in self.functions.iter().enumerate() {
            match function.side {
                Side::Host => versions.push((index, true)),
                Side::Device | Side::Kernel => versions.push((index, false)),
                Side::Both => {
                    let host = on_host.contains(&index);
                    if on_device.contains(&index) || !host {
                        versions.push((index, false));
                    }
                    if host {
                        versions.push((index, true));
                    }
                }
            }
        }
        versions
    }

    /// Where function `index` calls something that leads back to it, if it does.
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

#[derive(Default)]
struct Declarations<'a> {
    /// With what a template's arguments add to the name.
    functions: Vec<(&'a Node, Option<String>)>,
    globals: Vec<&'a Node>,
}

fn is_template_argument(node: &&Node) -> bool {
    node.is("TemplateArgument")
}

/// `_int_256` for the instance `<int, 256>`.
fn template_suffix(instance: &Node) -> String {
    let mut suffix = String::new();
    for argument in instance.inner.iter().filter(is_template_argument) {
        let text = match (&argument.kind.value, &argument.kind.ty) {
            (Some(value), _) => value.to_string(),
            (None, Some(ty)) => ty.text().to_string(),
            (None, None) => "x".to_string(),
        };
        suffix.push('_');
        for c in text.chars() {
            match c {
                '-' => suffix.push('m'),
                '"' => {}
                c if c.is_alphanumeric() => suffix.push(c),
                _ => suffix.push('_'),
            }
        }
    }
    suffix
}

/// The value clang computed for an enumerator.
fn explicit_value(node: &Node) -> Option<i128> {
    if node.is("ConstantExpr") {
        return match node.kind.value.as_ref()? {
            serde_json::Value::String(text) => text.parse().ok(),
            serde_json::Value::Number(number) => number.as_i64().map(i128::from),
            _ => None,
        };
    }
    node.inner.iter().find_map(explicit_value)
}
