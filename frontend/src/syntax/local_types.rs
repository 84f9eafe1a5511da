//! Names of types that functions declare for themselves. clang writes the type of an expression with
//! them (`const vec_t *`), and in each instance of a template such a name means another type. Where one
//! name means several, it is replaced by what it means, function by function.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use std::collections::{HashMap, HashSet};

/// What each name means: the texts of types.
type Meanings = HashMap<String, HashSet<String>>;

/// Replaces the names that mean several types.
pub(crate) fn settle(tree: &mut Node) {
    let mut meanings = Meanings::new();
    collect(tree, &mut meanings);
    meanings.retain(|_, texts| texts.len() > 1);
    if !meanings.is_empty() {
        visit(tree, &meanings);
    }
}

fn alias(node: &Node) -> Option<(&str, &str)> {
    let is_alias = matches!(node.kind(), Kind::TypedefDecl | Kind::TypeAliasDecl);
    let ty = node.kind.ty.as_ref().filter(|_| is_alias)?;
    let text = ty.desugared_qual_type.as_deref().unwrap_or(ty.text());
    Some((node.name(), text))
}

fn collect(node: &Node, into: &mut Meanings) {
    if let Some((name, text)) = alias(node) {
        into.entry(name.to_string())
            .or_default()
            .insert(text.to_string());
    }
    node.inner.iter().for_each(|inner| collect(inner, into));
}

fn visit(node: &mut Node, several: &Meanings) {
    let is_function = node.inner.iter().any(|n| n.is(Kind::CompoundStmt))
        && (node.kind().is_function() || node.kind().is_of_cxx());
    if is_function {
        let mut own = Meanings::new();
        for body in node.inner.iter().filter(|n| n.is(Kind::CompoundStmt)) {
            collect(body, &mut own);
        }
        // A pointer or an array is no text to stand in for a name: `const name`.
        let is_plain = |text: &str| !text.contains(['*', '&', '[', '(']);
        let one: HashMap<String, String> = own
            .into_iter()
            .filter(|(name, texts)| several.contains_key(name) && texts.len() == 1)
            .filter_map(|(name, texts)| Some((name, texts.into_iter().next()?)))
            .filter(|(name, text)| is_plain(text) && replaced(text, name, "").is_none())
            .collect();
        if !one.is_empty() {
            for body in node.inner.iter_mut().filter(|n| n.is(Kind::CompoundStmt)) {
                replace(body, &one);
            }
        }
    }
    for inner in &mut node.inner {
        visit(inner, several);
    }
}

fn replace(node: &mut Node, meant: &HashMap<String, String>) {
    let kind = &mut node.kind;
    let types = [
        &mut kind.ty,
        &mut kind.arg_type,
        &mut kind.compute_result_type,
        &mut kind.ctor_type,
    ];
    for ty in types.into_iter().flatten() {
        for (name, text) in meant {
            if let Some(plain) = replaced(&ty.qual_type, name, text) {
                ty.qual_type = plain;
            }
            if let Some(desugared) = &mut ty.desugared_qual_type
                && let Some(plain) = replaced(desugared, name, text)
            {
                *desugared = plain;
            }
        }
    }
    for inner in node.inner.iter_mut().chain(&mut node.kind.array_filler) {
        replace(inner, meant);
    }
}

/// `text` with `by` wherever the word `name` stands, which is no part of a longer name; `None`: nowhere.
fn replaced(text: &str, name: &str, by: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let mut found = false;
    let mut made = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let follows_word = match before {
            "" => made.ends_with(is_word),
            _ => before.ends_with(is_word),
        };
        let apart = !follows_word && !after.starts_with(is_word);
        made += before;
        made += if apart { by } else { name };
        found |= apart;
        rest = after;
    }
    made += rest;
    found.then_some(made)
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn whole_words_only() {
        let check = |text: &str, expected: Option<&str>| {
            let made = replaced(text, "vec_t", "data_t<float, 4>");
            assert_eq!(made.as_deref(), expected, "{text}");
        };
        check("const vec_t *", Some("const data_t<float, 4> *"));
        check(
            "pair<vec_t, vec_t>",
            Some("pair<data_t<float, 4>, data_t<float, 4>>"),
        );
        check("my_vec_t *", None);
        check("vec_tvec_t", None);
        check("outer::vec_t", None);
        check("vec_t::inner", None);
    }
}
