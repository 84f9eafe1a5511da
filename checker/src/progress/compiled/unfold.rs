//! The graph of states of a compiled launch, unfolded breadth first: nodes are numbered in the order
//! in which they are met, and expanded in that order.

use super::graph::{Compact, NOWHERE, START};
use super::scheduled::{Scheduled, Walk, Way};
use crate::automaton::{Agent, Patch};
use crate::explore::flat::print::{Base, Print, Printer};
use crate::explore::flat::symmetry::Symmetry;
use crate::explore::flat::table::{N_SHARDS, NOBODY, Number, Shard};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::time::Instant;

/// The part of the graph that is unfolded so far.
pub struct Unfolding<'a> {
    pub scheduled: &'a Scheduled<'a>,
    symmetry: Symmetry,
    printer: Printer<'a>,
    shard: Shard,
    pub graph: Compact,
    waiting: VecDeque<u32>,
    prints: VecDeque<Print>,
    movers: FxHashMap<(u32, u32), u32>,
    /// Numbers of places that runs begin with.
    places: Vec<u32>,
    walk: Walk<'a>,
    patches: Vec<Patch>,
    base: Base,
    words: Vec<u32>,
    /// By local state: the last state, block and class that it was met in.
    met: Vec<(u32, u32, u32)>,
    n_expanded: u32,
    pub n_transitions: u64,
    /// Somewhere no actor can move, and some have not ended.
    pub is_stuck: bool,
    /// No number is left for another state.
    pub is_full: bool,
    /// Not all states that runs begin with are there.
    pub is_late: bool,
}

