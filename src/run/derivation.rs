//! One run as a derivation: which rule fired, for whom, where, and what it did to memory. It runs
//! the reference semantics: along a schedule, and from there (or from the start) on as the
//! schedule goes in which a thread runs on as long as it can and the next is the first that can
//! move.

use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::replay::{self, AccessSeen, Counts, Taken};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Op, OpId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::host::streams::StreamId;
use gridlock_semantics::print;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::Fault;
use gridlock_semantics::transition::{Actor, Label, Rule, TransitionSystem};
use std::collections::HashMap;
use std::sync::Arc;

/// One application of a rule.
#[derive(Clone, Debug)]
pub struct DerivationStep {
    /// Who moved, by which rule, and what it touched.
    pub label: Label,
    /// The rules of one thread that were merged; empty where nothing was.
    pub merged: Vec<Rule>,
    /// The operator the rule was applied to, on one line; empty when there is none.
    pub operator: String,
    /// Of the operator, in the source.
    pub span: Span,
    /// What was read and written, in words: `x[0] = 1`, `x[0] := 2`, `bc := 1`.
    pub effects: Vec<String>,
}

/// How a derivation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It came to its end, and this was seen.
    Final(Observation),
    /// The last step ended in a fault.
    Fault(Fault),
    /// No actor can move, and some have not finished.
    Stuck,
    /// The bound on steps was reached.
    Cut,
}

/// A run, rule by rule.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The program that was run: in atomic form where the profile's granularity is `access`.
    pub program: Arc<Program>,
    /// In order.
    pub steps: Vec<DerivationStep>,
    /// Steps that the schedule asked for, private ones among them; the others came of themselves.
    pub n_scheduled: usize,
    /// How it ended.
    pub end: End,
}

/// A transition of `last` if it can move, else of the first who can. (Only what one actor does
/// is asked for: under `set` firing there is a transition for every set of threads.)
fn next(
    system: &ProgramSystem,
    state: &State,
    last: Option<Actor>,
) -> Option<(Actor, Label, State)> {
    let mut actors: Vec<Actor> = last.into_iter().collect();
    actors.push(Actor::Device);
    actors.extend(state.queues.busy().into_iter().map(StreamId::actor));
    actors.extend(state.host_threads());
    if let Some(grid) = &state.device {
        for (block, present) in (0..).zip(grid.blocks.iter()) {
            let threads = 0..present.threads.len() as u32;
            actors.extend(threads.map(|thread| Actor::Thread { block, thread }));
            actors.push(Actor::Block(block));
        }
    }
    actors.into_iter().find_map(|actor| {
        let fired = system.fire(state, &[actor]);
        let (label, after) = fired.into_iter().next()?;
        Some((actor, label, after))
    })
}

/// Derives along `schedule` and then on, at most `max_steps` steps. `None` when the schedule
/// cannot be followed.
pub fn derive(
    explored: &ExploredProgram,
    schedule: &[ScheduleStep],
    counts: Counts,
    max_steps: u64,
) -> Option<Derivation> {
    let system = explored.system();
    let (taken, mut state) = replay::along(explored, schedule, counts)?;
    let place = Places::new(system.program());
    let mut steps: Vec<DerivationStep> = taken
        .iter()
        .map(|taken| place.step(system, taken))
        .collect();
    let n_scheduled = steps.len();
    let mut last = schedule
        .last()
        .and_then(|step| step.actors.first().copied());
    let end = loop {
        if let Some(fault) = state.fault() {
            break End::Fault(fault.clone());
        }
        if system.is_final(&state) {
            break End::Final(system.observe(&state));
        }
        // A cycle has been shown once it is complete.
        if steps.len() as u64 >= max_steps || counts == Counts::Every {
            break End::Cut;
        }
        let Some((actor, label, after)) = next(system, &state, last) else {
            break End::Stuck;
        };
        last = Some(actor);
        let before = std::mem::replace(&mut state, after);
        let taken = Taken::new(explored, label, before, state.clone());
        steps.push(place.step(system, &taken));
    };
    steps.truncate(usize::try_from(max_steps).unwrap_or(usize::MAX));
    Some(Derivation {
        program: system.program().clone(),
        n_scheduled: n_scheduled.min(steps.len()),
        steps,
        end,
    })
}

/// Where operators stand.
struct Places<'a> {
    program: &'a Program,
    operators: HashMap<OpId, (ProcId, &'a Arc<Op>)>,
}

impl<'a> Places<'a> {
    fn new(program: &'a Program) -> Places<'a> {
        let operators = program.operators().into_iter();
        Places {
            program,
            operators: operators.map(|(proc, op)| (op.id, (proc, op))).collect(),
        }
    }

    fn step(&self, system: &ProgramSystem, taken: &Taken) -> DerivationStep {
        let place = taken.label.op.and_then(|op| self.operators.get(&op));
        let operator = place.map_or(String::new(), |(proc, op)| {
            let text = print::operator_as_written(self.program, *proc, op);
            let first = text.lines().next().unwrap_or("").trim();
            self.program.in_source_names(first)
        });
        DerivationStep {
            merged: merged(system, taken),
            operator,
            span: place.map_or(Span::NONE, |(_, op)| op.span),
            effects: effects(taken),
            label: taken.label.clone(),
        }
    }
}

/// The rules each of several threads would have applied alone.
fn merged(system: &ProgramSystem, taken: &Taken) -> Vec<Rule> {
    let mut rules = Vec::new();
    if let Some(states) = &taken.states
        && taken.label.rule == Rule::Merge
    {
        for actor in &taken.label.actors {
            let alone = system.fire(&states.0, &[*actor]);
            if let Some((label, _)) = alone.first()
                && !rules.contains(&label.rule)
            {
                rules.push(label.rule);
            }
        }
    }
    rules
}

fn effects(taken: &Taken) -> Vec<String> {
    let shown = |value: Option<Value>| value.map_or("nothing".to_owned(), |v| v.to_string());
    let effect = |seen: &AccessSeen| {
        let AccessSeen {
            access,
            element: cell,
            ..
        } = seen;
        match access.mode {
            AccessMode::Read | AccessMode::AtomicRead => format!("{cell} = {}", shown(seen.old)),
            AccessMode::Write | AccessMode::Atomic => format!("{cell} := {}", shown(seen.new)),
        }
    };
    let mut effects: Vec<String> = Vec::new();
    for effect in taken.accesses.iter().map(effect).chain(counts(taken)) {
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    }
    effects
}

/// What became of `bc` of the blocks where threads arrived at a literal barrier or left it.
fn counts(taken: &Taken) -> Vec<String> {
    let Some(states) = &taken.states else {
        return Vec::new();
    };
    let (Some(before), Some(after)) = (&states.0.device, &states.1.device) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for actor in &taken.label.actors {
        let Actor::Thread { block, thread } = *actor else {
            continue;
        };
        let at = |grid: &gridlock_semantics::grid::GridState| {
            let block = grid.blocks.get(block as usize)?;
            let thread = block.threads.get(thread as usize)?;
            Some((thread.waiting, block.arrived))
        };
        if let (Some((waited, _)), Some((waits, count))) = (at(before), at(after))
            && waited != waits
        {
            found.push(match before.blocks.len() {
                1 => format!("bc := {count}"),
                _ => format!("bc of block {block} := {count}"),
            });
        }
    }
    found
}
