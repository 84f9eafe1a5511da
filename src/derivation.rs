//! One run as a derivation: which rule fired, for whom, where. It runs the reference semantics;
//! of the schedules it takes the one in which a thread runs on as long as it can and the next is
//! the first that can move.

use gridlock_semantics::fault::Fault;
use gridlock_semantics::observation::Observation;
use gridlock_semantics::operator::{Op, OpId};
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_semantics::program::{ProcId, Program};
use gridlock_semantics::span::Span;
use gridlock_semantics::streams::StreamId;
use gridlock_semantics::system::{ProgramSystem, State};
use gridlock_semantics::transition::{Actor, Label, TransitionSystem};
use std::collections::HashMap;
use std::sync::Arc;

/// One application of a rule.
#[derive(Clone, Debug)]
pub struct DerivationStep {
    pub label: Label,
    /// The operator the rule was applied to, on one line; empty when there is none.
    pub operator: String,
    pub span: Span,
}

/// How a derivation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Final(Observation),
    Fault(Fault),
    /// Nobody can move, and not everybody is done.
    Stuck,
    /// The bound on steps was reached.
    Cut,
}

#[derive(Clone, Debug)]
pub struct Derivation {
    /// The program that was run: in atomic form where the profile's granularity is `access`.
    pub program: Arc<Program>,
    pub steps: Vec<DerivationStep>,
    pub end: End,
}

/// A transition of `last` if it can move, else of the first who can. (Only what one actor does
/// is asked for: under `set` firing there is a transition for every set of threads.)
fn step(
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

/// Derives at most `max_steps` steps.
pub fn derive(system: &ProgramSystem, max_steps: u64) -> Derivation {
    let program = system.program().clone();
    let operators: HashMap<OpId, (ProcId, &Arc<Op>)> = program
        .operators()
        .into_iter()
        .map(|(proc, op)| (op.id, (proc, op)))
        .collect();
    let mut steps = Vec::new();
    let mut last: Option<Actor> = None;
    let mut states = system.initial();
    let mut end = End::Stuck;
    if !states.is_empty() {
        let mut state = states.swap_remove(0);
        end = loop {
            if let Some(fault) = state.fault() {
                break End::Fault(fault.clone());
            }
            if system.is_final(&state) {
                break End::Final(system.observe(&state));
            }
            if steps.len() as u64 >= max_steps {
                break End::Cut;
            }
            let Some((actor, label, after)) = step(system, &state, last) else {
                break End::Stuck;
            };
            last = Some(actor);
            let place = label.op.and_then(|op| operators.get(&op));
            steps.push(DerivationStep {
                operator: place.map_or(String::new(), |(proc, op)| {
                    print::operator(&program, *proc, op, PrintOptions::default())
                        .lines()
                        .next()
                        .unwrap_or("")
                        .trim()
                        .to_owned()
                }),
                span: place.map_or(Span::NONE, |(_, op)| op.span),
                label,
            });
            state = after;
        };
    }
    drop(operators);
    Derivation {
        program,
        steps,
        end,
    }
}
