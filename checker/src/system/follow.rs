//! Following a schedule on the reference semantics.

use crate::finding::ScheduleStep;
use crate::system::{CycleWatch, Explorable, ExploredProgram};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::named_barrier::Meeting;
use gridlock_semantics::grid::meetings::{self, Gone};
use gridlock_semantics::grid::transition::Due;
use gridlock_semantics::host::State;
use gridlock_semantics::host::streams::StreamId;
use gridlock_semantics::profile::{BarrierRule, NextBlock, Residency, Warps};
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::fault::Fault;
use gridlock_semantics::transition::{Actor, Advance, Going, Label, Rule, TransitionSystem};
use std::sync::Arc;

/// Private transitions in a row before a schedule is given up, unless the run is told otherwise.
pub const STEP_LIMIT: usize = 1_000_000;

/// Transitions of a run that is kept, each with the states around it: some gigabytes.
pub const MOST_KEPT: usize = 2_000_000;

/// Transitions between two looks at the clock.
const BETWEEN_LOOKS: usize = 256;

/// Private transitions in a row that are made without looking for a cycle.
const MOST_PRIVATE: usize = 128;

/// A warp has at most one path a thread.
const MOST_PATHS: usize = 32;

/// A transition that was followed.
#[derive(Clone)]
pub struct Followed {
    /// Who moved, by which rule, and what it touched.
    pub label: Arc<Label>,
    /// Before and after; `None` for private transitions, which change nothing others can see.
    pub states: Option<Arc<(State, State)>>,
}

impl Followed {
    /// The state before it; `None` for private transitions.
    pub fn before(&self) -> Option<&State> {
        self.states.as_ref().map(|states| &states.0)
    }

    /// Who met at named barriers in the transition, with their block; who arrived and went on.
    pub fn meetings(&self) -> (Vec<(u32, Meeting)>, Vec<Gone>) {
        let devices = self.states.as_ref().map(|s| (&s.0.device, &s.1.device));
        let Some((Some(before), Some(after))) = devices else {
            return (Vec::new(), Vec::new());
        };
        (
            meetings::meetings_of(before, after, &self.label),
            meetings::gone_on(before, after, &self.label),
        )
    }

    /// What the cell of an access held before and after the transition.
    pub fn cells(
        &self,
        system: &ExploredProgram,
        access: &Access,
    ) -> (Option<Value>, Option<Value>) {
        match &self.states {
            None => (None, None),
            Some(states) => (
                system.cell(&states.0, access),
                system.cell(&states.1, access),
            ),
        }
    }
}

/// A run in progress. It keeps what was followed.
pub struct Run<'a> {
    /// The program that runs.
    pub system: &'a ExploredProgram,
    /// Where it began.
    pub start: State,
    /// Where it is now.
    pub state: State,
    /// The transitions taken, in order; empty where none are kept.
    pub followed: Vec<Followed>,
    /// The visible transitions, as a schedule of single steps.
    pub taken: Vec<ScheduleStep>,
    /// Transitions taken, private ones too.
    pub n_followed: usize,
    /// Transitions that count in a schedule.
    pub n_counted: usize,
    /// Private transitions in a row before a schedule is given up.
    pub step_limit: usize,
    keeps: bool,
    faulted: bool,
    visit: Option<&'a mut Visit<'a>>,
}

/// A run that was begun, to be gone on with in several ways.
#[derive(Clone)]
pub struct Begun {
    start: State,
    state: State,
    followed: Vec<Followed>,
    taken: Vec<ScheduleStep>,
    n_followed: usize,
    n_counted: usize,
}

/// Where a run was.
pub struct Mark {
    state: State,
    n_kept: usize,
    n_taken: usize,
    n_followed: usize,
    n_counted: usize,
}

/// Sees each transition's number, its label, and the states before and after it.
pub type Visit<'a> = dyn FnMut(usize, &Label, &State, &State) + 'a;

/// The actors of a step could not do what it says, or not in time.
pub struct Blocked;

