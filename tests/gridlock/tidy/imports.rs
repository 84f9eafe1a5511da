//! Who imports whom: the modules of a crate, read from its sources, and for each path in one the module that
//! defines what it names, also behind re-exports.

use std::collections::{BTreeMap, BTreeSet};

/// The path of a module from the root of its crate; the root's is empty.
pub type Module = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
pub struct Crate {
    /// As its binary, its tests and other crates name it.
    name: String,
    sources: BTreeMap<Module, Source>,
}

/// What one module says.
#[derive(Default)]
struct Source {
    imports: Vec<Import>,
    /// Names of the items it defines.
    items: BTreeSet<String>,
    /// Paths of two words or more, outside of `use`.
    paths: Vec<Vec<String>>,
}

/// One name that a `use` brings.
struct Import {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

/// Re-exports looked through for one name.
const MOST_STEPS: usize = 16;

impl Crate {
    /// The crate of these files: their paths from `src`, and their texts.
    pub fn of(name: &str, files: impl IntoIterator<Item = (String, String)>) -> Crate {
        let sources = files
            .into_iter()
            .map(|(file, text)| (module_of(&file), read(&words_of(&text))));
        Crate {
            name: name.to_owned(),
            sources: sources.collect(),
        }
    }

    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.sources.keys()
    }

    /// The modules that define what `module` names.
    pub fn imports(&self, module: &Module) -> BTreeSet<Module> {
        let source = &self.sources[module];
        let imported = source.imports.iter().map(|import| &import.path);
        self.defining(module, imported.chain(&source.paths))
    }

    /// The modules that define what `module` re-exports.
    pub fn re_exports(&self, module: &Module) -> BTreeSet<Module> {
        let imports = self.sources[module].imports.iter();
        let public = imports.filter(|import| import.is_public);
        self.defining(module, public.map(|import| &import.path))
    }

    fn defining<'a>(
        &self,
        module: &Module,
        paths: impl Iterator<Item = &'a Vec<String>>,
    ) -> BTreeSet<Module> {
        let found = paths.filter_map(|path| {
            let path = match path.split_last() {
                Some((last, of)) if last == "*" => of,
                _ => path,
            };
            // `Type::function`, `Enum::Variant`: where the type is.
            let known = self.find(module, path, MOST_STEPS);
            known.or_else(|| self.find(module, &path[..path.len() - 1], MOST_STEPS))
        });
        found.filter(|of| of != module).collect()
    }

    /// The module that defines what `path` names in `module`; `None` where that is no item of this crate.
    fn find(&self, module: &Module, path: &[String], steps: usize) -> Option<Module> {
        let mut at = module.clone();
        let mut rest = path;
        match rest.first().map(String::as_str) {
            Some(first) if first == "crate" || first == self.name => {
                at.clear();
                rest = &rest[1..];
            }
            Some("self") => rest = &rest[1..],
            _ => {
                while rest.first().is_some_and(|word| word == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
        }
        loop {
            let Some(name) = rest.first() else {
                return Some(at);
            };
            let mut child = at.clone();
            child.push(name.clone());
            if self.sources.contains_key(&child) {
                at = child;
                rest = &rest[1..];
                continue;
            }
            let source = self.sources.get(&at)?;
            let steps = steps.checked_sub(1)?;
            let named = |import: &&Import| import.name == *name;
            if let Some(import) = source.imports.iter().find(named) {
                return self.find(&at, &[&import.path, &rest[1..]].concat(), steps);
            }
            if source.items.contains(name) {
                return Some(at);
            }
            let globs = source.imports.iter().filter(|import| import.name == "*");
            return globs
                .filter(|import| self.is_here(&at, import))
                .find_map(|import| {
                    let of = &import.path[..import.path.len() - 1];
                    self.find(&at, &[of, rest].concat(), steps)
                });
        }
    }

    /// Whether a `use` in a module names something of this crate.
    fn is_here(&self, module: &Module, import: &Import) -> bool {
        let first = &import.path[0];
        let child = [module.as_slice(), std::slice::from_ref(first)].concat();
        matches!(first.as_str(), "crate" | "self" | "super")
            || *first == self.name
            || self.sources.contains_key(&child)
    }
}

/// Sets of two modules or more that import each other, directly or through others.
pub fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<BTreeSet<Module>> {
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Module> = vec![from];
        while let Some(module) = open.pop() {
            for next in imports.get(module).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = imports
        .keys()
        .map(|module| (module, reached(module)))
        .collect();
    let circle = |module: &Module| -> BTreeSet<Module> {
        let back =
            |other: &&Module| reached[module].contains(*other) && reached[*other].contains(module);
        imports.keys().filter(back).cloned().collect()
    };
    imports
        .keys()
        .map(circle)
        .filter(|circle| circle.len() > 1)
        .collect()
}

fn module_of(file: &str) -> Module {
    let mut path: Module = file
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib")) {
        path.pop();
    }
    path
}

/// The words and signs of a source, without comments, text, lifetimes and what is compiled for tests only; `::` is one sign.
fn words_of(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    let starts = |at: usize, what: &str| {
        what.chars()
            .enumerate()
            .all(|(k, c)| chars.get(at + k) == Some(&c))
    };
    while let Some(&c) = chars.get(at) {
        if starts(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            while at < chars.len() && !starts(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += 1 + usize::from(chars[at] == '\\');
            }
            at += 1;
        } else if starts(at, "r\"") || starts(at, "r#\"") {
            let end = if starts(at, "r\"") { "\"" } else { "\"#" };
            at += 1 + end.len();
            while at < chars.len() && !starts(at, end) {
                at += 1;
            }
            at += end.len();
        } else if c == '\'' {
            // A character, or a lifetime: only the first has an end.
            let escaped = usize::from(chars.get(at + 1) == Some(&'\\'));
            let end = (at + 2 + escaped..at + 12).find(|&k| chars.get(k) == Some(&'\''));
            at = match end {
                Some(end) if end == at + 2 || escaped == 1 => end + 1,
                _ => at + 1,
            };
        } else if c.is_alphanumeric() || c == '_' {
            let begin = at;
            while chars
                .get(at)
                .is_some_and(|c| c.is_alphanumeric() || *c == '_')
            {
                at += 1;
            }
            words.push(chars[begin..at].iter().collect());
        } else {
            let width = if starts(at, "::") { 2 } else { 1 };
            if !c.is_whitespace() {
                words.push(chars[at..at + width].iter().collect());
            }
            at += width;
        }
    }
    without_tests(&words)
}

/// Leaves out `#[cfg(test)] mod name { … }`, and what is compiled for tests of some systems.
fn without_tests(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if let Some(begin) = body_of_tests(&words[at..]) {
            at += begin + 1;
            let mut depth = 1;
            while depth > 0 && at < words.len() {
                depth += i32::from(words[at] == "{") - i32::from(words[at] == "}");
                at += 1;
            }
        } else {
            kept.push(words[at].clone());
            at += 1;
        }
    }
    kept
}

