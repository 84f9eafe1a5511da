//! Happens-before along one run, as vector clocks: for each event, how much of each agent's past
//! lies before it.

use crate::automaton::Agent;

/// Position of an event in the run, from 0.
pub type Position = u32;

/// A stack of vector clocks, one for each event of the run.
///
/// The entry of agent `a` in the clock of an event is one more than the position of the last event
/// of `a` that happens before the event or is it; 0 where there is none.
pub struct Clocks {
    n_agents: usize,
    rows: Vec<u32>,
    /// The clock being made.
    next: Vec<u32>,
}

impl Clocks {
    pub fn new(n_agents: u32) -> Clocks {
        Clocks {
            n_agents: n_agents as usize,
            rows: Vec::new(),
            next: vec![0; n_agents as usize],
        }
    }

    /// Whether the event of `agent` at a position happens before (or is) the event at `of`.
    pub fn is_before(&self, agent: Agent, at: Position, of: Position) -> bool {
        self.of(of)[agent as usize] > at
    }

    pub fn of(&self, at: Position) -> &[u32] {
        let from = at as usize * self.n_agents;
        &self.rows[from..from + self.n_agents]
    }

    /// Begins the clock of an event before which nothing happens.
    pub fn begin(&mut self) {
        self.next.fill(0);
    }

    /// Whether what happens before the clock being made includes the event of `agent` at `at`.
    pub fn has(&self, agent: Agent, at: Position) -> bool {
        self.next[agent as usize] > at
    }

    /// The event at `at` happens before the one whose clock is being made.
    pub fn join(&mut self, at: Position) {
        let from = at as usize * self.n_agents;
        let row = &self.rows[from..from + self.n_agents];
        for (mine, theirs) in self.next.iter_mut().zip(row) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Ends the clock being made: the event of `agent` at the next position. One more than the
    /// position of the last event before it; 0 where there is none.
    pub fn push(&mut self, agent: Agent) -> u32 {
        let latest = self.next.iter().copied().max().unwrap_or(0);
        let position = (self.rows.len() / self.n_agents) as u32;
        self.next[agent as usize] = position + 1;
        self.rows.extend_from_slice(&self.next);
        latest
    }

    pub fn pop(&mut self) {
        self.rows.truncate(self.rows.len() - self.n_agents);
    }

    pub fn bytes(&self) -> u64 {
        (self.rows.capacity() * size_of::<u32>()) as u64
    }
}
