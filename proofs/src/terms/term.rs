//! Terms: hash-consed bit-vector expressions over symbols. A symbol has a scope, which says for
//! which threads it has one value; so a term over symbols of block scope and wider is *uniform*
//! by construction, and two threads are two readings of one term.

use super::function::Function;
pub use super::sort::Sort;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::hash::BuildHasher;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymId(pub u32);

/// Which threads share the value of a symbol, from all of them to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// One value in a launch: parameters, extents of grid and block.
    Grid,
    /// One value in a block: block indices.
    Block,
    /// One value for all threads of a block that stand in the same barrier interval: iteration
    /// counts of loops that contain barriers, and what follows from them.
    Interval,
    /// A thread's own: thread indices, loaded values, iterations of loops without barriers.
    Thread,
}

/// Where a symbol comes from: what is asked of it, where its name is for people alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Sizes and places of the launch.
    Launch,
    /// What the program is given or computes: variables, rounds of loops, what loops leave.
    Program,
    /// Memory, or another thread: what was loaded where threads write, what an atomic operation found, what was exchanged.
    Memory,
    /// A first look at a loop: what an earlier round may have left.
    EarlierRound,
    /// What another thread's value is, where nothing is known of that.
    AnotherThread,
}

#[derive(Clone, Debug)]
pub struct Symbol {
    /// For reading queries; the identity is the number.
    pub name: String,
    pub origin: Origin,
    pub sort: Sort,
    pub scope: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    UnsignedLess,
    UnsignedLessEq,
    SignedLess,
    SignedLessEq,
}

/// Division, remainder and shifts by the width or more mean what SMT-LIB says; in the semantics
/// they are faults that end the run, so any value over-approximates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Bool(bool),
    Bits {
        width: u32,
        value: u64,
    },
    Symbol(SymId),
    Bit(BitOp, TermId, TermId),
    ZeroExt(u32, TermId),
    SignExt(u32, TermId),
    /// The low bits.
    Low(u32, TermId),
    Ite(TermId, TermId, TermId),
    Not(TermId),
    And(TermId, TermId),
    Or(TermId, TermId),
    Eq(TermId, TermId),
    Less(Order, TermId, TermId),
    /// An unknown function, one and the same for all threads and all times: contents of an array
    /// no thread writes, floating-point operations, residues. The function determines the signature.
    Apply {
        function: Function,
        result: Sort,
        args: Args,
    },
}

/// Most functions are of one or two values: no memory of their own is asked for then.
pub type Args = SmallVec<[TermId; 2]>;

