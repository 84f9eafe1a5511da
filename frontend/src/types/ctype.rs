//! C types, from the text clang prints for them.

use crate::syntax::type_place::{is_lambda, is_unnamed, with_names};
use crate::types::bit_field::gathered;
use crate::types::contents::has_destructor;
use crate::types::group::Group;
use crate::types::group::tile;
use crate::types::instance_names::{Abbreviated, squeezed, with_numbers, without_typedefs};
use crate::types::opencl_vector::vector;
use crate::types::record::{Field, Record};
use crate::types::record_source::RecordSource;
use crate::types::scalar_words::{builtin, is_builtin_word};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A type with its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QualifiedType {
    pub ty: CType,
    pub is_const: bool,
    pub is_volatile: bool,
    /// OpenCL C only.
    pub space: AddressSpace,
}

/// OpenCL's address spaces, as far as a type names one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AddressSpace {
    /// None is named, or a thread's own, or any.
    #[default]
    Unsaid,
    Global,
    Local,
    Constant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CType {
    Void,
    Scalar(ScalarType),
    Pointer(Box<QualifiedType>),
    Reference(Box<QualifiedType>),
    /// `None`: `T[]`.
    Array(Box<QualifiedType>, Option<u64>),
    Record(Arc<Record>),
    /// A name without a known meaning: a struct that is only declared.
    Opaque(String),
    /// A name that two structs have which differ, such as classes of two blocks.
    Ambiguous(String),
    /// `cudaError_t`: in the semantics every runtime call succeeds, so it has one value.
    Status,
    /// A group of threads of `cooperative_groups`.
    Group(Group),
    /// A function with this result.
    Function(Box<QualifiedType>),
    /// A type that the front end does not support, as clang prints it.
    Other(String),
}

impl QualifiedType {
    pub fn plain(ty: CType) -> QualifiedType {
        QualifiedType {
            ty,
            is_const: false,
            is_volatile: false,
            space: AddressSpace::Unsaid,
        }
    }

    /// The one scalar type that memory of this type is made of, with the qualifiers collected on
    /// the way, and how many of it there are (`None`: not known).
    pub fn cells(&self) -> Option<(PointerType, Option<u64>)> {
        match self.groups()?.as_slice() {
            [group] => Some((group.pointer, group.count)),
            _ => None,
        }
    }

    /// Extents of the dimensions, outermost first; empty for a scalar.
    pub fn dims(&self) -> Vec<u64> {
        let mut dims = Vec::new();
        let mut ty = self;
        while let CType::Array(of, len) = &ty.ty {
            dims.push(len.unwrap_or(0));
            ty = of;
        }
        if let (CType::Record(_), Some((_, Some(count)))) = (&ty.ty, ty.cells())
            && count != 1
        {
            dims.push(count);
        }
        dims
    }

    /// The type of the algebra that a variable of this type has.
    ///
    /// # Errors
    /// The reason why it cannot be a variable.
    pub fn variable_type(&self) -> Result<Type, NoVariable> {
        match &self.ty {
            CType::Scalar(scalar) => Ok(Type::Scalar(*scalar)),
            CType::Pointer(to) | CType::Reference(to) => match to.cells() {
                Some((pointer, _)) => Ok(Type::Pointer(pointer)),
                // The number of a function: see `calls/function_pointer.rs`.
                None if matches!(to.ty, CType::Function(_)) => Ok(Type::U32),
                None => Err(NoVariable(match &to.ty {
                    CType::Void => "a variable of type `void *`".to_string(),
                    CType::Pointer(_) => "a pointer to a pointer".to_string(),
                    CType::Record(record) => match record.no_value() {
                        Some(trouble) => format!("a pointer to {trouble}"),
                        None => format!("a pointer to the struct `{}`", record.name),
                    },
                    CType::Opaque(name) => format!("a pointer to the struct `{name}`"),
                    CType::Function(_) => "a function pointer".to_string(),
                    other => format!("a pointer to {}", describe(other)),
                })),
            },
            other => Err(NoVariable(format!("a variable of {}", describe(other)))),
        }
    }

    /// Whether it is a pointer to a function.
    pub fn is_function_pointer(&self) -> bool {
        match &self.ty {
            CType::Pointer(to) => matches!(to.ty, CType::Function(_)),
            _ => false,
        }
    }

