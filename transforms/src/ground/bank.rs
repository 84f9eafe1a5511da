//! The bank: every term once.
//!
//! A term is the place of its head in one vector; its arguments stand behind it. What is built on the way
//! to a normal form stands there too, at the end, and is not looked up: the *young* terms, of which the
//! parts of the normal form alone are kept.

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::HashSet;
use std::hash::Hasher;
use std::sync::Arc;

/// A term of a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// A head of a bank, with the number of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// Terms by number, and numbers by term.
#[derive(Clone, Debug, Default)]
pub struct Bank {
    heads: Vec<Head>,
    head_numbers: FxHashMap<Head, HeadId>,
    /// By head: number of arguments.
    n_args: Vec<u32>,
    /// Head, arguments, head, arguments, …; the number of a head is kept as if it were that of a term.
    cells: Vec<TermId>,
    /// With half of the hash, so that a larger table is filled without a look at the terms.
    numbers: HashTable<(TermId, u32)>,
    kept: Kept,
}

/// What [`Bank::keep_only`] works with, kept from one time to the next.
#[derive(Clone, Debug, Default)]
struct Kept {
    heads: Vec<(TermId, HeadId)>,
    parts: Vec<TermId>,
    open: Vec<(TermId, bool)>,
    made: Vec<TermId>,
}

/// Places of terms leave this bit free.
const MARK: u32 = 1 << 31;
/// Cells of a full bank: gigabytes.
const MOST: usize = 1 << 29;

#[inline]
fn hash(head: HeadId, args: &[TermId]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(head.0);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish() as u32
}

/// All bits of what the table asks for, out of those that are kept.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(32)
}

impl Bank {
    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether there is no room for more: numbers are of 32 bits, and so many terms are gigabytes.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.cells.len() > MOST
    }

    /// Behind the last term: later ones are this number or a larger one.
    pub(super) fn end(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn head_number(&mut self, head: &Head) -> HeadId {
        if let Some(&known) = self.head_numbers.get(head) {
            return known;
        }
        let number = HeadId(self.heads.len() as u32);
        self.heads.push(head.clone());
        self.n_args.push(head.n_args() as u32);
        self.head_numbers.insert(head.clone(), number);
        number
    }

    pub(crate) fn head(&self, number: HeadId) -> &Head {
        &self.heads[number.0 as usize]
    }

    #[inline]
    pub(crate) fn n_args(&self, head: HeadId) -> usize {
        self.n_args[head.0 as usize] as usize
    }

    #[inline]
    pub(crate) fn head_of(&self, term: TermId) -> HeadId {
        HeadId(self.cells[term.0 as usize].0)
    }

    /// What stands at a place of the vector, the argument of a term.
    #[inline]
    pub(super) fn cell(&self, place: u32) -> TermId {
        self.cells[place as usize]
    }

    #[inline]
    pub(crate) fn args_of(&self, term: TermId) -> &[TermId] {
        let first = term.0 as usize + 1;
        &self.cells[first..first + self.n_args(self.head_of(term))]
    }

    /// A new term, even if there is an equal one, and never found by a look-up. For what is built on the way to a
    /// normal form, until [`Bank::keep_only`].
    #[inline]
    pub(super) fn young(&mut self, head: HeadId, args: &[TermId]) -> TermId {
        let id = TermId(self.cells.len() as u32);
        self.cells.push(TermId(head.0));
        // A few at most: one by one is quicker than to copy a block.
        for arg in args {
            self.cells.push(*arg);
        }
        id
    }

    /// Keeps `term`, as one to be found, and with `forget` takes away all other young terms, those from
    /// `mark` on.
    pub(super) fn keep_only(&mut self, mark: usize, term: TermId, forget: bool) -> TermId {
        if (term.0 as usize) < mark {
            if forget {
                self.cells.truncate(mark);
            }
            return term;
        }
        // Parts before what they are parts of, each once, with references to parts by their rank. Where a
        // part was, its rank is noted in place of its head.
        let mut kept = std::mem::take(&mut self.kept);
        kept.heads.clear();
        kept.parts.clear();
        kept.made.clear();
        let Kept {
            heads,
            parts,
            open,
            made,
        } = &mut kept;
        open.push((term, false));
        while let Some((part, is_ready)) = open.pop() {
            let at = part.0 as usize;
            let head = self.cells[at];
            if head.0 & MARK != 0 {
                continue;
            }
            let args = at + 1..at + 1 + self.n_args[head.0 as usize] as usize;
            if !is_ready {
                open.push((part, true));
                let young = |arg: &&TermId| arg.0 as usize >= mark;
                open.extend(
                    self.cells[args]
                        .iter()
                        .filter(young)
                        .map(|arg| (*arg, false)),
                );
                continue;
            }
            for arg in &self.cells[args] {
                parts.push(match arg.0 as usize >= mark {
                    true => self.cells[arg.0 as usize],
                    false => *arg,
                });
            }
            self.cells[at] = TermId(heads.len() as u32 | MARK);
            heads.push((part, HeadId(head.0)));
        }
        if forget {
            self.cells.truncate(mark);
        } else {
            for (part, head) in &*heads {
                self.cells[part.0 as usize] = TermId(head.0);
            }
        }
        let mut rest = &mut parts[..];
        for &(_, head) in &*heads {
            let (args, others) = rest.split_at_mut(self.n_args(head));
            for arg in &mut *args {
                if arg.0 & MARK != 0 {
                    *arg = made[(arg.0 ^ MARK) as usize];
                }
            }
            made.push(self.term(head, args));
            rest = others;
        }
        let last = made.last().copied().unwrap_or(term);
        self.kept = kept;
        last
    }

    /// Whether two terms are equal; those before `mark` are the same number then.
    #[inline]
    pub(super) fn equal(&self, mark: usize, a: TermId, b: TermId) -> bool {
        if a == b {
            return true;
        }
        let both_found = (a.0.max(b.0) as usize) < mark;
        !both_found && self.head_of(a) == self.head_of(b) && self.equal_inside(mark, a, b)
    }

    fn equal_inside(&self, mark: usize, a: TermId, b: TermId) -> bool {
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
        assert_eq!(args.len(), self.n_args(head));
        let hashed = hash(head, args);
        let cells = &self.cells;
        let found = self.numbers.find(spread(hashed), |&(id, own)| {
            let at = id.0 as usize;
            own == hashed && cells[at].0 == head.0 && cells[at + 1..at + 1 + args.len()] == *args
        });
        if let Some(&(known, _)) = found {
            return known;
        }
        let id = self.young(head, args);
        self.numbers
            .insert_unique(spread(hashed), (id, hashed), |&(_, hashed)| spread(hashed));
        id
    }
}
