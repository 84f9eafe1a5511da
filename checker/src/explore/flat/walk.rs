//! Going ahead over steps that nothing can come between.
//!
//! A stretch is run in one order, on a copy of the state with a log to undo it; it is kept only if
//! no other order of its steps can differ: no access of one thread interferes with one of another
//! in the same barrier interval, nor of one block with one of another block anywhere in the
//! stretch. (Take the first step in some other order that is not the corresponding step in ours:
//! the thread has read what another wrote in the stretch, so two steps that both agree with ours
//! interfere.) Threads take turns, so an interference shows early.

use super::classes::{ClassSet, CodeAt, against, bit};
use super::waiting::Order;
use crate::automaton::{Agent, Automaton, FIXED, Kind, Memo, Patch, Step, Touch, apply};

/// Steps of one thread alone before it is given up.
const THREAD_BOUND: u32 = 500;
/// Steps a thread takes in a row at most, when threads take turns.
pub(super) const LONGEST_TURN: u32 = 64;

/// Who touched a place: the classes of the last one, and of those before.
#[derive(Clone, Copy, Default)]
struct Mark {
    era: u32,
    who: u32,
    own: ClassSet,
    others: ClassSet,
}

impl Mark {
    /// Notes an access; whether it interferes with another's of the same era.
    fn meets(&mut self, era: u32, who: u32, touch: &Touch) -> bool {
        if self.era != era {
            *self = Mark {
                era,
                who,
                own: 0,
                others: 0,
            };
        } else if self.who != who {
            self.others |= self.own;
            (self.who, self.own) = (who, 0);
        }
        self.own |= bit(touch.class);
        self.others & against(touch.class) != 0
    }
}

/// Where stretches are run.
pub struct Ground {
    pub words: Vec<u32>,
    /// Words changed, and what they were.
    log: Vec<Patch>,
    /// Who moved, in order.
    pub agents: Vec<Agent>,
    /// Accesses of the run in progress.
    pub touches: Vec<(Agent, Touch)>,
    pub(super) step: Step,
    /// By place: by thread within a barrier interval.
    intervals: Vec<Mark>,
    /// By place: by block.
    blocks: Vec<Mark>,
    era: u32,
    active: Vec<Vec<Agent>>,
    eras: Vec<u32>,
    runs: Vec<Run>,
    pub(super) order: Order,
    /// The last run was given up because it was too long.
    pub(super) overran: bool,
}

/// Which words differ now from what they were before all changes; `log` has the words changed, and
/// what each was, in the order of the changes. It is of no use afterwards.
pub fn changes(log: &mut [Patch], words: &[u32], out: &mut Vec<Patch>) {
    out.clear();
    log.reverse();
    // The oldest entry of a word comes last now, and says what it was at the start.
    log.sort_by_key(|(at, _)| *at);
    for same in log.chunk_by(|a, b| a.0 == b.0) {
        let (at, was) = same[same.len() - 1];
        let is = words[at as usize];
        if was != is {
            out.push((at, is));
        }
    }
}

/// What one thread does alone.
#[derive(Clone, Copy)]
struct Run {
    thread: Agent,
    n_steps: u32,
    touches: (u32, u32),
    /// It came to where it waits, ends or faults, and nothing it did meets what others may do.
    speaks: bool,
}

pub(super) enum Advance {
    Went,
    /// It waits, has ended, goes in a circle, or would end the run.
    Stays,
    GivenUp,
}

impl Ground {
    pub fn new(automaton: &Automaton) -> Ground {
        let n_cells = automaton.plan().n_cells() as usize;
        Ground {
            words: Vec::new(),
            log: Vec::new(),
            agents: Vec::new(),
            touches: Vec::new(),
            step: Step::default(),
            intervals: vec![Mark::default(); n_cells],
            blocks: vec![Mark::default(); n_cells],
            era: 0,
            active: Vec::new(),
            eras: Vec::new(),
            runs: Vec::new(),
            order: Order::default(),
            overran: false,
        }
    }

