//! Which threads and blocks of a launch are interchangeable.
//!
//! Threads of a block that start in the same local state do the same in the same situation: what a
//! thread does depends on its local state, its block and memory alone. So exchanging two of them
//! in a state exchanges them in everything that can follow, and one state of each orbit is enough
//! (Ip, Dill, *Better verification through symmetry*, FMSD 1996). Blocks whose threads start alike
//! are interchangeable as wholes, with the memory that only they reach.

use crate::automaton::Automaton;

/// The classes of interchangeable threads and blocks. Each is named by its first member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// By block.
    pub blocks: Vec<u32>,
    /// By thread of the launch: the number within its block of the first of its class there.
    pub threads: Vec<u32>,
}

impl Symmetry {
    /// No thread stands for another.
    pub fn none(automaton: &Automaton) -> Symmetry {
        let (n_blocks, n_threads) = (automaton.n_blocks(), automaton.n_threads());
        Symmetry {
            blocks: (0..n_blocks).collect(),
            threads: (0..n_blocks).flat_map(|_| 0..n_threads).collect(),
        }
    }

    pub fn of(automaton: &Automaton, start: &[u32]) -> Symmetry {
        if !automaton.knows_threads_by_state() {
            return Symmetry::none(automaton);
        }
        let n_threads = automaton.n_threads() as usize;
        let n_blocks = automaton.n_blocks() as usize;
        let locals: Vec<&[u32]> = start[..n_blocks * n_threads].chunks(n_threads).collect();
        let first = |all: &[u32], id: u32| all.iter().position(|other| *other == id);
        let of_thread = |block: &[u32], t: usize| first(block, block[t]).unwrap_or(t) as u32;
        let threads = locals
            .iter()
            .flat_map(|block| (0..n_threads).map(|t| of_thread(block, t)))
            .collect();
        let of_block = |b: usize| locals.iter().position(|other| *other == locals[b]);
        Symmetry {
            blocks: (0..n_blocks)
                .map(|b| of_block(b).unwrap_or(b) as u32)
                .collect(),
            threads,
        }
    }

    /// Whether some blocks are interchangeable.
    pub fn has_blocks(&self) -> bool {
        self.blocks
            .iter()
            .enumerate()
            .any(|(b, of)| *of != b as u32)
    }

    /// The members of the class of a thread of the launch, itself among them; `n_threads`: in a
    /// block.
    pub fn alike(&self, thread: u32, n_threads: u32) -> Vec<u32> {
        let (block, class) = (thread / n_threads, self.threads[thread as usize]);
        let blocks = 0..self.blocks.len() as u32;
        blocks
            .filter(|other| self.blocks[*other as usize] == self.blocks[block as usize])
            .flat_map(|other| (0..n_threads).map(move |t| other * n_threads + t))
            .filter(|other| self.threads[*other as usize] == class)
            .collect()
    }
}
