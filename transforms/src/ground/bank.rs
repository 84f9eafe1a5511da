//! The bank: every term once.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A term of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// A head of a bank, with the number of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeadId(pub u32);

/// What stands before the arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// `_f` with so many arguments.
    Function(Arc<str>, u32),
    Int(i128),
    /// The empty list.
    Nil,
    /// First element, rest.
    Cons,
}

impl Head {
    pub fn n_args(&self) -> usize {
        match self {
            Head::Function(_, n) => *n as usize,
            Head::Int(_) | Head::Nil => 0,
            Head::Cons => 2,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    head: HeadId,
    first: u32,
}

/// Terms by number, and numbers by term.
#[derive(Clone, Debug, Default)]
pub struct Bank {
    heads: Vec<Head>,
    head_numbers: HashMap<Head, HeadId>,
    /// By head: number of arguments.
    n_args: Vec<u32>,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    numbers: HashTable<TermId>,
}

fn hash(head: HeadId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    head.0.hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

impl Bank {
    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn head_number(&mut self, head: &Head) -> HeadId {
        if let Some(&known) = self.head_numbers.get(head) {
            return known;
        }
        let number = HeadId(self.heads.len() as u32);
        self.heads.push(head.clone());
        self.n_args.push(head.n_args() as u32);
        self.head_numbers.insert(head.clone(), number);
        number
    }

    pub fn head(&self, number: HeadId) -> &Head {
        &self.heads[number.0 as usize]
    }

    #[inline]
    pub fn n_args(&self, head: HeadId) -> usize {
        self.n_args[head.0 as usize] as usize
    }

    #[inline]
    pub fn head_of(&self, term: TermId) -> HeadId {
        self.nodes[term.0 as usize].head
    }

    #[inline]
    pub fn args_of(&self, term: TermId) -> &[TermId] {
        let Node { head, first } = self.nodes[term.0 as usize];
        &self.args[first as usize..first as usize + self.n_args(head)]
    }

    /// The term with this head and these arguments, as many as the head takes.
    #[inline]
    pub fn term(&mut self, head: HeadId, args: &[TermId]) -> TermId {
        debug_assert_eq!(args.len(), self.n_args(head));
        let Bank {
            nodes,
            args: all,
            numbers,
            n_args,
            ..
        } = self;
        let slice = |all: &'_ [TermId], node: Node| -> (usize, usize) {
            let first = node.first as usize;
            debug_assert!(first <= all.len());
            (first, first + n_args[node.head.0 as usize] as usize)
        };
        let hashed = hash(head, args);
        let found = numbers.find(hashed, |&id| {
            let node = nodes[id.0 as usize];
            let (from, to) = slice(all, node);
            node.head == head && all[from..to] == *args
        });
        if let Some(&known) = found {
            return known;
        }
        let id = TermId(nodes.len() as u32);
        let first = all.len() as u32;
        all.extend_from_slice(args);
        nodes.push(Node { head, first });
        numbers.insert_unique(hashed, id, |&id| {
            let node = nodes[id.0 as usize];
            let (from, to) = slice(all, node);
            hash(node.head, &all[from..to])
        });
        id
    }
}
