//! Declarations at file scope, told apart by punctuation alone, and the names that each may declare.
//!
//! A declaration ends at a semicolon, or with the braces of a function's body. Where the text is ambiguous a
//! declaration is taken to be longer, and to declare more names, than it does: what is left out with it is then
//! more, never less.

use std::collections::BTreeSet;
use std::ops::Range;

/// A declaration.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Its tokens.
    pub tokens: Range<usize>,
    /// The function it defines, by the last part of its name.
    pub function: Option<String>,
    /// Where the body of the function begins.
    pub body: usize,
    /// Names whose meaning it may change elsewhere.
    pub declares: BTreeSet<String>,
    /// What it declares cannot be told by names: a template of an operator.
    pub declares_anything: bool,
}

/// What stands at file scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub chunks: Vec<Chunk>,
    /// Tokens that open and close namespaces.
    pub structure: Vec<usize>,
    /// Whether all brackets close.
    pub is_balanced: bool,
}

/// Words that no declaration gives a meaning to.
const NOT_DECLARED: [&str; 48] = [
    "__attribute__",
    "alignas",
    "asm",
    "auto",
    "bool",
    "char",
    "class",
    "const",
    "constexpr",
    "decltype",
    "double",
    "enum",
    "explicit",
    "extern",
    "float",
    "friend",
    "inline",
    "int",
    "long",
    "mutable",
    "noexcept",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "template",
    "this",
    "thread_local",
    "throw",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "__declspec",
    "__inline__",
];

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
}

pub(super) fn may_be_declared(text: &str) -> bool {
    is_name(text) && !NOT_DECLARED.contains(&text)
}

/// Tells apart what stands at file scope.
pub(super) fn scope(tokens: &[&str]) -> Scope {
    let mut scope = Scope {
        is_balanced: true,
        ..Scope::default()
    };
    let (mut at, mut depth) = (0, 0usize);
    while at < tokens.len() {
        if tokens[at] == "}" {
            scope.is_balanced &= depth > 0;
            depth = depth.saturating_sub(1);
            scope.structure.push(at);
            at += 1;
            continue;
        }
        if let Some(length) = opening(&tokens[at..]) {
            scope.structure.extend(at..at + length);
            depth += 1;
            at += length;
            continue;
        }
        let (chunk, is_whole) = chunk(tokens, at);
        scope.is_balanced &= is_whole;
        at = chunk.tokens.end;
        scope.chunks.push(chunk);
    }
    scope.is_balanced &= depth == 0;
    scope
}

/// The length of what opens a namespace, or a block of a language's linkage.
fn opening(tokens: &[&str]) -> Option<usize> {
    let begins = match tokens {
        ["namespace", ..] | ["inline", "namespace", ..] => true,
        ["extern", language, "{", ..] => return language.starts_with('"').then_some(3),
        _ => false,
    };
    let end = tokens.iter().position(|t| matches!(*t, "{" | ";" | "="));
    let end = end.filter(|end| begins && tokens[*end] == "{")?;
    Some(end + 1)
}

/// The end of what a bracket opens.
fn closed(tokens: &[&str], from: usize) -> (usize, bool) {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (at + 1, true);
                }
            }
            _ => {}
        }
    }
    (tokens.len(), false)
}

