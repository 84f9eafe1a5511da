//! For each state of the run at hand, the agents to be tried from it (its *source set*, as far as
//! it is known) and those that need not be (its *sleep set*).

use crate::automaton::Agent;

/// A set of agents at each depth of the run, and another.
pub struct Choices {
    n_words: usize,
    /// For each depth `n_words` of agents to try, then `n_words` of agents asleep.
    words: Vec<u64>,
}

impl Choices {
    pub fn new(n_agents: u32) -> Choices {
        Choices {
            n_words: (n_agents as usize).div_ceil(64).max(1),
            words: Vec::new(),
        }
    }

    fn frame(&self, depth: u32) -> usize {
        depth as usize * 2 * self.n_words
    }

    /// A state in which no thread is to be tried yet; asleep are those of the state before that
    /// `stays_asleep`.
    pub fn push(&mut self, stays_asleep: impl Fn(Agent) -> bool) {
        let from = self.words.len();
        self.words.resize(from + 2 * self.n_words, 0);
        if from == 0 {
            return;
        }
        for n in 0..self.n_words {
            let mut left = self.words[from - self.n_words + n];
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if stays_asleep(n as u32 * 64 + bit) {
                    self.words[from + self.n_words + n] |= 1 << bit;
                }
            }
        }
    }

    pub fn pop(&mut self) {
        self.words.truncate(self.words.len() - 2 * self.n_words);
    }

    pub fn try_later(&mut self, depth: u32, agent: Agent) {
        let at = self.frame(depth) + agent as usize / 64;
        self.words[at] |= 1 << (agent % 64);
    }

    pub fn put_to_sleep(&mut self, depth: u32, agent: Agent) {
        let at = self.frame(depth) + self.n_words + agent as usize / 64;
        self.words[at] |= 1 << (agent % 64);
    }

    pub fn sleeps(&self, depth: u32, agent: Agent) -> bool {
        let at = self.frame(depth) + self.n_words + agent as usize / 64;
        self.words[at] >> (agent % 64) & 1 == 1
    }

    /// Whether an agent is to be tried, has been, or sleeps.
    pub fn covers(&self, depth: u32, agent: Agent) -> bool {
        let at = self.frame(depth) + agent as usize / 64;
        (self.words[at] | self.words[at + self.n_words]) >> (agent % 64) & 1 == 1
    }

    /// The next agent to try that does not sleep.
    pub fn next(&self, depth: u32) -> Option<Agent> {
        let from = self.frame(depth);
        (0..self.n_words).find_map(|n| {
            let open = self.words[from + n] & !self.words[from + self.n_words + n];
            (open != 0).then(|| n as u32 * 64 + open.trailing_zeros())
        })
    }

    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>()) as u64
    }
}
