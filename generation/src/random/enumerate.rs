//! Every small kernel of a grammar: for lemmas that are tested exhaustively up to a size.
//!
//! A kernel `k(int *g, int x)` works on two cells `g[0]`, `g[1]`, both 0 at first, and one register
//! `x`, 0 at first. `t` is 0 or 1: the thread's index exclusive-or the block's. The *size* of a
//! kernel counts its operators: a leaf is one, a branch or a loop one more than what is inside.
//!
//! One kernel stands for all that differ in names only or in what never runs: the first place
//! named is `g[0]` or `g[t]` (exchanging the two cells makes it so), nothing follows `return`, and
//! no branch is empty on both sides.

mod small;

pub use small::{GlobalCell, Leaf, Rounds, Small, Statement, Test};

use gridlock_semantics::algebra::operator::AtomicFn;

/// What kernels are made of.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The operators of size 1.
    pub leaves: Vec<Leaf>,
    /// The conditions of branches.
    pub tests: Vec<Test>,
    /// The bounds of loops.
    pub rounds: Vec<Rounds>,
}

impl Grammar {
    /// All leaves, branches and loops there are.
    pub fn full() -> Grammar {
        use Leaf::*;
        let mut leaves = Vec::new();
        for place in [
            GlobalCell::Zero,
            GlobalCell::One,
            GlobalCell::Own,
            GlobalCell::Other,
        ] {
            leaves.extend([
                Load(place),
                StoreThread(place),
                StoreLoaded(place),
                Copy(place),
                Increment(place),
            ]);
        }
        for place in [GlobalCell::Zero, GlobalCell::One] {
            leaves.extend([
                Atomic(AtomicFn::Add, place),
                Atomic(AtomicFn::Max, place),
                Atomic(AtomicFn::Exch, place),
                AtomicUsed(AtomicFn::Add, place),
            ]);
        }
        leaves.extend([Barrier, Exit]);
        Grammar {
            leaves,
            tests: vec![Test::Thread, Test::Loaded],
            rounds: vec![Rounds::Two, Rounds::ByThread, Rounds::UntilLoaded],
        }
    }

    /// One leaf of each kind, so that larger kernels stay affordable.
    pub fn core() -> Grammar {
        use Leaf::*;
        Grammar {
            leaves: vec![
                Load(GlobalCell::Zero),
                Load(GlobalCell::One),
                StoreThread(GlobalCell::Zero),
                StoreThread(GlobalCell::Own),
                StoreLoaded(GlobalCell::One),
                Atomic(AtomicFn::Add, GlobalCell::Zero),
                AtomicUsed(AtomicFn::Add, GlobalCell::Zero),
                Barrier,
                Exit,
            ],
            tests: vec![Test::Thread, Test::Loaded],
            rounds: vec![Rounds::ByThread],
        }
    }

    /// The grammar with one more leaf.
    pub fn with(mut self, leaf: Leaf) -> Grammar {
        self.leaves.push(leaf);
        self
    }

    /// Every kernel of exactly this size, each once, always in the same order.
    pub fn of_size(&self, size: usize) -> Vec<Small> {
        let mut lists: Vec<Vec<Vec<Statement>>> = vec![vec![vec![]]];
        for n in 1..=size {
            let next = self.lists(n, &lists);
            lists.push(next);
        }
        let all = lists.pop().unwrap_or_default().into_iter();
        all.map(|statements| Small { statements })
            .filter(Small::is_representative)
            .collect()
    }

    /// Every kernel up to this size, smaller ones first.
    pub fn up_to(&self, size: usize) -> Vec<Small> {
        (1..=size).flat_map(|n| self.of_size(n)).collect()
    }

    /// Lists of statements of total size `n`, given those of smaller sizes.
    fn lists(&self, n: usize, smaller: &[Vec<Vec<Statement>>]) -> Vec<Vec<Statement>> {
        let mut found = Vec::new();
        for first_size in 1..=n {
            for first in self.statements(first_size, smaller) {
                for rest in &smaller[n - first_size] {
                    if first == Statement::Leaf(Leaf::Exit) && !rest.is_empty() {
                        continue;
                    }
                    let mut list = vec![first.clone()];
                    list.extend(rest.iter().cloned());
                    found.push(list);
                }
            }
        }
        found
    }

    /// Single statements of size `n`.
    fn statements(&self, n: usize, smaller: &[Vec<Vec<Statement>>]) -> Vec<Statement> {
        if n == 1 {
            return self
                .leaves
                .iter()
                .map(|leaf| Statement::Leaf(*leaf))
                .collect();
        }
        let mut found = Vec::new();
        for test in &self.tests {
            for then_size in 0..n {
                for then in &smaller[then_size] {
                    for otherwise in &smaller[n - 1 - then_size] {
                        found.push(Statement::If(*test, then.clone(), otherwise.clone()));
                    }
                }
            }
        }
        for rounds in &self.rounds {
            for body in &smaller[n - 1] {
                found.push(Statement::Loop(*rounds, body.clone()));
            }
        }
        found
    }
}