impl<'a> Unfolding<'a> {
    /// Begins; states that runs begin with are left out from `until` on.
    pub fn new(scheduled: &'a Scheduled<'a>, symmetry: Symmetry, until: Instant) -> Unfolding<'a> {
        let printer = Printer::new(scheduled.automaton, &symmetry).with_blocks_words(&symmetry);
        let mut unfolding = Unfolding {
            scheduled,
            symmetry,
            printer,
            shard: Shard::new(0, false),
            graph: Compact::default(),
            waiting: VecDeque::new(),
            prints: VecDeque::new(),
            movers: FxHashMap::default(),
            places: scheduled.places(),
            walk: Walk::new(scheduled),
            patches: Vec::new(),
            base: Base::default(),
            words: Vec::new(),
            met: Vec::new(),
            n_expanded: 0,
            n_transitions: 0,
            is_stuck: false,
            is_full: false,
            is_late: false,
        };
        for (number, places) in unfolding.places.clone().into_iter().enumerate() {
            if Instant::now() > until {
                unfolding.is_late = true;
                break;
            }
            unfolding.walk.start(places);
            let print = unfolding.printer.print(&unfolding.walk.words);
            unfolding.enter(print, NOBODY, number as u32);
        }
        unfolding
    }

    pub fn n_nodes(&self) -> usize {
        self.shard.len()
    }

    pub fn n_expanded(&self) -> usize {
        self.n_expanded as usize
    }

    pub fn is_done(&self) -> bool {
        self.prints.is_empty()
    }

    /// States in between were not canonical: the graph is larger than it had to be, and what
    /// rules out a component may not hold.
    pub fn overran(&self) -> bool {
        self.walk.overran
    }

    pub fn bytes(&self) -> u64 {
        self.shard.bytes(0)
            + self.graph.bytes()
            + self.waiting.capacity() as u64 * 4
            + self.prints.capacity() as u64 * 16
            + self.movers.capacity() as u64 * 16
            + self.scheduled.automaton.bytes()
    }

    /// The number of the state at hand, which waits to be expanded if it is new.
    fn enter(&mut self, print: Print, parent: u32, way: u32) -> u32 {
        let parent = match parent {
            NOBODY => NOBODY,
            node => node * N_SHARDS as u32,
        };
        let entered = self.shard.insert(
            print,
            || self.walk.words.as_slice().into(),
            || (parent, way, 0),
        );
        match entered {
            Some((number, new)) => {
                if new {
                    self.waiting.extend(&self.walk.words);
                    self.prints.push_back(print);
                }
                node_of(number)
            }
            None => {
                self.is_full = true;
                NOWHERE
            }
        }
    }

    /// The node of a state, if it has been met.
    pub fn node(&self, words: &[u32]) -> Option<u32> {
        let print = self.printer.print(words);
        self.shard.find(print, || words.into()).map(node_of)
    }

    /// Expands the oldest state that waits.
    pub fn expand_next(&mut self) {
        let Some(print) = self.prints.pop_front() else {
            return;
        };
        let node = self.n_expanded;
        self.n_expanded += 1;
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        words.extend(self.waiting.drain(..self.scheduled.n_words()));
        self.printer.base_of(print, &words, &mut self.base);
        let scheduled = self.scheduled;
        let startable = scheduled.startable(&words);
        let is_final = scheduled.automaton.all_ended(&words);
        self.graph.node(is_final, !startable.is_empty());
        let mut any = false;
        for agent in 0..scheduled.n_agents() {
            if self.is_like_another(node, &words, agent) {
                continue;
            }
            match self.walk.go(&words, &startable, agent) {
                Way::Disabled => continue,
                Way::Ends => {
                    let mover = self.mover(&words, agent);
                    self.graph.edge(NOWHERE, mover);
                }
                Way::Goes => {
                    let n_taken = self.walk.agents.len() as u64;
                    self.walk.patches(&mut self.patches);
                    let print = match self.printer.follows(&self.patches) {
                        true => self.printer.after(&words, &self.base, &self.patches),
                        false => self.printer.print(&self.walk.words),
                    };
                    let to = self.enter(print, node, agent);
                    let mover = self.mover(&words, agent);
                    self.graph.edge(to, mover);
                    self.n_transitions += n_taken;
                }
            }
            any = true;
        }
        self.is_stuck |= !any && !is_final;
        self.words = words;
    }

    /// Whether an interchangeable thread of its block that comes before stands where this one does.
    fn is_like_another(&mut self, node: u32, words: &[u32], agent: Agent) -> bool {
        let automaton = self.scheduled.automaton;
        if agent >= automaton.n_threads_in_all() {
            return false;
        }
        let local = words[agent as usize] as usize;
        if self.met.len() <= local {
            self.met.resize(local + 1, (u32::MAX, 0, 0));
        }
        let class = self.symmetry.threads[agent as usize];
        let now = (node, automaton.block_of(agent), class);
        std::mem::replace(&mut self.met[local], now) == now
    }

    fn mover(&mut self, words: &[u32], agent: Agent) -> u32 {
        let scheduled = self.scheduled;
        let automaton = scheduled.automaton;
        let block = automaton.block_of(agent);
        let of_block = |block: u32| self.symmetry.blocks[block as usize];
        let (first, n_threads) = (automaton.n_threads_in_all(), automaton.n_threads());
        let key = if scheduled.starts(agent).is_some()
            || block < automaton.n_blocks() && !scheduled.is_started(words, block)
        {
            return START;
        } else if agent < first {
            let class = self.symmetry.threads[agent as usize];
            (of_block(block) * n_threads + class, words[agent as usize])
        } else if block < automaton.n_blocks() {
            let own = &words[(block * n_threads) as usize..((block + 1) * n_threads) as usize];
            (
                first + of_block(block),
                own.iter().copied().min().unwrap_or(0),
            )
        } else {
            (agent, 0)
        };
        let next = START + 1 + self.movers.len() as u32;
        *self.movers.entry(key).or_insert(next)
    }

    /// With how many places the run to a node begins, and who moves on it.
    pub fn way_to(&self, node: u32) -> (u32, Vec<Agent>) {
        let mut way = Vec::new();
        let (mut parent, mut by) = self.shard.reached_by(node as usize);
        while parent != NOBODY {
            way.push(by);
            (parent, by) = self.shard.reached_by(node_of(parent) as usize);
        }
        way.reverse();
        (self.places[by as usize], way)
    }
}

/// All states are in one shard.
fn node_of(number: Number) -> u32 {
    number / N_SHARDS as u32
}