    pub(super) fn begin(&mut self, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.log.clear();
        self.agents.clear();
        self.touches.clear();
        self.overran = false;
    }

    fn undo_to(&mut self, length: usize) {
        for (at, old) in self.log.drain(length..).rev() {
            self.words[at as usize] = old;
        }
    }

    pub(super) fn advance(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        agent: Agent,
    ) -> Advance {
        if !automaton.step(&self.words, agent, memo, &mut self.step) {
            return match automaton.is_given_up(&self.words, agent) {
                true => Advance::GivenUp,
                false => Advance::Stays,
            };
        }
        if let Some(touch) = self.step.touch.filter(|touch| touch.place != FIXED) {
            self.touches.push((agent, touch));
        }
        if self.step.kind != Kind::Moves || self.step.patches.is_empty() {
            return Advance::Stays;
        }
        for &(at, _) in &self.step.patches {
            self.log.push((at, self.words[at as usize]));
        }
        apply(&mut self.words, &self.step.patches);
        self.agents.push(agent);
        Advance::Went
    }

    /// What has changed since the start.
    pub fn patches(&mut self, out: &mut Vec<Patch>) {
        changes(&mut self.log, &self.words, out);
    }

    /// Whether no block touched, in the run just made, what another touched otherwise than both
    /// reading it or by operations that commute.
    pub fn blocks_keep_apart(&mut self, automaton: &Automaton) -> bool {
        self.era += 2;
        let era = self.era;
        self.touches.iter().all(|(agent, touch)| {
            let block = automaton.block_of(*agent);
            !self.blocks[touch.place as usize].meets(era, block, touch)
        })
    }

    /// Runs the launch, or one block of it, from `words` as far as its barrier intervals are free
    /// of interference. How many transitions; 0 when not a single interval is.
    pub fn launch(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        words: &[u32],
        focus: Option<u32>,
    ) -> u32 {
        self.begin(words);
        let blocks = focus.map_or(0..automaton.n_blocks(), |block| block..block + 1);
        let n_threads = automaton.n_threads();
        let alone = blocks.len() == 1;
        let bound = 50_000 + 2_000 * n_threads as usize * blocks.len();
        self.era += 2;
        let launch_era = self.era - 1;
        self.eras.clear();
        self.eras.resize(automaton.n_blocks() as usize, self.era);
        self.active
            .resize(automaton.n_blocks() as usize, Vec::new());
        for block in blocks.clone() {
            let active = &mut self.active[block as usize];
            active.clear();
            active.extend(block * n_threads..(block + 1) * n_threads);
            self.era += 1;
            self.eras[block as usize] = self.era;
        }
        // Of a block alone, the stretch up to its last barrier is kept where the rest is not.
        let mut kept = (0, 0, 0);
        let mut turn = 1;
        let mut done = false;
        while !done {
            done = true;
            for block in blocks.clone() {
                let mut active = std::mem::take(&mut self.active[block as usize]);
                done &= active.is_empty();
                let had_some = !active.is_empty();
                let mut n = 0;
                while n < active.len() {
                    match self.turn(automaton, memo, active[n], turn, (block, launch_era, alone)) {
                        Advance::Went => n += 1,
                        Advance::Stays => {
                            active.swap_remove(n);
                        }
                        Advance::GivenUp => {
                            self.active[block as usize] = active;
                            return self.keep(kept);
                        }
                    }
                }
                if active.is_empty() && had_some {
                    let barrier = automaton.n_threads_in_all() + block;
                    if let Advance::Went = self.advance(automaton, memo, barrier) {
                        active.extend(block * n_threads..(block + 1) * n_threads);
                        self.era += 1;
                        self.eras[block as usize] = self.era;
                        if alone {
                            kept = (self.log.len(), self.agents.len(), self.touches.len());
                        }
                    }
                }
                self.active[block as usize] = active;
                if self.agents.len() > bound {
                    self.overran = kept.1 == 0;
                    return self.keep(kept);
                }
            }
            turn = (turn * 2).min(LONGEST_TURN);
        }
        self.agents.len() as u32
    }

