//! Which part of the prelude declares which names, and which parts it needs.

use super::parts::{ALWAYS, PARTS, Part, Set, WORDS, asked_for};
use crate::clang::stand_ins;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What the prelude says.
pub(super) struct Table {
    /// The parts that declare a name.
    pub names: HashMap<&'static str, Set>,
    /// Of each part, those whose names it uses, and those that these use.
    pub needs: Vec<Set>,
    /// The words of what macros outside of the parts stand for.
    pub macros: HashMap<&'static str, Vec<&'static str>>,
}

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let texts =
        |part: &Part| -> Vec<&'static str> { part.headers.iter().map(|h| text(h)).collect() };
    // What stands in a class is not named without it.
    let declaring = |part: &Part| {
        let headers = part.headers.iter().filter(|h| !h.ends_with("_members.h"));
        headers.map(|h| declared(text(h))).collect::<Vec<_>>()
    };
    let always = ALWAYS.iter().map(|h| declared(text(h)).names);
    let always: HashSet<&str> = always.flatten().collect();
    let is_name = |name: &&str| name.len() > 1 && !WORDS.contains(name) && !always.contains(name);
    let mut names: HashMap<&'static str, Set> = HashMap::new();
    for (number, part) in PARTS.iter().enumerate() {
        let all = declaring(part).into_iter();
        let all = all.flat_map(|Declared { names, written, .. }| names.into_iter().chain(written));
        for name in all.filter(is_name) {
            *names.entry(name).or_default() |= 1 << number;
        }
    }
    for (number, part) in PARTS.iter().enumerate() {
        let all = declaring(part)
            .into_iter()
            .flat_map(|found| found.announced);
        for name in all.filter(is_name) {
            names.entry(name).or_insert(1 << number);
        }
    }
    let used = |part: &Part| -> Vec<Set> {
        let announced = declaring(part)
            .into_iter()
            .flat_map(|found| found.announced);
        let announced: HashSet<&str> = announced.collect();
        let words = texts(part).into_iter().flat_map(words_of_code);
        let others = words.filter(|word| !announced.contains(word));
        let known = others.filter_map(|word| names.get(word).copied());
        known.map(asked_for).collect()
    };
    // A name that several declare is its own in each, and a class that it only announces is not needed.
    let mut needs: Vec<Set> = PARTS
        .iter()
        .zip(0..)
        .map(|(part, number)| {
            let others = used(part)
                .into_iter()
                .filter(|parts| parts >> number & 1 == 0);
            others.fold(0, |all, parts| all | parts)
        })
        .collect();
    for _ in PARTS {
        for number in 0..needs.len() {
            let more = needs.iter().zip(0..);
            let more = more.filter(|(_, other)| needs[number] >> other & 1 == 1);
            needs[number] |= more.fold(0, |all, (parts, _)| all | parts);
        }
    }
    let macros = macros(text(stand_ins::CUDA_PRELUDE)).collect();
    Table {
        names,
        needs,
        macros,
    }
});

pub(super) fn text(header: &str) -> &'static str {
    let found = stand_ins::files().iter().find(|(name, _)| name == header);
    found.map_or("", |(_, text)| text)
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Those of a header of ours that stand in no comment.
pub(super) fn words_of_code(text: &str) -> impl Iterator<Item = &str> {
    let code = |line| str::split(line, "//").next().unwrap_or_default();
    text.lines().map(code).flat_map(words)
}

/// The macros of a text, with the words of what they stand for.
fn macros(text: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            let Some(defined) = line.strip_prefix("#define ") else {
                continue;
            };
            let mut all: Vec<&str> = words(defined).collect();
            let mut last = line;
            while last.ends_with('\\') {
                last = lines.next()?;
                all.extend(words(last));
            }
            if !all.is_empty() {
                let name = all.remove(0);
                return Some((name, all));
            }
        }
    })
}

/// The names that a header of ours declares.
#[derive(Default)]
struct Declared {
    /// At file scope, in a namespace or in an enumeration, and those of its macros; some others beside them.
    names: HashSet<&'static str>,
    /// Of classes, of which it does not say more here.
    announced: HashSet<&'static str>,
    /// What macros of it stand for, if that is one word: a declaration may be written by that macro.
    written: HashSet<&'static str>,
}

fn declared(text: &'static str) -> Declared {
    let mut found = Declared::default();
    for (name, body) in macros(text) {
        found.names.insert(name);
        if let [written] = body[..] {
            found.written.insert(written);
        }
    }
    let code = text.lines().filter(|line| !line.starts_with('#'));
    let code = code.map(|line| line.split("//").next().unwrap_or_default());
    // Whether what stands in an open brace is declared at file scope.
    let mut braces: Vec<bool> = Vec::new();
    let (mut parentheses, mut head) = (0usize, String::new());
    let mut before = "";
    for line in code {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match is_word(c) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => c.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            rest = after;
            match token {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                "{" => {
                    let is_transparent = ["extern", "namespace", "enum"]
                        .iter()
                        .any(|word| words(&head).any(|w| w == *word));
                    braces.push(is_transparent && braces.iter().all(|open| *open));
                    head.clear();
                }
                "}" => {
                    braces.pop();
                    head.clear();
                }
                ";" => head.clear(),
                _ => {
                    let next = rest.trim_start().chars().next();
                    let is_at_file_scope = parentheses == 0 && braces.iter().all(|open| *open);
                    if is_word(c) && is_at_file_scope {
                        let ends = next.is_none_or(|next| "(;,=}[{:".contains(next));
                        let is_tag = ["struct", "class", "union", "enum"].contains(&before);
                        let is_announced = is_tag && head.trim() == before && next == Some(';');
                        if is_announced {
                            found.announced.insert(token);
                        } else if ends || is_tag {
                            found.names.insert(token);
                        }
                        head.push(' ');
                        head.push_str(token);
                    }
                }
            }
            if !token.trim().is_empty() {
                before = token;
            }
        }
    }
    found
}
