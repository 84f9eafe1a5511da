//! Which constructor makes an object. clang's tree gives the class and the type of the constructor, not its
//! declaration, so of local classes that share their names in several functions, or in several instances of a
//! template, it is the one that stands in the same function as the object.

use super::Unit;
use crate::refusal::Refusal;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use clang_ast::Id;
use std::collections::HashMap;

/// The class and the type of a constructor.
type Key = (String, String);

#[derive(Default)]
pub(crate) struct Constructors {
    by_key: HashMap<Key, Vec<usize>>,
    /// Which of several is meant, by the expression that calls it; `None`: the function has two such classes.
    by_call: HashMap<Id, Option<usize>>,
}

impl<'a> Unit<'a> {
    pub(super) fn settle_constructors(&mut self) {
        for (index, function) in self.functions.iter().enumerate() {
            let Some(record) = &function.record else {
                continue;
            };
            if function.node.is(Kind::CXXConstructorDecl) {
                let key = (record.clone(), function.node.type_text().to_string());
                let found = self.constructors.by_key.entry(key).or_default();
                // The body of a lambda stands in the tree twice.
                if found
                    .iter()
                    .all(|&f| self.functions[f].node.id != function.node.id)
                {
                    found.push(index);
                }
            }
        }
        let several = |found: &&Vec<usize>| found.len() > 1;
        let doubtful: Vec<usize> = {
            let found = self.constructors.by_key.values().filter(several);
            found.flatten().copied().collect()
        };
        if doubtful.is_empty() {
            return;
        }
        let mut by_call = HashMap::new();
        for index in doubtful {
            if let Some(around) = self.around(self.functions[index].node.id) {
                let key = self.key_of_constructor(index);
                self.note_calls(around, &key, index, &mut by_call);
            }
        }
        self.constructors.by_call = by_call;
        for index in 0..self.functions.len() {
            if let Some(node) = self.unclear_call(self.functions[index].node) {
                self.functions[index].trouble = Some(Refusal {
                    span: self.files.span(node),
                    message: "an object of a class that shares its name with another".to_owned(),
                    cause: None,
                });
            }
        }
    }

    /// The constructor that makes an object.
    pub fn constructor(&self, node: &Node) -> Option<usize> {
        let key = self.key_of_call(node)?;
        match self.constructors.by_key.get(&key)?.as_slice() {
            [one] => Some(*one),
            _ => self.constructors.by_call.get(&node.id).copied().flatten(),
        }
    }

    fn key_of_call(&self, node: &Node) -> Option<Key> {
        let signature = node.kind.ctor_type.as_ref()?;
        match self.type_of(node).ty {
            CType::Record(record) => Some((record.name.clone(), signature.qual_type.clone())),
            _ => None,
        }
    }

    fn key_of_constructor(&self, index: usize) -> Key {
        let function = &self.functions[index];
        let record = function.record.clone().unwrap_or_default();
        (record, function.node.type_text().to_string())
    }

    /// The innermost function that a declaration stands in.
    fn around(&self, id: Id) -> Option<&'a Node> {
        let nodes = self.functions.iter().map(|function| function.node);
        let holding = nodes.filter(|node| node.id != id && holds(node, id));
        holding.min_by_key(|node| size(node))
    }

    fn note_calls(
        &self,
        node: &Node,
        key: &Key,
        index: usize,
        into: &mut HashMap<Id, Option<usize>>,
    ) {
        if self.key_of_call(node).as_ref() == Some(key) {
            let of_one = |known: &Option<usize>| *known == Some(index);
            let is_one = into.get(&node.id).is_none_or(of_one);
            into.insert(node.id, is_one.then_some(index));
        }
        for child in &node.inner {
            self.note_calls(child, key, index, into);
        }
    }

    /// An object of which the constructor is not known, although there are several.
    fn unclear_call<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        let found = self.key_of_call(node);
        let found = found.and_then(|key| self.constructors.by_key.get(&key));
        let is_unclear = found.is_some_and(|found| found.len() > 1)
            && self
                .constructors
                .by_call
                .get(&node.id)
                .copied()
                .flatten()
                .is_none();
        match is_unclear {
            true => Some(node),
            false => node.inner.iter().find_map(|child| self.unclear_call(child)),
        }
    }
}

fn holds(node: &Node, id: Id) -> bool {
    node.id == id || node.inner.iter().any(|child| holds(child, id))
}

fn size(node: &Node) -> usize {
    1 + node.inner.iter().map(size).sum::<usize>()
}