    fn keep(&mut self, (log, agents, touches): (usize, usize, usize)) -> u32 {
        self.undo_to(log);
        self.agents.truncate(agents);
        self.touches.truncate(touches);
        agents as u32
    }

    /// Some steps of one thread, with accesses noted; `alone`: no other block moves.
    fn turn(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        thread: Agent,
        most: u32,
        (block, launch_era, alone): (u32, u32, bool),
    ) -> Advance {
        for _ in 0..most {
            let n_touches = self.touches.len();
            let advance = self.advance(automaton, memo, thread);
            for (_, touch) in &self.touches[n_touches..] {
                let place = touch.place as usize;
                let era = self.eras[block as usize];
                if self.intervals[place].meets(era, thread, touch)
                    || !alone && self.blocks[place].meets(launch_era, block, touch)
                {
                    return Advance::GivenUp;
                }
            }
            match advance {
                Advance::Went => {}
                other => return other,
            }
        }
        Advance::Went
    }

    /// Runs each thread whose way to its barrier meets nothing others may do meanwhile; of all
    /// blocks, or of one as if it were alone. How many transitions.
    pub fn threads(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        code: &CodeAt,
        words: &[u32],
        focus: Option<u32>,
    ) -> u32 {
        self.begin(words);
        let n_threads = automaton.n_threads();
        let blocks = focus.map_or(0..automaton.n_blocks(), |block| block..block + 1);
        let others = focus.is_none() && automaton.n_blocks() > 1;
        let mut chosen = Vec::new();
        for block in blocks {
            self.runs.clear();
            for thread in block * n_threads..(block + 1) * n_threads {
                let first = self.touches.len();
                let clean = self.run_alone(automaton, memo, thread);
                let n_steps = self.agents.len() as u32;
                self.undo_to(0);
                self.agents.clear();
                let mut own = self.touches[first..].iter();
                let speaks =
                    clean && !(others && own.any(|(_, touch)| code.of_others_meets(touch)));
                self.runs.push(Run {
                    thread,
                    n_steps,
                    touches: (first as u32, self.touches.len() as u32),
                    speaks,
                });
            }
            self.silence(code);
            let runs = self.runs.iter();
            chosen.extend(
                runs.filter(|run| run.speaks && run.n_steps > 0)
                    .map(|r| r.thread),
            );
        }
        self.touches.clear();
        for thread in chosen {
            self.run_alone(automaton, memo, thread);
        }
        self.agents.len() as u32
    }

    /// Runs a thread until it stays; whether it came so far.
    fn run_alone(&mut self, automaton: &Automaton, memo: &mut Memo, thread: Agent) -> bool {
        for _ in 0..THREAD_BOUND {
            match self.advance(automaton, memo, thread) {
                Advance::Went => {}
                Advance::Stays => return true,
                Advance::GivenUp => return false,
            }
        }
        false
    }

    /// Takes threads out of those that speak until none meets what another does, nor what the code
    /// of one that does not speak may do.
    fn silence(&mut self, code: &CodeAt) {
        loop {
            let mut changed = false;
            let all_speak = self.runs.iter().all(|run| run.speaks);
            self.era += 1;
            for run in &mut self.runs {
                if !run.speaks {
                    continue;
                }
                let own = &self.touches[run.touches.0 as usize..run.touches.1 as usize];
                let meets = own.iter().any(|(_, touch)| {
                    !all_speak && code.meets(touch)
                        || self.intervals[touch.place as usize].meets(self.era, run.thread, touch)
                });
                if meets {
                    run.speaks = false;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}
