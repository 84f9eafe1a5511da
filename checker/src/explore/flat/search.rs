//! The search itself: states expanded together, then entered together.
//!
//! A batch of states is expanded in parallel, state by state, against the table as it is; then the
//! states reached are entered in parallel, shard by shard, each shard in the order of the batch.
//! So numbers, and everything else, are the same on any number of processors.

use super::collect::Collected;
use super::expand::{Candidate, Found, Scene, Way, Worker};
use super::footprints::Footprints;
use super::frontier::{Block, Frontier};
use super::print::Print;
use super::reduce::MOST_OVERRUNS;
use super::symmetry::Symmetry;
use super::table::{N_SHARDS, NOBODY, Number, Shard, Table};
use crate::automaton::Agent;
use crate::explore::cycles::has_cycle;
use crate::explore::exploration::Exploration;
use crate::explore::options::ExploreOptions;
use crate::finding::Statistics;
use crate::limits::Limits;
use gridlock_semantics::algebra::operator::OpId;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// States expanded by one processor in a row.
const CHUNK: usize = 256;
/// Batches smaller than this are not worth a second processor.
const WORTH_SHARING: usize = 128;

pub struct Search<'a> {
    pub scene: Scene<'a>,
    symmetry: Symmetry,
    limits: &'a Limits,
    options: &'a ExploreOptions,
    started: Instant,
    start: Box<[u32]>,
    n_words: usize,
    table: Table,
    frontier: Frontier,
    collected: Collected,
    footprints: Footprints,
    /// Blocks were found to meet.
    meet: bool,
    /// Somewhere nothing moves on.
    exhausted: bool,
    /// Edges to states known before, as long as no cycle is known.
    edges: Vec<(Number, Number)>,
    cycle: bool,
    transitions: u64,
    limits_hit: Vec<String>,
    /// The limit that can be raised to go on.
    passing: Option<String>,
    /// Of searches that this one goes on with.
    seconds_before: f64,
    stopped: bool,
    peak_bytes: u64,
    looking: Looking,
    looking_at_waits: Looking,
    overruns: u32,
    workers: Mutex<Vec<Worker>>,
    results: Vec<Found>,
}

/// States expanded by one processor: numbers, words, fingerprints.
type Chunk<'a> = (&'a [Number], &'a [u32], &'a [Print]);

/// Whether looking at threads one by one is worth its cost: judged batch by batch.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Looking {
    looks: u32,
    gave: u32,
    /// Batches to go without.
    rest: u32,
    pause: u32,
}

impl Looking {
    fn next(&mut self, (looks, gave): (u32, u32)) -> bool {
        if self.rest > 0 {
            self.rest -= 1;
            return self.rest == 0;
        }
        self.looks += looks;
        self.gave += gave;
        if self.looks < 128 {
            return true;
        }
        let worth = self.gave * 8 >= self.looks;
        (self.looks, self.gave) = (0, 0);
        self.pause = if worth {
            0
        } else {
            (self.pause * 2).clamp(16, 256)
        };
        self.rest = self.pause;
        worth
    }
}

/// Everything a search has found, to be written down.
#[derive(Serialize)]
pub struct Saving<'a> {
    by_blocks: bool,
    table: &'a Table,
    frontier: &'a Frontier,
    collected: &'a Collected,
    footprints: &'a Footprints,
    exhausted: bool,
    edges: &'a [(Number, Number)],
    cycle: bool,
    transitions: u64,
    known_races: &'a FxHashSet<(OpId, OpId)>,
    known_faults: &'a FxHashSet<(Agent, OpId)>,
    limits_hit: Vec<&'a str>,
    looking: Looking,
    look_at_threads: bool,
    seconds: f64,
}

/// The same, read. Fields in the order of [`Saving`].
#[derive(Deserialize)]
pub struct Saved {
    pub by_blocks: bool,
    table: Table,
    frontier: Frontier,
    collected: Collected,
    footprints: Footprints,
    exhausted: bool,
    edges: Vec<(Number, Number)>,
    cycle: bool,
    transitions: u64,
    known_races: FxHashSet<(OpId, OpId)>,
    known_faults: FxHashSet<(Agent, OpId)>,
    limits_hit: Vec<String>,
    looking: Looking,
    look_at_threads: bool,
    seconds: f64,
}

/// What entering the states of one shard gave.
#[derive(Default)]
struct Entered {
    fresh: Block,
    edges: Vec<(Number, Number)>,
    full: bool,
}