/// The end of a template's parameters, which open at `from`.
fn after_angles(tokens: &[&str], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0usize);
    while at < tokens.len() {
        match tokens[at] {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "(" | "[" | "{" => {
                at = closed(tokens, at).0;
                continue;
            }
            ";" | "}" => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The declaration that begins at `start`, and whether its brackets close.
fn chunk(tokens: &[&str], start: usize) -> (Chunk, bool) {
    let mut at = start;
    let mut is_template = false;
    while at + 1 < tokens.len() && tokens[at] == "template" && tokens[at + 1] == "<" {
        is_template = true;
        at = after_angles(tokens, at + 1);
    }
    let head = at;
    let mut kind = Kind::default();
    let mut whole = true;
    let mut body = None;
    // Tokens of the declaration that stand in no brackets.
    let mut outside: Vec<usize> = Vec::new();
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let end = loop {
        let Some(&token) = tokens.get(at) else {
            whole = false;
            break at;
        };
        outside.push(at);
        let previous = if at > head { tokens[at - 1] } else { "" };
        match token {
            ";" => break at + 1,
            "}" => {
                outside.pop();
                break at;
            }
            "operator" => {
                kind.is_operator = true;
                // Its own sign may be a bracket.
                if let ["(", ")", ..] = &tokens[at + 1..] {
                    at += 2;
                } else if let ["[", "]", ..] = &tokens[at + 1..] {
                    at += 2;
                } else if tokens.get(at + 1).is_some_and(|t| !is_name(t) && *t != ";") {
                    at += 1;
                }
            }
            "struct" | "class" | "union" if !kind.has_parameters => kind.is_class = true,
            "enum" if !kind.has_parameters => (kind.is_class, kind.is_enum) = (true, true),
            "=" => kind.has_value = true,
            ":" if kind.is_class && !kind.has_parameters => kind.in_bases = true,
            ":" if kind.has_parameters && !kind.has_value => kind.in_members = true,
            "(" | "[" => {
                let attribute = [
                    "__attribute__",
                    "alignas",
                    "__declspec",
                    "decltype",
                    "noexcept",
                ];
                let counts = token == "(" && !attribute.contains(&previous) && !kind.in_bases;
                kind.has_parameters |= counts && !kind.has_value;
                let (after, closes) = closed(tokens, at);
                whole &= closes;
                blocks.push(at..after);
                at = after;
                continue;
            }
            "{" => {
                let (after, closes) = closed(tokens, at);
                whole &= closes;
                let is_member =
                    kind.in_members && (is_name(previous) || previous == ">") && previous != "try";
                let is_body = kind.has_parameters && !kind.has_value && !is_member;
                blocks.push(at..after);
                if is_body {
                    body = Some(at);
                    break after_catches(tokens, after);
                }
                at = after;
                continue;
            }
            _ => {}
        }
        at += 1;
    };
    let end = end.max(start + 1);
    let named = Named {
        tokens,
        head,
        outside: &outside,
        blocks: &blocks,
        kind: &kind,
    };
    let declares = named.declares(body);
    let function = body.map(|_| named.function());
    let chunk = Chunk {
        tokens: start..end,
        function,
        body: body.unwrap_or(end),
        declares,
        declares_anything: kind.is_operator && is_template,
    };
    (chunk, whole)
}

/// The end of the handlers of a function that is one `try`.
fn after_catches(tokens: &[&str], from: usize) -> usize {
    let mut at = from;
    while tokens.get(at) == Some(&"catch") && tokens.get(at + 1) == Some(&"(") {
        at = closed(tokens, at + 1).0;
        if tokens.get(at) == Some(&"{") {
            at = closed(tokens, at).0;
        }
    }
    at
}

#[derive(Debug, Default)]
struct Kind {
    is_operator: bool,
    is_class: bool,
    is_enum: bool,
    has_value: bool,
    has_parameters: bool,
    in_bases: bool,
    in_members: bool,
}

/// A declaration, as far as its names go.
struct Named<'t> {
    tokens: &'t [&'t str],
    head: usize,
    outside: &'t [usize],
    blocks: &'t [Range<usize>],
    kind: &'t Kind,
}