/// Where the body begins of a module for tests that stands at the first word.
fn body_of_tests(words: &[String]) -> Option<usize> {
    let starts =
        |what: &[&str]| words.len() > what.len() && what.iter().zip(words).all(|(a, b)| a == b);
    if !starts(&["#", "[", "cfg", "(", "test", ")"])
        && !starts(&["#", "[", "cfg", "(", "all", "(", "test", ","])
    {
        return None;
    }
    let end = words.iter().position(|word| word == "]")?;
    let is_body = words.get(end + 1)? == "mod" && words.get(end + 3)? == "{";
    is_body.then_some(end + 3)
}

fn read(words: &[String]) -> Source {
    let mut source = Source::default();
    let mut at = 0;
    while at < words.len() {
        let before = at.checked_sub(1).map(|k| words[k].as_str());
        match words[at].as_str() {
            "use" => {
                let end = words[at..].iter().position(|word| word == ";");
                let end = at + end.unwrap_or(words.len() - at);
                let is_public = matches!(before, Some("pub" | ")"));
                tree(
                    &mut Vec::new(),
                    &words[at + 1..end],
                    is_public,
                    &mut source.imports,
                );
                at = end;
            }
            // `pub(in crate::explore)` says who may see, and names nothing.
            "in" if before == Some("(") => {
                while at < words.len() && words[at] != ")" {
                    at += 1;
                }
            }
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                source.items.extend(words.get(at + 1).cloned());
                at += 1;
            }
            _ if before != Some("::") && is_word(&words[at]) => {
                let mut path = vec![words[at].clone()];
                while words.get(at + 1).is_some_and(|sign| sign == "::")
                    && words.get(at + 2).is_some_and(|word| is_word(word))
                {
                    path.push(words[at + 2].clone());
                    at += 2;
                }
                if path.len() > 1 {
                    source.paths.push(path);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    source
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names that a `use` brings: `a::{self, b as c, d::*}`.
fn tree(prefix: &mut Vec<String>, words: &[String], is_public: bool, found: &mut Vec<Import>) {
    let depth = prefix.len();
    let mut alias = None;
    let mut at = 0;
    while at < words.len() {
        match words[at].as_str() {
            "::" => {}
            "as" => {
                alias = words.get(at + 1).cloned();
                at += 1;
            }
            "{" => {
                let mut level = 0;
                let mut begin = at + 1;
                for k in at..words.len() {
                    level += i32::from(words[k] == "{") - i32::from(words[k] == "}");
                    if level == 0 || level == 1 && words[k] == "," {
                        if begin < k {
                            tree(prefix, &words[begin..k], is_public, found);
                        }
                        begin = k + 1;
                    }
                }
                prefix.truncate(depth);
                return;
            }
            word => prefix.push(word.to_owned()),
        }
        at += 1;
    }
    let mut path = prefix.clone();
    if path.len() > 1 && path.last().is_some_and(|word| word == "self") {
        path.pop();
    }
    prefix.truncate(depth);
    let name = alias.or_else(|| path.last().cloned());
    found.extend(name.map(|name| Import {
        path,
        name,
        is_public,
    }));
}