impl<'a> Search<'a> {
    pub fn new(
        scene: Scene<'a>,
        symmetry: Symmetry,
        start: Box<[u32]>,
        limits: &'a Limits,
        options: &'a ExploreOptions,
    ) -> Search<'a> {
        let n_words = start.len();
        let footprints = Footprints::new(scene.automaton);
        let mut search = Search {
            scene,
            symmetry,
            limits,
            options,
            started: Instant::now(),
            start,
            n_words,
            table: Table::new(options.exact),
            frontier: Frontier::new(options.strategy, n_words),
            collected: Collected::default(),
            footprints,
            meet: false,
            exhausted: false,
            edges: Vec::new(),
            cycle: false,
            transitions: 0,
            limits_hit: Vec::new(),
            passing: None,
            seconds_before: 0.0,
            stopped: false,
            peak_bytes: 0,
            looking: Looking::default(),
            looking_at_waits: Looking::default(),
            overruns: 0,
            workers: Mutex::new(Vec::new()),
            results: Vec::new(),
        };
        search.enter_start();
        search
    }

    /// What has been found. Limits that left states out for good stay hit.
    pub fn saving(&self) -> Saving<'_> {
        let hit = self.limits_hit.iter().map(String::as_str);
        Saving {
            by_blocks: self.scene.by_blocks,
            table: &self.table,
            frontier: &self.frontier,
            collected: &self.collected,
            footprints: &self.footprints,
            exhausted: self.exhausted,
            edges: &self.edges,
            cycle: self.cycle,
            transitions: self.transitions,
            known_races: &self.scene.known_races,
            known_faults: &self.scene.known_faults,
            limits_hit: hit
                .filter(|hit| Some(*hit) != self.passing.as_deref())
                .collect(),
            looking: self.looking,
            look_at_threads: self.scene.look_at_threads,
            seconds: self.seconds(),
        }
    }

    /// Goes on from what was found before.
    pub fn resume(&mut self, saved: Saved) {
        self.table = saved.table;
        self.frontier = saved.frontier;
        self.collected = saved.collected;
        self.footprints = saved.footprints;
        self.exhausted = saved.exhausted;
        self.edges = saved.edges;
        self.cycle = saved.cycle;
        self.transitions = saved.transitions;
        self.scene.known_races = saved.known_races;
        self.scene.known_faults = saved.known_faults;
        self.limits_hit = saved.limits_hit;
        self.looking = saved.looking;
        self.scene.look_at_threads = saved.look_at_threads;
        self.seconds_before = saved.seconds;
    }

    /// Whether states wait that a limit kept from being expanded.
    pub fn is_cut(&self) -> bool {
        self.frontier.len() > 0
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.started.elapsed().as_secs_f64()
    }

    fn enter_start(&mut self) {
        let print = self.scene.printer.print(&self.start);
        let in_order = || self.scene.printer.in_order(&self.start);
        let shard = &mut self.table.shards[super::table::shard_of(print)];
        let entered = shard.insert(print, in_order, || (NOBODY, Way::Start.code(), 0));
        if let Some((number, _)) = entered {
            let mut block = Block::default();
            block.push(number, print, &self.start);
            let automaton = self.scene.automaton;
            self.frontier
                .push(0, block, |words| automaton.discord(words));
        }
    }

    /// Runs the search; false when blocks were taken one after another and that was not right.
    pub fn run(&mut self) -> bool {
        while self.frontier.len() > 0 && !self.over_a_limit() {
            let (level, batch) = self.frontier.pop();
            self.expand(level, &batch);
            if self.scene.by_blocks && self.meet {
                return false;
            }
            if self.stopped {
                break;
            }
        }
        // What a limit cut or a defect stopped claims nothing about the blocks.
        let whole = self.limits_hit.is_empty() && !self.stopped;
        !(self.scene.by_blocks && whole && !self.exhausted)
    }

    /// Whether a limit is reached; says so once.
    fn over_a_limit(&mut self) -> bool {
        let bytes = self.bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
        let limits = self.limits;
        let hit = if self.scene.automaton.lacking().next().is_some() {
            // The search will be made again with longer arrays.
            Some(crate::limits::LENGTH.to_owned())
        } else {
            let is_late = || limits.are_over_since(self.started);
            limits.reached(self.table.len(), bytes, is_late)
        };
        let Some(hit) = hit else {
            return false;
        };
        self.passing = Some(hit.clone());
        self.limits_hit.push(hit);
        self.stopped = true;
        true
    }

    fn bytes(&self) -> u64 {
        let results = self.results.iter().map(Found::bytes).sum::<u64>();
        self.table.bytes(self.n_words)
            + self.scene.automaton.bytes()
            + self.frontier.bytes()
            + self.edges.capacity() as u64 * 8
            + results
    }

    fn hit_once(&mut self, limit: String) {
        if !self.limits_hit.contains(&limit) {
            self.limits_hit.push(limit);
        }
    }

    fn expand(&mut self, level: u32, batch: &[Block]) {
        let n_states: usize = batch.iter().map(|block| block.numbers.len()).sum();
        if self.scene.reduce {
            for number in batch.iter().flat_map(|block| &block.numbers) {
                self.table.set_expanded(*number);
            }
        }
        let n_words = self.n_words;
        let chunks: Vec<Chunk<'_>> = batch
            .iter()
            .flat_map(|block| {
                let words = block.words.chunks(CHUNK * n_words);
                let prints = block.prints.chunks(CHUNK);
                let chunks = block.numbers.chunks(CHUNK).zip(words).zip(prints);
                chunks.map(|((numbers, words), prints)| (numbers, words, prints))
            })
            .collect();
        let mut results = std::mem::take(&mut self.results);
        results.resize_with(results.len().max(chunks.len()), Found::default);
        let shared = n_states >= WORTH_SHARING;
        let look = |(chunk, found): (&Chunk<'_>, &mut Found)| {
            let mut worker = self.worker();
            worker.begin(found);
            let states = chunk.1.chunks_exact(n_words).zip(chunk.2);
            for (from, (words, print)) in (0..).zip(states) {
                worker.expand(&self.scene, &self.table, (from, *print), words, found);
            }
            found.sort();
            self.give_back(worker);
        };
        if shared {
            let all = chunks.par_iter().zip(results.par_iter_mut());
            all.with_max_len(1).for_each(look);
        } else {
            chunks.iter().zip(results.iter_mut()).for_each(look);
        }
        self.record(&chunks, &results);
        self.enter(level, &chunks, &results, shared);
        self.results = results;
    }

    fn worker(&self) -> Worker {
        let mut free = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = free.pop();
        drop(free);
        worker.unwrap_or_else(|| Worker::new(self.scene.automaton))
    }

    fn give_back(&self, worker: Worker) {
        let mut free = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(worker);
    }

    fn record(&mut self, chunks: &[Chunk<'_>], results: &[Found]) {
        let automaton = self.scene.automaton;
        let n_words = self.n_words;
        let (mut looks, mut waits, mut cut) = ((0, 0), (0, 0), false);
        for ((numbers, all, _), found) in chunks.iter().zip(results) {
            let state = |from: u32| {
                let at = from as usize;
                (numbers[at], &all[at * n_words..(at + 1) * n_words])
            };
            for race in &found.races {
                if self.scene.known_races.insert(race.ops) {
                    let (at, words) = state(race.from);
                    self.collected.race(automaton, at, words, race);
                }
            }
            for &(from, agent) in &found.faults {
                let (at, words) = state(from);
                let seen = (agent, automaton.op_of(words, agent));
                if self.scene.known_faults.insert(seen) {
                    self.collected.fault(automaton, at, words, agent);
                }
            }
            for &from in &found.ends {
                let (at, words) = state(from);
                self.collected.end(automaton, at, words);
            }
            for noted in &found.touched {
                self.meet |= self.footprints.meets(*noted);
            }
            self.transitions += found.n_transitions;
            self.cycle |= found.loops;
            self.exhausted |= found.exhausted;
            self.overruns += found.overruns;
            cut |= found.cut;
            looks = (looks.0 + found.looks.0, looks.1 + found.looks.1);
            waits = (waits.0 + found.waits.0, waits.1 + found.waits.1);
        }
        self.scene.look_far = self.overruns < MOST_OVERRUNS;
        self.scene.look_at_threads = self.looking.next(looks);
        if self.scene.look_at_waits || self.looking_at_waits.rest > 0 {
            self.scene.look_at_waits = self.looking_at_waits.next(waits);
        }
        if automaton.gave_some_up() {
            self.hit_once(crate::limits::ALONE.to_owned());
        }
        if cut {
            if !self.over_a_limit() {
                // A moment before the limit.
                self.hit_once(self.limits.cut_by_bytes());
                self.stopped = true;
            }
            // States of this batch were left out for good: who goes on from here does not see them either.
            self.passing = None;
        }
        self.stopped |= self.options.stop_at_first && self.collected.has_findings();
        if self.cycle {
            self.edges = Vec::new();
        }
    }

    fn enter(&mut self, level: u32, chunks: &[Chunk<'_>], results: &[Found], shared: bool) {
        let too_deep = self.limits.depth;
        let mut shards = std::mem::take(&mut self.table.shards);
        let depths: Vec<Vec<u32>> = chunks
            .iter()
            .map(|(numbers, ..)| {
                let depth = |number: &Number| {
                    shards[*number as usize % N_SHARDS].depth(*number as usize / N_SHARDS)
                };
                numbers.iter().map(depth).collect()
            })
            .collect();
        let keep_edges = !self.cycle;
        let scene = &self.scene;
        let n_words = self.n_words;
        let enter = |(index, shard): (usize, &mut Shard)| {
            let mut entered = Entered::default();
            for (n, (found, (numbers, all, _))) in results.iter().zip(chunks).enumerate() {
                for ahead in found.of_shard(index).chunks(16) {
                    let touched = ahead
                        .iter()
                        .map(|number| shard.touch(found.candidates[*number as usize].print));
                    std::hint::black_box(touched.fold(0, |all, word| all ^ word));
                    for number in ahead {
                        let candidate = &found.candidates[*number as usize];
                        let from = candidate.from as usize;
                        let depth = depths[n][from];
                        if depth as u64 >= too_deep {
                            entered.full = true;
                            continue;
                        }
                        let words = &all[from * n_words..(from + 1) * n_words];
                        let parent = (numbers[from], depth + candidate.n_transitions);
                        one(
                            scene,
                            shard,
                            found,
                            candidate,
                            words,
                            parent,
                            keep_edges,
                            &mut entered,
                        );
                    }
                }
            }
            entered
        };
        let entered: Vec<Entered> = if shared {
            shards.par_iter_mut().enumerate().map(enter).collect()
        } else {
            shards.iter_mut().enumerate().map(enter).collect()
        };
        self.table.shards = shards;
        let automaton = self.scene.automaton;
        for entered in entered {
            self.frontier
                .push(level + 1, entered.fresh, |words| automaton.discord(words));
            self.edges.extend(entered.edges);
            if entered.full {
                self.hit_once(self.limits.cut_by_depth());
            }
        }
    }

    /// The result of [`Search::run`].
    pub fn finish(mut self) -> Exploration {
        self.peak_bytes = self.peak_bytes.max(self.bytes());
        let cycle = self.cycle || self.edges_make_a_cycle();
        let statistics = Statistics {
            states: self.table.len(),
            transitions: self.transitions,
            executions: self.collected.executions,
            queries: 0,
            seconds: self.seconds(),
            peak_bytes: self.peak_bytes,
        };
        let shown = (self.collected).finish(&self.scene, &self.table, &self.start, &self.symmetry);
        Exploration {
            cycle,
            ..Exploration::of(shown, self.limits_hit, self.stopped, statistics)
        }
    }

    fn edges_make_a_cycle(&mut self) -> bool {
        let climbs =
            |(from, to): &(Number, Number)| self.table.depth(*to) <= self.table.depth(*from);
        if !self.edges.iter().any(climbs) {
            return false;
        }
        let offsets = self.table.offsets();
        let dense = |number: Number| {
            (offsets[number as usize % N_SHARDS] + number as usize / N_SHARDS) as u32
        };
        let mut edges: Vec<(u32, u32)> = std::mem::take(&mut self.edges)
            .into_iter()
            .map(|(from, to)| (dense(from), dense(to)))
            .collect();
        for (shard, states) in self.table.shards.iter().enumerate() {
            for local in 0..states.len() {
                let number = (local * N_SHARDS + shard) as Number;
                let (parent, _) = self.table.parent(number);
                if parent != NOBODY {
                    edges.push((dense(parent), dense(number)));
                }
            }
        }
        has_cycle(self.table.len() as usize, &edges)
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    scene: &Scene<'_>,
    shard: &mut Shard,
    found: &Found,
    candidate: &Candidate,
    words: &[u32],
    (parent, depth): (Number, u32),
    keep_edges: bool,
    entered: &mut Entered,
) {
    let patches = &found.patches[candidate.patches.0 as usize..candidate.patches.1 as usize];
    let inserted = shard.insert(
        candidate.print,
        || scene.in_order(words, patches),
        || (parent, candidate.way, depth),
    );
    match inserted {
        Some((number, true)) => {
            let first = entered.fresh.words.len();
            entered.fresh.push(number, candidate.print, words);
            crate::automaton::apply(&mut entered.fresh.words[first..], patches);
        }
        Some((number, false)) if keep_edges => entered.edges.push((parent, number)),
        Some(_) => {}
        None => entered.full = true,
    }
}
