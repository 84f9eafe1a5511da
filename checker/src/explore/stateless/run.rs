//! The run at hand: a stack of events, the state they lead to, and how to go back.

use super::clocks::{Clocks, Position};
use super::dependence::{Dependence, concerns, has_warp_operations, taking_part};
use crate::automaton::{Agent, Automaton, FIXED, Kind, LocalId, Memo, Patch, Step, Touch};
use crate::system::footprint::AccessClass;

/// What an agent can do next.
#[derive(Clone, Copy, Debug)]
pub enum Head {
    /// Nothing: it waits at a barrier, or has ended, or was given up.
    Waits,
    /// A step, which makes this access if any.
    Moves(Option<Touch>),
    /// A step that is never taken: a fault whatever memory holds, a failing assumption, or one that
    /// changes nothing for ever.
    Stuck,
    /// It took its last step in this run: see [`Effect::Faults`] and [`Effect::Looks`].
    Stopped,
}

/// What an event did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Moves {
        /// It changed nothing but where its thread stands.
        only_itself: bool,
    },
    /// It read a cell that holds nothing: the thread stops.
    Faults,
    /// It brought its thread back to where it was, and the thread has changed nothing since: the
    /// thread stops.
    Looks,
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub agent: Agent,
    pub touch: Option<Touch>,
    pub effect: Effect,
    /// One more than the position of the last event before it in happens-before; 0 if none.
    pub latest: u32,
    /// Others took part.
    pub joint: bool,
    /// Where its thread stood.
    from: LocalId,
    /// One more than the position of the event its agent took part in before; 0 if none.
    previous: u32,
    n_patches: u32,
    n_heads: u32,
}

/// Visible steps of a thread looked back on for its having stood there before.
pub const LOOKED_BACK: u32 = 256;

pub struct Run<'a> {
    automaton: &'a Automaton,
    pub words: Box<[u32]>,
    pub events: Vec<Event>,
    pub clocks: Clocks,
    pub heads: Vec<Head>,
    /// One more than the position of the last event each agent took part in; 0 if none.
    last: Vec<u32>,
    /// Positions of the accesses to each place.
    accesses: Vec<Vec<Position>>,
    /// Lanes of a warp may wait for each other.
    warps: bool,
    /// Those besides the agent who take part in the event being pushed.
    members: Vec<Agent>,
    /// Words as they were.
    patches: Vec<Patch>,
    /// Heads and last events as they were.
    changed: Vec<(Agent, Head, u32)>,
    pub memo: Memo,
    pub step: Step,
}

impl<'a> Run<'a> {
    /// The run of no events; heads are still to be found.
    pub fn new(automaton: &'a Automaton) -> Run<'a> {
        let n_agents = automaton.n_agents();
        Run {
            automaton,
            words: automaton.start(),
            events: Vec::new(),
            clocks: Clocks::new(n_agents),
            heads: vec![Head::Waits; n_agents as usize],
            last: vec![0; n_agents as usize],
            accesses: vec![Vec::new(); automaton.plan().n_cells() as usize],
            warps: has_warp_operations(automaton.instructions()),
            members: Vec::new(),
            patches: Vec::new(),
            changed: Vec::new(),
            memo: Memo::default(),
            step: Step::default(),
        }
    }

    pub fn len(&self) -> u32 {
        self.events.len() as u32
    }

    /// Fills [`Run::step`] with what an agent does next; whether it can move.
    pub fn look(&mut self, agent: Agent) -> bool {
        self.automaton
            .step(&self.words, agent, &mut self.memo, &mut self.step)
    }

    /// Appends the step in [`Run::step`], which is what `agent` does next. Into `races` come the
    /// positions of events that it races with: dependent, and nothing else orders them.
    pub fn push<D: Dependence>(&mut self, by: &D, agent: Agent, races: &mut Vec<Position>) {
        races.clear();
        self.members.clear();
        taking_part(self.automaton, &self.words, agent, &mut self.members);
        let touch = self.step.touch;
        self.begin_clock(agent);
        if let Some(touch) = touch.filter(|touch| touch.place != FIXED) {
            self.order_accesses(by, &touch, races);
            let position = self.len();
            self.accesses[touch.place as usize].push(position);
        }
        let latest = self.clocks.push(agent);
        let from = self.words.get(agent as usize).copied().unwrap_or_default();
        let effect = self.effect(agent);
        let mut event = Event {
            agent,
            touch,
            effect,
            latest,
            joint: !self.members.is_empty(),
            from,
            previous: self.last[agent as usize],
            n_patches: 0,
            n_heads: 0,
        };
        if matches!(effect, Effect::Moves { .. }) {
            for &(at, to) in &self.step.patches {
                self.patches.push((at, self.words[at as usize]));
                self.words[at as usize] = to;
            }
            event.n_patches = self.step.patches.len() as u32;
        }
        event.n_heads = self.move_on(agent);
        self.events.push(event);
    }

    /// Takes the last event back; who made it.
    pub fn pop(&mut self) -> Option<Agent> {
        let event = self.events.pop()?;
        for _ in 0..event.n_patches {
            if let Some((at, was)) = self.patches.pop() {
                self.words[at as usize] = was;
            }
        }
        for _ in 0..event.n_heads {
            if let Some((agent, head, last)) = self.changed.pop() {
                self.heads[agent as usize] = head;
                self.last[agent as usize] = last;
            }
        }
        if let Some(touch) = event.touch.filter(|touch| touch.place != FIXED) {
            self.accesses[touch.place as usize].pop();
        }
        self.clocks.pop();
        Some(event.agent)
    }

    /// The agents whose heads the last event may have changed: to be found again.
    pub fn changed_by_last(&self) -> impl Iterator<Item = Agent> + use<'_> {
        let n = self.events.last().map_or(0, |event| event.n_heads) as usize;
        let from = self.changed.len() - n;
        self.changed[from..].iter().map(|(agent, ..)| *agent)
    }

