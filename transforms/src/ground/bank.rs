//! The bank: every term once.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::collections::{HashMap, HashSet};
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
    /// With the hash, so that a larger table is filled without a look at the terms.
    numbers: HashTable<(TermId, u64)>,
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

    /// Whether there is no room for more: numbers are of 32 bits, and so many terms are gigabytes.
    pub(super) fn is_full(&self) -> bool {
        const MOST: usize = 1 << 28;
        self.nodes.len().max(self.args.len()) > MOST
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

    /// A new term, even if there is an equal one: nobody will find it. For what is built on the way to a
    /// normal form, until [`Bank::keep_only`].
    #[inline]
    pub(super) fn scratch(&mut self, head: HeadId, args: &[TermId]) -> TermId {
        let id = TermId(self.nodes.len() as u32);
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, first });
        id
    }

    /// Takes away the terms from `mark` on, none of them to be found, and keeps `term`: it, as one to be
    /// found.
    pub(super) fn keep_only(&mut self, mark: usize, term: TermId, forget: bool) -> TermId {
        if (term.0 as usize) < mark {
            if forget {
                self.truncate(mark);
            }
            return term;
        }
        // Parts before what they are parts of, each once, with references to parts by their place.
        let mut places: HashMap<TermId, u32> = HashMap::new();
        let mut parts: Vec<(HeadId, Vec<TermId>)> = Vec::new();
        let mut open = vec![(term, false)];
        while let Some((part, is_ready)) = open.pop() {
            if places.contains_key(&part) {
                continue;
            }
            let inside = |arg: &TermId| arg.0 as usize >= mark;
            if is_ready {
                let place = |arg: &TermId| match places.get(arg) {
                    Some(place) => TermId(mark as u32 + place),
                    None => *arg,
                };
                let args = self.args_of(part).iter().map(place).collect();
                places.insert(part, parts.len() as u32);
                parts.push((self.head_of(part), args));
            } else {
                open.push((part, true));
                let args = self.args_of(part).iter().copied();
                open.extend(args.filter(inside).map(|arg| (arg, false)));
            }
        }
        if forget {
            self.truncate(mark);
        }
        let mut made: Vec<TermId> = Vec::with_capacity(parts.len());
        for (head, mut args) in parts {
            for arg in &mut args {
                if let Some(place) = (arg.0 as usize).checked_sub(mark) {
                    *arg = made[place];
                }
            }
            made.push(self.term(head, &args));
        }
        made.last().copied().unwrap_or(term)
    }

    fn truncate(&mut self, mark: usize) {
        if let Some(node) = self.nodes.get(mark) {
            self.args.truncate(node.first as usize);
        }
        self.nodes.truncate(mark);
    }

    /// Whether two terms are equal; those before `mark` are the same number then.
    pub(super) fn equal(&self, mark: usize, a: TermId, b: TermId) -> bool {
        let mut open = vec![(a, b)];
        let mut compared = 0;
        let mut seen: HashSet<(TermId, TermId)> = HashSet::new();
        while let Some((a, b)) = open.pop() {
            if a == b {
                continue;
            }
            let both_found = (a.0.max(b.0) as usize) < mark;
            if both_found || self.head_of(a) != self.head_of(b) {
                return false;
            }
            compared += 1;
            // Shared parts are met again and again.
            if compared > 64 && !seen.insert((a, b)) {
                continue;
            }
            let pairs = self.args_of(a).iter().zip(self.args_of(b));
            open.extend(pairs.map(|(a, b)| (*a, *b)));
        }
        true
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
        let found = numbers.find(hashed, |&(id, own)| {
            let node = nodes[id.0 as usize];
            let (from, to) = slice(all, node);
            own == hashed && node.head == head && all[from..to] == *args
        });
        if let Some(&(known, _)) = found {
            return known;
        }
        let id = TermId(nodes.len() as u32);
        let first = all.len() as u32;
        all.extend_from_slice(args);
        nodes.push(Node { head, first });
        numbers.insert_unique(hashed, (id, hashed), |&(_, hashed)| hashed);
        id
    }
}