impl<'a> Run<'a> {
    /// A run that keeps what it follows.
    pub fn new(system: &'a ExploredProgram, initial: State) -> Run<'a> {
        Run {
            system,
            start: initial.clone(),
            state: initial,
            followed: Vec::new(),
            taken: Vec::new(),
            n_followed: 0,
            n_counted: 0,
            step_limit: STEP_LIMIT,
            keeps: true,
            faulted: false,
            visit: None,
        }
    }

    /// A run of which only the last state is wanted.
    pub fn without_history(system: &'a ExploredProgram, initial: State) -> Run<'a> {
        Run {
            keeps: false,
            ..Run::new(system, initial)
        }
    }

    /// A run that is seen as it goes and keeps nothing.
    pub fn visiting(
        system: &'a ExploredProgram,
        initial: State,
        visit: &'a mut Visit<'a>,
    ) -> Run<'a> {
        Run {
            visit: Some(visit),
            ..Run::without_history(system, initial)
        }
    }

    /// Whether the last transition was a fault.
    pub fn has_faulted(&self) -> bool {
        self.faulted || self.fault().is_some()
    }

    /// The fault of the last transition that was kept, if it was one.
    pub fn fault(&self) -> Option<&Fault> {
        self.followed.last()?.label.fault.as_ref()
    }

    fn take(&mut self, label: Label, next: State) {
        let before = std::mem::replace(&mut self.state, next);
        if let Some(visit) = &mut self.visit {
            visit(self.n_followed, &label, &before, &self.state);
        }
        self.n_followed += 1;
        self.n_counted += self.system.counts(&label) as usize;
        if self.keeps {
            let counts = self.system.counts(&label);
            let states = counts.then(|| Arc::new((before, self.state.clone())));
            self.followed.push(Followed {
                label: Arc::new(label),
                states,
            });
        } else {
            self.faulted = label.fault.is_some();
        }
    }

    /// Whether a transition may be made in place: a private one, of which nobody asks for the states around it.
    fn may_advance(&self, due: &Due) -> bool {
        self.visit.is_none() && !self.system.counts(due.label()) && self.system.system().is_own(due)
    }

    /// Makes a transition that [may be made so](Self::may_advance).
    fn advance(&mut self, due: Due) {
        let label = self.system.system().advance(&mut self.state, due);
        self.n_followed += 1;
        match self.keeps {
            true => self.followed.push(Followed {
                label: Arc::new(label),
                states: None,
            }),
            false => self.faulted = false,
        }
    }

    /// Whether somebody asks for the states around transitions.
    fn is_seen(&self) -> bool {
        self.keeps || self.visit.is_some()
    }

    /// Makes the next transition of one thread in place, where nobody asks for the states around it, and it `may` be made.
    fn advance_unseen(
        &mut self,
        actors: &[Actor],
        may: impl Fn(Advance) -> bool,
    ) -> Option<Advance> {
        let mut only = None;
        self.advance_many(actors, |made| {
            only = may(made).then_some(made);
            match only {
                Some(_) => Going::Ends,
                None => Going::Stops,
            }
        });
        only
    }

    /// Makes transitions of one thread in place while `go` says so, where nobody asks for the states around them.
    fn advance_many(&mut self, actors: &[Actor], mut go: impl FnMut(Advance) -> Going) {
        if self.is_seen() {
            return;
        }
        let (system, mut counted) = (self.system, 0);
        let made = system
            .system()
            .advance_alone(&mut self.state, actors, |made| {
                let going = go(made);
                counted += (going != Going::Stops && system.counts_in_place(made)) as usize;
                going
            });
        self.n_followed += made as usize;
        self.n_counted += counted;
        self.faulted &= made == 0;
    }

    /// Makes in place what it can of the next visible transitions of one thread, `most` at most, and of private ones on the
    /// way; how many visible ones. It ends in time, and long before a cycle of private ones would have to be noticed.
    fn advance_in_a_row(&mut self, actors: &[Actor], most: u32) -> u32 {
        let (system, mut visible) = (self.system, 0);
        while visible < most && !self.is_seen() && !system.is_late() {
            let (mut made, mut private) = (0, 0);
            self.advance_many(actors, |next| {
                made += 1;
                match system.counts_in_place(next) {
                    true => (visible, private) = (visible + 1, 0),
                    false => private += 1,
                }
                match visible == most || made == BETWEEN_LOOKS || private == MOST_PRIVATE {
                    true => Going::Ends,
                    false => Going::GoesOn,
                }
            });
            if made < BETWEEN_LOOKS || private == MOST_PRIVATE {
                break;
            }
        }
        visible
    }

    /// Whether it has gone on for longer than it may.
    fn is_over(&self) -> bool {
        self.keeps && self.n_followed >= MOST_KEPT
            || self.n_followed % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && self.system.is_late()
    }

    /// Follows a schedule; stops at a fault. A step that cannot be taken blocks the run.
    pub fn follow(&mut self, schedule: &[ScheduleStep]) -> Result<(), Blocked> {
        for step in schedule {
            let mut left = step.steps;
            while left > 0 {
                if self.has_faulted() {
                    return Ok(());
                }
                left -= self.advance_in_a_row(&step.actors, left);
                if left > 0 {
                    self.visible(&step.actors, step.choice)?;
                    left -= 1;
                }
            }
        }
        Ok(())
    }

    /// The private transitions of `actors` and the next visible one, number `choice` of those
    /// they have.
    pub fn visible(&mut self, actors: &[Actor], choice: u32) -> Result<(), Blocked> {
        let mut watch = CycleWatch::new(1_024);
        for _ in 0..self.step_limit {
            if self.is_over() {
                return Err(Blocked);
            }
            if let Some(made) = self.advance_unseen(actors, |_| true) {
                if self.system.counts_in_place(made) {
                    return Ok(());
                }
                if watch.comes_back(Some(made.op), &self.state) {
                    return Err(Blocked);
                }
                continue;
            }
            let due = self.system.system().due(&self.state, actors);
            let mut found = match due {
                Some(due) if self.may_advance(&due) => {
                    if watch.comes_back(due.label().op, &self.state) {
                        return Err(Blocked);
                    }
                    self.advance(due);
                    continue;
                }
                Some(due) => self.system.system().outcomes(&self.state, due),
                None => self.system.system().fire(&self.state, actors),
            };
            if found.is_empty() {
                // A warp operation: private steps of the lanes it waits for are due.
                self.settle_warp(actors);
                found = self.system.system().fire(&self.state, actors);
            }
            if found.is_empty() {
                // A barrier or the end of a launch: private steps of those who take part are due.
                self.settle_others(actors);
                found = self.system.system().fire(&self.state, actors);
            }
            if found.is_empty() && self.end_another(actors) {
                continue;
            }
            let is_private = found.iter().all(|(label, _)| !self.system.counts(label));
            let chosen = if is_private {
                found.into_iter().next()
            } else {
                let system = self.system;
                let visible = found.into_iter().filter(|(label, _)| system.counts(label));
                visible.into_iter().nth(choice as usize)
            };
            let (label, next) = chosen.ok_or(Blocked)?;
            if self.system.is_discarded(&next) || watch.comes_back(label.op, &self.state) {
                return Err(Blocked);
            }
            self.take(label, next);
            if !is_private {
                if self.keeps {
                    self.taken.push(ScheduleStep {
                        actors: actors.to_vec(),
                        steps: 1,
                        choice,
                    });
                }
                return Ok(());
            }
        }
        Err(Blocked)
    }

    /// One transition of `actors`, number `choice` of all they have, private ones too.
    pub fn exactly(&mut self, actors: &[Actor], choice: u32) -> Result<(), Blocked> {
        if self.is_over() {
            return Err(Blocked);
        }
        let found = self.system.system().fire(&self.state, actors);
        let (label, next) = found.into_iter().nth(choice as usize).ok_or(Blocked)?;
        if self.system.is_discarded(&next) || label.fault.is_some() {
            return Err(Blocked);
        }
        self.take(label, next);
        Ok(())
    }

    /// A schedule in which every transition counts.
    pub fn follow_exactly(&mut self, schedule: &[ScheduleStep]) -> Result<(), Blocked> {
        for step in schedule {
            for _ in 0..step.steps {
                self.exactly(&step.actors, step.choice)?;
            }
        }
        Ok(())
    }

    /// This run so far; one that keeps what it follows.
    pub fn begun(self) -> Begun {
        Begun {
            start: self.start,
            state: self.state,
            followed: self.followed,
            taken: self.taken,
            n_followed: self.n_followed,
            n_counted: self.n_counted,
        }
    }

    /// Goes on from there.
    pub fn of(system: &'a ExploredProgram, begun: Begun) -> Run<'a> {
        Run {
            state: begun.state,
            followed: begun.followed,
            taken: begun.taken,
            n_followed: begun.n_followed,
            n_counted: begun.n_counted,
            ..Run::new(system, begun.start)
        }
    }

    /// Where the run is, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            state: self.state.clone(),
            n_kept: self.followed.len(),
            n_taken: self.taken.len(),
            n_followed: self.n_followed,
            n_counted: self.n_counted,
        }
    }