    fn begin_clock(&mut self, agent: Agent) {
        self.clocks.begin();
        if let Some(at) = self.last[agent as usize].checked_sub(1) {
            self.clocks.join(at);
        }
        for other in &self.members {
            if let Some(at) = self.last[*other as usize].checked_sub(1) {
                self.clocks.join(at);
            }
        }
    }

    /// Orders an access after those it depends on, the latest first: what is then ordered before
    /// one of them is no race.
    fn order_accesses<D: Dependence>(&mut self, by: &D, touch: &Touch, races: &mut Vec<Position>) {
        for &at in self.accesses[touch.place as usize].iter().rev() {
            let event = &self.events[at as usize];
            let Some(other) = &event.touch else {
                continue;
            };
            if by.interferes(touch, other) && !self.clocks.has(event.agent, at) {
                races.push(at);
                self.clocks.join(at);
            }
            if by.interferes_with_all(other) {
                return;
            }
        }
    }

    /// What the step in [`Run::step`] does to the run.
    fn effect(&self, agent: Agent) -> Effect {
        if self.step.kind == Kind::Faults {
            return Effect::Faults;
        }
        let own = |&(at, _): &Patch| at == agent;
        // Whether an atomic that commutes with others changes its cell depends on who came
        // first, which is not to matter.
        let commutes = |touch: &Touch| matches!(touch.class, AccessClass::Commuting(_));
        let only_itself = self.step.touch.is_some_and(|touch| !commutes(&touch))
            && self.step.patches.iter().all(own);
        if only_itself && self.comes_back(agent) {
            return Effect::Looks;
        }
        Effect::Moves { only_itself }
    }

    /// Whether a step that changes only its thread brings it back to where it was since the thread
    /// last changed anything else.
    fn comes_back(&self, agent: Agent) -> bool {
        let here = self.words[agent as usize];
        let to = self.step.patches.first().map_or(here, |&(_, to)| to);
        if to == here {
            return true;
        }
        let mut at = self.last[agent as usize];
        for _ in 0..LOOKED_BACK {
            let Some(event) = at.checked_sub(1).map(|at| &self.events[at as usize]) else {
                return false;
            };
            if event.agent != agent || event.effect != (Effect::Moves { only_itself: true }) {
                return false;
            }
            if event.from == to {
                return true;
            }
            at = event.previous;
        }
        false
    }

    /// Notes the event about to be pushed as the last of those who take part, and puts aside all
    /// heads it may change, the agent's own first; how many.
    fn move_on(&mut self, agent: Agent) -> u32 {
        let before = self.changed.len();
        let position = self.len() + 1;
        let aside = |run: &mut Run, agent: Agent| {
            let at = agent as usize;
            run.changed.push((agent, run.heads[at], run.last[at]));
        };
        aside(self, agent);
        self.last[agent as usize] = position;
        let members = std::mem::take(&mut self.members);
        for &member in &members {
            aside(self, member);
            self.last[member as usize] = position;
        }
        // A thread may be the last that others wait for: barriers, or lanes.
        let n_threads = self.automaton.n_threads_in_all();
        for barrier in n_threads..self.automaton.n_agents() {
            if barrier != agent && concerns(self.automaton, barrier, agent) {
                aside(self, barrier);
            }
        }
        if self.warps && agent < n_threads {
            for lane in self.automaton.warp_of(agent) {
                if lane != agent && !members.contains(&lane) {
                    aside(self, lane);
                }
            }
        }
        self.members = members;
        (self.changed.len() - before) as u32
    }

    /// The agents of the events that happen before one of those at `ends`, in order, and of those
    /// themselves if `with_ends`: a run by itself. Without the last steps of those that stopped,
    /// which change nothing.
    pub fn past_of(&self, ends: &[Position], with_ends: bool) -> Vec<Agent> {
        let events = self.events.iter().zip(0..);
        let before = events.filter(|(event, at)| {
            matches!(event.effect, Effect::Moves { .. })
                && (with_ends || !ends.contains(at))
                && ends
                    .iter()
                    .any(|&end| self.clocks.is_before(event.agent, *at, end))
        });
        before.map(|(event, _)| event.agent).collect()
    }

    /// Positions of the last events of those on whom it may depend that `agent` faults next.
    pub fn last_of(&self, agent: Agent) -> Vec<Position> {
        let mut whom = vec![agent];
        taking_part(self.automaton, &self.words, agent, &mut whom);
        if self.warps && agent < self.automaton.n_threads_in_all() {
            whom.extend(self.automaton.warp_of(agent));
        }
        let last = whom.iter().map(|member| self.last[*member as usize]);
        last.filter_map(|last| last.checked_sub(1)).collect()
    }

    pub fn bytes(&self) -> u64 {
        let accesses: usize = self.accesses.iter().map(|at| at.capacity() * 4 + 24).sum();
        let stacks = self.events.capacity() * size_of::<Event>()
            + self.patches.capacity() * size_of::<Patch>()
            + self.changed.capacity() * size_of::<(Agent, Head, u32)>();
        (accesses + stacks) as u64 + self.clocks.bytes()
    }
}