impl Named<'_> {
    fn declares(&self, body: Option<usize>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let add = |found: &mut BTreeSet<String>, token: &str| {
            if may_be_declared(token) {
                found.insert(token.to_string());
            }
        };
        let next = |at: usize| self.tokens.get(at + 1).copied().unwrap_or("");
        let last = self.outside.last().copied().unwrap_or(self.head);
        if self.kind.is_operator {
            // It concerns values of the types it names.
            let end = body.unwrap_or(last + 1);
            for at in (self.head..end).filter(|at| !self.is_parameter(*at)) {
                add(&mut found, self.tokens[at]);
            }
            for known in ["new", "delete"] {
                if self.tokens[self.head..end].contains(&known) {
                    found.insert(known.to_string());
                }
            }
            if ["dim3", "uint3"].iter().any(|t| found.contains(*t)) {
                let builtin = ["threadIdx", "blockIdx", "blockDim", "gridDim"];
                found.extend(builtin.map(str::to_string));
            }
            return found;
        }
        if self.kind.is_class {
            self.outside
                .iter()
                .for_each(|at| add(&mut found, self.tokens[*at]));
            // The members of an enumeration, and of a class without a name, belong to the scope around.
            let is_nameless = found.is_empty();
            for block in self.blocks {
                let is_open = self.kind.is_enum || is_nameless || self.kind.has_parameters;
                if self.tokens[block.start] == "{" && body.is_none() && is_open {
                    self.tokens[block.clone()]
                        .iter()
                        .for_each(|t| add(&mut found, t));
                }
            }
            return found;
        }
        if let Some(body) = body {
            for &at in self.outside.iter().take_while(|at| **at < body) {
                if self.tokens[at] == ":" {
                    break;
                }
                if matches!(next(at), "(" | "<") {
                    add(&mut found, self.tokens[at]);
                }
            }
            if found.is_empty() {
                self.tokens[self.head..body]
                    .iter()
                    .for_each(|t| add(&mut found, t));
            }
            return found;
        }
        for &at in self.outside {
            if matches!(
                next(at),
                "=" | ";" | "," | "[" | "(" | "{" | ":" | "<" | ")" | ""
            ) {
                add(&mut found, self.tokens[at]);
            }
        }
        for block in self.blocks {
            let inside = &self.tokens[block.clone()];
            let is_declarator = |t: &&str| matches!(*t, "*" | "&" | "&&" | "^");
            // `(N::x)` is what is declared; in `int f(N::T x)` a type stands before a name, as only parameters have it.
            let mut pairs = inside.windows(2);
            let is_parameter = block.start >= self.head + 2
                && pairs.any(|pair| pair.iter().all(|t| may_be_declared(t)));
            let is_of_scope = next(block.start + 1) == "::" && !is_parameter;
            if inside.first() == Some(&"(")
                && inside
                    .get(1)
                    .is_some_and(|t| is_declarator(t) || is_of_scope)
            {
                inside.iter().for_each(|t| add(&mut found, t));
            }
        }
        found
    }

    /// Whether a token is surely the name of a parameter, not its type.
    fn is_parameter(&self, at: usize) -> bool {
        let previous = at.checked_sub(1).map_or("", |at| self.tokens[at]);
        let ends = matches!(self.tokens.get(at + 1), Some(&("," | ")" | "=" | "[")));
        ends && (may_be_declared(previous) || matches!(previous, "*" | "&" | "&&" | ">"))
    }

    /// The name before the parameters, which are the last parentheses before the body.
    fn function(&self) -> String {
        let before = self.outside.iter().copied();
        let head = before.take_while(|at| self.tokens[*at] != ":");
        let names = head.filter(|at| {
            self.tokens.get(at + 1) == Some(&"(") && may_be_declared(self.tokens[*at])
        });
        let last = names.last();
        last.map_or("operator", |at| self.tokens[at]).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    /// The first and last token of each declaration, and what it declares.
    fn check(text: &str, expected: &[(&str, &str)]) {
        let lexed = lex(text);
        let tokens: Vec<&str> = lexed.tokens.iter().map(|t| t.text.as_str()).collect();
        let scope = scope(&tokens);
        let found: Vec<(String, String)> = scope
            .chunks
            .iter()
            .map(|chunk| {
                let names: Vec<&str> = chunk.declares.iter().map(String::as_str).collect();
                (tokens[chunk.tokens.clone()].join(" "), names.join(" "))
            })
            .collect();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(found, expected);
        assert!(scope.is_balanced);
    }

    #[test]
    fn functions_end_with_their_body() {
        check(
            "int f(int a) { return a; } ;",
            &[("int f ( int a ) { return a ; }", "f"), (";", "")],
        );
        check(
            "template <class T, int N = (3 > 2)> T f(T a) { { } } int g();",
            &[
                (
                    "template < class T , int N = ( 3 > 2 ) > T f ( T a ) { { } }",
                    "f",
                ),
                ("int g ( ) ;", "g"),
            ],
        );
        check(
            "S::S(int x) : a{1}, b(2) { } template <> float4 g<int>(u v) { }",
            &[
                ("S :: S ( int x ) : a { 1 } , b ( 2 ) { }", "S"),
                ("template < > float4 g < int > ( u v ) { }", "g"),
            ],
        );
        check(
            "int f() try { } catch (...) { } int a;",
            &[
                ("int f ( ) try { } catch ( ... ) { }", "f"),
                ("int a ;", "a"),
            ],
        );
    }

    #[test]
    fn others_end_with_a_semicolon() {
        check(
            "int a[] = {1, 2}, *b; dim3 g(4), h{2};",
            &[
                ("int a [ ] = { 1 , 2 } , * b ;", "a b"),
                ("dim3 g ( 4 ) , h { 2 }", "g"),
                (";", ""),
            ],
        );
        check(
            "struct __attribute__((aligned(16))) S : B<(1)> { u v; } s;",
            &[(
                "struct __attribute__ ( ( aligned ( 16 ) ) ) S : B < ( 1 ) > { u v ; } s ;",
                "B S s",
            )],
        );
        check(
            "typedef struct { int v; } T; typedef u (*F)(int);",
            &[
                ("typedef struct { int v ; } T ;", "T"),
                ("typedef u ( * F ) ( int ) ;", "F u"),
            ],
        );
        check("enum { A = 1, B };", &[("enum { A = 1 , B } ;", "A B")]);
        check(
            "void f(n::T a, n::T b = c); int (N::x) = 5; int (C::*p)(n::T);",
            &[
                ("void f ( n :: T a , n :: T b = c ) ;", "f"),
                ("int ( N :: x ) = 5 ;", "N x"),
                ("int ( C :: * p ) ( n :: T ) ;", "C T n p"),
            ],
        );
        check(
            "static union { int a; };",
            &[("static union { int a ; } ;", "a")],
        );
        check(
            "using n::max; using R = u<int>; const N n = M;",
            &[
                ("using n :: max ;", "max"),
                ("using R = u < int > ;", "R u"),
                ("const N n = M ;", "M n"),
            ],
        );
        check(
            "auto f = [](int x) { return x; };",
            &[("auto f = [ ] ( int x ) { return x ; } ;", "f")],
        );
    }

    #[test]
    fn operators_concern_their_types() {
        check(
            "V operator+(V a, u b) { return a; }",
            &[("V operator + ( V a , u b ) { return a ; }", "V u")],
        );
        check(
            "dim3 operator()(u b);",
            &[(
                "dim3 operator ( ) ( u b ) ;",
                "blockDim blockIdx dim3 gridDim threadIdx u",
            )],
        );
    }

    #[test]
    fn namespaces_are_looked_into() {
        check(
            "namespace a::b { int f() { } } extern \"C\" { int g; } namespace c = a;",
            &[
                ("int f ( ) { }", "f"),
                ("int g ;", "g"),
                ("namespace c = a ;", "a c"),
            ],
        );
    }
}