    pub fn scalar(&self) -> Option<ScalarType> {
        match self.ty {
            CType::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The elements of an OpenCL vector: their type and number.
    pub fn vector(&self) -> Option<(ScalarType, usize)> {
        match &self.ty {
            CType::Record(record) if record.is_vector => {
                Some((record.fields.first()?.ty.scalar()?, record.fields.len()))
            }
            _ => None,
        }
    }

    /// Whether nothing is known of the type, or of what it points to.
    pub fn is_unknown(&self) -> bool {
        match &self.ty {
            CType::Other(_) | CType::Opaque(_) | CType::Ambiguous(_) => true,
            CType::Pointer(to) | CType::Reference(to) | CType::Array(to, _) => to.is_unknown(),
            _ => false,
        }
    }

    /// An array parameter is a pointer.
    pub fn decayed(self) -> QualifiedType {
        match self.ty {
            CType::Array(of, _) => QualifiedType::plain(CType::Pointer(of)),
            _ => self,
        }
    }
}

/// A type that no variable of the algebra can have, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoVariable(pub String);

impl From<NoVariable> for String {
    fn from(reason: NoVariable) -> String {
        reason.0
    }
}

/// A type in words, for messages.
pub(crate) fn describe(ty: &CType) -> String {
    match ty {
        CType::Void => "type `void`".to_string(),
        CType::Scalar(scalar) => format!("type `{}`", scalar.usual_name()),
        CType::Pointer(_) => "a pointer type".to_string(),
        CType::Reference(_) => "a reference type".to_string(),
        CType::Array(..) => "an array type".to_string(),
        CType::Record(record) if is_lambda(&record.name) => "a lambda's type".to_string(),
        CType::Record(record) if is_unnamed(&record.name) => "a type without name".to_string(),
        CType::Record(record) => format!("the struct type `{}`", record.name),
        CType::Opaque(name) if is_lambda(name) => "a lambda's type".to_string(),
        CType::Opaque(name) if is_unnamed(name) => "a type without name".to_string(),
        CType::Opaque(name) => format!("the struct type `{name}`"),
        CType::Ambiguous(name) => {
            format!("the struct type `{name}`, which shares its name with another")
        }
        CType::Status => "type `cudaError_t`".to_string(),
        CType::Group(_) => "a group of threads".to_string(),
        CType::Function(_) => "a function type".to_string(),
        CType::Other(text) if text.contains("(lambda at ") => "a lambda's type".to_string(),
        CType::Other(text) if text.contains("(unnamed ") => "a type without name".to_string(),
        CType::Other(text) if text.ends_with(']') => "an array of variable length".to_string(),
        CType::Other(text) => format!("type `{text}`"),
    }
}

/// The names a type can be written with.
#[derive(Debug, Default)]
pub(crate) struct TypeNames {
    /// `None`: the name denotes two types, so the text alone does not determine the type.
    typedefs: HashMap<String, Option<String>>,
    enums: HashMap<String, Option<ScalarType>>,
    /// Values of enumerators, as arguments of templates are written.
    enumerators: HashMap<String, Option<i128>>,
    /// Structs by each of their names; `None` for a name of two structs.
    records: HashMap<String, Option<Arc<RecordSource>>>,
    known: RefCell<HashMap<String, QualifiedType>>,
    made: RefCell<HashMap<String, Arc<Record>>>,
    /// Structs whose fields are being resolved: meanwhile only pointers to them are allowed.
    open: RefCell<HashSet<String>>,
}

impl TypeNames {
    pub fn add_typedef(&mut self, name: &str, text: &str) {
        let of = text.strip_prefix("struct ").unwrap_or(text);
        let of = of.strip_prefix("enum ").unwrap_or(of);
        // `typedef struct {…} name;`: the name is the struct's own.
        if of == name || of == format!("union {name}") {
            return;
        }
        // `long long` is `long`.
        let once = text.strip_suffix(" long");
        let text = once.filter(|t| t.ends_with("long")).unwrap_or(text);
        let entry = self.typedefs.entry(squeezed(name));
        let meaning = entry.or_insert_with(|| Some(text.to_string()));
        if meaning.as_deref() != Some(text) {
            *meaning = None;
        }
    }

    pub fn add_enum(&mut self, name: &str, underlying: ScalarType) {
        let meaning = self.enums.entry(name.to_string());
        let meaning = meaning.or_insert(Some(underlying));
        if *meaning != Some(underlying) {
            *meaning = None;
        }
    }

    /// Gives a struct an additional name.
    pub fn add_record(&mut self, name: &str, source: &Arc<RecordSource>) {
        let meaning = self.records.entry(squeezed(name));
        let meaning = meaning.or_insert_with(|| Some(source.clone()));
        if meaning.as_ref() != Some(source) {
            *meaning = None;
        }
    }

    /// An enumerator, by its name; `None` from then on where two of that name differ.
    pub fn add_enumerator(&mut self, name: &str, value: i128) {
        let known = self.enumerators.entry(name.to_string());
        let known = known.or_insert(Some(value));
        if *known != Some(value) {
            *known = None;
        }
    }

    /// The name of an instance as clang's tree has it where arguments are numbers.
    fn numbered(&self, name: &str) -> Option<String> {
        let value = |word: &str| *self.enumerators.get(last_component(word))?;
        with_numbers(name, value)
    }

    /// What a typedef stands for; `Some(None)`: two types.
    fn typedef(&self, name: &str) -> Option<&Option<String>> {
        let key = squeezed(name);
        let found = self.typedefs.get(&key);
        found.or_else(|| self.typedefs.get(&self.numbered(&key)?))
    }

    /// Whether some class has a destructor that does something.
    pub fn have_destructors(&self) -> bool {
        let mut records = self.records.values().flatten();
        records.any(|record| record.destructor.is_some())
    }

    fn record(&self, name: &str) -> Option<CType> {
        let found = self.record_as_written(name);
        found.or_else(|| {
            let meaning = |name: &str| self.typedef(name)?.as_deref();
            self.record_as_written(&without_typedefs(name, meaning)?)
        })
    }

    /// The struct of a name, of which arguments by default need not be written; `Some(None)`: there are two.
    fn record_named(&self, key: &str) -> Option<Option<Arc<RecordSource>>> {
        if let Some(found) = self.records.get(key) {
            return Some(found.clone());
        }
        let short = Abbreviated::new(key)?;
        let mut found = self.records.iter().filter(|(name, _)| short.is(name));
        let (first, second) = (found.next()?, found.next());
        Some(first.1.clone().filter(|_| second.is_none()))
    }

    fn record_as_written(&self, name: &str) -> Option<CType> {
        let written = squeezed(name);
        let as_number = || self.record_named(&self.numbered(&written)?);
        let source = self.record_named(&written).or_else(as_number)??;
        if let Some(made) = self.made.borrow().get(&source.name) {
            return Some(CType::Record(made.clone()));
        }
        if !self.open.borrow_mut().insert(source.name.clone()) {
            return Some(CType::Opaque(source.name.clone()));
        }
        let fields = source.fields.iter().map(|field| {
            let ty = self.parse_either(&field.ty, field.desugared.as_deref());
            let declared = Field {
                id: field.id,
                name: field.name.clone(),
                ty,
                bits: None,
                gaps: vec![],
            };
            (declared, field.width)
        });
        let (fields, gaps, mut trouble) = gathered(fields);
        let ends = |f: &Field| has_destructor(&f.ty);
        if source.is_union && (source.destructor.is_some() || fields.iter().any(ends)) {
            trouble = Some("a union with a destructor");
        }
        let record = Arc::new(Record {
            name: source.name.clone(),
            fields,
            gaps,
            align: source.align,
            trouble: source.trouble.or(trouble),
            is_union: source.is_union,
            is_vector: false,
            destructor: source.destructor,
        });
        self.open.borrow_mut().remove(&source.name);
        if self.open.borrow().is_empty() {
            let mut made = self.made.borrow_mut();
            made.insert(source.name.clone(), record.clone());
        }
        Some(CType::Record(record))
    }

    /// A type by what clang prints of it: as written, and without typedefs.
    pub fn parse_either(&self, text: &str, desugared: Option<&str>) -> QualifiedType {
        // Without typedefs the name says in which scope it is declared.
        let plain = desugared.map(|desugared| self.parse(desugared));
        match plain {
            Some(plain) if !plain.is_unknown() => plain,
            _ => self.parse(text),
        }
    }

    /// Reads a type as clang prints it.
    pub fn parse(&self, text: &str) -> QualifiedType {
        if text.contains("(unnamed enum at ") || text.contains("(anonymous enum at ") {
            return QualifiedType::plain(CType::Scalar(ScalarType::U32));
        }
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let mut parser = Parser {
            names: self,
            tokens: tokens(&with_names(text)),
            at: 0,
        };
        let ty = match parser.whole() {
            Some(ty) => ty,
            None => QualifiedType::plain(CType::Other(text.to_string())),
        };
        if self.open.borrow().is_empty() {
            self.known.borrow_mut().insert(text.to_string(), ty.clone());
        }
        ty
    }

    fn named(&self, name: &str) -> QualifiedType {
        if matches!(name, "cudaError_t" | "cudaError") {
            return QualifiedType::plain(CType::Status);
        }
        // A handle: a number, 0 for the default stream.
        if matches!(name, "cudaStream_t" | "cudaEvent_t") {
            return QualifiedType::plain(CType::Scalar(ScalarType::U64));
        }
        // `half` is a type of OpenCL C, and one that a header of CUDA declares.
        let is_number = matches!(
            name,
            "__int128" | "half" | "_Float16" | "__fp16" | "__bf16" | "__float128" | "auto"
        );
        if is_number && !self.typedefs.contains_key(name) {
            return QualifiedType::plain(CType::Other(name.to_string()));
        }
        if let Some(tile) = tile(name) {
            return QualifiedType::plain(CType::Group(Group::Tile(tile)));
        }
        // `cg::grid_group`, by whichever name of the namespace.
        let ours = match self.records.get(name) {
            Some(Some(source)) => source.name.starts_with("cooperative_groups::"),
            Some(None) => false,
            None => true,
        };
        if ours {
            match name.rsplit("::").next() {
                Some("thread_block") => return QualifiedType::plain(CType::Group(Group::Block)),
                Some("grid_group") => return QualifiedType::plain(CType::Group(Group::Grid)),
                _ => {}
            }
        }
        for name in [name, last_component(name)] {
            if let Some(found) = self.typedef(name) {
                let text = match found {
                    // Chains of aliases end: a cycle would be rejected by clang.
                    Some(text) if self.open.borrow_mut().insert(format!("typedef {name}")) => text,
                    _ => return QualifiedType::plain(CType::Other(name.to_string())),
                };
                let ty = self.parse(text);
                self.open.borrow_mut().remove(&format!("typedef {name}"));
                // One name for a typedef here and a struct there.
                let other = self.record(name).filter(|record| *record != ty.ty);
                return match other {
                    Some(_) => QualifiedType::plain(CType::Other(name.to_string())),
                    None => ty,
                };
            }
            if let Some(found) = self.enums.get(name) {
                return QualifiedType::plain(match found {
                    Some(scalar) => CType::Scalar(*scalar),
                    None => CType::Other(name.to_string()),
                });
            }
            if let Some(record) = self.record(name) {
                return QualifiedType::plain(record);
            }
        }
        // Types of C++, and of C by typedefs.
        QualifiedType::plain(match name {
            "wchar_t" | "char8_t" | "char16_t" | "char32_t" => CType::Other(name.to_string()),
            _ if self.record_named(&squeezed(name)) == Some(None) => {
                CType::Ambiguous(name.to_string())
            }
            _ => CType::Opaque(name.to_string()),
        })
    }
}

/// `In` of `Out<3>::In`.
fn last_component(name: &str) -> &str {
    let mut angle = 0usize;
    let mut start = 0;
    let bytes = name.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => angle += 1,
            b'>' => angle = angle.saturating_sub(1),
            b':' if angle == 0 => start = index + 1,
            _ => {}
        }
    }
    &name[start..]
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut angle = 0usize;
    for c in text.chars() {
        // A template's arguments belong to its name.
        if angle > 0 || c == '<' {
            word.push(c);
            match c {
                '<' => angle += 1,
                '>' => angle -= 1,
                _ => {}
            }
            continue;
        }
        if c.is_alphanumeric() || c == '_' || c == ':' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if !c.is_whitespace() {
            tokens.push(c.to_string());
        }
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    tokens
}

struct Parser<'a> {
    names: &'a TypeNames,
    tokens: Vec<String>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += found as usize;
        found
    }

    fn whole(&mut self) -> Option<QualifiedType> {
        let base = self.specifiers()?;
        let ty = self.declarator(base, 0)?;
        while matches!(self.peek(), "noexcept") {
            self.at += 1;
        }
        // A function that gives a vector.
        if self.peek() == "__attribute__" {
            self.vector_attribute()?;
        }
        (self.at == self.tokens.len()).then_some(ty)
    }

    fn specifiers(&mut self) -> Option<QualifiedType> {
        let (mut is_const, mut is_volatile) = (false, false);
        let mut space = AddressSpace::Unsaid;
        let mut words: Vec<String> = Vec::new();
        loop {
            match self.peek() {
                "__private" | "__generic" => {}
                "__global" => space = AddressSpace::Global,
                "__local" => space = AddressSpace::Local,
                "__constant" => space = AddressSpace::Constant,
                // In C, `_Atomic(int)` is an `int` that atomic operations go to.
                "_Atomic" if self.following() == "(" => {
                    self.at += 2;
                    let inner = self.specifiers()?;
                    let name = inner.scalar()?.c_name().split(' ');
                    words.extend(name.map(str::to_string));
                    if self.peek() != ")" {
                        return None;
                    }
                }
                "const" => is_const = true,
                "volatile" => is_volatile = true,
                "enum" | "struct" | "class" | "typename" => {}
                "union" => {}
                word if word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && !matches!(word, "__restrict" | "restrict" | "__attribute__") =>
                {
                    let is_builtin = is_builtin_word(word);
                    if !is_builtin && !words.is_empty() {
                        break;
                    }
                    words.push(word.to_string());
                }
                _ => break,
            }
            self.at += 1;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut ty = match words.as_slice() {
            [] => return None,
            ["void"] => QualifiedType::plain(CType::Void),
            [name] if !is_builtin_word(name) => self.names.named(name),
            words => QualifiedType::plain(CType::Scalar(builtin(words)?)),
        };
        if self.peek() == "__attribute__" {
            ty = vector(ty.scalar()?, self.vector_attribute()?)?;
        }
        // Device code does not write to constant memory.
        ty.is_const |= is_const || space == AddressSpace::Constant;
        ty.is_volatile |= is_volatile;
        if space != AddressSpace::Unsaid {
            ty.space = space;
        }
        Some(ty)
    }

    /// The length that `__attribute__((ext_vector_type(4)))` says.
    fn vector_attribute(&mut self) -> Option<u64> {
        for token in ["__attribute__", "(", "(", "ext_vector_type", "("] {
            if !self.eat(token) {
                return None;
            }
        }
        let n = self.peek().parse().ok()?;
        self.at += 1;
        [")", ")", ")"]
            .into_iter()
            .all(|token| self.eat(token))
            .then_some(n)
    }

    /// The token after the present one.
    fn following(&self) -> &str {
        self.tokens.get(self.at + 1).map_or("", String::as_str)
    }

    /// The declarator around the (absent) name, from the outside in.
    fn declarator(&mut self, mut base: QualifiedType, depth: usize) -> Option<QualifiedType> {
        if depth > 16 {
            return None;
        }
        loop {
            if self.eat("*") {
                let handle = |name: &str| matches!(name, "CUstream_st" | "CUevent_st");
                let is_handle = matches!(&base.ty, CType::Opaque(name) if handle(name));
                base = if is_handle {
                    QualifiedType::plain(CType::Scalar(ScalarType::U64))
                } else {
                    QualifiedType::plain(CType::Pointer(Box::new(base)))
                };
                loop {
                    match self.peek() {
                        "__private" | "__generic" => {}
                        "__global" => base.space = AddressSpace::Global,
                        "__local" => base.space = AddressSpace::Local,
                        "__constant" => base.space = AddressSpace::Constant,
                        "const" => base.is_const = true,
                        "volatile" => base.is_volatile = true,
                        "__restrict" | "restrict" => {}
                        _ => break,
                    }
                    self.at += 1;
                }
            } else if self.eat("&") {
                self.eat("&");
                base = QualifiedType::plain(CType::Reference(Box::new(base)));
            } else {
                break;
            }
        }
        let mut inner = None;
        if self.peek() == "(" {
            let next = self.tokens.get(self.at + 1).map_or("", String::as_str);
            if matches!(next, "*" | "&") {
                inner = Some(self.at + 1);
                self.skip_brackets()?;
            }
        }
        base = self.suffixes(base)?;
        if let Some(start) = inner {
            let end = std::mem::replace(&mut self.at, start);
            base = self.declarator(base, depth + 1)?;
            if !self.eat(")") {
                return None;
            }
            self.at = end;
        }
        Some(base)
    }

    fn suffixes(&mut self, mut base: QualifiedType) -> Option<QualifiedType> {
        if self.peek() == "(" {
            self.skip_brackets()?;
            // The qualifiers of a member function, which are about its object.
            while matches!(self.peek(), "const" | "volatile" | "mutable") {
                self.at += 1;
            }
            return Some(QualifiedType::plain(CType::Function(Box::new(base))));
        }
        let mut extents = Vec::new();
        while self.eat("[") {
            if self.eat("]") {
                extents.push(None);
            } else {
                let extent: u64 = self.peek().parse().ok()?;
                self.at += 1;
                if !self.eat("]") {
                    return None;
                }
                extents.push(Some(extent));
            }
        }
        for extent in extents.into_iter().rev() {
            let space = base.space;
            base = QualifiedType::plain(CType::Array(Box::new(base), extent));
            base.space = space;
        }
        Some(base)
    }

    /// Moves past a bracket and all up to the one that closes it.
    fn skip_brackets(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                "(" => depth += 1,
                ")" => depth -= 1,
                "" => return None,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        fn show(ty: &QualifiedType) -> String {
            let mut out = match &ty.ty {
                CType::Void => "void".into(),
                CType::Scalar(s) => format!("{s:?}"),
                CType::Pointer(to) => format!("ptr({})", show(to)),
                CType::Reference(to) => format!("ref({})", show(to)),
                CType::Array(of, Some(n)) => format!("arr({n}, {})", show(of)),
                CType::Array(of, None) => format!("arr(?, {})", show(of)),
                CType::Record(record) => format!("rec {}", record.name),
                CType::Opaque(name) | CType::Ambiguous(name) => format!("rec {name}"),
                CType::Status => "status".into(),
                CType::Group(_) => "group".into(),
                CType::Function(to) => format!("fn -> {}", show(to)),
                CType::Other(text) => format!("other {text}"),
            };
            if ty.is_const {
                out.insert_str(0, "const ");
            }
            if ty.is_volatile {
                out.insert_str(0, "volatile ");
            }
            out
        }
        let mut names = TypeNames::default();
        names.add_typedef("size_t", "unsigned long");
        names.add_typedef("row", "int[4]");
        names.add_enum("E", ScalarType::U32);
        assert_eq!(show(&names.parse(text)), expected, "{text}");
    }

    #[test]
    fn types_as_clang_prints_them() {
        check("int", "I32");
        check("unsigned long long", "U64");
        check("signed char", "I8");
        check("const volatile unsigned int *", "ptr(volatile const U32)");
        check("int *const __restrict", "const ptr(I32)");
        check("float *__restrict", "ptr(F32)");
        check("int[4][2]", "arr(4, arr(2, I32))");
        check("float[]", "arr(?, F32)");
        check("int (*)[8]", "ptr(arr(8, I32))");
        check("const float (&)[3]", "ref(arr(3, const F32))");
        check("int &", "ref(I32)");
        check("size_t *", "ptr(U64)");
        check("const row *", "ptr(const arr(4, I32))");
        check("enum E", "U32");
        check("void (int *, int)", "fn -> void");
        check("int *(const E, void (*)(int)) noexcept", "fn -> ptr(I32)");
        check("int (*)(int)", "ptr(fn -> I32)");
        check("struct point", "rec point");
        check("std::vector<int, int>", "rec std::vector<int, int>");
        check("cudaError_t", "status");
        check("int[n]", "other int[n]");
        check("char16_t", "other char16_t");
        check("const wchar_t *", "ptr(const other wchar_t)");
        check("long double", "other long double");
        check("", "other ");
        check("int (*", "other int (*");
    }

    #[test]
    fn cells_of_an_array() {
        let names = TypeNames::default();
        let ty = names.parse("const int[4][2]");
        let (pointer, count) = ty.cells().expect("an array of scalars");
        assert!(pointer.is_const);
        assert_eq!((pointer.elem, count), (ScalarType::I32, Some(8)));
        assert_eq!(ty.size(), Some(32));
        // Pointers in memory are numbers.
        let pointers = names.parse("int *[3]").cells();
        assert_eq!(
            pointers.map(|(cell, n)| (cell.elem.bits(), n)),
            Some((64, Some(3)))
        );
        assert!(names.parse("int **").variable_type().is_ok());
        assert!(names.parse("void *").variable_type().is_err());
    }
}