impl Node {
    fn each_child(&self, see: &mut impl FnMut(TermId)) {
        match self {
            Node::Bool(_) | Node::Bits { .. } | Node::Symbol(_) => {}
            Node::ZeroExt(_, a) | Node::SignExt(_, a) | Node::Low(_, a) | Node::Not(a) => see(*a),
            Node::Bit(_, a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Eq(a, b)
            | Node::Less(_, a, b) => [*a, *b].into_iter().for_each(see),
            Node::Ite(a, b, c) => [*a, *b, *c].into_iter().for_each(see),
            Node::Apply { args, .. } => args.iter().copied().for_each(see),
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    sort: Sort,
    scope: Scope,
    /// One more than the number of its newest symbol.
    newest: u32,
    /// Kept, as choices share what they choose from, and are as many as there are ways through them.
    is_not_negative: bool,
}

/// A product the launch assumptions bound: `blockIdx.d * blockDim.d` or `gridDim.d * blockDim.d`,
/// and the symbol that stands for it.
#[derive(Clone, Copy, Debug)]
pub struct KnownProduct {
    pub factors: [SymId; 2],
    pub product: TermId,
}

/// The arena. Constructors that simplify are in [`crate::terms::simplify`].
#[derive(Default)]
pub struct Terms {
    entries: Vec<Entry>,
    /// Each term by the hash of its node, which stands beside it: a look at the node itself costs more.
    index: HashTable<(u64, TermId)>,
    /// Constants that every step asks for: false and true, and small numbers of 32 and of 64 bits.
    pub(super) truth: [Option<TermId>; 2],
    pub(super) small: [Vec<Option<TermId>>; 2],
    pub symbols: Vec<Symbol>,
    pub known_products: Vec<KnownProduct>,
}

impl Terms {
    pub fn node(&self, term: TermId) -> &Node {
        &self.entries[term.0 as usize].node
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.entries[term.0 as usize].sort
    }

    /// Whether the top bit is certainly clear.
    pub fn is_not_negative(&self, term: TermId) -> bool {
        self.entries[term.0 as usize].is_not_negative
    }

    /// Whether the top bit is certainly clear, by what is known of the operands.
    fn has_clear_top(&self, node: &Node) -> bool {
        let is_clear = |term: &TermId| self.is_not_negative(*term);
        match node {
            Node::Bits { width, value } => value >> (width - 1) & 1 == 0,
            Node::ZeroExt(..) => true,
            Node::Bit(BitOp::LShr, x, by) => {
                self.as_bits(*by).is_some_and(|by| by > 0) || is_clear(x)
            }
            Node::Bit(BitOp::And, x, y) => is_clear(x) || is_clear(y),
            Node::Bit(BitOp::Or | BitOp::Xor, x, y) => is_clear(x) && is_clear(y),
            Node::Bit(BitOp::URem, x, _) => is_clear(x),
            Node::Ite(_, x, y) => is_clear(x) && is_clear(y),
            _ => false,
        }
    }

    /// Width in bits; 1 for a Boolean.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
        }
    }

    /// The narrowest scope among its symbols.
    pub fn scope(&self, term: TermId) -> Scope {
        self.entries[term.0 as usize].scope
    }

    /// The same value in all threads of a block that stand in one barrier interval.
    pub fn is_uniform(&self, term: TermId) -> bool {
        self.scope(term) <= Scope::Interval
    }

    /// How many symbols there are: a mark for [`Terms::is_older_than`].
    pub fn mark(&self) -> u32 {
        self.symbols.len() as u32
    }

    /// Whether all symbols in `term` were made before `mark` was taken.
    pub fn is_older_than(&self, term: TermId, mark: u32) -> bool {
        self.entries[term.0 as usize].newest <= mark
    }

    pub fn fresh(&mut self, name: impl Into<String>, sort: Sort, scope: Scope) -> TermId {
        self.fresh_from(Origin::Program, name, sort, scope)
    }

    pub fn fresh_from(
        &mut self,
        origin: Origin,
        name: impl Into<String>,
        sort: Sort,
        scope: Scope,
    ) -> TermId {
        let id = SymId(self.symbols.len() as u32);
        self.symbols.push(Symbol {
            name: name.into(),
            origin,
            sort,
            scope,
        });
        self.intern(Node::Symbol(id))
    }

    pub fn as_symbol(&self, term: TermId) -> Option<SymId> {
        match self.node(term) {
            Node::Symbol(id) => Some(*id),
            _ => None,
        }
    }

    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bits(&self, term: TermId) -> Option<u64> {
        match self.node(term) {
            Node::Bits { value, .. } => Some(*value),
            _ => None,
        }
    }

    pub fn children(&self, term: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.node(term).each_child(&mut |child| found.push(child));
        found
    }

    /// The node as it is, without simplification.
    pub(crate) fn intern(&mut self, node: Node) -> TermId {
        let hash = FxBuildHasher.hash_one(&node);
        let is_it = |(other, id): &(u64, TermId)| *other == hash && *self.node(*id) == node;
        if let Some((_, id)) = self.index.find(hash, is_it) {
            return *id;
        }
        let id = TermId(self.entries.len() as u32);
        let (sort, mut scope, mut newest) = match &node {
            Node::Symbol(s) => {
                let symbol = &self.symbols[s.0 as usize];
                (symbol.sort, symbol.scope, s.0 + 1)
            }
            Node::Bits { width, .. } => (Sort::Bits(*width), Scope::Grid, 0),
            Node::ZeroExt(w, _) | Node::SignExt(w, _) | Node::Low(w, _) => {
                (Sort::Bits(*w), Scope::Grid, 0)
            }
            Node::Bit(_, a, _) | Node::Ite(_, a, _) => (self.sort(*a), Scope::Grid, 0),
            Node::Apply { result, .. } => (*result, Scope::Grid, 0),
            Node::Bool(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Eq(..)
            | Node::Less(..) => (Sort::Bool, Scope::Grid, 0),
        };
        let is_not_negative = self.has_clear_top(&node);
        node.each_child(&mut |child| {
            let child = &self.entries[child.0 as usize];
            scope = scope.max(child.scope);
            newest = newest.max(child.newest);
        });
        self.entries.push(Entry {
            node,
            sort,
            scope,
            newest,
            is_not_negative,
        });
        self.index
            .insert_unique(hash, (hash, id), |(hash, _)| *hash);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in a sorting network: each choice is between the two before, so that there are more ways than can be gone.
    #[test]
    fn what_is_not_negative_is_known_of_choices_among_choices() {
        let mut terms = Terms::default();
        let byte = terms.fresh("byte", Sort::Bits(8), Scope::Thread);
        let word = terms.fresh("word", Sort::Bits(32), Scope::Thread);
        let small = terms.zero_ext(32, byte);
        for (first, expected) in [(small, true), (word, false)] {
            let (mut a, mut b) = (first, terms.bits(32, 7));
            for n in 0..100 {
                let name = format!("c{n}");
                let cond = terms.fresh(&name, Sort::Bool, Scope::Thread);
                (a, b) = (terms.ite(cond, a, b), terms.ite(cond, b, a));
            }
            assert_eq!(terms.is_not_negative(a), expected);
        }
    }
}
