//! Types of lambdas inside templates. clang names such a type by its place, so two types in two instances of one
//! template have the same name. Where they differ, each instance gets names of its own. A type that leaves its
//! instance, as the argument of another template, keeps a name that then means nothing.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use std::collections::{HashMap, HashSet};

/// For clang's name of a lambda's type: the types of the captures of the different lambdas at that place.
type Held = HashMap<String, HashSet<Vec<String>>>;

/// Gives names to the lambdas at places with several types.
pub(crate) fn name_apart(tree: &mut Node) {
    let mut held = Held::new();
    collect(tree, &mut held);
    held.retain(|_, fields| fields.len() > 1);
    if !held.is_empty() {
        let several: HashSet<String> = held.into_keys().collect();
        instances(tree, &several, &mut 0);
    }
}

/// The template itself, before instantiation, has no types yet.
fn is_pattern(template: &Node, position: usize) -> bool {
    let is_definition = |n: &Node| n.kind().is_function() || n.kind().is_of_cxx();
    let is_template = matches!(
        template.kind(),
        Kind::FunctionTemplateDecl | Kind::ClassTemplateDecl
    );
    is_template && template.inner.iter().position(is_definition) == Some(position)
}

fn collect(node: &Node, into: &mut Held) {
    if let Some((text, record)) = lambda(node) {
        let fields = record.inner.iter().filter(|n| n.is(Kind::FieldDecl));
        let types = fields.map(|field| field.type_text().to_string());
        into.entry(text.to_string())
            .or_default()
            .insert(types.collect());
    }
    for (position, inner) in node.inner.iter().enumerate() {
        if !is_pattern(node, position) {
            collect(inner, into);
        }
    }
}

/// A lambda's type as clang writes it, and its declaration.
fn lambda(node: &Node) -> Option<(&str, &Node)> {
    let record = node.child(0).filter(|_| node.is(Kind::LambdaExpr))?;
    let text = node.type_text();
    text.starts_with("(lambda at ").then_some((text, record))
}

/// Visits the bodies of functions, from the outside.
fn instances(node: &mut Node, several: &HashSet<String>, n_named: &mut usize) {
    for position in 0..node.inner.len() {
        if is_pattern(node, position) {
            continue;
        }
        let inner = &mut node.inner[position];
        if !inner.is(Kind::CompoundStmt) {
            instances(inner, several, n_named);
            continue;
        }
        let mut own = Held::new();
        collect(inner, &mut own);
        for text in own.into_keys().filter(|text| several.contains(text)) {
            *n_named += 1;
            if let Some(name) = name_of(&text, *n_named) {
                rename(inner, &text, &name);
            }
        }
    }
}

/// `(lambda at file.cu:3:4)` as the second is `lambda_at_3_4_2`.
fn name_of(text: &str, number: usize) -> Option<String> {
    let mut numbers = text.trim_end_matches(')').rsplit(':');
    let (column, line) = (numbers.next()?, numbers.next()?);
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    Some(format!(
        "{}_{number}",
        crate::syntax::type_place::lambda(line, column)
    ))
}

fn rename(node: &mut Node, text: &str, name: &str) {
    let is_it = lambda(node).is_some_and(|(own, _)| own == text);
    let kind = &mut node.kind;
    let types = [
        &mut kind.ty,
        &mut kind.arg_type,
        &mut kind.compute_result_type,
        &mut kind.ctor_type,
    ];
    for ty in types.into_iter().flatten() {
        ty.qual_type = ty.qual_type.replace(text, name);
        if let Some(desugared) = &mut ty.desugared_qual_type {
            *desugared = desugared.replace(text, name);
        }
    }
    for inner in node.inner.iter_mut().chain(&mut node.kind.array_filler) {
        rename(inner, text, name);
    }
    if is_it && let Some(record) = node.inner.first_mut() {
        record.kind.name = Some(name.to_string());
    }
}