    /// Forgets what came after the mark.
    pub fn back_to(&mut self, mark: Mark) {
        self.state = mark.state;
        self.followed.truncate(mark.n_kept);
        self.taken.truncate(mark.n_taken);
        self.n_followed = mark.n_followed;
        self.n_counted = mark.n_counted;
        self.faulted = false;
    }

    /// Forgets what came after transition number `last`.
    pub fn cut_off(&mut self, last: usize) {
        self.followed.truncate(last + 1);
        let counts = |step: &&Followed| self.system.counts(&step.label);
        self.taken
            .truncate(self.followed.iter().filter(counts).count());
        if let Some(states) = self.followed.last().and_then(|end| end.states.as_ref()) {
            self.state = states.1.clone();
        }
        self.n_followed = self.followed.len();
    }

    /// This run up to its transition number `n` of those that count, from 1 on, to be gone on with in another way. `None` where
    /// it has no such transition, or does not keep what it followed.
    pub fn up_to(&self, n: usize) -> Option<Run<'a>> {
        let counted = self.followed.iter().enumerate();
        let mut counted = counted.filter_map(|(at, step)| Some((at, step.states.as_ref()?)));
        let (at, states) = counted.nth(n.checked_sub(1)?)?;
        let begun = Begun {
            start: self.start.clone(),
            state: states.1.clone(),
            followed: self.followed[..=at].to_vec(),
            taken: self.taken.get(..n)?.to_vec(),
            n_followed: at + 1,
            n_counted: n,
        };
        let step_limit = self.step_limit;
        Some(Run {
            step_limit,
            ..Run::of(self.system, begun)
        })
    }

    /// The private transitions of `actor`.
    fn settle(&mut self, actor: Actor) {
        let mut watch = CycleWatch::new(1_024);
        for _ in 0..self.step_limit {
            if self.is_over() {
                return;
            }
            let system = self.system;
            let may = |made| !system.counts_in_place(made);
            if let Some(made) = self.advance_unseen(&[actor], may) {
                if watch.comes_back(Some(made.op), &self.state) {
                    return;
                }
                continue;
            }
            let due = self.system.system().due(&self.state, &[actor]);
            let mut found = match due {
                Some(due) if self.may_advance(&due) => {
                    if watch.comes_back(due.label().op, &self.state) {
                        return;
                    }
                    self.advance(due);
                    continue;
                }
                Some(due) => self.system.system().outcomes(&self.state, due),
                None => self.system.system().fire(&self.state, &[actor]),
            };
            match found.pop() {
                Some((label, next))
                    if found.is_empty()
                        && !self.system.counts(&label)
                        && !self.system.is_discarded(&next)
                        && !watch.comes_back(label.op, &self.state) =>
                {
                    self.take(label, next);
                }
                _ => return,
            }
        }
    }

    /// The private transitions of all lanes of the warp of `actors`, where lanes move on their own.
    fn settle_warp(&mut self, actors: &[Actor]) {
        let context = self.system.system().context();
        let (Some(Actor::Thread { block, thread }), Warps::Independent(_)) =
            (actors.first(), context.axes.warps)
        else {
            return;
        };
        let size = context.warp_size();
        let first = thread / size * size;
        let n_threads = self.threads_of(*block).len() as u32;
        for lane in first..n_threads.min(first + size) {
            self.settle(Actor::Thread {
                block: *block,
                thread: lane,
            });
        }
    }

    /// Ends a thread whose end completes the named barrier at which `actors` wait: a transition that others see, of which
    /// schedules of automata say nothing, as their threads end once nothing else is left. Whether there was one.
    fn end_another(&mut self, actors: &[Actor]) -> bool {
        let &[Actor::Thread { block, thread }] = actors else {
            return false;
        };
        let of_block = |state: &State, thread: u32| {
            let block = state.device.as_ref()?.blocks.get(block as usize)?;
            block.threads.get(thread as usize).cloned()
        };
        if !of_block(&self.state, thread).is_some_and(|own| own.waiting) {
            return false;
        }
        for other in self.threads_of(block) {
            let Actor::Thread { thread, .. } = other else {
                continue;
            };
            if self.cannot_move(other) {
                continue;
            }
            let mut found = self.system.system().fire(&self.state, &[other]);
            let Some((label, next)) = found.pop().filter(|_| found.is_empty()) else {
                continue;
            };
            let ends = of_block(&next, thread).is_some_and(|other| !other.is_running());
            let completes = label.rule == Rule::NamedBarrier && label.fault.is_none();
            if ends && completes && !self.system.is_discarded(&next) {
                self.take(label, next);
                if self.keeps {
                    self.taken.push(ScheduleStep {
                        actors: vec![other],
                        steps: 1,
                        choice: 0,
                    });
                }
                return true;
            }
        }
        false
    }

    /// Every actor that may move: the host, each thread, each block, the device.
    pub fn actors(&self) -> Vec<Actor> {
        let mut actors = self.state.host_threads();
        let streams = self.state.queues.busy();
        actors.extend(streams.into_iter().map(StreamId::actor));
        if let Some(grid) = &self.state.device {
            for block in 0..grid.blocks.len() as u32 {
                actors.extend(self.threads_of(block));
                actors.push(Actor::Block(block));
            }
        }
        actors.push(Actor::Device);
        actors
    }

    /// The threads of a block of the running launch; none without a launch.
    pub fn threads_of(&self, block: u32) -> Vec<Actor> {
        let n_threads = match &self.state.device {
            None => 0,
            Some(grid) => grid.launch.n_threads() as u32,
        };
        let thread = |thread| Actor::Thread { block, thread };
        (0..n_threads).map(thread).collect()
    }

    /// The private transitions of all whom `actors` may wait for: where blocks run as they like,
    /// those of their own block.
    fn settle_others(&mut self, actors: &[Actor]) {
        let scheduling = self.system.system().context().scheduling;
        let free =
            scheduling.residency == Residency::AllResident && scheduling.next == NextBlock::Any;
        match actors.first() {
            Some(Actor::Thread { block, .. } | Actor::Block(block)) if free => {
                let mut own = self.threads_of(*block);
                own.push(Actor::Block(*block));
                self.settle_all(|_| own.clone());
            }
            _ => self.settle_everyone(),
        }
    }

    /// The private transitions of all actors. One may wait for another's, which come later in the
    /// list (a path of a lockstep warp for the path that runs), so it is gone through again until
    /// no actor has moved, or often enough for every path there can be.
    pub fn settle_everyone(&mut self) {
        self.settle_all(Run::actors);
    }

    fn settle_all(&mut self, actors: impl Fn(&Self) -> Vec<Actor>) {
        for _ in 0..MOST_PATHS {
            let before = self.n_followed;
            for actor in actors(self) {
                self.settle(actor);
            }
            if self.n_followed == before {
                return;
            }
        }
    }

    /// Lets `actors` go on, one after the other, until none of them can or one faults; gives up
    /// after `most` transitions, and when a state comes back. Each goes as far as it can before
    /// the next. Whether it was not given up.
    pub fn go_on(&mut self, actors: &[Actor], most: usize) -> bool {
        let limit = self.n_followed.saturating_add(most);
        let mut watch = CycleWatch::new(1_024);
        loop {
            let before = self.n_counted;
            for &actor in actors {
                if self.cannot_move(actor) {
                    continue;
                }
                while self.n_followed < limit
                    && !self.cannot_move(actor)
                    && !self.has_faulted()
                    && self.visible(&[actor], 0).is_ok()
                {
                    if watch.comes_back(None, &self.state) {
                        return false;
                    }
                }
                self.settle(actor);
                if self.has_faulted() {
                    return true;
                }
            }
            if self.n_counted == before {
                return true;
            }
            if self.n_followed >= limit {
                return false;
            }
        }
    }

    /// Lets every actor go on until nobody can move, in canonical order, with so many transitions in one round of all.
    pub fn complete(&mut self, most: usize) {
        loop {
            let before = self.n_counted;
            let actors = self.actors();
            let ended = self.go_on(&actors, most);
            if !ended || self.n_counted == before || self.has_faulted() {
                return;
            }
        }
    }

    /// Whether it is seen at once that it cannot move: the host while a launch is in progress, the device before all threads
    /// have ended, a thread that has, or stands at a barrier that its block passes as one.
    pub fn cannot_move(&self, actor: Actor) -> bool {
        let grid = self.state.device.as_ref();
        let block_of = |block: u32| grid.and_then(|grid| grid.blocks.get(block as usize));
        let (block, thread) = match actor {
            Actor::Thread { block, thread } => (block, thread),
            Actor::Host | Actor::HostThread(_) => return grid.is_some(),
            Actor::Device => {
                return grid.is_some_and(|grid| !grid.is_final() && !grid.cooperative);
            }
            Actor::Block(block) => return block_of(block).is_none_or(|block| block.is_finished()),
            _ => return false,
        };
        let block = block_of(block);
        let thread = block.and_then(|block| block.threads.get(thread as usize));
        let together = self.system.profile().axes.barrier == BarrierRule::Collective;
        thread.is_none_or(|thread| !thread.is_running() || together && thread.is_at_barrier())
    }

    /// No actor can move, and the run has not come to a proper end.
    pub fn is_deadlocked(&self) -> bool {
        // Too many transitions to list are some.
        if self.system.too_active(&self.state).is_some() {
            return false;
        }
        let mut found = Vec::new();
        self.system.successors(&self.state, &mut found);
        found.is_empty()
            && self.state.end.is_none()
            && !self.system.is_final(&self.state)
            && !self.system.is_discarded(&self.state)
    }
}
